"""`python -m benchmarks.tables`: many tables with several browsers each, a move a second at each table, and a kill.

    --tables N --clients N --players N --seconds S --after S --game NAME

Plays for so many seconds; whoever comes to the end of a game makes a table for the next one and closes the old one. Then the
server is killed in the middle of it, without warning, and started again, and the browsers come back by themselves. Prints
how many moves were made, and the share that all browsers of the table saw within 200 ms, the work and the memory of the
server, and what was lost: a move that a browser was told of, and that is not there afterwards.
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
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, ConnectionClosedError

SOON = 0.2  # seconds
Data = dict[str, Any]
T = TypeVar("T")


@dataclass
class Seen:
    """The measurements of one run."""

    delays: list[float] = field(default_factory=list)
    moves: int = 0
    refused: int = 0
    begun: int = 0  # games after the first


class NotThere(Exception):
    """The server knows no such table."""


@dataclass(eq=False)
class LoadedTable:
    """One table after another, its browsers, and what they were told."""

    new: Callable[[], Data]  # makes a table and returns its keys
    keys: Data
    clients: int
    luck: random.Random
    acknowledged: int = 0
    due: float = 0.0  # when the next move is made
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
            socket = await connect(
                f"{address.replace('http', 'ws')}/socket", max_size=None, ping_interval=None, compression=None
            )
            self.sockets.append(socket)
            self.versions.append(0)
            self.states.append({})
            keys = [key] if number else [key, self.keys["host"]]
            await socket.send(json.dumps({"do": "join", "id": 1, "table": self.keys["table"], "keys": keys}))
            while not self.versions[number]:
                message = self.take(number, json.loads(await socket.recv()))
                if "error" in message:
                    raise NotThere(message["error"]["message"])

    async def begin_anew(self, address: str) -> None:
        """Make a table for the next game, go there with all browsers, and close the old one. Raises ConnectionClosed."""
        try:
            keys = await asyncio.to_thread(self.new)
        except OSError:  # the server was killed meanwhile: the old table is still there
            raise ConnectionClosedError(None, None) from None
        old, self.keys, self.acknowledged = self.sockets, keys, 0
        await self.join(address)
        await old[0].send(json.dumps({"do": "close", "id": 2}))
        while json.loads(await old[0].recv()).get("re") != 2:
            pass
        for socket in old:
            await socket.close()

    @property
    def seen(self) -> int:
        """The newest version that any browser was told of."""
        return max(self.acknowledged, *self.versions)

    @property
    def over(self) -> bool:
        return self.states[0]["to_move"] is None

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

    async def play(self, address: str, end: float, seen: Seen) -> None:
        """Make a move a second until the end, one game after another. Raises ConnectionClosed."""
        self.due = time.monotonic() + self.luck.random()
        while time.monotonic() < end:
            if self.over:
                await self.begin_anew(address)
                seen.begun += 1
            await self._play_game(end, seen)

    async def _play_game(self, end: float, seen: Seen) -> None:
        queues: list[asyncio.Queue[Data]] = [asyncio.Queue() for _ in self.sockets]
        listening = [asyncio.create_task(self.listen(n, queues[n])) for n in range(len(self.sockets))]
        playing = asyncio.create_task(self._make_moves(end, seen, queues))
        try:
            await asyncio.wait([playing, *listening], return_when=asyncio.FIRST_COMPLETED)
            if playing.done():
                playing.result()
            else:
                raise ConnectionClosedError(None, None)
        finally:
            for task in (playing, *listening):
                task.cancel()
            await asyncio.gather(playing, *listening, return_exceptions=True)

    async def _make_moves(self, end: float, seen: Seen, queues: list[asyncio.Queue[Data]]) -> None:
        number = 1
        while time.monotonic() < end and not self.over:
            await asyncio.sleep(max(0.0, self.due - time.monotonic()))
            begin = time.monotonic()
            if begin >= end:
                return
            self.due = max(self.due + 1, begin)  # a move that came late is not made up for
            seat = self.states[0]["to_move"]
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

    async def come_back(self, address: str) -> int:
        """Connect again, as often as it takes; return how many versions are gone that a browser was told of."""
        told = self.seen
        while True:
            try:
                await self.join(address)
                return max(0, told - min(self.versions))
            except NotThere:
                return told
            except (OSError, ConnectionClosed):
                await asyncio.sleep(0.2 + self.luck.random() / 2)


def start(folder: Path, port: int = 0) -> tuple[subprocess.Popen[str], str]:
    words = [sys.executable, "-m", "rulespec", "serve", "--port", str(port), "--data", str(folder)]
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
    """Make a table, and return its keys."""
    body = json.dumps({"game": game, "players": players}).encode()
    request = urllib.request.Request(f"{address}/api/tables", body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=120) as answer:
        found: Data = json.load(answer)
        return found


async def all_of(work: Iterable[Awaitable[T]], at_once: int = 16) -> list[T]:
    """Return what all give, so many at a time."""
    room = asyncio.Semaphore(at_once)

    async def one(waited: Awaitable[T]) -> T:
        async with room:
            return await waited

    return await asyncio.gather(*map(one, work))


async def measure(options: argparse.Namespace, folder: Path) -> None:
    process, address = start(folder)
    try:
        empty = memory(process)
        made = time.monotonic()
        new = partial(create, address, options.game, options.players)
        tables = [LoadedTable(new, new(), options.clients, random.Random(n)) for n in range(options.tables)]
        print(f"{options.tables} tables of {options.game} made in {time.monotonic() - made:.1f} s", flush=True)
        await all_of(table.join(address) for table in tables)
        await play(process, address, tables, options)
        each = (memory(process) - empty) / options.tables
        print(f"memory: {empty // 1024} MB empty, {each:.0f} kB for each table with its browsers", flush=True)
        process = await kill(process, address, tables, options, folder)
        for table in tables:
            for socket in table.sockets:
                await socket.close()
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()


async def play(
    process: subprocess.Popen[str], address: str, tables: list[LoadedTable], options: argparse.Namespace
) -> None:
    """Play, and say how quickly everybody saw the moves."""
    seen = Seen()
    own, computed, begun = time.process_time(), busy(process), time.monotonic()
    await asyncio.gather(*(table.play(address, begun + options.seconds, seen) for table in tables))
    wall = time.monotonic() - begun
    report(seen, options)
    computed = busy(process) - computed
    print(
        f"the server computed {computed / max(1, seen.moves) * 1000:.1f} ms for each move and all who look at it, "
        f"{computed / wall:.0%} of a processor; the browsers {(time.process_time() - own) / wall:.0%}",
        flush=True,
    )


async def kill(
    process: subprocess.Popen[str],
    address: str,
    tables: list[LoadedTable],
    options: argparse.Namespace,
    folder: Path,
) -> subprocess.Popen[str]:
    """Kill the server in the middle of play, start it again, and play on; return the new one."""
    last = Seen()
    going = [asyncio.create_task(table.play(address, time.monotonic() + 3600, last)) for table in tables]
    await asyncio.sleep(2.5)
    process.send_signal(signal.SIGKILL)
    process.wait()
    again = time.monotonic()
    await asyncio.gather(*going, return_exceptions=True)
    process, address = start(folder, int(address.rpartition(":")[2]))
    lost = await all_of(table.come_back(address) for table in tables)
    print(
        f"killed after {last.moves} more moves and started again: all browsers are back after "
        f"{time.monotonic() - again:.1f} s; {sum(map(bool, lost))} tables lost a move that somebody had seen",
        flush=True,
    )
    after, before = Seen(), [(table.keys, table.seen) for table in tables]
    end = time.monotonic() + options.after
    await asyncio.gather(*(table.play(address, end, after) for table in tables))
    gone_on = sum(table.keys is not keys or table.seen > was for table, (keys, was) in zip(tables, before, strict=True))
    print(f"{gone_on} of {len(tables)} tables went on: {after.moves} moves, {after.refused} refused")
    return process


def report(seen: Seen, options: argparse.Namespace) -> None:
    delays = sorted(seen.delays)
    if not delays:
        print("no moves")
        return
    soon = sum(delay <= SOON for delay in delays) / len(delays)
    middle, most = delays[len(delays) // 2], delays[int(len(delays) * 0.99)]
    print(
        f"{seen.moves} moves in {options.seconds:g} s, {seen.moves / options.seconds / options.tables:.2f} a second at each table, "
        f"{seen.refused} refused, {seen.begun} games begun anew; seen by all within {SOON * 1000:.0f} ms: {soon:.1%}; "
        f"median {middle * 1000:.0f} ms, 99 % within {most * 1000:.0f} ms",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--after", type=float, default=20, help="seconds to play after the kill")
    parser.add_argument("--game", default="base")
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(parser.parse_args(), Path(folder)))


if __name__ == "__main__":
    main()
