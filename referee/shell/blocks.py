"""Lines of styled text, side by side, wrapped and clipped: what boards are made of. It never prints."""

from __future__ import annotations

import textwrap
import unicodedata
from dataclasses import dataclass

GAP = 4  # columns between blocks side by side
INDENT = 2  # of the rest of a wrapped line
CUT_OFF = "…"
TWO_COLUMNS, NO_COLUMN = ("W", "F"), ("Mn", "Me", "Cf")  # as Unicode classes characters by width, and by category
_FILLING = "\0"  # stands behind a character that takes two columns, where only characters are counted


@dataclass(frozen=True, slots=True)
class Styled:
    """Part of a line; `colour` is that of a kind of piece, `how` is plain, title, piece, under or faint."""

    text: str
    how: str = "plain"
    colour: str = ""


StyledLine = tuple[Styled, ...]
StyledBlock = list[StyledLine]


def width(line: StyledLine) -> int:
    """Return how many columns a line takes."""
    return sum(columns_of(piece.text) for piece in line)


def columns_of(text: str) -> int:
    """Return how many columns a text takes: Chinese characters two each, accents that are characters of their own none.

    >>> columns_of("Åsa"), columns_of("漢字"), columns_of("A\u030a")
    (3, 4, 1)
    """
    return len(text) if text.isascii() else sum(map(_columns_of, text))


def _columns_of(character: str) -> int:
    if unicodedata.category(character) in NO_COLUMN:
        return 0
    return 2 if unicodedata.east_asian_width(character) in TWO_COLUMNS else 1


def justified(text: str, to: int) -> str:
    """Return a text with spaces behind it."""
    return text + " " * (to - columns_of(text))


def folded(text: str, columns: int, indent: str, whole: bool = False) -> list[str]:
    """Return a text as several lines that are not too long; `whole`: long words are not broken."""
    counted = "".join(c + _FILLING * (_columns_of(c) - 1) for c in text)
    for wide in (columns, columns - 1):  # a break within a character leaves it whole, and the line one column longer
        lines = textwrap.wrap(
            counted, wide, subsequent_indent=indent, break_on_hyphens=False, break_long_words=not whole
        )
        lines = [line.replace(_FILLING, "") for line in lines]
        if whole or all(columns_of(line) <= columns for line in lines):
            break
    return lines or [""]


def plain(line: StyledLine) -> str:
    """Return a line without styles."""
    return "".join(piece.text for piece in line).rstrip()


def padded(line: StyledLine, to: int, align: str = "left") -> StyledLine:
    """Return the line with spaces beside it; `align` is `left`, `centre` or `right`."""
    missing = max(0, to - width(line))
    before = {"right": missing, "centre": missing // 2}.get(align, 0)
    return (Styled(" " * before), *line, Styled(" " * (missing - before)))


def beside(blocks: list[StyledBlock], gap: int = GAP) -> StyledBlock:
    """Return blocks side by side, aligned at the top."""
    widths = [max((width(line) for line in block), default=0) for block in blocks]
    lines = []
    for row in range(max((len(block) for block in blocks), default=0)):
        line: list[Styled] = []
        for block, w in zip(blocks, widths, strict=True):
            line += [*padded(block[row] if row < len(block) else (), w), Styled(" " * gap)]
        lines.append(tuple(line[:-1]))
    return lines


def flowed(items: list[StyledLine], columns: int, gap: int = 3) -> StyledBlock:
    """Return items one after another, as many to a line as fit; long items are wrapped."""
    lines: StyledBlock = []
    for item in items:
        if lines and width(lines[-1]) + gap + width(item) <= columns:
            lines[-1] = (*lines[-1], Styled(" " * gap), *item)
        else:
            lines += wrapped(item, columns)
    return lines


def wrapped(line: StyledLine, columns: int) -> StyledBlock:
    """Return a line wrapped at the spaces between its parts: a piece stays together with what is printed on it."""
    lines: list[list[Styled]] = [[]]
    for word in _words(line):
        if lines[-1] and width(tuple(lines[-1])) + columns_of(plain(word)) > columns:
            lines.append([Styled(" " * INDENT)])
            if not plain(word):
                continue
        lines[-1] += word
    return [tuple(pieces) for pieces in lines]


def _words(line: StyledLine) -> list[StyledLine]:
    """Return the parts of a line, those with no space between them together."""
    words: list[StyledLine] = []
    for piece in line:
        last = words[-1][-1].text if words else " "
        if last.endswith(" ") or piece.text.startswith(" "):
            words.append((piece,))
        else:
            words[-1] = (*words[-1], piece)
    return words


def clipped(line: StyledLine, columns: int) -> StyledLine:
    """Return a line clipped at the edge of the screen."""
    if width(line) <= columns:
        return line
    pieces: list[Styled] = []
    left = columns - len(CUT_OFF)
    for piece in line:
        kept = _begun(piece.text, left)
        pieces.append(Styled(kept, piece.how, piece.colour))
        left -= columns_of(kept)
        if kept != piece.text:
            break
    return (*pieces, Styled(CUT_OFF))


def _begun(text: str, columns: int) -> str:
    """Return as much of a text as there are columns."""
    if text.isascii():
        return text[:columns]
    end, left = 0, columns
    while end < len(text) and _columns_of(text[end]) <= left:
        left -= _columns_of(text[end])
        end += 1
    return text[:end]
