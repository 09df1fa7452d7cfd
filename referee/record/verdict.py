"""Whether a record is valid, where and why it breaks, and how the game ended."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from interpreter import CHANCE
from referee.record import texts
from referee.record.lines import Damage, Header, Record, RecordedDecision, Result
from referee.record.match import Match
from referee.record.replay import follow, replay
from rulespec import GAMES_FOLDER, OptionError, RuleFileError, find_game, open_rules, shipped_games


@dataclass(frozen=True, slots=True)
class Checked:
    """A record that was replayed. `notes` are no faults: it is unfinished, redacted, and the like."""

    record: Record
    match: Match
    damage: Damage | None
    replayed: int  # decisions that were replayed
    notes: tuple[str, ...]
    unseen: bool = False  # it could be replayed only up to a decision that is redacted


def check_record(record: Record) -> Checked:
    """Return what a replay of the record shows. Raises RecordError if its rules cannot be played."""
    found = replay(record)
    match, damage = found.match, found.damage
    replayed = len(match.decided)
    notes = []
    if damage is not None and damage is record.damage and record.damaged is not None and found.unseen is None:
        objection = follow(match, record.damaged, damage.line)  # whether the rules allow it
        if objection is not None:
            damage = replace(damage, message=texts.AND_RULES.format(hash=damage.message, rules=objection.message))
        else:
            damage = replace(damage, message=texts.BUT_LEGAL.format(hash=damage.message))
    if damage is None:
        notes = _notes(record, match, found.unseen)
    return Checked(record, match, damage, replayed, tuple(notes), found.unseen is not None)


def _notes(record: Record, match: Match, unseen: RecordedDecision | None) -> list[str]:
    notes = []
    if record.torn:
        notes.append(texts.NOTE_TORN)
    if unseen is not None:
        viewer = record.header.seen_by
        who = texts.who(viewer) if isinstance(viewer, int) else texts.ONLOOKER
        notes.append(texts.NOTE_UNSEEN.format(who=who, number=unseen.number))
    elif not any(isinstance(entry, Result) for entry in record.entries[-1:]):
        who = texts.who(match.state.to_move or 0)
        notes.append(texts.NOTE_OVER if match.over else texts.NOTE_UNFINISHED.format(who=who))
    if unseen is None and record.header.seed is not None:
        number = _against_seed(match)
        if number:
            notes.append(texts.NOTE_SEED.format(number=number))
    if _rules_changed(record, match):
        notes.append(texts.NOTE_RULES.format(game=record.header.game))
    return notes


def _against_seed(match: Match) -> int:
    """Return the number of the first decision of chance that does not follow from the seed; 0: all do."""
    assert match.seed is not None
    decided = match.decided
    at = 0
    while at < len(decided):
        d = decided[at]
        if d.player == CHANCE and match.position:  # what chance decides there has no order of its own
            at += 1
            continue
        if d.player == CHANCE:
            settled = match.game.start(match.seed, match.given)
            moves = match.game.decisions(settled)
        else:
            moves = match.game.decisions(match.game.apply(d.before, d.move), d.before)
        for i, move in enumerate(moves):
            if at + i < len(decided) and decided[at + i].move != move:
                return decided[at + i].number
        at += len(moves)
    return 0


def _rules_changed(record: Record, match: Match) -> bool:
    """Return whether the shipped game of that name, with the same house rules, has other rules now."""
    files = _shipped_files(record.header)
    if not files:
        return False
    try:
        now = open_rules(files[0], house=files[1:])
        return now.fingerprint(record.header.options) != match.game.fingerprint
    except (OptionError, RuleFileError):
        return True  # an option is gone, or the house rules no longer fit the game


def _shipped_files(header: Header) -> list[Path]:
    """Return the shipped files that a record's rules were opened from; none if they came from anywhere else.

    INVARIANT: a record chooses among shipped games and no more. What it calls its game may be a path of anybody's
    choice: that path is never looked at.
    """
    folder = GAMES_FOLDER
    shipped = {path.relative_to(folder).as_posix(): path for path in shipped_games().values()}
    opened = header.rules["opened"]
    game = find_game(header.game)
    if game is None or any(name not in shipped for name in opened):
        return []
    files = [shipped[name] for name in opened]
    return files if files[0].resolve() == game.resolve() else []
