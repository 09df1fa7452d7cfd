"""The frame of the commands that run a game: begin it or resume it, record it, run it, and exit with the right code."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

import click

from referee.cli import texts
from referee.cli.common import BAD, GOOD, complain, print_json, stop, tell_native, to_stderr
from referee.shell import out
from rulespec import listed

if TYPE_CHECKING:
    from interpreter import Game
    from referee.record.match import Match
    from referee.record.position import WrittenPosition
    from referee.shell.loop import GameMode, Loop
    from rulespec import RuleFileError


STANDARD_INPUT = "-"
LAST_GAME = "last"  # what `--resume` without a file means
with_resume = click.option(
    "--resume", metavar="[FILE]", is_flag=False, flag_value=LAST_GAME, default=None, help=texts.OPTION_RESUME
)
with_position = click.option("--position", "where", metavar="FILE", help=texts.OPTION_POSITION)
with_plain = click.option("--plain", is_flag=True, help=texts.OPTION_PLAIN)


def at_keyboard() -> bool:
    """Return whether a person types the input."""
    return sys.stdin.isatty()


def read_where(where: str | None) -> WrittenPosition | None:
    """Return the position of `--position`: of a file, of the input for `-`, or written on the command line as one line."""
    from pathlib import Path

    from referee.record.position import read_position
    from rulespec import RuleFileError, read_text

    if where is None:
        return None
    if where != STANDARD_INPUT and not where.lstrip().startswith("{"):
        return read_position(read_text(Path(where)), where)
    text = sys.stdin.read() if where == STANDARD_INPUT else where
    try:
        return read_position(text)
    except RuleFileError as error:
        _complain_about(text, error)


@contextmanager
def set_up_in(position: WrittenPosition | None) -> Iterator[None]:
    """Say what is wrong with a position that the game cannot begin in, with its lines, and exit."""
    from rulespec import RuleFileError

    try:
        yield
    except RuleFileError as error:
        if position is None:
            raise
        _complain_about(position.text, error)


def _complain_about(text: str, error: RuleFileError) -> NoReturn:
    from referee.record.position import FILE

    complain(error.diagnostics, written={FILE: text})
    stop(BAD)


def open_match(
    begin: Callable[[], Match], resume: Callable[[], Match] | None, given: Mapping[str, object], record: bool
) -> Match:
    """Return a game to run: resumed, or else begun and recorded in `--record`.

    `given` are the words of the command that cannot be combined with `--resume`, by name; `record`: a new game is
    recorded even if nobody named a file.
    """
    from referee.record.lines import RecordError

    try:
        if resume is not None:
            others = [name for name, value in given.items() if value not in (None, False, (), {})]
            if others:
                raise click.UsageError(texts.RESUME_ALONE.format(found=listed(others)))
            return resume()
        if given["GAME"] is None:
            raise click.UsageError(texts.GAME_MISSING)
        match = begin()
        file = given["--record"]
        if isinstance(file, str):
            match.record_to(file)
        elif record:
            _record_by_default(match)
        return match
    except RecordError as error:
        to_stderr(texts.USAGE_ERROR.format(message=error))
        stop(BAD)


def run_match(
    match: Match,
    mode: Callable[[Loop], GameMode],
    as_json: bool,
    signals: bool,
    folds: bool = False,
    plain: bool = False,
) -> None:
    """Run a game to its end, print it with `--json`, and exit with its code."""
    from referee.shell.loop import Loop
    from referee.shell.screen import Screen

    if signals:
        _end_by_signals()
    plain = plain or as_json or not at_keyboard() or not match.people
    loop = Loop(match, Screen(folds, plain), strict=not at_keyboard(), quiet=as_json, passages=_passages)
    code = loop.run(mode(loop))
    tell_native(match.game)
    if as_json and code == GOOD:
        print_json(match.as_data())
    if code:
        stop(code)


def _passages(game: Game, moves: Sequence[str]) -> Iterable[str]:
    """Yield what the rulebook says about moves; it is only loaded if somebody asks."""
    from referee.rulebook.passage import passages

    return passages(game, moves)


def _record_by_default(match: Match) -> None:
    """Record a game of people though nobody asked for it; if that fails they can still play."""
    from referee.record.folder import SUFFIX, records_folder
    from referee.record.lines import RecordError

    try:
        folder = records_folder()
        folder.mkdir(parents=True, exist_ok=True)
        name = "-".join(match.game.title.lower().split())
        name = "".join(c for c in name if c.isalnum() or c == "-") or "game"
        begun = match.begun.translate({ord(c): None for c in "-:Z"}).replace("T", "-")
        for number in range(1, 1000):
            path = folder / f"{begun}-{name}{'' if number == 1 else f'-{number}'}{SUFFIX}"
            if not path.exists():
                match.record_to(path)
                return
    except (RecordError, OSError, RuntimeError) as error:  # without a home there is no folder
        out.say(texts.NOT_RECORDED.format(reason=error))


def resume_path(given: str, real: bool) -> str:
    """Return the file of `--resume`: as given, or the game that was played last and is not over."""
    from referee.record.folder import last_unfinished, records_folder

    if given != LAST_GAME:
        return given
    try:
        path = last_unfinished(folder := records_folder(), real)
    except RuntimeError as error:  # without a home there is no folder
        raise click.UsageError(texts.NO_FOLDER.format(reason=error)) from None
    if path is None:
        raise click.UsageError(texts.NONE_UNFINISHED.format(folder=folder))
    return str(path)


def _end_by_signals() -> None:
    """End the game as Ctrl-C does when the terminal is closed or the process is asked to end: the screen stays tidy."""
    import signal
    from types import FrameType

    from referee.shell.keyboard import Ended

    def end(number: int, frame: FrameType | None) -> None:
        raise Ended

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), end)
