"""House rules upon one another: from files, texts and mappings, and what two of them may not both change."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
import yaml

from interpreter import Game, RuleFileError, load
from rulespec import BundleError, bundle_rules, open_bundle
from rulespec.diagnostics.diagnostic import GAMES_FOLDER
from rulespec.files.sources import find_game, shipped_games
from rulespec.rules import GameNotFound, open_rules
from rulespec.yaml.nodes import plain
from tests.shipped import rules_of, with_some_house_rules
from tests.sizes import size
from tests.small import small_game

GAME = small_game("heap")


def house(change: dict[str, Any], title: Any = "House", **more: Any) -> dict[str, Any]:
    return {"rulespec": 1, "extends": "game.yaml", "game": title, "change": change, **more}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "game.yaml").write_text(GAME)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refusals(*rules: dict[str, Any] | str) -> list[tuple[str, str, str]]:
    with pytest.raises(RuleFileError) as caught:
        open_rules("game.yaml", house=rules)
    return [(d.code, str(d.span), d.message) for d in caught.value.diagnostics]


# --- what can be loaded -------------------------------------------------------------------------------------------


def test_load__a_text_or_a_mapping_is_the_same_game_as_its_file(folder: Path) -> None:
    marks = {load(source).fingerprint for source in ("game.yaml", GAME, yaml.safe_load(GAME), folder / "game.yaml")}
    assert len(marks) == 1


@pytest.mark.parametrize("name", [name for name in shipped_games() if "/" not in name or name.startswith("classics")])
def test_load__a_shipped_game_as_a_mapping_is_the_same_game(name: str) -> None:
    path = find_game(name)
    assert path is not None
    data = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
    assert plain_rules(data) == plain_rules(name)


def plain_rules(source: Any) -> str:
    return open_rules(source).fingerprint({})


def test_load__a_mapping_with_what_no_file_can_hold() -> None:
    with pytest.raises(RuleFileError, match=r"expected text, a number, a list or a map at `tables: cost`, found set"):
        load({"rulespec": 1, "tables": {"cost": {1}}})
    with pytest.raises(RuleFileError, match=r"expected names as keys at `tables`, found tuple"):
        load({"rulespec": 1, "tables": {(1, 2): 1}})
    circle: list[Any] = []
    circle.append(circle)
    with pytest.raises(RuleFileError, match="levels deep"):
        load({"rulespec": 1, "tables": circle})


def test_load__mistakes_in_a_mapping_have_a_place() -> None:
    with pytest.raises(RuleFileError) as caught:
        load(yaml.safe_load(GAME.replace("count(heap)\n", "count(haep)\n")))
    assert [d.message for d in caught.value.diagnostics] == ["no name called `haep`"]
    assert caught.value.diagnostics[0].span.file == "<game>"


def test_load__a_list_that_stands_at_two_places_is_written_twice(folder: Path) -> None:
    numbers = [1, 2]
    rules = open_rules("game.yaml", house=[house({"tables": {"cost": numbers, "other": numbers}})])
    assert "&" not in rules.layers.files[-1].text


def test_load__no_such_house_rule(folder: Path) -> None:
    with pytest.raises(GameNotFound, match=r"there is no file `nothing.yaml`"):
        load("game.yaml", house=["nothing.yaml"])


# --- stacking -----------------------------------------------------------------------------------------------------


def test_stack__all_changes_are_made_and_titles_told_together(folder: Path) -> None:
    one, two = house({"tables": {"most": 5}}, "One", text="A."), house({"tables": {"cost": [9]}}, "Two", text="B.")
    rules = open_rules("game.yaml", house=[one, two])
    assert (rules.title, rules.text) == ("One + Two", "A. B.")
    assert plain(rules.layers.resolve().get("tables")) == {"cost": [9], "most": 5}  # type: ignore[arg-type]


def test_stack__a_file_can_put_house_rules_together(folder: Path) -> None:
    (folder / "one.yaml").write_text(yaml.safe_dump(house({"tables": {"most": 5}}, "One")))
    (folder / "two.yaml").write_text(yaml.safe_dump(house({"tables": {"cost": [9]}}, "Two")))
    both = {"rulespec": 1, "extends": ["one.yaml", "two.yaml"], "game": "Both", "change": {"tables": {"most": 6}}}
    rules = open_rules(both)
    assert rules.title == "Both"
    assert plain(rules.layers.resolve().get("tables")) == {"cost": [9], "most": 6}  # type: ignore[arg-type]
    assert [str(f.path) for f in rules.layers.files] == ["game.yaml", "one.yaml", "two.yaml", "<game>"]


def test_stack__a_house_rule_of_a_house_rule_is_no_conflict(folder: Path) -> None:
    (folder / "one.yaml").write_text(yaml.safe_dump(house({"tables": {"most": 5}}, "One")))
    two = house({"tables": {"most": 6}}, "Two") | {"extends": "one.yaml"}
    rules = open_rules("game.yaml", house=["one.yaml", two])
    assert rules.title == "Two"
    assert plain(rules.layers.resolve().get("tables")) == {"cost": [1, 2], "most": 6}  # type: ignore[arg-type]


def test_stack__a_house_rule_twice_counts_once(folder: Path) -> None:
    (folder / "one.yaml").write_text(yaml.safe_dump(house({"tables": {"cost": {"add": [3]}}}, "One")))
    rules = open_rules("game.yaml", house=["one.yaml", folder / "one.yaml"])
    assert len(rules.layers.files) == 2


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ({"tables": {"cost": {"add": [3]}}}, {"tables": {"cost": {"add": [4]}}}),  # both only add to a list
        ({"tables": {"most": 4}}, {"tables": {"most": 4}}),  # both say the same
        ({"tables": {"most": 4}}, {"moves": {"take": {"choose": {"n": "1..2"}}}}),
        ({"moves": {"take": {"text": "x"}}}, {"moves": {"take": {"choose": {"n": "1..2"}}}}),
    ],
)
def test_stack__allowed(folder: Path, one: dict[str, Any], two: dict[str, Any]) -> None:
    open_rules("game.yaml", house=[house(one), house(two)])


@pytest.mark.parametrize(
    ("one", "two", "where", "what"),
    [
        ({"tables": {"most": 4}}, {"tables": {"most": 5}}, "6:5", "`most` under `tables`"),
        ({"tables": {"remove": ["most"]}}, {"tables": {"most": 5}}, "6:5", "`most` under `tables`"),
        ({"tables": {"remove": ["most"]}}, {"tables": {"remove": ["most"]}}, "7:7", "`most` under `tables`"),
        ({"tables": {"cost": [7]}}, {"tables": {"cost": {"add": [3]}}}, "6:5", "`cost` under `tables`"),
        (
            {"moves": {"remove": ["take"]}},
            {"moves": {"take": {"choose": {"n": "1..2"}}}},
            "8:9",
            "`take` under `moves`",
        ),
        (  # a new thing of one name: one complaint, however much differs
            {"scoring": {"bonus(player p)": {"text": "a", "points": 1}}},
            {"scoring": {"bonus(player p)": {"text": "b", "points": 2}}},
            "7:7",
            "`bonus` under `scoring`",
        ),
    ],
)
def test_stack__two_change_the_same(folder: Path, one: Any, two: Any, where: str, what: str) -> None:
    message = f"{what} is changed here and in `<house 1>`"
    assert refusals(house(one), house(two)) == [("house-conflict", f"<house 2>:{where}", message)]


def test_stack__two_fix_one_option_or_the_players(folder: Path) -> None:
    text = GAME + "options:\n  side: {a: {text: A}, b: {text: B}}\n"
    (folder / "game.yaml").write_text(text)
    found = refusals(house({}, **{"with": {"side": "a"}}), house({}, **{"with": {"side": "b"}}))
    assert found == [("option-fixed", "<house 2>:6:9", "`side` is already fixed to `a`")]
    found = refusals(house({}, players=3), house({}, players=4))
    assert found == [("house-conflict", "<house 2>:5:1", "`players` is changed here and in `<house 1>`")]


def test_stack__of_different_games(folder: Path) -> None:
    (folder / "other.yaml").write_text(GAME)
    other = house({}) | {"extends": "other.yaml"}
    assert refusals(other) == [
        ("house-other-game", "<house 1>:2:10", "`<house 1>` changes `other.yaml`, not `game.yaml`")
    ]
    assert refusals("other.yaml")[0][2] == "`other.yaml` is not a house rule: it does not extend another file"


@pytest.mark.sized
def test_stack__shipped_house_rules_fit_together_or_say_why_not() -> None:
    """Any two house rules of one game: good rules, or one clear conflict; never anything else."""
    by_game: dict[str, list[str]] = {}
    for name in shipped_games():
        if name.startswith("house/"):
            by_game.setdefault(rules_of(name).layers.files[0].identity, []).append(name)
    for game, names in by_game.items():
        for pair in list(combinations(names, 2))[:: size(5, 1)]:
            assert codes(game, pair) in (set(), {"house-conflict"}), pair


def codes(game: str, rules: tuple[str, ...]) -> set[str]:
    try:
        open_rules(game, house=rules).layers.resolve()
    except RuleFileError as error:
        return {d.code for d in error.diagnostics}
    return set()


# --- bundles ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", with_some_house_rules(shipped_games()))
def test_bundle__is_the_same_rules_without_any_file(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    rules = rules_of(name)
    data = bundle_rules(rules)
    monkeypatch.chdir(tmp_path)
    again = open_bundle(data)
    assert again.fingerprint({}) == rules.fingerprint({})
    assert bundle_rules(again) == data
    assert str(GAMES_FOLDER) not in str(data)


def test_bundle__of_a_stack_plays_the_same_games(folder: Path) -> None:
    (folder / "house").mkdir()
    (folder / "house" / "game.yaml").write_text(
        yaml.safe_dump(house({"tables": {"most": 5}}) | {"extends": "../game.yaml"})
    )
    game = load("game.yaml", house=["house/game.yaml", house({"moves": {"take": {"choose": {"n": "1..2"}}}})])
    data = bundle_rules(game.rules)
    assert data["opened"] == ["game.yaml", "2-game.yaml", "<house 2>"]
    (folder / "game.yaml").unlink()
    again = open_bundle(data)
    assert Game(again, again.check()[0]).playout(3).vector == game.playout(3).vector


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (None, "expected a map under `files`, found NoneType"),
        ({"files": {"a": {}}, "opened": ["a"]}, "expected a text under `text`, found NoneType"),
        ({"files": {"a": {"text": GAME, "extends": {"b": "c"}}}, "opened": ["a"]}, "after `b` in `a`, found 'c'"),
        ({"files": {"a": {"text": GAME, "extends": {}}}, "opened": ["b"]}, r"after `opened`, found \['b'\]"),
        ({"files": {"a": {"text": GAME, "extends": {}}}, "opened": []}, r"after `opened`, found \[\]"),
    ],
)
def test_bundle__refused(data: Any, message: str) -> None:
    with pytest.raises(BundleError, match=message):
        open_bundle(data)
