"""Expressions: cases anybody can review, and random ones against a slow and simple evaluator.

A case stands in `tests/cases/expr/*.yaml`: a tiny game for the whole file, what lies where, and for each expression its
value (`want`) or what is said against it (`want_error`, with the column inside the expression). Every value is worked
out three times: by the generated program, by the generated program with all constants hidden from it (so that it
cannot work anything out beforehand), and, if it reads no state, by the evaluator of `rulespec`.
"""

from __future__ import annotations

import os
import random
import re
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.generate.expressions import Expressions
from interpreter.generate.loader import run
from interpreter.generate.program import write_function
from interpreter.generate.terms import Bound
from interpreter.layout import Layout, contents, lay_out, put
from rulespec.diagnostics.diagnostic import Diagnostic, RuleFileError, Span
from rulespec.expr import core
from rulespec.expr.evaluate import arithmetic, compare, evaluate, is_static
from rulespec.expr.infer import Inference
from rulespec.expr.parse import parse
from rulespec.expr.types import NONE, ListOf, PlaceOf, Values, YesNo, can_be_none
from rulespec.model.build import Builder
from rulespec.model.model import Model
from rulespec.rules import open_rules
from rulespec.yaml.tree import Scalar

FOLDER = Path(__file__).parent / "cases" / "expr"
FILE = "tiny.yaml"
HEAD = "rulespec: 1\ngame: Tiny\ntext: Only expressions.\nplayers: 2..4\n"
TAIL = "play: []\nscoring:\n  answer:\n    points: 0\n    text: |-\n      {%s}\nwinner: {most: 1}\n"
BEFORE = len("      {")  # what stands before the expression on its line


@dataclass(frozen=True)
class Case:
    note: str
    expr: str
    game: str
    given: dict[str, str]
    players: int
    want: Any = None
    want_error: dict[str, Any] | None = None


def read_cases() -> list[Any]:
    found = []
    for path in sorted(FOLDER.glob("*.yaml")):
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        for case in data.pop("cases"):
            assert ("want" in case) != ("want_error" in case), f"{path.name}: {case['note']}"
            shared = {"game": data["game"], "given": data.get("given", {}), "players": data.get("players", 2)}
            made = Case(**{**shared, **case, "expr": str(case["expr"])})
            found.append(pytest.param(made, id=f"{path.stem}: {made.note}"))
    return found


# A tiny game with one expression --------------------------------------------------------------------------


def tiny_model(game: str, expr: str, players: int) -> tuple[Model, core.Expr]:
    """The checked model of the tiny game, and the expression as it was understood."""
    rules = open_rules(FILE, HEAD + game + TAIL % expr)
    model, _ = rules.check(players)
    (e,) = (part for part in model.rules["answer"].text.parts if not isinstance(part, str))
    return model, e


def set_up(model: Model, layout: Layout, given: dict[str, Any]) -> list[int]:
    """The state vector with what is given: `hand[1]: 2 red, blue`, stacks from the bottom, `score[2]: 15`."""
    vector = list(layout.start)
    codes = {name: code for code, name in model.member_names.items()}
    for where, what in given.items():
        name, _, rest = where.partition("[")
        index = [codes.get(word) or int(word) for word in re.findall(r"\w+", rest)]
        owner = model.places.get(name) or model.variables[name]
        at = 0
        for values, i in zip(owner.index_values, index, strict=True):
            at = at * len(values) + values.index(i)
        if name in model.variables:
            word = str(what)
            vector[layout.variables[name].base + at] = codes[word] if word in codes else int(word)
            continue
        lay = layout.places[name]
        empty = NONE if lay.place.shape == "cell" else 0
        vector[lay.address(at) : lay.address(at) + lay.width] = [empty] * lay.width
        for many, kind in re.findall(r"(?:(\d+) )?([a-z]\w*)", what if what != "nothing" else ""):
            put(layout, vector, name, at, codes[kind], int(many or 1))
    return vector


def hidden(e: Any, constants: dict[str, Bound]) -> Any:
    """The same expression with every constant number and member replaced by a name that nothing is known of."""
    if isinstance(e, core.Const):
        if not isinstance(e.value, int) or not isinstance(e.type, Values):
            return e
        name = f"hidden_{len(constants)}"
        constants[name] = Bound(e.type, f"_{len(constants)}", None)
        HIDDEN_VALUES[name] = e.value
        return core.Local(e.type, name)
    if isinstance(e, tuple):
        return tuple(hidden(x, constants) for x in e)
    if isinstance(e, core.Expr):
        return replace(e, **{f.name: hidden(getattr(e, f.name), constants) for f in fields(e) if f.name != "type"})
    return e


