"""Generated source → functions. The only place where source is run.

INVARIANT: a program is made of whole numbers, names made by the generator and what is listed here. Nothing that can
read a file, import a module or reach an object's inside can be written with that, whatever a rule file says. Source
that holds anything else was printed wrongly: a bug of ours, and it is not run.
"""

from __future__ import annotations

import ast
import gc
import re
from functools import lru_cache
from itertools import compress
from types import CodeType
from typing import Any

from interpreter.fault import FaultEntry
from interpreter.run.runtime import Run, largest, many, only, pick, record_points, several, smallest, store_list

RUNTIME = {f.__name__: f for f in (compress, largest, many, only, pick, record_points, several, smallest, store_list)}
BUILTINS = {f.__name__: f for f in (frozenset, int, len, list, max, min, range, sum, tuple)}
GIVEN = frozenset(("fault", "watched", *RUNTIME, *BUILTINS))

# names that stand in every program, and those that end with a number
OWN = frozenset(
    re.findall(
        r"\w+",
        """S X args back bits bits_ block drawn first found from_ go groups i k kind last me move n near one other out p
        pair places r simulate total v w work x y _""",
    )
)
NUMBERED = re.compile(
    r"(?:_|[a-z]|[A-Z]+|all|any|ask|count|do|does|domain|first|given|group|kept|last|legal|list|max|me|min|move|need"
    r"|play|rank|refusal|rows|run|shows|sum|text|total|under|weights)(?:_?[0-9]+){1,2}"
)
ATTRIBUTES = frozenset(("add", "append", "count", "get", *Run.__slots__))  # of sets, lists, tables and a run

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
    ast.Set: ("elts",),
    ast.ListComp: ("elt", "generators"),
    ast.GeneratorExp: ("elt", "generators"),
    ast.comprehension: ("target", "iter", "ifs"),
    ast.Compare: ("left", "comparators"),
    ast.Call: ("func", "args", "keywords"),
    ast.keyword: ("value",),
    ast.Attribute: ("value",),
    ast.Subscript: ("value", "slice"),
    ast.Slice: ("lower", "upper", "step"),
    ast.Starred: ("value",),
    ast.List: ("elts",),
    ast.Tuple: ("elts",),
}


class BadProgram(AssertionError):
    """Generated source holds something that no program may hold: the generator is at fault, never the author."""


def run(source: str, faults: list[FaultEntry]) -> dict[str, Any]:
    """The functions of generated source, which can call the runtime and a few of Python's functions, and no others."""

    def fault(number: int, *values: int) -> None:
        raise faults[number].fault(*values)

    namespace: dict[str, Any] = {"__builtins__": BUILTINS.copy(), "fault": fault, **RUNTIME}
    exec(_code(source), namespace)
    return namespace


@lru_cache(maxsize=32)  # the same rules are often loaded again: for another viewer, number of games, or example
def _code(source: str) -> CodeType:
    collecting = gc.isenabled()
    gc.disable()  # a tree is many small objects, gone in a moment: looking through them for garbage doubles the time
    try:
        checked(source)
    finally:
        if collecting:
            gc.enable()
    return compile(source, "<program>", "exec", dont_inherit=True)


def checked(source: str) -> ast.Module:
    """Generated source as a tree that holds only what a program may hold; BadProgram if there is anything else."""
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
        if kind is ast.Global:
            names.update(node.names)
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
        elif kind is ast.keyword and node.arg != "default":
            raise BadProgram(f"a program may not give {node.arg!r} by name")
        for field in fields:
            inner = getattr(node, field)
            if inner.__class__ is list:
                todo += inner
            elif inner is not None:
                todo.append(inner)
    if strange := [n for n in names - OWN - GIVEN if not NUMBERED.fullmatch(n)]:
        raise BadProgram(f"a program may not use the names {sorted(strange)}")
    if attributes - ATTRIBUTES:
        raise BadProgram(f"a program may not use the attributes {attributes - ATTRIBUTES}")
    if constants - {int, bool, type(None)}:
        raise BadProgram(f"a program may not hold constants of {constants - {int, bool, type(None)}}")
    return tree


def _extras(args: ast.arguments) -> bool:
    """Whether a function takes more than plain parameters."""
    return bool(
        args.posonlyargs or args.kwonlyargs or args.vararg or args.kwarg or args.defaults or args.kw_defaults
    ) or any(a.annotation for a in args.args)
