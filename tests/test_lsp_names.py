"""`rulespec lsp` on names: where they are used, and how they are renamed in all files, or why not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.lsp import jobs
from referee.lsp.analysis import analyse
from referee.lsp.neighbours import RuleFile
from referee.lsp.rename import edits_of
from referee.lsp.uses import NamedThing, target_at, uses_everywhere
from referee.lsp.written import pieces, span_of, words_of
from rulespec.files.sources import DISK, shipped_games
from tests.lsp_client import Client, at, started
from tests.sizes import size
from tests.test_lsp_house import GAME, HOUSE

OTHER = "rulespec: 1\nextends: house.yaml\nchange:\n  define:\n    rich(player p): count(shelf[p]) > worth[red]\n"
TWO = """\
rulespec: 1
extends: game.yaml
change:
  moves:
    pinch: {like: take, text: "pinch {c}", choose: {c: [red]}}
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    folder = tmp_path_factory.mktemp("rules")
    for name, text in (("game", GAME), ("house", HOUSE), ("other", OTHER), ("two", TWO)):
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    (folder / "compose.yaml").write_text("services: {pot: {}}\n", encoding="utf-8")
    client = started(folder)
    assert client.open(folder / "game.yaml") == []
    yield client
    assert client.stop() == 0


def placed(server: Client, name: str, text: str, words: str, skip: int = 0) -> dict[str, Any]:
    line, column = at(text, words, skip)
    uri = (server.folder / name).as_uri()
    return {"textDocument": {"uri": uri}, "position": {"line": line - 1, "character": column - 1}}


def applied(server: Client, edit: dict[str, Any]) -> dict[str, str]:
    """Return the texts of the files after an edit, by their names."""
    found = {}
    for uri, edits in edit["changes"].items():
        path = Path(uri.removeprefix("file://"))
        lines = path.read_text(encoding="utf-8").split("\n")
        for one in sorted(edits, key=lambda e: (e["range"]["start"]["line"], -e["range"]["start"]["character"])):
            start, end = one["range"]["start"], one["range"]["end"]
            line = lines[start["line"]]
            lines[start["line"]] = line[: start["character"]] + one["newText"] + line[end["character"] :]
        found[path.name] = "\n".join(lines)
    return found


def renamed(server: Client, words: str, new: str, skip: int = 0) -> dict[str, str]:
    place = placed(server, "game.yaml", GAME, words, skip)
    return applied(server, server.ask("textDocument/rename", {**place, "newName": new}))


def words_at(server: Client, locations: list[dict[str, Any]]) -> list[tuple[str, int]]:
    return [(loc["uri"].rpartition("/")[2], loc["range"]["start"]["line"] + 1) for loc in locations]


def test_references__in_all_files_that_build_on_each_other(server: Client) -> None:
    place = placed(server, "game.yaml", GAME, "worth[colour]", 1)
    found = server.ask("textDocument/references", {**place, "context": {"includeDeclaration": True}})
    expected = [("game.yaml", n) for n, line in enumerate(GAME.split("\n"), 1) if "worth[" in line]
    assert words_at(server, found)[:2] == expected
    assert set(words_at(server, found)[2:]) == {("house.yaml", 6), ("house.yaml", 15), ("other.yaml", 5)}
    fewer = server.ask("textDocument/references", {**place, "context": {"includeDeclaration": False}})
    assert expected[0] not in words_at(server, fewer) and len(fewer) == len(found) - 2


def test_highlights__know_what_is_declared(server: Client) -> None:
    found = server.ask("textDocument/documentHighlight", placed(server, "game.yaml", GAME, "r]) = 0"))
    assert [(h["range"]["start"]["line"] + 1, h["kind"]) for h in found] == [(17, 3), (17, 2)]
    assert server.ask("textDocument/documentHighlight", placed(server, "game.yaml", GAME, "Take")) is None
    assert server.ask("textDocument/documentHighlight", placed(server, "game.yaml", GAME, "players:")) is None


def test_rename__of_a_place_changes_examples_too(server: Client) -> None:
    found = renamed(server, "pot to shelf", "bowl", 1)
    assert found["game.yaml"] == GAME.replace("pot", "bowl")
    assert found["house.yaml"] == HOUSE.replace("{pot:", "{bowl:")
    assert found.keys() == {"game.yaml", "house.yaml"}


def test_rename__of_a_member_in_moves_that_are_written_down(server: Client) -> None:
    found = renamed(server, "red, blue]", "green", 1)
    assert found["house.yaml"] == HOUSE.replace("red", "green")
    assert found["other.yaml"] == OTHER.replace("[red]", "[green]")
    assert found["two.yaml"] == TWO.replace("[red]", "[green]")


