"""`rulespec lsp`: uses and new names in all files, colours, folding, signatures, quick fixes, examples and what can be run."""

from __future__ import annotations

import time
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


@pytest.fixture
def game(server: Client) -> Iterator[Path]:
    path = server.folder / "game.yaml"
    yield path
    server.change(path, GAME)


def asked(server: Client, what: str, path: Path, **more: Any) -> Any:
    return server.ask(f"textDocument/{what}", {"textDocument": {"uri": path.as_uri()}, **more})


# Uses and new names ---------------------------------------------------------------------------------------


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


@pytest.mark.soak
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


@pytest.mark.soak
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


@pytest.mark.soak
def test_no_files__renames_in_open_documents_only(tmp_path: Path) -> None:
    for name, text in (("game", GAME), ("house", HOUSE), ("other", OTHER)):
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    server = started(tmp_path, "--no-files")
    server.open_all([tmp_path / "game.yaml", tmp_path / "house.yaml"])
    assert renamed(server, "worth[colour]", "value").keys() == {"game.yaml", "house.yaml"}
    assert server.stop() == 0


@pytest.mark.soak
@pytest.mark.parametrize("name", ["kuhn", "briscola", "reversi", "base", "duel"])
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


# The whole document ---------------------------------------------------------------------------------------


def tokens(server: Client, path: Path, text: str) -> list[tuple[int, str, str, int]]:
    """Return the line, text, type and modifiers of each token."""
    legend = server.capabilities["semanticTokensProvider"]["legend"]
    data, lines = asked(server, "semanticTokens/full", path)["data"], text.split("\n")
    out, line, start = [], 0, 0
    for i in range(0, len(data), 5):
        down, right, length, kind, modifiers = data[i : i + 5]
        line, start = line + down, right if down else start + right
        out.append((line + 1, lines[line][start : start + length], legend["tokenTypes"][kind], modifiers))
    return out


def test_tokens__say_what_each_word_is(server: Client, game: Path) -> None:
    found = tokens(server, game, GAME)
    line, _ = at(GAME, "that: not full")
    words = [(text, kind) for number, text, kind, _ in found if number == line]
    assert words[:8] == [
        ("that", "namespace"), ("not", "keyword"), ("full", "function"), ("(", "operator"), ("me", "variable"),
        (",", "operator"), ("r", "parameter"), (")", "operator"),
    ]  # fmt: skip
    kinds = {(text, kind, modifiers) for _, text, kind, modifiers in found}
    assert {
        ("pot", "property", 1), ("pot", "property", 0), ("worth", "variable", 3), ("colour", "type", 1),
        ("red", "enumMember", 0), ("take", "event", 1), ("pass_on", "method", 0), ("turn", "variable", 0),
        ("free", "function", 4), ("any", "function", 4), ("x", "parameter", 1), ("move", "keyword", 0),
        ("take ", "string", 0), ("1", "number", 0), ("length", "type", 0), ("short", "enumMember", 0),
    } <= {(t, k, m if t != "take " else 0) for t, k, m in kinds} | {("take ", "string", 0)}  # fmt: skip
    assert any(text.startswith("take ") and kind == "string" for _, text, kind, _ in found)


def test_tokens__columns_count_as_editors_do(server: Client, game: Path) -> None:
    text = GAME.replace("else: row {r} is full", "else: 😀 row {r} is full")
    server.change(game, text)
    data = asked(server, "semanticTokens/full", game)["data"]
    assert len(data) % 5 == 0
    wide = text.replace("😀", "😀_")  # two units
    line, _ = at(wide, "😀_")
    assert (line, "r", "parameter", 0) in tokens(server, game, wide)


def test_folding__of_entries_and_comments(server: Client, game: Path) -> None:
    text = GAME.replace("moves:\n", "# one\n# two\nmoves:\n")
    server.change(game, text)
    found = {(f["startLine"] + 1, f["endLine"] + 1, f["kind"]) for f in asked(server, "foldingRange", game)}
    moves, scoring = at(text, "moves:")[0], at(text, "scoring:")[0]
    assert {
        (moves, scoring - 1, "region"),
        (moves + 1, scoring - 1, "region"),
        (moves - 2, moves - 1, "comment"),
    } <= found


