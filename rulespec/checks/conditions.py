"""Conditions of which it can be proved that they always hold, or never."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import syntax
from rulespec.diagnostics.diagnostic import Diagnostic, Span
from rulespec.syntax import Expr, IfStep, Model, Values, WhileStep, all_steps, bodies


def check_constant(model: Model) -> Iterator[Diagnostic]:
    """Conditions of moves, `if` and `while` that do not depend on anything."""
    for move in model.moves.values():
        for condition in move.conditions:
            if (holds := known(condition.that)) is not None:
                what = f"`{condition.name}` never refuses `{move.name}`" if holds else f"`{move.name}` is always refused by `{condition.name}`"  # fmt: skip
                yield _diagnostic(condition.span, holds, what)
    for _, _, body in bodies(model):
        for step in all_steps(body):
            if isinstance(step, IfStep) and (holds := known(step.test)) is not None:
                yield _diagnostic(step.span, holds, f"this `if` {'always' if holds else 'never'} holds")
            if isinstance(step, WhileStep) and (holds := known(step.test)) is not None:
                end = "goes on for ever" if holds else "never begins"
                yield _diagnostic(step.span, holds, f"this `while` {end}")


def _diagnostic(span: Span, holds: bool, message: str) -> Diagnostic:
    code = "condition-always" if holds else "condition-never"
    why = f"its condition {'holds' if holds else 'fails'} whatever happens"
    return Diagnostic(span, code, message, why, level="warning")


def known(e: Expr) -> bool | None:
    """Whether a condition surely holds, or surely does not; None if that depends on the position."""
    match e:
        case syntax.Const(value=int()):
            return bool(e.value)
        case syntax.Not():
            inner = known(e.of)
            return None if inner is None else not inner
        case syntax.Logic():
            decisive = e.op == "or"
            sides = (known(e.left), known(e.right))
            if decisive in sides:
                return decisive
            return None if None in sides else not decisive
        case syntax.Compare():
            return _compared(e)
    return None


def _compared(e: syntax.Compare) -> bool | None:
    a, b = e.left.type, e.right.type
    if not isinstance(a, Values) or not isinstance(b, Values):
        return None
    if isinstance(e.left, syntax.Const) and isinstance(e.right, syntax.Const):
        return None  # a setting: a number of a table that a house rule may change, or of players
    if e.left == e.right:
        return e.op in ("=", "<=", ">=")
    if a.none or b.none or a.members or b.members:
        return None
    assert a.lo is not None and a.hi is not None and b.lo is not None and b.hi is not None
    always = {"<": a.hi < b.lo, "<=": a.hi <= b.lo, ">": a.lo > b.hi, ">=": a.lo >= b.hi}
    never = {"<": a.lo >= b.hi, "<=": a.lo > b.hi, ">": a.hi <= b.lo, ">=": a.hi < b.lo}
    if always.get(e.op):
        return True
    return False if never.get(e.op) else None
