"""`rulespec lsp`: the language server, for editors."""

from __future__ import annotations

import click

from referee import texts_lsp
from referee.cli.common import cli, with_no_files


@cli.command(help=texts_lsp.LSP)
@with_no_files
def lsp(no_files: bool) -> None:
    try:
        from referee.lsp.server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise click.ClickException(texts_lsp.MISSING.format(module=error.name)) from None
    serve(no_files)
