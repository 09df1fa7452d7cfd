"""Expressions of the generated Python → C expressions with the same value, evaluated in the same order."""

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
    Map,
    Node,
    Null,
    Picked,
    Seq,
    Shape,
    Tup,
    Unknown,
    Untranslatable,
    c_type,
    item_of,
    join,
    width,
)
from interpreter.native.tables import Table
from rulespec.expr.types import NONE

ARITHMETIC = {ast.Add: "+", ast.Sub: "-"}
CALLED = {ast.Mult: "times", ast.FloorDiv: "divided", ast.Mod: "modulo"}
COMPARED = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


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


@dataclass(slots=True)
class Module:
    tables: dict[str, Table]
    functions: dict[str, Function]
    moves: dict[int, tuple[Shape, Shape]] = field(default_factory=dict)  # move → shapes of its first values and its last
    changed: bool = False  # something new was learnt
    settled: bool = False  # all shapes are known: what has none now is never reached, or not understood


class Expressions:
    """Writes the expressions of one function, and the loops that stand inside them."""

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
            return "(" + (" && " if isinstance(node.op, ast.And) else " || ").join(self.truth(v) for v in node.values) + ")"
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
        if ast.unparse(node) == "X.idle":
            return Value("X->idle", INT)
        raise Untranslatable(ast.unparse(node))

    def _namedexpr(self, node: ast.NamedExpr) -> Value:
        v = self.value(node.value)
        return Value(f"({self.assigned(node.target.id, v)})", self.function.shapes[node.target.id])

    def in_order(self, nodes: list[ast.expr], result: Callable[[list[str]], str]) -> str:
        """Text made of several numbers, which are evaluated one after the other where that matters."""
        if len(nodes) < 2 or not self.module.settled or not any(map(_acts, nodes)):
            return result([self.number(n) for n in nodes])
        with self.inside() as lines:
            names = [self.temp(Value(self.number(n), INT)).text for n in nodes]
        return self.block(lines, result(names))

    def _binop(self, node: ast.BinOp) -> Value:
        kind = type(node.op)
        if kind is ast.Mod and ast.unparse(node.left) == "bits(30)":
            return Value(f"one_of(X, {self.number(node.right)})", INT)
        if kind is ast.Mult and isinstance(node.left, ast.List):
            return self._repeated(node.left, node.right)
        if kind in ARITHMETIC:
            return Value(self.in_order([node.left, node.right], lambda t: f"({t[0]} {ARITHMETIC[kind]} {t[1]})"), INT)  # type: ignore[index]
        if kind in CALLED:
            return Value(self.in_order([node.left, node.right], lambda t: f"{CALLED[kind]}(X, {t[0]}, {t[1]})"), INT)  # type: ignore[index]
        raise Untranslatable(ast.unparse(node))

    def _unaryop(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            return Value(f"(I){self.truth(node)}", INT)
        if isinstance(node.op, ast.USub):
            return Value(f"(-{self.number(node.operand)})", INT)
        raise Untranslatable(ast.unparse(node))

    def _boolop(self, node: ast.BoolOp) -> Value:
        if all(_yes_or_no(v) for v in node.values):
            return Value(f"(I){self.truth(node)}", INT)
        text = self.number(node.values[-1])
        for v in reversed(node.values[:-1]):
            name = self.fresh()
            chosen = f"{name} ? {name} : {text}" if isinstance(node.op, ast.Or) else f"{name} ? {text} : {name}"
            text = f"({{ I {name} = {self.number(v)}; {chosen}; }})"
        return Value(text, INT)

    def _ifexp(self, node: ast.IfExp) -> Value:
        test = self.truth(node.test)
        one, other = self.value(node.body), self.value(node.orelse)
        shape = join(one.shape, other.shape)
        return Value(f"({test} ? {self.coerced(one, shape)} : {self.coerced(other, shape)})", shape)

    def _compare(self, node: ast.Compare) -> Value:
        op = node.ops[0]
        if len(node.ops) > 1:
            return self._chain(node)
        right = node.comparators[0]
        if isinstance(op, ast.Is | ast.IsNot):
            v = self.value(node.left)
            none = f"({v.text} == 0)" if isinstance(v.shape, Seq) else f"((void)({v.text}), {int(isinstance(v.shape, Null))})"
            return Value(f"(I)(!{none})" if isinstance(op, ast.IsNot) else f"(I){none}", INT)
        if isinstance(op, ast.In | ast.NotIn):
            found = self._member(self.number(node.left), right)
            return Value(f"(I)(!{found})" if isinstance(op, ast.NotIn) else f"(I){found}", INT)
        return Value(self.in_order([node.left, right], lambda t: f"(I)({t[0]} {COMPARED[type(op)]} {t[1]})"), INT)

    def _chain(self, node: ast.Compare) -> Value:
        """a < b < c: each evaluated once, and only as far as needed. The last one may be `in`."""
        *operands, last = [node.left, *node.comparators]
        *ops, last_op = node.ops
        if not all(type(op) in COMPARED for op in ops):
            raise Untranslatable(ast.unparse(node))
        texts = [self.number(o) for o in operands]
        names = [self.fresh() for _ in operands]
        if isinstance(last_op, ast.In):
            text = self._member(names[-1], last)
        elif type(last_op) in COMPARED:
            text = f"({names[-1]} {COMPARED[type(last_op)]} {self.number(last)})"
        else:
            raise Untranslatable(ast.unparse(node))
        for i in range(len(ops) - 1, -1, -1):
            here = f"{names[i]} {COMPARED[type(ops[i])]} {names[i + 1]}"
            text = f"({{ I {names[i + 1]} = {texts[i + 1]}; {here} && {text}; }})"
        return Value(f"(I)({{ I {names[0]} = {texts[0]}; {text}; }})", INT)

    def _member(self, item: str, domain: ast.expr) -> str:
        """Whether a number is in a domain."""
        if isinstance(domain, ast.Tuple) and not any(isinstance(e, ast.Starred) for e in domain.elts):
            name = self.fresh()
            tests = " || ".join(f"{name} == {self.number(e)}" for e in domain.elts) or "0"
            return f"({{ I {name} = {item}; {tests}; }})"
        if isinstance(domain, ast.Call) and ast.unparse(domain.func) == "range" and len(domain.args) == 2:
            name = self.fresh()
            low, high = (self.number(a) for a in domain.args)
            return f"({{ I {name} = {item}; {name} >= {low} && {name} < {high}; }})"
        v = self.value(domain)
        if isinstance(v.shape, Node):
            return f"({self.find(v, [item])} != MISSING)"
        if isinstance(v.shape, Unknown):
            return "0"
        if not isinstance(item_of(v.shape), Int | Unknown):
            raise Untranslatable(f"a number in {ast.unparse(domain)}")
        with self.inside() as lines:
            wanted = self.temp(Value(item, INT))
            p, n = self.stretch(self.temp(v))
        return self.block(lines, f"holds({p}, {n}, {wanted.text})")

    def stretch(self, v: Value) -> tuple[str, str]:
        """The first cell and the number of items of a tuple or sequence under a name."""
        if isinstance(v.shape, Tup):
            return v.text, str(len(v.shape.items))
        if isinstance(v.shape, Seq):
            return f"{v.text}->p", f"size(X, {v.text})"
        raise Untranslatable(f"the items of {v.shape}")

    # tables and indexes ----------------------------------------------------------------------------------

    def find(self, node: Value, keys: list[str]) -> str:
        """What a table of dicts holds for a key, or MISSING."""
        assert isinstance(node.shape, Node)
        name = self.module.tables[node.shape.table].name
        text = f"{name}_l{node.shape.level}({node.text}, {keys[0]})"
        for i, key in enumerate(keys[1:], node.shape.level + 1):
            t = self.fresh()
            text = f"({{ I {t} = {text}; {t} == MISSING ? MISSING : {name}_l{i}({t}, {key}); }})"
        return text

    def found(self, node: Value, keys: list[str], default: Value | None) -> Value:
        """The value of a table of dicts for a key."""
        assert isinstance(node.shape, Node)
        table = self.module.tables[node.shape.table]
        level = node.shape.level + len(keys)
        if level > table.levels:
            raise Untranslatable("too many keys")
        text = self.find(node, keys)
        if level < table.levels:
            if default is not None:
                raise Untranslatable("a default for a dict")
            return Value(f"there(X, {text})", Node(node.shape.table, level))
        shape = table.leaf if default is None else join(table.leaf, default.shape)
        t = self.fresh()
        read = t if isinstance(table.leaf, Int) else f"(seq *){table.name}_leaves[{t}]"
        if default is None:
            return Value(f"({{ I {t} = there(X, {text}); {read}; }})", shape)
        return Value(f"({{ I {t} = {text}; {t} == MISSING ? {self.coerced(default, shape)} : {read}; }})", shape)

    def keys(self, node: ast.expr) -> list[str]:
        return [self.number(e) for e in node.elts] if isinstance(node, ast.Tuple) else [self.number(node)]

    def slot(self, node: ast.Subscript) -> str:
        """An index into the vector, checked."""
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int):
            return str(node.slice.value)
        return f"at(X, {self.number(node.slice)})"

    def _subscript(self, node: ast.Subscript) -> Value:
        if isinstance(node.value, ast.Name) and node.value.id == "S":
            return self._slice(node.slice) if isinstance(node.slice, ast.Slice) else Value(f"(I)S[{self.slot(node)}]", INT)
        v = self.value(node.value)
        if isinstance(v.shape, Node):
            return self.found(v, self.keys(node.slice), None)
        if isinstance(v.shape, Unknown):
            return v
        if isinstance(v.shape, Tup) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int):
            i = node.slice.value
            if not 0 <= i < len(v.shape.items):
                raise Untranslatable(ast.unparse(node))
            return self.load(f"{v.text} + {sum(width(s) for s in v.shape.items[:i])}", v.shape.items[i])
        if isinstance(node.value, ast.Name) and node.value.id in self.module.tables:
            table = self.module.tables[node.value.id]
            item = item_of(v.shape)
            index = f"{width(item)} * within(X, {self.number(node.slice)}, {len(table.value)})"
            if isinstance(item, Seq):
                return Value(f"((seq *){table.name}_p[{index}])", item)
            return self.load(f"{table.name}_p + {index}", item)
        item = item_of(v.shape)
        with self.inside() as lines:
            p, n = self.stretch(self.temp(v))
            found = self.load(f"{p} + {width(item)} * within(X, {self.number(node.slice)}, {n})", item)
        return Value(self.block(lines, found.text), item)

    def bounds(self, s: ast.Slice) -> tuple[str, str, int]:
        if s.lower is None or s.upper is None:
            raise Untranslatable("an open slice")
        step = 1
        if s.step is not None:
            if not (isinstance(s.step, ast.Constant) and isinstance(s.step.value, int) and s.step.value > 0):
                raise Untranslatable("a slice with a step")
            step = s.step.value
        return self.number(s.lower), self.number(s.upper), step

    def _slice(self, s: ast.expr) -> Value:
        """A stretch of the vector as a list."""
        assert isinstance(s, ast.Slice)
        low, high, step = self.bounds(s)
        with self.inside() as lines:
            a, b = self.temp(Value(low, INT)).text, self.temp(Value(high, INT)).text
            out = self.temp(Value("new_seq(X)", Seq(INT))).text
            self.lines.append(f"span(X, {a}, {b}); for (I i = {a}; i < {b}; i += {step}) *added(X, {out}, 1) = S[i];")
        return Value(self.block(lines, out), Seq(INT))

    # lists -----------------------------------------------------------------------------------------------

    def _list(self, node: ast.List) -> Value:
        if not node.elts:
            return Value("new_seq(X)", Seq(UNKNOWN))
        return self._gathered(node.elts)

    def _tuple(self, node: ast.Tuple) -> Value:
        if any(isinstance(e, ast.Starred) for e in node.elts):
            return self._gathered(node.elts)
        with self.inside() as lines:
            values = [self.value(e) for e in node.elts]
            shape = Tup(tuple(v.shape for v in values))
            name = self.fresh()
            self.lines.append(f"I *{name} = cells(X, {width(shape)});")
            at = 0
            for v in values:
                self.store(f"{name} + {at}", v, v.shape)
                at += width(v.shape)
        return Value(self.block(lines, f"(const I *){name}"), shape)

    def _gathered(self, nodes: list[ast.expr]) -> Value:
        """A list of items and of the items of lists."""
        shape: Shape = UNKNOWN
        with self.inside() as lines:
            out = self.temp(Value("new_seq(X)", Seq(UNKNOWN))).text
            for node in nodes:
                if isinstance(node, ast.Starred):
                    def add(v: Value) -> None:
                        nonlocal shape
                        shape = join(shape, v.shape)
                        self.append(out, v, shape)

                    self.loop(node.value, add, lambda: None)
                else:
                    v = self.value(node)
                    shape = join(shape, v.shape)
                    self.append(out, v, shape)
        return Value(self.block(lines, out), Seq(shape))

    def append(self, out: str, v: Value, shape: Shape) -> None:
        v = self.temp(v)
        self.store(f"added(X, {out}, {width(shape)})", v, shape)

    def _repeated(self, node: ast.List, times: ast.expr) -> Value:
        if len(node.elts) != 1:
            raise Untranslatable("a repeated list")
        with self.inside() as lines:
            item, n = self.number(node.elts[0]), self.number(times)
            out = self.temp(Value("new_seq(X)", Seq(INT))).text
            self.lines.append(f"for (I i = {n}; i > 0; i--) *added(X, {out}, 1) = {item};")
        return Value(self.block(lines, out), Seq(INT))

    def _listcomp(self, node: ast.ListComp | ast.GeneratorExp) -> Value:
        match node:  # [p for p in compress(…) if p]: without the gaps
            case ast.ListComp(
                elt=ast.Name(id=item),
                generators=[ast.comprehension(target=ast.Name(id=target), iter=ast.Call(func=ast.Name(id="compress")) as call, ifs=[ast.Name(id=test)])],
            ) if item == target == test:
                return self._selected(call)
        shape: Shape = UNKNOWN
        with self.inside() as lines:
            out = self.temp(Value("new_seq(X)", Seq(UNKNOWN))).text

            def body() -> None:
                nonlocal shape
                v = self.value(node.elt)
                shape = v.shape
                self.append(out, v, shape)

            self.comprehend(node.generators, body)
        return Value(self.block(lines, out), Seq(shape))

    _generatorexp = _listcomp

    def comprehend(self, generators: list[ast.comprehension], body: Callable[[], None]) -> None:
        """The loops of a comprehension around a body."""
        if not generators:
            body()
            return
        g = generators[0]
        self.scopes.append({})

        def bind(v: Value) -> None:
            names = [g.target] if isinstance(g.target, ast.Name) else list(g.target.elts) if isinstance(g.target, ast.Tuple) else []
            values = [v] if isinstance(g.target, ast.Name) else self.parts(v, len(names))
            for name, part in zip(names, values, strict=True):
                if not isinstance(name, ast.Name):
                    raise Untranslatable(ast.unparse(g.target))
                self.scopes[-1][name.id] = self.temp(part)

        def inner() -> None:
            for test in g.ifs:
                self.lines.append(f"if (!{self.truth(test)}) continue;")
            self.comprehend(generators[1:], body)

        self.loop(g.iter, bind, inner)
        self.scopes.pop()

    # loops -----------------------------------------------------------------------------------------------

    def loop(self, over: ast.expr, bind: Callable[[Value], None], body: Callable[[], None]) -> tuple[int, int]:
        """A C loop; `bind` gets each item. Gives the lines of its head and of the end of its body."""
        i = self.fresh()
        self.lines.append("{")
        item, head = self._head(over, i)
        self.lines.append(head)
        begin = len(self.lines)
        v = item()
        if not (self.module.settled and v.shape == UNKNOWN):  # else it is a loop over nothing
            bind(v)
            body()
        end = len(self.lines)
        self.lines += ["}", "}"]
        return begin, end

    def _head(self, over: ast.expr, i: str) -> tuple[Callable[[], Value], str]:
        """What a loop gives at each pass, and the C `for` line; what is evaluated once is written before."""
        name = ast.unparse(over.func) if isinstance(over, ast.Call) else ""
        if isinstance(over, ast.Call) and name in ("tuple", "list") and len(over.args) == 1 and not isinstance(over.args[0], ast.Name):
            return self._head(over.args[0], i)
        if isinstance(over, ast.Name) and over.id in self.module.tables and isinstance(self.module.tables[over.id].value, range):
            r = self.module.tables[over.id].value
            return self._counting(f"(I){r.start}", f"(I){r.stop}", r.step, i)
        if isinstance(over, ast.Call) and name == "range":
            return self._counting(*self._range_parts(over), i)
        if isinstance(over, ast.IfExp) and ast.unparse(over.orelse) == "()" and isinstance(over.body, ast.Call) and ast.unparse(over.body.func) == "range":
            test = self.temp(Value(self.truth(over.test), INT)).text
            low, high, step = self._range_parts(over.body)
            return self._counting(f"({test} ? {low} : 0)", f"({test} ? {high} : 0)", step, i)
        if isinstance(over, ast.Tuple) and over.elts and not any(isinstance(e, ast.Starred) for e in over.elts):
            return self._over_few(over, i)
        v = self.temp(self.value(over))
        if isinstance(v.shape, Unknown):
            return (lambda: Value("0", UNKNOWN)), f"for (I {i} = 0; {i} < 0; {i}++) {{"
        item = item_of(v.shape)
        p, n = self.stretch(v)
        if isinstance(v.shape, Seq):  # its length may change on the way
            self.lines.append(f"(void)size(X, {v.text});")
            n = f"{v.text}->n"
        return (lambda: self.load(f"{p} + {i} * {width(item)}", item)), f"for (I {i} = 0; {i} < {n}; {i}++) {{"

    def _range_parts(self, call: ast.Call) -> tuple[str, str, int]:
        args = call.args
        step = 1
        if len(args) == 3:
            try:
                step = int(ast.unparse(args[2]))
            except ValueError:
                raise Untranslatable(ast.unparse(call)) from None
            if not step:
                raise Untranslatable(ast.unparse(call))
        if len(args) == 1:
            return "(I)0", self.number(args[0]), 1
        return self.number(args[0]), self.number(args[1]), step

    def _counting(self, low: str, high: str, step: int, i: str) -> tuple[Callable[[], Value], str]:
        a, b = self.temp(Value(low, INT)).text, self.temp(Value(high, INT)).text
        return (lambda: Value(i, INT)), f"for (I {i} = {a}; {i} {'<' if step > 0 else '>'} {b}; {i} += {step}) {{"

    def _over_few(self, over: ast.Tuple, i: str) -> tuple[Callable[[], Value], str]:
        """A tuple written on the spot."""
        values = [self.value(e) for e in over.elts]
        if any(not isinstance(v.shape, Int | Unknown | Node) for v in values):
            v = self.temp(self.value(over))
            item = item_of(v.shape)
            return (lambda: self.load(f"{v.text} + {i} * {width(item)}", item)), f"for (I {i} = 0; {i} < {len(values)}; {i}++) {{"
        name = self.fresh()
        if all(isinstance(e, ast.Constant) for e in over.elts):
            self.lines.append(f"static const I {name}[] = {{{', '.join(v.text for v in values)}}};")
        else:
            self.lines.append(f"I {name}[{len(values)}];")
            self.lines += [f"{name}[{n}] = {v.text};" for n, v in enumerate(values)]
        shape = item_of(Tup(tuple(v.shape for v in values)))
        return (lambda: Value(f"{name}[{i}]", shape)), f"for (I {i} = 0; {i} < {len(values)}; {i}++) {{"

    def _selected(self, call: ast.Call) -> Value:
        """`compress(TABLE, S[a:b])`: a list of the entries beside which something lies, without the table's gaps.

        No branch depends on what lies there: every entry is written, and the next one over it if it does not count.
        """
        items, stretch = call.args
        if not (isinstance(items, ast.Name) and items.id in self.module.tables and isinstance(stretch, ast.Subscript)):
            raise Untranslatable(ast.unparse(call))
        table = self.module.tables[items.id]
        item = item_of(table.shape)
        if not (ast.unparse(stretch.value) == "S" and isinstance(stretch.slice, ast.Slice) and isinstance(item, Tup)):
            raise Untranslatable(ast.unparse(call))
        low, high, step = self.bounds(stretch.slice)
        n = len(table.value)
        with self.inside() as lines:
            a, b = self.temp(Value(low, INT)).text, self.temp(Value(high, INT)).text
            out = self.temp(Value("new_seq(X)", table.shape)).text
            p = self.fresh()
            there = f" & {table.name}_there[i]" if table.gaps else ""
            self.lines += [
                f"span(X, {a}, {b}); I *{p} = {out}->p = cells(X, {width(item) * n}); {out}->cap = {n};",
                f"for (I i = 0; i < {n} && {a} + i * {step} < {b}; i++) {{",
                *(f"{p}[{k}] = {table.name}_p[i * {width(item)} + {k}];" for k in range(width(item))),
                f"{p} += {width(item)} * ((S[{a} + i * {step}] != 0){there}); }}",
                f"{out}->n = ({p} - {out}->p) / {width(item)};",
            ]
        return Value(self.block(lines, out), table.shape)

    # calls -----------------------------------------------------------------------------------------------

    def _call(self, node: ast.Call) -> Value:
        if isinstance(node.func, ast.Attribute):
            return self._method(node.func, node.args)
        name = ast.unparse(node.func)
        if name in self.module.functions:
            v = self.called(name, node.args)
            if self.module.settled and v.shape == UNKNOWN:
                raise Untranslatable(ast.unparse(node))
            return v
        built_in: Callable[[ast.Call], Value] | None = getattr(self, f"_call_{name}", None)
        if built_in is None or (node.keywords and name not in ("max", "min")):
            raise Untranslatable(ast.unparse(node))
        return built_in(node)

    def called(self, name: str, args: list[ast.expr]) -> Value:
        """A call of a function of the program."""
        function = self.module.functions[name]
        given = [a for a in args if not (isinstance(a, ast.Name) and a.id in ("S", "X"))]
        with self.inside() as lines:
            values = [self.value(a) for a in given]
            if len(given) > 1 and any(map(_acts, given)):
                values = [self.temp(v) for v in values]
            texts = []
            for parameter, v in zip(function.parameters, values, strict=True):
                before = function.shapes.get(parameter, UNKNOWN)
                after = join(before, v.shape)
                if after != before:
                    function.shapes[parameter] = after
                    self.module.changed = True
                texts.append(self.coerced(v, after))
        return Value(self.block(lines, f"p_{name}({', '.join(['X', 'S', *texts])})"), function.result)

    def _method(self, func: ast.Attribute, args: list[ast.expr]) -> Value:
        if func.attr == "count" and isinstance(func.value, ast.Subscript) and ast.unparse(func.value.value) == "S" and isinstance(func.value.slice, ast.Slice):
            low, high, step = self.bounds(func.value.slice)
            if step == 1:
                return Value(f"slice_count(X, S, {low}, {high}, {self.number(args[0])})", INT)
        if func.attr == "get":
            v = self.value(func.value)
            if isinstance(v.shape, Node) and len(args) == 2:
                return self.found(v, self.keys(args[0]), self.value(args[1]))
            if isinstance(v.shape, Map) and len(args) == 1:
                with self.inside() as lines:
                    key, n = self.key(args[0])
                return Value(self.block(lines, f"map_get(X, {v.text}, {key}, {n})"), v.shape.item)
            if isinstance(v.shape, Unknown):
                return v
        raise Untranslatable(f"{ast.unparse(func)}(…)")

    def key(self, node: ast.expr) -> tuple[str, int]:
        """The cells of a key of a dict made in play, and their number."""
        v = self.value(node)
        shape = v.shape if isinstance(v.shape, Tup) else Tup((v.shape,))
        if isinstance(v.shape, Tup):
            return v.text, width(shape)
        name = self.fresh()
        self.lines.append(f"const I {name}[] = {{{v.text}}};")
        return name, 1

    def _call_bits(self, node: ast.Call) -> Value:
        if ast.unparse(node) != "bits(30)":
            raise Untranslatable(ast.unparse(node))
        return Value("bits30(X)", INT)

    def _call_len(self, node: ast.Call) -> Value:
        (arg,) = node.args
        if isinstance(arg, ast.Name) and arg.id in self.module.tables:
            return Value(f"(I){len(self.module.tables[arg.id].value)}", INT)
        match arg:  # the number of moves in the first group of a list that is not empty
            case ast.Subscript(value=ast.Subscript(value=ast.Name() as name, slice=ast.Constant(value=0)), slice=ast.Constant(value=2)):
                groups = self.value(name)
                if isinstance(groups.shape, Groups):
                    return Value(f"{groups.text}->p[within(X, 0, {groups.text}->n)].last->n", INT)
        v = self.value(arg)
        match v.shape:
            case Tup():
                return Value(f"((void)({v.text}), (I){len(v.shape.items)})", INT)
            case Seq():
                return Value(f"size(X, {v.text})", INT)
            case Groups():
                return Value(f"{v.text}->n", INT)
            case Unknown():
                return Value("0", INT)
        raise Untranslatable(ast.unparse(node))

    def _call_sum(self, node: ast.Call) -> Value:
        (arg,) = node.args
        if isinstance(arg, ast.Subscript) and ast.unparse(arg.value) == "S" and isinstance(arg.slice, ast.Slice):
            low, high, step = self.bounds(arg.slice)
            return Value(f"slice_sum(X, S, {low}, {high}, {step})", INT)
        if isinstance(arg, ast.GeneratorExp | ast.ListComp):
            with self.inside() as lines:
                out = self.temp(Value("0", INT)).text
                self.comprehend(arg.generators, lambda: self.lines.append(f"{out} += {self.number(arg.elt)};"))
            return Value(self.block(lines, out), INT)
        v = self.value(arg)
        if isinstance(v.shape, Unknown):
            return Value("0", INT)
        if not isinstance(item_of(v.shape), Int | Unknown):
            raise Untranslatable(ast.unparse(node))
        with self.inside() as lines:
            p, n = self.stretch(self.temp(v))
        return Value(self.block(lines, f"total({p}, {n})"), INT)

    def _extreme(self, node: ast.Call, sign: str, skip_none: bool = False) -> Value:
        """max and min: of some numbers, or of a list, with what an empty one gives."""
        default = {k.arg: k.value for k in node.keywords}.get("default")
        over: ast.expr = ast.Tuple(list(node.args)) if len(node.args) > 1 else node.args[0]
        if isinstance(over, ast.Tuple) and any(isinstance(e, ast.Starred) for e in over.elts):
            raise Untranslatable(ast.unparse(node))
        with self.inside() as lines:
            some, best = self.temp(Value("0", INT)).text, self.temp(Value("0", INT)).text

            def better(v: Value) -> None:
                counts = f"{v.text} != {NONE} && " if skip_none else ""
                self.lines.append(f"if ({counts}(!{some} || {v.text} {sign} {best})) {some} = 1, {best} = {v.text};")

            if isinstance(over, ast.ListComp | ast.GeneratorExp):
                comp = over
                self.comprehend(comp.generators, lambda: better(self.temp(Value(self.number(comp.elt), INT))))
            else:
                self.loop(over, better, lambda: None)
            empty = f"{best} = {self.number(default)}" if default is not None else f"{best} = {NONE}" if skip_none else "leave(X, LEFT)"
            self.lines.append(f"if (!{some}) {empty};")
        return Value(self.block(lines, best), INT)

    def _call_max(self, node: ast.Call) -> Value:
        return self._extreme(node, ">")

    def _call_min(self, node: ast.Call) -> Value:
        return self._extreme(node, "<")

    def _call_largest(self, node: ast.Call) -> Value:
        return self._extreme(node, ">", skip_none=True)

    def _call_smallest(self, node: ast.Call) -> Value:
        return self._extreme(node, "<", skip_none=True)

    def _call_range(self, node: ast.Call) -> Value:
        with self.inside() as lines:
            out = self.temp(Value("new_seq(X)", Seq(INT))).text
            self.loop(node, lambda v: self.append(out, v, INT), lambda: None)
        return Value(self.block(lines, out), Seq(INT))

    def _call_list(self, node: ast.Call) -> Value:
        if len(node.args) != 1:
            raise Untranslatable(ast.unparse(node))
        (arg,) = node.args
        if isinstance(arg, ast.Call) and ast.unparse(arg.func) == "compress":
            if isinstance(arg.args[0], ast.Name) and self.module.tables[arg.args[0].id].gaps:
                raise Untranslatable("a table with gaps")
            return self._selected(arg)
        v = self.value(arg)
        if isinstance(v.shape, Seq) and isinstance(arg, ast.Name) and arg.id not in self.module.tables:
            return Value(f"copied(X, {v.text}, {width(v.shape.item)})", v.shape)
        return v

    _call_tuple = _call_list

    def _call_several(self, node: ast.Call) -> Value:
        counts = self.value(node.args[0])
        if not isinstance(counts.shape, Tup):
            raise Untranslatable(ast.unparse(node))
        least, most = self.number(node.args[1]), self.number(node.args[2])
        return Value(f"several(X, {counts.text}, {len(counts.shape.items)}, {least}, {most})", Seq(counts.shape))


def _acts(node: ast.expr) -> bool:
    """Whether evaluating it does something: gives a name a value or draws a random number."""
    return any(isinstance(n, ast.NamedExpr) or (isinstance(n, ast.Name) and n.id in ("bits", "pick")) for n in ast.walk(node))


def _yes_or_no(node: ast.expr) -> bool:
    """Whether its value is only ever 0 or 1."""
    if isinstance(node, ast.BoolOp):
        return all(_yes_or_no(v) for v in node.values)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    return isinstance(node, ast.Compare) or (isinstance(node, ast.Constant) and node.value in (0, 1))
