"""The native library, call by call: what it lists, decides, plays and ranks is what the verbs of a game say."""

from __future__ import annotations

import ctypes
import random
import re
import shutil
import subprocess
from array import array
from itertools import count, pairwise
from pathlib import Path

import pytest

from interpreter import CHANCE, Game, State, load
from interpreter.compile.actions import Actions, _together, number_actions
from interpreter.compile.build import COMPILERS
from interpreter.compile.to_c import to_c
from interpreter.fault import Fault
from interpreter.run.library import DECISIONS, FIELDS, NO_LIMIT, OVER, PLAYER, STATUS, Games, IllegalAction, Library
from interpreter.run.runtime import Run, several
from interpreter.seeds import random_state, random_words
from rulespec.files.sources import shipped_games
from tests.shipped import with_some_house_rules
from tests.sizes import SOAK, size

FOLDER = Path(__file__).parent / "native"
SHIPPED = sorted(shipped_games()) if SOAK else ["base", "duel", "classics/briscola"]
SMALL = [str(FOLDER / f"{name}.yaml") for name in ("every_step", "nim", "names", "kalah", "tictactoe")]

pytestmark = pytest.mark.skipif(not any(map(shutil.which, COMPILERS)), reason="no C compiler")

TWICE = """
rulespec: 1
game: One move named twice
players: 2
sets:
  side: 1..3
pieces:
  stone: 6 in pot
places:
  pot: {pile: stone}
  bowl[side]: {pile: stone}
variables:
  turn: player
play:
  - while: not empty(pot)
    do:
      - ask: turn
        to: lay(1) or lay(2) or pass_on
      - set turn to next(turn)
moves:
  lay(side most):
    text: lay one on {s}
    choose: {s: side}
    needs:
      allowed: {that: s <= most + 1 and s >= most, else: "not there"}
    does:
      - move 1 of stone from pot to bowl[s]
      - move up to most of stone from pot to bowl[most]
  pass_on:
    text: pass
    does:
      - move 1 of stone from pot to bowl[3]
winner:
  stones: count(bowl[1])
"""


def library_of(game: Game) -> Library:
    return game.simulator.native()


def legal_of(games: Games, game: int = 0) -> list[int]:
    return games.moves[games.offsets[game] : games.offsets[game + 1]].tolist()


def vector_of(games: Games, game: int = 0) -> tuple[int, ...]:
    size = games.library.size
    return tuple(games.states[game * size : (game + 1) * size])


def numbers_of(game: Game, state: State) -> list[int]:
    """Return the numbers of the legal moves, by the verbs."""
    moves = list(game.model.moves)
    assert game.compiled.actions is not None
    return [game.compiled.actions.number(moves.index(m.name), m.args) for m in game.legal_moves(state)]


def play_along(game: Game, games: Games, seed: int, decisions: int, fixed: bool = True) -> int:
    """Play one game by steps, chance too, comparing everything with the verbs; return how many decisions were made."""
    rng = random.Random(seed)
    games.start()
    state = game.start()
    for made in range(decisions):
        assert vector_of(games) == state.vector
        record = games.games[:FIELDS]
        assert record[STATUS] == 0 and record[DECISIONS] == made
        assert record[PLAYER] == (OVER if state.to_move is None else state.to_move)
        moves, legal = game.legal_moves(state), legal_of(games)
        if state.to_move is None:
            assert legal == []
            return made
        if state.to_move == CHANCE:
            outcomes = game.chances(state)
            assert legal == [m.args[0] for m, _ in outcomes]
            assert games.weights[: len(legal)].tolist() == [n for _, n in outcomes]
        else:
            assert legal == (numbers_of(game, state) if fixed else list(range(len(moves))))
        chosen = rng.randrange(len(moves))
        games.actions[0] = legal[chosen]
        games.step()
        state = game.apply(state, moves[chosen])
    return decisions


# Decision by decision ------------------------------------------------------------------------------------


@pytest.mark.sized
@pytest.mark.parametrize("name", [*SHIPPED, *SMALL])
def test_step__is_what_the_verbs_do(name: str) -> None:
    game = load(name)
    games = Games(library_of(game), 1, moves=True, open=True)
    for seed in range(size(2, 8)):
        assert play_along(game, games, seed, size(30, 100_000)) > 3


def test_step__of_a_move_that_an_ask_names_twice() -> None:
    game = load(TWICE)
    games = Games(library_of(game), 1, moves=True, open=True)
    assert sum(play_along(game, games, seed, 100) for seed in range(60)) > 150


def compiled_with(game: Game, actions: Actions | None, folder: Path) -> Library:
    source, made = folder / "games.c", folder / "games.so"
    source.write_text(to_c(game.compiled.program, actions))
    subprocess.run(["cc", "-O0", "-w", "-fwrapv", "-shared", "-fPIC", "-o", made, source], check=True)
    return Library(ctypes.CDLL(str(made)), lambda: game.compiled.program.faults)


