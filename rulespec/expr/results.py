"""Types and sizes of results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rulespec import syntax
from rulespec.diagnostics.diagnostic import Diagnostic, Span
from rulespec.syntax import LARGEST, NONE, Expr, ListOf, PlaceOf, Several, Type, Unknown, Values, inside, number

if TYPE_CHECKING:
    from rulespec.syntax import Place, Set


Reach = tuple[int, int]  # the smallest and the largest number that something can be, if it were not for the limits


def arithmetic_reach(op: str, a: Values, b: Values) -> Reach:
    al, ah, bl, bh = a.lo or 0, a.hi or 0, b.lo or 0, b.hi or 0
    match op:
        case "+":
            return al + bl, ah + bh
        case "-":
            return al - bh, ah - bl
        case "*":
            corners = [x * y for x in (al, ah) for y in (bl, bh)]
            return min(corners), max(corners)
        case "/":
            corners = [x // y for x in (al, ah) for y in (bl, bh)]
            return min(corners), max(corners)
        case _:
            return (0, bh - 1) if bl > 0 else (bl + 1, 0)


def sum_reach(item: Values, most: int) -> Reach:
    """What a sum of at most so many of these can be."""
    return min(0, (item.lo or 0) * most), max(0, (item.hi or 0) * most)


def extreme_type(name: str, types: list[Values]) -> Values:
    """`max` or `min` of several numbers."""
    pick = max if name == "max" else min
    return number(pick(t.lo or 0 for t in types), pick(t.hi or 0 for t in types))


def range_type(lo: Values, hi: Values) -> ListOf:
    """`lo..hi`."""
    low, high = lo.lo or 0, hi.hi or 0
    return ListOf(number(low, max(low, high)), max(0, high - low + 1))


def too_far(reach: Reach) -> bool:
    return reach[0] < -LARGEST or reach[1] > LARGEST


def surely_in(found: Values, wanted: Values, sets: Mapping[str, Set]) -> bool:
    """Whether a value of one type is sure to be one of the other, which was declared: its set may have gaps."""
    home = sets.get(wanted.home)
    if not inside(found, wanted) or home is None or found.lo is None or found.hi is None:
        return inside(found, wanted)
    numbers = {c for c in home.values if c < NONE}
    if len(numbers) == max(numbers) - min(numbers) + 1:
        return True
    other = sets.get(found.home)
    if other is not None and set(other.values) <= set(home.values):
        return True
    return found.hi - found.lo < len(numbers) and all(n in numbers for n in range(found.lo, found.hi + 1))


def is_too_large(digits: str) -> bool:
    """Whether a number that is written out passes the limits; one of thousands of digits is never worked out."""
    digits = digits.lstrip("-").lstrip("0")
    return len(digits) > len(str(LARGEST)) or int(digits or 0) > LARGEST


def number_problem(span: Span, digits: str) -> Diagnostic:
    """The complaint about a number that is written out and passes the limits."""
    shown = digits if len(digits) <= 20 else f"{digits[:17]}…"
    message = f"`{shown}` is too large: numbers go from {-LARGEST} to {LARGEST}"
    return Diagnostic(span, "number-too-large", message)


def range_problem(span: Span, reach: Reach) -> Diagnostic:
    """The complaint about a number that could pass the limits."""
    low, high = reach
    limits = f"numbers go from {-LARGEST} to {LARGEST}"
    if low == high:
        return Diagnostic(span, "number-range", f"this is {high}: {limits}")
    found = f"as large as {high}" if high > LARGEST else f"as small as {low}"
    if high > LARGEST and low < -LARGEST:
        found = f"anything from {low} to {high}"
    why = "it is worked out from the least and the most that its parts can be"
    fix = "declare smaller ranges for its parts, or hold them with `min(…, …)` and `max(…, …)`"
    return Diagnostic(span, "number-range", f"this could become {found}: {limits}", why, fix)


def domain_size(domain: Expr) -> int:
    match domain.type:
        case ListOf():
            return domain.type.largest
        case Several():
            return len(domain.type.kinds)
        case _:
            return LARGEST if isinstance(domain.type, Unknown) else 64


def most_items(t: Type, places: Mapping[str, Place]) -> int:
    """How many items a loop over something of this type has, at most; over a place: the kinds on it, each once."""
    match t:
        case ListOf():
            return t.largest
        case Several():
            return len(t.kinds)
        case PlaceOf():
            return len(places[t.family].kinds)
        case _:
            return LARGEST


def surely_filled(domain: Expr) -> bool:
    """Whether a domain has at least one item in every position."""
    if isinstance(domain, syntax.Const) and isinstance(domain.value, tuple):
        return len(domain.value) > 0
    if isinstance(domain, syntax.Range) and isinstance(domain.lo.type, Values) and isinstance(domain.hi.type, Values):
        return domain.lo.type.hi <= domain.hi.type.lo  # type: ignore[operator]
    if isinstance(domain, syntax.Items):
        return any(not isinstance(e.type, ListOf) for e in domain.items)
    if isinstance(domain, syntax.Places):
        return domain.sure
    return isinstance(domain, syntax.Builtin) and domain.name == "clockwise"
