"""Masquerade against a second implementation in plain Python, and what its players may know."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest

from interpreter import CHANCE, Game, State, load
from tests.sizes import size

MASKS = ("valet", "spy", "fencer", "cloak", "juggler", "envoy", "widow", "crown")
WORTH = {mask: number for number, mask in enumerate(MASKS, 1)}
COPIES = dict(zip(MASKS, (5, 2, 2, 2, 2, 1, 1, 1), strict=True))


@dataclass
class Ball:
    """The game as one would program it; `draws` are what chance will give, in order."""

    players: int
    draws: list[str]
    hands: dict[int, list[str]] = field(default_factory=dict)
    out: set[int] = field(default_factory=set)
    safe: set[int] = field(default_factory=set)
    left: int = 16  # in the deck

    def __post_init__(self) -> None:
        aside = 1 + (3 if self.players == 2 else 0)
        del self.draws[:aside]
        self.left -= aside
        self.hands = {p: [self.draw()] for p in range(1, self.players + 1)}

    def draw(self) -> str:
        self.left -= 1
        return self.draws.pop(0)

    def guests(self, me: int) -> list[int]:
        return [q for q in self.hands if q != me and q not in self.out and q not in self.safe]

    def moves(self, me: int) -> set[str]:
        hand, guests = self.hands[me], self.guests(me)
        found: set[str] = set()
        if "valet" in hand:
            found |= {f"guess {q} {mask}" for q in guests for mask in MASKS[1:]}
        if "spy" in hand:
            found |= {f"look {q}" for q in guests}
        if "fencer" in hand:
            found |= {f"fence {q}" for q in guests}
        if "cloak" in hand:
            found.add("hide")
        if "juggler" in hand and "widow" not in hand:
            found |= {f"juggle {q}" for q in [me, *guests]}
        if "envoy" in hand and "widow" not in hand:
            found |= {f"exchange {q}" for q in guests}
        if "widow" in hand:
            found.add("unmask")
        if "crown" in hand:
            found.add("abdicate")
        if not guests:
            dull = {"valet", "spy", "fencer"} | ({"envoy"} if "widow" not in hand else set())
            found |= {f"drop {mask}" for mask in dull & set(hand)}
        return found

    def play(self, me: int, move: str) -> None:
        verb, *words = move.split()
        of = {"guess": "valet", "look": "spy", "fence": "fencer", "hide": "cloak", "juggle": "juggler"}
        of |= {"exchange": "envoy", "unmask": "widow", "abdicate": "crown"}
        self.hands[me].remove(words[0] if verb == "drop" else of[verb])
        other = int(words[0]) if words and verb != "drop" else 0
        match verb:
            case "guess" if words[1] in self.hands[other]:
                self.leave(other)
            case "fence":
                mine, theirs = WORTH[self.hands[me][0]], WORTH[self.hands[other][0]]
                if mine != theirs:
                    self.leave(me if mine < theirs else other)
            case "hide":
                self.safe.add(me)
            case "juggle" if "crown" in self.hands[other]:
                self.leave(other)
            case "juggle":
                self.hands[other] = [self.draw() if self.left else self.draws.pop(0)]
            case "exchange":
                self.hands[me], self.hands[other] = self.hands[other], self.hands[me]
            case "abdicate":
                self.leave(me)

    def leave(self, player: int) -> None:
        self.out.add(player)
        self.hands[player] = []


def held(game: Game, state: State, player: int) -> list[str]:
    lying = game.contents(state, "hand", player - 1)
    return sorted(game.model.value_name(kind) for kind, many in lying for _ in range(many))


@pytest.mark.sized
@pytest.mark.parametrize("players", [2, 3, 4])
def test_masquerade__is_what_a_second_implementation_says(players: int) -> None:
    game = load("classics/masquerade", players=players)
    for seed in range(size(15, 400)):
        rng, state, given = random.Random(seed), game.start(), list[str]()
        made: list[tuple[int, str]] = []
        while state.to_move is not None:
            move = rng.choice(game.legal_moves(state))
            if state.to_move == CHANCE:
                given.append(str(move).removeprefix("draw "))
            else:
                made.append((state.to_move, str(move)))
            state = game.apply(state, move)
        ball, turn = Ball(players, list(given)), 1
        for player, words in made:
            assert player == turn
            ball.safe.discard(turn)
            ball.hands[turn].append(ball.draw())
            assert words in ball.moves(turn)
            ball.play(turn, words)
            turn = next(q for q in [*range(turn + 1, players + 1), *range(1, turn + 1)] if q not in ball.out)
        assert len(ball.out) == players - 1 or ball.left == 0
        assert {p: held(game, state, p) for p in ball.hands} == {p: sorted(hand) for p, hand in ball.hands.items()}
        outcome = game.outcome(state)
        assert outcome is not None
        best = max((WORTH[hand[0]] for p, hand in ball.hands.items() if p not in ball.out), default=0)
        assert {p for p in outcome.winners if p not in ball.out} == set(outcome.winners)
        assert {WORTH[ball.hands[p][0]] for p in outcome.winners} == {best}


def test_masquerade__offers_just_the_moves_of_a_second_implementation() -> None:
    game = load("classics/masquerade", players=3)
    for seed in range(12):
        rng, state, ball = random.Random(seed), game.start(), Ball(3, ["valet"] * 16)
        while state.to_move is not None:
            if state.to_move != CHANCE:
                ball.hands = {p: held(game, state, p) for p in (1, 2, 3)}
                ball.out = {p for p in (1, 2, 3) if game.variable(state, "out", p)}
                ball.safe = {p for p in (1, 2, 3) if game.variable(state, "safe", p)}
                assert {str(m) for m in game.legal_moves(state)} == ball.moves(state.to_move)
            state = game.apply(state, rng.choice(game.legal_moves(state)))


def test_masquerade__a_spy_alone_reads_what_was_seen() -> None:
    game = load("classics/masquerade", players=3)
    seen = 0
    for seed in range(10):
        for line in game.told(game.playout(seed=seed)):
            if line.to and None not in line.to:
                seen += 1
                assert [line.text(viewer=p) != line.text() for p in (1, 2, 3)] == [p in line.to for p in (1, 2, 3)]
    assert seen > 3
