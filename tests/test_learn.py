"""Environments for programs that learn: they keep to the conventions of their libraries, and show no seat what it may not see."""

from __future__ import annotations

import copy
import json
import os
import pickle
import random
import re
import subprocess
import sys
import warnings
from collections.abc import Iterator
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyspiel
import pytest
from gymnasium.vector import AutoresetMode
from open_spiel.python.algorithms import cfr, expected_game_score
from pettingzoo.test import api_test, performance_benchmark, seed_test

import referee.learn
from examples import self_play
from interpreter import BLOCK, CHANCE, Game, IllegalMove, State, contents, load
from referee.bots import unseen_places
from referee.learn import BatchEnv, PreparedGame, SeatsEnv, Unfit, open_spiel_game, prepare
from referee.learn.prepared import REWARDS
from tests.shipped import ROOT, game_of
from tests.sizes import size
from tests.small import FOLDER, small_game
from tests.test_view import with_two_hidden_pieces_swapped

LATER = pytest.mark.soak
SHOWN = [pytest.param("base", marks=LATER), pytest.param("duel", marks=LATER), "classics/kuhn"]
HIDING = [pytest.param("duel", marks=LATER), "classics/briscola", "classics/kuhn", "cards_with_backs", "passed_cards"]


def ready(name: str, reward: str = "rank") -> PreparedGame:
    """Return a shipped game, or a small one of the tests, made ready."""
    is_small = (FOLDER / f"{name}.yaml").exists()
    return prepare(load(small_game(name)) if is_small else game_of(name), reward=reward)


def played(prepared: PreparedGame, seed: int) -> Iterator[State]:
    """Yield the positions of a random game, its end included."""
    rng, state = random.Random(seed), prepared.game.start(seed=seed)
    while state.to_move is not None:
        yield state
        state = prepared.game.apply(state, prepared.move(rng.choice(prepared.legal(state))))
    yield state


def choose(masks: Any, rng: np.random.Generator) -> Any:
    """Return a random legal action of each game; 0 where there is none."""
    return np.array([rng.choice(np.flatnonzero(row)) if row.any() else 0 for row in masks])


# what a seat sees -----------------------------------------------------------------------------------------------


def scrambled(game: Game, state: State, seat: int, rng: random.Random) -> State:
    """Return a position that looks the same to a seat: all else is changed as far as nobody would notice."""
    other = with_two_hidden_pieces_swapped(game, state, seat, rng) or state
    vector = list(other.vector)
    vector[BLOCK] = 9999  # where the rules are
    for slot in game.layout.frames:  # what they keep for later
        vector[slot] = rng.randrange(1000)
    for lay in game.layout.places.values():  # what lies above the top of a stack
        if lay.place.shape == "stack":
            for number in range(lay.place.size):
                at = lay.address(number)
                for slot in range(at + 1 + vector[at], at + lay.width):
                    vector[slot] = rng.choice(lay.place.kinds)
    return State(tuple(vector), state.to_move, state.decisions, None, None, rng.getrandbits(64), [])


@pytest.mark.sized
@pytest.mark.parametrize("name", HIDING)
def test_observations__hold_what_a_seat_sees_and_nothing_else(name: str) -> None:
    """Two thousand observations of each game in the soak run, ten thousand in all."""
    prepared = ready(name)
    game, looked, moved, seed = prepared.game, 0, 0, 0
    views: dict[bytes, str] = {}
    seen: dict[str, bytes] = {}
    most = size(20, 2000)
    while looked < most:
        rng, seed = random.Random(seed), seed + 1
        for state in played(prepared, seed):
            if looked >= most:
                break
            for seat in range(1, game.players + 1):
                looked += 1
                view = json.dumps([seat, game.view(state, seat)], sort_keys=True)
                numbers = prepared.observation(state, seat).tobytes()
                assert seen.setdefault(view, numbers) == numbers  # equal views, equal observations
                assert views.setdefault(numbers, view) == view  # and nothing that is seen is left out
                other = scrambled(game, state, seat, rng)
                assert game.view(other, seat) == game.view(state, seat)
                assert prepared.observation(other, seat).tobytes() == numbers
                moved += prepared.everything(other).tobytes() != prepared.everything(state).tobytes()
    assert moved  # hidden pieces were really swapped


