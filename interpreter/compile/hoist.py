"""A pass: what a loop computes again in every iteration, always with the same result, is computed once before it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from interpreter.compile import program as p
from interpreter.compile.program import Body, Function, ListVar, Program, Set, Statement, Var
from interpreter.compile.total import is_total

EFFECTS = (p.Store, p.Keep, p.Clear, p.Shift, p.Remember, p.Do)


def hoist(program: Program) -> Program:
    """Return the program in which what does not change in a loop is computed before the loop."""
    return replace(
        program,
        functions=tuple(hoisted_function(f) for f in program.functions),
        blocks=tuple(replace(b, body=hoisted_body(b.body)) for b in program.blocks),
        decisions={n: replace(d, before=hoisted_body(d.before)) for n, d in program.decisions.items()},
    )


def hoisted_function(f: Function) -> Function:
    return replace(f, body=hoisted_body(f.body))


def hoisted_body(body: Body) -> Body:
    """Return the hoisted body of a function or block. Only locals that get their value in one place are looked at."""
    counts: dict[int, int] = {}
    for s in p.statements(body):
        for v in p.assigned(s):
            counts[v.number] = counts.get(v.number, 0) + 1
    return _body(body, {number for number, n in counts.items() if n == 1})


def _body(body: Body, single: set[int]) -> Body:
    out: list[Statement] = []
    for s in body:
        s = _inside(s, lambda inner: _body(inner, single))
        if isinstance(s, p.ForRange | p.ForList | p.While):
            before, s = _split(s, single)
            out += before
        out.append(s)
    return tuple(out)


def _inside(s: Statement, change: Callable[[Body], Body]) -> Statement:
    """Return a statement with its bodies changed."""
    match s:
        case p.If():
            return replace(s, then=change(s.then), other=change(s.other))
        case p.ForRange() | p.ForList() | p.While() | p.Once() | p.OnceNum() | p.Score() | p.Tell() | p.Show():
            return replace(s, body=change(s.body))
        case _:
            return s


def _split(loop: p.ForRange | p.ForList | p.While, single: set[int]) -> tuple[list[Statement], Statement]:
    """Return the statements that can be done before a loop, and the loop without them."""
    inside = list(p.statements(loop.body))
    effects = any(isinstance(s, EFFECTS) for s in inside)
    changing = {v.number for s in (loop, *inside) for v in p.assigned(s)}
    changing |= {s.var.number for s in inside if isinstance(s, p.Push | p.Put)}
    before: list[Statement] = []
    body: list[Statement] = []
    for s in loop.body:
        if isinstance(s, Set) and s.var.number in single and _fixed(s.value, changing, effects):
            before.append(s)
            changing.discard(s.var.number)
        else:
            body.append(s)
    return before, replace(loop, body=tuple(body)) if before else loop


def _fixed(e: p.Num | p.List, changing: set[int], effects: bool) -> bool:
    """Return whether e is the same in every iteration, and safe to evaluate before the loop even if that has none."""
    if not is_total(e):
        return False  # a test that may be inside the loop has to come first
    for x in p.walk(e):
        match x:
            case Var() | ListVar() if x.number in changing:
                return False
            case p.Call() | p.ListCall() | p.InList() | p.Len() | p.Item():
                return False  # not worth it, or not safe, if the loop has no iteration
            case p.Load() | p.SumRange() | p.CountRange() | p.AnyRange() | p.Noted() if effects:
                return False
    return True
