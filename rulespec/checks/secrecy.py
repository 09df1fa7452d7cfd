"""Which values depend on hidden pieces: pieces of places that not everybody sees.

The number of pieces on a place is not secret, and neither are variables. Their kinds are, unless only one kind can be
there. The pieces of a place are not secret to its owner.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from rulespec import syntax
from rulespec.syntax import Definition, Expr, ListOf, Model, Place, PlaceOf, children

Names = frozenset[str]


@dataclass(frozen=True, slots=True)
class _Scope:
    """The local names of the viewer, and of places that are theirs."""

    own: Names
    places: Names = frozenset()

    def without(self, *names: str) -> _Scope:
        return _Scope(self.own.difference(names), self.places.difference(names))


class Secrecy:
    """The secrets of one game. Answers are the name of a place whose pieces a value depends on, or None."""

    def __init__(self, model: Model) -> None:
        self._places: Mapping[str, Place] = model.places
        self._functions: Mapping[str, Definition] = model.functions
        self._call = lru_cache(maxsize=None)(self._read_call)

    def reads(self, e: Expr, own: Names = frozenset()) -> str | None:
        """Return a place whose hidden pieces e depends on; `own` are the names of the viewer.

        An expression that is a place means the pieces on it.
        """
        scope = _Scope(own)
        return self._content(e, scope) or self._read(e, scope)

    def _read(self, e: Expr, scope: _Scope) -> str | None:
        match e:
            case syntax.BuiltinCall(name="piece" | "count", args=(place, *rest)) if rest or e.name == "piece":
                found = self._content(place, scope)
            case syntax.In():
                found = self._content(e.domain, scope)
            case syntax.Let():
                inner = self._bound(scope, e.name, e.value)
                return self._read(e.value, scope) or self._read(e.body, inner)
            case syntax.Aggregate():
                inner, found = scope, None
                for name, domain in e.bindings:
                    found = found or self._read(domain, inner)
                    inner = self._bound(inner, name, domain, each=True)
                inside = (x for x in (e.body, e.where, e.stop) if x is not None)
                return found or next(filter(None, (self._read(x, inner) for x in inside)), None)
            case syntax.ConnectedGroup():
                inner = self._bound(scope, e.name, e.start)
                return self._read(e.start, scope) or self._read(e.along, scope) or self._read(e.where, inner)
            case syntax.FunctionCall():
                parameters = [p.name for p in self._functions[e.function].parameters]
                inner = _Scope(frozenset())
                for name, value in zip(parameters, e.args, strict=True):
                    was = self._bound(scope, name, value)
                    inner = _Scope(inner.own | (was.own & {name}), inner.places | (was.places & {name}))
                found = self._call(e.function, inner)
            case _:
                found = None
        return found or next(filter(None, (self._read(c, scope) for c in children(e))), None)

    def _read_call(self, function: str, scope: _Scope) -> str | None:
        return self._read(self._functions[function].body, scope)

    def _bound(self, scope: _Scope, name: str, value: Expr, each: bool = False) -> _Scope:
        """Return the scope with a name for a value, or for each item of a list."""
        rest = scope.without(name)
        if _family(value) is not None:
            mine = self._content(value, scope) is None
            return _Scope(rest.own, rest.places | {name}) if mine else rest
        if not each and isinstance(value, syntax.Local) and value.name in scope.own:
            return _Scope(rest.own | {name}, rest.places)
        return rest

    def _content(self, e: Expr, scope: _Scope) -> str | None:
        """Return the family of a place or list of places, if the viewer cannot see its pieces."""
        family = _family(e)
        if family is None:
            return None
        place = self._places[family]
        if place.seen_by == "everyone" or len(place.kinds) < 2:
            return None
        match e:
            case syntax.Local() if e.name in scope.places:
                return None
            case syntax.PlaceAt() | syntax.Places() if place.seen_by == "owner":
                at = place.index.index("player")
                owner = e.index[at] if at < len(e.index) else None
                if isinstance(owner, syntax.Local) and owner.name in scope.own:
                    return None
        return family


def _family(e: Expr) -> str | None:
    match e.type:
        case PlaceOf(family=family) | ListOf(item=PlaceOf(family=family)):
            return family
    return None
