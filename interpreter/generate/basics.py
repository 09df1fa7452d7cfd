"""Expressions that read no place: known values, logic, arithmetic, functions; and values computed once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from math import prod
from typing import Any

from interpreter.fault import RULES, FaultEntry
from interpreter.generate.key import parameter_names
from interpreter.generate.terms import (
    DEEPEST_INLINE,
    HARMLESS,
    INLINE,
    MOST_KNOWN,
    MOST_WRITTEN,
    PLAIN,
    UNROLL,
    Bound,
    Env,
    known,
    no_gaps,
    nodes,
)
from interpreter.generate.writer import WORD, Constants, Writer
from interpreter.layout import Layout
from rulespec.checks.work import Work
from rulespec.diagnostics.diagnostic import Span
from rulespec.expr import core
from rulespec.expr.core import Expr, children, free_names
from rulespec.expr.evaluate import Undefined, domain_size, evaluate, is_static
from rulespec.expr.ranges import surely_in
from rulespec.expr.types import NONE, ListOf, Type, Values, YesNo, can_be_none, meet, of_codes
from rulespec.model.model import Model, Parameter


class Basics:
    """Writes expressions. What needs statements of its own becomes a function, in `functions`."""

    def __init__(self, model: Model, layout: Layout) -> None:
        self.model = model
        self.layout = layout
        self.constants = Constants()
        self.writer = Writer(self.constants)
        self.functions: list[str] = []  # lines of generated functions
        self._conditional = 0  # inside something that is only sometimes evaluated
        self._lazy: set[str] = set()  # names that get their value in the middle of an expression
        self.work = Work(model)
        self._static: dict[int, tuple[Expr, bool, frozenset[str]]] = {}
        self._sizes: dict[str, int] = {}  # of functions as they are written; those too large to repeat are larger
        for name in self.work.order:  # those that a function calls come before it: depth costs no Python frames
            body = model.functions[name].body
            self._sizes[name] = self.size(body) if nodes(body) <= INLINE else MOST_WRITTEN + 1
        self._inlining = 0  # calls around this one that are written where they stand
        self._defined: dict[str, str] = {}
        self._made: dict[object, str] = {}  # what was asked for → the call of the function made for it
        self._number = 0
        self.faults: list[FaultEntry] = []

    def fault(self, message: str, span: Span, value: str = "", kind: str = RULES) -> str:
        """The call that stops the game; `{}` in the message stands for the value of an expression."""
        entry = FaultEntry(message, span, kind, bool(value))
        if entry not in self.faults:
            self.faults.append(entry)
        return f"fault({self.faults.index(entry)}{f', {value}' if value else ''})"

    # known values ----------------------------------------------------------------------------------------

    def const(self, e: Expr, env: Env) -> Any:
        """The value of e if it can be worked out now, else None."""
        if isinstance(e, core.Const):
            return e.value
        found = self._static.get(id(e))
        if found is None:
            static = is_static(e, self.model.functions, self.work.static) and self.work.effort(e) <= MOST_KNOWN
            found = self._static[id(e)] = (e, static, free_names(e))
        _, static, names = found
        if not static or any(n not in env or env[n].const is None for n in names):
            return None
        try:
            return evaluate(e, {n: env[n].const for n in names}, self.model)
        except Undefined:  # a condition that is looked at in play keeps it from being worked out for these values
            return None

    def type_of(self, e: Expr, env: Env) -> Type:
        """The type of e, with what is known of the local it reads."""
        if isinstance(e, core.Local) and e.name in env:
            outer = env[e.name].type
            if isinstance(outer, Values) and isinstance(e.type, Values):
                both = meet(outer, e.type)
                return outer if both.never else both
        return e.type

    def surely_in(self, found: Type, wanted: Type) -> bool:
        """Whether a value of one type is sure to be one of the other, which was declared."""
        return isinstance(found, Values) and isinstance(wanted, Values) and surely_in(found, wanted, self.model.sets)

    def is_one_of(self, t: Values, first: str, later: str) -> str:
        """The test whether a number is one of the numbers of t, whose set may have gaps, or none."""
        home = self.model.sets.get(t.home)
        if home is not None and not no_gaps(home.values):
            test = f"{first} in {self.constants.name('all', frozenset(home.values))}"
        else:
            test = f"{t.lo} <= {first} <= {t.hi}"
        return f"({test} or {later} == {NONE})" if t.none else f"({test})"

    def passed(self, e: Expr, wanted: Type, env: Env, what: str, span: Span | None) -> str:
        """Python text for a value that is passed on where `wanted` is taken: a fault if it is a number that is not."""
        text = self.number(e, env)
        if not isinstance(wanted, Values) or self.surely_in(self.type_of(e, env), wanted) or wanted.lo is None:
            return text
        assert span is not None
        name = self.writer.temp()
        self._lazy.add(name)
        message = f"expected {what} from {wanted.lo} to {wanted.hi}, found {{}}"
        return (
            f"({name} if {self.is_one_of(wanted, f'({name} := {text})', name)} else {self.fault(message, span, name)})"
        )

    # text ------------------------------------------------------------------------------------------------

    def value(self, e: Expr, env: Env) -> str:
        """Python text for e: a number for values, something true or false for conditions, a list for lists."""
        value = self.const(e, env)
        if value is not None:
            return repr(value)
        method: Callable[[Any, Env], str] = getattr(self, "_" + type(e).__name__.lower())
        return method(e, env)

    def number(self, e: Expr, env: Env) -> str:
        """Python text for e as a number also where e is a condition."""
        text = self.value(e, env)
        return f"(1 if {text} else 0)" if isinstance(e.type, YesNo) and text not in ("0", "1") else text

    def once(self, text: str) -> str:
        """`text` computed once before this line, if it is evaluated for certain or nothing in it can fail."""
        if PLAIN.match(text):
            return text
        if self._lazy and self._lazy & set(WORD.findall(text)):
            return f"({text})"
        if self._conditional and not HARMLESS.match(text):
            return f"({text})"
        return self.writer.once(text)

    def twice(self, e: Expr, env: Env) -> tuple[str, str]:
        """Text for the first use of e's value, which is evaluated before the others, and text for the others."""
        text = self.once(self.value(e, env))
        if PLAIN.match(text):
            return text, text
        name = self.writer.temp()
        self._lazy.add(name)
        return f"({name} := {text})", name

    @contextmanager
    def sometimes(self) -> Iterator[None]:
        """What is written in here is not always evaluated."""
        self._conditional += 1
        yield
        self._conditional -= 1

    def bind(self, e: Expr, env: Env) -> tuple[str, Bound]:
        """e for use under a local name: what must be evaluated first, and the bound name."""
        value = self.const(e, env)
        if value is not None:
            return "", known(value, e.type)
        first, later = self.twice(e, env)
        return ("" if first == later else f"{first} is None or "), Bound(self.type_of(e, env), later)

    def plain_bound(self, e: Expr, env: Env) -> Bound:
        """e as a bound whose text may be repeated, if at the cost of evaluating it again."""
        value = self.const(e, env)
        return known(value, e.type) if value is not None else Bound(self.type_of(e, env), self.once(self.value(e, env)))

    # logic and arithmetic --------------------------------------------------------------------------------

    def _local(self, e: core.Local, env: Env) -> str:
        b = env[e.name]
        return b.text if b.const is None else repr(b.const)

    def _not(self, e: core.Not, env: Env) -> str:
        return f"(not {self.value(e.of, env)})"

    def _logic(self, e: core.Logic, env: Env) -> str:
        absorbing = 0 if e.op == "and" else 1
        left = self.const(e.left, env)
        if left == absorbing:  # then the right side may be anything: it is not looked at
            return str(absorbing)
        if left is not None:
            return self.value(e.right, env)
        right = self.const(e.right, env)
        if right == absorbing:
            return str(absorbing)
        if right is not None:
            return self.value(e.left, env)
        first = self.value(e.left, env)
        with self.sometimes():
            return f"({first} {e.op} {self.value(e.right, env)})"

    def _if(self, e: core.If, env: Env) -> str:
        test = self.const(e.test, env)
        if test is not None:
            return self.value(e.then if test else e.other, env)
        first = self.value(e.test, env)
        with self.sometimes():
            return f"({self.value(e.then, env)} if {first} else {self.value(e.other, env)})"

    def _let(self, e: core.Let, env: Env) -> str:
        first, b = self.bind(e.value, env)
        body = self.value(e.body, {**env, e.name: b})
        return f"({first}{body})" if first else body

    def _default(self, e: core.Default, env: Env) -> str:
        if not can_be_none(self.type_of(e.value, env)):
            return self.value(e.value, env)
        first, later = self.twice(e.value, env)
        with self.sometimes():
            return f"({later} if {first} != {NONE} else {self.value(e.other, env)})"

    def _range(self, e: core.Range, env: Env) -> str:
        return f"range({self.value(e.lo, env)}, {self.value(e.hi, env)} + 1)"

    def _arithmetic(self, e: core.Arithmetic, env: Env) -> str:
        left, right = self.value(e.left, env), self.value(e.right, env)
        if left == "0" and e.op == "-":
            return f"(-{right})"
        if e.op == "+" and "0" in (left, right):
            return right if left == "0" else left
        op = {"/": "//", "mod": "%"}.get(e.op, e.op)
        return f"({left} {op} {right})"

    def _items(self, e: core.Items, env: Env) -> str:
        parts = [f"*{self.value(i, env)}" if isinstance(i.type, ListOf) else self.value(i, env) for i in e.items]
        return f"({', '.join(parts)},)"

    # functions -------------------------------------------------------------------------------------------

    def _call(self, e: core.Call, env: Env) -> str:
        function = self.model.functions[e.function]
        if self._sizes[e.function] <= MOST_WRITTEN and self._inlining < DEEPEST_INLINE:
            self._inlining += 1
            first, inner = "", {}
            for p, a in zip(function.parameters, e.args, strict=True):
                before, inner[p.name] = self._bind_argument(e, p, a, env)
                first += before
            body = self.value(function.body, inner)
            self._inlining -= 1
            return f"({first}{body})" if first else body
        args = [self._argument(e, p, a, env) for p, a in zip(function.parameters, e.args, strict=True)]
        return f"{self._define(e.function)}(S{''.join(f', {text}' for text in args)})"

    def _argument(self, e: core.Call, p: Parameter, a: Expr, env: Env) -> str:
        """What a function is called with."""
        if self._takes(p, a, env):
            b = self.plain_bound(a, env)
            return b.text if b.const is None else repr(b.const)
        return self.passed(a, p.type, env, f"a {p.set} for `{e.function}`", e.span)

    def _bind_argument(self, e: core.Call, p: Parameter, a: Expr, env: Env) -> tuple[str, Bound]:
        """What must be evaluated first, and the bound name, where a function's body is repeated."""
        if self._takes(p, a, env):
            return self.bind(a, env)
        name = self.writer.temp()
        self._lazy.add(name)
        text = self.passed(a, p.type, env, f"a {p.set} for `{e.function}`", e.span)
        return f"({name} := {text}) is None or ", Bound(p.type, name)

    def _takes(self, p: Parameter, a: Expr, env: Env) -> bool:
        """Whether a parameter surely takes what is passed."""
        if not isinstance(p.type, Values) or p.type.lo is None or p.set == "number":
            return True
        value = self.const(a, env)
        found = of_codes((value,)) if isinstance(value, int) else self.type_of(a, env)
        return self.surely_in(found, p.type)

    def size(self, e: Expr) -> int:
        """Return the nodes of e as they are written: functions and short loops in place, with all that is in them."""
        inner = sum(self.size(c) for c in children(e))
        match e:
            case core.Call() if self._sizes.get(e.function, MOST_WRITTEN + 1) <= MOST_WRITTEN:
                return inner + self._sizes[e.function]
            case core.Aggregate():
                passes = prod(max(1, domain_size(domain)) for _, domain in e.bindings)
                return 1 + inner * passes if passes <= 2 * UNROLL else 1 + inner
            case _:
                return 1 + inner

    def _define(self, name: str) -> str:
        """A generated function for a function too large to repeat, or called too deep inside others.

        Those it calls are written before it: depth costs no Python frames.
        """
        deep = self._sizes[name] <= MOST_WRITTEN
        for inner in self.work.called_by(name) if name not in self._defined else ():
            if deep or self._sizes[inner] > MOST_WRITTEN:
                self._define_alone(inner)
        return self._define_alone(name)

    def _define_alone(self, name: str) -> str:
        if name not in self._defined:
            made = self._defined[name] = f"f_{list(self.model.functions).index(name)}"
            function = self.model.functions[name]
            env = self.parameters(made, ((p.name, p.type) for p in function.parameters))
            self.constants.key.functions[made] = f"the function {name}"
            names = [b.text for b in env.values()]
            with self.aside(), self.writer.function(f"def {made}({', '.join(['S', *names])}):", *names):
                text = self.value(function.body, env)
                self.writer.line(f"return {text}")
        return self._defined[name]

    def parameters(self, function: str, parameters: Iterable[tuple[str, Type]]) -> dict[str, Bound]:
        """The parameters of a generated function, under the author's names."""
        types = dict(parameters)
        made = parameter_names(types)
        for name in types:
            if name != made[name]:
                self.constants.key.note(function, made[name], name)
        return {name: Bound(t, made[name]) for name, t in types.items()}

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Writes a function of its own while another one is being written."""
        outer, self.writer = self.writer, Writer(self.constants)
        conditional, self._conditional = self._conditional, 0
        lazy, self._lazy = self._lazy, set()
        inlining, self._inlining = self._inlining, 0
        yield
        self.functions += self.writer.lines
        self.writer, self._conditional, self._lazy, self._inlining = outer, conditional, lazy, inlining

    @contextmanager
    def ahead(self) -> Iterator[Writer]:
        """Writes lines at the beginning of the function that is being written, before its loops."""
        with self.writer.ahead():
            conditional, self._conditional = self._conditional, 0
            yield self.writer
            self._conditional = conditional

    def outer_names(self, e: Expr, env: Env) -> list[str]:
        """The Python names that the locals of e need."""
        words: set[str] = set()
        for name in free_names(e):
            if name in env and env[name].const is None:
                words |= set(WORD.findall(env[name].text))
        return sorted(words - {"S"})

    def _same(self, e: Expr, env: Env, *more: object) -> object:
        """A key under which the same function would be made again."""
        return (e, more, tuple((n, env[n]) for n in sorted(free_names(e)) if n in env))