HIDDEN_VALUES: dict[str, int] = {}


def generated(
    model: Model, layout: Layout, e: core.Expr, vector: list[int], values: dict[str, tuple[Bound, Any]]
) -> Any:
    """The value of e in a program generated for it."""
    x = Expressions(model, layout)
    env = {name: bound for name, (bound, _) in values.items()}
    write_function(x, "need_0", env, lambda env: x.number(e, env))
    source = "\n".join([*x.constants.lines, *x.functions, *x.writer.lines])
    try:
        return run(source, [])["need_0"](vector, *(value for _, value in values.values()))
    except Exception as error:
        error.add_note(source)
        raise


def three_values(model: Model, e: core.Expr, vector: list[int], layout: Layout, me: int = 1) -> dict[str, Any]:
    """What each way of working e out gives, in words."""
    player = {"me": (Bound(model.sets["player"].type, "me"), me)}
    constants: dict[str, Bound] = {}
    veiled = hidden(e, constants)
    secrets = {name: (bound, HIDDEN_VALUES[name]) for name, bound in constants.items()}
    found = {
        "generated": generated(model, layout, e, vector, player),
        "generated, constants hidden": generated(model, layout, veiled, vector, {**player, **secrets}),
    }
    if is_static(e, model.functions):
        found["evaluated"] = evaluate(e, {"me": me}, model)
    return {way: in_words(model, value, e.type) for way, value in found.items()}


def in_words(model: Model, value: Any, t: Any) -> Any:
    if isinstance(t, YesNo):
        return bool(value)
    if isinstance(t, ListOf):
        return [in_words(model, v, t.item) for v in value]
    return value if value < NONE else model.value_name(value)


@pytest.mark.parametrize("case", read_cases())
def test_expression(case: Case) -> None:
    if case.want_error is not None:
        check_error(case, case.want_error)
        return
    try:
        model, e = tiny_model(case.game, case.expr, case.players)
    except RuleFileError as error:
        pytest.fail(f"{case.expr}\n{error}")
    layout = lay_out(model)
    vector = set_up(model, layout, case.given)
    for way, value in three_values(model, e, vector, layout).items():
        assert value == case.want and type(value) is type(case.want), (
            f"{way}: {case.expr} = {value}, wanted {case.want}"
        )


def check_error(case: Case, want: dict[str, Any]) -> None:
    with pytest.raises(RuleFileError) as caught:
        tiny_model(case.game, case.expr, case.players)
    said = caught.value.diagnostics
    line = (HEAD + case.game + TAIL[: TAIL.index("{")]).count("\n") + 1
    assert [(d.span.line, d.span.col - BEFORE, d.message) for d in said] == [(line, want["col"], want["message"])]
    assert said[0].code == want.get("code", said[0].code)
    if "fix" in want:
        assert said[0].fix == want["fix"].replace("FILE", FILE)


def test_cases__are_many_and_each_says_what_it_is_about() -> None:
    cases = [param.values[0] for param in read_cases()]
    assert len(cases) >= 80
    assert len({(c.game, c.note) for c in cases}) == len(cases), "two cases have one note"


# A slow and simple evaluator ------------------------------------------------------------------------------

Spot = tuple[str, int]  # a place: its family and its number there; number -1 is nowhere