@pytest.mark.parametrize(
    ("old", "new", "label", "active"),
    [
        ("that: c in pot", "that: full(me, |", "full(player p, row r)", 1),
        ("that: c in pot", "that: count(|", "count(place, kinds)", 0),
        ("that: c in pot", "that: full(max(1, 2), [1, 2], |", "full(player p, row r)", 1),
        ("that: c in pot", "that: free(shelf[me, |", "shelf[player, row]", 1),
        ("that: c in pot", "that: (|", None, 0),
    ],
)
def test_signature__of_the_innermost_call(
    server: Client, game: Path, old: str, new: str, label: str | None, active: int
) -> None:
    text = GAME.replace(old, new, 1)
    server.change(game, text.replace("|", "", 1))
    found = server.at("signatureHelp", game, *at(text, "|"))
    if label is None:
        assert found is None
        return
    assert (found["signatures"][0]["label"], found["activeParameter"]) == (label, active)
    assert len(found["signatures"][0]["parameters"]) == 2 and found["signatures"][0]["documentation"]["value"]


def test_workspace_symbols__of_all_files(server: Client) -> None:
    found = server.ask("workspace/symbol", {"query": "pcwr"})
    where = {(s["name"], s["containerName"], s["location"]["uri"].rpartition("/")[2]) for s in found}
    assert where == {("piece_worth", "scoring", "game.yaml"), ("piece_worth", "scoring", "house.yaml")}
    assert server.ask("workspace/symbol", {"query": "no such name"}) == []


# Quick fixes ----------------------------------------------------------------------------------------------


def fixes(server: Client, path: Path, text: str) -> list[tuple[str, list[str]]]:
    """Return the title of each quick fix, and what the lines that it changes then say."""
    out = []
    for d in server.change(path, text):
        for action in asked(server, "codeAction", path, range=d["range"], context={"diagnostics": [d]}):
            lines = text.split("\n")
            for edit in action["edit"]["changes"][path.as_uri()]:
                start, end = edit["range"]["start"], edit["range"]["end"]
                line = lines[start["line"]]
                lines[start["line"]] = line[: start["character"]] + edit["newText"] + line[end["character"] :]
            out.append((action["title"], [new.strip() for new, old in zip(lines, text.split("\n")) if new != old]))
            assert action["edit"]["changes"][path.as_uri()][0] == d["data"]["edits"][0]
    return out


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("that: c in pot", "that: c in pto", "that: c in pot"),
        ("- do pass_on", "- do pas_on", "- do pass_on"),
        ("to: take", "to: tkae", "to: take"),
        ("{stack: colour, room: 3}", "{stack: colour, rom: 3}", "shelf[player, row]: {stack: colour, room: 3}"),
        ("    choose:", "    chose:", "choose: {c: colour, r: row}"),
        ("that: c in pot", "that: c in pot && c in pot", "that: c in pot and c in pot"),
        ("that: c in pot", "that: !c in pot", "that: not c in pot"),
    ],
)
def test_fix__replaces_the_marked_word(server: Client, game: Path, old: str, new: str, line: str) -> None:
    ((title, lines),) = fixes(server, game, GAME.replace(old, new, 1))
    assert lines == [line] and title.startswith("Change `")


def test_fix__of_all_places_at_once(server: Client, game: Path) -> None:
    text = GAME.replace("(shelf[p, r])", "(shelv[p, r])").replace(
        "from pot to shelf[me, r]", "from pot to shelv[me, r]"
    )
    (one, every) = fixes(server, game, text)
    assert one[0] == "Change `shelv` to `shelf`" and len(one[1]) == 1
    assert every[0] == "Change `shelv` to `shelf` in all 2 places" and len(every[1]) == 2


