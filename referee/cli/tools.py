"""`rulespec show`, `source`, `perft` and `schema`: for authors, programmers and editors."""

from __future__ import annotations

import re

import click

from referee.cli import texts
from referee.cli.common import DEEPEST, cli, load_game, print_json, with_game, with_json
from referee.shell import out

FORMS = ("program", "python", "c")  # the stages in which a program can be printed
SCHEMA_LINE = re.compile(r"^# yaml-language-server: \$schema=.*\n(?:#\n)?", re.MULTILINE)


@cli.command(help=texts.SHOW)
@click.argument("file", metavar="FILE")
@click.option("--path", is_flag=True, help=texts.OPTION_PATH)
def show(file: str, path: bool) -> None:
    from rulespec import GAMES_FOLDER, open_rules

    rules = open_rules(file)
    if path:
        out.say(str(rules.path))
        return
    text = rules.files[-1].text
    if rules.path.resolve().is_relative_to(GAMES_FOLDER.resolve()):
        text = SCHEMA_LINE.sub("", text, count=1)  # it leads from the folder of the shipped games, and from no other
    out.put_file(text)


@cli.command(help=texts.SOURCE)
@with_game
@click.option("--form", type=click.Choice(FORMS), default="python", show_default=True, help=texts.OPTION_FORM)
def source(game: str, house: tuple[str, ...], players: int | None, choices: dict[str, str], form: str) -> None:
    out.put(f"{load_game(game, house, players, choices).source(form)}\n")


@cli.command(help=texts.PERFT)
@with_game
@click.option("--depth", type=click.IntRange(0, DEEPEST), required=True, metavar="N", help=texts.OPTION_DEPTH)
@click.option("--divide", is_flag=True, help=texts.OPTION_DIVIDE)
@with_json
def perft(
    game: str,
    house: tuple[str, ...],
    players: int | None,
    choices: dict[str, str],
    depth: int,
    divide: bool,
    as_json: bool,
) -> None:
    from referee.cli.perft_count import Counter

    loaded = load_game(game, house, players, choices)
    counter, start = Counter(loaded), loaded.start()
    counts = []
    for d in range(depth + 1):
        counts.append(counter.count(start, d))
        if counts[-1] == 0 and d:
            break  # all games are over by now
        if not as_json:
            out.say(texts.PERFT_LINE.format(depth=d, count=counts[-1]))
            out.flush()
    deepest = max(d for d, count in enumerate(counts) if count)
    under = [(str(m), n) for m, n in counter.divide(start, deepest)] if divide and deepest else []
    if as_json:
        what = {"game": game, "players": loaded.players, "options": loaded.options}
        print_json({"version": 1, **what, "counts": counts, "divide": dict(under)})
        return
    for move, n in under:
        out.say(texts.PERFT_UNDER.format(move=move, count=n))


@cli.command(help=texts.SCHEMA)
def schema() -> None:
    from rulespec import schema_text

    out.put(f"{schema_text().rstrip()}\n")
