"""Syntax trees → checked expressions: names resolved, types inferred, every mismatch reported at its words.

What each form of an expression means stands in `forms` and `readings`; here is what they share.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from rulespec.diagnostics.diagnostic import Diagnostic, Span, closest
from rulespec.expr import access as readings
from rulespec.expr.forms import FORMS, UNKNOWN
from rulespec.expr.names import Names
from rulespec.expr.narrow import Env, narrowed
from rulespec.expr.parse import Fragment, Syntax
from rulespec.expr.results import Reach, range_problem, too_far
from rulespec.syntax import (
    NOTHING,
    NUMBER,
    Expr,
    ListOf,
    PlaceOf,
    Several,
    Type,
    Unknown,
    Values,
    YesNo,
    inside,
    number,
    overlap,
    sure,
)

LONGEST_FIX = 60  # characters of the author's text that are repeated with a change
Also = tuple[tuple[str, Span], ...]


@dataclass(slots=True)
class Inference:
    """Checks the expressions of one fragment. `env` holds the types of the local names."""

    names: Names
    fragment: Fragment
    env: Env
    report: Callable[[Diagnostic], None]
    any_number: bool = False  # a definition that takes a `number`: what that can reach is looked at where it is called

    # complaints ------------------------------------------------------------------------------------------

    def span(self, node: Syntax | None = None) -> Span:
        return self.fragment.span(node)

    def name_span(self, node: Syntax, name: str) -> Span:
        """Where the name itself stands in the node."""
        start = self.fragment.offset + node.start
        found = re.compile(rf"\b{name}\b").search(self.fragment.scalar.text, start)
        return self.fragment.scalar.at(found.start(), found.end()) if found else self.span(node)

    def text(self, node: Syntax) -> str:
        """The author's own words."""
        words = self.fragment.scalar.text[self.fragment.offset + node.start : self.fragment.offset + node.end]
        return " ".join(words.split())

    def complain(self, node: Syntax, code: str, message: str, why: str = "", fix: str = "", also: Also = ()) -> Expr:
        self.report(Diagnostic(self.span(node), code, message, why, fix, also))
        return UNKNOWN

    def describe(self, e: Expr) -> str:
        return self.names.describe(e)

    def expected(self, node: Syntax, what: str, found: Expr) -> Expr:
        return self.complain(node, "type-mismatch", f"expected {what}, found {self.describe(found)}")

    def no_list(self, node: Syntax, what: str, found: Expr) -> Expr:
        """The complaint that there is nothing to go through; `1-5` is mostly meant as a range."""
        if node.kind == "arithmetic" and node.parts[1] == "-" and isinstance(found.type, Values):
            low, high = self.text(node.parts[0]), self.text(node.parts[2])
            message = f"`{self.text(node)}` is a number, {low} less {high}"
            return self.complain(
                node, "expr-range", message, "a range is written with two dots", f"write `{low}..{high}`"
            )
        near = closest(self.text(node), self.names.sets) if node.kind == "name" else None
        fix = f"did you mean `{near}`?" if near else ""
        if not near and isinstance(found.type, Values) and found.type.is_number:
            fix = f"for the numbers up to it write `1..{self.text(node)}`"
        return self.complain(node, "type-mismatch", f"expected {what}, found {self.describe(found)}", "", fix)

    def no_place(self, node: Syntax, found: Expr) -> Expr:
        """The complaint that something else stands where a place is expected; a kind of piece is not where it lies."""
        item = found.type.item if isinstance(found.type, ListOf) else found.type
        kinds = item.members if isinstance(item, Values) else frozenset()
        possible = [p.name for p in self.names.places.values() if kinds and kinds <= set(p.kinds)]
        message = f"expected a place, found {self.describe(found)}"
        if not possible:
            return self.complain(node, "type-mismatch", message)
        shown = ", ".join(f"`{self.names.head(name)}`" for name in possible[:4]) + (", …" if len(possible) > 4 else "")
        why = f"`{self.text(node)}` is what lies there, not where it lies"
        return self.complain(node, "type-mismatch", message, why, f"name a place where it can lie: {shown}")

    def not_one_place(self, node: Syntax, what: str, found: Expr) -> Expr:
        """The complaint that this is not one place; a list of places is mostly one with an index left out."""
        if not isinstance(found.type, ListOf) or not isinstance(found.type.item, PlaceOf):
            return (
                self.no_place(node, found)
                if isinstance(found.type, Values | ListOf)
                else self.expected(node, what, found)
            )
        family = found.type.item.family
        place = self.names.places[family]
        given = len(node.parts[1].parts) if node.kind == "index" else 0
        message = f"expected {what}, found all of `{self.text(node)}`: an index is missing"
        declared = f"it is declared as `{self.names.head(family)}`"
        rest = ", ".join(name or "…" for name in place.index[given:])
        words = self.text(node)
        fix = f"write `{words[:-1]}, {rest}]`" if words.endswith("]") else f"write `{words}[{rest}]`"
        return self.complain(node, "index-missing", message, declared, f"{fix} with the one that is meant")

    def no_index(self, node: Syntax, name: str, env: Env) -> Expr:
        """The complaint about a table or variable of which there are several, and it is not said which one."""
        head = self.names.head(name)
        why = f"it is declared as `{head}`: there is one for each"
        meant = re.sub(r"\bplayer\b", "me", head) if "me" in env else head
        fix = f"write `{meant}`" if "," not in head and meant != head else f"write `{meant}` with the one that is meant"
        return self.complain(node, "index-missing", f"`{name}` stands without its index", why, fix)

    def homes(self, *found: Expr) -> Also:
        """Where the sets are declared whose members these are: two that never meet."""
        names = {}
        for e in found:
            t = e.type.item if isinstance(e.type, ListOf) else e.type
            if isinstance(t, Values) and t.home in self.names.declared:
                names[t.home] = self.names.declared[t.home][1]
        return tuple((f"the set `{name}`", span) for name, span in names.items())

    # entry points ----------------------------------------------------------------------------------------

    def value(self, node: Syntax | None = None, env: Env | None = None) -> Expr:
        """Any expression."""
        node = node or self.fragment.root
        env = self.env if env is None else env
        return FORMS[node.kind](self, node, env)

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
        return self.sure_number(node, self.value(node, env))

    def sure_number(self, node: Syntax, e: Expr) -> Expr:
        if isinstance(e.type, Unknown):
            return e
        if isinstance(e.type, Values) and not e.type.members and (e.type.lo is not None):
            if e.type.none:
                return self.maybe_none(node, "a number", e)
            return e
        if isinstance(e.type, PlaceOf) or (isinstance(e.type, ListOf) and isinstance(e.type.item, PlaceOf)):
            fix = f"for the number of pieces there write `count({self.text(node)})`"
            return self.complain(node, "type-mismatch", f"expected a number, found {self.describe(e)}", "", fix)
        return self.expected(node, "a number", e)

    def numbers(self, left: Syntax, right: Syntax, env: Env) -> tuple[Expr, Expr]:
        """Two expressions that are surely numbers; if both are not, only the first is complained about."""
        a, b = self.value(left, env), self.value(right, env)
        if isinstance(a.type, Unknown) or isinstance(b.type, Unknown):
            return UNKNOWN, UNKNOWN
        first = self.sure_number(left, a)
        return (first, UNKNOWN) if isinstance(first.type, Unknown) else (first, self.sure_number(right, b))

    def argument(self, node: Syntax, wanted: Type, what: str, env: Env | None = None) -> Expr:
        """An expression whose values lie inside `wanted`; of a number that may leave it, play finds out, with a fault."""
        return self.fit(node, self.value(node, env), wanted, what)

    def fit(self, node: Syntax, e: Expr, wanted: Type, what: str) -> Expr:
        if isinstance(e.type, Unknown) or isinstance(wanted, Unknown):
            return e
        if isinstance(wanted, Values) and isinstance(e.type, Values):
            if inside(e.type, wanted):
                return e
            if inside(sure(e.type), wanted):  # type: ignore[arg-type]
                return self.maybe_none(node, what, e)
            if e.type.is_number and wanted.is_number and overlap(e.type, wanted) and (wanted.none or not e.type.none):
                return e
            return self.expected(node, what, e)
        if type(e.type) is type(wanted):
            return e
        return self.expected(node, what, e)

    def maybe_none(self, node: Syntax, what: str, e: Expr) -> Expr:
        other = "0" if isinstance(e.type, Values) and e.type.is_number else "…"
        words = self.text(node) if len(self.text(node)) <= LONGEST_FIX else "…"
        return self.complain(
            node,
            "type-none",
            f"expected {what}, but this may be none",
            "reading outside a set, the piece of an empty place, `first` and `max` of nothing give none",
            f"say what counts then: `({words} default {other})`; or test `!= none` first",
        )

    def bounded(self, node: Syntax, reach: Reach) -> Values | None:
        """The type of a number that can be so small and so large; None, with a complaint, if that passes the limits."""
        if too_far(reach) and not self.any_number:
            self.report(range_problem(self.span(node), reach))
            return None
        return number(*reach)

    def unknown(self, node: Syntax, name: str, what: str) -> Expr:
        """The complaint about a name nobody declared, unless its declaration was complained about."""
        if name in self.names.later and name not in self.names.declared:
            message = f"`{name}` is {self.names.later[name]}, this must be known before the game starts"
            return self.complain(node, "expr-not-fixed", message)
        if name not in self.names.failed:
            self.report(self.names.unknown(name, what, self.name_span(node, name), self.env))
        return UNKNOWN

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
                exprs += [(n, readings.part_of(self, e, pair, which)) for which in (0, 1)]
            else:
                exprs.append((n, e))
        if len(exprs) != len(sets) and any(isinstance(e.type, Unknown) for _, e in exprs):
            return None  # it might have been a pair
        few = len(exprs) < len(sets) and name in self.names.places
        if not nodes and sets and not few:
            self.no_index(node, name, env)
            return None
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
                self.expected(n, f"{self.names.describe_type(wanted)} as index", e)
                return None
            if e.type != NOTHING and not overlap(e.type, wanted):
                self.complain(n, "index-outside", f"{self.describe(e)} is never an index of `{name}`",
                              f"it is declared as `{self.names.head(name)}`", also=self.homes(e))  # fmt: skip
                return None
            sure_inside = sure_inside and self.names.index_inside(e.type, codes)
        return tuple(e for _, e in exprs), sure_inside

    def arguments(
        self, node: Syntax, name: str, parameters: Any, nodes: tuple[Syntax, ...], env: Env
    ) -> tuple[Expr, ...] | None:
        """The checked arguments of a call, a `do`, an asked move or a scoring rule."""
        if len(nodes) != len(parameters):
            wanted = ", ".join(f"{p.set} {p.name}" for p in parameters) or "nothing"
            self.complain(node, "call-arguments", f"`{name}` takes {len(parameters)} argument{'s' * (len(parameters) != 1)} "
                          f"({wanted}), {len(nodes)} given")  # fmt: skip
            return None
        args = tuple(
            self.argument(n, NUMBER if p.set == "number" else p.type, self.names.describe_type(p.type), env)
            for n, p in zip(nodes, parameters, strict=True)
        )
        if not self.any_number:
            self.names.note_passed(name, parameters, tuple(a.type for a in args))
        return args

    def binding(self, node: Syntax, name: str, domain_node: Syntax, env: Env) -> tuple[Expr, Env]:
        """A checked `name in domain` and the env in which the name is known."""
        new = self.names.check_new_local(name, self.name_span(node, name), env, self.report)
        domain = self.value(domain_node, env)
        item = self.item_type(domain_node, domain)
        return domain, {**env, name: item if new else Unknown()}

    def after(self, env: Env, node: Syntax, test: Expr, holds: bool) -> Env:
        """What is known once a test turned out so; of one that was not understood, nothing is known of its names."""
        if isinstance(test.type, Unknown):
            return {**env, **{name: Unknown() for name in _names_in(node) if name in env}}
        return narrowed(env, test, holds)

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
                self.no_list(node, "a set, a range, a list or a place", domain)
                return Unknown()

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


def _names_in(node: Syntax) -> Iterator[str]:
    for part in node.parts:
        if isinstance(part, Syntax):
            yield from _names_in(part)
        elif isinstance(part, str) and node.kind == "name":
            yield part
