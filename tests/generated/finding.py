"""What a generated rule file shows: that the voices agree, where they differ, and the smallest file that shows it."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from traceback import format_exception
from typing import Any
from unittest.mock import patch

from interpreter import Game
from rulespec import cache
from rulespec.diagnostics.diagnostic import RuleFileError
from rulespec.expr.parse import parsed
from rulespec.model.model import Model
from rulespec.rules import Rules, open_rules
from rulespec.yaml.dump import mapping_text
from tests.agreement import Disagreement, Ended, compare_all
from tests.generated.smaller import smaller

GAMES = 2  # of each file
LIMIT = 100  # decisions of one game
MOST_PARSED = 5000  # texts that are kept parsed


@dataclass(frozen=True)
class Finding:
    """Where the voices differ in one file."""

    kind: str  # what differs; an exception of the engine's is named
    words: str
    file: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.words}\n\n{mapping_text(self.file, 'generated')}"


def checked(file: dict[str, Any]) -> tuple[Rules, Model] | None:
    """The rules of a file and its model, with the last choice of each option; None if the checker refuses it.

    Nothing of a file that is looked at once is kept for later.
    """
    with patch.object(Rules, "_remembered_parses", lambda rules: nullcontext()), patch.object(cache, "keep"):
        try:
            rules = open_rules(file)
            model, _ = rules.check(None, {name: list(option)[-1] for name, option in file.get("options", {}).items()})
        except RuleFileError:
            return None
    if len(parsed) > MOST_PARSED:
        parsed.clear()
    return rules, model


def difference(file: dict[str, Any], native: bool = False) -> Finding | None:
    """Where the voices differ, if they do and the file is good; or how the checker or the generator stumbled."""
    try:
        good = checked(file)
        game = Game(*good) if good is not None else None
    except Exception as error:  # whatever it is, it is a finding
        return Finding(f"loading: {type(error).__name__}", "".join(format_exception(error)), file)
    if game is None:
        return None
    try:
        compare_all(game, range(GAMES), LIMIT, native)
    except Disagreement as found:
        stumbled = isinstance(found.other, Ended) and isinstance(found.other.told, str)
        kind = f"{found.what}: {found.other.told.split(':')[0]}" if stumbled else found.what  # type: ignore[attr-defined]
        return Finding(kind, str(found), file)
    return None


def smallest(finding: Finding, native: bool = False, most: int = 1500) -> Finding:
    """The same difference in the smallest file found within so many tries."""

    def shows(file: dict[str, Any]) -> bool:
        found = difference(file, native)
        return found is not None and found.kind == finding.kind

    return difference(smaller(finding.file, shows, most), native) or finding