def test_rename__of_a_choice_in_moves_that_are_like_it(server: Client) -> None:
    found = renamed(server, "c: colour", "kind")
    assert "choose: {kind: colour, r: row}" in found["game.yaml"] and "take {kind} to" in found["game.yaml"]
    assert "full(player p, row r)" in found["game.yaml"]
    assert found["two.yaml"] == TWO.replace("{c}", "{kind}").replace("{c:", "{kind:")


def test_rename__of_a_parameter_and_a_local_name_stays_in_its_entry(server: Client) -> None:
    found = renamed(server, "r]) = 0", "line")
    assert found["game.yaml"] == GAME.replace("row r): free(shelf[p, r])", "row line): free(shelf[p, line])")
    found = renamed(server, "x in row", "other")
    assert found["game.yaml"] == GAME.replace("shelf[me, x]", "shelf[me, other]").replace("x in row", "other in row")


def test_rename__of_an_option_and_a_choice(server: Client) -> None:
    found = renamed(server, "length:", "size_of_game", 1)
    assert found["house.yaml"] == HOUSE.replace("{length:", "{size_of_game:")
    found = renamed(server, "long: {text", "many", 1)
    assert found["house.yaml"] == HOUSE.replace(": long}", ": many}")


@pytest.mark.parametrize(
    ("words", "new", "reason"),
    [
        ("pot to shelf", "shelf", "`shelf` is used at "),
        (
            "pot to shelf",
            "Pot",
            "expected a name of small letters, digits and `_` that begins with a letter, found `Pot`",
        ),
        ("pot to shelf", "my pot", "expected a name of small letters"),
        ("pot to shelf", "none", "`none` is a word of the language"),
        ("c: colour", "r", "`r` is used at "),
        ("c: colour", "pot", "`pot` is used at "),
        ("Take", "taking", "there is no name here that can be renamed"),
        ("text: take", "words", "there is no name here that can be renamed"),
    ],
)
def test_rename__is_refused_before_anything_is_changed(server: Client, words: str, new: str, reason: str) -> None:
    place = placed(server, "game.yaml", GAME, words)
    assert server.refusal("textDocument/rename", {**place, "newName": new}).startswith(reason)


def test_rename__of_what_a_shipped_file_declares_is_refused(server: Client) -> None:
    path, text = server.folder / "mine.yaml", "rulespec: 1\nextends: nim\nchange:\n  winner: {last: score[me]}\n"
    text = "rulespec: 1\nextends: nim\nchange:\n  moves:\n    take:\n      see: mine\n"
    server.open(path, text)
    place = placed(server, "mine.yaml", text, "take", 1)
    reason = server.refusal("textDocument/prepareRename", place)
    assert reason.endswith(
        "comes with the program and is not changed; copy the game to a file of your own with `rulespec show`"
    )
    assert server.refusal("textDocument/rename", {**place, "newName": "grab"}) == reason
    server.close(path)


def test_rename__begins_with_the_whole_word(server: Client) -> None:
    found = server.ask("textDocument/prepareRename", placed(server, "game.yaml", GAME, "shelf[me, r]\n", 2))
    line, column = at(GAME, "shelf[me, r]\n")
    assert found["start"] == {"line": line - 1, "character": column - 1}
    assert found["end"] == {"line": line - 1, "character": column + 4}


def test_no_files__renames_in_open_documents_only(tmp_path: Path) -> None:
    for name, text in (("game", GAME), ("house", HOUSE), ("other", OTHER)):
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    server = started(tmp_path, "--no-files")
    server.open_all([tmp_path / "game.yaml", tmp_path / "house.yaml"])
    assert renamed(server, "worth[colour]", "value").keys() == {"game.yaml", "house.yaml"}
    assert server.stop() == 0


@pytest.mark.sized
@pytest.mark.parametrize("name", ["kuhn", *(["briscola", "reversi", "base", "duel"] if size(0, 1) else [])])
def test_rename__of_any_name_keeps_the_rules_good(name: str) -> None:
    """Every name, choice, parameter and local name of a game, one at a time."""
    source = next(path for game, path in shipped_games().items() if game.split("/")[-1] == name)
    path, text = Path(f"/renamed/{name}.yaml"), source.read_text(encoding="utf-8")
    found = analyse(path, DISK.having({path: text}))
    assert found.tree is not None and not found.diagnostics
    known = {path: RuleFile(path, text, found.tree, ())}
    spans = [span_of(piece, word) for piece in pieces(found.tree) for word in words_of(piece)]
    targets: dict[NamedThing, None] = {}
    for span in spans:
        if place := target_at(found, span.line, span.col):
            targets[place[0]] = None
    assert len(targets) > 10
    for target in targets:
        if target == NamedThing("name", "score"):  # the language knows it by this name
            continue
        edits = edits_of(target, f"{target.name}_x", uses_everywhere(target, path, known), known)
        assert jobs.errors(str(path), jobs.files_data(DISK.having(edits.texts))) == [], target
