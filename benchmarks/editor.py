"""`python -m benchmarks.editor`: how long an editor waits for the language server, through the protocol.

    --times N

One keystroke in a step of the largest shipped game, alone and with ten house rules of one game open; the time
from the last keystroke to the diagnostics, of the document itself and of all that extend it, and of the requests that
editors send as one types. The pause that the server waits for more keystrokes is part of it.
"""

from __future__ import annotations

import argparse
import re
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from rulespec import games_folder, shipped_games
from tests.lsp_client import Client, started

GOAL = 0.3  # seconds
MOST_HOUSES = 10
STEP = re.compile(r"^ +- (set|add|do|move) .*$", re.MULTILINE)


def largest() -> Path:
    """Return the longest shipped game."""
    return max(shipped_games().values(), key=lambda path: path.stat().st_size)


def most_extended() -> tuple[str, list[Path]]:
    """Return the game with the most shipped house rules, and the first ten of those."""
    houses: dict[str, list[Path]] = {}
    for path in (games_folder() / "house").glob("*.yaml"):
        if found := re.search(r"^extends: (\w+)$", path.read_text(encoding="utf-8"), re.MULTILINE):
            houses.setdefault(found[1], []).append(path)
    base, paths = max(houses.items(), key=lambda item: len(item[1]))
    return base, sorted(paths)[:MOST_HOUSES]


def typed(text: str, number: int) -> str:
    """Return a text in which a step has one more blank: as much work as any other keystroke."""
    step = STEP.search(text)
    assert step is not None
    return f"{text[: step.end()]}{' ' * (number % 2 + 1)}{text[step.end() :]}"


def measured(times: int, measure: Callable[[int], float]) -> tuple[float, float]:
    """Return the median and the longest of some measurements; the first ones are for warming up."""
    found = [measure(number) for number in range(times + 2)][2:]
    return statistics.median(found), max(found)


def timed(done: Callable[[], object]) -> float:
    start = time.perf_counter()
    done()
    return time.perf_counter() - start


def asked(ask: Callable[[], object], number: int) -> float:
    return timed(ask)


def changed_all(client: Client, path: Path, text: str, others: list[Path]) -> None:
    """Change a document, and wait for the diagnostics of it and of others."""
    before = {other.as_uri(): client.times[other.as_uri()] for other in others}
    client.change(path, text)
    client.wait(lambda: all(client.times[uri] > n for uri, n in before.items()), "diagnostics of all")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=10, metavar="N")
    times = parser.parse_args().times
    rows: list[tuple[str, tuple[float, float]]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        game = folder / largest().name
        text = largest().read_text(encoding="utf-8")
        client = started(folder)
        wait = partial(measured, times)
        rows.append((f"{game.stem}: open", (opened := timed(lambda: client.open(game, text)), opened)))
        alone = wait(lambda n: timed(lambda: client.change(game, typed(text, n))))
        rows.append((f"{game.stem}: a keystroke in a step", alone))
        line = text[: text.index("- ")].count("\n") + 1
        for request in ("completion", "hover", "documentHighlight"):
            ask = partial(client.at, request, game, line, 12)
            rows.append((f"{game.stem}: {request}", wait(partial(asked, ask))))
        document = {"textDocument": {"uri": game.as_uri()}}
        for request in ("semanticTokens/full", "documentSymbol", "foldingRange"):
            ask = partial(client.ask, f"textDocument/{request}", document)
            rows.append((f"{game.stem}: {request}", wait(partial(asked, ask))))
        client.stop()

        base, houses = most_extended()
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
        one = wait(lambda n: timed(lambda: client.change(above[0], f"{own}{' ' * n}\n")))
        rows.append((f"{many}: a keystroke in one", one))
        rows.append(
            (f"{many}: a keystroke in it", wait(lambda n: timed(lambda: client.change(below, typed(under, n)))))
        )
        every = wait(lambda n: timed(lambda: changed_all(client, below, typed(under, n), above)))
        rows.append((f"{many}: until all are checked", every))
        client.stop()
    width = max(len(what) for what, _ in rows)
    print(f"{'':{width}}  median  longest   (goal {GOAL} s)")
    for what, (median, longest) in rows:
        print(f"{what:{width}}  {median:5.2f} s  {longest:5.2f} s")


if __name__ == "__main__":
    main()
