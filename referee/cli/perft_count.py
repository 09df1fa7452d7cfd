"""Counts sequences of decisions from the start: a number to compare engines by."""

from __future__ import annotations

from interpreter import Game, Move, State


class Counter:
    """Counts sequences below positions. Chance is open, and its outcomes count like moves."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._known: dict[tuple[State, int], int] = {}  # equal positions are counted once

    def count(self, state: State, depth: int) -> int:
        """Return the number of sequences of exactly `depth` decisions from here."""
        if depth == 0:
            return 1
        moves = self.game.legal_moves(state)
        if depth == 1:
            return len(moves)
        key = (state, depth)
        if key not in self._known:
            self._known[key] = sum(self.count(self.game.apply(state, move), depth - 1) for move in moves)
        return self._known[key]

    def divide(self, state: State, depth: int) -> list[tuple[Move, int]]:
        """Return the count under each first decision."""
        return [(m, self.count(self.game.apply(state, m), depth - 1)) for m in self.game.legal_moves(state)]
