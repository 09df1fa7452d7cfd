"""The text of a rule file with its positions, and what one YAML scalar in it says and where each letter stands."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from rulespec.diagnostics.diagnostic import Span

Stretch = tuple[int, int, int]  # (offset in the scalar's text, line, column)
Piece = tuple[int, str]  # (offset in the file, what stands there once folds and escapes are undone)


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
        """The offset of a position; YAML marks may stand one line after the last."""
        if line > len(self.lines):
            return len(self.text)
        return min(self._line_starts[line - 1] + col - 1, len(self.text))

    def position(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def span(self, start: int, end: int) -> Span:
        return Span(self.file, *self.position(start), *self.position(max(start, end)))


_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
_BOOLS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
# Python refuses to read integers of more than 4300 digits; nobody means one, so long ones stay text.
_INT = re.compile(r"[-+]?[0-9]{1,300}")
_BASED_INT = re.compile(r"0o[0-7]{1,300}|0x[0-9a-fA-F]{1,300}")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_SPECIAL_FLOAT = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")


def core_value(text: str) -> str | int | float | bool | None:
    """What a plain scalar means by YAML 1.2's core schema.

    >>> [core_value(t) for t in ("no", "true", "~", "0o17", "1:30", "1..5", "-2", "1.5")]
    ['no', True, None, 15, '1:30', '1..5', -2, 1.5]
    """
    if text in _NULLS:
        return None
    if text in _BOOLS:
        return _BOOLS[text]
    if _INT.fullmatch(text):
        return int(text)
    if _BASED_INT.fullmatch(text):
        return int(text, 0)
    if _FLOAT.fullmatch(text) and not text.lstrip("+-").isdecimal():
        return float(text)
    if _SPECIAL_FLOAT.fullmatch(text):
        return float(text.replace(".", ""))
    return text


# Not printable, or a line break to YAML 1.1 readers only: lines would be counted differently by each tool; or a mark
# that turns the direction of what follows: it would be read in another order than it stands.
_TURNS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
NOT_TEXT = re.compile(
    f"[{_TURNS}]|[^\t\n\x20-\x7e\xa0-\u2027\u202f-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)

_ESCAPES = {
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "t": "\t",
    "\t": "\t",
    "n": "\n",
    "v": "\v",
    "f": "\f",
    "r": "\r",
    "e": "\x1b",
    " ": " ",
    '"': '"',
    "/": "/",
    "\\": "\\",
    "N": "\x85",
    "_": "\xa0",
    "L": "\u2028",
    "P": "\u2029",
}
# In each pattern, blanks belong to a run unless a line break follows them: then folding eats them.
_FOLD = r"(?P<fold>[ \t]*\n[ \t\n]*)"
_PLAIN = re.compile(_FOLD + r"|(?P<run>(?:[^ \t\n]|[ \t]+(?![ \t\n]))+)")
_SINGLE = re.compile(_FOLD + r"|(?P<quote>'')|(?P<run>(?:[^ \t\n']|[ \t]+(?![ \t\n]))+)")
_DOUBLE = re.compile(
    _FOLD
    + r"|(?P<escape>\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|\n[ \t\n]*|[^\n]))"
    + r"|(?P<run>(?:[^ \t\n\\]|[ \t]+(?![ \t\n]))+)"
)
_FLOW_PATTERNS = {"'": _SINGLE, '"': _DOUBLE}


def stretches(text: Text, start: int, end: int, style: str | None, value: str) -> tuple[Stretch, ...]:
    """Where each stretch of a scalar's `value` stands; `style` is YAML's: none (plain), `'`, `"`, `|` or `>`.

    Undoes folds and escapes a second time, since the parser does not say where they were. Should the two
    readings differ, only the place of the scalar as a whole is known: no stretches.
    """
    block = style in ("|", ">")
    for pieces in _block_readings(text, start, end, style) if block else _flow_readings(text, start, end, style):
        said = "".join(said for _, said in pieces)
        if said == value or (block and said.rstrip("\n") == value.rstrip("\n")):
            return tuple(_starts(text, pieces, len(value)))
    return ()


def _starts(text: Text, pieces: list[Piece], length: int) -> Iterator[Stretch]:
    at = 0
    for offset, said in pieces:
        if said and at < length:
            yield (at, *text.position(offset))
        at += len(said)


def _flow_readings(text: Text, start: int, end: int, style: str | None) -> Iterator[list[Piece]]:
    inner = (start + 1, end - 1) if style in _FLOW_PATTERNS else (start, end)
    pattern = _FLOW_PATTERNS.get(style or "", _PLAIN)
    yield [(m.start(), _undone(m)) for m in pattern.finditer(text.text, *inner)]


def _undone(match: re.Match[str]) -> str:
    raw = match.group()
    match match.lastgroup:
        case "fold":
            breaks = raw.count("\n")
            return " " if breaks == 1 else "\n" * (breaks - 1)
        case "quote":
            return "'"
        case "escape" if raw[1] == "\n":
            return "\n" * (raw.count("\n") - 1)
        case "escape" if raw[1] in "xuU":
            return chr(int(raw[2:], 16))
        case "escape":
            return _ESCAPES.get(raw[1], "")
        case _:
            return raw


def _block_readings(text: Text, start: int, end: int, style: str | None) -> Iterator[list[Piece]]:
    """The block read with each indentation it may have: `|2` counts from a parent the scalar does not know."""
    first = text.position(start)[0] + 1
    last, last_col = text.position(end)
    lines = [(text.offset(n, 1), text.lines[n - 1]) for n in range(first, last + 1 if last_col > 1 else last)]
    widths = [len(line) - len(line.lstrip(" ")) for _, line in lines if line.strip(" ")]
    deepest = min(widths, default=max((len(line) for _, line in lines), default=0))
    for indent in range(deepest, -1, -1):
        yield _folded(lines, indent) if style == ">" else _literal(lines, indent)


def _literal(lines: list[tuple[int, str]], indent: int) -> list[Piece]:
    return [(offset + min(indent, len(line)), line[indent:] + "\n") for offset, line in lines]


def _folded(lines: list[tuple[int, str]], indent: int) -> list[Piece]:
    pieces: list[Piece] = []
    break_at: int | None = None  # where the last line with content ended
    blank_lines: list[Piece] = []
    deeper_before = False
    for offset, line in lines:
        content = line[indent:]
        if not content:
            blank_lines.append((offset + len(line), "\n"))
            continue
        deeper = content[0] in " \t"  # lines set deeper keep their line breaks
        if break_at is not None:
            if deeper or deeper_before:
                pieces.append((break_at, "\n"))
            elif not blank_lines:
                pieces.append((break_at, " "))
        pieces += [*blank_lines, (offset + indent, content)]
        break_at, blank_lines, deeper_before = offset + len(line), [], deeper
    return [*pieces, *([] if break_at is None else [(break_at, "\n")]), *blank_lines]
