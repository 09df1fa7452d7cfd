"""A game has a limit of decisions: one more is a fault of its own kind, the same in every way to play."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path
from typing import Any

import pytest

from interpreter import Fault, Game, load
from interpreter.compile.build import COMPILERS
from interpreter.fault import ENDLESS, LIMIT, RULES
from interpreter.run.library import NO_LIMIT
from interpreter.run.runtime import DRAW, ROLL, Run
from interpreter.seeds import random_state, random_words
from interpreter.trial.coverage import cover
from interpreter.trial.trial import try_rules
from rulespec.rules import open_rules
from tests.small import small_game

ENDLESS_GAME = Path(__file__).parent / "native" / "endless.yaml"
CHANCE_ALONE = small_game("dice_for_ever")

needs_compiler = pytest.mark.skipif(not any(map(shutil.which, COMPILERS)), reason="no C compiler")


def end_of(play: Any, *args: Any) -> Any:
    """Return the final vector, or the fault as data."""
    try:
        return play(*args).vector
    except Fault as fault:
        return fault.kind, fault.message, fault.span


def by_hand(game: Game, seed: int) -> Any:
    """Return the playout with a seed, decision by decision."""
    longer = Game(game.rules, game.model, game.limit + 5)
    run = Run(longer.limit)
    run.word, run.steps = random_words(random_state(seed)), NO_LIMIT
    with contextlib.suppress(Fault):
        longer.compiled.traced.go(list(longer.layout.start), run, longer.compiled.program.begin)
    state = game.start()
    for number, args in run.trail:
        name = {DRAW: "draw", ROLL: "roll"}.get(number) or game._moves[number].name
        chosen = (args,) if number < 0 else args
        (move,) = [m for m in game.legal_moves(state) if (m.name, m.args) == (name, chosen)]
        state = game.apply(state, move)
    return state


@needs_compiler
@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 57, 400])
def test_limit__is_the_same_in_every_engine(limit: int) -> None:
    game = load(ENDLESS_GAME, limit=limit)
    assert game.compile()
    for seed in range(6):
        found = end_of(game.python_playout, seed)
        assert found[:2] == (ENDLESS, f"the game did not end within {limit} decisions")
        assert end_of(game.playout, seed) == found
        assert end_of(lambda seed: game._retrace(seed), seed) == found
        assert end_of(lambda seed: by_hand(game, seed), seed) == found
    assert end_of(lambda: game.simulate(3)) == end_of(game.python_playout, 0)


@needs_compiler
@pytest.mark.parametrize("name", ["base", pytest.param("pavilion", marks=pytest.mark.soak)])
def test_limit__allows_exactly_so_many(name: str) -> None:
    """These games have moves that play themselves, which are no decisions."""
    game = load(name)
    for seed in (1, 2):
        end = game.playout(seed)
        enough, short = (Game(game.rules, game.model, end.decisions - less) for less in (0, 1))
        assert enough.compile() and short.compile()
        assert enough.playout(seed).vector == enough.python_playout(seed).vector == end.vector
        assert enough.playout(seed).decisions == end.decisions
        state = enough.start()
        for move in game.decisions(end):
            state = enough.apply(state, move)
        assert state.vector == end.vector
        for play in (short.playout, short.python_playout, short._retrace):
            with pytest.raises(Fault, match=f"did not end within {end.decisions - 1} decisions") as caught:
                play(seed)
            assert caught.value.kind == ENDLESS


def test_limit__stops_chance_that_goes_on_alone() -> None:
    game = load(CHANCE_ALONE, limit=1000)
    expected = (ENDLESS, "the game did not end within 1000 decisions")
    assert end_of(game.start, 3)[:2] == end_of(game.playout, 3)[:2] == expected
    assert end_of(game.rollout, game.start(), 3)[:2] == expected


@needs_compiler
def test_limit__of_rollouts_counts_what_was_decided_before() -> None:
    game = load(ENDLESS_GAME, limit=50)
    state = game.start(1)
    while state.decisions < 40:
        state = game.apply(state, game.legal_moves(state)[0])
    assert game.rollout(state, 1, steps=1).to_move is not None
    found = end_of(game.rollout, state, 1)
    assert found[0] == ENDLESS
    assert game.compile()
    assert end_of(game.rollout, state, 1) == found
    with pytest.raises(Fault):
        game.rollout(state, 1, steps=11)  # as many decisions of players, and some of chance


def test_limit__by_default() -> None:
    assert load("base").limit == LIMIT == 100_000
    with pytest.raises(Fault, match="did not end within 100000 decisions"):
        load(ENDLESS_GAME).playout(1)


@pytest.mark.parametrize("limit", [0, -5, 2**62 + 1])
def test_limit__that_is_none_is_refused(limit: int) -> None:
    with pytest.raises(ValueError, match=rf"expected a limit of 1 to 2\^62 decisions, found {limit}"):
        load("base", limit=limit)


def test_fault__of_rules_is_of_another_kind() -> None:
    with pytest.raises(Fault) as caught:
        load(ENDLESS_GAME.with_name("faults.yaml")).simulate(200)
    assert caught.value.kind == RULES


def test_coverage__of_a_game_that_does_not_end() -> None:
    with pytest.raises(Fault, match="did not end within 30 decisions"):
        cover(open_rules(ENDLESS_GAME), 3, limit=30)


def test_trial__of_a_game_that_does_not_end() -> None:
    rules = open_rules(ENDLESS_GAME)
    trial = try_rules(rules, 3, most_decisions=30)
    assert not trial.faults
    found = [d for d in trial.diagnostics(rules) if d.code == "play-endless"]
    assert [d.message for d in found] == ["a random game did not end within 30 decisions"]
