"""Whole games printed as one function: how blocks nest, what can be a local, and that the games are the same."""

from __future__ import annotations

import pytest

from interpreter import Fault, Game, load
from interpreter.compile import flow
from interpreter.compile import program as p
from interpreter.compile.along_lines import directions
from interpreter.compile.flow import Beginning, Deciding, Forking, Leaving, Repeating, Running, flow_of
from interpreter.compile.program import Block, Branch, Const, End, GoBack, Goto, Load, Program, Select, Store, Var
from interpreter.compile.reach import stretches
from interpreter.compile.to_python import whole_to_python
from rulespec.files.sources import shipped_games
from tests.compiled import Compiled
from tests.shipped import game_of, with_some_house_rules
from tests.sizes import size
from tests.small import small_game

TEST = p.Cmp(">", Load(Const(1), 0, 9), p.ZERO)


def program_of(*blocks: Block, begin: int = 1) -> Program:
    return Program(9, (0,) * 9, (), (), (Block((), End()), *blocks), {}, (), {}, begin, (), None, ())


def test_flow__a_loop_is_left_at_its_head() -> None:
    program = program_of(Block((), Branch(TEST, 2, 0)), Block((), Goto(1)))
    assert flow_of(program) == (Repeating((Forking(1, (), (Leaving(),)), Running(2))), Running(0))


def test_flow__ways_meet_again() -> None:
    program = program_of(Block((), Branch(TEST, 2, 3)), Block((), Goto(4)), Block((), Goto(4)), Block((), Goto(0)))
    assert flow_of(program) == (Forking(1, (Running(2),), (Running(3),)), Running(4), Running(0))


def test_flow__a_procedure_returns_to_where_it_was_called() -> None:
    def call(after: int) -> Block:
        return Block((Store(Const(5), Const(after)),), Goto(4))

    program = program_of(call(2), call(3), Block((), Goto(0)), Block((), GoBack(5)))
    assert flow_of(program) == tuple(map(Running, (1, 4, 2, 4, 3, 0)))


def test_flow__a_loop_is_left_in_two_places() -> None:
    left_here, left_there = Block((), Branch(TEST, 2, 3)), Block((), Branch(TEST, 1, 4))
    there = Forking(2, (Beginning(),), (Running(4), Leaving()))
    assert flow_of(program_of(left_here, left_there, Block((), Goto(0)), Block((), Goto(0)))) == (
        Repeating((Forking(1, (there,), (Running(3), Leaving())), Leaving())),
        Running(0),
    )


def test_flow__a_loop_is_entered_in_two_places() -> None:
    """It is written twice, each time from where it is entered."""
    begins = Block((), Branch(TEST, 2, 3))
    found = flow_of(program_of(begins, Block((), Branch(TEST, 3, 0)), Block((), Branch(TEST, 2, 0))))
    assert found is not None and isinstance(found[0], Forking)
    assert [type(step) for ways in (found[0].then, found[0].other) for step in ways] == [Repeating, Repeating]


def test_flow__a_loop_that_is_never_left() -> None:
    assert flow_of(program_of(Block((), Goto(1)))) is None


def test_flow__a_game_too_large_for_one_function(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("classics/pig")
    first = game.python_playout(3)
    monkeypatch.setattr(flow, "MOST_POINTS", 2)
    again = load("classics/pig")
    assert whole_to_python(again.compiled.unfolded) is None
    assert again.python_playout(3).vector == first.vector


@pytest.mark.parametrize("name", with_some_house_rules(shipped_games()))
def test_whole_games__are_those_of_the_blocks(name: str) -> None:
    compiled = Compiled.of(game_of(name))
    for state in range(size(2, 4)):
        expected = None if p.needs_whole_state(compiled.program) else compiled.finished(state)
        assert compiled.played_at_once(state) == expected


def test_whole_games__say_how_long_a_loop_ran_before_its_fault() -> None:
    asking = "- ask: turn\n        to: take\n"
    never = "- if: count(pot) > 9\n        then: [{ask: turn, to: take}]\n"
    text = small_game("take").replace(asking, never)
    at_once, in_blocks = load(text), load(text)
    in_blocks.compiled.__dict__["_whole"] = None
    assert _idle(at_once) == _idle(in_blocks) > 0


def _idle(game: Game) -> int:
    with pytest.raises(Fault) as caught:
        game.python_playout(1)
    return caught.value.idle


def test_locals__what_an_address_can_be() -> None:
    nowhere_or_place = Var(1, 1, 50)
    place = Var(2, 20, 40)
    values = {1: [Select(TEST, place, p.ONE, 1, 40)], 3: None}
    assert stretches(p.add(nowhere_or_place, Const(2)), values) == ((3, 3), (22, 42))
    assert stretches(Var(3, 4, 9), values) == ((4, 9),)
    assert stretches(p.multiply(nowhere_or_place, Const(2)), values) == ((2, 2), (40, 80))


def test_locals__that_stand_for_each_other() -> None:
    one, other = Var(1, 0, 5), Var(2, 0, 9)
    assert stretches(one, {1: [other], 2: [one]}) == ((0, 5),)


@pytest.mark.parametrize(
    "neighbours",
    [[(1, 2), (0, 2), (0, 1)], [(1,), (), ()], [(1, 2, 3), (0,), (0,), (0,)]],
    ids=["a ring", "one way only", "a crossing"],
)
def test_directions__of_cells_that_form_no_line(neighbours: list[tuple[int, ...]]) -> None:
    assert directions(neighbours, 0) is None


def test_deciding__is_part_of_a_flow() -> None:
    steps = flow_of(load("classics/nim").compiled.unfolded)
    assert steps is not None

    def inside(found: flow.Steps) -> bool:
        return any(isinstance(s, Deciding) or (isinstance(s, Repeating) and inside(s.steps)) for s in found)

    assert inside(steps)
