"""Pledges, written from its text alone."""

from __future__ import annotations

GIFTS = ("honey", "cloves", "spice", "ivory", "saffron", "ruby", "tiara")


class Pledges:
    """One game. It waits for a gift to be turned up, or for the pledge of a player."""

    def __init__(self, players: int) -> None:
        self.purses = [15] * players
        self.scores = [0] * players
        self.chest = list(GIFTS)
        self.gift = ""
        self.pledges: list[int] = []

    @property
    def to_move(self) -> int | None:
        """The player who pledges next; None: a gift is turned up."""
        return len(self.pledges) + 1 if self.gift else None

    def moves(self) -> list[str]:
        if not self.gift:
            return [f"draw {gift}" for gift in self.chest]
        return [f"pledge {n}" for n in range(self.purses[len(self.pledges)] + 1)]

    def decide(self, move: str) -> None:
        word = move.split()[1]
        if not self.gift:
            self.chest.remove(word)
            self.gift = word
            return
        self.pledges.append(int(word))
        if len(self.pledges) < len(self.purses):
            return
        most = max(self.pledges)
        if self.pledges.count(most) == 1:
            taker = self.pledges.index(most)
            self.purses[taker] -= most
            self.scores[taker] += GIFTS.index(self.gift) + 1
        self.gift, self.pledges = "", []

    def winners(self) -> list[int]:
        """Return who has most points, and of those most coins."""
        ranks = list(zip(self.scores, self.purses, strict=True))
        return [n for n, rank in enumerate(ranks, 1) if rank == max(ranks)]
