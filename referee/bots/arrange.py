"""Deals pieces at random to slots that take only some kinds, every arrangement equally likely."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property
from math import comb

MOST_WORK = 200_000  # splits to count for an exact answer; with more, pieces change places many times instead
CHANGES = 40  # swaps per piece, where an exact answer would take too long

Split = tuple[int, ...]  # how many pieces go to each class of slots


class _TooMuch(Exception):
    """There are too many arrangements to count."""


class Arrangements:
    """The ways to lay pieces on slots, to draw from repeatedly.

    A slot has a class, a piece has a kind and the classes it may lie on. There is one piece for each slot, and at least
    one way to lay them. The order of slots and pieces affects only which arrangement is drawn.
    """

    def __init__(self, slots: Sequence[Hashable], pieces: Sequence[tuple[int, frozenset[Hashable]]]) -> None:
        assert len(slots) == len(pieces)
        fits: dict[Hashable, frozenset[frozenset[Hashable]]] = {
            c: frozenset(may for _, may in pieces if c in may) for c in dict.fromkeys(slots)
        }
        numbers = {
            takes: i for i, takes in enumerate(dict.fromkeys(fits.values()))
        }  # classes that take the same pieces are one
        self._slots = [numbers[fits[c]] for c in slots]
        groups: dict[frozenset[int], list[int]] = {}
        for kind, may in pieces:
            groups.setdefault(frozenset(numbers[fits[c]] for c in may if c in fits), []).append(kind)
        order = sorted(
            groups, key=lambda may: (len(may), sorted(may))
        )  # the most restricted first: there is less to count
        self._groups = [(tuple(sorted(may)), sorted(groups[may])) for may in order]
        counts = Counter(self._slots)
        self._sizes = tuple(counts[i] for i in range(len(numbers)))
        self._ways: dict[tuple[int, Split], tuple[int, list[tuple[Split, int]]]] = {}
        self._work = 0

    def deal(self, rng: random.Random) -> list[int]:
        """Return the kind on each slot."""
        if not self._exact:
            return self._mixed(rng)
        parts: list[list[int]] = [[] for _ in self._sizes]
        left = self._sizes
        for number, (may, kinds) in enumerate(self._groups):
            split = self._draw(rng, number, left)
            mixed = iter(rng.sample(kinds, len(kinds)) if len(may) > 1 else kinds)
            for c in may:
                parts[c] += [next(mixed) for _ in range(split[c])]
            left = tuple(n - taken for n, taken in zip(left, split, strict=True))
        return self._laid([rng.sample(part, len(part)) for part in parts])

    def _laid(self, parts: list[list[int]]) -> list[int]:
        following = [iter(part) for part in parts]
        return [next(following[c]) for c in self._slots]

    # weighing --------------------------------------------------------------------------------------------

    @cached_property
    def _exact(self) -> bool:
        try:
            assert self._weigh(0, self._sizes), "pieces that fit nowhere"
        except _TooMuch:
            return False
        return True

    def _draw(self, rng: random.Random, number: int, left: Split) -> Split:
        """Return a random split of a group over the classes, weighted by the number of arrangements that follow."""
        total, splits = self._ways[number, left]
        at = rng.randrange(total)
        for split, ways in splits:
            at -= ways
            if at < 0:
                return split
        raise AssertionError(at)

    def _weigh(self, number: int, left: Split) -> int:
        """Return in how many ways this group of pieces, and those after it, fill the slots left in each class."""
        if number == len(self._groups):
            return 1
        if (number, left) not in self._ways:
            may, kinds = self._groups[number]
            splits = []
            for split, ways in self._splits(may, len(kinds), left):
                self._work += 1
                if self._work > MOST_WORK:
                    raise _TooMuch
                rest = tuple(n - taken for n, taken in zip(left, split, strict=True))
                if ways := ways * self._weigh(number + 1, rest):
                    splits.append((split, ways))
            self._ways[number, left] = sum(ways for _, ways in splits), splits
        return self._ways[number, left][0]

    def _splits(self, may: tuple[int, ...], many: int, left: Split) -> Iterator[tuple[Split, int]]:
        """Yield the ways to split a number of pieces over classes, each with its number of choices of pieces and slots."""
        if not may:
            if not many:
                yield (0,) * len(left), 1
            return
        first, others = may[0], may[1:]
        least = max(0, many - sum(left[c] for c in others))
        for n in range(least, min(many, left[first]) + 1):
            chosen = comb(many, n) * _falling(left[first], n)
            for split, ways in self._splits(others, many - n, left):
                yield (*split[:first], n, *split[first + 1 :]), chosen * ways

    # where that takes too long ---------------------------------------------------------------------------

    def _mixed(self, rng: random.Random) -> list[int]:
        """Return a deal shuffled by swapping two or three pieces at a time, often enough to forget how it began."""
        laid = self._first.copy()
        many = len(laid)
        for _ in range(CHANGES * many):
            picked = [rng.randrange(many) for _ in range(rng.choice((2, 3)))]
            moved = [laid[i] for i in (*picked[1:], picked[0])]
            if len(set(picked)) == len(picked) and all(
                self._slots[i] in self._groups[group][0] for i, (group, _) in zip(picked, moved, strict=True)
            ):
                for i, piece in zip(picked, moved, strict=True):
                    laid[i] = piece
        return [kind for _, kind in laid]

    @cached_property
    def _first(self) -> list[tuple[int, int]]:
        """Return one arrangement: a group and a kind for each slot. Pieces make room by moving others on."""
        pieces = [(group, kind) for group, (_, kinds) in enumerate(self._groups) for kind in kinds]
        lies: list[int | None] = [None] * len(self._slots)  # slot → piece

        def place(piece: int) -> bool:
            tried: set[int] = set()
            came: dict[int, int] = {}  # slot → the piece that wants it
            waiting = [piece]
            while waiting:
                wants = waiting.pop(0)
                for slot, c in enumerate(self._slots):
                    if slot in tried or c not in self._groups[pieces[wants][0]][0]:
                        continue
                    tried.add(slot)
                    came[slot] = wants
                    there = lies[slot]
                    if there is None:
                        at: int | None = slot
                        while at is not None:
                            mover = came[at]
                            before = next((s for s, p in enumerate(lies) if p == mover), None)
                            lies[at], at = mover, before
                        return True
                    waiting.append(there)
            return False

        for piece in range(len(pieces)):
            assert place(piece), "pieces that fit nowhere"
        return [pieces[p] for p in lies if p is not None]


def _falling(n: int, many: int) -> int:
    """Return n (n - 1) …: the number of ways to lay that many pieces on n slots."""
    ways = 1
    for i in range(many):
        ways *= n - i
    return ways
