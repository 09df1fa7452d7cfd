"""Who sits where, as the command line says it: seats with names and bots, or names alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from referee.cli import texts
from rulespec import listed

if TYPE_CHECKING:
    from referee.record.lines import Seat

LONGEST_NAME = 20


def read_seats(text: str, players: int) -> tuple[Seat, ...]:
    """Return the seats of `Anna=human,fair`; the last one is repeated for all players left."""
    words = [word.strip() for word in text.split(",")]
    seats: list[tuple[str | None, str]] = []
    for word in words:
        name, equals, who = word.rpartition("=")
        seats.append((name.strip() if equals else None, who.strip()))
    seats += [(None, seats[-1][1])] * (players - len(seats))
    return _seats(seats, players)


def players_for(game: str, house: Sequence[str], choices: Mapping[str, str], seats: int) -> int | None:
    """Return how many players there are if only seats were named: as many, or None for the fewest."""
    from rulespec import open_rules

    return seats if seats > open_rules(game, house=house).players_for(dict(choices))[0] else None


def read_names(text: str | None) -> list[str]:
    """Return the names of `Anna,Ben`."""
    names = [name.strip() for name in text.split(",")] if text else []
    for name in names:
        _check_name(name)
    return names


def seats_of_people(names: Sequence[str], players: int) -> tuple[Seat, ...]:
    """Return seats for people with these names; players without one are called by their number."""
    from referee.record.match import HUMAN

    unnamed = players - len(names)
    return _seats([*((name, HUMAN) for name in names), *([(None, HUMAN)] * unnamed)], players)


def check_who(who: str) -> None:
    """Refuse what is neither a person nor a bot."""
    from referee.bots import BadBot, find_bot
    from referee.record.match import HUMAN, SEATS

    try:
        known = who == HUMAN or find_bot(who) is not None
    except BadBot as error:
        raise click.UsageError(str(error)) from None
    if not known:
        raise click.UsageError(texts.SEAT_UNKNOWN.format(found=who, known=listed(SEATS)))


def player_called(text: str, names: Sequence[str]) -> int:
    """Return the player whom a text names, by name or number."""
    known = {**{name.lower(): i for i, name in enumerate(names, 1)}, **{str(i): i for i in range(1, len(names) + 1)}}
    if text.lower() in known:
        return known[text.lower()]
    players = (texts.NAME_AND_NUMBER.format(name=name, number=i) for i, name in enumerate(names, 1))
    raise click.UsageError(texts.NO_SUCH_PLAYER.format(found=text, players=listed(players, "or")))


def _check_name(name: str) -> None:
    if not (name.isprintable() and 0 < len(name) <= LONGEST_NAME):
        raise click.UsageError(texts.SEAT_NAME.format(found=name, most=LONGEST_NAME))


def _seats(seats: list[tuple[str | None, str]], players: int) -> tuple[Seat, ...]:
    """Return seats, all of them checked; no two names are the same."""
    from referee.record.lines import Seat
    from referee.record.match import seats_text
    from referee.record.texts import who as default_name

    if len(seats) > players:
        raise click.UsageError(seats_text(len(seats), players))
    found: list[Seat] = []
    for number, (name, who) in enumerate(seats, 1):
        check_who(who)
        if name is not None:
            _check_name(name)
        found.append(Seat(default_name(number) if name is None else name, who))
    lower = [seat.name.lower() for seat in found]
    for seat in found:
        if lower.count(seat.name.lower()) > 1:
            raise click.UsageError(texts.SEAT_TWICE.format(found=seat.name))
    return tuple(found)
