"""Checked expressions → numbers and lists of the program.

What needs a loop is written as statements before the place where its value is used, inside the same branch: nothing is
ever looked at that the author's expression would not look at, unless it is cheap and cannot do harm.

Nowhere is empty, by construction: a place that an index does not lead to has an address of its own, at which nothing
ever lies. Whatever reads a place can read there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from interpreter.compile.filters import conditions_first, find_filter
from interpreter.compile.maker import Maker
from interpreter.compile.program import (
    ALWAYS,
    LISTS,
    NARROWED,
    ONE,
    ZERO,
    AnyRange,
    Break,
    Call,
    Cell,
    Const,
    Continue,
    CountRange,
    Fail,
    ForList,
    ForRange,
    If,
    InList,
    Item,
    Known,
    Len,
    List,
    ListCall,
    ListCell,
    ListConst,
    ListVar,
    Load,
    NewList,
    Noted,
    Num,
    OnceNum,
    Push,
    Put,
    Return,
    Select,
    Set,
    SetList,
    Statement,
    SumRange,
    Var,
    add,
    always,
    both,
    compare,
    const,
    divide,
    either,
    extreme,
    is_list,
    known,
    multiply,
    negate,
    remainder,
    select,
    subtract,
    walk,
    within,
)
from interpreter.fault import FaultCode
from interpreter.layout import PlaceLayout
from rulespec import syntax
from rulespec.diagnostics.diagnostic import Span
from rulespec.expr.static import Undefined, evaluate, is_static
from rulespec.syntax import (
    MOST_NOTED,
    NONE,
    Expr,
    ListOf,
    Model,
    Parameter,
    PlaceOf,
    Several,
    Template,
    Type,
    Values,
    YesNo,
    can_be_none,
    children,
    free_names,
    of_codes,
    or_none,
    overlap,
    sure,
)

REMEMBERED = 128  # values of one expression that a listing keeps
INLINE = 40  # nodes of a definition that is written where it is used
GAP = 64  # numbers that a table may leave out between two of its keys
FEW = 4  # values that are compared one by one


@dataclass(frozen=True, slots=True)
class Bound:
    """The meaning of a local name of the rules: a number or a list of the program, which may be known."""

    type: Type
    value: Num | List

    @property
    def const(self) -> int | None:
        return self.value.value if isinstance(self.value, Const) else None


@dataclass(slots=True)
class Columns:
    """A loop over known values: its entries, and a column for each local that depends on the entry alone."""

    entries: tuple[int, ...]
    found: dict[tuple[int, ...], Var]


Env = Mapping[str, Bound]
Visit = Callable[[Num], None]


class Expressions:
    """Writes expressions into the body that its maker has open."""

    def __init__(self, maker: Maker) -> None:
        self.m = maker
        self.model: Model = maker.model
        self.layout = maker.layout
        self._static: dict[int, tuple[Expr, bool, frozenset[str]]] = {}  # the node keeps its number from being reused
        self._functions: dict[str, int] = {}
        self._lengths: dict[str, int] = {}  # of definitions, in nodes
        self.pure = False  # whether nothing in the function being written changes the state
        self._columns: dict[int, Columns] = {}  # of the loops around what is being written, by the loop's local
        self._way_codes = {name: code for code, name in self.model.member_names.items()}

    # numbers ---------------------------------------------------------------------------------------------

    def number(self, e: Expr, env: Env) -> Num:
        """Return the value of e: a number, the code of a member, 0 or 1 for a condition, or the address of a place."""
        value = self.static(e, env)
        if isinstance(value, int):
            return const(value)
        column = self._column(e, env)
        if column is not None:
            return column
        shared = self._shared(e, env)
        return shared if shared is not None else self._plain(e, env)

    def _shared(self, e: Expr, env: Env) -> Num | None:
        """Return the value of an expression that takes a loop, worked out as rarely as what it depends on allows.

        Only where nothing changes the state: in definitions and in the listing of moves.
        """
        if not self.pure or len(self.m.sites) < 2 or not self._is_long(e) or self._facts(e)[1]:
            return None
        names = self._facts(e)[2]
        if (
            self._narrowed(e, env)
            or _may_fault(e, self.model)
            or any(n not in env or is_list(env[n].value) for n in names)
        ):
            return None
        used = {v for n in names for v in walk(env[n].value) if isinstance(v, Var)}
        depths = {self.m.depth_of(v) for v in used}
        deepest = max(depths, default=0)
        loops = [v for v in used if self.m.depth_of(v)]
        skipped = any(d not in depths and d not in self.m.ignored for d in range(1, deepest))
        if deepest == len(self.m.sites) - 1 and not skipped:
            return None
        if not all(self.m.has_value_at(v, deepest) for v in used):
            return None  # one of them gets its value in a branch, after that place
        key = (e, tuple((n, env[n].value) for n in sorted(names)))
        site = self.m.sites[deepest]
        if key in site.values:
            return site.values[key]
        if deepest < len(self.m.sites) - 1:
            with self.m.at_site(deepest):
                value = self.m.named(self._remembered(e, env, loops) if skipped else self._plain(e, env))
            site.values[key] = value
            return value
        return self._remembered(e, env, loops)

    def _plain(self, e: Expr, env: Env) -> Num:
        return self._typed(self._number(e, env), e.type, NARROWED if isinstance(e, syntax.Local) else ALWAYS)

    def _remembered(self, e: Expr, env: Env, loops: list[Var]) -> Num:
        """Return the value of e, worked out once for each combination of the loops' locals."""
        at: Num = ZERO
        size = 1
        for var in sorted(loops, key=lambda v: v.number):
            part, many = self.compact(var)
            at, size = add(multiply(at, const(many)), part), size * many
        if size > REMEMBERED:
            return self._plain(e, env)
        out = self.m.var(*self.m.bounds(e.type))
        with self.m.kept({self.m.depth_of(v) for v in loops}) as body:
            self.m.add(Set(out, self._plain(e, env)))
        self.m.add(OnceNum(self.m.memo(), size, at, out, tuple(body)))
        return out

    def _is_long(self, e: Expr) -> bool:
        """Return whether working e out takes a loop."""
        match e:
            case syntax.Aggregate() | syntax.ConnectedGroup():
                return True
            case syntax.BuiltinCall(name="count" | "empty" | "free") if isinstance(e.args[0].type, ListOf):
                return True
            case syntax.FunctionCall():
                return self._is_long(self.model.functions[e.function].body) or any(map(self._is_long, e.args))
            case syntax.Local() | syntax.Literal():
                return False
        return isinstance(
            e,
            syntax.BuiltinCall
            | syntax.Conditional
            | syntax.Let
            | syntax.Compare
            | syntax.In
            | syntax.Default
            | syntax.Arithmetic,
        ) and any(self._is_long(c) for c in children(e))

    def _column(self, e: Expr, env: Env) -> Num | None:
        """Return a local of the loop around it, if e depends on nothing but what that loop goes through."""
        if not self._columns or isinstance(e, syntax.Local):
            return None
        indexes = e.index if isinstance(e, syntax.PlaceAt) else (e,)
        names = free_names(e)
        loops = {n: env[n].value for n in names if not isinstance(env[n].value, Const | ListConst)}
        if len(loops) != 1 or not all(self._facts(i)[1] for i in indexes) or self._narrowed(e, env):
            return None
        ((name, var),) = loops.items()
        loop = self._columns.get(var.number) if isinstance(var, Var) else None
        if loop is None or not isinstance(var, Var):
            return None
        values = []
        for entry in loop.entries:
            inner = {**env, name: Bound(env[name].type, const(entry))}
            value = self._number(e, inner) if isinstance(e, syntax.PlaceAt) else const(self.static(e, inner))
            assert isinstance(value, Const)
            values.append(value.value)
        return self._beside(var.number, tuple(values))

    def _beside(self, loop: int, column: tuple[int, ...]) -> Var:
        """Return the local that holds these numbers while a loop over known values goes through its own."""
        found = self._columns[loop].found
        if column not in found:
            found[column] = self.m.var_at(min(column), max(column), loop)
        return found[column]

    def compact(self, var: Num) -> tuple[Num, int]:
        """Return a number from 0 on for each value a local can have, and how many there are."""
        if isinstance(var, Var) and var.number in self._columns:
            many = len(self._columns[var.number].entries)
            return self._beside(var.number, tuple(range(many))), many
        return add(var, const(-var.lo)), var.hi - var.lo + 1

    def _narrowed(self, e: Expr, env: Env) -> bool:
        """Return whether e relies on what a test around it has shown of a name or of a part."""
        if isinstance(e, syntax.Local):
            bound = env.get(e.name)
            if bound is not None and isinstance(bound.type, PlaceOf) and isinstance(e.type, PlaceOf):
                return e.type.sure and not bound.type.sure
            return bound is not None and self.m.bounds(bound.type) != self.m.bounds(e.type)
        if isinstance(e, syntax.Part | syntax.PlacePart) and self.m.bounds(self._part_type(e)) != self.m.bounds(e.type):
            return True
        return any(self._narrowed(c, env) for c in children(e))

    def _part_type(self, e: syntax.Part | syntax.PlacePart) -> Type:
        """Return what a part can be, whatever tests have shown of it."""
        if isinstance(e, syntax.Part):
            part: Type = self.model.sets[self.model.sets[e.set].parts[e.which]].type
            return or_none(part) if can_be_none(e.pair.type) else part
        part = of_codes(self.family(e.place.type).place.index_values[e.which])
        return part if isinstance(e.place.type, PlaceOf) and e.place.type.sure else or_none(part)

    def _typed(self, value: Num, t: Type, why: str) -> Num:
        """Return the value with the range that the checker knows."""
        if isinstance(value, Const) or not isinstance(t, Values | YesNo):
            return value
        if isinstance(t, YesNo) and (value.lo < 0 or value.hi > 1):
            return compare("==", value, ONE)  # none is no yes
        lo, hi = self.m.bounds(t)
        if lo > hi or (value.lo >= lo and value.hi <= hi):
            return value
        if isinstance(value, Known) and value.why == why:
            value = value.of
        return (
            Known(value, max(lo, value.lo), min(hi, value.hi), why) if max(lo, value.lo) <= min(hi, value.hi) else value
        )

    def _number(self, e: Expr, env: Env) -> Num:
        match e:
            case syntax.Literal():
                assert isinstance(e.value, int)
                return const(self._none_of(e.type) if e.value == NONE else e.value)
            case syntax.Local():
                value = env[e.name].value
                assert not is_list(value)
                return value  # type: ignore[return-value]
            case syntax.Negation():
                return negate(self.number(e.of, env))
            case syntax.Logic():
                return self._logic(e, env)
            case syntax.Conditional():
                return self._either_way(self.number(e.test, env), e.then, e.other, env)
            case syntax.Let():
                return self.number(e.body, {**env, e.name: self.bind(e.value, env)})
            case syntax.Compare():
                return self._compare(e, env)
            case syntax.In():
                return self._in(e, env)
            case syntax.Default():
                return self._default(e, env)
            case syntax.Arithmetic():
                return self._arithmetic(e, env)
            case syntax.TableRead():
                table = self.model.tables[e.table]
                at, inside = self.offset(e.index, table.index, 1, env)
                entries = tuple(x for x in table.entries if isinstance(x, int))
                lo, hi = min(entries, default=NONE), max(entries, default=NONE)
                return self._guarded(inside, lambda: Cell(self.m.table(entries), at, lo, hi), const(NONE))
            case syntax.VariableRead():
                lay = self.layout.variables[e.variable]
                at, inside = self.offset(e.index, lay.variable.index_values, 1, env)
                lo, hi = self.m.bounds(lay.variable.type)
                return self._guarded(inside, lambda: Load(add(at, const(lay.base)), lo, hi), const(NONE))
            case syntax.Part():
                parts = {code: self.model.pair_parts[code][e.which] for code in self.model.sets[e.set].values}
                if self._narrowed(e, env):
                    parts = {code: _shown(part, e.type) for code, part in parts.items()}
                    return self.mapped(self.number(e.pair, env), parts, _shown(NONE, e.type))
                return self.mapped(self.number(e.pair, env), parts)
            case syntax.PlacePart():
                return self._index_of(e, env)
            case syntax.ItemAt():
                return self._item_at(e, env)
            case syntax.PlaceCode():
                return self._place_code(e, env)
            case syntax.CodedPlace():
                return self._coded_place(e, env)
            case syntax.PlaceAt():
                place = self.layout.places[e.family]
                at, inside = self.offset(e.index, place.place.index_values, place.width, env)
                return select(inside, add(at, const(place.base)), const(self.layout.nowhere_of(e.family)))
            case syntax.Aggregate():
                return self._aggregate(e, env)
            case syntax.BuiltinCall():
                return self._builtin(e, env)
            case syntax.Repeats():
                return Noted(*self.layout.noted(e.names), 0, MOST_NOTED)
            case syntax.FunctionCall():
                return self._call(e, env)
            case syntax.Range() | syntax.Items() | syntax.Places() | syntax.ConnectedGroup():
                raise AssertionError(e)

    def _guarded(self, inside: Num, read: Callable[[], Num], outside: Num) -> Num:
        return outside if inside == ZERO else select(inside, read(), outside)

    def static(self, e: Expr, env: Env) -> Any:
        """Return the value of e if it can be worked out now: a number, or a tuple of numbers; else None."""
        if isinstance(e, syntax.Literal) and not isinstance(e.type, PlaceOf):
            return e.value
        _, static, names = self._facts(e)
        if not static:
            return None
        values: dict[str, Any] = {}
        for name in names:
            if name not in env or not isinstance(env[name].value, Const | ListConst):
                return None
            value = env[name].value
            values[name] = value.value if isinstance(value, Const) else self._entries(value.table)  # type: ignore[union-attr]
        try:
            return evaluate(e, values, self.model)
        except Undefined:  # a test that is made in play keeps it from being worked out for these values
            return None

    def _facts(self, e: Expr) -> tuple[Expr, bool, frozenset[str]]:
        """Return whether e reads no state and cannot go wrong, and the names it uses."""
        found = self._static.get(id(e))
        if found is None:
            static = is_static(e, self.model.functions) and not _may_fault(e, self.model)
            found = self._static[id(e)] = (e, static, free_names(e))
        return found

    def _entries(self, table: int) -> tuple[int, ...]:
        rows = next(rows for rows, number in self.m.tables.items() if number == table)
        return tuple(x for x in rows if isinstance(x, int))

    def bind(self, e: Expr, env: Env) -> Bound:
        """Return the value of e under a name, worked out once."""
        if isinstance(e.type, ListOf | Several):
            return Bound(e.type, self.m.named_list(self.listed(e, env)))
        return Bound(e.type, self.m.named(self.number(e, env)))

    def argument(self, e: Expr, env: Env) -> Num | List:
        if isinstance(e.type, ListOf | Several):
            return self.listed(e, env)
        return self.number(e, env)

    # branches --------------------------------------------------------------------------------------------

    def _logic(self, e: syntax.Logic, env: Env) -> Num:
        left = self.number(e.left, env)
        stops = ZERO if e.op == "and" else ONE
        join = both if e.op == "and" else either
        if left == stops:
            return stops
        if isinstance(left, Const):
            return self.number(e.right, env)
        with self.m.apart() as body:
            right = self.number(e.right, env)
        if self.m.hoisted(body):
            return join(left, right)
        var = self.m.var(0, 1)
        self.m.add(Set(var, left))
        self.m.add(If(var if e.op == "and" else negate(var), (*body, Set(var, right))))
        return var

    def _either_way(self, test: Num, then: Expr, other: Expr, env: Env) -> Num:
        if isinstance(test, Const):
            return self.number(then if test.value else other, env)
        with self.m.apart() as first:
            a = self.number(then, env)
        with self.m.apart() as second:
            b = self.number(other, env)
        return self._joined(test, first, a, second, b)

    def _joined(self, test: Num, first: list[Statement], a: Num, second: list[Statement], b: Num) -> Num:
        if not first and not second:
            return select(test, a, b)
        test = self.m.named(test)
        if self.m.hoisted([*first, *second]):
            return select(test, a, b)
        var = self.m.var(min(a.lo, b.lo), max(a.hi, b.hi))
        self.m.add(If(test, (*first, Set(var, a)), (*second, Set(var, b))))
        return var

    def _default(self, e: syntax.Default, env: Env) -> Num:
        value = self.number(e.value, env)
        none = self._none_of(e.value.type)
        if value.lo > none or value.hi < none:
            return value
        value = self.m.named(value)
        there = compare("!=", value, const(none))
        sure: Num = value
        if isinstance(e.value.type, Values):
            numbers = Values(e.value.type.lo, e.value.type.hi, e.value.type.members)
            if not numbers.never:
                sure = self._typed(value, numbers, NARROWED)
        with self.m.apart() as body:
            other = self.number(e.other, env)
        return self._joined(there, [], sure, body, other)

    def _none_of(self, t: Type) -> int:
        """Return the number that represents none among values of a type."""
        return self.layout.nowhere_of(t.family) if isinstance(t, PlaceOf) else NONE

    # comparing and arithmetic ----------------------------------------------------------------------------

    def _compare(self, e: syntax.Compare, env: Env) -> Num:
        op = "==" if e.op == "=" else e.op
        if op in ("==", "!=", ">") and self.static(e.right, env) == 0:
            counted = e.left
            while isinstance(counted, syntax.FunctionCall) and not counted.args:
                counted = self.model.functions[counted.function].body
            if isinstance(counted, syntax.BuiltinCall) and counted.name == "count":
                scope = env if counted is e.left else {}
                there = self.something(counted.args[0], counted.args[1] if len(counted.args) > 1 else None, scope)
                return negate(there) if op == "==" else there
        left = self.number(e.left, env)
        with self.m.apart() as body:
            right = self.number(e.right, env)
        if body and not isinstance(left, Var | Const):
            left = self.m.named(left)
        self.m.body += body
        return compare(op, left, right)

    def _arithmetic(self, e: syntax.Arithmetic, env: Env) -> Num:
        left = self.number(e.left, env)
        with self.m.apart() as body:
            right = self.number(e.right, env)
        if body:
            left = self.m.named(left)
            self.m.body += body
        match e.op:
            case "+":
                return add(left, right)
            case "-":
                return subtract(left, right)
            case "*":
                return multiply(left, right)
            case _:
                right = self._not_zero(right, e.span)
                return divide(left, right) if e.op == "/" else remainder(left, right)

    def _not_zero(self, divisor: Num, span: Span | None) -> Num:
        """Return the divisor; where it may be 0, that is a fault first."""
        if divisor.lo > 0 or divisor.hi < 0:
            return divisor
        divisor = self.m.named(divisor)
        assert span is not None
        self.m.add(
            If(compare("==", divisor, ZERO), (Fail(self.m.fault("division by zero", span, FaultCode.DIVISION)),))
        )
        return divisor

    def _in(self, e: syntax.In, env: Env) -> Num:
        if isinstance(_item(e.domain.type), PlaceOf | Several) and not isinstance(e.item.type, PlaceOf):
            return self.something(e.domain, e.item, env)
        item = self.m.named(self.number(e.item, env))
        values = self.static(e.domain, env)
        if values is not None:
            return self.among(item, values)
        if isinstance(e.domain, syntax.Range):
            lo, hi = self.number(e.domain.lo, env), self.number(e.domain.hi, env)
            return both(compare(">=", item, lo), compare("<=", item, hi))
        if isinstance(e.domain, syntax.Items) and not any(isinstance(i.type, ListOf) for i in e.domain.items):
            return either(*(compare("==", item, self.number(i, env)) for i in e.domain.items))
        return InList(item, self.m.named_list(self.listed(e.domain, env)))

    def among(self, item: Num, values: tuple[int, ...]) -> Num:
        """Return whether a number is one of these; `item` is a name or a constant."""
        wanted = sorted({v for v in values if item.lo <= v <= item.hi})
        if not wanted:
            return ZERO
        if wanted[-1] - wanted[0] + 1 == len(wanted):
            return within(item, wanted[0], wanted[-1])
        if len(wanted) <= FEW:
            return either(*(compare("==", item, const(v)) for v in wanted))
        return compare("!=", self.mapped(item, dict.fromkeys(wanted, 1), 0), ZERO)

    def mapped(self, value: Num, mapping: Mapping[int, int], other: int = NONE) -> Num:
        """Return what a mapping gives for a number; `other` for one that is not in it."""
        keys = [k for k in mapping if value.lo <= k <= value.hi]
        if not keys:
            return const(other)
        if isinstance(value, Const):
            return const(mapping[value.value])
        value = self.m.named(value)
        if isinstance(value, Var) and value.number in self._columns:
            return self._beside(value.number, tuple(mapping.get(x, other) for x in self._columns[value.number].entries))
        out: Num = const(other)
        for run in reversed(_clusters(sorted(keys))):
            first, last = run[0], run[-1]
            rows = tuple(mapping.get(k, other) for k in range(first, last + 1))
            inside = known(value, first, last)
            steps = {row - k for k, row in zip(range(first, last + 1), rows, strict=True)}
            if len(steps) == 1:
                read = add(inside, const(steps.pop()))
            elif len(set(rows)) == 1:
                read = const(rows[0])
            else:
                read = Cell(self.m.table(rows), add(inside, const(-first)), min(rows), max(rows))
            out = select(within(value, first, last), read, out)
        return out

    def _index_of(self, e: syntax.PlacePart, env: Env) -> Num:
        """Return one index of a place; none for nowhere."""
        lay = self.family(e.place.type)
        number, there = self._place_number(self.number(e.place, env), lay)
        codes = tuple(index[e.which] for index in product(*lay.place.index_values))
        outside = NONE
        if self._narrowed(e, env):
            codes, outside = tuple(_shown(code, e.type) for code in codes), _shown(NONE, e.type)
        return self._guarded(there, lambda: Cell(self.m.table(codes), number, min(codes), max(codes)), const(outside))

    def _place_code(self, e: syntax.PlaceCode, env: Env) -> Num:
        """Return the code of a place; none for nowhere."""
        lay = self.family(e.place.type)
        number, there = self._place_number(self.number(e.place, env), lay)
        return select(there, add(number, const(self.model.place_codes[lay.place.name][0])), const(NONE))

    def _coded_place(self, e: syntax.CodedPlace, env: Env) -> Num:
        """Return the place of a code; nowhere for none."""
        lay = self.family(e.type)
        number, there = self._position(self.number(e.code, env), tuple(self.model.place_codes[lay.place.name]))
        return select(there, add(const(lay.base), multiply(number, const(lay.width))), const(self._none_of(e.type)))

    def _item_at(self, e: syntax.ItemAt, env: Env) -> Num:
        """Return the n-th item of a list; none, or nowhere, if it has fewer."""
        nothing, known_at = const(self._none_of(e.type)), self.static(e.at, env)
        if isinstance(e.items, syntax.BuiltinCall) and e.items.name == "ray" and known_at is not None:
            rows, at, inside = self._rays(e.items, env)
            cells = tuple(row[known_at - 1] if 0 < known_at <= len(row) else nothing.value for row in rows)
            return self._guarded(inside, lambda: Cell(self.m.table(cells), at, min(cells), max(cells)), nothing)
        values = self.static(e.items, env)
        if values is not None:
            at, inside = self._position(self.number(e.at, env), tuple(range(1, len(values) + 1)))
            return self._guarded(inside, lambda: Cell(self.m.table(values), at, min(values), max(values)), nothing)
        items, wanted = self.m.named_list(self.listed(e.items, env)), self.m.named(self.number(e.at, env))
        out = self.m.var(min(items.lo, nothing.value), max(items.hi, nothing.value))
        passed, item = self.m.var(0, items.longest), self.m.var(items.lo, items.hi)
        self.m.body += [Set(out, nothing), Set(passed, ZERO)]
        one_more = Set(passed, always(add(passed, ONE), 0, items.longest))
        found = If(compare("==", passed, wanted), (Set(out, item), Break()))
        self.m.add(ForList((item,), items, (one_more, found)))
        return out

    # where things lie ------------------------------------------------------------------------------------

    def offset(
        self,
        index: tuple[Expr, ...],
        values: tuple[tuple[int, ...], ...],
        width: int,
        env: Env,
        settled: bool = False,
    ) -> tuple[Num, Num]:
        """Return where an index leads, counted from the first place, and whether it leads anywhere at all.

        `settled`: what may change later is worked out now.
        """
        stride = width
        strides = []
        for codes in reversed(values):
            strides.append(stride)
            stride *= len(codes)
        strides.reverse()
        at: Num = ZERO
        inside: Num = ONE
        for e, codes, step in zip(index, values, strides, strict=False):
            value = self.number(e, env)
            part, good = self._position(self.m.named(value) if settled else value, codes)
            at, inside = add(at, multiply(part, const(step))), both(inside, good)
        return at, inside

    def _position(self, value: Num, codes: tuple[int, ...]) -> tuple[Num, Num]:
        """Return which of these codes a number is, and whether it is one of them."""
        if isinstance(value, Const):
            return (const(codes.index(value.value)), ONE) if value.value in codes else (ZERO, ZERO)
        if not codes:
            return ZERO, ZERO
        if codes == tuple(range(codes[0], codes[0] + len(codes))):
            good = within(value, codes[0], codes[-1])
            if good != ONE:
                value = self.m.named(value)
                good = within(value, codes[0], codes[-1])
            return add(known(value, codes[0], codes[-1]), const(-codes[0])), good
        found = self.m.named(self.mapped(value, {c: i for i, c in enumerate(codes)}, -1))
        return known(found, 0, len(codes) - 1), within(found, 0, len(codes) - 1)

    def family(self, t: Type) -> PlaceLayout:
        item = t.item if isinstance(t, ListOf) else t
        assert isinstance(item, PlaceOf)
        return self.layout.places[item.family]

    def row(self, e: syntax.Places, env: Env, settled: bool = False) -> tuple[Num, Num, int, PlaceLayout]:
        """Return the first address of a run of places, whether there is one, how many they are, and their layout."""
        lay = self.layout.places[e.family]
        many = 1
        for codes in lay.place.index_values[len(e.index) :]:
            many *= len(codes)
        at, inside = self.offset(e.index, lay.place.index_values, lay.width, env, settled)
        return add(at, const(lay.base)), inside, many, lay

    # lists -----------------------------------------------------------------------------------------------

    def listed(self, e: Expr, env: Env) -> List:
        """Return the value of e as a list; for a single place or value the list of it alone."""
        if not isinstance(e.type, ListOf | Several):
            value = self.number(e, env)
            out = self.m.empty_list(self.m.list_var(value.lo, value.hi, 1))
            self.m.add(Push(out, (value,)))
            return out
        value = self.static(e, env)
        if value is not None:
            return self.m.list_of(value)
        match e:
            case syntax.Local():
                found = env[e.name].value
                assert is_list(found)
                return found
            case syntax.Let():
                return self.listed(e.body, {**env, e.name: self.bind(e.value, env)})
            case syntax.TableRead():
                table = self.model.tables[e.table]
                at, inside = self.offset(e.index, table.index, 1, env)
                return self._list_cell(tuple(x if isinstance(x, tuple) else (x,) for x in table.entries), at, inside)
            case syntax.BuiltinCall(name="clockwise"):
                n = self.model.players
                rows = tuple(tuple((p + i) % n + 1 for i in range(n)) for p in range(n))
                part, good = self._position(self.player(e.args[0], env, e.span), tuple(range(1, n + 1)))
                return self._list_cell(rows, part, good)
            case syntax.BuiltinCall(name="ray"):
                return self._ray(e, env)
            case syntax.ConnectedGroup():
                return self._group(e, env)
            case syntax.FunctionCall() if not self._inlined(e.function):
                args = tuple(b.value for b in self._arguments(e, env).values())
                assert isinstance(e.type, ListOf)
                return ListCall(self._function(e.function), args, *self.m.bounds(e.type), e.type.largest)
            case syntax.FunctionCall():
                return self.listed(self.model.functions[e.function].body, self._arguments(e, env))
            case syntax.Conditional():
                return self._list_either_way(e, env)
        assert isinstance(e.type, ListOf)
        out = self.m.empty_list(self.m.list_var(*self.m.bounds(e.type), e.type.largest))
        if isinstance(e, syntax.Aggregate):
            self._nest(e, env, lambda inner: self._push_item(e, inner, out), None)
        else:
            self.each(e, env, lambda item: self.m.add(Push(out, (item,))))
        return out

    def _list_either_way(self, e: syntax.Conditional, env: Env) -> List:
        test = self.number(e.test, env)
        if isinstance(test, Const):
            return self.listed(e.then if test.value else e.other, env)
        with self.m.apart() as first:
            a = self.listed(e.then, env)
        with self.m.apart() as second:
            b = self.listed(e.other, env)
        var = self.m.list_var(min(a.lo, b.lo), max(a.hi, b.hi), max(a.longest, b.longest))
        self.m.add(If(test, (*first, SetList(var, a)), (*second, SetList(var, b))))
        return var

    def _list_cell(self, rows: tuple[tuple[int, ...], ...], at: Num, inside: Num) -> List:
        """Return a row of a table of lists; an empty list outside of it."""
        if inside == ZERO:
            return self.m.list_of(())
        if isinstance(at, Const) and inside == ONE:
            return self.m.list_of(rows[at.value])
        every = [x for row in rows for x in row]
        if inside != ONE:
            at, rows = select(inside, at, const(len(rows))), (*rows, ())
        longest = max(map(len, rows))
        return ListCell(self.m.table(rows), at, min(every, default=0), max(every, default=0), longest)

    def _ray(self, e: syntax.BuiltinCall, env: Env) -> List:
        """Return the cells beyond a cell; a way that branches or turns back gives its first line."""
        return self._list_cell(*self._rays(e, env))

    def _rays(self, e: syntax.BuiltinCall, env: Env) -> tuple[tuple[tuple[int, ...], ...], Num, Num]:
        """Return the cells beyond every cell for every way, which of these lines is meant, and whether it is one at all."""
        cell, way = e.args
        lay = self.family(cell.type)
        names = list(lay.place.ways)
        rows: list[tuple[int, ...]] = []
        for name in names:
            neighbours = lay.place.ways[name]
            for i in range(lay.place.size):
                line, seen, at = [], {i}, i
                while neighbours[at] and neighbours[at][0] not in seen:
                    at = neighbours[at][0]
                    seen.add(at)
                    line.append(lay.address(at))
                rows.append(tuple(line))
        number, there = self._place_number(self.number(cell, env), lay)
        which, good = self._position(self.number(way, env), tuple(self._way_codes[name] for name in names))
        return tuple(rows), add(multiply(which, const(lay.place.size)), number), both(there, good)

    def _place_number(self, at: Num, lay: PlaceLayout) -> tuple[Num, Num]:
        """Return which place of its family an address is, and whether it is one at all."""
        last = lay.end - lay.width
        there = within(at, lay.base, last)
        if there != ONE:
            at = self.m.named(at)
            there = within(at, lay.base, last)
        return divide(add(known(at, lay.base, last), const(-lay.base)), const(lay.width)), there

    def _group(self, e: syntax.ConnectedGroup, env: Env) -> List:
        """Return a cell and all connected ones on which the condition holds, in the order in which they are found."""
        lay = self.family(e.start.type)
        start = self.m.named(self.number(e.start, env))
        last = lay.end - lay.width
        found = self.m.list_var(lay.base, last, lay.place.size)
        seen = self.m.list_var(0, 1, lay.place.size)
        near = self._near(lay)
        names = tuple(self._way_codes[name] for name in lay.place.ways)
        alone = not isinstance(e.along.type, ListOf | Several)  # one way, whichever it is
        lines = alone and all(map(_is_forest, lay.place.ways.values()))  # then no cell is reached from two sides
        if alone:
            way = self.m.named(self.number(e.along, env))
        else:
            ways = self.m.named_list(self.listed(e.along, env))
            way = self.m.var(ways.lo, ways.hi)
        self.m.add(NewList(found))
        there = within(start, lay.base, last)
        x, y = self.m.var(lay.base, last), self.m.var(lay.base, last)
        with self.m.apart() as body:
            if not lines:
                self.m.add(NewList(seen, lay.place.size))
                number, _ = self._place_number(known(start, lay.base, last), lay)
                self.m.add(Put(seen, number, ONE))
            self.m.add(Push(found, (known(start, lay.base, last),)))
            with self.m.apart() as steps:
                which, good = self._position(way, names)
                number, _ = self._place_number(x, lay)
                rows = self._list_cell(near, add(multiply(which, const(lay.place.size)), number), good)
                with self.m.apart() as visit:
                    if lines:
                        self.m.add(If(InList(y, found), (Continue(),)))
                    else:
                        here = self.m.named(self._place_number(y, lay)[0])
                        self.m.add(If(Item(seen, here, 0, 1), (Continue(),)))
                        self.m.add(Put(seen, here, ONE))
                    holds = self.number(e.where, {**env, e.name: Bound(sure(e.start.type), y)})
                    self.m.branch(holds, (Push(found, (y,)),))
                self.m.add(ForList((y,), rows, tuple(visit)))
            if not alone:
                assert isinstance(way, Var)
                steps = [ForList((way,), ways, tuple(steps))]
            self.m.add(ForList((x,), found, tuple(steps), grows=True))
        self.m.branch(there, tuple(body))
        return found

    def _near(self, lay: PlaceLayout) -> tuple[tuple[int, ...], ...]:
        """Return, for each way and place, the places one step on, by address."""
        return tuple(
            tuple(lay.address(n) for n in neighbours) for all_near in lay.place.ways.values() for neighbours in all_near
        )

    # loops -----------------------------------------------------------------------------------------------

    def each(self, e: Expr, env: Env, visit: Visit) -> None:
        """Write a loop over the members of a set or list, the numbers of a range, or the kinds on a place."""
        match e.type:
            case PlaceOf():
                self._each_kind(self.m.named(self.number(e, env)), self.family(e.type), visit)
                return
            case Several():
                chosen = self.m.named_list(self.listed(e, env))
                for i, kind in enumerate(e.type.kinds):
                    with self.m.apart() as body:
                        visit(const(kind))
                    self.m.branch(compare(">", Item(chosen, const(i), chosen.lo, chosen.hi), ZERO), tuple(body))
                return
        values = self.static(e, env)
        if values is None and isinstance(e, syntax.Range):
            self._each_number(self.number(e.lo, env), self.number(e.hi, env), visit)
        elif values is None and isinstance(e, syntax.Places):
            self.each_place(e, env, visit)
        elif values is None and isinstance(e, syntax.Items):
            out = self.m.list_var(*self.m.bounds(e.type), getattr(e.type, "largest", 0))
            self.m.add(NewList(out))
            for item in e.items:
                if isinstance(item.type, ListOf):
                    self.each(item, env, lambda x: self.m.add(Push(out, (x,))))
                else:
                    self.m.add(Push(out, (self.number(item, env),)))
            self.each_of(out, visit)
        else:
            self.each_of(self.listed(e, env), visit)

    def each_distinct(self, e: Expr, env: Env, visit: Visit) -> None:
        """Write a loop as `each` does, with every value once, however often it is in the list."""
        if self.repeats(e, env):
            self.each_of(self.once(self.listed(e, env)), visit)
        else:
            self.each(e, env, visit)

    def once(self, values: List) -> List:
        """Return a list with every value of another one once, in the order in which they first come up."""
        if isinstance(values, ListConst):
            return self.m.list_of(tuple(dict.fromkeys(self._entries(values.table))))
        out = self.m.empty_list(self.m.list_var(values.lo, values.hi, values.longest))
        var = self.m.var(values.lo, values.hi)
        self.m.add(ForList((var,), values, (If(negate(InList(var, out)), (Push(out, (var,)),)),)))
        return out

    def repeats(self, e: Expr, env: Env) -> bool:
        """Return whether a list may have a value twice."""
        if not isinstance(e.type, ListOf):
            return False
        values = self.static(e, env)
        if values is not None:
            return len(set(values)) < len(values)
        match e:
            case syntax.Range() | syntax.Places() | syntax.ConnectedGroup() | syntax.BuiltinCall():
                return False
            case syntax.Conditional():
                return self.repeats(e.then, env) or self.repeats(e.other, env)
            case syntax.TableRead():
                return any(isinstance(x, tuple) and len(set(x)) < len(x) for x in self.model.tables[e.table].entries)
            case syntax.Aggregate(op="list", bindings=((name, domain),), body=syntax.Local(name=body)) if name == body:
                return self.repeats(domain, env)
            case _:
                return True

    def _push_item(self, e: syntax.Aggregate, env: Env, out: ListVar) -> None:
        value = self.m.named(self.number(e.body, env))
        none = self._none_of(e.body.type)
        if can_be_none(e.body.type) or isinstance(e.body.type, PlaceOf):
            sure = always(value, out.lo, out.hi, NARROWED)
            self.m.branch(compare("!=", value, const(none)), (Push(out, (sure,)),))
        else:
            self.m.add(Push(out, (value,)))

    def each_of(self, values: List, visit: Visit) -> None:
        """Write a loop over a list of the program."""
        if isinstance(values, ListConst) and self._entries(values.table):
            self._each_entry(self._entries(values.table), visit)
        elif not isinstance(values, ListConst):
            with self.m.loop() as body:
                var = self.m.var(values.lo, values.hi)
                visit(var)
            self.m.add(ForList((var,), values, tuple(body)))

    def _each_entry(self, entries: tuple[int, ...], visit: Visit) -> None:
        """Write a loop over known values; what depends on them alone is written down beside them."""
        if len(entries) == 1:
            visit(const(entries[0]))
            return
        with self.m.loop() as body:
            var = self.m.var(min(entries), max(entries))
            columns = self._columns[var.number] = Columns(entries, {})
            visit(var)
        del self._columns[var.number]
        if columns.found:
            table = self.m.table(tuple(zip(entries, *columns.found, strict=True)))
            every = [x for column in (entries, *columns.found) for x in column]
            rows = ListConst(table, min(every), max(every), len(entries), 1 + len(columns.found))
            self.m.add(ForList((var, *columns.found.values()), rows, tuple(body)))
        elif entries == tuple(range(entries[0], entries[0] + len(entries))):
            self.m.add(ForRange(var, const(entries[0]), const(entries[-1] + 1), tuple(body)))
        else:
            self.m.add(ForList((var,), self.m.list_of(entries), tuple(body)))

    def _each_number(self, lo: Num, hi: Num, visit: Visit) -> None:
        if lo.lo > hi.hi:
            return
        if lo == hi:
            visit(lo)
            return
        lo, stop = self.m.named(lo), self.m.named(add(hi, ONE))
        with self.m.loop() as body:
            var = self.m.var(lo.lo, hi.hi)
            visit(var)
        self.m.add(ForRange(var, lo, stop, tuple(body)))

    def each_place(self, e: Expr, env: Env, visit: Visit) -> None:
        """Write a loop over the addresses of a place or a list of places."""
        self.places(e, env)(visit)

    def _each_place_once(self, e: Expr, env: Env, visit: Visit) -> None:
        """Write a loop over places, each once: pieces are not there twice because a list has their place twice."""
        if self.repeats(e, env):
            self.each_of(self.once(self.listed(e, env)), visit)
        else:
            self.each_place(e, env, visit)

    def places(self, e: Expr, env: Env) -> Callable[[Visit], None]:
        """Work out a place or a list of places now; return what writes a loop over their addresses, perhaps twice."""
        if isinstance(e.type, PlaceOf):
            at = self.m.named(self.number(e, env))
            return lambda visit: visit(at)
        if isinstance(e, syntax.Places):
            start, inside, many, lay = self.row(e, env, settled=True)
            if inside == ZERO:
                return lambda visit: None
            inside = self.m.named(inside)
            return lambda visit: self._each_of_row(start, inside, many, lay, visit)
        values = self.m.named_list(self.listed(e, env))
        return lambda visit: self.each_of(values, visit)

    def _each_of_row(self, start: Num, inside: Num, many: int, lay: PlaceLayout, visit: Visit) -> None:
        """Write a loop over places that lie side by side, if there are any."""
        with self.m.apart() as body:
            first = self.m.named(start)
            with self.m.loop() as inner:
                var = self.m.var(first.lo, first.hi + (many - 1) * lay.width)
                visit(var)
            stop = self.m.named(add(first, const(many * lay.width)))
            self.m.add(ForRange(var, first, stop, tuple(inner), lay.width))
        self.m.branch(inside, tuple(body))

    def _each_kind(self, at: Num, lay: PlaceLayout, visit: Visit) -> None:
        """Write a loop over the kinds that lie on a place, each once, in the order of its kinds."""
        if lay.place.shape == "cell":
            kind = self.m.named(self._piece_at(at, lay))
            with self.m.apart() as body:
                visit(self._sure_kind(kind, lay))
            self.m.branch(compare("!=", kind, const(NONE)), tuple(body))
            return

        def one(kind: Num) -> None:
            there = compare(">", self.count_at(lay, at, kind), ZERO)
            with self.m.apart() as body:
                visit(kind)
            self.m.branch(there, tuple(body))

        self.each_of(self.m.list_of(lay.place.kinds), one)

    def _sure_kind(self, kind: Num, lay: PlaceLayout) -> Num:
        return always(kind, min(lay.place.kinds), max(lay.place.kinds), NARROWED)

    def _nest(self, e: syntax.Aggregate, env: Env, visit: Callable[[Env], None], over: Num | None) -> None:
        """Write the loops of a gathering around `visit`. `Break` in it ends the innermost, and the others if `over` is 1."""
        if self._looked_up(e, env, visit):
            return
        stopped = self.m.var(0, 1)
        if e.stop is not None:
            self.m.add(Set(stopped, ZERO))
            over = stopped if over is None else either(over, stopped)

        def level(bindings: tuple[tuple[str, Expr], ...], env: Env) -> None:
            if not bindings:
                if e.stop is not None:
                    self.m.branch(negate(self.number(e.stop, env)), (Set(stopped, ONE), Break()))
                self._where(e.where, env, lambda: visit(env))
                return
            (name, domain), rest = bindings[0], bindings[1:]
            item = domain.type.item if isinstance(domain.type, ListOf) else self._kind_type(domain.type)

            def one(value: Num) -> None:
                level(rest, {**env, name: Bound(item, value)})
                if rest and over is not None:
                    self.m.add(If(over, (Break(),)))

            with self.m.apart() as body:
                self.each(domain, env, one)
            self._once(ONE, body)  # one value, or one branch a kind, is no loop

        level(e.bindings, env)

    def _looked_up(self, e: syntax.Aggregate, env: Env, visit: Callable[[Env], None]) -> bool:
        """Find in a table the one value that a loop over printed data would find; false if there is no such table."""
        if len(e.bindings) != 1 or e.where is None or e.stop is not None:
            return False
        ((name, domain),) = e.bindings
        values = self.static(domain, env)
        if not isinstance(values, tuple) or not values:
            return False
        consts = {n: b.value.value for n, b in env.items() if isinstance(b.value, Const)}
        found = find_filter(e.where, name, values, consts, lambda part: self._facts(part)[1], self.model)
        if found is None or any(n not in env or is_list(env[n].value) for n in found.names):
            return False
        at: Num = ZERO
        inside: Num = ONE
        for outer, codes in zip(found.names, found.codes, strict=True):
            part, good = self._position(env[outer].value, codes)  # type: ignore[arg-type]
            at, inside = add(multiply(at, const(len(codes))), part), both(inside, good)
        table = self.m.table(found.found)
        row = Cell(table, at, min(found.found), max(found.found))
        one = self.m.named(select(inside, row, const(NONE)))
        item = domain.type.item if isinstance(domain.type, ListOf) else domain.type
        sure = one if one.hi < NONE else always(one, min(values), max(values), NARROWED)
        inner = {**env, name: Bound(item, sure)}
        with self.m.apart() as body:
            self._where(found.rest, inner, lambda: visit(inner))
        self._once(compare("!=", one, const(NONE)), body)
        return True

    def _once(self, test: Num, body: list[Statement]) -> None:
        """Write a body that may be left by `Break` like that of a loop, done once where the test holds."""
        body = _without_last_breaks(body)
        if _breaks(body):
            body = [ForRange(self.m.var(0, 0), ZERO, ONE, tuple(body))]
        self.m.branch(test, tuple(body))

    def _kind_type(self, t: Type) -> Type:
        return of_codes(t.kinds if isinstance(t, Several) else self.family(t).place.kinds)

    def _where(self, test: Expr | None, env: Env, then: Callable[[], None]) -> None:
        if test is None:
            then()
            return
        holds = self.number(test, env)
        with self.m.apart() as body:
            then()
        self.m.branch(holds, tuple(body))

    def _aggregate(self, e: syntax.Aggregate, env: Env) -> Num:
        """Return one number gathered over all passes."""
        e = conditions_first(e)
        lo, hi = self.m.bounds(e.type)
        if e.op in ("any", "all", "first"):
            return self._first_that(e, env, lo, hi)
        nothing = const(NONE) if e.op in ("max", "min") else ZERO  # before the first iteration, whatever follows
        out = self.m.var(min(lo, nothing.value), max(hi, nothing.value))
        self.m.add(Set(out, nothing))

        def one(inner: Env) -> None:
            value = self.number(e.body, inner)
            if e.op == "count":
                self.m.branch(value, (Set(out, always(add(out, ONE), lo, hi)),))
                return
            maybe = can_be_none(e.body.type) and value.lo <= NONE <= value.hi
            if maybe or e.op in ("max", "min"):
                value = self.m.named(value)
            there = compare("!=", value, const(NONE)) if maybe else ONE
            if e.op == "sum":
                self.m.branch(there, (Set(out, always(add(out, value), lo, hi)),))
            else:
                better = compare(">" if e.op == "max" else "<", value, out)
                self.m.branch(both(there, either(compare("==", out, const(NONE)), better)), (Set(out, value),))

        self._nest(e, env, one, None)
        return out

    def _first_that(self, e: syntax.Aggregate, env: Env, lo: int, hi: int) -> Num:
        """`any`, `all` and `first`: the loops end as soon as the answer is known."""
        nothing = {"any": ZERO, "all": ONE}.get(e.op, const(self._none_of(e.type)))
        out, done = self.m.var(min(lo, nothing.value), max(hi, nothing.value)), self.m.var(0, 1)
        self.m.add(Set(out, nothing))
        if e.op == "first":
            self.m.add(Set(done, ZERO))

        def one(inner: Env) -> None:
            value = self.number(e.body, inner)
            if e.op == "first":
                self.m.body += [Set(out, value), Set(done, ONE), Break()]
            elif e.op == "any":
                self.m.branch(value, (Set(out, ONE), Break()))
            else:
                self.m.branch(negate(value), (Set(out, ZERO), Break()))

        self._nest(e, env, one, {"any": out, "all": negate(out)}.get(e.op, done))
        return out

    # counting --------------------------------------------------------------------------------------------

    def count(self, places: Expr, kinds: Expr | None, env: Env) -> Num:
        """Return how many pieces lie on a place or on places: all, or those of some kinds."""
        if isinstance(places.type, Several):
            return self._count_chosen(places, kinds, env)
        lay = self.family(places.type)
        wanted = self._kinds(kinds, lay, env)
        if isinstance(places.type, PlaceOf):
            return self._count_one(lay, self.m.named(self.number(places, env)), wanted)
        if isinstance(places, syntax.Places):
            start, inside, many, _ = self.row(places, env)
            if inside == ZERO:
                return ZERO
            read = self._count_row(lay, start, many, wanted)
            if read is not None:
                return select(inside, read, ZERO)
        out = self.m.var(0, self.layout.pieces)
        self.m.add(Set(out, ZERO))

        def one(at: Num) -> None:
            self.m.add(Set(out, always(add(out, self._count_one(lay, at, wanted)), 0, out.hi)))

        self._each_place_once(places, env, one)
        return out

    def something(self, places: Expr, kinds: Expr | None, env: Env) -> Num:
        """Return whether any piece lies there: nothing needs to be added up."""
        if isinstance(places.type, Several):
            return compare(">", self.count(places, kinds, env), ZERO)
        lay = self.family(places.type)
        if lay.place.shape == "pile" and (isinstance(places, syntax.Places) or isinstance(places.type, PlaceOf)):
            wanted = self._kinds(kinds, lay, env)
            if (wanted is None and lay.total is None) or isinstance(wanted, tuple):
                slots = sorted(lay.slots[k] for k in (lay.place.kinds if wanted is None else wanted))
                if slots and slots == list(range(slots[0], slots[0] + len(slots))) and len(slots) > 1:
                    if isinstance(places, syntax.Places):
                        start, inside, many, _ = self.row(places, env)
                    else:
                        start, inside, many = self.number(places, env), ONE, 1
                    at = add(self.m.named(start), const(slots[0]))
                    return both(inside, AnyRange(at, many, lay.width, len(slots))) if inside != ZERO else ZERO
        return compare(">", self.count(places, kinds, env), ZERO)

    def _kinds(self, kinds: Expr | None, lay: PlaceLayout, env: Env) -> Num | List | tuple[int, ...] | None:
        """Return the kinds to count: None for all, a tuple of known ones, one kind, or a list."""
        if kinds is None:
            return None
        value = self.static(kinds, env)
        if isinstance(value, tuple):
            return None if set(lay.place.kinds) <= set(value) else tuple(k for k in lay.place.kinds if k in value)
        if value is not None:
            return (value,) if value in lay.place.kinds else ()
        if isinstance(kinds.type, ListOf | Several):
            if isinstance(kinds.type, Several):
                raise AssertionError(kinds)
            return self.m.named_list(self.listed(kinds, env))
        return self.m.named(self.number(kinds, env))

    def _count_one(self, lay: PlaceLayout, at: Num, wanted: Num | List | tuple[int, ...] | None) -> Num:
        """Return how many pieces lie on the place at an address, which is a name or a constant."""
        if wanted is None:
            return self.all_at(lay, at)
        if isinstance(wanted, tuple):
            if lay.place.shape == "pile":
                total: Num = ZERO
                for kind in wanted:
                    total = add(total, self._slot(at, lay.slots[kind]))
                return total
            if lay.place.shape == "cell":
                return self.among(self.m.named(self._piece_at(at, lay)), wanted)
            return self._count_stack(lay, at, lambda piece: self.among(piece, wanted))
        if is_list(wanted):
            return self._count_listed(lay, at, wanted)
        return self.count_at(lay, at, wanted)  # type: ignore[arg-type]

    def _count_listed(self, lay: PlaceLayout, at: Num, wanted: List) -> Num:
        if lay.place.shape == "cell":
            piece = self.m.named(self._piece_at(at, lay))
            return both(compare("!=", piece, const(NONE)), InList(piece, wanted))
        if lay.place.shape == "stack":
            return self._count_stack(lay, at, lambda piece: InList(piece, wanted))
        total: Num = ZERO
        for kind, slot in lay.slots.items():
            total = add(total, select(InList(const(kind), wanted), self._slot(at, slot), ZERO))
        return total

    def all_at(self, lay: PlaceLayout, at: Num) -> Num:
        """Return all pieces on a place."""
        match lay.place.shape:
            case "cell":
                return compare("!=", self._piece_at(at, lay), const(NONE))
            case "stack":
                return Load(at, 0, lay.width - 1)
        if lay.total is not None:
            return Load(add(at, const(lay.total)), 0, self.layout.pieces)
        if len(lay.slots) == 1:
            return self._slot(at, 0)
        return SumRange(at, len(lay.slots), 1, 0, self.layout.pieces)

    def count_at(self, lay: PlaceLayout, at: Num, kind: Num) -> Num:
        """Return how many pieces of one kind lie on a place."""
        match lay.place.shape:
            case "cell":
                piece = self._piece_at(at, lay)
                same = compare("==", piece, kind)
                return both(same, compare("!=", kind, const(NONE)))
            case "stack":
                kind = self.m.named(kind)
                return self._count_stack(lay, at, lambda piece: compare("==", piece, kind))
        slot, there = self.slot_of(lay, kind)
        return select(there, self._slot_at(at, slot), ZERO) if there != ZERO else ZERO

    def slot_of(self, lay: PlaceLayout, kind: Num) -> tuple[Num, Num]:
        """Return the slot of a kind in a pile, and whether it has one."""
        if isinstance(kind, Const):
            return (const(lay.slots[kind.value]), ONE) if kind.value in lay.slots else (ZERO, ZERO)
        slot = self.mapped(kind, lay.slots, -1)
        if slot.lo >= 0:
            return slot, ONE
        if isinstance(slot, Select) and slot.other == Const(-1) and slot.then.lo >= 0:
            return slot.then, slot.test
        slot = self.m.named(slot)
        return known(slot, 0, len(lay.slots) - 1), within(slot, 0, len(lay.slots) - 1)

    def _slot(self, at: Num, slot: int) -> Num:
        return self._slot_at(at, const(slot))

    def _slot_at(self, at: Num, slot: Num) -> Num:
        return Load(add(at, slot), 0, self.layout.pieces)

    def _piece_at(self, at: Num, lay: PlaceLayout) -> Num:
        return Load(at, min(*lay.place.kinds, NONE), max(*lay.place.kinds, NONE))

    def _count_stack(self, lay: PlaceLayout, at: Num, test: Callable[[Num], Num]) -> Num:
        at = self.m.named(at)
        out, i = self.m.var(0, lay.width - 1), self.m.var(1, lay.width - 1)
        self.m.add(Set(out, ZERO))
        with self.m.apart() as body:
            piece = self.m.named(
                Known(Load(add(at, i), 0, max(lay.place.kinds)), min(lay.place.kinds), max(lay.place.kinds), NARROWED)
            )
            self.m.branch(test(piece), (Set(out, always(add(out, ONE), 0, out.hi)),))
        stop = self.m.named(add(Load(at, 0, lay.width - 1), ONE))
        self.m.add(ForRange(i, ONE, stop, tuple(body)))
        return out

    def _count_row(
        self, lay: PlaceLayout, start: Num, many: int, wanted: Num | List | tuple[int, ...] | None
    ) -> Num | None:
        """Return how many pieces lie on places side by side, where that is one stretch of the vector; else None."""
        most = self.layout.pieces
        if lay.place.shape == "cell":
            if wanted is None:
                return subtract(const(many), CountRange(start, many, const(NONE), 0, many))
            if isinstance(wanted, tuple) and len(wanted) <= FEW:
                total: Num = ZERO
                for kind in wanted:
                    total = add(total, CountRange(start, many, const(kind), 0, many))
                return total
            if not isinstance(wanted, tuple) and not is_list(wanted):
                counted = CountRange(start, many, wanted, 0, many)  # type: ignore[arg-type]
                return select(compare("!=", wanted, const(NONE)), counted, ZERO)  # type: ignore[arg-type]
            return None
        if lay.place.shape == "stack":
            return SumRange(start, many, lay.width, 0, most) if wanted is None else None
        if wanted is None:
            if lay.total is not None:
                return SumRange(add(start, const(lay.total)), many, lay.width, 0, most)
            return SumRange(start, many * lay.width, 1, 0, most)
        if isinstance(wanted, tuple):
            total = ZERO
            for kind in wanted:
                total = add(total, SumRange(add(start, const(lay.slots[kind])), many, lay.width, 0, most))
            return total
        if is_list(wanted):
            return None
        slot, there = self.slot_of(lay, wanted)  # type: ignore[arg-type]
        return select(there, SumRange(add(start, slot), many, lay.width, 0, most), ZERO) if there != ZERO else ZERO

    def _count_chosen(self, chosen: Expr, kinds: Expr | None, env: Env) -> Num:
        """Return how many of the pieces chosen together."""
        assert isinstance(chosen.type, Several)
        counts = self.m.named_list(self.listed(chosen, env))
        place = {k: i for i, k in enumerate(chosen.type.kinds)}
        most = self.layout.pieces
        if kinds is None:
            wanted: tuple[int, ...] | None = chosen.type.kinds
        else:
            value = self.static(kinds, env)
            wanted = None if value is None else value if isinstance(value, tuple) else (value,)
        if wanted is not None:
            total: Num = ZERO
            for kind in dict.fromkeys(wanted):
                if kind in place:
                    total = add(total, Item(counts, const(place[kind]), 0, most))
            return total
        assert kinds is not None
        if isinstance(kinds.type, ListOf):
            some = self.m.named_list(self.listed(kinds, env))
            total = ZERO
            for kind, i in place.items():
                total = add(total, select(InList(const(kind), some), Item(counts, const(i), 0, most), ZERO))
            return total
        at = self.m.named(self.mapped(self.number(kinds, env), place, -1))
        inside = within(at, 0, len(place) - 1)
        return select(inside, Item(counts, known(at, 0, len(place) - 1), 0, most), ZERO)

    def free_at(self, lay: PlaceLayout, at: Num) -> Num:
        """Return how many more pieces fit on a place; none fit nowhere."""
        if lay.place.shape == "cell":
            here = compare("==", self._piece_at(at, lay), const(NONE))
            return both(here, compare("!=", at, const(self.layout.nowhere_cell)))
        room = self.room(lay, at)
        return always(subtract(room, self.all_at(lay, at)), min(0, room.lo), room.hi)

    def room(self, lay: PlaceLayout, at: Num) -> Num:
        """Return how many pieces a place holds; 0 nowhere."""
        rooms = {lay.address(i): room for i, room in enumerate(lay.place.rooms)}
        if isinstance(at, Const):
            return const(rooms.get(at.value, 0))
        if len(set(rooms.values())) == 1 and at.lo >= lay.base:
            return const(lay.place.rooms[0])
        first = max(0, at.lo)
        rows = tuple(rooms.get(i, 0) for i in range(first, at.hi + 1))
        return Cell(self.m.table(rows), add(at, const(-first)), min(rows), max(rows))

    # built-ins and definitions ---------------------------------------------------------------------------

    def _builtin(self, e: syntax.BuiltinCall, env: Env) -> Num:
        match e.name:
            case "count":
                return self.count(e.args[0], e.args[1] if len(e.args) > 1 else None, env)
            case "empty":
                return negate(self.something(e.args[0], None, env))
            case "free":
                return self._free(e.args[0], env)
            case "piece":
                return self._piece(e.args[0], env)
            case "size":
                return self._size(e.args[0], env)
            case "next" | "previous":
                values = self.static(e.args[1], env)
                step = 1 if e.name == "next" else -1
                following = {v: values[(i + step) % len(values)] for i, v in enumerate(values)}
                return self.mapped(self.number(e.args[0], env), following)
            case "max" | "min":
                out = self.number(e.args[0], env)
                for a in e.args[1:]:
                    with self.m.apart() as body:
                        value = self.number(a, env)
                    if body:
                        out = self.m.named(out)
                        self.m.body += body
                    out = extreme(e.name, self.m.named(out), self.m.named(value))
                return out
            case _:
                raise AssertionError(e)

    def _free(self, places: Expr, env: Env) -> Num:
        lay = self.family(places.type)
        if isinstance(places.type, PlaceOf):
            return self.free_at(lay, self.m.named(self.number(places, env)))
        out = self.m.var(0, max(0, sum(lay.place.rooms)) if lay.place.shape != "cell" else lay.place.size)
        self.m.add(Set(out, ZERO))

        def one(at: Num) -> None:
            self.m.add(Set(out, always(add(out, self.free_at(lay, at)), 0, out.hi)))

        self._each_place_once(places, env, one)
        return out

    def _piece(self, place: Expr, env: Env) -> Num:
        lay = self.family(place.type)
        at = self.number(place, env)
        if lay.place.shape == "cell":
            return self._piece_at(at, lay)
        at = self.m.named(at)
        height = Load(at, 0, lay.width - 1)
        top = Load(add(at, height), 0, max(lay.place.kinds))
        sure = Known(top, min(lay.place.kinds), max(lay.place.kinds), NARROWED)
        return select(compare(">", height, ZERO), sure, const(NONE))

    def _size(self, e: Expr, env: Env) -> Num:
        if isinstance(e, syntax.Places):
            _, inside, many, _ = self.row(e, env)
            return select(inside, const(many), ZERO)
        if isinstance(e, syntax.Range):
            return extreme("max", ZERO, add(subtract(self.number(e.hi, env), self.number(e.lo, env)), ONE))
        found = self.listed(e, env)
        return Len(self.m.named_list(found), 0, found.longest)

    def _inlined(self, name: str) -> bool:
        return self._length(name) <= INLINE

    def _length(self, name: str) -> int:
        """Return how many nodes a definition has, including definitions that are written in place."""
        if name not in self._lengths:
            self._lengths[name] = self._nodes(self.model.functions[name].body)
        return self._lengths[name]

    def _nodes(self, e: Expr) -> int:
        found = 1 + sum(map(self._nodes, children(e)))
        if isinstance(e, syntax.FunctionCall) and self._inlined(e.function):
            found += self._length(e.function)
        return found

    def _arguments(self, e: syntax.FunctionCall, env: Env) -> Env:
        return self.given(self.model.functions[e.function].parameters, e.args, env, e.function, e.span)

    def given(
        self, parameters: tuple[Parameter, ...], args: tuple[Expr, ...], env: Env, owner: str, span: Span | None
    ) -> dict[str, Bound]:
        """Return the parameters with what they are given; a number outside the parameter's set is a fault."""
        found = {}
        for p, a in zip(parameters, args, strict=True):
            bound = self.bind(a, env)
            if not isinstance(bound.value, LISTS) and not self._surely(a.type, p.set):
                bound = Bound(p.type, self.one_of(p.set, bound.value, f"a {p.set} for `{owner}`", span))
            found[p.name] = bound
        return found

    def _surely(self, t: Type, name: str) -> bool:
        """Return whether every value of a type is in a set."""
        home = self.model.sets.get(name)
        if home is None or not isinstance(t, Values) or t.none:
            return False
        numbers = range(t.lo, t.hi + 1) if t.lo is not None and t.hi is not None else range(0)
        return len(numbers) <= len(home.values) and {*numbers, *t.members} <= set(home.values)

    def player(self, e: Expr, env: Env, span: Span | None) -> Num:
        """Return a player; a fault if nobody of that number plays."""
        return self.one_of("player", self.m.named(self.number(e, env)), "a player", span)

    def one_of(self, name: str, value: Num, what: str, span: Span | None) -> Num:
        """Return the value, which is a name or a constant; a fault unless it is a member of the set, if there is one."""
        home = self.model.sets.get(name)
        if home is None:
            return value
        good = self.among(value, home.values)
        if good == ONE:
            return value
        assert span is not None
        message = f"expected {what} from {home.type.lo} to {home.type.hi}, found {{}}"
        self.m.branch(
            negate(good), (Fail(self.m.fault(message, span, FaultCode.OUTSIDE, has_value=True), value=value),)
        )
        return always(value, min(home.values), max(home.values), NARROWED) if home.values else value

    def _call(self, e: syntax.FunctionCall, env: Env) -> Num:
        if self._inlined(e.function):
            return self.number(self.model.functions[e.function].body, self._arguments(e, env))
        args = tuple(b.value for b in self._arguments(e, env).values())
        return Call(self._function(e.function), args, *self.m.bounds(e.type))

    def _function(self, name: str) -> int:
        """Return the function of a definition too large to repeat."""
        if name not in self._functions:
            number = self._functions[name] = self.m.reserve()
            function = self.model.functions[name]
            parameters = [self.m.parameter(p.type) for p in function.parameters]
            env = {p.name: Bound(p.type, v) for p, v in zip(function.parameters, parameters, strict=True)}
            pure, self.pure = self.pure, True
            with self.m.function() as body:
                self.m.add(Return(self.argument(function.body, env)))
            self.pure = pure
            result = "list" if isinstance(function.body.type, ListOf) else "number"
            self.m.define(number, "define", tuple(parameters), body, result, function.span)
        return self._functions[name]

    def holes(self, template: Template, env: Env) -> tuple[Num | List, ...]:
        """Return the values that the holes of a text show."""
        return tuple(
            self.m.named_list(self.listed(part, env))
            if isinstance(part.type, ListOf | Several)
            else self.m.named(self.number(part, env))
            for part in template.parts
            if not isinstance(part, str)
        )


