"""Few combinations of options are checked, and they show what all of them would show."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.diagnostics.diagnostic import Diagnostic, RuleFileError
from rulespec.files.sources import shipped_games
from rulespec.options.combinations import combinations_to_check
from rulespec.rules import Rules, open_rules
from tests.shipped import rules_of

GAME = """\
rulespec: 1
game: Sticks
players: 2
sets: {size: 1..3}
tables: {most: 3, least: 1, limit: 5}
pieces: {stick: 10 in heap}
places:
  heap: {pile: stick}
  taken[player]: {pile: stick}
variables: {turn: player}
define:
  left: count(heap)
  bound: limit
  few: left < most
play:
  - while: left > 0
    do: [do one]
steps:
  two: [{ask: turn, to: take}]
  three: [set turn to 1]
  one:
    - ask: turn
      to: take
    - set turn to next(turn)
moves:
  take:
    text: take {n}
    choose: {n: least..most}
    needs:
      enough: {that: n <= left, else: "there are only {left}"}
    does: ["move n of stick from heap to taken[me]"]
winner:
  took the last stick: turn != me
  few: few
options:
"""

# Pairs of choices that are each good, and wrong together; what is wrong; and where in the whole file.
TOGETHER = {
    "a name that both bring": ("define: {more: 1}", "tables: {more: 2}", "name-taken"),
    "a value two names away": (
        "tables: {limit: none}",
        "define: {few: left < bound}",
        "type-mismatch",
    ),
    "an entry that both remove": (
        "winner: {remove: [few]}",
        "winner: {remove: [few]}",
        "overlay-remove-nothing",
    ),
    "nobody decides any more": (
        "steps: {one: [do two]}",
        "steps: {two: [set turn to next(turn)]}",
        "while-without-decision",
    ),
    "steps that run each other": (
        "steps: {one: [do two]}",
        "steps: {two: [do one]}",
        "step-cycle",
    ),
    "more pieces than there is room for": (
        "places: {heap: {room: 15}}",
        "tables: {sticks: 20}\n        pieces: {stick: sticks in heap}",
        "place-room",
    ),
    "a parameter too many": (
        "steps:\n          three(size s): [set turn to s]",
        "steps: {two: [do three]}",
        "call-arguments",
    ),
}


def every_complaint(rules: Rules) -> set[Diagnostic]:
    """Return what checking all combinations one by one finds."""
    found: set[Diagnostic] = set()
    for choices in rules.combinations():
        for players in rules.players_for(choices):
            try:
                found.update(rules.check(players, choices)[1])
            except RuleFileError as error:
                found.update(error.diagnostics)
    return found


def game_with(*changes: str) -> str:
    """Return the game with an option for each change, between options that have nothing to do with it."""
    text = GAME
    for number, change in enumerate(changes):
        text += f"  option_{number}:\n    old: {{text: as it is}}\n    new:\n      change:\n        {change}\n"
        text += f"  other_{number}:\n    old: {{text: as it is}}\n    new:\n      change:\n        variables: {{v{number}: 0..3}}\n"
    return text


@pytest.mark.parametrize(("first", "second", "code"), TOGETHER.values(), ids=TOGETHER)
def test_check_all__finds_what_only_shows_together(first: str, second: str, code: str) -> None:
    for changes in ((first, second), (second, first)):
        rules = open_rules("sticks.yaml", game_with(*changes))
        wanted = {(d.span, d.code) for d in every_complaint(rules) if d.level == "error"}
        found = {(d.span, d.code) for d in rules.check_all() if d.level == "error"}
        assert found == wanted
        assert code in {c for _, c in found}
    assert len(combinations_to_check(rules.layers)) < len(rules.combinations())


def test_check_all__finds_a_name_that_is_hidden_only_together() -> None:
    changes = ("define: {number_left: 1}", "define: {few: any(number_left > 3 for number_left in size)}")
    for given in (changes, changes[::-1]):
        rules = open_rules("sticks.yaml", game_with(*given))
        hiding = [d for d in rules.check_all() if d.code == "name-hides"]
        assert [d.message for d in hiding] == ["the local name `number_left` hides a function"]
        assert len(combinations_to_check(rules.layers)) < len(rules.combinations())


def test_check_all__together_is_wrong_only_together() -> None:
    """The cases above are what they say: each change alone is good."""
    for first, second, code in TOGETHER.values():
        rules = open_rules("sticks.yaml", game_with(first, second))
        wrong = []
        for choices in rules.combinations():
            try:
                rules.check(2, choices)
            except RuleFileError as error:
                wrong.append((choices["option_0"], choices["option_1"], {d.code for d in error.diagnostics}))
        assert {(a, b) for a, b, _ in wrong} == {("new", "new")}
        assert all(code in codes for _, _, codes in wrong)


@pytest.mark.parametrize("game", shipped_games())
def test_combinations__takes_every_choice_and_every_possible_default(game: str) -> None:
    rules = rules_of(game)
    combinations, found = rules.combinations(), combinations_to_check(rules.layers)
    assert found[0] == combinations[0]
    assert all(choices in combinations for choices in found)
    taken = {pair for choices in found for pair in choices.items()}
    assert taken == {pair for choices in combinations for pair in choices.items()}


def test_combinations__of_options_that_never_meet_is_small(tmp_path: Path) -> None:
    text = game_with("tables: {least: 2}", *(f"define: {{d{i}: least}}" for i in range(7)))
    rules = open_rules("sticks.yaml", text)
    assert len(rules.combinations()) == 2**16
    assert len(combinations_to_check(rules.layers)) < 20


def test_combinations__keeps_to_what_can_be_played_together() -> None:
    text = game_with("tables: {least: 2}", "tables: {most: 2}")
    text += "  late:\n    old: {text: as it is}\n    new: {text: no, not with: {option_0: new, option_1: old}}\n"
    rules = open_rules("sticks.yaml", text)
    assert all(choices in rules.combinations() for choices in combinations_to_check(rules.layers))
    assert any(choices["late"] == "new" for choices in combinations_to_check(rules.layers))


def test_options__that_make_too_many_combinations_are_refused() -> None:
    with pytest.raises(RuleFileError) as error:
        open_rules("sticks.yaml", game_with(*(f"define: {{d{i}: least}}" for i in range(15))))
    assert [(d.code, d.message) for d in error.value.diagnostics] == [
        ("option-many", "30 options make more than 65,536 combinations")
    ]


def test_options__that_all_concern_the_same_rules_are_not_all_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    text = game_with(*(f"tables: {{most: {i}}}" for i in range(3, 8)))
    monkeypatch.setattr("rulespec.options.combinations.MOST_CHECKED", 16)
    rules = open_rules("sticks.yaml", text)
    assert [d.message for d in rules.check_all() if d.code == "option-unchecked"] == [
        "not all 32 combinations of 5 options that concern the same rules are checked"
    ]
    assert len(combinations_to_check(rules.layers)) <= 16
