"""The runner of worked examples: what it reads, what it says, and that no example passes by accident."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from interpreter.examples import ExampleNotFound, ExampleResult, Examples, find_examples, run_examples
from interpreter.game import Game
from rulespec.load import Rules, open_rules, shipped_games
from rulespec.scalars import core_value
from rulespec.source import read_source
from rulespec.tree import Entry, Mapping, Node, Scalar, Sequence

FOLDER = Path(__file__).parent / "examples"
YARD = FOLDER / "yard.yaml"


@cache
def examples_of(game: str) -> Examples:
    return Examples(open_rules(game))


def tried(body: str) -> list[str]:
    """The problems of one example of the yard, each as `line:col message`, counted from the body's beginning."""
    lines = "".join(f"  {line}\n" for line in body.strip("\n").split("\n"))
    tree = read_source(YARD, f"example:\n{lines}")
    result = examples_of(str(YARD)).run(tree.entries[0])
    assert result.passed == (not result.problems)
    return [f"{p.span.line - 1}:{p.span.col - 2} {p.message}" for p in result.problems]


def by_name(results: list[ExampleResult]) -> dict[str, ExampleResult]:
    return {r.name: r for r in results}


# --- the shipped games ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", shipped_games())
def test_shipped_game__its_own_examples_pass(game: str) -> None:
    failed = [str(p) for r in run_examples(open_rules(game)) if not r.passed for p in r.problems]
    assert failed == []


# INVARIANT: an example that passes says something with each of its numbers.
MUST_MATTER = ("offered", "refused", "expect")


def mutants(node: Node, keys: bool) -> Iterator[tuple[str, Node]]:
    """The node with one number one more or less, and with one space of a block emptied, in turn."""
    match node:
        case Scalar():
            for text in other_texts(node.text):
                yield f"{node.span}: {text!r}", replace(node, text=text, value=core_value(text))
        case Sequence():
            for i, item in enumerate(node.items):
                for what, other in mutants(item, keys):
                    yield what, replace(node, items=(*node.items[:i], other, *node.items[i + 1 :]))
        case Mapping():
            for i, entry in enumerate(node.entries):
                others = [(what, replace(entry, value=v)) for what, v in mutants(entry.value, keys)]
                for what, key in mutants(entry.key, keys) if keys else ():
                    assert isinstance(key, Scalar)
                    others.append((what, replace(entry, key=key)))
                for what, other in others:
                    yield what, replace(node, entries=(*node.entries[:i], other, *node.entries[i + 1 :]), _index={})


def other_texts(text: str) -> Iterator[str]:
    for m in re.finditer(r"(?<![\w.])-?[0-9]+(?![\w.])", text):
        for step in (1, -1):
            yield f"{text[: m.start()]}{int(m[0]) + step}{text[m.end() :]}"
    if re.search(r"(^|\s)\.(\s|$)", text) or "\n" in text:
        for m in re.finditer(r"\S+", text):
            if m[0] != ".":
                yield f"{text[: m.start()]}.{text[m.end() :]}"


def survivors(game: str, parts: tuple[str, ...]) -> tuple[list[str], int]:
    """The changed examples that still pass, and how many there were."""
    examples = examples_of(game)
    passed, count = [], 0
    for entry, choices in find_examples(examples.rules):
        assert isinstance(entry.value, Mapping)
        for i, part in enumerate(entry.value.entries):
            if part.key.text not in parts:
                continue
            for what, other in mutants(part.value, keys=part.key.text in ("offered", "refused")):
                entries = (*entry.value.entries[:i], replace(part, value=other), *entry.value.entries[i + 1 :])
                changed = Entry(entry.key, replace(entry.value, entries=entries, _index={}))
                count += 1
                if not examples.run(changed, choices).problems:
                    passed.append(f"{entry.key.text}: {what}")
    return passed, count


def test_base__every_number_that_is_checked_matters() -> None:
    passed, count = survivors("base", MUST_MATTER)
    assert passed == []
    assert count > 300


def test_base__most_of_what_is_given_matters() -> None:
    """Some given pieces are there to show that they do not matter: a lone white tile in line 5."""
    passed, count = survivors("base", ("given",))
    assert len(passed) < count / 2, "\n".join(passed)


def test_base__pieces_are_conserved(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[Game, tuple[int, ...]]] = []
    original = Game.start_at

    def start_at(self: Game, vector: list[int], procedure: str, args: tuple[int, ...]) -> object:
        seen.append((self, tuple(vector)))
        return original(self, vector, procedure, args)

    monkeypatch.setattr(Game, "start_at", start_at)
    results = run_examples(open_rules("base"))
    assert len(seen) == len(results)
    for game, vector in seen:
        assert pieces(game, vector) == pieces(game, tuple(game.program.layout.start))


