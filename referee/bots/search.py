"""A bot that searches: a tree of what may follow, grown where it looks best, its leaves tried by random games.

Every pass deals what the player cannot see anew and follows the tree by what people and chance decide, so one tree
stands for all positions that look the same (information set Monte-Carlo tree search). It knows nothing of the game but
who ranks before whom, and nothing of the luck to come.
"""

from __future__ import annotations

import random
from math import log, sqrt, tanh
from time import perf_counter

from interpreter import CHANCE, Fault, Game, Move, State
from interpreter.layout import BLOCK
from referee.bots.hidden import Unseen, play_chance

SECONDS = 0.5  # for one move
EXPLORE = 0.4  # how much a move that was tried little is worth trying
MOST_TRIED = 80  # moves of one position; of more, so many picked at random
STEPS = 300  # decisions of players in one random game, at most
ROUNDS = 1  # a random game ends where chance comes so often after somebody scored: what follows says little
WARMING = 24  # random games that tell how far scores lie apart
WON = 0.8  # how much a game won counts against how far it was won by


class Node:
    """What is known of one decision: how often it was taken and could be taken, and what its maker got from it."""

    __slots__ = ("available", "children", "maker", "move", "moves", "state", "total", "visits")

    def __init__(self, maker: int, move: Move) -> None:
        self.maker = maker
        self.move = move
        self.visits = 0
        self.available = 1
        self.total = 0.0
        self.children: dict[Move, Node] = {}
        self.state: State | None = None  # kept where it is the same in every pass
        self.moves: list[Move] = []


def play_search(
    game: Game, state: State, rng: random.Random, seconds: float = SECONDS, passes: int | None = None
) -> Move:
    """The move looked at most, after so many passes, or after so many seconds if their number is not given."""
    moves = game.legal_moves(state)
    if len(moves) == 1:
        return moves[0]
    search = Search(game, state, rng)
    begin, done = perf_counter(), 0
    while passes is None or done < passes:
        search.grow()
        done += 1
        if passes is None and done % 8 == 0:
            spent = perf_counter() - begin
            if spent >= seconds or search.is_settled(done * (seconds - spent) / spent):
                break
    return search.best()


class Search:
    """One search of one position."""

    def __init__(self, game: Game, state: State, rng: random.Random) -> None:
        assert state.to_move  # a player, not chance
        self.game = game
        self.rng = rng
        self.unseen = Unseen(game, state, state.to_move)
        self.root = Node(CHANCE, Move("", (), ""))
        self.players = range(1, game.players + 1)
        self._history: dict[tuple[int, Move], list[float]] = {}  # (player, move) → how often, what it brought, anywhere
        self._rank = game.program.words["rank_0"] if game.model.winner else None
        self._scale = self._spread()

    # one pass --------------------------------------------------------------------------------------------

    def grow(self) -> None:
        """Follows the tree to a decision that is new, tries it, and tells everybody on the way what it brought."""
        state, path = self.unseen.deal(self.rng), [self.root]
        rounds, lines = self.rounds, 0
        try:
            while state.to_move is not None:
                if state.to_move == CHANCE and len(state.log()) > lines:
                    if rounds == 1:
                        break
                    rounds, lines = rounds - 1, len(state.log())
                state = self._follow(state, path)
                if not path[-1].visits:
                    break
            rewards = self._rewards(self._played(state, rounds, len(state.log()) > lines))
        except Fault:  # the rules cannot go on: nobody's merit
            rewards = [0.5] * (self.game.players + 1)
        for node in path:
            node.visits += 1
            node.total += rewards[node.maker]
            if node.maker:
                known = self._history.setdefault((node.maker, node.move), [0, 0.0])
                known[0] += 1
                known[1] += rewards[node.maker]

    def _follow(self, state: State, path: list[Node]) -> State:
        """Decides once, chance by its weights, a player by what looks best; the position after it."""
        maker, node = state.to_move, path[-1]
        assert maker is not None
        move = self._select(state, node, maker) if maker else play_chance(self.game, state, self.rng)
        child = node.children.get(move)
        if child is None:
            child = node.children[move] = Node(maker, move)
        path.append(child)
        if child.state is not None:
            return child.state
        after = self.game.apply(state, move)
        if self.unseen.certain:
            child.state = after
        return after

    def _select(self, state: State, node: Node, player: int) -> Move:
        """The move with the best hope: what it brought so far, and more the less it was tried."""
        moves = node.moves
        if not moves:
            moves = self._few(self.game.legal_moves(state), node)
            if self.unseen.certain:
                node.moves = moves
        best, best_hope = moves[0], -1.0
        children, history = node.children, self._history
        usual = node.total / node.visits if node.visits and node.maker == player else 0.5
        level = EXPLORE * sqrt(log(node.visits + 2))
        for move in moves:
            child = children.get(move)
            if child is None:
                known = history.get((player, move))
                hope = (known[1] / known[0] if known else usual) + level
            else:
                child.available += 1
                tried = child.visits
                hope = child.total / tried + EXPLORE * sqrt(log(child.available) / tried)
            if hope > best_hope:
                best, best_hope = move, hope
        return best

    def _few(self, moves: list[Move], node: Node) -> list[Move]:
        """The moves to consider, in any order: those known here and some new ones, at most so many."""
        known = [m for m in moves if m in node.children]
        new = [m for m in moves if m not in node.children]
        self.rng.shuffle(new)
        return known + new[: max(0, MOST_TRIED - len(known))]

    # what a position is worth ----------------------------------------------------------------------------

    def _played(self, state: State, rounds: int, scored: bool) -> tuple[int, ...]:
        """The position in which a random game from here on ends."""
        if state.to_move is None:
            return state.vector
        return self.game.roller.play(state.vector, self.rng.getrandbits(32), STEPS, rounds, scored)

    def _rewards(self, vector: tuple[int, ...]) -> list[float]:
        near = [0.5 + 0.5 * tanh(lead / self._scale) for lead in self._leads(vector)]
        if vector[BLOCK]:
            return [0.0, *near]
        outcome = self.game.outcome(State(vector, None, 0, None, None, None, []))
        assert outcome is not None
        won = {p: 1 / len(outcome.winners) for p in outcome.winners}
        return [0.0, *(WON * won.get(p, 0.0) + (1 - WON) * near[p - 1] for p in self.players)]

    def _leads(self, vector: tuple[int, ...]) -> list[float]:
        """How far each player ranks before the others: half against the best of them, half against all."""
        if self._rank is None or self.game.players == 1:
            return [0.0] * self.game.players
        ranks = [self._rank(vector, p) for p in self.players]
        leads = []
        for i, own in enumerate(ranks):
            others = ranks[:i] + ranks[i + 1 :]
            leads.append(own - (max(others) + sum(others) / len(others)) / 2)
        return leads

    def _spread(self) -> float:
        """How far apart players come to stand in random games from here."""
        self.rounds = ROUNDS
        found = []
        for _ in range(WARMING):
            try:
                found += self._leads(self._played(self.unseen.deal(self.rng), self.rounds, False))
            except Fault:
                continue
        return max(1.0, sqrt(sum(lead * lead for lead in found) / max(1, len(found))))

    # the answer ------------------------------------------------------------------------------------------

    def best(self) -> Move:
        """The move looked at most; of equal ones the one that brought more."""
        children = self.root.children.values()
        return max(children, key=lambda child: (child.visits, child.total)).move

    def is_settled(self, passes: float) -> bool:
        """Whether so many more passes cannot change the answer."""
        visits = sorted((child.visits for child in self.root.children.values()), reverse=True)
        return len(visits) > 1 and visits[0] - visits[1] > passes
