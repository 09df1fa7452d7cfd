"""Plays a game in the engine and in an independent implementation side by side, and compares everything."""

from __future__ import annotations

import random
from itertools import product
from typing import Any, Protocol

from interpreter import CHANCE, Game, State
from rulespec.expr.types import NONE, YesNo


class Reference(Protocol):
    ledger: list[tuple[int, str, int, int]]

    @property
    def to_move(self) -> int | str | None: ...
    def moves(self) -> list[str]: ...
    def play(self, notation: str) -> None: ...
    def snapshot(self) -> dict[str, object]: ...
    def winners(self) -> list[int]: ...


def snapshot(game: Game, state: State) -> dict[str, object]:
    """The whole position by names: `line[1, 2]` → contents, `score[1]` → value."""
    found: dict[str, object] = {}
    name = game.model.value_name
    for place in game.model.places.values():
        for combo in product(*place.index_values):
            key = place.name + (f"[{', '.join(map(name, combo))}]" if combo else "")
            lying = game.place(state, place.name, *combo)
            if place.shape == "cell":
                found[key] = name(lying[0][0]) if lying else None
            elif place.shape == "stack":
                found[key] = [name(k) for k, _ in lying]
            else:
                found[key] = {name(k): n for k, n in lying}
    for variable in game.model.variables.values():
        for combo in product(*variable.index_values):
            key = variable.name + (f"[{', '.join(map(name, combo))}]" if combo else "")
            code = game.variable(state, variable.name, *combo)
            found[key] = bool(code) if isinstance(variable.type, YesNo) else None if code == NONE else code if code < NONE else name(code)
    return found


def who(state: State) -> int | str | None:
    return "chance" if state.to_move == CHANCE and state.to_move is not None else state.to_move


def compare_game(game: Game, reference: Reference, rng: random.Random, every: int = 1) -> int:
    """Plays one random game in both; every `every`-th position is compared whole. Gives the number of decisions."""
    state = game.start()
    decisions = 0
    while True:
        assert who(state) == reference.to_move, f"decision {decisions}: {who(state)} != {reference.to_move}"
        if state.to_move is None:
            break
        ours, theirs = [str(m) for m in game.legal_moves(state)], reference.moves()
        assert ours == theirs, f"decision {decisions}: only ours {set(ours) - set(theirs)}, only theirs {set(theirs) - set(ours)}"
        if decisions % every == 0:
            compare_positions(game, state, reference)
        notation = choose(game, state, rng, theirs)
        state = game.apply(state, notation)
        reference.play(notation)
        decisions += 1
    compare_positions(game, state, reference)
    assert [(x.player, x.rule, x.points, x.gained) for x in game.ledger(state)] == reference.ledger
    outcome = game.outcome(state)
    assert outcome is not None and list(outcome.winners) == reference.winners()
    return decisions


def choose(game: Game, state: State, rng: random.Random, moves: list[str]) -> str:
    """A move by weight where chance decides, else any."""
    if state.to_move == CHANCE:
        outcomes = game.chances(state)
        return str(rng.choices([m for m, _ in outcomes], [n for _, n in outcomes])[0])
    return rng.choice(moves)


def compare_positions(game: Game, state: State, reference: Reference) -> None:
    ours: dict[str, Any] = snapshot(game, state)
    for key, value in reference.snapshot().items():
        assert ours[key] == value, f"{key}: ours {ours[key]}, theirs {value}"
