"""Which forms of an expression can be directly inside which others: worked out by asking the checker, not written down.

Every form has skeletons, texts with holes. First all holes are filled with something plain of every type: what the checker takes
tells which types a form takes and gives. Then, for two forms that have a type in common, one is put into the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from itertools import product
from typing import Any

from rulespec import syntax
from rulespec.diagnostics.diagnostic import Diagnostic, Span
from rulespec.expr.builtins import AGGREGATES, BUILTINS
from rulespec.expr.infer import Inference
from rulespec.expr.parse import SyntaxProblem, parse
from rulespec.model.builder import Builder
from rulespec.rules import open_rules
from rulespec.syntax import Expr, ListOf, PlaceOf, Several, Type, Values, YesNo, children
from rulespec.yaml.nodes import Scalar
from tests.generated.forms import EXPRESSIONS, OPERATORS, WHOLE, form

# Something plain of every type, of which nothing is known before play; what is known; and local names.
PLAIN = (
    "depth", "count_up", "heights[count_up]", "bloom", "lucky", "shade", "printed[1, count_up]", "level", "pick",
    "turn", "stock", "plank", "heading", "marked", "bag", "hand[turn]", "tower[turn]", "board[level, 2]", "hand", "tower",
    "board[level]", "crates", "kept", "likes[shade]", "(level..3)", "clockwise(turn)", "roads[level]",
)  # fmt: skip
KNOWN = ("2", "red", "none", "true", "flower", "row", "player", "way", "across", "upper")

# local names, and the steps that make them; `gift` is chosen, `me` decides
LOCALS = {
    "a_number": "let a_number be depth + count_up",
    "a_maybe": "let a_maybe be heights[count_up]",
    "a_flower": "let a_flower be (if marked then bloom else rose)",
    "a_lucky": "let a_lucky be (if marked then lucky else none)",
    "a_row": "let a_row be (if marked then level else 1)",
    "a_way": "let a_way be (if marked then heading else across)",
    "a_crate": "let a_crate be (if marked then stock else stock)",
    "a_test": "let a_test be (marked and depth > 0)",
    "a_pile": "let a_pile be hand[turn]",
    "a_stack": "let a_stack be tower[turn]",
    "a_cell": "let a_cell be board[level, 2]",
    "some_piles": "let some_piles be list(p for p in hand where marked)",
    "some_stacks": "let some_stacks be list(t for t in tower where marked)",
    "some_cells": "let some_cells be board[level]",
    "some_flowers": "let some_flowers be likes[shade]",
    "some_numbers": "let some_numbers be (depth..3)",
    "some_players": "let some_players be clockwise(turn)",
    "some_ways": "let some_ways be roads[level]",
}
GIVEN = ("gift", "me")
LEAVES = (*PLAIN, *KNOWN, *LOCALS, *GIVEN)


def skeletons() -> Iterator[str]:
    """Yield texts with at most two holes `{}`: at least one for every form that has something inside."""
    for builtin in (b for name, b in BUILTINS.items() if name not in WHOLE):
        for many in range(builtin.least, min(builtin.most, 2) + 1):
            yield f"{builtin.name}({', '.join(['{}'] * many)})"
    for ops in OPERATORS.values():
        yield from (f"({{}} {op} {{}})" for op in ops)
    for op in AGGREGATES:
        yield from (f"{op}({{}} for x in {{}})", f"{op}(depth for x in {{}} where {{}})")
        yield from (f"{op}(marked for x in {{}} where {{}})", f"{op}({{}} for x in flower while {{}})")
        yield from (f"{op}(x for x in {{}} where {{}})", f"{op}({{}} for x in row, y in {{}})")
    yield from ("(-{})", "(not {})", "({} in {})", "({} not in {})", "({} default {})", "({}..{})", "[{}]", "[{}, {}]")
    yield from ("(if {} then {} else depth)", "(if marked then {} else {})", "({}).shelf", "({}).side")
    yield from ("({}).row", "({}).column", "({})[{}]")
    yield from ("(let y be {} in {})", "(let y be {} in y)", "(let y be {} in (y = {}))")
    yield from ("group(x from {} along {} where not empty(x))", "group(x from board[level, 2] along {} where {})")
    tables = ("heights[{}]", "worth[{}]", "partner[{}]", "printed[{}, {}]", "likes[{}]", "planks[{}]", "leads[{}]")
    variables = ("best[{}]", "passed[{}]", "seen[{}, {}]", "grown[{}]", "roads[{}]", "boxes[{}]", "goal[{}]")
    places = (
        "hand[{}]",
        "tower[{}]",
        "crates[{}]",
        "crates[{}, {}]",
        "board[{}]",
        "board[{}, {}]",
        "beds[{}]",
        "pots[{}]",
    )
    defined = ("twice({})", "worth_of({}, {})", "height_of({})", "flower_of({})", "top_of({})", "is_high({}, {})")
    more = ("hand_of({})", "cell_of({}, {})", "crate_of({})", "beside({})", "way_of({})", "on_shelf({})")
    yield from (*tables, *variables, *places, *defined, *more)


@dataclass(frozen=True)
class Sample:
    """A text that the checker takes, and what it found."""

    text: str
    form: str
    type: str  # by its words
    skeleton: str = ""
    holes: tuple[str, ...] = ()  # what fills them
    types: tuple[str, ...] = ()  # of what fills them


@dataclass(frozen=True)
class Example:
    """A form directly inside another, in a text that the checker takes."""

    outer: str
    inner: str
    type: str
    text: str


def type_words(t: Type) -> str:
    """A type as far as it matters where something may stand: its set or family, and whether it may be none."""
    match t:
        case Values():
            what = "mixed" if t.lo is not None and t.members else t.home or ("number" if t.lo is not None else "value")
            return f"{what}?" if t.none else what
        case YesNo():
            return "condition"
        case PlaceOf():
            return f"place {t.family}"
        case ListOf():
            return f"list of {type_words(t.item)}"
        case Several():
            return "chosen"
    return "unknown"


class Judge:
    """The checker, for one expression after the other, in one rule file."""

    def __init__(self, base: dict[str, Any]) -> None:
        self._said: list[Diagnostic] = []
        tree = deepcopy(base)
        tree["moves"] = {
            "act": {"text": "act", "choose": {"gift": "up to 2 from hand[me]"}, "does": list(LOCALS.values())}
        }
        tree |= {"play": [{"ask": "turn", "to": "act"}], "winner": {"most": "score[me]"}}
        self.builder = Builder(open_rules(tree).default_tree, 2, self._said.append)
        model = self.builder.build({}, "pairs")
        assert model is not None
        self._said.clear()
        player = model.sets["player"].type
        self.env: dict[str, Type] = {"me": player, "gift": model.moves["act"].choices[0].type}
        for name, step in LOCALS.items():
            found = self.taken(step.partition(" be ")[2])
            assert found is not None, name
            self.env[name] = found.type

    def taken(self, text: str) -> Expr | None:
        """Return what the checker makes of a text; None if it refuses it."""
        self._said.clear()
        scalar = Scalar(Span("pairs", 1, 1, 1, len(text) + 1), text, text)
        try:
            e = Inference(self.builder.names, parse(scalar, "expr"), self.env, self._said.append).value()
        except SyntaxProblem:
            return None
        return None if self._said or isinstance(e.type, syntax.Unknown) else e


class Samples:
    """All that the checker takes of every skeleton with something plain in its holes."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.leaves: list[Sample] = []
        for text in LEAVES:
            e = judge.taken(text)
            assert e is not None, text
            self.leaves.append(Sample(text, form(e), type_words(e.type)))
        by_type = {leaf.type: leaf for leaf in reversed(self.leaves)}  # the first of each type
        plain = list(by_type.values())
        self.made: list[Sample] = []
        for skeleton in skeletons():
            for some in product(plain, repeat=skeleton.count("{}")):
                text = skeleton.format(*(leaf.text for leaf in some))
                if (e := judge.taken(text)) is not None:
                    holes, types = tuple(leaf.text for leaf in some), tuple(leaf.type for leaf in some)
                    self.made.append(Sample(text, form(e), type_words(e.type), skeleton, holes, types))

    def examples(self, tries: int = 40) -> dict[tuple[str, str], Example]:
        """Return a text for every two forms of which one can be directly inside the other."""
        found: dict[tuple[str, str], Example] = {}
        inner: dict[str, list[Sample]] = {}
        for s in (*self.leaves, *self.made):
            same = inner.setdefault(s.type, [])
            if sum(x.form == s.form for x in same) < 3:
                same.append(s)
        tried: dict[tuple[str, str], int] = {}
        for s in self.made:
            for hole, t in enumerate(s.types):
                for one in inner.get(t, ()):
                    key = (s.form, one.form)
                    if key in found or tried.get(key, 0) >= tries:
                        continue
                    tried[key] = tried.get(key, 0) + 1
                    for pair, example in self._pairs(s, hole, one.text):
                        if set(pair) <= EXPRESSIONS:
                            found.setdefault(pair, example)
        return dict(sorted(found.items()))

    def _pairs(self, s: Sample, hole: int, words: str) -> Iterator[tuple[tuple[str, str], Example]]:
        """The pairs in a sample with something else in a hole, if the checker takes that."""
        inside = _renamed(words)
        text = s.skeleton.format(*(inside if i == hole else h for i, h in enumerate(s.holes)))
        e = self.judge.taken(text)
        waiting = [] if e is None else [e]
        while waiting:
            outer = waiting.pop()
            for child in children(outer):
                yield (form(outer), form(child)), Example(form(outer), form(child), type_words(e.type), text)  # type: ignore[union-attr]
                waiting.append(child)


def _renamed(text: str) -> str:
    """Return a text whose loops have names of their own."""
    return re.sub(r"\b([xy])\b", r"\1\1", text)
