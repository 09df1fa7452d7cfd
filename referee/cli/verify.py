"""`rulespec verify`, `record` and `transcript`: records checked, redacted and printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from referee.cli.common import BAD, cli, print_json, stop, to_stderr, with_json
from referee.record import texts as texts_record
from referee.shell import out
from rulespec import number_of

if TYPE_CHECKING:
    from referee.record.lines import Record
    from referee.record.verdict import Checked


@cli.command(help=texts_record.VERIFY)
@click.argument("file", metavar="RECORD")
@with_json
def verify(file: str, as_json: bool) -> None:
    from referee.record.lines import RecordError
    from referee.record.verdict import check_record

    try:
        checked = check_record(read_any(file))
    except RecordError as error:
        if as_json:
            damage = {"line": 1, "decision": 0, "code": "record", "message": str(error)}
            print_json({"version": 1, "file": file, "ok": False, "damage": damage})
        else:
            to_stderr(texts_record.ERROR.format(file=file, message=error))
        stop(BAD)
    if as_json:
        print_json(_as_data(file, checked))
    else:
        _tell(file, checked)
    if checked.damage is not None:
        stop(BAD)


def _as_data(file: str, checked: Checked) -> dict[str, object]:
    """Return what was found, and the game as far as it was replayed."""
    record, damage = checked.record, checked.damage
    return {
        **checked.match.as_data(),
        "file": file,
        "ok": damage is None,
        "replayed": checked.replayed,
        "undone": _undone(record),
        "torn": record.torn,
        "eyes": record.header.seen_by,
        "rules_hash": record.header.rules_hash,
        "notes": list(checked.notes),
        "damage": None
        if damage is None
        else {"line": damage.line, "decision": damage.decision, "code": damage.code, "message": damage.message},
    }


def _tell(file: str, checked: Checked) -> None:
    from referee.record.replay import TOO_MUCH_WORK
    from referee.shell.narration import ledger_lines, result_line

    damage = checked.damage
    if damage is not None and damage.code == TOO_MUCH_WORK:
        to_stderr(texts_record.NOT_CHECKED.format(file=file, message=damage.message))
        return
    if damage is not None:
        message = damage.message
        to_stderr(texts_record.BAD.format(file=file, line=damage.line, decision=damage.decision, message=message))
        return
    record = checked.record
    undone = _undone(record)
    decisions = number_of(len(record.decisions()), "decision")
    taken = texts_record.UNDONE.format(undone=undone) if undone else ""
    out.say(texts_record.GOOD.format(file=file, title=record.header.title, decisions=decisions, undone=taken))
    for note in checked.notes:
        out.say(texts_record.NOTE.format(note=note))
    if checked.unseen:
        return  # the rest is not known
    out.say_lines(ledger_lines(checked.match))
    if checked.match.over:
        out.say(result_line(checked.match))


def _undone(record: Record) -> int:
    from referee.record.lines import RecordedDecision

    return sum(isinstance(entry, RecordedDecision) for entry in record.entries) - len(record.decisions())


@cli.command(help=texts_record.TRANSCRIPT)
@click.argument("file", metavar="FILE")
@click.option("--for", "eyes", metavar="N", help=texts_record.OPTION_FOR)
@click.option("--output", metavar="FILE", help=texts_record.OPTION_OUTPUT)
@click.option("--rules", is_flag=True, help=texts_record.OPTION_RULES)
def transcript(file: str, eyes: str | None, output: str | None, rules: bool) -> None:
    from referee.record.lines import RecordError
    from referee.record.transcript import write_transcript

    try:
        _put(write_transcript(seen_by(read_any(file), eyes), rules or output is not None), output)
    except RecordError as error:
        to_stderr(texts_record.ERROR.format(file=file, message=error))
        stop(BAD)


@cli.command(help=texts_record.RECORD)
@click.argument("file", metavar="FILE")
@click.option("--for", "eyes", metavar="N", help=texts_record.OPTION_FOR)
@click.option("--output", metavar="FILE", help=texts_record.OPTION_OUTPUT)
def record(file: str, eyes: str | None, output: str | None) -> None:
    from referee.record.lines import RecordError, written
    from referee.record.replay import broken
    from referee.record.verdict import check_record

    try:
        found = read_any(file)
        damage = check_record(found).damage
        if damage is not None:
            raise broken(damage)
        found = seen_by(found, eyes)
        _put(written(found.header, found.entries), output)
    except RecordError as error:
        to_stderr(texts_record.ERROR.format(file=file, message=error))
        stop(BAD)


def read_any(file: str) -> Record:
    """Return the record in a file, which may be a transcript."""
    from referee.record.file import read_bytes
    from referee.record.lines import read_record
    from referee.record.transcript import is_transcript, read_transcript

    data = read_bytes(file)
    return read_transcript(data) if is_transcript(data) else read_record(data)


def seen_by(found: Record, eyes: str | None) -> Record:
    """Return the record, redacted for a viewer."""
    from referee.record.lines import read_record, written
    from referee.record.redact import ONLOOKER, redact

    if eyes is None:
        return found
    if eyes != ONLOOKER and not (eyes.isdecimal() and len(eyes) < 4):
        raise click.UsageError(texts_record.VIEWER_SHAPE.format(found=eyes))
    return read_record(written(*redact(found, None if eyes == ONLOOKER else int(eyes))).encode())


def _put(text: str, output: str | None) -> None:
    from referee.record.file import save_text

    if output is None:
        out.put(text)
    else:
        save_text(output, text)
