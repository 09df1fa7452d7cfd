"""Which values depend on what is hidden: on variables that not everybody sees, and on pieces of such places.

The number of pieces on a place is not secret. Their kinds are, unless only one kind can be there. A place and a variable
are not secret to their owner.

INVARIANT: a form that is given a place looks at its pieces unless it is listed here as one that only counts them or hands
the place on. A form that nobody thought of is secret.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import product
from types import MappingProxyType

from rulespec import syntax
from rulespec.syntax import (
    Act,
    AskStep,
    Definition,
    DoStep,
    Expr,
    ForStep,
    IfStep,
    LetStep,
    ListOf,
    MarkStep,
    Model,
    MoveStep,
    Place,
    PlaceOf,
    SetStep,
    ShowStep,
    Step,
    TellStep,
    Type,
    Values,
    Variable,
    WhileStep,
    all_steps,
    bodies,
    children,
    free_names,
    inner_steps,
    of_step,
)

Names = frozenset[str]
Kept = tuple[Act, str]  # a procedure or move, and a name in it
ME: Names = frozenset(("me",))


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact about a value: the hidden variable or place it depends on, and if it is a place, whether its pieces are hidden."""

    secret: str | None = None
    inside: str | None = None  # of a place or list of places: the family, if the viewer does not see the pieces there
    viewer: bool = False  # it is the player who looks

    @property
    def told(self) -> str | None:
        """The place or variable of which something is told by whoever looks at the value, or at the pieces there."""
        return self.inside or self.secret


Facts = Mapping[str, Fact]
NOTHING: Facts = MappingProxyType({})
OPEN = Fact()


@dataclass(frozen=True, slots=True)
class _Scope:
    """The facts about local names, and an expression that is the viewer wherever it occurs."""

    names: Facts
    viewer: Expr | None = None

    def binding(self, name: str, fact: Fact) -> _Scope:
        return _Scope({**self.names, name: fact}, self.viewer)


@dataclass(slots=True)
class _Handed:
    """The names of procedures and moves that hold secrets: to everybody else, and to the player who makes the move."""

    hidden: dict[Kept, str] = field(default_factory=dict)
    unknown: dict[Kept, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.hidden) + len(self.unknown)


