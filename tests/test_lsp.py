"""`rulespec lsp`, spoken to through its protocol: mistakes as one types, what names mean, where they are, how to go on."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from referee.lsp.analysis import analyse, extended_file, find_name, key_at
from referee.lsp.below import named_entry
from referee.lsp.completion import suggestions
from referee.lsp.folding import folds
from referee.lsp.lenses import lenses
from referee.lsp.pool import Pool, _Worker
from referee.lsp.quick_fixes import quick_fixes
from referee.lsp.sections import sections
from referee.lsp.signatures import call_at
from referee.lsp.spots import keys_beside, path_at, spot_at
from referee.lsp.tokens import tokens
from referee.lsp.uses import target_at, uses
from referee.lsp.worker import LATER
from rulespec.files.sources import Disk
from tests.awaited import awaited
from tests.lsp_client import PATIENCE, Client, at, started
from tests.small import small_game

GAME = small_game("shelves")
HOUSE = """\
rulespec: 1
extends: game.yaml
game: Take two
change:
  define:
    some: count(pot) > 1
  moves:
    take:
      needs:
        enough:
          that: some and not full(me, r)
          else: there are too few
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rules")
    (folder / "game.yaml").write_text(GAME, encoding="utf-8")
    (folder / "house.yaml").write_text(HOUSE, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Client]:
    client = started(folder)
    yield client
    assert client.stop() == 0


@pytest.fixture
def game(server: Client, folder: Path) -> Iterator[Path]:
    path = folder / "game.yaml"
    assert server.open(path) == []
    yield path
    server.close(path)


@pytest.fixture
def house(server: Client, folder: Path) -> Iterator[Path]:
    path = folder / "house.yaml"
    assert server.open(path) == []
    yield path
    server.close(path)


