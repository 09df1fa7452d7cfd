"""Syntax trees as bytes and back. What is read is checked as it is read: bytes of any other shape give None."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from rulespec.expr.parse import MOST_LEVELS, Syntax

Trees = dict[tuple[str, str], Syntax]  # (text, how it was read) → its tree


class _OtherShape(Exception):
    """Not what `encode` writes."""


def encode(trees: Iterable[tuple[tuple[str, str], Syntax]]) -> bytes:
    """Return trees as JSON: `[text, entry, tree]` each, a tree being `[kind, start, end, part, …]`."""
    return json.dumps([[*key, _plain(tree)] for key, tree in trees], separators=(",", ":")).encode()


def _plain(node: Any) -> Any:
    return [node.kind, node.start, node.end, *map(_plain, node.parts)] if isinstance(node, Syntax) else node


def decode(data: bytes) -> Trees | None:
    """Return the trees, or None if these bytes were not written by `encode`."""
    try:
        rows = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if type(rows) is not list:
        return None
    found: Trees = {}
    try:
        for row in rows:
            match row:
                case [str(text), str(entry), list(tree)]:
                    found[text, entry] = _tree(tree, len(text), MOST_LEVELS)
                case _:
                    return None
    except _OtherShape:
        return None
    return found


def _tree(node: list[Any], length: int, levels: int) -> Syntax:
    if len(node) < 3 or not levels:
        raise _OtherShape
    kind, start, end, *parts = node
    if type(kind) is not str or type(start) is not int or type(end) is not int or not 0 <= start <= end <= length:
        raise _OtherShape
    return Syntax(kind, tuple([_part(p, length, levels - 1) for p in parts]), start, end)


def _part(part: Any, length: int, levels: int) -> Syntax | str | int | None:
    if type(part) is list:
        return _tree(part, length, levels)
    if part is None or type(part) is str or type(part) is int:
        return part
    raise _OtherShape
