"""Game sense: each check finds what it is for, at its line, and finds nothing in any shipped file."""

from __future__ import annotations

import pytest

from rulespec.diagnostics.diagnostic import RuleFileError
from rulespec.files.sources import shipped_games
from rulespec.rules import open_rules
from tests.shipped import rules_of, with_some_house_rules
from tests.small import small_game

GAME = small_game("sticks_and_bowl")

# what is replaced, by what, and what is said of it: line, code, message
CASES: dict[str, tuple[str, str, tuple[int, str, str]]] = {
    "a place for no piece that comes": (
        "taken[player]: {pile: [stick, colour]}",
        "taken[player]: {pile: stick}",
        (19, "place-kind", "`red` and `blue` cannot lie there"),
    ),
    "pieces that start where they cannot lie": (
        "colour: 2 in bowl",
        "colour: 2 in heap",
        (6, "place-kind", "`heap` cannot hold red"),
    ),
    "a stack without room": (
        "heap: {pile: stick}",
        "heap: {stack: stick}",
        (8, "stack-room", "the stack `heap` needs `room:`"),
    ),
    "a cell with room": (
        "bowl: {pile: colour}",
        "bowl: {cell: colour, room: 2}",
        (9, "place-room", "a cell has room for one piece"),
    ),
    "more pieces than room at the start": (
        "heap: {pile: stick}",
        "heap: {pile: stick, room: 9}",
        (8, "place-room", "10 pieces would start in `heap`, which has room for 9"),
    ),
    "a table that misses a member": (
        "tables: {most: 3}",
        "tables:\n  most: 3\n  worth[colour]: {red: 1}",
        (7, "table-size", "`worth` has no entry for `blue`"),
    ),
    "a table with a member too many": (
        "tables: {most: 3}",
        "tables:\n  most: 3\n  worth[colour]: {red: 1, blue: 2, green: 3}",
        (7, "table-key", "`green` is not a member of `colour`"),
    ),
    "a table shorter than its set": (
        "tables: {most: 3}",
        "tables:\n  most: 3\n  worth[size]: [1, 2]",
        (7, "table-size", "`worth` has 2 entries here, `size` has 3 members"),
    ),
    "a name never used": (
        "tables: {most: 3}",
        "tables: {most: 3, least: 1}",
        (5, "name-unused", "the table `least` is never used"),
    ),
    "a parameter never used": (
        "scoring:",
        "  wait(size s): {text: wait, does: []}\nscoring:",
        (30, "local-unused", "`s` is never used in `wait`"),
    ),
    "a choice never used": (
        "{n: 1..most}",
        "{n: 1..most, c: colour}",
        (25, "local-unused", "`c` is never used in `take`"),
    ),
    "a `let` never used": (
        "    - score sticks for turn",
        "    - let left be count(heap)\n    - score sticks for turn",
        (20, "local-unused", "`left` is never used below"),
    ),
    "a roll never used": (
        "    - score sticks for turn",
        "    - roll left from size\n    - score sticks for turn",
        (20, "local-unused", "`left` is never used below"),
    ),
    "a function's parameter never used": (
        "play:",
        "define: {half(size s): count(heap) / 2}\nplay:",
        (12, "local-unused", "`s` is never used in `half`"),
    ),
    "a condition that never refuses": (
        "n <= count(heap), else: no}",
        "n <= 3, else: no}\n      more: {that: n <= count(heap), else: no}",
        (27, "condition-always", "`enough` never refuses `take`"),
    ),
    "a condition that always refuses": (
        "that: n <= count(heap)",
        "that: n > 3",
        (27, "condition-never", "`take` is always refused by `enough`"),
    ),
    "a condition compared with itself": (
        "that: n <= count(heap)",
        "that: count(heap) >= count(heap)",
        (27, "condition-always", "`enough` never refuses `take`"),
    ),
    "a loop that runs forever": (
        "not empty(heap)",
        "count(heap) >= 0",
        (13, "condition-always", "this `while` runs forever"),
    ),
    "a loop that never begins": (
        "not empty(heap)",
        "count(heap) > 14",
        (13, "condition-never", "this `while` never begins"),
    ),
    "a step never run": (
        "    - score sticks for turn",
        "    - if: false or count(heap) < 0\n      then: [set turn to 1]\n    - score sticks for turn",
        (20, "condition-never", "this `if` never holds"),
    ),
    "a loop in which nobody decides": (
        "    - ask: turn\n      to: take\n",
        "",
        (13, "while-without-decision", "nobody decides anything in this `while`"),
    ),
    "steps that run themselves": (
        "    - score sticks for turn",
        "    - do one",
        (16, "step-cycle", "`one` runs itself: one → one"),
    ),
    "moves and steps that run each other": (
        "    does:\n",
        "    does:\n      - do one\n",
        (16, "step-cycle", "`one` runs itself: one → take → one"),
    ),
    "a symbol for two kinds": (
        "winner:",
        "view: {symbols: {red: R, blue: R}}\nwinner:",
        (32, "symbol-taken", "`R` is used for both `red` and `blue`"),
    ),
    "a symbol like an empty cell": (
        "winner:",
        "view: {symbols: {red: .}}\nwinner:",
        (32, "symbol-taken", "`.` is used for both `red` and an empty cell"),
    ),
    "a symbol that is another kind's name": (
        "winner:",
        "view: {symbols: {red: blue}}\nwinner:",
        (32, "symbol-taken", "`blue` is used for both `red` and `blue`"),
    ),
    "a position too large": (
        "  bowl: {pile: colour}",
        "  bowl: {pile: colour}\n  board[size, size]: {stack: colour, room: 99998}",
        (10, "too-large", "a position would be 900,003 numbers; at most 200,000 are allowed"),
    ),
    "too many ways to choose": (
        "{n: 1..most}",
        "{n: 1..most, a: 1..900, b: 1..900, c: 1..900}",
        (23, "too-much-work", "there are 2,187,000,000 ways to choose `take`; at most 1,000,000 are allowed"),
    ),
    "too much work in play": (
        "that: n <= count(heap)",
        'that: "any(x + y + z = n for x in 1..900, y in 1..900, z in 1..900)"',
        (27, "too-much-work", "working this out may take 5,834,432,702 steps; at most 2,000,000 are allowed"),
    ),
    "too much work before the game": (
        "tables: {most: 3}",
        'tables: {most: "min(3, count(x = y for x in 1..9000, y in 1..9000))"}',
        (5, "too-much-work", "working this out may take more than 500,000 steps"),
    ),
    "a choice that is never played": (
        "winner:",
        "options:\n  a:\n    x: {text: x}\n    y: {text: y, not with: {b: [x, y]}}\n  b:\n    x: {text: x}\n    y: {text: y}\nwinner:",
        (35, "option-never", "`a: y` can never be played: it excludes every choice of `b`"),
    ),
    "choices by default that exclude each other": (
        "winner:",
        "options:\n  a:\n    x: {text: x, not with: {b: x}}\n    y: {text: y}\n  b:\n    x: {text: x}\n    y: {text: y}\nwinner:",
        (34, "option-conflict", "`a: x` cannot be played with `b: x`"),
    ),
}

