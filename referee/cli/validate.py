"""`rulespec validate`: all that is wrong with rule files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from referee import texts
from referee.cli.common import BAD, check_file, cli, find_all, print_json, stop, with_house, with_json

if TYPE_CHECKING:
    from rulespec.load import Rules


@cli.command(help=texts.VALIDATE)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@with_house
@with_json
def validate(files: tuple[str, ...], as_json: bool) -> None:
    from rulespec.diagnostics import has_errors, render

    find_all(files)
    reports, bad = [], False
    for file in files:
        rules, diagnostics = check_file(file)
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
        print_json({"version": 1, "files": reports})
    if bad:
        stop(BAD)


def _good(file: str, rules: Rules) -> str:
    from rulespec.load import describe_players

    combinations = texts.number_of(len(rules.combinations()), "combination")
    return texts.GOOD.format(file=file, combinations=combinations, players=describe_players(rules.players))
