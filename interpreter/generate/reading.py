"""Expressions that read places, tables and variables: addresses on the vector, and counting pieces."""

from __future__ import annotations

import re

from interpreter.generate.basics import Basics
from interpreter.generate.terms import UNROLL, Bound, Env, contiguous, known, no_gaps, terms_of, total
from interpreter.generate.writer import WORD
from interpreter.layout import PlaceLayout
from rulespec.expr import core
from rulespec.expr.core import Expr
from rulespec.expr.types import NONE, ListOf, PlaceOf, Several, Values, can_be_none, inside, of_codes, overlap


class Reading(Basics):
    # where things lie ------------------------------------------------------------------------------------

    def offset(
        self, index: tuple[Expr, ...], values: tuple[tuple[int, ...], ...], width: int, env: Env
    ) -> tuple[int, list[str], list[str]] | None:
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
            fits = isinstance(t := self.type_of(e, env), Values) and inside(t, of_codes(codes)) and no_gaps(codes)
            if fits:
                first = later = self.once(self.value(e, env))
            else:
                first, later = self.twice(e, env)
            if contiguous(codes):
                if codes[0] > NONE and step != 1:  # the code of a member, many times, would not be a small number
                    terms.append(f"({later} - {codes[0]})*{step}")
                else:
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
                return self.once(f"({total(part, terms)} if {' and '.join(tests)} else {nowhere})"), 0
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
        return total(*terms_of(self.address(e, env)))

    def _places(self, e: core.Places, env: Env) -> str:
        start, many, width = self.row(e, env)
        if start is None:
            return "()"
        text = total(start[1], [start[0]] if start[0] else [])
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
            text = self.once(f"({total(part, terms)} if {' and '.join(tests)} else -1)")
            return (text, 0), -many, lay.width
        return (self.once(" + ".join(terms)) if terms else "", part), many, lay.width

    def place_list(self, e: Expr, env: Env) -> str:
        """A Python iterable of addresses."""
        if isinstance(e.type, PlaceOf):
            return f"({self._placeat(e, env) if isinstance(e, core.PlaceAt) else self.value(e, env)},)"
        if isinstance(e, core.Places):
            start, many, width = self.row(e, env)
            if many < 0 and start is not None:
                return f"(range({start[0]}, {start[0]} + {-many * width}, {width}) if {start[0]} >= 0 else ())"
        return self.value(e, env)

    def _variableread(self, e: core.VariableRead, env: Env) -> str:
        lay = self.layout.variables[e.variable]
        found = self.offset(e.index, lay.variable.index_values, 1, env)
        if found is None:
            return str(NONE)
        part, terms, tests = found
        if tests:
            return f"(S[{total(part + lay.base, terms)}] if {' and '.join(tests)} else {NONE})"
        return f"S[{total(part + lay.base, terms)}]"

    def _tableread(self, e: core.TableRead, env: Env) -> str:
        table = self.model.tables[e.table]
        outside = "()" if isinstance(e.type, ListOf) else str(NONE)
        found = self.offset(e.index, table.index, 1, env)
        if found is None:
            return outside
        part, terms, tests = found
        name = self.constants.name("table", table.entries)
        self.constants.key.tables[name] = e.table
        read = f"{name}[{total(part, terms)}]"
        return f"({read} if {' and '.join(tests)} else {outside})" if tests else read

    def _part(self, e: core.Part, env: Env) -> str:
        parts = {code: self.model.pair_parts[code][e.which] for code in self.model.sets[e.set].values}
        name = self.constants.name("part", parts)
        return f"{name}.get({self.value(e.pair, env)}, {NONE})"

    # kinds and counting ----------------------------------------------------------------------------------

    def kind_slot_of(self, lay: PlaceLayout, b: Bound) -> tuple[str, int, str] | None:
        if b.const is not None:
            return ("", lay.slots[b.const], "") if b.const in lay.slots else None
        t = b.type
        codes = [c for c in lay.slots if not isinstance(t, Values) or overlap(t, of_codes((c,)))]
        if not codes:
            return None
        surely = isinstance(t, Values) and inside(t, of_codes(tuple(codes))) and no_gaps(tuple(codes))
        deltas = {lay.slots[c] - c for c in codes}
        if len(deltas) == 1 and (surely or contiguous(tuple(sorted(codes)))):
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
                return [known(v, kinds.type.item) for v in dict.fromkeys(values) if v != NONE]
            return [Bound(kinds.type, self.once(self.value(kinds, env)))]  # a list known only in play
        b = self.plain_bound(kinds, env)
        return [] if b.const == NONE else [b]

    def count_at(self, lay: PlaceLayout, at: tuple[str, int], kinds: list[Bound] | None) -> str:
        """Pieces of these kinds on one place."""
        name, part = at

        def spot(extra: int = 0, term: str = "") -> str:
            return f"S[{total(part + extra, [t for t in (name, term) if t])}]"

        if lay.place.shape == "cell":
            if kinds is None:
                return f"({spot()} != {NONE})"
            if not kinds:
                return "0"
            return "(" + " or ".join(self._is_kind(spot(), k) for k in kinds) + ")"
        if lay.place.shape == "stack":
            if kinds is None:
                return spot()
            here = self.once(total(part, [name] if name else []))
            pieces = f"S[{here} + 1:{here} + 1 + S[{here}]]"
            counts = [
                f"sum(1 for p in {pieces} if p in {k.text})"
                if isinstance(k.type, ListOf)
                else f"{pieces}.count({k.text or k.const})"
                for k in kinds
            ]
            return "(" + (" + ".join(counts) or "0") + ")"
        if kinds is None:
            if lay.total is not None:
                return spot(lay.total)
            if len(lay.slots) > UNROLL:
                start = total(part, [name] if name else [])
                return f"sum(S[{start}:{start} + {len(lay.slots)}])"
            return "(" + " + ".join(spot(i) for i in lay.slots.values()) + ")"
        terms = []
        for k in kinds:
            if isinstance(k.type, ListOf):
                table = self.constants.name("slots", tuple(sorted(lay.slots.items())))
                base = total(part, [name] if name else [])
                terms.append(f"sum(S[{base} + i] for k, i in {table} if k in {k.text})")
            elif (slot := self.kind_slot_of(lay, k)) is not None:
                read = spot(slot[1], slot[0])
                terms.append(f"({read} if {slot[2]} else 0)" if slot[2] else read)
        return f"({' + '.join(terms)})" if len(terms) > 1 else terms[0] if terms else "0"

    def _is_kind(self, text: str, k: Bound) -> str:
        if isinstance(k.type, ListOf):
            return f"{NONE} != {text} in {k.text}"
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
        texts = (
            [self.count_at(lay, at, [k]) for at in spots for k in wanted]
            if wanted is not None
            else [self.count_at(lay, at, None) for at in spots]
        )
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
        each = self.count_at(lay, ("x", 0), wanted)
        return self.sum_over(places, f"(1 if {each} else 0)" if lay.place.shape == "cell" else each, env)

    def sum_over(self, places: Expr, each: str, env: Env) -> str:
        """The sum of `each`, a text about the address `x`, over a list of places."""
        text = self.place_list(places, env)
        if ":=" not in text:
            return f"sum({each} for x in {text})"
        # a list that gives names on the way cannot stand in a comprehension: a function takes it as an argument
        own = set(re.findall(r"(\w+) :=", each))  # these get their values inside
        names = sorted((set(WORD.findall(each)) & self.writer.names()) - own)
        self._number += 1
        function = f"total{self._number}"
        with self.aside(), self.writer.function(f"def {function}({', '.join(['S', 'places', *names])}):", *names):
            self.writer.line(f"return sum({each} for x in places)")
        return f"{function}({', '.join(['S', text, *names])})"

    def _count_row(
        self, lay: PlaceLayout, start: tuple[str, int], many: int, width: int, wanted: list[Bound] | None
    ) -> str:
        """Pieces on a run of places lying side by side, by slices of the vector."""
        name, part = start

        def at(extra: int) -> str:
            return total(part + extra, [name] if name else [])

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
                    sums = [
                        f"sum(S[{total(part + s[1], [t for t in (name, s[0]) if t])}:{at(many * width)}:{width}])"
                        for s in slots
                        if s
                    ]
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
