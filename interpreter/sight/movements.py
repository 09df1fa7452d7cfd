"""A game that tells how pieces moved: for people who move real ones."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from interpreter.game import Game
from interpreter.run.runtime import Run
from interpreter.state import Spot, State
from rulespec.files.sources import DISK, Files
from rulespec.rules import Source, open_rules


@dataclass(frozen=True, slots=True)
class Movement:
    """So many pieces of a kind that went from one place to another."""

    kind: int
    count: int
    source: Spot
    goal: Spot


class TracedState(State):
    """A position that knows how the pieces moved since the decision before, one movement after another."""

    __slots__ = ("moved",)

    def __init__(self, state: State, moved: tuple[Movement, ...]) -> None:
        super().__init__(
            state.vector, state.to_move, state.decisions, state._past, state._log, state.seed, state._groups
        )
        self.moved = moved


class TracedGame(Game):
    """The same game; its positions are `TracedState`."""

    tracing = True

    def _settle(self, vector, run: Run, *rest) -> State:  # type: ignore[no-untyped-def]
        state = super()._settle(vector, run, *rest)
        spot = self._spot
        return TracedState(
            state, tuple(Movement(kind, n, spot(source), spot(goal)) for source, goal, kind, n in run.moved)
        )

    @cached_property
    def _bases(self) -> list[tuple[int, str]]:
        return [(lay.base, name) for name, lay in self.layout.places.items()]

    def _spot(self, address: int) -> Spot:
        base, name = self._bases[bisect_right(self._bases, address, key=lambda entry: entry[0]) - 1]
        return Spot(name, (address - base) // self.layout.places[name].width)


def load_traced(
    game: Source,
    players: int | None = None,
    options: Mapping[str, str] | None = None,
    house: Iterable[Source] = (),
    files: Files = DISK,
) -> TracedGame:
    """As `load`, for a game that tells how pieces moved."""
    rules = open_rules(game, house=house, files=files)
    model, _ = rules.check(players, dict(options or {}))
    return TracedGame(rules, model)
