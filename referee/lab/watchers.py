"""Watchers: what is noted of a game by playing on at random from positions in it.

A watcher is shown every position in which a player decides, and says at the end what it saw: a sum in millionths, and of how
many. Its plays have luck of their own, by the seed of the game, so it sees the same on every machine and changes no game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Protocol, TypeVar

from interpreter import BLOCK, Fault, Game, Outcome, State
from referee.lab.luck import Luck

STEPS = 2_000  # decisions of players in one play, at most
DRAMA = "drama"
DRAMA_PLAYS = 16  # from each position
FEWEST_STANDINGS = 2  # that tell how a game went
MOST_LOOKS = 40  # positions of a game
MOST_NUMBERS = 1_000_000  # of the positions at the ends of plays that are made at once
MILLION = 1_000_000

T = TypeVar("T")


class Watcher(Protocol):
    """Whoever watches one game."""

    def __init__(self, game: Game, has_standing: bool, seed: int) -> None: ...

    def see(self, state: State) -> None:
        """Take a position in which a player decides."""

    def noted(self, outcome: Outcome) -> list[int]:
        """Return what was seen, when the game is over: a sum in millionths, and of how many."""


def win_chances(game: Game, states: Sequence[State], seeds: Sequence[int]) -> list[list[float] | None]:
    """Return for each position in how many of all plays from it each player is among the winners, as a part of them.

    All positions are played on with the same seeds. A play in which the rules get stuck, or that does not end, is not counted;
    None where no play is.
    """
    size, found = game.layout.size, list[list[float] | None]()
    for ends in _ends(game, states, seeds):
        won, many = [0] * game.players, 0
        for at in range(0, len(ends), size):
            end = ends[at : at + size]
            if end[BLOCK]:
                continue
            ranks = [game.rank(end, player) for player in range(1, game.players + 1)]
            best = max(ranks)
            many += 1
            for place, rank in enumerate(ranks):
                won[place] += rank == best
        found.append([n / many for n in won] if many else None)
    return found


def _ends(game: Game, states: Sequence[State], seeds: Sequence[int]) -> Iterator[Sequence[int]]:
    """Return the ends of the plays from each position, one after the other, without those in which the rules get stuck."""
    each = game.layout.size * len(seeds)
    together = max(1, MOST_NUMBERS // each)
    for first in range(0, len(states), together):
        some = states[first : first + together]
        try:
            ends = game.rollouts(some, seeds, STEPS)
            yield from (ends[at * each : (at + 1) * each] for at in range(len(some)))
        except Fault:
            yield from (_ends_of_one(game, state, seeds) for state in some)


def _ends_of_one(game: Game, state: State, seeds: Sequence[int]) -> Sequence[int]:
    found = list[int]()
    for seed in seeds:
        try:
            found.extend(game.rollouts([state], [seed], STEPS))
        except Fault:
            continue
    return found


class DramaWatcher:
    """Sees how far behind the winner was: the root of the best chance to win less the winner's, in each position.

    Positions are those in which a player decides and the standing has changed since the last one; where it hardly changes before
    the end, all of them. Of very many, evenly some are looked at. Of several winners, the one who was furthest behind counts.
    """

    def __init__(self, game: Game, has_standing: bool, seed: int) -> None:
        self._game, self._has_standing, self._seed = game, has_standing, seed
        self._standing: dict[int, int] | None = None
        self._states: list[State] = []
        self._changed: list[State] = []  # of these, where the standing is another

    def see(self, state: State) -> None:
        self._states.append(state)
        if self._has_standing:
            before, self._standing = self._standing, self._game.standing(state)
            if before not in (None, self._standing):
                self._changed.append(state)

    def noted(self, outcome: Outcome) -> list[int]:
        total = many = 0
        states = evenly(self._states if len(self._changed) < FEWEST_STANDINGS else self._changed, MOST_LOOKS)
        for chances in win_chances(self._game, states, Luck(self._seed).plays(DRAMA, DRAMA_PLAYS)):
            if chances is not None:
                behind = max(chances) - min(chances[who - 1] for who in outcome.winners)
                total += round(MILLION * sqrt(behind))
                many += 1
        return [total, many]


def evenly(items: Sequence[T], most: int) -> Sequence[T]:
    """Return no more than so many of some things, evenly, and the last of them."""
    many = len(items)
    return items if many <= most else [items[(i + 1) * many // most - 1] for i in range(most)]
