"""A pass: loops over known values, one inside the other, become one; what depends on these values alone is looked up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from itertools import count, product
from operator import add, floordiv, mod, mul, sub
from typing import Any

from interpreter.compile import program as p
from interpreter.compile.program import Body, List, Num, Program, Statement, Var

LONGEST = 4096  # rows of a loop made of two
WIDEST = 12  # numbers in a row
OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "/": floordiv,
    "%": mod,
    "min": min,
    "max": max,
}


def tabulate(program: Program) -> Program:
    """Return the program with one table for each loop over known values."""
    return _Tables(program).program()


class _Tables:
    def __init__(self, program: Program) -> None:
        self.before = program
        self.tables: dict[Any, int] = {rows: i for i, rows in enumerate(program.tables)}
        self.locals = count(1 + last_local(program))

    def program(self) -> Program:
        functions = tuple(replace(f, body=self.body(f.body)) for f in self.before.functions)
        blocks = tuple(replace(b, body=self.body(b.body)) for b in self.before.blocks)
        decisions = {n: replace(d, before=self.body(d.before)) for n, d in self.before.decisions.items()}
        return replace(self.before, functions=functions, blocks=blocks, decisions=decisions, tables=tuple(self.tables))

    def body(self, body: Body) -> Body:
        return tuple(self.statement(s) for s in body)

    def statement(self, s: Statement) -> Statement:
        match s:
            case p.If():
                return replace(s, then=self.body(s.then), other=self.body(s.other))
            case p.ForRange() | p.ForList():
                return self.loop(replace(s, body=self.body(s.body)))
            case p.While() | p.Once() | p.OnceNum() | p.Score() | p.Tell() | p.Show():
                return replace(s, body=self.body(s.body))
            case _:
                return s

    def loop(self, s: p.ForRange | p.ForList) -> Statement:
        rows = self._rows(s)
        if rows is None:
            return s
        names = (s.var,) if isinstance(s, p.ForRange) else s.vars
        body = s.body
        if len(body) == 1 and isinstance(inner := body[0], p.ForRange | p.ForList) and not _leaves(inner.body):
            more = self._rows(inner)
            if more is not None and len(rows) * len(more) <= LONGEST:
                rows = tuple((*a, *b) for a, b in product(rows, more))
                names = (*names, *((inner.var,) if isinstance(inner, p.ForRange) else inner.vars))
                body = inner.body
        columns = _Columns(self, names, rows)
        body = tuple(columns.statement(x) for x in body)
        used = {v.number for x in p.statements(body) for e in p.operands(x) for v in p.walk(e) if isinstance(v, Var)}
        wide = [(v, column) for v, column in columns.columns() if v.number in used]
        if not wide:
            wide = columns.columns()[:1]
        if isinstance(s, p.ForRange) and body == s.body:
            return replace(s, body=body)
        table = tuple(zip(*(column for _, column in wide), strict=True)) if len(wide) > 1 else wide[0][1]
        every = [x for _, column in wide for x in column]
        of = p.ListConst(self.tables.setdefault(table, len(self.tables)), min(every), max(every), len(rows), len(wide))
        return p.ForList(tuple(v for v, _ in wide), of, body)

    def _rows(self, s: p.ForRange | p.ForList) -> tuple[tuple[int, ...], ...] | None:
        match s:
            case p.ForRange(start=p.Const() as start, stop=p.Const() as stop):
                values = range(start.value, stop.value, s.step)
                return tuple((v,) for v in values) if 0 < len(values) <= LONGEST else None
            case p.ForList(of=p.ListConst() as of):
                table = self._table(of.table)
                if not table:
                    return None
                return tuple(table) if of.width > 1 else tuple((v,) for v in table)
            case _:
                return None

    def _table(self, number: int) -> Any:
        return next(rows for rows, n in self.tables.items() if n == number)


class _Columns:
    """The columns of one loop's table: its own locals, and what was found in the body to depend on them alone."""

    def __init__(self, tables: _Tables, names: tuple[Var, ...], rows: tuple[tuple[int, ...], ...]) -> None:
        self.tables = tables
        self.names = {v.number: i for i, v in enumerate(names)}
        self.rows = rows
        self.own = list(names)
        self.found: dict[tuple[int, ...], Var] = {}

    def columns(self) -> list[tuple[Var, tuple[int, ...]]]:
        own = [(v, tuple(row[i] for row in self.rows)) for i, v in enumerate(self.own)]
        return own + [(v, column) for column, v in self.found.items()]

    def statement(self, s: Statement) -> Statement:
        return _mapped(s, self)

    def num(self, e: Num) -> Num:
        """Return e, looked up if it depends on the loop's locals alone."""
        if isinstance(e, p.Const | Var):
            return e
        if len(self.found) + len(self.own) < WIDEST and self._alone(e):
            column = tuple(value_of(e, self.names, row) for row in self.rows)
            if column not in self.found:
                self.found[column] = Var(next(self.tables.locals), min(column), max(column))
            return self.found[column]
        return _rebuilt(e, self)  # type: ignore[return-value]

    def _alone(self, e: Num) -> bool:
        """Return whether e depends on the loop's locals and on nothing else."""
        locals_ = [x.number for x in p.walk(e) if isinstance(x, Var)]
        return bool(locals_) and is_plain(e) and all(n in self.names for n in locals_)


