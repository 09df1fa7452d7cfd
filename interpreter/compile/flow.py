"""The blocks of a program → the steps of one whole game, from its beginning to its end, in branches and loops.

Blocks jump, since a game may be left at any decision and resumed there. A game that is played at once needs no jumps: a procedure
is written wherever it is called, so that each return leads to one place, and where ways part and meet again is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from interpreter.compile import program as p
from interpreter.compile.program import Body, Program

MOST_POINTS = 250  # in a flow: larger ones take too long to print and to compile
MOST_WRITTEN = 2 * MOST_POINTS  # steps: what leads out of a loop is written wherever it does


@dataclass(frozen=True, slots=True)
class Running:
    """The body of a block."""

    block: int


@dataclass(frozen=True, slots=True)
class Forking:
    """Two ways, by the test at the end of a block."""

    block: int
    then: Steps
    other: Steps


@dataclass(frozen=True, slots=True)
class Deciding:
    """A decision, and what is done where it leads to another block than the one after it, by that block."""

    block: int
    ways: Mapping[int, Steps]


@dataclass(frozen=True, slots=True)
class Repeating:
    steps: Steps


@dataclass(frozen=True, slots=True)
class Leaving:
    """Leaves the innermost loop."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """Begins the next pass of the innermost loop."""


FlowStep = Running | Forking | Deciding | Repeating | Leaving | Beginning
Steps = tuple[FlowStep, ...]


def flow_of(program: Program) -> Steps | None:
    """Return the steps of a whole game; None where they would be too many, or do not nest."""
    try:
        return _Flow(program).steps()
    except _Unstructured:
        return None


def return_slots(program: Program) -> frozenset[int]:
    """Return the slots that hold a block to return to: a flow reads none of them."""
    return frozenset(b.end.slot for b in program.blocks if isinstance(b.end, p.GoBack))


def frame_slots(program: Program) -> frozenset[int]:
    """Return the slots of procedures and moves under way: 0 at the beginning and the end, and set before they are read."""
    leaving = [s for b in program.blocks if isinstance(b.end, p.GoBack) for s in b.body if isinstance(s, p.Clear)]
    return frozenset(slot for s in leaving for slot in range(s.at, s.at + s.many))


class _Unstructured(Exception):
    """The blocks lead to each other in a way that branches and loops cannot say, or are too many."""


@dataclass(frozen=True, slots=True)
class _Point:
    """A block, and the blocks that procedures under way will return to, by their slots."""

    block: int
    returns: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class _Loop:
    head: _Point
    leave: _Point  # where it leads to in the end
    inside: frozenset[_Point]


class _Flow:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.begin = _Point(program.begin)
        self.slots = return_slots(program)
        self.written = 0  # steps
        self.next: dict[_Point, tuple[_Point, ...]] = {}
        self._find_points()
        self.meets = self._meeting_points()

    def steps(self) -> Steps:
        return tuple(self._steps(self.begin, None, None))

    # points ----------------------------------------------------------------------------------------------

    def _find_points(self) -> None:
        waiting = [self.begin]
        while waiting:
            point = waiting.pop()
            if point in self.next:
                continue
            self.next[point] = self._following(point)
            waiting += self.next[point]
            if len(self.next) > MOST_POINTS:
                raise _Unstructured

    def _following(self, point: _Point) -> tuple[_Point, ...]:
        """Return the points that a point leads to: of a decision, first the one after it."""
        block = self.program.blocks[point.block]
        returns = self._stored(point.returns, block.body)
        match block.end:
            case p.Goto(block=to):
                return (self._at(to, returns),)
            case p.Branch(then=then, other=other):
                return self._at(then, returns), self._at(other, returns)
            case p.GoBack(slot=slot):
                if slot not in returns:
                    raise _Unstructured
                to = returns.pop(slot)
                return (self._at(to, returns),)
            case p.End():
                return ()
            case p.Wait():
                return tuple(self._decided(point.block, self.program.decisions[point.block], returns))
        raise AssertionError(block.end)

    def _decided(self, block: int, d: p.Decision, returns: dict[int, int]) -> Iterator[_Point]:
        yield self._at(d.after, returns)
        if isinstance(d, p.Ask):
            if d.otherwise is not None:
                yield self._at(d.otherwise, returns)
            for option in d.options:
                if option.play is None:
                    again = {} if option.again is None else {option.again: block}
                    yield self._at(option.entry, {**returns, option.back: d.after, **again})

    def _stored(self, returns: tuple[tuple[int, int], ...], body: Body) -> dict[int, int]:
        """Return the blocks to return to after a body has run."""
        found = dict(returns)
        for s in body:
            match s:
                case p.Store(at=p.Const(value=slot), value=p.Const(value=block)) if slot in self.slots:
                    found[slot] = block
                case p.Clear():
                    for slot in range(s.at, s.at + s.many):
                        found.pop(slot, None)
        return found

    def _at(self, block: int, returns: dict[int, int]) -> _Point:
        return _Point(block, tuple(sorted(returns.items())))

    # where ways meet -------------------------------------------------------------------------------------

    def _meeting_points(self) -> dict[_Point, _Point]:
        """Return, for each point but the last, the first one that all ways from it come to."""
        points = list(self.next)
        number = {point: i for i, point in enumerate(points)}
        everywhere = (1 << len(points)) - 1
        passed = [everywhere] * len(points)  # the points that all ways from a point pass, itself included, as bits
        changed = True
        while changed:
            changed = False
            for i in reversed(range(len(points))):
                common = everywhere
                for to in self.next[points[i]]:
                    common &= passed[number[to]]
                if not self.next[points[i]]:
                    common = 0
                if (found := common | 1 << i) != passed[i]:
                    passed[i], changed = found, True
        meets: dict[_Point, _Point] = {}
        for i, point in enumerate(points):
            others = passed[i] & ~(1 << i)
            # the first one on every way is the one from which all the others are still to come
            for j in range(len(points)):
                if others >> j & 1 and passed[j] == others:
                    meets[point] = points[j]
        return meets

    # steps -----------------------------------------------------------------------------------------------

    def _steps(self, point: _Point, stop: _Point | None, loop: _Loop | None) -> Iterator[FlowStep]:
        """Yield the steps from a point to another one, or to the end of the game."""
        while point != stop:
            if loop is not None and point == loop.head:
                yield Beginning()
                return
            if loop is not None and point not in loop.inside:
                yield from self._on_the_way_out(point, loop)
                yield Leaving()
                return
            if (opened := self._loop(point, loop)) is not None:
                yield Repeating(tuple(self._pass(opened)))
                point = opened.leave
                continue
            yield from self._one(point, loop)
            if not self.next[point]:
                return
            point = self._meeting(point)

    def _on_the_way_out(self, point: _Point, loop: _Loop) -> Iterator[FlowStep]:
        """Yield the steps from a point to where a loop leads in the end: from the point on, the loop is never begun again."""
        if point == loop.leave:
            return
        between = self._reached(point, frozenset(self.next) - {loop.leave}) | {point}
        if loop.head in between:
            raise _Unstructured
        yield from self._steps(point, loop.leave, _Loop(loop.head, loop.leave, frozenset(between)))

    def _pass(self, loop: _Loop) -> Iterator[FlowStep]:
        """Yield the steps of a loop."""
        steps = [*self._one(loop.head, loop), *self._steps(self._meeting(loop.head), loop.head, loop)]
        match steps:
            case [Forking(block, (*then, Beginning()), ()), Leaving()]:  # it goes on, or is left, at its head
                yield Forking(block, (), (Leaving(),))
                yield from then
            case _:
                yield from steps

    def _one(self, point: _Point, loop: _Loop | None) -> Iterator[FlowStep]:
        """Yield the step of a point, with all ways from it up to where they meet."""
        following = self.next[point]
        self.written += 1
        if self.written > MOST_WRITTEN:
            raise _Unstructured
        if not following:
            yield Running(point.block)
            return
        stop = self._meeting(point)
        if isinstance(self.program.blocks[point.block].end, p.Wait):
            after, *others = following
            if after != stop:
                raise _Unstructured
            yield Deciding(point.block, {to.block: tuple(self._steps(to, stop, loop)) for to in others if to != after})
        elif len(following) == 2:
            then, other = (tuple(self._steps(to, stop, loop)) for to in following)
            yield Forking(point.block, then, other)
        else:
            yield Running(point.block)

    def _meeting(self, point: _Point) -> _Point:
        if point not in self.meets:
            raise _Unstructured
        return self.meets[point]

    def _loop(self, head: _Point, around: _Loop | None) -> _Loop | None:
        """Return the loop that begins at a point; None if none does."""
        inside = frozenset(self.next) if around is None else around.inside - {around.head}
        forward = self._reached(head, inside)
        back: dict[_Point, list[_Point]] = {}
        for point in forward | {head}:
            for to in self.next[point]:
                back.setdefault(to, []).append(point)
        found, waiting = {head}, list(back.get(head, ()))
        if not waiting:
            return None
        while waiting:
            point = waiting.pop()
            if point not in found:
                found.add(point)
                waiting += back.get(point, ())
        leave = head
        while leave in found:  # what all ways come to, beyond the loop
            leave = self._meeting(leave)
        return _Loop(head, leave, frozenset(found))

    def _reached(self, point: _Point, inside: frozenset[_Point]) -> set[_Point]:
        found: set[_Point] = set()
        waiting = list(self.next[point])
        while waiting:
            to = waiting.pop()
            if to in inside and to not in found:
                found.add(to)
                waiting += self.next[to]
        return found
