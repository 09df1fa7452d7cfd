"""Shared by the references: a game written as a generator that yields decisions and is sent the one taken."""

from __future__ import annotations

from collections.abc import Generator

Ask = tuple[int | str, list[str]]  # who decides (a player or "chance"), and the legal decisions
Steps = Generator[Ask, str, None]


class GeneratedGame:
    """One game, always standing at a decision or at its end."""

    ledger: list[tuple[int, str, int, int]]  # (player, rule, points, gained)

    def begin(self) -> None:
        """Run to the first decision."""
        self.ledger = []
        self._steps = self._game()
        self._ask: Ask | None = next(self._steps, None)

    def _game(self) -> Steps:
        raise NotImplementedError

    @property
    def to_move(self) -> int | str | None:
        return self._ask[0] if self._ask else None

    def moves(self) -> list[str]:
        return list(self._ask[1]) if self._ask else []

    def play(self, notation: str) -> None:
        if notation not in self.moves():
            raise ValueError(f"`{notation}` is not one of {self.moves()}")
        try:
            self._ask = self._steps.send(notation)
        except StopIteration:
            self._ask = None
