"""The runner of worked examples: what it reads, what it says, and that no example passes by accident."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from textwrap import indent

import pytest

from interpreter.examples.examples import ExampleNotFound, ExampleResult, Examples, run_examples
from interpreter.examples.reading import check_examples, find_examples
from interpreter.game import Game
from rulespec.files.sources import shipped_games
from rulespec.rules import Rules, open_rules
from rulespec.yaml.nodes import Entry, Mapping, Node, Scalar, Sequence
from rulespec.yaml.source import core_value, read_source
from tests.shipped import example_results, examples_of, rules_of, with_some_house_rules
from tests.sizes import size

FOLDER = Path(__file__).parent / "examples"
YARD = FOLDER / "yard.yaml"


@cache
def yard() -> Examples:
    return Examples(open_rules(YARD))


def tried(body: str) -> list[str]:
    """Return the problems of one example of the yard, each as `line:col message`, counted from the body's beginning."""
    lines = "".join(f"  {line}\n" for line in body.strip("\n").split("\n"))
    tree = read_source(YARD, f"example:\n{lines}")
    result = yard().run(tree.entries[0])
    assert result.passed == (not result.problems)
    return [f"{p.span.line - 1}:{p.span.col - 2} {p.message}" for p in result.problems]


def by_name(results: list[ExampleResult]) -> dict[str, ExampleResult]:
    return {r.name: r for r in results}


# --- the shipped games ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", with_some_house_rules(shipped_games()))
def test_shipped_game__its_own_examples_pass(game: str) -> None:
    results = example_results(game)
    assert results, "no example of its own"
    assert [str(p) for r in results for p in r.problems] == []
    assert all(r.passed and not r.inherited for r in results)


@pytest.mark.sized
@pytest.mark.parametrize("game", [n for n in shipped_games() if n.startswith("house/")][:: size(18, 1)])
def test_house_rule__examples_of_its_game_can_be_tried(game: str) -> None:
    """They may come out otherwise, but there is a game to try them in, and it can go on."""
    results = example_results(game, inherited=True)
    assert results
    assert [str(p) for r in results if not r.passed for p in r.problems] == []


# INVARIANT: an example that passes says something with each of its numbers.
MUST_MATTER = ("offered", "refused", "expect")


def mutants(node: Node, keys: bool) -> Iterator[tuple[str, Node]]:
    """Yield the node with one number one more or less, and with one space of a block emptied, in turn."""
    match node:
        case Scalar():
            for text in other_texts(node.text):
                yield f"{node.span}: {text!r}", replace(node, text=text, value=core_value(text))
        case Sequence():
            for i, item in enumerate(node.items):
                for what, other in mutants(item, keys):
                    yield what, replace(node, items=(*node.items[:i], other, *node.items[i + 1 :]))
        case Mapping():
            for i, entry in enumerate(node.entries):
                others = [(what, replace(entry, value=v)) for what, v in mutants(entry.value, keys)]
                for what, key in mutants(entry.key, keys) if keys else ():
                    assert isinstance(key, Scalar)
                    others.append((what, replace(entry, key=key)))
                for what, changed in others:
                    yield what, replace(node, entries=(*node.entries[:i], changed, *node.entries[i + 1 :]), _index={})


def other_texts(text: str) -> Iterator[str]:
    for m in re.finditer(r"(?<![\w.])-?[0-9]+(?![\w.])", text):
        for step in (1, -1):
            yield f"{text[: m.start()]}{int(m[0]) + step}{text[m.end() :]}"
    if re.search(r"(^|\s)\.(\s|$)", text) or "\n" in text:
        for m in re.finditer(r"\S+", text):
            if m[0] != ".":
                yield f"{text[: m.start()]}.{text[m.end() :]}"


def survivors(game: str, parts: tuple[str, ...]) -> tuple[list[str], int]:
    """Return the changed examples that still pass, and how many there were."""
    examples = examples_of(game)
    passed, count = [], 0
    for entry, choices in find_examples(examples.rules):
        assert isinstance(entry.value, Mapping)
        for i, part in enumerate(entry.value.entries):
            if part.key.text not in parts:
                continue
            for what, other in mutants(part.value, keys=part.key.text == "offered"):
                entries = (*entry.value.entries[:i], replace(part, value=other), *entry.value.entries[i + 1 :])
                changed = Entry(entry.key, replace(entry.value, entries=entries, _index={}))
                count += 1
                if not examples.run(changed, choices).problems:
                    passed.append(f"{entry.key.text}: {what}")
    return passed, count


