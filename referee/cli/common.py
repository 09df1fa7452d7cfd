"""Shared by all commands: their group, exit codes, error output, options. Imports are deferred, so that help answers at once."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from referee.cli import texts
from referee.shell import out
from referee.shell.out import print_json as print_json
from referee.shell.out import to_stderr as to_stderr
from rulespec import LANGUAGE, __version__

if TYPE_CHECKING:
    from interpreter import Game
    from rulespec import Diagnostic, Rules, Span

GOOD, BAD, USAGE, INTERNAL, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 3, 130, 141
DEEPEST = 30  # for counting sequences
LARGEST_SEED = 2**128 - 1
COLLECT_AFTER = (
    50_000  # objects made and kept before Python looks for cycles: reading rules makes many, and next to none
)

F = TypeVar("F", bound=Callable[..., Any])


def _print_version(context: click.Context, option: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        out.say(texts.VERSION.format(program=__version__, language=LANGUAGE))
        context.exit()


@click.group(help=texts.PROGRAM, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help=texts.OPTION_VERSION
)
def cli() -> None:
    pass


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit: 0 good, 1 bad file or move, 2 wrong usage, 130 interrupted; never a traceback."""
    gc.set_threshold(COLLECT_AFTER)
    out.prepare_streams()
    try:
        code = _run(args)
        out.flush()
    except OSError as error:  # the reader is gone, or the disk is full
        out.close_stdout()
        code = PIPE_CLOSED if isinstance(error, BrokenPipeError) else BAD
        if code == BAD:
            to_stderr(texts.USAGE_ERROR.format(message=texts.CANNOT_WRITE.format(reason=error.strerror)))
    sys.exit(code)


def _run(args: Sequence[str] | None) -> int:
    if "_RULESPEC_COMPLETE" in os.environ:  # a shell asks for completions
        from referee.cli.complete import complete

        complete(cli)
    try:
        with cli.make_context("rulespec", list(sys.argv[1:] if args is None else args)) as context:
            cli.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        _wrong_usage(error)
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        to_stderr()
        return INTERRUPTED
    except OSError:
        raise
    except Exception as error:
        out.flush()
        return _explain(error)
    return GOOD


def _wrong_usage(error: click.ClickException) -> None:
    """Say on standard error what is wrong with the arguments of a command, and how to use it."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        out.put_to_stderr(f"{error.format_message()}\n")
        return
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is not None:
        option = max(context.command.get_help_option_names(context), key=len)
        to_stderr(
            *context.get_usage().split("\n"), texts.TRY_HELP.format(command=context.command_path, option=option), ""
        )
    message = texts.WRONG_USAGE.format(message=error.format_message())
    if type(error) in (click.ClickException, click.UsageError):
        to_stderr(message)
    else:
        out.put_to_stderr(f"{message}\n")  # click has escaped what it quotes


def _explain(error: Exception) -> int:
    """Say on standard error what went wrong, and return the exit code."""
    from interpreter import Fault
    from rulespec import GameNotFound, OptionError, PlayersError, RuleFileError

    match error:
        case RuleFileError():
            complain(error.diagnostics)
            return BAD
        case GameNotFound() | PlayersError() | OptionError():
            to_stderr(texts.USAGE_ERROR.format(message=error))
            return USAGE
        case Fault():
            to_stderr(*out.filled(texts.FAULT, span=error.span, message=error.message))
            return BAD
    if os.environ.get("RULESPEC_TRACEBACK"):
        import traceback

        out.put_to_stderr("".join(traceback.format_exception(error)))
    to_stderr(*out.filled(texts.INTERNAL, name=type(error).__name__, message=error))
    return INTERNAL


def tell_native(game: Game) -> None:
    """Say on standard error that a compiler failed: games are the same without it, but slower."""
    problem = game.native_problem
    if problem is not None and problem.is_worth_reporting:
        to_stderr(texts.NOT_NATIVE.format(reason=problem.message))


def complain(diagnostics: Sequence[Diagnostic], disk: bool = True, written: Mapping[str, str] | None = None) -> None:
    """Print diagnostics on standard error; `written` are texts that are in no file, by name."""
    from rulespec import rendered

    for number, d in enumerate(diagnostics):
        if number:
            to_stderr()
        out.styled_to_stderr(rendered(d, written, disk))


def stop(code: int) -> NoReturn:
    """Exit with a code."""
    raise click.exceptions.Exit(code)


# Options that several commands have ----------------------------------------------------------------------


def _read_choices(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    choices = {}
    for value in values:
        option, equals, choice = value.partition("=")
        if not (option and equals and choice):
            raise click.UsageError(texts.SET_SHAPE.format(found=value), context)
        choices[option.strip()] = choice.strip()
    return choices


def with_json(command: F) -> F:
    """Give a command --json."""
    return click.option("--json", "as_json", is_flag=True, help=texts.OPTION_JSON)(command)


def with_house(command: F) -> F:
    """Give a command --house: house rules on top of the game."""
    return click.option("--house", multiple=True, metavar="FILE", help=texts.OPTION_HOUSE)(command)


def with_game(command: F) -> F:
    """Give a command GAME, --house, --players and --set."""
    return click.argument("game")(with_house(with_table(command)))


def with_no_files(command: F) -> F:
    """Give a command --no-files: names that others choose open no file."""
    return click.option("--no-files", is_flag=True, help=texts.OPTION_NO_FILES)(command)


def with_table(command: F) -> F:
    """Give a command --players and --set."""
    return click.option("--players", type=int, metavar="N", help=texts.OPTION_PLAYERS)(with_choices(command))


def with_choices(command: F) -> F:
    """Give a command --set."""
    return click.option(
        "--set", "choices", multiple=True, metavar="OPTION=CHOICE", callback=_read_choices, help=texts.OPTION_SET
    )(command)


def load_game(game: str, house: Sequence[str], players: int | None, choices: dict[str, str]) -> Game:
    """Return the game that the words of a command name."""
    from interpreter import load

    return load(game, players, choices, house)


def find_all(files: Sequence[str]) -> None:
    """Refuse names that are no file and no game before any work is done."""
    from pathlib import Path

    from rulespec import find_game, open_rules

    for file in files:
        if not Path(file).exists() and find_game(file) is None:
            open_rules(file)  # its message lists the games


def check_file(file: str, house: Sequence[str] = ()) -> tuple[Rules | None, list[Diagnostic]]:
    """Return the rules of a file, if they can be read, and all that is wrong with them."""
    from rulespec import RuleFileError, open_rules

    try:
        rules = open_rules(file, house=house)
        return rules, sorted(rules.check_all())
    except RuleFileError as error:
        return None, list(error.diagnostics)


def position(span: Span) -> dict[str, object]:
    """Return where a span is as plain data."""
    return {"file": span.file, "line": span.line, "column": span.col}
