"""Values that no longer count: the rules overwrite them before anything looks at them.

A flag such as `passed[player]` keeps its value after the stage it belongs to, until that stage begins again and clears it. Meanwhile
it says nothing, and a screen that shows it misleads. Here the steps are walked backwards, from what reads a variable to the
decisions before it. In doubt a value counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from rulespec import syntax
from rulespec.diagnostics.diagnostic import Span
from rulespec.syntax import Expr, Model, MoveRule, Step

MOST_WALKS = 60  # through all steps; rules that take more are left alone
PLAIN = (syntax.MoveStep, syntax.SetStep, syntax.LetStep, syntax.IfStep, syntax.MarkStep)  # they do what they say


class Stale:
    """Finds where the variables of one game are stale, once for each."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._walk = lru_cache(maxsize=None)(self._walked)

    def is_stale(self, name: str, span: Span) -> bool:
        """Return whether a variable is overwritten, on every way from the decision at `span`, before anything reads it."""
        return not self._walk(name).counts.get(span, True)

    def _walked(self, name: str) -> _Backwards:
        return _Backwards(self.model, name)


class _Backwards:
    """One variable: `counts` says of each decision whether the value at that time may be read later."""

    def __init__(self, model: Model, name: str) -> None:
        self.model = model
        self.variable = model.variables[name]
        self.counts: dict[Span, bool] = {}
        self._readers = set[str]()
        self._find_readers()
        # whether the value counts before and after each body of steps; what is left at the end of the game is looked at
        self._before: dict[tuple[str, str], bool] = {}
        self._after = {("steps", "play"): True}
        self._again: dict[int, bool] = {}  # the same for loops that begin again, by the identity of their step
        known = None
        for _ in range(MOST_WALKS):
            for move in model.moves.values():
                self._body(("move", move.name), move.does)
            for procedure in model.procedures.values():
                self._body(("steps", procedure.name), procedure.body)
            self._after["steps", "setup"] = self._before["steps", "play"]
            now = dict(self._before), dict(self._after), dict(self._again), dict(self.counts)
            if now == known:
                return
            known = now
        self.counts = {}

    def _body(self, key: tuple[str, str], steps: tuple[Step, ...]) -> None:
        self._before[key] = self._steps(steps, self._after.get(key, False))

    def _enter(self, key: tuple[str, str], after: bool) -> bool:
        """Return whether the value counts before a body that is left with `after`."""
        self._after[key] = self._after.get(key, False) or after
        return self._before.get(key, False)

    def _decided(self, span: Span, counts: bool) -> bool:
        self.counts[span] = self.counts.get(span, False) or counts
        return counts

    def _steps(self, steps: Iterable[Step], after: bool) -> bool:
        """Return whether the value counts before steps, if it does or does not after them."""
        for step in reversed(tuple(steps)):
            inside = self._step(step, after)  # always: it notes the decisions inside
            after = inside or self._reads(syntax.of_step(step))
        return after

    def _step(self, step: Step, after: bool) -> bool:
        """Return the same for one step, leaving out its own expressions."""
        match step:
            case syntax.SetStep(variable=self.variable.name):
                return step.add or (after and bool(step.index))
            case syntax.DoStep():
                return self._enter(("steps", step.name), after)
            case syntax.IfStep():
                ways = [self._steps(step.then, after), self._steps(step.other, after)]
                return any(ways)
            case syntax.WhileStep():
                return self._loop(step, after or self._reads([step.test]))
            case syntax.ForStep():
                counts = self._loop(step, after)
                return counts and not self._sets_all(step)
            case syntax.AskStep():
                if step.several:  # what one of them decided may be followed by what another one did
                    after = after or self._again.get(id(step), False)
                ways = [self._move(self.model.moves[name], after) for name, _ in step.moves]
                counts = any(ways) or (step.several and after)
                before = self._decided(step.span, counts) or self._steps(step.otherwise or (), after)
                if step.several:
                    self._again[id(step)] = before
                return before
            case syntax.RememberStep():
                return after or self.variable.name in step.names
            case syntax.AgainStep():
                return True  # whatever the ask and its moves read
            case syntax.DrawStep() | syntax.RollStep():
                return self._decided(step.span, after)
            case syntax.ScoreStep():
                rules = [self.model.rules[name] for name, _ in step.rules]
                return after or self._reads(e for r in rules for e in (r.points, *syntax.of_template(r.text)))
            case _:
                return after

    def _loop(self, step: syntax.WhileStep | syntax.ForStep, after: bool) -> bool:
        after = after or self._again.get(id(step), False)
        self._again[id(step)] = self._steps(step.body, after) or after
        return self._again[id(step)]

    def _sets_all(self, step: syntax.ForStep) -> bool:
        """Return whether a loop sets the variable for each member of its index, and does not read it."""
        if len(self.variable.index) != 1 or step.where is not None:
            return False
        match step.domain:
            case syntax.Literal(value=tuple(values)) if set(values) == set(self.variable.index_values[0]):
                pass
            case syntax.BuiltinCall(name="clockwise") if self.variable.index == ("player",):
                pass
            case _:
                return False
        others = [inner for inner in step.body if not self._sets_one(inner, step.name)]
        return len(others) < len(step.body) and all(
            isinstance(inner, PLAIN) and not self._reads(syntax.of_step(inner))
            for inner in syntax.all_steps(tuple(others))
        )

    def _sets_one(self, step: Step, name: str) -> bool:
        match step:
            case syntax.SetStep(variable=self.variable.name, index=(syntax.Local(name=index),), add=False):
                return index == name and not self._reads([step.value])
        return False

    def _move(self, move: MoveRule, after: bool) -> bool:
        """Return whether the value counts before a move that may be chosen, its conditions and text included."""
        read: list[Expr | None] = [*syntax.of_template(move.text)]
        for choice in move.choices:
            read += (choice.domain, choice.at_most, choice.at_least, choice.source)
        for condition in move.conditions:
            read += (condition.that, *syntax.of_template(condition.refusal))
        counts = self._enter(("move", move.name), after)
        return counts or self._reads(e for e in read if e is not None)

    # what reads it -----------------------------------------------------------------------------------------

    def _reads(self, expressions: Iterable[Expr]) -> bool:
        for e in syntax.each_expression(expressions):
            match e:
                case syntax.VariableRead(variable=self.variable.name):
                    return True
                case syntax.Repeats() if self.variable.name in e.names:
                    return True
                case syntax.FunctionCall() if e.function in self._readers:
                    return True
        return False

    def _find_readers(self) -> None:
        """Find the definitions that read it, themselves or by others."""
        waiting = dict(self.model.functions)
        while found := {name for name, definition in waiting.items() if self._reads([definition.body])}:
            self._readers |= found
            waiting = {name: definition for name, definition in waiting.items() if name not in found}
