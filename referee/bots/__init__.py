"""Players that are programs. They know the rules only through the game's verbs, and see only what their seat may see.

A bot is a function of the game, the position and random numbers. `find_bot` finds one by the name that people type.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

from interpreter import Budget, Game, Move, State
from referee.bots.greedy import play_greedy
from referee.bots.search import play_search
from referee.bots.unseen import imagine, play_chance, unseen_places

Bot = Callable[[Game, State, random.Random], Move]

LONGEST = 3600.0  # seconds for a move
BAD_SECONDS = "expected seconds for a move after `search:`, found `{found}`"


class BadBot(ValueError):
    """A name of a bot with something wrong after the colon."""


def play_random(game: Game, state: State, rng: random.Random) -> Move:
    """Return any legal move."""
    return rng.choice(game.legal_moves(state))


BOTS: dict[str, Bot] = {"greedy": play_greedy, "random": play_random, "search": play_search}


def find_bot(name: str, thinking: Budget | None = None) -> Bot | None:
    """Return the bot of a name; `search:2` has two seconds for a move. None: there is no such bot.

    A bot whose work is counted takes it from `thinking`. Raises BadBot if there is one, but what follows the colon is no
    time.
    """
    kind, colon, seconds = name.partition(":")
    if kind == "greedy" and not colon and thinking is not None:
        return partial(play_greedy, thinking=thinking)
    if not colon:
        return BOTS.get(kind)
    if kind != "search":
        return None
    try:
        given = float(seconds)
    except ValueError:
        given = 0.0
    if not 0 < given <= LONGEST:
        raise BadBot(BAD_SECONDS.format(found=seconds))
    return partial(play_search, seconds=given)


__all__ = [
    "BOTS",
    "BadBot",
    "Bot",
    "find_bot",
    "imagine",
    "play_chance",
    "play_greedy",
    "play_random",
    "play_search",
    "unseen_places",
]
