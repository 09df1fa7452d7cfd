"""A bot that tries every move a few times and takes the best."""

from __future__ import annotations

import random
from math import inf

from interpreter import CHANCE, Budget, Fault, Game, Move, State, cost_among, cost_of, cost_together, heaviness
from referee.bots.unseen import Unseen, considered, draw

HORIZON = 60  # decisions of one try, at most
MOST_IMAGINED = 4  # positions to imagine for one try of a move
BUDGET = 800  # decisions of all tries for one move, after which no move is tried again
COUNTED = 60  # cost, in decisions, of one with many choices that is played by Python
STUCK = 60_000  # cost, in decisions, of a fault that takes long
FEW = 20  # outcomes of chance that are listed as soon as one decision is made
WHAT = "thinking of bots"
MOST_WORK = 5_000  # for one move, counted as in other budgets: in some games a decision costs far more than in others


def play_greedy(
    game: Game, state: State, rng: random.Random, budget: int = BUDGET, thinking: Budget | None = None
) -> Move:
    """Return the move after which random play soon leads to the best lead over the best of the others.

    Every move is tried once, then the better half again, and so on while the budget lasts. The n-th try of each move
    has the same luck. Ties are broken at random. A try in which the rules get stuck does not count: the position that
    was imagined is impossible, or the rules are wrong, which other moves may not lead to. If all tries are like that, any
    legal move is played. `thinking` is for many moves together.
    """
    moves = game.legal_moves(state)
    if len(moves) == 1:
        return moves[0]
    me = state.to_move
    assert me  # a player, not chance
    unseen = Unseen(game, state, me)
    sums = dict.fromkeys(range(len(moves)), 0.0)
    counts = dict.fromkeys(sums, 0)
    heavy = heaviness(game)
    several = cost_together(game, state, len(moves))
    least = cost_among(game, state, len(moves), counted=0) + heavy + several  # of trying one of them
    left, tries = considered(moves, rng)[: max(1, MOST_WORK // least)], 0
    if len(left) == 1:
        return moves[left[0]]
    work = thinking.part(MOST_WORK) if thinking is not None else Budget(WHAT, MOST_WORK)
    while True:
        luck, spent = rng.getrandbits(32), 0
        for n, i in enumerate(left):
            if n and (not work.left or unseen.is_hopeless):
                break  # those that were not tried are not chosen
            fair = work.part(-(-work.left // (len(left) - n)))  # what is left is for all that are still to be tried
            value, cost = _try(game, unseen, moves[i], me, random.Random(luck), fair, heavy)
            work.took(fair)
            spent += cost
            if value is not None:
                sums[i] += value
                counts[i] += 1
        tries += 1
        budget -= spent
        left.sort(key=lambda i: -sums[i] / counts[i] if counts[i] else inf)
        if budget <= 0 or work.left == 0 or len(left) == 1 or unseen.is_hopeless:
            if thinking is not None:
                thinking.took(work)
                thinking.use(STUCK * unseen.stuck)
            return moves[left[0]]
        if tries > 1 or len(left) > 8:
            left = left[: (len(left) + 1) // 2]


def _try(
    game: Game, unseen: Unseen, move: Move, me: int, rng: random.Random, work: Budget, heavy: int
) -> tuple[float | None, int]:
    """Return how well random play went after a move, and how many decisions that took; None: it is unknown.

    If the rules get stuck, the imagined position is impossible: others are tried, with other luck.
    """
    spent = 0
    for _ in range(MOST_IMAGINED):
        looked = unseen.looked
        state = unseen.deal(rng)
        work.use(unseen.looked - looked)
        if state is not None:
            try:
                value, steps = _play_on(game, state, move, me, rng, work, heavy)
            except Fault as fault:
                unseen.met(fault)
                work.use(cost_of(game, fault))
            else:
                return value, spent + steps
        spent += HORIZON // 4  # an estimate: how far it went is not known
    return None, spent


def _play_on(
    game: Game, state: State, move: Move, me: int, rng: random.Random, work: Budget, heavy: int
) -> tuple[float, int]:
    """Return how well random play goes after a move, and how many decisions it took. Raises Fault if the rules get stuck.

    Play stops where chance follows after somebody scored: what comes then says little about the move. It also stops
    where the work is used up, however few decisions that were.
    """
    state = game.apply(state, move)
    steps, scored = 1, state.scored
    work.use(1 + heavy)
    while steps < HORIZON and state.to_move is not None and work.left:
        if state.to_move == CHANCE:
            if scored:
                break
            outcomes = game.chances(state)
            move = draw(outcomes, rng)
            work.use(1 + max(0, len(outcomes) - FEW) // 2 + heavy)
        else:
            moves = game.legal_moves(state)
            move = rng.choice(moves)
            work.use(cost_among(game, state, len(moves), COUNTED) + cost_together(game, state, len(moves)) + heavy)
        state = game.apply(state, move)
        steps += 1
        scored |= state.scored
    return _worth(game, state, me), steps


def _worth(game: Game, state: State, me: int) -> float:
    scores = game.scores(state)
    if scores:
        others = [n for p, n in scores.items() if p != me]
        return scores[me] - max(others, default=0)
    outcome = game.outcome(state)
    if outcome is None or len(outcome.winners) == game.players:
        return 0
    return 1 if me in outcome.winners else -1
