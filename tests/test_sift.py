"""The pass that finds out once what a loop inside a loop would find out again and again."""

from __future__ import annotations

from itertools import count

from interpreter.compile import program as p
from interpreter.compile.program import Const, ForRange, Function, If, ListVar, Load, Program, Push, Set, Statement, Var
from interpreter.compile.sift import sifted
from interpreter.compile.verify import verify

OUTER, INNER = Var(1, 1, 3), Var(2, 1, 4)
FOUND = ListVar(3, 1, 4, 12)
VALUE = Var(4, 0, 9)
FREE = p.Cmp("==", Load(INNER, 0, 9), p.ZERO)  # of the inner loop's value alone
FITS = p.Cmp(">", INNER, OUTER)  # of both


def program_of(*body: Statement) -> Program:
    function = Function(0, "steps", (), body, "nothing")
    return Program(9, (0,) * 9, (), (function,), (), {}, (), {}, 0, (), None, ())


def loops(*inner: Statement, after: tuple[Statement, ...] = ()) -> tuple[Statement, ...]:
    inside = ForRange(INNER, p.ONE, Const(5), inner)
    return (p.NewList(FOUND), ForRange(OUTER, p.ONE, Const(4), (inside, *after)))


def sifted_loops(*body: Statement) -> tuple[Statement, ...]:
    assert list(verify(program_of(*body))) == []
    after = sifted(body, count(100))
    assert list(verify(program_of(*after))) == []
    return after


def test_test__of_the_inner_value_is_made_before_both_loops() -> None:
    _, rows, before, outer = sifted_loops(*loops(If(FREE, (If(FITS, (Push(FOUND, (INNER,)),)),))))
    assert isinstance(rows, p.NewList) and isinstance(outer, ForRange)
    assert before == ForRange(INNER, p.ONE, Const(5), (If(FREE, (Push(rows.var, (INNER,)),)),))
    (inside,) = outer.body
    assert isinstance(inside, p.ForList) and inside.of == rows.var
    (column,) = inside.vars
    assert inside.body == (If(p.compare(">", column, OUTER), (Push(FOUND, (column,)),)),)


def test_value__that_is_worked_out_before_is_part_of_the_row() -> None:
    body = loops(Set(VALUE, Load(INNER, 0, 9)), If(p.both(p.Cmp(">", VALUE, OUTER), FITS), (Push(FOUND, (INNER,)),)))
    _, rows, before, _ = sifted_loops(*body)
    assert isinstance(rows, p.NewList) and rows.var.columns == ((1, 4), (0, 9))
    assert isinstance(before, ForRange) and before.body[-1] == Push(rows.var, (INNER, VALUE))


def test_value__that_somebody_reads_after_the_loop_stays() -> None:
    body = loops(
        Set(VALUE, Load(INNER, 0, 9)),
        If(p.Cmp(">", VALUE, OUTER), (Push(FOUND, (INNER,)),)),
    )
    body = (Set(VALUE, p.ZERO), *body, Set(Var(5, 0, 9), VALUE))
    assert sifted_loops(*body) == body


def test_loops__that_change_the_state_stay() -> None:
    body = loops(If(FREE, (If(FITS, (p.Store(Const(1), p.ONE),)),)))
    assert sifted_loops(*body) == body


def test_test__of_the_outer_value_stays() -> None:
    body = loops(If(FITS, (Push(FOUND, (INNER,)),)))
    assert sifted_loops(*body) == body


def test_sum__that_goes_on_from_pass_to_pass_stays() -> None:
    more = Set(VALUE, p.remainder(p.add(VALUE, INNER), Const(10)))
    body = (Set(VALUE, p.ZERO), *loops(more, If(p.both(FITS, p.Cmp(">", VALUE, p.ONE)), (Push(FOUND, (INNER,)),))))
    assert sifted_loops(*body) == body


def test_value__that_only_some_passes_give_stays() -> None:
    """In the others it has the value from before: there is none yet before both loops."""
    other = Var(5, 1, 3)
    begun = (ForRange(other, p.ONE, Const(4), (If(FREE, (Set(VALUE, p.ONE), p.Break())),)),)
    inner = (*begun, If(p.Cmp(">", VALUE, OUTER), (Push(FOUND, (INNER,)),)))
    new, outer = loops(*inner)
    assert isinstance(outer, ForRange)
    body = (new, ForRange(OUTER, outer.start, outer.stop, (Set(VALUE, p.ZERO), *outer.body)))
    assert sifted_loops(*body) == body


def test_value__that_is_worked_out_once_for_each_row_is_part_of_it_with_all_that_leads_to_it() -> None:
    held, sum_ = Var(5, 0, 9), Var(6, 0, 9)
    once = p.OnceNum(0, 5, INNER, held, (Set(sum_, Load(INNER, 0, 9)), Set(held, sum_)))
    _, rows, before, outer = sifted_loops(*loops(once, If(p.Cmp(">", held, OUTER), (Push(FOUND, (INNER,)),))))
    assert isinstance(rows, p.NewList) and isinstance(before, ForRange) and isinstance(outer, ForRange)
    assert before.body == (Set(sum_, Load(INNER, 0, 9)), Push(rows.var, (INNER, sum_)))
