"""Many random games, from the start or from any position: in Python at first, natively once that pays.

There is one random program. A playout is its game from the start, a rollout its game from a position; the same seed gives
the same decisions in Python and natively.
"""

from __future__ import annotations

import ctypes
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import sqrt
from threading import Event, Lock, Thread, local
from time import perf_counter, thread_time
from typing import Protocol

from interpreter.compile.build import BuildError, NativeProblem, build_library, kept_library, not_in_c, switched_off
from interpreter.fault import LIMIT, Fault
from interpreter.layout import BLOCK, Layout
from interpreter.run.compiled import CompiledRules
from interpreter.run.library import NO_LIMIT, Games, GamesStopped, Library, Portion, Positions
from interpreter.run.runtime import Run
from interpreter.seeds import random_state, random_words
from interpreter.state import Outcome, State

IN_PYTHON = 50  # games before a compiler is asked: one game never waits for it,
WORTH = 0.5  # nor do a few: this many seconds of Python, spent or expected, are worth a compiler's time
LOOK = 0.05  # seconds between two looks for a signal while other threads play
FIRST_TOGETHER, MOST_TOGETHER = 16, 1024  # games that a thread takes at once,
SHORT, LONG = 0.008, 0.03  # and seconds of its own: if it was done sooner, it takes more the next time, if later, fewer

Vector = tuple[int, ...]


class Simulator:
    """Plays compiled rules at random, and decides when a compiler's time is well spent."""

    def __init__(self, rules: CompiledRules, limit: int, depends: Callable[[], tuple[str, ...]]) -> None:
        """`depends` gives texts that are equal only for rules with the same program: native libraries are kept by them."""
        self.rules = rules
        self.limit = limit  # decisions of one game
        self.library: Library | None = None
        self.problem: NativeProblem | None = None  # why it stays None, once that was tried
        self._depends = depends
        self._one = local()  # for games one at a time, in each thread
        self._looked = self._tried = False
        self._builder: Thread | None = None
        self._played = 0
        self._spent = 0.0  # seconds, on games in Python

    # libraries --------------------------------------------------------------------------------------------

    def compile(self) -> bool:
        """Wait for the native library; false where there is none."""
        if self._builder is not None:
            self._builder.join()
        elif not self._tried:
            self._build()
        return self.library is not None

    def native(self) -> Library:
        """Return the native library; BuildError says why there is none."""
        if not self.compile():
            assert self.problem is not None
            raise BuildError(self.problem)
        assert self.library is not None
        return self.library

    def begin(self) -> None:
        """Let a compiler work in the background."""
        if self._builder is None and not self._tried:
            self._builder = Thread(target=self._build, daemon=True)
            self._builder.start()

    def _build(self) -> None:
        self._tried = True
        self.problem = self._never_native()
        if self.problem is None:
            try:
                loaded = build_library(self._depends(), self.rules.in_c)
                self.library = Library(loaded, lambda: self.rules.program.faults)
            except BuildError as error:
                self.problem = error.problem

    def ready(self) -> Library | None:
        """Return the library, if it is there or was made in an earlier run."""
        if self.library is None and not self._looked:
            self._looked = True
            loaded = None if self._never_native() else kept_library(self._depends())
            if loaded is not None:
                self._tried = True
                self.library = Library(loaded, lambda: self.rules.program.faults)
        return self.library

    def _never_native(self) -> NativeProblem | None:
        """Return why nothing native is to be used, whatever a compiler would do."""
        return not_in_c() if self.rules.remembers else switched_off()

    def took(self, seconds: float) -> None:
        """Count time that was spent on playing in Python; once it is much, let a compiler work in the background."""
        self._spent += seconds
        if self._spent > WORTH:
            self.begin()

    def _worth_waiting(self, more: int) -> bool:
        if self._tried or self._builder is not None or self._played < IN_PYTHON:
            return False
        return self._spent + more * self._spent / self._played > WORTH and self.compile()

    # games ------------------------------------------------------------------------------------------------

    def play(self, seed: int, more: int = 0) -> Vector:
        """Return the final position of the game with this seed; `more` games are known to follow."""
        if self.ready() is None and not self._worth_waiting(more):
            begin = perf_counter()
            end = self.in_python(seed)
            self._played += 1
            self._spent += perf_counter() - begin
            return end
        games = self._games()
        games.seed(seed)
        games.play()
        return tuple(games.states)

    def in_python(self, seed: int) -> Vector:
        """Return the same, never natively."""
        vector, run = list(self.rules.layout.start), self._run(seed, 0)
        self.rules.play_out(vector, run)
        return tuple(vector)

    def trace(self, seed: int) -> Run:
        """Return what was decided, and why points were scored, in the game with this seed."""
        run = self._run(seed, 0)
        self.rules.traced.go(list(self.rules.layout.start), run, self.rules.program.begin)
        return run

    def rollout(
        self,
        vector: Sequence[int],
        seed: int,
        steps: int = NO_LIMIT,
        rounds: int = 0,
        scored: bool = False,
        decisions: int = 0,
    ) -> Vector:
        """Return the position where a random game from this one ends: it is over, or waits for the decision too many.

        `scored` says that somebody has scored before, and chance has not come since; `decisions` were made before.
        """
        if self.ready() is None:
            begin = perf_counter()
            end = self.rollout_in_python(vector, seed, steps, rounds, scored, decisions)
            self.took(perf_counter() - begin)
            return end
        games = self._games()
        games.put(0, vector, random_state(seed), decisions)
        games.random(steps, rounds, scored)
        return tuple(games.states)

    def rollout_in_python(
        self,
        vector: Sequence[int],
        seed: int,
        steps: int = NO_LIMIT,
        rounds: int = 0,
        scored: bool = False,
        decisions: int = 0,
    ) -> Vector:
        """Return the same, never natively."""
        run, end = self._run(seed, decisions), list(vector)
        run.steps, run.rounds, run.scored = steps, rounds, int(scored)
        if end[BLOCK]:
            self.rules.random.go(end, run, end[BLOCK])
        return tuple(end)

    def _run(self, seed: int, decisions: int) -> Run:
        run = Run(self.limit, decisions)
        run.word, run.steps = random_words(random_state(seed)), NO_LIMIT
        return run

    def games(self, many: int, seed: int, threads: int = 1) -> memoryview:
        """Return the final positions of the games with the seeds seed, seed + 1, …, one after the other."""
        if threads < 1:
            raise ValueError(f"expected at least 1 thread, found {threads}")
        out = array("i")
        done = 0
        while done < many:
            if (library := self.ready()) is not None:
                rest = play_games(library, many - done, seed + done, threads, self.limit)
                if not out:
                    return rest
                out.frombytes(rest.cast("B"))
                break
            out.extend(self.play(seed + done, many - done)[: self.rules.layout.size])
            done += 1
        return memoryview(out)

    def places(self, vectors: memoryview) -> array[int] | None:
        """Return every player's place in finished games, one game after the other; None: ask Python."""
        library = self.ready()
        if library is None or not vectors:
            return None
        many = len(vectors) // library.size
        out = array("i", bytes(4 * library.players * many))
        positions, places = ctypes.addressof(ctypes.c_char.from_buffer(vectors)), out.buffer_info()[0]
        portion = Portion(library, min(many, MOST_TOGETHER), self.limit)
        for first in range(0, many, MOST_TOGETHER):
            n = min(MOST_TOGETHER, many - first)
            portion.move_to(positions + 4 * library.size * first, n, places + 4 * library.players * first)
            portion.outcomes()
        return out

    def _games(self) -> Games:
        games: Games | None = getattr(self._one, "games", None)
        if games is None:
            assert self.library is not None
            games = self._one.games = Games(self.library, 1, self.limit)
        return games


