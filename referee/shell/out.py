"""The way out: all that standard output and standard error get, cleaned as it leaves.

A caller hands over lines, and a line end inside of one is shown as an escape: only this module ends a line. Styles are
named, not written into a text: the escape sequences of a terminal are added here, after the text was cleaned.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, TextIO

from rulespec import document, json_text, visible

if TYPE_CHECKING:
    from rulespec import Run

_STYLES = {  # escape sequences of terminals
    "place": "\x1b[1m",
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;33m",
    "note": "\x1b[1;36m",
    "word": "\x1b[36m",
    "fix": "\x1b[32m",
}
_END = "\x1b[0m"


def say(*lines: str) -> None:
    """Prints lines; without one an empty line."""
    _say(sys.stdout, lines or ("",))


def say_lines(lines: Iterable[str]) -> None:
    """Prints lines as they come; none where there are none."""
    _say(sys.stdout, lines)


def to_stderr(*lines: str) -> None:
    """Prints lines on standard error; without one an empty line."""
    _say(sys.stderr, lines or ("",))


def say_styled(lines: Iterable[tuple[Run, ...]], colours: bool = False) -> None:
    """Prints lines whose stretches have styles; they show only where colours are wanted."""
    for line in lines:
        print(styled(line, colours))


def styled_to_stderr(lines: Iterable[tuple[Run, ...]]) -> None:
    """Prints the same on standard error, without colours: it is often kept in a file."""
    for line in lines:
        print(styled(line), file=sys.stderr)


def styled(line: tuple[Run, ...], colours: bool = False) -> str:
    """One line, each stretch cleaned and then given its style."""
    clean = ((visible(text), style if colours else "") for text, style in line)
    return "".join(f"{_STYLES[style]}{text}{_END}" if style else text for text, style in clean)


def put(text: str) -> None:
    """Prints a whole text of many lines as it is written: a rulebook, a transcript, a program."""
    sys.stdout.write(document(text))


def put_to_stderr(text: str) -> None:
    """Prints a whole text of many lines on standard error."""
    sys.stderr.write(document(text))


def put_file(text: str) -> None:
    """Prints the text of a file: cleaned for a terminal, and to the last letter for a pipe or a file, which keep it."""
    shown = document(text) if text.endswith("\n") else f"{document(text)}\n"
    sys.stdout.write(shown if is_terminal() else text)


def print_json(data: object) -> None:
    """Prints plain data as JSON."""
    print(json_text(data, indent=2))


def bytes_out() -> BinaryIO:
    """Standard output for a protocol that encodes its own lines."""
    return sys.stdout.buffer


def filled(template: str, **fields: object) -> list[str]:
    """The lines of a text of ours with its fields filled in: a line end in a field begins no new line."""
    return [line.format(**fields) for line in template.split("\n")]


def is_terminal() -> bool:
    """Whether a person reads standard output."""
    return sys.stdout.isatty()


def wants_colours() -> bool:
    """Whether standard output is a terminal that wants colours: NO_COLOR and TERM=dumb are respected."""
    return is_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None] | None]:
    """A bar on standard error that tells how much is done; only a terminal shows one."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(visible(what), total=total)
        yield lambda done: bar.update(task, completed=done)


def flush() -> None:
    """Sends on what was printed: whoever reads it must see it before anything else happens."""
    sys.stdout.flush()


def prepare_streams() -> None:
    """Makes a closed stream an empty one; a letter that the terminal does not have is no reason to stop."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def close_stdout() -> None:
    """Sends what is left nowhere, or Python complains at exit that it cannot be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(stream: TextIO, lines: Iterable[str]) -> None:
    for line in lines:
        print(visible(line), file=stream)
