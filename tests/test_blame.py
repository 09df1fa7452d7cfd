"""Reports at the line of the house rule that causes them: refusals, points, faults in play, and lines of the game that no longer fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.game import Game
from interpreter.trial.trial import try_rules
from rulespec.diagnostics.diagnostic import Diagnostic, RuleFileError, Span
from rulespec.rules import Rules, open_rules

HEAD = "rulespec: 1\nextends: {game}\ngame: Ours\nchange:\n"
NIM, PIG = "nim.yaml", "pig.yaml"


def name_of(span: Span) -> str:
    """Return the name of the file of a place, without its folder."""
    return Path(span.file).name


def house(folder: Path, game: str, change: str) -> Rules:
    file = folder / "ours.yaml"
    file.write_text(HEAD.format(game=game) + change, encoding="utf-8")
    return open_rules(str(file))


def wrong(folder: Path, game: str, change: str) -> Diagnostic:
    with pytest.raises(RuleFileError) as caught:
        house(folder, game, change).check()
    return caught.value.diagnostics[0]


def test_refusal__of_a_condition_that_is_written_anew(tmp_path: Path) -> None:
    rules = house(
        tmp_path, "nim", "  moves:\n    take:\n      needs:\n        enough sticks:\n          that: n <= 2\n"
    )
    game = Game(rules, rules.check()[0])
    state = game.start(seed=0)
    (objection,) = game.objections(state, game.parse_move(state, "take 1 3"))
    assert objection.span is not None and objection.changes is not None
    assert (name_of(objection.span), objection.span.line) == ("ours.yaml", 9)
    assert name_of(objection.changes) == NIM
    assert f"ours.yaml:9, which changes games/classics/nim.yaml:{objection.changes.line})" in str(objection)


def test_refusal__of_the_game_itself_has_one_place() -> None:
    rules = open_rules("nim")
    game = Game(rules, rules.check()[0])
    state = game.start(seed=0)
    (objection,) = game.objections(state, game.parse_move(state, "take 1 4"))
    assert objection.span is not None and (name_of(objection.span), objection.changes) == (NIM, None)


def test_points__of_a_rule_that_is_written_anew(tmp_path: Path) -> None:
    rules = house(tmp_path, "pig", "  scoring:\n    held: {points: pot + 1}\n")
    rule = rules.check()[0].rules["held"]
    assert (name_of(rule.span), rule.span.line) == ("ours.yaml", 6)
    assert rule.changes is not None and name_of(rule.changes) == PIG


def test_fault__of_a_line_below_is_reported_at_the_change(tmp_path: Path) -> None:
    change = "  moves:\n    take:\n      needs:\n        two or more:\n          that: n > 1\n          else: no single sticks\n"
    rules = house(tmp_path, "nim", change)
    (fault,) = [d for d in try_rules(rules, 20).diagnostics(rules) if d.code == "play-fault"]
    assert (name_of(fault.span), fault.span.line) == ("ours.yaml", 6)
    assert fault.message == "with this change of `take`, the player has no legal move here"
    assert fault.also[0][0] == "this line cannot continue"
    assert ("`two or more` refuses `take`", "ours.yaml") in [(what, name_of(where)) for what, where in fault.also]


STONES = """\
rulespec: 1
game: Stones
text: Take all stones.
players: 2
tables: {each: 1}
pieces: {stone: 6 in heap}
places:
  heap: {pile: stone}
  taken[player]: {pile: stone}
variables:
  turn: player
  score[player]: 0..20
play:
  - while: not empty(heap)
    do:
      - ask: turn
        to: take
      - set turn to next(turn)
  - for each: p in player
    do:
      - score stones for p
moves:
  take:
    text: take a stone
    does: ["move 1 from heap to taken[me]"]
scoring:
  stones: {text: stones, points: "each * count(taken[me])"}
winner: {most points: "score[me]"}
"""


def test_range__that_a_table_of_a_house_rule_is_too_large_for(tmp_path: Path) -> None:
    (tmp_path / "stones.yaml").write_text(STONES, encoding="utf-8")
    rules = house(tmp_path, "stones.yaml", "  tables: {each: 9}\n")
    (fault,) = [d for d in try_rules(rules, 5).diagnostics(rules) if d.code == "play-fault"]
    assert (name_of(fault.span), fault.span.line) == ("ours.yaml", 5)
    assert fault.message == "with this change of `each`, `score` would leave its range 0..20"
    assert (fault.also[0][0], name_of(fault.also[0][1])) == ("this line cannot continue", "stones.yaml")


@pytest.mark.parametrize(
    ("game", "change", "line", "name"),
    [
        ("nim", "  tables: {sticks_in: [1, 2]}\n  sets: {heap: 1..3}\n", 5, "sticks_in"),
        ("nim", "  sets: {heap: 1..2}\n", 5, "heap"),
        ("pig", "  tables: {enough: [1, 2]}\n", 5, "enough"),
        ("tictactoe", "  sets:\n    mark: [x]\n", 6, "mark"),
        ("pig", "  variables:\n    remove: [pot]\n", 6, "pot"),
    ],
)
def test_line__that_no_longer_fits(tmp_path: Path, game: str, change: str, line: int, name: str) -> None:
    found = wrong(tmp_path, game, change)
    assert (name_of(found.span), found.span.line) == ("ours.yaml", line)
    assert f"`{name}`" in found.message
