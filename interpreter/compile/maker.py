"""The shared state of the lowering: fresh locals, tables, functions, faults, and the statements being written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from interpreter.compile.program import (
    Block,
    Body,
    Const,
    Decision,
    EntryPoint,
    Function,
    If,
    Known,
    List,
    ListConst,
    ListVar,
    NewList,
    Num,
    Program,
    Set,
    SetList,
    Statement,
    Var,
    walk,
)
from interpreter.compile.total import is_total
from interpreter.fault import FaultCode, FaultEntry
from interpreter.layout import Layout
from rulespec.diagnostics.diagnostic import Span
from rulespec.syntax import NONE, ListOf, Model, PlaceOf, Several, Type, Values, YesNo

Rows = tuple[int, ...] | tuple[tuple[int, ...], ...]
CHEAP = 14  # nodes of an expression that may be worked out where it is not needed


@dataclass(slots=True)
class Site:
    """The body of a function or loop being written, and values already worked out in it, whatever happens after."""

    body: list[Statement]
    values: dict[object, Num] = field(default_factory=dict)


class Maker:
    """Collects the parts of one program."""

    def __init__(self, model: Model, layout: Layout) -> None:
        self.model = model
        self.layout = layout
        self.tables: dict[Rows, int] = {}
        self.functions: list[Function | None] = []  # None while it is being written
        self.faults: dict[FaultEntry, int] = {}
        self.body: list[Statement] = []
        self.sites: list[Site] = [Site(self.body)]  # of the function being written, its loops inward
        self.ignored: frozenset[int] = frozenset()  # depths of loops that what is being written does not depend on
        self._open = [self.body]  # the bodies being written, each inside the one before it
        self._homes: dict[int, list[Statement]] = {}  # of locals: the body in which they were made
        self._depths: dict[int, int] = {}  # of locals: how many loops they are inside
        self._locals = 0
        self._memos = 0

    # what values can be ----------------------------------------------------------------------------------

    def bounds(self, t: Type) -> tuple[int, int]:
        """Return the least and the largest number a value of this type can be in the program."""
        match t:
            case YesNo():
                return 0, 1
            case PlaceOf():
                lay, nowhere = self.layout.places[t.family], self.layout.nowhere_of(t.family)
                return min(lay.base, nowhere), max(lay.end - lay.width, nowhere)
            case Values():
                codes = [*t.members, *([NONE] if t.none else []), *(x for x in (t.lo, t.hi) if x is not None)]
                return min(codes, default=0), max(codes, default=0)
            case ListOf():
                return self.bounds(t.item)
            case Several():
                return 0, self.layout.pieces
            case _:
                raise AssertionError(t)

    # locals ----------------------------------------------------------------------------------------------

    def var(self, lo: int, hi: int) -> Var:
        self._locals += 1
        self._depths[self._locals] = len(self.sites) - 1
        self._homes[self._locals] = self.body
        return Var(self._locals, lo, hi)

    def var_at(self, lo: int, hi: int, beside: int) -> Var:
        """Return a local that gets its values where another one does."""
        var = self.var(lo, hi)
        self._depths[var.number], self._homes[var.number] = self._depths[beside], self._homes[beside]
        return var

    def depth_of(self, v: Var) -> int:
        """Return how many loops of its function a local is inside."""
        return self._depths[v.number]

    def var_of(self, t: Type) -> Var | ListVar:
        """Return a fresh local for values of a type."""
        lo, hi = self.bounds(t)
        match t:
            case ListOf():
                return self.list_var(lo, hi, t.largest)
            case Several():
                return self.list_var(lo, hi, len(t.kinds))
            case _:
                return self.var(lo, hi)

    def parameter(self, t: Type) -> Var | ListVar:
        """Return a fresh local for what a function is given: it is inside none of the function's loops."""
        v = self.var_of(t)
        self._depths[v.number] = 0
        self._homes.pop(v.number, None)
        return v

    def list_var(self, lo: int, hi: int, longest: int, width: int = 1) -> ListVar:
        self._locals += 1
        return ListVar(self._locals, lo, hi, longest, width)

    def memo(self) -> int:
        self._memos += 1
        return self._memos

    # tables ----------------------------------------------------------------------------------------------

    def table(self, rows: Rows) -> int:
        """Return the number of a table with these entries."""
        return self.tables.setdefault(rows, len(self.tables))

    def list_of(self, values: tuple[int, ...]) -> ListConst:
        return ListConst(self.table(values), min(values, default=0), max(values, default=0), len(values))

    # statements ------------------------------------------------------------------------------------------

    def add(self, s: Statement) -> None:
        self.body.append(s)

    @contextmanager
    def apart(self) -> Iterator[list[Statement]]:
        """Collect what is written inside, instead of adding it here."""
        outer, self.body = self.body, []
        self._open.append(self.body)
        try:
            yield self.body
        finally:
            self._open.pop()
            self.body = outer

    @contextmanager
    def loop(self) -> Iterator[list[Statement]]:
        """Collect statements as `apart` does, for the body of a loop."""
        with self.apart() as body:
            self.sites.append(Site(body))
            try:
                yield body
            finally:
                self.sites.pop()

    @contextmanager
    def function(self) -> Iterator[list[Statement]]:
        """Collect statements as `apart` does, for the body of a function."""
        outer, self.sites, ignored, self.ignored = self.sites, [], self.ignored, frozenset()
        try:
            with self.loop() as body:
                yield body
        finally:
            self.sites, self.ignored = outer, ignored

    @contextmanager
    def kept(self, depths: set[int]) -> Iterator[list[Statement]]:
        """Collect statements as `apart` does, for what is done once for each combination of passes of the loops at these depths."""
        deepest = max(depths, default=0)
        ignored, sites = self.ignored, self.sites
        self.ignored = ignored | (frozenset(range(1, len(sites))) - depths)
        with self.apart() as body:
            self.sites = [*sites[:deepest], Site(body), *sites[deepest + 1 :]]
            try:
                yield body
            finally:
                self.ignored, self.sites = ignored, sites

    @contextmanager
    def at_site(self, depth: int) -> Iterator[None]:
        """Write before the loop that is open at a depth."""
        body, sites, opened = self.body, self.sites, self._open
        self.body, self.sites = sites[depth].body, sites[: depth + 1]
        self._open = self._opened(self.body)
        try:
            yield
        finally:
            self.body, self.sites, self._open = body, sites, opened

    def _opened(self, body: list[Statement]) -> list[list[Statement]]:
        """Return the bodies that a body is inside, and itself."""
        at = next(i for i, b in enumerate(self._open) if b is body)
        return self._open[: at + 1]

    def has_value_at(self, v: Var, depth: int) -> bool:
        """Return whether a local has its value before the loop that is open at a depth: it may get it in a branch only."""
        home = self._homes.get(v.number)
        return home is None or any(b is home for b in self._opened(self.sites[depth].body))

    def named(self, value: Num) -> Num:
        """Return the value under a name of its own, if it is more than a name or a constant."""
        if isinstance(value.of if isinstance(value, Known) else value, Var | Const):
            return value
        var = self.var(value.lo, value.hi)
        self.add(Set(var, value))
        return var

    def named_list(self, value: List) -> List:
        """Return a list that can be read several times; one that lies in the state is left there."""
        if isinstance(value, ListVar) or not walks_far(value):
            return value
        var = self.list_var(value.lo, value.hi, value.longest, value.width)
        self.add(SetList(var, value))
        return var

    def empty_list(self, var: ListVar) -> ListVar:
        self.add(NewList(var))
        return var

    def hoisted(self, body: list[Statement]) -> bool:
        """Add statements that may as well be done whether they are needed or not; false if these are not such."""
        if all(isinstance(s, Set) and cheap(s.value) for s in body):
            self.body += body
            return True
        return False

    def branch(self, test: Num, then: Body, other: Body = ()) -> None:
        """Write an `if`, without a test that is settled."""
        if isinstance(test, Const):
            self.body += then if test.value else other
        elif then or other:
            self.add(If(test, then, other))

    def fault(self, message: str, span: Span, code: FaultCode, has_value: bool = False) -> int:
        """Return the number of a fault."""
        return self.faults.setdefault(FaultEntry(message, span, code, has_value), len(self.faults))

    # functions -------------------------------------------------------------------------------------------

    def program(
        self,
        blocks: tuple[Block, ...] = (),
        decisions: Mapping[int, Decision] | None = None,
        entries: Mapping[str, EntryPoint] | None = None,
        begin: int = 0,
        ranks: tuple[int, ...] = (),
        moves: tuple[int, ...] = (),
    ) -> Program:
        """Return the program of all that was written."""
        functions = tuple(f for f in self.functions if f is not None)
        assert len(functions) == len(self.functions)
        score = self.layout.variables.get("score")
        return Program(
            self.layout.size,
            tuple(self.layout.start),
            tuple(self.tables),
            functions,
            blocks,
            dict(decisions or {}),
            tuple(self.faults),
            dict(entries or {}),
            begin,
            ranks,
            None if score is None else score.base,
            moves,
            self.layout.remembers,
        )

    def reserve(self) -> int:
        self.functions.append(None)
        return len(self.functions) - 1

    def define(
        self,
        number: int,
        role: str,
        parameters: tuple[Var | ListVar, ...],
        body: list[Statement],
        result: str,
        span: Span | None,
    ) -> None:
        self.functions[number] = Function(number, role, parameters, tuple(body), result, span)


def cheap(e: Num | List) -> bool:
    """Return whether e is worked out in next to no time, and without harm wherever that is done."""
    from interpreter.compile.program import AnyRange, Call, CountRange, InList, ListCall, Noted, SumRange

    nodes = list(walk(e))
    return (
        len(nodes) <= CHEAP
        and not any(isinstance(n, Call | ListCall | Noted | SumRange | CountRange | AnyRange | InList) for n in nodes)
        and is_total(e)
    )


def walks_far(value: List) -> bool:
    """Return whether reading the list means working it out."""
    from interpreter.compile.program import ListCall, ListCell

    return isinstance(value, ListCall) or (isinstance(value, ListCell) and not isinstance(value.index, Var | Const))
