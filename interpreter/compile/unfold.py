"""A pass for Python, where every step costs alike: fewer calls, loops and locals.

- A procedure that runs to its end is written where it is called.
- A local that is read once becomes part of what reads it, where nothing in between changes what it stands for.
- `v = a; if v: v = b` is `v = a and b`; `v = a; if v: …; v = b` before `if v: x` is `if a: …; if b: x`.
- A short loop over known values is written out: what depends on these values alone is worked out here and now.
- A loop that adds up known numbers, as many as the state says, is a table of its totals.
- A group that grows along a line is counted (`along_lines.py`).

A C compiler does all of this by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count
from operator import is_

from interpreter.compile import program as p
from interpreter.compile.along_lines import along_lines
from interpreter.compile.fold import SHARED, Fold, choice, is_condition, with_bodies, with_changed_body
from interpreter.compile.hoist import EFFECTS, hoisted_body
from interpreter.compile.program import Body, List, ListVar, Num, Program, Set, Statement, Var
from interpreter.compile.sift import sifted
from interpreter.compile.tabulate import last_local
from interpreter.compile.total import is_total

SHORT = 8  # passes of a loop that is written out,
SEARCH = 16  # of one that ends with the first thing it finds,
LARGEST = 400  # and nodes of all its passes
LONGEST = 256  # passes of a loop that adds up known numbers
PROCEDURE = 40  # statements of a procedure that is written wherever it is called
OFTEN, MOST_SHARED = 3, 4  # how often a sum comes up that is worked out first, and how many are
WORTH = 3  # nodes, but for constants, of what is worked out before a loop
CHEAP = 12  # nodes of what is worked out whether it is needed or not
ROUNDS = 4  # one rewriting makes room for another
READS = (p.Load, p.SumRange, p.CountRange, p.AnyRange, p.Noted)
AGAIN = (p.SumRange, p.CountRange, p.AnyRange)  # look at their address more than once
CALLS = (p.Call, p.ListCall, p.Noted)
JOINED = (Set, p.NewList, *p.NESTING)  # what there is something to do about, alone or with what follows


def unfold(program: Program) -> Program:
    """Return the program with fewer calls, loops and locals."""
    return along_lines(_Unfolder(program).program())


def tidied(body: Body) -> Body:
    """Return the body of a function or block without locals that are read once or never."""
    return _Joiner(body, _Reads()).body(body)


class _Unfolder:
    def __init__(self, program: Program) -> None:
        self.before = program
        self.tables = program.tables
        self.functions = {f.number: f for f in program.functions}
        self.done: dict[int, p.Function] = {}
        self.locals = count(1 + last_local(program))
        self.reads = _Reads()
        self.calls = Counter(s.function for f in program.functions for s in p.statements(f.body) if isinstance(s, p.Do))

    def program(self) -> Program:
        functions = tuple(self.function(f.number) for f in self.before.functions)
        blocks = tuple(self.block(b) for b in self.before.blocks)
        return replace(self.before, functions=functions, blocks=blocks, tables=self.tables)

    def function(self, number: int) -> p.Function:
        if number not in self.done:
            f = self.done[number] = self.functions[number]  # whoever calls itself calls this one
            self.done[number] = replace(f, body=self.shared(f.parameters, self.whole(f.body)))
        return self.done[number]

    def block(self, block: p.Block) -> p.Block:
        return block if isinstance(block.end, p.Wait) else with_changed_body(block, self.whole)

    def whole(self, body: Body) -> Body:
        """Return the body of a function or block."""
        body = self.called(body)
        if not any(isinstance(s, JOINED) for s in body):
            return body
        if any(isinstance(s, p.NewList) for s in p.statements(body)):
            body = hoisted_body(_Rows(body).body(body))
        body = sifted(self.joined(body), self.locals)
        for _ in range(ROUNDS):
            before = body
            body = self.joined(body)
            body = self.written_out(body, self.reads.body(body))
            if body == before:
                break
        hoisted = self.hoisted(body)
        return hoisted if hoisted == body else self.joined(hoisted)

    def joined(self, body: Body) -> Body:
        return _Joiner(body, self.reads).body(body)

    def shared(self, parameters: Sequence[Var | ListVar], body: Body) -> Body:
        """Return a body in which sums and products of parameters that come up often are worked out first."""
        written = {v.number for s in p.statements(body) for v in p.assigned(s)}
        fixed = {v.number for v in parameters} - written
        before: list[Statement] = []
        while len(before) < MOST_SHARED:
            found = Counter(
                e for s in p.statements(body) for x in p.operands(s) for e in p.walk(x) if _is_sum(e, fixed)
            )
            often = [(sum(1 for _ in p.walk(e)), e) for e, n in found.items() if n >= OFTEN]
            if not often:
                break
            _, e = max(often, key=lambda pair: (pair[0], found[pair[1]]))
            v = Var(next(self.locals), e.lo, e.hi)
            assert isinstance(e, p.Bin)
            body = Fold({}, (), {e: v}).body(body)
            before.append(Set(v, e))
        return (*before, *body)

    def hoisted(self, body: Body) -> Body:
        """Return a body in which what does not change in a loop comes before it, even parts of expressions and branches."""
        out: list[Statement] = []
        for s in body:
            s = with_bodies(s, [self.hoisted(inner) for inner in p.inner(s)])
            if isinstance(s, p.ForRange | p.ForList) and not _is_comprehension(s):
                inside = list(p.statements(s.body))
                changing = {v.number for x in (s, *inside) for v in p.assigned(x)}
                search = _Fixed(changing, any(isinstance(x, EFFECTS) for x in inside))
                tested = {
                    y for x in inside for e in p.operands(x) for k in p.walk(e) if _is_tested(k) for y in p.walk(k)
                }
                found = dict.fromkeys(e for x in s.body for e in search.statement(x) if e not in tested)
                shared: dict[Num, Num] = {e: Var(next(self.locals), e.lo, e.hi) for e in found}
                out += [Set(v, e) for e, v in shared.items() if isinstance(v, Var)]
                if shared:
                    s = replace(s, body=Fold({}, (), shared).body(s.body))
            out.append(s)
        return same(out, body)

    # calls -----------------------------------------------------------------------------------------------

    def called(self, body: Body) -> Body:
        """Return a body with procedures written where they are called, and without what only people read."""
        out: list[Statement] = []
        for s in body:
            if isinstance(s, p.Do):
                out += self.call(s)
            elif not isinstance(s, p.FromRule):
                out.append(with_bodies(s, [self.called(inner) for inner in p.inner(s)]))
        return same(out, body)

    def call(self, s: p.Do) -> Body:
        f = self.function(s.function)
        inside = list(p.statements(f.body))
        if len(inside) > PROCEDURE and self.calls[s.function] > 1:
            return (s,)
        if any(isinstance(x, p.Return | p.Do | p.Once | p.OnceNum) for x in inside):
            return (s,)
        given: list[Statement] = []
        for v, value in zip(f.parameters, s.args, strict=True):
            if isinstance(v, ListVar) or p.is_list(value):
                return (s,)
            given.append(Set(v, value))  # type: ignore[arg-type]
        return (*given, *f.body)

    # loops -----------------------------------------------------------------------------------------------

    def written_out(self, body: Body, reads: Counter[int]) -> Body:
        out: list[Statement] = []
        for s in body:
            s = with_bodies(s, [self.written_out(inner, reads) for inner in p.inner(s)])
            out += self.loop(s, reads, out[-1] if out else None) if isinstance(s, p.ForRange | p.ForList) else (s,)
        return same(out, body)

    def loop(self, s: p.ForRange | p.ForList, reads: Counter[int], before: Statement | None) -> Body:
        if isinstance(s, p.ForRange) and (total := self.added_up(s, reads)) is not None:
            return (total,)
        rows = self.rows(s)
        if not s.body:
            return () if rows is not None else (s,)
        most = SEARCH if _is_search(s.body) else SHORT
        if rows is None or len(rows) > most or len(rows) * size(s.body) > LARGEST:
            return (s,)
        names = p.assigned(s)
        inside = self.reads.body(s.body)
        if any(reads[v.number] > inside[v.number] for v in names):
            return (s,)
        if (flag := _flag(s.body, before)) is not None:
            return self.flagged(s.body, flag, names, rows)
        *lead, last = s.body
        found = None
        if isinstance(last, p.If) and last.then and isinstance(last.then[-1], p.Break) and not last.other:
            last = found = replace(last, then=last.then[:-1])
        if _leaves((*lead, last)):
            return (s,)
        rest: Body = ()
        for row in reversed(rows):
            fold = Fold({v.number: p.const(value) for v, value in zip(names, row, strict=True)}, self.tables)
            if found is None:
                rest = (*fold.body(s.body), *rest)
            else:
                rest = (*fold.body(tuple(lead)), *branch(fold.num(found.test), fold.body(found.then), rest))
        return rest

    def added_up(self, s: p.ForRange, reads: Counter[int]) -> Set | None:
        """Return a loop that adds up known numbers, as many as the state says, as a table of totals; None for other loops."""
        match s:
            case p.ForRange(
                start=p.Const(value=start),
                step=1,
                body=(
                    Set(
                        var=v,
                        value=p.Known(of=p.Bin(op="+", left=w, right=e), why=p.ALWAYS) | p.Bin(op="+", left=w, right=e),
                    ),
                ),
            ) if v == w and start <= s.stop.lo and 1 < s.stop.hi - start <= LONGEST:
                pass
            case _:
                return None
        if isinstance(s.stop, p.Const) or reads[s.var.number] > self.reads.body(s.body)[s.var.number]:
            return None
        totals = [0]
        for value in range(start, s.stop.hi):
            one = Fold({s.var.number: p.const(value)}, self.tables).num(e)
            if not isinstance(one, p.Const):
                return None
            totals.append(totals[-1] + one.value)
        self.tables = (*self.tables, tuple(totals))
        total = p.Cell(len(self.tables) - 1, p.subtract(s.stop, s.start), min(totals), max(totals))
        return Set(v, p.always(p.add(v, total), v.lo, v.hi))

    def flagged(self, body: Body, flag: Var, names: tuple[Var | ListVar, ...], rows: Sequence[tuple[int, ...]]) -> Body:
        """Return a loop that is left once a flag is set: no pass after that does anything."""
        out: list[Statement] = []
        body = _without_break(body)
        for row in rows:
            one = Fold({v.number: p.const(value) for v, value in zip(names, row, strict=True)}, self.tables).body(body)
            out += branch(p.negate(flag), one, ()) if out else one
        return tuple(out)

    def rows(self, s: p.ForRange | p.ForList) -> Sequence[tuple[int, ...]] | None:
        """Return the values of the locals of a loop in each pass, if they are known."""
        match s:
            case p.ForRange(start=p.Const() as start, stop=p.Const() as stop):
                return [(v,) for v in range(start.value, stop.value, s.step)]
            case p.ForList(of=p.ListConst() as of):
                return [r if isinstance(r, tuple) else (r,) for r in self.tables[of.table]]
            case _:
                return None


def _flag(body: Body, before: Statement | None) -> Var | None:
    """Return the local that is 0 before a loop and 1 where it is left: at the end of a pass, inside tests."""
    depth = 0
    while body and isinstance(last := body[-1], p.If) and not last.other and not _leaves(body[:-1]):
        body, depth = last.then, depth + 1
    match body:
        case (*lead, Set(var=flag, value=p.Const(value=1)), p.Break()) if depth > 1 and not _leaves(tuple(lead)):
            return flag if before == Set(flag, p.ZERO) else None
        case _:
            return None


def _is_search(body: Body) -> bool:
    """Return whether a pass of a loop does nothing but find something, and then leaves it."""
    match body:
        case (p.If(then=(Set(value=p.Const() | Var()), p.Break()), other=()),):
            return True
        case _:
            return False


def _without_break(body: Body) -> Body:
    """Return a body that ends with a test, or a test in a test, without the break at the end."""
    *lead, last = body
    return (*lead, replace(last, then=_without_break(last.then))) if isinstance(last, p.If) else tuple(lead)


def _leaves(body: Body) -> bool:
    """Return whether a pass of a loop with this body may end early."""
    return any(
        isinstance(s, p.Break | p.Continue)
        or (not isinstance(s, p.ForRange | p.ForList | p.While) and any(_leaves(b) for b in p.inner(s)))
        for s in body
    )


@dataclass(frozen=True, slots=True)
class _Fixed:
    """Finds what is the same in every pass of a loop and can be worked out before it."""

    changing: set[int]
    effects: bool

    def statement(self, s: Statement) -> list[Num]:
        """Return what is looked at in every pass, or soon."""
        found = [] if isinstance(s, p.Score | p.Tell | p.Show) else [x for e in p.operands(s) for x in self.inside(e)]
        if isinstance(s, p.If):
            found += [x for body in p.inner(s) for y in body for x in self.statement(y)]
        return found

    def inside(self, e: Num | List) -> list[Num]:
        """Return the largest such parts of an expression."""
        if isinstance(e, SHARED) and self.is_fixed(e):
            return [e]
        return [x for part in p.parts(e) for x in self.inside(part)]

    def is_fixed(self, e: Num) -> bool:
        nodes = list(p.walk(e))
        return (
            len(nodes) <= CHEAP
            and sum(not isinstance(x, p.Const) for x in nodes) >= WORTH
            and not any(isinstance(x, Var | ListVar) and x.number in self.changing for x in nodes)
            and not _has(e, (*CALLS, *AGAIN, *p.LISTS, p.Item))
            and not (self.effects and _has(e, READS))
            and is_total(e)
        )


def _is_tested(e: Num | List) -> bool:
    """Return whether a test has to be seen around e."""
    return isinstance(e, p.Known) and e.why != p.ALWAYS


def _is_comprehension(s: p.ForRange | p.ForList) -> bool:
    """Return whether a loop does nothing but add to a list."""
    return len(s.body) == 1 and isinstance(s.body[0], p.Push)


def _is_sum(e: Num | List, fixed: set[int]) -> bool:
    """Return whether e is a sum or a product of parameters and constants, without a constant at its end."""
    return (
        isinstance(e, p.Bin)
        and e.op in "+-*"
        and not (e.op == "+" and isinstance(e.right, p.Const))
        and all(
            isinstance(x, p.Const)
            or (isinstance(x, Var) and x.number in fixed)
            or (isinstance(x, p.Bin) and x.op in "+-*")
            for x in p.walk(e)
        )
    )


class _Rows:
    """Puts locals in the place of lists that hold just these, and of which only single items are asked for."""

    def __init__(self, whole: Body) -> None:
        inside = list(p.statements(whole))
        self.writes = Counter(v.number for s in inside for v in p.assigned(s))
        self.whole: Counter[int] = Counter()  # how often a list is read,
        self.items: dict[int, list[tuple[p.Item, int]]] = {}  # and what is read of it as an item at a known place
        for s in inside:
            for e in p.operands(s):
                for x in p.walk(e):
                    match x:
                        case ListVar():
                            self.whole[x.number] += 1
                        case p.Item(of=ListVar() as of, index=p.Const(value=at)):
                            self.items.setdefault(of.number, []).append((x, at))
        self.pushes = Counter(s.var.number for s in inside if isinstance(s, p.Push | p.Put))

    def body(self, body: Body) -> Body:
        out: list[Statement] = []
        rest = body
        while rest:
            s, *following = rest
            rest = tuple(following)
            if isinstance(s, p.NewList) and (values := self._values(s, rest)) is not None:
                items: dict[Num, Num] = {x: values[at] for x, at in self.items.get(s.var.number, ())}
                rest = Fold({}, (), items).body(rest[len(values) :])
            else:
                out.append(with_bodies(s, [self.body(inner) for inner in p.inner(s)]))
        return tuple(out)

    def _values(self, new: p.NewList, rest: Body) -> list[Var] | None:
        """Return the locals that a list is filled with, if it is only a row of them."""
        values: list[Var] = []
        for s in rest:
            match s:
                case p.Push(var=var, values=(Var() as v,)) if var == new.var and self.writes[v.number] <= 1:
                    values.append(v)
                case _:
                    break
        n, items = new.var.number, self.items.get(new.var.number, [])
        if new.zeros or not values or self.writes[n] != 1 or self.pushes[n] != len(values):
            return None
        if len(items) != self.whole[n] or not all(0 <= at < len(values) for _, at in items):
            return None
        return values


# Locals ---------------------------------------------------------------------------------------------------


class _Joiner:
    """Joins statements of one function or block."""

    def __init__(self, whole: Body, reads: _Reads) -> None:
        self.reads_of = reads.statement
        self.reads = reads.body(whole)
        self.writes = Counter(v.number for s in p.statements(whole) for v in p.assigned(s))

    def body(self, body: Body) -> Body:
        out: list[Statement] = []
        for s in body:
            s = with_bodies(s, [self.body(inner) for inner in p.inner(s)])
            out += branch(s.test, s.then, s.other) if isinstance(s, p.If) else (s,)
            while self._join(out):
                pass
        return same(self._sunk(out), body)

    # tests that are worked out in steps ------------------------------------------------------------------

    def _join(self, out: list[Statement]) -> bool:
        """Join the last statements, if they can be."""
        match out:
            case [
                *_,
                Set(var=v, value=a),
                p.If(then=(*lead, Set(var=w, value=b)), other=()) as x,
                p.If(other=()) as s,
            ] if v == w and self.reads[v.number] == 2 and self.writes[v.number] == 2:
                if x.test == s.test and not any(self.reads_of(y)[v.number] for y in x.then):
                    if x.test == v:
                        out[-3:] = branch(a, (*lead, *branch(b, s.then, ())), ())
                        return True
                    if x.test == p.Not(v):
                        out[-3:] = branch(p.negate(a), (*lead, *branch(p.negate(b), s.then, ())), ())
                        return True
            case [*_, p.If() as s]:
                for i in range(len(out) - 2, -1, -1):
                    one = out[i]
                    if not isinstance(one, Set):
                        return False
                    between, v = out[i + 1 : -1], one.var
                    if between and not isinstance(one.value, p.Const):
                        continue  # something between may change what it is
                    if any(y.var == v or _reads_in(y.value)[v.number] for y in between if isinstance(y, Set)):
                        return False
                    value = self._value(s, v, one.value)
                    if value is not None:
                        out[i:] = [*between, *value]
                        return True
        return False

    def _value(self, s: p.If, v: Var, before: Num) -> list[Statement] | None:
        """Return statements that give a local its value after a branch, without the branch; None if that does more."""
        match s:
            case p.If(test=test, then=(*lead, Set(var=w, value=e)), other=()) if (
                v == w and test in (v, p.Not(v)) and is_condition(before) and is_condition(e)
            ):
                if _reads_in(e)[v.number] or not all(map(self._harmless, lead)):
                    return None
                return [*lead, Set(v, (p.both if test == v else p.either)(before, e))]
        value = _given(s, v, before)
        return None if value is None else [Set(v, value)]

    def _harmless(self, s: Statement) -> bool:
        """Return whether a statement may be done where it is not needed."""
        return (
            isinstance(s, Set)
            and self.writes[s.var.number] == 1
            and is_total(s.value)
            and not _has(s.value, (*CALLS, *p.LISTS))
            and sum(1 for _ in p.walk(s.value)) <= CHEAP
        )

    # what is read once -----------------------------------------------------------------------------------

    def _sunk(self, out: list[Statement]) -> list[Statement]:
        i = 0
        while i < len(out):
            s = out[i]
            if isinstance(s, Set) and not _has(s.value, CALLS):
                n = s.var.number
                if self.reads[n] == 0 or (self.writes[n] == 1 and self._sink(s, out, i + 1)):
                    del out[i]
                    continue
            i += 1
        return out

    def _sink(self, s: Set, out: list[Statement], first: int) -> bool:
        """Put what a local stands for where it is read, if that is one place, after nothing that changes it."""
        n = s.var.number
        simple = isinstance(s.value, p.Const) or (
            isinstance(s.value, Var) and not any(s.value in p.assigned(x) for x in p.statements(out[first:]))
        )
        if (self.reads[n] != 1 and not simple) or _has(s.value, (*p.LISTS, p.Item)):
            return False
        if simple:
            return self._spread(s, out, first)
        inputs, reads_state = set(_reads_in(s.value)), _has(s.value, READS)
        for j in range(first, len(out)):
            x = out[j]
            if n in self.reads_of(x):
                if n in _operands_of(x):
                    if isinstance(x, p.While | p.Once | p.OnceNum | p.Shift | p.Score | p.Tell | p.Show):
                        return False
                    if any(_again(e, n) for e in p.operands(x)):
                        return False
                    (out[j],) = Fold({n: s.value}, ()).own(x)
                    return True
                if not isinstance(x, p.If):
                    return False
                bodies = []
                for inner in p.inner(x):
                    if any(n in self.reads_of(y) for y in inner):
                        inner = tuple(self._sunk([s, *inner]))
                    bodies.append(inner)
                out[j] = with_bodies(x, bodies)
                return True
            if (reads_state and _changes(x)) or any(
                v.number in inputs for y in (x, *_inside(x)) for v in p.assigned(y)
            ):
                return False
        return False

    def _spread(self, s: Set, out: list[Statement], first: int) -> bool:
        """Write a constant or another local wherever its local is read, if that is only after it and in its body."""
        n = s.var.number
        if sum(self.reads_of(x)[n] for x in out[first:]) != self.reads[n]:
            return False
        out[first:] = Fold({n: s.value}, ()).body(tuple(out[first:]))
        return True


def _given(s: p.If, v: Var, before: Num) -> Num | None:
    if _reads_in(s.test)[v.number]:
        return None
    found: list[Num] = []
    for body in (s.then, s.other):
        match body:
            case ():
                value: Num | None = before if isinstance(before, p.Const) else None
            case (Set(var=w, value=e),) if w == v and not _reads_in(e)[v.number]:
                value = e
            case (p.If() as inner,):
                value = _given(inner, v, before)
            case _:
                value = None
        if value is None:
            return None
        found.append(value)
    return choice(s.test, *found)


def branch(test: Num, then: Body, other: Body) -> Body:
    """Return a branch, as far as it is not settled."""
    if isinstance(test, p.Const):
        return then if test.value else other
    if not other and len(then) == 1 and isinstance(inner := then[0], p.If) and not inner.other:
        return (p.If(p.both(test, inner.test), inner.then),)
    return (p.If(test, then, other),) if then or other else ()


# Walking --------------------------------------------------------------------------------------------------


def size(body: Body) -> int:
    """Return how many nodes a body has."""
    return sum(1 + sum(sum(1 for _ in p.walk(e)) for e in p.operands(s)) for s in p.statements(body))


def _inside(s: Statement) -> list[Statement]:
    return [x for body in p.inner(s) for x in p.statements(body)]


def _reads_in(e: Num | List) -> Counter[int]:
    return Counter(x.number for x in p.walk(e) if isinstance(x, Var))


def _operands_of(s: Statement) -> Counter[int]:
    return Counter(x.number for e in p.operands(s) for x in p.walk(e) if isinstance(x, Var))


class _Reads:
    """How often statements read each local number; it is asked of the same ones again and again."""

    def __init__(self) -> None:
        self._found: dict[int, tuple[Statement, Counter[int]]] = {}  # by identity, which is theirs as they are kept

    def statement(self, s: Statement) -> Counter[int]:
        if id(s) not in self._found:
            total = _operands_of(s)
            if isinstance(s, p.OnceNum):
                total[s.var.number] += 1  # to keep it for the next time
            for inner in p.inner(s):
                self._add(total, inner)
            self._found[id(s)] = s, total
        return self._found[id(s)][1]

    def body(self, body: Body) -> Counter[int]:
        total = Counter[int]()
        self._add(total, body)
        return total

    def _add(self, total: Counter[int], body: Body) -> None:
        for s in body:
            for number, many in self.statement(s).items():
                total[number] += many


def same(made: Sequence[Statement], body: Body) -> Body:
    """Return what was made of a body: the body itself if nothing changed, so that others see that at once."""
    return body if len(made) == len(body) and all(map(is_, made, body)) else tuple(made)


def _changes(s: Statement) -> bool:
    """Return whether a statement changes the state."""
    return any(isinstance(x, EFFECTS) for x in (s, *_inside(s)))


def _has(e: Num | List, kinds: tuple[type, ...]) -> bool:
    return any(isinstance(x, kinds) for x in p.walk(e))


def _again(e: Num | List, n: int) -> bool:
    """Return whether a local is read where what it stands for would be worked out more than once."""
    return any(isinstance(x, AGAIN) and n in _reads_in(x.at) for x in p.walk(e))
