"""The touches of a move: the places and pieces at a table that its choices stand for, derived from the checked rules.

The conditions and steps of a move name places by its choices: `line[me, t]`, `c in box[s]`. Each place whose indexes are worked
out from `me`, from what the move is given and from its choices is a reference; for a position and a legal move, references
become places, or the pieces of one kind on a place. What conditions say counts before steps, a choice itself before a table
of it. So a player can choose a move by pointing, and the rules need not say how.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Any

from interpreter.layout import Layout, lies
from interpreter.sight.view import is_seen
from rulespec import syntax
from rulespec.syntax import NONE, Expr, Model, MoveRule, Place, PlaceOf, Several, Step

MOST_WORK = 20_000  # expressions that are looked at for one move
MOST_KEPT = 20_000  # moves whose touches are kept
DEEPEST = 40  # definitions and steps inside each other


@dataclass(frozen=True, slots=True)
class Pointed:
    """A place, or the pieces of one kind on it, and the number of the earliest choice that stands for it."""

    family: str
    index: tuple[int, ...]
    kind: int | None
    rank: int
    count: int = 0  # of pieces that are chosen together; 0: the choice is of the kind


@dataclass(frozen=True, slots=True)
class _Possible:
    """The places a move touches if a piece of a kind, or for None any piece, lies there; without a number in any case."""

    touch: Pointed
    number: int | None = None
    kind: int | None = None


@dataclass(frozen=True, slots=True)
class _Reference:
    """A place that rules name: its indexes and a kind, worked out from the names of a move; None: any."""

    family: str
    index: tuple[Expr | None, ...]
    kind: Expr | None = None


@dataclass(frozen=True, slots=True)
class _Found:
    reference: _Reference
    in_steps: bool


_Named = Expr | _Reference | None  # what a local name stands for; None: one of several values
_Names = Mapping[str, _Named]


class Touches:
    """Finds what the moves of one game touch. What does not depend on the position is worked out once for each move."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._means = {
            drawn.means: model.places[name]
            for name, drawn in model.view.layout.items()
            if drawn.means is not None and name in model.places
        }
        self._references = lru_cache(maxsize=None)(self._derive)
        self._possible = lru_cache(maxsize=MOST_KEPT)(self._find_possible)

    def of(
        self, layout: Layout, vector: tuple[int, ...], name: str, me: int, given: tuple[Any, ...], args: tuple[Any, ...]
    ) -> list[Pointed]:
        """Return what a legal move touches, things of the first choice first."""
        found: dict[tuple[str, tuple[int, ...], int | None], Pointed] = {}
        pieces = False
        for possible in self._possible(name, me, tuple(v if isinstance(v, int) else NONE for v in given), args):
            touch = possible.touch
            if possible.number is not None and not lies(layout, vector, touch.family, possible.number, possible.kind):
                continue
            found.setdefault((touch.family, touch.index, touch.kind), touch)
            pieces = pieces or touch.kind is not None
        if not pieces:
            return [*found.values()]
        places = {(t.family, t.index) for t in found.values() if t.kind is not None}
        return [t for t in found.values() if t.kind is not None or (t.family, t.index) not in places]

    # one move ----------------------------------------------------------------------------------------------

    def _find_possible(
        self, name: str, me: int, given: tuple[int, ...], args: tuple[Any, ...]
    ) -> tuple[_Possible, ...]:
        """Return what a move touches in any position, in the order of its choices."""
        move = self.model.moves[name]
        names: dict[str, Any] = {"me": me, **dict(zip((p.name for p in move.given), given, strict=True))}
        names |= dict(zip((c.name for c in move.choices), args, strict=True))
        found = [p for reference, rank in self._references(name) for p in self._at(reference, names, me, rank)]
        for rank, (choice, value) in enumerate(zip(move.choices, args, strict=True)):
            sure: list[Pointed] = []
            if isinstance(choice.type, Several):
                sure = [*self._several(choice, value, names, me, rank)]
            elif value in self._means:
                place = self._means[value]
                if all(n == "player" for n in place.index):
                    sure = [Pointed(place.name, tuple(me for _ in place.index), None, rank)]
            keys = {(t.family, t.index, t.kind) for t in sure}
            found = [p for p in found if (p.touch.family, p.touch.index, p.touch.kind) not in keys]
            found += map(_Possible, sure)
        return tuple(sorted(found, key=lambda p: (p.touch.rank, p.touch.family, p.touch.index, p.touch.kind or 0)))

    def _at(self, reference: _Reference, names: dict[str, Any], me: int, rank: int) -> Iterator[_Possible]:
        """Yield the places that a reference may stand for."""
        place = self.model.places[reference.family]
        values = [None if e is None else self._value(e, names) for e in reference.index]
        kind = None if reference.kind is None else self._value(reference.kind, names)
        if reference.kind is not None and kind is None:
            return
        domains = [
            codes if e is None else tuple(c for c in codes if c == value)
            for codes, e, value in zip(place.index_values, reference.index, values, strict=True)
        ]
        for index in product(*domains):
            if kind is None:
                yield _Possible(Pointed(place.name, index, None, rank))
            elif is_seen(place, index, me):
                yield _Possible(Pointed(place.name, index, kind, rank), _number(place, index), kind)
            elif None not in reference.index:
                yield _Possible(Pointed(place.name, index, None, rank), _number(place, index))

    def _several(
        self, choice: syntax.Choice, value: tuple[int, ...], names: dict[str, Any], me: int, rank: int
    ) -> Iterator[Pointed]:
        """Yield pieces that are chosen together, each kind with its number."""
        assert isinstance(choice.type, Several)
        source = None if choice.source is None else self._place(choice.source, _own_names(names))
        if source is None:
            return
        values = [None if e is None else self._value(e, names) for e in source.index]
        index = tuple(v for v in values if v is not None)
        if len(index) < len(values) or not is_seen(self.model.places[source.family], index, me):
            return
        for kind, n in zip(choice.type.kinds, value, strict=True):
            if n:
                yield Pointed(source.family, index, kind, rank, n)

    def _value(self, e: Expr, names: Mapping[str, Any]) -> int | None:
        """Return the value of an expression over the names of a move; None: it has none."""
        match e:
            case syntax.Literal():
                return e.value if isinstance(e.value, int) else None
            case syntax.Local():
                value = names.get(e.name)
                return value if isinstance(value, int) and value != NONE else None
            case syntax.Part():
                pair = self._value(e.pair, names)
                parts = self.model.pair_parts.get(pair) if pair is not None else None
                return None if parts is None else parts[e.which]
            case syntax.PlacePart(place=syntax.CodedPlace(type=PlaceOf(family=family)) as place):
                one, every = self._value(place.code, names), self.model.place_codes[family]
                if one is None or one not in every:
                    return None
                return self.model.places[family].index_of(every.index(one))[e.which]
            case syntax.TableRead():
                table, at = self.model.tables[e.table], 0
                for codes, inner in zip(table.index, e.index, strict=True):
                    code = self._value(inner, names)
                    if code not in codes:
                        return None
                    at = at * len(codes) + codes.index(code)
                found = table.entries[at]
                return found if isinstance(found, int) and found != NONE else None
            case _:
                return None

    # once for each move ----------------------------------------------------------------------------------

    def _derive(self, name: str) -> tuple[tuple[_Reference, int], ...]:
        """Return the references of a move that its choices stand for, each with the number of its earliest choice."""
        move = self.model.moves[name]
        choices = {c.name: i for i, c in enumerate(move.choices) if not isinstance(c.type, Several)}
        sources = frozenset(self._sources(move.does, DEEPEST))
        found = {f: None for f in self._found(move, sources) if _choices_in(f.reference) & choices.keys()}
        best: dict[str, int] = {}
        for f in found:
            for choice in _choices_in(f.reference) & choices.keys():
                best[choice] = min(best.get(choice, 9), _level(f, choice))
        kept: dict[_Reference, int] = {}
        for f in found:
            own = _choices_in(f.reference) & choices.keys()
            if any(_level(f, choice) == best[choice] for choice in own):
                kept.setdefault(f.reference, min(choices[choice] for choice in own))
        return tuple(kept.items())

    def _found(self, move: MoveRule, sources: frozenset[str]) -> Iterator[_Found]:
        """Yield every place that a move names by what it is given, conditions first."""
        names = [c.name for c in move.choices if not isinstance(c.type, Several)]
        own: _Names = _own_names(["me", *(p.name for p in move.given), *names])
        walk = _Walk(self, sources)
        for choice in move.choices:
            for e in (choice.domain, choice.source):
                if e is not None and not isinstance(choice.type, Several):
                    yield from (_Found(r, False) for r in walk.expression(e, own, DEEPEST))
        for condition in move.conditions:
            yield from (_Found(r, False) for r in walk.expression(condition.that, own, DEEPEST))
        yield from (_Found(r, True) for r in walk.steps(move.does, own, DEEPEST))

    def _sources(self, steps: tuple[Step, ...], deep: int) -> Iterator[str]:
        """Yield the families that steps take pieces from."""
        for step in syntax.all_steps(steps):
            if isinstance(step, syntax.MoveStep | syntax.DrawStep):
                match step.source.type:
                    case syntax.PlaceOf(family=family) | syntax.ListOf(item=syntax.PlaceOf(family=family)):
                        yield family
            elif isinstance(step, syntax.DoStep) and deep:
                yield from self._sources(self.model.procedures[step.name].body, deep - 1)

    def _place(self, e: Expr, names: _Names) -> _Reference | None:
        """Return the reference that an expression for a place is; None: it says too little."""
        match e:
            case syntax.Local():
                named = names.get(e.name)
                return named if isinstance(named, _Reference) else None
            case syntax.PlaceAt():
                return _Reference(e.family, tuple(_term(i, names) for i in e.index))
            case syntax.CodedPlace(type=PlaceOf(family=family)):
                code = _term(e.code, names)
                known = None if code is None else replace(e, code=code)
                parts = range(len(self.model.places[family].index))
                return _Reference(family, tuple(known and syntax.PlacePart(e.type, known, i) for i in parts))
            case _:
                return None


