"""Where everything lies on the state vector: one fixed-length list of small whole numbers.

    [block to run next | the place nowhere | places | variables | frames of suspended steps]

A pile is a count for each kind (and a total, where its room is limited), a cell is one kind or none, a stack is its
height and then its pieces from the bottom up. Reading nowhere is reading a pile, cell or stack that is always empty.

In a game that remembers, the vector has one entry more, which is no number: a tuple of all that was noted. Only `remember` and
`repeats` look at it, so everything that is about numbers is as in other games.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from rulespec.syntax import NONE, Act, Model, Place, Values, Variable, remembered

Kept = tuple[Act | None, str]  # a parameter with its steps or move; a local name without

NOTHING_NOTED: Any = ()  # the entry of a vector that is no number
BLOCK = 0  # the slot that holds the block to run next


@dataclass(frozen=True, slots=True)
class PlaceLayout:
    place: Place
    base: int  # address of the first place of the family
    width: int
    slots: dict[int, int]  # kind → offset (piles)
    total: int | None  # offset of the total (piles with room)

    def address(self, number: int) -> int:
        return self.base + number * self.width

    @property
    def end(self) -> int:
        return self.base + self.width * self.place.size


@dataclass(frozen=True, slots=True)
class VariableLayout:
    variable: Variable
    base: int


@dataclass(frozen=True, slots=True)
class HeldAnswers:
    """Where the answers of players lie who decide in the same position, until all of them have answered.

    An answer is the place of its move among those of the ask, from 1, and what was chosen; 0 is no answer yet.
    """

    asked: tuple[int, ...] | None  # the players, in their order; None: they lie in the state, their number before them,
    list_at: int  # here
    player: int  # the slot of the one who is to decide,
    position: int  # and of the place of that one among them, from 1
    base: int  # the first answer, that of player 1
    width: int  # of each
    players: int  # in the game
    moves: tuple[str, ...]  # of the ask
    choices: tuple[tuple[int | None, ...], ...]  # of each move: how many pieces chosen together; None: one value

    def order(self, vector: Sequence[int]) -> tuple[int, ...]:
        """Return the players who are asked, in their order."""
        if self.asked is not None:
            return self.asked
        return tuple(vector[self.list_at + 1 : self.list_at + 1 + vector[self.list_at]])

    @property
    def slots(self) -> range:
        """All slots of answers."""
        return range(self.base, self.base + self.width * self.players)

    def undecided(self, vector: Sequence[int]) -> tuple[int, ...]:
        """Return the players who have not answered yet, in their order, where one of them is to decide."""
        return self.order(vector)[vector[self.position] - 1 :]

    def slot(self, player: int) -> int:
        """Return where the answer of a player lies."""
        return self.base + (player - 1) * self.width

    def at(self, vector: Sequence[int], player: int) -> list[int]:
        """Return a position that waits for one of those who have not answered, as it is for another one."""
        changed = list(vector)
        changed[self.player], changed[self.position] = player, self.order(vector).index(player) + 1
        return changed

    def answer(self, vector: Sequence[int], player: int) -> tuple[str, tuple[int | tuple[int, ...], ...]] | None:
        """Return the move of a player who has answered, and what was chosen; None if there is none."""
        at = self.slot(player)
        number = vector[at] - 1
        if not 0 <= number < len(self.moves):
            return None
        chosen: list[int | tuple[int, ...]] = []
        at += 1
        for many in self.choices[number]:
            chosen.append(vector[at] if many is None else tuple(vector[at : at + many]))
            at += 1 if many is None else many
        return self.moves[number], tuple(chosen)


@dataclass(slots=True)
class Layout:
    places: dict[str, PlaceLayout] = field(default_factory=dict)
    variables: dict[str, VariableLayout] = field(default_factory=dict)
    nowhere: int = 1  # an empty pile or stack
    nowhere_cell: int = 1
    pieces: int = 0  # how many there are
    start: list[int] = field(default_factory=list)  # the vector before `setup`
    size: int = 0
    frames: dict[int, str] = field(default_factory=dict)  # slot → what it holds, for the printed source
    in_moves: list[int] = field(default_factory=list)  # slots that are not 0 while a move waits for a decision in it
    kept: dict[Kept, int] = field(default_factory=dict)  # a name of suspended steps → a slot of its value
    held: dict[int, HeldAnswers] = field(default_factory=dict)  # by the block of an ask of several players

    remembered: list[tuple[str, ...]] = field(default_factory=list)  # what is noted together, by its number

    @property
    def remembers(self) -> bool:
        """Whether a position has one entry more, behind its numbers: what was noted, one tuple each."""
        return bool(self.remembered)

    def noted(self, names: tuple[str, ...]) -> tuple[int, tuple[tuple[int, int], ...]]:
        """Return under which number whole places and variables are noted together, and where they lie."""
        return self.remembered.index(names), tuple(map(self._stretch, names))

    def noted_size(self, names: tuple[str, ...]) -> int:
        """Return how many numbers are noted of these together."""
        return sum(end - first for first, end in map(self._stretch, names))

    def _stretch(self, name: str) -> tuple[int, int]:
        if name in self.places:
            return self.places[name].base, self.places[name].end
        lay = self.variables[name]
        return lay.base, lay.base + len(lay.variable.starts)

    def slot(self, what: str) -> int:
        """Return a new slot for a suspended step."""
        at = self.size
        self.frames[at] = what
        self.start.append(0)
        self.size += 1
        return at

    def nowhere_of(self, family: str) -> int:
        return self.nowhere_cell if self.places[family].place.shape == "cell" else self.nowhere


def lay_out(model: Model) -> Layout:
    layout = Layout()
    widths = [_width(p) for p in model.places.values()]
    vector = [0] * (1 + max(widths, default=1))
    layout.nowhere_cell = len(vector)
    layout.pieces = sum(supply.count for supply in model.pieces)
    vector.append(NONE)
    for place in model.places.values():
        layout.places[place.name] = _lay_place(place, len(vector))
        empty = NONE if place.shape == "cell" else 0
        vector += [empty] * (place.size * _width(place))
    for variable in model.variables.values():
        layout.variables[variable.name] = VariableLayout(variable, len(vector))
        vector += variable.starts
    layout.start, layout.size = vector, len(vector)
    layout.remembered = remembered(model)
    for supply in model.pieces:
        put(layout, vector, supply.place, supply.number, supply.kind, supply.count)
    return layout


def _width(place: Place) -> int:
    if place.shape == "cell":
        return 1
    if place.shape == "stack":
        return 1 + max(place.rooms, default=0)
    return len(place.kinds) + (1 if _has_total(place) else 0)


def _has_total(place: Place) -> bool:
    return place.shape == "pile" and any(room >= 0 for room in place.rooms)


def _lay_place(place: Place, base: int) -> PlaceLayout:
    slots = {kind: i for i, kind in enumerate(sorted(place.kinds))} if place.shape == "pile" else {}
    return PlaceLayout(place, base, _width(place), slots, len(place.kinds) if _has_total(place) else None)


def put(layout: Layout, vector: list[int], family: str, number: int, kind: int, count: int) -> None:
    """Put pieces on a place of a position that is being set up; it must have room."""
    lay = layout.places[family]
    at = lay.address(number)
    if lay.place.shape == "cell":
        if count:
            assert count == 1 and vector[at] == NONE
            vector[at] = kind
    elif lay.place.shape == "stack":
        for _ in range(count):
            vector[at] += 1
            vector[at + vector[at]] = kind
    else:
        vector[at + lay.slots[kind]] += count
        if lay.total is not None:
            vector[at + lay.total] += count


def contents(layout: Layout, vector: list[int] | tuple[int, ...], family: str, number: int) -> list[tuple[int, int]]:
    """Return what lies on a place: (kind, how many) in the order of its kinds; a stack piece by piece from the bottom."""
    lay = layout.places[family]
    return contents_at(lay, vector, lay.address(number))


def contents_at(lay: PlaceLayout, numbers: Sequence[int], at: int) -> list[tuple[int, int]]:
    """Return the same for a place of a family that begins at an address of a position, or of a part of one."""
    if lay.place.shape == "cell":
        return [(numbers[at], 1)] if numbers[at] != NONE else []
    if lay.place.shape == "stack":
        return [(numbers[at + 1 + i], 1) for i in range(numbers[at])]
    return [(k, numbers[at + lay.slots[k]]) for k in lay.place.kinds if numbers[at + lay.slots[k]]]


def note(number: int, values: Iterable[int]) -> tuple[int, ...]:
    """Return what is noted of a position: first a number by which most others are seen to be different at once."""
    found = (number, *values)
    return (hash(found), *found)


def lies(layout: Layout, vector: Sequence[int], family: str, number: int, kind: int | None) -> bool:
    """Return whether a piece of a kind, or for None any piece, lies on a place; of a stack the top one counts."""
    lay = layout.places[family]
    at = lay.address(number)
    if kind is not None and lay.place.shape == "pile":
        slot = lay.slots.get(kind)
        return slot is not None and vector[at + slot] > 0
    if lay.place.shape == "cell":
        return vector[at] != NONE if kind is None else vector[at] == kind
    if lay.place.shape == "stack":
        return vector[at] > 0 and kind in (None, vector[at + vector[at]])
    return any(vector[at + slot] for slot in lay.slots.values())


def variable(layout: Layout, vector: Sequence[int], name: str, index: Sequence[int]) -> int:
    """Return the value of a variable, as a code."""
    lay = layout.variables[name]
    at = 0
    for values, i in zip(lay.variable.index_values, index, strict=True):
        at = at * len(values) + values.index(i)
    return vector[lay.base + at]


def possible_values(model: Model, variable: Variable) -> list[int]:
    """Return all values that a variable can have, as codes."""
    t = variable.type
    if not isinstance(t, Values):
        return [0, 1]
    home = model.sets.get(t.home)
    codes = [*home.values] if home is not None else sorted(t.members)
    if home is None and t.lo is not None and t.hi is not None:
        codes = [*range(t.lo, t.hi + 1), *codes]
    return [*codes, *([NONE] if t.none else [])]


def runs_of(slots: list[int]) -> list[tuple[int, int]]:
    """Return slots as runs (first, after the last)."""
    runs: list[tuple[int, int]] = []
    for slot in sorted(slots):
        if runs and runs[-1][1] == slot:
            runs[-1] = (runs[-1][0], slot + 1)
        else:
            runs.append((slot, slot + 1))
    return runs
