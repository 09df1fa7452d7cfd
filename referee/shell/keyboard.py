"""Lines from a person, with history, and with TAB completion where the system has it."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType, ModuleType
from typing import Protocol

from referee.shell import out
from rulespec import is_clean, visible

NAP = 0.1  # seconds
INTERRUPT = "\x03"  # stands in a line for the key that interrupts
LAST_CONTROL, LETTERS = 0x1F, 0x60  # a control key is a letter with this taken off
PICKING = ord("%")  # how the library calls it when keys go through the words one by one
PICKING_KEYS = tuple(  # down and up, as terminals send them in their two modes
    f'"\\e{mode}{key}": {what}'
    for key, what in (("B", "menu-complete"), ("A", "menu-complete-backward"))
    for mode in ("[", "O")
)
ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
PASTING = (r'"\C-y": ""', r'"\ey": ""')  # keys that paste what was cut


class Ended(KeyboardInterrupt):
    """The system asks the program to end: by a signal, or because the terminal was closed."""


Complete = Callable[[str], list[str]]


class Below(Protocol):
    """Shows a line below what is typed: the first of some texts that there is room for, and words to choose from."""

    def __call__(self, typed: str, texts: Sequence[str], words: Sequence[str] = ()) -> None: ...


def read_line(prompt: str) -> str | None:
    """Return one line without spaces around it; None at the end of input. Without a terminal there is no prompt."""
    line = _typed(prompt, lambda: None)
    return None if line is None else line.strip()


def _typed(prompt: str, look: Callable[[], None]) -> str | None:
    """Return one line as it was typed; None at the end of input. `look` is called from time to time while it is."""
    if not sys.stdin.isatty():
        out.flush()  # a program at the other end must see it before it is asked
        return sys.stdin.readline() or None
    try:
        with _short_naps(look):
            return input(visible(prompt))
    except EOFError:
        return None


@contextmanager
def _short_naps(look: Callable[[], None]) -> Iterator[None]:
    """Wake whoever waits for a key from time to time: a signal just before a wait would not be noticed until its end."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGALRM, *ENDING)}
    ending = False

    def wake(number: int, frame: FrameType | None) -> None:
        if not ending:
            look()

    def end(number: int, frame: FrameType | None) -> None:
        nonlocal ending
        ending = True  # the library asks for signals once more while this exception is raised: `look` could not run
        handler = before[number]
        assert callable(handler)
        handler(number, frame)

    for number in ENDING:
        if callable(before[number]):
            signal.signal(number, end)
    signal.signal(signal.SIGALRM, wake)
    signal.setitimer(signal.ITIMER_REAL, NAP, NAP)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            if handler is not None:  # it was not set from Python
                signal.signal(number, handler)


@contextmanager
def _interrupt_is_a_key(lines: ModuleType) -> Iterator[None]:
    """Let the key that interrupts be read as `INTERRUPT` at the end of a line, in its place among the keys before it.

    As a signal it would discard those of them that are not read yet, and nobody could tell whether a line was begun.
    """
    try:
        import termios
    except ImportError:  # not every system has it
        yield
        return
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    nothing = os.fpathconf(terminal, "PC_VDISABLE")
    key = before[6][termios.VINTR]
    if not 0 < ord(key) <= LAST_CONTROL:  # there is none
        yield
        return
    changed = [*before[:6], [*before[6]]]
    changed[6][termios.VINTR] = bytes((nothing % 256,))
    lines.parse_and_bind(f'"\\C-{chr(ord(key) | LETTERS)}": "\\C-v\\C-c\\C-m"')
    termios.tcsetattr(terminal, termios.TCSANOW, changed)
    try:
        yield
    finally:
        with suppress(termios.error):  # it may be closed by now
            termios.tcsetattr(terminal, termios.TCSANOW, before)


def _readline() -> ModuleType | None:
    try:
        import readline
    except ImportError:  # not every system has it
        return None
    return readline


