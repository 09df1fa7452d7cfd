"""A recorded game, step by step: forward and back, on one screen or line by line."""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise

from interpreter import CHANCE, State
from referee.play import texts
from referee.play.steady import SteadyPage
from referee.record.match import Decided, Match
from referee.shell import texts as shell_texts
from referee.shell.blocks import Styled, StyledBlock
from referee.shell.board import NO_FAMILIES, Board, Families
from referee.shell.chronicle import Chronicle
from referee.shell.keyboard import Keyboard
from referee.shell.narration import ending_lines, heading
from referee.shell.page import Content, touched, touched_last
from referee.shell.screen import Screen
from rulespec import number_of

FORWARD, BACK, LONGEST_NUMBER = ("", "n", "+"), ("b", "p", "-"), 6


class Stepper:
    """Steps through the decisions of players; those of chance belong to the one before them. `viewer`: as one player sees it."""

    def __init__(self, match: Match, screen: Screen, viewer: int | None = None) -> None:
        self.match = match
        self.game = match.game
        self.screen = screen
        self.viewer = viewer
        self.chronicle = Chronicle(match)
        self.keyboard = Keyboard(lambda line: [])
        self.keyboard.looked = lambda typed: screen.follow_size(self._show, typed)
        ends = [
            i for i, (d, after) in enumerate(pairwise(match.decided), 1) if after.player != CHANCE and d is not after
        ]
        begun = 0 if not match.decided or match.decided[0].player != CHANCE else None
        self.stops = [
            *([] if begun is None else [begun]),
            *ends,
            len(match.decided),
        ]  # how many decisions are made at each
        self.at = 0
        self._refusal = ""  # what is wrong with the last line
        self._steady: tuple[tuple[int, int], SteadyPage] | None = None  # the screen, for its columns and rows

    def run(self) -> None:
        """Show positions until somebody quits, or the input ends."""
        while True:
            self._show()
            line = self.keyboard.read(texts.STEP_PROMPT.format(at=self.stops[self.at], last=self.stops[-1]))
            if line is None or line in ("q", "quit", "exit"):
                break
            self._go(line)
        self.screen.leave()

    def _go(self, line: str) -> None:
        last = len(self.stops) - 1
        self._refusal = ""
        if line in FORWARD:
            self.at = min(self.at + 1, last)
        elif line in BACK:
            self.at = max(self.at - 1, 0)
        elif line in ("first", "last"):
            self.at = 0 if line == "first" else last
        elif line.isdecimal() and len(line) <= LONGEST_NUMBER:
            self.at = min(bisect_left(self.stops, int(line)), last)
        else:
            self._refusal = texts.NO_STEP.format(line=line)

    # showing ---------------------------------------------------------------------------------------------

    @property
    def _made(self) -> list[Decided]:
        return self.match.decided[: self.stops[self.at]]

    def _state_at(self, stop: int) -> State:
        """Return the position after so many decisions."""
        if stop:
            return self.match.decided[stop - 1].after
        return self.match.decided[0].before if self.match.decided else self.match.state

    def _show(self) -> None:
        if self._refusal and not self.screen.pages:
            self.screen.write(self._refusal)
            return
        board = Board(self.game, self.screen.columns, [seat.name for seat in self.match.seats])
        state, made = self._state_at(self.stops[self.at]), self._made
        before = self.stops[self.at - 1] if self.at else 0
        if self.screen.pages:
            log = list(self.chronicle.lines(made, self.viewer, self.screen.columns, brief=True))
            known = len(list(self.chronicle.lines(made[:before], self.viewer, self.screen.columns, brief=True)))
            owner = self.viewer or 1
            content = Content(
                state, self.viewer, owner, self._matter(state), self._heading(), log, known, self._message()
            )
            self.screen.draw(self._page(board).lines(content))
            return
        self.screen.show(board.lines(state, self.viewer, self._matter(state)))
        for line in self.chronicle.lines(made[before:], self.viewer, self.screen.columns):
            self.screen.write(line)
        self.screen.show(self._result())

    def _page(self, board: Board) -> SteadyPage:
        """Return the screen with the places of all boards, as large as it is now."""
        size = board.columns, self.screen.rows
        if self._steady is None or self._steady[0] != size:
            states = [self._state_at(stop) for stop in self.stops]
            self._steady = size, SteadyPage(board, states, self.viewer, self.screen.rows)
        return self._steady[1]

    def _matter(self, state: State) -> Families:
        if state.to_move is None:
            return touched_last(self.match)
        return touched(self.game, state, self.game.legal_moves(state)) if state.to_move else NO_FAMILIES

    def _heading(self) -> tuple[Styled, ...]:
        players, number = number_of(self.game.players, "player"), self.chronicle.round_of(self.stops[self.at])
        parts = [players, shell_texts.ROUND.format(number=number) if number else ""]
        return (Styled(heading(self.match, shell_texts.SEPARATOR.join(filter(None, parts))), "title"),)

    def _message(self) -> StyledBlock:
        return [(Styled(part),) for part in self.screen.fold(self._refusal)] if self._refusal else self._result()

    def _result(self) -> StyledBlock:
        """Return the points by rule and who won, at the end of a game that was played to its end."""
        if not self.match.over or self.at < len(self.stops) - 1:
            return []
        return [(Styled(line),) for line in ending_lines(self.match)]