@dataclass(frozen=True)
class Slowly:
    """Works out any expression from its meaning in the language, one node at a time, on a state vector."""

    model: Model
    layout: Layout
    vector: list[int]

    def value(self, e: Any, env: dict[str, Any]) -> Any:
        match e:
            case core.Const():
                return e.value
            case core.Local():
                return env[e.name]
            case core.Not():
                return not self.value(e.of, env)
            case core.Logic(op="and"):
                return bool(self.value(e.left, env) and self.value(e.right, env))
            case core.Logic():
                return bool(self.value(e.left, env) or self.value(e.right, env))
            case core.If():
                return self.value(e.then if self.value(e.test, env) else e.other, env)
            case core.Let():
                return self.value(e.body, {**env, e.name: self.value(e.value, env)})
            case core.Compare():
                return compare(e.op, self.value(e.left, env), self.value(e.right, env))
            case core.In():
                return self._in(self.value(e.item, env), self.value(e.domain, env), e.domain.type)
            case core.Default():
                value = self.value(e.value, env)
                return self.value(e.other, env) if value == NONE else value
            case core.Range():
                return list(range(self.value(e.lo, env), self.value(e.hi, env) + 1))
            case core.Arithmetic():
                return arithmetic(e.op, self.value(e.left, env), self.value(e.right, env))
            case core.Items():
                return [
                    v
                    for i in e.items
                    for v in (self.value(i, env) if isinstance(i.type, ListOf) else [self.value(i, env)])
                ]
            case core.TableRead():
                table = self.model.tables[e.table]
                number = number_of(table.index, [self.value(i, env) for i in e.index])
                return table.entries[number] if number >= 0 else () if isinstance(e.type, ListOf) else NONE
            case core.VariableRead():
                lay = self.layout.variables[e.variable]
                number = number_of(lay.variable.index_values, [self.value(i, env) for i in e.index])
                return self.vector[lay.base + number] if number >= 0 else NONE
            case core.Part():
                pair = self.value(e.pair, env)
                return NONE if pair == NONE else self.model.pair_parts[pair][e.which]
            case core.PlaceAt():
                return e.family, number_of(
                    self.model.places[e.family].index_values, [self.value(i, env) for i in e.index]
                )
            case core.Places():
                return self._places(e.family, [self.value(i, env) for i in e.index])
            case core.Aggregate():
                return self._aggregate(e, env)
            case core.Group():
                return self._group(e, env)
            case core.Call():
                function = self.model.functions[e.function]
                args = [self.value(a, env) for a in e.args]
                return self.value(function.body, dict(zip([p.name for p in function.parameters], args, strict=True)))
            case core.Builtin():
                return self._builtin(e, [self.value(a, env) for a in e.args])
        raise AssertionError(e)

    def lying(self, spot: Spot) -> list[int]:
        """The pieces on a place."""
        family, number = spot
        return (
            [k for k, n in contents(self.layout, self.vector, family, number) for _ in range(n)] if number >= 0 else []
        )

    def _in(self, item: Any, domain: Any, t: Any) -> bool:
        return item in (self._all_pieces(domain) if is_place(t) else domain)

    def _all_pieces(self, places: Any) -> list[int]:
        return [k for spot in (places if isinstance(places, list) else [places]) for k in self.lying(spot)]

    def _places(self, family: str, index: list[int]) -> list[Spot]:
        values = self.model.places[family].index_values
        return [(family, n) for n, combo in enumerate(product(*values)) if list(combo[: len(index)]) == index]

    def _items(self, value: Any, t: Any) -> list[Any]:
        """What a loop runs over: of a place the kinds on it, each once, in the order of its kinds."""
        if isinstance(t, PlaceOf):
            here = self.lying(value)
            return [k for k in self.model.places[t.family].kinds if k in here]
        return list(value)

    def _aggregate(self, e: core.Aggregate, env: dict[str, Any]) -> Any:
        envs = [env]
        for name, d in e.bindings:
            envs = [{**inner, name: v} for inner in envs for v in self._items(self.value(d, inner), d.type)]
        values = []
        for inner in envs:
            if e.stop is not None and not self.value(e.stop, inner):
                break
            if e.where is None or self.value(e.where, inner):
                values.append(self.value(e.body, inner))
        some = [v for v in values if v != NONE]
        match e.op:
            case "sum":
                return sum(some)
            case "count":
                return sum(1 for v in values if v)
            case "any":
                return any(values)
            case "all":
                return all(values)
            case "max":
                return max(some, default=NONE)
            case "min":
                return min(some, default=NONE)
            case "first":
                return values[0] if values else NONE
        return some

    def _group(self, e: core.Group, env: dict[str, Any]) -> list[Spot]:
        family, start = self.value(e.start, env)
        ways = self.value(e.along, env)
        names = [self.model.value_name(w) for w in (ways if isinstance(ways, list | tuple) else [ways])]
        found = [start] if start >= 0 else []
        for number in found:
            for way in names:
                for near in self.model.places[family].ways[way][number]:
                    if near not in found and self.value(e.where, {**env, e.name: (family, near)}):
                        found.append(near)
        return [(family, n) for n in found]

    def _builtin(self, e: core.Builtin, args: list[Any]) -> Any:
        match e.name:
            case "count":
                pieces = self._all_pieces(args[0])
                wanted = pieces if len(args) == 1 else args[1] if isinstance(args[1], list | tuple) else [args[1]]
                return sum(1 for k in pieces if k in wanted)
            case "size":
                return len(args[0])
            case "free":
                spots = args[0] if isinstance(args[0], list) else [args[0]]
                return sum(self._room(spot) - len(self.lying(spot)) for spot in spots)
            case "empty":
                return not self._all_pieces(args[0])
            case "piece":
                pieces = self.lying(args[0])
                return pieces[-1] if pieces else NONE
            case "next" | "previous":
                return args[1][(args[1].index(args[0]) + (1 if e.name == "next" else -1)) % len(args[1])]
            case "clockwise":
                return [(args[0] - 1 + i) % self.model.players + 1 for i in range(self.model.players)]
            case "max":
                return max(args)
            case "min":
                return min(args)
            case "ray":
                return self._ray(args[0], self.model.value_name(args[1]))
        raise AssertionError(e.name)

    def _room(self, spot: Spot) -> int:
        place = self.model.places[spot[0]]
        return 0 if spot[1] < 0 else 1 if place.shape == "cell" else place.rooms[spot[1]]

    def _ray(self, spot: Spot, way: str) -> list[Spot]:
        family, at = spot
        found: list[Spot] = []
        while at >= 0 and (near := self.model.places[family].ways[way][at]):
            at = near[0]
            if at == spot[1] or (family, at) in found:
                break
            found.append((family, at))
        return found