def test_observations__own_seat_first() -> None:
    """Names are the same for all seats, and what is mine is mine from each seat."""
    prepared = ready("classics/kuhn")
    state = prepared.game.start(seed=3)
    held = {p: prepared.game.view(state, p)["places"][f"hand[{p}]"] for p in (1, 2)}
    for seat in (1, 2):
        numbers = dict(zip(prepared.readings, prepared.observation(state, seat).tolist(), strict=True))
        assert [card for card in ("jack", "queen", "king") if numbers[f"hand[me] {card}"]] == [held[seat]]
        assert not any(numbers[f"hand[me+1] {card}"] for card in ("jack", "queen", "king"))
        assert numbers["hand[me+1] hidden"] == 1 and numbers["hand[me] hidden"] == 0
        assert numbers["to move me"] == (state.to_move == seat) and numbers[f"seat {seat}"] == 1
        assert numbers["first me"] == (seat == 1)


VALUES = """
rulespec: 1
game: Values
players: 2
sets: {wood: [oak, ash]}
pieces: {wood: 2 in shed}
places:
  shed: {pile: wood}
  heap: {stack: wood, room: 3}
variables:
  turn: player
  last: {is: [wood, none], start: none}
  low: {is: [-3..4, none], start: -2}
  done: yes_no
play:
  - for each: p in player
    do:
      - ask: p
        to: take
moves:
  take:
    text: take {w}
    choose: {w: wood}
    needs:
      there:
        that: w in shed
        else: there is no {w}
    does:
      - move 1 of w from shed to heap
      - set last to w
      - set low to none
      - set done to true
winner:
  nobody: 1
"""


def test_observations__values_of_every_type() -> None:
    prepared = prepare(VALUES)
    game = prepared.game
    state = game.apply(game.start(), "take ash")

    def shown(state: State) -> dict[str, int]:
        numbers = dict(zip(prepared.readings, prepared.observation(state, 1).tolist(), strict=True))
        return {name: number for name, number in numbers.items() if number}

    assert shown(game.start()) == {
        "shed oak": 2, "shed ash": 2, "turn me": 1, "last none": 1, "low": -2, "to move me": 1, "seat 1": 1,
    }  # fmt: skip
    assert shown(state) == {
        "shed oak": 2, "shed ash": 1, "heap 1 ash": 1, "turn me": 1, "last ash": 1, "low none": 1, "done": 1,
        "to move me+1": 1, "seat 1": 1,
    }  # fmt: skip
    low, high = prepared.bounds()
    at = prepared.readings.index("low")
    assert (low[at], high[at]) == (-3, 4)


# rewards --------------------------------------------------------------------------------------------------------


def test_rewards__rank_and_margin_are_zero_sum_and_scores_add_up() -> None:
    for players in (2, 3, 4):
        game = game_of("classics/pig", players)
        end = game.playout(seed=players)
        for reward in REWARDS:
            prepared = prepare(game, reward=reward)
            scores = prepared.scores([game.start(seed=1), end])
            gained = prepared.gained(scores[:1], scores[1:], np.array([prepared.places(end)]))[0]
            final = list(game.scores(end).values())
            if reward == "score":
                assert gained.tolist() == final
            else:
                assert abs(gained.sum()) < 1e-4
                best = max(final)
                assert all(gained[p] == gained.max() for p in range(players) if final[p] == best and reward == "margin")
            low, high = prepared.return_bounds
            assert low <= gained.min() and gained.max() <= high


@pytest.mark.parametrize(
    ("game", "reward", "said"),
    [
        ("classics/kuhn", "money", "expected a reward of `rank`, `score`, `margin`, found `money`"),
        ("classics/tictactoe", "score", "`Tic-tac-toe` has no scores: the reward can only be `rank`"),
    ],
)
def test_rewards__what_there_is_not(game: str, reward: str, said: str) -> None:
    with pytest.raises(Unfit) as error:
        prepare(game, reward=reward)
    assert str(error.value) == said