def told(diagnostics: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [
        (d["range"]["start"]["line"] + 1, d["range"]["start"]["character"] + 1, d["severity"], d["code"], d["message"])
        for d in diagnostics
    ]


# Mistakes -------------------------------------------------------------------------------------------------


def test_diagnostics__come_and_go_as_one_types(server: Client, game: Path) -> None:
    found = server.change(game, GAME.replace("that: c in pot", "that: c in pto"))
    assert [t[:4] for t in told(found)] == [(33, 20, 1, "name-unknown")]
    assert found[0]["range"]["end"] == {"line": 32, "character": 22}
    assert (
        found[0]["message"].startswith("no name called `pto`") and "\nfix: did you mean `pot`?" in found[0]["message"]
    )
    assert found[0]["source"] == "rulespec"
    assert server.change(game, GAME) == []


def test_diagnostics__of_a_text_that_is_no_yaml(server: Client, game: Path) -> None:
    found = server.change(game, GAME.replace("{red: 1, blue: 2}", "{red: 1, blue: 2"))
    assert [t[3] for t in told(found)] == ["yaml-syntax"]
    # what was known of the names before is still known
    assert "a pile of red, blue" in hover(server, game, GAME, "pot}")


def test_diagnostics__all_at_once_and_of_all_options(server: Client, game: Path) -> None:
    options = (
        "options:\n  size:\n    usual: {text: usual}\n    more: {text: more, change: {pieces: {colour: 9 in pt}}}\n"
    )
    found = server.change(game, GAME.replace("count(", "cont(").replace("from pot to", "from pots to") + options)
    assert len(found) >= 1
    found = server.change(game, GAME + options)
    assert [t[3] for t in told(found)] == ["name-unknown"]


def test_diagnostics__warnings_are_warnings(server: Client, game: Path) -> None:
    found = server.change(game, GAME.replace("variables:\n", "variables:\n  idle: 0..3\n"))
    assert [t[2:4] for t in told(found)] == [(2, "name-unused")]


def test_diagnostics__columns_count_as_editors_do(server: Client, game: Path) -> None:
    found = server.change(game, GAME.replace("else: row {r} is full", "else: 😀 row {q} is full"))
    line, column = at(GAME, "row {r} is full", 5)
    assert [t[:2] for t in told(found)] == [(line, column + 3)]  # the picture is two units wide, and a blank


def test_diagnostics__wait_for_a_pause(server: Client, game: Path) -> None:
    uri = game.as_uri()
    before = server.times[uri]
    for n in range(8):
        params = {"uri": uri, "version": 100 + n}
        text = GAME.replace("that: c in pot", f"that: c in pot{n}")
        server.tell("textDocument/didChange", {"textDocument": params, "contentChanges": [{"text": text}]})
        time.sleep(0.02)
    server._versions[uri] = 200
    found = server.change(game, GAME.replace("that: c in pot", "that: c in pott"))
    assert server.times[uri] == before + 1
    assert "`pott`" in found[0]["message"]


def test_diagnostics__of_an_extended_file_stand_at_extends(server: Client, folder: Path) -> None:
    (folder / "broken.yaml").write_text(GAME.replace("that: c in pot", "that: c in pto"), encoding="utf-8")
    path = folder / "on_broken.yaml"
    (found,) = server.open(path, "rulespec: 1\nextends: broken.yaml\ngame: A\n")
    assert (found["range"]["start"], found["code"]) == ({"line": 1, "character": 9}, "name-unknown")
    assert "broken.yaml:33:20: no name called `pto`" in found["message"]
    (related,) = [r for r in found["relatedInformation"] if "no name" in r["message"]]
    assert related["location"]["uri"] == (folder / "broken.yaml").as_uri()
    assert related["location"]["range"]["start"] == {"line": 32, "character": 19}
    server.close(path)


def test_diagnostics__follow_what_is_typed_in_the_file_below(server: Client, game: Path, house: Path) -> None:
    before = server.times[house.as_uri()]
    server.change(game, GAME.replace("  full(player p, row r)", "  filled(player p, row r)"))
    server.wait(lambda: server.times[house.as_uri()] > before, "diagnostics of the house rule")
    assert any(d["code"] == "name-unknown" for d in server.published[house.as_uri()])


def test_diagnostics__go_when_the_document_is_closed(server: Client, folder: Path) -> None:
    path = folder / "bad.yaml"
    assert server.open(path, "rulespec: 1\n") != []
    server.close(path)
    assert server.published[path.as_uri()] == []


# Names ----------------------------------------------------------------------------------------------------


def hover(server: Client, path: Path, text: str, words: str, skip: int = 0) -> str:
    answer = server.at("hover", path, *at(text, words, skip))
    return str(answer["contents"]["value"]) if answer else ""


@pytest.mark.parametrize(
    ("words", "skip", "says"),
    [
        ("pot to shelf", 1, "`pot`\n\na place: a pile of red, blue\n\ndeclared at `"),
        ("shelf[me, r]\n", 1, "`shelf[player, row]`\n\na place: a stack of red, blue, room for 3"),
        ("turn to next", 1, "`turn`\n\na variable: a player"),
        ("score[me]\n", 1, "`score[player]`\n\na variable: a number 0..99"),
        ("colour, r: row}", 1, "`colour`\n\na set: red, blue"),
        ("red: 1", 1, "`red`\n\na member of `colour`"),
        ("worth[k]", 1, "`worth[colour]`\n\na table: a number 1..2"),
        ("full(me", 1, "`full(player p, row r)`\n\na function: yes or no"),
        ("take\n      - do", 1, "`take`\n\na move"),
        ("pass_on\nsteps", 1, "`pass_on`\n\na named step"),
        ("piece_worth(c)", 1, "`piece_worth(colour k)`\n\na scoring rule"),
        ("free(shelf[p", 1, "`free(place)`\n\na built-in: how many more pieces fit"),
        ("any(free", 1, "`any(… for x in …)`\n\na built-in that gathers: whether the condition holds"),
        ("r]) = 0", 0, "`r`\n\na parameter: a row"),
        ("c in pot", 0, "`c`\n\nwhat the player chooses: colour"),
        ("x]) > 0", 0, "`x`\n\na local name: row"),
        ("me, r]\n", 1, "`me`\n\na player: the player who decides"),
        ("winner:", 2, "Who wins: reason → expression about `me`."),
        ("room: 3", 1, "The most pieces it holds"),
    ],
)
def test_hover__tells_what_it_is(server: Client, game: Path, words: str, skip: int, says: str) -> None:
    assert hover(server, game, GAME, words, skip).startswith(says)


def test_hover__says_nothing_of_other_words(server: Client, game: Path) -> None:
    assert hover(server, game, GAME, "Take\n", 1) == ""


@pytest.mark.parametrize(
    ("words", "skip", "declared"),
    [
        ("pot to shelf", 1, "pot: {pile"),
        ("red: 1", 1, "red, blue]"),
        ("r]) = 0", 0, "r): free"),
        ("pass_on\nsteps", 1, "pass_on:\n"),
    ],
)
def test_definition__in_the_same_file(server: Client, game: Path, words: str, skip: int, declared: str) -> None:
    answer = server.at("definition", game, *at(GAME, words, skip))
    line, column = at(GAME, declared)
    assert answer["uri"] == game.as_uri()
    assert answer["range"]["start"] == {"line": line - 1, "character": column - 1}


def test_definition__through_extends(server: Client, house: Path) -> None:
    answer = server.at("definition", house, *at(HOUSE, "full(me", 1))
    line, column = at(GAME, "full(player p")
    assert answer["uri"] == (house.parent / "game.yaml").as_uri()
    assert answer["range"]["start"] == {"line": line - 1, "character": column - 1}
    own = server.at("definition", house, *at(HOUSE, "some and", 1))
    assert (own["uri"], own["range"]["start"]["line"]) == (house.as_uri(), 5)


def test_definition__of_the_extended_file_itself(server: Client, house: Path) -> None:
    answer = server.at("definition", house, *at(HOUSE, "game.yaml", 2))
    assert answer["uri"] == (house.parent / "game.yaml").as_uri()


def test_hover__in_a_file_whose_shape_is_wrong(server: Client, folder: Path) -> None:
    path, text = folder / "shape.yaml", GAME.replace("room: 3}", "rom: 3}")
    assert [d["code"] for d in server.open(path, text)] == ["shape-unknown-key"]
    assert hover(server, path, text, "pot to shelf", 1).startswith("`pot`\n\na place\n\ndeclared at")
    server.close(path)


@pytest.mark.parametrize("seed", range(40))
def test_any_text__is_answered(seed: int) -> None:
    """Whatever is on the screen while one types, no question about it fails."""
    rng, path = random.Random(seed), Path("typing.yaml").absolute()
    lines = GAME.splitlines()
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(lines))
        cut = lines[at][: rng.randint(0, len(lines[at]))]
        lines[at] = rng.choice(
            [cut, "", f"  {lines[at]}", lines[at][2:], f"{lines[at].split(':')[0]}: {rng.choice(WRONG)}"]
        )
    found = analyse(path, Disk({path: "\n".join(lines)}))
    for line, text in enumerate(lines, 1):
        column = rng.randint(1, len(text) + 1)
        suggestions(found, line, column)
        find_name(found, line, column)
        key_at(found, line, column)
        extended_file(found, line, column)
        named_entry(found, line, column)
        call_at(found, line, column)
        if place := target_at(found, line, column):
            assert found.tree is not None and place[1] in {use.span for use in uses(found.tree, place[0])}
    sections(found)
    lenses(found)
    folds(found.tree, lines)
    list(quick_fixes(found))
    spans = [token.span for token in tokens(found)]
    assert all((a.line, a.end_col) <= (b.line, b.col) for a, b in pairwise(spans))


