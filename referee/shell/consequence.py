"""How many pieces a move takes, and where they end up: what its words leave open. It never prints.

So it is told of a move, and of the part of one that several moves begin with.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from interpreter import Game, Move, State
from referee.shell import texts
from rulespec import listed, syntax

MOST_GOALS = 3  # places that are named; a move that fills more ends a round or the like
MOST_TRIED = 60  # moves of which it is told together what they take,
MOST_WAYS = 5  # where these are no more than so many different things


@dataclass(frozen=True, slots=True)
class Effect:
    """Pieces that a move takes, by kind, and the places of whoever moves where they end up, by name."""

    taken: Mapping[int, int]
    goals: Mapping[str, int]

    @property
    def total(self) -> int:
        return sum(self.taken.values())

    @property
    def goes_apart(self) -> bool:
        """Whether not all that is taken goes to one place, and it can be said where it goes."""
        reached = sum(self.goals.values())
        return (
            0 < len(self.goals) <= MOST_GOALS
            and reached <= self.total
            and (len(self.goals) > 1 or reached < self.total)
        )


def consequence(game: Game, before: State, move: Move, after: State | None = None) -> str:
    """Return `3 rose: 2 to bed 2, 1 to the basket`, for pieces that are not hidden from anybody; empty: nothing is left open.

    `after` is the position after the move while chance is open, if it is known already.
    """
    found = _effect(game, before, move, after)
    if not found.total or (found.total == 1 and len(found.goals) < 2):
        return ""
    if not found.goes_apart:
        said = any(isinstance(choice.type, syntax.Several) for choice in game.model.moves[move.name].choices)
        return "" if said else _pieces(game, found)  # its words name them already
    return _pieces_and_goals(game, found)


def shared_consequence(game: Game, before: State, moves: Sequence[Move]) -> str:
    """Return what each of some moves takes: `2 rose`, or `2 rose or 1 fern` where that is still open.

    Where the pieces end up is told, too, if it is the same for all. Empty: some take nothing, there are too many ways, or
    each piece is the only one of its kind, which the words of a move name.
    """
    found: list[Effect] = []
    for move in moves if len(moves) <= MOST_TRIED else ():
        effect = _effect(game, before, move)
        if effect not in found:
            found.append(effect)
        if not effect.total or len({_pieces(game, each) for each in found}) > MOST_WAYS:
            return ""
    if len(found) == 1 and found[0].goes_apart:
        return _pieces_and_goals(game, found[0])
    if {kind for each in found for kind in each.taken} <= _single_kinds(game):
        return ""
    return listed(dict.fromkeys(_pieces(game, each) for each in found), "or")


def _single_kinds(game: Game) -> set[int]:
    """Return the kinds of which there is only one piece."""
    counts: Counter[int] = Counter()
    for supply in game.model.pieces:
        counts[supply.kind] += supply.count
    return {kind for kind, count in counts.items() if count == 1}


def _pieces(game: Game, effect: Effect) -> str:
    return listed(texts.PIECES.format(count=n, kind=game.notation.kind_label(kind)) for kind, n in effect.taken.items())


def _pieces_and_goals(game: Game, effect: Effect) -> str:
    parts = (texts.TO_PLACE.format(count=n, place=place) for place, n in effect.goals.items())
    return texts.TAKEN_TO.format(pieces=_pieces(game, effect), goals=", ".join(parts))


def _effect(game: Game, before: State, move: Move, after: State | None = None) -> Effect:
    """Return what a move takes that is not hidden from anybody, and where it goes."""
    sources = [p for p in game.touches(before, move) if p.kind is not None and _open(game, p.family)]
    if not before.to_move or not sources:
        return Effect({}, {})
    if after is None:
        after = game.apply(before.with_seed(None), move)
    taken: dict[int, int] = {}
    for point in sources:
        assert point.kind is not None
        lost = _count(game, before, point.family, point.index, point.kind)
        lost -= _count(game, after, point.family, point.index, point.kind)
        if lost > 0:
            taken[point.kind] = taken.get(point.kind, 0) + lost
    return Effect(taken, _gains(game, before, after, before.to_move, frozenset(taken)))


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
