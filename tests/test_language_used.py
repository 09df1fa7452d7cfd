"""Nothing in the language is there for nothing: every key, form and built-in is used by a shipped file, or has its own test."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from interpreter import load
from rulespec.expr import parse
from rulespec.expr.builtins import AGGREGATES, BUILTINS
from rulespec.files.sources import shipped_games
from rulespec.yaml.nodes import Mapping, Node, Scalar, Sequence, plain
from rulespec.yaml.source import read_source
from tests.compare import covering
from tests.doc_tables import PARTS, keys_of, schema
from tests.phrases import AMOUNTS, EXPRESSIONS, OTHERS, STEPS
from tests.shipped import rules_of
from tests.small import small_game

TESTS = Path(__file__).parent
OWN_TEST = {
    "key condition.see": "test_language_used.py::test_see__may_stand_at_a_place_and_at_a_condition",
    "key house.options": "test_language_used.py::test_options__of_a_house_rule_are_played",
    "key layout.see": "test_language_used.py::test_see__may_stand_at_a_place_and_at_a_condition",
    "key place.see": "test_language_used.py::test_see__may_stand_at_a_place_and_at_a_condition",
    "key variable.never above": "test_language_used.py::test_never_above__stops_a_number",
}
GAME = small_game("every_step")


# --- what the shipped files use -----------------------------------------------------------------------------------


@cache
def used_keys() -> frozenset[tuple[str, str]]:
    """(title of the part, key) for every key that stands in a shipped file."""
    seen: set[tuple[str, str]] = set()
    original = jsonschema.Draft202012Validator.VALIDATORS["properties"]

    def record(validator: Any, properties: Any, instance: Any, part: Any) -> Iterator[Any]:
        if isinstance(instance, dict):
            seen.update((part.get("title", ""), key) for key in properties if key in instance)
        yield from original(validator, properties, instance, part)

    watching = jsonschema.validators.extend(  # type: ignore[no-untyped-call]
        jsonschema.Draft202012Validator, {"properties": record}
    )
    for path in shipped_games().values():
        list(watching(schema()).iter_errors(plain(read_source(path))))
    return frozenset(seen)


def texts(node: Node) -> Iterator[str]:
    """Yield all that is written in a file, key by key and value by value."""
    match node:
        case Scalar():
            yield node.text
        case Sequence():
            for item in node.items:
                yield from texts(item)
        case Mapping():
            for key, value in node:
                yield key.text
                yield from texts(value)


@cache
def used_forms() -> tuple[frozenset[str], frozenset[str]]:
    """Return the kinds of syntax in the expressions and steps of shipped files, and the names of what is called there."""
    kinds, called = set(), set()

    def walk(node: Any) -> None:
        if isinstance(node, parse.Syntax):
            kinds.add(node.kind)
            if node.kind in ("call", "aggregate"):
                called.add(str(node.parts[0]))
            for part in node.parts:
                walk(part)

    for name in shipped_games():
        rules = rules_of(name)
        for choices in covering(rules.combinations()):
            rules.check(None, choices)
        rules.check()
        written = "\n".join(text for file in rules.layers.files for text in texts(file.tree))
        for (text, _), tree in rules._known.parses.trees().items():
            if text in written:  # what is remembered of earlier versions of the file does not count
                walk(tree)
    return frozenset(kinds), frozenset(called)


# --- the tests ----------------------------------------------------------------------------------------------------


def unused() -> Iterator[str]:
    """Yield everything of the language that no shipped file uses."""
    parts = schema()["$defs"]
    for name, _ in PARTS:
        for key, _ in keys_of(parts[name]):
            outer, _, inner = key.rpartition(": ")
            part = parts[name]["properties"][outer] if outer else parts[name]
            if (part["title"], inner) not in used_keys():
                yield f"key {name}.{key}"
    kinds, called = used_forms()
    for phrases in (EXPRESSIONS, STEPS, AMOUNTS, OTHERS):
        yield from (f"form {kind}" for kind in phrases if kind not in kinds)
    yield from (f"built-in {name}" for name in (*BUILTINS, *AGGREGATES) if name not in called)


@pytest.mark.soak
def test_language__everything_is_used_by_a_shipped_file_or_has_its_own_test() -> None:
    assert sorted(unused()) == sorted(OWN_TEST)


def test_language__the_tests_of_its_own_exist() -> None:
    for what, where in OWN_TEST.items():
        file, _, name = where.partition("::")
        functions = [
            f.name for f in ast.walk(ast.parse((TESTS / file).read_text("utf-8"))) if isinstance(f, ast.FunctionDef)
        ]
        assert name in functions, what


def test_never_above__stops_a_number() -> None:
    game = load(GAME)
    state = game.apply(game.apply(game.start(), "climb 4"), "climb 2")
    assert game.variable(state, "height") == 5
    assert state.to_move is None


def test_see__may_stand_at_a_place_and_at_a_condition() -> None:
    seen = GAME.replace("that: n != 3", "that: n != 3\n        see: page 3")
    seen += "pieces: {shoe: 1 in cupboard}\nplaces: {cupboard: {pile: shoe, see: page 1}}\n"
    seen += "view: {layout: {cupboard: {see: page 4}}}\n"
    game = load(seen)
    assert [o.text for o in game.objections(game.start(), "climb 3")] == ["not by three"]


def test_options__of_a_house_rule_are_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    high = {"moves": {"climb": {"choose": {"n": "2..3"}}}}
    steep = {"no": {"text": "as it is"}, "yes": {"text": "high steps", "change": high}}
    house = {"rulespec": 1, "extends": "game.yaml", "options": {"steep": steep}}
    (tmp_path / "game.yaml").write_text(GAME)
    monkeypatch.chdir(tmp_path)
    games = [load("game.yaml", options={"steep": choice}, house=[house]) for choice in steep]
    assert [[str(m) for m in g.legal_moves(g.start())] for g in games] == [
        ["climb 1", "climb 2", "climb 4"],
        ["climb 2"],
    ]


def test_phrases__are_those_of_the_grammar() -> None:
    text = re.sub(r"//.*", "", parse.grammar_text())
    aliases = set(re.findall(r"->\s*([a-z_]+)", text))
    rules = set(re.findall(r"^([a-z]+):", text, re.MULTILINE))
    inner = {"list", "bindings", "inner", "filter", "step", "amount", "rule", "head", "index", "set", "choice"}
    listed = {*EXPRESSIONS, *STEPS, *AMOUNTS, *OTHERS}
    assert listed == aliases | (rules - inner)
