"""A game as a tree of moments, each with what every seat learned by it: what a player knows is all they have seen, in order.

INVARIANT: the words of a moment for a seat are made of views, of decisions as `Sight` words them for that seat, and, where that
seat decides and the rules let its possibilities depend on hidden pieces, of these possibilities. They hold nothing else.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from interpreter import CHANCE, Move, State, named
from referee.learn.prepared import PreparedGame


@dataclass(frozen=True, slots=True)
class Path:
    """The decisions that led to a moment, by number: as it is written down."""

    decisions: tuple[int, ...]

    def walk(self, first: History) -> History:
        """Return the moment that the decisions lead to."""
        for number in self.decisions:
            first = first.decide(number)
        return first


class History:
    """A position and the decision that led to it. It never changes, and is shared by all copies of a game."""

    __slots__ = ("_learned", "_views", "before", "move", "prepared", "state")

    def __init__(
        self, prepared: PreparedGame, state: State, before: History | None = None, move: Move | None = None
    ) -> None:
        self.prepared, self.state, self.before, self.move = prepared, state, before, move
        self._views: dict[int | None, dict[str, Any]] = {}
        self._learned: dict[int | None, str] = {}

    def __deepcopy__(self, memo: object) -> History:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        prepared = self.prepared
        return Path, (
            tuple(
                prepared.chance_number(m.move) if before.state.to_move == CHANCE else prepared.number(m.move)
                for m in self._line()
                if (before := m.before) is not None and m.move is not None
            ),
        )

    def _line(self) -> list[History]:
        """Return all moments up to this one, the first one first."""
        found = [self]
        while (before := found[-1].before) is not None:
            found.append(before)
        return found[::-1]

    def decide(self, number: int) -> History:
        """Return the moment after a decision of a player, or of chance, by its number; IllegalMove if it is none of the legal ones."""
        is_chance = self.state.to_move == CHANCE
        move = self.prepared.chance(self.state, number) if is_chance else self.prepared.move(number)
        return History(self.prepared, self.prepared.game.apply(self.state, move), self, move)

    def returns(self) -> list[float]:
        """Return the reward of each player for the whole game, which is over."""
        prepared, line = self.prepared, self._line()
        scores = prepared.scores([line[0].state, self.state])
        return [float(r) for r in prepared.gained(scores[:1], scores[1:], np.array([prepared.places(self.state)]))[0]]

    def known(self, viewer: int | None) -> str:
        """Return all that a seat, or for None an onlooker, has seen since the game began."""
        return "\n".join(moment.learned(viewer) for moment in self._line())

    def seen(self, viewer: int | None) -> str:
        """Return what a seat, or for None an onlooker, sees now."""
        return _listed(self.view(viewer))

    def whole(self) -> str:
        """Return the position with all that is hidden."""
        return _listed(everything(self.prepared, self.state))

    def view(self, viewer: int | None) -> dict[str, Any]:
        """Return what a seat, or for None an onlooker, sees now, each thing by its name."""
        found = self._views.get(viewer)
        if found is None:
            view = self.prepared.game.view(self.state, viewer)
            found = self._views[viewer] = {"to move": view["to_move"], **view["places"], **view["variables"]}
        return found

    def learned(self, viewer: int | None) -> str:
        """Return what is new to a seat since the moment before: the decision, and what it sees that it did not."""
        found = self._learned.get(viewer)
        if found is None:
            view, earlier = self.view(viewer), {} if self.before is None else self.before.view(viewer)
            new = {name: value for name, value in view.items() if name not in earlier or earlier[name] != value}
            words = [self._decision(viewer)] if self.before is not None else []
            words += [_listed(new)] if new else []
            found = self._learned[viewer] = "; ".join([*words, *self._possible(viewer)])
        return found

    def _decision(self, viewer: int | None) -> str:
        """Return the decision that led here; and, if it is the last of some that were made at the same time, those."""
        assert self.before is not None and self.move is not None
        sight, closing = self.prepared.game.sight, (self.before.state, self.move)
        if sight.is_open(*closing, self.state):
            known, shown = [self], None
        else:
            known, shown = [*self.before.unknown_yet(), self], closing
        found = []
        for moment in known:
            assert moment.before is not None and moment.move is not None
            who = moment.before.state.to_move
            words, _ = sight.words(moment.before.state, moment.move, viewer, moment.state, shown)
            found.append(words if who == CHANCE else f"{who}: {words}")
        return "; ".join(found)

    def unknown_yet(self) -> list[History]:
        """Return the last moments whose decisions only their players know: others are still to decide."""
        found: list[History] = []
        moment = self
        while moment.before is not None and moment.move is not None:
            if not self.prepared.game.sight.is_open(moment.before.state, moment.move, moment.state):
                break
            found.append(moment)
            moment = moment.before
        return found[::-1]

    def _possible(self, viewer: int | None) -> list[str]:
        """Return the legal moves of the seat that decides, if they give away something hidden."""
        game = self.prepared.game
        decision = game.decision(self.state)
        if not viewer or self.state.to_move != viewer or decision is None:
            return []
        if not game.sight.legality_reveals(decision.moves):
            return []
        return [f"possible={','.join(map(str, self.prepared.legal(self.state)))}"]


def everything(prepared: PreparedGame, state: State) -> dict[str, Any]:
    """Return all that there is, each place and variable by its name."""
    model, game = prepared.game.model, prepared.game
    found: dict[str, Any] = {"to move": state.to_move}
    for place in model.places.values():
        for number, combo in enumerate(product(*place.index_values)):
            pieces = [(model.value_name(k), n) for k, n in game.contents(state, place.name, number)]
            found[named(model, place.name, combo)] = [k for k, _ in pieces] if place.shape == "stack" else dict(pieces)
    for variable in model.variables.values():
        for combo in product(*variable.index_values):
            found[named(model, variable.name, combo)] = game.plain_variable(state, variable.name, *combo)
    return found


def _listed(values: dict[str, Any]) -> str:
    return "; ".join(f"{name}={as_text(value)}" for name, value in values.items())


def as_text(value: Any) -> str:
    """Return a value of a view on one line; the order in which pieces are listed does not count.

    >>> as_text({"oak": 2, "ash": 1}), as_text(None), as_text("oak")
    ('{"ash": 1, "oak": 2}', 'none', 'oak')
    """
    if value is None:
        return "none"
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False)
