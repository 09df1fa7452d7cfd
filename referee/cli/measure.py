"""`rulespec measure`: what kind of game rules make."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from referee.cli import lab_texts as texts
from referee.cli.common import cli, print_json, with_game, with_json
from referee.cli.laboratory import (
    FAR,
    Ordered,
    Player,
    Schedule,
    check_names,
    check_watchers,
    read_players,
    short_name,
    with_lab,
    with_watchers,
    write_html,
)
from referee.shell import out

if TYPE_CHECKING:
    from interpreter import Game
    from referee.lab.row import Row
    from referee.lab.study import StudySide

RIVALS = "quick:400,quick:40"  # who plays for luck and skill


@cli.command(help=texts.MEASURE)
@with_game
@with_lab
@click.option("--without", metavar="MOVE.CHOICE=VALUE", help=texts.OPTION_WITHOUT)
@click.option("--far", "with_far", is_flag=True, help=texts.OPTION_FAR_TOO)
@with_watchers
@click.option(
    "--skill",
    "rivals",
    metavar="[STRONG,WEAK]",
    is_flag=False,
    flag_value=RIVALS,
    default=None,
    help=texts.OPTION_SKILL,
)
@click.option("--html", "page", metavar="FILE", help=texts.OPTION_HTML_ALONE)
@with_json
def measure(
    game: str,
    house: tuple[str, ...],
    players: int | None,
    choices: dict[str, str],
    ordered: Ordered,
    without: str | None,
    with_far: bool,
    watched: tuple[str, ...],
    rivals: str | None,
    page: str | None,
    as_json: bool,
) -> None:
    from interpreter import load
    from referee.lab.comparison import measure_rows
    from referee.lab.doubts import PAIRS, seated
    from referee.lab.estimates import LOOKS_FROM, Looking
    from referee.lab.findings import Findings
    from referee.lab.letters import measurement_lines
    from referee.lab.measures import measures_of
    from referee.lab.skill import DEALS, find_skill
    from referee.lab.study import StudySide
    from referee.lab.study_data import measurement_data
    from referee.lab.study_page import measurement_page
    from rulespec import open_rules

    rules = open_rules(game, house=house)
    number = rules.check(players, choices)[0].players
    seats = read_players(ordered.seats, number)
    if without is not None:
        seats = _one_without(seats, without, load(game, number, choices, house))
    side = StudySide.of(short_name([game, *house]), rules, number, choices, seats, watched)
    check_watchers(side)
    exchanged = None if rivals is None else _exchanged(side, rivals)
    notices = {m.key: m for m in measures_of(side.kind, (), ordered.notices)}
    check_names([*ordered.until, *ordered.notices], list(notices))
    looking = ordered.looking(often=False)
    schedule = Schedule(LOOKS_FROM)

    def enough(rows: Sequence[Sequence[Row]]) -> bool:
        if not schedule.is_due(len(rows[0])):
            return False
        found = measure_rows(rows[0], side.kind, looking)
        for key in ordered.until:
            value = found.of(key)
            if value is None or value.found.interval is None or value.found.value is None:
                return False
            notice = value.measure.notice
            if value.measure.notice_of and key not in ordered.notices:
                of = found.of(value.measure.notice_of)
                notice *= abs((of.found.value if of is not None else None) or 0.0)
            if value.found.interval.half > (ordered.notices.get(key) or notice):
                return False
        return True

    with Player(ordered) as player:
        gathered = player.play((side,), looking.planned, enough if ordered.until else None)
        far, skill, goes_on = None, None, gathered.ended in ("all", "enough")
        if with_far and goes_on:
            other = seated(side, FAR)
            games = player.play((other,), PAIRS, what=texts.CHECKING.format(bot=FAR)).rows[0]
            far = FAR, measure_rows(games, other.kind, Looking(PAIRS))
        if exchanged is not None and goes_on:
            deals = ordered.games or DEALS
            strong, weak = exchanged[0].job.seats[:2]
            again = player.play(exchanged, deals, what=texts.EXCHANGING.format(strong=strong, weak=weak))
            skill = find_skill(exchanged, again, deals)
    measured = measure_rows(gathered.rows[0], side.kind, looking)
    found = Findings(side, measured, looking, gathered, ordered.seed, far, skill)
    if as_json:
        print_json(measurement_data(found))
    else:
        out.say_lines(measurement_lines(found))
    if page:
        write_html(page, measurement_page(found))
    player.end(skill.ended if skill is not None else gathered.ended)


def _exchanged(side: StudySide, rivals: str) -> tuple[StudySide, StudySide]:
    """Return the two sides of a match of a strong and a weak player."""
    from referee.lab.skill import exchanged_sides

    if side.job.players < 2:
        raise click.UsageError(texts.SKILL_ALONE)
    strong, weak = read_players(rivals, 2)
    if strong == weak:
        raise click.UsageError(texts.SKILL_TWO)
    return exchanged_sides(side, strong, weak)


def _one_without(seats: tuple[str, ...], word: str, game: Game) -> tuple[str, ...]:
    """Return the players with one of them restricted."""
    from referee.lab.restricted import SEAT, BadWithout, read_without

    if len(seats) < 2 or len(set(seats)) > 1 or not seats[0].startswith("quick:"):
        raise click.UsageError(texts.WITHOUT_QUICK)
    try:
        read_without(game, word)
    except BadWithout as error:
        raise click.UsageError(str(error)) from None
    return (*seats[:-1], SEAT.format(bot=seats[-1], word=word))
