"""Shipped rule files with random edits, and what becomes of them: refused with diagnostics, or played.

Nothing here knows a game. A mutant is known by its number: the same number is the same edit of the same file.

    python -m tests.mutants 0 5000        # numbers from, to: prints what became of them, and every exception
"""

from __future__ import annotations

import random
import re
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from interpreter import CHANCE, Fault, Game
from rulespec.diagnostics.diagnostic import Diagnostic, RuleFileError, has_errors
from rulespec.files.sources import find_game, shipped_games
from rulespec.rules import Rules, open_rules

GAMES = 20  # random games of a mutant that is good
STEPPED = 2  # of these, played decision by decision; the others in one go
MOST_DECISIONS = 400  # of a game played decision by decision
PLAY_SECONDS = 1.5  # of processor time for all games of a mutant; then they count as endless
CHECK_SECONDS = 20.0  # for one file: more is a failure

Lines = list[str]


class TooLong(BaseException):
    """Time is up."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise TooLong in a block that needs more processor time."""

    def stop(*_: Any) -> None:
        raise TooLong

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


# Edits ----------------------------------------------------------------------------------------------------

NAME = re.compile(r"[a-z][a-z0-9_]*")
NUMBER = re.compile(r"(?<![\w#])\d+(?!\w)")
OPERATORS = (
    ("<=", "<", ">=", ">", "=", "!="),
    ("+", "-", "*", "/", "mod"),
    ("and", "or", "and not"),
    ("..", ",", "-"),
    ("any(", "all(", "count(", "sum(", "max(", "min(", "first(", "list("),
    ("next(", "previous(", "piece(", "empty(", "size(", "free("),
    ("move", "draw", "set", "add", "let", "roll"),
    ("all", "1", "2", "up to 2", "top"),
    ("pile", "stack", "cell"),
    ("true", "false", "none", "0"),
    ("where", "while", "for"),
    ("from", "to", "in", "of"),
    ("me", "1", "next(me)", "player"),
)
OPERATOR = re.compile("|".join(rf"(?<=[\s(\[]){re.escape(o)}(?=[\s)\]a-z0-9]|$)" for row in OPERATORS for o in row))
SIGNS = "{}[](),:\"'|-#&*!%@`."


def code_end(line: str) -> int:
    """Return where a line's comment begins."""
    comment = re.search(r"(^|\s)#", line)
    return comment.start() if comment else len(line)


def misspelt(rng: random.Random, word: str) -> str:
    i = rng.randrange(len(word))
    other = rng.choice("abcdefghijklmnopqrstuvwxyz")
    return rng.choice([word[:i] + word[i + 1 :], word[:i] + other + word[i:], word[:i] + word[i : i + 2][::-1] + word[i + 2 :]]) or other  # fmt: skip


def replaced(rng: random.Random, line: str, pattern: re.Pattern[str], new: Callable[[str], str]) -> str:
    """Return the line with one match of the pattern replaced; as it is if there is none."""
    found = list(pattern.finditer(line, 0, code_end(line)))
    if not found:
        return line
    m = rng.choice(found)
    return line[: m.start()] + new(m.group()) + line[m.end() :]


def edit_name(rng: random.Random, lines: Lines, i: int) -> None:
    lines[i] = replaced(rng, lines[i], NAME, lambda word: misspelt(rng, word))


def edit_other_name(rng: random.Random, lines: Lines, i: int) -> None:
    words = NAME.findall("\n".join(lines[max(0, i - 60) : i + 60]))
    lines[i] = replaced(rng, lines[i], NAME, lambda _: rng.choice(words))


def edit_number(rng: random.Random, lines: Lines, i: int) -> None:
    def other(text: str) -> str:
        n = int(text)
        return str(rng.choice([n + 1, n - 1, 0, -1, n * 10, 2, 99_998, 99_999, 1_000_000_000, n + 2, "none"]))

    lines[i] = replaced(rng, lines[i], NUMBER, other)


def edit_operator(rng: random.Random, lines: Lines, i: int) -> None:
    def other(text: str) -> str:
        return rng.choice([o for row in OPERATORS if text in row for o in row if o != text])

    lines[i] = replaced(rng, lines[i], OPERATOR, other)


