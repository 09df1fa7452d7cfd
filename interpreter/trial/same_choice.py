"""Choices of an option that change nothing: both are played with the same decisions, and nothing ever differs.

Random players seldom reach positions where some choices matter, but the author's examples do: they are tried with both choices too.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from interpreter.budget import Budget, BudgetSpent, cost_of
from interpreter.examples.examples import Examples
from interpreter.examples.reading import find_examples
from interpreter.fault import Fault
from interpreter.game import CountedGame, Game
from interpreter.state import CHANCE, State
from rulespec.diagnostics.diagnostic import Diagnostic
from rulespec.english import number_of
from rulespec.options.layers import Option
from rulespec.rules import Rules
from rulespec.syntax import Model
from rulespec.yaml.nodes import Entry, Mapping, Scalar

Choices = dict[str, str]
Pair = tuple[int, Choices, Choices]  # players, and two ways to choose
MOST_PAIRS = 6  # of settings in which two choices are compared
QUICK = 3  # games, before anything that takes longer is tried
MOST_DECISIONS = 2_000  # of one game; two that are equal for so long are equal enough


def alike_choices(rules: Rules, every: list[Choices], games: int, seed: int, budget: Budget) -> Iterator[Diagnostic]:
    """Yield a complaint for each choice that plays like an earlier one of its option in all `games` games.

    `every` are the combinations to look at. Of choices for which the budget does not last, nothing is said.
    """
    comparison = _Comparison(rules, every, games, seed, budget)
    for option in rules.options:
        same: set[str] = set()
        for one, other in combinations(option.open_choices, 2):
            try:
                alike = other not in same and not comparison.differ(option, one, other)
            except BudgetSpent:
                return
            if alike:
                same.add(other)
                yield _complaint(option, one, other, games)


def _complaint(option: Option, one: str, other: str, games: int) -> Diagnostic:
    first, second = option.choice(one), option.choice(other)
    assert first is not None and second is not None  # open choices are choices
    message = f"`{option.name}: {other}` plays like `{option.name}: {one}`"
    why = f"with the same decisions nothing differed in {number_of(games, 'game')}: moves, chance, scores and winners"
    fix = "check that its `change:` says what you mean"
    return Diagnostic(second.span, "play-option-same", message, why, fix, ((f"`{one}`", first.span),), "warning")


class _Comparison:
    """Compares choices; every game is made once."""

    def __init__(self, rules: Rules, every: list[Choices], games: int, seed: int, budget: Budget) -> None:
        self.rules = rules
        self.budget = budget
        self.games = games
        self.seed = seed
        self.every = {tuple(c.items()): c for c in every}  # each once
        self.examples = Examples(rules, self._game, budget)
        self._made: dict[int, Game] = {}  # by the identity of the model, which the rules keep

    def _game(self, rules: Rules, model: Model) -> Game:
        if id(model) not in self._made:
            self._made[id(model)] = CountedGame(rules, model)
        return self._made[id(model)]

    def differ(self, option: Option, one: str, other: str) -> bool:
        """Return whether anything differs; true if the two can never replace one another, so nothing can be said."""
        pairs = [(c, {**c, option.name: other}) for c in self.every.values() if c[option.name] == one]
        pairs = [(a, b) for a, b in pairs if tuple(b.items()) in self.every][:MOST_PAIRS]
        counts = [self.rules.players_for(choices) for pair in pairs for choices in pair]
        if not pairs or counts[::2] != counts[1::2]:
            return True
        if all(self.rules.fingerprint(a) == self.rules.fingerprint(b) for a, b in pairs):
            return False
        settings = [(players, a, b) for a, b in pairs for players in self.rules.players_for(a)]
        return (
            self._games_differ(settings[:1], min(self.games, QUICK))
            or self._examples_differ(option.name, one, other)
            or self._games_differ(settings[: self.games], self.games)
        )

    def _games_differ(self, settings: list[Pair], games: int) -> bool:
        for number, (players, *pair) in enumerate(settings):
            first, second = (self._game(self.rules, self.rules.check(players, choices)[0]) for choices in pair)
            for i in range(number, games, len(settings)):
                if _game_differs(first, second, random.Random(self.seed * 1_000_003 + i), self.budget):
                    return True
        return False

    def _examples_differ(self, option: str, one: str, other: str) -> bool:
        """Return whether an example comes out otherwise with the other choice."""
        for entry, choices in find_examples(self.rules):
            entries = (_with(entry, option, choice) for choice in (one, other))
            first, second = (self.examples.run(e, choices).problems for e in entries)
            self.budget.spend()  # raises where it did not last for both
            if first != second:
                return True
        return False


def _with(entry: Entry, option: str, choice: str) -> Entry:
    """Return the example, played with a choice."""
    node = entry.value
    if not isinstance(node, Mapping):
        return entry
    old = node.get("with")
    kept = tuple(e for e in old.entries if e.key.text != option) if isinstance(old, Mapping) else ()
    chosen = Entry(Scalar(node.span, option, option), Scalar(node.span, choice, choice))
    said = Entry(Scalar(node.span, "with", "with"), Mapping(node.span, (*kept, chosen)))
    others = tuple(e for e in node.entries if e.key.text != "with")
    return Entry(entry.key, replace(node, entries=(*others, said), _index={}))


def _game_differs(first: Game, second: Game, rng: random.Random, budget: Budget) -> bool:
    """Play both games with the same decisions until something differs."""
    one, two = _next(first, None, 0), _next(second, None, 0)
    for _ in range(MOST_DECISIONS):
        if one is None or two is None:
            return one is not two
        if _shown(first, one) != _shown(second, two):
            return True
        if one.to_move is None:
            return _end(first, one) != _end(second, two)
        at = _pick(first, one, rng)
        one, two = _next(first, one, at), _next(second, two, at)
        budget.spend(cost_of(first, one) if one is not None else 1)
    return False


def _next(game: Game, state: State | None, at: int) -> State | None:
    """Return the position after the decision of that number, or the first one; None at a fault."""
    try:
        return game.start() if state is None else game.apply(state, game.legal_moves(state)[at])
    except Fault:
        return None


def _shown(game: Game, state: State) -> tuple[object, ...]:
    """Return what players see of a position, however the game keeps it."""
    chances = [(str(move), weight) for move, weight in game.chances(state)]
    return (state.to_move, chances or [str(move) for move in game.legal_moves(state)], game.scores(state))


def _end(game: Game, state: State) -> object:
    outcome = game.outcome(state)
    return outcome and (outcome.ranking, outcome.reason)


def _pick(game: Game, state: State, rng: random.Random) -> int:
    if state.to_move == CHANCE:
        weights = [weight for _, weight in game.chances(state)]
        return rng.choices(range(len(weights)), weights)[0]
    return rng.randrange(game.count_moves(state))
