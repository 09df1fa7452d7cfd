"""The pass for C that writes out short loops where legal moves are listed."""

from __future__ import annotations

from interpreter.compile import program as p
from interpreter.compile.program import Const, ForList, Function, If, ListVar, Load, Program, Push, Set, Statement, Var
from interpreter.compile.unroll import unroll
from interpreter.compile.verify import verify

ME = Var(1, 1, 2)
SPOT, COLOUR, AT = Var(2, 1, 4), Var(3, 0, 1), Var(4, 0, 1)  # a row of the outer table
PLACE = Var(5, 1, 2)  # of the inner table
PLACE_THERE, HELD_THERE = Var(6, 1, 2), Var(7, 0, 9)  # a row of what was found
HELD = Var(8, 0, 9)
ROWS = ListVar(9, 0, 9, 2, 2, ((1, 2), (0, 9)))
FOUND = ListVar(10, 1, 2, 2)
TABLES = (((1, 0, 0), (2, 1, 1), (3, 0, 0), (4, 1, 1)), (1, 2))

FILLING = (
    p.NewList(ROWS),
    ForList(
        (PLACE,),
        p.ListConst(1, 1, 2, 2),
        (Set(HELD, Load(PLACE, 0, 9)), If(p.Cmp(">", HELD, p.ZERO), (Push(ROWS, (PLACE, HELD)),))),
    ),
)
LIST = (
    p.NewList(FOUND),
    ForList((PLACE_THERE, HELD_THERE), ROWS, (If(p.Cmp("!=", HELD_THERE, COLOUR), (Push(FOUND, (PLACE_THERE,)),)),)),
)


def outer(*body: Statement) -> ForList:
    return ForList((SPOT, COLOUR, AT), p.ListConst(0, 0, 4, 4, 3), body)


def unrolled(*body: Statement, role: str = "legal") -> tuple[Statement, ...]:
    function = Function(0, role, (ME,), body, "nothing")
    program = Program(9, (0,) * 9, TABLES, (function,), (), {}, (), {}, 0, (), None, ())
    assert list(verify(program)) == []
    after = unroll(program)
    assert list(verify(after)) == []
    return after.functions[0].body


def group(found: ListVar = FOUND) -> p.Group:
    return p.Group(0, (SPOT,), found)


def loops(*body: Statement) -> list[ForList]:
    return [s for s in p.statements(body) if isinstance(s, ForList)]


def test_rows__of_a_short_table_become_locals_and_lists_are_made_before_the_loop() -> None:
    body = unrolled(*FILLING, outer(p.Once(0, 2, AT, FOUND, LIST), group()))
    assert [loop.of for loop in loops(*body)] == [p.ListConst(0, 0, 4, 4, 3)]
    one, two, last = [s for s in body if isinstance(s, p.Once)], [s for s in body if isinstance(s, Set)], body[-1]
    assert [s.index for s in one] == [Const(0), Const(1)]
    assert [s.value for s in two if isinstance(s.value, Load)] == [Load(Const(1), 0, 9), Load(Const(2), 0, 9)]
    for once, colour in zip(one, (0, 1), strict=True):
        new, *pushes = once.body
        assert new == p.NewList(FOUND)
        for s, place in zip(pushes, (1, 2), strict=True):
            assert isinstance(s, If) and s.then == (Push(FOUND, (Const(place),)),)
            assert (
                isinstance(s.test, p.And)
                and isinstance(s.test.parts[1], p.Cmp)
                and s.test.parts[1].right == Const(colour)
            )
    assert last == outer(p.Once(0, 2, AT, FOUND, ()), group())


def test_list__that_depends_on_more_than_its_index_is_made_in_the_loop() -> None:
    inside = (p.NewList(FOUND), If(p.Cmp(">", SPOT, Const(2)), (Push(FOUND, (Const(1),)),)))
    loop = outer(p.Once(0, 2, AT, FOUND, inside), group())
    assert unrolled(loop) == (loop,)


def test_list__that_depends_on_what_the_loop_works_out_is_made_there() -> None:
    inside = (p.NewList(FOUND), If(p.Cmp(">", HELD, p.ZERO), (Push(FOUND, (Const(1),)),)))
    loop = outer(Set(HELD, Load(SPOT, 0, 9)), p.Once(0, 2, AT, FOUND, inside), group())
    assert unrolled(loop) == (loop,)


def test_rows__that_are_counted_stay_a_list() -> None:
    body = (*FILLING, If(p.Cmp(">", p.Len(ROWS, 0, 2), p.ZERO), (p.Return(),)), outer(*LIST, group()))
    assert unrolled(*body) == body


def test_rows__whose_loop_does_something_else_stay_a_list() -> None:
    inside = ForList((PLACE_THERE, HELD_THERE), ROWS, (If(p.Cmp("!=", HELD_THERE, COLOUR), (p.Break(),)),))
    body = (*FILLING, outer(p.NewList(FOUND), inside, group()))
    assert unrolled(*body) == body


def test_other_functions__stay_as_they_are() -> None:
    body = (*FILLING, outer(*LIST))
    assert unrolled(*body, role="steps") == body
