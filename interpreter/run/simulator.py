"""Random games in great number: in Python at first, natively once it pays, the same games either way."""

from __future__ import annotations

import os
import random
from array import array
from collections.abc import Iterator
from math import sqrt
from time import perf_counter
from typing import TYPE_CHECKING

from interpreter.fault import ENDLESS, Fault
from interpreter.generate.program import Program
from interpreter.run.runtime import Run
from interpreter.state import Outcome, State

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.native.build import Native, NativeProblem

IN_PYTHON = 50  # games before a compiler is asked: one game never waits for it,
WORTH = 0.5  # nor do a few: so many seconds of Python, spent or to come, are worth a compiler's time


class Simulator:
    """Plays a program's random games."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.native: Native | None = None
        self.problem: NativeProblem | None = None  # why it stays None, once that was tried
        self._played = 0
        self._spent = 0.0  # seconds, on the games played in Python
        self._tried = False

    def compile(self) -> bool:
        """Whether games are now native: there is a compiler, and C for every part of the program."""
        if not self._tried:
            self._tried = True
            self.native, self.problem = build_native(self.program.simulation_text[0], self.program)
        return self.native is not None

    def play(self, seed: int, more: int = 0) -> tuple[int, ...]:
        """The final vector of the game with this seed; so many more games are known to follow."""
        if self.native is None and not self._compile_if_worth(more):
            start = perf_counter()
            vector = self.in_python(seed)
            self._played += 1
            self._spent += perf_counter() - start
            return vector
        assert self.native is not None
        status, vector = self.native.play(seed, self.program.limit)
        return self._not_done(status, seed) if status else vector

    def _compile_if_worth(self, more: int) -> bool:
        if self._tried or self._played < IN_PYTHON:
            return False
        return self._spent + more * self._spent / self._played > WORTH and self.compile()

    def in_python(self, seed: int) -> tuple[int, ...]:
        vector = list(self.program.layout.start)
        try:
            self.program.simulation(vector, Run(None, 0, self.program.limit), random.Random(seed).getrandbits)
        except Fault as fault:
            return self._faulted(fault, seed)
        return tuple(vector)

    def _faulted(self, fault: Fault, seed: int) -> tuple[int, ...]:
        """Raise the fault of a game, if it is one: only the traced program counts decisions that make themselves."""
        if fault.kind != ENDLESS or not self.program.has_forced:
            raise fault
        vector = list(self.program.layout.start)
        self.program.traced_simulation(vector, Run(None, 0, self.program.limit), random.Random(seed).getrandbits)
        return tuple(vector)

    def _not_done(self, status: int, seed: int) -> tuple[int, ...]:
        """A game that C ended with a fault, or left to Python."""
        assert self.native is not None
        number = self.native.fault(status)
        if number is not None and not self.program.simulation_text[1][number].has_value:
            return self._faulted(self.program.simulation_text[1][number].fault(), seed)
        return self.in_python(seed)  # which also knows the values of a fault

    def games(self, games: int, seed: int) -> array[int]:
        """The final vectors of the games with the seeds seed, seed + 1, …, one after the other."""
        out = array("i")
        size = self.program.layout.size
        while (done := len(out) // size) < games:
            if self.native is not None and seed + done >= 0 and seed + games < 2**64:
                status = self.native.games(seed + done, games - done, out, self.program.limit)
                if status:
                    out.extend(self._not_done(status, seed + len(out) // size))
            else:
                out.extend(self.play(seed + done, games - done))
        return out


def build_native(source: str, program: Program) -> tuple[Native | None, NativeProblem | None]:
    """Return a generated simulation as native code, or why there is none."""
    from interpreter.native.build import BuildError, NativeProblem, build
    from interpreter.native.shapes import Untranslatable
    from interpreter.native.translate import translate

    if os.environ.get("RULESPEC_NATIVE") == "0":
        return None, NativeProblem("off", "RULESPEC_NATIVE is 0")
    try:
        text = translate(source, program.layout.size)
        return build(text, program.layout.start), None
    except Untranslatable as error:
        return None, NativeProblem("translation", f"there is no C for `{error}`")
    except BuildError as error:
        return None, error.problem


class Simulation:
    """Simulated games: game number i is the one that `playout(seed + i)` gives."""

    def __init__(self, game: Game, seed: int, vectors: array[int]) -> None:
        self.game = game
        self.seed = seed
        self.vectors = vectors  # final vectors, one after the other
        self._size = game.program.layout.size

    def __len__(self) -> int:
        return len(self.vectors) // self._size

    def __getitem__(self, number: int) -> State:
        if not 0 <= number < len(self):
            raise IndexError(number)
        return self.game.finished(
            self.seed + number, tuple(self.vectors[number * self._size : (number + 1) * self._size])
        )

    def __iter__(self) -> Iterator[State]:
        return (self[i] for i in range(len(self)))

    def scores(self, player: int) -> array[int]:
        """A player's score in every game."""
        return self.vectors[self.game.program.layout.variables["score"].base + player - 1 :: self._size]

    def outcomes(self) -> list[Outcome]:
        """How every game ended."""
        return [outcome for state in self if (outcome := self.game.outcome(state)) is not None]

    def wins(self) -> dict[int, float]:
        """How many games each player won; a shared victory counts as a part for each winner."""
        found = dict.fromkeys(range(1, self.game.players + 1), 0.0)
        for outcome in self.outcomes():
            for winner in outcome.winners:
                found[winner] += 1 / len(outcome.winners)
        return found

    def mean(self, player: int) -> float:
        scores = self.scores(player)
        return sum(scores) / len(scores)

    def deviation(self, player: int) -> float:
        """The standard deviation of a player's score."""
        scores, mean = self.scores(player), self.mean(player)
        return sqrt(sum((s - mean) ** 2 for s in scores) / max(1, len(scores) - 1))
