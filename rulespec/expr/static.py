"""Everything that is known of an expression before play: its value, if it reads no state, its range, and the work it takes.

Set bounds, rooms, piece counts and tables have values. Ranges are those of results, of names after a condition (narrowing),
and of a definition at one of its calls. A definition is checked once, with its parameters as they are declared. One that
takes a `number` says nothing about how large that is: each call is looked at on its own, with what it passes, and what
could pass the limits is reported at the words of the definition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from rulespec import syntax
from rulespec.diagnostics.diagnostic import Diagnostic, Span
from rulespec.syntax import (
    LARGEST,
    NONE,
    NOTHING,
    NUMBER,
    Definition,
    Expr,
    ListOf,
    Place,
    PlaceOf,
    Several,
    Type,
    Unknown,
    Values,
    children,
    join,
    meet,
    number,
    sure,
    without,
)

if TYPE_CHECKING:
    from rulespec.expr.names import Names

# Values ----------------------------------------------------------------------------------------------------------


class Undefined(Exception):
    """The value is undefined: a division by 0, a number past the limits, or one that a definition does not take.

    It never occurs in play with checked rules, but may where part of an expression is evaluated without the test before it.
    """


class Facts(Protocol):
    """The data that static reading needs: a Names or a Model."""

    @property
    def tables(self) -> Mapping[str, Any]: ...
    @property
    def functions(self) -> Mapping[str, Any]: ...
    @property
    def sets(self) -> Mapping[str, Any]: ...
    @property
    def pair_parts(self) -> Mapping[int, tuple[int, int]]: ...


LOOKED_UP = 1_000  # steps to note a position, or to look for one among those that were
STATE_FREE_BUILTINS = frozenset({"size", "next", "previous", "clockwise", "max", "min"})


def is_static(e: Expr, functions: Mapping[str, Any] | None = None, known: dict[str, bool] | None = None) -> bool:
    """Return whether the value depends on free names only (no place, no variable).

    `known` has the answer for functions that were looked at before: each is looked at once, however often it is called.
    """
    known = {} if known is None else known
    match e:
        case syntax.VariableRead() | syntax.PlaceAt() | syntax.Places() | syntax.ConnectedGroup() | syntax.PlacePart():
            return False
        case syntax.PlaceCode() | syntax.CodedPlace() | syntax.Repeats():
            return False
        case syntax.Literal() | syntax.ItemAt() | syntax.Compare() if isinstance(_compared(e), PlaceOf):
            return False  # which number nowhere is, only a program knows
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


def _compared(e: syntax.Literal | syntax.ItemAt | syntax.Compare) -> Type:
    return e.left.type if isinstance(e, syntax.Compare) else e.type


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
        case syntax.ItemAt():
            found, number = ev(e.items), ev(e.at)
            return found[number - 1] if 1 <= number <= len(found) else NONE
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


# Effort --------------------------------------------------------------------------------------------------------


# The value of a `let` and the arguments of a function are worked out once, however often their names are used: what is
# counted here is what the evaluator and the programs do.

MOST = 10**15  # numbers need not grow further
NEAR = 8  # steps that looking along one way takes at each place of a group


def effort(e: Expr, functions: Mapping[str, int], kinds: Mapping[str, int] | None = None) -> int:
    """Return the most steps that working out `e` takes.

    `functions` has the effort of every function that may be called, `kinds` how many kinds lie on each place: a loop
    over a place runs that often.
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
            ways = passes(e.along, kinds) if isinstance(e.along.type, ListOf) else 1
            total = of(e.start) + of(e.along) + _items(e) * (NEAR * ways + of(e.where))
        case syntax.FunctionCall():
            total = functions.get(e.function, 1) + sum(of(a) for a in e.args)
        case syntax.Literal() | syntax.Local():
            return 1
        case syntax.Repeats():
            return LOOKED_UP
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


# Ranges of results ---------------------------------------------------------------------------------------------

Reach = tuple[int, int]  # the smallest and the largest number that something can be, if it were not for the limits


