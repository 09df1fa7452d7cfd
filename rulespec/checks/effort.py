"""What would take too long in play, or need too much room."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from rulespec.checks.walk import all_expressions
from rulespec.circles import circles
from rulespec.diagnostics import Diagnostic
from rulespec.expr.core import Call, each_expression
from rulespec.expr.effort import effort
from rulespec.expr.types import ListOf, Several, Type, Values
from rulespec.model import Model, Place

MOST_EFFORT = 20_000_000  # steps to work out one expression
MOST_CHOICES = 5_000_000  # ways to choose a move, before any condition is looked at
LARGEST_POSITION = 200_000  # numbers that make a position


def efforts(model: Model) -> dict[str, int]:
    """The effort of each function."""
    found: dict[str, int] = {}
    uses = {
        n: [e.function for e in each_expression([f.body]) if isinstance(e, Call)] for n, f in model.functions.items()
    }
    for circle in circles(uses):
        for name in circle:
            found[name] = effort(model.functions[name].body, found)
    return found


def check_effort(model: Model) -> Iterator[Diagnostic]:
    """No expression takes longer than people would wait."""
    functions = efforts(model)
    told: set[str] = set()
    for e, span in all_expressions(model):
        uses = {x.function for x in each_expression([e]) if isinstance(x, Call)}
        if not uses & told and effort(e, functions) > MOST_EFFORT:
            told |= {name for name, f in model.functions.items() if f.span == span}
            yield Diagnostic(span, "too-much-work", f"working this out may take more than {MOST_EFFORT} steps",
                             "it goes through long lists inside long lists", "go through shorter lists")  # fmt: skip


def check_choices(model: Model) -> Iterator[Diagnostic]:
    """The ways to choose a move can be listed."""
    for move in model.moves.values():
        ways = prod(1 if isinstance(c.type, Several) else _members(c.domain.type) for c in move.choices)
        if ways > MOST_CHOICES:
            yield Diagnostic(move.span, "too-much-work", f"there are more than {MOST_CHOICES} ways to choose `{move.name}`",
                             "all of them are looked at to find those that are legal",
                             "let it choose less, or make several moves of it")  # fmt: skip


def _members(t: Type) -> int:
    if isinstance(t, ListOf):
        exact = _values(t.item) if isinstance(t.item, Values) else t.largest
        return max(1, min(t.largest, exact))
    return 1


def _values(t: Values) -> int:
    numbers = t.hi - t.lo + 1 if t.lo is not None and t.hi is not None else 0
    return numbers + len(t.members) + t.none


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
