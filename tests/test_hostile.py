"""Files made to break things: each is a clear error, or a game that plays, within two seconds and 300 MB.

Each group of files is read by a process of its own with limits on its memory and time, as it may break the process. The
time is that of the processor: other tests run at the same time.
"""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game
from referee.bots.quick import MOST_NUMBERS, play_quick
from referee.picture.figures import SPACES
from referee.picture.scene import scene
from referee.picture.svg import draw
from referee.rulebook.make import make_book
from referee.rulebook.texts import NOT_DESCRIBED, OPTIONS
from rulespec.checks.work import MOST_ROOM
from rulespec.diagnostics.diagnostic import Diagnostic
from rulespec.diff.compare import compare_rules
from rulespec.diff.trees import ChangeKind
from rulespec.files.changes import with_what_they_change
from rulespec.rules import open_rules
from rulespec.yaml.source import MOST_PROBLEMS
from tests.sizes import SOAK, size
from tests.sticks import sticks

MEGABYTES = 300
SECONDS = 5.0  # an outer guard, for busy machines too: what is bounded is the work, and that is counted
ROOT = Path(__file__).parent.parent
LIST, DEEP = 100_000, 10_000


def many(text: str, number: int, between: str = "") -> str:
    """Return the text so often, `{i}` counting."""
    return between.join(text.replace("{i}", str(i)).replace("{next}", str(i + 1)) for i in range(number))


def squares(text: str, number: int) -> str:
    """`let a0 be … in let a1 be a0 * a0 in …`: with each the number has twice as many digits."""
    return (
        f"let a0 be {text} in " + many("let a{next} be a{i} * a{i} in ", number) + f"(if a{number} > 0 then 1 else 2)"
    )


def alike(number: int, before: int = 0) -> list[str]:
    """Names of the same letters in another order: each could be a misspelling of each."""
    rng, letters = random.Random(before), list("abcdefghijklmnopqrstuvwxyz" * 2)
    return ["".join(rng.sample(letters, len(letters))) for _ in range(number)]


def aliases() -> str:
    lines = ["a: &a [x, x]"]
    lines += [
        f"{b}: &{b} [*{a}, *{a}, *{a}, *{a}]" for a, b in zip("abcdefghijklmnop", "bcdefghijklmnopq", strict=True)
    ]
    return "\n".join(lines)


def options(number: int) -> str:
    return "options:\n" + many("  o{i}:\n    a: {text: a}\n    b: {text: b, change: {tables: {most: 3}}}\n", number)


def faces(kinds: int, face: str) -> str:
    """Return a game with three pieces of each of these kinds, a number, and this printed on each."""
    sets, pieces, places = f"{{k: 1..{kinds}}}", "stick: 10 in heap, k: 3 in bag", "  bag: {pile: k}\n"
    return sticks(sets=sets, pieces=pieces, places=places) + f'view:\n  pieces:\n    k: {{face: "{face}"}}\n'


NEVER = "  never:\n    text: never\n    needs: {no: {that: left > 99, else: no}}\n    does: []\n"
ASK_NEVER = "\n    - ask: turn\n      to: never\n      otherwise: []\n"


def loops(name: str, over: str, steps: str) -> str:
    """Return a step that goes through a set; `steps` is a list, or a step of this kind."""
    inner = steps if steps.startswith("[") else "[" + steps.strip().removeprefix("- ") + "]"
    return f"  - {{for each: {name} in {over}, do: {inner}}}\n"


