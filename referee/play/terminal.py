"""A game at the terminal: persons are asked, bots play, and everything is told as it happens."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from interpreter import CHANCE, IllegalMove, Move, UnreadableMove
from referee import texts
from referee.bots import BOTS
from referee.play.ledger import ledger_lines, result_line, short_path
from referee.play.match import Decided, Match, NotAgreed
from referee.play.narration import WIDE, help_lines, lately, objection_text, told
from referee.play.render import Board
from referee.record.lines import RecordError
from referee.shell import out
from referee.shell.entry import Entry, completions, grouped, nearest, parse, read_entry
from referee.shell.keyboard import Keyboard
from referee.shell.screen import Screen

FEW_MOVES = 12  # so many are listed one by one, and without being asked for
ADVISERS = ("search", "tree", "mcts", "greedy")  # the bots that are asked for a hint, the best one first
LAST_ONES = 5  # decisions that are told again when a game goes on
AGREED = "--agreed"
GOOD, BAD, INTERRUPTED = 0, 1, 130


MOST_THOUGHT = 400  # decisions of a game after which bots without people no longer think about theirs
MOST_ALONE = 5_000  # decisions of a game without people
HASTY = "random"


class Stop(Exception):
    """The game at the terminal ends here, with this exit code."""

    def __init__(self, code: int) -> None:
        self.code = code


class Terminal:
    """Runs one match. Without a keyboard, `strict`, the first bad line of the input ends it."""

    def __init__(self, match: Match, screen: Screen, strict: bool, quiet: bool = False, tell_seed: bool = True) -> None:
        self.match = match
        self.game = match.game
        self.screen = screen
        self.strict = strict
        self.quiet = quiet
        self.tell_seed = tell_seed  # who knows it can work out all that is hidden
        self.keyboard = Keyboard(self._complete)
        self._asked = False  # whether the boards were shown since something changed
        self._begin_with = ""  # what stands at the prompt already
        self._recent: list[Decided] = []  # since a person was asked last
        self._looking: int | None = None  # who has the screen, where it shows what others may not see
        self._commands: dict[str, Callable[[str], None]] = {
            "?": self._list_moves,
            "help": lambda words: self._help(),
            "why": self._why,
            "score": lambda words: self._show_ledger(),
            "hint": lambda words: self._hint(),
            "undo": self._undo,
            "save": self._save,
            "board": lambda words: self._show_board(),
            "quit": lambda words: self._quit(),
        }

    def run(self) -> int:
        """Plays to the end; the exit code. Whatever happens, nothing that was told is lost."""
        match = self.match
        try:
            self._begin()
            while not match.over:
                if not match.people and match.state.decisions >= MOST_ALONE:
                    out.to_stderr(texts.NO_END.format(decisions=texts.number_of(MOST_ALONE, "decision")))
                    raise Stop(BAD)
                if match.human:
                    self._ask()
                else:
                    self._play_bot()
        except Stop as stop:
            return stop.code
        except KeyboardInterrupt:
            with suppress(OSError):
                self._write()
                self._farewell()
            return INTERRUPTED
        finally:
            match.close()
        if not self.quiet:
            self._end()
        return GOOD

    # telling ---------------------------------------------------------------------------------------------

    def _write(self, text: str = "") -> None:
        if not self.quiet:
            self.screen.write(text)

    def _begin(self) -> None:
        match = self.match
        options = "".join(f" · {option}: {choice}" for option, choice in self.game.options.items())
        players = texts.number_of(self.game.players, "player")
        seed = texts.SEED.format(seed=match.seed) if self.tell_seed else ""
        self._write(texts.HEADING.format(title=self.game.title, players=players, options=options) + seed)
        self._write(", ".join(texts.SEATS.format(name=seat.name, seat=seat.who) for seat in match.seats))
        if match.file is not None:
            self._write(texts.RECORDED_IN.format(path=short_path(str(match.file.path))))
        if not self.quiet and self._board.legend():
            self.screen.show(self._board.legend())
        if match.people:
            self._write()
            self._help()
        self._write()
        made = [d for d in match.decided if d.player != CHANCE]
        if match.people and len(made) > LAST_ONES:  # a game that is gone on with
            self._write(texts.SO_FAR.format(decisions=texts.number_of(len(match.decided), "decision")))
            self._tell(made[-LAST_ONES:])
        else:
            self._tell(([match.opening] if match.opening else []) + match.decided)
        self._recent = []

    def _help(self) -> None:
        for line in help_lines(self.screen.columns):
            self._write(line)

    def _tell(self, decided: list[Decided]) -> None:
        for line in told(self.match, decided, self.screen.columns if self.screen.terminal else WIDE):
            self._write(line)
        self.screen.flush()
        self._recent += decided
        self._asked = False

    @property
    def _board(self) -> Board:
        """For the screen as wide as it is now."""
        return Board(self.game, self.screen.columns, [seat.name for seat in self.match.seats])

    def _show_board(self) -> None:
        if not self.quiet:
            self.screen.show(self._board.lines(self.match.state, self.match.viewer))
        self._asked = True

    def _show_ledger(self) -> None:
        for line in ledger_lines(self.match):
            self._write(line)

    def _end(self) -> None:
        if self._shares_secrets:
            self._clear_away()
            self._write(lately(self.match, self._recent))
        self._write()
        self._show_board()
        self._write()
        if self.game.scores(self.match.state):
            self._show_ledger()
            self._write()
        self._write(result_line(self.match))
        if self.match.file is not None:
            self._write(texts.RECORDED.format(path=short_path(str(self.match.file.path))))

    def _farewell(self) -> None:
        self._write(texts.STOPPED.format(decisions=texts.number_of(self.match.state.decisions, "decision")))
        if self.match.file is not None:
            self._write(texts.GO_ON.format(path=short_path(str(self.match.file.path))))

    # asking ----------------------------------------------------------------------------------------------

    def _play_bot(self) -> None:
        waiting = texts.THINKS.format(name=self.match.name_of(self.match.state.to_move or 0))
        if self.match.people and not self.quiet:
            self.screen.hold(waiting)
        try:
            # bots that play on their own think about the first moves only: most games are over by then
            hasty = not self.match.people and self.match.state.decisions > MOST_THOUGHT
            decided = self.match.play_bot(HASTY if hasty and not self.match.bot_has_time else None)
        except RecordError as error:
            self._trouble(error)
        else:
            self._tell(decided)

    def _ask(self) -> None:
        """Shows the position, and reads one line of the person to move."""
        moves = self.game.legal_moves(self.match.state)
        if not self._asked:
            self._change_viewer()
            self._write()
            self._show_board()
            self._write()
            news = lately(self.match, self._recent)
            if news and not self.strict:
                self._write(news)
            if len(moves) <= FEW_MOVES:
                self._list_moves("")
            else:
                self._write(texts.MOVES_COUNT.format(moves=texts.number_of(len(moves), "move")))
            self._asked = True
        begin, self._begin_with = self._begin_with, ""
        name = self.match.name_of(self.match.state.to_move or 0)
        line = self.keyboard.read(texts.PROMPT.format(player=name), begin)
        if line is None:
            if self.strict:
                out.to_stderr(texts.INPUT_ENDED.format(player=name))
                raise Stop(BAD)
            self._write()
            self._quit()
        elif line:
            self._obey(line, moves)

    def _change_viewer(self) -> None:
        """Where several people share the screen and have secrets, it is cleared before the next one looks."""
        viewer = self.match.viewer
        if viewer != self._looking and self._shares_secrets:
            self._clear_away()
            self.keyboard.read(texts.NEXT_VIEWER.format(name=self.match.name_of(viewer or 0)))
            self.keyboard.forget()  # whatever was typed there
        self._looking = viewer

    @property
    def _shares_secrets(self) -> bool:
        """Whether several people at one terminal have something to hide from each other."""
        secrets = any(place.seen_by == "owner" for place in self.game.model.places.values())
        return secrets and len(self.match.people) > 1 and self.keyboard.terminal

    def _clear_away(self) -> None:
        """Takes away what the one who looked saw and typed, before anybody else looks."""
        if self._looking is not None:
            self.screen.clear()
            self.keyboard.forget()
            self._begin_with = ""

    def _complete(self, line: str) -> list[str]:
        state = self.match.state
        return completions(line, self.game.legal_moves(state) if self.match.human else [], list(self._commands))

    def _obey(self, line: str, moves: list[Move]) -> None:
        word, _, rest = line.partition(" ")
        if line.isdecimal():
            if len(line) > 6 or not 0 < int(line) <= len(moves):
                self._refuse(texts.NO_NUMBER.format(number=line, last=len(moves)))
            else:
                self._play(moves[int(line) - 1])
        elif word.startswith("/") and word[1:] in self._commands:  # also where a move is called like a command
            self._commands[word[1:]](rest.strip())
        elif word in self._commands and word not in self.game.model.moves:
            self._commands[word](rest.strip())
        else:
            self._read_move(line, moves)

    def _read_move(self, line: str, moves: list[Move]) -> None:
        """Plays the one legal move that was meant, asks for the rest of it, or says why there is none."""
        entry = read_entry(line, moves)
        if len(entry.moves) == 1:
            self._play(entry.moves[0])
        elif entry.moves and not self.strict:
            self._narrow(entry)
        else:
            self._play_as_written(line, moves)

    def _narrow(self, entry: Entry) -> None:
        if entry.following:
            begin = " ".join(entry.given)
            self._write(texts.GOES_ON.format(begin=begin, words=texts.LIST_JOIN.join(entry.following)))
            self._begin_with = f"{begin} "
        else:
            self._write(texts.AMBIGUOUS.format(moves=_quoted(list(entry.moves[:FEW_MOVES]))))

    def _play_as_written(self, line: str, moves: list[Move]) -> None:
        try:
            move = parse(self.game, self.match.state, line)
        except UnreadableMove as error:
            self._refuse(str(error), instead=nearest(line, moves))
        else:
            self._play(move)

    def _play(self, move: Move) -> None:
        try:
            decided = self.match.play(move)
        except IllegalMove as error:
            lines = [texts.REFUSED.format(move=error.move), *map(objection_text, error.objections)]
            self._refuse(*lines, instead=nearest(str(move), self.game.legal_moves(self.match.state)))
        except RecordError as error:
            self._trouble(error)
        else:
            self._recent = []
            self._tell(decided)

    def _refuse(self, *lines: str, instead: list[Move] | None = None) -> None:
        if self.strict:
            out.to_stderr(*lines)
            raise Stop(BAD)
        for line in lines:
            self._write(line)
        if instead:
            self._write(texts.NEAREST.format(moves=_quoted(instead)))

    def _trouble(self, error: RecordError) -> None:
        """The record cannot be written, and so nothing was played: the people decide how to go on."""
        if self.strict or not self.match.people or not self.keyboard.terminal:
            out.to_stderr(texts.USAGE_ERROR.format(message=error))
            raise Stop(BAD)
        for text in out.filled(texts.TROUBLE, reason=error):
            self._write(text)
        line = self.keyboard.read(texts.TROUBLE_PROMPT)
        word, _, rest = (line if line is not None else "quit").partition(" ")
        if word == "quit":
            self._quit()
        elif word == "save" and rest:
            try:
                self.match.record_to(rest.strip())
                self._write(texts.RECORDED_IN.format(path=rest.strip()))
            except RecordError as again:
                self._write(str(again))
        elif word == "unrecorded":
            self.match.stop_recording()
            self._write(texts.UNRECORDED)

    # commands --------------------------------------------------------------------------------------------

    def _list_moves(self, words: str) -> None:
        state = self.match.state
        moves = self.game.legal_moves(state)
        wanted = set(map(str, read_entry(words, moves).moves))
        self._asked = True
        if not wanted:
            self._write(texts.NO_SUCH_MOVES.format(words=words))
        elif len(wanted) <= FEW_MOVES:
            for i, m in enumerate(moves, 1):
                if str(m) in wanted:
                    self._write(f"{i:>4}  {m!s:<24}  {self._text(m)}".rstrip())
        else:
            for group in grouped(moves, words):
                parts = (w[0] if len(w) == 1 else texts.GROUP.format(words=" ".join(w)) for w in group)
                self._write("  " + " ".join(parts))

    def _text(self, move: Move) -> str:
        """A move in the author's words, as the one to decide may read it."""
        state = self.match.state
        return self.game.sight.words(state, move, state.to_move)[1]

    def _why(self, words: str) -> None:
        if not words:
            self._write(texts.WHY_WHAT)
            return
        state = self.match.state
        legal = read_entry(words, self.game.legal_moves(state)).moves
        try:
            move = legal[0] if len(legal) == 1 else parse(self.game, state, words)
            objections = self.game.objections(state, move)
        except UnreadableMove as error:
            self._write(str(error))
            return
        if objections:
            self._write(texts.REFUSED.format(move=move))
            for objection in objections:
                self._write(objection_text(objection))
        else:
            self._write(texts.LEGAL.format(move=move, text=self._text(move)))

    def _hint(self) -> None:
        bot = next(name for name in ADVISERS if name in BOTS)
        move = self.match.bot_move(bot)
        self._write(texts.HINT.format(bot=bot, move=move, text=self._text(move)))

    def _undo(self, words: str) -> None:
        if words not in ("", AGREED):
            self._refuse(texts.UNDO_HOW)
            return
        try:
            back = self.match.undo(agreed=words == AGREED)
        except NotAgreed as error:
            self._refuse(str(error))
            return
        except RecordError as error:
            self._trouble(error)
            return
        if not back:
            self._write(texts.NOTHING_TO_UNDO)
            return
        self._write(texts.UNDONE.format(decisions=texts.number_of(len(back), "decision")))
        self._recent = []
        self._asked = False

    def _save(self, words: str) -> None:
        if not words:
            file = self.match.file
            self._write(texts.SAVE_WHERE + (texts.RECORDED_ALREADY.format(path=file.path) if file else ""))
            return
        try:
            self.match.save(words)
        except RecordError as error:
            self._refuse(str(error))
        else:
            self._write(texts.SAVED.format(path=words))

    def _quit(self) -> None:
        self._farewell()
        raise Stop(GOOD)


def _quoted(moves: list[Move]) -> str:
    return texts.LIST_JOIN.join(f"`{move}`" for move in moves)
