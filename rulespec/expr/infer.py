"""Syntax trees → checked expressions: names resolved, types inferred, every mismatch reported at its words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rulespec.diagnostics import Diagnostic, Span
from rulespec.expr import core
from rulespec.expr.builtins import AGGREGATES, BUILTINS
from rulespec.expr.core import Expr
from rulespec.expr.names import Names
from rulespec.expr.narrow import Env, narrowed
from rulespec.expr.parse import Fragment, Syntax
from rulespec.expr.results import arithmetic_type, domain_size, surely_filled
from rulespec.expr.types import (
    LARGEST,
    NONE,
    NOTHING,
    NUMBER,
    ListOf,
    PlaceOf,
    Several,
    Type,
    Unknown,
    Values,
    YesNo,
    can_be_none,
    inside,
    join,
    join_all,
    number,
    or_none,
    overlap,
    sure,
)

UNKNOWN = core.Const(Unknown(), 0)


@dataclass(slots=True)
class Inference:
    """Checks the expressions of one fragment. `env` holds the types of the local names."""

    names: Names
    fragment: Fragment
    env: Env
    report: Callable[[Diagnostic], None]

    # complaints ------------------------------------------------------------------------------------------

    def span(self, node: Syntax | None = None) -> Span:
        return self.fragment.span(node)

    def complain(self, node: Syntax, code: str, message: str, why: str = "", fix: str = "") -> Expr:
        self.report(Diagnostic(self.span(node), code, message, why, fix))
        return UNKNOWN

    def describe(self, e: Expr) -> str:
        return self.names.describe(e)

    def expected(self, node: Syntax, what: str, found: Expr) -> Expr:
        return self.complain(node, "type-mismatch", f"expected {what}, found {self.describe(found)}")

    # entry points ----------------------------------------------------------------------------------------

    def value(self, node: Syntax | None = None, env: Env | None = None) -> Expr:
        """Any expression."""
        node = node or self.fragment.root
        env = self.env if env is None else env
        method: Callable[[Syntax, Env], Expr] = getattr(self, f"_{node.kind}")
        return method(node, env)

    def condition(self, node: Syntax | None = None, env: Env | None = None) -> Expr:
        """An expression that is yes or no."""
        node = node or self.fragment.root
        e = self.value(node, env)
        if isinstance(e.type, YesNo | Unknown):
            return e
        return self.expected(node, "a condition (yes or no)", e)

    def number(self, node: Syntax | None = None, env: Env | None = None) -> Expr:
        """An expression that is surely a number."""
        node = node or self.fragment.root
        e = self.value(node, env)
        if isinstance(e.type, Unknown):
            return e
        if isinstance(e.type, Values) and not e.type.members and (e.type.lo is not None):
            if e.type.none:
                return self._maybe_none(node, "a number", e)
            return e
        return self.expected(node, "a number", e)

    def argument(self, node: Syntax, wanted: Type, what: str, env: Env | None = None) -> Expr:
        """An expression whose values all lie inside `wanted`."""
        e = self.value(node, env)
        return self.fit(node, e, wanted, what)

    def fit(self, node: Syntax, e: Expr, wanted: Type, what: str) -> Expr:
        if isinstance(e.type, Unknown) or isinstance(wanted, Unknown):
            return e
        if isinstance(wanted, Values) and isinstance(e.type, Values):
            if inside(e.type, wanted):
                return e
            if inside(sure(e.type), wanted):  # type: ignore[arg-type]
                return self._maybe_none(node, what, e)
            if e.type.is_number and wanted.is_number and overlap(e.type, wanted):
                return e  # a number that may leave the range: play finds out, with a fault
            return self.expected(node, what, e)
        if type(e.type) is type(wanted):
            return e
        return self.expected(node, what, e)

    def _maybe_none(self, node: Syntax, what: str, e: Expr) -> Expr:
        return self.complain(
            node,
            "type-none",
            f"expected {what}, but this may be none",
            "reading outside a set, `first`, and `max` of nothing give none",
            "write `… default 0` (or another value), or test `!= none` first",
        )

    # leaves ----------------------------------------------------------------------------------------------

    def _number(self, node: Syntax, env: Env) -> Expr:
        n: int = node.parts[0]
        if n > LARGEST:
            return self.complain(node, "number-too-large", f"`{n}` is too large: numbers go up to {LARGEST}")
        return core.Const(number(n, n), n)

    def _true(self, node: Syntax, env: Env) -> Expr:
        return core.Const(YesNo(), 1)

    def _false(self, node: Syntax, env: Env) -> Expr:
        return core.Const(YesNo(), 0)

    def _none(self, node: Syntax, env: Env) -> Expr:
        return core.Const(NOTHING, NONE)

    def _bracket(self, node: Syntax, env: Env) -> Expr:
        return self.value(node.parts[0], env)

    def _name(self, node: Syntax, env: Env) -> Expr:
        name: str = node.parts[0]
        if name in env:
            return core.Local(env[name], name)
        found = self.names.plain(name)
        if found is not None:
            return found
        if name == "me":
            return self.complain(node, "name-me", "`me` is not known here",
                                 "`me` is the player who decides, scores or is ranked; functions and steps are given players as parameters")  # fmt: skip
        if (function := self.names.function(name)) is not None:
            n = len(function.parameters)
            return self.complain(node, "call-arguments", f"`{name}` needs {n} argument{'s' * (n != 1)} in brackets")
        return self.unknown(node, name, "name")

    def unknown(self, node: Syntax, name: str, what: str) -> Expr:
        self.report(self.names.unknown(name, what, self.span(node), self.env))
        return UNKNOWN

    # logic -----------------------------------------------------------------------------------------------

    def _not(self, node: Syntax, env: Env) -> Expr:
        return core.Not(YesNo(), self.condition(node.parts[0], env))

    def _and(self, node: Syntax, env: Env) -> Expr:
        left = self.condition(node.parts[0], env)
        right = self.condition(node.parts[1], narrowed(env, left, True))
        return core.Logic(YesNo(), "and", left, right)

    def _or(self, node: Syntax, env: Env) -> Expr:
        left = self.condition(node.parts[0], env)
        right = self.condition(node.parts[1], narrowed(env, left, False))
        return core.Logic(YesNo(), "or", left, right)

    def _if(self, node: Syntax, env: Env) -> Expr:
        test = self.condition(node.parts[0], env)
        then = self.value(node.parts[1], narrowed(env, test, True))
        other = self.value(node.parts[2], narrowed(env, test, False))
        both = join(then.type, other.type)
        if both is None:
            return self.complain(node, "type-mismatch",
                                 f"`then` gives {self.describe(then)}, `else` gives {self.describe(other)}",
                                 "both must be of one kind")  # fmt: skip
        return core.If(both, test, then, other)

    def _let(self, node: Syntax, env: Env) -> Expr:
        name, value_node, body_node = node.parts
        self.names.check_new_local(name, self.span(node), env, self.report)
        value = self.value(value_node, env)
        body = self.value(body_node, {**env, name: value.type})
        return core.Let(body.type, name, value, body)

    def _compare(self, node: Syntax, env: Env) -> Expr:
        left_node, op, right_node = node.parts
        if op not in ("=", "!="):
            return core.Compare(YesNo(), op, self.number(left_node, env), self.number(right_node, env))
        left, right = self.value(left_node, env), self.value(right_node, env)
        if isinstance(left.type, Unknown) or isinstance(right.type, Unknown):
            return core.Const(YesNo(), 0)
        if isinstance(left.type, Values) and isinstance(right.type, Values):
            if overlap(left.type, right.type) or (left.type.none and right.type.none):
                return core.Compare(YesNo(), op, left, right)
            if left.type.never or right.type.never:
                return core.Const(YesNo(), int(op == "!="))
            always = "false" if op == "=" else "true"
            return self.complain(node, "type-never-equal",
                                 f"this is always {always}: {self.describe(left)} is never {self.describe(right)}")  # fmt: skip
        if isinstance(left.type, YesNo) and isinstance(right.type, YesNo):
            return core.Compare(YesNo(), op, left, right)
        return self.complain(node, "type-mismatch", f"cannot compare {self.describe(left)} with {self.describe(right)}")

    def _in(self, node: Syntax, env: Env) -> Expr:
        item, domain = self.value(node.parts[0], env), self.value(node.parts[1], env)
        wrong = self._in_problem(node, item, domain)
        return wrong or core.In(YesNo(), item, domain)

    def _not_in(self, node: Syntax, env: Env) -> Expr:
        return core.Not(YesNo(), self._in(node, env))

    def _in_problem(self, node: Syntax, item: Expr, domain: Expr) -> Expr | None:
        match domain.type:
            case Unknown():
                return core.Const(YesNo(), 0)
            case PlaceOf():
                held: Type = self.names.kinds_type((domain.type.family,))
            case ListOf(item=PlaceOf(family=family)):
                held = self.names.kinds_type((family,))
            case ListOf():
                held = domain.type.item
            case Several():
                held = self.names.type_of_kinds(domain.type.kinds)
            case _:
                self.expected(node.parts[1], "a set, a list or a place", domain)
                return core.Const(YesNo(), 0)
        if isinstance(item.type, Unknown) or isinstance(held, Unknown):
            return core.Const(YesNo(), 0)
        if not isinstance(item.type, Values) or not isinstance(held, Values):
            self.expected(node.parts[0], "a number or a member of a set", item)
            return core.Const(YesNo(), 0)
        if overlap(item.type, held) or (item.type.none and held.none) or item.type.never or held.never:
            return None
        self.complain(node, "type-never-in", f"{self.describe(item)} is never in {self.describe(domain)}")
        return core.Const(YesNo(), 0)

    def _default(self, node: Syntax, env: Env) -> Expr:
        value, other = self.value(node.parts[0], env), self.value(node.parts[1], env)
        both = join(sure(value.type), other.type)
        if both is None:
            return self.complain(node, "type-mismatch",
                                 f"{self.describe(value)} cannot default to {self.describe(other)}")  # fmt: skip
        return core.Default(both, value, other)

    # numbers and lists -----------------------------------------------------------------------------------

    def _range(self, node: Syntax, env: Env) -> Expr:
        lo, hi = self.number(node.parts[0], env), self.number(node.parts[1], env)
        if isinstance(lo.type, Values) and isinstance(hi.type, Values):
            low, high = lo.type.lo or 0, hi.type.hi or 0
            return core.Range(ListOf(number(low, max(low, high)), max(0, high - low + 1)), lo, hi)
        return core.Const(ListOf(Unknown()), ())

    def _arithmetic(self, node: Syntax, env: Env) -> Expr:
        left_node, op, right_node = node.parts
        if op == "*" and (pairs := self._pairs(left_node, right_node)):
            return pairs
        left, right = self.number(left_node, env), self.number(right_node, env)
        a, b = left.type, right.type
        if not isinstance(a, Values) or not isinstance(b, Values):
            return core.Const(NUMBER, 0)
        if op in ("/", "mod") and b.lo <= 0 <= b.hi:  # type: ignore[operator]
            return self.complain(right_node, "type-divide", "this may be 0, and nothing can be divided by 0", "",
                                 "write `max(1, …)`")  # fmt: skip
        return core.Arithmetic(arithmetic_type(op, a, b), op, left, right)

    def _pairs(self, left: Syntax, right: Syntax) -> Expr | None:
        """`side * spot` where both are sets is a set of pairs; only `sets:` knows what to do with it."""
        names = [n.parts[0] for n in (left, right) if n.kind == "name"]
        if len(names) == 2 and all(n in self.names.sets for n in names):
            return core.Builtin(
                ListOf(Unknown()), "pairs", (core.Local(Unknown(), names[0]), core.Local(Unknown(), names[1]))
            )
        return None

    def _negative(self, node: Syntax, env: Env) -> Expr:
        e = self.number(node.parts[-1], env)
        if not isinstance(e.type, Values):
            return e
        zero = core.Const(number(0, 0), 0)
        return core.Arithmetic(number(-e.type.hi, -e.type.lo), "-", zero, e)  # type: ignore[operator]

    def _list_of(self, node: Syntax, env: Env) -> Expr:
        parts = node.parts[0].parts if node.parts and node.parts[0] else ()
        items = [self.value(p, env) for p in parts]
        # a set named in a list stands for its members
        flat = [e.type.item if isinstance(e.type, ListOf) else e.type for e in items]
        item = join_all(flat)
        if item is None:
            return self.complain(node, "type-mismatch", "the items of this list are of different kinds",
                                 ", ".join(self.describe(e) for e in items))  # fmt: skip
        largest = sum(e.type.largest if isinstance(e.type, ListOf) else 1 for e in items)
        return core.Items(ListOf(item, largest), tuple(items))

    # reading ---------------------------------------------------------------------------------------------

    def _index(self, node: Syntax, env: Env) -> Expr:
        base, arguments = node.parts[0], node.parts[1].parts
        if base.kind != "name":
            return self.complain(node, "index-base", "only places, tables and variables have indexes")
        name: str = base.parts[0]
        if name in env or (not self.names.is_indexed(name) and self.names.plain(name) is not None):
            return self.complain(base, "index-base", f"`{name}` has no index", f"it is {self.names.what(name, env)}")
        if not self.names.is_indexed(name):
            return self.unknown(base, name, "place, table or variable")
        index = self.indexes(node, name, arguments, env)
        if index is None:
            return UNKNOWN
        exprs, sure_inside = index
        return self.names.read(name, exprs, sure_inside)

    def indexes(
        self, node: Syntax, name: str, nodes: tuple[Syntax, ...], env: Env
    ) -> tuple[tuple[Expr, ...], bool] | None:
        """The checked indexes of `name[…]`, pairs taken apart, and whether they are surely inside."""
        sets = self.names.index_types(name)
        exprs: list[tuple[Syntax, Expr]] = []
        for n in nodes:
            e = self.value(n, env)
            wanted = sets[len(exprs)] if len(exprs) < len(sets) else None
            pair = self.names.pair_of(e.type)
            if pair and (wanted is None or not overlap(wanted, e.type)):  # type: ignore[arg-type]
                exprs += [(n, self.part(e, pair, which)) for which in (0, 1)]
            else:
                exprs.append((n, e))
        few = len(exprs) < len(sets) and name in self.names.places
        if len(exprs) != len(sets) and not few:
            declared = self.names.head(name)
            self.complain(node, "index-count", f"`{name}` has {len(sets)} index{'es' * (len(sets) != 1)}, {len(exprs)} given",
                          f"it is declared as `{declared}`")  # fmt: skip
            return None
        sure_inside = True
        for (n, e), wanted, codes in zip(exprs, sets, self.names.index_codes(name), strict=False):
            if isinstance(e.type, Unknown):
                continue
            if not isinstance(e.type, Values):
                self.expected(n, f"an index in {self.names.describe_type(wanted)}", e)
                return None
            if e.type != NOTHING and not overlap(e.type, wanted):
                self.complain(n, "index-outside", f"{self.describe(e)} is never an index of `{name}`",
                              f"it is declared as `{self.names.head(name)}`")  # fmt: skip
                return None
            sure_inside = sure_inside and self.names.index_inside(e.type, codes)
        return tuple(e for _, e in exprs), sure_inside

    def part(self, e: Expr, pair: str, which: int) -> Expr:
        part_type: Type = self.names.sets[self.names.sets[pair].parts[which]].type
        if isinstance(e, core.Const) and isinstance(e.value, int) and e.value != NONE:
            code = self.names.pair_parts[e.value][which]
            return core.Const(self.names.const_type(code), code)
        return core.Part(or_none(part_type) if can_be_none(e.type) else part_type, e, pair, which)

    def _part(self, node: Syntax, env: Env) -> Expr:
        base, name = node.parts
        if base.kind == "name" and base.parts[0] not in env:
            code = self.names.members.get(f"{base.parts[0]}.{name}")
            if code is not None:
                return core.Const(self.names.const_type(code), code)
        e = self.value(base, env)
        if isinstance(e.type, Unknown):
            return UNKNOWN
        pair = self.names.pair_of(e.type)
        if pair is None:
            return self.complain(node, "part-of-no-pair", f"{self.describe(e)} has no parts",
                                 "only members of a set of pairs (`a * b`) have parts")  # fmt: skip
        parts = self.names.sets[pair].parts
        if name not in parts:
            return self.complain(
                node, "part-unknown", f"a `{pair}` has no part `{name}`", f"its parts are `{parts[0]}` and `{parts[1]}`"
            )
        return self.part(e, pair, parts.index(name))

    # calls -----------------------------------------------------------------------------------------------

    def _call(self, node: Syntax, env: Env) -> Expr:
        name, arguments = node.parts[0], node.parts[1].parts
        if name in BUILTINS:
            return BUILTINS[name].build(self, node, arguments, env)
        function = self.names.function(name)
        if function is None:
            if name in AGGREGATES:
                return self.complain(node, "aggregate-shape", f"`{name}` needs `for`", "",
                                     f"write `{name}(… for x in … )`")  # fmt: skip
            if name in env or self.names.plain(name) is not None or self.names.is_indexed(name):
                fix = f"write `{name}[…]`" if self.names.is_indexed(name) else ""
                return self.complain(
                    node, "call-not-function", f"`{name}` is {self.names.what(name, env)}, not a function", "", fix
                )
            return self.unknown(node, name, "function")
        args = self.arguments(node, name, function.parameters, arguments, env)
        return core.Call(function.body.type, name, args) if args is not None else core.Const(function.body.type, 0)

    def arguments(
        self, node: Syntax, name: str, parameters: Any, nodes: tuple[Syntax, ...], env: Env
    ) -> tuple[Expr, ...] | None:
        """The checked arguments of a call, a `do`, an asked move or a scoring rule."""
        if len(nodes) != len(parameters):
            wanted = ", ".join(f"{p.set} {p.name}" for p in parameters) or "nothing"
            self.complain(node, "call-arguments", f"`{name}` takes {len(parameters)} argument{'s' * (len(parameters) != 1)} "
                          f"({wanted}), {len(nodes)} given")  # fmt: skip
            return None
        return tuple(
            self.argument(n, p.type, self.names.describe_type(p.type), env)
            for n, p in zip(nodes, parameters, strict=True)
        )

    def binding(self, node: Syntax, name: str, domain_node: Syntax, env: Env) -> tuple[Expr, Env]:
        """A checked `name in domain` and the env in which the name is known."""
        self.names.check_new_local(name, self.span(node), env, self.report)
        domain = self.value(domain_node, env)
        return domain, {**env, name: self.item_type(domain_node, domain)}

    def item_type(self, node: Syntax, domain: Expr) -> Type:
        match domain.type:
            case ListOf():
                return domain.type.item
            case PlaceOf():
                return self.names.kinds_type((domain.type.family,))
            case Several():
                return self.names.type_of_kinds(domain.type.kinds)
            case Unknown():
                return Unknown()
            case _:
                self.expected(node, "a set, a range, a list or a place", domain)
                return Unknown()

    def _aggregate(self, node: Syntax, env: Env) -> Expr:
        op, body_node, bindings_node = node.parts[:3]
        filter_node = node.parts[3] if len(node.parts) > 3 else None
        if op not in AGGREGATES:
            return self.complain(
                node, "aggregate-unknown", f"`{op}` does not gather values", "", f"use one of {', '.join(AGGREGATES)}"
            )
        bindings = []
        largest = 1
        for inner in bindings_node.parts:
            name, domain_node = inner.parts
            domain, env = self.binding(inner, name, domain_node, env)
            bindings.append((name, domain))
            largest = min(LARGEST, largest * domain_size(domain))
        where = stop = None
        if filter_node is not None:
            test = self.condition(filter_node.parts[0], env)
            if filter_node.kind == "where":
                where, env = test, narrowed(env, test, True)
            else:
                stop = test
        sometimes_empty = where is not None or stop is not None or not all(surely_filled(d) for _, d in bindings)
        body, result = self._gathered(op, body_node, env, largest, sometimes_empty)
        return core.Aggregate(result, op, body, tuple(bindings), where, stop)

    def _gathered(self, op: str, node: Syntax, env: Env, largest: int, sometimes_empty: bool) -> tuple[Expr, Type]:
        if op in ("any", "all", "count"):
            body = self.condition(node, env)
            return body, number(0, largest) if op == "count" else YesNo()
        body = self.value(node, env)
        if isinstance(body.type, Unknown):
            return body, Unknown()
        if op == "list":
            return body, ListOf(sure(body.type), largest)
        if op == "first":
            return body, or_none(body.type)
        if not isinstance(body.type, Values) or body.type.members or body.type.lo is None:
            self.expected(node, "a number", body)
            return body, Unknown()
        lo, hi = body.type.lo, body.type.hi
        assert hi is not None
        if op == "sum":
            return body, number(min(0, lo * largest), max(0, hi * largest))
        empty = sometimes_empty or body.type.none
        return body, Values(lo, hi, none=empty)

    def _group(self, node: Syntax, env: Env) -> Expr:
        name, start_node, along_node, where_node = node.parts
        start, along = self.value(start_node, env), self.value(along_node, env)
        if not isinstance(start.type, PlaceOf):
            return (
                UNKNOWN if isinstance(start.type, Unknown) else self.expected(start_node, "a place of a board", start)
            )
        if not self.check_ways(along_node, along, start.type.family):
            return UNKNOWN
        self.names.check_new_local(name, self.span(node), env, self.report)
        where = self.condition(where_node, {**env, name: start.type})
        size = self.names.places[start.type.family].size
        return core.Group(ListOf(start.type, size), name, start, along, where)

    def check_ways(self, node: Syntax, along: Expr, family: str) -> bool:
        """Whether `along` is a way, or a list of ways, of this board; complains if not."""
        item = along.type.item if isinstance(along.type, ListOf) else along.type
        if isinstance(item, Unknown):
            return False
        known = {self.names.members[w] for w in self.names.places[family].ways if w in self.names.members}
        if isinstance(item, Values) and item.members and item.lo is None and item.members <= known:
            return True
        ways = ", ".join(f"`{w}`" for w in self.names.places[family].ways) or "none"
        self.complain(
            node, "way-unknown", f"expected a way of `{family}`, found {self.describe(along)}", f"its ways are {ways}"
        )
        return False
