"""`rulespec play`: a game at the terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from referee import texts
from referee.cli.common import (
    BAD,
    GOOD,
    LARGEST_SEED,
    cli,
    house_rules,
    load_game,
    print_json,
    stop,
    tell_native,
    to_stderr,
    with_house,
    with_json,
    with_table,
)
from referee.shell import out

if TYPE_CHECKING:
    from pathlib import Path

    from referee.play.match import Match
    from referee.record.lines import Seat

LONGEST_NAME = 20


@cli.command(help=texts.PLAY)
@click.argument("game", required=False)
@with_house
@with_table
@click.option("--seed", type=click.IntRange(0, LARGEST_SEED), metavar="N", help=texts.OPTION_SEED)
@click.option("--seats", metavar="SEAT,SEAT…", help=texts.OPTION_SEATS)
@click.option("--first", type=int, metavar="N", help=texts.OPTION_FIRST)
@click.option("--record", metavar="FILE", help=texts.OPTION_RECORD)
@click.option("--no-record", is_flag=True, help=texts.OPTION_NO_RECORD)
@click.option("--resume", metavar="FILE", help=texts.OPTION_RESUME)
@with_json
def play(
    game: str | None,
    players: int | None,
    choices: dict[str, str],
    seed: int | None,
    seats: str | None,
    first: int | None,
    record: str | None,
    no_record: bool,
    resume: str | None,
    as_json: bool,
) -> None:
    from referee.play.terminal import Terminal
    from referee.record.lines import RecordError
    from referee.shell.screen import Screen

    if record is not None and no_record:
        raise click.UsageError(texts.RECORD_TWICE)
    keyboard = sys.stdin.isatty()
    person = keyboard and out.is_terminal() and not as_json
    try:
        if resume is not None:
            given = {
                "GAME": game,
                "--house": house_rules() or None,
                "--players": players,
                "--set": choices,
                "--seed": seed,
                "--first": first,
            }
            match = _resumed(resume, {**given, "--record": record, "--no-record": no_record}, seats)
        else:
            match = _begun(game, players, choices, seed, seats, first, person)
            if record is not None:
                match.record_to(record)
            elif person and not no_record:
                record_by_default(match)
    except RecordError as error:
        to_stderr(texts.USAGE_ERROR.format(message=error))
        stop(BAD)
    if person:
        end_by_signals()
    tell_seed = seed is not None or not match.people
    code = Terminal(match, Screen(), strict=not keyboard, quiet=as_json, tell_seed=tell_seed).run()
    tell_native(match.game)
    if as_json and code == GOOD:
        print_json(match.as_data())
    if code:
        stop(code)


def _begun(
    game: str | None,
    players: int | None,
    choices: dict[str, str],
    seed: int | None,
    seats: str | None,
    first: int | None,
    person: bool,
) -> Match:
    from interpreter import seeds
    from referee.play.match import HUMAN, Match

    if game is None:
        raise click.UsageError(texts.GAME_MISSING)
    loaded = load_game(game, players, choices)
    default = f"{HUMAN},greedy" if person and loaded.players > 1 else HUMAN if person else "greedy"
    chairs = read_seats(seats if seats is not None else default, loaded.players)
    if first is not None and not 1 <= first <= loaded.players:
        raise click.UsageError(texts.FIRST_UNKNOWN.format(found=first, players=loaded.players))
    try:
        return Match.begin(loaded, chairs, seeds.new_seed() if seed is None else seed, first, game)
    except LookupError:
        raise click.UsageError(texts.FIRST_FIXED) from None


def _resumed(path: str, given: dict[str, object], seats: str | None) -> Match:
    from referee.record.lines import RecordError
    from referee.record.replay import resume

    found = [name for name, value in given.items() if value not in (None, False) and value != {}]
    if found:
        raise click.UsageError(texts.RESUME_ALONE.format(found=texts.listed(found)))
    match = resume(path)
    chance = match.game.has_chance
    if match.seed is None and chance:
        match.close()
        raise RecordError(texts.RESUME_TABLE.format(path=path))
    if seats is not None:
        match.sit(read_seats(seats, match.game.players))
    for seat in match.seats:
        try:
            _check_seat(seat.who)
        except click.UsageError:
            match.close()
            raise
    return match


def _check_seat(who: str) -> None:
    """Refuses what is neither a person nor a bot."""
    from referee.bots import find_bot
    from referee.play.match import HUMAN, SEATS

    try:
        known = who == HUMAN or find_bot(who) is not None
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if not known:
        raise click.UsageError(texts.SEAT_UNKNOWN.format(found=who, known=texts.listed(list(SEATS))))


def read_seats(text: str, players: int) -> tuple[Seat, ...]:
    """`Anna=human,greedy` as seats; the last one sits on all seats left."""
    from referee.record.lines import Seat

    words = [word.strip() for word in text.split(",")]
    if len(words) > players:
        raise click.UsageError(texts.SEATS_MANY.format(found=len(words), players=players))
    seats: list[Seat] = []
    for number in range(1, players + 1):
        name, equals, who = words[min(number, len(words)) - 1].rpartition("=")
        name, who = name.strip(), who.strip()
        _check_seat(who)
        if equals and not (name.isprintable() and 0 < len(name) <= LONGEST_NAME):
            raise click.UsageError(texts.SEAT_NAME.format(found=name))
        if equals and number <= len(words):
            seats.append(Seat(name, who))
        else:
            seats.append(Seat(texts.PLAYER.format(player=number), who))
    names = [seat.name.lower() for seat in seats]
    twice = next((seat.name for seat in seats if names.count(seat.name.lower()) > 1), None)
    if twice is not None:
        raise click.UsageError(texts.SEAT_TWICE.format(found=twice))
    return tuple(seats)


def record_by_default(match: Match) -> None:
    """Records a game of people though nobody asked for it; that it cannot be is no reason not to play."""
    from referee.record.lines import RecordError

    try:
        folder = records_folder()
        folder.mkdir(parents=True, exist_ok=True)
        name = "-".join(match.game.title.lower().split())
        name = "".join(c for c in name if c.isalnum() or c == "-") or "game"
        begun = match.begun.translate({ord(c): None for c in "-:Z"}).replace("T", "-")
        for number in range(1, 1000):
            path = folder / f"{begun}-{name}{'' if number == 1 else f'-{number}'}.jsonl"
            if not path.exists():
                match.record_to(path)
                return
    except (RecordError, OSError, RuntimeError) as error:  # without a home there is no folder
        out.say(texts.NOT_RECORDED.format(reason=error))


def records_folder() -> Path:
    """Where games are recorded that nobody named a file for."""
    import os
    from pathlib import Path

    if folder := os.environ.get("RULESPEC_RECORDS"):
        return Path(folder)
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "rulespec" / "records"


def end_by_signals() -> None:
    """A closed terminal and a polite kill end the game as Ctrl-C does: the screen is left in order."""
    import signal
    from types import FrameType

    def end(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), end)
