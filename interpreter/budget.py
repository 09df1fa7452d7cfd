"""Work that may still be done: counted, never timed, so that the same rules get the same answer on every machine."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import lru_cache

from interpreter.fault import Fault
from interpreter.game import CountedGame, Game
from interpreter.state import State
from rulespec.syntax import Several

PASSES_EACH = 10  # passes of loops that cost as much as one decision
MOVES_EACH = 10  # moves that cost as much to list as one decision to make
STEPS_EACH = 250  # steps of the rules that cost as much as one decision, past those that most rules stay below:
FREE_DONE = 30_000  # of what a move does, which is mostly done whole
FREE_LISTED = 1_000_000  # of finding the legal choices of a move, which mostly ends far earlier
FREE_BETWEEN = 2_000_000  # of named steps, with the conditions of loops, which end earlier still
FREE_SCORED = 300  # lines of the ledger between two decisions that most rules stay below,
SCORED_EACH = 5  # and those past them that cost as much as one decision
FEW_OUTCOMES = 200  # of chance, which most rules stay below
STEPS_COUNTED = 20_000  # steps of a program, counted while it runs, that cost as much as one decision
FREE_SAMPLED = 150_000  # steps of a decision for which no random game is asked, nor anything is added
MOST_SAMPLED = 200  # decisions of that game,
STEPS_SAMPLED = 5_000_000  # and steps
GAMES_KEPT = 8  # of which this is known
NUMBERS_EACH = 500  # numbers of a position that cost as much to copy as one decision
KINDS_EACH = 30  # kinds to be counted, in all ways to choose pieces together, that cost as much as one decision
COUNTED_MOVE = 20  # decisions that one costs at which many choices are looked at to find the legal moves


class BudgetSpent(Exception):
    """More work was asked for than is allowed."""

    def __init__(self, what: str, most: int) -> None:
        self.what, self.most = what, most
        super().__init__(f"{what}: no more than {most:,} decisions are tried")


@dataclass(slots=True)
class Budget:
    """The number of decisions that may be tried for `what`."""

    what: str
    most: int
    spent: int = 0

    @property
    def left(self) -> int:
        return max(0, self.most - self.spent)

    def spend(self, cost: int = 1) -> None:
        """Spend an amount; raise BudgetSpent if less than that is left."""
        if self.spent + cost > self.most:
            self.spent = self.most
            raise BudgetSpent(self.what, self.most)
        self.spent += cost

    def use(self, cost: int) -> None:
        """Spend an amount, or all that is left: what was done can no longer be refused."""
        self.spent = min(self.most, self.spent + cost)

    def part(self, most: int) -> Budget:
        """Return a budget of its own, of no more than there is left here. `took` says how much of it was used."""
        return Budget(self.what, min(most, self.left))

    def took(self, part: Budget) -> None:
        self.use(part.spent)


@lru_cache(maxsize=GAMES_KEPT)
def heaviness(game: Game) -> int:
    """Return how much more than usual a decision can cost, in decisions: rules may take much work, positions be large.

    The most that could happen is known, and often far more than what does: unless it is far past a generous allowance, a
    random game shows what does.
    """
    work, model = game.work, game.model
    done = max((work.steps("moves", name, asks=False) for name in model.moves), default=0)
    listed = max((work.listing(move) for move in model.moves.values() if not work.is_counted(move)), default=0)
    between = max((work.steps("steps", name, asks=False) for name in model.procedures), default=0)
    steps = max(0, done - FREE_DONE) + max(0, listed - FREE_LISTED) + max(0, between - FREE_BETWEEN)
    if steps < STEPS_SAMPLED and done + listed + between > FREE_SAMPLED:
        steps = max(steps, _sampled(game) - FREE_SAMPLED)
    scored = max(0, work.most_scored - FREE_SCORED)
    outcomes = max(0, work.most_outcomes - FEW_OUTCOMES)
    return steps // STEPS_EACH + scored // SCORED_EACH + outcomes // MOVES_EACH + game.layout.size // NUMBERS_EACH


def _sampled(game: Game) -> int:
    """Return the work that a decision took in a random game, in steps."""
    counted, rng, made, total = CountedGame(game.rules, game.model), random.Random(0), 0, 0
    try:
        state = counted.start(seed=0)
        while state.to_move is not None and made < MOST_SAMPLED and total < STEPS_SAMPLED:
            state = counted.apply(state, rng.choice(counted.legal_moves(state)))
            made, total = made + 1, total + counted.take_work()
    except Fault:
        total += counted.take_work()
    return total // max(1, made)


def cost_of(game: Game, end: State | Fault) -> int:
    """Return the cost of reaching a position or fault, in decisions: the more was examined there, the higher.

    A game that counts its work (`CountedGame`) is asked for all of it since this was asked last.
    """
    worked = game.take_work() // STEPS_COUNTED
    if isinstance(end, Fault):
        return 1 + worked + end.idle // PASSES_EACH
    return worked + (1 if game.decision(end) is None else cost_among(game, end, game.count_moves(end)))


def cost_among(game: Game, state: State, moves: int, counted: int = COUNTED_MOVE) -> int:
    """Return the cost of deciding among `moves` moves, in decisions; `counted` is added where many choices are looked at."""
    decision = game.decision(state)
    asked = decision.moves if decision is not None else ()
    return 1 + moves // MOVES_EACH + (counted if any(name in game.compiled.counted for name in asked) else 0)


def cost_together(game: Game, state: State, moves: int) -> int:
    """Return what deciding among `moves` moves costs more, in decisions, because pieces are chosen together."""
    decision = game.decision(state)
    asked = decision.moves if decision is not None else ()
    choices = (choice.type for name in asked for choice in game.model.moves[name].choices)
    return moves * max((len(t.kinds) for t in choices if isinstance(t, Several)), default=0) // KINDS_EACH
