"""A game with real pieces: draws and moves are typed, checked, corrected and amended. It never prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from interpreter import CHANCE, IllegalMove, Move, Movement, Spot, State
from referee.record.lines import RecordedDecision, RecordEntry, Undo
from referee.record.match import Decided, Match, NotAgreed
from referee.shell.narration import objection_text
from referee.table import texts
from referee.table.assumptions import Assumptions
from referee.table.draw_input import DrawReader, Segment, TypedDraw
from referee.table.draws import BadDraw, Draws, PlanPart
from referee.table.wording import Wording


@dataclass(frozen=True, slots=True)
class Pending:
    """A decision that was made after one that was amended: it is made again where it still fits."""

    player: int
    move: Move


@dataclass(frozen=True, slots=True)
class Amended:
    """A decision as it was and as it is now, and how many after it were kept."""

    was: Decided
    now: Decided
    kept: int


class CannotInsert(ValueError):
    """A decision after the forgotten one no longer fits: `decided`, for these reasons."""

    def __init__(self, decided: Decided, reasons: Sequence[str]) -> None:
        self.decided, self.reasons = decided, tuple(reasons)
        super().__init__(texts.CANNOT_INSERT.format(number=decided.number, move=decided.move))


@dataclass
class RealGame:
    """One game with real pieces. Chance is open: the match has no seed."""

    match: Match
    pending: list[Pending] = field(default_factory=list)
    on_table: State | None = None  # the position that lies on the table while decisions are pending
    _untold: dict[int, str] = field(default_factory=dict)  # what was assumed of decisions that were taken back
    _named: tuple[int, Sequence[Movement]] = (0, ())  # what came out with a decision, and was named since

    def __post_init__(self) -> None:
        self.game = self.match.game
        self.wording = Wording(self.game, [seat.name for seat in self.match.seats])
        self.draws = Draws(self.game, self.wording)
        self.reader = DrawReader(self.draws)
        self.assumptions = Assumptions(self.match, self.wording)
        self._follow_record()

    @property
    def state(self) -> State:
        return self.match.state

    # draws -----------------------------------------------------------------------------------------------

    def plan(self) -> list[PlanPart]:
        """Return what is to be drawn now."""
        return self.draws.plan(self.state)

    def last_run(self) -> list[Decided]:
        """Return what chance decided since the last decision of a player."""
        count = 0
        for d in reversed(self.match.decided):
            if d.player != CHANCE:
                break
            count += 1
        return self.match.decided[len(self.match.decided) - count :]

    def draw(self, line: str) -> list[Decided]:
        """Make the draws and rolls that a line names. Raises BadDraw, and then nothing was drawn."""
        known = self.draws.coming(self.state) if ":" in line else []
        while True:
            try:
                drawn = self.reader.read(self.state, line, known)
                break
            except BadDraw as bad:
                if not self.assumptions.release(bad.code):
                    raise
        if not drawn:
            raise BadDraw(texts.NOTHING_TYPED)
        return self._add(drawn)

    def _add(self, drawn: list[TypedDraw]) -> list[Decided]:
        first = len(self.match.decided)
        assumed = self._assumed_now() | {first + i for i, d in enumerate(drawn, 1) if d.unknown}
        state = self.state
        for d in drawn:
            state = self.game.apply(state, d.move)
        self.match.continue_with([d.move for d in drawn], state, assumed)
        return self._decided_since(first)

    def correct(self, line: str) -> list[Decided]:
        """Replace draws by those typed again with their labels, before a player has decided anything.

        Raises BadDraw; its message fits only if the line names places that were filled.
        """
        run = self.last_run()
        asked = [self.draws.asked(d.before, d.after) for d in run]
        typed = self.reader.segments(line, asked)
        named = {segment.what for segment in typed}
        if not named or None in named or not named <= {a.what for a in asked}:
            raise BadDraw(texts.NO_CORRECTION)
        old: dict[Spot | str, Segment] = {}
        for d, a in zip(run, asked, strict=True):
            if a.what not in named:
                old.setdefault(a.what, Segment([], a.what)).ready.append(d.move.args[0])
        start = run[0].before
        drawn = self.reader.read_segments(start, [*typed, *old.values()])
        if len(drawn) < len(run):
            raise BadDraw(texts.TOO_FEW_TO_CORRECT.format(label=self.draws.label(asked[len(drawn)])))
        kept = len(self.match.decided) - len(run)
        known = {d.number for d, a in zip(run, asked, strict=True) if a.what in named}
        return self.match.amend(kept, [d.move for d in drawn], self.match.assumed - known)

    # moves -----------------------------------------------------------------------------------------------

    def play(self, move: Move | str) -> list[Decided]:
        """Make a move of the player to decide. Raises UnreadableMove, IllegalMove, or BadDraw for a piece that stays unseen.

        In a text, `?` or what its back shows may stand for a piece that only its owner saw.
        """
        first = len(self.match.decided)
        unseen = self.unseen(move) if isinstance(move, str) else None
        if unseen is not None:
            return self.play_unseen(unseen)
        try:
            self.match.play(move)
        except IllegalMove as error:
            if not self.assumptions.fit(move):
                raise error
            self.match.play(move)
        return self._decided_since(first)

    def unseen(self, line: str) -> Move | None:
        """Return a move of a piece that only its owner saw, which a line says without naming it; None: it is no such move.

        Raises BadDraw where everybody would see what its back shows, and the line does not say it.
        """
        return self.assumptions.unseen(line)

    def play_unseen(self, move: Move) -> list[Decided]:
        """Make a move of a piece that the referee does not know: that it is this one is assumed."""
        first = len(self.match.decided)
        self.match.continue_with([move], self.game.apply(self.state, move), self._assumed_now() | {first + 1})
        return self._decided_since(first)

    @property
    def unknown(self) -> set[int]:
        """The numbers of the decisions about pieces that the referee still does not know."""
        return self.assumptions.unknown()

    def _assumed_now(self) -> set[int]:
        """Return the assumptions among the decisions that stand."""
        return {n for n in self.match.assumed if n <= len(self.match.decided)}

    # pieces that came out --------------------------------------------------------------------------------

    def came_out(self) -> Movement | None:
        """Return how an unknown piece came out just now that nobody has named yet; None: there is none."""
        return next(iter(self.unnamed()), None)

    def unnamed(self) -> list[Movement]:
        """Return how all unknown pieces came out just now that nobody has named yet."""
        return [m for m in self.assumptions.unnamed() if m not in self.named]

    @property
    def named(self) -> Sequence[Movement]:
        """How pieces came out with the last decision that were named since."""
        number, named = self._named
        return named if number == len(self.match.decided) else ()

    def name(self, line: str) -> None:
        """Take what somebody says the piece is that came out. Raises BadDraw if that is impossible."""
        way = self.came_out()
        assert way is not None
        codes = self.reader.pieces(line, self.game.model.places[way.goal.family].kinds)
        if len(codes) != 1:
            raise BadDraw(texts.ONE_ONLY)
        named = self.named
        if codes[0] != way.kind and not self.assumptions.come_out(codes[0], way, named):
            kind, goal = self.wording.kind(codes[0]), self.wording.spot(way.goal)
            raise BadDraw(texts.CANNOT_COME_OUT.format(kind=kind, goal=goal))
        way = Movement(codes[0], way.count, way.source, way.goal)
        self._named = len(self.match.decided), [*named, way]

    def holds_hidden(self, player: int) -> bool:
        """Return whether a player's moves may show what others cannot see, such as their pieces: they are not listed unasked."""
        decision = self.game.decision(self.state)
        if decision is not None and self.game.sight.legality_tells(decision.moves):
            return True
        for spot, index in self.wording.spots.items():
            place = self.game.model.places[spot.family]
            if place.seen_by == "owner" and index[place.index.index("player")] == player:
                if self.wording.lying(self.state, spot):
                    return True
        return False

    def _decided_since(self, first: int) -> list[Decided]:
        """Return what was decided, with the pending decisions that fit now."""
        for d in self.match.decided[first:]:
            if self.pending and self.pending[0].player == d.player:
                self.pending.pop(0)  # this is what was decided instead
        self._make_pending()
        return self.match.decided[first:]

    # taking back and amending ----------------------------------------------------------------------------

    def undo(self, agreed: bool = False) -> list[Decided]:
        """Take back what was drawn since the last decision of a player, or that decision.

        Draws were typed, and can be typed again. A decision after which something was drawn or turned up can only be
        taken back, with the draws, if everybody agrees: raises NotAgreed.
        """
        run = self.last_run()
        if run and not agreed:
            return self._back(len(self.match.decided) - len(run), True)
        last = max((d.number for d in self.match.decided if d.player != CHANCE), default=0)
        if not agreed and last and self._drawn_after(last):
            raise NotAgreed(texts.DRAWN_SINCE)
        return self._back(max(last - 1, 0), agreed)

    def _drawn_after(self, number: int) -> bool:
        """Return whether draws that were taken back had followed the last decision."""
        for entry in reversed(self.match.entries):
            if isinstance(entry, RecordedDecision) and entry.number <= number:
                return False
            if isinstance(entry, RecordedDecision) and entry.player == CHANCE:
                return True
        return False

    def _back(self, kept: int, agreed: bool) -> list[Decided]:
        if kept >= len(self.match.decided):
            return []
        back = self.match.undo(agreed, kept)
        self._untold = {d.number: str(d.move) for d in back if d.number in self.match.assumed} | self._untold
        self.match.assumed = self._assumed_now()
        return back

    def redo(self, moves: list[Move]) -> list[Decided]:
        """Make decisions again that were taken back; what the referee did not know then it does not know now."""
        first, state = len(self.match.decided), self.state
        untold = {n for n, move in enumerate(moves, first + 1) if self._untold.get(n) == str(move)}
        for move in moves:
            state = self.game.apply(state, move)
        self.match.continue_with(moves, state, self._assumed_now() | untold)
        return self._decided_since(first)

    def amend(self, number: int, move: Move) -> Amended:
        """Change one decision, and make those after it again as long as they fit. Raises IllegalMove."""
        was = self.match.decided[number - 1]
        if not self.game.is_legal(was.before, move):
            raise IllegalMove(str(move), self.game.objections(was.before, move))
        later = [Pending(d.player, d.move) for d in self.match.decided[number:]] + self.pending
        state = self.game.apply(was.before, move)
        moves, rest = self._fitting(state, later)
        assumed = {n for n in self.match.assumed if n != number and n <= number + len(moves)}
        now = self.match.amend(number - 1, [move, *moves], assumed)[0]
        self.pending = list(rest)
        return Amended(was, now, len(moves))

    def insert(self, number: int, move: Move) -> int:
        """Make a decision that was forgotten before decision `number`; return how many after it were kept.

        Those after it are made by whoever is to decide then. Raises IllegalMove, or CannotInsert if one of them does not fit.
        """
        later = self.match.decided[number - 1 :]
        before = later[0].before
        if not self.game.is_legal(before, move):
            raise IllegalMove(str(move), self.game.objections(before, move))
        state = self.game.apply(before, move)
        for d in later:
            reasons = [] if state.to_move is None else self._reasons(state, Pending(state.to_move, d.move))
            if state.to_move is None or (state.to_move == CHANCE) != (d.player == CHANCE) or reasons:
                raise CannotInsert(d, reasons)
            state = self.game.apply(state, d.move)
        assumed = {n if n < number else n + 1 for n in self.match.assumed}
        self.match.amend(number - 1, [move, *(d.move for d in later)], assumed, pending=False)
        return len(later)

    def obstacle(self) -> tuple[Pending, list[str]] | None:
        """Return the first pending decision, and why it cannot be made now."""
        if not self.pending:
            return None
        return self.pending[0], self._reasons(self.state, self.pending[0])

    def drop(self) -> list[Pending]:
        """Forget the pending decisions, and return them."""
        dropped = self.pending
        if dropped:
            self.match.amend(len(self.match.decided), [])
            self.pending = []
        return dropped

    def _make_pending(self) -> None:
        moves, rest = self._fitting(self.state, self.pending)
        if moves:
            state = self.state
            for move in moves:
                state = self.game.apply(state, move)
            self.match.continue_with(moves, state)
        self.pending = list(rest)

    def _fitting(self, state: State, pending: Sequence[Pending]) -> tuple[list[Move], Sequence[Pending]]:
        """Return the decisions that can be made one after another, and the rest."""
        for i, p in enumerate(pending):
            if self._reasons(state, p):
                return [p.move for p in pending[:i]], pending[i:]
            state = self.game.apply(state, p.move)
        return [p.move for p in pending], []

    def _reasons(self, state: State, pending: Pending) -> list[str]:
        """Return why a decision cannot be made in a position; nothing: it can."""
        if state.to_move is None:
            return [texts.OVER_ALREADY]
        if state.to_move != pending.player:
            return [texts.OTHER_DECIDES.format(who=self.match.name_of(state.to_move))]
        if self.game.is_legal(state, pending.move):
            return []
        if state.to_move == CHANCE and pending.move.name == self.game.chances(state)[0][0].name:
            return [self.draws.refusal(state, self.draws.next_asked(state), pending.move.args[0])]
        return [objection_text(self.match, objection) for objection in self.game.objections(state, pending.move)]

    # records ---------------------------------------------------------------------------------------------

    def _follow_record(self) -> None:
        """Find the pending decisions of a resumed game: what was amended, and what of it was made again."""
        made: list[RecordedDecision] = []
        pending: list[RecordedDecision] = []
        lying: list[RecordedDecision] = []
        for entry in self.match.entries:
            if isinstance(entry, Undo) and entry.amended and not pending:
                lying = made
            made, pending = _after(entry, made, pending)
        if pending:
            self.on_table = self.match.decided[0].before
            for decision in lying:
                self.on_table = self.game.apply(self.on_table, decision.move)
        moves = {(d.player, str(d.move)): d.move for d in self.match.decided}
        for p in pending:
            move = moves.get((p.player, p.move)) or self.game.parse_move(self.match.state, p.move)
            self.pending.append(Pending(p.player, move))


def _after(
    entry: RecordEntry, made: list[RecordedDecision], pending: list[RecordedDecision]
) -> tuple[list[RecordedDecision], list[RecordedDecision]]:
    """Return what is made and what is pending after one more entry of a record."""
    if isinstance(entry, Undo):
        back = made[entry.kept :]
        if entry.amended:
            return made[: entry.kept], back + pending if back else []
        return made[: entry.kept], pending
    if isinstance(entry, RecordedDecision):
        same = bool(pending) and pending[0].player == entry.player
        return [*made, entry], (pending[1:] if same else pending)
    return made, pending
