"""Narrowing: what a condition tells about the names in it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulespec import syntax
from rulespec.expr.evaluate import evaluate
from rulespec.syntax import NONE, Expr, ListOf, Type, Values, children, meet, without

Env = dict[str, Type]  # local names and their types


def narrowed(env: Env, test: Expr, holds: bool) -> Env:
    """The env after `test` turned out to hold, or not to."""
    match test:
        case syntax.Not():
            return narrowed(env, test.of, not holds)
        case syntax.Logic(op=op) if (op == "and") == holds:
            return narrowed(narrowed(env, test.left, holds), test.right, holds)
        case syntax.Compare(op="=" | "!=", left=syntax.Local() as x, right=syntax.Const() as c):
            return _equal(env, x, c, (test.op == "=") == holds)
        case syntax.Compare(op="=" | "!=", left=syntax.Const() as c, right=syntax.Local() as x):
            return _equal(env, x, c, (test.op == "=") == holds)
        case syntax.Compare(op="<" | "<=" | ">" | ">=") as compare:
            op = compare.op if holds else _OPPOSITE[compare.op]
            left, right = _type_in(env, compare.left), _type_in(env, compare.right)
            return _ordered(_ordered(env, compare.left, op, right), compare.right, _TURNED[op], left)
        case syntax.In(item=syntax.Local() as x, domain=syntax.Const() | syntax.Items() as domain) if _written_out(
            domain
        ):
            t = env.get(x.name)
            if isinstance(t, Values) and isinstance(domain.type, ListOf) and isinstance(domain.type.item, Values):
                codes = evaluate(domain, {})
                if holds:
                    return {**env, x.name: meet(t, domain.type.item)}
                if isinstance(codes, tuple) and _exact(domain.type.item, codes):
                    return {**env, x.name: without(t, domain.type.item)}
    return env


def _type_in(env: Env, e: Expr) -> Type:
    return env.get(e.name, e.type) if isinstance(e, syntax.Local) else e.type


_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _ordered(env: Env, x: Expr, op: str, other: Type) -> Env:
    """The env in which `x op other` holds. A comparison that never can leaves everything as it is."""
    t = env.get(x.name) if isinstance(x, syntax.Local) else None
    if not isinstance(x, syntax.Local) or not isinstance(t, Values) or not isinstance(other, Values):
        return env
    if t.lo is None or t.hi is None or other.lo is None or other.hi is None:
        return env
    lo, hi = t.lo, t.hi
    if op in ("<", "<="):
        hi = min(hi, other.hi - (op == "<"))
    else:
        lo = max(lo, other.lo + (op == ">"))
    return {**env, x.name: replace(t, lo=lo, hi=hi)} if lo <= hi and (lo, hi) != (t.lo, t.hi) else env


def _written_out(domain: Expr) -> bool:
    """Whether a list is a set or a list of known values."""
    return isinstance(domain, syntax.Const) or all(isinstance(c, syntax.Const) for c in children(domain))


def _equal(env: Env, x: syntax.Local, c: syntax.Const, equal: bool) -> Env:
    t = env.get(x.name)
    if not isinstance(t, Values) or not isinstance(c.type, Values):
        return env
    return {**env, x.name: meet(t, c.type) if equal else without(t, c.type)}


def _exact(t: Values, codes: tuple[Any, ...]) -> bool:
    """Whether the type holds just these codes and no number in between."""
    numbers = {c for c in codes if isinstance(c, int) and c < NONE}
    return t.lo is None or len(numbers) == t.hi - t.lo + 1  # type: ignore[operator]
