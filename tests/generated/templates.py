"""Every form of an expression inside every other, where types allow: not at random, but one by one.

A template is a text with typed holes. Each hole of each template is filled in turn with each template that has the
hole's type; the other holes get something plain. What comes of it is worked out in rule files in which a position
changes from decision to decision, as a step, as a condition of a move, as points, and in a definition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from rulespec.diagnostics.diagnostic import Diagnostic, RuleFileError
from rulespec.rules import open_rules
from rulespec.yaml.dump import mapping_text

HOLE = re.compile(r"\{([a-z_?]+)\}")

# type → something plain of it, of which nothing is known before play
PLAIN = {
    "number": "depth",
    "divisor": "count_up + 1",
    "number?": "heights[count_up]",
    "colour": "shade",
    "colour?": "printed[1, count_up]",
    "flower": "bloom",
    "flower?": "lucky",
    "row": "level",
    "row?": "pick",
    "player": "turn",
    "crate": "stock",
    "shelf": "plank",
    "way": "heading",
    "condition": "marked",
    "pile": "hand[turn]",
    "stack": "tower[turn]",
    "cell": "board[level, 2]",
    "piles": "hand",
    "stacks": "tower",
    "cells": "board[level]",
    "flowers": "likes[shade]",
    "rows": "(level..3)",
    "numbers": "(depth..3)",
    "players": "clockwise(turn)",
    "chosen": "gift",
}

# type → templates of it. `x` is the name of a loop; loops over numbers give a number, over places a place
TEMPLATES: dict[str, tuple[str, ...]] = {
    "number": (
        "({number} + {number})",
        "({number} - {number})",
        "(-{number})",
        "(min(9, max(-9, {number})) * min(9, max(-9, {number})))",
        "({number} / ({divisor}))",
        "({number} mod ({divisor}))",
        "({number} / (-3))",
        "({number} mod (-3))",
        "count({pile})",
        "count({stack})",
        "count({cell})",
        "count({pile}, {flower})",
        "count({pile}, {flower?})",
        "count({pile}, {flowers})",
        "count({stack}, {flower})",
        "count({stack}, {flowers})",
        "count({cell}, {flower?})",
        "count({cell}, {flowers})",
        "count({piles})",
        "count({stacks}, {flower})",
        "count({cells}, {flower?})",
        "count({cells}, {flowers})",
        "count({chosen})",
        "count({chosen}, {flower})",
        "count({chosen}, {flower?})",
        "count({chosen}, {flowers})",
        "free({pile})",
        "free({stack})",
        "free({cell})",
        "free({piles})",
        "free({stacks})",
        "free({cells})",
        "size({flowers})",
        "size({numbers})",
        "size({players})",
        "size({cells})",
        "size({stacks})",
        "max({number}, {number})",
        "min({number}, {number}, {number})",
        "({number?} default {number})",
        "worth[{flower}]",
        "best[{player}]",
        "seen[{row}, {row}]",
        "sum({number} for x in {flowers})",
        "sum({number?} for x in {flowers} where {condition})",
        "sum({number} + count(x) for x in {cells})",
        "sum({number} + x for x in {rows} while {condition})",
        "sum(worth[x] for x in {pile}, y in {flowers} where x = y)",
        "sum(worth[x] * count({chosen}, x) for x in {chosen})",
        "count({condition} for x in {stack})",
        "count({condition} for x in {players}, y in {rows})",
        "count(empty(x) for x in {cells} where {condition})",
        "(if {condition} then {number} else {number})",
        "(let y be {number} in y + {number})",
        "(let y be {number?} in if y = none then {number} else y)",
        "(let y be {flower?} in if y = none then {number} else worth[y])",
        "(let y be {cell} in count(y) + {number})",
        "(let y be {cells} in count(y) + size(y))",
        "(let y be {flowers} in size(y) + {number})",
        "(let y be {condition} in if y then {number} else 1)",
        "twice({number})",
        "worth_of({flower}, {condition})",
    ),
    "number?": (
        "heights[{number}]",
        "worth[{flower?}]",
        "best[{number}]",
        "seen[{row?}, {number}]",
        "max({number} for x in {flowers} where {condition})",
        "max({number?} for x in {rows})",
        "min({number} for x in {cells} where {condition})",
        "min({number} for x in {pile})",
        "first({number} for x in {rows} where {condition})",
        "first({number?} for x in {flowers})",
        "(if {condition} then {number} else none)",
        "(if {condition} then {number?} else {number})",
        "(let y be {number} in heights[y])",
        "height_of({number})",
    ),
    "colour": (
        "partner[{row}]",
        "({colour?} default {colour})",
        "(if {condition} then {colour} else {colour})",
        "next({colour})",
    ),
    "colour?": ("printed[{row?}, {number}]", "piece({cell})", "first(x for x in {flowers} where {condition})"),
    "flower": (
        "{colour}",
        "({flower?} default {flower})",
        "(if {condition} then {flower} else {flower})",
        "(let y be {flower?} in if y = none then {flower} else y)",
        "flower_of({row})",
    ),
    "flower?": (
        "piece({stack})",
        "piece({cell})",
        "printed[{row}, {row}]",
        "first({flower} for x in {numbers} where {condition})",
        "first(x for x in {pile})",
        "first(x for x in {chosen} where {condition})",
        "(if {condition} then {flower?} else {flower})",
        "(if {condition} then {flower} else none)",
        "(let y be {cell} in piece(y))",
        "top_of({player})",
    ),
    "row": (
        "next({row})",
        "previous({row})",
        "({row?} default {row})",
        "(if {condition} then {row} else {row})",
        "max(1, min(3, {number}))",
    ),
    "row?": (
        "first(x for x in {rows} where {condition})",
        "(if {condition} then {row} else none)",
        "max(x for x in {rows} where {condition})",
    ),
    "player": (
        "next({player})",
        "(if {condition} then {player} else {player})",
        "first(x for x in {players}) default 1",
    ),
    "crate": ("(if {condition} then {crate} else {crate})", "next({crate})"),
    "shelf": ("({crate}).shelf", "(if {condition} then {shelf} else {shelf})"),
    "way": ("(if {condition} then {way} else {way})", "next({way})"),
    "condition": (
        "({number} = {number})",
        "({number} != {number?})",
        "({number} < {number})",
        "({number} <= {number})",
        "({number} > {number})",
        "({number} >= {number})",
        "({flower?} = {flower})",
        "({flower} != {flower})",
        "({flower?} = none)",
        "({number?} != none)",
        "({condition} = {condition})",
        "({condition} != {condition})",
        "(not {condition})",
        "({condition} and {condition})",
        "({condition} or {condition})",
        "(if {condition} then {condition} else {condition})",
        "({flower} in {pile})",
        "({flower?} in {stack})",
        "({flower} in {cell})",
        "({flower} not in {piles})",
        "({flower?} in {cells})",
        "({flower} in {flowers})",
        "({flower?} not in {flowers})",
        "({flower} in {chosen})",
        "({number} in {numbers})",
        "({number?} in [{number}, {number}])",
        "({player} in {players})",
        "({row?} in [row, none])",
        "empty({pile})",
        "empty({stack})",
        "empty({cell})",
        "empty({piles})",
        "empty({cells})",
        "any({condition} for x in {flowers})",
        "any(x > {number} for x in {numbers} where {condition})",
        "any(empty(x) for x in {cells} while {condition})",
        "all({condition} for x in {pile})",
        "all(x < {number} for x in {rows}, y in {players})",
        "all({condition} for x in {chosen})",
        "passed[{player}]",
        "passed[{number}]",
        "(let y be {flower?} in y != none and worth[y] > {number})",
        "(let y be {number?} in y = none or y > {number})",
        "(let y be {condition} in y or {condition})",
        "is_high({number}, {condition})",
    ),
    "pile": (
        "hand[{player}]",
        "hand[{number}]",
        "crates[{crate}]",
        "crates[{shelf}, left]",
        "first(x for x in {piles} where {condition})",
        "hand_of({player})",
    ),
    "stack": ("tower[{player}]", "tower[{number}]", "first(x for x in {stacks} where {condition})"),
    "cell": (
        "board[{row}, {row}]",
        "board[{row?}, {number}]",
        "first(x for x in {cells} where {condition})",
        "cell_of({row}, {number})",
        "(let y be {row} in board[y, y])",
    ),
    "piles": ("crates[{shelf}]", "list(x for x in {piles} where {condition})"),
    "stacks": ("list(x for x in {stacks} where {condition})", "list(tower[x] for x in {numbers})"),
    "cells": (
        "board[{number}]",
        "ray({cell}, {way})",
        "group(x from {cell} along {way} where {condition})",
        "group(x from {cell} along [across, {way}] where {condition})",
        "list(x for x in {cells} where {condition})",
        "list({cell} for x in {rows})",
        "(if {condition} then {cells} else {cells})",
    ),
    "flowers": (
        "likes[{colour?}]",
        "[{flower}, {flower}]",
        "[colour, {flower}]",
        "[{flowers}, {flower}]",
        "list({flower} for x in {cells})",
        "list({flower?} for x in {rows})",
        "(if {condition} then {flowers} else {flowers})",
        "(let y be {flower} in [y, y, {flower}])",
    ),
    "rows": ("list(x for x in {rows} where {condition})", "({row}..{row})", "[{row}, {row}]"),
    "numbers": ("({number}..{number})", "list({number} for x in {flowers})", "[{number}, {number}]"),
    "players": ("clockwise({player})", "list(x for x in {players} where {condition})", "[{player}, {player}]"),
}

FAMILY = {"hand": "pile", "crates": "pile", "tower": "stack", "board": "cell"}


@dataclass(frozen=True)
class Pair:
    """A template with another one in one of its holes."""

    type: str
    outer: str
    hole: int
    inner: str  # also one of the plain ones

    @property
    def text(self) -> str:
        """The text; the loop of the inner template has a name of its own."""
        inner = re.sub(r"\b([xy])\b", r"\1\1", filled(self.inner))
        return filled(self.outer, self.hole, inner)


def filled(template: str, hole: int = -1, inner: str = "") -> str:
    """Return a template with something plain in all holes but one."""
    numbers = iter(range(1000))

    def fill(found: re.Match[str]) -> str:
        return inner if next(numbers) == hole else PLAIN[found[1]]

    return HOLE.sub(fill, template)


def all_pairs() -> Iterator[Pair]:
    """Yield every template in every hole of its type."""
    for t, templates in TEMPLATES.items():
        for outer in templates:
            for number, hole in enumerate(HOLE.findall(outer)):
                for inner in (*TEMPLATES.get(hole, ()), PLAIN[hole]):
                    yield Pair(t, outer, number, inner)


def family_of(text: str) -> str:
    """Return the shape of places that an expression about them is about."""
    return next((shape for name, shape in FAMILY.items() if name in text), "cell")


def seen_as(pair: Pair) -> tuple[str, str]:
    """Return a variable and an expression for it, by which the value of a pair is seen."""
    text = pair.text
    match pair.type:
        case "number" | "number?":
            return "whole", f"{text} default 77" if pair.type == "number?" else text
        case "condition":
            return "truth", text
        case "flower" | "flower?" | "colour" | "colour?":
            return "kind", text
        case "row" | "row?" | "player":
            return "whole", f"{text} default 77" if pair.type.endswith("?") else text
        case "crate":
            return "whole", f"count(crates[{text}])"
        case "shelf":
            return "whole", f"count(crates[{text}])"
        case "way":
            return "whole", f"size(ray(board[2, 2], {text}))"
        case "pile" | "stack" | "cell":
            return "whole", f"count({text}) * 10 + free({text})"
        case "piles" | "stacks" | "cells":
            return "whole", f"count({text}) * 10 + size({text})"
        case "flowers":
            return "whole", f"sum(worth[z] for z in {text}) + 100 * size({text})"
        case _:
            return "whole", f"sum(z for z in {text}) + 100 * size({text})"


BASE: dict[str, Any] = {
    "rulespec": 1,
    "game": "Pairs",
    "players": 2,
    "sets": {
        "colour": ["red", "blue", "green"],
        "flower": ["colour", "rose"],
        "row": "1..3",
        "column": "1..3",
        "shelf": ["upper", "lower"],
        "side": ["left", "right"],
        "crate": "shelf * side",
        "way": ["across", "upright"],
    },
    "tables": {
        "heights": [3, 1, 4],
        "worth[flower]": [1, 2, 0, 5],
        "partner[row]": ["blue", "red", "red"],
        "printed[row, column]": [["red", "none", "blue"], ["none", "green", "red"], ["blue", "red", "none"]],
        "likes[colour]": {"red": ["blue", "red"], "blue": [], "green": ["green"]},
    },
    "pieces": {"flower": "4 in bag"},
    "places": {
        "bag": {"pile": "flower"},
        "lid": {"pile": "flower"},
        "hand[player]": {"pile": "flower", "room": 4},
        "crates[shelf, side]": {"pile": "flower", "room": 2},
        "tower[player]": {"stack": "flower", "room": 3},
        "board[row, column]": {
            "cell": "flower",
            "ways": {
                "across": [{"column": "column - 1"}, {"column": "column + 1"}],
                "upright": [{"row": "row - 1"}, {"row": "row + 1"}],
            },
        },
    },
    "variables": {
        "clock": {"is": "0..9", "start": 4},
        "turn": "player",
        "depth": {"is": "-9..9", "start": -2},
        "count_up": "0..9",
        "shade": "colour",
        "bloom": "flower",
        "lucky": ["flower", "none"],
        "level": "row",
        "pick": {"is": ["row", "none"], "start": "none"},
        "stock": "crate",
        "plank": "shelf",
        "heading": "way",
        "marked": "yes_no",
        "best[player]": "0..9",
        "seen[row, column]": "0..5",
        "passed[player]": "yes_no",
        "score[player]": {"is": "-5000..5000", "never below": -5000, "never above": 5000},
    },
    "define": {
        "twice(number n)": "n + n",
        "worth_of(flower f, yes_no b)": "if b then worth[f] else 0",
        "height_of(number n)": "heights[n]",
        "flower_of(row r)": "if piece(board[r, r]) = none then rose else partner[r]",
        "top_of(player p)": "piece(tower[p])",
        "is_high(number n, yes_no b)": "n > 2 and b",
        "hand_of(player p)": "hand[p]",
        "cell_of(row r, number n)": "board[r, n]",
    },
}

RANGES = {"whole": {"is": "-5000..5000", "never below": -5000, "never above": 5000}, "truth": "yes_no", "kind": ["flower", "none"]}  # fmt: skip

# what changes between two looks
SHUFFLE = [
    "roll a from row",
    "set level to a",
    "roll b from [row, none]",
    "set pick to b",
    "roll c from [flower, none]",
    "set lucky to c",
    "set bloom to if c = none then rose else c",
    "set shade to if c = none or c = rose then green else c",
    "set depth to 2 * a - 3 - clock",
    "set count_up to a + clock - 1",
    "set marked to b = none or a > 1",
    "set passed[turn] to c = none",
    "set best[turn] to a",
    "set seen[a, 1] to a",
    "set stock to next(stock)",
    "set plank to stock.shelf",
    "set heading to if a = 2 then across else upright",
    "draw up to 2 from bag to hand[turn], then lid",
    "draw up to 1 from bag to tower[turn], then lid",
    "draw up to 2 from bag to board[a], then board, then lid",
    "draw up to 1 from bag to crates[stock], then lid",
]


def rule_file(pairs: Sequence[Pair]) -> dict[str, Any]:
    """Return a file in which these are worked out in turn: in steps, in conditions, as points, where the game waits."""
    file = deepcopy(BASE)
    looking: list[Any] = []
    waiting: list[Any] = []
    scored: list[str] = []
    moves: dict[str, Any] = {}
    scoring: dict[str, Any] = {}
    for i, pair in enumerate(pairs):
        kind, text = seen_as(pair)
        name, chosen = f"{kind}_{i}", "gift" in text
        file["variables"][name] = RANGES[kind]
        looking.append(f"set {name} to {text}")
        if i % 4 == 1:
            test = {"truth": text, "whole": f"{text} > 2 - r", "kind": f"{text} != bloom"}[kind]
            moves[f"look_{i}"] = {
                "text": f"look {i}",
                "choose": {"gift": "up to 1 from hand[me]", "r": "row"} if chosen else {"r": "row", "k": "hand[me]"},
                "needs": {"good": {"that": test, "else": "no"}},
                "does": [],
            }
        elif i % 4 == 2 and not chosen:
            points = {"truth": f"if {text} then 1 else 0", "whole": text, "kind": f"if {text} = bloom then 1 else 2"}
            scoring[f"rule_{i}"] = {"text": f"a reason {{{text}}}", "points": points[kind]}
            scored.append(f"rule_{i}")
        elif i % 4 == 3 and not chosen:
            test = {"truth": text, "whole": f"{text} > 2", "kind": f"{text} != bloom"}[kind]
            waiting.append({"if": test, "then": [f"roll d_{i} from 1..2", f"add d_{i} - 1 to score[turn]"]})
    moves["act"] = {
        "text": "act",
        "choose": {"gift": "up to 2 from hand[me]"},
        "does": [*looking, "move gift from hand[me] to lid"],
    }
    file["setup"] = SHUFFLE
    file["play"] = [
        {
            "while": "clock > 0",
            "do": [
                "add -1 to clock",
                *SHUFFLE,
                {"ask": "turn", "to": " or ".join(moves)},
                {"ask": "turn", "to": "act"},
                *waiting,
                *([f"score {', '.join(scored)} for turn"] if scored else []),
                "set turn to next(turn)",
            ],
        }
    ]
    file["moves"] = moves
    if scoring:
        file["scoring"] = scoring
    file["winner"] = {"most points": "score[me]", "by kind": "count(hand[me], lucky)"}
    return file


def good_pairs(pairs: Sequence[Pair]) -> tuple[list[Pair], list[Pair]]:
    """Return those of some pairs that the checker takes together, and those it refuses."""
    good, refused = list(pairs), list[Pair]()
    while True:
        file = rule_file(good)
        lines = mapping_text(file, "pairs").splitlines()
        words = {lines[d.span.line - 1] for d in complaints(file)}
        if not words:
            return good, refused
        bad = [pair for pair in good if any(seen_as(pair)[1] in line for line in words)]
        assert bad, words
        refused += bad
        good = [pair for pair in good if pair not in bad]


def complaints(file: dict[str, Any]) -> tuple[Diagnostic, ...]:
    """Return what the checker has against a file."""
    try:
        open_rules(file).check()
    except RuleFileError as error:
        return tuple(error.diagnostics)
    return ()
