"""The dialogue at a real table: the referee asks what was drawn and played, checks it, and announces what follows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from interpreter import CHANCE, IllegalMove, Move, State, UnreadableMove
from referee.record.lines import RecordError
from referee.record.match import Decided
from referee.shell import texts as shell_texts
from referee.shell.board import NO_FAMILIES, Families
from referee.shell.loop import FEW_MOVES, LONGEST_NUMBER, MOST_AGAIN, Command, Loop
from referee.shell.narration import ending_lines, heading, refusal_lines
from referee.shell.page import touched, touched_last
from referee.shell.typed_move import parse
from referee.table import texts
from referee.table.announce import Announcer
from referee.table.draws import BadDraw
from referee.table.real_game import CannotInsert, RealGame
from rulespec import listed, number_of

CHANGES_REFUSED = (BadDraw, UnreadableMove, IllegalMove, RecordError)  # why a decision cannot be changed afterwards


class TableMode:
    """A game with real pieces, run by a `Loop`."""

    name = "table"
    how_to: Sequence[str] = (texts.HOW_TO_DRAW, shell_texts.HOW_TO_MOVE)

    def __init__(self, loop: Loop, real: RealGame) -> None:
        self.loop = loop
        self.real = real
        self.match = real.match
        self.game = real.game
        self.announcer = Announcer(real)
        self._begun = False  # whether it was said who begins
        self._told_how = False  # whether it was said how to type pieces that nobody knows by a name
        self._matter: tuple[State | None, Families] = (None, NO_FAMILIES)

    @property
    def commands(self) -> Mapping[str, Command]:
        return {
            "?": Command(self._list, shell_texts.COMMANDS["?"]),
            "why": Command(self._explain, shell_texts.COMMANDS["why"]),
            "history": Command(self._history, texts.COMMANDS["history"]),
            "amend": Command(self._amend, texts.COMMANDS["amend"]),
            "insert": Command(self._insert, texts.COMMANDS["insert"]),
            "drop": Command(lambda rest: self._drop(), texts.COMMANDS["drop"]),
        }

    def begin(self) -> None:
        loop, match = self.loop, self.match
        loop.write(heading(match, listed(seat.name for seat in match.seats)))
        if loop.record_path:
            loop.write(shell_texts.RECORDED_IN.format(path=loop.record_path), whole=True)
        if loop.screen.pages:
            loop.write(shell_texts.WELCOME)
        else:
            loop.write()
            loop.help()
            loop.write()
        loop.write_all(self.announcer.set_up(match.decided[0].before if match.decided else match.state))
        if match.opening is not None:
            loop.write_all(self.announcer.opening(match.opening))
        if match.decided:
            loop.write()
            self._history("")

    def prompt(self) -> str:
        """Say what comes next. A game that is over can still be amended: it ends with an empty line."""
        loop, state = self.loop, self.match.state
        if not loop.shown:
            loop.write()
            if self.match.over and self.real.came_out() is None:
                self._say_result()
            else:
                loop.write_all(self._asked())
                if self.real.came_out() is None:
                    self._say_next(state)
            loop.shown = True
        elif loop.screen.pages and not self.match.over:  # what was asked for is no longer on the screen
            loop.write_all(self._asked())
        if self.real.came_out() is not None:
            return texts.PROMPT_CAME_OUT
        if self.match.over:
            return shell_texts.OVER_PROMPT
        if state.to_move == CHANCE:
            return texts.PROMPT_DRAW
        return shell_texts.PROMPT.format(player=self.match.name_of(state.to_move or 0))

    def _asked(self) -> Iterator[str]:
        """Yield what is to be typed now, where the prompt alone does not say it."""
        way = self.real.came_out()
        if way is not None:
            source, goal = self.real.wording.spot(way.source), self.real.wording.spot(way.goal)
            yield texts.CAME_OUT.format(source=source, goal=goal, kind=self.real.wording.kind(way.kind))
            return
        yield from self.announcer.obstacle()
        if self.match.state.to_move == CHANCE:
            yield self.announcer.plan(self.real.plan())

    def _say_result(self) -> None:
        self.loop.write_all(ending_lines(self.match))
        if self.real.unknown:
            self.loop.write(texts.ASSUMED.format(decisions=number_of(len(self.real.unknown), "decision")))
        self.loop.write_all(self.announcer.pending(self.real.pending))

    def _say_next(self, state: State) -> None:
        if state.to_move == CHANCE:
            how = self.announcer.how_to_name(state)
            if how and not self._told_how:
                self.loop.write(how)
                self._told_how = True
            return
        who = self.match.name_of(state.to_move or 0)
        together = self.game.undecided(state)
        if self.game.asks_several(state) and len(together) > 1 and not self.match.unknown_yet():
            names = listed(self.match.name_of(player) for player in together)
            self.loop.write(texts.IN_SECRET.format(players=names))
        elif not self._begun and all(d.player == CHANCE for d in self.match.decided):
            others = self.match.position or (self.match.given and state.to_move not in self.match.given.values())
            self.loop.write((texts.DECIDES_FIRST if others else texts.BEGINS).format(player=who))
        self._begun = True
        if self._depends_on_unknown():
            self.loop.write(texts.HIDDEN_MOVES.format(player=who))
        elif not self.shows_moves():
            self.loop.write(texts.DECIDES.format(player=who))
        else:
            moves = self.moves()
            self.loop.write(texts.MOVES_COUNT.format(player=who, moves=number_of(len(moves), "move")))
            if len(moves) <= FEW_MOVES:
                self.loop.list_moves("")

    def end(self) -> None:
        """Say nothing: the result was said before the last line was read."""

    def moves(self) -> Sequence[Move]:
        """Return the legal moves; none where they depend on pieces that the referee does not know."""
        unknown = not self.match.state.to_move or self._depends_on_unknown()
        return () if unknown else self.game.legal_moves(self.match.state)

    def _depends_on_unknown(self) -> bool:
        """Return whether the referee cannot list what the player can do: pieces decide it that it does not know."""
        decision = self.game.decision(self.match.state)
        if decision is None or not self.match.assumed:
            return False
        hidden = self.real.holds_hidden(self.match.state.to_move or 0)
        return (hidden or self.game.sight.legality_reveals(decision.moves)) and bool(self.real.unknown)

    def shows_moves(self) -> bool:
        return not self.real.holds_hidden(self.match.state.to_move or 0)

    def completions(self, line: str) -> list[str] | None:
        if self.match.state.to_move != CHANCE:
            return None
        last = line.split()[-1] if line.split() and not line.endswith(" ") else ""
        names = [self.game.model.value_name(code) for code in self.real.reader.vocabulary(self.match.state).domain]
        return [name for name in names if name.startswith(last.lower())]

    def viewer(self) -> int | None:
        return None  # the screen is for all

    def owner(self) -> int:
        if self.match.state.to_move:
            return self.match.state.to_move
        return next((d.player for d in reversed(self.match.decided) if d.player != CHANCE), 1)

    def matter(self) -> Families:
        state = self.match.state
        if self._matter[0] is not state:
            if self.match.over:
                families = touched_last(self.match)
            elif state.to_move == CHANCE:
                goals = (part.asked.goal for part in self.real.plan() if part.asked is not None)
                families = frozenset(goal.family for goal in goals if goal is not None)
            else:
                families = touched(self.game, state, self.moves())
            self._matter = state, families
        return self._matter[1]

    # lines -----------------------------------------------------------------------------------------------

    def answer(self, line: str) -> None:
        """Take draws, a move, or draws typed again."""
        try:
            if self.real.came_out() is not None:
                self._name(line)
            elif self.match.over:
                self.loop.refuse(texts.IS_OVER)
            elif self.match.state.to_move == CHANCE:
                self._draw(line)
            elif ":" in line:
                self._correct(line)
            elif (unseen := self.real.unseen(line)) is not None:
                self._announce(self.real.play_unseen(unseen))
            else:
                move = self.loop.read_move(line)
                if move is not None:
                    decided = self.real.play(move)
                    self._clear_secret(move)
                    self._announce(decided)
        except BadDraw as bad:
            self.loop.refuse(str(bad))

    def means_unseen(self, line: str) -> bool:
        if self.match.state.to_move == CHANCE:
            goal = self.real.draws.next_asked(self.match.state).goal
            return not line.strip("? ") and goal is not None and not self.real.wording.open_to_all(goal)
        try:
            return self.real.unseen(line) is not None
        except BadDraw:
            return True

    def _name(self, line: str) -> None:
        """Take what the piece is that was turned up."""
        way = self.real.came_out()
        assert way is not None
        self.real.name(line)
        self.loop.shown = False
        kind = self.real.wording.kind(self.real.named[-1].kind)
        self.loop.tell([texts.NAMED.format(goal=self.real.wording.spot(way.goal), kind=kind)])

    def _clear_secret(self, move: Move) -> None:
        """Take away what a player typed, if others may not read it."""
        if self.game.sight.keeps_choices(move.name) and self.loop.keyboard.terminal:
            self.loop.screen.clear()
            self.loop.keyboard.forget()

    def _draw(self, line: str) -> None:
        try:
            decided = self.real.draw(line)
        except BadDraw as bad:
            if ":" not in line or not self.real.last_run():
                raise
            try:
                self._correct(line)
            except BadDraw:
                raise bad from None
        else:
            self._announce(decided)

    def _correct(self, line: str) -> None:
        if not self.real.last_run():
            raise BadDraw(texts.CORRECT_LATER)
        decided = self.real.correct(line)
        self._retell(self.match.decided[: len(self.match.decided) - len(decided)])
        self.loop.tell([texts.CORRECTED])
        self._announce(decided)

    def _announce(self, decided: list[Decided]) -> None:
        self.loop.shown = False
        self.loop.tell(self.announcer.decided(decided, self.loop.screen.columns))
        self._correct_table()

    def _retell(self, decided: Sequence[Decided]) -> None:
        """Say on a page what happened as it stands now: a decision before the last was changed, or some were taken back."""
        self.loop.retell(self.announcer.decided(decided[-MOST_AGAIN:], self.loop.screen.columns))

    def _correct_table(self, lying: State | None = None) -> None:
        """Say what must change on the table; while decisions are pending, once they are made."""
        self.real.on_table = self.real.on_table or lying
        if self.real.on_table is not None and not self.real.pending:
            self.loop.write_all(self.announcer.corrections(self.real.on_table, self.match.state))
            self.real.on_table = None

    # commands --------------------------------------------------------------------------------------------

    def _list(self, rest: str) -> None:
        state = self.match.state
        if state.to_move == CHANCE:
            label = self.real.draws.label(self.real.draws.next_asked(state))
            self.loop.write(texts.POSSIBLE.format(label=label, possible=self.real.draws.possible(state)))
        elif self._depends_on_unknown():
            self.loop.write(texts.HIDDEN_MOVES.format(player=self.match.name_of(state.to_move or 0)))
        else:
            self.loop.list_moves(rest)

    def _explain(self, rest: str) -> None:
        state = self.match.state
        if state.to_move != CHANCE or not rest:
            self.loop.explain(rest)
            return
        try:
            self.real.reader.read(state, rest, self.real.draws.coming(state))
        except BadDraw as bad:
            self.loop.write(str(bad))
        else:
            self.loop.write(texts.CAN_BE)

    def _history(self, rest: str) -> None:
        first = self.loop.read_decision(rest)
        if first is not None:
            self.loop.write_all(self.announcer.history(first, self.loop.screen.columns))

    def undo(self, agreed: bool) -> list[Decided]:
        return self.real.undo(agreed)

    def redo(self, moves: list[Move]) -> None:
        self._announce(self.real.redo(moves))

    def undone(self, back: list[Decided]) -> None:
        self._retell(self.match.decided)
        self._correct_table(back[-1].after)

    def _amend(self, rest: str) -> None:
        named = self._decision_and_words(rest, texts.AMEND_HOW)
        if named is None:
            return
        was, what = named
        what = what.removeprefix("to ").strip()
        if not what:
            what = self.loop.keyboard.read(texts.PROMPT_INSTEAD.format(move=was.move)) or ""
        if not what:
            self.loop.refuse(texts.AMEND_HOW)
            return
        lying = self.match.state
        try:
            amended = self.real.amend(was.number, self._replacement(was.before, what))
        except CHANGES_REFUSED as error:
            self._refuse_change(error)
        else:
            self.loop.shown = False
            self._retell(self.match.decided)
            self.loop.write_all(self.announcer.amended(amended))
            self._correct_table(lying)

    def _insert(self, rest: str) -> None:
        named = self._decision_and_words(rest, texts.INSERT_HOW)
        if named is None:
            return
        following, what = named
        if not what or self.real.pending:
            self.loop.refuse(texts.INSERT_HOW if not what else texts.PENDING_FIRST)
            return
        lying = self.match.state
        try:
            move = self._replacement(following.before, what)
            kept = self.real.insert(following.number, move)
        except CannotInsert as error:
            self.loop.refuse(str(error), *(f"    {reason}" for reason in error.reasons))
        except CHANGES_REFUSED as error:
            self._refuse_change(error)
        else:
            self.loop.shown = False
            decisions = number_of(kept, "decision")
            self._retell(self.match.decided)
            self.loop.write(texts.INSERTED.format(number=following.number, move=move, decisions=decisions))
            self._correct_table(lying)

    def _refuse_change(self, error: BadDraw | UnreadableMove | IllegalMove | RecordError) -> None:
        """Say why a decision of the past stays as it is."""
        match error:
            case IllegalMove():
                self.loop.refuse(*refusal_lines(self.match, error.move, error.objections))
            case RecordError():
                self.loop.not_written(error)
            case _:
                self.loop.refuse(str(error))

    def _decision_and_words(self, rest: str, how: str) -> tuple[Decided, str] | None:
        """Return the decision that a command names, and the words after it; None: there is none, and that was said."""
        number, _, what = rest.lstrip("#").partition(" ")
        number = number.rstrip(":")
        made = len(self.match.decided)
        if not _is_number(number):
            self.loop.refuse(how)
            return None
        if not 0 < int(number) <= made:
            self.loop.refuse(shell_texts.NO_DECISION.format(number=number, decisions=number_of(made, "decision")))
            return None
        return self.match.decided[int(number) - 1], what.strip()

    def _replacement(self, state: State, what: str) -> Move:
        """Return what takes the place of a decision: one draw in words, or a move."""
        if state.to_move != CHANCE:
            return parse(self.game, state, what, self.game.legal_moves(state), self.loop.symbols)
        drawn = self.real.reader.read(state, what, [self.real.draws.next_asked(state)])
        if len(drawn) != 1:
            raise BadDraw(texts.ONE_ONLY)
        return drawn[0].move

    def _drop(self) -> None:
        try:
            dropped = self.real.drop()
        except RecordError as error:
            self.loop.not_written(error)
            return
        if not dropped:
            self.loop.refuse(texts.NOTHING_PENDING)
            return
        self.loop.shown = False
        self._correct_table()
        self.loop.write(texts.DROPPED.format(decisions=number_of(len(dropped), "decision")))
        self.loop.write_all(self.announcer.pending(dropped))


def _is_number(text: str) -> bool:
    return text.isdecimal() and len(text) <= LONGEST_NUMBER
