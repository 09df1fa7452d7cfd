"""The statistics of the lab: known values, and in the soak run whether intervals cover and claims are held to what is promised."""

from __future__ import annotations

import random
from collections.abc import Callable
from math import isclose, log
from statistics import fmean

import pytest

from referee.lab.estimates import (
    BERNSTEIN,
    BONETT_PRICE,
    BOOTSTRAP_T,
    FEWEST,
    LEVEL,
    SEQUENCE,
    WILSON,
    Compared,
    Interval,
    Looking,
    Resampled,
    Sample,
    T,
    Verdict,
    bernstein_interval,
    bonett_price,
    compare,
    deviation_of,
    discoveries,
    estimate,
    judge,
    pairs_needed,
    sequence_chance,
    sequence_interval,
    sign_chance,
    t_chance,
    t_interval,
    t_quantile,
    t_tail,
    wilson,
)

ONCE, OFTEN = Looking(400), Looking(400, often=True)


# Known values ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("p", "freedom", "value"),  # printed tables of Student's t
    [(0.975, 1, 12.7062), (0.975, 10, 2.22814), (0.95, 30, 1.69726), (0.995, 120, 2.61742), (0.9995, 5, 6.86883)],
)
def test_t__quantiles_are_those_of_the_tables(p: float, freedom: int, value: float) -> None:
    assert isclose(t_quantile(p, freedom), value, rel_tol=1e-5)
    assert isclose(t_tail(value, freedom), 2 * (1 - p), rel_tol=1e-4)


def test_wilson__known_values() -> None:
    half = wilson(10, 20)
    assert (round(half.low, 4), round(half.high, 4)) == (0.2993, 0.7007)
    assert wilson(0, 50).low == 0 and isclose(wilson(0, 50).high, 0.07135, rel_tol=1e-3)
    assert wilson(50, 50).high == 1.0
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0, 1)
    assert wilson(0.5, 10).low > 0  # a shared victory is half a hit
    assert isclose(wilson(1, 100).low, 0.000513, rel_tol=1e-2) and isclose(wilson(99, 100).high, 0.999487, rel_tol=1e-4)


def test_t_interval__of_a_sample() -> None:
    values = [4.0, 6.0, 8.0, 10.0, 12.0]
    found = t_interval(fmean(values), deviation_of(values), len(values))
    assert isclose(found.low, 4.0735, rel_tol=1e-4) and isclose(found.high, 11.9265, rel_tol=1e-4)
    assert isclose(t_chance(8.0, deviation_of(values), 5), 0.004813, rel_tol=1e-3)


def test_bonett_price__known_value() -> None:
    found = bonett_price(16, 2, 100)  # (17 - 3) / 102 and its error
    assert isclose(found.low, 0.05555, abs_tol=1e-4) and isclose(found.high, 0.21896, abs_tol=1e-4)


def test_sign_chance__is_the_exact_binomial() -> None:
    assert isclose(sign_chance(1, 9), 22 / 1024)
    assert sign_chance(5, 5) == 1 and sign_chance(0, 0) == 1


def test_sequence__is_wider_than_t_and_its_chance_agrees_with_it() -> None:
    once, often = t_interval(0, 1, 400), sequence_interval(0, 1, 400, 400)
    assert 1.5 < often.half / once.half < 1.7
    for mean in (0.05, 0.1, 0.2):  # at the level at which 0 is just outside
        doubt = sequence_chance(mean, 1, 400, 400)
        if doubt < 1:
            assert isclose(sequence_interval(mean, 1, 400, 400, 1 - doubt).low, 0, abs_tol=1e-9)


def test_discoveries__of_benjamini_and_hochberg() -> None:
    printed = [
        0.0001,
        0.0004,
        0.0019,
        0.0095,
        0.0201,
        0.0278,
        0.0298,
        0.0344,
        0.0459,
        0.3240,
        0.4262,
        0.5719,
        0.6528,
        0.7590,
        1.0,
    ]
    assert discoveries(printed) == {0, 1, 2, 3}  # the example of their paper
    assert discoveries([]) == set() and discoveries([0.06]) == set()


# Samples -----------------------------------------------------------------------------------------------------


def plain(values: list[float]) -> Sample:
    return Sample(tuple(values), (1.0,) * len(values))


