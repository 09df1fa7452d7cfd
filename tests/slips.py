"""One slip of the pen in a shipped file: a name misspelt, a part left out, a value of another kind. Each must be found.

Nothing here knows a game. Where names and numbers stand is read from the checker's own trees; a slip is known by its number.

    python -m tests.slips 0 500        # prints how many were found, and all that were not
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from rulespec.diagnostics.diagnostic import Diagnostic, RuleFileError
from rulespec.expr.builtins import AGGREGATES, BUILTINS
from rulespec.expr.parse import KEYWORDS
from rulespec.files.sources import find_game, shipped_games
from rulespec.rules import open_rules
from rulespec.yaml.nodes import Mapping, Node, Scalar, Sequence
from tests.mutants import misspelt

FREE_KEYS = frozenset(
    ("needs", "winner", "options", "examples", "labels", "symbols", "colours", "game", "text", "see", "view")
)
WORDS = frozenset(
    re.findall(r"\w+", "move draw roll set add let score do from to all of up top then under weighted by")
)  # of steps
REQUIRED = frozenset(
    ("rulespec", "game", "players", "play", "winner", "that", "else", "points", "do", "to", "then", "text")
)
LANGUAGE = KEYWORDS | WORDS | BUILTINS.keys() | AGGREGATES.keys() | {"me", "players", "number", "yes_no", "player"}


@dataclass(frozen=True, slots=True)
class Spot:
    """A stretch of one line of a file."""

    line: int  # from 0
    start: int
    end: int
    word: str


@dataclass(frozen=True, slots=True)
class Slip:
    game: str
    what: str
    edit: str
    text: str
    lines: frozenset[int]  # where it may be reported, from 1


@dataclass(frozen=True, slots=True)
class File:
    """A shipped file and where in it names, numbers and needed keys stand."""

    game: str
    lines: tuple[str, ...]
    names: tuple[Spot, ...]
    numbers: tuple[Spot, ...]
    blocks: tuple[tuple[Spot, int, int, int], ...]  # a needed key, its last line, first and last line of what needs it
    piles: tuple[str, ...]  # places that stand for themselves: no index
    members: tuple[str, ...]


@cache
def read(game: str) -> File:
    path = find_game(game)
    assert path is not None
    rules = open_rules(path)
    models = [
        rules.check(players, choices)[0]
        for choices in rules.combinations()[:9]
        for players in rules.players_for(choices)
    ]
    tree = rules.layers.files[-1].tree
    lines = tuple(path.read_text(encoding="utf-8").splitlines())
    known = {w for m in models for w in (*m.sets, *m.member_names.values(), *m.tables, *m.places, *m.variables,
                                         *m.functions, *m.procedures, *m.moves, *m.rules)}  # fmt: skip
    read_as_code = frozenset(text for text, _ in rules._known.parses.trees())
    spots = list(_code(tree, False, read_as_code))
    count = Counter(s.word for s in spots)
    names = tuple(s for s in spots if not s.word[0].isdigit() and s.word not in LANGUAGE
                  and count[s.word] > 1 and s.word in known and len(s.word) > 2 and _stands(lines, s))  # fmt: skip
    numbers = tuple(s for s in spots if s.word.isdigit() and _stands(lines, s))
    places = models[0].places.values()
    return File(game, lines, names, numbers, tuple(_blocks(tree, lines)), tuple(p.name for p in places if not p.index),
                tuple(n for n in models[0].member_names.values() if "." not in n))  # fmt: skip


def _stands(lines: tuple[str, ...], s: Spot) -> bool:
    return lines[s.line][s.start : s.end] == s.word


def _code(node: Node, free: bool, texts: frozenset[str]) -> Iterator[Spot]:
    """Yield the words of everything that was read as an expression, step, head or member."""
    match node:
        case Scalar():
            yield from () if free else _words(node, texts)
        case Sequence():
            for item in node.items:
                yield from _code(item, free, texts)
        case Mapping():
            for key, value in node:
                if key.text in FREE_KEYS:
                    yield from (s for _, inner in value for s in _code(inner, False, texts)) if key.text in ("needs",) and isinstance(value, Mapping) else ()  # fmt: skip
                    continue
                scalar_text = key.text == "else" and isinstance(value, Scalar)
                yield from _words(key, texts)
                yield from _code(value, scalar_text, texts)


def _words(scalar: Scalar, texts: frozenset[str]) -> Iterator[Spot]:
    if scalar.text not in texts and not re.fullmatch(r"[a-z]\w*", scalar.text):
        return
    for m in re.finditer(r"[a-z][a-z0-9_]*|(?<![\w.])\d+(?![\w.])", scalar.text):
        span = scalar.at(m.start(), m.end())
        if span.line == span.end_line:
            yield Spot(span.line - 1, span.col - 1, span.end_col - 1, m.group())


def _blocks(tree: Mapping, lines: tuple[str, ...]) -> Iterator[tuple[Spot, int, int, int]]:
    """Needed keys on lines of their own, each with the lines of the map that needs it."""

    def visit(node: Node, path: tuple[str, ...], first: int) -> Iterator[tuple[Spot, int, int, int]]:
        if isinstance(node, Sequence):
            for item in node.items:
                yield from visit(item, (*path, "-"), item.span.line - 1)
        if isinstance(node, Mapping):
            for key, value in node:
                if key.text == "examples" or (path and path[0] == "change") or "change" in path:
                    continue
                own_line = lines[key.span.line - 1][: key.span.col - 1].strip() == ""
                needed = key.text in REQUIRED and (
                    not path or path[0] in ("moves", "scoring", "steps", "setup", "play")
                )
                if key.text == "text":
                    needed = len(path) == 2 and path[0] in ("moves", "scoring")
                if key.text == "else":
                    needed = isinstance(value, Scalar)
                if needed and own_line and not node.flow and not (path[:1] == ("moves",) and node.get("like")):
                    spot = Spot(key.span.line - 1, key.span.col - 1, key.span.end_col - 1, key.text)
                    yield spot, value.span.end_line - 1, first, node.span.end_line - 1
                yield from visit(value, (*path, key.text), key.span.line - 1)

    if tree.get("extends") is None:
        yield from visit(tree, (), 0)


def slip(number: int) -> Slip:
    rng = random.Random(number)
    games = list(shipped_games())
    while True:
        file = read(rng.choice([g for g in games if "/" not in g] if rng.random() < 0.6 else games))
        found = rng.choice((_misspelt, _misspelt, _left_out, _mixed))(file, rng)
        if found is not None:
            return found


def _replaced(file: File, spot: Spot, new: str) -> str:
    lines = list(file.lines)
    lines[spot.line] = lines[spot.line][: spot.start] + new + lines[spot.line][spot.end :]
    return "\n".join(lines) + "\n"


def _misspelt(file: File, rng: random.Random) -> Slip | None:
    if not file.names:
        return None
    spot = rng.choice(file.names)
    new = misspelt(rng, spot.word)
    if new in {s.word for s in file.names} | LANGUAGE or not re.fullmatch(r"[a-z][a-z0-9_]*", new):
        return None
    return Slip(file.game, "misspelt", f"{spot.line + 1}: {spot.word} → {new}", _replaced(file, spot, new), frozenset((spot.line + 1,)))  # fmt: skip


def _left_out(file: File, rng: random.Random) -> Slip | None:
    if not file.blocks:
        return None
    spot, last, first, end = rng.choice(file.blocks)
    lines = list(file.lines)
    gone = last - spot.line + 1
    del lines[spot.line : last + 1]
    where = frozenset(range(first + 1, end - gone + 3)) | {1, *(_first_keys(file))} if spot.start == 0 else frozenset(range(first + 1, end - gone + 3))  # fmt: skip
    return Slip(file.game, "left out", f"{spot.line + 1}: `{spot.word}`", "\n".join(lines) + "\n", where)


def _first_keys(file: File) -> Iterator[int]:
    """Yield the first line that says something: a file that lacks a key is complained about there."""
    yield next(i for i, line in enumerate(file.lines) if line and not line.startswith("#")) + 1


def _mixed(file: File, rng: random.Random) -> Slip | None:
    """Return a number where it cannot be one, or something else where a number is."""
    if not file.numbers or not file.piles:
        return None
    spot = rng.choice(file.numbers)
    new = rng.choice([rng.choice(file.piles), "true"])
    return Slip(file.game, "mixed", f"{spot.line + 1}: {spot.word} → {new}: {file.lines[spot.line].strip()}", _replaced(file, spot, new), frozenset((spot.line + 1,)))  # fmt: skip


def complaints(s: Slip) -> tuple[Diagnostic, ...]:
    path = find_game(s.game)
    assert path is not None
    try:
        return tuple(open_rules(path, s.text).check_all())
    except RuleFileError as error:
        return error.diagnostics


def judge(s: Slip) -> str:
    """`found`, `elsewhere` or `missed`."""
    found = complaints(s)
    if not found:
        return "missed"
    file = str(find_game(s.game))
    said = {span.line for d in found for span in (d.span, *(where for _, where in d.related)) if span.file == file}
    # of a misspelt declaration every use tells where it is declared, and as what
    said |= {int(line) for d in found for line in re.findall(rf"declared at {re.escape(file)}:(\d+):", d.fix)}
    return "found" if said & s.lines else "elsewhere"


def run(first: int, last: int) -> Counter[tuple[str, str]]:
    counted: Counter[tuple[str, str]] = Counter()
    for number in range(first, last):
        s = slip(number)
        verdict = judge(s)
        counted[s.what, verdict] += 1
        if (number + 1) % 50 == 0:
            print(f"=== {number + 1}: {dict(counted)}", flush=True)
        if verdict != "found":
            print(f"--- {number} {s.game} {s.what} {s.edit}: {verdict}", *(d.first_line() for d in complaints(s)[:2]), sep="\n    ", flush=True)  # fmt: skip
    return counted


if __name__ == "__main__":
    print(dict(run(int(sys.argv[1]), int(sys.argv[2]))))
