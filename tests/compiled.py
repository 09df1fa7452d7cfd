"""Plays the program of `interpreter/compile` decision by decision, printed as Python."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from interpreter.compile.lower import lower
from interpreter.compile.program import Ask, Program
from interpreter.compile.to_c import to_c
from interpreter.compile.to_python import to_python
from interpreter.layout import BLOCK
from interpreter.run.runtime import Run, many, record_points, several, store_list
from rulespec.model.model import Model

Rows = Sequence[tuple[int, int]]


def weighted(rows: Rows, random: Callable[[], float]) -> int:
    """A value, by its weight."""
    left = int(random() * sum(n for _, n in rows))
    for value, n in rows:
        left -= n
        if left < 0:
            return value
    raise AssertionError(rows)


def drawn(rows: Rows, below: Callable[[int], int]) -> int:
    return weighted(rows, lambda: below(total) / total) if (total := sum(n for _, n in rows)) else 0


def pick(
    groups: list[tuple[int, tuple[int, ...], Sequence[Any]]], below: Callable[[int], int]
) -> tuple[int, tuple[int, ...], Any]:
    """One of all moves in these groups."""
    left = below(sum(len(last) for *_, last in groups))
    for move, first, last in groups:
        if left < len(last):
            return move, first, last[left]
        left -= len(last)
    raise AssertionError(groups)


MASK = 2**64 - 1
ENDLESS = 10**9  # decisions


def below_from(state: int) -> Callable[[int], int]:
    """Random numbers as the C has them: PCG XSH-RS."""

    def below(n: int) -> int:
        nonlocal state
        state = (state * 6364136223846793005 + 1442695040888963407) & MASK
        return ((((state >> 22) ^ state) >> ((state >> 61) + 22) & 0xFFFFFFFF) * n) >> 32

    return below


class Random(Run):
    """A run in which everybody decides at random."""

    __slots__ = ("below",)

    def __init__(self, state: int) -> None:
        super().__init__(None, 0)
        self.below = below_from(state)
        self.steps = ENDLESS


def functions_of(program: Program, mode: str) -> dict[str, Any]:
    """The functions of a program printed as Python."""

    def fault(number: int, *values: int) -> None:
        raise program.faults[number].fault(*values)

    found: dict[str, Any] = {
        f.__name__: f for f in (fault, several, store_list, record_points, weighted, drawn, pick, many)
    }
    exec(compile(to_python(program, mode), "<program>", "exec"), found)
    return found


def start_of(program: Program) -> list[int]:
    """The position before `setup`, ready to run; `setup` and `play` wait for decisions."""
    vector = list(program.start)
    block = 0
    for name in ("play", "setup"):
        if (entry := program.entries.get(name)) is not None and entry.function is None:
            vector[entry.back], block = block, entry.block
    vector[BLOCK] = block
    return vector


def random_games(program: Program, states: Sequence[int]) -> list[list[int]]:
    """The final positions of random games, in Python."""
    functions = functions_of(program, "random")
    found = []
    for state in states:
        vector, run = start_of(program), Random(state)
        block = vector[BLOCK]
        while block >= 0:
            block = functions[f"b{block}"](vector, run)
        found.append(vector)
    return found


def native_games(program: Program, states: Sequence[int], compiler: str, folder: Path) -> list[list[int]]:
    """The same games in C."""
    source, made = folder / "program.c", folder / "program.so"
    source.write_text(to_c(program))
    flags = ["-O1", "-fwrapv", "-shared", "-fPIC", "-w"]
    subprocess.run([compiler, *flags, "-o", str(made), str(source)], check=True, timeout=120)
    play = ctypes.CDLL(str(made)).rulespec_games
    pointer, number = ctypes.c_void_p, ctypes.c_int64
    play.argtypes, play.restype = (pointer, pointer, pointer, number, pointer, *[number] * 4), number
    size, status = program.size, ctypes.c_int32()
    out = (ctypes.c_int32 * (size * len(states)))()
    start = (ctypes.c_int32 * size)(*start_of(program))
    seeds = (ctypes.c_uint64 * len(states))(*states)
    done = play(start, out, seeds, len(states), ctypes.byref(status), ENDLESS, 0, 0, ENDLESS)
    assert (done, status.value) == (len(states), 0)
    return [list(out[i * size : (i + 1) * size]) for i in range(len(states))]


class Compiled:
    """One game in play, chance left open."""

    def __init__(self, model: Model) -> None:
        self.program, self.layout = lower(model)

        self.functions = functions_of(self.program, "wait")
        self.vector = list(self.program.start)
        self.run = Run(None, 0)
        self._go(
            self._enter("setup", self._enter("play", 0)) if "setup" in self.program.entries else self._enter("play", 0)
        )

    def _enter(self, procedure: str, then: int) -> int:
        entry = self.program.entries[procedure]
        if entry.function is not None:
            self.functions[f"f{entry.function}"](self.vector, self.run)
            return then
        self.vector[entry.back] = then
        return entry.block

    def _go(self, block: int) -> None:
        while block >= 0:
            block = self.functions[f"b{block}"](self.vector, self.run)

    @property
    def at(self) -> int:
        """The block that waits; 0 at the end of the game."""
        return self.vector[BLOCK]

    def moves(self) -> list[tuple[int, tuple[Any, ...]]]:
        """The legal moves in order: a move's number and what is chosen."""
        _, groups = self.functions[f"ask{self.at}"](self.vector, self.run)
        return [
            (move, first if value is None and last == (None,) else (*first, value))
            for move, first, last in groups
            for value in last
        ]

    def number_of(self, move: int, args: Any) -> int:
        """The number under which a move of the rules is listed with these choices."""
        return next(n for n, chosen in self.moves() if self.program.moves[n] == move and chosen == args)

    def chances(self) -> list[tuple[int, int]]:
        return [tuple(row) for row in self.functions[f"weights{self.at}"](self.vector, self.run)]

    @property
    def asks(self) -> bool:
        return isinstance(self.program.decisions.get(self.at), Ask)

    def apply(self, move: int, args: Any) -> None:
        self.run.idle = 0
        self._go(self.functions[f"play{self.at}"](self.vector, self.run, move, args))
