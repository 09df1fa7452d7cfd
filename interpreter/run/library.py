"""A native library, and n games that it plays in buffers of ours.

    library = Library(loaded, faults)             # from `interpreter.compile.build`
    games = Games(library, 1000)
    games.seed(0)                                 # seeds 0, 1, 2, …
    games.play()                                  # to their ends, everybody at random
    games.outcomes()                              # then `places` has every player's place

A call into the library comes back after a bounded amount of work and is made again until everything is done, so that signals are
handled between two calls. A call does not hold Python's global lock. `Games` belongs to one thread at a time; libraries are shared.
"""

from __future__ import annotations

import ctypes
import mmap
import sys
import weakref
from array import array
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import count
from time import monotonic

from interpreter.fault import LIMIT, FaultCode, FaultEntry
from interpreter.seeds import WORDS, chance_block, random_state

RANDOM, DECISIONS, STEPS, ROUNDS, SCORED, STATUS, VALUE, PLAYER, IDLE, FIELDS = range(10)  # of one game, as in the C
WAITS, GOING, FULL, FAULT = 0, 1, 2, 8  # the status of a game; from FAULT on: the number of the fault
DONE, AGAIN, ROOM, ILLEGAL, WORDS_WANTED, SPOILT = range(6)  # what a call returns
MOST_SEEN = 16  # numbers on which standings depend, where that is looked at
OVER = -1  # who decides in a game that is over; 0 is chance, players are 1, 2, …
NO_LIMIT = 2**62  # decisions of players to make at random, where nobody says otherwise

FIRST_FUEL = 16  # decisions of the first call,
QUICK, SLOW = 0.01, 0.04  # and seconds: a quicker call may do more the next time, a slower one less
MOST_FUEL = 2**40
LARGE = 2**22  # bytes for which large pages of memory are worth having


class _Batch(ctypes.Structure):
    """`batch` of the C."""

    _fields_ = (
        *((name, ctypes.c_int64) for name in ("n", "next", "fuel", "room", "steps", "rounds", "scored")),
        *((name, ctypes.c_int64) for name in ("limit", "open", "halt", "stage", "bad")),
        *((name, ctypes.c_void_p) for name in ("states", "games", "start", "actions", "offsets", "moves", "weights")),
        *((name, ctypes.c_void_p) for name in ("mask", "places", "reasons", "work", "luck", "trail")),
        *((name, ctypes.c_int64) for name in ("luck_at", "luck_end")),
    )


class TreeRecord(ctypes.Structure):
    """`tree` of the C."""

    _fields_ = (
        *((name, ctypes.c_int64) for name in ("passes", "fuel", "room", "used", "slots", "counted")),
        *((name, ctypes.c_int64) for name in ("rounds", "least", "steps", "tries", "limit", "decisions")),
        *((name, ctypes.c_int64) for name in ("known", "going", "node", "made", "deep", "noted")),
        *((name, ctypes.c_int64) for name in ("inside", "certain", "ended")),
        *((name, ctypes.c_int64) for name in ("seen", "status", "value", "player", "settled")),
        ("random", ctypes.c_uint64),
        *(
            (name, ctypes.c_double)
            for name in ("explore", "habit", "doubt", "share", "fresh", "later", "win", "envy", "spread")
        ),
        *((name, ctypes.c_void_p) for name in ("root", "state", "parent", "action", "visits", "open", "sure")),
        *((name, ctypes.c_void_p) for name in ("sum", "child")),
        *(
            (name, ctypes.c_void_p)
            for name in ("taste", "tasted", "mean", "usual", "soon", "path", "notes", "wide", "near", "work")
        ),
    )


