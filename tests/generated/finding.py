"""The result of a generated rule file: that the voices agree, where they differ, and the smallest file that shows it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
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
from tests.agreement import Disagreement, Ended
from tests.generated.smaller import smaller
from tests.programs import compare_model

GAMES = 3  # of each file, at the table and again at random
LIMIT = 100  # decisions of one game


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


def difference(file: dict[str, Any], native: bool = False, limits: Limits = USUAL) -> Finding | None:
    """Return where the voices differ, if they do and the file is good; or how the checker or the lowering stumbled."""
    try:
        good = checked(file)
    except Exception as error:  # whatever it is, it is a finding
        return Finding(f"loading: {type(error).__name__}", "".join(format_exception(error)), file)
    if good is None:
        return None
    try:
        with limited(limits), folder(native) as place:
            compare_model(good[1], GAMES, LIMIT, place)
    except Disagreement as found:
        stumbled = isinstance(found.other, Ended) and isinstance(found.other.told, str)
        kind = f"{found.what}: {found.other.told.split(':')[0]}" if stumbled else found.what  # type: ignore[attr-defined]
        return Finding(kind, str(found), file)
    except Exception as error:
        where = extract_tb(error.__traceback__)[-1]
        return Finding(f"lowering: {type(error).__name__} in {where.name}", "".join(format_exception(error)), file)
    return None


@contextmanager
def folder(wanted: bool) -> Iterator[Path | None]:
    """Yield a folder for a library, if one is wanted."""
    if not wanted:
        yield None
        return
    with TemporaryDirectory() as name:
        yield Path(name)


def smallest(finding: Finding, native: bool = False, limits: Limits = USUAL, most: int = 1500) -> Finding:
    """Return the same difference in the smallest file found within so many tries."""

    def shows(file: dict[str, Any]) -> bool:
        found = difference(file, native, limits)
        return found is not None and found.kind == finding.kind

    return difference(smaller(finding.file, shows, most), native, limits) or finding
