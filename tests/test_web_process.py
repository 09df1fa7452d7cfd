"""The server as a process: killed in the middle of games it goes on with all of them; a port or folder in use is said clearly."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

from referee.record.lines import read_record
from referee.record.verdict import check_record
from tests.sizes import size

Data = dict[str, Any]
COMMAND = [sys.executable, "-m", "rulespec", "serve", "--port", "0", "--data"]


@contextmanager
def running(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a server on any free port; at the end it is killed by its id, as a crash would."""
    process = subprocess.Popen([*COMMAND, str(folder)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("serving at http://localhost:"), line
        yield process, line.split()[-1].replace("localhost", "127.0.0.1")
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def post(address: str, spec: Data) -> Data:
    request = urllib.request.Request(
        f"{address}/api/tables", json.dumps(spec).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        found: Data = json.load(answer)
        return found


class Player:
    """Somebody with all seats of a table on one socket."""

    def __init__(self, socket: ClientConnection, table: Data) -> None:
        self.socket = socket
        self.state: Data = {}
        self.acknowledged = 0
        self._id = 0
        self.ask("join", table=table["table"], keys=[seat["key"] for seat in table["seats"]])
        self.catch_up()

    def ask(self, do: str, **fields: Any) -> Data:
        self._id += 1
        self.socket.send(json.dumps({"do": do, "id": self._id, **fields}))
        while (message := json.loads(self.socket.recv(timeout=60))).get("re") != self._id:
            self.take(message)
        assert "ok" in message, message
        found: Data = message["ok"]
        return found

    def take(self, message: Data) -> None:
        if message.get("tell") == "whole":
            self.state = message

    def catch_up(self) -> None:
        """Look at the seat whose turn it is."""
        self.state = {}
        while not self.state:
            self.take(json.loads(self.socket.recv(timeout=60)))
        seat = self.state["to_move"]
        if seat and self.state["you"]["look"] != seat:
            self.ask("look", seat=seat)
            self.catch_up()

    def play(self) -> None:
        seat = self.state["to_move"]
        move = self.state["scene"]["moves"][0]["do"]
        found = self.ask("play", version=self.state["version"], seat=seat, move=move)
        self.acknowledged = found["version"]
        self.ask("whole")
        self.catch_up()


@pytest.mark.sized
def test_killed__goes_on_with_every_table(tmp_path: Path) -> None:
    tables: list[Data] = []
    told: list[Data] = []
    names = ["classics/tictactoe", "classics/briscola", "base"][: size(2, 3)] * size(1, 10)
    with running(tmp_path) as (_, address):
        for name in names:
            tables.append(post(address, {"game": name}))
            with connect(f"{address.replace('http', 'ws')}/socket") as socket:
                player = Player(socket, tables[-1])
                for _ in range(3):
                    player.play()
                told.append(player.state)
    for _ in range(size(1, 3)):  # killed, and killed again
        with running(tmp_path) as (_, address):
            for n, table in enumerate(tables):
                with connect(f"{address.replace('http', 'ws')}/socket") as socket:
                    player = Player(socket, table)
                    for key in ("version", "made", "to_move", "seats", "scores", "log", "scene"):
                        assert player.state[key] == told[n][key]
                    player.play()
                    told[n] = player.state


@pytest.mark.soak
def test_killed__the_record_is_whole_and_valid(tmp_path: Path) -> None:
    with running(tmp_path) as (_, address):
        table = post(address, {"game": "classics/tictactoe"})
        with connect(f"{address.replace('http', 'ws')}/socket") as socket:
            player = Player(socket, table)
            player.play()
            player.play()
    with running(tmp_path) as (_, address):
        keys = "+".join(seat["key"] for seat in table["seats"])
        request = urllib.request.Request(
            f"{address}/api/tables/{table['table']}/record?whole=yes", headers={"authorization": f"Bearer {keys}"}
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            data = answer.read()
    checked = check_record(read_record(data))
    assert checked.damage is None and checked.replayed == 2
    record = tmp_path / "evening.jsonl"
    record.write_bytes(data)
    for words in (["verify", str(record)], ["play", "--resume", str(record), "--seats", "random"]):
        done = subprocess.run([sys.executable, "-m", "rulespec", *words], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def test_a_port_or_folder_in_use__is_said(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        words = [sys.executable, "-m", "rulespec", "serve", "--port", port, "--data", str(tmp_path / "a")]
        done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 1
        assert f"port {port} is taken by another program" in done.stderr
    with running(tmp_path / "b"):
        words = [*COMMAND, str(tmp_path / "b")]
        done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 1
        assert "another server is using" in done.stderr
    (tmp_path / "file").write_text("")
    done = subprocess.run([*COMMAND, str(tmp_path / "file")], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1 and "cannot be opened" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM")
def test_asked_to_stop__it_stops(tmp_path: Path) -> None:
    with running(tmp_path) as (process, _):
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) in (0, -signal.SIGTERM)
