"""Diagnostics: what is wrong with a rule file, where, why, and how to fix it."""

from __future__ import annotations

import os
import stat
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from rulespec.diagnostics.visible import visible, visible_letters

MOST_AGAIN = 5  # further places of the same mistake that are named
MOST_EDITS = 100  # places that are changed for one mistake
MOST_SHOWN = 3  # other places are shown with their line, more are only named
LONGEST_LINE = 160  # characters of a line that are shown
LARGEST_FILE = 5_000_000  # bytes of a file whose lines are shown
Run = tuple[str, str]  # a stretch of a line, and its style: place, a level, word, fix, or none

_PACKAGE = Path(__file__).parent.parent
# of the shipped games: in the installed package, or beside it in a checkout
GAMES_FOLDER = _PACKAGE / "games" if (_PACKAGE / "games").is_dir() else _PACKAGE.parent / "games"


def shown_file(file: str) -> str:
    """Return what people call a file: a shipped one is `games/…` wherever it is installed."""
    shipped = f"{GAMES_FOLDER}{os.sep}"
    return f"games/{file.removeprefix(shipped)}" if file.startswith(shipped) else file


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of a file's text. Lines and columns count from 1; the end column is the first one after it."""

    file: str
    line: int
    col: int
    end_line: int
    end_col: int

    def __str__(self) -> str:
        return f"{shown_file(self.file)}:{self.line}:{self.col}"

    @property
    def is_file(self) -> bool:
        """Return whether a file as a whole is meant."""
        return (self.line, self.col, self.end_line, self.end_col) == (1, 1, 1, 1)


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """A change of a file that mends a mistake: `old` stands at `span`, and `new` is to stand there instead."""

    span: Span
    old: str
    new: str
    sure: bool = True  # or a guess: another name or value may be meant

    @property
    def title(self) -> str:
        """Return what the change is called: `change …`, `add …` or `leave out …`."""
        old, new = self.old.strip(), self.new.strip()
        if self.old and "\n" in self.new:
            begun = self.new.rpartition("\n")[2].strip(" -")
            return "put it on a line of its own" + (f" after `{begun}`" if begun else "")
        if not old and not new:
            return "correct the spaces"
        if not old:
            return f"add `{new}`"
        return f"change `{old}` to `{new}`" if new else f"leave out `{old}`"

    def as_data(self) -> dict[str, object]:
        """Return the same as plain data, for `--json`."""
        s = self.span
        where = {"file": s.file, "line": s.line, "column": s.col, "end_line": s.end_line, "end_column": s.end_col}
        return {**where, "old": self.old, "new": self.new, "sure": self.sure}


def edit(span: Span, old: str, new: str | None, sure: bool = True) -> tuple[Edit, ...]:
    """Return the change, alone; none if there is nothing to write, or `old` is not as it stands in the file."""
    fits = span.line == span.end_line and span.end_col - span.col == len(old)
    return (Edit(span, old, new, sure),) if fits and new is not None and new != old else ()


@dataclass(frozen=True, slots=True, order=True)
class Diagnostic:
    """One complaint about a rule file. `code` never changes its meaning."""

    span: Span
    code: str
    message: str
    why: str = ""
    fix: str = ""
    also: tuple[tuple[str, Span], ...] = ()  # other places involved: (what is there, where)
    level: str = "error"  # or "warning", "note"
    about: tuple[str, str] = ("", "")  # what it is about and its name, for later stages: ("place", "pot")
    again: tuple[Span, ...] = ()  # further places of the same mistake
    edits: tuple[Edit, ...] = ()  # the fix as data: what to change here first, then the same in further places

    @property
    def related(self) -> tuple[tuple[str, Span], ...]:
        """All other places, each with what is there."""
        return (*self.also, *(("again", span) for span in self.again))

    def first_line(self) -> str:
        return f"{self.span}: {self.level}[{self.code}]: {self.message}"

    def as_data(self) -> dict[str, object]:
        """Return the same as plain data, for `--json`."""
        return {
            "file": self.span.file,
            "line": self.span.line,
            "column": self.span.col,
            "end_line": self.span.end_line,
            "end_column": self.span.end_col,
            "level": self.level,
            "code": self.code,
            "message": self.message,
            "why": self.why,
            "fix": self.fix,
            "also": [{"what": what, "file": s.file, "line": s.line, "column": s.col} for what, s in self.related],
            "edits": [edit.as_data() for edit in self.edits],
        }


