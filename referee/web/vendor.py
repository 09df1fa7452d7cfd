"""Make the bundles in `static/vendor` from the packages that its `package.json` names: `python -m referee.web.vendor`.

Needs node and npm. The lock file holds the hash of every package, the manifest that of every bundle: the same versions give the
same bytes, and a test compares the files with the manifest. To change a version, edit `package.json`, delete the lock file and run this.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "static" / "vendor"
MANIFEST = FOLDER / "manifest.json"
LICENCES = FOLDER / "LICENCES.txt"
OPTIONS = ("--bundle", "--format=esm", "--minify", "--target=es2022", "--legal-comments=none", "--charset=utf8")


def main() -> int:
    """Install the packages in a folder of their own, bundle each `*.entry.js`, write licences and manifest."""
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder)
        for name in ("package.json", "package-lock.json"):
            if (FOLDER / name).exists():
                shutil.copy(FOLDER / name, room)
        locked = (FOLDER / "package-lock.json").exists()
        flags = ("--ignore-scripts", "--no-audit", "--no-fund", "--omit-lockfile-registry-resolved")
        subprocess.run(["npm", "ci" if locked else "install", *flags], cwd=room, check=True)
        shutil.copy(room / "package-lock.json", FOLDER)
        for entry in sorted(FOLDER.glob("*.entry.js")):
            shutil.copy(entry, room)
            out = FOLDER / entry.name.replace(".entry", "")
            subprocess.run(
                ["node", "node_modules/esbuild/bin/esbuild", entry.name, *OPTIONS, f"--outfile={out}"],
                cwd=room,
                check=True,
            )
        used = packages(room)
    LICENCES.write_text("\n\n".join(f"{name} {version}\n\n{text}" for name, version, _, text in used), encoding="utf-8")
    made = {path.name: digest(path) for path in sorted(FOLDER.iterdir()) if path != MANIFEST}
    manifest = {
        "packages": {name: {"version": version, "licence": licence} for name, version, licence, _ in used},
        "files": made,
    }
    MANIFEST.write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    return 0


def packages(room: Path) -> list[tuple[str, str, str, str]]:
    """Return name, version, licence and its text of every package that is bundled; esbuild itself is not."""
    locked = json.loads((room / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    return [_package(room / path) for path, entry in sorted(locked.items()) if path and not entry.get("dev")]


def _package(folder: Path) -> tuple[str, str, str, str]:
    about: dict[str, Any] = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    texts = [
        path.read_text(encoding="utf-8") for path in sorted(folder.iterdir()) if path.stem.upper().startswith("LICEN")
    ]
    text = (
        "\n".join(texts).strip() or f"{about['license']} licence; author: {about['author']}"
    )  # some ship no text of it
    return about["name"], about["version"], about["license"], text


def digest(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
