"""Sets everything up in `.venv` and runs one job. Needs Python 3.11 and a package registry, nothing else.

python3 run.py play [GAME] [options]   a game at the terminal; without a terminal bots play it out
python3 run.py serve [options]         tables and the workshop in the browser
python3 run.py check                   format, lint, types and all tests
python3 run.py soak                    the long runs of the tests
python3 run.py bench                   the benchmarks
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = str(BIN / "python")
TWO = ("-n", "2", "--dist", "worksteal")  # neighbouring tests share what they load, so each worker begins with a half


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


def run(*command: str, env: dict[str, str] | None = None) -> int:
    return subprocess.run([PYTHON, "-m", *command], cwd=ROOT, env={**os.environ, **(env or {})}).returncode


def check() -> int:
    """Everything that must hold before a change is handed over; the first failure decides."""
    steps = (
        ("ruff", "format", "--check", "."),
        ("ruff", "check", "."),
        ("mypy",),
        ("pytest", *TWO),
    )
    for step in steps:
        print(f"— {' '.join(step)}", flush=True)
        if code := run(*step):
            return code
    return 0


def soak() -> int:
    """The tests that take too long for every change, and those that find more when they run longer."""
    return run("pytest", *TWO, "-m", "soak or sized", "--timeout", "7200", env={"RULESPEC_SOAK": "1"})


def main(words: list[str]) -> int:
    if sys.version_info < (3, 11):
        print(f"Python 3.11 or later is needed, this is {sys.version.split()[0]}", file=sys.stderr)
        return 2
    job, rest = (words[0], words[1:]) if words else ("", [])
    if job not in ("play", "serve", "check", "soak", "bench"):
        print(__doc__, file=sys.stderr)
        return 0 if job in ("", "-h", "--help") else 2
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
            return soak()
        case _:
            return run("benchmarks", *rest)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