def test_suggestions__in_an_example_are_decisions_and_looks() -> None:
    path = Path("typing.yaml").absolute()
    text = GAME + "examples:\n  one:\n    play:\n      - "
    found = analyse(path, Disk({path: text}))
    lines = text.splitlines()
    labels = [s.label for s in suggestions(found, len(lines), len(lines[-1]) + 1)]
    assert labels == ["take", "draw", "roll", "offered", "refused", "expect"]


WRONG = ("[]", "{}", "~", "1", "[a]", "{a: 1}", '"x"', "true", "|")


# Going on -------------------------------------------------------------------------------------------------


def offered(server: Client, path: Path, old: str, new: str, text: str = GAME) -> dict[str, dict[str, Any]]:
    """Return what is offered where `|` stands in the new words."""
    changed = text.replace(old, new, 1)
    place = at(changed, "|")
    server.change(path, changed.replace("|", "", 1))
    return {item["label"]: item for item in server.at("completion", path, *place)["items"]}


def test_completion__of_names_in_an_expression(server: Client, game: Path) -> None:
    found = offered(server, game, "that: c in pot", "that: |")
    assert {
        "c",
        "r",
        "pot",
        "shelf",
        "turn",
        "colour",
        "red",
        "worth",
        "full",
        "count",
        "sum",
        "me",
        "not",
    } <= found.keys()
    assert not {"take", "pass_on", "piece_worth"} & found.keys()
    assert found["count"]["detail"] == "count(place, kinds)"
    assert found["full"]["detail"] == "full(player p, row r)"
    assert "how many pieces lie" in found["count"]["documentation"]["value"]
    assert min(found.values(), key=lambda item: item["sortText"])["label"] in ("c", "r")


