"""`rulespec serve`: tables and the workshop for browsers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from referee.cli import texts
from referee.cli.common import BAD, cli, stop, to_stderr
from referee.shell import out
from referee.web import texts as texts_web

if TYPE_CHECKING:
    pass

NEEDED = ("starlette", "uvicorn", "websockets", "segno", "anyio")


@cli.command(help=texts_web.SERVE)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, metavar="N", help=texts_web.OPTION_PORT
)
@click.option("--lan", is_flag=True, help=texts_web.OPTION_LAN)
@click.option("--data", metavar="DIR", help=texts_web.OPTION_DATA)
@click.option("--host", "hosts", multiple=True, metavar="NAME", help=texts_web.OPTION_HOST)
@click.option(
    "--most-tables",
    type=click.IntRange(1),
    default=10_000,
    show_default=True,
    metavar="N",
    help=texts_web.OPTION_TABLES,
)
@click.option("--open", "opens", is_flag=True, help=texts_web.OPTION_OPEN)
def serve(port: int, lan: bool, data: str | None, hosts: tuple[str, ...], most_tables: int, opens: bool) -> None:
    try:
        from referee.web.run import Listening, listen, run_server
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in NEEDED:
            raise
        raise click.ClickException(texts_web.MISSING.format(module=error.name)) from None
    from referee.record.folder import records_folder
    from referee.web.store import StoreError

    folder = Path(data) if data is not None else records_folder().parent / "tables"
    try:
        listening = Listening(listen(port, lan), lan, hosts)
    except OSError as error:
        to_stderr(texts.USAGE_ERROR.format(message=texts_web.not_listening(port, error)))
        stop(BAD)
    try:
        run_server(listening, folder, most_tables, lambda: _ready(listening.addresses, folder, opens))
    except StoreError as error:
        to_stderr(texts.USAGE_ERROR.format(message=error))
        stop(BAD)


def _ready(addresses: tuple[str, ...], folder: Path, opens: bool) -> None:
    for address in addresses:
        out.say(texts_web.SERVING.format(address=address))
    out.say(texts_web.STOP.format(folder=folder))
    out.flush()
    if opens:
        import webbrowser

        webbrowser.open(addresses[0])
