"""How many pieces a move takes, and where they end up: what its words leave open. It never prints."""

from __future__ import annotations

from itertools import product

from interpreter import Game, Move, State
from referee.shell import texts
from rulespec import listed, syntax

MOST_GOALS = 3  # places that are named; a move that fills more ends a round or the like


def consequence(game: Game, before: State, move: Move, after: State | None = None) -> str:
    """Return `3 rose: 2 to bed 2, 1 to the basket`, for pieces that are not hidden from anybody; empty: nothing is left open.

    `after` is the position after the move while chance is open, if it is known already.
    """
    if not before.to_move:
        return ""
    sources = [p for p in game.touches(before, move) if p.kind is not None and _open(game, p.family)]
    if not sources:
        return ""
    if after is None:
        after = game.apply(before.with_seed(None), move)
    taken: dict[int, int] = {}
    for point in sources:
        assert point.kind is not None
        lost = _count(game, before, point.family, point.index, point.kind)
        lost -= _count(game, after, point.family, point.index, point.kind)
        if lost > 0:
            taken[point.kind] = taken.get(point.kind, 0) + lost
    goals = _gains(game, before, after, before.to_move, frozenset(taken))
    total = sum(taken.values())
    if not total or (total == 1 and len(goals) < 2):
        return ""
    pieces = listed(texts.PIECES.format(count=n, kind=game.notation.kind_label(kind)) for kind, n in taken.items())
    reached = sum(goals.values())
    if not goals or len(goals) > MOST_GOALS or reached > total or (len(goals) == 1 and reached == total):
        said = any(isinstance(choice.type, syntax.Several) for choice in game.model.moves[move.name].choices)
        return "" if said else pieces  # its words name them already
    parts = (texts.TO_PLACE.format(count=n, place=place) for place, n in goals.items())
    return texts.TAKEN_TO.format(pieces=pieces, goals=", ".join(parts))


def _open(game: Game, family: str) -> bool:
    return game.model.places[family].seen_by == "everyone"


def _count(game: Game, state: State, family: str, index: tuple[int, ...], kind: int) -> int:
    return sum(n for k, n in game.place(state, family, *index) if k == kind)


def _gains(game: Game, before: State, after: State, player: int, kinds: frozenset[int]) -> dict[str, int]:
    """Return how many pieces of some kinds went to each place of a player."""
    found: dict[str, int] = {}
    for place in game.model.places.values():
        if "player" not in place.index or not _open(game, place.name):
            continue
        for index in product(*place.index_values):
            if index[place.index.index("player")] == player:
                gained = sum(
                    _count(game, after, place.name, index, k) - _count(game, before, place.name, index, k)
                    for k in kinds
                )
                if gained > 0:
                    name = place_name(game, place, index)
                    found[name] = found.get(name, 0) + gained
    return found


def place_name(game: Game, place: syntax.Place, index: tuple[int, ...]) -> str:
    """Return a place as people call it, without its owner: by its label if that is enough, else with its title."""
    layout = game.model.view.layout.get(place.name)
    title = (layout.title if layout is not None else "") or place.name.replace("_", " ")
    if place.shape == "cell":
        return title  # several cells are filled together
    labels = []
    for name, code in zip(place.index, index, strict=True):
        if name != "player":
            plain = game.model.value_name(code)
            labels.append(game.notation.label(code, game.model.sets[name].type) if name in game.model.sets else plain)
            if len(place.index) <= 2 and labels[-1] != plain:
                return labels[-1]
    return " ".join([title, ", ".join(labels)]).strip()
