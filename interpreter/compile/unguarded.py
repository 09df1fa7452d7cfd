"""The range a number has where the tests around it may not hold: what C computes without needing it is defined there, too.

Nothing is trusted that only a test has shown. An address or an index that relies on a test is 0 where it does not hold.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.compile import program as p
from interpreter.compile.program import List, Num, Program
from interpreter.compile.total import is_total

SMALL = 2**31 - 1  # what an `I` of C holds, and minus it
WIDE = 2**63 - 1  # what an `int64_t` holds, and minus it

Range = tuple[int, int]


def is_wide(e: Num | List) -> bool:
    """Return whether a number may not fit 32 bits: a sum on its way to where it must."""
    return e.lo < -SMALL or e.hi > SMALL


class Unguarded:
    """The ranges of a program's numbers where nothing is tested."""

    def __init__(self, program: Program) -> None:
        self.tables = program.tables
        self.at_0 = (0, len(program.blocks))  # the number of a block is what the state holds there

    def is_defined(self, e: Num) -> bool:
        """Return whether nothing on the way to a number passes what C holds."""
        return self.range(e) is not None

    def range(self, e: Num) -> Range | None:
        """Return the range of a number; None if something on the way to it may pass what C holds."""
        match e:
            case p.Const() | p.Var():
                return e.lo, e.hi
            case p.Known():
                inner = self.range(e.of)
                return inner if inner is None or e.why != p.ALWAYS or not is_total(e.of) else (e.lo, e.hi)
            case p.Load():
                return self._read(e, e.at, self.at_0)
            case p.Cell():
                first = next(iter(self.tables[e.table]), 0)
                assert isinstance(first, int)
                return self._read(e, e.index, (first, first))
            case p.SumRange() if is_total(e.at):
                return self._read(e, e.at, (0, 0))
            case p.Bin():
                left, right = self.range(e.left), self.range(e.right)
                if left is None or right is None:
                    return None
                wide = is_wide(e) or is_wide(e.left) or is_wide(e.right)
                return _fitting(_result(e, left, right), WIDE if wide else SMALL)
            case p.Within():
                inner = self.range(e.of)
                shifted = None if inner is None else (inner[0] - e.low, inner[1] - e.low)
                return None if shifted is None or _fitting(shifted, SMALL) is None else (0, 1)
            case p.Cmp(left=left_, right=right_):
                return (0, 1) if self.is_defined(left_) and self.is_defined(right_) else None
            case p.Not():
                return (0, 1) if self.is_defined(e.of) else None
            case p.AnyRange() | p.CountRange():
                defined = self.is_defined(e.at) and (isinstance(e, p.AnyRange) or self.is_defined(e.value))
                return (e.lo, e.hi) if defined else None
            case p.And() | p.Or():
                found = [self.range(part) for part in e.parts]
                return None if None in found else _hull(r for r in found if r is not None)
            case p.Select():
                found = [self.range(part) for part in (e.then, e.other, e.test)]
                return None if None in found else _hull(r for r in found[:2] if r is not None)
            case _:
                return None  # it is never computed unless it is needed

    def _read(self, e: Num, index: Num, at_0: Range) -> Range | None:
        """Return the range of what is read at an index, or at 0 where that relies on a test."""
        if not self.is_defined(index):
            return None
        return (e.lo, e.hi) if is_total(index) else _hull([(e.lo, e.hi), at_0])


def _hull(ranges: Iterable[Range]) -> Range:
    lows, highs = zip(*ranges, strict=True)
    return min(lows), max(highs)


def _fitting(found: Range, most: int) -> Range | None:
    return found if -most <= found[0] and found[1] <= most else None


def _result(e: p.Bin, left: Range, right: Range) -> Range:
    match e.op:
        case "+":
            return left[0] + right[0], left[1] + right[1]
        case "-":
            return left[0] - right[1], left[1] - right[0]
        case "*":
            ends = [a * b for a in left for b in right]
            return min(ends), max(ends)
        case "/":
            most = max(map(abs, left)) + 1
            return -most, most
        case "%":
            most = max(map(abs, right))
            return -most, most
        case "min":
            return min(left[0], right[0]), min(left[1], right[1])
        case "max":
            return max(left[0], right[0]), max(left[1], right[1])
    raise AssertionError(e.op)
