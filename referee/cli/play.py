"""`rulespec play`: a game on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from referee.cli import texts
from referee.cli.common import LARGEST_SEED, cli, load_game, with_house, with_json, with_table
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
from referee.cli.seating import check_who, player_called, players_for, read_seats
from referee.shell import out

if TYPE_CHECKING:
    from referee.record.match import Match


@cli.command(help=texts.PLAY)
@click.argument("game", required=False)
@with_house
@with_table
@click.option("--seed", type=click.IntRange(0, LARGEST_SEED), metavar="N", help=texts.OPTION_SEED)
@click.option("--seats", metavar="SEAT,SEAT…", help=texts.OPTION_SEATS)
@click.option("--first", metavar="PLAYER", help=texts.OPTION_FIRST)
@click.option("--record", metavar="FILE", help=texts.OPTION_RECORD)
@click.option("--no-record", is_flag=True, help=texts.OPTION_NO_RECORD)
@with_position
@with_resume
@with_plain
@with_json
def play(
    game: str | None,
    house: tuple[str, ...],
    players: int | None,
    choices: dict[str, str],
    seed: int | None,
    seats: str | None,
    first: str | None,
    record: str | None,
    no_record: bool,
    where: str | None,
    resume: str | None,
    plain: bool,
    as_json: bool,
) -> None:
    from referee.play.terminal import PlayMode

    if record is not None and no_record:
        raise click.UsageError(texts.RECORD_TWICE)
    person = at_keyboard() and out.is_terminal() and not as_json
    given = {
        "GAME": game,
        "--house": house,
        "--players": players,
        "--set": choices,
        "--seed": seed,
        "--first": first,
        "--record": record,
        "--no-record": no_record,
        "--position": where,
    }
    match = open_match(
        begin=lambda: _begun(str(game), house, players, choices, seed, seats, first, where, person),
        resume=None if resume is None else lambda: _resumed(resume_path(resume, real=False), seats),
        given=given,
        record=person and not no_record,
    )
    tell_seed = seed is not None or not match.people
    run_match(match, lambda loop: PlayMode(loop, tell_seed), as_json, signals=person, plain=plain)


def _begun(
    game: str,
    house: tuple[str, ...],
    players: int | None,
    choices: dict[str, str],
    seed: int | None,
    seats: str | None,
    first: str | None,
    where: str | None,
    person: bool,
) -> Match:
    from interpreter import seeds as game_seeds
    from referee.record.match import HUMAN, CannotBegin, Match

    position = read_where(where)
    if position is not None:
        if first is not None:
            raise click.UsageError(texts.FIRST_IN_POSITION)
        players, choices = players or position.players, {**position.options, **choices}
    if players is None and seats is not None:
        players = players_for(game, house, choices, len(seats.split(",")))
    loaded = load_game(game, house, players, choices)
    default = f"{HUMAN},fair" if person and loaded.players > 1 else HUMAN if person else "greedy"
    chairs = read_seats(seats if seats is not None else default, loaded.players)
    begins = None if first is None else player_called(first, [chair.name for chair in chairs])
    seed = game_seeds.new_seed() if seed is None else seed
    try:
        with set_up_in(position):
            return Match.begin(loaded, chairs, seed, begins, game, position=position)
    except CannotBegin:
        raise click.UsageError(texts.FIRST_FIXED) from None


def _resumed(path: str, seats: str | None) -> Match:
    from referee.record.lines import RecordError
    from referee.record.replay import resume

    match = resume(path)
    try:
        if match.seed is None and match.game.has_chance:
            raise RecordError(texts.RESUME_TABLE.format(path=path))
        if seats is not None:
            match.sit(read_seats(seats, match.game.players))
        for seat in match.seats:
            check_who(seat.who)
    except (RecordError, click.UsageError):
        match.close()
        raise
    return match
