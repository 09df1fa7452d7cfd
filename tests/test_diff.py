"""`rulespec diff`: every changed rule is named and nothing else, and play on the same decisions shows where it matters."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from interpreter import Game
from interpreter.budget import Budget
from interpreter.trial.lockstep import CHANCES, FAULT, MOVES, OUTCOME, POINTS, TURN, Lockstep
from referee.cli import cli
from referee.diff.report import report_difference
from referee.diff.texts import entry_name, headline
from rulespec import EntryPath, ordinal
from rulespec.diagnostics.diagnostic import GAMES_FOLDER
from rulespec.diff.compare import Difference, compare_rules
from rulespec.files.sources import shipped_games
from rulespec.rules import Rules, open_rules
from rulespec.yaml.nodes import Mapping, Node, Scalar, Sequence, bare_name, plain
from rulespec.yaml.source import read_source
from tests.sizes import SOAK
from tests.test_docs import ROOT, paths, rows

HOUSE = sorted(path for path in GAMES_FOLDER.rglob("*.yaml") if "extends:" in path.read_text(encoding="utf-8"))
every_house = pytest.mark.parametrize("path", HOUSE, ids=lambda path: path.stem)
WRITTEN = sorted(n for n, path in shipped_games().items() if path not in HOUSE or SOAK or path.stem == "strict")
every_game = pytest.mark.parametrize("name", WRITTEN)
opened = cache(open_rules)
Names = tuple[str, ...]

SMALL = """
rulespec: 1
game: Small
players: 2
sets: {colour: [red, blue, white], row: 1..2}
tables:
  cost: [1, 2, 3, 4]
  worth[colour]: {red: 1, blue: 2, white: 3}
  grid[row, colour]: [[1, 2, 3], [4, 5, 6]]
pieces: {colour: 3 in bag}
places:
  bag: {pile: colour}
  hand[player]: {pile: [colour], room: 2 + 1}
variables:
  turn: player
  score[player]: 0..50
define:
  held(player p): count(hand[p])
  rich(player p): held(p) > 1 and worth[red] > 0
play:
  - while: not empty(bag) and any(held(p) < 3 for p in player)
    do:
      - ask: turn
        to: take
        otherwise: []
      - if: rich(turn)
        then: [score riches for turn]
      - set turn to next(turn)
moves:
  take:
    text: take {c}
    choose: {c: colour}
    needs:
      there: {that: c in bag, else: there is no {c}}
      room: {that: held(me) < 3, else: your hand is full}
    does:
      - move 1 of c from bag to hand[me]
scoring:
  riches:
    text: riches
    points: cost[1] + grid[1, red] + worth[blue]
winner:
  most points: score[me]
  fewest: -held(me)
options:
  pace:
    slow: {text: slowly}
    quick: {text: quickly, change: {tables: {cost: [2, 2, 3, 4]}}}
