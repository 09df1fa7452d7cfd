"""Steps that run to their end in one go → statements; and what a move does, to be tried on a copy of the position."""

from __future__ import annotations

from interpreter.compile.moving import Moving
from interpreter.compile.program import (
    NARROWED,
    ONE,
    ZERO,
    Break,
    Call,
    Do,
    Fail,
    FromRule,
    If,
    Line,
    List,
    ListFrame,
    ListSlots,
    Load,
    Mark,
    Num,
    Pass,
    Push,
    Remember,
    Return,
    Score,
    SetList,
    Show,
    Store,
    Tell,
    While,
    add,
    always,
    compare,
    const,
    either,
    extreme,
    negate,
    select,
    subtract,
    within,
)
from interpreter.compile.values import Bound, Env, Expressions
from interpreter.fault import FaultCode
from interpreter.layout import BLOCK
from rulespec.checks.work import Work
from rulespec.diagnostics.diagnostic import Span
from rulespec.syntax import (
    MOST_NOTED,
    NONE,
    AgainStep,
    AskStep,
    Condition,
    DoStep,
    DrawStep,
    Expr,
    ForStep,
    IfStep,
    LetStep,
    ListOf,
    MarkStep,
    MoveRule,
    MoveStep,
    PlaceOf,
    RememberStep,
    RollStep,
    ScoreStep,
    SetStep,
    Several,
    ShowStep,
    Step,
    TellStep,
    Type,
    Values,
    Variable,
    VariableRead,
    WhileStep,
    YesNo,
    inner_steps,
    told,
)

IDLE = "this loop never reaches a decision"


