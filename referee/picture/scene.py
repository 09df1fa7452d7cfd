"""A position as a scene: plain data with everything that a picture of it needs, as one viewer sees it.

INVARIANT: what lies on a place comes through `seen by` and `shows` alone, and never in the order of the position but by kind;
so positions that look the same to a viewer give equal scenes. Moves are for the player who decides.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeVar

from interpreter import HIDDEN, Game, Move, Pointed, State, is_seen, named
from referee.picture import texts
from referee.picture.figures import (
    LAYERS,
    NAME,
    SHIFT,
    TITLE,
    Caption,
    Family,
    Figures,
    Pitch,
    number_beside,
    number_of,
    title_width,
)
from referee.picture.ordinals import counted_values, is_counted
from referee.picture.overlaps import Box, covered
from referee.picture.panels import MARK, Cells, Heap, Panel, Panels, Part, Track, all_indexes
from referee.picture.scene_change import Fixed, for_viewer
from referee.picture.signs import Signs, is_colour
from rulespec import syntax

SCENE = 1  # the version of the format
FULL = 0.92  # how much of its space a piece fills
SMALL = 0.85  # the size of pieces on places that stand alone,
EACH = 0.7  # and of those that stand for all of their kind
MOST = 48  # pieces that are drawn one by one
HEAP = 12  # of them in a row
MOST_KEPT = 6000  # pictures of places

Data = dict[str, Any]
Rect = tuple[float, float, float, float]
T = TypeVar("T")


def scene(game: Game, state: State, viewer: int | None) -> Data:
    """Return the scene of a position for a player, from 1, or for None an onlooker."""
    return Painter(game).scene(state, viewer)


@dataclass(slots=True, eq=False)
class Standing:
    """A place where it is drawn, with the pictures of it that were made before, by all that they depend on."""

    family: Family
    spot: Pitch
    block: str
    first: int  # the part of a position that says what lies there,
    last: int
    varying: bool  # whether its view depends on more of the position
    drawn: dict[Any, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Laid:
    """A part of an area with the id of its block, and what stands on it."""

    part: Part
    id: str
    standing: tuple[Standing, ...] = ()
    words: list[Data] = field(default_factory=list)
    layered: bool = False  # whether families lie behind others
    marked: dict[str, tuple[Family, Cells]] = field(default_factory=dict)  # the families with markers, by name


class Painter:
    """Makes the scenes of one game. What does not depend on the position is worked out once, and what does is kept."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.model = game.model
        self.view = game.model.view
        self.signs = Signs(game)
        self.panels = Panels(game, Figures(game, self.signs))
        self.parts = lru_cache(maxsize=None)(self._parts)
        self.laid = lru_cache(maxsize=None)(self._laid)
        self.text_varies = lru_cache(maxsize=None)(self._text_varies)
        self.secret_parts = lru_cache(maxsize=None)(self._secret_parts)
        self.given = frozenset(key for key, _, _ in syntax.view_expressions(self.view))
        self.varying = frozenset(key for key in self.given if game.drawing_varies(key))
        self.varying_faces = any(section == "pieces" for section, _, _ in self.varying)
        self.numbered = frozenset(p.name for p in self.model.places.values() if syntax.numbered(p) is not None)
        self.tracks: dict[Any, Data] = {}
        self.moves: dict[Any, Fixed] = {}
        self.marks: dict[Any, Fixed] = {}
        self.signed: Fixed | None = None  # the kinds of all scenes, unless they depend on the position
        self._kept: list[dict[Any, Any]] = []
        self._many = 0

    def _parts(self, player: int | None) -> list[Part]:
        return self.panels.area(player)

    def _secret_parts(self, move: str) -> list[bool]:
        """Return for each value in the words of a move whether it is a secret to who makes it."""
        parts = self.model.moves[move].text.parts
        return [self.game.sight.secret_to_mover(move, part) for part in parts if not isinstance(part, str)]

    def _text_varies(self, move: str) -> bool:
        """Return whether the words of a move depend on the position, or on what its step was given."""
        return bool(self.model.moves[move].given) or self.game.text_varies(move)

    def _laid(self, player: int | None) -> list[Laid]:
        """Return the parts of an area with their blocks, whose numbers do not depend on the position."""
        found = []
        for number, part in enumerate(self.parts(player)):
            block = f"{area_id(player)}/{number}"
            if isinstance(part, Panel):
                standing = tuple(self._standing(f, spot, block) for f, spots in part.families for spot in spots)
                layered = any(f.drawn.behind for f, _ in part.families)
                words = [_caption(word) for word in part.words]
                found.append(Laid(part, block, standing, words, layered, self._marked(part)))
            elif isinstance(part, Heap):
                spot = Pitch(part.family.indexes({})[0], 0.0, 0.0, 0.0, 0.0)
                found.append(Laid(part, block, (self._standing(part.family, spot, block),)))
            else:
                found.append(Laid(part, block))
        return found

    def _marked(self, panel: Panel) -> dict[str, tuple[Family, Cells]]:
        """Return the families of a block on which variables have markers."""
        names = {self.view.layout[name].on for name in panel.markers}
        return {f.place.name: (f, Cells(self.model, f, spots)) for f, spots in panel.families if f.place.name in names}

    def _standing(self, family: Family, spot: Pitch, block: str) -> Standing:
        lay = self.game.layout.places[family.place.name]
        first = lay.address(number_of(family.place, spot.index))
        varying = any(("layout", family.place.name, key) in self.varying for key in ("under", "tint", "turn"))
        return Standing(family, spot, block, first, first + lay.width, varying or self.varying_faces)

    @property
    def kept(self) -> int:
        """How many pictures are kept for other positions."""
        return sum(map(len, self._kept))

    def keep(self, drawn: dict[Any, Any], key: Any, value: T) -> T:
        """Keep a picture for the next position like this; when there are too many, all are forgotten."""
        if self._many >= MOST_KEPT:
            for one in self._kept:
                one.clear()
            self._kept, self._many = [], 0
        if not drawn:
            self._kept.append(drawn)
        drawn[key] = value
        self._many += 1
        return value

    def scene(self, state: State, viewer: int | None) -> Data:
        """Return the scene of a position for a player, from 1, or for None an onlooker."""
        return for_viewer(self.common(state, viewer), viewer)

    def common(self, state: State, viewer: int | None) -> Data:
        """Return what `viewer` sees of the pieces, with the blocks that others have drawn for themselves alone."""
        if viewer is not None and not 1 <= viewer <= self.game.players:
            raise ValueError(f"there is no player {viewer}: players are 1 to {self.game.players}")
        shot = _Shot(self, state, viewer)
        areas = [shot.area(player) for player in (None, *range(1, self.game.players + 1))]
        outcome = self.game.outcome(state)
        moves = shot.moves() if viewer is not None and state.to_move == viewer else []
        return {
            "scene": SCENE,
            "game": self.game.title,
            "you": viewer,
            "players": self.game.players,
            "to_move": state.to_move,
            "winners": list(outcome.winners) if outcome is not None else None,
            "kinds": shot.kinds(),
            "areas": areas,
            "moves": moves,
        }

    def part(self, state: State, places: frozenset[str], players: tuple[int, ...]) -> Data:
        """Return the scene of a position that hides nothing, with the blocks that show one of these places.

        It is for positions that are written in a rule file.
        """
        shot = _Shot(self, state, None, is_open=True)
        areas = [shot.area(player) for player in (None, *players)]
        for area in areas:
            area["blocks"] = [
                block
                for block in area["blocks"]
                if not block["own"] and any(thing["id"].partition("[")[0] in places for thing in block["things"])
            ]
        return {"scene": SCENE, "game": self.game.title, "kinds": shot.kinds(), "areas": areas}


