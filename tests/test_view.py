"""Views: never a piece they may not see, and nothing that depends on one."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import product

import pytest

from interpreter import Game, State
from interpreter.layout import contents
from interpreter.sight.view import is_seen
from rulespec.files.sources import shipped_games
from tests.shipped import game_of
from tests.sizes import size

HIDING = [
    name
    for name, path in shipped_games().items()
    if not name.startswith("house/") and "seen by:" in path.read_text("utf-8")
]
Spot = tuple[str, int]  # a place: its family and number


def hidden_spots(game: Game, player: int | None) -> Iterator[Spot]:
    for place in game.model.places.values():
        for number, combo in enumerate(product(*place.index_values)):
            if not is_seen(place, combo, player):
                yield place.name, number


def random_states(game: Game, seed: int) -> Iterator[State]:
    rng = random.Random(seed)
    state = game.start(seed=seed)
    while state.to_move is not None:
        yield state
        state = game.apply(state, rng.choice(game.legal_moves(state)))


def kinds_there(game: Game, state: State, spots: list[Spot]) -> set[int]:
    return {k for family, number in spots for k, _ in contents(game.layout, state.vector, family, number)}


@pytest.mark.sized
@pytest.mark.parametrize("name", HIDING)
def test_view__names_no_hidden_piece(name: str) -> None:
    game = game_of(name)
    totals: dict[int, int] = {}
    for supply in game.model.pieces:
        totals[supply.kind] = totals.get(supply.kind, 0) + supply.count
    for seed in range(size(4, 100)):
        for step, state in enumerate(random_states(game, seed)):
            for player in (1, 2, None) if step % 3 == 0 else ():
                spots = list(hidden_spots(game, player))
                seen = json.dumps(game.view(state, player))
                for kind in kinds_there(game, state, spots):
                    if totals[kind] == 1:  # the only one of its kind lies face down: its name stands nowhere
                        assert f'"{game.model.value_name(kind)}"' not in seen


@pytest.mark.sized
@pytest.mark.parametrize("name", HIDING)
def test_view__is_equal_where_only_hidden_pieces_differ(name: str) -> None:
    game = game_of(name)
    swapped = 0
    for seed in range(size(4, 100)):
        rng = random.Random(seed)
        for step, state in enumerate(random_states(game, seed)):
            if step % 7:
                continue
            for player in (1, 2):
                other = with_two_hidden_pieces_swapped(game, state, player, rng)
                if other is not None:
                    swapped += 1
                    assert other.vector != state.vector
                    assert game.view(other, player) == game.view(state, player)
    assert swapped or name != "duel"  # a game with one hidden place has nothing to swap


def with_two_hidden_pieces_swapped(game: Game, state: State, player: int, rng: random.Random) -> State | None:
    """Return the same position for this player: two pieces that show the same have changed places face down."""
    layout = game.layout
    slots = []  # (slot in the vector of a stack's piece, or of a pile's count; kind; what it shows)
    for family, number in hidden_spots(game, player):
        lay = layout.places[family]
        at = lay.address(number)
        for i, (kind, _) in enumerate(contents(layout, state.vector, family, number)):
            slots.append(
                (
                    lay,
                    at,
                    at + 1 + i if lay.place.shape == "stack" else None,
                    kind,
                    game.shown(family, kind),
                )
            )
    rng.shuffle(slots)
    for a in slots:
        for b in slots:
            fits = b[3] in a[0].place.kinds and a[3] in b[0].place.kinds
            if a[1] != b[1] and a[3] != b[3] and a[4] == b[4] and fits:
                vector = list(state.vector)
                for (lay, at, slot, _, _), new in ((a, b[3]), (b, a[3])):
                    old = a[3] if lay is a[0] and at == a[1] else b[3]
                    if slot is not None:
                        vector[slot] = new
                    elif lay.place.shape == "cell":
                        vector[at] = new
                    else:
                        vector[at + lay.slots[old]] -= 1
                        vector[at + lay.slots[new]] += 1
                return State(tuple(vector), state.to_move, state.decisions, None, None, None, [])
    return None


def test_view__of_no_player() -> None:
    game = game_of("base")
    with pytest.raises(ValueError, match="there is no player 3: players are 1 to 2"):
        game.view(game.start(seed=1), 3)
    assert game.view(game.start(seed=1), None)["places"]["bag"] == {"hidden": 80}
