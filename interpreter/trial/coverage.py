"""Rule coverage: which parts of a rule file did its examples and random games reach?

Every move should have been played, every condition have refused something, every scoring rule have given points, and
every branch of the steps have been taken. What was not reached is either not tested or cannot happen.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from interpreter.budget import Budget, BudgetSpent, cost_of
from interpreter.examples.examples import Examples
from interpreter.examples.reading import find_examples
from interpreter.fault import LIMIT
from interpreter.game import Game
from interpreter.run.runtime import Run
from interpreter.state import EVERYBODY, State
from interpreter.trial.offered import Offered, Offers
from interpreter.trial.vacuous import vacuous_points
from rulespec.diagnostics.diagnostic import Span
from rulespec.rules import Rules
from rulespec.syntax import AskStep, ForStep, IfStep, MarkStep, Model, ScoreStep, ScoringRule, Step, WhileStep

OF_NOTHING = "points of nothing"  # a kind of point that should not happen


@dataclass(frozen=True, slots=True, order=True)
class Point:
    """Something that should happen at least once."""

    span: Span
    what: str  # `the move take is played`, `line not full refuses`, …
    kind: str  # move, condition, rule, branch or OF_NOTHING
    name: str = ""  # of the move, or of the move a condition belongs to, or of the scoring rule


@dataclass(slots=True)
class Coverage:
    """Points and how often each was reached. Under options and house rules a point is known by its place in the file."""

    reached: dict[Point, int] = field(default_factory=dict)
    within: dict[Point, Point] = field(default_factory=dict)  # a branch → the branch or move it is part of
    games: int = 0  # random games that were played to their end
    stopped: bool = False  # not everything was tried: it took too much work
    legal: set[str] = field(default_factory=set)  # moves that could be decided at least once, or played themselves
    offered: Offered = field(default_factory=Offered)
    of_nothing: Counter[Point] = field(
        default_factory=Counter
    )  # scoring rules that gave points for nothing, and in how many settings

    def expect(self, points: Iterable[Point]) -> None:
        for point in points:
            self.reached.setdefault(point, 0)

    def note(self, point: Point, times: int = 1) -> None:
        self.reached[point] = self.reached.get(point, 0) + times

    @property
    def missed(self) -> list[Point]:
        return sorted(p for p, times in self.reached.items() if not times)


MOST_EXTRA = 8_000  # decisions' worth of work in random games, beyond one for each decision,
EXTRA_EACH = 2_000  # or that much for each game, if that is more


def extra_work(games: int) -> Budget:
    """Return the budget of what decisions of random games cost more than usual ones."""
    return Budget("random games", max(MOST_EXTRA, EXTRA_EACH * games))


def cover(rules: Rules, games: int, seed: int = 0, limit: int = LIMIT) -> Coverage:
    """Return the coverage by the file's examples and by random games, spread over all players and options.

    A game that does not end within `limit` decisions is a Fault. Where decisions take much work, fewer games are played.
    """
    coverage = Coverage()
    cover_examples(rules, coverage)
    budget = extra_work(games)
    settings = [(players, choices) for choices in rules.combinations() for players in rules.players_for(choices)]
    if games < len(settings):  # one game each, evenly spread
        settings = [settings[i * len(settings) // games] for i in range(games)]
    each = -(-games // len(settings)) if games else 0
    for number, (players, choices) in enumerate(settings):
        model, _ = rules.check(players, choices)
        game = CoveredGame(rules, model, coverage, limit)
        try:
            for i in range(each):
                game.play_at_random(seed + number * each + i, budget)
                coverage.games += 1
        except BudgetSpent:
            coverage.stopped = True
        game.count_points()
        if not budget.left:
            break
    return coverage


def cover_examples(rules: Rules, coverage: Coverage) -> None:
    """Add what the examples of the rules reach."""
    examples = Examples(rules, lambda rules, model: CoveredGame(rules, model, coverage))
    for entry, choices in find_examples(rules):
        examples.run(entry, choices)
    coverage.stopped |= not examples.budget.left
    for game in examples.games():
        assert isinstance(game, CoveredGame)
        game.count_points()


class CoveredGame(Game):
    """A game that notes what play reaches."""

    watching = True
    counting = True

    def __init__(self, rules: Rules, model: Model, coverage: Coverage, limit: int | None = None) -> None:
        marked, self.branches, within = marked_model(model)
        super().__init__(rules, marked, limit)
        self.coverage = coverage
        self.marks: set[int] = set()
        self.offers = Offers(model, self._moves)
        coverage.expect(p for p in self.branches if p.kind != OF_NOTHING)
        coverage.within |= within
        for move in model.moves.values():
            coverage.expect(self._refusal(move.name, c.name) for c in move.conditions)
        coverage.expect(_scored(rule) for rule in model.rules.values())

    def _new_run(self, seed: int | None, decisions: int) -> Run:
        run = super()._new_run(seed, decisions)
        run.marks = self.marks  # noted at once: a fault may end the run
        return run

    def _settle(self, vector, run: Run, *rest) -> State:  # type: ignore[no-untyped-def]
        state = super()._settle(vector, run, *rest)
        rules = list(self.model.rules.values())
        for _, player, rule, *_ in run.log:
            if player != EVERYBODY:
                self.coverage.note(_scored(rules[rule]))
        self.coverage.legal |= {self._moves[number].name for number, _, last in run.groups if last}
        self.offers.note(run.groups)
        return state

    def refused(self) -> set[tuple[str, str]]:
        """Return the moves and conditions that refused something since the game forgot them last."""
        found = ((self._moves[number], condition) for number, condition in self.compiled.refused)
        return {(move.name, move.conditions[condition].name) for move, condition in found}

    def count_points(self) -> None:
        """Add the moves, branches and refusals reached so far."""
        for number in self.marks:
            point = self.branches[number]
            if point.kind == OF_NOTHING:
                self.coverage.of_nothing[point] += 1
                continue
            self.coverage.note(point)
            if point.kind == "move":  # a single legal move may have played itself
                self.coverage.legal.add(point.name)
        for move, condition in self.refused():
            self.coverage.note(self._refusal(move, condition))
        self.coverage.offered.add(self.offers)
        self.offers.clear()
        self.marks.clear()
        self.compiled.refused.clear()

    def _refusal(self, move: str, name: str) -> Point:
        condition = next(c for c in self.model.moves[move].conditions if c.name == name)
        return Point(condition.span, f"`{name}` refuses `{move}`", "condition", move)

    def play_at_random(self, seed: int, budget: Budget) -> None:
        """Play a game; raise BudgetSpent where its decisions cost too much more than usual ones."""
        rng = random.Random(seed)
        state = self.start(seed=seed)
        while state.to_move is not None:
            budget.spend(cost_of(self, state) - 1)
            state = self.apply(state, rng.choice(self.legal_moves(state)))


def _scored(rule: ScoringRule) -> Point:
    return Point(rule.span, f"`{rule.name}` gives points", "rule", rule.name)


# Marks ----------------------------------------------------------------------------------------------------


def marked_model(model: Model) -> tuple[Model, list[Point], dict[Point, Point]]:
    """Return the model with a mark at the beginning of every move and branch, what each mark means, and what is within what."""
    points: list[Point] = []
    within: dict[Point, Point] = {}

    def begin(point: Point, steps: tuple[Step, ...], outer: Point | None) -> tuple[Step, ...]:
        points.append(point)
        if outer is not None:
            within[point] = outer
        return (MarkStep(point.span, len(points) - 1), *visit(steps, point))

    def branch(step: Step, what: str, steps: tuple[Step, ...], outer: Point | None) -> tuple[Step, ...]:
        return begin(Point(step.span, what, "branch"), steps, outer)

    def visit(steps: tuple[Step, ...], outer: Point | None) -> tuple[Step, ...]:
        return tuple(one for step in steps for one in (*tests(step), visit_one(step, outer)))

    def tests(step: Step) -> Iterator[Step]:
        """Yield steps that note where the next one gives points for nothing."""
        for rule, test in vacuous_points(step, model) if isinstance(step, ScoreStep) else ():
            points.append(Point(model.rules[rule].span, f"`{rule}` gives points for nothing", OF_NOTHING, rule))
            yield IfStep(step.span, test, (MarkStep(step.span, len(points) - 1),), ())

    def visit_one(step: Step, outer: Point | None) -> Step:
        match step:
            case IfStep():
                then = branch(step, "the condition of `if` holds", step.then, outer)
                other = branch(step, "the condition of `if` does not hold", step.other, outer)
                return replace(step, then=then, other=other)
            case WhileStep():
                return replace(step, body=branch(step, "the body of `while` runs", step.body, outer))
            case ForStep():
                return replace(step, body=branch(step, "the body of `for each` runs", step.body, outer))
            case AskStep() if step.otherwise is not None:
                return replace(step, otherwise=branch(step, "`otherwise` runs", step.otherwise, outer))
            case _:
                return step

    procedures = {n: replace(p, body=visit(p.body, None)) for n, p in model.procedures.items()}
    moves = {
        n: replace(m, does=begin(Point(m.span, f"the move `{n}` is played", "move", n), m.does, None))
        for n, m in model.moves.items()
    }
    return replace(model, procedures=procedures, moves=moves), points, within