def _shown(code: int, t: Type) -> int:
    """Return a value that a part can be after the test around it; for any other one of those, since nobody will read it."""
    if not isinstance(t, Values) or t.never or overlap(of_codes((code,)), t) or (code == NONE and t.none):
        return code
    return t.lo if t.lo is not None else min(t.members, default=NONE)


def _may_fault(e: Expr, model: Model) -> bool:
    """Return whether working e out may stop the game, or would do harm where a test around it says that it is not needed."""
    match e:
        case syntax.Arithmetic(op="/" | "mod") if not (isinstance(e.right, syntax.Literal) and e.right.value):
            return True
        case syntax.BuiltinCall(name="clockwise") if not _surely(e.args[0].type, "player", model):
            return True
        case syntax.FunctionCall():
            function = model.functions[e.function]
            pairs = zip(function.parameters, e.args, strict=True)
            if not all(_surely(a.type, p.set, model) for p, a in pairs) or _may_fault(function.body, model):
                return True
    return any(_may_fault(c, model) for c in children(e))


def _surely(t: Type, name: str, model: Model) -> bool:
    """Return whether every value of a type is a member of a set, if there is a set of that name."""
    home = model.sets.get(name)
    if home is None or not isinstance(t, Values) or t.lo is None or t.hi is None or t.home == name:
        return True  # members that are not in the set, or none, are refused before play
    return t.hi - t.lo < len(home.values) and set(range(t.lo, t.hi + 1)) <= set(home.values)


