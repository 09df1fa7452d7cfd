"""Whether two checkouts play alike: decisions recorded with one are replayed with the other.

    python tests/same_games.py record FILE [GAMES [NAME …]]     in the one checkout
    python tests/same_games.py replay FILE                      in the other

A record has, for each game, which of the legal decisions was taken each time, and a mark of everything that could be seen on the way:
the legal decisions in order, chances, positions by the names in the rules, points with their reasons, the outcome.
Run it with `PYTHONPATH` set to the checkout, which may be as old as eb53469: what a version need not have is imported where it is used.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import sys
from typing import Any

from interpreter import Game, State, load
from rulespec.files.sources import shipped_games
from rulespec.rules import open_rules

EVERY = 7  # positions between two that are compared whole


class Watched:
    """One game in play, and the mark of what was seen of it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.state: State = game.start()
        self.lines = 0
        self._hash = hashlib.sha256()
        self._look()

    def _look(self) -> None:
        game, state = self.game, self.state
        self.moves = game.legal_moves(state)
        seen: list[Any] = [state.to_move, list(map(str, self.moves)), [n for _, n in game.chances(state)]]
        if state.decisions % EVERY == 0 or state.to_move is None:
            seen.append(position_mark(game, state))
            lines = game.ledger(state)[self.lines :]
            self.lines += len(lines)
            seen += [[x.decision, x.player, x.rule, x.text, x.points, x.gained] for x in lines]
        if (outcome := game.outcome(state)) is not None:
            seen.append([outcome.winners, outcome.scores, outcome.reason, outcome.ranking])
        self._hash.update(json.dumps(seen).encode())

    def decide(self, which: int) -> None:
        self.state = self.game.apply(self.state, self.moves[which])
        self._look()

    @property
    def mark(self) -> str:
        return self._hash.hexdigest()[:20]


def position_mark(game: Any, state: State) -> str:
    """Return a mark of a position: by a verb of the game, which was a function beside it in earlier versions."""
    if hasattr(game, "position_mark"):
        return str(game.position_mark(state))
    from interpreter.sight import view

    return str(view.position_mark(game, state))


def settings(name: str) -> list[dict[str, Any]]:
    """Return all numbers of players with all choices of options: games take turns with them."""
    rules = open_rules(name)
    return [
        {"players": players, "options": dict(choices)}
        for choices in rules.combinations()
        for players in rules.players_for(choices)
    ]


def record(path: str, games: int, names: list[str]) -> None:
    with gzip.open(path, "wt") as out:
        for name in names or sorted(shipped_games()):
            loaded: dict[str, Game] = {}
            every = settings(name)
            for number in range(games):
                given = every[number % len(every)]
                key = json.dumps(given)
                if key not in loaded:
                    loaded[key] = load(name, given["players"], given["options"])
                game = loaded[key]
                rng, watched, path_taken = random.Random(f"{name} {number}"), Watched(game), []
                while watched.moves:
                    path_taken.append(rng.randrange(len(watched.moves)))
                    watched.decide(path_taken[-1])
                out.write(json.dumps([name, given, path_taken, watched.mark]) + "\n")
            print(name, games, flush=True)


def replay(path: str) -> int:
    from rulespec import OptionError  # which the version that recorded need not have

    loaded: dict[str, Game] = {}
    played: dict[str, int] = {}
    refused: dict[str, int] = {}  # games whose options the rules no longer let one choose together
    wrong = 0
    with gzip.open(path, "rt") as lines:
        for line in lines:
            name, given, path_taken, mark = json.loads(line)
            key = json.dumps([name, given])
            if key in refused:
                refused[key] += 1
                continue
            if key not in loaded:
                try:
                    loaded[key] = load(name, given["players"], given["options"])
                except OptionError:
                    refused[key] = 1
                    continue
            watched = Watched(loaded[key])
            for which in path_taken:
                if which >= len(watched.moves):
                    break
                watched.decide(which)
            played[name] = played.get(name, 0) + 1
            if watched.mark != mark:
                wrong += 1
                print(f"{name} {given}: game {played[name]} differs", flush=True)
    print(
        f"{sum(played.values())} games of {len(played)} rule files replayed, {wrong} differ, {sum(refused.values())} refused"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["record", file, *rest]:
            record(file, int(rest[0]) if rest else 1000, rest[1:])
        case ["replay", file]:
            sys.exit(replay(file))
        case _:
            sys.exit(__doc__)
