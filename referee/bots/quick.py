"""A bot that tries every move by random play to the end of the round, and the better half of them again.

Its budget is a number of random plays, so it decides the same on every machine. The plays are native where there is a
compiler.
"""

from __future__ import annotations

import random
from array import array
from itertools import islice
from math import ceil, inf, log2
from time import perf_counter

from interpreter import CHANCE, Fault, Game, Move, State, cost_among, heaviness
from referee.bots.unseen import Unseen, considered

ROLLOUTS = 200  # for one move
STEPS = 300  # decisions of players in one random play, at most
MOST_WORK = 1_000_000  # for one move: where deciding costs much, random plays are shorter
PLAYED = 4  # decisions of a random play at least, as far as the work decides how many moves are tried
TOGETHER = 2_000  # random plays between two looks at the clock
MOST_NUMBERS = 1_000_000  # of the positions at the ends of 200 plays: where positions are large, fewer are played
MOST_NUMBERS_TOGETHER = 10_000_000  # of all positions that are kept at once
DEALS = 32  # arrangements of what is hidden that are enough for one look; with more plays, each serves several


def play_quick(game: Game, state: State, rng: random.Random, rollouts: int = ROLLOUTS) -> Move:
    """Return the move after which random play leads to the best lead at the end of the round.

    The n-th play of each move has the same luck, and the same arrangement of what the player cannot see. Ties are broken at
    random. A play in which the rules get stuck does not count. If all are like that, any legal move is played.
    """
    moves = game.legal_moves(state)
    if len(moves) == 1:
        return moves[0]
    return moves[ranked(game, state, moves, rng, rollouts).order[0]]


def ranked(
    game: Game,
    state: State,
    moves: list[Move],
    rng: random.Random,
    rollouts: int = ROLLOUTS,
    rounds: int = 1,
    seconds: float = inf,
) -> Tries:
    """Return what random plays say about the moves of a position in which a player decides.

    The plays are shared out by halving: all moves get as many, then the better half, and so on. When the time is over,
    no more are begun.
    """
    end = perf_counter() + seconds
    assert state.to_move  # a player, not chance
    left = considered(moves, rng)
    heavy = heaviness(game)
    cost = cost_among(game, state, len(moves)) + heavy
    left = left[: max(1, MOST_WORK // (PLAYED * (1 + heavy)))]
    rollouts = min(rollouts, max(len(left), MOST_WORK // (1 + heavy)))
    work = (
        MOST_WORK if seconds == inf else MOST_WORK * max(1, rollouts // ROLLOUTS)
    )  # where the time ends it, not the work
    size = game.layout.size
    rollouts = min(rollouts, max(len(left), MOST_NUMBERS * max(1, rollouts // ROLLOUTS) // size))
    steps = max(1, min(STEPS, work // (max(rollouts, len(left)) * cost)))
    tries = Tries(game, Unseen(game, state, state.to_move), moves, steps, rounds)
    tries.order = left.copy()
    phases = _phases(len(left), rollouts)
    seeds = iter(lambda: rng.getrandbits(32), -1)
    if seconds == inf and tries.unseen.certain:
        drawn = list(islice(seeds, sum(phases)))
        if tries.play_all(phases, drawn):
            return tries
        seeds = iter(drawn)
    for each in phases:
        together = max(1, min(TOGETHER, MOST_NUMBERS_TOGETHER // size) // len(left))
        for first in range(0, each, together):
            tries.play(left, list(islice(seeds, min(together, each - first))), rng)
            if is_late := perf_counter() > end or tries.unseen.is_hopeless:
                break
        left.sort(key=tries.loss)
        tries.order[: len(left)] = left
        left = left[: (len(left) + 1) // 2]
        if is_late:
            break
    return tries


def _phases(many: int, rollouts: int) -> list[int]:
    """Return how often each move is tried, of all of them, then of the better half, and so on."""
    found: list[int] = []
    phases = max(1, ceil(log2(many)))
    while rollouts > 0 and many > 1:
        found.append(max(1, rollouts // phases // many))
        rollouts -= found[-1] * many
        phases, many = max(1, phases - 1), (many + 1) // 2
    return found


class Tries:
    """The moves of one position, with the leads that random plays after each have given so far."""

    def __init__(self, game: Game, unseen: Unseen, moves: list[Move], steps: int, rounds: int) -> None:
        assert unseen.state.to_move
        self.game, self.unseen, self.moves, self.me = game, unseen, moves, unseen.state.to_move
        self.steps, self.rounds = steps, rounds
        self.order: list[int] = []  # moves, the best one first
        self._sums = [0.0] * len(moves)
        self._counts = [0] * len(moves)
        self._after: dict[int, State | None] = {}  # where nothing is hidden; None: the rules get stuck

    def loss(self, move: int) -> float:
        """Return how bad a move looks."""
        return -self._sums[move] / self._counts[move] if self._counts[move] else inf

    def is_known(self, move: int) -> bool:
        """Return whether any play after a move says something about it."""
        return self._counts[move] > 0

    def play_all(self, phases: list[int], seeds: list[int]) -> bool:
        """Play all phases natively, where nothing is hidden; false, and nothing is done, where that cannot be."""
        halved = self.game.halve(self.unseen.state, self.moves, self.order, phases, seeds, self.steps, self.rounds)
        if halved is None:
            return False
        self.order, sums, counts = halved
        self._sums, self._counts = [float(n) for n in sums], list(counts)
        return True

    def play(self, left: list[int], seeds: list[int], rng: random.Random) -> None:
        """Play on after some moves, with each of the seeds."""
        each = len(seeds) if self.unseen.certain else ceil(len(seeds) / DEALS)
        for first in range(0, len(seeds), each):
            dealt = self.unseen.deal(rng)
            if dealt is None:
                return
            if not self.unseen.certain:
                self._after.clear()
            self._play_from(dealt, left, seeds[first : first + each])

    def _play_from(self, state: State, left: list[int], seeds: list[int]) -> None:
        for i in left:
            if self.unseen.is_hopeless:
                return
            if i not in self._after:
                try:
                    self._after[i] = self.game.apply(state, self.moves[i])
                except Fault as fault:
                    self.unseen.met(fault)
                    self._after[i] = None
        there = [(i, after) for i in left if (after := self._after[i]) is not None]
        try:
            worths = self._worths([after for _, after in there], seeds)
        except Fault:  # which of them: each on its own
            self._play_each(there, seeds)
            return
        for place, (i, _) in enumerate(there):
            self._count(i, worths[place * len(seeds) : (place + 1) * len(seeds)])

    def _play_each(self, there: list[tuple[int, State]], seeds: list[int]) -> None:
        """Play on after each move with each seed, all moves with the first one first, until that is hopeless."""
        for seed in seeds:
            for i, after in there:
                if self.unseen.is_hopeless:
                    return
                try:
                    self._count(i, self._worths([after], [seed]))
                except Fault as fault:
                    self.unseen.met(fault)

    def _count(self, move: int, worths: list[int]) -> None:
        self._sums[move] += sum(worths)
        self._counts[move] += len(worths)

    def _worths(self, states: list[State], seeds: list[int]) -> list[int]:
        """Return the lead of the player at the end of each random play; without scores, whether the player won."""
        game, me, size = self.game, self.me, self.game.layout.size
        ends = game.rollouts(states, seeds, self.steps, self.rounds)
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
