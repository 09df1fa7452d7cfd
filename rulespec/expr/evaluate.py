"""The value of an expression that reads no state (set bounds, rooms, piece counts, tables), and what working one out costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, Protocol

from rulespec import syntax
from rulespec.syntax import LARGEST, NONE, Expr, ListOf, PlaceOf, Several, Type, Unknown, Values, children


class Undefined(Exception):
    """The value is undefined: a division by 0, a number past the limits, or one that a definition does not take.

    It never occurs in play with checked rules, but may where part of an expression is evaluated without the test before it.
    """


class Facts(Protocol):
    """Where static reading finds its data: a Names or a Model."""

    @property
    def tables(self) -> Mapping[str, Any]: ...
    @property
    def functions(self) -> Mapping[str, Any]: ...
    @property
    def sets(self) -> Mapping[str, Any]: ...
    @property
    def pair_parts(self) -> Mapping[int, tuple[int, int]]: ...


STATE_FREE_BUILTINS = frozenset({"size", "next", "previous", "clockwise", "max", "min"})


def is_static(e: Expr, functions: Mapping[str, Any] | None = None, known: dict[str, bool] | None = None) -> bool:
    """Return whether the value depends on free names only (no place, no variable).

    `known` has the answer for functions that were looked at before: each is looked at once, however often it is called.
    """
    known = {} if known is None else known
    match e:
        case syntax.VariableRead() | syntax.PlaceAt() | syntax.Places() | syntax.ConnectedGroup():
            return False
        case syntax.BuiltinCall() if e.name not in STATE_FREE_BUILTINS:
            return False
        case syntax.In() if isinstance(
            _item(e.domain), PlaceOf
        ):  # the pieces there are not known, even if the place is
            return False
        case syntax.Aggregate() if any(isinstance(domain.type, PlaceOf) for _, domain in e.bindings):
            return False
        case syntax.FunctionCall():
            if functions is None or e.function not in functions:
                return False
            if e.function not in known:
                known[e.function] = is_static(functions[e.function].body, functions, known)
            if not known[e.function]:
                return False
    return all(is_static(c, functions, known) for c in children(e))


def _item(domain: Expr) -> Type:
    return domain.type.item if isinstance(domain.type, ListOf) else domain.type


def evaluate(e: Expr, env: Mapping[str, Any], facts: Facts | None = None) -> Any:
    """Return the value: a code, 0/1, or a tuple of codes. Only for what `is_static` accepts."""

    def ev(x: Expr) -> Any:
        return evaluate(x, env, facts)

    match e:
        case syntax.Literal():
            return e.value
        case syntax.Local():
            return env[e.name]
        case syntax.Negation():
            return int(not ev(e.of))
        case syntax.Logic():
            return (
                int(bool(ev(e.left)) and bool(ev(e.right)))
                if e.op == "and"
                else int(bool(ev(e.left)) or bool(ev(e.right)))
            )
        case syntax.Conditional():
            return ev(e.then) if ev(e.test) else ev(e.other)
        case syntax.Let():
            return evaluate(e.body, {**env, e.name: ev(e.value)}, facts)
        case syntax.Compare():
            return int(compare(e.op, ev(e.left), ev(e.right)))
        case syntax.In():
            return int(ev(e.item) in ev(e.domain))
        case syntax.Default():
            value = ev(e.value)
            return ev(e.other) if value == NONE else value
        case syntax.Range():
            return tuple(range(ev(e.lo), ev(e.hi) + 1))
        case syntax.Arithmetic():
            return arithmetic(e.op, ev(e.left), ev(e.right))
        case syntax.Items():
            out: list[int] = []
            for item in e.items:
                value = ev(item)
                out += value if isinstance(item.type, ListOf) else [value]
            return tuple(out)
        case syntax.TableRead():
            assert facts is not None
            return read_table(facts.tables[e.table], [ev(i) for i in e.index])
        case syntax.Part():
            assert facts is not None
            code = ev(e.pair)
            return NONE if code == NONE else facts.pair_parts[code][e.which]
        case syntax.Aggregate():
            return _gather(e, env, facts)
        case syntax.BuiltinCall():
            return _builtin(e.name, [ev(a) for a in e.args], facts)
        case syntax.FunctionCall():
            assert facts is not None
            function = facts.functions[e.function]
            inner = {p.name: ev(a) for p, a in zip(function.parameters, e.args, strict=True)}
            if not all(_takes(p.type, inner[p.name], facts) for p in function.parameters):
                raise Undefined
            return evaluate(function.body, inner, facts)
        case _:
            raise AssertionError(e)


def _takes(t: Type, value: Any, facts: Facts) -> bool:
    """Return whether a parameter takes this value: it may be a number outside its set."""
    if not isinstance(t, Values) or t.lo is None or t.hi is None or not isinstance(value, int) or value >= NONE:
        return True
    return t.lo <= value <= t.hi and (t.home not in facts.sets or value in facts.sets[t.home].values)


def compare(op: str, a: Any, b: Any) -> bool:
    match op:
        case "=":
            return bool(a == b)
        case "!=":
            return bool(a != b)
        case "<":
            return bool(a < b)
        case "<=":
            return bool(a <= b)
        case ">":
            return bool(a > b)
        case _:
            return bool(a >= b)


def arithmetic(op: str, a: int, b: int) -> int:
    """Return the result, which keeps to the limits of numbers."""
    match op:
        case "+":
            return within_limits(a + b)
        case "-":
            return within_limits(a - b)
        case "*":
            return within_limits(a * b)
        case _ if b == 0:
            raise Undefined
        case "/":
            return within_limits(a // b)
        case _:
            return a % b


def within_limits(n: int) -> int:
    if abs(n) > LARGEST:
        raise Undefined
    return n


def read_table(table: Any, index: list[int]) -> Any:
    at = 0
    for values, i in zip(table.index, index, strict=True):
        if i not in values:
            return NONE
        at = at * len(values) + values.index(i)
    return table.entries[at]


def _gather(e: syntax.Aggregate, env: Mapping[str, Any], facts: Facts | None) -> Any:
    values: list[Any] = []
    for inner in _bound(e.bindings, env, facts):
        if e.stop is not None and not evaluate(e.stop, inner, facts):
            break
        if e.where is None or evaluate(e.where, inner, facts):
            values.append(evaluate(e.body, inner, facts))
    known = [v for v in values if v != NONE]
    match e.op:
        case "sum":
            return within_limits(sum(known))
        case "count":
            return sum(1 for v in values if v)
        case "any":
            return int(any(values))
        case "all":
            return int(all(values))
        case "max":
            return max(known, default=NONE)
        case "min":
            return min(known, default=NONE)
        case "first":
            return values[0] if values else NONE
        case _:
            return tuple(known)


def _bound(
    bindings: tuple[tuple[str, Expr], ...], env: Mapping[str, Any], facts: Facts | None
) -> Iterator[Mapping[str, Any]]:
    if not bindings:
        yield env
        return
    (name, domain), rest = bindings[0], bindings[1:]
    for value in evaluate(domain, env, facts):
        yield from _bound(rest, {**env, name: value}, facts)


def _builtin(name: str, args: list[Any], facts: Facts | None) -> Any:
    match name:
        case "size":
            return len(args[0])
        case "next" | "previous":
            values = args[1]
            step = 1 if name == "next" else -1
            return values[(values.index(args[0]) + step) % len(values)]
        case "max":
            return max(args)
        case "min":
            return min(args)
        case _:
            assert facts is not None
            n = len(facts.sets["player"].values)
            if not 1 <= args[0] <= n:
                raise Undefined
            return tuple((args[0] - 1 + i) % n + 1 for i in range(n))


def combinations(index_values: tuple[tuple[int, ...], ...]) -> list[tuple[int, ...]]:
    """Return all index combinations, row by row."""
    return list(product(*index_values))


# Effort --------------------------------------------------------------------------------------------------------


# The value of a `let` and the arguments of a function are worked out once, however often their names are used: what is
# counted here is what the evaluator and the programs do.

MOST = 10**15  # numbers need not grow further


def effort(e: Expr, functions: Mapping[str, int], kinds: Mapping[str, int] | None = None) -> int:
    """Return the most steps that working out `e` takes.

    `functions` has the effort of every function that may be called, `kinds` how many kinds lie on each place: so many
    does a loop over a place go through.
    """

    def of(x: Expr) -> int:
        return effort(x, functions, kinds)

    match e:
        case syntax.Aggregate():
            total, times = 0, 1
            for _, domain in e.bindings:
                total += times * of(domain)
                times = min(MOST, times * max(1, passes(domain, kinds)))
            total += times * sum(of(x) for x in (e.body, e.where, e.stop) if x is not None)
        case syntax.ConnectedGroup():
            total = of(e.start) + of(e.along) + _items(e) * of(e.where)
        case syntax.FunctionCall():
            total = functions.get(e.function, 1) + sum(of(a) for a in e.args)
        case syntax.Literal() | syntax.Local():
            return 1
        case syntax.Range() | syntax.Places() | syntax.Items():
            total = _items(e) + sum(of(c) for c in children(e))
        case _:
            total = 1 + sum(of(c) for c in children(e))
    return min(MOST, total)


def passes(domain: Expr, kinds: Mapping[str, int] | None) -> int:
    """Return how often a loop over `domain` runs, at most."""
    if isinstance(domain.type, PlaceOf) and kinds is not None:
        return kinds.get(domain.type.family, 1)
    return domain_size(domain)


def domain_size(domain: Expr) -> int:
    match domain.type:
        case ListOf():
            return domain.type.largest
        case Several():
            return len(domain.type.kinds)
        case _:
            return LARGEST if isinstance(domain.type, Unknown) else 64


def _items(e: Expr) -> int:
    return max(1, e.type.largest) if isinstance(e.type, ListOf) else 1
