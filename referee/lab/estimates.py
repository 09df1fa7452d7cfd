"""Statistics of the lab: intervals, tests and verdicts. Plain numbers in, plain numbers out; nothing here knows a game.

| what | method |
|---|---|
| a share | Wilson's interval, with Poisson's limit beside 0 and 1 |
| a mean, a paired difference | Student's t from 100 values on, the bootstrap-t from 30 on |
| a difference of shares with few differing pairs | Bonett and Price's interval |
| the same, looked at while it runs | the asymptotic confidence sequence of Waudby-Smith and others (2024); for shares with few differing pairs the empirical Bernstein one (2023) |
| many at once | Benjamini and Hochberg |
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from math import ceil, exp, factorial, inf, isfinite, lgamma, log, sqrt
from operator import mul
from statistics import NormalDist

from referee.lab.arithmetic import Given, Numbers, apart, are_native, common, products, total, unlike

LEVEL = 0.95
FEWEST = 30  # values for an interval of a mean; also pairs that must differ for one of a difference
ENOUGH = 100  # values from which Student's t covers what it promises, skewed as scores are
LOOKS_FROM = 200  # values for an interval that may be looked at again and again
RESAMPLES = 999
EXACT = 1e-6  # a difference of sums is not as exact as they are: a smaller part of them is worked out in another way

T, BOOTSTRAP_T, WILSON, BONETT_PRICE = "t", "bootstrap-t", "Wilson", "Bonett-Price"
SEQUENCE, BERNSTEIN = "confidence sequence", "empirical Bernstein sequence"


@dataclass(frozen=True, slots=True)
class Interval:
    """Where the true value lies, at a level of confidence, and how that was found."""

    low: float
    high: float
    method: str
    level: float

    @property
    def half(self) -> float:
        return (self.high - self.low) / 2


# Distributions ---------------------------------------------------------------------------------------------


def normal_quantile(p: float) -> float:
    """Return the value below which a standard normal variable is with probability p."""
    return NormalDist().inv_cdf(p)


def t_tail(t: float, freedom: float) -> float:
    """Return the probability that Student's t is further from 0 than t, on either side."""
    return _beta_part(freedom / (freedom + t * t), freedom / 2, 0.5)


@lru_cache(maxsize=4096)
def t_quantile(p: float, freedom: float) -> float:
    """Return the value below which Student's t is with probability p ≥ ½."""
    tail, low, high = 2 * (1 - p), 0.0, 2.0
    while t_tail(high, freedom) > tail:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if t_tail(middle, freedom) > tail else (low, middle)
    return (low + high) / 2


def _beta_part(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function, by its continued fraction."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta_part(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x)) / a
    tiny = 1e-300
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > tiny else tiny)
    total = d
    for m in range(1, 10_000):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 + term * d
            c = 1 + term / c
            d = 1 / (d if abs(d) > tiny else tiny)
            c = c if abs(c) > tiny else tiny
            total *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * total


# Intervals that are looked at once --------------------------------------------------------------------------


def wilson(hits: float, n: int, level: float = LEVEL) -> Interval:
    """Return the interval of a share with this many hits in n; a half is half a hit.

    It is Wilson's, with Poisson's limit for the end that is nearly reached: with very few hits, or misses, Wilson's own is too
    near to them (Brown, Cai and DasGupta, 2001).

    >>> share = wilson(3, 240)
    >>> round(share.low, 4), round(share.high, 4)
    (0.0034, 0.0361)
    """
    if n == 0:
        return Interval(0.0, 1.0, WILSON, level)
    z = normal_quantile((1 + level) / 2)
    middle, spread = hits + z * z / 2, z * sqrt(max(0.0, hits * (n - hits) / n) + z * z / 4)
    low, high = (middle - spread) / (n + z * z), (middle + spread) / (n + z * z)
    few = 2 if n <= 50 else 3
    if 0 < hits <= few:
        low = min(low, _poisson_limit(hits, level) / n)
    if 0 < n - hits <= few:
        high = max(high, 1 - _poisson_limit(n - hits, level) / n)
    return Interval(max(0.0, low), min(1.0, high), WILSON, level)


