"""A tree of what players may decide, grown where it looks best: natively, and the same in Python.

    tree = game.tree(seed=1, room=3000)
    tree.grow(state, 3000)                        # as many passes from this position
    tree.tried()[0].move                          # the move that was tried most

A pass follows the tree by decisions, makes one new node, and plays on by guesses for two rounds. Chance is decided
anew in every pass, so that one tree serves all that may come; a caller who does not know the whole position may deal it
anew before any pass. A guess is the best liked of a few random moves: what was chosen in earlier passes, each value alone and
every two together, is liked by how these passes ended for the player. A tree belongs to one thread at a time.

INVARIANT: both trees decide the same from the same seed, number by number. So numbers are whole or have 64 bits, and there
are only sums, products and quotients of them, in the same order: what needs roots comes from tables.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cache
from math import sqrt
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from interpreter.compile.actions import Actions
from interpreter.fault import Fault
from interpreter.layout import BLOCK
from interpreter.run.compiled import PythonCode
from interpreter.run.library import AGAIN, FIRST_FUEL, MOST_FUEL, QUICK, SLOW, WAITS, Library, TreeRecord
from interpreter.run.runtime import Run
from interpreter.run.verbs import NativeState
from interpreter.seeds import FACTOR, TERM, random_state
from interpreter.state import Args, Group, Move, State

if TYPE_CHECKING:
    from interpreter.compile.program import Program

VALUES = 6  # chosen values of a move that count for habits: the first ones and the last
HABITS = VALUES * (VALUES + 1) // 2  # of one move, at most
SHIFT = 64 - 14  # bits of a mixed number that are no part of a habit's
TASTES = 1 << 64 - SHIFT  # habits that are told apart
MOST_NODES = 100_000  # of one tree: later passes make none
COUNTED = 10_000  # times that a move was tried, or could be, beyond which more make no difference
SURELY = 1e300  # the hope of a move that wins
MOST, LEAST = 10_000, 0.001  # of each number of a manner,
NOTHING = ("least", "explore", "fresh", "later", "win", "envy")  # but for these, which may be 0
MOST_KEPT = 50_000  # moves of which the habits are kept for the next time
_MASK = 2**64 - 1

Named = Callable[[int, Args], Move]  # the move with a number in the rules and what is chosen
Step = tuple[int, int, int, bool]  # a node; who decides, among how many moves with open ends; whether one ends shared
Path = list[Step]
Notes = list[tuple[tuple[int, ...], int]]  # habits, and who has them


def never() -> bool:
    """Return that it is never enough."""
    return False


def nobody(seconds: float) -> None:
    """Do nothing: nobody wants to know how long it took."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How passes are made, and what they are worth."""

    rounds: int = 2  # of a pass; a round ends where chance follows scoring
    least: int = 10  # decisions of players in a pass, before it ends with a round,
    steps: int = 300  # and at most
    tries: int = 3  # random moves of which a guess is the best liked
    explore: float = 1.0  # how much it counts that a move was tried seldom, in usual differences of value
    habit: float = 5.0  # passes that count as much as how well the values of a move are liked
    doubt: float = 10.0  # times that a value was chosen of which half counts
    share: float = 0.4  # how much each value, and every two, add to how well a move is liked
    fresh: float = 1.0  # how much better than that a move is taken to be that was not tried, in usual differences
    later: float = 0.35  # how much it counts what comes after the first round
    win: float = 1.0  # the prize of the winner, in usual differences
    envy: float = 0.5  # how much it counts against a player what the best of the others has

    def __post_init__(self) -> None:
        for one in fields(self):
            least, value = (
                0 if one.name in NOTHING else 1 if type(one.default) is int else LEAST,
                getattr(self, one.name),
            )
            if not least <= value <= MOST:
                raise ValueError(f"expected `{one.name}` from {least} to {MOST}, found {value}")


USUAL = Manner()


@dataclass(frozen=True, slots=True)
class Tried:
    """A move at the root of a tree: how many passes tried it, and the mean of what they were worth to who decides."""

    move: Move
    visits: int
    worth: float
    sure: int  # 1: it wins, -1: somebody else wins, whatever the players do


