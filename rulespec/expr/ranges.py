"""The range of numbers of a definition at one of its calls.

A definition is checked once, with its parameters as they are declared. One that takes a `number` says nothing about how
large that is: each call is looked at on its own, with what it passes, and what could pass the limits is reported at the
words of the definition.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulespec.diagnostics import Diagnostic
from rulespec.expr import core
from rulespec.expr.core import Expr, children
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
from rulespec.expr.types import LARGEST, ListOf, PlaceOf, Several, Type, Unknown, Values, join, number, sure

if TYPE_CHECKING:
    from rulespec.expr.names import Names

MOST_CALLS = 1000  # with different numbers; further ones are taken for calls with any number


@dataclass(slots=True)
class Ranges:
    """Works out types once more, with other types of the local names."""

    names: Names
    report: Callable[[Diagnostic], None]

    def call(self, name: str, args: tuple[Type, ...]) -> Type:
        """The type of a call that passes values of these types."""
        function = self.names.functions[name]
        if not any(p.set == "number" for p in function.parameters):
            return function.body.type
        self.names.note_passed(name, function.parameters, args)
        seen = self.names.calls
        given = tuple(a if p.set == "number" else p.type for p, a in zip(function.parameters, args, strict=True))
        if (name, given) not in seen and len(seen) >= MOST_CALLS:
            given = tuple(p.type for p in function.parameters)
        if (name, given) not in seen:
            env = {p.name: t for p, t in zip(function.parameters, given, strict=True)}
            seen[name, given] = self.value(function.body, env)
        return seen[name, given]

    def value(self, e: Expr, env: Env) -> Type:
        """The type of e; Unknown after a complaint."""
        match e:
            case core.Local():
                return env.get(e.name, e.type)
            case core.Logic():
                self.value(e.left, env)
                self.value(e.right, narrowed(env, e.left, e.op == "and"))
                return e.type
            case core.If():
                self.value(e.test, env)
                then = self.value(e.then, narrowed(env, e.test, True))
                return join(then, self.value(e.other, narrowed(env, e.test, False))) or e.type
            case core.Let():
                return self.value(e.body, {**env, e.name: self.value(e.value, env)})
            case core.Default():
                return join(sure(self.value(e.value, env)), self.value(e.other, env)) or e.type
            case core.Range():
                lo, hi = self.value(e.lo, env), self.value(e.hi, env)
                return range_type(lo, hi) if isinstance(lo, Values) and isinstance(hi, Values) else Unknown()
            case core.Arithmetic():
                a, b = self.value(e.left, env), self.value(e.right, env)
                if not isinstance(a, Values) or not isinstance(b, Values):
                    return Unknown()
                return self._bounded(e, arithmetic_reach(e.op, a, b))
            case core.Aggregate():
                return self._aggregate(e, env)
            case core.Builtin(name="max" | "min"):
                types = [self.value(a, env) for a in e.args]
                numbers = [t for t in types if isinstance(t, Values)]
                return extreme_type(e.name, numbers) if len(numbers) == len(types) else Unknown()
            case core.Builtin(name="size"):
                items = self.value(e.args[0], env)
                return number(0, items.largest) if isinstance(items, ListOf) else e.type
            case core.Call():
                return self.call(e.function, tuple(self.value(a, env) for a in e.args))
            case _:
                for child in children(e):
                    self.value(child, env)
                return e.type

    def _bounded(self, e: core.Arithmetic | core.Aggregate, reach: Reach) -> Type:
        if not too_far(reach):
            return number(*reach)
        assert e.span is not None
        self.report(range_problem(e.span, reach))
        return Unknown()

    def _aggregate(self, e: core.Aggregate, env: Env) -> Type:
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
