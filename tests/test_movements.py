"""A game that tells how pieces moved: the movements told are the difference of the positions, step by step."""

from __future__ import annotations

import random

import pytest

from interpreter.game import TracedGame, load_traced
from interpreter.layout import contents
from interpreter.state import Movement, Spot, TracedState
from rulespec.files.sources import shipped_games
from tests.shipped import game_of
from tests.sizes import size

GAMES = [name for name in shipped_games() if not name.startswith("house/")]


def lying(game: TracedGame, state: TracedState) -> dict[tuple[Spot, int], int]:
    """Return how many pieces of each kind lie where."""
    found: dict[tuple[Spot, int], int] = {}
    for place in game.model.places.values():
        for number in range(place.size):
            for kind, count in contents(game.layout, state.vector, place.name, number):
                key = (Spot(place.name, number), kind)
                found[key] = found.get(key, 0) + count
    return found


def moved(before: dict[tuple[Spot, int], int], movements: tuple[Movement, ...]) -> dict[tuple[Spot, int], int]:
    after = dict(before)
    for m in movements:
        after[m.source, m.kind] = after.get((m.source, m.kind), 0) - m.count
        assert after[m.source, m.kind] >= 0, f"{m} takes what is not there"
        after[m.goal, m.kind] = after.get((m.goal, m.kind), 0) + m.count
    return {key: count for key, count in after.items() if count}


@pytest.mark.sized
@pytest.mark.parametrize("name", [*GAMES, *(f"tests/native/{file}.yaml" for file in ("every_step",))])
def test_movements__lead_from_one_position_to_the_next(name: str) -> None:
    game = load_traced(name)
    for seed in range(size(1, 20)):
        rng = random.Random(seed)
        state = game.start()
        while state.to_move is not None:
            assert isinstance(state, TracedState)
            before = lying(game, state)
            state = game.apply(state, rng.choice(game.legal_moves(state)))
            assert isinstance(state, TracedState)
            assert moved(before, state.moved) == lying(game, state)


@pytest.mark.sized
@pytest.mark.parametrize("name", GAMES[:: size(3, 1)])
def test_movements__change_nothing_else(name: str) -> None:
    game, telling = game_of(name), load_traced(name)
    state, told = game.start(seed=3), telling.start(seed=3)
    rng = random.Random(3)
    while state.to_move is not None:
        move = rng.choice(game.legal_moves(state))
        state, told = game.apply(state, move), telling.apply(told, move)
        assert state == told
    assert game.ledger(state) == telling.ledger(told)
