"""Printed source → functions. The only place where source is run.

INVARIANT: a program is made of whole numbers, names made by the lowering, what is listed here and what it is given. Nothing that can
read a file, import a module or reach an object's inside can be written with that, whatever a rule file says. Source
that holds anything else was printed wrongly: a bug of ours, and is not run.
"""

from __future__ import annotations

import ast
import gc
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType
from typing import Any

BUILTINS = {f.__name__: f for f in (any, len, max, min, range, sum, tuple)}

# names that are in every program, and those that end with a number
OWN = frozenset(
    ["S", "X", "args", "back", "first", "groups", "idle", "k", "last", "more", "move", "n", "out", "r", "rows", "taken"]
) | {"numbers", "total", "whole", "word", "_"}
NUMBERED = re.compile(r"(?:[bflmsvGT]|ask|drawn|given|play|weights)[0-9]+")
ATTRIBUTES = frozenset(("add", "append", "count", "get"))  # of sets, lists and tables; those of a run are given

# node → the fields that hold further nodes; operators and contexts have nothing in them
_FIELDS: dict[type, tuple[str, ...]] = {
    ast.Module: ("body",),
    ast.FunctionDef: ("args", "body"),
    ast.arguments: ("args",),
    ast.Return: ("value",),
    ast.Assign: ("targets", "value"),
    ast.AugAssign: ("target", "value"),
    ast.For: ("target", "iter", "body", "orelse"),
    ast.While: ("test", "body", "orelse"),
    ast.If: ("test", "body", "orelse"),
    ast.Expr: ("value",),
    ast.Pass: (),
    ast.Break: (),
    ast.Continue: (),
    ast.BoolOp: ("values",),
    ast.NamedExpr: ("target", "value"),
    ast.BinOp: ("left", "right"),
    ast.UnaryOp: ("operand",),
    ast.IfExp: ("test", "body", "orelse"),
    ast.Dict: ("keys", "values"),
    ast.ListComp: ("elt", "generators"),
    ast.comprehension: ("target", "iter", "ifs"),
    ast.Compare: ("left", "comparators"),
    ast.Call: ("func", "args", "keywords"),  # no program has keyword arguments
    ast.Attribute: ("value",),
    ast.Subscript: ("value", "slice"),
    ast.Slice: ("lower", "upper", "step"),
    ast.Starred: ("value",),
    ast.List: ("elts",),
    ast.Tuple: ("elts",),
}


class BadProgram(AssertionError):
    """Printed source holds something that no program may hold: the printer is at fault, never the author."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Names that a program may use besides its own: functions with the list it counts in, and the attributes of a run."""

    functions: Mapping[str, Callable[..., Any] | list[int]]
    attributes: frozenset[str]


def run(source: str, around: Surroundings) -> dict[str, Any]:
    """Return the functions of printed source, which can use its surroundings and a few of Python's functions, no others."""
    code = _code(source, frozenset(around.functions), around.attributes)
    namespace: dict[str, Any] = {"__builtins__": BUILTINS.copy(), **around.functions}
    exec(code, namespace)
    return namespace


@lru_cache(maxsize=32)  # the same rules are often loaded again: for another viewer, number of games, or example
def _code(source: str, functions: frozenset[str], attributes: frozenset[str]) -> CodeType:
    collecting = gc.isenabled()
    gc.disable()  # a tree is many small objects, gone in a moment: looking through them for garbage doubles the time
    try:
        checked(source, functions, attributes)
    finally:
        if collecting:
            gc.enable()
    return compile(source, "<program>", "exec", dont_inherit=True)


def checked(source: str, functions: frozenset[str], of_run: frozenset[str]) -> ast.Module:
    """Return printed source as a tree that holds only what a program may hold; BadProgram if there is anything else."""
    tree = ast.parse(source, "<program>")
    names: set[str] = set()
    attributes: set[str | None] = set()
    constants: set[type] = set()
    todo: list[Any] = [tree]
    while todo:
        node = todo.pop()
        kind = type(node)
        if kind is ast.Name:
            names.add(node.id)
            continue
        if kind is ast.Constant:
            constants.add(type(node.value))
            continue
        if kind is ast.arg:
            names.add(node.arg)
            continue
        fields = _FIELDS.get(kind)
        if fields is None:
            raise BadProgram(f"a program may not hold {ast.dump(node)[:200]}")
        if kind is ast.Attribute:
            attributes.add(node.attr)
        elif kind is ast.FunctionDef:
            names.add(node.name)
            if node.decorator_list or node.returns or node.type_comment or _extras(node.args):
                raise BadProgram(f"a function of a program may not have the head of {node.name!r}")
        for field in fields:
            inner = getattr(node, field)
            if inner.__class__ is list:
                todo += inner
            elif inner is not None:
                todo.append(inner)
    if strange := [n for n in names - OWN - BUILTINS.keys() - functions if not NUMBERED.fullmatch(n)]:
        raise BadProgram(f"a program may not use the names {sorted(strange)}")
    if strange_attributes := attributes - ATTRIBUTES - of_run:
        raise BadProgram(f"a program may not use the attributes {strange_attributes}")
    if constants - {int, bool, type(None)}:
        raise BadProgram(f"a program may not hold constants of {constants - {int, bool, type(None)}}")
    return tree


def _extras(args: ast.arguments) -> bool:
    """Return whether a function takes more than plain parameters."""
    return bool(
        args.posonlyargs or args.kwonlyargs or args.vararg or args.kwarg or args.defaults or args.kw_defaults
    ) or any(a.annotation for a in args.args)
