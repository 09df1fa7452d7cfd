"""Plays a game in the engine and in an independent implementation side by side, and compares everything."""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations, product
from typing import Protocol

from interpreter import CHANCE, Game, State
from rulespec.syntax import NONE, YesNo


class Reference(Protocol):
    ledger: list[tuple[int, str, int, int]]

    @property
    def to_move(self) -> int | str | None: ...
    def moves(self) -> list[str]: ...
    def play(self, notation: str) -> None: ...
    def snapshot(self) -> dict[str, object]: ...
    def winners(self) -> list[int]: ...


def covering(choices: list[dict[str, str]]) -> list[dict[str, str]]:
    """Few combinations of options, in which any two choices still meet: all of them where there are few."""
    if len(choices) <= 12:
        return choices
    found: list[dict[str, str]] = []
    open_pairs = {pair for c in choices for pair in combinations(c.items(), 2)}
    while open_pairs:
        best = max(choices, key=lambda c: sum(pair in open_pairs for pair in combinations(c.items(), 2)))
        found.append(best)
        open_pairs -= set(combinations(best.items(), 2))
    return found


Settings = list[tuple[int, dict[str, str]]]  # numbers of players, and choices


def few(settings: Settings) -> Settings:
    """Return settings in which every number of players and every choice occurs that occurs in any of them."""
    parts = [{("players", str(players)), *choices.items()} for players, choices in settings]
    missing, found = set().union(*parts), Settings()
    while missing:
        best = max(range(len(settings)), key=lambda i: len(parts[i] & missing))
        found.append(settings[best])
        missing -= parts[best]
    return found


Where = tuple[str, str, tuple[int, ...]]  # (name with its index as people write it, name, index)


@cache
def _keys(game: Game) -> tuple[list[Where], list[Where]]:
    """Return all places and all variables of a game."""

    def each(owners: object) -> list[Where]:
        found = []
        for owner in owners.values():  # type: ignore[attr-defined]
            for combo in product(*owner.index_values):
                index = ", ".join(map(game.model.value_name, combo))
                found.append((f"{owner.name}[{index}]" if combo else owner.name, owner.name, combo))
        return found

    return each(game.model.places), each(game.model.variables)


def snapshot(game: Game, state: State) -> dict[str, object]:
    """Return the whole position by names: `line[1, 2]` → contents, `score[1]` → value."""
    found: dict[str, object] = {}
    name = game.model.value_name
    places, variables = _keys(game)
    for key, owner, combo in places:
        lying = game.place(state, owner, *combo)
        match game.model.places[owner].shape:
            case "cell":
                found[key] = name(lying[0][0]) if lying else None
            case "stack":
                found[key] = [name(k) for k, _ in lying]
            case _:
                found[key] = {name(k): n for k, n in lying}
    for key, owner, combo in variables:
        code = game.variable(state, owner, *combo)
        if isinstance(game.model.variables[owner].type, YesNo):
            found[key] = bool(code)
        else:
            found[key] = None if code == NONE else code if code < NONE else name(code)
    return found


def who(state: State) -> int | str | None:
    return "chance" if state.to_move == CHANCE and state.to_move is not None else state.to_move


def compare_game(game: Game, reference: Reference, rng: random.Random, every: int = 1) -> int:
    """Play one random game in both; gives the number of decisions.

    At each decision: who decides and the legal moves in their order. Whole positions are compared at about one
    decision in `every`, drawn at random, and at the end, with the ledger and the winners.
    """
    state = game.start()
    decisions = 0
    while True:
        assert who(state) == reference.to_move, f"decision {decisions}: {who(state)} != {reference.to_move}"
        if state.to_move is None:
            break
        ours, theirs = [str(m) for m in game.legal_moves(state)], reference.moves()
        if ours != theirs:
            raise AssertionError(f"decision {decisions}: only ours {set(ours) - set(theirs)}, only theirs {set(theirs) - set(ours)}, "
                                 f"in this order: ours {ours}, theirs {theirs}")  # fmt: skip
        if rng.random() * every < 1:
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
    """Return a move by weight where chance decides, else any."""
    if state.to_move == CHANCE:
        outcomes = game.chances(state)
        return str(rng.choices([m for m, _ in outcomes], [n for _, n in outcomes])[0])
    return rng.choice(moves)


def compare_positions(game: Game, state: State, reference: Reference) -> None:
    ours = snapshot(game, state)
    for key, value in reference.snapshot().items():
        assert ours[key] == value, f"after decision {state.decisions}: {key}: ours {ours[key]}, theirs {value}"
