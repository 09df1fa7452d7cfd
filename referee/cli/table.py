"""`rulespec table`: the referee of a real game."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from referee import texts
from referee.cli.common import (
    BAD,
    GOOD,
    cli,
    house_rules,
    print_json,
    stop,
    to_stderr,
    with_house,
    with_json,
    with_table,
)
from referee.cli.play import LONGEST_NAME, end_by_signals, record_by_default
from referee.shell import out
from referee.table import texts as words

if TYPE_CHECKING:
    from interpreter import Game
    from referee.play.match import Match


@cli.command(help=words.TABLE)
@click.argument("game", required=False)
@with_house
@with_table
@click.option("--names", metavar="NAME,NAME…", help=words.OPTION_NAMES)
@click.option("--first", metavar="PLAYER", help=words.OPTION_FIRST)
@click.option("--record", metavar="FILE", help=words.OPTION_RECORD)
@click.option("--resume", metavar="FILE", help=words.OPTION_RESUME)
@with_json
def table(
    game: str | None,
    players: int | None,
    choices: dict[str, str],
    names: str | None,
    first: str | None,
    record: str | None,
    resume: str | None,
    as_json: bool,
) -> None:
    from referee.record.lines import RecordError
    from referee.shell.screen import Screen
    from referee.table.dialogue import Talk
    from referee.table.session import Table

    keyboard = sys.stdin.isatty()
    try:
        if resume is not None:
            if game is not None or players or choices or names or first or record:
                raise click.UsageError(words.RESUME_ALONE)
            match = _resumed(resume)
        elif game is None:
            raise click.UsageError(words.GAME_OR_RESUME)
        else:
            match = _begun(game, players, choices, names, first, keyboard, quiet=as_json)
            if record is not None:
                match.record_to(record)
            elif keyboard:
                record_by_default(match)
    except RecordError as error:
        to_stderr(texts.USAGE_ERROR.format(message=error))
        stop(BAD)
    if keyboard:
        end_by_signals()
    try:
        code = Talk(Table(match), Screen(), strict=not keyboard, quiet=as_json).run()
    finally:
        match.close()
    if as_json and code == GOOD:
        print_json(match.as_data())
    if code:
        stop(code)


def _resumed(path: str) -> Match:
    from interpreter import TellingGame
    from referee.record.lines import RecordError
    from referee.record.replay import resume

    match = resume(path, TellingGame)
    if match.seed is not None:
        match.close()
        raise RecordError(words.NOT_AT_A_TABLE.format(path=path))
    return match


def _begun(
    game: str,
    players: int | None,
    choices: dict[str, str],
    names: str | None,
    first: str | None,
    keyboard: bool,
    quiet: bool,
) -> Match:
    from interpreter import load_telling
    from referee.play.match import HUMAN, Match
    from referee.record.lines import Seat

    given = _read_names(names)
    loaded = load_telling(game, players or (len(given) or None), choices, house_rules())
    if len(given) > loaded.players:
        raise click.UsageError(texts.SEATS_MANY.format(found=len(given), players=loaded.players))
    given += [texts.PLAYER.format(player=i) for i in range(len(given) + 1, loaded.players + 1)]
    begins = _who_begins(loaded, given, first, keyboard, quiet)
    try:
        return Match.begin(loaded, tuple(Seat(name, HUMAN) for name in given), None, begins, game)
    except LookupError:
        raise click.UsageError(texts.FIRST_FIXED) from None


def _read_names(text: str | None) -> list[str]:
    names = [name.strip() for name in text.split(",")] if text else []
    for name in names:
        if not name or len(name) > LONGEST_NAME or not name.isprintable() or names.count(name) > 1:
            raise click.UsageError(words.BAD_NAME.format(name=name, longest=LONGEST_NAME))
    return names


def _who_begins(game: Game, names: list[str], first: str | None, keyboard: bool, quiet: bool) -> int | None:
    """Who begins, if the rules leave it open: as the command says, or as people answer."""
    from referee.play.match import first_given
    from referee.shell.keyboard import read_line

    if not first_given(game, 1):
        if first is not None:
            raise click.UsageError(texts.FIRST_FIXED)
        return None
    known = {**{name.lower(): i for i, name in enumerate(names, 1)}, **{str(i): i for i in range(1, len(names) + 1)}}
    while True:
        asked = first is None
        if asked and not quiet:
            players = texts.listed([f"{name} ({i})" for i, name in enumerate(names, 1)])
            out.say(words.WHO_BEGINS.format(players=players))
        answer = read_line(words.PROMPT_FIRST) if asked else first
        if answer is None:
            raise click.UsageError(words.INPUT_ENDED_FIRST)
        if answer.lower() in known:
            return known[answer.lower()]
        expected = words.listed_or([f"{name} ({i})" for i, name in enumerate(names, 1)])
        complaint = words.NO_SUCH_PLAYER.format(found=answer, players=expected)
        if not (asked and keyboard):
            raise click.UsageError(complaint)
        out.say(complaint)
