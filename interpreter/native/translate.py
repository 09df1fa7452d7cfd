"""The generated Python of a simulation → one C file that plays the same games.

The program is gone through again and again until the shapes of all names are known; the text of the last time is
the translation. INVARIANT: what C cannot do just as Python would, it leaves to Python: at translation by raising
Untranslatable, in play by leaving the game, which is then played in Python from the same seed.
"""

from __future__ import annotations

import ast
import re
from collections import Counter

from interpreter.generate.loader import BadProgram, checked
from interpreter.native.expressions import ARITHMETIC, Expressions
from interpreter.native.prelude import ENDING, PRELUDE, mt_start
from interpreter.native.shapes import (
    INT,
    UNKNOWN,
    Groups,
    Int,
    Map,
    Picked,
    Seq,
    Shape,
    Tup,
    Unknown,
    Untranslatable,
    c_type,
    item_of,
    join,
    on_heap,
    width,
)
from interpreter.native.tables import table
from interpreter.native.values import Function, Module, Value, is_counter

PASSES = 30  # over the program, until all shapes are known
_TAKES_MEMORY = re.compile(r"\b(new_\w+|cells|as_seq|copied|several|added|map_set|add_group|p_\w+)\(")
# what the C of a program never holds: quotes, escapes, directives, comments, letters beyond ASCII
_STRANGE = re.compile(r"//|/\*|[^\w\s()\[\]{}<>=!+\-*/%&|^~?:;,.]|[^\x00-\x7f]")


def translate(source: str, size: int) -> str:
    """C for the source of a simulation over a vector of so many numbers."""
    module = _read(source, size)
    for _ in range(PASSES):
        module.changed = False
        for function in module.functions.values():
            _write(module, function)
        if module.settled:
            break
        module.settled = not module.changed
    if module.changed or not module.settled:
        raise Untranslatable("the shapes of some names are never settled")
    made = [*(line for t in module.tables.values() for line in t.lines)]
    made += [_head(name, f) + ";" for name, f in module.functions.items()]
    made += [f.text for f in module.functions.values()]
    if strange := _STRANGE.search("\n".join(made)):
        raise BadProgram(f"C text may not hold {strange.group()!r}")
    lines = [f"#define SIZE {size}", "#include <stdint.h>"]
    lines.append(f"static const uint32_t MT_START[624] = {{{', '.join(f'{n}U' for n in mt_start())}}};")
    lines.append(PRELUDE)
    lines += made
    lines += ["#define PLAY p_simulate", ENDING]
    return "\n".join(lines)


def _read(source: str, size: int) -> Module:
    module = Module({}, {}, size)
    for node in checked(source).body:
        if isinstance(node, ast.FunctionDef):
            parameters = [a.arg for a in node.args.args if a.arg not in ("S", "X", "bits_")]
            names = Counter(n.id for n in ast.walk(node) if isinstance(n, ast.Name))
            module.functions[node.name] = Function(node, parameters, names)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            module.tables[name] = table(name, _literal(node.value))
        else:
            raise Untranslatable(ast.unparse(node))
    module.functions = {name: module.functions[name] for name in _reached(module)}
    return module


def _reached(module: Module) -> list[str]:
    """The functions that a game can come to, in the order of the program."""
    found, todo = set(), ["simulate"]
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += [n for n in module.functions[name].names if n in module.functions]
    return [name for name in module.functions if name in found]


