"""What the tests of the server share: plain scenes, a shelf in memory, tables, a server in this process, its messages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from interpreter import Game, State
from referee.record.lines import read_record
from referee.web import workbench
from referee.web.app import create_app
from referee.web.guard import HostNames
from referee.web.hall import Hall, Limits
from referee.web.messages import Pictures
from referee.web.sitting import Guest, Sitting
from referee.web.store import TableStore

ORIGIN = "http://127.0.0.1:8000"
SOCKET = "ws://127.0.0.1:8000/socket"
Data = dict[str, Any]


def plain_scene(game: Game, state: State, viewer: int | None) -> Data:
    """Return what a viewer may see, and their moves, without any picture."""
    moves = []
    if viewer is not None and state.to_move == viewer:
        moves = [{"do": str(m), "text": [game.describe(state, m)], "touch": {}} for m in game.legal_moves(state)]
    return {**game.view(state, viewer), "you": viewer, "moves": moves}


def plain_change(before: Data, after: Data) -> Data:
    return {key: value for key, value in after.items() if before.get(key) != value}


PLAIN = Pictures(plain_scene, plain_change)


class MemoryShelf:
    """A shelf that keeps what was written, and can be told to fail."""

    def __init__(self) -> None:
        self.tables: dict[str, tuple[int, Data, str, list[str]]] = {}
        self.broken = False

    def create(self, ident: str, version: int, doc: Data, header: str, lines: list[str]) -> None:
        self.tables[ident] = (version, json.loads(json.dumps(doc)), header, lines)

    def append(self, ident: str, version: int, doc: Data, at: int, lines: list[str]) -> None:
        from referee.web.store import StoreError

        if self.broken:
            raise StoreError("the disk is full")
        _, _, header, before = self.tables[ident]
        assert at == len(before)
        self.tables[ident] = (version, json.loads(json.dumps(doc)), header, before + lines)

    def replace(self, ident: str, version: int, doc: Data, header: str, lines: list[str]) -> None:
        self.tables[ident] = (version, json.loads(json.dumps(doc)), header, lines)

    def loaded(self, ident: str) -> Sitting:
        """Return the table as another server would find it."""
        version, doc, header, lines = self.tables[ident]
        return Sitting.load(ident, self, version, doc, (header + "".join(lines)).encode())


def seated(shelf: MemoryShelf | None = None, **spec: Any) -> Sitting:
    """Return a new table of `game` or `rules`."""
    found = workbench.do("begin", spec)
    assert "error" not in found, found
    return Sitting.create("t", shelf or MemoryShelf(), read_record(found["record"].encode()))


def guest(sitting: Sitting, *seats: int, host: bool = False) -> Guest:
    """Return somebody with the keys of these seats."""
    keys = [sitting.keys.seats[seat - 1] for seat in seats]
    return sitting.admit(
        [*keys, *([sitting.keys.host] if host else []), *([] if seats or host else [sitting.keys.onlooker])]
    )


@contextmanager
def server(folder: Path, limits: Limits | None = None, drawing: Pictures = PLAIN) -> Iterator[TestClient]:
    """Serve in this process, without a network."""
    hall = Hall(TableStore(folder), drawing, limits)
    app = create_app(hall, HostNames.of(), (ORIGIN,))
    with TestClient(app, ORIGIN, headers={"origin": ORIGIN}) as client:
        client.hall = hall
        yield client


class Browser:
    """One socket of a browser, that keeps what it was told."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.heard: list[Data] = []
        self.version = 0
        self.state: Data = {}
        self._id = 0

    def hear(self) -> Data:
        """Return the next message, and take it in as a browser does."""
        message: Data = json.loads(self.socket.receive_text())
        self.heard.append(message)
        if message.get("tell") == "whole":
            self.version, self.state = message["version"], message
        elif message.get("tell") == "change" and message["from"] == self.version:
            self.version = message["version"]
            scene = {**self.state["scene"], **(message["change"] or {})}
            self.state = {**self.state, **message, "scene": scene}
        return message

    def ask(self, do: str, **fields: Any) -> Data:
        """Ask something, and return the answer: `ok` or `error`."""
        self._id += 1
        self.socket.send_text(json.dumps({"do": do, "id": self._id, **fields}))
        return self.answer(self._id)

    def answer(self, id: int | None) -> Data:
        while True:
            message = self.hear()
            if "re" in message and message["re"] == id:
                return message

    def closed(self) -> int:
        """Hear the rest, and return the code with which the server closed."""
        try:
            while True:
                self.hear()
        except WebSocketDisconnect as end:
            return end.code

    def until(self, tell: str) -> Data:
        while (message := self.hear()).get("tell") != tell:
            pass
        return message

    def until_version(self, version: int) -> None:
        while self.version < version:
            self.hear()

    def play(self, seat: int, move: str | None = None) -> Data:
        """Play a move, or the first legal one."""
        chosen = move if move is not None else self.state["scene"]["moves"][0]["do"]
        found = self.ask("play", version=self.version, seat=seat, move=chosen)
        if "ok" in found:
            self.until_version(found["ok"]["version"])
        return found


@contextmanager
def joined(client: TestClient, table: Data, *seats: int, host: bool = False, **more: Any) -> Iterator[Browser]:
    """Connect a browser with the keys of these seats, or an onlooker's."""
    keys = [table["seats"][seat - 1]["key"] for seat in seats]
    keys += [table["host"]] if host else []
    with client.websocket_connect(SOCKET, subprotocols=["rulespec.1"]) as socket:
        browser = Browser(socket)
        found = browser.ask("join", table=table["table"], keys=keys or [table["onlooker"]], **more)
        assert "ok" in found, found
        if not found["ok"]["same"]:
            browser.until("whole")
        yield browser


def made(client: TestClient, **spec: Any) -> Data:
    """Make a table, and return its keys."""
    response = client.post("/api/tables", json=spec)
    assert response.status_code == 201, response.text
    found: Data = response.json()
    return found
