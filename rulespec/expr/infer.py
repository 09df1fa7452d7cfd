"""Syntax trees → checked expressions: names resolved, types inferred, every mismatch reported at its words.

`Inference` has what all forms of an expression share; below it is one function for each form, and the table of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

from rulespec import syntax
from rulespec.diagnostics.diagnostic import Diagnostic, Edit, Span
from rulespec.english import (
    closest,
    first_few,
    listed,
    listed_names,
    listed_some,
    number_of,
    ordinal,
    quoted,
    suggestion,
    with_article,
)
from rulespec.expr.builtins import AGGREGATES, BUILTINS, HIDDEN_BY_OWN
from rulespec.expr.names import HABITS, INDEXED, Names
from rulespec.expr.parse import Fragment, Syntax, free_words
from rulespec.expr.static import (
    Env,
    Ranges,
    Reach,
    arithmetic_reach,
    most_items,
    narrowed,
    number_problem,
    path_of,
    range_problem,
    range_type,
    sum_reach,
    surely_filled,
    takes_number,
    too_far,
)
from rulespec.syntax import (
    LARGEST,
    NONE,
    NOTHING,
    NUMBER,
    Act,
    Expr,
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

_TIGHT = ("name", "call", "index", "aggregate", "number", "bracket")  # what a comparison can follow without brackets
UNKNOWN = syntax.Literal(Unknown(), 0)  # already reported: it fits anywhere, so that it is not reported again
GATHERED_AS = {  # words of other languages for what gathers values
    "every": "all", "each": "all", "forall": "all", "for_all": "all", "some": "any", "exists": "any", "exist": "any",
    "has": "any", "total": "sum", "add": "sum", "sumof": "sum", "number": "count", "countif": "count", "count_if": "count", "size": "count",
    "length": "count", "len": "count", "filter": "list", "map": "list", "collect": "list", "set": "list", "find": "first", "maximum": "max",
    "highest": "max", "largest": "max", "most": "max", "minimum": "min", "lowest": "min", "smallest": "min", "fewest": "min",
}  # fmt: skip
ROUNDING = frozenset(("floor", "round", "int", "trunc", "rounddown", "round_down"))
OWN_WORDS = frozenset(
    ("name", "title", "label", "text", "value", "id", "number", "type", "kind")
)  # of what is shown by itself
SHORT = 2  # letters of a name that is probably a local one
MOST_TURNED = 4  # indexes or arguments that are tried in another order
MOST_OTHERS = 3  # values that a suggestion excludes one by one
LONGEST_FIX = 60  # characters of the author's text that a suggestion repeats
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
        """Return the span of the name itself in the node."""
        start = self.fragment.offset + node.start
        found = re.compile(rf"\b{name}\b").search(self.fragment.scalar.text, start)
        return self.fragment.scalar.at(found.start(), found.end()) if found else self.span(node)

    def text(self, node: Syntax) -> str:
        """Return the author's own words."""
        words = self.fragment.scalar.text[self.fragment.offset + node.start : self.fragment.offset + node.end]
        return " ".join(words.split())

    def complain(
        self,
        node: Syntax,
        code: str,
        message: str,
        why: str = "",
        fix: str = "",
        also: Also = (),
        edits: tuple[Edit, ...] = (),
    ) -> Expr:
        self.report(Diagnostic(self.span(node), code, message, why, fix, also, edits=edits))
        return UNKNOWN

    def write(self, node: Syntax, new: str | None, sure: bool = False) -> tuple[Edit, ...]:
        """Return the change of the author's words to others, alone."""
        start, end = self.fragment.offset + node.start, self.fragment.offset + node.end
        return self.fragment.scalar.edit(start, end, new, sure)

    def write_name(self, node: Syntax, name: str, new: str | None) -> tuple[Edit, ...]:
        """Return the change of the last name in the node to the one that was probably meant, alone."""
        end = self.fragment.offset + node.end
        return self.fragment.scalar.edit(end - len(name), end, new, sure=False)

    def describe(self, e: Expr) -> str:
        return self.names.describe(e)

    def expected(
        self, node: Syntax, what: str, found: Expr, wanted: Type | None = None, env: Env | None = None
    ) -> Expr:
        """Return the complaint that something else was expected; if just one name here is of that kind, it was meant."""
        words = self.text(node)
        whole = node.kind == "name" and isinstance(found.type, ListOf) and words in self.names.sets
        why = f"`{words}` is the whole set, not one of its members" if whole else ""
        if not whole and isinstance(found.type, ListOf) and isinstance(wanted, Values) and node.kind != "name":
            return self.not_several(node, what, found)
        meant = self.one_of(wanted, self.env if env is None else env, stored=not whole)
        fix = f"write `{meant}`" if meant else ""
        if whole and not meant and isinstance(wanted, Values) and wanted.home == words:
            fix = f"do it for each: `for each: x in {words}`, and below its `do:` this step with `x`"
        message = f"expected {what}, found {self.describe(found)}"
        return self.complain(node, "type-mismatch", message, why, fix, edits=self.write(node, meant or None))

    def not_several(self, node: Syntax, what: str, found: Expr) -> Expr:
        """Return the complaint that one value was expected, and several were gathered."""
        words, message = self.text(node), f"expected {what}, found {self.describe(found)}"
        meant = re.sub(r"\Alist\(", "first(", words) if words.startswith("list(") else f"{words}[1]"
        fix = f"for the first of them write `{meant}`"
        if node.kind == "list_of" and len(node.parts) == 1:
            meant = self.text(node.parts[0])
            fix = f"write `{meant}`"
        return self.complain(node, "type-mismatch", message, "", fix, edits=self.write(node, meant))

    def one_of(self, wanted: Type | None, env: Env, stored: bool = True) -> str:
        """Return the one name here whose value is of this set: a local one, or else a variable; empty if it is not clear."""
        home = wanted.home if isinstance(wanted, Values) else ""
        if not home:
            return ""
        local = [name for name, t in env.items() if isinstance(t, Values) and t.home == home and "." not in name]
        kept = [v.name for v in self.names.variables.values() if not v.index and v.type == wanted] if stored else []
        known = local or kept
        return known[0] if len(known) == 1 else ""

    def index_of(self, wanted: Type | None, env: Env) -> str:
        """Return the one name here that is meant as an index of this set or range; empty if it is not clear."""
        if not isinstance(wanted, Values) or wanted.home or not wanted.is_number or wanted.none:
            return self.one_of(wanted, env, stored=False)
        fitting = {
            n: t for n, t in env.items() if isinstance(t, Values) and t.home and inside(t, wanted) and "." not in n
        }
        players = [
            n for n, t in fitting.items() if t.home == "player"
        ]  # a table for each of them is written with a range
        return next((only[0] for only in (players, [*fitting]) if len(only) == 1), "")

    def reached(self, wanted: Type | None, env: Env) -> str:
        """Return the one name here whose value is of this set, or else the one entry of a table or variable; empty if it is not clear."""
        if own := self.one_of(wanted, env) or self.index_of(wanted, env):
            return own
        found = []
        owners: tuple[syntax.Table | syntax.Variable, ...] = (
            *self.names.tables.values(),
            *self.names.variables.values(),
        )
        home = wanted.home if isinstance(wanted, Values) else ""
        for owner in owners if home else ():
            if owner.index and isinstance(owner.type, Values) and owner.type.home == home:
                indexes = [self.index_of(t, env) for t in self.names.index_types(owner.name)]
                found += [f"{owner.name}[{', '.join(indexes)}]"] if all(indexes) else []
        return found[0] if len(found) == 1 else ""

    def silently(self) -> Inference:
        """Return the same without complaints, to look at what may not be meant."""
        return replace(self, report=lambda _: None)

    def refilled(
        self, wanted: Sequence[Type], nodes: Sequence[Syntax], env: Env, names: Sequence[str]
    ) -> tuple[str, bool]:
        """Return what to write for arguments or indexes of which there are too many or too few, and whether that is all of it.

        Those that fit stay in their order, and what is missing is the one name here of that kind, or the name of its set.
        """
        given = [(self.text(n), self.silently().value(n, env).type) for n in nodes]
        written, whole = [], True
        for n, t in enumerate(wanted):
            fitting = next((i for i, (_, found) in enumerate(given) if _of_kind(found, t)), None)
            if fitting is not None and (fitting == 0 or len(given) > len(wanted) - n):
                written.append(given[fitting][0])
                given = given[fitting + 1 :]
            elif meant := self.one_of(t, env):
                written.append(meant)
            else:
                written.append(names[n].upper() or "…")
                whole = False
        return ", ".join(written), whole and (not given or len(nodes) > len(wanted))

    def no_list(self, node: Syntax, what: str, found: Expr) -> Expr:
        """Return the complaint that there is nothing to loop over; `1-5` usually means a range."""
        if node.kind == "arithmetic" and node.parts[1] == "-" and isinstance(found.type, Values):
            low, high = self.text(node.parts[0]), self.text(node.parts[2])
            message = f"`{self.text(node)}` is a number, {low} minus {high}"
            why, fix, edits = (
                "a range is written with two dots",
                f"write `{low}..{high}`",
                self.write(node, f"{low}..{high}"),
            )
            return self.complain(node, "expr-range", message, why, fix, edits=edits)
        meant = closest(self.text(node), self.names.sets) if node.kind == "name" else None
        fix = suggestion(meant)
        if not fix and isinstance(found.type, Values) and found.type.is_number and (found.type.hi or 0) < 1:
            fix = "write a range such as `0..100`"
        elif not fix and isinstance(found.type, Values) and found.type.is_number:
            meant = f"1..{self.text(node)}"
            fix = f"for the numbers up to it write `{meant}`"
        message = f"expected {what}, found {self.describe(found)}"
        return self.complain(node, "type-mismatch", message, "", fix, edits=self.write(node, meant))

    def no_place(self, node: Syntax, found: Expr) -> Expr:
        """Return the complaint that a place was expected; a kind of piece is not a place."""
        item = found.type.item if isinstance(found.type, ListOf) else found.type
        kinds = item.members if isinstance(item, Values) else frozenset()
        possible = [p.name for p in self.names.places.values() if kinds and kinds <= set(p.kinds)]
        message = f"expected a place, found {self.describe(found)}"
        if not possible:
            return self.complain(node, "type-mismatch", message)
        shown = first_few(quoted(self.names.head(name) for name in possible), 4)
        why = f"`{self.text(node)}` is what lies there, not where it lies"
        return self.complain(node, "type-mismatch", message, why, f"name a place where it can lie: {shown}")

    def not_one_place(self, node: Syntax, what: str, found: Expr) -> Expr:
        """Return the complaint that this is not one place; a list of places is usually one with an index left out."""
        if not isinstance(found.type, ListOf) or not isinstance(found.type.item, PlaceOf):
            return (
                self.no_place(node, found)
                if isinstance(found.type, Values | ListOf)
                else self.expected(node, what, found)
            )
        family = found.type.item.family
        place = self.names.places[family]
        if node.kind not in ("name", "index", "bracket"):
            meant, message = f"{self.text(node)}[1]", f"expected {what}, found a list of places of `{family}`"
            edits = self.write(node, meant)
            return self.complain(
                node, "index-missing", message, "", f"for the first of them write `{meant}`", edits=edits
            )
        given = len(node.parts[1].parts) if node.kind == "index" else 0
        message = f"expected {what}, found all of `{self.text(node)}`: an index is missing"
        declared = f"it is declared as `{self.names.head(family)}`"
        rest = ", ".join(name or "…" for name in place.index[given:])
        words = self.text(node)
        fix = f"write `{words[:-1]}, {rest}]`" if words.endswith("]") else f"write `{words}[{rest}]`"
        return self.complain(node, "index-missing", message, declared, f"{fix} with the one you mean")

    def no_index(self, node: Syntax, name: str, env: Env) -> Expr:
        """Return the complaint that the index of a table or variable is missing."""
        head = self.names.head(name)
        why = f"it is declared as `{head}`: there is one for each"
        found = [self.reached(wanted, env) for wanted in self.names.index_types(name)]
        sure = bool(found) and all(found)
        meant = f"{name}[{', '.join(found)}]" if sure else re.sub(r"\bplayer\b", "me", head) if "me" in env else head
        fix = f"write `{meant}`" if sure else f"write `{meant}` with the one you mean"
        edits = self.write(node, meant) if sure and node.kind == "name" else ()
        return self.complain(node, "index-missing", f"`{name}` is missing its index", why, fix, edits=edits)

    def homes(self, *found: Expr) -> Also:
        """Return where the sets of these values are declared, for a complaint about two that have nothing in common."""
        names = {}
        for e in found:
            t = e.type.item if isinstance(e.type, ListOf) else e.type
            if isinstance(t, Values) and t.home in self.names.declared:
                names[t.home] = self.names.declared[t.home][1]
        return tuple((f"the set `{name}`", span) for name, span in names.items())

    def values_of(self, *found: Expr) -> str:
        """Return which values the first of these that are of a set can have, for a complaint about one that never is."""
        for e in found:
            if isinstance(e.type, Values) and e.type.home in self.names.sets and not isinstance(e, syntax.Literal):
                return f"{self.describe(e)} is {self.names.some_values(self.names.sets[e.type.home].values)}"
        return ""

    def indexed_like(self, name: str, nodes: tuple[Syntax, ...], env: Env) -> str | None:
        """Return the table, place or variable with such indexes that a name without any was probably meant for."""
        types = [self.silently().value(n, env).type for n in nodes]
        fitting = [
            other
            for other in (*self.names.places, *self.names.tables, *self.names.variables)
            if len(sets := self.names.index_types(other)) >= len(types) > 0
            and all(_of_kind(t, wanted) for t, wanted in zip(types, sets, strict=False))
        ]
        longer = [other for other in fitting if other.startswith(f"{name}_")]
        return longer[0] if len(longer) == 1 else closest(name, fitting)

    def without_dot(self, node: Syntax, base: Syntax, name: str) -> tuple[str, tuple[Edit, ...]]:
        """Return how `me.PLACE` and `PLACE.empty` are written, in words and as a change."""
        words = self.text(base)
        if self.names.is_indexed(name):
            meant = f"{name}[{words}]"
        elif name in BUILTINS or self.names.function(name) is not None:
            meant = f"{name}({words})"
        elif name in OWN_WORDS:
            meant = words
        else:
            return "", ()
        return f"write `{meant}`", self.write(node, meant)

    def hidden(self, name: str, env: Env, fix: str = "") -> tuple[str, str, Also]:
        """Return why a local name is not what was meant, what to do, and where: it hides what is declared so."""
        if name not in env or name not in self.names.declared:
            return "", fix, ()
        what, where = self.names.declared[name]
        why = f"the local name hides {what}"
        return why, "choose another local name", ((f"`{name}` is {what}", where),)

    # entry points ----------------------------------------------------------------------------------------

    def value(self, node: Syntax | None = None, env: Env | None = None) -> Expr:
        """Return any expression."""
        node = node or self.fragment.root
        env = self.env if env is None else env
        return FORMS[node.kind](self, node, env)

    def condition(self, node: Syntax | None = None, env: Env | None = None) -> Expr:
        """Return an expression that is yes or no."""
        node = node or self.fragment.root
        e = self.value(node, env)
        if isinstance(e.type, YesNo | Unknown):
            return e
        words, what = self.text(node), "a condition (yes or no)"
        meant = None
        if isinstance(e.type, Values) and e.type.is_number and not e.type.members and node.kind in _TIGHT:
            meant = f"{words} > 0"
        elif isinstance(e.type, PlaceOf) or (isinstance(e.type, ListOf) and isinstance(e.type.item, PlaceOf)):
            meant = f"not empty({words})"
        elif isinstance(e.type, Several):
            meant = f"count({words}) > 0"
        if meant is None or len(meant) > LONGEST_FIX:
            return self.expected(node, what, e)
        message = f"expected {what}, found {self.describe(e)}"
        return self.complain(node, "type-mismatch", message, "", f"write `{meant}`", edits=self.write(node, meant))

    def number(self, node: Syntax | None = None, env: Env | None = None) -> Expr:
        """Return an expression that is surely a number."""
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
            call = f"count({self.text(node)})"
            message, fix = (
                f"expected a number, found {self.describe(e)}",
                f"for the number of pieces there write `{call}`",
            )
            return self.complain(node, "type-mismatch", message, "", fix, edits=self.write(node, call))
        if isinstance(e.type, Values) and e.type.lo is not None and e.type.members:
            why, fix = self._not_always(node, e, e.type)
            return self.complain(node, "type-mismatch", f"expected a number, found {self.describe(e)}", why, fix)
        if isinstance(e.type, YesNo) and len(words := self.text(node)) <= LONGEST_FIX:
            message, fix = f"expected a number, found {self.describe(e)}", f"write `if {words} then 1 else 0`"
            edits = self.write(node, f"(if {words} then 1 else 0)" if node is not self.fragment.root else fix[7:-1])
            return self.complain(node, "type-mismatch", message, "a condition is yes or no", fix, edits=edits)
        return self.expected(node, "a number", e)

    def knows(self, name: str) -> bool:
        """Return whether a name stands for something here, declared or local."""
        return name in self.env or name in self.names.declared

    def _not_always(self, node: Syntax, e: Expr, t: Values) -> tuple[str, str]:
        """Return why something is not always a number, and how to test it: a test shows something of names and their parts only."""
        others = [self.names.value_name(code) for code in sorted(t.members)] + ["none"] * t.none
        why = f"it may be {listed_some(quoted(others), MOST_OTHERS)}, and that is no number"
        words = self.text(node)
        if len(words) > LONGEST_FIX or len(others) > MOST_OTHERS:
            return why, ""
        is_tested = path_of(e) is not None
        excluded = f"= {others[0]}" if len(others) == 1 else f"in [{', '.join(others)}]"
        test = f"if {words if is_tested else 'r'} {excluded} then … else …"
        return (
            why,
            f"test that first: `{test}`" if is_tested else f"name it and test that: `let r be {words} in {test}`",
        )

    def numbers(self, left: Syntax, right: Syntax, env: Env) -> tuple[Expr, Expr]:
        """Return two expressions that are surely numbers; if both are not, only the first is complained about."""
        a, b = self.value(left, env), self.value(right, env)
        if isinstance(a.type, Unknown) or isinstance(b.type, Unknown):
            return UNKNOWN, UNKNOWN
        first = self.sure_number(left, a)
        return (first, UNKNOWN) if isinstance(first.type, Unknown) else (first, self.sure_number(right, b))

    def argument(self, node: Syntax, wanted: Type, what: str, env: Env | None = None) -> Expr:
        """Return an expression whose values are inside `wanted`; a number that may leave it is a fault in play."""
        return self.fit(node, self.value(node, env), wanted, what, env)

    def fit(self, node: Syntax, e: Expr, wanted: Type, what: str, env: Env | None = None) -> Expr:
        if isinstance(e.type, Unknown) or isinstance(wanted, Unknown):
            return e
        if isinstance(wanted, Values) and isinstance(e.type, Values):
            if inside(e.type, wanted):
                return e
            if inside(sure(e.type), wanted):  # type: ignore[arg-type]
                return self.maybe_none(node, what, e)
            if e.type.is_number and wanted.is_number and overlap(e.type, wanted) and (wanted.none or not e.type.none):
                return e
            if e.type.lo is not None and e.type.members and wanted.is_number and not wanted.members:
                why, fix = self._not_always(node, e, e.type)
                message = f"expected {what}, found {self.describe(e)}"
                return self.complain(node, "type-mismatch", message, why, fix)
            return self.expected(node, what, e, wanted, env)
        if isinstance(wanted, PlaceOf):
            e = _as_place(e, wanted)
            return e if e.type == wanted else self.expected(node, what, e)
        if isinstance(wanted, Values) and isinstance(e.type, PlaceOf):
            return self._stored(node, e, wanted, what)
        if type(e.type) is type(wanted):
            return e
        return self.expected(node, what, e, wanted, env)

    def _stored(self, node: Syntax, place: Expr, wanted: Values, what: str) -> Expr:
        """Return the code of a place, to store it where such places belong."""
        assert isinstance(place.type, PlaceOf)
        if self.names.coded_family(wanted) != place.type.family:
            return self.expected(node, what, place)
        code = place.code if isinstance(place, syntax.CodedPlace) else None
        if code is not None and isinstance(code.type, Values) and inside(code.type, wanted):
            return code
        if not wanted.none and not place.type.sure:
            message = f"expected {what}, but this may be nowhere"
            fix = f"let what it is stored in be `[{place.type.family}, none]`"
            return self.complain(node, "type-none", message, "a place outside its board is nowhere", fix)
        return syntax.PlaceCode(wanted, place)

    def maybe_none(self, node: Syntax, what: str, e: Expr) -> Expr:
        if (fix := self._from_nought(node, e)) is not None:
            message, why = f"expected {what}, but this may be none", "a list is counted from 1, and the index may be 0"
            return self.complain(node, "type-none", message, why, f"write `{fix}`", edits=self.write(node, fix))
        other = "0" if isinstance(e.type, Values) and e.type.is_number and not e.type.home else "…"
        words = self.text(node) if len(self.text(node)) <= LONGEST_FIX else "…"
        return self.complain(
            node,
            "type-none",
            f"expected {what}, but this may be none",
            "reading outside a set, the piece of an empty place, `first` and `max` of nothing give none",
            f"say what to use then: `({words} default {other})`; or test `!= none` first",
            edits=self.write(node, f"({self.text(node)} default 0)") if other == "0" else (),
        )

    def outside(self, node: Syntax, e: syntax.TableRead) -> Expr:
        """Return the complaint about an entry of a table whose index may be outside."""
        head, (key, at) = self.names.head(e.table), self.names.declared.get(e.table, ("", self.span(node)))
        given = " and ".join(self.describe(i) for i in e.index)
        message = f"`{self.text(node)}` may be none: {given} may be no index of `{head}`"
        fix = "let the table have an entry for each"
        return self.complain(node, "type-none", message, "", fix, ((f"`{e.table}`", at),) if key else ())

    def _from_nought(self, node: Syntax, e: Expr) -> str | None:
        """Return how a list is read whose only index is one too low; None if that is not it."""
        if not isinstance(e, syntax.TableRead | syntax.ItemAt) or node.kind != "index" or len(node.parts[1].parts) != 1:
            return None
        inner, index = node.parts[1].parts[0], e.index[0].type if isinstance(e, syntax.TableRead) else e.at.type
        if isinstance(e, syntax.TableRead):
            last = max(self.names.index_codes(e.table)[0], default=0)
        else:
            last = e.items.type.largest if isinstance(e.items.type, ListOf) else 0
        if not isinstance(index, Values) or index.members or index.none or index.lo != 0 or (index.hi or 0) + 1 > last:
            return None
        return f"{self.text(node.parts[0])}[{self.text(inner)} + 1]" if len(self.text(node)) <= LONGEST_FIX else None

    def bounded(self, node: Syntax, reach: Reach) -> Values | None:
        """Return the type of a number in this range; None, with a complaint, if the range passes the limits."""
        if too_far(reach) and not self.any_number:
            self.report(range_problem(self.span(node), reach))
            return None
        return number(*reach)

    def unknown(self, node: Syntax, name: str, what: str) -> Expr:
        """Return the complaint about a name nobody declared, unless its declaration was complained about."""
        if name in self.names.later and name not in self.names.declared:
            message = f"`{name}` is {self.names.later[name]}, but this must be known before the game starts"
            fix = "write a value that the rules fix; what depends on the position is worked out under `define:`"
            return self.complain(node, "expr-not-fixed", message, "", fix)
        if name not in self.names.failed:
            self.report(self.names.unknown(name, what, self.name_span(node, name), self.env))
        return UNKNOWN

    def indexes(
        self, node: Syntax, name: str, nodes: tuple[Syntax, ...], env: Env, fewer: bool = False
    ) -> tuple[tuple[Expr, ...], bool] | None:
        """Return the checked indexes of `name[…]`, pairs taken apart, and whether they are surely inside.

        Places may have fewer than declared, which are then several; with `fewer`, all may.
        """
        sets = self.names.index_types(name)
        exprs: list[tuple[Syntax, Expr]] = []
        for n in nodes:
            wanted = sets[len(exprs)] if len(exprs) < len(sets) else None
            e = self.value(n, env) if (unknown := self._unknown_of_kind(n, wanted, env)) is None else unknown
            pair = self.names.pair_of(e.type)
            if pair and (wanted is None or not overlap(wanted, e.type)):  # type: ignore[arg-type]
                exprs += [(n, part_of(self, e, pair, which, env)) for which in (0, 1)]
            else:
                exprs.append((n, e))
        if len(exprs) != len(sets) and any(isinstance(e.type, Unknown) for _, e in exprs):
            return None  # it might have been a pair
        self.names.given.setdefault(name, []).append(tuple(e.type for _, e in exprs))
        few = len(exprs) < len(sets) and (fewer or name in self.names.places)
        if not nodes and sets and not few:
            self.no_index(node, name, env)
            return None
        if len(exprs) != len(sets) and not few:
            declared = self.names.head(name)
            written, whole = self.refilled(sets, nodes, env, [s.home for s in sets])
            meant = f"{name}[{written}]" if sets else name
            message = f"`{name}` has {number_of(len(sets), 'index')}, {len(exprs)} given"
            edits = self.write(node, meant) if whole and node.kind == "index" else ()
            why, fix, about = f"it is declared as `{declared}`", f"write `{meant}`", (INDEXED, name)
            self.report(Diagnostic(self.span(node), "index-count", message, why, fix, about=about, edits=edits))
            return None
        sure_inside = True
        for (n, e), wanted, codes in zip(exprs, sets, self.names.index_codes(name), strict=False):
            if isinstance(e.type, Unknown):
                continue
            if not isinstance(e.type, Values):
                self.expected(n, f"{self.names.describe_type(wanted)} as index", e, wanted, env)
                return None
            if e.type != NOTHING and not overlap(e.type, wanted):
                message = f"{self.describe(e)} is never an index of `{name}`"
                why = f"it is declared as `{self.names.head(name)}`"
                if len(nodes) == len(exprs) and (order := self._turned(sets, [e.type for _, e in exprs])):
                    turned = f"{name}[{', '.join(self.text(nodes[i]) for i in order)}]"
                    fix, edits = f"write `{turned}`", self.write(node, turned)
                elif meant := self.one_of(wanted, env):
                    fix, edits = f"write `{meant}`", self.write(n, meant)
                else:
                    fix, edits = f"here belongs {self.names.some_values(codes, wanted.home)}" if codes else "", ()
                self.complain(n, "index-outside", message, why, fix, self.homes(e), edits)
                return None
            sure_inside = sure_inside and self.names.index_inside(e.type, codes)
        if len(nodes) == len(exprs):
            self._check_order(node, name, "[]", sets, exprs, env)
        return tuple(e for _, e in exprs), sure_inside

    def _unknown_of_kind(self, node: Syntax, wanted: Type | None, env: Env) -> Expr | None:
        """Return the complaint about a short name that nobody declared, where just one name here is of the kind that is wanted."""
        name = node.parts[0] if node.kind == "name" else ""
        short = 0 < len(name) <= SHORT and not self.knows(name) and name not in env and name not in self.names.failed
        meant = self.one_of(wanted, env) if short and name not in self.names.members else ""
        if not meant or name == "me" or name in HABITS:
            return None
        edits = self.write(node, meant)
        about = ("name", name)
        message = f"no name called `{name}`"
        self.report(
            Diagnostic(self.span(node), "name-unknown", message, "", f"write `{meant}`", edits=edits, about=about)
        )
        return UNKNOWN

    def _turned(self, wanted: Sequence[Type], given: Sequence[Type]) -> tuple[int, ...]:
        """Return the only other order in which these values are of the sets that are wanted; nothing if there is not just one."""
        if not 2 <= len(given) == len(wanted) <= MOST_TURNED:
            return ()
        fitting = [
            order
            for order in permutations(range(len(given)))
            if all(_of_kind(given[i], t) for i, t in zip(order, wanted, strict=True))
        ]
        return fitting[0] if len(fitting) == 1 else ()

    def _check_order(
        self,
        node: Syntax,
        name: str,
        brackets: str,
        sets: Sequence[Type],
        given: Sequence[tuple[Syntax, Expr]],
        env: Env,
    ) -> None:
        """Warn of a local name of one set of numbers where another is wanted, if its own belongs elsewhere in the same brackets."""
        homes = [t.home if isinstance(t, Values) else "" for t in sets]
        found = [_number_home(n, e) for n, e in given]
        for at, (wanted, own) in enumerate(zip(homes, found, strict=False)):
            if not own or not wanted or own == wanted or homes.count(own) != 1 or wanted == "number":
                continue
            there = homes.index(own)
            if there < len(found) and (found[there] == own or not isinstance(given[there][0].parts[0], str)):
                continue  # `board[r, r]` is a diagonal
            last = max(there + 1, len(given))
            written = [
                next((self.text(n) for (n, _), home in zip(given, found, strict=True) if home == home_), "")
                or self.one_of(t, env)
                for t, home_ in zip(sets[:last], homes[:last], strict=True)
            ]
            meant = f"{name}{brackets[0]}{', '.join(written)}{brackets[1]}" if all(written) else ""
            n = given[at][0]
            where = f"{ordinal(at + 1)} {'index' if brackets == '[]' else 'argument'} of `{name}`"
            message = f"`{self.text(n)}` is {with_article(own)}, and the {where} is {with_article(wanted)}"
            fix, edits = f"write `{meant}`" if meant else "", self.write(node, meant or None)
            self.report(
                Diagnostic(
                    self.span(n),
                    "index-order",
                    message,
                    "both are numbers, so either would do",
                    fix,
                    level="warning",
                    edits=edits,
                )
            )
            return

    def arguments(
        self, node: Syntax, to: Act, parameters: Any, nodes: tuple[Syntax, ...], env: Env
    ) -> tuple[Expr, ...] | None:
        """Return the checked arguments of a call, a `do`, an asked move or a scoring rule; `to` is what is called."""
        named = {p.name for p in parameters}
        if nodes and all(n.kind == "compare" and n.parts[1] == "=" and n.parts[0].parts[:1][0] in named for n in nodes):
            values = [next((n.parts[2] for n in nodes if n.parts[0].parts[0] == p.name), None) for p in parameters]
            meant = f"{to[1]}({', '.join(self.text(v) for v in values if v)})"
            message, why = (
                f"`{self.text(nodes[0])}` is a comparison here",
                "arguments are given in their order, without names",
            )
            self.complain(
                nodes[0], "call-arguments", message, why, f"write `{meant}`", edits=self._write_call(node, to[1], meant)
            )
            return None
        if len(nodes) != len(parameters):
            wanted = ", ".join(f"{p.set} {p.name}" for p in parameters) or "nothing"
            message = f"`{to[1]}` takes {number_of(len(parameters), 'argument')} ({wanted}), {len(nodes)} given"
            fix, edits = self.called(node, to[1], parameters, nodes, env)
            about = ("given", ":".join(to)) if not parameters else ("", "")
            self.report(Diagnostic(self.span(node), "call-arguments", message, "", fix, about=about, edits=edits))
            return None
        given = [self.silently().value(n, env).type for n in nodes]
        wrong = any(not _of_kind(t, p.type) for t, p in zip(given, parameters, strict=True))
        if wrong and (order := self._turned([p.type for p in parameters], given)):
            meant = f"{to[1]}({', '.join(self.text(nodes[i]) for i in order)})"
            at, first = next(
                (n, p) for n, p, t in zip(nodes, parameters, given, strict=True) if not _of_kind(t, p.type)
            )
            number_for_number = all(isinstance(t, Values) and t.is_number for t in given)
            if not number_for_number:
                message = f"expected {self.names.describe_type(first.type)}, found {self.names.describe_type(given[nodes.index(at)])}"
                edits = self._write_call(node, to[1], meant)
                self.complain(at, "type-mismatch", message, "", f"write `{meant}`", edits=edits)
                return None
        args = tuple(
            unknown
            if (unknown := self._unknown_of_kind(n, p.type, env)) is not None
            else self.argument(n, NUMBER if p.set == "number" else p.type, self.names.describe_type(p.type), env)
            for n, p in zip(nodes, parameters, strict=True)
        )
        if not self.any_number:
            self.names.note_passed(to, parameters, tuple(a.type for a in args))
        self._check_order(node, to[1], "()", [p.type for p in parameters], list(zip(nodes, args, strict=True)), env)
        return args

    def _write_call(self, node: Syntax, name: str, meant: str) -> tuple[Edit, ...]:
        """Return the change of a call as a whole."""
        return self.write(node, meant) if re.fullmatch(rf"{name}(?:\(.*\))?", self.text(node)) else ()

    def called(
        self, node: Syntax, name: str, parameters: Any, nodes: tuple[Syntax, ...], env: Env
    ) -> tuple[str, tuple[Edit, ...]]:
        """Return how a call with another number of arguments is written, in words and as a change."""
        written, whole = self.refilled([p.type for p in parameters], nodes, env, [p.set for p in parameters])
        meant = f"{name}({written})" if parameters else name
        is_call = re.fullmatch(rf"{name}(?:\(.*\))?", self.text(node)) is not None
        return f"write `{meant}`", self.write(node, meant) if whole and is_call else ()

    def binding(self, node: Syntax, name: str, domain_node: Syntax, env: Env) -> tuple[Expr, Env]:
        """Return a checked `name in domain` and the env in which the name is known."""
        new = self.names.check_new_local(name, self.name_span(node, name), env, self.report)
        domain = self.value(domain_node, env)
        item = self.item_type(domain_node, domain)
        return domain, {**env, name: item if new else Unknown()}

    def after(self, env: Env, node: Syntax, test: Expr, holds: bool) -> Env:
        """Return the env after a test with this result; after one that was not understood, its names are unknown."""
        if isinstance(test.type, Unknown):
            return {**env, **{name: Unknown() for name in _names_in(node) if name in env}}
        return narrowed(env, test, holds)

    def declared_part(self, e: Expr) -> Expr:
        """Return a part of something with all that it can be, whatever tests have shown; anything else as it is."""
        match e:
            case syntax.Part():
                part: Type = self.names.sets[self.names.sets[e.set].parts[e.which]].type
                return replace(e, type=or_none(part) if can_be_none(e.pair.type) else part)
            case syntax.PlacePart(place=place) if isinstance(place.type, PlaceOf):
                part = self.names.index_types(place.type.family)[e.which]
                return replace(e, type=part if place.type.sure else or_none(part))
        return e

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
        """Return whether `along` is a way, or a list of ways, of this board; report it if not."""
        item = along.type.item if isinstance(along.type, ListOf) else along.type
        if isinstance(item, Unknown):
            return False
        known = {self.names.members[w] for w in self.names.places[family].ways if w in self.names.members}
        if isinstance(item, Values) and item.members and item.lo is None and item.members <= known:
            return True
        ways = listed_names(self.names.places[family].ways)
        self.complain(
            node, "way-unknown", f"expected a way of `{family}`, found {self.describe(along)}", f"its ways are {ways}"
        )
        return False


