"""The pass for Python: what it writes otherwise, and what it must leave as it is."""

from __future__ import annotations

import random

import pytest

from interpreter import Game, game
from interpreter.compile import program as p
from interpreter.compile.program import Body, Const, ForRange, Function, If, Load, Program, Set, Statement, Store, Var
from interpreter.compile.unfold import unfold
from interpreter.compile.verify import verify
from tests.shipped import game_of

A, B = Var(1, 0, 9), Var(2, 0, 9)
YES, X = Var(3, 0, 1), Var(4, 1, 3)
FIRST, SECOND = Load(Const(1), 0, 9), Load(Const(2), 0, 9)
POSITIVE, LARGE = p.Cmp(">", FIRST, p.ZERO), p.Cmp(">", SECOND, Const(5))


def program_of(body: Body, *others: Function) -> Program:
    function = Function(0, "steps", (), body, "nothing")
    return Program(9, (0,) * 9, (), (function, *others), (), {}, (), {}, 0, (), None, ())


def unfolded(*body: Statement, others: tuple[Function, ...] = ()) -> Body:
    before = program_of(body, *others)
    assert list(verify(before)) == []
    after = unfold(before)
    assert list(verify(after)) == []
    return after.functions[0].body


def test_local__read_once() -> None:
    assert unfolded(Set(A, FIRST), Store(Const(3), p.add(A, p.ONE))) == (Store(Const(3), p.add(FIRST, p.ONE)),)


def test_local__never_read() -> None:
    assert unfolded(Set(A, FIRST), Store(Const(3), p.ONE)) == (Store(Const(3), p.ONE),)


@pytest.mark.parametrize(
    "change",
    [Store(Const(1), p.ZERO), p.Clear(1, 2), p.Do(1, ()), If(LARGE, (Store(Const(1), p.ZERO),))],
    ids=lambda s: type(s).__name__,
)
def test_local__the_state_changes_before_it_is_read(change: Statement) -> None:
    steps = Function(1, "steps", (), (Store(Const(1), p.ZERO), p.Return()), "nothing")
    body = (Set(A, FIRST), change, Store(Const(3), A))
    assert unfolded(*body, others=(steps,)) == body


def test_local__what_it_stands_for_changes_before_it_is_read() -> None:
    body = (
        Set(A, FIRST),
        Set(B, p.remainder(p.add(A, p.ONE), Const(10))),
        Set(A, SECOND),
        Store(Const(3), B),
        Store(Const(4), A),
    )
    assert unfolded(*body)[:3] == body[:3]


def test_local__read_in_one_branch() -> None:
    found = unfolded(Set(A, FIRST), If(LARGE, (Store(Const(3), A),), (Store(Const(3), p.ONE),)))
    assert found == (If(LARGE, (Store(Const(3), FIRST),), (Store(Const(3), p.ONE),)),)


def test_local__read_in_a_loop() -> None:
    loop = ForRange(X, p.ONE, Load(Const(5), 2, 4), (Store(p.add(X, p.ONE), A),))
    assert unfolded(Set(A, FIRST), loop) == (Set(A, FIRST), loop)


def test_condition__in_two_steps() -> None:
    joined = (Store(Const(3), p.And((POSITIVE, LARGE))),)
    assert unfolded(Set(YES, POSITIVE), If(YES, (Set(YES, LARGE),)), Store(Const(3), YES)) == joined
    either = (Store(Const(3), p.Or((POSITIVE, LARGE))),)
    assert unfolded(Set(YES, POSITIVE), If(p.Not(YES), (Set(YES, LARGE),)), Store(Const(3), YES)) == either


def test_condition__with_something_done_in_between() -> None:
    store = Store(Const(4), p.ONE)
    found = unfolded(Set(YES, POSITIVE), If(YES, (store, Set(YES, LARGE))), If(YES, (Store(Const(3), p.ZERO),)))
    assert found == (If(POSITIVE, (store, If(LARGE, (Store(Const(3), p.ZERO),)))),)


