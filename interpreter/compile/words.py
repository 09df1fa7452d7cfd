"""Functions that only explanations need: conditions one by one, the holes of texts, domains of choices, the picture.

They are a program of their own, made when somebody first asks: playing needs none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from interpreter.compile.listing import Listing
from interpreter.compile.maker import Maker
from interpreter.compile.program import List, Num, Program, Return, is_list
from interpreter.compile.values import Bound, Env, Expressions
from interpreter.layout import Layout
from rulespec.checks.work import Work
from rulespec.diagnostics.diagnostic import Span
from rulespec.syntax import (
    Expr,
    Model,
    MoveRule,
    Template,
    Type,
    ViewKey,
    of_codes,
    view_expressions,
    view_names,
)

Names = Sequence[tuple[str, Type]]


@dataclass(frozen=True, slots=True)
class MoveWords:
    """The functions behind one move: of the state, `me`, what the ask gives, and what is chosen."""

    text: tuple[int, ...]  # one for each hole
    needs: tuple[int, ...]  # one for each condition,
    refusals: tuple[tuple[int, ...], ...]  # and one for each hole of its refusal
    domains: tuple[int, ...]  # all values of a choice, by the choices before it


@dataclass(frozen=True, slots=True)
class Words:
    """The functions of a program of words, by what they are asked for."""

    moves: dict[str, MoveWords]
    shows: dict[str, int]  # place → what its pieces show, by their kind
    drawn: dict[ViewKey, int]  # what an expression of the view gives, by the names it may use


def lower_words(model: Model, layout: Layout) -> tuple[Program, Words]:
    """Return the program of words of a game whose positions are laid out so."""
    maker = Maker(model, layout)
    x = Expressions(maker)
    listing = Listing(x, Work(model), watching=False)
    moves = {name: _move_words(x, listing, move) for name, move in model.moves.items()}
    shows = {
        place.name: value_function(x, [(place.kind_name, of_codes(place.kinds))], place.shows, place.span)
        for place in model.places.values()
        if place.shows is not None
    }
    drawn = {key: value_function(x, view_names(model, *key), e, span) for key, e, span in view_expressions(model.view)}
    return maker.program(), Words(moves, shows, drawn)


def _move_words(x: Expressions, listing: Listing, move: MoveRule) -> MoveWords:
    given: list[tuple[str, Type]] = [("me", x.model.sets["player"].type), *((p.name, p.type) for p in move.given)]
    names = [*given, *((c.name, c.type) for c in move.choices)]
    return MoveWords(
        _holes(x, names, move.text, move.span),
        tuple(
            _function(x, names, c.span, lambda env, condition=c: listing.holds(move, (condition,), env))  # type: ignore[misc]
            for c in move.conditions
        ),
        tuple(_holes(x, names, c.refusal, c.span) for c in move.conditions),
        tuple(
            _function(x, names[: len(given) + i], c.span, lambda env, choice=c: listing.domain(choice, env))  # type: ignore[misc]
            for i, c in enumerate(move.choices)
        ),
    )


def _holes(x: Expressions, names: Names, template: Template, span: Span) -> tuple[int, ...]:
    return tuple(value_function(x, names, part, span) for part in template.parts if not isinstance(part, str))


def value_function(x: Expressions, names: Names, e: Expr, span: Span) -> int:
    """Return the number of a function of these names that gives the value of `e`."""
    return _function(x, names, span, lambda env: x.argument(e, env))


def _function(x: Expressions, names: Names, span: Span, value: Callable[[Env], Num | List]) -> int:
    made = x.m.reserve()
    parameters = tuple(x.m.parameter(t) for _, t in names)
    env = {name: Bound(t, v) for (name, t), v in zip(names, parameters, strict=True)}
    pure, x.pure = x.pure, True
    with x.m.function() as body:
        given = value(env)
        x.m.add(Return(given))
    x.pure = pure
    x.m.define(made, "words", parameters, body, "list" if is_list(given) else "number", span)
    return made
