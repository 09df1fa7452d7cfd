"""`python3 -m benchmarks.bots`: how often each level beats the one below it, what players score by which rules, how long a move takes.

python3 -m benchmarks.bots base sintra --games 100
python3 -m benchmarks.bots base --pairs strong:strong search:3000p:quick:600

Two bots change seats after every game, and every deal is played twice. An interval holds the true share of games won in 95 of
100 cases (Wilson); a shared victory counts half. Moves are timed by the processor time of this process.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from math import sqrt
from time import thread_time

from interpreter import Game, State, load
from referee.bots import LEVELS, Bot, find_bot

GAMES = ("base", "sintra", "pavilion", "duel", "kalah", "reversi")
SURE = 1.96  # standard errors on both sides that hold 95 of 100


@dataclass(slots=True)
class Side:
    """The record of one of two bots."""

    moves: int = 0
    longest: float = 0.0  # seconds
    spent: float = 0.0
    score: int = 0
    points: Counter[str] = field(default_factory=Counter)  # by rule


@dataclass(slots=True)
class Result:
    """How one bot did against another."""

    games: int = 0
    wins: float = 0.0
    sides: tuple[Side, Side] = field(default_factory=lambda: (Side(), Side()))

    def __str__(self) -> str:
        low, high = wilson(self.wins, self.games)
        side = self.sides[0]
        lines = [
            f"{self.wins:g} of {self.games} games won ({self.wins / max(1, self.games):.0%}, {low:.0%} to {high:.0%}); "
            f"longest move {side.longest:.3f} s, mean {side.spent / max(1, side.moves):.3f} s"
        ]
        for side in self.sides:
            if side.points:
                rules = ", ".join(f"{rule} {points / self.games:+.1f}" for rule, points in side.points.most_common())
                lines.append(f"    {side.score / self.games:.1f} points a game: {rules}")
        return "\n".join(lines)


def wilson(wins: float, games: int) -> tuple[float, float]:
    """Return the interval for the share of games won."""
    if not games:
        return 0.0, 1.0
    share, z = wins / games, SURE * SURE / games
    middle, half = share + z / 2, SURE * sqrt(share * (1 - share) / games + z / games / 4)
    return max(0.0, (middle - half) / (1 + z)), min(1.0, (middle + half) / (1 + z))


def compete(game: Game, bot: Bot, other: Bot, games: int, first_seed: int = 0) -> Result:
    """Return the result of two-player games of a bot against another one."""
    result = Result()
    for number in range(games):
        mine, seed = 1 + number % 2, first_seed + number // 2
        state, rng = game.start(seed), random.Random(first_seed + number)
        while state.to_move is not None:
            is_other = state.to_move != mine
            side, begin = result.sides[is_other], thread_time()
            move = (other if is_other else bot)(game, state, rng)
            spent = thread_time() - begin
            side.moves += 1
            side.spent += spent
            side.longest = max(side.longest, spent)
            state = game.apply(state, move)
        _count(game, state, mine, result)
    return result


def _count(game: Game, end: State, mine: int, result: Result) -> None:
    outcome = game.outcome(end)
    assert outcome is not None
    result.games += 1
    if mine in outcome.winners:
        result.wins += 1 / len(outcome.winners)
    for player, score in outcome.scores.items():
        result.sides[player != mine].score += score
    for line in game.ledger(end):
        result.sides[line.player != mine].points[line.rule] += line.gained


def pair_of(text: str) -> tuple[str, str]:
    """Return the two bots of `strong:fair` or `search:300p:quick:200`."""
    parts = text.split(":")
    for at in range(1, len(parts)):
        names = ":".join(parts[:at]), ":".join(parts[at:])
        try:
            if all(find_bot(name) is not None for name in names):
                return names
        except ValueError:
            continue
    raise argparse.ArgumentTypeError(f"expected two bots such as `strong:fair`, found `{text}`")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="*", default=GAMES)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0, help="of the first deal")
    levels = list(LEVELS)
    usual = [(better, worse) for worse, better in pairwise(levels)][::-1]
    parser.add_argument("--pairs", nargs="*", type=pair_of, default=usual, help="such as strong:fair")
    given = parser.parse_args()
    for name in given.game:
        game = load(name, players=2)
        game.compile()
        for pair in given.pairs:
            bot, other = map(find_bot, pair)
            assert bot is not None and other is not None
            print(
                f"{name}: {pair[0]} against {pair[1]}: {compete(game, bot, other, given.games, given.seed)}", flush=True
            )


if __name__ == "__main__":
    main()
