"""`rulespec engine`: the referee for another program."""

from __future__ import annotations

import sys

from referee.cli.common import BAD, cli, complain, stop, tell_native, with_game, with_no_files
from referee.engine import texts
from referee.shell import out


@cli.command(help=texts.ENGINE)
@with_game
@with_no_files
def engine(game: str, house: tuple[str, ...], players: int | None, choices: dict[str, str], no_files: bool) -> None:
    from referee.engine.session import Session, serve
    from rulespec import DISK, NoDisk, RuleFileError

    try:
        session = Session(game, players, choices, house, NoDisk() if no_files else DISK)
    except RuleFileError as error:
        complain(error.diagnostics, disk=not no_files)
        stop(BAD)
    serve(session, sys.stdin.buffer, out.bytes_out())
    if session.match is not None:
        tell_native(session.match.game)
