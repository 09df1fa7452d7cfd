"""Kuhn poker: its value is known, and is found by playing the rule file against itself with regrets.

Who decides knows a view of the position and nothing else: equal views are one situation. So the value is also a proof that views show
just what a player may know; with more in them the first player would lose more or less.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from interpreter import CHANCE, State
from tests.shipped import game_of

VALUE = Fraction(-1, 18)  # of the game for the first player (Kuhn, 1950)


@dataclass
class Situation:
    """All that a player sees, with the regrets of not having decided otherwise."""

    moves: Sequence[str]
    regrets: list[float] = field(init=False)
    summed: list[float] = field(init=False)  # strategies played so far, later ones count more

    def __post_init__(self) -> None:
        self.regrets = [0.0] * len(self.moves)
        self.summed = [0.0] * len(self.moves)

    def strategy(self) -> list[float]:
        total = sum(self.regrets)
        return [r / total if total else 1 / len(self.moves) for r in self.regrets]

    def average(self) -> list[float]:
        total = sum(self.summed)
        return [s / total if total else 1 / len(self.moves) for s in self.summed]


@dataclass(frozen=True)
class Node:
    """A position: what it is worth to the first player, or who decides and what follows."""

    worth: int = 0
    player: int = 0
    chances: Sequence[float] = ()
    situation: Situation | None = None
    after: Sequence[Node] = ()


def tree() -> tuple[Node, dict[str, Situation]]:
    """Return all positions of the game, and what players can find themselves in."""
    game = game_of("classics/kuhn")
    situations: dict[str, Situation] = {}

    def node(state: State) -> Node:
        if state.to_move is None:
            outcome = game.outcome(state)
            assert outcome is not None and sum(outcome.scores.values()) == 0
            return Node(worth=outcome.scores[1])
        moves = game.legal_moves(state)
        after = [node(game.apply(state, move)) for move in moves]
        if state.to_move == CHANCE:
            weights = [weight for _, weight in game.chances(state)]
            return Node(chances=[w / sum(weights) for w in weights], after=after)
        seen = json.dumps([state.to_move, game.view(state, state.to_move)], sort_keys=True)
        situation = situations.setdefault(seen, Situation([str(move) for move in moves]))
        return Node(player=state.to_move, situation=situation, after=after)

    return node(game.start()), situations


def learn(node: Node, player: int, reach: float, others: float, weight: int) -> float:
    """Return what the position is worth to the player, who learns on the way; `reach` and `others`: how likely it is."""
    if not node.after:
        return node.worth if player == 1 else -node.worth
    if node.situation is None:
        return sum(c * learn(n, player, reach, others * c, weight) for c, n in zip(node.chances, node.after))
    situation, strategy = node.situation, node.situation.strategy()
    if node.player != player:
        return sum(s * learn(n, player, reach, others * s, weight) for s, n in zip(strategy, node.after))
    worth = [learn(n, player, reach * s, others, weight) for s, n in zip(strategy, node.after)]
    mean = sum(s * w for s, w in zip(strategy, worth))
    for i, w in enumerate(worth):
        situation.regrets[i] = max(0.0, situation.regrets[i] + others * (w - mean))
        situation.summed[i] += weight * reach * strategy[i]
    return mean


def worth(node: Node) -> float:
    """Return what the position is worth to the first player if both play their averages."""
    if not node.after:
        return node.worth
    shares = node.chances if node.situation is None else node.situation.average()
    return sum(s * worth(n) for s, n in zip(shares, node.after))


def test_kuhn__situations_are_the_twelve_of_the_paper() -> None:
    _, situations = tree()
    assert len(situations) == 12  # three cards, and four ways to be asked


def test_kuhn__its_value_is_found_by_play() -> None:
    root, situations = tree()
    for weight in range(1, 401):
        for player in (1, 2):
            learn(root, player, 1.0, 1.0, weight)
    assert abs(worth(root) - VALUE) < 0.002
    by_seen = {seen: s for seen, s in situations.items() if '"queen"' in seen}
    assert by_seen  # who holds the queen and begins never bets: it gains nothing, and loses to the king
    (begins,) = [s for seen, s in by_seen.items() if json.loads(seen)[0] == 1 and s.moves == ["check", "bet"]]
    assert begins.average()[1] < 0.05
