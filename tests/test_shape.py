"""The shape check: each mistake once, at its exact place, in words a rules author understands."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any, cast

import pytest

from rulespec.diagnostics.diagnostic import Diagnostic, Span
from rulespec.options.layers import Layers
from rulespec.rules import open_rules
from rulespec.schema.shape import check_shape, player_counts, schema_text
from rulespec.yaml.nodes import Entry, Mapping, Node, Scalar, Sequence, plain
from rulespec.yaml.source import read_source

GAME = """\
rulespec: 1
game: Sticks
text: Take the last one.
players: 2..4
sets:
  heap: [a, b]
  size: 1..5
tables:
  see: 7
  first[heap]: {a: 3, b: [1, none]}
pieces:
  stick: 5 in row[heap]
places:
  row[heap]: {pile: stick, room: 9, seen by: everyone, see: p. 1}
  board[heap, size]:
    cell: [stick]
    ways:
      across: [{size: size - 1}, {size: size + 1}]
      round: {heap: next(heap)}
  top: {stack: stick, room: 4, seen by: nobody, shows: stick}
variables:
  turn: player
  hand[player]: [player, none]
  score[player]: {is: 0..9, start: 1, never below: 0, never above: 9, see: 3}
define:
  left: count(row)
  full(heap h): true
setup: []
play:
  - while: left > 0
    do:
      - do taking
steps:
  taking:
    - ask: turn
      to: take or pass
      forced: automatic
      otherwise: []
    - if: left = 0
      then:
        - set turn to next(turn)
      else: []
    - for each: p in player
      do:
        - score one for p
moves:
  take(heap h):
    text: take {n} from {h}
    choose: {n: 1..3, h: [heap, none]}
    needs:
      enough there:
        that: n <= count(row[h])
        else: there are only {count(row[h])}
        see: p. 2
    does:
      - move n of stick from row[h] to row[a]
  pass:
    text: pass
    does: []
    beside: take
    see: 4
scoring:
  one:
    text: a point
    points: 1
winner:
  took the last: turn != me
options:
  side:
    plain: {text: plain}
    grey: {text: grey, change: {variables: {score: {remove: [never below]}}, moves: {pass: {text: skip}}}}
    see: p. 5
examples:
  one: {text: it is tried, see: 3, with: {side: grey}, players: 2, given: {"row[a]": 3, turn: 1}, run: taking(1),
    offered: {take a: [1, 2]}, refused: {take a 3: there are only 2}, play: [take a 1, pass],
    expect: {"row[a]": nothing, points: {one: 2}, winner: [1]}}
view:
  labels: {heap: "heap {it}"}
  symbols: {stick: 1}
  colours: {stick: "#123456"}
  layout:
    board: {grid: [heap, size], under: heap, align: right, title: The board, see: p. 9}
"""
HOUSE = """\
rulespec: 1
extends: game.yaml
game: House
with: {side: grey}
change:
  sets: {heap: {add: [c]}}
  steps: {taking: {add first: [do more], add: [do less]}, more: [], less: []}
  moves:
    skip: {like: pass, text: skip}
    take:
      text: take some
      needs: {remove: [enough there], none: {that: false, else: never}}
examples:
  two: {run: taking}