def number_of(index_values: Any, index: list[int]) -> int:
    """Which entry an index leads to; -1 for nowhere."""
    at = 0
    for values, i in zip(index_values, index, strict=True):
        if i not in values:
            return -1
        at = at * len(values) + values.index(i)
    return at


def is_place(t: Any) -> bool:
    return isinstance(t, PlaceOf) or (isinstance(t, ListOf) and isinstance(t.item, PlaceOf))


@pytest.mark.parametrize("case", [p for p in read_cases() if p.values[0].want_error is None])
def test_slow_evaluator__agrees_with_the_cases(case: Case) -> None:
    model, e = tiny_model(case.game, case.expr, case.players)
    layout = lay_out(model)
    slowly = Slowly(model, layout, set_up(model, layout, case.given))
    assert in_words(model, slowly.value(e, {"me": 1}), e.type) == case.want


# Random expressions ---------------------------------------------------------------------------------------

GAME = """\
sets:
  colour: [red, blue, green]
  kind: [colour, token]
  row: 1..3
  column: 1..4
  odd: [5, 2, 3]
  spot: row * column
  way: [across, east, down]
tables:
  cost: [3, 1, 4]
  weight[odd]: [7, none, 2]
  price[colour]: [2, none, 4]
  grid[row, column]: [[red, blue, none, red], [none, green, red, blue], [blue, red, green, none]]
  near[row]: {1: [2], 2: [1, 3], 3: []}
places:
  bag: {pile: kind}
  hand[player]: {pile: [kind], room: 6}
  line[player, row]: {pile: colour, room: row}
  tower[row]: {stack: kind, room: 3}
  board[player, row, column]:
    cell: kind
    ways:
      across: [{column: column - 1}, {column: column + 1}]
      east: {column: column + 1}
      down: {row: row + 1}
pieces:
  kind: 60 in bag
variables:
  pot: 0..5
  debt: {is: -4..4, start: 0}
  at: {is: row, start: 1}
  lucky: {is: odd, start: 5}
  led: {is: [kind, none], start: none}
  trump: {is: colour, start: red}
  here: {is: [spot, none], start: none}
  open: yes_no
  notes[player, row]: 0..9
  last[player]: {is: [row, none], start: none}
define:
  twice(number n): 2 * n
  held(player p, kind k): count(hand[p], k)
  marked(row r, column c): grid[r, c] != none and grid[r, c] = trump
  chain(player p, row r, column c): size(group(x from board[p, r, c] along [across, down] where piece(x) = led))
"""


