"""One game being played: its positions, who sits where, and why every point was scored. It never prints.

With a record, nothing has happened before it is written down: a decision that cannot be recorded is not made.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from interpreter import CHANCE, Game, LedgerLine, Move, Sight, State, position_mark, seeds
from referee.bots import BOTS, find_bot
from referee.record import texts
from referee.record.file import RecordFile
from referee.record.lines import Decision, Entry, Header, Result, Seat, SeatsChange, Undo
from rulespec import bundle_rules

HUMAN = "human"
SEATS = (HUMAN, *BOTS)


@dataclass(frozen=True, slots=True)
class Decided:
    """One decision and what it brought. `player` is CHANCE where chance decided."""

    number: int
    player: int
    move: Move
    text: str  # in the author's words
    before: State = field(repr=False)
    after: State = field(repr=False)
    points: tuple[LedgerLine, ...] = ()

    def as_data(self) -> dict[str, object]:
        who: int | str = "chance" if self.player == CHANCE else self.player
        points = [ledger_data(line) for line in self.points]
        return {"number": self.number, "player": who, "move": str(self.move), "text": self.text, "points": points}


def ledger_data(line: LedgerLine) -> dict[str, object]:
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


class NotAgreed(ValueError):
    """Taking back needs everybody's consent: what was turned up meanwhile."""

    def __init__(self, shown: list[Decided]) -> None:
        self.shown = shown
        super().__init__(texts.NOT_AGREED.format(what=f"`{shown[0].move}`"))


