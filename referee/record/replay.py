"""A record played again under its own rules: to resume it, or to find where and why it breaks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from interpreter import (
    CHANCE,
    BadStart,
    Budget,
    BudgetSpent,
    CountedGame,
    Fault,
    Game,
    IllegalMove,
    UnreadableMove,
    cost_of,
    seeds,
)
from referee.bots import play_chance
from referee.record import texts
from referee.record.carried import game_of
from referee.record.file import RecordFile
from referee.record.lines import Damage, Record, RecordedDecision, RecordEntry, RecordError, Result, SeatsChange, Undo
from referee.record.match import Decided, Match, Recorder, result_of, seats_text
from referee.record.position import read_position
from rulespec import RuleFileError

# replay() reads a file that anybody may have written, and trusts nothing in it.

MOST_EXTRA = 8_000  # decisions' worth of work to replay a record, beyond one for each of its decisions,
EXTRA_EACH = 10  # or that much for each of its lines, if that is more
TOO_MUCH_WORK = "too-much-work"  # the code of a damage that may be none: the record was not replayed from there on


@dataclass(frozen=True, slots=True)
class Replayed:
    """A game as far as it could be replayed, and where the record breaks."""

    match: Match
    damage: Damage | None = None
    unseen: RecordedDecision | None = None  # the first decision that is redacted


def replay_budget(record: Record) -> Budget:
    """Return the budget of what decisions of a record cost more than usual ones."""
    return Budget("replaying a record", max(MOST_EXTRA, EXTRA_EACH * len(record.entries)))


class _Broken(Exception):
    def __init__(self, code: str, message: str) -> None:
        self.code, self.message = code, message


def replay(record: Record, kind: type[Game] = CountedGame) -> Replayed:
    """Return a record replayed. Raises RecordError if its rules cannot be played.

    A game that does not count its work is replayed to the end however heavy its rules are.
    """
    match, budget = begun(record, kind), replay_budget(record)
    for line, entry in enumerate(record.entries, 2):
        if isinstance(entry, RecordedDecision) and entry.hidden and record.header.seen_by is not None:
            return Replayed(match, record.damage, entry)
        damage = follow(match, entry, line, budget)
        if damage is not None:
            return Replayed(match, damage)
    match.entries = list(record.entries)
    match.assumed = {d.number for d in record.decisions() if d.assumed}
    _seed(match, record.header.seed)
    return Replayed(match, record.damage)


def begun(record: Record, kind: type[Game] = CountedGame) -> Match:
    """Return the game of a record before its first decision, chance left open."""
    header = record.header
    game = game_of(header, kind)
    game.take_work()  # by whoever had it before
    try:
        position = read_position(header.position) if header.position else None
        match = Match.begin(game, header.seats, None, name=header.game, given=header.given, position=position)
    except RuleFileError as error:
        raise RecordError(texts.BAD_START.format(reason=error.diagnostics[0].first_line())) from None
    except (BadStart, Fault) as error:
        raise RecordError(texts.BAD_START.format(reason=error)) from None
    match.begun = header.begun
    return match


def follow(match: Match, entry: RecordEntry, line: int, budget: Budget | None = None) -> Damage | None:
    """Do what a line of a record says. Return why that is impossible, and then nothing has changed; None: it was done.

    Its work is taken from the budget; where that does not last, the line is not followed either.
    """
    at = len(match.decided) + isinstance(entry, RecordedDecision)
    try:
        if budget is not None and (message := too_much_work(match, budget)):
            return Damage(line, at, TOO_MUCH_WORK, message)
        _follow(match, entry)
    except _Broken as broken:
        return Damage(line, at, broken.code, broken.message)
    return None


def too_much_work(match: Match, budget: Budget) -> str:
    """Take the work since the last decision from the budget. Return what to say where it does not last, else nothing."""
    try:
        budget.spend(cost_of(match.game, match.state) - 1)
    except BudgetSpent as spent:
        return texts.TOO_MUCH_WORK.format(made=len(match.decided), most=spent.most)
    return ""


def broken(damage: Damage) -> RecordError:
    """Return the error for a record that breaks, or that is too much work to replay."""
    if damage.code == TOO_MUCH_WORK:
        return RecordError(damage.message)
    return RecordError(texts.BREAKS.format(line=damage.line, reason=damage.message))


def resume(path: str | Path, kind: type[Game] = Game) -> Match:
    """Return the game of an interrupted record, to continue it. Raises RecordError if it cannot be resumed."""
    file, record = RecordFile.resume(path)
    try:
        return taken_up(record, file, str(path), kind)
    except RecordError:
        file.close()
        raise


def taken_up(record: Record, file: Recorder | None, path: str, kind: type[Game] = Game) -> Match:
    """Return the game of a record, to continue it in `file`. Raises RecordError, with `path` in its message."""
    if record.header.seen_by is not None:
        raise RecordError(texts.REDACTED.format(path=path))
    replayed = replay(record, kind)
    if replayed.damage is not None:
        damage = replayed.damage
        raise RecordError(
            texts.DAMAGED.format(path=path, line=damage.line, decision=damage.decision, reason=damage.message)
        )
    match = replayed.match
    match.file = file
    if match.seed is not None and match.state.to_move == CHANCE:
        _finish_chance(match)
    elif match.over and record.result is None:
        match.note_result()
    return match


def _follow(match: Match, entry: RecordEntry) -> None:
    """Do what a line of a record says. Raises _Broken if that is impossible."""
    match entry:
        case RecordedDecision():
            _decide(match, entry)
        case Undo():
            _take_back(match, entry)
        case SeatsChange():
            if len(entry.seats) != match.game.players:
                found = len(entry.seats)
                raise _Broken("seats", seats_text(found, match.game.players))
            match.seats = entry.seats
        case Result():
            _end(match, entry)


def _decide(match: Match, entry: RecordedDecision) -> None:
    state = match.state
    if state.to_move is None:
        raise _Broken("over", texts.GAME_OVER.format(last=len(match.decided)))
    if entry.number != len(match.decided) + 1:
        raise _Broken("number", texts.WRONG_NUMBER.format(expected=len(match.decided) + 1, found=entry.number))
    if entry.player != state.to_move:
        raise _Broken(
            "player", texts.WRONG_PLAYER.format(expected=texts.who(state.to_move), found=texts.who(entry.player))
        )
    try:
        decided = match.play(entry.move)[0]
    except UnreadableMove as error:
        raise _Broken("unreadable", str(error)) from None
    except IllegalMove as error:
        reasons = "; ".join(str(o) for o in error.objections)
        raise _Broken("illegal", texts.ILLEGAL.format(move=entry.move, reasons=reasons)) from None
    except Fault as error:
        raise _Broken("fault", str(error)) from None
    if str(decided.move) != entry.move:
        raise _Broken("unreadable", texts.NOT_NOTATION.format(expected=decided.move, found=entry.move))
    right = match.entries[-1] if isinstance(match.entries[-1], RecordedDecision) else match.entries[-2]
    assert isinstance(right, RecordedDecision)
    if right.scores != entry.scores:
        expected, found = right.scores or texts.UNCHANGED, entry.scores or texts.UNCHANGED
        raise _Broken("scores", texts.WRONG_SCORES.format(move=entry.move, expected=expected, found=found))


def _take_back(match: Match, entry: Undo) -> None:
    if entry.amended and entry.kept == len(match.decided):
        return  # pending decisions are dropped, and nothing is taken back
    if not 0 <= entry.kept < len(match.decided):
        raise _Broken("undo", texts.UNDO_RANGE.format(kept=entry.kept, made=len(match.decided)))
    if not entry.agreed:
        for d in match.decided[entry.kept :]:
            if match.uncovers(d):
                raise _Broken("not-agreed", texts.UNDO_NOT_AGREED.format(number=d.number, move=d.move))
    match.undo(agreed=True, to=entry.kept)


def _end(match: Match, entry: Result) -> None:
    if match.state.to_move is not None:
        who = texts.who(match.state.to_move)
        raise _Broken("not-over", texts.NOT_OVER.format(last=len(match.decided), who=who))
    right = result_of(match.game, match.state)
    for what in ("winners", "scores", "reason", "position"):
        expected, found = getattr(right, what), getattr(entry, what)
        if expected != found and (what != "position" or found):  # a redacted record has no mark of the position
            raise _Broken("result", texts.WRONG_RESULT.format(what=what, expected=expected, found=found))


# Resuming ------------------------------------------------------------------------------------------------


def _seed(match: Match, seed: int | None) -> None:
    """Give every position the seed it had, so that chance continues as if nothing had been interrupted."""
    match.seed = seed
    if seed is None:
        return
    chance = False
    seeded: list[Decided] = []
    for d in match.decided:
        if d.player == CHANCE:
            chance = True
        elif chance:
            seed, chance = seeds.next_seed(seed), False
        seeded.append(d if d.player == CHANCE else replace(d, before=d.before.with_seed(seed)))
    match.decided = seeded
    if match.state.to_move != CHANCE:
        match.state = match.state.with_seed(seeds.next_seed(seed) if chance else seed)


def _finish_chance(match: Match) -> None:
    """Make the decisions of chance that a stopped program did not write: they follow from the seed."""
    assert match.seed is not None
    last = next((d for d in reversed(match.decided) if d.player != CHANCE), None)
    if last is None and match.position:
        match.settle_chance()
        return
    if last is None:
        settled = match.game.start(match.seed, match.given)
        known, moves = match.decided, match.game.decisions(settled)
    else:
        settled = match.game.apply(last.before, last.move)
        known, moves = match.decided[last.number - 1 :], match.game.decisions(settled, last.before)
    if [d.move for d in known] == moves[: len(known)]:
        match.continue_with(moves[len(known) :], settled)
        return
    while match.state.to_move == CHANCE:  # another version of the program draws differently
        match.play(play_chance(match.game, match.state, match.rng()))
    match.state = match.state.with_seed(seeds.next_seed(match.seed + len(match.decided)))