def edit_key(rng: random.Random, lines: Lines, i: int) -> None:
    keys = re.findall(r"([a-z][a-z ]*):(?= |$)", "\n".join(lines))
    lines[i] = replaced(rng, lines[i], re.compile(r"[a-z][\w \[\](),]*(?=:( |$))"), lambda _: rng.choice(keys))


def edit_delete_line(rng: random.Random, lines: Lines, i: int) -> None:
    del lines[i : i + rng.choice([1, 1, 1, 2, 3])]


def edit_double_line(rng: random.Random, lines: Lines, i: int) -> None:
    lines.insert(i, lines[i])


def edit_swap_lines(rng: random.Random, lines: Lines, i: int) -> None:
    if i + 1 < len(lines):
        lines[i], lines[i + 1] = lines[i + 1], lines[i]


def edit_move_line(rng: random.Random, lines: Lines, i: int) -> None:
    line = lines.pop(i)
    at = min(len(lines), max(0, i + rng.randint(-8, 8)))
    near = lines[min(at, len(lines) - 1)] if lines else ""
    lines.insert(at, near[: len(near) - len(near.lstrip())] + line.lstrip() if rng.random() < 0.7 else line)


def edit_indentation(rng: random.Random, lines: Lines, i: int) -> None:
    line = lines[i]
    lines[i] = rng.choice([line[2:] if line.startswith("  ") else "  " + line, "  " + line, " " + line, "\t" + line])


def edit_sign(rng: random.Random, lines: Lines, i: int) -> None:
    line = lines[i]
    at = [j for j, c in enumerate(line[: code_end(line)]) if c in SIGNS]
    if at and rng.random() < 0.5:
        j = rng.choice(at)
        lines[i] = line[:j] + line[j + 1 :]
    else:
        j = rng.randrange(len(line) + 1)
        lines[i] = line[:j] + rng.choice(SIGNS) + line[j:]


def edit_values(rng: random.Random, lines: Lines, i: int) -> None:
    """Two lines exchange what stands after their colons."""
    pairs = [(j, m) for j in range(max(0, i - 30), min(len(lines), i + 30)) if (m := re.match(r"([^#]*?: )(.+)", lines[j]))]  # fmt: skip
    if len(pairs) > 1:
        (a, first), (b, second) = rng.sample(pairs, 2)
        lines[a], lines[b] = first[1] + second[2], second[1] + first[2]


def edit_word(rng: random.Random, lines: Lines, i: int) -> None:
    """A word too many or too few."""
    words = lines[i][: code_end(lines[i])].split(" ")
    j = rng.randrange(len(words))
    if rng.random() < 0.5:
        del words[j]
    else:
        words.insert(j, rng.choice(" ".join(lines[max(0, i - 40) : i + 40]).split() or ["x"]))
    lines[i] = " ".join(words)


def edit_none(rng: random.Random, lines: Lines, i: int) -> None:
    """A name or number is nothing."""
    lines[i] = replaced(rng, lines[i], re.compile(r"(?<=[ (\[])[a-z0-9_]+(?=[ ),\]]|$)"), lambda _: "none")


EDITS: dict[str, Callable[[random.Random, Lines, int], None]] = {
    name.removeprefix("edit_").replace("_", " "): edit for name, edit in list(globals().items()) if name.startswith("edit_")
}  # fmt: skip
COMMON = ("number", "operator", "other name", "none", "values")  # these are the likeliest to be accepted


@dataclass(frozen=True, slots=True)
class Mutant:
    number: int
    game: str
    path: Path
    edits: str  # what was edited, and where
    text: str


@cache
def originals() -> dict[str, tuple[Path, tuple[str, ...]]]:
    found = {}
    for game in shipped_games():
        path = find_game(game)
        assert path is not None
        found[game] = (path, tuple(path.read_text(encoding="utf-8").splitlines()))
    return found


def rules_end(lines: tuple[str, ...]) -> int:
    """Return where the examples begin: what stands there is not checked before it is run."""
    return next((i for i, line in enumerate(lines) if line.startswith("examples:")), len(lines))