"""


def shape(text: str) -> list[Diagnostic]:
    return check_shape(read_source("t.yaml", text))


def changed(old: str, new: str) -> list[Diagnostic]:
    """Return the complaints about the game with one stretch of text replaced."""
    assert GAME.count(old) == 1, f"{GAME.count(old)} times {old!r}"
    return shape(GAME.replace(old, new))


def said(diagnostics: list[Diagnostic]) -> list[tuple[str, str, str]]:
    return [(f"{d.span.line}:{d.span.col}", d.code, d.message) for d in diagnostics]


def layered(folder: Path, house: str, game: str = GAME) -> Layers:
    (folder / "game.yaml").write_text(game)
    return open_rules(folder / "house.yaml", text=house).layers


def test_a_good_game__every_key_and_choice() -> None:
    layers = open_rules("game.yaml", text=GAME).layers
    assert len(layers.combinations()) == 2
    for choices in layers.combinations():
        assert check_shape(layers.resolve(choices), layers) == []


def test_a_good_house_rule(tmp_path: Path) -> None:
    layers = layered(tmp_path, HOUSE)
    assert check_shape(layers.resolve(), layers) == []


# One row a mistake: what is replaced, by what, then all that is said: (line:col, code, message), why, fix.
MISTAKES: dict[str, tuple[str, str, tuple[str, str, str], str, str]] = {
    "a misspelt section": (
        "scoring:",
        "scorin:",
        ("62:1", "shape-unknown-key", "a rule file has no key `scorin`"),
        "",
        "did you mean `scoring`?",
    ),
    "an unknown key of a view, far from all": (
        "  labels: {",
        "  fonts: {",
        ("78:3", "shape-unknown-key", "a view has no key `fonts`"),
        "the keys of a view are `labels`, `symbols`, `colours`, `layout`, `pieces`, `marks`, `hide` and `says`",
        "",
    ),
    "a key that belongs elsewhere": (
        "setup: []",
        "needs: {}",
        ("28:1", "shape-unknown-key", "a rule file has no key `needs`"),
        (
            "the keys of a rule file are `rulespec`, `game`, `text`, `players`, `sets`, `tables`, `pieces`, `places`, "
            "`variables`, `define`, `setup`, `play`, `steps`, `moves`, `scoring`, `winner`, `options`, "
            "`examples` and `view`"
        ),
        "`needs` is a key of a move: check its indentation",
    ),
    "a misspelt required key is not also missing": (
        "    does:\n      - move n",
        "    dos:\n      - move n",
        ("55:5", "shape-unknown-key", "a move has no key `dos`"),
        "",
        "did you mean `does`?",
    ),
    "an underscore for a space": (
        "never below: 0, never",
        "never_below: 0, never",
        ("24:39", "shape-unknown-key", "a variable written as a map has no key `never_below`"),
        "",
        "did you mean `never below`?",
    ),
    "a missing section": (
        "winner:\n  took the last: turn != me\n",
        "",
        ("1:1", "shape-missing-key", "the file has no `winner`"),
        "a rule file needs `rulespec`, `game`, `players`, `play` and `winner`",
        "write `winner:` and below it who wins, such as `most points: score[me]`",
    ),
    "a move without steps": (
        "    does: []\n    beside",
        "    beside",
        ("57:3", "shape-missing-key", "`pass` has no `does`"),
        "a move needs `text` and `does`",
        "add `does:` with its steps, or `does: []` if nothing is to be done",
    ),
    "a move without anything it needs": (
        "    text: pass\n    does: []\n    beside",
        "    beside",
        ("57:3", "shape-missing-key", "`pass` has no `text` and no `does`"),
        "a move needs `text` and `does`",
        "",
    ),
    "a scoring rule without points": (
        "    points: 1\n",
        "",
        ("63:3", "shape-missing-key", "`one` has no `points`"),
        "a scoring rule needs `text` and `points`",
        "add `points:` with how many",
    ),
    "a condition without words": (
        "        else: there are only {count(row[h])}\n",
        "",
        ("51:7", "shape-missing-key", "`enough there` has no `else`"),
        "a condition needs `that` and `else`",
        "add `else:` with the reason shown to the player",
    ),
    "a variable map without `is`": (
        "{is: 0..9, start",
        "{start",
        ("24:3", "shape-missing-key", "`score` has no `is`"),
        "a variable written as a map needs `is`",
        "add `is:` with what it can be, such as `0..100`",
    ),
    "a decision among nothing": (
        "      to: take or pass\n",
        "",
        ("35:7", "shape-missing-key", "an `ask` step has no `to`"),
        "an `ask` step needs `ask` and `to`",
        "add `to:` with the moves, such as `to: take or pass`",
    ),
    "a text for steps": (
        "setup: []",
        "setup: do taking",
        ("28:8", "shape-type", "expected a list of steps, found the text `do taking`"),
        "",
        "begin each step with `- `",
    ),
    "a step without its dash": (
        (
            "    - ask: turn\n      to: take or pass\n      forced: automatic\n      otherwise: []\n"
            "    - if: left = 0\n      then:\n        - set turn to next(turn)\n      else: []\n"
            "    - for each: p in player\n"
        ),
        "      for each: p in player\n",
        ("35:7", "shape-type", "expected a list of steps, found a map"),
        "",
        "begin each step with `- `",
    ),
    "no steps at all": (
        "    does: []\n",
        "    does:\n",
        ("59:5", "shape-type", "expected a list of steps, found nothing"),
        "",
        "write `[]` if nothing is to be done",
    ),
    "a section with nothing in it": (
        "define:\n  left: count(row)\n  full(heap h): true\n",
        "define:\n",
        ("25:1", "shape-type", "expected a map of expressions, found nothing"),
        "",
        "leave `define` out if there is nothing to say",
    ),
    "a number for a map": (
        '  labels: {heap: "heap {it}"}',
        "  labels: 5",
        ("78:11", "shape-type", "expected a map from sets or members to texts, found the number `5`"),
        "",
        "",
    ),
    "a condition on one line": (
        (
            "      enough there:\n        that: n <= count(row[h])\n        else: there are only {count(row[h])}\n"
            "        see: p. 2\n"
        ),
        "      enough there: n <= count(row[h])\n",
        ("51:21", "shape-type", "expected a condition, found the text `n <= count(row[h])`"),
        "a condition needs `that` and `else`",
        "write below it `that: n <= count(row[h])`, and `else:` with the reason shown to the player",
    ),
    "a place on one line": (
        "  top: {stack: stick, room: 4, seen by: nobody, shows: stick}",
        "  top: stick",
        ("20:8", "shape-type", "expected a place, found the text `stick`"),
        "a place needs exactly one of `pile`, `stack` and `cell`",
        "write `{pile: stick}`, or `stack` or `cell` for `pile`",
    ),
    "a text that begins with a brace": (
        "    text: pass\n",
        "    text: {n}\n",
        ("58:11", "shape-type", "expected a text, found a map"),
        "",
        "put the whole line in quotes: after a space `{` begins a map",
    ),
    "an expression that is a list": (
        "points: 1",
        "points: [1, 2]",
        ("65:13", "shape-type", "expected an expression, found a list"),
        "",
        "put the whole line in quotes: after a space `[` begins a list",
    ),
    "a fraction": (
        "room: 9",
        "room: 1.5",
        ("14:34", "shape-type", "expected an expression, found the number `1.5`"),
        "numbers in the rules are whole",
        "write `1` or `2`",
    ),
    "a colour without quotes": (
        '  colours: {stick: "#123456"}',
        "  colours:\n    stick: #123456",
        ("81:5", "shape-type", 'expected a colour such as `"#2878b5"`, found nothing'),
        "",
        "put the colour in quotes: after a space `#` begins a comment",
    ),
    "an unknown viewer": (
        "seen by: everyone",
        "seen by: evryone",
        ("14:46", "shape-value", "expected `everyone`, `owner` or `nobody`, found the text `evryone`"),
        "",
        "did you mean `everyone`?",
    ),
    "a list of viewers": (
        "seen by: everyone",
        "seen by: [owner]",
        ("14:46", "shape-type", "expected `everyone`, `owner` or `nobody`, found a list"),
        "",
        "write `owner`, without brackets",
    ),
    "another word for automatic": (
        "forced: automatic",
        "forced: true",
        ("37:15", "shape-value", "expected `automatic`, found `true`"),
        "",
        "write `forced: automatic`, or leave it out",
    ),
    "too many indexes in a grid": (
        "grid: [heap, size]",
        "grid: [heap, size, size]",
        ("82:19", "shape-value", "expected a list of one or two indexes, found a list of 3"),
        "",
        "",
    ),
    "nobody wins": (
        "winner:\n  took the last: turn != me\n",
        "winner: {}\n",
        ("66:9", "shape-value", "expected a map from reasons to expressions, found an empty map"),
        "it needs at least one line",
        "",
    ),
    "too many players in an example": (
        "players: 2, given",
        "players: 21, given",
        ("74:65", "shape-value", "expected a whole number from 1 to 20, found the number `21`"),
        "",
        "",
    ),
    "a range of players in an example": (
        "players: 2, given",
        "players: 2..3, given",
        ("74:65", "shape-type", "expected a whole number from 1 to 20, found the text `2..3`"),
        "",
        "",
    ),
    "an index with a comma on the way down": (
        '"row[a]": 3, turn',
        '"line[1, 4]": [3], turn',
        ("74:90", "shape-type", "expected a value, or a text such as `2 bead`, `3.2` or `nothing`, found a list"),
        "",
        "put the whole line in quotes: after a space `[` begins a list",
    ),
    "two steps in one": (
        "    do:\n      - do taking",
        "    if: left = 0\n    do:\n      - do taking",
        (
            "31:5",
            "step-shape",
            "a step has only one of `if`, `while`, `for each` and `ask`, this one has `while` and `if`",
        ),
        "",
        "make each a step of its own, after its own `-`",
    ),
    "a misspelt step": (
        "- while: left > 0",
        "- whle: left > 0",
        ("30:5", "step-shape", "expected a step, found a map with `whle` and `do`"),
        "a step is one line of text, or a map with one of `if`, `while`, `for each` and `ask`",
        "did you mean `while`?",
    ),
    "a one-line step as a map": (
        "- do taking",
        "- do: taking",
        ("32:9", "step-shape", "expected a step, found a map with `do`"),
        "a step is one line of text, or a map with one of `if`, `while`, `for each` and `ask`",
        "write it as one line: `- do taking`",
    ),
    "an empty step": (
        "- do taking",
        "- {}",
        ("32:9", "step-shape", "expected a step, found an empty map"),
        "a step is one line of text, or a map with one of `if`, `while`, `for each` and `ask`",
        "",
    ),
    "the key of another step": (
        "      then:\n",
        "      do:\n",
        ("40:7", "shape-unknown-key", "an `if` step has no key `do`"),
        "",
        "did you mean `then`?",
    ),
    "a number for a step": (
        "- do taking",
        "- 5",
        ("32:9", "shape-type", "expected a step, found the number `5`"),
        "",
        "",
    ),
    "a place of no shape": (
        "{stack: stick, room: 4, seen",
        "{room: 4, seen",
        ("20:3", "place-shape", "`top` has no `pile`, `stack` or `cell`"),
        "a place needs exactly one of `pile`, `stack` and `cell`",
        "",
    ),
    "a place of two shapes": (
        "{pile: stick, room: 9",
        "{pile: stick, cell: stick, room: 9",
        ("14:28", "place-shape", "`row` cannot be `pile` and `cell` at once"),
        "a place needs exactly one of `pile`, `stack` and `cell`",
        "",
    ),
    "a misspelt shape of a place": (
        "{pile: stick, room: 9",
        "{piel: stick, room: 9",
        ("14:15", "shape-unknown-key", "a place has no key `piel`"),
        "",
        "did you mean `pile`?",
    ),
    "the larger number of players first": (
        "players: 2..4",
        "players: 4..2",
        (
            "4:10",
            "players-shape",
            "expected a number of players such as `2`, or a range such as `2..4`, found the text `4..2`",
        ),
        "there are 1 to 20 players, and the smaller number comes first",
        "write `players: 2..4`",
    ),
    "players as a list": (
        "players: 2..4",
        "players: [2, 4]",
        ("4:10", "players-shape", "expected a number of players such as `2`, or a range such as `2..4`, found a list"),
        "there are 1 to 20 players, and the smaller number comes first",
        "write `players: 2..4`",
    ),
    "another version": (
        "rulespec: 1",
        "rulespec: 2",
        ("1:11", "rulespec-version", "this program reads version 1 of the rule language, found the number `2`"),
        "",
        "write `rulespec: 1`",
    ),
    "the version as a text": (
        "rulespec: 1",
        'rulespec: "1"',
        ("1:11", "rulespec-version", "this program reads version 1 of the rule language, found the text `1`"),
        "",
        "write `rulespec: 1`",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_one_mistake__one_message(mistake: str) -> None:
    old, new, first_line, why, fix = MISTAKES[mistake]
    found = changed(old, new)
    assert said(found) == [first_line]
    assert (found[0].why, found[0].fix) == (why, fix)


def test_several_mistakes__all_at_once_in_order() -> None:
    text = GAME.replace("game: Sticks", "gam: Sticks").replace("    points: 1\n", "    points: []\n")
    text = text.replace("        - score one for p", "        - score: one").replace(
        "run: taking(1)", "runs: taking(1)"
    )
    assert said(shape(text)) == [
        ("2:1", "shape-unknown-key", "a rule file has no key `gam`"),
        ("45:11", "step-shape", "expected a step, found a map with `score`"),
        ("65:13", "shape-type", "expected an expression, found a list"),
        ("74:99", "shape-unknown-key", "an example has no key `runs`"),
    ]


def test_a_wrong_type__hides_what_is_inside() -> None:
    assert said(changed("scoring:\n  one:\n    text:", "scoring:\n  - one:\n    txt:")) == [
        ("63:3", "shape-type", "expected a map of scoring rules, found a list")
    ]


def test_a_map_of_unknown_keys__is_not_also_incomplete() -> None:
    assert said(changed("  one:\n    text: a point\n    points: 1\n", "  one:\n    reward: 1\n")) == [
        ("64:5", "shape-unknown-key", "a scoring rule has no key `reward`")
    ]


def test_a_misspelt_key__hides_only_what_it_is_meant_to_be() -> None:
    assert said(changed("    text: pass\n    does: []\n", "    dos: []\n")) == [
        ("57:3", "shape-missing-key", "`pass` has no `text`"),
        ("58:5", "shape-unknown-key", "a move has no key `dos`"),
    ]


def test_an_almost_empty_file() -> None:
    assert said(shape("game: x\nplayers: 2\n")) == [
        ("1:1", "shape-missing-key", "the file has no `rulespec`, no `play` and no `winner`")
    ]


def test_every_node_replaced__never_more_than_one_message() -> None:
    """Whatever stands where it should not, it is said once, and nothing breaks."""
    game: Any = _data(GAME)
    wrongs: tuple[object, ...] = (None, "zzz", [[5]], {"zzz": 5}, 5, [], {}, 1.5)
    for number, route in enumerate([*_routes(game)]):
        *above, last = route
        parent = game
        for name in above:
            parent = parent[name]
        kept = parent[last]
        for wrong in (wrongs[number % 8], wrongs[(number + 3) % 8]):  # all of them at all nodes take ten seconds
            parent[last] = wrong
            found = check_shape(cast(Mapping, _node(game)))
            assert len(found) <= 1, (route, wrong, said(found))
        parent[last] = kept


def _node(data: object) -> Node:
    span = Span("t.yaml", 1, 1, 1, 2)
    match data:
        case dict():
            return Mapping(span, tuple(Entry(Scalar(span, k, k), _node(v)) for k, v in data.items()))
        case list():
            return Sequence(span, tuple(_node(item) for item in data))
        case _:
            return Scalar(span, "" if data is None else str(data), cast(str, data))


def _data(text: str) -> object:
    return plain(read_source("t.yaml", text))


def _routes(node: object, route: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for name, child in children:
        yield (*route, name)
        yield from _routes(child, (*route, name))


def test_steps_as_deep_as_a_file_can_be() -> None:
    steps = "[x]"
    for _ in range(28):
        steps = f"[{{ask: p, to: m, otherwise: {steps}}}]"
    assert said(changed("setup: []", f"setup: {steps}")) == []
    assert said(changed("setup: []", f"setup: {steps.replace('[x]', '[5]')}")) == [
        ("28:793", "shape-type", "expected a step, found the number `5`")
    ]


# --- overlays ---------------------------------------------------------------------------------------------------


def house(change: str) -> str:
    return f"rulespec: 1\nextends: game.yaml\ngame: House\nchange:\n{change}"


OVERLAYS: dict[str, tuple[str, tuple[str, str, str], str]] = {
    "a misspelt move": (
        "  moves:\n    tak:\n      needs: {odd: {that: n = 1}}\n",
        ("6:5", "overlay-new-incomplete", "`tak` is new here and has no `text` and no `does`; did you mean `take`?"),
        "`take` at game.yaml:47:3",
    ),
    "a misspelt condition": (
        "  moves:\n    take:\n      needs: {enough ther: {that: true}}\n",
        ("7:15", "overlay-new-incomplete", "`enough ther` is new here and has no `else`; did you mean `enough there`?"),
        "`enough there` at game.yaml:51:7",
    ),
    "a misspelt scoring rule": (
        "  scoring:\n    on:\n      points: 2\n",
        ("6:5", "overlay-new-incomplete", "`on` is new here and has no `text`; did you mean `one`?"),
        "`one` at game.yaml:63:3",
    ),
    "a misspelt place": (
        "  places:\n    bord: {room: 3}\n",
        (
            "6:5",
            "overlay-new-incomplete",
            "`bord` is new here and has no `pile`, `stack` or `cell`; did you mean `board`?",
        ),
        "`board` at game.yaml:15:3",
    ),
    "a misspelt variable": (
        "  variables:\n    scores: {start: 3}\n",
        ("6:5", "overlay-new-incomplete", "`scores` is new here and has no `is`; did you mean `score`?"),
        "`score` at game.yaml:24:3",
    ),
    "a new move like no other": (
        "  moves:\n    exchange: {text: swap}\n",
        ("6:5", "shape-missing-key", "`exchange` has no `does`"),
        "",
    ),
    "a misspelt section": (
        "  scorings:\n    one: {points: 2}\n",
        ("5:3", "shape-unknown-key", "a rule file has no key `scorings`"),
        "",
    ),
    "a place made two things": (
        "  places:\n    top: {cell: stick}\n",
        ("6:11", "place-shape", "`top` cannot be `stack` and `cell` at once"),
        "",
    ),
    "a wrong type inside a good change": (
        "  moves:\n    take:\n      does: nothing\n",
        ("7:13", "shape-type", "expected a list of steps, found the text `nothing`"),
        "",
    ),
}


@pytest.mark.parametrize("mistake", OVERLAYS)
@pytest.mark.parametrize("with_layers", [True, False])
def test_merge__one_mistake_one_message(mistake: str, with_layers: bool, tmp_path: Path) -> None:
    change, first_line, also = OVERLAYS[mistake]
    layers = layered(tmp_path, house(change))
    found = check_shape(layers.resolve(), layers if with_layers else None)
    assert said(found) == [first_line]
    assert found[0].span.file == f"{tmp_path}/house.yaml"
    assert "".join(f"{what} at {where}" for what, where in found[0].also).replace(f"{tmp_path}/", "") == also


def test_option__a_misspelt_move() -> None:
    game = GAME.replace("moves: {pass: {text: skip}}", "moves: {pas: {text: skip}}")
    layers = open_rules("t.yaml", text=game).layers
    assert check_shape(layers.resolve(), layers) == []
    found = check_shape(layers.resolve({"side": "grey"}), layers)
    assert said(found) == [
        ("71:86", "overlay-new-incomplete", "`pas` is new here and has no `does`; did you mean `pass`?")
    ]
    assert found[0].why == "a move needs `text` and `does`"


def test_like__a_misspelt_condition() -> None:
    twin = "  twin: {like: take, needs: {enough here: {that: true}}}\nscoring:\n"
    layers = open_rules("t.yaml", text=GAME.replace("scoring:\n", twin)).layers
    assert said(check_shape(layers.resolve(), layers)) == [
        ("62:30", "overlay-new-incomplete", "`enough here` is new here and has no `else`; did you mean `enough there`?")
    ]


def test_like__a_mistake_in_the_other_move_is_said_once() -> None:
    game = GAME.replace("        that: n <= count(row[h])", "        that: [n]")
    layers = open_rules("t.yaml", text=game.replace("scoring:\n", "  twin: {like: take}\nscoring:\n")).layers
    assert said(check_shape(layers.resolve(), layers)) == [
        ("52:15", "shape-type", "expected an expression, found a list")
    ]


def test_versions__each_file_says_its_own(tmp_path: Path) -> None:
    layers = layered(tmp_path, HOUSE, GAME.replace("rulespec: 1", "rulespec: 3"))
    found = check_shape(layers.resolve(), layers)
    assert [(d.span.file.rpartition("/")[2], d.code) for d in found] == [("game.yaml", "rulespec-version")]
    layers = layered(tmp_path, HOUSE.replace("rulespec: 1\n", ""))
    found = check_shape(layers.resolve(), layers)
    assert [(d.span.file.rpartition("/")[2], d.span.line, d.message) for d in found] == [
        ("house.yaml", 1, "the file has no `rulespec`")
    ]


@pytest.mark.parametrize(
    ("text", "counts"),
    [("2", range(2, 3)), ("2..4", range(2, 5)), ("1..20", range(1, 21)), ('"3"', range(3, 4))]
    + [
        (bad, None)
        for bad in ("0", "0..2", "21", "2..21", "4..2", "2...4", "2-4", "two", "2..", "-1", "2.0", "[2]", "")
    ],
)
def test_players(text: str, counts: range | None) -> None:
    tree = read_source("t.yaml", GAME.replace("players: 2..4", f"players: {text}"))
    assert player_counts(tree.get("players")) == counts
    assert [d.code for d in check_shape(tree)] == ([] if counts else ["players-shape"])


# --- the schema itself ------------------------------------------------------------------------------------------


def _parts(node: object, where: str = "#") -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(node, dict):
        yield where, node
        for name, inner in node.items():
            yield from _parts(inner, f"{where}/{name}")
    elif isinstance(node, list):
        for i, inner in enumerate(node):
            yield from _parts(inner, f"{where}/{i}")


SCHEMA: dict[str, Any] = json.loads(schema_text())


def _followed(schema: dict[str, Any], ref: str) -> dict[str, Any]:
    for name in ref.removeprefix("#/").split("/"):
        schema = schema[name]
    return schema


def test_schema__is_a_schema_and_takes_files_as_written() -> None:
    from jsonschema import Draft202012Validator

    Draft202012Validator.check_schema(SCHEMA)
    validator = Draft202012Validator(SCHEMA)
    assert [e.message for e in validator.iter_errors(_data(GAME))] == []
    assert [e.message for e in validator.iter_errors(_data(HOUSE))] == []
    assert not validator.is_valid(_data(HOUSE.replace("needs:", "need:")))
    assert not validator.is_valid(_data(HOUSE.replace("change:", "changes:")))
    assert not validator.is_valid(_data(GAME.replace("change: {variables:", "change: {variable:")))


def test_schema__every_key_has_a_hover_text_and_every_value_words_for_messages() -> None:
    for where, part in _parts(SCHEMA):
        if where.endswith("/properties"):
            for key, value in part.items():
                texts = [value.get("description")]
                while "$ref" in value:
                    value = _followed(SCHEMA, value["$ref"])
                    texts.append(value.get("description"))
                assert any(texts), f"{where}/{key}"
        elif {"type", "enum", "const", "required", "additionalProperties"} & part.keys():
            # A test (`if`) and a branch of `oneOf` are never what a message is about.
            assert "title" in part or where.endswith("/if") or "/oneOf/" in where, where


def test_schema__refuses_unknown_keys_wherever_keys_are_listed() -> None:
    for where, part in _parts(SCHEMA):
        if "properties" in part and not where.endswith("/properties"):
            assert "additionalProperties" in part, where


def test_importing__does_not_load_the_validator() -> None:
    code = "import sys, rulespec.schema.shape; sys.exit('jsonschema' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_speed() -> None:
    tree = open_rules("game.yaml", text=GAME).layers.resolve()
    check_shape(tree)
    start = perf_counter()
    check_shape(tree)
    assert perf_counter() - start < 0.1  # 5 ms on a quiet machine
