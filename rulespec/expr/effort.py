"""How much there is to do to work out an expression, at most: its own nodes, as often as its lists say."""

from __future__ import annotations

from collections.abc import Mapping

from rulespec.expr import core
from rulespec.expr.core import Expr, children
from rulespec.expr.results import domain_size
from rulespec.expr.types import ListOf

MOST = 10**15  # numbers need not grow further


def effort(e: Expr, functions: Mapping[str, int]) -> int:
    """The most steps that working out `e` takes; `functions` has those of every function that may be called."""
    match e:
        case core.Aggregate():
            total, times = 0, 1
            for _, domain in e.bindings:
                total += times * effort(domain, functions)
                times = min(MOST, times * max(1, domain_size(domain)))
            inner = sum(effort(x, functions) for x in (e.body, e.where, e.stop) if x is not None)
            total += times * inner
        case core.Group():
            total = effort(e.start, functions) + effort(e.along, functions) + _items(e) * effort(e.where, functions)
        case core.Call():
            total = functions.get(e.function, 1) + sum(effort(a, functions) for a in e.args)
        case core.Const() | core.Local():
            return 1
        case core.Range() | core.Places() | core.Items():
            total = _items(e) + sum(effort(c, functions) for c in children(e))
        case _:
            total = 1 + sum(effort(c, functions) for c in children(e))
    return min(MOST, total)


def _items(e: Expr) -> int:
    return max(1, e.type.largest) if isinstance(e.type, ListOf) else 1