""".replace("there is no {c}", '"there is no {c}"')


def compare(a: str, b: str, **choices: str) -> Difference:
    return compare_rules(open_rules("a.yaml", text=a), open_rules("b.yaml", text=b), choices)


def changed(old: str, new: str, text: str = SMALL) -> list[str]:
    """Return the headlines of what differs if a part of the small game is written otherwise."""
    assert old in text, old
    return [headline(c) for c in compare(text, text.replace(old, new)).changes]


# --- nothing differs ----------------------------------------------------------------------------------------------


@pytest.mark.sized
@every_game
def test_diff__a_file_and_itself_are_the_same(name: str) -> None:
    assert compare_rules(opened(name), open_rules(name)).changes == ()


ORDER_MATTERS = {"winner", "choose"}


def shuffled(data: object, dice: random.Random, key: str = "") -> object:
    """Return the same rules, names in another order where that means nothing."""
    if isinstance(data, dict):
        items = [(k, shuffled(v, dice, k)) for k, v in data.items()]
        if key not in ORDER_MATTERS and not data.keys() & {"if", "while", "for each", "ask"}:
            dice.shuffle(items)
        return dict(items)
    return [shuffled(item, dice, key) for item in data] if isinstance(data, list) else data


@pytest.mark.sized
@every_game
def test_diff__a_rewritten_copy_is_the_same(name: str, tmp_path: Path) -> None:
    """No comments, other quotes, everything on few lines, other order of names."""
    rules = opened(name)
    for layer in rules.layers.files:
        data = plain(read_source(layer.path))
        assert isinstance(data, dict)
        if "extends" in data:
            data["extends"] = data["extends"].removesuffix(".yaml") + ".yaml"
        options = data.pop("options", None)  # their order, and that of their choices, is that of the file
        copy = shuffled(data, random.Random(7))
        assert isinstance(copy, dict)
        if options is not None:
            copy["options"] = options
        text = yaml.safe_dump(
            copy, default_flow_style=True, sort_keys=False, width=70, default_style='"' if not options else None
        )
        text = re.sub("!!(int|bool|float) ", "", text.replace('"rulespec": !!int "1"', "rulespec: 1"))
        (tmp_path / layer.path.name).write_text(text, encoding="utf-8")
    found = compare_rules(rules, open_rules(tmp_path / rules.path.name)).changes
    assert [headline(c) for c in found] == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("room: 2 + 1", "room: (2+1)"),
        ("held(p) > 1 and worth[red] > 0", "(held(p) > 1) and (worth[ red ] > 0)"),
        (
            "not empty(bag) and any(held(p) < 3 for p in player)",
            "not empty(bag)   and any( held(p)<3 for p in player )",
        ),
        ("held(player p)", "held( player  p )"),
        ("turn: player", "turn: {is: player}"),
        ("{pile: [colour], room", "{pile: colour, room"),
        ("worth[colour]: {red: 1, blue: 2, white: 3}", "worth[colour]: [1, 2, 3]"),
        ("[[1, 2, 3], [4, 5, 6]]", "{1: {blue: 2, red: 1, white: 3}, 2: [4, 5, 6]}"),
        ("    text: riches", "    see: page 3\n    text: riches"),
        ("game: Small", "game: Small too"),
    ],
)
def test_diff__written_otherwise_is_the_same(old: str, new: str) -> None:
    assert changed(old, new) == []


# --- what differs -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "want"),
    [
        ("players: 2", "players: 2..3", ["the number of players"]),
        ("blue, white], row", "blue, white, green], row", ["the set `colour`, 4th member is new"]),
        ("row: 1..2", "row: 1..1 + 1", ["the set `row`"]),
        ("cost: [1, 2, 3, 4]", "cost: [1, 2, 5, 4]", ["the table `cost`, 3rd entry"]),
        ("cost: [1, 2, 3, 4]", "cost: [1, 2, 3, 4, 5]", ["the table `cost`"]),
        ("blue: 2,", "blue: 7,", ["the table `worth`, entry `blue`"]),
        ("[4, 5, 6]]", "[4, 5, 9]]", ["the table `grid`, entry `2`, `white`"]),
        ("3 in bag", "4 in bag", ["the pieces `colour`"]),
        ("room: 2 + 1", "room: 2 + 2", ["the room of the place `hand`"]),
        ("room: 2 + 1", "room: 2 + 1, seen by: owner", ["the `seen by` of the place `hand` is new"]),
        ("0..50", "{is: 0..50, never below: 0}", ["the bound `never below` of the variable `score` is new"]),
        ("0..50", "0..60", ["what the variable `score` can be"]),
        ("held(p) > 1", "held(p) > 2", ["the definition `rich`"]),
        ("not empty(bag) and", "empty(bag) or", ["the course of play, 1st step, its `while`"]),
        ("otherwise: []", "otherwise: [set turn to 1]", ["the course of play, 1st step, 1st step under `do`, 1st step under `otherwise` is new"]),
        ("next(turn)", "turn", ["the course of play, 1st step, 3rd step under `do`"]),
        ("held(me) < 3", "held(me) < 2", ["the condition `room` of the move `take`"]),
        ("your hand is full", "full", ["the refusal of the condition `room` of the move `take`"]),
        ("text: take {c}", "text: get {c}", ["the `text` of the move `take`"]),
        ("choose: {c: colour}", "choose: {c: '[colour]'}", ["the choice `c` of the move `take`"]),
        ("move 1 of c", "move up to 1 of c", ["what the move `take` does, 1st step"]),
        ("points: cost[1]", "points: cost[2]", ["the points of the scoring rule `riches`"]),
        ("  fewest: -held(me)", "  most: held(me)", ["the line `fewest` of the winner is gone", "the line `most` of the winner is new"]),
        ("  most points: score[me]\n  fewest: -held(me)", "  fewest: -held(me)\n  most points: score[me]", ["the order of `winner`"]),
        ("text: slowly", "text: at ease", ["the `text` of the choice `slow` of the option `pace`"]),
        ("cost: [2, 2,", "cost: [3, 2,", ["in the choice `quick` of the option `pace`: the table `cost`, 1st entry"]),
        ("  pace:\n", "  speed:\n", ["the option `pace` is gone", "the option `speed` is new"]),
    ],
)  # fmt: skip
def test_diff__names_what_differs(old: str, new: str, want: list[str]) -> None:
    assert changed(old, new) == want


def test_diff__tells_from_what_to_what_and_both_places() -> None:
    change = compare(SMALL, "\n" + SMALL.replace("2 + 1", "2 + 2")).changes[0]
    assert isinstance(change.before, Scalar) and isinstance(change.after, Scalar)
    assert (change.before.text, change.after.text) == ("2 + 1", "2 + 2")
    assert (str(change.before_at), str(change.after_at)) == ("a.yaml:13:40", "b.yaml:14:40")


def test_diff__a_new_name_everywhere_is_a_renaming() -> None:
    renamed = SMALL.replace("held(", "in_hand(").replace("riches", "wealth").replace("text: wealth", "text: riches")
    found = compare(SMALL, renamed).changes
    assert [headline(c) for c in found] == [
        "the definition `in_hand` was called `held`",
        "the scoring rule `wealth` was called `riches`",
    ]


def test_diff__alike_by_chance_is_no_renaming() -> None:
    other = SMALL.replace("held(player p): count(hand[p])", "held(player p): 2").replace(
        "  rich(", "  full(row r): count(bag)\n  rich("
    )
    assert [headline(c) for c in compare(SMALL, other).changes] == [
        "the definition `held`",
        "the definition `full` is new",
    ]


def test_diff__what_one_side_fixes_the_other_chooses(tmp_path: Path) -> None:
    """So only what the house rule changes is told, not what the choice changes."""
    (tmp_path / "a.yaml").write_text(SMALL, encoding="utf-8")
    house = "rulespec: 1\nextends: a.yaml\nwith: {pace: quick}\nchange: {pieces: {colour: 4 in bag}}\n"
    (tmp_path / "house.yaml").write_text(house, encoding="utf-8")
    found = compare_rules(open_rules(tmp_path / "a.yaml"), open_rules(tmp_path / "house.yaml"))
    assert found.choices == ({"pace": "quick"}, {"pace": "quick"})
    assert [headline(c) for c in found.changes] == ["the pieces `colour`", "the option `pace` is fixed to `quick`"]


def every_path(node: Node, path: EntryPath = ()) -> Iterator[EntryPath]:
    """Yield the way to every entry of a tree, at any depth."""
    if path:
        yield path
    if isinstance(node, Mapping):
        for key, value in node:
            yield from every_path(value, (*path, bare_name(key.text)))
    elif isinstance(node, Sequence):
        for i, item in enumerate(node.items):
            yield from every_path(item, (*path, i))


@pytest.mark.parametrize("name", sorted(shipped_games()))
def test_entry_name__every_entry_of_every_file_has_one(name: str) -> None:
    tree = read_source(shipped_games()[name])
    assert isinstance(tree, Mapping)
    for path in every_path(tree):
        assert entry_name(path), path
        assert entry_name(("options", "an_option", "a_choice", "change", *path)), path


def test_entry_name__of_what_a_choice_changes() -> None:
    change = ("options", "wares", "six", "change")
    assert entry_name(change) == "the `change` of the choice `six` of the option `wares`"
    six = "in the choice `six` of the option `wares`: "
    assert entry_name((*change, "sets", "ware", "add", 0)) == six + "the set `ware`, 1st member under `add`"
    assert entry_name((*change, "sets", "ware", "add")) == six + "the set `ware`, its `add`"


def test_entry_name__of_numbers() -> None:
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 102, 111)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th",
    ]  # fmt: skip
    assert entry_name(("steps", "deal", 1, "then", 0)) == "the steps `deal`, 2nd step, 1st step under `then`"


# --- house rules: all that they change, and nothing else ----------------------------------------------------------


def touched(change: Mapping, old: Node | None, path: Names = ()) -> Iterator[Names]:
    """Yield the entries that a `change` speaks of, worked out from what is written there alone."""
    for key, value in change:
        if key.text == "see":
            continue
        if key.text in ("before", "after", "instead of") and isinstance(old, Sequence):
            yield path
            continue
        if key.text in ("remove", "add", "add first") and isinstance(value, Sequence):
            for item in value.items:
                named = isinstance(old, Mapping) and isinstance(item, Scalar)
                yield (*path, bare_name(item.text)) if named and isinstance(item, Scalar) else path
            continue
        name = bare_name(key.text)
        below = {bare_name(k.text): v for k, v in old}.get(name) if isinstance(old, Mapping) else None
        if isinstance(value, Mapping) and below is not None:
            yield from touched(value, below, (*path, name))
        else:
            yield (*path, name)


def extended(rules: Rules) -> Rules:
    return opened(rules.layers.files[-2].path)


@every_house
def test_diff__a_house_rule_changes_what_it_says_and_nothing_else(path: Path) -> None:
    rules = open_rules(path)
    before, own = extended(rules), rules.layers.files[-1].tree
    found = compare_rules(before, rules)
    changes = [c for c in found.changes if c.sort != "view" or "view" not in c.path[:1]]
    old = before.layers.resolve(found.choices[0])
    change = own.get("change")
    said = set(touched(change, old)) if isinstance(change, Mapping) else set()
    said |= {("players",)} if own.get("players") is not None else set()
    fixes, options = own.get("with"), own.get("options")
    said |= {("options", key.text) for key, _ in fixes} if isinstance(fixes, Mapping) else set()
    said |= {("options", key.text) for key, _ in options} if isinstance(options, Mapping) else set()

    def within(place: Names, where: Names) -> bool:
        return place[: len(where)] == where

    told = [tuple(map(str, c.path)) for c in changes]
    assert [t for t in told if not any(within(t, s) for s in said)] == [], "told, but not written"
    assert [s for s in said if not any(within(t, s) for t in told)] == [], "written, but not told"
    assert all(c.before_at and c.after_at for c in changes)


# --- play ---------------------------------------------------------------------------------------------------------


def lockstep(a: str, b: str, players: int = 2) -> Lockstep:
    one, two = (open_rules(name, text=text) for name, text in (("a.yaml", a), ("b.yaml", b)))
    return Lockstep(Game(one, one.check(players)[0]), Game(two, two.check(players)[0]))


def test_lockstep__equal_games_never_part() -> None:
    assert lockstep(SMALL, SMALL).search(5, Budget("games", 9_000)) == (None, 5)


@pytest.mark.parametrize(
    ("old", "new", "kind", "decisions"),
    [
        ("  - while: not empty(bag)", "  - while: count(bag) > 1", "", 0),
        ("held(me) < 3", "held(me) < 3 and (held(me) = 0 or c != white)", MOVES, 2),
        ("c in bag, else", "c in bag and c != red, else", MOVES, 0),
        ("points: cost[1]", "points: cost[2]", POINTS, 3),
        ("set turn to next(turn)", "set turn to if count(bag) > 7 then next(turn) else turn", TURN, 2),
        ("fewest: -held(me)", "lowest number: -me", OUTCOME, 6),
        ("otherwise: []", "otherwise: []\n      - roll x from 1..2", TURN, 1),
        ("0..50", "0..3", FAULT, 3),
    ],
)
def test_lockstep__finds_where_they_part(old: str, new: str, kind: str, decisions: int) -> None:
    assert old in SMALL
    parting, _ = lockstep(SMALL, SMALL.replace(old, new)).search(20, Budget("games", 9_000))
    if not kind:
        assert parting is None
        return
    assert parting is not None
    assert (parting.kind, len(parting.decisions)) == (kind, decisions)


def test_lockstep__other_chances_are_told_if_nothing_else_differs() -> None:
    dice = SMALL.replace("  - while: not", "  - roll x from 1..3 weighted by WEIGHT\n  - while: not")
    parting, _ = lockstep(dice.replace("WEIGHT", "x"), dice.replace("WEIGHT", "x * x")).search(
        3, Budget("games", 9_000)
    )
    assert parting is not None and parting.kind == CHANCES and parting.decisions == ()


@pytest.mark.parametrize("name", ["no_dumping", "two_colours", "six_colours"])
def test_diff__play_shows_where_a_house_rule_matters(name: str) -> None:
    check_parting(GAMES_FOLDER / "house" / f"{name}.yaml", 3)


@pytest.mark.soak
@every_house
def test_diff__play_shows_where_every_house_rule_matters(path: Path) -> None:
    check_parting(path, 40)


def check_parting(path: Path, games: int) -> None:
    """A parting is found, and both games do there what the report says."""
    rules = open_rules(path)
    report = report_difference(str(extended(rules).path), str(path), games=games)
    played = report.played
    assert played is not None
    shared = set(extended(rules).players) & set(rules.players)
    if (found := played.parting or played.example) is None:
        assert set(rules.players) != shared, f"{path.stem} plays like what it changes"
        return
    pair = played.pair if played.parting else played.example_pair
    assert pair is not None
    if played.parting:
        for game, side in zip(pair, found.sides, strict=True):
            state = game.start()
            for move in found.decisions:
                state = game.apply(state, move)
            assert side.state == state
    for i, side in enumerate(found.sides):
        other = found.sides[1 - i].state
        assert side.state is not None and other is not None
        for only in side.only[:20]:
            assert not pair[i].objections(side.state, only)
            assert str(only) not in [str(m) for m in pair[1 - i].legal_moves(other)]
    a, b = (side.state for side in found.sides)
    assert a is not None and b is not None
    differ = {
        MOVES: any(side.only for side in found.sides),
        POINTS: pair[0].scores(a) != pair[1].scores(b),
        TURN: a.to_move != b.to_move,
        OUTCOME: pair[0].outcome(a) != pair[1].outcome(b),
    }
    assert differ[found.kind]


# --- the command --------------------------------------------------------------------------------------------------


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["diff", *words])
    return result.exit_code, result.output


def test_cli__same_and_different(tmp_path: Path) -> None:
    a, b = tmp_path / "a.yaml", tmp_path / "b.yaml"
    a.write_text(SMALL, encoding="utf-8")
    b.write_text(SMALL.replace("held(me) < 3", "(held(me) = 0 or c != white)"), encoding="utf-8")
    assert run(str(a), str(a), "--exit-code") == (0, f"{a} and {a}: the same rules\n")
    code, text = run(str(a), str(b))
    assert code == 0
    assert text.startswith(
        f"{a} and {b}: 1 rule differs\n\nthe condition `room` of the move `take`\n    from `held(me) < 3` ({a}:35:"
    )
    assert "they differ after 2 decisions" in text
    assert f"  only {a}: `take white`\n    {b}: your hand is full ({b}:35:7)" in text
    assert run(str(a), str(b), "--exit-code", "--no-play")[0] == 1


def test_cli__json(tmp_path: Path) -> None:
    a, b = tmp_path / "a.yaml", tmp_path / "b.yaml"
    a.write_text(SMALL, encoding="utf-8")
    b.write_text(SMALL.replace("points: cost[1]", "points: cost[2]"), encoding="utf-8")
    data = json.loads(run(str(a), str(b), "--json")[1])
    assert (data["same"], data["changes"][0]["path"]) == (False, ["scoring", "riches", "points"])
    parting = data["play"]["parting"]
    assert parting["kind"] == "points" and len(parting["decisions"]) == 3
    assert [side["scored"][0]["points"] for side in (parting["a"], parting["b"])] == [4, 5]
    assert json.loads(run(str(a), str(a), "--json")[1])["same"] is True


def test_cli__json_keys_are_those_listed(tmp_path: Path) -> None:
    """Of a parting by points and of one by moves."""
    a = tmp_path / "a.yaml"
    a.write_text(SMALL, encoding="utf-8")
    found: set[str] = set()
    for old, new in (("points: cost[1]", "points: cost[2]"), ("c in bag, else", "c in bag and c != red, else")):
        (tmp_path / "b.yaml").write_text(SMALL.replace(old, new), encoding="utf-8")
        found |= set(paths(json.loads(run(str(a), str(tmp_path / "b.yaml"), "--json")[1])))
    found = {re.sub(r"(options|scores)\.[^.]+$", r"\1.*", key) for key in found}
    found = {re.sub(r"^play\.(parting|example)\.", "PARTING.", key) for key in found}
    found = {re.sub(r"^(PARTING\.)?[ab](?=$|\.)", r"\1SIDE", key) for key in found}
    found = {re.sub(r"\bat\.(file|line|column)$", "at", key) for key in found} - {"SIDE"} | {"a`, `b"}
    listed = {cells[0] for _, cells in rows(ROOT / "docs" / "json.md", "keys: diff")}
    assert sorted(found) == sorted(listed)


GRAB = """\
  grab:
    text: grab the rest
    needs:
      few left: {that: count(bag) < 4, else: there are too many}
    does:
      - move all from bag to hand[me]
      - score riches for me
      - set turn to 1
      - if: rich(me)
        then: [score riches for me, score riches for me, score riches for me, score riches for me, score riches for me]
