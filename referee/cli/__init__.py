"""The command line. Commands import what they need when they run, so that help and lists answer at once."""

from referee.cli import (  # each adds its commands to the group
    completion,
    diff,
    engine,
    fmt,
    games,
    lsp,
    new,
    picture,
    play,
    records,
    rules,
    serve,
    table,
    test,
    tools,
    validate,
    verify,
)
from referee.cli.common import cli, main

__all__ = [
    "cli",
    "completion",
    "diff",
    "engine",
    "fmt",
    "games",
    "lsp",
    "new",
    "main",
    "picture",
    "play",
    "records",
    "rules",
    "serve",
    "table",
    "test",
    "tools",
    "validate",
    "verify",
]