class Tree(Protocol):
    """A tree that grows by passes."""

    @property
    def made(self) -> int:
        """Return how many passes were made."""

    @property
    def seen(self) -> int:
        """Return how many of them had no fault."""

    @property
    def is_settled(self) -> bool:
        """Return whether it is sure how the game ends: no pass says more."""

    def grow(self, state: State, passes: int, enough: Callable[[], bool] = never) -> Fault | None:
        """Make passes from a position in which a player decides. Return the fault of the last one, if it had one.

        ValueError if nobody decides there.
        A pass with a fault counts for nobody, and is the last one for now. `enough` is asked now and then: once it is
        true, no further pass is begun, nor this one finished.
        """

    def tried(self) -> list[Tried]:
        """Return the moves that were tried at the root: first one that wins, then the one that was tried most."""


@cache
def _tables() -> tuple[array[float], array[float]]:
    """Return how much it counts that a move could be tried n times, and that it was tried n times, for all n below COUNTED."""
    wide = array("d", [sqrt(_logarithm(n + 1)) for n in range(COUNTED)])
    near = array("d", [1.0, *(1 / sqrt(n) for n in range(1, COUNTED))])
    return wide, near


def _logarithm(n: int) -> float:
    """Return about the binary logarithm: it is exact for powers of 2, on straight lines between them, and the same everywhere."""
    whole = n.bit_length() - 1
    return whole + (n - (1 << whole)) / (1 << whole)


def _check(state: State) -> None:
    if not state.to_move:
        raise ValueError("a tree grows from a position in which a player decides")


def _ordered(found: list[Tried]) -> list[Tried]:
    return sorted(found, key=lambda tried: (-tried.sure, -tried.visits, -tried.worth))


def _sure(sure: int, who: int, players: int) -> int:
    """Return whether a player wins who wins if that is sure; see `Tried`."""
    return 0 if not 0 < sure <= players else 1 if sure == who else -1