class Secrecy:
    """The secrets of one game. Answers are the name of a hidden place or variable that a value depends on, or None."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._places: Mapping[str, Place] = model.places
        self._variables: Mapping[str, Variable] = {n: v for n, v in model.variables.items() if v.seen_by != "everyone"}
        self._functions: Mapping[str, Definition] = model.functions
        self._call = lru_cache(maxsize=None)(self._called)
        self.kept = lru_cache(maxsize=None)(self._find_kept)

    def reads(self, e: Expr, own: Names = frozenset(), held: Facts = NOTHING, viewer: Expr | None = None) -> str | None:
        """Return a hidden variable, or a place whose hidden pieces, e depends on.

        `own` are the names of the viewer, `held` says what other names hold, and `viewer` is an expression without names
        that is the viewer too. An expression that is a place means the pieces on it.
        """
        return self._fact(e, own, held, viewer).told

    def _fact(self, e: Expr, own: Names, held: Facts, viewer: Expr | None = None) -> Fact:
        return self._look(e, _Scope({**held, **{name: Fact(viewer=True) for name in own}}, viewer))

    # expressions -----------------------------------------------------------------------------------------

    def _look(self, e: Expr, scope: _Scope) -> Fact:
        if scope.viewer is not None and e == scope.viewer:
            return Fact(viewer=True)
        match e:
            case syntax.Local():
                return scope.names.get(e.name) or Fact(inside=self._hidden(_family(e.type)))
            case syntax.PlaceAt() | syntax.Places():
                index = [self._look(x, scope) for x in e.index]
                return Fact(_first(x.told for x in index), self._hidden(e.family, index))
            case syntax.VariableRead(variable=name) if name in self._variables:
                index = [self._look(x, scope) for x in e.index]
                unseen = None if _owner(self._variables[name], index).viewer else name
                return Fact(unseen or _first(x.told for x in index))
            case syntax.BuiltinCall(name="count" | "free" | "empty" | "size", args=(place,)):
                return Fact(self._look(place, scope).secret)
            case syntax.PlacePart() | syntax.PlaceCode():
                return Fact(self._look(e.place, scope).secret)
            case syntax.CodedPlace():
                return Fact(self._look(e.code, scope).told, self._hidden(_family(e.type)))
            case syntax.Compare(left=one, right=other) | syntax.In(item=one, domain=other) if _are_places(one, other):
                return Fact(_first(self._look(x, scope).secret for x in (one, other)))  # where, never what lies there
            case syntax.BuiltinCall(name="ray", args=(start, way)):
                return self._walked(self._look(start, scope), self._look(way, scope), start.type, way.type)
            case syntax.Let():
                value = self._look(e.value, scope)
                body = self._look(e.body, scope.binding(e.name, value))
                return Fact(value.secret or body.secret, body.inside, body.viewer)
            case syntax.Aggregate():
                return self._gathered(e, scope)
            case syntax.ConnectedGroup():
                cells = self._walked(self._look(e.start, scope), self._look(e.along, scope), e.start.type, e.along.type)
                where = self._look(e.where, scope.binding(e.name, cells))
                return Fact(cells.secret or where.told, cells.inside)
            case syntax.FunctionCall():
                args = tuple(self._look(a, scope) for a in e.args)
                result = self._call(e.function, args, scope.viewer)
                return Fact(_first(a.secret for a in args) or result.secret, result.inside, result.viewer)
        parts = [self._look(c, scope) for c in children(e)]
        secret, inside = _first(p.secret for p in parts), _first(p.inside for p in parts)
        return Fact(secret, inside) if _family(e.type) is not None else Fact(inside or secret)

    def _called(self, function: str, args: tuple[Fact, ...], viewer: Expr | None) -> Fact:
        definition = self._functions[function]
        names = {p.name: fact for p, fact in zip(definition.parameters, args, strict=True)}
        return self._look(definition.body, _Scope(names, viewer))

    def _gathered(self, e: syntax.Aggregate, scope: _Scope) -> Fact:
        secret = None
        for name, domain in e.bindings:
            each = self._each(domain, self._look(domain, scope))
            secret = secret or each.secret
            scope = scope.binding(name, each)
        tests = [self._look(x, scope) for x in (e.where, e.stop) if x is not None]
        body = self._look(e.body, scope)
        secret = secret or body.secret or _first(t.told for t in tests)
        return Fact(secret, body.inside) if _family(e.type) is not None else Fact(secret or body.inside)

    @staticmethod
    def _each(domain: Expr, fact: Fact) -> Fact:
        """Return the fact about one item: of a place that is a piece on it, of a list of places a place."""
        return Fact(fact.told) if isinstance(domain.type, PlaceOf) else Fact(fact.secret, fact.inside)

    def _walked(self, start: Fact, along: Fact, place: Type, ways: Type) -> Fact:
        """Return the fact about the places that lie along some ways from a place: not all may have its owner."""
        family = _family(place)
        inside = start.inside or (self._hidden(family) if family and self._changes_owner(family, ways) else None)
        return Fact(start.secret or along.told, inside)

    def _changes_owner(self, family: str, ways: Type) -> bool:
        place = self._places[family]
        if "player" not in place.index:
            return False
        at = place.index.index("player")
        owners = [combo[at] for combo in product(*place.index_values)]
        item = ways.item if isinstance(ways, ListOf) else ways
        members = item.members if isinstance(item, Values) and item.lo is None else frozenset()
        taken = {self._model.value_name(code) for code in members} or set(place.ways)
        return any(
            owners[there] != owner
            for way, steps in place.ways.items()
            if way in taken
            for owner, goals in zip(owners, steps, strict=True)
            for there in goals
        )

    def _hidden(self, family: str | None, index: Iterable[Fact] = ()) -> str | None:
        """Return the family, if the viewer does not see the pieces of its places with these first indexes."""
        if family is None:
            return None
        place = self._places[family]
        if place.seen_by == "everyone" or len(place.kinds) < 2:
            return None
        return None if _owner(place, index).viewer else family

    # names that steps and asks pass on -------------------------------------------------------------------

    def held(self, move: str) -> Facts:
        """Return what a move is given that depends on what is hidden."""
        given = [(("moves", move), p.name) for p in self._model.moves[move].given]
        return {kept[1]: Fact(self._handed.hidden[kept]) for kept in given if kept in self._handed.hidden}

    def unknown_to_mover(self, move: str) -> Facts:
        """Return what a move is given that depends on what the player who makes it may not see."""
        return {n: Fact(place) for (body, n), place in self._handed.unknown.items() if body == ("moves", move)}

    def is_about_hidden(self, move: str, number: int, held: Facts) -> str | None:
        """Return a hidden variable, or a place whose hidden pieces, limits what can be chosen there."""
        spec = self._model.moves[move]
        choice = spec.choices[number]
        inside = [e for e in (choice.domain, choice.source) if e is not None]
        inside += [c.that for c in spec.conditions if c.afterwards or choice.name in free_names(c.that)]
        return _first(self.reads(e, held=held) for e in inside) or self.tried_on_hidden(move, held)

    def tried_on_hidden(self, move: str, held: Facts) -> str | None:
        """Return a place whose pieces the player may not see, if a move that must be tried does something that depends on them."""
        spec = self._model.moves[move]
        waiting, done = list(spec.does) if spec.looks_ahead else [], set[str]()
        while waiting:
            step = waiting.pop()
            if not isinstance(step, TellStep | ShowStep):
                if (hidden := _first(self.reads(e, ME, held) for e in _looked_at(step))) is not None:
                    return hidden
            if isinstance(step, DoStep) and step.name not in done:
                done.add(step.name)
                waiting += self._model.procedures[step.name].body
            waiting += (s for inner in inner_steps(step) for s in inner)
        return None

    def secret_names(self) -> Iterator[Kept]:
        """Yield the names of procedures and moves that may hold a secret."""
        yield from self._handed.hidden
        for move in self._model.moves:
            own: Act = ("moves", move)
            yield from ((own, choice) for choice in self.kept(move) if (own, choice) not in self._handed.hidden)
        for body, _, steps in bodies(self._model):
            names = self._names_in(body, steps, frozenset(), self._handed)
            known = {n for b, n in self._handed.hidden if b == body} | {
                *(self.kept(body[1]) if body[0] == "moves" else ())
            }
            yield from ((body, n) for n, fact in names.items() if fact.secret and n not in known)

    def told(self) -> Iterator[tuple[TellStep, str]]:
        """Yield what is told to everybody though it depends on something hidden, with what that is."""
        for body, _, steps in bodies(self._model):
            telling = [step for step in all_steps(steps) if isinstance(step, TellStep)]
            names = self._names_in(body, steps, frozenset(), self._handed) if telling else {}
            for step in telling:
                if (hidden := _first(self.reads(e, held=names) for e in of_step(step))) is not None:
                    yield step, hidden

    @cached_property
    def _handed(self) -> _Handed:
        found = _Handed()
        if not self._variables and all(self._hidden(family) is None for family in self._places):
            return found
        before = -1
        while before != len(found):  # a secret is handed on
            before = len(found)
            for move, spec in self._model.moves.items():
                for number, choice in enumerate(spec.choices):
                    held = {n: Fact(place) for (body, n), place in found.hidden.items() if body == ("moves", move)}
                    _note(found.hidden, (("moves", move), choice.name), self.is_about_hidden(move, number, held))
            for body, _, steps in bodies(self._model):
                self._pass_on(body, steps, found)
        return found

    def _pass_on(self, body: Act, steps: tuple[Step, ...], found: _Handed) -> None:
        """Note the secrets that steps pass to procedures and moves."""
        names = self._names_in(body, steps, frozenset(), found)
        for step in all_steps(steps):
            match step:
                case DoStep():
                    for p, e in zip(self._model.procedures[step.name].parameters, step.args, strict=True):
                        _note(found.hidden, (("steps", step.name), p.name), self.reads(e, held=names))
                case AskStep():
                    for move, args in step.moves:
                        for p, e in zip(self._model.moves[move].given, args, strict=True):
                            place, kept = self.reads(e, held=names), (("moves", move), p.name)
                            if place is not None:
                                found.hidden.setdefault(kept, place)
                                _note(found.unknown, kept, self._unknown(e, step.player, body, steps, found))

    def _unknown(self, e: Expr, player: Expr, body: Act, steps: tuple[Step, ...], found: _Handed) -> str | None:
        """Return a place whose pieces, hidden from a player who is asked, a value depends on that is handed to them."""
        if isinstance(player.type, ListOf):  # nobody in particular
            return self.reads(e, held=self._names_in(body, steps, frozenset(), found))
        own = frozenset((player.name,)) if isinstance(player, syntax.Local) else frozenset()
        viewer = None if free_names(player) else player
        return self.reads(e, own, self._names_in(body, steps, own, found), viewer)

    def _names_in(
        self, body: Act, steps: tuple[Step, ...], own: Names, found: _Handed, kept: bool = True
    ) -> dict[str, Fact]:
        """Return what the names of a procedure or move hold for a viewer. Who makes a move knows what they chose."""
        start = found.unknown if own == ME else found.hidden
        names = {n: Fact(place) for (b, n), place in start.items() if b == body}
        if kept and own != ME and body[0] == "moves":
            names |= {choice: Fact(where) for choice, where in self.kept(body[1]).items()}
        for step in all_steps(steps):
            match step:
                case LetStep():
                    fact = self._fact(step.value, own, names)
                case ForStep():
                    fact = self._each(step.domain, self._fact(step.domain, own, names))
                    inner = {**names, step.name: fact}
                    where = self._fact(step.where, own, inner).told if step.where is not None else None
                    fact = Fact(fact.secret or where, fact.inside)
                case _:
                    continue
            was = names.get(step.name, OPEN)  # two blocks may each have a name like this
            names[step.name] = Fact(
                was.secret or fact.secret,
                was.inside or fact.inside,
                fact.viewer and (step.name not in names or was.viewer),
            )
        return names

    def derived(self) -> frozenset[str]:
        """Return the hidden variables that are set from something else that is hidden, such as pieces."""
        found = set()
        for body, _, steps in bodies(self._model) if self._variables else ():
            names = self._names_in(body, steps, frozenset(), self._handed, kept=False)
            for step in all_steps(steps):
                if isinstance(step, SetStep) and step.variable in self._variables:
                    if _first(self.reads(e, held=names) for e in of_step(step)) is not None:
                        found.add(step.variable)
        return frozenset(found)

    # where choices go ------------------------------------------------------------------------------------

    def _find_kept(self, move: str) -> Mapping[str, str]:
        """Return the choices of a move that others do not see, each with the hidden place or variable where it is kept.

        Everything that the move does with them is to set hidden variables, or to move pieces between hidden places.
        """
        found = {}
        for choice in self._model.moves[move].choices:
            goals = [where for where, _ in self._goes(move, choice.name)]
            if goals and (where := _all(goals)) is not None:
                found[choice.name] = where
        return found

    def given_away(self, move: str) -> Iterator[tuple[str, str, Step]]:
        """Yield the choices of a move that are kept in a hidden variable, which, and a step that shows them nevertheless."""
        for choice in self._model.moves[move].choices if self._variables else ():
            goals = list(self._goes(move, choice.name))
            where = _first(name for name, _ in goals if name in self._variables)
            step = next((step for name, step in goals if name is None), None)
            if where is not None and step is not None:
                yield choice.name, where, step

    def _goes(self, move: str, choice: str) -> Iterator[tuple[str | None, Step]]:
        return self._uses(self._model.moves[move].does, frozenset((choice,)), False, set())

    def _uses(
        self, steps: tuple[Step, ...], names: Names, tested: bool, met: set[tuple[str, Names, bool]]
    ) -> Iterator[tuple[str | None, Step]]:
        """Yield the steps that use a value which these names hold, with the hidden thing it is kept in; None: everybody sees it.

        `tested`: whether the steps are done at all depends on the value.
        """
        for step in steps:
            holds = any(free_names(e) & names for e in of_step(step))
            used = tested or holds
            match step:
                case LetStep():
                    names |= {step.name} if holds else frozenset()
                case IfStep() | WhileStep():
                    for body in inner_steps(step):
                        yield from self._uses(body, names, used, met)
                case ForStep():
                    yield from self._uses(step.body, names | {step.name} if holds else names, used, met)
                case DoStep() if used:
                    procedure = self._model.procedures[step.name]
                    given = zip(procedure.parameters, step.args, strict=True)
                    held = frozenset(p.name for p, e in given if free_names(e) & names)
                    if (step.name, held, tested) not in met:
                        met.add((step.name, held, tested))
                        yield from self._uses(procedure.body, held, tested, met)
                case SetStep() if used:
                    yield self._keeps(step, names), step
                case MoveStep() if used:
                    yield None if tested else self._moves_unseen(step, names), step
                case AskStep():
                    if used:
                        yield None, step
                    yield from self._uses(step.otherwise or (), names, tested, met)
                case MarkStep():
                    pass
                case _ if used:
                    yield None, step

    def _keeps(self, step: SetStep, names: Names) -> str | None:
        """Return the variable that a step sets, if it is hidden and it is no secret whose it is."""
        variable = self._variables.get(step.variable)
        if variable is None:
            return None
        owners = [e for name, e in zip(variable.index, step.index, strict=True) if name == "player"]
        is_open = variable.seen_by == "nobody" or not any(free_names(e) & names for e in owners)
        return variable.name if is_open else None

    def _moves_unseen(self, step: MoveStep, names: Names) -> str | None:
        """Return where pieces go, if all that these names say is which: between hidden places, and their number is known."""
        families = [_family(e.type) for e in (step.source, *(goal.place for goal in step.goals))]
        wheres = [e for e in (step.amount.number, step.source, *(goal.place for goal in step.goals)) if e is not None]
        if step.amount.how != "some" or any(free_names(e) & names for e in wheres):
            return None
        hidden = [self._hidden(family) for family in families]
        shows = [self._places[family].shows for family in families if family is not None]
        return hidden[-1] if all(hidden) and not any(shows) else None


def _note(found: dict[Kept, str], name: Kept, place: str | None) -> None:
    if place is not None:
        found.setdefault(name, place)


def _looked_at(step: Step) -> list[Expr]:
    """Return the expressions of a step, but for places that pieces are put on: only which these are is looked at."""
    if not isinstance(step, MoveStep):
        return of_step(step)
    places = [goal.place for goal in step.goals]
    return [e for e in of_step(step) if e not in places] + [e for place in places for e in children(place)]


def _first(found: Iterable[str | None]) -> str | None:
    return next(filter(None, found), None)


def _all(found: list[str | None]) -> str | None:
    """Return the first of these if all of them are something."""
    return found[0] if all(found) else None


def _owner(thing: Place | Variable, index: Iterable[Fact]) -> Fact:
    """Return the fact about the player who sees a thing with these first indexes."""
    if thing.seen_by != "owner":
        return OPEN
    return next((fact for name, fact in zip(thing.index, index, strict=False) if name == "player"), OPEN)


def _are_places(one: Expr, other: Expr) -> bool:
    """Return whether two sides of a comparison are places, or the second a list of places."""
    return isinstance(one.type, PlaceOf) and one.type.family == _family(other.type)


def _family(t: Type) -> str | None:
    match t:
        case PlaceOf(family=family) | ListOf(item=PlaceOf(family=family)):
            return family
    return None