@pytest.mark.parametrize("name", ["base", "sintra", "pavilion", "duel"])
def test_game__every_number_that_is_checked_matters(name: str) -> None:
    passed, count = survivors(name, MUST_MATTER)
    assert passed == []
    assert count > 200


def test_base__most_of_what_is_given_matters() -> None:
    """Some given pieces are there to show that they do not matter: a lone white tile in line 5."""
    passed, count = survivors("base", ("given",))
    assert len(passed) < count / 2, "\n".join(passed)


def test_base__pieces_are_conserved(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[Game, tuple[int, ...]]] = []
    original = Game.start_at

    def start_at(self: Game, vector: list[int], procedure: str, args: tuple[int, ...]) -> object:
        seen.append((self, tuple(vector)))
        return original(self, vector, procedure, args)

    monkeypatch.setattr(Game, "start_at", start_at)
    results = run_examples(open_rules("base"))
    assert len(seen) == len(results)
    for game, vector in seen:
        assert pieces(game, vector) == pieces(game, tuple(game.layout.start))


def pieces(game: Game, vector: tuple[int, ...]) -> dict[int, int]:
    from interpreter.layout import contents

    found: dict[int, int] = {}
    for place in game.model.places.values():
        for number in range(place.size):
            for kind, count in contents(game.layout, vector, place.name, number):
                found[kind] = found.get(kind, 0) + count
    return found


# --- reading positions ----------------------------------------------------------------------------------------------


SHAPES = """
players: 2
given:
  hand[2]: 2 red, token
  tower[1]: red blue red
  wall[1]: |
    R . blue
  wall[2, 2, 3]: B
  board[2, north.right]: red
  board[1]: |
    . B
    . .
  score[1]: 7
  turn: 2
  seen: none
  closed: false
  level[1]: 1 2 3
run: turn_of(2)
expect:
"""


def test_given__every_shape_of_place_and_variable() -> None:
    assert (
        tried(
            SHAPES
            + """
  hand[1]: nothing
  hand[2]: token, red, red
  tower[1]: red blue R
  tray: nothing
  bag: 2 blue
  wall[1]: |
    R . B
    . . .
  wall[1, 1]: R . B
  wall[1, 1, 1]: red
  wall[1, 1, 2]: nothing
  wall[2, 2]: . . B
  wall[2, 1]: nothing
  board[2]: |
    . red
  board[1, north]: . blue
  tower[2]: nothing
  score[1]: 7
  score: 7 0
  seen: none
  closed: false
  level: |
    1 2 3
    0 0 0
  to move: 2
  over: false
"""
        )
        == []
    )


