"""Whether outlines overlap: boxes around many of them are compared first, and polygons only where boxes meet."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

Point = tuple[float, float]
Poly = tuple[Point, ...]
Box = tuple[float, float, float, float]  # left, top, right, bottom

BETWEEN = 0.06  # the least distance between outlines that are apart
SLACK = 1 / math.cos(math.pi / 16)  # how much farther apart than round outlines boxes must be, so that polygons are too
ALIKE = 9  # decimals in which the corners of equal outlines agree


@dataclass(frozen=True, slots=True)
class Cluster:
    """Outlines that move together: one, or two clusters; and a box around them."""

    box: Box
    many: int
    parts: tuple[Cluster, ...] = ()
    shift: Point = (0.0, 0.0)  # how far its parts, or the middle of one, are moved
    shape: int = 0  # of one

    def moved(self, x: float, y: float) -> Cluster:
        left, top, right, bottom = self.box
        shift = self.shift[0] + x, self.shift[1] + y
        return Cluster((left + x, top + y, right + x, bottom + y), self.many, self.parts, shift, self.shape)


@dataclass(frozen=True, slots=True)
class Shapes:
    """Different outlines, numbered, and for each two along which lines and from where on they are apart."""

    corners: list[Poly] = field(default_factory=list)
    numbers: dict[Poly, int] = field(default_factory=dict)
    limits: dict[tuple[int, int], list[tuple[float, float, float, float]]] = field(default_factory=dict)

    def one(self, middle: Point, poly: Poly) -> Cluster:
        """Return one outline as a cluster."""
        x, y = middle
        corners = tuple((a - x, b - y) for a, b in poly)
        key = tuple((round(a, ALIKE), round(b, ALIKE)) for a, b in corners)
        number = self.numbers.setdefault(key, len(self.corners))
        if number == len(self.corners):
            self.corners.append(corners)
        xs, ys, more = [a for a, _ in corners], [b for _, b in corners], BETWEEN / 2
        box = (
            x + (min(xs) - more) * SLACK,
            y + (min(ys) - more) * SLACK,
            x + (max(xs) + more) * SLACK,
            y + (max(ys) + more) * SLACK,
        )
        return Cluster(box, 1, (), middle, number)

    def meet(self, a: Cluster, b: Cluster, x: float, y: float) -> bool:
        """Return whether an outline of `a` meets one of `b`, moved by x and y."""
        waiting = [(a, b, x, y)]
        while waiting:
            a, b, x, y = waiting.pop()
            left, top, right, bottom = a.box
            left_b, top_b, right_b, bottom_b = b.box
            if right <= left_b + x or right_b + x <= left or bottom <= top_b + y or bottom_b + y <= top:
                continue
            (x_a, y_a), (x_b, y_b) = a.shift, b.shift
            if a.many == b.many == 1:
                if not self._are_apart(a.shape, b.shape, x + x_b - x_a, y + y_b - y_a):
                    return True
            elif a.many >= b.many:
                waiting += [(part, b, x - x_a, y - y_a) for part in a.parts]
            else:
                waiting += [(a, part, x + x_b, y + y_b) for part in b.parts]
        return False

    def _are_apart(self, a: int, b: int, x: float, y: float) -> bool:
        limits = self.limits.get((a, b))
        if limits is None:
            limits = self.limits[a, b] = list(_limits(self.corners[a], self.corners[b]))
        return any(not low < x * nx + y * ny < high for nx, ny, low, high in limits)


def clustered(clusters: Sequence[Cluster]) -> Cluster:
    """Return one cluster of some, those that are near each other together."""
    if len(clusters) == 1:
        return clusters[0]
    box = (
        min(c.box[0] for c in clusters),
        min(c.box[1] for c in clusters),
        max(c.box[2] for c in clusters),
        max(c.box[3] for c in clusters),
    )
    side = 0 if box[2] - box[0] >= box[3] - box[1] else 1
    ordered = sorted(clusters, key=lambda c: c.box[side] + c.box[side + 2])
    half = len(ordered) // 2
    return Cluster(box, sum(c.many for c in ordered), (clustered(ordered[:half]), clustered(ordered[half:])))


def overlapping(a: Poly, b: Poly, tolerance: float = 0.02) -> bool:
    """Return whether two convex polygons have more than an edge in common."""
    return all(low < 0 < high for _, _, low, high in _limits(a, b, -tolerance))


def _limits(a: Poly, b: Poly, between: float = BETWEEN) -> set[tuple[float, float, float, float]]:
    """Return for each edge its normal, and how far along it b must move, back or forth, so as to be apart from a."""
    found = set()
    for poly in (a, b):
        for (x1, y1), (x2, y2) in zip(poly, (*poly[1:], poly[0]), strict=True):
            nx, ny = y2 - y1, x1 - x2
            length = math.hypot(nx, ny)
            if length:
                of_a = [(x * nx + y * ny) / length for x, y in a]
                of_b = [(x * nx + y * ny) / length for x, y in b]
                low, high = min(of_a) - max(of_b) - between, max(of_a) - min(of_b) + between
                found.add((nx / length, ny / length, low, high))
    return found


def covered(points: Sequence[Point], boxes: Sequence[Box]) -> list[bool]:
    """Return for each point whether it is inside a box, not on its edge.

    >>> covered([(1, 1), (2, 1), (3, 5)], [(0, 0, 2, 2), (2, 4, 4, 6)])
    [True, False, True]
    """
    heights = sorted({y for _, y in points})
    opened = [0] * (len(heights) + 1)  # a Fenwick tree: how many more boxes are open from each height on

    def add(at: int, number: int) -> None:
        while at < len(heights):
            opened[at] += number
            at |= at + 1

    def total(at: int) -> int:
        found = 0
        while at >= 0:
            found += opened[at]
            at = (at & (at + 1)) - 1
        return found

    events = [(x, 1, i) for i, (x, _) in enumerate(points)]
    for i, (left, _, right, _) in enumerate(boxes):
        events += [(left, 2, i), (right, 0, i)] if left < right else []
    inside = [False] * len(points)
    for _, what, i in sorted(events):  # at the same x boxes end first, and begin last
        if what == 1:
            inside[i] = total(bisect_left(heights, points[i][1])) > 0
            continue
        _, top, _, bottom = boxes[i]
        first, last = bisect_right(heights, top), bisect_left(heights, bottom)
        if first < last:
            add(first, what - 1)
            add(last, 1 - what)
    return inside
