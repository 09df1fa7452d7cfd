"""The decisions of chance at a real table: which draws come next, and what they are called."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from interpreter import CHANCE, Fault, Game, Move, Movement, Spot, State, TracedState
from referee.table import texts
from referee.table.wording import Wording
from rulespec import Model, Span, listed, listed_some, syntax

MOST_AHEAD = 400  # decisions of chance to look ahead
MOST_VALUES = 16  # that are listed
MOST_FACES = 40  # pieces that are listed with what is printed on them

Outcomes = list[tuple[Move, int]]
Chooser = Callable[[Outcomes], Move]


class BadDraw(ValueError):
    """A line of draws that cannot be made; the message says why, and what can. `code` is the piece that cannot come."""

    def __init__(self, message: str, code: int | None = None) -> None:
        self.code = code
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Asked:
    """One decision of chance: a piece that goes from one place to another, or a value that is rolled."""

    source: Spot | None
    goal: Spot | None
    roll: str = ""

    @property
    def what(self) -> Spot | str:
        """The subject of a label: the place that is filled, or the roll."""
        return self.goal or self.roll


@dataclass(frozen=True, slots=True)
class PlanPart:
    """Part of what comes next: a number of decisions of chance of one sort, or pieces that move in between."""

    asked: Asked | None
    count: int
    moved: tuple[Movement, ...] = ()
    after: State | None = None
    values: str = ""  # what can be rolled


class Draws:
    """The decisions of chance of one game."""

    def __init__(self, game: Game, wording: Wording) -> None:
        self.game = game
        self.wording = wording

    @cached_property
    def _rolls(self) -> dict[Span, str]:
        return {step.span: step.name for step in _all_steps(self.game.model) if isinstance(step, syntax.RollStep)}

    @cached_property
    def _roll_titles(self) -> dict[str, str]:
        """The names of rolls: like the variable that keeps what came, if there is one, else by their own names."""
        found: dict[str, set[str]] = {}
        for steps in _bodies(self.game.model):
            for i, step in enumerate(steps):
                if isinstance(step, syntax.RollStep):
                    kept = [
                        s.variable for s in steps[i + 1 :] if isinstance(s, syntax.SetStep) and _keeps(s, step.name)
                    ]
                    found.setdefault(step.name, set()).add(self.wording.title(kept[0]) if kept else "")
        return {name: min(titles) for name, titles in found.items() if len(titles) == 1 and min(titles)}

    # what comes next -------------------------------------------------------------------------------------

    def asked(self, state: State, after: State) -> Asked:
        """Return what chance decided between two positions; the draw itself is the first movement."""
        decision = self.game.decision(state)
        assert decision is not None
        if decision.kind == "roll":
            return Asked(None, None, self._rolls[decision.span])
        assert isinstance(after, TracedState)
        return Asked(after.moved[0].source, after.moved[0].goal)

    def next_asked(self, state: State) -> Asked:
        """Return what chance decides next."""
        return self.asked(state, self.game.apply(state, self.game.chances(state)[0][0]))

    def coming(self, state: State) -> list[Asked]:
        """Return all that chance may decide before a player does."""
        runs = [self._ahead(state, choose) for choose in (_likeliest, _rarest, _any())]
        return list(dict.fromkeys(part.asked for run in runs for part in run if part.asked is not None))

    def plan(self, state: State) -> list[PlanPart]:
        """Return the draws that follow one another here, whatever is drawn, and what moves between them."""
        runs = [list(self._ahead(state, choose)) for choose in (_likeliest, _rarest, _any())]
        same: list[PlanPart] = []
        for parts in zip(*runs, strict=False):
            if len({(p.asked, _ways(p.moved)) for p in parts}) > 1:
                break
            same.append(parts[0])
        if same and same[-1].asked is None:
            same.pop()  # a movement after the last draw is announced when it happens
        return _grouped(same)

    def _ahead(self, state: State, choose: Chooser) -> Iterator[PlanPart]:
        for _ in range(MOST_AHEAD):
            if state.to_move != CHANCE:
                return
            try:
                after = self.game.apply(state, choose(self.game.chances(state)))
            except Fault:
                return  # a fault of the rules, reported when play gets there
            asked = self.asked(state, after)
            yield PlanPart(asked, 1, values="" if asked.goal else self.possible(state))
            assert isinstance(after, TracedState)
            moved = after.moved[1:] if asked.goal else after.moved
            if moved and after.to_move == CHANCE:
                yield PlanPart(None, 0, moved, after)
            state = after

    def is_weighted(self, roll: str) -> bool:
        """Return whether all rolls of this name have outcomes that are not equally likely: no die is thrown for them."""
        steps = (step for step in _all_steps(self.game.model) if isinstance(step, syntax.RollStep))
        return all(step.weight is not None for step in steps if step.name == roll)

    # in words --------------------------------------------------------------------------------------------

    def label(self, what: Asked | Spot | str) -> str:
        """Return the name of a place that is filled, or of a roll."""
        named = what.what if isinstance(what, Asked) else what
        if isinstance(named, Spot):
            return self.wording.spot(named)
        return self._roll_titles.get(named) or named.replace("_", " ")

    @cached_property
    def everything(self) -> list[Spot | str]:
        """All that a label can name in this game."""
        return [*self.wording.spots, *dict.fromkeys(self._rolls.values())]

    def possible(self, state: State) -> str:
        """Return what can be drawn or rolled now, with how many of each are left, or with what is printed on each."""
        chances = self.game.chances(state)
        if any(self.wording.face(move.args[0]) for move, _ in chances):
            faced = [self.wording.kind(move.args[0]) + self.wording.face(move.args[0]) for move, _ in chances]
            return listed_some(faced, MOST_FACES)
        if chances and chances[0][0].name == "draw":
            return self.wording.pieces((move.args[0], n) for move, n in chances)
        values = [self.wording.kind(move.args[0]) for move, _ in chances]
        return listed_some(values, MOST_VALUES)

    def refusal(self, state: State, asked: Asked, code: int) -> str:
        """Return why a piece or value cannot come now."""
        possible = self.possible(state)
        if asked.source is None:
            return texts.NOT_ROLLED.format(value=self.wording.kind(code), possible=possible)
        source, kind = self.wording.spot(asked.source), self.wording.kind(code)
        lying = dict(self.wording.lying(state, asked.source))
        if lying.get(code):
            return texts.NOT_DRAWN.format(kind=kind, goal=self.label(asked), possible=possible)
        where = self.wording.whereabouts(state, code)
        total = sum(n for _, n in where)
        if not total:
            return texts.NO_SUCH_PIECE.format(kind=kind, source=source, possible=possible)
        shown = listed(texts.AT_PLACE.format(count=n, place=self.wording.spot(spot)) for spot, n in where)
        return texts.NONE_LEFT.format(kind=kind, source=source, total=total, where=shown, possible=possible)


def _all_steps(model: Model) -> Iterator[syntax.Step]:
    return (step for steps in _bodies(model) for step in steps)


def _bodies(model: Model) -> Iterator[tuple[syntax.Step, ...]]:
    """Yield every list of steps, those inside of others too."""
    work = [steps for _, _, steps in syntax.bodies(model)]
    while work:
        steps = work.pop()
        yield steps
        work += [inner for step in steps for inner in syntax.inner_steps(step)]


def _keeps(step: syntax.SetStep, name: str) -> bool:
    """Return whether a step sets a variable, which has no index, to a local name."""
    return isinstance(step.value, syntax.Local) and step.value.name == name and not step.index and not step.add


def _ways(moved: tuple[Movement, ...]) -> frozenset[tuple[Spot, Spot]]:
    return frozenset((m.source, m.goal) for m in moved)


def _likeliest(chances: Outcomes) -> Move:
    return max(chances, key=lambda chance: chance[1])[0]


def _rarest(chances: Outcomes) -> Move:
    return min(chances, key=lambda chance: chance[1])[0]


def _any() -> Chooser:
    rng = random.Random(0)  # any seed will do, the same every time
    return lambda chances: rng.choices([m for m, _ in chances], [n for _, n in chances])[0]


def _grouped(parts: list[PlanPart]) -> list[PlanPart]:
    out: list[PlanPart] = []
    for part in parts:
        if out and part.asked is not None and out[-1].asked == part.asked:
            out[-1] = PlanPart(part.asked, out[-1].count + 1, values=part.values)
        else:
            out.append(part)
    return out