@dataclass
class Match:
    game: Game
    name: str  # what the game was opened as
    seats: tuple[Seat, ...]
    seed: int | None  # None: chance waits to be played like any player
    given: dict[str, int | str]
    begun: str
    state: State
    start_scores: dict[int, int]
    opening: Decided | None = None  # points before anybody decided anything
    decided: list[Decided] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)  # all that happened, with what was taken back
    file: RecordFile | None = None
    first_seats: tuple[Seat, ...] = ()
    assumed: set[int] = field(default_factory=set)  # the numbers of draws that the referee was not told

    @classmethod
    def begin(
        cls,
        game: Game,
        seats: Sequence[Seat | str],
        seed: int | None,
        first: int | None = None,
        name: str = "",
        given: Mapping[str, int | str] | None = None,
    ) -> Match:
        """A new game. Raises LookupError if the rules do not let player `first` begin."""
        given = dict(given or {}) if first is None else first_given(game, first)
        chairs = tuple(Seat(f"player {i}", s) if isinstance(s, str) else s for i, s in enumerate(seats, 1))
        start = game.start(None, given)  # chance left open: what it decides is stepped through
        scores = game.scores(start)
        lines = game.ledger(start)
        for line in lines:
            scores[line.player] -= line.gained
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        match = cls(game, name or str(game.rules.path), chairs, seed, given, now, start, scores, first_seats=chairs)
        if lines:
            match.opening = Decided(0, CHANCE, Move("start", (), "start"), "start", start, start, tuple(lines))
        if seed is not None:
            settled = game.start(seed, given)
            match._keep(match._stepped(start, game.decisions(settled)), settled)
        if first is not None and match.state.to_move not in (first, CHANCE, None):
            raise LookupError(first)
        return match

    @property
    def over(self) -> bool:
        return self.state.to_move is None

    @property
    def human(self) -> bool:
        """Whether a person is to decide."""
        return bool(self.state.to_move) and self.seats[self.state.to_move - 1].who == HUMAN  # type: ignore[operator]

    @property
    def people(self) -> list[int]:
        """The players who are persons."""
        return [i for i, seat in enumerate(self.seats, 1) if seat.who == HUMAN]

    @property
    def viewer(self) -> int | None:
        """Whose eyes the screen is for: the one person playing, or of several the one to move."""
        if len(self.people) == 1:
            return self.people[0]
        return self.state.to_move if self.human else None

    def name_of(self, player: int) -> str:
        """How a player is called; chance too."""
        return self.seats[player - 1].name if player else texts.CHANCE

    # deciding --------------------------------------------------------------------------------------------

    def play(self, move: Move | str) -> list[Decided]:
        """Plays a move of whoever is to decide; what was decided, by them and then by chance where there is a seed.

        Raises UnreadableMove, IllegalMove, or RecordError if it cannot be written down; then nothing has happened.
        """
        before = self.state
        settled = self.game.apply(before, move)
        found = self._stepped(before, self.game.decisions(settled, before))
        self._keep(found, settled)
        return found

    def play_bot(self, bot: str | None = None) -> list[Decided]:
        return self.play(self.bot_move(bot))

    @property
    def bot_has_time(self) -> bool:
        """Whether somebody said how many seconds the bot to move has."""
        assert self.state.to_move
        return ":" in self.seats[self.state.to_move - 1].who

    def bot_move(self, bot: str | None = None) -> Move:
        """What the bot on the seat to move, or another one, would play."""
        assert self.state.to_move
        player = find_bot(bot or self.seats[self.state.to_move - 1].who)
        assert player is not None
        return player(self.game, self.state, self.rng())

    def rng(self) -> random.Random:
        """Random numbers for this position: always the same ones where there is a seed."""
        return random.Random() if self.seed is None else random.Random(f"{self.seed} bots {self.state.decisions}")

    def undo_target(self) -> int | None:
        """How many decisions are left when the last one of a person is taken back; none: there is none."""
        people = self.people
        return next((d.number - 1 for d in reversed(self.decided) if d.player in people), None)

    def undo(self, agreed: bool = False, to: int | None = None) -> list[Decided]:
        """Back to the last decision of a person, or to where `to` decisions were made; what was taken back.

        Raises NotAgreed if something hidden was turned up since and that was not agreed.
        """
        kept = self.undo_target() if to is None else to
        while kept and self.seed is not None and kept < len(self.decided) and self.decided[kept].player == CHANCE:
            kept -= 1  # what a seed decides is never a place to stop
        if kept is None or kept >= len(self.decided):
            return []
        back = self.decided[kept:]
        shown = [d for d in back if self.sight.reveals(d.before, d.move)]
        if shown and not agreed:
            raise NotAgreed(shown)
        self._write([Undo(kept, agreed)])
        self.decided = self.decided[:kept]
        self.state = back[0].before
        return back

    def mend(self, kept: int, moves: list[Move]) -> list[Decided]:
        """Decides otherwise from where `kept` decisions were made; written in one go. No moves: nothing waits any more."""
        before = self.decided[kept].before if kept < len(self.decided) else self.state
        found = self._stepped(before, moves)
        settled = found[-1].after if found else before
        entries: list[Entry] = [Undo(kept, True, True), *map(self._entry, found)]
        if found and settled.to_move is None:
            entries.append(result_of(self.game, settled))
        self._write(entries)
        self.decided = self.decided[:kept] + found
        self.state = settled
        return found

    def go_on(self, moves: list[Move], settled: State) -> None:
        """Makes decisions of chance that are known already, up to a position."""
        self._keep(self._stepped(self.state, moves), settled)

    def note_result(self) -> None:
        """Writes the result of a game that is over, if a record was stopped just before it."""
        self._write([result_of(self.game, self.state)])

    def sit(self, seats: tuple[Seat, ...]) -> None:
        """Changes who sits where."""
        if seats != self.seats:
            self._write([SeatsChange(seats)])
            self.seats = seats

    def _stepped(self, before: State, moves: list[Move]) -> list[Decided]:
        """Decisions one by one, with their texts and reasons, which are taken while they are fresh."""
        found = []
        for move in moves:
            text = self.game.describe(before, move) if before.to_move else str(move)
            after = self.game.apply(before.with_seed(None), move)
            points = tuple(self.game.ledger(after, before))
            found.append(Decided(before.decisions + 1, before.to_move or CHANCE, move, text, before, after, points))
            before = after
        return found

    def _keep(self, found: list[Decided], settled: State) -> None:
        entries: list[Entry] = [self._entry(d) for d in found]
        if settled.to_move is None:
            entries.append(result_of(self.game, settled))
        self._write(entries)
        self.decided += found
        self.state = settled

    def _entry(self, d: Decided) -> Decision:
        scores = tuple(self.game.scores(d.after).values())
        changed = scores != tuple(self.game.scores(d.before).values())
        return Decision(d.number, d.player, str(d.move), scores if changed else None, d.number in self.assumed)

    # the record ------------------------------------------------------------------------------------------

    @property
    def header(self) -> Header:
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
        )

    def record_to(self, path: str | Path) -> None:
        """From now on everything is written to a new record, which holds all that was decided so far."""
        file = RecordFile.create(path, self.header, tuple(self.entries))
        if self.file is not None:
            self.file.close()
        self.file = file

    def stop_recording(self) -> None:
        self.close()
        self.file = None

    def save(self, path: str | Path) -> None:
        """A copy of the record as it is now."""
        RecordFile.create(path, self.header, tuple(self.entries)).close()

    def close(self) -> None:
        if self.file is not None:
            self.file.close()

    def _write(self, entries: list[Entry]) -> None:
        if self.file is not None:
            self.file.add(entries)
        self.entries += entries

    # what is told ----------------------------------------------------------------------------------------

    def ledger(self) -> list[LedgerLine]:
        """Every reason for points, in the words of the moment."""
        opening = self.opening.points if self.opening else ()
        return [*opening, *(line for decided in self.decided for line in decided.points)]

    @property
    def sight(self) -> Sight:
        return self.game.sight

    def words(self, decided: Decided, viewer: int | None) -> tuple[str, str]:
        """A decision as a player, or for None an onlooker, may read it: its notation, and in the author's words."""
        return self.sight.words(decided.before, decided.move, viewer)

    def as_data(self) -> dict[str, object]:
        """The whole game as plain data, for `--json`."""
        outcome = self.game.outcome(self.state)
        return {
            "version": 1,
            "game": self.name,
            "title": self.game.title,
            "players": self.game.players,
            "options": self.game.options,
            "seed": seeds.seed_to_data(self.seed),
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


def result_of(game: Game, end: State) -> Result:
    outcome = game.outcome(end)
    assert outcome is not None
    return Result(outcome.winners, tuple(outcome.scores.values()), outcome.reason, position_mark(game, end))


def first_given(game: Game, first: int) -> dict[str, int | str]:
    """What lets a player begin, in any game: every variable that names player 1 at the start names this one."""
    players = game.model.sets["player"].values
    return {
        v.name: first
        for v in game.model.variables.values()
        if not v.index and getattr(v.type, "home", "") == "player" and v.starts[0] == players[0]
    }