class StraightSteps:
    """Writes procedures and moves that never wait."""

    reports = True  # whether points, news and branches are reported

    def __init__(self, expressions: Expressions, work: Work, tracing: bool) -> None:
        self.x = expressions
        self.m = expressions.m
        self.model = expressions.model
        self.layout = expressions.layout
        self.work = work
        self.moving = Moving(self.x, tracing)
        self._rules = {name: i for i, name in enumerate(self.model.rules)}
        self._texts = {step: i for i, step in enumerate(told(self.model))}
        self._waits: dict[tuple[str, str], bool] = {}
        self._straight: dict[tuple[str, str], int] = {}

    # what waits ------------------------------------------------------------------------------------------

    def _is_waiting(self, step: Step) -> bool:
        """Return whether a step can stop at a decision."""
        match step:
            case AskStep() | AgainStep() | DrawStep() | RollStep() | WhileStep():
                return True
            case DoStep():
                return self._body_waits("steps", step.name)
            case _:
                return any(self._is_waiting(s) for body in inner_steps(step) for s in body)

    def _body_waits(self, section: str, name: str) -> bool:
        key = (section, name)
        if key not in self._waits:
            self._waits[key] = any(self._is_waiting(s) for s in self._steps_of(section, name))
        return self._waits[key]

    def _steps_of(self, section: str, name: str) -> tuple[Step, ...]:
        return self.model.procedures[name].body if section == "steps" else self.model.moves[name].does

    def _parameters(self, section: str, name: str) -> list[tuple[str, Type]]:
        if section == "steps":
            return [(p.name, p.type) for p in self.model.procedures[name].parameters]
        move = self.model.moves[name]
        given: list[tuple[str, Type]] = [("me", self.model.sets["player"].type)]
        return [*given, *((p.name, p.type) for p in move.given), *((c.name, c.type) for c in move.choices)]

    # steps that never wait -------------------------------------------------------------------------------

    def _straight_function(self, section: str, name: str) -> int:
        """Return the procedure of named steps, or of a move, that never wait."""
        key = (section, name)
        if key not in self._straight:
            number = self._straight[key] = self.m.reserve()
            parameters = [self.m.parameter(t) for _, t in self._parameters(section, name)]
            env = {n: Bound(t, v) for (n, t), v in zip(self._parameters(section, name), parameters, strict=True)}
            with self.m.apart() as body:
                self._straight_steps(self._steps_of(section, name), env)
            span = self.model.procedures[name].span if section == "steps" else self.model.moves[name].span
            role = "steps" if section == "steps" else "play"
            self.m.define(number, role, tuple(parameters), body, "nothing", span)
        return self._straight[key]

    def _from(self, step: Step) -> None:
        """Note that what is written next comes from a step."""
        if not (self.m.body and self.m.body[-1] == FromRule(step.span)):
            self.m.add(FromRule(step.span))

    def _straight_steps(self, steps: tuple[Step, ...], env: Env) -> Env:
        for step in steps:
            self._from(step)
            match step:
                case LetStep():
                    env = {**env, step.name: self._settled(step.value, env)}
                case IfStep():
                    test = self.x.number(step.test, env)
                    with self.m.apart() as then:
                        self._straight_steps(step.then, env)
                    with self.m.apart() as other:
                        self._straight_steps(step.other, env)
                    self.m.branch(test, tuple(then), tuple(other))
                case ForStep():
                    self._straight_for(step, env)
                case DoStep():
                    args = tuple(b.value for b in self._given(step, env).values())
                    self.m.add(Do(self._straight_function("steps", step.name), args))
                case _:
                    self._simple(step, env)
        return env

    def _given(self, step: DoStep, env: Env) -> dict[str, Bound]:
        parameters = self.model.procedures[step.name].parameters
        return self.x.given(parameters, step.args, env, step.name, step.span)

    def _settled(self, e: Expr, env: Env) -> Bound:
        """Return the value of e as it is now, whatever changes later."""
        bound = self.x.bind(e, env)
        if not isinstance(bound.value, ListFrame | ListSlots):
            return bound
        copy = self.m.list_var(bound.value.lo, bound.value.hi, bound.value.longest)
        self.m.add(SetList(copy, bound.value))
        return Bound(bound.type, copy)

    def _straight_for(self, step: ForStep, env: Env) -> None:
        item = self._item_type(step.domain)

        def one(value: Num) -> None:
            inner = {**env, step.name: Bound(item, value)}
            if step.where is None:
                self._straight_steps(step.body, inner)
                return
            holds = self.x.number(step.where, inner)
            with self.m.apart() as body:
                self._straight_steps(step.body, inner)
            self.m.branch(holds, tuple(body))

        if isinstance(step.domain.type, PlaceOf | Several):  # what lies there is settled before anything changes
            kinds = self.m.empty_list(self.m.list_var(*self.m.bounds(item), self._longest(step.domain)))
            self.x.each(step.domain, env, lambda k: self.m.add(Push(kinds, (k,))))
            self.x.each_of(kinds, one)
        else:
            self.x.each(step.domain, env, one)

    def _item_type(self, domain: Expr) -> Type:
        return domain.type.item if isinstance(domain.type, ListOf) else self.x._kind_type(domain.type)

    def _longest(self, domain: Expr) -> int:
        match domain.type:
            case ListOf():
                return domain.type.largest
            case Several():
                return len(domain.type.kinds)
            case _:
                return len(self.x.family(domain.type).place.kinds)

    def _simple(self, step: Step, env: Env) -> None:
        match step:
            case MoveStep():
                self.moving.move(step, env)
            case SetStep():
                self._assign(step, env)
            case ScoreStep():
                self._score(step, env)
            case TellStep() | MarkStep() if not self.reports:
                pass
            case TellStep():
                with self.m.apart() as body:
                    shown = self.x.holes(step.text, env)
                self.m.add(Tell(tuple(body), self._texts[step], shown))
            case ShowStep():
                to: Num | List = self.m.list_of(self.model.sets["player"].values)
                if step.to is not None and not isinstance(step.to.type, ListOf):
                    to = self.m.named(self.x.player(step.to, env, step.span))  # a fault counts in every game
                if not self.reports:
                    return
                with self.m.apart() as body:
                    places, width = self._shown(step.place, env)
                    if step.to is not None and isinstance(step.to.type, ListOf):
                        to = self._one_or_list(step.to, env)
                self.m.add(Show(tuple(body), self._texts[step], places, width, to))
            case RememberStep():
                message = f"more than {MOST_NOTED:,} positions are remembered"
                fault = self.m.fault(message, step.span, FaultCode.MANY_NOTED)
                self.m.add(Remember(*self.layout.noted(step.names), fault))
            case MarkStep():
                self.m.add(Mark(step.number))
            case _:
                raise AssertionError(step)

    def _shown(self, e: Expr, env: Env) -> tuple[Num | List, int]:
        """Return where that lies which is shown, and how many numbers it is each: of a variable all that have these indexes."""
        if not isinstance(e, VariableRead):
            return self._one_or_list(e, env), self.x.family(e.type).width
        lay = self.layout.variables[e.variable]
        at, inside = self.x.offset(e.index, lay.variable.index_values, 1, env)
        many = e.type.largest if isinstance(e.type, ListOf) else 1
        return self.m.named(select(inside, add(at, const(lay.base)), const(self.layout.nowhere))), many

    def _one_or_list(self, e: Expr, env: Env) -> Num | List:
        if isinstance(e.type, ListOf):
            return self.m.named_list(self.x.listed(e, env))
        return self.m.named(self.x.number(e, env))

    def _assign(self, step: SetStep, env: Env) -> None:
        lay = self.layout.variables[step.variable]
        value = self.x.number(step.value, env)
        if isinstance(lay.variable.type, YesNo) and value.hi > 1:
            value = compare("==", value, ONE)  # none is no yes
        at, inside = self.x.offset(step.index, lay.variable.index_values, 1, env)
        if inside != ONE:
            fault = self.m.fault(f"there is no such `{step.variable}` to change", step.span, FaultCode.NO_VARIABLE)
            self.m.branch(negate(inside), (Fail(fault),))
            if inside == ZERO:
                return
        at = add(at, const(lay.base))
        lo, hi = self.m.bounds(lay.variable.type)
        if step.add:
            value = add(Load(at, lo, hi), value)
        self.m.add(Store(at, self._held(lay.variable, value, step.span)))

    def _held(self, variable: Variable, value: Num, span: Span) -> Num:
        """Return the value, stopped at `never below` and `never above`; leaving the range is a fault."""
        if variable.never_below is not None:
            value = extreme("max", self.m.named(value), const(variable.never_below))
        if variable.never_above is not None:
            value = extreme("min", self.m.named(value), const(variable.never_above))
        t = variable.type
        if not isinstance(t, Values) or t.lo is None or t.hi is None:
            return value
        home = self.model.sets.get(t.home)
        numbers = [] if home is None else [code for code in home.values if code not in t.members]
        gaps = bool(numbers) and len(numbers) != max(numbers) - min(numbers) + 1
        if t.lo <= value.lo and value.hi <= t.hi and not gaps:
            return value
        value = self.m.named(value)
        others = (*t.members, *((NONE,) if t.none else ()))
        inside = self.x.among(value, tuple(numbers)) if gaps else within(value, t.lo, t.hi)
        bounds = f"its set `{t.home}`" if gaps else f"its range {t.lo}..{t.hi}"
        fault = self.m.fault(f"`{variable.name}` would leave {bounds}", span, FaultCode.BOUNDS)
        self.m.branch(negate(either(inside, self.x.among(value, others))), (Fail(fault),))
        return always(value, *self.m.bounds(t), NARROWED)

    def _score(self, step: ScoreStep, env: Env) -> None:
        variable = self.layout.variables["score"]
        who = self.x.player(step.player, env, step.span)
        player = Bound(self.model.sets["player"].type, who)
        given: list[tuple[Bound, ...]] = []
        scopes: list[Env] = []
        points: list[Num] = []
        for name, args in step.rules:
            rule = self.model.rules[name]
            bound = self.x.given(rule.parameters, args, env, name, step.span)
            values, scope = tuple(bound.values()), {"me": player, **bound}
            points.append(self.m.named(self.x.number(rule.points, scope)))
            given.append(values)
            scopes.append(scope)
        here = add(who, const(variable.base - 1))
        lo, hi = self.m.bounds(variable.variable.type)
        before = self.m.named(Load(here, lo, hi))
        total: Num = before
        for n in points:
            total = add(total, n)
        after = self.m.named(self._held(variable.variable, total, step.span))
        self.m.add(Store(here, after))
        if not self.reports:
            return
        lines = []
        with self.m.apart() as body:
            for (name, _), values, around, n in zip(step.rules, given, scopes, points, strict=True):
                rule = self.model.rules[name]
                shown = self.x.holes(rule.text, around)
                lines.append(Line(self._rules[name], tuple(v.value for v in values), n, shown))
        tell = Score(tuple(body), who, subtract(after, before), tuple(lines))
        self.m.branch(either(*(compare("!=", n, ZERO) for n in points)), (tell,))

    def _pass(self, step: ForStep | WhileStep) -> Pass:
        return Pass(self.work.pass_cost(step), self._idle(step))

    def _idle(self, step: Step) -> int:
        """Return the number of the fault of a loop that runs without a decision."""
        return self.m.fault(IDLE, step.span, FaultCode.IDLE)


