"""Luck by key, not by order: the same seed gives two rule sets the same luck, however often either asks for it.

Random games are played natively where that is possible, by the same keys: see `Game.keyed_games`.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from interpreter import Game, Move, State, seeds
from referee.bots import KeyedRandom
from rulespec import Span, syntax

VERSION = 2  # of the keys: other keys are other games
_BITS = 32  # of one number


class Luck:
    """The luck of one game. Nothing that one player does changes the luck of another, or what is drawn in later rounds."""

    def __init__(self, seed: int) -> None:
        self._seed = seeds.random_state(seed)

    def chance(self, turn: int, place: str, number: int) -> int:
        """Return 32 bits for the n-th outcome of chance at a place in a round."""
        return self._number(place, turn, number) >> _BITS

    def player(self, seat: int, turn: int, number: int) -> KeyedRandom:
        """Return the random numbers of a player for one decision, their n-th in a round."""
        return KeyedRandom(self._number(f"player {seat}", turn, number))

    def plays(self, what: str, many: int) -> list[int]:
        """Return the seeds of plays from a position, which belong to no player."""
        return [self._number(f"plays {what}", 0, number) >> _BITS for number in range(many)]

    def _number(self, stream: str, turn: int, number: int) -> int:
        return seeds.keyed_number(self._seed, _stream(stream), turn, number)


@lru_cache(maxsize=1000)
def _stream(name: str) -> int:
    return seeds.stream_of(name)


class KeyedChance:
    """Chance in one game with chance left open, by the keys of its luck."""

    def __init__(self, game: Game, luck: Luck, places: dict[Span, str]) -> None:
        """`places` are those of `chance_places`."""
        self._game, self._luck, self._places = game, luck, places
        self.rounds = 0  # how often chance came after a player
        self._asked: Counter[str] = Counter()  # in this round

    def come_again(self) -> None:
        """Note that a player has decided since the last outcome of chance."""
        self.rounds += 1
        self._asked.clear()

    def decide(self, state: State) -> Move:
        """Return what chance decides: the outcome at a part of all weights, in the order of the rule file."""
        decision = self._game.decision(state)
        assert decision is not None
        place = self._places.get(decision.span, decision.kind)
        number = self._asked[place]
        self._asked[place] += 1
        outcomes = self._game.chances(state)
        at = self._luck.chance(self.rounds, place, number) * sum(weight for _, weight in outcomes) >> _BITS
        for move, weight in outcomes:
            at -= weight
            if at < 0:
                return move
        raise AssertionError(at)


def chance_places(game: Game) -> dict[Span, str]:
    """Return what is drawn from, or what is rolled, for each step of the rules at which chance decides."""
    found = {}
    for _, _, body in syntax.bodies(game.model):
        for step in syntax.all_steps(body):
            if isinstance(step, syntax.DrawStep):
                family = getattr(step.source.type, "family", "")
                found[step.span] = f"draw {family}"
            elif isinstance(step, syntax.RollStep):
                found[step.span] = f"roll {step.name}"
    return found
