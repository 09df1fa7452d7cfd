"""`python -m benchmarks.editor`: how long an editor waits for the language server, through the protocol.

    --times N

One keystroke in a step of the largest shipped game, alone and with ten house rules open beside it, and in a game that ten open house rules extend; the time
from the last keystroke to the first diagnostics of the new text, to all diagnostics of the document itself and of all that extend it,
and of the requests that editors send as one types. The pause that the server waits for more keystrokes is part of it. Beside it is
the processor time that the server and its processes took meanwhile, where the system tells (Linux): on a busy machine it
says more.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from math import ceil
from pathlib import Path

from rulespec import GAMES_FOLDER, shipped_games
from tests.lsp_client import Client, started

GOAL = 0.3  # seconds
MOST_HOUSES = 10
STEP = re.compile(r"^( +- (?:set|add|move|draw) .*?)\b(\d+)\b", re.MULTILINE)
MOST_OF_ALL = 0.95
REST = 0.5  # seconds between keystrokes, in which the server finishes what it does
PROCESSES = Path("/proc")


def largest() -> Path:
    """Return the longest shipped game."""
    return max(shipped_games().values(), key=lambda path: path.stat().st_size)


def most_extended() -> tuple[str, list[Path]]:
    """Return the game with the most shipped house rules, and the first ten of those."""
    houses: dict[str, list[Path]] = {}
    for path in (GAMES_FOLDER / "house").glob("*.yaml"):
        if found := re.search(r"^extends: (\w+)$", path.read_text(encoding="utf-8"), re.MULTILINE):
            houses.setdefault(found[1], []).append(path)
    base, paths = max(houses.items(), key=lambda item: len(item[1]))
    return base, sorted(paths)[:MOST_HOUSES]


def typed(text: str, number: int) -> str:
    """Return a text in which a number in a step is another one, and is never the same twice: so nothing is known of it."""
    step = STEP.search(text)
    assert step is not None
    return f"{text[: step.start(2)]}{number % 9 + 1}{' ' * (number // 9)}{text[step.end(2) :]}"


def processor_time(process: int) -> float:
    """Return the seconds that a process and its children have worked; 0 where the system does not tell."""
    ticks = 0
    for path in PROCESSES.glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = path.read_text().rpartition(")")[2].split()
            if str(process) in (path.parent.name, fields[1]):
                own, children = sum(map(int, fields[11:13])), sum(map(int, fields[13:15]))
                ticks += own + (children if path.parent.name == str(process) else 0)
    return ticks / os.sysconf("SC_CLK_TCK") if ticks else 0.0


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds of some measurements."""

    median: float
    most: float  # of 95 in 100
    longest: float
    worked: float  # processor time, the median
    hardest: float  # and its longest


def measured(client: Client, times: int, measure: Callable[[int], object]) -> Measured:
    """Return what some measurements took; the first ones are for warming up."""
    waited, worked = [], []
    for number in range(times + 2):
        time.sleep(REST)
        client.take_all()
        before, begun = processor_time(client.process.pid), time.perf_counter()
        measure(number)
        waited.append(time.perf_counter() - begun)
        worked.append(processor_time(client.process.pid) - before)
    waited, worked = sorted(waited[2:]), sorted(worked[2:])
    most = waited[ceil(MOST_OF_ALL * len(waited)) - 1]
    return Measured(statistics.median(waited), most, waited[-1], statistics.median(worked), worked[-1])


def asked(ask: Callable[[], object], _: int) -> None:
    ask()


def changed_all(client: Client, path: Path, text: str, others: list[Path]) -> None:
    """Change a document, and wait for the diagnostics of it and of others."""
    before = {other.as_uri(): client.times[other.as_uri()] for other in others}
    client.change(path, text)
    client.wait(lambda: all(client.times[uri] > n for uri, n in before.items()), "diagnostics of all")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=20, metavar="N")
    times = parser.parse_args().times
    rows: list[tuple[str, Measured]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        game = folder / largest().name
        text = largest().read_text(encoding="utf-8")
        client = started(folder)
        client.open(game, text)
        wait = partial(measured, client, times)
        keys = count()  # of all keystrokes, so that no two are the same
        first, whole = client.change_and_see, client.change
        rows.append((f"{game.stem}: a keystroke in a step", wait(lambda _: first(game, typed(text, next(keys))))))
        rows.append((f"{game.stem}: until all is said", wait(lambda _: whole(game, typed(text, next(keys))))))
        line = text[: text.index("- ")].count("\n") + 1
        for request in ("completion", "hover", "documentHighlight"):
            ask = partial(client.at, request, game, line, 12)
            rows.append((f"{game.stem}: {request}", wait(partial(asked, ask))))
        document = {"textDocument": {"uri": game.as_uri()}}
        for request in ("semanticTokens/full", "documentSymbol", "foldingRange"):
            ask = partial(client.ask, f"textDocument/{request}", document)
            rows.append((f"{game.stem}: {request}", wait(partial(asked, ask))))
        base, houses = most_extended()
        for house in houses:
            client.open(folder / house.name, house.read_text(encoding="utf-8"))
        beside = f"{game.stem} with {len(houses)} house rules open"
        rows.append((f"{beside}: a keystroke in a step", wait(lambda _: first(game, typed(text, next(keys))))))
        rows.append((f"{beside}: until all is said", wait(lambda _: whole(game, typed(text, next(keys))))))
        rows.append((f"{beside}: completion", wait(partial(asked, partial(client.at, "completion", game, line, 12)))))
        client.stop()

        below, under = folder / f"{base}.yaml", shipped_games()[base].read_text(encoding="utf-8")
        client = started(folder)
        below.write_text(under, encoding="utf-8")
        client.open(below)
        above = [folder / house.name for house in houses]
        for house, path in zip(houses, above, strict=True):
            own = house.read_text(encoding="utf-8").replace(f"extends: {base}\n", f"extends: {base}.yaml\n")
            client.open(path, own)
        many = f"{base} with {len(above)} house rules open"
        own = client.text_of(above[0])
        wait = partial(measured, client, times)
        first, whole = client.change_and_see, client.change
        rows.append((f"{many}: a keystroke in one", wait(lambda n: first(above[0], f"{own}# {'x' * n}\n"))))
        rows.append((f"{many}: a keystroke in it", wait(lambda _: first(below, typed(under, next(keys))))))
        every = wait(lambda _: changed_all(client, below, typed(under, next(keys)), above))
        rows.append((f"{many}: until all are checked", every))
        client.stop()
    width = max(len(what) for what, _ in rows)
    print(f"{times} times each; goal: {GOAL} s")
    print(f"{'':{width}}   median     95 %  longest  processor: median  longest")
    for what, row in rows:
        waited = f"{row.median:5.2f} s  {row.most:5.2f} s  {row.longest:5.2f} s"
        print(f"{what:{width}}  {waited}             {row.worked:5.2f} s  {row.hardest:5.2f} s")


if __name__ == "__main__":
    main()