def _poisson_limit(hits: float, level: float) -> float:
    """Return the mean with which that many or more are seen with a probability of 1 - level; for a part of one, a part of it."""
    whole = ceil(hits)
    low, high = 0.0, float(whole)
    for _ in range(60):
        middle = (low + high) / 2
        fewer = sum(exp(-middle) * middle**k / factorial(k) for k in range(whole))
        low, high = (middle, high) if fewer > level else (low, middle)
    return low * hits / whole


def t_interval(mean: float, deviation: float, n: int, level: float = LEVEL) -> Interval:
    """Return the interval of a mean of n values."""
    half = t_quantile((1 + level) / 2, n - 1) * deviation / sqrt(n)
    return Interval(mean - half, mean + half, T, level)


def t_chance(mean: float, deviation: float, n: int) -> float:
    """Return how likely a mean as far from 0 is if the true one is 0."""
    if deviation == 0:
        return 1.0 if mean == 0 else 0.0
    return t_tail(mean * sqrt(n) / deviation, n - 1)


class Resampled:
    """The bootstrap-t of a mean: how far means of values drawn from these values are from theirs, in their own deviations.

    The draws are the same in every run.
    """

    def __init__(self, mean: float, around: Sequence[float]) -> None:
        """`around` are the values less their mean."""
        self.mean, self.n = mean, len(around)
        self.error = deviation_of(around) / sqrt(self.n)
        rng, found = random.Random(self.n), []
        for _ in range(RESAMPLES):
            drawn = rng.choices(around, k=self.n)
            middle = sum(drawn) / self.n
            error = deviation_of(drawn) / sqrt(self.n) if min(drawn) < max(drawn) else 0.0  # not what rounding leaves
            found.append(middle / error if error else (0.0 if middle == 0 else inf if middle > 0 else -inf))
        self._ratios = sorted(found)

    def interval(self, level: float = LEVEL) -> Interval:
        tail = (1 - level) / 2
        last = len(self._ratios) - 1
        low, high = self._ratios[round((1 - tail) * last)], self._ratios[round(tail * last)]
        return Interval(self.mean - low * self.error, self.mean - high * self.error, BOOTSTRAP_T, level)

    def chance(self) -> float:
        """Return how likely a mean as far from 0 is if the true one is 0."""
        if self.error == 0:
            return 1.0 if self.mean == 0 else 0.0
        seen = self.mean / self.error
        above = sum(r >= seen for r in self._ratios)
        return min(1.0, 2 * (1 + min(above, RESAMPLES - above)) / (RESAMPLES + 1))


def bonett_price(up: float, down: float, n: int, level: float = LEVEL) -> Interval:
    """Return the interval of a difference of two shares in n pairs, of which `up` differ upward and `down` downward."""
    z = normal_quantile((1 + level) / 2)
    more, less = (up + 1) / (n + 2), (down + 1) / (n + 2)
    middle = more - less
    half = z * sqrt(max(0.0, more + less - middle * middle) / (n + 2))
    return Interval(max(-1.0, middle - half), min(1.0, middle + half), BONETT_PRICE, level)


def sign_chance(up: int, down: int) -> float:
    """Return how likely it is that pairs that differ do so as unevenly, if up and down are as likely."""
    n, k = up + down, min(up, down)
    if n == 0:
        return 1.0
    total = sum(exp(lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1) - n * log(2)) for i in range(k + 1))
    return min(1.0, 2 * total)


# Intervals that are looked at while games are played --------------------------------------------------------


def _tuning(planned: int) -> float:
    """Return ρ², for which the sequence is narrowest after half of the games that are planned."""
    alpha = 1 - LEVEL
    return (-2 * log(alpha) + log(1 - 2 * log(alpha))) / max(1.0, planned / 2)


def sequence_interval(mean: float, deviation: float, n: int, planned: int, level: float = LEVEL) -> Interval:
    """Return an interval of a mean that stays honest however often it is looked at; `planned` is the number of values."""
    r = n * _tuning(planned)
    half = deviation * sqrt(2 * (r + 1) / (n * r) * log(sqrt(r + 1) / (1 - level)))
    return Interval(mean - half, mean + half, SEQUENCE, level)