def method(sample: Sample, share: bool, looking: Looking) -> str | None:
    interval = estimate(sample, share, looking).interval
    return None if interval is None else interval.method


def test_estimate__chooses_its_method_by_what_there_is() -> None:
    rng = random.Random(1)
    values = [rng.gauss(5, 2) for _ in range(400)]
    assert [method(plain(values[:n]), False, ONCE) for n in (10, 60, 400)] == [None, BOOTSTRAP_T, T]
    assert [method(plain(values[:n]), False, OFTEN) for n in (150, 400)] == [None, SEQUENCE]
    assert method(plain([1.0, 0.0] * 200), True, ONCE) == WILSON
    assert method(plain([1.0] + [0.0] * 399), True, OFTEN) == BERNSTEIN
    assert estimate(Sample((0.0,), (0.0,)), True, ONCE).value is None


def test_estimate__nearly_equal_values_have_no_interval() -> None:
    """The bootstrap draws samples without any of the two: how far the mean may lie is not known."""
    found = estimate(plain([9.0, 4.0] + [0.0] * 38), False, ONCE)
    assert (found.value, found.interval) == (13 / 40, None)


def test_sample__a_ratio_uses_all_games() -> None:
    sample = Sample((1.0, 0.0, 0.0, 1.0), (1.0, 0.0, 1.0, 1.0))
    assert sample.ratio == 2 / 3
    assert isclose(sum(sample.around), 0, abs_tol=1e-12)
    logs = Sample((2.0, 4.0), (1.0, 2.0), in_logs=True)
    assert logs.value == log(2) and logs.around == [0, 0]


def test_compare__pairs_that_are_equal_say_nothing_of_a_mean() -> None:
    before = [float(i % 7) for i in range(400)]
    after = [value + (5 if i < 3 else 0) for i, value in enumerate(before)]
    found = compare(plain(before), plain(after), False, ONCE)
    assert (found.differing, found.interval, found.chance) == (3, None, None)
    assert judge(found, None, False, 1.0) is Verdict.RARE
    shares = compare(plain([0.0] * 400), plain([1.0] * 3 + [0.0] * 397), True, ONCE)
    assert shares.interval is not None and shares.interval.method == BONETT_PRICE
    looked = compare(plain([0.0] * 400), plain([1.0] * 3 + [0.0] * 397), True, OFTEN)
    assert looked.interval is not None and looked.interval.method == BERNSTEIN and looked.chance == 1


def test_compare__pairing_takes_shared_luck_away() -> None:
    rng = random.Random(2)
    luck = [rng.gauss(0, 10) for _ in range(200)]
    found = compare(plain(luck), plain([x + 1 + rng.gauss(0, 0.5) for x in luck]), False, ONCE)
    assert found.interval is not None and 0.9 < found.interval.low < found.interval.high < 1.1


# Verdicts ----------------------------------------------------------------------------------------------------


def compared(low: float, high: float, n: int = 400) -> Compared:
    return Compared((low + high) / 2, n, n, Interval(low, high, T, LEVEL), 0.01)


@pytest.mark.parametrize(
    ("low", "high", "claimed", "verdict"),
    [
        (1.1, 3, True, Verdict.MORE),
        (-3, -1.1, True, Verdict.LESS),
        (0.5, 3, True, Verdict.LITTLE_MORE),
        (-1.5, -0.2, True, Verdict.LITTLE_LESS),
        (0.1, 0.9, True, Verdict.SAME),  # sure to be there, and too small to notice
        (-0.9, 0.9, False, Verdict.SAME),
        (-0.5, 1.5, False, Verdict.UNCLEAR),
        (0.5, 3, False, Verdict.UNCLEAR),  # one of many, and not surer than chance among so many
    ],
)
def test_judge__by_interval_and_notice(low: float, high: float, claimed: bool, verdict: Verdict) -> None:
    found = compared(low, high)
    assert judge(found, found.interval, claimed, notice=1.0) is verdict


def test_pairs_needed__by_the_distance_to_the_notice() -> None:
    assert pairs_needed(compared(-1, 1, n=100), 2.0) == 101
    assert pairs_needed(compared(-2, 2, n=100), 1.0) == 400
    assert pairs_needed(compared(0, 2, n=100), 1.0) is None  # as large as the notice: never


