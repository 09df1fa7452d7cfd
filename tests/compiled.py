"""Programs of `interpreter/compile`, printed as Python and as C, as one who compares them plays them."""

from __future__ import annotations

import ctypes
import re
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any
from unittest.mock import patch

from interpreter import Game
from interpreter.compile import loader, to_python
from interpreter.compile.actions import Actions, number_actions
from interpreter.compile.lower import lower
from interpreter.compile.program import Ask, Const, Num, Program
from interpreter.compile.to_c import to_c, to_c_part
from interpreter.compile.unfold import unfold
from interpreter.fault import LIMIT, Fault
from interpreter.game import spots_of, told_line
from interpreter.layout import BLOCK, Layout
from interpreter.notation import Notation
from interpreter.run import compiled
from interpreter.run.compiled import PythonCode
from interpreter.run.library import DECISIONS, PLAYER, RANDOM, Games, Library
from interpreter.run.runtime import RUNTIME, Run
from interpreter.seeds import random_words
from interpreter.state import EVERYBODY, LedgerLine, Outcome, Told
from rulespec.checks.secrecy import Secrecy
from rulespec.syntax import Model, told
from tests import bundle
from tests.bundle import COMPILER, SHARED

ENDLESS = 10**9  # decisions


def random_run(state: int, limit: int = LIMIT) -> Run:
    """Return a run in which everybody decides at random."""
    run = Run(limit)
    run.word, run.steps = random_words(state), ENDLESS
    return run


def in_range(value: int, lo: int, hi: int) -> int:
    """Return the value, which lies where the program says it does."""
    assert lo <= value <= hi, f"{value} is not in {lo}..{hi}"
    assert type(value) is int, f"{value} is no number"
    return value


class CarefulPrinter(to_python.PythonPrinter):
    """Prints a program as Python that checks every range it claims: what is wrong in one may go wrong in C."""

    def num(self, e: Num) -> str:
        text = super().num(e)
        return text if isinstance(e, Const) else f"in_range({text}, {e.lo}, {e.hi})"


def careful_code(program: Program, watched: Callable[[tuple[int, int]], None]) -> PythonCode:
    """Return the program that waits, with every claim checked."""
    with (
        patch.object(to_python, "to_python", lambda program, mode: CarefulPrinter(program, mode).text()),
        patch.dict(RUNTIME, {"in_range": in_range}),
    ):
        return code_on_demand(program, "wait", watched)


# printed functions ---------------------------------------------------------------------------------------


class OnDemand:
    """A printed function that is compiled when it is first called: the few games of a file that nobody wrote reach few."""

    def __init__(self, text: str, around: loader.Surroundings, namespace: dict[str, Any]) -> None:
        self._text, self._around, self._namespace = text, around, namespace
        self._made: Callable[..., Any] | None = None

    def __call__(self, *args: Any) -> Any:
        if self._made is None:
            code = _function(self._text, frozenset(self._around.functions), self._around.attributes)
            self._made = self._namespace[code.co_name] = FunctionType(
                code, self._namespace
            )  # others now call it at once
        return self._made(*args)


@lru_cache(maxsize=1000)  # most functions are the same in all the ways to print one program
def _function(text: str, functions: frozenset[str], attributes: frozenset[str]) -> CodeType:
    # what the names stand for makes no difference before the function is called
    made = loader.run(text, loader.Surroundings(dict.fromkeys(functions, in_range), attributes))
    code: CodeType = made[_name(text)].__code__
    return code


def _name(text: str) -> str:
    return text[len("def ") : text.index("(")]


def run_on_demand(source: str, around: loader.Surroundings) -> dict[str, Any]:
    """Return what `loader.run` returns, with functions that are checked and compiled when they are first called."""
    parts = re.split(r"\n(?=\S)", source)
    namespace = loader.run("\n".join(part for part in parts if not part.startswith("def ")), around)
    for part in parts:
        if part.startswith("def "):
            namespace[_name(part)] = OnDemand(part, around, namespace)
    return namespace


def code_on_demand(program: Program, mode: str, watched: Callable[[tuple[int, int]], None]) -> PythonCode:
    with patch.object(compiled, "run", run_on_demand):
        return PythonCode(program, mode, watched)