# name → (content, a code that must be reported; none where the file is good, but large)
SLOW_VIEW = """view:
  layout:
    b: {under: "sum(sum((x + y + count(heap)) mod 7 for x in 1..2000) mod 7 for y in 1..2000) mod 2"}
"""
FILES: dict[str, tuple[Callable[[], str], str | None]] = {
    # the text
    "alias bomb": (aliases, "yaml-anchor"),
    "nested lists": (lambda: "rulespec: " + "[" * LIST + "]" * LIST, "yaml-too-deep"),
    "nested lists without end": (lambda: "rulespec: " + "[" * LIST, "yaml-too-deep"),
    "nested maps": (lambda: "rulespec: " + "{a: " * LIST, "yaml-too-deep"),
    "nested blocks": (lambda: "\n".join(" " * i + "a:" for i in range(1300)), "yaml-too-deep"),
    "nested dashes": (lambda: "- " * LIST, "yaml-too-deep"),
    "50 MB": (lambda: "# " + "x" * 50_000_000, "yaml-too-large"),
    "many keys": (lambda: many("k{i}: 1\n", 150_000), "yaml-too-large"),
    "the same key": (lambda: "a: 1\n" * 150_000, "yaml-duplicate-key"),
    "a long list": (lambda: "play: [" + "x," * 900_000 + "x]", "yaml-too-large"),
    "a long text": (lambda: "rulespec: 1\ngame: " + "x" * 900_000, "shape-missing-key"),
    "a long folded text": (lambda: "rulespec: 1\ntext: >\n" + "  x\n" * 200_000, "shape-missing-key"),
    "many escapes": (lambda: 'rulespec: 1\ngame: "' + "\\u0041" * 150_000 + '"\n', "shape-missing-key"),
    "a long key": (lambda: "x" * 2000 + ": 1\n", "yaml-syntax"),
    "NUL": (lambda: "rulespec: 1\ngame: a\0b\n", "file-not-text"),
    "an escaped surrogate": (lambda: 'rulespec: 1\ngame: "\\ud800"\n', "yaml-syntax"),
    # numbers and sizes
    "a huge set": (lambda: sticks(sets="{size: 1..1000000000}"), "too-large"),
    "a large set": (lambda: sticks(sets="{size: 1..99998}"), "too-large"),
    "many large sets": (lambda: sticks(sets="{" + many("s{i}: 1..5000", 60, ", ") + "}"), "too-large"),
    "pairs of pairs": (lambda: sticks(sets="{a: 1..70, b: a * a, c: b * b}"), "too-large"),
    "a set past the limit": (lambda: sticks(sets="{size: [1, 2, " + "9" * 5000 + "]}"), "number-too-large"),
    "a wide variable": (lambda: sticks(variables="  v: -1000000000..1000000000"), None),
    "a huge variable": (lambda: sticks(variables="  v: 0..10000000000"), "number-too-large"),
    "a huge choice": (lambda: sticks(choose="n: 1..1000000000"), "too-much-work"),
    "squares of squares": (lambda: sticks(that=f"n < ({squares('n + 99', 30)})"), "number-range"),
    "squares of squares before the game": (lambda: sticks(tables=f'"{squares("99999", 30)}"'), "number-range"),
    "squares of squares by definitions": (
        lambda: sticks(
            define=many("  s{i}(number x): s{next}(x * x)\n", 28) + "  s28(number x): x", that="n < s0(n + 9)"
        ),
        "number-range",
    ),
    "a number of 3000 digits": (lambda: sticks(that="n < " + "9" * 3000), "number-too-large"),
    "a huge board": (lambda: sticks(sets="{r: 1..1000, c: 1..1000}", places='  "b[r, c]": {cell: stick}'), "too-large"),
    "a board of many indexes": (lambda: sticks(places='  "b[9..99, 9..99, 9..99, 9..99]": {cell: stick}'), "too-large"),
    "an index without end": (lambda: sticks(places='  "b[0..99998]": {cell: stick}'), "too-large"),
    "many boards": (
        lambda: sticks(sets="{r: 1..100, c: 1..200}", places=many('  "b{i}[r, c]": {cell: stick}\n', 30)),
        "too-large",
    ),
    "high stacks": (lambda: sticks(sets="{r: 1..100}", places='  "b[r]": {stack: stick, room: 99998}'), "too-large"),
    "ways without number": (
        lambda: sticks(
            sets="{r: 1..100, c: 1..200, way: [e]}",
            places='  "b[r, c]":\n    cell: stick\n    ways:\n      e: [' + many("{c: c + 1}", 200, ", ") + "]",
        ),
        "too-large",
    ),
    "all pieces everywhere": (
        lambda: sticks(
            sets="{k: 1..2000, r: 1..100, c: 1..50}",
            places='  "b[r, c]": {pile: k}',
            pieces="stick: 10 in heap, k: 1 in b",
        ),
        "too-large",
    ),
    "players": (lambda: sticks(players="1000000000"), "players-shape"),
    "20 players": (lambda: sticks(players="1..20"), None),
    # work
    "a long sum before the game": (lambda: sticks(tables='"sum(1 for x in 1..99998, y in 1..99998)"'), "too-much-work"),
    "a long sum in play": (lambda: sticks(that="n < count(true for x in 1..9999, y in 1..9999)"), "too-much-work"),
    "a long sum in a view": (
        lambda: sticks(places="  b: {cell: stick}") + SLOW_VIEW,
        "too-much-work",
    ),
    "functions that double": (
        lambda: sticks(define="  d0: count(heap)\n" + many("  d{next}: min(9, d{i} + d{i})\n", 28), that="n < d28"),
        "too-much-work",
    ),
    "pieces chosen together": (
        lambda: sticks(
            sets="{k: [" + many("k{i}", 18, ", ") + "]}",
            pieces="stick: 10 in heap, k: 4 in bag",
            places="  bag: {pile: k}",
            choose="n: 1..3, p: up to 10 from bag",
        ),
        "too-much-work",
    ),
    "pieces chosen together twice": (
        lambda: sticks(
            sets="{k: [a, b, c, d, e, f]}",
            pieces="stick: 10 in heap, k: 6 in bag",
            places="  bag: {pile: k}",
            choose="n: 1..3, p: up to 6 from bag, q: up to 6 from bag",
        ),
        "too-much-work",
    ),
    "a piece of many kinds": (
        lambda: sticks(
            sets=f"{{k: 1..{size(250, 700)}}}",
            pieces="stick: 10 in heap, k: 1 in bag",
            places="  bag: {pile: k}",
            choose="n: 1..3, p: up to 1 from bag",
        ),
        None,
    ),
    "a table of millions": (
        lambda: sticks(sets="{a: 1..2000, b: 1..2000}").replace("{most: 3}", "\n  most: 3\n  big[a, b]: a + b"),
        "too-large",
    ),
    "functions of numbers that double": (
        lambda: sticks(
            define="  d0(number x): x\n" + many("  d{next}(number x): d{i}(x) - d{i}(x - 1) + d{i}(x)\n", 20),
            that="n < d20(n)",
        ),
        "number-range",
    ),
    "ifs in ifs": (lambda: sticks(that="(if n > 1 then " * 35 + "true" + " else false)" * 35), None),
    "a version of 4000 digits": (lambda: "rulespec: " + "9" * 4000 + "\ngame: x\n", "shape-missing-key"),
    "a name that runs": (lambda: "!!python/object/apply:os.system [ls]\n", "yaml-tag"),
    "extends a long name": (lambda: "rulespec: 1\ngame: x\nextends: " + "a" * 5000 + "\n", "extends-missing"),
    "extends a device by its path": (
        lambda: "rulespec: 1\ngame: x\nextends: ../../../../../dev/zero\n",
        "extends-missing",
    ),
    "values used twice": (
        lambda: sticks(that="let a0 be n + left in " + many("let a{next} be a{i} - a{i} + 1 in ", 24) + "a24 < 9"),
        None,
    ),
    "values used twice or not": (
        lambda: sticks(
            that="let a0 be n + left in "
            + many("let a{next} be (if a{i} > 2 then a{i} - 1 else a{i}) in ", 18)
            + "n = 1 or a18 < 9"
        ),
        None,
    ),
    "lists used twice": (
        lambda: sticks(
            that="let a0 be [1, 2, n] in "
            + many("let a{next} be list(x for x in a{i} where x in a{i}) in ", 8)
            + "n in a8"
        ),
        None,
    ),
    "values used twice by functions": (
        lambda: sticks(define="  d0: left\n" + many("  d{next}: let x be d{i} in min(x, x)\n", 28), that="n <= d28"),
        None,
    ),
    "functions that double a little": (
        lambda: sticks(
            define="  d0: left\n" + many("  d{next}: d{i} + d{i} - d{i}\n", size(8, 10)), that=f"n <= d{size(8, 10)}"
        ),
        None,
    ),
    "functions that choose twice": (
        lambda: sticks(
            define="  d0: left\n" + many("  d{next}: if d{i} > 3 then d{i} - 1 else 3\n", 14), that="n <= d14"
        ),
        None,
    ),
    "known functions that double": (
        lambda: sticks(define="  d0: 3\n" + many("  d{next}: d{i} + d{i} - d{i}\n", 28), that="n <= d28"),
        "too-much-work",
    ),
    "known functions that double a little": (
        lambda: sticks(define="  d0: 3\n" + many("  d{next}: d{i} + d{i} - d{i}\n", 9), that="n <= d9"),
        None,
    ),
    "short loops in short loops": (
        lambda: sticks(that="n < " + "count(" * 5 + "n < 4" + many(" for x{i} in 1..12) > 0", 4) + " for x4 in 1..12)"),
        None,
    ),
    "long loops in a few choices": (
        lambda: sticks(choose="n: 1..3, m: 1..9", that="n < m + count(x < y + n + m for x in 1..400, y in 1..400)"),
        None,
    ),
    "functions with short loops": (
        lambda: sticks(define="  d0: left\n" + many("  d{next}: count(d{i} >= x for x in 1..5)\n", 5), that="n <= d5"),
        None,
    ),
    "all kinds of a large place": (
        lambda: sticks(
            sets="{k: 1..1500}",
            pieces="stick: 10 in heap, k: 1 in bag",
            places="  bag: {pile: k}",
            that="n < count(x < y for x in bag, y in bag)",
        ),
        "too-much-work",
    ),
    "steps that double": (
        lambda: sticks(
            steps=many("  p{i}: [do p{next}, do p{next}]\n", 26) + "  p26: [set turn to turn]\n", play="  - do p0\n"
        ),
        "too-much-work",
    ),
    "steps that double and ask": (
        lambda: sticks(
            steps=many("  p{i}: [do p{next}, do p{next}]\n", 26) + "  p26:" + ASK_NEVER, moves=NEVER, play="  - do p0\n"
        ),
        "too-much-work",
    ),
    "loops of steps in loops": (
        lambda: sticks(sets="{r: 1..4000}", play=loops("x", "r", loops("y", "r", "[set turn to turn]"))),
        "too-much-work",
    ),
    "loops of asks in loops": (
        lambda: sticks(
            sets="{r: 1..4000}", steps="  p:" + ASK_NEVER, moves=NEVER, play=loops("x", "r", loops("y", "r", "[do p]"))
        ),
        None,
    ),
    "a loop of asks that list much": (
        lambda: sticks(
            sets="{r: 1..700}",
            steps="  p:" + ASK_NEVER,
            play="  - {while: left = 0, do: [do p]}\n",
            moves=NEVER.replace("text: never", "text: never {a} {b}\n    choose: {a: r, b: r}").replace(
                "left > 99", "a + b > 1999"
            ),
        ),
        None,
    ),
    "more moves than can be listed": (
        lambda: sticks(
            sets="{r: 1..400}", moves="  some:\n    text: some {a} {b}\n    choose: {a: r, b: r}\n    does: []\n"
        ).replace("to: take", "to: take or some"),
        None,
    ),
    "a loop over all numbers": (
        lambda: sticks(steps="  p:" + ASK_NEVER, moves=NEVER, play=loops("x", "1..900000000", "[do p]")),
        "too-much-work",
    ),
    "a list that is kept": (
        lambda: sticks(steps="  p:" + ASK_NEVER, moves=NEVER, play=loops("x", "1..left * 9000", "[do p]")),
        "too-large",
    ),
    "pieces without number chosen together": (
        lambda: sticks(pieces="stick: 900000000 in heap", choose="n: 1..3, p: up to 900000000 from heap"),
        "too-much-work",
    ),
    "many choices of a few": (lambda: sticks(choose="n: 1..3, " + many("p{i}: 1..3", 11, ", ")), None),
    "many ranges": (lambda: sticks(that="n in [" + many("{i}0..{next}0", 150, ", ") + "]"), None),
    "tables of long sums": (
        lambda: sticks().replace("{most: 3}", "\n  most: 3\n" + many("  t{i}: sum(x for x in 1..4000)\n", 300)),
        "too-much-work",
    ),
    "many examples": (
        lambda: sticks() + "examples:\n" + many("  e{i}: {play: [take 1, take 2], expect: {to move: 1}}\n", 1500),
        None,
    ),
    "a long example": (
        lambda: sticks(pieces="stick: 20000 in heap") + "examples:\n  e:\n    play:\n" + "      - take 1\n" * 10_000,
        None,
    ),
    "a text of many holes": (lambda: sticks().replace("text: take {n}", "text: take " + "{n} " * 400), None),
    "a move of many choices": (lambda: sticks(choose=many("n{i}: 1..9", 30, ", ") + ", n: 1..3"), "too-much-work"),
    "30 options": (lambda: sticks() + options(30), "option-many"),
    "8 options about one thing": (lambda: sticks() + options(8), None),
    "long expressions, options and players": (
        lambda: (
            sticks(
                players="1..20",
                define=many("  d{i}(size a): a in [" + "1," * 1900 + "1]\n", 20),
                that=many("d{i}(n)", 20, " and "),
            )
            + options(6)
        ),
        None,
    ),
    # depth
    "10,000 brackets": (lambda: sticks(that="(" * DEEP + "n" + ")" * DEEP), "expr-too-long"),
    "90 brackets": (lambda: sticks(that="(" * 90 + "n" + ")" * 90), "expr-too-long"),
    "5,000 nots": (lambda: sticks(that="not " * 5000 + "true"), "expr-too-long"),
    "900 nots": (lambda: sticks(that="not " * 900 + "true"), "expr-too-long"),
    "many minuses": (lambda: sticks(that="-" * 3900 + "1 > n"), "expr-too-long"),
    "a long chain of and": (lambda: sticks(that="n = 1" + " and n = 1" * 390), "expr-too-long"),
    "a long chain of or": (lambda: sticks(that="n = 1" + " or n = 1" * 390), "expr-too-long"),
    "a long chain of plus": (lambda: sticks(that="1" + "+1" * 1900 + " > n"), "expr-too-long"),
    "a long chain of indexes": (lambda: sticks(that="a" + "[1]" * 1000 + " = n"), "expr-too-long"),
    "a long chain of parts": (lambda: sticks(that="a" + ".b" * 1500 + " = n"), "expr-too-long"),
    "a long list of numbers": (lambda: sticks(that="n in [" + "1," * 1900 + "1]"), None),
    "definitions of definitions": (lambda: sticks(define=many("  d{i}: d{next}\n", 3000) + "  d3000: 1"), "too-deep"),
    "definitions the other way": (
        lambda: sticks(define="  d0: 1\n" + many("  d{next}: d{i}\n", 3000)),
        "too-deep",
    ),
    "sets in sets": (lambda: sticks(sets="\n" + many("  s{i}: [s{next}]\n", 3000) + "  s3000: [a]"), "too-deep"),
    "steps of steps": (lambda: sticks(steps=many("  p{i}: [do p{next}]\n", 3000) + "  p3000: []"), "too-deep"),
    "deep definitions in deep definitions": (
        lambda: sticks(
            define="  d0(number x): x\n" + many("  d{next}(number x): " + "-(" * 30 + "d{i}(x)" + ")" * 30 + "\n", 20),
            that="n <= left + d20(n) * 0",
        ),
        "too-deep",
    ),
    "deep definitions almost too deep": (
        lambda: sticks(
            define="  d0(number x): x\n" + many("  d{next}(number x): " + "-(" * 8 + "d{i}(x)" + ")" * 8 + "\n", 20),
            that="n <= left + d20(n) * 0",
        ),
        None,
    ),
    "many names to go through": (
        lambda: sticks(that="n <= left and any(left > 0 for " + many("x{i} in 1..1", 200, ", ") + ")"),
        "too-deep",
    ),
    "many names to go through, almost too many": (
        lambda: sticks(that="n <= left and any(left > 0 for " + many("x{i} in 1..1", 95, ", ") + ")"),
        None,
    ),
    "deep steps in deep steps": (
        lambda: sticks(
            steps=many("  p{i}:\n    - " + "{if: left > 0, then: [" * 20 + "do p{next}" + "]}" * 20 + "\n", 20)
            + "  p20: [set turn to turn]\n",
            play="  - do p0\n",
        ),
        "too-deep",
    ),
    "many places for what does not fit": (
        lambda: sticks(
            places=many("  p{i}: {pile: stick, room: 1}\n", 100),
            play="  - move all from heap to " + many("p{i}", 100, ", then ") + "\n",
        ),
        "too-deep",
    ),
    "choices without number": (lambda: sticks(choose="n: 1..3, " + many("c{i}: 1..1", 300, ", ")), "too-deep"),
    "conditions without number": (
        lambda: sticks().replace(
            "    needs:\n", "    needs:\n" + many("      c{i}: {that: n < {i} + 9 + left, else: no}\n", 1500)
        ),
        "too-deep",
    ),
    "choices and conditions, almost too many": (
        lambda: sticks(choose="n: 1..3, " + many("c{i}: 1..1", 49, ", ")).replace(
            "    needs:\n", "    needs:\n" + many("      c{i}_: {that: n < {i} + 9 + left, else: no}\n", 199)
        ),
        None,
    ),
    "many local names": (
        lambda: sticks(play="  - let x0 be left\n" + many("  - let x{next} be x{i}\n", 4000)),
        None,
    ),
    "marks on pieces without number": (lambda: faces(900, "list(x + k for x in 1..500)"), "too-large"),
    "marks on pieces, almost too many": (lambda: faces(9, "list(x mod 9 + 1 for x in 1..500)"), None),
    "places without number": (
        lambda: sticks(sets="{a: 1..140}", places=many('  "q{i}[a, a]": {cell: stick}\n', 10)),
        "too-large",
    ),
    "places and room without number": (
        lambda: sticks(sets="{a: 1..140}", places='  "q[a, a]": {pile: stick, room: 24}\n'),
        "too-large",
    ),
    "places, almost too many": (lambda: sticks(sets="{a: 1..140}", places='  "q[a, a]": {cell: stick}\n'), None),
    "rings in rings in rings": (
        lambda: (
            sticks(sets="{a: 1..12, b: 1..12, c: 1..12}", places='  "q[a, b, c]": {cell: stick}\n')
            + "view: {layout: {q: {ring: {a: 0, b: 10, c: 20}, shape: circle}}}\n"
        ),
        None,
    ),
    "rings of places of many sizes": (
        lambda: (
            sticks(sets="{a: 1..12, b: 1..12, c: 1..12}", places='  "q[a, b, c]": {cell: stick}\n')
            + 'view: {layout: {q: {ring: {a: 0, b: 10, c: 20}, size: [20 + 9 * a + b, "130 - 2 * b + c"]}}}\n'
        ),
        None,
    ),
    "places behind places": (
        lambda: (
            sticks(sets="{a: 1..70, b: 1..70}", places=many('  "q{i}[a, b]": {cell: stick}\n', 2))
            + "view: {layout: {q1: {behind: q0}}}\n"
        ),
        None,
    ),
    "a grid behind a grid": (
        lambda: (
            sticks(
                sets="{a: 1..90, b: 1..90, c: 1..89, d: 1..91}",
                places='  "q[a, b]": {cell: stick}\n  "r[c, d]": {cell: stick}\n',
            )
            + "view: {layout: {r: {behind: q, grid: [c, d]}}}\n"
        ),
        None,
    ),
    "marks between places": (
        lambda: (
            sticks(sets="{a: 1..70, b: 1..70, m: 1..2000}", places='  "q[a, b]": {cell: stick}\n')
            + 'view: {marks: {m: {on: q, between: "[1, 2]"}}}\n'
        ),
        None,
    ),
    "markers beside places": (
        lambda: (
            sticks(
                sets="{a: 1..70, b: 1..70, m: 1..2000}", places='  "q[a, b]": {cell: stick}\n', variables='  "v[m]": a'
            )
            + "view: {layout: {v: {on: q}}}\n"
        ),
        None,
    ),
    "markers around places without number": (
        lambda: (
            sticks(
                sets="{a: 1..70, b: 1..70, m: 1..2000}",
                places='  "q[a, b]": {cell: stick}\n',
                variables='  "v[m]": 1..70',
            )
            + "view: {layout: {v: {on: q}}}\n"
        ),
        "too-large",
    ),
    "values in a text without number": (
        lambda: sticks().replace("text: take {n}", 'text: "' + "{n}" * 30_000 + '"'),
        "too-large",
    ),
    "values in texts, almost too many": (
        lambda: sticks().replace("text: take {n}", 'text: "' + "{n}" * 1_999 + '"'),
        None,
    ),
    "moves like moves": (lambda: sticks(moves=many("  t{i}: {like: t{next}}\n", 900) + "  t900: {like: take}"), None),
    "moves that take ever more from others": (
        lambda: sticks(
            moves="  b0: {like: take}\n"
            + many("  b{next}: {like: b{i}, does: {add: [" + many("set turn to turn", 20, ", ") + "]}}\n", 300)
        ),
        "too-large",
    ),
    "many mistakes": (lambda: sticks(define=many("  d{i}: foo{i}\n", 4000)), "name-unknown"),
    "many wrong steps": (lambda: sticks(play=many("  - {foo: 1}\n", 2000)), "step-shape"),
    "many mistakes in names that are all alike": (
        lambda: sticks(define="".join(f"  {a}: {b}\n" for a, b in zip(alike(2900), alike(2900, 1), strict=True))),
        "name-unknown",
    ),
    "sayings of names that are all alike": (
        lambda: (
            sticks(define="".join(f"  {name}: 1\n" for name in alike(1000)))
            + "view:\n  says:\n"
            + "".join(f"    {name}: a\n" for name in alike(6000, 1))
        ),
        None,
    ),
    "moves like moves that are all alike": (
        lambda: sticks(
            moves="".join(f"  {a}: {{like: {b}}}\n" for a, b in zip(alike(2900), alike(2900, 1), strict=True))
        ),
        "like-unknown",
    ),
    "a choice that adds names that are all alike": (
        lambda: (
            sticks(define="".join(f"  {name}: 1\n" for name in alike(400)))
            + "options:\n  o:\n    a: {text: a}\n    b:\n      text: b\n      change:\n        define:\n"
            + "".join(f"          {name}: 1\n" for name in alike(600, 1))
        ),
        None,
    ),
    # files
    "extends a file of the system": (lambda: "rulespec: 1\nextends: /etc/passwd\ngame: x\n", "extends-absolute"),
    "extends it from here": (lambda: "rulespec: 1\nextends: ../../../../../etc/passwd\ngame: x\n", "extends-missing"),
    "extends a folder": (lambda: "rulespec: 1\nextends: folder.yaml\ngame: x\n", "extends-unreadable"),
    "extends a pipe": (lambda: "rulespec: 1\nextends: pipe.yaml\ngame: x\n", "extends-unreadable"),
    "extends a device": (lambda: "rulespec: 1\nextends: device.yaml\ngame: x\n", "extends-link"),
    "extends a loop of links": (lambda: "rulespec: 1\nextends: loop.yaml\ngame: x\n", "extends-unreadable"),
    "extends itself": (lambda: "rulespec: 1\nextends: extends_itself.yaml\ngame: x\n", "extends-cycle"),
    "extends in a circle": (lambda: "rulespec: 1\nextends: extends_in_a_circle_too.yaml\ngame: x\n", "extends-cycle"),
    "extends in a circle too": (lambda: "rulespec: 1\nextends: extends_in_a_circle.yaml\ngame: x\n", "extends-cycle"),
    "extends too many": (lambda: "rulespec: 1\nextends: [" + "base, " * 1000 + "base]\ngame: x\n", "extends-too-deep"),
    "choices of options that are not there": (
        lambda: "rulespec: 1\nextends: base\ngame: x\nwith: {" + many("o{i}: a", 5000, ", ") + "}\n",
        "option-unknown",
    ),
    "a deep change": (
        lambda: "rulespec: 1\nextends: base\ngame: x\nchange: " + "{a: " * 55 + "1" + "}" * 55,
        "shape-unknown-key",
    ),
    "a long change": (
        lambda: "rulespec: 1\nextends: base\ngame: x\nchange:\n  define:\n" + many("    d{i}: 1\n", 60_000),
        "yaml-too-large",
    ),
}
BYTES: dict[str, tuple[bytes, str | None]] = {
    "utf-16": (sticks().encode("utf-16"), "file-not-text"),
    "utf-16 without mark": (sticks().encode("utf-16-be"), "file-not-text"),
    "latin": (sticks().replace("Sticks", "Stöcke").encode("latin-1"), "file-not-text"),
    "a mark before it": (sticks().encode("utf-8-sig"), None),
    "a lone surrogate": (b"rulespec: 1\ngame: \xed\xa0\x80\n", "file-not-text"),
    "no text at all": (bytes(range(256)) * 400, "file-not-text"),
}