MANY = """
rulespec: 1
game: Many
players: 2
play:
  - ask: 1
    to: say or shout
moves:
  say:
    text: say {a}
    choose: {a: 1..99, b: 1..99, c: 1..99}
    does: []
  shout:
    text: shout {a}
    choose: {a: 1..99, b: 1..99, c: 1..99}
    does: []
winner:
  nobody: 1
"""


def test_prepare__a_game_that_is_ready_keeps_its_reward_unless_told_otherwise() -> None:
    prepared = ready("classics/kuhn", "margin")
    assert SeatsEnv(prepared).prepared is prepared
    assert SeatsEnv(prepared, reward="score").prepared.reward == "score"
    assert SeatsEnv(prepared.game).prepared.reward == "rank"


def test_prepare__moves_that_no_mask_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Unfit) as error:
        prepare(MANY)
    assert str(error.value) == "`Many` has 1,940,598 different moves, and a mask holds at most 1,048,576"
    game = load(small_game("take_one"))
    monkeypatch.setattr(game, "compiled", SimpleNamespace(actions=None))
    with pytest.raises(Unfit) as error:
        prepare(game)
    assert (
        str(error.value) == "the moves of `Take one` cannot be numbered: there are more of them than 32 bits can count"
    )


# PettingZoo -----------------------------------------------------------------------------------------------------