@pytest.mark.parametrize(
    ("expected", "problem"),
    [
        ("hand: nothing", "19:9 expected nothing on `hand[2]`, found 2 red, token"),
        ("hand[2]: red, token", "19:12 expected red, token on `hand[2]`, found 2 red, token"),
        ("tower[1]: blue red red", "19:13 expected blue red red on `tower[1]`, found red blue red"),
        ("bag: nothing", "19:8 expected nothing on `bag`, found 2 blue"),
        ("wall[1]: |\n    R B B", "20:5 expected `R B B` on `wall[1, 1]`, found `R . B`"),
        ("wall[2]: |\n    . . .", "19:12 expected `. . .` on `wall[2, 2]`, found `. . B`"),
        ("wall[1, 1]: R .", "19:15 expected `R . .` on `wall[1, 1]`, found `R . B`"),
        ("wall[2, 2, 3]: red", "19:18 expected red on `wall[2, 2, 3]`, found blue"),
        ("board[1, north.right]: red", "19:26 expected red on `board[1, north, right]`, found blue"),
        ("score: 7 1", "19:12 expected `score[2]` to be 1, found 0"),
        ("seen: red", "19:9 expected `seen` to be red, found none"),
        ("closed: true", "19:11 expected `closed` to be true, found false"),
        ("level: |\n    1 2 3\n    0 9 0", "21:7 expected `level[2, 2]` to be 9, found 0"),
        ("over: true", "19:9 expected the game to be over, but player 2 decides: lay, close and fetch"),
        ("to move: 1", "19:12 expected to move: 1, but player 2 decides: lay, close and fetch"),
        ("to move: 3", "19:12 expected 1 or 2, chance or none after `to move:`, found `3`"),
        (
            "winner: [2]",
            "19:11 expected the winner to be 2, but the game goes on: player 2 decides: lay, close and fetch",
        ),
        ("points: {lade: 1}", "19:12 no scoring rule called `lade`; did you mean `laid`?"),
        ("points: {laid: 1}", "19:18 expected 1 points for `laid`, found 0"),
        (
            "points: 3",
            "19:11 expected a map from scoring rules to points after `points:`, found `3`; write `{RULE: 3}`",
        ),
        ("gaind: 3", "19:3 no place or variable called `gaind`; did you mean `gained`?"),
        ("tray: token, tokne", "19:16 no piece called `tokne`; `tray` holds token; did you mean `token`?"),
    ],
)
def test_expect__says_what_was_expected_and_found(expected: str, problem: str) -> None:
    assert tried(f"{SHAPES.strip()}\n  {expected}") == [problem]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ("hnd[1]: red", "2:3 no place or variable called `hnd`; did you mean `hand`?"),
        ("hand[4]: red", "2:8 there is no `hand[4]`: player is 1, found `4`"),
        ("hand[1, 2]: red", "2:3 `hand` has 1 index, found more: `hand[1, 2]`"),
        (
            "hand: red",
            "2:3 `hand` needs all its indexes, or `nothing` for all of them; write `hand[1]` for that of player 1",
        ),
        ("hand[1]: 2 rde", "2:12 no piece called `rde`; `hand` holds red, blue and token; did you mean `red`?"),
        ("bag: token", "2:8 `bag` cannot hold token; `bag` holds red and blue"),
        ("hand[1]: 3", "2:12 expected how many and which pieces, such as `2 red`, found `3`"),
        ("hand[1]: red blue", "2:12 expected how many and which pieces, such as `2 red`, found `red blue`"),
        ("hand[1]: 3 red, 2 blue", "2:12 `hand[1]` has room for 4, found 5 pieces"),
        ('hand[1]: ""', "2:3 expected what lies on `hand[1]`, found nothing; an empty place is written `nothing`"),
        ("hand[1]: 2 token", "2:12 too few token: 2 are given, but the game has 1"),
        ("tower[1]: red\n  bag: 6 red", "3:8 too few red: 7 are given, but the game has 6"),
        (
            "tray: nothing",
            "2:9 nothing says where these lie: 1 token; each place where they start is named or full; write `the rest` for the place that holds them",
        ),
        ("wall[1]: R R R R", "2:12 a row of `wall[1]` has 3 spaces, found 4"),
        ("wall[1]: |\n    R\n    R . . .", "4:5 a row of `wall[1]` has 3 spaces, found 4"),
        ("tray: the rest\n  hand[1]: the rest", "3:12 `the rest` is given twice; it lies in one place"),
        ("score[1]: the rest", "2:13 `score[1]` is 0..50, found `the rest`"),
        ("wall[1]: |\n    . . .\n    . . .\n    R . .", "5:5 `wall[1]` has 2 rows, found 3"),
        ("wall[1, 1]: . . . R", "2:15 a row of `wall[1, 1]` has 3 spaces, found 4"),
        ("wall[1, 1, 1]: R B", "2:18 `wall[1, 1, 1]` has room for 1, found 2 pieces"),
        ("wall[1, 1]: . X .", "2:17 no piece called `X`; `wall` holds red (R) and blue (B)"),
        ("wall[1]: |\n    R . .\n  wall[1, 1, 1]: B", "4:18 `wall[1, 1, 1]` is given twice"),
        (
            "board[1, nort]: R",
            "2:12 there is no `board[1, nort]`: star is north or south, found `nort`; did you mean `north`?",
        ),
        ("score[1]: 51", "2:13 `score[1]` is 0..50, found `51`"),
        ("seen: reed", "2:9 `seen` is red, blue or none, found `reed`; did you mean `red`?"),
        ("seen: 100000", "2:9 `seen` is red, blue or none, found `100000`"),
        ("closed: 1", "2:11 `closed` is true or false, found `1`; write `true`"),
        ("level[1]: 1 2", "2:13 `level[1]` stands for 3 variables, found 2 values"),
    ],
)
def test_given__what_cannot_be(given: str, problem: str) -> None:
    assert tried(f"given:\n  {given}\nexpect:\n  over: false") == [problem]


