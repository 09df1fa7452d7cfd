"""Positions as plain data, for files and other programs, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.layout import BLOCK
from interpreter.seeds import seed_from_data, seed_to_data
from interpreter.state import State, linked

if TYPE_CHECKING:
    from interpreter.game import Game

VERSION = 1


class BadState(ValueError):
    """Data that is no position of this game; the message says what was expected and what was found."""


def state_to_data(game: Game, state: State) -> dict[str, Any]:
    """Everything about a position, fit for JSON."""
    return {
        "version": VERSION,
        "rules": game.fingerprint,
        "players": game.players,
        "options": dict(game.options),
        "vector": list(state.vector),
        "seed": seed_to_data(state.seed),
        "past": [[number, args if isinstance(args, int) else list(args)] for number, args in state.past()],
        "log": [list(line) for line in state.log()],
    }


def state_from_data(game: Game, data: Any) -> State:
    """The position that `state_to_data` wrote; it must be one of the same rules."""
    if not isinstance(data, dict):
        raise BadState(f"expected a position, found {type(data).__name__}")
    for key, wanted in (("version", VERSION), ("rules", game.fingerprint), ("players", game.players)):
        if data.get(key) != wanted:
            raise BadState(f"expected {key} {wanted!r}, found {data.get(key)!r}")
    vector = data.get("vector")
    size = game.layout.size
    if not isinstance(vector, list) or len(vector) != size or not all(type(n) is int for n in vector):
        raise BadState(f"expected a vector of {size} whole numbers")
    at = vector[BLOCK]
    if at and at not in game.compiled.decisions:
        raise BadState(f"no decision has the number {at}")
    try:
        past = [(n, args if isinstance(args, int) else tuple(_tupled(a) for a in args)) for n, args in data["past"]]
        log = [tuple(_tupled(value) for value in line) for line in data["log"]]
        seed = seed_from_data(data["seed"])
    except (KeyError, TypeError, ValueError) as error:
        raise BadState(f"the record of decisions and points is damaged: {error}") from error
    return State(tuple(vector), game.who_decides(vector), len(past), linked(None, past), linked(None, log), seed, [])


def _tupled(value: Any) -> Any:
    return tuple(_tupled(v) for v in value) if isinstance(value, list) else value
