"""Checks that hold for every program, whatever made it: types, ranges, names that have a value, tests that come first.

A program that passes can be printed without further thought: no address lies outside of the state, no index outside of
its table or list, no number where 32 bits do not hold it, and nothing is worked out that a test should have kept away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeGuard

from interpreter.compile import program as p
from interpreter.compile.program import Body, List, ListVar, Num, Program, Statement, Var
from interpreter.compile.tabulate import is_plain, value_of
from interpreter.compile.total import Facts, is_known, shown_by

SMALL = 2**31 - 1  # what a number of the state, a list or a function is at most, and minus it at least
LARGE = 2**62  # what one on its way there is
Rows = tuple[tuple[int, ...], ...]
EFFECTS = (p.Store, p.Keep, p.Clear, p.Shift, p.Remember, p.Do)
READS = (p.Load, p.SumRange, p.CountRange, p.AnyRange, p.Call, p.Noted, p.ListCall, p.ListFrame, p.ListSlots)


def verify(program: Program) -> Iterator[str]:
    """Yield what is wrong with a program; nothing for a good one."""
    yield from _tables(program)
    whole = _Whole(program)
    for f in program.functions:
        yield from (f"f{f.number}: {wrong}" for wrong in _function(f, whole))
    for number, block in enumerate(program.blocks):
        yield from (f"b{number}: {wrong}" for wrong in _block(number, block, whole))


def _tables(program: Program) -> Iterator[str]:
    """Check that each table holds numbers, or rows of numbers."""
    for i, rows in enumerate(program.tables):
        flat = [x for row in rows for x in (row if isinstance(row, tuple) else (row,))]
        if len({isinstance(row, tuple) for row in rows}) > 1 or any(abs(x) > SMALL for x in flat):
            yield f"table {i} is none"


def _function(f: p.Function, whole: _Whole) -> Iterator[str]:
    check = _Check(whole, f)
    after = check.body(f.body, Scope(whole.uses, frozenset(v.number for v in f.parameters)), loop=False)
    yield from check.wrong
    if after is not None and f.result != "nothing":
        yield f"it does not always give a {f.result}"


def _block(number: int, block: p.Block, whole: _Whole) -> Iterator[str]:
    program = whole.program
    check = _Check(whole, None)
    scope = check.body(block.body, Scope(whole.uses, frozenset()), loop=False)
    blocks = _goes_to(block.end)
    if scope is None:  # it ends with a fault
        yield from check.wrong
        return
    if isinstance(block.end, p.Wait) != (number in program.decisions):
        check.say("it waits for no decision")
    elif isinstance(block.end, p.Wait):
        blocks = check.decision(program.decisions[number], scope)
    elif isinstance(block.end, p.Branch):
        check.value(block.end.test, scope, is_list=False)
    elif isinstance(block.end, p.GoBack):
        check.slots(block.end.slot, 1)
    if any(not 0 <= b < len(program.blocks) for b in blocks):
        check.say(f"it goes to {blocks}, which are not all there")
    yield from check.wrong


def _goes_to(end: p.Ending) -> tuple[int, ...]:
    match end:
        case p.Goto():
            return (end.block,)
        case p.Branch():
            return (end.then, end.other)
    return ()


class Uses:
    """The locals and readings of expressions: found once for each, since the same ones are asked about at every statement after them."""

    def __init__(self) -> None:
        self._found: dict[
            int, tuple[Num | List, frozenset[int], bool, frozenset[Num]]
        ] = {}  # by identity; each is kept alive

    def locals_in(self, e: Num | List) -> frozenset[int]:
        """Return the numbers of the locals in e."""
        return self._of(e)[1]

    def reads(self, e: Num | List) -> bool:
        """Return whether e depends on the state."""
        return self._of(e)[2]

    def names(self, e: Num | List) -> frozenset[Num]:
        """Return the locals and kept names in e that are numbers."""
        return self._of(e)[3]

    def _of(self, e: Num | List) -> tuple[Num | List, frozenset[int], bool, frozenset[Num]]:
        found = self._found.get(id(e))
        if found is None:
            inside = [self._of(part) for part in p.parts(e)]
            numbers = frozenset({e.number}) if isinstance(e, Var | ListVar) else frozenset[int]()
            names = frozenset[Num]({e}) if isinstance(e, Var) or _is_kept(e) else frozenset[Num]()
            reads = isinstance(e, READS) or any(part[2] for part in inside)
            if inside:
                numbers = numbers.union(*(part[1] for part in inside))
                names = names.union(*(part[3] for part in inside))
            found = self._found[id(e)] = (e, numbers, reads, names)
        return found


@dataclass(frozen=True)
class Scope:
    """Knowledge at a place of a body: the locals that have a value, what tests have shown, what locals mean."""

    uses: Uses
    defined: frozenset[int]
    facts: Facts = ()
    tested: tuple[tuple[Num, bool], ...] = ()  # all tests around, and whether they hold
    seen: frozenset[Num] = frozenset()  # locals and kept names that tests have looked at before the state changed
    means: tuple[tuple[int, Num], ...] = ()  # locals with the expression they were given
    rows: tuple[tuple[tuple[Var, ...], Rows], ...] = ()  # locals that go through the rows of a table together

    def knowing(self, test: Num, holds: bool) -> Scope:
        """Return the scope where a test holds, or where it does not."""
        if isinstance(test, p.And if holds else p.Or):
            scope = self
            for part in test.parts:
                scope = scope.knowing(part, holds)
            return scope
        means = self.meaning(test)
        facts = shown_by(test, holds) + (shown_by(means, holds) if means != test else ())
        seen = self.seen.union(*map(self.uses.names, self._behind([test, means])))
        tested = (*self.tested, (test, holds), (means, holds))
        return Scope(self.uses, self.defined, self.facts + facts, tested, seen, self.means, self.rows)

    def looked_at(self) -> list[Num]:
        """Return all that tests look at: themselves, and what the locals in them stand for."""
        return [*self.seen, *self._behind([test for test, _ in self.tested])]

    def _behind(self, waiting: list[Num]) -> list[Num]:
        """Return expressions, and what the locals in them stand for."""
        found: list[Num] = []
        means = dict(self.means)
        while waiting:
            found.append(waiting.pop())
            waiting += [means.pop(n) for n in self.uses.locals_in(found[-1]) if n in means]
        return found

    def in_rows(self, e: p.Known) -> bool:
        """Return whether something is known of every row of a table that passes the tests around."""
        for names, table in self.rows:
            numbers = {v.number: i for i, v in enumerate(names)}
            locals_in = self.uses.locals_in
            if locals_in(e.of) <= numbers.keys() and is_plain(e.of):
                tests = [(t, holds) for t, holds in self.tested if locals_in(t) <= numbers.keys() and is_plain(t)]
                passing = [row for row in table if all(bool(value_of(t, numbers, row)) == holds for t, holds in tests)]
                return all(e.lo <= value_of(e.of, numbers, row) <= e.hi for row in passing)
        return False

    def meaning(self, test: Num) -> Num:
        """Return a test with what the locals in it that are tests stand for."""
        match test:
            case Var():
                return next((self.meaning(e) for number, e in self.means if number == test.number), test)
            case p.Not():
                return replace(test, of=self.meaning(test.of))
            case p.And() | p.Or():
                return replace(test, parts=tuple(map(self.meaning, test.parts)))
        return test

    def with_value(self, v: Var | ListVar, value: Num | List | None = None) -> Scope:
        """Return the scope after a local got a value; what was known of it is not known any more."""
        scope = self.without({v.number}, effects=False)
        means = scope.means
        if isinstance(v, Var) and value is not None and v.number not in self.uses.locals_in(value):
            means = (*means, (v.number, value))  # type: ignore[arg-type]
        return Scope(self.uses, self.defined | {v.number}, scope.facts, scope.tested, scope.seen, means, scope.rows)

    def without(self, locals_: set[int], effects: bool) -> Scope:
        """Return the scope without what depends on these locals, or on the state if that has changed."""

        def stays(e: Num | List) -> bool:
            return self.uses.locals_in(e).isdisjoint(locals_) and not (effects and self.uses.reads(e))

        return Scope(
            self.uses,
            self.defined,
            tuple([f for f in self.facts if stays(f.of)]),
            tuple([(t, holds) for t, holds in self.tested if stays(t)]),
            frozenset([v for v in self.seen if self.uses.locals_in(v).isdisjoint(locals_)]) if locals_ else self.seen,
            tuple([(n, e) for n, e in self.means if n not in locals_ and stays(e)]),
            self.rows,
        )

    def meeting(self, other: Scope) -> Scope:
        """Return what is known where two paths join."""
        return Scope(
            self.uses,
            self.defined & other.defined,
            tuple(f for f in self.facts if f in other.facts),
            tuple(t for t in self.tested if t in other.tested),
            self.seen & other.seen,
            tuple(m for m in self.means if m in other.means),
            self.rows,
        )


class _Whole:
    """A program, and what checks of all its parts ask for."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.uses = Uses()
        self.functions = {f.number: f for f in program.functions}
        self.branches = _kept_and_tested(program)


