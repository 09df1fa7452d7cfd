"""Luck and skill: how much of the result is who plays better, how much the deal, and how much neither foresees.

A strong and a weak kind of player play every deal twice, with seats exchanged, and every second seat is the strong one's. The result
of a game is the lead of one half of the seats over the other. Half of what the two results of a deal differ by is what playing
better is worth; what they have in common is the deal; how else they vary is the rest.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

from referee.lab.columns import WINNERS, GameColumns
from referee.lab.comparison import interval_data, rounded
from referee.lab.estimates import BOOTSTRAP_T, FEWEST, LEVEL, RESAMPLES, WILSON, Found, Interval, wilson
from referee.lab.study import Gathered, StudySide

DEALS = 60
PARTS = SKILL, DEAL, REST = "skill", "deal", "rest"

Results = tuple[
    float, float
]  # of half of the seats, in the game in which they are strong and in the one in which they are weak


@dataclass(frozen=True, slots=True)
class SkillFound:
    """The parts of skill, deal and rest in the results of games."""

    strong: str
    weak: str
    deals: int
    planned: int
    ended: str  # as it is called in what was gathered
    parts: tuple[Found, ...]  # as PARTS has them; without values if there are too few deals

    def as_data(self) -> dict[str, Any]:
        return {
            "strong": self.strong,
            "weak": self.weak,
            "deals": self.deals,
            "planned": self.planned,
            "ended": self.ended,
            "parts": [
                {
                    "part": name,
                    "value": rounded(part.value),
                    "n": part.n,
                    "unit": "%",
                    "interval": interval_data(part.interval),
                }
                for name, part in zip(PARTS, self.parts, strict=True)
            ],
        }


def exchanged_sides(side: StudySide, strong: str, weak: str) -> tuple[StudySide, StudySide]:
    """Return a side with a strong and a weak kind of player in turn, and the same with seats exchanged."""
    kinds = (strong, weak)
    seats = [tuple(kinds[(seat + first) % 2] for seat in range(side.job.players)) for first in (0, 1)]
    one, two = (
        replace(side, job=replace(side.job, seats=s, watched=()), kind=replace(side.kind, seats=s, watched=()))
        for s in seats
    )
    return one, two


def find_skill(sides: tuple[StudySide, StudySide], gathered: Gathered, planned: int) -> SkillFound:
    """Return the parts in games of two sides that are `exchanged_sides`."""
    strong, weak = sides[0].job.seats[:2]
    seatings = seated_results(gathered.rows[0], gathered.rows[1])
    n = sum(map(len, seatings))
    parts = share_out(seatings, sides[0].kind.chance) if n >= FEWEST else (Found(None, n, None),) * len(PARTS)
    return SkillFound(strong, weak, n, planned, gathered.ended, parts)


def seated_results(one: GameColumns, two: GameColumns) -> list[list[Results]]:
    """Return the results of all deals whose games both have an end, by who sits where: seats move on by one from seed to seed."""
    players = one.heads.players
    found: list[list[Results]] = [[] for _ in range(players)]
    results = zip(_of_players(one), _of_players(two), strict=True)
    for place, (seed, (first, second)) in enumerate(zip(one.seeds, results, strict=True)):
        if place in one.faults or place in two.faults:
            continue
        strong = [(seat + seed) % players % 2 == 0 for seat in range(players)]
        found[seed % players].append((_lead(first, strong), _lead(second, strong)))
    return found


def _of_players(games: GameColumns) -> Iterable[Sequence[float]]:
    """Return for each game what every player has of it: points, or without them a part of the victory."""
    if games.heads.scores:
        return zip(*games.scores(), strict=True)
    return (
        [(bits >> seat & 1) / max(1, bits.bit_count()) for seat in range(games.heads.players)]
        for bits in games.column(WINNERS)
    )


def _lead(results: Sequence[float], chosen: Sequence[bool]) -> float:
    """Return how far some players are ahead of the others, on average."""
    ours = [result for result, ours in zip(results, chosen, strict=True) if ours]
    others = [result for result, ours in zip(results, chosen, strict=True) if not ours]
    return sum(ours) / len(ours) - sum(others) / len(others)


def share_out(seatings: Sequence[Sequence[Results]], has_chance: bool) -> tuple[Found, ...]:
    """Return the parts with their intervals; without chance nothing is dealt.

    Means are those of each seating, so that a better seat is no deal. What playing better is worth is squared, less what accident
    adds to that square. Intervals are those of the bootstrap-t, by resampling the deals of each seating. Where all of a seating
    went alike, it has nothing to go by: then limits are those of deals which would have gone the other way and were not seen.
    """
    known = [deals for deals in seatings if deals]
    seen, n = _Moments.of(known), sum(map(len, known))
    skill = max(0.0, seen.worth**2 - (seen.alone - seen.together) / 2 / n)
    deal = max(0.0, seen.together) if has_chance else 0.0
    rest = max(0.0, seen.alone - deal)
    total = skill + deal + rest
    if total <= 0:
        return (Found(None, n, None),) * len(PARTS)
    if seen.alone == 0:
        least = (2 * wilson(n, n).low - 1) ** 2
        ends = [(least, 1.0), (0.0, 1 - least), (0.0, 1 - least)]
    else:
        worth, dealt, other = _resampled(known, seen)
        if not has_chance:
            dealt, other = (0.0, 0.0), (1 - _squared(worth)[1], 1 - _squared(worth)[0])
        ends = [_squared(worth), dealt, other]
    method = WILSON if seen.alone == 0 else BOOTSTRAP_T
    return tuple(
        Found(
            part / total,
            n,
            Interval(max(0.0, min(low, part / total)), min(1.0, max(high, part / total)), method, LEVEL),
        )
        for part, (low, high) in zip((skill, deal, rest), ends, strict=True)
    )


@dataclass(frozen=True, slots=True)
class _Moments:
    """Means, variances and what they may be wrong by, in deals of several seatings."""

    worth: float  # half of what the two results of a deal differ by
    together: float  # covariance of the two results
    alone: float  # variance of a result
    ratios: tuple[
        float, float, float
    ]  # worth in deviations; covariance, and what it leaves of the variance, as parts of all
    errors: tuple[float, float, float]  # of the ratios: the delta method

    @classmethod
    def of(cls, seatings: Sequence[Sequence[Results]]) -> _Moments:
        n = sum(map(len, seatings))
        each = [gap for deals in seatings for gap in _gaps(deals)]
        worth = sum(sum(a - b for a, b in deals) for deals in seatings) / 2 / n
        free = max(1, n - len(seatings))
        together = sum(a * b for a, b in each) / free
        alone = sum(a * a + b * b for a, b in each) / 2 / free
        if alone <= 0:
            return cls(worth, together, alone, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        whole, deviation = worth * worth + alone, sqrt(alone)
        ratios = worth / deviation, together / whole, (alone - together) / whole
        sums = [0.0, 0.0, 0.0]
        for a, b in each:
            more, product, square = (a - b) / 2, a * b - together, (a * a + b * b) / 2 - alone
            of_all = 2 * worth * more + square
            sums[0] += (more / deviation - ratios[0] * square / (2 * alone)) ** 2
            sums[1] += ((product - ratios[1] * of_all) / whole) ** 2
            sums[2] += ((square - product - ratios[2] * of_all) / whole) ** 2
        one, two, three = (sqrt(squares / free / n) for squares in sums)
        return cls(worth, together, alone, ratios, (one, two, three))


def _gaps(deals: Sequence[Results]) -> list[Results]:
    """Return the results less their means."""
    one, two = (sum(results) / len(deals) for results in zip(*deals, strict=True))
    return [(a - one, b - two) for a, b in deals]


def _resampled(seatings: Sequence[Sequence[Results]], seen: _Moments) -> list[tuple[float, float]]:
    """Return the intervals of the ratios: how far those in deals drawn from these are from theirs, in their own errors.

    The draws are the same in every run.
    """
    rng = random.Random(sum(map(len, seatings)))
    drawn = [_Moments.of([rng.choices(deals, k=len(deals)) for deals in seatings]) for _ in range(RESAMPLES)]
    found = []
    for which, (ratio, error) in enumerate(zip(seen.ratios, seen.errors, strict=True)):
        far = sorted((one.ratios[which] - ratio) / one.errors[which] for one in drawn if one.errors[which])
        tail = round((1 - LEVEL) / 2 * (len(far) - 1))
        found.append((ratio - far[-1 - tail] * error, ratio - far[tail] * error) if far else (ratio, ratio))
    return found


def _squared(worth: tuple[float, float]) -> tuple[float, float]:
    """Return the interval of the part of skill, from that of what playing better is worth in deviations."""
    low, high = sorted(end * end / (1 + end * end) for end in worth)
    return (0.0 if worth[0] <= 0 <= worth[1] else low), high