@pytest.mark.parametrize(
    ("old", "new", "some", "not_there"),
    [
        ("to: take", "to: |", {"take"}, {"pot", "pass_on"}),
        ("- do pass_on", "- do |", {"pass_on"}, {"take", "pot"}),
        ("- score piece_worth(c) for me", "- score |", {"piece_worth"}, {"pot"}),
        ("- do pass_on", "- |", {"if", "while", "for each", "ask", "move", "draw", "set", "score"}, {"pot"}),
        ("from pot to shelf[me, r]", "from |", {"pot", "shelf"}, {"take"}),
        ("define:\n", "define:\n|", {"setup", "options", "view"}, {"choose"}),
        ("    does:\n", "    |\n    does:\n", {"like", "beside", "see"}, {"play", "pot", "choose"}),
        ("{stack: colour, room: 3}", "\n    stack: colour\n    |", {"room", "ways", "seen by"}, {"take"}),
        ("game: Take", "game: |", set(), {"pot"}),
        ("winner:", "view:\n  layout:\n    pot:\n      |\nwinner:", {"row", "ring", "shape", "tint"}, {"pot", "face"}),
        ("winner:", "view:\n  pieces:\n    colour:\n      |\nwinner:", {"face", "shape"}, {"pot", "ring"}),
    ],
)
def test_completion__fits_the_place(
    server: Client, game: Path, old: str, new: str, some: set[str], not_there: set[str]
) -> None:
    found = offered(server, game, old, new)
    assert some <= found.keys()
    assert not not_there & found.keys()


def test_completion__in_a_house_rule(server: Client, house: Path) -> None:
    assert {"pot", "full", "some", "shelf"} <= offered(server, house, "some and", "|some and", HOUSE).keys()
    assert {"base", "duel"} <= offered(server, house, "extends: game.yaml", "extends: |", HOUSE).keys()
    sections = offered(server, house, "  define:\n", "  |\n  define:\n", HOUSE).keys()
    assert {"places", "scoring"} <= sections and not {"moves", "define"} & sections  # those are there already


def test_completion__of_steps_that_a_house_rule_names(server: Client, house: Path) -> None:
    found = offered(server, house, "  define:\n", "  play:\n    before:\n      |\n  define:\n", HOUSE)
    assert {"while not empty(pot)", "ask turn to take", "do pass_on"} == found.keys()
    found = offered(server, house, "  define:\n", "  play:\n    |\n  define:\n", HOUSE)
    assert {"add", "before", "instead of", "while not empty(pot)", "ask turn to take"} <= found.keys()
    assert "do pass_on" not in found
    inside = "  play:\n    while not empty(pot):\n      |\n  define:\n"
    assert {"while", "do"} <= offered(server, house, "  define:\n", inside, HOUSE).keys()


def test_path__of_an_unfinished_line() -> None:
    lines = ["play:", "  - while: x", "    do:", "      - ask: turn", "        ", "moves:", "  take:", "    "]
    assert path_at(lines, 5, 9) == ("play", "-", "do", "-")
    assert path_at(lines, 8, 5) == ("moves", "take")
    assert path_at(lines, 4, 9) == ("play", "-", "do", "-")
    assert path_at(lines, 3, 5) == ("play", "-")
    assert path_at(lines, 8, 1) == ()


@pytest.mark.parametrize(
    ("line", "path", "before", "is_value"),
    [
        ("  take: {needs: {remove: [a, b", ("moves", "take", "needs", "remove", "-"), "b", True),
        ("  take: {needs: {room", ("moves", "take", "needs"), "room", False),
        ('  take: {text: "a, {b", does: [x', ("moves", "take", "does", "-"), "x", True),
        ("  take: {text: a, see: ", ("moves", "take", "see"), "", True),
        ("  take(row r): {text", ("moves", "take(row r)"), "text", False),
        ("  take: a in [b", ("moves", "take"), "a in [b", True),
    ],
)
def test_spot__inside_brackets(line: str, path: tuple[str, ...], before: str, is_value: bool) -> None:
    found = spot_at(["moves:", line], 2, len(line) + 1)
    assert (found.path, found.before, found.is_value) == (path, before, is_value)


