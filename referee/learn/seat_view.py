"""A position as numbers, as one seat may see it.

INVARIANT: the numbers are made of what `Game.view` shows that seat and of nothing else: pieces of hidden places are counted, or
told apart by what they show. Positions that look the same to a seat have the same numbers.

A place or variable with a `player` index begins with the own one, then come the others as they sit: so one program can play all
seats. Sets and kinds have a number for each member that is 1 or 0; amounts are numbers as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product

import numpy as np
from numpy.typing import NDArray

from interpreter import Game, is_seen
from referee.learn import texts
from rulespec import syntax

Numbers = NDArray[np.int32]
PLAYER = "player"  # the index set of the seats
MOST_READINGS = 1_000_000


class Unfit(ValueError):
    """A game, or a wish about it, that these environments are not made for."""


@dataclass(frozen=True, slots=True)
class Term:
    """A number of a position, or with a code: `weight` if it is that code. In a stack: only if that is higher than `level`."""

    at: int
    code: int | None = None
    stack: int | None = None
    level: int = 0
    weight: int = 1


@dataclass(frozen=True, slots=True)
class Reading:
    """One number of an observation: the sum of its terms."""

    name: str
    low: int
    high: int
    terms: tuple[Term, ...]


class SeatView:
    """All numbers that one seat sees of a position; `everything`: also what is hidden from it."""

    def __init__(self, game: Game, seat: int, everything: bool = False) -> None:
        self.readings = tuple(islice(_readings(game, seat, everything), MOST_READINGS + 1))
        if len(self.readings) > MOST_READINGS:
            raise Unfit(texts.TOO_LARGE.format(title=game.title, most=MOST_READINGS))
        terms = [term for reading in self.readings for term in reading.terms]
        self._at = np.array([t.at for t in terms], np.intp)
        self._coded = np.array([i for i, t in enumerate(terms) if t.code is not None], np.intp)
        self._codes = np.array([t.code for t in terms if t.code is not None], np.int32)
        self._weights = np.array([t.weight for t in terms if t.code is not None], np.int32)
        self._stacked = np.array([i for i, t in enumerate(terms) if t.stack is not None], np.intp)
        self._stacks = np.array([t.stack for t in terms if t.stack is not None], np.intp)
        self._levels = np.array([t.level for t in terms if t.stack is not None], np.int32)
        many = np.array([len(f.terms) for f in self.readings], np.intp)
        self._seen = np.flatnonzero(many)  # readings that are not blank
        self._first = np.cumsum(many)[self._seen] - many[self._seen]

    def look(self, positions: Numbers) -> Numbers:
        """Return the observations of positions, one a row."""
        values = positions[:, self._at]
        values[:, self._coded] = (values[:, self._coded] == self._codes) * self._weights
        values[:, self._stacked] *= positions[:, self._stacks] > self._levels
        found = np.zeros((len(positions), len(self.readings)), np.int32)
        if len(self._seen):
            found[:, self._seen] = np.add.reduceat(values, self._first, axis=1, dtype=np.int32)
        return found


def seat_names(players: int) -> list[str]:
    """Return how the seats are called in the names of readings, the own one first."""
    return ["me", *(f"me+{i}" for i in range(1, players))]


def _readings(game: Game, seat: int, everything: bool) -> Iterator[Reading]:
    for place in game.model.places.values():
        yield from _of_place(game, place, seat, everything)
    for variable in game.model.variables.values():
        yield from _of_variable(game, variable, seat, everything)


def _indexes(index: Sequence[str], values: Sequence[tuple[int, ...]], seat: int) -> list[tuple[int, ...]]:
    """Return the combinations of an index, the own seat first."""
    turned = [v[seat - 1 :] + v[: seat - 1] if name == PLAYER else v for name, v in zip(index, values, strict=True)]
    return list(product(*turned))


def _number(values: Sequence[tuple[int, ...]], combo: tuple[int, ...]) -> int:
    at = 0
    for codes, code in zip(values, combo, strict=True):
        at = at * len(codes) + codes.index(code)
    return at


def _named(game: Game, name: str, index: Sequence[str], combo: tuple[int, ...], seat: int) -> str:
    seats = seat_names(game.players)
    words = [
        seats[(code - seat) % game.players] if of == PLAYER else game.model.value_name(code)
        for of, code in zip(index, combo, strict=True)
    ]
    return f"{name}[{', '.join(words)}]" if words else name


# places ---------------------------------------------------------------------------------------------------------


def _of_place(game: Game, place: syntax.Place, seat: int, everything: bool) -> Iterator[Reading]:
    """Yield the numbers of a family: each place has those of an open one, of a hidden one, or of both, as somebody may see it."""
    is_open = everything or place.seen_by != "nobody"
    is_hidden = not everything and place.seen_by != "everyone"
    for combo in _indexes(place.index, place.index_values, seat):
        name = _named(game, place.name, place.index, combo, seat)
        number = _number(place.index_values, combo)
        seen = everything or is_seen(place, combo, seat)
        if is_open:
            yield from (f if seen else _blank(f) for f in _open(game, place, number, name))
        if is_hidden:
            yield from (_blank(f) if seen else f for f in _hidden(game, place, number, name))


def _blank(reading: Reading) -> Reading:
    """Return a number that is always 0, in the place of one that this seat does not see."""
    return Reading(reading.name, min(0, reading.low), max(0, reading.high), ())


def _most(game: Game, place: syntax.Place, kinds: Sequence[int]) -> int:
    """Return how many pieces of some kinds can lie on a place."""
    supply = sum(s.count for s in game.model.pieces if s.kind in kinds)
    room = -1 if -1 in place.rooms else max(place.rooms, default=-1)
    return supply if room < 0 else min(supply, room)


def _lying(game: Game, place: syntax.Place, number: int, kind: int) -> list[Term]:
    """Return the terms whose sum is how many pieces of a kind lie on a pile or cell."""
    lay = game.layout.places[place.name]
    at = lay.address(number)
    return [Term(at, kind)] if place.shape == "cell" else [Term(at + lay.slots[kind])]


def _levels(game: Game, place: syntax.Place, number: int) -> list[tuple[int, int]]:
    """Return where the pieces of a stack lie, from the bottom up, each with its level."""
    lay = game.layout.places[place.name]
    return [(lay.address(number) + 1 + level, level) for level in range(lay.width - 1)]


def _open(game: Game, place: syntax.Place, number: int, name: str) -> Iterator[Reading]:
    word = game.model.value_name
    if place.shape != "stack":
        for kind in place.kinds:
            yield Reading(
                f"{name} {word(kind)}", 0, _most(game, place, [kind]), tuple(_lying(game, place, number, kind))
            )
        return
    stack = game.layout.places[place.name].address(number)
    for at, level in _levels(game, place, number):
        for kind in place.kinds:
            yield Reading(f"{name} {level + 1} {word(kind)}", 0, 1, (Term(at, kind, stack, level),))


def _hidden(game: Game, place: syntax.Place, number: int, name: str) -> Iterator[Reading]:
    """Yield how many pieces lie there, or what they show."""
    shown = {kind: game.shown(place.name, kind) for kind in place.kinds}
    signs: dict[int | None, list[int]] = {}
    for kind, sign in shown.items():
        signs.setdefault(sign, []).append(kind)
    stack = game.layout.places[place.name].address(number)
    for sign, kinds in signs.items():
        words = f"{name} hidden" if sign is None else f"{name} hidden {game.model.value_name(sign)}"
        if place.shape != "stack":
            terms = [term for kind in kinds for term in _lying(game, place, number, kind)]
            yield Reading(words, 0, _most(game, place, kinds), tuple(terms))
        elif sign is None:
            yield Reading(words, 0, _most(game, place, place.kinds), (Term(stack),))
        else:
            for at, level in _levels(game, place, number):
                yield Reading(f"{words} {level + 1}", 0, 1, tuple(Term(at, kind, stack, level) for kind in kinds))


# variables ------------------------------------------------------------------------------------------------------


def _of_variable(game: Game, variable: syntax.Variable, seat: int, everything: bool) -> Iterator[Reading]:
    """Yield the numbers of a variable: blank where the seat does not see it, as nobody's are not even there."""
    if variable.seen_by == "nobody" and not everything:
        return
    for combo in _indexes(variable.index, variable.index_values, seat):
        seen = everything or is_seen(variable, combo, seat)
        yield from (f if seen else _blank(f) for f in _of_value(game, variable, combo, seat))