def sequence_chance(mean: float, deviation: float, n: int, planned: int) -> float:
    """Return the largest level of doubt at which the sequence still holds 0."""
    if deviation == 0:
        return 1.0 if mean == 0 else 0.0
    r, t = n * _tuning(planned), mean * sqrt(n) / deviation
    return min(1.0, sqrt(r + 1) * exp(-t * t * r / (2 * (r + 1))))


def bernstein_interval(values: Sequence[float], level: float = LEVEL) -> Interval:
    """Return an interval of the mean of values from -1 to 1 that stays honest however often it is looked at."""
    alpha = 1 - level
    weights = weighted = spent = 0.0
    seen, squares, middle, spread = 0.5, 0.25, 0.5, 0.25
    for t, value in enumerate(values, 1):
        x = (value + 1) / 2
        bet = min(0.5, sqrt(2 * log(2 / alpha) / (spread * t * log(t + 1))))
        weights += bet
        weighted += bet * x
        spent += (x - middle) ** 2 * (-log(1 - bet) - bet)
        seen += x
        middle = seen / (t + 1)
        squares += (x - middle) ** 2
        spread = squares / (t + 1)
    if not weights:
        return Interval(-1.0, 1.0, BERNSTEIN, level)
    half = (log(2 / alpha) + spent) / weights
    middle = weighted / weights
    return Interval(max(-1.0, 2 * (middle - half) - 1), min(1.0, 2 * (middle + half) - 1), BERNSTEIN, level)


# Samples ----------------------------------------------------------------------------------------------------


def deviation_of(values: Sequence[float]) -> float:
    """Return the standard deviation of a sample."""
    n = len(values)
    if n < 2:
        return 0.0
    mean = sum(values) / n
    gaps = [v - mean for v in values]  # a list: resampling comes here thousands of times
    return sqrt(sum(map(mul, gaps, gaps)) / (n - 1))


@dataclass(frozen=True)
class Sample:
    """A measure of many games: what was counted, of what. The value is a ratio of sums, so that no game is left out.

    For a plain mean there is no `of`: it is 1 everywhere. `in_logs`: the value is the logarithm of the ratio.
    """

    counted: Numbers
    of: Numbers | None = None
    in_logs: bool = False

    @property
    def n(self) -> int:
        return len(self.counted)

    @cached_property
    def ratio(self) -> float | None:
        """The ratio of the sums; None where there is nothing to divide by."""
        return self.total / self.below if self.below > 0 else None

    @cached_property
    def total(self) -> float:
        """The sum of what was counted."""
        return total(self.counted)

    @cached_property
    def below(self) -> float:
        """The sum of what it is counted of."""
        return self.n if self.of is None else total(self.of)

    @property
    def parts(self) -> Numbers:
        """What each game is counted of."""
        return (1.0,) * self.n if self.of is None else self.of

    @property
    def given(self) -> Given:
        return self.counted, self.of

    @property
    def is_native(self) -> bool:
        return are_native(*self.given)

    @property
    def scale(self) -> float:
        """By what a deviation from the ratio is divided to be one of the value."""
        return self.below / self.n * ((self.ratio or 0.0) if self.in_logs else 1.0)

    @property
    def value(self) -> float | None:
        ratio = self.ratio
        if not self.in_logs or ratio is None:
            return ratio
        return log(ratio) if ratio > 0 else None

    @cached_property
    def around(self) -> list[float]:
        """Return what each game adds to the error of the value: the delta method."""
        ratio = self.ratio
        assert ratio is not None
        if self.of is None:
            return [c - ratio for c in self.counted]
        scale = self.scale
        return [(c - ratio * o) / scale for c, o in zip(self.counted, self.of, strict=True)]

    @cached_property
    def spread(self) -> float:
        """The sum of the squares of `around`."""
        return self.common(self)

    def common(self, other: Sample) -> float:
        """Return the sum of the products of `around` and that of another sample of the same games."""
        if self.is_native and other.is_native and self.ratio is not None and other.ratio is not None:
            return common(self.given, self.ratio, other.given, other.ratio) / (self.scale * other.scale)
        if self.of is None and other.of is None:
            both = products(self.counted, other.counted)
            found: float = both - self.total * other.total / self.n
            if abs(found) > EXACT * abs(both):
                return found
        return float(sum(map(mul, self.around, other.around)))

    @property
    def deviation(self) -> float:
        """The standard deviation of `around`."""
        return sqrt(max(0.0, self.spread) / (self.n - 1)) if self.n > 1 else 0.0


