"""What all sections have in common: one namespace, heads with indexes or parameters, expressions known at load."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rulespec.diagnostics.diagnostic import Diagnostic, Span
from rulespec.expr.builtins import AGGREGATES, BUILTINS
from rulespec.expr.evaluate import effort, evaluate, is_static
from rulespec.expr.infer import Inference
from rulespec.expr.names import RESERVED, Names
from rulespec.expr.parse import Fragment, Syntax, SyntaxProblem, parse
from rulespec.expr.ranges import Env
from rulespec.syntax import (
    Const,
    Expr,
    Parameter,
    Unknown,
    Values,
)
from rulespec.yaml.tree import Mapping, Node, Scalar, Sequence, bare_name

MOST_PLACES = 20_000  # of one family
MOST_EFFORT = 500_000  # steps to work out all that must be known before the game starts
NAME = re.compile(r"[a-z][a-z0-9_]*\Z")


def as_name(text: str) -> str:
    """The text as a name: in lower case, `_` for other signs; nothing if there is no letter in it."""
    return re.sub(r"\A[^a-z]+|_+\Z", "", re.sub(r"[^a-z0-9]+", "_", text.lower()))


class Skip(Exception):
    """This entry was complained about; go on with the next."""


class Entries:
    """Reads entries of a tree; complaints go to `report`, names to `names`."""

    def __init__(self, tree: Mapping, players: int, report: Callable[[Diagnostic], None]) -> None:
        self.tree = tree
        self.report = report
        self.names = Names(players)
        self._worked = 0  # steps to work out all that must be known before the game
        for section, what in (("places", "a place"), ("variables", "a variable")):
            self.names.later |= {bare_name(key.text): what for key, _ in self.section(section)}

    def section(self, name: str) -> Iterator[tuple[Scalar, Node]]:
        node = self.tree.get(name)
        return iter(node) if isinstance(node, Mapping) else iter(())

    def complain(self, span: Span, code: str, message: str, why: str = "", fix: str = "", also: Any = ()) -> Skip:
        self.report(Diagnostic(span, code, message, why, fix, also))
        return Skip()

    @contextmanager
    def entry(self, key: Scalar | None = None) -> Iterator[None]:
        """Whatever goes wrong in one entry leaves the others readable; who uses its name hears nothing more of it."""
        try:
            yield
            return
        except Skip:
            pass
        except SyntaxProblem as problem:
            self.report(problem.diagnostic)
        if key is not None:
            self.names.failed |= {bare_name(key.text), as_name(bare_name(key.text))}

    def declare(self, name: str, what: str, key: Scalar) -> None:
        """Takes a name into the one namespace; refuses one that is taken."""
        names = self.names
        if not NAME.match(name):
            self.names.failed.add(as_name(name))
            raise self.complain(key.span, "name-shape", f"`{name}` is not a name", "names are lower case letters, digits and `_`, and begin with a letter", f"write `{as_name(name)}`" if as_name(name) else "")  # fmt: skip
        # a built-in is always followed by `(`, so only a function could be taken for one
        if name in RESERVED or name == "player" or (what == "a function" and (name in BUILTINS or name in AGGREGATES)):
            raise self.complain(
                key.span, "name-reserved", f"`{name}` is a word of the language", "", "choose another name"
            )
        if name in names.declared or name in names.members:
            kind, where = names.declared.get(name, ("a member of a set", None))
            also = ((f"`{name}` is {kind}", where),) if where else ()
            raise self.complain(key.span, "name-taken", f"`{name}` is {kind} already", "every name stands for one thing", "choose another name", also)  # fmt: skip
        names.declared[name] = (what, key.span)
        names.heads[name] = key.text

    def infer(self, fragment: Fragment, env: Env | None = None) -> Inference:
        return Inference(self.names, fragment, env or {}, self.report)

    def static(self, scalar: Scalar, env: Env | None = None, worked_out: bool = True) -> Expr:
        """A checked expression that reads no state, and can be worked out in time if it is to be."""
        inference = self.infer(parse(scalar, "expr"), env)
        e = inference.value()
        if isinstance(e.type, Unknown):
            raise Skip
        if not is_static(e, self.names.functions):
            raise self.not_fixed(scalar.span)
        if worked_out:
            self.check_effort(scalar.span, e)
        return e

    def check_effort(self, span: Span, e: Expr, times: int = 1) -> None:
        """Refuses what takes too long to be worked out so many times."""
        if isinstance(e, Const):
            return
        functions = dict.fromkeys(self.names.functions, MOST_EFFORT)  # none is known yet where this is asked
        steps = times * effort(e, functions)
        self._worked += steps
        if steps > MOST_EFFORT:
            why = "it goes through long lists inside long lists"
        elif self._worked > MOST_EFFORT >= self._worked - steps:
            why = f"with what stands before it, it may take {self._worked:,}"
        elif self._worked > MOST_EFFORT:
            raise Skip  # it was said of an entry before
        else:
            return
        message = f"working this out may take more than {MOST_EFFORT:,} steps"
        raise self.complain(span, "too-much-work", message, why)

    def static_number(self, node: Node | None, env: Env | None = None) -> Expr:
        e = self.static(self.scalar(node, "a number"), env)
        if not (isinstance(e.type, Values) and e.type.is_number and not e.type.none):
            assert node is not None
            raise self.complain(node.span, "type-mismatch", f"expected a number, found {self.names.describe(e)}")
        return e

    def scalar(self, node: Node | None, what: str) -> Scalar:
        if isinstance(node, Scalar):
            return node
        assert node is not None
        raise self.complain(
            node.span,
            "shape-type",
            f"expected {what} on one line, found a {'list' if isinstance(node, Sequence) else 'map'}",
        )

    def head(self, key: Scalar) -> tuple[str, Syntax]:
        fragment = parse(key, "head")
        return fragment.root.parts[0], fragment.root

    def index_sets(self, key: Scalar, root: Syntax) -> tuple[tuple[str, ...], tuple[tuple[int, ...], ...]]:
        """Names and values of the index sets of a head such as `board[player, row]`."""
        if root.kind == "function":
            raise self.complain(
                key.span,
                "head-brackets",
                "indexes stand in square brackets",
                "",
                f"write `{key.text.replace('(', '[').replace(')', ']')}`",
            )
        names: list[str] = []
        values: list[tuple[int, ...]] = []
        for index in root.parts[1:]:
            span = key.at(index.start, index.end)
            if index.kind == "index_name":
                name = index.parts[0]
                if name not in self.names.sets:
                    raise self.complain_set(span, name)
                self.names.used.add(name)
                names.append(name)
                values.append(self.names.sets[name].values)
            else:
                lo, hi = (self._whole(key, part) for part in index.parts)
                names.append("")
                values.append(tuple(range(lo, min(hi, lo + MOST_PLACES) + 1)))
        size = 1
        for v in values:
            size *= len(v)
        if size > MOST_PLACES:
            raise self.complain(
                key.span,
                "too-large",
                f"`{bare_name(key.text)}` would have {size} entries, at most {MOST_PLACES} are allowed",
            )
        return tuple(names), tuple(values)

    def complain_set(self, span: Span, name: str) -> Skip:
        """Says that there is no such set, unless it was complained about itself."""
        if name not in self.names.failed:
            self.report(self.names.unknown(name, "set", span, {}, self.names.sets))
            self.names.failed.add(name)  # or it would be taken for a new kind of piece
        return Skip()

    def _whole(self, key: Scalar, part: Syntax) -> int:
        return int(evaluate(self.fixed(self.infer(Fragment(key, part)), part), {}, self.names))

    def fixed(self, inference: Inference, node: Syntax, number: bool = True) -> Expr:
        """The checked expression, which must read no state."""
        e = inference.number(node) if number else inference.value(node)
        if isinstance(e.type, Unknown):
            raise Skip
        if not is_static(e, self.names.functions):
            raise self.not_fixed(inference.span(node))
        self.check_effort(inference.span(node), e)
        return e

    def not_fixed(self, span: Span) -> Skip:
        why = "it reads a place or a variable"
        return self.complain(span, "expr-not-fixed", "this must be known before the game starts", why)

    def parameters(self, key: Scalar, root: Syntax) -> tuple[Parameter, ...]:
        """The parameters of a head such as `run(player p, row r)`."""
        if root.kind == "indexed":
            raise self.complain(
                key.span,
                "head-brackets",
                "parameters stand in round brackets, each with its set",
                "",
                "write `name(set x)`",
            )
        found: list[Parameter] = []
        for param in root.parts[1:]:
            set_name, name = param.parts
            span = key.at(param.start, param.end)
            t = self.names.parameter_type(set_name)
            if t is None:
                raise self.complain_set(key.at(param.start, param.start + len(set_name)), set_name)
            self.names.check_new_local(name, span, self.names.env_of(found), self.report)
            found.append(Parameter(name, t, set_name))
        return tuple(found)