scoring:
"""


def test_cli__a_new_move_is_told_in_sentences_and_whole(tmp_path: Path) -> None:
    a, b = tmp_path / "a.yaml", tmp_path / "b.yaml"
    a.write_text(SMALL, encoding="utf-8")
    new = SMALL.replace("scoring:\n", GRAB).replace("to: take", "to: take or grab")
    b.write_text(new, encoding="utf-8")
    code, text = run(str(a), str(b), "--no-play")
    assert code == 0
    begin = "Conditions: All of this must hold; if it does not, the move is refused with the words in quotation marks."
    riches = "You score riches."
    assert text.endswith(f"""
the move `grab` is new
    In short: Grab the rest.
    {begin}
      few left: There are fewer than 4 colours in the bag. Otherwise: “there are too many”
    What happens:
      Move all colours from the bag to your hand.
      {riches}
      Turn becomes player 1.
      If rich holds for you:
        {riches}
        {riches}
        {riches}
        {riches}
        {riches}
    ({b}:38:3)
""")
    assert run(str(b), str(a), "--no-play")[1].endswith(f"    ({b}:38:3; removed at {a}:30:3)\n")
    (told,) = (c["says"] for c in json.loads(run(str(a), str(b), "--no-play", "--json")[1])["changes"] if c["says"])
    assert told[0] == "In short: Grab the rest." and len(told) == 13


def test_cli__brief(tmp_path: Path) -> None:
    a, b = tmp_path / "a.yaml", tmp_path / "b.yaml"
    a.write_text(SMALL, encoding="utf-8")
    b.write_text(SMALL.replace("points: cost[1]", "points: cost[2]"), encoding="utf-8")
    lines = run(str(a), str(b), "--brief")[1].splitlines()
    assert lines[:4] == [
        f"{a} and {b}: 1 rule differs",
        f"the points of the scoring rule `riches` ({b}:41:13)",
        "",
        "played with the same decisions (2 players), they differ after 3 decisions, the fewest that lead to a difference",
    ]
    assert lines[7:] == [
        f"  {a}: player 1 has 4, player 2 has 0",
        f"    player 1: +4 riches (riches, {a}:39)",
        f"  {b}: player 1 has 5, player 2 has 0",
        f"    player 1: +5 riches (riches, {b}:39)",
    ]


EXAMPLE = """
examples:
  nearly rich:
    given: {"hand[1]": red}
    play: [take blue]
    expect: {"score[1]": 4}
