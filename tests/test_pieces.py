"""How many pieces there are and where they start: by kind, by place, by definitions."""

from __future__ import annotations

import pytest

from interpreter.examples.examples import run_examples
from interpreter.game import Game
from rulespec import RuleFileError, open_rules

GAME = """\
rulespec: 1
game: Pieces
players: 2
sets: {row: 1..2, card: [guard, king], level: 1..2}
tables:
  copies[card]: {guard: 5, king: 1}
  level_of[card]: {guard: 2, king: 1}
pieces:
  LINE
places:
  deck: {pile: card}
  heap[level]: {pile: card}
  board[row]: {stack: card, room: 9}
  kept[card]: {pile: card}
variables: {round: 1..3}
define:
  start(row r): if r = 1 then 1 else 0
  double(number n): twice(n)
  twice(number n): 2 * n
  lies(row r): count(board[r])
  late: later + 1
  later: round
play: []
winner: {all: 1}
"""


def starts(line: str) -> list[tuple[str, int, str, int]]:
    model, _ = open_rules(GAME.replace("LINE", line)).check()
    return [(model.value_name(s.kind), s.count, s.place, s.number) for s in model.pieces]


@pytest.mark.parametrize(
    ("line", "want"),
    [
        ("card: copies[card] in deck", [("guard", 5, "deck", 0), ("king", 1, "deck", 0)]),
        ("card: 1 in heap[level_of[card]]", [("guard", 1, "heap", 1), ("king", 1, "heap", 0)]),
        ("card: double(copies[card]) in deck", [("guard", 10, "deck", 0), ("king", 2, "deck", 0)]),
        ("guard: start(row) in board[row]", [("guard", 1, "board", 0), ("guard", 0, "board", 1)]),
        ("guard: if row = 1 then 3 else 0 in board[row]", [("guard", 3, "board", 0), ("guard", 0, "board", 1)]),
        ("card: if card = king then 1 else 4 in deck", [("guard", 4, "deck", 0), ("king", 1, "deck", 0)]),
        ("guard: if players in [2, 3] then 2 else if players = 4 then 1 else 0 in deck", [("guard", 2, "deck", 0)]),
        # as ever: an index set repeats the line, place by place
        ("card: 1 in board[row]", [("guard", 1, "board", 0), ("king", 1, "board", 0), ("guard", 1, "board", 1), ("king", 1, "board", 1)]),
        ("card: 1 in kept[card]", [("guard", 1, "kept", 0), ("king", 1, "kept", 0), ("guard", 1, "kept", 1), ("king", 1, "kept", 1)]),
    ],
)  # fmt: skip
def test_pieces__start(line: str, want: list[tuple[str, int, str, int]]) -> None:
    assert starts(line) == want


@pytest.mark.parametrize(
    ("line", "want"),
    [
        ("guard: lies(row) in board[row]", [("pieces-position", "`lies` reads the position, so it cannot say how many pieces there are")]),
        ("guard: late in deck", [("pieces-position", "`late` reads the position, so it cannot say how many pieces there are")]),
        ("guard: circle in deck", [("function-cycle", "`round_about` calls itself: round_about → circle → round_about")]),
        ("guard: starts(1) in deck", [("name-unknown", "no function called `starts`")]),
        ("card: 1 in heap[copies[card]]", [("index-outside", "5 is not a place of `heap`")]),
    ],
)  # fmt: skip
def test_pieces__refused(line: str, want: list[tuple[str, str]]) -> None:
    circle = "define:\n  circle: round_about\n  round_about: circle\n" if "circle" in line else "define:\n"
    with pytest.raises(RuleFileError) as caught:
        open_rules(GAME.replace("LINE", line).replace("define:\n", circle)).check()
    assert [(d.code, d.message) for d in caught.value.diagnostics] == want


def test_pieces__definitions_are_read_again_with_the_number_of_pieces() -> None:
    """What they give may depend on how many pieces there are: the types of the first reading are not kept."""
    text = GAME.replace("LINE", "guard: twice(4) in deck")
    model, _ = open_rules(text.replace("lies(row r): count(board[r])", "lies(row r): count(deck)")).check()
    assert model.functions["lies"].body.type.hi == 8  # type: ignore[union-attr]


HANDS = """\
rulespec: 1
game: Hands
players: 2
sets: {fruit: [plum, pear, quince]}
pieces: {fruit: "5 in hand[player]"}
places:
  hand[player]: {pile: fruit}
  out: {pile: fruit}
variables: {turn: player}
play:
  - ask: turn
    to: lay
moves:
  lay:
    text: lay {what}
    choose: {what: "up to 4 from hand[me]"}
    does: ["move what from hand[me] to out"]
winner: {all: 1}
"""


def test_refusal__of_pieces_chosen_together_says_how_many_can_be() -> None:
    rules = open_rules(HANDS)
    game = Game(rules, rules.check()[0])
    state = game.start(seed=0)
    (objection,) = game.objections(state, game.parse_move(state, "lay plum,plum,plum,plum,plum"))
    assert "; possible: 0 to 4 of what lies there, such as plum,plum,plum,plum, " in str(objection)
    assert "… (35 ways)" in str(objection)


PAIRS = """\
rulespec: 1
game: Pairs
players: 2
sets: {low: 0..6, high: 0..6, bone: low * high}
pieces: {bone: 1 in yard}
places:
  yard: {pile: bone}
  a: {pile: bone}
play: []
winner: {all: 1}
examples:
  one:
    given: {a: 2.5}
    expect: {a: 2.5}
  none of it:
    given: {a: 3.0}
    expect: {a: 3.0}
"""


def test_example__a_pair_of_numbers_alone_is_no_fraction() -> None:
    assert [result.problems for result in run_examples(open_rules(PAIRS))] == [(), ()]