class _Shot:
    """One position, as one viewer sees it."""

    def __init__(self, painter: Painter, state: State, viewer: int | None, is_open: bool = False) -> None:
        self.painter, self.state, self.viewer = painter, state, viewer
        self.is_open = is_open  # nothing is hidden
        self.game, self.model, self.signs, self.panels = painter.game, painter.model, painter.signs, painter.panels
        self.view = painter.view

    def kinds(self) -> Data:
        """Return the signs of all kinds of pieces, of what else has a sign, and of the backs of pieces."""
        if self.painter.varying_faces:
            return self._kinds()
        if self.painter.signed is None:
            self.painter.signed = Fixed(self._kinds())
        return self.painter.signed

    def _kinds(self) -> Data:
        codes = dict.fromkeys((*self.model.kinds, *self.view.symbols, *self.view.colours))
        for kind in self.model.kinds:
            marks = (self.game.notation.codes.get(mark) for mark in self.signs.face(self.state, kind) or ())
            codes |= dict.fromkeys(mark for mark in marks if mark is not None)
        found = {self.model.value_name(code): self.signs.data(self.state, code) for code in codes}
        for place in self.model.places.values():
            for kind in place.kinds if place.shows is not None else ():
                back = self.game.shown(place.name, kind)
                if back is not None and back != syntax.NONE and back not in self.model.kinds:
                    found[self.model.value_name(back)] = self.signs.data(self.state, back, back=True)
        return found

    def sign(self, code: Any, t: syntax.Type | None = None) -> Data | None:
        """Return a value as a sign: a member with its signs, else a text; None for none."""
        if code is None or code == syntax.NONE:
            return None
        if isinstance(code, int) and code > syntax.NONE:
            if self.has_sign(code):
                return {"kind": self.model.value_name(code)}
            return {"text": self.signs.label(code)}
        return {"text": str(code)}

    def has_sign(self, code: int) -> bool:
        return code in self.model.kinds or code in self.view.symbols or code in self.view.colours

    # areas -----------------------------------------------------------------------------------------------

    def area(self, player: int | None) -> Data:
        scores = self.game.scores(self.state)
        blocks: list[Data] = []
        empty: list[Data] = []
        for laid in self.painter.laid(player):
            part = laid.part
            if isinstance(part, Panel):
                blocks.append(self._panel(laid, part, player))
            elif isinstance(part, Track):
                blocks.append(self._track(laid.id, part, player))
            elif (block := self._heap(part, laid.standing[0])) is not None:
                blocks.append(block)
            else:
                index = part.family.indexes({})[0]
                empty.append({"id": named(self.model, part.family.place.name, index), "title": part.title})
        chips, tags = self._variables(player)
        return {
            "id": area_id(player),
            "player": player,
            "you": player is not None and player == self.viewer,
            "to_move": player is not None and player == self.state.to_move,
            "score": scores.get(player) if player is not None else None,
            "tags": tags,
            "blocks": blocks,
            "chips": chips,
            "empty": empty,
        }

    def _variables(self, player: int | None) -> tuple[list[Data], list[str]]:
        """Return the variables that are shown as a title with values, and those that are a word beside the player."""
        chips: list[Data] = []
        tags: list[str] = []
        for variable in self.model.variables.values():
            drawn = self.view.layout.get(variable.name)
            if variable.name == "score" or variable.name in self.view.hide:
                continue
            if drawn is not None and (drawn.on or (drawn.drawn_as == "track" and self._is_track(variable, player))):
                continue
            title, owned = self.panels.title(variable.name), "player" in variable.index
            if not variable.index and self._names_player(variable) and self._sees(variable, ()):
                if player is not None and self.game.variable(self.state, variable.name) == player:
                    tags.append(title)
                continue
            if owned != (player is not None):
                continue
            if variable.flags_players and self._sees(variable, (player or 0,)):
                holds = self.game.variable(self.state, variable.name, player or 0)
                if holds and not self.game.is_stale(self.state, variable.name):
                    tags.append(title)
                continue
            if (chip := self._chip(variable, player, title)) is not None:
                chips.append(chip)
        return chips, tags

    def _is_track(self, variable: syntax.Variable, player: int | None) -> bool:
        return any(isinstance(p, Track) and p.variable is variable for p in self.painter.parts(player))

    def _names_player(self, variable: syntax.Variable) -> bool:
        return isinstance(variable.type, syntax.Values) and variable.type.home == "player"

    def _chip(self, variable: syntax.Variable, player: int | None, title: str) -> Data | None:
        """Return a variable; of one with more indexes only what has changed since the start."""
        values: list[Data] = []
        several = len(variable.index) > (player is not None)
        at = variable.index.index("player") if player is not None else -1
        if not all(self._sees(variable, index) for index in all_indexes(variable, player)):
            return {"id": variable.name, "title": title, "values": [{"text": HIDDEN}]}
        if is_counted(self.game, variable, owned=player is not None):
            values = [self._value(variable, c) for c in counted_values(self.game, self.state, variable, player)]
            return {"id": variable.name, "title": title, "values": values} if values else None
        for index in all_indexes(variable, player):
            code = self.game.variable(self.state, variable.name, *index)
            number = 0
            for codes, i in zip(variable.index_values, index, strict=True):
                number = number * len(codes) + codes.index(i)
            if several and code == variable.starts[number]:
                continue
            sign = self._value(variable, code)
            if several:
                names = ", ".join(self.model.value_name(c) for i, c in enumerate(index) if i != at)
                sign = {**sign, "of": names}
            values.append(sign)
        return {"id": variable.name, "title": title, "values": values} if values else None

    def _value(self, variable: syntax.Variable, code: int) -> Data:
        if isinstance(variable.type, syntax.YesNo):
            return {"text": texts.YES if code else texts.NO}
        if code > syntax.NONE and self.has_sign(code):
            return self.sign(code) or {"text": ""}
        return {"text": self.game.notation.label(code, variable.type)}

    # blocks ----------------------------------------------------------------------------------------------

    def _panel(self, laid: Laid, panel: Panel, player: int | None) -> Data:
        standing = self._in_front(laid.standing) if laid.layered else laid.standing
        things = [self._thing(one) for one in standing]
        marks = [*self._marks(panel), *self._markers(laid, panel, player)]
        return {**_block(laid.id, panel.w, panel.h, things, small=False), "words": laid.words, "marks": marks}

    def _in_front(self, standing: tuple[Standing, ...]) -> list[Standing]:
        """Return what is drawn where some places lie behind others: cells are only there if something lies behind them."""
        empty = [one for one in standing if self._is_empty(one)]
        backs: dict[str, list[Box]] = {}
        fronts: dict[str, list[Standing]] = {}
        for one in empty:
            if one.family.drawn.behind:
                backs.setdefault(one.family.drawn.behind, []).append(_box(one.spot))
            fronts.setdefault(one.family.place.name, []).append(one)
        bare: set[int] = set()
        for name, boxes in backs.items():
            ones = fronts.get(name, [])
            inside = covered([(one.spot.x, one.spot.y) for one in ones], boxes)
            bare |= {id(one) for one, is_inside in zip(ones, inside, strict=True) if is_inside}
        return [one for one in standing if id(one) not in bare]

    def _is_empty(self, one: Standing) -> bool:
        lying = self.state.vector[one.first : one.last]
        if one.family.place.shape == "cell":
            return lying[0] == syntax.NONE
        return not (lying[0] if one.family.place.shape == "stack" else any(lying))

    def _marks(self, panel: Panel) -> list[Data]:
        found: list[Data] = []
        for printed in panel.marks:
            drawn = self.view.marks[printed.set]
            family = next(f for f, _ in panel.families if f.place.name == drawn.on)
            given = (*(() if family.owner is None else (family.player,)), printed.code)
            under = self.game.drawn(self.state, ("marks", printed.set, "under"), *given)
            lit = self.game.drawn(self.state, ("marks", printed.set, "lit"), *given)
            drawn_before, key = self.painter.marks, (printed, family.player, under, bool(lit))
            known = drawn_before.get(key)
            if known is None:
                sign, name = self.sign(under), self.model.value_name(printed.code).replace("_", " ")
                known = Fixed(
                    {
                        "id": named(self.model, printed.set, given),
                        "mark": drawn.shape or "circle",
                        "x": _r(printed.x),
                        "y": _r(printed.y),
                        "w": MARK,
                        "h": MARK,
                        "under": sign,
                        "lit": bool(lit),
                        "label": f"{name}: {self._sign_text(sign)}" if sign else name,
                    }
                )
                self.painter.keep(drawn_before, key, known)
            found.append(known)
        return found

    def _sign_text(self, sign: Data) -> str:
        return str(sign.get("text", sign.get("kind", "")))

    def _markers(self, laid: Laid, panel: Panel, player: int | None) -> list[Data]:
        """Return the markers of variables that are drawn on a place."""
        found = []
        for name in panel.markers:
            variable = self.model.variables[name]
            family, cells = laid.marked[self.view.layout[name].on]
            for index in all_indexes(variable, player):
                if not self._sees(variable, index):
                    continue
                value = self.game.variable(self.state, name, *index)
                if isinstance(variable.type, syntax.YesNo):
                    own = tuple(c for i, c in enumerate(index) if player is None or variable.index[i] != "player")
                    found += [
                        self._marker(name, index, "back", s.x, s.y, s.w * FULL, s.h * FULL)
                        for s in (cells.at(own) if value else ())
                    ]
                elif isinstance(variable.type, syntax.Values):
                    found += self._pointing(family, variable.type, name, index, cells, value)
        return found

    def _pointing(
        self, family: Family, t: syntax.Values, name: str, index: tuple[int, ...], cells: Cells, value: int
    ) -> list[Data]:
        pointed = cells.named(value)
        if not pointed:
            return []
        side = self.panels.side(family, t)
        left, top, right, bottom = cells.bounds(value)
        if side == "above":
            return [self._marker(name, index, "pawn", (left + right) / 2, top - 0.4, 0.6, 0.7)]
        if side == "beside":
            return [self._marker(name, index, "pawn", left - 0.4, (top + bottom) / 2, 0.6, 0.7)]
        return [self._marker(name, index, "ring", s.x, s.y, s.w, s.h) for s in pointed]

    def _marker(self, name: str, index: tuple[int, ...], mark: str, x: float, y: float, w: float, h: float) -> Data:
        return {
            "id": named(self.model, name, index),
            "mark": mark,
            "x": _r(x),
            "y": _r(y),
            "w": _r(w),
            "h": _r(h),
            "under": None,
            "lit": False,
            "label": self.panels.title(name),
        }

    def _track(self, block: str, track: Track, player: int | None) -> Data:
        """Return a cell for each value, and a marker on the present one."""
        index = all_indexes(track.variable, player)[0]
        sees = self._sees(track.variable, index)
        value = self.game.variable(self.state, track.variable.name, *index) if sees else None
        if ("layout", track.variable.name, "under") in self.painter.varying:
            return self._new_track(block, track, index, value)
        drawn, key = self.painter.tracks, (block, value)
        found = drawn.get(key)
        return (
            found if found is not None else self.painter.keep(drawn, key, self._new_track(block, track, index, value))
        )

    def _new_track(self, block: str, track: Track, index: tuple[int, ...], value: int | None) -> Data:
        """Return the track with a marker on a value; None: it is hidden."""
        name = track.variable.name
        shown = HIDDEN if value is None else self.game.notation.label(value, track.variable.type)
        label = f"{track.title}: {shown}"
        many = len(track.values) > 30
        side = 0.6 if many else 0.9
        spaces = []
        marker: Data | None = None
        numbers = value is not None and value < syntax.NONE and bool(track.values) and track.values[0] < syntax.NONE
        if value is not None and numbers and value not in track.values:
            value = track.values[0] + (value - track.values[0]) % len(track.values)
        for i, code in enumerate(track.values):
            x, y = (i % track.across + 0.5) * side, TITLE + (i // track.across + 0.5) * side
            if ("layout", name, "under") in self.painter.given:
                under = self.sign(self.game.drawn(self.state, ("layout", name, "under"), *index, code))
            else:
                under = {"text": self.model.value_name(code)}
            spaces.append({"x": _r(x), "y": _r(y), "w": _r(side), "h": _r(side), "under": under})
            if code == value:
                marker = {"x": _r(x), "y": _r(y), "w": _r(side * 0.8), "h": _r(side * 0.8)}
        rows = -(-len(track.values) // track.across)
        w = max(track.across * side, title_width(track.title))
        thing = Fixed(
            {
                "id": named(self.model, name, index),
                "block": block,
                "as": "track",
                "shape": "none",
                "x": _r(w / 2),
                "y": _r(TITLE + rows * side / 2),
                "w": _r(w),
                "h": _r(rows * side),
                "tint": None,
                "pattern": None,
                "behind": False,
                "spaces": spaces,
                "pieces": [],
                "marker": marker,
                "label": label,
            }
        )
        drawn = _block(block, w, TITLE + rows * side, [thing], small=True, title=track.title)
        return {**drawn, "own": name == "score"}

    # places that stand alone -----------------------------------------------------------------------------

    def _heap(self, heap: Heap, one: Standing) -> Data | None:
        """Return the block of a place that stands alone; None: it is unlimited and empty."""
        if one.varying:
            return self._new_heap(heap, one)
        key = (self._is_seen(one.family, one.spot.index), self.state.vector[one.first : one.last])
        if key in one.drawn:
            found: Data | None = one.drawn[key]
            return found
        return self.painter.keep(one.drawn, key, self._new_heap(heap, one))

    def _new_heap(self, heap: Heap, one: Standing) -> Data | None:
        family = heap.family
        index = one.spot.index
        lying = self._lying(family, index)
        title = title_width(heap.title)
        if family.mode != "box" or family.drawn.shape == "circle":
            w, h = family.sizes[index]
            if not lying and family.mode == "stack":
                return None
            spot = self.panels.figures.spot(family, index, w / 2, TITLE + h / 2)
            thing = self._new_thing(family, spot, one.block)
            return _block(one.block, max(w, title), TITLE + h, [thing], small=True, title=heap.title)
        if not lying:
            return None
        pieces, w, h = self._spread(family, index, lying)
        pad = 0.12
        spot = Pitch(index, w / 2 + pad, TITLE + h / 2 + pad, w + 2 * pad, h + 2 * pad)
        thing = self._new_thing(family, spot, one.block, [_moved(p, pad, TITLE + pad) for p in pieces])
        wide = max(w + 2 * pad, title)
        return _block(one.block, wide, TITLE + h + 2 * pad, [thing], small=True, title=heap.title)

    def _spread(
        self, family: Family, index: tuple[int, ...], lying: list[tuple[int, int]]
    ) -> tuple[list[Data], float, float]:
        """Return pieces side by side from the origin, and how much room they take."""
        if not self._is_seen(family, index):
            backs = self._backs(family, lying)
            w, h = (s * SMALL for s in family.piece)
            placed = [self._piece(code, (i + 0.5) * w, h / 2, w, h, n, back=True) for i, (code, n) in enumerate(backs)]
            return placed, w * len(backs), h
        total = sum(n for _, n in lying)
        if family.drawn.drawn_as == "counts" or total > MOST:
            return self._counted(family, lying)
        w, h = (s * SMALL for s in family.piece)
        codes = [kind for kind, n in lying for _ in range(n)]
        placed = [
            self._piece(code, (i % HEAP + 0.5) * w, (i // HEAP + 0.5) * h, *self._fit(code, w, h))
            for i, code in enumerate(codes)
        ]
        return placed, w * min(total, HEAP), h * -(-total // HEAP)

    def _counted(self, family: Family, lying: list[tuple[int, int]]) -> tuple[list[Data], float, float]:
        """Return each kind once, with its number beside it."""
        w, h = (s * EACH for s in family.piece)
        beside = number_beside(max(n for _, n in lying))
        across = min(len(lying), 6)
        placed = []
        for i, (kind, n) in enumerate(lying):
            x, y = (i % across) * (w + beside) + w / 2, (i // across + 0.5) * (h + 0.08)
            placed.append(self._piece(kind, x, y, *self._fit(kind, w, h), n))
        return placed, across * (w + beside), -(-len(lying) // across) * (h + 0.08)

    # things ----------------------------------------------------------------------------------------------

    def _is_seen(self, family: Family, index: tuple[int, ...]) -> bool:
        return self.is_open or is_seen(family.place, index, self.viewer)

    def _sees(self, variable: syntax.Variable, index: tuple[int, ...]) -> bool:
        return self.is_open or is_seen(variable, index, self.viewer)

    def _lying(self, family: Family, index: tuple[int, ...]) -> list[tuple[int, int]]:
        return self.game.contents(self.state, family.place.name, number_of(family.place, index))

    def _thing(self, one: Standing) -> Fixed:
        """Return a place with what lies on it."""
        family, spot = one.family, one.spot
        seen = family.place.seen_by == "everyone" or self._is_seen(family, spot.index)
        lying = self.state.vector[one.first : one.last]
        key = (seen, lying, self._varying(family, spot)) if one.varying else (seen, lying)
        found: Fixed | None = one.drawn.get(key)
        return (
            found if found is not None else self.painter.keep(one.drawn, key, self._new_thing(family, spot, one.block))
        )

    def _varying(self, family: Family, spot: Pitch) -> tuple[Any, ...]:
        """Return what a place shows beside what lies there, where that depends on the position."""
        name, found = family.place.name, []
        for key in ("under", "tint", "turn"):
            if ("layout", name, key) in self.painter.varying:
                numbered = key == "under" and name in self.painter.numbered
                its: list[tuple[int, ...]] = [(n,) for n in range(1, len(spot.spaces) + 1)] if numbered else [()]
                found += [self.game.drawn(self.state, ("layout", name, key), *spot.index, *it) for it in its]
        if self.painter.varying_faces:
            found.append(tuple(tuple(self.signs.face(self.state, kind) or ()) for kind in family.place.kinds))
        return tuple(found)

    def _new_thing(self, family: Family, spot: Pitch, block: str, pieces: list[Data] | None = None) -> Fixed:
        drawn, place = family.drawn, family.place
        lying = self._lying(family, spot.index)
        seen = self._is_seen(family, spot.index)
        total = sum(n for _, n in lying)
        thing: Data = {
            "id": named(self.model, place.name, spot.index),
            "block": block,
            "as": family.mode,
            "shape": self._outline(family),
            "x": _r(spot.x),
            "y": _r(spot.y),
            "w": _r(spot.w),
            "h": _r(spot.h),
            **self._tint(family, spot.index),
            "behind": bool(drawn.behind),
            "spaces": self._spaces(family, spot),
            "pieces": self._pieces(family, spot, lying, seen) if pieces is None else pieces,
            "label": f"{self._name(family, spot.index)}: {self._said(family, lying, seen)}",
        }
        if spot.poly:
            thing["poly"] = [[_r(x), _r(y)] for x, y in spot.poly]
        if family.mode == "box" and len(place.kinds) == 1 and pieces is None and drawn.drawn_as != "counts":
            thing["count"] = total
        return Fixed(thing)

    def _outline(self, family: Family) -> str:
        shape = family.drawn.shape
        if family.mode == "spaces":
            return "none" if shape in ("", "square", "box") else shape
        return shape or ("square" if family.mode in ("cell", "stack") else "box")

    def _name(self, family: Family, index: tuple[int, ...]) -> str:
        own = [
            (n, code) for i, (n, code) in enumerate(zip(family.place.index, index, strict=True)) if i != family.owner
        ]
        labels = ", ".join(self.panels.figures.index_label(n, code) for n, code in own)
        title = self.panels.title(family.place.name)
        return f"{title}, {labels}" if labels else title

    def _said(self, family: Family, lying: list[tuple[int, int]], seen: bool) -> str:
        """Return what lies on a place in words."""
        if not lying:
            return texts.NOTHING
        if not seen:
            backs = self._backs(family, lying)
            words = [
                f"{n} {self.signs.label(code)}" if code is not None else texts.HIDDEN.format(n=n) for code, n in backs
            ]
            return ", ".join(words)
        label = self.signs.label
        return ", ".join(f"{n} {label(kind)}" if n > 1 else label(kind) for kind, n in lying)

    def _tint(self, family: Family, index: tuple[int, ...]) -> Data:
        """Return the colour of a place, and the pattern of the member whose colour it is."""
        if is_colour(family.drawn.tint):
            return {"tint": family.drawn.tint, "pattern": None}
        code = self.game.drawn(self.state, ("layout", family.place.name, "tint"), *index)
        if code is None or code <= syntax.NONE:
            return {"tint": None, "pattern": None}
        return {"tint": self.signs.colour(code), "pattern": self.signs.pattern(code)}

    def _spaces(self, family: Family, spot: Pitch) -> list[Data]:
        found = []
        name = family.place.name
        many = name in self.painter.numbered
        for i, (x, y, w, h) in enumerate(spot.spaces):
            it = (i + 1,) if many else ()
            under = self.sign(self.game.drawn(self.state, ("layout", name, "under"), *spot.index, *it))
            found.append({"x": _r(x), "y": _r(y), "w": _r(w), "h": _r(h), "under": under})
        return found

    def _backs(self, family: Family, lying: list[tuple[int, int]]) -> list[tuple[int | None, int]]:
        """Return what hidden pieces show of themselves, each value with how many do; None: nothing."""
        backs: dict[int | None, int] = {}
        for kind, n in lying:
            shown = self.game.shown(family.place.name, kind)
            code = None if shown == syntax.NONE else shown
            backs[code] = backs.get(code, 0) + n
        return sorted(backs.items(), key=lambda item: -1 if item[0] is None else item[0])

    def _pieces(self, family: Family, spot: Pitch, lying: list[tuple[int, int]], seen: bool) -> list[Data]:
        """Return the pieces of a place where they are drawn."""
        if family.mode == "stack":
            return self._stacked(family, spot, lying, seen)
        if not seen:
            backs = self._backs(family, lying)
            if family.mode in ("spaces", "cell"):
                hidden = [code for code, n in backs for _ in range(n)]
                return [
                    self._piece(code, x, y, w * FULL, h * FULL, back=True)
                    for code, (x, y, w, h) in zip(hidden, spot.spaces, strict=False)
                ]
            rects = _packed(self._inside(family, spot), len(backs), family.piece)
            return [self._piece(code, *rect, n, back=True) for (code, n), rect in zip(backs, rects, strict=True)]
        codes = [kind for kind, n in lying for _ in range(n)]
        if family.mode in ("spaces", "cell"):
            if family.drawn.behind:
                return [
                    {**self._piece(kind, spot.x, spot.y, spot.w, spot.h), **self._turned(family, spot.index, kind)}
                    for kind in codes
                ]
            placed = []
            for kind, (x, y, w, h) in zip(codes, spot.spaces, strict=False):
                piece = self._piece(kind, x, y, *self._fit(kind, w, h))
                if spot.poly:
                    piece["poly"] = [
                        [_r(spot.x + (a - spot.x) * FULL), _r(spot.y + (b - spot.y) * FULL)] for a, b in spot.poly
                    ]
                placed.append({**piece, **self._turned(family, spot.index, kind)})
            return placed
        if len(codes) > MOST or family.drawn.drawn_as == "counts":
            rects = _packed(self._inside(family, spot), len(lying), (family.piece[0] * 1.7, family.piece[1]))
            wide = 1 / 1.7
            return [
                self._piece(kind, x - w / 4, y, w * wide, h, n)
                for (kind, n), (x, y, w, h) in zip(lying, rects, strict=True)
            ]
        rects = _packed(self._inside(family, spot), len(codes), family.piece, family.drawn.shape == "circle")
        fitted = [(x, y, *self._fit(kind, w, h, 0.96)) for kind, (x, y, w, h) in zip(codes, rects, strict=True)]
        return [self._piece(kind, *rect) for kind, rect in zip(codes, fitted, strict=True)]

    def _inside(self, family: Family, spot: Pitch) -> Rect:
        """Return the part of a box that pieces may lie on; of a circle, all of it."""
        shape = family.drawn.shape
        one_kind = len(family.place.kinds) == 1
        if shape in ("circle", "hexagon"):
            low = 0.22 if one_kind else 0.0  # room for the number of pieces
            return spot.x, spot.y - low / 2, spot.w * 0.96 - low, spot.h * 0.96 - low
        low = 0.32 if one_kind else 0.0
        return spot.x, spot.y - low / 2, spot.w - 0.12, spot.h - 0.12 - low

    def _stacked(self, family: Family, spot: Pitch, lying: list[tuple[int, int]], seen: bool) -> list[Data]:
        """Return the upper pieces of a stack, the top one last."""
        w, h = family.piece
        shown: list[int | None] = [kind for kind, _ in lying]
        if not seen:
            shown = [self.game.shown(family.place.name, kind) for kind, _ in lying]
            shown = [None if code == syntax.NONE else code for code in shown]
        upper = shown[-LAYERS:]
        layers = min(max(family.room(spot.index), 1), LAYERS)
        x, base = (
            spot.x - self.panels.figures.beside_stack(family, spot.index) / 2,
            spot.y + SHIFT * (layers - 1) / 2,
        )
        placed = []
        for i, code in enumerate(upper):
            wide, high = (w * FULL, h * FULL) if not seen or code is None else self._fit(code, w, h)
            n = len(lying) if i == len(upper) - 1 and (len(lying) > LAYERS or not seen) else 0
            placed.append(self._piece(code, x, base - i * SHIFT, wide, high, n, back=not seen))
        return placed

    def _fit(self, kind: int, w: float, h: float, full: float = FULL) -> tuple[float, float]:
        """Return the size of a piece in a space."""
        own_w, own_h = self.signs.size(kind)
        scale = min(w / own_w, h / own_h) * full
        return own_w * scale, own_h * scale

    def _piece(self, code: int | None, x: float, y: float, w: float, h: float, n: int = 0, back: bool = False) -> Data:
        """Return one piece, or one for n of its kind."""
        piece: Data = {"kind": None, "x": _r(x), "y": _r(y), "w": _r(w), "h": _r(h)}
        if code is not None:
            piece["kind"] = self.model.value_name(code)
        if n:
            piece["n"] = n
        if back:
            piece["back"] = True
        return piece

    def _turned(self, family: Family, index: tuple[int, ...], kind: int) -> Data:
        """Return the marks of a piece that is turned: they change places, and their letters stay as they are."""
        degrees = self.game.drawn(self.state, ("layout", family.place.name, "turn"), *index)
        face = self.signs.face(self.state, kind)
        entry, _ = self.signs.drawn(kind)
        if not isinstance(degrees, int) or degrees >= syntax.NONE or not face or entry is None:
            return {}
        across = entry.across or len(face)
        rows = [face[i : i + across] for i in range(0, len(face), across)]
        for _ in range(degrees // 90 % 4):
            rows = [list(row) for row in zip(*reversed(rows), strict=False)]
        return {"face": [mark for row in rows for mark in row], "across": len(rows[0])}

    # moves -----------------------------------------------------------------------------------------------

    def moves(self) -> list[Fixed]:
        """Return every legal move: how it is written, in words, and what it touches."""
        found, drawn = [], self.painter.moves
        for move in self.game.legal_moves(self.state):
            touches = tuple(self.game.touches(self.state, move))
            written = str(move)
            words = self._words(move) if self.painter.text_varies(move.name) else None
            key = (written, touches, None if words is None else repr(words), self.state.to_move)
            known = drawn.get(key)
            if known is None:
                touch = {touch_id(self.model, t): t.rank for t in touches if not t.count}
                several = {touch_id(self.model, t): t.count for t in touches if t.count}
                text = self._words(move) if words is None else words
                known = Fixed({"do": written, "text": text, "touch": touch, "several": several})
                self.painter.keep(drawn, key, known)
            found.append(known)
        return found

    def _words(self, move: Move) -> list[str | Data]:
        """Return a move in the author's words, members with signs apart."""
        template = self.model.moves[move.name].text
        values = iter(self.game.text_values(self.state, move))
        secret = iter(self.painter.secret_parts(move.name))
        out: list[str | Data] = []
        for part in template.parts:
            if isinstance(part, str):
                out.append(part)
                continue
            value = next(values)
            if next(secret):
                out.append(HIDDEN)
            elif isinstance(part.type, syntax.Values) and value > syntax.NONE and self.has_sign(value):
                out.append({"kind": self.model.value_name(value), "text": self.game.notation.label(value, part.type)})
            else:
                out.append(self.game.notation.label(value, part.type))
        return _joined(out)


def touch_id(model: syntax.Model, touch: Pointed) -> str:
    """Return the id of what a move touches: of a thing, or of the pieces of one kind on it."""
    place = named(model, touch.family, touch.index)
    return place if touch.kind is None else f"{place}/{model.value_name(touch.kind)}"


def _joined(parts: list[str | Data]) -> list[str | Data]:
    """Return the parts with neighbouring texts made one."""
    out: list[str | Data] = []
    for part in parts:
        if isinstance(part, str) and out and isinstance(out[-1], str):
            out[-1] += part
        elif part != "":
            out.append(part)
    return out


def area_id(player: int | None) -> str:
    """Return the id of a player's area, or of the table."""
    return "table" if player is None else f"player {player}"


def _block(id: str, w: float, h: float, things: list[Fixed], small: bool, title: str = "") -> Data:
    words = [_title(title)] if title else []
    return {
        "id": id,
        "own": False,
        "w": _r(w),
        "h": _r(h),
        "small": small,
        "words": words,
        "things": things,
        "marks": [],
    }


def _caption(word: Caption) -> Data:
    x, y, size = _r(word.x), _r(word.y), _r(word.size)
    return {"text": word.text, "x": x, "y": y, "size": size, "anchor": word.anchor, "title": word.title}


def _title(text: str) -> Data:
    return {"text": text, "x": 0.0, "y": _r(TITLE / 2 - 0.05), "size": NAME, "anchor": "start", "title": True}


def _box(spot: Pitch) -> Box:
    return spot.x - spot.w / 2, spot.y - spot.h / 2, spot.x + spot.w / 2, spot.y + spot.h / 2


def _moved(piece: Data, x: float, y: float) -> Data:
    return {**piece, "x": _r(piece["x"] + x), "y": _r(piece["y"] + y)}


def _packed(inside: Rect, n: int, size: tuple[float, float], circle: bool = False) -> list[Rect]:
    """Return where n pieces lie in rows on an area, as large as fits, but no larger than they are."""
    if not n:
        return []
    x, y, wide, high = inside
    w, h = size

    def scale(c: int) -> float:
        rows = -(-n // c)
        if circle:
            return min(1.0, min(wide, high) / math.hypot(c * w, rows * h))
        return min(1.0, wide / (c * w), high / (rows * h))

    across = max(range(1, n + 1), key=lambda c: (round(scale(c), 6), -abs(c * w - -(-n // c) * h), -c))
    by, rows = scale(across), -(-n // across)
    placed = []
    for i in range(n):
        row, column = divmod(i, across)
        inside_row = min(across, n - row * across)
        placed.append(
            (x + (column - (inside_row - 1) / 2) * w * by, y + (row - (rows - 1) / 2) * h * by, w * by, h * by)
        )
    return placed


def _r(number: float) -> float:
    """Return a coordinate, rounded to what can be seen."""
    return float(round(number, 2)) + 0.0