COUNTED = ("size", "count", "number", "amount", "quantity", "total")  # what is asked of a place with a dot elsewhere


def _number_home(node: Syntax, e: Expr) -> str:
    """Return the set of numbers that a local name is of; nothing for anything else."""
    is_local = node.kind == "name" and isinstance(e, syntax.Local) and isinstance(e.type, Values)
    return e.type.home if is_local and isinstance(e.type, Values) and e.type.is_number else ""


def _of_kind(found: Type, wanted: Type) -> bool:
    """Return whether a value is of the set that is wanted; a number that is of no set fits where numbers do."""
    if not isinstance(found, Values) or not isinstance(wanted, Values):
        return type(found) is type(wanted)
    if found.home and wanted.home:
        return found.home == wanted.home
    return overlap(found, wanted)


def _names_in(node: Syntax) -> Iterator[str]:
    for part in node.parts:
        if isinstance(part, Syntax):
            yield from _names_in(part)
        elif isinstance(part, str) and node.kind == "name":
            yield part


# leaves ----------------------------------------------------------------------------------------------


def _number(inference: Inference, node: Syntax, env: Env) -> Expr:
    n: int = node.parts[0]
    if n > LARGEST:
        inference.report(number_problem(inference.span(node), str(n)))
        return UNKNOWN
    return syntax.Literal(number(n, n), n)


