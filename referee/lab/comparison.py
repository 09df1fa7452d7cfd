"""The findings in the rows of a study: every measure with its interval, differences with their verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp
from typing import Any

from referee.lab.arithmetic import marks_apart
from referee.lab.columns import GameColumns, Row
from referee.lab.estimates import (
    LEVEL,
    Compared,
    Found,
    Interval,
    Looking,
    Verdict,
    compare,
    discoveries,
    estimate,
    judge,
    pairs_needed,
    wilson,
)
from referee.lab.measures import Kind, Measure, Unit, measures_of, moves_used

Rows = Sequence[Row]


@dataclass(frozen=True, slots=True)
class Measured:
    """One measure of one game."""

    measure: Measure
    found: Found

    def as_data(self) -> dict[str, Any]:
        return {"measure": self.measure.key, "label": self.measure.label, **found_data(self.measure, self.found)}


@dataclass(frozen=True, slots=True)
class Changed:
    """One measure of two games: both values, the difference and the verdict on it."""

    measure: Measure
    before: Found
    after: Found
    compared: Compared
    notice: float  # the smallest change worth a word
    shown: Interval | None  # of the difference; wider if it is one claim of several
    claimed: bool
    verdict: Verdict

    @property
    def size(self) -> float:
        """How large the difference is, in units of what is noticed."""
        return abs(self.compared.value or 0.0) / self.notice if self.notice else 0.0

    @property
    def more_pairs(self) -> int | None:
        """How many more pairs may settle it; None: it is settled, or that is unknown."""
        needed = pairs_needed(self.compared, self.notice) if self.verdict is Verdict.UNCLEAR else None
        return None if needed is None else self.measure.games(needed) - self.measure.games(self.compared.n)

    def as_data(self) -> dict[str, Any]:
        c = self.compared
        return {
            "measure": self.measure.key,
            "label": self.measure.label,
            "unit": self.measure.unit.value,
            "a": found_data(self.measure, self.before),
            "b": found_data(self.measure, self.after),
            "difference": {
                "value": rounded(c.value),
                "n": c.n,
                "differing": c.differing,
                "interval": interval_data(self.shown),
                "chance": rounded(c.chance),
                "in_logs": self.measure.in_logs,
            },
            "notice": rounded(self.notice),
            "claimed": self.claimed,
            "verdict": self.verdict.value,
            "more_pairs": self.more_pairs,
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """All that was found in pairs of games with the same luck."""

    n: int  # pairs
    changes: tuple[Changed, ...]
    differing: int  # pairs in which anything differs
    in_play: Interval  # of their share
    faults: tuple[Counter[str], Counter[str]]  # by code, of each side
    left_out: int  # pairs

    def of(self, key: str) -> Changed | None:
        return next((change for change in self.changes if change.measure.key == key), None)


def compare_rows(
    before: Rows, after: Rows, kinds: tuple[Kind, Kind], looking: Looking, notices: Mapping[str, float]
) -> Comparison:
    """Return what differs between two sides of the same seeds. False claims among all of them are held to 5 %."""
    return compare_all([(before, after, kinds)], looking, notices)[0]


def compare_all(
    pairs: Sequence[tuple[Rows, Rows, tuple[Kind, Kind]]], looking: Looking, notices: Mapping[str, float]
) -> list[Comparison]:
    """Return the same for several pairs of sides: false claims among all that is said of all of them are held to 5 %."""
    tests = [_Tested(before, after, kinds, looking, notices) for before, after, kinds in pairs]
    asked = [(test, i) for test in tests for i, (*_, c) in enumerate(test.found) if c.chance is not None]
    chances = [chance for test, i in asked if (chance := test.found[i][-1].chance) is not None]
    claims = [asked[i] for i in discoveries(chances)]
    level = 1 - (1 - LEVEL) * len(claims) / len(asked) if claims else LEVEL
    return [test.judged({i for other, i in claims if other is test}, level) for test in tests]


class _Tested:
    """All differences of one pair of sides, before it is known which may be claimed."""

    def __init__(
        self, before: Rows, after: Rows, kinds: tuple[Kind, Kind], looking: Looking, notices: Mapping[str, float]
    ) -> None:
        a, b = GameColumns.of(before), GameColumns.of(after)
        if len(a) != len(b):
            raise ValueError("two sides are compared that have not as many games")
        self.faults, self.many = (_faults(a), _faults(b)), len(a)
        if a.faults or b.faults:
            places = [i for i in range(len(a)) if i not in a.faults and i not in b.faults]
            a, b = a.picked(places), b.picked(places)
        self.n, self.differing = len(a), marks_apart(a.marks, b.marks)
        self.found = []
        for measure in measures_of(shared(*kinds), moves_used(a, b), notices):
            one, two = measure.sample(a), measure.sample(b)
            look = replace(looking, planned=measure.values(looking.planned))
            compared = compare(one, two, measure.share, look)
            was, now = (estimate(sample, measure.share, look) for sample in (one, two))
            self.found.append((measure, one.ratio, was, now, compared))  # samples of many games are large

    def judged(self, claims: set[int], level: float) -> Comparison:
        """Return the verdicts, if these of the differences may be claimed."""
        values = {measure.key: ratio for measure, ratio, *_ in self.found}
        changes = []
        for i, (measure, _, was, now, compared) in enumerate(self.found):
            notice = measure.notice * (abs(values.get(measure.notice_of) or 0.0) if measure.notice_of else 1.0)
            shown = compared.at(level) if i in claims else compared.interval
            verdict = judge(compared, shown, i in claims, notice)
            if verdict is Verdict.SAME:
                shown = compared.interval
            changes.append(Changed(measure, was, now, compared, notice, shown, i in claims, verdict))
        n, differing = self.n, self.differing
        return Comparison(n, tuple(changes), differing, wilson(differing, n), self.faults, self.many - n)


@dataclass(frozen=True, slots=True)
class Measurement:
    """All that was found in the games of one side."""

    n: int
    values: tuple[Measured, ...]
    faults: Counter[str]

    def of(self, key: str) -> Measured | None:
        return next((value for value in self.values if value.measure.key == key), None)


def measure_rows(rows: Rows, kind: Kind, looking: Looking) -> Measurement:
    """Return every measure of some games."""
    games = GameColumns.of(rows)
    whole = games.whole()
    measures = measures_of(kind, moves_used(whole), {})
    looks = {m.key: replace(looking, planned=m.values(looking.planned)) for m in measures}
    values = (Measured(m, estimate(m.sample(whole), m.share, looks[m.key])) for m in measures)
    return Measurement(len(whole), tuple(values), _faults(games))


def shared(one: Kind, two: Kind) -> Kind:
    """Return what both games have; rules of either are counted."""
    return replace(
        one,
        scores=one.scores and two.scores,
        standing=one.standing and two.standing,
        chance=one.chance or two.chance,
        rules=tuple(dict.fromkeys((*one.rules, *two.rules))),
    )


def _faults(games: GameColumns) -> Counter[str]:
    return Counter(games.faults.values())


# As data ----------------------------------------------------------------------------------------------------


def rounded(value: float | None) -> float | None:
    """Return a number as it is printed for programs: what differs beyond is noise of arithmetic."""
    return None if value is None else float(f"{value:.9g}")


def interval_data(interval: Interval | None) -> dict[str, Any] | None:
    if interval is None:
        return None
    return {
        "low": rounded(interval.low),
        "high": rounded(interval.high),
        "method": interval.method,
        "level": rounded(interval.level),
    }


def found_data(measure: Measure, found: Found) -> dict[str, Any]:
    """Return a value as data; one that is a logarithm as the number that it is the logarithm of."""
    interval = found.interval
    if measure.in_logs:
        value = None if found.value is None else exp(found.value)
        if interval is not None:
            interval = Interval(exp(interval.low), exp(interval.high), interval.method, interval.level)
    else:
        value = found.value
    # a number without an interval is not shown
    return {
        "value": rounded(value) if interval is not None else None,
        "n": found.n,
        "unit": measure.unit.value,
        "interval": interval_data(interval),
    }


__all__ = ["Changed", "Comparison", "Measurement", "Unit", "Measured", "compare_rows", "measure_rows"]
