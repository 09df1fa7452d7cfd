"""Looks for differences: `python -m tests.generated FIRST LAST [--native EVERY] [--low] [--smallest]`."""

from __future__ import annotations

import argparse
from collections import defaultdict
from time import process_time

from tests.generated.finding import LOW, USUAL, checked, difference, smallest
from tests.generated.rulefiles import rule_file


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.generated", description="compare the reference, Python and C on generated files"
    )
    parser.add_argument("first", type=int, help="the first seed")
    parser.add_argument("last", type=int, help="the seed after the last one")
    parser.add_argument("--native", type=int, default=0, metavar="N", help="compare C too, on every N-th file")
    parser.add_argument("--low", action="store_true", help="with low limits of idle passes and of moves")
    parser.add_argument("--smallest", action="store_true", help="print the smallest file for each kind of difference")
    parser.add_argument("--report", type=int, default=0, metavar="N", help="say how far it is after every N files")
    args = parser.parse_args()
    kinds: dict[str, list[int]] = defaultdict(list)
    refused, start = 0, process_time()
    limits = LOW if args.low else USUAL
    for seed in range(args.first, args.last):
        file = rule_file(seed)
        native = bool(args.native) and seed % args.native == 0
        found = difference(file, native, limits)
        if args.report and (seed + 1 - args.first) % args.report == 0:
            print(f"{seed + 1}: {sum(map(len, kinds.values()))} differences", flush=True)
        if found is None:
            refused += checked(file) is None
            continue
        kinds[found.kind].append(seed)
        print(f"seed {seed}: {found.kind}", flush=True)
        if args.smallest and len(kinds[found.kind]) == 1:
            print(smallest(found, native, limits), flush=True)
    files, seconds = args.last - args.first, process_time() - start
    print(f"{files} files, {refused} refused, {files / max(seconds, 0.001):.1f} a second")
    for kind, seeds in sorted(kinds.items(), key=lambda entry: -len(entry[1])):
        print(f"{len(seeds):5} {kind}: seeds {', '.join(map(str, seeds[:10]))}")


if __name__ == "__main__":
    main()
