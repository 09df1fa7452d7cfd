"""Advice to a player: the moves that look best, what they lead to, and which rules the points come from."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from time import perf_counter

from interpreter import CHANCE, Fault, Game, Move, State
from referee.bots.quick import Tries, ranked
from referee.bots.unseen import MOST_TRIED, play_chance

BEST = 3  # moves that are advised
EACH = 500  # random plays for each move,
ROUNDS = 2  # that last so many rounds,
SECONDS = 1.0  # in this time
LOOKS = 12  # random plays after each of them, for the reasons of points,
LOOKING = 0.5  # in this many seconds together
HORIZON = 60  # decisions of one of these, at most


@dataclass(frozen=True, slots=True)
class Advice:
    """A move, the lead it gives on average (without scores: from -1, lost, to 1, won), and the player's points by rule."""

    move: Move
    worth: float
    points: tuple[tuple[str, float], ...]


def advise(game: Game, state: State, rng: random.Random, seconds: float = SECONDS) -> list[Advice]:
    """Return the best moves of a position in which a player decides, the best one first, by what the player may know."""
    moves = game.legal_moves(state)
    tries = ranked(game, state, moves, rng, EACH * min(MOST_TRIED, len(moves)), ROUNDS, seconds)
    if len(moves) == 1:
        tries.play([0], [rng.getrandbits(32) for _ in range(EACH)], rng)
    best = [i for i in tries.order[:BEST] if tries.is_known(i)]
    luck, until = [rng.getrandbits(32) for _ in range(LOOKS)], perf_counter() + LOOKING
    points = _points(tries, best, luck, until)
    return [Advice(moves[i], -tries.loss(i), tuple(found)) for i, found in zip(best, points, strict=True)]


def _points(tries: Tries, moves: list[int], luck: list[int], until: float) -> list[list[tuple[str, float]]]:
    """Return what each rule gives the player after each move, on average to the end of the round; the n-th plays are equally lucky."""
    sums = [Counter[str]() for _ in moves]
    plays = 0
    for seed in luck:
        found = []
        for i in moves:
            rng = random.Random(seed)
            dealt = tries.unseen.deal(rng)
            if dealt is None or perf_counter() > until:
                break
            try:
                end = _played(tries.game, tries.game.apply(dealt, tries.moves[i]), rng)
            except Fault as fault:
                tries.unseen.met(fault)
                break
            gained = Counter[str]()
            for line in tries.game.ledger(end):
                if line.player == tries.me:
                    gained[line.rule] += line.gained
            found.append(gained)
        if len(found) == len(moves):  # all of them or none: they are compared
            plays += 1
            for total, gained in zip(sums, found, strict=True):
                total.update(gained)
    return [[(rule, total[rule] / plays) for rule in total if total[rule]] for total in sums]


def _played(game: Game, state: State, rng: random.Random) -> State:
    """Return where random play leads at the end of the round, which is where chance follows scoring."""
    for _ in range(HORIZON):
        if state.to_move is None or (state.to_move == CHANCE and game.ledger(state)):
            break
        move = play_chance(game, state, rng) if state.to_move == CHANCE else rng.choice(game.legal_moves(state))
        state = game.apply(state, move)
    return state