def _true(inference: Inference, node: Syntax, env: Env) -> Expr:
    return syntax.Literal(YesNo(), 1)


def _false(inference: Inference, node: Syntax, env: Env) -> Expr:
    return syntax.Literal(YesNo(), 0)


def _none(inference: Inference, node: Syntax, env: Env) -> Expr:
    return syntax.Literal(NOTHING, NONE)


def _bracket(inference: Inference, node: Syntax, env: Env) -> Expr:
    return inference.value(node.parts[0], env)


def _name(inference: Inference, node: Syntax, env: Env) -> Expr:
    name: str = node.parts[0]
    if name in env:
        return inference.names.as_place(syntax.Local(env[name], name))
    if name in inference.names.failed:
        return UNKNOWN
    found = inference.names.plain(name)
    if found is not None:
        return found
    if name == "me":
        why = "`me` is the player who decides, scores or is ranked; functions and steps are given players as parameters"
        meant = inference.one_of(inference.names.sets["player"].type, env) if "player" in inference.names.sets else ""
        fix, edits = f"write `{meant}`" if meant else "", inference.write(node, meant or None)
        return inference.complain(node, "name-me", "`me` is not known here", why, fix, edits=edits)
    if (function := inference.names.function(name)) is not None:
        shown = ", ".join(f"{p.set} {p.name}" for p in function.parameters)
        message = f"`{name}` needs {number_of(len(function.parameters), 'argument')} in brackets"
        fix, edits = inference.called(node, name, function.parameters, (), env)
        why = f"it is declared as `{name}({shown})`"
        return inference.complain(node, "call-arguments", message, why, fix, edits=edits)
    if inference.names.is_indexed(name):
        return inference.no_index(node, name, env)
    return inference.unknown(node, name, "name")


