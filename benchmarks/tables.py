"""`python -m benchmarks.tables`: many tables with several browsers each, a move a second at each table, and a kill.

    --tables N --clients N --seconds S --game NAME --kill-after S

Prints the share of moves that all browsers of the table saw within 200 ms, the memory of the server, and what was lost.
The browsers run in this process, and take their share of the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

SOON = 0.2  # seconds
Data = dict[str, Any]


@dataclass
class Seen:
    """The measurements of one run."""

    delays: list[float] = field(default_factory=list)
    moves: int = 0
    refused: int = 0
    lost: int = 0


@dataclass(eq=False)
class LoadedTable:
    """One table, its browsers, and what was acknowledged."""

    keys: Data
    clients: int
    luck: random.Random
    acknowledged: int = 0
    versions: list[int] = field(default_factory=list)
    states: list[Data] = field(default_factory=list)
    sockets: list[ClientConnection] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def join(self, address: str) -> None:
        """Connect all browsers: one for each seat, the others look on."""
        self.versions, self.states, self.sockets = [], [], []
        for number in range(self.clients):
            seats = self.keys["seats"]
            key = seats[number]["key"] if number < len(seats) else self.keys["onlooker"]
            socket = await connect(f"{address.replace('http', 'ws')}/socket", max_size=None, ping_interval=None)
            self.sockets.append(socket)
            self.versions.append(0)
            self.states.append({})
            await socket.send(json.dumps({"do": "join", "id": 1, "table": self.keys["table"], "keys": [key]}))
            while not self.versions[number]:
                self.take(number, json.loads(await socket.recv()))

    def take(self, number: int, message: Data) -> Data:
        """Take a message in as a browser does."""
        tell = message.get("tell")
        if tell == "whole" or (tell == "change" and message["from"] == self.versions[number]):
            self.versions[number] = message["version"]
            scene = message["scene"] if tell == "whole" else message["change"] or {}
            known = self.states[number]
            self.states[number] = {"to_move": message["to_move"], "moves": scene.get("moves", known.get("moves", []))}
            self.changed.set()
        return message

    async def listen(self, number: int, answers: asyncio.Queue[Data]) -> None:
        async for text in self.sockets[number]:
            message = self.take(number, json.loads(text))
            if "re" in message:
                answers.put_nowait(message)

    async def play(self, end: float, seen: Seen) -> None:
        """Make a move a second until the end, or until the game is over."""
        queues: list[asyncio.Queue[Data]] = [asyncio.Queue() for _ in self.sockets]
        listening = [asyncio.create_task(self.listen(n, queues[n])) for n in range(len(self.sockets))]
        try:
            await asyncio.sleep(self.luck.random())
            number = 1
            while time.monotonic() < end:
                begin = time.monotonic()
                state = self.states[0]
                seat = state["to_move"]
                if not seat:
                    return
                number += 1
                version = self.versions[seat - 1]
                move = self.luck.choice(self.states[seat - 1]["moves"])["do"]
                request = {"do": "play", "id": number, "version": version, "seat": seat, "move": move}
                await self.sockets[seat - 1].send(json.dumps(request))
                answer = await asyncio.wait_for(queues[seat - 1].get(), 60)
                if "ok" not in answer:
                    seen.refused += 1
                else:
                    self.acknowledged = answer["ok"]["version"]
                    while min(self.versions) < self.acknowledged:
                        self.changed.clear()
                        await asyncio.wait_for(self.changed.wait(), 60)
                    seen.moves += 1
                    seen.delays.append(time.monotonic() - begin)
                await asyncio.sleep(max(0.0, 1 - (time.monotonic() - begin)))
        finally:
            for task in listening:
                task.cancel()
            await asyncio.gather(*listening, return_exceptions=True)


def start(folder: Path) -> tuple[subprocess.Popen[str], str]:
    words = [sys.executable, "-m", "rulespec", "serve", "--port", "0", "--data", str(folder)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    line = process.stdout.readline()
    return process, line.split()[-1].replace("localhost", "127.0.0.1")


def memory(process: subprocess.Popen[str]) -> int:
    """Return the memory of a process in kB."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")))


def busy(process: subprocess.Popen[str]) -> float:
    """Return the seconds that a process has computed."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def create(address: str, game: str, players: int) -> Data:
    body = json.dumps({"game": game, "players": players}).encode()
    request = urllib.request.Request(f"{address}/api/tables", body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=120) as answer:
        found: Data = json.load(answer)
        return found


async def measure(options: argparse.Namespace, folder: Path) -> None:
    process, address = start(folder)
    try:
        empty = memory(process)
        made = time.monotonic()
        players = min(options.clients, options.players)
        tables = [
            LoadedTable(create(address, options.game, players), options.clients, random.Random(n))
            for n in range(options.tables)
        ]
        print(f"{options.tables} tables made in {time.monotonic() - made:.1f} s", flush=True)
        for table in tables:
            await table.join(address)
        seen = Seen()
        computed, end = busy(process), time.monotonic() + options.seconds
        await asyncio.gather(*(table.play(end, seen) for table in tables))
        report(seen, options)
        each_move = (busy(process) - computed) / max(1, seen.moves)
        print(f"the server computed {each_move * 1000:.1f} ms for each move and all who look at it", flush=True)
        each = (memory(process) - empty) / options.tables
        print(f"memory: {empty // 1024} MB empty, {each:.0f} kB for each table with its browsers", flush=True)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process, address = start(folder)
        again = time.monotonic()
        for table in tables:
            await table.join(address)
        lost = sum(min(table.versions) < table.acknowledged for table in tables)
        print(
            f"killed and started again: all reconnected after {time.monotonic() - again:.1f} s, {lost} tables lost a move"
        )
        after = Seen()
        end = time.monotonic() + min(10.0, options.seconds)
        await asyncio.gather(*(table.play(end, after) for table in tables))
        print(f"and went on: {after.moves} moves, {after.refused} refused")
        for table in tables:
            for socket in table.sockets:
                await socket.close()
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()


def report(seen: Seen, options: argparse.Namespace) -> None:
    delays = sorted(seen.delays)
    if not delays:
        print("no moves")
        return
    soon = sum(delay <= SOON for delay in delays) / len(delays)
    middle, most = delays[len(delays) // 2], delays[int(len(delays) * 0.99)]
    print(
        f"{seen.moves} moves in {options.seconds:g} s, {seen.refused} refused; seen by all within {SOON * 1000:.0f} ms: {soon:.1%}; "
        f"median {middle * 1000:.0f} ms, 99 % within {most * 1000:.0f} ms",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--game", default="base")
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(parser.parse_args(), Path(folder)))


if __name__ == "__main__":
    main()
