"""Shipped games, each read, checked and made into a program once in a test process.

Loading is pure and what comes of it is never changed, so that tests can share it. A test of loading itself, or one that
changes a game, loads its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import chdir
from functools import cache
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from interpreter.examples.examples import ExampleResult, Examples
from interpreter.examples.reading import find_examples
from interpreter.game import Game
from rulespec.rules import Rules, open_rules
from rulespec.syntax import Model

ROOT = Path(__file__).parent.parent
# house rules that are tried in the check: more players, moves, chance or points than the game has
SOME_HOUSE = ("passing", "pavilion_wild_by_lot", "six_players")


def with_some_house_rules(names: Iterable[str]) -> list[ParameterSet]:
    """Return games to try as parameters of a test: in the check with some of the house rules, in the soak run the others."""
    later = pytest.mark.soak
    return [
        pytest.param(name, marks=later if folder == "house" and file not in SOME_HOUSE else ())
        for name in names
        for folder, _, file in [name.rpartition("/")]
    ]


@cache
def rules_of(name: str) -> Rules:
    """Return the rules of a shipped game, its files named as seen from the project's folder."""
    with chdir(ROOT):
        return open_rules(name)


def game_of(name: str, players: int | None = None, options: dict[str, str] | None = None) -> Game:
    """Return a shipped game as so many play it, with these choices."""
    model, _ = rules_of(name).check(players, options)
    return _game(name, model.players, tuple(sorted(model.choices.items())))


@cache
def _game(name: str, players: int, choices: tuple[tuple[str, str], ...]) -> Game:
    rules = rules_of(name)
    return Game(rules, rules.check(players, dict(choices))[0])


@cache
def examples_of(name: str) -> Examples:
    """Return what tries examples of a shipped game."""

    def make(rules: Rules, model: Model) -> Game:
        return game_of(name, model.players, model.choices)

    return Examples(rules_of(name), make)


@cache
def example_results(name: str, inherited: bool = False) -> tuple[ExampleResult, ...]:
    """Return how the examples in the file of a shipped game came out, or those that it inherits."""
    examples = examples_of(name)
    own = examples.rules.layers.files[-1].tree.span.file
    found = find_examples(examples.rules)
    return tuple(examples.run(entry, choices) for entry, choices in found if (entry.key.span.file != own) == inherited)
