"""Expressions in words: values as nouns, conditions as clauses. It knows the language, and no game."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from referee.rulebook import clauses
from referee.rulebook.book import em
from referee.rulebook.grammar import article, plural, second_person
from referee.rulebook.nouns import Nouns, bare, family_of, spaced
from rulespec import Model, listed, syntax

_TIGHT = {"+": 1, "-": 1, "*": 2, "/": 2, "mod": 2}
_SIGNS = {"+": "+", "-": "−", "*": "×", "/": "/"}
_HOLE = re.compile(r"\{(\w+)\}('s)?")

_PLAYERS = syntax.number(1, 20)  # the type of `players`, which depends on how many play


def _is_open(e: syntax.Expr) -> bool:
    """Return whether the words for a number end with something that an operator after them would seem to belong to."""
    if isinstance(e, syntax.BuiltinCall):
        return e.name in ("max", "min") or (e.name == "size" and not isinstance(e.args[0], syntax.Literal))
    return isinstance(e, syntax.Aggregate)


LocalNames = dict[str, str]  # local name → what it is called


@dataclass(frozen=True, slots=True)
class ExpressionWords:
    """Says what expressions mean, with the local names of one rule."""

    model: Model
    nouns: Nouns
    scope: LocalNames

    def within(self, names: list[tuple[str, str]]) -> ExpressionWords:
        """Return the same with more local names: (name, noun). Two with the same noun keep their names."""
        scope = dict(self.scope)
        nouns = [noun for _, noun in names]
        for name, noun in names:
            alone = noun and nouns.count(noun) == 1 and f"the {noun}" not in scope.values()
            scope[name] = f"the {noun}" if alone else f"{noun} {em(name)}".strip()
        return replace(self, scope=scope)

    def given(
        self, parameters: tuple[syntax.Parameter, ...], choices: tuple[syntax.Choice, ...] = (), me: bool = False
    ) -> ExpressionWords:
        """Return the same with the parameters and choices of a rule."""
        inside = replace(self, scope={**self.scope, "me": "you"}) if me else self
        names = [(p.name, self._noun(p.type, p.set)) for p in parameters]
        names += [(c.name, "" if isinstance(c.type, syntax.Several) else self._noun(c.type, "")) for c in choices]
        inside = inside.within(names)
        chosen = {
            c.name: f"the chosen {self.nouns.pieces_on(family_of(c.source))}" for c in choices if c.source is not None
        }
        return replace(inside, scope={**inside.scope, **chosen})

    def _noun(self, t: syntax.Type, name: str) -> str:
        if name in self.model.sets:
            return self.nouns.of_set(name)
        return self.nouns.of_type(t)

    # values ----------------------------------------------------------------------------------------------

    def value(self, e: syntax.Expr, tight: int = 0) -> str:
        """Return a number, member, place or list as a noun. `tight` is how strongly the operator around it binds."""
        match e:
            case syntax.Literal():
                return self._const(e)
            case syntax.Local():
                return self.scope.get(e.name) or em(spaced(e.name))
            case syntax.Conditional():
                text = self._by_case(e)
                return f"({text})" if tight else text
            case syntax.Let():
                inner = replace(self, scope={**self.scope, e.name: em(e.name)})
                body = inner.value(e.body)
                text = f"{body}, where {em(e.name)} is {self.value(e.value)}"
                return f"({text})" if tight else text
            case syntax.Default():
                return f"{self.value(e.value, 1)} ({self.value(e.other)} if there is none)"
            case syntax.Range():
                return f"{self.value(e.lo)} to {self.value(e.hi)}"
            case syntax.Arithmetic():
                return self._arithmetic(e, tight)
            case syntax.Items():
                return listed((self.value(i) for i in e.items), "or") or "nothing"
            case syntax.TableRead():
                return self.read(e.table, e.index)
            case syntax.VariableRead():
                return self.read(e.variable, e.index)
            case syntax.Part():
                part = self.nouns.of_set(self.model.sets[e.set].parts[e.which])
                return f"the {part} of {self.value(e.pair)}"
            case syntax.PlaceAt() | syntax.Places():
                return self.place(e)
            case syntax.Aggregate() if not isinstance(e.type, syntax.YesNo):
                return self._gathered(e)
            case syntax.ConnectedGroup():
                along = self.value(e.along)
                inner = replace(self, scope={**self.scope, e.name: "the space"})
                start = self.value(e.start)
                return f"the spaces connected with {start}, going {along}, for which {inner.condition(e.where)}"
            case syntax.BuiltinCall() if not isinstance(e.type, syntax.YesNo):
                return self._builtin(e)
            case syntax.FunctionCall() if not isinstance(e.type, syntax.YesNo):
                return self.call(e)
            case _:
                return f"whether {self.condition(e)}"

    def _by_case(self, e: syntax.Conditional) -> str:
        """Return each value with its condition, and what holds otherwise."""
        cases = [f"{self.value(e.then, 1)} if {self.condition(e.test)}"]
        other = e.other
        while isinstance(other, syntax.Conditional):
            cases.append(f"{self.value(other.then, 1)} if {self.condition(other.test)}")
            other = other.other
        mark = "," if len(cases) == 1 else ";"
        return f"{f'{mark} '.join(cases)}{mark} otherwise {self.value(other)}"

    def _const(self, e: syntax.Literal) -> str:
        if isinstance(e.type, syntax.YesNo):
            return "yes" if e.value else "no"
        if e.type == _PLAYERS and e.value == self.model.players:
            return "the number of players"
        if isinstance(e.value, tuple):
            item = e.type.item if isinstance(e.type, syntax.ListOf) else e.type
            home = item.home if isinstance(item, syntax.Values) else ""
            if home in self.model.sets and self.model.sets[home].values == e.value:
                return plural(self.nouns.of_set(home)) if home != "player" else "the players"
            return listed((self.nouns.value(v, item) for v in e.value), "or") or "nothing"
        return self.nouns.value(e.value, e.type)

    def _arithmetic(self, e: syntax.Arithmetic, tight: int) -> str:
        if e.op == "-" and isinstance(e.left, syntax.Literal) and e.left.value == 0:
            text = f"minus {self.value(e.right, 2)}"
            return f"({text})" if tight > 1 else text
        if isinstance(e.left, syntax.Literal) and isinstance(e.right, syntax.Literal) and e.op in "+-*":
            a, b = e.left.value, e.right.value
            by_players = _PLAYERS in (e.left.type, e.right.type)
            if isinstance(a, int) and isinstance(b, int) and not by_players:
                return str({"+": a + b, "-": a - b, "*": a * b}[e.op])
        binds = _TIGHT[e.op]
        left, right = self.value(e.left, binds), self.value(e.right, binds + 1)
        left = f"({left})" if _is_open(e.left) else left
        right = f"({right})" if tight and _is_open(e.right) else right
        if e.op == "mod":
            text = f"the remainder of {left} divided by {right}"
            return f"({text})" if tight else text
        text = f"{left} {_SIGNS[e.op]} {right}" + (" (rounded down)" if e.op == "/" else "")
        return f"({text})" if tight > binds else text

    def read(self, name: str, index: tuple[syntax.Expr, ...]) -> str:
        """Return a variable or an entry of a table as a noun."""
        if says := self.model.view.says.get(name):
            owner = self.model.variables.get(name)
            holes = dict(zip(owner.index, index, strict=True)) if owner else {}
            return self.filled(says, holes)
        owned = [e for e in index if self._is_player(e)]
        rest = self._index([e for e in index if e not in owned])
        text = self._owned(em(spaced(name)), owned[0] if owned else None, "")
        return text + (f" of {listed(rest)}" if rest else "")

    def _is_player(self, e: syntax.Expr) -> bool:
        return isinstance(e.type, syntax.Values) and e.type.home == "player"

    def _owned(self, noun: str, player: syntax.Expr | None, the: str = "the ") -> str:
        """Return `your pot`, `the player's pot`, `the pot of the player after you`."""
        if player is None:
            return the + noun
        who = self.value(player)
        if who == "you":
            return f"your {noun}"
        return f"{who}’s {noun}" if len(who.split()) <= 3 else f"the {noun} of {who}"

    def on(self, e: syntax.Expr) -> str:
        """Return where pieces are: in a pile, on a stack or a space, among chosen ones."""
        if isinstance(e.type, syntax.Several):
            return f"among {self.value(e)}"
        family = family_of(e)
        inside = family in self.model.places and self.model.places[family].shape == "pile"
        return f"{'in' if inside else 'on'} {self.place(e)}"

    def place(self, e: syntax.Expr) -> str:
        """Return a place, or a list of places, as a noun."""
        if not isinstance(e, syntax.PlaceAt | syntax.Places):
            return self.value(e)
        place = self.model.places[e.family]
        name = self.nouns.place(place)
        given = dict(zip(place.index, e.index, strict=False))
        player = given.pop("player", None)
        rest = list(given.values())
        name, rest = (short, []) if (short := self._named_by(name, rest)) else (name, rest)
        if player is None and "player" in place.index:
            return f"every player’s {name}" + self._at(rest)
        if len(e.index) < len(place.index) and not rest and player is None and place.shape != "cell":
            return f"all {plural(name)}"
        return self._owned(name, player) + self._at(rest)

    def _at(self, index: list[syntax.Expr]) -> str:
        return f" at {listed(self._index(index))}" if index else ""

    def _index(self, index: list[syntax.Expr]) -> list[str]:
        """Return the indexes as nouns; both parts of a pair are one."""
        match index:
            case [syntax.Part(which=0) as one, syntax.Part(which=1) as two, *rest] if one.pair == two.pair:
                return [self.value(one.pair), *self._index(rest)]
            case [one, *rest]:
                return [self.value(one), *self._index(rest)]
            case _:
                return []

    def _named_by(self, name: str, index: list[syntax.Expr]) -> str:
        """Return `line 3` for the place `line` at line 3, where the index is enough."""
        text = bare(self.value(index[0])) if len(index) == 1 else ""
        first, _, rest = text.partition(" ")
        return f"{name} {rest}".strip() if first and first == name.split(" ")[-1] else ""

    def call(self, e: syntax.FunctionCall) -> str:
        function = self.model.functions[e.function]
        says = self.model.view.says.get(e.function)
        if says:
            return self.filled(says, {p.name: a for p, a in zip(function.parameters, e.args, strict=True)})
        owned = [a for a in e.args if self._is_player(a)][:1]
        rest = [self.value(a) for a in e.args if a not in owned]
        text = self._owned(em(spaced(e.function)), owned[0] if owned else None, "")
        return text + (f" for {listed(rest)}" if rest else "")

    def filled(self, says: str, holes: dict[str, syntax.Expr]) -> str:
        """Return the author's words for a name, filled in with its arguments."""

        def hole(m: re.Match[str]) -> str:
            found = holes.get(m[1])
            text = self.value(found) if found is not None else em(m[1])
            if m[2]:
                return "your" if text == "you" else f"{text}’s"
            return text

        text = re.sub(r"(your|’s) (?:the|a|an) ", r"\1 ", _HOLE.sub(hole, says))
        return re.sub(
            r"^you (\w+)", lambda m: f"you {second_person(m[1])}", text
        )  # the author wrote about a third person

    # gathering -------------------------------------------------------------------------------------------

    def bound(self, name: str, domain: syntax.Expr) -> tuple[str, ExpressionWords]:
        """Return the noun for a name that goes through a domain, and what the name is called then."""
        item = domain.type.item if isinstance(domain.type, syntax.ListOf) else None
        noun = ""
        if isinstance(domain, syntax.Range):
            noun = ""
        elif item is not None:
            noun = self.nouns.of_type(item) or ("space" if isinstance(item, syntax.PlaceOf) else "")
        elif isinstance(domain.type, syntax.PlaceOf):
            noun = self.nouns.piece_on(domain.type.family)
        elif isinstance(domain.type, syntax.Several):
            noun = self.nouns.kinds(domain.type.kinds, many=False)
            noun = noun if " or " not in noun else "kind"
        if noun and f"the {noun}" in self.scope.values():
            noun = f"{noun} {em(name)}"
            return noun, replace(self, scope={**self.scope, name: noun})
        if not noun:
            return em(name), replace(self, scope={**self.scope, name: em(name)})
        return noun, replace(self, scope={**self.scope, name: f"the {noun}"})

    def bindings(self, e: syntax.Aggregate) -> tuple[list[tuple[str, str]], ExpressionWords]:
        """Return (noun, where it comes from) for each name of a loop."""
        inner, found = self, []
        for name, domain in e.bindings:
            source = inner.domain(domain)
            noun, inner = inner.bound(name, domain)
            found.append((noun, source))
        return found, inner

    def domain(self, e: syntax.Expr) -> str:
        """Return where the things come from; empty if that is their whole set."""
        if isinstance(e, syntax.Literal) and isinstance(e.value, tuple):
            item = e.type.item if isinstance(e.type, syntax.ListOf) else e.type
            home = item.home if isinstance(item, syntax.Values) else ""
            if home in self.model.sets and self.model.sets[home].values == e.value:
                return ""
            return f"of {self._const(e)}"
        if isinstance(e, syntax.Range):
            return f"from {self.value(e)}"
        if isinstance(e.type, syntax.PlaceOf):
            return self.on(e)
        return f"of {self.value(e)}"

    def _gathered(self, e: syntax.Aggregate) -> str:
        bindings, inner = self.bindings(e)
        each = listed(f"each {noun} {source}".strip() for noun, source in bindings)
        many = listed(f"{plural(noun)} {source}".strip() for noun, source in bindings)
        where = inner.condition(e.where) if e.where is not None else ""
        stop = f", as long as {inner.condition(e.stop)}" if e.stop is not None else ""
        which = f" for {'whom' if bindings[-1][0] == 'player' else 'which'} {where}" if where else ""
        itself = isinstance(e.body, syntax.Local) and e.body.name == e.bindings[-1][0] and len(e.bindings) == 1
        one = f"{bindings[0][0]} {bindings[0][1]}".strip()
        match e.op:
            case "count":
                body = e.body if e.where is None else syntax.Logic(syntax.YesNo(), "and", e.body, e.where)
                both = inner.condition(body)
                what = (
                    many
                    if len(bindings) == 1
                    else f"combinations of {listed(f'{article(n)} {s}'.strip() for n, s in bindings)}"
                )
                of = "whom" if what == plural("player") else "which"
                return f"the number of {what} for {of} {both}{stop}"
            case "sum":
                if isinstance(e.body, syntax.Literal) and e.body.value == 1:
                    return f"the number of {many}{which}{stop}"
                if first := self._first_entries(e):
                    return first
                over = f"over all {many}{which}{stop}"
                comma = "," if len(over.split()) > 3 else ""
                return f"the sum{comma} {over}{comma} of {inner.value(e.body, 1)}"
            case "max" | "min":
                word = "largest" if e.op == "max" else "smallest"
                if itself:
                    return f"the {word} {one}{which}{stop}"
                return f"the {word} of {inner.value(e.body, 1)} for {each}{which}{stop}"
            case "first":
                if itself:
                    return f"the first {one}{which}{stop}"
                return f"{inner.value(e.body, 1)} for the first {one}{which}{stop}"
            case _:
                if itself:
                    return f"all {many}{which}{stop}"
                return f"{inner.value(e.body, 1)} for {each}{which}{stop}"

    def _first_entries(self, e: syntax.Aggregate) -> str:
        """Return the sum of the entries of a list up to a number, in fewer words."""
        (name, domain), body = e.bindings[0], e.body
        if len(e.bindings) > 1 or e.where is not None or e.stop is not None or not isinstance(body, syntax.TableRead):
            return ""
        if not isinstance(domain, syntax.Range) or not isinstance(domain.lo, syntax.Literal) or domain.lo.value != 1:
            return ""
        if len(body.index) != 1 or not isinstance(body.index[0], syntax.Local) or body.index[0].name != name:
            return ""
        number = self.value(domain.hi)
        table = em(spaced(body.table))
        if number.startswith("the number of "):
            return (
                f"the first entries of {table} added up, as many as there are {number.removeprefix('the number of ')}"
            )
        return f"the first {number} entries of {table} added up"

    def _builtin(self, e: syntax.BuiltinCall) -> str:
        args = e.args
        match e.name:
            case "count":
                return f"the number of {self.what(args)} {self.on(args[0])}"
            case "size":
                if isinstance(args[0], syntax.ConnectedGroup):
                    return "the number of " + self.value(args[0]).removeprefix("the ")
                text = self.value(args[0])
                return f"the number of {text.removeprefix('all ')}"
            case "free":
                return f"the number of free spaces {self.on(args[0])}"
            case "piece":
                return f"the {self.nouns.piece_on(family_of(args[0]))} {self.on(args[0])}"
            case "next" | "previous":
                side, word = ("after", "next") if e.name == "next" else ("before", "previous")
                noun, of = self.nouns.of_type(e.type), self.value(args[0])
                return f"the {word} {noun}" if of == f"the {noun}" else f"the {noun} {side} {of}"
            case "clockwise":
                return f"all players clockwise from {self.value(args[0])}"
            case "ray":
                return f"the spaces beyond {self.value(args[0])} going {self.value(args[1])}"
            case _:
                word = "largest" if e.name == "max" else "smallest"
                if len(args) == 2:
                    word = "larger" if e.name == "max" else "smaller"
                return f"the {word} of {listed(self.value(a) for a in args)}"

    def what(self, args: tuple[syntax.Expr, ...]) -> str:
        """Return the pieces that a count counts."""
        first = args[0].type
        on = (
            self.nouns.kinds(first.kinds)
            if isinstance(first, syntax.Several)
            else self.nouns.pieces_on(family_of(args[0]))
        )
        if len(args) == 1:
            return on
        return self.kinds(args[1], on)

    def kinds(self, e: syntax.Expr, pieces: str, many: bool = True) -> str:
        """Return pieces of these kinds: `beads`, `beads of the colour`."""
        if isinstance(e, syntax.Literal):
            codes = e.value if isinstance(e.value, tuple) else (e.value,)
            if isinstance(e.value, tuple) and self.domain(e) == "" and isinstance(e.type, syntax.ListOf):
                home = e.type.item.home if isinstance(e.type.item, syntax.Values) else ""
                noun = self.nouns.pieces_of(home)
                return plural(noun) if many else noun
            if codes != (syntax.NONE,):
                return self.nouns.kinds(codes, many)
        if " and " in pieces or "," in pieces or pieces == plural(self.nouns.of_type(e.type)):
            pieces = "pieces"
        return f"{pieces} of {self.value(e)}"

    def condition(self, e: syntax.Expr, holds: bool = True) -> str:
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
                out.append(self.value(part))
            else:
                text = bare(self.value(part).replace("\x01", "").replace("\x02", ""))
                out.append(em("your own number" if text == "you" else text))
        return "".join(out)