def _literal(node: ast.expr) -> object:
    """The value of a constant: literals, ranges and frozen sets."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) in ("range", "frozenset"):
        args = [ast.literal_eval(a) for a in node.args]
        return range(*args) if ast.unparse(node.func) == "range" else frozenset(*args)
    try:
        return ast.literal_eval(node)
    except ValueError:
        raise Untranslatable(ast.unparse(node)) from None


def _head(name: str, function: Function) -> str:
    given = "".join(f", {c_type(function.shapes.get(p, UNKNOWN))}v_{p}" for p in function.parameters)
    return f"static {c_type(function.result)}p_{name}(run *X, int32_t *restrict S{given})"


def _write(module: Module, function: Function) -> None:
    body = Statements(module, function)
    body.steps(function.node.body)
    own = [(n, s) for n, s in function.shapes.items() if n not in function.parameters]
    declared = [f"{c_type(s)}v_{n} = 0;" for n, s in own]
    function.text = "\n".join([_head(function.node.name, function) + " {", *declared, *body.lines, "return 0;", "}"])


def _loops_within(node: ast.AST, module: Module) -> int:
    """Return how deep loops lie inside one another, through calls too."""
    inner = max((_loops_within(child, module) for child in ast.iter_child_nodes(node)), default=0)
    match node:
        case ast.For() | ast.While():
            return inner + 1
        case ast.ListComp() | ast.GeneratorExp():
            return inner + len(node.generators)
        case ast.Call(func=ast.Name(id=name)) if name in module.functions:
            function = module.functions[name]
            if function.loops is None:
                function.loops = _loops_within(function.node, module)
            return max(inner, function.loops)
    return inner


class Statements(Expressions):
    """Writes the statements of one function."""

    def __init__(self, module: Module, function: Function) -> None:
        super().__init__(module, function)
        self.broken: list[str] = []  # for each loop around: the flag that a `break` sets, or nothing
        self.move_names: set[str] = set()  # names that hold the number of a picked move

    def steps(self, nodes: list[ast.stmt]) -> None:
        for node in nodes:
            method = getattr(self, f"_{type(node).__name__.lower()}", None)
            if method is None:
                raise Untranslatable(ast.unparse(node))
            method(node)

    def _pass(self, node: ast.Pass) -> None:
        pass

    def _global(self, node: ast.Global) -> None:
        pass

    def _break(self, node: ast.Break) -> None:
        flag = self.broken[-1]
        self.lines.append(f"{{ {flag} = 1; break; }}" if flag else "break;")

    def _continue(self, node: ast.Continue) -> None:
        self.lines.append("continue;")

    def _return(self, node: ast.Return) -> None:
        if node.value is None:
            self.lines.append("return 0;")
            return
        v = self.value(node.value)
        after = join(self.function.result, v.shape)
        if after != self.function.result:
            self.function.result = after
            self.module.changed = True
        self.lines.append(f"return {self.coerced(v, after)};")

    def _if(self, node: ast.If) -> None:
        move = self._tested_move(node.test)
        self.lines.append(f"if ({self.truth(node.test)}) {{")
        if move is not None:
            self.known_moves.append(move)
        self.steps(node.body)
        if move is not None:
            self.known_moves.pop()
        if node.orelse:
            self.lines.append("} else {")
            self.steps(node.orelse)
        self.lines.append("}")

    def _tested_move(self, test: ast.expr) -> int | None:
        """The number in `move7 == 3`."""
        match test:
            case ast.Compare(left=ast.Name(id=name), ops=[ast.Eq()], comparators=[ast.Constant(value=int(number))]):
                return number if name in self.move_names else None
        return None

    def _while(self, node: ast.While) -> None:
        if node.orelse:
            raise Untranslatable("while … else")
        self.lines.append("{")
        self.lines.append(f"while ({self.truth(node.test)}) {{")
        self.broken.append("")
        begin = len(self.lines)
        self.lines.append("tick(X);")
        self.steps(node.body)
        self.broken.pop()
        self._give_back(node, begin, len(self.lines))
        self.lines += ["}", "}"]

    def _for(self, node: ast.For) -> None:
        flag = ""
        if node.orelse:
            flag = self.fresh()
            self.lines.append(f"int {flag} = 0;")
        self.broken.append(flag)
        begin, end = self.loop(node.iter, lambda v: self._unpack(node.target, v), lambda: self._pass_of(node))
        self.broken.pop()
        self._give_back(node, begin, end)
        if node.orelse:
            self.lines.append(f"if (!{flag}) {{")
            self.steps(node.orelse)
            self.lines.append("}")

    def _pass_of(self, node: ast.For) -> None:
        """One pass of a loop. It looks up for signals only if there are loops in its loops: others are over at once."""
        if max((_loops_within(part, self.module) for part in node.body), default=0) > 1:
            self.lines.append("tick(X);")
        self.steps(node.body)

    def _give_back(self, node: ast.For | ast.While, begin: int, end: int) -> None:
        """At each pass the memory of the last one is given back, if nothing made in the loop is used outside it."""
        if (
            not self.module.settled
            or not any(_TAKES_MEMORY.search(line) for line in self.lines[begin:end])
            or not self._keeps_to_itself(node)
        ):
            return
        mark = self.fresh()
        self.lines.insert(begin, f"X->used = {mark};")
        self.lines.insert(begin - 1, f"size_t {mark} = X->used;")

    def _keeps_to_itself(self, loop: ast.For | ast.While) -> bool:
        inside = [n for part in loop.body for n in ast.walk(part) if isinstance(n, ast.Name)]
        if isinstance(loop, ast.For):
            inside += [n for n in ast.walk(loop.target) if isinstance(n, ast.Name)]
        outside = self.function.names - Counter(n.id for n in inside) + Counter(self.function.parameters)
        first: dict[str, ast.Name] = {}
        for n in sorted(inside, key=lambda n: (n.lineno, n.col_offset)):
            first.setdefault(n.id, n)
        for name, n in first.items():
            if not on_heap(self.function.shapes.get(name, INT)):
                continue
            made_here = name not in outside and isinstance(n.ctx, ast.Store)
            if not made_here and self._touched(name, loop):
                return False
        return True

    def _touched(self, name: str, loop: ast.For | ast.While) -> bool:
        """Whether a list from outside a loop is given, or given items, inside it."""
        for part in loop.body:
            for n in ast.walk(part):
                if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store):
                    return True
                if (
                    isinstance(n, ast.Attribute)
                    and isinstance(n.value, ast.Name)
                    and n.value.id == name
                    and n.attr == "append"
                ):
                    return True
                if (
                    isinstance(n, ast.Subscript)
                    and isinstance(n.ctx, ast.Store)
                    and isinstance(n.value, ast.Name)
                    and n.value.id == name
                ):
                    return True
                if (
                    isinstance(n, ast.Call)
                    and any(isinstance(a, ast.Name) and a.id == name for a in n.args)
                    and ast.unparse(n.func).startswith("legal_")
                ):
                    return True
        return False

    # assignments -----------------------------------------------------------------------------------------

    def _assign(self, node: ast.Assign) -> None:
        target = node.targets[0]
        if isinstance(target, ast.Name) and target.id == "bits":
            return
        if isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "pick":
            self._picked(target, node.value)
            return
        if isinstance(node.value, ast.Dict) and not node.value.keys and isinstance(target, ast.Name):
            self.learn(target.id, Map(UNKNOWN, UNKNOWN))
            self.lines.append(f"v_{target.id} = new_map(X);")
            return
        if len(node.targets) == 1:
            if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice):
                self._set_slice(target, node.value)
            else:
                self._put(target, self.value(node.value))
            return
        self.lines.append("{")
        v = self.temp(self.value(node.value))
        for each in node.targets:
            self._put(each, v)
        self.lines.append("}")

    def _put(self, target: ast.expr, v: Value) -> None:
        if isinstance(target, ast.Name):
            self.lines.append(f"{self.assigned(target.id, v)};")
        elif isinstance(target, ast.Tuple):
            self._unpack(target, v)
        elif isinstance(target, ast.Attribute) and is_counter(target):
            self.lines.append(f"X->{target.attr} = {v.text};")
        elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            self._put_at(target, target.value.id, v)
        else:
            raise Untranslatable(ast.unparse(target))

    def _put_at(self, target: ast.Subscript, name: str, v: Value) -> None:
        if name == "S":
            if not isinstance(v.shape, Int | Unknown):
                raise Untranslatable(ast.unparse(target))
            value = self.fresh()
            self.lines.append(f"{{ I {value} = {v.text}; S[{self.slot(target)}] = small(X, {value}); }}")
            return
        shape = self.function.shapes.get(name, UNKNOWN)
        if not isinstance(shape, Map):
            raise Untranslatable(ast.unparse(target))
        key = self.value(target.slice).shape
        self.learn(name, Map(key, v.shape))
        self.lines.append("{")
        cells, n = self.key(target.slice)
        self.lines += [f"map_set(X, v_{name}, {cells}, {n}, {self.coerced(v, Seq(UNKNOWN))});", "}"]

    def _set_slice(self, target: ast.Subscript, value: ast.expr) -> None:
        """`S[a:b] = list` of the same length."""
        if ast.unparse(target.value) != "S" or not isinstance(target.slice, ast.Slice):
            raise Untranslatable(ast.unparse(target))
        self.lines.append("{")
        v = self.value(value)
        items = self.temp(Value(self.coerced(v, Seq(INT)), Seq(INT))).text
        low, high, step = self.bounds(target.slice)
        if step != 1 or not isinstance(item_of(v.shape), Int | Unknown):
            raise Untranslatable(ast.unparse(target))
        self.lines += [f"slice_set(X, S, {low}, {high}, {items});", "}"]

    def _unpack(self, target: ast.expr, v: Value) -> None:
        if isinstance(target, ast.Name):
            self.lines.append(f"{self.assigned(target.id, v)};")
            return
        if not isinstance(target, ast.Tuple) or not all(isinstance(e, ast.Name) for e in target.elts):
            raise Untranslatable(ast.unparse(target))
        self.lines.append("{")
        for name, part in zip(target.elts, self.parts(v, len(target.elts)), strict=True):
            self.lines.append(f"{self.assigned(name.id, part)};")  # type: ignore[attr-defined]
        self.lines.append("}")

    def _picked(self, target: ast.expr, call: ast.Call) -> None:
        """`move, first, last = pick(groups, bits)`."""
        groups = self.value(call.args[0])
        if not (
            isinstance(target, ast.Tuple) and len(target.elts) == 3 and isinstance(groups.shape, Groups | Unknown | Seq)
        ):
            raise Untranslatable(ast.unparse(call))
        if not isinstance(groups.shape, Groups):
            if self.module.settled:
                raise Untranslatable(ast.unparse(call))
            return  # what it holds is not known yet
        moves = groups.shape.moves
        name = self.fresh()
        self.lines.append(f"{{ picked {name} = pick(X, {groups.text});")
        values = [Value(f"{name}.move", INT)]
        self.move_names.add(ast.unparse(target.elts[0]))
        for part in ("first", "last"):
            v = Value(f"{name}.{part}", Picked(part, moves))
            values.append(self._settled_alone(v) if len(moves) == 1 else v)
        for each, v in zip(target.elts, values, strict=True):
            self._put(each, v)
        self.lines.append("}")

    def _settled_alone(self, v: Value) -> Value:
        outer, self.known_moves = self.known_moves, []
        v = self.settled(v)
        self.known_moves = outer
        return v

    def _augassign(self, node: ast.AugAssign) -> None:
        op = ARITHMETIC.get(type(node.op))
        if op is None:
            raise Untranslatable(ast.unparse(node))
        value = self.number(node.value)
        match node.target:
            case ast.Name(id=name):
                self.learn(name, INT)
                self.lines.append(f"v_{name} {op}= {value};")
            case ast.Attribute(attr=name) if is_counter(node.target):
                self.lines.append(f"X->{name} {op}= {value};")
            case ast.Subscript(value=ast.Name(id="S")) if not isinstance(node.target.slice, ast.Slice):
                at = self.fresh()
                self.lines.append(f"{{ I {at} = {self.slot(node.target)}; S[{at}] = small(X, S[{at}] {op} {value}); }}")
            case _:
                raise Untranslatable(ast.unparse(node))

    # calls that stand alone ------------------------------------------------------------------------------

    def _expr(self, node: ast.Expr) -> None:
        call = node.value
        if not isinstance(call, ast.Call):
            raise Untranslatable(ast.unparse(node))
        name = ast.unparse(call.func)
        if name == "fault":
            number = ast.literal_eval(call.args[0])
            self.lines.append(f"leave(X, FAULT + {number});")
        elif name == "store_list":
            self._store_list(call.args[1], call.args[2])
        elif isinstance(call.func, ast.Attribute) and call.func.attr == "append":
            self._append(call.func.value, call.args[0])
        elif name in self.module.functions:
            self._learn_groups(name, call.args)
            self.lines.append(f"{self.called(name, call.args).text};")
        else:
            raise Untranslatable(ast.unparse(node))

    def _store_list(self, at: ast.expr, items: ast.expr) -> None:
        """A list kept on the vector: its length, then its items."""
        self.lines.append("{")
        v = self.value(items)
        if not isinstance(item_of(v.shape), Int | Unknown):
            raise Untranslatable(ast.unparse(items))
        kept = self.temp(Value(self.coerced(v, Seq(INT)), Seq(INT))).text
        self.lines += [f"list_set(X, S, {self.number(at)}, {kept});", "}"]

    def _learn_groups(self, name: str, args: list[ast.expr]) -> None:
        """A list given to a function that lists moves holds those moves."""
        function = self.module.functions[name]
        given = [a for a in args if not (isinstance(a, ast.Name) and a.id in ("S", "X"))]
        for parameter, a in zip(function.parameters, given, strict=True):
            shape = function.shapes.get(parameter, UNKNOWN)
            if isinstance(shape, Groups) and isinstance(a, ast.Name):
                self.learn(a.id, self._listed_by(function, parameter))

    def _listed_by(self, function: Function, parameter: str) -> Groups:
        numbers = {
            n.args[0].elts[0].value
            for n in ast.walk(function.node)
            if isinstance(n, ast.Call)
            and ast.unparse(n.func) == f"{parameter}.append"
            and isinstance(n.args[0], ast.Tuple)
            and isinstance(n.args[0].elts[0], ast.Constant)
        }
        return Groups(frozenset(n for n in numbers if isinstance(n, int)))

    def _append(self, target: ast.expr, item: ast.expr) -> None:
        if not isinstance(target, ast.Name):
            raise Untranslatable(f"{ast.unparse(target)}.append")
        if target.id in self.function.parameters:
            self._append_group(target.id, item)
            return
        self.lines.append("{")
        v = self.value(item)
        shape = self.learn(target.id, Seq(v.shape))
        self.append(f"v_{target.id}", v, item_of(shape))
        self.lines.append("}")

    def _append_group(self, name: str, item: ast.expr) -> None:
        """`out.append((number, (first values), last values))`."""
        if not (
            isinstance(item, ast.Tuple)
            and len(item.elts) == 3
            and isinstance(item.elts[0], ast.Constant)
            and isinstance(item.elts[0].value, int)
        ):
            raise Untranslatable(ast.unparse(item))
        number = item.elts[0].value
        self.learn(name, Groups(frozenset((number,))))
        self.lines.append("{")
        first, last = self.value(item.elts[1]), self.value(item.elts[2])
        if not isinstance(first.shape, Tup):
            raise Untranslatable(ast.unparse(item))
        known = self.module.moves.get(number, (UNKNOWN, UNKNOWN))
        shapes: tuple[Shape, Shape] = (join(known[0], first.shape), join(known[1], item_of(last.shape)))
        if shapes != known:
            self.module.moves[number] = shapes
            self.module.changed = True
        text = self.coerced(last, Seq(shapes[1]))
        self.lines += [f"add_group(X, v_{name}, {number}, {first.text}, {text}, {width(shapes[1])});", "}"]
