"""The unknown to a player: positions that look the same to them, and chance."""

from __future__ import annotations

import random
from collections import Counter
from functools import cached_property
from itertools import product

from interpreter import BLOCK, Fault, Game, Move, State, contents, cost_among, is_seen, possible_values, put
from referee.bots.arrange import Arrangements
from referee.bots.recall import Recall
from rulespec import syntax

TRIES = 200  # deals, until one has the legal moves of the real position
RECALLED = 50  # ways to go that came out otherwise than the player saw it; after them any values are taken
MOST_TRIED = 80  # moves of one position that a bot considers
MOST_STUCK = 3  # times that a bot runs into a fault that takes long, for one decision; then it imagines no more


def play_chance(game: Game, state: State, rng: random.Random) -> Move:
    """Return a random outcome of chance, by its weight."""
    return draw(game.chances(state), rng)


def draw(outcomes: list[tuple[Move, int]], rng: random.Random) -> Move:
    """Return one of the outcomes of chance, by its weight."""
    return rng.choices([move for move, _ in outcomes], [weight for _, weight in outcomes])[0]


def considered(moves: list[Move], rng: random.Random) -> list[int]:
    """Return the indexes of the moves to try, in random order: sorted by what they are worth, ties are then broken fairly."""
    order = list(range(len(moves)))
    rng.shuffle(order)
    return order[:MOST_TRIED]


def imagine(game: Game, state: State, me: int, rng: random.Random) -> State | None:
    """Return a random position that looks the same to a player, chance left open; None: none was found."""
    return Unseen(game, state, me).deal(rng)


def unseen_places(game: Game, viewer: int | None) -> list[tuple[str, int]]:
    """Return the places whose pieces a player, or for None an onlooker, cannot see."""
    return [
        (name, number)
        for name, place in game.model.places.items()
        for number, index in enumerate(product(*place.index_values))
        if not is_seen(place, index, viewer)
    ]


def unseen_values(game: Game, viewer: int | None) -> list[tuple[str, int]]:
    """Return the values of variables that a player, or for None an onlooker, cannot see, each by its number."""
    return [
        (name, number)
        for name, variable in game.model.variables.items()
        if variable.seen_by != "everyone"
        for number, index in enumerate(product(*variable.index_values))
        if not is_seen(variable, index, viewer)
    ]


