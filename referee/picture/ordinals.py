"""Indexes that only count: dice, or cards in a row, that nobody calls by their number."""

from __future__ import annotations

from itertools import product

from interpreter import Game, State
from rulespec import syntax


def is_counted(game: Game, variable: syntax.Variable, owned: bool) -> bool:
    """Return whether the values of a variable are one row of things without names of their own.

    Its index, besides the owner's where it is `owned`, is a range of numbers that no place has and no move asks for.
    """
    at = [i for i, name in enumerate(variable.index) if not (owned and name == "player")]
    if len(at) != 1 or isinstance(variable.type, syntax.YesNo):
        return False
    name, values = variable.index[at[0]], variable.index_values[at[0]]
    if name == "player" or max(values) >= syntax.NONE or len(values) < 2:
        return False
    of_places = (
        pair for place in game.model.places.values() for pair in zip(place.index, place.index_values, strict=True)
    )
    return (name, values) not in of_places and not any(
        _is_asked(choice.type, name, values) for move in game.model.moves.values() for choice in move.choices
    )


def counted_values(game: Game, state: State, variable: syntax.Variable, player: int | None) -> list[int]:
    """Return the values of such a variable in order, up to the last that has changed since the start."""
    found: list[int] = []
    last = 0
    for index, start in zip(product(*variable.index_values), variable.starts, strict=True):
        if player is None or index[variable.index.index("player")] == player:
            found.append(game.variable(state, variable.name, *index))
            last = len(found) if found[-1] != start else last
    return found[:last]


def _is_asked(t: syntax.Type, name: str, values: tuple[int, ...]) -> bool:
    """Return whether a type has the values of an index: its set, or the same numbers where that has no name."""
    if not isinstance(t, syntax.Values):
        return False
    return t.home == name if name else t.is_number and (t.lo, t.hi) == (values[0], values[-1])
