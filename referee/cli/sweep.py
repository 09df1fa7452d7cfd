"""`rulespec sweep`: which value of a number makes which game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from referee.cli import lab_texts as texts
from referee.cli.common import INTERRUPTED, cli, print_json, stop, with_game, with_json
from referee.cli.laboratory import Ordered, Player, check_names, read_players, with_lab
from referee.shell import out

if TYPE_CHECKING:
    from referee.lab.study import Gathered, StudySide


@cli.command(help=texts.SWEEP)
@with_game
@click.option("--vary", "vary", multiple=True, required=True, metavar="WHAT=VALUES", help=texts.OPTION_VARY)
@with_lab
@with_json
def sweep(
    game: str,
    house: tuple[str, ...],
    players: int | None,
    choices: dict[str, str],
    vary: tuple[str, ...],
    ordered: Ordered,
    as_json: bool,
) -> None:
    from referee.lab import sweep as sweeping
    from referee.lab.estimates import Looking
    from referee.lab.measures import measures_of
    from referee.lab.study import StudySide
    from referee.lab.vary import BadVary, Grid, read_vary

    if len(vary) > 2 or ordered.until:
        raise click.UsageError(texts.TWO_VARIED if len(vary) > 2 else texts.NO_UNTIL)
    try:
        grid = Grid(game, house, players, choices, [read_vary(text) for text in vary])
        points = list(grid.points())
    except BadVary as error:
        raise click.UsageError(str(error)) from None
    number = grid.model.players
    seats = read_players(ordered.seats, number)
    now = ", ".join(grid.base)
    base = StudySide.of(now, grid.rules, number, choices, seats)
    check_names(list(ordered.notices), [m.key for m in measures_of(base.kind, (), {})])
    sides = {
        name: StudySide.of(name, point.rules, number, point.choices, seats)
        for point in points
        if (name := ", ".join(point.values))
    }
    looking = ordered.looking(often=True)
    if looking.often:
        looking = Looking(sweeping.MOST, True)
    with Player(ordered) as player:

        def play(asked: Sequence[StudySide], games: int) -> Gathered:
            what = texts.SWEEPING.format(games=games, values=len(asked) - 1)
            return player.play(asked, games, what=what)

        swept = sweeping.sweep(base, sides, play, looking, ordered.notices)
    if as_json:
        print_json(sweeping.sweep_data(swept, vary, grid.base, looking, ordered.seed))
    else:
        out.say_lines(sweeping.sweep_lines(swept, ", ".join(vary), now, ordered.seed))
    if swept.ended == "stopped":
        stop(INTERRUPTED)