def play_games(library: Library, many: int, seed: int, threads: int = 1, limit: int = LIMIT) -> memoryview:
    """Return the final positions of many native games. Each of several threads takes the next few as long as there are any."""
    work = _Work(library, many, seed, threads, limit)
    others = [_Player(work) for _ in range(min(threads, many) - 1)]
    try:
        for player in others:
            player.thread.start()
        work.play()
        for player in others:
            while not player.done.wait(LOOK):
                pass
    finally:
        work.stop()
        for player in others:  # their calls come back soon; the memory they write into must outlive them
            if player.thread.ident is not None:
                player.done.wait()
    if work.errors:
        raise work.errors[min(work.errors)]
    return work.positions.numbers


class _Work:
    """Games that several threads play into the same memory, a few at a time."""

    def __init__(self, library: Library, many: int, seed: int, threads: int, limit: int) -> None:
        self.library, self.limit, self.seed = library, limit, seed
        self.positions = Positions(library, many)
        self.errors: dict[int, Exception] = {}  # by the first of the games that were played together
        self._next, self._threads = 0, threads
        self._lock = Lock()
        self._playing: list[tuple[Portion, range]] = []

    def play(self) -> None:
        """Play as long as there are games that nobody has begun, and none has a fault."""
        portion = Portion(self.library, min(self.positions.n, MOST_TOGETHER), self.limit)
        together = FIRST_TOGETHER
        while taken := self._take(together, portion):
            begin = thread_time()
            portion.move_to(self.positions.address + 4 * self.library.size * taken.start, len(taken))
            portion.seed(self.seed + taken.start)
            try:
                portion.play()
            except GamesStopped:
                return
            except (Fault, MemoryError) as error:
                self.fail(error, taken.start)
            spent = thread_time() - begin
            if spent < SHORT and len(taken) == together:
                together = min(MOST_TOGETHER, 2 * together)
            elif spent > LONG:
                together = max(1, together // 2)

    def fail(self, error: Exception, first: int = 0) -> None:
        """Remember an error among the games from `first` on; later ones need not be played."""
        with self._lock:
            self.errors[first] = error
            self._next = self.positions.n
            self._stop_after(first)

    def stop(self) -> None:
        """Make all threads stop soon."""
        with self._lock:
            self._next = self.positions.n
            self._stop_after(-1)

    def _stop_after(self, first: int) -> None:
        for portion, taken in self._playing:
            if taken.start > first:
                portion.stopped = True

    def _take(self, most: int, portion: Portion) -> range:
        """Return the next games, which a portion is to play: few when few are left, so that all threads end at about the same time."""
        with self._lock:
            left = self.positions.n - self._next
            share = left if self._threads == 1 else max(left // (2 * self._threads), most // 16, 1)
            taken = range(self._next, self._next + min(most, share, left))
            self._next = taken.stop
            self._playing = [one for one in self._playing if one[0] is not portion]
            self._playing.append((portion, taken))
            return taken


class _Player:
    """A thread that takes part in the work."""

    def __init__(self, work: _Work) -> None:
        self.work = work
        # not `thread.is_alive()`: a join that a signal interrupts may take a running thread for dead
        self.done = Event()
        self.thread = Thread(target=self._play, daemon=True)

    def _play(self) -> None:
        try:
            self.work.play()
        except Exception as error:  # raised again where the games were asked for
            self.work.fail(error)
        finally:
            self.done.set()


class Simulated(Protocol):
    """A game as a simulation needs it."""

    players: int
    simulator: Simulator

    @property
    def layout(self) -> Layout: ...

    def finished(self, seed: int, vector: Vector) -> State: ...

    def playout(self, seed: int | None = None) -> State: ...

    def outcome(self, state: State) -> Outcome | None: ...


class Simulation:
    """Simulated games: game number i is the one that `playout(seed + i)` gives."""

    def __init__(self, game: Simulated, seed: int, many: int, vectors: memoryview) -> None:
        self.game = game
        self.seed = seed
        self.vectors = vectors  # final positions, one after the other
        self._many = many
        self._size = len(vectors) // max(1, many)

    def __len__(self) -> int:
        return self._many

    def __getitem__(self, number: int) -> State:
        if not 0 <= number < self._many:
            raise IndexError(number)
        if self.game.layout.remembers:
            return self.game.playout(self.seed + number)  # with what it noted
        vector = tuple(self.vectors[number * self._size : (number + 1) * self._size])
        return self.game.finished(self.seed + number, vector)

    def __iter__(self) -> Iterator[State]:
        return (self[i] for i in range(self._many))

    def scores(self, player: int) -> array[int]:
        """Return a player's score in every game."""
        first = self.game.layout.variables["score"].base + player - 1
        return array("i", self.vectors[first :: self._size or 1].tobytes())

    def outcomes(self) -> list[Outcome]:
        """Return how every game ended."""
        return [outcome for state in self if (outcome := self.game.outcome(state)) is not None]

    def wins(self) -> dict[int, float]:
        """Return how many games each player won; a shared victory counts as a part for each winner."""
        players = range(1, self.game.players + 1)
        found = dict.fromkeys(players, 0.0)
        places = self.game.simulator.places(self.vectors)
        if places is None:
            for outcome in self.outcomes():
                for winner in outcome.winners:
                    found[winner] += 1 / len(outcome.winners)
            return found
        times = Counter(zip(*(places[p :: len(players)] for p in range(len(players))), strict=True))
        for row, n in times.items():
            winners = [p for p, place in zip(players, row, strict=True) if place == 1]
            for winner in winners:
                found[winner] += n / len(winners)
        return found

    def mean(self, player: int) -> float:
        scores = self.scores(player)
        return sum(scores) / len(scores)

    def deviation(self, player: int) -> float:
        """Return the standard deviation of a player's score."""
        scores, mean = self.scores(player), self.mean(player)
        return sqrt(sum((s - mean) ** 2 for s in scores) / max(1, len(scores) - 1))
