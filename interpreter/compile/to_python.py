"""A program → Python text. Every name in it is one of ours and every constant a number: nothing an author wrote is in it.

Four kinds of text come from one program: `wait` stops at every decision, `random` decides everything at random, `traced` does the
same and records what was decided and why points were scored, and `whole` is one function that plays a game at random from its
beginning to its end, and so needs no blocks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any, assert_never

from interpreter.compile import program as p
from interpreter.compile.cases import by_cases
from interpreter.compile.flow import (
    Beginning,
    Deciding,
    Forking,
    Leaving,
    Repeating,
    Running,
    Steps,
    flow_of,
    frame_slots,
    return_slots,
)
from interpreter.compile.fold import Fold
from interpreter.compile.hoist import EFFECTS
from interpreter.compile.program import Body, List, ListVar, Num, Program, Statement, Var
from interpreter.compile.reach import stretches
from interpreter.compile.total import is_total
from interpreter.fault import IDLE_LIMIT, TRIES
from rulespec.checks.work import MOST_MOVES

WAIT = -1  # what a block returns that waits for a decision
BLOCK = 0  # the slot of the state that holds the block to run next
DRAW, ROLL = -1, -2  # what stands for a move's number where chance decided
FEW = 8  # numbers that are looked at one by one,
MANY = 16  # and so many that others among them are read too, if that is faster
KINDS = 24  # kinds among which a draw decides by branches
SHORT = 8  # statements of a block that is written wherever it is gone to,
DEEPEST = 8  # and so many one after the other
LEADING, LONG = (
    3,
    150,
)  # ends that lead to a decision that is written where they are, in a text of so many lines at most

Mode = str  # wait, random, traced, whole
UNRECORDED = ("random", "whole")  # in which nobody asks what was decided, and why


def to_python(program: Program, mode: Mode) -> str:
    """Return the text of a module that runs the program; see `loader` for what it needs."""
    return PythonPrinter(program, mode).text()


def whole_to_python(program: Program) -> str | None:
    """Return the text of a module whose one function plays a whole game, `whole(S, X)`.

    None where it would be too long, and where something needs the whole state, none of it in locals.
    """
    steps = None if p.needs_whole_state(program) else flow_of(program)
    if steps is None:
        return None
    first = PythonPrinter(program, "whole")
    first.whole(steps)
    again = PythonPrinter(program, "whole")
    again.held = first.only_direct()
    if not any(isinstance(s, p.Fail | p.Pass) for f in first.called for s in p.statements(first.functions[f].body)):
        again.idle = "idle"
    return again.whole(steps)


def _goes_to(end: p.Ending) -> tuple[int, ...]:
    match end:
        case p.Goto():
            return (end.block,)
        case p.Branch():
            return (end.then, end.other)
        case _:
            return ()


def _is_there(test: p.Cmp) -> tuple[p.CountRange, bool] | None:
    """Return what a test counts that only asks whether there is any, and whether it holds if so; None for other tests."""
    match test:
        case p.Cmp(op=">" | "!=", left=p.CountRange() as counted, right=p.Const(value=0)):
            return counted, True
        case p.Cmp(op="<=" | "==", left=p.CountRange() as counted, right=p.Const(value=0)):
            return counted, False
        case p.Cmp(
            op="==",
            left=p.Bin(op="-", left=p.Const() as all_of, right=p.CountRange() as counted),
            right=p.Const() as left,
        ) if all_of == left:
            return counted, False
        case _:
            return None


def _is_apart(e: Num, given: Var | ListVar, written: Sequence[tuple[int, int]]) -> bool:
    """Return whether e stays the same whatever is given, and while these stretches of the state are written to."""
    for x in p.walk(e):
        match x:
            case p.Const() | p.Bin() | p.Known() | p.Cmp() | p.Select():
                pass
            case p.Var() if x != given:
                pass
            case p.Load(at=at) if all(at.hi < first or last < at.lo for first, last in written):
                pass
            case _:
                return False
    return is_total(e)


def _returns_inside(body: Body) -> bool:
    """Return whether a loop in a body may be left by returning, or a test may end without a value."""
    loops = [s for s in p.statements(body) if isinstance(s, p.ForRange | p.ForList | p.While | p.Once | p.OnceNum)]
    return any(isinstance(x, p.Return) for s in loops for x in p.statements((s,))) or any(
        isinstance(s, p.Once | p.OnceNum) for s in loops
    )


@dataclass(frozen=True, slots=True)
class _Way:
    """The way by which a place in the text of a block was reached."""

    gone: tuple[int, ...]  # blocks that are written on the way here,
    returns: Mapping[int, int] = field(default_factory=dict)  # and slots that hold a block to return to, for certain

    def on(self, number: int) -> _Way:
        return replace(self, gone=(*self.gone, number))

    def after(self, body: Body) -> _Way:
        """Return the way after a body has run."""
        returns = dict(self.returns)
        for s in p.statements(body):
            match s:
                case p.Store(at=p.Const(value=slot), value=p.Const(value=block)) if s in body:
                    returns[slot] = block
                case p.Store():
                    returns = {slot: block for slot, block in returns.items() if not s.at.lo <= slot <= s.at.hi}
                case p.Clear():
                    returns = {slot: block for slot, block in returns.items() if not s.at <= slot < s.at + s.many}
                case _ if isinstance(s, EFFECTS):
                    returns = {}
        return replace(self, returns=returns)


@dataclass(frozen=True, slots=True)
class _ItemSearch:
    """How a loop finds its next item."""

    more: Num  # whether there is one
    item: Body  # which gives it its value
    holds: Num  # whether it is one of those that the loop is about
    clearing: Body  # what is done after the last one


@dataclass(frozen=True, slots=True)
class _Picking:
    """Which rows of a table a loop goes through: those for which the number at an address is not 0."""

    table: tuple[Any, ...]
    addresses: tuple[int, ...]  # one for each row


class PythonPrinter:
    def __init__(self, program: Program, mode: Mode) -> None:
        self.program = program
        self.mode = mode
        self.functions = {f.number: f for f in program.functions}
        self.leading = Counter(
            to for block in program.blocks for to in _goes_to(block.end)
        )  # ends that lead to a block
        for decision in program.decisions.values():
            self.leading[decision.after] += 2  # it is written where the decision waits, and where it is made
        self.lines: list[str] = []
        self.constants: dict[str, str] = {}  # constants besides the program's tables: their names by their texts
        self.depth = 0
        self.block = WAIT  # the block being printed,
        self.first = 0  # its first line,
        self.begins_again = False  # and whether it leads back to itself
        self.ways: Mapping[
            int, Steps
        ] = {}  # in a whole game: what is done where the decision being printed leads elsewhere
        self.returns = return_slots(program) if mode == "whole" else frozenset()
        self.frames = frame_slots(program) if mode == "whole" else frozenset()
        self.held: frozenset[int] = frozenset()  # slots of the state that are locals
        self.direct: set[int] = set()  # slots that are read or written by their numbers,
        self.spans: list[tuple[Num, int]] = []  # addresses that only the state knows, with how many slots after them,
        self.values: dict[int, list[Num] | None] = {}  # and what locals are set to; None where that may be anything
        self.called: dict[int, None] = {}  # functions that are called
        self.inside = False  # one of which is being printed
        self.early: p.Function | None = (
            None  # what lists the rows of a move before it is asked for, in the loop being printed
        )
        self.idle = "X.idle"  # passes without a decision: a local in a whole game, if what it calls does not count them

    def text(self) -> str:
        for function in self.program.functions:
            self.function(function)
        for number, block in enumerate(self.program.blocks):
            if isinstance(block.end, p.Wait):
                self._decision(number, self.program.decisions[number])
            else:
                with self._block(number):
                    self._run(block, _Way((number,)))
        return self.joined()

    def whole(self, steps: Steps) -> str:
        """Print a whole game as one function, and the functions that it calls."""
        with self._def("whole(S, X)"):
            self.line("word, more = X.word, X.more")
            if self.idle == "idle":
                self.line("idle = X.idle")
            for slot in sorted(self.held):
                self.line(f"s{slot} = S[{slot}]")
            self._flow(steps)
            for slot in sorted(self.held - self.frames):
                self.line(f"S[{slot}] = s{slot}")
        self.inside = True
        printed: set[int] = set()
        while waiting := [number for number in self.called if number not in printed]:
            printed.add(waiting[0])
            self.function(self.functions[waiting[0]])
        return self.joined()

    def only_direct(self) -> frozenset[int]:
        """Return the slots that a printed game reads and writes only by number: they can be locals while it runs."""
        reached = {(low, high + more) for at, more in self.spans for low, high in stretches(at, self.values)}
        return frozenset(slot for slot in self.direct if not any(low <= slot <= high for low, high in reached))

    def joined(self) -> str:
        tables = [f"T{i} = {rows!r}" for i, rows in enumerate(self.program.tables)]
        tables += [f"{name} = {text}" for text, name in self.constants.items()]
        return "\n".join([*tables, "", *self.lines, ""])

    # lines -----------------------------------------------------------------------------------------------

    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    @contextmanager
    def indented(self, head: str) -> Iterator[None]:
        self.line(head)
        self.depth += 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.line("pass")
        self.depth -= 1

    @contextmanager
    def _def(self, head: str) -> Iterator[None]:
        with self.indented(f"def {head}:"):
            yield
        self.line("")

    @contextmanager
    def _block(self, number: int) -> Iterator[None]:
        """Print the function of a block. Where it leads back to itself, it begins again instead of being called again."""
        self.block, self.begins_again = number, False
        with self._def(f"b{number}(S, X)"):
            self.first = len(self.lines)
            yield
            if self.begins_again:
                self.lines[self.first :] = ["    while 1:", *(f"    {line}" for line in self.lines[self.first :])]

    # whole games -----------------------------------------------------------------------------------------

    def _flow(self, steps: Steps) -> None:
        for step in steps:
            match step:
                case Running():
                    block = self.program.blocks[step.block]
                    self._body(block.body)
                    if isinstance(block.end, p.End):
                        self.line(f"S[{BLOCK}] = 0")
                case Forking():
                    self._part(step)
                case Deciding():
                    outer, self.ways = self.ways, step.ways
                    self._decide(step.block, self.program.decisions[step.block], _Way(()))
                    self.ways = outer
                case Repeating(steps=(Forking(then=(), other=(Leaving(),)) as head, *rest)) if (
                    search := self._search(head)
                ) is not None:
                    self._for_each(search, tuple(rest))
                case Repeating():
                    outer_early, self.early = self.early, self._listed_by_test(step.steps)
                    with self.indented("while 1:"):
                        self._flow(step.steps)
                    self.early = outer_early
                case Leaving():
                    self.line("break")
                case Beginning():
                    self.line("continue")
                case _:
                    assert_never(step)

    def _part(self, step: Forking) -> None:
        """Print two ways. What the first one begins with may be in the block already, behind the same test."""
        body, test, first = self._parted(step.block)
        self._body(body)
        if not step.then and step.other == (Leaving(),):
            if self.early is None:
                self.line(f"if {self.truth(p.negate(test))}: break")
            else:
                self._body(self.early.body[:-1])
                self.line(f"if not {self._given_list(self.early)}: break")
            self._body(first)
            return
        with self.indented(f"if {self.truth(test)}:"):
            self._body(first)
            self._flow(step.then)
        if step.other:
            with self.indented("else:"):
                self._flow(step.other)

    def _parted(self, number: int) -> tuple[Body, Num, Body]:
        """Return the body of a block with two ways, the test between them, and what is done first where the test holds."""
        block = self.program.blocks[number]
        assert isinstance(block.end, p.Branch)
        test = block.end.test
        match block.body:
            case (*before, p.Set(var=v, value=value), p.If(test=again, then=then, other=())) if (
                v == test == again and not any(v in p.assigned(s) for s in p.statements(then))
            ):
                return tuple(before), value, then
            case (*before, p.Set(var=v, value=value)) if v == test:
                return tuple(before), value, ()
            case body:
                return body, test, ()

    def _listed_by_test(self, steps: Steps) -> p.Function | None:
        """Return the function that lists the rows of a loop's first move, if the loop runs as long as there are any; else None."""
        match steps:
            case (Forking(then=(), other=(Leaving(),)) as head, *rest):
                body, test, _ = self._parted(head.block)
            case _:
                return None
        empty = [i for i, step in enumerate(rest) if not (isinstance(step, Running) and not self._does(step))]
        ask = rest[empty[0]] if empty else None
        d = self.program.decisions[ask.block] if isinstance(ask, Deciding) else None
        if body or not isinstance(d, p.Ask) or d.drawing is None or not isinstance(test, p.AnyRange):
            return None
        rows = self.functions[d.drawing.rows]
        match test.at, rows.body:
            case (
                p.Const(value=at),
                (
                    p.NewList(),
                    p.ForList(
                        of=p.ListConst(table=table),
                        body=(p.If(test=p.Cmp(op=">", left=p.Load(at=p.Var() as slot), right=p.ZERO)),),
                    ) as loop,
                    p.Return(value=ListVar()),
                ),
            ):
                column = loop.vars.index(slot)
            case _:
                return None
        looked_at = {at + i * test.step + j for i in range(test.many) for j in range(test.width)}
        if {row[column] for row in self.program.tables[table] if isinstance(row, tuple)} != looked_at:
            return None
        given = {x for s in p.statements(rows.body) for e in p.operands(s) for x in p.walk(e)} & {*rows.parameters}
        return None if given else rows

    def _does(self, step: Running) -> bool:
        """Return whether a block does anything."""
        return any(not isinstance(s, p.FromRule) for s in self.program.blocks[step.block].body)

    def _search(self, head: Forking) -> _ItemSearch | None:
        """Return how the head of a loop finds its next item; None if it does something else."""
        block = self.program.blocks[head.block]
        assert isinstance(block.end, p.Branch)
        match block.body:
            case (
                p.Set(var=found, value=p.Const(value=0)),
                p.While(test=p.And(parts=(p.Not(of=missing), more)), body=(*item, last)),
                p.If(test=p.Not(of=none), then=clearing, other=()),
            ) if found == missing == none == block.end.test:
                holds = last.test if isinstance(last, p.If) else p.ONE
                if last in (p.Set(found, p.ONE), p.If(holds, (p.Set(found, p.ONE),))):
                    return _ItemSearch(more, tuple(item), holds, clearing)
        return None

    def _for_each(self, search: _ItemSearch, rest: Steps) -> None:
        """Print a loop over items that are found one after the other: those of a table, or as the state has them."""
        match search.more, search.item:
            case (
                p.Cmp(op="<", left=p.Load(at=p.Const() as position) as now, right=p.Const(value=size)),
                (p.Pass() as limit, p.Store(at=p.Const() as slot, value=p.Cell(table=table)), p.Store() as step, *more),
            ) if step == p.Store(position, p.add(now, p.ONE)) and len(self.program.tables[table]) == size:
                with self.indented(f"for {self._slot(slot)} in T{table}:"):
                    self._found_item((limit, *more), search.holds)
                    self._flow(rest)
                self._body(self._still_read(search.clearing))
            case _:
                with self.indented("while 1:"):
                    with self.indented(f"if {self.truth(p.negate(search.more))}:"):
                        self._body(self._still_read(search.clearing))
                        self.line("break")
                    self._found_item(search.item, search.holds)
                    self._flow(rest)

    def _still_read(self, clearing: Body) -> Body:
        return tuple(s for s in clearing if not (isinstance(s, p.Store) and self._is_gone(s.at)))

    def _found_item(self, item: Body, holds: Num) -> None:
        self._body(item)
        if holds != p.ONE:
            self.line(f"if {self.truth(p.negate(holds))}: continue")

    def _slot(self, at: Num) -> str:
        """Return a number of the state: a local in a whole game, if it is always named by its number."""
        if isinstance(at, p.Const) and not self.inside:
            self.direct.add(at.value)
            if at.value in self.held:
                return f"s{at.value}"
        else:
            self._reaches(at)
        return f"S[{self.num(at)}]"

    def _is_gone(self, at: Num) -> bool:
        """Return whether nobody reads a slot of a frame any more, once the frame is done with it: it is a local."""
        return isinstance(at, p.Const) and at.value in self.held & self.frames

    def _reaches(self, at: Num, more: int = 0) -> None:
        """Note a stretch of the state, of which only the state knows which slot is meant."""
        if self.mode == "whole":
            self.spans.append((at, more))

    def _is_set(self, v: Var | ListVar, value: str | Num | List) -> None:
        """Note what a local is set to; a text may be anything."""
        known = self.values.setdefault(v.number, [])
        if isinstance(value, str) or p.is_list(value):
            self.values[v.number] = None
        elif known is not None:
            known.append(value)  # type: ignore[arg-type]

    def _call(self, function: int, *values: str) -> str:
        self.called[function] = None
        return f"f{function}({', '.join(['S', 'X', *values])})"

    def _fault(self, number: int, *values: str) -> str:
        """Return the text that raises a fault, once the run knows how many passes there were."""
        told = "X.idle = idle; " if self.idle == "idle" and not self.inside else ""
        return f"{told}fault({', '.join([str(number), *values])})"

    def _random(self) -> str:
        return "word()" if self.mode == "whole" else "X.word()"

    @property
    def _more(self) -> str:
        """Return how many decisions may still be made."""
        return "more" if self.mode == "whole" else "X.more"

    # functions and blocks --------------------------------------------------------------------------------

    def function(self, f: p.Function) -> None:
        parameters = ", ".join(["S", "X", *(["out"] if f.role == "legal" else []), *map(self._name, f.parameters)])
        with self._def(f"f{f.number}({parameters})"):
            for s in p.statements(f.body):
                if isinstance(s, p.Once | p.OnceNum):
                    self.line(f"m{s.memo} = {{}}")
            self._body(f.body)

    def _name(self, v: Var | ListVar) -> str:
        return f"l{v.number}" if isinstance(v, ListVar) else f"v{v.number}"

    def _goto(self, number: int, way: _Way) -> None:
        """Print what goes on with a block: here, if it is short or little else leads to it, else by its number."""
        if self.mode == "whole":
            self._flow(self.ways.get(number, ()))
        elif number == self.block:
            self.begins_again = True
            self.line("continue")
        elif number in way.gone or len(way.gone) >= DEEPEST or not self._is_written_here(number):
            self.line(f"return {number}")
        elif isinstance((block := self.program.blocks[number]).end, p.Wait):
            self._decide(number, self.program.decisions[number], way.on(number))
        else:
            self._run(block, way.on(number))

    def _is_written_here(self, number: int) -> bool:
        block = self.program.blocks[number]
        if isinstance(block.end, p.Wait):
            few = self.leading[number] <= LEADING and len(self.lines) - self.first < LONG
            return self.mode == "random" and isinstance(self.program.decisions[number], p.Draw) and few
        return self.leading[number] <= 1 or sum(1 for _ in p.statements(block.body)) <= SHORT

    def _run(self, block: p.Block, way: _Way) -> None:
        self._body(block.body)
        self._ending(block.end, way.after(block.body))

    def _ending(self, end: p.Ending, way: _Way) -> None:
        match end:
            case p.Goto():
                self._goto(end.block, way)
            case p.Branch():
                with self.indented(f"if {self.truth(end.test)}:"):
                    self._goto(end.then, way)
                self._goto(end.other, way)
            case p.GoBack() if end.slot in way.returns:
                self.line(f"S[{end.slot}] = 0")
                self._goto(way.returns[end.slot], way)
            case p.GoBack():
                self.line(f"back = S[{end.slot}]")
                self.line(f"S[{end.slot}] = 0")
                self.line("return back")
            case p.End():
                self.line(f"S[{BLOCK}] = 0")
                self.line(f"return {WAIT}")
            case p.Wait():
                raise AssertionError(end)
            case _:
                assert_never(end)

    # statements ------------------------------------------------------------------------------------------

    def _body(self, body: Body) -> None:
        skipped = False
        for i, s in enumerate(body):
            following = body[i + 1] if i + 1 < len(body) else None
            if skipped:
                skipped = False
            elif isinstance(s, p.NewList) and (text := self._listed(s, following)) is not None:
                self.line(f"{self._name(s.var)} = {text}")
                skipped = True
            else:
                self._statement(s)

    def _listed(self, new: p.NewList, loop: Statement | None) -> str | None:
        """Return an empty list and a loop that does nothing but add to it, as one expression; None if it is more."""
        if new.zeros or not isinstance(loop, p.ForRange | p.ForList) or len(loop.body) != 1:
            return None
        loop, picking = self._picked(loop)
        match loop.body[0]:
            case p.If(test=test, then=(p.Push() as push,), other=()):
                condition = f" if {self.truth(test)}"
            case p.Push() as push:
                test, condition = p.ONE, ""
            case _:
                return None
        asked = (*p.operands(loop), test, *push.values)
        if push.var != new.var or any(x == new.var for e in asked for x in p.walk(e)):
            return None
        rows = self._compressed(picking)
        if rows and not condition and isinstance(loop, p.ForList) and push.values == loop.vars:
            return f"[*{rows}]"
        return f"[{self._pushed(push)} for {self._head(loop, rows)}{condition}]"

    def _picked(self, s: p.ForRange | p.ForList) -> tuple[p.ForRange | p.ForList, _Picking | None]:
        """Return a loop over rows that skips those with a 0 at an address as a loop over the other rows alone.

        The numbers are looked at all at once, before the first pass: nothing in the loop may change them.
        """
        match s:
            case p.ForList(of=p.ListConst() as of, body=(p.If(test=test, then=then, other=()),)):
                first, *more = test.parts if isinstance(test, p.And) else (test,)
            case _:
                return s, None
        match first:
            case p.Cmp(op=">" | "!=", left=p.Load(at=p.Var() as at, lo=lo), right=p.Const(value=0)) if (
                lo >= 0 and at in s.vars
            ):
                body = (p.If(p.both(*more), then),) if more else then
            case _:
                return s, None
        if any(isinstance(x, EFFECTS) for x in p.statements(then)):
            return s, None
        rows = [row if isinstance(row, tuple) else (row,) for row in self.program.tables[of.table]]
        addresses = tuple(row[s.vars.index(at)] for row in rows)
        read = {x for y in p.statements(body) for e in p.operands(y) for x in p.walk(e)}
        kept = [i for i, v in enumerate(s.vars) if v != at or v in read]
        if not kept or len(rows) < 2:
            return s, None
        table = tuple(tuple(row[i] for i in kept) if len(kept) > 1 else row[kept[0]] for row in rows)
        names = tuple(s.vars[i] for i in kept)
        return p.ForList(names, replace(of, width=len(kept)), body), _Picking(table, addresses)

    def _compressed(self, picking: _Picking | None) -> str:
        """Return the rows of a table that are picked; no text where all of them are."""
        if picking is None:
            return ""
        for address in picking.addresses:
            self._reaches(p.const(address))
        table, numbers = self._side_by_side(picking) or (picking.table, self._one_by_one(picking.addresses))
        return f"compress({self._constant(repr(table), 'T')}, {numbers})"

    def _side_by_side(self, picking: _Picking) -> tuple[tuple[Any, ...], str] | None:
        """Return the numbers at addresses that follow one another, with a few others at even intervals, read all at once.

        The others become 0, with any row. None if the addresses lie in another way.
        """
        table, addresses = picking.table, picking.addresses
        first, last = addresses[0], addresses[-1]
        width = next((i for i, at in enumerate(addresses) if at != first + i), len(addresses))
        step = addresses[width] - first if width < len(addresses) else width
        rows = dict(zip(addresses, table, strict=True))
        between = [at for at in range(first, last + 1) if at not in rows]
        if not width <= step < 2 * width or addresses != tuple(sorted(rows)) or (between and len(rows) < MANY):
            return None
        if any((at - first) % step < width for at in between) or any((at - first) % step >= width for at in addresses):
            return None
        if not between:
            return table, f"S[{first}:{last + 1}]"
        # where the program waits, the state may be a tuple
        self.line(f"numbers = [*S[{first}:{last + 1}]]" if self.mode == "wait" else f"numbers = S[{first}:{last + 1}]")
        for offset in range(width, step):
            zeros = len(range(first + offset, last + 1, step))
            self.line(f"numbers[{offset}::{step}] = {self._constant(repr((0,) * zeros), 'T')}")
        return tuple(rows.get(at, table[0]) for at in range(first, last + 1)), "numbers"

    def _one_by_one(self, addresses: Sequence[int]) -> str:
        if self.mode == "whole":  # whose text is run most often, and may be longer
            return f"({', '.join(f'S[{at}]' for at in addresses)})"
        return f"{self._constant(f'itemgetter{tuple(addresses)!r}', 'G')}(S)"

    def _constant(self, text: str, letter: str) -> str:
        """Return the name of a constant of the module."""
        return self.constants.setdefault(text, f"{letter}{len(self.program.tables) + len(self.constants)}")

    def _pushed(self, s: p.Push) -> str:
        values = ", ".join(map(self.num, s.values))
        return values if s.var.width == 1 else f"({values},)"

    def _head(self, s: p.ForRange | p.ForList, rows: str = "") -> str:
        """Return the locals of a loop, and what it goes through: `rows`, if that is another text."""
        for v in p.assigned(s):
            self._is_set(v, "")
        if isinstance(s, p.ForRange):
            step = f", {s.step}" if s.step != 1 else ""
            start = f"{self.num(s.start)}, " if s.start != p.ZERO or step else ""
            return f"{self._name(s.var)} in range({start}{self.num(s.stop)}{step})"
        names = ", ".join(map(self._name, s.vars))
        if s.of.width > 1 and len(s.vars) == 1:
            names = f"({names},)"
        return f"{names} in {rows or self.list(s.of)}"

    def _statement(self, s: Statement) -> None:
        match s:
            case p.Set():
                self._set(s)
            case p.SetList():
                self.line(f"{self._name(s.var)} = {self.list(s.value)}")
            case p.NewList():
                self.line(f"{self._name(s.var)} = [0] * {s.zeros}" if s.zeros else f"{self._name(s.var)} = []")
            case p.Push():
                self.line(f"{self._name(s.var)}.append({self._pushed(s)})")
            case p.Put():
                self.line(f"{self._name(s.var)}[{self.num(s.index)}] = {self.num(s.value)}")
            case p.Ways():
                counts = "".join(f"{self.num(c)}, " for c in s.counts)
                self.line(f"{self._name(s.var)} = several(({counts}), {self.num(s.least)}, {self.num(s.most)})")
            case p.Store(at=p.Const(value=slot)) if slot in self.returns:
                pass  # where a whole game returns to is known
            case p.Store():
                self._store(s)
            case p.Keep():
                value = self.list(s.value)
                self._reaches(p.const(s.at), s.value.longest)
                self.line(
                    f"store_list(S, {s.at}, {value})" if s.framed else f"S[{s.at}:{s.at + s.value.longest}] = {value}"
                )
            case p.Clear():
                self._clear(s)
            case p.Shift():
                first, last = self.num(s.first), self.num(s.last)
                self._reaches(s.first, s.last.hi - s.first.lo + s.by)
                self.line(f"S[{first} + {s.by}:{last} + {1 + s.by}] = S[{first}:{last} + 1]")
            case p.If():
                self._if(s)
            case p.ForRange() | p.ForList():
                loop, picking = self._picked(s)
                with self.indented(f"for {self._head(loop, self._compressed(picking))}:"):
                    self._body(loop.body)
            case p.While():
                with self.indented(f"while {self.truth(s.test)}:"):
                    self._body(s.body)
            case p.Break():
                self.line("break")
            case p.Continue():
                self.line("continue")
            case p.Once() | p.OnceNum():
                self._is_set(s.var, "")
                name, index = self._name(s.var), self.num(s.index)
                self.line(f"{name} = m{s.memo}.get({index})")
                with self.indented(f"if {name} is None:"):
                    self._body(s.body)
                    self.line(f"m{s.memo}[{index}] = {name}")
            case p.Do():
                self.line(self._call(s.function, *map(self.value, s.args)))
            case p.Return():
                self.line("return" if s.value is None else f"return {self.value(s.value)}")
            case p.Group():
                first = "".join(f"{self._chosen(v)}, " for v in s.first)
                self.line(f"out.append(({s.move}, ({first}), {'(None,)' if s.last is None else self.list(s.last)}))")
            case p.Fail():
                self.line(self._fault(s.number, *([] if s.value is None else [self.num(s.value)])))
            case p.Pass():
                self.line(f"{self.idle} += {s.cost}")
                self.line(f"if {self.idle} > {IDLE_LIMIT}: {self._fault(s.fault)}")
            case p.Tally():
                self.line(f"tally[0] += {s.cost if s.times == p.ONE else f'{s.cost} * ({self.num(s.times)})'}")
            case p.Score():
                self._score(s)
            case p.Remember():
                with self.indented(f"if remember(S, {s.number}, {s.stretches!r}):"):
                    self.line(self._fault(s.fault))
            case p.Tell():
                self._tell(s)
            case p.Show():
                self._show(s)
            case p.Moved():
                parts = ", ".join(map(self.num, (s.source, s.goal, s.kind, s.many)))
                self.line(f"X.moved.append(({parts}))")
            case p.FromRule():
                pass
            case p.Mark():
                self.line(f"X.marks.add({s.number})")
            case p.Refused():
                self.line(f"watched(({s.move}, {s.condition}))")
            case _:
                assert_never(s)

    def _clear(self, s: p.Clear) -> None:
        if self.mode == "whole":
            slots = [p.const(slot) for slot in range(s.at, s.at + s.many)]
            if names := [self._slot(slot) for slot in slots if not self._is_gone(slot)]:
                self.line(f"{' = '.join(names)} = 0")
        elif s.many == 1:
            self.line(f"S[{s.at}] = 0")
        else:
            self.line(f"S[{s.at}:{s.at + s.many}] = [0] * {s.many}")

    def _chosen(self, v: Num | List) -> str:
        """Return a chosen value as the verbs handle it: pieces chosen together are a tuple."""
        return f"tuple({self.list(v)})" if p.is_list(v) else self.num(v)  # type: ignore[arg-type]

    def _set(self, s: p.Set) -> None:
        """Give a local its value; the smaller or larger of two is found without a call, if one of them is simple."""
        name = self._name(s.var)
        self._is_set(s.var, s.value)
        match s.value:
            case (
                p.Bin(op="min" | "max", left=other, right=p.Var() | p.Const() as limit)
                | p.Bin(op="min" | "max", left=p.Var() | p.Const() as limit, right=other)
            ) if limit != s.var:
                self.line(f"{name} = {self.num(other)}")
                compared = ">" if s.value.op == "min" else "<"
                self.line(f"if {name} {compared} {self.num(limit)}: {name} = {self.num(limit)}")
            case _:
                self.line(f"{name} = {self.num(s.value)}")

    def _store(self, s: p.Store) -> None:
        match s.value:
            case p.Bin(op="+" | "-", left=p.Load(at=at)) if at == s.at:
                op, right = s.value.op, s.value.right
                if op == "+" and isinstance(right, p.Const) and right.value < 0:
                    op, right = "-", p.const(-right.value)
                self.line(f"{self._slot(s.at)} {op}= {self.num(right)}")
            case _:
                self.line(f"{self._slot(s.at)} = {self.num(s.value)}")

    def _if(self, s: p.If) -> None:
        then, other, test = s.then, s.other, s.test
        if (
            self.mode == "whole"
            and not other
            and all(isinstance(x, p.Score | p.Tell | p.Show) for x in then)
            and is_total(test)
        ):
            return  # why points were scored, and what is told, is not asked
        if not then:
            then, other, test = other, (), p.negate(test)
        if not other and len(then) == 1 and isinstance(then[0], p.Break | p.Continue):
            self.line(f"if {self.truth(test)}: {'break' if isinstance(then[0], p.Break) else 'continue'}")
            return
        with self.indented(f"if {self.truth(test)}:"):
            self._body(then)
        while len(other) == 1 and isinstance(inner := other[0], p.If) and inner.then:
            with self.indented(f"elif {self.truth(inner.test)}:"):
                self._body(inner.then)
            other = inner.other
        if other:
            with self.indented("else:"):
                self._body(other)

    def _score(self, s: p.Score) -> None:
        if self.mode == "whole":
            return
        if self.mode == "random":
            self.line("X.scored = 1")
            return
        self._body(s.body)
        lines = []
        for x in s.lines:
            args, shown = ("".join(f"{self._chosen(v)}, " for v in part) for part in (x.args, x.shown))
            lines.append(f"({x.rule}, ({args}), {self.num(x.points)}, ({shown}))")
        self.line(f"record_points(X, {self.num(s.player)}, [{', '.join(lines)}], {self.num(s.gained)})")
        self.line("X.scored = 1")

    def _tell(self, s: p.Tell) -> None:
        if self.mode in ("whole", "random"):
            return
        self._body(s.body)
        shown = "".join(f"{self._chosen(v)}, " for v in s.shown)
        self.line(f"record_told(X, {s.text}, ({shown}))")

    def _show(self, s: p.Show) -> None:
        if self.mode in ("whole", "random"):
            return
        self._body(s.body)
        places, to = (self._chosen(v) if p.is_list(v) else f"({self._chosen(v)},)" for v in (s.places, s.to))
        self.line(f"record_shown(X, S, {s.text}, {places}, {s.width}, {to})")

    # numbers and lists -----------------------------------------------------------------------------------

    def value(self, v: Num | List) -> str:
        return self.list(v) if p.is_list(v) else self.num(v)  # type: ignore[arg-type]

    def num(self, e: Num) -> str:
        """Return a number; what a comparison gives is made one, so that nobody ever sees `True` for 1."""
        match e:
            case p.AnyRange():
                return f"(1 if {self.truth(e)} else 0)"
            case p.Cmp() | p.Within() | p.Not() | p.And() | p.Or() | p.InList():
                return f"(+{self.test(e)})"
            case p.Const():
                return str(e.value) if e.value >= 0 else f"({e.value})"
            case p.Var():
                return f"v{e.number}"
            case p.Known():
                return self.num(e.of)
            case p.Load():
                return self._slot(e.at)
            case p.Cell():
                return f"T{e.table}[{self.num(e.index)}]"
            case p.Bin(op="min" | "max"):
                return f"{e.op}({self.num(e.left)}, {self.num(e.right)})"
            case p.Bin(op="+", right=p.Const(value=value)) if value < 0:
                return f"({self.num(e.left)} - {-value})"
            case p.Bin():
                op = "//" if e.op == "/" else e.op
                return f"({self.num(e.left)} {op} {self.num(e.right)})"
            case p.Select():
                return f"({self.num(e.then)} if {self.truth(e.test)} else {self.num(e.other)})"
            case p.SumRange(at=p.Const() | p.Var()) if e.many <= FEW:
                return f"({' + '.join(self._loads(e.at, e.many, e.step))})"
            case p.SumRange():
                at = self.num(e.at)
                self._reaches(e.at, (e.many - 1) * e.step)
                step = f":{e.step}" if e.step != 1 else ""
                return f"sum(S[{at}:{at} + {(e.many - 1) * e.step + 1}{step}])"
            case p.CountRange():
                at = self.num(e.at)
                self._reaches(e.at, e.many - 1)
                return f"S[{at}:{at} + {e.many}].count({self.num(e.value)})"
            case p.Call(after=int(after)):
                return f"tried({', '.join([f'f{after}', f'f{e.function}', 'S', *map(self.value, e.args)])})"
            case p.Call():
                return self._call(e.function, *map(self.value, e.args))
            case p.Noted():
                return f"repeats(S, {e.number}, {e.stretches!r})"
            case p.Len():
                return f"len({self.list(e.of)})"
            case p.Item():
                return self._item(e)
            case _:
                assert_never(e)

    def truth(self, e: Num) -> str:
        """Return a condition of which only matters whether it holds: some number other than 0 stands for 1."""
        match e:
            case p.Known():
                return self.truth(e.of)
            case p.Cmp() if (counted := _is_there(e)) is not None:
                return self._there(*counted)
            case p.Cmp(op="!=", right=p.Const(value=0)):
                return self.num(e.left)
            case p.Cmp(op=">", right=p.Const(value=0)) if e.left.lo >= 0:
                return self.num(e.left)
            case p.Cmp(op="==", right=p.Const(value=0)):
                return f"(not {self.num(e.left)})"
            case p.Not():
                return f"(not {self.truth(e.of)})"
            case p.And():
                return f"({' and '.join(map(self.truth, e.parts))})"
            case p.Or():
                return f"({' or '.join(map(self.truth, e.parts))})"
            case p.AnyRange(at=p.Const() | p.Var()) if e.width <= FEW:
                starts = [p.add(e.at, p.const(i * e.step)) for i in range(e.many)]
                return "(" + " or ".join(x for at in starts for x in self._loads(at, e.width)) + ")"
            case _:
                return self.test(e)

    def test(self, e: Num) -> str:
        """Return a condition: true or 1 where it holds, false or 0 where not."""
        match e:
            case p.Known():
                return self.test(e.of)
            case p.Cmp() if (counted := _is_there(e)) is not None:
                return self._there(*counted)
            case p.Cmp(left=p.Bin(op="-", left=left, right=right), right=p.Const(value=0)):
                return f"({self.num(left)} {e.op} {self.num(right)})"
            case p.Cmp():
                return f"({self.num(e.left)} {e.op} {self.num(e.right)})"
            case p.Within():
                return f"({e.low} <= {self.num(e.of)} <= {e.high})"
            case p.Not():
                return f"(not {self.test(e.of)})"
            case p.And():
                return f"({' and '.join(map(self.test, e.parts))})"
            case p.Or():
                return f"({' or '.join(map(self.test, e.parts))})"
            case p.Select():
                return f"({self.test(e.then)} if {self.truth(e.test)} else {self.test(e.other)})"
            case p.AnyRange():
                self._reaches(e.at, (e.many - 1) * e.step + e.width - 1)
                starts = [self.num(p.add(e.at, p.const(i * e.step))) for i in range(e.many)]
                return "(" + " or ".join(f"any(S[{a}:{a} + {e.width}])" for a in starts) + ")"
            case p.InList():
                return f"({self.num(e.item)} in {self.list(e.of)})"
            case _:
                return self.num(e)

    def _there(self, counted: p.CountRange, there: bool) -> str:
        """Return a test of whether a number is among those that would be counted; it stops at the first that is."""
        value = self.num(counted.value)
        match counted.at, counted.value:
            case ((p.Const() | p.Var() | p.Bin(op="+", left=p.Var(), right=p.Const())), (p.Const() | p.Var())) if (
                counted.many <= FEW
            ):
                op, joined = ("==", " or ") if there else ("!=", " and ")
                return f"({joined.join(f'{x} {op} {value}' for x in self._loads(counted.at, counted.many))})"
            case at, _:
                self._reaches(at, counted.many - 1)
                first = self.num(at)
                return f"({value} {'in' if there else 'not in'} S[{first}:{first} + {counted.many}])"

    def _loads(self, at: Num, many: int, step: int = 1) -> Iterator[str]:
        """Yield the numbers of a stretch of the state, one by one."""
        return (self._slot(p.add(at, p.const(i * step))) for i in range(many))

    def _item(self, e: p.Item) -> str:
        match e.of:
            case p.ListFrame():
                return self._slot(p.add(e.index, p.const(e.of.at + 1)))
            case p.ListSlots():
                return self._slot(p.add(e.index, p.const(e.of.at)))
            case _:
                return f"{self.list(e.of)}[{self.num(e.index)}]"

    def list(self, e: List) -> str:
        match e:
            case p.ListVar():
                return f"l{e.number}"
            case p.ListConst():
                return f"T{e.table}"
            case p.ListCell():
                return f"T{e.table}[{self.num(e.index)}]"
            case p.ListFrame():
                self._reaches(p.const(e.at), e.longest)
                return f"S[{e.at + 1}:{e.at + 1} + S[{e.at}]]"
            case p.ListSlots():
                self._reaches(p.const(e.at), e.longest - 1)
                return f"S[{e.at}:{e.at + e.longest}]"
            case p.ListCall():
                return self._call(e.function, *map(self.value, e.args))
            case _:
                assert_never(e)

    # decisions -------------------------------------------------------------------------------------------

    def _decision(self, number: int, d: p.Decision) -> None:
        match d:
            case p.Ask():
                self._ask(number, d)
            case p.Draw():
                self._draw(number, d)
            case p.Roll():
                self._roll(number, d)
            case _:
                assert_never(d)
        with self._block(number):
            self._decide(number, d, _Way((number,)))

    def _decide(self, number: int, d: p.Decision, way: _Way) -> None:
        """Print what waits for a decision or makes it, and then goes on."""
        match d:
            case p.Ask() if self.mode == "wait":
                self._stop(number, d, way)
            case p.Ask() if d.drawing is not None:
                self._draw_move(number, d, d.drawing, way)
            case p.Ask():
                self._choose(number, d, way)
            case p.Draw() if d.only is None and 0 < len(d.kinds) <= KINDS and not d.returns:
                self._draw_few(number, d, way)
            case p.Draw():
                self._draw_each(number, d, way)
            case p.Roll():
                self._roll_here(number, d, way)
            case _:
                assert_never(d)

    def _ask(self, number: int, d: p.Ask) -> None:
        with self._def(f"ask{number}(S, X)"):
            self._body(d.before)
            self._list(d, "out")
            self.line(f"return {self.num(d.player)}, out")
        with self._def(f"given{number}(S, X, move)"):
            self._body(d.before)
            for option in d.options:
                given = "".join(f"{self._chosen(v)}, " for v in option.given)
                self.line(f"if move == {option.move}: return ({given})")
        if d.drawing is not None:
            with self._def(f"drawn{number}(S, X)"):
                self._body(d.before)
                (option,) = d.options
                names = [self.value(v) for v in (d.player, *option.given)]
                rows = self._call(d.drawing.rows, *names)
                self.line(f"return {option.move}, ({', '.join(names)},), {rows}, T{d.drawing.values}")
        self.block, way = WAIT, _Way((number,))
        with self._def(f"play{number}(S, X, move, args)"):
            self._body(d.before)
            for option in d.options:
                with self.indented(f"if move == {option.move}:"):
                    many = self._choices(option)
                    self._play(number, d, option, [f"args[{i}]" for i in range(many)], way)

    @contextmanager
    def _groups(self, number: int, d: p.Ask, way: _Way, listed: str = "") -> Iterator[None]:
        """Print what sets `groups` to the legal moves, and `n` to their number where it matters; inside, there is at least one.

        `listed` is the name of a list that holds them already.
        """
        if listed:
            pass
        elif self.mode in UNRECORDED:
            self._list(d, "groups")
        else:
            self.line(f"X.who, groups = ask{number}(S, X)")
        with self.indented(f"if not {listed or 'groups'}:"):
            self._without_move(d, way)
        with self.indented("else:") if self.mode == "whole" and d.otherwise is not None else nullcontext():
            self._count(d, listed)
            yield

    def _without_move(self, d: p.Ask, way: _Way) -> None:
        """Print the branch of a player without a legal move."""
        if d.otherwise is None:
            self.line(self._fault(d.no_move))
        else:
            self._idle(d.cost)
            self._goto(d.otherwise, way)

    def _count(self, d: p.Ask, listed: str = "") -> None:
        if listed:
            self.line(f"n = len({listed})")
        elif d.too_many is not None or d.forced or self.mode != "wait":
            self.line("n = 0")
            self.line("for _, _, last in groups: n += len(last)")
        if d.too_many is not None:
            self.line(f"if n > {MOST_MOVES}: {self._fault(d.too_many)}")

    def _stop(self, number: int, d: p.Ask, way: _Way) -> None:
        """Print what waits for a move, but for one that is forced."""
        with self._groups(number, d, way):
            if d.forced:
                with self.indented("if n == 1:"):
                    self._idle(d.cost)
                    self.line("move, first, last = groups[0]")
                    self.line(f"return play{number}(S, X, move, first if last[0] is None else (*first, last[0]))")
            self._limited(d.endless)
            self.line("X.groups = groups")
            self._wait(number)

    def _list(self, d: p.Ask, name: str) -> None:
        """Print what makes the legal moves a list of groups."""
        self.line(f"{name} = []")
        for option in d.options:
            self.line(self._call(option.legal, name, *map(self.value, (d.player, *option.given, *option.but))))

    def _one_list(self, d: p.Ask) -> str:
        """Print the list of all that can be chosen and return its name; no name where a move has more than one choice."""
        if len(d.options) > 1 or self.mode not in UNRECORDED:
            return ""
        (option,) = d.options
        legal = self.functions[option.legal]
        match legal.body:
            case (*body, p.If(test=test, then=(p.Group(first=(), last=p.ListVar() as found),), other=())) if (
                test == p.compare(">", p.Len(found, 0, found.longest), p.ZERO)
                and not any(isinstance(s, p.Return | p.Once | p.OnceNum | p.Group) for s in p.statements(body))
            ):
                same = self._given(legal, (d.player, *option.given, *option.but))
                self._body(Fold(same, ()).body(tuple(body)))
                return self._name(found)
            case _:
                return ""

    def _choose(self, number: int, d: p.Ask, way: _Way) -> None:
        """Print what plays one of the legal moves at random."""
        if self.mode in UNRECORDED:
            self._body(d.before)
        listed = self._one_list(d)
        with self._groups(number, d, way, listed):
            self.line("r = 0")
            if d.forced and d.cost:
                with self.indented("if n == 1:"):
                    self._idle(d.cost)
            with self.indented("else:" if d.cost else "if n > 1:") if d.forced else nullcontext():
                self._last_step(number)
                self._limited(d.endless)
                self._decided(step=True)
                self.line(f"r = {self._random()} * n >> 32")
            if listed:
                (option,) = d.options
                self._play(number, d, option, [f"{listed}[r]"], way)
                return
            self._found()
            if self.mode == "traced":
                self.line("args = first if last[r] is None else (*first, last[r])")
                with self.indented("if n > 1:") if d.forced else nullcontext():
                    self.line("X.trail.append((move, args))")
                self.line(f"return play{number}(S, X, move, args)")
                return
            for i, option in enumerate(d.options):
                many = self._choices(option)
                chosen = [*(f"first[{i}]" for i in range(many - 1)), *["last[r]"][:many]]
                head = f"{'elif' if i else 'if'} move == {option.move}:"
                with self.indented(head) if len(d.options) > 1 else nullcontext():
                    self._play(number, d, option, chosen, way)

    def _last_step(self, number: int) -> None:
        """Print what stops before a decision that is one too many for a rollout."""
        if self.mode != "whole":
            with self.indented("if X.steps <= 0:"):
                self._wait(number)

    def _found(self) -> None:
        """Print what sets `move`, `first` and `last[r]` to move number r among all groups."""
        with self.indented("for move, first, last in groups:"):
            self.line("if r < len(last): break")
            self.line("r -= len(last)")

    def _draw_move(self, number: int, d: p.Ask, drawing: p.Drawing, way: _Way) -> None:
        """Print what plays a legal move that is drawn, or picked from all of them where that does not succeed soon."""
        (option,) = d.options
        self._body(d.before)
        table = self.program.tables[drawing.values]
        legal, rows = self.functions[drawing.legal], self.functions[drawing.rows]
        width = len(legal.parameters) - len(option.given) - 2  # of a row
        drawn = [v for v in legal.parameters[-width - 1 :] if isinstance(v, Var)]
        chosen = [self._name(v) for v in drawn]
        for v in drawn:
            self._is_set(v, "")
        if rows == self.early:
            listed, self.early = self._given_list(rows), None
        else:
            listed = self._rows(rows, (d.player, *option.given))
        self.line(f"n = len({listed}) * {len(table)}")
        if self.mode != "whole":
            self.line("word = X.word")
        same = self._given(legal, (d.player, *option.given, *drawn))
        may_have_none = self.mode == "whole" and d.otherwise is not None
        if may_have_none:
            self.line("taken = 1")
        tries, none = self._constant(f"range({TRIES})", "T"), self._constant("range(0)", "T")
        with self.indented(f"for _ in {tries} if n{'' if self.mode == 'whole' else ' and X.steps > 0'} else {none}:"):
            self.line("r = word() * n >> 32")
            self.line(f"{', '.join(chosen[:-1])} = {listed}[r // {len(table)}]")
            self.line(f"{chosen[-1]} = T{drawing.values}[r % {len(table)}]")
            if _returns_inside(legal.body):
                names = (
                    self.num(same.get(v.number, v)) if isinstance(v, Var) else self._name(v) for v in legal.parameters
                )
                self.line(f"if not {self._call(drawing.legal, *names)}: continue")
            else:
                self._tested(Fold(same, ()).body(self._by_cases(legal, drawing)))
            self.line("break")
        with self.indented("else:"), self._none_taken(d) if may_have_none else self._groups(number, d, way):
            self._last_step(number)
            self.line(f"r = {self._random()} * n >> 32")
            self._found()
            for i, name in enumerate(chosen[:-1]):
                self.line(f"{name} = first[{i}]")
            self.line(f"{chosen[-1]} = last[r]")
        with self.indented("if taken:") if may_have_none else nullcontext():
            self._limited(d.endless)
            self._decided(step=True)
            if self.mode == "traced":
                self.line(f"X.trail.append(({option.move}, ({', '.join(chosen)})))")
            self._play(number, d, option, drawn, way)
        if may_have_none:
            with self.indented("else:"):
                self._without_move(d, way)

    @contextmanager
    def _none_taken(self, d: p.Ask) -> Iterator[None]:
        """Print what sets `groups` to the legal moves and `taken` to whether there are any; inside, there is at least one."""
        self._list(d, "groups")
        self.line("taken = len(groups)")
        with self.indented("if taken:"):
            self._count(d)
            yield

    def _by_cases(self, f: p.Function, drawing: p.Drawing) -> Body:
        """Return the body of a function whose last parameters are a row and a value that were drawn."""
        if self.mode not in UNRECORDED:
            return f.body
        rows = self.functions[drawing.rows].body
        inside = list(p.statements(rows))
        given = [s.value for s in inside if isinstance(s, p.Return)]
        pushes = [s.values for s in inside if isinstance(s, p.Push) and s.var in given]
        columns = [self._values(pushed, rows) for pushed in zip(*pushes, strict=True)]
        columns.append(self._column(drawing.values, 0))
        drawn = zip(f.parameters[-len(columns) :], columns, strict=True)
        return by_cases(f.body, [(v, known) for v, known in drawn if isinstance(v, Var) and known], self.program.tables)

    def _values(self, pushed: Sequence[Num], body: Body) -> tuple[int, ...]:
        """Return the values that are pushed, where they come from tables; none where that is not known."""
        found: list[int] = []
        loops = [s for s in p.statements(body) if isinstance(s, p.ForList) and isinstance(s.of, p.ListConst)]
        for e in pushed:
            if isinstance(e, p.Const):
                found.append(e.value)
                continue
            tables = [(s.of.table, s.vars.index(e)) for s in loops if e in s.vars]  # type: ignore[union-attr]
            if not tables:
                return ()
            for table, at in tables:
                found += self._column(table, at)
        return tuple(dict.fromkeys(found))

    def _column(self, table: int, at: int) -> tuple[int, ...]:
        return tuple(dict.fromkeys(row[at] if isinstance(row, tuple) else row for row in self.program.tables[table]))

    def _rows(self, f: p.Function, values: Sequence[Num | List]) -> str:
        """Return the name of the list that a function gives; it is written here, if it ends with that."""
        match f.body:
            case (*body, p.Return(value=p.ListVar() as found)) if not any(
                isinstance(s, p.Return | p.Once | p.OnceNum) for s in p.statements(body)
            ):
                same = self._given(f, values)
                self._body(Fold(same, ()).body(tuple(body)))
                return self._name(found)
            case _:
                self.line(f"rows = {self._call(f.number, *map(self.value, values))}")
                return "rows"

    def _given_list(self, f: p.Function) -> str:
        """Return the name of the list that a function gives at its end."""
        match f.body:
            case (*_, p.Return(value=p.ListVar() as found)):
                return self._name(found)
        raise AssertionError(f)

    def _choices(self, option: p.MoveOption) -> int:
        """Return how many values are chosen in a move."""
        many = len(option.slots) if option.play is None else len(self.functions[option.play].parameters)
        return many - len(option.given) - 1

    def _do(self, f: p.Function, values: Sequence[str | Num | List]) -> None:
        """Print what runs a procedure: its body, if it runs to its end and belongs to random games, which come here often."""
        if self.mode not in UNRECORDED or any(
            isinstance(s, p.Return | p.Once | p.OnceNum) for s in p.statements(f.body)
        ):
            self.line(self._call(f.number, *map(self._text, values)))
            return
        same = self._given(f, values)
        self._body(Fold(same, ()).body(f.body))

    def _given(self, f: p.Function, values: Sequence[str | Num | List]) -> dict[int, Num]:
        """Give parameters their values before the body of a function is printed; those that are locals stand for them."""
        written = {v.number for s in p.statements(f.body) for v in p.assigned(s)}
        same: dict[int, Num] = {}
        for v, value in zip(f.parameters, values, strict=True):
            if isinstance(value, Var) and v.number not in written and value.number not in written:
                same[v.number] = value
            else:
                self._is_set(v, value)
                self.line(f"{self._name(v)} = {self._text(value)}")
        return same

    def _text(self, value: str | Num | List) -> str:
        return value if isinstance(value, str) else self.value(value)

    def _tested(self, body: Body) -> None:
        """Print the body of a test, in a loop that goes on with its next pass where the test does not hold."""
        for s in body:
            match s:
                case p.Return(value=p.Const(value=0)):
                    self.line("continue")
                case p.Return(value=p.Const()):
                    return
                case p.Return(value=value) if value is not None and not p.is_list(value):
                    self.line(f"if not {self.truth(value)}: continue")  # type: ignore[arg-type]
                    return
                case p.If() if any(isinstance(x, p.Return) for x in p.statements((s,))):
                    with self.indented(f"if {self.truth(s.test)}:"):
                        self._tested(s.then)
                    if s.other:
                        with self.indented("else:"):
                            self._tested(s.other)
                case _:
                    self._body((s,))

    def _play(self, number: int, d: p.Ask, option: p.MoveOption, chosen: Sequence[str | Var], way: _Way) -> None:
        """Print what plays a move; `chosen` are locals that hold what is chosen, or its texts."""
        values = (d.player, *option.given, *chosen)
        if option.play is not None:
            f = self.functions[option.play]
            if d.drawing is not None and isinstance(chosen[-1], Var):
                f = replace(f, body=self._by_cases(f, d.drawing))
            self._do(f, values)
            self._goto(d.after, way.after(f.body))
            return
        if self.mode != "whole":
            self.line(f"S[{option.back}] = {d.after}")
            if option.again is not None:
                self.line(f"S[{option.again}] = {number}")
        for slots, value in zip(option.slots, values, strict=True):
            self._keep(slots, self._text(value))
        if self.mode == "whole":
            self._goto(option.entry, way)
        else:
            self.line(f"return {option.entry}")

    def _keep(self, slots: p.Slots, text: str) -> None:
        if slots.framed:
            self._reaches(p.const(slots.at), slots.many - 1)
            self.line(f"store_list(S, {slots.at}, {text})")
        elif slots.many != 1:
            self._reaches(p.const(slots.at), slots.many - 1)
            self.line(f"S[{slots.at}:{slots.at + slots.many}] = {text}")
        else:
            self.line(f"{self._slot(p.const(slots.at))} = {text}")

    def _idle(self, cost: int) -> None:
        if cost:
            self.line(f"{self.idle} += {cost}")

    def _limited(self, endless: int) -> None:
        """Print a fault where the game has come to its limit of decisions."""
        self.line(f"if {self._more} <= 0: {self._fault(endless, 'X.limit')}")

    def _decided(self, step: bool = False) -> None:
        """Print what counts a decision that was made: a player's is a step of a rollout."""
        if step and self.mode != "whole":
            self.line("X.steps -= 1")
        self.line(f"{self._more} -= 1")
        self.line(f"{self.idle} = 0")

    def _wait(self, number: int) -> None:
        self.line(f"S[{BLOCK}] = {number}")
        self.line(f"return {WAIT}")

    def _draw(self, number: int, d: p.Draw) -> None:
        with self._def(f"weights{number}(S, X)"):
            self._body(d.before)
            self.line(f"return {self._weights(d)}")
        with self._def(f"play{number}(S, X, move, k)"):
            self.line(f"f{d.take}(S, X, k)")
            self.line(f"S[{d.left}] -= 1")
            self.line(f"return {number}")

    def _draw_each(self, number: int, d: p.Draw, way: _Way) -> None:
        """Print what draws one piece after the other, among what can be drawn then."""
        left = self._slot(p.const(d.left))
        with self.indented(f"while {left} > 0:"):
            if self.mode == "whole":
                self._body(d.before)
                self.line(f"rows = {self._weights(d)}")
            else:
                self.line(f"rows = weights{number}(S, X)")
            self.line("if not rows: " + ("break" if d.up_to else self._fault(d.too_few)))
            self._chance(number, d.endless)
            if self.mode not in UNRECORDED:
                self.line(f"X.trail.append(({DRAW}, k))")
            self._decided()
            self.line(self._call(d.take, "k"))
            self.line(f"{left} -= 1")
        self.line(f"{left} = 0")
        self._after(d, way)

    def _weights(self, d: p.Draw) -> str:
        """Return the text of the kinds that can be drawn, each with its number."""
        spots = (self._slot(p.add(d.pile, p.const(slot))) for slot in d.slots)
        rows = ", ".join(f"({kind}, {spot})" for kind, spot in zip(d.kinds, spots, strict=True))
        only = f" and k in {self.list(d.only)}" if d.only is not None else ""
        return f"[(k, n) for k, n in [{rows}] if n > 0{only}]"

    def _draw_few(self, number: int, d: p.Draw, way: _Way) -> None:
        """Print what draws at random among a few kinds, one branch each, without a list; as many at a time as may be drawn."""
        self._body(d.before)
        left = self._slot(p.const(d.left))
        spots = [self._slot(p.add(d.pile, p.const(slot))) for slot in d.slots]
        self.line(f"n, total = {left}, {' + '.join(spots)}")
        with self.indented("if n > 0 and total:"):
            if self.mode == "wait":
                with self.indented("if X.word is None:"):
                    self._limited(d.endless)
                    self._wait(number)
            else:
                self._round(number)
            self.line("taken = n if n < total else total")
            self.line(f"if taken > {self._more}: taken = {self._more}")
            if self.mode != "whole":
                self.line("word = X.word")
            each = self._each_kind(d) if self.mode in UNRECORDED else None
            if each is not None:
                self._body(each[0])
            with self.indented("for total in range(total, total - taken, -1):"):
                self.line("r = word() * total >> 32")
                self._kind(d, spots, each and each[1])
                if each is None:
                    if self.mode not in UNRECORDED:
                        self.line(f"X.trail.append(({DRAW}, k))")
                    self._take(d)
            with self.indented("if taken > 0:"):
                self.line("n, total = n - taken, total - 1")
                self.line(f"{self._more} -= taken")
                self.line(f"{self.idle} = 0")
            self.line(f"if n > 0 and total > 0: {self._fault(d.endless, 'X.limit')}")
        if not d.up_to:
            self.line(f"if n > 0: {self._fault(d.too_few)}")
        if not self._is_gone(p.const(d.left)):
            self.line(f"{left} = 0")
        self._after(d, way)

    def _after(self, d: p.Draw, way: _Way) -> None:
        """Print what goes on after a draw."""
        self._goto(d.after, way.after(self.functions[d.take].body))

    def _kind(self, d: p.Draw, spots: Sequence[str], bodies: Sequence[Body] | None) -> None:
        """Print what sets `k` to the kind of piece number `r` in the pile, or does what is done with a piece of that kind."""
        for i, (kind, spot) in enumerate(zip(d.kinds, spots, strict=True)):
            if i == len(spots) - 1:
                head = "else:" if i else "if 1:"
            else:
                head = f"elif (r := r - {spots[i - 1]}) < {spot}:" if i else f"if r < {spot}:"
            if bodies is None:
                self.line(f"{head} k = {kind}")
            else:
                with self.indented(head):
                    self._body(bodies[i])

    def _each_kind(self, d: p.Draw) -> tuple[Body, tuple[Body, ...]] | None:
        """Return what is done before pieces are moved, and with a piece of each kind; None if that is much, or more than stores."""
        take = self.functions[d.take]
        (kind,) = take.parameters
        body = take.body
        if len(body) > FEW or not all(isinstance(s, p.Set | p.Store) for s in body):
            return None
        written = [(s.at.lo, s.at.hi) for s in body if isinstance(s, p.Store)]
        lead = 0
        while lead < len(body) and isinstance(s := body[lead], p.Set) and _is_apart(s.value, kind, written):
            lead += 1
        folds = (Fold({kind.number: p.const(k)}, self.program.tables) for k in d.kinds)
        return body[:lead], tuple(fold.body(body[lead:]) for fold in folds)

    def _take(self, d: p.Draw) -> None:
        """Print what moves a piece of the kind `k`."""
        self._do(self.functions[d.take], ["k"])

    def _round(self, number: int) -> None:
        """Print what stops where chance comes, after somebody scored, for the last time that a rollout allows."""
        if self.mode == "whole":
            return
        with self.indented("if X.scored:"):
            self.line("X.scored = 0")
            self.line("X.rounds -= 1")
            with self.indented("if X.rounds == 0:"):
                self._wait(number)

    def _roll(self, number: int, d: p.Roll) -> None:
        with self._def(f"weights{number}(S, X)"):
            self._body(d.before)
            self.line(f"return {self.list(d.rows)}")
        with self._def(f"play{number}(S, X, move, k)"):
            self.line(f"S[{d.slot}] = k")
            self.line(f"return {d.after}")

    def _roll_here(self, number: int, d: p.Roll, way: _Way) -> None:
        if self.mode == "whole":
            self._body(d.before)
            self.line(f"rows = {self.list(d.rows)}")
        else:
            self.line(f"rows = weights{number}(S, X)")
        self.line(f"if not rows: {self._fault(d.nothing)}")
        self._chance(number, d.endless)
        if self.mode not in UNRECORDED:
            self.line(f"X.trail.append(({ROLL}, k))")
        self._decided()
        self.line(f"{self._slot(p.const(d.slot))} = k")
        self._goto(d.after, way)

    def _chance(self, number: int, endless: int) -> None:
        """Print what sets `k` to the value that chance picks among rows of (value, weight)."""
        if self.mode == "wait":
            self._limited(endless)
            with self.indented("if X.word is None:"):
                self._wait(number)
            self.line("k = drawn(rows, X.word())")
            return
        self._round(number)
        self._limited(endless)
        self.line(f"k = drawn(rows, {self._random()})")
