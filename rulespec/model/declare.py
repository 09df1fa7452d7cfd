"""Sections that declare what there is: sets, tables, pieces, places, variables → Names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product

from rulespec.diagnostics.diagnostic import Diagnostic
from rulespec.english import closest, did_you_mean
from rulespec.expr.evaluate import evaluate, is_static
from rulespec.expr.names import SOME_PIECES, Names
from rulespec.expr.parse import Fragment, Syntax, parse
from rulespec.expr.ranges import Env
from rulespec.model.entries import Skip
from rulespec.model.tables import SetsAndTables
from rulespec.syntax import (
    LARGEST,
    NONE,
    NOTHING,
    Expr,
    ListOf,
    Place,
    Supply,
    Type,
    Unknown,
    Values,
    Variable,
    YesNo,
    inside,
    join_all,
)
from rulespec.yaml.tree import Mapping, Node, Scalar, Sequence, bare_name

MOST_STEPS = 200_000  # from place to place, of one way
MOST_TARGETS = 100  # of one step from one place
MOST_SUPPLIES = 20_000  # kinds times places where they start


class Declarations(SetsAndTables):
    """Reads the declaring sections in the order in which they build on each other."""

    def __init__(self, tree: Mapping, players: int, report: Callable[[Diagnostic], None]) -> None:
        super().__init__(tree, players, report)
        self.kinds: list[int] = []
        self.supplies: list[Supply] = []
        self._way_cache: dict[int, Expr] = {}

    def read(self) -> Names:
        self._read_sets()
        self._read_tables()
        self._read_kinds()
        self._read_places()
        self._read_pieces()
        self._read_variables()
        return self.names

    def _read_kinds(self) -> None:
        """The kinds of pieces: members of the sets named under `pieces:`, and new kinds of their own."""
        for key, _ in self.section("pieces"):
            with self.entry(key):
                if key.text in self.names.failed:
                    raise Skip
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
            with self.entry(key):
                name, root = self.head(key)
                index, index_values = self.index_sets(key, root)
                self.declare(name, "a place", key)
                if isinstance(value, Mapping):
                    self.names.places[name] = self._place(name, key, index, index_values, value)

    def _place(
        self, name: str, key: Scalar, index: tuple[str, ...], values: tuple[tuple[int, ...], ...], node: Mapping
    ) -> Place:
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
            self.check_effort(room.span, e, len(combos))
            rooms = tuple(evaluate(e, dict(zip(index, combo, strict=True)), self.names) for combo in combos)
            if min(rooms, default=0) < 0:
                raise self.complain(room.span, "place-room", f"the room of `{name}` would be {min(rooms)}")
        if shape == "stack" and room is None:
            raise self.complain(
                key.span,
                "stack-room",
                f"the stack `{name}` needs `room:`",
                "a stack is stored piece by piece",
                "add `room:` with the most pieces it can hold",
            )
        ways = self._ways(node.get("ways"), index, values, combos, env)
        seen = node.get("seen by")
        seen_by = seen.text if isinstance(seen, Scalar) else "everyone"
        if seen_by == "owner" and "player" not in index:
            assert seen is not None
            raise self.complain(
                seen.span,
                "place-owner",
                f"`{name}` has no owner",
                "an owner is the `player` index of a place",
                "add a `player` index, or write `nobody` or `everyone`",
            )
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
                        raise self.complain(
                            shows.span, "expr-not-fixed", "what a piece shows must depend on the piece alone"
                        )
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
                if name not in self.names.failed:
                    known = [*self.names.sets, *(self.names.value_name(k) for k in self.kinds)]
                    problem = self.names.unknown(name, "kind of piece or set", scalar.span, {}, known)
                    self.report(replace(problem, why="pieces are declared under `pieces:`"))
                raise Skip
            self.names.used.add(name)
            kinds += [k for k in new if k not in kinds]
        return tuple(kinds), items[0].text if len(items) == 1 and isinstance(items[0], Scalar) else "piece"

    def _ways(
        self,
        node: Node | None,
        index: tuple[str, ...],
        values: tuple[tuple[int, ...], ...],
        combos: list[tuple[int, ...]],
        env: Env,
    ) -> dict[str, tuple[tuple[int, ...], ...]]:
        if not isinstance(node, Mapping):
            return {}
        number_of = {combo: i for i, combo in enumerate(combos)}
        ways = {}
        for key, value in node:
            if key.text in self.names.failed:
                raise Skip
            if key.text not in self.names.members:
                near = closest(key.text, self.names.members)
                raise self.complain(
                    key.span,
                    "way-unknown",
                    f"`{key.text}` is not a member of a set",
                    "ways are members of a set, so that they can be named in expressions",
                    f"did you mean `{near}`?" if near else f"add a set such as `way: [{key.text}]`",
                    ((f"`{near}`", self.names.declared[near][1]),) if near in self.names.declared else (),
                )
            self.names.used.add(key.text)
            changes = value.items if isinstance(value, Sequence) else (value,)
            if len(changes) * len(combos) > MOST_STEPS:
                message = (
                    f"`{key.text}` would have {len(changes) * len(combos)} steps, at most {MOST_STEPS} are allowed"
                )
                raise self.complain(key.span, "too-large", message)
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
                raise self.complain(
                    key.span,
                    "way-index",
                    f"`{key.text}` is not an index of this place",
                    "",
                    did_you_mean(key.text, index),
                )
            e = self._way_expr(self.scalar(value, "an index"), env)
            if isinstance(e.type, ListOf) and e.type.largest * len(targets) > MOST_TARGETS:
                raise self.complain(
                    value.span, "too-large", f"more than {MOST_TARGETS} places would be one step from each place"
                )
            result = evaluate(e, at, self.names)
            choices = result if isinstance(result, tuple) else (result,)
            position = index.index(key.text)
            targets = [[*t[:position], c, *t[position + 1 :]] for t in targets for c in choices]
        return [tuple(t) for t in targets]

    def _way_expr(self, scalar: Scalar, env: Env) -> Expr:
        if id(scalar) not in self._way_cache:
            self._way_cache[id(scalar)] = self.static(scalar, env)
        return self._way_cache[id(scalar)]

    def _read_pieces(self) -> None:
        total, before = 0, len(self.names.failed)
        for key, value in self.section("pieces"):
            with self.entry(key):
                scalar = self.scalar(value, "`N in place`")
                kinds = (
                    self.names.sets[key.text].values
                    if key.text in self.names.sets
                    else (self.names.members.get(key.text),)
                )
                fragment = parse(scalar, "pieces")
                count_node, place_node = fragment.root.parts
                for place, number_, env in self._starting_places(fragment, place_node):
                    for kind in kinds:
                        if kind is None:
                            continue
                        scope: Env = {n: self.names.sets[n].type for n in env}
                        e = self.fixed(self.infer(fragment, scope), count_node)
                        self.check_effort(fragment.span(count_node), e, place.size)
                        n = evaluate(e, env, self.names)
                        if not 0 <= n <= LARGEST:
                            raise self.complain(
                                fragment.span(count_node), "piece-count", f"the number of pieces would be {n}"
                            )
                        if not any(kind in p.kinds for p in self.names.places.values()) and not self.names.failed:
                            shown = self.names.value_name(kind)
                            fix = f"let a place hold it, such as `{place.name}`, or add one"
                            also = ((f"`{place.name}`", place.span),)
                            message = f"no place can hold `{shown}`"
                            raise self.complain(key.span, "piece-without-place", message, "", fix, also)
                        if kind not in place.kinds:
                            raise self.complain(
                                fragment.span(place_node),
                                "place-kind",
                                f"`{place.name}` cannot hold {self.names.value_name(kind)}",
                                f"it holds {self.names.describe_type(self.names.kinds_type((place.name,)))}",
                                "",
                                ((f"`{place.name}`", place.span),),
                            )
                        if len(self.supplies) >= MOST_SUPPLIES:
                            message = f"pieces would start in more than {MOST_SUPPLIES} ways, each kind in each place"
                            raise self.complain(scalar.span, "too-large", message)
                        self.supplies.append(Supply(kind, n, place.name, number_))
                        total += n
                        if total > LARGEST:
                            message = f"there would be {total} pieces, at most {LARGEST} are allowed"
                            raise self.complain(fragment.span(count_node), "piece-count", message)
        failed = len(self.names.failed) > before or any(
            key.text in self.names.failed for key, _ in self.section("pieces")
        )
        self.names.total_pieces = SOME_PIECES if failed else total
        self._check_start_room()

    def _starting_places(self, fragment: Fragment, node: Syntax) -> Iterator[tuple[Place, int, dict[str, int]]]:
        """The places of `N in place[set]`: index sets named in it repeat it."""
        base, indexes = (node.parts[0], node.parts[1].parts) if node.kind == "index" else (node, ())
        name = base.parts[0] if base.kind == "name" else ""
        if name not in self.names.places:
            if name not in self.names.failed:
                self.report(self.names.unknown(str(name), "place", fragment.span(node), {}, self.names.places))
            raise Skip
        self.names.used.add(name)
        place = self.names.places[name]
        if len(indexes) not in (0, len(place.index)):
            raise self.complain(
                fragment.span(node), "index-count", f"`{name}` has {len(place.index)} indexes, {len(indexes)} given"
            )
        domains: list[tuple[str, tuple[int, ...]]] = []
        for i, values in enumerate(place.index_values):
            index = indexes[i] if indexes else None
            if index is None or (index.kind == "name" and index.parts[0] in self.names.sets):
                set_name = index.parts[0] if index else place.index[i]
                domains.append((set_name, self.names.sets[set_name].values if index else values))
            else:
                e = self.fixed(self.infer(fragment), index, number=False)
                domains.append(("", (evaluate(e, {}, self.names),)))
        numbers = {combo: i for i, combo in enumerate(product(*place.index_values))}
        for combo in product(*(d for _, d in domains)):
            if combo not in numbers:
                raise self.complain(
                    fragment.span(node),
                    "index-outside",
                    f"{', '.join(map(self.names.value_name, combo))} is not a place of `{name}`",
                )
            yield place, numbers[combo], {n: v for (n, _), v in zip(domains, combo, strict=True) if n}

    def _check_start_room(self) -> None:
        held: dict[tuple[str, int], int] = {}
        for s in self.supplies:
            held[s.place, s.number] = held.get((s.place, s.number), 0) + s.count
        for (name, number_), count in held.items():
            room = self.names.places[name].rooms[number_]
            if 0 <= room < count:
                self.complain(
                    self.names.places[name].span,
                    "place-room",
                    f"{count} pieces start in `{name}`, which has room for {room}",
                    "",
                    "give it more room, or let fewer pieces start there",
                )

    def _read_variables(self) -> None:
        for key, value in self.section("variables"):
            with self.entry(key):
                name, root = self.head(key)
                index, index_values = self.index_sets(key, root)
                self.declare(name, "a variable", key)
                self.names.variables[name] = self._variable(name, key, index, index_values, value)

    def _variable(
        self, name: str, key: Scalar, index: tuple[str, ...], values: tuple[tuple[int, ...], ...], node: Node
    ) -> Variable:
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
            if isinstance(t, Values):
                fitting = isinstance(e.type, Values) and inside(e.type, t)
            else:
                fitting = isinstance(e.type, YesNo)
            if not fitting:
                raise self.complain(
                    start.span,
                    "type-mismatch",
                    f"`{name}` is {self.names.describe_type(t)}, it cannot start as {self.names.describe(e)}",
                )
            self.check_effort(start.span, e, len(combos))
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
            if scalar.text in ("yes", "no", "true", "false"):
                raise self.complain(
                    scalar.span,
                    "variable-is",
                    f"`{scalar.text}` is one value, expected what the variable can be",
                    "",
                    "write `yes_no`; to begin with another value than no write `{is: yes_no, start: true}`",
                )
            if scalar.text == "number":
                raise self.complain(
                    scalar.span,
                    "variable-is",
                    "a variable needs bounds",
                    "what it can be is known from the start",
                    "write a range such as `0..100`",
                )
            e = self.static(scalar, worked_out=False)
            if isinstance(e.type, Values) and e.type != NOTHING and isinstance(node, Scalar):
                fragment = parse(scalar, "expr")
                self.infer(fragment).no_list(fragment.root, "a set or a range of what it can be", e)
                raise Skip
            types.append(e.type.item if isinstance(e.type, ListOf) else e.type)
        t = join_all(types) if len(types) > 1 else types[0]
        if isinstance(t, Unknown):
            raise Skip
        if t is None or not isinstance(t, Values | YesNo) or t == NOTHING:
            raise self.complain(node.span, "type-mismatch", "expected a set, a range, `yes_no`, or a list of them")
        if isinstance(t, Values) and len(types) > 1:
            others = [x for x in types if isinstance(x, Values) and x != NOTHING]
            t = replace(t, home=others[0].home if len(others) == 1 else "")
        return t

    def _bound(self, fields: Mapping | None, key: str, t: Type) -> int | None:
        node = fields.get(key) if fields else None
        if node is None:
            return None
        if not (isinstance(t, Values) and t.is_number):
            raise self.complain(node.span, "variable-bound", f"only a number can have `{key}`", "", "leave it out")
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
