"""Shipped games against naive second implementations, written from the rules alone: decision by decision.

A new reference is one line in REFERENCES. The soak run plays thousands of games of each, with all
combinations of options.
"""

from __future__ import annotations

import random
from importlib import import_module
from itertools import product
from typing import Any, NamedTuple

import pytest

from rulespec.files.sources import shipped_games
from tests.compare import Reference, Settings, compare_game, few
from tests.shipped import game_of
from tests.sizes import SOAK, size

GAMES = size(12, 2000)  # random games of each shipped game with a reference
CHUNK = 25  # games in one test
EVERY = 12  # about so many decisions lie between two whole positions compared


class Against(NamedTuple):
    """Where a game's reference is (a class in tests/reference/), and for which players and options it plays."""

    reference: str
    settings: Settings


def each(players: range, **options: list[str]) -> Settings:
    """Return every number of players with every combination of options; in the check a few in which each occurs."""
    combos = [dict(zip(options, choices, strict=True)) for choices in product(*options.values())]
    combos = [combo for combo in combos if list(combo.values()).count("unused") <= 1]  # three or four tablets
    found = [(n, combo) for n in players for combo in combos]
    return found if SOAK else few(found)


REFERENCES = {
    "base": Against("base:Base", each(range(2, 5), wall_side=["coloured", "grey"], jokers=["without", "with"])),
    "sintra": Against("sintra:Sintra", each(range(2, 5), palace_side=["a", "b"], negative_scores=["forbidden", "allowed"])),
    "pavilion": Against("pavilion:Pavilion", each(range(2, 5), side=["coloured", "grey"])),
    "duel": Against("duel:Duel", each(range(2, 3), rows_tablet=["rows", "colours", "unused"], columns_tablet=["columns", "border", "unused"],
                                      diagonals_tablet=["diagonals", "corners", "unused"], mosaic_tablet=["unused", "mosaic", "ornaments"])),
}  # fmt: skip


class Chunk(NamedTuple):
    game: str
    players: int
    options: dict[str, str]
    first: int  # seed of the first game
    many: int

    def __str__(self) -> str:
        return "-".join([self.game, str(self.players), *self.options.values(), str(self.first)])


def chunks(name: str, against: Against) -> list[Chunk]:
    """Return all games to play, in tests of some games each: so several workers share them."""
    many = -(-GAMES // len(against.settings))
    return [
        Chunk(name, players, options, first, min(CHUNK, many - first))
        for players, options in against.settings
        for first in range(0, many, CHUNK)
    ]


def new_reference(name: str, players: int, options: dict[str, str]) -> Reference:
    module, _, cls = REFERENCES[name].reference.partition(":")
    made: Any = getattr(import_module(f"tests.reference.{module}"), cls)
    reference: Reference = made(players, **options)
    return reference


@pytest.mark.sized
@pytest.mark.parametrize(
    "chunk", [c for name, against in REFERENCES.items() for c in chunks(name, against)][:: size(2, 1)], ids=str
)
def test_game__agrees_with_its_reference(chunk: Chunk) -> None:
    if chunk.game not in shipped_games():
        pytest.skip(f"{chunk.game} is not shipped yet")
    game = game_of(chunk.game, chunk.players, chunk.options)
    for seed in range(chunk.first, chunk.first + chunk.many):
        reference = new_reference(chunk.game, chunk.players, chunk.options)
        try:
            compare_game(game, reference, random.Random(f"{chunk} {seed}"), EVERY)
        except AssertionError as difference:
            difference.add_note(f"game {seed} of {chunk}")
            raise


def test_references__name_settings_the_game_has() -> None:
    for name, against in REFERENCES.items():
        if name in shipped_games():
            for players, options in against.settings:
                assert game_of(name, players, options).options == options
