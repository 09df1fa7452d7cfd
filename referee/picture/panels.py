"""The blocks of an area: families that share rows or columns are lined up on one block, what lies behind them included."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

from interpreter import Game
from referee.picture.figures import (
    APART,
    NAME,
    TITLE,
    Caption,
    Family,
    Figures,
    Pitch,
    title_width,
)
from referee.picture.overlaps import Point
from rulespec import syntax

ABOVE = 0.8  # the room for markers above columns or beside rows
MARK = 0.46  # how large a mark is
MOST_CELLS = 200  # of a track


@dataclass(frozen=True, slots=True)
class Printed:
    """A mark on a board: a member of a set, and where it is printed."""

    set: str
    code: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Panel:
    """A block before anything lies on it."""

    w: float
    h: float
    families: tuple[tuple[Family, tuple[Pitch, ...]], ...]  # those behind others first
    words: tuple[Caption, ...]
    marks: tuple[Printed, ...] = ()
    markers: tuple[str, ...] = ()  # variables with a marker on it
    small: bool = False


@dataclass(frozen=True, slots=True)
class Heap:
    """A place that stands alone; its size depends on what lies there, unless it has spaces."""

    family: Family
    title: str


@dataclass(frozen=True, slots=True)
class Track:
    """A variable drawn as a cell for each value."""

    variable: syntax.Variable
    title: str
    values: tuple[int, ...]
    across: int


Part = Panel | Heap | Track


class Panels:
    """Arranges one game."""

    def __init__(self, game: Game, figures: Figures) -> None:
        self.game = game
        self.model = game.model
        self.view = game.model.view
        self.figures = figures

    def title(self, name: str) -> str:
        drawn = self.view.layout.get(name)
        words = name.replace("_", " ")
        return drawn.title if drawn is not None and drawn.title else words[:1].upper() + words[1:]

    def area(self, player: int | None) -> list[Part]:
        """Return the blocks of a player's area, or of the table, in the order of the layout, then of the file."""
        parts: list[Part] = []
        group: list[Family] = []
        for name in self._names(player):
            if name in self.model.variables:
                if (track := self._track(self.model.variables[name])) is not None:
                    self._close(group, parts)
                    parts.append(track)
                continue
            family = self.figures.family(self.model.places[name], player)
            if family.is_single:
                self._close(group, parts)
                parts.append(Heap(family, self.title(name)))
                continue
            if group and not self._joins(group, family):
                self._close(group, parts)
            group.append(family)
        self._close(group, parts)
        return [self._finished(part, player) if isinstance(part, Panel) else part for part in parts]

    def _names(self, player: int | None) -> list[str]:
        """Return the places and variables that are drawn in an area, but what is drawn on others."""
        declared: dict[str, syntax.Place | syntax.Variable] = {**self.model.variables, **self.model.places}
        names = dict.fromkeys((*self.view.layout, *self.model.places))
        found = []
        for name in names:
            if name in self.view.hide or name not in declared:
                continue
            drawn = self.view.layout.get(name)
            on = "" if drawn is None else drawn.behind or drawn.on
            if on and on not in self.view.hide:
                continue
            if ("player" in declared[name].index) == (player is not None):
                found.append(name)
        return found

    def _track(self, variable: syntax.Variable) -> Track | None:
        drawn = self.view.layout[variable.name]
        if drawn.drawn_as != "track" or not isinstance(variable.type, syntax.Values):
            return None
        t = variable.type
        if t.lo is not None and t.hi is not None:
            values = tuple(range(t.lo, min(t.hi, t.hi if drawn.upto is None else drawn.upto, t.lo + MOST_CELLS) + 1))
        else:
            home = self.model.sets.get(t.home)
            values = tuple(c for c in (home.values if home else sorted(t.members)) if c in t.members)
        across = drawn.across or (len(values) if len(values) <= 15 else 10)
        return Track(variable, self.title(variable.name), values, across) if values else None

    # groups ----------------------------------------------------------------------------------------------

    def _joins(self, group: list[Family], family: Family) -> bool:
        if family.ring or family.free or group[0].ring or group[0].free:
            return False
        if len(group) > 1 and not group[0].shares_rows(group[1]):
            return family.shares_columns(group[0])
        return family.shares_rows(group[0]) or (len(group) == 1 and family.shares_columns(group[0]))

    def _close(self, group: list[Family], parts: list[Part]) -> None:
        if group:
            parts.append(self._panel(group))
            group.clear()

    def _panel(self, group: list[Family]) -> Panel:
        """Return one block for families that share their rows, or their columns."""
        beside = len(group) > 1 and group[0].shares_rows(group[1])
        heights = _largest(self.figures.heights(f) for f in group) if beside else {}
        widths = _largest(self.figures.widths(f) for f in group) if len(group) > 1 and not beside else {}
        x = y = w = h = 0.0
        families = []
        words: list[Caption] = []
        for family in group:
            own_heights = heights or self.figures.heights(family)
            own_widths = widths or self.figures.widths(family)
            figure = self.figures.figure(family, own_heights, own_widths, self._has_names(family, len(group)))
            title = self.title(family.place.name)
            left, top = self._before(family)
            wide = max(figure.w + left, title_width(title))
            here = figure.moved(x + left, y + TITLE + top)
            words += [Caption(title, x, y + TITLE / 2 - 0.05, NAME, "start", title=True), *here.words]
            families.append((family, here.spots))
            w, h = max(w, x + wide), max(h, y + TITLE + top + figure.h)
            if beside:
                x += wide + APART
            else:
                y += TITLE + top + figure.h + 0.15
        return Panel(w, h, tuple(families), tuple(words))

    def _has_names(self, family: Family, together: int) -> bool:
        """Return whether rows and columns are named: where nothing beside or under the cells says which is which."""
        return together == 1 and "under" not in family.drawn.values and not self._behind(family.place.name)

    def _behind(self, place: str) -> list[str]:
        return [n for n, drawn in self.view.layout.items() if drawn.behind == place and n not in self.view.hide]

    def _markers(self, place: str) -> list[str]:
        return [n for n, drawn in self.view.layout.items() if drawn.on == place and n not in self.view.hide]

    def _before(self, family: Family) -> Point:
        """Return the room at the left and above that markers need."""
        left = top = 0.0
        for name in self._markers(family.place.name):
            t = self.model.variables[name].type
            if isinstance(t, syntax.Values):
                side = self.side(family, t)
                left, top = (ABOVE if side == "beside" else left), (ABOVE if side == "above" else top)
        return left, top

    def side(self, family: Family, t: syntax.Values) -> str:
        """Return where the marker of a variable of this type goes: above a column, beside a row, or around a place."""
        which = self.named_index(family, t)
        if which is None or len(family.place.index) - (family.owner is not None) == 1:
            return "around"
        return "above" if which == family.across else "beside" if which == family.down else "around"

    def named_index(self, family: Family, t: syntax.Values) -> int | None:
        """Return the index of a family whose members are the values of a type."""
        for i, name in enumerate(family.place.index):
            if i != family.owner and name == t.home:
                return i
        return None

    # what lies behind, and what is printed -----------------------------------------------------------------

    def _finished(self, panel: Panel, player: int | None) -> Panel:
        """Return a block with what lies behind its families, its marks and its markers."""
        behind = []
        markers: list[str] = []
        marks: list[Printed] = []
        for family, spots in panel.families:
            for name in self._behind(family.place.name):
                back = self.figures.family(
                    self.model.places[name], player if "player" in self.model.places[name].index else None
                )
                behind.append((back, tuple(_covering(back, family, spots))))
            markers += self._markers(family.place.name)
            marks += self._marks(family, spots)
        return _widened(replace(panel, families=(*behind, *panel.families), marks=tuple(marks), markers=tuple(markers)))

    def _marks(self, family: Family, spots: tuple[Pitch, ...]) -> list[Printed]:
        found = []
        cells = Cells(self.model, family, spots)
        for name, drawn in self.view.marks.items():
            if drawn.on != family.place.name or "between" not in drawn.values:
                continue
            owner = () if family.owner is None else (family.player,)
            for code in self.model.sets[name].values:
                between = self.game.drawn(self.figures.start, ("marks", name, "between"), *owner, code) or ()
                ends = [cells.ends(cell) for cell in between]
                many = sum(n for n, _, _ in ends)
                if many:
                    found.append(
                        Printed(name, code, sum(x for _, x, _ in ends) / many, sum(y for *_, y in ends) / many)
                    )
        return found


