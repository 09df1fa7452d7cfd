"""What a seat does not know: positions that look the same to it, and chance that nobody knows."""

from __future__ import annotations

import random
from itertools import product

from interpreter import Game, Move, State
from interpreter.layout import contents, put
from interpreter.view import is_seen
from rulespec.expr.types import NONE


def play_chance(game: Game, state: State, rng: random.Random) -> Move:
    """An outcome of chance, by its weight."""
    outcomes = game.chances(state)
    return rng.choices([move for move, _ in outcomes], [weight for _, weight in outcomes])[0]


def imagine(game: Game, state: State, me: int, rng: random.Random) -> State:
    """A position that looks the same to a player: unseen pieces dealt anew, chance left open."""
    return Unseen(game, state, me).deal(rng)


def unseen_places(game: Game, viewer: int | None) -> list[tuple[str, int]]:
    """The places whose pieces a player (or, for None, somebody who watches) cannot see."""
    return [
        (name, number)
        for name, place in game.model.places.items()
        for number, index in enumerate(product(*place.index_values))
        if not is_seen(place, index, viewer)
    ]


class Unseen:
    """A position as one player knows it, to be dealt again and again.

    INVARIANT: positions that look the same to the player are dealt the same, from the same random numbers: pieces are
    gathered in an order that does not tell where they lay. Only what looks alike and may lie there changes places.
    """

    def __init__(self, game: Game, state: State, me: int) -> None:
        self.game = game
        self.state = State(state.vector, state.to_move, state.decisions, None, None, None, [])
        self._vector = list(state.vector)
        self._slots: list[
            tuple[str, int, object]
        ] = []  # a place, its number in the family, the group of what lies there
        self._groups: dict[object, list[int]] = {}  # what looks alike, in a fixed order
        places = unseen_places(game, me)
        self.certain = len(places) < 2  # nothing can have changed places
        if not self.certain:
            for name, number in places:
                self._gather(name, number)
            for kinds in self._groups.values():
                kinds.sort()

    def _gather(self, name: str, number: int) -> None:
        layout, place = self.game.program.layout, self.game.model.places[name]
        lying = [k for k, n in contents(layout, self._vector, name, number) for _ in range(n)]
        backs = [shown(self.game, name, k) for k in lying]
        if place.shape == "pile":
            backs.sort(key=repr)  # a pile has no order; a stack shows its backs in theirs
        for back in backs:
            self._slots.append((name, number, (frozenset(place.kinds), back)))
        for kind in lying:
            self._groups.setdefault((frozenset(place.kinds), shown(self.game, name, kind)), []).append(kind)
        lay = layout.places[name]
        empty = NONE if place.shape == "cell" else 0
        self._vector[lay.address(number) : lay.address(number) + lay.width] = [empty] * lay.width

    def deal(self, rng: random.Random) -> State:
        """The position with the unseen pieces dealt at random and chance left open."""
        if self.certain:
            return self.state
        vector, layout = self._vector.copy(), self.game.program.layout
        hands = {}
        for group, kinds in self._groups.items():
            hands[group] = iter(rng.sample(kinds, len(kinds)))
        for name, number, group in self._slots:  # in their order: stacks are filled from the bottom
            put(layout, vector, name, number, next(hands[group]), 1)
        return State(tuple(vector), self.state.to_move, self.state.decisions, None, None, None, [])


def shown(game: Game, place: str, kind: int) -> int | None:
    """What a piece on an unseen place shows of itself, for example its back; none: nothing."""
    shows = game.program.of_place("shows", place)
    return None if shows is None else shows(game.program.layout.start, kind)
