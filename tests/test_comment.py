"""A comment at the top of every shipped file breaks no test: nothing that is expected counts the lines of a shipped game."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info")
# Tests that read no shipped game, or say nothing of its lines, and take long.
OTHERS = ("hostile", "interrupt", "generated", "native*", "cache", "payloads", "budgets")

SIZED = (
    "docs",
    "examples",
    "house",
    "rulebook",
    "trial",
    "wrong",
)  # of the tests that are larger elsewhere, those that show lines


@pytest.mark.soak
def test_comment__at_the_top_of_every_shipped_file_breaks_no_test(tmp_path: Path) -> None:
    copy = tmp_path / "project"
    shutil.copytree(ROOT, copy, ignore=LEFT_OUT)
    files = list((copy / "games").rglob("*.yaml"))
    for file in files:
        file.write_text("# A comment.\n" + file.read_text(encoding="utf-8"), encoding="utf-8")
    assert len(files) > 20
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "RULESPEC_"))}
    environment = {**kept, "PYTHONPATH": str(copy), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--timeout", "600"]
    others = [f"--ignore-glob=tests/test_{name}.py" for name in OTHERS]
    for which in (["-m", "not sized", *others], ["-m", "sized", *(f"tests/test_{name}.py" for name in SIZED)]):
        done = subprocess.run(
            [*command, *which], cwd=copy, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout[-20_000:]
