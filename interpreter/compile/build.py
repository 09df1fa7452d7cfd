"""From C text to a library that can be called: the machine's compiler, what it made before, ctypes.

A library is kept under a mark of what it was made from, not of its C text: rules, options, players and this engine. Where
it is kept, nothing is translated and nothing compiled.
"""

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
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache as once
from pathlib import Path
from typing import Any

from rulespec import __version__, cache

COMPILERS = ("cc", "gcc", "clang")
# no product and sum in one rounding: Python has two
FLAGS = ("-O3", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off", "-w", "-shared", "-fPIC")
TIME_LIMIT = 60.0  # seconds a compiler may take
LOOK = 0.02  # seconds between two checks whether it is done
MOST_DETAIL = 300  # characters of a compiler's own words

# why games are played in Python only
OFF, RULES, MACHINE, TIME, REFUSED, LOADING = "off", "rules", "machine", "time", "refused", "loading"


@dataclass(frozen=True, slots=True)
class NativeProblem:
    """The reason why games are played in Python only.

    `off`: the user said so; `rules`: they remember positions; `machine`: there is no compiler, or another kind of machine; `time`: the compiler took too long;
    `refused`: it failed; `loading`: what it made cannot be used. The fields hold what the message says, one by one.
    """

    code: str
    message: str
    compiler: str = ""
    status: int | None = None  # what the compiler ended with
    seconds: float | None = None  # after which it was stopped
    detail: str = ""  # the first words of its own complaint

    @property
    def is_worth_reporting(self) -> bool:
        """Return whether people should know about it, since it may work another time."""
        return self.code in (TIME, REFUSED, LOADING)

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data for JSON, without fields that do not apply."""
        found: dict[str, Any] = {"code": self.code, "message": self.message, "compiler": self.compiler}
        found |= {"status": self.status, "seconds": self.seconds, "detail": self.detail}
        return {key: value for key, value in found.items() if value not in ("", None)}


class BuildError(Exception):
    """There is no native library; `problem` says why."""

    def __init__(self, problem: NativeProblem) -> None:
        self.problem = problem
        super().__init__(problem.message)


def switched_off() -> NativeProblem | None:
    """Return why nothing native is to be used, if the user said so."""
    if os.environ.get("RULESPEC_NATIVE") == "0":
        return NativeProblem(OFF, "RULESPEC_NATIVE is 0")
    return None


def not_in_c() -> NativeProblem:
    """Return why games that remember are played in Python: what they note is not among the numbers of a position."""
    return NativeProblem(RULES, "games that remember positions are played in Python")


def kept_library(depends: tuple[str, ...]) -> ctypes.CDLL | None:
    """Return the library that was made from these before, if it is still there and good."""
    compiler = _compiler()
    made = None if compiler is None else cache.recall("native", *_all_it_depends_on(compiler, depends))
    if made is None:
        return None
    try:
        return _loaded(made)
    except OSError:
        return None  # of another machine that has the same home: compiled again


def build_library(depends: tuple[str, ...], text: Callable[[], str]) -> ctypes.CDLL:
    """Return the library that is made from these: kept from before, or compiled from `text()`. BuildError if there is none."""
    return Compiler().build(depends, text)


def shared_library(name: str, text: str) -> ctypes.CDLL | None:
    """Return a library made from a C text of our own; None where there is none. It is kept under its name and text."""
    if switched_off() is not None:
        return None
    try:
        return build_library((name, text), lambda: text)
    except BuildError:
        return None


class Compiler:
    """Runs the machine's compiler. Another thread, or the end of the program, can stop it."""

    def __init__(self) -> None:
        self._stop = threading.Event()
        self._done = threading.Event()

    def build(self, depends: tuple[str, ...], text: Callable[[], str]) -> ctypes.CDLL:
        """Return the library of a text; BuildError where there is none."""
        compiler = _compiler()
        if compiler is None:
            raise BuildError(NativeProblem(MACHINE, f"there is no C compiler ({', '.join(COMPILERS)}) on this machine"))
        if sys.byteorder != "little" or array("i").itemsize != 4 or array("q").itemsize != 8:
            raise BuildError(NativeProblem(MACHINE, "this machine does not store numbers as the C program expects"))
        if (kept := kept_library(depends)) is not None:
            return kept
        atexit.register(self.stop)  # a daemon thread does not outlive the program, and neither does its compiler
        try:
            with cache.workplace() as folder:
                made = self._compile(compiler, text(), folder)
            cache.keep("native", made, *_all_it_depends_on(compiler, depends))
            return _loaded(made)
        except OSError as error:
            message = f"the compiled program cannot be used: {error}"
            raise BuildError(NativeProblem(LOADING, message, compiler)) from None
        finally:
            self._done.set()
            atexit.unregister(self.stop)

    def stop(self) -> None:
        """Stop, and wait until nothing is left behind."""
        self._stop.set()
        self._done.wait(1)

    def _compile(self, compiler: str, text: str, folder: Path) -> bytes:
        """Return the library. The compiler and all its children are gone afterwards, whatever happens."""
        source, made, said = folder / "games.c", folder / "games.so", folder / "said"
        source.write_text(text)
        process = None
        try:
            with said.open("wb") as words:
                process = subprocess.Popen(
                    [compiler, *FLAGS, "-o", str(made), str(source)],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=words,
                    env={**os.environ, "TMPDIR": str(folder)},
                    start_new_session=True,
                )
            self._wait(process, compiler)
        finally:
            if process is not None:
                _end_group(process)
        if process.returncode:
            message = f"the compiler `{compiler}` ended with status {process.returncode}"
            detail = _first_words(said, folder)
            raise BuildError(NativeProblem(REFUSED, message, compiler, process.returncode, detail=detail))
        return made.read_bytes()

    def _wait(self, process: subprocess.Popen[bytes], compiler: str) -> None:
        most = time.monotonic() + TIME_LIMIT
        while process.poll() is None:
            if time.monotonic() > most:
                message = f"the compiler `{compiler}` did not finish within {TIME_LIMIT:g} seconds"
                raise BuildError(NativeProblem(TIME, message, compiler, seconds=TIME_LIMIT))
            if self._stop.wait(LOOK):
                raise BuildError(NativeProblem(OFF, "the program ended before the compiler did", compiler))


def _compiler() -> str | None:
    return next(filter(None, map(shutil.which, COMPILERS)), None)


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and everything it started, and wait for it."""
    with contextlib.suppress(ProcessLookupError, PermissionError):  # of a group that is gone
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _first_words(said: Path, folder: Path) -> str:
    """Return how a compiler's complaint begins, in one line, without the name of our folder."""
    with said.open("rb") as words:
        text = words.read(4 * MOST_DETAIL).decode(errors="replace").replace(f"{folder}/", "")
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:MOST_DETAIL]


def _all_it_depends_on(compiler: str, depends: tuple[str, ...]) -> tuple[str, ...]:
    """Return what a library depends on: what it is made from, this engine, the compiler, the kind of machine."""
    path = os.path.realpath(compiler)
    found = os.stat(path)
    return (*depends, *_engine(), *FLAGS, path, str(found.st_size), str(found.st_mtime_ns), os.uname().machine)


@once
def _engine() -> tuple[str, ...]:
    """Return what distinguishes this engine from another: its version, and the state of the files that make programs."""
    root = Path(__file__).parent.parent.parent
    found: list[str] = []
    folders = [root / "rulespec", root / "interpreter"]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(Path(entry.path))
                elif entry.name.endswith((".py", ".lark")):
                    stat = entry.stat()
                    found.append(f"{entry.path} {stat.st_size} {stat.st_mtime_ns}")
    return (__version__, *sorted(found))


def _loaded(made: bytes) -> ctypes.CDLL:
    """Load a library from a private copy, which has no name afterwards: nobody can cut it while it is in use."""
    with cache.workplace() as folder:
        path = folder / "library.so"
        path.write_bytes(made)
        return ctypes.CDLL(str(path))