class _Walk:
    """Walks through what a move is made of, with names that stand for its choices."""

    def __init__(self, touches: Touches, sources: frozenset[str]) -> None:
        self.touches = touches
        self.model = touches.model
        self.sources = sources
        self.left = MOST_WORK

    def expression(self, e: Expr, names: _Names, deep: int) -> Iterator[_Reference]:
        """Yield the places that an expression names."""
        self.left -= 1
        if self.left < 0 or not deep:
            return
        match e:
            case syntax.In():
                yield from self._kind(e.domain, e.item, names)
                yield from self.expression(e.item, names, deep)
            case syntax.BuiltinCall(name="count", args=(place, kind)):
                yield from self._kind(place, kind, names)
                yield from self.expression(kind, names, deep)
            case syntax.Compare(op="=", left=syntax.BuiltinCall(name="piece", args=(place,)), right=kind):
                yield from self._kind(place, kind, names)
            case syntax.Compare(op="=", right=syntax.BuiltinCall(name="piece", args=(place,)), left=kind):
                yield from self._kind(place, kind, names)
            case syntax.PlaceAt() | syntax.Local() | syntax.CodedPlace():
                if isinstance(e, syntax.PlaceAt):
                    for index in e.index:
                        yield from self.expression(index, names, deep)
                yield from self._whole(e, names)
            case syntax.Let():
                yield from self.expression(e.value, names, deep)
                yield from self.expression(e.body, {**names, e.name: self._bound(e.value, names)}, deep)
            case syntax.Aggregate():
                inner = dict(names)
                for name, domain in e.bindings:
                    yield from self.expression(domain, inner, deep)
                    inner[name] = None
                for inside in (e.body, e.where, e.stop):
                    if inside is not None:
                        yield from self.expression(inside, inner, deep)
            case syntax.ConnectedGroup():
                yield from self.expression(e.start, names, deep)
                yield from self.expression(e.where, {**names, e.name: None}, deep)
            case syntax.FunctionCall():
                for argument in e.args:
                    if not isinstance(argument.type, syntax.PlaceOf):
                        yield from self.expression(argument, names, deep)
                function = self.model.functions[e.function]
                given = {p.name: self._bound(a, names) for p, a in zip(function.parameters, e.args, strict=True)}
                yield from self.expression(function.body, given, deep - 1)
            case _:
                for inside in syntax.children(e):
                    yield from self.expression(inside, names, deep)

    def steps(self, steps: tuple[Step, ...], names: _Names, deep: int) -> Iterator[_Reference]:
        """Yield the places that steps move pieces from and to."""
        inner = dict(names)
        for step in steps if deep else ():
            match step:
                case syntax.MoveStep():
                    kinds = step.amount.kinds
                    if kinds is not None:
                        yield from self._kind(step.source, kinds, inner)
                    else:
                        yield from self._whole(step.source, inner)
                    for goal in step.goals:
                        yield from self._whole(goal.place, inner)
                case syntax.DrawStep():
                    for goal in step.goals:
                        yield from self._whole(goal.place, inner)
                case syntax.LetStep():
                    inner[step.name] = self._bound(step.value, inner)
                case syntax.RollStep():
                    inner[step.name] = None
                case syntax.DoStep():
                    procedure = self.model.procedures[step.name]
                    given = {
                        p.name: self._bound(a, inner) for p, a in zip(procedure.parameters, step.args, strict=True)
                    }
                    yield from self.steps(procedure.body, given, deep - 1)
                case syntax.ForStep():
                    yield from self.steps(step.body, {**inner, step.name: None}, deep)
                case syntax.IfStep() | syntax.WhileStep():
                    for body in syntax.inner_steps(step):
                        yield from self.steps(body, inner, deep)
                case _:
                    pass

    def _bound(self, e: Expr, names: _Names) -> _Named:
        """Return what a name for this expression stands for."""
        if isinstance(e.type, syntax.PlaceOf):
            return self.touches._place(e, names)
        return _term(e, names)

    def _whole(self, e: Expr, names: _Names) -> Iterator[_Reference]:
        """Yield a place, unless one of its indexes goes through a set."""
        reference = self.touches._place(e, names)
        if reference is not None and None not in reference.index:
            yield reference

    def _kind(self, place: Expr, kind: Expr, names: _Names) -> Iterator[_Reference]:
        """Yield the pieces of a kind on a place, where the move takes pieces from it; else the place."""
        reference = self.touches._place(place, names)
        term = _term(kind, names)
        if reference is None:
            return
        if term is None or isinstance(term, syntax.Literal):
            yield from self._whole(place, names)
        elif reference.family in self.sources:
            yield replace(reference, kind=term)


