"""The result of a generated rule file: that the voices agree, where they differ, and the smallest file that shows it."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from subprocess import CalledProcessError
from tempfile import TemporaryDirectory
from traceback import extract_tb, format_exception
from typing import Any
from unittest.mock import patch

from interpreter import fault, reference
from interpreter.compile import steps, to_c, to_python
from rulespec import cache
from rulespec.checks import work
from rulespec.diagnostics.diagnostic import RuleFileError
from rulespec.rules import Rules, open_rules
from rulespec.syntax import Model
from rulespec.yaml.dump import mapping_text
from tests.agreement import Disagreement, Ended, compare_alike, compare_model, verified
from tests.compiled import Compiled, Native, compile_many
from tests.generated.smaller import smaller

GAMES = 3  # of each file, at the table and again at random
LIMIT = 100  # decisions of one game
EACH_PASS = 10  # of so many files that are not looked at in brief, one program is verified after each pass, the others after all


@dataclass(frozen=True)
class Limits:
    """Limits of a game. Low limits show whether all voices count alike."""

    idle: int = fault.IDLE_LIMIT
    moves: int = work.MOST_MOVES


USUAL = Limits()
LOW = Limits(idle=7, moves=9)


@contextmanager
def limited(limits: Limits) -> Iterator[None]:
    """Give every voice these limits for a while."""
    with ExitStack() as stack:
        if limits != USUAL:
            for module in (reference, to_python, to_c):
                stack.enter_context(patch.object(module, "IDLE_LIMIT", limits.idle))
            for module in (reference, to_python, to_c, steps):
                stack.enter_context(patch.object(module, "MOST_MOVES", limits.moves))
        yield


@contextmanager
def without_collecting() -> Iterator[None]:
    """Leave cycles of objects where they are for a while: to look for them again and again takes a sixth of the time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@dataclass(frozen=True)
class Finding:
    """Where the voices differ in one file."""

    kind: str  # what differs; an exception of the engine's is named
    words: str
    file: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.words}\n\n{mapping_text(self.file, 'generated')}"


def checked(file: dict[str, Any]) -> tuple[Rules, Model] | None:
    """Return the rules of a file and its model, with the last choice of each option; None if the checker refuses it.

    Nothing of a file that is looked at once is kept for later.
    """
    with patch.object(cache, "recall", lambda kind, *depends: None), patch.object(cache, "keep"):
        try:
            rules = open_rules(file)
            model, _ = rules.check(None, {name: list(option)[-1] for name, option in file.get("options", {}).items()})
        except RuleFileError:
            return None
    return rules, model


@dataclass(frozen=True)
class Examined:
    """The result of one file."""

    finding: Finding | None = None
    refused: bool = False  # by the checker


def difference(file: dict[str, Any], native: bool = False, limits: Limits = USUAL) -> Finding | None:
    """Return where the voices differ, if they do and the file is good; or how the checker or the lowering stumbled."""
    return examine([file], [native], limits)[0].finding


def examine(
    files: Sequence[dict[str, Any]],
    native: Sequence[bool],
    limits: Limits = USUAL,
    told: Sequence[Sequence[str]] | None = None,
    brief: Sequence[bool] | None = None,
) -> list[Examined]:
    """Return what comes of some files; those for which `native` holds are compiled together, and compared in C too.

    `told`: decisions of one more game of each. Those for which `brief` holds are compared in games that are decided alike,
    neither watched nor by the verbs of a `Game`, and the program is not verified.
    """
    short = brief or [False] * len(files)
    with limited(limits), without_collecting(), TemporaryDirectory() as name:
        lowered = [
            _lowered(file, is_brief, short[:number].count(False) % EACH_PASS == 0)
            for number, (file, is_brief) in enumerate(zip(files, short, strict=True))
        ]
        ready = [good[1] for good, wanted in zip(lowered, native, strict=True) if wanted and isinstance(good, tuple)]
        ready = [compiled for compiled in ready if not compiled.program.remembers]
        in_c = _compiled(ready, Path(name))
        return [
            good if isinstance(good, Examined) else Examined(_compared(file, *good, in_c, decided, is_brief))
            for file, good, decided, is_brief in zip(files, lowered, told or [()] * len(files), short, strict=True)
        ]


def _lowered(file: dict[str, Any], brief: bool, each: bool) -> tuple[Rules, Compiled] | Examined:
    """Return the program of a good file, verified unless it is looked at in brief; `each`: after each of the passes."""
    try:
        good = checked(file)
    except Exception as error:  # whatever it is, it is a finding
        return Examined(Finding(f"loading: {type(error).__name__}", "".join(format_exception(error)), file))
    if good is None:
        return Examined(refused=True)
    try:
        return good[0], Compiled(good[1]) if brief else verified(good[1], each)
    except Exception as error:
        return Examined(_stumbled(error, file))


def _compiled(programs: Sequence[Compiled], folder: Path) -> dict[int, Native | CalledProcessError]:
    """Return the libraries of some programs, by identity; for one that the compiler refuses, what it says."""
    try:
        return {id(c): native for c, native in zip(programs, compile_many(programs, folder), strict=True)}
    except CalledProcessError as error:
        if len(programs) == 1:
            return {id(programs[0]): error}
    found: dict[int, Native | CalledProcessError] = {}
    for i, c in enumerate(programs):
        alone = folder / str(i)
        alone.mkdir()
        found |= _compiled([c], alone)
    return found


def _compared(
    file: dict[str, Any],
    rules: Rules,
    compiled: Compiled,
    natives: Mapping[int, Native | CalledProcessError],
    told: Sequence[str],
    brief: bool,
) -> Finding | None:
    native = natives.get(id(compiled))
    if isinstance(native, CalledProcessError):
        return Finding("compiling", str(native), file)
    try:
        if brief:
            compare_alike(compiled, GAMES, LIMIT, native)
        else:
            compare_model(compiled, GAMES, LIMIT, native, told, rules)
    except Exception as error:
        return _stumbled(error, file)
    return None


def _stumbled(error: Exception, file: dict[str, Any]) -> Finding:
    if isinstance(error, Disagreement):
        stumbled = isinstance(error.other, Ended) and isinstance(error.other.told, str)
        kind = f"{error.what}: {error.other.told.split(':')[0]}" if stumbled else error.what  # type: ignore[attr-defined]
        return Finding(kind, str(error), file)
    where = extract_tb(error.__traceback__)[-1]
    return Finding(f"lowering: {type(error).__name__} in {where.name}", "".join(format_exception(error)), file)


def smallest(finding: Finding, native: bool = False, limits: Limits = USUAL, most: int = 1500) -> Finding:
    """Return the same difference in the smallest file found within so many tries."""

    def shows(file: dict[str, Any]) -> bool:
        found = difference(file, native, limits)
        return found is not None and found.kind == finding.kind

    return difference(smaller(finding.file, shows, most), native, limits) or finding
