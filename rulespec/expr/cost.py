"""How much there is to do to work out an expression, at most: its own nodes, as often as its lists say.

The value of a `let` and the arguments of a function are worked out once, however often their names are used: what is
counted here is what the evaluator and the generated programs do.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulespec import syntax
from rulespec.expr.results import domain_size
from rulespec.syntax import Expr, ListOf, PlaceOf, children

MOST = 10**15  # numbers need not grow further


def effort(e: Expr, functions: Mapping[str, int], kinds: Mapping[str, int] | None = None) -> int:
    """Return the most steps that working out `e` takes.

    `functions` has the effort of every function that may be called, `kinds` how many kinds lie on each place: so many
    does a loop over a place go through.
    """

    def of(x: Expr) -> int:
        return effort(x, functions, kinds)

    match e:
        case syntax.Aggregate():
            total, times = 0, 1
            for _, domain in e.bindings:
                total += times * of(domain)
                times = min(MOST, times * max(1, passes(domain, kinds)))
            total += times * sum(of(x) for x in (e.body, e.where, e.stop) if x is not None)
        case syntax.Group():
            total = of(e.start) + of(e.along) + _items(e) * of(e.where)
        case syntax.Call():
            total = functions.get(e.function, 1) + sum(of(a) for a in e.args)
        case syntax.Const() | syntax.Local():
            return 1
        case syntax.Range() | syntax.Places() | syntax.Items():
            total = _items(e) + sum(of(c) for c in children(e))
        case _:
            total = 1 + sum(of(c) for c in children(e))
    return min(MOST, total)


def passes(domain: Expr, kinds: Mapping[str, int] | None) -> int:
    """Return how often a loop over `domain` runs, at most."""
    if isinstance(domain.type, PlaceOf) and kinds is not None:
        return kinds.get(domain.type.family, 1)
    return domain_size(domain)


def _items(e: Expr) -> int:
    return max(1, e.type.largest) if isinstance(e.type, ListOf) else 1
