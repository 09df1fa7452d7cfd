"""A bot that tries every move by random play to the end of the round, and the better half of them again.

Its budget is a number of random plays, so it decides the same on every machine. The plays are native where there is a
compiler.
"""

from __future__ import annotations

import random
from array import array
from math import ceil, inf, log2

from interpreter import CHANCE, Fault, Game, Move, State, cost_among
from referee.bots.unseen import Unseen

ROLLOUTS = 200  # for one move
MOST_TRIED = 80  # moves; of more, so many are picked at random
STEPS = 300  # decisions of players in one random play, at most
MOST_WORK = 1_000_000  # for one move: where deciding costs much, random plays are shorter


def play_quick(game: Game, state: State, rng: random.Random, rollouts: int = ROLLOUTS) -> Move:
    """Return the move after which random play leads to the best lead at the end of the round.

    The plays are shared out by halving: all moves get as many, then the better half, and so on. The n-th play of each move
    has the same luck, and the same arrangement of what the player cannot see. Ties are broken at random. A play in which the
    rules get stuck does not count. If all are like that, any legal move is played.
    """
    moves = game.legal_moves(state)
    if len(moves) == 1:
        return moves[0]
    me = state.to_move
    assert me  # a player, not chance
    unseen = Unseen(game, state, me)
    left = list(range(len(moves)))
    rng.shuffle(left)  # sorting is stable: this is how ties are broken
    left = left[:MOST_TRIED]
    cost = cost_among(game, state, len(moves))
    steps = max(1, min(STEPS, MOST_WORK // (max(rollouts, len(left)) * cost)))
    tries = Tries(game, unseen, moves, me, steps)
    phases = max(1, ceil(log2(len(left))))
    while rollouts > 0 and len(left) > 1:
        each = max(1, rollouts // phases // len(left))
        tries.play(left, [rng.getrandbits(32) for _ in range(each)], rng)
        rollouts -= each * len(left)
        phases = max(1, phases - 1)
        left.sort(key=tries.loss)
        left = left[: (len(left) + 1) // 2]
    return moves[left[0]]


class Tries:
    """The moves of one position, with the leads that random plays after each have given so far."""

    def __init__(self, game: Game, unseen: Unseen, moves: list[Move], me: int, steps: int) -> None:
        self.game, self.unseen, self.moves, self.me, self.steps = game, unseen, moves, me, steps
        self._sums = [0.0] * len(moves)
        self._counts = [0] * len(moves)
        self._after: dict[int, State | None] = {}  # where nothing is hidden; None: the rules get stuck

    def loss(self, move: int) -> float:
        """Return how bad a move looks."""
        return -self._sums[move] / self._counts[move] if self._counts[move] else inf

    def play(self, left: list[int], seeds: list[int], rng: random.Random) -> None:
        """Play on after some moves, with each of the seeds."""
        if self.unseen.certain:
            self._play_from(self.unseen.state, left, seeds)
            return
        for seed in seeds:
            dealt = self.unseen.deal(rng)
            if dealt is None:
                return
            self._after.clear()
            self._play_from(dealt, left, [seed])

    def _play_from(self, state: State, left: list[int], seeds: list[int]) -> None:
        for i in left:
            if i not in self._after:
                try:
                    self._after[i] = self.game.apply(state, self.moves[i])
                except Fault:
                    self._after[i] = None
        there = [(i, after) for i in left if (after := self._after[i]) is not None]
        try:
            worths = self._worths([after for _, after in there], seeds)
        except Fault:  # which of them: each on its own
            for i, after in there:
                for seed in seeds:
                    try:
                        self._count(i, self._worths([after], [seed]))
                    except Fault:
                        continue
            return
        for place, (i, _) in enumerate(there):
            self._count(i, worths[place * len(seeds) : (place + 1) * len(seeds)])

    def _count(self, move: int, worths: list[int]) -> None:
        self._sums[move] += sum(worths)
        self._counts[move] += len(worths)

    def _worths(self, states: list[State], seeds: list[int]) -> list[int]:
        """Return the lead of the player at the end of each random play; without scores, whether the player won."""
        game, me, size = self.game, self.me, self.game.layout.size
        ends = game.rollouts(states, seeds, self.steps, rounds=1)
        if "score" not in game.model.variables:
            return [self._result(ends[at : at + size]) for at in range(0, len(ends), size)]
        base = game.layout.variables["score"].base
        own = ends[base + me - 1 :: size]
        others = [ends[base + p - 1 :: size] for p in range(1, game.players + 1) if p != me]
        if not others:
            return list(own)
        best = others[0] if len(others) == 1 else map(max, *others)
        return [mine - theirs for mine, theirs in zip(own, best, strict=True)]

    def _result(self, end: array[int]) -> int:
        outcome = self.game.outcome(State(tuple(end), CHANCE, 0, None, None, None, []))
        if outcome is None or len(outcome.winners) == self.game.players:
            return 0
        return 1 if self.me in outcome.winners else -1
