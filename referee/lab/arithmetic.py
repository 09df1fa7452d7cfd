"""Arithmetic on the columns of many games: natively where there is a compiler and there are enough games, else in Python.

What it gives is the same, but for the rounding of sums.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Sequence
from functools import cache
from operator import mul, ne, or_

from interpreter import shared_library

MANY = 500  # games from which on a call is worth its time

Numbers = Sequence[float]  # an `array("d")`, if they were worked out natively
Given = tuple[Numbers, Numbers | None]  # what was counted in each game, of what; None: of 1

DERIVED = ("score", "lead", "lead_part", "first", "ties", "changes")  # measures that are a number of each game,
PARTLY = ("leader_wins", "settled", "catch_up")  # and those that only some games have

TEXT = r"""
#include <stdint.h>

/* one number of every game, or a part of it */
void take(const int64_t *rows, int64_t width, int64_t n, double part, double *out) {
    for (int64_t i = 0; i < n; i++) out[i] = (double)rows[i * width] / part;
}
/* one number of the games in which it is not `left_out`, as a part of their first; returns how many these are */
int64_t parts(const int64_t *rows, int64_t width, int64_t n, int64_t number, int64_t left_out, double *out) {
    int64_t found = 0;
    for (int64_t i = 0; i < n; i++, rows += width)
        if (rows[number] != left_out) out[found++] = (double)rows[number] / (double)(*rows ? *rows : 1);
    return found;
}
double total(const double *a, int64_t n) {
    double sum = 0;
    for (int64_t i = 0; i < n; i++) sum += a[i];
    return sum;
}

/* what was counted, less what it would be at a ratio; without `of` of 1 */
#define AROUND(c, of, ratio) (c[i] - ratio * (of ? of[i] : 1.0))
double common(const double *a, const double *of, double ratio, const double *b, const double *of_b, double ratio_b, int64_t n) {
    double sum = 0;
    for (int64_t i = 0; i < n; i++) sum += AROUND(a, of, ratio) * AROUND(b, of_b, ratio_b);
    return sum;
}
double apart(const double *a, const double *of, double ratio, double scale, const double *b, const double *of_b, double ratio_b,
             double scale_b, int64_t n) {
    double sum = 0;
    for (int64_t i = 0; i < n; i++) {
        const double gap = AROUND(b, of_b, ratio_b) / scale_b - AROUND(a, of, ratio) / scale;
        sum += gap * gap;
    }
    return sum;
}
int64_t other(const uint64_t *a, const uint64_t *b, int64_t n) {
    int64_t found = 0;
    for (int64_t i = 0; i < n; i++) found += a[i] != b[i];
    return found;
}
int64_t unlike(const double *a, const double *of, const double *b, const double *of_b, int64_t n) {
    int64_t found = 0;
    for (int64_t i = 0; i < n; i++) found += a[i] != b[i] || (of && of_b && of[i] != of_b[i]);
    return found;
}

/* who leads alone, from 1 on; 0: nobody */
static int64_t leader(const int64_t *standing, int64_t players) {
    int64_t best = 0, ties = 0;
    for (int64_t p = 1; p < players; p++) {
        if (standing[p] > standing[best]) best = p, ties = 0;
        else ties += standing[p] == standing[best];
    }
    return ties ? 0 : best + 1;
}
/* what the last player at half-time gained on the leader after it; of several last ones the mean */
static double caught_up(const int64_t *then, const int64_t *last, int64_t players, int64_t led) {
    int64_t least = then[0], gained = 0, many = 0;
    for (int64_t p = 1; p < players; p++) if (then[p] < least) least = then[p];
    for (int64_t p = 0; p < players; p++) if (then[p] == least) gained += last[p] - then[p], many++;
    return (double)gained / (double)many - (double)(last[led - 1] - then[led - 1]);
}

