"""A bot that searches: it grows a tree of what players may decide, and plays the move that was tried most.

The tree is the game's own (`Game.tree`). What the player cannot see is dealt anew every few passes, so that one tree serves all
positions that look the same (information set Monte-Carlo tree search). The levels that people choose from are this bot
with more passes.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from math import inf
from time import perf_counter

from interpreter import Game, Manner, Move, State, Tree, cost_among, heaviness
from referee.bots.quick import ROLLOUTS, play_quick
from referee.bots.unseen import Unseen

SECONDS = 1.0  # for one move of a level: it is enough even where there is no compiler, or the rules are large
SEARCHING = 0.5  # seconds for one move of a bot of which neither is asked
MANNER = Manner()
FAR_PASSES = 1000  # passes for one move of a far-sighted bot of which no other number is asked
FAR = replace(MANNER, rounds=1000)  # no game that a pass can play to its end has more
MOST_NODES = 100_000  # of a tree that grows as long as there is time
MOST_WORK = 5_000  # of one pass: where deciding costs much, passes are shorter
MOST_HEAVY = 1_000_000  # of all passes, by what a decision costs more than usual: where that is much, there are fewer
DEALT, DEALS = 8, 64  # passes with the same deal of what is hidden, and one more for so many that were made before
LOOK, LOOKS = 64, 4  # passes before it is asked whether the others can change the answer; likewise


@dataclass(frozen=True, slots=True)
class Level:
    """How many passes there are for one move, so many for each that is legal, or a number if that is more; and their manner."""

    each: int
    passes: int
    manner: Manner = MANNER


SIMPLE = replace(MANNER, tries=2, envy=0.0)  # with its eyes on what it gains itself, and a poor guess of what will come
LEVELS = {"easy": Level(3, 30, SIMPLE), "fair": Level(10, 250), "strong": Level(10, 10_000)}


def play_search(
    game: Game,
    state: State,
    rng: random.Random,
    seconds: float = inf,
    passes: int | None = None,
    manner: Manner = MANNER,
    each: int = 0,
) -> Move:
    """Return the move that was tried most in a number of passes, or, if none is given, of seconds; both may end it.

    There are at least `each` passes for each legal move, where their number is given. Any legal move if no position can be imagined in which play continues.
    """
    moves = game.legal_moves(state)
    if len(moves) == 1:
        return moves[0]
    if passes is not None:
        passes = max(passes, each * len(moves))
    if game.asks_several(state):  # in a tree, the others would answer what the player decided
        return play_quick(game, state, rng, min(passes or ROLLOUTS, ROLLOUTS))
    if passes is None and seconds == inf:
        seconds = SEARCHING
    tree = grown(game, state, moves, rng, seconds, passes, manner)
    tried = [tried.move for tried in tree.tried() if tried.move in moves] if tree.seen else []
    return tried[0] if tried else rng.choice(moves)


def play_level(game: Game, state: State, rng: random.Random, level: Level, seconds: float = SECONDS) -> Move:
    """Return the move of a bot of a level, after at most `seconds`."""
    return play_search(game, state, rng, seconds, level.passes, level.manner, level.each)


def play_far(game: Game, state: State, rng: random.Random, passes: int = FAR_PASSES) -> Move:
    """Return the move that was tried most in passes that go on to the end of the game, as far as `MANNER.steps` decisions lead.

    What comes after the round counts too, but less: points that are paid at the end of the game are seen coming, and those that
    are paid now are not given away for them.
    """
    return play_search(game, state, rng, passes=passes, manner=FAR)


def grown(
    game: Game,
    state: State,
    moves: list[Move],
    rng: random.Random,
    seconds: float,
    passes: int | None,
    manner: Manner,
) -> Tree:
    """Return a tree of a position in which a player decides, by what the player may know.

    It stops when the time is over, when no pass left can change which move was tried most, or when it is hopeless.
    """
    assert state.to_move  # a player, not chance
    begin, heavy = perf_counter(), heaviness(game)
    cost = cost_among(game, state, len(moves)) + heavy
    most: float = inf if passes is None else min(passes, max(1, MOST_HEAVY // (1 + heavy)))
    manner = replace(manner, steps=max(1, min(manner.steps, MOST_WORK // cost)))
    unseen = Unseen(game, state, state.to_move)
    tree = game.tree(rng.getrandbits(64), int(min(most, MOST_NODES)), manner, known=unseen.certain)
    look = LOOK

    def enough() -> bool:
        return perf_counter() - begin >= seconds

    while tree.made < most and not (tree.is_settled or unseen.is_hopeless) and (dealt := unseen.deal(rng)) is not None:
        until = look if unseen.certain else min(look, tree.made + DEALT + tree.made // DEALS)
        if (fault := tree.grow(dealt, int(min(until, most)) - tree.made, enough)) is not None:
            unseen.met(fault)
        if (spent := perf_counter() - begin) >= seconds:
            break
        if tree.made >= look:
            look += LOOK + tree.made // LOOKS
            left = most - tree.made if passes is not None else tree.made * (seconds - spent) / spent
            if _is_settled(tree, left):
                break
    return tree


def _is_settled(tree: Tree, passes: float) -> bool:
    """Return whether that many more passes cannot change which move was tried most."""
    visits = [tried.visits for tried in tree.tried()]
    return len(visits) > 1 and visits[0] - visits[1] > passes
