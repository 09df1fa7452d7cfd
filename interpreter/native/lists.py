"""Lists, comprehensions, and what loops run over."""

from __future__ import annotations

import ast
from collections.abc import Callable

from interpreter.native.reading import Reading
from interpreter.native.shapes import (
    INT,
    UNKNOWN,
    Int,
    Node,
    Seq,
    Shape,
    Tup,
    Unknown,
    Untranslatable,
    item_of,
    join,
    width,
)
from interpreter.native.values import Value


class Lists(Reading):
    """Makes lists and runs over them."""

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
            names = (
                [g.target]
                if isinstance(g.target, ast.Name)
                else list(g.target.elts)
                if isinstance(g.target, ast.Tuple)
                else []
            )
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
        if (
            isinstance(over, ast.Call)
            and name in ("tuple", "list")
            and len(over.args) == 1
            and not isinstance(over.args[0], ast.Name)
        ):
            return self._head(over.args[0], i)
        if (
            isinstance(over, ast.Name)
            and over.id in self.module.tables
            and isinstance(self.module.tables[over.id].value, range)
        ):
            r = self.module.tables[over.id].value
            return self._counting(f"(I){r.start}", f"(I){r.stop}", r.step, i)
        if isinstance(over, ast.Call) and name == "range":
            return self._counting(*self._range_parts(over), i)
        if (
            isinstance(over, ast.IfExp)
            and ast.unparse(over.orelse) == "()"
            and isinstance(over.body, ast.Call)
            and ast.unparse(over.body.func) == "range"
        ):
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
            return (
                lambda: self.load(f"{v.text} + {i} * {width(item)}", item)
            ), f"for (I {i} = 0; {i} < {len(values)}; {i}++) {{"
        name = self.fresh()
        if all(isinstance(e, ast.Constant) for e in over.elts):
            self.lines.append(f"static const I {name}[] = {{{', '.join(v.text for v in values)}}};")
        else:
            self.lines.append(f"I {name}[{len(values)}];")
            self.lines += [f"{name}[{n}] = {v.text};" for n, v in enumerate(values)]
        shape = item_of(Tup(tuple(v.shape for v in values)))
        return (lambda: Value(f"{name}[{i}]", shape)), f"for (I {i} = 0; {i} < {len(values)}; {i}++) {{"

    def _selected(self, call: ast.Call) -> Value:
        """`compress(TABLE, S[a:b])`: a list of the entries beside which something lies.

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
            self.lines += [
                f"span(X, {a}, {b}); I *{p} = {out}->p = cells(X, {width(item) * n}); {out}->cap = {n};",
                f"for (I i = 0; i < {n} && {a} + i * {step} < {b}; i++) {{",
                *(f"{p}[{k}] = {table.name}_p[i * {width(item)} + {k}];" for k in range(width(item))),
                f"{p} += {width(item)} * (S[{a} + i * {step}] != 0); }}",
                f"{out}->n = ({p} - {out}->p) / {width(item)};",
            ]
        return Value(self.block(lines, out), table.shape)
