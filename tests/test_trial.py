"""Rules on trial: every kind of finding on a small wrong game, the shortest ways to faults, and the shipped games."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pexpect
import pytest

from interpreter.fault import Fault
from interpreter.game import Game
from interpreter.trial.shrink import shrink
from interpreter.trial.trial import MOST_DECISIONS, Trial, in_runs, spread, try_rules
from referee.cli import main
from rulespec.diagnostics.diagnostic import Diagnostic
from rulespec.files.sources import shipped_games
from rulespec.rules import open_rules
from tests.shipped import rules_of
from tests.sizes import SOAK, size
from tests.small import small_game

# Whoever presses 1 3 2 2 1 3 in a row opens the box, and there is nothing in it to move.
LOCK = small_game("lock")

# A game in which all is well; parts of it are replaced to make each mistake.
GOOD = small_game("take")


def on_trial(tmp_path: Path, text: str, games: int = 12) -> tuple[Trial, list[Diagnostic]]:
    path = tmp_path / "game.yaml"
    path.write_text(text, encoding="utf-8")
    rules = open_rules(path)
    assert not [d for d in rules.check_all() if d.level == "error"]
    trial = try_rules(rules, games)
    return trial, trial.diagnostics(rules)


def changed(*parts: tuple[str, str], text: str = GOOD) -> str:
    for old, new in parts:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text


def told(diagnostics: list[Diagnostic]) -> list[tuple[int, str, str, str]]:
    return [(d.span.line, d.level, d.code, d.message) for d in diagnostics]


# Faults ---------------------------------------------------------------------------------------------------


def test_fault__the_six_decisions_that_matter(tmp_path: Path) -> None:
    trial, found = on_trial(tmp_path, LOCK)
    assert told(found) == [(22, "error", "play-fault", "too few pieces to move")]
    assert found[0].why == (
        "with 2 players the rules cannot continue after 6 decisions, the fewest that lead there: "
        "press 1, press 3, 2 times press 2, press 1, press 3"
    )
    assert found[0].fix == "write `up to`, or test it first"
    (fault,) = trial.faults
    assert (fault.players, fault.way.shortest) == (2, True)


def test_fault__replays_as_told(tmp_path: Path) -> None:
    trial, _ = on_trial(tmp_path, LOCK)
    rules = open_rules(tmp_path / "game.yaml")
    game = Game(rules, rules.check(2)[0])
    state = game.start()
    *before, last = trial.faults[0].way.decisions
    for move in before:
        state = game.apply(state, str(move))
    with pytest.raises(Fault, match="too few pieces to move"):
        game.apply(state, str(last))


def test_fault__decisions_of_chance_are_told_too(tmp_path: Path) -> None:
    text = changed(
        ("to: press\n", "to: press\n      - roll die from 1..6\n      - add (if die = 5 then 1 else 0) to fives\n"),
        ("left: {", "fives: 0..2, left: {"),
        ("code: [1, 3, 2, 2, 1, 3]", "code: [1, 1, 1, 1, 1, 1]"),
        ("      - if: open = 6\n        then: [move 1 of bead from box to pot]\n", ""),
        text=LOCK,
    )
    _, found = on_trial(tmp_path, text)
    assert told(found) == [(15, "error", "play-fault", "`fives` would leave its range 0..2")]
    assert found[0].why.endswith("the fewest that lead there: press 1, roll 5, press 1, roll 5, press 1, roll 5")


def test_fault__before_any_decision(tmp_path: Path) -> None:
    _, found = on_trial(tmp_path, changed(("play:\n", 'setup: ["move 4 of red from pot to hand[1]"]\nplay:\n')))
    assert told(found) == [(8, "error", "play-fault", "too few pieces to move")]
    assert found[0].why == "with 2 players the rules cannot continue at the start"


def test_fault__told_with_the_fewest_players_and_changed_options(tmp_path: Path) -> None:
    options = """\
