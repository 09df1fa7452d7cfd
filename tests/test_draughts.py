"""Draughts: published counts of turns, each of which may be several captures."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from interpreter import Game, State
from tests.shipped import game_of
from tests.sizes import size

COUNTS = [7, 49, 302, 1469, 7361, 36768]  # ways to play so many turns from the start, as they are published


def after_turns(game: Game, state: State) -> Iterator[State]:
    """Yield the position after each way to play a whole turn."""
    for move in game.legal_moves(state):
        after = game.apply(state, move)
        if after.to_move != state.to_move:
            yield after
        else:
            yield from after_turns(game, after)


def count(game: Game, state: State, turns: int) -> int:
    return 1 if turns == 0 else sum(count(game, after, turns - 1) for after in after_turns(game, state))


@pytest.mark.sized
def test_draughts__counts_are_the_published_ones() -> None:
    game = game_of("classics/draughts")
    many = size(4, 6)
    assert [count(game, game.start(), turns) for turns in range(1, many + 1)] == COUNTS[:many]
