"""A pass for Python: a group that can only grow along a line is counted from its first cell on, in both directions.

Cells grow into a group by a list that is looked through while it gets longer. Where each cell has at most two neighbours, and nobody asks
for more than how many cells there are, no list is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from interpreter.compile import program as p
from interpreter.compile.fold import Fold, with_bodies, with_changed_body
from interpreter.compile.program import Body, ListVar, Num, Program, Statement, Var
from interpreter.compile.tabulate import last_local

Rows = tuple[tuple[int, ...], ...]


def along_lines(program: Program) -> Program:
    """Return the program with groups along lines counted."""
    counting = _Counting(program)
    functions = tuple(replace(f, body=counting.whole(f.body)) for f in program.functions)
    blocks = tuple(with_changed_body(b, counting.whole) for b in program.blocks)
    return replace(program, functions=functions, blocks=blocks, tables=tuple(counting.tables))


@dataclass(frozen=True, slots=True)
class _Growing:
    """A list that grows from a first cell along a line."""

    cells: ListVar
    first: Num
    table: int
    rows: int  # of the table, before that of the first cell there is
    neighbour: Var
    joins: Num  # whether a neighbour is in the group


class _Counting:
    def __init__(self, program: Program) -> None:
        self.tables: list[Any] = list(program.tables)
        self.locals = last_local(program)
        self.lines: dict[tuple[int, ...], tuple[int, int] | None] = {}

    def whole(self, body: Body) -> Body:
        """Return the body of a function or block with its groups counted."""
        grown: dict[ListVar, int] = {}
        for s in p.statements(body):
            if isinstance(s, p.ForList) and s.grows and isinstance(s.of, ListVar):
                grown[s.of] = grown.get(s.of, 0) + 1
        counts: dict[ListVar, Var] = {}
        lengths: dict[Num, Num] = {}
        expressions = [x for s in p.statements(body) for e in p.operands(s) for x in p.walk(e)] if grown else []
        for cells, times in grown.items():
            growing = [g for g in _all_growing(body) if g.cells == cells]
            asked = [e for e in expressions if isinstance(e, p.Len) and e.of == cells]
            mentioned = sum(1 for e in expressions if e == cells)  # twice where it grows
            if len(growing) == times and mentioned == len(asked) + 2 * times and all(map(self._lines, growing)):
                self.locals += 1
                counts[cells] = Var(self.locals, 1, cells.longest)
                lengths |= dict.fromkeys(asked, counts[cells])
        return Fold({}, (), lengths).body(self._counted(body, counts)) if counts else body

    def _counted(self, body: Body, counts: dict[ListVar, Var]) -> Body:
        out: list[Statement] = []
        at = 0
        while at < len(body):
            growing = _growing(body[at : at + 3])
            if growing is not None and growing.cells in counts:
                out += self._count(growing, counts[growing.cells])
                at += 3
            else:
                s = body[at]
                out.append(with_bodies(s, [self._counted(inner, counts) for inner in p.inner(s)]))
                at += 1
        return tuple(out)

    def _count(self, g: _Growing, count: Var) -> list[Statement]:
        lines = self._lines(g)
        assert lines is not None
        out: list[Statement] = [p.Set(count, p.ONE)]
        for table in lines:
            longest = max(map(len, self.tables[table]))
            if longest:
                cells = p.ListCell(table, p.subtract(g.first, p.const(g.cells.lo)), g.cells.lo, g.cells.hi, longest)
                more = p.Set(count, p.always(p.add(count, p.ONE), 1, g.cells.longest))
                out.append(p.ForList((g.neighbour,), cells, (p.If(p.negate(g.joins), (p.Break(),)), more)))
        return out

    def _lines(self, g: _Growing) -> tuple[int, int] | None:
        """Return two tables of the cells that follow each one, one for each direction; None if the cells form no lines."""
        key = g.table, g.rows, g.cells.lo, g.cells.hi
        if key not in self.lines:
            every = self.tables[g.table][g.rows : g.rows + g.cells.hi - g.cells.lo + 1]
            found = directions(every, g.cells.lo)
            self.lines[key] = None if found is None else (self._table(found[0]), self._table(found[1]))
        return self.lines[key]

    def _table(self, rows: Rows) -> int:
        if rows not in self.tables:
            self.tables.append(rows)
        return self.tables.index(rows)


def directions(neighbours: Sequence[Sequence[int]], first: int) -> tuple[Rows, Rows] | None:
    """Return the cells that follow each cell in its two directions; None unless all cells lie on lines with two ends.

    >>> directions([(1,), (0, 2), (1,), ()], 0)
    (((1, 2), (0,), (1, 0), ()), ((), (2,), (), ()))
    """
    after = {first + i: tuple(row) for i, row in enumerate(neighbours)}
    for cell, row in after.items():
        if len(row) > 2 or len(set(row)) != len(row) or any(cell not in after.get(x, ()) for x in row):
            return None
    both: tuple[list[tuple[int, ...]], list[tuple[int, ...]]] = ([], [])
    for cell, row in after.items():
        for way, found in enumerate(both):
            line = [cell]
            if way < len(row):
                line.append(row[way])
                while following := [x for x in after[line[-1]] if x != line[-2]]:
                    if following[0] in line:
                        return None
                    line.append(following[0])
            found.append(tuple(line[1:]))
    return tuple(both[0]), tuple(both[1])


def _growing(statements: Sequence[Statement]) -> _Growing | None:
    match statements:
        case (
            p.NewList(var=cells, zeros=0),
            p.Push(var=pushed, values=(first,)),
            p.ForList(
                vars=(cell,),
                of=of,
                body=(
                    p.ForList(
                        vars=(neighbour,),
                        of=p.ListCell(table=table, index=p.Bin(op="+", left=looked, right=p.Const(value=shift))),
                        body=(
                            p.If(test=p.InList(item=known, of=among), then=(p.Continue(),), other=()),
                            p.If(test=joins, then=(p.Push(var=grown, values=(joined,)),), other=()),
                        ),
                    ),
                ),
                grows=True,
            ),
        ) if (
            cells == pushed == of == among == grown
            and cell == looked
            and neighbour == known == joined
            and not any(x in (cell, cells) for x in p.walk(joins))
        ):
            return _Growing(cells, first, table, cells.lo + shift, neighbour, joins)
    return None


def _all_growing(body: Body) -> Iterator[_Growing]:
    """Yield the lists that grow along lines in a body, and in all bodies inside it."""
    for inside in (body, *(inner for s in p.statements(body) for inner in p.inner(s))):
        for at in range(len(inside)):
            if (growing := _growing(inside[at : at + 3])) is not None:
                yield growing
