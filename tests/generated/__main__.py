"""Looks for differences: `python -m tests.generated FIRST LAST [--native EVERY] [--large EVERY] [--full EVERY] [--low] [--smallest]`."""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

from tests.generated.finding import LOW, USUAL, examine, smallest
from tests.generated.rulefiles import rule_file

TOGETHER = 40  # files that are compiled by one call of the compiler


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.generated", description="compare the reference, Python and C on generated files"
    )
    parser.add_argument("first", type=int, help="the first seed")
    parser.add_argument("last", type=int, help="the seed after the last one")
    parser.add_argument("--native", type=int, default=0, metavar="N", help="compare C too, on every N-th file")
    parser.add_argument("--large", type=int, default=1, metavar="N", help="every N-th file is large; 0: all are small")
    parser.add_argument("--full", type=int, default=1, metavar="N", help="every N-th by all means, the others in brief")
    parser.add_argument("--low", action="store_true", help="with low limits of idle passes and of moves")
    parser.add_argument("--smallest", action="store_true", help="print the smallest file for each kind of difference")
    parser.add_argument("--report", type=int, default=0, metavar="N", help="say how far it is after every N files")
    args = parser.parse_args()
    kinds: dict[str, list[int]] = defaultdict(list)
    refused, start = 0, spent()
    limits = LOW if args.low else USUAL
    for first in range(args.first, args.last, TOGETHER):
        seeds = range(first, min(first + TOGETHER, args.last))
        native = [bool(args.native) and seed % args.native == 0 for seed in seeds]
        brief = [(seed + 1) % args.full > 0 for seed in seeds]
        files = [rule_file(seed, small=not args.large or (seed + 1) % args.large > 0) for seed in seeds]
        for seed, in_c, found in zip(seeds, native, examine(files, native, limits, brief=brief), strict=True):
            refused += found.refused
            if found.finding is None:
                continue
            kind = found.finding.kind
            kinds[kind].append(seed)
            print(f"seed {seed}: {kind}", flush=True)
            if args.smallest and len(kinds[kind]) == 1:
                print(smallest(found.finding, in_c, limits), flush=True)
        if args.report and (seeds[-1] + 1 - args.first) % args.report < TOGETHER:
            rate = (seeds[-1] + 1 - args.first) / max(spent() - start, 0.001)
            print(f"{seeds[-1] + 1}: {sum(map(len, kinds.values()))} differences, {rate:.1f} a second", flush=True)
    many, seconds = args.last - args.first, spent() - start
    print(f"{many} files, {refused} refused, {many / max(seconds, 0.001):.1f} a second")
    for kind, found_in in sorted(kinds.items(), key=lambda entry: -len(entry[1])):
        print(f"{len(found_in):5} {kind}: seeds {', '.join(map(str, found_in[:10]))}")
    return 1 if kinds else 0


def spent() -> float:
    """Return the seconds of processor time so far, the compiler's included."""
    ours, theirs = getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN)
    return ours.ru_utime + ours.ru_stime + theirs.ru_utime + theirs.ru_stime


if __name__ == "__main__":
    sys.exit(main())