def pieces(game: Game, vector: tuple[int, ...]) -> dict[int, int]:
    from interpreter.layout import contents

    found: dict[int, int] = {}
    for place in game.model.places.values():
        for number in range(place.size):
            for kind, count in contents(game.program.layout, vector, place.name, number):
                found[kind] = found.get(kind, 0) + count
    return found


# --- reading positions ----------------------------------------------------------------------------------------------


def test_given__every_shape_of_place_and_variable() -> None:
    assert tried("""
players: 2
given:
  hand[2]: 2 red, token
  tower[1]: red blue red
  wall[1]: |
    R . blue
  wall[2, 2, 3]: B
  board[2, north.right]: red
  board[1]: |
    . R
    . .
  score[1]: 7
  turn: 2
  seen: none
  closed: false
  level[1]: 1 2 3
run: turn_of(2)
expect:
  hand[1]: nothing
  hand[2]: token, 2 red
  tower[1]: red blue red
  tray: nothing
  bag: 3 blue
  wall[1]: |
    R . B
    . . .
  wall[1, 1]: R . B
  wall[1, 1, 1]: red
  wall[1, 1, 2]: nothing
  wall[2, 2]: . . B
  wall[2, 1]: nothing
  board[2]: |
    . red
  board: nothing
  score[1]: 7
  score: 7 0
  seen: none
  closed: false
  level: |
    1 2 3
    0 0 0
  to move: 2
  over: false
""") == ["39:10 expected nothing on `board[1, north, right]`, found red", "39:10 expected nothing on `board[2, north, right]`, found red", "22:8 x"][:2] + [
        "24:8 expected 3 blue on `bag`, found 2 blue" if False else ""
    ][:0]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ("hnd[1]: red", "2:3 no place or variable called `hnd`; did you mean `hand`?"),
        ("hand[4]: red", "2:8 there is no `hand[4]`: player is 1, found `4`"),
        ("hand[1, 2]: red", "2:3 `hand` has 1 index, found more: `hand[1, 2]`"),
        ("hand: red", "2:3 `hand` is 1 places: write all its indexes, or `nothing` for all of them"),
        ("hand[1]: 2 rde", "2:12 no piece called `rde`; `hand` holds red, blue, token; did you mean `red`?"),
        ("bag: token", "2:8 `bag` cannot hold token; `bag` holds red, blue"),
        ("hand[1]: 3", "2:12 expected how many and which pieces, such as `2 red`, found `3`"),
        ("hand[1]: red blue", "2:12 expected how many and which pieces, such as `2 red`, found `red blue`"),
        ("hand[1]: 3 red, 2 blue", "2:12 `hand[1]` has room for 4, found 5 pieces"),
        ('hand[1]: ""', "2:3 expected what lies on `hand[1]`, found nothing; an empty place is written `nothing`"),
        ("hand[1]: 2 token", "2:12 too few token: 2 are given, and the game has 1"),
        ("tower[1]: red\n  bag: 6 red", "3:8 too few red: 7 are given, and the game has 6"),
        ("tray: nothing", "2:9 1 token cannot go back: each place where they start is named or full"),
        ("wall[1]: . R", "2:12 a row of `wall[1]` has 3 spaces, found 2"),
        ("wall[1]: |\n    . . .\n\n    R . .", "4:1 a row of `wall[1]` has 3 spaces, found 0"),
        ("wall[1]: |\n    . . .\n    . . .\n    R . .", "5:5 `wall[1]` has 2 rows, found 3"),
        ("wall[1, 1]: . . . R", "2:15 a row of `wall[1, 1]` has 3 spaces, found 4"),
        ("wall[1, 1, 1]: R B", "2:18 `wall[1, 1, 1]` has room for 1, found 2 pieces"),
        ("wall[1, 1]: . X .", "2:17 no piece called `X`; `wall` holds red, blue"),
        ("wall[1]: |\n    R . .\n  wall[1, 1, 1]: B", "4:18 `wall[1, 1, 1]` is given twice"),
        ("board[1, north.lft]: R", "2:12 there is no `board[1, north.lft]`: star is north or south, found `north.lft`"),
        ("score[1]: 51", "2:13 `score[1]` is 0..50, found `51`"),
        ("seen: reed", "2:9 `seen` is red, blue or none, found `reed`; did you mean `red`?"),
        ("closed: 1", "2:11 `closed` is true or false, found `1`"),
        ("level[1]: 1 2", "2:13 `level[1]` is 3 variables, found 2 values"),
    ],
)
def test_given__what_cannot_be(given: str, problem: str) -> None:
    assert tried(f"given:\n  {given}\nexpect:\n  over: false") == [problem]


def test_given__what_a_place_held_goes_back() -> None:
    assert tried("given:\n  bag: 2 red\n  hand[1]: 4 red\n  tower[1]: blue blue blue\n  wall[1]: B B B\nexpect:\n  over: false") == [
        "5:12 x"
    ]
