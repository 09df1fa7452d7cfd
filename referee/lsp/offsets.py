"""Converts positions: editors count from 0, and characters in units of 16 bits."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote, urlparse

from lsprotocol import types as lsp

from referee.lsp.paths import absolute, split
from rulespec import Files, RuleFileError, Span


def units(line: str, col: int) -> int:
    """Return our column in a line as an editor counts it."""
    return len(line[: col - 1].encode("utf-16-le", "surrogatepass")) // 2


def column(line: str, character: int) -> int:
    """Return an editor's character in a line as our column.

    >>> column("a😀b", 3), units("a😀b", 3)
    (3, 3)
    """
    return len(line.encode("utf-16-le", "surrogatepass")[: 2 * character].decode("utf-16-le", "ignore")) + 1


def range_of(span: Span, lines: list[str]) -> lsp.Range:
    return lsp.Range(_position(lines, span.line, span.col), _position(lines, span.end_line, span.end_col))


def _position(lines: list[str], line: int, col: int) -> lsp.Position:
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    return lsp.Position(line - 1, units(text, col))


def location_of(span: Span, files: Files) -> lsp.Location:
    """Return where a span is, in a file that may be open in the editor."""
    return locations_of([span], files)[0]


def locations_of(spans: Iterable[Span], files: Files) -> list[lsp.Location]:
    """Return where many spans are; each file is read once."""
    lines: dict[str, list[str]] = {}
    found = []
    for span in spans:
        path = absolute(span.file)
        if span.file not in lines:
            lines[span.file] = lines_of(path, files)
        found.append(lsp.Location(path.as_uri(), range_of(span, lines[span.file])))
    return found


def lines_of(path: Path, files: Files) -> list[str]:
    try:
        return split(files.read(path))
    except RuleFileError:
        return []


def path_of(uri: str) -> Path:
    """Return the file of an address; a document without a file gets a name in the current folder.

    >>> path_of("file:///a%20b.yaml").name, path_of("untitled:mine").name, path_of("file://[").name
    ('a b.yaml', 'mine', 'untitled.yaml')
    """
    try:
        parts = urlparse(uri)
    except ValueError:  # a host in brackets that is no address
        return absolute("untitled.yaml")
    if parts.scheme != "file":
        return absolute(Path(unquote(parts.path)).name or "untitled.yaml")
    return absolute(unquote(parts.path))
