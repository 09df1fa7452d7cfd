"""`rulespec completion`: scripts for shells."""

from __future__ import annotations

import click

from referee.cli import texts
from referee.cli.common import cli
from referee.shell import out

SHELLS = ("bash", "zsh", "fish")


@cli.command(help=texts.COMPLETION)
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None
    out.put(kind(cli, {}, "rulespec", "_RULESPEC_COMPLETE").source() + "\n")
