"""Games between players who play well: some rules break only where somebody does.

Nobody's secrets are kept here: a player looks at the position as it is. That is no bot to play against, but a quick way to positions
that random games do not reach.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from interpreter.budget import Budget, cost_among, cost_together, heaviness
from interpreter.fault import Fault
from interpreter.game import Game
from interpreter.state import CHANCE, Move, State

MOST_TRIED = 40  # moves that are looked at for one decision,
TRIES = 50  # random continuations of those together that are still looked at,
STEPS = 40  # and how many decisions of players each has
HEAVY = 20  # most continuations end far sooner
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
    """Return players who take the move after which random play soon leads to the largest lead; if `alone`, to most points.

    All moves are tried, then the better half more often, and so on. A move after which the rules cannot continue comes
    before all others: it is what trials look for. Raises BudgetSpent.
    """

    def choose(game: Game, state: State, rng: random.Random) -> Move:
        if not state.to_move:
            return any_move(game, state, rng)
        moves = game.legal_moves(state)
        left = rng.sample(moves, min(MOST_TRIED, len(moves)))
        budget.spend(cost_among(game, state, len(moves)) + cost_together(game, state, len(moves)))
        worth = dict.fromkeys(left, 0)
        size = game.layout.size
        while len(left) > 1:
            luck = [rng.getrandbits(32) for _ in range(max(1, TRIES // len(left)))]
            budget.spend(len(left) * len(luck) * (1 + heaviness(game) * STEPS // HEAVY))
            for move in left:
                try:
                    ends = game.rollouts([game.apply(state, move)], luck, STEPS, rounds=1)
                except Fault:
                    return move
                vectors = (tuple(ends[at : at + size]) for at in range(0, len(ends), size))
                worth[move] += sum(_points(game, vector, state.to_move, alone) for vector in vectors)
            left.sort(key=lambda move: -worth[move])
            left = left[: (len(left) + 1) // 2]
        return left[0]

    return choose


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
