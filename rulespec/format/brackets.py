"""The layout of `{ }` and `[ ]`: on one line where they fit, else broken where the author did, or at commas."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.format.comments import Comment
from rulespec.yaml.nodes import Mapping, Node, Scalar, Sequence, Text

Line = tuple[str, str]  # a text and its comment


@dataclass(frozen=True, slots=True)
class _Part:
    """A part that is never broken. `space` comes before it unless it begins a line."""

    text: str
    line: int  # where it was
    offset: int
    space: bool = False
    may_break: bool = False  # a line may begin with it


@dataclass(slots=True)
class FlowWriter:
    source: Text
    comments: list[Comment]
    width: int

    def write(self, prefix: str, node: Mapping | Sequence, margin: str) -> list[Line]:
        """Return the lines of a map or list in brackets; the first begins with the prefix, the others with the margin."""
        parts = list(self._parts(node, space=False, may_break=False))
        joined = prefix + "".join(" " * t.space + t.text for t in parts)
        if not self.comments and "\n" not in joined and len(joined) <= self.width:
            return [(joined, "")]
        kept = self._broken(prefix, parts, margin, keep=True)
        return kept if len(kept) > 1 else self._broken(prefix, parts, margin, keep=False)

    def _broken(self, prefix: str, parts: list[_Part], margin: str, keep: bool) -> list[Line]:
        """Return the lines, broken where they were (`keep`) or where they would be too long, and after every comment."""
        lines: list[Line] = []
        text, before = prefix, parts[0].line
        waiting = list(self.comments)
        for part, after in zip(parts, [*parts[1:], None]):
            fresh = False  # whether the part begins a line
            while waiting and waiting[0].offset < part.offset:
                comment = waiting.pop(0)
                if comment.line != before and text.strip():
                    lines.append((text.rstrip(), ""))
                    text = margin
                lines.append((text.rstrip() or margin, comment.text))
                text, fresh = margin, True
            tail = len(after.text) if after and not after.may_break else 0
            too_long = len(text) + part.space + len(part.text) + tail > self.width
            if not fresh and part.may_break and (part.line > before if keep else too_long):
                lines.append((text.rstrip(), ""))
                text, fresh = margin, True
            first, *more = part.text.split("\n")
            text += " " * (part.space and not fresh) + first
            for piece in more:
                lines.append((text.rstrip(), ""))
                text = margin + piece.strip(" \t") if piece.strip() else ""
            before = part.line + len(more)
        return [*lines, (text.rstrip(), "")]

    def _parts(self, node: Node, space: bool, may_break: bool) -> Iterator[_Part]:
        start = self.source.offset(node.span.line, node.span.col)
        match node:
            case Scalar():
                yield _Part(self._raw(node), node.span.line, start, space, may_break)
            case Sequence():
                yield _Part("[", node.span.line, start, space, may_break)
                for number, item in enumerate(node.items):
                    yield from self._parts(item, number > 0, number > 0)
                    yield from self._comma(number < len(node.items) - 1, item)
                yield self._closing("]", node)
            case Mapping():
                yield _Part("{", node.span.line, start, space, may_break)
                for number, (key, value) in enumerate(node):
                    empty = isinstance(value, Scalar) and not self._raw(value)
                    at = self.source.offset(key.span.line, key.span.col)
                    yield _Part(self._raw(key) + ":" * (not empty), key.span.line, at, number > 0, number > 0)
                    if not empty:
                        yield from self._parts(value, True, False)
                    yield from self._comma(number < len(node.entries) - 1, key if empty else value)
                yield self._closing("}", node)

    def _comma(self, needed: bool, after: Node) -> Iterator[_Part]:
        if needed:
            end = self.source.offset(after.span.end_line, after.span.end_col)
            yield _Part(",", after.span.end_line, end)

    def _closing(self, bracket: str, node: Mapping | Sequence) -> _Part:
        return _Part(bracket, node.span.end_line, self.source.offset(node.span.end_line, node.span.end_col) - 1)

    def _raw(self, node: Scalar) -> str:
        """Return the scalar as it is written, on one line where its line breaks mean blanks."""
        s = node.span
        raw = self.source.text[self.source.offset(s.line, s.col) : self.source.offset(s.end_line, s.end_col)]
        parts = [part.strip(" \t") for part in raw.split("\n")]
        if len(parts) > 1 and all(parts) and not any(part.endswith("\\") for part in parts[:-1]):
            return " ".join(parts)
        return raw
