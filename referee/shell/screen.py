"""The screen: colours on a terminal that wants them, plain text elsewhere; no line wider than the terminal."""

from __future__ import annotations

import os
import re
import shutil
import textwrap
from typing import TYPE_CHECKING

from referee.shell import out
from referee.shell.blocks import Styled, StyledBlock, plain
from rulespec import visible

if TYPE_CHECKING:
    from rich.style import Style

_HEX = re.compile(r"#[0-9a-fA-F]{6}\Z")
_CLEAR = "\x1b[2J\x1b[3J\x1b[H"  # the screen, what was scrolled away, and to the top
NARROWEST = 20
PIPE_COLUMNS = 80  # where there is no terminal
HANG = 4  # how much further in a folded line continues


class Screen:
    """Standard output. Colours need a terminal that wants them: NO_COLOR and TERM=dumb are respected.

    On a terminal long lines are folded; `folds`: everywhere.
    """

    def __init__(self, folds: bool = False) -> None:
        self.terminal = out.is_terminal()
        self.folds = folds
        self._held = 0  # characters on the current line that will be written over
        self.plain_terminal = os.environ.get("TERM") == "dumb"
        self.colours = out.wants_colours()

    @property
    def columns(self) -> int:
        """How wide it is now: people resize windows."""
        if not self.terminal:
            return PIPE_COLUMNS
        return max(NARROWEST, shutil.get_terminal_size((PIPE_COLUMNS, 24)).columns)

    def write(self, line: str = "", whole: bool = False) -> None:
        """Write one line, folded if it is too long. `whole`: a path in it is not cut, so that it can be copied."""
        line = visible(line)
        if not (self.terminal or self.folds):
            print(line)
            return
        if self._held:
            print(" " * self._held, end="\r")
            self._held = 0
        indent = " " * min(len(line) - len(line.lstrip()) + HANG, self.columns // 3)
        parts = textwrap.wrap(
            line, self.columns, subsequent_indent=indent, break_on_hyphens=False, break_long_words=not whole
        )
        print("\n".join(parts))

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
        print("\n" * shutil.get_terminal_size((80, 24)).lines if self.plain_terminal else _CLEAR, end="")

    def show(self, block: StyledBlock) -> None:
        """Show lines with their styles."""
        if not self.colours:
            for line in block:
                print(visible(plain(line)))
            return
        from rich.console import Console
        from rich.text import Text

        console = Console(highlight=False, markup=False, soft_wrap=True)
        for line in block:
            text = Text()
            for piece in line:
                text.append(visible(piece.text), style(piece))  # no markup: brackets in a text are brackets
            console.print(text)


def style(piece: Styled) -> Style:
    """Return how a text looks: a piece is a letter on its colour, what is printed on the board the letter alone."""
    from rich.errors import StyleSyntaxError
    from rich.style import Style

    match piece.how:
        case "title":
            return Style(bold=True)
        case "faint":
            return Style(dim=True)
        case "piece" | "under" if piece.colour:
            words = f"{ink(piece.colour)} on {piece.colour} bold" if piece.how == "piece" else f"{piece.colour} dim"
            try:
                return Style.parse(words)
            except StyleSyntaxError:  # a colour that terminals do not know
                return Style(bold=piece.how == "piece")
        case _:
            return Style.null()


def ink(colour: str) -> str:
    """Return black or white, whichever can be read on a colour."""
    if not _HEX.match(colour):
        return "default"
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return "black" if 299 * red + 587 * green + 114 * blue > 128_000 else "white"