class Keyboard:
    """Standard input. Without a terminal there is neither prompt nor completion."""

    def __init__(
        self,
        complete: Complete,
        show: Below | None = None,
        pick: Complete | None = None,
        describe: Callable[[str], Sequence[str]] = lambda line: (),
    ) -> None:
        """`complete` returns the words that TAB completes a line with, `pick` those that the arrow keys go through.

        `describe` returns what a line would do as it is, which `show` shows beside these words, whatever key was pressed.
        """
        self.terminal = sys.stdin.isatty()
        self.cleared: Callable[[], None] = lambda: None  # what is done when a line was cleared,
        self.looked: Callable[[str], None] = lambda typed: None  # and from time to time, with the prompt and the line
        self._complete, self._pick = complete, pick or complete
        self._show, self._describe = show, describe
        self._prompt = ""
        self._seen = ""  # the line below which it is said what it does
        self._choices: tuple[str, list[str]] = ("", [])  # a line, and the words shown that can come next
        self._found: list[str] = []
        self._completing = True  # the line that is read now
        self._lines = _readline() if self.terminal and out.is_terminal() else None
        if self._lines is not None:
            self._lines.set_completer(self._word)
            self._lines.set_completer_delims(" ")
            self._is_libedit = "libedit" in (self._lines.__doc__ or "")
            self._lines.parse_and_bind("bind ^I rl_complete" if self._is_libedit else "tab: complete")
            if not self._is_libedit:
                self._lines.parse_and_bind(
                    "set enable-bracketed-paste off"
                )  # it would write escape sequences to the screen
                for key in PICKING_KEYS:
                    self._lines.parse_and_bind(key)
                if show is not None:
                    self._show_below(self._lines)

    def _show_below(self, lines: ModuleType) -> None:
        """Show completions on one line of a page instead of below one another; Ctrl-L redraws it by an empty line."""

        def shown(typed: str, words: Sequence[str], longest: int) -> None:
            line = lines.get_line_buffer()[: lines.get_endidx()]
            self._choices = line.rpartition(" ")[0], [word.strip() for word in words]
            self._say_what_it_does(line)
            lines.redisplay()

        lines.set_completion_display_matches_hook(shown)
        lines.parse_and_bind("set show-all-if-ambiguous on")
        lines.parse_and_bind(r'"\C-l": "\C-a\C-k\C-m"')

    def read(self, prompt: str, begin: str = "", completing: bool = True) -> str | None:
        """Return one line without spaces around it; None at the end of input. The line starts with `begin`.

        `completing`: words of it are completed; where something else is asked, they would tell what the next person may do.
        """
        lines, self._completing = self._lines, completing
        self._prompt, self._seen, self._choices = prompt, "", ("", [])
        if lines is not None and begin and is_clean(begin):
            lines.set_startup_hook(lambda: lines.insert_text(begin))
        try:
            while True:
                try:
                    line = self._read_keys(prompt)
                except Ended:
                    raise
                except KeyboardInterrupt:  # a signal, from this terminal or from elsewhere
                    if lines is None or not lines.get_line_buffer():
                        raise
                    out.say()
                else:
                    if line is None or INTERRUPT not in line:
                        return None if line is None else line.strip()
                    if line == INTERRUPT:
                        raise KeyboardInterrupt
                self.cleared()
                self._seen = ""
                if lines is not None:
                    lines.set_startup_hook(None)
        finally:
            if lines is not None:
                lines.set_startup_hook(None)

    def _read_keys(self, prompt: str) -> str | None:
        """Return one line as it was typed, with `INTERRUPT` in it where it was interrupted; that is not remembered."""
        lines = self._lines
        if lines is None or self._is_libedit:
            return _typed(prompt, lambda: None)
        with _interrupt_is_a_key(lines):
            line = _typed(prompt, self._look)
        last = lines.get_current_history_length()
        if line is not None and INTERRUPT in line and last and INTERRUPT in lines.get_history_item(last):
            lines.remove_history_item(last - 1)
        return line

    def _look(self) -> None:
        """Say below the line what it would do, if it is another one than before."""
        line = self._lines.get_line_buffer() if self._lines is not None else ""
        if not self._completing:
            return
        self.looked(self._prompt + line)
        if line != self._seen and self._show is not None:
            self._say_what_it_does(line)

    def _say_what_it_does(self, line: str) -> None:
        """Show below the line what it would do, and the words among which its last one was chosen."""
        self._seen = line
        before, words = self._choices
        typed = line.split()
        assert self._show is not None
        self._show(self._prompt + line, self._describe(line), words if before.split() in (typed, typed[:-1]) else ())

    def forget(self) -> None:
        """Forget what was typed: whoever types next gets neither the history nor the kill ring."""
        if self._lines is None:
            return
        self._lines.clear_history()
        for key in PASTING:  # the kill ring cannot be emptied, so pasting is disabled
            self._lines.parse_and_bind(key)

    def _word(self, text: str, number: int) -> str | None:
        """Return the number-th completion of a word, for the library."""
        if number == 0 and self._lines is not None:
            line = self._lines.get_line_buffer()[: self._lines.get_endidx()]
            words = self._pick if self._lines.get_completion_type() == PICKING else self._complete
            self._found = [f"{word} " for word in words(line) if is_clean(word)] if self._completing else []
        return self._found[number] if number < len(self._found) else None
