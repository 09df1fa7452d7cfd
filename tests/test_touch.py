"""What a move touches: the places and pieces that its choices stand for, derived from the rules."""

from __future__ import annotations

import random

import pytest

from interpreter import Game, Move, State, load, load_traced
from rulespec import shipped_games
from rulespec.syntax import Values
from tests.shipped import game_of
from tests.sizes import size


def touched(game: Game, state: State, text: str) -> dict[str, int]:
    """Return what a move touches as a scene names it, with ranks, or with numbers of pieces."""
    name = game.model.value_name
    found = {}
    for t in game.touches(state, game.parse_move(state, text)):
        index = f"[{', '.join(map(name, t.index))}]" if t.index else ""
        found[f"{t.family}{index}" + (f"/{name(t.kind)}" if t.kind is not None else "")] = t.count or t.rank
    return found


GARDEN = """
rulespec: 1
game: Garden
players: 2
sets:
  plant: [rose, fern]
  row: 1..2
  column: 1..2
  bed: row * column
  tray: [left, right]
  goal: [row, heap]
tables:
  half[player]: [left, right]
pieces:
  plant: 4 in shelf[tray]
places:
  shelf[tray]: {pile: plant}
  garden[player, row, column]: {cell: plant}
  line[player, row]: {pile: plant, room: 2}
  rest[player]: {pile: plant}
  hand[player]: {pile: plant, seen by: owner}
  pot[tray]: {stack: plant, room: 9}
variables:
  turn: player
define:
  there(tray t, plant c): c in shelf[t]
  taken(player p, bed b): not empty(garden[p, b])
play:
  - move 1 of rose from shelf[left] to hand[1]
  - move 1 of fern from shelf[left] to hand[2]
  - move 1 of rose from shelf[right] to pot[left]
  - move 1 of fern from shelf[right] to pot[right]
  - while: true
    do:
      - ask: turn
        to: bed_out or put or drop or sort or own or top or weed
moves:
  bed_out:
    text: plant {c} from {t} at {b}
    choose: {t: tray, c: plant, b: bed}
    needs:
      there:
        that: there(t, c)
        else: no {c}
      free:
        that: not taken(me, b)
        else: taken
    does:
      - move 1 of c from shelf[t] to garden[me, b]
  put:
    text: put {c} to {g}
    choose: {c: plant, g: goal}
    needs:
      there:
        that: c in hand[me]
        else: no {c}
      room:
        that: g = heap or free(line[me, g]) > 0
        else: full
    does:
      - move 1 of c from hand[me] to line[me, g], then rest[me]
  drop:
    text: drop {them}
    choose:
      them: up to 2 from shelf[left]
    does:
      - move them from shelf[left] to rest[me]
  sort:
    text: sort
    does:
      - move all from shelf[left] to shelf[right]
  own:
    text: take {c} of my half
    choose: {c: plant}
    needs:
      there:
        that: c in shelf[half[me]]
        else: no {c}
    does:
      - move 1 of c from shelf[half[me]] to rest[me]
  weed:
    text: weed {x}
    choose: {x: garden}
    does:
      - move all from x to rest[x.player]
  top:
    text: take all {c} on top
    choose: {c: plant}
    needs:
      there:
        that: any(piece(pot[t]) = c for t in tray)
        else: no {c}
    does:
      - for each: t in tray
        do:
          - if: piece(pot[t]) = c
            then:
              - move top from pot[t] to rest[me]
winner:
  most: count(rest[me])
view:
  layout:
    rest: {means: heap}
"""


@pytest.mark.parametrize(
    ("move", "wanted"),
    [
        ("bed_out left rose 1.2", {"shelf[left]/rose": 0, "garden[1, 1, 2]": 2}),
        ("put rose 2", {"hand[1]/rose": 0, "line[1, 2]": 1}),
        ("put rose heap", {"hand[1]/rose": 0, "rest[1]": 1}),
        ("drop rose,rose", {"shelf[left]/rose": 2}),
        ("sort", {}),
        ("own fern", {"shelf[left]/fern": 0}),
        ("top fern", {"pot[right]/fern": 0}),
        ("weed 1.1.2", {"garden[1, 1, 2]": 0, "rest[1]": 0}),
    ],
)
def test_touch__is_what_the_rules_name_by_the_choices(move: str, wanted: dict[str, int]) -> None:
    game = load(GARDEN)
    assert touched(game, game.start(), move) == wanted


@pytest.mark.sized
@pytest.mark.parametrize("name", [n for n in shipped_games() if "/" not in n or n.startswith("classics/")])
def test_touch__every_touched_piece_is_there_and_most_moves_move_what_they_touch(name: str) -> None:
    """A piece that is touched lies there, and the move takes it away; a place that is touched gets a piece or gives one."""
    game = game_of(name)
    telling = load_traced(name)
    rng = random.Random(name)
    state = game.start(5)
    touched_any = False
    for _ in range(size(60, 600)):
        moves = game.legal_moves(state)
        if not moves:
            break
        for move in rng.sample(moves, min(4, len(moves))):
            for touch in game.touches(state, move):
                touched_any = True
                if touch.kind is not None:
                    lying = dict(game.place(state, touch.family, *touch.index))
                    assert lying.get(touch.kind, 0) >= max(1, touch.count)
                    assert is_moved(telling, state, move, touch.family, touch.kind)
        state = game.apply(state, rng.choice(moves))
    choices = [choice for move in game.model.moves.values() for choice in move.choices]
    assert touched_any or all(
        isinstance(c.type, Values) and c.type.is_number for c in choices
    )  # numbers alone touch nothing


def is_moved(game: Game, state: State, move: Move, family: str, kind: int) -> bool:
    """Return whether a move takes a piece of this kind from a place of the family."""
    moved = getattr(game.apply(state.with_seed(None), move), "moved", ())
    return any(m.kind == kind and m.source.family == family for m in moved)
