"""`python3 -m benchmarks.bots`: how often each bot beats the next weaker one, and how long it thinks.

python3 -m benchmarks.bots --games 100 --seconds 0.5 base
"""

from __future__ import annotations

import argparse
import random
from dataclasses import dataclass
from functools import partial
from time import perf_counter

from interpreter import Game, load
from referee.bots import Bot, play_greedy, play_random, play_search


@dataclass(slots=True)
class Result:
    """How one bot did against another; a shared victory counts half."""

    games: int = 0
    wins: float = 0.0
    moves: int = 0
    longest: float = 0.0  # seconds
    spent: float = 0.0

    def __str__(self) -> str:
        mean = self.spent / max(1, self.moves)
        return f"{self.wins:g} of {self.games} games won; longest move {self.longest:.3f} s, mean {mean:.3f} s"


def compete(game: Game, bot: Bot, other: Bot, games: int, first_seed: int = 0) -> Result:
    """Two-player games of a bot against another one; they change seats after each."""
    result = Result()
    for seed in range(first_seed, first_seed + games):
        mine = 1 + seed % 2
        state, rng = game.start(seed), random.Random(seed)
        while state.to_move is not None:
            if state.to_move == mine:
                begin = perf_counter()
                move = bot(game, state, rng)
                spent = perf_counter() - begin
                result.moves += 1
                result.spent += spent
                result.longest = max(result.longest, spent)
            else:
                move = other(game, state, rng)
            state = game.apply(state, move)
        outcome = game.outcome(state)
        assert outcome is not None
        result.games += 1
        if mine in outcome.winners:
            result.wins += 1 / len(outcome.winners)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="*", default=["base"])
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=0.5, help="for a move of the bot that searches")
    given = parser.parse_args()
    search = partial(play_search, seconds=given.seconds)
    for name in given.game:
        game = load(name, players=2)
        print(f"{name}: search against greedy: {compete(game, search, play_greedy, given.games)}", flush=True)
        print(f"{name}: greedy against random: {compete(game, play_greedy, play_random, given.games)}", flush=True)


if __name__ == "__main__":
    main()
