"""The promises of the lab about its numbers, on real games: they are played once, and reports are made of many drawings from them."""

from __future__ import annotations

import random
from functools import cache
from math import sqrt

import pytest

from interpreter import load
from referee.bots import find_bot
from referee.lab.comparison import compare_rows
from referee.lab.estimates import (
    FEWEST,
    LOOKS_FROM,
    Looking,
    Sample,
    Verdict,
    bernstein_interval,
    estimate,
    sequence_interval,
)
from referee.lab.measures import GAME, Kind, Measure
from referee.lab.row import Lab, Row
from referee.lab.study import kind_of

pytestmark = [pytest.mark.soak, pytest.mark.timeout(1800)]

POOLS = {"random": 1500, "quick:20": 500}  # games of each kind of player
MEANS, SHARES = ("score", "lead", "decisions"), ("first", "ties", "leader_wins")


@cache
def lab(*cost: int) -> Lab:
    """Return the lab of a game, with other costs if any are given."""
    rule = {"rulespec": 1, "extends": "base", "game": "Planted", "change": {"tables": {"cost": list(cost)}}}
    game = load("base", house=[rule] if cost else [])
    game.compile()
    return Lab(game)


def rows_of(where: Lab, bot: str, many: int) -> list[Row]:
    player = find_bot(bot)
    assert player is not None
    return [where.play([player, player], seed) for seed in range(many)]


@pytest.fixture(scope="module", params=list(POOLS))
def pool(request: pytest.FixtureRequest) -> list[Row]:
    return rows_of(lab(), request.param, POOLS[request.param])


def kind() -> Kind:
    return kind_of(lab().game, ("random", "random"))


def measure(key: str) -> Measure:
    return next(m for m in GAME if m.key == key)


def drawn(sample: Sample, n: int, rng: random.Random) -> Sample:
    """Return what n games drawn from a sample give."""
    places = rng.choices(range(sample.n), k=n)
    of = None if sample.of is None else tuple(sample.of[i] for i in places)
    return Sample(tuple(sample.counted[i] for i in places), of, sample.in_logs)


@pytest.mark.parametrize("looking", [Looking(100), Looking(200, often=True)], ids=["fixed", "looks"])
def test_reports__without_any_change_at_most_one_in_twenty_claims_one(pool: list[Row], looking: Looking) -> None:
    """The same rules with other luck: 35 measures, of random players 18, since how they use moves is not counted."""
    rng, n, claimed = random.Random(1), looking.planned, 0
    for _ in range(200):
        games = rng.sample(pool, 2 * n)
        found = compare_rows(games[:n], games[n:], (kind(), kind()), looking, {})
        assert len(found.changes) >= 18
        claimed += any(change.verdict.is_change for change in found.changes)
    assert claimed <= 10


@pytest.mark.parametrize("n", [30, 60, 100, 400])
def test_intervals__cover_at_every_size_at_which_they_are_printed(pool: list[Row], n: int) -> None:
    rng, found = random.Random(2), dict[str, float]()
    for key in (*MEANS, *SHARES):
        m = measure(key)
        whole, hits, times = m.sample(pool), 0, 1000 if m.share or n >= 100 else 300  # the bootstrap takes its time
        true = whole.value
        assert true is not None
        for _ in range(times):
            interval = estimate(drawn(whole, n, rng), m.share, Looking(n)).interval
            hits += interval is not None and interval.low <= true <= interval.high
        found[key] = hits / times
        chance = 2.3 * sqrt(0.05 * 0.95 / times)  # how far repetitions stray, 98 times in 100
        rare = m.share and n * min(true, 1 - true) < 5  # such shares jump from one number of games to the next
        assert 0.93 - chance <= hits / times <= (1.0 if rare else 0.97 + chance), found


def test_sequences__cover_when_looked_at_after_every_game(pool: list[Row]) -> None:
    """From the first look on to 600 games, how often was the interval never wrong?"""
    rng, planned, times = random.Random(3), 600, 1000
    for key in (*MEANS, "first"):
        whole, wrong = measure(key).sample(pool), 0
        true = whole.value
        assert true is not None
        for _ in range(times):
            values = drawn(whole, planned, rng).counted
            total = squares = 0.0
            for n, value in enumerate(values, 1):
                total, squares = total + value, squares + value * value
                if n < LOOKS_FROM:
                    continue
                mean = total / n
                deviation = sqrt(max(0.0, squares - n * mean * mean) / (n - 1))
                interval = sequence_interval(mean, deviation, n, planned)
                if not interval.low <= true <= interval.high:
                    wrong += 1
                    break
        assert 1 - wrong / times >= 0.94, key


def test_sequences__cover_rare_things_when_looked_at_after_every_game() -> None:
    """A share that is so rare that it has the empirical Bernstein sequence, from the first game on."""
    rng, share, times, wrong = random.Random(4), 0.03, 60, 0
    for _ in range(times):
        values: list[float] = []
        for _ in range(300):
            values.append(2.0 * (rng.random() < share) - 1)
            if values.count(1.0) >= FEWEST:
                break
            found = bernstein_interval(values)
            if not (found.low + 1) / 2 <= share <= (found.high + 1) / 2:
                wrong += 1
                break
    assert 1 - wrong / times >= 0.94


def test_reports__a_planted_cost_is_found() -> None:
    """The first tile on the floor costs 2 points instead of 1: the report says that the floor takes more."""
    before, after = (rows_of(where, "random", 100) for where in (lab(), lab(2, 1, 2, 2, 2, 3, 3)))
    found = compare_rows(before, after, (kind(), kind()), Looking(100), {}).of("points:floor_cost")
    assert found is not None and found.claimed and found.verdict in (Verdict.LESS, Verdict.LITTLE_LESS)
    assert -1 < (found.compared.value or 0.0) < 0
