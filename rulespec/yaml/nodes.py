"""The text of a rule file with its positions, and the tree: YAML nodes that keep their positions through overlays."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from rulespec.diagnostics.diagnostic import Edit, Span, edit


class Text:
    """A file's text; turns offsets into lines and columns (from 1) and back."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.text = text
        self.lines = text.split("\n")
        self._line_starts = [0]
        for line in self.lines[:-1]:
            self._line_starts.append(self._line_starts[-1] + len(line) + 1)

    def offset(self, line: int, col: int) -> int:
        """Return the offset of a position; YAML marks may be one line past the last."""
        if line > len(self.lines):
            return len(self.text)
        return min(self._line_starts[line - 1] + col - 1, len(self.text))

    def position(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def span(self, start: int, end: int) -> Span:
        return Span(self.file, *self.position(start), *self.position(max(start, end)))


@dataclass(frozen=True, slots=True, eq=False)
class Scalar:
    """One YAML scalar. `text` is its content; `starts` maps offsets in the text to positions in the file."""

    span: Span
    text: str
    value: str | int | float | bool | None  # by YAML 1.2's core schema; quoted scalars are always text
    starts: tuple[tuple[int, int, int], ...] = ()  # (offset, line, col), ascending: where each stretch of text begins

    def at(self, start: int, end: int) -> Span:
        """Return the span of text[start:end] in the file."""
        line, col = self._position(start)
        end_line, end_col = self._position(max(start, end - 1))
        return Span(self.span.file, line, col, end_line, end_col + (1 if end > start else 0))

    def part(self, start: int, end: int) -> Scalar:
        """Return text[start:end] as a scalar of its own."""
        starts = tuple((at - start, line, col) for at, line, col in self.starts if start < at < end)
        return Scalar(self.at(start, end), self.text[start:end], self.text[start:end], starts)

    def edit(self, start: int, end: int, new: str | None, sure: bool = True) -> tuple[Edit, ...]:
        """Return the change of text[start:end], alone; none if it is written in another way in the file."""
        return edit(self.at(start, end), self.text[start:end], new, sure)

    def respelled(self, near: str | None) -> tuple[Edit, ...]:
        """Return the change to what was probably meant, alone; none if that is not known."""
        return self.edit(0, len(self.text), near, sure=False)

    def _position(self, offset: int) -> tuple[int, int]:
        best = (0, self.span.line, self.span.col)
        for stretch in self.starts:
            if stretch[0] > offset:
                break
            best = stretch
        return best[1], best[2] + offset - best[0]


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    key: Scalar
    value: Node


@dataclass(frozen=True, slots=True, eq=False)
class Mapping:
    span: Span
    entries: tuple[Entry, ...]
    changed: tuple[Span, ...] = ()  # where overlays changed this map
    flow: bool = False  # written { … }
    _index: dict[str, Entry] = field(default_factory=dict, repr=False)

    def get(self, name: str) -> Node | None:
        entry = self.entry(name)
        return entry.value if entry else None

    def entry(self, name: str) -> Entry | None:
        if not self._index:
            self._index.update((e.key.text, e) for e in self.entries)
        return self._index.get(name)

    def __iter__(self) -> Iterator[tuple[Scalar, Node]]:
        return ((e.key, e.value) for e in self.entries)


@dataclass(frozen=True, slots=True, eq=False)
class Sequence:
    span: Span
    items: tuple[Node, ...]
    changed: tuple[Span, ...] = ()
    flow: bool = False  # written [ … ]


Node = Scalar | Mapping | Sequence


def bare_name(key: str) -> str:
    """Return the name under which overlays find an entry: `lay` for `lay(row r)`, `board` for `board[player, row]`."""
    for i, c in enumerate(key):
        if c in "([":
            return key[:i].strip()
    return key.strip()


def scalars(node: Node, keys: bool = True) -> Iterator[Scalar]:
    """Yield the texts of a tree in reading order, those of its keys too unless told otherwise."""
    match node:
        case Scalar():
            yield node
        case Sequence():
            for item in node.items:
                yield from scalars(item, keys)
        case Mapping():
            for key, value in node:
                if keys:
                    yield key
                yield from scalars(value, keys)


def count_characters(node: Node) -> int:
    """Return how many characters the keys and values of a tree have, each one at least."""
    match node:
        case Scalar():
            return len(node.text) or 1
        case Sequence():
            return sum(map(count_characters, node.items))
        case Mapping():
            return sum(count_characters(key) + count_characters(value) for key, value in node)


def whole_text(node: Node) -> str:
    """Return all that is written in a tree, without positions."""
    match node:
        case Scalar():
            return repr(node.value)
        case Sequence():
            return "[" + ",".join(whole_text(i) for i in node.items) + "]"
        case Mapping():
            return "{" + ",".join(f"{k.text!r}:{whole_text(v)}" for k, v in node) + "}"


def plain(node: Node) -> object:
    """Return the node as ordinary Python data, without positions."""
    match node:
        case Scalar():
            return node.value
        case Sequence():
            return [plain(item) for item in node.items]
        case Mapping():
            return {key.text: plain(value) for key, value in node}
