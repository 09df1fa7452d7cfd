"""Narrowing: what a condition tells about the names in it."""

from __future__ import annotations

from typing import Any

from rulespec.expr import core
from rulespec.expr.core import Expr, children
from rulespec.expr.evaluate import evaluate
from rulespec.expr.types import NONE, ListOf, Type, Values, meet, without

Env = dict[str, Type]  # local names and their types


def narrowed(env: Env, test: Expr, holds: bool) -> Env:
    """The env after `test` turned out to hold, or not to."""
    facts = _facts(test, holds)
    return {**env, **{n: t for n, t in facts.items() if n in env}} if facts else env


def _facts(test: Expr, holds: bool) -> Env:
    match test:
        case core.Not():
            return _facts(test.of, not holds)
        case core.Logic(op=op) if (op == "and") == holds:
            left, right = _facts(test.left, holds), _facts(test.right, holds)
            return {**left, **right}
        case core.Compare(op="=" | "!=", left=core.Local() as x, right=core.Const() as c):
            return _fact(x, c, (test.op == "=") == holds)
        case core.Compare(op="=" | "!=", left=core.Const() as c, right=core.Local() as x):
            return _fact(x, c, (test.op == "=") == holds)
        case core.In(item=core.Local() as x, domain=core.Const() | core.Items() as domain) if _written_out(domain):
            if isinstance(x.type, Values) and isinstance(domain.type, ListOf) and isinstance(domain.type.item, Values):
                codes = evaluate(domain, {})
                if holds:
                    return {x.name: meet(x.type, domain.type.item)}
                if isinstance(codes, tuple) and _exact(domain.type.item, codes):
                    return {x.name: without(x.type, domain.type.item)}
    return {}


def _written_out(domain: Expr) -> bool:
    """Whether a list is a set or a list of known values."""
    return isinstance(domain, core.Const) or all(isinstance(c, core.Const) for c in children(domain))


def _fact(x: core.Local, c: core.Const, equal: bool) -> Env:
    if not isinstance(x.type, Values) or not isinstance(c.type, Values):
        return {}
    return {x.name: meet(x.type, c.type) if equal else without(x.type, c.type)}


def _exact(t: Values, codes: tuple[Any, ...]) -> bool:
    """Whether the type holds just these codes and no number in between."""
    numbers = {c for c in codes if isinstance(c, int) and c < NONE}
    return t.lo is None or len(numbers) == t.hi - t.lo + 1  # type: ignore[operator]
