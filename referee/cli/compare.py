"""`rulespec compare`: what a changed rule does to a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from referee.cli import lab_texts as texts
from referee.cli.common import cli, print_json, with_house, with_json, with_table
from referee.cli.laboratory import (
    FAR,
    Ordered,
    Player,
    Schedule,
    check_names,
    check_pictures,
    check_watchers,
    read_players,
    short_name,
    with_lab,
    with_pages,
    with_watchers,
    write_html,
    write_pictures,
)
from referee.shell import out
from rulespec import number_range

if TYPE_CHECKING:
    from referee.lab.comparison import Comparison
    from referee.lab.doubts import Attention, SecondOpinion
    from referee.lab.estimates import Looking
    from referee.lab.row import Row
    from referee.lab.study import Gathered, StudySide


SECOND = "search:300p"  # who plays for a second opinion


@cli.command(help=texts.COMPARE)
@click.argument("a", metavar="A")
@click.argument("b", metavar="[B]", required=False)
@with_house
@with_table
@with_lab
@click.option("--check", metavar="[BOT]", is_flag=False, flag_value=SECOND, default=None, help=texts.OPTION_CHECK)
@click.option("--far", "with_far", is_flag=True, help=texts.OPTION_FAR)
@with_watchers
@with_pages
@with_json
def compare(
    a: str,
    b: str | None,
    house: tuple[str, ...],
    players: int | None,
    choices: dict[str, str],
    ordered: Ordered,
    check: str | None,
    with_far: bool,
    watched: tuple[str, ...],
    page: str | None,
    plots: str | None,
    as_json: bool,
) -> None:
    from referee.lab.comparison import compare_rows, shared
    from referee.lab.estimates import LOOKS_FROM
    from referee.lab.letters import comparison_lines
    from referee.lab.measures import measures_of
    from referee.lab.study_data import comparison_data

    if b is None and not house:
        raise click.UsageError(texts.NO_B)
    sides = both_sides(a, b or a, house, players, choices, ordered, watched)
    check_watchers(sides[0])
    if check is not None:
        read_players(check, 1)
    check_pictures(page, plots)
    kinds = sides[0].kind, sides[1].kind
    known = [m.key for m in measures_of(shared(*kinds), (), {})]
    check_names([*ordered.until, *ordered.notices], known)
    looking = ordered.looking(often=True)
    schedule = Schedule(LOOKS_FROM)

    def enough(rows: Sequence[Sequence[Row]]) -> bool:
        if not schedule.is_due(len(rows[0])):
            return False
        found = compare_rows(rows[0], rows[1], kinds, looking, ordered.notices)
        changes = [found.of(key) for key in ordered.until]
        return all(change is not None and not change.verdict.is_open for change in changes)

    with Player(ordered) as player:
        gathered = player.play(sides, looking.planned, enough if ordered.until else None)
        found = compare_rows(gathered.rows[0], gathered.rows[1], kinds, looking, ordered.notices)
        goes_on = gathered.ended in ("all", "enough")
        attention = _attention(player, sides, a, b or a, house, choices) if goes_on else []
        second = _second(player, check, sides, found) if goes_on and check is not None else None
        far = _second(player, FAR, sides, found) if goes_on and with_far else None
    parts = (sides, found, looking, gathered, ordered.seed, attention)
    opinions = [one for one in (second, far) if one is not None]
    if as_json:
        print_json(comparison_data(*parts, second, far))
    else:
        out.say_lines(comparison_lines(*parts, opinions))
    if page or plots:
        _draw(*parts, opinions, page, plots)
    player.end(gathered.ended)


def both_sides(
    a: str,
    b: str,
    house: tuple[str, ...],
    players: int | None,
    choices: dict[str, str],
    ordered: Ordered,
    watched: tuple[str, ...] = (),
) -> tuple[StudySide, StudySide]:
    """Return the two sides, for a number of players that both are for."""
    from referee.lab.study import StudySide
    from rulespec import compare_rules, open_rules

    before, after = open_rules(a), open_rules(b, house=house)
    chosen = compare_rules(before, after, choices).choices
    numbers = [n for n in before.players_for(chosen[0]) if n in after.players_for(chosen[1])]
    if players is None and not numbers:
        one, two = (number_range(rules.players, "player") for rules in (before, after))
        raise click.UsageError(texts.NO_COMMON_PLAYERS.format(a=a, players_a=one, b=b, players_b=two))
    number = numbers[0] if players is None else players
    seats = read_players(ordered.seats, number)
    second = short_name([*([b] if b != a or not house else []), *house])
    return (
        StudySide.of(short_name([a]), before, number, chosen[0], seats, watched),
        StudySide.of(second, after, number, chosen[1], seats, watched),
    )


def _attention(
    player: Player, sides: tuple[StudySide, StudySide], a: str, b: str, house: tuple[str, ...], choices: dict[str, str]
) -> list[Attention]:
    """Return whether the players play for the numbers that were changed, and if not, whether far-sighted ones do."""
    from referee.lab.doubts import PAIRS, Attention, look_far, look_for_attention, seated
    from referee.lab.study import StudySide
    from referee.lab.vary import changed_numbers, house_rule
    from rulespec import OptionError, PlayersError, RuleFileError, compare_rules, open_rules

    if all(seat == "random" for seat in sides[0].job.seats):
        return []
    after = open_rules(b, house=house)
    difference = compare_rules(open_rules(a), after, choices)
    model = after.check(sides[1].job.players, difference.choices[1])[0]
    file = house[-1] if len(house) == 1 and b == a else b  # a number can be changed once more on top of one file
    job, found = sides[1].job, []
    for name, larger in changed_numbers(difference.changes, model):
        side = None
        try:
            if open_rules(file).fingerprint(difference.choices[1]) == job.fingerprint:
                rules = open_rules(file, house=[house_rule(file, name, {name: larger})])
                side = StudySide.of(name, rules, job.players, difference.choices[1], job.seats)
        except (RuleFileError, OptionError, PlayersError):
            side = None
        if side is None:
            found.append(Attention(name, 0, None))
            continue
        rows = player.play((sides[1], side), PAIRS, what=texts.LOOKING_AT.format(name=name)).rows
        one = look_for_attention(name, rows[0], rows[1])
        if one.noticed is False and not all(seat.startswith("far:") for seat in job.seats):
            others = seated(sides[1], FAR), seated(side, FAR)
            far = player.play(others, PAIRS, what=texts.LOOKING_FAR.format(name=name, bot=FAR)).rows
            one = replace(one, far=look_far(FAR, rows[0], far[0], far[1]))
        found.append(one)
    return found


def _second(player: Player, bot: str, sides: tuple[StudySide, StudySide], found: Comparison) -> SecondOpinion:
    """Return what another player shows."""
    from referee.lab.doubts import SECOND_PAIRS, ask_another, seated

    others = seated(sides[0], bot), seated(sides[1], bot)
    rows = player.play(others, SECOND_PAIRS, what=texts.CHECKING.format(bot=bot)).rows
    return ask_another(bot, found, rows[0], rows[1], others)


def _draw(
    sides: tuple[StudySide, StudySide],
    found: Comparison,
    looking: Looking,
    gathered: Gathered,
    seed: int,
    attention: Sequence[Attention],
    opinions: Sequence[SecondOpinion],
    page: str | None,
    plots: str | None,
) -> None:
    """Write the page and the pictures that were asked for."""
    from referee.lab import texts as lab
    from referee.lab.letters import doubt_lines, report_head
    from referee.lab.plots import draw_changes, draw_story
    from referee.lab.study_page import comparison_parts, write_page
    from rulespec import number_of

    title = f"{sides[0].title} and {sides[1].title}"
    head = report_head(title, number_of(found.n, lab.PAIRS), sides[0], seed)
    under = head.removeprefix(f"{title} · ")
    changes, story = draw_changes(sides, found, under), draw_story(sides, found, gathered.rows, under)
    if plots:
        write_pictures(plots, {"compare": changes, "story": story})
    if page:
        pictures = [(lab.PAGE_PICTURE, changes), (lab.PAGE_STORY, story)]
        notes = list(doubt_lines(sides, found, looking, gathered, attention, opinions))
        write_html(page, write_page(title, under, comparison_parts(sides, found, pictures, notes)))
