"""The talk at a real table: what was drawn and played is asked for, checked, and told on."""

from __future__ import annotations

from collections.abc import Callable

from interpreter import CHANCE, IllegalMove, Move, State, UnreadableMove
from referee import texts
from referee.play.match import Decided, NotAgreed
from referee.play.render import Board
from referee.play.terminal import BAD, FEW_MOVES, GOOD, Stop
from referee.record.lines import RecordError
from referee.shell import out
from referee.shell.entry import completions, nearest, parse, read_entry
from referee.shell.keyboard import Keyboard
from referee.shell.screen import Screen
from referee.table import texts as words
from referee.table.announce import Telling
from referee.table.draws import BadDraw
from referee.table.session import DrawnSince, Table


class Talk:
    """Runs one table. Without a keyboard, `strict`, the first bad line of the input ends it."""

    def __init__(self, table: Table, screen: Screen, strict: bool, quiet: bool = False) -> None:
        self.table = table
        self.match = table.match
        self.game = table.game
        self.screen = screen
        self.strict = strict
        self.quiet = quiet
        self.telling = Telling(table, screen.columns)
        self._asked = False  # whether it was said what comes next since something changed
        self._begun = False
        self._begin_with = ""  # what the next line begins with, where the last one was not the whole of a move
        self.keyboard = Keyboard(self._complete)
        self._commands: dict[str, Callable[[str], None]] = {
            "?": self._list,
            "help": lambda rest: self._write(words.HELP.split("\n")),
            "why": self._why,
            "score": lambda rest: self._write(self.telling.ledger()),
            "board": lambda rest: self._show_board(),
            "history": self._history,
            "undo": self._undo,
            "mend": self._mend,
            "drop": lambda rest: self._drop(),
            "save": self._save,
            "quit": lambda rest: self._quit(),
        }

    def run(self) -> int:
        """Referees to the end; the exit code."""
        try:
            self._begin()
            while not self._finished():
                self._ask()
        except Stop as stop:
            return stop.code
        return GOOD

    def _finished(self) -> bool:
        """Whether the game is over and nobody wants to mend anything."""
        if not self.match.over:
            return False
        if not self._asked:
            self._write(["", *self.telling.ledger(), "", *self.telling.result(), *self.telling.waiting()])
            self._asked = True
        line = self.keyboard.read(words.PROMPT_OVER)
        if line:
            self._obey(line)
        return self.match.over and not line

    def _begin(self) -> None:
        self._write(self.telling.heading())
        if self.match.file is not None:
            self._write(self.telling.folded(words.RECORDED.format(path=self.match.file.path)))
        self._write(["", *words.HELP.split("\n"), ""])
        decided = self.match.decided
        start = decided[0].before if decided else self.match.state
        self._write(self.telling.set_up(start))
        if self.match.opening is not None:
            self._write(self.telling.opening(self.match.opening))
        if decided:
            self._write(["", *self.telling.history()])

    def _write(self, lines: list[str]) -> None:
        if not self.quiet:
            for line in lines:
                self.screen.write(line)

    # asking ----------------------------------------------------------------------------------------------

    def _ask(self) -> None:
        """Says what comes next, and reads one line."""
        state = self.match.state
        if not self._asked:
            self._write(["", *self.telling.obstacle(), *self._next()])
            self._asked = True
        who = state.to_move or CHANCE
        prompt = texts.PROMPT.format(player=self.table.who(who)) if who else words.PROMPT_DRAW
        begin, self._begin_with = self._begin_with, ""
        line = self.keyboard.read(prompt, begin)
        if line is None:
            self._ended(self.table.who(who))
        elif line:
            self._obey(line)

    def _next(self) -> list[str]:
        state = self.match.state
        if state.to_move == CHANCE:
            return self.telling.plan(self.table.plan())
        assert state.to_move
        who = self.table.who(state.to_move)
        lines = []
        if not self._begun and all(d.player == CHANCE for d in self.match.decided):
            lines = self.telling.folded(words.BEGINS.format(player=who))
        self._begun = True
        if self.match.assumed:
            return [*lines, *self.telling.folded(words.HIDDEN_MOVES.format(player=who))]
        if self.table.holds_hidden(state.to_move):
            return [*lines, *self.telling.folded(words.DECIDES.format(player=who))]
        moves = self.game.legal_moves(state)
        count = texts.number_of(len(moves), "move")
        lines += self.telling.folded(words.MOVES_COUNT.format(player=who, moves=count))
        return lines + (self._moves(moves) if len(moves) <= FEW_MOVES else [])

    def _complete(self, line: str) -> list[str]:
        """How the last word can go on: a move, a piece, a command."""
        state = self.match.state
        if state.to_move == CHANCE:
            last = line.split()[-1] if line.split() and not line.endswith(" ") else ""
            names = [self.game.model.value_name(code) for code in self.table.reader.vocabulary(state).domain]
            return [name for name in names if name.startswith(last.lower())]
        moves = [] if self.match.assumed or self.match.over else self.game.legal_moves(state)
        return completions(line, moves, list(self._commands))

    def _ended(self, who: str) -> None:
        if self.strict:
            out.to_stderr(words.INPUT_ENDED.format(who=who))
            raise Stop(BAD)
        self._write([""])
        self._quit()

    def _obey(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if word.startswith("/") and word[1:] in self._commands:  # also where a move is called like a command
            self._commands[word[1:]](rest.strip())
            return
        if word in self._commands and word not in self.game.model.moves:
            self._commands[word](rest.strip())
            return
        try:
            self._answer(line)
        except BadDraw as bad:
            self._refuse(self.telling.folded(str(bad)))
        except UnreadableMove as error:
            self._refuse([*self.telling.folded(str(error)), *self._near(line)])
        except IllegalMove as error:
            self._refuse([*self.telling.refusal(error.move, error.objections), *self._near(error.move)])
        except RecordError as error:
            self._refuse(self.telling.folded(str(error)))

    def _near(self, line: str) -> list[str]:
        """The possible moves that look most like what was typed."""
        if self.match.over or self.match.assumed or self.table.holds_hidden(self.match.state.to_move or 0):
            return []
        moves = [f"`{move}`" for move in nearest(line, self.game.legal_moves(self.match.state))]
        return self.telling.folded(texts.NEAREST.format(moves=texts.LIST_JOIN.join(moves))) if moves else []

    def _answer(self, line: str) -> None:
        """A line that is no command: draws, a move, or draws typed again."""
        if self.match.over:
            raise UnreadableMove(words.IS_OVER)
        if self.match.state.to_move == CHANCE:
            decided = self._draw(line)
        elif ":" in line:
            self._correct(line)
            return
        else:
            move = self._move(line)
            if move is None:
                return
            decided = self.table.play(move)
        self._asked = False
        self._write(self.telling.decided(decided))
        self._put_right()

    def _draw(self, line: str) -> list[Decided]:
        try:
            return self.table.draw(line)
        except BadDraw as bad:
            if ":" not in line or not self.table.last_run():
                raise
            try:
                self._correct(line)
            except BadDraw:
                raise bad from None
            return []

    def _correct(self, line: str) -> None:
        decided = self.table.correct(line)
        self._asked = False
        self._write([words.CORRECTED, *self.telling.decided(decided)])

    def _move(self, line: str) -> Move | None:
        """The move that was meant, legal or not: by its number, its words or their beginnings. None: more is asked for."""
        state = self.match.state
        if self.match.assumed:
            return parse(self.game, state, line)
        moves = self.game.legal_moves(state)
        if line.isdecimal():
            if len(line) > 6 or not 0 < int(line) <= len(moves):
                raise UnreadableMove(texts.NO_NUMBER.format(number=line, last=len(moves)))
            return moves[int(line) - 1]
        entry = read_entry(line, moves)
        if len(entry.moves) == 1:
            return entry.moves[0]
        if not entry.moves or self.strict:
            return parse(self.game, state, line)
        if entry.following:
            begin = " ".join(entry.given)
            goes_on = texts.GOES_ON.format(begin=begin, words=texts.LIST_JOIN.join(entry.following))
            self._write(self.telling.folded(goes_on))
            self._begin_with = f"{begin} "
        else:
            several = texts.LIST_JOIN.join(f"`{move}`" for move in entry.moves[:FEW_MOVES])
            self._write(self.telling.folded(texts.AMBIGUOUS.format(moves=several)))
        return None

    def _refuse(self, lines: list[str]) -> None:
        if self.strict:
            out.to_stderr(*lines)
            raise Stop(BAD)
        self._write(lines)

    # commands --------------------------------------------------------------------------------------------

    def _moves(self, moves: list[Move], start: str = "") -> list[str]:
        state = self.match.state
        lines = []
        meant = set(map(str, read_entry(start, moves).moves))
        for i, move in enumerate(moves, 1):
            if str(move) in meant:
                text = f"{i:>4}  {move!s:<24}  {self.game.describe(state, move)}"
                lines += self.telling.folded(text.rstrip(), "", " " * 6)
        return lines or [texts.NO_SUCH_MOVES.format(words=start)]

    def _list(self, rest: str) -> None:
        state = self.match.state
        if state.to_move == CHANCE:
            label = self.table.chance.label(self.table.chance.next_asked(state))
            possible = self.table.chance.possible(state)
            self._write(self.telling.folded(words.POSSIBLE.format(label=label, possible=possible)))
        elif self.match.assumed:
            self._write(self.telling.folded(words.HIDDEN_MOVES.format(player=self.table.who(state.to_move or 0))))
        else:
            self._write(self._moves(self.game.legal_moves(state), rest))

    def _why(self, rest: str) -> None:
        if not rest:
            self._write([texts.WHY_WHAT])
            return
        state = self.match.state
        try:
            if state.to_move == CHANCE:
                self.table.reader.read(state, rest, self.table.chance.coming(state))
                self._write(self.telling.folded(words.CAN_BE))
                return
            move = parse(self.game, state, rest)
            objections = self.game.objections(state, move)
        except (UnreadableMove, BadDraw) as error:
            self._write(self.telling.folded(str(error)))
            return
        if objections:
            self._write(self.telling.refusal(str(move), objections))
        else:
            self._write(self.telling.folded(texts.LEGAL.format(move=move, text=self.game.describe(state, move))))

    def _show_board(self) -> None:
        if not self.quiet:
            self.screen.show(Board(self.game, self.screen.columns).lines(self.match.state, None))

    def _history(self, rest: str) -> None:
        if rest and not (rest.isdecimal() and len(rest) < 7 and int(rest)):
            self._refuse([words.HISTORY_WHAT])
            return
        self._write(self.telling.history(int(rest or 1)))

    def _undo(self, rest: str) -> None:
        if rest not in ("", "--agreed"):
            self._refuse([words.UNDO_WHAT])
            return
        try:
            back = self.table.undo(bool(rest))
        except (NotAgreed, DrawnSince) as error:
            self._refuse(self.telling.folded(str(error)))
            return
        if not back:
            self._refuse([words.NOTHING_TO_UNDO])
            return
        self._asked = False
        count = texts.number_of(len(back), "decision")
        self._write(self.telling.folded(words.UNDONE.format(decisions=count, first=back[0].number)))
        self._put_right(back[-1].after)

    def _mend(self, rest: str) -> None:
        number, _, what = rest.lstrip("#").partition(" ")
        number = number.rstrip(":")
        if not (number.isdecimal() and len(number) < 7):
            self._refuse([words.MEND_WHAT])
            return
        if not 0 < int(number) <= len(self.match.decided):
            self._refuse([words.NO_DECISION.format(number=number, last=len(self.match.decided))])
            return
        was = self.match.decided[int(number) - 1]
        what = what.strip().removeprefix("to ").strip()
        if not what:
            what = self.keyboard.read(words.PROMPT_INSTEAD.format(move=was.move)) or ""
        if not what:
            self._refuse([words.MEND_WHAT])
            return
        lies = self.match.state
        try:
            mended = self.table.mend(int(number), self._replacement(was.before, what))
        except (BadDraw, UnreadableMove) as error:
            self._refuse(self.telling.folded(str(error)))
        except IllegalMove as error:
            self._refuse(self.telling.refusal(error.move, error.objections))
        else:
            self._asked = False
            self._write(self.telling.mended(mended))
            self._put_right(lies)

    def _put_right(self, lies: State | None = None) -> None:
        """Tells what must lie otherwise now; where decisions still wait, when they are made."""
        self.table.lies = self.table.lies or lies
        if self.table.lies is not None and not self.table.waiting:
            self._write(self.telling.put_right(self.table.lies, self.match.state))
            self.table.lies = None

    def _replacement(self, state: State, what: str) -> Move:
        """What is to stand instead of a decision: one draw in words, or a move."""
        if state.to_move != CHANCE:
            return parse(self.game, state, what)
        drawn = self.table.reader.read(state, what, [self.table.chance.next_asked(state)])
        if len(drawn) != 1:
            raise BadDraw(words.ONE_ONLY)
        return drawn[0].move

    def _drop(self) -> None:
        dropped = self.table.drop()
        self._asked = False
        self._put_right()
        if dropped:
            count = texts.number_of(len(dropped), "decision")
            self._write([words.DROPPED.format(decisions=count), *self.telling.waiting(dropped)])
        else:
            self._refuse([words.NOTHING_WAITS])

    def _save(self, rest: str) -> None:
        if not rest:
            self._refuse([words.SAVE_WHAT])
            return
        try:
            self.match.save(rest)
        except RecordError as error:
            self._refuse(self.telling.folded(str(error)))
        else:
            self._write(self.telling.folded(words.SAVED.format(path=rest)))

    def _quit(self) -> None:
        self._write([words.STOPPED.format(decisions=texts.number_of(len(self.match.decided), "decision"))])
        raise Stop(GOOD)
