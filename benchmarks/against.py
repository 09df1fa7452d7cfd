"""`python -m benchmarks.against OLD`: how fast this checkout is compared with another one, line by line.

OLD is a folder with the project and its `.venv`, as `python3 run.py play --help` makes it; `--new` names another folder than this one.
The figures are ratios: 1.25 says that the new one does a quarter more in the same processor time. For each game

  simulate        random games by `simulate`, natively
  wins            `simulate().wins()` as a share of the speed of `simulate()`, in the new one
  threads         `simulate(threads=2)` against one thread, in the new one, by the clock: it needs two idle processors
  loop            `legal_moves`, a random choice and `apply`, to the end of games, natively where that can be
  batch           decisions by `batch(1024).random(1)` in the new one, against the loop of the old one
  python loop     the loop,
  python playout  `playout`,
  python rollout  and `rollout` from positions of a game, all without a compiler (`RULESPEC_NATIVE=0`)
  load cold       `load(name)` in a new process that finds nothing kept,
  load warm       and in one that finds everything kept
  validate cold   `rulespec validate NAME`, the whole process, that finds nothing kept,
  validate warm   and one that finds everything kept
  second start    seconds saved, up to the first native game, in a process that finds a native library kept
  size            the loop and the random games once more, on larger boards and with more players

Both checkouts take turns in short batches, in processes of their own, with the same seeds and caches of their own. Every pair of turns
gives a ratio of processor times (but for `threads`), and the median of these counts: a busy machine slows both.
`--only loop size` measures only lines whose names hold one of these words; `--json` prints everything that was measured.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TypeVar

from benchmarks.boards import larger_board

HERE = Path(__file__).resolve().parent.parent
GAMES = ("base", "sintra", "pavilion", "duel")
TURN = 0.35  # seconds of processor time a turn should take
MOST = 200_000  # games in a turn
SIZES = (5, 10, 20)
PLAYERS = (2, 3, 4)
SIMULATE = {"base": 2.0, "sintra": 1.5, "pavilion": 1.5, "duel": 1.3}  # what each line should come to at least
LOOP, BATCH, WINS, THREADS, SAVED, SAME, NO_SLOWER = 5.0, 40.0, 0.95, 1.8, 0.1, 1.0, 0.95

# the same text runs in both checkouts: it uses what both have, but for what only the new one is asked for
PLAYER = """
import json, random, sys, time
from interpreter import load

game = load(sys.argv[1], players=int(sys.argv[2]))

def loop(first, many):
    decisions = 0
    for seed in range(first, first + many):
        rng = random.Random(seed)
        state = game.start(seed)
        while state.to_move is not None:
            state = game.apply(state, rng.choice(game.legal_moves(state)))
            decisions += 1
    return decisions

def playout(first, many):
    for seed in range(first, first + many):
        game.playout(seed)

middle = []

def rollout(first, many):
    if not middle:
        for seed in range(4):
            rng = random.Random(seed)
            state = game.start(seed)
            while state.to_move is not None:
                if rng.random() < 0.2:
                    middle.append(state)
                state = game.apply(state, rng.choice(game.legal_moves(state)))
    for seed in range(first, first + many):
        game.rollout(middle[seed % len(middle)], seed)

together = []

def batch(first, many):
    if not together:  # the same games again and again: how many decide in each step is counted before
        games = game.batch(1024, 0)
        counted = []
        while games.going > 512:
            counted.append(games.going)
            games.random(1)
        together.extend([games, sum(counted), len(counted)])
    games, decisions, steps = together
    for _ in range(many):
        games.start(0)
        for _ in range(steps):
            games.random(1)
    return decisions * many

