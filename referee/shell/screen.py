"""The screen: colours on a terminal that wants them, plain text elsewhere; no line wider than the terminal."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from referee.shell import out
from referee.shell.blocks import Styled, StyledBlock, clipped, columns_of, folded, plain
from rulespec import visible

if TYPE_CHECKING:
    from rich.style import Style

_HEX = re.compile(r"#[0-9a-fA-F]{6}\Z")
_CLEAR = "\x1b[2J\x1b[3J\x1b[H"  # the screen, what was scrolled away, and to the top
_HOME, _TO_THE_END, _BELOW, _SAVE, _RESTORE = "\x1b[H", "\x1b[K", "\x1b[J", "\x1b7", "\x1b8"
GAP = "  "  # between what stands below the prompt
NARROWEST = 20
PIPE_COLUMNS, PIPE_LINES = 80, 24  # where there is no terminal
LEAST_COLUMNS, LEAST_LINES = 50, 16  # of a terminal that shows pages
LEAST_CONTRAST = 2.6  # between a text and its background
HANG = 4  # how much further in a folded line continues


class Screen:
    """Standard output: one page that is drawn in place, or lines.

    A page needs a terminal that can move its cursor and is large enough: `plain`, TERM=dumb and pipes get lines. Colours need a
    terminal that wants them: NO_COLOR is respected. On a terminal long lines are folded; `folds`: everywhere.
    """

    def __init__(self, folds: bool = False, plain: bool = True) -> None:
        self.terminal = out.is_terminal()
        self.folds = folds
        self._held = 0  # characters on the current line that will be written over
        self.plain_terminal = os.environ.get("TERM") in ("dumb", "", None)
        self.colours = out.wants_colours()
        self.pages = self.terminal and not plain and not self.plain_terminal and self._is_large()
        self._scrolled = False  # whether what was on the screen before the first page was moved up
        self._page: StyledBlock = []  # what was drawn last,
        self._size = (0, 0)  # and in how many columns and rows

    def _is_large(self) -> bool:
        size = shutil.get_terminal_size((PIPE_COLUMNS, PIPE_LINES))
        return size.columns >= LEAST_COLUMNS and size.lines >= LEAST_LINES

    @property
    def columns(self) -> int:
        """How wide it is now: people resize windows."""
        if not self.terminal:
            return PIPE_COLUMNS
        return max(NARROWEST, shutil.get_terminal_size((PIPE_COLUMNS, PIPE_LINES)).columns)

    @property
    def rows(self) -> int:
        """The lines of a page: two are kept free, for the prompt and for what is written below it."""
        return max(4, shutil.get_terminal_size((PIPE_COLUMNS, PIPE_LINES)).lines - 2)

    def draw(self, block: StyledBlock) -> None:
        """Draw a page in place of the last one; what is written next comes at the prompt below it."""
        self._page, self._size = block, (self.columns, self.rows)
        lines = self._rendered([clipped(line, self.columns) for line in block[: self.rows]])
        lines += [""] * (self.rows - len(lines))
        if not self._scrolled:
            print("\n" * (self.rows + 1), end="")
            self._scrolled = True
        print(_HOME + "".join(f"{line}{_TO_THE_END}\n" for line in lines) + _BELOW, end="", flush=True)

    def draw_again(self) -> None:
        """Draw the same page without what was typed below it; a long line has moved it."""
        self.draw(self._page)

    def follow_size(self, draw: Callable[[], None], typed: str) -> None:
        """Draw a page again for a terminal that was resized, with what is typed at the prompt; the cursor keeps its column."""
        if self.pages and self._size != (self.columns, self.rows):
            print(_SAVE, end="")
            draw()
            row = self.rows + 1
            shown = visible(typed) if columns_of(typed) < self.columns else ""  # a longer one takes several rows
            print(f"\x1b[{row};1H{shown}{_RESTORE}\x1b[{row}d", end="", flush=True)

    def below(self, typed: str, texts: Sequence[str], words: Sequence[str] = ()) -> None:
        """Show a line below the prompt, where the cursor stays: the first of the texts that there is room for, with the words if it can be.

        `typed` is what stands at the prompt; what is so long that it goes on below is not written over.
        """
        wide = self.columns - 1
        if columns_of(typed) > wide:
            return
        together = [f"{text}{GAP}[{' '.join(words)}]" for text in texts if words]
        text = next((t for t in (*together, *texts) if columns_of(t) <= wide), texts[-1] if texts else GAP.join(words))
        text = visible(text)[:wide]
        print(f"{_SAVE}\x1b[{self.rows + 2};1H{_TO_THE_END}{text}{_RESTORE}", end="", flush=True)

    def leave(self) -> None:
        """Write lines from now on, below the page."""
        if self.pages:
            self.pages = False
            print(f"\x1b[{self.rows + 1};1H{_BELOW}", end="", flush=True)

    def write(self, line: str = "", whole: bool = False) -> None:
        """Write one line, folded if it is too long. `whole`: it is not, so that a command or a path in it can be copied."""
        line = visible(line)
        if not (self.terminal or self.folds):
            print(line)
            return
        if self._held:
            print(" " * self._held, end="\r")
            self._held = 0
        print(line if whole else "\n".join(self.fold(line)))

    def fold(self, line: str, whole: bool = False) -> list[str]:
        """Return a line as several that are not too long."""
        indent = " " * min(len(line) - len(line.lstrip()) + HANG, self.columns // 3)
        return folded(line, self.columns, indent, whole)

    def hold(self, text: str) -> None:
        """Show a text that the next one is written over; only a terminal can do that."""
        if self.terminal and not self.plain_terminal:
            text = visible(text)[: self.columns - 1]
            print(f"{text}\r", end="", flush=True)
            self._held = len(text)

    def flush(self) -> None:
        """Send on what was written: it must be seen before anything else happens."""
        out.flush()

    def clear(self) -> None:
        """Take away what others may not see."""
        self._page = []
        print("\n" * shutil.get_terminal_size((80, 24)).lines if self.plain_terminal else _CLEAR, end="")

    def show(self, block: StyledBlock) -> None:
        """Show lines with their styles."""
        for line in self._rendered(block):
            print(line)

    def _rendered(self, block: StyledBlock) -> list[str]:
        """Return lines with the escape sequences of their styles."""
        if not (self.colours or self.pages):
            return [visible(plain(line)) for line in block]
        from rich.color import ColorSystem

        system = ColorSystem[colour_depth()]
        lines = []
        for line in block:
            pieces = [(visible(piece.text), style(piece, self.colours)) for piece in line]
            while pieces and not (text := pieces[-1][0].rstrip()):
                pieces.pop()
            if pieces:
                pieces[-1] = text, pieces[-1][1]
            lines.append("".join(how.render(text, color_system=system) for text, how in pieces))
        return lines


def colour_depth() -> str:
    """Return how many colours the terminal has, as it says itself: `TRUECOLOR`, `EIGHT_BIT`, or the `STANDARD` sixteen."""
    if os.environ.get("COLORTERM", "").strip().lower() in ("truecolor", "24bit"):
        return "TRUECOLOR"
    return "EIGHT_BIT" if os.environ.get("TERM", "").endswith(("-256color", "-kitty")) else "STANDARD"


def style(piece: Styled, colours: bool = True) -> Style:
    """Return how a text looks: a piece is a letter on its colour, or on a bar where there are none, what is printed a letter alone."""
    from rich.errors import StyleSyntaxError
    from rich.style import Style

    match piece.how:
        case "title":
            return Style(bold=True)
        case "faint":
            return Style(dim=True)
        case "piece" if not colours:
            return Style(reverse=True)
        case "piece" | "under" if piece.colour and colours:
            if piece.how == "under" and not is_readable(piece.colour):
                return Style.null()
            words = f"{ink(piece.colour)} on {piece.colour} bold" if piece.how == "piece" else piece.colour
            try:
                return Style.parse(words)
            except StyleSyntaxError:  # a colour that terminals do not know
                return Style(bold=piece.how == "piece")
        case _:
            return Style.null()


def is_readable(colour: str) -> bool:
    """Return whether text of a colour can be read on a dark and on a light background."""
    if not _HEX.match(colour):
        return True
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return (light + 0.05) / 0.05 >= LEAST_CONTRAST and 1.05 / (light + 0.05) >= LEAST_CONTRAST


def ink(colour: str) -> str:
    """Return black or white, whichever can be read on a colour."""
    if not _HEX.match(colour):
        return "default"
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return "black" if 299 * red + 587 * green + 114 * blue > 128_000 else "white"
