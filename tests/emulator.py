"""A person at a terminal that is emulated: what they type, and what the screen shows after it."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import pexpect
import pyte

from tests.test_cli import RULESPEC, environment

PATIENCE = 60  # seconds
DRAWN = "\x1b[J"  # the last thing that is written before a prompt below a page


class Emulated:
    """The program in a terminal of a size. `rows` is the whole screen after the last prompt."""

    def __init__(self, args: list[str], folder: Path, columns: int, lines: int, **env: str) -> None:
        self.columns, self.lines = columns, lines
        self._screen = pyte.Screen(columns, lines)
        self._stream = pyte.Stream(self._screen)
        variables = {"NO_COLOR": "1", "TERM": "xterm-256color", "INPUTRC": "/dev/null", "RULESPEC_NATIVE": "0", **env}
        whole = environment(RULESPEC_RECORDS=str(folder), **variables)
        for stated in ("COLUMNS", "LINES"):  # they would count before the size of the terminal
            whole.pop(stated, None)
        self.child = pexpect.spawn(
            RULESPEC[0],
            [*RULESPEC[1:], *args],
            env=whole,
            cwd=str(folder),
            dimensions=(lines, columns),
            encoding="utf-8",
            timeout=PATIENCE,
        )
        self.child.delaybeforesend = None

    @property
    def rows(self) -> list[str]:
        return [row.rstrip() for row in self._screen.display]

    @property
    def text(self) -> str:
        return "\n".join(self.rows).rstrip() + "\n"

    @property
    def cursor(self) -> tuple[int, int]:
        """The row and column of the cursor, from 0."""
        return self._screen.cursor.y, self._screen.cursor.x

    def attributes(self, row: int, column: int) -> pyte.screens.Char:
        return self._screen.buffer[row][column]

    def column_of(self, row: int, text: str, number: int = 1) -> int:
        """Return the column, from 0, in which a text begins on a row, for the first or another time."""
        cells = [
            self._screen.buffer[row][x].data for x in range(self.columns)
        ]  # a wide character has an empty one behind it
        found = [x for x in range(self.columns) if "".join(cells[x:]).startswith(text) and cells[x]]
        return found[number - 1]

    def wait(self, *prompts: str) -> str:
        """Read until one of the prompts stands below a page; return which."""
        which: int = self.child.expect_exact([f"{DRAWN}{prompt}" for prompt in prompts])
        self._stream.feed(self.child.before + self.child.after)
        return prompts[which]

    def wait_for_text(self, text: str) -> None:
        """Read until a text was written, wherever."""
        self.child.expect_exact(text)
        self._stream.feed(self.child.before + self.child.after)

    def rest(self) -> None:
        """Read until nothing more is written: keys that come while the program still writes are not a person's."""
        self._stream.feed(self.child.buffer)  # what came with the last prompt
        self.child.buffer = ""
        while True:
            try:
                self._stream.feed(self.child.read_nonblocking(1000, timeout=0.3))
            except pexpect.TIMEOUT:
                return

    def until(self, typed: str, below: str = "", whole: bool = False) -> None:
        """Read until the line at the prompt is this, with some text below it, or, `whole`, nothing but that."""
        end = time.monotonic() + PATIENCE
        self._stream.feed(self.child.buffer)
        self.child.buffer = ""
        while self.rows[self.lines - 2] != typed or not (
            self.rows[self.lines - 1] == below if whole else below in self.rows[self.lines - 1]
        ):
            assert time.monotonic() < end, (typed, below, self.text)
            with suppress(pexpect.TIMEOUT):
                self._stream.feed(self.child.read_nonblocking(1000, timeout=0.3))

    def resize(self, columns: int, lines: int) -> None:
        self.columns, self.lines = columns, lines
        self._screen.resize(lines, columns)
        self.child.setwinsize(lines, columns)

    def type(self, keys: str) -> None:
        """Press keys, without Enter."""
        self.child.send(keys)

    def says(self, line: str, *prompts: str) -> str:
        self.child.sendline(line)
        return self.wait(*prompts)

    def end(self) -> int:
        """Read to the end of the program; return its exit code."""
        self.child.expect(pexpect.EOF)
        self._stream.feed(self.child.before)
        self.child.close()
        return int(self.child.exitstatus)
