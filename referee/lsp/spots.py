"""Where a position of unfinished text is: the keys above it, found by indentation and brackets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_KEY = re.compile(r"(?P<key>[^\s#:{}\[\]\"'-][^:#]*?|\"[^\"]*\"|'[^']*'):(?=\s|$)")
_START = re.compile(r" *(?:- +)*")
_INLINE = re.compile(r"(?P<key>[^\s#{}\[\]\"'][^#{}]*?|\"[^\"]*\"|'[^']*'):\s+")


@dataclass(frozen=True, slots=True)
class Cursor:
    """A position: the keys above it from the top of the file (an item of a list is `-`), and what is written up to it."""

    path: tuple[str, ...]
    before: str  # of the key or value
    is_value: bool


def spot_at(lines: list[str], line: int, column: int) -> Cursor:
    """Return where a position is; lines and columns count from 1."""
    before = (lines[line - 1] if line <= len(lines) else "")[: column - 1]
    path = path_at(lines, line, column)
    body = re.sub(r"^\s*(- +)*", "", before)
    inline = _INLINE.match(body)
    value = body[inline.end() :] if inline else body
    if inline:
        path = (*path, inline["key"].strip("\"'"))
    if value[:1] in ("{", "["):
        inner, rest, is_value = _in_brackets(value)
        return Cursor((*path, *inner), rest, is_value)
    return Cursor(path, value, inline is not None or path[-1:] == ("-",))


def _in_brackets(text: str) -> tuple[tuple[str, ...], str, bool]:
    """Return the keys down to the end of a text in brackets, what is written of the last key or value, and which of both."""
    path: list[list[str]] = []  # for each bracket that is open: the key before it, and `-` for a list
    key, word, quote = "", "", ""
    for c in text:
        if quote:
            quote = "" if c == quote else quote
            word += c
        elif c in "\"'" and not word.strip():
            quote = c
            word += c
        elif c in "{[":
            path.append([*([key] if key else []), *(["-"] if c == "[" else [])])
            key = word = ""
        elif c in "}]":
            path = path[:-1]
            key = word = ""
        elif c == ",":
            key = word = ""
        elif c == ":" and not key and path and path[-1][-1:] != ["-"]:
            key, word = word.strip().strip("\"'"), ""
        else:
            word += c
    in_list = bool(path) and path[-1][-1:] == ["-"]
    return (*(part for parts in path for part in parts), *([key] if key else [])), word.lstrip(), bool(key) or in_list


def keys_beside(lines: list[str], line: int, column: int) -> frozenset[str]:
    """Return the keys of the lines above and below in the block of a position, without its own line."""
    before = (lines[line - 1] if line <= len(lines) else "")[: column - 1]
    depth = len(_START.match(before).group())  # type: ignore[union-attr]
    begins_item = bool(before[:depth].strip())
    return frozenset(
        (*([] if begins_item else _keys(lines[: line - 1][::-1], depth)), *_keys(lines[line:], depth, True))
    )


def _keys(lines: list[str], depth: int, down: bool = False) -> Iterator[str]:
    """Yield the keys in a column, until a line ends their block."""
    for text in lines:
        start = _START.match(text).group()  # type: ignore[union-attr]
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        in_item = "-" in start
        if len(start) == depth and not (in_item and down) and (found := _KEY.match(text, depth)):
            yield found["key"].strip("\"'")
        if len(text) - len(text.lstrip(" ")) < depth:  # the first line of an item, or one outside
            return


def path_at(lines: list[str], line: int, column: int) -> tuple[str, ...]:
    """Return the keys above a position, outermost first; found by indentation, so that the text may be unfinished.

    A list item counts as `-`. Lines and columns count from 1.
    """
    depth = column - 1
    text = lines[line - 1] if line <= len(lines) else ""
    first = len(text) - len(text.lstrip(" "))
    if text.strip():
        depth = min(depth, first)
    out: list[str] = []
    start = text[first:]
    while start.startswith("- ") or start == "-":  # inside an item that begins on this line
        if column - 1 > first:
            out.insert(0, "-")
        rest = start[1:].lstrip(" ")
        first += len(start) - len(rest) if rest else 2
        start = rest
        if not rest:
            break
    for above in reversed(lines[: line - 1]):
        if not above.strip() or above.lstrip().startswith("#"):
            continue
        indent = len(above) - len(above.lstrip(" "))
        body = above[indent:]
        while body.startswith("- "):
            inner = indent + 2 + len(body[2:]) - len(body[2:].lstrip(" "))
            if inner < depth or (inner == depth and not _KEY.match(body[2:].lstrip(" "))):
                break
            if inner == depth:  # the same map as the item's first key
                out.insert(0, "-")
                depth = indent
                body = ""
                break
            body = ""
        if not body or indent >= depth:
            continue
        dash = body.startswith("- ")
        found = _KEY.match(body.lstrip("- ") if dash else body)
        if found:
            out.insert(0, found["key"].strip("\"'"))
        if dash:
            out.insert(0, "-")
        depth = indent
        if depth == 0:
            break
    return tuple(out)
