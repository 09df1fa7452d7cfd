"""Texts that cannot be read, or mean nothing where they stand: what is proposed instead, and what is never proposed."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.diagnostics.diagnostic import Diagnostic, RuleFileError
from rulespec.files.sources import DISK
from rulespec.model.repair import lost_words, repairs
from rulespec.rules import open_rules

GAME = """rulespec: 1
game: Nuts
players: 2..3
sets:
  nut: [walnut, hazel]
  size: [small, large]
  shell: size * nut
  row: 1..3
tables:
  worth[nut]: {walnut: 1, hazel: 2}
  weight[size]: {small: 1, large: 3}
  most: 4
pieces:
  nut: 9 in heap
places:
  heap: {pile: nut}
  bin[player]: {pile: nut, room: 6}
  shelf[player, row]: {pile: nut}
variables:
  turn: player
  tired[player]: yes_no
  score[player]: 0..90
define:
  heavy(player p): count(bin[p]) > most
play:
  - while: not empty(heap)
    do:
      - ask: turn
        to: take
      - set turn to next(turn)
moves:
  take:
    text: take {n}
    choose: {n: nut, r: row}
    needs:
      there:
        that: n in heap and free(bin[me]) > 0
        else: there is none
    does:
      - move 1 of n from heap to bin[me]
      - move all from bin[me] to shelf[me, r]
winner:
  most nuts: count(bin[me])
"""
CONDITION, STEP = "n in heap and free(bin[me]) > 0", "move 1 of n from heap to bin[me]"


def said_of_file(old: str, new: str) -> list[Diagnostic]:
    """Return what is said of the game after a change."""
    assert GAME.count(old) == 1
    path = Path("nuts.yaml").absolute()
    try:
        return list(open_rules(str(path), files=DISK.having({path: GAME.replace(old, new)})).check_all())
    except RuleFileError as error:
        return list(error.diagnostics)


def first_fix(old: str, new: str) -> str:
    return next((d.fix for d in said_of_file(old, new) if d.level == "error"), "")


def test_game__is_good() -> None:
    assert [d for d in said_of_file(CONDITION, CONDITION) if d.level == "error"] == []


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("bin[me] has a walnut", "walnut in bin[me]"),
        ("walnut is in my bin", "walnut in bin[me]"),
        ("walnut in bin me", "walnut in bin[me]"),
        ("count(bin[me] walnut) > 3", "count(bin[me], walnut) > 3"),
        ("walnut in bin[me] unless tired[me]", "tired[me] or walnut in bin[me]"),
        ("if tired[me] then walnut in bin[me]", "if tired[me] then walnut in bin[me] else true"),
        ("me is neither tired nor heavy", "not tired[me] and not heavy(me)"),
        ("n in walnut, hazel and tired[me]", "n in [walnut, hazel] and tired[me]"),
    ],
)
def test_condition__is_repaired(written: str, meant: str) -> None:
    assert first_fix(CONDITION, written) == f"write `{meant}`"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("move 1 of n heap to my bin", "move 1 of n from heap to bin[me]"),
        ("move 1 of n from heap to bin[me] or shelf[me, r]", "move 1 of n from heap to bin[me], then shelf[me, r]"),
        ("move 1 of the n from the heap to my shelf r", "move 1 of n from heap to shelf[me, r]"),
        ("gain 2 * worth[n] points", "add 2 * worth[n] to score[me]"),
    ],
)
def test_step__is_repaired(written: str, meant: str) -> None:
    assert first_fix(STEP, written) == f"write `{meant}`"


@pytest.mark.parametrize(
    "written",
    [
        "me has more than 2 nuts",  # of which place is not said
        "the last nut did not fall into the heap",
        "walnut needed only when tired",
    ],
)
def test_condition__nothing_is_guessed_where_words_would_be_lost(written: str) -> None:
    assert not first_fix(CONDITION, written).startswith("write ")


@pytest.mark.parametrize(
    ("old", "new", "fix"),
    [
        ("count(bin[p]) > most", "count(bin[p]) > player", "write `players`"),
        ("count(bin[p]) > most", "count(bin[p]) > nut", "write `size(nut)`"),
        ("count(bin[p]) > most", "tired[p] and worth[p] > 2", ""),
        ("  heavy(player p): count(bin[p]) > most", "  heavy(shell s): weight[s] > most", "write `weight[s.size]`"),
        ("set turn to next(turn)", "set tired[turn] to 1", "write `true`"),
    ],
)
def test_kind__what_fits_is_written(old: str, new: str, fix: str) -> None:
    assert first_fix(old, new).startswith(fix) and bool(first_fix(old, new)) >= bool(fix)


def test_unknown_name__those_that_fit_are_listed_and_none_is_written() -> None:
    (said,) = [d for d in said_of_file(STEP, "move 1 of n from heap to dustbox") if d.level == "error"]
    assert said.fix.startswith("declare `dustbox`; of what there is, ")
    assert said.edits == ()


def test_local_name__says_where_it_is_known() -> None:
    (said,) = [d for d in said_of_file("set turn to next(turn)", "set score[turn] to r") if d.level == "error"]
    assert said.why == "`r` is known only in the move `take`"


def test_place_without_its_index__is_warned_of_where_the_move_names_one() -> None:
    found = said_of_file("free(bin[me]) > 0", "free(bin) > 0")
    assert [(d.fix, d.level) for d in found if d.code == "index-missing"] == [("write `bin[me]`", "warning")]


def test_lost_words__a_name_is_never_lost() -> None:
    known = frozenset(("heap", "nut"))
    assert lost_words("nut in heap", "nut", known) is None
    assert lost_words("brown nut in heap", "nut in heap", known) == ("brown",)


def test_repairs__work_is_bounded() -> None:
    tried = []

    def said(text: str) -> list[Diagnostic]:
        tried.append(text)
        return [Diagnostic(said_of_file(STEP, "do nothing at all")[0].span, "", "")]

    assert repairs(" ".join(["a b"] * 40), "expr", frozenset("ab"), said, lambda text: iter(())) == []
    assert len(tried) <= 60