class Trials(StraightSteps):
    """Writes what moves do once more, to be tried on a copy of the position: up to the end or the first ask, unreported."""

    reports = False

    def __init__(self, expressions: Expressions, work: Work) -> None:
        super().__init__(expressions, work, tracing=False)
        self._looks: dict[tuple[Condition, ...], int] = {}

    def failing(self, move: MoveRule, conditions: tuple[Condition, ...], env: Env) -> Num:
        """Return the number, from 1, of the first of these conditions that does not hold after the move.

        It is 0 if all of them hold, and if the move has a fault, which then comes when it is played.
        """
        args = tuple(env[name].value for name, _ in self._parameters("moves", move.name))
        return Call(self._look(move, conditions), args, 0, len(conditions), self._tried(move))

    def _look(self, move: MoveRule, conditions: tuple[Condition, ...]) -> int:
        """Return the function that looks at conditions in the position it is given."""
        if conditions not in self._looks:
            made = self._looks[conditions] = self.m.reserve()
            names = self._parameters("moves", move.name)
            parameters = tuple(self.m.parameter(t) for _, t in names)
            env = {n: Bound(t, v) for (n, t), v in zip(names, parameters, strict=True)}
            pure, self.x.pure = self.x.pure, True
            with self.m.function() as body:
                for i, condition in enumerate(conditions):
                    self.m.branch(negate(self.x.number(condition.that, env)), (Return(const(i + 1)),))
                self.m.add(Return(ZERO))
            self.x.pure = pure
            self.m.define(made, "afterwards", parameters, body, "number", move.span)
        return self._looks[conditions]

    def _tried(self, move: MoveRule) -> int:
        """Return the procedure that does what a move does, as far as that is tried."""
        pure, self.x.pure = self.x.pure, False
        with self.m.function():
            made = self._straight_function("moves", move.name)
        self.x.pure = pure
        return made

    def _straight_steps(self, steps: tuple[Step, ...], env: Env) -> Env:
        """Write steps. The copy has no use for the number of the block that it waits at: there it says whether it waits."""
        for step in steps:
            match step:
                case AskStep() | AgainStep():
                    self.m.add(Store(const(BLOCK), ONE))
                    self.m.add(Return())
                    return env
                case WhileStep():
                    self._while(step, env)
                case DoStep() if self._body_waits("steps", step.name):
                    self.m.add(Store(const(BLOCK), ZERO))
                    super()._straight_steps((step,), env)
                    self.m.add(If(compare("==", Load(const(BLOCK), 0, 1), ONE), (Return(),)))
                case _:
                    env = super()._straight_steps((step,), env)
        return env

    def _while(self, step: WhileStep, env: Env) -> None:
        with self.m.loop() as body:
            self.m.branch(negate(self.x.number(step.test, env)), (Break(),))
            self.m.add(Pass(1, self._idle(step)))
            self._straight_steps(step.body, env)
        self.m.add(While(ONE, tuple(body)))
