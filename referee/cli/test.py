"""`rulespec test`: the worked examples of rule files, and what they reach."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from referee.cli import texts
from referee.cli.common import (
    BAD,
    check_file,
    cli,
    complain,
    find_all,
    position,
    print_json,
    stop,
    with_house,
    with_json,
)
from referee.shell import out
from rulespec import folded_names, listed_some, number_of

if TYPE_CHECKING:
    from interpreter import ExampleResult
    from rulespec import Rules

MOST_LINES = 8  # of examples of which the same is to be said


@cli.command(help=texts.TEST)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@with_house
@click.option("--coverage", is_flag=True, help=texts.COVERAGE_OPTION)
@click.option("--games", type=click.IntRange(0), default=200, show_default=True, help=texts.COVERAGE_GAMES)
@click.option(
    "--limit", type=click.IntRange(1), default=100_000, show_default=True, metavar="N", help=texts.COVERAGE_LIMIT
)
@with_json
def test(files: tuple[str, ...], house: tuple[str, ...], coverage: bool, games: int, limit: int, as_json: bool) -> None:
    from rulespec import has_errors

    find_all([*files, *house])
    reports, bad = [], False
    for file in files:
        rules, diagnostics = check_file(file, house)
        if rules is None or has_errors(diagnostics):
            bad = True
            found = [d.as_data() for d in diagnostics]
            reports.append({"file": file, "ok": False, "diagnostics": found, "examples": []})
            if not as_json:
                complain([d for d in diagnostics if d.level == "error"])
            continue
        results, failed = _run_examples(file, rules, quiet=as_json)
        bad = bad or failed
        report: dict[str, object] = {"file": file, "ok": not failed, "diagnostics": [], "examples": results}
        if coverage:
            report["coverage"] = _cover(file, rules, games, limit, quiet=as_json)
        reports.append(report)
    if as_json:
        print_json({"version": 1, "files": reports})
    if bad:
        stop(BAD)


def _cover(file: str, rules: Rules, games: int, limit: int, quiet: bool) -> dict[str, object]:
    """Report which parts of a file its examples and random games reached."""
    from interpreter import cover

    found = cover(rules, games, limit=limit)
    played = min(games, found.games)  # one or two more, where they are spread evenly
    missed = [{**position(p.span), "what": p.what} for p in found.missed]
    if not quiet:
        out.say(
            texts.COVERED.format(
                file=file,
                reached=len(found.reached) - len(missed),
                points=len(found.reached),
                games=number_of(played, "random game"),
            )
        )
        if found.stopped:
            out.say(texts.COVERED_PARTLY.format(file=file, games=number_of(games, "game")))
        for point in found.missed:
            out.say(texts.MISSED.format(span=point.span, what=point.what))
    return {"points": len(found.reached), "games": games, "played": played, "stopped": found.stopped, "missed": missed}


def _run_examples(file: str, rules: Rules, quiet: bool) -> tuple[list[dict[str, object]], bool]:
    """Run and report the examples of one file. Return the report, and whether one failed; changes by a house rule are no failures."""
    from interpreter import run_examples

    results = run_examples(rules)
    reports: list[dict[str, object]] = []
    for result in results:
        problems = [{**position(p.span), "message": p.message} for p in result.problems]
        where = {**position(result.span), "see": result.see, "inherited": result.inherited}
        outcome = _outcome(result)
        reports.append(
            {"name": result.name, "outcome": outcome, **where, "problems": problems, "stopped": result.stopped}
        )
    if not quiet:
        out.say_lines(_told(file, results))
    return reports, not all(result.passed for result in results)


def _outcome(result: ExampleResult) -> str:
    if not result.passed:
        return "failed"
    if not result.problems:
        return "passed"
    return "changed" if result.writable else "unwritable"


def _told(file: str, results: list[ExampleResult]) -> Iterator[str]:
    """Yield what became of the examples: the file's own and failures first, then what the file changes, and what it leaves alone."""
    by_outcome: dict[str, list[ExampleResult]] = {"passed": [], "failed": [], "changed": [], "unwritable": []}
    for result in results:
        outcome = _outcome(result)
        by_outcome[outcome].append(result)
        if outcome == "failed" or not result.inherited:
            yield (texts.EXAMPLE_PASSED if result.passed else texts.EXAMPLE_FAILED).format(name=result.name)
            for p in result.problems:
                yield texts.EXAMPLE_PROBLEM.format(span=p.span, message=p.message)
            if result.stopped:
                yield texts.EXAMPLE_STOPPED.format(stopped=result.stopped)
    for outcome, line in (("changed", texts.EXAMPLE_CHANGED), ("unwritable", texts.EXAMPLE_UNWRITABLE)):
        yield from _folded(by_outcome[outcome], line)
    counts = {outcome: len(found) for outcome, found in by_outcome.items()}
    if as_before := sum(result.inherited for result in by_outcome["passed"]):
        yield texts.EXAMPLES_AS_BEFORE.format(examples=number_of(as_before, "example"))
    total = texts.EXAMPLES.format(file=file, examples=number_of(len(results), "example"), **counts)
    for outcome, text in (("changed", texts.EXAMPLES_CHANGED), ("unwritable", texts.EXAMPLES_UNWRITABLE)):
        total += text.format(**counts) if counts[outcome] else ""
    yield total


def _folded(results: list[ExampleResult], line: str) -> Iterator[str]:
    """Yield the examples with their problems; those of which the same is to be said together, with the lines of each."""
    alike: dict[tuple[str, ...], list[ExampleResult]] = {}
    for result in results:
        alike.setdefault(tuple(p.message for p in result.problems), []).append(result)
    for messages, (first, *others) in alike.items():
        names = [first.name, *(other.name for other in others)]
        yield line.format(name=folded_names(names) if others else first.name)
        for i, message in enumerate(messages):
            span = first.problems[i].span
            lines = sorted({other.problems[i].span.line for other in others} - {span.line})
            if not lines:
                yield texts.EXAMPLE_PROBLEM.format(span=span, message=message)
                continue
            more = (texts.EXAMPLE_PROBLEM_LINES if len(lines) > 1 else texts.EXAMPLE_PROBLEM_LINE).format(
                lines=listed_some(lines, MOST_LINES, "and")
            )
            yield texts.EXAMPLE_PROBLEMS.format(span=span, more=more, message=message)