kinds = {
    "compile": lambda first, many: game.compile(),
    "simulate": lambda first, many: game.simulate(many, first),
    "wins": lambda first, many: game.simulate(many, first).wins(),
    "threads": lambda first, many: game.simulate(many, first, threads=2),
    "loop": loop, "playout": playout, "rollout": rollout, "batch": batch,
}
for line in sys.stdin:
    kind, first, many = json.loads(line)
    if kind in ("rollout", "batch"):
        kinds[kind](0, 0)
    clock, begin = time.perf_counter(), time.process_time()
    result = kinds[kind](first, many)
    spent = time.process_time() - begin, time.perf_counter() - clock
    print(json.dumps([*spent, result if isinstance(result, int) else 0]), flush=True)
"""
STARTER = """
import resource, sys, time
from interpreter import load
begin = time.process_time()
game = load(sys.argv[1], players=int(sys.argv[2]))
if sys.argv[3] == "native":
    game.compile()
    game.playout(1)
used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print(time.process_time() - begin, sum(u.ru_utime + u.ru_stime for u in used))
"""
VALIDATOR = """
import contextlib, io, resource, sys
from referee.cli import main

with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.suppress(SystemExit):
    main(["validate", sys.argv[1]])
assert "good" in out.getvalue()
used = resource.getrusage(resource.RUSAGE_SELF)
print(used.ru_utime + used.ru_stime)
"""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a checkout: seconds of processor time and by the clock, and what was counted."""

    processor: float
    clock: float
    counted: int


Result = TypeVar("Result")
Play = Callable[[str, int, int], Turn]  # a kind of game, its first seed, how many


@dataclass(frozen=True, slots=True)
class Checkout:
    """One of the two: runs text in its own environment, with a cache of its own."""

    folder: Path
    cache: Path

    @property
    def python(self) -> Path:
        return self.folder / ".venv" / "bin" / "python"

    def begin(self, code: str, *words: str, native: bool = True, cache: Path | None = None) -> subprocess.Popen[str]:
        """Return a process that runs a text; `cache` is another cache than this checkout's."""
        env = {**os.environ, "PYTHONPATH": str(self.folder), "XDG_CACHE_HOME": str(cache or self.cache)}
        env.pop("PYTHONDONTWRITEBYTECODE", None)  # users keep the bytecode of modules
        env.pop("RULESPEC_NATIVE", None)
        if not native:
            env["RULESPEC_NATIVE"] = "0"
        command, pipe = [str(self.python), "-c", code, *words], subprocess.PIPE
        return subprocess.Popen(command, cwd=self.folder, env=env, stdin=pipe, stdout=pipe, text=True)

    @contextmanager
    def player(self, game: str, players: int, native: bool) -> Iterator[Play]:
        """Yield a function that takes a turn in a process of its own."""
        with self.begin(PLAYER, game, str(players), native=native) as process:
            assert process.stdin is not None

            def play(kind: str, first: int, many: int) -> Turn:
                assert process.stdin is not None and process.stdout is not None
                print(json.dumps([kind, first, many]), file=process.stdin, flush=True)
                answer = process.stdout.readline()
                if not answer:
                    raise SystemExit(f"{kind} of {game} failed in {self.folder}")
                return Turn(*json.loads(answer))

            yield play
            process.stdin.close()

    def start(self, game: str, players: int, how: str, cache: Path | None = None) -> tuple[float, float]:
        """Return the processor time of loading a game in a new process, and that of the whole process."""
        with self.begin(STARTER, game, str(players), how, native=how == "native", cache=cache) as process:
            answer = process.communicate()[0].split()
        if len(answer) != 2:
            raise SystemExit(f"{game} cannot be loaded in {self.folder}")
        return float(answer[0]), float(answer[1])

    def validate(self, game: str, cache: Path | None = None) -> float:
        """Return the processor time of a process that validates a game with all its options."""
        with self.begin(VALIDATOR, game, cache=cache) as process:
            answer = process.communicate()[0].split()
        if len(answer) != 1:
            raise SystemExit(f"{game} cannot be validated in {self.folder}")
        return float(answer[0])