def settles(e: Expr, model: Model) -> bool:
    """Return whether it matters when e is worked out: pieces that move may change it, or it may stop the game."""
    return _may_fault(e, model) or _reads_pieces(e, model)


def _reads_pieces(e: Expr, model: Model) -> bool:
    """Return whether the value of e depends on what lies where."""
    match e:
        case syntax.BuiltinCall(name="count" | "empty" | "free" | "piece"):
            return True
        case syntax.In() if isinstance(_item(e.domain.type), PlaceOf):
            return True
        case syntax.Aggregate() if any(isinstance(domain.type, PlaceOf) for _, domain in e.bindings):
            return True
        case syntax.FunctionCall() if _reads_pieces(model.functions[e.function].body, model):
            return True
    return any(_reads_pieces(c, model) for c in children(e))


def _item(t: Type) -> Type:
    return t.item if isinstance(t, ListOf) else t


def _clusters(keys: list[int]) -> list[list[int]]:
    """Return sorted numbers in runs without large gaps, so that a table can cover each."""
    runs = [[keys[0]]]
    for key in keys[1:]:
        if key - runs[-1][-1] > GAP:
            runs.append([])
        runs[-1].append(key)
    return runs


def _without_last_breaks(body: Sequence[Statement]) -> list[Statement]:
    """Return a body that is no loop's, without the `Break`s after which nothing would follow anyway."""
    match body[-1] if body else None:
        case Break():
            return list(body[:-1])
        case If() as last:
            then, other = (tuple(_without_last_breaks(part)) for part in (last.then, last.other))
            return [*body[:-1], If(last.test, then, other)]
        case _:
            return list(body)


def _breaks(body: list[Statement]) -> bool:
    """Return whether a `Break` in a body would leave the loop around it."""
    return any(
        isinstance(s, Break) or (isinstance(s, If) and (_breaks(list(s.then)) or _breaks(list(s.other)))) for s in body
    )


def _is_forest(near: Sequence[Sequence[int]]) -> bool:
    """Return whether steps between neighbours lead from place to place in one way only, but for going back."""
    root = list(range(len(near)))

    def found(n: int) -> int:
        while root[n] != n:
            n = root[n]
        return n

    for a, b in {(min(a, b), max(a, b)) for a, others in enumerate(near) for b in others}:
        if found(a) == found(b):
            return False
        root[found(a)] = found(b)
    return True