def _term(e: Expr, names: _Names) -> Expr | None:
    """Return an expression over the names of the move; None where it is not known from these alone."""
    match e:
        case syntax.Literal():
            return e if isinstance(e.value, int) else None
        case syntax.Local():
            named = names.get(e.name)
            return None if isinstance(named, _Reference) else named
        case syntax.Part():
            pair = _term(e.pair, names)
            return None if pair is None else replace(e, pair=pair)
        case syntax.PlacePart(place=syntax.CodedPlace() as place):
            code = _term(place.code, names)
            return None if code is None else replace(e, place=replace(place, code=code))
        case syntax.TableRead():
            index = tuple(_term(i, names) for i in e.index)
            return None if None in index else replace(e, index=tuple(i for i in index if i is not None))
        case _:
            return None


def _own_names(names: Mapping[str, Any] | list[str]) -> _Names:
    return {name: syntax.Local(syntax.Unknown(), name) for name in names}


def _choices_in(reference: _Reference) -> frozenset[str]:
    """Return the names that a reference depends on."""
    inside = [e for e in (*reference.index, reference.kind) if e is not None]
    return frozenset(e.name for e in syntax.each_expression(inside) if isinstance(e, syntax.Local))


def _level(found: _Found, choice: str) -> int:
    """Return how directly a choice stands for something: 0 in a condition, 2 in a step; 1 more through a table."""
    inside = [e for e in (*found.reference.index, found.reference.kind) if e is not None]
    direct = any(_is_choice(e, choice) for e in inside)
    return (2 if found.in_steps else 0) + (0 if direct else 1)


def _is_choice(e: Expr, choice: str) -> bool:
    while isinstance(e, syntax.Part | syntax.PlacePart | syntax.CodedPlace):
        e = e.pair if isinstance(e, syntax.Part) else e.place if isinstance(e, syntax.PlacePart) else e.code
    return isinstance(e, syntax.Local) and e.name == choice


def _number(place: Place, index: tuple[int, ...]) -> int:
    at = 0
    for codes, code in zip(place.index_values, index, strict=True):
        at = at * len(codes) + codes.index(code)
    return at