# logic -----------------------------------------------------------------------------------------------


def _not(inference: Inference, node: Syntax, env: Env) -> Expr:
    inner = node.parts[0]
    what = inference.silently().value(inner, env) if inner.kind in ("name", "index") else UNKNOWN
    found = what.type
    if isinstance(found, Values) and not found.is_number:
        words = inference.text(inner)
        others = [n for n, t in env.items() if isinstance(t, Values) and t.home and n != words and overlap(t, found)]
        none = f"`{words} = none`" if found.none else ""
        other = f"`{others[0]} != {words}`" if len(others) == 1 else ""
        if other or none:
            message = f"expected a condition (yes or no), found {inference.describe(what)}"
            why, fix = "`not` turns a condition round", f"write {' or '.join(filter(None, (other, none)))}"
            edits = () if other and none else inference.write(node, (other or none).strip("`"))
            return inference.complain(inner, "type-mismatch", message, why, fix, edits=edits)
    of = inference.condition(inner, env)
    return of if isinstance(of.type, Unknown) else syntax.Negation(YesNo(), of)


def _and(inference: Inference, node: Syntax, env: Env) -> Expr:
    return _joined(inference, node, env, "and")


def _or(inference: Inference, node: Syntax, env: Env) -> Expr:
    return _joined(inference, node, env, "or")


