"""The command line. Commands import what they need when they run: help and lists answer at once."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from referee import texts

if TYPE_CHECKING:
    from interpreter import Game
    from rulespec.diagnostics import Diagnostic, Span
    from rulespec.load import Rules

GOOD, BAD, USAGE, INTERNAL, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 3, 130, 141
DEEPEST = 30  # for counting sequences
LARGEST_SEED = 2**62

F = TypeVar("F", bound=Callable[..., Any])


@click.group(help=texts.PROGRAM, context_settings={"help_option_names": ["-h", "--help"]})
def cli() -> None:
    pass


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Runs the command line and exits: 0 good, 1 bad file or move, 2 wrong usage, 130 interrupted; no traceback."""
    _prepare_streams()
    try:
        code = _run(args)
        sys.stdout.flush()
    except OSError as error:  # nobody reads any more, or the disk is full
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains at exit
        code = PIPE_CLOSED if isinstance(error, BrokenPipeError) else BAD
        if code == BAD:
            _stderr(texts.USAGE_ERROR.format(message=texts.CANNOT_WRITE.format(reason=error.strerror)))
    sys.exit(code)


def _prepare_streams() -> None:
    """A closed stream is an empty one, and a letter that the terminal does not have is no reason to stop."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _run(args: Sequence[str] | None) -> int:
    if "_RULESPEC_COMPLETE" in os.environ:  # a shell asks how words go on
        cli.main(prog_name="rulespec")
    try:
        with cli.make_context("rulespec", list(sys.argv[1:] if args is None else args)) as context:
            cli.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        _stderr("")
        return INTERRUPTED
    except OSError:
        raise
    except Exception as error:
        sys.stdout.flush()
        return _explain(error)
    return GOOD


def _explain(error: Exception) -> int:
    """Says on standard error what was wrong; the exit code."""
    from interpreter import Fault, RuleFileError
    from rulespec.load import GameNotFound, PlayersError
    from rulespec.options import OptionError

    match error:
        case RuleFileError():
            _complain(error.diagnostics)
            return BAD
        case GameNotFound() | PlayersError() | OptionError():
            _stderr(texts.USAGE_ERROR.format(message=error))
            return USAGE
        case Fault():
            _stderr(texts.FAULT.format(span=error.span, message=error.message))
            return BAD
    if os.environ.get("RULESPEC_TRACEBACK"):
        raise error
    _stderr(texts.INTERNAL.format(name=type(error).__name__, message=error))
    return INTERNAL


def _stderr(text: str) -> None:
    print(text, file=sys.stderr)


def _complain(diagnostics: Sequence[Diagnostic]) -> None:
    from rulespec.diagnostics import render

    _stderr("\n\n".join(render(d) for d in diagnostics))


def _exit(code: int) -> NoReturn:
    raise click.exceptions.Exit(code)


def _print_json(data: object) -> None:
    print(json.dumps(data, ensure_ascii=False, indent=2))


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
    return click.option("--json", "as_json", is_flag=True, help=texts.OPTION_JSON)(command)


def with_game(command: F) -> F:
    """GAME, --players and --set."""
    choices = click.option(
        "--set", "choices", multiple=True, metavar="OPTION=CHOICE", callback=_read_choices, help=texts.OPTION_SET
    )
    players = click.option("--players", type=int, metavar="N", help=texts.OPTION_PLAYERS)
    return click.argument("game")(players(choices(command)))


def _load(game: str, players: int | None, choices: dict[str, str]) -> Game:
    from interpreter import load

    return load(game, players, choices)


def _open_all(files: tuple[str, ...]) -> None:
    """Refuses names that are no file and no game before any work is done."""
    from pathlib import Path

    from rulespec.load import open_rules
    from rulespec.shipped import find_game

    for file in files:
        if not Path(file).exists() and find_game(file) is None:
            open_rules(file)  # says what there is


# Commands ------------------------------------------------------------------------------------------------


@cli.command(help=texts.GAMES)
@with_json
def games(as_json: bool) -> None:
    from referee.catalogue import list_games

    entries = list_games()
    if as_json:
        _print_json([entry.as_data() for entry in entries])
        return
    for entry in entries:
        print(texts.GAME_LINE.format(name=entry.name, title=entry.title, players=texts.players(entry.players)))
        for option in entry.options:
            for name, text in option.choices:
                line = texts.DEFAULT_LINE if name == option.default else texts.CHOICE_LINE
                print(line.format(option=option.name, choice=name, text=text).rstrip(": "))


@cli.command(help=texts.VALIDATE)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@with_json
def validate(files: tuple[str, ...], as_json: bool) -> None:
    from rulespec.diagnostics import has_errors, render

    _open_all(files)
    reports, bad = [], False
    for file in files:
        rules, diagnostics = _check(file)
        ok = not has_errors(diagnostics)
        bad = bad or not ok
        reports.append({"file": file, "ok": ok, "diagnostics": [d.as_data() for d in diagnostics]})
        if as_json:
            continue
        for d in diagnostics:
            print(render(d), end="\n\n")
        if ok and rules is not None:
            print(_good(file, rules))
        else:
            errors = sum(d.level == "error" for d in diagnostics)
            print(texts.BAD.format(file=file, errors=texts.number_of(errors, "error")))
    if as_json:
        _print_json({"version": 1, "files": reports})
    if bad:
        _exit(BAD)


def _check(file: str) -> tuple[Rules | None, list[Diagnostic]]:
    """The rules of a file, if they could be read, and all that is wrong with them."""
    from rulespec.diagnostics import RuleFileError
    from rulespec.load import open_rules

    try:
        rules = open_rules(file)
        return rules, sorted(rules.check_all())
    except RuleFileError as error:
        return None, list(error.diagnostics)


def _good(file: str, rules: Rules) -> str:
    from rulespec.load import describe_players

    combinations = texts.number_of(len(rules.combinations()), "combination")
    return texts.GOOD.format(file=file, combinations=combinations, players=describe_players(rules.players))


@cli.command(help=texts.TEST)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--coverage", is_flag=True, help=texts.COVERAGE_OPTION)
@click.option("--games", type=click.IntRange(0), default=200, show_default=True, help=texts.COVERAGE_GAMES)
@with_json
def test(files: tuple[str, ...], coverage: bool, games: int, as_json: bool) -> None:
    from rulespec.diagnostics import has_errors

    _open_all(files)
    reports, bad = [], False
    for file in files:
        rules, diagnostics = _check(file)
        if rules is None or has_errors(diagnostics):
            bad = True
            found = [d.as_data() for d in diagnostics]
            reports.append({"file": file, "ok": False, "diagnostics": found, "examples": []})
            if not as_json:
                _complain([d for d in diagnostics if d.level == "error"])
            continue
        results, failed = _run_examples(file, rules, quiet=as_json)
        bad = bad or failed
        report: dict[str, object] = {"file": file, "ok": not failed, "diagnostics": [], "examples": results}
        if coverage:
            report["coverage"] = _cover(file, rules, games, quiet=as_json)
        reports.append(report)
    if as_json:
        _print_json({"version": 1, "files": reports})
    if bad:
        _exit(BAD)


def _cover(file: str, rules: Rules, games: int, quiet: bool) -> dict[str, object]:
    """Reports which parts of a file its examples and random games reached."""
    from interpreter.coverage import cover

    found = cover(rules, games)
    missed = [{**_position(p.span), "what": p.what} for p in found.missed]
    if not quiet:
        print(
            texts.COVERED.format(
                file=file, reached=len(found.reached) - len(missed), points=len(found.reached), games=games
            )
        )
        for point in found.missed:
            print(texts.MISSED.format(span=point.span, what=point.what))
    return {"points": len(found.reached), "games": games, "missed": missed}


def _run_examples(file: str, rules: Rules, quiet: bool) -> tuple[list[dict[str, object]], bool]:
    """Runs and reports the examples of one file; whether one failed. What a house rule changes is no failure."""
    from interpreter.examples import run_examples

    reports: list[dict[str, object]] = []
    counts = {"passed": 0, "failed": 0, "changed": 0}
    for result in run_examples(rules):
        outcome = "failed" if not result.passed else "changed" if result.problems else "passed"
        counts[outcome] += 1
        problems = [{**_position(p.span), "message": p.message} for p in result.problems]
        where = {**_position(result.span), "see": result.see, "inherited": result.inherited}
        reports.append({"name": result.name, "outcome": outcome, **where, "problems": problems})
        if quiet:
            continue
        mark = {"passed": texts.EXAMPLE_PASSED, "failed": texts.EXAMPLE_FAILED, "changed": texts.EXAMPLE_CHANGED}
        print(mark[outcome].format(name=result.name))
        for p in result.problems:
            print(texts.EXAMPLE_PROBLEM.format(span=p.span, message=p.message))
    if not quiet:
        examples = texts.number_of(len(reports), "example")
        line = texts.EXAMPLES.format(file=file, examples=examples, passed=counts["passed"], failed=counts["failed"])
        print(line + (texts.EXAMPLES_CHANGED.format(changed=counts["changed"]) if counts["changed"] else ""))
    return reports, counts["failed"] > 0


def _position(span: Span) -> dict[str, object]:
    return {"file": span.file, "line": span.line, "column": span.col}


@cli.command(help=texts.PLAY)
@with_game
@click.option("--seed", type=click.IntRange(0, LARGEST_SEED), metavar="N", help=texts.OPTION_SEED)
@click.option("--seats", metavar="SEAT,SEAT…", help=texts.OPTION_SEATS)
@click.option("--first", type=int, metavar="N", help=texts.OPTION_FIRST)
@with_json
def play(
    game: str,
    players: int | None,
    choices: dict[str, str],
    seed: int | None,
    seats: str | None,
    first: int | None,
    as_json: bool,
) -> None:
    import secrets

    from referee.match import HUMAN, Match
    from referee.screen import Screen
    from referee.terminal import Terminal

    loaded = _load(game, players, choices)
    keyboard = sys.stdin.isatty()
    person = keyboard and sys.stdout.isatty() and not as_json
    default = f"{HUMAN},greedy" if person and loaded.players > 1 else HUMAN if person else "greedy"
    chairs = _read_seats(seats if seats is not None else default, loaded.players)
    if first is not None and not 1 <= first <= loaded.players:
        raise click.UsageError(texts.FIRST_UNKNOWN.format(found=first, players=loaded.players))
    try:
        match = Match.begin(loaded, chairs, secrets.randbelow(1_000_000) if seed is None else seed, first)
    except LookupError:
        raise click.UsageError(texts.FIRST_FIXED) from None
    code = Terminal(match, Screen(), strict=not keyboard, quiet=as_json).run()
    if as_json and code == GOOD:
        _print_json(match.as_data(game))
    if code:
        _exit(code)


def _read_seats(text: str, players: int) -> tuple[str, ...]:
    from referee.match import SEATS

    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in SEATS:
            raise click.UsageError(texts.SEAT_UNKNOWN.format(found=name, known=texts.listed(list(SEATS))))
    if len(names) > players:
        raise click.UsageError(texts.SEATS_MANY.format(found=len(names), players=players))
    return (*names, *[names[-1]] * (players - len(names)))


@cli.command(help=texts.SOURCE)
@with_game
def source(game: str, players: int | None, choices: dict[str, str]) -> None:
    print(_load(game, players, choices).source)


@cli.command(help=texts.PERFT)
@with_game
@click.option("--depth", type=click.IntRange(0, DEEPEST), required=True, metavar="N", help=texts.OPTION_DEPTH)
@click.option("--divide", is_flag=True, help=texts.OPTION_DIVIDE)
@with_json
def perft(game: str, players: int | None, choices: dict[str, str], depth: int, divide: bool, as_json: bool) -> None:
    from referee.perft import Counter

    loaded = _load(game, players, choices)
    counter, start = Counter(loaded), loaded.start()
    counts = []
    for d in range(depth + 1):
        counts.append(counter.count(start, d))
        if counts[-1] == 0 and d:
            break  # all games are over by now
        if not as_json:
            print(texts.PERFT_LINE.format(depth=d, count=counts[-1]), flush=True)
    deepest = max(d for d, count in enumerate(counts) if count)
    under = [(str(m), n) for m, n in counter.divide(start, deepest)] if divide and deepest else []
    if as_json:
        what = {"game": game, "players": loaded.players, "options": loaded.options}
        _print_json({"version": 1, **what, "counts": counts, "divide": dict(under)})
        return
    for move, n in under:
        print(texts.PERFT_UNDER.format(move=move, count=n))


@cli.command(help=texts.SCHEMA)
def schema() -> None:
    from pathlib import Path

    import rulespec

    print((Path(rulespec.__file__).parent / "schema.json").read_text(encoding="utf-8").rstrip())