@dataclass(slots=True)
class Report:
    """Prints lines as they are measured, and keeps them."""

    only: Sequence[str]
    found: list[dict[str, object]] = field(default_factory=list)

    def wants(self, *lines: str) -> bool:
        return not self.only or any(word in line for line in lines for word in self.only)

    def line(self, name: str, game: str, figures: list[float], least: float, unit: str = "") -> None:
        figure = median(figures)
        verdict = "" if figure >= least else "short"
        spread = f"({min(figures):.2f} to {max(figures):.2f})"
        print(f"{name:<21}{game:<11}{figure:>8.2f}{unit:<2} {spread:<18} at least {least:<5g} {verdict}", flush=True)
        self.found.append({"line": name, "game": game, "figures": figures, "least": least})


def in_turns(old: Callable[[int], Result], new: Callable[[int], Result], rounds: int) -> list[tuple[Result, Result]]:
    """Return what both give in each round, one first in even rounds and the other in odd ones."""
    pairs = []
    for number in range(rounds):
        if number % 2:
            before = old(number)
            pairs.append((before, new(number)))
        else:
            after = new(number)
            pairs.append((old(number), after))
    return pairs


def many_for(play: Play, kind: str) -> int:
    """Return how many games of a kind make up a turn; the first ones compile what later ones use."""
    play(kind, 0, 1)
    many = 1
    while (spent := play(kind, 3, many).processor) < TURN / 4 and many < MOST:
        many *= 4
    return max(1, min(MOST, round(many * TURN / max(spent, 1e-6))))


def ratios(old: Play, new: Play, kind: str, rounds: int) -> list[float]:
    """Return the speeds of the new one as shares of the old one's; each plays as many games as fill its turn."""
    few, more = many_for(old, kind), many_for(new, kind)
    pairs = in_turns(lambda n: old(kind, 10 + n * few, few), lambda n: new(kind, 10 + n * more, more), rounds)
    return [(before.processor / few) / (after.processor / more) for before, after in pairs]


def native_lines(report: Report, old: Checkout, new: Checkout, name: str, rounds: int) -> None:
    if not report.wants("simulate", "wins", "threads", "loop", "batch"):
        return
    with old.player(name, 2, True) as before, new.player(name, 2, True) as after:
        for play in (before, after):
            play("compile", 0, 0)
        if report.wants("simulate"):
            report.line("simulate", name, ratios(before, after, "simulate", rounds), SIMULATE.get(name, SAME))
        if report.wants("wins"):
            many = many_for(after, "simulate")
            pairs = in_turns(lambda n: after("simulate", n, many), lambda n: after("wins", n, many), rounds)
            report.line("wins", name, [a.processor / b.processor for a, b in pairs], WINS)
        if report.wants("threads"):
            many = min(MOST, 2 * many_for(after, "simulate"))
            pairs = in_turns(lambda n: after("simulate", n, many), lambda n: after("threads", n, many), rounds)
            report.line("threads", name, [a.clock / b.clock for a, b in pairs], THREADS)
        if report.wants("loop"):
            report.line("loop", name, ratios(before, after, "loop", rounds), LOOP)
        if report.wants("batch"):
            few, more = many_for(before, "loop"), many_for(after, "batch")
            pairs = in_turns(lambda n: before("loop", n, few), lambda n: after("batch", n, more), rounds)
            rates = [(b.counted / b.processor) / (a.counted / a.processor) for a, b in pairs]
            report.line("batch", name, rates, BATCH)


def python_lines(report: Report, old: Checkout, new: Checkout, name: str, rounds: int) -> None:
    kinds = [kind for kind in ("loop", "playout", "rollout") if report.wants(f"python {kind}")]
    if not kinds:
        return
    with old.player(name, 2, False) as before, new.player(name, 2, False) as after:
        for kind in kinds:
            report.line(f"python {kind}", name, ratios(before, after, kind, rounds), SAME)