@dataclass(frozen=True, slots=True)
class Looking:
    """How results are looked at: once, or repeatedly while `planned` games are played."""

    planned: int
    often: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """A value with its interval; `interval` is None where there are too few values for one, and then nothing is shown."""

    value: float | None
    n: int
    interval: Interval | None


def estimate(sample: Sample, share: bool, looking: Looking, level: float = LEVEL) -> Found:
    """Return a value with its interval. `share`: it is a share of games."""
    value, n = sample.value, sample.n
    if value is None:
        return Found(None, n, None)
    if share and not looking.often:
        of = round(sample.below)
        return Found(value, of, wilson(sample.total, of, level))
    deviation = sample.deviation
    if share and min(sample.total, sample.below - sample.total) < FEWEST:
        moved = bernstein_interval([2 * c - o for c, o in zip(sample.counted, sample.parts, strict=True)], level)
        return Found(value, n, Interval((moved.low + 1) / 2, (moved.high + 1) / 2, BERNSTEIN, level))
    if looking.often:
        interval = sequence_interval(value, deviation, n, looking.planned, level) if n >= LOOKS_FROM else None
    elif n >= ENOUGH:
        interval = t_interval(value, deviation, n, level)
    else:
        interval = Resampled(value, sample.around).interval(level) if n >= FEWEST else None
    if interval is not None and not (isfinite(interval.low) and isfinite(interval.high)):
        interval = None  # nearly all values are the same: a mean has no end that these could tell
    return Found(value, n, interval)


@dataclass(frozen=True, slots=True)
class Compared:
    """The difference of a measure between two sides of the same games.

    `interval` is None where too few pairs differ for one, or there are too few pairs; `chance` is how likely such a
    difference is if there is none.
    """

    value: float | None
    n: int
    differing: int
    interval: Interval | None
    chance: float | None
    again: Again | None = None

    def at(self, level: float) -> Interval | None:
        """Return the interval at another level."""
        return self.again(level) if self.again is not None else None


class Again:
    """Works out the interval of one difference at any level."""

    def __init__(self, before: Sample, after: Sample, mean: float, looking: Looking, rare: bool) -> None:
        """`rare`: few games differ, and their differences are looked at as they are."""
        self.mean, self.looking, self.rare, self.n = mean, looking, rare, before.n
        self.differences: list[float] = []  # where they are looked at one by one
        if rare:
            self.differences = [two - one for one, two in zip(before.counted, after.counted, strict=True)]
        self.deviation = 0.0 if rare else _deviation_between(before, after)
        self.resampled = None
        if not rare and not looking.often and self.n < ENOUGH:
            self.resampled = Resampled(mean, _differences(before, after))

    def __call__(self, level: float) -> Interval:
        if self.rare and self.looking.often:
            return bernstein_interval(self.differences, level)
        if self.rare:
            up, down = sum(d for d in self.differences if d > 0), -sum(d for d in self.differences if d < 0)
            return bonett_price(up, down, self.n, level)
        if self.resampled is not None:
            return self.resampled.interval(level)
        if self.looking.often:
            return sequence_interval(self.mean, self.deviation, self.n, self.looking.planned, level)
        return t_interval(self.mean, self.deviation, self.n, level)

    def chance(self) -> float:
        if self.rare and self.looking.often:
            return 1.0  # too few to claim anything, but perhaps enough to say that nothing changed
        if self.rare:
            return sign_chance(sum(d > 0 for d in self.differences), sum(d < 0 for d in self.differences))
        if self.resampled is not None:
            return self.resampled.chance()
        if self.looking.often:
            return sequence_chance(self.mean, self.deviation, self.n, self.looking.planned)
        return t_chance(self.mean, self.deviation, self.n)


