"""Checked expressions: names resolved, every node typed. What the code generator reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from rulespec.diagnostics.diagnostic import Span
from rulespec.expr.types import Type


@dataclass(frozen=True, slots=True)
class Const:
    type: Type
    value: int | tuple[int, ...]  # a code, 0/1 for no and yes, or a list of codes


@dataclass(frozen=True, slots=True)
class Local:
    type: Type
    name: str


@dataclass(frozen=True, slots=True)
class Not:
    type: Type
    of: Expr


@dataclass(frozen=True, slots=True)
class Logic:
    type: Type
    op: str  # and, or
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class If:
    type: Type
    test: Expr
    then: Expr
    other: Expr


@dataclass(frozen=True, slots=True)
class Let:
    type: Type
    name: str
    value: Expr
    body: Expr


@dataclass(frozen=True, slots=True)
class Compare:
    type: Type
    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class In:
    """x is one of a list; or a kind lies on a place."""

    type: Type
    item: Expr
    domain: Expr


@dataclass(frozen=True, slots=True)
class Default:
    type: Type
    value: Expr
    other: Expr


@dataclass(frozen=True, slots=True)
class Range:
    type: Type
    lo: Expr
    hi: Expr


@dataclass(frozen=True, slots=True)
class Arithmetic:
    type: Type
    op: str  # + - * / mod
    left: Expr
    right: Expr
    span: Span | None = field(default=None, compare=False)  # for complaints about what it can reach


@dataclass(frozen=True, slots=True)
class Items:
    type: Type
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class TableRead:
    type: Type
    table: str
    index: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class VariableRead:
    type: Type
    variable: str
    index: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a pair."""

    type: Type
    pair: Expr
    set: str  # the pair's set
    which: int  # 0 or 1


@dataclass(frozen=True, slots=True)
class PlaceAt:
    type: Type
    family: str
    index: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Places:
    """All places of a family with these first indexes."""

    type: Type
    family: str
    index: tuple[Expr, ...]
    sure: bool = True  # the indexes are surely inside their sets; if not, there may be no place at all


@dataclass(frozen=True, slots=True)
class Aggregate:
    type: Type
    op: str  # sum count any all max min first list
    body: Expr
    bindings: tuple[tuple[str, Expr], ...]
    where: Expr | None
    stop: Expr | None  # `while`
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Group:
    type: Type
    name: str
    start: Expr
    along: Expr
    where: Expr


@dataclass(frozen=True, slots=True)
class Builtin:
    """A call of a built-in function; its name tells the generator what to do."""

    type: Type
    name: str
    args: tuple[Expr, ...]
    span: Span | None = field(default=None, compare=False)  # where it may be given what it cannot take


@dataclass(frozen=True, slots=True)
class Call:
    type: Type
    function: str
    args: tuple[Expr, ...]
    span: Span | None = field(default=None, compare=False)


Expr = (
    Const
    | Local
    | Not
    | Logic
    | If
    | Let
    | Compare
    | In
    | Default
    | Range
    | Arithmetic
    | Items
    | TableRead
    | VariableRead
    | Part
    | PlaceAt
    | Places
    | Aggregate
    | Group
    | Builtin
    | Call
)


def children(e: Expr) -> tuple[Expr, ...]:
    """The expressions directly inside e."""
    match e:
        case Const() | Local():
            return ()
        case Not():
            return (e.of,)
        case Logic() | Compare() | Arithmetic():
            return (e.left, e.right)
        case If():
            return (e.test, e.then, e.other)
        case Let():
            return (e.value, e.body)
        case In():
            return (e.item, e.domain)
        case Default():
            return (e.value, e.other)
        case Range():
            return (e.lo, e.hi)
        case Items():
            return e.items
        case TableRead() | VariableRead() | PlaceAt() | Places():
            return e.index
        case Part():
            return (e.pair,)
        case Aggregate():
            rest = tuple(x for x in (e.where, e.stop) if x is not None)
            return (e.body, *(d for _, d in e.bindings), *rest)
        case Group():
            return (e.start, e.along, e.where)
        case Builtin() | Call():
            return e.args


def each_expression(roots: Iterable[Expr]) -> Iterator[Expr]:
    """These expressions and all inside them. Depth costs no Python frames."""
    waiting = list(roots)
    while waiting:
        e = waiting.pop()
        yield e
        waiting += children(e)


def free_names(e: Expr) -> frozenset[str]:
    """The local names e uses and does not bind itself."""
    match e:
        case Local():
            return frozenset((e.name,))
        case Let():
            return free_names(e.value) | (free_names(e.body) - {e.name})
        case Aggregate():
            found: frozenset[str] = frozenset()
            for inner in (e.body, e.where, e.stop):
                found |= free_names(inner) if inner is not None else frozenset()
            for name, domain in reversed(e.bindings):
                found = (found - {name}) | free_names(domain)
            return found
        case Group():
            return free_names(e.start) | free_names(e.along) | (free_names(e.where) - {e.name})
        case _:
            return frozenset().union(*(free_names(c) for c in children(e)))
