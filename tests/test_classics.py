"""The classic games: counted by brute force, played beside a second implementation, and hands that stay hidden."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import pytest

from interpreter import CHANCE, Game, State
from referee.cli.perft_count import Counter
from tests.reference.classics import Briscola, Kalah, Nim, Pig, Position, TicTacToe, count
from tests.shipped import game_of
from tests.sizes import size

GAMES = ("tictactoe", "nim", "kalah", "pig", "briscola")


class Case(NamedTuple):
    """A game with its options, the reference at its start, and how deep both are counted."""

    game: str
    players: int
    options: dict[str, str]
    reference: Position
    depth: int

    def __str__(self) -> str:
        return "-".join([self.game, str(self.players), *self.options.values()])


def cases() -> Iterator[Case]:
    for aim, marks in product(["make_three", "avoid_three"], ["own", "wild"]):
        start = TicTacToe(misere=aim == "avoid_three", wild=marks == "wild")
        yield Case("tictactoe", 2, {"aim": aim, "marks": marks}, start, 3 if marks == "wild" else 5)
    heaps = {"three_four_five": (3, 4, 5), "one_three_five_seven": (1, 3, 5, 7)}
    for name, last in product(heaps, ["wins", "loses"]):
        yield Case("nim", 2, {"heaps": name, "last_stick": last}, Nim(heaps[name], misere=last == "loses"), 4)
    stones = {"three": 3, "four": 4, "five": 5, "six": 6}
    for (name, n), empty, rest in product(stones.items(), ["without", "with"], ["to_their_side", "to_the_other_side"]):
        options = {"stones_a_pit": name, "empty_capture": empty, "last_stones": rest}
        bowls = ((n,) * 6 + (0,)) * 2
        yield Case("kalah", 2, options, Kalah(bowls, 1, empty == "with", rest == "to_the_other_side"), 4)
    for players, dice in product(range(2, 6), ["one", "two", "two_with_doubles"]):
        yield Case("pig", players, {"dice": dice}, Pig((0,) * players, dice), 6)
    for players, exchange in product(range(2, 5), ["never", "two_of_trumps"]):
        yield Case("briscola", players, {"exchange": exchange}, Briscola.begin(players, exchange != "never"), 2)


CASES = list(cases())
every_case = pytest.mark.parametrize("case", CASES, ids=str)


def opened(name: str, players: int | None = None, options: dict[str, str] | None = None) -> Game:
    return game_of(f"classics/{name}", players, options)


def game_for(case: Case) -> Game:
    return opened(case.game, case.players, case.options)


def counts(game: Game, depths: range) -> list[int]:
    counter, start = Counter(game), game.start()
    return [counter.count(start, depth) for depth in depths]


# Counts ---------------------------------------------------------------------------------------------------


def test_tictactoe__counts_are_the_known_ones() -> None:
    known = [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    assert counts(opened("tictactoe"), range(1, 10)) == known


def test_nim__all_games_of_three_four_five_to_the_end() -> None:
    deepest = 12  # one stick at a time
    found = counts(opened("nim"), range(1, deepest + 2))
    assert found[:5] == [count(Nim(), depth) for depth in range(1, 6)]
    assert found[deepest - 1] == 27720  # 12! / (3! 4! 5!): only the order of the heaps is left
    assert found[deepest] == 0


def test_kalah__counts_agree_with_brute_force() -> None:
    depths = range(1, 7)  # 23,233 sequences of six
    assert counts(opened("kalah"), depths) == [count(Kalah(), depth) for depth in depths]


@every_case
def test_counts__agree_with_brute_force(case: Case) -> None:
    depths = range(1, case.depth + 1)
    assert counts(game_for(case), depths) == [count(case.reference, depth) for depth in depths]


# Whole games ----------------------------------------------------------------------------------------------


@pytest.mark.sized
@every_case
def test_random_games__agree_with_the_reference(case: Case) -> None:
    game = game_for(case)
    for seed in range(size(3, 200)):
        rng = random.Random(f"{case} {seed}")
        state, reference = game.start(), case.reference
        while state.to_move is not None:
            moves = [str(move) for move in game.legal_moves(state)]
            assert (state.to_move, sorted(moves)) == (reference.to_move, sorted(reference.moves())), f"game {seed}"
            move = rng.choice(moves)
            state, reference = game.apply(state, move), reference.after(move)
        outcome = game.outcome(state)
        assert outcome is not None and reference.to_move is None
        assert list(outcome.winners) == reference.winners(), f"game {seed}"
        if isinstance(reference, Kalah | Pig | Briscola):
            assert list(outcome.scores.values()) == reference.scores(), f"game {seed}"


@pytest.mark.sized
@pytest.mark.parametrize("name", GAMES)
def test_random_games__end(name: str) -> None:
    game = opened(name)
    for seed in range(size(20, 2000)):
        state = game.playout(seed)
        assert state.to_move is None and game.outcome(state) is not None


# What stays hidden ----------------------------------------------------------------------------------------


def lying(game: Game, state: State, name: str, *index: int) -> set[str]:
    return {game.model.value_name(kind) for kind, _ in game.place(state, name, *index)}


def hidden_cards(game: Game, state: State, onlooker: int | None) -> set[str]:
    """Return the cards this player may not see, by the rules of the table and not by the file."""
    players = range(1, game.players + 1)
    others = [lying(game, state, "hand", p) for p in players if p != onlooker]
    return lying(game, state, "deck").union(*others, *(lying(game, state, "won", p) for p in players))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_briscola__views_name_no_hidden_card(players: int) -> None:
    game = opened("briscola", players)
    rng, state, shown = random.Random(players), game.start(), 0
    while state.to_move is not None:
        for onlooker in (*range(1, players + 1), None):
            view = json.dumps(game.view(state, onlooker))
            for card in hidden_cards(game, state, onlooker):
                assert card not in view, (card, onlooker)
            if onlooker is not None:
                own = lying(game, state, "hand", onlooker)
                assert all(f'"{card}"' in view for card in own)
                shown += len(own)
        assert state.to_move != CHANCE or game.chances(state)
        state = game.apply(state, rng.choice(game.legal_moves(state)))
    assert shown


def test_briscola__every_card_is_drawn_alike() -> None:
    game = opened("briscola")
    chances = game.chances(game.start())
    assert len(chances) == 40 and len({weight for _, weight in chances}) == 1