def _differences(before: Sample, after: Sample) -> list[float]:
    """Return what each pair of games adds to the error of the difference."""
    return [b - a for a, b in zip(before.around, after.around, strict=True)]


def _deviation_between(before: Sample, after: Sample) -> float:
    """Return the standard deviation of the differences."""
    if before.is_native and after.is_native and before.ratio is not None and after.ratio is not None:
        squares = apart(before.given, before.ratio, before.scale, after.given, after.ratio, after.scale)
        return sqrt(squares / (before.n - 1))
    both = before.spread + after.spread
    squares = both - 2 * before.common(after)
    if squares <= EXACT * both:
        return deviation_of(_differences(before, after))
    return sqrt(squares / (before.n - 1))


def compare(before: Sample, after: Sample, share: bool, looking: Looking) -> Compared:
    """Return how the second side differs from the first in games of the same luck. `share`: a value is 0, 1 or between."""
    n = before.n
    known = before.of is None and after.of is None
    differing = unlike(
        (before.counted, None if known else before.parts), (after.counted, None if known else after.parts)
    )
    if before.value is None or after.value is None:
        return Compared(None, n, differing, None, None)
    value = after.value - before.value
    plain = share and (known or {*before.parts, *after.parts} == {1})
    rare = differing < FEWEST
    if n < (LOOKS_FROM if looking.often else FEWEST) or (rare and not plain):
        return Compared(value, n, differing, None, None)
    again = Again(before, after, value, looking, rare)
    return Compared(value, n, differing, again(LEVEL), again.chance(), again)


# Verdicts ---------------------------------------------------------------------------------------------------


class Verdict(StrEnum):
    MORE = "more"
    LESS = "less"
    LITTLE_MORE = "a little more"
    LITTLE_LESS = "a little less"
    SAME = "no real difference"
    UNCLEAR = "not clear yet"
    RARE = "seldom different"

    @property
    def is_open(self) -> bool:
        """Whether more games may settle it."""
        return self in (Verdict.UNCLEAR, Verdict.RARE)

    @property
    def is_change(self) -> bool:
        return self in (Verdict.MORE, Verdict.LESS, Verdict.LITTLE_MORE, Verdict.LITTLE_LESS)


def discoveries(chances: Sequence[float], rate: float = 1 - LEVEL) -> set[int]:
    """Return which of many tests may be claimed so that few of the claims are false: Benjamini and Hochberg.

    >>> sorted(discoveries([0.001, 0.2, 0.03, 0.012]))
    [0, 2, 3]
    """
    order = sorted(range(len(chances)), key=lambda i: chances[i])
    last = max((k for k, i in enumerate(order, 1) if chances[i] <= rate * k / len(order)), default=0)
    return set(order[:last])


def judge(compared: Compared, shown: Interval | None, claimed: bool, notice: float) -> Verdict:
    """Return the verdict on a difference: `shown` is its interval, `notice` the smallest change worth a word."""
    interval = compared.interval
    if interval is None or shown is None:
        return Verdict.RARE if compared.differing < FEWEST <= compared.n else Verdict.UNCLEAR
    if -notice < interval.low and interval.high < notice:
        return Verdict.SAME
    if not claimed:
        return Verdict.UNCLEAR
    up = (compared.value or 0.0) > 0
    if shown.low >= notice or shown.high <= -notice:
        return Verdict.MORE if up else Verdict.LESS
    return Verdict.LITTLE_MORE if up else Verdict.LITTLE_LESS


def pairs_needed(compared: Compared, notice: float) -> int | None:
    """Return how many pairs would settle an open verdict, in all; None: that cannot be estimated.

    A difference as large as the notice itself is never settled.
    """
    if compared.interval is None or compared.value is None:
        return None
    gap = abs(notice - abs(compared.value))
    if gap <= 0.05 * notice:
        return None
    return max(compared.n + 1, round(compared.n * (compared.interval.half / gap) ** 2))
