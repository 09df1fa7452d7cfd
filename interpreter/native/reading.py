"""Reading the vector and the tables known at load."""

from __future__ import annotations

import ast

from interpreter.native.shapes import (
    INT,
    Int,
    Node,
    Seq,
    Tup,
    Unknown,
    Untranslatable,
    item_of,
    join,
    width,
)
from interpreter.native.values import Value, Values


class Reading(Values):
    """Indexes, slices, and dicts known at load."""

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
        if (
            isinstance(node.slice, ast.Constant)
            and isinstance(node.slice.value, int)
            and node.slice.value < self.module.size
        ):
            return str(node.slice.value)
        return f"at(X, {self.number(node.slice)})"

    def _subscript(self, node: ast.Subscript) -> Value:
        if isinstance(node.value, ast.Name) and node.value.id == "S":
            return (
                self._slice(node.slice) if isinstance(node.slice, ast.Slice) else Value(f"(I)S[{self.slot(node)}]", INT)
            )
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
