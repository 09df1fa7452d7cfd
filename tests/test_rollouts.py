"""Rollouts: from any position of a game, by its rules, the same natively and in Python."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from pathlib import Path

import pytest

from interpreter import CHANCE, Fault, Game, State, load
from interpreter.compile.build import COMPILERS
from interpreter.run.library import NO_LIMIT
from tests.sizes import size

FOLDER = Path(__file__).parent / "native"
CLASSICS = Path(__file__).parent.parent / "games" / "classics"
needs_compiler = pytest.mark.skipif(not any(map(shutil.which, COMPILERS)), reason="no C compiler")
GAMES = ["base", *(str(CLASSICS / f"{name}.yaml") for name in ("nim", "pig", "kalah", "briscola", "tictactoe"))]
HARDER = ["sintra", "pavilion", "duel"]


def positions(game: Game, every: int, seed: int = 1) -> list[State]:
    """Some positions of a random game with chance left open, its decisions among them."""
    rng, state, found = random.Random(seed), game.start(), []
    while state.to_move is not None:
        if state.decisions % every == 0:
            found.append(state)
        state = game.apply(state, rng.choice(game.legal_moves(state)))
    return found


@pytest.mark.parametrize("name", GAMES)
def test_rollout__of_one_decision_is_one_legal_move(name: str) -> None:
    """Every legal move is made, each as often as any other, and nothing else."""
    game = load(name)
    checked = 0
    for state in positions(game, every=7):
        if not state.to_move:
            continue
        after = {game.apply(state, move) for move in game.legal_moves(state)}
        if any(s.to_move == CHANCE for s in after) or len(after) > 20:
            continue
        many = 60 * len(after)
        found = Counter(game.rollout(state, seed, steps=1) for seed in range(many))
        assert found.keys() == after
        assert all(s.to_move == next(a.to_move for a in after if a == s) for s in found)
        assert len(after) < len(game.legal_moves(state)) or min(found.values()) > 20
        checked += 1
        if checked == 3:
            break
    assert checked or name.endswith("pig.yaml")  # there a roll comes after every decision but the last


def test_rollout__goes_on_in_the_middle_of_a_draw() -> None:
    game = load("base")
    state = game.start()
    for _ in range(6):
        state = game.apply(state, "draw red")
    end = game.rollout(state, 1, steps=0)
    assert end.to_move == 1  # all is drawn, and the first player is to move
    lying = {k: n for d in range(1, 6) for k, n in [(d, sum(n for _, n in game.place(end, "offer", d)))]}
    assert set(lying.values()) == {4}
    assert game.place(end, "offer", 1) == game.place(state, "offer", 1)  # what was drawn before stays


@pytest.mark.parametrize("name", GAMES)
def test_rollout__ends_the_game(name: str) -> None:
    game = load(name)
    for state in positions(game, every=13):
        end = game.rollout(state, 5)
        assert end.to_move is None and game.outcome(end) is not None
        assert game.rollout(end, 5) == end


def test_rollout__ends_where_chance_comes_after_points() -> None:
    game = load("base")
    state = game.start(3)
    seed = next(s for s in range(50) if any(game.scores(game.rollout(state, s, rounds=1)).values()))
    one = game.rollout(state, seed, rounds=1)
    assert one.to_move == CHANCE and any(game.scores(one).values())
    two = game.rollout(state, seed, rounds=2)
    assert two.to_move in (CHANCE, None) and two != one
    assert all(n == 0 for d in range(1, 6) for _, n in game.place(one, "offer", d))
    vector = game.simulator.rollout(one.vector, 1, rounds=1, scored=True)
    assert vector == one.vector  # it had scored before, and chance is to come: nothing is done


def test_rollout__does_not_know_the_seed() -> None:
    game = load("base")
    state = game.start(3)
    assert game.rollout(state, 9) == game.rollout(state.with_seed(77), 9) == game.rollout(state.with_seed(None), 9)


@needs_compiler
@pytest.mark.sized
@pytest.mark.parametrize("name", [*GAMES, *HARDER, str(FOLDER / "every_step.yaml"), str(FOLDER / "names.yaml")])
def test_rollout__is_the_same_natively(name: str) -> None:
    game = load(name)
    assert game.compile()
    for number, state in enumerate(positions(game, every=5)[: size(15, 60)]):
        for steps, rounds in ((NO_LIMIT, 0), (3, 0), (NO_LIMIT, 1)):
            vector = game.simulator.rollout(state.vector, number, steps, rounds)
            assert vector == game.simulator.rollout_in_python(state.vector, number, steps, rounds)


@needs_compiler
def test_rollout__faults_are_the_same_natively() -> None:
    game = load(FOLDER / "faults.yaml")
    state = game.start()
    ends = []
    for native in (False, True):
        assert not native or game.compile()
        found: list[object] = []
        for seed in range(60):
            try:
                found.append(game.rollout(state, seed).vector)
            except Fault as fault:
                found.append(str(fault))
        ends.append(found)
    assert ends[0] == ends[1]
    assert any(isinstance(end, str) for end in ends[0])


def test_rollout__stays_in_python_if_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESPEC_NATIVE", "0")
    game = load(CLASSICS / "nim.yaml")
    assert not game.compile()
    assert game.rollout(game.start(), 4).to_move is None


@needs_compiler
@pytest.mark.parametrize("name", ["base", "pavilion", str(CLASSICS / "pig.yaml")])
def test_rollouts__of_many_positions_are_those_of_each(name: str) -> None:
    """Natively and in Python, by rounds and by steps; where chance follows upon points, the round is over."""
    game = load(name)
    game.compile()
    rng, state = random.Random(2), game.start(2)
    states: list[State] = []
    while state.to_move is not None and len(states) < 12:
        state = game.apply(state.with_seed(None), rng.choice(game.legal_moves(state)))
        states.append(state)
        while state.to_move == CHANCE:
            state = game.apply(state, rng.choice(game.legal_moves(state)))
    size, seeds = game.layout.size, [5, 2**70]
    for steps, rounds in ((NO_LIMIT, 1), (3, 0), (NO_LIMIT, 0)):
        found = game.rollouts(states, seeds, steps, rounds)
        assert found == game._python_rollouts(states, seeds, steps, rounds)
        assert len(found) == len(states) * len(seeds) * size
        for i, s in enumerate(states):
            if s.to_move is None or (rounds == 1 and s.scored and s.to_move == CHANCE):
                continue
            if not s.scored or not rounds:
                at = (i * len(seeds) + 1) * size
                assert tuple(found[at : at + size]) == game.rollout(s, seeds[1], steps, rounds).vector
