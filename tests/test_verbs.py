"""Positions that were reached natively: all they tell is what Python says, and it costs no more than what was asked."""

from __future__ import annotations

import random
import shutil

import pytest

from interpreter import CHANCE, Game, Move, State, load
from interpreter.compile.build import COMPILERS
from interpreter.run.verbs import NativeState

pytestmark = pytest.mark.skipif(not any(map(shutil.which, COMPILERS)), reason="no C compiler")


def native_game(name: str) -> Game:
    game = load(name)
    assert game.compile()
    return game


def decided(game: Game, seed: int | None, rng: random.Random, most: int = 10_000) -> list[State]:
    """Return the positions of a random game."""
    states = [game.start(seed)]
    while states[-1].to_move is not None and len(states) <= most:
        states.append(game.apply(states[-1], rng.choice(game.legal_moves(states[-1]))))
    return states


@pytest.mark.parametrize("name", ["base", "classics/pig", "classics/briscola"])
@pytest.mark.parametrize("seed", [None, 7])
def test_ledger__is_that_of_python(name: str, seed: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    native = decided(native_game(name), seed, random.Random(1))
    assert any(type(state) is NativeState for state in native)
    game = native_game(name)
    monkeypatch.setattr(Game, "_verbs", None)
    python = decided(game, seed, random.Random(1))
    assert native == python
    for k, (one, other) in enumerate(zip(native, python, strict=True)):
        assert one.scored == other.scored
        for since in {max(0, k - 1), k // 2, 0}:  # the last one first: no position knows its ledger by then
            assert game.ledger(one, native[since]) == game.ledger(other, python[since])
        assert game.decisions(one) == game.decisions(other)
    assert game.ledger(native[-1]) == game.ledger(python[-1])
    assert game.ledger(native[-1].with_seed(3)) == game.ledger(python[-1])


def test_ledger__since_the_last_decision_repeats_only_that(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever tells the reasons after every decision, as a match does, goes through a game once, not once a decision."""
    game, again, rng = native_game("base"), 0, random.Random(2)
    in_python = Game._apply_in_python

    def counted(self: Game, state: State, move: Move) -> State:
        nonlocal again
        again += 1
        return in_python(self, state, move)

    monkeypatch.setattr(Game, "_apply_in_python", counted)
    state, lines = game.start(5), []
    while state.to_move is not None:
        before, state = state, game.apply(state, rng.choice(game.legal_moves(state)))
        for move in game.decisions(state, before):
            after = game.apply(before.with_seed(None), move)
            lines += game.ledger(after, before)
            before = after
    draws = sum(1 for move in game.decisions(state) if move.name == "draw")
    assert again <= state.decisions + draws  # draws are applied in Python, and their reasons asked for
    assert lines == game.ledger(state)


def test_with_seed__goes_on_natively() -> None:
    game = native_game("base")
    state = game.start(5)
    other = state.with_seed(None)
    assert type(other) is NativeState and other == state and other.seed is None
    assert game.legal_moves(other) == game.legal_moves(state)
    rng = random.Random(3)
    while other.to_move != CHANCE:
        other = game.apply(other, rng.choice(game.legal_moves(other)))
    assert [move.name for move, _ in game.chances(other)] == ["draw"] * len(game.chances(other))
