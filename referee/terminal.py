"""A game at the terminal: persons are asked, bots play, and everything is told as it happens."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from itertools import groupby

from interpreter import CHANCE, IllegalMove, LedgerLine, Move, Objection, UnreadableMove
from referee import texts
from referee.match import Decided, Match, NotAgreed
from referee.render import Board
from referee.screen import Screen

FEW_MOVES = 12  # so many are listed without being asked for
GOOD, BAD = 0, 1


class Stop(Exception):
    """The game at the terminal ends here, with this exit code."""

    def __init__(self, code: int) -> None:
        self.code = code


class Terminal:
    """Runs one match. Without a keyboard, `strict`, the first bad line of the input ends it."""

    def __init__(self, match: Match, screen: Screen, strict: bool, quiet: bool = False) -> None:
        self.match = match
        self.game = match.game
        self.screen = screen
        self.strict = strict
        self.quiet = quiet
        self.board = Board(match.game, screen.columns)
        self._asked = False  # whether the boards were shown since something changed
        self._commands: dict[str, Callable[[str], None]] = {
            "?": self._list_moves,
            "help": self._list_moves,
            "why": self._why,
            "score": lambda words: self._show_ledger(),
            "undo": self._undo,
            "board": lambda words: self._show_board(),
            "quit": lambda words: self._quit(),
        }

    def run(self) -> int:
        """Plays to the end; the exit code."""
        match = self.match
        self._begin()
        try:
            while not match.over:
                if match.human:
                    self._ask()
                else:
                    self._tell(match.play_bot())
                    self._asked = False
        except Stop as stop:
            return stop.code
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
        self._write(texts.HEADING.format(title=self.game.title, players=players, options=options, seed=match.seed))
        seats = (texts.SEATS.format(player=i, seat=seat.who) for i, seat in enumerate(match.seats, 1))
        self._write(", ".join(seats))
        if not self.quiet and self.board.legend():
            self.screen.show(self.board.legend())
        if match.people:
            self._write()
            self._write(texts.HELP)
        self._write()
        self._tell(([match.opening] if match.opening else []) + match.decided)

    def _tell(self, decided: Iterable[Decided]) -> None:
        viewer = self.match.viewer if self.match.people else None
        for chance, group in groupby(decided, lambda d: d.player == CHANCE and not d.points):
            members = list(group)
            if chance:
                if not self.match.people:
                    self._tell_chance(members)
                continue
            for d in members:
                if viewer is None or d.player != CHANCE:
                    self._tell_one(d, viewer)
                for line in d.points:
                    self._write(f"      {self._points(line, True)}")

    def _tell_one(self, d: Decided, viewer: int | None) -> None:
        notation, text = (str(d.move), d.text) if viewer is None else self.match.words(d, viewer)
        text = "" if text == notation else text
        self._write(f"{d.number:>4}  {self._who(d.player):<9} {notation:<24}  {text}".rstrip())

    def _tell_chance(self, decided: list[Decided]) -> None:
        """Many draws in a row, each outcome once with how often it came."""
        counts: dict[str, int] = {}
        for d in decided:
            counts[str(d.move)] = counts.get(str(d.move), 0) + 1
        outcomes = ", ".join(
            texts.OUTCOME_TIMES.format(outcome=move, count=n) if n > 1 else move for move, n in counts.items()
        )
        self._write(f"{decided[0].number:>4}  {self._who(CHANCE):<9} {outcomes}")

    def _who(self, player: int) -> str:
        return texts.PLAYER.format(player=player) if player else texts.CHANCE

    def _points(self, line: LedgerLine, who: bool = False) -> str:
        player = f"  {self._who(line.player)}:" if who else " "
        where = texts.WHERE.format(condition=line.rule, file=short_path(line.span.file), line=line.span.line)
        held = texts.HELD.format(gained=texts.signed(line.gained)) if line.points != line.gained else ""
        return f"{texts.signed(line.points):>4}{player} {line.text}{where}{held}"

    def _show_board(self) -> None:
        if not self.quiet:
            self.screen.show(self.board.lines(self.match.state, self.match.viewer))
        self._asked = True

    def _show_ledger(self) -> None:
        scores = self.game.scores(self.match.state)
        if not scores:
            self._write(texts.NOTHING_SCORED)
        for player, score in scores.items():
            self._write(texts.LEDGER.format(player=self._who(player), points=texts.number_of(score, "point")))
            lines = [line for line in self.match.ledger() if line.player == player]
            start = self.match.start_scores.get(player, 0)
            if start:
                self._write("      " + texts.BEGINS_WITH.format(points=start))
            for line in lines:
                self._write(f"{line.decision:>4}  {self._points(line)}")
            if not lines:
                self._write("      " + texts.NOTHING_SCORED)

    def _end(self) -> None:
        self._write()
        self._show_board()
        self._write()
        if self.game.scores(self.match.state):
            self._show_ledger()
            self._write()
        self._write(self._result())

    def _result(self) -> str:
        outcome = self.game.outcome(self.match.state)
        assert outcome is not None
        names = [str(p) for p in outcome.winners]
        if len(names) == 1:
            return texts.WINS.format(who=texts.PLAYER.format(player=names[0]), reason=outcome.reason)
        return texts.SHARE.format(who=texts.PLAYERS_AND.format(players=texts.listed(names)), reason=outcome.reason)

    # asking ----------------------------------------------------------------------------------------------

    def _ask(self) -> None:
        """Shows the position, and reads one line of the person to move."""
        moves = self.game.legal_moves(self.match.state)
        if not self._asked:
            self._write()
            self._show_board()
            self._write()
            if len(moves) <= FEW_MOVES:
                self._list_moves("")
            else:
                self._write(texts.MOVES_COUNT.format(moves=texts.number_of(len(moves), "move")))
        line = self._read()
        if line is None:
            if self.strict:
                print(texts.INPUT_ENDED.format(player=self._who(self.match.state.to_move or 0)), file=sys.stderr)
                raise Stop(BAD)
            self._write()
            self._quit()
        elif line:
            self._obey(line, moves)

    def _read(self) -> str | None:
        """One line without spaces around it; none where the input ends."""
        prompt = texts.PROMPT.format(player=self._who(self.match.state.to_move or 0))
        if self.strict:
            sys.stdout.flush()  # whoever drives the game must see it before they are asked
            line = sys.stdin.readline()
            return line.strip() if line else None
        try:
            return input(prompt).strip()
        except EOFError:
            return None

    def _obey(self, line: str, moves: list[Move]) -> None:
        word, _, rest = line.partition(" ")
        if line.isdecimal():
            if len(line) > 6 or not 0 < int(line) <= len(moves):
                self._refuse(texts.NO_NUMBER.format(number=line, last=len(moves)))
            else:
                self._play(moves[int(line) - 1])
        elif word in self._commands and word not in self.game.model.moves:
            self._commands[word](rest.strip())
        else:
            self._play(line)

    def _play(self, move: Move | str) -> None:
        try:
            decided = self.match.play(move)
        except UnreadableMove as error:
            self._refuse(str(error))
        except IllegalMove as error:
            self._refuse("\n".join([texts.REFUSED.format(move=error.move), *map(self._objection, error.objections)]))
        else:
            self._asked = False
            self._tell(decided)

    def _refuse(self, message: str) -> None:
        if self.strict:
            print(message, file=sys.stderr)
            raise Stop(BAD)
        self._write(message)

    def _objection(self, objection: Objection) -> str:
        where = ""
        if objection.span is not None:
            file = short_path(objection.span.file)
            where = texts.WHERE.format(condition=objection.condition, file=file, line=objection.span.line)
        return texts.OBJECTION.format(text=objection.text) + where

    # commands --------------------------------------------------------------------------------------------

    def _list_moves(self, words: str) -> None:
        state = self.match.state
        listed = [
            f"{i:>4}  {m!s:<24}  {self.game.describe(state, m)}".rstrip()
            for i, m in enumerate(self.game.legal_moves(state), 1)
            if str(m).startswith(words)
        ]
        for line in listed or [texts.NO_SUCH_MOVES.format(words=words)]:
            self._write(line)
        self._asked = True

    def _why(self, words: str) -> None:
        if not words:
            self._write(texts.WHY_WHAT)
            return
        try:
            move = self.game.parse_move(self.match.state, words)
            objections = self.game.objections(self.match.state, move)
        except UnreadableMove as error:
            self._write(str(error))
            return
        if objections:
            self._write(texts.REFUSED.format(move=move))
            for objection in objections:
                self._write(self._objection(objection))
        else:
            self._write(texts.LEGAL.format(move=move, text=self.game.describe(self.match.state, move)))

    def _undo(self, words: str) -> None:
        try:
            back = self.match.undo(agreed=words == "--agreed")
        except NotAgreed as error:
            self._refuse(str(error))
            return
        if not back:
            self._write(texts.NOTHING_TO_UNDO)
            return
        chance = any(d.player == CHANCE for d in back)
        undone = texts.UNDONE.format(decisions=texts.number_of(len(back), "decision"))
        self._write(undone + (texts.UNDONE_CHANCE if chance else ""))
        self._asked = False

    def _quit(self) -> None:
        self._write(texts.STOPPED.format(decisions=texts.number_of(self.match.state.decisions, "decision")))
        raise Stop(GOOD)


def short_path(file: str) -> str:
    """A path as short as it can be from here."""
    try:
        here = os.path.relpath(file)
    except ValueError:  # another drive
        return file
    return here if not here.startswith("..") else file