def test_given__what_a_place_held_goes_back() -> None:
    """The bag is named, so its other four reds go to no starting place of theirs: there is none."""
    assert tried("given:\n  bag: 2 red\nexpect:\n  over: false") == [
        "2:8 nothing says where these lie: 4 red and 6 blue; each place where they start is named or full; write `the rest` for the place that holds them",
    ]
    rest = "tower[1]: blue blue blue\n  wall[1]: |\n    B B B"
    assert tried(f"given:\n  bag: 2 red\n  hand[1]: 4 red\n  {rest}\nexpect:\n  bag: 2 red") == []


def test_given__the_rest_is_every_piece_that_no_other_line_names() -> None:
    assert tried(
        "given:\n  wall[1, 1]: R\n  bag: nothing\n  hand[1]: 4 blue\n  tower[1]: the rest\nexpect:\n  over: false"
    ) == ["5:13 nothing says where these lie: 2 red and 2 blue; each place where they start is named or full"]
    body = "given:\n  hand[1]: 4 red\n  tower[1]: blue\n  wall: the rest\nexpect:\n"
    assert tried(body + "  bag: blue\n  tray: token\n  wall[1]: |\n    R R B\n    B B B") == []
    assert tried(body + "  wall[1]: the rest") == ["6:12 `the rest` is for `given`: write what lies there"]
    assert tried("given:\n  hand[1]: the rest\nexpect:\n  hand[1]: 4 red\n  bag: 2 red, 6 blue\n  tray: token") == []


def test_given__short_rows_of_a_block_end_empty() -> None:
    body = "given:\n  wall[1]: |\n    R\n    . B\nexpect:\n  "
    assert tried(body + "wall[1]: |\n    R . .\n    . B .") == []
    assert tried(body + "wall[1]: |\n    R B\n    . B") == ["7:5 expected `R B .` on `wall[1, 1]`, found `R . .`"]
    assert tried("given:\n  wall[1]: |\n\n    R\nexpect:\n  wall[1, 2, 1]: red") == []


# --- moves ----------------------------------------------------------------------------------------------------------

HAND = "given:\n  hand[1]: red\n"


@pytest.mark.parametrize(
    ("body", "problems"),
    [
        ("offered:\n  lay red north: []", ["4:3 `north` is not a space: expected north.left, north.right, south.left or south.right"]),
        ("offered:\n  lay rde: []", ["4:3 `rde` is not a colour: expected red or blue; did you mean `red`?"]),
        ("offered:\n  ley: []", ["4:3 no move called `ley`; did you mean `lay`?"]),
        ("offered:\n  lay red north.left more: []", ["4:3 expected `lay COLOUR SPACE` or its beginning, found `lay red north.left more`"]),
        ("offered:\n  lay red: [north.left]", ["4:3 after `lay red`: expected exactly north.left, found north.left, north.right, south.left and south.right; unexpected: north.right, south.left and south.right"]),
        ("offered:\n  lay blue: [north.left]", ["4:3 after `lay blue`: expected exactly north.left, found nothing; missing: north.left"]),
        ("offered:\n  lay: [red north.left, red north.right, red  south.left, red south.right]\n  lay blue: []", []),
        ("offered: [lay red north.left, lay red north.right, lay red south.left, lay red south.right, close, fetch]", []),
        ("offered: [close, fetch]", ["3:10 legal moves: expected exactly close and fetch, found lay red north.left, lay red north.right, lay red south.left, lay red south.right, close and fetch; unexpected: lay red north.left, lay red north.right, lay red south.left and lay red south.right"]),
        ("refused:\n  lay blue north.left: you have no blue", []),
        ("refused:\n  lay blue north.left: you have no red", ["4:24 expected `lay blue north.left` to be refused with `you have no red`, found `you have no blue`"]),
        ("refused:\n  lay red north.left: no", ["4:3 expected `lay red north.left` to be refused (`no`), but it is legal"]),
        ("refused:\n  lay red: no", ["4:3 expected `lay COLOUR SPACE`, for example `lay red north.right`, found 1 word after `lay` (COLOUR is red or blue; SPACE is north.left, north.right, south.left or south.right)"]),
        ("refused:\n  draw red: \"`draw` is not available now; player 1 can play `lay`, `close` or `fetch`\"", []),
    ],
)  # fmt: skip
def test_offered_and_refused(body: str, problems: list[str]) -> None:
    assert tried(HAND + body) == problems


