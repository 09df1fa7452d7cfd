"""`python3 -m benchmarks.laboratory`: games a second of `compare`: with random players, as a part of those of `simulate`.

python3 -m benchmarks.laboratory base two_rows --games 4000
python3 -m benchmarks.laboratory base two_rows --players quick --workers 2

With random players both play as many games of both rule sets, one process each, in turns, by processor time; the best of each counts.
`compare` plays by keyed luck, notes standings, points by rule and what was decided, counts legal moves in some games, keeps what
it noted in a folder and compares the two sides; `simulate` does none of that. `keyed` plays the games, counts legal moves in
all of them, notes the games, and no more.

With other players it is `compare` alone, by the clock: that depends on the number of processes and on what else the machine does.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, process_time

from benchmarks.timing import best_of
from interpreter import Game
from referee.bots import play_random
from referee.lab.chunks import KeptChunks
from referee.lab.comparison import compare_rows
from referee.lab.crew import Crew, cores
from referee.lab.estimates import Looking
from referee.lab.row import MOST_DECISIONS, Lab
from referee.lab.study import Plan, StudySide, gather
from rulespec import Rules, open_rules

PLAYERS = 2
RANDOM, RANDOM_GAMES, OTHER_GAMES = "random", 4000, 400


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules", nargs="*", default=["base", "two_rows"])
    parser.add_argument("--players", default=RANDOM, help="who plays, for example quick or quick:60")
    parser.add_argument("--games", type=int, help=f"of each side; {RANDOM_GAMES}, or {OTHER_GAMES} of other players")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--workers", type=int, default=cores(), help="processes that play, if players are not random")
    given = parser.parse_args()
    seat = "quick:200" if given.players == "quick" else given.players
    games = given.games or (RANDOM_GAMES if seat == RANDOM else OTHER_GAMES)
    opened = [open_rules(name) for name in given.rules]
    sides = [
        StudySide.of(name, rules, PLAYERS, {}, (seat,) * PLAYERS)
        for name, rules in zip(given.rules, opened, strict=True)
    ]
    if seat == RANDOM:
        random_games(opened, sides, games, given.rounds)
    else:
        other_games(sides, games, given.rounds, given.workers)


def random_games(opened: list[Rules], sides: list[StudySide], many: int, rounds: int) -> None:
    """Print games a second of processor time, and what part of `simulate` that is."""
    seeds = count(0, many)
    games = [Game(rules, rules.check(PLAYERS, {})[0], MOST_DECISIONS) for rules in opened]
    for game in games:
        game.compile()
    labs = [Lab(game) for game in games]

    def simulate() -> None:
        for game in games:
            game.simulate(many, next(seeds))

    def keyed() -> None:
        for lab in labs:
            lab.play_many([play_random] * PLAYERS, range(many))

    with TemporaryDirectory() as folder, Crew(1) as crew:
        jobs: dict[str, Callable[[], object]] = {
            "simulate": simulate,
            "keyed": keyed,
            "compare": lambda: compare(sides, next(seeds), many, crew, folder),
        }
        gather(sides, Plan(0, 1), crew, KeptChunks(None))  # the rules are read
        best = best_of(jobs, rounds)
    for name, seconds in best.items():
        print(f"{name:>10} {2 * many / seconds:>10.0f} games/s {best['simulate'] / seconds:>8.3f} of simulate")


def other_games(sides: list[StudySide], many: int, rounds: int, workers: int) -> None:
    """Print games a second of `compare` by the clock, round by round."""
    seeds = count(0, many)
    with TemporaryDirectory() as folder, Crew(workers) as crew:
        gather(sides, Plan(2**40, workers), crew, KeptChunks(None))  # processes are started, the rules are read
        for _ in range(rounds):
            begin, worked = monotonic(), process_time()
            compare(sides, next(seeds), many, crew, folder)
            seconds = monotonic() - begin
            load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
            alone = f", {2 * many / (process_time() - worked):.1f} by processor time" if workers == 1 else ""
            print(
                f"{2 * many / seconds:>8.1f} games/s by the clock{alone}, {workers} processes, load {load}", flush=True
            )


def compare(sides: list[StudySide], seed: int, many: int, crew: Crew, folder: str) -> None:
    """Play and compare, and keep the games in a folder of their own."""
    found = gather(sides, Plan(seed, many), crew, KeptChunks(Path(folder) / str(seed)))
    compare_rows(found.rows[0], found.rows[1], (sides[0].kind, sides[1].kind), Looking(many), {})


if __name__ == "__main__":
    main()
