"""Gullies: throws counted by hand, and random games beside a second implementation."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, product

import pytest

from interpreter import CHANCE, Game, State
from referee.cli.perft_count import Counter
from tests.shipped import game_of
from tests.sizes import SOAK, size

GULLIES = range(2, 13)
Throw = tuple[int, int, int, int]
THROWS: list[Throw] = [(a, b, c, d) for a, b, c, d in product(range(1, 7), repeat=4)]


def pairings(throw: Throw) -> set[tuple[int, int]]:
    """Return the two sums of each of the three ways to pair four dice, the lower first."""
    a, b, c, d = throw
    both = ((a + b, c + d), (a + c, b + d), (a + d, b + c))
    return {(min(pair), max(pair)) for pair in both}


class Climb:
    """The game from its rulebook, with tents and climbers as heights."""

    def __init__(self, players: int, mountain: str) -> None:
        self.players, self.turn = players, 0
        rarity = {g: abs(7 - g) for g in GULLIES}
        self.summits = {g: 7 - rarity[g] if mountain == "low" else 13 - 2 * rarity[g] for g in GULLIES}
        self.tents = [dict.fromkeys(GULLIES, 0) for _ in range(players)]
        self.climbers: dict[int, int] = {}
        self.closed: dict[int, int] = {}

    def step(self, gully: int) -> bool:
        """Let a climber go up, and return whether one could."""
        at = self.climbers.get(gully)
        if gully in self.closed or at == self.summits[gully] or (at is None and len(self.climbers) == 3):
            return False
        self.climbers[gully] = (self.tents[self.turn][gully] if at is None else at) + 1
        return True

    def climb(self, first: int, second: int) -> tuple[bool, bool]:
        return self.step(first), self.step(second)

    def moves(self, throw: Throw) -> Iterator[str]:
        """Yield the legal climbs: both ways round only where one climber must choose."""
        for low, high in pairings(throw):
            results = []
            for pair in ((low, high), (high, low)):
                kept = dict(self.climbers)
                results.append((pair, self.climb(*pair)))
                self.climbers = kept
            (_, one), (_, other) = results
            if low == high or one == (True, True):
                results = results[:1]
            assert low == high or one != (True, True) or other == (True, True)
            yield from (f"climb {a} {b}" for (a, b), (went, _) in results if went)

    def stop(self) -> None:
        for gully, height in self.climbers.items():
            self.tents[self.turn][gully] = height
            if height == self.summits[gully]:
                self.closed[gully] = self.turn
        self.end_turn()

    def end_turn(self) -> None:
        self.climbers = {}
        self.turn = (self.turn + 1) % self.players

    def scores(self) -> list[int]:
        return [list(self.closed.values()).count(p) for p in range(self.players)]


def test_gullies__counts_of_the_first_throw() -> None:
    game = game_of("classics/gullies", 2)
    counter = Counter(game)
    ways = sum(len(pairings(throw)) for throw in THROWS)
    assert counter.count(game.start(), 5) == ways


def after(game: Game, state: State, throw: Throw) -> State:
    for pips in throw:
        state = game.apply(state, f"roll {pips}")
    return state


@pytest.mark.sized
def test_gullies__throws_that_let_three_climbers_go_on() -> None:
    """With climbers on 6, 7 and 8 it is 1,192 throws of 1,296, with 2, 3 and 12 only 568."""
    game = game_of("classics/gullies", 2, {"mountain": "tall"})
    known = {(6, 7, 8): 1192, (2, 3, 12): 568}
    for three in list(combinations(GULLIES, 3)) if SOAK else list(known)[:1]:
        begun = game.start()
        for a, b in ((three[0], three[1]), (three[2], three[2])):
            pair = next(t for t in THROWS if (min(a, b), max(a, b)) in pairings(t))
            begun = game.apply(game.apply(after(game, begun, pair), f"climb {a} {b}"), "again")
        going = sum(after(game, begun, throw).to_move == 1 for throw in THROWS)
        good = sum(any(set(pair) & set(three) for pair in pairings(t)) for t in THROWS)
        assert going == good
        assert good == known.get(three, good)


@pytest.mark.sized
@pytest.mark.parametrize(("players", "mountain"), [(2, "tall"), (3, "low"), (4, "low")])
def test_gullies__random_games_agree_with_a_second_implementation(players: int, mountain: str) -> None:
    game = game_of("classics/gullies", players, {"mountain": mountain})
    for seed in range(size(1, 100)):
        rng, state, other, throw = random.Random(seed), game.start(), Climb(players, mountain), list[int]()
        while state.to_move is not None:
            if state.to_move == CHANCE:
                throw.append(rng.randint(1, 6))
                state = game.apply(state, f"roll {throw[-1]}")
                if len(throw) == 4 and not list(other.moves((throw[0], throw[1], throw[2], throw[3]))):
                    other.end_turn()
                    throw = []
                continue
            moves = [str(m) for m in game.legal_moves(state)]
            assert state.to_move == other.turn + 1
            if throw:
                assert sorted(moves) == sorted(other.moves((throw[0], throw[1], throw[2], throw[3]))), (seed, throw)
                throw = []
            else:
                assert sorted(moves) == ["again", "stop"]
            move = rng.choice(moves)
            state = game.apply(state, move)
            if move == "stop":
                other.stop()
            elif move != "again":
                _, a, b = move.split()
                other.climb(int(a), int(b))
        outcome = game.outcome(state)
        assert outcome is not None
        assert list(outcome.scores.values()) == other.scores()
        assert max(other.scores()) >= 3
