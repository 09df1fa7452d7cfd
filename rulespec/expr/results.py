"""Types and sizes of results."""

from __future__ import annotations

from rulespec.expr import core
from rulespec.expr.core import Expr
from rulespec.expr.types import LARGEST, ListOf, Several, Unknown, Values, number


def arithmetic_type(op: str, a: Values, b: Values) -> Values:
    al, ah, bl, bh = a.lo or 0, a.hi or 0, b.lo or 0, b.hi or 0
    match op:
        case "+":
            return number(al + bl, ah + bh)
        case "-":
            return number(al - bh, ah - bl)
        case "*":
            corners = [x * y for x in (al, ah) for y in (bl, bh)]
            return number(min(corners), max(corners))
        case "/":
            corners = [x // y for x in (al, ah) for y in (bl, bh)]
            return number(min(corners), max(corners))
        case _:
            return number(0, bh - 1) if bl > 0 else number(bl + 1, max(0, bh - 1))


def domain_size(domain: Expr) -> int:
    match domain.type:
        case ListOf():
            return domain.type.largest
        case Several():
            return len(domain.type.kinds)
        case _:
            return LARGEST if isinstance(domain.type, Unknown) else 64


def surely_filled(domain: Expr) -> bool:
    """Whether a domain has at least one item in every position."""
    if isinstance(domain, core.Const) and isinstance(domain.value, tuple):
        return len(domain.value) > 0
    if isinstance(domain, core.Range) and isinstance(domain.lo.type, Values) and isinstance(domain.hi.type, Values):
        return domain.lo.type.hi <= domain.hi.type.lo  # type: ignore[operator]
    if isinstance(domain, core.Items):
        return any(not isinstance(e.type, ListOf) for e in domain.items)
    if isinstance(domain, core.Places):
        return domain.sure
    return isinstance(domain, core.Builtin) and domain.name == "clockwise"
