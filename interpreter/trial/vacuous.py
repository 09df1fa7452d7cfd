"""Points that are given only because `all` of nothing holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from itertools import count, islice
from typing import Any

from rulespec.expr.static import is_static
from rulespec.syntax import (
    Aggregate,
    Compare,
    Expr,
    FunctionCall,
    Let,
    Literal,
    Local,
    Logic,
    Model,
    Parameter,
    ScoreStep,
    Values,
    YesNo,
    each_expression,
    inside,
)

YES = Literal(YesNo(), 1)
MOST_LOOKED_AT = 2_000  # expressions of one scoring rule


def vacuous_points(step: ScoreStep, model: Model) -> Iterator[tuple[str, Expr]]:
    """Yield each rule of a step that may give points for nothing, and a test of whether it does so here.

    The test compares the points with those where `all(…)` holds only if there is something to hold for.
    """
    for name, args in step.rules:
        rule = model.rules[name]
        given = (Parameter("me", model.sets["player"].type, "player"), *rule.parameters)
        values = (step.player, *args)
        if not _fit(given, values):
            continue
        points = _spelled_out(rule.points, model, count())
        if not any(_may_be_of_nothing(e) for e in islice(each_expression([points]), MOST_LOOKED_AT)):
            continue
        test: Expr = Compare(YesNo(), ">", points, _only_of_something(points))
        yield name, _with_names(test, given, values, count())


def _may_be_of_nothing(e: Expr) -> bool:
    return isinstance(e, Aggregate) and e.op == "all" and e.stop is None and not _surely_some(e)


def _surely_some(e: Aggregate) -> bool:
    """Return whether it is known before play what the `all` is about."""
    return all(is_static(part) for part in (*(domain for _, domain in e.bindings), *([e.where] if e.where else [])))


def _only_of_something(e: Any) -> Any:
    """Return an expression in which each `all(…)` holds only if there is something to hold for."""
    made = _mapped(e, _only_of_something)
    if isinstance(e, Aggregate) and _may_be_of_nothing(e):
        return Logic(YesNo(), "and", made, replace(made, op="any", body=YES))
    return made


def _spelled_out(e: Any, model: Model, fresh: Iterator[int]) -> Any:
    """Return an expression with what its definitions say in their place."""
    made = _mapped(e, lambda inner: _spelled_out(inner, model, fresh))
    if not isinstance(made, FunctionCall):
        return made
    meant = model.functions[made.function]
    if not _fit(meant.parameters, made.args):
        return made
    return _with_names(_spelled_out(meant.body, model, fresh), meant.parameters, made.args, fresh)


def _fit(given: tuple[Parameter, ...], values: tuple[Expr, ...]) -> bool:
    """Return whether every value is surely one of its parameter's."""
    pairs = ((value.type, p.type) for value, p in zip(values, given, strict=True))
    return all(
        inside(t, wanted) if isinstance(t, Values) and isinstance(wanted, Values) else t == wanted
        for t, wanted in pairs
    )


def _with_names(body: Expr, given: tuple[Parameter, ...], values: tuple[Expr, ...], fresh: Iterator[int]) -> Expr:
    """Return an expression in which parameters stand for values, which may use the same names for something else."""
    passing = [f"{p.name} {next(fresh)}" for p in given]  # no author's name has a space
    for p, passed in zip(given, passing, strict=True):
        body = Let(body.type, p.name, Local(p.type, passed), body)
    for passed, value in zip(passing, values, strict=True):
        body = Let(body.type, passed, value, body)
    return body


def _mapped(e: Any, change: Any) -> Any:
    """Return an expression, or a tuple in one, with every expression directly inside it changed."""
    if isinstance(e, tuple):
        return tuple(change(x) if _is_expression(x) else _mapped(x, change) for x in e)
    if not _is_expression(e):
        return e
    parts = {f.name: getattr(e, f.name) for f in fields(e) if f.name not in ("type", "span")}
    return replace(e, **{n: change(p) if _is_expression(p) else _mapped(p, change) for n, p in parts.items()})


def _is_expression(x: object) -> bool:
    return is_dataclass(x) and hasattr(x, "type") and not isinstance(x, type)
