"""`python3 run.py bench`: how fast random games are, against a playout written by hand, and how the cost grows."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.boards import larger_board
from benchmarks.tight_base import playout as tight_playout
from benchmarks.timing import best_of
from interpreter import CHANCE, Game, State, load
from rulespec.files.sources import shipped_games

GAMES = 100  # a batch
ROUNDS = 12


def main() -> None:
    found: dict[str, Any] = {}
    for title, measure in (
        ("random two-player base games against a playout written by hand", against_tight),
        ("every shipped game, two players", every_game),
        ("growth with players, base", by_players),
        ("growth with the board, base, two players", by_board),
        ("loading", loading),
    ):
        print(f"\n{title}", flush=True)
        found[measure.__name__] = measure()
    if "--json" in sys.argv:
        print(json.dumps(found, indent=2))


def row(*cells: object) -> None:
    print("  " + "  ".join(f"{c:>14.4g}" if isinstance(c, float) else f"{c!s:>14}" for c in cells), flush=True)


def against_tight() -> dict[str, float]:
    """Games a second of both, in turns, and the ratio; 1 would be as fast as code written for this game alone."""
    game = load("base", players=2)
    rng = random.Random(1)
    seeds = iter(range(10**9))
    jobs: dict[str, Callable[[], object]] = {"by hand": lambda: [tight_playout(rng) for _ in range(GAMES)]}
    jobs |= {name: (lambda run=run: [run(next(seeds)) for _ in range(GAMES)]) for name, run in engines(game).items()}  # type: ignore[misc]
    best = best_of(jobs, ROUNDS)
    row("", "games/s", "ratio")
    for name, seconds in best.items():
        row(name, GAMES / seconds, best["by hand"] / seconds)
    return {name: best["by hand"] / seconds for name, seconds in best.items()}


def engines(game: Game) -> dict[str, Any]:
    """Return the ways a playout can run: as Python, and as C where there is a compiler."""
    ways: dict[str, Any] = {"python": game.python_playout}
    if game.compile():
        ways["native"] = game.playout
    return ways


def every_game() -> dict[str, dict[str, float]]:
    """Random games a second of each game, and its decisions a second as a part of base's, in each way to run."""
    found: dict[str, dict[str, float]] = {}
    row("", "way", "games/s", "decisions/s", "of base")
    for name in shipped_games():
        if name.startswith("house/"):
            continue
        game = load(name)
        decisions = sum(game.python_playout(seed).decisions for seed in range(10)) / 10
        for way, run in engines(game).items():
            batch = 10 if way == "python" else 200
            seconds = best_of({way: lambda run=run, batch=batch: [run(s) for s in range(batch)]}, 6)[way] / batch  # type: ignore[misc]
            rates = found.setdefault(way, {})
            rates[name] = decisions / seconds
            row(name, way, 1 / seconds, rates[name], rates[name] / rates["base"])
    return found


def by_players() -> dict[int, float]:
    found = {}
    row("players", "games/s", "µs/decision")
    for players in (2, 3, 4):
        game = load("base", players=players)
        decisions = sum(game.playout(seed).decisions for seed in range(10)) / 10
        seconds = best_of({"": lambda game=game: [game.python_playout(s) for s in range(20)]}, 5)[""] / 20  # type: ignore[misc]
        found[players] = seconds / decisions * 1e6
        row(players, 1 / seconds, found[players])
    return found


def by_board() -> dict[int, dict[str, float]]:
    """Cost of listing the legal moves and of a move, and what each costs a candidate."""
    found = {}
    row("board", "candidates", "µs to list", "ns/candidate", "µs to apply", "load s")
    with tempfile.TemporaryDirectory() as folder:
        for size in (5, 10, 20):
            start = time.process_time()
            game = load(larger_board(size, Path(folder)), players=2)
            seconds = time.process_time() - start
            listing, applying, candidates = cost_of_a_move(game)
            found[size] = {"candidates": candidates, "list": listing, "apply": applying, "load": seconds}
            row(f"{size}x{size}", candidates, listing, listing / candidates * 1000, applying, seconds)
    return found


def cost_of_a_move(game: Game) -> tuple[float, float, float]:
    """µs to list the legal moves, µs to apply one, and the number of candidates, over one random game."""
    states: list[State] = []
    rng = random.Random(4)
    state = game.start(seed=4)
    while state.to_move is not None and len(states) < 60:
        states.append(state)
        state = game.apply(state, rng.choice(game.legal_moves(state)))
    states = [s for s in states if s.to_move != CHANCE]
    moves = [rng.choice(game.legal_moves(s)) for s in states]

    def listing() -> None:
        for s in states:
            s._groups = []
            game.count_moves(s)

    def applying() -> None:
        for s, m in zip(states, moves, strict=True):
            game.apply(s, m)

    best = best_of({"list": listing, "apply": applying}, 5)
    candidates = 1.0
    for choice in game.model.moves[moves[0].name].choices:
        candidates *= len(getattr(choice.domain, "value", (1,)))
    return best["list"] / len(states) * 1e6, best["apply"] / len(states) * 1e6, candidates


def loading() -> dict[str, float]:
    """Seconds from nothing to a playable game, all checks included, in a process of its own; the second time."""
    found = {}
    row("", "whole process", "load alone")
    for name in shipped_games():
        code = f"import time; t = time.perf_counter(); from interpreter import load; load({name!r}); print(time.perf_counter() - t)"
        times = []
        for _ in range(4):
            start = time.perf_counter()
            out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
            times.append((time.perf_counter() - start, float(out.stdout)))
        whole, alone = min(times[1:])
        found[name] = alone
        row(name, whole, alone)
    return found


if __name__ == "__main__":
    main()