@pytest.mark.parametrize(
    ("lines", "keys"),
    [
        (("moves:", "  take:", "    text: a", "    |", "    needs: [b]", "  pass:"), {"text", "needs"}),
        (("take:", "", "# d: 1", "  |ne", "  does:", "    - if: x", "      then: y", "  like: z"), {"does", "like"}),
        (("play:", "  - if: a", "    then:", "      - b", "    |", "  - while: c", "    do: d"), {"if", "then"}),
        (("play:", "  - if: a", "  - |", "    do: d", "  - ask: e"), {"do"}),
        (("|", "  sets: {}", "game: a"), {"game"}),
        (("take: {text: a}", "pass:", '"line[1]": 2', "|"), {"take", "pass", "line[1]"}),
    ],
)
def test_spot__keys_beside_it(lines: tuple[str, ...], keys: set[str]) -> None:
    line = next(n for n, text in enumerate(lines, 1) if "|" in text)
    column = lines[line - 1].index("|") + 1
    assert keys_beside([text.replace("|", "") for text in lines], line, column) == keys


# The rest of the protocol ---------------------------------------------------------------------------------


def test_symbols__are_sections_and_entries(server: Client, game: Path) -> None:
    found = server.ask("textDocument/documentSymbol", {"textDocument": {"uri": game.as_uri()}})
    names = {symbol["name"]: [child["name"] for child in symbol["children"]] for symbol in found}
    assert list(names)[:4] == ["rulespec", "game", "players", "sets"]
    assert names["places"] == ["pot", "shelf[player, row]"]


def test_formatting__is_that_of_fmt(server: Client, game: Path) -> None:
    server.change(game, GAME.replace("  colour: [red, blue]", "  colour:   [ red,blue ]"))
    options = {"tabSize": 2, "insertSpaces": True}
    (edit,) = server.ask("textDocument/formatting", {"textDocument": {"uri": game.as_uri()}, "options": options})
    assert "  colour: [red, blue]\n" in edit["newText"]
    server.change(game, "a: [")
    assert server.ask("textDocument/formatting", {"textDocument": {"uri": game.as_uri()}, "options": options}) is None


def test_shipped__file_opens_without_a_complaint(server: Client) -> None:
    path = Path(__file__).parent.parent / "games" / "base.yaml"
    assert server.open(path) == []
    server.close(path)


def test_command__without_the_package_says_how_to_get_it() -> None:
    code = "import sys; sys.modules['pygls'] = None; from referee.cli import main; main(['lsp'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.endswith("which is not installed: pip install 'rulespec[lsp]'\n")
    assert "Traceback" not in done.stderr


# Slow documents -------------------------------------------------------------------------------------------

ROOT = Path(__file__).parent.parent
FOR_EVER = f"{GAME}# for ever\n"


def slow_server(folder: Path, seconds: float) -> Client:
    """Return a server whose checks may take so long, and take for ever where the document says so."""
    script = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from tests.slow_lsp import main; main({seconds}, 2)"
    return Client([sys.executable, "-c", script], folder)


def tell_open(server: Client, path: Path, text: str) -> None:
    """Opens a document without waiting for what comes."""
    server._versions[path.as_uri()] = 1
    document = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": text}
    server.tell("textDocument/didOpen", {"textDocument": document})


@pytest.fixture
def patient(folder: Path) -> Iterator[Client]:
    """Return one that gives up no check within any time of a test."""
    client = slow_server(folder, 600)
    yield client
    assert client.stop() == 0  # whatever is still being checked


def test_slow__keeps_no_other_document_waiting(patient: Client, folder: Path) -> None:
    slow = folder / "slow.yaml"
    tell_open(patient, slow, FOR_EVER)
    game = folder / "game.yaml"
    assert patient.open(game) == []
    assert [t[3] for t in told(patient.change(game, GAME.replace("in pot\n", "in pto\n", 1)))] == ["name-unknown"]
    assert hover(patient, game, GAME, "pot to shelf", 1).startswith("`pot`")
    found = patient.ask("textDocument/documentSymbol", {"textDocument": {"uri": slow.as_uri()}})
    assert [symbol["name"] for symbol in found][:3] == ["rulespec", "game", "players"]
    assert slow.as_uri() not in patient.published


def test_slow__keeps_nobody_waiting_who_asks(patient: Client, folder: Path) -> None:
    game = folder / "game.yaml"
    assert patient.open(game) == []
    for number in range(2):  # as many as there are processes
        tell_open(patient, folder / f"slow{number}.yaml", FOR_EVER)
    time.sleep(0.3)
    assert hover(patient, game, GAME, "pot to shelf", 1).startswith("`pot`")
    assert patient.at("completion", game, *at(GAME, "pot to shelf"))["items"] != []
    document = {"textDocument": {"uri": game.as_uri()}, "options": {"tabSize": 2, "insertSpaces": True}}
    assert patient.ask("textDocument/formatting", document) is not None
    line, column = at(GAME, "pot to shelf")
    place = {"textDocument": document["textDocument"], "position": {"line": line - 1, "character": column - 1}}
    assert patient.ask("textDocument/rename", {**place, "newName": "heap"})["changes"] != {}


