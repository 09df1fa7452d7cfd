"""Legal moves: for each move a function that lists the choices no condition refuses.

Choices are nested loops in the order written. A condition is tested as soon as its names are bound; what a loop may
run over is worked out once for each value of the outer names it depends on, not once a pass. A group is
(number of the move, all chosen values but the last, the legal last values): most positions have far fewer groups
than moves, and counting or picking a move needs no list of them.
"""

from __future__ import annotations

from interpreter.fault import TOO_MUCH
from interpreter.generate.expressions import Expressions
from interpreter.generate.terms import Bound, Env
from rulespec.checks.work import MOST_LISTING
from rulespec.expr import core
from rulespec.expr.core import Expr, free_names
from rulespec.expr.types import ListOf, Several, Type
from rulespec.model.model import Choice, Move


class Candidates:
    def __init__(self, expressions: Expressions, move_numbers: dict[str, int], watch: bool = False) -> None:
        self.x = expressions
        self._spent = ""  # the statement that stops a listing for which too much was done; empty: nothing is counted
        self.numbers = move_numbers
        self.watch = watch  # tell of every refusal, for rule coverage
        self.conditions: list[tuple[str, str]] = []  # (move, name) of every condition, if watched
        self._condition_numbers: dict[int, int] = {}  # a condition's expression → its number

    def write(self, move: Move) -> None:
        """`legal_<number>(S, out, me, given…)` appends the groups of legal moves to `out`."""
        given: list[tuple[str, Type]] = [
            ("me", self.x.model.sets["player"].type),
            *((p.name, p.type) for p in move.given),
        ]
        function = f"legal_{self.numbers[move.name]}"
        self.x.constants.key.functions[function] = f"the legal choices of {move.name}"
        env: Env = self.x.parameters(function, given)
        names = [b.text for b in env.values()]
        order = [c.name for c in move.choices]
        with self.x.aside(), self.x.writer.function(f"def {function}(S, out, {', '.join(names)}):", *names):
            w = self.x.writer
            w.pure = True
            self._begin_counting(move)
            levels = self.levels(move)
            if self.watch:
                first = len(self.conditions)
                self._condition_numbers = {id(c.that): first + i for i, c in enumerate(move.conditions)}
                self.conditions += [(move.name, c.name) for c in move.conditions]
            for test in levels[0]:
                self._reject(test, env, "return")
            if not order:
                w.line(f"out.append(({self.numbers[move.name]}, (), (None,)))")
                return
            self._level(move, 0, levels, env)

    def _begin_counting(self, move: Move) -> None:
        """Counts the steps of this listing, if they could be too many."""
        self._spent = ""
        if self.x.work.is_counted(move):
            message = f"finding the legal choices of `{move.name}` takes more than {MOST_LISTING:,} steps"
            self._spent = f"if work > {MOST_LISTING}: {self.x.fault(message, move.span, kind=TOO_MUCH)}"
            self.x.writer.line("work = 0")

    def _count(self, tests: list[Expr]) -> None:
        """Counts one value of a choice and the conditions that are tested for it."""
        if self._spent:
            self.x.writer.line(f"work += {1 + sum(self.x.work.effort(t) for t in tests)}")
            self.x.writer.line(self._spent)

    def levels(self, move: Move) -> list[list[Expr]]:
        """The conditions by the number of choices that must be made before they can be tested."""
        order = [c.name for c in move.choices]
        levels: list[list[Expr]] = [[] for _ in range(len(order) + 1)]
        for condition in move.conditions:
            used = free_names(condition.that)
            levels[max((order.index(n) + 1 for n in used if n in order), default=0)].append(condition.that)
        return levels

    def _level(self, move: Move, i: int, levels: list[list[Expr]], env: Env) -> None:
        """The loop over choice number i, inside the loops over those before it."""
        w = self.x.writer
        choice = move.choices[i]
        outer = [c.name for c in move.choices[:i]]
        tests = levels[i + 1]
        needed = self._outer_names(choice, tests, outer)
        last = i == len(move.choices) - 1
        if len(needed) < len(outer) and not self.watch:
            values = self._prepared(choice, tests, env, outer, needed)
            tests = []
        elif last:
            values = self.listed(choice, tests, env)
            tests = []
        else:
            values = ""
        if last:
            prefix = "".join(f"{env[n].text}, " for n in outer)
            w.line(f"if {values}: out.append(({self.numbers[move.name]}, ({prefix}), {values}))")
            return
        head, b = self._head(choice, values, env)
        with w.block(head, b.text):
            inner = {**env, choice.name: b}
            self._count(tests)
            self._tests(choice, tests, inner, env, "continue", values == "")
            self._level(move, i + 1, levels, inner)

    def _outer_names(self, choice: Choice, tests: list[Expr], outer: list[str]) -> list[str]:
        """The earlier choices that this one's legal values depend on."""
        used = frozenset().union(*(free_names(t) for t in tests), free_names(choice.domain))
        for e in (choice.at_least, choice.at_most, choice.source):
            if e is not None:
                used |= free_names(e)
        return [n for n in outer if n in used]

    def _head(self, choice: Choice, values: str, env: Env) -> tuple[str, Bound]:
        """The `for` line over a choice, and its bound name."""
        name = self.x.writer.local(choice.name)
        if values:
            return f"for {name} in {values}:", Bound(choice.type, name)
        return f"for {name} in {self._domain_text(choice, env)}:", Bound(choice.type, name)

    def _domain_text(self, choice: Choice, env: Env) -> str:
        if isinstance(choice.type, Several):
            return self._several(choice, env)
        domain = self.x.domain(choice.domain, env)
        if domain.values is not None and len(domain.values) > 3:
            return self.x.constants.name("all", domain.values)
        return domain.text

    def domain_list(self, choice: Choice, env: Env) -> str:
        """All values of a choice, legal or not."""
        if isinstance(choice.type, Several):
            return self._several(choice, env)
        domain = self.x.domain(choice.domain, env)
        if domain.keep is not None:
            return f"[k for k in {domain.text} if {domain.keep(Bound(domain.type, 'k'))}]"
        return f"list({domain.text})"

    def _several(self, choice: Choice, env: Env) -> str:
        """All ways to choose pieces together, as tuples of counts."""
        assert choice.source is not None and choice.at_least is not None and choice.at_most is not None
        assert isinstance(choice.type, Several)
        lay = self.x.layout.places[choice.source.type.family]  # type: ignore[union-attr]
        at = self.x.address(choice.source, env)
        allowed = choice.domain if isinstance(choice.domain.type, ListOf) else None
        counts = []
        for k in choice.type.kinds:
            count = self.x.count_at(lay, at, [Bound(choice.source.type, "", k)])
            if allowed is not None:
                test = core.In(choice.domain.type, core.Const(choice.domain.type.item, k), allowed)  # type: ignore[union-attr]
                count = f"({count} if {self.x.value(test, env)} else 0)"
            elif not isinstance(choice.domain, core.PlaceAt):
                count = f"({count} if {self.x.value(choice.domain, env)} == {k} else 0)"
            counts.append(count)
        return f"several(({', '.join(counts)},), {self.x.value(choice.at_least, env)}, {self.x.value(choice.at_most, env)})"

    def _tests(self, choice: Choice, tests: list[Expr], inner: Env, env: Env, otherwise: str, fresh: bool) -> None:
        w = self.x.writer
        if fresh and not isinstance(choice.type, Several):
            domain = self.x.domain(choice.domain, env)
            if domain.keep is not None:
                w.line(f"if not {domain.keep(inner[choice.name])}: {otherwise}")
        for test in tests:
            self._reject(test, inner, otherwise)

    def _reject(self, test: Expr, env: Env, otherwise: str) -> None:
        """Leaves this candidate if a condition does not hold."""
        text = self.x.value(test, env)
        told = f"watched({self._condition_numbers[id(test)]}); " if self.watch else ""
        self.x.writer.line(f"if not {text}: {told}{otherwise}")

    def listed(self, choice: Choice, tests: list[Expr], env: Env) -> str:
        """The name of a list of this choice's legal values, made here."""
        w = self.x.writer
        if not tests and isinstance(choice.type, Several):
            name = w.temp("l")
            w.line(f"{name} = {self._several(choice, env)}")
            return name
        domain = self.x.domain(choice.domain, env) if not isinstance(choice.type, Several) else None
        if not tests and domain is not None and domain.keep is None:
            return (
                self._domain_text(choice, env) if domain.values is not None else self._kept_list(f"list({domain.text})")
            )
        name = w.temp("l")
        w.line(f"{name} = []")
        variable = w.local(choice.name)
        with w.block(f"for {variable} in {self._domain_text(choice, env)}:", variable):
            inner = {**env, choice.name: Bound(choice.type, variable)}
            self._count(tests)
            self._tests(choice, tests, inner, env, "continue", True)
            w.line(f"{name}.append({variable})")
        return name

    def _kept_list(self, text: str) -> str:
        name = self.x.writer.temp("l")
        self.x.writer.line(f"{name} = {text}")
        return name

    # lists that do not depend on every outer choice --------------------------------------------------------

    def _prepared(self, choice: Choice, tests: list[Expr], env: Env, outer: list[str], needed: list[str]) -> str:
        """The name of this choice's legal values, kept for each value of the outer names it depends on."""
        w = self.x.writer
        if not needed:
            return self._before_loops(choice, tests, env, outer)
        own = [t for t in tests if not (free_names(t) & set(outer))]
        rest = [t for t in tests if t not in own]
        shared, rest = self._hoist(choice, rest, outer)
        rows = self._rows_before_loops(choice, own, shared, env, outer)
        kept = self._declare_before_loops("{}", outer)
        key = env[needed[0]].text if len(needed) == 1 else f"({', '.join(env[n].text for n in needed)})"
        name = w.temp("l")
        w.line(f"{name} = {kept}.get({key})")
        with w.block(f"if {name} is None:"):
            w.line(f"{name} = {kept}[{key}] = []")
            variable = w.local(choice.name)
            parts = [w.temp("h") for _ in shared]
            names = [variable, *parts]
            with w.block(f"for {', '.join(names) if shared else variable} in {rows}:", *names):
                inner = {**env, choice.name: Bound(choice.type, variable)}
                inner |= {n: Bound(e.type, part) for (n, e), part in zip(shared, parts, strict=True)}
                self._count(rest)
                for test in rest:
                    w.line(f"if not {self.x.value(test, inner)}: continue")
                w.line(f"{name}.append({variable})")
        return name

    def _hoist(self, choice: Choice, tests: list[Expr], outer: list[str]) -> tuple[list[tuple[str, Expr]], list[Expr]]:
        """Parts of the tests that depend on this choice alone, to be worked out once a value: (name, part)."""
        shared: list[tuple[str, Expr]] = []

        def visit(e: Expr) -> Expr:
            names = free_names(e)
            if (
                isinstance(e, core.Call | core.Aggregate | core.Builtin)
                and choice.name in names
                and not names & set(outer)
            ):
                if not isinstance(e.type, ListOf):
                    for name, known in shared:
                        if known == e:
                            return core.Local(e.type, name)
                    shared.append((f"part {len(shared)}", e))  # no author's name has a space
                    return core.Local(e.type, shared[-1][0])
            return replace_children(e, visit)

        return shared, [visit(t) for t in tests]

    def _declare_before_loops(self, text: str, outer: list[str]) -> str:
        name = self.x.writer.temp("kept")
        self.x.writer.first(f"{name} = {text}")
        return name

    def _rows_before_loops(
        self, choice: Choice, own: list[Expr], shared: list[tuple[str, Expr]], env: Env, outer: list[str]
    ) -> str:
        """The values that pass the tests on this choice alone, each with the shared parts; made before the loops."""
        outside = {n: b for n, b in env.items() if n not in outer}
        name = self.x.writer.temp("rows")
        with self.x.ahead() as w:
            w.line(f"{name} = []")
            variable = w.local(choice.name)
            with w.block(f"for {variable} in {self._domain_text(choice, outside)}:", variable):
                inner = {**outside, choice.name: Bound(choice.type, variable)}
                self._count([*own, *(e for _, e in shared)])
                self._tests(choice, own, inner, outside, "continue", True)
                parts = "".join(f", {self.x.number(e, inner)}" for _, e in shared)
                w.line(f"{name}.append(({variable}{parts}))" if shared else f"{name}.append({variable})")
        return name

    def _before_loops(self, choice: Choice, tests: list[Expr], env: Env, outer: list[str]) -> str:
        outside = {n: b for n, b in env.items() if n not in outer}
        with self.x.ahead():
            return self.listed(choice, tests, outside)


def replace_children(e: Expr, visit) -> Expr:  # type: ignore[no-untyped-def]
    """e with its direct parts replaced by visit(part); expressions that bind names are left alone."""
    match e:
        case core.Not():
            return core.Not(e.type, visit(e.of))
        case core.Logic():
            return core.Logic(e.type, e.op, visit(e.left), visit(e.right))
        case core.Compare():
            return core.Compare(e.type, e.op, visit(e.left), visit(e.right))
        case core.Arithmetic():
            return core.Arithmetic(e.type, e.op, visit(e.left), visit(e.right))
        case core.If():
            return core.If(e.type, visit(e.test), visit(e.then), visit(e.other))
        case core.In():
            return core.In(e.type, visit(e.item), visit(e.domain))
        case core.Default():
            return core.Default(e.type, visit(e.value), visit(e.other))
        case core.Items():
            return core.Items(e.type, tuple(visit(i) for i in e.items))
        case _:
            return e
