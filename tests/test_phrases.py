"""The page of phrases: every line that it shows is good in the game of the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.test_docs import ROOT, complaints, house_rule, write_files

PAGE = ROOT / "docs" / "phrases.md"
CHOICES = "c: card, r: row, k: column, q: player, n: 1..9"


def phrases(part: str) -> list[str]:
    """Return the lines of a table; a cell may hold no vertical bar."""
    text = PAGE.read_text(encoding="utf-8")
    table = re.search(rf"^<!-- phrases: {part} -->\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert table is not None
    return [row.strip("|").split("|")[1].strip().strip("`") for row in table[1].splitlines()[2:]]


def quoted(line: str) -> str:
    return "'" + line.replace("'", "''") + "'"


def change(part: str) -> str:
    """Return a change of the game with every line of a table."""
    lines = phrases(part)
    match part:
        case "conditions":
            needs = "".join(f"      n{i}: {{that: {quoted(line)}, else: no}}\n" for i, line in enumerate(lines))
            return f"moves:\n  probe:\n    beside: lay\n    text: probe\n    choose: {{{CHOICES}}}\n    needs:\n{needs}    does: []\n"
        case "values":
            names = "player p, row r, column k"
            return "define:\n" + "".join(f"  value_{i}({names}): {quoted(line)}\n" for i, line in enumerate(lines))
        case _:
            steps = "".join(
                f"  step_{i}(player p):\n    - {line if line.startswith('{') else quoted(line)}\n"
                for i, line in enumerate(lines)
            )
            return "steps:\n" + steps


@pytest.mark.parametrize("part", ["conditions", "values", "steps"])
def test_phrases__every_line_is_good(part: str, tmp_path: Path) -> None:
    write_files(PAGE, tmp_path)
    assert errors(house_rule(tmp_path, "meadow.yaml", change(part))) == []


def errors(file: Path) -> list[str]:
    """Return what is wrong with a file, except that nothing uses what it adds."""
    return [d.first_line() for d in complaints(file) if d.level == "error" and d.code != "overlay-new-unused"]


@pytest.mark.parametrize("part", ["conditions", "values", "steps"])
def test_phrases__a_wrong_line_is_found(part: str, tmp_path: Path) -> None:
    write_files(PAGE, tmp_path)
    line = phrases(part)[0]
    wrong = change(part).replace(line, line.replace("hand", "hnad").replace("shown", "shwon"), 1)
    (found,) = errors(house_rule(tmp_path, "meadow.yaml", wrong))
    assert "name-unknown" in found


GEM = {"pieces": "gem: 12 in gem_bag", "places": "gem_bag: {pile: gem}\n  gems[player]: {pile: gem}"}


def test_phrases__every_entry_is_good(tmp_path: Path) -> None:
    write_files(PAGE, tmp_path)
    for line in phrases("entries"):
        section, _, _ = line.partition(":")
        rest = "\n".join(f"{key}:\n  {text}" for key, text in GEM.items() if key != section)
        if section == "places" and "gem_bag" not in line:
            line = "places:\n  gem_bag: {pile: gem}\n  " + line.removeprefix("places: {").removesuffix("}")
        file = house_rule(tmp_path, "meadow.yaml", f"{line}\n{rest}")
        assert (line, errors(file)) == (line, [])


def test_phrases__there_are_a_hundred() -> None:
    assert sum(len(phrases(part)) for part in ("entries", "conditions", "values", "steps")) >= 100