options:
  pots:
    usual: {text: as it is}
    other: {text: other texts, change: {moves: {press: {text: 'push {n}'}}}}
  keys:
    usual: {text: three keys}
    many: {text: four keys, change: {moves: {press: {choose: {n: 1..4}}}}}
"""
    only = changed(("if: open = 6", "if: open = 6 and players > 2"), ("1, 3]", "1, 4]"), text=LOCK)
    only = changed(
        ("players: 2..3", "players: 2..4"), ("left: {is: 0..600, start: 600}", "left: {is: 0..6, start: 6}"), text=only
    )
    only = changed(
        ("code: [1, 3, 2, 2, 1, 4]", "code: [4, 4, 1, 1, 1, 1]"), ("open = 6 and", "open = 2 and"), text=only
    )
    trial, found = on_trial(tmp_path, only + options, games=60)
    assert found[0].why == (
        "with 3 players and keys: many the rules cannot continue after 2 decisions, the fewest that lead there: 2 times press 4"
    )
    assert trial.faults[0].choices == {"pots": "usual", "keys": "many"}


def test_fault__of_a_variable_that_is_one_of_a_set_is_not_to_be_widened(tmp_path: Path) -> None:
    text = changed(("      - score one for me\n", "      - score one for me\n      - set turn to count(pot, red)\n"))
    _, found = on_trial(tmp_path, text)
    (fault,) = [d for d in found if d.code == "play-fault"]
    assert fault.message == "`turn` would leave its range 1..2"
    assert fault.fix == "test it first, or say what to use then: it must be one of `player`"


def test_fault__several_are_all_told(tmp_path: Path) -> None:
    text = changed(
        (
            "    does:\n",
            "    does:\n      - if: count(pot) = 3\n        then: ['move 4 of red from pot to hand[me]']\n",
        ),
        ("    choose: {c: colour}\n", "    choose: {c: colour}\n"),
        (
            "      - score one for me\n",
            "      - score one for me\n      - if: count(pot, red) = 0\n        then: [set turn to turn]\n",
        ),
    )
    text = changed(("then: [set turn to turn]", "then: ['add 10 to score[me]']"), text=text)
    _, found = on_trial(tmp_path, text)
    assert sorted({d.message for d in found}) == ["`score` would leave its range 0..9", "too few pieces to move"]
    assert {d.level for d in found} == {"error"}


# Whoever always picks 10 has more points than the score has room for; at random that is one turn in ten.
PICK = """\
rulespec: 1
game: Pick
players: 2
sets: {finger: 1..10}
variables: {turn: player, left: {is: 0..24, start: 24}, "score[player]": 0..6}
play:
  - while: left > 0
    do:
      - ask: turn
        to: pick
      - add -1 to left
      - set turn to next(turn)
moves:
  pick:
    text: pick {n}
    choose: {n: finger}
    does:
      - score ten(n) for me
scoring:
  ten(finger n): {text: a ten, points: if n = 10 then 1 else 0}