# What a random expression of a kind can be: {number} is one of that kind again, {.number} a short one,
# {number for} one of that kind followed by `for x in …` and perhaps a filter.
SHORT = {
    "number": "0|1|2|3|pot|debt|at|players|lucky",
    "price": "cost[pot]|weight[pot]|price[trump]|last[pot]",  # a number or none
    "condition": "open|pot < 2|pot <= 2|pot > 2|pot >= 2|pot = 2|pot != 2|led = none|trump = red|true",
    "colour": "red|blue|trump|next(trump)",
    "kind": "token|green|trump",
    "maybe": "led|trump",  # a kind or none
    "kinds": "colour|led|kind|[red, green]|token",
    "row": "1|2|at|next(at)",
    "column": "1|4|at + 1",
    "player": "1|me|next(me)|previous(me)",
    "cell": "board[me, here]|board[1, at, 2]|board[me, pot, at]",
    "tower": "tower[at]|tower[pot]",
    "limited": "line[me]|tower|tower[at]|hand[me]",
    "place": "bag|hand[me]|tower[at]|line[1, pot]|board[me, here]",
    "places": "hand|line|tower|board|line[me]",
}
LONG = {
    "number": """{number} + {number}|({number} - {number}) * {.number}|{number} / 2|{number} mod 3|-({number})|max({number}, {number})|min(2, {number})
        |max({number}, {number}, 1)|(if {condition} then {number} else {number})|({price} default {.number})|(notes[{player}, {number}] default 3)
        |count({place})|count({places})|count({place}, {kinds})|count({places}, {kinds})|free({limited})|size({places})|sum({number for})|sum({price for})
        |count({condition for})|(max({number for}) default 0)|(max({price for}) default 0)|(min({number for}) default 9)|(first({number for}) default 7)
        |size(list({price for}))|twice({number})|held({player}, {kind})|chain({.player}, {row}, {column})|count(ray({cell}, east))
        |size(group(g from {cell} along across where not empty(g)))|(let y be ({number}) in y + y * {.number})""",
    "price": "cost[{number}]|weight[{number}]|price[{maybe}]|last[{number}]",
    "condition": """({condition} and {condition})|({condition} or {condition})|not {condition}|{number} < {number}|{number} >= {number}|({condition}) = ({condition})
        |{maybe} = {maybe}|{maybe} != {maybe}|empty({place})|empty({places})|{kind} in {place}|{maybe} in {places}|{number} in odd
        |{maybe} in [{colour}, none]|{maybe} in [{colour}, {colour}]|{number} in {.number}..{number}|{number} not in [1, {number}, 4, 9]
        |any({condition for})|all({condition for})|marked({row}, {column})|count({place}) > 0|count({places}, {kinds}) = 0|{price} = {price}
        |{number} in list({number for})|here != none and here.row = at|(if {condition} then {condition} else {condition})""",
    "colour": "next({colour})|previous({colour})|(if {condition} then red else trump)|(grid[{row}, {number}] default {.colour})",
    "kind": "{colour}|(piece({cell}) default token)|(led default red)",
    "maybe": """piece({cell})|piece({tower})|grid[{number}, {number}]|first({colour for})|first({kind for})
        |(if {condition} then none else {kind})""",
    "kinds": "{kind}|{maybe}|[{colour}, token]|list(k for k in colour where {condition})|list(k for k in kind where k in {place})",
    "row": "max(1, min(3, {number}))",
    "column": "min(4, max(1, {number}))",
    "player": "next({player})",
    "cell": "board[{.player}, {row}, {column}]|board[{.player}, {number}, {number}]|board[{.player}, here]",
    "tower": "tower[{number}]",
    "limited": "hand[{player}]|line[{.player}, {number}]|{tower}|{cell}|line[{number}]",
    "place": "hand[{player}]|line[{.player}, {number}]|{tower}|{cell}",
    "places": """board[{.player}, {number}]|ray({cell}, down)|list(board[{.player}, r, {number}] for r in row)|list(tower[r] for r in near[at] where {condition})
        |group(g from {cell} along [across, down] where {condition})""",
}
DOMAINS = """number {.number}..{.number}|number cost|number odd|row row|row near[at]|column column|colour colour|kind kind|kind {place}|place {places}
    |player player|player clockwise({.player})|colour list(k for k in colour where {condition})"""
HOLE = re.compile(r"\{(\.?)(\w+)( for)?\}")


