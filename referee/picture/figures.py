"""Where the places of a family are: each on a block, in units of one piece, by the indexes that run down, across or round.

Nothing here depends on the position, so a board stays where it is while a game is played.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from interpreter import Game, State
from referee.picture.overlaps import Cluster, Point, Poly, Shapes, clustered
from referee.picture.signs import Signs
from rulespec import syntax

GAP = 0.08  # between cells
APART = 0.5  # between families side by side
TITLE = 0.62  # the height of a title
NAME = 0.42  # and of the names of rows and columns
WIDE = 13.0  # rows of boxes and repeated grids are broken here
SPACES = 24  # places with more room are boxes
LINE = 12  # spaces in a row of a place that stands alone
LAYERS = 5  # pieces of a stack that are drawn
SHIFT = 0.34  # how far each of them is above the one below it
BOX = 2.16  # pieces that fit side by side in a box
LETTER = 0.56  # the width of a letter, in its height,
BOLD = 0.64  # and of one of a title


@dataclass(frozen=True, slots=True)
class Pitch:
    """One place as it is drawn; x and y are its middle."""

    index: tuple[int, ...]
    x: float
    y: float
    w: float
    h: float
    poly: Poly = ()
    spaces: tuple[tuple[float, float, float, float], ...] = ()  # x, y, w, h of each

    def moved(self, x: float, y: float) -> Pitch:
        return replace(
            self,
            x=self.x + x,
            y=self.y + y,
            poly=tuple((a + x, b + y) for a, b in self.poly),
            spaces=tuple((a + x, b + y, w, h) for a, b, w, h in self.spaces),
        )


@dataclass(frozen=True, slots=True)
class Caption:
    """A text on a block: the title of a family, or the name of a row, a column or a box."""

    text: str
    x: float
    y: float  # of its middle
    size: float
    anchor: str = "middle"  # start, middle or end
    title: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """A family on a block of its own."""

    w: float
    h: float
    spots: tuple[Pitch, ...]
    words: tuple[Caption, ...] = ()

    def moved(self, x: float, y: float) -> Figure:
        words = tuple(replace(word, x=word.x + x, y=word.y + y) for word in self.words)
        return replace(self, spots=tuple(s.moved(x, y) for s in self.spots), words=words)


@dataclass(frozen=True, slots=True)
class Family:
    """A place family before its owner, or on the table."""

    place: syntax.Place
    drawn: syntax.PlaceView
    owner: int | None  # which index is the owner's
    player: int
    down: int | None  # which index runs down,
    across: int | None  # and which across
    rest: tuple[int, ...]  # those that repeat the grid
    piece: tuple[float, float]  # the largest piece that can lie there
    mode: str  # cell, spaces, stack or box
    ring: tuple[int, ...] = ()
    sizes: dict[tuple[int, ...], tuple[float, float]] = field(default_factory=dict)
    free: dict[tuple[int, ...], Point] = field(default_factory=dict)

    def values(self, which: int) -> tuple[int, ...]:
        return self.place.index_values[which]

    def indexes(self, fixed: dict[int, int]) -> list[tuple[int, ...]]:
        """Return the places with these indexes."""
        given = dict(fixed)
        if self.owner is not None:
            given[self.owner] = self.player
        return list(product(*((given[i],) if i in given else v for i, v in enumerate(self.place.index_values))))

    def room(self, index: tuple[int, ...]) -> int:
        return self.place.rooms[number_of(self.place, index)] if self.place.rooms else -1

    @property
    def is_single(self) -> bool:
        return self.down is None and self.across is None and not self.rest and not self.ring and not self.free

    def shares_rows(self, other: Family) -> bool:
        return self.down is not None and other.down is not None and self._same(self.down, other, other.down)

    def shares_columns(self, other: Family) -> bool:
        return self.across is not None and other.across is not None and self._same(self.across, other, other.across)

    def _same(self, mine: int, other: Family, theirs: int) -> bool:
        if self.rest or other.rest:
            return False
        a, b = frozenset(self.values(mine)), frozenset(other.values(theirs))
        named = self.place.index[mine] == other.place.index[theirs]
        return named or ((a <= b or b <= a) and max(a | b) > syntax.NONE)


@dataclass(frozen=True, slots=True)
class Ring:
    """Places around the origin, and the outline of all of them."""

    spots: list[Pitch]
    outline: Cluster


@dataclass(frozen=True, slots=True)
class Rings:
    """The rings of a family that are laid out so far, by how many rings are in each other and the sizes of their places."""

    known: dict[tuple[int, tuple[object, ...]], Ring] = field(default_factory=dict)
    shapes: Shapes = field(default_factory=Shapes)


def number_of(place: syntax.Place, index: Sequence[int]) -> int:
    """Return which place of its family it is, from 0."""
    at = 0
    for values, code in zip(place.index_values, index, strict=True):
        at = at * len(values) + values.index(code)
    return at


def text_width(text: str, size: float, letter: float = LETTER) -> float:
    """Return about how wide a text is."""
    return len(text) * size * letter


def number_beside(most: int) -> float:
    """Return how wide a number of pieces is where it stands beside them."""
    return 0.42 + 0.22 * len(str(most))


def title_width(title: str) -> float:
    return text_width(title, NAME, BOLD)


class Figures:
    """Lays out the families of one game."""

    def __init__(self, game: Game, signs: Signs) -> None:
        self.game = game
        self.model = game.model
        self.signs = signs
        self.start = State(tuple(game.layout.start), None, 0, None, None, None, [])

    def family(self, place: syntax.Place, player: int | None) -> Family:
        drawn = self.model.view.layout.get(place.name) or syntax.PlaceView(place.span)
        owner = place.index.index("player") if player is not None else None
        own = [i for i in range(len(place.index)) if i != owner]
        named = {place.index[i]: i for i in reversed(own)}
        sizes = [self.signs.size(kind) for kind in place.kinds] or [(1.0, 1.0)]
        piece = max(w for w, _ in sizes), max(h for _, h in sizes)
        mode = self._mode(place, drawn)
        down = across = None
        grid = [named[name] for name in drawn.grid if name in named]
        ring = tuple(named[name] for name, _ in drawn.ring if name in named)
        if ring:
            rest = tuple(i for i in own if i not in ring)
        elif grid:
            down, across = grid[0], grid[1] if len(grid) > 1 else None
            rest = tuple(i for i in own if i not in grid)
        elif drawn.row in named:
            across = named[drawn.row]
            rest = tuple(i for i in own if i != across)
        elif len(own) >= 2:
            down, across = own[-2], own[-1]
            rest = tuple(own[:-2])
        elif own and mode == "spaces":
            down, rest = own[0], ()
        elif own and mode in ("cell", "stack"):
            across, rest = own[0], ()
        else:
            rest = tuple(own)
        family = Family(place, drawn, owner, player or 0, down, across, rest, piece, mode, ring)
        return self._measured(family)

    def _mode(self, place: syntax.Place, drawn: syntax.PlaceView) -> str:
        if place.shape != "pile":
            return place.shape
        rooms = place.rooms or (-1,)
        if min(rooms) < 0 or max(rooms) > SPACES or drawn.drawn_as == "counts":
            return "box"
        return "box" if drawn.shape == "circle" and max(rooms) > 1 else "spaces"

    def _measured(self, family: Family) -> Family:
        """Return the family with the sizes of its places, and where they are if the view says it."""
        free: dict[tuple[int, ...], Point] = {}
        sizes = {}
        name, given = family.place.name, family.drawn.values
        for index in family.indexes({}):
            sizes[index] = self._size(family, index)
            if "left" in given and "top" in given:
                at = [self.game.drawn(self.start, ("layout", name, key), *index) for key in ("left", "top")]
                left, top = (0.0 if a in (None, syntax.NONE) else a / 100 for a in at)
                free[index] = (left, top)
        return replace(family, sizes=sizes, free=free)

    def _size(self, family: Family, index: tuple[int, ...]) -> tuple[float, float]:
        w, h = self._usual_size(family, index)
        if "wide" in family.drawn.values:
            wide, high = (
                self.game.drawn(self.start, ("layout", family.place.name, k), *index) for k in ("wide", "high")
            )
            unit = BOX if family.mode == "box" else max(family.piece)
            if isinstance(wide, int) and isinstance(high, int) and 0 < wide < 10_000 and 0 < high < 10_000:
                return unit * wide / 100, unit * high / 100
        return w, h

    def _usual_size(self, family: Family, index: tuple[int, ...]) -> tuple[float, float]:
        """Return how much a place takes: its spaces, its stack, or a box."""
        (w, h), room = family.piece, family.room(index)
        round_ = family.drawn.shape in ("circle", "hexagon")
        if family.mode == "cell":
            if family.drawn.shape in ("square", "circle", "hexagon"):
                w = h = max(w, h)
            return w, h
        if family.mode == "spaces":
            across = self.spaces_across(family, room)
            return max(across, 1) * w, max(1, -(-room // max(across, 1))) * h
        if family.mode == "stack":
            h += SHIFT * (min(max(room, 1), LAYERS) - 1)
            w += self.beside_stack(family, index)
            return (math.hypot(w, h), math.hypot(w, h)) if round_ else (w, h)
        if round_:
            if 0 < room <= SPACES:
                side = min(math.hypot(c * w, -(-room // c) * h) for c in range(1, room + 1)) + 0.1
            else:
                side = math.hypot(2 * w, 2 * h) * 1.04
            return side, side
        return BOX * w, BOX * h

    def beside_stack(self, family: Family, index: tuple[int, ...]) -> float:
        """Return how wide the number is beside a stack of which not every piece is drawn; backs have it on them."""
        room = family.room(index)
        return number_beside(room) if room > LAYERS and family.place.seen_by != "nobody" else 0.0

    def spaces_across(self, family: Family, room: int) -> int:
        """Return how many spaces of a place stand side by side."""
        if family.across is not None and room > 4:
            return math.ceil(math.sqrt(room))
        if family.is_single or family.rest:
            return min(room, LINE) if room <= LINE else -(-room // -(-room // LINE))
        return room

    # laying out ------------------------------------------------------------------------------------------

    def figure(self, family: Family, heights: dict[int, float], widths: dict[int, float], names: bool) -> Figure:
        """Return a family; heights and widths of rows and columns may be common to several families."""
        if family.free:
            return self._freely(family)
        if family.ring:
            rings = Rings()
            return self._repeated(family, lambda fixed: self._ring(family, fixed, rings))
        if family.down is not None or family.across is not None:
            return self._repeated(family, lambda fixed: self._grid(family, fixed, heights, widths, names))
        if family.rest:
            return self._boxes(family)
        index = family.indexes({})[0]
        w, h = family.sizes[index]
        return Figure(w, h, (self.spot(family, index, w / 2, h / 2),))

    def spot(self, family: Family, index: tuple[int, ...], x: float, y: float) -> Pitch:
        """Return a place with its middle here."""
        w, h = family.sizes[index]
        spaces: list[tuple[float, float, float, float]] = []
        if family.mode == "spaces":
            room = family.room(index)
            across = max(1, self.spaces_across(family, room))
            a, b = family.piece
            for i in range(room):
                column, row = i % across, i // across
                if family.drawn.align == "right":
                    column = across - 1 - column
                left_over = across - min(across, room - row * across) if family.drawn.align == "centre" else 0
                spaces.append((x - w / 2 + (column + left_over / 2 + 0.5) * a, y - h / 2 + (row + 0.5) * b, a, b))
        elif family.mode == "cell":
            spaces.append((x, y, w, h))
        return Pitch(index, x, y, w, h, spaces=tuple(spaces))

    def _repeated(self, family: Family, one: Callable[[dict[int, int]], Figure]) -> Figure:
        """Return one grid or ring for each combination of the indexes that are not in it, with its name."""
        if not family.rest:
            return one({})
        figures = []
        for combination in product(*(family.values(i) for i in family.rest)):
            fixed = dict(zip(family.rest, combination, strict=True))
            inner = one(fixed)
            name = ", ".join(self.index_label(family.place.index[i], code) for i, code in fixed.items())
            figures.append(_headed(inner, name))
        return flow(figures, WIDE, 0.4)

    def heights(self, family: Family) -> dict[int, float]:
        """Return how high each row is."""
        return self._extents(family, family.down, 1)

    def widths(self, family: Family) -> dict[int, float]:
        return self._extents(family, family.across, 0)

    def _extents(self, family: Family, which: int | None, side: int) -> dict[int, float]:
        if which is None:
            return {}
        found: dict[int, float] = {}
        for index, size in family.sizes.items():
            found[index[which]] = max(found.get(index[which], 0.0), size[side])
        return found

    def _grid(
        self, family: Family, fixed: dict[int, int], heights: dict[int, float], widths: dict[int, float], names: bool
    ) -> Figure:
        """Return one grid. Without an index that runs down there is one row, without one across one column."""
        rows = family.values(family.down) if family.down is not None else (0,)
        columns = family.values(family.across) if family.across is not None else (0,)
        own = [family.sizes[i] for i in family.indexes(fixed)]
        heights = heights or {0: max(h for _, h in own)}
        widths = widths or {0: max(w for w, _ in own)}
        left = top = 0.0
        words: list[Caption] = []
        if names and family.down is not None:
            labels = [self.short_label(family.place.index[family.down], code) for code in rows]
            left = max(text_width(label, NAME * 0.8) for label in labels) + 0.2
        if names and family.across is not None:
            top = NAME
        x_of, x = _middles(heights_or(widths, columns), left)
        y_of, y = _middles(heights_or(heights, rows), top)
        if left:
            words += [
                Caption(label, left - 0.15, y_of[c], NAME * 0.8, "end") for label, c in zip(labels, rows, strict=True)
            ]
        if top and family.across is not None:
            names_across = [self.short_label(family.place.index[family.across], code) for code in columns]
            words += [
                Caption(fitted(label, NAME * 0.8, widths[c] + GAP), x_of[c], NAME / 2, NAME * 0.8)
                for label, c in zip(names_across, columns, strict=True)
            ]
        spots = []
        for row, column in product(rows, columns):
            given = dict(fixed)
            if family.down is not None:
                given[family.down] = row
            if family.across is not None:
                given[family.across] = column
            index = family.indexes(given)[0]
            w, _ = family.sizes[index]
            at = x_of[column]
            if family.across is None:
                at = left + {"right": widths[0] - w / 2, "centre": widths[0] / 2}.get(family.drawn.align, w / 2)
            spots.append(self.spot(family, index, at, y_of[row]))
        return Figure(x, y, tuple(spots), tuple(words))

    def _boxes(self, family: Family) -> Figure:
        """Return places one after another, each with its name."""
        figures = []
        for index in family.indexes({}):
            w, h = family.sizes[index]
            name = ", ".join(self.index_label(family.place.index[i], index[i]) for i in family.rest)
            figures.append(_headed(Figure(w, h, (self.spot(family, index, w / 2, h / 2),)), name))
        return flow(figures, WIDE, 0.3)

    def _freely(self, family: Family) -> Figure:
        """Return places where the view puts them, their middles in hundredths of a place."""
        unit = BOX if family.mode == "box" else max(family.piece)
        if family.drawn.shape == "circle" and family.mode == "box" and "wide" not in family.drawn.values:
            unit = max(max(size) for size in family.sizes.values())
        spots = []
        for index in family.indexes({}):
            x, y = family.free[index]
            spots.append(self.spot(family, index, x * unit, y * unit))
        return _cornered(spots)

    def _ring(self, family: Family, fixed: dict[int, int], rings: Rings) -> Figure:
        """Return rings: of places, or of rings of places."""
        angles = [angle for name, angle in family.drawn.ring if name in family.place.index]
        return _cornered(self._round(family, fixed, list(zip(family.ring, angles, strict=True)), rings).spots)

    def _round(self, family: Family, fixed: dict[int, int], levels: list[tuple[int, int]], rings: Rings) -> Ring:
        """Return a ring around the origin, or one place; of those of equal sizes one is laid out."""
        indexes = family.indexes(fixed)
        key = len(levels), tuple((family.sizes[index], family.room(index)) for index in indexes)
        ring = rings.known.get(key)
        if ring is None:
            place = self.spot(family, indexes[0], 0, 0)
            ring = self._members(family, fixed, levels, rings) if levels else _grouped([place], rings.shapes)
            rings.known[key] = ring
        spots = [replace(s, index=tuple(fixed.get(i, c) for i, c in enumerate(s.index))) for s in ring.spots]
        return Ring(spots, ring.outline)

    def _members(self, family: Family, fixed: dict[int, int], levels: list[tuple[int, int]], rings: Rings) -> Ring:
        """Return a ring around the origin, of places or of rings."""
        (which, angle), inner = levels[0], levels[1:]
        members = family.values(which)
        outer = [m for m in members if m != family.drawn.middle]
        turn = 360 / max(1, len(outer))
        if not inner and family.drawn.shape == "rhombus" and len(outer) >= 3:
            return _grouped(list(self._rhombs(family, fixed, which, outer, angle)), rings.shapes)
        groups = [self._round(family, {**fixed, which: m}, inner, rings) for m in outer]
        centre = []
        if family.drawn.middle in members:
            at = {**fixed, which: family.drawn.middle}
            hub = self._hub(family, at, len(outer), turn)
            centre = [self._round(family, at, inner, rings) if inner else _grouped([hub], rings.shapes)]
        radius = _radius(rings.shapes, [g.outline for g in groups], [c.outline for c in centre], angle, turn)
        spots, outlines = [], []
        for i, group in enumerate(groups):
            x, y = _away(radius, angle + i * turn)
            spots += [spot.moved(x, y) for spot in group.spots]
            outlines.append(group.outline.moved(x, y))
        for ring in centre:
            spots += ring.spots
            outlines.append(ring.outline)
        return Ring(spots, clustered(outlines))

    def _hub(self, family: Family, fixed: dict[int, int], outer: int, turn: float) -> Pitch:
        """Return the place in the middle of a ring, as large as is useful."""
        index = family.indexes(fixed)[0]
        spot = self.spot(family, index, 0, 0)
        if family.mode != "box" or outer < 3:
            return spot
        around = max(max(size) for size in family.sizes.values())
        radius = around * 1.04 / (2 * math.sin(math.radians(turn / 2)))
        side = min(max(2 * (radius - around / 2 - 0.15), around * 1.3), around * 2)
        return replace(spot, w=side, h=side)

    def _rhombs(
        self, family: Family, fixed: dict[int, int], which: int, members: Sequence[int], angle: float
    ) -> Iterator[Pitch]:
        """Yield rhombs that meet in the middle."""
        half = 180 / len(members)
        edge = 1.05
        for i, member in enumerate(members):
            at = angle + i * 2 * half
            far = 2 * edge * math.cos(math.radians(half))
            poly = ((0.0, 0.0), _away(edge, at - half), _away(far, at), _away(edge, at + half))
            x, y = _away(far / 2, at)
            index = family.indexes({**fixed, which: member})[0]
            w = max(p[0] for p in poly) - min(p[0] for p in poly)
            h = max(p[1] for p in poly) - min(p[1] for p in poly)
            side = min(2 * edge * math.sin(math.radians(half)), far) * 0.72
            yield Pitch(index, x, y, w, h, poly, ((x, y, side, side),))

    # names -----------------------------------------------------------------------------------------------

    def index_label(self, name: str, code: int) -> str:
        """Return a member of an index set as people read it."""
        return self.game.notation.label(code, self.model.sets[name].type)

    def short_label(self, name: str, code: int) -> str:
        """Return the name of a row or column: a number as it is, else its label."""
        return str(code) if code < syntax.NONE else self.index_label(name, code)


def fitted(text: str, size: float, width: float) -> str:
    """Return a text, cut where it would be wider than this."""
    most = max(1, int(width / (size * LETTER)))
    return text if len(text) <= most else text[: max(1, most - 1)] + "…" if most > 1 else text[:1]


def heights_or(extents: dict[int, float], codes: Sequence[int]) -> dict[int, float]:
    """Return all extents, those of these codes at least, in the order of the codes where they are the same ones."""
    return {c: extents[c] for c in codes} if set(codes) == set(extents) else extents


def _middles(extents: dict[int, float], start: float) -> tuple[dict[int, float], float]:
    """Return where the middle of each row or column is, and where the last one ends."""
    found, at = {}, start
    for code, extent in extents.items():
        found[code] = at + extent / 2
        at += extent + GAP
    return found, at - GAP


def _away(radius: float, angle: float) -> Point:
    """Return a point so far from the origin; 0 degrees is up, clockwise."""
    a = math.radians(angle)
    return radius * math.sin(a), -radius * math.cos(a)


def _headed(figure: Figure, name: str) -> Figure:
    """Return a figure with its name above."""
    size = NAME * 0.8
    w = max(figure.w, text_width(name, size))
    inner = figure.moved((w - figure.w) / 2, NAME)
    return Figure(w, figure.h + NAME, inner.spots, (Caption(name, w / 2, NAME / 2, size), *inner.words))


def flow(figures: list[Figure], wide: float, gap: float) -> Figure:
    """Return figures side by side, in as many rows as they need."""
    spots: list[Pitch] = []
    words: list[Caption] = []
    x = y = w = high = 0.0
    for figure in figures:
        if x and x + figure.w > wide:
            x, y, high = 0.0, y + high + gap, 0.0
        here = figure.moved(x, y)
        spots += here.spots
        words += here.words
        x += figure.w + gap
        w, high = max(w, x - gap), max(high, figure.h)
    return Figure(w, y + high, tuple(spots), tuple(words))


def _cornered(spots: list[Pitch]) -> Figure:
    """Return spots with the left upper corner at the origin."""
    left = min((s.x - s.w / 2 for s in spots), default=0.0)
    top = min((s.y - s.h / 2 for s in spots), default=0.0)
    moved = tuple(s.moved(-left, -top) for s in spots)
    return Figure(
        max((s.x + s.w / 2 for s in moved), default=0.0), max((s.y + s.h / 2 for s in moved), default=0.0), moved
    )


# Distances ------------------------------------------------------------------------------------------------------


def _outline(spot: Pitch) -> Poly:
    """Return the corners of a spot; a round one has sixteen."""
    if spot.poly:
        return spot.poly
    w, h = spot.w / 2, spot.h / 2
    return tuple((spot.x + w * math.sin(i * math.pi / 8), spot.y + h * math.cos(i * math.pi / 8)) for i in range(16))


def _grouped(spots: list[Pitch], shapes: Shapes) -> Ring:
    return Ring(spots, clustered([shapes.one((spot.x, spot.y), _outline(spot)) for spot in spots]))


def _radius(shapes: Shapes, groups: list[Cluster], centre: list[Cluster], angle: float, turn: float) -> float:
    """Return the smallest radius at which the groups of a ring do not overlap each other or the middle."""
    if len(groups) == 1 and not centre:
        return 0.0
    ways = [_away(1.0, angle + i * turn) for i in range(len(groups))]
    beside = list(zip(groups, groups[1:] + groups[:1], ways, ways[1:] + ways[:1], strict=True))

    def collides(radius: float) -> bool:
        return (
            len(groups) > 1
            and any(shapes.meet(a, b, (x2 - x1) * radius, (y2 - y1) * radius) for a, b, (x1, y1), (x2, y2) in beside)
        ) or any(
            shapes.meet(c, g, x * radius, y * radius) for c in centre for g, (x, y) in zip(groups, ways, strict=True)
        )

    low, high = 0.0, 1.0
    while collides(high) and high < 1000:
        low, high = high, high * 2
    for _ in range(20):
        half = (low + high) / 2
        low, high = (half, high) if collides(half) else (low, half)
    return high