READER = """
import json, random, sys, time
from interpreter.game import Game
from interpreter.fault import Fault
from rulespec.diagnostics.diagnostic import RuleFileError, has_errors, render
from rulespec.rules import GameNotFound, open_rules

def play(rules):
    game, rng = Game(rules, rules.check()[0]), random.Random(0)
    try:
        state = game.start(seed=0)
        for _ in range(10):
            if state.to_move is not None:
                state = game.apply(state, rng.choice(game.legal_moves(state)))
    except Fault as fault:
        return fault.message
    return ""

for file in sys.argv[1:]:
    before = time.process_time()
    fault = ""
    try:
        rules = open_rules(file)
        found = list(rules.check_all())
        if not has_errors(found):
            fault = play(rules)
    except RuleFileError as error:
        found = error.diagnostics
    except GameNotFound as error:
        found = []
    shown = sum(len(render(d)) for d in found)
    print(json.dumps({
        "file": file, "codes": sorted({d.code for d in found if d.level == "error"}), "number": len(found), "shown": shown, "fault": fault,
        "seconds": time.process_time() - before,
        "megabytes": int(open("/proc/self/status").read().split("VmHWM:")[1].split()[0]) / 1024,  # getrusage's is the parent's too
    }), flush=True)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    where = tmp_path_factory.mktemp("hostile")
    for name, (text, _) in FILES.items():
        (where / file_of(name)).write_text(text(), encoding="utf-8")
    for name, (data, _) in BYTES.items():
        (where / file_of(name)).write_bytes(data)
    (where / "folder.yaml").mkdir()
    os.mkfifo(where / "pipe.yaml")
    (where / "device.yaml").symlink_to("/dev/zero")
    (where / "loop.yaml").symlink_to("loop_too.yaml")
    (where / "loop_too.yaml").symlink_to("loop.yaml")
    yield where
    (where / file_of("50 MB")).unlink()


def file_of(name: str) -> str:
    return name.replace(" ", "_") + ".yaml"


def limited() -> None:
    """Run in the new process: neither memory nor time without end."""
    resource.setrlimit(resource.RLIMIT_AS, (1200 * 2**20, 1200 * 2**20))  # addresses, of which a part is used
    resource.setrlimit(resource.RLIMIT_CPU, (120, 120))


def checked(folder: Path, files: list[str]) -> list[dict[str, Any]]:
    run = subprocess.run(
        [sys.executable, "-c", READER, *files],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        preexec_fn=limited,
        check=False,
    )
    reports = [json.loads(line) for line in run.stdout.splitlines()]
    assert run.returncode == 0, f"{files[len(reports)]}: {run.stderr[-2000:]}"
    return reports


LONG = frozenset(  # each takes long to refuse or to play, and has a shorter one of its kind beside it: for the soak run
    [
        "a long folded text",
        "definitions the other way",
        "functions that choose twice",
        "long expressions, options and players",
        "many mistakes in names that are all alike",
        "many wrong steps",
        "moves like moves that are all alike",
        "moves like moves",
        "sayings of names that are all alike",
        "short loops in short loops",
        "steps of steps",
    ]
)
assert FILES.keys() >= LONG
TRIED = [name for name in FILES if SOAK or name not in LONG][:: size(3, 1)]
MANY = size(2, 8)  # groups: each is tried in a process of its own, and two workers share them
GROUPS = [TRIED[i::MANY] for i in range(MANY)] + [[*BYTES]]


@pytest.mark.sized
@pytest.mark.parametrize("names", GROUPS, ids=lambda names: names[0])
def test_hostile__files_are_clear_errors_in_time(folder: Path, names: list[str]) -> None:
    wanted = {file_of(name): code for name, (_, code) in (FILES | BYTES).items()}
    wrong = []
    for report in checked(folder, [file_of(name) for name in names]):
        code = wanted[str(report["file"])]
        codes = report["codes"]
        good = (
            (code in codes if code else not codes) and report["seconds"] < SECONDS and report["megabytes"] < MEGABYTES
        )
        if not good or report["number"] > 1100 or report["shown"] > 1_000_000:
            wrong.append((code, report))
    assert not wrong


FAULTS = {  # what validates, but is too much in play
    "long loops in a few choices": "finding the legal choices of `take` takes more than 5,000,000 steps",
    "loops of asks in loops": "this loop never reaches a decision",
    "more moves than can be listed": "there are more than 20,000 legal moves here",
    "many choices of a few": "there are more than 20,000 legal moves here",
}


def test_hostile__too_much_in_play_is_a_fault(folder: Path) -> None:
    reports = checked(folder, [file_of(name) for name in FAULTS])
    assert [report["fault"] for report in reports] == [*FAULTS.values()]


DRAWN = (
    "marks on pieces, almost too many",
    "places, almost too many",
    "rings in rings in rings",
    "rings of places of many sizes",
    "places behind places",
    "a grid behind a grid",
    "marks between places",
    "markers beside places",
)


@pytest.mark.parametrize("name", DRAWN)
def test_hostile__what_validates_is_drawn_in_time(folder: Path, name: str) -> None:
    rules = open_rules(folder / file_of(name))
    game, before = Game(rules, rules.check()[0]), time.process_time()
    assert draw(scene(game, game.start(seed=0), None)).startswith("<svg")
    assert time.process_time() - before < SECONDS / 2


def definitions(name: str, more: str = "") -> str:
    """Return a game with many definitions that are called so."""
    return sticks(define=many(f"  {name}{{i}}: left * 100 + {{i}}{more}\n", 1500))


def used_definitions(name: str) -> str:
    """Return a game with many definitions that are called so, each used in one long list."""
    defined = many(f"  {name}{{i}}: left * 100 + {{i}}\n", 800)
    return sticks(define=defined, play=many(f"  - let x{{i}} be {name}{{i}}\n", 800))


def lets(name: str) -> str:
    return sticks(play=many(f"  - let {name}{{i}} be left + {{i}}\n", 1500))


def steps_alike(others: str) -> str:
    """Return a game with many lists of steps, of which every second one is this."""
    steps = ", ".join(["set turn to turn", others] * 100)
    return sticks(steps=many(f"  s{{i}}: [{steps}]\n", 60))


DIFFERENT: dict[str, tuple[str, str, int]] = {  # two files, and how many renames are found
    "renamed": (definitions("a"), definitions("b"), 1500),
    "renamed and changed": (definitions("a"), definitions("b", " + 1"), 0),
    "renamed and used in one list": (used_definitions("a"), used_definitions("b"), 1),
    "other names of `let`": (lets("a"), lets("b"), 0),
    "lists of steps that are alike": (steps_alike("set turn to turn"), steps_alike("set turn to next(turn)"), 0),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_hostile__differences_are_found_in_time(name: str) -> None:
    one, two, renames = DIFFERENT[name]
    old, new = open_rules("a.yaml", text=one), open_rules("b.yaml", text=two)
    before = time.process_time()
    found = compare_rules(old, new).changes
    assert time.process_time() - before < SECONDS / 2
    assert sum(change.how == ChangeKind.RENAMED for change in found) == renames
    assert len(found) >= 1000


def test_hostile__a_book_of_many_choices_describes_the_first(tmp_path: Path) -> None:
    choices = "    usual: {text: usual}\n" + many("    c{i}: {text: other, change: {tables: {most: {next}}}}\n", 1000)
    (tmp_path / "many.yaml").write_text(sticks() + "options:\n  o:\n" + choices, encoding="utf-8")
    before = time.process_time()
    (options,) = (s for s in make_book(tmp_path / "many.yaml").sections if s.title == OPTIONS)
    assert time.process_time() - before < SECONDS / 2
    (option,) = options.sections
    described = [item.lead for item in option.items if NOT_DESCRIBED not in item.text]
    assert len(option.items) == 1001
    assert described[:3] == ["usual", "c0", "c1"] and described == [
        item.lead for item in option.items[: len(described)]
    ]
    assert len(described) < 200


def test_hostile__bots_play_fewer_games_where_positions_are_large(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = open_rules(folder / file_of("places, almost too many"))
    game, ends = Game(rules, rules.check()[0]), list[int]()

    def counted(*given: Any) -> Any:
        found = rollouts(*given)
        ends.append(len(found))
        return found

    rollouts = game.rollouts
    monkeypatch.setattr(game, "rollouts", counted)
    play_quick(game, game.start(seed=0), random.Random(0))
    assert 0 < sum(ends) <= MOST_NUMBERS


def test_hostile__no_pile_has_more_spaces_than_are_counted() -> None:
    assert SPACES <= MOST_ROOM


def test_hostile__what_is_no_file_is_not_read(folder: Path) -> None:
    files = ["folder.yaml", "pipe.yaml", "device.yaml", "/dev/zero", "/dev/stdin", "."]
    assert [report["codes"] for report in checked(folder, files)] == [["file-unreadable"]] * len(files)


def test_hostile__a_command_shows_little_of_a_large_file(folder: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "rulespec", "validate", file_of("50 MB")],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        preexec_fn=limited,
        check=False,
    )
    assert run.returncode == 1
    assert "Traceback" not in run.stderr
    assert 0 < len(run.stdout + run.stderr) < 1000


def test_hostile__what_is_changed_is_looked_up_for_a_few_complaints(tmp_path: Path) -> None:
    (tmp_path / "much.yaml").write_text("rulespec: 1\nextends: base\ngame: x\nchange: {define: {much: 1}}\n")
    files = open_rules(tmp_path / "much.yaml").layers.files
    complaints = [Diagnostic(files[-1].tree.span, "unused", f"number {i}") for i in range(3 * MOST_PROBLEMS)]
    found = with_what_they_change(files, complaints)
    assert [d.message for d in found] == [d.message for d in complaints]
    assert [bool(d.also) for d in found] == [True] * MOST_PROBLEMS + [False] * 2 * MOST_PROBLEMS
