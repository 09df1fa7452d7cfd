"""Arithmetic of the lab: natively and in Python the same numbers, and about games whose legal moves are seldom counted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from interpreter import load
from referee.bots import play_random
from referee.lab import arithmetic
from referee.lab.chunks import KeptChunks
from referee.lab.columns import COUNTED, SELDOM, GameColumns, counted_among, counted_games, games_for, is_counted
from referee.lab.comparison import compare_rows, measure_rows
from referee.lab.crew import Crew
from referee.lab.estimates import LOOKS_FROM, Looking
from referee.lab.measures import GAME, measures_of
from referee.lab.row import Lab
from referee.lab.study import Plan, StudySide, gather, kind_of
from rulespec import open_rules
from tests.bundle import COMPILER

needs_compiler = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler on this machine")
MANY = 700


def columns(name: str, players: int) -> GameColumns:
    lab = Lab(load(name, players))
    lab.game.compile()
    return lab.play_many([play_random] * players, range(MANY))


def fresh(games: GameColumns) -> GameColumns:
    """Return the same games, of which nothing was worked out yet."""
    return games.picked([*range(len(games))])


def close(one: Any, other: Any) -> bool:
    """Return whether two pieces of data are equal, but for the rounding of sums."""
    match one, other:
        case dict(), dict():
            return one.keys() == other.keys() and all(close(one[key], other[key]) for key in one)
        case list(), list():
            return len(one) == len(other) and all(map(close, one, other))
        case float(), float():
            return one == pytest.approx(other, rel=1e-7, abs=1e-9)
        case _:
            return bool(one == other)


@needs_compiler
@pytest.mark.parametrize(
    ("one", "two", "players"),
    [
        ("base", "two_rows", 2),
        ("base", "corners", 2),
        ("base", "base", 2),
        ("classics/pig", "classics/pig", 3),
        ("classics/nim", "classics/nim", 2),
    ],
)
@pytest.mark.parametrize("often", [False, True])
def test_statistics__are_the_same_natively_and_in_python(
    one: str, two: str, players: int, often: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also without a compiler, of equal sides, where one side lacks a scoring rule, of games without scores, with shared victories, and where some games have a fault."""
    a, b = columns(one, players), columns(two, players)
    if one == two != "base":  # of base the same games, other ones of the others
        b = b.picked([*range(MANY - 1, MANY // 2, -1), *range(MANY // 2 + 1)])
    b = GameColumns.of([*b[:-1], {"seed": MANY - 1, "fault": "fault-bounds", "decisions": 3}], b.heads)
    kinds = tuple(kind_of(load(name, players), ("random",) * players) for name in (one, two))
    looking = Looking(1000, often)
    found: list[list[Any]] = []
    for least, library in ((1, arithmetic._library), (MANY + 1, arithmetic._library), (1, lambda: None)):
        monkeypatch.setattr(arithmetic, "MANY", least)
        monkeypatch.setattr(arithmetic, "_library", library)
        compared = compare_rows(fresh(a), fresh(b), (kinds[0], kinds[1]), looking, {})
        measured = measure_rows(fresh(b), kinds[1], looking)
        values = [change.as_data() for change in compared.changes] + [value.as_data() for value in measured.values]
        found.append([compared.differing, values])
    assert close(found[0], found[1]) and found[1] == found[2] and len(found[0][1]) >= 10


@needs_compiler
def test_measures__are_the_same_game_by_game(monkeypatch: pytest.MonkeyPatch) -> None:
    games = columns("base", 3)
    for measure in measures_of(kind_of(games_of := load("base", 3), ("random",) * 3), (), {}):
        natively = measure.sample(fresh(games))
        monkeypatch.setattr(arithmetic, "MANY", MANY + 1)
        assert [*natively.counted] == [*measure.sample(fresh(games)).counted], measure.key
        assert [*natively.parts] == [*measure.sample(fresh(games)).parts], measure.key
        monkeypatch.undo()
    assert games_of.players == 3 and {m.key for m in GAME} >= {*arithmetic.DERIVED, *arithmetic.PARTLY}


def test_counted__which_games_and_how_many() -> None:
    for first in (0, 1, SELDOM - 1, SELDOM, 1000, 2**100):
        seeds = range(first, first + 3 * SELDOM)
        assert counted_games(seeds) == bytes(map(is_counted, seeds)) == counted_games([*seeds])
        assert sum(counted_games(seeds)) == 3
    assert counted_games(range(5, 5)) == b""
    assert [counted_among(games) for games in (0, 10, COUNTED, COUNTED + SELDOM)] == [0, 10, COUNTED, COUNTED + 1]
    assert all(games_for(counted_among(games)) == games for games in (0, 7, COUNTED, COUNTED + 5 * SELDOM))
    assert COUNTED >= LOOKS_FROM  # so that there is an interval as soon as there may be one


def test_gather__counts_in_few_games_after_the_first_ones() -> None:
    """By the place in the study and the seed, so that asking for more games changes none of those that are there."""
    side = StudySide.of("nim", open_rules("classics/nim"), 2, {}, ("random",) * 2)
    kept, seed = KeptChunks(None), 1000
    with Crew(1) as crew:
        few = gather([side], Plan(seed, 250), crew, kept).rows[0]
        more = gather([side], Plan(seed, 3 * COUNTED), crew, kept).rows[0]
        mixed = gather([replace(side, job=replace(side.job, seats=("quick:2", "random")))], Plan(seed, 20), crew, kept)
    assert [*more[:250]] == [*few]
    counted = [row["legal"] >= 0 for row in more]
    assert counted == [place < COUNTED or is_counted(seed + place) for place in range(3 * COUNTED)]
    assert all(row["legal"] > 0 for row in mixed.rows[0])
    found = measure_rows(more, side.kind, Looking(len(more)))
    choice, single = found.of("choice"), found.of("single")
    assert choice is not None and single is not None and choice.found.n == single.found.n == sum(counted)