class Cells:
    """The places of a family by the values that name them: a value that is one of their indexes, or a pair of them."""

    def __init__(self, model: syntax.Model, family: Family, spots: tuple[Pitch, ...]) -> None:
        self._pairs = model.pair_parts
        self._by_own: dict[tuple[int, ...], list[Pitch]] = {}
        self._by_code: dict[int, list[Pitch]] = {}
        for spot in spots:
            own = tuple(code for i, code in enumerate(spot.index) if i != family.owner)
            self._by_own.setdefault(own, []).append(spot)
            for code in dict.fromkeys(own):
                self._by_code.setdefault(code, []).append(spot)
        self.ends = lru_cache(maxsize=None)(self._ends)
        self.bounds = lru_cache(maxsize=None)(self._bounds)

    def at(self, own: tuple[int, ...]) -> list[Pitch]:
        """Return the places with these indexes, the owner's left out."""
        return self._by_own.get(own, [])

    def named(self, value: int) -> list[Pitch]:
        """Return the places that a value names."""
        return self.at(self._pairs[value]) if value in self._pairs else self._by_code.get(value, [])

    def _ends(self, value: int) -> tuple[int, float, float]:
        """Return how many places a value names, and the sums of the coordinates of their outer ends."""
        ends = [outer_end(spot) for spot in self.named(value)]
        return len(ends), sum(x for x, _ in ends), sum(y for _, y in ends)

    def _bounds(self, value: int) -> tuple[float, float, float, float]:
        """Return the left, upper, right and lower edge of the places that a value names."""
        return bounds(self.named(value))


