"""The outline of a rule file: its sections with their entries, and what those have."""

from __future__ import annotations

from dataclasses import dataclass

from referee.lsp.analysis import Analysis
from referee.lsp.written import Path, is_change
from rulespec import Span, nodes


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A key and what is under it."""

    whole: Span
    name: Span
    text: str
    path: Path  # below `change:`
    inner: tuple[OutlineEntry, ...] = ()


def sections(found: Analysis) -> list[OutlineEntry]:
    """Return the top-level keys of a document, each with the entries under it."""
    return list(_sections(found.tree, ())) if found.tree else []


def _sections(node: nodes.Mapping, path: Path) -> tuple[OutlineEntry, ...]:
    out = []
    for key, value in node:
        inner = (*path, nodes.bare_name(key.text))
        if not _is_shown(inner):
            continue
        under = () if is_change(inner) else inner
        parts = _sections(value, under) if isinstance(value, nodes.Mapping) else ()
        whole = Span(key.span.file, key.span.line, key.span.col, value.span.end_line, value.span.end_col)
        out.append(OutlineEntry(whole, key.span, key.text, inner, parts))
    return tuple(out)


def _is_shown(path: Path) -> bool:
    """Return whether what has this path is an entry, not one of the parts that every entry has."""
    match path:
        case (_,) | ("moves", _, "needs" | "choose") | ("moves", _, "needs" | "choose", _):
            return True
        case ("with" | "extends", *_):
            return False
        case (_, _) | ("options", _, _) | ("options", _, _, "change") | ("view", "layout" | "pieces" | "marks", _):
            return True
        case _:
            return False
