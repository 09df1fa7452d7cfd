"""Checked expressions → Python expressions over the state vector `S`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from typing import Any

from interpreter.generate.writer import WORD as _WORD
from interpreter.generate.writer import Constants, Writer
from interpreter.layout import Layout, PlaceLayout
from rulespec.expr import core
from rulespec.expr.core import Expr, free_names
from rulespec.expr.evaluate import evaluate, is_static
from rulespec.expr.types import NONE, ListOf, PlaceOf, Several, Type, Values, YesNo, can_be_none, inside, meet, of_codes
from rulespec.model import Model

UNROLL = 12  # loops of at most so many passes are written out
LARGEST_FILTER = 8192  # entries of a filter worked out at load
INLINE = 40  # functions of at most so many nodes are written where they are called


_PLAIN = re.compile(r"-?\w+\Z")
# arithmetic, comparisons and table look-ups with a default: it cannot fail, whatever the values
_HARMLESS = re.compile(r"(?:[\w\s+*<>=(),-]|\.get\b)*\Z")


@dataclass(frozen=True, slots=True)
class Bound:
    """What a local name stands for in generated code: a known value, or a Python expression without effects."""

    type: Type
    text: str = ""
    const: Any = None


Env = Mapping[str, Bound]


@dataclass(frozen=True, slots=True)
class Domain:
    """What a loop runs over: known values or a Python iterable; `keep` tests a value before it counts."""

    type: Type
    values: tuple[Any, ...] | None
    text: str
    keep: Callable[[Bound], str] | None = None


def known(value: Any, t: Type) -> Bound:
    return Bound(of_codes((value,), getattr(t, "home", "")) if isinstance(t, Values) else t, "", value)


class Expressions:
    """Writes expressions. Loops that are not written out become functions of their own, in `functions`."""

    def __init__(self, model: Model, layout: Layout) -> None:
        self.model = model
        self.layout = layout
        self.constants = Constants()
        self.writer = Writer(self.constants)
        self.functions: list[str] = []  # lines of generated functions
        self._conditional = 0  # inside something that is only sometimes evaluated
        self._lazy: set[str] = set()  # names that get their value in the middle of an expression
        self._static: dict[int, tuple[Expr, bool, frozenset[str]]] = {}
        self._defined: dict[str, str] = {}
        self._made: dict[object, str] = {}  # what was asked for → the call of the function made for it
        self._number = 0

    # known values ----------------------------------------------------------------------------------------

    def const(self, e: Expr, env: Env) -> Any:
        """The value of e if it can be worked out now, else None."""
        if isinstance(e, core.Const):
            return e.value
        found = self._static.get(id(e))
        if found is None:
            found = self._static[id(e)] = (e, is_static(e, self.model.functions), free_names(e))
        _, static, names = found
        if not static or any(n not in env or env[n].const is None for n in names):
            return None
        return evaluate(e, {n: env[n].const for n in names}, self.model)

    def type_of(self, e: Expr, env: Env) -> Type:
        """The type of e, with what is known of the local it reads."""
        if isinstance(e, core.Local) and e.name in env:
            outer = env[e.name].type
            if isinstance(outer, Values) and isinstance(e.type, Values):
                both = meet(outer, e.type)
                return outer if both.never else both
        return e.type

    # expressions -----------------------------------------------------------------------------------------

    def value(self, e: Expr, env: Env) -> str:
        """Python text for e: a number for values, something true or false for conditions, a list for lists."""
        value = self.const(e, env)
        if value is not None:
            return repr(value)
        method: Callable[[Any, Env], str] = getattr(self, "_" + type(e).__name__.lower())
        return method(e, env)

    def number(self, e: Expr, env: Env) -> str:
        """Python text for e as a number also where e is a condition."""
        text = self.value(e, env)
        return f"(1 if {text} else 0)" if isinstance(e.type, YesNo) and text not in ("0", "1") else text

    def once(self, text: str) -> str:
        """`text` computed once before this line, if it is evaluated for certain or nothing in it can fail."""
        if _PLAIN.match(text):
            return text
        if self._lazy and self._lazy & set(_WORD.findall(text)):
            return f"({text})"
        if self._conditional and not _HARMLESS.match(text):
            return f"({text})"
        return self.writer.once(text)

    def twice(self, e: Expr, env: Env) -> tuple[str, str]:
        """Text for the first use of e's value, which is evaluated before the others, and text for the others."""
        text = self.once(self.value(e, env))
        if _PLAIN.match(text):
            return text, text
        name = self.writer.temp()
        self._lazy.add(name)
        return f"({name} := {text})", name

    @contextmanager
    def sometimes(self) -> Iterator[None]:
        """What is written in here is not always evaluated."""
        self._conditional += 1
        yield
        self._conditional -= 1

    def bind(self, e: Expr, env: Env) -> tuple[str, Bound]:
        """e for use under a local name: what must be evaluated first, and the bound name."""
        value = self.const(e, env)
        if value is not None:
            return "", known(value, e.type)
        first, later = self.twice(e, env)
        return ("" if first == later else f"{first} is None or "), Bound(self.type_of(e, env), later)

    def _local(self, e: core.Local, env: Env) -> str:
        b = env[e.name]
        return b.text if b.const is None else repr(b.const)

    def _not(self, e: core.Not, env: Env) -> str:
        return f"(not {self.value(e.of, env)})"

    def _logic(self, e: core.Logic, env: Env) -> str:
        left, right = self.const(e.left, env), self.const(e.right, env)
        absorbing = 0 if e.op == "and" else 1
        if left == absorbing or right == absorbing:
            return str(absorbing)
        if left is not None:
            return self.value(e.right, env)
        if right is not None:
            return self.value(e.left, env)
        first = self.value(e.left, env)
        with self.sometimes():
            return f"({first} {e.op} {self.value(e.right, env)})"

    def _if(self, e: core.If, env: Env) -> str:
        test = self.const(e.test, env)
        if test is not None:
            return self.value(e.then if test else e.other, env)
        first = self.value(e.test, env)
        with self.sometimes():
            return f"({self.value(e.then, env)} if {first} else {self.value(e.other, env)})"

    def _let(self, e: core.Let, env: Env) -> str:
        first, b = self.bind(e.value, env)
        body = self.value(e.body, {**env, e.name: b})
        return f"({first}{body})" if first else body

    def _compare(self, e: core.Compare, env: Env) -> str:
        if isinstance(e.left.type, YesNo):
            return f"({self.number(e.left, env)} {'==' if e.op == '=' else '!='} {self.number(e.right, env)})"
        if (shortcut := self._compare_count(e, env)) is not None:
            return shortcut
        op = {"=": "=="}.get(e.op, e.op)
        return f"({self.value(e.left, env)} {op} {self.value(e.right, env)})"

    def _compare_count(self, e: core.Compare, env: Env) -> str | None:
        """`count(…) > 0` and `= 0` ask whether anything is there; nothing needs to be added up."""
        if e.op not in (">", "=", "!=") or self.const(e.right, env) != 0:
            return None
        left = e.left
        while isinstance(left, core.Call) and not left.args:
            left = self.model.functions[left.function].body
        if not (isinstance(left, core.Builtin) and left.name == "count"):
            return None
        there = self._anything(left, env if left is e.left else {})
        if there is None:
            return None
        return f"(not {there})" if e.op == "=" else there

    def _default(self, e: core.Default, env: Env) -> str:
        if not can_be_none(self.type_of(e.value, env)):
            return self.value(e.value, env)
        first, later = self.twice(e.value, env)
        with self.sometimes():
            return f"({later} if {first} != {NONE} else {self.value(e.other, env)})"

    def _range(self, e: core.Range, env: Env) -> str:
        return f"range({self.value(e.lo, env)}, {self.value(e.hi, env)} + 1)"

    def _arithmetic(self, e: core.Arithmetic, env: Env) -> str:
        left, right = self.value(e.left, env), self.value(e.right, env)
        if left == "0" and e.op == "-":
            return f"(-{right})"
        if e.op == "+" and "0" in (left, right):
            return right if left == "0" else left
        op = {"/": "//", "mod": "%"}.get(e.op, e.op)
        return f"({left} {op} {right})"

    def _items(self, e: core.Items, env: Env) -> str:
        parts = [f"*{self.value(i, env)}" if isinstance(i.type, ListOf) else self.value(i, env) for i in e.items]
        return f"({', '.join(parts)},)"

    def _in(self, e: core.In, env: Env) -> str:
        if isinstance(e.domain.type, PlaceOf | Several) or (isinstance(e.domain.type, ListOf) and isinstance(e.domain.type.item, PlaceOf)):
            counted = core.Builtin(e.type, "count", (e.domain, e.item))
            return self._anything(counted, env) or f"({self._builtin(counted, env)} > 0)"
        values = self.const(e.domain, env)
        if values is not None:
            return self._in_known(e.item, values, env)
        if isinstance(e.domain, core.Items) and len(e.domain.items) <= 3 and not any(isinstance(i.type, ListOf) for i in e.domain.items):
            item, later = self.twice(e.item, env)
            with self.sometimes():
                rest = "".join(f" or {later} == {self.value(i, env)}" for i in e.domain.items[1:])
            return f"({item} == {self.value(e.domain.items[0], env)}{rest})"
        if isinstance(e.domain, core.Range):
            return f"({self.value(e.domain.lo, env)} <= {self.value(e.item, env)} <= {self.value(e.domain.hi, env)})"
        return f"({self.value(e.item, env)} in {self.value(e.domain, env)})"

    def _in_known(self, item: Expr, values: tuple[int, ...], env: Env) -> str:
        t = self.type_of(item, env)
        if isinstance(t, Values) and _contiguous(values) and inside(t, of_codes(values)):
            return "1"
        if len(values) == 2:
            first, later = self.twice(item, env)
            return f"({first} == {values[0]} or {later} == {values[1]})"
        text = self.value(item, env)
        if len(values) < 2:
            return f"({text} == {values[0]})" if values else "0"
        if _contiguous(values):
            return f"({min(values)} <= {text} <= {max(values)})"
        return f"({text} in {self.constants.name('set', frozenset(values))})"

    # reading ---------------------------------------------------------------------------------------------

    def offset(self, index: tuple[Expr, ...], values: tuple[tuple[int, ...], ...], width: int, env: Env) -> tuple[int, list[str], list[str]] | None:
        """Where an index leads: (known part, computed terms, tests that it is inside), or None for nowhere."""
        known_part, terms, tests = 0, [], []
        stride = width
        strides = []
        for v in reversed(values):
            strides.append(stride)
            stride *= len(v)
        strides.reverse()
        for e, codes, step in zip(index, values, strides, strict=False):
            value = self.const(e, env)
            if value is not None:
                if value not in codes:
                    return None
                known_part += codes.index(value) * step
                continue
            fits = isinstance(t := self.type_of(e, env), Values) and inside(t, of_codes(codes)) and _no_gaps(codes)
            if fits:
                first = later = self.once(self.value(e, env))
            else:
                first, later = self.twice(e, env)
            if _contiguous(codes):
                known_part -= codes[0] * step
                terms.append(f"{later}*{step}" if step != 1 else later)
                if not fits:
                    tests.append(f"{codes[0]} <= {first} <= {codes[-1]}")
            else:
                table = self.constants.name("at", {c: i * step for i, c in enumerate(codes)})
                terms.append(f"{table}.get({later}, 0)")
                if not fits:
                    tests.append(f"{first} in {table}")
        return known_part, terms, tests

    def address(self, e: Expr, env: Env) -> tuple[str, int]:
        """A place's address as (Python name or nothing, known part to add)."""
        if isinstance(e, core.PlaceAt):
            lay = self.layout.places[e.family]
            found = self.offset(e.index, lay.place.index_values, lay.width, env)
            nowhere = self.layout.nowhere_of(e.family)
            if found is None:
                return "", nowhere
            part, terms, tests = found
            part += lay.base
            if tests:
                return self.once(f"({_sum(part, terms)} if {' and '.join(tests)} else {nowhere})"), 0
            return (self.once(" + ".join(terms)) if terms else ""), part
        value = self.const(e, env)
        return ("", value) if value is not None else (self.once(self.value(e, env)), 0)

    def may_be_nowhere(self, e: Expr, env: Env) -> bool:
        if not isinstance(e, core.PlaceAt):
            return False
        lay = self.layout.places[e.family]
        found = self.offset(e.index, lay.place.index_values, lay.width, env)
        return found is None or bool(found[2])

    def _placeat(self, e: core.PlaceAt, env: Env) -> str:
        return _sum(*_as_terms(self.address(e, env)))

    def _places(self, e: core.Places, env: Env) -> str:
        start, many, width = self.row(e, env)
        if start is None:
            return "()"
        text = _sum(start[1], [start[0]] if start[0] else [])
        return f"range({text}, {text} + {many * width}, {width})"

    def row(self, e: core.Places, env: Env) -> tuple[tuple[str, int] | None, int, int]:
        """The first address, number and width of a run of places; (None, …) for nowhere."""
        lay = self.layout.places[e.family]
        many = 1
        for v in lay.place.index_values[len(e.index) :]:
            many *= len(v)
        found = self.offset(e.index, lay.place.index_values, lay.width, env)
        if found is None:
            return None, many, lay.width
        part, terms, tests = found
        part += lay.base
        if tests:  # a run that may be nowhere: an empty stretch of the vector cannot stand for it
            text = self.once(f"({_sum(part, terms)} if {' and '.join(tests)} else -1)")
            return (text, 0), -many, lay.width
        return (self.once(" + ".join(terms)) if terms else "", part), many, lay.width

    def _variableread(self, e: core.VariableRead, env: Env) -> str:
        lay = self.layout.variables[e.variable]
        found = self.offset(e.index, lay.variable.index_values, 1, env)
        if found is None:
            return str(NONE)
        part, terms, tests = found
        if tests:
            return f"(S[{_sum(part + lay.base, terms)}] if {' and '.join(tests)} else {NONE})"
        return f"S[{_sum(part + lay.base, terms)}]"

    def _tableread(self, e: core.TableRead, env: Env) -> str:
        table = self.model.tables[e.table]
        outside = "()" if isinstance(e.type, ListOf) else str(NONE)
        found = self.offset(e.index, table.index, 1, env)
        if found is None:
            return outside
        part, terms, tests = found
        name = self.constants.name(e.table, table.entries)
        read = f"{name}[{_sum(part, terms)}]"
        return f"({read} if {' and '.join(tests)} else {outside})" if tests else read

    def _part(self, e: core.Part, env: Env) -> str:
        parts = {code: self.model.pair_parts[code][e.which] for code in self.model.sets[e.set].values}
        name = self.constants.name("part", parts)
        return f"{name}.get({self.value(e.pair, env)}, {NONE})"

    # kinds and counting ----------------------------------------------------------------------------------

    def kind_slot(self, lay: PlaceLayout, kind: Expr, env: Env) -> tuple[str, int, str] | None:
        """Offset of a kind on a pile: (term, known part, test that it can lie there), or None if it cannot."""
        return self.kind_slot_of(lay, self.plain_bound(kind, env))

    def kind_slot_of(self, lay: PlaceLayout, b: Bound) -> tuple[str, int, str] | None:
        if b.const is not None:
            return ("", lay.slots[b.const], "") if b.const in lay.slots else None
        t = b.type
        codes = [c for c in lay.slots if not isinstance(t, Values) or c in t.members or (t.lo is not None and t.lo <= c <= t.hi)]  # type: ignore[operator]
        if not codes:
            return None
        surely = isinstance(t, Values) and inside(t, of_codes(tuple(codes))) and _no_gaps(tuple(codes))
        deltas = {lay.slots[c] - c for c in codes}
        if len(deltas) == 1 and (surely or _contiguous(tuple(sorted(codes)))):
            test = "" if surely else f"{min(codes)} <= {b.text} <= {max(codes)}"
            return b.text, deltas.pop(), test
        table = self.constants.name("slot", dict(sorted(lay.slots.items())))
        return f"{table}.get({b.text}, 0)", 0, "" if surely else f"{b.text} in {table}"

    def _family(self, places: Expr) -> PlaceLayout:
        t = places.type.item if isinstance(places.type, ListOf) else places.type
        assert isinstance(t, PlaceOf)
        return self.layout.places[t.family]

    def _kind_list(self, kinds: Expr | None, lay: PlaceLayout, env: Env) -> list[Bound] | None:
        """The kinds to count as bounds; None: every kind."""
        if kinds is None:
            return None
        if isinstance(kinds.type, ListOf):
            values = self.const(kinds, env)
            if values is not None:
                if set(lay.place.kinds) <= set(values):
                    return None
                return [known(v, kinds.type.item) for v in values]
            if isinstance(kinds, core.Items):
                return [b for i in kinds.items for b in (self._kind_list(i, lay, env) or [])]
            return [Bound(kinds.type, self.once(self.value(kinds, env)))]  # a list known only in play
        return [self.plain_bound(kinds, env)]

    def plain_bound(self, e: Expr, env: Env) -> Bound:
        """e as a bound whose text may be repeated, if at the cost of evaluating it again."""
        value = self.const(e, env)
        return known(value, e.type) if value is not None else Bound(self.type_of(e, env), self.once(self.value(e, env)))

    def count_at(self, lay: PlaceLayout, at: tuple[str, int], kinds: list[Bound] | None) -> str:
        """Pieces of these kinds on one place."""
        name, part = at
        spot = lambda extra=0, term="": f"S[{_sum(part + extra, [t for t in (name, term) if t])}]"  # noqa: E731
        if lay.place.shape == "cell":
            if kinds is None:
                return f"({spot()} != {NONE})"
            if not kinds:
                return "0"
            return "(" + " or ".join(self._is_kind(spot(), k) for k in kinds) + ")"
        if lay.place.shape == "stack":
            if kinds is None:
                return spot()
            here = self.once(_sum(part, [name] if name else []))
            pieces = f"S[{here} + 1:{here} + 1 + S[{here}]]"
            return "(" + " + ".join(f"{pieces}.count({k.text or k.const})" for k in kinds) + ")"
        if kinds is None:
            if lay.total is not None:
                return spot(lay.total)
            if len(lay.slots) > UNROLL:
                start = _sum(part, [name] if name else [])
                return f"sum(S[{start}:{start} + {len(lay.slots)}])"
            return "(" + " + ".join(spot(i) for i in lay.slots.values()) + ")"
        terms = []
        for k in kinds:
            if isinstance(k.type, ListOf):
                table = self.constants.name("slot", dict(sorted(lay.slots.items())))
                base = _sum(part, [name] if name else [])
                terms.append(f"sum(S[{base} + {table}[k]] for k in {k.text} if k in {table})")
            elif (slot := self.kind_slot_of(lay, k)) is not None:
                read = spot(slot[1], slot[0])
                terms.append(f"({read} if {slot[2]} else 0)" if slot[2] else read)
        return "(" + " + ".join(terms) + ")" if len(terms) != 1 else terms[0] if terms else "0"

    def _is_kind(self, text: str, k: Bound) -> str:
        if isinstance(k.type, ListOf):
            return f"{text} in {k.text}"
        if k.const is not None:
            return f"{text} == {k.const}"
        return f"{text} == {k.text} != {NONE}" if can_be_none(k.type) else f"{text} == {k.text}"

    def _anything(self, e: core.Builtin, env: Env) -> str | None:
        """Python text that is true if `count` would not be 0, where that is shorter than counting."""
        places, kinds = e.args[0], e.args[1] if len(e.args) > 1 else None
        if isinstance(places.type, Several):
            return None
        lay = self._family(places)
        wanted = self._kind_list(kinds, lay, env)
        if isinstance(places, core.Places):
            start, many, width = self.row(places, env)
            if start is None:
                return "0"
            slots = many * (len(wanted) if wanted is not None else len(lay.slots) or 1)
            if many < 0 or slots > 8 * UNROLL:
                return None
            spots = [(start[0], start[1] + i * width) for i in range(many)]
        elif isinstance(places.type, PlaceOf):
            spots = [self.address(places, env)]
        else:
            return None
        if lay.place.shape == "pile" and lay.total is None and wanted is None:
            wanted = [known(k, Values(members=frozenset((k,)))) for k in lay.place.kinds]
        texts = [self.count_at(lay, at, [k]) for at in spots for k in wanted] if wanted is not None else [self.count_at(lay, at, None) for at in spots]
        return "(" + (" or ".join(texts) or "0") + ")"

    def _count(self, e: core.Builtin, env: Env) -> str:
        places, kinds = e.args[0], e.args[1] if len(e.args) > 1 else None
        if isinstance(places.type, Several):
            return self._count_chosen(places, kinds, env)
        lay = self._family(places)
        wanted = self._kind_list(kinds, lay, env)
        if isinstance(places.type, PlaceOf):
            text = self.count_at(lay, self.address(places, env), wanted)
            return f"(1 if {text} else 0)" if lay.place.shape == "cell" else text
        if isinstance(places, core.Places):
            start, many, width = self.row(places, env)
            if start is None:
                return "0"
            if many > 0:
                return self._count_row(lay, start, many, width, wanted)
        x = self.writer.temp("x")
        each = self.count_at(lay, (x, 0), wanted)
        return f"sum({'1' if lay.place.shape == 'cell' else each} for {x} in {self.place_list(places, env)}{' if ' + each if lay.place.shape == 'cell' else ''})"

    def _count_row(self, lay: PlaceLayout, start: tuple[str, int], many: int, width: int, wanted: list[Bound] | None) -> str:
        """Pieces on a run of places lying side by side, by slices of the vector."""
        name, part = start
        at = lambda extra: _sum(part + extra, [name] if name else [])  # noqa: E731
        if lay.place.shape == "cell":
            cells = f"S[{at(0)}:{at(many)}]"
            if wanted is None:
                return f"({many} - {cells}.count({NONE}))"
            if not any(isinstance(k.type, ListOf) or can_be_none(k.type) for k in wanted):
                return "(" + (" + ".join(f"{cells}.count({k.text or k.const})" for k in wanted) or "0") + ")"
        elif lay.place.shape == "pile":
            if wanted is None and lay.total is None:
                return f"sum(S[{at(0)}:{at(many * width)}])"
            if wanted is None:
                return f"sum(S[{at(lay.total or 0)}:{at(many * width)}:{width}])"
            slots = [self.kind_slot_of(lay, k) for k in wanted if not isinstance(k.type, ListOf)]
            if len(slots) == len(wanted) and all(s is None or not s[2] for s in slots):
                if many * len(slots) > 2 * UNROLL:
                    sums = [f"sum(S[{_sum(part + s[1], [t for t in (name, s[0]) if t])}:{at(many * width)}:{width}])" for s in slots if s]
                    return "(" + (" + ".join(sums) or "0") + ")"
        texts = [self.count_at(lay, (name, part + i * width), wanted) for i in range(many)]
        return "(" + " + ".join(texts) + ")"

    def _count_chosen(self, chosen: Expr, kinds: Expr | None, env: Env) -> str:
        """How many pieces of a choice of several; the choice is a tuple of counts in the order of its kinds."""
        assert isinstance(chosen.type, Several)
        text = self.value(chosen, env)
        if kinds is None:
            return f"sum({text})"
        place = {k: i for i, k in enumerate(chosen.type.kinds)}
        if isinstance(kinds.type, ListOf):
            table = self.constants.name("slot", place)
            return f"sum({text}[{table}[k]] for k in {self.value(kinds, env)} if k in {table})"
        value = self.const(kinds, env)
        if value is not None:
            return f"{text}[{place[value]}]" if value in place else "0"
        table = self.constants.name("slot", place)
        first, later = self.twice(kinds, env)
        return f"({text}[{table}[{later}]] if {first} in {table} else 0)"

    def place_list(self, e: Expr, env: Env) -> str:
        """A Python iterable of addresses."""
        if isinstance(e.type, PlaceOf):
            return f"({self._placeat(e, env) if isinstance(e, core.PlaceAt) else self.value(e, env)},)"
        if isinstance(e, core.Places):
            start, many, width = self.row(e, env)
            if many < 0 and start is not None:
                return f"(range({start[0]}, {start[0]} + {-many * width}, {width}) if {start[0]} >= 0 else ())"
        return self.value(e, env)

    # built-ins -------------------------------------------------------------------------------------------

    def _builtin(self, e: core.Builtin, env: Env) -> str:
        method: Callable[[core.Builtin, Env], str] = getattr(self, f"_{e.name}")
        return method(e, env)

    def _size(self, e: core.Builtin, env: Env) -> str:
        if isinstance(e.args[0], core.Group):
            return self.group(e.args[0], env, only_size=True)
        text = self.place_list(e.args[0], env) if isinstance(e.args[0], core.Places) else self.value(e.args[0], env)
        return f"len({text})"

    def _empty(self, e: core.Builtin, env: Env) -> str:
        counted = core.Builtin(e.type, "count", e.args)
        if isinstance(e.args[0].type, PlaceOf) and self._family(e.args[0]).place.shape == "cell":
            name, part = self.address(e.args[0], env)
            return f"(S[{_sum(part, [name] if name else [])}] == {NONE})"
        there = self._anything(counted, env)
        return f"(not {there})" if there is not None else f"({self._count(counted, env)} == 0)"

    def room(self, lay: PlaceLayout, at: tuple[str, int]) -> str:
        """How many pieces a place can hold; 0 nowhere."""
        rooms = {lay.address(i): room for i, room in enumerate(lay.place.rooms)}
        name, part = at
        if not name:
            return str(rooms.get(part, 0))
        if len(set(rooms.values())) == 1 and part:
            return str(lay.place.rooms[0])
        by_address = tuple(rooms.get(i, 0) for i in range(lay.end))
        return f"{self.constants.name('room', by_address)}[{_sum(part, [name])}]"

    def free_at(self, lay: PlaceLayout, at: tuple[str, int]) -> str:
        if lay.place.shape == "cell":
            return f"(1 if S[{_sum(at[1], [at[0]] if at[0] else [])}] == {NONE} else 0)"
        return f"({self.room(lay, at)} - {self.count_at(lay, at, None)})"

    def _free(self, e: core.Builtin, env: Env) -> str:
        lay = self._family(e.args[0])
        if isinstance(e.args[0].type, PlaceOf):
            if lay.place.shape == "cell" and self.may_be_nowhere(e.args[0], env):
                name, part = self.address(e.args[0], env)
                spot = _sum(part, [name] if name else [])
                return f"(1 if S[{spot}] == {NONE} and {spot} != {self.layout.nowhere_cell} else 0)"
            return self.free_at(lay, self.address(e.args[0], env))
        x = self.writer.temp("x")
        return f"sum({self.free_at(lay, (x, 0))} for {x} in {self.place_list(e.args[0], env)})"

    def _piece(self, e: core.Builtin, env: Env) -> str:
        lay = self._family(e.args[0])
        name, part = self.address(e.args[0], env)
        spot = _sum(part, [name] if name else [])
        if lay.place.shape == "cell":
            return f"S[{spot}]"
        return f"(S[{spot} + S[{spot}]] if S[{spot}] else {NONE})"

    def _next(self, e: core.Builtin, env: Env) -> str:
        values = self.const(e.args[1], env)
        text = self.value(e.args[0], env)
        step = 1 if e.name == "next" else -1
        if values == tuple(range(1, len(values) + 1)):
            return f"({text} % {len(values)} + 1)" if step == 1 else f"(({text} - 2) % {len(values)} + 1)"
        n = len(values)
        return f"{self.constants.name(e.name, {v: values[(i + step) % n] for i, v in enumerate(values)})}.get({text}, {NONE})"

    _previous = _next

    def _clockwise(self, e: core.Builtin, env: Env) -> str:
        n = self.model.players
        table = {p: tuple((p - 1 + i) % n + 1 for i in range(n)) for p in range(1, n + 1)}
        return f"{self.constants.name('clockwise', table)}[{self.value(e.args[0], env)}]"

    def _max(self, e: core.Builtin, env: Env) -> str:
        if len(e.args) == 2 and (floor := self.const(e.args[0], env)) is not None:
            first, later = self.twice(e.args[1], env)
            return f"({later} if {first} {'>' if e.name == 'max' else '<'} {floor} else {floor})"
        return f"{e.name}({', '.join(self.value(a, env) for a in e.args)})"

    _min = _max

    def _ray(self, e: core.Builtin, env: Env) -> str:
        family = e.args[0].type.family  # type: ignore[union-attr]
        rays = self.constants.name("ray", self._rays(family, e.args[1]))
        way, cell = self.value(e.args[1], env), self._placeat(e.args[0], env) if isinstance(e.args[0], core.PlaceAt) else self.value(e.args[0], env)  # type: ignore[arg-type]
        return f"{rays}.get(({way}, {cell}), ())"

    def _rays(self, family: str, ways: Expr) -> dict[tuple[int, int], tuple[int, ...]]:
        """For each way and cell the cells beyond; a way that branches or turns back gives its first line."""
        lay = self.layout.places[family]
        codes = {name: code for code, name in self.model.member_names.items()}
        out = {}
        for way, neighbours in lay.place.ways.items():
            for i in range(lay.place.size):
                line, seen, at = [], {i}, i
                while neighbours[at] and neighbours[at][0] not in seen:
                    at = neighbours[at][0]
                    seen.add(at)
                    line.append(lay.address(at))
                out[codes[way], lay.address(i)] = tuple(line)
        return out

    # functions, groups and aggregates --------------------------------------------------------------------

    def _call(self, e: core.Call, env: Env) -> str:
        function = self.model.functions[e.function]
        if _nodes(function.body) <= INLINE:
            first, inner = "", {}
            for p, a in zip(function.parameters, e.args, strict=True):
                before, inner[p.name] = self.bind(a, env)
                first += before
            body = self.value(function.body, inner)
            return f"({first}{body})" if first else body
        inner = {p.name: self.plain_bound(a, env) for p, a in zip(function.parameters, e.args, strict=True)}
        return f"{self._define(e.function)}(S{''.join(', ' + (b.text if b.const is None else repr(b.const)) for b in inner.values())})"

    def _define(self, name: str) -> str:
        """A generated function for a function too large to repeat."""
        if name not in self._defined:
            self._defined[name] = f"f_{name}"
            function = self.model.functions[name]
            env = {p.name: Bound(p.type, p.name) for p in function.parameters}
            names = [p.name for p in function.parameters]
            with self.aside(), self.writer.function(f"def f_{name}({', '.join(['S', *names])}):", *names):
                text = self.value(function.body, env)
                self.writer.line(f"return {text}")
        return self._defined[name]

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Writes a function of its own while another one is being written."""
        outer, self.writer = self.writer, Writer(self.constants)
        conditional, self._conditional = self._conditional, 0
        lazy, self._lazy = self._lazy, set()
        yield
        self.functions += self.writer.lines
        self.writer, self._conditional, self._lazy = outer, conditional, lazy

    @contextmanager
    def ahead(self) -> Iterator[Writer]:
        """Writes lines at the beginning of the function that is being written, before its loops."""
        with self.writer.ahead():
            conditional, self._conditional = self._conditional, 0
            yield self.writer
            self._conditional = conditional

    def outer_names(self, e: Expr, env: Env) -> list[str]:
        """The Python names that the locals of e need."""
        words: set[str] = set()
        for name in free_names(e):
            if name in env and env[name].const is None:
                words |= set(_WORD.findall(env[name].text))
        return sorted(words - {"S"})

    def _same(self, e: Expr, env: Env, *more: object) -> object:
        """A key under which the same function would be made again."""
        return (id(e), more, tuple((n, env[n]) for n in sorted(free_names(e)) if n in env))

    def group(self, e: core.Group, env: Env, only_size: bool = False) -> str:
        key = self._same(e, env, only_size)
        if key not in self._made:
            self._made[key] = self._lines(e, env) or self._group_function(e, env, only_size) if only_size else self._group_function(e, env, only_size)
        return self._made[key]

    def _lines(self, e: core.Group, env: Env) -> str | None:
        """The size of a group along one straight way: a count outward in both directions, no search."""
        way = self.const(e.along, env)
        lay = self.layout.places[e.start.type.family]  # type: ignore[union-attr]
        if not isinstance(way, int):
            return None
        runs = straight_runs(lay, self.model.value_name(way))
        if runs is None:
            return None
        names = self.outer_names(e, env)
        self._number += 1
        function = f"run{self._number}"
        with self.aside(), self.writer.function(f"def {function}({', '.join(['S', *names])}):", *names):
            w = self.writer
            start = self.once(_sum(*_as_terms(self.address(e.start, env))))
            if self.may_be_nowhere(e.start, env):
                w.line(f"if {start} == {self.layout.nowhere_of(lay.place.name)}: return 0")
            w.line(f"one, other = {self.constants.name('run', runs)}[{start}]")
            w.line("n = 1")
            for side in ("one", "other"):
                with w.block(f"for y in {side}:", "y"):
                    w.line(f"if not {self.value(e.where, {**env, e.name: Bound(e.start.type, 'y')})}: break")
                    w.line("n += 1")
            w.line("return n")
        return f"{function}({', '.join(['S', *names])})"

    def _group_function(self, e: core.Group, env: Env, only_size: bool) -> str:
        family = e.start.type.family  # type: ignore[union-attr]
        lay = self.layout.places[family]
        names = self.outer_names(e, env)
        self._number += 1
        function = f"group{self._number}"
        neighbours = self._neighbours(lay)
        with self.aside(), self.writer.function(f"def {function}({', '.join(['S', *names])}):", *names):
            w = self.writer
            start = _sum(*_as_terms(self.address(e.start, env)))
            w.line(f"found = [{start}]")
            w.bind("found")
            if self.may_be_nowhere(e.start, env):
                w.line(f"if found[0] == {self.layout.nowhere_of(family)}: return {'0' if only_size else '[]'}")
            ways = self.value(e.along, env)
            table = self.constants.name("near", neighbours)
            if isinstance(e.along.type, ListOf):
                w.line(f"near = [{table}[w] for w in {ways}]")
            else:
                w.line(f"near = {table}[{ways}]")
            w.bind("near")
            with w.block("for x in found:", "x"):
                head = "for y in near[x]:" if not isinstance(e.along.type, ListOf) else "for y in [y for n in near for y in n[x]]:"
                with w.block(head, "y"), w.block("if y not in found:"):
                    test = self.value(e.where, {**env, e.name: Bound(e.start.type, "y")})
                    w.line(f"if {test}: found.append(y)")
            w.line(f"return {'len(found)' if only_size else 'found'}")
        return f"{function}({', '.join(['S', *names])})"

    def _group(self, e: core.Group, env: Env) -> str:
        return self.group(e, env)

    def _neighbours(self, lay: PlaceLayout) -> dict[int, dict[int, tuple[int, ...]]]:
        codes = {name: code for code, name in self.model.member_names.items()}
        return {
            codes[way]: {lay.address(i): tuple(lay.address(n) for n in near) for i, near in enumerate(all_near)}
            for way, all_near in lay.place.ways.items()
        }

    def domain(self, e: Expr, env: Env) -> Domain:
        """What a loop over e runs over."""
        match e.type:
            case PlaceOf():
                lay = self._family(e)
                at = self.address(e, env)
                kinds = lay.place.kinds
                return Domain(self._kinds_type(lay), kinds, repr(kinds), lambda b: self.count_at(lay, at, [b]))
            case Several():
                place = {k: i for i, k in enumerate(e.type.kinds)}
                text = self.value(e, env)
                return Domain(of_codes(e.type.kinds), e.type.kinds, "", lambda b: f"{text}[{place[b.const]}]")
        item = e.type.item if isinstance(e.type, ListOf) else e.type
        values = self.const(e, env)
        if values is not None:
            return Domain(item, values, repr(values))
        if isinstance(e, core.Places):
            start, many, width = self.row(e, env)
            if start is None:
                return Domain(item, (), "()")
            if not start[0] and many > 0:
                addresses = tuple(range(start[1], start[1] + many * width, width))
                return Domain(item, addresses, repr(range(start[1], start[1] + many * width, width)))
            return Domain(item, None, self.place_list(e, env))
        return Domain(item, None, self.value(e, env))

    def _kinds_type(self, lay: PlaceLayout) -> Values:
        return of_codes(lay.place.kinds)

    def _aggregate(self, e: core.Aggregate, env: Env) -> str:
        e = _conditions_first(e)
        witness = self._witness(e, env)
        if witness is not None:
            return witness
        passes = self._passes(e, env)
        if passes is not None:
            return self._unrolled(e, passes)
        return self._loop(e, env)

    def _passes(self, e: core.Aggregate, env: Env) -> list[tuple[Env, list[str]]] | None:
        """Every pass of a short loop over known values: its env, and the tests it must pass; None if it is long."""
        if e.stop is not None or e.op == "list":
            return None
        passes: list[tuple[Env, list[str]]] = [(env, [])]
        for name, domain_expr in e.bindings:
            longer = []
            for inner, tests in passes:
                domain = self.domain(domain_expr, inner)
                if domain.values is None or len(domain.values) > UNROLL:
                    return None
                for value in domain.values:
                    b = known(value, domain.type)
                    keep = [domain.keep(b)] if domain.keep else []
                    longer.append(({**inner, name: b}, tests + keep))
            passes = longer
            if len(passes) > 2 * UNROLL:
                return None
        if len(passes) * _nodes(e.body) > 24 * UNROLL:
            return None
        out = []
        for inner, tests in passes:
            if e.where is not None:
                value = self.const(e.where, inner)
                if value == 0:
                    continue
                if value is None:
                    with self.sometimes():
                        tests = [*tests, self.value(e.where, inner)]
            out.append((inner, tests))
        return out

    def _unrolled(self, e: core.Aggregate, passes: list[tuple[Env, list[str]]]) -> str:
        with self.sometimes():
            texts = self._pass_texts(e, passes)
        return self._gathered(e, passes, texts)

    def _pass_texts(self, e: core.Aggregate, passes: list[tuple[Env, list[str]]]) -> list[str]:
        texts = []
        for inner, tests in passes:
            test = " and ".join(tests)
            if e.op in ("any", "count"):
                body = self.value(e.body, inner)
                texts.append(" and ".join(t for t in (*tests, "" if body == "1" else body) if t) or "1")
            elif e.op == "all":
                body = self.value(e.body, inner)
                texts.append(f"(not ({test}) or {body})" if test else body)
            elif e.op == "sum":
                body = self._number_or_nothing(e.body, inner)
                texts.append(f"({body} if {test} else 0)" if test else body)
            else:
                texts.append(self._if_passed(e, inner, test))
        return texts

    def _gathered(self, e: core.Aggregate, passes: list[tuple[Env, list[str]]], texts: list[str]) -> str:
        match e.op:
            case "any":
                return "(" + (" or ".join(texts) or "0") + ")"
            case "all":
                return "(" + (" and ".join(texts) or "1") + ")"
            case "count":
                return "(" + (" + ".join(f"(1 if {t} else 0)" for t in texts) or "0") + ")"
            case "sum":
                return "(" + (" + ".join(t for t in texts if t != "0") or "0") + ")"
            case "first":
                return "(" + "".join(texts) + f"{NONE})"
            case _:
                if any(tests or can_be_none(e.body.type) for _, tests in passes):
                    values = ", ".join(t for t in texts)
                    return f"{e.op}([v for v in ({values},) if v != {NONE}], default={NONE})" if texts else str(NONE)
                return f"{e.op}({', '.join(texts)})" if len(texts) > 1 else texts[0] if texts else str(NONE)

    def _number_or_nothing(self, body: Expr, env: Env) -> str:
        if not can_be_none(body.type):
            return self.value(body, env)
        value = self.const(body, env)
        if value is not None:
            return "0" if value == NONE else repr(value)
        first, later = self.twice(body, env)
        return f"({later} if {first} != {NONE} else 0)"

    def _if_passed(self, e: core.Aggregate, env: Env, test: str) -> str:
        body = self.value(e.body, env)
        if e.op == "first":
            return f"{body} if {test or '1'} else "
        return f"({body} if {test} else {NONE})" if test else body

    def _loop(self, e: core.Aggregate, env: Env) -> str:
        """A loop as a generated function, and the call of it."""
        key = self._same(e, env)
        if key in self._made:
            return self._made[key]
        names = self.outer_names(e, env)
        self._number += 1
        function = f"{e.op}{self._number}"
        starts = {"sum": "0", "count": "0", "max": str(NONE), "min": str(NONE), "list": "[]"}
        with self.aside(), self.writer.function(f"def {function}({', '.join(['S', *names])}):", *names):
            w = self.writer
            if e.op in starts:
                w.line(f"found = {starts[e.op]}")
            self._nest(e, list(e.bindings), dict(env))
            ends = {"any": "False", "all": "True", "first": str(NONE)}
            w.line(f"return {ends.get(e.op, 'found')}")
        self._made[key] = f"{function}({', '.join(['S', *names])})"
        return self._made[key]

    def _nest(self, e: core.Aggregate, bindings: list[tuple[str, Expr]], env: dict[str, Bound]) -> None:
        w = self.writer
        if bindings:
            name, domain_expr = bindings[0]
            domain = self.domain(domain_expr, env)
            text = domain.text
            if domain.values is not None and len(domain.values) > 3:
                text = self.constants.name("all", domain.values)
            variable = f"{name}_{w.depth}"
            with w.block(f"for {variable} in {text}:", variable):
                b = Bound(domain.type, variable)
                if domain.keep:
                    w.line(f"if not {domain.keep(b)}: continue")
                self._nest(e, bindings[1:], {**env, name: b})
            return
        if e.stop is not None:
            ends = {"any": "False", "all": "True", "first": str(NONE)}
            w.line(f"if not {self.value(e.stop, env)}: return {ends.get(e.op, 'found')}")
        if e.where is not None:
            w.line(f"if not {self.value(e.where, env)}: continue")
        body = self.value(e.body, env)
        match e.op:
            case "any":
                w.line(f"if {body}: return True")
            case "all":
                w.line(f"if not {body}: return False")
            case "count":
                w.line(f"if {body}: found += 1")
            case "first":
                w.line(f"return {body}")
            case "list":
                w.line(f"v = {body}")
                w.line(f"if v != {NONE}: found.append(v)" if can_be_none(e.body.type) else "found.append(v)")
            case "sum":
                w.line(f"found += {self._number_or_nothing(e.body, env)}")
            case _:
                w.line(f"v = {body}")
                sign = ">" if e.op == "max" else "<"
                w.line(f"if v != {NONE} and (found == {NONE} or v {sign} found): found = v")

    # filters that can be worked out at load --------------------------------------------------------------

    def _witness(self, e: core.Aggregate, env: Env) -> str | None:
        """Where a filter over printed data leaves at most one value, a table finds it: no loop is needed.

        `any(printed[t, c] = k and … for c in column)`: the column is looked up by t and k.
        """
        if len(e.bindings) != 1 or e.where is None or e.stop is not None or e.op in ("list", "max", "min"):
            return None
        name, domain_expr = e.bindings[0]
        domain = self.domain(domain_expr, env)
        if domain.values is None or domain.keep is not None:
            return None
        fixed, rest = self._split(e.where, name, env)
        if fixed is None:
            return None
        outer = sorted(n for n in free_names(fixed) - {name} if env[n].const is None)
        table = self._filter(fixed, name, domain, outer, env)
        if table is None:
            return None
        lookup = self.constants.name("only", table)
        for n in outer:
            lookup += f"[{env[n].text}]"
        found = self.writer.temp()
        self._lazy.add(found)
        b = Bound(of_codes(domain.values, getattr(domain.type, "home", "")), found)
        inner = {**env, name: b, **self._where_found(table, outer, env)}
        inner_e = core.Aggregate(e.type, e.op, e.body, (), rest, None)
        tests = [f"({found} := {lookup}) != {NONE}"]
        if rest is not None:
            with self.sometimes():
                tests.append(self.value(rest, inner))
        return self._unrolled(inner_e, [(inner, tests)])

    def _split(self, where: Expr, name: str, env: Env) -> tuple[Expr | None, Expr | None]:
        """The conjuncts of a filter that read no state, and the others."""
        fixed: list[Expr] = []
        rest: list[Expr] = []
        for part in _conjuncts(where):
            names = free_names(part)
            static = is_static(part, self.model.functions) and name in names and all(_finite(env[n]) for n in names - {name} if n in env)
            (fixed if static else rest).append(part)
        return _joined(fixed), _joined(rest)

    def _filter(self, fixed: Expr, name: str, domain: Domain, outer: list[str], env: Env) -> Any:
        """Nested dicts outer value → … → the one value that passes, or none; None where several do."""
        assert domain.values is not None
        choices = [_codes_of(env[n].type) for n in outer]
        size = len(domain.values)
        for c in choices:
            size *= len(c)
        if not outer or size > LARGEST_FILTER:
            return None
        consts = {n: env[n].const for n in free_names(fixed) - {name} if env[n].const is not None}
        tree: dict[int, Any] = {}
        for combo in product(*choices):
            at = {**consts, **dict(zip(outer, combo, strict=True))}
            passing = [v for v in domain.values if evaluate(fixed, {**at, name: v}, self.model)]
            if len(passing) > 1:
                return None
            branch = tree
            for code in combo[:-1]:
                branch = branch.setdefault(code, {})
            branch[combo[-1]] = passing[0] if passing else NONE
        return tree

    def _where_found(self, table: Any, outer: list[str], env: Env) -> dict[str, Bound]:
        """Narrower types of the outer names where a value was found."""
        if not outer:
            return {}
        first = tuple(code for code, branch in table.items() if _some(branch))
        name = outer[0]
        narrowed = of_codes(first, getattr(env[name].type, "home", ""))
        return {name: Bound(narrowed, env[name].text)} if first else {}


# Small things -------------------------------------------------------------------------------------------


def straight_runs(lay: PlaceLayout, way: str) -> dict[int, tuple[tuple[int, ...], tuple[int, ...]]] | None:
    """For each cell the cells on its one side and on its other side along a way, or None if the way is no set of lines."""
    near = lay.place.ways[way]
    if any(len(n) > 2 or any(i not in near[j] for j in n) for i, n in enumerate(near)):
        return None
    runs = {}
    for i in range(lay.place.size):
        sides: list[tuple[int, ...]] = []
        for first in near[i]:
            line, before = [first], i
            while following := [n for n in near[line[-1]] if n != before]:
                if following[0] == i:
                    return None  # a ring
                before = line[-1]
                line.append(following[0])
            sides.append(tuple(lay.address(n) for n in line))
        runs[lay.address(i)] = (sides[0] if sides else (), sides[1] if len(sides) > 1 else ())
    return runs


def _sum(part: int, terms: list[str]) -> str:
    if not terms:
        return str(part)
    text = " + ".join(terms)
    return text if not part else f"{text} + {part}" if part > 0 else f"{text} - {-part}"


def _as_terms(at: tuple[str, int]) -> tuple[int, list[str]]:
    return at[1], [at[0]] if at[0] else []


def _contiguous(codes: tuple[int, ...]) -> bool:
    return bool(codes) and codes == tuple(range(codes[0], codes[0] + len(codes)))


def _no_gaps(codes: tuple[int, ...]) -> bool:
    """Whether the numbers among the codes have no gap, so that their type is exact."""
    numbers = sorted(c for c in codes if c < NONE)
    return not numbers or len(numbers) == numbers[-1] - numbers[0] + 1


def _nodes(e: Expr) -> int:
    from rulespec.expr.core import children

    return 1 + sum(_nodes(c) for c in children(e))


def _conjuncts(e: Expr) -> list[Expr]:
    if isinstance(e, core.Logic) and e.op == "and":
        return _conjuncts(e.left) + _conjuncts(e.right)
    return [e]


def _joined(parts: list[Expr]) -> Expr | None:
    if not parts:
        return None
    out = parts[0]
    for part in parts[1:]:
        out = core.Logic(YesNo(), "and", out, part)
    return out


def _conditions_first(e: core.Aggregate) -> core.Aggregate:
    """`any(a and b …)` as `any(true … where a and b)`: then filters are found in one place."""
    if e.op not in ("any", "count") or e.stop is not None or isinstance(e.body, core.Const):
        return e
    where = _joined([p for p in (e.where, e.body) if p is not None])
    return core.Aggregate(e.type, e.op, core.Const(YesNo(), 1), e.bindings, where, None)


def _finite(b: Bound) -> bool:
    if b.const is not None:
        return True
    return isinstance(b.type, Values) and not b.type.none and len(_codes_of(b.type)) <= 400


def _codes_of(t: Type) -> list[int]:
    assert isinstance(t, Values)
    numbers = list(range(t.lo, min(t.hi, t.lo + 400) + 1)) if t.lo is not None else []  # type: ignore[type-var]
    return numbers + sorted(t.members)


def _some(branch: Any) -> bool:
    return any(_some(v) for v in branch.values()) if isinstance(branch, dict) else branch != NONE
