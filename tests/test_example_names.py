"""Examples that cannot be read are reported by the validator, each mistake at its own words."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.examples.reading import check_examples
from rulespec.files.sources import shipped_games
from rulespec.rules import open_rules
from tests.shipped import rules_of

HEAD = "rulespec: 1\nextends: base\ngame: Tried\nexamples:\n  one:\n    expect: {over: false}\n"


def complaints(example: str) -> list[tuple[str, str, str]]:
    rules = open_rules(Path("t.yaml"), HEAD + "".join(f"    {line}\n" for line in example.splitlines()))
    return [(f"{d.span.line}:{d.span.col}", d.message, d.fix) for d in check_examples(rules)]


@pytest.mark.parametrize("name", shipped_games())
def test_examples__of_shipped_files_can_be_read(name: str) -> None:
    assert [str(d.span) for d in check_examples(rules_of(name))] == []


@pytest.mark.parametrize(
    ("example", "where", "message", "fix"),
    [
        ("given:\n  floor_lin[1]: red", "8:7", "no place or variable called `floor_lin`", "did you mean `floor_line`?"),
        ("given:\n  offer[9]: red", "8:13", "there is no `offer[9]`: source is 1..5 or centre, found `9`", ""),
        ("given:\n  offer[1]: 2 rde", "8:17", "no piece called `rde`; `offer` holds ", "did you mean `red`?"),
        ("given:\n  first: 7", "8:14", "`first` is 1..2", ""),
        ("run: offerings", "7:10", "no steps called `offerings`", "did you mean `offering`?"),
        ("run: fill", "7:10", "expected `fill(display d)`, found `fill`", ""),
        ("offered: {tkae 1: []}", "7:15", "no move called `tkae`", "did you mean `take`?"),
        (
            "offered: [take 1 red]",
            "7:15",
            "expected `take SOURCE COLOUR TARGET`, for example `take 1 yellow 3`, found 2 words after `take`",
            "",
        ),
        ("refused: {take 1 redd 1: no}", "7:15", "`redd` is not a colour", "did you mean `red`?"),
        ("play: [take 1 red 9]", "7:12", "`9` is not a target", ""),
        ("play: [drwa red]", "7:12", "no move called `drwa`", "did you mean `draw`?"),
        ("with: {jokes: with}", "7:12", "no option called `jokes`", "did you mean `jokers`?"),
        ("players: 7", "7:14", "this game is for 2 to 4 players, not 7", ""),
    ],
)
def test_example__one_mistake_one_complaint(example: str, where: str, message: str, fix: str) -> None:
    found = complaints(example)
    assert [w for w, _, _ in found] == [where]
    assert found[0][1].startswith(message)
    assert found[0][2].startswith(fix)


def test_example__a_scoring_rule_that_there_is_not() -> None:
    text = HEAD.replace("expect: {over: false}", "expect: {points: {rowz: 4}}")
    found = check_examples(open_rules(Path("t.yaml"), text))
    assert [d.message for d in found] == ["no scoring rule called `rowz`"]


def test_example__of_a_file_below_is_not_judged() -> None:
    """A house rule may remove what an example of the game is about; `rulespec test` tells that."""
    text = "rulespec: 1\nextends: nim\ngame: X\nchange: {moves: {remove: [take], grab: {like: take}}}\n"
    assert check_examples(open_rules(Path("t.yaml"), text.replace("grab: {like: take}", ""))) == []