enum { FIRST = 4, WINNERS, STANDINGS, SCORES };                  /* numbers of a game, as in columns.py */
enum { SCORE, LEAD, LEAD_PART, BEGAN, TIES, CHANGES, LEADER_WINS, SETTLED = LEADER_WINS + 2, CATCH_UP = SETTLED + 2 };

/* the measures of all games, each as a column */
void derive(const int64_t *rows, int64_t width, int64_t n, int64_t players, int64_t scores, const int64_t *standing, double **out) {
    for (int64_t i = 0; i < n; i++, rows += width) {
        const int64_t won = rows[WINNERS], many = rows[STANDINGS], half = (many + 1) / 2 - 1, alone = !(won & (won - 1));
        const int64_t winner = won ? 64 - __builtin_clzll((uint64_t)won) : 0, begins = rows[FIRST];
        if (scores) {
            int64_t sum = 0, best = INT64_MIN, second = INT64_MIN;
            for (int64_t p = 0; p < scores; p++) {
                const int64_t score = rows[SCORES + p];
                sum += score;
                if (score > best) second = best, best = score;
                else if (score > second) second = score;
            }
            out[SCORE][i] = (double)sum / (double)scores;
            if (scores > 1) {
                const double lead = (double)(best - second), part = lead / (double)(best > 1 ? best : 1);
                out[LEAD][i] = lead, out[LEAD_PART][i] = part < 1 ? part : 1;
            }
        }
        out[BEGAN][i] = begins && won >> (begins - 1) & 1 ? 1.0 / __builtin_popcountll((uint64_t)won) : 0;
        out[TIES][i] = !alone;
        int64_t changes = 0, before = 0, led = 0, last = 0;
        for (int64_t k = 0; k < many; k++) {
            const int64_t now = leader(standing + k * players, players);
            if (now) changes += before && now != before, before = now;
            if (k == half && many > 1) led = now;
            if (now != winner) last = k + 1;
        }
        out[CHANGES][i] = (double)changes;
        const int known = many && alone, ended = known && led;
        out[LEADER_WINS][i] = ended && led == winner, out[LEADER_WINS + 1][i] = ended;
        out[SETTLED][i] = known ? (double)last / (double)many : 0, out[SETTLED + 1][i] = known;
        const int64_t *end = standing + players * many;
        out[CATCH_UP][i] = led ? caught_up(standing + players * half, end - players, players, led) : 0;
        out[CATCH_UP + 1][i] = led > 0;
        standing = end;
    }
}
"""


class _Library:
    """The functions of TEXT."""

    def __init__(self, loaded: ctypes.CDLL) -> None:
        at, n, x = ctypes.c_void_p, ctypes.c_int64, ctypes.c_double
        self.take = _function(loaded, "take", None, at, n, n, x, at)
        self.parts = _function(loaded, "parts", n, at, n, n, n, n, at)
        self.total = _function(loaded, "total", x, at, n)
        self.common = _function(loaded, "common", x, at, at, x, at, at, x, n)
        self.apart = _function(loaded, "apart", x, at, at, x, x, at, at, x, x, n)
        self.unlike = _function(loaded, "unlike", n, at, at, at, at, n)
        self.other = _function(loaded, "other", n, at, at, n)
        self.derive = _function(loaded, "derive", None, at, n, n, n, n, at, at)


def _function(loaded: ctypes.CDLL, name: str, result: type | None, *given: type) -> Callable[..., float]:
    function = getattr(loaded, name)
    function.argtypes, function.restype = given, result
    return function  # type: ignore[no-any-return]


@cache
def _library() -> _Library | None:
    loaded = shared_library("lab", TEXT)
    return None if loaded is None else _Library(loaded)


def _zeros(many: int) -> array[float]:
    return array("d", bytes(8 * many))


def _at(numbers: Numbers | None) -> int | None:
    return None if numbers is None else numbers.buffer_info()[0]  # type: ignore[attr-defined]


def nothing(many: int) -> Numbers:
    """Return a column of zeros."""
    return [0.0] * many if many < MANY or _library() is None else _zeros(many)


def taken(numbers: array[int], width: int, at: int, part: int = 1) -> Numbers:
    """Return one number of every game, divided by `part`; each has `width` of them."""
    many = len(numbers) // width
    if many < MANY or (library := _library()) is None:
        column = numbers[at::width]
        return column if part == 1 else [n / part for n in column]
    out = _zeros(many)
    library.take(numbers.buffer_info()[0] + 8 * at, width, many, part, _at(out))
    return out


def counted_parts(numbers: array[int], width: int, at: int, left_out: int) -> Numbers:
    """Return one number as a part of the first one, of the games in which it is not `left_out`."""
    many = len(numbers) // width
    if many < MANY or (library := _library()) is None:
        pairs = zip(numbers[at::width], numbers[::width], strict=True)
        return [n / (of or 1) for n, of in pairs if n != left_out]
    out = _zeros(many)
    found = library.parts(numbers.buffer_info()[0], width, many, at, left_out, _at(out))
    return out[: int(found)]


def derived(
    numbers: array[int], width: int, players: int, scores: int, standings: array[int]
) -> dict[str, Given] | None:
    """Return measures of all games, none of which has a fault; None where they are to be worked out in Python."""
    many = len(numbers) // width
    if many < MANY or (library := _library()) is None:
        return None
    columns = [_zeros(many) for _ in range(len(DERIVED) + 2 * len(PARTLY))]
    out = (ctypes.c_void_p * len(columns))(*map(_at, columns))
    library.derive(numbers.buffer_info()[0], width, many, players, scores, standings.buffer_info()[0], out)
    found: dict[str, Given] = {key: (column, None) for key, column in zip(DERIVED, columns, strict=False)}
    parts = columns[len(DERIVED) :]
    found.update(zip(PARTLY, zip(parts[::2], parts[1::2], strict=True), strict=True))
    return found


# Sums -------------------------------------------------------------------------------------------------------


def are_native(*columns: Numbers | None) -> bool:
    """Return whether all of these were worked out natively, so that they can be summed so."""
    return all(column is None or (isinstance(column, array) and column.typecode == "d") for column in columns)


def total(numbers: Numbers) -> float:
    """Return the sum of a column."""
    if not are_native(numbers) or (library := _library()) is None:
        return sum(numbers)
    return library.total(_at(numbers), len(numbers))


def common(one: Given, ratio: float, other: Given, other_ratio: float) -> float:
    """Return the sum of the products of what native columns are above two ratios."""
    library, n = _library(), len(one[0])
    assert library is not None
    return library.common(_at(one[0]), _at(one[1]), ratio, _at(other[0]), _at(other[1]), other_ratio, n)


def apart(one: Given, ratio: float, scale: float, other: Given, other_ratio: float, other_scale: float) -> float:
    """Return the sum of the squares of the differences of the same, each divided by its scale."""
    library, n = _library(), len(one[0])
    assert library is not None
    of_one, of_other = (_at(one[0]), _at(one[1]), ratio, scale), (_at(other[0]), _at(other[1]), other_ratio)
    return library.apart(*of_one, *of_other, other_scale, n)


def unlike(one: Given, other: Given) -> int:
    """Return in how many games two columns differ."""
    (a, of_a), (b, of_b) = one, other
    if are_native(a, of_a, b, of_b) and (library := _library()) is not None:
        return int(library.unlike(_at(a), _at(of_a), _at(b), _at(of_b), len(a)))
    found = map(ne, a, b)
    return sum(found if of_a is None or of_b is None else map(or_, found, map(ne, of_a, of_b)))


def marks_apart(one: array[int], other: array[int]) -> int:
    """Return how many marks differ from those at the same places."""
    if len(one) < MANY or (library := _library()) is None:
        return sum(map(ne, one, other))
    return int(library.other(one.buffer_info()[0], other.buffer_info()[0], len(one)))


def products(one: Numbers, other: Numbers) -> float:
    """Return the sum of the products of two columns."""
    found: float = sum(map(mul, one, other))
    return found
