"""Two sequences side by side: which parts of them are the same. The work is bounded, whatever is in them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher

SMALL = 40_000  # up to this many pairs the longest blocks are matched first, as people would

Opcode = tuple[str, int, int, int, int]


def opcodes(a: Sequence[Hashable], b: Sequence[Hashable]) -> Iterator[Opcode]:
    """Yield the edits that turn `a` into `b`, as difflib's `get_opcodes` does.

    >>> list(opcodes("abc", "xbc"))
    [('replace', 0, 1, 0, 1), ('equal', 1, 3, 1, 3)]
    """
    i = j = 0
    for at, to, size in matching_blocks(a, b):
        if i < at or j < to:
            yield "replace" if i < at and j < to else "delete" if i < at else "insert", i, at, j, to
        if size:
            yield "equal", at, at + size, to, to + size
        i, j = at + size, to + size


def matching_blocks(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[tuple[int, int, int]]:
    """Return (start in `a`, start in `b`, size) of the parts that are the same, in order; the last one has size 0.

    Of short sequences the longest part is matched first. That takes the cube of their length where most items are
    alike, so in long ones as many items as possible are matched instead.
    """
    if len(a) * len(b) <= SMALL:
        matcher = SequenceMatcher(None, a, b, autojunk=False)
        return [(block.a, block.b, block.size) for block in matcher.get_matching_blocks()]
    blocks: list[tuple[int, int, int]] = []
    for i, j in common(a, b):
        if blocks and (i, j) == (blocks[-1][0] + blocks[-1][2], blocks[-1][1] + blocks[-1][2]):
            blocks[-1] = (*blocks[-1][:2], blocks[-1][2] + 1)
        else:
            blocks.append((i, j, 1))
    return [*blocks, (len(a), len(b), 0)]


def likeness(a: Sequence[Hashable], b: Sequence[Hashable]) -> float:
    """Return how much of two sequences is the same, from 0 to 1.

    >>> likeness("abcd", "abxd")
    0.75
    """
    return 2 * len(common(a, b)) / (len(a) + len(b)) if a or b else 1.0


def common(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Return the positions of a longest common subsequence, computed with a bit for each item of `a`.

    Hyyrö's algorithm finds its length; what each item of `b` adds is kept, to trace it back from the end.

    >>> common("abcd", "acxd")
    [(0, 0), (2, 1), (3, 3)]
    """
    where: dict[Hashable, int] = {}
    for i, item in enumerate(a):
        where[item] = where.get(item, 0) | 1 << i
    every = (1 << len(a)) - 1
    row, rows = every, []
    for item in b:
        matched = row & where.get(item, 0)
        row = ((row + matched) | (row - matched)) & every
        rows.append(row)
    found, i, j = [], len(a), len(b)
    while i and j:
        if rows[j - 1] >> (i - 1) & 1:
            i -= 1
            continue
        j -= 1
        if not j or rows[j - 1] >> (i - 1) & 1:
            i -= 1
            found.append((i, j))
    return found[::-1]