def mutant(number: int) -> Mutant:
    rng = random.Random(number)
    games = list(originals())
    main = [g for g in games if "/" not in g]
    game = rng.choice(main if rng.random() < 0.5 else games)
    path, before = originals()[game]
    lines = list(before)
    said = []
    for _ in range(rng.choice([1, 1, 1, 1, 2])):
        end = rules_end(before) if rng.random() < 0.97 else len(before)
        code = [i for i in range(min(end, len(lines))) if lines[i][: code_end(lines[i])].strip()]
        if not code:
            break
        i = rng.choice(code)
        for _ in range(5):
            kind = rng.choice(COMMON if rng.random() < 0.5 else list(EDITS))
            kept = list(lines)
            EDITS[kind](rng, lines, i)
            if lines != kept:
                said.append(f"{kind} at line {i + 1}: {kept[i].strip()} → {lines[i].strip() if i < len(lines) else ''}")
                break
    return Mutant(number, game, path, "; ".join(said), "\n".join(lines) + "\n")


# What becomes of it ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Verdict:
    what: str  # refused, played, fault, endless, slow or exception
    detail: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()


def judge(m: Mutant) -> Verdict:
    """Checks a mutant and, if it is good, plays it."""
    try:
        with at_most(CHECK_SECONDS):
            rules, diagnostics = checked(m)
    except TooLong:
        return Verdict("slow", "to check")
    except Exception:
        return Verdict("exception", traceback.format_exc())
    if rules is None:
        return Verdict("refused", diagnostics=diagnostics)
    try:
        with at_most(PLAY_SECONDS):
            return play(rules, random.Random(m.number))
    except TooLong:
        return Verdict("endless")
    except Exception:
        return Verdict("exception", traceback.format_exc())


def checked(m: Mutant) -> tuple[Rules | None, tuple[Diagnostic, ...]]:
    """Return the rules if they are good, else what is wrong. What one setting refuses is not checked in all."""
    try:
        rules = open_rules(m.path, m.text)
        rules.check()
        found = tuple(rules.check_all())
    except RuleFileError as error:
        return None, placed(error.diagnostics)
    return (None if has_errors(found) else rules), found


def placed(diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Return the diagnostics, which say what is wrong and where."""
    assert diagnostics
    assert all(d.message and d.span.line > 0 for d in diagnostics)
    return diagnostics


def play(rules: Rules, rng: random.Random) -> Verdict:
    """Random games over players and options."""
    combinations = rules.combinations()
    settings = []
    for choices in [combinations[0], *rng.sample(combinations, min(1, len(combinations)))]:
        settings.append((rng.choice(rules.players_for(choices)), choices))
    faults = []
    for number, (players, choices) in enumerate(settings):
        game = Game(rules, rules.check(players, choices)[0])
        each = GAMES // len(settings)
        for i in range(each):
            seed = number * each + i
            try:
                if i < STEPPED // len(settings) or i == 0:
                    step_through(game, random.Random(seed), seed)
                else:
                    end = game.python_playout(seed)
                    game.outcome(end)
            except Fault as fault:
                faults.append(str(fault) if fault.message and fault.span.line else "nowhere")
    return Verdict("fault", faults[0]) if faults else Verdict("played")


def step_through(game: Game, rng: random.Random, seed: int) -> None:
    """One game decision by decision, with all that a table asks for on the way."""
    state = game.start(seed if rng.random() < 0.5 else None)
    while state.to_move is not None and state.decisions < MOST_DECISIONS:
        moves = [m for m, _ in game.chances(state)] if state.to_move == CHANCE else game.legal_moves(state)
        move = rng.choice(moves)
        if state.decisions % 16 == 0:
            assert game.parse_move(state, str(move)) == move
            assert game.describe(state, move)
            game.view(state, rng.randint(1, game.players))
        state = game.apply(state, move)
    game.ledger(state)
    game.outcome(state)


def run(first: int, last: int) -> Counter[str]:
    """Judges the mutants with these numbers and prints what became of them."""
    found: Counter[str] = Counter()
    for number in range(first, last):
        m = mutant(number)
        verdict = judge(m)
        found[verdict.what] += 1
        if verdict.what in ("exception", "slow", "fault"):
            print(f"--- {number} {m.game}: {verdict.what}\n{m.edits}\n{verdict.detail}", flush=True)
        if (number + 1) % 100 == 0:
            print(f"=== {number + 1}: {dict(found)}", flush=True)
    return found


if __name__ == "__main__":
    print(dict(run(int(sys.argv[1]), int(sys.argv[2]))))
