"""A move as other programs write it: its notation, or an object with its name and its choices."""

from __future__ import annotations

from typing import Any

from interpreter import Game, Move, State
from referee.engine import texts
from referee.engine.fields import hint
from referee.engine.stream import Refusal
from rulespec import listed_names

MOST_LETTERS = 2_000  # of a notation; no move is longer


def read_move(game: Game, state: State, given: str | dict[str, Any]) -> Move:
    """Return the move that is meant, legal or not. Raises Refusal or UnreadableMove."""
    if isinstance(given, dict):
        given = notation_of(game, given)
    if len(given) > MOST_LETTERS:
        given = given[:MOST_LETTERS] + " …"
    return game.parse_move(state, given)


def notation_of(game: Game, given: dict[str, Any]) -> str:
    """Return the notation of `{"move": "take", "s": 1, …}`; a draw or roll has the choice `value`."""
    name = given.get("move")
    if not isinstance(name, str) or not name or " " in name:
        raise Refusal("unreadable-move", texts.MOVE_NAME.format(found=texts.kind_of(name)))
    if name in ("draw", "roll"):
        names = ["value"]
    elif name in game.model.moves:
        names = [choice.name for choice in game.model.moves[name].choices]
    else:
        suggested = hint(name, [*game.model.moves, "draw", "roll"])
        raise Refusal("unreadable-move", texts.NO_MOVE.format(found=name[:40], hint=suggested))
    for key in given:
        if key != "move" and key not in names:
            found = key[:40]
            message = texts.CHOICE_UNKNOWN.format(
                move=name, found=found, hint=hint(key, names), known=listed_names(names)
            )
            raise Refusal("unreadable-move", message)
    missing = [n for n in names if n not in given]
    if missing:
        raise Refusal("unreadable-move", texts.CHOICE_MISSING.format(move=name, missing=listed_names(missing)))
    return " ".join([name, *(_word(n, given[n]) for n in names)])


def _word(choice: str, value: Any) -> str:
    """Return a chosen value as one word of a notation."""
    if value is None:
        return "none"
    if type(value) is int:
        return str(value)
    if isinstance(value, str) and value and not any(letter.isspace() for letter in value):
        return value
    if isinstance(value, list) and all(isinstance(v, str) and v and not v.split()[1:] for v in value):
        return ",".join(value) or "nothing"
    raise Refusal("unreadable-move", texts.CHOICE_VALUE.format(choice=choice, found=texts.kind_of(value)))