winner: {points: "score[me]"}
"""


def test_fault__that_only_good_players_reach(tmp_path: Path) -> None:
    trial, found = on_trial(tmp_path, PICK)
    assert (trial.games, trial.ended) == (12, 12)
    assert told(found) == [(18, "error", "play-fault", "`score` would leave its range 0..6")]
    assert found[0].why.count("pick 10") == 7


STUCK = changed(
    ("        to: take\n", "        to: take or skip\n"),
    ("that: c in pot", "that: c in pot and count(pot) > 2"),
    (
        "scoring:\n",
        "  skip:\n    text: skip to {p}\n    choose: {p: 'list(p for p in player where count(hand[p]) > 5)'}\n    does: []\nscoring:\n",
    ),
)


def test_fault__what_refuses_the_moves_where_none_is_legal(tmp_path: Path) -> None:
    trial, found = on_trial(tmp_path, STUCK)
    assert told(found) == [(11, "error", "play-fault", "the player has no legal move here")]
    assert [(what, span.line) for what, span in found[0].also] == [
        ("`there` refuses `take`", 19),
        ("`skip` has nothing to choose from", 27),
    ]
    assert [what for what, _ in trial.faults[0].refusing] == [what for what, _ in found[0].also]


def test_fault__the_same_of_several_steps_is_told_once(tmp_path: Path) -> None:
    text = changed(
        ("0..9", "0..2"),
        (
            "      - score one for me\n",
            "      - if: c = red\n        then: [score one for me]\n        else: [score one for me]\n",
        ),
    )
    trial, found = on_trial(tmp_path, text)
    assert len(trial.faults) == 2
    assert [d.message for d in found] == ["`score` would leave its range 0..2"]
    assert {found[0].span.line, *(span.line for _, span in found[0].also)} == {25, 26}


def test_shrink__with_little_work_allowed_still_leads_to_the_fault(tmp_path: Path) -> None:
    trial, _ = on_trial(tmp_path, LOCK)
    rules = open_rules(tmp_path / "game.yaml")
    game = Game(rules, rules.check(2)[0])
    short = list(trial.faults[0].way.decisions)
    start = game.start()
    other = next(m for m in game.legal_moves(start) if m != short[0])
    way = shrink(game, [other] * 3 + short, trial.faults[0].fault, most=8)
    assert len(way.decisions) >= 6
    state = start
    for move in way.decisions[:-1]:
        state = game.apply(state, move)
    with pytest.raises(Fault):
        game.apply(state, way.decisions[-1])


def test_trial__says_how_far_each_part_is(tmp_path: Path) -> None:
    parts: list[tuple[str, int, list[int]]] = []

    @contextmanager
    def watch(part: str, total: int) -> Iterator[Callable[[int], None]]:
        parts.append((part, total, []))
        yield parts[-1][2].append

    path = tmp_path / "game.yaml"
    path.write_text(PICK, encoding="utf-8")
    try_rules(open_rules(path), 8, watch=watch, most_work=500)
    assert [(part, total) for part, total, _ in parts] == [("random", 8), ("greedy", 2), ("shortening", 500)]
    assert (parts[0][2], parts[1][2]) == (list(range(1, 9)), [1, 2])
    assert parts[2][2] == sorted(parts[2][2]) and 0 < parts[2][2][-1] <= 500


def test_runs__equal_words_are_told_once() -> None:
    assert in_runs(["a", "a", "b", "a"]) == ["2 times a", "b", "a"]


# What is not as it should be --------------------------------------------------------------------------------


def test_trial__of_a_good_game_finds_nothing(tmp_path: Path) -> None:
    trial, found = on_trial(tmp_path, GOOD)
    assert found == []
    assert (trial.games, trial.ended, trial.coverage.missed) == (12, 12, [])


def test_endless__game(tmp_path: Path) -> None:
    _, found = on_trial(
        tmp_path, changed(("from pot to hand[me]", "from pot to pot"), ("points: 1}", "points: 'count(hand[me])'}"))
    )
    assert told(found) == [
        (8, "warning", "play-endless", f"a random game did not end within {MOST_DECISIONS:,} decisions")
    ]
    assert [(what, span.line) for what, span in found[0].also] == [("the last decision", 11)]


def test_never_legal__move(tmp_path: Path) -> None:
    pick = """\
  pick:
    text: pick
    needs:
      many: {that: count(pot) > 6, else: there are few}
      some: {that: count(pot) > 0, else: there are none}
    does:
      - if: count(pot) > 6
        then: [score one for me]
