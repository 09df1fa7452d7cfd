"""Well-typed expressions at random. What is asked for is a type; what comes back is a text that has it.

Every text is a single word, call or index, or stands in brackets, so texts can be put together without regard to
precedence. Numbers come with their range, lists with their longest length, reckoned as the checker does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random

from tests.generated.declared import Declared, DeclaredPlace

LARGE = 2000  # numbers beyond it are cut back


@dataclass(frozen=True)
class Number:
    text: str
    lo: int
    hi: int


@dataclass(frozen=True)
class Listed:
    text: str
    item: str  # a set, or "number"
    longest: int
    lo: int = 0
    hi: int = 0


@dataclass(frozen=True)
class Local:
    """The meaning of a local name.

    Its kind is number, member, condition, place, list, places, or chosen (pieces chosen together).
    """

    kind: str
    of: str = ""  # the set of a member or of a list's items, the family of places or of what pieces were chosen from
    none: bool = False
    lo: int = 0
    hi: int = 0


@dataclass(frozen=True)
class Definition:
    name: str
    parameters: tuple[tuple[str, str], ...]  # (set, name)
    gives: Local


class Expressions:
    """Writes expressions over what is declared, the definitions so far, and the local names in scope."""

    def __init__(self, rng: Random, declared: Declared) -> None:
        self.rng = rng
        self.declared = declared
        self.definitions: list[Definition] = []
        self.scope: dict[str, Local] = {}
        self._names = 0
        self._loops = 0  # aggregates around what is being written

    # scope -----------------------------------------------------------------------------------------------

    def new_name(self) -> str:
        self._names += 1
        return f"x{self._names}"

    @contextmanager
    def known(self, **names: Local) -> Iterator[None]:
        """Have these names in scope for a while."""
        before = self.scope
        self.scope = {**before, **names}
        yield
        self.scope = before

    def locals_of(self, test: Callable[[Local], bool]) -> list[str]:
        return [name for name, local in self.scope.items() if test(local)]

    def pick(self, *options: Callable[[], object] | None) -> object:
        return self.rng.choice([o for o in options if o is not None])()

    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    def set_of(self, name: str) -> tuple[str, ...]:
        return self.declared.sets[name].members

    # numbers ---------------------------------------------------------------------------------------------

    def number(self, d: int) -> Number:
        """Surely a number."""
        n = self._number(d)
        if n.lo < -LARGE or n.hi > LARGE:
            return Number(f"max(-50, min(50, {n.text}))", max(-50, min(50, n.lo)), min(50, max(-50, n.hi)))
        return n

    def _number(self, d: int) -> Number:
        if d <= 0 or self.chance(0.2):
            return self._plain_number()
        forms: list[Callable[[int], Number]] = [
            self._sum_of_two,
            self._product,
            self._quotient,
            self._negative,
            self._number_if,
            self._number_let,
            self._count_pieces,
            self._count_pieces,
            self._size,
            self._free,
            self._extreme,
            self._default_number,
            self._default_number,
            self._table_number,
            self._variable_number,
        ]
        if self._loops < 2:
            forms += [self._sum, self._count_that, self._sum]
        if self._callable("number", "", False):
            forms += [lambda d: self._called_number(d, False)] * 2
        return self.rng.choice(forms)(d - 1)

    def _plain_number(self) -> Number:
        names = self.locals_of(lambda v: v.kind == "number" and not v.none)
        if names and self.chance(0.6):
            name = self.rng.choice(names)
            return Number(name, self.scope[name].lo, self.scope[name].hi)
        r = self.rng.random()
        if r < 0.5:
            n = self.rng.randint(0, 5)
            return Number(str(n), n, n)
        if r < 0.6:
            return Number("players", 1, 20)
        if r < 0.7:
            size = self.declared.tables["crate_size"]
            return Number("crate_size", size.lo, size.hi)
        numeric = [s for s in ("player", "row", "column", "gap") if self._members_at_hand(s)]
        if numeric and r < 0.85:
            name = self.rng.choice(numeric)
            numbers = self.declared.sets[name].numbers
            return Number(self.rng.choice(self._members_at_hand(name)), min(numbers), max(numbers))
        return self._variable_number(0)

    def _sum_of_two(self, d: int) -> Number:
        a, b = self.number(d), self.number(d)
        if self.chance(0.5):
            return Number(f"({a.text} + {b.text})", a.lo + b.lo, a.hi + b.hi)
        return Number(f"({a.text} - {b.text})", a.lo - b.hi, a.hi - b.lo)

    def _product(self, d: int) -> Number:
        a, b = self.number(d), self.number(min(d, 1))
        corners = [x * y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
        return Number(f"({a.text} * {b.text})", min(corners), max(corners))

    def _quotient(self, d: int) -> Number:
        a, b = self.number(d), self.number(min(d, 1))
        if b.lo <= 0 <= b.hi:
            b = Number(f"max(1, {b.text})", 1, max(1, b.hi))
        if self.chance(0.5):
            corners = [x // y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
            return Number(f"({a.text} / {b.text})", min(corners), max(corners))
        return Number(f"({a.text} mod {b.text})", *((0, b.hi - 1) if b.lo > 0 else (b.lo + 1, max(0, b.hi - 1))))

    def _negative(self, d: int) -> Number:
        a = self.number(d)
        return Number(f"(-{a.text})", -a.hi, -a.lo)

    def _number_if(self, d: int) -> Number:
        test, a, b = self.condition(d), self.number(d), self.number(d)
        return Number(f"(if {test} then {a.text} else {b.text})", min(a.lo, b.lo), max(a.hi, b.hi))

    def _number_let(self, d: int) -> Number:
        if self.chance(0.4):  # a value that may be none, tested first
            local, value = self._any_optional(d)
            name = self.new_name()
            with self.known(**{name: Local(local.kind, local.of, False, local.lo, local.hi)}):
                a = self.number(d)
            b = self.number(min(d, 1))
            return Number(f"(let {name} be {value} in if {name} = none then {b.text} else {a.text})", min(a.lo, b.lo), max(a.hi, b.hi))  # fmt: skip
        name, local, value = self._let_value(d)
        with self.known(**{name: local}):
            body = self.number(d)
        return Number(f"(let {name} be {value} in {body.text})", body.lo, body.hi)

    def _let_value(self, d: int) -> tuple[str, Local, str]:
        """Return a name, what it stands for, and the expression it stands for."""
        name = self.new_name()
        r = self.rng.random()
        if r < 0.35:
            n = self.number(d)
            return name, Local("number", lo=n.lo, hi=n.hi), n.text
        if r < 0.55:
            of = self.rng.choice(("flower", "colour", "player", "row", "crate", "target"))
            return name, Local("member", of), self.member(of, d)
        if r < 0.75:
            place = self.rng.choice(list(self.declared.places.values()))
            return name, Local("place", place.name), self.place(place.name, d)
        if r < 0.83:
            of = self.rng.choice(("flower", "colour", "player"))
            return name, Local("list", of), self.list_of(of, d)
        if r < 0.9:
            family = self.any_place(indexed=True).name
            return name, Local("places", family), self.places(family, d).text
        return name, Local("condition"), self.condition(d)

    def _any_optional(self, d: int) -> tuple[Local, str]:
        if self.chance(0.3):
            n = self.optional_number(d)
            return Local("number", none=True, lo=n.lo, hi=n.hi), n.text
        of = self.rng.choice(("flower", "colour", "row"))
        return Local("member", of, none=True), self.optional(of, d)

    def _pieces_number(self, place: DeclaredPlace, many: int) -> int:
        return self.declared.pieces if place.room is None else min(self.declared.pieces, place.room * many)

    def _count_pieces(self, d: int) -> Number:
        chosen = self.locals_of(lambda v: v.kind == "chosen")
        if chosen and self.chance(0.5):
            name = self.rng.choice(chosen)
            of = self.scope[name].of
            kinds = f", {self.kinds(of, d)}" if self.chance(0.6) else ""
            return Number(f"count({name}{kinds})", 0, self.declared.pieces)
        if self.chance(0.5):
            place = self.any_place()
            text, many = self.place(place.name, d), 1
        else:
            place = self.any_place(indexed=True)
            listed = self.places(place.name, d)
            text, many = listed.text, listed.longest
        kinds = f", {self.kinds(place.name, d)}" if self.chance(0.5) else ""
        return Number(f"count({text}{kinds})", 0, self._pieces_number(place, many))

    def _size(self, d: int) -> Number:
        listed = self.places(self.any_place(indexed=True).name, d) if self.chance(0.5) else self.listed(d)
        return Number(f"size({listed.text})", 0, listed.longest)

    def _free(self, d: int) -> Number:
        limited = [p for p in self.declared.places.values() if p.room is not None]
        place = self.rng.choice(limited)
        if place.index and self.chance(0.4):
            listed = self.places(place.name, d)
            return Number(f"free({listed.text})", 0, self.declared.size(place.index) * (place.room or 1))
        return Number(f"free({self.place(place.name, d)})", 0, place.room or 1)

    def _extreme(self, d: int) -> Number:
        args = [self.number(d) for _ in range(self.rng.choice((2, 2, 3)))]
        op = self.rng.choice((max, min))
        return Number(f"{op.__name__}({', '.join(a.text for a in args)})", op(a.lo for a in args), op(a.hi for a in args))  # fmt: skip

    def _default_number(self, d: int) -> Number:
        a, b = self.optional_number(d), self.number(min(d, 1))
        return Number(f"({a.text} default {b.text})", min(a.lo, b.lo), max(a.hi, b.hi))

    def _table_number(self, d: int) -> Number:
        name = self.rng.choice(("worth", "likely", "price"))
        table = self.declared.tables[name]
        return Number(f"{name}[{self.member(table.index[0], d)}]", table.lo, table.hi)

    def _variable_number(self, d: int) -> Number:
        numbers = [v for v in self.declared.variables.values() if v.holds == "number"]
        variable = self.rng.choice(numbers)
        return Number(self.indexed(variable.name, variable.index, d, sure=True), variable.lo, variable.hi)

    def _sum(self, d: int) -> Number:
        body: Number | None = None
        with self.gathering(d) as (tail, longest):
            body = self.optional_number(d) if self.chance(0.3) else self.number(d)
            text = f"sum({body.text} {tail()})"
        return Number(text, min(0, body.lo * longest), max(0, body.hi * longest))

    def _count_that(self, d: int) -> Number:
        with self.gathering(d) as (tail, longest):
            text = f"count({self.condition(d)} {tail()})"
        return Number(text, 0, longest)

    def _callable(self, kind: str, of: str, none: bool) -> list[Definition]:
        return [f for f in self.definitions if f.gives.kind == kind and f.gives.of == of and f.gives.none == none]

    def _called_number(self, d: int, none: bool) -> Number:
        f = self.rng.choice(self._callable("number", "", none))
        return Number(self.call(f, d), f.gives.lo, f.gives.hi)

    def call(self, f: Definition, d: int) -> str:
        if not f.parameters:
            return f.name
        return f"{f.name}({', '.join(self.argument(of, min(d, 1)) for of, _ in f.parameters)})"

    def argument(self, of: str, d: int) -> str:
        """Return what a parameter of this set is given: surely one of it."""
        if of == "number":
            return self.number(d).text
        if of in self.declared.places:
            return self.place(of, d)
        return self.condition(d) if of == "yes_no" else self.member(of, d)

    def optional_number(self, d: int) -> Number:
        """Return a number or none."""
        forms: list[Callable[[], Number]] = [self._outside_table]
        if d > 0:
            forms += [lambda: self._outside_variable(d - 1), lambda: self._number_or_none(d - 1)]
            if self._loops < 2:
                forms += [lambda: self._gathered_number(d - 1)] * 3
            if self._callable("number", "", True):
                forms += [lambda: self._called_number(d - 1, True)] * 2
        return self.rng.choice(forms)()

    def _outside_table(self) -> Number:
        tables = self.declared.tables
        if self.chance(0.5):
            index = self.index_near(1, len(self.declared.text["tables"]["height_points"]))
            return Number(f"height_points[{index}]", tables["height_points"].lo, tables["height_points"].hi)
        if self.chance(0.5):
            return Number(f"discount[{self.index_near(0, 2)}]", tables["discount"].lo, tables["discount"].hi)
        return Number(f"worth[{self.optional('flower', 0)}]", tables["worth"].lo, tables["worth"].hi)

    def _outside_variable(self, d: int) -> Number:
        variable = self.declared.variables[self.rng.choice(("best", "seen"))]
        text = self.indexed(variable.name, variable.index, d, sure=False)
        return Number(text, variable.lo, variable.hi)

    def _number_or_none(self, d: int) -> Number:
        n = self.number(d)
        return Number(f"(if {self.condition(d)} then {n.text} else none)", n.lo, n.hi)

    def _gathered_number(self, d: int) -> Number:
        op = self.rng.choice(("max", "min", "first"))
        with self.gathering(d) as (tail, _):
            body = self.number(d)
            text = f"{op}({body.text} {tail(sometimes_empty=True)})"
        return Number(text, body.lo, body.hi)

    # members ---------------------------------------------------------------------------------------------

    def _members_at_hand(self, of: str) -> list[str]:
        """Local names that are surely one of a set."""
        also = {"flower": ("colour",), "target": ("row",)}.get(of, ())
        return self.locals_of(lambda v: v.kind == "member" and not v.none and (v.of == of or v.of in also))

    def member(self, of: str, d: int) -> str:
        """Surely a member of a set."""
        if d <= 0 or self.chance(0.4):
            names = self._members_at_hand(of)
            if names and self.chance(0.75):
                return self.rng.choice(names)
            variables = [v.name for v in self.declared.variables.values() if v.holds == of and not v.none]
            if variables and (self.chance(0.5) or of == "gap"):  # a number alone does not tell that it is no gap
                return self.rng.choice(variables)
            return self.rng.choice(self.set_of(of))
        forms: list[Callable[[], str]] = [
            lambda: f"(if {self.condition(d - 1)} then {self.member(of, d - 1)} else {self.member(of, d - 1)})",
            lambda: f"({self.optional(of, d - 1)} default {self.member(of, d - 1)})",
            lambda: self._neighbour(of),
        ]
        if of == "colour":
            forms.append(lambda: f"partner[{self.member('target', d - 1)}]")
        if of in ("shelf", "side"):
            forms += [lambda: f"{self.member('crate', 0)}.{of}"] * 3
        if self._callable("member", of, False):
            forms += [lambda: self.call(self.rng.choice(self._callable("member", of, False)), d - 1)] * 2
        return self.rng.choice(forms)()

    def _neighbour(self, of: str) -> str:
        """`next` and `previous` of something that was declared with this set, so that its order is known."""
        names = self.locals_of(lambda v: v.kind == "member" and not v.none and v.of == of)
        names += [v.name for v in self.declared.variables.values() if v.holds == of and not v.none]
        if not names:
            return self.rng.choice(self.set_of(of))
        return f"{self.rng.choice(('next', 'previous'))}({self.rng.choice(names)})"

    def optional(self, of: str, d: int) -> str:
        """Return a member of a set, or none."""
        names = self.locals_of(lambda v: v.kind == "member" and v.none and v.of == of)
        names += [v.name for v in self.declared.variables.values() if v.holds == of and v.none]
        if names and (d <= 0 or self.chance(0.3)):
            return self.rng.choice(names)
        forms: list[Callable[[], str]] = [
            lambda: f"(if {self.condition(d - 1)} then {self.member(of, d - 1)} else none)"
        ]
        held = [p.name for p in self.declared.places.values() if p.kinds == of and p.shape != "pile"]
        if held:
            forms += [lambda: f"piece({self.place(self.rng.choice(held), d - 1)})"] * 3
        if of == "colour":
            forms.append(lambda: self.indexed("printed", ("row", "column"), d - 1, sure=False))
        indexed = [p.name for p in self.declared.places.values() if p.index.count(of) == 1]
        if indexed and d > 0:
            forms += [lambda: f"({self.place(self.rng.choice(indexed), d - 1)}).{of}"] * 2
        if d > 0:
            forms.append(lambda: f"({self.list_of(of, d - 1)})[{self.index_near(1, 1)}]")
        if self._loops < 2 and d > 0:
            forms += [lambda: self._first_member(of, d - 1)] * 2
        if self._callable("member", of, True):
            forms += [lambda: self.call(self.rng.choice(self._callable("member", of, True)), d - 1)] * 2
        return self.rng.choice(forms)()

    def _first_member(self, of: str, d: int) -> str:
        name = self.new_name()
        self._loops += 1
        with self.known(**{name: Local("member", of)}):
            body = name if self.chance(0.7) else self.member(of, d)
            text = (
                f"first({body} for {name} in {of} {self.rng.choice(('where', 'where', 'while'))} {self.condition(d)})"
            )
        self._loops -= 1
        return text

    # conditions ------------------------------------------------------------------------------------------

    def condition(self, d: int) -> str:
        if d <= 0:
            return self._plain_condition()
        forms: list[Callable[[int], str]] = [
            lambda d: f"({self.number(d).text} {self.rng.choice(('<', '<=', '>', '>='))} {self.number(d).text})",
            self._equal_numbers,
            self._equal_members,
            self._equal_members,
            lambda d: f"({self._any_optional(d)[1]} {self.rng.choice(('=', '!='))} none)",
            lambda d: f"(not {self.condition(d)})",
            lambda d: f"({self.condition(d)} {self.rng.choice(('and', 'or'))} {self.condition(d)})",
            lambda d: f"({self.condition(d)} {self.rng.choice(('and', 'or'))} {self.condition(d)})",
            lambda d: f"({self.condition(d)} {self.rng.choice(('=', '!='))} {self.condition(d)})",
            lambda d: f"(if {self.condition(d)} then {self.condition(d)} else {self.condition(d)})",
            self._empty,
            self._empty,
            self._in,
            self._in,
            self._same_place,
            self._guarded,
            self._guarded,
            self._condition_let,
        ]
        if self._loops < 2:
            forms += [self._any_or_all] * 3
        if self._callable("condition", "", False):
            forms += [lambda d: self.call(self.rng.choice(self._callable("condition", "", False)), d)] * 2
        return self.rng.choice(forms)(d - 1)

    def _plain_condition(self) -> str:
        names = self.locals_of(lambda v: v.kind == "condition")
        if names and self.chance(0.4):
            return self.rng.choice(names)
        r = self.rng.random()
        if r < 0.1:
            return self.rng.choice(("true", "false"))
        if r < 0.3:
            return "marked"
        if r < 0.45:
            return self.indexed("passed", ("player",), 0, sure=True)
        if r < 0.7:
            return self._empty(0)
        return self._in(0)

    def _equal_numbers(self, d: int) -> str:
        a, b = self.number(d), self.number(d)
        if a.hi < b.lo or b.hi < a.lo:
            b = Number(a.text, a.lo, a.hi) if a.lo != a.hi else Number("depth", -9, 9)
            if not (-9 <= a.lo <= 9 or -9 <= a.hi <= 9):
                return f"({a.text} >= {b.text})"
        return f"({a.text} {self.rng.choice(('=', '!='))} {b.text})"

    def _equal_members(self, d: int) -> str:
        of = self.rng.choice(("flower", "colour", "row", "player", "target", "crate"))
        a = self.optional(of, d) if self.chance(0.5) else self.member(of, d)
        sides = [a, self.any_of(of)]
        self.rng.shuffle(sides)
        return f"({sides[0]} {self.rng.choice(('=', '!='))} {sides[1]})"

    def _same_place(self, d: int) -> str:
        """Compare two places, or look for one among others."""
        place = self.any_place(indexed=True)
        one = self.place(place.name, d)
        if self.chance(0.4):
            return f"({one} {self.rng.choice(('in', 'not in'))} {self.places(place.name, d).text})"
        other = "none" if self.chance(0.3) else self.place(place.name, d)
        return f"({one} {self.rng.choice(('=', '!='))} {other})"

    def any_of(self, of: str) -> str:
        """Return a name that can stand for any member of a set, so that nothing about it is known beforehand."""
        names = self.locals_of(lambda v: v.kind == "member" and v.of == of)
        return self.rng.choice(names + [v.name for v in self.declared.variables.values() if v.holds == of] or [of])

    def _empty(self, d: int) -> str:
        if self.chance(0.3):
            return f"empty({self.places(self.any_place(indexed=True).name, d).text})"
        return f"empty({self.place(self.any_place().name, d)})"

    def _in(self, d: int) -> str:
        word = self.rng.choice(("in", "in", "not in"))
        chosen = self.locals_of(lambda v: v.kind == "chosen")
        if chosen and self.chance(0.4):
            name = self.rng.choice(chosen)
            return f"({self._kind_of(self.scope[name].of, d)} {word} {name})"
        if self.chance(0.5):
            place = self.any_place()
            kind = self._kind_of(place.name, d)
            if place.index and self.chance(0.3):
                return f"({kind} {word} {self.places(place.name, d).text})"
            return f"({kind} {word} {self.place(place.name, d)})"
        if self.chance(0.4):
            a, b = self.number(d), self.number(min(d, 1))
            return f"({self.number_between(a.lo, max(a.lo, b.hi), d)} {word} ({a.text}..{b.text}))"
        of = self.rng.choice(("flower", "colour", "row", "player"))
        names = self.locals_of(lambda v: v.kind == "list")
        if names and self.chance(0.6):
            name = self.rng.choice(names)
            return f"({self.any_of(self.scope[name].of)} {word} {name})"
        if self.chance(0.5):
            item = self.optional(of, d) if self.chance(0.6) else self.member(of, d)
            return f"({item} {word} {of})"
        return f"({self.any_of(of)} {word} {self.list_of(of, d)})"

    def number_between(self, lo: int, hi: int, d: int) -> str:
        """Return a number whose range meets this one."""
        n = self.number(d)
        if n.lo <= hi and lo <= n.hi:
            return n.text
        return str(lo) if lo >= 0 else "depth" if hi >= -9 else f"(-{-lo})"

    def _guarded(self, d: int) -> str:
        """Return a value that may be none, and a condition that is looked at only where it is not."""
        if self.chance(0.25):
            return self._guarded_part(d)
        local, value = self._any_optional(d)
        known = self.locals_of(lambda v: v == local)
        name = self.rng.choice(known) if known and self.chance(0.6) else self.new_name()
        with self.known(**{name: Local(local.kind, local.of, False, local.lo, local.hi)}):
            then = self.condition(d)
        test = self.rng.choice((f"{name} != none and {then}", f"{name} = none or {then}"))
        return f"({test})" if name in known else f"(let {name} be {value} in {test})"

    def _guarded_part(self, d: int) -> str:
        """Return the same with an index of a place that may be nowhere, or, after a test of the place, its index."""
        place = self.rng.choice([p for p in self.declared.places.values() if p.ways])
        of, name = self.rng.choice(place.index), self.new_name()
        value = f"ray({self.place(place.name, d)}, {self.rng.choice(place.ways)})[1]"
        with self.known(**{name: Local("place", place.name), f"{name}.{of}": Local("member", of)}):
            then = self.condition(d)
        tested = self.rng.choice((name, f"{name}.{of}"))
        test = self.rng.choice((f"{tested} != none and {then}", f"{tested} = none or {then}"))
        return f"(let {name} be {value} in {test})"

    def _condition_let(self, d: int) -> str:
        name, local, value = self._let_value(d)
        with self.known(**{name: local}):
            return f"(let {name} be {value} in {self.condition(d)})"

    def _any_or_all(self, d: int) -> str:
        with self.gathering(d) as (tail, _):
            return f"{self.rng.choice(('any', 'all'))}({self.condition(d)} {tail()})"

    # gathering -------------------------------------------------------------------------------------------

    @contextmanager
    def gathering(self, d: int) -> Iterator[tuple[Callable[..., str], int]]:
        """Have the names of one or two loops in scope; yield what ends the text, and how often they pass at most."""
        before = self.scope
        bindings, longest = [], 1
        for _ in range(self.rng.choice((1, 1, 1, 2))):
            name = self.new_name()
            text, local, many = self.domain(min(d, 1))
            bindings.append(f"{name} in {text}")
            self.scope = {**self.scope, name: local}
            longest *= many
        self._loops += 1

        def tail(sometimes_empty: bool = False) -> str:
            r = self.rng.random() * (0.5 if sometimes_empty else 1)
            rest = f" where {self.condition(d)}" if r < 0.4 else f" while {self.condition(d)}" if r < 0.5 else ""
            return f"for {', '.join(bindings)}{rest}"

        yield tail, min(longest, LARGE)
        self._loops -= 1
        self.scope = before

    def domain(self, d: int, small: bool = False) -> tuple[str, Local, int]:
        """Return what a loop can go through: text, what each item is, and how many there are at most."""
        r = self.rng.random()
        chosen = self.locals_of(lambda v: v.kind == "chosen")
        if chosen and r < 0.3:
            name = self.rng.choice(chosen)
            return name, Local("member", self._kind_set(self.scope[name].of)), 5
        if r < 0.45:
            of = self.rng.choice(("flower", "colour", "row", "column", "player", "gap", "crate", "target", "land"))
            if not (small and len(self.set_of(of)) > 5):
                return of, Local("member", of), len(self.set_of(of))
        if r < 0.6:
            place = self.rng.choice([p for p in self.declared.places.values() if p.kinds in self.declared.sets])
            return self.place(place.name, d), Local("member", place.kinds), 64
        if r < 0.75 and not small:
            listed = self.places(self.any_place(indexed=True).name, d)
            return listed.text, Local("place", listed.item), listed.longest
        listed = self.listed(d)
        if listed.longest > 30 or (small and listed.longest > 5):
            return "player", Local("member", "player"), self.declared.players
        if listed.item == "number":
            return listed.text, Local("number", lo=listed.lo, hi=listed.hi), listed.longest
        return listed.text, Local("member", listed.item), listed.longest

    def listed(self, d: int) -> Listed:
        """Return a list of values."""
        names = self.locals_of(lambda v: v.kind == "list")
        if names and self.chance(0.6):
            name = self.rng.choice(names)
            return Listed(name, self.scope[name].of, 8)
        if self.chance(0.35):
            a, b = self.number(min(d, 1)), self.number(min(d, 1))
            return Listed(f"({a.text}..{b.text})", "number", max(0, b.hi - a.lo + 1), a.lo, max(a.lo, b.hi))
        if self.chance(0.2):
            table = self.declared.tables["height_points"]
            return Listed("height_points", "number", 5, table.lo, table.hi)
        if d > 0 and self._loops < 2 and self.chance(0.3):
            with self.gathering(d - 1) as (tail, longest):
                body = self.optional_number(d - 1) if self.chance(0.3) else self.number(d - 1)
                return Listed(f"list({body.text} {tail()})", "number", longest, body.lo, body.hi)
        of = self.rng.choice(("flower", "colour", "row", "player", "land"))
        return Listed(self.list_of(of, d), of, 8)

    def list_of(self, of: str, d: int) -> str:
        """Return a list of members of a set."""
        names = self.locals_of(lambda v: v.kind == "list" and v.of == of)
        if names and self.chance(0.6):
            return self.rng.choice(names)
        forms: list[Callable[[], str]] = [
            lambda: of,
            lambda: f"[{', '.join(self.member(of, d - 1) for _ in range(self.rng.randint(1, 3)))}]",
            lambda: f"[{of}, {self.member(of, d - 1)}]",
        ]
        if d > 0 and self._loops < 2:
            forms += [lambda: self._members_that(of, d - 1)] * 2
        if of == "player":
            forms += [lambda: f"clockwise({self.member('player', d - 1)})"] * 2
        if of in ("colour", "land"):
            table = "likes" if of == "colour" else "beside"
            forms += [lambda: f"{table}[{self.member(of, d - 1)}]"] * 2
        return self.rng.choice(forms)()

    def _members_that(self, of: str, d: int) -> str:
        name = self.new_name()
        self._loops += 1
        with self.known(**{name: Local("member", of)}):
            text = f"list({name} for {name} in {of} where {self.condition(d)})"
        self._loops -= 1
        return text

    # places ----------------------------------------------------------------------------------------------

    def any_place(self, indexed: bool = False) -> DeclaredPlace:
        """Return a family of places, sometimes one that local names belong to."""
        named = [v.of for v in self.scope.values() if v.kind in (("places",) if indexed else ("place", "places"))]
        if named and self.chance(0.5):
            return self.declared.places[self.rng.choice(named)]
        return self.rng.choice([p for p in self.declared.places.values() if p.index or not indexed])

    def _kind_set(self, family: str) -> str:
        """Return a set whose members can lie on a place; where coins lie too, only the others are asked for."""
        kinds = self.declared.places[family].kinds
        return "flower" if kinds == "anything" else kinds

    def _kind_of(self, family: str, d: int) -> str:
        """Return a kind that may lie on a place; sometimes none."""
        of = self._kind_set(family)
        if of == "coin":
            return "coin"
        if self.declared.places[family].kinds == "anything" and self.chance(0.2):
            return "coin"
        return self.optional(of, d) if self.chance(0.3) else self.member(of, d)

    def kinds(self, family: str, d: int) -> str:
        """Return a kind or a list of kinds that may lie on a place."""
        of = self._kind_set(family)
        if of == "coin" or self.chance(0.5):
            return self._kind_of(family, d)
        return self.list_of(of, d)

    def place(self, family: str, d: int, sure: bool = False) -> str:
        """Return one place of a family, perhaps nowhere; `sure` keeps it somewhere."""
        names = self.locals_of(lambda v: v.kind == "place" and v.of == family)
        if names and self.chance(0.7):
            return self.rng.choice(names)
        place = self.declared.places[family]
        if not place.index:
            return family
        stored = [v for v in self.declared.variables.values() if v.holds == family]
        if stored and self.chance(0.2):
            variable = self.rng.choice(stored)
            return self.indexed(variable.name, variable.index, d - 1, sure=True)
        if d > 0 and self.chance(0.15):
            return f"({self.places(family, d - 1).text})[{self.index_near(1, 1)}]"
        if d > 0 and self._loops < 2 and self.chance(0.15):
            name = self.new_name()
            listed = self.places(family, d - 1).text
            self._loops += 1
            with self.known(**{name: Local("place", family)}):
                text = f"first({name} for {name} in {listed} where {self.condition(d - 1)})"
            self._loops -= 1
            return text
        if d > 0 and self._callable("place", family, False) and self.chance(0.3):
            return self.call(self.rng.choice(self._callable("place", family, False)), d - 1)
        return self.indexed(family, place.index, d - 1, sure=sure or self.chance(0.5))

    def places(self, family: str, d: int) -> Listed:
        """Return a list of places of a family that has indexes."""
        place = self.declared.places[family]
        size = self.declared.size(place.index)
        names = self.locals_of(lambda v: v.kind == "places" and v.of == family)
        if names and self.chance(0.6):
            return Listed(self.rng.choice(names), family, size)
        forms: list[Callable[[], str]] = [lambda: family]
        if len(place.index) > 1:
            forms += [lambda: self.indexed(family, place.index[:1], d - 1, sure=self.chance(0.5))] * 2
        if place.ways and d > 0:
            forms += [lambda: f"ray({self.place(family, d - 1)}, {self.rng.choice(place.ways)})"] * 2
            if self._loops < 2:
                forms += [lambda: self._group(place, d - 1)] * 3
        if d > 0 and self._loops < 2:
            forms.append(lambda: self._places_that(family, d - 1))
        return Listed(self.rng.choice(forms)(), family, size)

    def _group(self, place: DeclaredPlace, d: int) -> str:
        name = self.new_name()
        ways = self.rng.choice(place.ways)
        if len(place.ways) > 1 and self.chance(0.4):
            ways = f"[{', '.join(self.rng.sample(place.ways, 2))}]"
        start = self.place(place.name, d)
        self._loops += 1
        with self.known(**{name: Local("place", place.name)}):
            test = self.condition(d) if self.chance(0.5) else f"not empty({name})"
        self._loops -= 1
        return f"group({name} from {start} along {ways} where {test})"

    def _places_that(self, family: str, d: int) -> str:
        name = self.new_name()
        self._loops += 1
        with self.known(**{name: Local("place", family)}):
            text = f"list({name} for {name} in {family} where {self.condition(d)})"
        self._loops -= 1
        return text

    # indexes ---------------------------------------------------------------------------------------------

    def indexed(self, name: str, index: tuple[str, ...], d: int, sure: bool) -> str:
        """`name[…]`; `sure` keeps every index inside its set."""
        if not index:
            return name
        if index == ("shelf", "side") and self.chance(0.6):
            return f"{name}[{self.member('crate', d)}]"
        parts = [self.member(of, d) if sure or self.chance(0.5) else self._index(of, d) for of in index]
        return f"{name}[{', '.join(parts)}]"

    def _index(self, of: str, d: int) -> str:
        """Return an index that may be outside its set, or none."""
        numbers = self.declared.sets[of].numbers
        if numbers and self.chance(0.7):
            return self.index_near(min(numbers), max(numbers), self._members_at_hand(of), d)
        return self.optional(of, d)

    def index_near(self, lo: int, hi: int, names: list[str] | None = None, d: int = 0) -> str:
        """Return a number that may be inside lo..hi, and may not."""
        if names and self.chance(0.7) and hi > lo:
            return f"({self.rng.choice(names)} {self.rng.choice(('+', '-'))} 1)"
        n = self.number(d)
        return n.text if n.lo < lo <= n.hi or n.lo <= hi < n.hi else "count_up"
