"""`rulespec lsp` in house rules and other YAML: what can be changed, named and explained."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.lsp_client import Client, at, started
from tests.sizes import size
from tests.small import small_game

GAME = (
    small_game("shelves")
    + """\
options:
  length:
    short: {text: nine pieces}
    long: {text: twelve pieces, change: {pieces: {colour: 12 in pot}}}
examples:
  one piece:
    given: {pot: "9 red, 9 blue"}
    play: [take red 1]
    expect: {"score[1]": 1}
"""
)
HOUSE = """\
rulespec: 1
extends: game.yaml
game: Take two
with: {length: long}
change:
  tables: {worth: {red: 2}}
  moves:
    take:
      needs:
        room:
          that: not full(me, r)
      does: {add: [set turn to me]}
  scoring:
    piece_worth:
      points: worth[k]
examples:
  two points:
    given: {pot: "12 red, 12 blue"}
    play: [take red 1]
"""


GIVEN = 'given: {pot: "12 red, 12 blue"}'


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    folder = tmp_path_factory.mktemp("rules")
    (folder / "game.yaml").write_text(GAME, encoding="utf-8")
    client = started(folder)
    yield client
    assert client.stop() == 0


@pytest.fixture(scope="module")
def house(server: Client) -> Path:
    path = server.folder / "house.yaml"
    assert server.open(path, HOUSE) == []
    return path


# Other YAML -----------------------------------------------------------------------------------------------


def test_other_yaml__gets_nothing(server: Client) -> None:
    path = server.folder / "compose.yaml"
    text = "version: '3'\nservices:\n  web:   { image: nginx,\n  rulespec: 1\n"
    assert server.open(path, text) == []
    document = {"textDocument": {"uri": path.as_uri()}}
    options = {"tabSize": 2, "insertSpaces": True}
    assert server.ask("textDocument/formatting", {**document, "options": options}) is None
    assert server.ask("textDocument/documentSymbol", document) == []
    assert server.at("completion", path, 4, 3)["items"] == []
    assert server.at("hover", path, 2, 3) is None
    server.close(path)


@pytest.mark.parametrize("text", ["", "rul", "# a game of mine\nrulespec"])
def test_other_yaml__being_begun_can_become_rules(server: Client, text: str) -> None:
    path = server.folder / "new.yaml"
    assert server.open(path, text) == []
    lines = text.split("\n")
    (item,) = server.at("completion", path, len(lines), len(lines[-1]) + 1)["items"]
    assert (item["label"], item["insertText"]) == ("rulespec", "rulespec: 1")
    assert [d["code"] for d in server.change(path, "rulespec: 1\n")] != []
    server.close(path)


# Completion -----------------------------------------------------------------------------------------------


def offered(server: Client, path: Path, old: str, new: str) -> dict[str, dict[str, Any]]:
    """Return what is offered where `|` stands in the new words."""
    assert old in HOUSE
    changed = HOUSE.replace(old, new, 1)
    place = at(changed, "|")
    server.change(path, changed.replace("|", "", 1))
    return {item["label"]: item for item in server.at("completion", path, *place)["items"]}


CASES: list[tuple[str, str, set[str], set[str]]] = [
    ("{worth: {red: 2}}", "\n    |", {"worth", "remove"}, {"pot", "take"}),
    ("{worth: {red: 2}}", "{|}", {"worth"}, {"pot", "take"}),
    ("{worth: {red: 2}}", "\n    worth:\n      |", {"red", "blue"}, {"pot"}),
    ("  scoring:\n", "  variables:\n    |\n  scoring:\n", {"turn", "score"}, {"pot"}),
    ("  moves:\n", "  moves:\n    |\n", {"remove"}, {"pot", "take"}),
    ("      needs:\n", "      needs:\n        |\n", {"there", "remove"}, {"pot", "take", "room"}),
    ("      needs:\n", "      choose:\n        |\n      needs:\n", {"c", "r", "remove"}, {"pot"}),
    ("  scoring:\n", "  steps:\n    |\n  scoring:\n", {"pass_on"}, {"take"}),
    ("  scoring:\n  ", "  scoring:\n    pi|ece: {}\n  ", set(), {"piece_worth", "take"}),
    ("    piece_worth:", "    |piece_worth:", {"piece_worth"}, {"take"}),
    ("  scoring:\n", "  define:\n    |\n  scoring:\n", {"full"}, {"take"}),
    ("  scoring:\n", "  winner:\n    |\n  scoring:\n", {"most points"}, {"take"}),
    ("      needs:\n", "      needs:\n        remove: [|]\n", {"there", "room"}, {"pot", "take"}),
    ("  scoring:\n", "  sets:\n    colour: {remove: [|]}\n  scoring:\n", {"red", "blue"}, {"pot", "take"}),
    ("  scoring:\n", "  steps:\n    pass_on: {remove: [|]}\n  scoring:\n", {"set turn to next(turn)"}, {"pot"}),
    ("with: {length: long}", "with: {|}", {"length"}, {"pot", "long"}),
    ("with: {length: long}", "with:\n  length: |", {"short", "long"}, {"length", "pot"}),
    ("not full(me, r)", "|", {"c", "r", "pot", "me"}, {"take"}),
    ("points: worth[k]", "points: |", {"k", "worth"}, {"take", "c"}),
    ("play: [take red 1]", "play: [|]", {"take", "draw", "roll"}, {"pot"}),
    ("play: [take red 1]", "play: [take |]", {"red", "blue"}, {"pot"}),
    (GIVEN, "given:\n      |", {"pot", "shelf", "turn", "score"}, {"take", "points"}),
    (GIVEN, "given: {pot: |}", {"red", "blue", "nothing"}, {"pot"}),
    ("    play:", "    expect:\n      |\n    play:", {"pot", "score", "points", "winner", "over"}, {"take"}),
    ("    play:", "    expect: {points: {|}}\n    play:", {"piece_worth"}, {"pot"}),
    ("    play:", "    run: |\n    play:", {"pass_on", "play"}, {"take"}),
    ("    play:", "    players: |\n    play:", {"2", "3"}, {"pot", "4"}),
    ("    play:", "    with: {length: |}\n    play:", {"short", "long"}, {"pot"}),
]


@pytest.mark.sized
@pytest.mark.parametrize(("old", "new", "some", "not_there"), CASES[:: size(5, 1)])
def test_completion__of_what_can_be_changed(
    server: Client, house: Path, old: str, new: str, some: set[str], not_there: set[str]
) -> None:
    found = offered(server, house, old, new)
    assert some <= found.keys()
    assert not not_there & found.keys()


@pytest.mark.parametrize("mistake", ["    play: [, take red 1]\n", "  extra\n", "  two: {runs: play}\n"])
def test_completion__in_a_document_that_was_never_right(server: Client, mistake: str) -> None:
    path = server.folder / "begun.yaml"
    text = HOUSE.partition("examples:")[0] + f"examples:\n  one:\n    given:\n      |\n{mistake}"
    for place, some in (
        (text, {"pot", "shelf", "score"}),
        (text.replace("|", "pot: red").replace("  tables:", "  tables: {|}\n  define:"), {"worth"}),
    ):
        assert server.open(path, place.replace("|", "")) != []
        assert some <= {item["label"] for item in server.at("completion", path, *at(place, "|"))["items"]}
        server.close(path)


def test_completion__says_where_a_name_is_declared(server: Client, house: Path) -> None:
    condition = offered(server, house, "      needs:\n", "      needs:\n        |\n")["there"]
    assert condition["insertText"] == "there: "
    assert condition["documentation"]["value"].startswith("`there`\n\na condition: c in pot\n\ndeclared at `")
    table = offered(server, house, "{worth: {red: 2}}", "{|}")["worth"]
    assert (table["detail"], table["insertText"]) == ("worth[colour]", "worth: ")


def test_completion__in_an_option_of_the_game_itself(server: Client) -> None:
    path, text = server.folder / "own.yaml", GAME.replace("{pieces: {colour: 12 in pot}}", "{tables: {|}}")
    server.open(path, text.replace("|", ""))
    assert "worth" in {item["label"] for item in server.at("completion", path, *at(text, "|"))["items"]}
    server.close(path)


# Names ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "skip", "says", "declared"),
    [
        ("r)\n", 0, "`r`\n\nwhat the player chooses: row", "r: row}"),
        ("k]\nexamples", 0, "`k`\n\na parameter: a colour", "k): {text"),
        ("room:", 1, "`room`\n\na condition: not full", "room:\n        that"),
        ("length:", 1, "`length`\n\nan option", "length:\n"),
        ("long}", 1, "`long`\n\na choice: twelve pieces", "long: {text"),
    ],
)
def test_names__of_the_extended_file(
    server: Client, house: Path, words: str, skip: int, says: str, declared: str
) -> None:
    server.change(house, f"{HOUSE}\n")
    answer = server.at("hover", house, *at(HOUSE, words, skip))
    assert answer is not None and answer["contents"]["value"].startswith(says)
    place = server.at("definition", house, *at(HOUSE, words, skip))
    line, column = at(GAME, declared)
    assert place["uri"] == (server.folder / "game.yaml").as_uri()
    assert place["range"]["start"] == {"line": line - 1, "character": column - 1}


def test_outline__goes_down_to_the_last_entry(server: Client, house: Path) -> None:
    server.change(house, HOUSE)
    found = server.ask("textDocument/documentSymbol", {"textDocument": {"uri": house.as_uri()}})

    def names(symbols: list[dict[str, Any]]) -> dict[str, Any]:
        return {symbol["name"]: names(symbol["children"]) for symbol in symbols}

    outline = names(found)
    assert outline["change"]["scoring"] == {"piece_worth": {}}
    assert outline["change"]["moves"] == {"take": {"needs": {"room": {}}}}
    assert outline["examples"] == {"two points": {}}