# programs ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Finished:
    """A random game: its last position, how it stopped if it did, and in a traced one what was decided and scored."""

    vector: list[int]
    fault: Fault | None
    trail: list[tuple[int, Any]] = field(default_factory=list)
    log: list[Any] = field(default_factory=list)


class Compiled:
    """The program of one model, with its texts as far as somebody asks for them."""

    def __init__(
        self,
        model: Model,
        watched: bool = False,
        lowered: tuple[Program, Layout] | None = None,
    ) -> None:
        """`lowered`: what the model was lowered to before."""
        self.model = model
        self.watched = watched
        self.program, self.layout = lowered or lower(model, tracing=watched, watching=watched)
        self.notation = Notation(model)
        self.refused: set[tuple[int, int]] = (
            set()
        )  # in a watched program: each move and condition that refused a choice
        self._printed: dict[str, PythonCode] = {}

    @staticmethod
    def of(game: Game) -> Compiled:
        """Return the program that a game plays."""
        return Compiled(game.model, lowered=(game.compiled.program, game.layout))

    @cached_property
    def unfolded(self) -> Program:
        """The program as it is printed as Python."""
        return unfold(self.program)

    def code(self, mode: str) -> PythonCode:
        """Return the program printed as Python."""
        if mode not in self._printed:
            if mode == "wait" and self.watched:
                self._printed[mode] = careful_code(self.unfolded, self.refused.add)
            else:
                self._printed[mode] = code_on_demand(self.unfolded, mode, self.refused.add)
        return self._printed[mode]

    def ledger(self, log: Sequence[Any]) -> list[LedgerLine]:
        """Return the lines of a run's log."""
        rules, secrecy = list(self.model.rules.values()), Secrecy(self.model)
        found = []
        for number, player, rule, _, points, gained, shown in log:
            if player == EVERYBODY:
                continue
            text = self.notation.fill(rules[rule].text, shown, lambda e: secrecy.reads(e) is not None)
            scored = rules[rule]
            found.append(LedgerLine(number, player, scored.name, text, points, gained, scored.span, scored.changes))
        return found

    def told(self, log: Sequence[Any]) -> list[Told]:
        """Return what was told, from a run's log."""
        steps, spots, found = told(self.model), spots_of(self.layout), list[Told]()
        for number, player, text, to, *_, shown in log:
            if player == EVERYBODY:
                found += told_line(self.layout, spots, self.notation, steps[text], number, to, shown)
        return found

    def finished(self, state: int, traced: bool = False, limit: int = LIMIT) -> Finished:
        """Return a random game, in Python."""
        run, vector = random_run(state, limit), list(self.program.start)
        try:
            self.code("traced" if traced else "random").go(vector, run, self.program.begin)
        except Fault as fault:
            return Finished(vector, fault, run.trail, run.log)
        return Finished(vector, None, run.trail, run.log)

    @cached_property
    def _whole(self) -> Callable[[list[int], Run], None] | None:
        text = to_python.whole_to_python(self.unfolded)
        if text is None:
            return None
        with patch.object(compiled, "run", run_on_demand):
            return compiled.functions_of(text, self.program)["whole"]

    def played_at_once(self, state: int, limit: int = LIMIT) -> Finished | None:
        """Return a random game, in Python that never stops in between; None where it has to be printed in blocks."""
        if self._whole is None:
            return None
        run, vector = random_run(state, limit), list(self.program.start)
        try:
            self._whole(vector, run)
        except Fault as fault:
            return Finished(vector, fault)
        return Finished(vector, None)

    def outcome(self, vector: list[int], run: Run) -> Outcome:
        """Return who won, by the program's own lines of `winner`."""
        functions = self.code("wait").functions
        lines = [functions[f"f{number}"] for number in self.program.ranks]
        players = range(1, self.model.players + 1)
        ranks = {p: tuple(int(line(vector, run, p)) for line in lines) for p in players}
        order = sorted(set(ranks.values()), reverse=True)
        ranking = tuple(tuple(p for p in ranks if ranks[p] == rank) for rank in order)
        deciding = [i for i in range(len(order[0])) if all(rank[: i + 1] != order[0][: i + 1] for rank in order[1:])]
        at = self.program.score
        scores = {} if at is None else {p: vector[at + p - 1] for p in players}
        return Outcome(ranking[0], scores, self.model.winner[deciding[0]][0], ranking)