def test_play__moves_draws_and_points() -> None:
    assert (
        tried("""
given:
  hand[1]: 3 red, blue
  score[1]: 1
play: [lay red north.left, lay red south.left, fetch, draw blue, close]
expect:
  hand[1]: red, 2 blue
  board[1]: |
    R .
    R .
  points: {laid: 3, end: -3}
  gained: {laid: 3, end: -3}
  score[1]: 1
  winner: 1
  over: true
  to move: none
""")
        == []
    )


def test_play__points_and_what_is_gained_of_them() -> None:
    assert tried(HAND + "play: [close]\nexpect:\n  points: {end: -1}\n  gained: {end: 0}\n  winner: [2]") == [
        "7:11 expected the winner to be 2, found 1 (most points; player 1 has 0)"
    ]


def test_play__stops_at_what_cannot_be_played() -> None:
    file = f"{YARD}:73"
    assert tried(HAND + "play: [lay blue north.left, close]\nexpect: {over: true}") == [
        f"3:8 `lay blue north.left` is not legal: you have no blue (in hand, {file})"
    ]
    assert tried(HAND + "play: [fetch, draw token]\nexpect: {over: true}")[0].startswith(
        "3:15 `draw token` is not legal"
    )
    assert tried(HAND + "play: [fetch]\nexpect: {to move: chance}") == []
    assert tried(HAND + "play: [lay, {}]\nexpect: {over: true}")[0].startswith("3:8 expected `lay COLOUR SPACE`")


def test_play__looks_in_between() -> None:
    body = """
given:
  hand[1]: red, blue
play:
  - lay red north.left
  - offered: {lay: [blue north.right, blue south.left, blue south.right]}
    refused: {lay red south.left: you have no red}
    expect:
      seen: red
      points: {laid: 2}
  - lay blue south.left
  - offered: [close, fetch]
expect: {seen: blue}
"""
    assert tried(body) == []
    assert tried(body.replace("seen: red", "seen: blue").replace("[close, fetch]", "[close]")) == [
        "8:13 expected `seen` to be blue, found red",
        "11:14 legal moves: expected exactly close, found close and fetch; unexpected: fetch",
    ]
    assert tried(body.replace("{seen: blue}", "{}")) == []  # what is looked at in between is enough
    assert tried("play:\n  - given: {seen: red}\nexpect: {seen: red}") == [
        "2:5 expected `offered`, `refused` or `expect` in `play`, found `given`"
    ]
    assert tried("play:\n  - expect: 1\nexpect: {seen: red}") == ["2:13 expected a map after `expect:`, found `1`"]


@pytest.mark.parametrize("line", ["draw red ×3", "draw red x3", "3 draw red", "3x draw red", "3× draw red"])
def test_play__a_decision_that_is_made_several_times(line: str) -> None:
    assert tried(f"run: drawing_three\nplay: [{line}]\nexpect: {{bag: '3 red, 6 blue'}}") == []


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("draw red ×4", "the 4th time, `draw red` is not legal: the game is over"),
        ("draw red ×0", "a decision is made 1 to 1000 times, found 0"),
        ("2 close x2", "expected `close` or its beginning, found `2 close x2`"),
        ("draw x3", "`x3` is not a piece or value"),
        ("draw 3 red", "expected `draw VALUE`, found `draw 3 red`; for several equal ones write `draw red ×3`"),
        ("draw rde", "`rde` is not a piece or value; did you mean `red`?"),
    ],
)
def test_play__times_that_cannot_be(line: str, problem: str) -> None:
    found = tried(f"run: drawing_three\nplay: [{line}]\nexpect: {{over: true}}")
    assert found == [f"2:8 {problem}"]


