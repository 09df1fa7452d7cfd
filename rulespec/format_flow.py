"""The layout of `{ }` and `[ ]`: on one line where they fit, else broken where the author did, or at commas."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.format_marks import Comment
from rulespec.scalars import Text
from rulespec.tree import Mapping, Node, Scalar, Sequence

Line = tuple[str, str]  # a text and its comment


@dataclass(frozen=True, slots=True)
class _Token:
    """A part that is never broken. `space` stands before it unless a line begins with it."""

    text: str
    line: int  # where it stood
    offset: int
    space: bool = False
    may_break: bool = False  # a line may begin with it


@dataclass(slots=True)
class FlowWriter:
    source: Text
    comments: list[Comment]
    width: int

    def write(self, prefix: str, node: Mapping | Sequence, margin: str) -> list[Line]:
        """The lines of a map or list in brackets; the first begins with the prefix, the others with the margin."""
        tokens = list(self._tokens(node, space=False, may_break=False))
        joined = prefix + "".join(" " * t.space + t.text for t in tokens)
        if not self.comments and "\n" not in joined and len(joined) <= self.width:
            return [(joined, "")]
        kept = self._broken(prefix, tokens, margin, keep=True)
        return kept if len(kept) > 1 else self._broken(prefix, tokens, margin, keep=False)

    def _broken(self, prefix: str, tokens: list[_Token], margin: str, keep: bool) -> list[Line]:
        lines: list[Line] = []
        text, before = prefix, tokens[0].line
        waiting = list(self.comments)
        for number, token in enumerate(tokens):
            broken = False
            while waiting and waiting[0].offset < token.offset:
                comment = waiting.pop(0)
                if comment.line != before and text.strip():
                    lines.append((text.rstrip(), ""))
                    text = margin
                lines.append((text.rstrip() if text.strip() else margin.rstrip("\n"), comment.text))
                text, broken = margin, True
            if not broken and token.may_break:
                tail = (
                    len(tokens[number + 1].text) if number + 1 < len(tokens) and not tokens[number + 1].may_break else 0
                )
                too_long = len(text) + token.space + len(token.text) + tail > self.width
                if (keep and token.line > before) or (not keep and too_long):
                    lines.append((text.rstrip(), ""))
                    text, broken = margin, True
            first, *more = (" " * (token.space and not broken) + token.text).split("\n")
            text += first
            for part in more:
                lines.append((text.rstrip(), ""))
                text = (margin + part.strip(" \t")) if part.strip() else ""
            before = token.line + token.text.count("\n")
        lines.append((text.rstrip(), ""))
        return [(t if t.strip() else margin, c) if c else (t, c) for t, c in lines]

    def _tokens(self, node: Node, space: bool, may_break: bool) -> Iterator[_Token]:
        start = self.source.offset(node.span.line, node.span.col)
        match node:
            case Scalar():
                yield _Token(self._raw(node), node.span.line, start, space, may_break)
            case Sequence():
                yield _Token("[", node.span.line, start, space, may_break)
                for number, item in enumerate(node.items):
                    yield from self._tokens(item, number > 0, number > 0)
                    yield from self._comma(number < len(node.items) - 1, item)
                yield self._closing("]", node)
            case Mapping():
                yield _Token("{", node.span.line, start, space, may_break)
                for number, (key, value) in enumerate(node):
                    empty = isinstance(value, Scalar) and not self._raw(value)
                    at = self.source.offset(key.span.line, key.span.col)
                    yield _Token(self._raw(key) + ":" * (not empty), key.span.line, at, number > 0, number > 0)
                    if not empty:
                        yield from self._tokens(value, True, False)
                    yield from self._comma(number < len(node.entries) - 1, key if empty else value)
                yield self._closing("}", node)

    def _comma(self, needed: bool, after: Node) -> Iterator[_Token]:
        if needed:
            end = self.source.offset(after.span.end_line, after.span.end_col)
            yield _Token(",", after.span.end_line, end)

    def _closing(self, bracket: str, node: Mapping | Sequence) -> _Token:
        return _Token(bracket, node.span.end_line, self.source.offset(node.span.end_line, node.span.end_col) - 1)

    def _raw(self, node: Scalar) -> str:
        """The scalar as it is written, on one line where its line breaks stand for blanks."""
        s = node.span
        raw = self.source.text[self.source.offset(s.line, s.col) : self.source.offset(s.end_line, s.end_col)]
        parts = [part.strip(" \t") for part in raw.split("\n")]
        if len(parts) > 1 and all(parts) and not any(part.endswith("\\") for part in parts[:-1]):
            return " ".join(parts)
        return raw