def _joined(inference: Inference, node: Syntax, env: Env, op: str) -> Expr:
    """Return two conditions. A value where one is expected usually means one of several: `x = a or b`."""
    left = inference.value(node.parts[0], env)
    right = inference.value(node.parts[1], inference.after(env, node.parts[0], left, op == "and"))
    for at, e in zip(node.parts, (left, right), strict=True):
        if isinstance(e.type, YesNo | Unknown):
            continue
        words = inference.text(at)
        before = node.parts[0]
        fix = ""
        edits: tuple[Edit, ...] = ()
        last = before
        while last.kind in ("and", "or"):
            last = last.parts[1]
        if at is node.parts[1] and last.kind == "compare" and last.parts[1] in ("=", "!="):
            meant = f"{inference.text(last.parts[0])} {last.parts[1]} {words}"
            fix = f"write `{inference.text(before)} {op} {meant}`"
            edits = inference.write(at, meant)
        elif (
            op == "or"
            and isinstance(left.type, Values)
            and isinstance(right.type, Values)
            and join(left.type, right.type)
        ):
            first, second = inference.text(before), inference.text(node.parts[1])
            is_default = left.type.none or left.type.is_number  # else two members, either of which may be meant
            whole = f"{first} default {second}" if is_default else f"[{first}, {second}]"
            fix = f"for {'a value in place of `none`' if is_default else 'either of them'} write `{whole}`"
            edits = inference.write(node, whole)
        elif op == "and" and at is node.parts[1] and isinstance(e.type, Values) and e.type.is_number:
            meant = f"if {inference.text(before)} then {words} else 0"
            fix, edits = f"for a number only then write `{meant}`", inference.write(node, meant)
        elif isinstance(e, syntax.Literal) and isinstance(e.type, Values):
            fix = "to ask whether it is one of several write `… in [a, b]`"
        return inference.complain(
            at,
            "type-mismatch",
            f"expected a condition (yes or no), found {inference.describe(e)}",
            f"`{op}` joins two conditions",
            fix,
            edits=edits,
        )
    failed = isinstance(left.type, Unknown) or isinstance(right.type, Unknown)
    return UNKNOWN if failed else syntax.Logic(YesNo(), op, left, right)


def _if(inference: Inference, node: Syntax, env: Env) -> Expr:
    test = inference.condition(node.parts[0], env)
    then = inference.value(node.parts[1], inference.after(env, node.parts[0], test, True))
    other = inference.value(node.parts[2], inference.after(env, node.parts[0], test, False))
    both = join(then.type, other.type)
    if both is None:
        return inference.complain(node, "type-mismatch",
                             f"`then` gives {inference.describe(then)}, `else` gives {inference.describe(other)}",
                             "both must be of one kind")  # fmt: skip
    return syntax.Conditional(both, test, _as_place(then, both), _as_place(other, both))


def _as_place(e: Expr, wanted: Type) -> Expr:
    """Return `none` as the place nowhere where a place is wanted; anything else as it is."""
    return syntax.Literal(wanted, NONE) if isinstance(wanted, PlaceOf) and e.type == NOTHING else e


def _let(inference: Inference, node: Syntax, env: Env) -> Expr:
    name, value_node, body_node = node.parts
    new = inference.names.check_new_local(name, inference.name_span(node, name), env, inference.report)
    value = inference.value(value_node, env)
    body = inference.value(body_node, {**env, name: value.type if new else Unknown()})
    return syntax.Let(body.type, name, value, body)


def _compare(inference: Inference, node: Syntax, env: Env) -> Expr:
    left_node, op, right_node = node.parts
    if op not in ("=", "!="):
        low, high = inference.numbers(left_node, right_node, env)
        failed = isinstance(low.type, Unknown) or isinstance(high.type, Unknown)
        return UNKNOWN if failed else syntax.Compare(YesNo(), op, low, high)
    if (unlike := _compared_with_empty(inference, node, env)) is not None:
        return unlike
    left, right = inference.value(left_node, env), inference.value(right_node, env)
    if isinstance(left.type, Unknown) or isinstance(right.type, Unknown):
        return UNKNOWN
    if isinstance(left.type, Values) and isinstance(right.type, Values):
        if _can_be_equal(left.type, right.type):
            return syntax.Compare(YesNo(), op, left, right)
        left, right = inference.declared_part(left), inference.declared_part(right)
        if _can_be_equal(left.type, right.type):  # a test around it excludes that: no mistake of this comparison
            return syntax.Compare(YesNo(), op, left, right)
        assert isinstance(left.type, Values) and isinstance(right.type, Values)
        if left.type.never or right.type.never:
            return syntax.Literal(YesNo(), int(op == "!="))
        always = "false" if op == "=" else "true"
        message = f"this is always {always}: {inference.describe(left)} is never {inference.describe(right)}"
        why = inference.values_of(left, right)
        return inference.complain(node, "type-never-equal", message, why, also=inference.homes(left, right))
    if isinstance(left.type, YesNo) and isinstance(right.type, YesNo):
        return syntax.Compare(YesNo(), op, left, right)
    if isinstance(left.type, PlaceOf) or isinstance(right.type, PlaceOf):
        return _compare_places(inference, node, left, right)
    message = f"cannot compare {inference.describe(left)} with {inference.describe(right)}"
    for side, e in ((left_node, left), (right_node, right)):
        if side.kind == "name" and isinstance(e.type, ListOf) and (meant := inference.one_of(e.type.item, env)):
            why = f"`{inference.text(side)}` is the whole set, not one of its members"
            edits = inference.write(side, meant)
            return inference.complain(node, "type-mismatch", message, why, f"write `{meant}`", edits=edits)
    for one, item, many, several in ((left_node, left, right_node, right), (right_node, right, left_node, left)):
        whole = many.kind == "name" and inference.text(many) in inference.names.sets
        if isinstance(several.type, ListOf) and not whole and _can_be_equal(item.type, several.type.item):
            meant = f"{inference.text(one)} {'in' if op == '=' else 'not in'} {inference.text(many)}"
            fix, edits = f"to ask whether it is one of them write `{meant}`", inference.write(node, meant)
            return inference.complain(node, "type-mismatch", message, "", fix, edits=edits)
    return inference.complain(node, "type-mismatch", message)


def _compared_with_empty(inference: Inference, node: Syntax, env: Env) -> Expr | None:
    """Return the complaint about `place = empty` and `place != nothing`; None if that is not meant."""
    left, op, right = node.parts
    for word, other in ((left, right), (right, left)):
        if word.kind != "name" or word.parts[0] not in ("empty", "nothing") or inference.knows(word.parts[0]):
            continue
        found = inference.silently().value(other, env).type
        if isinstance(found, PlaceOf) or (isinstance(found, ListOf) and isinstance(found.item, PlaceOf)):
            meant = f"{'not ' if op == '!=' else ''}empty({inference.text(other)})"
            message, edits = f"`{word.parts[0]}` is no value to compare a place with", inference.write(node, meant)
            return inference.complain(node, "compare-place", message, "", f"write `{meant}`", edits=edits)
    return None