class NativeTree:
    """A tree that the native library grows."""

    def __init__(
        self,
        library: Library,
        actions: Actions,
        named: Named,
        limit: int,
        seed: int,
        room: int,
        manner: Manner,
        known: bool,
    ) -> None:
        self._library, self._actions, self._named = library, actions, named
        room = max(0, min(room, MOST_NODES)) + 1  # the root is one
        slots = 1 << (2 * room - 1).bit_length()
        wide, near = _tables()
        self._record = record = TreeRecord(fuel=FIRST_FUEL, room=room, used=1, slots=slots, counted=COUNTED)
        record.limit, record.known = limit, known
        record.random = random_state(seed)
        for one in fields(manner):
            setattr(record, one.name, getattr(manner, one.name))
        many = {"root": library.size, "state": library.size, "child": slots, "tasted": TASTES}
        many |= dict.fromkeys(("parent", "action", "visits", "open", "sure"), room)
        many |= {"path": 4 * manner.steps, "notes": 2 * HABITS * manner.steps}
        self._numbers = {name: array("i", bytes(4 * n)) for name, n in many.items()}
        many = {"sum": room, "taste": TASTES} | dict.fromkeys(("mean", "usual", "soon"), library.players)
        self._values = {"wide": wide, "near": near} | {name: array("d", bytes(8 * n)) for name, n in many.items()}
        addresses = {name: numbers.buffer_info()[0] for name, numbers in self._numbers.items()}
        addresses |= {name: values.buffer_info()[0] for name, values in self._values.items()}
        for name, address in addresses.items():
            setattr(record, name, address)
        record.work = library.open_work(self)
        self.made = 0

    @property
    def seen(self) -> int:
        return int(self._record.seen)

    @property
    def is_settled(self) -> bool:
        return bool(self._record.settled)

    def grow(self, state: State, passes: int, enough: Callable[[], bool] = never) -> Fault | None:
        _check(state)
        record, root = self._record, self._numbers["root"]
        root[:] = array("i", state.packed if type(state) is NativeState else state.vector)
        assert len(root) == self._library.size
        record.passes, record.decisions, record.going, record.status = passes, state.decisions, 0, WAITS
        code = AGAIN
        try:
            while code == AGAIN and not enough():  # an exception of a signal handler is raised between two calls
                begin = monotonic()
                code = self._library.call_search(ctypes.addressof(record))
                spent = monotonic() - begin
                if spent > SLOW:
                    record.fuel = max(FIRST_FUEL, record.fuel // 4)
                elif code == AGAIN and spent < QUICK and record.fuel < MOST_FUEL:
                    record.fuel *= 4
        finally:
            self.made += passes - record.passes
        if record.status == WAITS:
            return None
        error = self._library.fault(record.status, record.value, record.limit)
        if isinstance(error, Fault):
            return error
        raise error

    def tried(self) -> list[Tried]:
        parent, action, visits, sure = (self._numbers[name] for name in ("parent", "action", "visits", "sure"))
        sums, found, who, players = self._values["sum"], [], self._record.player, self._library.players
        for node in range(1, self._record.used):
            if parent[node] == 0 and visits[node]:
                move = self._named(*self._actions.move(action[node]))
                worth = sums[node] / visits[node]
                found.append(Tried(move, visits[node], worth, _sure(sure[node], who, players)))
        return _ordered(found)


# in Python -----------------------------------------------------------------------------------------------


class _Words:
    """Random numbers of 32 bits, as the native library has them."""

    def __init__(self) -> None:
        self.state = 0

    def word(self) -> int:
        self.state = state = self.state * FACTOR + TERM & _MASK
        return (state >> 32 ^ state) & 0xFFFFFFFF

    def below(self, n: int) -> int:
        return self.word() * n >> 32


class _Enough(Exception):
    """A pass is given up: no more of them are wanted."""


class PythonTree:
    """The same tree, grown in Python."""

    def __init__(
        self,
        code: PythonCode,
        program: Program,
        players: int,
        named: Named,
        limit: int,
        seed: int,
        room: int,
        manner: Manner,
        known: bool,
        took: Callable[[float], None] = nobody,
    ) -> None:
        """`code` is the program that decides at random; `took` is told how many seconds passes took."""
        self._code, self._program, self._players = code, program, players
        self._ranks = [code.functions[f"f{number}"] for number in program.ranks]
        self._named, self._took, self._limit, self._manner, self._known = named, took, limit, manner, known
        self._room = max(0, min(room, MOST_NODES)) + 1
        self._wide, self._near = _tables()
        self._random, self._words = random_state(seed), _Words()
        self._children: list[dict[tuple[int, Args], int]] = [{}]  # of each node, by the rule and what is chosen
        self._visits, self._open, self._sum = [0], [0], [0.0]
        self._sure = [
            0
        ]  # who is sure to win after each, one more than there are players if no one alone; 0: it is not known
        self._player = 0  # who decides at the root
        self._taste, self._tasted = [0.0] * TASTES, [0] * TASTES
        self._mean, self._usual = [0.0] * players, [0.0] * players  # values of passes with prizes, and without
        self._apart = 0.0  # what values differed from the usual ones
        self._habits: dict[tuple[int, int, Args], tuple[int, ...]] = {}
        self.made = self.seen = 0

    def grow(self, state: State, passes: int, enough: Callable[[], bool] = never) -> Fault | None:
        _check(state)
        begin = monotonic()
        try:
            for _ in range(passes):
                if (fault := self._pass(state, enough)) is not None:
                    return fault
        except _Enough:
            pass
        finally:
            self._took(monotonic() - begin)
        return None

    @property
    def is_settled(self) -> bool:
        return self._sure[0] > 0

    def tried(self) -> list[Tried]:
        found = []
        for (rule, args), node in self._children[0].items():
            if visits := self._visits[node]:
                sure = _sure(self._sure[node], self._player, self._players)
                found.append(Tried(self._named(rule, args), visits, self._sum[node] / visits, sure))
        return _ordered(found)

    def _pass(self, state: State, enough: Callable[[], bool]) -> Fault | None:
        self._random = self._words.state = random_state(self._random)
        path: Path = []
        notes: Notes = []
        fault = None
        try:
            end, certain, soon = self._walk(state, path, notes, enough)
            values, prizes = self._worth(end)
            if soon is not None:
                values = [one + self._manner.later * (value - one) for one, value in zip(soon, values, strict=True)]
        except Fault as found:
            fault, values = found, self._mean
        else:
            self._learn(values, prizes, notes)
            if certain and not end[BLOCK] and len(path) == len(notes) and self._players > 1:
                self._settle(path, prizes)
        for node, who, _, _ in path:
            self._visits[node] += 1
            self._sum[node] += values[who - 1]
        self.made += 1
        return fault

    def _walk(
        self, state: State, path: Path, notes: Notes, enough: Callable[[], bool]
    ) -> tuple[list[int], bool, list[float] | None]:
        """Return the end of a pass: the game is over, or rounds have ended after enough decisions, or there were many.

        With it comes whether the same decisions lead to the same position, as chance decided nothing, and what a position
        was worth after the first round.
        """
        code, manner = self._code, self._manner
        vector, run, made, certain = list(state.vector), Run(self._limit, state.decisions), 0, self._known
        words, ended, soon = self._words, 0, None
        run.word = words.word
        block = vector[BLOCK]
        node: int | None = 0  # where the pass is in the tree; None: below it
        while True:
            if enough():
                raise _Enough
            run.rounds = 1
            random = words.state
            code.go(vector, run, block)
            certain = certain and words.state == random
            at = vector[BLOCK]
            if at and at not in code.asks:
                soon = self._worth(vector)[0] if soon is None else soon
                ended += 1
                if ended < manner.rounds or made < manner.least:
                    block = at
                    continue
            if at not in code.asks or made == manner.steps:
                return vector, certain, soon
            if run.more <= 0:
                raise self._endless(at)
            who, groups = code.asks[at](vector, run)
            if node is None:
                number, args = self._usual_move(who, groups)
            else:
                number, args, node = self._best_move(node, who, groups, path)
            notes.append((self._habits_of(who, number, args), who))
            run.more -= 1
            run.idle = 0
            made += 1
            block = code.plays[at](vector, run, number, args)

    def _endless(self, at: int) -> Fault:
        entry = self._program.faults[self._program.decisions[at].endless]
        return entry.fault(self._limit) if entry.has_value else entry.fault()

    # which move ------------------------------------------------------------------------------------------

    def _best_move(self, node: int, who: int, groups: Sequence[Group], path: Path) -> tuple[int, Args, int | None]:
        """Return the move that looks best, by what came of it so far, and the better the less it was tried.

        With it comes its node; None if it is a new one.
        """
        manner, spread, children, moves = self._manner, self._spread, self._children[node], self._program.moves
        best: tuple[int, Args] | None = None
        most, ties, unsure, shared = 0.0, 0, 0, False
        nobody = self._players + 1
        for number, first, last in groups:
            rule = moves[number]
            for value in last:
                args = first if value is None else (*first, value)
                child = children.get((rule, args))
                hope = self._liking(who, number, args)
                if child is None:
                    hope += manner.fresh * spread
                else:
                    tried = self._visits[child]
                    hope = (self._sum[child] + manner.habit * hope) / (tried + manner.habit)
                    could = self._open[child] = min(self._open[child] + 1, COUNTED - 1)
                    hope += manner.explore * spread * self._wide[could] * self._near[min(tried, COUNTED - 1)]
                sure = 0 if child is None else self._sure[child]
                unsure, shared = unsure + (not sure), shared or sure == nobody
                if sure and sure != nobody:
                    hope = SURELY if sure == who else -SURELY
                if best is None or hope > most:
                    ties = 1
                elif hope < most:
                    continue
                else:
                    ties += 1
                    if self._words.below(ties):
                        continue
                best, most = (number, args), hope
        assert best is not None
        number, args = best
        child = children.get((moves[number], args))
        inside = child is not None
        if child is None:
            if len(self._children) == self._room:
                return number, args, None
            child = children[moves[number], args] = len(self._children)
            self._children.append({})
            for numbers in (self._visits, self._open, self._sure):
                numbers.append(0)
            self._sum.append(0.0)
        if node == 0:
            self._player = who
        path.append((child, who, unsure, shared))
        return number, args, child if inside else None

    def _usual_move(self, who: int, groups: Sequence[Group]) -> tuple[int, Args]:
        """Return the best liked of a few random moves."""
        total = sum([len(last) for _, _, last in groups])
        best: tuple[int, Args] | None = None
        most = 0.0
        for _ in range(self._manner.tries):
            number, args = _move_at(groups, self._words.below(total))
            hope = self._liking(who, number, args)
            if best is None or hope > most:
                best, most = (number, args), hope
        assert best is not None
        return best

    def _liking(self, who: int, number: int, args: Args) -> float:
        """Return what a move is worth if each of its habits makes a pass better, the less the less often that was seen."""
        mean, total, doubt = self._mean[who - 1], 0.0, self._manner.doubt
        for habit in self._habits_of(who, number, args):
            times = self._tasted[habit]
            total += (self._taste[habit] - mean) * times / (times + doubt)
        return mean + self._manner.share * total

    def _habits_of(self, who: int, number: int, args: Args) -> tuple[int, ...]:
        """Return the habits that a move belongs to: each of its values alone, and every two of them together."""
        found = self._habits.get((who, number, args))
        if found is None:
            if len(self._habits) >= MOST_KEPT:
                self._habits.clear()
            found = self._habits[who, number, args] = _habits(who, number, args)
        return found

    # what comes of it ------------------------------------------------------------------------------------

    @property
    def _spread(self) -> float:
        """The usual difference of value between passes."""
        return self._apart / (self.seen - 1) if self.seen > 1 and self._apart > 0 else 1.0

    def _worth(self, vector: list[int]) -> tuple[list[float], list[int]]:
        """Return the value of a position for each player: how they stand, less what they grudge the best of the others.

        Prizes are 1 for the winner, -1 for those who lost, 0 for those who share the victory and while the game goes on.
        """
        over = not vector[BLOCK]
        lines = self._ranks if over else self._ranks[:1]
        players = range(self._players)
        found = [[int(line(vector, None, p + 1)) for line in lines] for p in players]
        values, prizes = [float(rank[0]) for rank in found], [0] * self._players
        for p in players if self._players > 1 else ():
            others = [found[q] for q in players if q != p]
            values[p] -= self._manner.envy * max(other[0] for other in others)
            if over:
                prizes[p] = -1 if max(others) > found[p] else int(found[p] not in others)
        return values, prizes

    def _settle(self, path: Path, prizes: list[int]) -> None:
        """Mark decisions after which it is sure how the game ends: that is now, or a player can choose it, or nothing else."""
        nobody = self._players + 1
        sure = prizes.index(1) + 1 if 1 in prizes else nobody
        for node, who, unsure, shared in reversed(path):
            unsure -= not self._sure[node]
            self._sure[node] = sure
            if sure == who:
                continue
            if self._players > 2 or unsure:
                return
            if shared:
                sure = nobody
        self._sure[0] = sure

    def _learn(self, values: list[float], prizes: list[int], notes: Notes) -> None:
        prize, apart = self._manner.win * self._spread, 0.0
        self.seen += 1
        for p in range(self._players):
            more = values[p] - self._usual[p]
            apart += abs(more)
            self._usual[p] += more / self.seen
            values[p] += prizes[p] * prize
            self._mean[p] += (values[p] - self._mean[p]) / self.seen
        if self.seen > 1:
            self._apart += apart / self._players
        taste, tasted = self._taste, self._tasted
        for habits, who in notes:
            value = values[who - 1]
            for habit in habits:
                tasted[habit] += 1
                taste[habit] += (value - taste[habit]) / tasted[habit]


def _move_at(groups: Sequence[Group], place: int) -> tuple[int, Args]:
    """Return the move at a place in the list of legal moves, from 0."""
    for number, first, last in groups:
        if place < len(last):
            return number, first if last[place] is None else (*first, last[place])
        place -= len(last)
    raise AssertionError(place)


def _habits(who: int, number: int, args: Args) -> tuple[int, ...]:
    move = random_state((who << 32) + number)
    if not args:
        return (move >> SHIFT,)
    values: list[int] = []
    found = []
    for place, chosen in (*enumerate(args[:-1][: VALUES - 1], 1), (VALUES, args[-1])):
        value = move + (place << 32)
        for n in chosen if isinstance(chosen, tuple) else (chosen,):
            value = random_state(value + (n & 0xFFFFFFFF) & _MASK)
        found += [(other + value) * FACTOR % 2**64 >> SHIFT for other in values]
        found.append((value & _MASK) >> SHIFT)
        values.append(value)
    return tuple(found)
