"""A screen on which each board keeps its place from the first position of a game to the last. It never prints.

Boards stand at the top, in the order of the players. What changes its size, such as what is chosen from and what happened, is
below them.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter import State
from referee.shell.blocks import GAP, Styled, StyledBlock, beside, clipped, padded, width
from referee.shell.board import NO_FAMILIES, Board
from referee.shell.page import LAST_LOG, LEAST_LOG, Content, composed, last_of

LEAST_BELOW = 5  # lines that are kept free for what is below the boards


class SteadyPage:
    """The places of the boards on a screen of so many rows, for all these positions of a game."""

    def __init__(self, board: Board, states: Sequence[State], viewer: int | None, rows: int) -> None:
        self.board = board
        self.viewer = viewer
        self.rows = rows
        self._players = range(1, board.game.players + 1)
        for small, across in ((small, across) for small in (False, True) for across in self._evenly()):
            self._small, self._across = small, across
            widest, self._heights = self._sizes(states)
            if widest <= self._room and 1 + sum(self._heights) + LEAST_BELOW <= rows:
                break

    def _evenly(self) -> list[int]:
        """Return how many boards may stand side by side, so that all rows of them are as full as they can be."""
        players = len(self._players)
        return [each for each in range(players, 0, -1) if each == -(-players // -(-players // each))]

    @property
    def _room(self) -> int:
        """The columns that a board has."""
        return (self.board.columns + GAP) // self._across - GAP

    def _of(self, state: State, player: int) -> StyledBlock:
        if self._small:
            return self.board.small(state, self.viewer, player, self._room)
        return self.board.own(state, self.viewer, player, self._room, NO_FAMILIES)

    def _sizes(self, states: Sequence[State]) -> tuple[int, list[int]]:
        """Return the widest board of all positions, and the height of each row of boards."""
        widest, heights = 0, [0] * -(-len(self._players) // self._across)
        for state in states:
            for player in self._players:
                block = self._of(state, player)
                row = (player - 1) // self._across
                heights[row] = max(heights[row], len(block))
                widest = max(widest, *map(width, block))
        return widest, heights

    def lines(self, content: Content) -> StyledBlock:
        """Return the screen of one position: boards, the message, what is chosen from, what happened, and what else lies there."""
        lines: StyledBlock = [content.heading]
        for row, height in enumerate(self._heights):
            players = self._players[row * self._across : (row + 1) * self._across]
            blocks = [[padded(line, self._room) for line in self._of(content.state, p)] for p in players]
            boards = beside(blocks)
            lines += [*boards, *[()] * (height - len(boards))]
        free = self.rows - len(lines) - len(content.message)
        if free < 0:  # a long message, as at the end: it is read before the boards
            return composed(self.board, content, self.rows).lines
        chosen_from = self.board.offered(content.state, content.viewer, content.matter)[: max(0, free - LAST_LOG)]
        free -= len(chosen_from)
        aside = self.board.aside(content.state, content.viewer, content.matter)
        aside = aside[: max(0, free - min(LEAST_LOG, len(content.log)))]
        log = last_of(content.log, self.board.columns, free - len(aside), content.known)
        free -= len(aside) + len(log)
        gap: StyledBlock = [()]
        lines += [*(gap if free > 0 else []), *aside, *chosen_from]
        lines += [*(gap if free > 1 else []), *((Styled(line, how),) for line, how in log)]
        lines += [*(gap if free > 2 and content.message else []), *content.message]
        return [clipped(line, self.board.columns) for line in lines[: self.rows]]
