"""Marks that are printed on boards between places: those that are lit, and those that lack one place to be. It never prints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from interpreter import Game, State
from referee.shell import texts
from rulespec import syntax


@dataclass(frozen=True, slots=True)
class BoardMark:
    """A mark on a player's board: the set that it is a member of, and its code."""

    set: str
    code: int


def board_marks(game: Game) -> Iterator[BoardMark]:
    """Yield the marks on players' boards that can be lit, where everybody sees the board."""
    for name, drawn in game.model.view.marks.items():
        place = game.model.places[drawn.on]
        if {"between", "lit"} <= drawn.values.keys() and "player" in place.index and place.seen_by == "everyone":
            yield from (BoardMark(name, code) for code in game.model.sets[name].values)


def is_lit(game: Game, state: State, player: int, mark: BoardMark) -> bool:
    """Return whether a mark on a player's board is lit."""
    return bool(game.drawn(state, ("marks", mark.set, "lit"), player, mark.code))


def lacks(game: Game, state: State, player: int, mark: BoardMark) -> str:
    """Return the only empty place around a mark that is not lit, by its name; empty: there are none, or several."""
    place = game.model.places[game.model.view.marks[mark.set].on]
    around = game.drawn(state, ("marks", mark.set, "between"), player, mark.code) or ()
    at = place.index.index("player")
    empty = []
    for cell in around:
        own = game.model.pair_parts.get(cell, (cell,))
        if len(own) + 1 != len(place.index):
            return ""  # it names several places
        if not game.place(state, place.name, *own[:at], player, *own[at:]):
            empty.append(cell)
    if len(empty) != 1 or len(around) < 2 or is_lit(game, state, player, mark):
        return ""
    return game.model.value_name(empty[0])


def mark_words(game: Game, state: State, player: int, mark: BoardMark) -> str:
    """Return a mark in words, with what is printed on it."""
    words = game.model.value_name(mark.code).replace("_", " ")
    if mark.set not in words:
        words = f"{words} {mark.set.replace('_', ' ')}"
    under = game.drawn(state, ("marks", mark.set, "under"), player, mark.code)
    if under in (None, syntax.NONE):
        return words
    sign = str(under) if under < syntax.NONE else game.model.value_name(under)
    return texts.ON_TRACK.format(value=words, printed=sign)
