"""Expressions in words: values as nouns, conditions as clauses. It knows the language, and no game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee.rulebook import clauses
from referee.rulebook.book import em, plain_words
from referee.rulebook.grammar import is_plural, plural
from referee.rulebook.nouns import Nouns, family_of, is_many, spaced
from referee.rulebook.phrases import YOU, Clause, Noun, figure, name, named, number_of, one_of, sorts
from referee.rulebook.says import Given, clause_of, noun_of
from rulespec import Model, listed, ordinal, syntax

_TIGHT = {"+": 1, "-": 1, "*": 2, "/": 2, "mod": 2}
_SIGNS = {"+": "+", "-": "−", "*": "×", "/": "/"}

MOST_REPEATED = 400  # characters that are put into an author's words, who may do so at many places
_PLAYERS = syntax.number(1, 20)  # the type of `players`, which depends on how many play


def _is_open(e: syntax.Expr) -> bool:
    """Return whether the words for a number end with something that an operator after them would seem to belong to."""
    if isinstance(e, syntax.BuiltinCall):
        return e.name in ("max", "min") or (e.name == "size" and not isinstance(e.args[0], syntax.Literal))
    return isinstance(e, syntax.Aggregate)


LocalNames = dict[str, Noun]  # local name → what it is called


@dataclass(frozen=True, slots=True)
class ExpressionWords:
    """Says what expressions mean, with the local names of one rule."""

    model: Model
    nouns: Nouns
    scope: LocalNames

    def within(self, names: list[tuple[str, Noun]]) -> ExpressionWords:
        """Return the same with more local names: (name, its sort). Two of the same sort keep their names."""
        scope = dict(self.scope)
        for local, noun in names:
            same = sum(other.sort == noun.sort for _, other in names)
            alone = noun.sort and same == 1 and not self._is_in_sight(noun.sort)
            scope[local] = noun.definite if alone else named(noun, local)
        return replace(self, scope=scope)

    def _is_in_sight(self, sort: str) -> bool:
        """Return whether something else is `the row` already."""
        return any(noun.is_the(sort) for noun in self.scope.values())

    def given(
        self, parameters: tuple[syntax.Parameter, ...], choices: tuple[syntax.Choice, ...] = (), me: bool = False
    ) -> ExpressionWords:
        """Return the same with the parameters and choices of a rule."""
        inside = replace(self, scope={**self.scope, "me": YOU}) if me else self
        names = [(p.name, self._sort(p.type, p.set)) for p in parameters]
        names += [
            (c.name, one_of("") if isinstance(c.type, syntax.Several) else self._sort(c.type, "")) for c in choices
        ]
        inside = inside.within(names)
        chosen = {
            c.name: Noun(f"chosen {self.nouns.pieces_on(family_of(c.source))}", "the", is_many=True)
            for c in choices
            if c.source is not None
        }
        return replace(inside, scope={**inside.scope, **chosen})

    def _sort(self, t: syntax.Type, known: str) -> Noun:
        """Return what a value of a set or a type is called, without saying which."""
        if known in self.model.sets:
            return one_of(self.nouns.of_set(known), is_person=known == "player")
        return one_of(self.nouns.of_type(t), is_person=isinstance(t, syntax.Values) and t.home == "player")

    # values ----------------------------------------------------------------------------------------------

    def value(self, e: syntax.Expr, tight: int = 0) -> Noun:
        """Return a number, member, place or list as a noun. `tight` is how strongly the operator around it binds."""
        match e:
            case syntax.Literal():
                return self._const(e)
            case syntax.Local():
                return self.scope.get(e.name) or name(self.told_apart(e.name, spaced(e.name)))
            case syntax.Conditional():
                return _bracketed(self._by_case(e), tight > 0)
            case syntax.Let():
                local = self.told_apart(e.name, e.name)
                inner = replace(self, scope={**self.scope, e.name: name(local)})
                text = f"{inner.value(e.body)}, where {em(local)} is {self.value(e.value)}"
                return _bracketed(text, tight > 0)
            case syntax.Default():
                other = self.value(self.as_wanted(e.other, e.value.type))
                return Noun(f"{self.value(e.value, 1)} ({other} if there is none)")
            case syntax.Range():
                lo, hi = self.value(e.lo), self.value(e.hi)
                return lo if lo.figure is not None and lo.figure == hi.figure else Noun(f"{lo} to {hi}")
            case syntax.Arithmetic():
                return self._arithmetic(e, tight)
            case syntax.Items():
                return Noun(listed((self.value(i) for i in e.items), "or") or "nothing")
            case syntax.TableRead():
                return self.read(e.table, e.index)
            case syntax.VariableRead():
                return self.read(e.variable, e.index)
            case syntax.Part():
                part = self.nouns.of_set(self.model.sets[e.set].parts[e.which])
                return one_of(part, f"of {self.value(e.pair)}", "the")
            case syntax.PlacePart():
                part = self.nouns.of_set(self.model.places[family_of(e.place)].index[e.which])
                return one_of(part, f"of {self.value(e.place)}", "the")
            case syntax.ItemAt():
                return self._item(e)
            case syntax.PlaceCode():
                return self.value(e.place)
            case syntax.CodedPlace():
                return self.value(e.code)
            case syntax.PlaceAt() | syntax.Places():
                return self.place(e)
            case syntax.Aggregate() if not isinstance(e.type, syntax.YesNo):
                return self._gathered(e)
            case syntax.ConnectedGroup():
                inner = replace(self, scope={**self.scope, e.name: one_of("space", determiner="the")})
                start = self.value(e.start)
                text = f"spaces connected with {start}{self._along(e)} for which {inner.condition(e.where)}"
                return Noun(text, "the", is_many=True)
            case syntax.BuiltinCall() if not isinstance(e.type, syntax.YesNo):
                return self._builtin(e)
            case syntax.Repeats():
                things, many = self.whole(e.names)
                return number_of(f"times that {things} {'were' if many else 'was'} remembered just like that")
            case syntax.FunctionCall() if not isinstance(e.type, syntax.YesNo):
                return self.call(e)
            case _:
                return Noun(f"whether {self.condition(e)}")

    def _along(self, e: syntax.ConnectedGroup) -> str:
        """Return the ways by which spaces are connected; nothing if there is only one."""
        ways = self.model.places[family_of(e.start)].ways
        if len(ways) == 1:
            return ""
        item = e.along.type.item if isinstance(e.along.type, syntax.ListOf) else None
        along = self.value(e.along)
        if item is not None and self.is_whole_set(e.along):
            along = Noun(f"any {self.nouns.of_type(item)}")
        return f", going {along},"

    def _item(self, e: syntax.ItemAt) -> Noun:
        """Return an item of a list by its number: the first space beyond another one, the second of the players."""
        at = e.at.value if isinstance(e.at, syntax.Literal) else None
        if isinstance(e.items, syntax.BuiltinCall) and e.items.name == "ray" and isinstance(at, int):
            start, way = (self.value(a) for a in e.items.args)
            which = "space next to" if at == 1 else f"{ordinal(at)} space from"
            return Noun(f"{which} {start} going {way}", "the")
        which = ordinal(at) if isinstance(at, int) else f"item number {self.value(e.at)}"
        return Noun(f"{which} of {self.value(e.items)}", "the")

    def _by_case(self, e: syntax.Conditional) -> str:
        """Return each value with its condition, and what holds otherwise."""
        cases = [f"{self.value(e.then, 1)} if {self.condition(e.test)}"]
        other = e.other
        while isinstance(other, syntax.Conditional):
            cases.append(f"{self.value(other.then, 1)} if {self.condition(other.test)}")
            other = other.other
        mark = "," if len(cases) == 1 else ";"
        return f"{f'{mark} '.join(cases)}{mark} otherwise {self.value(other)}"

    def _const(self, e: syntax.Literal) -> Noun:
        if isinstance(e.type, syntax.YesNo):
            return Noun("yes" if e.value else "no")
        if e.type == _PLAYERS and e.value == self.model.players:
            return number_of("players")
        if isinstance(e.value, tuple):
            item = e.type.item if isinstance(e.type, syntax.ListOf) else e.type
            if self.is_whole_set(e) and isinstance(item, syntax.Values):
                sort = self.nouns.of_set(item.home)
                return Noun(plural(sort), "the" if item.home == "player" else "", sort, is_many=True)
            return Noun(listed((self.nouns.value(v, item) for v in e.value), "or") or "nothing")
        return self.nouns.value(e.value, e.type)

    def is_whole_set(self, e: syntax.Expr) -> bool:
        """Return whether a list is all members of a set."""
        item = e.type.item if isinstance(e.type, syntax.ListOf) else e.type
        known = self.model.sets.get(item.home) if isinstance(item, syntax.Values) else None
        return isinstance(e, syntax.Literal) and known is not None and known.values == e.value

    def _arithmetic(self, e: syntax.Arithmetic, tight: int) -> Noun:
        if e.op == "-" and isinstance(e.left, syntax.Literal) and e.left.value == 0:
            return _bracketed(f"minus {self.value(e.right, 2)}", tight > 1)
        if isinstance(e.left, syntax.Literal) and isinstance(e.right, syntax.Literal) and e.op in "+-*":
            a, b = e.left.value, e.right.value
            by_players = _PLAYERS in (e.left.type, e.right.type)
            if isinstance(a, int) and isinstance(b, int) and not by_players:
                return figure({"+": a + b, "-": a - b, "*": a * b}[e.op])
        binds = _TIGHT[e.op]
        left = _bracketed(self.value(e.left, binds), _is_open(e.left))
        right = _bracketed(self.value(e.right, binds + 1), tight > 0 and _is_open(e.right))
        if e.op == "mod":
            return _bracketed(f"the remainder of {left} divided by {right}", tight > 0)
        text = f"{left} {_SIGNS[e.op]} {right}" + (" (rounded down)" if e.op == "/" else "")
        return _bracketed(text, tight > binds)

    def read(self, entry: str, index: tuple[syntax.Expr, ...]) -> Noun:
        """Return a variable or an entry of a table as a noun."""
        if says := self.model.view.says.get(entry):
            return self.filled(says, self.holes(entry, index))
        index = self._indexes(entry, index)
        owned = [e for e in index if self._is_player(e)]
        rest = self._index([e for e in index if e not in owned])
        noun = replace(name(spaced(entry)), is_many=is_many(self.model, entry))
        return _with(self._owned(noun, owned[0] if owned else None), f" of {listed(rest)}" if rest else "")

    def as_wanted(self, e: syntax.Expr, t: syntax.Type) -> syntax.Expr:
        """Return an expression where a value of a type is wanted: a number that stands for a player is one."""
        match e:
            case syntax.Literal(value=int(number)) if e.type != _PLAYERS and number < syntax.NONE:
                return replace(e, type=t) if isinstance(t, syntax.Values) and t.home == "player" else e
            case syntax.Conditional():
                return replace(e, then=self.as_wanted(e.then, t), other=self.as_wanted(e.other, t))
            case syntax.Default():
                return replace(e, value=self.as_wanted(e.value, t), other=self.as_wanted(e.other, t))
        return e

    def player(self, e: syntax.Expr) -> Noun:
        """Return somebody, or several, as a noun."""
        return self.value(self.as_wanted(e, self.model.sets["player"].type))

    def holes(self, variable: str, index: tuple[syntax.Expr, ...]) -> dict[str, syntax.Expr]:
        """Return the indexes of a variable by their names, as an author's words have them; none for a table."""
        owner = self.model.variables.get(variable)
        return dict(zip(owner.index, self._indexes(variable, index), strict=True)) if owner is not None else {}

    def _indexes(self, entry: str, index: tuple[syntax.Expr, ...]) -> tuple[syntax.Expr, ...]:
        """Return the indexes of a variable or table, each as what is wanted there, as far as that is declared."""
        owner = self.model.variables.get(entry)
        names = owner.index if owner is not None else ("",) * len(index)
        return tuple(self._index_of(name, e) for name, e in zip(names, index, strict=True))

    def _index_of(self, name: str, e: syntax.Expr) -> syntax.Expr:
        return self.as_wanted(e, self.model.sets[name].type) if name in self.model.sets else e

    def arguments(self, parameters: tuple[syntax.Parameter, ...], args: tuple[syntax.Expr, ...]) -> list[syntax.Expr]:
        """Return what is given to a definition, each as what its parameter is."""
        return [self.as_wanted(a, p.type) for p, a in zip(parameters, args, strict=True)]

    def _is_player(self, e: syntax.Expr) -> bool:
        return isinstance(e.type, syntax.Values) and e.type.home == "player"

    def _owned(self, noun: Noun, player: syntax.Expr | None) -> Noun:
        """Return `your pot`, `the player's pot`, `the pot of the player after you`."""
        if player is None:
            return noun
        who, own = self.value(player), replace(noun, sort="", which="", is_brief=False)
        if who.is_you:
            return replace(own, words=f"your {noun.words}", determiner="", is_owned=True)
        if who.is_short:
            return replace(own, words=f"{who.words}’s {noun.words}", determiner=who.determiner, is_owned=True)
        return replace(own, words=f"{noun.words} of {who}", determiner="the")

    def on(self, e: syntax.Expr) -> str:
        """Return where pieces are."""
        return self.at(e, self.place(e))

    def on_together(self, e: syntax.Expr) -> str:
        """Return where pieces are that are counted: in all these places together."""
        return self.at(e, self.place(e).as_one)

    def at(self, e: syntax.Expr, where: object) -> str:
        """Return where pieces are, given the words for the place: in a pile, on a stack or a space, among chosen ones."""
        if isinstance(e.type, syntax.Several):
            return f"among {where}"
        family = family_of(e)
        inside = family in self.model.places and self.nouns.holds_inside(self.model.places[family])
        return f"{'in' if inside else 'on'} {where}"

    def whole(self, names: tuple[str, ...]) -> tuple[str, bool]:
        """Return what all places and variables of some names are called, and whether that is a plural."""
        called = [(self.model.view.says.get(name) or spaced(name)).removeprefix("the ") for name in names]
        return listed(f"the {word}" for word in called), len(called) > 1 or is_plural(called[0])

    def place(self, e: syntax.Expr) -> Noun:
        """Return a place, or a list of places, as a noun."""
        if not isinstance(e, syntax.PlaceAt | syntax.Places):
            return self.value(e)
        place = self.model.places[e.family]
        noun = self.nouns.named_place(place)
        called = noun.words
        given = {name: self._index_of(name, i) for name, i in zip(place.index, e.index, strict=False)}
        player = given.pop("player", None)
        rest = list(given.values())
        index = self._index(rest, tuple(given))
        if len(rest) == 1 and index[0].sort and index[0].sort == called.split(" ")[-1]:  # the index says which it is
            which = index[0].which
            noun, index = replace(noun, words=f"{called} {which}".strip(), is_many=noun.is_many and not which), []
        at = f" at {listed(index)}" if index else ""
        if player is None and "player" in place.index:
            together = f"all {plural(self.nouns.player)}’ {plural(noun.words)}{at}"
            return Noun(f"{self.nouns.player}’s {noun.words}{at}", "every", together=together, is_owned=True)
        if (
            len(e.index) < len(place.index)
            and not index
            and player is None
            and place.shape != "cell"
            and noun.determiner
        ):
            return Noun(plural(called), "all", is_many=True)
        return _with(self._owned(noun, player), at)

    def _index(self, index: list[syntax.Expr], names: tuple[str, ...] = ()) -> list[Noun]:
        """Return the indexes as nouns; both parts of a pair are one, and a number has the noun of its set: `row 4`."""
        match index:
            case [syntax.Part(which=0) as one, syntax.Part(which=1) as two, *rest] if one.pair == two.pair:
                return [self.value(one.pair), *self._index(rest, names[2:])]
            case [one, *rest]:
                noun = self.value(one)
                if (
                    noun.figure is not None
                    and isinstance(one, syntax.Literal)
                    and names[:1]
                    and names[0] in self.model.sets
                ):
                    noun = one_of(self.nouns.of_set(names[0]), str(noun))
                return [noun, *self._index(rest, names[1:])]
            case _:
                return []

    def call(self, e: syntax.FunctionCall) -> Noun:
        function = self.model.functions[e.function]
        args = self.arguments(function.parameters, e.args)
        if says := self.model.view.says.get(e.function):
            return self.filled(says, {p.name: a for p, a in zip(function.parameters, args, strict=True)})
        owned = [a for a in args if self._is_player(a)][:1]
        rest = [self.value(a) for a in args if a not in owned]
        noun = self._owned(name(spaced(e.function)), owned[0] if owned else None)
        return _with(noun, f" for {listed(rest)}" if rest else "")

    def filled(self, says: str, holes: dict[str, syntax.Expr]) -> Noun:
        """Return the author's words for a value, filled in with its arguments."""
        return noun_of(says, self._given(holes))

    def said(self, says: str, holes: dict[str, syntax.Expr], holds: bool = True) -> Clause:
        """Return the author's words for a condition, filled in with its arguments; or that it does not hold."""
        return clause_of(says, self._given(holes), holds)

    def _given(self, holes: dict[str, syntax.Expr]) -> Given:
        """Return what is in each hole, put into words once: an author may repeat it. One that is too long has its name."""
        filled: dict[str, Noun] = {}

        def given(hole: str) -> Noun:
            if hole not in filled:
                found = self.value(holes[hole]) if hole in holes else name(hole)
                filled[hole] = found if len(str(found)) <= MOST_REPEATED else name(hole)
            return filled[hole]

        return given

    # gathering -------------------------------------------------------------------------------------------

    def told_apart(self, local: str, text: str) -> str:
        """Return the word for a local name; one that hides what the book calls by its name has a prime: n′."""
        hides = any(local in named for named in (self.model.variables, self.model.tables, self.model.functions))
        return f"{text}′" if hides else text

    def bound(self, local: str, domain: syntax.Expr, among: Sequence[str] = ()) -> tuple[Noun, ExpressionWords]:
        """Return the noun for a name that goes through a domain, and what the name is called then.

        It keeps its name if its sort is in sight already, or occurs twice `among` those of one loop.
        """
        item = domain.type.item if isinstance(domain.type, syntax.ListOf) else None
        sort, is_person = "", False
        if isinstance(domain, syntax.Range):
            pass
        elif item is not None:
            sort = self.nouns.of_type(item) or ("space" if isinstance(item, syntax.PlaceOf) else "")
            is_person = isinstance(item, syntax.Values) and item.home == "player"
        elif isinstance(domain.type, syntax.PlaceOf):
            sort = self.nouns.piece_on(domain.type.family)
        elif isinstance(domain.type, syntax.Several):
            sort = self.nouns.kinds(domain.type.kinds, many=False).sort or "kind"
        noun = one_of(sort, is_person=is_person)
        if sort and not self._is_in_sight(sort) and among.count(sort) < 2:
            return noun, replace(self, scope={**self.scope, local: noun.definite})
        noun = named(noun, self.told_apart(local, local))
        return noun, replace(self, scope={**self.scope, local: noun})

    def bindings(self, e: syntax.Aggregate) -> tuple[list[tuple[Noun, str]], ExpressionWords]:
        """Return (noun, where it comes from) for each name of a loop."""
        inner, found = self, []
        sorts_of_loop = [self.bound(local, domain)[0].sort for local, domain in e.bindings]
        for local, domain in e.bindings:
            source = inner.domain(domain)
            noun, inner = inner.bound(local, domain, among=sorts_of_loop)
            found.append((noun, source))
        return found, inner

    def domain(self, e: syntax.Expr) -> str:
        """Return where the things come from; empty if that is their whole set."""
        if self.is_whole_set(e):
            return ""
        if isinstance(e, syntax.Range):
            return f"from {self.value(e)}"
        if isinstance(e.type, syntax.PlaceOf):
            return self.on(e)
        return f"of {self.value(e).as_source}"

    def _gathered(self, e: syntax.Aggregate) -> Noun:
        bindings, inner = self.bindings(e)
        each = listed(f"each {noun} {source}".strip() for noun, source in bindings)
        many = listed(f"{noun.plural} {source}".strip() for noun, source in bindings)
        stop = f", as long as {inner.condition(e.stop)}" if e.stop is not None else ""
        whom = "whom" if bindings[-1][0].is_person else "which"
        which = f" for {whom} {inner.condition(e.where)}" if e.where is not None else ""
        itself = isinstance(e.body, syntax.Local) and e.body.name == e.bindings[-1][0] and len(e.bindings) == 1
        one = f"{bindings[0][0]} {bindings[0][1]}".strip()
        match e.op:
            case "count":
                body = e.body if e.where is None else syntax.Logic(syntax.YesNo(), "and", e.body, e.where)
                if len(bindings) > 1:
                    each = listed(f"{noun.indefinite} {source}".strip() for noun, source in bindings)
                    return number_of(f"combinations of {each} for which {inner.condition(body)}{stop}")
                return number_of(f"{many} for {whom} {inner.condition(body)}{stop}")
            case "sum":
                if isinstance(e.body, syntax.Literal) and e.body.value == 1:
                    return number_of(f"{many}{which}{stop}")
                if (first := self._first_entries(e)) is not None:
                    return first
                over = f"over all {many}{which}{stop}"
                comma = "," if len(over.split()) > 3 else ""
                return Noun(f"sum{comma} {over}{comma} of {inner.value(e.body, 1)}", "the")
            case "max" | "min":
                word = "largest" if e.op == "max" else "smallest"
                if itself:
                    return Noun(f"{word} {one}{which}{stop}", "the")
                return Noun(f"{word} of {inner.value(e.body, 1)} for {each}{which}{stop}", "the")
            case "first":
                if itself:
                    return Noun(f"first {one}{which}{stop}", "the")
                return Noun(f"{inner.value(e.body, 1)} for the first {one}{which}{stop}")
            case _:
                if itself:
                    return Noun(f"{many}{which}{stop}", "all", is_many=True)
                return Noun(f"{inner.value(e.body, 1)} for {each}{which}{stop}")

    def _first_entries(self, e: syntax.Aggregate) -> Noun | None:
        """Return the sum of the entries of a list up to a number, in fewer words."""
        (local, domain), body = e.bindings[0], e.body
        if len(e.bindings) > 1 or e.where is not None or e.stop is not None or not isinstance(body, syntax.TableRead):
            return None
        if not isinstance(domain, syntax.Range) or not isinstance(domain.lo, syntax.Literal) or domain.lo.value != 1:
            return None
        if len(body.index) != 1 or not isinstance(body.index[0], syntax.Local) or body.index[0].name != local:
            return None
        number = self.value(domain.hi)
        entries = f"entries of {em(spaced(body.table))}"
        if number.is_brief:
            return Noun(f"sum of the first {number} {entries}", "the")
        many = f"there are {number.counts}" if number.counts else str(number)
        return Noun(f"sum of as many of the first {entries} as {many}", "the")

    def _builtin(self, e: syntax.BuiltinCall) -> Noun:
        args = e.args
        match e.name:
            case "count":
                return number_of(f"{self.what(args)} {self.on_together(args[0])}")
            case "size":
                things = self.value(args[0])
                if things.is_many:
                    return number_of(things.words)
                item = args[0].type.item if isinstance(args[0].type, syntax.ListOf) else None
                sort = "space" if isinstance(item, syntax.PlaceOf) else self.nouns.of_type(item) if item else ""
                return number_of(f"{plural(sort)} of {things}" if sort and not things.is_list else things)
            case "free":
                return number_of(f"free spaces {self.on_together(args[0])}")
            case "piece":
                return Noun(f"{self.nouns.piece_on(family_of(args[0]))} {self.on(args[0])}", "the")
            case "next" | "previous":
                side, word = ("after", "next") if e.name == "next" else ("before", "previous")
                sort, of = self.nouns.of_type(e.type), self.value(args[0])
                return Noun(f"{word} {sort}", "the") if of.is_the(sort) else one_of(sort, f"{side} {of}", "the")
            case "clockwise":
                everybody = plural(self.nouns.player)
                return Noun(f"{everybody} clockwise from {self.value(args[0])}", "all", is_many=True)
            case "ray":
                return Noun(f"spaces beyond {self.value(args[0])} going {self.value(args[1])}", "the", is_many=True)
            case _:
                word = "largest" if e.name == "max" else "smallest"
                if len(args) == 2:
                    word = "larger" if e.name == "max" else "smaller"
                return Noun(f"{word} of {listed(self.value(a) for a in args)}", "the")

    def what(self, args: tuple[syntax.Expr, ...]) -> Noun:
        """Return the pieces that a count counts."""
        first = args[0].type
        on = (
            self.nouns.kinds(first.kinds)
            if isinstance(first, syntax.Several)
            else self.nouns.pieces_on(family_of(args[0]))
        )
        return on if len(args) == 1 else self.kinds(args[1], on)

    def kinds(self, e: syntax.Expr, pieces: Noun) -> Noun:
        """Return pieces of these kinds: `beads`, `beads of the colour`."""
        if isinstance(e, syntax.Literal):
            codes = e.value if isinstance(e.value, tuple) else (e.value,)
            if self.is_whole_set(e) and isinstance(e.type, syntax.ListOf) and isinstance(e.type.item, syntax.Values):
                return sorts([self.nouns.pieces_of(e.type.item.home)])
            if codes != (syntax.NONE,):
                return self.nouns.kinds(codes)
        same = pieces.sort == self.nouns.of_type(e.type)  # not `colours of the colour`
        return Noun(f"{'pieces' if pieces.is_list or same else pieces} of {self.value(e)}", is_many=True)

    def condition(self, e: syntax.Expr, holds: bool = True) -> Clause:
        """Return a clause that is true if the condition holds, or if it does not."""
        return clauses.condition(self, e, holds)

    # texts -----------------------------------------------------------------------------------------------

    def template(self, template: syntax.Template) -> str:
        """Return a text of the author, with names for the values it shows in play."""
        out = []
        for part in template.parts:
            if isinstance(part, str):
                out.append(part)
            elif isinstance(part, syntax.Literal) and isinstance(part.value, int):
                out.append(str(self.value(part)))
            else:
                noun = self.value(part)
                out.append(em("your own number" if noun.is_you else plain_words(noun.words)))
        return "".join(out)


def _bracketed(text: object, needs: bool) -> Noun:
    """Return a computed value, in brackets if it needs them."""
    return Noun(f"({text})") if needs else text if isinstance(text, Noun) else Noun(str(text))


def _with(noun: Noun, more: str) -> Noun:
    """Return a noun with what tells it from others behind it."""
    return replace(noun, words=noun.words + more, is_brief=False) if more else noun