scoring:
"""
    _, found = on_trial(tmp_path, changed(("to: take\n", "to: take or pick\n"), ("scoring:\n", pick)))
    assert told(found) == [(25, "warning", "play-never-legal", "the move `pick` is never legal")]
    assert found[0].why == "it did not happen in 12 random and 3 greedy games, nor in an example"


def test_never_legal__not_said_of_a_move_that_plays_itself(tmp_path: Path) -> None:
    text = changed(("to: take\n", "to: take\n          forced: automatic\n"), ("[red, blue]", "[red]"))
    text = changed(("        to: take\n          forced", "        to: take\n        forced"), text=text)
    _, found = on_trial(tmp_path, text)
    assert [d.code for d in found] == ["play-never-refused"]


def test_never_refused__condition(tmp_path: Path) -> None:
    idle = "    needs:\n      some: {that: count(pot) > 0, else: nothing there}\n"
    _, found = on_trial(tmp_path, changed(("    needs:\n", idle)))
    assert told(found) == [(19, "warning", "play-never-refused", "never: `some` refuses `take`")]


def test_never_refused__not_said_if_it_refuses_in_a_move_that_is_like_it(tmp_path: Path) -> None:
    other = "  pick: {like: take, text: 'pick {c}'}\nscoring:\n"
    text = changed(
        ("scoring:\n", other),
        (
            "      - set turn to next(turn)\n",
            "      - set turn to next(turn)\n  - ask: 1\n    to: pick\n    otherwise: []\n",
        ),
    )
    text = changed(("while: not empty(pot)", "while: count(pot, red) > 0"), ("[red, blue]", "[blue, red]"), text=text)
    text = changed(
        ("colour: 3 in pot", "blue: 99 in pot, red: 2 in pot"),
        ("choose: {c: colour}", "choose: {c: [red, blue]}"),
        text=text,
    )
    text = changed(("pick: {like: take,", "pick: {like: take, choose: {c: [blue]},"), ("0..9", "0..999"), text=text)
    text = changed(
        ("that: c in pot", "that: c in pot and (c = blue or count(pot, blue) mod 2 = 0 or count(pot, red) = 1)"),
        text=text,
    )
    _, found = on_trial(tmp_path, text)
    assert [d.message for d in found] == []


def test_never_scored__rule(tmp_path: Path) -> None:
    _, found = on_trial(tmp_path, changed(("points: 1}", "points: count(pot) / 6}")))
    assert told(found) == [(26, "warning", "play-never-scored", "never: `one` gives points")]


def test_never_reached__branch_and_nothing_inside_it(tmp_path: Path) -> None:
    branch = """\
      - if: count(pot) > 5
        then:
          - if: turn = 1
            then: [score one for me]
      - score one for me
"""
    _, found = on_trial(tmp_path, changed(("      - score one for me\n", branch)))
    assert told(found) == [(24, "note", "play-never-reached", "never: the condition of `if` holds")]


def test_never_reached__not_said_of_what_an_example_shows(tmp_path: Path) -> None:
    branch = "      - if: count(hand[me], blue) > 2\n        then: [score one for me]\n      - score one for me\n"
    text = changed(("      - score one for me\n", branch), ("colour: 3 in pot", "colour: 40 in pot"), ("0..9", "0..99"))
    text = changed(("while: not empty(pot)", "while: count(pot) > 77"), text=text)
    _, found = on_trial(tmp_path, text)
    assert "play-never-reached" in [d.code for d in found]
    example = (
        'examples:\n  three:\n    given: {"hand[1]": 2 blue}\n    play: [take blue]\n    expect: {"score[1]": 2}\n'
    )
    _, found = on_trial(tmp_path, text + example)
    assert "play-never-reached" not in [d.code for d in found]


OPTIONS = """\
options:
  size:
    usual: {text: as it is}
    same: {text: the same number, change: {pieces: {colour: 2 + 1 in pot}}}
    more: {text: more pieces, change: {pieces: {colour: 4 in pot}}}
"""


def test_option__choice_that_changes_nothing(tmp_path: Path) -> None:
    _, found = on_trial(tmp_path, GOOD + OPTIONS)
    message = "`size: same` plays like `size: usual`"
    assert told(found) == [(31, "warning", "play-option-same", message)]
    assert [(what, span.line) for what, span in found[0].also] == [("`usual`", 30)]


def test_option__choice_that_only_an_example_tells_apart(tmp_path: Path) -> None:
    options = changed(
        ("pieces: {colour: 2 + 1 in pot}", 'winner: {points: "score[me] + (if count(hand[me]) = 6 then 1 else 0)"}'),
        text=OPTIONS,
    )
    _, found = on_trial(tmp_path, GOOD + options)
    assert [d.code for d in found] == ["play-option-same"]
    example = """\
