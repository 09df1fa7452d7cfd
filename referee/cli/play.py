"""`rulespec play`: a game at the terminal."""

from __future__ import annotations

import sys

import click

from referee import texts
from referee.cli.common import GOOD, LARGEST_SEED, cli, load_game, print_json, stop, with_game, with_json


@cli.command(help=texts.PLAY)
@with_game
@click.option("--seed", type=click.IntRange(0, LARGEST_SEED), metavar="N", help=texts.OPTION_SEED)
@click.option("--seats", metavar="SEAT,SEAT…", help=texts.OPTION_SEATS)
@click.option("--first", type=int, metavar="N", help=texts.OPTION_FIRST)
@with_json
def play(
    game: str,
    players: int | None,
    choices: dict[str, str],
    seed: int | None,
    seats: str | None,
    first: int | None,
    as_json: bool,
) -> None:
    import secrets

    from referee.match import HUMAN, Match
    from referee.screen import Screen
    from referee.terminal import Terminal

    loaded = load_game(game, players, choices)
    keyboard = sys.stdin.isatty()
    person = keyboard and sys.stdout.isatty() and not as_json
    default = f"{HUMAN},greedy" if person and loaded.players > 1 else HUMAN if person else "greedy"
    chairs = _read_seats(seats if seats is not None else default, loaded.players)
    if first is not None and not 1 <= first <= loaded.players:
        raise click.UsageError(texts.FIRST_UNKNOWN.format(found=first, players=loaded.players))
    try:
        match = Match.begin(loaded, chairs, secrets.randbelow(1_000_000) if seed is None else seed, first, game)
    except LookupError:
        raise click.UsageError(texts.FIRST_FIXED) from None
    code = Terminal(match, Screen(), strict=not keyboard, quiet=as_json).run()
    if as_json and code == GOOD:
        print_json(match.as_data())
    if code:
        stop(code)


def _read_seats(text: str, players: int) -> tuple[str, ...]:
    from referee.match import SEATS

    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in SEATS:
            raise click.UsageError(texts.SEAT_UNKNOWN.format(found=name, known=texts.listed(list(SEATS))))
    if len(names) > players:
        raise click.UsageError(texts.SEATS_MANY.format(found=len(names), players=players))
    return (*names, *[names[-1]] * (players - len(names)))
