"""`rulespec fmt`: reformats rule files."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from referee.cli import fmt_texts as texts_fmt
from referee.cli.common import BAD, cli, complain, print_json, stop, with_json
from referee.cli.rewrite import difference, rewrite
from referee.shell import out
from rulespec import number_of


@cli.command(help=texts_fmt.FMT)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--check", is_flag=True, help=texts_fmt.CHECK_OPTION)
@click.option("--diff", is_flag=True, help=texts_fmt.DIFF_OPTION)
@with_json
def fmt(files: tuple[str, ...], check: bool, diff: bool, as_json: bool) -> None:
    from rulespec import Diagnostic, RuleFileError, format_text, read_text, visible

    reports: list[dict[str, object]] = []
    changed = bad = 0
    found = [path for file in files for path in _expanded(file)]
    for file in found:
        problems: tuple[Diagnostic, ...] = ()
        different = False
        try:
            before = _standard_input() if file == "-" else read_text(Path(file))
            after = format_text(before, texts_fmt.STANDARD_INPUT if file == "-" else file)
            different = before != after
        except RuleFileError as error:
            problems = error.diagnostics
            bad += 1
            if not as_json:
                complain(problems)
        changed += different
        reports.append(
            {"file": file, "ok": not problems, "changed": different, "diagnostics": [d.as_data() for d in problems]}
        )
        if problems:
            continue
        if diff and different and not as_json:
            out.put_file(difference(visible(file), before, after))
        elif file == "-" and not (check or diff or as_json):
            out.put_file(after)
        elif different and not check and not diff:
            rewrite(Path(file), after)
            if not as_json:
                out.say(texts_fmt.CHANGED.format(file=file))
        elif different and check and not as_json:
            out.say(texts_fmt.WOULD_CHANGE.format(file=file))
    if as_json:
        print_json({"version": 1, "files": reports})
    elif found != ["-"] or check:
        line = texts_fmt.WOULD_DO if check or diff else texts_fmt.DONE
        more = texts_fmt.UNREADABLE.format(bad=bad) if bad else ""
        out.say(line.format(files=number_of(len(found), "file"), changed=changed) + more)
    if bad or (check and changed):
        stop(BAD)


def _expanded(file: str) -> list[str]:
    """Return the files that an argument names."""
    path = Path(file)
    if file == "-":
        return [file]
    if path.is_dir():
        inside = sorted(str(p) for p in path.rglob("*.yaml"))
        if not inside:
            raise click.UsageError(texts_fmt.NO_FILES.format(file=file))
        return inside
    if not path.exists():
        raise click.UsageError(texts_fmt.NO_FILE.format(file=file))
    return [file]


def _standard_input() -> str:
    """Return standard input, line ends unchanged."""
    return sys.stdin.buffer.read().decode("utf-8", errors="replace")
