"""`rulespec sweep`: which value of a number makes which game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from referee.cli import lab_texts as texts
from referee.cli.common import cli, print_json, with_game, with_json
from referee.cli.laboratory import (
    Ordered,
    Player,
    check_names,
    check_pictures,
    read_players,
    with_lab,
    with_pages,
    write_html,
    write_pictures,
)
from referee.shell import out

if TYPE_CHECKING:
    from referee.lab.study import Gathered, StudySide
    from referee.lab.sweep import Swept


@cli.command(help=texts.SWEEP)
@with_game
@click.option("--vary", "vary", multiple=True, required=True, metavar="WHAT=VALUES", help=texts.OPTION_VARY)
@with_lab
@with_pages
@with_json
def sweep(
    game: str,
    house: tuple[str, ...],
    players: int | None,
    choices: dict[str, str],
    vary: tuple[str, ...],
    ordered: Ordered,
    page: str | None,
    plots: str | None,
    as_json: bool,
) -> None:
    from referee.lab import sweep as sweeping
    from referee.lab.estimates import Looking
    from referee.lab.measures import measures_of
    from referee.lab.study import StudySide
    from referee.lab.vary import BadVary, Grid, read_vary

    if len(vary) > 2 or ordered.until:
        raise click.UsageError(texts.TWO_VARIED if len(vary) > 2 else texts.NO_UNTIL)
    check_pictures(page, plots)
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
    if page or plots:
        _draw(swept, ", ".join(vary), now, ordered.seed, page, plots)
    player.end(swept.ended)


def _draw(swept: Swept, varied: str, now: str, seed: int, page: str | None, plots: str | None) -> None:
    """Write the page and the picture that were asked for."""
    from referee.lab import texts as lab
    from referee.lab.plots import draw_sweep
    from referee.lab.study_page import figure, html_table, paragraphs, write_page
    from referee.lab.sweep import sweep_notes, sweep_table

    picture = draw_sweep(swept, varied, now)
    if plots:
        write_pictures(plots, {"sweep": picture})
    if page:
        head, *rows = sweep_table(swept, varied, now)
        parts = [
            figure(lab.PAGE_SWEEP, picture),
            html_table(lab.PAGE_NUMBERS, head, rows, numbers=(1,)),
            paragraphs(list(sweep_notes(swept, now))),
        ]
        seats = ", ".join(dict.fromkeys(swept.base.job.seats))
        write_html(page, write_page(f"{swept.base.title}: {varied}", f"{seats} · seed {seed}", parts))
