"""`rulespec compare`: what a changed rule does to a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from referee.cli import lab_texts as texts
from referee.cli.common import INTERRUPTED, cli, print_json, stop, with_house, with_json, with_table
from referee.cli.laboratory import Ordered, Schedule, check_names, play, read_players, with_lab
from referee.shell import out
from rulespec import number_range

if TYPE_CHECKING:
    from referee.lab.row import Row
    from referee.lab.study import StudySide


@cli.command(help=texts.COMPARE)
@click.argument("a", metavar="A")
@click.argument("b", metavar="[B]", required=False)
@with_house
@with_table
@with_lab
@with_json
def compare(
    a: str,
    b: str | None,
    house: tuple[str, ...],
    players: int | None,
    choices: dict[str, str],
    ordered: Ordered,
    as_json: bool,
) -> None:
    from referee.lab.comparison import compare_rows, shared
    from referee.lab.estimates import LOOKS_FROM
    from referee.lab.letters import comparison_lines
    from referee.lab.measures import measures_of
    from referee.lab.study_data import comparison_data

    if b is None and not house:
        raise click.UsageError(texts.NO_B)
    sides = both_sides(a, b or a, house, players, choices, ordered)
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

    gathered = play(sides, ordered, looking, enough if ordered.until else None)
    found = compare_rows(gathered.rows[0], gathered.rows[1], kinds, looking, ordered.notices)
    if as_json:
        print_json(comparison_data(sides, found, looking, gathered, ordered.seed))
    else:
        out.say_lines(comparison_lines(sides, found, looking, gathered, ordered.seed))
    if gathered.ended == "stopped":
        stop(INTERRUPTED)


def both_sides(
    a: str, b: str, house: tuple[str, ...], players: int | None, choices: dict[str, str], ordered: Ordered
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
    second = " + ".join([*([b] if b != a or not house else []), *house])
    return (
        StudySide.of(a, before, number, chosen[0], seats),
        StudySide.of(second, after, number, chosen[1], seats),
    )
