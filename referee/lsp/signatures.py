"""Signature help: the call that a position is in, and which of its arguments."""

from __future__ import annotations

import re
from dataclasses import dataclass

from referee.lsp.analysis import Analysis, in_comment, section_at
from referee.lsp.symbols import Name, builtin_names
from referee.lsp.written import ACTS

_CALLED = re.compile(r"([a-z][a-z0-9_]*)$")
LONGEST = 4000  # characters of a line that are looked at


@dataclass(frozen=True, slots=True)
class CallSite:
    """A call, with the parameters as they are written in its usage, and the number of the one that is being written."""

    name: Name
    parameters: tuple[str, ...]
    active: int


def call_at(found: Analysis, line: int, column: int) -> CallSite | None:
    """Return the innermost call or index around a position, if it is known what it takes."""
    lines = found.lines
    whole = (lines[line - 1] if line <= len(lines) else "")[: column - 1]
    before = whole[-LONGEST:]
    if in_comment(before + " ", column):
        return None
    depth = active = 0
    for at in range(len(before) - 1, -1, -1):
        c = before[at]
        if c in ")]}":
            depth += 1
        elif c in "([{" and depth:
            depth -= 1
        elif c == "," and not depth:
            active += 1
        elif c in "([":
            word = _CALLED.search(before[:at])
            section = section_at(found, line, word.start() + 1 + len(whole) - len(before)) if word else "-"
            name = _callable(found, section, word[1], c) if word else None
            if name is not None:
                return CallSite(name, _parameters(name), active)
            active = 0
        elif c == "{":
            return None
    return None


def _callable(found: Analysis, section: str, word: str, bracket: str) -> Name | None:
    name = builtin_names().get(word) if bracket == "(" else None
    if name is None or not name.builtin:
        everywhere = (
            found.names.get((one, word)) for one in (section, "", *ACTS)
        )  # what is being written may not be read yet
        name = next((one for one in everywhere if one is not None and bracket in one.written), None)
    return name if name is not None and bracket in name.written else None


def _parameters(name: Name) -> tuple[str, ...]:
    inside = re.split(r"[(\[]", name.written, maxsplit=1)[-1].rstrip(")]")
    return tuple(part.strip() for part in inside.split(","))
