"""How much a player types: the shortest text that is taken for each legal move, Enter included."""

from __future__ import annotations

import random
from collections.abc import Sequence
from statistics import median

import pytest

from interpreter import Move
from referee.shell.typed_move import Symbols, numbers_of, read_typed, symbols_of
from tests.shipped import game_of
from tests.sizes import size

ENTER = 1
LIMITS = {"base": 6, "sintra": 7, "duel": 8, "pavilion": 9}  # keys of a usual move


def names_of(word: str, symbols: Symbols) -> list[str]:
    """Return texts for a word of a move, the shortest first: its beginnings, its letter on the board, both for parts of it."""
    for between in (",", "."):
        if between in word:
            parts = [names_of(part, symbols)[:3] for part in word.split(between)]
            found = [""]
            for part in parts:
                found = [f"{begun}{between}{name}".lstrip(between) for begun in found for name in part]
            return sorted({*found, *(word[:i] for i in range(1, len(word) + 1))}, key=len)
    letters = {letter.lower() for letter, name in symbols.items() if name == word}
    return sorted({*letters, *(word[:i] for i in range(1, len(word) + 1))}, key=len)


def shortest(move: Move, moves: Sequence[Move], symbols: Symbols) -> str:
    """Return a short text that is read as this move: its name left out if it can be, each word as short as it can be."""
    words = str(move).split()
    found = [_shortened(words[first:], move, moves, symbols) for first in (0, 1) if words[first:]]
    return min((text for text in found if text), key=len)


def _shortened(words: list[str], move: Move, moves: Sequence[Move], symbols: Symbols) -> str:
    def is_read(typed: list[str]) -> bool:
        return read_typed(" ".join(typed), moves, symbols).moves == (move,)

    if not is_read(words):
        return ""
    for i, word in enumerate(words):
        words[i] = next(
            name for name in names_of(word, symbols) if name == word or is_read([*words[:i], name, *words[i + 1 :]])
        )
    while len(words) > 1 and is_read(words[:-1]):
        words.pop()
    return " ".join(words)


@pytest.mark.sized
@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.soak if n == "duel" else ()) for n in LIMITS])
def test_typing__a_usual_move_takes_few_keys(name: str) -> None:
    game = game_of(name)
    symbols, rng = symbols_of(game), random.Random(1)
    keys: dict[str, list[int]] = {}
    for seed in range(size(1, 20)):
        state = game.start(seed)
        while state.to_move is not None:
            moves = game.legal_moves(state)
            if len(moves) > 1 and rng.random() < 0.2:
                for move in rng.sample(moves, min(3, len(moves))):
                    text = shortest(move, moves, symbols)
                    assert read_typed(text, moves, symbols).moves == (move,)
                    keys.setdefault(move.name, []).append(len(text) + ENTER)
            state = game.apply(state, rng.choice(moves))
    everything = [n for counts in keys.values() for n in counts]
    assert len(everything) > 20, keys
    assert sorted(everything)[len(everything) * 4 // 5] <= LIMITS[name], keys  # not only short ones such as `dig`
    for kind, counts in keys.items():
        assert len(counts) < len(everything) / 10 or median(counts) <= LIMITS[name], (kind, keys)


def test_typing__the_shortest_text_is_what_a_player_would_type() -> None:
    game = game_of("base")
    state = game.start(8)
    moves = game.legal_moves(state)
    move = next(move for move in moves if str(move) == "take 1 white floor")
    assert shortest(move, moves, symbols_of(game)) == "1 w f"


def test_numbers__a_move_that_is_a_number_is_listed_with_it() -> None:
    """After `sow 1` the list begins with pit 2: `2` is that pit, and not the second line of the list."""
    game = game_of("classics/kalah")
    state = game.apply(game.apply(game.start(), "sow 1"), "sow 1")
    moves = game.legal_moves(state)
    assert [(number, str(move)) for number, move in numbers_of(moves).items()] == [
        (number, f"sow {number}") for number in range(2, 7)
    ]
    base = game_of("base")
    start = base.legal_moves(base.start(8))
    assert list(numbers_of(start, symbols_of(base)).items())[:2] == [(1, start[0]), (2, start[1])]