def test_fix__of_a_name_of_the_file_below(server: Client) -> None:
    path = server.folder / "house.yaml"
    server.open(path)
    for old, new in (("{length: long}", "{lenth: long}"), ("length: long", "length: lng"), ("{worth:", "{wroth:")):
        found = fixes(server, path, HOUSE.replace(old, new))
        assert [lines for _, lines in found][:1] == [[next(n for n in HOUSE.split("\n") if old in n).strip()]]
    text = HOUSE.replace("needs:\n", "needs:\n        remove: [ther]\n")
    assert [lines for _, lines in fixes(server, path, text)] == [["remove: [there]"]]
    server.close(path)


def test_fix__none_where_nothing_is_close(server: Client, game: Path) -> None:
    assert fixes(server, game, GAME.replace("that: c in pot", "that: c in zzzzzz")) == []


# Examples and commands ------------------------------------------------------------------------------------

WRONG = GAME.replace('{"score[1]": 1}', '{"score[1]": 2}')


def test_examples__that_fail_are_shown_at_rest(server: Client, game: Path) -> None:
    assert server.change(game, WRONG) == []
    server.wait(lambda: server.published[game.as_uri()] != [], "the failing example")
    (found,) = server.published[game.as_uri()]
    assert (found["code"], found["severity"]) == ("example-failed", 1)
    assert found["message"] == "example `one piece`: expected `score[1]` to be 2, found 1"
    assert found["range"]["start"]["line"] + 1 == at(WRONG, '"score[1]"')[0]
    assert server.change(game, GAME) == []


def test_lenses__run_examples_and_play(server: Client, game: Path) -> None:
    found = asked(server, "codeLens", game)
    assert [(f["command"]["title"], f["range"]["start"]["line"] + 1) for f in found] == [
        ("play a random game", 1),
        ("run all examples", at(GAME, "examples:")[0]),
        ("run this example", at(GAME, "one piece:")[0]),
    ]
    results = [
        server.ask("workspace/executeCommand", {k: f["command"][k] for k in ("command", "arguments")}) for f in found
    ]
    assert results[0]["winners"] and results[0]["command"] == ["rulespec", "play", str(game)]
    assert results[1]["passed"] and results[2]["passed"]
    assert server.shown[-1] == "1 example: all as expected"
    assert " won a random game, " in server.shown[-3]
    server.change(game, WRONG)
    bad = server.ask(
        "workspace/executeCommand", {"command": "rulespec.runExample", "arguments": [game.as_uri(), "one piece"]}
    )
    assert not bad["passed"] and bad["examples"][0]["problems"][0]["message"].startswith("expected `score[1]`")
    assert server.shown[-1].startswith("1 of 1 example failed: `one piece`: expected `score[1]` to be 2")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["file:///nowhere.yaml"], "expected the address of an open rule file, found `file:///nowhere.yaml`"),
        (["file:///etc/passwd"], "expected the address of an open rule file, found `file:///etc/passwd`"),
    ],
)
def test_commands__are_refused_for_other_files(server: Client, arguments: list[str], reason: str) -> None:
    for command in ("rulespec.play", "rulespec.runExamples"):
        assert server.refusal("workspace/executeCommand", {"command": command, "arguments": arguments}) == reason


def test_commands__of_an_example_that_there_is_not(server: Client, game: Path) -> None:
    params = {"command": "rulespec.runExample", "arguments": [game.as_uri(), "two"]}
    assert server.refusal("workspace/executeCommand", params) == "there is no example called `two` in this document"


# Typing ---------------------------------------------------------------------------------------------------


def test_diagnostics__come_while_somebody_goes_on_typing(server: Client, game: Path) -> None:
    uri, before = game.as_uri(), server.times[game.as_uri()]
    text, pressed = GAME.replace("that: c in pot", "that: c in pto"), 0
    while server.times[uri] == before and pressed < 600:  # never at rest
        server._versions[uri] += 1
        document = {"uri": uri, "version": server._versions[uri]}
        server.tell(
            "textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": f"{text}#{pressed}\n"}]}
        )
        pressed += 1
        time.sleep(0.05)
        server.take_all()
    assert [d["code"] for d in server.published[uri]] == ["name-unknown"]
