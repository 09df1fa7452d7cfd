"""Labels that say more than a name, and what the terminal hides."""

from __future__ import annotations

import pytest

from interpreter import RuleFileError, load
from referee.shell.board import Board

LABELLED = """\
rulespec: 1
game: Label hole
players: 2
sets: {card: [ace, king], level: 1..2}
tables:
  worth[card]: {ace: 11, king: 4}
pieces: {card: 2 in row}
places:
  row: {pile: card}
  spare: {pile: card}
variables: {turn: player, kept: 0..9}
define:
  dear(card c): worth[c] > 5
play:
  - ask: turn
    to: take
moves:
  take:
    text: take {k} of {l}
    choose: {k: card, l: level}
    does: []
winner:
  most: me
view:
  labels: {card: "{it} ({worth[it]})", king: "{it}, dear: {dear(it)}", level: "level {it} of {size(level)}"}
"""


def test_labels__are_expressions_over_it() -> None:
    game = load(LABELLED)
    label = game.notation.label
    sets = game.model.sets
    assert [label(code, sets["card"].type) for code in sets["card"].values] == ["ace (11)", "king, dear: no"]
    assert [label(code, sets["level"].type) for code in sets["level"].values] == ["level 1 of 2", "level 2 of 2"]
    assert game.legal_moves(game.start())[0].text == "take ace 1"  # what is typed stays the bare name


def test_labels__stand_on_boards_where_there_is_no_symbol() -> None:
    game = load(LABELLED)
    lines = ["".join(part.text for part in line) for line in Board(game).lines(game.start())]
    assert any("2 ace (11)" in line or "ace (11)" in line for line in lines)
    shown = load(LABELLED + "  symbols: {ace: A, king: K}\n")
    lines = ["".join(part.text for part in line) for line in Board(shown).lines(shown.start())]
    assert not any("ace (11)" in line for line in lines)


def test_labels__may_not_read_the_position() -> None:
    with pytest.raises(RuleFileError) as caught:
        load(LABELLED.replace("{worth[it]}", "{count(row, it)}"))
    assert [(d.code, d.message) for d in caught.value.diagnostics] == [
        ("label-position", "a label cannot depend on the position")
    ]
    with pytest.raises(RuleFileError) as caught:
        load(LABELLED.replace("{worth[it]}", "{wroth[it]}"))
    assert caught.value.diagnostics[0].code == "name-unknown"


def shown(text: str) -> str:
    """Return the first position as the terminal shows it."""
    game = load(text)
    return "\n".join("".join(part.text for part in line) for line in Board(game).lines(game.start()))


def test_layout__gives_a_variable_another_title() -> None:
    titled = shown(LABELLED + "  layout: {kept: {title: Put away}}\n")
    assert "Put away: 0" in titled and "kept: " not in titled


def test_hide__in_the_terminal() -> None:
    assert all(word in shown(LABELLED) for word in ("turn: ", "kept: ", "spare: "))
    hidden = shown(LABELLED + "  hide: [turn, kept, spare]\n")
    assert not any(word in hidden for word in ("turn: ", "kept: ", "spare: "))
    assert "row" in hidden
