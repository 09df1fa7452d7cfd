"""Completes words of the command line when somebody presses TAB: names of games, options, choices, seats, files.

The name of a parameter says what it takes, in one table for all commands, so that a new command completes like the
others. The shell is waiting: whatever is wrong with a file or a word only makes the answer shorter.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import click
from click.shell_completion import BashComplete, CompletionItem, add_completion_class, split_arg_string

from referee.cli.catalogue import GameEntry, list_games, whole_entry
from rulespec import find_game, visible

Completer = Callable[[click.Context, str], Iterator[CompletionItem]]
INERT = re.compile(r"[\w.,:=/+@%-]+")  # characters that no shell interprets
GAME_PARAMETERS = ("game", "a", "file", "files")  # in this order: the first with a value names the game


def complete(cli: click.Group) -> None:
    """Answer the shell whose question is in the environment, and exit."""
    add_completion_class(Bash)
    for command in cli.commands.values():
        for parameter in command.params:
            completer = completer_of(parameter)
            if completer is not None:
                setattr(parameter, "shell_complete", _listed(completer))  # noqa: B010
    cli.main(prog_name="rulespec")


def completer_of(parameter: click.Parameter) -> Completer | None:
    """Return what completes a parameter; None: its type does, or it takes any word."""
    if parameter.name in COMPLETERS:
        return COMPLETERS[parameter.name]
    return _files if parameter.metavar == "FILE" else None


def _listed(completer: Completer) -> Callable[[click.Context, str], list[CompletionItem]]:
    return lambda context, begun: [clean for item in completer(context, begun) if (clean := _clean(item))]


def _clean(item: CompletionItem) -> CompletionItem | None:
    """Return a completion that a shell can show and that means nothing to it; None for any other word.

    INVARIANT: a shell puts the word on the command line as it is. A choice may be called `a;reboot`: it is not offered.
    """
    if item.type == "plain" and not INERT.fullmatch(item.value):
        return None
    return CompletionItem(item.value, item.type, visible(item.help) if item.help else None)


def _files(context: click.Context, begun: str) -> Iterator[CompletionItem]:
    yield CompletionItem(begun, type="file")


def _games(context: click.Context, begun: str) -> Iterator[CompletionItem]:
    return _named(begun, "")


def _house(context: click.Context, begun: str) -> Iterator[CompletionItem]:
    return _named(begun, "house/")


def _named(begun: str, folder: str) -> Iterator[CompletionItem]:
    """Yield shipped games, or, if none begins so, files: bash cannot show both."""
    found = [e for e in list_games() if e.name.startswith(begun) and e.name.startswith(folder)]
    for entry in found:
        yield CompletionItem(entry.name, help=entry.title)
    if not found:
        yield CompletionItem(begun, type="file")


def _records(context: click.Context, begun: str) -> Iterator[CompletionItem]:
    return _files(context, begun) if context.command.name in RECORD_COMMANDS else _games(context, begun)


def _choices(context: click.Context, begun: str) -> Iterator[CompletionItem]:
    """Yield `option=choice` for the options of the game named before."""
    entry = played(context)
    for option in entry.options if entry else ():
        for name, text in option.choices:
            word = f"{option.name}={name}"
            if word.startswith(begun):
                yield CompletionItem(word, help=text)


def _players(context: click.Context, begun: str) -> Iterator[CompletionItem]:
    entry = played(context)
    for number in entry.players if entry else ():
        if str(number).startswith(begun):
            yield CompletionItem(str(number))


def _first(context: click.Context, begun: str) -> Iterator[CompletionItem]:
    entry = played(context)
    for number in range(1, max(entry.players, default=0) + 1) if entry else ():
        if str(number).startswith(begun):
            yield CompletionItem(str(number))


def _seats(context: click.Context, begun: str) -> Iterator[CompletionItem]:
    """Complete the last of several seats, which may have a name: `Anna=hum`."""
    from referee.record.match import SEATS

    at = max(begun.rfind(","), begun.rfind("=")) + 1
    for seat in SEATS:
        if seat.startswith(begun[at:]):
            yield CompletionItem(begun[:at] + seat)


def played(context: click.Context) -> GameEntry | None:
    """Return the game that is named on the command line so far, if it can be read."""
    given = [context.params.get(name) for name in GAME_PARAMETERS]
    words = [word for value in given for word in (value if isinstance(value, tuple) else (value,))]
    for word in [*words, *context.args]:  # if the value of an option is missing, all words are in `args`
        if isinstance(word, str):
            path = find_game(word) or Path(word)
            return whole_entry(word, path) if path.is_file() else None
    return None


RECORD_COMMANDS = ("verify", "transcript", "record")
COMPLETERS: dict[str | None, Completer] = {
    "game": _games,
    "a": _games,
    "b": _games,
    "files": _games,
    "file": _records,
    "house": _house,
    "extends": _games,
    "choices": _choices,
    "players": _players,
    "first": _first,
    "seats": _seats,
}


class Bash(BashComplete):
    """Bash splits words at `=`: `--set a=b` comes as four words, and only the last part is completed."""

    name = "bash"
    _cut = ""  # what comes before that part

    def get_completion_args(self) -> tuple[list[str], str]:
        words = split_arg_string(os.environ["COMP_WORDS"])
        at = int(os.environ["COMP_CWORD"])
        joined: list[str] = []
        open_end = False  # the last word ends with a `=` that bash split off
        for word in words[: at + 1]:
            if joined and (word == "=" or open_end):
                joined[-1] += word
                open_end = word == "=" and not open_end
            else:
                joined.append(word)
        begun = joined.pop() if at < len(words) else ""
        self._cut = begun[: begun.rfind("=") + 1]
        return joined[1:], begun

    def format_completion(self, item: CompletionItem) -> str:
        if item.type == "plain" and self._cut and item.value.startswith(self._cut):
            item = CompletionItem(item.value[len(self._cut) :], item.type, item.help)
        return super().format_completion(item)
