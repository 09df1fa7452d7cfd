"""What an expression can be: numbers and members it may take, places, lists, yes or no.

Every value is a whole number of 32 bits: numbers are themselves, members of sets have codes from FIRST_MEMBER on,
and `none` has a code of its own. A type says which of them can occur.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce

# INVARIANT: numbers, `none` and members never meet, and all of them fit 32 bits, as the native library stores them.
LARGEST = 1_000_000_000  # the largest number a game may use, and minus it the smallest
NONE = LARGEST + 1  # the code of `none`
FIRST_MEMBER = NONE + 1


@dataclass(frozen=True, slots=True)
class Values:
    """Numbers lo..hi (both None: no number), members by code, perhaps none."""

    lo: int | None = None
    hi: int | None = None
    members: frozenset[int] = frozenset()
    none: bool = False
    home: str = ""  # the set it was declared with: for messages, and for `next`

    @property
    def is_number(self) -> bool:
        return self.lo is not None and not self.members

    @property
    def never(self) -> bool:
        return self.lo is None and not self.members and not self.none


@dataclass(frozen=True, slots=True)
class YesNo:
    pass


@dataclass(frozen=True, slots=True)
class PlaceOf:
    """One place of a family; `stays` is false if it may be nowhere."""

    family: str


@dataclass(frozen=True, slots=True)
class ListOf:
    item: Type
    largest: int = LARGEST  # at most so many items


@dataclass(frozen=True, slots=True)
class Several:
    """Pieces chosen together: so many of each kind."""

    kinds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Unknown:
    """The type of what could not be understood: it fits anything, and is never reported twice."""


Type = Values | YesNo | PlaceOf | ListOf | Several | Unknown

NUMBER = Values(-LARGEST, LARGEST)
NOTHING = Values(none=True)


def number(lo: int, hi: int) -> Values:
    return Values(max(-LARGEST, min(lo, LARGEST)), max(-LARGEST, min(hi, LARGEST)))


def of_codes(codes: tuple[int, ...], home: str = "") -> Values:
    """The type of a value that is one of these codes."""
    numbers = [c for c in codes if c < NONE]
    return Values(
        min(numbers, default=None),
        max(numbers, default=None),
        frozenset(c for c in codes if c > NONE),
        NONE in codes,
        home,
    )


def can_be_none(t: Type) -> bool:
    return isinstance(t, Values) and t.none


def sure(t: Type) -> Type:
    """The same without `none`."""
    return replace(t, none=False) if isinstance(t, Values) else t


def or_none(t: Type) -> Type:
    return replace(t, none=True) if isinstance(t, Values) else t


def inside(a: Values, b: Values) -> bool:
    """Every value of a is one of b."""
    if a.lo is not None and (b.lo is None or a.lo < b.lo or a.hi > b.hi):  # type: ignore[operator]
        return False
    return a.members <= b.members and (b.none or not a.none)


def overlap(a: Values, b: Values) -> bool:
    """Some value, other than none, is in both."""
    if a.lo is not None and b.lo is not None and a.lo <= b.hi and b.lo <= a.hi:  # type: ignore[operator]
        return True
    return bool(a.members & b.members)


def meet(a: Values, b: Values) -> Values:
    """What is in both."""
    lo = hi = None
    if a.lo is not None and b.lo is not None:
        lo, hi = max(a.lo, b.lo), min(a.hi, b.hi)  # type: ignore[type-var]
        if lo > hi:  # type: ignore[operator]
            lo = hi = None
    return Values(lo, hi, a.members & b.members, a.none and b.none, a.home)


def without(a: Values, b: Values) -> Values:
    """What is in a and not in b, where b is few and exact."""
    lo, hi = a.lo, a.hi
    if lo is not None and b.lo is not None:
        if b.lo <= lo and hi <= b.hi:  # type: ignore[operator]
            lo = hi = None
        elif b.lo <= lo <= b.hi:  # type: ignore[operator]
            lo = b.hi + 1  # type: ignore[operator]
        elif b.lo <= hi <= b.hi:  # type: ignore[operator]
            hi = b.lo - 1
    return Values(lo, hi, a.members - b.members, a.none and not b.none, a.home)


def join(a: Type, b: Type) -> Type | None:
    """A type that holds both, or None where nothing does."""
    match a, b:
        case (Unknown(), _) | (_, Unknown()):
            return Unknown()
        case (Values(never=True), _):
            return b
        case (_, Values(never=True)):
            return a
        case Values(), Values():
            los = [x for x in (a.lo, b.lo) if x is not None]
            his = [x for x in (a.hi, b.hi) if x is not None]
            home = a.home if a.home == b.home or b == NOTHING else b.home if a == NOTHING else ""
            return Values(min(los, default=None), max(his, default=None), a.members | b.members, a.none or b.none, home)
        case ListOf(), ListOf():
            item = join(a.item, b.item)
            return ListOf(item, max(a.largest, b.largest)) if item else None
        case _:
            return a if a == b else None


def join_all(types: list[Type]) -> Type | None:
    return reduce(lambda a, b: join(a, b) if a is not None else None, types, Values())  # type: ignore[arg-type, return-value]
