"""What rules could once not say, or only by a trick: each in a small game that is good, plays, and has its worked examples.

`tests/sayings/` has the games. The house rules here change one of them, and the lines that a designer has to write for
a secret auction, a trade and a look at a hand are counted.
"""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

import pytest

from interpreter import load
from interpreter.examples.examples import run_examples
from rulespec import RuleFileError
from rulespec.rules import Rules, open_rules
from tests.shipped import ROOT, game_of, rules_of
from tests.test_house import lines_of_change

FOLDER = Path(__file__).parent / "sayings"
MOST_LINES = 12


def tried(path: Path | str, own: str | None = None) -> list[str]:
    """Return what is wrong with a rule file: its complaints, its examples, and games that do not end."""
    rules = open_rules(path)
    wrong = [d.first_line() for d in rules.check_all()]
    for result in run_examples(rules, [own] if own else None):
        wrong += [f"{result.name}: {problem}" for problem in result.problems]
    for players in rules.players:
        game = load(path, players=players)
        wrong += [f"game {seed} has no end" for seed in range(2) if game.outcome(game.playout(seed)) is None]
    return wrong


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.stem)
def test_saying__is_good_and_played(path: Path) -> None:
    assert tried(path) == []


# --- at most so many lines --------------------------------------------------------------------------------------------

AUCTION = """\
rulespec: 1
extends: base
game: Azul with an auction
change:
  variables: {"bid[player]": {is: 0..5, seen by: owner}}
  steps:
    offering:
      instead of:
        set turn to first:
          - {ask: player, to: bid}
          - let high be first(p for p in clockwise(first) where bid[p] = max(bid[q] for q in player)) default first
          - add -bid[high] to score[high]
          - set turn to high
  moves:
    bid: {text: "bid {n}", choose: {n: 0..5}, needs: {enough: {that: "n <= score[me]", else: too much}}, does: ["set bid[me] to n"]}
examples:
  the highest bid begins, and pays:
    players: 3
    run: offering
    given: {"score[1]": 4, "score[2]": 4, "offer[centre]": "red, blue"}
    play:
      - bid 0
      - refused: {bid 5: too much}
      - bid 3
      - bid 0
    expect: {to move: 2, "score[1]": 4, "score[2]": 1}
"""
LOOK = """\
rulespec: 1
extends: classics/briscola
game: Briscola with a look
change:
  variables: {"looked[player]": yes_no}
  moves:
    look:
      beside: play
      text: look at the hand of {p}
      choose: {p: player}
      needs: {once: {that: "p != me and not looked[me]", else: "once a game, and at another's"}}
      does: ["show hand[p] to me", "set looked[me] to true", ask again]
examples:
  a look, and then a card is played:
    players: 2
    run: one_turn(1)
    given: {"hand[1]": ace.coins, "hand[2]": two.cups}
    play:
      - look 2
      - offered: {play: [ace.coins], look: []}
    expect: {to move: 1}
"""


@pytest.mark.parametrize(("name", "text"), [("auction", AUCTION), ("look", LOOK), ("trade", "")])
def test_saying__in_few_lines(name: str, text: str, tmp_path: Path) -> None:
    """A secret auction, a look at another's hand, and a trade once a round."""
    file = tmp_path / f"{name}.yaml" if text else rules_of("house/trading").path
    if text:
        file.write_text(text, encoding="utf-8")
        rules = open_rules(file)
        own = [result for result in run_examples(rules) if result.name in text]
        assert own and [problem for result in own for problem in result.problems] == []
        assert [d.first_line() for d in rules.check()[1]] == []
    assert 3 < len(lines_of_change(file.read_text(encoding="utf-8"))) <= MOST_LINES


def test_auction__nobody_is_shown_a_bid_before_all_have_bid(tmp_path: Path) -> None:
    (tmp_path / "auction.yaml").write_text(AUCTION, encoding="utf-8")
    game = load(tmp_path / "auction.yaml", players=2)
    state = game.start(seed=1)
    assert game.undecided(state) == (1, 2)
    after = game.apply(state, "bid 0")
    assert game.undecided(after) == (2,)
    for position in (after, game.apply(after, "bid 0")):
        assert [game.view(position, player)["variables"]["bid[1]"] for player in (1, 2)] == [0, "?"]


def test_go__keeps_no_books() -> None:
    """Chains and their free points are found where they are asked for; with superko there is not even a point of the ko."""
    usual, superko = (
        game_of("classics/go", options={"size": "five", "ko_rule": rule}) for rule in ("usual_ko", "superko")
    )
    assert set(usual.model.variables) == {"turn", "passes", "ko", "score"}
    assert set(superko.model.variables) == {"turn", "passes", "score"}
    assert (
        len([line for line in (ROOT / "games/classics/go.yaml").read_text("utf-8").splitlines() if "breathes" in line])
        >= 2
    )


# --- house rules ------------------------------------------------------------------------------------------------------

NESTED = "change: {play: {before: {do new_day: [set days to 5]}}, steps: {new_day: {after: {add 1 to days: [add 2 to days]}}}}\n"
BESIDE = "change: {play: {remove: [do new_day]}}\n"
OPTION = 'options: {begging: {"yes": {change: {define: {worth: 3}, moves: {beg: {text: beg for more}}}}}}\n'
OUTSIDE = "change: {moves: {beg: {text: beg for more}}}\n"
CARD = "change: {sets: {good: {add: [buy]}}}\n"


def house(text: str) -> str:
    return f"rulespec: 1\nextends: stall.yaml\ngame: Changed\n{text}"


def changed(*changes: str) -> Rules:
    with chdir(FOLDER):
        return open_rules("stall.yaml", house=[house(text) for text in changes])


def days(*changes: str) -> int:
    """Return how many days it is when all is bought, with these house rules."""
    with chdir(FOLDER):
        game = load("stall.yaml", house=[house(text) for text in changes])
    return int(game.variable(game.playout(0), "days"))


def test_house__changes_a_nested_step() -> None:
    assert (days(), days(NESTED)) == (2, 8)


def test_house__two_that_touch_different_items_of_one_list() -> None:
    add = "change: {play: {after: {set turn to next(turn): [set days to 9]}}}\n"
    assert days(BESIDE, add) == 9
    with pytest.raises(RuleFileError) as caught:
        days(NESTED, BESIDE)
    assert {d.code for d in caught.value.diagnostics} == {"house-conflict"}


def test_house__changes_what_only_a_choice_brings() -> None:
    rules = changed(OPTION)
    moves = [rules.check(2, {"begging": choice})[0].moves for choice in ("no", "yes")]
    assert [sorted(known) for known in moves] == [["buy"], ["beg", "buy"]]
    assert moves[1]["beg"].text.parts == ("beg for more",)
    (found,) = changed(OUTSIDE).check_all()
    assert found.code == "option-only" and "begging=yes" in found.message


def test_house__a_piece_may_be_called_as_a_move_is() -> None:
    assert [d.first_line() for d in changed(CARD).check()[1]] == []
