"""Games that go on at random from any position: in Python at first, natively once it pays, the same games either way."""

from __future__ import annotations

import random
from threading import Thread
from time import perf_counter
from typing import TYPE_CHECKING

from interpreter.generate.program import Program
from interpreter.run.runtime import Run
from interpreter.run.simulator import WORTH, build_native

if TYPE_CHECKING:
    from interpreter.native.build import Native, NativeProblem

STEPS = 2**62  # decisions of players in one rollout, where nobody says otherwise: the game's limit is the only one


class Roller:
    """Plays a program's rollouts. A compiler works beside it: nobody waits for it."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.native: Native | None = None
        self.problem: NativeProblem | None = None  # why it stays None, once that was tried
        self._spent = 0.0  # seconds, on rollouts in Python
        self._builder: Thread | None = None

    def compile(self) -> bool:
        """Waits for native rollouts; false where they stay in Python."""
        self._begin()
        assert self._builder is not None
        self._builder.join()
        return self.native is not None

    def _begin(self) -> None:
        if self._builder is None:
            self._builder = Thread(target=self._build, daemon=True)
            self._builder.start()

    def _build(self) -> None:
        self.native, self.problem = build_native(self.program.rollout_text[0], self.program)

    def play(
        self, vector: tuple[int, ...], seed: int, steps: int, rounds: int, scored: bool = False, decisions: int = 0
    ) -> tuple[int, ...]:
        """The vector where a rollout ended: the game is over, or waits for the decision that was too many.

        `scored` tells that somebody has scored before, and chance has not come since; `decisions` were made before.
        """
        native, steps = self.native, min(steps, STEPS)
        if native is None or not 0 <= seed < 2**64:
            start = perf_counter()
            end = self.in_python(vector, seed, steps, rounds, scored, decisions)
            self._spent += perf_counter() - start
            if self._spent > WORTH:
                self._begin()
            return end
        status, end = native.rollout(vector, seed, steps, rounds, scored, self.program.limit - decisions)
        if not status:
            return end
        number = native.fault(status)
        if number is not None and not self.program.rollout_text[1][number].has_value:
            raise self.program.rollout_text[1][number].fault()
        return self.in_python(vector, seed, steps, rounds, scored, decisions)  # which also knows the values of a fault

    def in_python(
        self, vector: tuple[int, ...], seed: int, steps: int, rounds: int, scored: bool = False, decisions: int = 0
    ) -> tuple[int, ...]:
        run, end = Run(None, decisions, self.program.limit), list(vector)
        run.steps, run.rounds, run.scored = steps, rounds, int(scored)
        self.program.rollout(end, run, random.Random(seed).getrandbits)
        return tuple(end)
