"""Folding ranges: every entry and list of more than one line, and runs of comments."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import nodes


def folds(tree: nodes.Mapping | None, lines: list[str]) -> list[tuple[int, int, bool]]:
    """Return the first and last lines of what can be folded, from 1, and whether it is a comment; in order."""
    found = dict.fromkeys(_folds(tree, lines), False) if tree else {}
    return sorted((first, last, False) for first, last in found) + list(_comments(lines))


def _folds(node: nodes.Node, lines: list[str]) -> Iterator[tuple[int, int]]:
    match node:
        case nodes.Mapping():
            for key, value in node:
                last = _last(value.span.end_line, value.span.end_col, lines)
                if last > key.span.line:
                    yield key.span.line, last
                yield from _folds(value, lines)
        case nodes.Sequence():
            for item in node.items:
                last = _last(item.span.end_line, item.span.end_col, lines)
                if last > item.span.line:
                    yield item.span.line, last
                yield from _folds(item, lines)


def _last(line: int, col: int, lines: list[str]) -> int:
    """Return the last line with anything in it of what ends there."""
    if col == 1:
        line -= 1
    line = min(line, len(lines))
    while line > 1 and (not lines[line - 1].strip() or lines[line - 1].lstrip().startswith("#")):
        line -= 1
    return line


def _comments(lines: list[str]) -> Iterator[tuple[int, int, bool]]:
    first = 0
    for number, line in enumerate([*lines, ""], 1):
        if line.lstrip().startswith("#"):
            first = first or number
        else:
            if first and number - 1 > first:
                yield first, number - 1, True
            first = 0
