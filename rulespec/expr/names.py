"""All the names of one game: their meanings, their words in messages, and what a misspelt one was meant to be."""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import product, zip_longest

from rulespec import syntax
from rulespec.diagnostics.diagnostic import Diagnostic, Span, edit
from rulespec.english import closest, first_few, listed_names, listed_some, quoted, suggestion, with_article
from rulespec.expr.builtins import AGGREGATES, BUILTINS
from rulespec.expr.hints.failure import SPREADSHEET
from rulespec.expr.parse import KEYWORDS
from rulespec.syntax import (
    FIRST_MEMBER,
    LARGEST,
    NONE,
    NOTHING,
    Act,
    Definition,
    Expr,
    ListOf,
    NamedSet,
    Parameter,
    Place,
    PlaceOf,
    Several,
    Table,
    Type,
    Unknown,
    Values,
    Variable,
    YesNo,
    can_be_none,
    inside,
    join,
    number,
    of_codes,
    or_none,
)
from rulespec.yaml.nodes import Scalar

ACTS = {  # sections whose names no expression uses: each is a namespace of its own
    "moves": "a move",
    "steps": "a named step",
    "scoring": "a scoring rule",
}
SOME_PIECES = 10_000  # where it could not be read how many there are
RESERVED = KEYWORDS | {"me", "players", "number", "yes_no"}


HABITS = {  # names that other languages, or people, use, and what is written here
    "yes": "true",
    "no": "false",
    "null": "none",
    "nil": "none",
    "nothing": "none",
    "nobody": "none",
    "len": "size",
    "length": "size",
    "maximum": "max",
    "minimum": "min",
    "highest": "max",
    "lowest": "min",
    "largest": "max",
    "smallest": "min",
    "total": "sum",
    "once": "1",
    "twice": "2",
    "bool": "yes_no",
    "boolean": "yes_no",
    "self": "me",
    "i": "me",
    "you": "me",
    **{unicodedata.name(n).removeprefix("DIGIT ").lower(): n for n in string.digits},
}
HABITS |= {word: str(n) for n, word in enumerate(("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen"), 10)}
HABITS |= {word: str(10 * n) for n, word in enumerate(("twenty", "thirty", "forty", "fifty", "sixty"), 2)}
CHANCE = frozenset(("random", "rand", "randint", "randbetween", "dice", "die", "roll", "draw", "d6"))  # of a step
MOST_VALUES = 8  # that a message lists
NEAR = 15  # lines between a loop and a step that was meant to be in it
SHORT = 2  # letters of a name that is probably a local one
INDEXED = "indexes"  # what a complaint is about: how many indexes a name is given
RANGES = frozenset(("int", "integer"))  # the same for what is a range here


