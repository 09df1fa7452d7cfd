"""From C text to functions that can be called: the machine's compiler, what it made before, ctypes."""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from array import array
from dataclasses import dataclass
from pathlib import Path
from struct import Struct
from threading import get_ident

from interpreter.fault import LIMIT
from rulespec import cache

COMPILERS = ("cc", "gcc", "clang")
FLAGS = ("-O1", "-fwrapv", "-w", "-shared", "-fPIC")
TIME_LIMIT = 30.0  # seconds a compiler may take
LOOK = 0.02  # seconds between two looks whether it is done
AT_ONCE = 500  # games a call

DONE, STOPPED, FAULT = 0, 3, 4  # how a native game ends, as in the C; from FAULT on: the number of the fault


@dataclass(frozen=True, slots=True)
class NativeProblem:
    """Why games are played in Python alone.

    `off`: it was asked for; `machine`: there is no compiler, or another kind of machine; `translation`: the program
    has no C; `time`, `refused`: the compiler was given up, or gave up; `loading`: what it made cannot be used.
    """

    code: str
    message: str

    @property
    def is_trouble(self) -> bool:
        """Whether something went wrong that goes right on other days: people are told."""
        return self.code in ("time", "refused", "loading")


class BuildError(Exception):
    """There is no native code; `problem` says why."""

    def __init__(self, code: str, message: str) -> None:
        self.problem = NativeProblem(code, message)
        super().__init__(message)


class _Signals(ctypes.Structure):
    """How C asks Python whether a signal came: functions of Python's own, the exception a handler raised, and when."""

    _fields_ = (
        ("enter", ctypes.c_void_p),
        ("check", ctypes.c_void_p),
        ("fetch", ctypes.c_void_p),
        ("leave", ctypes.c_void_p),
        ("error", ctypes.c_void_p * 3),
        ("fuel", ctypes.c_int64),
        ("stretch", ctypes.c_int64),
        ("looked", ctypes.c_int64),
        ("asked", ctypes.c_int64),
    )


class Native:
    """A compiled simulation."""

    def __init__(self, library: ctypes.CDLL, start: list[int]) -> None:
        self.size = len(start)
        self._vector = ctypes.c_int32 * self.size
        self._start = self._vector(*start)
        numbers = Struct(f"{self.size}i")
        self._numbers, self._packed = numbers.unpack, numbers.pack
        pointer, number = ctypes.c_void_p, ctypes.c_int64
        self._play = library.rulespec_play
        self._play.argtypes = (pointer, pointer, ctypes.c_char_p, number, number, pointer)
        self._play.restype = ctypes.c_int
        self._games = library.rulespec_games
        counts = (number, number, number, number)
        self._games.argtypes = (pointer, pointer, ctypes.c_uint64, number, pointer, *counts, pointer)
        self._games.restype = ctypes.c_int64
        self._signals = _signals()
        self._by_reference = ctypes.byref(self._signals)
        self._main = threading.main_thread().ident

    @staticmethod
    def fault(status: int) -> int | None:
        """Return the number of the fault a game ended with; None if it was left to Python."""
        return status - FAULT if status >= FAULT else None

    def play(self, seed: int, limit: int = LIMIT) -> tuple[int, tuple[int, ...]]:
        """Play one game of at most so many decisions: how it ended, and the vector then."""
        seed = abs(seed)
        words = (seed.bit_length() + 31) // 32 or 1
        vector, key = self._vector(), seed.to_bytes(4 * words, "little")
        status: int = self._play(self._start, vector, key, words, limit, self._ask())
        if status == STOPPED:
            self._raise()
        return status, self._numbers(vector)

    def rollout(
        self, vector: tuple[int, ...], seed: int, steps: int, rounds: int, scored: bool, limit: int = LIMIT
    ) -> tuple[int, tuple[int, ...]]:
        """Play on from a position: how it ended, and the vector then."""
        out, status = self._vector(), ctypes.c_int32(DONE)
        start = self._packed(*vector)
        self._games(start, out, seed, 1, ctypes.byref(status), steps, rounds, scored, limit, self._ask())
        if status.value == STOPPED:
            self._raise()
        return status.value, self._numbers(out)

    def games(self, first: int, games: int, out: array[int], limit: int = LIMIT) -> int:
        """Games with the seeds first, first + 1, …; their vectors are added to `out` up to one that did not end well.

        Returns how the last game ended.
        """
        status, counts = ctypes.c_int32(DONE), (0, 0, 0, limit)
        while games and status.value == DONE:
            many = min(games, AT_ONCE)
            vectors = (ctypes.c_int32 * (self.size * many))()
            played = self._games(self._start, vectors, first, many, ctypes.byref(status), *counts, self._ask())
            if status.value == STOPPED:
                self._raise()
            out.frombytes(memoryview(vectors).cast("B")[: 4 * self.size * played])
            first += played
            games -= played
        return status.value

    # ctypes lets go of Python while C runs, so a signal's handler, which Python runs between two of its own steps,
    # would wait for C to come back. Now and then C enters Python and has the handlers run. If one raises, as that of
    # Ctrl-C does, C takes the exception along, leaves the game and comes back; here it is raised again. A Python
    # function as a callback would not do: ctypes drops what is raised in one.

    def _ask(self) -> object:
        """What C asks for signals with; None where it need not: Python runs handlers in its main thread only."""
        return self._by_reference if get_ident() == self._main else None

    def _raise(self) -> None:
        """Raise what a signal's handler raised while C was running."""
        restore = ctypes.pythonapi.PyErr_Restore
        restore.argtypes, restore.restype = (ctypes.c_void_p,) * 3, None
        restore(*self._signals.error)