def _mapped(s: Statement, columns: _Columns) -> Statement:
    """Return a statement with everything in it looked up that can be."""
    changed = {}
    for f in fields(s):
        old = getattr(s, f.name)
        new = _part(old, columns)
        if new is not old:
            changed[f.name] = new
    return replace(s, **changed) if changed else s


NUMS = (p.Known, p.Load, p.Cell, p.Bin, p.Cmp, p.Within, p.Not, p.And, p.Or, p.Select, p.SumRange, p.CountRange)
OTHERS = (p.AnyRange, p.Call, p.Len, p.Item, p.InList)
LISTS = (p.ListCell, p.ListCall)


def _part(x: Any, columns: _Columns) -> Any:
    if isinstance(x, NUMS + OTHERS):
        return columns.num(x)
    if isinstance(x, LISTS):
        return _rebuilt(x, columns)
    if isinstance(x, tuple):
        new = tuple(_part(y, columns) for y in x)
        return new if any(a is not b for a, b in zip(new, x, strict=True)) else x
    if isinstance(x, p.Statement | p.Line):
        return _mapped(x, columns)  # type: ignore[arg-type]
    return x


def _rebuilt(e: Num | List, columns: _Columns) -> Num | List:
    changed = {}
    for f in fields(e):
        old = getattr(e, f.name)
        new = _part(old, columns)
        if new is not old:
            changed[f.name] = new
    return replace(e, **changed) if changed else e


def is_plain(e: Num) -> bool:
    """Return whether e is made of locals and constants alone, without a division that may need a test before it."""
    for x in p.walk(e):
        match x:
            case p.Bin(op="/" | "%", right=right) if not isinstance(right, p.Const):
                return False
            case (
                p.Const() | Var() | p.Known() | p.Bin() | p.Cmp() | p.Within() | p.Not() | p.And() | p.Or() | p.Select()
            ):
                pass
            case _:
                return False
    return True


def value_of(e: Num, names: Mapping[int, int], row: tuple[int, ...]) -> int:
    """Return the value of a plain expression of locals that are in a row."""

    def value(x: Num) -> int:
        return value_of(x, names, row)

    match e:
        case p.Const():
            return e.value
        case Var():
            return row[names[e.number]]
        case p.Known():
            found = value(e.of)
            return found if e.lo <= found <= e.hi else e.lo  # in a row in which it is never looked at
        case p.Bin():
            return OPERATIONS[e.op](value(e.left), value(e.right))
        case p.Cmp():
            return int(p.HOLDS[e.op](value(e.left), value(e.right)))
        case p.Within():
            return int(e.low <= value(e.of) <= e.high)
        case p.Not():
            return int(not value(e.of))
        case p.And():
            return int(all(value(x) for x in e.parts))
        case p.Or():
            return int(any(value(x) for x in e.parts))
        case p.Select():
            return value(e.then) if value(e.test) else value(e.other)
        case _:
            raise AssertionError(e)


def _leaves(body: Body) -> bool:
    """Return whether a loop with this body may be left early: then it cannot be joined with the one around it."""
    return any(
        isinstance(s, p.Break) or (isinstance(s, p.If | p.Once | p.OnceNum) and any(_leaves(b) for b in p.inner(s)))
        for s in body
    )


def last_local(program: Program) -> int:
    """Return the highest number of a local."""
    bodies = [f.body for f in program.functions] + [b.body for b in program.blocks]
    bodies += [d.before for d in program.decisions.values()]
    numbers = [v.number for body in bodies for s in p.statements(body) for v in p.assigned(s)]
    numbers += [v.number for f in program.functions for v in f.parameters]
    return max(numbers, default=0)
