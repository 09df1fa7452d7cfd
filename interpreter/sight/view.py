"""A position as one player may see it."""

from __future__ import annotations

import hashlib
import json
from itertools import product
from typing import Any

from interpreter.layout import BLOCK, contents, variable
from interpreter.notation import HIDDEN
from interpreter.run.compiled import CompiledRules
from interpreter.state import State
from rulespec.syntax import Model, Place, Variable, YesNo


def view(rules: CompiledRules, state: State, player: int | None) -> dict[str, Any]:
    """Return the position as plain data, with everything hidden from `player` (None: an onlooker) left out.

    INVARIANT: it is made of what `seen by` allows and nothing else: no local name of a suspended step, no random
    numbers, no record. Positions that differ only in what the player cannot know give equal views.
    """
    model = rules.model
    if player is not None and not 1 <= player <= model.players:
        raise ValueError(f"there is no player {player}: players are 1 to {model.players}")
    places: dict[str, Any] = {}
    for place in model.places.values():
        for number, combo in enumerate(product(*place.index_values)):
            places[named(model, place.name, combo)] = _lying(rules, state, place, number, combo, player)
    variables = {
        named(model, v.name, combo): plain_variable(rules, state, v, combo) if is_seen(v, combo, player) else HIDDEN
        for v in model.variables.values()
        for combo in product(*v.index_values)
    }
    together = rules.layout.held.get(state.vector[BLOCK]) if state.to_move else None
    undecided = {} if together is None else {"undecided": list(together.undecided(state.vector))}
    return {"to_move": state.to_move, **undecided, "places": places, "variables": variables}


def plain_variable(rules: CompiledRules, state: State, v: Variable, combo: tuple[int, ...]) -> int | str | bool | None:
    """Return the value of a variable as plain data."""
    code = variable(rules.layout, state.vector, v.name, combo)
    return bool(code) if isinstance(v.type, YesNo) else rules.model.plain_value(code)


def position_mark(rules: CompiledRules, state: State) -> str:
    """Return a mark of the whole position by the names in its rules: equal ones have equal marks, in any version of the engine."""
    model, layout, vector = rules.model, rules.layout, state.vector
    name = model.value_name
    places = {
        named(model, place.name, combo): [(name(k), n) for k, n in contents(layout, vector, place.name, number)]
        for place in model.places.values()
        for number, combo in enumerate(product(*place.index_values))
    }
    variables = {
        named(model, v.name, combo): model.plain_value(variable(layout, vector, v.name, combo))
        for v in model.variables.values()
        for combo in product(*v.index_values)
    }
    noted = [len(vector[-1])] if layout.remembers else []  # type: ignore[arg-type]  # the entry that is no number
    return hashlib.sha256(json.dumps([places, variables, *noted], sort_keys=True).encode()).hexdigest()[:16]


def named(model: Model, name: str, combo: tuple[int, ...]) -> str:
    """Return `line[1, 2]`: a place or variable with its indexes."""
    return f"{name}[{', '.join(map(model.value_name, combo))}]" if combo else name


def is_seen(thing: Place | Variable, combo: tuple[int, ...], player: int | None) -> bool:
    """Return whether a player, or for None an onlooker, sees what lies on a place, or what a variable is."""
    if thing.seen_by == "owner":
        return player is not None and combo[thing.index.index("player")] == player
    return thing.seen_by == "everyone"


def _lying(
    rules: CompiledRules, state: State, place: Place, number: int, combo: tuple[int, ...], player: int | None
) -> Any:
    """Return the pieces of one place: by kind, or only how many and what they show."""
    lying = contents(rules.layout, state.vector, place.name, number)
    name = rules.model.value_name
    if is_seen(place, combo, player):
        if place.shape == "cell":
            return name(lying[0][0]) if lying else None
        return [name(k) for k, _ in lying] if place.shape == "stack" else {name(k): n for k, n in lying}
    shows = rules.shows(place.name)
    if shows is None:
        return {"hidden": sum(n for _, n in lying)}
    shown = [(rules.model.plain_value(shows(state.vector, k)), n) for k, n in lying]
    if place.shape == "stack":
        return {"hidden": [s for s, _ in shown]}
    counts: dict[str, int] = {}
    for s, n in shown:
        counts[str(s)] = counts.get(str(s), 0) + n
    return {"hidden": dict(sorted(counts.items()))}