# By simulation -----------------------------------------------------------------------------------------------

Draw = Callable[[random.Random], float]


def skewed(rng: random.Random) -> float:
    """Return a value as scores are: many small, few large (skewness 2)."""
    return rng.expovariate(1 / 10)


def coverage(runs: int, true: float, interval: Callable[[random.Random], Interval]) -> float:
    rng = random.Random(7)
    found = [interval(rng) for _ in range(runs)]
    return sum(i.low <= true <= i.high for i in found) / runs


@pytest.mark.soak
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("n", [30, 60, 100, 400])
def test_coverage__of_means_of_skewed_values(n: int) -> None:
    def once(rng: random.Random) -> Interval:
        found = estimate(plain([skewed(rng) for _ in range(n)]), False, ONCE).interval
        assert found is not None
        return found

    runs = 2000 if n >= 100 else 400  # the bootstrap takes its time
    assert 0.92 <= coverage(runs, 10.0, once) <= 0.98


@pytest.mark.soak
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("n", [30, 100, 400])
@pytest.mark.parametrize("share", [0.005, 0.02, 0.05, 0.3, 0.5])
def test_coverage__of_shares(n: int, share: float) -> None:
    covered = coverage(2000, share, lambda rng: wilson(sum(rng.random() < share for _ in range(n)), n))
    assert 0.915 <= covered <= (0.985 if n * share > 5 else 1)  # the true one at 30 and 0.3 is 0.930


@pytest.mark.soak
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("n", [100, 400])
def test_coverage__of_differences_of_shares_with_few_differing_pairs(n: int) -> None:
    def once(rng: random.Random) -> Interval:
        drawn = [rng.random() for _ in range(n)]
        return bonett_price(sum(x < 0.03 for x in drawn), sum(0.03 <= x < 0.04 for x in drawn), n)

    assert 0.93 <= coverage(2000, 0.02, once) <= 0.99


def ever_wrong(
    runs: int, n: int, true: float, draw: Draw, first: int, interval: Callable[[list[float]], Interval]
) -> float:
    """Return in how many runs the interval was ever wrong, looked at after every few values."""
    rng, wrong = random.Random(11), 0
    for _ in range(runs):
        values: list[float] = []
        for k in range(1, n + 1):
            values.append(draw(rng))
            if k >= first and k % 5 == 0:
                found = interval(values)
                if not found.low <= true <= found.high:
                    wrong += 1
                    break
    return wrong / runs


@pytest.mark.soak
@pytest.mark.timeout(1200)
def test_sequence__is_seldom_ever_wrong() -> None:
    def interval(values: list[float]) -> Interval:
        return sequence_interval(fmean(values), deviation_of(values), len(values), 600)

    def plain_t(values: list[float]) -> Interval:
        return t_interval(fmean(values), deviation_of(values), len(values))

    assert ever_wrong(200, 600, 10.0, skewed, 200, interval) <= 0.06
    assert ever_wrong(200, 600, 10.0, skewed, 200, plain_t) > 0.10  # this is why


@pytest.mark.soak
@pytest.mark.timeout(1200)
def test_bernstein__is_seldom_ever_wrong() -> None:
    def draw(rng: random.Random) -> float:
        x = rng.random()
        return 1.0 if x < 0.02 else -1.0 if x < 0.03 else 0.0

    assert ever_wrong(60, 400, 0.01, draw, 1, bernstein_interval) <= 0.06


@pytest.mark.soak
@pytest.mark.timeout(1200)
def test_discoveries__without_any_change_there_are_few() -> None:
    rng, claimed = random.Random(3), 0
    for _ in range(400):
        samples = [[rng.gauss(0, 1) for _ in range(100)] for _ in range(22)]
        claimed += bool(discoveries([t_chance(fmean(s), deviation_of(s), 100) for s in samples]))
    assert claimed / 400 <= 0.075


def test_resampled__is_the_same_in_every_run() -> None:
    rng = random.Random(5)
    values = [skewed(rng) for _ in range(FEWEST)]
    mean = fmean(values)
    around = [v - mean for v in values]
    one, two = Resampled(mean, around).interval(), Resampled(mean, around).interval()
    assert one == two
    assert mean - one.low < one.high - mean  # as skewed as the values are
