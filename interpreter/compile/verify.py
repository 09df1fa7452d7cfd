"""Checks that hold for every program, whatever made it: numbers fit, addresses and indexes are inside, names have values."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.compile import program as p
from interpreter.compile.program import Body, List, ListVar, Num, Program, Var

LARGEST = 2**31 - 1  # what C holds


def verify(program: Program) -> Iterator[str]:
    """Yield what is wrong with a program; nothing for a good one."""
    bodies = [(f"f{f.number}", f.body, {v.number for v in f.parameters}) for f in program.functions]
    bodies += [(f"b{n}", b.body, set()) for n, b in enumerate(program.blocks)]
    bodies += [(f"b{n}", d.before, set()) for n, d in program.decisions.items()]
    for name, body, known in bodies:
        assigned = known | {v.number for s in p.statements(body) for v in p.assigned(s)}
        for e in _expressions(body):
            yield from (f"{name}: {wrong}" for wrong in _wrong(e, program, assigned))


def _expressions(body: Body) -> Iterator[Num | List]:
    for s in p.statements(body):
        for e in p.operands(s):
            yield from p.walk(e)


def _wrong(e: Num | List, program: Program, assigned: set[int]) -> Iterator[str]:
    if not -LARGEST <= e.lo <= e.hi <= LARGEST:
        yield f"{e} may not fit"
    match e:
        case Var() | ListVar() if e.number not in assigned:
            yield f"{e} has no value"
        case p.Load():
            if not 0 <= e.at.lo <= e.at.hi < program.size:
                yield f"{e} reads outside of the state"
        case p.SumRange() | p.AnyRange():
            last = e.at.hi + (e.many - 1) * e.step
            if not (e.at.lo >= 0 and last < program.size):
                yield f"{e} reads outside of the state"
        case p.CountRange():
            if not (e.at.lo >= 0 and e.at.hi + e.many - 1 < program.size):
                yield f"{e} reads outside of the state"
        case p.Cell():
            if not 0 <= e.index.lo <= e.index.hi < len(program.tables[e.table]):
                yield f"{e} reads outside of its table"