class _Check:
    """Goes through the statements of a function or block in their order."""

    def __init__(self, whole: _Whole, function: p.Function | None) -> None:
        self.program = whole.program
        self.function = function
        self.functions = whole.functions
        self.branches = whole.branches
        self.wrong: list[str] = []
        self._ranges: dict[int, Var | ListVar] = {}

    def say(self, what: str) -> None:
        self.wrong.append(what)

    # statements ------------------------------------------------------------------------------------------

    def body(self, body: Body, scope: Scope, loop: bool) -> Scope | None:
        """Check a body; return what is known after it, None where nothing comes after it."""
        for s in body:
            after = self.statement(s, scope, loop)
            if after is None:
                return None  # what comes after it is never done
            scope = after
        return scope

    def statement(self, s: Statement, scope: Scope, loop: bool) -> Scope | None:
        if not isinstance(s, p.Score | p.Tell | p.Show):
            for e in p.operands(s):
                self.value(e, scope, is_list=p.is_list(e))
        match s:
            case p.Set():
                self.covers(s.var, s.value, s)
                return scope.with_value(s.var, s.value)
            case p.SetList():
                self.covers(s.var, s.value, s)
                if s.var.longest < s.value.longest or s.var.width != s.value.width:
                    self.say(f"{_short(s)} does not fit its list")
                return scope.with_value(s.var)
            case p.NewList():
                if s.zeros > s.var.longest or (s.zeros and s.var.lo > 0):
                    self.say(f"{_short(s)} does not fit its list")
                return scope.with_value(s.var)
            case p.Push():
                self.known_list(s.var, scope)
                if len(s.values) != s.var.width:
                    self.say(f"{_short(s)} has not {s.var.width} values")
                for i, value in enumerate(s.values):
                    lo, hi = self._column(s.var, i)
                    self.covers(replace(s.var, lo=lo, hi=hi), value, s)
            case p.Put():
                self.known_list(s.var, scope)
                self.covers(s.var, s.value, s)
                self.inside(s.index, s.var.longest, s)
            case p.Ways():
                if len(s.counts) != s.var.width:
                    self.say(f"{_short(s)} has not {s.var.width} counts")
                return scope.with_value(s.var)
            case p.Store():
                self.inside(s.at, self.program.size, s)
                self.small(s.value, s)
                seen = frozenset(x for x in scope.seen if not (_is_kept(x) and s.at.lo <= x.at.lo <= s.at.hi))
                return replace(scope.without(set(), effects=True), seen=seen)
            case p.Keep() | p.Clear():
                many = s.many if isinstance(s, p.Clear) else s.value.longest + s.framed
                self.slots(s.at, many)
                return scope.without(set(), effects=True)
            case p.Shift():
                size = self.program.size
                if s.first.lo + min(0, s.by) < 0 or s.last.hi + max(0, s.by) >= size:
                    self.say(f"{_short(s)} may leave the state")
                return scope.without(set(), effects=True)
            case p.Remember():
                self.noted(s.stretches)
                self.fault(s.fault)
                return scope.without(set(), effects=True)
            case p.If():
                return self._if(s, scope, loop)
            case p.ForRange() | p.ForList() | p.While():
                return self._loop(s, scope)
            case p.Break() | p.Continue():
                if not loop:
                    self.say(f"{_short(s)} is in no loop")
                return None
            case p.Return():
                self._return(s)
                return None
            case p.Fail():
                self.fault(s.number)
                return None
            case p.Pass():
                self.fault(s.fault)
            case p.Once() | p.OnceNum():
                self.inside(s.index, s.size, s)
                after = self.body(s.body, scope, loop=False)
                if after is not None and s.var.number not in after.defined:
                    self.say(f"{_short(s)} gives no value")
                return scope.without(_assigned(s.body), _has_effects(s.body)).with_value(s.var)
            case p.Do():
                self.call(s.function, s.args, "nothing", s)
                return scope.without(set(), effects=True)
            case p.Group():
                for e in s.first:
                    self.small(e, s)
            case p.Score() | p.Tell() | p.Show():
                after = self.body(s.body, scope, loop=False)
                for e in p.operands(s):
                    self.value(e, after or scope, is_list=p.is_list(e))
        return scope

    def _if(self, s: p.If, scope: Scope, loop: bool) -> Scope | None:
        then = self.body(s.then, scope.knowing(s.test, True), loop)
        other = self.body(s.other, scope.knowing(s.test, False), loop)
        if then is None or other is None:
            return then or other
        return then.meeting(other)

    def _loop(self, s: p.ForRange | p.ForList | p.While, scope: Scope) -> Scope:
        outside = scope.without(_assigned((s,)), _has_effects(s.body))
        inside = outside
        if isinstance(s, p.While):
            self.value(s.test, outside, is_list=False)
            inside = outside.knowing(s.test, True)
        elif isinstance(s, p.ForRange):
            inside = outside.with_value(s.var).knowing(p.Cmp("!=", s.var, s.stop), True)
            first, last = self._range(s, scope)
            if first <= last and not (s.var.lo <= first and last <= s.var.hi):
                self.say(f"{_short(s)} goes past the range of its local")
        else:
            if len(s.vars) != s.of.width:
                self.say(f"{_short(s)} has not {s.of.width} locals")
            for i, v in enumerate(s.vars):
                inside = inside.with_value(v)
                lo, hi = self._column(s.of, i)
                if s.of.longest and not (v.lo <= lo and hi <= v.hi):
                    self.say(f"{_short(s)} goes past the range of its locals")
            if isinstance(s.of, p.ListConst):
                rows = tuple(r if isinstance(r, tuple) else (r,) for r in self.program.tables[s.of.table])
                inside = replace(inside, rows=((s.vars, rows), *inside.rows))
            if s.grows and not isinstance(s.of, ListVar):
                self.say(f"{_short(s)} cannot grow")
        self.body(s.body, inside, loop=True)
        return outside

    def _range(self, s: p.ForRange, scope: Scope) -> tuple[int, int]:
        """Return the first and the last number that a loop can reach."""
        if s.step < 0:
            return s.stop.lo + 1, s.start.hi
        stop = next((e for number, e in scope.means if s.stop == Var(number, e.lo, e.hi)), s.stop)
        match stop:
            case p.Bin(op="+", left=left, right=p.Const(value=many)) if left == s.start and many > 0:
                return s.start.lo, s.start.hi + (many - 1) // s.step * s.step
            case p.Const() if isinstance(s.start, p.Const):
                passes = range(s.start.value, stop.value, s.step)
                return s.start.value, passes[-1] if passes else s.start.value - 1
        return s.start.lo, s.stop.hi - 1

    def _column(self, of: List, column: int) -> tuple[int, int]:
        """Return the range of one column of rows."""
        if isinstance(of, p.ListConst) and of.width > 1:
            rows = [row[column] for row in self.program.tables[of.table]]  # type: ignore[index]
            return (min(rows), max(rows)) if rows else (0, 0)
        if isinstance(of, ListVar) and of.columns:
            return of.columns[column]
        return of.lo, of.hi

    def _return(self, s: p.Return) -> None:
        result = "nothing" if s.value is None else "list" if p.is_list(s.value) else "number"
        if self.function is None or self.function.result != result:
            self.say(f"{_short(s)} gives {result}")
        if s.value is not None:
            self.small(s.value, s)

    # decisions -------------------------------------------------------------------------------------------

    def decision(self, d: p.Decision, before: Scope) -> tuple[int, ...]:
        """Check what a block waits for; return the blocks that come after it."""
        scope = self.body(d.before, before, loop=False)
        if scope is None:
            return ()
        self.fault(d.endless)
        match d:
            case p.Ask():
                return self._ask(d, scope)
            case p.Draw():
                self.value(d.pile, scope, is_list=False)
                if d.only is not None:
                    self.value(d.only, scope, is_list=True)
                self.slots(d.left, 1)
                if d.pile.lo < 0 or d.pile.hi + max(d.slots, default=0) >= self.program.size:
                    self.say("the pile may be outside of the state")
                for kind in d.kinds:
                    self.call(d.take, (p.Const(kind),), "nothing", d)
                self.fault(d.too_few)
                return (d.after,)
            case p.Roll():
                self.value(d.rows, scope, is_list=True)
                self.slots(d.slot, 1)
                self.fault(d.nothing)
                return (d.after,)

    def _ask(self, d: p.Ask, scope: Scope) -> tuple[int, ...]:
        self.value(d.player, scope, is_list=False)
        blocks = [d.after, *([d.otherwise] if d.otherwise is not None else [])]
        for fault in (d.no_move, *([d.too_many] if d.too_many is not None else [])):
            self.fault(fault)
        for option in d.options:
            for e in (*option.given, *option.but):
                self.value(e, scope, is_list=p.is_list(e))
            given = (d.player, *option.given)
            self.call(option.legal, (*given, *option.but), "nothing", option)
            if option.play is not None:
                self.call(option.play, given, "nothing", option, chosen=True)
            else:
                blocks.append(option.entry)
                for slots in option.slots:
                    self.slots(slots.at, slots.many)
            if not 0 <= option.move < len(self.program.moves):
                self.say(f"there is no move {option.move}")
        return tuple(blocks)

    # numbers and lists -----------------------------------------------------------------------------------

    def value(self, e: Num | List, scope: Scope, is_list: bool) -> None:
        """Check an expression where it is worked out."""
        if p.is_list(e) != is_list:
            self.say(f"{_short(e)} is {'no ' if is_list else 'a '}list")
            return
        if not -LARGE <= e.lo <= e.hi <= LARGE:
            self.say(f"{_short(e)} may not fit")
        match e:
            case p.Select():
                self.value(e.test, scope, is_list=False)
                self.value(e.then, scope.knowing(e.test, True), is_list=False)
                self.value(e.other, scope.knowing(e.test, False), is_list=False)
                self._ranged(e, [(e.then.lo, e.then.hi), (e.other.lo, e.other.hi)])
                return
            case p.And() | p.Or():
                for part in e.parts:
                    self.value(part, scope, is_list=False)
                    scope = scope.knowing(part, isinstance(e, p.And))
                return
        for inner in p.parts(e):
            self.value(inner, scope, is_list=p.is_list(inner))
        self._node(e, scope)

    def _node(self, e: Num | List, scope: Scope) -> None:
        """Check one node whose parts are good."""
        match e:
            case Var() | ListVar():
                if e.number not in scope.defined:
                    self.say(f"{_short(e)} may have no value")
                if self._ranges.setdefault(e.number, e) != e:
                    self.say(f"{_short(e)} and {_short(self._ranges[e.number])} are one local")
            case p.Known():
                looked_at = [*scope.looked_at(), *self.branches]
                if not (is_known(e, scope.facts, looked_at) or scope.in_rows(e)):
                    self.say(f"{_short(e)} is not shown by any test")
            case p.Load():
                self.inside(e.at, self.program.size, e)
            case p.SumRange() | p.AnyRange():
                width = e.width if isinstance(e, p.AnyRange) else 1
                if e.at.lo < 0 or e.at.hi + (e.many - 1) * e.step + width > self.program.size:
                    self.say(f"{_short(e)} may read outside of the state")
            case p.CountRange():
                if e.at.lo < 0 or e.at.hi + e.many > self.program.size:
                    self.say(f"{_short(e)} may read outside of the state")
            case p.Cell():
                self._cell(e)
            case p.Bin():
                self._bin(e)
            case p.Call():
                self.call(e.function, e.args, "number", e)
                if e.after is not None:
                    self.call(e.after, e.args, "nothing", e)
            case p.Noted():
                self.noted(e.stretches)
            case p.Item():
                self.inside(e.index, e.of.longest, e)
                self._ranged(e, [(e.of.lo, e.of.hi)] if not isinstance(e.of, p.ListSlots) else [])
            case p.ListConst():
                rows = self.program.tables[e.table]
                widths = {len(r) if isinstance(r, tuple) else 1 for r in rows}
                if len(rows) != e.longest or not widths <= {e.width}:
                    self.say(f"{_short(e)} is not like its table")
                elif e.width == 1 and rows:
                    self._ranged(e, [(min(rows), max(rows))])  # type: ignore[list-item]
            case p.ListCell():
                rows = self.program.tables[e.table]
                self.inside(e.index, len(rows), e)
                if not all(isinstance(r, tuple) and len(r) <= e.longest for r in rows):
                    self.say(f"{_short(e)} is not like its table")
                self._ranged(e, [(x, x) for r in rows for x in r])  # type: ignore[union-attr]
            case p.ListFrame() | p.ListSlots():
                self.slots(e.at, e.longest + isinstance(e, p.ListFrame))
            case p.ListCall():
                self.call(e.function, e.args, "list", e)

    def _cell(self, e: p.Cell) -> None:
        rows = self.program.tables[e.table]
        self.inside(e.index, len(rows), e)
        if any(isinstance(r, tuple) for r in rows):
            self.say(f"{_short(e)} reads no table of numbers")
        else:
            some = rows[max(0, e.index.lo) : e.index.hi + 1]
            self._ranged(e, [(min(some), max(some))] if some else [])  # type: ignore[list-item]

    def _bin(self, e: p.Bin) -> None:
        a, b = e.left, e.right
        match e.op:
            case "+":
                found = (a.lo + b.lo, a.hi + b.hi)
            case "-":
                found = (a.lo - b.hi, a.hi - b.lo)
            case "*":
                ends = [x * y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
                found = (min(ends), max(ends))
            case "/" | "%" if b.lo <= 0 <= b.hi:
                self.say(f"{_short(e)} may divide by zero")
                return
            case "/":
                ends = [x // y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
                found = (min(ends), max(ends))
            case "%" if b.lo > 0 and a.lo >= 0 and a.hi < b.lo:
                found = (a.lo, a.hi)
            case "%":
                found = (min(0, b.lo + 1), max(0, b.hi - 1))
            case "min" | "max":
                pick: Callable[[int, int], int] = min if e.op == "min" else max
                found = (pick(a.lo, b.lo), pick(a.hi, b.hi))
            case _:
                self.say(f"{_short(e)} has an unknown operator")
                return
        self._ranged(e, [found])

    def _ranged(self, e: Num | List, found: Sequence[tuple[int, int]]) -> None:
        """Check that an expression has the range that its parts give it."""
        if any(lo < e.lo or hi > e.hi for lo, hi in found):
            self.say(f"{_short(e)} may leave its range")

    def covers(self, v: Var | ListVar, value: Num | List, s: Statement) -> None:
        """Check that a local's range holds what it is given."""
        empty = p.is_list(value) and value.longest == 0
        if not empty and not (v.lo <= value.lo and value.hi <= v.hi):
            self.say(f"{_short(s)} may leave the range of its local")
        if isinstance(v, ListVar):
            self.small(value, s)

    def known_list(self, v: ListVar, scope: Scope) -> None:
        if v.number not in scope.defined:
            self.say(f"{_short(v)} may have no value")

    def inside(self, index: Num, many: int, where: object) -> None:
        if not 0 <= index.lo <= index.hi < many:
            self.say(f"{_short(where)} may reach {index.lo}..{index.hi} of {many}")

    def small(self, value: Num | List, where: object) -> None:
        if not -SMALL <= value.lo <= value.hi <= SMALL:
            self.say(f"{_short(where)} needs a number that fits 32 bits")

    def slots(self, at: int, many: int) -> None:
        if not 0 <= at <= at + many <= self.program.size:
            self.say(f"{many} slots at {at} are not all in the state")

    def noted(self, stretches: tuple[tuple[int, int], ...]) -> None:
        if not self.program.remembers:
            self.say("nothing can be noted in this state")
        for first, end in stretches:
            self.slots(first, end - first)

    def fault(self, number: int) -> None:
        if not 0 <= number < len(self.program.faults):
            self.say(f"there is no fault {number}")

    def call(
        self,
        number: int,
        args: Sequence[Num | List],
        result: str,
        where: object,
        chosen: bool = False,
    ) -> None:
        """Check that a call gives a function what it takes; `chosen`: what is chosen comes after that."""
        f = self.functions.get(number)
        if f is None or f.result != result:
            self.say(f"{_short(where)} calls no function that gives {result}")
            return
        given = list(args)
        if len(given) > len(f.parameters) or (len(given) < len(f.parameters) and not chosen):
            self.say(f"{_short(where)} gives {len(given)} of {len(f.parameters)} parameters")
        for v, value in zip(f.parameters, given, strict=False):
            if isinstance(v, ListVar) != p.is_list(value):
                self.say(f"{_short(where)} mistakes a number for a list")
            elif not (v.lo <= value.lo and value.hi <= v.hi):
                self.say(f"{_short(where)} may leave the range of a parameter")
            elif isinstance(v, ListVar) and p.is_list(value) and v.longest < value.longest:
                self.say(f"{_short(where)} gives a list that may be too long")


def _kept_and_tested(program: Program) -> list[Num]:
    """Return the numbers at fixed places of the state that a block tests before it branches: later blocks rely on that."""
    found: dict[Num, None] = {}
    for block in program.blocks:
        if isinstance(block.end, p.Branch):
            read = [e for s in p.statements(block.body) for e in p.operands(s)]
            for x in (x for e in (*read, block.end.test) for x in p.walk(e)):
                if _is_kept(x):
                    found[x] = None
    return list(found)


def _is_kept(e: Num | List) -> TypeGuard[p.Load]:
    """Return whether e is read from a fixed place, as names are that are kept while somebody decides."""
    return isinstance(e, p.Load) and isinstance(e.at, p.Const)


def _assigned(body: Body) -> set[int]:
    """Return the locals that a body changes."""
    found = {v.number for s in p.statements(body) for v in p.assigned(s)}
    return found | {s.var.number for s in p.statements(body) if isinstance(s, p.Push | p.Put)}


def _has_effects(body: Body) -> bool:
    return any(isinstance(s, EFFECTS) for s in p.statements(body))


def _short(x: object) -> str:
    text = str(x)
    return text if len(text) <= 160 else f"{text[:160]}…"
