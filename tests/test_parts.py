"""The soak run in parts: every long test belongs to exactly one, and `run.py` runs what it is asked for."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import run
from tests.parts import PARTS

TESTS = Path(__file__).parent
LONG = re.compile(r"pytest\.mark\.(?:soak|sized)\b|\bwith_some_house_rules\(")


def test_parts__every_long_test_is_in_one() -> None:
    files = sorted(path for path in TESTS.glob("test_*.py") if path != Path(__file__))
    long = {path.stem.removeprefix("test_") for path in files if LONG.search(path.read_text(encoding="utf-8"))}
    named = Counter(name for part in PARTS.values() for name in part.files)
    assert set(named) == long
    assert set(named.values()) == {1}


def test_parts__what_is_sized_is_marked() -> None:
    """A test whose size differs in the soak run is part of it."""
    sized = re.compile(r"\bsize\(\d")
    texts = {path.name: path.read_text(encoding="utf-8") for path in TESTS.glob("test_*.py")}
    assert [name for name, text in texts.items() if sized.search(text) and not LONG.search(text)] == []


def test_soak__list_says_what_each_part_shows() -> None:
    command = [sys.executable, "run.py", "soak", "--list"]
    done = subprocess.run(command, cwd=TESTS.parent, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [f"{name:10} {part.shows}" for name, part in PARTS.items()]


def test_soak__a_part_that_is_not_there() -> None:
    command = [sys.executable, "run.py", "soak", "engine", "webb"]
    done = subprocess.run(command, cwd=TESTS.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == f"no part of the soak run is called `webb`; there are {', '.join(PARTS)}\n"


def test_soak__runs_the_files_of_its_parts_and_says_how_each_ended(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran: list[tuple[str, ...]] = []

    def pretend(*command: str, env: dict[str, str] | None = None) -> int:
        assert env == {"RULESPEC_SOAK": "1"}
        ran.append(tuple(word for word in command if word.startswith("tests/")))
        return 1 if len(ran) == 1 else 0

    monkeypatch.setattr(run, "run", pretend)
    assert run.soak(["table", "texts"]) == 1
    assert ran == [tuple(f"tests/test_{name}.py" for name in PARTS[part].files) for part in ("table", "texts")]
    said = capsys.readouterr().out.splitlines()
    assert [line.split()[0::2] for line in said[-3:]] == [["table", "failed"], ["texts", "passed"], ["all", "failed"]]
    ran.clear()
    assert run.soak([]) == 1
    assert len(ran) == len(PARTS)
