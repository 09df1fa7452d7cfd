"""`rulespec test`: the worked examples of rule files, and what they reach."""

from __future__ import annotations

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
from rulespec import number_of

if TYPE_CHECKING:
    from rulespec import Rules


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

    reports: list[dict[str, object]] = []
    counts = {"passed": 0, "failed": 0, "changed": 0}
    results = run_examples(rules)
    as_before = sum(result.inherited and not result.problems for result in results)
    if as_before and not quiet:
        out.say(texts.EXAMPLES_AS_BEFORE.format(examples=number_of(as_before, "example")))
    for result in results:
        outcome = "failed" if not result.passed else "changed" if result.problems else "passed"
        counts[outcome] += 1
        problems = [{**position(p.span), "message": p.message} for p in result.problems]
        where = {**position(result.span), "see": result.see, "inherited": result.inherited}
        reports.append(
            {"name": result.name, "outcome": outcome, **where, "problems": problems, "stopped": result.stopped}
        )
        if quiet or (result.inherited and outcome == "passed"):
            continue
        mark = {"passed": texts.EXAMPLE_PASSED, "failed": texts.EXAMPLE_FAILED, "changed": texts.EXAMPLE_CHANGED}
        out.say(mark[outcome].format(name=result.name))
        for p in result.problems:
            out.say(texts.EXAMPLE_PROBLEM.format(span=p.span, message=p.message))
        if result.stopped and outcome == "failed":
            out.say(texts.EXAMPLE_STOPPED.format(stopped=result.stopped))
    if not quiet:
        examples = number_of(len(reports), "example")
        line = texts.EXAMPLES.format(file=file, examples=examples, passed=counts["passed"], failed=counts["failed"])
        out.say(line + (texts.EXAMPLES_CHANGED.format(changed=counts["changed"]) if counts["changed"] else ""))
    return reports, counts["failed"] > 0
