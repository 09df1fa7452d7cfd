"""`rulespec picture`: a position of a game as SVG."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from referee.cli import texts
from referee.cli.common import BAD, LARGEST_SEED, cli, load_game, stop, to_stderr, with_game
from referee.picture import texts as picture_texts
from referee.shell import out as output

if TYPE_CHECKING:
    from interpreter import Game, State

MOST = 100_000  # decisions before the position


@cli.command(help=picture_texts.PICTURE)
@with_game
@click.option("--seed", type=click.IntRange(0, LARGEST_SEED), default=0, metavar="N", help=picture_texts.OPTION_SEED)
@click.option("--after", type=click.IntRange(0, MOST), default=0, metavar="N", help=picture_texts.OPTION_AFTER)
@click.option("--position", metavar="EXAMPLE", help=picture_texts.OPTION_POSITION)
@click.option("--viewer", type=int, metavar="N", help=picture_texts.OPTION_VIEWER)
@click.option("--out", metavar="FILE", help=picture_texts.OPTION_OUT)
def picture(
    game: str,
    house: tuple[str, ...],
    players: int | None,
    choices: dict[str, str],
    seed: int,
    after: int,
    position: str | None,
    viewer: int | None,
    out: str | None,
) -> None:
    from referee.picture.scene import scene
    from referee.picture.svg import draw, page

    if out is not None and Path(out).suffix not in (".svg", ".html"):
        raise click.UsageError(picture_texts.ENDING.format(name=out))
    loaded = load_game(game, house, players, choices)
    if viewer is not None and not 1 <= viewer <= loaded.players:
        raise click.UsageError(picture_texts.NO_VIEWER.format(viewer=viewer, players=loaded.players))
    state = _example(loaded, position) if position is not None else loaded.start(seed)
    if after:
        state = loaded.rollout(state, seed, steps=after)
    found = scene(loaded, state, viewer)
    if out is None:
        output.put(draw(found))
        return
    try:
        Path(out).write_text(page(found) if out.endswith(".html") else draw(found), encoding="utf-8")
    except OSError as error:
        to_stderr(texts.USAGE_ERROR.format(message=texts.CANNOT_WRITE.format(reason=f"{out}: {error.strerror}")))
        stop(BAD)


def _example(game: Game, name: str) -> State:
    """Return the position at the beginning of a worked example."""
    from interpreter import find_examples, given_position
    from rulespec import suggest

    entries = {entry.key.text: entry for entry, _ in find_examples(game.rules)}
    state = given_position(game, entries[name]) if name in entries else None
    if state is None:
        hint = "" if name in entries else suggest(name, entries)
        raise click.UsageError(picture_texts.NO_EXAMPLE.format(name=name, hint=hint))
    return state
