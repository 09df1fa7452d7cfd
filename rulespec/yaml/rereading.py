"""A text that is read again after a change: only the sections that have changed are, the others are moved to where they are now.

A section is a key at the very beginning of a line with all up to the next such key. INVARIANT: what comes of a text this way is what
comes of it as a whole. A section that is a good document by itself ends where a line of the whole begins outside all
brackets and quotes, so what follows is read alike; of everything else nothing is said here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rulespec.diagnostics.diagnostic import Span
from rulespec.yaml.nodes import Entry, Mapping, Node, Scalar, Sequence

_BEGINS = re.compile(r"^[a-z][a-z ]*:(?=[ \n]|\Z)", re.MULTILINE)
_WHOLE_ONLY = re.compile(r"^(?:---|\.\.\.|%)", re.MULTILINE)  # marks of documents, and directives
_SILENT = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*")


@dataclass(frozen=True, slots=True)
class ReadSection:
    entry: Entry
    values: int  # keys and values in it


ReadOne = Callable[[str, int], ReadSection | None]  # text, line → what it says; none if anything is wrong with it


def read_by_sections(text: str, most_values: int, read_section: ReadOne) -> Mapping | None:
    """Return the tree of a text; none if it must be read as a whole, which includes everything that is wrong."""
    parts = list(_parts(text))
    found = []
    for part, line in parts:
        section = read_section(part, line)
        if section is None:
            return None
        found.append(section)
    entries = tuple(section.entry for section in found)
    names = {entry.key.text for entry in entries}
    if not parts or len(names) < len(parts) or sum(section.values for section in found) >= most_values:
        return None
    first, last = entries[0].key.span, entries[-1].value.span
    return Mapping(Span(first.file, first.line, first.col, last.end_line, last.end_col), entries)


def _parts(text: str) -> Iterator[tuple[str, int]]:
    """Yield the text of each section and the line where it begins; nothing if this text has something before or between them."""
    begins = [match.start() for match in _BEGINS.finditer(text)]
    if not begins or _WHOLE_ONLY.search(text) or not _SILENT.fullmatch(text, 0, begins[0]):
        return
    line = 1 + text.count("\n", 0, begins[0])
    for begin, end in zip(begins, [*begins[1:], len(text)], strict=True):
        part = text[begin:end]
        yield part, line
        line += part.count("\n")


def moved(section: ReadSection, lines: int) -> ReadSection:
    """Return a section some lines further down."""
    entry = Entry(_moved_scalar(section.entry.key, lines), _moved(section.entry.value, lines))
    return ReadSection(entry, section.values)


def _moved(node: Node, lines: int) -> Node:
    """Return a node some lines further down."""
    match node:
        case Scalar():
            return _moved_scalar(node, lines)
        case Sequence():
            items = tuple(_moved(item, lines) for item in node.items)
            return Sequence(_moved_span(node.span, lines), items, flow=node.flow)
        case Mapping():
            entries = tuple(Entry(_moved_scalar(key, lines), _moved(value, lines)) for key, value in node)
            return Mapping(_moved_span(node.span, lines), entries, flow=node.flow)


def _moved_scalar(node: Scalar, lines: int) -> Scalar:
    starts = tuple([(at, line + lines, col) for at, line, col in node.starts])
    return Scalar(_moved_span(node.span, lines), node.text, node.value, starts)


def _moved_span(span: Span, lines: int) -> Span:
    return Span(span.file, span.line + lines, span.col, span.end_line + lines, span.end_col)