class Writer:
    """Writes random expressions, nearly all of them well typed."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.locals: list[tuple[str, str]] = []  # (name, kind)

    def write(self, kind: str, depth: int) -> str:
        options = (SHORT if depth <= 0 or self.rng.random() < 0.2 else LONG)[kind].split("|")
        options += [name for name, k in self.locals if k == kind] * 3
        return self.fill(self.rng.choice(options).strip(), depth - 1)

    def fill(self, template: str, depth: int) -> str:
        def hole(m: re.Match[str]) -> str:
            return self.loop(m[2], depth) if m[3] else self.write(m[2], 0 if m[1] else depth)

        return HOLE.sub(hole, template)

    def loop(self, result: str, depth: int) -> str:
        """`result for x in domain`, perhaps with a filter, or with two names."""
        many = self.rng.choice((1, 1, 2))
        bound = []
        for _ in range(many):
            kind, domain = self.rng.choice(DOMAINS.split("|")).strip().split(" ", 1)
            text = self.fill(domain, depth)
            self.locals.append((f"x{len(self.locals)}", kind))
            bound.append(f"{self.locals[-1][0]} in {text}")
        body = self.write(result, depth)
        tail = self.rng.choice(("", " where {condition}", " while {condition}"))
        text = f"{body} for {', '.join(bound)}{self.fill(tail, depth)}"
        del self.locals[-many:]
        return text


class Tiny:
    """The tiny game, read once; expressions are then read one by one."""

    def __init__(self) -> None:
        rules = open_rules(FILE, HEAD + GAME + TAIL % "0")
        self.builder = Builder(rules.default_tree, 2, self.said.append)
        model = self.builder.build({}, FILE)
        assert model is not None and not self.said
        self.model = model
        self.layout = lay_out(model)

    said: list[Diagnostic] = []  # noqa: RUF012

    def read(self, text: str) -> core.Expr | None:
        """The checked expression; None if it is refused, which random ones may be."""
        scalar = Scalar(Span(FILE, 1, 1, 1, len(text) + 1), text, text)
        self.said.clear()
        e = Inference(
            self.builder.names, parse(scalar, "expr"), {"me": self.model.sets["player"].type}, self.said.append
        ).value()
        return None if self.said else e

    def position(self, rng: random.Random) -> list[int]:
        """Any position: pieces anywhere, variables at any value."""
        vector = list(self.layout.start)
        for name, lay in self.layout.places.items():
            for number, room in enumerate(lay.place.rooms):
                most = 1 if lay.place.shape == "cell" else room if room >= 0 else 0
                for _ in range(rng.randint(0, most) if most else 0):
                    put(self.layout, vector, name, number, rng.choice(lay.place.kinds), 1)
        for name, variable in self.layout.variables.items():
            t = self.model.variables[name].type
            home = self.model.sets.get(getattr(t, "home", ""))
            codes = list(home.values) if home else [0, 1]
            if isinstance(t, Values) and not home:
                codes = [*sorted(t.members), *(range(t.lo, t.hi + 1) if t.lo is not None and t.hi is not None else ())]
            for i in range(len(self.model.variables[name].starts)):
                vector[variable.base + i] = rng.choice([*codes, NONE] if can_be_none(t) else codes)
        return vector


@cache
def tiny() -> Tiny:
    return Tiny()


def inside_type(value: Any, t: Any) -> bool:
    """Whether a value is one that its type promises."""
    if isinstance(t, ListOf):
        return len(value) <= t.largest and all(inside_type(v, t.item) for v in value)
    if isinstance(t, Values):
        return (
            value in t.members
            or (value == NONE and t.none)
            or (t.lo is not None and t.hi is not None and t.lo <= value <= t.hi)
        )
    return True


@settings(max_examples=int(os.environ.get("RULESPEC_EXPRESSIONS", "250")))
@given(st.integers(0, 2**32 - 1))
def test_random_expression__is_worked_out_alike(seed: int) -> None:
    rng = random.Random(seed)
    game = tiny()
    vector = game.position(rng)
    for depth in (1, 2, 2, 3):
        text = Writer(rng).write(rng.choice(["number", "number", "condition", "maybe"]), depth)
        e = game.read(text)
        if e is None:
            continue
        exact = Slowly(game.model, game.layout, vector).value(e, {"me": 1})
        assert inside_type(exact, e.type), f"{text} = {exact} is not {e.type}"
        for way, value in three_values(game.model, e, vector, game.layout).items():
            assert value == in_words(game.model, exact, e.type), f"{way}: {text} = {value}, should be {exact}"
