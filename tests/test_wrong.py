"""Wrong files, each with one mistake: exactly one complaint, and its whole text as people see it.

`pytest tests/test_wrong.py --update` writes anew what is said; then read every line of the difference as an author would.
"""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import replace
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from interpreter.examples.reading import check_examples
from rulespec.diagnostics.diagnostic import RuleFileError, has_errors, render
from rulespec.rules import open_rules
from tests.wrong import FOLDER, Case, counted_from_sections, read_cases, write_cases

ROOT = Path(__file__).parent.parent
FILES = sorted(FOLDER.glob("*.txt"))
CASES = [case for path in FILES for case in read_cases(path)]
FIRST_LINE = re.compile(r"^(\S+?):([a-z]*)([+-]?\d*):(\d+): (error|warning)\[([a-z-]+)\]: (.*)$", re.MULTILINE)
SECTIONS = {
    "rulespec", "game", "text", "players", "sets", "tables", "pieces", "places", "variables", "define", "setup", "play", "steps",
    "moves", "scoring", "winner", "options", "examples", "view", "extends", "with", "change",
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the shipped games to make mistakes in."""
    where = tmp_path_factory.mktemp("wrong")
    shutil.copytree(ROOT / "games", where / "games")
    return where


def text_of(file: str) -> str | None:
    """Return the text of a shipped file in the folder at hand; None for one that is not shipped."""
    return Path(file).read_text(encoding="utf-8") if (ROOT / file).is_file() else None


def said_about(case: Case, folder: Path) -> str:
    """Return all that is reported for the file with the mistake in it; the good one is put back."""
    path = folder / case.file
    good = path.read_text(encoding="utf-8") if path.exists() else None
    path.write_text(case.patched(folder), encoding="utf-8")
    try:
        with chdir(folder):
            try:
                rules = open_rules(case.file)
                found = list(rules.check_all())
                found = sorted(found if has_errors(found) else [*found, *check_examples(rules)])
            except RuleFileError as error:
                found = list(error.diagnostics)
            said = "\n\n".join(render(d) for d in found).replace(f"{ROOT}/", "")
            return counted_from_sections(said, text_of)
    finally:
        if good is None:
            path.unlink()
        else:
            path.write_text(good, encoding="utf-8")


def tried() -> Iterator[ParameterSet]:
    """Yield all cases: in the check the first of each code, and some of small games; the soak run has the rest."""
    codes = set()
    for number, case in enumerate(CASES):
        place = FIRST_LINE.search(case.said)
        code = place[6] if place else ""
        first, some = code not in codes, case.file.startswith("games/classics/") and number % 3 == 0
        codes.add(code)
        yield pytest.param(case, id=case.name, marks=() if first or some else pytest.mark.soak)


@pytest.mark.parametrize("case", list(tried()))
def test_wrong_file__says_just_this(case: Case, folder: Path, update: bool) -> None:
    if update:
        pytest.skip("all are written in one go")
    said = said_about(case, folder)
    assert said == case.said
    found = FIRST_LINE.findall(said)
    assert len(found) == 1, "one mistake, one message"
    assert found[0][0] == case.file, "it stands in the file with the mistake"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_update__writes_what_is_said(path: Path, folder: Path, update: bool) -> None:
    if not update:
        pytest.skip("only with --update")
    write_cases(path, [replace(case, said=said_about(case, folder)) for case in read_cases(path)])


def test_corpus__is_large_and_reaches_everything() -> None:
    assert len(CASES) >= 150
    assert [name for name, n in Counter(case.name for case in CASES).items() if n > 1] == []
    files = {case.file for case in CASES}
    games = {path.relative_to(ROOT).as_posix() for path in (ROOT / "games").glob("*.yaml")}
    games |= {path.relative_to(ROOT).as_posix() for path in (ROOT / "games" / "classics").glob("*.yaml")}
    assert sorted(games - files) == []
    assert len([file for file in files if "/house/" in file]) >= 10
    assert sorted(SECTIONS - set(sections_reached())) == []


def sections_reached() -> Iterator[str]:
    """Yield the section in which each complaint stands."""
    for case in CASES:
        place = FIRST_LINE.search(case.said)
        assert place, case.name
        if place[2]:
            yield place[2]
        else:
            above = reversed([line[1:] for line in case.patch][: int(place[3])])
            yield next((m[1] for line in above if (m := re.match(r"([a-z]+):", line))), "")
