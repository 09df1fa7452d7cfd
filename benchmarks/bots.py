"""`python3 -m benchmarks.bots`: how often each level beats the one below it, what players score by which rules, how long a move takes.

python3 -m benchmarks.bots base sintra --games 100
python3 -m benchmarks.bots base --pairs strong:strong search:3000p:quick:600
python3 -m benchmarks.bots --games 100 --kept matches.jsonl

Two bots change seats after every game, and every deal is played twice. Levels have their passes, however long these take. An
interval holds the true share of games won in 95 of 100 cases (Wilson); a shared victory counts half. Moves are timed by the
processor time of this process.

Games are kept in the file of `--kept` as they end, and are not played again: a run that was stopped, or a longer one, goes on from
there. Games of other rules, or by bots that searched in another way, may be in the same file; they do not count. What else of the
engine decides about moves, such as their order, is not asked: after a change of that, begin a new file.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from functools import cache, partial
from hashlib import sha256
from itertools import pairwise
from math import inf, sqrt
from pathlib import Path
from time import thread_time
from typing import Any

from interpreter import Game, State, load
from interpreter.compile.prelude import SEARCH
from interpreter.run import tree
from referee import bots
from referee.bots import LEVELS, Bot, find_bot, play_level

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

    def add(self, other: Side) -> None:
        self.moves += other.moves
        self.longest = max(self.longest, other.longest)
        self.spent += other.spent
        self.score += other.score
        self.points.update(other.points)


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

    def add(self, other: Result) -> None:
        self.games += other.games
        self.wins += other.wins
        for side, more in zip(self.sides, other.sides, strict=True):
            side.add(more)


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
    for number in range(2 * first_seed, 2 * first_seed + games):
        result.add(match(game, bot, other, number))
    return result


def match(game: Game, bot: Bot, other: Bot, number: int) -> Result:
    """Return the result of the game with a number: two after each other have the same deal, with seats changed."""
    result, mine = Result(), 1 + number % 2
    state, rng = game.start(number // 2), random.Random(number)
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


# games that are kept --------------------------------------------------------------------------------------


@cache
def search_mark() -> str:
    """Return a mark of how bots search: of the files of bots and of trees."""
    files = [Path(tree.__file__), *sorted(Path(bots.__file__).parent.glob("*.py"))]
    return mark("".join(file.read_text(encoding="utf-8") for file in files) + SEARCH)


def mark(text: str) -> str:
    """Return a short mark that no other text has."""
    return sha256(text.encode()).hexdigest()[:16]


class Kept:
    """Games in a file, one a line."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._found: dict[str, Result] = {}
        if path is not None and path.exists():
            whole, _, cut = path.read_text(encoding="utf-8").rpartition("\n")
            if cut:  # the run was stopped while it wrote
                path.write_text(whole + "\n" * bool(whole), encoding="utf-8")
            for line in whole.splitlines():
                data = json.loads(line)
                self._found[data.pop("key")] = _read(data)

    def compete(self, game: Game, names: tuple[str, str], numbers: range) -> Iterator[Result]:
        """Yield the results of games, those that are kept first."""
        keys = {number: self._key(game, names, number) for number in numbers}
        yield from [self._found[key] for key in keys.values() if key in self._found]
        bot, other = map(counted, names)
        for number, key in keys.items():
            if key not in self._found:
                self._found[key] = result = match(game, bot, other, number)
                self._keep(key, result)
                yield result

    def _key(self, game: Game, names: tuple[str, str], number: int) -> str:
        players = [f"{name}={LEVELS[name].each}/{LEVELS[name].passes}" if name in LEVELS else name for name in names]
        return " ".join((game.fingerprint, search_mark(), *players, str(number)))

    def _keep(self, key: str, result: Result) -> None:
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"key": key, **_written(result)}) + "\n")


def _written(result: Result) -> dict[str, Any]:
    sides = [{one.name: getattr(side, one.name) for one in fields(side)} for side in result.sides]
    return {"games": result.games, "wins": result.wins, "sides": sides}


def _read(data: dict[str, Any]) -> Result:
    one, other = (Side(**{**side, "points": Counter(side["points"])}) for side in data["sides"])
    return Result(data["games"], data["wins"], (one, other))


def counted(name: str) -> Bot:
    """Return the bot of a name; a level has its passes, and no clock stops it."""
    if name in LEVELS:
        return partial(play_level, level=LEVELS[name], seconds=inf)
    bot = find_bot(name)
    assert bot is not None
    return bot


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
    parser.add_argument("--kept", type=Path, help="file of games that were played")
    levels = list(LEVELS)
    usual = [(better, worse) for worse, better in pairwise(levels)][::-1]
    parser.add_argument("--pairs", nargs="*", type=pair_of, default=usual, help="such as strong:fair")
    given = parser.parse_args()
    kept, numbers = Kept(given.kept), range(2 * given.seed, 2 * given.seed + given.games)
    for name in given.game:
        game = load(name, players=2)
        game.compile()
        for pair in given.pairs:
            result, stopped = Result(), False
            try:
                for one in kept.compete(game, pair, numbers):
                    result.add(one)
            except KeyboardInterrupt:
                stopped = True
            print(f"{name}: {pair[0]} against {pair[1]}: {result}", flush=True)
            if stopped:
                return


if __name__ == "__main__":
    main()
