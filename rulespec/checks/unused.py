"""Names that nothing uses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulespec.checks.reach import unreached
from rulespec.diagnostics.diagnostic import Diagnostic, Span
from rulespec.syntax import (
    Choice,
    Expr,
    LetStep,
    Model,
    Move,
    RollStep,
    Step,
    bodies,
    free_names,
    inner_steps,
    of_step,
    of_template,
)


def check_unused(model: Model) -> Iterator[Diagnostic]:
    """Named things that nothing uses are probably misspelt somewhere else."""
    sections = (
        ("function", model.functions),
        ("table", model.tables),
        ("place", model.places),
        ("variable", model.variables),
        ("move", model.moves),
        ("scoring rule", model.rules),
        ("named step", model.procedures),
    )
    with_it = unreached(model)
    for what, entries in sections:
        for name, entry in entries.items():
            if name not in model.used and name not in ("setup", "play"):
                also = tuple((f"so `{other}` is never reached", span) for other, span in with_it.get(name, ()))
                yield Diagnostic(entry.span, "name-unused", f"the {what} `{name}` is never used", also=also,
                                 level="warning", about=(what, name))  # fmt: skip


def check_local_names(model: Model) -> Iterator[Diagnostic]:
    """Parameters, choices and names given by `let` and `roll` that nothing uses."""
    for function in model.functions.values():
        used = free_names(function.body)
        yield from _unused(((p.name, function.span) for p in function.parameters), used, f"in `{function.name}`")
    for rule in model.rules.values():
        used = _free([rule.points, *of_template(rule.text)])
        yield from _unused(((p.name, rule.span) for p in rule.parameters), used, f"in `{rule.name}`")
    for procedure in model.procedures.values():
        names = ((p.name, procedure.span) for p in procedure.parameters)
        yield from _unused(names, _used_by(procedure.body), f"in `{procedure.name}`")
    for move in model.moves.values():
        used = _used_by_move(move)
        named = [(c.name, c.span) for c in move.choices if not _is_counted(c)]
        yield from _unused([*((p.name, move.span) for p in move.given), *named], used, f"in `{move.name}`")
    for _, _, body in bodies(model):
        yield from _unused_lets(body)


def _is_counted(choice: Choice) -> bool:
    """Pieces chosen together are a decision even if only their number matters."""
    return choice.source is not None


def _unused(names: Iterable[tuple[str, Span]], used: frozenset[str], where: str) -> Iterator[Diagnostic]:
    for name, span in names:
        if name not in used:
            yield Diagnostic(span, "local-unused", f"`{name}` is never used {where}", level="warning")


def _free(expressions: Iterable[Expr]) -> frozenset[str]:
    return frozenset().union(*(free_names(e) for e in expressions))


def _used_by(steps: tuple[Step, ...]) -> frozenset[str]:
    """The local names that steps use: every name stands for one thing, so none is hidden inside."""
    found = _free(e for step in steps for e in of_step(step))
    return found.union(*(_used_by(inner) for step in steps for inner in inner_steps(step)))


def _used_by_move(move: Move) -> frozenset[str]:
    parts: list[Expr] = [c.domain for c in move.choices]
    for choice in move.choices:
        parts += [e for e in (choice.at_most, choice.at_least, choice.source) if e is not None]
    for condition in move.conditions:
        parts.append(condition.that)
    return _free(parts) | _used_by(move.does)


def _unused_lets(steps: tuple[Step, ...]) -> Iterator[Diagnostic]:
    """A `let` or `roll` is known to the end of its list."""
    for i, step in enumerate(steps):
        if isinstance(step, LetStep | RollStep) and step.name not in _used_by(steps[i + 1 :]):
            weight = free_names(step.weight) if isinstance(step, RollStep) and step.weight else frozenset()
            if isinstance(step, LetStep) or step.name not in weight:
                yield Diagnostic(step.span, "local-unused", f"`{step.name}` is never used below", level="warning")
        for inner in inner_steps(step):
            yield from _unused_lets(inner)
