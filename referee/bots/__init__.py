"""Players that are programs. They know the rules only through the game's verbs, and see only what their seat may see.

A bot is a function of the game, the position and random numbers. `find_bot` reads the name of one as people write it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

from interpreter import Game, Move, State
from referee import texts
from referee.bots.greedy import play_greedy
from referee.bots.hidden import imagine, play_chance, unseen_places
from referee.bots.search import play_search

Bot = Callable[[Game, State, random.Random], Move]

LONGEST = 3600.0  # seconds a bot may be given for a move


def play_random(game: Game, state: State, rng: random.Random) -> Move:
    """Any legal move."""
    return rng.choice(game.legal_moves(state))


BOTS: dict[str, Bot] = {"greedy": play_greedy, "random": play_random, "search": play_search}


def find_bot(name: str) -> Bot | None:
    """The bot of a name; `search:2` has two seconds for a move. None: there is no such bot.

    ValueError if the name is one, but not what stands behind the colon.
    """
    kind, colon, seconds = name.partition(":")
    if not colon:
        return BOTS.get(kind)
    if kind != "search":
        return None
    try:
        given = float(seconds)
    except ValueError:
        given = 0.0
    if not 0 < given <= LONGEST:
        raise ValueError(texts.SEAT_SECONDS.format(found=seconds))
    return partial(play_search, seconds=given)


__all__ = [
    "BOTS",
    "Bot",
    "find_bot",
    "imagine",
    "play_chance",
    "play_greedy",
    "play_random",
    "play_search",
    "unseen_places",
]
