"""Expressions that gather: groups of cells, loops, aggregates."""

from __future__ import annotations

from interpreter.generate.builtins import Builtins
from interpreter.generate.filters import conditions_first, fixed_filter
from interpreter.generate.terms import (
    MOST_FILTER,
    MOST_WRITTEN,
    UNROLL,
    Bound,
    Domain,
    Env,
    known,
    nodes,
    terms_of,
    total,
)
from interpreter.layout import PlaceLayout
from rulespec.expr import core
from rulespec.expr.core import Expr
from rulespec.expr.types import NONE, ListOf, PlaceOf, Several, Values, can_be_none, of_codes
from rulespec.model.model import Template


class Expressions(Builtins):
    """Everything that can stand in an expression."""

    def holes(self, template: Template, env: Env) -> str:
        """The values that the holes of a text show, as a tuple."""
        return (
            "(" + "".join(f"{self._shown(part, env)}, " for part in template.parts if not isinstance(part, str)) + ")"
        )

    def _shown(self, e: Expr, env: Env) -> str:
        if isinstance(e.type, ListOf | Several):
            return f"tuple({self.value(e, env)})"
        return self.number(e, env)

    # groups ----------------------------------------------------------------------------------------------

    def _size(self, e: core.Builtin, env: Env) -> str:
        if isinstance(e.args[0], core.Group):
            return self.group(e.args[0], env, only_size=True)
        text = self.place_list(e.args[0], env) if isinstance(e.args[0], core.Places) else self.value(e.args[0], env)
        return f"len({text})"

    def group(self, e: core.Group, env: Env, only_size: bool = False) -> str:
        key = self._same(e, env, only_size)
        if key not in self._made:
            self._made[key] = (
                self._lines(e, env) or self._group_function(e, env, only_size)
                if only_size
                else self._group_function(e, env, only_size)
            )
        return self._made[key]

    def _lines(self, e: core.Group, env: Env) -> str | None:
        """The size of a group along one straight way: a count outward in both directions, no search."""
        way = self.const(e.along, env)
        lay = self.layout.places[e.start.type.family]  # type: ignore[union-attr]
        if not isinstance(way, int):
            return None
        runs = straight_runs(lay, self.model.value_name(way))
        if runs is None:
            return None
        names = self.outer_names(e, env)
        self._number += 1
        function = f"run{self._number}"
        with self.aside(), self.writer.function(f"def {function}({', '.join(['S', *names])}):", *names):
            w = self.writer
            start = self.once(total(*terms_of(self.address(e.start, env))))
            if self.may_be_nowhere(e.start, env):
                w.line(f"if {start} == {self.layout.nowhere_of(lay.place.name)}: return 0")
            w.line(f"one, other = {self.constants.name('run', runs)}[{start}]")
            w.line("n = 1")
            for side in ("one", "other"):
                with w.block(f"for y in {side}:", "y"):
                    w.line(f"if not {self.value(e.where, {**env, e.name: Bound(e.start.type, 'y')})}: break")
                    w.line("n += 1")
            w.line("return n")
        return f"{function}({', '.join(['S', *names])})"

    def _group_function(self, e: core.Group, env: Env, only_size: bool) -> str:
        family = e.start.type.family  # type: ignore[union-attr]
        lay = self.layout.places[family]
        names = self.outer_names(e, env)
        self._number += 1
        function = f"group{self._number}"
        neighbours = self._neighbours(lay)
        with self.aside(), self.writer.function(f"def {function}({', '.join(['S', *names])}):", *names):
            w = self.writer
            start = total(*terms_of(self.address(e.start, env)))
            w.line(f"found = [{start}]")
            w.bind("found")
            if self.may_be_nowhere(e.start, env):
                w.line(f"if found[0] == {self.layout.nowhere_of(family)}: return {'0' if only_size else '[]'}")
            ways = self.value(e.along, env)
            table = self.constants.name("near", neighbours)
            if isinstance(e.along.type, ListOf):
                w.line(f"near = [{table}[w] for w in {ways}]")
            else:
                w.line(f"near = {table}[{ways}]")
            w.bind("near")
            with w.block("for x in found:", "x"):
                head = (
                    "for y in near[x]:"
                    if not isinstance(e.along.type, ListOf)
                    else "for y in [y for n in near for y in n[x]]:"
                )
                with w.block(head, "y"), w.block("if y not in found:"):
                    test = self.value(e.where, {**env, e.name: Bound(e.start.type, "y")})
                    w.line(f"if {test}: found.append(y)")
            w.line(f"return {'len(found)' if only_size else 'found'}")
        return f"{function}({', '.join(['S', *names])})"

    def _group(self, e: core.Group, env: Env) -> str:
        return self.group(e, env)

    def _neighbours(self, lay: PlaceLayout) -> dict[int, dict[int, tuple[int, ...]]]:
        codes = {name: code for code, name in self.model.member_names.items()}
        return {
            codes[way]: {lay.address(i): tuple(lay.address(n) for n in near) for i, near in enumerate(all_near)}
            for way, all_near in lay.place.ways.items()
        }

    # loops -----------------------------------------------------------------------------------------------

    def domain(self, e: Expr, env: Env) -> Domain:
        """What a loop over e runs over."""
        match e.type:
            case PlaceOf():
                lay = self._family(e)
                at = self.address(e, env)
                kinds = lay.place.kinds
                return Domain(self._kinds_type(lay), kinds, repr(kinds), lambda b: self.count_at(lay, at, [b]))
            case Several():
                place = {k: i for i, k in enumerate(e.type.kinds)}
                text = self.value(e, env)
                slots = self.constants.name("slot", place)
                keep = lambda b: f"{text}[{place[b.const] if b.const is not None else f'{slots}[{b.text}]'}]"  # noqa: E731
                return Domain(of_codes(e.type.kinds), e.type.kinds, repr(e.type.kinds), keep)
        item = e.type.item if isinstance(e.type, ListOf) else e.type
        values = self.const(e, env)
        if values is not None:
            return Domain(item, values, repr(values))
        if isinstance(e, core.Places):
            start, many, width = self.row(e, env)
            if start is None:
                return Domain(item, (), "()")
            if not start[0] and many > 0:
                addresses = tuple(range(start[1], start[1] + many * width, width))
                return Domain(item, addresses, repr(range(start[1], start[1] + many * width, width)))
            return Domain(item, None, self.place_list(e, env))
        return Domain(item, None, self.value(e, env))

    def _kinds_type(self, lay: PlaceLayout) -> Values:
        return of_codes(lay.place.kinds)

    def _aggregate(self, e: core.Aggregate, env: Env) -> str:
        e = conditions_first(e)
        witness = self._witness(e, env)
        if witness is not None:
            return witness
        passes = self._passes(e, env)
        if passes is not None:
            return self._unrolled(e, passes)
        return self._loop(e, env)

    def _witness(self, e: core.Aggregate, env: Env) -> str | None:
        """Where a filter over printed data leaves at most one value, a table finds it: no loop is needed.

        `any(printed[t, c] = k and … for c in column)`: the column is looked up by t and k.
        """
        if len(e.bindings) != 1 or e.where is None or e.stop is not None or e.op in ("list", "max", "min"):
            return None
        name, domain_expr = e.bindings[0]
        domain = self.domain(domain_expr, env)
        if domain.values is None or domain.keep is not None or self.work.effort(e.where) > MOST_FILTER:
            return None
        fixed = fixed_filter(e.where, name, domain, env, self.work)
        if fixed is None:
            return None
        lookup = self.constants.name("only", fixed.table)
        for n in fixed.outer:
            lookup += f"[{env[n].text}]"
        found = self.writer.temp()
        self._lazy.add(found)
        b = Bound(of_codes(domain.values, getattr(domain.type, "home", "")), found)
        inner = {**env, name: b, **fixed.narrowed(env)}
        inner_e = core.Aggregate(e.type, e.op, e.body, (), fixed.rest, None)
        tests = [f"({found} := {lookup}) != {NONE}"]
        if fixed.rest is not None:
            with self.sometimes():
                tests.append(self.value(fixed.rest, inner))
        return self._unrolled(inner_e, [(inner, tests)])

    def _passes(self, e: core.Aggregate, env: Env) -> list[tuple[Env, list[str]]] | None:
        """Every pass of a short loop over known values: its env, and the tests it must pass; None if it is long."""
        if e.stop is not None or e.op == "list":
            return None
        passes: list[tuple[Env, list[str]]] = [(env, [])]
        for name, domain_expr in e.bindings:
            longer: list[tuple[Env, list[str]]] = []
            for inner, tests in passes:
                domain = self.domain(domain_expr, inner)
                if domain.values is None or len(domain.values) > UNROLL:
                    return None
                for value in domain.values:
                    b = known(value, domain.type)
                    keep = [domain.keep(b)] if domain.keep else []
                    longer.append(({**inner, name: b}, tests + keep))
            passes = longer
            if len(passes) > 2 * UNROLL:
                return None
        written = self.size(e.body) + (self.size(e.where) if e.where is not None else 0)
        if len(passes) * nodes(e.body) > 24 * UNROLL or len(passes) * written > MOST_WRITTEN:
            return None
        out = []
        for inner, tests in passes:
            if e.where is not None:
                value = self.const(e.where, inner)
                if value == 0:
                    continue
                if value is None:
                    with self.sometimes():
                        tests = [*tests, self.value(e.where, inner)]
            out.append((inner, tests))
        return out

    def _unrolled(self, e: core.Aggregate, passes: list[tuple[Env, list[str]]]) -> str:
        with self.sometimes():
            texts = self._pass_texts(e, passes)
        return self._gathered(e, passes, texts)

    def _pass_texts(self, e: core.Aggregate, passes: list[tuple[Env, list[str]]]) -> list[str]:
        texts = []
        for inner, tests in passes:
            test = " and ".join(tests)
            if e.op in ("any", "count"):
                body = self.value(e.body, inner)
                texts.append(" and ".join(t for t in (*tests, "" if body == "1" else body) if t) or "1")
            elif e.op == "all":
                body = self.value(e.body, inner)
                texts.append(f"(not ({test}) or {body})" if test else body)
            elif e.op == "sum":
                body = self._number_or_nothing(e.body, inner)
                texts.append(f"({body} if {test} else 0)" if test else body)
            else:
                texts.append(self._if_passed(e, inner, test))
        return texts

    def _gathered(self, e: core.Aggregate, passes: list[tuple[Env, list[str]]], texts: list[str]) -> str:
        match e.op:
            case "any":
                return "(" + (" or ".join(texts) or "0") + ")"
            case "all":
                return "(" + (" and ".join(texts) or "1") + ")"
            case "count":
                return "(" + (" + ".join(f"(1 if {t} else 0)" for t in texts) or "0") + ")"
            case "sum":
                return "(" + (" + ".join(t for t in texts if t != "0") or "0") + ")"
            case "first":
                return "(" + "".join(texts) + f"{NONE})"
            case _:
                if any(tests or can_be_none(e.body.type) for _, tests in passes):
                    function = "largest" if e.op == "max" else "smallest"
                    return f"{function}(({', '.join(texts)},))" if texts else str(NONE)
                return f"{e.op}({', '.join(texts)})" if len(texts) > 1 else texts[0] if texts else str(NONE)

    def _number_or_nothing(self, body: Expr, env: Env) -> str:
        if not can_be_none(body.type):
            return self.value(body, env)
        value = self.const(body, env)
        if value is not None:
            return "0" if value == NONE else repr(value)
        first, later = self.twice(body, env)
        return f"({later} if {first} != {NONE} else 0)"

    def _if_passed(self, e: core.Aggregate, env: Env, test: str) -> str:
        body = self.value(e.body, env)
        if e.op == "first":
            return f"{body} if {test or '1'} else "
        return f"({body} if {test} else {NONE})" if test else body

    def _loop(self, e: core.Aggregate, env: Env) -> str:
        """A loop as a generated function, and the call of it."""
        key = self._same(e, env)
        if key in self._made:
            return self._made[key]
        names = self.outer_names(e, env)
        self._number += 1
        function = f"{e.op}{self._number}"
        starts = {"sum": "0", "count": "0", "max": str(NONE), "min": str(NONE), "list": "[]"}
        with self.aside(), self.writer.function(f"def {function}({', '.join(['S', *names])}):", *names):
            w = self.writer
            if e.op in starts:
                w.line(f"found = {starts[e.op]}")
            self._nest(e, list(e.bindings), dict(env))
            ends = {"any": "False", "all": "True", "first": str(NONE)}
            w.line(f"return {ends.get(e.op, 'found')}")
        self._made[key] = f"{function}({', '.join(['S', *names])})"
        return self._made[key]

    def _nest(self, e: core.Aggregate, bindings: list[tuple[str, Expr]], env: dict[str, Bound]) -> None:
        w = self.writer
        if bindings:
            name, domain_expr = bindings[0]
            domain = self.domain(domain_expr, env)
            text = domain.text
            if domain.values is not None and len(domain.values) > 3:
                text = self.constants.name("all", domain.values)
            variable = w.local(name)
            with w.block(f"for {variable} in {text}:", variable):
                b = Bound(domain.type, variable)
                if domain.keep:
                    w.line(f"if not {domain.keep(b)}: continue")
                self._nest(e, bindings[1:], {**env, name: b})
            return
        if e.stop is not None:
            ends = {"any": "False", "all": "True", "first": str(NONE)}
            w.line(f"if not {self.value(e.stop, env)}: return {ends.get(e.op, 'found')}")
        if e.where is not None:
            w.line(f"if not {self.value(e.where, env)}: continue")
        body = self.value(e.body, env)
        match e.op:
            case "any":
                w.line(f"if {body}: return True")
            case "all":
                w.line(f"if not {body}: return False")
            case "count":
                w.line(f"if {body}: found += 1")
            case "first":
                w.line(f"return {body}")
            case "list":
                w.line(f"v = {body}")
                w.line(f"if v != {NONE}: found.append(v)" if can_be_none(e.body.type) else "found.append(v)")
            case "sum":
                w.line(f"found += {self._number_or_nothing(e.body, env)}")
            case _:
                w.line(f"v = {body}")
                sign = ">" if e.op == "max" else "<"
                w.line(f"if v != {NONE} and (found == {NONE} or v {sign} found): found = v")


def straight_runs(lay: PlaceLayout, way: str) -> dict[int, tuple[tuple[int, ...], tuple[int, ...]]] | None:
    """For each cell the cells on its one side and on its other side along a way, or None if the way is no set of lines."""
    near = lay.place.ways[way]
    if any(len(n) > 2 or any(i not in near[j] for j in n) for i, n in enumerate(near)):
        return None
    runs = {}
    for i in range(lay.place.size):
        sides: list[tuple[int, ...]] = []
        for first in near[i]:
            line, before = [first], i
            while following := [n for n in near[line[-1]] if n != before]:
                if following[0] == i:
                    return None  # a ring
                before = line[-1]
                line.append(following[0])
            sides.append(tuple(lay.address(n) for n in line))
        runs[lay.address(i)] = (sides[0] if sides else (), sides[1] if len(sides) > 1 else ())
    return runs
