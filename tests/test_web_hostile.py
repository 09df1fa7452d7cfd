"""Messages that nobody should send: each is answered, and nobody's game is touched."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from referee.web import browser as browser_module
from referee.web.questions import FIELDS
from tests.sizes import size
from tests.web import SOCKET, Browser, Data, joined, made, server

WRONG: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    3,
    99,
    2**70,
    "",
    "x",
    "x" * 600,
    [],
    [[]],
    {},
    {"a": 1},
    "\ud800",
    "<script>",
    "'; drop table lines;",
)
KNOWN: tuple[Any, ...] = (1, 2, 0, "classics/nim", "human", "search:9999", "take 1 1", "lay crown", ["k" * 22], True)


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setattr(browser_module, "AT_ONCE", 1e9)  # how fast they come is another test
    with server(tmp_path) as found:
        yield found


def messages(luck: random.Random, table: Data, version: int) -> Iterator[str]:
    """Yield messages of every kind, most of them wrong in some way; none has a right key, seat and version together."""
    while True:
        do = luck.choice([*FIELDS, "jump", None, 7])
        fields: dict[str, Any] = {}
        for name in FIELDS.get(do, {}) if isinstance(do, str) else ():
            if luck.random() < 0.9:
                fields[name] = luck.choice([*WRONG, *KNOWN])
        if luck.random() < 0.5 and "version" in fields:
            fields["version"] = version + luck.choice([-1, 0, 1])
        if luck.random() < 0.5 and "seat" in fields:
            fields["seat"] = 2  # the other one's
        if luck.random() < 0.1:
            fields[luck.choice(["extra", "id", "do", "__class__"])] = luck.choice(WRONG)
        text = json.dumps({"do": do, **fields})
        kind = luck.random()
        if kind < 0.05:
            text = text[: luck.randrange(len(text) + 1)]
        elif kind < 0.1:
            text = luck.choice(
                ["", "[]", "null", "7", "{" * 500, "[" * 50_000, '{"do":"ping","do":"play"}', "\x00", "NaN"]
            )
        elif kind < 0.12:
            text = json.dumps({"do": "name", "id": 1, "seat": 2, "name": "x" * 200_000})
        yield text


def attack(client: TestClient, table: Data, source: Iterator[str], messages: int, inside: bool) -> int:
    """Send messages on one socket, of somebody outside or of an onlooker; return how many were sent before it was closed."""
    with client.websocket_connect(SOCKET) as socket:
        attacker = Browser(socket)
        if inside:
            attacker.ask("join", table=table["table"], keys=[table["onlooker"]])
            attacker.until("whole")
        for number in range(messages):
            text = next(source).replace('"do"', f'"id": {number + 1000}, "do"', 1)
            socket.send_text(text)
            socket.send_text(json.dumps({"do": "ping", "id": 10**9 + number}))
            answers = []
            while (message := attacker.hear()).get("re") != 10**9 + number and message.get("tell") != "bye":
                if "re" in message:
                    answers.append(message)
            assert answers or message.get("tell") == "bye", text[:200]
            assert all(answer.get("error", {}).get("code") != "internal" for answer in answers), text[:200]
            if message.get("tell") == "bye":
                return number + 1
    return messages


@pytest.mark.sized
def test_hostile__messages_are_answered_and_touch_nobody(client: TestClient) -> None:
    luck = random.Random(3)
    table = made(client, game="classics/tictactoe")
    other = made(client, game="classics/tictactoe")
    with joined(client, table, 2) as victim, joined(client, other, 1) as elsewhere:
        before = {key: victim.state[key] for key in ("made", "seats", "scene", "scores")}
        source = messages(luck, table, victim.version)
        sent, wanted = 0, size(300, 5000)
        while sent < wanted:
            sent += attack(client, table, source, 50, inside=luck.random() < 0.7)
        victim.ask("whole")
        victim.until("whole")
        assert {key: victim.state[key] for key in before} == before
        assert victim.state["made"] == 0
        assert [message for message in elsewhere.heard if message.get("tell") == "change"] == []
        with joined(client, table, 1) as one:
            assert "ok" in one.play(1)


@pytest.mark.sized
def test_hostile__requests_are_answered(client: TestClient) -> None:
    luck = random.Random(4)
    keys = (
        "game",
        "rules",
        "record",
        "house",
        "players",
        "options",
        "seats",
        "first",
        "chance",
        "files",
        "text",
        "line",
    )
    for _ in range(size(150, 2000)):
        body: Data = {key: luck.choice([*WRONG, *KNOWN]) for key in luck.sample(keys, luck.randrange(1, 5))}
        what = luck.choice(
            ["tables", "qr", "workshop/check", "workshop/hover", "workshop/replay", "workshop/x", "nothing"]
        )
        response = client.post(f"/api/{what}", content=json.dumps(body), headers={"content-type": "application/json"})
        assert response.status_code in (200, 201, 400, 404, 405, 503), (what, body, response.text)
        assert response.status_code != 500