@pytest.mark.soak
def test_slow__a_newer_version_ends_the_check_of_the_older(patient: Client, folder: Path) -> None:
    path = folder / "slow.yaml"
    for _ in range(3):  # more than there are processes
        tell_open(patient, path, FOR_EVER)
        time.sleep(0.1)
        assert patient.change(path, GAME) == []
        patient.close(path)


def test_slow__the_server_ends_while_documents_wait(patient: Client, folder: Path) -> None:
    for number in range(4):  # more than there are processes
        tell_open(patient, folder / f"slow{number}.yaml", FOR_EVER)
    assert patient.open(folder / "compose.yaml", "services: {}\n") == []  # it has begun; then the fixture stops it


def test_slow__a_check_beyond_its_time_is_given_up_and_says_so(folder: Path) -> None:
    server, path = slow_server(folder, 3), folder / "slow.yaml"
    (found,) = server.open(path, FOR_EVER)
    assert (found["code"], found["severity"]) == ("check-unfinished", 2)
    assert found["message"] == (
        "checking this document took more than 3 seconds and was stopped\n"
        "fix: `rulespec validate` checks it without this limit"
    )
    (found,) = server.change(path, f"{GAME}# ends\n")
    assert (found["code"], found["message"].split(";")[0]) == (
        "check-unfinished",
        "checking this document ended unexpectedly",
    )
    assert server.stop() == 0


def test_pool__ends_what_nobody_waits_for() -> None:
    async def cancelled() -> tuple[int, int, list[int | None]]:
        pool = Pool()
        try:
            before = await pool.run("a", os.getpid)
            processes = [worker.process for worker in pool._all]
            task = asyncio.ensure_future(pool.run("a", time.sleep, 600.0))
            await asyncio.sleep(0.2)
            task.cancel()
            await asyncio.wait([task])
            return before, await pool.run("a", os.getpid), [process.returncode for process in processes]
        finally:
            pool.close()

    before, after, codes = awaited(cancelled())
    assert before != after
    assert codes == [-signal.SIGKILL]


def test_pool__a_process_that_finishes_soon_is_kept() -> None:
    async def cancelled() -> tuple[int, int]:
        pool = Pool()
        try:
            before = await pool.run("a", os.getpid)
            task = asyncio.ensure_future(pool.run("a", time.sleep, 0.1))
            await asyncio.sleep(0.05)
            task.cancel()
            await asyncio.wait([task])
            return before, await pool.run("a", os.getpid)
        finally:
            pool.close()

    before, after = awaited(cancelled())
    assert before == after


def test_worker__at_work_for_nobody_ends_by_itself() -> None:
    """Its server was killed, and a check that never ends would go on for ever."""
    worker = _Worker.start()
    worker.send((1, "time", "sleep", [600], 0.5 - LATER))
    assert worker.process.wait(PATIENCE) == 1


def test_address__that_is_written_with_escapes(server: Client, folder: Path) -> None:
    path = folder / "two words.yaml"
    assert path.as_uri().endswith("two%20words.yaml")
    assert server.open(path, GAME) == []
    assert server.at("hover", path, *at(GAME, "players")) is not None
    assert [d["code"] for d in server.change(path, GAME.replace("players:", "playerz:", 1))] != []
    server.close(path)


# No files -------------------------------------------------------------------------------------------------


def test_no_files__only_open_documents_and_shipped_games(folder: Path) -> None:
    server = started(folder, "--no-files")
    house, game = folder / "house.yaml", folder / "game.yaml"
    (found,) = server.open(house)  # the game is on disk
    assert found["code"] == "extends-missing"
    assert "no files are read here" in found["message"]
    assert server.at("definition", house, *at(HOUSE, "game.yaml", 2)) is None
    assert server.open(game) == []
    assert server.change(house, f"{HOUSE}\n") == []
    assert server.at("definition", house, *at(HOUSE, "game.yaml", 2))["uri"] == game.as_uri()
    assert server.open(folder / "own.yaml", "rulespec: 1\nextends: nim\ngame: Ours\n") == []
    assert server.stop() == 0