def test_expect__points_of_one_player() -> None:
    body = "players: 2\ngiven:\n  hand: nothing\n  hand[1]: red\n  hand[2]: 2 red\nrun: both\nplay: [close, close]\nexpect:\n  "
    body = body.replace("  hand: nothing\n", "")
    assert (
        tried(body + "points: {end: -3}\n  points[1]: {end: -1}\n  points[2]: {end: -2}\n  gained[2]: {end: 0}") == []
    )
    assert tried(body + "points[2]: {end: -3}") == ["8:20 expected player 2 to have -3 points for `end`, found -2"]
    assert tried(body + "points[3]: {end: -3}") == ["8:3 expected `points[1]` to `points[2]`, found `points[3]`"]


MASQUERADE = "run: play_mask(1)\nplayers: 3\ngiven:\n  hand[1]: spy, valet\n  hand[2]: crown\n  hand[3]: envoy\n  deck: the rest\n"
LOOK = "player 2’s hand is shown to player 1"


def told(expected: str) -> list[str]:
    """Return what is wrong with what an example says was told when a spy looks at a hand."""
    body = f"{MASQUERADE}play: [look 2]\nexpect:\n  {expected}\n"
    text = f"rulespec: 1\nextends: classics/masquerade\nexamples:\n  spied:\n{indent(body, '    ')}"
    results = run_examples(open_rules("spied.yaml", text))
    return [p.message for r in results if r.name == "spied" for p in r.problems]


@pytest.mark.parametrize(
    "good", [f"was told: {LOOK}", f"was told: [{LOOK}]", f"was told[1]: '{LOOK}: crown'", f"was told[3]: {LOOK}"]
)
def test_expect__what_was_told(good: str) -> None:
    assert told(good) == []


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ("was told: nothing else", f"expected everybody to be told `nothing else`, found `{LOOK}`"),
        ("was told: []", f"expected everybody to be told nothing, found `{LOOK}`"),
        (f"was told[3]: '{LOOK}: crown'", f"expected player 3 to be told `{LOOK}: crown`, found `{LOOK}`"),
        ("was told[4]: x", "expected `was told[1]` to `was told[3]`, found `was told[4]`"),
    ],
)
def test_expect__what_was_told_otherwise(wrong: str, problem: str) -> None:
    assert told(wrong) == [problem]


def test_stopped__says_which_decision_was_open() -> None:
    def stopped(body: str) -> str:
        tree = read_source(YARD, f"example:\n  {body}\n")
        return yard().run(tree.entries[0]).stopped

    assert stopped("expect: {seen: blue}") == "player 1 decides: close and fetch"
    assert stopped("expect: {seen: red}") == ""
    assert stopped("play: [fetch]\n  expect: {seen: blue}") == "chance decides: draw"
    assert stopped("play: [close]\n  expect: {seen: blue}") == ""


def test_validate__complains_of_whatever_test_cannot_read() -> None:
    """Both read the same way: a position that cannot be set up, and an example that checks nothing, too."""
    text = "".join(
        f"  e{i}:\n" + "".join(f"    {line}\n" for line in body.split("\n"))
        for i, body in enumerate(
            [
                "given:\n  tray: nothing\nexpect: {over: false}",
                "given:\n  hand[1]: 2 token\nexpect: {over: false}",
                "play: [close]",
                "play: [draw 3 red]\nexpect: {over: false}",
                "play:\n  - offered: {lya: []}\nexpect: {over: false}",
                "expect: {to move: 7}",
                "expect: {winner: red}",
            ]
        )
    )
    rules = house(f"examples:\n{text}")
    complaints = {(d.span, d.message) for d in check_examples(rules)}
    tested = {(p.span, p.what) for r in run_examples(rules) for p in r.problems}
    assert len(tested) == 7
    assert complaints == tested


def test_run__steps_and_arguments() -> None:
    assert tried("run: last(1)\nexpect: {closed: true}") == []
    assert tried("run: lst(1)\nexpect: {closed: true}") == ["1:6 no steps called `lst`; did you mean `last`?"]
    assert tried("run: last\nexpect: {closed: true}") == ["1:6 expected `last(player p)`, found `last`"]
    assert tried("run: last(red)\nexpect: {closed: true}") == ["1:11 `p` is 1, found `red`"]
    assert tried("run: drawing\noffered: {draw: [red, blue]}") == []


def test_run__a_fault_is_a_problem_at_its_line() -> None:
    (problem,) = tried("run: broken\nexpect: {closed: true}")
    assert problem.startswith("1:6 fault: ")
    assert f"({YARD}:54:7" in problem


