"""The blocks once more, for games that go on at random from any position: what waits in play decides here.

Blocks, frames and slots are those of the program that waits, so its positions are this program's positions. Points
and decisions are counted, not recorded: a run ends with the game, when `X.steps` decisions were made, or where chance
comes for the `X.rounds`-th time after somebody scored.
"""

from __future__ import annotations

from interpreter.generate.flow import WAIT
from interpreter.generate.simulation import Simulation
from interpreter.generate.terms import Bound, Env
from interpreter.layout import BLOCK
from rulespec.model.model import AskStep, DrawStep, Move, RollStep, Template


class Rollout(Simulation):
    """Writes blocks in which everybody decides at random."""

    _after = 0  # the block that follows the decision being written
    _otherwise: int | None = None  # the block for a player without a move
    _number = 0  # the block being written

    def log_points(self, who: str, lines: list[tuple[str, Template]], scopes: list[Env], gained: str) -> None:
        self.x.writer.line("X.scored = 1")

    def write_dispatch(self) -> None:
        """`simulate` runs block after block; `go` finds a block by its number."""
        w = self.x.writer
        with w.function("def simulate(S, X, bits_):"):
            w.line("global bits")
            w.line("bits = bits_")
            w.line(f"block = S[{BLOCK}]")
            w.line("if block == 0: return")
            with w.block("while block >= 0:"):
                w.line("block = go(S, X, block)")
        with w.function("def go(S, X, block):"):
            self._find(0, self._next_block)

    def _find(self, low: int, high: int) -> None:
        """The block with a number in low..high - 1, found by halves."""
        w = self.x.writer
        if high - low == 1:
            w.line(f"return b{low}(S, X)")
            return
        middle = (low + high) // 2
        with w.block(f"if block < {middle}:"):
            self._find(low, middle)
        with w.block("else:"):
            self._find(middle, high)

    # decisions -------------------------------------------------------------------------------------------

    def _stop(self, test: str) -> None:
        """Ends the run here, waiting for this decision."""
        w = self.x.writer
        with w.block(f"if {test}:"):
            w.line(f"S[{BLOCK}] = {self._number}")
            w.line(f"return {WAIT}")

    def _write_ask(self, number: int, step: AskStep, env: Env, after: int, otherwise: int | None) -> None:
        for name, _ in step.moves:
            if self.body_waits("moves", name):
                self.frame("moves", name)

        def deciding() -> None:
            self._number, self._after, self._otherwise = number, after, otherwise
            self._stop("X.steps <= 0")
            self._ask_at_random(step, env)

        self._function(f"def b{number}(S, X):", deciding)

    def _play_here(
        self, step: AskStep, move: Move, env: Env, names: list[str], single: str, quick: bool = True
    ) -> None:
        """Plays a chosen move and goes on to the next block."""
        w = self.x.writer
        self._decide(step, single, quick)
        w.line("X.steps -= 1")
        w.forget()
        if not self.body_waits("moves", move.name):
            self.straight(move.does, env)
            w.line(f"return {self._after}")
            return
        frame = self.frame("moves", move.name)
        given = [env["me"], *(env[p.name] for p in move.given)]
        values = [b.text if b.const is None else str(b.const) for b in given]
        self.enter(frame, [*values, *names], list(frame.parameters.values()), self._after)

    def _no_move(self, step: AskStep, env: Env) -> None:
        w = self.x.writer
        if self._otherwise is None:
            w.line(self.fault("the player has no legal move here", step.span))
            w.line(f"return {WAIT}")
        else:
            w.line(f"return {self._otherwise}")

    def _write_draw(self, number: int, step: DrawStep, env: Env, after: int, left: Bound) -> None:
        def drawing() -> None:
            self._number = number
            self._draw_at_random(step, env, left.text)
            self.x.writer.line(f"{left.text} = 0")
            self.x.writer.line(f"return {after}")

        self._function(f"def b{number}(S, X):", drawing)

    def _write_roll(self, number: int, step: RollStep, env: Env, after: int, value: Bound) -> None:
        def rolling() -> None:
            self._number = number
            rolled = self._roll_at_random(step, env)[step.name]
            self.x.writer.line(f"{value.text} = {rolled.text}")
            self.x.writer.line(f"return {after}")

        self._function(f"def b{number}(S, X):", rolling)

    def _before_chance(self, step: DrawStep | RollStep, some: str) -> None:
        w = self.x.writer
        with w.block(f"if X.scored and {some}:"):
            w.line("X.scored = 0")
            w.line("X.rounds -= 1")
            self._stop("X.rounds == 0")
