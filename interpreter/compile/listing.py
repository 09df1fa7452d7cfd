"""Legal moves: for each move a function that lists the choices no condition refuses.

Choices are nested loops in the order written. A condition is tested as soon as its names are bound. The legal values of
the last choice are one list for each way to make the others; where they depend on few of the others, that list is made
once for each value of those.
"""

from __future__ import annotations

from math import prod

from interpreter.compile.program import (
    LISTS,
    ONE,
    ZERO,
    Body,
    Call,
    Drawing,
    Fail,
    ForList,
    Group,
    If,
    InList,
    Item,
    Len,
    List,
    ListVar,
    NewList,
    Num,
    Once,
    Push,
    Refused,
    Return,
    Set,
    Var,
    Ways,
    add,
    always,
    both,
    compare,
    const,
    extreme,
    multiply,
    negate,
    select,
    walk,
)
from interpreter.compile.straight import Trials
from interpreter.compile.values import Bound, Env, Expressions
from interpreter.fault import FaultCode
from rulespec.checks.work import MOST_LISTING, Work
from rulespec.syntax import Choice, Condition, Expr, ListOf, MoveRule, PlaceOf, Several, Type, free_names

Given = tuple[Var | ListVar, ...]  # a player, and what a move is given

MOST_DRAWN = 64  # last values among which one is drawn
EFFORT_DRAWN = 500  # steps that the test of one drawn value may take
MOST_KEPT = 256  # lists of last values that one call may keep