# --- the example as a whole -----------------------------------------------------------------------------------------


def test_example__must_check_something() -> None:
    nothing = "this example checks nothing: it needs `offered`, `refused` or `expect`"
    assert tried(HAND) == [f"0:-1 {nothing}"]
    assert tried("offered: {}\nexpect: {}") == [f"0:-1 {nothing}"]


def test_example__keys_players_and_options() -> None:
    assert tried("expct: {over: true}\noffered: []") == ["1:1 an example has no key `expct`; did you mean `expect`?"]
    assert tried("play: close\nexpect: {over: true}") == ["1:7 expected a list after `play:`, found `close`"]
    assert tried("players: 4\nexpect: {over: true}") == ["1:10 this game is for 1 to 3 players, not 4"]
    assert tried("players: two\nexpect: {over: true}") == ["1:10 expected the number of players, found `two`"]
    assert tried("with: {wal: grey}\nexpect: {over: true}") == ["1:8 no option called `wal`; known options: none"]


def test_base_example__wrong_choices() -> None:
    def problems(choice: str) -> list[str]:
        tree = read_source("x.yaml", f"example:\n  with: {choice}\n  expect: {{idle: 0}}\n")
        return [str(p) for p in examples_of("base").run(tree.entries[0]).problems]

    assert problems("{wall_side: grey}") == []
    assert problems("{wall_side: gray}") == [
        "x.yaml:2:21: the option `wall_side` has no choice `gray`; it has `coloured` and `grey`; did you mean `grey`?"
    ]


def test_names__choose_examples() -> None:
    rules = rules_of("base")
    assert [r.name for r in run_examples(rules, ["a lone tile"])] == ["a lone tile"]
    with pytest.raises(ExampleNotFound, match="no example called `a lone tle`; did you mean `a lone tile`"):
        run_examples(rules, ["a lone tle"])


def test_house_rule__own_examples_pass_and_those_of_the_base_report_changes() -> None:
    results = by_name(run_examples(open_rules(FOLDER / "kinder_yard.yaml")))
    own = results["a piece is worth five"]
    assert (own.passed, own.inherited, own.problems, own.file) == (True, False, (), str(FOLDER / "kinder_yard.yaml"))
    base = results["a piece is laid"]
    assert (base.passed, base.inherited, base.file, base.see) == (True, True, str(YARD), "p. 1")
    assert [p.message for p in base.problems] == ["expected 2 points for `laid`, found 5"]


def house(text: str) -> Rules:
    return open_rules(FOLDER / "other.yaml", f"rulespec: 1\nextends: yard.yaml\ngame: Other\n{text}")


def test_house_rule__own_example_that_fails() -> None:
    results = by_name(run_examples(house("examples:\n  own:\n    expect:\n      score[1]: 3\n")))
    assert not results["own"].passed
    assert results["a piece is laid"].problems == ()


def test_house_rule__a_choice_that_it_fixes() -> None:
    rules = open_rules(Path("games/x.yaml"), "rulespec: 1\nextends: base\ngame: Grey\nwith: {wall_side: grey}\n")
    results = by_name(run_examples(rules))
    assert all(r.inherited and r.passed for r in results.values())
    assert results["no colour twice in a row"].problems == ()
    assert results["a lone tile"].problems != ()  # now its player chooses the column


def test_option__brings_its_own_examples() -> None:
    option = """options:
  end:
    soft: {text: as printed}
    hard:
      text: the end costs double
      change:
        scoring:
          end:
            points: -2 * count(hand[me])
        examples:
          a hard end:
            given:
              hand[1]: red
            run: last(1)
            expect:
              points: {end: -2}
"""
    results = by_name(run_examples(house(option)))
    assert results["a hard end"].problems == ()
    assert not results["a hard end"].inherited


def test_inherited__rules_that_cannot_go_on_are_no_mere_change() -> None:
    change = "change: {moves: {take: {needs: {never: {that: false, else: never}}}}}\n"
    results = by_name(run_examples(open_rules(Path("t.yaml"), f"rulespec: 1\nextends: nim\ngame: Stuck\n{change}")))
    stuck = [r for r in results.values() if any(p.message.startswith("fault: ") for p in r.problems)]
    assert stuck and not any(r.passed for r in stuck)
