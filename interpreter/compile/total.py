"""Expressions that can be worked out anywhere without harm.

A number that is `Known` to lie in a range is known by a test around it. Where the test is inside the expression itself
the expression is total; where it is not, nothing may move the expression before its test: not even a sum, since
whoever reads the sum trusts its range.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.compile import program as p
from interpreter.compile.program import List, Num
from rulespec.syntax import NONE


@dataclass(frozen=True, slots=True)
class Shown:
    """A fact that a test has shown: a number lies in a range, or is not a certain one."""

    of: Num
    lo: int
    hi: int
    other_than: bool = False  # it is none of lo..hi


Facts = tuple[Shown, ...]


def is_total(e: Num | List, facts: Facts = ()) -> bool:
    """Return whether nothing in e relies on a test outside of it, but for those that gave `facts`."""
    match e:
        case p.Known():
            return is_known(e, facts) and is_total(e.of, facts)
        case p.Select():
            then, other = facts + shown_by(e.test, True), facts + shown_by(e.test, False)
            return is_total(e.test, facts) and is_total(e.then, then) and is_total(e.other, other)
        case p.And() | p.Or():
            for part in e.parts:
                if not is_total(part, facts):
                    return False
                facts += shown_by(part, isinstance(e, p.And))
            return True
        case p.Bin(op="/" | "%") if e.right.lo <= 0 <= e.right.hi:
            return False
    return all(is_total(part, facts) for part in p.parts(e))


def shown_by(test: Num, holds: bool) -> Facts:
    """Return what is known where a test holds, or where it does not."""
    match test:
        case p.Not():
            return shown_by(test.of, not holds)
        case p.And() if holds:
            return tuple(fact for part in test.parts for fact in shown_by(part, True))
        case p.Or() if not holds:
            return tuple(fact for part in test.parts for fact in shown_by(part, False))
        case p.Within():
            return (Shown(test.of, test.low, test.high, not holds),)
        case p.Cmp(op="==" | "!=", left=left, right=p.Const(value=value)):
            return (Shown(left, value, value, (test.op == "==") != holds),)
        case p.Cmp(op="<" | "<=" | ">" | ">=", left=left, right=p.Const(value=value)):
            op = test.op if holds else {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}[test.op]
            lo = value + (op == ">") if op in (">", ">=") else left.lo
            hi = value - (op == "<") if op in ("<", "<=") else left.hi
            return (Shown(left, lo, hi),)
    return (Shown(test, int(holds), int(holds)),) if test.lo == 0 and test.hi == 1 else ()


def is_known(e: p.Known, facts: Facts, tested: Sequence[Num] = ()) -> bool:
    """Return whether what is known of a number was shown; what its type says, by any test that looks at what it depends on."""
    if e.why == p.ALWAYS or any(_shows(fact, e) for fact in facts):
        return True
    return e.why == p.NARROWED and not _depends_on(e.of).isdisjoint(x for t in tested for x in _depends_on(t))


def _depends_on(e: Num | List) -> frozenset[Num | List]:
    """Return the locals and readings in an expression."""
    return frozenset(x for x in p.walk(e) if isinstance(x, p.Var | p.ListVar | p.Load))


def _shows(fact: Shown, e: p.Known) -> bool:
    if fact.of != e.of:
        return False
    if not fact.other_than:
        return max(fact.lo, e.of.lo) >= e.lo and min(fact.hi, e.of.hi) <= e.hi
    if e.why == p.NARROWED and fact.lo == fact.hi == NONE:
        return True  # what is not none is what its type says
    below = fact.hi >= e.of.hi and e.hi >= fact.lo - 1 and e.of.lo >= e.lo
    above = fact.lo <= e.of.lo and e.lo <= fact.hi + 1 and e.of.hi <= e.hi
    return below or above
