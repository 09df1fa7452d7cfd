"""Rule files in which every form of an expression is worked out inside every other: not at random, but one by one.

A position changes from decision to decision, and the expressions are worked out as a step, as a condition of a move, as
points, and before a decision of chance. Which texts there are, `pairs.txt` says, which `pairs.py` makes.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from tests.generated.pairs import LOCALS, Example

FILE = Path(__file__).parent / "pairs.txt"
EACH = 24  # expressions of one file
FEW = 6  # and of a small one

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
        "planks[shelf]": [2, 3],
        "leads[row]": ["across", "upright", "across"],
        "roads[row]": {1: ["across"], 2: ["upright", "across"], 3: []},
        "boxes[row]": ["upper.left", "lower.left", "lower.right"],
    },
    "pieces": {"flower": "4 in bag"},
    "places": {
        "bag": {"pile": "flower"},
        "lid": {"pile": "flower"},
        "hand[player]": {"pile": "flower", "room": 4},
        "crates[shelf, side]": {"pile": "flower", "room": 2},
        "tower[player]": {"stack": "flower", "room": 3},
        "beds[flower]": {"pile": "flower", "room": 2},
        "pots[flower, player]": {"pile": "flower", "room": 2},
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
        "kept": {"is": ["board", "none"], "start": "none"},
        "goal[player]": "hand",
        "marked": "yes_no",
        "best[player]": "0..9",
        "seen[row, column]": "0..5",
        "passed[player]": "yes_no",
        "grown[flower]": "0..9",
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
        "beside(board x)": "first(y for y in board[x.row] where y != x)",
        "crate_of(row r)": "if r = 1 then stock else next(stock)",
        "way_of(row r)": "if r = 1 then heading else next(heading)",
        "on_shelf(shelf s)": "count(crates[s])",
    },
}

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
    "set grown[bloom] to a",
    "set heading to if a = 2 then across else upright",
    "draw up to 2 from bag to hand[turn], then lid",
    "draw up to 1 from bag to tower[turn], then lid",
    "draw up to 2 from bag to board[a], then board, then lid",
    "draw up to 1 from bag to crates[stock], then lid",
    "draw up to 1 from bag to beds[bloom], then pots[rose, turn], then lid",
]

NUMBER = {"is": "-5000..5000", "never below": -5000, "never above": 5000}
YES_NO, KIND = "yes_no", ["flower", "none"]


@cache
def examples() -> tuple[Example, ...]:
    """Return a text for every two forms of which one can be inside the other."""
    return tuple(Example(*line.split("\t")) for line in FILE.read_text(encoding="utf-8").splitlines())


def written(found: Sequence[Example]) -> str:
    """Return what `pairs.txt` holds."""
    return "".join(f"{e.outer}\t{e.inner}\t{e.type}\t{e.text}\n" for e in found)


def directed_file(number: int, small: bool = False) -> dict[str, Any]:
    """Return a file with some of the examples: the first files have each of them once, later ones and small ones a sample."""
    every = examples()
    first = number * EACH
    if small or first >= len(every):
        return rule_file(Random(number).sample(every, FEW if small else EACH))
    return rule_file(every[first : first + EACH])


def many_directed() -> int:
    """Return how many files it takes to have all examples."""
    return -(-len(examples()) // EACH)


def seen_as(e: Example) -> tuple[Any, str]:
    """Return the type of a variable, and an expression for it, by which the value of an example is seen."""
    text = e.text
    match e.type.split():
        case ["condition"]:
            return YES_NO, text
        case ["place", _]:
            return NUMBER, f"count({text}) + (if empty({text}) then 20 else 10)"
        case ["list", "of", "place", *_]:
            return NUMBER, f"count({text}) * 10 + size({text})"
        case ["list", "of", *_]:
            return NUMBER, f"size({text})"
        case ["number" | "row" | "column" | "player"]:
            return NUMBER, f"max(-4000, min(4000, {text}))"
        case ["number?" | "row?" | "column?" | "player?"]:
            return NUMBER, f"({text} default 77)"
        case ["flower" | "flower?" | "colour" | "colour?"]:
            return KIND, text
        case ["chosen"]:
            return NUMBER, f"count({text})"
        case ["crate"]:
            return NUMBER, f"count(crates[{text}])"
        case ["shelf"]:
            return NUMBER, f"(if {text} = upper then 1 else 2)"
        case ["way"]:
            return NUMBER, f"size(ray(board[2, 2], {text}))"
        case _:  # of several sets: two that are worked out one after the other are the same
            return YES_NO, f"({text} = {text})"


def rule_file(some: Sequence[Example]) -> dict[str, Any]:
    """Return a file in which these are worked out in turn: in steps, in conditions, as points, where the game waits."""
    file = deepcopy(BASE)
    looking: list[Any] = []
    waiting: list[Any] = []
    scored: list[str] = []
    moves: dict[str, Any] = {}
    scoring: dict[str, Any] = {}
    for i, e in enumerate(some):
        kind, text = seen_as(e)
        name = f"result_{i}"
        file["variables"][name] = kind
        looking.append(f"set {name} to {text}")
        if any(word in text for word in LOCALS) or "gift" in text:
            continue  # known in the move only
        test = text if kind == YES_NO else f"{text} != bloom" if kind == KIND else f"{text} > 2 - r"
        if i % 4 == 1:
            choose = {"r": "row", "k": "hand[me]"}
            needs = {"good": {"that": test, "else": "no"}}
            moves[f"look_{i}"] = {"text": f"look {i}", "choose": choose, "needs": needs, "does": []}
        elif i % 4 == 2:
            points = text if kind == NUMBER else f"if {test} then 1 else 2"
            shown = text if "place" in e.type else e.text  # places have no words
            scoring[f"rule_{i}"] = {"text": f"a reason {{{shown}}}", "points": points}
            scored.append(f"rule_{i}")
        elif i % 4 == 3 and " me" not in text and "(me" not in text and "[me" not in text:
            first = test.replace("- r", "- level")
            waiting.append({"if": first, "then": [f"roll d_{i} from 1..2", f"add d_{i} - 1 to score[turn]"]})
    moves["act"] = {
        "text": "act",
        "choose": {"gift": "up to 2 from hand[me]"},
        "does": [*LOCALS.values(), *looking, "move gift from hand[me] to lid"],
    }
    file["setup"] = SHUFFLE
    ask = {"ask": "turn", "to": " or ".join(moves)}
    if "act" not in moves or len(moves) > 1:
        ask["otherwise"] = []  # type: ignore[assignment]
    file["play"] = [
        {
            "while": "clock > 0",
            "do": [
                "add -1 to clock",
                *SHUFFLE,
                ask,
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