def _can_be_equal(a: Type, b: Type) -> bool:
    return isinstance(a, Values) and isinstance(b, Values) and (overlap(a, b) or (a.none and b.none))


def _compare_places(inference: Inference, node: Syntax, left: Expr, right: Expr) -> Expr:
    """Return whether two places are the same one, or one is nowhere; what lies on a place is not the place."""
    left_node, op, right_node = node.parts
    a, b = _as_place(left, right.type), _as_place(right, left.type)
    if a.type == b.type:
        return syntax.Compare(YesNo(), op, a, b)
    if isinstance(a.type, PlaceOf) and isinstance(b.type, PlaceOf):
        always = "false" if op == "=" else "true"
        message = f"this is always {always}: {inference.describe(left)} is never {inference.describe(right)}"
        return inference.complain(node, "type-never-equal", message)
    place_node, place, other = (left_node, a, b) if isinstance(a.type, PlaceOf) else (right_node, b, a)
    assert isinstance(place.type, PlaceOf)
    held = inference.names.kinds_type((place.type.family,))
    words = inference.text(place_node)
    call = None
    if isinstance(other.type, Values) and overlap(held, other.type):
        if inference.names.places[place.type.family].shape == "pile" and op in ("=", "!="):
            kind = right_node if place_node is left_node else left_node
            meant = f"{inference.text(kind)} {'in' if op == '=' else 'not in'} {words}"
            message = f"cannot compare {inference.describe(left)} with {inference.describe(right)}"
            edits, why = inference.write(node, meant), "a place is where something lies, not what lies there"
            return inference.complain(node, "compare-place", message, why, f"write `{meant}`", edits=edits)
        call = f"piece({words})"
    elif isinstance(other.type, Values) and other.type.is_number:
        call = f"count({words})"
    sides = (inference.text(n) if n is not place_node else call for n in (left_node, right_node))
    return inference.complain(
        node,
        "compare-place",
        f"cannot compare {inference.describe(left)} with {inference.describe(right)}",
        "a place is where something lies, not what lies there",
        f"write `{f' {op} '.join(map(str, sides))}`" if call else "",
        edits=inference.write(place_node, call),
    )


def _in(inference: Inference, node: Syntax, env: Env) -> Expr:
    item, domain = inference.value(node.parts[0], env), inference.value(node.parts[1], env)
    if isinstance(domain.type, ListOf) and not _can_be_equal(item.type, domain.type.item):
        item = inference.declared_part(item)  # if a test around it excludes that, it is no mistake of this one
    return syntax.In(YesNo(), item, domain) if _fits_in(inference, node, item, domain) else UNKNOWN


def _not_in(inference: Inference, node: Syntax, env: Env) -> Expr:
    of = _in(inference, node, env)
    return of if isinstance(of.type, Unknown) else syntax.Negation(YesNo(), of)


def _fits_in(inference: Inference, node: Syntax, item: Expr, domain: Expr) -> bool:
    """Return whether the item may be in the domain; report it if it never is."""
    if isinstance(item.type, PlaceOf):
        return _place_fits_in(inference, node, item, domain)
    match domain.type:
        case Unknown():
            return False
        case PlaceOf():
            held: Type = inference.names.kinds_type((domain.type.family,))
        case ListOf(item=PlaceOf(family=family)):
            held = inference.names.kinds_type((family,))
        case ListOf():
            held = domain.type.item
        case Several():
            held = inference.names.type_of_kinds(domain.type.kinds)
        case _:
            inference.no_list(node.parts[1], "a set, a list or a place", domain)
            return False
    if isinstance(item.type, Unknown) or isinstance(held, Unknown):
        return False
    if not isinstance(item.type, Values) or not isinstance(held, Values):
        inference.expected(node.parts[0], "a number or a member of a set", item)
        return False
    listed_out = domain.items if isinstance(domain, syntax.Items) else ()  # its type knows nothing of gaps
    never = bool(listed_out) and not any(
        not isinstance(e, syntax.Literal) or isinstance(e.type, ListOf) or _can_be_equal(item.type, e.type)
        for e in listed_out
    )
    if never and not item.type.never:
        words = inference.text(node.parts[1])
        message, why = f"{inference.describe(item)} is never in `{words}`", inference.values_of(item)
        inference.complain(node, "type-never-in", message, why, also=inference.homes(item))
        return False
    if overlap(item.type, held) or (item.type.none and held.none) or item.type.never or held.never:
        return True
    inference.complain(
        node,
        "type-never-in",
        f"{inference.describe(item)} is never in {inference.describe(domain)}",
        inference.values_of(item),
        also=inference.homes(item, domain),
    )
    return False


def _place_fits_in(inference: Inference, node: Syntax, item: Expr, domain: Expr) -> bool:
    """Return whether a place may be one of these places; report it if it never is."""
    if isinstance(domain.type, Unknown):
        return False
    if domain.type == item.type:
        message = f"{inference.describe(domain)} has pieces on it, not places"
        sign = "=" if node.kind == "in" else "!="
        meant = f"{inference.text(node.parts[0])} {sign} {inference.text(node.parts[1])}"
        fix, edits = f"write `{meant}`", inference.write(node, meant)
        inference.complain(node.parts[1], "type-mismatch", message, "", fix, edits=edits)
        return False
    if not isinstance(domain.type, ListOf) or not isinstance(domain.type.item, PlaceOf | Unknown):
        inference.no_list(node.parts[1], f"a list of places, to look for {inference.describe(item)}", domain)
        return False
    if domain.type.item == item.type:
        return True
    if not isinstance(domain.type.item, Unknown):
        message = f"{inference.describe(item)} is never in {inference.describe(domain)}"
        inference.complain(node, "type-never-in", message)
    return False


def _default(inference: Inference, node: Syntax, env: Env) -> Expr:
    value, other = inference.value(node.parts[0], env), inference.value(node.parts[1], env)
    if isinstance(value.type, ListOf | Several):
        return inference.expected(node.parts[0], "something that may be none", value)
    if isinstance(other.type, ListOf | Several):
        return inference.expected(node.parts[1], "one value or one place", other)
    both = join(sure(value.type), other.type)
    if both is None:
        return inference.complain(node, "type-mismatch",
                             f"{inference.describe(value)} cannot default to {inference.describe(other)}")  # fmt: skip
    return syntax.Default(both, _as_place(value, both), _as_place(other, both))


# numbers and lists -----------------------------------------------------------------------------------


def _range(inference: Inference, node: Syntax, env: Env) -> Expr:
    lo, hi = inference.numbers(node.parts[0], node.parts[1], env)
    if isinstance(lo.type, Values) and isinstance(hi.type, Values):
        return syntax.Range(range_type(lo.type, hi.type), lo, hi)
    return UNKNOWN


def _arithmetic(inference: Inference, node: Syntax, env: Env) -> Expr:
    left_node, op, right_node = node.parts
    if op == "*" and (pairs := _pairs(inference, left_node, right_node, env)):
        return pairs
    left, right = inference.numbers(left_node, right_node, env)
    a, b = left.type, right.type
    if not isinstance(a, Values) or not isinstance(b, Values):
        return UNKNOWN
    if op in ("/", "mod") and b.lo <= 0 <= b.hi:  # type: ignore[operator]
        meant = f"max(1, {inference.text(right_node)})"
        message, edits = "this may be 0, and nothing can be divided by 0", inference.write(right_node, meant)
        return inference.complain(right_node, "type-divide", message, "", f"write `{meant}`", edits=edits)
    t = inference.bounded(node, arithmetic_reach(op, a, b))
    return syntax.Arithmetic(t, op, left, right, inference.span(node)) if t else UNKNOWN


def _pairs(inference: Inference, left: Syntax, right: Syntax, env: Env) -> Expr | None:
    """Return the set of pairs that `side * spot` makes of two sets, which only `sets:` can use; else None."""
    names = [n.parts[0] for n in (left, right) if n.kind == "name"]
    if len(names) == 2 and all(n in inference.names.sets and n not in env for n in names):
        return syntax.BuiltinCall(
            ListOf(Unknown()), "pairs", (syntax.Local(Unknown(), names[0]), syntax.Local(Unknown(), names[1]))
        )
    return None


def _negative(inference: Inference, node: Syntax, env: Env) -> Expr:
    e = inference.number(node.parts[-1], env)
    if not isinstance(e.type, Values):
        return e
    zero = syntax.Literal(number(0, 0), 0)
    return syntax.Arithmetic(number(-e.type.hi, -e.type.lo), "-", zero, e, inference.span(node))  # type: ignore[operator]


def _list_of(inference: Inference, node: Syntax, env: Env) -> Expr:
    parts = node.parts[0].parts if node.parts and node.parts[0] else ()
    items = [inference.value(p, env) for p in parts]
    for at, e in zip(parts, items, strict=True):
        if isinstance(e.type, Several):
            return inference.expected(at, "a value, a place or a list", e)
    # a set named in a list means its members
    flat = [e.type.item if isinstance(e.type, ListOf) else e.type for e in items]
    item = join_all(flat)
    if item is None:
        return inference.complain(node, "type-mismatch", "the items of this list are of different kinds",
                             listed([inference.describe(e) for e in items]))  # fmt: skip
    largest = sum(e.type.largest if isinstance(e.type, ListOf) else 1 for e in items)
    return syntax.Items(ListOf(item, largest), tuple(_as_place(e, item) for e in items))