def test_procedure__is_written_where_it_is_called() -> None:
    steps = Function(1, "steps", (A,), (Store(Const(3), A), Store(Const(4), A)), "nothing")
    assert unfolded(p.Do(1, (Const(7),)), others=(steps,)) == (Store(Const(3), Const(7)), Store(Const(4), Const(7)))


def test_procedure__that_may_return_is_called() -> None:
    steps = Function(1, "steps", (), (If(LARGE, (p.Return(),)), Store(Const(3), p.ONE)), "nothing")
    assert unfolded(p.Do(1, ()), others=(steps,)) == (p.Do(1, ()),)


def test_loop__over_few_known_values() -> None:
    found = unfolded(ForRange(X, p.ONE, Const(4), (Store(X, p.multiply(X, X)),)))
    assert found == tuple(Store(Const(n), Const(n * n)) for n in (1, 2, 3))


def test_loop__that_ends_at_the_first_that_passes() -> None:
    passes = p.Cmp(">", Load(X, 0, 9), p.ZERO)
    loop = ForRange(X, p.ONE, Const(4), (If(passes, (Set(YES, p.ONE), p.Break())),))
    one, two, three = (p.Cmp(">", Load(Const(n), 0, 9), p.ZERO) for n in (1, 2, 3))
    assert unfolded(Set(YES, p.ZERO), loop, Store(Const(5), YES)) == (Store(Const(5), p.Or((one, two, three))),)


@pytest.mark.parametrize(
    "body",
    [
        (If(p.Cmp("==", X, FIRST), (p.Continue(),)), Store(X, p.ONE)),
        (If(p.Cmp("==", X, FIRST), (If(LARGE, (p.Break(),)), Store(X, p.ONE))),),
    ],
    ids=["continue", "a break inside"],
)
def test_loop__that_may_be_left_elsewhere(body: Body) -> None:
    (loop,) = unfolded(ForRange(X, p.ONE, Const(4), body))
    assert isinstance(loop, ForRange)


def test_loop__what_does_not_change_in_it() -> None:
    far = p.add(p.multiply(FIRST, Const(2)), SECOND)
    loop = ForRange(
        X,
        p.ONE,
        Load(Const(5), 2, 4),
        (p.Push(p.ListVar(8, 0, 99, 4), (p.add(far, X),)), p.Push(p.ListVar(8, 0, 99, 4), (X,))),
    )
    *_, moved, after = unfolded(p.NewList(p.ListVar(8, 0, 99, 4)), loop)
    assert isinstance(moved, Set) and moved.value == far
    assert isinstance(after, ForRange) and far not in [x for s in after.body for e in p.operands(s) for x in p.walk(e)]


def test_loop__that_changes_the_state() -> None:
    far = p.add(p.multiply(FIRST, Const(2)), SECOND)
    loop = ForRange(X, p.ONE, Load(Const(5), 2, 4), (Store(X, far), Store(Const(4), far)))
    assert unfolded(loop) == (loop,)


def test_loop__that_is_left_inside_of_tests_with_a_flag() -> None:
    there = Load(p.add(X, Const(3)), 0, 9)
    passes = p.either(p.Cmp("==", A, B), p.Cmp("==", A, Const(5)))
    found = If(passes, (Set(YES, p.ONE), p.Break()))
    loop = ForRange(X, p.ONE, Const(3), (If(p.Cmp(">", Load(X, 0, 9), p.ZERO), (Set(A, there), found)),))
    before, after = (Set(B, FIRST), Store(Const(8), B)), Store(Const(7), YES)
    written = unfolded(*before, Set(YES, p.ZERO), loop, after)
    assert not [s for s in p.statements(written) if isinstance(s, ForRange | p.Break)]
    _, second = (s.test for s in written if isinstance(s, If))
    assert second == p.both(p.Not(YES), p.Cmp(">", SECOND, p.ZERO))  # nothing is looked at after the first was found
    assert ForRange in map(type, unfolded(*before, Set(YES, p.ONE), loop, after))  # no flag: it may be set before


