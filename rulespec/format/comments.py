"""Comments and empty lines: what a rule file has besides its tree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from rulespec.diagnostics.diagnostic import Span
from rulespec.yaml.nodes import Mapping, Node, Scalar, Sequence, Text, scalars

_COMMENT = re.compile(r"(?:(?<=[ \t\n])|^)#[^\n]*")


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment, or an empty line if it has no text."""

    line: int
    column: int  # from 0
    text: str
    offset: int


@dataclass(slots=True)
class Marks:
    """The marks of a file: those on lines of their own, those after a text by their line, those inside brackets."""

    comments: list[Comment]
    own: list[Comment] = field(default_factory=list)
    trailing: dict[int, Comment] = field(default_factory=dict)
    bracketed: list[Comment] = field(default_factory=list)
    kept_blanks: bool = False  # the file ends with empty lines that belong to a text

    def inside(self, span: Span) -> list[Comment]:
        """Return the comments within a span."""
        start, end = (span.line, span.col - 1), (span.end_line, span.end_col - 1)
        return [c for c in self.bracketed if start <= (c.line, c.column) < end]


def find_marks(source: Text, tree: Mapping) -> Marks:
    written = [(start, end) for node in scalars(tree) for start, end in _stretches(source, node)]
    brackets = [_offsets(source, node.span) for node in _outer_flows(tree)]
    ends = {source.position(max(start, end - 1))[0] for start, end in (*written, *brackets)}
    comments = []
    spans = sorted(written)
    at = 0
    for found in _COMMENT.finditer(source.text):
        while at < len(spans) and spans[at][1] <= found.start():
            at += 1
        if at < len(spans) and spans[at][0] <= found.start():
            continue  # a `#` of a text
        line, column = source.position(found.start())
        comments.append(Comment(line, column - 1, found.group().rstrip(), found.start()))
    marks = Marks(comments)
    for comment in comments:
        if any(start <= comment.offset < end for start, end in brackets):
            marks.bracketed.append(comment)
        elif comment.line in ends:
            marks.trailing[comment.line] = comment
        else:
            marks.own.append(comment)
    covered = {n for s, e in (*written, *brackets) for n in range(source.position(s)[0], source.position(e)[0])}
    blanks = [n for n, line in enumerate(source.lines[:-1], 1) if not line.strip() and n not in covered]
    marks.own += [Comment(n, 0, "", source.offset(n, 1)) for n in blanks]
    marks.own.sort(key=lambda mark: mark.line)
    return marks


def _outer_flows(node: Node) -> Iterator[Mapping | Sequence]:
    match node:
        case Mapping() | Sequence() if node.flow:
            yield node
        case Sequence():
            for item in node.items:
                yield from _outer_flows(item)
        case Mapping():
            for _, value in node:
                yield from _outer_flows(value)


def _offsets(source: Text, span: Span) -> tuple[int, int]:
    return source.offset(span.line, span.col), source.offset(span.end_line, span.end_col)


def _stretches(source: Text, node: Scalar) -> Iterator[tuple[int, int]]:
    """Return where a scalar is; a comment may follow the `|` or `>` of a block."""
    start, end = _offsets(source, node.span)
    if source.text[start : start + 1] not in ("|", ">") or start == end:
        yield start, end
        return
    header = re.match(r"[|>][-+0-9]*", source.text[start:end])
    assert header is not None
    yield start, start + header.end()
    if node.span.end_line > node.span.line:
        yield source.offset(node.span.line + 1, 1), end
