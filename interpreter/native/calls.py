"""Calls: functions of the program, and the few of Python's and the engine's that it uses."""

from __future__ import annotations

import ast
from collections.abc import Callable

from interpreter.native.lists import Lists
from interpreter.native.shapes import (
    INT,
    UNKNOWN,
    Groups,
    Int,
    Map,
    Node,
    Seq,
    Tup,
    Unknown,
    Untranslatable,
    item_of,
    join,
    width,
)
from interpreter.native.values import Value, acts
from rulespec.expr.types import NONE


class Calls(Lists):
    """Everything that is called."""

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

    def _call_fault(self, node: ast.Call) -> Value:
        """A fault in the middle of an expression; the values of its message are for Python, which plays it again."""
        return Value(f"({{ leave(X, FAULT + {ast.literal_eval(node.args[0])}); (I)0; }})", INT)

    def called(self, name: str, args: list[ast.expr]) -> Value:
        """A call of a function of the program."""
        function = self.module.functions[name]
        given = [a for a in args if not (isinstance(a, ast.Name) and a.id in ("S", "X"))]
        with self.inside() as lines:
            values = [self.value(a) for a in given]
            if len(given) > 1 and any(map(acts, given)):
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
        if (
            func.attr == "count"
            and isinstance(func.value, ast.Subscript)
            and ast.unparse(func.value.value) == "S"
            and isinstance(func.value.slice, ast.Slice)
        ):
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
            case ast.Subscript(
                value=ast.Subscript(value=ast.Name() as name, slice=ast.Constant(value=0)), slice=ast.Constant(value=2)
            ):
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
            empty = (
                f"{best} = {self.number(default)}"
                if default is not None
                else f"{best} = {NONE}"
                if skip_none
                else "leave(X, LEFT)"
            )
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
            return self._selected(arg)
        v = self.value(arg)
        if isinstance(v.shape, Seq) and isinstance(arg, ast.Name) and arg.id not in self.module.tables:
            return Value(f"copied(X, {v.text}, {width(v.shape.item)})", v.shape)
        return v

    _call_tuple = _call_list

    def _call_many(self, node: ast.Call) -> Value:
        groups = self.value(node.args[0])
        if self.module.settled and not isinstance(groups.shape, Groups):
            raise Untranslatable(ast.unparse(node))
        return Value(f"many({groups.text})", INT)

    def _call_several(self, node: ast.Call) -> Value:
        counts = self.value(node.args[0])
        if not isinstance(counts.shape, Tup):
            raise Untranslatable(ast.unparse(node))
        least, most = self.number(node.args[1]), self.number(node.args[2])
        return Value(f"several(X, {counts.text}, {len(counts.shape.items)}, {least}, {most})", Seq(counts.shape))
