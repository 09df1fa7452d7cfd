"""`rulespec new`: a commented file to start from."""

from __future__ import annotations

from pathlib import Path

import click

from referee.cli import texts
from referee.cli.common import BAD, cli, print_json, stop, to_stderr, with_json
from referee.new import texts as words
from referee.shell import out as output


@cli.command(help=words.NEW)
@click.argument("what", type=click.Choice(["house", "game"]))
@click.option("--extends", metavar="GAME", help=words.OPTION_EXTENDS)
@click.option("--out", metavar="FILE", help=words.OPTION_OUT)
@click.option("--force", is_flag=True, help=words.OPTION_FORCE)
@with_json
def new(what: str, extends: str | None, out: str | None, force: bool, as_json: bool) -> None:
    from referee.new.templates import starting_game, starting_house

    path = None if out in (None, "-") else Path(str(out))
    if what == "house" and extends is None:
        raise click.UsageError(words.EXTENDS_MISSING)
    if what == "game" and extends is not None:
        raise click.UsageError(words.EXTENDS_TOO_MUCH)
    if path is not None and not force and (path.exists() or path.is_symlink()):  # before the work
        _complain(words.EXISTS.format(path=path))
    text = starting_game() if extends is None else starting_house(extends, path)
    if path is not None:
        try:
            with path.open("w" if force else "x", encoding="utf-8") as file:
                file.write(text)
        except FileExistsError:
            _complain(words.EXISTS.format(path=path))
        except OSError as error:
            _complain(words.CANNOT_WRITE.format(path=path, reason=(error.strerror or str(error)).lower()))
    if as_json:
        print_json({"version": 1, "file": None if path is None else str(path), "text": text})
    elif path is None:
        output.put_file(text)
    else:
        output.say(words.WRITTEN.format(path=path))


def _complain(message: str) -> None:
    to_stderr(texts.USAGE_ERROR.format(message=message))
    stop(BAD)