def outer_end(spot: Pitch) -> Point:
    return spot.poly[2] if len(spot.poly) == 4 else (spot.x, spot.y)


def bounds(spots: Sequence[Pitch]) -> tuple[float, float, float, float]:
    """Return the left, upper, right and lower edge of places."""
    left, top = min(s.x - s.w / 2 for s in spots), min(s.y - s.h / 2 for s in spots)
    return left, top, max(s.x + s.w / 2 for s in spots), max(s.y + s.h / 2 for s in spots)


def _largest(extents: Iterable[dict[int, float]]) -> dict[int, float]:
    """Return common rows or columns: each as large as its largest."""
    found: dict[int, float] = {}
    for one in extents:
        for code, extent in one.items():
            found[code] = max(found.get(code, 0.0), extent)
    return found


def _covering(back: Family, front: Family, spots: tuple[Pitch, ...]) -> list[Pitch]:
    """Return where a family lies behind another: its own grid divides the area, else it covers cells with equal indexes."""
    if back.drawn.grid and back.down is not None:
        return list(_dividing(back, back.down, bounds(spots)))
    own = {n: i for i, n in enumerate(back.place.index)}
    shared = [(i, own[n]) for i, n in enumerate(front.place.index) if n in own]
    groups: dict[tuple[int, ...], list[Pitch]] = {}
    for spot in spots:
        groups.setdefault(tuple(spot.index[i] for i, _ in shared), []).append(spot)
    areas = {key: bounds(cells) for key, cells in groups.items()}
    found = []
    for index in back.indexes({}):
        area = areas.get(tuple(index[i] for _, i in shared))
        if area is not None:
            x1, y1, x2, y2 = area
            found.append(Pitch(index, (x1 + x2) / 2, (y1 + y2) / 2, x2 - x1 + 0.06, y2 - y1 + 0.06))
    return found


def _dividing(back: Family, down: int, area: tuple[float, float, float, float]) -> Iterator[Pitch]:
    """Yield the places of a grid that divides an area."""
    left, top, right, bottom = area
    rows = {code: i for i, code in enumerate(back.values(down))}
    columns = {code: i for i, code in enumerate(back.values(back.across))} if back.across is not None else {0: 0}
    w, h = (right - left) / len(columns), (bottom - top) / len(rows)
    for index in back.indexes({}):
        i, j = rows[index[down]], columns[index[back.across]] if back.across is not None else 0
        yield Pitch(index, left + (j + 0.5) * w, top + (i + 0.5) * h, w - 0.02, h - 0.02)


def _widened(panel: Panel) -> Panel:
    """Return a block that has room for the marks at its edges."""
    half = MARK / 2 + 0.04
    things = [
        (s.x - s.w / 2, s.y - s.h / 2, s.x + s.w / 2, s.y + s.h / 2) for _, spots in panel.families for s in spots
    ]
    things += [(m.x - half, m.y - half, m.x + half, m.y + half) for m in panel.marks]
    first = TITLE - 0.05
    left, top = min((t[0] for t in things), default=0.0), min((t[1] for t in things), default=first)
    dx, dy = max(0.0, 0.04 - left), max(0.0, first - top)
    w = max(panel.w + dx, max((t[2] for t in things), default=0.0) + dx + 0.04)
    h = max(panel.h + dy, max((t[3] for t in things), default=0.0) + dy + 0.04)
    return replace(
        panel,
        w=w,
        h=h,
        families=tuple((f, tuple(s.moved(dx, dy) for s in spots)) for f, spots in panel.families),
        words=tuple(word if word.title else replace(word, x=word.x + dx, y=word.y + dy) for word in panel.words),
        marks=tuple(replace(m, x=m.x + dx, y=m.y + dy) for m in panel.marks),
    )


def all_indexes(variable: syntax.Variable, player: int | None) -> list[tuple[int, ...]]:
    """Return the indexes of a variable, those of one player where it has an owner."""
    at = variable.index.index("player") if player is not None and "player" in variable.index else -1
    return list(product(*((player,) if i == at else v for i, v in enumerate(variable.index_values))))  # type: ignore[arg-type]
