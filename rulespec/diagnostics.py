"""What is wrong with a rule file: where, what, why and how to mend it, as values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

AGAIN = "again"  # another place of the same mistake
MOST_AGAIN = 5  # of these are shown


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of a file's text. Lines and columns count from 1; the end column is the first one after it."""

    file: str
    line: int
    col: int
    end_line: int
    end_col: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.col}"


@dataclass(frozen=True, slots=True, order=True)
class Diagnostic:
    """One complaint about a rule file. `code` never changes its meaning."""

    span: Span
    code: str
    message: str
    why: str = ""
    fix: str = ""
    also: tuple[tuple[str, Span], ...] = ()  # other places involved: (what stands there, where)
    level: str = "error"  # or "warning", "note"
    about: tuple[str, str] = (
        "",
        "",
    )  # what it is about and its name, where a later stage knows more: ("place", "heap")

    def first_line(self) -> str:
        return f"{self.span}: {self.level}[{self.code}]: {self.message}"

    def as_data(self) -> dict[str, object]:
        """The same as plain data, for `--json`."""
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
            "also": [{"what": what, "file": s.file, "line": s.line, "column": s.col} for what, s in self.also],
        }


class RuleFileError(Exception):
    """A rule file that cannot be played; carries every diagnostic found."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(sorted(set(diagnostics)))
        super().__init__("\n".join(d.first_line() for d in self.diagnostics))


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    return any(d.level == "error" for d in diagnostics)


def each_name_once(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The same with one complaint for each unknown name: the first one; the others are places where it stands again."""
    kept: list[Diagnostic] = []
    first: dict[str, int] = {}  # name → where its complaint stands in `kept`
    for d in sorted(set(diagnostics)):
        name = d.about[1] if d.code == "name-unknown" else ""
        if not name or name not in first:
            first.setdefault(name, len(kept))
            kept.append(d)
            continue
        earlier = kept[first[name]]
        again = sum(what == AGAIN for what, _ in earlier.also)
        if again < MOST_AGAIN:
            kept[first[name]] = replace(earlier, also=(*earlier.also, (AGAIN, d.span)))
    return kept


def closest(word: str, known: Iterable[str], cutoff: float = 0.7) -> str | None:
    """The one known word that `word` is probably a misspelling of, or none."""
    matches = get_close_matches(word, sorted(known), n=1, cutoff=cutoff if len(word) > 3 else 0.6)
    return matches[0] if matches else None


def render(diagnostic: Diagnostic) -> str:
    """The whole message for people: position, source line, caret, why, fix."""
    span = diagnostic.span
    out = [diagnostic.first_line()]
    lines = _lines(span.file)
    if 0 < span.line <= len(lines):
        text = lines[span.line - 1]
        number = f"{span.line:5}"
        width = span.end_col - span.col if span.end_line == span.line else len(text) - span.col + 1
        pad = "".join("\t" if c == "\t" else " " for c in text[: span.col - 1])
        out.append(f"{number} | {text}")
        out.append(f"{'':5} | {pad}{'^' * max(1, width)}")
    out += [f"  also: {what} at {where}" for what, where in diagnostic.also]
    if diagnostic.why:
        out.append(f"  why: {diagnostic.why}")
    if diagnostic.fix:
        out.append(f"  fix: {diagnostic.fix}")
    return "\n".join(out)


def _lines(file: str) -> list[str]:
    try:
        return Path(file).read_text(encoding="utf-8-sig", errors="replace").splitlines()
    except OSError:
        return []
