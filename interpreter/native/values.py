"""What all of the translation shares: values with their shapes, names, lines of C, cells."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from interpreter.native.shapes import (
    INT,
    NULL,
    UNKNOWN,
    Groups,
    Int,
    Node,
    Null,
    Picked,
    Seq,
    Shape,
    Tup,
    Unknown,
    Untranslatable,
    c_type,
    join,
    width,
)
from interpreter.native.tables import Table

COUNTERS = frozenset(("idle", "more", "steps", "rounds", "scored"))  # of a run, in Python as in C


@dataclass(frozen=True, slots=True)
class Value:
    text: str
    shape: Shape


@dataclass(slots=True)
class Function:
    """One function of the program and what is known of it so far."""

    node: ast.FunctionDef
    parameters: list[str]
    names: Counter[str]  # how often each stands in it
    shapes: dict[str, Shape] = field(default_factory=dict)
    result: Shape = UNKNOWN
    text: str = ""
    loops: int | None = None  # how deep they lie inside one another, once that was asked


@dataclass(slots=True)
class Module:
    tables: dict[str, Table]
    functions: dict[str, Function]
    size: int  # of the vector
    moves: dict[int, tuple[Shape, Shape]] = field(
        default_factory=dict
    )  # move → shapes of its first values and its last
    changed: bool = False  # something new was learnt
    settled: bool = False  # all shapes are known: what has none now is never reached, or not understood


class Values:
    """Writes the lines of one function: names, temporary values, items in cells."""

    def __init__(self, module: Module, function: Function) -> None:
        self.module = module
        self.function = function
        self.lines: list[str] = []
        self.scopes: list[dict[str, Value]] = []  # names of comprehensions
        self.known_moves: list[int] = []  # `if move == …:` around what is being written
        self.count = 0

    # lines and names -------------------------------------------------------------------------------------

    def fresh(self) -> str:
        self.count += 1
        return f"t{self.count}"

    def temp(self, v: Value) -> Value:
        name = self.fresh()
        self.lines.append(f"{c_type(v.shape)}{name} = {v.text};")
        return Value(name, v.shape)

    @contextmanager
    def inside(self) -> Iterator[list[str]]:
        """Statements inside an expression."""
        outer, self.lines = self.lines, []
        yield self.lines
        self.lines = outer

    def block(self, lines: list[str], result: str) -> str:
        return "({ " + " ".join(lines) + f" {result}; }})" if lines else result

    def learn(self, name: str, shape: Shape) -> Shape:
        """The shape of a local name, now that it also gets this one."""
        before = self.function.shapes.get(name, UNKNOWN)
        after = join(before, shape)
        if after != before:
            self.function.shapes[name] = after
            self.module.changed = True
        return after

    def assigned(self, name: str, v: Value) -> str:
        """An assignment, as an expression."""
        return f"v_{name} = {self.coerced(v, self.learn(name, v.shape))}"

    def coerced(self, v: Value, shape: Shape) -> str:
        match v.shape, shape:
            case Tup(), Seq():
                return f"as_seq(X, {v.text}, {len(v.shape.items)})"
            case (Null(), Seq()) | (Unknown(), _):
                return v.text
            case Seq(), Groups():
                return "new_groups(X)"  # the only list that becomes one is an empty one
            case Picked(), Picked():
                return v.text
            case _ if type(v.shape) is type(shape) or isinstance(shape, Unknown):
                return v.text
        raise Untranslatable(f"{v.shape} as {shape}")

    def load(self, pointer: str, shape: Shape) -> Value:
        """The item whose cells begin at a pointer."""
        if isinstance(shape, Tup):
            return Value(f"({pointer})", shape)
        if isinstance(shape, Seq):
            return Value(f"((seq *)(intptr_t)*({pointer}))", shape)
        return Value(f"(*({pointer}))", shape)

    def store(self, pointer: str, v: Value, shape: Shape) -> None:
        """Puts an item into the cells that begin at a pointer."""
        if isinstance(shape, Tup):
            if not isinstance(v.shape, Tup) or width(v.shape) != width(shape):
                raise Untranslatable("tuples of different lengths in a list")
            self.lines.append(f"memcpy({pointer}, {v.text}, {width(shape)} * sizeof(I));")
        elif isinstance(shape, Seq):
            self.lines.append(f"*({pointer}) = (I)(intptr_t){self.coerced(v, shape)};")
        elif isinstance(v.shape, Int | Node | Unknown | Null):
            self.lines.append(f"*({pointer}) = {v.text};")
        else:
            raise Untranslatable(f"{v.shape} in a list of {shape}")

    def parts(self, v: Value, n: int) -> list[Value]:
        """The items of a tuple, or of a sequence that must have just so many."""
        v = self.settled(v)
        if isinstance(v.shape, Unknown):
            return [Value("0", UNKNOWN)] * n
        if isinstance(v.shape, Tup):
            if len(v.shape.items) != n:
                raise Untranslatable("a tuple of another length")
            at, out = 0, []
            v = self.temp(v)
            for item in v.shape.items:  # type: ignore[union-attr]
                out.append(self.load(f"{v.text} + {at}", item))
                at += width(item)
            return out
        if not isinstance(v.shape, Seq):
            raise Untranslatable(f"parts of {v.shape}")
        v = self.temp(v)
        self.lines.append(f"if (RARE(size(X, {v.text}) != {n})) leave(X, LEFT);")
        item = v.shape.item  # type: ignore[union-attr]
        return [self.load(f"{v.text}->p + {i * width(item)}", item) for i in range(n)]

    def settled(self, v: Value) -> Value:
        """Values of a picked move, where the move is known."""
        if not isinstance(v.shape, Picked):
            return v
        moves = v.shape.moves & set(self.known_moves[-1:]) if self.known_moves else v.shape.moves
        if len(moves) != 1:
            if self.module.settled:
                raise Untranslatable("values of a move that is not known")
            return Value("0", UNKNOWN)
        first, last = self.module.moves.get(next(iter(moves)), (UNKNOWN, UNKNOWN))
        return Value(v.text, first) if v.shape.part == "first" else self.load(v.text, last)

    # expressions -----------------------------------------------------------------------------------------

    def value(self, node: ast.expr) -> Value:
        method: Callable[[ast.expr], Value] | None = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            raise Untranslatable(ast.unparse(node))
        return method(node)

    def number(self, node: ast.expr) -> str:
        v = self.value(node)
        if not isinstance(v.shape, Int | Unknown | Node):
            raise Untranslatable(f"{ast.unparse(node)} as a number")
        return v.text

    def truth(self, node: ast.expr) -> str:
        """C text that is true where the Python value is."""
        if isinstance(node, ast.BoolOp):
            return (
                "("
                + (" && " if isinstance(node.op, ast.And) else " || ").join(self.truth(v) for v in node.values)
                + ")"
            )
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return f"(!{self.truth(node.operand)})"
        v = self.value(node)
        match v.shape:
            case Seq():
                name = self.fresh()
                return f"({{ const seq *{name} = {v.text}; {name} && {name}->n; }})"
            case Groups():
                return f"({v.text}->n != 0)"
            case Tup():
                return f"((void)({v.text}), {int(bool(v.shape.items))})"
            case Int() | Unknown() | Null():
                return v.text
        raise Untranslatable(f"whether {ast.unparse(node)}")

    def _constant(self, node: ast.Constant) -> Value:
        if node.value is None:
            return Value("0", NULL)
        if not isinstance(node.value, int) or abs(node.value) >= 2**40:
            raise Untranslatable(ast.unparse(node))
        return Value(f"(I){int(node.value)}", INT)

    def _name(self, node: ast.Name) -> Value:
        for scope in reversed(self.scopes):
            if node.id in scope:
                return scope[node.id]
        if node.id in self.module.tables:
            table = self.module.tables[node.id]
            if table.is_dict:
                return Value("0", table.shape)
            if table.gaps:
                raise Untranslatable("a table with gaps")
            return Value(f"((seq *)&{table.name})", table.shape)
        shape = self.function.shapes.get(node.id, UNKNOWN)
        if self.module.settled and shape == UNKNOWN:
            raise Untranslatable(f"nothing is known of {node.id}")
        return self.settled(Value(f"v_{node.id}", shape))

    def _attribute(self, node: ast.Attribute) -> Value:
        if is_counter(node):
            return Value(f"X->{node.attr}", INT)
        raise Untranslatable(ast.unparse(node))

    def _namedexpr(self, node: ast.NamedExpr) -> Value:
        v = self.value(node.value)
        return Value(f"({self.assigned(node.target.id, v)})", self.function.shapes[node.target.id])

    def in_order(self, nodes: list[ast.expr], result: Callable[[list[str]], str]) -> str:
        """Text made of several numbers, which are evaluated one after the other where that matters."""
        if len(nodes) < 2 or not self.module.settled or not any(map(acts, nodes)):
            return result([self.number(n) for n in nodes])
        with self.inside() as lines:
            names = [self.temp(Value(self.number(n), INT)).text for n in nodes]
        return self.block(lines, result(names))

    def stretch(self, v: Value) -> tuple[str, str]:
        """The first cell and the number of items of a tuple or sequence under a name."""
        if isinstance(v.shape, Tup):
            return v.text, str(len(v.shape.items))
        if isinstance(v.shape, Seq):
            return f"{v.text}->p", f"size(X, {v.text})"
        raise Untranslatable(f"the items of {v.shape}")


def is_counter(node: ast.expr) -> bool:
    """Whether it is one of the numbers that a run counts."""
    return isinstance(node, ast.Attribute) and ast.unparse(node.value) == "X" and node.attr in COUNTERS


def acts(node: ast.expr) -> bool:
    """Whether evaluating it does something: gives a name a value or draws a random number."""
    return any(
        isinstance(n, ast.NamedExpr) or (isinstance(n, ast.Name) and n.id in ("bits", "pick")) for n in ast.walk(node)
    )
