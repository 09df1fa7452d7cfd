"""How many levels a program has where all that it uses is written in place: loops, tests and operators inside one another."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.diagnostics.diagnostic import Diagnostic
from rulespec.graph import components
from rulespec.syntax import (
    Aggregate,
    DoStep,
    DrawStep,
    Expr,
    FunctionCall,
    Model,
    MoveRule,
    MoveStep,
    Step,
    all_expressions,
    bodies,
    children,
    each_expression,
    inner_steps,
)

MOST_NESTED = 200  # operators, with those of the definitions that are used
MOST_STEPS_NESTED = 60  # blocks of steps, with those of the steps that are done
MOST_CHOSEN = 50  # choices of a move: each is a loop inside those before it
MOST_CONDITIONS = 200  # of a move: each is tested inside those before it


def check_nesting(model: Model) -> Iterator[Diagnostic]:
    """Check that nothing is nested too deep, calls followed. Definitions and steps may not use themselves."""
    yield from _expressions(model)
    yield from _steps(model)
    for move in model.moves.values():
        yield from _move(move)


def _expressions(model: Model) -> Iterator[Diagnostic]:
    inside = {name: f.body for name, f in model.functions.items()}
    uses = {
        name: [e.function for e in each_expression([body]) if isinstance(e, FunctionCall)]
        for name, body in inside.items()
    }
    levels: dict[str, int] = {}
    for (name,) in components(uses):
        levels[name] = _levels(inside[name], levels)
    for e, span in all_expressions(model):
        if (many := _levels(e, levels)) > MOST_NESTED:
            message = f"this has {many} operators and brackets inside one another, at most {MOST_NESTED} are allowed"
            yield Diagnostic(span, "too-deep", message, "those of the definitions that it uses count too")
            return


def _levels(root: Expr, functions: dict[str, int]) -> int:
    """Return the levels of an expression; a call has those of what it calls, each name after `for` is two: a loop, and what it does."""
    deepest, waiting = 0, [(root, 1)]
    while waiting:
        e, level = waiting.pop()
        deepest = max(deepest, level + (functions[e.function] if isinstance(e, FunctionCall) else 0))
        inside = level + (2 * len(e.bindings) if isinstance(e, Aggregate) else 1)
        waiting += ((x, inside) for x in children(e))
    return deepest


def _steps(model: Model) -> Iterator[Diagnostic]:
    lists = {name: p.body for name, p in model.procedures.items()}
    uses = {name: [step.name for step, _ in _each(body) if isinstance(step, DoStep)] for name, body in lists.items()}
    levels: dict[str, int] = {}
    for (name,) in components(uses):
        levels[name] = _deepest(lists[name], levels)
    for name, span, body in bodies(model):
        if (many := _deepest(body, levels)) > MOST_STEPS_NESTED:
            message = f"`{name.removesuffix(':')}` has {many} blocks of steps inside one another, at most {MOST_STEPS_NESTED} are allowed"
            yield Diagnostic(span, "too-deep", message, "those of the steps that it does count too")
            return


def _deepest(steps: tuple[Step, ...], levels: dict[str, int]) -> int:
    return max((level + _own(step, levels) for step, level in _each(steps)), default=0)


def _each(steps: tuple[Step, ...]) -> Iterator[tuple[Step, int]]:
    """Yield all steps at any depth, each with its level."""
    waiting = [(step, 1) for step in steps]
    while waiting:
        step, level = waiting.pop()
        yield step, level
        waiting += ((inner, level + 1) for part in inner_steps(step) for inner in part)


def _own(step: Step, levels: dict[str, int]) -> int:
    """Return the levels of a step itself: a place for what does not fit is one."""
    match step:
        case DoStep():
            return levels[step.name]
        case MoveStep() | DrawStep():
            return len(step.goals)
        case _:
            return 0


def _move(move: MoveRule) -> Iterator[Diagnostic]:
    for many, most, what in (
        (len(move.choices), MOST_CHOSEN, "choices"),
        (len(move.conditions), MOST_CONDITIONS, "conditions"),
    ):
        if many > most:
            message = f"`{move.name}` has {many} {what}, at most {most} are allowed"
            yield Diagnostic(move.span, "too-deep", message, "each is looked at inside those before it")
