"""A bot that searches: it grows a tree of possible continuations where they look best, and tries its leaves by random games.

Every pass deals the pieces that the player cannot see again, and follows the tree by decisions, so that one tree serves
all positions that look the same (information set Monte-Carlo tree search). It knows nothing of the game but who ranks
before whom, and nothing of the luck to come.
"""

from __future__ import annotations

import random
from contextlib import suppress
from itertools import pairwise
from math import log, sqrt, tanh
from time import perf_counter

from interpreter import BLOCK, CHANCE, Fault, Game, Move, State
from referee.bots.unseen import MOST_TRIED, Unseen, play_chance

SECONDS = 0.5  # for one move
EXPLORE = 0.4  # how much it counts that a move was seldom tried
STEPS = 300  # decisions of players in one random game, at most
ROUNDS = 1  # a random game stops when chance has followed scoring this often: the rest says little
WARMING = 24  # random games to measure how far scores differ
PROBE = 10  # decisions to measure how long one takes
SHARE = 0.1  # of the time for a move that one random game may take
WON = 0.8  # weight of winning, against the margin


class SearchNode:
    """A decision in the tree: how often it was taken and could be taken, and what the player got from it."""

    __slots__ = ("available", "children", "maker", "moves", "settled", "state", "total", "visits")

    def __init__(self, maker: int) -> None:
        self.maker = maker
        self.visits = 0
        self.available = 1
        self.total = 0.0
        self.children: dict[Move, SearchNode] = {}
        self.state: State | None = None  # kept if it is the same in every pass
        self.moves: list[Move] = []
        self.settled: list[float] | None = None  # the final result, if it is certain


def play_search(
    game: Game, state: State, rng: random.Random, seconds: float = SECONDS, passes: int | None = None
) -> Move:
    """Return the move visited most after a number of passes, or, if none is given, of seconds.

    Any legal move if no position can be imagined in which play continues.
    """
    moves = game.legal_moves(state)
    if len(moves) == 1:
        return moves[0]
    begin, done = perf_counter(), 0
    search = Search(game, state, rng, seconds if passes is None else None)
    while passes is None or done < passes:
        search.grow()
        done += 1
        if search.root.settled is not None or search.unseen.is_hopeless:
            break
        if passes is None and (done % 8 == 0 or search.is_slow):
            spent = perf_counter() - begin
            if spent >= seconds or search.is_settled(done * (seconds - spent) / spent):
                break
    return search.best() or rng.choice(moves)


