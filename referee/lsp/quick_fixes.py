"""Quick fixes: where one word was surely meant for another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.lsp.analysis import Analysis
from referee.lsp.completion import suggestions
from referee.lsp.paths import absolute
from rulespec import Diagnostic, Span, closest, is_clean

MISSPELT = frozenset((
    "name-unknown", "shape-unknown-key", "shape-value", "extends-missing", "extends-extra-key", "like-unknown",
    "option-unknown", "option-unknown-choice", "overlay-remove-nothing", "overlay-change-nothing", "overlay-new-unused",
    "overlay-new-incomplete", "step-unknown", "step-sentence", "way-unknown", "way-index", "table-key", "view-grid",
    "view-key", "example-unreadable",
))  # fmt: skip
MOST = 30  # diagnostics of a document for which a replacement is looked for


@dataclass(frozen=True, slots=True)
class Replacement:
    """A word that can stand for the marked one, in all the places of the same mistake."""

    diagnostic: Diagnostic
    word: str
    spans: tuple[Span, ...]


def replacements(found: Analysis) -> Iterator[Replacement]:
    """Yield the replacements for the diagnostics of a document: the closest word of those that can be written there.

    The codes of diagnostics decide, and what is written, never the words of a message.
    """
    lines = found.lines
    for d in [d for d in found.diagnostics if d.code in MISSPELT][:MOST]:
        places = tuple(span for span in (d.span, *d.again) if absolute(span.file) == found.path)
        if not places or places[0] != d.span:
            continue
        words = {_text(span, lines) for span in places}
        word = words.pop()
        if words or not word:
            continue  # the document has changed since
        known = {one.label for one in suggestions(found, d.span.line, d.span.col) if is_clean(one.label)}
        near = closest(word, known - {word})
        if near is not None and word not in known:
            yield Replacement(d, near, places)


def _text(span: Span, lines: list[str]) -> str:
    if span.line != span.end_line or span.line > len(lines):
        return ""
    return lines[span.line - 1][span.col - 1 : span.end_col - 1]
