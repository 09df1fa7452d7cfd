"""Answers of the protocol: positions, decisions, moves and rules as plain data."""

from __future__ import annotations

from itertools import product
from typing import Any

from interpreter import CHANCE, Game, Move, Objection, Outcome, named, seeds
from referee.record.match import Decided, Match, ledger_data
from rulespec import syntax

ledger_line = ledger_data


def who(to_move: int | None) -> int | str | None:
    """Return who decides next: a player's number, `chance`, or nobody."""
    return "chance" if to_move == CHANCE else to_move


def state_data(match: Match) -> dict[str, Any]:
    """Return the position as plain data."""
    game, state = match.game, match.state
    outcome = game.outcome(state)
    return {
        "to_move": who(state.to_move),
        **({"undecided": list(game.undecided(state))} if game.asks_several(state) else {}),
        "decisions": len(match.decided),
        "players": game.players,
        "options": dict(game.options),
        "seed": seeds.seed_to_data(match.seed),
        "scores": {str(p): n for p, n in game.scores(state).items()},
        "outcome": None if outcome is None else outcome_data(outcome),
    }


def outcome_data(outcome: Outcome) -> dict[str, Any]:
    """Return how a game ended as plain data."""
    return {
        "winners": list(outcome.winners),
        "reason": outcome.reason,
        "ranking": [list(group) for group in outcome.ranking],
        "scores": {str(p): n for p, n in outcome.scores.items()},
    }


def decided_data(decided: Decided, words: tuple[str, str], viewer: Any = ...) -> dict[str, Any]:
    """Return a decision in these words: its notation, and the author's text; in full, or as a viewer may read it."""
    return {
        "number": decided.number,
        "player": who(decided.player),
        "move": words[0],
        "text": words[1],
        "points": [ledger_data(line) for line in decided.points],
        "told": [line.full if viewer is ... else line.text(viewer=viewer) for line in decided.told],
    }


def move_data(match: Match, move: Move) -> dict[str, Any]:
    """Return a move with its choices by name."""
    game = match.game
    if move.name in ("draw", "roll"):
        weights = {str(m): n for m, n in game.chances(match.state)}
        choices: dict[str, Any] = {"value": game.plain_value(move.args[0])}
        return {"notation": str(move), "move": move.name, "choices": choices, "weight": weights[str(move)]}
    choices = {}
    for choice, value in zip(game.model.moves[move.name].choices, move.args, strict=True):
        if isinstance(choice.type, syntax.Several):
            kinds = zip(choice.type.kinds, value, strict=True)
            choices[choice.name] = [game.model.value_name(kind) for kind, n in kinds for _ in range(n)]
        else:
            choices[choice.name] = game.plain_value(value)
    text = match.sight.words(match.state, move, match.state.to_move)[1]  # as who decides may read it
    return {"notation": str(move), "move": move.name, "choices": choices, "text": text}


def objection_data(objection: Objection) -> dict[str, Any]:
    """Return one reason against a move as plain data."""
    span = objection.span
    return {
        "text": objection.text,
        "condition": objection.condition,
        "move": objection.move,
        "file": span.file if span else None,
        "line": span.line if span else None,
    }


def rules_data(game: Game) -> dict[str, Any]:
    """Return what a program needs to know before it plays: players, options, moves with their choices, places, variables."""
    rules, model = game.rules, game.model
    options = [
        {
            "name": option.name,
            "default": option.default,
            "choices": [{"name": c.name, "text": c.text} for c in option.choices if c.name in option.open_choices],
        }
        for option in rules.options
    ]
    moves = [
        {
            "name": move.name,
            "choices": [{"name": c.name, "values": game.notation.expected(c.type)} for c in move.choices],
        }
        for move in model.moves.values()
    ]
    places = {
        named(game.model, place.name, combo): place.seen_by
        for place in model.places.values()
        for combo in product(*place.index_values)
    }
    return {
        "title": game.title,
        "players": list(rules.players),
        "options": options,
        "playing": {"players": game.players, "options": dict(game.options)},
        "moves": moves,
        "places": places,
        "fingerprint": game.fingerprint,
    }
