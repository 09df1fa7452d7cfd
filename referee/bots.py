"""Players that are programs. They know the rules only through the five verbs, and see only what their seat may see."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import product

from interpreter import CHANCE, Game, Move, State
from interpreter.layout import contents, put
from interpreter.view import is_seen

Bot = Callable[[Game, State, random.Random], Move]

HORIZON = 60  # decisions of one try, at most
MOST_TRIED = 80  # moves; of more, so many picked at random
BUDGET = 800  # decisions of all tries for one move: a measure of time that is the same on every machine


def play_random(game: Game, state: State, rng: random.Random) -> Move:
    """Any legal move."""
    return rng.choice(game.legal_moves(state))


def play_greedy(game: Game, state: State, rng: random.Random, budget: int = BUDGET) -> Move:
    """The move after which random play soon leads to the best own score against the best of the others.

    Every move is tried once, then the better half again, and so on while the budget lasts. The n-th try of each move
    meets the same luck. Equal ones are told apart at random.
    """
    moves = game.legal_moves(state)
    if len(moves) == 1:
        return moves[0]
    me = state.to_move
    assert me  # a player, not chance
    sums = dict.fromkeys(range(len(moves)), 0.0)
    left, tries = list(sums), 0
    rng.shuffle(left)  # sorting is stable: this is how ties are broken
    left = left[:MOST_TRIED]
    while True:
        luck, spent = rng.getrandbits(32), 0
        for i in left:
            value, cost = _try(game, state, moves[i], me, random.Random(luck))
            sums[i] += value
            spent += cost
        tries += 1
        budget -= spent
        left.sort(key=lambda i: -sums[i])
        if budget <= 0 or len(left) == 1:
            return moves[left[0]]
        if tries > 1 or len(left) > 8:
            left = left[: (len(left) + 1) // 2]


BOTS: dict[str, Bot] = {"greedy": play_greedy, "random": play_random}


def _try(game: Game, state: State, move: Move, me: int, rng: random.Random) -> tuple[float, int]:
    """What a move was worth when all went on at random, and how many decisions that took.

    It ends where chance comes after somebody scored: what follows says little about the move.
    """
    state = game.apply(imagine(game, state, me, rng), move)
    steps = 1
    while steps < HORIZON and state.to_move is not None:
        if state.to_move == CHANCE:
            if state.log():  # an imagined position has no past: these points are new
                break
            move = play_chance(game, state, rng)
        else:
            move = play_random(game, state, rng)
        state = game.apply(state, move)
        steps += 1
    return _worth(game, state, me), steps


def _worth(game: Game, state: State, me: int) -> float:
    scores = game.scores(state)
    if scores:
        others = [n for p, n in scores.items() if p != me]
        return scores[me] - max(others, default=0)
    outcome = game.outcome(state)
    if outcome is None or len(outcome.winners) == game.players:
        return 0
    return 1 if me in outcome.winners else -1


def play_chance(game: Game, state: State, rng: random.Random) -> Move:
    """An outcome of chance, by its weight."""
    outcomes = game.chances(state)
    return rng.choices([move for move, _ in outcomes], [weight for _, weight in outcomes])[0]


# What a seat does not know -------------------------------------------------------------------------------


def imagine(game: Game, state: State, me: int, rng: random.Random) -> State:
    """A position that looks the same to a player: unseen pieces dealt anew, chance left open."""
    places = unseen_places(game, me)
    if len(places) < 2:  # nothing can have changed places
        return State(state.vector, state.to_move, state.decisions, None, None, None, [])
    layout = game.program.layout
    vector = list(state.vector)
    pieces: list[Slot] = []
    for name, number in places:
        for kind, count in contents(layout, vector, name, number):
            pieces += [(name, number, kind)] * count
        lay = layout.places[name]
        vector[lay.address(number) : lay.address(number) + lay.width] = [_empty(game, name)] * lay.width
    for name, number, kind in _dealt_anew(game, pieces, rng):
        put(layout, vector, name, number, kind, 1)
    return State(tuple(vector), state.to_move, state.decisions, None, None, None, [])


Slot = tuple[str, int, int]  # a place, its number in the family, the piece on it


def unseen_places(game: Game, viewer: int | None) -> list[tuple[str, int]]:
    """The places whose pieces a player (or, for None, somebody who watches) cannot see."""
    return [
        (name, number)
        for name, place in game.model.places.items()
        for number, index in enumerate(product(*place.index_values))
        if not is_seen(place, index, viewer)
    ]


def _dealt_anew(game: Game, pieces: list[Slot], rng: random.Random) -> Iterator[Slot]:
    """The same pieces on the same places in another order; only what looks alike and may lie there changes places."""
    alike: dict[object, list[int]] = {}
    for i, (name, _, kind) in enumerate(pieces):
        alike.setdefault((frozenset(game.model.places[name].kinds), shown(game, name, kind)), []).append(i)
    kinds = [kind for _, _, kind in pieces]
    for group in alike.values():
        others = group.copy()
        rng.shuffle(others)
        for i, j in zip(group, others, strict=True):
            kinds[i] = pieces[j][2]
    for (name, number, _), kind in zip(pieces, kinds, strict=True):  # in their order: stacks are filled from the bottom
        yield name, number, kind


def shown(game: Game, place: str, kind: int) -> int | None:
    """What a piece on an unseen place shows of itself, for example its back; none: nothing."""
    if game.model.places[place].shows is None:
        return None
    value: int = game.program.words[f"shows_{place}"](game.program.layout.start, kind)
    return value


def _empty(game: Game, place: str) -> int:
    from rulespec.expr.types import NONE

    return NONE if game.model.places[place].shape == "cell" else 0
