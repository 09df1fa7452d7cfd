"""Reversi: published counts, and random games beside a second implementation that keeps a board of signs."""

from __future__ import annotations

import random

import pytest

from interpreter import Game
from referee.cli.perft_count import Counter
from tests.shipped import game_of
from tests.sizes import size

COUNTS = [4, 12, 56, 244, 1396, 8200, 55092]  # moves from the start to each depth, as they are published
WAYS = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]
Squares = dict[tuple[int, int], str]


def game() -> Game:
    return game_of("classics/reversi")


@pytest.mark.sized
def test_reversi__counts_are_the_published_ones() -> None:
    counted = Counter(game())
    state = game().start()
    assert [counted.count(state, depth) for depth in range(1, size(5, 8))] == COUNTS[: size(4, 7)]


def turned(squares: Squares, own: str, at: tuple[int, int]) -> set[tuple[int, int]]:
    """Return the squares whose discs are turned over by a disc put down there."""
    found: set[tuple[int, int]] = set()
    for down, right in WAYS:
        line = []
        r, c = at[0] + down, at[1] + right
        while squares.get((r, c), own) != own:
            line.append((r, c))
            r, c = r + down, c + right
        found |= set(line) if (r, c) in squares else set()
    return found


def legal(squares: Squares, own: str) -> list[tuple[int, int]]:
    spots = [(r, c) for r in range(1, 9) for c in range(1, 9) if (r, c) not in squares]
    return [at for at in spots if turned(squares, own, at)]


@pytest.mark.sized
@pytest.mark.parametrize("seed", range(size(3, 60)))
def test_reversi__random_games_beside_a_second_implementation(seed: int) -> None:
    rng = random.Random(seed)
    state = game().start()
    squares: Squares = {(4, 4): "white", (5, 5): "white", (4, 5): "black", (5, 4): "black"}
    turn = 0
    while True:
        moves = legal(squares, ("black", "white")[turn])
        if not moves:
            turn = 1 - turn
            moves = legal(squares, ("black", "white")[turn])
        if not moves:
            break
        assert state.to_move == turn + 1
        assert [str(m) for m in game().legal_moves(state)] == [f"put {r} {c}" for r, c in moves]
        at = rng.choice(moves)
        own = ("black", "white")[turn]
        squares |= dict.fromkeys([*turned(squares, own, at), at], own)
        state = game().apply(state, f"put {at[0]} {at[1]}")
        turn = 1 - turn
    counts = [list(squares.values()).count(own) for own in ("black", "white")]
    outcome = game().outcome(state)
    assert outcome is not None
    assert outcome.winners == tuple(p + 1 for p in (0, 1) if counts[p] == max(counts))
