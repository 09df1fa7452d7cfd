"""How long a person waits for `rulespec`: processor time until the help, and until the first screen of a game.

    .venv/bin/python -m benchmarks.start [OLD …] [--rounds 10]

Every command is started once to fill the caches, then measured in turns, in a terminal of 80×24, with what it costs to leave again. `OLD` are other
checkouts with a `.venv` of their own; they take turns with this one, so that all meet the same weather.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from pathlib import Path
from statistics import median

import pexpect

HERE = Path(__file__).parent.parent
SIZE = (24, 80)
PROMPT = "\x1b[JAnna> "  # below a page that was drawn
LEAVE = "q"
PLAYED = [
    ["play", game, "--seats", "Anna=human,Ben=fair", "--no-record", "--first", "Anna", "--seed", "1"]
    for game in ("base", "sintra", "pavilion")
]
COMMANDS: dict[str, list[str]] = {"--help": ["--help"]}
COMMANDS |= {f"play {words[1]}": words for words in PLAYED}


def measured(checkout: Path, words: list[str], folder: str) -> tuple[float, float]:
    """Return the seconds of processor time that a command takes, and those until its screen is there."""
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONDONTWRITEBYTECODE", "COLUMNS", "LINES")}
    environment |= {"TERM": "xterm-256color", "RULESPEC_RECORDS": folder}
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    child = pexpect.spawn(
        str(checkout / ".venv/bin/rulespec"), words, env=environment, cwd=folder, dimensions=SIZE, encoding="utf-8"
    )
    child.delaybeforesend = None
    if words[0].startswith("--"):
        child.expect(pexpect.EOF)
        shown = time.perf_counter() - begun
    else:
        child.expect_exact(PROMPT)
        shown = time.perf_counter() - begun
        child.sendline(LEAVE)
        child.expect(pexpect.EOF)
    child.close()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, shown


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", nargs="*", type=Path, help="another checkout to compare with")
    parser.add_argument("--rounds", type=int, default=10)
    given = parser.parse_args()
    checkouts = [HERE, *(path.resolve() for path in given.old)]
    print(f"{'':16}{'processor time':>24}{'screen after':>24}")
    print(f"{'':16}{'best':>12}{'median':>12}{'best':>12}{'median':>12}")
    with tempfile.TemporaryDirectory() as folder:
        for name, words in COMMANDS.items():
            found: dict[Path, list[tuple[float, float]]] = {checkout: [] for checkout in checkouts}
            for turn in range(given.rounds + 1):
                for checkout in checkouts:
                    one = measured(checkout, words, folder)
                    if turn:
                        found[checkout].append(one)
            for checkout, all_of in found.items():
                worked, waited = zip(*all_of, strict=True)
                columns = (min(worked), median(worked), min(waited), median(waited))
                label = name if checkout == HERE else f"  {checkout.name}"
                print(f"{label:16}" + "".join(f"{seconds:>10.2f} s" for seconds in columns), flush=True)


if __name__ == "__main__":
    main()
