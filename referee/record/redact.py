"""A record for one player: without what they did not see, and without anything it could be worked out from."""

from __future__ import annotations

from dataclasses import replace

from referee.record import texts
from referee.record.lines import Header, Record, RecordedDecision, RecordEntry, RecordError, Result
from referee.record.match import Match
from referee.record.position import Audience, CannotWrite, read_position, set_up
from referee.record.replay import begun, broken, follow, replay_budget
from rulespec import RuleFileError

ONLOOKER = "onlooker"


def redact(record: Record, viewer: int | None) -> tuple[Header, tuple[RecordEntry, ...]]:
    """Return header and lines as a player, or for None an onlooker, may read them. Raises RecordError if the record breaks."""
    header = record.header
    seen_by: int | str = ONLOOKER if viewer is None else viewer
    if header.seen_by is not None and header.seen_by != seen_by:
        raise RecordError(texts.OTHER_VIEWER)
    if viewer is not None and not 1 <= viewer <= header.players:
        raise RecordError(texts.NO_SUCH_PLAYER.format(found=viewer, players=header.players))
    if record.damage is not None:
        raise broken(record.damage)
    if header.seen_by == seen_by:
        return header, record.entries
    match, budget = begun(record), replay_budget(record)
    seen: list[RecordEntry] = []
    lines: dict[int, tuple[int, RecordedDecision]] = {}  # where each decision is among them, and as it was
    for line, entry in enumerate(record.entries, 2):
        damage = follow(match, entry, line, budget)
        if damage is not None:
            raise broken(damage)
        if isinstance(entry, RecordedDecision):
            decided = match.decided[-1]
            for d in match.unknown_yet(decided.number - 1) if not match.unknown_yet() else ():
                at, line_of = lines[d.number]  # by this decision it became known
                seen[at] = replace(line_of, move=match.words(d, viewer)[0])
            lines[decided.number] = len(seen), entry
            entry = replace(entry, move=match.words(decided, viewer)[0])
        elif isinstance(entry, Result):
            entry = replace(
                entry, position=""
            )  # the mark is a hash over everything: hidden pieces could be guessed from it
        seen.append(entry)
    position = _seen_position(begun(record), viewer) if header.position else ""
    return replace(header, seed=None, seen_by=seen_by, position=position), tuple(seen)


def _seen_position(match: Match, viewer: int | None) -> str:
    """Return the position in which a game begins as a viewer sees it. Raises RecordError if that is not all of it."""
    try:
        text = match.position_text(Audience(viewer))
        if set_up(match.game, read_position(text)).vector == match.state.vector:
            return text
    except (CannotWrite, RuleFileError):
        pass  # what is hidden decides where the game begins
    who = texts.ONLOOKER if viewer is None else texts.who(viewer)
    raise RecordError(texts.REDACTED_POSITION.format(who=who))
