"""One game being played: its positions, who sits where, and why every point was scored. It never prints.

INVARIANT: with a record, a decision counts once it is written: one that cannot be recorded is not made.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from interpreter import CHANCE, Budget, Game, LedgerLine, Move, Sight, State, Told, seeds
from referee.bots import BOTS, find_bot, play_chance
from referee.record import texts
from referee.record.file import RecordFile
from referee.record.lines import Header, RecordedDecision, RecordEntry, Result, Seat, SeatsChange, Undo
from referee.record.position import MOST_BACK, Audience, WrittenPosition, set_up, write_position
from rulespec import bundle_rules, number_of

HUMAN = "human"
SEATS = (HUMAN, *BOTS)


@dataclass(frozen=True, slots=True)
class Decided:
    """One decision and what followed. `player` is CHANCE where chance decided."""

    number: int
    player: int
    move: Move
    text: str  # in the author's words
    before: State = field(repr=False)
    after: State = field(repr=False)
    points: tuple[LedgerLine, ...] = ()
    told: tuple[Told, ...] = ()  # what the rules told everybody

    def as_data(self) -> dict[str, object]:
        """Return the decision as plain data, for `--json`."""
        who: int | str = "chance" if self.player == CHANCE else self.player
        points = [ledger_data(line) for line in self.points]
        told = [line.full for line in self.told]
        return {
            "number": self.number,
            "player": who,
            "move": str(self.move),
            "text": self.text,
            "points": points,
            "told": told,
        }


def ledger_data(line: LedgerLine) -> dict[str, object]:
    """Return one reason for points as plain data."""
    return {
        "decision": line.decision,
        "player": line.player,
        "rule": line.rule,
        "text": line.text,
        "points": line.points,
        "gained": line.gained,
        "file": line.span.file,
        "line": line.span.line,
    }


class CannotBegin(ValueError):
    """The rules do not let this player begin."""

    def __init__(self, player: int) -> None:
        super().__init__(texts.CANNOT_BEGIN.format(player=player))


class NotAgreed(ValueError):
    """Everybody must agree before this is taken back; `shown` are the decisions that turned something up."""

    def __init__(self, message: str, shown: Sequence[Decided] = ()) -> None:
        self.shown = tuple(shown)
        super().__init__(message)


class Recorder(Protocol):
    """Where the lines of a game go. When `add` returns, they are safe; it raises RecordError if they are not."""

    @property
    def path(self) -> object: ...

    def add(self, entries: list[RecordEntry]) -> None: ...

    def close(self) -> None: ...


@dataclass
class Match:
    """One game being played."""

    game: Game
    name: str  # the name it was opened by
    seats: tuple[Seat, ...]
    seed: int | None  # None: chance is left open, and decided like a player's moves
    given: dict[str, int | str]
    begun: str
    state: State
    start_scores: dict[int, int]
    opening: Decided | None = None  # points before anybody decided anything
    decided: list[Decided] = field(default_factory=list)
    entries: list[RecordEntry] = field(default_factory=list)  # all that happened, including what was taken back
    file: Recorder | None = None
    first_seats: tuple[Seat, ...] = ()
    assumed: set[int] = field(default_factory=set)  # the numbers of draws that the referee does not know
    position: str = ""  # the text of the position in which it began; empty: it began as the rules say

    @classmethod
    def begin(
        cls,
        game: Game,
        seats: Sequence[Seat | str],
        seed: int | None,
        first: int | None = None,
        name: str = "",
        given: Mapping[str, int | str] | None = None,
        position: WrittenPosition | None = None,
    ) -> Match:
        """Return a new game, from the start or in a position. Raises CannotBegin if the rules do not let player `first` begin.

        Raises RuleFileError for a position that cannot be set up; it says who is to move, whoever is `first`.
        """
        given = dict(given or {}) if first is None else game.begun_by(first)
        chairs = tuple(Seat(f"player {i}", s) if isinstance(s, str) else s for i, s in enumerate(seats, 1))
        # chance left open: its decisions are made one by one
        start = set_up(game, position) if position else game.start(None, given)
        scores = game.scores(start)
        lines = game.ledger(start)
        for line in lines:
            scores[line.player] -= line.gained
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        match = cls(game, name or str(game.rules.path), chairs, seed, given, now, start, scores, first_seats=chairs)
        told = game.told(start)
        if lines or told:
            move = Move("start", (), "start")
            match.opening = Decided(0, CHANCE, move, "start", start, start, tuple(lines), tuple(told))
        match.position = position.text if position else ""
        if position:
            match.settle_chance()
        elif seed is not None:
            settled = game.start(seed, given)
            match._keep(match._stepped(start, game.decisions(settled)), settled)
        if first is not None and not position and match.state.to_move not in (first, CHANCE, None):
            other = game.begun_by(1 if first != 1 else 2)
            if game.start(seed, other).to_move == match.state.to_move:  # it makes no difference
                raise CannotBegin(first)
        return match

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.state.to_move is None

    @property
    def human(self) -> bool:
        """Whether a person is to decide."""
        return bool(self.state.to_move) and self.seats[self.state.to_move - 1].who == HUMAN  # type: ignore[operator]

    @property
    def people(self) -> list[int]:
        """The players who are people."""
        return [i for i, seat in enumerate(self.seats, 1) if seat.who == HUMAN]

    @property
    def viewer(self) -> int | None:
        """Whom the screen is for: the one person playing, or of several the one to move."""
        if len(self.people) == 1:
            return self.people[0]
        return self.state.to_move if self.human else None

    def name_of(self, player: int) -> str:
        """Return the name of a player, or of chance."""
        return self.seats[player - 1].name if player else texts.who(CHANCE)

    # deciding --------------------------------------------------------------------------------------------

    def play(self, move: Move | str) -> list[Decided]:
        """Make a move of whoever is to decide. Return what they decided, and then chance where there is a seed.

        Raises UnreadableMove, IllegalMove, or RecordError if it cannot be recorded; then nothing has happened.
        """
        before = self.state
        settled = self.game.apply(before, move)
        found = self._stepped(before, self.game.decisions(settled, before))
        self._keep(found, settled)
        return found

    def settle_chance(self) -> None:
        """Let chance decide what comes before the first player does in a game that begins in a position, if there is a seed."""
        if self.seed is None:
            return
        while self.state.to_move == CHANCE:
            self.play(play_chance(self.game, self.state, self.rng()))
        self.state = self.state.with_seed(seeds.next_seed(self.seed) if self.decided else self.seed)

    def play_bot(self, bot: str | None = None, thinking: Budget | None = None) -> list[Decided]:
        """Let the bot on the seat to move, or another one, play."""
        return self.play(self.bot_move(bot, thinking))

    @property
    def bot_has_budget(self) -> bool:
        """Return whether the seat to move names how long its bot may think: `search:2`, `quick:200`."""
        assert self.state.to_move
        return ":" in self.seats[self.state.to_move - 1].who

    def bot_move(self, bot: str | None = None, thinking: Budget | None = None) -> Move:
        """Return what the bot on the seat to move, or another one, would play. Its work is taken from `thinking`."""
        assert self.state.to_move
        player = find_bot(bot or self.seats[self.state.to_move - 1].who, thinking)
        assert player is not None
        return player(self.game, self.state, self.rng())

    def rng(self) -> random.Random:
        """Return random numbers for this position: always the same ones where there is a seed."""
        return random.Random() if self.seed is None else random.Random(f"{self.seed} bots {self.state.decisions}")

    def undo_target(self) -> int | None:
        """Return how many decisions are left when the last one of a person is taken back; None: there is none."""
        people = self.people
        return next((d.number - 1 for d in reversed(self.decided) if d.player in people), None)

    def undo(self, agreed: bool = False, to: int | None = None) -> list[Decided]:
        """Go back to the last decision of a person, or to where `to` decisions were made. Return what was taken back.

        Raises NotAgreed if something hidden was turned up since, unless everybody agreed.
        """
        kept = self.undo_target() if to is None else to
        while kept and self.seed is not None and kept < len(self.decided) and self.decided[kept].player == CHANCE:
            kept -= 1  # a game with a seed never waits for chance
        if kept is None or kept >= len(self.decided):
            return []
        back = self.decided[kept:]
        shown = [d for d in back if self.uncovers(d)]
        if shown and not agreed:
            raise NotAgreed(texts.NOT_AGREED.format(move=self.sight.without_kept(shown[0].move)), shown)
        self._write([Undo(kept, agreed)])
        self.decided = self.decided[:kept]
        self.state = back[0].before
        return back

    def uncovers(self, d: Decided) -> bool:
        """Return whether a decision let somebody see something hidden: then it is taken back only if everybody agrees."""
        return any(line.to for line in d.told) or self.sight.reveals(d.before, d.move)

    def amend(
        self, kept: int, moves: list[Move], assumed: set[int] | None = None, pending: bool = True
    ) -> list[Decided]:
        """Replace all decisions after the first `kept`, recorded at once. No moves: pending decisions are dropped.

        `assumed` are then the draws that the referee does not know; without it they stay the same. `pending`: decisions that
        are not among the new ones wait to be made again.
        """
        before = self.decided[kept].before if kept < len(self.decided) else self.state
        found = self._stepped(before, moves)
        self._keep(found, found[-1].after if found else before, assumed, Undo(kept, True, pending))
        return found

    def continue_with(self, moves: list[Move], settled: State, assumed: set[int] | None = None) -> None:
        """Make decisions that are known already, up to a position; `assumed` as in `amend`."""
        self._keep(self._stepped(self.state, moves), settled, assumed)

    def note_result(self) -> None:
        """Record the result of a game that is over, if the record was stopped just before it."""
        self._write([result_of(self.game, self.state)])

    def sit(self, seats: tuple[Seat, ...]) -> None:
        """Change who sits where."""
        if seats != self.seats:
            self._write([SeatsChange(seats)])
            self.seats = seats

    def _stepped(self, before: State, moves: list[Move]) -> list[Decided]:
        """Return decisions one by one, with their texts and reasons, in the words of the moment."""
        found = []
        for move in moves:
            text = self.game.describe(before, move) if before.to_move else str(move)
            after = self.game.apply(before.with_seed(None), move)
            points, told = tuple(self.game.ledger(after, before)), tuple(self.game.told(after, before))
            who = before.to_move or CHANCE
            found.append(Decided(before.decisions + 1, who, move, text, before, after, points, told))
            before = after
        return found

    def _keep(
        self, found: list[Decided], settled: State, assumed: set[int] | None = None, undo: Undo | None = None
    ) -> None:
        """Record decisions, then count them: nothing changes before the record is written."""
        assumed = self.assumed if assumed is None else assumed
        entries: list[RecordEntry] = [] if undo is None else [undo]
        entries += [self._entry(d, d.number in assumed) for d in found]
        if settled.to_move is None and (found or undo is None):
            entries.append(result_of(self.game, settled))
        self._write(entries)
        if undo is not None:
            del self.decided[undo.kept :]
        self.decided += found
        self.state = settled
        self.assumed = assumed

    def _entry(self, d: Decided, assumed: bool) -> RecordedDecision:
        scores = tuple(self.game.scores(d.after).values())
        changed = scores != tuple(self.game.scores(d.before).values())
        return RecordedDecision(d.number, d.player, str(d.move), scores if changed else None, assumed)

    # the record ------------------------------------------------------------------------------------------

    @property
    def header(self) -> Header:
        """The first line of the record."""
        game = self.game
        return Header(
            self.name,
            game.title,
            bundle_rules(game.rules),
            game.players,
            dict(game.options),
            self.given,
            self.seed,
            self.first_seats,
            self.begun,
            position=self.position,
        )

    def record_to(self, path: str | Path) -> None:
        """Write to a new record from now on; it begins with all that was decided so far."""
        file = RecordFile.create(path, self.header, tuple(self.entries))
        if self.file is not None:
            self.file.close()
        self.file = file

    def stop_recording(self) -> None:
        """Continue without a record."""
        self.close()
        self.file = None

    def save(self, path: str | Path) -> None:
        """Write a copy of the record as it is now."""
        RecordFile.create(path, self.header, tuple(self.entries)).close()

    def close(self) -> None:
        """Close the record."""
        if self.file is not None:
            self.file.close()

    def _write(self, entries: list[RecordEntry]) -> None:
        if self.file is not None:
            self.file.add(entries)
        self.entries += entries

    # looking at it ---------------------------------------------------------------------------------------

    def ledger(self) -> list[LedgerLine]:
        """Return every reason for points, in the words of the moment."""
        opening = self.opening.points if self.opening else ()
        return [*opening, *(line for decided in self.decided for line in decided.points)]

    @property
    def sight(self) -> Sight:
        """Who may see what."""
        return self.game.sight

    def words(self, decided: Decided, viewer: int | None) -> tuple[str, str]:
        """Return a decision as a player, or for None an onlooker, may read it: its notation, and the author's text."""
        return self.sight.words(decided.before, decided.move, viewer, decided.after, self._closing(decided))

    def unknown_yet(self, made: int | None = None) -> list[Decided]:
        """Return the last decisions, now or when so many were made, that only their players know: others are still to decide."""
        found: list[Decided] = []
        for d in reversed(self.decided if made is None else self.decided[:made]):
            if not self.sight.is_open(d.before, d.move, d.after):
                break
            found.append(d)
        return found[::-1]

    def _closing(self, decided: Decided) -> tuple[State, Move] | None:
        """Return the decision by which one became known that was made at the same time as others; None: there is none."""
        later = self.decided[decided.number - 1 :] if self.game.asks_several(decided.before) else []
        if not later or later[0] is not decided:
            return None
        return next(((d.before, d.move) for d in later if not self.sight.is_open(d.before, d.move, d.after)), None)

    def position_text(self, audience: Audience, line: bool = False) -> str:
        """Return the present position as text, as that audience may read it; `line`: on one line. Raises CannotWrite."""
        steps = [
            (d.before, str(d.move) if audience.everything else self.words(d, audience.player)[0])
            for d in self.decided[-MOST_BACK:]
        ]
        return write_position(self.game, steps, self.state, audience, line)

    def as_data(self) -> dict[str, object]:
        """Return the whole game as plain data, for `--json`."""
        outcome = self.game.outcome(self.state)
        return {
            "version": 1,
            "game": self.name,
            "title": self.game.title,
            "players": self.game.players,
            "options": self.game.options,
            "seed": seeds.seed_to_data(self.seed),
            **({"position": self.position} if self.position else {}),
            "seats": [seat.who for seat in self.seats],
            "names": [seat.name for seat in self.seats],
            "decisions": [d.as_data() for d in ([self.opening] if self.opening else []) + self.decided],
            "scores": {str(p): n for p, n in self.game.scores(self.state).items()},
            "ledger": [ledger_data(line) for line in self.ledger()],
            "outcome": None
            if outcome is None
            else {
                "winners": list(outcome.winners),
                "reason": outcome.reason,
                "ranking": [list(group) for group in outcome.ranking],
                "scores": {str(p): n for p, n in outcome.scores.items()},
            },
        }


def seats_text(found: int, players: int) -> str:
    """Return in words how many seats there are for how many players."""
    return texts.SEATS_NUMBER.format(seats=number_of(found, "seat"), players=number_of(players, "player"))


def result_of(game: Game, end: State) -> Result:
    """Return the last line of the record of a game that ended here."""
    outcome = game.outcome(end)
    assert outcome is not None
    return Result(outcome.winners, tuple(outcome.scores.values()), outcome.reason, game.position_mark(end))
