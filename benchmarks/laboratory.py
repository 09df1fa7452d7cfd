"""`python3 -m benchmarks.laboratory`: games a second of `compare` with random players, as a part of those of `simulate`.

python3 -m benchmarks.laboratory base two_rows --games 4000

Both play as many games of both rule sets, one process each, in turns, by processor time; the best of each counts. `compare` plays
by keyed luck, lists and counts all legal moves, notes standings and points by rule, keeps what it noted in a folder and compares
the two sides; `simulate` does none of that. `keyed` plays the games and notes them, and no more.
"""

from __future__ import annotations

import argparse
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.timing import best_of
from interpreter import Game
from referee.bots import play_random
from referee.lab.chunks import KeptChunks
from referee.lab.comparison import compare_rows
from referee.lab.crew import Crew
from referee.lab.estimates import Looking
from referee.lab.row import MOST_DECISIONS, Lab
from referee.lab.study import Plan, StudySide, gather
from rulespec import open_rules

PLAYERS = 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules", nargs="*", default=["base", "two_rows"])
    parser.add_argument("--games", type=int, default=4000, help="of each side")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    one, other = given.rules
    many, seeds = given.games, count(0, given.games)
    opened = [open_rules(name) for name in (one, other)]
    sides = [
        StudySide.of(name, rules, PLAYERS, {}, ("random",) * PLAYERS)
        for name, rules in zip((one, other), opened, strict=True)
    ]
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

        def compare() -> None:
            seed = next(seeds)
            found = gather(sides, Plan(seed, many), crew, KeptChunks(Path(folder) / str(seed)))
            compare_rows(found.rows[0], found.rows[1], (sides[0].kind, sides[1].kind), Looking(many), {})

        gather(sides, Plan(0, 1), crew, KeptChunks(None))  # the rules are read
        best = best_of({"simulate": simulate, "keyed": keyed, "compare": compare}, given.rounds)
    for name, seconds in best.items():
        print(f"{name:>10} {2 * many / seconds:>10.0f} games/s {best['simulate'] / seconds:>8.3f} of simulate")


if __name__ == "__main__":
    main()