@pytest.mark.parametrize("name", ["base", str(FOLDER / "every_step.yaml")])
def test_step__by_index_where_moves_have_no_numbers(name: str, tmp_path: Path) -> None:
    game = load(name)
    library = compiled_with(game, None, tmp_path)
    assert library.actions is None
    games = Games(library, 1, moves=True, open=True)
    for seed in range(3):
        assert play_along(game, games, seed, 150, fixed=False) > 15


def test_step__changes_nothing_if_one_action_is_illegal() -> None:
    game = load("base")
    games = Games(library_of(game), 5, moves=True)
    games.seed(0)
    games.start()
    before, legal = games.states[:], [legal_of(games, i) for i in range(5)]
    for wrong in (max(legal[3]) + 1000, 2**31 - 1):
        games.actions[:] = array("i", [m[0] for m in legal])
        games.actions[3] = wrong
        with pytest.raises(IllegalAction, match=f"action {wrong} is not legal in game 3") as caught:
            games.step()
        assert (caught.value.game, caught.value.action) == (3, wrong)
        assert games.states == before and [legal_of(games, i) for i in range(5)] == legal
    games.actions[:] = array("i", [m[0] for m in legal])
    games.actions[3] = -1
    games.step()
    size = games.library.size
    changed = [games.states[i * size : (i + 1) * size] != before[i * size : (i + 1) * size] for i in range(5)]
    assert changed == [True, True, True, False, True]
    assert legal_of(games, 3) == legal[3]


def test_step__many_games_at_once_are_each_their_own() -> None:
    game = load("base")
    many, one = Games(library_of(game), 40, moves=True), Games(library_of(game), 1, moves=True)
    many.seed(range(100, 140))
    many.start()
    paths: list[list[int]] = [[] for _ in range(40)]
    rng = random.Random(1)
    while any(many.offsets[i + 1] > many.offsets[i] for i in range(40)):
        for i in range(40):
            legal = legal_of(many, i)
            many.actions[i] = rng.choice(legal) if legal else 7  # those that are over ignore it
            if legal:
                paths[i].append(many.actions[i])
        many.step()
    for i, path in enumerate(paths):
        one.seed([100 + i])
        one.start()
        for action in path:
            one.actions[0] = action
            one.step()
        assert vector_of(one) == vector_of(many, i) and one.games[PLAYER] == OVER


# At random -----------------------------------------------------------------------------------------------


@pytest.mark.sized
@pytest.mark.parametrize("name", [*SHIPPED, *SMALL])
def test_random__is_the_python_of_the_same_program(name: str) -> None:
    """Decision by decision: after each, the position and the random numbers still to come are the same."""
    game = load(name)
    library = library_of(game)
    for seed in range(size(2, 4)):
        games = Games(library, 1)
        games.seed([seed])
        games.start()
        state, start = vector_of(games), games.games[0]
        for steps in range(1, size(20, 300)):
            games.put(0, state, start % 2**64, 0)
            games.random(steps)
            run, vector = Run(), list(state)
            run.word, run.steps = random_words(start % 2**64), steps
            game.compiled.random.go(vector, run, vector[0])
            assert vector_of(games) == tuple(vector), (seed, steps)
            if not vector[0]:
                break