ALSO = {  # what may go with it: the name itself is not used either, or a part of it is missing elsewhere
    "a parameter never used": {"name-unused"},
    "a function's parameter never used": {"name-unused"},
    "a position too large": {"name-unused"},
    "too many ways to choose": {"local-unused"},
    "a loop in which nobody decides": {"name-unused"},
    "a stack without room": {"name-unknown"},
    "a cell with room": {"name-unknown"},
    "too much work before the game": {"name-unknown"},
}


def complaints(text: str) -> list[tuple[int, str, str]]:
    try:
        found = sorted(open_rules("sticks.yaml", text).check_all())
    except RuleFileError as error:
        found = list(error.diagnostics)
    return [(d.span.line, d.code, d.message) for d in found]


def test_game__makes_sense() -> None:
    assert complaints(GAME) == []


@pytest.mark.parametrize("name", CASES)
def test_check__finds(name: str) -> None:
    old, new, wanted = CASES[name]
    text = GAME.replace(old, new, 1)
    assert text != GAME
    found = complaints(text)
    assert wanted in found
    assert {code for _, code, _ in found} <= {wanted[1]} | ALSO.get(name, set())


@pytest.mark.parametrize("game", with_some_house_rules(shipped_games()))
def test_check__finds_nothing_in_what_is_shipped(game: str) -> None:
    assert list(rules_of(game).check_all()) == []


def test_condition__that_one_choice_makes_pointless_is_good() -> None:
    """The most sticks are three: then the condition never refuses; with another choice it does."""
    text = GAME.replace("that: n <= count(heap)", "that: n <= 3 or count(heap) > 5")
    assert [code for _, code, _ in complaints(text)] == ["condition-always"]
    options = "options:\n  many:\n    no: {text: few}\n    yes: {text: many, change: {tables: {most: 5}}}\n"
    assert complaints(text + options) == []


def test_unused__step_names_all_that_is_never_reached_with_it() -> None:
    """One mistake, one message: what only the unused step runs, asks for or scores is shown with it."""
    text = GAME.replace("moves:", "  two: [do three, score half for turn]\n  three: [{ask: turn, to: give}]\nmoves:", 1)
    text = text.replace("scoring:", "  give: {text: give, does: []}\nscoring:\n  half: {text: half, points: 1}")
    [found] = open_rules("sticks.yaml", text).check_all()
    assert (found.span.line, found.code) == (22, "name-unused")
    assert [(what, span.line) for what, span in found.also] == [
        ("so `three` is never reached", 23),
        ("so `give` is never reached", 32),
        ("so `half` is never reached", 34),
    ]
