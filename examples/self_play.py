"""A program that learns Azul by playing against itself, on one processor, in minutes; then it is measured against a bot.

    pip install '.[rl]'
    OMP_NUM_THREADS=1 python examples/self_play.py

It knows no rules: it sees the numbers that `BatchEnv` shows the player who decides, and chooses among the legal moves. A network of two
layers says how good each move and the position are (PPO, in plain NumPy); the reward is the margin of points. Nothing in it is
about Azul, so `--game` may be any game of two players with scores.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interpreter import CHANCE, RuleFileError
from referee.bots import Bot, find_bot, play_chance
from referee.lab.estimates import wilson
from referee.learn import BatchEnv, PreparedGame, prepare

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

GAMES = 256  # side by side
STEPS = 48  # of each before the network learns from them
EPOCHS, PIECE = 3, 2048  # how often it sees them, and how many at a time
HIDDEN = (256, 128)  # the size of its layers
RATE, CLIP, ENTROPY, VALUE = 7e-4, 0.2, 0.01, 0.5
LAMBDA = 0.9  # how far ahead the reward of a move is looked for
POINTS = 10.0  # of margin count as one


@dataclass
class Network:
    """Two layers, then a number for each move and one for the position; all weights in one list, with what Adam remembers."""

    weights: list[Floats]
    scale: Floats  # of the numbers of an observation
    steps: int = 0
    means: list[Floats] = field(default_factory=list)
    squares: list[Floats] = field(default_factory=list)

    def scaled(self, numbers: Any) -> Floats:
        """Return observations as small numbers."""
        return np.asarray(numbers, np.float32) * self.scale

    def forward(self, seen: Floats, masks: Any) -> tuple[list[Floats], Floats, Floats]:
        """Return what the layers say, the probabilities of the moves and the value of each position."""
        w1, b1, w2, b2, wp, bp, wv, bv = self.weights
        layers = [seen, np.maximum(seen @ w1 + b1, 0)]
        layers.append(np.maximum(layers[1] @ w2 + b2, 0))
        scores = np.where(masks, layers[2] @ wp + bp, np.float32(-1e9))
        scores -= scores.max(axis=1, keepdims=True)
        likely = np.exp(scores)
        likely /= likely.sum(axis=1, keepdims=True)
        return layers, likely, (layers[2] @ wv + bv)[:, 0]

    def learn(self, layers: list[Floats], by_score: Floats, by_value: Floats, rate: float) -> None:
        """Take one step of Adam, given how the loss changes with the scores of moves and with the values."""
        _, _, w2, _, wp, _, wv, _ = self.weights
        value = by_value[:, None]
        second = (by_score @ wp.T + value @ wv.T) * (layers[2] > 0)
        first = (second @ w2.T) * (layers[1] > 0)
        slopes = [
            layers[0].T @ first, first.sum(0), layers[1].T @ second, second.sum(0),
            layers[2].T @ by_score, by_score.sum(0), layers[2].T @ value, value.sum(0),
        ]  # fmt: skip
        size = np.sqrt(sum(float((slope**2).sum()) for slope in slopes))
        self.steps += 1
        for i, slope in enumerate(slopes):
            slope = slope / max(1.0, size / 0.5)
            self.means[i] += 0.1 * (slope - self.means[i])
            self.squares[i] += 0.001 * (slope**2 - self.squares[i])
            mean, square = self.means[i] / (1 - 0.9**self.steps), self.squares[i] / (1 - 0.999**self.steps)
            self.weights[i] -= (rate * mean / (np.sqrt(square) + 1e-7)).astype(np.float32)


def new_network(prepared: PreparedGame, rng: np.random.Generator) -> Network:
    low, high = prepared.bounds()
    sizes = [len(low), *HIDDEN]
    weights: list[Floats] = []
    for before, after in [*pairwise(sizes), (HIDDEN[-1], prepared.many_actions), (HIDDEN[-1], 1)]:
        width = np.sqrt(2 / before) * (0.01 if after == prepared.many_actions else 1)
        weights += [(rng.standard_normal((before, after)) * width).astype(np.float32), np.zeros(after, np.float32)]
    scale = (1 / np.clip(np.maximum(np.abs(low), np.abs(high)), 1, 20)).astype(np.float32)
    return Network(weights, scale, 0, [np.zeros_like(w) for w in weights], [np.zeros_like(w) for w in weights])


@dataclass
class Experience:
    """Some steps of all games: what was seen, decided and gained."""

    seen: list[Floats] = field(default_factory=list)
    masks: list[Any] = field(default_factory=list)
    actions: list[Ints] = field(default_factory=list)
    likely: list[Floats] = field(default_factory=list)
    values: list[Floats] = field(default_factory=list)
    gained: list[Floats] = field(default_factory=list)
    movers: list[Ints] = field(default_factory=list)
    over: list[Any] = field(default_factory=list)


class Learner:
    def __init__(self, prepared: PreparedGame, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.env = BatchEnv(prepared, GAMES, autoreset_mode="SameStep")
        self.network = new_network(prepared, self.rng)
        self.seen, self.info = self.env.reset(seed=seed)
        self.games = self.decisions = 0

    def gather(self) -> tuple[Experience, Floats, Ints]:
        """Play some steps of all games; return them, with what the network says of where they led, and who decides there."""
        found, network = Experience(), self.network
        for _ in range(STEPS):
            seen = network.scaled(self.seen["observation"])
            masks = self.seen["action_mask"].astype(bool)
            _, likely, values = network.forward(seen, masks)
            noise = -np.log(-np.log(self.rng.random(likely.shape, dtype=np.float32) + 1e-20) + 1e-20)
            actions = np.where(masks, np.log(likely + 1e-20) + noise, -np.inf).argmax(axis=1)
            movers = self.info["to_move"]
            self.seen, gained, over, _, self.info = self.env.step(actions)
            chosen = likely[np.arange(GAMES), actions]
            for kept, value in zip(
                vars(found).values(), (seen, masks, actions, chosen, values, gained / POINTS, movers, over), strict=True
            ):
                kept.append(value)
            self.games += int(over.sum())
            self.decisions += GAMES
        _, _, after = network.forward(network.scaled(self.seen["observation"]), self.seen["action_mask"].astype(bool))
        return found, after, self.info["to_move"]

    def learn(self, rate: float) -> None:
        """Gather experience and learn from it."""
        found, after, mover = self.gather()
        ahead = np.zeros(GAMES, np.float32)
        gains: list[Floats] = []
        for t in reversed(range(STEPS)):  # what is good for one player is bad for the other
            sign = np.where(found.over[t], 0, np.where(mover == found.movers[t], 1, -1)).astype(np.float32)
            ahead = found.gained[t] + sign * after - found.values[t] + LAMBDA * sign * ahead
            gains.insert(0, ahead)
            after, mover = found.values[t], found.movers[t]
        gain = np.concatenate(gains)
        target = gain + np.concatenate(found.values)
        gain = (gain - gain.mean()) / (gain.std() + 1e-6)
        seen, masks = np.concatenate(found.seen), np.concatenate(found.masks)
        actions, before = np.concatenate(found.actions), np.concatenate(found.likely)
        for piece in self._pieces(len(gain)):
            self._improve(seen[piece], masks[piece], actions[piece], before[piece], gain[piece], target[piece], rate)

    def _pieces(self, many: int) -> Iterator[Ints]:
        for _ in range(EPOCHS):
            order = self.rng.permutation(many)
            yield from (order[i : i + PIECE] for i in range(0, many, PIECE))

    def _improve(
        self, seen: Floats, masks: Any, actions: Ints, before: Floats, gain: Floats, target: Floats, rate: float
    ) -> None:
        layers, likely, values = self.network.forward(seen, masks)
        rows, many = np.arange(len(gain)), len(gain)
        ratio = likely[rows, actions] / before
        kept = np.where(gain > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
        push = (-gain * ratio * kept / many)[:, None]
        slope = -likely * push
        slope[rows, actions] += push[:, 0]
        logs = np.log(likely + 1e-20)
        surprise = -(likely * logs).sum(axis=1, keepdims=True)
        slope += ENTROPY * likely * (logs + surprise) / many
        by_value = VALUE * (values - target) / many
        self.network.learn(layers, slope.astype(np.float32), by_value.astype(np.float32), rate)


def named_bot(name: str) -> Bot:
    """Return the bot of a name; ValueError if there is none."""
    bot = find_bot(name)
    if bot is None:
        raise ValueError(f"no bot is called `{name}`")
    return bot


def measure(prepared: PreparedGame, network: Network, opponent: str, games: int, seed: int) -> tuple[float, float]:
    """Return the share of games that the network wins, a draw being half a win, and its mean margin; seats change every game."""
    game, bot = prepared.game, named_bot(opponent)
    won = margin = 0.0
    for number in range(games):
        rng, state, me = random.Random(f"{seed} {number}"), game.start(), number % 2 + 1
        while state.to_move is not None:
            if state.to_move == CHANCE:
                move = play_chance(game, state, rng)
            elif state.to_move != me:
                move = bot(game, state, rng)
            else:
                seen = network.scaled(prepared.observation(state, me)[None])
                _, likely, _ = network.forward(seen, prepared.mask(state, me)[None].astype(bool))
                move = prepared.move(likely[0].argmax())
            state = game.apply(state, move)
        outcome = game.outcome(state)
        assert outcome is not None
        won += (me in outcome.winners) / len(outcome.winners)
        margin += outcome.scores[me] - outcome.scores[3 - me]
    return won / games, margin / games


def report(prepared: PreparedGame, network: Network, opponent: str, games: int, seed: int) -> None:
    share, margin = measure(prepared, network, opponent, games, seed)
    interval = wilson(share * games, games)
    verdict = "stronger" if interval.low > 0.5 else "weaker" if interval.high < 0.5 else "not clear who is stronger"
    print(
        f"against {opponent}: won {share:.1%} of {games} games (95% interval {interval.low:.1%} to {interval.high:.1%}),"
        f" {margin:+.1f} points a game: {verdict}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="base", help="a shipped game or rule file for two players, with scores")
    parser.add_argument("--decisions", type=int, default=2_000_000, help="how many it learns from")
    parser.add_argument("--games", type=int, default=200, help="how many games measure it against each bot")
    parser.add_argument("--against", default="random,greedy,quick:200", help="bots, with commas between")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    opponents = given.against.split(",")
    try:
        prepared = prepare(given.game, players=2, reward="margin")
        for opponent in opponents:
            named_bot(opponent)
    except (RuleFileError, ValueError) as error:
        parser.error(str(error))
    learner = Learner(prepared, given.seed)
    told = 0
    while learner.decisions < given.decisions:
        learner.learn(RATE * max(0.05, 1 - learner.decisions / given.decisions))
        if learner.decisions - told >= given.decisions / 10:
            told = learner.decisions
            _, margin = measure(prepared, learner.network, "random", 20, given.seed)
            print(f"{learner.games:,} games: {margin:+.1f} points a game against random", flush=True)
    minutes = process_time() / 60
    print(
        f"learned from {learner.games:,} games, {learner.decisions:,} decisions, in {minutes:.1f} minutes of processor time"
    )
    for opponent in opponents:
        report(prepared, learner.network, opponent, given.games, given.seed + 1)


if __name__ == "__main__":
    main()
