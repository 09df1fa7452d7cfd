"""Trees of decisions: the native one and the one in Python grow the same way, pass by pass."""

from __future__ import annotations

import random
from functools import cache
from math import inf

import pytest

from interpreter import CHANCE, Fault, Game, Manner, State, Tree, load
from interpreter.fault import FaultCode
from interpreter.run import tree as module
from interpreter.run.tree import HABITS, TASTES, NativeTree, PythonTree, _habits
from referee.bots.unseen import Unseen
from tests.sizes import size
from tests.sticks import sticks

GAMES = {
    "base": ("base", 2),
    "base for three": ("base", 3),
    "hidden cards": ("classics/briscola", 2),
    "dice": ("classics/pig", 3),
    "a board": ("classics/reversi", 2),
    "payments": ("duel", 2),
    "windows": ("sintra", 4),
    "gardens": ("pavilion", 2),
}


@cache
def native(name: str, players: int) -> Game:
    game = load(name, players=players)
    if not game.compile():
        pytest.skip("no C compiler")
    return game


def positions(game: Game, seed: int, many: int, apart: int) -> list[State]:
    """Return positions of one random game in which a player has a choice."""
    state, rng, found = game.start(seed), random.Random(seed), list[State]()
    for n in range(many * apart):
        if state.to_move is None:
            break
        if n % apart == 0 and game.count_moves(state) > 1:
            found.append(state)
        state = game.apply(state, rng.choice(game.legal_moves(state)))
    return found


def assert_same(one: Tree, other: Tree) -> None:
    assert one.tried() == other.tried()
    assert (one.made, one.seen) == (other.made, other.seen)


@pytest.mark.sized
@pytest.mark.parametrize(("name", "players"), GAMES.values(), ids=GAMES)
def test_trees__are_the_same_natively_and_in_python(name: str, players: int) -> None:
    game = native(name, players)
    manners = (Manner(steps=40), Manner(rounds=1, least=9, tries=1, envy=0.25, win=3.0, steps=25))
    for n, state in enumerate(positions(game, seed=5, many=size(2, 12), apart=7)):
        manner, rng = manners[n % 2], random.Random(n)
        unseen = Unseen(game, state, state.to_move or 0)
        known = unseen.certain
        one, other = game.tree(n, 60, manner, known=known), game.python_tree(n, 60, manner, known=known)
        assert isinstance(one, NativeTree)
        for passes in (*[1] * 12, size(30, 200)):
            dealt = unseen.deal(rng)
            assert dealt is not None
            for tree in (one, other):
                assert tree.grow(dealt, passes) is None
            assert_same(one, other)


