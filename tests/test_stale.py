"""Stale values: a variable that is set anew before anything reads it is not shown as if it still held."""

from __future__ import annotations

import random

import pytest

from interpreter import Game, State, load
from referee.picture.scene import Painter, scene
from rulespec import shipped_games, syntax
from tests.shipped import game_of, with_some_house_rules
from tests.sizes import size

ROUNDS = """
rulespec: 1
game: Rounds
players: 2
variables:
  done[player]: yes_no
  left[player]: {is: 0..3, start: 3}
  rounds: {is: 0..2, start: 2}
play:
  - while: rounds > 0
    do:
      - for each: p in player
        do:
          - ask: p
            to: look
      - BEGIN
      - while: any(not done[p] for p in player)
        do:
          - for each: p in player
            do:
              - if: not done[p]
                then:
                  - ask: p
                    to: stop
      - add -1 to rounds
moves:
  look:
    text: look
    does:
      - LOOK
  stop: {text: stop, does: ["set done[me] to true"]}
winner:
  nobody: 0
"""
NOTHING = "set left[me] to 1"
CLEAR = 'for each: p in player\n        do: ["set done[p] to false"]'
STOPPED = [[False, False], [True, False]]  # before each of the two moves of the second stage
NOT_YET = [[False, False], [False, False]]
STILL = [[True, True], [True, True]]

CASES = [
    ("cleared for all before it is read", CLEAR, NOTHING, NOT_YET),
    ("cleared in the order of turns", CLEAR.replace("in player", "in clockwise(1)"), NOTHING, NOT_YET),
    ("cleared for some", CLEAR.replace("in player", "in player where left[p] > 0"), NOTHING, STILL),
    ("read while it is cleared", CLEAR.replace('"]', '", "set left[p] to if done[next(p)] then 1 else 0"]'), NOTHING, STILL),
    ("read before it is cleared", CLEAR, "set left[me] to (if done[me] then 1 else 0)", STILL),
    ("cleared if something holds", 'if: rounds > 0\n        then:\n          - for each: p in player\n            do: ["set done[p] to false"]', NOTHING, STILL),
]  # fmt: skip


@pytest.mark.parametrize(("begin", "look", "second"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_tag__is_shown_while_the_value_counts(begin: str, look: str, second: list[list[bool]]) -> None:
    game = load(ROUNDS.replace("BEGIN", begin).replace("LOOK", look))
    found = []
    state = game.start(1)
    while moves := game.legal_moves(state):
        areas = scene(game, state, 1)["areas"]
        found.append([area["tags"] == ["Done"] for area in areas if area["player"]])
        state = game.apply(state, moves[0])
    assert found == [*NOT_YET, *STOPPED, *second, *STOPPED]


@pytest.mark.sized
@pytest.mark.parametrize("name", with_some_house_rules(shipped_games()))
def test_stale__another_value_changes_nothing(name: str) -> None:
    game = game_of(name)
    rng = random.Random(5)
    for seed in range(size(1, 10)):
        state = game.start(seed)
        for _ in range(400):
            if not (moves := game.legal_moves(state)):
                break
            for variable in game.model.variables.values():
                if isinstance(variable.type, syntax.YesNo) and game.is_stale(state, variable.name):
                    assert_same_future(game, state, flipped(game, state, variable), rng.randrange(10**6))
            state = game.apply(state, rng.choice(moves))


def flipped(game: Game, state: State, variable: syntax.Variable) -> State:
    """Return the position with the opposite of each of these values."""
    vector = list(state.vector)
    first = game.layout.variables[variable.name].base
    for at in range(first, first + len(variable.starts)):
        vector[at] = 1 - vector[at]
    return game.from_data({**game.to_data(state), "vector": vector})


def assert_same_future(game: Game, one: State, other: State, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(30):
        moves = game.legal_moves(one)
        assert moves == game.legal_moves(other) and game.scores(one) == game.scores(other)
        if not moves:
            return
        move = rng.choice(moves)
        one, other = game.apply(one, move), game.apply(other, move)


def test_pavilion__nobody_has_passed_while_tiles_are_taken() -> None:
    """Found in play: in the second round the page said `Passed` beside `to move`."""
    painter = Painter(game_of("pavilion"))
    game, rng = painter.game, random.Random(2)
    state, stages = game.start(2), ["take"]
    while len(stages) < 3:
        moves = game.legal_moves(state)
        names = {move.name for move in moves}
        if names & {"take", "pass"}:
            stage = "take" if "take" in names else "pass"
            stages += [stage] if stage != stages[-1] else []
            tags = {tag for area in painter.scene(state, None)["areas"] for tag in area["tags"]}
            assert "Passed" not in tags or stage == "pass"
        state = game.apply(state, rng.choice(moves))
    assert all(game.variable(state, "passed", player) for player in (1, 2))
