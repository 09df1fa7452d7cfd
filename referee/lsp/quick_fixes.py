"""Quick fixes: the changes that diagnostics of a document come with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.lsp import texts
from referee.lsp.analysis import Analysis
from referee.lsp.paths import absolute
from rulespec import Diagnostic, Edit, is_clean, visible


@dataclass(frozen=True, slots=True)
class QuickFix:
    """A change that mends what a diagnostic is about: in its own place, or in all the places of the same mistake."""

    diagnostic: Diagnostic
    title: str
    edits: tuple[Edit, ...]
    is_whole: bool


def quick_fixes(found: Analysis) -> Iterator[QuickFix]:
    """Yield the quick fixes of a document: for each diagnostic the change here, then that in all places."""
    lines = found.lines
    for d in found.diagnostics:
        edits = own_edits(d, found, lines)
        if not edits:
            continue
        title = visible(edits[0].title[0].upper() + edits[0].title[1:])
        yield QuickFix(d, title, edits[:1], len(edits) == 1)
        if len(edits) > 1:
            yield QuickFix(d, texts.IN_ALL_PLACES.format(title=title, number=len(edits)), edits, True)


def own_edits(d: Diagnostic, found: Analysis, lines: list[str]) -> tuple[Edit, ...]:
    """Return the changes of the document itself; none if it has changed since, or what they write cannot be shown."""
    edits = tuple(edit for edit in d.edits if absolute(edit.span.file) == found.path)
    shown = all(is_clean(line) for edit in edits for line in edit.new.split("\n"))
    return edits if shown and all(_stands(edit, lines) for edit in edits) else ()


def _stands(edit: Edit, lines: list[str]) -> bool:
    """Return whether what is to be changed is there."""
    span = edit.span
    return span.line <= len(lines) and lines[span.line - 1][span.col - 1 : span.end_col - 1] == edit.old
