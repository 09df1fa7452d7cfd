"""Looks for differences: `python -m tests.generated FIRST LAST [--careful] [--native] [--smallest]`."""

from __future__ import annotations

import argparse
from collections import defaultdict
from time import process_time

from tests.generated.finding import checked, difference, smallest
from tests.generated.rulefiles import rule_file


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.generated", description="compare the voices on generated files"
    )
    parser.add_argument("first", type=int, help="the first seed")
    parser.add_argument("last", type=int, help="the seed after the last one")
    parser.add_argument("--careful", action="store_true", help="leave out what the engine is known to get wrong")
    parser.add_argument("--native", action="store_true", help="compare the C tier too")
    parser.add_argument("--smallest", action="store_true", help="print the smallest file for each kind of difference")
    args = parser.parse_args()
    kinds: dict[str, list[int]] = defaultdict(list)
    refused, start = 0, process_time()
    for seed in range(args.first, args.last):
        file = rule_file(seed, args.careful)
        found = difference(file, args.native)
        if found is None:
            refused += checked(file) is None
            continue
        kinds[found.kind].append(seed)
        if args.smallest and len(kinds[found.kind]) == 1:
            print(f"seed {seed}: {smallest(found, args.native)}", flush=True)
    files, seconds = args.last - args.first, process_time() - start
    print(f"{files} files, {refused} refused, {files / max(seconds, 0.001):.1f} a second")
    for kind, seeds in sorted(kinds.items(), key=lambda entry: -len(entry[1])):
        print(f"{len(seeds):5} {kind}: seeds {', '.join(map(str, seeds[:10]))}")


if __name__ == "__main__":
    main()