examples:
  all six:
    given: {pot: blue, "hand[1]": "2 blue, 3 red", "score[2]": 2}
    play: [take blue]
    expect: {winner: 2}
"""
    _, found = on_trial(tmp_path, GOOD + options + example)
    assert found == []


def test_house_rule__is_not_told_what_it_leaves_unreached(tmp_path: Path) -> None:
    (tmp_path / "below.yaml").write_text(changed(("points: 1}", "points: count(pot) / 5}")), encoding="utf-8")
    _, found = on_trial(tmp_path, "rulespec: 1\nextends: below.yaml\nchange: {pieces: {colour: 2 in pot}}\n")
    assert found == []


# Remarks ----------------------------------------------------------------------------------------------------


def test_turn__that_never_passes(tmp_path: Path) -> None:
    text = changed(("      - set turn to next(turn)\n", ""))
    _, found = on_trial(tmp_path, text, games=24)
    assert told(found) == [(9, "warning", "play-turn-stays", "the turn never passes: one player decides everything")]
    assert found[0].why == "so it was in each of 24 games with 2 players"


def test_turn__nothing_is_said_after_a_few_games(tmp_path: Path) -> None:
    _, found = on_trial(tmp_path, changed(("      - set turn to next(turn)\n", "")), games=12)
    assert found == []


def test_turn__nothing_is_said_of_one_player(tmp_path: Path) -> None:
    text = changed(("      - set turn to next(turn)\n", ""), ("players: 2", "players: 1"))
    _, found = on_trial(tmp_path, text, games=24)
    assert found == []


def test_turn__that_a_house_rule_keeps_is_remarked_in_its_file(tmp_path: Path) -> None:
    (tmp_path / "below.yaml").write_text(GOOD, encoding="utf-8")
    change = "change:\n  moves: {take: {does: {add: [set turn to 2]}}}\n"
    _, found = on_trial(tmp_path, f"rulespec: 1\nextends: below.yaml\n{change}", games=24)
    assert [(d.span.line, d.code) for d in found] == [(4, "play-turn-stays")]


def test_player__who_is_never_asked(tmp_path: Path) -> None:
    text = changed(("players: 2", "players: 2..3"), ("next(turn)", "if turn = 1 then 2 else 1"))
    _, found = on_trial(tmp_path, text, games=48)
    assert told(found) == [(9, "warning", "play-never-asked", "player 3 is never asked")]
    assert found[0].why == "others decided 144 times in 24 games with 3 players"


def test_player__whose_only_move_plays_itself_is_not_remarked_on(tmp_path: Path) -> None:
    ask = "      - ask: 2\n        to: take\n        forced: automatic\n        otherwise: []\n"
    text = changed(
        ("        to: take\n      - set turn to next(turn)\n", f"        to: take\n{ask}"), ("[red, blue]", "[red]")
    )
    _, found = on_trial(tmp_path, text, games=24)
    assert [d.code for d in found if "asked" in d.code or "turn" in d.code] == []


# Taking costs a point, passing nothing: so nobody should take.
COSTLY = changed(
    ("        to: take\n", "        to: take or skip\n"),
    ("points: 1}", "points: -1}"),
    ('"score[player]": 0..9', '"score[player]": {is: 0..9, start: 9}, left: {is: 0..6, start: 6}'),
    ("while: not empty(pot)", "while: left > 0"),
    ("      - set turn to next(turn)\n", "      - set turn to next(turn)\n      - add -1 to left\n"),
    ("scoring:\n", "  skip: {text: skip, does: []}\nscoring:\n"),
)


def test_move__that_does_nothing_and_always_wins(tmp_path: Path) -> None:
    _, found = on_trial(tmp_path, COSTLY, games=12)
    assert [d for d in told(found) if d[2] != "play-never-refused"] == [
        (26, "warning", "play-pass-wins", "whoever always plays `skip`, which does nothing, wins")
    ]


def test_move__that_does_nothing_where_others_win_is_not_remarked_on(tmp_path: Path) -> None:
    _, found = on_trial(
        tmp_path, COSTLY.replace("points: -1}", "points: 1}").replace("start: 9}", "start: 0}"), games=12
    )
    assert [d.code for d in found if d.code != "play-never-refused"] == []


def test_move__of_the_file_below_that_wins_is_remarked_where_the_house_rule_changes_the_game(tmp_path: Path) -> None:
    text = COSTLY.replace("points: -1}", "points: 1}").replace("start: 9}", "start: 0}")
    (tmp_path / "below.yaml").write_text(text, encoding="utf-8")
    change = 'change:\n  variables: {"score[player]": {start: 9}}\n  scoring: {one: {points: -1}}\n'
    _, found = on_trial(tmp_path, f"rulespec: 1\nextends: below.yaml\n{change}", games=12)
    assert told(found) == [(4, "warning", "play-pass-wins", "whoever always plays `skip`, which does nothing, wins")]
    assert [(what, span.file) for what, span in found[0].also] == [("`skip`", str(tmp_path / "below.yaml"))]


def test_decision__that_always_wins(tmp_path: Path) -> None:
    _, found = on_trial(tmp_path, changed(("0..6", "0..24"), text=PICK))
    assert told(found) == [(14, "warning", "play-move-wins", "whoever always plays `pick 10` wins")]
    assert found[0].why == "so it was in all of 40 games, against random and greedy players, from every seat"


def test_decision__that_wins_for_all_alike_is_not_remarked_on(tmp_path: Path) -> None:
    _, found = on_trial(tmp_path, changed(("0..6", "0..24"), ("if n = 10 then 1 else 0", "1"), text=PICK))
    assert [d.code for d in found] == []


GOLD = changed(("[red, blue]", "[red, blue, gold]"), ("{colour: 3 in pot}", "{red: 3 in pot, blue: 3 in pot}"))


def test_value__that_is_never_offered(tmp_path: Path) -> None:
    _, found = on_trial(tmp_path, GOLD, games=60)
    assert told(found) == [(17, "note", "play-never-offered", "never: `gold` for `c` of `take`")]
    assert found[0].why == (
        "`take` could be decided 450 times in the examples and 60 random and 15 greedy games, with other values"
    )


def test_value__nothing_is_said_after_a_few_decisions(tmp_path: Path) -> None:
    _, found = on_trial(tmp_path, GOLD, games=30)
    assert found == []


def test_value__that_an_example_chooses_is_offered(tmp_path: Path) -> None:
    example = "examples:\n  gold:\n    given: {pot: 1 gold}\n    play: [take gold]\n    expect: {pot: empty}\n"
    text = changed(("blue: 3 in pot}", "blue: 3 in pot, gold: 0 in pot}"), text=GOLD)
    _, found = on_trial(tmp_path, text, games=60)
    assert [d.code for d in found] == ["play-never-offered"]
    text = changed(
        ("blue: 3 in pot, gold: 0 in pot}", "blue: 3 in pot, gold: 1 in box}"),
        ("places: {pot", "places: {box: {pile: colour}, pot"),
        text=text,
    )
    _, found = on_trial(tmp_path, text + example, games=60)
    assert found == []


# Burning gives a point away, and there is no hurry.
BURNING = changed(
    ("        to: take\n", "        to: take or burn\n"),
    ("    choose: {c: colour}\n", "    choose: {c: colour, n: 1..2}\n"),
    ("text: take {c}", "text: take {n} {c}"),
    ("that: c in pot", "that: n <= count(pot, c) and n != last"),
    ("move 1 of c", "move n of c"),
    ("      - score one for me\n", "      - score one, one for me\n      - set last to n\n"),
    ("variables: {", "variables: {last: 0..2, "),
    ("0..9", "{is: 0..99, start: 40}"),
    ("colour: 3 in pot", "colour: 15 in pot"),
    ("while: not empty(pot)", "while: count(pot) > 4"),
    (
        "scoring:\n",
        "  burn:\n    text: burn\n    does: [score fire for me]\nscoring:\n  fire: {text: fire, points: -1}\n",
    ),
)


def test_move__that_nobody_chooses(tmp_path: Path) -> None:
    trial, found = on_trial(tmp_path, BURNING, games=64)
    (remark,) = [d for d in told(found) if d[2] == "play-never-chosen"]
    assert remark[1:] == ("note", "play-never-chosen", "greedy players never choose `burn`")
    legal = trial.taken.moves.legal["burn"]
    (found_remark,) = [d for d in found if d.code == "play-never-chosen"]
    assert found_remark.why == (
        f"in {trial.greedy} games between them it was legal {legal} times, and another move always promised more"
    )


def test_move__that_somebody_chooses_is_not_remarked_on(tmp_path: Path) -> None:
    _, found = on_trial(tmp_path, BURNING.replace("points: -1}", "points: 1}"), games=64)
    assert "play-never-chosen" not in [d.code for d in found]


NOTHING = changed(
    ("play:\n", "play:\n  - for each: p in player\n    do: [score pure(red) for p]\n"),
    ("scoring:\n", "scoring:\n  pure(colour k): {text: pure, points: 'if has_only(p, k) then 2 else 0'}\n"),
    ("play:\n", "define:\n  has_only(player p, colour k): all(c = k for c in hand[p])\nplay:\n"),
)
NOTHING = changed(("has_only(p, k)", "has_only(me, k)"), text=NOTHING)


def test_points__of_nothing(tmp_path: Path) -> None:
    _, found = on_trial(tmp_path, NOTHING)
    assert told(found) == [
        (30, "warning", "play-points-of-nothing", "`pure` gives points where there is nothing to give them for")
    ]


@pytest.mark.parametrize(
    "meant",
    ["if not empty(hand[me]) and has_only(me, k) then 2 else 0", "if empty(hand[me]) or has_only(me, k) then 2 else 0"],
)
def test_points__nothing_is_said_where_emptiness_is_thought_of(meant: str, tmp_path: Path) -> None:
    text = NOTHING.replace("if has_only(me, k) then 2 else 0", meant)
    _, found = on_trial(tmp_path, text)
    assert "play-points-of-nothing" not in [d.code for d in found]


def test_points__of_nothing_that_an_example_shows(tmp_path: Path) -> None:
    example = 'examples:\n  none yet:\n    players: 2\n    expect: {"score[1]": 2}\n'
    _, found = on_trial(tmp_path, NOTHING + example)
    assert found == []


# Settings -------------------------------------------------------------------------------------------------


def test_spread__fewer_games_than_settings_meet_every_choice() -> None:
    every = [(p, {"a": a, "b": b}) for a in "xyz" for b in "uvw" for p in (2, 3, 4)]
    some = spread(every, 9)
    assert len(some) == 9
    assert {p for p, _ in some} == {2, 3, 4}
    assert {c["a"] for _, c in some} == set("xyz") and {c["b"] for _, c in some} == set("uvw")
    assert spread(every, 27) == every


def test_trial__games_are_as_many_as_asked_for(tmp_path: Path) -> None:
    trial, _ = on_trial(tmp_path, GOOD + OPTIONS, games=2)
    assert (trial.games, trial.settings, trial.all_settings) == (2, 2, 3)
    trial, _ = on_trial(tmp_path, GOOD + OPTIONS, games=10)
    assert (trial.games, trial.settings, trial.all_settings) == (10, 3, 3)


# The command ----------------------------------------------------------------------------------------------


def test_validate_play__faults_are_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "lock.yaml"
    path.write_text(LOCK, encoding="utf-8")
    with pytest.raises(SystemExit) as end:
        main(["validate", str(path), "--play", "6"])
    out, err = capsys.readouterr()
    assert end.value.code == 1
    assert f"{path}:22:16: error[play-fault]: too few pieces to move" in out
    assert f"{path}: 1 error\n{path}: 6 random and 2 greedy games, 2 of 2 combinations of players and options" in out
    assert err == ""


def test_validate_play__json_tells_the_decisions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "lock.yaml"
    path.write_text(LOCK, encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["validate", str(path), "--play", "6", "--json"])
    (report,) = json.loads(capsys.readouterr().out)["files"]
    assert not report["ok"] and [d["code"] for d in report["diagnostics"]] == ["play-fault"]
    (fault,) = report["play"]["faults"]
    assert fault["decisions"] == ["press 1", "press 3", "press 2", "press 2", "press 1", "press 3"]
    assert (fault["players"], fault["options"], fault["shortest"]) == (2, {}, True)


def test_validate_play__warnings_leave_a_file_good(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "take.yaml"
    path.write_text(GOOD + OPTIONS, encoding="utf-8")
    with pytest.raises(SystemExit) as end:
        main(["validate", str(path), "--play", "6"])
    assert end.value.code == 0
    assert "warning[play-option-same]" in capsys.readouterr().out


def test_validate_play__bar_on_a_terminal_only(tmp_path: Path) -> None:
    path = tmp_path / "take.yaml"
    path.write_text(GOOD, encoding="utf-8")
    child = pexpect.spawn(sys.executable, ["-m", "rulespec", "validate", str(path), "--play", "40"], encoding="utf-8")
    child.expect("playing at random")
    child.expect("40 random and 10 greedy games")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_validate_play__says_what_was_not_reached(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also what a house rule leaves unreached of the file below, which is no complaint about it."""
    (tmp_path / "below.yaml").write_text(changed(("points: 1}", "points: count(pot) / 5}")), encoding="utf-8")
    path = tmp_path / "mine.yaml"
    path.write_text("rulespec: 1\nextends: below.yaml\nchange: {pieces: {colour: 2 in pot}}\n", encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["validate", str(path), "--play", "8"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith(f"{path}: 8 random and 2 greedy games, 1 of 1 combinations of players and options, ")
    assert lines[2:] == [f"    {tmp_path / 'below.yaml'}:26:3: never: `one` gives points"]


def test_validate__more_than_a_few_of_a_kind_are_folded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    branches = "".join(f"      - if: count(pot) > {n}\n        then: [score one for me]\n" for n in (6, 7, 8, 9))
    path = tmp_path / "take.yaml"
    path.write_text(changed(("      - score one for me\n", f"      - score one for me\n{branches}")), encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["validate", str(path), "--play", "8"])
    out = capsys.readouterr().out
    assert (
        out.count("note[play-never-reached]") == 1
        and out.count("  why: it did not happen in 8 random and 2 greedy") == 1
    )
    lines = [f"    {path}:{line}:9: never: the condition of `if` holds\n" for line in (27, 29, 31)]
    assert "  and 3 more like it:\n" + "".join(lines) in out


# The shipped games ----------------------------------------------------------------------------------------

# in the check the quick games only, and what is rare may be missed
QUICK = ("classics/kalah", "classics/nim", "classics/pig", "classics/tictactoe")


@pytest.mark.sized
@pytest.mark.parametrize("name", shipped_games() if SOAK else QUICK)
def test_shipped__comes_out_clean(name: str) -> None:
    rules = rules_of(name)
    trial = try_rules(rules, size(4, 150))
    rare = () if SOAK else ("play-never-refused", "play-never-reached", "play-never-scored")
    assert [d.first_line() for d in trial.diagnostics(rules) if d.code not in rare] == []
    assert trial.ended == trial.games