class KeyedRecord(ctypes.Structure):
    """`keyed` of the C."""

    _fields_ = (
        *((name, ctypes.c_int64) for name in ("fuel", "limit", "room", "space", "n", "next", "width")),
        *((name, ctypes.c_int64) for name in ("streams", "rules", "words", "score", "leads", "most")),
        *(
            (name, ctypes.c_int64)
            for name in ("going", "late", "made", "told", "decisions", "rounds", "legal", "single")
        ),
        *((name, ctypes.c_int64) for name in ("first", "changes", "stood", "unknown", "status", "value", "winners")),
        *((name, ctypes.c_uint64) for name in ("seed", "luck", "mark")),
        *((name, ctypes.c_void_p) for name in ("seeds", "counted", "start", "source", "stream", "asked", "here")),
        *((name, ctypes.c_void_p) for name in ("known", "word", "points", "trail", "rows", "standings", "marks")),
        *((name, ctypes.c_void_p) for name in ("state", "work")),
        ("seen", ctypes.c_int32 * MOST_SEEN),
    )


class HalvingRecord(ctypes.Structure):
    """`halving` of the C."""

    _fields_ = (
        *((name, ctypes.c_int64) for name in ("fuel", "limit", "decisions", "steps", "rounds", "me", "score")),
        *((name, ctypes.c_int64) for name in ("phases", "phase", "left", "place", "at", "going", "status", "value")),
        *((name, ctypes.c_void_p) for name in ("root", "actions", "each", "random", "order", "after", "known")),
        *((name, ctypes.c_void_p) for name in ("state", "sums", "counts", "work")),
    )


RECORDS = (_Batch, TreeRecord, KeyedRecord, HalvingRecord)


class IllegalAction(ValueError):
    """An action that is not legal in its game; no game was changed."""

    def __init__(self, game: int, action: int) -> None:
        self.game, self.action = game, action
        super().__init__(f"action {action} is not legal in game {game}")


class GamesStopped(Exception):
    """Another thread stopped these games."""


class Library:
    """The compiled program of one game, for a number of players and a choice of options."""

    def __init__(
        self, loaded: ctypes.CDLL, faults: Callable[[], Sequence[FaultEntry]], prefix: str = "rulespec"
    ) -> None:
        """`faults` gives the faults of the same program; it is asked for them when a game has one.

        A file may hold several programs, each with a prefix of its own.
        """
        self._faults = faults
        facts = (ctypes.c_int32 * 9).in_dll(loaded, f"{prefix}_facts")
        size, players, score, actions, fields, *records = facts
        if fields != FIELDS or records != [ctypes.sizeof(of) for of in RECORDS]:
            raise OSError("the library is not one of this engine")
        self.size = size  # numbers in a position
        self.players = players
        self.score: int | None = score if score >= 0 else None  # where the first player's lies
        self.actions: int | None = actions if actions >= 0 else None  # how many numbers of moves; None: moves have none
        self.start = bytes((ctypes.c_int32 * size).in_dll(loaded, f"{prefix}_begin"))  # the position before `setup`
        for name in ("start", "legal", "step", "random", "games", "outcome", "search", "keyed", "halving"):
            function = getattr(loaded, f"{prefix}_{name}")
            function.argtypes, function.restype = (ctypes.c_void_p,), ctypes.c_int
            setattr(self, f"call_{name}", function)
        self._seeds = getattr(loaded, f"{prefix}_seeds")
        self._seeds.argtypes, self._seeds.restype = (ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int64), None
        self._open, self._close = getattr(loaded, f"{prefix}_open"), getattr(loaded, f"{prefix}_close")
        self._open.argtypes, self._open.restype = (), ctypes.c_void_p
        self._close.argtypes, self._close.restype = (ctypes.c_void_p,), None

    call_start: Callable[[int], int]
    call_legal: Callable[[int], int]
    call_step: Callable[[int], int]
    call_random: Callable[[int], int]
    call_games: Callable[[int], int]
    call_outcome: Callable[[int], int]
    call_search: Callable[[int], int]
    call_keyed: Callable[[int], int]
    call_halving: Callable[[int], int]

    def open_work(self, owner: object) -> int:
        """Return memory for the work of one thread, which is given back when its owner is gone."""
        work: int | None = self._open()
        if not work:
            raise MemoryError("there is no memory for native games")
        weakref.finalize(owner, self._close, work)
        return work

    def seed(self, games: int, first: int, n: int) -> None:
        """Give n games at an address the random numbers of the seeds first, first + 1, …, all of 64 bits."""
        self._seeds(games, first, n)

    def fault(self, status: int, value: int, limit: int) -> Exception:
        """Return the exception for a game with this status."""
        if status == FULL:
            return MemoryError("the legal moves of a position need more memory than a game may use")
        entry = self._faults()[status - FAULT]
        return entry.fault(limit if entry.code is FaultCode.ENDLESS else value) if entry.has_value else entry.fault()


