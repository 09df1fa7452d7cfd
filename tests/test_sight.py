"""Decisions as others may read them: never a piece they did not see, and always one that they did."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations

import pytest

from interpreter import CHANCE, Game, Move, State, load
from interpreter.layout import contents
from interpreter.sight.reveals import Sight
from referee.record.match import Match
from rulespec.files.sources import shipped_games
from rulespec.syntax import Several
from tests.shipped import game_of
from tests.sizes import SOAK, size
from tests.small import small_game
from tests.test_view import hidden_spots

GAMES = [name for name in shipped_games() if not name.startswith("house/")]
HIDING = ("duel", "classics/briscola")


def decisions(game: Game, seed: int) -> Iterator[tuple[State, Move, State]]:
    """Yield every decision of a random game, of players and of chance, with the positions around it."""
    rng = random.Random(seed)
    state = game.start()
    while state.to_move is not None:
        if state.to_move == CHANCE:
            outcomes, weights = zip(*game.chances(state), strict=True)
            move = rng.choices(outcomes, weights)[0]
        else:
            moves = game.legal_moves(state)  # each kind of move as often as any other: some hide more than others
            name = rng.choice(sorted({m.name for m in moves}))
            move = rng.choice([m for m in moves if m.name == name])
        after = game.apply(state, move)
        yield state, move, after
        state = after


def exchanged(game: Game, state: State, viewer: int | None, a: int, b: int) -> State | None:
    """Return the same position for a viewer: every hidden piece of one kind is of the other kind; none if they look different."""
    vector = list(state.vector)
    for family, number in hidden_spots(game, viewer):
        lay = game.layout.places[family]
        at = lay.address(number)
        if not {a, b} <= set(lay.place.kinds):
            if {a, b} & {k for k, _ in contents(game.layout, vector, family, number)}:
                return None
            continue
        if game.shown(family, a) != game.shown(family, b):
            return None
        if lay.place.shape == "pile":
            i, j = at + lay.slots[a], at + lay.slots[b]
            vector[i], vector[j] = vector[j], vector[i]
        else:
            for i in range(at + (lay.place.shape == "stack"), at + lay.width):
                vector[i] = {a: b, b: a}.get(vector[i], vector[i])
    return State(tuple(vector), state.to_move, state.decisions, None, None, None, [])


def renamed(game: Game, move: Move, a: int, b: int) -> Move:
    """Return the move with one kind in place of the other."""
    swap = {a: b, b: a}
    if move.name in ("draw", "roll"):
        code = swap.get(move.args[0], int(move.args[0]))
        return Move(move.name, (code,), game.notation.chance(move.name, code))
    args: list[object] = []
    for choice, value in zip(game.model.moves[move.name].choices, move.args, strict=True):
        if isinstance(choice.type, Several):
            counts = dict(zip(choice.type.kinds, value, strict=True))
            args.append(tuple(counts.get(swap.get(k, k), 0) for k in choice.type.kinds))
        else:
            args.append(swap.get(value, value))
    return Move(move.name, tuple(args), game.notation.move(move.name, tuple(args)))


@pytest.mark.sized
@pytest.mark.parametrize("name", HIDING)
def test_sight__what_looks_alike_reads_alike(name: str) -> None:
    """Two games that differ only in what a viewer cannot see, before and after a decision, read the same to them."""
    game = game_of(name)
    sight = game.sight
    compared = 0
    for seed in range(size(1, 20)):
        rng = random.Random(seed)
        for before, move, after in decisions(game, seed):
            if not any(a in game.model.kinds for a in move.args):
                continue
            for viewer in (None, *range(1, game.players + 1)):
                if viewer is not None and viewer == before.to_move:
                    continue
                hidden = {
                    k
                    for state in (before, after)
                    for family, number in hidden_spots(game, viewer)
                    for k, _ in contents(game.layout, state.vector, family, number)
                }
                chosen = {a for a in move.args if a in hidden}
                pairs = [p for p in combinations(sorted(hidden), 2) if chosen & set(p)]
                for a, b in rng.sample(pairs, min(len(pairs), 2)):
                    other = exchanged(game, before, viewer, a, b)
                    if other is None or other.vector == before.vector:
                        continue
                    twin = renamed(game, move, a, b)
                    if not game.is_legal(other, twin):
                        continue
                    end = game.apply(other, twin)
                    if game.view(end, viewer) == game.view(after, viewer) and (twin != move):
                        if shown_on_the_way(sight, before, move, viewer):
                            continue
                        compared += 1
                        assert sight.words(before, move, viewer) == sight.words(other, twin, viewer)
    assert compared > 2 * size(1, 20)


def shown_on_the_way(sight: Sight, before: State, move: Move, viewer: int | None) -> bool:
    """Return whether a piece came by an open place, though it lies hidden again when the next decision is due."""
    return any(
        sight._sees(m.goal.family, m.goal.number, viewer) and m.kind in move.args
        for m in sight._movements(before, move, None)
    )


@pytest.mark.sized
@pytest.mark.parametrize("name", HIDING)
def test_sight__the_only_piece_of_its_kind_that_lies_hidden_is_not_named(name: str) -> None:
    game = game_of(name)
    sight = game.sight
    totals: dict[int, int] = {}
    for supply in game.model.pieces:
        totals[supply.kind] = totals.get(supply.kind, 0) + supply.count
    for seed in range(size(1, 20)):
        for before, move, after in decisions(game, seed):
            for viewer in (None, *range(1, game.players + 1)):
                if viewer is not None and viewer == before.to_move:
                    continue
                spots = [
                    {k for k, _ in contents(game.layout, state.vector, family, number)}
                    for family, number in hidden_spots(game, viewer)
                    for state in (before, after)
                ]
                shown = {
                    m.kind
                    for m in sight._movements(before, move, None)
                    if sight._sees(m.goal.family, m.goal.number, viewer)
                }
                both = set().union(*spots[::2]) & set().union(*spots[1::2]) if spots else set()
                words = " ".join(sight.words(before, move, viewer)).replace(":", " ").replace(",", " ").split()
                for kind in both - shown:
                    if totals[kind] == 1:
                        assert game.model.value_name(kind) not in words


@pytest.mark.sized
@pytest.mark.parametrize("name", GAMES if SOAK else HIDING)
def test_sight__the_player_who_decides_reads_everything(name: str) -> None:
    game = game_of(name)
    sight = game.sight
    for before, move, _ in decisions(game, 3):
        if before.to_move:
            assert sight.words(before, move, before.to_move) == (str(move), game.describe(before, move))


@pytest.mark.parametrize("name", ["base", "pavilion"])
def test_sight__where_all_is_open_everybody_reads_everything(name: str) -> None:
    game = game_of(name)
    sight = game.sight
    for before, move, _ in decisions(game, 3):
        for viewer in (None, 1, 2):
            assert sight.words(before, move, viewer)[0] == str(move)


def test_sight__a_piece_put_away_face_down() -> None:
    """A card that was looked at and put away is known to one player alone."""
    game = game_of("duel")
    match = Match.begin(game, ("random", "random"), 1)
    found = None
    for seed in range(60):
        match = Match.begin(game, ("random", "random"), seed)
        while not match.over and found is None:
            d = match.play_bot()[0]
            found = d if d.move.name == "put_under" else None
        if found is not None:
            break
    assert found is not None
    assert match.words(found, found.player) == (str(found.move), found.text)
    assert match.words(found, 3 - found.player) == ("put_under ?", "put plate ? under the stack")
    assert match.words(found, None) == ("put_under ?", "put plate ? under the stack")


CARDS = small_game("passed_cards")


def test_sight__several_pieces_and_texts_that_would_tell() -> None:
    game = load(CARDS)
    sight = game.sight
    state = game.start()
    for card in ("ace", "king", "queen", "queen"):
        state = game.apply(state, f"draw {card}")
    move = game.parse_move(state, "pass ace,king")
    assert sight.words(state, move, 1) == ("pass ace,king", "pass ace, king to 2, who has 2")
    assert sight.words(state, move, None) == ("pass ?,?", "pass ? to 2, who has 2")
    assert sight.words(state, move, 2) == ("pass ace,king", "pass ace, king to 2, who has 2")  # they land in this hand
    named = game.parse_move(state, "name ace")
    assert sight.words(state, named, 2) == ("name ace", "name ace")  # said aloud
    assert sight.words(state, game.parse_move(state, "peek"), 2) == ("peek", "have ?")
    assert sight.words(game.start(), game.parse_move(game.start(), "draw ace"), 2) == ("draw ?", "draw ?")
