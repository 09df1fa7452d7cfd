"""`rulespec diff`: what differs between two rule sets."""

from __future__ import annotations

import click

from referee.cli import diff_texts as texts
from referee.cli.common import BAD, cli, print_json, stop, with_house, with_json, with_table
from referee.shell import out


@cli.command(help=texts.DIFF)
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@with_house
@with_table
@click.option("--games", type=click.IntRange(0), default=40, show_default=True, metavar="N", help=texts.OPTION_GAMES)
@click.option("--brief", is_flag=True, help=texts.OPTION_BRIEF)
@click.option("--no-play", is_flag=True, help=texts.OPTION_NO_PLAY)
@click.option("--exit-code", is_flag=True, help=texts.OPTION_EXIT_CODE)
@with_json
def diff(
    a: str,
    b: str,
    house: tuple[str, ...],
    players: int | None,
    choices: dict[str, str],
    games: int,
    brief: bool,
    no_play: bool,
    exit_code: bool,
    as_json: bool,
) -> None:
    from referee.diff.report import report_difference

    report = report_difference(a, b, players, choices, games if not no_play else None, house)
    if as_json:
        print_json(report.as_data())
    else:
        out.say_lines(report.lines(brief))
    if exit_code and not report.same:
        stop(BAD)
