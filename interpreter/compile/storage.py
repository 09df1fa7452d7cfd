"""Where the C keeps the lists of a function: most are seen by nobody else, and need no memory of the heap.

A list that never leaves its function is an array of its own. One that only tells which of a few numbers came up is the bits of
one number; one that is also asked whether a number is in it, and can hold only a few, has such bits beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeGuard

from interpreter.compile import program as p
from interpreter.compile.program import Body, List, ListVar, Num, Statement

OWN = 128  # numbers of a list that is an array of its own
BITS = 64


@dataclass(frozen=True, slots=True)
class Storage:
    own: frozenset[int]  # lists that are arrays of their function's,
    bits: frozenset[int]  # those that are bits,
    known: frozenset[int]  # and those arrays that have bits beside them


NOWHERE = Storage(frozenset(), frozenset(), frozenset())


def storage_of(body: Body, parameters: tuple[object, ...] = ()) -> Storage:
    """Return where the lists of a function or block can be kept."""
    made: dict[int, ListVar] = {}
    own: set[int] = set()
    bits: set[int] = set()
    lost = {v.number for v in parameters if isinstance(v, ListVar)}  # kept by somebody else
    counted: set[int] = set()  # of which more than bits is asked
    put: set[int] = set()  # whose numbers change
    asked: set[List] = set()  # whether a number is in it
    for s in p.statements(body):
        match s:
            case p.NewList():
                made[s.var.number] = s.var
                (bits if s.zeros else own).add(s.var.number)
                if s.zeros > BITS:
                    lost.add(s.var.number)
            case p.SetList() | p.Ways() | p.Once():
                lost.add(s.var.number)
            case p.Push():
                counted.add(s.var.number)
            case p.Put():
                put.add(s.var.number)
                if s.value != p.ONE:
                    counted.add(s.var.number)
        for e, how in _uses(s):
            if isinstance(e, ListVar):
                if how == "leaves":
                    lost.add(e.number)
                elif how == "whole":
                    counted.add(e.number)
        asked |= {e.of for operand in p.operands(s) for e in p.walk(operand) if in_few(e)}
    small = {n for n, v in made.items() if 0 < v.longest * v.width <= OWN}
    arrays = frozenset(own & small) - bits - lost
    return Storage(
        arrays, frozenset(bits - own - counted - lost), arrays & {n for n, v in made.items() if v in asked} - put
    )


def in_few(e: Num | List) -> TypeGuard[p.InList]:
    """Return whether e asks for a number in a list of the function that holds one of these few numbers alone."""
    match e:
        case p.InList(item=item, of=ListVar() as of):
            return of.width == 1 and of.hi - of.lo < BITS and of.lo <= item.lo and item.hi <= of.hi
    return False


def _uses(s: Statement) -> Iterator[tuple[Num | List, str]]:
    """Yield the lists in a statement, and how they are used: an item, the whole, or so that they leave the function."""
    match s:
        case p.SetList() | p.Return():
            if s.value is not None:
                yield s.value, "leaves"
        case p.Group():
            yield from ((v, "whole") for v in s.first)
            if s.last is not None:
                yield s.last, "leaves"
        case _:
            yield from ((v, "whole") for v in p.operands(s))
    for operand in p.operands(s):
        for e in p.walk(operand):
            match e:
                case p.Item():
                    yield e.of, "item"
                case p.ListCall():
                    yield from ((v, "leaves") for v in e.args)
                case p.Call():
                    yield from ((v, "whole") for v in e.args)
                case p.Len() | p.InList():
                    yield e.of, "whole"