class Unseen:
    """A position as one player knows it, to deal repeatedly.

    INVARIANT: positions that look the same to the player are dealt the same, from the same random numbers: pieces are
    gathered in an order that does not depend on where they lay. All ways to lay them that look the same are equally likely.
    Hidden variables have values that the decisions give them which the player did not see: others are made in their place.
    """

    def __init__(self, game: Game, state: State, me: int, pieces_only: bool = False) -> None:
        self.game, self.me = game, me
        self.state = State(state.vector, state.to_move, state.decisions, None, None, None, [])
        self._answers = game.held(state)  # of players who decide at the same time
        before = game.reopened(state) if self._answers else state
        self._vector = list(before.vector)
        self._slots: list[tuple[str, int, frozenset[int]]] = []  # a place, its number in the family, what may lie there
        self._kinds: list[int] = []
        self._takings: dict[frozenset[int], frozenset[int]] = {}  # each once, so that many slots are compared fast
        for name, number in unseen_places(game, me):
            self._gather(name, number)
        self._lay_known()
        values = [] if pieces_only else unseen_values(game, me)
        self._recall = Recall(game, state, me, values) if values else None
        self._forgotten = 0  # ways to go that came out otherwise
        known = self._answers.keys() <= {me} and not (self._recall and self._recall.values)
        self.certain = known and self._is_certain()
        self._legal = self._known_moves(state, me)
        self.looked = 0  # what was done to find positions that agree with the legal moves, in decisions
        self._failed = not self.certain and game.sight.keeps_secrets(before.vector, me)
        self.stuck = 0  # faults that take long, of those that playing on from here led to

    @property
    def is_hopeless(self) -> bool:
        """Whether playing on from here led to so many faults that take long that no more should be tried."""
        return self.stuck >= MOST_STUCK

    def met(self, fault: Fault) -> None:
        """Note a fault that playing on from here led to."""
        self.stuck += fault.code.takes_long

    def _gather(self, name: str, number: int) -> None:
        """Take the pieces of an unseen place from the vector, and note its slots, bottom first."""
        layout, place = self.game.layout, self.game.model.places[name]
        lying = [k for k, n in contents(layout, self._vector, name, number) for _ in range(n)]
        shows = {k: self.game.shown(name, k) for k in set(lying)}
        backs = [shows[k] for k in lying]
        if place.shape == "pile":
            backs.sort(key=repr)  # a pile has no order; a stack shows its backs in theirs
        taking = {back: self._taking(name, back) for back in set(backs)}
        self._slots += [(name, number, taking[back]) for back in backs]
        self._kinds += lying
        lay = layout.places[name]
        empty = syntax.NONE if place.shape == "cell" else 0
        self._vector[lay.address(number) : lay.address(number) + lay.width] = [empty] * lay.width

    def _lay_known(self) -> None:
        """Put back the pieces of piles that can lie nowhere else, where nothing else can lie."""
        places: dict[frozenset[int], set[tuple[str, int]]] = {}
        for name, number, takes in self._slots:
            places.setdefault(takes, set()).add((name, number))
        for takes, at in places.items():
            name, number = next(iter(at))
            alone = not any(takes & other for other in places if other != takes)
            if alone and len(at) == 1 and self.game.model.places[name].shape == "pile":
                for kind, many in Counter(self._kinds).items():
                    if kind in takes:
                        put(self.game.layout, self._vector, name, number, kind, many)
                self._kinds = [kind for kind in self._kinds if kind not in takes]
                self._slots = [slot for slot in self._slots if slot[2] is not takes]

    def _taking(self, name: str, back: int | None) -> frozenset[int]:
        """Return the kinds that may lie on a place and show this back, the same object for the same kinds."""
        kinds = frozenset(k for k in self.game.model.places[name].kinds if self.game.shown(name, k) == back)
        return self._takings.setdefault(kinds, kinds)

    def _is_certain(self) -> bool:
        """Return whether there is only one way to lay the pieces: in a pile their order does not matter."""
        if len(set(self._kinds)) < 2:
            return True
        places = {(name, number) for name, number, _ in self._slots}
        return len(places) == 1 and self.game.model.places[self._slots[0][0]].shape != "stack"

    def _known_moves(self, state: State, me: int) -> list[Move] | None:
        """Return the legal moves, if they give something hidden away to the player."""
        decision = self.game.decision(state)
        if self.certain or state.to_move != me or decision is None:
            return None
        return self.game.legal_moves(state) if self.game.sight.legality_reveals(decision.moves) else None

    @cached_property
    def _arrangements(self) -> Arrangements:
        classes = [takes for _, _, takes in self._slots]
        different = set(classes)
        may = {kind: frozenset(takes for takes in different if kind in takes) for kind in set(self._kinds)}
        return Arrangements(classes, [(kind, may[kind]) for kind in sorted(self._kinds)])

    def deal(self, rng: random.Random) -> State | None:
        """Return the position with the unseen pieces dealt at random and chance left open.

        The player has the same legal moves there as in the real position; None if no such position is found, or if it
        is hopeless to play on from one.
        """
        if self.is_hopeless:
            return None
        if self.certain:
            return self.state
        if (recalled := self._recalled(rng)) is not None:
            return recalled
        for _ in range(0 if self._failed else TRIES):
            if self.is_hopeless:
                break
            dealt: State | None = self._with_values(self._dealt(rng), rng)
            if dealt is not None and self._answers:
                dealt = self._answered(dealt, rng)
            if dealt is not None and (self._legal is None or self._is_asked_the_same(dealt)):
                return dealt
        self._failed = True  # it would fail again, and take as long
        return None

    def _answered(self, dealt: State, rng: random.Random) -> State | None:
        """Return a position after the others who decide at the same time have answered with any legal moves; None: they cannot."""
        game, at = self.game, self.state.vector[BLOCK]
        try:
            state = game.reopened(dealt)
            while state.vector[BLOCK] == at and self.state.to_move in game.undecided(state):
                if state.to_move == self.state.to_move:
                    return State(state.vector, state.to_move, self.state.decisions, None, None, None, [])
                moves = game.legal_moves(state)
                self.looked += cost_among(game, state, len(moves))
                own = self._answers.get(self.me) if state.to_move == self.me else None
                if own is not None and own not in moves:
                    return None
                state = game.apply(state, own or rng.choice(moves))
        except Fault as fault:
            self.met(fault)
        return None

    def _recalled(self, rng: random.Random) -> State | None:
        """Return a position to which the game may have come, as far as the player saw it; None: none was found."""
        recall = self._recall
        if recall is None or recall.start is None:
            return None
        while self._forgotten < RECALLED and not self.is_hopeless:
            looked, found = recall.looked, None
            try:
                start = self._before_doubts.deal(rng)
                found = None if start is None else recall.again(start, rng)
            except Fault as fault:
                self.met(fault)
            self.looked += recall.looked - looked
            if found is not None and (self._legal is None or self._is_asked_the_same(found)):
                return State(found.vector, found.to_move, self.state.decisions, None, None, None, [])
            self._forgotten += 1
        return None

    @cached_property
    def _before_doubts(self) -> Unseen:
        assert self._recall is not None and self._recall.start is not None
        return Unseen(self.game, self._recall.start, self.me, pieces_only=True)

    def _with_values(self, dealt: State, rng: random.Random) -> State:
        """Return a position with any values of the hidden variables that the player does not know."""
        if self._recall is None or not self._recall.values:
            return dealt
        vector = list(dealt.vector)
        for name, number in self._recall.values:
            lay = self.game.layout.variables[name]
            vector[lay.base + number] = rng.choice(possible_values(self.game.model, lay.variable))
        return State(tuple(vector), dealt.to_move, dealt.decisions, None, None, None, [])

    def _dealt(self, rng: random.Random) -> State:
        vector, layout = self._vector.copy(), self.game.layout
        kinds = self._arrangements.deal(rng)
        for (name, number, _), kind in zip(self._slots, kinds, strict=True):  # stacks are filled from the bottom
            put(layout, vector, name, number, kind, 1)
        return State(tuple(vector), self.state.to_move, self.state.decisions, None, None, None, [])

    def _is_asked_the_same(self, dealt: State) -> bool:
        assert self._legal is not None
        self.looked += cost_among(self.game, self.state, len(self._legal))
        try:
            return self.game.legal_moves(dealt) == self._legal
        except Fault as fault:
            self.met(fault)
            return False
