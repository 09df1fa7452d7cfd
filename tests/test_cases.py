"""Bodies that are written once for each kind of value of a choice: what is settled, and what must be left as it is."""

from __future__ import annotations

from interpreter.compile import program as p
from interpreter.compile.cases import by_cases
from interpreter.compile.program import Body, Const, If, Load, Set, Store, Var

NAME = 1_000_000_008
ROW, LOCAL, OTHER = Var(1, 1, NAME), Var(2, 0, NAME), Var(3, 0, NAME)
IS_NAME, IS_ROW = p.Cmp("==", ROW, Const(NAME)), p.Within(ROW, 1, 5)
VALUES = (1, 2, 3, 4, 5, NAME)
COUNT = Store(Const(7), Const(1))


def cases(*body: p.Statement) -> Body:
    return by_cases(body, [(ROW, VALUES)], ())


def test_tests_of_the_choice__are_settled_once() -> None:
    at = p.Select(IS_ROW, p.add(ROW, Const(20)), Const(1), 1, 25)
    body = (If(p.Not(IS_NAME), (COUNT,)), Store(at, Const(2)))
    assert cases(*body) == (If(IS_NAME, (Store(Const(1), Const(2)),), (COUNT, Store(p.add(ROW, Const(20)), Const(2)))),)


def test_locals_that_follow_from_the_choice__are_settled_too() -> None:
    follows = Set(LOCAL, p.Select(IS_ROW, p.subtract(ROW, p.ONE), p.ZERO, 0, 4))
    body = (follows, If(p.Within(LOCAL, 0, 4), (COUNT,)), Store(Const(8), LOCAL), Store(Const(9), LOCAL))
    ((branch),) = cases(*body)
    assert isinstance(branch, If)
    assert branch.then == (COUNT, Store(Const(8), p.ZERO), Store(Const(9), p.ZERO))
    assert branch.other == (
        Set(LOCAL, p.subtract(ROW, p.ONE)),
        COUNT,
        Store(Const(8), LOCAL),
        Store(Const(9), LOCAL),
    )


def test_local_that_is_also_given_something_else__is_not_settled() -> None:
    test = If(p.Cmp("==", LOCAL, Const(3)), (COUNT,))
    body = (Set(LOCAL, ROW), If(Load(Const(2), 0, 1), (Set(LOCAL, Const(3)),)), test)
    assert test in cases(*body)


def test_choice_that_is_written_over__is_not_settled() -> None:
    body = (If(Load(Const(2), 0, 1), (Set(ROW, Const(3)),)), If(IS_NAME, (COUNT,)))
    assert cases(*body) == body


def test_values_that_all_differ__are_left_as_they_are() -> None:
    body = tuple(If(p.Cmp("==", ROW, Const(n)), (Store(Const(7), Const(n)),)) for n in range(1, 6)) * 20
    assert cases(*body) == body


def test_what_is_worked_out_twice__is_worked_out_once() -> None:
    twice = p.multiply(ROW, Const(6))
    body = (Set(LOCAL, twice), Set(OTHER, twice), Store(LOCAL, OTHER), Store(OTHER, LOCAL), If(IS_NAME, (COUNT,)))
    ((branch),) = cases(*body)
    assert isinstance(branch, If)
    assert branch.other == (Set(LOCAL, twice), Store(LOCAL, LOCAL), Store(LOCAL, LOCAL))
