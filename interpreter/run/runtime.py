"""Functions that programs call while they run, and what a run keeps besides the position."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import compress
from operator import itemgetter
from typing import Any

from interpreter.fault import IDLE_LIMIT, LIMIT, TRIES, Fault
from interpreter.layout import note
from interpreter.state import EVERYBODY, Group
from rulespec.checks.work import MOST_TRIED
from rulespec.syntax import MOST_NOTED

MOST_WAYS_KEPT = 200  # ways to choose pieces together that are kept for the next time


class Run:
    """Everything a run touches besides the vector."""

    __slots__ = (
        "decisions",
        "groups",
        "idle",
        "limit",
        "log",
        "marks",
        "more",
        "moved",
        "rounds",
        "scored",
        "steps",
        "trail",
        "who",
        "word",
    )

    def __init__(self, limit: int = LIMIT, decisions: int = 0) -> None:
        self.word: Callable[[], int] | None = None  # random numbers of 32 bits; None: chance is left open
        self.decisions = decisions  # made before this run
        self.limit = limit  # of decisions,
        self.more = limit - decisions  # and those that may still be made
        self.trail: list[tuple[int, Any]] = []  # decisions made in this run by chance, or at random: (move, choice)
        self.log: list[tuple[int, int, int, tuple[int, ...], int, int, tuple[Any, ...]]] = []
        self.groups: list[Group] = []
        self.who = 0
        self.idle = 0
        self.marks: set[int] = set()  # branches that rule coverage asked about
        self.moved: list[tuple[int, int, int, int]] = []  # (from, to, kind, how many), in a program that says it
        self.steps = 0  # of a rollout: decisions of players still to make,
        self.rounds = 0  # how often chance may still come after somebody scored,
        self.scored = 0  # and whether somebody scored


DRAW, ROLL = -1, -2  # in place of a move's number where chance decided


def record_points(
    run: Run, player: int, lines: list[tuple[int, tuple[int, ...], int, tuple[Any, ...]]], gained: int
) -> None:
    """Log the lines of one sum; if the score was held at a bound, the last lines absorb the difference."""
    number = run.decisions + len(run.trail)
    held = gained - sum(line[2] for line in lines)
    out = []
    for rule, args, points, shown in reversed(lines):
        give = 0
        if held > 0 and points < 0:
            give = min(held, -points)
        elif held < 0 and points > 0:
            give = max(held, -points)
        held -= give
        if points:
            out.append((number, player, rule, args, points, points + give, shown))
    run.log += reversed(out)


def drawn_choice(
    offered: Callable[..., Any], is_legal: Callable[..., Any], vector: Sequence[int], words: Callable[[], int]
) -> tuple[int, tuple[Any, ...]] | None:
    """Return a legal choice that is drawn by random numbers of 32 bits, and the number of its move; None if that does not succeed soon."""
    move, given, rows, values = offered(vector, None)
    many = len(rows) * len(values)
    for _ in range(TRIES if many else 0):
        row, last = divmod(words() * many >> 32, len(values))
        chosen = rows[row] if isinstance(rows[row], tuple) else (rows[row],)
        if is_legal(vector, None, *given, *chosen, values[last]):
            return move, (*chosen, values[last])
    return None


def record_told(run: Run, text: int, shown: tuple[Any, ...], to: tuple[int, ...] = ()) -> None:
    """Log that something was told: the number of the step, and what it shows."""
    run.log.append((run.decisions + len(run.trail), EVERYBODY, text, to, 0, 0, shown))


def record_shown(run: Run, vector: list[int], text: int, places: Sequence[int], width: int, to: Sequence[int]) -> None:
    """Log that places were shown to players: each place once, by its address, with the numbers that say what lies there."""
    record_told(run, text, tuple([(at, *vector[at : at + width]) for at in dict.fromkeys(places)]), tuple(to))


def store_list(vector: list[int], at: int, items: Any) -> None:
    """Keep a list in a frame: its length, then its items."""
    values = list(items)
    vector[at] = len(values)
    vector[at + 1 : at + 1 + len(values)] = values


def several(counts: tuple[int, ...], least: int, most: int) -> tuple[tuple[int, ...], ...]:
    """Return all ways to take least..most pieces from these counts, each once, most of the first kind first."""
    most = max(0, most)
    few = tuple([n if n < most else most for n in counts])
    ways = 1
    for n in few:
        ways *= n + 1
        if ways > MOST_WAYS_KEPT:
            return _all_ways(few, least, most)
    return _few_ways(few, least, most)


def _all_ways(counts: tuple[int, ...], least: int, most: int) -> tuple[tuple[int, ...], ...]:
    """Count up like a clock from the most of the first kinds: every state it stops at is a way, so nothing is wasted."""
    if any(n < 0 for n in counts):
        return ()
    found: list[tuple[int, ...]] = []
    kinds = [i for i, n in enumerate(counts) if n]
    rest = [0] * (len(kinds) + 1)  # pieces of this kind and those after it
    for j in range(len(kinds) - 1, -1, -1):
        rest[j] = rest[j + 1] + counts[kinds[j]]
    if least > min(most, rest[0]):
        return ()
    taken, left, j = [0] * len(counts), most, 0
    used: list[int] = []  # the kinds of which some are taken, in their order
    while True:
        while left and j < len(kinds):  # as many as can be
            taken[kinds[j]] = n = min(counts[kinds[j]], left)
            left -= n
            used.append(j)
            j += 1
        found.append(tuple(taken))
        while used:  # the last kind of which one fewer leaves enough
            j = used[-1]
            if most - left - 1 + min(left + 1, rest[j + 1]) >= least:
                taken[kinds[j]] -= 1
                left += 1
                if not taken[kinds[j]]:
                    used.pop()
                j += 1
                break
            left += taken[kinds[j]]
            taken[kinds[j]] = 0
            used.pop()
        else:
            return tuple(found)


_few_ways = lru_cache(maxsize=5_000)(_all_ways)  # the same few pieces are chosen from again and again


Rows = Sequence[tuple[int, int]]  # values and their weights, all above 0


def drawn(rows: Rows, word: int) -> int:
    """Return one of the values by its weight, as a random number of 32 bits says."""
    left = word * sum([n for _, n in rows]) >> 32
    for value, n in rows:
        left -= n
        if left < 0:
            return value
    raise AssertionError(rows)


def tried(steps: Callable[..., None], look: Callable[..., int], vector: Sequence[int], *names: Any) -> int:
    """Return what a function finds in a copy of the position after some steps; 0 if these have a fault."""
    copy, run = list(vector), Run()
    run.idle = IDLE_LIMIT - MOST_TRIED
    try:
        steps(copy, run, *names)
    except Fault:
        return 0  # it comes when the move is played
    return look(copy, None, *names)


def remember(vector: list[Any], number: int, stretches: tuple[tuple[int, int], ...]) -> bool:
    """Note how stretches of a position are now; return whether that is too much."""
    values = [n for first, end in stretches for n in vector[first:end]]
    vector[-1] = (*vector[-1], note(number, values))
    return len(vector[-1]) > MOST_NOTED


def repeats(vector: Sequence[Any], number: int, stretches: tuple[tuple[int, int], ...]) -> int:
    """Return how often stretches of a position were noted just as they are now; 0 in one that is numbers alone."""
    noted = vector[-1]
    if not isinstance(noted, tuple):
        return 0
    values = [n for first, end in stretches for n in vector[first:end]]
    return noted.count(note(number, values))


RUNTIME = {
    f.__name__: f
    for f in (
        compress,
        drawn,
        itemgetter,
        record_points,
        record_shown,
        record_told,
        remember,
        repeats,
        several,
        store_list,
        tried,
    )
}
