"""Batches: many games side by side, by the same rules as one game, with actions as numbers and masks."""

from __future__ import annotations

import random
import shutil
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game, State, load
from interpreter.compile.build import COMPILERS
from interpreter.fault import Fault
from interpreter.run.batch import Batch
from interpreter.run.library import IllegalAction
from tests.sizes import size

FOLDER = Path(__file__).parent / "native"

pytestmark = pytest.mark.skipif(not any(map(shutil.which, COMPILERS)), reason="no C compiler")


def state_of(game: Game, batch: Batch, number: int) -> State:
    """Return a game of a batch, as the verbs see it."""
    vector = batch.vector(number)
    return State(vector, game.who_decides(vector), batch.decisions[number], None, None, None, [])


def choose(batch: Batch, rng: random.Random) -> list[int]:
    """Return a legal action for each game that has one."""
    return [rng.choice(list(legal)) if (legal := batch.legal(i)) else -1 for i in range(len(batch))]


@pytest.mark.sized
@pytest.mark.parametrize(
    "name", ["base", "sintra", "pavilion", "duel", "classics/kalah", "classics/briscola"][:: size(3, 1)]
)
def test_actions__are_the_legal_moves_of_every_position(name: str) -> None:
    game = load(name)
    batch = game.batch(6, masks=game.compiled.actions is not None and game.compiled.actions.many < 10_000)
    names, actions = list(game.model.moves), batch.actions
    assert actions is not None
    rng, made = random.Random(2), 0
    while batch.going and made < size(12, 10_000):
        for i in range(6):
            state = state_of(game, batch, i)
            moves = [(names[move], args) for move, args in map(actions.move, batch.legal(i))]
            assert moves == [(m.name, m.args) for m in game.legal_moves(state)]
            assert batch.counts[i] == len(moves)
            assert batch.to_move[i] == (-1 if state.to_move is None else state.to_move)
            if batch._has_masks:
                assert [a for a in range(actions.many) if batch.masks[i, a]] == sorted(batch.legal(i))
            assert list(batch.scores[i * batch.players : (i + 1) * batch.players]) == list(game.scores(state).values())
        before = [state_of(game, batch, i) for i in range(6)]
        chosen = choose(batch, rng)
        batch.step(chosen)
        for i, state in enumerate(before):
            if state.to_move is not None and state.to_move > 0:
                moved = game.apply(
                    state, next(m for m in game.legal_moves(state) if (m.name, m.args) == _move(game, chosen[i]))
                )
                if moved.to_move != 0:  # chance did nothing after it
                    assert moved.vector == batch.vector(i)
        made += 1
    assert made > 5


def _move(game: Game, action: int) -> tuple[str, tuple[object, ...]]:
    assert game.compiled.actions is not None
    number, args = game.compiled.actions.move(action)
    return list(game.model.moves)[number], args


def test_seeds__each_game_has_its_own() -> None:
    game = load("base")
    following, listed, other = game.batch(4, 10), game.batch(4, [10, 11, 12, 13]), game.batch(4, [10, 11, 12, 99])
    assert following.positions == listed.positions
    assert following.vector(2) == other.vector(2) and following.vector(3) != other.vector(3)
    following.start(7)
    assert following.positions != listed.positions
    following.start(10)
    assert following.positions == listed.positions
    with pytest.raises(ValueError, match="expected 4 seeds, found 2"):
        game.batch(4, [1, 2])
    with pytest.raises(ValueError, match="expected at least 1 game in a batch, found 0"):
        game.batch(0)


def test_random__plays_the_games_of_the_seeds() -> None:
    game = load("base")
    batch = game.batch(20, 50)
    while batch.going:
        batch.random()
    starts = game.batch(20, 50)
    ends = [starts.vector(i) for i in range(20)]
    starts.random(10**9)
    assert starts.positions == batch.positions and starts.going == 0
    assert [batch.vector(i) for i in range(20)] != ends
    places = batch.places
    for i in range(20):
        outcome = game.outcome(state_of(game, batch, i))
        assert outcome is not None
        assert [places[i, p - 1] for p in (1, 2)] == [
            1 + next(k for k, r in enumerate(outcome.ranking) if p in r) for p in (1, 2)
        ]
        assert batch.counts[i] == 0 and list(batch.legal(i)) == []


