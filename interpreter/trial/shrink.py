"""A short way to a fault: from the decisions of a long random game to the few that matter.

There is one budget of decisions for all of it, so that the result is the same on every machine and comes soon:

1. Decisions are left out, many at once at first, then one by one. What is no longer possible then is skipped.
2. From the start, all ways are looked at in order of their length. If this completes, no way is shorter.
3. Shortcuts: from each position on the way, all ways onward are looked at, as far as that is cheaper than the known one.
4. Luck: from positions on the way, random games look for the fault sooner.

Last, decisions that do not matter become the first one possible, so that those that matter stand out.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from interpreter.budget import Budget, BudgetSpent, cost_of
from interpreter.fault import Fault, FaultCode
from interpreter.game import Game
from interpreter.state import Move, State
from rulespec.diagnostics.diagnostic import Span

MOST_WORK = 10_000  # decisions tried for one fault


@dataclass(frozen=True, slots=True)
class Way:
    """Decisions that end in a fault. `shortest` if all shorter ways were looked at; `tried` decisions were for that."""

    decisions: tuple[Move, ...]
    shortest: bool = False
    tried: int = 0


def fault_key(fault: Fault) -> tuple[Span, FaultCode]:
    """Return what faults with one cause have in common; which piece has no room is an accident."""
    return fault.span, fault.code


def same_fault(one: Fault, other: Fault) -> bool:
    return fault_key(one) == fault_key(other)


def shrink(
    game: Game,
    decisions: Sequence[Move],
    fault: Fault,
    most: int = MOST_WORK,
    tell: Callable[[int], None] | None = None,
) -> Way:
    """Return the shortest way to the fault that is found within the budget; the decisions given must lead to it.

    `tell` is called now and then with how much of the budget is spent.
    """
    try:
        start = game.start()
    except Fault:
        return Way((), shortest=True)  # nothing needs to be decided
    budget = Budget("a shorter way to a fault", most)
    search = _WaySearch(game, start, fault, list(decisions), tell)
    search.within(budget, 2, search.leave_out)
    search.within(budget, 2, search.look_at_all)
    if not search.complete:
        search.within(budget, 2, search.take_shortcuts)
        search.within(budget, 2, search.try_luck)
        search.within(budget, 2, search.leave_out)
    search.within(budget, 1, search.make_plainer)
    return Way(tuple(search.way), search.complete, budget.spent)


def fault_after(game: Game, decisions: Sequence[Move]) -> Fault | None:
    """Return the fault that these decisions end in."""
    try:
        state = game.start()
        for move in decisions:
            state = game.apply(state, move)
    except Fault as fault:
        return fault
    return None


def follow(game: Game, state: State, wanted: Sequence[Move], fault: Fault, budget: Budget) -> list[Move] | None:
    """Return the decisions that lead from a position to the fault, of those wanted that are possible; None if they do not."""
    made: list[Move] = []
    for move in wanted:
        if state.to_move is None:
            return None
        budget.spend()
        if not game.is_legal(state, move):
            continue
        made.append(move)
        try:
            state = game.apply(state, move)
        except Fault as found:
            if same_fault(found, fault):
                return made
            budget.spend(cost_of(game, found))
            return None
        budget.spend(cost_of(game, state) - 1)
    return None


@dataclass(slots=True)
class _WaySearch:
    """The shortest way so far; every pass leaves a way that leads to the fault, wherever its budget ends."""

    game: Game
    start: State
    fault: Fault
    way: list[Move]
    tell: Callable[[int], None] | None = None
    complete: bool = False  # all shorter ways were looked at

    def within(self, budget: Budget, share: int, run: Callable[[Budget], None]) -> None:
        """Run a pass with one in `share` of what is left."""
        part = budget.part(budget.left // share)
        with suppress(BudgetSpent):  # the way is then as short as it got
            run(part)
        budget.took(part)
        if self.tell is not None:
            self.tell(budget.spent)

    def leave_out(self, budget: Budget) -> None:
        """Leave out stretches that the way does not need."""
        size = len(self.way) // 2
        while size:
            path = self._positions(budget)
            at = len(self.way) - size
            while at >= 0:
                rest = follow(self.game, path[at], self.way[at + size :], self.fault, budget)
                if rest is not None:
                    self.way = [*self.way[:at], *rest]
                at = min(at - size, len(self.way) - size)
            size //= 2

    def look_at_all(self, budget: Budget) -> None:
        """Look at all shorter ways from the start, in order of their length."""
        found = _shortest(self.game, self.start, self.fault, len(self.way) - 1, budget)
        self.way, self.complete = found or self.way, True

    def take_shortcuts(self, budget: Budget) -> None:
        """Replace the end of the way by a shorter one, from the last positions first."""
        path = self._positions(budget)
        share = max(20, budget.left // max(1, len(self.way)))
        for at in range(len(self.way) - 2, -1, -1):
            part = budget.part(share)
            try:
                found = _shortest(self.game, path[at], self.fault, len(self.way) - at - 1, part)
            except BudgetSpent:
                found = None
            budget.took(part)
            if found is not None:
                self.way = [*self.way[:at], *found]
            if not budget.left:
                return

    def try_luck(self, budget: Budget) -> None:
        """Replace the end of the way by that of a random game which reaches the fault sooner."""
        rng = random.Random(0)
        path = self._positions(budget)
        while len(self.way) > 1:
            at = rng.randrange(len(self.way) - 1)
            state, made = path[at], list[Move]()
            while state.to_move is not None and at + len(made) < len(self.way) - 1:
                made.append(rng.choice(self.game.legal_moves(state)))
                try:
                    state = self.game.apply(state, made[-1])
                except Fault as found:
                    if same_fault(found, self.fault):
                        self.way = [*self.way[:at], *made]
                        path = self._positions(budget)
                    budget.spend(cost_of(self.game, found))
                    break
                budget.spend(cost_of(self.game, state))
            else:
                budget.spend()

    def make_plainer(self, budget: Budget) -> None:
        """Replace decisions by earlier ones in the order of the rule file, where that leads to the fault too."""
        state = self.start
        for at, move in enumerate(self.way[:-1]):
            for other in self.game.legal_moves(state):
                if other == move:
                    break
                rest = follow(self.game, state, [other, *self.way[at + 1 :]], self.fault, budget)
                if rest and len(rest) == len(self.way) - at:
                    self.way = [*self.way[:at], *rest]
                    break
            state = self.game.apply(state, self.way[at])
            budget.spend(cost_of(self.game, state))

    def _positions(self, budget: Budget) -> list[State]:
        """Return the position before each decision."""
        path = [self.start]
        for move in self.way[:-1]:
            path.append(self.game.apply(path[-1], move))
            budget.spend(cost_of(self.game, path[-1]))
        return path


def _shortest(game: Game, start: State, fault: Fault, deepest: int, budget: Budget) -> list[Move] | None:
    """Return the shortest way of at most `deepest` decisions; None if there is none."""
    seen = {start}
    level: list[tuple[State, tuple[Move, ...]]] = [(start, ())]
    for _ in range(deepest):
        following: list[tuple[State, tuple[Move, ...]]] = []
        for state, made in level:
            for move in game.legal_moves(state):
                try:
                    after = game.apply(state, move)
                except Fault as found:
                    if same_fault(found, fault):
                        return [*made, move]
                    budget.spend(cost_of(game, found))
                    continue
                budget.spend(cost_of(game, after))
                if after not in seen and after.to_move is not None:
                    seen.add(after)
                    following.append((after, (*made, move)))
        level = following
    return None
