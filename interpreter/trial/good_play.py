"""Games between players who play well: some rules break only where somebody does.

Nobody's secrets are kept here: a player looks at the position as it is. That is no bot to play against, but a quick way to positions
that random games do not reach.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from math import inf

from interpreter.budget import Budget, cost_among, cost_together, heaviness
from interpreter.fault import Fault
from interpreter.game import Game
from interpreter.state import CHANCE, Move, State

MOST_TRIED = 8  # moves that are looked at for one decision
TRIES = 2  # random continuations of each,
STEPS = 40  # and how many decisions of players each of them has
HEAVY = 8  # most continuations end sooner than that
MOST_DECISIONS = 2_000  # of one game: good players may avoid an end for ever

Chooser = Callable[[Game, State, random.Random], Move]


def any_move(game: Game, state: State, rng: random.Random) -> Move:
    """Return a legal decision at random; one of chance as its weights say."""
    if state.to_move != CHANCE:
        return rng.choice(game.legal_moves(state))
    moves, weights = zip(*game.chances(state), strict=True)
    move: Move = rng.choices(moves, weights)[0]
    return move


def greedy(budget: Budget, alone: bool = False) -> Chooser:
    """Return players who take the move after which random play soon leads to most points, or to the largest lead.

    If they play `alone`, only their own points count. A move after which the rules cannot continue comes before all
    others: it is what trials look for. Raises BudgetSpent.
    """

    def choose(game: Game, state: State, rng: random.Random) -> Move:
        if not state.to_move:
            return any_move(game, state, rng)
        moves = game.legal_moves(state)
        tried = rng.sample(moves, min(MOST_TRIED, len(moves)))
        if len(tried) == 1:
            return tried[0]
        listed = cost_among(game, state, len(moves)) + cost_together(game, state, len(moves))
        budget.spend(listed + len(tried) * (1 + heaviness(game) * STEPS // HEAVY))
        luck = [rng.getrandbits(32) for _ in range(TRIES)]
        worth = [_worth(game, state, move, luck, alone) for move in tried]
        return tried[worth.index(max(worth))]

    return choose


def _worth(game: Game, state: State, move: Move, luck: list[int], alone: bool) -> float:
    me = state.to_move
    assert me  # a player, not chance
    size = game.layout.size
    try:
        ends = game.rollouts([game.apply(state, move)], luck, STEPS, rounds=1)
        vectors = [tuple(ends[at : at + size]) for at in range(0, len(ends), size)]
        return sum(_points(game, vector, me, alone) for vector in vectors)
    except Fault:
        return inf


def _points(game: Game, vector: tuple[int, ...], me: int, alone: bool) -> int:
    """Return the points of a player, or the lead over the best of the others; without a score, by the first line of `winner`."""
    if "score" in game.model.variables:
        base = game.layout.variables["score"].base
        points = list(vector[base : base + game.players])
    else:
        points = [_standing(game, vector, p) for p in range(1, game.players + 1)]
    own = points.pop(me - 1)
    return own if alone or not points else own - max(points)


def _standing(game: Game, vector: tuple[int, ...], player: int) -> int:
    try:
        return (game.rank(vector, player) or (0,))[0]
    except Fault:
        return 0  # it is to be worked out only at the end


def play(game: Game, choose: Chooser, rng: random.Random) -> tuple[list[Move], State | Fault]:
    """Return a game with all that was decided, chance included, and its last position or the fault that ended it."""
    made: list[Move] = []
    try:
        state = game.start()
        while state.to_move is not None and len(made) < MOST_DECISIONS:
            made.append(choose(game, state, rng))
            state = game.apply(state, made[-1])
    except Fault as fault:
        return made, fault
    return made, state