def load_lines(report: Report, old: Checkout, new: Checkout, name: str, rounds: int) -> None:
    def warm(checkout: Checkout) -> float:
        return checkout.start(name, 2, "load")[0]

    def cold(checkout: Checkout) -> float:
        with tempfile.TemporaryDirectory() as empty:
            return checkout.start(name, 2, "load", Path(empty))[0]

    def native(checkout: Checkout) -> float:
        return checkout.start(name, 2, "native")[1]

    if report.wants("load cold"):
        pairs = in_turns(lambda _: cold(old), lambda _: cold(new), rounds)
        report.line("load cold", name, [a / b for a, b in pairs], SAME)
    if report.wants("load warm"):
        warm(old), warm(new)
        pairs = in_turns(lambda _: warm(old), lambda _: warm(new), rounds)
        report.line("load warm", name, [a / b for a, b in pairs], SAME)
    if report.wants("second start"):
        native(old), native(new)
        pairs = in_turns(lambda _: native(old), lambda _: native(new), rounds)
        report.line("second start", name, [a - b for a, b in pairs], SAVED, " s")


def validate_lines(report: Report, old: Checkout, new: Checkout, name: str, rounds: int) -> None:
    def cold(checkout: Checkout) -> float:
        with tempfile.TemporaryDirectory() as empty:
            return checkout.validate(name, Path(empty))

    if report.wants("validate cold"):
        pairs = in_turns(lambda _: cold(old), lambda _: cold(new), rounds)
        report.line("validate cold", name, [a / b for a, b in pairs], NO_SLOWER)
    if report.wants("validate warm"):
        old.validate(name), new.validate(name)
        pairs = in_turns(lambda _: old.validate(name), lambda _: new.validate(name), rounds)
        report.line("validate warm", name, [a / b for a, b in pairs], NO_SLOWER)


def size_lines(report: Report, old: Checkout, new: Checkout, rounds: int, folder: Path) -> None:
    if not report.wants("size"):
        return
    boards = [(f"{size}x{size}", str(larger_board(size, folder)), 2) for size in SIZES]
    for what, game, players in [*boards, *((f"{many} players", "base", many) for many in PLAYERS)]:

        def load(checkout: Checkout, game: str = game, players: int = players) -> float:
            return checkout.start(game, players, "load")[0]

        load(old), load(new)
        pairs = in_turns(lambda _, load=load: load(old), lambda _, load=load: load(new), 3)  # type: ignore[misc]
        report.line("size load", what, [a / b for a, b in pairs], SAME)
        for native in (False, True):
            with ExitStack() as stack:
                before, after = (stack.enter_context(c.player(game, players, native)) for c in (old, new))
                if native:
                    before("compile", 0, 0), after("compile", 0, 0)
                for kind in ("simulate", "loop") if native else ("playout", "loop"):
                    line = f"size {'' if native else 'python '}{kind}"
                    report.line(line, what, ratios(before, after, kind, rounds), SAME)


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.against", description=__doc__.splitlines()[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("--new", type=Path, default=HERE)
    parser.add_argument("--games", nargs="+", default=GAMES)
    parser.add_argument("--only", nargs="+", default=(), metavar="WORD", help="only lines whose names hold such a word")
    parser.add_argument("--rounds", type=int, default=5, help="turns of each checkout")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args(words)
    report = Report(asked.only)
    with tempfile.TemporaryDirectory() as folder:
        old, new = (Checkout(f.resolve(), Path(folder) / name) for name, f in (("old", asked.old), ("new", asked.new)))
        for checkout in (old, new):
            if not checkout.python.exists():
                raise SystemExit(f"{checkout.python} is missing: run `python3 run.py play --help` in {checkout.folder}")
            checkout.cache.mkdir(mode=0o700)
        for name in asked.games:
            python_lines(report, old, new, name, asked.rounds)
            native_lines(report, old, new, name, asked.rounds)
            load_lines(report, old, new, name, asked.rounds)
            validate_lines(report, old, new, name, asked.rounds)
        size_lines(report, old, new, asked.rounds, Path(folder))
    if asked.json:
        print(json.dumps(report.found, indent=2))


if __name__ == "__main__":
    main(sys.argv[1:])
