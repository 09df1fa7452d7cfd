"""The only writer to standard output and standard error: everything is cleaned on its way out.

Callers pass lines, and a line end inside one is shown as an escape: only this module ends lines. Styles are named,
not written into texts: the escape sequences of terminals are added here, after cleaning.
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
    """Print lines; without one, an empty line."""
    _say(sys.stdout, lines or ("",))


def say_lines(lines: Iterable[str]) -> None:
    """Print lines as they come; nothing if there are none."""
    _say(sys.stdout, lines)


def to_stderr(*lines: str) -> None:
    """Print lines on standard error; without one, an empty line."""
    _say(sys.stderr, lines or ("",))


def say_styled(lines: Iterable[tuple[Run, ...]], colours: bool = False) -> None:
    """Print lines of styled parts; styles show only if colours are wanted."""
    for line in lines:
        print(styled(line, colours))


def styled_to_stderr(lines: Iterable[tuple[Run, ...]]) -> None:
    """Print lines on standard error, without colours: it is often redirected to a file."""
    for line in lines:
        print(styled(line), file=sys.stderr)


def styled(line: tuple[Run, ...], colours: bool = False) -> str:
    """Return one line, each part cleaned and then given its style."""
    clean = ((visible(text), style if colours else "") for text, style in line)
    return "".join(f"{_STYLES[style]}{text}{_END}" if style else text for text, style in clean)


def put(text: str) -> None:
    """Print a whole text of many lines: a rulebook, a transcript, a program."""
    sys.stdout.write(document(text))


def put_to_stderr(text: str) -> None:
    """Print a whole text of many lines on standard error."""
    sys.stderr.write(document(text))


def put_file(text: str) -> None:
    """Print the text of a file: cleaned for a terminal, unchanged for a pipe or a file."""
    shown = document(text) if text.endswith("\n") else f"{document(text)}\n"
    sys.stdout.write(shown if is_terminal() else text)


def print_json(data: object) -> None:
    """Print plain data as JSON."""
    print(json_text(data, indent=2))


def bytes_out() -> BinaryIO:
    """Return standard output for a protocol that encodes its own lines."""
    return sys.stdout.buffer


def filled(template: str, **fields: object) -> list[str]:
    """Return the lines of one of our texts with its fields filled in: a line end in a field starts no new line."""
    return [line.format(**fields) for line in template.split("\n")]


def is_terminal() -> bool:
    """Return whether standard output is a terminal."""
    return sys.stdout.isatty()


def wants_colours() -> bool:
    """Return whether standard output is a terminal that wants colours: NO_COLOR and TERM=dumb are respected."""
    return is_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None] | None]:
    """Show a progress bar on standard error, if it is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(visible(what), total=total)
        yield lambda done: bar.update(task, completed=done)


def flush() -> None:
    """Send on what was printed: it must be seen before anything else happens."""
    sys.stdout.flush()


def prepare_streams() -> None:
    """Replace closed streams by empty ones, and characters that the terminal lacks by others."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def close_stdout() -> None:
    """Discard what is left, or Python complains at exit that it cannot be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(stream: TextIO, lines: Iterable[str]) -> None:
    for line in lines:
        print(visible(line), file=stream)
