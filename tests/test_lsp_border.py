"""`rulespec lsp` and a client that means no good: what it reads, and what it answers to what makes no sense."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from lsprotocol import types as lsp

from referee.lsp import checking, neighbours, offsets, texts
from referee.lsp.neighbours import FileReading, RuleFile, all_known
from referee.lsp.pool import Pool
from referee.lsp.server import create_server
from rulespec import Disk, Files, NoDisk, Span, nodes, read_source
from tests.lsp_client import started
from tests.small import small_game

GAME = small_game("shelves")
PLACE = {"line": 0, "character": 0}
BEGIN = {"id": 0, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}}
ABOUT_PLACES = ("hover", "definition", "documentHighlight", "signatureHelp", "completion")
QUESTIONS: dict[str, dict[str, Any]] = {
    **{name: {"position": PLACE} for name in ABOUT_PLACES},
    "references": {"position": PLACE, "context": {"includeDeclaration": True}},
    "codeAction": {"range": {"start": PLACE, "end": {"line": 99, "character": 0}}, "context": {"diagnostics": []}},
    "formatting": {"options": {"tabSize": 2, "insertSpaces": True}},
    **{name: {} for name in ("documentSymbol", "foldingRange", "codeLens", "semanticTokens/full")},
}
EMPTY: tuple[Any, ...] = (None, [], {"data": []}, {"isIncomplete": False, "items": []})


class Written:
    """Keeps what the server writes."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []

    def write(self, data: bytes) -> None:
        self.messages.append(json.loads(data))

    def close(self) -> None:
        """Do nothing: there is no stream."""


def told(files: Files, *messages: Any) -> list[dict[str, Any]]:
    """Return all that a server says to some messages, in this process; it has a request that fails by our own fault."""
    written = Written()

    async def fault(params: Any) -> None:
        raise LookupError(f"secrets of {__file__}")

    async def talk() -> None:
        server = create_server(files, Pool())
        server.feature("test/fault")(fault)
        server.protocol.set_writer(written, include_headers=False)
        for message in messages:
            whole = {"jsonrpc": "2.0", **message} if isinstance(message, dict) else message
            read = json.loads(json.dumps(whole), object_hook=server.protocol.structure_message)
            server.protocol.handle_message(read)
        await asyncio.gather(*(asyncio.all_tasks() - {asyncio.current_task()}), return_exceptions=True)
        await asyncio.sleep(0)  # for the callbacks that answer

    asyncio.run(talk())
    return written.messages


# Documents that are not open ------------------------------------------------------------------------------


@pytest.mark.parametrize("files", [Disk(), NoDisk()], ids=["disk", "no-files"])
def test_not_open__is_not_read(files: Files, tmp_path: Path) -> None:
    path = tmp_path / "secret.yaml"
    path.write_text(GAME.replace("\n  ", "\n     "), encoding="utf-8")
    document = {"textDocument": {"uri": path.as_uri()}}
    asked = [
        {"id": number, "method": f"textDocument/{name}", "params": {**document, **more}}
        for number, (name, more) in enumerate(QUESTIONS.items(), 1)
    ]
    answers = {answer["id"]: answer.get("result", answer.get("error")) for answer in told(files, BEGIN, *asked)}
    del answers[0]
    assert sorted(answers) == [one["id"] for one in asked]
    assert all(answer in EMPTY for answer in answers.values()), answers


@pytest.mark.parametrize("name", ["prepareRename", "rename"])
def test_not_open__is_not_renamed(name: str, tmp_path: Path) -> None:
    (tmp_path / "secret.yaml").write_text(GAME, encoding="utf-8")
    params = {"textDocument": {"uri": (tmp_path / "secret.yaml").as_uri()}, "position": PLACE, "newName": "x"}
    _, answer = told(Disk(), BEGIN, {"id": 1, "method": f"textDocument/{name}", "params": params})
    assert answer["error"]["message"] == texts.NOTHING_HERE


def test_not_open__nothing_asks_the_workspace() -> None:
    folder = Path(neighbours.__file__).parent
    assert [path.name for path in folder.glob("*.py") if "get_text_document" in path.read_text(encoding="utf-8")] == []


# Files on disk --------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in range(6):
        (tmp_path / f"r{number}.yaml").write_text(f"rulespec: 1\ngame: Game {number}\n", encoding="utf-8")
    return tmp_path


def reached(
    folder: Path, before: dict[Path, FileReading] | None = None, files: Files | None = None
) -> tuple[list[str], dict[Path, FileReading]]:
    found, readings = all_known(files or Disk(), [folder], before or {}, Event())
    return sorted(path.name for path in found), readings


@pytest.mark.parametrize(("limit", "number"), [("MOST_FILES", 3), ("MOST_CHARACTERS", 60), ("MOST_ENTRIES", 3)])
def test_reach__stops_at_the_limit_within_a_folder(
    limit: str, number: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(reached(folder)[0]) == 6
    monkeypatch.setattr(neighbours, limit, number)
    assert len(reached(folder)[0]) == 3


def test_reach__has_open_documents_whatever_is_on_disk(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "MOST_FILES", 2)
    opened = {Path(f"/open/{name}.yaml"): "rulespec: 1\ngame: Mine\n" for name in "abc"}
    assert reached(folder, files=Disk(opened))[0] == ["a.yaml", "b.yaml", "c.yaml", "r0.yaml", "r1.yaml"]


def test_reach__passes_over_what_is_no_ordinary_file(folder: Path) -> None:
    os.mkfifo(folder / "pipe.yaml")
    os.symlink(folder / "r0.yaml", folder / "link.yaml")
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "h.yaml").write_text("rulespec: 1\n", encoding="utf-8")
    (folder / "inner").mkdir()
    (folder / "inner" / "i.yaml").write_text("rulespec: 1\n", encoding="utf-8")
    assert reached(folder)[0] == ["i.yaml", *(f"r{number}.yaml" for number in range(6))]


