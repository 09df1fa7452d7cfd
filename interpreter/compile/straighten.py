"""A pass for C: fewer branches. What is cheap and can be worked out anywhere is, and a test picks among the results.

A processor guesses where a branch goes. Whether a choice is legal is as good as random, so every other guess
is wrong, and costs more than the few instructions that a branch would have saved.

- A test inside a test becomes one: `if a: x = …; if b: …` is `x = …; if a and b: …`.
- `if a: v = x` is `v = x if a else v`.
- A short loop over known values that ends at the first that passes goes through all of them, the last one first.
- `if n > 0: move n` is `move n`, where moving 0 changes nothing.

What only a test makes safe is held to the range that the test would show: where the test does not hold, the result is
some number that nobody looks at.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from interpreter.compile import program as p
from interpreter.compile.fold import Fold
from interpreter.compile.program import Body, List, Num, Program, Set, Statement, Var
from interpreter.compile.total import Facts, is_total, shown_by

CHEAP = 40  # nodes of what is worked out whether it is needed or not
SHORT = 8  # passes of a loop that goes on to its end,
LOOP = 320  # and nodes of all its passes
STORES = 4  # numbers of the state that are written whether they change or not
NARROW = 8  # numbers of a stretch of the state that is cheap to go through


def straighten(program: Program) -> Program:
    """Return the program with fewer branches."""
    return _Straightener(program).program()


class _Straightener:
    def __init__(self, program: Program) -> None:
        self.before = program
        self.tables: dict[Any, int] = {rows: i for i, rows in enumerate(program.tables)}
        self.places: dict[int, int] = {}  # in how many places a local gets its value,
        self.named: Counter[int] = Counter()  # and where it is named at all

    def program(self) -> Program:
        functions = tuple(replace(f, body=self.whole(f.body, f.parameters)) for f in self.before.functions)
        blocks = tuple(replace(b, body=self.whole(b.body)) for b in self.before.blocks)
        decisions = {n: replace(d, before=self.whole(d.before)) for n, d in self.before.decisions.items()}
        return replace(self.before, functions=functions, blocks=blocks, decisions=decisions, tables=tuple(self.tables))

    def whole(self, body: Body, parameters: tuple[Any, ...] = ()) -> Body:
        """Return the body of a function, block or decision."""
        self.places, self.named = {}, _named(body)
        for s in p.statements(body):
            for v in p.assigned(s):
                self.places[v.number] = self.places.get(v.number, 0) + 1
        return self.body(body, {v.number for v in parameters})

    def body(self, body: Body, defined: set[int]) -> Body:
        """Return a body where these locals have values."""
        defined = set(defined)
        out: list[Statement] = []
        for s in body:
            for made in self.statement(s, defined, out):
                self.add(made, out)
            defined |= {v.number for v in p.assigned(s)}
        return tuple(out)

    def add(self, s: Statement, out: list[Statement]) -> None:
        """Add a statement; `v = a; v = v and b` is `v = a and b`."""
        if isinstance(s, Set) and _reads(s.value, {s.var.number}):
            between: set[int] = set()
            for i in range(len(out) - 1, -1, -1):
                match out[i]:
                    case Set(var=v, value=a) if v == s.var:
                        value = _replaced(s.value, v, a)
                        if value is not None and is_free(value) and not _reads(a, between):
                            del out[i]
                            self.places[v.number] -= 1
                            s = Set(v, value)
                        break
                    case Set(var=other, value=e) if not _reads(e, {s.var.number}):
                        between.add(other.number)
                    case _:
                        break
        if isinstance(s, p.If) and is_free(s.test) and len(s.then) == 1 and isinstance(s.then[0], p.Return):
            s = self._leaving(s, out)
        out.append(s)

    def _leaving(self, s: p.If, out: list[Statement]) -> p.If:
        """Join `if a: return 0` with one before it into one test, if everything in between may be done needlessly."""
        between: list[Statement] = []
        for i in range(len(out) - 1, -1, -1):
            match out[i]:
                case p.If(test=test, then=then, other=()) if then == s.then and is_free(test):
                    if cost(test) + cost(s.test) + sum(map(_cost_of, between)) > 3 * CHEAP:
                        return s
                    out[i:] = between
                    return replace(s, test=p.either(test, s.test))
                case one if (moved := _harmless(one)) is not None:  # nothing is read after leaving
                    between.insert(0, moved)
                case _:
                    return s
        return s

    def statement(self, s: Statement, defined: set[int], before: list[Statement]) -> list[Statement]:
        match s:
            case p.If():
                own = {n for n, many in _named(s.then).items() if many == self.named[n]}
                made = replace(s, then=self.body(s.then, defined), other=self.body(s.other, defined))
                return self.branch(made, own, defined, before)
            case p.ForRange() | p.ForList():
                names = {v.number for v in p.assigned(s)}
                return self.loop(replace(s, body=self.body(s.body, defined | names)))
            case p.While() | p.Score() | p.Tell() | p.Show():
                return [replace(s, body=self.body(s.body, defined))]
            case p.Once() | p.OnceNum():
                return [replace(s, body=self.body(s.body, defined))]
            case _:
                return [s]

    # tests -----------------------------------------------------------------------------------------------

    def branch(self, s: p.If, own: set[int], defined: set[int], before: list[Statement]) -> list[Statement]:
        """Return a test without other branches inside it, as far as possible; only what it guards knows its `own` locals."""
        if not is_free(s.test):
            return [s]
        if s.other:
            return self._either(s)
        lead: list[Statement] = []
        rest = list(s.then)
        test = s.test
        while True:
            while rest and (moved := self._moved(rest[0], own)) is not None:
                lead.append(moved)
                rest.pop(0)
            match rest:
                case [p.If(test=inner, other=()) as one] if (sure := settled(inner)) is not None:
                    test, rest = p.both(test, sure), list(one.then)
                case _:
                    break
            if cost(test) + sum(map(_cost_of, lead)) > 4 * CHEAP:
                return [s]
        if sum(map(_cost_of, lead)) > 3 * CHEAP:
            return [s]
        straight = self._without(test, rest, defined, [*before, *lead])
        if straight is not None:
            return [*lead, *straight]
        if test == s.test and not (lead and len(rest) == 1 and isinstance(rest[0], p.Push)):
            return [s]  # nothing was gained
        return [*lead, p.If(test, tuple(rest))]

    def _moved(self, s: Statement, own: set[int]) -> Statement | None:
        """Return a statement in a form that is harmless where it is not needed, if there is one."""
        given = {v.number for x in p.statements((s,)) for v in p.assigned(x)}
        return _harmless(s) if all(n in own or self.places[n] == 1 for n in given) else None

    def _either(self, s: p.If) -> list[Statement]:
        """`if a: v = x; else: v = y`."""
        match s.then, s.other:
            case (Set(var=v, value=a),), (Set(var=w, value=b),) if v == w:
                then, other = settled(a), settled(b)
                if then is not None and other is not None:
                    return [Set(v, _select(s.test, then, other))]
        return [s]

    def _without(
        self, test: Num, rest: list[Statement], defined: set[int], before: list[Statement]
    ) -> list[Statement] | None:
        """Return as many statements, which change nothing where the test does not hold; None if there are no such ones."""
        changed: set[int] = set()
        of_test = {x.number for x in p.walk(test) if isinstance(x, Var)}
        out: list[Statement] = []
        stores = 0
        for s in rest:
            if of_test & changed:
                return None
            match s:
                case Set(var=v, value=e) if v.number in defined and (sure := settled(e)) is not None:
                    out.append(Set(v, _select(test, sure, v)))
                    changed.add(v.number)
                case p.Store(at=at, value=e) if is_free(e) and is_free(at):
                    stores += 1
                    value = self._same(test, at, e, [*before, *out])
                    if value is None:
                        return None
                    out.append(p.Store(at, value))
                case _:
                    return None
        return out if stores <= STORES else None

    def _same(self, test: Num, at: Num, value: Num, before: list[Statement]) -> Num | None:
        """Return what to store whether the test holds or not, if moving nothing changes nothing; else None."""
        match test:
            case p.Cmp(op=">", left=Var() as n, right=p.Const(value=0)) if n.lo >= 0:
                if value == p.ZERO:
                    return p.ZERO if _holds(at, n, before) else None
                here = _with_zero(value, n)
                return value if isinstance(here, p.Load) and here.at == at else None
        return None

    # loops -----------------------------------------------------------------------------------------------

    def loop(self, s: p.ForRange | p.ForList) -> list[Statement]:
        """Return a short loop that ends at the first match, as one that goes through all of them, the last one first."""
        passes = _passes(s)
        if not s.body or passes is None or passes > SHORT:
            return [s]
        *lead, last = s.body
        if not isinstance(last, p.If) or last.other or not last.then or not isinstance(last.then[-1], p.Break):
            return [s]
        found = last.then[:-1]
        if not all(isinstance(x, Set) and is_free(x.value) for x in (*lead, *found)) or not is_free(last.test):
            return [s]
        own = {x.var.number for x in lead if isinstance(x, Set)}
        given = {x.var.number for x in found if isinstance(x, Set)}
        asked = [last.test, *(x.value for x in (*lead, *found) if isinstance(x, Set))]
        if own & given or any(self.places[n] > 1 for n in own) or any(_reads(e, given) for e in asked):
            return [s]
        changing = own | {v.number for v in p.assigned(s)}
        if sum(passes * cost(e) if _reads(e, changing) else cost(e) for e in asked) > LOOP:
            return [s]
        body = (*lead, *(Set(x.var, _select(last.test, x.value, x.var)) for x in found if isinstance(x, Set)))
        return [self._from_the_last(s, body)]

    def _from_the_last(self, s: p.ForRange | p.ForList, body: Body) -> Statement:
        if isinstance(s, p.ForRange):
            assert isinstance(s.start, p.Const) and isinstance(s.stop, p.Const)
            values = range(s.start.value, s.stop.value, s.step)
            return replace(s, start=p.const(values[-1]), stop=p.const(values[0] - s.step), step=-s.step, body=body)
        assert isinstance(s.of, p.ListConst)
        rows = tuple(reversed(next(rows for rows, n in self.tables.items() if n == s.of.table)))
        table = self.tables.setdefault(rows, len(self.tables))
        return replace(s, of=replace(s.of, table=table), body=body)


def _named(body: Body) -> Counter[int]:
    """Return how often each local is named."""
    found: Counter[int] = Counter()
    for s in p.statements(body):
        found.update(v.number for v in p.assigned(s))
        found.update(x.number for e in p.operands(s) for x in p.walk(e) if isinstance(x, Var))
    return found


def _passes(s: p.ForRange | p.ForList) -> int | None:
    """Return how many passes a loop has, if that is known."""
    match s:
        case p.ForRange(start=p.Const() as start, stop=p.Const() as stop):
            return len(range(start.value, stop.value, s.step))
        case p.ForList(of=p.ListConst() as of):
            return of.longest
        case _:
            return None


def _reads(e: Num, numbers: set[int]) -> bool:
    return any(isinstance(x, Var) and x.number in numbers for x in p.walk(e))


def _select(test: Num, then: Num, other: Num) -> Num:
    """Return a choice, as a sum or a condition where it is one."""
    if then == p.ONE and _is_condition(other):
        return p.either(other, test)
    if then == p.ZERO and _is_condition(other):
        return p.both(other, p.negate(test))
    if test == other and _is_condition(then):  # v = a; if v: v = b
        return p.both(test, then)
    if p.negate(test) == other and _is_condition(then):
        return p.either(other, then)
    match then:
        case p.Bin(op="+", left=left, right=right) if left == other and right == p.ONE:
            return p.Bin("+", other, test, then.lo, then.hi)
    return p.Select(test, then, other, min(then.lo, other.lo), max(then.hi, other.hi))


def _is_condition(e: Num) -> bool:
    return e.lo >= 0 and e.hi <= 1


def _replaced(e: Num, v: Var, by: Num) -> Num | None:
    """Return a condition with a local in it replaced; None where it is deeper inside, unless the value is known."""
    if isinstance(by, p.Const):
        return Fold({v.number: by}, ()).num(e)
    match e:
        case Var():
            return by if e == v else e
        case p.And() | p.Or():
            parts = [_replaced(part, v, by) for part in e.parts]
            if any(part is None for part in parts):
                return None
            return (p.both if isinstance(e, p.And) else p.either)(*(part for part in parts if part is not None))
        case _:
            return None if _reads(e, {v.number}) else e


def _holds(at: Num, n: Var, before: list[Statement]) -> bool:
    """Return whether a local is what the state holds at an address, after these statements."""
    for s in reversed(before):
        match s:
            case Set(var=v, value=value) if v == n:
                return isinstance(value, p.Load) and value.at == at
            case Set():
                if _reads(at, {s.var.number}):
                    return False
            case _:
                return False
    return False


def _with_zero(e: Num, n: Var) -> Num:
    """Return e where a local is 0, as far as that makes it simpler."""
    match e:
        case Var():
            return p.ZERO if e == n else e
        case p.Bin(op="+"):
            return p.add(_with_zero(e.left, n), _with_zero(e.right, n))
        case p.Bin(op="-"):
            right = _with_zero(e.right, n)
            return _with_zero(e.left, n) if right == p.ZERO else e
        case _:
            return e


def is_free(e: Num | List) -> bool:
    """Return whether e is cheap, and can be worked out where it is not needed."""
    return cost(e) <= CHEAP and is_total(e)


def settled(e: Num) -> Num | None:
    """Return e in a form that can be worked out even where it is not needed, as cheap and with the same result.

    None if there is no such form.
    """
    if cost(e) > CHEAP:
        return None
    sure = e if is_total(e) else _held(e, ())
    return sure if cost(sure) <= CHEAP and is_total(sure) else None


def _held(e: Num, facts: Facts) -> Num:
    """Return e with every number that only a test outside has shown to lie in a range held to that range."""
    match e:
        case p.Known():
            of = _held(e.of, facts)
            if is_total(replace(e, of=e.of), facts):
                return replace(e, of=of)
            return p.extreme("max", p.extreme("min", of, p.const(e.hi)), p.const(e.lo))
        case p.Select():
            then, other = facts + shown_by(e.test, True), facts + shown_by(e.test, False)
            return replace(e, test=_held(e.test, facts), then=_held(e.then, then), other=_held(e.other, other))
        case p.And() | p.Or():
            parts = []
            for part in e.parts:
                parts.append(_held(part, facts))
                facts += shown_by(part, isinstance(e, p.And))
            return replace(e, parts=tuple(parts))
        case p.Load() | p.SumRange() | p.AnyRange():
            return replace(e, at=_held(e.at, facts))
        case p.CountRange():
            return replace(e, at=_held(e.at, facts), value=_held(e.value, facts))
        case p.Cell():
            return replace(e, index=_held(e.index, facts))
        case p.Bin() | p.Cmp():
            return replace(e, left=_held(e.left, facts), right=_held(e.right, facts))
        case p.Within() | p.Not():
            return replace(e, of=_held(e.of, facts))
        case _:
            return e


def _harmless(s: Statement) -> Statement | None:
    """Return a statement that only gives locals their values, in a form that is harmless where it is not needed.

    None if it is another kind of statement, or expensive.
    """
    match s:
        case Set():
            value = settled(s.value)
            return None if value is None else Set(s.var, value)
        case p.ForRange() | p.ForList() if (_passes(s) or SHORT + 1) <= SHORT and _cost_of(s) <= LOOP:
            body = [_harmless(x) for x in s.body]
            return None if None in body else replace(s, body=tuple(x for x in body if x is not None))
        case _:
            return None


def _cost_of(s: Statement) -> int:
    """Return how much work a statement is that only gives locals their values."""
    if isinstance(s, p.ForRange | p.ForList):
        return (_passes(s) or 1000) * sum(map(_cost_of, s.body))
    return sum(cost(e) for e in p.operands(s))


def cost(e: Num | List) -> int:
    """Return how much work e is: nodes, or far too many."""
    match e:
        case p.Call() | p.ListCall() | p.InList() | p.Len() | p.Item():
            return 1000
        case p.SumRange() | p.CountRange() if e.many > NARROW:
            return 1000
        case p.AnyRange() if e.many * e.width > NARROW:
            return 1000
        case p.SumRange() | p.CountRange():
            return e.many + sum(cost(part) for part in p.parts(e))
        case p.AnyRange():
            return e.many * e.width + cost(e.at)
        case p.Bin(op="/" | "%") if not isinstance(e.right, p.Const):
            return 1000  # only a test before it may keep the divisor from being 0
        case p.Bin(op="/" | "%"):
            return 8 + cost(e.left)
        case p.Const() | Var():
            return 1
        case _:
            return 1 + sum(cost(part) for part in p.parts(e))
