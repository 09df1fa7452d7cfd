"""`rulespec validate`: everything that is wrong with rule files, for people and programs; and what each code means."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from referee.cli import texts
from referee.cli import trial_texts as texts_trial
from referee.cli.common import BAD, check_file, cli, find_all, print_json, stop, with_house, with_json
from referee.cli.fixing import refuse_unfixable
from referee.shell import out
from rulespec import did_you_mean, number_of, number_range

if TYPE_CHECKING:
    from interpreter import Trial
    from rulespec import Diagnostic, Rules

FEW = 3  # diagnostics with the same reason and fix that are shown whole, one after the other
FORMATS = ("people", "json", "sarif", "github")


@dataclass(frozen=True, slots=True)
class FileReport:
    """The findings in one file."""

    file: str
    rules: Rules | None
    diagnostics: list[Diagnostic]
    trial: Trial | None = None
    changes: list[dict[str, object]] | None = None  # that `--fix` made

    @property
    def ok(self) -> bool:
        return self.rules is not None and not any(d.level == "error" for d in self.diagnostics)


@cli.command(help=texts.VALIDATE)
@click.argument("files", nargs=-1, metavar="FILE...")
@with_house
@click.option("--play", "games", type=click.IntRange(1), metavar="N", help=texts_trial.PLAY_OPTION)
@click.option(
    "--limit", type=click.IntRange(1), default=10_000, show_default=True, metavar="N", help=texts_trial.LIMIT_OPTION
)
@click.option("--explain", metavar="CODE", help=texts.OPTION_EXPLAIN)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    metavar="|".join(FORMATS),
    default="people",
    help=texts.OPTION_FORMAT,
)
@click.option("--fix", is_flag=True, help=texts.OPTION_FIX)
@click.option("--diff", is_flag=True, help=texts.OPTION_FIX_DIFF)
@with_json
def validate(
    files: tuple[str, ...],
    house: tuple[str, ...],
    games: int | None,
    limit: int,
    explain: str | None,
    form: str,
    fix: bool,
    diff: bool,
    as_json: bool,
) -> None:
    if explain is not None:
        _explain(explain)
        return
    if not files:
        context = click.get_current_context()
        raise click.MissingParameter(ctx=context, param=context.command.params[0])
    if diff and not fix:
        raise click.UsageError(texts.FIX_DIFF_ALONE, click.get_current_context())
    if fix:
        refuse_unfixable(files)
    find_all([*files, *house])
    form = "json" if as_json else form
    reports = []
    for file in files:
        changes = _fixed(file, house, diff, form) if fix else None
        reports.append(replace(_checked(file, house, games, limit), changes=changes))
        if form == "people":
            _tell(reports[-1], games or 0)
    if form != "people":
        _print(form, reports)
    if not all(report.ok for report in reports):
        stop(BAD)


def _fixed(file: str, house: tuple[str, ...], diff: bool, form: str) -> list[dict[str, object]]:
    """Mend a file, and return the changes that were made, or would be."""
    from referee.cli import fixing

    mending = fixing.mended_file(file, house)
    if mending and not diff:
        fixing.write(mending)
    if form == "people":
        fixing.tell(mending, file, diff)
    return fixing.data(mending)


def _checked(file: str, house: tuple[str, ...], games: int | None, limit: int) -> FileReport:
    report = FileReport(file, *check_file(file, house))
    if report.ok and report.rules is not None:
        from interpreter import check_examples

        report = FileReport(file, report.rules, sorted([*report.diagnostics, *check_examples(report.rules)]))
    if not games or report.rules is None or not report.ok:
        return report
    from referee.cli.trial_report import put_on_trial

    trial = put_on_trial(report.rules, games, limit)
    return FileReport(file, report.rules, sorted([*report.diagnostics, *trial.diagnostics(report.rules)]), trial)


def _print(form: str, reports: list[FileReport]) -> None:
    """Print all reports for a program."""
    if form == "json":
        print_json({"version": 1, "files": [_data(report) for report in reports]})
        return
    from rulespec import github, sarif

    diagnostics = [d for report in reports for d in report.diagnostics]
    if form == "sarif":
        print_json(sarif(diagnostics))
        return
    for d in diagnostics:
        out.say(github(d))


def _data(report: FileReport) -> dict[str, object]:
    data: dict[str, object] = {
        "file": report.file,
        "ok": report.ok,
        "diagnostics": [d.as_data() for d in report.diagnostics],
    }
    if report.changes is not None:
        data["changes"] = report.changes
    if report.trial is None:
        return data
    from referee.cli.trial_report import trial_data

    return {**data, "play": trial_data(report.trial)}


def _tell(report: FileReport, games: int) -> None:
    """Print one report for people."""
    from rulespec import rendered

    for first, *others in _alike(report.diagnostics):
        out.say_styled(rendered(first), out.wants_colours())
        if others:
            out.say(texts.MORE_ALIKE.format(number=len(others)))
        for d in others:
            out.say(texts.ALIKE.format(span=d.span, message=d.message))
        out.say()
    if report.ok and report.rules is not None:
        out.say(_good(report.file, report.rules))
    else:
        errors = [d for d in report.diagnostics if d.level == "error"]
        out.say(texts.BAD.format(file=report.file, errors=number_of(len(errors), "error")))
        if out.is_terminal():
            out.say(texts.EXPLAIN_MORE.format(code=errors[0].code))
            if report.changes is None and any(d.edits for d in errors):
                out.say(texts.FIX_MORE.format(file=report.file))
    if report.trial is not None:
        from referee.cli.trial_report import summary

        out.say_lines(summary(report.file, report.trial, games, report.diagnostics))


def _alike(diagnostics: list[Diagnostic]) -> list[list[Diagnostic]]:
    """Return the diagnostics; where more than a few have the same reason and the same fix, they are together."""
    groups: dict[tuple[object, ...], list[Diagnostic]] = {}
    for d in diagnostics:
        groups.setdefault((d.code, d.level, d.why, d.fix), []).append(d)
    found: list[list[Diagnostic]] = []
    for (*_, why, fix), group in groups.items():
        found += [group] if len(group) > FEW and (why or fix) else [[d] for d in group]
    return sorted(found)


def _good(file: str, rules: Rules) -> str:
    combinations = number_of(len(rules.combinations()), "combination")
    return texts.GOOD.format(file=file, combinations=combinations, players=number_range(rules.players, "player"))


def _explain(code: str) -> None:
    from rulespec import as_terminal_text, known_codes, page_of

    page = page_of(code)
    if page is not None:
        out.put(f"{as_terminal_text(page)}\n")
        return
    fix = did_you_mean(code, known_codes()) or texts.ALL_CODES.format(codes=", ".join(known_codes()))
    raise click.UsageError(texts.CODE_UNKNOWN.format(code=code, fix=fix), click.get_current_context())