def test_reach__reads_again_only_what_has_changed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names, readings = reached(folder)
    (folder / "r2.yaml").write_text("rulespec: 1\ngame: Another\n", encoding="utf-8")
    seen: list[str] = []

    def read(path: Path, text: str, *, by_sections: bool) -> nodes.Mapping | None:
        seen.append(path.name)
        return read_source(path, text, by_sections=by_sections)

    monkeypatch.setattr(neighbours, "read_source", read)
    assert reached(folder, readings)[0] == names
    assert seen == ["r2.yaml"]


def test_locations__read_each_file_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []

    def lines_of(path: Path, files: Files) -> list[str]:
        read.append(path)
        return ["rulespec: 1", "game: Game"]

    monkeypatch.setattr(offsets, "lines_of", lines_of)
    spans = [Span(str(folder / f"r{number % 2}.yaml"), 2, 1, 2, 5) for number in range(10)]
    found = offsets.locations_of(spans, Disk())
    assert [place.uri for place in found] == [Path(span.file).as_uri() for span in spans]
    assert read == [folder / "r0.yaml", folder / "r1.yaml"]


def test_reach__is_given_up_when_the_request_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, ended = Event(), list[bool]()

    def endless(
        files: Files, folders: list[Path], readings: dict[Path, FileReading], given_up: Event
    ) -> tuple[dict[Path, RuleFile], dict[Path, FileReading]]:
        begun.set()
        ended.append(given_up.wait(10))
        return {}, {}

    async def cancel() -> None:
        server = create_server(NoDisk(), Pool())
        server.protocol.set_writer(Written(), include_headers=False)
        server.protocol.handle_message({"jsonrpc": "2.0", **BEGIN})
        server.protocol.handle_message(
            {"jsonrpc": "2.0", "id": 1, "method": "workspace/symbol", "params": {"query": ""}}
        )
        await asyncio.to_thread(begun.wait, 10)
        server.protocol.handle_message({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 1}})

    monkeypatch.setattr(checking, "all_known", endless)
    asyncio.run(cancel())
    assert ended == [True]


# Messages that make no sense ------------------------------------------------------------------------------


def hover(line: object, number: object = 1) -> dict[str, Any]:
    place = {"line": line, "character": 0}
    return {
        "id": number,
        "method": "textDocument/hover",
        "params": {"textDocument": {"uri": "file:///x.yaml"}, "position": place},
    }


BAD = lsp.ErrorCodes.InvalidParams
NO_REQUEST = lsp.ErrorCodes.InvalidRequest


@pytest.mark.parametrize(
    ("message", "number", "code"),
    [
        (hover(-1), 1, BAD),
        (hover(2**31), 1, BAD),
        (hover("first"), 1, BAD),
        (hover(None, "a"), "a", BAD),
        ({"id": 1, "method": "textDocument/hover"}, 1, BAD),
        ({"id": 1, "method": "textDocument/hover", "params": [[{}]]}, 1, BAD),
        ({"id": 1, "method": "workspace/executeCommand", "params": {"command": "x"}}, 1, BAD),
        ({"id": 1, "method": "test/none"}, 1, lsp.ErrorCodes.MethodNotFound),
        ({"id": 1, "method": "test/fault"}, 1, lsp.ErrorCodes.InternalError),
        ({"id": 1, "method": {}}, 1, NO_REQUEST),
        ({"id": [], "method": "test/none"}, None, NO_REQUEST),
        ({"jsonrpc": "1.0", "id": 1, "method": "test/none"}, 1, NO_REQUEST),
        ({**BEGIN, "id": 1}, 1, NO_REQUEST),
        ([], None, NO_REQUEST),
    ],
)
def test_request__that_makes_no_sense_is_refused(message: Any, number: object, code: int) -> None:
    _, answer = told(NoDisk(), BEGIN, message)
    assert (answer.get("id"), answer["error"]["code"]) == (number, code)
    assert answer["error"].keys() == {"code", "message"}
    assert "secrets" not in answer["error"]["message"] and ".py" not in answer["error"]["message"]


def test_request__before_the_session_and_after_it() -> None:
    messages = (hover(0), BEGIN, hover(0, 2), {"id": 3, "method": "shutdown"}, hover(0, 4))
    answers = {one["id"]: one.get("error", {}).get("message") for one in told(NoDisk(), *messages)}
    # the second is cancelled, as the session ends before it is answered
    assert (answers[1], answers[0], answers[3], answers[4]) == (texts.NOT_BEGUN, None, None, texts.ENDED)
    assert 2 in answers


def test_notification__that_makes_no_sense_is_ignored() -> None:
    change = {"textDocument": {"uri": "file:///x.yaml", "version": 2}, "contentChanges": [{"text": "rulespec: 1"}]}
    notes = [
        {"method": "textDocument/didOpen", "params": {}},
        {"method": "textDocument/didChange", "params": change},  # it is not open
        {"method": "textDocument/didSave", "params": {"textDocument": {"uri": "file:///x.yaml"}}},
        {"method": {}},
    ]
    answers = told(NoDisk(), BEGIN, *notes, hover(0))
    assert [one.get("id") for one in answers] == [0, 1]


def test_message__that_is_no_json_is_refused(tmp_path: Path) -> None:
    server = started(tmp_path, "--no-files")
    assert server.process.stdin is not None
    for text in (b"{", b"\xff", b"[" * 100_000):
        server.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
    server.wait(lambda: len(server.unasked) == 3, "refusals")
    assert {answer["error"]["message"] for answer in server.unasked} == {texts.NO_JSON}
    assert server.stop() == 0
