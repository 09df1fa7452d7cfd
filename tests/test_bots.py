"""Bots: they play legal moves, the better one wins, and none of them peeks."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from interpreter import CHANCE, Game, Move, State, load
from referee.bots import BOTS, Bot, imagine, play_chance, play_greedy, play_random, unseen_places

CARDS = """\
rulespec: 1
game: Cards
players: 2

sets:
  card: [ace, king, queen, jack]
  back: [high, low]

tables:
  back_of[card]: [high, high, low, low]
  worth[card]: [4, 3, 2, 1]

pieces:
  card: 2 in deck

places:
  deck: {pile: card, seen by: nobody, shows: "back_of[card]"}
  hand[player]: {pile: card, seen by: owner, shows: "back_of[card]"}
  tower: {stack: card, room: 8, seen by: nobody, shows: "back_of[card]"}
  table[player]: {pile: card}

variables:
  turn: player
  score[player]: 0..99

setup:
  - for each: p in player
    do:
      - draw 2 from deck to hand[p]
  - draw 2 from deck to tower

play:
  - while: count(hand) > 0
    do:
      - ask: turn
        to: lay
      - set turn to next(turn)

moves:
  lay:
    text: lay {k}
    choose: {k: card}
    needs:
      in hand:
        that: k in hand[me]
        else: you have no {k}
    does:
      - move 1 of k from hand[me] to table[me]
      - if: count(table[me]) = 1
        then:
          - score laid(k) for me

scoring:
  laid(card k):
    text: the first card, {k}
    points: worth[k]

winner:
  most points: score[me]
"""


@pytest.fixture(scope="module")
def base() -> Game:
    return load("base", players=2)


@pytest.fixture
def cards(tmp_path: Path) -> Game:
    file = tmp_path / "cards.yaml"
    file.write_text(CARDS, encoding="utf-8")
    return load(file)


def play_out(game: Game, bots: tuple[Bot, ...], seed: int) -> State:
    state, rng = game.start(seed), random.Random(seed)
    while state.to_move is not None:
        state = game.apply(state, bots[state.to_move - 1](game, state, rng))
    return state


def quick(game: Game, state: State, rng: random.Random) -> Move:
    """Greedy with each move tried once."""
    return play_greedy(game, state, rng, budget=1)


@pytest.mark.parametrize("name", BOTS)
def test_bot__plays_the_same_game_from_the_same_seed(base: Game, name: str) -> None:
    state = base.start(4)
    moves = {BOTS[name](base, state, random.Random(9)) for _ in range(2)}
    assert len(moves) == 1
    assert moves <= set(base.legal_moves(state))


def test_greedy__beats_random(base: Game) -> None:
    for seed in range(3):
        greedy = 1 + seed % 2
        bots = (quick, play_random) if greedy == 1 else (play_random, quick)
        outcome = base.outcome(play_out(base, bots, seed))
        assert outcome is not None
        assert outcome.winners == (greedy,)


def test_greedy__lays_the_best_card(cards: Game) -> None:
    """The first card scores: the better one of the two is laid."""
    for seed in range(8):
        state = cards.start(seed)
        hand = [kind for kind, _ in cards.place(state, "hand", 1)]
        assert play_greedy(cards, state, random.Random(seed)).args == (hand[0],)


def test_greedy__without_scores_plays_for_the_win(tmp_path: Path) -> None:
    file = tmp_path / "last.yaml"
    file.write_text(
        "rulespec: 1\ngame: Last stick\nplayers: 2\npieces: {stick: 3 in heap}\n"
        "places:\n  heap: {pile: stick}\n  gone: {pile: stick}\nvariables: {turn: player}\n"
        "play:\n  - while: count(heap) > 0\n    do:\n      - ask: turn\n        to: take\n      - set turn to next(turn)\n"
        "moves:\n  take:\n    text: take {n}\n    choose: {n: 1..3}\n    needs:\n      enough:\n"
        "        that: n <= count(heap)\n        else: too few\n    does:\n      - move n of stick from heap to gone\n"
        "winner:\n  took the last one: turn != me\n",
        encoding="utf-8",
    )
    game = load(file)
    assert str(play_greedy(game, game.start(1), random.Random(1))) == "take 3"


def test_imagine__leaves_chance_open(base: Game) -> None:
    state = imagine(base, base.start(3), 1, random.Random(1))
    assert state.seed is None
    rng = random.Random(2)
    while state.to_move not in (CHANCE, None):
        state = base.apply(state, rng.choice(base.legal_moves(state)))
    assert state.to_move == CHANCE  # the next round is not dealt: nobody can know it
    assert play_chance(base, state, rng) in base.legal_moves(state)


def test_imagine__looks_the_same_and_deals_anew(cards: Game) -> None:
    state = cards.start(5)
    deals = set()
    for n in range(40):
        other = imagine(cards, state, 1, random.Random(n))
        assert cards.view(other, 1) == cards.view(state, 1)
        assert all(_count(cards, other, kind) == 2 for kind in cards.model.kinds)
        deals.add(other.vector)
    assert len(deals) > 3
    assert cards.view(state, None)["places"]["hand[1]"] != {"hidden": 2}  # the backs are seen


def test_imagine__does_not_depend_on_what_is_hidden(cards: Game) -> None:
    """Positions that look alike to a player are imagined in the same number of ways, whatever is really there."""
    state = cards.start(5)
    other = imagine(cards, state, 1, random.Random(1))
    ways = [{imagine(cards, s, 1, random.Random(n)).vector for n in range(400)} for s in (state, other)]
    assert ways[0] == ways[1]


def test_unseen_places__by_viewer(cards: Game) -> None:
    assert unseen_places(cards, 1) == [("deck", 0), ("hand", 1), ("tower", 0)]
    assert unseen_places(cards, None) == [("deck", 0), ("hand", 0), ("hand", 1), ("tower", 0)]


def _count(game: Game, state: State, kind: int) -> int:
    places = [("deck",), ("tower",), ("hand", 1), ("hand", 2), ("table", 1), ("table", 2)]
    return sum(n for name, *index in places for k, n in game.place(state, str(name), *map(int, index)) if k == kind)