class Sitting:
    """One game in play, in Python, chance left open."""

    def __init__(self, compiled: Compiled, limit: int = LIMIT) -> None:
        self.compiled = compiled
        self.program = compiled.program
        self.code = compiled.code("wait")
        self.run, self.vector = Run(limit), list(self.program.start)
        self.code.go(self.vector, self.run, self.program.begin)

    @property
    def at(self) -> int:
        """The block that waits; 0 at the end of the game."""
        return self.vector[BLOCK]

    @property
    def asks(self) -> bool:
        return isinstance(self.program.decisions.get(self.at), Ask)

    def moves(self) -> tuple[int, list[tuple[int, tuple[Any, ...]]]]:
        """Return who decides, and the legal moves in order: a move's number and what is chosen."""
        player, groups = self.code.asks[self.at](self.vector, self.run)
        return player, [
            (move, first if value is None and last == (None,) else (*first, value))
            for move, first, last in groups
            for value in last
        ]

    def chances(self) -> list[tuple[int, int]]:
        return self.code.weights[self.at](self.vector, self.run)

    def apply(self, move: int, args: Any) -> None:
        self.run.idle = 0
        self.run.decisions += 1
        self.run.more -= 1
        self.code.go(self.vector, self.run, self.code.plays[self.at](self.vector, self.run, move, args))


class Native:
    """A program printed as C."""

    def __init__(
        self, compiled: Compiled, loaded: ctypes.CDLL, actions: Actions | None, prefix: str = "rulespec"
    ) -> None:
        self.compiled = compiled
        self.actions = actions
        self.library = Library(loaded, lambda: compiled.program.faults, prefix)

    def finished(self, state: int, limit: int = LIMIT) -> Finished:
        """Return the same random game as the Python has."""
        games = Games(self.library, 1, limit)
        games.games[RANDOM] = state - 2**64 if state >= 2**63 else state
        try:
            games.play()
        except Fault as fault:
            return Finished(list(games.states), fault)
        return Finished(list(games.states), None)


def compile_one(compiled: Compiled, folder: Path, *flags: str) -> Native:
    """Return a program as C, as games compile theirs: in a file of its own."""
    assert COMPILER is not None
    actions = number_actions(compiled.model, compiled.layout)
    source, made = folder / "program.c", folder / "program.so"
    source.write_text(to_c(compiled.program, actions))
    subprocess.run([COMPILER, *flags, *SHARED, "-o", str(made), str(source)], check=True, timeout=300)
    return Native(compiled, ctypes.CDLL(str(made)), actions)


def compile_many(programs: Sequence[Compiled], folder: Path) -> list[Native]:
    """Return programs as C, in one file."""
    if not programs:
        return []
    actions = [number_actions(c.model, c.layout) for c in programs]
    parts = [to_c_part(c.program, a) for c, a in zip(programs, actions, strict=True)]
    loaded = bundle.compiled(bundle.bundled(parts), folder)
    return [Native(c, loaded, a, bundle.prefix(i)) for i, (c, a) in enumerate(zip(programs, actions, strict=True))]


class NativeSitting:
    """One game in play, in C, chance left open."""

    def __init__(self, native: Native, limit: int = LIMIT) -> None:
        self.native = native
        self.games = Games(native.library, 1, limit, moves=True, mask=True, open=True)
        self.games.start()

    @property
    def vector(self) -> list[int]:
        return list(self.games.states)

    @property
    def player(self) -> int:
        """Who decides; 0 is chance."""
        return self.games.games[PLAYER]

    @property
    def decisions(self) -> int:
        return self.games.games[DECISIONS]

    def listed(self) -> list[int]:
        """Return the numbers of the legal moves in order; values, where chance decides."""
        return list(self.games.moves[: self.games.offsets[1]])

    def masked(self) -> list[int]:
        """Return the numbers of the legal moves by the mask, in the order of numbers."""
        return [number for number, legal in enumerate(self.games.mask) if legal]

    def weights(self) -> list[int]:
        return list(self.games.weights[: self.games.offsets[1]])

    def apply(self, action: int) -> None:
        self.games.actions[0] = action
        self.games.step()

    def places(self) -> tuple[list[int], int]:
        """Return every player's place, and the line of `winner` that told the winners from the others."""
        self.games.outcomes()
        return list(self.games.places), self.games.reasons[0]
