"""A pass: what a loop inside a loop finds out about its own values alone is found out once, before both.

    for a in …:                         rows = []
        for b in …:                     for b in …:
            if test(b):         ─►          if test(b): rows gains (b, f(b))
                c = f(b)                for a in …:
                if other(a, b, c): …        for b, c in rows:
                                                if other(a, b, c): …

Only loops that change nothing are looked at, and only what can be worked out whether the outer loop has a pass or not.
It is for Python, and for the functions of C that list legal moves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import count

from interpreter.compile import program as p
from interpreter.compile.fold import SHARED, Fold
from interpreter.compile.hoist import EFFECTS
from interpreter.compile.program import Body, List, ListVar, Num, Program, Set, Statement, Var
from interpreter.compile.tabulate import last_local
from interpreter.compile.total import Facts, is_total, shown_by

WORTH, CHEAP = 3, 12  # nodes, the least but for constants, of an expression that is worked out beforehand,
MOST = 4  # and how many are
LONGEST = 256  # rows of a loop that is gone through beforehand
Loop = p.ForRange | p.ForList
LOOPS = (p.ForRange, p.ForList)


def sifted(body: Body, names: count[int]) -> Body:
    """Return the body of a function, with rows found before loops in which they are gone through again and again."""
    reads = _reads(body)
    return _body(body, names, reads)


def sift_listings(program: Program) -> Program:
    """Return the program in which the functions that list legal moves are sifted."""
    names = count(1 + last_local(program))
    functions = (replace(f, body=sifted(f.body, names)) if f.role == "legal" else f for f in program.functions)
    return replace(program, functions=tuple(functions))


def _body(body: Body, names: count[int], reads: dict[int, int]) -> Body:
    out: list[Statement] = []
    for s in body:
        if isinstance(s, LOOPS):
            search = _Sifter(s, names, reads)
            s = replace(s, body=search.body(s.body))
            out += search.before
        elif isinstance(s, p.If):
            s = replace(s, then=_body(s.then, names, reads), other=_body(s.other, names, reads))
        out.append(s)
    return tuple(out)


class _Sifter:
    """Goes through one outer loop."""

    def __init__(self, outer: Loop, names: count[int], reads: dict[int, int]) -> None:
        self.names = names
        self.reads = reads  # in the whole function
        inside = list(p.statements((outer,)))
        self.assigned = {v.number for s in inside for v in p.assigned(s)}
        self.changes = any(isinstance(s, EFFECTS) for s in inside)
        self.before: list[Statement] = []  # what is done before the outer loop

    def body(self, body: Body) -> Body:
        return body if self.changes else tuple(self.statement(s) for s in body)

    def statement(self, s: Statement) -> Statement:
        match s:
            case p.ForRange() | p.ForList():
                return self.loop(s)
            case p.If():
                return replace(s, then=self.body(s.then), other=self.body(s.other))
            case p.Once():
                return replace(s, body=self.body(s.body))
            case _:
                return s

    def loop(self, s: Loop) -> Loop:
        """Return an inner loop that goes through what is left of its rows, if some of its work can be done before."""
        many = _passes(s)
        names = p.assigned(s)
        if many is None or any(isinstance(v, ListVar) for v in names):
            return s
        found = self.sift(s.body, _Beforehand(self.assigned, frozenset(v.number for v in names)), ())
        if found is None or not found.worth or not _stands_alone(found.rest, ()):
            return s
        own = {v.number: v for v in names if isinstance(v, Var)}
        given = own | {v.number: v for x in found.moved for v in p.assigned(x) if isinstance(v, Var)}
        within = _reads((s,))
        if any(self.reads.get(n, 0) != within.get(n, 0) for n in given):
            return s  # somebody looks at them after the loop
        whole: dict[Num, Num] = {e: Var(next(self.names), e.lo, e.hi) for e in found.worked_out(given.keys())}
        rest = Fold({}, (), whole).body(found.rest)
        left = _reads(rest)
        if any(n in left and n not in found.known.given for n in given):
            return s  # in some passes it still has the value from before
        changed = {v.number for x in p.statements(rest) for v in p.assigned(x)}
        single: dict[int, Num] = {
            n: v if n in changed else Var(next(self.names), v.lo, v.hi) for n, v in given.items() if n in left
        }
        rest = Fold(single, ()).body(rest)
        columns = [(given[n], v) for n, v in single.items()] + list(whole.items())
        if not columns:
            return s
        ranges = tuple((v.lo, v.hi) for v, _ in columns)
        lo, hi = min(lo for lo, _ in ranges), max(hi for _, hi in ranges)
        rows = ListVar(next(self.names), lo, hi, many, len(columns), ranges)
        push = p.Push(rows, tuple(e for e, _ in columns))
        self.before += [p.NewList(rows), replace(s, body=found.around((push,)))]
        return p.ForList(tuple(v for _, v in columns if isinstance(v, Var)), rows, rest)

    def sift(self, body: Body, known: _Beforehand, facts: Facts) -> _Sifted | None:
        """Divide the body of an inner loop into what depends on its rows alone and what does not; None if it cannot be."""
        lead: list[Statement] = []
        for i, s in enumerate(body):
            written = s.body if isinstance(s, p.OnceNum) else (s,)  # each row comes once
            after = known.after_all(written, facts)
            if after is not None:
                lead += written
                known, facts = after, _without(facts, (s,))
                continue
            if not isinstance(s, p.If) or s.other or i != len(body) - 1:
                return _Sifted.of(lead, body[i:], known, facts)
            mine, others = _divided(s.test, known, facts)
            if not mine:
                return _Sifted.of(lead, body[i:], known, facts)
            test = p.both(*mine)
            shown = facts + shown_by(test, True)
            if others:
                inner = _Sifted.of([], (replace(s, test=p.both(*others)),), known, shown)
            else:
                inner = self.sift(s.then, known, shown) or _Sifted.of([], s.then, known, shown)
            return inner.inside(tuple(lead), test)
        return None  # nothing is left that would depend on the outer loop


@dataclass(frozen=True, slots=True)
class _Sifted:
    """The body of an inner loop in two parts."""

    moved: tuple[Statement, ...]  # all that is done beforehand,
    around: Callable[[Body], Body]  # as it stands around what is done for the rows that are left,
    rest: Body  # and what is done in the outer loop
    worth: bool  # whether that saves something
    known: _Beforehand  # what is known at the end of the first part,
    facts: Facts  # and shown

    @staticmethod
    def of(lead: Sequence[Statement], rest: Body, known: _Beforehand, facts: Facts) -> _Sifted:
        """Return the two parts, where the first runs to its end; a plain copy at its end moves to the second."""
        lead = list(lead)
        while lead and isinstance(s := lead[-1], Set) and isinstance(s.value, Var | p.Const):
            lead.pop()
            rest = (s, *rest)
        start = tuple(lead)
        return _Sifted(tuple(p.statements(start)), lambda body: (*start, *body), rest, bool(start), known, facts)

    def inside(self, lead: Body, test: Num) -> _Sifted:
        """Return the same, after some statements and inside a test."""
        moved = (*p.statements(lead), *self.moved)
        return replace(self, moved=moved, around=lambda body: (*lead, p.If(test, self.around(body))), worth=True)

    def worked_out(self, given: AbstractSet[int]) -> list[Num]:
        """Return expressions in the second part that can be worked out at the end of the first."""
        inside = list(p.statements(self.rest))
        changing = {v.number for s in inside for v in p.assigned(s)}
        known = replace(self.known, changing=self.known.changing | changing, given=self.known.given - changing)
        trusted = {y for s in inside for e in p.operands(s) for x in p.walk(e) if _is_tested(x) for y in p.walk(x)}

        def search(e: Num | List) -> list[Num]:
            if isinstance(e, SHARED) and e not in trusted:
                nodes = list(p.walk(e))
                if (
                    len(nodes) <= CHEAP
                    and sum(not isinstance(x, p.Const) for x in nodes) >= WORTH
                    and any(isinstance(x, Var) and x.number in given for x in nodes)
                    and not any(isinstance(x, (*p.LISTS, p.Item)) for x in nodes)
                    and known.has(e, self.facts)
                ):
                    return [e]
            return [x for part in p.parts(e) for x in search(part)]

        return list(dict.fromkeys(x for s in inside for e in p.operands(s) for x in search(e)))[:MOST]


@dataclass(frozen=True, slots=True)
class _Beforehand:
    """The locals whose values are known beforehand: of those that the outer loop gives a value, only these."""

    changing: AbstractSet[int]
    given: frozenset[int]

    def has(self, e: Num | List, facts: Facts) -> bool:
        """Return whether an expression can be worked out beforehand, where these facts are shown."""
        for x in p.walk(e):
            match x:
                case Var() | ListVar() if x.number in self.changing and x.number not in self.given:
                    return False
                case p.Call() | p.ListCall() | p.Noted():
                    return False
        return is_total(e, facts)

    def after(self, s: Statement, facts: Facts) -> _Beforehand | None:
        """Return what is known after a statement that is done beforehand; None if it cannot be."""
        if not all(self.has(e, facts) for e in p.operands(s)):
            return None
        match s:
            case Set():
                return self._with({s.var.number})
            case p.Break() | p.Continue():
                return self  # of a loop inside: see below
            case p.OnceNum():
                inner = self.after_all(s.body, facts)
                return None if inner is None or s.var.number not in inner.given else self._with({s.var.number})
            case p.If():
                then = self.after_all(s.then, facts + shown_by(s.test, True))
                other = self.after_all(s.other, facts + shown_by(s.test, False))
                return None if then is None or other is None else self._with(then.given & other.given)
            case p.ForRange() | p.ForList():
                names = {v.number for v in p.assigned(s)}
                inner = self._with(names).after_all(s.body, _without(facts, (s,)))
                return None if inner is None else self
            case _:
                return None

    def after_all(self, body: Body, facts: Facts) -> _Beforehand | None:
        """Return the same after several statements."""
        known: _Beforehand | None = self
        for s in body:
            if known is None:
                return None
            known, facts = known.after(s, facts), _without(facts, (s,))
        return known

    def _with(self, numbers: AbstractSet[int]) -> _Beforehand:
        return replace(self, given=self.given | numbers)


def _divided(test: Num, known: _Beforehand, facts: Facts) -> tuple[list[Num], list[Num]]:
    """Return the parts of a test that can be looked at beforehand, up to the first that cannot, and all the others."""
    mine: list[Num] = []
    parts = test.parts if isinstance(test, p.And) else (test,)
    for i, part in enumerate(parts):
        if not known.has(part, facts):
            return mine, list(parts[i:])
        mine.append(part)
        facts += shown_by(part, True)
    return mine, []


def _is_tested(e: Num | List) -> bool:
    """Return whether a test has to be seen around e."""
    return isinstance(e, p.Known) and e.why != p.ALWAYS


def _passes(s: Loop) -> int | None:
    """Return how many passes an inner loop has; None if that is not known, or too many."""
    match s:
        case p.ForRange(start=p.Const() as start, stop=p.Const() as stop):
            many = len(range(start.value, stop.value, s.step))
        case p.ForList(of=p.ListConst() as of):
            many = of.longest
        case _:
            return None
    return many if 1 < many <= LONGEST else None


def _stands_alone(body: Body, facts: Facts) -> bool:
    """Return whether nothing in a body relies on a test outside of it: it may be one that is made beforehand."""
    for s in body:
        if not all(is_total(e, facts) for e in p.operands(s)):
            return False
        if isinstance(s, p.If):
            shown = [facts + shown_by(s.test, holds) for holds in (True, False)]
        else:
            shown = [_without(facts, (s,))]
        if not all(_stands_alone(inner, known) for inner, known in zip(p.inner(s), shown, strict=False)):
            return False
        facts = _without(facts, (s,))
    return True


def _without(facts: Facts, body: Sequence[Statement]) -> Facts:
    """Return the facts that are still true after statements: those about locals that get no value in them."""
    changed = {v.number for s in p.statements(body) for v in p.assigned(s)}
    if not changed:
        return facts
    return tuple(f for f in facts if not any(isinstance(x, Var) and x.number in changed for x in p.walk(f.of)))


def _reads(body: Sequence[Statement]) -> dict[int, int]:
    """Return how often each local is read."""
    found: dict[int, int] = {}
    for s in p.statements(body):
        for e in p.operands(s):
            for x in p.walk(e):
                if isinstance(x, Var | ListVar):
                    found[x.number] = found.get(x.number, 0) + 1
    return found
