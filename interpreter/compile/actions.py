"""Every move that a game could ever have, numbered: the same number is the same move in every position.

Programs that learn want a fixed set of actions with a mask of the legal ones. The moves of a game are numbered in the
order of the rule file, each with all combinations of the values that its choices could take; pieces chosen together
count as one value, one for each way to take them. Many of these are never legal. A game whose numbers would not fit
into `MOST_ACTIONS` has none; an action is then the index of a move in the list of legal ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

from interpreter.layout import Layout
from rulespec.expr.static import Undefined, evaluate, is_static
from rulespec.syntax import LARGEST, NONE, Choice, Model, MoveRule, PlaceOf, Several, Values, YesNo

MOST_ACTIONS = LARGEST  # numbers of 32 bits hold them
MOST_WAYS = 1 << 16  # entries of the table that numbers the ways to choose pieces together


@dataclass(frozen=True, slots=True)
class Stretch:
    """The codes first, first + step, …: `many` of them."""

    first: int
    step: int
    many: int

    @property
    def last(self) -> int:
        return self.first + (self.many - 1) * self.step


@dataclass(frozen=True, slots=True)
class OneOf:
    """The values of a choice."""

    stretches: tuple[Stretch, ...]

    @property
    def many(self) -> int:
        return sum(s.many for s in self.stretches)

    def rank(self, code: int) -> int:
        before = 0
        for s in self.stretches:
            if s.first <= code <= s.last and (code - s.first) % s.step == 0:
                return before + (code - s.first) // s.step
            before += s.many
        raise ValueError(code)

    def value(self, rank: int) -> int:
        for s in self.stretches:
            if rank < s.many:
                return s.first + rank * s.step
            rank -= s.many
        raise ValueError(rank)


@dataclass(frozen=True, slots=True)
class Together:
    """The ways to choose pieces together: least..most in all, at most `each` of each kind, starting with most of the first kind.

    `ways[k][h]` is how many there are to take of the kinds from number k on where at most h may be taken, and at least as
    many fewer as `least` is below `most`.
    """

    each: tuple[int, ...]
    least: int
    most: int
    ways: tuple[tuple[int, ...], ...]

    @property
    def many(self) -> int:
        return self.ways[0][self.most]

    def rank(self, counts: Sequence[int]) -> int:
        found, left = 0, self.most
        for k, (n, cap) in enumerate(zip(counts, self.each, strict=True)):
            if not 0 <= n <= min(cap, left):
                raise ValueError(counts)
            found += sum(self.ways[k + 1][left - d] for d in range(n + 1, min(cap, left) + 1))
            left -= n
        if self.most - left < self.least:
            raise ValueError(counts)
        return found

    def value(self, rank: int) -> tuple[int, ...]:
        found, left = [], self.most
        for k, cap in enumerate(self.each):
            n = min(cap, left)
            while rank >= self.ways[k + 1][left - n]:
                rank -= self.ways[k + 1][left - n]
                n -= 1
            found.append(n)
            left -= n
        return tuple(found)


Domain = OneOf | Together


@dataclass(frozen=True)
class Actions:
    """The numbers of all moves: those of move m begin at `first[m]`; the last choice runs fastest."""

    domains: tuple[tuple[Domain, ...], ...]  # of each move's choices

    @cached_property
    def first(self) -> tuple[int, ...]:
        out = [0]
        for domains in self.domains:
            out.append(out[-1] + prod(d.many for d in domains))
        return tuple(out)

    @property
    def many(self) -> int:
        return self.first[-1]

    def number(self, move: int, args: Sequence[Any]) -> int:
        """Return the number of a move; ValueError if none has it."""
        at = 0
        for domain, value in zip(self.domains[move], args, strict=True):
            at = at * domain.many + domain.rank(value)
        return self.first[move] + at

    def move(self, number: int) -> tuple[int, tuple[Any, ...]]:
        """Return the move with a number: which one of the file, and what is chosen; ValueError if there is none."""
        if not 0 <= number < self.many:
            raise ValueError(number)
        move = next(m for m in range(len(self.domains)) if number < self.first[m + 1])
        at, args = number - self.first[move], []
        for domain in reversed(self.domains[move]):
            at, rank = divmod(at, domain.many)
            args.append(domain.value(rank))
        return move, tuple(reversed(args))


def number_actions(model: Model, layout: Layout) -> Actions | None:
    """Return the numbers of all moves of a game; None if there are too many."""
    supply: dict[int, int] = {}
    for s in model.pieces:
        supply[s.kind] = supply.get(s.kind, 0) + s.count
    found, total = [], 0
    for move in model.moves.values():
        domains = _domains(move, model, layout, supply)
        total += MOST_ACTIONS + 1 if domains is None else prod(d.many for d in domains)
        if domains is None or total > MOST_ACTIONS:
            return None
        found.append(domains)
    return Actions(tuple(found))


def _domains(move: MoveRule, model: Model, layout: Layout, supply: dict[int, int]) -> tuple[Domain, ...] | None:
    out = []
    for choice in move.choices:
        domain = _domain(choice, model, layout, supply)
        if domain is None:
            return None
        out.append(domain)
    return tuple(out)


def _domain(choice: Choice, model: Model, layout: Layout, supply: dict[int, int]) -> Domain | None:
    match choice.type:
        case Several(kinds=kinds):
            assert choice.at_least is not None and choice.at_most is not None
            low, high = choice.at_least.type, choice.at_most.type
            assert isinstance(low, Values) and isinstance(high, Values)
            counts = tuple(supply.get(k, 0) for k in kinds)
            return _together(counts, max(0, low.lo or 0), max(0, high.hi or 0))
        case PlaceOf(family=family):
            lay = layout.places[family]
            return OneOf((Stretch(lay.base, lay.width, lay.place.size),))
        case YesNo():
            return OneOf((Stretch(0, 1, 2),))
        case Values(lo=lo, hi=hi, members=members, none=none):
            if is_static(choice.domain, model.functions):
                try:
                    values = evaluate(choice.domain, {}, model)
                except (Undefined, KeyError):  # it depends on what was chosen before
                    values = None
                if isinstance(values, tuple):
                    return OneOf(tuple(_stretches(dict.fromkeys(values))))
            numbers = [] if lo is None or hi is None else [Stretch(lo, 1, hi - lo + 1)]
            codes = [*sorted(members), *([NONE] if none else [])]
            return OneOf((*numbers, *_stretches(codes)))
        case _:
            return None


def _stretches(codes: Iterable[int]) -> list[Stretch]:
    """Return codes in their order, as few stretches."""
    found: list[Stretch] = []
    for code in codes:
        if found and code == found[-1].last + 1:
            found[-1] = Stretch(found[-1].first, 1, found[-1].many + 1)
        else:
            found.append(Stretch(code, 1, 1))
    return found


def _together(each: tuple[int, ...], least: int, most: int) -> Together | None:
    """Return the ways to take pieces together; None if there are far too many to count."""
    most = min(most, sum(each))
    least = min(least, most)
    if (most + 1) * (len(each) + 1) > MOST_WAYS:
        return None
    span = most - least
    ways = [[1 if h <= span else 0 for h in range(most + 1)]]  # with no kind left, the least must have been reached
    for cap in reversed(each):
        after = ways[0]
        ways.insert(0, [min(2 * LARGEST, sum(after[h - d] for d in range(min(cap, h) + 1))) for h in range(most + 1)])
    return Together(each, least, most, tuple(map(tuple, ways)))
