"""A text mended by the fixes of its diagnostics: what is changed, in rounds, until nothing is left that is better changed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from rulespec.diagnostics.diagnostic import Diagnostic, Edit

MOST_ROUNDS = 12  # what is found first may hide the rest, round by round
MOST_APART = 20  # fixes of a round that are tried one by one
MOST_TRIED = 60  # texts that are examined
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Examination:
    """All that is wrong with a text. A later stage sees only texts that the earlier ones find good."""

    stage: int
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class Mended:
    """A text after its fixes, what is still wrong with it, and the diagnostics whose fixes were applied, in order."""

    text: str
    left: tuple[Diagnostic, ...]
    fixed: tuple[Diagnostic, ...]


def mend(text: str, examine: Callable[[str], Examination]) -> Mended:
    """Return the text with all fixes applied that make it better.

    A fix is kept if its complaint is gone and no earlier stage finds something wrong; one that only guesses what was meant,
    if moreover a later stage is reached, there are fewer complaints, or as many of which no new one is about a changed line.
    `examine` judges a text, and leaves out edits that are for other files.
    """
    now = examine(text)
    seen = {text}
    fixed: list[Diagnostic] = []
    for _ in range(MOST_ROUNDS):
        found = [d for d in now.diagnostics if d.edits]
        for some in (found, *([d] for d in found[:MOST_APART] if len(found) > 1)):
            together = _apart(some)
            new = edited(text, [e for d in together for e in d.edits])
            if not together or new is None or new in seen or len(seen) > MOST_TRIED:
                continue
            seen.add(new)
            then = examine(new)
            if _is_better(text, now, together, new, then):
                text, now = new, then
                fixed += together
                break
        else:
            break
    return Mended(text, now.diagnostics, tuple(fixed))


# INVARIANT: an edit is within one line, see `edit` in diagnostic.py.


def edited(text: str, edits: Iterable[Edit]) -> str | None:
    """Return the text with the edits applied, all else byte by byte the same; None if something else stands there."""
    starts = _line_starts(text)
    parts: list[str] = []
    done = 0
    for edit in sorted(edits):
        start, end = _place(starts, edit, text)
        if start < done or _with_line_feeds(text[start:end]) != edit.old:
            return None
        end_of_line = _LINE_END.search(text, end)
        parts += [text[done:start], edit.new.replace("\n", end_of_line.group() if end_of_line else "\n")]
        done = end
    return "".join([*parts, text[done:]])


def _with_line_feeds(text: str) -> str:
    return _LINE_END.sub("\n", text)


def _line_starts(text: str) -> list[int]:
    """Return where each line begins; a byte order mark is before the first."""
    return [int(text.startswith("\ufeff")), *(m.end() for m in _LINE_END.finditer(text))]


def _place(starts: Sequence[int], edit: Edit, text: str) -> tuple[int, int]:
    """Return the place of an edit in the text; behind its end if there is no such line."""
    span, nowhere = edit.span, len(text) + 1
    lines = ((span.line, span.col), (span.end_line, span.end_col))
    start, end = (starts[line - 1] + col - 1 if line <= len(starts) else nowhere for line, col in lines)
    return start, end


def _apart(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics whose edits are not in the way of those before them."""
    kept: list[Diagnostic] = []
    taken: dict[int, list[Edit]] = {}  # by line
    for d in diagnostics:
        if not any(_touch(e, other) for e in d.edits for other in taken.get(e.span.line, ())):
            kept.append(d)
            for e in d.edits:
                taken.setdefault(e.span.line, []).append(e)
    return kept


def _touch(a: Edit, b: Edit) -> bool:
    """Return whether two edits of a line overlap, or one begins where the other ends."""
    return a.span.col <= b.span.end_col and b.span.col <= a.span.end_col


def _is_better(text: str, now: Examination, fixed: list[Diagnostic], new: str, then: Examination) -> bool:
    gone = _moved(text, fixed)
    if then.stage < now.stage or any(_said(new, d) in gone for d in then.diagnostics):
        return False
    edits = [e for d in fixed for e in d.edits]
    if all(e.sure for e in edits) or then.stage > now.stage or len(then.diagnostics) < len(now.diagnostics):
        return True
    before, lines = {(d.code, d.message) for d in now.diagnostics}, {(e.span.file, e.span.line) for e in edits}
    fresh = [d for d in then.diagnostics if (d.code, d.message) not in before]
    no_worse = len(then.diagnostics) == len(now.diagnostics)
    return no_worse and not any((d.span.file, d.span.line) in lines for d in fresh)


def _said(text: str, d: Diagnostic) -> tuple[str, str, int]:
    """Return what is complained about, and how many letters of the text come after its beginning."""
    starts = _line_starts(text)
    at = starts[d.span.line - 1] + d.span.col - 1 if d.span.line <= len(starts) else len(text)
    return d.code, d.message, len(text) - at


def _moved(text: str, fixed: list[Diagnostic]) -> set[tuple[str, str, int]]:
    """Return the complaints whose fixes were applied, with how many letters come after them now."""
    edits = [e for d in fixed for e in d.edits]
    found = set()
    for d in fixed:
        code, message, after = _said(text, d)
        later = (e for e in edits if (e.span.line, e.span.col) >= (d.span.line, d.span.col))
        found.add((code, message, after + sum(len(e.new) - len(e.old) for e in later)))
    return found
