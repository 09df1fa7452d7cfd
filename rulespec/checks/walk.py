"""Going through everything in a model."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.diagnostics.diagnostic import Span
from rulespec.expr.core import Expr
from rulespec.model.model import (
    Amount,
    AskStep,
    DoStep,
    DrawStep,
    ForStep,
    Goal,
    IfStep,
    LetStep,
    Model,
    MoveStep,
    RollStep,
    ScoreStep,
    SetStep,
    Step,
    Template,
    WhileStep,
)
from rulespec.model.steps import all_steps


def bodies(model: Model) -> Iterator[tuple[str, Span, tuple[Step, ...]]]:
    """Everything that has steps: procedures, moves, and `setup:` and `play:`, which a move may be called like."""
    for name, procedure in model.procedures.items():
        yield f"{name}:" if name in ("setup", "play") else name, procedure.span, procedure.body
    for name, move in model.moves.items():
        yield name, move.span, move.does


def of_step(step: Step) -> list[Expr]:
    """The expressions of one step, not of the steps inside it."""
    match step:
        case MoveStep() | DrawStep():
            return [*_of_amount(step.amount), step.source, *_of_goals(step.goals)]
        case RollStep():
            return [step.domain, *([step.weight] if step.weight else [])]
        case SetStep():
            return [*step.index, step.value]
        case LetStep():
            return [step.value]
        case ScoreStep():
            return [step.player, *(a for _, args in step.rules for a in args)]
        case DoStep():
            return list(step.args)
        case IfStep() | WhileStep():
            return [step.test]
        case ForStep():
            return [step.domain, *([step.where] if step.where else [])]
        case AskStep():
            return [step.player, *(a for _, args in step.moves for a in args)]
        case _:
            return []


def _of_amount(amount: Amount) -> list[Expr]:
    return [e for e in (amount.number, amount.kinds) if e is not None]


def _of_goals(goals: tuple[Goal, ...]) -> list[Expr]:
    return [goal.place for goal in goals]


def of_template(template: Template) -> list[Expr]:
    return [part for part in template.parts if not isinstance(part, str)]


def scorings(steps: tuple[Step, ...]) -> Iterator[str]:
    """The scoring rules that steps name."""
    for step in all_steps(steps):
        if isinstance(step, ScoreStep):
            yield from (rule for rule, _ in step.rules)


def all_expressions(model: Model) -> Iterator[tuple[Expr, Span]]:
    """Every whole expression that play works out, and the entry or step it stands in."""
    for function in model.functions.values():
        yield function.body, function.span
    for _, _, body in bodies(model):
        for step in all_steps(body):
            yield from ((e, step.span) for e in of_step(step))
    for move in model.moves.values():
        for choice in move.choices:
            wanted = (choice.domain, choice.at_most, choice.at_least, choice.source)
            yield from ((e, choice.span) for e in wanted if e is not None)
        for condition in move.conditions:
            yield condition.that, condition.span
            yield from ((e, condition.span) for e in of_template(condition.refusal))
        yield from ((e, move.text.span) for e in of_template(move.text))
    for rule in model.rules.values():
        yield rule.points, rule.span
        yield from ((e, rule.text.span) for e in of_template(rule.text))
    for _, e in model.winner:
        yield e, model.procedures["play"].span