class Caller:
    """Calls a library, again and again until everything is done.

    It holds what games need besides their positions. It belongs to one thread at a time.
    """

    def __init__(self, library: Library, n: int, limit: int) -> None:
        self.library = library
        self.n = n
        self.stopped = False  # set by another thread to end a call soon, by GamesStopped
        self.games = array("q", bytes(8 * FIELDS * n))  # FIELDS of each
        self.reasons = array("i", bytes(4 * n))  # the lines of `winner` that separated the winners from the others
        self._start = array("i", library.start)
        self._batch = _Batch(n=n, limit=limit, fuel=FIRST_FUEL, bad=-1)
        for name in ("games", "reasons"):
            setattr(self._batch, name, _address(getattr(self, name)))
        self._batch.start = _address(self._start)
        self._batch.work = library.open_work(self)
        self._at = ctypes.addressof(self._batch)

    def seed(self, first: int | Iterable[int]) -> None:
        """Give the games the seeds first, first + 1, …, or those that are listed."""
        if isinstance(first, int) and first >= 0 and first + self.n <= 2**64:
            self.library.seed(self._batch.games, first, self.n)
            return
        seeds = range(first, first + self.n) if isinstance(first, int) else first
        for i, seed in enumerate(seeds):
            self.games[i * FIELDS + RANDOM] = _signed(random_state(seed))

    def play(self) -> None:
        """Play all games from the start to their end at random; the first fault ends the call."""
        self._far(NO_LIMIT, 0, False)
        self._batch.halt = 1
        try:
            self._call(self.library.call_games)
        finally:
            self._batch.halt = 0

    def random(self, steps: int = NO_LIMIT, rounds: int = 0, scored: bool = False) -> None:
        """Play on at random, to the end or for `steps` decisions of players. If `rounds`

        are given, until chance has followed scoring that many times; `scored`: somebody has scored.
        """
        self._far(steps, rounds, scored)
        self._call(self.library.call_random)

    def outcomes(self) -> None:
        """Work out the places of all players in games that are over."""
        self._call(self.library.call_outcome)

    def _far(self, steps: int, rounds: int, scored: bool) -> None:
        batch = self._batch
        batch.steps, batch.rounds, batch.scored = min(steps, NO_LIMIT), rounds, scored

    def _call(self, function: Callable[[int], int]) -> None:
        code = function(self._at)
        if code != DONE:
            self._go_on(function, code)
        if self._batch.bad >= 0:
            self._raise()

    def _go_on(self, function: Callable[[int], int], code: int) -> None:
        """Call until everything is done. An exception of a signal handler is raised between two calls."""
        batch = self._batch
        try:
            while code != DONE:
                if self.stopped:
                    raise GamesStopped
                if code != AGAIN:
                    self._help(code)
                begin = monotonic()
                code = function(self._at)
                spent = monotonic() - begin
                if spent < QUICK and batch.fuel < MOST_FUEL:
                    batch.fuel *= 4
                elif spent > SLOW:
                    batch.fuel = max(FIRST_FUEL, batch.fuel // 4)
        finally:
            batch.next = batch.stage = 0

    def _help(self, code: int) -> None:
        """Do what the library needs to continue."""
        raise AssertionError(code)

    def _raise(self) -> None:
        """Raise the fault of the first game that had one in this call."""
        game, self._batch.bad = self._batch.bad, -1
        record = self.games[game * FIELDS : (game + 1) * FIELDS]
        raise self.library.fault(record[STATUS], record[VALUE], self._batch.limit)


class Positions:
    """Memory for the positions of n games, one after the other.

    A page of it is made when it is first written to, by the thread that writes. Many small ones take longer than a game, so
    large ones are asked for where there are any.
    """

    def __init__(self, library: Library, n: int) -> None:
        self.library = library
        self.n = n
        size = max(1, 4 * library.size * n)
        if sys.platform == "win32":
            memory = mmap.mmap(-1, size)
        else:
            memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        if size >= LARGE and hasattr(mmap, "MADV_HUGEPAGE"):
            with suppress(OSError):  # a kernel without them
                memory.madvise(mmap.MADV_HUGEPAGE)
        self._bytes = memoryview(memory)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(memory))

    @property
    def numbers(self) -> memoryview:
        return self._bytes[: 4 * self.library.size * self.n].cast("i")