@dataclass(slots=True)
class Names:
    players: int
    sets: dict[str, NamedSet] = field(default_factory=dict)
    members: dict[str, int] = field(default_factory=dict)  # name → code; pairs as `a.b`
    pair_parts: dict[int, tuple[int, int]] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)
    functions: dict[str, Definition] = field(default_factory=dict)
    total_pieces: int = SOME_PIECES
    heads: dict[str, str] = field(default_factory=dict)  # name → as declared
    declared: dict[str, tuple[str, Span]] = field(default_factory=dict)  # name → (what it is, where)
    acts: dict[Act, Scalar] = field(default_factory=dict)  # moves, named steps and scoring rules → their heads
    later: dict[str, str] = field(default_factory=dict)  # places and variables, before they are read: name → what it is
    bound: Callable[[], dict[str, list[tuple[str, Span]]]] = dict  # local name → what gives it, and where
    used: set[str] = field(default_factory=set)
    bare: set[str] = field(default_factory=set)  # names that are somewhere used without indexes
    given: dict[str, list[tuple[Type, ...]]] = field(default_factory=dict)  # name → the indexes of each use
    failed: set[str] = field(default_factory=set)  # names of entries that were reported: their uses are not
    failed_acts: set[Act] = field(default_factory=set)  # the same of moves, named steps and scoring rules
    find_function: Callable[[str], Definition | None] = lambda name: None  # infers a function on its first use
    member_names: dict[int, str] = field(default_factory=dict)
    place_codes: dict[str, range] = field(default_factory=dict)
    calls: dict[tuple[str, tuple[Type, ...]], Type] = field(default_factory=dict)  # of definitions that take a `number`
    passed: dict[tuple[Act, str], Type] = field(default_factory=dict)  # (what, parameter) → the numbers passed

    @contextmanager
    def on_trial(self) -> Iterator[None]:
        """Forget afterwards what was read meanwhile: it was only tried."""
        kept = {*self.used}, {*self.bare}, {name: [*uses] for name, uses in self.given.items()}
        wrong = {*self.failed}, {**self.passed}
        try:
            yield
        finally:
            self.used, self.bare, self.given = kept
            self.failed, self.passed = wrong

    # meanings ------------------------------------------------------------------------------

    def plain(self, name: str) -> Expr | None:
        """Return the expression that a bare name means, or None."""
        self.used.add(name)
        self.bare.add(name)
        if name == "players":
            # its type covers all numbers of players: `players = 2` is not a mistake with three
            return syntax.Literal(number(1, 20), self.players)
        if name in self.sets:
            s = self.sets[name]
            return syntax.Literal(ListOf(s.type, len(s.values)), s.values)
        if name in self.members:
            code = self.members[name]
            return syntax.Literal(self.const_type(code), code)
        if name in self.tables:
            return self._whole_table(self.tables[name])
        if name in self.places:
            return self.read(name, (), True)
        if name in self.variables and not self.variables[name].index:
            return self.read(name, (), True)
        function = self.function(name)
        if function is not None and not function.parameters:
            return syntax.FunctionCall(function.body.type, name, ())
        return None

    def _whole_table(self, table: Table) -> Expr | None:
        """Return one value, or a list without index names; None for a table with index sets."""
        if not table.index:
            entry = table.entries[0]
            t: Type = table.type if isinstance(entry, int) else ListOf(table.type, len(entry))
            return syntax.Literal(t, entry)
        if "[" in self.heads.get(table.name, ""):
            return None
        return syntax.Literal(ListOf(table.type, len(table.entries)), table.entries)  # type: ignore[arg-type]

    def function(self, name: str) -> Definition | None:
        self.used.add(name)
        return self.functions.get(name) or self.find_function(name)

    def is_held(self, name: str) -> bool:
        """Return whether a name is that of a table, a place or a variable."""
        return name in self.tables or name in self.places or name in self.variables

    def is_indexed(self, name: str) -> bool:
        owner = self.tables.get(name) or self.places.get(name) or self.variables.get(name)
        return owner is not None and bool(owner.index)

    def index_codes(self, name: str) -> tuple[tuple[int, ...], ...]:
        if name in self.tables:
            return self.tables[name].index
        owner = self.places.get(name) or self.variables[name]
        return owner.index_values

    def index_types(self, name: str) -> tuple[Values, ...]:
        inside = self.heads.get(name, "").partition("[")[2].rstrip("] ").split(",")
        written = [word.strip() for word in inside] if self.index_codes(name) else []
        homes = [word if word in self.sets else "" for word in written]
        return tuple(
            of_codes(codes, home or ("" if ".." in word else self._set_of(codes)))
            for codes, home, word in zip_longest(
                self.index_codes(name),
                homes[: len(self.index_codes(name))],
                written[: len(self.index_codes(name))],
                fillvalue="",
            )
            if not isinstance(codes, str)
        )

    def _set_of(self, codes: tuple[int, ...]) -> str:
        return next((s.name for s in self.sets.values() if s.values == codes), "")

    def index_inside(self, found: Values, codes: tuple[int, ...]) -> bool:
        """Return whether a value of `found` is surely one of these; a type knows nothing of gaps between numbers."""
        numbers = [c for c in codes if c < NONE]
        if numbers and len(numbers) != max(numbers) - min(numbers) + 1:
            home = self.sets.get(found.home)
            return home is not None and set(home.values) <= set(codes) and not found.none
        return inside(found, of_codes(codes))

    def read(self, name: str, index: tuple[Expr, ...], sure_inside: bool) -> Expr:
        """Return `name[index]` for a table, place or variable with these indexes (places may have fewer)."""
        self.used.add(name)
        if name in self.places:
            place = self.places[name]
            if len(index) == len(place.index):
                return syntax.PlaceAt(PlaceOf(name, sure_inside), name, index)
            many = 1
            for values in place.index_values[len(index) :]:
                many *= len(values)
            return syntax.Places(ListOf(PlaceOf(name, sure=True), many), name, index, sure_inside)
        if name in self.tables:
            table = self.tables[name]
            if table.entries and isinstance(table.entries[0], tuple):
                largest = max(len(e) for e in table.entries if isinstance(e, tuple))
                return syntax.TableRead(ListOf(table.type, largest), name, index)
            return syntax.TableRead(table.type if sure_inside else or_none(table.type), name, index)
        variable = self.variables[name]
        return self.as_place(syntax.VariableRead(variable.type if sure_inside else or_none(variable.type), name, index))

    def as_place(self, e: Expr) -> Expr:
        """Return the place that a code stands for; anything else as it is."""
        family = self.coded_family(e.type)
        return e if family is None else syntax.CodedPlace(PlaceOf(family, not can_be_none(e.type)), e)

    def coded_family(self, t: Type) -> str | None:
        """Return the family of places whose codes these are."""
        if self.place_codes and isinstance(t, Values) and t.members:
            some = next(iter(t.members))
            return next((family for family, codes in self.place_codes.items() if some in codes), None)
        return None

    def place_type(self, family: str) -> Values:
        """Return the type of a place of this family that is chosen or stored; its places have codes from then on."""
        if family not in self.place_codes:
            first = FIRST_MEMBER + len(self.members) + sum(map(len, self.place_codes.values()))
            place = self.places[family]
            self.place_codes[family] = range(first, first + place.size)
            for code, index in zip(self.place_codes[family], product(*place.index_values), strict=True):
                self.member_names[code] = ".".join(map(self.value_name, index))
        return Values(members=frozenset(self.place_codes[family]))

    def note_passed(self, to: Act, parameters: Iterable[Parameter], args: Iterable[Type]) -> None:
        """Remember which numbers are passed where any number may be, to a definition or to what steps name."""
        for p, t in zip(parameters, args, strict=True):
            if p.set == "number":
                before = self.passed.get((to, p.name), Values())
                self.passed[to, p.name] = join(before, t) or before

    # types -----------------------------------------------------------------------------------------------

    def type_of_kinds(self, codes: Iterable[int]) -> Values:
        codes = tuple(codes)
        return of_codes(codes, self.home(codes))

    def kinds_type(self, families: tuple[str, ...]) -> Values:
        return self.type_of_kinds(tuple(k for f in families for k in self.places[f].kinds))

    def const_type(self, code: int) -> Values:
        return of_codes((code,), self.home((code,)))

    def home(self, codes: tuple[int, ...]) -> str:
        """Return the smallest set that holds all these values."""
        wanted = set(codes) - {NONE}
        fitting = [s for s in self.sets.values() if wanted <= set(s.values)] if wanted else []
        return min(fitting, key=lambda s: len(s.values)).name if fitting else ""

    def pair_of(self, t: Type) -> str | None:
        """Return the set of pairs that all values of t belong to, or None."""
        if not isinstance(t, Values) or not t.members or t.lo is not None or not t.members <= self.pair_parts.keys():
            return None
        found = [s.name for s in self.sets.values() if s.parts and t.members <= set(s.values)]
        return found[0] if found else None

    def most_pieces(self, places: Expr, family: str) -> int:
        rooms = self.places[family].rooms
        many = places.type.largest if isinstance(places.type, ListOf) else 1
        if min(rooms, default=-1) < 0:
            return self.total_pieces
        return min(self.total_pieces, max(rooms) * many)

    # messages --------------------------------------------------------------------------------------------

    def head(self, name: str) -> str:
        return self.heads.get(name, name)

    def value_name(self, code: int) -> str:
        return "none" if code == NONE else self.member_names.get(code) or str(code)

    def what(self, name: str, env: Mapping[str, Type]) -> str:
        """Return `a place`, `a table`, … with the position of the declaration."""
        if name in env:
            return f"a local name for {self.describe_type(env[name])}"
        kind, span = self.declared.get(name, ("a name", None))
        return f"{kind} declared at {span}" if span else kind

    def describe(self, e: Expr) -> str:
        """Return an expression's type in the author's words, with its value where that is known."""
        if isinstance(e, syntax.Literal) and isinstance(e.value, int) and isinstance(e.type, Values) and _one(e.type):
            if e.value == NONE:
                return "none"
            of = f"the {e.type.home} " if e.type.home and e.value > NONE else ""
            return f"{of}`{self.value_name(e.value)}`"
        return self.describe_type(e.type)

    def describe_type(self, t: Type) -> str:
        match t:
            case Values():
                if t == NOTHING:
                    return "none"
                if (family := self.coded_family(t)) is not None:
                    return f"a place of `{family}`" + (" or none" if t.none else "")
                words = self._describe_values(t)
                return f"{words} or none" if t.none else words
            case YesNo():
                return "yes or no"
            case PlaceOf():
                return f"a place of `{t.family}`"
            case ListOf(item=PlaceOf(family=family)):
                return f"a list of places of `{family}`"
            case ListOf():
                return f"a list ({self.describe_type(t.item)})"
            case Several():
                return "pieces chosen together"
            case Unknown():
                return "something unknown"

    def _describe_values(self, t: Values) -> str:
        if t.home and t.home in self.sets:
            return with_article(t.home)
        if t.lo is not None and not t.members:
            if (t.lo, t.hi) == (-LARGEST, LARGEST):
                return "a number"
            return f"the number {t.lo}" if t.lo == t.hi else f"a number {t.lo}..{t.hi}"
        words = [f"{t.lo}..{t.hi}"] if t.lo is not None else []
        words += [self.value_name(c) for c in sorted(t.members)]
        shown = first_few(words, 6)
        return f"one of {shown}" if len(words) != 1 else shown

    def some_values(self, codes: Sequence[int], of: str = "") -> str:
        """Return these values in words: ranges of numbers, then names, of many the first ones."""
        numbers = [c for c in codes if c < NONE]
        whole = bool(numbers) and len(numbers) == max(numbers) - min(numbers) + 1 > 2
        words = [f"{min(numbers)}..{max(numbers)}"] if whole else [*map(str, numbers)]
        words += [self.value_name(c) for c in codes if c >= NONE]
        shown = listed_some(quoted(words), MOST_VALUES)
        return f"{with_article(of)}: {shown}" if of else shown

    def elsewhere(self, name: str) -> tuple[str, Span] | None:
        """Return what has this name: of an expression, or else a move, named step or scoring rule."""
        acts = ((what, self.acts[section, name].span) for section, what in ACTS.items() if (section, name) in self.acts)
        return self.declared.get(name) or next(acts, None)

    def unknown(
        self,
        name: str,
        what: str,
        span: Span,
        env: Mapping[str, Type],
        among: Iterable[str] | None = None,
        section: str = "name",
    ) -> Diagnostic:
        """Return the complaint about a name nobody declared; `among` are those that it may be, without it all.

        `section` is that of a move, named step or scoring rule.
        """
        everything = {
            *self.declared,
            *(local for local in env if "." not in local),
            *self.members,
            *BUILTINS,
            *AGGREGATES,
            "players",
            *(["me"] if "me" in env else []),
        }
        known = everything if among is None else set(among)
        message = f"no {what} called `{name}`"
        about = (section, name)
        if (among is not None or name not in self.declared) and (other := self.elsewhere(name)) is not None:
            kind, declared_at = other
            message = f"expected a {'value' if what == 'name' else what}, found `{name}`, which is {kind}"
            also = ((f"`{name}` is {kind}", declared_at),)
            near = closest(name, known - RESERVED - {name})
            edits = edit(replace(span, end_line=span.line, end_col=span.col + len(name)), name, near, sure=False)
            fix, few = suggestion(near), among is not None and 0 < len(known - {name}) <= MOST_VALUES
            if not fix and few:
                fix = f"there {'is' if len(known) == 1 else 'are'} {listed_names(sorted(known - {name}))}"
            return Diagnostic(span, "name-unknown", message, "", fix, also, about=about, edits=edits)
        if among is not None and what == "set" and name in ("me", "self", "i", "you", "all", "each", "everyone"):
            edits = edit(replace(span, end_line=span.line, end_col=span.col + len(name)), name, "player", sure=False)
            return Diagnostic(span, "name-unknown", message, "", "write `player`", about=about, edits=edits)
        if name in SPREADSHEET and among is None:
            return Diagnostic(span, "name-unknown", message, "", SPREADSHEET[name], about=about)
        if name == "range" and among is None:
            fix = "write the first and the last number with two dots between them, such as `1..4`"
            return Diagnostic(span, "name-unknown", message, "", fix, about=about)
        if name in RANGES:
            return Diagnostic(span, "name-unknown", message, "", "write a range such as `0..100`", about=about)
        if (meant := HABITS.get(name)) is not None:
            fix = f"write `{meant}`" + (" for the player who decides" if meant == "me" else "")
            return Diagnostic(
                span, "name-unknown", message, "", fix, about=about, edits=edit(span, name, meant, sure=False)
            )
        if among is None and name in CHANCE:
            fix = "chance decides in a step of its own: `roll n from 1..6`, and from there on `n` is what was rolled"
            return Diagnostic(span, "name-unknown", message, "", fix, about=about)
        denied = re.fullmatch(r"(not|is|has|get)_([a-z]\w*)", name)
        if among is None and denied and (denied[2] in BUILTINS or denied[2] in everything):
            meant = f"{'not ' if denied[1] == 'not' else ''}{denied[2]}"
            here = replace(span, end_line=span.line, end_col=span.col + len(name))
            return Diagnostic(
                span,
                "name-unknown",
                message,
                "",
                f"write `{meant}`",
                about=about,
                edits=edit(here, name, meant, sure=False),
            )
        if among is None and name in BUILTINS:
            fix = f"it is a function: write `{BUILTINS[name].usage}`"
            return Diagnostic(span, "name-unknown", message, "", fix, about=about)
        local = [other for other in env if "." not in other]
        beside = {other for other, (_, at) in self.declared.items() if (at.file, at.line) == (span.file, span.line)}
        near = closest(name, (known - RESERVED | ({"players"} & known)) - {name} - beside)
        if among is None and near not in local:
            labelled = re.fullmatch(r"[a-z]+_?([0-9]+)", name)
            if labelled and not re.search("[0-9]", near or ""):
                fix, edits = f"a number is written alone: `{labelled[1]}`", edit(span, name, labelled[1], sure=False)
                return Diagnostic(span, "name-unknown", message, "", fix, about=about, edits=edits)
            own = [other for other in local if other != "me"] or local
            fits = near is None and (len(name) <= SHORT or name.startswith(own[0] if own else name))
            if len(own) == 1 and (len(name) == 1 or fits):
                near = own[0]
        why = ""
        if near is None and among is not None and 0 < len(known) <= MOST_VALUES:
            fix = f"there {'is' if len(known) == 1 else 'are'} {listed_names(sorted(known))}"
            return Diagnostic(span, "name-unknown", message, "", fix, about=about)
        if near is None and among is None and local:
            why = f"known here, besides what is declared: {listed_names(local)}"
        if near is None and among is None and (given := self._given_elsewhere(name, span)) is not None:
            return replace(given, code="name-unknown", message=message, about=about)
        found = self.acts.get((section, near)) if near else None
        at = (ACTS[section], found.span) if found else self.declared.get(near or "")
        here = replace(span, end_line=span.line, end_col=span.col + len(name))  # without what it is given
        fix, edits = (
            suggestion(near, "it is {} declared at {}".format(*at) if at else ""),
            edit(here, name, near, sure=False),
        )
        return Diagnostic(span, "name-unknown", message, why, fix, about=about, edits=edits)

    def _given_elsewhere(self, name: str, span: Span) -> Diagnostic | None:
        """Return the complaint about a local name that is used where it is not known; None if nothing gives it near by."""
        near = [(what, at) for what, at in self.bound().get(name, ()) if at.file == span.file]
        if not near:
            return None
        what, at = min(near, key=lambda found: abs(found[1].line - span.line))
        step = what.startswith(("let ", "roll "))
        why = f"`{name}` is known only " + (f"after `{what}`, in its list" if step else f"in {what}")
        fix = f"write the step `{what}` above this one" if step and at.line > span.line else ""
        if not fix and what.startswith("the steps of") and 0 < span.line - at.line < NEAR:
            fix = f"what uses `{name}` belongs below its `do:`"
        elif not fix and what.startswith("the move"):
            fix = "let this move choose it too, under `choose:`, or write what is meant here"
        return Diagnostic(span, "", "", why, fix, ((f"`{name}`", at),))

    def misspelt_declarations(self, found: list[Diagnostic], called: set[Act]) -> list[Diagnostic]:
        """Return the same, but a name used more than once, with an unused one almost like it, is misspelt where it is declared.

        `called` are the moves, steps and scoring rules that something names.
        """
        result = []
        for d in found:
            section = d.about[0]
            kinds = {name for name, (what, _) in self.declared.items() if what == "a kind of piece"}
            unused = {*self.declared} - self.used - (self.members.keys() - kinds)
            if section in ACTS:
                unused = {name for inside, name in self.acts.keys() - called if inside == section}
            near = closest(d.about[1], unused, 0.79) if d.code == "name-unknown" else None
            if near is None or (near in self.declared and self.declared[near][1].line == d.span.line):
                often = f"it is used {len(d.again) + 1} times: declare it, or write what is meant in each place"
                is_missing = d.code == "name-unknown" and section == "name" and d.again and not d.fix
                result.append(replace(d, fix=often) if is_missing else d)
                continue
            what, at = (ACTS[section], self.acts[section, near].span) if section in ACTS else self.declared[near]
            if not d.again:
                result.append(replace(d, also=(*d.also, (f"{what} that nothing uses", at))))
                continue
            name = d.about[1]
            message = f"nothing uses `{near}`, but `{name}` is used and not declared"
            uses, fix = ((f"`{name}`", d.span), *d.also), f"write `{name}` here, or `{near}` there"
            here = replace(at, end_line=at.line, end_col=at.col + len(near))  # without indexes and parameters
            edits = edit(here, near, name, sure=False)
            result.append(replace(d, span=at, message=message, fix=fix, also=uses, edits=edits))
        return sorted(result)

    def check_new_local(
        self, name: str, span: Span, env: Mapping[str, Type], report: Callable[[Diagnostic], None]
    ) -> bool:
        """Return whether a name may be a local one; report it if not, and if it hides what the same file declares.

        What another file declares is hidden without a word: a house rule that adds a name changes nothing below it.
        """
        if name in env:
            why = "a local name keeps its value as long as it is known; a variable can be changed by steps"
            report(Diagnostic(span, "name-taken", f"`{name}` is already a local name here", why, "choose another name"))
            return False
        if name in RESERVED:
            report(Diagnostic(span, "name-reserved", f"`{name}` is a word of the language", "", "choose another name"))
            return False
        what, where = self.declared.get(name, ("", None))
        if where is not None and where.file == span.file:
            message = f"the local name `{name}` hides {what}"
            why = f"as far as the local name reaches, `{name}` means that one"
            also = ((f"`{name}` is {what}", where),)
            report(Diagnostic(span, "name-hides", message, why, "choose another name", also, "warning"))
        return True

    def parameter_type(self, set_name: str) -> Type | None:
        """Return the type of a parameter declared with this set's name."""
        match set_name:
            case "number":
                return number(-LARGEST, LARGEST)
            case "yes_no":
                return YesNo()
        if set_name in self.sets:
            self.used.add(set_name)
            return self.sets[set_name].type
        if set_name in self.members:  # a kind of piece
            return self.const_type(self.members[set_name])
        if set_name in self.places:
            self.used.add(set_name)
            return PlaceOf(set_name)
        return None

    def env_of(self, parameters: Iterable[Parameter]) -> dict[str, Type]:
        return {p.name: p.type for p in parameters}


def _one(t: Values) -> bool:
    """Return whether it is a single value; `players` is fixed, but another number at another table."""
    return (t.lo is None or t.lo == t.hi) and len(t.members) + t.none + (t.lo is not None) == 1