@pytest.mark.sized
@pytest.mark.parametrize("name", SHOWN)
def test_seats__keep_to_the_interface(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # an observation is a dictionary, as in all games with masks
        api_test(SeatsEnv(game_of(name)), num_cycles=size(30, 1000), verbose_progress=False)


@pytest.mark.sized
@pytest.mark.parametrize("name", SHOWN)
def test_seats__a_seed_says_all(name: str) -> None:
    seed_test(lambda: SeatsEnv(game_of(name)), num_cycles=size(5, 200))


@pytest.mark.soak
@pytest.mark.parametrize("name", SHOWN)
def test_seats__are_fast_enough_to_be_measured(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    performance_benchmark(SeatsEnv(game_of(name)))
    assert "turns per second" in capsys.readouterr().out


def test_seats__episodes_follow_from_the_seed() -> None:
    def starts(env: SeatsEnv, seed: int | None) -> list[bytes]:
        found = []
        for episode in range(3):
            env.reset(seed=seed if episode == 0 else None)
            found.append(env.state().tobytes())
        return found

    env = SeatsEnv(game_of("classics/briscola"))
    once = starts(env, 5)
    assert starts(env, 5) == once and starts(SeatsEnv(game_of("classics/briscola")), 5) == once
    assert len({*once, *starts(env, 6), *starts(env, None)}) == 9
    env.reset(seed=5)
    assert env.position == game_of("classics/briscola").start(seed=5)  # the same game as everywhere else


def test_seats__rewards_come_to_everybody() -> None:
    env = SeatsEnv("classics/kuhn", reward="score")
    env.reset(seed=1)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, over, _, _ = env.last()
        totals[agent] += reward
        env.step(None if over else int(np.flatnonzero(observation["action_mask"])[-1]))
    scores = env.prepared.game.scores(env.position)
    assert totals == {"player_1": scores[1], "player_2": scores[2]} and any(totals.values())


def test_seats__who_does_not_decide_has_no_mask() -> None:
    env = SeatsEnv("classics/kuhn")
    env.reset(seed=1)
    assert env.agent_selection == "player_1"
    assert env.observe("player_1")["action_mask"].tolist() == [1, 1, 0, 0]
    assert env.observe("player_2")["action_mask"].tolist() == [0, 0, 0, 0]


def test_seats__truncate() -> None:
    env = SeatsEnv(game_of("classics/briscola"), truncate=3)
    env.reset(seed=1)
    decided = 0
    for _ in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        assert not terminated and reward == 0
        decided += not truncated
        env.step(None if truncated else int(np.flatnonzero(observation["action_mask"])[0]))
    assert decided == 3


def test_seats__an_illegal_action_says_why_and_changes_nothing() -> None:
    env = SeatsEnv("classics/kuhn")
    env.reset(seed=1)
    env.step(1)
    before = env.state()
    with pytest.raises(IllegalMove, match="`check` is not legal: the other has bet; call or fold"):
        env.step(0)
    for wrong in (4, -1, 1.5, None):
        with pytest.raises(Unfit, match=f"expected an action from 0 to 3, found {wrong}"):
            env.step(wrong)  # type: ignore[arg-type]
    assert (env.state() == before).all() and env.agent_selection == "player_2"


def test_seats__copies_go_their_own_way() -> None:
    env = SeatsEnv("classics/kuhn", reward="score")
    env.reset(seed=2)
    env.step(1)
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert (other.state() == env.state()).all() and other.agent_selection == env.agent_selection
        other.step(2)
        assert other.terminations == {"player_1": True, "player_2": True}
        assert env.terminations == {"player_1": False, "player_2": False}


def test_seats__are_shown_as_an_onlooker_sees_them() -> None:
    env = SeatsEnv("classics/kuhn", render_mode="ansi")
    env.reset(seed=2)
    shown = env.render()
    assert shown is not None and "Card: ▒" in shown and "In the pot: 1" in shown
    own = env.render(viewer=1)
    assert own is not None and own.count("▒") == shown.count("▒") - 1
    picture = SeatsEnv("classics/kuhn", render_mode="svg")
    picture.reset(seed=2)
    assert str(picture.render()).startswith("<svg")
    many = BatchEnv("classics/kuhn", 2, render_mode="ansi")
    many.reset(seed=2)
    boards = many.render()
    assert boards is not None and len(boards) == 2 and all(board.count("▒") == 2 for board in boards)
    assert SeatsEnv("classics/kuhn").render() is None and BatchEnv("classics/kuhn", 1).render() is None
    env.close()
    with pytest.raises(Unfit, match="call `reset` first"):
        env.render()
    with pytest.raises(Unfit, match="expected a render mode of `ansi`, `human`, `svg`, found `rgb_array`"):
        SeatsEnv("classics/kuhn", render_mode="rgb_array")


@pytest.mark.soak
def test_seats__any_rule_file_players_and_options(tmp_path: Any) -> None:
    house = tmp_path / "mine.yaml"
    house.write_text("rulespec: 1\nextends: base\ngame: Mine\nchange:\n  tables: {cost: [2, 2, 2, 3, 3, 4, 4]}\n")
    env = SeatsEnv(house, players=3, options={"wall_side": "grey"}, house=["corners"])
    env.reset(seed=1, options={"given": {"first": 2}})
    assert env.possible_agents == ["player_1", "player_2", "player_3"] and env.agent_selection == "player_2"
    assert env.prepared.game.title == "Mine + Azul with corners"
    house.unlink()
    assert (pickle.loads(pickle.dumps(env)).state() == env.state()).all()  # a copy needs no file
    with pytest.raises(Unfit, match="a game that is loaded already has its players"):
        SeatsEnv(game_of("base"), players=3)


# Gymnasium ------------------------------------------------------------------------------------------------------


def test_batch__spaces_and_shapes() -> None:
    env = BatchEnv(game_of("classics/kuhn"), 3)
    assert env.num_envs == 3 and env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    seen, info = env.reset(seed=1)
    assert seen in env.observation_space
    assert env.action_space.shape == (3,)
    seen, reward, terminated, truncated, info = env.step(seen["action_mask"].argmax(axis=1))
    assert seen in env.observation_space
    assert reward.shape == terminated.shape == truncated.shape == info["to_move"].shape == (3,)
    assert [kind.dtype.name for kind in (reward, terminated, truncated)] == ["float32", "bool", "bool"]
    assert info["rewards"].shape == (3, 2) and info["to_move"].tolist() == [2, 2, 2]


def test_batch__sees_what_seats_see() -> None:
    """Without chance both play the same games."""
    rng = np.random.default_rng(1)
    batch, env = (
        BatchEnv(game_of("classics/tictactoe"), 1),
        SeatsEnv(game_of("classics/tictactoe")),
    )
    env.reset(seed=1)
    seen, _ = batch.reset(seed=1)
    while True:
        one = env.observe(env.agent_selection)
        assert (one["observation"] == seen["observation"][0]).all() and (
            one["action_mask"] == seen["action_mask"][0]
        ).all()
        assert (batch.state()[0] == env.state()).all()
        actions = choose(seen["action_mask"], rng)
        env.step(int(actions[0]))
        seen, _, terminated, _, info = batch.step(actions)
        assert np.allclose(list(env.rewards.values()), info["rewards"][0])
        if terminated[0]:
            assert all(env.terminations.values())
            return


@pytest.mark.sized
@pytest.mark.parametrize("name", [*SHOWN, pytest.param("classics/briscola", marks=LATER)])
def test_batch__observations_are_those_of_the_positions(name: str) -> None:
    """What a game of a batch shows is what the seat sees of that position, and only the legal moves are in the mask."""
    prepared, rng = ready(name), np.random.default_rng(1)
    env = BatchEnv(prepared, 2, autoreset_mode="SameStep")
    seen, info = env.reset(seed=1)
    for _ in range(size(10, 300)):
        for number in range(2):
            state, seat = env.position(number), int(info["to_move"][number])
            assert state.to_move == seat
            assert (prepared.observation(state, seat) == seen["observation"][number]).all()
            assert np.flatnonzero(seen["action_mask"][number]).tolist() == prepared.legal(state)
        seen, _, _, _, info = env.step(choose(seen["action_mask"], rng))


def run_kuhn(mode: str, steps: int, **more: Any) -> list[tuple[Any, ...]]:
    env, rng = BatchEnv("classics/kuhn", 4, reward="score", autoreset_mode=mode, **more), np.random.default_rng(7)
    seen, info = env.reset(seed=3)
    found: list[tuple[Any, ...]] = [(seen, np.zeros(4), np.zeros(4, bool), np.zeros(4, bool), info)]
    for _ in range(steps):
        found.append(env.step(choose(found[-1][0]["action_mask"], rng)))
    return found


def test_batch__a_seed_says_all() -> None:
    for mode in ("NextStep", "SameStep"):
        for one, two in zip(run_kuhn(mode, 8), run_kuhn(mode, 8), strict=True):
            assert repr(one) == repr(two)


def test_batch__next_step_begins_again_at_the_next_step() -> None:
    steps = run_kuhn("NextStep", 30)
    ended = 0
    for (seen, _, over, _, _), (after, reward, again, _, info) in pairwise(steps):
        for number in np.flatnonzero(over):
            ended += 1
            assert not seen["action_mask"][number].any()  # the end is seen, and there is nothing to decide
            assert after["action_mask"][number].tolist() == [1, 1, 0, 0]  # whatever the action was
            assert reward[number] == 0 and not again[number] and not info["rewards"][number].any()
    assert ended > 10


def test_batch__same_step_begins_again_at_once() -> None:
    steps = run_kuhn("SameStep", 30)
    ended = 0
    for seen, reward, over, _, info in steps:
        assert (info.get("_final_obs", np.zeros(4, bool)) == over).all()
        for number in np.flatnonzero(over):
            ended += 1
            end = info["final_obs"][number]
            assert seen["action_mask"][number].tolist() == [1, 1, 0, 0] and not end["action_mask"].any()
            assert not (end["observation"] == seen["observation"][number]).all()
            assert info["final_info"]["to_move"][number] == 0 and info["final_info"]["_to_move"][number]
            assert info["to_move"][number] == 1
            assert sorted(np.abs(info["rewards"][number])) in ([1, 1], [2, 2]) and info["rewards"][number].sum() == 0
            assert reward[number] in info["rewards"][number]
    assert ended > 10


def test_batch__without_autoreset_games_wait_for_a_reset() -> None:
    env, rng = BatchEnv("classics/kuhn", 4, autoreset_mode="Disabled"), np.random.default_rng(7)
    seen, _ = env.reset(seed=3)
    over = np.zeros(4, bool)
    while not over.any():
        seen, _, over, _, _ = env.step(choose(seen["action_mask"], rng))
    with pytest.raises(Unfit, match=r"game \d is over: reset it first"):
        env.step(choose(seen["action_mask"], rng))
    before = seen["observation"].copy()
    seen, info = env.reset(options={"reset_mask": over})
    assert (seen["observation"][~over] == before[~over]).all()
    assert (info["to_move"][over] == 1).all()
    with pytest.raises(Unfit, match="expected `reset_mask` to say yes or no for each of 4 games"):
        env.reset(options={"reset_mask": [True]})


def test_batch__truncate() -> None:
    env = BatchEnv(game_of("classics/kuhn"), 2, truncate=1)
    seen, _ = env.reset(seed=1)
    ends = []
    for _ in range(4):
        seen, _, terminated, truncated, _ = env.step(seen["action_mask"].argmax(axis=1))
        assert not terminated.any()
        ends.append(truncated.tolist())
    assert ends == [[True] * 2, [False] * 2, [True] * 2, [False] * 2]


def test_batch__copies_go_their_own_way() -> None:
    env, rng = BatchEnv("classics/kuhn", 3), np.random.default_rng(1)
    seen, _ = env.reset(seed=[4, 5, 6])
    for _ in range(7):
        seen, *_ = env.step(choose(seen["action_mask"], rng))
    others = copy.deepcopy(env), pickle.loads(pickle.dumps(env))
    actions = [choose(seen["action_mask"], rng)]
    here = [env.step(actions[0])]
    for _ in range(9):
        actions.append(choose(here[-1][0]["action_mask"], rng))
        here.append(env.step(actions[-1]))
    for other in others:
        for action, result in zip(actions, here, strict=True):
            np.testing.assert_equal(other.step(action), result)


def test_batch__without_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESPEC_NATIVE", "0")
    with pytest.raises(Unfit, match="games side by side need a C compiler: "):
        BatchEnv("classics/kuhn", 1)


def test_batch__what_is_refused() -> None:
    with pytest.raises(Unfit, match="expected at least 1 game, found 0"):
        BatchEnv("classics/kuhn", 0)
    env = BatchEnv("classics/kuhn", 2)
    with pytest.raises(Unfit, match="call `reset` first"):
        env.step(np.zeros(2, int))
    with pytest.raises(Unfit, match="expected 2 seeds, found 3"):
        env.reset(seed=[1, 2, 3])
    with pytest.raises(Unfit, match="expected a seed of 0 or more, found -1"):
        env.reset(seed=-1)
    env.reset(seed=1)
    with pytest.raises(Unfit, match="expected an action from 0 to 3, found 4"):
        env.step(np.array([0, 4]))
    with pytest.raises(ValueError, match="action 3 is not legal in game 1"):
        env.step(np.array([0, 3]))
    with pytest.raises(Unfit, match="expected 2 actions, found 3"):
        env.step(np.array([0, 0, 0]))
    seen, _, terminated, *_ = env.step(np.array([0, 0]))  # nothing was changed by all that
    assert not terminated.any() and seen["action_mask"].tolist() == [[1, 1, 0, 0]] * 2
    env.close()


# OpenSpiel ------------------------------------------------------------------------------------------------------


@pytest.mark.soak
def test_spiel__types_and_parameters() -> None:
    kinds = pyspiel.GameType
    game = open_spiel_game("base", players=3, options={"wall_side": "grey"}, house=["corners"], reward="score")
    assert str(game) == "rulespec(house=corners,options=wall_side:grey,players=3,reward=score,rules=base)"
    again = pyspiel.load_game(str(game))
    assert again.num_players() == 3 and again.prepared.game.title == "Azul with corners"
    assert again.prepared.game.options["wall_side"] == "grey"
    assert again.get_type().utility == kinds.Utility.GENERAL_SUM
    assert again.get_type().information == kinds.Information.PERFECT_INFORMATION  # what is not in the bag is seen
    kuhn = open_spiel_game("classics/kuhn")
    assert kuhn.get_type().utility == kinds.Utility.ZERO_SUM
    assert kuhn.get_type().information == kinds.Information.IMPERFECT_INFORMATION
    assert open_spiel_game("classics/nim").get_type().chance_mode == kinds.ChanceMode.DETERMINISTIC
    with pytest.raises(Unfit, match="expected the parameter `rules`"):
        pyspiel.load_game("rulespec")
    with pytest.raises(Unfit, match="expected options as `name:choice;name:choice`, found `grey`"):
        pyspiel.load_game("rulespec", {"rules": "base", "options": "grey"})


def test_spiel__rules_from_a_path_with_odd_signs(tmp_path: Any) -> None:
    folder = tmp_path / "a, (b)=c"
    folder.mkdir()
    (folder / "mine.yaml").write_text(small_game("take_one"))
    game = open_spiel_game(folder / "mine.yaml")
    assert pyspiel.load_game(str(game)).prepared.game.title == game.prepared.game.title


@pytest.mark.parametrize("name", [*SHOWN, *(pytest.param(f"classics/{n}", marks=LATER) for n in ("briscola", "pig"))])
def test_spiel__random_games(name: str) -> None:
    pyspiel.random_sim_test(open_spiel_game(name), num_sims=1, serialize=True, verbose=False)


@pytest.mark.soak
def test_spiel__kuhn_is_solved() -> None:
    """The first player loses an eighteenth of a chip a game (Kuhn, 1950). The check does this in docs/learning.md."""
    game = open_spiel_game("classics/kuhn", reward="margin")
    solver = cfr.CFRPlusSolver(game)
    for _ in range(200):
        solver.evaluate_and_update_policy()
    value = expected_game_score.policy_value(game.new_initial_state(), [solver.average_policy()] * 2)
    assert abs(value[0] + 1 / 18) < 0.005 and abs(value[0] + value[1]) < 1e-9


def walk(state: Any) -> Iterator[Any]:
    """Yield all positions that a state leads to."""
    yield state
    if not state.is_terminal():
        for action in state.legal_actions():
            yield from walk(state.child(action))


@pytest.mark.parametrize(("name", "many"), [("classics/kuhn", 12), ("passed_cards", None)])
def test_spiel__what_a_player_knows_says_what_they_may_do(name: str, many: int | None) -> None:
    file = FOLDER / f"{name}.yaml"
    game = open_spiel_game(file if file.exists() else name)
    legal: dict[str, list[int]] = {}
    for state in walk(game.new_initial_state()):
        if state.current_player() >= 0:
            known = state.information_state_string()
            assert legal.setdefault(known, state.legal_actions()) == state.legal_actions()
    assert many is None or len(legal) == many


@pytest.mark.sized
@pytest.mark.parametrize("name", [pytest.param("classics/briscola", marks=LATER), "cards_with_backs"])
def test_spiel__players_recall_all_they_saw_and_nothing_else(name: str) -> None:
    file = FOLDER / f"{name}.yaml"
    spiel = open_spiel_game(file if file.exists() else name)
    game = spiel.prepared.game
    for seed in range(size(1, 20)):
        rng, state = random.Random(seed), spiel.new_initial_state()
        known = ["", ""]
        seen: list[set[int]] = [set(), set()]
        while not state.is_terminal():
            for player in (0, 1):
                now = state.information_state_string(player)
                assert now.startswith(known[player])  # nothing is forgotten
                known[player] = now
                hidden = unseen_places(game, player + 1)
                position = state.lived.state
                lying = {
                    (f, n): {k for k, _ in contents(game.layout, position.vector, f, n)}
                    for f in game.layout.places
                    for n in range(game.layout.places[f].place.size)
                }
                seen[player] |= {k for spot, kinds in lying.items() if spot not in hidden for k in kinds}
                for kind in {k for spot in hidden for k in lying[spot]} - seen[player]:
                    assert game.model.value_name(kind) not in now.replace('"', " ").replace("=", " ").split()
            mover = state.current_player()
            action = rng.choice(state.legal_actions())
            words = state.action_to_string(mover, action)
            state.apply_action(action)
            if mover >= 0:
                assert f"{mover + 1}: {words}" in state.information_state_string(mover)


def test_spiel__copies_and_texts() -> None:
    game = open_spiel_game("classics/kuhn", reward="score")
    state = game.new_initial_state()
    assert state.is_chance_node() and state.chance_outcomes() == [(0, 1 / 3), (1, 1 / 3), (2, 1 / 3)]
    for action in (2, 0, 1):
        state.apply_action(action)
    other = state.clone()
    other.apply_action(2)
    assert other.is_terminal() and other.returns() == [2, -2] and not state.is_terminal() and state.returns() == [0, 0]
    again = pickle.loads(pickle.dumps(state))
    assert str(again) == str(state) and again.history() == state.history()
    assert again.information_state_string(1) == state.information_state_string(1)
    assert "king" not in state.information_state_string(1) and "king" in state.information_state_string(0)
    assert "king" not in state.observation_string(1) and "king" in str(state)
    assert state.observation_tensor(1) == game.prepared.observation(state.lived.state, 2).tolist()
    assert [state.action_to_string(1, a) for a in state.legal_actions()] == ["call", "fold"]
    assert state.lived.state.to_move != CHANCE


# without the libraries ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("module", "name", "package"),
    [
        ("pettingzoo", "SeatsEnv", "pettingzoo"),
        ("gymnasium", "BatchEnv", "gymnasium"),
        ("pyspiel", "open_spiel_game", "open_spiel"),
        ("numpy", "prepare", "numpy"),
    ],
)
def test_learn__without_its_libraries(module: str, name: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for known in [known for known in sys.modules if known.partition(".")[0] == module]:
        monkeypatch.setitem(sys.modules, known, None)
    for known in [known for known in sys.modules if known.startswith("referee.learn.")]:
        if known != "referee.learn.texts":
            monkeypatch.delitem(sys.modules, known)
    with pytest.raises(ImportError) as error:
        getattr(referee.learn, name)
    said = f"`{name}` needs the Python package `{package}`, which is not installed: pip install 'rulespec[rl]'"
    assert str(error.value) == said


def test_learn__offers_what_it_lists() -> None:
    assert dir(referee.learn) == ["BatchEnv", "PreparedGame", "SeatsEnv", "Unfit", "open_spiel_game", "prepare"]
    with pytest.raises(AttributeError, match="no attribute `chest`"):
        getattr(referee.learn, "chest")  # noqa: B009


# the example ----------------------------------------------------------------------------------------------------


@pytest.mark.soak
def test_example__learns_and_says_how_far_it_came() -> None:
    command = [sys.executable, "examples/self_play.py", "--game", "classics/kalah"]
    done = subprocess.run(
        [*command, "--decisions", "300000", "--games", "100", "--against", "random"],
        cwd=ROOT, capture_output=True, text=True, check=True, env={**os.environ, "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    learned, said = done.stdout.splitlines()[-2:]
    assert re.fullmatch(r"learned from [\d,]+ games, [\d,]+ decisions, in [\d.]+ minutes of processor time", learned)
    won = re.fullmatch(
        r"against random: won ([\d.]+)% of 100 games \(95% interval .*\), \+[\d.]+ points a game: stronger", said
    )
    assert won and float(won[1]) > 50, said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--against", "chest"], "no bot is called `chest`"),
        (["--game", "nosuch"], "no game called `nosuch`"),
        (["--game", "classics/tictactoe"], "`Tic-tac-toe` has no scores: the reward can only be `rank`"),
    ],
)
def test_example__what_it_cannot_do(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["self_play.py", *words])
    with pytest.raises(SystemExit) as stopped:
        self_play.main()
    assert stopped.value.code == 2 and said in capsys.readouterr().err