def test_random__goes_on_where_it_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call that is cut into many, each after little work, plays the same games."""
    game = load("base")
    at_once = Games(library_of(game), 30)
    at_once._batch.fuel = 10**9
    calls = count()
    monkeypatch.setattr("interpreter.run.library.FIRST_FUEL", 1)
    monkeypatch.setattr("interpreter.run.library.QUICK", -1.0)
    monkeypatch.setattr("interpreter.run.library.monotonic", lambda: 0.0 * next(calls))
    cut = Games(library_of(game), 30)
    for games in (at_once, cut):
        games.seed(5)
        games.play()
        games.outcomes()
    assert next(calls) > 2000
    assert (cut.states, cut.games, cut.places) == (at_once.states, at_once.games, at_once.places)
    for games in (at_once, cut):
        games.start()
        games.random(3)
    assert (cut.states, cut.games) == (at_once.states, at_once.games)


def test_step__goes_on_where_it_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.run.library.FIRST_FUEL", 2)
    monkeypatch.setattr("interpreter.run.library.QUICK", -1.0)
    for name in ("base", str(FOLDER / "every_step.yaml")):
        game = load(name)
        games = Games(library_of(game), 1, moves=True, open=True)
        assert play_along(game, games, 1, 100) > 15


def test_seeds__are_those_of_python() -> None:
    games = Games(library_of(load(FOLDER / "nim.yaml")), 4)
    for first in (0, 17, 2**63 - 2, 2**64 - 4, 2**64 - 2, 2**64, -3, 10**30):
        games.seed(first)
        assert [games.games[i * FIELDS] % 2**64 for i in range(4)] == [random_state(first + i) for i in range(4)]
    games.seed([9, -9, 2**70, 0])
    assert [games.games[i * FIELDS] % 2**64 for i in range(4)] == [random_state(s) for s in (9, -9, 2**70, 0)]


# Ends ----------------------------------------------------------------------------------------------------


@pytest.mark.sized
@pytest.mark.parametrize(("name", "players"), [("base", 2), ("base", 4), ("classics/nim", 2), ("sintra", 3)])
def test_outcome__is_that_of_the_verbs(name: str, players: int) -> None:
    game = load(name, players)
    games = Games(library_of(game), size(30, 2000), moves=True)
    games.seed(3)
    games.start()
    games.outcomes()
    assert not any(games.places) and set(games.reasons) == {-1}  # not over yet
    games.random(NO_LIMIT)
    games.outcomes()
    lines = [name for name, _ in game.model.winner]
    shared = 0
    for i in range(games.n):
        outcome = game.outcome(State(vector_of(games, i), None, 0, None, None, None, []))
        assert outcome is not None
        places = games.places[i * players : (i + 1) * players]
        found = [tuple(p + 1 for p in range(players) if places[p] == rank) for rank in range(1, 1 + max(places))]
        assert tuple(found) == outcome.ranking
        assert lines[games.reasons[i]] == outcome.reason
        shared += len(outcome.winners) > 1
    assert shared or name != "base"


def test_fault__of_one_game_leaves_the_others() -> None:
    game = load(FOLDER / "faults.yaml")
    games = Games(library_of(game), 60, moves=True)
    games.seed(0)
    found: list[str] = []
    for _ in range(60):
        try:
            (games.random if found else games.start)()
            break
        except Fault as fault:
            found.append(str(fault))
    ends: list[object] = []
    for seed in range(60):
        try:
            ends.append(game.python_playout(seed).vector)
        except Fault as fault:
            ends.append(str(fault))
    statuses = [games.games[i * FIELDS + STATUS] for i in range(60)]
    assert [s != 0 for s in statuses] == [isinstance(end, str) for end in ends]
    assert [vector_of(games, i) for i in range(60) if not statuses[i]] == [e for e in ends if not isinstance(e, str)]
    assert found and found[0] in ends


# Numbers of moves ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", with_some_house_rules(sorted(shipped_games())))
def test_actions__every_number_is_one_move(name: str) -> None:
    game = load(name)
    actions = number_actions(game.model, game.layout)
    assert actions is not None and actions.first == tuple(sorted(actions.first))
    for number in range(0, actions.many, 1 + actions.many // 5000):
        assert actions.number(*actions.move(number)) == number
    for wrong in (-1, actions.many):
        with pytest.raises(ValueError, match=str(wrong)):
            actions.move(wrong)


def test_actions__of_pieces_chosen_together() -> None:
    """All ways, each once, in the order in which they are listed: most of the first kind first."""
    for each, least, most in (((3, 0, 2), 1, 4), ((2, 2), 0, 9), ((1, 1, 1, 1), 2, 2), ((), 0, 3), ((5,), 5, 5)):
        together = _together(each, least, most)
        assert together is not None
        ways = list(several(each, together.least, together.most))
        assert [together.value(rank) for rank in range(together.many)] == ways
        assert [together.rank(way) for way in ways] == list(range(together.many))
    ranked = _together((2, 2), 1, 3)
    assert ranked is not None
    for wrong in ((0, 0), (3, 0), (2, 2), (-1, 2)):
        with pytest.raises(ValueError, match=re.escape(str(wrong))):
            ranked.rank(wrong)


MANY_KINDS = """
rulespec: 1
game: More ways than numbers
players: 2
sets:
  colour: [COLOURS]
pieces:
  colour: 20 in pot
places:
  pot: {pile: colour}
  bowl[player]: {pile: colour}
variables:
  turn: player
play:
  - ask: turn
    to: take
moves:
  take:
    text: take {some}
    choose: {k: colour, some: up to 20 of k from pot}
    needs:
      few: {that: count(some) < 3, else: too many}
    does:
      - move some from pot to bowl[me]
winner:
  pieces: count(bowl[me])
""".replace("COLOURS", ", ".join(f"c{i}" for i in range(40)))


def test_actions__too_many_have_no_numbers() -> None:
    game = load(MANY_KINDS)
    assert game.compiled.actions is None
    library = library_of(game)
    assert library.actions is None
    games = Games(library, 1, moves=True, open=True)
    assert play_along(game, games, 1, 10, fixed=False) == 1
    assert len(game.legal_moves(game.start())) == 120
    with pytest.raises(ValueError, match="more moves than a mask can hold"):
        game.batch(2, masks=True)


def test_actions__numbers_follow_one_another() -> None:
    actions = load("base").compiled.actions
    assert actions is not None
    moves = [actions.move(n) for n in range(actions.many)]
    assert all(a[0] <= b[0] for a, b in pairwise(moves)) and len(set(moves)) == actions.many
