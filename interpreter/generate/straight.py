"""Steps that run to their end in one go → plain Python statements."""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.fault import IDLE_LIMIT
from interpreter.generate.expressions import Expressions
from interpreter.generate.terms import Bound, Env, no_gaps
from interpreter.generate.transfers import Transfers, spot
from rulespec.diagnostics.diagnostic import Span
from rulespec.expr import core
from rulespec.expr.core import Expr
from rulespec.expr.types import ListOf, Type, Values, YesNo
from rulespec.model.model import (
    AskStep,
    DoStep,
    DrawStep,
    ForStep,
    IfStep,
    LetStep,
    MarkStep,
    Move,
    MoveStep,
    Parameter,
    Procedure,
    RollStep,
    ScoreStep,
    SetStep,
    Step,
    Template,
    WhileStep,
)
from rulespec.model.steps import inner_steps


class Straight:
    """Writes steps that never wait; local names are Python's."""

    def __init__(self, expressions: Expressions) -> None:
        self.x = expressions
        self.model = expressions.model
        self.layout = expressions.layout
        self.fault = expressions.fault
        self.transfers = Transfers(expressions, self.fault)
        self.rule_numbers = {name: i for i, name in enumerate(self.model.rules)}
        self._waits: dict[tuple[str, str], bool] = {}
        self._straight: set[tuple[str, str]] = set()
        self.work = expressions.work

    def given_bounds(
        self, name: str, parameters: tuple[Parameter, ...], args: tuple[Expr, ...], env: Env, span: Span
    ) -> list[Bound]:
        """What a move or a scoring rule is given, as bounds whose texts may be repeated."""
        found = []
        for p, a in zip(parameters, args, strict=True):
            b = self.x.plain_bound(a, env)
            if isinstance(p.type, Values) and not self.x.surely_in(b.type, p.type):
                text = self.x.writer.temp("n")
                self.x.writer.line(f"{text} = {self.given(name, p, a, env, span)}")
                b = Bound(p.type, text)
            found.append(b)
        return found

    # what waits -----------------------------------------------------------------------------------------

    def waits(self, step: Step) -> bool:
        """Whether a step can stop at a decision."""
        match step:
            case AskStep() | DrawStep() | RollStep():
                return True
            case DoStep():
                return self.body_waits("steps", step.name)
            case _:
                return any(self.waits(s) for inner in inner_steps(step) for s in inner)

    def body_waits(self, section: str, name: str) -> bool:
        key = (section, name)
        if key not in self._waits:
            body = self.model.procedures[name].body if section == "steps" else self.model.moves[name].does
            self._waits[key] = any(self.waits(s) for s in body)
        return self._waits[key]

    # steps ----------------------------------------------------------------------------------------------

    def straight_name(self, section: str, name: str) -> str:
        """The generated function of a procedure or move that never waits."""
        bodies: Mapping[str, Procedure | Move] = self.model.procedures if section == "steps" else self.model.moves
        function = f"{'do' if section == 'steps' else 'does'}_{list(bodies).index(name)}"
        if (section, name) not in self._straight:
            self._straight.add((section, name))
            body = self.model.procedures[name].body if section == "steps" else self.model.moves[name].does
            env = self.x.parameters(function, self.parameters(section, name))
            self.x.constants.key.functions[function] = f"the {'steps of' if section == 'steps' else 'move'} {name}"
            names = [b.text for b in env.values()]
            with self.x.aside(), self.x.writer.function(f"def {function}({', '.join(['S', 'X', *names])}):", *names):
                self.straight(body, env)
        return function

    def parameters(self, section: str, name: str) -> list[tuple[str, Type]]:
        if section == "steps":
            return [(p.name, p.type) for p in self.model.procedures[name].parameters]
        move = self.model.moves[name]
        chosen: list[tuple[str, Type]] = [(c.name, c.type) for c in move.choices]
        return [("me", self.model.sets["player"].type), *((p.name, p.type) for p in move.given), *chosen]

    def straight(self, steps: tuple[Step, ...], env: Env) -> Env:
        """Plain statements for steps that never wait; local names are Python's. Gives the env with the names bound."""
        w = self.x.writer
        for step in steps:
            match step:
                case LetStep():
                    name = w.local(step.name)
                    w.line(f"{name} = {self._stored(step.value, env)}")
                    env = {**env, step.name: Bound(self.x.type_of(step.value, env), name)}
                case IfStep():
                    self._straight_if(step, env)
                case ForStep():
                    self._straight_for(step, env)
                case DoStep():
                    parameters = self.model.procedures[step.name].parameters
                    texts = [
                        self.given(step.name, p, a, env, step.span) for p, a in zip(parameters, step.args, strict=True)
                    ]
                    args = "".join(f", {text}" for text in texts)
                    w.line(f"{self.straight_name('steps', step.name)}(S, X{args})")
                    w.forget()
                case _:
                    self.simple(step, env)
        return env

    def _stored(self, e: Expr, env: Env) -> str:
        """A value to keep under a local name: lists are made now, not later."""
        text = self.x.number(e, env)
        return f"tuple({text})" if isinstance(e.type, ListOf) else text

    def _straight_if(self, step: IfStep, env: Env) -> None:
        w = self.x.writer
        known_test = self.x.const(step.test, env)
        if known_test is not None:
            branch = step.then if known_test else step.other
            if branch:
                with w.block("if 1:"):
                    self.straight(branch, env)
            return
        with w.block(f"if {self.x.value(step.test, env)}:"):
            self.straight(step.then, env)
        if step.other:
            with w.block("else:"):
                self.straight(step.other, env)
        w.forget()

    def _straight_for(self, step: ForStep, env: Env) -> None:
        w = self.x.writer
        domain = self.x.domain(step.domain, env)
        name = w.local(step.name)
        text = domain.text
        if domain.keep is not None:
            k = Bound(domain.type, "k")
            text = f"[k for k in {domain.text} if {domain.keep(k)}]"
        elif domain.values is None and not isinstance(step.domain, core.Range):
            text = f"tuple({domain.text})"
        with w.block(f"for {name} in {text}:", name):
            w.forget()
            inner = {**env, step.name: Bound(domain.type, name)}
            if self.waits(step):
                self.count_pass(step)
            if step.where is not None:
                w.line(f"if not {self.x.value(step.where, inner)}: continue")
            self.straight(step.body, inner)
        w.forget()

    def count_pass(self, step: ForStep | WhileStep) -> None:
        """Counts a pass of a loop in which somebody may decide something, unless somebody does for certain."""
        if any(isinstance(s, AskStep) and s.otherwise is None and not s.forced for s in step.body):
            return
        w = self.x.writer
        w.line(f"X.idle += {self.work.passes(step)}")
        w.line(
            f"if X.idle > {IDLE_LIMIT}: {self.fault('this loop goes on without anybody deciding anything', step.span)}"
        )

    def simple(self, step: Step, env: Env) -> None:
        """A one-line step that never waits and binds no name."""
        match step:
            case MoveStep():
                self.transfers.move(step, env)
            case SetStep():
                self._assign(step, env)
            case ScoreStep():
                self._score(step, env)
            case MarkStep():
                self.x.writer.line(f"X.marks.add({step.number})")
            case _:
                raise AssertionError(step)
        self.x.writer.forget()

    def _assign(self, step: SetStep, env: Env) -> None:
        w = self.x.writer
        lay = self.layout.variables[step.variable]
        found = self.x.offset(step.index, lay.variable.index_values, 1, env)
        assert found is not None
        part, terms, _ = found
        at = (" + ".join(terms), part + lay.base)
        value = self.x.number(step.value, env)
        t = lay.variable.type
        if step.add:
            value = f"{spot(at)} + {value}"
        surely = not step.add and self.x.surely_in(self.x.type_of(step.value, env), t)
        if isinstance(t, YesNo) or surely:
            w.line(f"{spot(at)} = {value}")
            return
        assert isinstance(t, Values)
        n = w.temp("n")
        w.line(f"{n} = {value}")
        self._hold(lay.variable.never_below, lay.variable.never_above, n)
        self._check_range(f"`{lay.variable.name}`", t, n, step.span)
        w.line(f"{spot(at)} = {n}")

    def _hold(self, below: int | None, above: int | None, n: str) -> None:
        w = self.x.writer
        if below is not None:
            w.line(f"if {n} < {below}: {n} = {below}")
        if above is not None:
            w.line(f"if {n} > {above}: {n} = {above}")

    def _check_range(self, what: str, t: Values, n: str, span: Span) -> None:
        """A fault unless n is one of the values of t, which is a number, perhaps of a set with gaps, or none."""
        home = self.model.sets.get(t.home)
        where = f"its range {t.lo}..{t.hi}" if home is None or no_gaps(home.values) else f"its set `{home.name}`"
        fault = self.fault(f"{what} would leave {where}", span)
        self.x.writer.line(f"if not {self.x.is_one_of(t, n, n)}: {fault}")

    def player(self, e: Expr, env: Env, span: Span) -> str:
        """The text of a player who is asked or scores; a fault if nobody of that number plays."""
        return self.x.passed(e, self.model.sets["player"].type, env, "a player", span)

    def given(self, name: str, p: Parameter, a: Expr, env: Env, span: Span) -> str:
        """The text of what steps, a move or a scoring rule are given; a fault if it is a number outside their set."""
        return self.x.passed(a, p.type, env, f"a {p.set} for `{name}`", span)

    def _score(self, step: ScoreStep, env: Env) -> None:
        w = self.x.writer
        lay = self.layout.variables["score"]
        player = self.x.plain_bound(step.player, env)
        if not self.x.surely_in(player.type, self.model.sets["player"].type):
            player = Bound(self.model.sets["player"].type, self.player(step.player, env, step.span))
        who = player.text or str(player.const)
        lines: list[tuple[str, Template]] = []
        points: list[str] = []
        scopes: list[Env] = []
        for name, args in step.rules:
            rule = self.model.rules[name]
            values = self.given_bounds(name, rule.parameters, args, env, step.span)
            inner = {"me": player, **{p.name: v for p, v in zip(rule.parameters, values, strict=True)}}
            n = w.temp("p")
            w.line(f"{n} = {self.x.value(rule.points, inner)}")
            shown = "".join(f"{v.text or v.const}, " for v in values)
            lines.append((f"{self.rule_numbers[name]}, ({shown}), {n}", rule.text))
            points.append(n)
            scopes.append(inner)
        here = f"S[{who} + {lay.base - 1}]" if player.const is None else f"S[{player.const + lay.base - 1}]"
        before, after = w.temp("n"), w.temp("n")
        w.line(f"{before} = {here}")
        w.line(f"{after} = {before} + {' + '.join(points)}")
        self._hold(lay.variable.never_below, lay.variable.never_above, after)
        assert isinstance(lay.variable.type, Values)
        self._check_range("`score`", lay.variable.type, after, step.span)
        w.line(f"{here} = {after}")
        with w.block(f"if {' or '.join(points)}:"):
            self.log_points(who, lines, scopes, f"{after} - {before}")

    def log_points(self, who: str, lines: list[tuple[str, Template]], scopes: list[Env], gained: str) -> None:
        """Logs what was scored, with what the rules' texts show at this moment."""
        logged = [f"({line}, {self.x.holes(text, env)})" for (line, text), env in zip(lines, scopes, strict=True)]
        self.x.writer.line(f"record_points(X, {who}, [{', '.join(logged)}], {gained})")