def arithmetic_reach(op: str, a: Values, b: Values) -> Reach:
    al, ah, bl, bh = a.lo or 0, a.hi or 0, b.lo or 0, b.hi or 0
    match op:
        case "+":
            return al + bl, ah + bh
        case "-":
            return al - bh, ah - bl
        case "*":
            corners = [x * y for x in (al, ah) for y in (bl, bh)]
            return min(corners), max(corners)
        case "/":
            corners = [x // y for x in (al, ah) for y in (bl, bh)]
            return min(corners), max(corners)
        case _:
            return (0, bh - 1) if bl > 0 else (bl + 1, 0)


def sum_reach(item: Values, most: int) -> Reach:
    """Return the range of a sum of up to `most` of these."""
    return min(0, (item.lo or 0) * most), max(0, (item.hi or 0) * most)


def extreme_type(name: str, types: list[Values]) -> Values:
    """Return `max` or `min` of several numbers."""
    pick = max if name == "max" else min
    return number(pick(t.lo or 0 for t in types), pick(t.hi or 0 for t in types))


def range_type(lo: Values, hi: Values) -> ListOf:
    """Return the type of `lo..hi`."""
    low, high = lo.lo or 0, hi.hi or 0
    return ListOf(number(low, max(low, high)), max(0, high - low + 1))


def too_far(reach: Reach) -> bool:
    return reach[0] < -LARGEST or reach[1] > LARGEST


def is_too_large(digits: str) -> bool:
    """Return whether a number that is written out passes the limits; one of thousands of digits is never worked out."""
    digits = digits.lstrip("-").lstrip("0")
    return len(digits) > len(str(LARGEST)) or int(digits or 0) > LARGEST


def number_problem(span: Span, digits: str) -> Diagnostic:
    """Return the complaint about a number that is written out and passes the limits."""
    shown = digits if len(digits) <= 20 else f"{digits[:17]}…"
    message = f"`{shown}` is too large: numbers go from {-LARGEST} to {LARGEST}"
    return Diagnostic(span, "number-too-large", message)


def range_problem(span: Span, reach: Reach) -> Diagnostic:
    """Return the complaint about a number that could pass the limits."""
    low, high = reach
    limits = f"numbers go from {-LARGEST} to {LARGEST}"
    if low == high:
        return Diagnostic(span, "number-range", f"this is {high}: {limits}")
    found = f"as large as {high}" if high > LARGEST else f"as small as {low}"
    if high > LARGEST and low < -LARGEST:
        found = f"anything from {low} to {high}"
    why = "it is worked out from the least and the most that its parts can be"
    fix = "declare smaller ranges for its parts, or limit them with `min(…, …)` and `max(…, …)`"
    return Diagnostic(span, "number-range", f"this could become {found}: {limits}", why, fix)


def most_items(t: Type, places: Mapping[str, Place]) -> int:
    """Return the most items a loop over this type has; over a place: its kinds, each once."""
    match t:
        case ListOf():
            return t.largest
        case Several():
            return len(t.kinds)
        case PlaceOf():
            return len(places[t.family].kinds)
        case _:
            return LARGEST


def surely_filled(domain: Expr) -> bool:
    """Return whether a domain has at least one item in every position."""
    if isinstance(domain, syntax.Literal) and isinstance(domain.value, tuple):
        return len(domain.value) > 0
    if isinstance(domain, syntax.Range) and isinstance(domain.lo.type, Values) and isinstance(domain.hi.type, Values):
        return domain.lo.type.hi <= domain.hi.type.lo  # type: ignore[operator]
    if isinstance(domain, syntax.Items):
        return any(not isinstance(e.type, ListOf) for e in domain.items)
    if isinstance(domain, syntax.Places):
        return domain.sure
    return isinstance(domain, syntax.BuiltinCall) and domain.name == "clockwise"


# Narrowing -----------------------------------------------------------------------------------------------------


Env = dict[str, Type]  # local names and their types; parts of them (`k.0`) where a test has shown more of those


def path_of(e: Expr) -> str | None:
    """Return what identifies a local name, or a part of one, in an env; None for anything else: it may change, or be another."""
    match e:
        case syntax.Local():
            return e.name
        case syntax.CodedPlace():
            return path_of(e.code)
        case syntax.Part(pair=whole) | syntax.PlacePart(place=whole):
            path = path_of(whole)
            return None if path is None else f"{path}.{e.which}"
        case _:
            return None


def narrowed(env: Env, test: Expr, holds: bool) -> Env:
    """Return the env after `test` turned out to hold, or not to."""
    match test:
        case syntax.Negation():
            return narrowed(env, test.of, not holds)
        case syntax.Logic(op=op) if (op == "and") == holds:
            return narrowed(narrowed(env, test.left, holds), test.right, holds)
        case syntax.Compare(op="=" | "!=", left=x, right=syntax.Literal() as c) if path_of(x):
            return _equal(env, x, c, (test.op == "=") == holds)
        case syntax.Compare(op="=" | "!=", left=syntax.Literal() as c, right=x) if path_of(x):
            return _equal(env, x, c, (test.op == "=") == holds)
        case syntax.Compare(op="<" | "<=" | ">" | ">=") as compare:
            op = compare.op if holds else _OPPOSITE[compare.op]
            left, right = _type_in(env, compare.left), _type_in(env, compare.right)
            return _ordered(_ordered(env, compare.left, op, right), compare.right, _TURNED[op], left)
        case syntax.In(item=x, domain=syntax.Literal() | syntax.Items() as domain) if _written_out(domain):
            path, t = path_of(x), _type_in(env, x)
            if path is None or not isinstance(t, Values):
                return env
            if isinstance(domain.type, ListOf) and isinstance(domain.type.item, Values):
                codes = evaluate(domain, {})
                if holds:
                    return _with_part(env, x, meet(t, domain.type.item))
                if isinstance(codes, tuple) and _exact(domain.type.item, codes):
                    return _with_part(env, x, without(t, domain.type.item))
    return env


def _type_in(env: Env, e: Expr) -> Type:
    return env.get(path_of(e) or "", e.type)


_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _ordered(env: Env, x: Expr, op: str, other: Type) -> Env:
    """Return the env in which `x op other` holds. A comparison that never can leaves everything as it is."""
    path, t = path_of(x), _type_in(env, x)
    if path is None or not isinstance(t, Values) or not isinstance(other, Values):
        return env
    if t.lo is None or t.hi is None or other.lo is None or other.hi is None:
        return env
    lo, hi = t.lo, t.hi
    if op in ("<", "<="):
        hi = min(hi, other.hi - (op == "<"))
    else:
        lo = max(lo, other.lo + (op == ">"))
    return {**env, path: replace(t, lo=lo, hi=hi)} if lo <= hi and (lo, hi) != (t.lo, t.hi) else env


def _written_out(domain: Expr) -> bool:
    """Return whether a list is a set or a list of known values."""
    return isinstance(domain, syntax.Literal) or all(isinstance(c, syntax.Literal) for c in children(domain))


def _equal(env: Env, x: Expr, c: syntax.Literal, equal: bool) -> Env:
    path, t = path_of(x), _type_in(env, x)
    if path is None:
        return env
    if isinstance(t, PlaceOf) and not equal:
        return {**env, path: sure(t)}  # it is compared with none: no other place is known before the game
    other = NOTHING if isinstance(c.type, PlaceOf) else c.type  # a place that is chosen or stored has a code
    if not isinstance(t, Values) or not isinstance(other, Values):
        return env
    return _with_part(env, x, meet(t, other) if equal else without(t, other))


def _with_part(env: Env, x: Expr, shown: Values) -> Env:
    """Return the env with what was shown of a name or a part; what has a part is not none, or nowhere."""
    whole = x.pair if isinstance(x, syntax.Part) else x.place if isinstance(x, syntax.PlacePart) else None
    if whole is not None and not shown.none:
        env = {**env, path_of(whole) or "": sure(_type_in(env, whole))}
    return {**env, path_of(x) or "": shown}


def _exact(t: Values, codes: tuple[Any, ...]) -> bool:
    """Return whether the type holds just these codes and no number in between."""
    numbers = {c for c in codes if isinstance(c, int) and c < NONE}
    return t.lo is None or len(numbers) == t.hi - t.lo + 1  # type: ignore[operator]


# Definitions at their calls ------------------------------------------------------------------------------------


MOST_CALLS = 1000  # with different numbers; further ones are taken for calls with any number


Key = tuple[str, tuple[Type, ...]]  # a definition, and the types it is given


class _Missing(Exception):
    """A call must be worked out first."""

    def __init__(self, key: Key) -> None:
        self.key = key


def takes_number(function: Definition) -> bool:
    """Return whether a definition has a parameter that may be any number."""
    return any(p.set == "number" for p in function.parameters)


@dataclass(slots=True)
class Ranges:
    """Infers types again, with other types of the local names."""

    names: Names
    report: Callable[[Diagnostic], None]

    def call(self, name: str, args: tuple[Type, ...]) -> Type:
        """Return the type of a call that passes values of these types."""
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
        """Return what identifies a call: the numbers it passes; other parameters are as declared."""
        parameters = self.names.functions[name].parameters
        self.names.note_passed(("define", name), parameters, args)
        key = (name, tuple(a if p.set == "number" else p.type for p, a in zip(parameters, args, strict=True)))
        if key not in self.names.calls and len(self.names.calls) >= MOST_CALLS:
            return name, tuple(NUMBER if p.set == "number" else p.type for p in parameters)
        return key

    def value(self, e: Expr, env: Env) -> Type:
        """Return the type of e; Unknown after a complaint."""
        match e:
            case syntax.Local() | syntax.Part() | syntax.PlacePart() if path_of(e):
                return _type_in(env, e)
            case syntax.Logic():
                self.value(e.left, env)
                self.value(e.right, narrowed(env, e.left, e.op == "and"))
                return e.type
            case syntax.Conditional():
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
            case syntax.BuiltinCall(name="max" | "min"):
                types = [self.value(a, env) for a in e.args]
                numbers = [t for t in types if isinstance(t, Values)]
                return extreme_type(e.name, numbers) if len(numbers) == len(types) else Unknown()
            case syntax.BuiltinCall(name="size"):
                items = self.value(e.args[0], env)
                return number(0, items.largest) if isinstance(items, ListOf) else e.type
            case syntax.FunctionCall():
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
