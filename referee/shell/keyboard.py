"""Lines from a person, with history, and with TAB completion where the system has it."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType

from referee.shell import out
from rulespec import is_clean, visible

NAP = 0.2  # seconds
PICKING = ord("%")  # how the library calls it when keys go through the words one by one
PICKING_KEYS = tuple(  # down and up, as terminals send them in their two modes
    f'"\\e{mode}{key}": {what}'
    for key, what in (("B", "menu-complete"), ("A", "menu-complete-backward"))
    for mode in ("[", "O")
)
PASTING = (r'"\C-y": ""', r'"\ey": ""')  # keys that paste what was cut


class Ended(KeyboardInterrupt):
    """The system asks the program to end: by a signal, or because the terminal was closed."""


Complete = Callable[[str], list[str]]


def read_line(prompt: str) -> str | None:
    """Return one line without spaces around it; None at the end of input. Without a terminal there is no prompt."""
    if not sys.stdin.isatty():
        out.flush()  # a program at the other end must see it before it is asked
        line = sys.stdin.readline()
        return line.strip() if line else None
    try:
        with _short_naps():
            return input(visible(prompt)).strip()
    except EOFError:
        return None


@contextmanager
def _short_naps() -> Iterator[None]:
    """Wake whoever waits for a key from time to time: a signal just before a wait would not be noticed until its end."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, lambda number, frame: None)
    signal.setitimer(signal.ITIMER_REAL, NAP, NAP)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


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
        show_words: Callable[[str], None] | None = None,
        pick: Complete | None = None,
        describe: Callable[[str], str] | None = None,
    ) -> None:
        """`complete` returns the words that TAB completes a line with, `pick` those that the arrow keys go through.

        `describe` returns what a line would do as it is, which these keys show where `show_words` shows words.
        """
        self.terminal = sys.stdin.isatty()
        self.cleared: Callable[[], None] = out.say  # what is done when a line was cleared
        self._complete, self._pick = complete, pick or complete
        self._show_words, self._describe = show_words, describe
        self._found: list[str] = []
        self._completing = True  # the line that is read now
        self._lines = _readline() if self.terminal and out.is_terminal() else None
        if self._lines is not None:
            self._lines.set_completer(self._word)
            self._lines.set_completer_delims(" ")
            libedit = "libedit" in (self._lines.__doc__ or "")
            self._lines.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
            if not libedit:
                self._lines.parse_and_bind(
                    "set enable-bracketed-paste off"
                )  # it would write escape sequences to the screen
                for key in PICKING_KEYS:
                    self._lines.parse_and_bind(key)
                if show_words is not None:
                    self._show_below(show_words)

    def _show_below(self, show: Callable[[str], None]) -> None:
        """Show completions on one line of a page instead of below one another; Ctrl-L redraws it by an empty line."""
        lines = self._lines
        assert lines is not None

        def shown(typed: str, words: Sequence[str], longest: int) -> None:
            show("  ".join(word.strip() for word in words))
            lines.redisplay()

        lines.set_completion_display_matches_hook(shown)
        lines.parse_and_bind("set show-all-if-ambiguous on")
        lines.parse_and_bind(r'"\C-l": "\C-a\C-k\C-m"')

    def read(self, prompt: str, begin: str = "", completing: bool = True) -> str | None:
        """Return one line without spaces around it; None at the end of input. The line starts with `begin`.

        `completing`: words of it are completed; where something else is asked, they would tell what the next person may do.
        """
        lines, self._completing = self._lines, completing
        if lines is not None and begin and is_clean(begin):
            lines.set_startup_hook(lambda: lines.insert_text(begin))
        try:
            while True:
                try:
                    return read_line(prompt)
                except Ended:
                    raise
                except KeyboardInterrupt:  # it clears a line that was begun, and ends the game otherwise
                    if lines is None or not lines.get_line_buffer():
                        raise
                    self.cleared()
                    lines.set_startup_hook(None)
        finally:
            if lines is not None:
                lines.set_startup_hook(None)

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
            said = self._describe(line) if self._completing and self._describe is not None else ""
            if said and self._show_words is not None:
                self._show_words(said)
        return self._found[number] if number < len(self._found) else None