class Portion(Caller):
    """Some of the games whose positions are in someone else's memory, at most `most` at a time."""

    def __init__(self, library: Library, most: int, limit: int) -> None:
        super().__init__(library, most, limit)
        self.most = most

    def move_to(self, positions: int, n: int, places: int = 0) -> None:
        """Be the n games whose positions lie at an address; places of players are written to another one."""
        assert n <= self.most
        self.n = self._batch.n = n
        self._batch.states, self._batch.places = positions, places


class Games(Caller):
    """n games in buffers: positions, random numbers, who is to decide, legal moves.

    `moves`: legal moves are listed; `mask`: as a mask of all actions too; `open`: chance is left open, and decided as players'
    decisions are. A game with a fault stays as it is from then on, and the call raises the fault of the first such game.
    """

    def __init__(
        self,
        library: Library,
        n: int,
        limit: int = LIMIT,
        *,
        moves: bool = False,
        mask: bool = False,
        open: bool = False,
        luck: bool = False,
    ) -> None:
        """`luck`: chance may decide by the numbers of a seed, see `step_one`."""
        super().__init__(library, n, limit)
        self.states = array("i", bytes(4 * library.size * n))  # one after the other
        self.places = array("i", bytes(4 * library.players * n))  # of the players of each game, the best 1; 0: not over
        self.actions = array("i", bytes(4 * n))
        self.offsets = array("q", bytes(8 * (n + 1)))  # of game i: moves[offsets[i]:offsets[i + 1]]
        self.moves = array("i", bytes(4 * (16 * n + 48) if moves else 0))
        self.weights = array("i", bytes(4 * len(self.moves) if open else 0))  # of the outcomes of chance
        many = library.actions if mask and library.actions is not None else 0
        self.mask = bytearray(many * n)
        self._batch.open, self._batch.room = open, len(self.moves)
        for name in ("states", "places", "actions", "offsets"):
            setattr(self._batch, name, _address(getattr(self, name)))
        self._batch.mask = (ctypes.addressof(ctypes.c_char.from_buffer(self.mask)) if many else None) or None
        many = WORDS if luck else 0
        self._luck, self._trail = array("I", bytes(4 * many)), array("q", bytes(8 * many))
        self._is_open: bool | None = None  # as the buffers are set for `step_one`; None: not yet
        self._grow(len(self.moves))

    @property
    def limit(self) -> int:
        return int(self._batch.limit)

    def put(self, game: int, vector: Sequence[int], random: int, decisions: int) -> None:
        """Set a position that waits for a decision or is over, the state of its random numbers, and what was decided."""
        size = self.library.size
        self.states[game * size : (game + 1) * size] = array("i", vector)
        assert len(self.states) == size * self.n
        record = [0] * FIELDS
        record[RANDOM], record[DECISIONS] = _signed(random), decisions
        self.games[game * FIELDS : (game + 1) * FIELDS] = array("q", record)

    def begin_with(self, vector: Sequence[int] | None) -> None:
        """Set the position that games start from, before `setup`; None for the one of the rules."""
        start = array("i", self.library.start) if vector is None else array("i", vector)
        assert len(start) == self.library.size
        self._start[:] = start

    def start(self) -> None:
        """Restart all games, up to their first decision."""
        self._call(self.library.call_start)

    def restart(self, game: int, seed: int) -> None:
        """Restart one game; its legal moves are not listed."""
        batch = self._batch
        self.games[game * FIELDS + RANDOM] = _signed(random_state(seed))
        kept = batch.n, batch.states, batch.games, batch.moves
        batch.n, batch.moves = 1, None
        batch.states += 4 * self.library.size * game
        batch.games += 8 * FIELDS * game
        try:
            self._call(self.library.call_start)
        finally:
            batch.n, batch.states, batch.games, batch.moves = kept

    def legal(self) -> None:
        """List the legal moves of all positions."""
        self._call(self.library.call_legal)

    def step(self) -> None:
        """Make the decisions in `actions`, one in each game that is not over; a negative one leaves a game as it is.

        The legal moves must have been listed. IllegalAction if an action is not one of them: then nothing is changed.
        """
        self._call(self.library.call_step)

    def set_waiting(self, game: int, decisions: int) -> None:
        """Mark the position of a game as waiting for a decision, after `decisions` earlier ones."""
        record = [0] * FIELDS
        record[DECISIONS] = decisions
        self.games[game * FIELDS : (game + 1) * FIELDS] = array("q", record)

    def start_one(self, seed: int | None) -> Sequence[int]:
        """Start the one game there is. Return what chance decided: twice the value, and 1 if it was rolled.

        Chance decides by the numbers of a seed; without one, chance is left open.
        """
        return self._one(self.library.call_start, seed)

    def step_one(self, action: int, seed: int | None) -> Sequence[int]:
        """Make a decision in the one game there is, and return as `start_one` does. Its legal moves must have been listed."""
        self.actions[0] = action
        return self._one(self.library.call_step, seed)

    def _one(self, function: Callable[[int], int], seed: int | None) -> Sequence[int]:
        batch = self._batch
        if self._is_open != (seed is None):
            self._is_open = seed is None
            batch.open = self._is_open
            batch.luck, batch.trail = (None, None) if self._is_open else (_address(self._luck), _address(self._trail))
        code = function(self._at)
        trail = () if code == DONE else self._go_on_with(function, code, seed)
        if batch.bad >= 0:
            self._raise()
        return trail

    def _go_on_with(self, function: Callable[[int], int], code: int, seed: int | None) -> list[int]:
        """Call until everything is done, with as many numbers for chance as that takes. Return what chance decided.

        INVARIANT: before and after it there are no such numbers, so that a call without chance has nothing to set.
        """
        batch = self._batch
        trail: list[int] = []
        blocks = count()
        try:
            while code != DONE:
                if code == ROOM:
                    self._grow(2 * len(self.moves))
                elif code == ILLEGAL:
                    raise IllegalAction(0, self.actions[0])
                elif seed is not None and batch.luck_at == batch.luck_end:
                    trail += self._trail[: batch.luck_at]
                    self._luck[:] = array("I", chance_block(seed, next(blocks)))
                    batch.luck_at, batch.luck_end = 0, len(self._luck)
                code = function(self._at)
            trail += self._trail[: batch.luck_at]
        finally:
            batch.next = batch.stage = batch.luck_at = batch.luck_end = 0
        return trail

    def _help(self, code: int) -> None:
        if code == ILLEGAL:
            raise IllegalAction(self._batch.next, self.actions[self._batch.next])
        self._grow(2 * len(self.moves))

    def _grow(self, room: int) -> None:
        """Make room for more legal moves. Somebody may still look at the old ones, so these stay where they are."""
        self.moves = self.moves + array("i", bytes(4 * (room - len(self.moves))))
        if self._batch.open:
            self.weights = self.weights + array("i", bytes(4 * (room - len(self.weights))))
        self._batch.moves = _address(self.moves) if self.moves else None
        self._batch.weights = _address(self.weights) if self.weights else None
        self._batch.room = len(self.moves)


def _signed(word: int) -> int:
    """Return 64 bits as a number with a sign."""
    return word - 2**64 if word >= 2**63 else word


def _address(numbers: array[int]) -> int:
    return numbers.buffer_info()[0]
