"""What generated code is made of: bound names, loop domains, sums of addresses."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rulespec.expr.core import Expr, children
from rulespec.expr.types import NONE, Type, Values, of_codes

UNROLL = 12  # loops of at most so many passes are written out
DEEPEST_INLINE = (
    4  # functions that are written where they are called, each in the next: Python reads 200 brackets at most
)
MOST_WRITTEN = 3_000  # nodes that may be written in the place of one call or loop, with all that is in them
MOST_FILTER = 200  # steps to test one value by a filter that is worked out before the game, for all values
MOST_KNOWN = 20_000  # steps to work out a value before the game; what takes more is worked out in play
INLINE = 40  # functions of at most so many nodes are written where they are called

PLAIN = re.compile(r"-?\w+\Z")
# sums, comparisons and table look-ups with a default: it cannot fail, whatever the values. A product of two values is
# none of them: without the test before it, squares of squares may be numbers of any length.
HARMLESS = re.compile(r"(?:[\w\s+<>=(),-]|\* ?\d+\b|\b\d+ ?\*|\.get\b)*\Z")


@dataclass(frozen=True, slots=True)
class Bound:
    """What a local name stands for in generated code: a known value, or a Python expression without effects."""

    type: Type
    text: str = ""
    const: Any = None


Env = Mapping[str, Bound]


@dataclass(frozen=True, slots=True)
class Domain:
    """What a loop runs over: known values or a Python iterable; `keep` tests a value before it counts."""

    type: Type
    values: tuple[Any, ...] | None
    text: str
    keep: Callable[[Bound], str] | None = None


def known(value: Any, t: Type) -> Bound:
    return Bound(of_codes((value,), getattr(t, "home", "")) if isinstance(t, Values) else t, "", value)


def total(part: int, terms: list[str]) -> str:
    if not terms:
        return str(part)
    text = " + ".join(terms)
    return text if not part else f"{text} + {part}" if part > 0 else f"{text} - {-part}"


def terms_of(at: tuple[str, int]) -> tuple[int, list[str]]:
    return at[1], [at[0]] if at[0] else []


def contiguous(codes: tuple[int, ...]) -> bool:
    return bool(codes) and codes == tuple(range(codes[0], codes[0] + len(codes)))


def no_gaps(codes: tuple[int, ...]) -> bool:
    """Whether the numbers among the codes have no gap, so that their type is exact."""
    numbers = sorted(c for c in codes if c < NONE)
    return not numbers or len(numbers) == numbers[-1] - numbers[0] + 1


def nodes(e: Expr) -> int:
    return 1 + sum(nodes(c) for c in children(e))
