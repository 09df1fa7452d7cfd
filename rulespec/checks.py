"""Game sense: what is well formed and well typed, and still cannot be meant."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulespec.diagnostics import Diagnostic
from rulespec.model import AskStep, DoStep, DrawStep, Model, Procedure, RollStep, Step, WhileStep
from rulespec.steps import all_steps
from rulespec.tree import Mapping

Check = Callable[[Model], Iterator[Diagnostic]]


def check_cycles(model: Model) -> Iterator[Diagnostic]:
    """No procedure or move runs itself: every one has a single frame."""
    calls = {name: _calls(p.body) for name, p in model.procedures.items()}
    calls |= {name: _calls(m.does) for name, m in model.moves.items()}
    spans = {**{n: p.span for n, p in model.procedures.items()}, **{n: m.span for n, m in model.moves.items()}}
    done: set[str] = set()
    for start in calls:
        path: list[str] = []

        def visit(name: str) -> list[str] | None:
            if name in path:  # noqa: B023
                return [*path[path.index(name) :], name]  # noqa: B023
            if name in done:
                return None
            path.append(name)  # noqa: B023
            for called in calls.get(name, ()):
                if cycle := visit(called):
                    return cycle
            path.pop()  # noqa: B023
            done.add(name)
            return None

        if cycle := visit(start):
            yield Diagnostic(spans[cycle[0]], "step-cycle", f"`{cycle[0]}` runs itself: {' → '.join(cycle)}",
                             "steps and moves may not call themselves, so that every game position has a fixed size",
                             "use `while`")  # fmt: skip
            return


def _calls(steps: tuple[Step, ...]) -> list[str]:
    names: list[str] = []
    for step in all_steps(steps):
        if isinstance(step, DoStep):
            names.append(step.name)
        elif isinstance(step, AskStep):
            names += [name for name, _ in step.moves]
    return names


def check_loops(model: Model) -> Iterator[Diagnostic]:
    """A `while` must contain a decision, or nothing could stop it."""
    for body in _bodies(model):
        for step in all_steps(body):
            if isinstance(step, WhileStep) and not _decides(model, step.body):
                yield Diagnostic(step.span, "while-without-decision", "nobody decides anything in this `while`",
                                 "a loop without `ask`, `draw` or `roll` could go on for ever",
                                 "use `for each`, or let somebody decide in the loop")  # fmt: skip


def _bodies(model: Model) -> Iterator[tuple[Step, ...]]:
    for procedure in model.procedures.values():
        yield procedure.body
    for move in model.moves.values():
        yield move.does


def _decides(model: Model, steps: tuple[Step, ...]) -> bool:
    for step in all_steps(steps):
        if isinstance(step, AskStep | DrawStep | RollStep):
            return True
        if isinstance(step, DoStep) and _decides(model, _body(model, step.name)):
            return True
    return False


def _body(model: Model, name: str) -> tuple[Step, ...]:
    procedure: Procedure | None = model.procedures.get(name)
    return procedure.body if procedure else ()


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
    for what, entries in sections:
        for name, entry in entries.items():
            if name not in model.used and name not in ("setup", "play"):
                yield Diagnostic(entry.span, "name-unused", f"the {what} `{name}` is never used", level="warning",
                                 about=(what, name))  # fmt: skip


def check_pieces(model: Model) -> Iterator[Diagnostic]:
    for kind in model.kinds:
        if not any(s.kind == kind and s.count for s in model.pieces):
            continue
        if not any(kind in p.kinds for p in model.places.values()):
            span = next(iter(model.places.values())).span if model.places else model.procedures["play"].span
            yield Diagnostic(span, "piece-without-place", f"no place can hold `{model.value_name(kind)}`")


# cycles first: the others follow calls and would not end in one
CHECKS: tuple[Check, ...] = (check_cycles, check_loops, check_unused, check_pieces)


def check_sense(model: Model, tree: Mapping) -> list[Diagnostic]:
    found: list[Diagnostic] = []
    for check in CHECKS:
        found += check(model)
        if check is check_cycles and found:
            break
    return found