def test_list__that_is_a_row_of_locals() -> None:
    row, item = p.ListVar(7, 0, 9, 2), Var(8, 0, 9)
    pushes = (p.NewList(row), p.Push(row, (A,)), p.Push(row, (item,)))
    second = p.Item(row, p.ONE, 0, 9)
    before = (Set(A, FIRST), Store(Const(1), p.ZERO), Set(item, SECOND), Store(Const(2), p.ZERO))
    assert unfolded(*before, *pushes, Store(Const(3), second)) == (*before[1:], Store(Const(3), item))
    whole = unfolded(*before, *pushes, Store(Const(3), second), Store(Const(4), p.Len(row, 0, 2)))
    assert p.NewList(row) in whole


def test_loop__that_adds_up_known_numbers() -> None:
    many = Load(Const(5), 0, 2)
    total = Var(5, 0, 18)
    one = p.multiply(X, Const(4))
    loop = ForRange(X, p.ONE, p.add(many, p.ONE), (Set(total, p.always(p.add(total, one), 0, 18)),))
    before = program_of((Set(total, SECOND), loop, Store(Const(3), total)))
    after = unfold(before)
    assert list(verify(before)) == list(verify(after)) == []
    assert after.tables == ((0, 4, 12),)
    looked_up = p.Cell(0, many, 0, 12)
    assert after.functions[0].body[1:] == (
        Set(total, p.always(p.add(total, looked_up), 0, 18)),
        Store(Const(3), total),
    )


def test_loop__that_adds_up_what_the_state_holds() -> None:
    total = Var(5, 0, 18)
    loop = ForRange(X, p.ONE, Load(Const(5), 1, 3), (Set(total, p.always(p.add(total, Load(X, 0, 9)), 0, 18)),))
    body = (Set(total, SECOND), loop, Store(Const(3), total))
    assert unfolded(*body) == body


@pytest.mark.parametrize(("many", "written_out"), [(12, True), (17, False)])
def test_loop__a_search_is_written_out_up_to_a_length(many: int, written_out: bool) -> None:
    cell = Var(5, 0, many - 1)
    found = If(p.Cmp(">", Load(p.remainder(cell, Const(9)), 0, 9), p.ZERO), (Set(B, p.ONE), p.Break()))
    body = unfolded(Set(B, p.ZERO), ForRange(cell, p.ZERO, Const(many), (found,)), Store(Const(3), B))
    assert any(isinstance(s, ForRange) for s in p.statements(body)) != written_out


@pytest.mark.parametrize("name", ["base", "sintra", "pavilion", "duel", "classics/dominoes", "classics/beacons"])
def test_verbs__a_game_goes_on_as_before_when_its_program_is_unfolded(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game, "UNFOLD_AFTER", 7)
    rules, model = game_of(name).rules, game_of(name).model
    quickened, never, rng = Game(rules, model), Game(rules, model), random.Random(1)
    never._applied = game.BUILD_AFTER
    as_lowered = quickened.compiled.waiting
    here, there = quickened.start(3), never.start(3)
    while here.to_move is not None:
        moves = quickened.legal_moves(here)
        assert (here.vector, here.to_move, moves) == (there.vector, there.to_move, never.legal_moves(there))
        assert quickened.ledger(here) == never.ledger(there)
        move = rng.choice(moves)
        here, there = quickened.apply(here, move), never.apply(there, move)
    assert here.vector == there.vector and quickened.outcome(here) == never.outcome(there)
    assert quickened.compiled.waiting is not as_lowered
    assert "unfolded" in vars(quickened.compiled) and "unfolded" not in vars(never.compiled)
