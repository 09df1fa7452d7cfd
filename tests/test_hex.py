"""Hex: counted and solved beside a few lines of plain Python that know only neighbours and edges."""

from __future__ import annotations

import random
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from interpreter import Game, State, load
from referee.cli.perft_count import Counter
from tests.shipped import game_of
from tests.sizes import size

Space = tuple[int, int]
NEIGHBOURS = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))


def joined(stones: frozenset[Space], width: int, axis: int) -> bool:
    """Return whether these stones reach from the first line to the last one, by row (0) or by column (1)."""
    reached = [s for s in stones if s[axis] == 1]
    for r, c in reached:
        reached += [s for dr, dc in NEIGHBOURS if (s := (r + dr, c + dc)) in stones and s not in reached]
    return any(s[axis] == width for s in reached)


@cache
def won(width: int, red: frozenset[Space], blue: frozenset[Space], ahead: int) -> tuple[int, int, int]:
    """Return in how many ways so many more stones can be put down, and in how many red and blue have won by then, at any time."""
    if joined(red, width, 0):
        return 0, 1, 0
    if joined(blue, width, 1):
        return 0, 0, 1
    if not ahead:
        return 1, 0, 0
    free = [s for s in product(range(1, width + 1), repeat=2) if s not in red | blue]
    after = [
        won(width, red | {s}, blue, ahead - 1) if len(red) == len(blue) else won(width, red, blue | {s}, ahead - 1)
        for s in free
    ]
    return sum(a for a, _, _ in after), sum(b for _, b, _ in after), sum(c for _, _, c in after)


def won_by_rules(
    game: Game, state: State, ahead: int, seen: dict[tuple[object, int], tuple[int, int, int]]
) -> tuple[int, int, int]:
    """Return the same, as the rules have it."""
    if (outcome := game.outcome(state)) is not None:
        assert len(outcome.winners) == 1
        return 0, int(1 in outcome.winners), int(2 in outcome.winners)
    if not ahead:
        return 1, 0, 0
    key = (state.vector, ahead)
    if key not in seen:
        after = [won_by_rules(game, game.apply(state, m), ahead - 1, seen) for m in game.legal_moves(state)]
        seen[key] = (sum(a for a, _, _ in after), sum(b for _, b, _ in after), sum(c for _, _, c in after))
    return seen[key]


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """Return Hex on three rows of three."""
    file: Path = tmp_path_factory.mktemp("hex") / "three.yaml"
    file.write_text(
        "rulespec: 1\nextends: classics/hex\ngame: Small Hex\nchange:\n  sets: {row: 1..3, column: 1..3}\n",
        encoding="utf-8",
    )
    return load(file)


def test_hex__counts_of_five_rows() -> None:
    game = game_of("classics/hex", options={"size": "five"})
    counter = Counter(game)
    assert [counter.count(game.start(), plies) for plies in (1, 2, 3)] == [25, 25 * 24, 25 * 24 * 23]
    swapping = game_of("classics/hex", options={"size": "five", "swap": "with"})
    counter = Counter(swapping)  # one answer more to each first stone, after which there are 24 free spaces again
    assert [counter.count(swapping.start(), plies) for plies in (1, 2, 3)] == [25, 25 * 25, 25 * 24 * 23 + 25 * 24]


def test_hex__all_games_of_three_rows_to_the_end(three: Game) -> None:
    empty: frozenset[Space] = frozenset()
    unfinished, red, blue = won(3, empty, empty, 9)
    assert won_by_rules(three, three.start(), 9, {}) == (unfinished, red, blue)
    assert unfinished == 0 and red > blue > 0


@pytest.mark.sized
def test_hex__all_ends_of_games_of_five_rows() -> None:
    """A full board always has a winner, and never two: games are begun at random and then played in all ways."""
    game = game_of("classics/hex", options={"size": "five"})
    last = size(8, 11)
    for seed in range(size(3, 40)):
        rng, state, stones = random.Random(seed), game.start(), (set[Space](), set[Space]())
        while state.to_move is not None and sum(map(len, stones)) < 25 - last:
            move = rng.choice(game.legal_moves(state))
            r, c = str(move).removeprefix("put ").split(".")
            stones[state.to_move - 1].add((int(r), int(c)))
            state = game.apply(state, move)
        red, blue = frozenset(stones[0]), frozenset(stones[1])
        found = won_by_rules(game, state, last, {})
        assert found == won(5, red, blue, last), seed
        assert found[0] == 0
