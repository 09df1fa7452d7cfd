"""Random games in great number, and from any position."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from math import sqrt
from typing import TYPE_CHECKING

from interpreter.layout import BLOCK
from interpreter.run.compiled import CompiledRules
from interpreter.run.runtime import Run
from interpreter.seeds import random_numbers, random_state
from interpreter.state import Outcome, State

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.native.build import NativeProblem

STEPS = 2**62  # decisions of a rollout that goes on to the end: the game's limit is the only one


class Simulator:
    """Plays compiled rules at random."""

    def __init__(self, rules: CompiledRules, limit: int) -> None:
        self.rules = rules
        self.limit = limit

    problem: NativeProblem | None = None

    def compile(self) -> bool:
        return False

    def play(self, seed: int) -> tuple[int, ...]:
        """Return the final vector of the game with this seed."""
        return self.in_python(seed)

    def in_python(self, seed: int) -> tuple[int, ...]:
        vector, run = list(self.rules.layout.start), self._run(seed, 0)
        self.rules.random.go(vector, run, self.rules.program.begin)
        return tuple(vector)

    def games(self, games: int, seed: int) -> array[int]:
        """Return the final vectors of the games with the seeds seed, seed + 1, …, one after the other."""
        out = array("i")
        for i in range(games):
            out.extend(self.play(seed + i))
        return out

    def trace(self, seed: int) -> Run:
        """Return what was decided, and why points were scored, in the game with this seed."""
        run = self._run(seed, 0)
        self.rules.traced.go(list(self.rules.layout.start), run, self.rules.program.begin)
        return run

    def rollout(
        self, vector: Sequence[int], seed: int, steps: int, rounds: int, scored: bool = False, decisions: int = 0
    ) -> tuple[int, ...]:
        """Return the vector where a rollout ended: the game is over, or waits for the decision that was too many.

        `scored` says that somebody has scored before, and chance has not come since; `decisions` were made before.
        """
        run, end = self._run(seed, decisions), list(vector)
        run.steps, run.rounds, run.scored = steps, rounds, int(scored)
        if end[BLOCK]:
            self.rules.random.go(end, run, end[BLOCK])
        return tuple(end)

    def _run(self, seed: int, decisions: int) -> Run:
        run = Run(self.limit, decisions)
        run.below, run.steps = random_numbers(random_state(seed)), STEPS
        return run


class Simulation:
    """Simulated games: game number i is the one that `playout(seed + i)` gives."""

    def __init__(self, game: Game, seed: int, vectors: array[int]) -> None:
        self.game = game
        self.seed = seed
        self.vectors = vectors  # final vectors, one after the other
        self._size = game.layout.size

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
        return self.vectors[self.game.layout.variables["score"].base + player - 1 :: self._size]

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
