"""Work that may still be done: counted, never timed, so that the same rules get the same answer on every machine."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.fault import Fault
from interpreter.game import Game
from interpreter.state import State

PASSES_EACH = 10  # passes of loops that cost as much as one decision
MOVES_EACH = 10  # moves that cost as much to list as one decision to make
COUNTED_MOVE = 20  # decisions that one costs at which many choices are looked at to find the legal moves


class BudgetSpent(Exception):
    """More work was asked for than is allowed."""

    def __init__(self, what: str, most: int) -> None:
        self.what, self.most = what, most
        super().__init__(f"{what}: no more than {most:,} decisions are tried")


@dataclass(slots=True)
class Budget:
    """So many decisions may be tried for `what`."""

    what: str
    most: int
    spent: int = 0

    @property
    def left(self) -> int:
        return max(0, self.most - self.spent)

    def spend(self, cost: int = 1) -> None:
        """Raise BudgetSpent if there is not so much left; else take it away."""
        if self.spent + cost > self.most:
            self.spent = self.most
            raise BudgetSpent(self.what, self.most)
        self.spent += cost

    def use(self, cost: int) -> None:
        """Take so much away, or all that is left: what was done cannot be refused any more."""
        self.spent = min(self.most, self.spent + cost)

    def part(self, most: int) -> Budget:
        """Return a budget of its own, of no more than there is left here. `took` says what of it was used."""
        return Budget(self.what, min(most, self.left))

    def took(self, part: Budget) -> None:
        self.use(part.spent)


def cost_of(game: Game, end: State | Fault) -> int:
    """Return what coming to a position or fault costs, in decisions: the more was looked at there, the more."""
    if isinstance(end, Fault):
        return 1 + end.idle // PASSES_EACH
    return 1 if game.decision(end) is None else cost_among(game, end, game.count_moves(end))


def cost_among(game: Game, state: State, moves: int, counted: int = COUNTED_MOVE) -> int:
    """Return what deciding among so many moves costs, in decisions; `counted` is added where many choices are looked at."""
    decision = game.decision(state)
    asked = decision.moves if decision is not None else ()
    return 1 + moves // MOVES_EACH + (counted if any(name in game.compiled.counted for name in asked) else 0)
