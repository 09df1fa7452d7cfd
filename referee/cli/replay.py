"""`rulespec replay`: a recorded game, step by step."""

from __future__ import annotations

import click

from referee.cli import texts
from referee.cli.common import BAD, cli, stop, to_stderr
from referee.cli.frame import at_keyboard, with_plain
from referee.cli.verify import read_any, seen_by
from referee.record import texts as texts_record


@cli.command(help=texts.REPLAY)
@click.argument("file", metavar="RECORD")
@click.option("--for", "eyes", metavar="N", help=texts_record.OPTION_FOR)
@with_plain
def replay(file: str, eyes: str | None, plain: bool) -> None:
    from referee.play.stepping import Stepper
    from referee.record import replay as again
    from referee.record.lines import RecordError
    from referee.shell.screen import Screen

    try:
        found = again.replay(seen_by(read_any(file), eyes))
        if found.damage is not None:
            raise again.broken(found.damage)
    except RecordError as error:
        to_stderr(texts_record.ERROR.format(file=file, message=error))
        stop(BAD)
    viewer = int(eyes) if eyes is not None and eyes.isdecimal() else None
    Stepper(found.match, Screen(plain=plain or not at_keyboard()), viewer).run()
