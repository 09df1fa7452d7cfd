"""Players that are programs. They know the rules only through the game's verbs, and see only what their seat may see.

A bot is a function of the game, the position and random numbers. `find_bot` finds one by the name that people type: a level,
`easy`, `fair` or `strong`, or the name of a way to play.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from interpreter import Budget, Game, Move, State, seeds
from referee.bots.advice import Advice, advise
from referee.bots.greedy import play_greedy
from referee.bots.quick import play_quick
from referee.bots.search import LEVELS, Level, play_far, play_level, play_search
from referee.bots.unseen import imagine, play_chance, unseen_places, unseen_values

Bot = Callable[[Game, State, random.Random], Move]
T = TypeVar("T")

LONGEST = 3600.0  # seconds for a move
MOST_PASSES = 100_000  # for a move
MOST_ROLLOUTS = 100_000
BAD_SECONDS = "expected seconds for a move after `search:`, found `{found}`"
BAD_PASSES = "expected `search:Np` with 1 to {most:,} passes for a move, found `{found}`"
BAD_FAR = "expected 1 to {most:,} passes for a move after `far:`, found `{found}`"
BAD_ROLLOUTS = "expected 1 to {most:,} random plays for a move after `quick:`, found `{found}`"


class BadBot(ValueError):
    """A name of a bot with something wrong after the colon."""


class KeyedRandom(random.Random):
    """The random numbers of one decision, by its key. The first choice is made by the key itself, as in native games."""

    def __init__(self, key: int) -> None:
        super().__init__(key)
        self.key = key
        self._next = key  # that of the next choice

    def choice(self, seq: Sequence[T]) -> T:  # type: ignore[override]
        at = (self._next >> 32) * len(seq) >> 32
        self._next = seeds.random_state(self._next)
        return seq[at]


def play_random(game: Game, state: State, rng: random.Random) -> Move:
    """Return any legal move; by a key the one of native games."""
    if isinstance(rng, KeyedRandom):
        return game.keyed_move(state, rng.key)
    return rng.choice(game.legal_moves(state))


WAYS: dict[str, Bot] = {
    "far": play_far,
    "greedy": play_greedy,
    "quick": play_quick,
    "random": play_random,
    "search": play_search,
}
BOTS: dict[str, Bot] = {**{name: partial(play_level, level=level) for name, level in LEVELS.items()}, **WAYS}


def find_bot(name: str, thinking: Budget | None = None) -> Bot | None:
    """Return the bot of a name. None: there is no such bot.

    `search:2` has two seconds for a move, `search:300p` 300 passes, `quick:600` 600 random plays, `far:1000` 1,000
    passes to the end of the game. A bot whose work is counted
    takes it from `thinking`. Raises BadBot if there is one, but what follows the colon is no such number.
    """
    kind, colon, given = name.partition(":")
    if kind == "greedy" and not colon and thinking is not None:
        return partial(play_greedy, thinking=thinking)
    if not colon:
        return BOTS.get(kind)
    if kind == "quick":
        rollouts = _whole(given)
        if not 0 < rollouts <= MOST_ROLLOUTS:
            raise BadBot(BAD_ROLLOUTS.format(most=MOST_ROLLOUTS, found=given))
        return partial(play_quick, rollouts=rollouts)
    if kind == "far":
        passes = _whole(given)
        if not 0 < passes <= MOST_PASSES:
            raise BadBot(BAD_FAR.format(most=MOST_PASSES, found=given))
        return partial(play_far, passes=passes)
    if kind != "search":
        return None
    if given.endswith("p"):
        passes = _whole(given[:-1])
        if not 0 < passes <= MOST_PASSES:
            raise BadBot(BAD_PASSES.format(most=MOST_PASSES, found=given))
        return partial(play_search, passes=passes)
    seconds = seconds_of(name)
    if not 0 < seconds <= LONGEST:
        raise BadBot(BAD_SECONDS.format(found=given))
    return partial(play_search, seconds=seconds)


def seconds_of(name: str) -> float:
    """Return how many seconds for a move the name of a bot asks for; 0 if it asks for none."""
    kind, _, given = name.partition(":")
    if kind != "search" or given.endswith("p"):
        return 0.0
    try:
        return float(given)
    except ValueError:
        return 0.0


def is_counted(name: str) -> bool:
    """Return whether a bot decides the same on every machine: its budget is no time."""
    kind, _, given = name.partition(":")
    return kind not in LEVELS and (kind != "search" or given.endswith("p"))


def _whole(text: str) -> int:
    """Return a number of plain digits; 0 if it is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0


__all__ = [
    "BOTS",
    "BadBot",
    "LEVELS",
    "Level",
    "WAYS",
    "Advice",
    "Bot",
    "advise",
    "find_bot",
    "imagine",
    "is_counted",
    "play_chance",
    "play_far",
    "play_greedy",
    "play_level",
    "play_quick",
    "KeyedRandom",
    "play_random",
    "play_search",
    "seconds_of",
    "unseen_places",
    "unseen_values",
]
