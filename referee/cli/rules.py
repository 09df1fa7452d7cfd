"""`rulespec rules`: the rulebook of a game."""

from __future__ import annotations

from pathlib import Path

import click

from referee.cli import texts
from referee.cli.common import BAD, cli, stop, to_stderr, with_choices, with_house
from referee.rulebook import texts as texts_rules
from referee.shell import out as output


@cli.command(help=texts_rules.RULES)
@click.argument("game")
@with_house
@click.option("--players", type=int, metavar="N", help=texts_rules.OPTION_PLAYERS)
@with_choices
@click.option(
    "--format",
    "kind",
    type=click.Choice(["markdown", "html"]),
    default="markdown",
    show_default=True,
    help=texts_rules.OPTION_FORMAT,
)
@click.option("--out", metavar="FILE", help=texts_rules.OPTION_OUT)
@click.option("--no-examples", is_flag=True, help=texts_rules.OPTION_NO_EXAMPLES)
@click.option("--changes", "only_changes", is_flag=True, help=texts_rules.OPTION_CHANGES)
def rules(
    game: str,
    house: tuple[str, ...],
    players: int | None,
    choices: dict[str, str],
    kind: str,
    out: str | None,
    no_examples: bool,
    only_changes: bool,
) -> None:
    from referee.rulebook.html import write_html
    from referee.rulebook.make import NoHouseRule, make_book
    from referee.rulebook.markdown import write_markdown

    try:
        book = make_book(game, players, choices, house, not no_examples, only_changes, pictures=kind == "html")
    except NoHouseRule as error:
        raise click.UsageError(str(error)) from None
    text = write_html(book) if kind == "html" else write_markdown(book)
    if out is None:
        output.put(text)
        return
    try:
        Path(out).write_text(text, encoding="utf-8")
    except OSError as error:
        to_stderr(texts.USAGE_ERROR.format(message=texts.CANNOT_WRITE.format(reason=f"{out}: {error.strerror}")))
        stop(BAD)
