"""The command loop of a game at the keyboard, for a game on the screen and for one with real pieces.

The loop reads lines, obeys the commands that both kinds of game have, and reads moves: whole, abbreviated, by number or bit
by bit. A `GameMode` is what a kind of game does its own way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Protocol

from interpreter import CHANCE, Game, IllegalMove, Move, State, UnreadableMove
from referee.record.file import save_text
from referee.record.lines import RecordError
from referee.record.match import Decided, Match, NotAgreed
from referee.record.position import Audience, CannotWrite
from referee.shell import out, texts
from referee.shell.blocks import Styled, StyledBlock, StyledLine, plain
from referee.shell.board import Board, Families
from referee.shell.chronicle import Chronicle
from referee.shell.consequence import consequence, shared_consequence
from referee.shell.keyboard import Keyboard
from referee.shell.narration import ledger_lines, refusal_lines, short_path
from referee.shell.page import Content, composed
from referee.shell.screen import Screen
from referee.shell.typed_move import (
    Symbols,
    TypedMove,
    completions,
    grouped,
    nearest,
    numbers_of,
    parse,
    picked_from,
    read_typed,
    symbols_of,
)
from rulespec import Span, listed, number_of, quoted, syntax

FEW_MOVES = 12  # as many are listed one by one, and without being asked for
LONGEST_NUMBER = 6  # digits of the number of a move or decision
NOTATION = 24  # columns of a move before its words
LEAST_SUMMARY = 6  # choices of several pieces that are listed as one
PARTED, NO_PIECES = ",", "nothing"  # how several pieces are written in a move
MOST_AGAIN = 60  # decisions that a page tells again
AGREED = "--agreed"
ON_ONE_LINE = "--line"
BACK = "q"  # leads from a long answer to the game
GOOD, BAD, INTERRUPTED = 0, 1, 130


Passages = Callable[[Game, Sequence[str]], Iterable[str]]


class Stop(Exception):
    """The session ends here, with this exit code."""

    def __init__(self, code: int) -> None:
        self.code = code


@dataclass(frozen=True, slots=True)
class Command:
    """A word that can be typed, and the lines about it in the help: what is typed, and what it does."""

    obey: Callable[[str], None]
    help: tuple[tuple[str, str], ...] = ()


class GameMode(Protocol):
    """The part of the loop that each kind of game does its own way."""

    @property
    def name(self) -> str:
        """The command that starts it: `play` or `table`."""

    @property
    def how_to(self) -> Sequence[str]:
        """Input besides commands, in sentences."""

    @property
    def commands(self) -> Mapping[str, Command]:
        """Commands of its own, and those that replace common ones."""

    def begin(self) -> None:
        """Say what is played, and by whom."""

    def prompt(self) -> str | None:
        """Say what comes next, if it was not said since something happened. Return the prompt; None: it is over."""

    def answer(self, line: str) -> None:
        """Do what a line says that is no command. Raises UnreadableMove, IllegalMove or RecordError."""

    def means_unseen(self, line: str) -> bool:
        """Return whether a `?` in a line stands for a piece that is not known, and does not ask for a list."""

    def moves(self) -> Sequence[Move]:
        """Return the legal moves that a line can mean; none where they are not known."""

    def shows_moves(self) -> bool:
        """Return whether moves may be shown to whoever looks at the screen."""

    def completions(self, line: str) -> list[str] | None:
        """Return how to complete the last word of a line; None: as in a move."""

    def undo(self, agreed: bool) -> list[Decided]:
        """Take back the last decision. Raises NotAgreed or RecordError."""

    def redo(self, moves: list[Move]) -> None:
        """Make decisions again that were taken back. Raises RecordError."""

    def undone(self, back: list[Decided]) -> None:
        """Say what follows from decisions that were taken back."""

    def viewer(self) -> int | None:
        """Return the player whom the boards are shown to; None: everybody."""

    def owner(self) -> int:
        """Return the player whose board a page shows in full."""

    def matter(self) -> Families:
        """Return the families of places that the next decision is about."""

    def end(self) -> None:
        """Say how the game ended."""


class Loop:
    """Runs one match. Without a keyboard, `strict`, the first bad line of the input ends it."""

    def __init__(
        self, match: Match, screen: Screen, strict: bool, quiet: bool = False, passages: Passages | None = None
    ) -> None:
        self.passages = passages  # of the rulebook, about some moves
        self._undone: list[
            tuple[State, list[Move]]
        ] = []  # what was taken back, and the position in which it can be redone
        self.match = match
        self.game = match.game
        self.screen = screen
        self.strict = strict
        self.quiet = quiet
        self.shown = False  # whether it was said what comes next since something happened
        self.begin_with = ""  # what the next line begins with, where the last one was only part of a move
        self.keyboard = Keyboard(self._complete, screen.below if screen.pages else None, self._pick, self._what_it_does)
        if screen.pages:
            self.keyboard.cleared = screen.draw_again
            self.keyboard.looked = lambda typed: screen.follow_size(self._draw_again, typed)
        self.log: list[str] = []  # what happened, for the page
        self._said: StyledBlock = []  # the answer to the last line, for the page
        self._drawn: StyledBlock | None = None  # the answer on the page; None: it is leafed through
        self._lists_moves = False  # whether the moves are among it
        self._known = 0  # lines of the log that were there before the last line was typed
        self.chronicle = Chronicle(match)
        self._numbered: tuple[State, dict[int, Move]] | None = None  # the moves listed with numbers in a position
        self._mode: GameMode  # from `run` on
        self._commands: dict[str, Command] = {}

    def run(self, mode: GameMode) -> int:
        """Play to the end and return the exit code. Whatever happens, nothing that was announced is lost."""
        self._mode = mode
        self._commands = self._all_commands(mode)
        try:
            mode.begin()
            while (prompt := mode.prompt()) is not None:
                line = self._draw_answer() if self.screen.pages else ""
                if not line:
                    begin, self.begin_with = self.begin_with, ""
                    line = self._meant(self.keyboard.read(prompt, begin), begin)
                self._said, self._lists_moves, self._known = [], False, len(self.log)
                if not line and self.match.over:
                    break
                if line is None:
                    self._input_ended()
                elif line:
                    self._obey(mode, line)
        except Stop as stop:
            return stop.code
        except KeyboardInterrupt:
            with suppress(OSError):
                self.screen.leave()
                self.write()
                self._say_goodbye(mode)
            return INTERRUPTED
        finally:
            self.match.close()
        self.screen.leave()
        if not self.quiet:
            mode.end()
        return GOOD

    def _all_commands(self, mode: GameMode) -> dict[str, Command]:
        """Return the commands in the order of the help: `help` and `quit` are the last."""
        common: dict[str, Callable[[str], None]] = {
            "?": self.list_moves,
            "why": self.explain,
            "score": lambda rest: self.write(*ledger_lines(self.match)),
            "board": lambda rest: self.show_board(),
            "undo": self._undo,
            "redo": lambda rest: self._redo(),
            "history": self._history,
            "rules": lambda rest: self._rules(),
            "save": self._save,
            "position": self._position,
        }
        last: dict[str, Callable[[str], None]] = {
            "help": lambda rest: self.help(),
            "quit": lambda rest: self.stop(),
        }
        return {
            **{word: Command(obey, texts.COMMANDS[word]) for word, obey in common.items()},
            **mode.commands,
            **{word: Command(obey, texts.COMMANDS[word]) for word, obey in last.items()},
        }

    # saying ----------------------------------------------------------------------------------------------

    def write(self, *lines: str, whole: bool = False) -> None:
        """Write lines; without one an empty line. `whole`: a path in it is not cut, so that it can be copied.

        On a page they are the answer to the last line, and stay until the next one.
        """
        if self.quiet:
            return
        for line in lines or ("",):
            if self.screen.pages:
                self._said += [(Styled(part),) for part in self.screen.fold(line, whole)]
            else:
                self.screen.write(line, whole)

    def tell(self, lines: Iterable[str]) -> None:
        """Say what happened. On a page it stays, as long as there is room."""
        if self.quiet:
            return
        for line in lines:
            self.log.append(line)
            if not self.screen.pages:
                self.screen.write(line)

    def retell(self, lines: Iterable[str]) -> None:
        """Replace what a page says about what happened: something was taken back or changed, or somebody else looks."""
        self.log = list(lines) if self.screen.pages and not self.quiet else []
        self._known = min(self._known, len(self.log))

    def show(self, block: StyledBlock) -> None:
        """Show lines with their styles, as `write` does."""
        if self.quiet:
            return
        if self.screen.pages:
            self._said += block
        else:
            self.screen.show(block)

    def write_all(self, lines: Iterable[str]) -> None:
        """Write lines as they come; nothing where there are none."""
        for line in lines:
            self.write(line)

    def refuse(self, *lines: str, instead: Sequence[Move] = ()) -> None:
        """Say what is wrong with a line, and which moves look like it; without a keyboard that is the end."""
        if self.strict:
            out.to_stderr(*lines)
            raise Stop(BAD)
        self.write_all(lines)
        if instead:
            self.write(texts.NEAREST.format(moves=", ".join(quoted(instead))))

    def help(self) -> None:
        """Say what can be typed, in two columns where there is room for them."""
        self.write_all(self._mode.how_to)
        lines = [line for command in self._commands.values() for line in command.help]
        word, text = max(len(word) for word, _ in lines) + 2, max(len(text) for _, text in lines) + 2
        each = 2 if self.screen.columns >= 2 * (word + text) - 2 else 1
        for i in range(0, len(lines), each):
            self.write("".join(f"{a:<{word}}{b:<{text}}" for a, b in lines[i : i + each]).rstrip())

    def show_board(self) -> None:
        """Show the boards, as whoever looks may see them."""
        self.show(self.board.lines(self.match.state, self._mode.viewer(), self._mode.matter()))

    # the page --------------------------------------------------------------------------------------------

    def _draw_answer(self) -> str | None:
        """Draw the page with the answer to the last line. An answer that is too long is leafed through: return what is typed there."""
        while self._said and not plain(self._said[0]):
            del self._said[0]
        while self._said and not plain(self._said[-1]):
            del self._said[-1]
        if self.draw(self._said):
            return ""
        said, rows = self._said, self.screen.rows
        self._drawn = None
        for first in range(0, len(said), rows):
            self.screen.draw(said[first : first + rows])
            line = self.keyboard.read(texts.MORE_PROMPT if first + rows < len(said) else texts.BACK_PROMPT)
            if line != "":
                break
        self._said = []
        if line in ("", BACK):
            self.draw([])
            return ""
        return line

    def draw(self, message: StyledBlock) -> bool:
        """Draw the page of the present position; false: there is no room for all of the message."""
        state, viewer = self.match.state, self._mode.viewer()
        moves, numbered = self._listing()
        content = Content(
            state,
            viewer,
            self._mode.owner(),
            self._mode.matter(),
            self._heading(),
            self.log,
            self._known,
            message,
            [part for line in moves for part in self.screen.fold(line)],
        )
        page = composed(self.board, content, self.screen.rows)
        if moves and not page.moves and not numbered:  # groups are cut at the edge rather than left out
            page = composed(self.board, replace(content, moves=moves), self.screen.rows)
        if page.whole:
            self._drawn = message
            self.screen.draw(page.lines)
            if page.moves:
                self._number(numbered)
        return page.whole

    def _draw_again(self) -> None:
        """Draw the page as large as the screen is now; an answer for which there is no room any more is left out."""
        if self._drawn is None:
            self.screen.draw_again()
        elif not self.draw(self._drawn):
            self.draw([])

    def _heading(self) -> StyledLine:
        """Return the title of the game, the round, and the step in which something is decided, as the rulebook calls it."""
        number, decision = self.chronicle.round, self.game.decision(self.match.state)
        step = self._step_titles.get(decision.span, "") if decision is not None else ""
        parts = [self.game.title, texts.ROUND.format(number=number) if number else "", step]
        return (Styled(texts.SEPARATOR.join(filter(None, parts)), "title"),)

    @cached_property
    def _step_titles(self) -> Mapping[Span, str]:
        """The titles in the rulebook of the steps in which players decide, by the place of the decision."""
        titles, found = self.game.model.view.titles, dict[Span, str]()
        for (kind, name), _, steps in syntax.bodies(self.game.model):
            for step in syntax.all_steps(steps):
                if isinstance(step, syntax.AskStep) and kind == "steps" and name in titles:
                    found[step.span] = titles[name]
        return found

    def _listing(self) -> tuple[list[str], dict[int, Move]]:
        """Return the moves as a page shows them where they fit: a few with their numbers, many in groups."""
        moves = self._mode.moves() if self._mode.shows_moves() and not self._lists_moves else ()
        if len(moves) > FEW_MOVES:
            return self._group_lines(moves), {}
        return self._numbered_lines(numbers_of(moves, self.symbols))

    @cached_property
    def symbols(self) -> Symbols:
        """The names of pieces besides their own."""
        return symbols_of(self.game, self.match.state)

    @property
    def board(self) -> Board:
        """The boards for the screen as wide as it is now."""
        return Board(self.game, self.screen.columns, [seat.name for seat in self.match.seats])

    @property
    def record_path(self) -> str:
        """The path of the record, as short as it can be; empty: nothing is recorded."""
        return "" if self.match.file is None else short_path(str(self.match.file.path))

    def stop(self) -> None:
        """End the session: the game can be resumed."""
        self._say_goodbye(self._mode)
        raise Stop(GOOD)

    def _say_goodbye(self, mode: GameMode) -> None:
        self.screen.leave()
        self.write(texts.STOPPED.format(decisions=number_of(len(self.match.decided), "decision")))
        if self.record_path:
            self.write(texts.RESUME_WITH.format(command=mode.name, path=self.record_path), whole=True)

    def _input_ended(self) -> None:
        if self.strict:
            out.to_stderr(texts.INPUT_ENDED.format(player=self.match.name_of(self.match.state.to_move or 0)))
            raise Stop(BAD)
        self.write()
        self.stop()

    # lines -----------------------------------------------------------------------------------------------

    def _complete(self, line: str) -> list[str]:
        own = self._mode.completions(line)
        if own is not None:
            return own
        return completions(line, self._mode.moves(), list(self._commands), self.symbols)

    def _pick(self, line: str) -> list[str]:
        own = self._mode.completions(line)
        return picked_from(line, self._mode.moves(), self.symbols) if own is None else own

    def _what_it_does(self, line: str) -> list[str]:
        """Return what is known of the moves that a line can mean, the longest text first; nothing if it means none, or may not be told.

        Of one move: its words and the pieces that it takes, or these alone. Of several: the pieces that they take.
        """
        found = read_typed(line, self._mode.moves(), self.symbols).moves if self._mode.shows_moves() else ()
        if not found or not line.strip():
            return []
        state = self.match.state
        if len(found) > 1:
            return [text for text in (shared_consequence(self.game, state, found),) if text]
        return [text for text in (self.describe(found[0]), consequence(self.game, state, found[0])) if text]

    def _meant(self, line: str | None, begun: str) -> str | None:
        """Return what was typed without the words that were there before, where only that is a command or a move."""
        if not line or not begun or not line.startswith(begun):
            return line
        rest = line.removeprefix(begun).strip()
        moves, word = self._mode.moves(), rest.partition(" ")[0]
        if not rest or read_typed(line, moves, self.symbols).moves:
            return line
        is_command = word.removeprefix("/") in self._commands or rest in texts.SHORT_COMMANDS
        return rest if is_command or read_typed(rest, moves, self.symbols).moves else line

    def _obey(self, mode: GameMode, line: str) -> None:
        word, _, rest = line.partition(" ")
        unseen = "?" in line and mode.means_unseen(line)
        if word.startswith("/") and word[1:] in self._commands:  # also where a move is called like a command
            self._commands[word[1:]].obey(rest.strip())
        elif word in self._commands and word not in self.game.model.moves and not unseen:
            self._commands[word].obey(rest.strip())
        elif word in texts.SHORT_COMMANDS and not rest and not read_typed(word, mode.moves(), self.symbols).moves:
            self._commands[texts.SHORT_COMMANDS[word]].obey("")
        elif line.endswith(" ?") and not unseen:
            self._commands["?"].obey(line[:-1].strip())
        else:
            try:
                mode.answer(line)
            except UnreadableMove as error:
                self.refuse(str(error), instead=self._nearest(line))
            except IllegalMove as error:
                self.refuse(*refusal_lines(self.match, error.move, error.objections), instead=self._nearest(error.move))
            except RecordError as error:
                self.not_written(error)

    def _nearest(self, line: str) -> list[Move]:
        return nearest(line, self._mode.moves()) if self._mode.shows_moves() else []

    def read_move(self, line: str) -> Move | None:
        """Return the move that a line means, legal or not; None: more is asked for. Raises UnreadableMove."""
        moves = self._mode.moves()
        if line.isdecimal() and len(line) <= LONGEST_NUMBER and (listed_move := self._by_number(int(line))) is not None:
            said = read_typed(line, moves, self.symbols).moves
            if len(said) == 1 and said[0] != listed_move:  # it is all that another move needs
                self.refuse(texts.TWO_NUMBERS.format(number=line, listed=listed_move, other=said[0]))
                return None
            return listed_move
        typed = read_typed(line, moves, self.symbols, self.game.model.moves)
        if len(typed.moves) == 1:
            return typed.moves[0]
        if typed.moves and not self.strict:
            self._ask_for_more(typed)
            return None
        if line.isdecimal():
            self.refuse(texts.NO_NUMBER.format(number=line))
            return None
        return parse(self.game, self.match.state, line, moves, self.symbols)

    def _by_number(self, number: int) -> Move | None:
        """Return the move that was listed with this number in the present position; nobody plays what was not shown."""
        if self._numbered is None or self._numbered[0] is not self.match.state:
            return None
        return self._numbered[1].get(number)

    def _ask_for_more(self, typed: TypedMove) -> None:
        if typed.following:
            begin = " ".join(typed.shared)
            words = typed.following
            if len(typed.moves) <= FEW_MOVES:
                words = tuple(self._with_count(f"{begin} {word}", word, typed.moves) for word in words)
            self.write(texts.CONTINUES.format(begin=begin, words=", ".join(words)))
            self.begin_with = f"{begin} "
        else:
            self.write(texts.AMBIGUOUS.format(moves=", ".join(quoted(typed.moves[:FEW_MOVES]))))

    def _with_count(self, line: str, word: str, moves: Sequence[Move]) -> str:
        """Return a word with how many pieces are taken, where a line that ends with it is a whole move."""
        move = next((move for move in moves if str(move) == line), None)
        count = consequence(self.game, self.match.state, move) if move is not None else ""
        return texts.WITH_COUNT.format(text=word, count=count) if count else word

    def not_written(self, error: RecordError) -> None:
        """Ask people how to continue: the record cannot be written, and so nothing was played."""
        if self.strict or not self.match.people or not self.keyboard.terminal:
            out.to_stderr(texts.ERROR.format(message=error))
            raise Stop(BAD)
        self.write(*out.filled(texts.NOT_WRITTEN, reason=error))
        line = self.keyboard.read(texts.NOT_WRITTEN_PROMPT, completing=False)
        word, _, rest = (line if line is not None else "quit").partition(" ")
        if word == "quit":
            self.stop()
        elif word == "save" and rest:
            try:
                self.match.record_to(rest.strip())
            except RecordError as again:
                self.write(str(again))
            else:
                self.write(texts.RECORDED_IN.format(path=self.record_path), whole=True)
        elif word == "unrecorded":
            self.match.stop_recording()
            self.write(texts.UNRECORDED)

    # commands --------------------------------------------------------------------------------------------

    def list_moves(self, words: str) -> None:
        """List the moves with this beginning: a few with their numbers and in words, many in groups."""
        self._lists_moves = True
        moves = self._mode.moves()
        wanted = read_typed(words, moves, self.symbols).moves
        if not moves:
            self.write(texts.NO_MOVES_NOW)
        elif not wanted:
            self.write(texts.NO_SUCH_MOVES.format(words=words))
        elif len(wanted) <= FEW_MOVES:
            numbers = numbers_of(moves, self.symbols)
            lines, numbered = self._numbered_lines({i: move for i, move in numbers.items() if move in wanted})
            self.write_all(lines)
            self._number(numbered)
        else:
            self.write_all([*self._group_lines(wanted), *self._examples(wanted)])

    def list_with_notes(self, notes: Mapping[Move, str]) -> None:
        """List some of the possible moves with their numbers, each with a note below it: a page needs no other list."""
        self._lists_moves = True
        numbers = {move: i for i, move in numbers_of(self._mode.moves(), self.symbols).items()}
        for move, note in notes.items():
            lines, numbered = self._numbered_lines({numbers[move]: move})
            self.write_all([*lines, f"{'':4}  {note}"])
            self._number(numbered)

    def _numbered_lines(self, moves: dict[int, Move]) -> tuple[list[str], dict[int, Move]]:
        """Return moves with their numbers and in words, and these numbers."""
        wide = max((len(str(move)) for move in moves.values()), default=0) if self.screen.pages else NOTATION
        words = ((i, str(move), self.describe(move)) for i, move in moves.items())
        return [f"{i:>4}  {move:<{wide}}  {text if text != move else ''}".rstrip() for i, move, text in words], moves

    def _group_lines(self, moves: Sequence[Move]) -> list[str]:
        """Return many moves in groups."""
        lines = []
        for group in grouped(moves):
            parts = (w[0] if len(w) == 1 else texts.GROUP.format(words=summary(w) or " ".join(w)) for w in group)
            lines.append("  " + " ".join(parts))
        return lines

    def _examples(self, moves: Sequence[Move]) -> list[str]:
        """Return a move of each name in words, the one with the most to say: they tell what the parts of the others mean."""
        found: dict[str, Move] = {}
        for move in moves:
            if len(str(move).split()) > len(str(found.get(move.name, "")).split()):
                found[move.name] = move
        words = ((str(move), self.describe(move)) for move in found.values())
        return [texts.SUCH_AS.format(move=move, text=text) for move, text in words if move != text]

    def _number(self, numbered: dict[int, Move]) -> None:
        """Let these numbers stand for their moves, in the present position."""
        before = self._numbered[1] if self._numbered and self._numbered[0] is self.match.state else {}
        self._numbered = self.match.state, {**before, **numbered}

    def describe(self, move: Move) -> str:
        """Return a move in the author's words, as the player who decides may read it, and how many pieces it takes."""
        state = self.match.state
        text = self.game.sight.words(state, move, state.to_move)[1]
        count = consequence(self.game, state, move)
        return texts.WITH_COUNT.format(text=text, count=count) if count else text

    def explain(self, words: str) -> None:
        """Say why a move is refused, or what it does."""
        if not words:
            self.write(texts.WHY_WHAT)
            return
        state = self.match.state
        moves = self._mode.moves()
        legal = read_typed(words, moves, self.symbols).moves
        try:
            move = legal[0] if len(legal) == 1 else parse(self.game, state, words, moves, self.symbols)
            objections = self.game.objections(state, move)
        except UnreadableMove as error:
            self.write(str(error))
            return
        if objections:
            self.write(*refusal_lines(self.match, str(move), objections))
        else:
            self.write(texts.LEGAL.format(move=move, text=self.describe(move)))

    def _undo(self, words: str) -> None:
        if words not in ("", AGREED):
            self.refuse(texts.UNDO_HOW)
            return
        try:
            back = self._mode.undo(words == AGREED)
        except NotAgreed as error:
            self.refuse(str(error))
        except RecordError as error:
            self.not_written(error)
        else:
            if back:
                self.shown = False
                self._undone.append((self.match.state, [d.move for d in back]))
                players = dict.fromkeys(self.match.name_of(d.player) for d in back if d.player != CHANCE)
                undone = texts.UNDONE_OF if players else texts.UNDONE
                self.write(undone.format(decisions=number_of(len(back), "decision"), players=listed(players)))
                self._mode.undone(back)
            else:
                self.write(texts.NOTHING_TO_UNDO)

    def _redo(self) -> None:
        """Make the decisions again that were taken back last, if nothing else was decided since."""
        if not self._undone or self._undone[-1][0] is not self.match.state:
            self.write(texts.NOTHING_TO_REDO)
            return
        try:
            self._mode.redo(self._undone[-1][1])
        except RecordError as error:
            self.not_written(error)
        else:
            self._undone.pop()

    def _history(self, words: str) -> None:
        """Say what happened, from a decision on."""
        first = self.read_decision(words)
        if first is not None:
            decided = self.match.decided[first - 1 :]
            self.write_all(self.chronicle.lines(decided, self._mode.viewer(), self.screen.columns, self.screen.pages))

    def read_decision(self, words: str) -> int | None:
        """Return the decision from which on the history is asked for, the first if nothing is said; None: it was refused."""
        if words and not (words.isdecimal() and len(words) <= LONGEST_NUMBER and int(words)):
            self.refuse(texts.HISTORY_HOW)
            return None
        made = len(self.match.decided)
        if int(words or 1) > max(1, made):
            self.refuse(texts.NO_DECISION.format(number=words, decisions=number_of(made, "decision")))
            return None
        return int(words or 1)

    def _rules(self) -> None:
        """Say what the rulebook says about the moves that can be decided between now."""
        decision = self.game.decision(self.match.state)
        if decision is None or not decision.moves or self.passages is None:
            self.write(texts.NO_RULES_NOW)
            return
        possible = {move.name for move in self._mode.moves()}
        names = [name for name in dict.fromkeys(decision.moves) if name in possible] or list(decision.moves)
        self.write_all(self.passages(self.game, names))

    def _position(self, words: str) -> None:
        """Show the position as text, as whoever looks may know it, or write it to a new file."""
        if words not in ("", ON_ONE_LINE) and Path(words).exists():
            self.refuse(texts.POSITION_EXISTS.format(path=words))
            return
        try:
            text = self.match.position_text(Audience(self._mode.viewer()), line=words == ON_ONE_LINE)
            if words not in ("", ON_ONE_LINE):
                save_text(words, text)
        except (CannotWrite, RecordError) as error:
            self.refuse(str(error))
            return
        if words not in ("", ON_ONE_LINE):
            self.write(texts.SAVED.format(path=words), whole=True)
            return
        for line in text.rstrip("\n").split("\n"):
            self.write(line, whole=True)

    def _save(self, words: str) -> None:
        if not words:
            already = texts.RECORDED_ALREADY.format(path=self.record_path) if self.record_path else ""
            self.refuse(texts.SAVE_WHERE + already)
            return
        try:
            self.match.save(words)
        except RecordError as error:
            self.refuse(str(error))
        else:
            self.write(texts.SAVED.format(path=words), whole=True)


def summary(words: Sequence[str]) -> str:
    """Return `up to 2 of rose,rose,fern` for words that are all the ways to choose so many of some pieces; else nothing."""
    chosen = [Counter(word.split(PARTED)) if word != NO_PIECES else Counter[str]() for word in words]
    if not any(PARTED in word for word in words) or len(words) < LEAST_SUMMARY:
        return ""
    most: Counter[str] = Counter()
    for each in chosen:
        most |= each
    sizes = {each.total() for each in chosen}
    ways = Counter({0: 1})  # in how many ways so many pieces can be chosen
    for count in most.values():
        ways = sum((Counter({n + i: k for n, k in ways.items()}) for i in range(count + 1)), Counter[int]())
    least, largest = min(sizes), max(sizes)
    if sum(ways[size] for size in range(least, largest + 1)) != len(words):
        return ""
    numbers = texts.EXACTLY if least == largest else texts.FROM_TO if least else texts.UP_TO
    return numbers.format(least=least, most=largest, pieces=PARTED.join(most.elements()))