class RuleFileError(Exception):
    """A rule file that cannot be played; carries every diagnostic found."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(sorted(set(diagnostics)))
        super().__init__("\n".join(d.first_line() for d in self.diagnostics))


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    return any(d.level == "error" for d in diagnostics)


def each_mistake_once(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return one complaint for each unknown name, the first one; the others become further places of it."""
    kept: list[Diagnostic] = []
    first: dict[tuple[str, str], int] = {}  # what kind of name, and the name → index of its complaint in `kept`
    said: dict[tuple[str, int, str, str], int] = {}  # the same words on one line → their complaint
    for d in sorted(set(diagnostics)):
        same = (d.span.file, d.span.line, d.code, d.message)
        name = d.about if d.code == "name-unknown" else ("", "")
        number = said.get(same, first.get(name) if name[1] else None)
        if number is None:
            number = len(kept)
            kept.append(d)
        else:
            earlier = kept[number]
            named = same not in said and len(earlier.again) < MOST_AGAIN
            again = (*earlier.again, d.span) if named else earlier.again
            kept[number] = replace(
                earlier, again=again, edits=(*earlier.edits, *d.edits)[:MOST_EDITS] if earlier.edits else ()
            )
        said[same] = number
        if name[1]:
            first.setdefault(name, number)
    return kept


def render(diagnostic: Diagnostic, texts: Mapping[str, str] | None = None, disk: bool = True) -> str:
    """Return the whole message for people, clean and without styles."""
    lines = rendered(diagnostic, texts, disk)
    return "\n".join("".join(visible(text) for text, _ in line) for line in lines)


def rendered(
    diagnostic: Diagnostic, texts: Mapping[str, str] | None = None, disk: bool = True
) -> list[tuple[Run, ...]]:
    """Return the lines of the message for people: position, source line, caret, other places, why, fix.

    `texts` are the contents of files that are not on disk; without `disk` no others are looked at. Nothing is cleaned
    yet: who prints it does that.
    """
    d = diagnostic
    level: Run = (f"{d.level}[{d.code}]", d.level)
    out: list[tuple[Run, ...]] = [((str(d.span), "place"), (": ", ""), level, (": ", ""), (d.message, "place"))]
    out += _shown(d.span, _lines(d.span.file, texts, disk), d.level)
    for n, (what, where) in enumerate(d.related):
        out.append((("  ", ""), ("also", "word"), (f": {what} at {where}", "")))
        if n < min(MOST_SHOWN, len(d.also)) and not where.is_file:
            out += _shown(where, _lines(where.file, texts, disk), "word")
    if d.why:
        out.append((("  ", ""), ("why", "word"), (f": {d.why}", "")))
    if d.fix:
        out.append((("  ", ""), ("fix", "fix"), (f": {d.fix}", "")))
    return out


def _shown(span: Span, lines: list[str], style: str) -> list[tuple[Run, ...]]:
    """Return the line of the file with the words in question underlined; of a very long line the part around them."""
    if not 0 < span.line <= len(lines) or not lines[span.line - 1].strip():
        return []
    text = lines[span.line - 1]
    first = span.col - 1
    last = span.end_col - 1 if span.end_line == span.line else len(text)
    if len(text) > LONGEST_LINE:
        start = max(0, min(first - LONGEST_LINE // 3, len(text) - LONGEST_LINE))
        before, after = "…" if start else "", "…" if start + LONGEST_LINE < len(text) else ""
        text = f"{before}{text[start : start + LONGEST_LINE]}{after}"
        first, last = first - start + len(before), min(last - start + len(before), LONGEST_LINE + len(before))
    letters = visible_letters(text)  # an escape is wider than its character
    pad, width = (sum(_columns(c) for c in "".join(part)) for part in (letters[:first], letters[first:last]))
    caret: Run = ("^" * max(1, width), style)
    return [((f"{span.line:5} | {text}", ""),), ((f"{'':5} | {' ' * pad}", ""), caret)]


def _columns(char: str) -> int:
    """Return how many columns a terminal uses for it."""
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _lines(file: str, texts: Mapping[str, str] | None, disk: bool) -> list[str]:
    if texts is not None and file in texts:
        return _split(texts[file])
    if not disk:
        return []
    try:
        info = Path(file).stat()
        if not stat.S_ISREG(info.st_mode) or info.st_size > LARGEST_FILE:
            return []  # reading anything but an ordinary file could block
        return _read_lines(file, info.st_mtime_ns)
    except (OSError, ValueError):
        return []


@lru_cache(maxsize=8)  # of many complaints each shows its line
def _read_lines(file: str, changed: int) -> list[str]:
    return _split(Path(file).read_text(encoding="utf-8-sig", errors="replace"))


def _split(text: str) -> list[str]:
    """Return the lines of a text as positions count them: only `\\n`, `\\r` and both together end one."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
