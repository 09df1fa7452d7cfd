"""Sets everything up in `.venv` and runs one job. Needs Python 3.11 and a package registry, nothing else.

python3 run.py play [GAME] [options]   a game at the terminal; without a terminal bots play it out
python3 run.py serve [options]         tables and the workshop in the browser
python3 run.py check                   format, lint, types and all tests
python3 run.py soak [PART ...]         the long runs of the tests, or parts of them; --list says which there are
python3 run.py bench                   the benchmarks
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
import venv
from pathlib import Path

from tests.parts import PARTS

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = str(BIN / "python")
# Three workers for two cores, since many tests wait; neighbouring tests share what they load, so each begins with a third.
WORKERS = ("-n", "3", "--dist", "worksteal")


def set_up() -> None:
    """A virtual environment with the project and what its tests need; made once, renewed when the needs change."""
    needs = hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()
    mark = VENV / "made-for"
    if mark.exists() and mark.read_text() == needs and Path(PYTHON).exists():
        return
    print("setting up .venv …", file=sys.stderr, flush=True)
    venv.create(VENV, with_pip=True, clear=True)
    pip = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--editable", f"{ROOT}[test]"], check=True)
    mark.write_text(needs)


def run(*command: str, env: dict[str, str] | None = None, quiet: bool = False) -> int:
    keep = {"PYTHONDONTWRITEBYTECODE": ""}  # tests start hundreds of processes, which would compile every module again
    out = subprocess.DEVNULL if quiet else None
    return subprocess.run(
        [PYTHON, "-m", *command], cwd=ROOT, env={**os.environ, **keep, **(env or {})}, stdout=out
    ).returncode


def check() -> int:
    """Everything that must hold before a change is handed over; the first failure decides."""
    steps = (
        ("ruff", "format", "--check", "."),
        ("ruff", "check", "."),
        ("mypy",),
        ("pytest", *WORKERS),
    )
    if not any((ROOT / "tests" / "__pycache__").glob("test_*")):  # in a new checkout: once, not by all workers at once
        print("compiling the tests …", file=sys.stderr, flush=True)
        run("pytest", "--collect-only", "-qq", quiet=True)
    for step in steps:
        print(f"— {' '.join(step)}", flush=True)
        if code := run(*step):
            return code
    return 0


def soak(parts: list[str]) -> int:
    """The tests that take too long for every change, and those that find more when they run longer; all parts, or some."""
    ended = []
    for part in parts or PARTS:
        print(f"— soak {part}: {PARTS[part].shows}", flush=True)
        begin = time.monotonic()
        files = (f"tests/test_{name}.py" for name in PARTS[part].files)
        code = run("pytest", *WORKERS, "-m", "soak or sized", "--timeout", "7200", *files, env={"RULESPEC_SOAK": "1"})
        ended.append((part, time.monotonic() - begin, code == 0))
    ended.append(("all", sum(seconds for _, seconds, _ in ended), all(good for _, _, good in ended)))
    for part, seconds, good in ended:
        print(f"{part:10} {seconds // 60:3.0f}:{seconds % 60:02.0f} {'passed' if good else 'failed'}", flush=True)
    return 0 if ended[-1][2] else 1


def main(words: list[str]) -> int:
    if sys.version_info < (3, 11):
        print(f"Python 3.11 or later is needed, this is {sys.version.split()[0]}", file=sys.stderr)
        return 2
    job, rest = (words[0], words[1:]) if words else ("", [])
    if job not in ("play", "serve", "check", "soak", "bench"):
        print(__doc__, file=sys.stderr)
        return 0 if job in ("", "-h", "--help") else 2
    if job == "soak" and rest == ["--list"]:
        print("\n".join(f"{name:10} {part.shows}" for name, part in PARTS.items()))
        return 0
    if job == "soak" and (unknown := [part for part in rest if part not in PARTS]):
        print(f"no part of the soak run is called `{unknown[0]}`; there are {', '.join(PARTS)}", file=sys.stderr)
        return 2
    try:
        set_up()
    except subprocess.CalledProcessError as error:
        print(f"setting up failed: `{' '.join(map(str, error.cmd))}` ended with {error.returncode}", file=sys.stderr)
        return 1
    match job:
        case "play":
            return run("rulespec", "play", *(rest or ["base"]))
        case "serve":
            return run("rulespec", "serve", *(rest or ["--open"]))
        case "check":
            return check()
        case "soak":
            return soak(rest)
        case _:
            return run("benchmarks", *rest)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
