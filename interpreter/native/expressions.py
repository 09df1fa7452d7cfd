"""Expressions of the generated Python → C expressions with the same value, evaluated in the same order."""

from __future__ import annotations

import ast

from interpreter.native.calls import Calls
from interpreter.native.shapes import (
    INT,
    Int,
    Node,
    Null,
    Seq,
    Tup,
    Unknown,
    Untranslatable,
    item_of,
    join,
)
from interpreter.native.values import Value

ARITHMETIC = {ast.Add: "+", ast.Sub: "-"}
CALLED = {ast.Mult: "times", ast.FloorDiv: "divided", ast.Mod: "modulo"}
COMPARED = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


class Expressions(Calls):
    """Operators, conditions and comparisons: with these, everything that can stand in an expression."""

    def _binop(self, node: ast.BinOp) -> Value:
        kind = type(node.op)
        if kind is ast.Mod and ast.unparse(node.left) == "bits(30)":
            return Value(f"one_of(X, {self.number(node.right)})", INT)
        if kind is ast.Mult and isinstance(node.left, ast.List):
            return self._repeated(node.left, node.right)
        if kind in ARITHMETIC:
            return Value(self.in_order([node.left, node.right], lambda t: f"({t[0]} {ARITHMETIC[kind]} {t[1]})"), INT)
        if kind in CALLED:
            return Value(self.in_order([node.left, node.right], lambda t: f"{CALLED[kind]}(X, {t[0]}, {t[1]})"), INT)
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
            if isinstance(v.shape, Seq):
                none = f"({v.text} == 0)"
            elif isinstance(v.shape, Tup) and v.shape.items:
                none = f"(*{v.text} == GAP)"
            else:
                none = f"((void)({v.text}), {int(isinstance(v.shape, Null))})"
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


def _yes_or_no(node: ast.expr) -> bool:
    """Whether its value is only ever 0 or 1."""
    if isinstance(node, ast.BoolOp):
        return all(_yes_or_no(v) for v in node.values)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    return isinstance(node, ast.Compare) or (isinstance(node, ast.Constant) and node.value in (0, 1))