def test_restart__begins_some_games_anew() -> None:
    game = load("base")
    batch, fresh = game.batch(5, 0, masks=True), game.batch(2, [77, 78], masks=True)
    batch.random(10**9)
    kept = batch.vector(0)
    batch.restart([3, 1], [77, 78])
    assert batch.going == 2
    assert (batch.vector(3), batch.vector(1), batch.vector(0)) == (fresh.vector(0), fresh.vector(1), kept)
    assert list(batch.legal(3)) == list(fresh.legal(0)) and batch.masks.tolist()[1] == fresh.masks.tolist()[1]
    assert batch.counts[0] == 0
    with pytest.raises(IndexError):
        batch.restart([5], [1])


def test_step__refuses_and_changes_nothing() -> None:
    game = load("base")
    batch = game.batch(3, masks=True)
    before = batch.positions.tolist()
    legal = [batch.legal(i)[0] for i in range(3)]
    illegal = next(a for a in range(185) if a not in list(batch.legal(1)))
    with pytest.raises(IllegalAction, match=f"action {illegal} is not legal in game 1"):
        batch.step([legal[0], illegal, legal[2]])
    assert batch.positions.tolist() == before
    with pytest.raises(ValueError, match="expected 3 actions, found 2"):
        batch.step(legal[:2])
    batch.step(legal)
    assert batch.positions.tolist() != before


def test_step__takes_any_numbers() -> None:
    game = load("base")
    ways: list[Callable[[list[int]], Any]] = [
        list,
        tuple,
        lambda a: array("i", a),
        lambda a: array("q", a),
        lambda a: memoryview(array("h", a)),
    ]
    found = []
    for way in ways:
        batch = game.batch(3)
        batch.step(way([batch.legal(i)[0] for i in range(3)]))
        found.append(batch.positions.tolist())
    assert all(f == found[0] for f in found)


def test_views__are_read_only_rows() -> None:
    batch = load("base").batch(4, masks=True)
    assert batch.masks.shape == (4, 185) and batch.masks.format == "B" and batch.masks.readonly
    assert batch.positions.shape == (4, batch.size) and batch.positions.format == "i" and batch.positions.readonly
    assert batch.places.shape == (4, 2) and not any(batch.places[i, p] for i in range(4) for p in range(2))
    assert batch.legal(0).readonly
    plain = load("base").batch(2)
    with pytest.raises(ValueError, match="masks=True"):
        _ = plain.masks
    for wrong in (-1, 2):
        with pytest.raises(IndexError):
            plain.legal(wrong)


def test_numpy__copies_nothing() -> None:
    numpy = pytest.importorskip("numpy")
    batch = load("base").batch(4, masks=True)
    masks = numpy.asarray(batch.masks)
    assert masks.shape == (4, 185) and masks.sum(axis=1).tolist() == batch.counts
    batch.step(masks.argmax(axis=1))
    assert masks.sum(axis=1).tolist() == batch.counts


def starts(game: Game, seed: int) -> bool:
    try:
        game.batch(1, seed)
    except Fault:
        return False
    return True


def test_fault__ends_its_game_alone() -> None:
    game = load(FOLDER / "faults.yaml")
    good = [seed for seed in range(200) if starts(game, seed)][:30]
    assert len(good) == 30
    batch, faults = game.batch(30, good), 0
    for _ in range(100):
        try:
            batch.random(10**6)
            break
        except Fault:
            faults += 1
    assert 0 < faults <= 30
    ended = [batch.decisions[i] for i in range(30)]
    batch.random(10**6)  # nothing more happens, in those with a fault neither
    assert [batch.decisions[i] for i in range(30)] == ended and not any(batch.counts)


def test_limit__is_the_game_s() -> None:
    game = load(FOLDER / "endless.yaml", limit=30)
    batch = game.batch(3)
    with pytest.raises(Fault, match="did not end within 30 decisions"):
        batch.random(10**6)
    batch = game.batch(1)

    def step_on() -> None:
        while True:
            batch.step([batch.legal(0)[0]])

    with pytest.raises(Fault, match="did not end within 30 decisions"):
        step_on()
    assert batch.decisions[0] == 30
