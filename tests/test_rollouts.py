"""Rollouts: from any position of a game, by its rules, the same natively and in Python."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from itertools import islice
from math import inf
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from interpreter import CHANCE, Fault, Game, State, load
from interpreter.compile.build import COMPILERS
from interpreter.run import halving
from interpreter.run.library import NO_LIMIT
from referee.bots import play_quick
from tests.sizes import size
from tests.sticks import sticks

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
    for number, state in enumerate(positions(game, every=5)[: size(8, 60)]):
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


# Halving -------------------------------------------------------------------------------------------------


# what is taken is put back: a game that never ends
STUCK = sticks().replace("from heap to taken[me]", "from heap to taken[me]\n      - move all from taken[me] to heap")


def by_hand(game: Game, state: State, order: list[int], each: list[int], seeds: list[int], steps: int) -> object:
    """What `halve` gives, from `apply` and `rollouts`."""
    moves, me = game.legal_moves(state), state.to_move or 0
    sums, counts, order, left = [0] * len(moves), [0] * len(moves), order.copy(), order.copy()
    drawn = iter(seeds)
    for many in each:
        mine = list(islice(drawn, many))
        for i in left:
            ends = game.rollouts([game.apply(state, moves[i])], mine, steps, 1)
            for at in range(0, len(ends), game.layout.size):
                end = State(tuple(ends[at : at + game.layout.size]), None, 0, None, None, None, [])
                scores, outcome = game.scores(end), game.outcome(end)
                if scores:
                    sums[i] += scores[me] - max((n for p, n in scores.items() if p != me), default=0)
                elif outcome is not None and len(outcome.winners) < game.players:
                    sums[i] += 1 if me in outcome.winners else -1
                counts[i] += 1
        left.sort(key=lambda i: -sums[i] / counts[i])
        order[: len(left)] = left
        left = left[: (len(left) + 1) // 2]
    return order, sums, counts


def halved(game: Game, *given: Any) -> object:
    """What `halve` gives, as `by_hand` has it."""
    state, order, each, seeds, steps = given
    found = game.halve(state, game.legal_moves(state), order, each, seeds, steps, 1)
    return found and (found[0], list(found[1]), list(found[2]))


@needs_compiler
@pytest.mark.sized
@pytest.mark.parametrize("name", [*GAMES, *HARDER, "classics/reversi"])
def test_halve__is_what_rollouts_say(name: str) -> None:
    game = load(name)
    assert game.compile()
    compared = 0
    for number, state in enumerate(positions(game, every=9)[: size(8, 60)]):
        many = game.count_moves(state)
        if not state.to_move or many < 2:
            continue
        rng = random.Random(number)
        order = rng.sample(range(many), min(many, 9))
        given = state, order, [2, 1, 3], [rng.getrandbits(32) for _ in range(6)], (300, 5)[number % 2]
        assert halved(game, *given) == by_hand(game, *given)
        compared += 1
    assert compared


@needs_compiler
def test_halve__goes_on_where_a_call_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("base")
    assert game.compile()
    state = next(s for s in positions(game, every=1) if s.to_move)
    given = state, [3, 1, 2, 0], [5, 5], list(range(10)), 300
    at_once = halved(game, *given)
    made = game._native.halving
    assert made is not None
    monkeypatch.setattr(halving, "QUICK", -1.0)
    monkeypatch.setattr(halving, "SLOW", inf)
    made._record.fuel = 1
    assert halved(game, *given) == at_once and made._record.fuel == 1

    def interrupted() -> float:
        calls[0] -= 1
        if calls[0] < 0:
            raise KeyboardInterrupt
        return 0.0

    calls = [40]
    with monkeypatch.context() as patched:
        patched.setattr(halving, "monotonic", interrupted)
        with pytest.raises(KeyboardInterrupt):
            halved(game, *given)
    assert halved(game, *given) == at_once


@needs_compiler
def test_halve__leaves_faults_to_python() -> None:
    """One play with a fault is enough: which of them count is decided where each is played alone."""
    game = load(STUCK, limit=60)
    assert game.compile()
    state = game.start()
    given = state, [2, 0, 1], [2, 1], [5, 6, 7]
    assert halved(game, *given, 5) == by_hand(game, *given, 5)
    with pytest.raises(Fault):
        by_hand(game, *given, 300)
    assert halved(game, *given, 300) is None
    moves = [str(play_quick(game, state, random.Random(seed), 30)) for seed in range(5)]
    with patch.object(Game, "halve", return_value=None):
        assert moves == [str(play_quick(game, state, random.Random(seed), 30)) for seed in range(5)]
