"""`rulespec validate`: all that is wrong with rule files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from referee import texts, texts_trial
from referee.cli.common import BAD, check_file, cli, find_all, print_json, stop, with_house, with_json

if TYPE_CHECKING:
    from rulespec.load import Rules


@cli.command(help=texts.VALIDATE)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@with_house
@click.option("--play", "games", type=click.IntRange(1), metavar="N", help=texts_trial.PLAY_OPTION)
@with_json
def validate(files: tuple[str, ...], games: int | None, as_json: bool) -> None:
    from referee.trial import put_on_trial, summary, trial_data
    from rulespec.diagnostics import has_errors, render

    find_all(files)
    reports, bad = [], False
    for file in files:
        rules, diagnostics = check_file(file)
        trial = put_on_trial(rules, games) if games and rules and not has_errors(diagnostics) else None
        if trial is not None and rules is not None:
            diagnostics = sorted([*diagnostics, *trial.diagnostics(rules)])
        ok = not has_errors(diagnostics)
        bad = bad or not ok
        report: dict[str, object] = {"file": file, "ok": ok, "diagnostics": [d.as_data() for d in diagnostics]}
        reports.append(report if trial is None else {**report, "play": trial_data(trial)})
        if as_json:
            continue
        for d in diagnostics:
            print(render(d), end="\n\n")
        if ok and rules is not None:
            print(_good(file, rules))
        else:
            errors = sum(d.level == "error" for d in diagnostics)
            print(texts.BAD.format(file=file, errors=texts.number_of(errors, "error")))
        if trial is not None:
            print(summary(file, trial))
    if as_json:
        print_json({"version": 1, "files": reports})
    if bad:
        stop(BAD)


def _good(file: str, rules: Rules) -> str:
    from rulespec.load import describe_players

    combinations = texts.number_of(len(rules.combinations()), "combination")
    return texts.GOOD.format(file=file, combinations=combinations, players=describe_players(rules.players))
