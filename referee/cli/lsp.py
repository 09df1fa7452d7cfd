"""`rulespec lsp`: the language server, for editors."""

from __future__ import annotations

from contextlib import closing

import click

from referee.cli.common import cli, with_no_files
from referee.lsp import texts as texts_lsp


@cli.command(help=texts_lsp.LSP)
@with_no_files
def lsp(no_files: bool) -> None:
    from referee.lsp.pool import Pool

    with closing(Pool()) as pool:
        pool.prepare()  # it starts up while this process does
        try:
            from referee.lsp.server import serve
        except ModuleNotFoundError as error:
            if (error.name or "").split(".")[0] not in ("pygls", "lsprotocol"):
                raise
            raise click.ClickException(texts_lsp.MISSING.format(module=error.name)) from None
        from rulespec import DISK, NoDisk

        serve(NoDisk() if no_files else DISK, pool)
