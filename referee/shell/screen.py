"""Where lines go: with colours to a terminal, plain everywhere else; to a terminal never wider than it is."""

from __future__ import annotations

import os
import re
import shutil
import textwrap
from typing import TYPE_CHECKING

from referee.play.render import Block, Piece, plain
from referee.shell import out
from rulespec import visible

if TYPE_CHECKING:
    from rich.style import Style

_HEX = re.compile(r"#[0-9a-fA-F]{6}\Z")
_CLEAR = "\x1b[2J\x1b[3J\x1b[H"  # what stands there, what was scrolled away, and to the top
NARROWEST = 20


class Screen:
    """Standard output. Colours need a terminal that wants them: NO_COLOR and TERM=dumb are respected."""

    def __init__(self) -> None:
        self.terminal = out.is_terminal()
        self._held = 0  # letters that stand there to be written over
        self.plain_terminal = os.environ.get("TERM") == "dumb"
        self.colours = out.wants_colours()

    @property
    def columns(self) -> int:
        """How wide it is now: people resize windows."""
        return max(NARROWEST, shutil.get_terminal_size((80, 24)).columns) if self.terminal else 80

    def write(self, line: str = "") -> None:
        """One line; on a terminal what is too long goes on below, further in."""
        line = visible(line)
        if not self.terminal:
            print(line)
            return
        if self._held:
            print(" " * self._held, end="\r")
            self._held = 0
        indent = " " * min(len(line) - len(line.lstrip()) + 4, self.columns // 3)
        parts = textwrap.wrap(  # a path stays whole, to be copied
            line, self.columns, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
        )
        print("\n".join(parts))

    def hold(self, text: str) -> None:
        """A text that the next one is written over; only a terminal can do that."""
        if self.terminal and not self.plain_terminal:
            text = visible(text)[: self.columns - 1]
            print(f"{text}\r", end="", flush=True)
            self._held = len(text)

    def flush(self) -> None:
        """What was told must be seen before anything else happens."""
        out.flush()

    def clear(self) -> None:
        """Takes away what others may not see."""
        print("\n" * shutil.get_terminal_size((80, 24)).lines if self.plain_terminal else _CLEAR, end="")

    def show(self, block: Block) -> None:
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


def style(piece: Piece) -> Style:
    """A piece is a letter on its colour; what is only printed on the board is the letter alone."""
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
    """Black or white, whichever can be read on a colour."""
    if not _HEX.match(colour):
        return "default"
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return "black" if 299 * red + 587 * green + 114 * blue > 128_000 else "white"