# reading ---------------------------------------------------------------------------------------------


def _index(inference: Inference, node: Syntax, env: Env) -> Expr:
    base, arguments = node.parts[0], node.parts[1].parts
    name: str = base.parts[0] if base.kind == "name" else ""
    if not name or isinstance(env.get(name), ListOf):
        return _item_at(inference, node, env)
    if name in inference.names.failed and name not in env:
        return UNKNOWN
    was_bare = name in inference.names.bare
    if name in env or (not inference.names.is_indexed(name) and inference.names.plain(name) is not None):
        message, why = f"`{name}` has no index", f"it is {inference.names.what(name, env)}"
        _, fix, also = inference.hidden(name, env, f"write `{name}`")
        edits = inference.write(node, name)
        held = inference.silently().value(base, env).type
        if not was_bare and name not in env:
            inference.names.bare.discard(name)  # it was only looked up
            inference.names.given.setdefault(name, []).append((UNKNOWN.type,) * len(arguments))
        if counted := _counted(inference, base, held, arguments, env):
            fix, edits = f"write `{counted}`", inference.write(node, counted)
        elif name not in env and (near := inference.indexed_like(name, arguments, env)):
            fix, edits = (
                suggestion(near, f"it is declared as `{inference.names.head(near)}`"),
                inference.write(base, near),
            )
        about = (INDEXED, "" if name in env else name)
        at = inference.span(base)
        inference.report(Diagnostic(at, "index-base", message, why, fix, also, about=about, edits=edits))
        return UNKNOWN
    if not inference.names.is_indexed(name):
        if name not in inference.names.declared:
            return inference.unknown(base, name, "place, table or variable")
        shown = ", ".join(inference.text(a) for a in arguments)
        function = inference.names.function(name) is not None or name in BUILTINS
        meant = f"{name}({shown})" if function else None
        message, fix = f"`{name}` has no index", f"write `{meant}`" if meant else ""
        why, edits = f"it is {inference.names.what(name, env)}", inference.write(node, meant)
        return inference.complain(base, "index-base", message, why, fix, edits=edits)
    index = inference.indexes(node, name, arguments, env)
    if index is None:
        return UNKNOWN
    exprs, sure_inside = index
    return inference.names.read(name, exprs, sure_inside)


def _counted(inference: Inference, base: Syntax, held: Type, arguments: Sequence[Syntax], env: Env) -> str:
    """Return how the pieces of a kind are counted that is written as an index of their place; nothing if it is no such kind."""
    kind = inference.silently().value(arguments[0], env).type if len(arguments) == 1 else Unknown()
    if not isinstance(held, PlaceOf) or not isinstance(kind, Values) or not kind.members:
        return ""
    fits = overlap(kind, inference.names.kinds_type((held.family,)))
    return f"count({inference.text(base)}, {inference.text(arguments[0])})" if fits else ""


def _item_at(inference: Inference, node: Syntax, env: Env) -> Expr:
    """Return the n-th item of a list that is worked out: `ray(x, w)[2]`."""
    base, arguments = node.parts[0], node.parts[1].parts
    items = inference.value(base, env)
    if isinstance(items.type, Unknown):
        return UNKNOWN
    if not isinstance(items.type, ListOf):
        message = f"{inference.describe(items)} has no items"
        why = "only places, tables and variables have indexes, and lists items by their number"
        meant = _counted(inference, base, items.type, arguments, env)
        fix, edits = (f"write `{meant}`", inference.write(node, meant)) if meant else ("", ())
        return inference.complain(node, "index-base", message, why, fix, edits=edits)
    if len(arguments) != 1:
        message = f"a list has one number in its brackets, {len(arguments)} given"
        return inference.complain(
            node, "index-count", message, "", f"write `{inference.text(base)}[1]` for its first item"
        )
    at = inference.number(arguments[0], env)
    if not isinstance(at.type, Values):
        return UNKNOWN
    assert at.type.lo is not None and at.type.hi is not None
    if at.type.hi < 1 or at.type.lo > items.type.largest:
        found = f"{inference.describe(at)} is never the number of an item"
        why = f"this list has {number_of(items.type.largest, 'item')} at most, and the first is number 1"
        return inference.complain(arguments[0], "index-never", found, why)
    return syntax.ItemAt(or_none(items.type.item), items, at)


def part_of(inference: Inference, e: Expr, pair: str, which: int, env: Env) -> Expr:
    part_type: Type = inference.names.sets[inference.names.sets[pair].parts[which]].type
    if isinstance(e, syntax.Literal) and isinstance(e.value, int) and e.value != NONE:
        code = inference.names.pair_parts[e.value][which]
        return syntax.Literal(inference.names.const_type(code), code)
    return _narrowed_part(syntax.Part(or_none(part_type) if can_be_none(e.type) else part_type, e, pair, which), env)


def _narrowed_part(part: syntax.Part | syntax.PlacePart, env: Env) -> Expr:
    """Return a part of a local name with what tests have shown of it."""
    known = env.get(path_of(part) or "")
    return part if known is None else replace(part, type=known)


def _part(inference: Inference, node: Syntax, env: Env) -> Expr:
    base, name = node.parts
    if base.kind == "name" and base.parts[0] not in env:
        code = inference.names.members.get(f"{base.parts[0]}.{name}")
        if code is not None:
            return syntax.Literal(inference.names.const_type(code), code)
    owner = base.parts[0] if base.kind == "name" and base.parts[0] not in env else ""
    if (
        owner
        and inference.names.is_indexed(owner)
        and owner not in inference.names.places
        and (name in env or inference.knows(name))
    ):
        message, why = f"`{owner}` has no parts", f"it is declared as `{inference.names.head(owner)}`"
        meant = f"{owner}[{name}]"
        return inference.complain(
            node, "part-of-no-pair", message, why, f"write `{meant}`", edits=inference.write(node, meant)
        )
    e = inference.value(base, env)
    if isinstance(e.type, Unknown):
        return UNKNOWN
    if isinstance(e.type, PlaceOf):
        return _part_of_place(inference, node, e, e.type.family, name, env)
    pair = inference.names.pair_of(e.type)
    if pair is None:
        why = "members of a set of pairs (`a * b`) have parts, and places with indexes"
        message, (fix, edits) = f"{inference.describe(e)} has no parts", inference.without_dot(node, base, name)
        also: Also = ()
        if isinstance(e.type, ListOf) and not fix and (name in COUNTED or HABITS.get(name) in COUNTED):
            meant = f"{'count' if isinstance(e.type.item, PlaceOf) else 'size'}({inference.text(base)})"
            fix, edits = f"write `{meant}`", inference.write(node, meant)
        home = inference.names.sets.get(e.type.home) if isinstance(e.type, Values) else None
        if home is not None and name in home.contains and len(home.contains) == 2:  # both sets, where pairs are meant
            meant = " * ".join(home.contains)
            why, fix, also = (
                f"`{home.name}` has the members of both sets",
                f"for pairs write `{home.name}: {meant}`",
                ((f"`{home.name}`", home.span),),
            )
            edits = ()
        return inference.complain(node, "part-of-no-pair", message, why, fix, also, edits=edits)
    parts = inference.names.sets[pair].parts
    if name not in parts:
        message, why = f"a `{pair}` has no part `{name}`", f"its parts are `{parts[0]}` and `{parts[1]}`"
        near = closest(name, parts)
        edits = inference.write_name(node, name, near)
        return inference.complain(node, "part-unknown", message, why, suggestion(near), edits=edits)
    return part_of(inference, e, pair, parts.index(name), env)


def _part_of_place(inference: Inference, node: Syntax, place: Expr, family: str, name: str, env: Env) -> Expr:
    """Return one index of a place, by the name it was declared with."""
    names = inference.names.places[family].index
    declared = f"it is declared as `{inference.names.head(family)}`"
    if name not in names:
        parts = listed_names([f".{n}" for n in names if n], "and")
        why = f"a place of `{family}` has {parts}" if parts else declared
        near, message = closest(name, [n for n in names if n]), f"a place of `{family}` has no `.{name}`"
        fix, edits = suggestion(near), inference.write_name(node, name, near)
        if near is None and (name in COUNTED or HABITS.get(name) in COUNTED):
            meant = f"count({inference.text(node.parts[0])})"
            fix, edits = f"write `{meant}`", inference.write(node, meant)
        elif near is None:
            fix, edits = inference.without_dot(node, node.parts[0], name)
        return inference.complain(node, "part-unknown", message, why, fix, edits=edits)
    if names.count(name) > 1:
        message = f"`.{name}` could be either index of `{family}`"
        fix = "give one of them a set of its own with the same members, and use its name"
        return inference.complain(node, "part-ambiguous", message, declared, fix)
    which = names.index(name)
    part: Type = inference.names.index_types(family)[which]
    always = isinstance(place.type, PlaceOf) and place.type.sure
    return _narrowed_part(syntax.PlacePart(part if always else or_none(part), place, which), env)


# calls -----------------------------------------------------------------------------------------------


