"""A pass: a program that counts the work it does, for budgets. The Python that waits at decisions has it; other kinds do without.

What is counted are numbers and statements that are evaluated. Stretches that always cost little are not counted one by one: what
contains them counts them as if all of it were done. So rules whose decisions take little work are not slower at all, and others hardly.
"""

from __future__ import annotations

from dataclasses import replace

from interpreter.compile import program as p
from interpreter.compile.program import Body, Function, Program, Statement, Tally
from rulespec.checks.work import COPIED
from rulespec.expr.static import LOOKED_UP

LIGHT = 1_000  # a loop or function that costs less at most is never looked into
LINE = 500  # what a line of the ledger costs, which is made and kept
SMALL = 40  # a branch, or a pass of a loop, that costs less is counted by what contains it


def tallied(program: Program) -> Program:
    """Return the program with statements that count its work."""
    counting = _Weighing(program)
    return replace(
        program,
        functions=tuple(counting.function(f) for f in program.functions),
        blocks=tuple(replace(b, body=counting.settled(b.body, LIGHT // 4)) for b in program.blocks),
        decisions={n: replace(d, before=counting.settled(d.before, LIGHT // 4)) for n, d in program.decisions.items()},
    )


class _Weighing:
    """Knows what each function costs."""

    def __init__(self, program: Program) -> None:
        self._bodies = {f.number: f.body for f in program.functions}
        self._size = program.size
        self._most: dict[int, int] = {}

    def function(self, f: Function) -> Function:
        return f if self._cost_of(f.number) < LIGHT else replace(f, body=self.settled(f.body))

    def settled(self, body: Body, least: int = 1) -> Body:
        """Return a body that counts what it costs, if that is not less than `least`."""
        lump, counted = self._counted(body)
        return (Tally(lump), *counted) if lump >= least else counted

    # the most that something costs -------------------------------------------------------------------------

    def _cost_of(self, function: int) -> int:
        if function not in self._most:
            self._most[function] = sum(map(self._most_of, self._bodies[function]))
        return self._most[function]

    def _most_of(self, s: Statement) -> int:
        """Return what a statement costs at most."""
        own = self._own(s)
        match s:
            case p.If():
                return own + max(sum(map(self._most_of, s.then)), sum(map(self._most_of, s.other)))
            case p.ForRange() | p.ForList():
                return own + _passes(s) * (1 + sum(map(self._most_of, s.body)))
            case p.While():
                return LIGHT + own  # nobody knows how often
            case p.Do():
                return own + self._cost_of(s.function)
        return own + sum(self._most_of(inside) for body in p.inner(s) for inside in body)

    def _own(self, s: Statement, whole: bool = True) -> int:
        """Return what a statement costs itself; without `whole`, functions that count for themselves cost only their call."""
        line = LINE if isinstance(s, p.Score | p.Tell | p.Show) else 0
        return 1 + line + sum(self._value(e, whole) for of in p.operands(s) for e in p.walk(of))

    def _value(self, e: p.Num | p.List, whole: bool) -> int:
        match e:
            case p.Call(after=int(after)):
                tried = (self._cost_of(n) for n in (after, e.function))
                return 2 + self._size // COPIED + sum(cost for cost in tried if whole or cost < LIGHT)
            case p.Call() | p.ListCall():
                cost = self._cost_of(e.function)
                return 2 + (cost if whole or cost < LIGHT else 0)
            case p.SumRange() | p.CountRange() | p.AnyRange():
                return 1 + e.many // 8  # done at once
            case p.InList():
                return 1 + e.of.longest // 8
            case p.Noted():
                return LOOKED_UP
        return 1

    # counting ----------------------------------------------------------------------------------------------

    def _counted(self, body: Body) -> tuple[int, Body]:
        """Return what a body costs that it does not count, and the body."""
        lump, out = 0, list[Statement]()
        for s in body:
            most = self._most_of(s)
            if most < (SMALL if isinstance(s, p.If | p.Once | p.OnceNum) else LIGHT):
                lump += most
                out.append(s)
                continue
            lump += self._own(s, whole=False)
            match s:
                case p.If():
                    s = replace(s, then=self.settled(s.then), other=self.settled(s.other))
                case p.Once() | p.OnceNum() | p.While():
                    s = replace(s, body=self.settled(s.body))
                case p.Score() | p.Tell() | p.Show():
                    more, inside = self._counted(s.body)
                    lump += more
                    s = replace(s, body=inside)
                case p.ForRange() | p.ForList():
                    more, inside = self._counted(s.body)
                    times = _times(s)
                    if more >= SMALL or times is None:
                        inside = (Tally(1 + more), *inside)
                    elif isinstance(times, p.Const):
                        lump += times.value * (1 + more)
                    else:
                        out.append(Tally(1 + more, times))
                    s = replace(s, body=inside)
                case p.Do() if self._cost_of(s.function) < LIGHT:
                    lump += self._cost_of(s.function)
            out.append(s)
        return lump, tuple(out)


def _passes(loop: p.ForRange | p.ForList) -> int:
    """Return how many passes a loop has, at most."""
    if isinstance(loop, p.ForList):
        return loop.of.longest
    return max(0, loop.stop.hi - loop.start.lo if loop.step > 0 else loop.start.hi - loop.stop.lo)


def _times(loop: p.ForRange | p.ForList) -> p.Num | None:
    """Return how many passes a loop has, unless it is left early or goes in large steps; None if that is not known before it."""
    if any(isinstance(e, p.Call | p.ListCall) for of in p.operands(loop) for e in p.walk(of)):
        return None  # nothing is worked out twice
    if isinstance(loop, p.ForList):
        if isinstance(loop.of, p.ListConst):
            return p.const(loop.of.longest)
        return None if loop.grows else p.Len(loop.of, 0, loop.of.longest)
    first, last = (loop.start, loop.stop) if loop.step > 0 else (loop.stop, loop.start)
    return p.extreme("max", p.ZERO, p.subtract(last, first))
