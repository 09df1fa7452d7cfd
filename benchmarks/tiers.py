"""`python -m benchmarks.tiers OLD [NEW]`: how fast one checkout of this project is compared with another, in Python.

OLD and NEW (this checkout, if not given) are folders with the project and its `.venv`, as `python3 run.py play --help` makes it. The
figures are ratios: 1.25 says that NEW does a quarter more in the same processor time. For each game

  playout   random games by `game.python_playout`
  verbs     games by `legal_moves`, a random choice and `apply`, with `RULESPEC_NATIVE=0`
  load      `load(name)` in a new process, with everything kept from an earlier one
  ready     the same, up to the first legal moves

Both checkouts take turns in short batches, on the same processor, in processes of their own, with the same seeds; every pair of turns gives a
ratio of processor times, and the median of these counts: a busy machine slows both. `--json` prints everything that was measured.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parent.parent
GAMES = ("base", "sintra", "pavilion", "duel", "kalah")
BATCH = 0.4  # seconds of processor time a turn should take
MOST = 400  # games in a turn
KINDS = ("playout", "verbs", "load", "ready")

# the same text runs in both checkouts: it uses what both have
PLAYER = """
import json, random, sys, time
from interpreter import load

game = load(sys.argv[1])

def playout(seed):
    game.python_playout(seed)

def verbs(seed):
    rng = random.Random(seed)
    state = game.start(seed)
    while state.to_move is not None:
        state = game.apply(state, rng.choice(game.legal_moves(state)))

for line in sys.stdin:
    kind, first, many = json.loads(line)
    play = {"playout": playout, "verbs": verbs}[kind]
    begin = time.process_time()
    for seed in range(first, first + many):
        play(seed)
    print(time.process_time() - begin, flush=True)
"""
LOADER = """
import sys, time
begin = time.process_time()
from interpreter import load
game = load(sys.argv[1])
if sys.argv[2] == "ready":
    game.legal_moves(game.start(0))
print(time.process_time() - begin)
"""


class Checkout:
    """One of the two: runs text in its own environment."""

    def __init__(self, folder: Path, processor: int | None) -> None:
        self.folder = folder.resolve()
        self.python = self.folder / ".venv" / "bin" / "python"
        if not self.python.exists():
            raise SystemExit(f"{self.python} is missing: run `python3 run.py play --help` in {self.folder}")
        self.processor = processor

    def begin(self, code: str, *words: str) -> subprocess.Popen[str]:
        """Return a process that runs a text on the one processor; what it says about the machine is not shown."""
        command = [str(self.python), "-c", code, *words]
        if self.processor is not None:
            command = ["taskset", "-c", str(self.processor), *command]
        env = {**os.environ, "RULESPEC_NATIVE": "0", "PYTHONPATH": str(self.folder)}
        env.pop("PYTHONDONTWRITEBYTECODE", None)  # users keep the bytecode of modules
        pipe = subprocess.PIPE
        return subprocess.Popen(command, cwd=self.folder, env=env, stdin=pipe, stdout=pipe, text=True)


@contextmanager
def player(checkout: Checkout, name: str) -> Iterator[Callable[[str, int, int], float]]:
    """Yield a function that plays a batch in that checkout and returns its processor time."""
    with checkout.begin(PLAYER, name) as process:
        assert process.stdin is not None and process.stdout is not None

        def play(kind: str, first: int, many: int) -> float:
            assert process.stdin is not None and process.stdout is not None
            print(json.dumps([kind, first, many]), file=process.stdin, flush=True)
            return float(process.stdout.readline())

        yield play
        process.stdin.close()


def games(old: Checkout, new: Checkout, name: str, kinds: list[str], rounds: int) -> dict[str, list[float]]:
    """Return the ratios of each kind of playing, a list for each kind."""
    found: dict[str, list[float]] = {}
    with ExitStack() as stack:
        players = [stack.enter_context(player(c, name)) for c in (old, new)]
        for kind in kinds:
            few = [play(kind, 0, 3) for play in players]  # the first games compile what later ones use
            few = [play(kind, 3, 5) for play in players]
            many = max(3, min(MOST, round(5 * BATCH / (max(few) + 1e-6))))
            found[kind] = []
            for number in range(rounds):
                first = 10 + number * many
                times = [play(kind, first, many) for play in (players if number % 2 else players[::-1])]
                before, after = times if number % 2 else times[::-1]
                found[kind].append(before / after)
    return found


def loads(old: Checkout, new: Checkout, name: str, kind: str, rounds: int) -> list[float]:
    """Return the ratios of loading a game in a new process."""

    def once(checkout: Checkout) -> float:
        with checkout.begin(LOADER, name, kind) as process:
            return float(process.communicate()[0])

    once(old), once(new)
    found = []
    for number in range(rounds):
        times = [once(c) for c in ((old, new) if number % 2 else (new, old))]
        before, after = times if number % 2 else times[::-1]
        found.append(before / after)
    return found


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tiers", description=__doc__.splitlines()[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path, nargs="?", default=HERE)
    parser.add_argument("--games", nargs="+", default=GAMES)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--rounds", type=int, default=7, help="turns of each checkout")
    parser.add_argument("--processor", type=int, help="run on this processor alone")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args(words)
    old, new = Checkout(asked.old, asked.processor), Checkout(asked.new, asked.processor)
    found: dict[str, dict[str, list[float]]] = {}
    print(f"{'':>10}" + "".join(f"{kind:>22}" for kind in asked.kinds))
    for name in asked.games:
        ratios = games(old, new, name, [k for k in asked.kinds if k in ("playout", "verbs")], asked.rounds)
        ratios |= {k: loads(old, new, name, k, asked.rounds) for k in asked.kinds if k in ("load", "ready")}
        found[name] = ratios
        cells = (f"{median(r):.2f} ({min(r):.2f} to {max(r):.2f})" for r in (ratios[k] for k in asked.kinds))
        print(f"{name:>10}" + "".join(f"{cell:>22}" for cell in cells), flush=True)
    if asked.json:
        print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main(sys.argv[1:])