class Listing:
    """Writes the functions that list legal moves."""

    def __init__(self, expressions: Expressions, work: Work, watching: bool) -> None:
        self.x = expressions
        self.m = expressions.m
        self.watching = watching  # whether the program reports every refusal, for rule coverage
        self._made: dict[tuple[str, int], int] = {}
        self._tests: dict[str, int] = {}
        self._drawn: dict[str, Drawing] = {}
        self._work = work
        self._trials = Trials(expressions, work)
        self._spent: tuple[Var, int] | None = None  # the steps of a counted listing so far, and the fault of too many

    def function(self, move: MoveRule, number: int, earlier: int = 0) -> int:
        """Return the function that lists a move's legal choices as groups, without those that earlier mentions list."""
        key = (move.name, earlier)
        if key not in self._made:
            self._made[key] = made = self.m.reserve()
            env, parameters = self._names_given(move)
            offered = [self._names_given(move)[1][1:] for _ in range(earlier)]
            pure, self.x.pure = self.x.pure, True
            with self.m.function() as body:
                self._write(move, number, env, tuple((parameters[0], *given) for given in offered))
            self.x.pure = pure
            self.m.define(
                made, "legal", (*parameters, *(v for given in offered for v in given)), body, "nothing", move.span
            )
        return self._made[key]

    def _is_legal(self, move: MoveRule) -> int:
        """Return the function that says whether a choice is legal, from what the move is given and what is chosen."""
        if move.name not in self._tests:
            made = self._tests[move.name] = self.m.reserve()
            env, parameters = self._names_given(move)
            chosen = [self.m.parameter(c.type) for c in move.choices]
            levels = self._levels(move)
            pure, self.x.pure = self.x.pure, True
            with self.m.function() as body:
                self._unless(move, levels[0], env)
                for i, (choice, value) in enumerate(zip(move.choices, chosen, strict=True)):
                    self.m.branch(negate(self._in_domain(choice, value, env)), (Return(ZERO),))
                    env = {**env, choice.name: Bound(choice.type, value)}
                    self._unless(move, levels[i + 1], env)
                self.m.add(Return(ONE))
            self.x.pure = pure
            self.m.define(made, "is legal", (*parameters, *chosen), body, "number", move.span)
        return self._tests[move.name]

    def holds(self, move: MoveRule, conditions: tuple[Condition, ...], env: Env) -> Num:
        """Return whether some conditions of one kind hold: of now, or all of those that look at the position after the move."""
        if conditions[0].afterwards:
            return compare("==", self._trials.failing(move, conditions, env), ZERO)
        return both(*(self.x.number(condition.that, env) for condition in conditions))

    def _unless(self, move: MoveRule, conditions: list[Condition], env: Env) -> None:
        """Return 0 from the function being written unless all conditions hold."""
        for some in _one_by_one(conditions):
            self.m.branch(negate(self.holds(move, some, env)), (Return(ZERO),))

    def _in_domain(self, choice: Choice, value: Var | ListVar, env: Env) -> Num:
        """Return whether a value is one of those that can be chosen."""
        if isinstance(value, Var):
            return InList(value, self.m.named_list(self.domain(choice, env)))
        counts, least, most = self._pieces(choice, env)
        good: Num = ONE
        total: Num = ZERO
        for i, count in enumerate(counts):
            taken = Item(value, const(i), value.lo, value.hi)
            good, total = both(good, compare("<=", taken, count)), add(total, taken)
        total = self.m.named(total)
        return both(good, compare("<=", least, total), compare("<=", total, extreme("max", most, ZERO)))

    def drawing(self, move: MoveRule) -> Drawing | None:
        """Return how a legal choice can be drawn without listing them all; None if it cannot.

        The choices before the last are listed; one of them and any last value are drawn until no condition refuses.
        Every legal choice is equally likely that way.
        """
        if len(move.choices) < 2 or any(isinstance(c.type, Several) for c in move.choices):
            return None
        values = self.x.static(move.choices[-1].domain, {})
        if not isinstance(values, tuple) or not 1 < len(values) <= MOST_DRAWN:
            return None
        if self._work.testing(move, self._levels(move)[-1]) > EFFORT_DRAWN:
            return None  # a list of the legal values is made once for many, a test is made again and again
        if move.name not in self._drawn:
            table = self.m.table(tuple(dict.fromkeys(values)))
            self._drawn[move.name] = Drawing(self._prefixes(move), table, self._legal_last(move))
        return self._drawn[move.name]

    def _prefixes(self, move: MoveRule) -> int:
        """Return the function that lists the ways to make all choices but the last, as rows."""
        made = self.m.reserve()
        env, parameters = self._names_given(move)
        levels = self._levels(move)
        before = move.choices[:-1]
        bounds = [self.m.bounds(c.type) for c in before]
        longest = min(prod(self._longest(c) for c in before), 1_000_000)
        rows = self.m.list_var(min(b[0] for b in bounds), max(b[1] for b in bounds), longest, len(before))

        def level(i: int, env: Env) -> None:
            if i == len(before):
                values = (env[c.name].value for c in before)
                self.m.add(Push(rows, tuple(v for v in values if not isinstance(v, LISTS))))
                return

            def one(value: Num) -> None:
                inner = {**env, before[i].name: Bound(before[i].type, value)}
                self._tested(move, 0, levels[i + 1], inner, lambda: level(i + 1, inner))

            self.x.each_distinct(before[i].domain, env, one)

        pure, self.x.pure = self.x.pure, True
        with self.m.function() as body:
            self.m.add(NewList(rows))
            for some in _one_by_one(levels[0]):
                self.m.branch(negate(self.holds(move, some, env)), (Return(rows),))
            level(0, env)
            self.m.add(Return(rows))
        self.x.pure = pure
        self.m.define(made, "prefixes", parameters, body, "list", move.span)
        return made

    def _legal_last(self, move: MoveRule) -> int:
        """Return the function that says whether a last value is legal after the choices before it."""
        made = self.m.reserve()
        env, parameters = self._names_given(move)
        chosen = [self.m.parameter(c.type) for c in move.choices]
        inner = {**env, **{c.name: Bound(c.type, v) for c, v in zip(move.choices, chosen, strict=True)}}
        pure, self.x.pure = self.x.pure, True
        with self.m.function() as body:
            self._unless(move, self._levels(move)[-1], inner)
            self.m.add(Return(ONE))
        self.x.pure = pure
        self.m.define(made, "legal last", (*parameters, *chosen), body, "number", move.span)
        return made

    def _names_given(self, move: MoveRule) -> tuple[Env, tuple[Var | ListVar, ...]]:
        given: list[tuple[str, Type]] = [("me", self.x.model.sets["player"].type)]
        given += [(p.name, p.type) for p in move.given]
        parameters = tuple(self.m.parameter(t) for _, t in given)
        return {n: Bound(t, v) for (n, t), v in zip(given, parameters, strict=True)}, parameters

    def _write(self, move: MoveRule, number: int, env: Env, offered: tuple[Given, ...]) -> None:
        levels = self._levels(move)
        self._begin_counting(move)
        for some in _one_by_one(levels[0]):
            if some[0].afterwards and self.watching:
                self._tested(move, number, list(some), env, lambda: self._write_new(move, number, env, offered))
                return
            refused = self._told(move, number, some[0])
            self.m.branch(negate(self.holds(move, some, env)), (*refused, Return()))
        if move.choices:
            self._level(move, number, 0, levels, env, offered)
        else:
            self._write_new(move, number, env, offered)

    def _write_new(self, move: MoveRule, number: int, env: Env, offered: tuple[Given, ...]) -> None:
        """Write a move without choices into the list, unless an earlier mention offers it."""
        self.m.branch(self._is_new(move, env, offered), (Group(number, (), None),))

    def _is_new(self, move: MoveRule, env: Env, offered: tuple[Given, ...]) -> Num:
        """Return whether a choice is not legal with what earlier mentions of the move are given."""
        chosen = tuple(env[c.name].value for c in move.choices)
        return both(*(negate(Call(self._is_legal(move), (*given, *chosen), 0, 1)) for given in offered))

    def _begin_counting(self, move: MoveRule) -> None:
        """Count the steps of this listing, if they could be too many."""
        self._spent = None
        if self._work.is_counted(move):
            message = f"finding the legal choices of `{move.name}` takes more than {MOST_LISTING:,} steps"
            self._spent = self.m.var(0, 2 * MOST_LISTING + 1), self.m.fault(message, move.span, FaultCode.LONG_LISTING)
            self.m.add(Set(self._spent[0], ZERO))

    def _count(self, move: MoveRule, tests: list[Condition]) -> None:
        """Count one value of a choice and the conditions that are tested for it."""
        if self._spent is not None:
            spent, fault = self._spent
            effort = min(MOST_LISTING + 1, 1 + self._work.testing(move, tests))
            self.m.add(Set(spent, add(always(spent, 0, MOST_LISTING), const(effort))))
            self.m.branch(compare(">", spent, const(MOST_LISTING)), (Fail(fault),))

    def _levels(self, move: MoveRule) -> list[list[Condition]]:
        """Return the conditions by the number of choices that must be made before they can be tested.

        Those that look at the position after the move come last.
        """
        levels: list[list[Condition]] = [[] for _ in range(len(move.choices) + 1)]
        for condition in sorted(move.conditions, key=lambda c: c.afterwards):
            levels[move.choices_before(condition)].append(condition)
        return levels

    def _told(self, move: MoveRule, number: int, condition: Condition) -> tuple[Refused, ...]:
        return (Refused(number, move.conditions.index(condition)),) if self.watching else ()

    def _level(
        self,
        move: MoveRule,
        number: int,
        i: int,
        levels: list[list[Condition]],
        env: Env,
        offered: tuple[Given, ...],
    ) -> None:
        """Write the loop over choice number i, inside the loops over those before it."""
        choice, tests = move.choices[i], levels[i + 1]
        if i == len(move.choices) - 1:
            self._last(move, number, choice, tests, env, offered)
            return

        def one(value: Num | List) -> None:
            inner = {**env, choice.name: Bound(choice.type, value)}
            self._count(move, tests)
            self._tested(move, number, tests, inner, lambda: self._level(move, number, i + 1, levels, inner, offered))

        if isinstance(choice.type, Several):
            rows = self._ways(choice, env)
            self._each_row(rows, one)
        else:
            self.x.each_distinct(choice.domain, env, one)

    def _tested(self, move: MoveRule, number: int, tests: list[Condition], env: Env, then) -> None:  # type: ignore[no-untyped-def]
        """Write what `then` writes, inside the tests of all conditions."""
        if not tests:
            then()
            return
        test, rest = tests[0], tests[1:]
        if test.afterwards:
            failing = self.m.named(self._trials.failing(move, tuple(tests), env))
            with self.m.apart() as body:
                then()
            told: Body = ()
            for i, c in enumerate(tests if self.watching else ()):
                told = (If(compare("==", failing, const(i + 1)), self._told(move, number, c)), *told)
            self.m.branch(compare("==", failing, ZERO), tuple(body), told)
            return
        holds = self.x.number(test.that, env)
        with self.m.apart() as body:
            self._tested(move, number, rest, env, then)
        self.m.branch(holds, tuple(body), self._told(move, number, test))

    def _last(
        self,
        move: MoveRule,
        number: int,
        choice: Choice,
        tests: list[Condition],
        env: Env,
        offered: tuple[Given, ...],
    ) -> None:
        outer = [c.name for c in move.choices[:-1]]
        first = tuple(env[name].value for name in outer)
        if not tests and not offered and not isinstance(choice.type, Several):
            values = self.x.static(choice.domain, env)
            if isinstance(values, tuple):
                if values:
                    self.m.add(Group(number, first, self.m.list_of(tuple(dict.fromkeys(values)))))
                return
        width = len(choice.type.kinds) if isinstance(choice.type, Several) else 1
        lo, hi = self.m.bounds(choice.type)
        found = self.m.list_var(lo, hi, self._longest(choice), width)
        needed = [n for n in outer if n in self._names(move, choice, tests)]
        kept = len(needed) < len(outer) and not self.watching and not offered
        index = self._memo_index(needed, env) if kept else None
        if index is None:
            self._list(move, number, choice, tests, env, found, offered)
        else:
            at, size = index
            depths = {self.m.depth_of(v) for n in needed for v in walk(env[n].value) if isinstance(v, Var)}
            with self.m.kept(depths) as body:
                self._list(move, number, choice, tests, env, found, offered)
            self.m.add(Once(self.m.memo(), size, at, found, tuple(body)))
        self.m.add(If(compare(">", Len(found, 0, found.longest), ZERO), (Group(number, first, found),)))

    def _names(self, move: MoveRule, choice: Choice, tests: list[Condition]) -> frozenset[str]:
        """Return the names on which the legal values of a choice depend."""
        if any(t.afterwards for t in tests):
            return frozenset(c.name for c in move.choices)
        used = frozenset().union(*(free_names(t.that) for t in tests), free_names(choice.domain))
        for e in (choice.at_least, choice.at_most, choice.source):
            if e is not None:
                used |= free_names(e)
        return used

    def _memo_index(self, names: list[str], env: Env) -> tuple[Num, int] | None:
        """Return a number for each combination of values of some names, and how many there are; None if too many."""
        at: Num = ZERO
        size = 1
        for name in names:
            bound = env[name]
            if isinstance(bound.value, ListVar) or hasattr(bound.value, "longest"):
                return None
            part, many = self.x.compact(bound.value)
            at = add(multiply(at, const(many)), part)
            size *= many
        return (at, size) if size <= MOST_KEPT else None

    def _longest(self, choice: Choice) -> int:
        match choice.type:
            case Several():
                return 1_000_000
        match choice.domain.type:
            case ListOf():
                return choice.domain.type.largest
            case PlaceOf():
                return len(self.x.family(choice.domain.type).place.kinds)
            case _:
                return 512

    def _list(
        self,
        move: MoveRule,
        number: int,
        choice: Choice,
        tests: list[Condition],
        env: Env,
        found: ListVar,
        offered: tuple[Given, ...],
    ) -> None:
        """Fill `found` with the legal values of a choice."""

        def push(inner: Env, values: tuple[Num, ...]) -> None:
            self.m.branch(self._is_new(move, inner, offered), (Push(found, values),))

        if isinstance(choice.type, Several):
            if not tests and not offered:
                self._ways_into(choice, env, found)
                return
            rows = self._ways(choice, env)
            self.m.add(NewList(found))
            kinds = range(len(choice.type.kinds))

            def row(value: Num | List) -> None:
                assert isinstance(value, LISTS)
                parts = tuple(Item(value, const(k), value.lo, value.hi) for k in kinds)
                inner = {**env, choice.name: Bound(choice.type, value)}
                self._count(move, tests)
                self._tested(move, number, tests, inner, lambda: push(inner, parts))

            self._each_row(rows, row)
            return
        self.m.add(NewList(found))

        def one(value: Num) -> None:
            inner = {**env, choice.name: Bound(choice.type, value)}
            self._count(move, tests)
            self._tested(move, number, tests, inner, lambda: push(inner, (value,)))

        self.x.each_distinct(choice.domain, env, one)

    def domain(self, choice: Choice, env: Env) -> List:
        """Return all values of a choice, legal or not."""
        if isinstance(choice.type, Several):
            return self._ways(choice, env)
        lo, hi = self.m.bounds(choice.type)
        found = self.m.empty_list(self.m.list_var(lo, hi, self._longest(choice)))
        self.x.each_distinct(choice.domain, env, lambda value: self.m.add(Push(found, (value,))))
        return found

    # pieces chosen together ------------------------------------------------------------------------------

    def _ways(self, choice: Choice, env: Env) -> ListVar:
        assert isinstance(choice.type, Several)
        lo, hi = self.m.bounds(choice.type)
        rows = self.m.list_var(lo, hi, self._longest(choice), len(choice.type.kinds))
        self._ways_into(choice, env, rows)
        return rows

    def _ways_into(self, choice: Choice, env: Env, rows: ListVar) -> None:
        """Write all ways to choose pieces together into a list."""
        counts, least, most = self._pieces(choice, env)
        self.m.add(Ways(rows, counts, least, most))

    def _pieces(self, choice: Choice, env: Env) -> tuple[tuple[Num, ...], Num, Num]:
        """Return how many pieces of each kind there are to choose from, and the least and the most that can be chosen."""
        assert choice.source is not None and choice.at_least is not None and choice.at_most is not None
        assert isinstance(choice.type, Several)
        lay = self.x.family(choice.source.type)
        at = self.m.named(self.x.number(choice.source, env))
        counts = []
        for kind in choice.type.kinds:
            count = self.x.count_at(lay, at, const(kind))
            allowed = self._allowed(choice.domain, kind, env)
            counts.append(self.m.named(select(allowed, count, ZERO)))
        least = self.m.named(self.x.number(choice.at_least, env))
        most = self.m.named(self.x.number(choice.at_most, env))
        return tuple(counts), least, most

    def _allowed(self, domain: Expr, kind: int, env: Env) -> Num:
        if isinstance(domain.type, PlaceOf):
            return ONE
        values = self.x.static(domain, env)
        if isinstance(values, tuple):
            return const(int(kind in values))
        if isinstance(domain.type, ListOf):
            return InList(const(kind), self.m.named_list(self.x.listed(domain, env)))
        return compare("==", self.x.number(domain, env), const(kind))

    def _each_row(self, rows: ListVar, visit) -> None:  # type: ignore[no-untyped-def]
        """Write a loop over rows, each as a list of its own."""
        row = self.m.list_var(rows.lo, rows.hi, rows.width)
        with self.m.loop() as body:
            parts = tuple(self.m.var(rows.lo, rows.hi) for _ in range(rows.width))
            self.m.add(NewList(row))
            for part in parts:
                self.m.add(Push(row, (part,)))
            visit(row)
        self.m.add(ForList(parts, rows, tuple(body)))


def _one_by_one(conditions: list[Condition]) -> list[tuple[Condition, ...]]:
    """Return conditions one by one, and all that look at the position after the move together: they share a trial."""
    after = tuple(c for c in conditions if c.afterwards)
    return [*((c,) for c in conditions if not c.afterwards), *((after,) if after else ())]
