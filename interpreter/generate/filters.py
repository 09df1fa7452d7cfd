"""Filters over printed data that can be worked out at load: a table then finds what a loop would search for.

`any(printed[t, c] = k and … for c in column)` reads a table, t and k: the one column that passes is looked up.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

from interpreter.generate.terms import Bound, Domain, Env
from rulespec.checks.work import Work
from rulespec.expr import core
from rulespec.expr.core import Expr, free_names
from rulespec.expr.evaluate import Undefined, evaluate, is_static
from rulespec.expr.types import NONE, Type, Values, YesNo, of_codes
from rulespec.model.model import Model

LARGEST = 200_000  # passes of all loops of a filter
MOST_VALUES = 400  # of one outer name


@dataclass(frozen=True, slots=True)
class FixedFilter:
    """The one value that passes for each combination of outer values: nested dicts, `none` where nothing passes."""

    outer: list[str]
    table: dict[int, Any]
    rest: Expr | None  # what must be tested in play

    def narrowed(self, env: Env) -> dict[str, Bound]:
        """The type of the first outer name where something was found."""
        found = tuple(code for code, branch in self.table.items() if _some(branch))
        b = env[self.outer[0]]
        return {self.outer[0]: Bound(of_codes(found, getattr(b.type, "home", "")), b.text)} if found else {}


def fixed_filter(where: Expr, name: str, domain: Domain, env: Env, work: Work) -> FixedFilter | None:
    """The filter of a loop over `name`, if it reads printed data and never leaves more than one value."""
    fixed, rest = _split(where, name, env, work)
    if fixed is None:
        return None
    outer = sorted(n for n in free_names(fixed) - {name} if env[n].const is None)
    table = _table(fixed, name, domain, outer, env, work.model)
    return FixedFilter(outer, table, rest) if table is not None else None


def _split(where: Expr, name: str, env: Env, work: Work) -> tuple[Expr | None, Expr | None]:
    """The conjuncts that read no state, and the others."""
    fixed: list[Expr] = []
    rest: list[Expr] = []
    for part in _conjuncts(where):
        names = free_names(part)
        known = is_static(part, work.model.functions, work.static) and name in names
        known = known and all(_finite(env[n]) for n in names - {name} if n in env)
        (fixed if known else rest).append(part)
    return _joined(fixed), _joined(rest)


def _table(fixed: Expr, name: str, domain: Domain, outer: list[str], env: Env, model: Model) -> dict[int, Any] | None:
    assert domain.values is not None
    choices = [_codes(env[n].type) for n in outer]
    size = len(domain.values)
    for codes in choices:
        size *= len(codes)
    if not outer or size > LARGEST:
        return None
    consts = {n: env[n].const for n in free_names(fixed) - {name} if env[n].const is not None}
    tree: dict[int, Any] = {}
    for combo in product(*choices):
        at = {**consts, **dict(zip(outer, combo, strict=True))}
        try:
            passing = [v for v in domain.values if evaluate(fixed, {**at, name: v}, model)]
        except Undefined:  # what keeps these values away is looked at in play
            return None
        if len(passing) > 1:
            return None
        branch = tree
        for code in combo[:-1]:
            branch = branch.setdefault(code, {})
        branch[combo[-1]] = passing[0] if passing else NONE
    return tree


def conditions_first(e: core.Aggregate) -> core.Aggregate:
    """`any(a and b …)` as `any(true … where a and b)`: then filters are found in one place."""
    if e.op not in ("any", "count") or e.stop is not None or isinstance(e.body, core.Const):
        return e
    where = _joined([p for p in (e.where, e.body) if p is not None])
    return core.Aggregate(e.type, e.op, core.Const(YesNo(), 1), e.bindings, where, None)


def _conjuncts(e: Expr) -> list[Expr]:
    if isinstance(e, core.Logic) and e.op == "and":
        return _conjuncts(e.left) + _conjuncts(e.right)
    return [e]


def _joined(parts: list[Expr]) -> Expr | None:
    if not parts:
        return None
    out = parts[0]
    for part in parts[1:]:
        out = core.Logic(YesNo(), "and", out, part)
    return out


def _finite(b: Bound) -> bool:
    if b.const is not None:
        return True
    return isinstance(b.type, Values) and not b.type.none and len(_codes(b.type)) <= MOST_VALUES


def _codes(t: Type) -> list[int]:
    assert isinstance(t, Values)
    numbers = range(t.lo, min(t.hi, t.lo + MOST_VALUES) + 1) if t.lo is not None and t.hi is not None else ()
    return [*numbers, *sorted(t.members)]


def _some(branch: Any) -> bool:
    return any(_some(v) for v in branch.values()) if isinstance(branch, dict) else branch != NONE
