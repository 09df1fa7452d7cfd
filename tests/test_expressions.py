"""Expressions: cases anybody can review, and random ones against the reference.

Cases are in `tests/cases/expr/*.yaml`: a tiny game for the whole file, what lies where, and for each expression its
value (`want`) or what is said against it (`want_error`, with the column inside the expression). Every value is worked
out three times: by the compiled program, by the compiled program with all constants hidden from it (so that it
cannot work anything out beforehand), and, if it reads no state, by the evaluator of `rulespec`.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.compile.lower import passed
from interpreter.compile.maker import Maker
from interpreter.compile.to_python import to_python
from interpreter.compile.values import Expressions
from interpreter.compile.verify import verify
from interpreter.compile.words import value_function
from interpreter.layout import Layout, contents, lay_out, put
from interpreter.reference import Reference
from interpreter.run.compiled import PythonCode
from rulespec import syntax
from rulespec.diagnostics.diagnostic import Diagnostic, RuleFileError, Span
from rulespec.expr.infer import Inference
from rulespec.expr.parse import parse
from rulespec.expr.static import evaluate, is_static
from rulespec.model.builder import Builder
from rulespec.rules import open_rules
from rulespec.syntax import NONE, ListOf, Model, Type, Values, YesNo, can_be_none
from rulespec.yaml.nodes import Scalar
from rulespec.yaml.source import LOADER
from tests.sizes import size

pytestmark = pytest.mark.usefixtures("nothing_kept")
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
        data = yaml.load(path.read_text(encoding="utf-8"), LOADER)
        for case in data.pop("cases"):
            assert ("want" in case) != ("want_error" in case), f"{path.name}: {case['note']}"
            shared = {"game": data["game"], "given": data.get("given", {}), "players": data.get("players", 2)}
            made = Case(**{**shared, **case, "expr": str(case["expr"])})
            found.append(pytest.param(made, id=f"{path.stem}: {made.note}"))
    return found


# A tiny game with one expression --------------------------------------------------------------------------


@cache
def tiny_model(game: str, expr: str, players: int) -> tuple[Model, syntax.Expr]:
    """Return the checked model of the tiny game, and the expression as it was understood."""
    rules = open_rules(FILE, HEAD + game + TAIL % expr)
    model, _ = rules.check(players)
    (e,) = (part for part in model.rules["answer"].text.parts if not isinstance(part, str))
    return model, e


def set_up(model: Model, layout: Layout, given: dict[str, Any]) -> list[int]:
    """Return the state vector with what is given: `hand[1]: 2 red, blue`, stacks from the bottom, `score[2]: 15`."""
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


def hidden(e: Any, constants: dict[str, Type]) -> Any:
    """Return the same expression with every constant number and member replaced by a name that nothing is known of."""
    if isinstance(e, syntax.Literal):
        if not isinstance(e.value, int) or not isinstance(e.type, Values):
            return e
        name = f"hidden_{len(constants)}"
        constants[name] = e.type
        HIDDEN_VALUES[name] = e.value
        return syntax.Local(e.type, name)
    if isinstance(e, tuple):
        return tuple(hidden(x, constants) for x in e)
    if isinstance(e, syntax.Expr):
        return replace(e, **{f.name: hidden(getattr(e, f.name), constants) for f in fields(e) if f.name != "type"})
    return e


HIDDEN_VALUES: dict[str, int] = {}


def compiled(
    model: Model,
    layout: Layout,
    e: syntax.Expr,
    vector: list[int],
    values: dict[str, tuple[Type, Any]],
    verified: bool = True,
) -> Any:
    """Return the value of e in a program compiled for it."""
    maker = Maker(model, layout)
    names = [(name, t) for name, (t, _) in values.items()]
    number = value_function(Expressions(maker), names, e, model.procedures["play"].span)
    program = passed(maker.program())
    assert not verified or list(verify(program)) == []
    try:
        return PythonCode(program, "wait").functions[f"f{number}"](vector, None, *(v for _, v in values.values()))
    except Exception as error:
        error.add_note(to_python(program, "wait"))
        raise


def three_values(model: Model, e: syntax.Expr, vector: list[int], layout: Layout, me: int = 1) -> dict[str, Any]:
    """Return what each way of working e out gives, in words."""
    player: dict[str, tuple[Type, Any]] = {"me": (model.sets["player"].type, me)}
    constants: dict[str, Type] = {}
    veiled = hidden(e, constants)
    secrets = {name: (t, HIDDEN_VALUES[name]) for name, t in constants.items()}
    found = {
        "compiled": compiled(model, layout, e, vector, player),
        "compiled, constants hidden": compiled(model, layout, veiled, vector, {**player, **secrets}),
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


# The reference ----------------------------------------------------------------------------------------------


def reference_at(model: Model, layout: Layout, vector: list[int]) -> Reference:
    """Return the reference at any position of a game that nobody plays."""
    reference = Reference(model)
    for name, lay in layout.places.items():
        reference.places[name] = [
            [k for k, n in contents(layout, vector, name, number) for _ in range(n)] for number in range(lay.place.size)
        ]
    for name, variable in layout.variables.items():
        reference.variables[name] = vector[variable.base : variable.base + len(variable.variable.starts)]
    return reference


@pytest.mark.parametrize("case", [p for p in read_cases() if p.values[0].want_error is None])
def test_reference__agrees_with_the_cases(case: Case) -> None:
    model, e = tiny_model(case.game, case.expr, case.players)
    layout = lay_out(model)
    reference = reference_at(model, layout, set_up(model, layout, case.given))
    assert in_words(model, reference.value(e, {"me": 1}), e.type) == case.want


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

    def read(self, text: str) -> syntax.Expr | None:
        """Return the checked expression; None if it is refused, which random ones may be."""
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
    """Return whether a value is one that its type promises."""
    if isinstance(t, ListOf):
        return len(value) <= t.largest and all(inside_type(v, t.item) for v in value)
    if isinstance(t, Values):
        return (
            value in t.members
            or (value == NONE and t.none)
            or (t.lo is not None and t.hi is not None and t.lo <= value <= t.hi)
        )
    return True


@pytest.mark.sized
@settings(max_examples=size(80, 4000))
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
        exact = reference_at(game.model, game.layout, vector).value(e, {"me": 1})
        assert inside_type(exact, e.type), f"{text} = {exact} is not {e.type}"
        for way, value in three_values(game.model, e, vector, game.layout).items():
            assert value == in_words(game.model, exact, e.type), f"{way}: {text} = {value}, should be {exact}"
