"""Numbers put in the place of locals, and what is known then worked out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from interpreter.compile import program as p
from interpreter.compile.program import Body, List, Num, Statement, Var


def with_changed_body(block: p.Block, change: Callable[[Body], Body]) -> p.Block:
    """Return a block with its body changed; the test at its end is lent to the body, since it reads what the body sets."""
    if not isinstance(block.end, p.Branch):
        return replace(block, body=change(block.body))
    *body, last = change((*block.body, p.Return(block.end.test)))
    if not isinstance(last, p.Return) or last.value is None or p.is_list(last.value):
        return block
    return replace(block, body=tuple(body), end=replace(block.end, test=last.value))  # type: ignore[arg-type]


def with_bodies(s: Statement, bodies: Sequence[Body]) -> Statement:
    """Return a statement with other bodies inside it."""
    if not bodies or all(a is b for a, b in zip(bodies, p.inner(s), strict=True)):
        return s
    if isinstance(s, p.If):
        return replace(s, then=bodies[0], other=bodies[1])
    assert isinstance(s, p.ForRange | p.ForList | p.While | p.Once | p.OnceNum | p.Score | p.Tell | p.Show)
    return replace(s, body=bodies[0])


def choice(test: Num, then: Num, other: Num) -> Num:
    """Return one of two numbers, as a condition where it is one."""
    if then == p.ONE and is_condition(other):
        return p.either(test, other)
    if then == p.ZERO and is_condition(other):
        return p.both(p.negate(test), other)
    if other == p.ZERO and is_condition(then):
        return p.both(test, then)
    return p.select(test, then, other)


def is_condition(e: Num) -> bool:
    """Return whether e says yes or no."""
    return (e.lo, e.hi) == (0, 1) or e in (p.ZERO, p.ONE)


@dataclass(frozen=True, slots=True)
class Fold:
    """Puts numbers in the place of locals, and works out what is known then."""

    values: Mapping[int, Num]
    tables: tuple[Any, ...]
    shared: Mapping[Num, Num] = field(default_factory=dict)  # what stands for whole expressions

    def body(self, body: Body) -> Body:
        out: list[Statement] = []
        for s in body:
            out += self.statement(s)
        return tuple(out)

    def statement(self, s: Statement) -> Body:
        if isinstance(s, p.If):
            test = self.num(s.test)
            if isinstance(test, p.Const):
                return self.body(s.then if test.value else s.other)
            return (p.If(test, self.body(s.then), self.body(s.other)),)
        (s,) = self.own(s)
        return (with_bodies(s, [self.body(inner) for inner in p.inner(s)]),)

    def own(self, s: Statement) -> tuple[Statement]:
        """Return a statement with numbers put into what it reads itself."""
        bodies = p.inner(s)
        changed = {}
        for f in fields(s):
            old = getattr(s, f.name)
            if not isinstance(old, int) and not any(old is body for body in bodies):
                new = self.part(old) if f.name != "var" and f.name != "vars" else old
                if new is not old:
                    changed[f.name] = new
        return (replace(s, **changed),) if changed else (s,)

    def part(self, x: Any) -> Any:
        if isinstance(x, tuple):
            new = tuple(self.part(y) for y in x)
            return new if any(a is not b for a, b in zip(new, x, strict=True)) else x
        if isinstance(x, p.Line):
            line = replace(x, args=self.part(x.args), points=self.num(x.points), shown=self.part(x.shown))
            return line if line != x else x
        if isinstance(x, NUMS):
            return self.num(x)
        return self.list(x) if p.is_list(x) else x

    def list(self, e: List) -> List:
        match e:
            case p.ListCell():
                index = self.num(e.index)
                return e if index is e.index else replace(e, index=index)
            case p.ListCall():
                args = self.part(e.args)
                return e if args is e.args else replace(e, args=args)
            case _:
                return e

    def num(self, e: Num) -> Num:
        match e:
            case p.Const():
                return e
            case Var():
                return self.values.get(e.number, e)
            case p.Bin() | p.Load() | p.Cell() | p.Cmp() | p.Within() | p.Select() | p.Item() | p.Len() if (
                self.shared and e in self.shared
            ):
                return self.shared[e]
            case p.And() | p.Or():
                end = p.ZERO if isinstance(e, p.And) else p.ONE
                parts: list[Num] = []
                for part in e.parts:
                    parts.append(self.num(part))
                    if parts[-1] == end:
                        break
                if len(parts) == len(e.parts) and all(a is b for a, b in zip(parts, e.parts, strict=True)):
                    return e
                return (p.both if isinstance(e, p.And) else p.either)(*parts)
            case p.Select():
                test = self.num(e.test)
                if isinstance(test, p.Const):
                    return self.num(e.then if test.value else e.other)
                then, other = self.num(e.then), self.num(e.other)
                if test is e.test and then is e.then and other is e.other:
                    return e
                return choice(test, then, other)
        old = p.parts(e)
        new = tuple(self.list(x) if p.is_list(x) else self.num(x) for x in old)  # type: ignore[arg-type]
        return e if all(a is b for a, b in zip(new, old, strict=True)) else self.made(e, new)

    def made(self, e: Num, parts: tuple[Any, ...]) -> Num:
        """Return a node with other parts."""
        match e:
            case p.Known():
                return _known(e, parts[0])
            case p.Load() | p.SumRange() | p.AnyRange():
                return replace(e, at=parts[0])
            case p.CountRange():
                return replace(e, at=parts[0], value=parts[1])
            case p.Cell():
                index = parts[0]
                if isinstance(index, p.Const) and self.tables and 0 <= index.value < len(self.tables[e.table]):
                    return p.const(self.tables[e.table][index.value])
                return replace(e, index=index)
            case p.Bin():
                return _bin(e, *parts)
            case p.Cmp():
                return p.compare(e.op, *parts)
            case p.Within():
                return p.within(parts[0], e.low, e.high)
            case p.Not():
                return p.negate(parts[0])
            case p.Call():
                return replace(e, args=parts)
            case p.Len():
                return replace(e, of=parts[0])
            case p.Item():
                return replace(e, of=parts[0], index=parts[1])
            case p.InList():
                return replace(e, item=parts[0], of=parts[1])
            case _:
                raise AssertionError(e)


SHARED = (p.Bin, p.Load, p.Cell, p.Cmp, p.Select)  # that something may stand for
NUMS = (
    p.Const, Var, p.Known, p.Load, p.Cell, p.Bin, p.Cmp, p.Within, p.Not, p.And, p.Or, p.Select, p.SumRange, p.CountRange,
    p.AnyRange, p.Call, p.Len, p.Item, p.InList,
)  # fmt: skip


def _known(e: p.Known, of: Num) -> Num:
    lo, hi = max(of.lo, e.lo), min(of.hi, e.hi)
    if lo > hi:  # it is never looked at
        return p.const(e.lo)
    return of if (lo, hi) == (of.lo, of.hi) else p.Known(of, lo, hi, e.why)


def _bin(e: p.Bin, left: Num, right: Num) -> Num:
    match e.op:
        case "+":
            return p.add(left, right)
        case "-":
            return p.subtract(left, right)
        case "*":
            return p.multiply(left, right)
        case "/":
            return p.divide(left, right) if right != p.ZERO else replace(e, left=left)
        case "%":
            return p.remainder(left, right) if right != p.ZERO else replace(e, left=left)
        case _:
            return p.extreme(e.op, left, right)