def _of_value(game: Game, variable: syntax.Variable, combo: tuple[int, ...], seat: int) -> Iterator[Reading]:
    name = _named(game, variable.name, variable.index, combo, seat)
    at = game.layout.variables[variable.name].base + _number(variable.index_values, combo)
    match variable.type:
        case syntax.Values(home=home, lo=1, hi=hi) if home == PLAYER and hi == game.players:
            for seated, word in enumerate(seat_names(game.players)):
                yield Reading(f"{name} {word}", 0, 1, (Term(at, (seat - 1 + seated) % game.players + 1),))
            if variable.type.none:
                yield Reading(f"{name} none", 0, 1, (Term(at, syntax.NONE),))
        case syntax.Values(lo=lo, hi=hi, members=members, none=none):
            codes = [*sorted(members), *([syntax.NONE] if none else [])]
            if lo is not None and hi is not None:
                yield _amount(name, at, lo, hi, codes)
            for code in codes:
                yield Reading(f"{name} {game.model.value_name(code)}", 0, 1, (Term(at, code),))
        case _:
            yield Reading(name, 0, 1, (Term(at),))


def _amount(name: str, at: int, lo: int, hi: int, others: list[int]) -> Reading:
    """Return a number as it is; 0 where it is one of the other codes that it may be."""
    if not others:
        return Reading(name, lo, hi, (Term(at),))
    return Reading(name, min(0, lo), max(0, hi), (Term(at), *(Term(at, code, weight=-code) for code in others)))
