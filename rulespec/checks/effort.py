"""What would take too long in play, or need too much room."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.checks.work import Work
from rulespec.diagnostics.diagnostic import Diagnostic
from rulespec.expr.evaluate import is_static
from rulespec.syntax import (
    Call,
    ForStep,
    LetStep,
    ListOf,
    Model,
    Place,
    Several,
    all_expressions,
    all_steps,
    bodies,
    each_expression,
)

MOST_EFFORT = 2_000_000  # steps to work out one expression
MOST_STEPS = 10_000_000  # steps of what is done at once, between two decisions
MOST_CHOICES = 1_000_000  # ways to choose a move, before any condition is looked at
MOST_TOGETHER = 200_000  # ways to choose pieces together
MOST_COUNTS = 1_000_000  # numbers that say how many of each kind are chosen, in all these ways
MOST_KEPT = 5_000  # items of a list that is kept while somebody decides
MOST_GONE_THROUGH = 19_000  # items of one that is known before the game
LARGEST_POSITION = 200_000  # numbers that make a position


def check_effort(model: Model) -> Iterator[Diagnostic]:
    """No expression takes longer than people would wait."""
    work = Work(model)
    told: set[str] = set()
    for e, span in all_expressions(model):
        uses = {x.function for x in each_expression([e]) if isinstance(x, Call)}
        steps = work.effort(e)
        if steps <= MOST_EFFORT:
            continue
        own = {name for name, f in model.functions.items() if f.span == span}
        if not uses & told:
            message = f"working this out may take {steps:,} steps, at most {MOST_EFFORT:,} are allowed"
            yield Diagnostic(span, "too-much-work", message,
                             "it goes through long lists inside long lists", "go through shorter lists")  # fmt: skip
        told |= own  # those that use it are too long for that reason alone
    if not told:
        yield from _long_steps(model, work)


def _long_steps(model: Model, work: Work) -> Iterator[Diagnostic]:
    """The first named step or move that does too much at once: those that do it are too long for that reason alone."""
    for name, span, _ in bodies(model):
        section = "moves" if name in model.moves else "steps"
        steps = work.steps(section, name.removesuffix(":"))
        if steps > MOST_STEPS:
            message = f"`{name.removesuffix(':')}` may take {steps:,} steps, at most {MOST_STEPS:,} are allowed"
            yield Diagnostic(span, "too-much-work", message, "all of it is done before anybody decides anything again",
                             "go through shorter lists, or do less at once")  # fmt: skip
            return


def check_choices(model: Model) -> Iterator[Diagnostic]:
    """The ways to choose a move can be listed."""
    work = Work(model)
    for move in model.moves.values():
        for choice in move.choices:
            ways = work.ways(choice)
            if isinstance(choice.type, Several) and (
                ways > MOST_TOGETHER or ways * len(choice.type.kinds) > MOST_COUNTS
            ):
                most = min(MOST_TOGETHER, MOST_COUNTS // len(choice.type.kinds))
                message = f"there are {ways:,} ways to choose `{choice.name}`, at most {most:,} are allowed"
                kinds = len(choice.type.kinds)
                yield Diagnostic(choice.span, "too-much-work", message,
                                 f"each is a number of pieces of {'one kind' if kinds == 1 else f'each of {kinds} kinds'}, and all are looked at",
                                 "let fewer pieces be chosen together, or let them be chosen one after another")  # fmt: skip
                break
        else:
            ways = work.candidates(move)
            if ways > MOST_CHOICES:
                message = f"there are {ways:,} ways to choose `{move.name}`, at most {MOST_CHOICES:,} are allowed"
                yield Diagnostic(move.span, "too-much-work", message,
                                 "all of them are looked at to find those that are legal",
                                 "let it choose less, or make several moves of it")  # fmt: skip


def check_kept(model: Model) -> Iterator[Diagnostic]:
    """Lists that are kept while somebody decides have room in a position."""
    work = Work(model)
    for _, _, body in bodies(model):
        for step in all_steps(body):
            if isinstance(step, LetStep):
                kept, most = step.value, MOST_KEPT
            elif isinstance(step, ForStep) and work.waits(step):
                kept = step.domain
                most = MOST_GONE_THROUGH if is_static(kept, model.functions, work.static) else MOST_KEPT
            else:
                continue
            if isinstance(kept.type, ListOf) and kept.type.largest > most:
                message = f"this list may have {kept.type.largest:,} items, at most {most:,} are allowed"
                yield Diagnostic(step.span, "too-large", message, "it is kept while somebody decides")


def check_size(model: Model) -> Iterator[Diagnostic]:
    """A position is a list of numbers that can be copied quickly."""
    sizes = [(_size(p), p.span, p.name) for p in model.places.values()]
    sizes += [(len(v.starts), v.span, v.name) for v in model.variables.values()]
    total = sum(size for size, _, _ in sizes)
    if total > LARGEST_POSITION:
        size, span, name = max(sizes)
        yield Diagnostic(span, "too-large", f"a position would be {total} numbers, at most {LARGEST_POSITION} are allowed",
                         f"`{name}` alone needs {size}")  # fmt: skip


def _size(place: Place) -> int:
    match place.shape:
        case "pile":
            return place.size * len(place.kinds)
        case "stack":
            return sum(place.rooms) + place.size
        case _:
            return place.size
