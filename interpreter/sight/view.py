"""What one player may see of a position."""

from __future__ import annotations

import hashlib
import json
from itertools import product
from typing import TYPE_CHECKING, Any

from interpreter.layout import contents
from rulespec.syntax import Place, YesNo

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.state import State


def view(game: Game, state: State, player: int | None) -> dict[str, Any]:
    """The position as plain data, with everything hidden from `player` (None: an onlooker) left out.

    INVARIANT: it is made of what `seen by` allows and nothing else: no local name of a suspended step, no random
    numbers, no record. Positions that differ only in what the player cannot know give equal views.
    """
    if player is not None and not 1 <= player <= game.players:
        raise ValueError(f"there is no player {player}: players are 1 to {game.players}")
    places: dict[str, Any] = {}
    for place in game.model.places.values():
        for number, combo in enumerate(product(*place.index_values)):
            places[named(game, place.name, combo)] = _lying(game, state, place, number, combo, player)
    variables = {}
    for variable in game.model.variables.values():
        for combo in product(*variable.index_values):
            code = game.variable(state, variable.name, *combo)
            shown = bool(code) if isinstance(variable.type, YesNo) else game.plain_value(code)
            variables[named(game, variable.name, combo)] = shown
    return {"to_move": state.to_move, "places": places, "variables": variables}


def position_mark(game: Game, state: State) -> str:
    """A mark of the whole position by the names in its rules: equal ones have equal marks, in any version of the engine."""
    layout, name = game.layout, game.model.value_name
    places = {
        named(game, place.name, combo): [(name(k), n) for k, n in contents(layout, state.vector, place.name, number)]
        for place in game.model.places.values()
        for number, combo in enumerate(product(*place.index_values))
    }
    variables = {
        named(game, variable.name, combo): game.plain_value(game.variable(state, variable.name, *combo))
        for variable in game.model.variables.values()
        for combo in product(*variable.index_values)
    }
    return hashlib.sha256(json.dumps([places, variables], sort_keys=True).encode()).hexdigest()[:16]


def named(game: Game, name: str, combo: tuple[int, ...]) -> str:
    """`line[1, 2]`: a place or variable with its indexes."""
    return f"{name}[{', '.join(map(game.model.value_name, combo))}]" if combo else name


def is_seen(place: Place, combo: tuple[int, ...], player: int | None) -> bool:
    if place.seen_by == "owner":
        return player is not None and combo[place.index.index("player")] == player
    return place.seen_by == "everyone"


def _lying(game: Game, state: State, place: Place, number: int, combo: tuple[int, ...], player: int | None) -> Any:
    """The pieces of one place: by kind, or only how many and what they show."""
    lying = contents(game.layout, state.vector, place.name, number)
    name = game.model.value_name
    if is_seen(place, combo, player):
        if place.shape == "cell":
            return name(lying[0][0]) if lying else None
        return [name(k) for k, _ in lying] if place.shape == "stack" else {name(k): n for k, n in lying}
    shows = game.compiled.shows(place.name)
    if shows is None:
        return {"hidden": sum(n for _, n in lying)}
    shown = [(game.plain_value(shows(state.vector, k)), n) for k, n in lying]
    if place.shape == "stack":
        return {"hidden": [s for s, _ in shown]}
    counts: dict[str, int] = {}
    for s, n in shown:
        counts[str(s)] = counts.get(str(s), 0) + n
    return {"hidden": dict(sorted(counts.items()))}
