"""The pieces that moved in a decision, from where to where, as one player saw it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from interpreter import Game, Movement, Spot, is_seen, named


@dataclass(frozen=True, slots=True)
class SeenMove:
    """So many pieces that went from one place to another. `piece` is None where the viewer did not see what they are."""

    piece: str | None
    count: int
    source: str
    goal: str

    def as_data(self, number: int) -> dict[str, object]:
        return {"number": number, "piece": self.piece, "count": self.count, "from": self.source, "to": self.goal}


def seen_moves(game: Game, moved: Iterable[Movement], viewer: int | None) -> list[SeenMove]:
    """Return what a player, or for None an onlooker, saw of the movements of a decision.

    INVARIANT: of pieces that the viewer did not see at either end, only what lies elsewhere in the end is told: as the
    numbers of pieces on each place show it anyway. One by one, and in their order, such movements could tell the kinds.
    """
    places = _places(game)
    found: list[SeenMove] = []
    unseen: dict[Spot, int] = {}
    for m in moved:
        if m.source == m.goal:
            continue
        if viewer in places[m.source][1] or viewer in places[m.goal][1]:
            piece = game.model.value_name(m.kind)
            found.append(SeenMove(piece, m.count, places[m.source][0], places[m.goal][0]))
        else:
            unseen[m.source] = unseen.get(m.source, 0) - m.count
            unseen[m.goal] = unseen.get(m.goal, 0) + m.count
    ordered = sorted(unseen.items(), key=lambda one: places[one[0]][2])
    left = [[places[spot][0], -n] for spot, n in ordered if n < 0]
    came = [[places[spot][0], n] for spot, n in ordered if n > 0]
    return [*_paired(left, came), *found]


def _paired(left: list[list[object]], came: list[list[object]]) -> Iterator[SeenMove]:
    """Yield movements that make up the difference."""
    while left and came:
        (source, out), (goal, into) = left[0], came[0]
        assert isinstance(out, int) and isinstance(into, int)
        count = min(out, into)
        yield SeenMove(None, count, str(source), str(goal))
        left[0][1], came[0][1] = out - count, into - count
        if not left[0][1]:
            del left[0]
        if not came[0][1]:
            del came[0]


@lru_cache(maxsize=64)
def _places(game: Game) -> dict[Spot, tuple[str, frozenset[int | None], int]]:
    """Return every place with its name in scenes, who sees what lies there, and its number among all places."""
    viewers: tuple[int | None, ...] = (None, *range(1, game.players + 1))
    found: dict[Spot, tuple[str, frozenset[int | None], int]] = {}
    for place in game.model.places.values():
        for number, combo in enumerate(product(*place.index_values)):
            seen_by = frozenset(v for v in viewers if place.seen_by == "everyone" or is_seen(place, combo, v))
            found[Spot(place.name, number)] = (named(game.model, place.name, combo), seen_by, len(found))
    return found
