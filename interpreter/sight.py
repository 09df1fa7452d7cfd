"""Who saw what of a decision: what it turned up, and how somebody else at the table may read it."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import TYPE_CHECKING

from interpreter.layout import contents
from interpreter.state import CHANCE, State
from interpreter.view import is_seen

if TYPE_CHECKING:
    from interpreter.game import Game

Spot = tuple[str, int]


def reveals(game: Game, before: State, after: State) -> bool:
    """Whether a decision turned up something that was hidden from a player: chance decided, or a piece came out."""
    if before.to_move == CHANCE:
        return True
    for player in range(1, game.players + 1):
        change: Counter[int] = Counter()
        for family, number in hidden_spots(game, player):
            change.update(dict(contents(game.program.layout, after.vector, family, number)))
            change.subtract(dict(contents(game.program.layout, before.vector, family, number)))
        if any(n < 0 for n in change.values()):
            return True
    return False


def hidden_spots(game: Game, viewer: int | None) -> list[Spot]:
    """The places whose pieces a player, or for None an onlooker, cannot see."""
    return [
        (place.name, number)
        for place in game.model.places.values()
        if place.seen_by != "everyone"
        for number, index in enumerate(product(*place.index_values))
        if not is_seen(place, index, viewer)
    ]
