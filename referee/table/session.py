"""The referee of a real game: draws and moves are told, checked, corrected and mended. It never prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from interpreter import CHANCE, IllegalMove, Move, Spot, State
from referee.play.match import Decided, Match
from referee.record.lines import Decision, Entry, Undo
from referee.table import texts as words
from referee.table.assumptions import Assumptions
from referee.table.draw_input import Drawn, DrawReader, Segment
from referee.table.draws import BadDraw, Chance, Part
from referee.table.wording import Wording


class DrawnSince(ValueError):
    """Something was drawn after a decision: taking it back has to be agreed."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A decision that was made after one that was mended: it is made again where it still fits."""

    player: int
    move: Move


@dataclass(frozen=True, slots=True)
class Mended:
    """What became of a change: the decision as it was and is now, and how many after it stand as they were."""

    was: Decided
    now: Decided
    stand: int


@dataclass
class Table:
    """One real game. Chance is open: the match has no seed."""

    match: Match
    waiting: list[Waiting] = field(default_factory=list)
    lies: State | None = None  # what lies on the table while decisions wait to be made again

    def __post_init__(self) -> None:
        self.game = self.match.game
        self.wording = Wording(self.game, [seat.name for seat in self.match.seats])
        self.chance = Chance(self.game, self.wording)
        self.reader = DrawReader(self.chance)
        self.assumptions = Assumptions(self.match, self.wording)
        self._follow_record()

    @property
    def state(self) -> State:
        return self.match.state

    # draws -----------------------------------------------------------------------------------------------

    def plan(self) -> list[Part]:
        return self.chance.plan(self.state)

    def last_run(self) -> list[Decided]:
        """What chance decided since the last decision of a player."""
        count = 0
        for d in reversed(self.match.decided):
            if d.player != CHANCE:
                break
            count += 1
        return self.match.decided[len(self.match.decided) - count :]

    def draw(self, line: str) -> list[Decided]:
        """What a line says was drawn or rolled. Raises BadDraw, and then nothing was drawn."""
        known = self.chance.coming(self.state) if ":" in line else []
        while True:
            try:
                drawn = self.reader.read(self.state, line, known)
                break
            except BadDraw as bad:
                if not self.assumptions.release(bad.code):
                    raise
        if not drawn:
            raise BadDraw(words.NOTHING_TYPED)
        return self._add(drawn)

    def _add(self, drawn: list[Drawn]) -> list[Decided]:
        first = len(self.match.decided)
        self.match.assumed |= {first + i for i, d in enumerate(drawn, 1) if d.unknown}
        state = self.state
        for d in drawn:
            state = self.game.apply(state, d.move)
        self.match.go_on([d.move for d in drawn], state)
        return self._decided_since(first)

    def correct(self, line: str) -> list[Decided]:
        """Draws typed again with their labels, before a player has decided anything: they replace what was typed.

        Raises BadDraw; its message fits only if the line names places that were filled.
        """
        run = self.last_run()
        asked = [self.chance.asked(d.before, d.after) for d in run]
        typed = self.reader.segments(line, asked)
        named = {segment.what for segment in typed}
        if not named or None in named or not named <= {a.what for a in asked}:
            raise BadDraw(words.NO_CORRECTION)
        old: dict[Spot | str, Segment] = {}
        for d, a in zip(run, asked, strict=True):
            if a.what not in named:
                old.setdefault(a.what, Segment([], a.what)).ready.append(d.move.args[0])
        start = run[0].before
        drawn = self.reader.read_segments(start, [*typed, *old.values()])
        if len(drawn) < len(run):
            raise BadDraw(words.TOO_FEW_TO_CORRECT.format(label=self.chance.label(asked[len(drawn)])))
        kept = len(self.match.decided) - len(run)
        self.match.assumed -= {d.number for d, a in zip(run, asked, strict=True) if a.what in named}
        return self.match.mend(kept, [d.move for d in drawn])

    # moves -----------------------------------------------------------------------------------------------

    def play(self, move: Move | str) -> list[Decided]:
        """A move of the player to decide. Raises UnreadableMove or IllegalMove."""
        first = len(self.match.decided)
        try:
            self.match.play(move)
        except IllegalMove as error:
            if not self.assumptions.fit(move):
                raise error
            self.match.play(move)
        return self._decided_since(first)

    def holds_hidden(self, player: int) -> bool:
        """Whether a player has pieces that others cannot see: then their moves are not shown unasked."""
        for spot, index in self.wording.spots.items():
            place = self.game.model.places[spot.family]
            if place.seen_by == "owner" and index[place.index.index("player")] == player:
                if self.wording.lying(self.state, spot):
                    return True
        return False

    def _decided_since(self, first: int) -> list[Decided]:
        """What was decided, with what now fits of the decisions that wait."""
        for d in self.match.decided[first:]:
            self.assumptions.reveal(d)
            if self.waiting and self.waiting[0].player == d.player:
                self.waiting.pop(0)  # this is what was decided instead
        self._make_waiting()
        return self.match.decided[first:]

    # taking back and mending -----------------------------------------------------------------------------

    def undo(self, agreed: bool = False) -> list[Decided]:
        """Takes back what was drawn since the last decision of a player, or that decision.

        Draws were typed, and can be typed again. A decision after which something was drawn or turned up can only be
        taken back, with the draws, if that is agreed: raises NotAgreed or DrawnSince.
        """
        run = self.last_run()
        if run and not agreed:
            return self._back(len(self.match.decided) - len(run), True)
        last = max((d.number for d in self.match.decided if d.player != CHANCE), default=0)
        if not agreed and last and self._drawn_after(last):
            raise DrawnSince(words.DRAWN_SINCE)
        return self._back(max(last - 1, 0), agreed)

    def _drawn_after(self, number: int) -> bool:
        """Whether draws that were taken back had followed the last decision."""
        for entry in reversed(self.match.entries):
            if isinstance(entry, Decision) and entry.number <= number:
                return False
            if isinstance(entry, Decision) and entry.player == CHANCE:
                return True
        return False

    def _back(self, kept: int, agreed: bool) -> list[Decided]:
        if kept >= len(self.match.decided):
            return []
        back = self.match.undo(agreed, kept)
        self.match.assumed = {n for n in self.match.assumed if n <= kept}
        return back

    def mend(self, number: int, move: Move) -> Mended:
        """Changes one decision, and makes those after it again as long as they fit. Raises IllegalMove."""
        was = self.match.decided[number - 1]
        if not self.game.is_legal(was.before, move):
            raise IllegalMove(str(move), self.game.objections(was.before, move))
        later = [Waiting(d.player, d.move) for d in self.match.decided[number:]] + self.waiting
        state = self.game.apply(was.before, move)
        moves, rest = self._fitting(state, later)
        self.match.assumed = {n for n in self.match.assumed if n != number and n <= number + len(moves)}
        now = self.match.mend(number - 1, [move, *moves])[0]
        self.waiting = list(rest)
        return Mended(was, now, len(moves))

    def obstacle(self) -> tuple[Waiting, list[str]] | None:
        """The first decision that waits, and why it cannot be made now."""
        if not self.waiting:
            return None
        return self.waiting[0], self._reasons(self.state, self.waiting[0])

    def drop(self) -> list[Waiting]:
        """Forgets the decisions that wait."""
        dropped, self.waiting = self.waiting, []
        if dropped:
            self.match.mend(len(self.match.decided), [])
        return dropped

    def _make_waiting(self) -> None:
        moves, rest = self._fitting(self.state, self.waiting)
        if moves:
            state = self.state
            for move in moves:
                state = self.game.apply(state, move)
            self.match.go_on(moves, state)
        self.waiting = list(rest)

    def _fitting(self, state: State, waiting: Sequence[Waiting]) -> tuple[list[Move], Sequence[Waiting]]:
        """The decisions that can be made one after another, and the rest."""
        for i, w in enumerate(waiting):
            if self._reasons(state, w):
                return [w.move for w in waiting[:i]], waiting[i:]
            state = self.game.apply(state, w.move)
        return [w.move for w in waiting], []

    def _reasons(self, state: State, waiting: Waiting) -> list[str]:
        """Why a decision cannot be made in a position; none: it can."""
        if state.to_move is None:
            return [words.OVER_ALREADY]
        if state.to_move != waiting.player:
            return [words.OTHER_DECIDES.format(who=self.who(state.to_move))]
        if self.game.is_legal(state, waiting.move):
            return []
        if state.to_move == CHANCE and waiting.move.name == self.game.chances(state)[0][0].name:
            return [self.chance.refusal(state, self.chance.next_asked(state), waiting.move.args[0])]
        return [str(objection) for objection in self.game.objections(state, waiting.move)]

    def who(self, player: int) -> str:
        return self.wording.player(player) if player else words.DRAWING

    # records ---------------------------------------------------------------------------------------------

    def _follow_record(self) -> None:
        """Finds what a resumed game was waiting for: what was mended, and what of it was made again."""
        made: list[Decision] = []
        waiting: list[Decision] = []
        lying: list[Decision] = []
        for entry in self.match.entries:
            if isinstance(entry, Undo) and entry.mended and not waiting:
                lying = made
            made, waiting = _after(entry, made, waiting)
        if waiting:
            self.lies = self.match.decided[0].before
            for decision in lying:
                self.lies = self.game.apply(self.lies, decision.move)
        moves = {(d.player, str(d.move)): d.move for d in self.match.decided}
        for w in waiting:
            self.waiting.append(Waiting(w.player, moves.get((w.player, w.move)) or self._parsed(w)))

    def _parsed(self, decision: Decision) -> Move:
        return self.game.parse_move(self.match.state, decision.move)


def _after(entry: Entry, made: list[Decision], waiting: list[Decision]) -> tuple[list[Decision], list[Decision]]:
    """What is made and what waits after one more line of a record."""
    if isinstance(entry, Undo):
        back = made[entry.kept :]
        if entry.mended:
            return made[: entry.kept], back + waiting if back else []
        return made[: entry.kept], waiting
    if isinstance(entry, Decision):
        same = bool(waiting) and waiting[0].player == entry.player
        return [*made, entry], (waiting[1:] if same else waiting)
    return made, waiting
