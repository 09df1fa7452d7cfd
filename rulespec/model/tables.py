"""Sets and tables → Names."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

from rulespec import syntax
from rulespec.diagnostics.diagnostic import Diagnostic, Span
from rulespec.english import did_you_mean
from rulespec.expr.evaluate import evaluate, is_static
from rulespec.expr.names import RESERVED
from rulespec.expr.parse import SyntaxProblem, parse
from rulespec.expr.ranges import is_too_large, number_problem
from rulespec.model.entries import NAME, Entries, Skip, as_name
from rulespec.syntax import (
    FIRST_MEMBER,
    Expr,
    ListOf,
    Set,
    Table,
    Unknown,
    Values,
    YesNo,
    join_all,
)
from rulespec.yaml.tree import Mapping, Node, Scalar, Sequence

MOST_MEMBERS = 5000  # of one set
MOST_ALL_MEMBERS = 100_000  # of all sets together
DEEPEST_SETS = 30  # sets inside one another


class SetsAndTables(Entries):
    def __init__(self, tree: Mapping, players: int, report: Callable[[Diagnostic], None]) -> None:
        super().__init__(tree, players, report)
        self._sets: dict[str, tuple[Scalar, Node]] = {}
        self._open_sets: list[str] = []
        player_span = tree.entries[0].key.span if tree.entries else tree.span
        self.names.sets["player"] = self._make_set("player", tuple(range(1, players + 1)), (), (), player_span)
        self.names.heads["player"] = "player"

    # sets -----------------------------------------------------------------------------------------------

    def _read_sets(self) -> None:
        for key, value in self.section("sets"):
            with self.entry(key):
                self.declare(key.text, "a set", key)
                self._sets[key.text] = (key, value)
        for name, (key, _) in self._sets.items():
            with self.entry(key):
                self._resolve_set(name)

    def _resolve_set(self, name: str) -> Set:
        """The set of this name, its contained sets first."""
        if name in self.names.sets:
            return self.names.sets[name]
        if name in self.names.failed:
            raise Skip
        key, value = self._sets[name]
        if len(self._open_sets) > DEEPEST_SETS:
            raise self.complain(key.span, "too-deep", f"more than {DEEPEST_SETS} sets, each inside the next")
        if name in self._open_sets:
            chain = " → ".join([*self._open_sets[self._open_sets.index(name) :], name])
            raise self.complain(
                key.span, "set-cycle", f"`{name}` contains itself: {chain}", "", "take it out of the members"
            )
        self._open_sets.append(name)
        try:
            parts: tuple[str, ...] = ()
            if isinstance(value, Sequence):
                codes = self._listed_members(value)
            else:
                codes, parts = self._computed_members(name, self.scalar(value, "a set"))
        except (Skip, SyntaxProblem):
            self.names.failed.add(name)
            raise
        finally:
            self._open_sets.pop()
        if len(codes) > MOST_MEMBERS:
            raise self.complain(
                value.span, "too-large", f"`{name}` would have {len(codes)} members, at most {MOST_MEMBERS} are allowed"
            )
        if not codes and isinstance(value, Sequence) and value.items:
            raise Skip  # each of them was complained about
        total = len(codes) + sum(len(s.values) for s in self.names.sets.values())
        if total > MOST_ALL_MEMBERS:
            message = f"all sets together would have {total} members, at most {MOST_ALL_MEMBERS} are allowed"
            raise self.complain(value.span, "too-large", message)
        if not codes:
            raise self.complain(value.span, "set-empty", f"`{name}` has no members")
        items = [i.text for i in value.items if isinstance(i, Scalar)] if isinstance(value, Sequence) else []
        contains = tuple(t for t in items if t in self.names.sets)
        self.names.sets[name] = self._make_set(name, codes, parts, contains, key.span)
        return self.names.sets[name]

    def _make_set(
        self, name: str, codes: tuple[int, ...], parts: tuple[str, ...], contains: tuple[str, ...], span: Span
    ) -> Set:
        from rulespec.syntax import of_codes

        return Set(name, codes, of_codes(codes, name), parts, contains, span)

    def _listed_members(self, node: Sequence) -> tuple[int, ...]:
        codes: list[int] = []
        seen: dict[int, Span] = {}
        for item in node.items:
            with self.entry():
                self._add_members(self.scalar(item, "a member"), codes, seen)
        return tuple(codes)

    def _add_members(self, scalar: Scalar, codes: list[int], seen: dict[int, Span]) -> None:
        with self.entry(scalar):
            if scalar.text == "player":
                new = self.names.sets["player"].values
            elif scalar.text in self._sets:
                self.names.used.add(scalar.text)
                new = self._resolve_set(scalar.text).values
            elif re.fullmatch(r"-?[0-9]+", scalar.text):
                if is_too_large(scalar.text):
                    self.report(number_problem(scalar.span, scalar.text))
                    raise Skip
                new = (int(scalar.text),)
            else:
                new = (self._member(scalar),)
            for code in new:
                if code in seen:
                    self.complain(scalar.span, "set-duplicate", f"`{self.names.value_name(code)}` is in this set twice", "", "take one out", (("the first one", seen[code]),))  # fmt: skip
                    continue
                seen[code] = scalar.span
                codes.append(code)

    def _member(self, scalar: Scalar) -> int:
        """The code of a member's name; the same name in two sets is the same member."""
        name = scalar.text
        if name in self.names.members:
            return self.names.members[name]
        if not NAME.match(name):
            self.names.failed.add(as_name(name))
            raise self.complain(scalar.span, "name-shape", f"`{name}` is not a member's name", "members are lower case names, numbers, or names of other sets", f"write `{as_name(name)}`" if as_name(name) else "")  # fmt: skip
        if name in RESERVED:
            raise self.complain(
                scalar.span, "name-reserved", f"`{name}` is a word of the language", "", "choose another name"
            )
        if name in self.names.declared:
            what, where = self.names.declared[name]
            raise self.complain(
                scalar.span, "name-taken", f"`{name}` is {what} already", "", "", ((f"`{name}`", where),)
            )
        return self._new_member(name, scalar.span)

    def _new_member(self, name: str, span: Span) -> int:
        code = FIRST_MEMBER + len(self.names.members)
        self.names.members[name] = code
        self.names.member_names[code] = name
        self.names.declared.setdefault(name, ("a member", span))
        return code

    def _computed_members(self, name: str, scalar: Scalar) -> tuple[tuple[int, ...], tuple[str, ...]]:
        words = re.findall(r"[a-z][a-z0-9_]*", scalar.text)
        if re.fullmatch(r"[a-z]\w*(?:\s*,?\s+[a-z]\w*)*", scalar.text) and not any(w in self._sets for w in words):
            self.names.failed |= set(words)  # they were meant as members
            fix = f"write `{name}: [{', '.join(words)}]`"
            raise self.complain(scalar.span, "set-brackets", "the members of a set stand in `[ ]`", "", fix)
        fragment = parse(scalar, "set")
        for word in words:
            if word in self._sets:
                self._resolve_set(word)
        root = fragment.root.parts[0]
        inference = self.infer(fragment)
        e = inference.value(root)
        if isinstance(e.type, Unknown):
            raise Skip
        if isinstance(e, syntax.Builtin) and e.name == "pairs":
            first, second = (a.name for a in e.args)  # type: ignore[union-attr]
            return self._pairs(first, second, scalar.span), (first, second)
        if not is_static(e, self.names.functions) or not isinstance(e.type, ListOf):
            inference.no_list(root, "a list of members or a range such as `1..5`", e)
            raise Skip
        if e.type.largest > MOST_MEMBERS:
            raise self.complain(
                scalar.span,
                "too-large",
                f"this set would have {e.type.largest} members, at most {MOST_MEMBERS} are allowed",
            )
        self.check_effort(scalar.span, e)
        return tuple(evaluate(e, {}, self.names)), ()

    def _pairs(self, first: str, second: str, span: Span) -> tuple[int, ...]:
        a, b = self.names.sets[first].values, self.names.sets[second].values
        self.names.used |= {first, second}
        if len(a) * len(b) > MOST_MEMBERS:
            raise self.complain(
                span, "too-large", f"these are {len(a) * len(b)} pairs, at most {MOST_MEMBERS} are allowed"
            )
        codes = []
        for x, y in product(a, b):
            name = f"{self.names.value_name(x)}.{self.names.value_name(y)}"
            code = self.names.members.get(name) or self._new_member(name, span)
            self.names.pair_parts[code] = (x, y)
            codes.append(code)
        return tuple(codes)

    # tables ---------------------------------------------------------------------------------------------

    def _read_tables(self) -> None:
        for key, value in self.section("tables"):
            with self.entry(key):
                name, root = self.head(key)
                _, index = self.index_sets(key, root)
                self.declare(name, "a table", key)
                self.names.heads[name] = key.text
                if root.kind == "plain" and isinstance(value, Sequence):
                    index = (tuple(range(1, len(value.items) + 1)),)
                entries = self._entries(name, value, index, root.parts[1:])
                t = join_all([e.type.item if isinstance(e.type, ListOf) else e.type for e in entries])
                if t is None or len({isinstance(e.type, ListOf) for e in entries}) > 1:
                    raise self.complain(value.span, "table-mixed", f"the entries of `{name}` are of different kinds")
                codes = tuple(evaluate(e, {}, self.names) for e in entries)
                if isinstance(t, Values):
                    flat = [c for e in codes for c in (e if isinstance(e, tuple) else (e,))]
                    t = replace(t, home=self.names.home(tuple(flat)) if t.members else "")
                self.names.tables[name] = Table(name, index, codes, t, key.span)

    def _entries(self, name: str, node: Node, index: tuple[tuple[int, ...], ...], heads: tuple[Any, ...]) -> list[Expr]:
        """The entries of a table or a part of one, row by row; a map or list must cover its index exactly."""
        if not index:
            return [self._cell(node)]
        values = index[0]
        label = self._index_label(values, heads)
        if isinstance(node, Sequence):
            if len(node.items) != len(values):
                raise self.complain(node.span, "table-size", f"`{name}` has {len(node.items)} entries here, {label} has {len(values)} members",
                                    "a table covers its index exactly")  # fmt: skip
            rows = list(node.items)
        elif isinstance(node, Mapping):
            rows = self._rows_by_member(name, node, values, label)
        else:
            raise self.complain(
                node.span,
                "table-size",
                f"expected a list or map with an entry for each of the {len(values)} members of {label}, found one value",
            )
        return [e for row in rows for e in self._entries(name, row, index[1:], heads[1:])]

    def _index_label(self, values: tuple[int, ...], heads: tuple[Any, ...]) -> str:
        if heads and heads[0].kind == "index_name":
            return f"`{heads[0].parts[0]}`"
        return f"`{values[0]}..{values[-1]}`" if values else "the index"

    def _rows_by_member(self, name: str, node: Mapping, values: tuple[int, ...], label: str) -> list[Node]:
        by_name = {self.names.value_name(v): v for v in values}
        for key, _ in node:
            if key.text not in by_name:
                members = ", ".join(list(by_name)[:8]) + (", …" if len(by_name) > 8 else "")
                raise self.complain(
                    key.span,
                    "table-key",
                    f"`{key.text}` is not a member of {label}",
                    f"its members are {members}",
                    did_you_mean(key.text, by_name),
                )
        missing = [n for n in by_name if node.get(n) is None]
        if missing:
            shown = ", ".join(f"`{m}`" for m in missing[:5])
            raise self.complain(
                node.span,
                "table-size",
                f"`{name}` has no entry for {shown}",
                f"a table covers its index exactly: {label} has {len(values)} members",
            )
        return [node.get(n) for n in by_name]  # type: ignore[misc]

    def _cell(self, node: Node) -> Expr:
        if isinstance(node, Sequence):
            items = [self._entry(i) for i in node.items]
            t = join_all([e.type.item if isinstance(e.type, ListOf) else e.type for e in items])
            if t is None:
                raise self.complain(node.span, "table-mixed", "the items of this list are of different kinds")
            codes = evaluate(syntax.Items(ListOf(t), tuple(items)), {}, self.names)
            return syntax.Const(ListOf(t, len(codes)), codes)
        e = self._entry(node)
        value = evaluate(e, {}, self.names)
        return syntax.Const(self.names.const_type(value) if isinstance(e.type, Values) else e.type, value)

    def _entry(self, node: Node) -> Expr:
        """One entry; outside its index a table gives none, which no condition can be."""
        e = self.static(self.scalar(node, "one value"))
        if isinstance(e.type, YesNo):
            message = f"expected a number or a member, found {self.names.describe(e)}"
            fix = "write 1 and 0, and compare with them"
            raise self.complain(node.span, "type-mismatch", message, "tables hold numbers and members", fix)
        return e
