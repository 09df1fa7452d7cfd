"""`rulespec table`: the referee of a real game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from referee.cli import texts
from referee.cli.common import cli, with_house, with_json, with_table
from referee.cli.frame import (
    at_keyboard,
    open_match,
    read_where,
    resume_path,
    run_match,
    set_up_in,
    with_plain,
    with_position,
    with_resume,
)
from referee.cli.seating import player_called, read_names, seats_of_people
from referee.shell import out
from referee.table import texts as table_texts
from rulespec import listed

if TYPE_CHECKING:
    from interpreter import Game
    from referee.record.match import Match


@cli.command(help=table_texts.TABLE)
@click.argument("game", required=False)
@with_house
@with_table
@click.option("--names", metavar="NAME,NAME…", help=table_texts.OPTION_NAMES)
@click.option("--first", metavar="PLAYER", help=table_texts.OPTION_FIRST)
@click.option("--record", metavar="FILE", help=table_texts.OPTION_RECORD)
@with_position
@with_resume
@with_plain
@with_json
def table(
    game: str | None,
    house: tuple[str, ...],
    players: int | None,
    choices: dict[str, str],
    names: str | None,
    first: str | None,
    record: str | None,
    where: str | None,
    resume: str | None,
    plain: bool,
    as_json: bool,
) -> None:
    from referee.table.dialogue import TableMode
    from referee.table.real_game import RealGame

    given = {
        "GAME": game,
        "--house": house,
        "--players": players,
        "--set": choices,
        "--names": names,
        "--first": first,
        "--record": record,
        "--position": where,
    }
    match = open_match(
        begin=lambda: _begun(str(game), house, players, choices, names, first, where, quiet=as_json),
        resume=None if resume is None else lambda: _resumed(resume_path(resume, real=True)),
        given=given,
        record=at_keyboard(),
    )
    run_match(
        match, lambda loop: TableMode(loop, RealGame(match)), as_json, signals=at_keyboard(), folds=True, plain=plain
    )


def _resumed(path: str) -> Match:
    from interpreter import TracedGame
    from referee.record.lines import RecordError
    from referee.record.replay import resume

    match = resume(path, TracedGame)
    if match.seed is not None:
        match.close()
        raise RecordError(table_texts.NOT_AT_A_TABLE.format(path=path))
    return match


def _begun(
    game: str,
    house: tuple[str, ...],
    players: int | None,
    choices: dict[str, str],
    names: str | None,
    first: str | None,
    where: str | None,
    quiet: bool,
) -> Match:
    from interpreter import load_traced
    from referee.record.match import CannotBegin, Match

    named, position = read_names(names), read_where(where)
    if position is not None:
        if first is not None:
            raise click.UsageError(texts.FIRST_IN_POSITION)
        players, choices = players or position.players, {**position.options, **choices}
    loaded = load_traced(game, players or (len(named) or None), choices, house)
    seats = seats_of_people(named, loaded.players)
    begins = None if position else _who_begins(loaded, [seat.name for seat in seats], first, quiet)
    try:
        with set_up_in(position):
            return Match.begin(loaded, seats, None, begins, game, position=position)
    except CannotBegin:
        raise click.UsageError(texts.FIRST_FIXED) from None


def _who_begins(game: Game, names: Sequence[str], first: str | None, quiet: bool) -> int | None:
    """Return who begins, if the rules leave it open: as the command says, or as people answer."""
    from referee.shell.keyboard import read_line

    if not game.begun_by(1):
        if first is not None:
            raise click.UsageError(texts.FIRST_FIXED)
        return None
    players = [texts.NAME_AND_NUMBER.format(name=name, number=i) for i, name in enumerate(names, 1)]
    while True:
        asked = first is None
        if asked and not quiet:
            out.say(table_texts.WHO_BEGINS.format(players=listed(players)))
        answer = read_line(table_texts.PROMPT_FIRST) if asked else first
        if answer is None:
            raise click.UsageError(table_texts.INPUT_ENDED_FIRST)
        try:
            return player_called(answer, names)
        except click.UsageError as error:
            if not (asked and at_keyboard()):
                raise
            out.say(error.message)
