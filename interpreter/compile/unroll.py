"""A pass for C: where legal moves are listed, short loops over known values become their passes, one after the other.

    rows = []                                ok1, x1 = test(1), f(1)
    for b in 1, 2:                           ok2, x2 = test(2), f(2)
        if test(b): rows gains (b, f(b))     for c in 1, 2:                   # without a loop
    for a, c in …:                     ─►        list of c = []
        once for each c:                         if ok1 and other(c, 1, x1): it gains 1
            for b, x in rows:                    if ok2 and other(c, 2, x2): it gains 2
                if other(c, b, x): …         for a, c in …:
                                                 … the list of c …

How often such loops pass, and what they find, is as good as random: a processor guesses it wrong, which costs more than the few
passes that were not needed. What is known of a pass, as what a table holds, is worked out here.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any

from interpreter.compile import program as p
from interpreter.compile.fold import Fold, with_bodies
from interpreter.compile.program import Body, ListVar, Num, Program, Set, Statement, Var
from interpreter.compile.straighten import SHORT, is_free
from interpreter.compile.tabulate import last_local

MOST = 100  # statements that one loop becomes,
MOST_LISTED = 400  # and the lists that are made once


def unroll(program: Program) -> Program:
    """Return the program in which the functions that list legal moves have fewer loops."""
    names = count(1 + last_local(program))
    functions = (_Unroller(program.tables, names).function(f) if f.role == "legal" else f for f in program.functions)
    return replace(program, functions=tuple(functions))


class _Unroller:
    """Goes through one function."""

    def __init__(self, tables: tuple[Any, ...], names: count[int]) -> None:
        self.tables = tables
        self.names = names
        self.found: dict[
            int, list[tuple[Num, tuple[Num, ...]]]
        ] = {}  # of lists of rows: whether each counts, and its values

    def function(self, f: p.Function) -> p.Function:
        out: list[Statement] = []
        body = list(f.body)
        while body:
            s = body.pop(0)
            if isinstance(s, p.NewList) and body and self.known_rows(s, body[0], f.body):
                out += self.written_rows(s.var, body.pop(0))
                continue
            out += self.without_rows((s,))
            if isinstance(last := out[-1], p.ForList):
                out[-1:] = self.lists_beforehand(last)
        return replace(f, body=tuple(out))

    # rows ------------------------------------------------------------------------------------------------

    def known_rows(self, new: p.NewList, loop: Statement, body: Body) -> bool:
        """Return whether a list gets its rows in a short loop over a table, and is only gone through where that is easy."""
        if (
            new.zeros
            or not isinstance(loop, p.ForList)
            or not isinstance(loop.of, p.ListConst)
            or loop.of.longest > SHORT
        ):
            return False
        match loop.body:
            case (*before, p.If(test=test, then=(p.Push(var=to) as push,), other=())) if is_free(test):
                pass
            case (*before, p.Push(var=to) as push):
                pass
            case _:
                return False
        inside = list(p.statements(tuple(before)))
        if to != new.var or not all(map(is_free, push.values)):
            return False
        if not all(isinstance(s, Set | p.ForList | p.ForRange) for s in inside) or len(inside) * SHORT > MOST:
            return False
        uses = [s for s in p.statements(body) if _names(s, new.var)]
        goes = [s for s in uses if isinstance(s, p.ForList) and s.of == new.var]
        return len(uses) == len(goes) + 2 and all(map(_is_straight, goes))  # made, filled, gone through

    def written_rows(self, rows: ListVar, loop: Statement) -> Body:
        """Return the passes of the loop that fills a list, whose rows are locals then."""
        assert isinstance(loop, p.ForList) and isinstance(loop.of, p.ListConst)
        out: list[Statement] = []
        self.found[rows.number] = []
        for cells in self.passes(loop.of):
            fold = Fold(dict(zip((v.number for v in loop.vars), cells, strict=True)), self.tables)
            *before, last = loop.body
            push = last.then[0] if isinstance(last, p.If) else last
            assert isinstance(push, p.Push)
            test = fold.num(last.test) if isinstance(last, p.If) else p.ONE
            out += fold.body(tuple(before))
            values = tuple(self.kept(fold.num(v), out) for v in push.values)
            self.found[rows.number].append((self.kept(test, out), values))
        return tuple(out)

    def kept(self, e: Num, out: list[Statement]) -> Num:
        """Return a number that is kept in a local of its own, or known."""
        if isinstance(e, p.Const):
            return e
        v = Var(next(self.names), e.lo, e.hi)
        out.append(Set(v, e))
        return v

    def without_rows(self, body: Body) -> Body:
        """Return a body in which nothing goes through rows that are locals."""
        out: list[Statement] = []
        for s in body:
            if isinstance(s, p.ForList) and isinstance(s.of, ListVar) and s.of.number in self.found:
                out += self.gone_through(s)
            else:
                out.append(with_bodies(s, [self.without_rows(inner) for inner in p.inner(s)]))
        return tuple(out)

    def gone_through(self, loop: p.ForList) -> Body:
        """Return the passes of a loop over rows that are locals."""
        assert isinstance(loop.of, ListVar)
        out: list[Statement] = []
        *before, last = loop.body
        assert isinstance(last, p.If)
        for ok, values in self.found[loop.of.number]:
            fold = Fold(dict(zip((v.number for v in loop.vars), values, strict=True)), self.tables)
            out += fold.body((*before, replace(last, test=p.both(ok, last.test))))
        return tuple(out)

    def passes(self, of: p.ListConst) -> list[tuple[p.Const, ...]]:
        """Return the rows of a table."""
        rows = self.tables[of.table]
        flat = [p.const(x) for row in rows for x in (row if isinstance(row, tuple) else (row,))]
        return [tuple(flat[i : i + of.width]) for i in range(0, of.width * of.longest, of.width)]

    # lists that are made once ----------------------------------------------------------------------------

    def lists_beforehand(self, loop: p.ForList) -> Body:
        """Return a loop whose lists that would be made once for each of a few values are all made before it."""
        if not isinstance(loop.of, p.ListConst):
            return (loop,)
        out: list[Statement] = []

        def changed(s: Statement) -> Statement:
            match s:
                case p.If(other=()):
                    return replace(s, then=tuple(map(changed, s.then)))
                case p.Once(index=Var() as index) if index in loop.vars and s.size <= SHORT:
                    made = self.made_lists(s, index, loop)
                    if made is not None:
                        out.extend(made)
                        return replace(s, body=())
            return s

        body = tuple(map(changed, loop.body))
        return (*out, replace(loop, body=body))

    def made_lists(self, s: p.Once, index: Var, loop: p.ForList) -> list[Statement] | None:
        """Return what makes all lists of one kind; None if they are not made easily, or depend on more than the index."""
        assert isinstance(loop.of, p.ListConst)
        inside = list(p.statements(s.body))
        given = {v.number for x in inside for v in p.assigned(x)}
        used = {x.number for y in inside for e in p.operands(y) for x in p.walk(e) if isinstance(x, Var | ListVar)}
        outside = {v.number for x in p.statements(loop.body) for v in p.assigned(x)} - given
        if used & outside:
            return None
        cells: dict[int, tuple[Num, ...]] = {}
        read = [k for k, v in enumerate(loop.vars) if v.number in used]
        at = loop.vars.index(index)
        for row in self.passes(loop.of):
            values = tuple(row[k] for k in read)
            if cells.setdefault(row[at].value, values) != values:
                return None
        if not all(_is_easy(x) for x in s.body) or len(s.body) * len(cells) > MOST_LISTED:
            return None
        numbers = [loop.vars[k].number for k in read]
        return [
            replace(s, index=p.const(i), body=Fold(dict(zip(numbers, values, strict=True)), self.tables).body(s.body))
            for i, values in cells.items()
        ]


def _names(s: Statement, v: ListVar) -> bool:
    """Return whether a statement itself names a list."""
    if v in p.assigned(s) or (isinstance(s, p.Push | p.Put) and s.var == v):
        return True
    return any(x == v for e in p.operands(s) for x in p.walk(e))


def _is_easy(s: Statement) -> bool:
    """Return whether a statement makes a list, gives a local its value, or adds a row, and nothing has to be sure before."""
    return (isinstance(s, p.NewList) and not s.zeros) or (isinstance(s, Set) and is_free(s.value)) or _is_push(s)


def _is_push(s: Statement) -> bool:
    """Return whether a statement adds a row if a test holds, for which nothing is needed."""
    match s:
        case p.Push(values=values):
            return all(map(is_free, values))
        case p.If(test=test, then=(p.Push() as push,), other=()):
            return is_free(test) and _is_push(push)
    return False


def _is_straight(loop: p.ForList) -> bool:
    """Return whether a loop only gives locals their values and adds a row if a test holds."""
    *before, last = loop.body or (loop,)
    return (
        not loop.grows
        and isinstance(last, p.If)
        and _is_push(last)
        and all(isinstance(s, Set) and is_free(s.value) for s in before)
    )