def _signals() -> _Signals:
    python = ctypes.pythonapi
    functions = (python.PyGILState_Ensure, python.PyErr_CheckSignals, python.PyErr_Fetch, python.PyGILState_Release)
    return _Signals(*(ctypes.cast(f, ctypes.c_void_p).value for f in functions), fuel=64, stretch=64)


# Building ----------------------------------------------------------------------------------------------------------


def build(text: str, start: list[int]) -> Native:
    """Return the compiled C text; BuildError where there is none."""
    return Compiler().build(text, start)


class Compiler:
    """Runs the machine's compiler. Another thread, or the end of the program, can stop it."""

    def __init__(self) -> None:
        self._stop = threading.Event()
        self._done = threading.Event()

    def build(self, text: str, start: list[int]) -> Native:
        """Return the compiled C text; BuildError where there is none."""
        compiler = next(filter(None, map(shutil.which, COMPILERS)), None)
        if compiler is None:
            raise BuildError("machine", f"there is no C compiler ({', '.join(COMPILERS)}) on this machine")
        if sys.byteorder != "little" or array("i").itemsize != 4 or not all(-(2**31) < n < 2**31 for n in start):
            raise BuildError("machine", "numbers of this machine, or of these rules, are not those of the C program")
        atexit.register(self.stop)  # a daemon thread does not outlive the program, and neither does its compiler
        try:
            return Native(self._library(compiler, text), start)
        except OSError as error:
            raise BuildError("loading", f"the compiled program cannot be used: {error}") from None
        finally:
            self._done.set()
            atexit.unregister(self.stop)

    def stop(self) -> None:
        """Give up, and wait until nothing is left behind."""
        self._stop.set()
        self._done.wait(1)

    def _library(self, compiler: str, text: str) -> ctypes.CDLL:
        depends = (text, *FLAGS, *_identity(compiler))
        made = cache.recall("native", *depends)
        if made is not None:
            try:
                return _loaded(made)
            except OSError:
                pass  # of another machine that has the same home: compiled anew
        with cache.workplace() as folder:
            made = self._compile(compiler, text, folder)
        cache.keep("native", made, *depends)
        return _loaded(made)

    def _compile(self, compiler: str, text: str, folder: Path) -> bytes:
        """Return the library. The compiler and all its children are gone afterwards, whatever happens."""
        source, made = folder / "simulation.c", folder / "simulation.so"
        source.write_text(text)
        nothing = subprocess.DEVNULL
        process = None
        try:
            process = subprocess.Popen(
                [compiler, *FLAGS, "-o", str(made), str(source)],
                stdin=nothing,
                stdout=nothing,
                stderr=nothing,
                env={**os.environ, "TMPDIR": str(folder)},
                start_new_session=True,
            )
            self._wait(process, compiler)
        finally:
            if process is not None:
                _end_group(process)
        if process.returncode:
            raise BuildError("refused", f"the compiler `{compiler}` ended with status {process.returncode}")
        return made.read_bytes()

    def _wait(self, process: subprocess.Popen[bytes], compiler: str) -> None:
        most = time.monotonic() + TIME_LIMIT
        while process.poll() is None:
            if time.monotonic() > most:
                raise BuildError("time", f"the compiler `{compiler}` was not done within {TIME_LIMIT:g} seconds")
            if self._stop.wait(LOOK):
                raise BuildError("off", "the program ended before its compiler")


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and everything it started, and wait for it."""
    with contextlib.suppress(ProcessLookupError, PermissionError):  # of a group that is gone
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _identity(compiler: str) -> tuple[str, ...]:
    """Return what tells one compiler from another, on this or another machine."""
    path = os.path.realpath(compiler)
    found = os.stat(path)
    return path, str(found.st_size), str(found.st_mtime_ns), os.uname().machine


def _loaded(made: bytes) -> ctypes.CDLL:
    """Load a library from a private copy, which has no name afterwards: nobody can cut it while it is in use."""
    with cache.workplace() as folder:
        path = folder / "library.so"
        path.write_bytes(made)
        return ctypes.CDLL(str(path))
