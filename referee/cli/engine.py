"""`rulespec engine`: the referee for another program."""

from __future__ import annotations

import sys

from referee import out
from referee import texts_engine as texts
from referee.cli.common import cli, house_rules, tell_native, with_game


@cli.command(help=texts.ENGINE)
@with_game
def engine(game: str, players: int | None, choices: dict[str, str]) -> None:
    from referee.engine import Session, serve

    session = Session(game, players, choices, house_rules())
    serve(session, sys.stdin.buffer, out.bytes_out())
    if session.match is not None:
        tell_native(session.match.game)
