"""The slots of the state that an address can mean, more exactly than from its least to its largest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from interpreter.compile import program as p
from interpreter.compile.program import Num

Stretch = tuple[int, int]  # from a number to another one
MOST = 8  # stretches that are told apart


def stretches(e: Num, values: Mapping[int, Sequence[Num] | None]) -> tuple[Stretch, ...]:
    """Return where a number lies. `values`: what locals are set to, as far as that is known."""
    return tuple(sorted(_of(e, values, frozenset())))


def _of(e: Num, values: Mapping[int, Sequence[Num] | None], open_locals: frozenset[int]) -> set[Stretch]:
    every = {(e.lo, e.hi)}
    found: set[Stretch]
    match e:
        case p.Var():
            known = values.get(e.number)
            if not known or e.number in open_locals:
                return every
            found = {s for value in known for s in _of(value, values, open_locals | {e.number})}
        case p.Known():
            found = _of(e.of, values, open_locals)
        case p.Select():
            found = _of(e.then, values, open_locals) | _of(e.other, values, open_locals)
        case p.Bin(op="+" | "-" | "*", left=left, right=right):
            found = set()
            for a, b in _of(left, values, open_locals):
                for c, d in _of(right, values, open_locals):
                    match e.op:
                        case "+":
                            found.add((a + c, b + d))
                        case "-":
                            found.add((a - d, b - c))
                        case _:
                            ends = (a * c, a * d, b * c, b * d)
                            found.add((min(ends), max(ends)))
        case _:
            return every
    found = {(max(lo, e.lo), min(hi, e.hi)) for lo, hi in found if lo <= e.hi and hi >= e.lo}
    return found if 0 < len(found) <= MOST else every
