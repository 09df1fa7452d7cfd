"""What a value of the generated program looks like in C.

Everything is made of cells of 64 bits. A number is one cell, a tuple a run of cells, a list a header and a growing
run of cells. The shape of every local name is found by going through the program until nothing new is learnt.
"""

from __future__ import annotations

from dataclasses import dataclass


class Untranslatable(Exception):
    """Something the C emitter does not know; the program then runs in Python."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nothing was learnt yet."""


@dataclass(frozen=True, slots=True)
class Int:
    pass


@dataclass(frozen=True, slots=True)
class Null:
    """Python's None."""


@dataclass(frozen=True, slots=True)
class Tup:
    """A fixed number of cells: a pointer to the first."""

    items: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Seq:
    """Any number of items of one shape: a pointer to a header."""

    item: Shape


@dataclass(frozen=True, slots=True)
class Map:
    """A dict made in play: from a number or tuple to a list."""

    key: Shape
    item: Shape


@dataclass(frozen=True, slots=True)
class Node:
    """A dict inside a table known at load: its number among those of its level."""

    table: str
    level: int


@dataclass(frozen=True, slots=True)
class Groups:
    """A list of groups of legal moves, of the moves with these numbers."""

    moves: frozenset[int]


@dataclass(frozen=True, slots=True)
class Picked:
    """Chosen values of one of several moves: cells whose shape depends on the move. `part`: first or last."""

    part: str
    moves: frozenset[int]


Shape = Unknown | Int | Null | Tup | Seq | Map | Node | Groups | Picked

INT, UNKNOWN, NULL = Int(), Unknown(), Null()


def join(a: Shape, b: Shape) -> Shape:
    """The shape that holds both."""
    match a, b:
        case _ if a == b:
            return a
        case (Unknown(), _) | (Null(), Seq()):
            return b
        case (_, Unknown()) | (Seq(), Null()):
            return a
        case Tup(), Tup() if len(a.items) == len(b.items):
            return Tup(tuple(join(x, y) for x, y in zip(a.items, b.items, strict=True)))
        case (Tup(), Tup()) | (Seq(), Seq()) | (Tup(), Seq()) | (Seq(), Tup()):
            return Seq(join(item_of(a), item_of(b)))
        case Map(), Map():
            return Map(join(a.key, b.key), join(a.item, b.item))
        case Groups(), Groups():
            return Groups(a.moves | b.moves)
        case (Groups(), Seq(Unknown())):
            return a
        case (Seq(Unknown()), Groups()):
            return b
        case Picked(), Picked() if a.part == b.part:
            return Picked(a.part, a.moves | b.moves)
    raise Untranslatable(f"{a} and {b} under one name")


def item_of(shape: Shape) -> Shape:
    """The shape of what a loop over it gives."""
    match shape:
        case Seq():
            return shape.item
        case Tup():
            found: Shape = UNKNOWN
            for item in shape.items:
                found = join(found, item)
            return found
        case Unknown():
            return UNKNOWN
    raise Untranslatable(f"a loop over {shape}")


def width(shape: Shape) -> int:
    """How many cells an item takes."""
    if isinstance(shape, Tup):
        return sum(width(i) for i in shape.items)
    if isinstance(shape, Int | Seq | Node | Unknown | Null):
        return 1
    raise Untranslatable(f"{shape} in a list")


def c_type(shape: Shape) -> str:
    match shape:
        case Seq() | Null():
            return "seq *"
        case Tup() | Picked():
            return "const I *"
        case Map():
            return "map *"
        case Groups():
            return "groups *"
    return "I "


def on_heap(shape: Shape) -> bool:
    return not isinstance(shape, Int | Node | Unknown)
