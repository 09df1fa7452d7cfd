"""Moves that cannot be read or chosen: what is said has no names of parameters, which only authors know."""

from __future__ import annotations

import pytest

from interpreter import UnreadableMove
from rulespec import shipped_games
from tests.shipped import game_of


@pytest.mark.parametrize(
    ("name", "typed", "said"),
    [
        ("base", "take 1", "expected `take SOURCE COLOUR TARGET`, for example `take 1 yellow 3`, found 1 word after `take`"),
        ("base", "take 1 z 1", "`z` is not a colour: expected blue, yellow, red, black or white"),
        ("pavilion", "pass red,gren", "`gren` is not one of the tiles: expected kinds joined by commas"),
        ("duel", "first_plate m1 1.1 x", "`x` is not one of the turns: expected 0, 1, 2 or 3"),
        ("classics/go", "put", "expected `put PLACE`, for example `put 1.1`, found no word after `put`"),
        ("classics/nim", "take 1", "expected `take HEAP NUMBER`, for example `take 1 2`, found 1 word after `take`"),
    ],
)  # fmt: skip
def test_refusal__says_what_is_meant_in_words(name: str, typed: str, said: str) -> None:
    game = game_of(name)
    with pytest.raises(UnreadableMove) as found:
        game.parse_move(game.start(1), typed)
    assert str(found.value).startswith(said)


def test_refusal__of_a_value_says_what_it_was_chosen_as() -> None:
    game = game_of("base")
    (objection,) = game.objections(game.start(1), "take 9 blue 2")
    assert objection.text == "`9` cannot be chosen as source; possible: 1, 2, 3, 4, 5, centre"


@pytest.mark.parametrize("name", [name for name in shipped_games() if not name.startswith("house/")])
def test_form__of_a_move_is_no_letter_and_its_example_can_be_read(name: str) -> None:
    game = game_of(name)
    state = game.start(1)
    for move in game.model.moves.values():
        words = game.notation.usage(move.name, move.choices).split()[1:]
        assert len(words) == len(move.choices) and all(len(word) > 2 for word in words), words
        if move.choices:
            with pytest.raises(UnreadableMove) as found:
                game.parse_move(state, f"{move.name} {'x ' * (len(words) + 1)}")
            parts = str(found.value).split("`")
            if "for example" in parts[2]:
                assert game.parse_move(state, parts[3]).name == move.name
