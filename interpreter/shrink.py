"""The shortest way to a fault: from the decisions of a long random game to the few that matter.

Each pass has a bounded amount of work, so that the result is the same on every machine:

1. Decisions are left out, many at once at first, then one by one. What is no longer possible then is skipped.
2. Luck: from positions on the way, random games look for the fault sooner.
3. Shortcuts: from each position on the way, all ways onward are looked at, as far as that is cheaper than the known one.
4. From the start, all ways are looked at in order of their length. If this comes to its end, no way is shorter.

Last, decisions that do not matter become the first one possible, so that those that matter stand out.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.game import Game
from interpreter.runtime import Fault
from interpreter.state import Move, State
from rulespec.diagnostics import Span

MOST_WORK = 30_000  # decisions tried for one fault, in each pass


@dataclass(frozen=True, slots=True)
class Way:
    """Decisions that end in a fault. `shortest` if all shorter ways were looked at."""

    decisions: tuple[Move, ...]
    shortest: bool = False


@dataclass(slots=True)
class _Work:
    """Decisions that may still be tried."""

    left: int

    def spend(self) -> bool:
        self.left -= 1
        return self.left >= 0


def fault_key(fault: Fault) -> tuple[Span, str]:
    """The same for faults with one cause: where, and how the message begins; which piece has no room is an accident."""
    return fault.span, " ".join(fault.message.split()[:3])


def same_fault(one: Fault, other: Fault) -> bool:
    return fault_key(one) == fault_key(other)


def shrink(game: Game, decisions: Sequence[Move], fault: Fault, most: int = MOST_WORK) -> Way:
    """The shortest way to the fault that can be found; the decisions given must lead to it."""
    try:
        start = game.start()
    except Fault:
        return Way((), shortest=True)  # nothing needs to be decided
    way = _left_out(game, start, list(decisions), fault, _Work(most))
    way = _lucky(game, start, way, fault, _Work(most))
    way = _shortened(game, start, way, fault, _Work(most))
    better, complete = _search(game, start, fault, len(way) - 1, _Work(most))
    way = _plainer(game, start, better or way, fault, _Work(most))
    return Way(tuple(way), complete)


def fault_after(game: Game, decisions: Sequence[Move]) -> Fault | None:
    """The fault that these decisions end in."""
    try:
        state = game.start()
        for move in decisions:
            state = game.apply(state, move)
    except Fault as fault:
        return fault
    return None


def follow(
    game: Game, state: State, wanted: Sequence[Move], fault: Fault, work: _Work | None = None
) -> list[Move] | None:
    """The decisions that lead from a position to the fault, of those wanted that are possible; None if they do not."""
    made: list[Move] = []
    for move in wanted:
        if state.to_move is None:
            return None
        if not game.is_legal(state, move):
            continue
        if work is not None and not work.spend():
            return None
        made.append(move)
        try:
            state = game.apply(state, move)
        except Fault as found:
            return made if same_fault(found, fault) else None
    return None


def _left_out(game: Game, start: State, way: list[Move], fault: Fault, work: _Work) -> list[Move]:
    """The way without stretches it does not need."""
    size = len(way) // 2
    while size and work.left > 0:
        path = _positions(game, start, way)
        at = len(way) - size
        while at >= 0 and work.left > 0:
            rest = follow(game, path[at], way[at + size :], fault, work)
            if rest is not None:
                way = [*way[:at], *rest]
            at = min(at - size, len(way) - size)
        size //= 2
    return way


def _lucky(game: Game, start: State, way: list[Move], fault: Fault, work: _Work) -> list[Move]:
    """The way with its end replaced by that of a random game which comes to the fault sooner."""
    rng = random.Random(0)
    path = _positions(game, start, way)
    while work.left > 0 and len(way) > 1:
        at = rng.randrange(len(way) - 1)
        state, made = path[at], list[Move]()
        while state.to_move is not None and at + len(made) < len(way) - 1 and work.spend():
            made.append(rng.choice(game.legal_moves(state)))
            try:
                state = game.apply(state, made[-1])
            except Fault as found:
                if same_fault(found, fault):
                    way = [*way[:at], *made]
                    path = _positions(game, start, way)
                break
    return way


def _shortened(game: Game, start: State, way: list[Move], fault: Fault, work: _Work) -> list[Move]:
    """The way with its end replaced by a shorter one, the last positions first."""
    path = _positions(game, start, way)
    share = max(200, work.left // max(1, len(way)))
    for at in range(len(way) - 2, -1, -1):
        if work.left <= 0:
            break
        mine = _Work(min(share, work.left))
        work.left -= mine.left
        found, _ = _search(game, path[at], fault, len(way) - at - 1, mine)
        work.left += max(0, mine.left)
        if found is not None:
            way = [*way[:at], *found]
    return way


def _plainer(game: Game, start: State, way: list[Move], fault: Fault, work: _Work) -> list[Move]:
    """The way with decisions replaced by earlier ones in the order of the rule file, where that leads there too."""
    state = start
    for at, move in enumerate(way[:-1]):
        for other in game.legal_moves(state):
            if other == move:
                break
            if (rest := follow(game, state, [other, *way[at + 1 :]], fault, work)) and len(rest) == len(way) - at:
                way = [*way[:at], *rest]
                break
        state = game.apply(state, way[at])
    return way


def _positions(game: Game, state: State, way: Sequence[Move]) -> list[State]:
    """The position before each decision."""
    path = [state]
    for move in way[:-1]:
        path.append(game.apply(path[-1], move))
    return path


def _search(game: Game, start: State, fault: Fault, deepest: int, work: _Work) -> tuple[list[Move] | None, bool]:
    """The shortest way of at most `deepest` decisions, and whether all of them were looked at."""
    seen = {start}
    level: list[tuple[State, tuple[Move, ...]]] = [(start, ())]
    for _ in range(deepest):
        following: list[tuple[State, tuple[Move, ...]]] = []
        for state, made in level:
            for move in game.legal_moves(state):
                if not work.spend():
                    return None, False
                try:
                    after = game.apply(state, move)
                except Fault as found:
                    if same_fault(found, fault):
                        return [*made, move], True
                    continue
                if after not in seen and after.to_move is not None:
                    seen.add(after)
                    following.append((after, (*made, move)))
        level = following
    return None, True
