"""A body written once for each kind of value that one of its locals can have: what only tells these kinds apart is settled.

Where a player may choose one of several numbers or a name, whether it is the name is asked once, at the start.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from interpreter.compile import program as p
from interpreter.compile.fold import Fold
from interpreter.compile.program import Body, Num, Set, Var
from interpreter.compile.unfold import tidied

LARGEST = 400  # statements of all kinds together
TESTS = (p.Cmp, p.Within)


def by_cases(body: Body, choices: Sequence[tuple[Var, Sequence[int]]], tables: tuple[Any, ...]) -> Body:
    """Return a body in which tests of locals, each of which has one of its values, are settled, in branches if need be."""
    cases = _told_apart(body, choices, tables, LARGEST // (1 + sum(1 for _ in p.statements(body))))
    return body if cases is None else cases


def _told_apart(
    body: Body, choices: Sequence[tuple[Var, Sequence[int]]], tables: tuple[Any, ...], most: int
) -> Body | None:
    """Return the same, with at most so many cases; None if there are more."""
    if not choices:
        return _settled(body)
    (choice, values), *others = choices
    follows = _follows(body, choice, values, tables)
    tests = [
        e
        for s in p.statements(body)
        for x in p.operands(s)
        for e in p.walk(x)
        if isinstance(e, TESTS) and _depends(e, follows)
    ]
    kinds: dict[tuple[Num, ...], list[int]] = {}
    for i, value in enumerate(values):
        fold = Fold({number: p.const(row[i]) for number, row in follows.items()}, tables)
        kinds.setdefault(tuple(map(fold.num, tests)), []).append(value)
    ordered = sorted(kinds.items(), key=lambda kind: -len(kind[1]))
    if len(kinds) > most or any(len(found) > 1 for _, found in ordered[1:]):
        return None
    told: Body = ()
    for known, found in ordered:
        given = {choice.number: p.const(found[0])} if told else {}
        one = Fold(given, tables, dict(zip(tests, known, strict=True))).body(body)
        cases = _told_apart(one, others, tables, most // len(kinds))
        if cases is None:
            return None
        told = (p.If(p.compare("==", choice, p.const(found[0])), cases, told),) if told else cases
    return told


def _follows(body: Body, choice: Var, values: Sequence[int], tables: tuple[Any, ...]) -> dict[int, list[int]]:
    """Return the numbers of the local and of those that follow from it, each with what it is for each of the values."""
    inside = list(p.statements(body))
    writes = Counter(v.number for s in inside for v in p.assigned(s))
    found = {} if writes[choice.number] else {choice.number: list(values)}
    for s in inside:
        if isinstance(s, Set) and writes[s.var.number] == 1 and found and _depends(s.value, found):
            folds = (
                Fold({number: p.const(row[i]) for number, row in found.items()}, tables) for i in range(len(values))
            )
            worked_out = [fold.num(s.value) for fold in folds]
            row = [e.value for e in worked_out if isinstance(e, p.Const)]
            if len(row) == len(values):
                found[s.var.number] = row
    return found


def _depends(e: Num, follows: dict[int, list[int]]) -> bool:
    """Return whether a number depends on these locals and nothing else."""
    nodes = list(p.walk(e))
    return any(isinstance(x, Var) for x in nodes) and all(
        x.number in follows
        if isinstance(x, Var)
        else isinstance(x, (p.Const, p.Bin, p.Cell, p.Known, p.Select, *TESTS))
        for x in nodes
    )


def _settled(body: Body) -> Body:
    """Return a body without locals that stand for what another one stands for, and without those that are never needed."""
    inside = list(p.statements(body))
    writes = Counter(v.number for s in inside for v in p.assigned(s))
    first: dict[Num, Var] = {}
    same: dict[int, Num] = {}
    for outer in body:
        for s in p.statements((outer,)):
            if isinstance(s, Set) and writes[s.var.number] == 1 and _is_fixed(s.value, writes):
                value = _plain(s.value)
                if value in first:
                    same[s.var.number] = first[value]
                elif s is outer:
                    first[value] = s.var
    return tidied(Fold(same, ()).body(body))


def _plain(e: Num) -> Num:
    """Return a sum or product without what is known of its parts."""
    match e:
        case p.Known():
            return _plain(e.of)
        case p.Bin():
            return replace(e, left=_plain(e.left), right=_plain(e.right), lo=0, hi=0)
        case _:
            return e


def _is_fixed(e: Num, writes: Counter[int]) -> bool:
    """Return whether a number is worked out from locals that are given from outside, and nothing else."""
    return isinstance(e, p.Bin) and all(
        writes[x.number] == 0 if isinstance(x, Var) else isinstance(x, p.Const | p.Bin | p.Known) for x in p.walk(e)
    )
