"""Dominoes: random games beside a second implementation, and hands that stay hidden."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import pytest

from interpreter import CHANCE
from tests.shipped import game_of
from tests.sizes import size

Domino = tuple[int, int]
ALL: list[Domino] = [(a, b) for a in range(7) for b in range(a, 7)]
SETTINGS = [(2, "draw", "one"), (3, "pass", "hundred_points"), (4, "draw", "hundred_points"), (2, "pass", "one")]


class Line:
    """The game as it is played at a table: a line of dominoes that are turned to match."""

    def __init__(self, players: int, draws: bool, deals: str) -> None:
        self.players, self.draws, self.enough = players, draws, 100 if deals == "hundred_points" else 1
        self.once, self.scores, self.starter = deals == "one", [0] * players, 0
        self.begin()

    def begin(self) -> None:
        self.hands: list[list[Domino]] = [[] for _ in range(self.players)]
        self.stock, self.line, self.passes, self.turn = list(ALL), list[Domino](), 0, self.starter
        self.to_deal = (7 if self.players == 2 else 5) * self.players

    def fitting(self) -> list[str]:
        return sorted({move for d in self.hands[self.turn] for move in self.ways(d)})

    def ways(self, d: Domino) -> Iterator[str]:
        if not self.line or self.line[0][0] in d:
            yield f"lay {d[0]}.{d[1]} left"
        if self.line and self.line[-1][1] in d:
            yield f"lay {d[0]}.{d[1]} right"

    def settle(self) -> int | None:
        """Let everything happen that nobody decides; return who decides, 0 for chance."""
        while True:
            if self.to_deal:
                return CHANCE
            if not all(self.hands) or self.passes == self.players:
                self.count()
                if self.once or max(self.scores) >= self.enough:
                    return None
                self.starter = (self.starter + 1) % self.players
                self.begin()
            elif self.fitting():
                return self.turn + 1
            elif self.draws and self.stock:
                return CHANCE
            else:
                self.passes += 1
                self.turn = (self.turn + 1) % self.players

    def draw(self, d: Domino) -> None:
        self.stock.remove(d)
        if self.to_deal:
            number = 7 if self.players == 2 else 5
            self.hands[(self.starter + (number * self.players - self.to_deal) // number) % self.players].append(d)
            self.to_deal -= 1
        else:
            self.hands[self.turn].append(d)

    def lay(self, move: str) -> None:
        _, name, side = move.split()
        d = (int(name[0]), int(name[2]))
        self.hands[self.turn].remove(d)
        if not self.line:
            self.line = [d]
        elif side == "left":
            self.line.insert(0, d if d[1] == self.line[0][0] else d[::-1])
        else:
            self.line.append(d if d[0] == self.line[-1][1] else d[::-1])
        assert all(a[1] == b[0] for a, b in zip(self.line, self.line[1:], strict=False))
        self.passes, self.turn = 0, (self.turn + 1) % self.players

    def count(self) -> None:
        pips = [sum(map(sum, hand)) for hand in self.hands]
        out = [p for p in range(self.players) if not self.hands[p]]
        best = out or [p for p in range(self.players) if pips[p] == min(pips)]
        if len(best) == 1:
            self.scores[best[0]] += sum(pips) - 2 * pips[best[0]]


@pytest.mark.sized
@pytest.mark.parametrize(("players", "cannot_lay", "deals"), SETTINGS)
def test_dominoes__random_games_agree_with_a_second_implementation(players: int, cannot_lay: str, deals: str) -> None:
    game = game_of("classics/dominoes", players, {"cannot_lay": cannot_lay, "how_long": deals})
    for seed in range(size(2, 200)):
        rng, state, line = random.Random(seed), game.start(), Line(players, cannot_lay == "draw", deals)
        while (decides := line.settle()) is not None:
            assert state.to_move == decides, seed
            if decides == CHANCE:
                d = rng.choice(line.stock)
                line.draw(d)
                state = game.apply(state, f"draw {d[0]}.{d[1]}")
            else:
                assert sorted(str(m) for m in game.legal_moves(state)) == line.fitting(), seed
                move = rng.choice(line.fitting())
                line.lay(move)
                state = game.apply(state, move)
        outcome = game.outcome(state)
        assert outcome is not None and list(outcome.scores.values()) == line.scores


@pytest.mark.parametrize("players", [3])
def test_dominoes__views_name_no_hidden_domino(players: int) -> None:
    game = game_of("classics/dominoes", players)
    rng, state, hidden, shown = random.Random(players), game.start(), 0, 0
    while state.to_move is not None:
        for viewer in (1, 3, None):
            places = [("boneyard",), *(("hand", p) for p in range(1, players + 1) if p != viewer)]
            view = json.dumps(game.view(state, viewer))
            for name, *index in places:
                for kind, _ in game.place(state, str(name), *map(int, index)):
                    hidden += 1
                    assert f'"{game.model.value_name(kind)}"' not in view
            for kind, _ in game.place(state, "hand", viewer) if viewer else ():
                shown += 1
                assert f'"{game.model.value_name(kind)}"' in view
        moves = [m for m, _ in game.chances(state)] if state.to_move == CHANCE else game.legal_moves(state)
        state = game.apply(state, rng.choice(moves))
    assert hidden > 100 < shown