"""


def test_cli__a_worked_example_that_gets_there_sooner_comes_first(tmp_path: Path) -> None:
    a, b = tmp_path / "a.yaml", tmp_path / "b.yaml"
    a.write_text(SMALL + EXAMPLE, encoding="utf-8")
    b.write_text((SMALL + EXAMPLE).replace("points: cost[1]", "points: cost[2]"), encoding="utf-8")
    text = run(str(a), str(b))[1]
    first, second = text.index("in the position of the worked example `nearly rich`"), text.index("played with the")
    assert first < second
    assert "worked example `nearly rich` (2 players), they differ after 1 decision\n  player 1: take blue\n" in text
    brief = run(str(a), str(b), "--brief")[1]
    assert "`nearly rich`" in brief and "played with" not in brief


def test_cli__where_chance_differs_in_setting_up_a_worked_example_shows_more(tmp_path: Path) -> None:
    a, b = tmp_path / "a.yaml", tmp_path / "b.yaml"
    a.write_text(SMALL + EXAMPLE, encoding="utf-8")
    other = (SMALL + EXAMPLE).replace("points: cost[1]", "points: cost[2]")
    b.write_text(other.replace("play:\n  - while", "setup:\n  - roll x from 1..3\nplay:\n  - while"), encoding="utf-8")
    text = run(str(a), str(b))[1]
    assert "in the position of the worked example `nearly rich`" in text
    assert "they differ at once" in text


def test_cli__house_rules_go_upon_the_second(tmp_path: Path) -> None:
    code, text = run("base", "base", "--house", "house/corners", "--no-play")
    assert code == 0 and text.startswith("base and base + house/corners: 3 rules differ\n")


def test_cli__games_that_never_meet(tmp_path: Path) -> None:
    a, b = tmp_path / "a.yaml", tmp_path / "b.yaml"
    a.write_text(SMALL, encoding="utf-8")
    b.write_text(SMALL.replace("players: 2", "players: 3..4"), encoding="utf-8")
    assert run(str(a), str(b))[1].endswith(
        f"they cannot be played side by side: {a} is for 2 players, {b} for 3 to 4 players\n"
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["base"], "Missing argument 'B'"),
        (["base", "nothing"], "no game called `nothing`"),
        (["base", "duel", "--set", "colour=red"], "no option called `colour`"),
        (["base", "base", "--set", "jokers=some"], "no choice `some`"),
        (["base", "base", "--players", "9"], "not 9"),
        (["base", "base", "--games", "-1"], "--games"),
    ],
)
def test_cli__wrong_usage(words: list[str], message: str, capfd: pytest.CaptureFixture[str]) -> None:
    from referee.cli import main

    with pytest.raises(SystemExit) as end:
        main(["diff", *words])
    assert end.value.code == 2
    assert message in capfd.readouterr().err
