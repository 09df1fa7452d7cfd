"""A record for one player's eyes: what they did not see is not in it, and nothing that it could be worked out from."""

from __future__ import annotations

from dataclasses import replace

from referee.record import texts
from referee.record.lines import Header, Record, RecordedDecision, RecordEntry, RecordError, Result
from referee.record.replay import begun, follow

ONLOOKER = "onlooker"


def for_eyes(record: Record, viewer: int | None) -> tuple[Header, tuple[RecordEntry, ...]]:
    """Header and lines for a player, or for None an onlooker. Raises RecordError if the record does not hold."""
    header = record.header
    eyes: int | str = ONLOOKER if viewer is None else viewer
    if header.eyes is not None and header.eyes != eyes:
        raise RecordError(texts.OTHER_EYES)
    if viewer is not None and not 1 <= viewer <= header.players:
        raise RecordError(texts.NO_SUCH_PLAYER.format(found=viewer, players=header.players))
    if record.damage is not None:
        raise RecordError(texts.BREAKS.format(line=record.damage.line, reason=record.damage.message))
    if header.eyes == eyes:
        return header, record.entries
    match = begun(record)
    seen: list[RecordEntry] = []
    for line, entry in enumerate(record.entries, 2):
        damage = follow(match, entry, line)
        if damage is not None:
            raise RecordError(texts.BREAKS.format(line=line, reason=damage.message))
        if isinstance(entry, RecordedDecision):
            entry = replace(entry, move=match.words(match.decided[-1], viewer)[0])
        elif isinstance(entry, Result):
            entry = replace(entry, position="")  # a mark of all that is hidden could be guessed
        seen.append(entry)
    return replace(header, seed=None, eyes=eyes), tuple(seen)
