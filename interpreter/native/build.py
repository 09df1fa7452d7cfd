"""From C text to functions that can be called: the machine's compiler, a cache of what it made, ctypes."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
from array import array
from functools import cache
from hashlib import sha256
from pathlib import Path
from struct import Struct

COMPILERS = ("cc", "gcc", "clang")
FLAGS = ("-O1", "-fwrapv", "-w", "-shared", "-fPIC")
TIME_LIMIT = 30  # seconds a compiler may take
KEPT = 200  # libraries in the cache; older ones are deleted
AT_ONCE = 500  # games a call: between two calls the program can be interrupted

DONE, FAULT = 0, 3  # how a native game ends, as in the C; from FAULT on: the number of the fault


class Native:
    """A compiled simulation."""

    def __init__(self, library: ctypes.CDLL, start: list[int]) -> None:
        self.size = len(start)
        self._vector = ctypes.c_int32 * self.size
        self._start = self._vector(*start)
        numbers = Struct(f"{self.size}i")
        self._numbers, self._packed = numbers.unpack, numbers.pack
        self._play = library.rulespec_play
        self._play.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int64)
        self._play.restype = ctypes.c_int
        self._games = library.rulespec_games
        pointer, number = ctypes.c_void_p, ctypes.c_int64
        self._games.argtypes = (pointer, pointer, ctypes.c_uint64, number, pointer, number, number, number)
        self._games.restype = ctypes.c_int64

    @staticmethod
    def fault(status: int) -> int | None:
        """The number of the fault a game ended with; None if it was left to Python."""
        return status - FAULT if status >= FAULT else None

    def play(self, seed: int) -> tuple[int, tuple[int, ...]]:
        """One game: how it ended, and the vector then."""
        seed = abs(seed)
        words = (seed.bit_length() + 31) // 32 or 1
        vector = self._vector()
        status: int = self._play(self._start, vector, seed.to_bytes(4 * words, "little"), words)
        return status, self._numbers(vector)

    def rollout(
        self, vector: tuple[int, ...], seed: int, steps: int, rounds: int, scored: bool
    ) -> tuple[int, tuple[int, ...]]:
        """A game from a position on: how it ended, and the vector then."""
        out, status = self._vector(), ctypes.c_int32(DONE)
        self._games(self._packed(*vector), out, seed, 1, ctypes.byref(status), steps, rounds, scored)
        return status.value, self._numbers(out)

    def games(self, first: int, games: int, out: array[int]) -> int:
        """Games with the seeds first, first + 1, …; their vectors are added to `out` up to one that did not end well.

        Gives how the last game ended.
        """
        status = ctypes.c_int32(DONE)
        while games and status.value == DONE:
            many = min(games, AT_ONCE)
            vectors = (ctypes.c_int32 * (self.size * many))()
            played = self._games(self._start, vectors, first, many, ctypes.byref(status), 0, 0, 0)
            out.frombytes(memoryview(vectors).cast("B")[: 4 * self.size * played])
            first += played
            games -= played
        return status.value


def build(text: str, start: list[int]) -> Native | None:
    """The compiled C text; None where there is no compiler, or it fails."""
    compiler = next(filter(None, map(shutil.which, COMPILERS)), None)
    if (
        compiler is None
        or sys.byteorder != "little"
        or array("i").itemsize != 4
        or not all(-(2**31) < n < 2**31 for n in start)
    ):
        return None
    version = _version(compiler)
    if version is None:
        return None
    mark = sha256("\n".join((text, version, *FLAGS)).encode()).hexdigest()
    name = f"native-{mark}.so"
    for folder in (_cache_folder(), Path(tempfile.gettempdir()) / f"rulespec-{_user()}"):
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if not _is_ours(folder):
                continue
            path = folder / name
            if not path.exists() and not _compile(compiler, text, path):
                return None
            return Native(ctypes.CDLL(str(path)), start)
        except OSError:
            continue
    return None


def _cache_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or ""
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".cache") / "rulespec"


def _user() -> int:
    return os.getuid() if hasattr(os, "getuid") else 0


def _is_ours(folder: Path) -> bool:
    """Whether nobody else can put a library into the folder for us to load."""
    found = folder.stat()
    return not hasattr(os, "getuid") or (found.st_uid == os.getuid() and not found.st_mode & 0o022)


@cache
def _version(compiler: str) -> str | None:
    """What the compiler says it is."""
    try:
        said = subprocess.run([compiler, "--version"], capture_output=True, timeout=TIME_LIMIT, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return f"{compiler} {said.stdout.decode(errors='replace')}"


def _compile(compiler: str, text: str, path: Path) -> bool:
    """Compiles to a file of its own, then gives it its name: another process never sees half a library."""
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        source, made = Path(folder) / "simulation.c", Path(folder) / "simulation.so"
        source.write_text(text)
        try:
            subprocess.run(
                [compiler, *FLAGS, "-o", str(made), str(source)], capture_output=True, timeout=TIME_LIMIT, check=True
            )
        except subprocess.SubprocessError:
            return False
        os.replace(made, path)
    for old in sorted(path.parent.glob("native-*.so"), key=_age)[:-KEPT]:
        old.unlink(missing_ok=True)
    return True


def _age(path: Path) -> float:
    return path.stat().st_mtime if path.exists() else 0
