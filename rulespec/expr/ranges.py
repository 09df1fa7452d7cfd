"""The range of numbers of a definition at one of its calls.

A definition is checked once, with its parameters as they are declared. One that takes a `number` says nothing about how
large that is: each call is looked at on its own, with what it passes, and what could pass the limits is reported at the
words of the definition.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulespec import syntax
from rulespec.diagnostics.diagnostic import Diagnostic
from rulespec.expr.narrow import Env, narrowed
from rulespec.expr.results import (
    Reach,
    arithmetic_reach,
    extreme_type,
    most_items,
    range_problem,
    range_type,
    sum_reach,
    too_far,
)
from rulespec.syntax import (
    LARGEST,
    NUMBER,
    Expr,
    ListOf,
    PlaceOf,
    Several,
    Type,
    Unknown,
    Values,
    children,
    join,
    number,
    sure,
)

if TYPE_CHECKING:
    from rulespec.expr.names import Names
    from rulespec.syntax import Function

MOST_CALLS = 1000  # with different numbers; further ones are taken for calls with any number


Key = tuple[str, tuple[Type, ...]]  # a definition, and the types it is given


class _Missing(Exception):
    """A call must be worked out first."""

    def __init__(self, key: Key) -> None:
        self.key = key


def takes_number(function: Function) -> bool:
    """Whether a definition has a parameter that may be any number."""
    return any(p.set == "number" for p in function.parameters)


@dataclass(slots=True)
class Ranges:
    """Works out types once more, with other types of the local names."""

    names: Names
    report: Callable[[Diagnostic], None]

    def call(self, name: str, args: tuple[Type, ...]) -> Type:
        """The type of a call that passes values of these types."""
        seen = self.names.calls
        waiting = [self._key(name, args)]
        while waiting:  # depth costs no Python frames: what a body calls is worked out before it
            function, key = self.names.functions[waiting[-1][0]], waiting[-1]
            found: list[Diagnostic] = []
            env = {p.name: t for p, t in zip(function.parameters, key[1], strict=True)}
            try:
                seen[key] = Ranges(self.names, found.append).value(function.body, env)
            except _Missing as missing:
                waiting.append(missing.key)
                continue
            for d in found:
                self.report(d)
            waiting.pop()
        return seen[self._key(name, args)]

    def _key(self, name: str, args: tuple[Type, ...]) -> Key:
        """What a call is known by: the numbers it passes; other sets are what they are declared as."""
        parameters = self.names.functions[name].parameters
        self.names.note_passed(name, parameters, args)
        key = (name, tuple(a if p.set == "number" else p.type for p, a in zip(parameters, args, strict=True)))
        if key not in self.names.calls and len(self.names.calls) >= MOST_CALLS:
            return name, tuple(NUMBER if p.set == "number" else p.type for p in parameters)
        return key

    def value(self, e: Expr, env: Env) -> Type:
        """The type of e; Unknown after a complaint."""
        match e:
            case syntax.Local():
                return env.get(e.name, e.type)
            case syntax.Logic():
                self.value(e.left, env)
                self.value(e.right, narrowed(env, e.left, e.op == "and"))
                return e.type
            case syntax.If():
                self.value(e.test, env)
                then = self.value(e.then, narrowed(env, e.test, True))
                return join(then, self.value(e.other, narrowed(env, e.test, False))) or e.type
            case syntax.Let():
                return self.value(e.body, {**env, e.name: self.value(e.value, env)})
            case syntax.Default():
                return join(sure(self.value(e.value, env)), self.value(e.other, env)) or e.type
            case syntax.Range():
                lo, hi = self.value(e.lo, env), self.value(e.hi, env)
                return range_type(lo, hi) if isinstance(lo, Values) and isinstance(hi, Values) else Unknown()
            case syntax.Arithmetic():
                a, b = self.value(e.left, env), self.value(e.right, env)
                if not isinstance(a, Values) or not isinstance(b, Values):
                    return Unknown()
                return self._bounded(e, arithmetic_reach(e.op, a, b))
            case syntax.Aggregate():
                return self._aggregate(e, env)
            case syntax.Builtin(name="max" | "min"):
                types = [self.value(a, env) for a in e.args]
                numbers = [t for t in types if isinstance(t, Values)]
                return extreme_type(e.name, numbers) if len(numbers) == len(types) else Unknown()
            case syntax.Builtin(name="size"):
                items = self.value(e.args[0], env)
                return number(0, items.largest) if isinstance(items, ListOf) else e.type
            case syntax.Call():
                args = tuple(self.value(a, env) for a in e.args)
                if not takes_number(self.names.functions[e.function]):
                    return e.type
                key = self._key(e.function, args)
                if key not in self.names.calls:
                    raise _Missing(key)
                return self.names.calls[key]
            case _:
                for child in children(e):
                    self.value(child, env)
                return e.type

    def _bounded(self, e: syntax.Arithmetic | syntax.Aggregate, reach: Reach) -> Type:
        if not too_far(reach):
            return number(*reach)
        assert e.span is not None
        self.report(range_problem(e.span, reach))
        return Unknown()

    def _aggregate(self, e: syntax.Aggregate, env: Env) -> Type:
        largest = 1
        for name, domain in e.bindings:
            t = self.value(domain, env)
            largest = min(LARGEST, largest * most_items(t, self.names.places))
            env = {**env, name: self._item(t)}
        for test in (e.where, e.stop):
            if test is not None:
                self.value(test, env)
        if e.where is not None:
            env = narrowed(env, e.where, True)
        body = self.value(e.body, env)
        if isinstance(body, Unknown):
            return body
        match e.op:
            case "count":
                return number(0, largest)
            case "list":
                return ListOf(sure(body), largest)
            case "sum" if isinstance(body, Values):
                return self._bounded(e, sum_reach(body, largest))
            case "max" | "min" | "first" if isinstance(body, Values) and isinstance(e.type, Values):
                return Values(body.lo, body.hi, body.members, e.type.none, body.home)
            case _:
                return e.type

    def _item(self, t: Type) -> Type:
        match t:
            case ListOf():
                return t.item
            case PlaceOf():
                return self.names.kinds_type((t.family,))
            case Several():
                return self.names.type_of_kinds(t.kinds)
            case _:
                return Unknown()