def test_tree__goes_on_where_a_call_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call that may do little stops in the middle of a pass, and the next one continues it."""
    game = native("base", 2)
    state = game.start(3)
    at_once, bit_by_bit = game.tree(1, 50), game.tree(1, 50)
    calls = [0]

    def call(record: int) -> int:
        calls[0] += 1
        return search(record)

    assert isinstance(bit_by_bit, NativeTree)
    search = bit_by_bit._library.call_search
    at_once.grow(state, 50)
    monkeypatch.setattr(module, "QUICK", -1.0)  # no call is quick enough to be given more to do,
    monkeypatch.setattr(module, "SLOW", inf)  # nor too slow, on a busy machine
    monkeypatch.setattr(bit_by_bit._library, "call_search", call)
    bit_by_bit._record.fuel = 1
    bit_by_bit.grow(state, 50)
    assert calls[0] > 500
    assert_same(at_once, bit_by_bit)


@pytest.mark.parametrize("kind", ["native", "python"])
def test_tree__stops_when_it_is_enough(kind: str) -> None:
    game = native("base", 2)
    tree = game.tree(1, 500) if kind == "native" else game.python_tree(1, 500)
    asked = [0]

    def enough() -> bool:
        asked[0] += 1
        return asked[0] > 4

    state = game.start(3)
    assert tree.grow(state, 10**6, enough) is None and tree.made < 450
    made = tree.made
    tree.grow(state, 5)  # what was not finished is forgotten
    assert tree.made == made + 5 == sum(tried.visits for tried in tree.tried())


def test_tree__memory_is_for_one_node_a_pass() -> None:
    game = native("base", 2)
    tree, python = game.tree(1, 30), game.python_tree(1, 30)
    assert isinstance(tree, NativeTree) and isinstance(python, PythonTree)
    for grown in (tree, python):
        grown.grow(game.start(4), 100)
    assert tree._record.used == len(python._children) == 31 and tree.seen == 100
    assert_same(tree, python)


# When the heap is used up nobody can do anything, and that is not the end.
STUCK = sticks(steps="  more:\n    - ask: turn\n      to: take\n      otherwise: []\n").replace(
    "- while: left > 0\n    do: [do one]", "- while: turn > 0\n    do: [do more]"
)
ENDLESS = sticks().replace("from heap to taken[me]", "from heap to taken[me]\n      - move all from taken[me] to heap")


@pytest.mark.parametrize(
    ("text", "code"), [(STUCK, FaultCode.IDLE), (ENDLESS, FaultCode.ENDLESS)], ids=["stuck", "endless"]
)
def test_tree__a_pass_with_a_fault_counts_for_nobody(text: str, code: FaultCode) -> None:
    game = load(text, limit=60)
    if not game.compile():
        pytest.skip("no C compiler")
    state = game.start(seed=0)
    trees = [game.tree(7, 40), game.python_tree(7, 40)]
    for tree in trees:
        for made in range(1, 6):
            fault = tree.grow(state, 10)
            assert isinstance(fault, Fault) and fault.code is code
            assert (tree.made, tree.seen) == (made, 0)
    assert_same(*trees)
    assert {tried.worth for tried in trees[0].tried()} == {0.0}


@pytest.mark.parametrize(
    ("name", "value", "least"),
    [
        ("tries", 0, "1"),
        ("steps", 10_001, "1"),
        ("habit", 0.0, "0.001"),
        ("envy", -1.0, "0"),
        ("win", float("nan"), "0"),
    ],
)
def test_manner__numbers_have_bounds(name: str, value: float, least: str) -> None:
    with pytest.raises(ValueError, match=f"^expected `{name}` from {least} to 10000, found {value}$"):
        Manner(**{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["native", "python"])
def test_tree__grows_only_where_a_player_decides(kind: str) -> None:
    game = native("classics/pig", 2)
    tree = game.tree(1, 10) if kind == "native" else game.python_tree(1, 10)
    rolling = game.apply(game.start(), "throw")
    assert rolling.to_move == CHANCE
    for state in (rolling, game.playout(1)):
        with pytest.raises(ValueError, match=r"^a tree grows from a position in which a player decides$"):
            tree.grow(state, 5)


def test_tree__wins_for_sure() -> None:
    """Three in a row are there: nothing else is tried for long, and it is said to be sure."""
    game = native("classics/tictactoe", 2)
    state = game.start()
    for move in ("put 1 1", "put 2 1", "put 1 2", "put 2 2"):
        state = game.apply(state, move)
    tree, python = game.tree(1, 200), game.python_tree(1, 200)
    for grown in (tree, python):
        grown.grow(state, 200)
        best = grown.tried()[0]
        assert grown.is_settled and (str(best.move), best.sure) == ("put 1 3", 1)
    assert_same(tree, python)


def test_tree__habits_have_their_numbers() -> None:
    """As many as there is room for, however many values are chosen, each a number of its own bits."""
    assert len(_habits(1, 0, ())) == 1 and len(_habits(1, 0, (4,))) == 1
    assert len(_habits(2, 3, tuple(range(9)))) == HABITS
    assert all(0 <= habit < TASTES for habit in _habits(2, 3, (-5, (0, 2, 1), 2**31 - 1)))
    assert len({_habits(who, move, (n,)) for who in (1, 2) for move in (0, 1) for n in range(3)}) == 12
