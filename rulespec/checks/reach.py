"""Who runs whom: nothing runs itself, loops let somebody decide, and what is never reached."""

from __future__ import annotations

from collections.abc import Iterator, Set

from rulespec.checks.walk import bodies, scorings
from rulespec.diagnostics.diagnostic import Diagnostic, Span
from rulespec.expr.core import Call, each_expression
from rulespec.graph import circles
from rulespec.model.build import DEEPEST
from rulespec.model.model import AskStep, DoStep, DrawStep, Model, RollStep, Step, WhileStep
from rulespec.model.steps import all_steps


def called(steps: tuple[Step, ...]) -> list[str]:
    """The procedures and moves that steps run, in order."""
    names: list[str] = []
    for step in all_steps(steps):
        if isinstance(step, DoStep):
            names.append(step.name)
        elif isinstance(step, AskStep):
            names += [name for name, _ in step.moves]
    return names


def _calls(model: Model) -> dict[str, list[str]]:
    return {name: called(body) for name, _, body in bodies(model)}


def check_circles(model: Model) -> Iterator[Diagnostic]:
    """No procedure or move runs itself: every one has a single frame."""
    calls, spans = _calls(model), {name: span for name, span, _ in bodies(model)}
    for circle in circles(calls):
        if len(circle) == 1 and circle[0] not in calls[circle[0]]:
            continue
        first = next(name for name in calls if name in circle)
        way = " → ".join(_way_round(first, calls, set(circle)))
        yield Diagnostic(spans[first], "step-cycle", f"`{first}` runs itself: {way}",
                         "steps and moves may not call themselves, so that every game position has a fixed size",
                         "use `while`")  # fmt: skip


def _way_round(start: str, calls: dict[str, list[str]], circle: set[str]) -> list[str]:
    """A shortest way from a name back to it, inside its circle."""
    ways = [[start]]
    seen: set[str] = set()
    for way in ways:
        for name in calls[way[-1]]:
            if name == start:
                return [*way, name]
            if name in circle and name not in seen:
                seen.add(name)
                ways.append([*way, name])
    raise AssertionError(start)


def check_depth(model: Model) -> Iterator[Diagnostic]:
    """Definitions and steps use one another only so deep: each level is a level of the program too."""
    functions = {
        name: [e.function for e in each_expression([f.body]) if isinstance(e, Call)]
        for name, f in model.functions.items()
    }
    yield from _too_deep(functions, {n: f.span for n, f in model.functions.items()}, "definitions")
    yield from _too_deep(_calls(model), {name: span for name, span, _ in bodies(model)}, "steps")


def _too_deep(uses: dict[str, list[str]], spans: dict[str, Span], what: str) -> Iterator[Diagnostic]:
    depth: dict[str, int] = {}
    for circle in circles(uses):
        name = circle[0]
        depth[name] = 1 + max((depth.get(n, 0) for n in uses[name] if n != name), default=0)
        if depth[name] == DEEPEST + 1:
            message = f"`{name}` rests on more than {DEEPEST} {what}, each using the next"
            yield Diagnostic(spans[name], "too-deep", message)


def check_loops(model: Model) -> Iterator[Diagnostic]:
    """A `while` must contain a decision, or nothing could stop it."""
    deciding = _deciding(model)
    for _, _, body in bodies(model):
        for step in all_steps(body):
            if isinstance(step, WhileStep) and not _decides(step.body, deciding):
                yield Diagnostic(step.span, "while-without-decision", "nobody decides anything in this `while`",
                                 "a loop without `ask`, `draw` or `roll` could go on for ever",
                                 "use `for each`, or let somebody decide in the loop")  # fmt: skip


def _deciding(model: Model) -> set[str]:
    """The procedures in which somebody decides."""
    found: set[str] = set()
    steps = {name: body for name, _, body in bodies(model) if name not in model.moves}
    for circle in circles({name: called(body) for name, body in steps.items()}):
        found |= {name for name in circle if _decides(steps[name], found)}
    return found


def _decides(steps: tuple[Step, ...], deciding: set[str]) -> bool:
    return any(
        isinstance(step, AskStep | DrawStep | RollStep) or (isinstance(step, DoStep) and step.name in deciding)
        for step in all_steps(steps)
    )


def unreached(model: Model) -> dict[str, list[tuple[str, Span]]]:
    """Return what play never reaches though something names it, by the first unused procedure or move that leads there."""
    calls, spans = _calls(model), {name: span for name, span, _ in bodies(model)}
    spans |= {name: rule.span for name, rule in model.rules.items()}
    calls = {
        name: [*names, *scorings(body)] for (name, _, body), names in zip(bodies(model), calls.values(), strict=True)
    }
    order = {name: number for number, name in enumerate(spans)}
    reached = _reached(["setup:", "play:"], calls, set())
    roots = calls.keys() - reached - model.used
    found = {}
    for root in (name for name in calls if name in roots):
        new = _reached([root], calls, reached)
        reached |= new
        found[root] = [(name, spans[name]) for name in sorted((new - {root}) & order.keys(), key=order.__getitem__)]
    return found


def _reached(names: list[str], calls: dict[str, list[str]], known: Set[str]) -> set[str]:
    """Return all that these names lead to, but for what is known already and what that leads to."""
    found: set[str] = set()
    while names:
        name = names.pop()
        if name not in found and name not in known:
            found.add(name)
            names += calls.get(name, ())
    return found
