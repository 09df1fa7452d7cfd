"""Expressions: cases anybody can review, and random ones against a slow and simple evaluator.

A case stands in `tests/cases/expr/*.yaml`: a tiny game for the whole file, what lies where, and for each expression its
value (`want`) or what is said against it (`want_error`, with the column inside the expression). Every value is worked
out three times: by the generated program, by the generated program with all constants hidden from it (so that it
cannot work anything out beforehand), and, if it reads no state, by the evaluator of `rulespec`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import yaml

from interpreter.generate.expressions import Bound, Expressions
from interpreter.generate.program import _function, _run
from interpreter.layout import Layout, lay_out, put
from rulespec.diagnostics import Diagnostic, RuleFileError
from rulespec.expr import core
from rulespec.expr.evaluate import evaluate, is_static
from rulespec.expr.types import NONE, ListOf, Values, YesNo
from rulespec.load import open_rules
from rulespec.model import Model

FOLDER = Path(__file__).parent / "cases" / "expr"
FILE = "tiny.yaml"
HEAD = "rulespec: 1\ngame: Tiny\ntext: Only expressions.\nplayers: 2..4\n"
TAIL = "play: []\nscoring:\n  answer:\n    points: 0\n    text: |\n      {%s}\nwinner: {most: 1}\n"
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
        constants[name] = Bound(e.type, name, None)
        HIDDEN_VALUES[name] = e.value
        return core.Local(e.type, name)
    if isinstance(e, tuple):
        return tuple(hidden(x, constants) for x in e)
    if isinstance(e, core.Expr):
        return replace(e, **{f.name: hidden(getattr(e, f.name), constants) for f in fields(e) if f.name != "type"})
    return e


HIDDEN_VALUES: dict[str, int] = {}


def generated(model: Model, layout: Layout, e: core.Expr, vector: list[int], values: dict[str, tuple[Bound, Any]]) -> Any:
    """The value of e in a program generated for it."""
    x = Expressions(model, layout)
    env = {name: bound for name, (bound, _) in values.items()}
    _function(x, "answer", env, lambda: x.number(e, env))
    source = "\n".join([*x.constants.lines, *x.functions, *x.writer.lines])
    try:
        return _run(source, "<expression>", [])["answer"](vector, *(value for _, value in values.values()))
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
        assert value == case.want and type(value) is type(case.want), f"{way}: {case.expr} = {value}, wanted {case.want}"


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
