"""Sections that declare what there is: sets, tables, pieces, places, variables → Names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import product
from typing import Any

from rulespec.diagnostics import Diagnostic, Span, closest
from rulespec.expr import core
from rulespec.expr.builtins import AGGREGATES, BUILTINS
from rulespec.expr.core import Expr
from rulespec.expr.evaluate import evaluate, is_static
from rulespec.expr.infer import Env, Inference
from rulespec.expr.names import RESERVED, Names
from rulespec.expr.parse import Fragment, Syntax, SyntaxProblem, parse
from rulespec.expr.types import (
    FIRST_MEMBER,
    LARGEST,
    NONE,
    NOTHING,
    ListOf,
    Type,
    Unknown,
    Values,
    YesNo,
    inside,
    join_all,
)
from rulespec.model import Parameter, Place, Set, Supply, Table, Variable
from rulespec.tree import Mapping, Node, Scalar, Sequence, bare_name

MOST_MEMBERS = 5000  # of one set
MOST_PLACES = 20_000  # of one family
NAME = re.compile(r"[a-z][a-z0-9_]*\Z")


class Skip(Exception):
    """This entry was complained about; go on with the next."""


class Declarations:
    """Reads the declaring sections in the order in which they build on each other."""

    def __init__(self, tree: Mapping, players: int, report: Callable[[Diagnostic], None]) -> None:
        self.tree = tree
        self.report = report
        self.names = Names(players)
        self.kinds: list[int] = []
        self.supplies: list[Supply] = []
        self._sets: dict[str, tuple[Scalar, Node]] = {}
        self._open_sets: list[str] = []
        player_span = tree.entries[0].key.span if tree.entries else tree.span
        self.names.sets["player"] = self._make_set("player", tuple(range(1, players + 1)), (), (), player_span)
        self.names.heads["player"] = "player"

    def read(self) -> Names:
        self._read_sets()
        self._read_tables()
        self._read_kinds()
        self._read_places()
        self._read_pieces()
        self._read_variables()
        return self.names

    # common ----------------------------------------------------------------------------------------------

    def section(self, name: str) -> Iterator[tuple[Scalar, Node]]:
        node = self.tree.get(name)
        return iter(node) if isinstance(node, Mapping) else iter(())

    def complain(self, span: Span, code: str, message: str, why: str = "", fix: str = "", also: Any = ()) -> Skip:
        self.report(Diagnostic(span, code, message, why, fix, also))
        return Skip()

    @contextmanager
    def entry(self) -> Iterator[None]:
        """Whatever goes wrong in one entry leaves the others readable."""
        try:
            yield
        except Skip:
            pass
        except SyntaxProblem as problem:
            self.report(problem.diagnostic)

    def declare(self, name: str, what: str, key: Scalar) -> None:
        """Takes a name into the one namespace; refuses one that is taken."""
        names = self.names
        if not NAME.match(name):
            raise self.complain(key.span, "name-shape", f"`{name}` is not a name", "names are lower case letters, digits and `_`, and begin with a letter")  # fmt: skip
        # a built-in is always followed by `(`, so only a function could be taken for one
        if name in RESERVED or name == "player" or (what == "a function" and (name in BUILTINS or name in AGGREGATES)):
            raise self.complain(key.span, "name-reserved", f"`{name}` is a word of the language", "", "choose another name")
        if name in names.declared or name in names.members:
            kind, where = names.declared.get(name, ("a member of a set", None))
            also = ((f"`{name}` is {kind}", where),) if where else ()
            raise self.complain(key.span, "name-taken", f"`{name}` is {kind} already", "every name stands for one thing", "choose another name", also)  # fmt: skip
        names.declared[name] = (what, key.span)
        names.heads[name] = key.text

    def infer(self, fragment: Fragment, env: Env | None = None) -> Inference:
        return Inference(self.names, fragment, env or {}, self.report)

    def static(self, scalar: Scalar, env: Env | None = None) -> Expr:
        """A checked expression that reads no state."""
        inference = self.infer(parse(scalar, "expr"), env)
        e = inference.value()
        if isinstance(e.type, Unknown):
            raise Skip
        if not is_static(e, self.names.functions):
            raise self.complain(scalar.span, "expr-not-fixed", "this must be known before the game starts", "it reads a place or a variable")
        return e

    def static_number(self, node: Node | None, env: Env | None = None) -> Expr:
        e = self.static(self.scalar(node, "a number"), env)
        if not (isinstance(e.type, Values) and e.type.is_number and not e.type.none):
            assert node is not None
            raise self.complain(node.span, "type-mismatch", f"expected a number, found {self.names.describe(e)}")
        return e

    def scalar(self, node: Node | None, what: str) -> Scalar:
        if isinstance(node, Scalar):
            return node
        assert node is not None
        raise self.complain(node.span, "shape-type", f"expected {what} on one line, found a {'list' if isinstance(node, Sequence) else 'map'}")

    def head(self, key: Scalar) -> tuple[str, Syntax]:
        fragment = parse(key, "head")
        return fragment.root.parts[0], fragment.root

    def index_sets(self, key: Scalar, root: Syntax) -> tuple[tuple[str, ...], tuple[tuple[int, ...], ...]]:
        """Names and values of the index sets of a head such as `wall[player, row]`."""
        if root.kind == "function":
            raise self.complain(key.span, "head-brackets", "indexes stand in square brackets", "", f"write `{key.text.replace('(', '[').replace(')', ']')}`")
        names: list[str] = []
        values: list[tuple[int, ...]] = []
        for index in root.parts[1:]:
            span = key.at(index.start, index.end)
            if index.kind == "index_name":
                name = index.parts[0]
                if name not in self.names.sets:
                    raise self.complain_set(span, name)
                self.names.used.add(name)
                names.append(name)
                values.append(self.names.sets[name].values)
            else:
                lo, hi = (self._whole(key, part) for part in index.parts)
                names.append("")
                values.append(tuple(range(lo, hi + 1)))
        size = 1
        for v in values:
            size *= len(v)
        if size > MOST_PLACES:
            raise self.complain(key.span, "too-large", f"`{bare_name(key.text)}` would have {size} entries, at most {MOST_PLACES} are allowed")
        return tuple(names), tuple(values)

    def complain_set(self, span: Span, name: str) -> Skip:
        near = closest(name, self.names.sets)
        return self.complain(span, "name-unknown", f"no set called `{name}`", "", f"did you mean `{near}`?" if near else "")

    def _whole(self, key: Scalar, part: Syntax) -> int:
        e = self.infer(Fragment(key, part)).number(part)
        if isinstance(e.type, Unknown) or not is_static(e):
            raise Skip
        return int(evaluate(e, {}, self.names))

    def parameters(self, key: Scalar, root: Syntax) -> tuple[Parameter, ...]:
        """The parameters of a head such as `run(player p, row r)`."""
        if root.kind == "indexed":
            raise self.complain(key.span, "head-brackets", "parameters stand in round brackets, each with its set", "", "write `name(set x)`")
        found: list[Parameter] = []
        for param in root.parts[1:]:
            set_name, name = param.parts
            span = key.at(param.start, param.end)
            t = self.names.parameter_type(set_name)
            if t is None:
                raise self.complain_set(span, set_name)
            self.names.check_new_local(name, span, self.names.env_of(found), self.report)
            found.append(Parameter(name, t, set_name))
        return tuple(found)

    # sets ------------------------------------------------------------------------------------------------

    def _read_sets(self) -> None:
        for key, value in self.section("sets"):
            with self.entry():
                self.declare(key.text, "a set", key)
                self._sets[key.text] = (key, value)
        for name in self._sets:
            with self.entry():
                self._resolve_set(name)

    def _resolve_set(self, name: str) -> Set:
        """The set of this name, its contained sets first."""
        if name in self.names.sets:
            return self.names.sets[name]
        key, value = self._sets[name]
        if name in self._open_sets:
            chain = " → ".join([*self._open_sets[self._open_sets.index(name) :], name])
            raise self.complain(key.span, "set-cycle", f"`{name}` contains itself: {chain}")
        self._open_sets.append(name)
        try:
            parts: tuple[str, ...] = ()
            if isinstance(value, Sequence):
                codes = self._listed_members(value)
            else:
                codes, parts = self._computed_members(self.scalar(value, "a set"))
        finally:
            self._open_sets.pop()
        if len(codes) > MOST_MEMBERS:
            raise self.complain(value.span, "too-large", f"`{name}` would have {len(codes)} members, at most {MOST_MEMBERS} are allowed")
        if not codes:
            raise self.complain(value.span, "set-empty", f"`{name}` has no members")
        items = [i.text for i in value.items if isinstance(i, Scalar)] if isinstance(value, Sequence) else []
        contains = tuple(t for t in items if t in self.names.sets)
        self.names.sets[name] = self._make_set(name, codes, parts, contains, key.span)
        return self.names.sets[name]

    def _make_set(self, name: str, codes: tuple[int, ...], parts: tuple[str, ...], contains: tuple[str, ...], span: Span) -> Set:
        from rulespec.expr.types import of_codes

        return Set(name, codes, of_codes(codes, name), parts, contains, span)

    def _listed_members(self, node: Sequence) -> tuple[int, ...]:
        codes: list[int] = []
        seen: dict[int, Span] = {}
        for item in node.items:
            scalar = self.scalar(item, "a member")
            if scalar.text == "player":
                new = self.names.sets["player"].values
            elif scalar.text in self._sets:
                self.names.used.add(scalar.text)
                new = self._resolve_set(scalar.text).values
            elif re.fullmatch(r"-?[0-9]+", scalar.text):
                new = (int(scalar.text),)
            else:
                new = (self._member(scalar),)
            for code in new:
                if code in seen:
                    raise self.complain(scalar.span, "set-duplicate", f"`{self.names.value_name(code)}` is in this set twice", "", "", (("first", seen[code]),))  # fmt: skip
                seen[code] = scalar.span
            codes += new
        return tuple(codes)

    def _member(self, scalar: Scalar) -> int:
        """The code of a member's name; the same name in two sets is the same member."""
        name = scalar.text
        if name in self.names.members:
            return self.names.members[name]
        if not NAME.match(name):
            raise self.complain(scalar.span, "name-shape", f"`{name}` is not a member's name", "members are lower case names, numbers, or names of other sets")  # fmt: skip
        if name in RESERVED:
            raise self.complain(scalar.span, "name-reserved", f"`{name}` is a word of the language", "", "choose another name")
        if name in self.names.declared:
            what, where = self.names.declared[name]
            raise self.complain(scalar.span, "name-taken", f"`{name}` is {what} already", "", "", ((f"`{name}`", where),))
        return self._new_member(name, scalar.span)

    def _new_member(self, name: str, span: Span) -> int:
        code = FIRST_MEMBER + len(self.names.members)
        self.names.members[name] = code
        self.names.member_names[code] = name
        self.names.declared.setdefault(name, ("a member", span))
        return code

    def _computed_members(self, scalar: Scalar) -> tuple[tuple[int, ...], tuple[str, ...]]:
        fragment = parse(scalar, "set")
        for name in re.findall(r"[a-z][a-z0-9_]*", scalar.text):
            if name in self._sets:
                self._resolve_set(name)
        root = fragment.root.parts[0]
        e = self.infer(fragment).value(root)
        if isinstance(e.type, Unknown):
            raise Skip
        if isinstance(e, core.Builtin) and e.name == "pairs":
            first, second = (a.name for a in e.args)  # type: ignore[union-attr]
            return self._pairs(first, second, scalar.span), (first, second)
        if not is_static(e, self.names.functions) or not isinstance(e.type, ListOf):
            raise self.complain(scalar.span, "type-mismatch", f"expected a list of members or a range such as `1..5`, found {self.names.describe(e)}")
        if e.type.largest > MOST_MEMBERS:
            raise self.complain(scalar.span, "too-large", f"this set would have {e.type.largest} members, at most {MOST_MEMBERS} are allowed")
        return tuple(evaluate(e, {}, self.names)), ()

    def _pairs(self, first: str, second: str, span: Span) -> tuple[int, ...]:
        a, b = self.names.sets[first].values, self.names.sets[second].values
        self.names.used |= {first, second}
        if len(a) * len(b) > MOST_MEMBERS:
            raise self.complain(span, "too-large", f"these are {len(a) * len(b)} pairs, at most {MOST_MEMBERS} are allowed")
        codes = []
        for x, y in product(a, b):
            name = f"{self.names.value_name(x)}.{self.names.value_name(y)}"
            code = self.names.members.get(name) or self._new_member(name, span)
            self.names.pair_parts[code] = (x, y)
            codes.append(code)
        return tuple(codes)

    # tables ----------------------------------------------------------------------------------------------

    def _read_tables(self) -> None:
        for key, value in self.section("tables"):
            with self.entry():
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
            raise self.complain(node.span, "table-size", f"expected a list or map with an entry for each of the {len(values)} members of {label}, found one value")
        return [e for row in rows for e in self._entries(name, row, index[1:], heads[1:])]

    def _index_label(self, values: tuple[int, ...], heads: tuple[Any, ...]) -> str:
        if heads and heads[0].kind == "index_name":
            return f"`{heads[0].parts[0]}`"
        return f"`{values[0]}..{values[-1]}`" if values else "the index"

    def _rows_by_member(self, name: str, node: Mapping, values: tuple[int, ...], label: str) -> list[Node]:
        by_name = {self.names.value_name(v): v for v in values}
        for key, _ in node:
            if key.text not in by_name:
                near = closest(key.text, by_name)
                raise self.complain(key.span, "table-key", f"`{key.text}` is not a member of {label}", "", f"did you mean `{near}`?" if near else "")
        missing = [n for n in by_name if node.get(n) is None]
        if missing:
            shown = ", ".join(f"`{m}`" for m in missing[:5])
            raise self.complain(node.span, "table-size", f"`{name}` has no entry for {shown}", f"a table covers its index exactly: {label} has {len(values)} members")
        return [node.get(n) for n in by_name]  # type: ignore[misc]

    def _cell(self, node: Node) -> Expr:
        if isinstance(node, Sequence):
            items = [self.static(self.scalar(i, "one value")) for i in node.items]
            t = join_all([e.type.item if isinstance(e.type, ListOf) else e.type for e in items])
            if t is None:
                raise self.complain(node.span, "table-mixed", "the items of this list are of different kinds")
            codes = evaluate(core.Items(ListOf(t), tuple(items)), {}, self.names)
            return core.Const(ListOf(t, len(codes)), codes)
        e = self.static(self.scalar(node, "one value"))
        value = evaluate(e, {}, self.names)
        return core.Const(self.names.const_type(value) if isinstance(e.type, Values) else e.type, value)

    # pieces and places -----------------------------------------------------------------------------------

    def _read_kinds(self) -> None:
        """The kinds of pieces: members of the sets named under `pieces:`, and new kinds of their own."""
        for key, _ in self.section("pieces"):
            with self.entry():
                if key.text in self.names.sets:
                    self.names.used.add(key.text)
                    new = self.names.sets[key.text].values
                elif key.text in self.names.members:
                    self.names.used.add(key.text)
                    new = (self.names.members[key.text],)
                else:
                    self.declare(key.text, "a kind of piece", key)
                    new = (self._new_member(key.text, key.span),)
                self.kinds += [k for k in new if k not in self.kinds]

    def _read_places(self) -> None:
        for key, value in self.section("places"):
            with self.entry():
                name, root = self.head(key)
                index, index_values = self.index_sets(key, root)
                self.declare(name, "a place", key)
                if isinstance(value, Mapping):
                    self.names.places[name] = self._place(name, key, index, index_values, value)

    def _place(self, name: str, key: Scalar, index: tuple[str, ...], values: tuple[tuple[int, ...], ...], node: Mapping) -> Place:
        shape = next(s for s in ("pile", "stack", "cell") if node.get(s) is not None)
        kinds_node = node.get(shape)
        assert kinds_node is not None
        kinds, kind_name = self._kinds(kinds_node)
        env: Env = {n: self.names.sets[n].type for n in index if n}
        combos = list(product(*values))
        rooms = tuple(1 if shape == "cell" else -1 for _ in combos)
        room = node.get("room")
        if room is not None and shape == "cell":
            raise self.complain(room.span, "place-room", "a cell has room for one piece", "", "leave `room:` out")
        if room is not None:
            e = self.static_number(room, env)
            rooms = tuple(evaluate(e, dict(zip(index, combo, strict=True)), self.names) for combo in combos)
            if min(rooms, default=0) < 0:
                raise self.complain(room.span, "place-room", f"the room of `{name}` would be {min(rooms)}")
        if shape == "stack" and room is None:
            raise self.complain(key.span, "stack-room", f"the stack `{name}` needs `room:`", "a stack is stored piece by piece", "add `room:` with the most pieces it can hold")
        ways = self._ways(node.get("ways"), index, values, combos, env)
        seen = node.get("seen by")
        seen_by = seen.text if isinstance(seen, Scalar) else "everyone"
        if seen_by == "owner" and "player" not in index:
            assert seen is not None
            raise self.complain(seen.span, "place-owner", f"`{name}` has no owner", "an owner is the `player` index of a place", "add a `player` index, or write `nobody` or `everyone`")
        return Place(name, shape, index, values, kinds, rooms, ways, seen_by, None, kind_name, key.span)

    def read_shows(self) -> None:
        """`shows:` may call functions, so it is read after them."""
        for key, value in self.section("places"):
            name = bare_name(key.text)
            shows = value.get("shows") if isinstance(value, Mapping) else None
            if isinstance(shows, Scalar) and name in self.names.places:
                with self.entry():
                    place = self.names.places[name]
                    env: Env = {place.kind_name: self.names.type_of_kinds(place.kinds)}
                    e = self.infer(parse(shows, "expr"), env).value()
                    if not is_static(e, self.names.functions):
                        raise self.complain(shows.span, "expr-not-fixed", "what a piece shows must depend on the piece alone")
                    self.names.places[name] = replace(place, shows=e)

    def _kinds(self, node: Node) -> tuple[tuple[int, ...], str]:
        items = node.items if isinstance(node, Sequence) else (node,)
        kinds: list[int] = []
        for item in items:
            scalar = self.scalar(item, "a kind of piece")
            name = scalar.text
            if name in self.names.sets:
                new = self.names.sets[name].values
            elif name in self.names.members:
                new = (self.names.members[name],)
            else:
                known = [*self.names.sets, *(self.names.value_name(k) for k in self.kinds)]
                near = closest(name, known)
                raise self.complain(scalar.span, "name-unknown", f"no kind of piece or set called `{name}`", "pieces are declared under `pieces:`", f"did you mean `{near}`?" if near else "")
            self.names.used.add(name)
            kinds += [k for k in new if k not in kinds]
        return tuple(kinds), items[0].text if len(items) == 1 and isinstance(items[0], Scalar) else "piece"

    def _ways(self, node: Node | None, index: tuple[str, ...], values: tuple[tuple[int, ...], ...], combos: list[tuple[int, ...]], env: Env) -> dict[str, tuple[tuple[int, ...], ...]]:
        if not isinstance(node, Mapping):
            return {}
        number_of = {combo: i for i, combo in enumerate(combos)}
        ways = {}
        for key, value in node:
            if key.text not in self.names.members:
                raise self.complain(key.span, "way-unknown", f"`{key.text}` is not a member of a set", "ways are members of a set, so that they can be named in expressions", f"add a set such as `way: [{key.text}]`")
            self.names.used.add(key.text)
            changes = value.items if isinstance(value, Sequence) else (value,)
            neighbours: list[list[int]] = [[] for _ in combos]
            for change in changes:
                for i, combo in enumerate(combos):
                    for target in self._step(change, index, combo, env):
                        if target in number_of:
                            neighbours[i].append(number_of[target])
            ways[key.text] = tuple(tuple(n) for n in neighbours)
        return ways

    def _step(self, change: Node, index: tuple[str, ...], combo: tuple[int, ...], env: Env) -> list[tuple[int, ...]]:
        """Where one step of a way leads from one place: usually one place, or several for a list."""
        if not isinstance(change, Mapping):
            raise self.complain(change.span, "shape-type", "expected index changes such as `{column: column + 1}`")
        at = dict(zip(index, combo, strict=True))
        targets = [list(combo)]
        for key, value in change:
            if key.text not in index:
                near = closest(key.text, index)
                raise self.complain(key.span, "way-index", f"`{key.text}` is not an index of this place", "", f"did you mean `{near}`?" if near else "")
            e = self._way_expr(self.scalar(value, "an index"), env)
            result = evaluate(e, at, self.names)
            choices = result if isinstance(result, tuple) else (result,)
            position = index.index(key.text)
            targets = [[*t[:position], c, *t[position + 1 :]] for t in targets for c in choices]
        return [tuple(t) for t in targets]

    def _way_expr(self, scalar: Scalar, env: Env) -> Expr:
        cache: dict[int, Expr] = self.__dict__.setdefault("_way_cache", {})
        if id(scalar) not in cache:
            cache[id(scalar)] = self.static(scalar, env)
        return cache[id(scalar)]

    def _read_pieces(self) -> None:
        total = 0
        for key, value in self.section("pieces"):
            with self.entry():
                scalar = self.scalar(value, "`N in place`")
                kinds = self.names.sets[key.text].values if key.text in self.names.sets else (self.names.members.get(key.text),)
                fragment = parse(scalar, "pieces")
                count_node, place_node = fragment.root.parts
                for place, number_, env in self._starting_places(fragment, place_node):
                    for kind in kinds:
                        if kind is None:
                            continue
                        scope: Env = {n: self.names.const_type(v) for n, v in env.items()}
                        e = self.infer(fragment, scope).number(count_node)
                        if isinstance(e.type, Unknown) or not is_static(e, self.names.functions):
                            raise Skip
                        n = evaluate(e, env, self.names)
                        if not 0 <= n <= LARGEST:
                            raise self.complain(fragment.span(count_node), "piece-count", f"the number of pieces would be {n}")
                        if kind not in place.kinds:
                            raise self.complain(fragment.span(place_node), "place-kind", f"`{place.name}` cannot hold {self.names.value_name(kind)}", f"it holds {self.names.describe_type(self.names.kinds_type((place.name,)))}", "", ((f"`{place.name}`", place.span),))
                        self.supplies.append(Supply(kind, n, place.name, number_))
                        total += n
        self.names.total_pieces = total
        self._check_start_room()

    def _starting_places(self, fragment: Fragment, node: Syntax) -> Iterator[tuple[Place, int, dict[str, int]]]:
        """The places of `N in place[set]`: index sets named in it repeat it."""
        base, indexes = (node.parts[0], node.parts[1].parts) if node.kind == "index" else (node, ())
        name = base.parts[0] if base.kind == "name" else ""
        if name not in self.names.places:
            self.report(self.names.unknown(str(name), "place", fragment.span(node), {}))
            raise Skip
        self.names.used.add(name)
        place = self.names.places[name]
        if len(indexes) not in (0, len(place.index)):
            raise self.complain(fragment.span(node), "index-count", f"`{name}` has {len(place.index)} indexes, {len(indexes)} given")
        domains: list[tuple[str, tuple[int, ...]]] = []
        for i, values in enumerate(place.index_values):
            index = indexes[i] if indexes else None
            if index is None or (index.kind == "name" and index.parts[0] in self.names.sets):
                set_name = index.parts[0] if index else place.index[i]
                domains.append((set_name, self.names.sets[set_name].values if index else values))
            else:
                e = self.infer(fragment).value(index)
                if isinstance(e.type, Unknown) or not is_static(e):
                    raise Skip
                domains.append(("", (evaluate(e, {}, self.names),)))
        numbers = {combo: i for i, combo in enumerate(product(*place.index_values))}
        for combo in product(*(d for _, d in domains)):
            if combo not in numbers:
                raise self.complain(fragment.span(node), "index-outside", f"{', '.join(map(self.names.value_name, combo))} is not a place of `{name}`")
            yield place, numbers[combo], {n: v for (n, _), v in zip(domains, combo, strict=True) if n}

    def _check_start_room(self) -> None:
        held: dict[tuple[str, int], int] = {}
        for s in self.supplies:
            held[s.place, s.number] = held.get((s.place, s.number), 0) + s.count
        for (name, number_), count in held.items():
            room = self.names.places[name].rooms[number_]
            if 0 <= room < count:
                self.complain(self.names.places[name].span, "place-room", f"{count} pieces start in `{name}`, which has room for {room}")

    # variables -------------------------------------------------------------------------------------------

    def _read_variables(self) -> None:
        for key, value in self.section("variables"):
            with self.entry():
                name, root = self.head(key)
                index, index_values = self.index_sets(key, root)
                self.declare(name, "a variable", key)
                self.names.variables[name] = self._variable(name, key, index, index_values, value)

    def _variable(self, name: str, key: Scalar, index: tuple[str, ...], values: tuple[tuple[int, ...], ...], node: Node) -> Variable:
        fields = node if isinstance(node, Mapping) else None
        is_node = fields.get("is") if fields else node
        if is_node is None:
            raise self.complain(key.span, "variable-is", f"`{name}` needs `is:` with its set or range")
        t = self._variable_type(is_node)
        bounds = [self._bound(fields, k, t) for k in ("never below", "never above")]
        combos = list(product(*values))
        env: Env = {n: self.names.sets[n].type for n in index if n}
        start = fields.get("start") if fields else None
        if start is not None:
            e = self.static(self.scalar(start, "a start"), env)
            fitting = isinstance(e.type, YesNo) if isinstance(t, YesNo) else isinstance(e.type, Values) and inside(e.type, t)  # type: ignore[arg-type]
            if not fitting:
                raise self.complain(start.span, "type-mismatch", f"`{name}` is {self.names.describe_type(t)}, it cannot start as {self.names.describe(e)}")
            starts = tuple(evaluate(e, dict(zip(index, c, strict=True)), self.names) for c in combos)
        else:
            starts = tuple(self._default_start(t) for _ in combos)
        return Variable(name, index, values, t, starts, bounds[0], bounds[1], key.span)

    def _variable_type(self, node: Node) -> Type:
        items = node.items if isinstance(node, Sequence) else (node,)
        types: list[Type] = []
        for item in items:
            scalar = self.scalar(item, "a set or a range")
            if scalar.text == "yes_no":
                types.append(YesNo())
                continue
            if scalar.text == "number":
                raise self.complain(scalar.span, "variable-is", "a variable needs bounds", "the state has a fixed size", "write a range such as `0..100`")
            e = self.static(scalar)
            types.append(e.type.item if isinstance(e.type, ListOf) else e.type)
        t = join_all(types) if len(types) > 1 else types[0]
        if t is None or not isinstance(t, Values | YesNo) or t == NOTHING:
            raise self.complain(node.span, "type-mismatch", "expected a set, a range, `yes_no`, or a list of them")
        if isinstance(t, Values) and len(types) > 1:
            homes = [x.home for x in types if isinstance(x, Values) and x.home]
            t = replace(t, home=homes[0] if len(homes) == 1 else "")
        return t

    def _bound(self, fields: Mapping | None, key: str, t: Type) -> int | None:
        node = fields.get(key) if fields else None
        if node is None:
            return None
        if not (isinstance(t, Values) and t.is_number):
            raise self.complain(node.span, "variable-bound", f"only a number can have `{key}`")
        return int(evaluate(self.static_number(node), {}, self.names))

    def _default_start(self, t: Type) -> int:
        if isinstance(t, YesNo):
            return 0
        assert isinstance(t, Values)
        if t.lo is not None and t.lo <= 0 <= t.hi:  # type: ignore[operator]
            return 0
        if t.home in self.names.sets:
            return self.names.sets[t.home].values[0]
        return t.lo if t.lo is not None else min(t.members, default=NONE)

