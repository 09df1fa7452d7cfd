"""One layout for rule files: the same tree and the same comments, with indentation, spacing and blank lines made even.

- Two spaces for each level, also for lists under their key. One space after `:`, `-` and `,`, none inside brackets.
- `{ }` and `[ ]` are on one line if they fit into 120 columns; else their line breaks stay, or are made at commas.
- A comment after a text begins in column 41, or two spaces after a longer text. A comment on a line of its own is set
  like the line it belongs to; one that is deeper than the comment above it stays so, as rules do that were taken out.
- At most one empty line in a row, none at the beginning and the end of a file. No blanks at the end of a line.

Texts, quotes, the order of keys and the words of comments are the author's, and stay.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rulespec.format.brackets import FlowWriter
from rulespec.format.comments import Marks, find_marks
from rulespec.yaml.nodes import Entry, Mapping, Node, Scalar, Sequence, Text
from rulespec.yaml.source import read_source

WIDTH = 120
STEP = 2
COMMENT_COLUMN = 40  # counted from 0


class FormatError(Exception):
    """The formatted text would say something else: a fault of the formatter; nothing may be written."""


def format_text(text: str, file: str = "text") -> str:
    """Return the text in the one layout; RuleFileError if it cannot be read."""
    newline = "\r\n" if "\r\n" in text[: text.find("\n") + 1] else "\n"
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    source = Text(file, plain if plain.endswith("\n") else plain + "\n")
    tree = read_source(file, source.text)
    writer = _Writer(source, find_marks(source, tree))
    result = writer.write(tree)
    if not _same(source, tree, result):
        raise FormatError(f"{file}: its layout could not be changed without changing what it says")
    return result.replace("\n", newline)


def _same(source: Text, tree: Mapping, result: str) -> bool:
    again = read_source(source.file, result)
    marks = find_marks(Text(source.file, result), again)
    words = [comment.text for comment in find_marks(source, tree).comments]
    return content(again) == content(tree) and [comment.text for comment in marks.comments] == words


def content(node: Node) -> object:
    """Return all that a tree says, in its order: trees that say the same are equal."""
    match node:
        case Scalar():
            return (node.text, repr(node.value))
        case Sequence():
            return [content(item) for item in node.items]
        case Mapping():
            return tuple((key.text, content(value)) for key, value in node)


@dataclass(slots=True)
class _Line:
    text: str
    comment: str = ""

    def __str__(self) -> str:
        if not self.comment:
            return self.text
        gap = max(2, COMMENT_COLUMN - len(self.text)) if self.text.strip() else 0
        return f"{self.text}{' ' * gap}{self.comment}"


@dataclass(slots=True)
class _Writer:
    """Writes a tree line by line; comments and empty lines are taken along as their place is passed."""

    source: Text
    marks: Marks
    lines: list[_Line] = field(default_factory=list)
    open: list[tuple[int, int]] = field(default_factory=list)  # the blocks that are open: old column, new column
    above: tuple[tuple[int, int], ...] = ()  # those that were open where the last line was written
    passed: int = 0  # marks already written

    def write(self, tree: Mapping) -> str:
        if tree.flow:
            self._before(tree.span.line, 0, 0)
            self._flow("", tree, 0)
        else:
            self._map("", tree, 0)
        self._before(len(self.source.lines) + 1, 0, 0)
        while self.lines and not str(self.lines[-1]) and not self.marks.kept_blanks:
            self.lines.pop()
        return "\n".join(map(str, self.lines)) + "\n"

    # Marks: comments and empty lines ----------------------------------------------------------------------

    def _before(self, line: int, old: int, new: int) -> None:
        """Write the comments and empty lines before a line, which begins in an old and a new column."""
        outer: list[tuple[int, int]] = []  # comments that the next one stands deeper than: old column, new column
        while self.passed < len(self.marks.own) and self.marks.own[self.passed].line < line:
            mark = self.marks.own[self.passed]
            self.passed += 1
            if not mark.text:
                if self.lines and str(self.lines[-1]):
                    self.lines.append(_Line(""))
                continue
            while outer and outer[-1][0] >= mark.column:
                outer.pop()
            column = self._column(mark.column, old, new, outer)
            outer.append((mark.column, column))
            self.lines.append(_Line(" " * column + mark.text))

    def _column(self, at: int, old: int, new: int, outer: list[tuple[int, int]]) -> int:
        """Return the column of a comment: that of the line below it or of a block above that ends with it.

        Deeper than the comments before it, where no block begins, it stays as much deeper: it may be rules that were taken out.
        """
        if at <= old:
            return new
        blocks = {o: n for o, n in self.above if old < o <= at}
        if outer and blocks.get(at, 0) <= outer[-1][1]:
            return outer[-1][1] + at - outer[-1][0]
        return max(blocks.values(), default=new)

    def _after(self, line: int) -> None:
        """Put the comment at the end of an old line after the text written last."""
        if comment := self.marks.trailing.pop(line, None):
            self.lines[-1].comment = comment.text

    def _commented(self, line: int) -> bool:
        return line in self.marks.trailing

    # Blocks -----------------------------------------------------------------------------------------------

    def _map(self, prefix: str, node: Mapping, column: int) -> None:
        """Write a map in a column; the prefix (`- `) comes before its first key."""
        old = node.entries[0].key.span.col - 1 if node.entries else column
        self.open.append((old, column))
        for entry in node.entries:
            if not prefix:
                self._before(entry.key.span.line, old, column)
            self.above = tuple(self.open)
            self._entry(prefix or " " * column, entry, column, old)
            prefix = ""
        self.open.pop()

    def _sequence(self, prefix: str, node: Sequence, column: int) -> None:
        old = node.span.col - 1
        self.open.append((old, column))
        for item in node.items:
            if not prefix:
                self._before(item.span.line, old, column)
            self.above = tuple(self.open)
            self._value((prefix or " " * column) + "- ", item, column, old)
            prefix = ""
        self.open.pop()

    def _entry(self, prefix: str, entry: Entry, column: int, old: int) -> None:
        key = prefix + self._raw(entry.key) + ":"
        line = entry.key.span.line
        value = entry.value
        if isinstance(value, Scalar) and not value.text and not self._raw(value):
            self._line(key, line)
        elif isinstance(value, Mapping | Sequence) and not value.flow:
            self._line(key, line)
            write = self._map if isinstance(value, Mapping) else self._sequence
            write("", value, column + STEP)  # type: ignore[arg-type]
        elif value.span.line > line and not self._joins(key, value, line):
            self._line(key, line)
            self._before(value.span.line, value.span.col - 1, column + STEP)
            self._value(" " * (column + STEP), value, column, old)
        else:
            self._value(key + " ", value, column, old, line)

    def _joins(self, key: str, value: Node, line: int) -> bool:
        """Return whether a value from a line below fits behind its key."""
        between = any(line < mark.line < value.span.line and mark.text for mark in self.marks.own)
        if self._commented(line) or between or value.span.line != value.span.end_line:
            return isinstance(value, Scalar) and self._raw(value)[:1] in ("|", ">")
        if isinstance(value, Scalar):
            return len(key) + 1 + len(self._raw(value)) <= WIDTH
        return True

    def _line(self, text: str, old_line: int) -> None:
        self.lines.append(_Line(text.rstrip()))
        self._after(old_line)

    # Values -----------------------------------------------------------------------------------------------

    def _value(self, prefix: str, node: Node, column: int, old: int, key_line: int | None = None) -> None:
        """Write a value after its prefix; the lines below it are indented one step deeper than the column."""
        match node:
            case Scalar():
                self._scalar(prefix, node, column, old, key_line)
            case _ if node.flow:
                self._flow(prefix, node, column)
            case Mapping():
                self._map(prefix, node, column + STEP)
            case Sequence():
                self._sequence(prefix, node, column + STEP)

    def _scalar(self, prefix: str, node: Scalar, column: int, old: int, key_line: int | None) -> None:
        raw = self._raw(node)
        if raw[:1] in ("|", ">"):
            self._block(prefix, node, column, old)
            return
        first, *more = raw.split("\n")
        self.lines.append(_Line((prefix + first).rstrip()))
        self.lines += [_Line((" " * (column + STEP) + part.strip(" \t")).rstrip()) for part in more]
        self._after(node.span.end_line)
        if key_line is not None and key_line != node.span.end_line:
            self._after(key_line)

    def _block(self, prefix: str, node: Scalar, column: int, old: int) -> None:
        """Write a text after `|` or `>`."""
        first, last = node.span.line, node.span.end_line
        header = self.source.lines[first - 1][node.span.col - 1 :].split("#")[0].split()[0]
        lines = self.source.lines[first:last]
        keep = "+" in header
        if keep:
            lines = [*lines, *self._kept_blanks(last)]
        digits = [c for c in header if c.isdigit()]
        full = [line for line in lines if line.strip(" ")]
        indent = old + int(digits[0]) if digits else min((len(s) - len(s.lstrip(" ")) for s in full[:1]), default=0)
        needs = bool(full) and full[0][indent : indent + 1] == " "
        chomp = "".join(c for c in header[1:] if c in "+-")
        self.lines.append(_Line(prefix + header[0] + (str(STEP) if needs else "") + chomp))
        self._after(first)
        for line in lines:
            said = line[indent:]
            self.lines.append(_Line(" " * (column + STEP) + said if said else ""))

    def _kept_blanks(self, last: int) -> list[str]:
        """Return the empty lines after a text that keeps them; they are no longer marks."""
        blanks: list[str] = []
        while self.passed < len(self.marks.own):
            mark = self.marks.own[self.passed]
            if mark.text or mark.line != last + len(blanks) + 1:
                break
            blanks.append("")
            self.passed += 1
        self.marks.kept_blanks = not any(m.line > last for m in self.marks.own[self.passed :])
        return blanks

    def _flow(self, prefix: str, node: Mapping | Sequence, column: int) -> None:
        writer = FlowWriter(self.source, self.marks.inside(node.span), WIDTH)
        for text, comment in writer.write(prefix, node, " " * (column + STEP)):
            self.lines.append(_Line(text, comment))
        if not self.lines[-1].comment:
            self._after(node.span.end_line)

    def _raw(self, node: Scalar) -> str:
        """Return the scalar as it is written."""
        s = node.span
        return self.source.text[self.source.offset(s.line, s.col) : self.source.offset(s.end_line, s.end_col)]
