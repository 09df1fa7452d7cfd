"""Comparisons and built-in functions."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.generate.reading import Reading
from interpreter.generate.terms import Env, contiguous, total
from interpreter.layout import PlaceLayout
from rulespec.expr import core
from rulespec.expr.core import Expr
from rulespec.expr.types import NONE, ListOf, PlaceOf, Several, Values, YesNo, inside, of_codes


class Builtins(Reading):
    # comparing -------------------------------------------------------------------------------------------

    def _compare(self, e: core.Compare, env: Env) -> str:
        if isinstance(e.left.type, YesNo):
            return f"({self.number(e.left, env)} {'==' if e.op == '=' else '!='} {self.number(e.right, env)})"
        if (shortcut := self._compare_count(e, env)) is not None:
            return shortcut
        op = {"=": "=="}.get(e.op, e.op)
        return f"({self.value(e.left, env)} {op} {self.value(e.right, env)})"

    def _compare_count(self, e: core.Compare, env: Env) -> str | None:
        """`count(…) > 0` and `= 0` ask whether anything is there; nothing needs to be added up."""
        if e.op not in (">", "=", "!=") or self.const(e.right, env) != 0:
            return None
        left = e.left
        while isinstance(left, core.Call) and not left.args:
            left = self.model.functions[left.function].body
        if not (isinstance(left, core.Builtin) and left.name == "count"):
            return None
        there = self._anything(left, env if left is e.left else {})
        if there is None:
            return None
        return f"(not {there})" if e.op == "=" else there

    def _in(self, e: core.In, env: Env) -> str:
        if isinstance(e.domain.type, PlaceOf | Several) or (
            isinstance(e.domain.type, ListOf) and isinstance(e.domain.type.item, PlaceOf)
        ):
            counted = core.Builtin(e.type, "count", (e.domain, e.item))
            return self._anything(counted, env) or f"({self._builtin(counted, env)} > 0)"
        values = self.const(e.domain, env)
        if values is not None:
            return self._in_known(e.item, values, env)
        if (
            isinstance(e.domain, core.Items)
            and len(e.domain.items) <= 3
            and not any(isinstance(i.type, ListOf) for i in e.domain.items)
        ):
            item, later = self.twice(e.item, env)
            with self.sometimes():
                rest = "".join(f" or {later} == {self.value(i, env)}" for i in e.domain.items[1:])
            return f"({item} == {self.value(e.domain.items[0], env)}{rest})"
        if isinstance(e.domain, core.Range):
            return f"({self.value(e.domain.lo, env)} <= {self.value(e.item, env)} <= {self.value(e.domain.hi, env)})"
        return f"({self.value(e.item, env)} in {self.value(e.domain, env)})"

    def _in_known(self, item: Expr, values: tuple[int, ...], env: Env) -> str:
        t = self.type_of(item, env)
        if isinstance(t, Values) and contiguous(values) and inside(t, of_codes(values)):
            return "1"
        if len(values) == 2:
            first, later = self.twice(item, env)
            return f"({first} == {values[0]} or {later} == {values[1]})"
        text = self.value(item, env)
        if len(values) < 2:
            return f"({text} == {values[0]})" if values else "0"
        if contiguous(values):
            return f"({min(values)} <= {text} <= {max(values)})"
        return f"({text} in {self.constants.name('set', frozenset(values))})"

    # built-in functions ----------------------------------------------------------------------------------

    def _builtin(self, e: core.Builtin, env: Env) -> str:
        method: Callable[[core.Builtin, Env], str] = getattr(self, f"_{e.name}")
        return method(e, env)

    def _empty(self, e: core.Builtin, env: Env) -> str:
        counted = core.Builtin(e.type, "count", e.args)
        if isinstance(e.args[0].type, PlaceOf) and self._family(e.args[0]).place.shape == "cell":
            name, part = self.address(e.args[0], env)
            return f"(S[{total(part, [name] if name else [])}] == {NONE})"
        there = self._anything(counted, env)
        return f"(not {there})" if there is not None else f"({self._count(counted, env)} == 0)"

    def room(self, lay: PlaceLayout, at: tuple[str, int]) -> str:
        """How many pieces a place can hold; 0 nowhere."""
        rooms = {lay.address(i): room for i, room in enumerate(lay.place.rooms)}
        name, part = at
        if not name:
            return str(rooms.get(part, 0))
        if len(set(rooms.values())) == 1 and part:
            return str(lay.place.rooms[0])
        by_address = tuple(rooms.get(i, 0) for i in range(lay.end))
        return f"{self.constants.name('room', by_address)}[{total(part, [name])}]"

    def free_at(self, lay: PlaceLayout, at: tuple[str, int]) -> str:
        if lay.place.shape == "cell":
            return f"(1 if S[{total(at[1], [at[0]] if at[0] else [])}] == {NONE} else 0)"
        return f"({self.room(lay, at)} - {self.count_at(lay, at, None)})"

    def _free(self, e: core.Builtin, env: Env) -> str:
        lay = self._family(e.args[0])
        if isinstance(e.args[0].type, PlaceOf):
            if lay.place.shape == "cell" and self.may_be_nowhere(e.args[0], env):
                name, part = self.address(e.args[0], env)
                spot = total(part, [name] if name else [])
                return f"(1 if S[{spot}] == {NONE} and {spot} != {self.layout.nowhere_cell} else 0)"
            return self.free_at(lay, self.address(e.args[0], env))
        return self.sum_over(e.args[0], self.free_at(lay, ("x", 0)), env)

    def _piece(self, e: core.Builtin, env: Env) -> str:
        lay = self._family(e.args[0])
        name, part = self.address(e.args[0], env)
        spot = total(part, [name] if name else [])
        if lay.place.shape == "cell":
            return f"S[{spot}]"
        return f"(S[{spot} + S[{spot}]] if S[{spot}] else {NONE})"

    def _next(self, e: core.Builtin, env: Env) -> str:
        values = self.const(e.args[1], env)
        text = self.value(e.args[0], env)
        step = 1 if e.name == "next" else -1
        if values == tuple(range(1, len(values) + 1)):
            return f"({text} % {len(values)} + 1)" if step == 1 else f"(({text} - 2) % {len(values)} + 1)"
        n = len(values)
        return f"{self.constants.name(e.name, {v: values[(i + step) % n] for i, v in enumerate(values)})}.get({text}, {NONE})"

    _previous = _next

    def _clockwise(self, e: core.Builtin, env: Env) -> str:
        n = self.model.players
        table = {p: tuple((p - 1 + i) % n + 1 for i in range(n)) for p in range(1, n + 1)}
        player = self.passed(e.args[0], self.model.sets["player"].type, env, "a player", e.span)
        return f"{self.constants.name('clockwise', table)}[{player}]"

    def _max(self, e: core.Builtin, env: Env) -> str:
        if len(e.args) == 2 and (bound := self.const(e.args[0], env)) is not None:
            first, later = self.twice(e.args[1], env)
            return f"({later} if {first} {'>' if e.name == 'max' else '<'} {bound} else {bound})"
        return f"{e.name}({', '.join(self.value(a, env) for a in e.args)})"

    _min = _max

    def _ray(self, e: core.Builtin, env: Env) -> str:
        family = e.args[0].type.family  # type: ignore[union-attr]
        rays = self.constants.name("ray", self._rays(family))
        way, cell = self.value(e.args[1], env), self.value(e.args[0], env)
        return f"{rays}.get(({way}, {cell}), ())"

    def _rays(self, family: str) -> dict[tuple[int, int], tuple[int, ...]]:
        """For each way and cell the cells beyond; a way that branches or turns back gives its first line."""
        lay = self.layout.places[family]
        codes = {name: code for code, name in self.model.member_names.items()}
        out = {}
        for way, neighbours in lay.place.ways.items():
            for i in range(lay.place.size):
                line, seen, at = [], {i}, i
                while neighbours[at] and neighbours[at][0] not in seen:
                    at = neighbours[at][0]
                    seen.add(at)
                    line.append(lay.address(at))
                out[codes[way], lay.address(i)] = tuple(line)
        return out