class Search:
    """One search of one position. With unknown rules one decision may take long: random games are cut to fit.

    `seconds` are those for the whole search; without them random games have their full length.
    """

    def __init__(self, game: Game, state: State, rng: random.Random, seconds: float | None = None) -> None:
        assert state.to_move  # a player, not chance
        self.game = game
        self.rng = rng
        self.unseen = Unseen(game, state, state.to_move)
        self.root = SearchNode(CHANCE)
        self.me = state.to_move
        self.players = range(1, game.players + 1)
        self._nodes: dict[tuple[int, State], SearchNode] = {}  # if nothing is hidden, equal positions share a node
        self._steps = STEPS if seconds is None else self._affordable(SHARE * seconds)
        self._usual, self._scale = self._spread()

    # one pass --------------------------------------------------------------------------------------------

    def grow(self) -> None:
        """Follow the tree to a new decision, try it, and record the result on the way back.

        A pass in which the rules get stuck leaves nothing behind, unless nothing is hidden: its position was impossible.
        """
        dealt, path = self.unseen.deal(self.rng), [self.root]
        if dealt is None:
            return
        state, rounds, scored = dealt, ROUNDS, False
        try:
            while state.to_move is not None and len(path) <= self._steps:
                if state.to_move == CHANCE and scored:
                    if rounds == 1:
                        break
                    rounds, scored = rounds - 1, False
                state = self._follow(state, path)
                scored = scored or state.scored
                if not path[-1].visits or path[-1].settled is not None:
                    break
            rewards = path[-1].settled or self._rewards(self._played(state, rounds, scored))
        except Fault as fault:
            self.unseen.met(fault)
            if not self.unseen.certain:
                self._forget(path)
                return
            rewards = [0.5] * (self.game.players + 1)  # the rules got stuck: this counts for nobody
        for node in path:
            node.visits += 1
            node.total += rewards[node.maker]
        if self.unseen.certain and state.to_move is None:
            path[-1].settled = rewards
        self._settle(path)

    def _forget(self, path: list[SearchNode]) -> None:
        """Remove a decision from the tree that nothing is known of."""
        for before, node in pairwise(path):
            if not node.visits:
                before.children = {move: child for move, child in before.children.items() if child is not node}

    def _settle(self, path: list[SearchNode]) -> None:
        """Settle a decision if all that follows is settled, or if it leads to a certain win."""
        for node, child in zip(reversed(path[:-1]), reversed(path[1:]), strict=True):
            if child.settled is None or child.maker == CHANCE:
                break
            if child.settled[child.maker] >= WON and self.game.players > 1:
                node.settled = child.settled
                continue
            followed = [c.settled for c in node.children.values() if c.settled is not None]
            if len(followed) < len(node.moves) or len(node.moves) >= MOST_TRIED:
                break
            node.settled = max(followed, key=lambda rewards: rewards[child.maker])

    def _follow(self, state: State, path: list[SearchNode]) -> State:
        """Make one decision, chance by its weights, a player by what looks best. Return the position after it."""
        maker, node = state.to_move, path[-1]
        assert maker is not None
        if maker not in (CHANCE, self.me) and self.game.asks_several(state):
            maker = CHANCE  # who decides at the same time cannot answer what the player decided
            move = self.rng.choice(self.game.legal_moves(state))
        else:
            move = self._select(state, node, maker) if maker else play_chance(self.game, state, self.rng)
        child = node.children.get(move)
        if child is not None and child.state is not None:
            path.append(child)
            return child.state
        if child is None:
            child = node.children[move] = SearchNode(maker)
        path.append(child)
        after = self.game.apply(state, move)
        if self.unseen.certain:
            child = path[-1] = node.children[move] = self._nodes.setdefault((maker, after), child)
            child.state = after
        return after

    def _select(self, state: State, node: SearchNode, player: int) -> Move:
        """Return the most promising move: by its results so far, and the better the less it was tried."""
        moves = node.moves
        if not moves:
            moves = self._few(self.game.legal_moves(state), node)
            if self.unseen.certain:
                node.moves = moves
        best, best_hope = moves[0], -1.0
        children = node.children
        usual = node.total / node.visits if node.visits and node.maker == player else 0.5
        level = EXPLORE * sqrt(log(node.visits + 2))
        for move in moves:
            child = children.get(move)
            if child is None:
                hope = usual + level
            elif child.settled is not None:
                hope = child.settled[player]
            else:
                child.available += 1
                tried = child.visits
                hope = child.total / tried + EXPLORE * sqrt(log(child.available) / tried)
            if hope > best_hope:
                best, best_hope = move, hope
        return best

    def _few(self, moves: list[Move], node: SearchNode) -> list[Move]:
        """Return the moves to consider, in random order: if there are too many, the known ones and some new ones."""
        if len(moves) > MOST_TRIED:
            known = [m for m in moves if m in node.children]
            new = [m for m in moves if m not in node.children]
            moves = known + self.rng.sample(new, min(len(new), max(0, MOST_TRIED - len(known))))
        first = self.rng.randrange(len(moves))
        return moves[first:] + moves[:first]

    # what a position is worth ----------------------------------------------------------------------------

    def _played(self, state: State, rounds: int, scored: bool) -> tuple[int, ...]:
        """Return the position in which a random game from here ends."""
        if state.to_move is None:
            return state.vector
        return self.game.simulator.rollout(
            state.vector, self.rng.getrandbits(32), self._steps, rounds, scored, state.decisions
        )

    @property
    def is_slow(self) -> bool:
        """Whether random games are cut: every one of them takes a good part of the time."""
        return self._steps < STEPS

    def _affordable(self, seconds: float) -> int:
        """Return how many decisions a random game may have to take no longer than that."""
        dealt, begin = self.unseen.deal(self.rng), 0.0
        if dealt is None:
            return STEPS
        for steps in (1, PROBE):  # the first one makes the program, which takes its own time
            begin = perf_counter()
            with suppress(Fault):
                self.game.simulator.rollout(dealt.vector, self.rng.getrandbits(32), steps, ROUNDS)
        return max(1, min(STEPS, int(PROBE * seconds / max(perf_counter() - begin, 1e-9))))

    def _rewards(self, vector: tuple[int, ...]) -> list[float]:
        near = [0.5 + 0.5 * tanh((lead - self._usual) / self._scale) for lead in self._leads(vector)]
        if vector[BLOCK] or self.game.players == 1:
            return [0.0, *near]
        outcome = self.game.outcome(State(vector, None, 0, None, None, None, []))
        assert outcome is not None
        won = {p: 1 / len(outcome.winners) for p in outcome.winners}
        return [0.0, *(WON * won.get(p, 0.0) + (1 - WON) * near[p - 1] for p in self.players)]

    def _leads(self, vector: tuple[int, ...]) -> list[float]:
        """Return how far each player is ahead: half against the best of the others, half against all of them."""
        if not self.game.model.winner:
            return [0.0] * self.game.players
        ranks: list[float] = [self.game.rank(vector, p)[0] for p in self.players]
        if len(ranks) == 1:
            return ranks
        leads = []
        for i, own in enumerate(ranks):
            others = ranks[:i] + ranks[i + 1 :]
            leads.append(own - (max(others) + sum(others) / len(others)) / 2)
        return leads

    def _spread(self) -> tuple[float, float]:
        """Return the mean lead of a player in random games from here, and its spread."""
        found = []
        for _ in range(1 if self.is_slow else WARMING):
            try:
                if (dealt := self.unseen.deal(self.rng)) is not None:
                    found += self._leads(self._played(dealt, ROUNDS, False))
            except Fault as fault:
                self.unseen.met(fault)
        if not found:
            return 0.0, 1.0
        usual = sum(found) / len(found) if self.game.players == 1 else 0.0
        return usual, max(1.0, sqrt(sum((lead - usual) ** 2 for lead in found) / len(found)))

    # the answer ------------------------------------------------------------------------------------------

    def best(self) -> Move | None:
        """Return the move visited most, unless one with a known result is better; None if none was visited."""
        children = self.root.children
        if not children:
            return None
        certain = {m: c.settled[self.me] for m, c in children.items() if c.settled is not None}
        looked = {m: (c.visits, c.total) for m, c in children.items() if c.settled is None}
        if not looked:
            return max(certain, key=certain.__getitem__)
        most = max(looked, key=looked.__getitem__)
        visits, total = looked[most]
        end = max(certain, key=certain.__getitem__, default=None)
        return end if end is not None and certain[end] >= total / visits else most

    def is_settled(self, passes: float) -> bool:
        """Return whether that many more passes cannot change the answer."""
        visits = sorted((child.visits for child in self.root.children.values()), reverse=True)
        return len(visits) > 1 and visits[0] - visits[1] > passes
