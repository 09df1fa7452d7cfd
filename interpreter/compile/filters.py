"""Filters over printed data that can be worked out at load: a table then finds what a loop would search for.

`any(printed[t, c] = k and … for c in column)` reads a table, t and k: the one column that passes is looked up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from math import prod

from rulespec import syntax
from rulespec.expr.static import Undefined, evaluate
from rulespec.syntax import NONE, Expr, Model, Type, Values, YesNo, children, free_names

LARGEST = 50_000  # values tried to make one table
MOST_VALUES = 400  # of one name outside


@dataclass(frozen=True, slots=True)
class Filter:
    """The one value that passes for each combination of the names outside, `none` where nothing passes."""

    names: tuple[str, ...]
    codes: tuple[tuple[int, ...], ...]  # what each of these names can be
    found: tuple[int, ...]  # row by row
    rest: Expr | None  # what is still to be tested in play


def conditions_first(e: syntax.Aggregate) -> syntax.Aggregate:
    """Return `any(a and b …)` as `any(true … where a and b)`: then filters are found in one place."""
    if e.op not in ("any", "count") or e.stop is not None or isinstance(e.body, syntax.Literal):
        return e
    where = _joined([part for part in (e.where, e.body) if part is not None])
    return syntax.Aggregate(e.type, e.op, syntax.Literal(YesNo(), 1), e.bindings, where, None)


def find_filter(
    where: Expr,
    name: str,
    values: tuple[int, ...],
    known: dict[str, int],
    is_fixed: Callable[[Expr], bool],
    model: Model,
) -> Filter | None:
    """Return the filter of a loop over `name`, if part of its condition is settled at load and never leaves two values."""
    parts = _conjuncts(where)
    fixed = [part for part in parts if name in free_names(part) and is_fixed(part)]
    outer: dict[str, tuple[int, ...]] = {}
    for part in fixed:
        for local in _locals(part):
            if local.name != name and local.name not in known:
                codes = _codes(local.type)
                if codes is None:
                    return None
                outer[local.name] = tuple(sorted({*outer.get(local.name, ()), *codes}))
    if not fixed or not outer or len(values) * prod(map(len, outer.values())) > LARGEST:
        return None
    found = []
    for combination in product(*outer.values()):
        env = {**known, **dict(zip(outer, combination, strict=True))}
        try:
            passing = [v for v in values if all(evaluate(part, {**env, name: v}, model) for part in fixed)]
        except Undefined:  # what keeps these values away is looked at in play
            return None
        if len(passing) > 1:
            return None
        found.append(passing[0] if passing else NONE)
    rest = [part for part in parts if part not in fixed]
    return Filter(tuple(outer), tuple(outer.values()), tuple(found), _joined(rest))


def _locals(e: Expr) -> list[syntax.Local]:
    return [e] if isinstance(e, syntax.Local) else [found for c in children(e) for found in _locals(c)]


def _codes(t: Type) -> tuple[int, ...] | None:
    """Return all that a name can be; None if that is too much, or may be none."""
    if not isinstance(t, Values) or t.none:
        return None
    numbers = range(t.lo, t.hi + 1) if t.lo is not None and t.hi is not None else range(0)
    return (*numbers, *sorted(t.members)) if len(numbers) + len(t.members) <= MOST_VALUES else None


def _conjuncts(e: Expr) -> list[Expr]:
    if isinstance(e, syntax.Logic) and e.op == "and":
        return _conjuncts(e.left) + _conjuncts(e.right)
    return [e]


def _joined(parts: list[Expr]) -> Expr | None:
    out: Expr | None = None
    for part in parts:
        out = part if out is None else syntax.Logic(YesNo(), "and", out, part)
    return out
