"""Random, broken and hostile lines: each is answered, none ends the session, nothing is left behind.

The check sends a few hundred to the program, the soak run thousands.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.engine.session import REQUESTS
from tests.sizes import size
from tests.test_engine import BUFFERED, PROGRAM

ROOT = Path(__file__).parent.parent
LINES = size(400, 10_000)
BATCH = 50  # lines sent before answers are read: fewer than fill a pipe

SCALARS: list[Any] = [
    None, True, False, 0, 1, 2, 3, -1, 7, 99, 10**6, 2**31, 2**62, 2**63, 10**19,
    "", "x", "1", "red", "take 1 blue 1", "draw red", "roll 6", "chance", "\ud800", "\u0000", "é", "🙂", "a" * 3000,
    "../../etc/passwd", "/nowhere/file", "greedy", "random", "search:0.01", "search:x", "grey", "with",
]  # fmt: skip
FIELDS = ["id", "do", "players", "options", "seed", "first", "detail", "from", "limit", "move", "to", "agreed", "player",
          "viewer", "bot", "games", "record", "s", "c", "t", "value", "nonsense"]  # fmt: skip


class Fuzzer:
    """Lines from a seed: some that a program would send, some nearly so, some garbage."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.moves = ["take 1 blue 1"]  # what was possible at some time

    def lines(self) -> Iterator[bytes]:
        makers = (
            [self.sensible] * 6 + [self.nearly] * 4 + [self.mangled] * 3 + [self.garbage, self.deep, self.huge_number]
        )
        while True:
            yield self.rng.choice(makers)()

    def value(self, depth: int = 0) -> Any:
        r = self.rng.random()
        if depth > 2 or r < 0.75:
            return self.rng.choice(SCALARS) if self.rng.random() < 0.8 else self.rng.choice(self.moves)
        if r < 0.87:
            return [self.value(depth + 1) for _ in range(self.rng.randrange(4))]
        return {self.rng.choice(FIELDS): self.value(depth + 1) for _ in range(self.rng.randrange(4))}

    def sensible(self) -> bytes:
        rng = self.rng
        move = rng.choice(self.moves)
        request: dict[str, Any] = rng.choice(
            [
                {"do": "new", "seed": rng.randrange(10**6)},
                {"do": "new", "seed": None, "players": rng.randrange(1, 6)},
                {"do": "new", "options": {"jokers": rng.choice(["with", "without"])}, "first": rng.randrange(1, 4)},
                *[{"do": "moves", "limit": rng.randrange(30)}] * 4,
                {"do": "moves", "detail": True, "from": rng.randrange(50), "limit": 5},
                *[{"do": "play", "move": move}] * 8,
                {
                    "do": "play",
                    "move": {"move": "take", "s": rng.randrange(1, 7), "c": "blue", "t": rng.randrange(1, 6)},
                },
                {"do": "why", "move": move},
                *[{"do": "undo", "agreed": True}] * 3,
                {"do": "undo", "to": rng.randrange(40)},
                {"do": "view", "player": rng.choice([None, 1, 2])},
                {"do": "decisions", "viewer": rng.choice([None, 1, 2]), "from": rng.randrange(60)},
                {"do": "simulate", "games": rng.randrange(1, 4)},
                {"do": "hint", "bot": rng.choice(["random", "search:0.01"])},
                *({"do": do} for do in ("state", "ledger", "chances", "save", "rules")),
            ]
        )
        return json.dumps({"id": rng.choice([1, "a", None]), **request}).encode()

    def nearly(self) -> bytes:
        do = self.rng.choice([*(set(REQUESTS) - {"quit", "save"}), "stat", "", "new "])
        fields = {self.rng.choice(FIELDS): self.value() for _ in range(self.rng.randrange(4))}
        return json.dumps({**fields, "do": do if self.rng.random() < 0.95 else self.value()}).encode()

    def mangled(self) -> bytes:
        line = bytearray(self.sensible())
        for _ in range(self.rng.randrange(1, 4)):
            at = self.rng.randrange(len(line))
            what = self.rng.randrange(4)
            if what == 0:
                line[at] = self.rng.randrange(256)
            elif what == 1:
                del line[at]
            elif what == 2:
                line[at:at] = bytes([self.rng.randrange(256)])
            else:
                line = line[:at] + line[: self.rng.randrange(40)]
            if not line:
                break
        return bytes(line).replace(b"\n", b" ").replace(b"quit", b"quiz")

    def garbage(self) -> bytes:
        return self.rng.randbytes(self.rng.randrange(300)).replace(b"\n", b"")

    def deep(self) -> bytes:
        opener = self.rng.choice([b"[", b'{"a":', b'{"do":[', b'"\\"'])
        return opener * self.rng.choice([10, 50, 5000, 60_000])

    def huge_number(self) -> bytes:
        number = self.rng.choice([b"9" * 6000, b"-" + b"9" * 30, b"1e400", b"NaN", b"Infinity", b"0.1", b"1E5", b"01"])
        return b'{"id": 1, "do": "new", "seed": ' + number + b"}"


def memory(pid: int) -> int:
    """Return how much memory a process has now, in bytes."""
    return 1024 * int(re.findall(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())[0])


def handles(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="this machine does not tell what a process holds")
@pytest.mark.timeout(1800)
@pytest.mark.sized
def test_fuzz__every_line_is_answered_and_nothing_grows(tmp_path: Path) -> None:
    environment = {**BUFFERED, "RULESPEC_NATIVE": "0"}
    engine = subprocess.Popen(
        [*PROGRAM, "base"],
        env=environment,
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert engine.stdin and engine.stdout and engine.stderr
    fuzzer, codes, sent, kept = Fuzzer(1), Counter[str](), 0, list[tuple[int, int]]()
    lines = fuzzer.lines()
    while sent < LINES:
        for line in [next(lines) for _ in range(BATCH)]:
            engine.stdin.write(line + b"\n")
            engine.stdin.flush()
            answer = json.loads(engine.stdout.readline())
            assert set(answer) in ({"id", "ok"}, {"id", "error"}), line
            codes[answer["error"]["code"] if "error" in answer else "ok"] += 1
            assert codes["internal"] == 0, (line, answer)
            if "count" in (ok := answer.get("ok") or {}):
                fuzzer.moves = [m if isinstance(m, str) else m["notation"] for m in ok["moves"]] or fuzzer.moves
        sent += BATCH
        kept.append((memory(engine.pid), handles(engine.pid)))
    engine.stdin.write(b'{"id": "end", "do": "quit"}\n')
    engine.stdin.close()
    assert json.loads(engine.stdout.read()) == {"id": "end", "ok": {}}
    assert (engine.wait(20), engine.stderr.read()) == (0, b"")
    print(
        f"{sent} lines: {dict(codes.most_common())}; memory and handles {kept[0]}, {kept[len(kept) // 2]}, {kept[-1]}"
    )
    assert codes["ok"] > sent // 5 and len(codes) >= 10  # it played, and most things went wrong somehow
    assert kept[-1][1] == kept[0][1]
    half = max(m for m, _ in kept[: len(kept) // 2])
    assert max(m for m, _ in kept) < half + 20_000_000
    assert not list(tmp_path.iterdir())


def test_fuzz__is_the_same_from_the_same_seed() -> None:
    one, other = Fuzzer(3).lines(), Fuzzer(3).lines()
    assert [next(one) for _ in range(200)] == [next(other) for _ in range(200)]
    assert all(b"\n" not in next(one) for _ in range(500))
    assert sys.getrecursionlimit() < 5000  # deep lines are deeper
