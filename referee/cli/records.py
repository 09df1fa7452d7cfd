"""`rulespec records`: the games that were played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from referee.cli import texts
from referee.cli.common import cli, print_json, with_json
from referee.shell import out
from rulespec import listed, number_of

if TYPE_CHECKING:
    from referee.record.folder import KeptRecord
    from referee.record.lines import Record

MOST = 20  # records that are listed unless all are wanted


@cli.command(help=texts.RECORDS)
@click.option("--all", "everything", is_flag=True, help=texts.OPTION_ALL.format(most=MOST))
@with_json
def records(everything: bool, as_json: bool) -> None:
    from referee.record.folder import kept_records, records_folder

    try:
        folder = records_folder()
    except RuntimeError as error:  # without a home there is no folder
        raise click.UsageError(texts.NO_FOLDER.format(reason=error)) from None
    found = list(kept_records(folder))
    shown = found if everything else found[:MOST]
    if as_json:
        print_json([_as_data(kept) for kept in shown])
        return
    if not found:
        out.say(texts.NO_RECORDS.format(folder=folder))
    for kept in shown:
        out.say(_line(kept))
        out.say(texts.RECORD_PATH.format(path=kept.path))
    if len(found) > len(shown):
        out.say(texts.MORE_RECORDS.format(more=len(found) - len(shown)))


def _line(kept: KeptRecord) -> str:
    """Return a game in one line."""
    record = kept.record
    if record is None:
        return kept.problem
    begun = kept.begun.replace("T", " ").removesuffix("Z")[:16]
    players = listed(seat.name for seat in record.seats)
    return texts.RECORD_LINE.format(begun=begun, title=record.header.title, players=players, state=_state(record))


def _state(record: Record) -> str:
    """Return how a game ended, or how far it got."""
    if record.damage is not None:
        return texts.RECORD_DAMAGED.format(line=record.damage.line, reason=record.damage.message)
    if (result := record.result) is None:
        return texts.RECORD_OPEN.format(decisions=number_of(len(record.decisions()), "decision"))
    who = listed(record.name_of(player) for player in result.winners)
    words = texts.RECORD_WINS if len(result.winners) == 1 else texts.RECORD_SHARED
    return words.format(who=who, scores=" : ".join(map(str, result.scores)))


def _as_data(kept: KeptRecord) -> dict[str, Any]:
    record = kept.record
    if record is None:
        return {"path": str(kept.path), "problem": kept.problem}
    result = record.result
    return {
        "path": str(kept.path),
        "title": record.header.title,
        "begun": kept.begun,
        "players": [seat.name for seat in record.seats],
        "decisions": len(record.decisions()),
        "resumable": kept.unfinished,
        "damaged": None if record.damage is None else {"line": record.damage.line, "reason": record.damage.message},
        "result": None
        if result is None
        else {"winners": list(result.winners), "scores": list(result.scores), "reason": result.reason},
    }
