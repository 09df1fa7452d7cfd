"""Caravans: random games beside a second implementation, and hands that stay hidden."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import product

import pytest

from interpreter import CHANCE
from tests.shipped import game_of
from tests.sizes import size

RANKS = ("stake", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
WARES = {"five": ("jade", "silk", "tea", "spice", "pearls"), "six": ("jade", "silk", "tea", "spice", "pearls", "myrrh")}
Card = tuple[int, str]  # 0 for a stake, else what it is worth


def name_of(card: Card) -> str:
    worth, ware = card
    return f"{RANKS[max(0, worth - 1)]}.{ware}"


def points_of(caravan: list[Card]) -> int:
    """Return what a caravan is worth at the end."""
    if not caravan:
        return 0
    worths = [worth for worth, _ in caravan]
    return (sum(worths) - 20) * (1 + worths.count(0)) + (20 if len(worths) >= 8 else 0)


class Trade:
    """The game as it is played at a table."""

    def __init__(self, wares: tuple[str, ...]) -> None:
        self.deck = [(worth, ware) for worth, ware in product([0, 0, 0, *range(2, 11)], wares)]
        self.hands: tuple[list[Card], list[Card]] = ([], [])
        self.sent = [{ware: list[Card]() for ware in wares} for _ in range(2)]
        self.market = {ware: list[Card]() for ware in wares}
        self.turn, self.sold, self.has_played, self.fetching = 0, "", False, False

    def to_move(self) -> int | None:
        if self.dealing() or self.fetching:
            return CHANCE
        return None if not self.deck else self.turn + 1

    def dealing(self) -> bool:
        return len(self.deck) + sum(map(len, self.hands)) == 12 * len(self.market) and len(self.hands[1]) < 8

    def draw(self, card: Card) -> None:
        dealing = self.dealing()
        self.deck.remove(card)
        self.hands[0 if dealing and len(self.hands[0]) < 8 else 1 if dealing else self.turn].append(card)
        if not dealing:
            self.fetching = False
            self.end_turn()

    def end_turn(self) -> None:
        self.turn, self.sold, self.has_played = 1 - self.turn, "", False

    def moves(self) -> dict[str, Card | str]:
        hand, sent = set(self.hands[self.turn]), self.sent[self.turn]
        found: dict[str, Card | str] = {}
        if self.has_played:
            found["fetch"] = ""
            found |= {f"buy {ware}": ware for ware, pile in self.market.items() if pile and ware != self.sold}
        for card in hand if not self.has_played else ():
            found[f"sell {name_of(card)}"] = card
            if all(card[0] >= before for before, _ in sent[card[1]]):
                found[f"send {name_of(card)}"] = card
        return found

    def play(self, move: str) -> None:
        what = self.moves()[move]
        if move == "fetch":
            self.fetching = True
        elif isinstance(what, str):
            self.hands[self.turn].append(self.market[what].pop())
            self.end_turn()
        else:
            self.hands[self.turn].remove(what)
            self.has_played = True
            if move.startswith("send"):
                self.sent[self.turn][what[1]].append(what)
            else:
                self.market[what[1]].append(what)
                self.sold = what[1]


@pytest.mark.sized
@pytest.mark.parametrize("wares", WARES)
def test_caravans__random_games_agree_with_a_second_implementation(wares: str) -> None:
    game = game_of("classics/caravans", options={"wares": wares})
    ways: Counter[str] = Counter()
    for seed in range(size(1, 200)):
        rng, state, trade = random.Random(seed), game.start(), Trade(WARES[wares])
        while (decides := trade.to_move()) is not None:
            assert state.to_move == decides, seed
            if decides == CHANCE:
                card = rng.choice(trade.deck)
                trade.draw(card)
                state = game.apply(state, f"draw {name_of(card)}")
            else:
                assert sorted(map(str, game.legal_moves(state))) == sorted(trade.moves()), seed
                move = rng.choice(sorted(trade.moves()))
                ways[move.split()[0]] += 1
                trade.play(move)
                state = game.apply(state, move)
        outcome = game.outcome(state)
        assert outcome is not None
        assert list(outcome.scores.values()) == [sum(map(points_of, sent.values())) for sent in trade.sent]
    assert set(ways) == {"send", "sell", "fetch", "buy"}


def test_caravans__views_name_no_hidden_card() -> None:
    """There are several of each stake, which may lie open elsewhere; all other cards have a place of their own."""
    game = game_of("classics/caravans")
    state = game.start(4)
    for _ in range(20):
        hands = [{game.model.value_name(kind) for kind, _ in game.place(state, "hand", p)} for p in (1, 2)]
        for viewer in (1, 2, None):
            view = json.dumps(game.view(state, viewer))
            for player, hand in enumerate(hands, 1):
                for card in hand:
                    assert card.startswith("stake") or (f'"{card}"' in view) == (player == viewer)
        state = game.apply(state, game.legal_moves(state)[0])