def _call(inference: Inference, node: Syntax, env: Env) -> Expr:
    name, arguments = node.parts[0], node.parts[1].parts
    if name in BUILTINS and not (name in HIDDEN_BY_OWN and name in inference.names.declared):
        return BUILTINS[name].build(inference, node, arguments, env)
    function = inference.names.function(name) if name not in env else None
    if function is None:
        if name in AGGREGATES:
            fix, edits = _gathered_over(inference, node, name, arguments, env)
            return inference.complain(node, "aggregate-shape", f"`{name}` needs `for`", "", fix, edits=edits)
        if name in env or inference.names.plain(name) is not None or inference.names.is_indexed(name):
            shown = ", ".join(inference.text(a) for a in arguments)
            meant = f"{name}[{shown}]" if inference.names.is_indexed(name) and name not in env else None
            if len(arguments) == 1 and (
                pair := inference.names.pair_of(inference.silently().value(arguments[0], env).type)
            ):
                meant = f"{shown}.{name}" if name in inference.names.sets[pair].parts else meant
            message = f"`{name}` is {inference.names.what(name, env)}, not a function"
            why, fix, also = inference.hidden(name, env, f"write `{meant}`" if meant else "")
            edits = inference.write(node, meant)
            return inference.complain(node, "call-not-function", message, why, fix, also, edits=edits)
        if name in ROUNDING and len(arguments) == 1:
            meant, message = inference.text(arguments[0]), f"no function called `{name}`"
            why, edits = "numbers are whole: division rounds down", inference.write(node, meant)
            return inference.complain(node, "name-unknown", message, why, f"write `{meant}`", edits=edits)
        if name == "abs" and len(arguments) == 1:
            words = inference.text(arguments[0])
            meant, message = f"max({words}, -({words}))", f"no function called `{name}`"
            edits = inference.write(node, meant)
            return inference.complain(node, "name-unknown", message, "", f"write `{meant}`", edits=edits)
        if HABITS.get(name) == "size" and len(arguments) == 1:
            found = inference.silently().value(arguments[0], env).type
            is_family = arguments[0].kind in ("name", "index")
            if isinstance(found, PlaceOf) or (
                is_family and isinstance(found, ListOf) and isinstance(found.item, PlaceOf)
            ):
                meant = f"count({inference.text(arguments[0])})"
                message, edits = f"no function called `{name}`", inference.write(node, meant)
                return inference.complain(node, "name-unknown", message, "", f"write `{meant}`", edits=edits)
        return inference.unknown(node, name, "function")
    if name in inference.names.failed:
        return UNKNOWN
    args = inference.arguments(node, ("define", name), function.parameters, arguments, env)
    if args is None:
        return syntax.Literal(function.body.type, 0)
    result = function.body.type
    if takes_number(function) and not inference.any_number:
        result = Ranges(inference.names, inference.report).call(name, tuple(a.type for a in args))
    return syntax.FunctionCall(result, name, args, inference.span(node))


def _gathered_over(
    inference: Inference, node: Syntax, name: str, arguments: Sequence[Syntax], env: Env
) -> tuple[str, tuple[Edit, ...]]:
    """Return how values are gathered over the one set that stands in an expression as if it were a member; in words and as a change."""
    first = inference.text(arguments[0])
    sets = sorted((free_words(arguments[0]) & inference.names.sets.keys()) - env.keys())
    if len(arguments) != 1 or len(sets) != 1 or arguments[0].kind == "name":
        found = inference.silently().value(arguments[0], env).type
        return f"write `{name}(… for x in {first if isinstance(found, ListOf | PlaceOf | Several) else 'SET'})`", ()
    local = next(n for n in "xyz" if n not in env and not inference.knows(n))
    body = re.sub(rf"\b{sets[0]}\b", local, first)
    meant = f"{name}({body} for {local} in {sets[0]})"
    return f"write `{meant}`", inference.write(node, meant)


def _aggregate(inference: Inference, node: Syntax, env: Env) -> Expr:
    op, body_node, bindings_node = node.parts[:3]
    filter_node = node.parts[3] if len(node.parts) > 3 else None
    if op not in AGGREGATES:
        if op in ("argmax", "argmin") and len(bindings_node.parts) == 1 and filter_node is None:
            return _one_with_most(inference, node, op, env)
        meant = GATHERED_AS.get(op) or closest(op, AGGREGATES)
        fix = f"write `{meant}`" if meant else f"use {listed(AGGREGATES, 'or')}"
        new = f"{meant}{inference.text(node)[len(op) :]}" if meant else None
        message, edits = f"`{op}` does not gather values", inference.write(node, new)
        return inference.complain(node, "aggregate-unknown", message, "", fix, edits=edits)
    bindings = []
    largest = 1
    for inner in bindings_node.parts:
        name, domain_node = inner.parts
        domain, env = inference.binding(inner, name, domain_node, env)
        bindings.append((name, domain))
        many = 0 if isinstance(domain.type, Unknown) else most_items(domain.type, inference.names.places)
        largest = min(LARGEST, largest * many)
    where = stop = None
    if filter_node is not None:
        test = inference.condition(filter_node.parts[0], env)
        if filter_node.kind == "where":
            where, env = test, inference.after(env, filter_node.parts[0], test, True)
        else:
            stop = test
    sometimes_empty = where is not None or stop is not None or not all(surely_filled(d) for _, d in bindings)
    body, result = _gathered(inference, node, body_node, env, largest, sometimes_empty)
    if op in ("sum", "count") and any(isinstance(d.type, Unknown) for _, d in bindings):
        result = Unknown()  # how many there are is not known
    return syntax.Aggregate(result, op, body, tuple(bindings), where, stop, inference.span(node))


def _one_with_most(inference: Inference, node: Syntax, op: str, env: Env) -> Expr:
    """Return the complaint about `argmax(bid[p] for p in player)`, with how the one with the most is found."""
    inner, body = node.parts[2].parts[0], inference.text(node.parts[1])
    name, domain = inner.parts[0], inference.text(inner.parts[1])
    other = next(n for n in ("q", "x", "y", "z") if n != name and n not in env)
    of_others = re.sub(rf"\b{name}\b", other, body)
    most = f"{op[3:]}({of_others} for {other} in {domain})"
    meant = f"first({name} for {name} in {domain} where {body} = {most})"
    message, why = f"`{op}` does not gather values", "of several that are equal, the first is taken"
    return inference.complain(
        node, "aggregate-unknown", message, why, f"write `{meant}`", edits=inference.write(node, meant)
    )


def _gathered(
    inference: Inference, whole: Syntax, node: Syntax, env: Env, largest: int, sometimes_empty: bool
) -> tuple[Expr, Type]:
    op = whole.parts[0]
    if op in ("any", "all", "count"):
        body = inference.value(node, env)
        if op == "count" and isinstance(body.type, Values) and body.type.is_number and not body.type.members:
            meant = f"sum{inference.text(whole)[len(op) :]}"
            message, why = (
                f"expected a condition (yes or no), found {inference.describe(body)}",
                "`count` counts how often a condition holds",
            )
            fix, edits = f"to add up the numbers write `{meant}`", inference.write(whole, meant)
            inference.complain(node, "type-mismatch", message, why, fix, edits=edits)
            return body, Unknown()
        body = inference.condition(node, env)
        return body, number(0, largest) if op == "count" else YesNo()
    body = inference.value(node, env)
    if isinstance(body.type, Unknown):
        return body, Unknown()
    if op in ("list", "first") and isinstance(body.type, ListOf | Several):
        inference.expected(node, "one value or one place", body)
        return body, Unknown()
    if op == "list":
        return body, ListOf(sure(body.type), largest)
    if op == "first":
        return body, or_none(body.type)
    if not isinstance(body.type, Values) or body.type.members or body.type.lo is None:
        inference.expected(node, "a number", body)
        return body, Unknown()
    if op == "sum":
        return body, inference.bounded(whole, sum_reach(body.type, largest)) or Unknown()
    empty = sometimes_empty or body.type.none
    return body, Values(body.type.lo, body.type.hi, none=empty)


def _group(inference: Inference, node: Syntax, env: Env) -> Expr:
    name, start_node, along_node, where_node = node.parts
    start, along = inference.value(start_node, env), inference.value(along_node, env)
    if not isinstance(start.type, PlaceOf):
        return (
            UNKNOWN
            if isinstance(start.type, Unknown)
            else inference.not_one_place(start_node, "a place of a board", start)
        )
    if not inference.check_ways(along_node, along, start.type.family):
        return UNKNOWN
    inference.names.check_new_local(name, inference.name_span(node, name), env, inference.report)
    cell = sure(start.type)  # from nowhere nothing is reached
    where = inference.condition(where_node, {**env, name: cell})
    size = inference.names.places[start.type.family].size
    return syntax.ConnectedGroup(ListOf(cell, size), name, start, along, where)


# the grammar's rule name → how it is checked
FORMS: Mapping[str, Callable[[Inference, Syntax, Env], Expr]] = {
    "number": _number,
    "true": _true,
    "false": _false,
    "none": _none,
    "bracket": _bracket,
    "name": _name,
    "not": _not,
    "and": _and,
    "or": _or,
    "if": _if,
    "let": _let,
    "compare": _compare,
    "in": _in,
    "not_in": _not_in,
    "default": _default,
    "range": _range,
    "arithmetic": _arithmetic,
    "negative": _negative,
    "list_of": _list_of,
    "index": _index,
    "part": _part,
    "call": _call,
    "aggregate": _aggregate,
    "group": _group,
}
