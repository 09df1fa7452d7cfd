"""What C works out whether it is needed or not: only what is defined wherever the test does not hold."""

from __future__ import annotations

import pytest

from interpreter.compile import program as p
from interpreter.compile.program import Const, Function, Known, Load, Num, Program, Select, Var
from interpreter.compile.to_c import CPrinter
from interpreter.compile.unguarded import SMALL, Unguarded
from interpreter.compile.verify import verify
from rulespec.syntax import NONE

ROW, TARGET = Var(1, 0, 9), Var(2, 1, NONE + 6)  # a target is a row, or one more that has a code
IS_ROW = p.within(TARGET, 1, 5)


def program_of(e: Num) -> Program:
    function = Function(0, "define", (ROW, TARGET), (p.Return(e),), "number")
    program = Program(90, (0,) * 90, ((7, 8, 9),), (function,), (), {}, (), {}, 0, (), None, ())
    assert list(verify(program)) == []
    return program


def printed(then: Num, other: Num = p.ONE, test: Num = IS_ROW) -> str:
    e = Select(test, then, other, min(then.lo, other.lo), max(then.hi, other.hi))
    return CPrinter(program_of(e), None).num(e)


def row_of(n: Num) -> Num:
    return Known(n, 1, 5)


@pytest.mark.parametrize(
    "then",
    [
        p.add(p.multiply(ROW, Const(4)), Const(56)),
        p.subtract(row_of(TARGET), ROW),
        Load(row_of(TARGET), 0, 9),
        p.extreme("min", row_of(TARGET), Const(3)),
        p.multiply(p.extreme("min", row_of(TARGET), Const(3)), Const(1000)),
        p.multiply(Load(row_of(TARGET), 0, SMALL // 8), Const(4)),  # what lies at 0 is small
    ],
)
def test_select__without_a_branch_where_both_are_defined(then: Num) -> None:
    assert "pick(" in printed(then) and "pick(" in printed(p.ONE, then, p.negate(IS_ROW))


@pytest.mark.parametrize(
    "then",
    [
        p.add(p.multiply(row_of(TARGET), Const(4)), Const(56)),
        p.add(p.add(row_of(TARGET), row_of(TARGET)), row_of(TARGET)),
        Load(p.multiply(row_of(TARGET), Const(4)), 0, 9),
        Select(p.compare("==", ROW, p.ONE), p.multiply(row_of(TARGET), Const(4)), p.ZERO, 0, 20),
        p.compare("==", p.multiply(row_of(TARGET), Const(4)), Const(8)),
        p.SumRange(row_of(TARGET), 3, 1, 0, 30),  # the state from 0 on may hold codes
    ],
)
def test_select__by_a_branch_where_one_would_overflow(then: Num) -> None:
    assert "pick(" not in printed(then) and "?" in printed(then)
    assert "pick(" not in printed(p.ONE, then, p.negate(IS_ROW))


def test_range__holds_whatever_the_tests_say() -> None:
    """Every range is worked out where nothing is known, so it is no narrower than what is known of any value."""
    unguarded = Unguarded(program_of(p.ONE))
    assert unguarded.range(row_of(TARGET)) == (1, NONE + 6)
    assert unguarded.range(Known(TARGET, 1, 5, p.ALWAYS)) == (1, 5)
    assert unguarded.range(p.Cell(0, Known(ROW, 1, 2), 8, 9)) == (7, 9)
    assert unguarded.range(p.add(ROW, Const(SMALL))) == (SMALL, SMALL + 9)  # a sum in 64 bits
    assert unguarded.range(p.divide(p.subtract(row_of(TARGET), Const(3)), Const(2))) == (-NONE - 4, NONE + 4)
