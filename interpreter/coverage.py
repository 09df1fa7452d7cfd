"""Rule coverage: which parts of a rule file did its examples and random games reach?

Every move should have been played, every condition have refused something, every scoring rule have given points, and
every branch of the steps have been taken. What was not reached is either not tested or cannot happen.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from interpreter.examples import Examples, find_examples
from interpreter.game import Game
from interpreter.runtime import Run
from interpreter.state import Move, State
from rulespec.diagnostics import Span
from rulespec.load import Rules
from rulespec.model import AskStep, ForStep, IfStep, MarkStep, Model, Step, WhileStep


@dataclass(frozen=True, slots=True, order=True)
class Point:
    """Something that should happen at least once."""

    span: Span
    what: str  # `the move take is played`, `line not full refuses`, …


@dataclass(slots=True)
class Coverage:
    """Points and how often each was reached. Under options and house rules a point is known by its place in the file."""

    reached: dict[Point, int] = field(default_factory=dict)

    def expect(self, points: Iterable[Point]) -> None:
        for point in points:
            self.reached.setdefault(point, 0)

    def note(self, point: Point, times: int = 1) -> None:
        self.reached[point] = self.reached.get(point, 0) + times

    @property
    def missed(self) -> list[Point]:
        return sorted(p for p, times in self.reached.items() if not times)


def cover(rules: Rules, games: int, seed: int = 0) -> Coverage:
    """The coverage by the file's examples and by random games, spread over all players and options."""
    coverage = Coverage()
    examples = Examples(rules, lambda rules, model: CoveredGame(rules, model, coverage))
    for entry, choices in find_examples(rules):
        examples.run(entry, choices)
    for game in examples.games():
        assert isinstance(game, CoveredGame)
        game.count_points()
    settings = [(players, choices) for choices in rules.combinations() for players in rules.players_for(choices)]
    if games < len(settings):  # one game each, evenly spread
        settings = [settings[i * len(settings) // games] for i in range(games)]
    each = -(-games // len(settings)) if games else 0
    for number, (players, choices) in enumerate(settings):
        model, _ = rules.check(players, choices)
        game = CoveredGame(rules, model, coverage)
        for i in range(each):
            game.play_at_random(seed + number * each + i)
        game.count_points()
    return coverage


class CoveredGame(Game):
    """A game that notes what play reaches."""

    watch = True

    def __init__(self, rules: Rules, model: Model, coverage: Coverage) -> None:
        marked, self.branches = marked_model(model)
        super().__init__(rules, marked)
        self.coverage = coverage
        self.marks: set[int] = set()
        coverage.expect(self.branches)
        for move in model.moves.values():
            coverage.expect([_played(model, move.name)])
            coverage.expect(self._refusal(move.name, c.name) for c in move.conditions)
        coverage.expect(Point(rule.span, f"`{rule.name}` gives points") for rule in model.rules.values())

    def _settle(self, vector, run: Run, *rest) -> State:  # type: ignore[no-untyped-def]
        state = super()._settle(vector, run, *rest)
        self.marks |= run.marks
        rules = list(self.model.rules.values())
        for line in run.log:
            self.coverage.note(Point(rules[line[2]].span, f"`{rules[line[2]].name}` gives points"))
        return state

    def apply(self, state: State, move: Move | str) -> State:
        move = self._as_move(state, move)
        if move.name in self.model.moves:
            self.coverage.note(_played(self.model, move.name))
        return super().apply(state, move)

    def count_points(self) -> None:
        """Adds the branches and refusals reached so far."""
        for number in self.marks:
            self.coverage.note(self.branches[number])
        for move, name in self.program.refused:
            self.coverage.note(self._refusal(move, name))
        self.marks.clear()
        self.program.refused.clear()

    def _refusal(self, move: str, name: str) -> Point:
        condition = next(c for c in self.model.moves[move].conditions if c.name == name)
        return Point(condition.span, f"`{name}` refuses `{move}`")

    def play_at_random(self, seed: int) -> None:
        rng = random.Random(seed)
        state = self.start(seed=seed)
        while state.to_move is not None:
            state = self.apply(state, rng.choice(self.legal_moves(state)))


def _played(model: Model, name: str) -> Point:
    return Point(model.moves[name].span, f"the move `{name}` is played")


# Marks ----------------------------------------------------------------------------------------------------


def marked_model(model: Model) -> tuple[Model, list[Point]]:
    """The model with a mark at the beginning of every branch, and what each mark stands for."""
    points: list[Point] = []

    def mark(span: Span, what: str) -> MarkStep:
        points.append(Point(span, what))
        return MarkStep(span, len(points) - 1)

    def visit(steps: tuple[Step, ...]) -> tuple[Step, ...]:
        return tuple(visit_one(step) for step in steps)

    def visit_one(step: Step) -> Step:
        match step:
            case IfStep():
                then = (mark(step.span, "the condition of `if` holds"), *visit(step.then))
                other = (mark(step.span, "the condition of `if` does not hold"), *visit(step.other))
                return replace(step, then=then, other=other)
            case WhileStep():
                return replace(step, body=(mark(step.span, "the body of `while` runs"), *visit(step.body)))
            case ForStep():
                return replace(step, body=(mark(step.span, "the body of `for each` runs"), *visit(step.body)))
            case AskStep() if step.otherwise is not None:
                return replace(step, otherwise=(mark(step.span, "`otherwise` runs"), *visit(step.otherwise)))
            case _:
                return step

    procedures = {n: replace(p, body=visit(p.body)) for n, p in model.procedures.items()}
    moves = {n: replace(m, does=visit(m.does)) for n, m in model.moves.items()}
    return replace(model, procedures=procedures, moves=moves), points
