"""What can be worked out anywhere without harm.

A number that is `Known` to lie in a range is known by a test around it. Where the test is inside the expression itself
the expression is total; where it is not, nothing may move the expression before its test: not even a sum, since
whoever reads the sum trusts its range.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.compile import program as p
from interpreter.compile.program import List, Num
from rulespec.expr.types import NONE


@dataclass(frozen=True, slots=True)
class Shown:
    """What a test has shown: a number lies in a range, or is not a certain one."""

    of: Num
    lo: int
    hi: int
    other_than: bool = False  # it is none of lo..hi


Facts = tuple[Shown, ...]


def is_total(e: Num | List, facts: Facts = ()) -> bool:
    """Whether nothing in e relies on a test outside of it, but for those that gave `facts`."""
    match e:
        case p.Known():
            return any(_shows(fact, e) for fact in facts) and is_total(e.of, facts)
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
    """What is known where a test holds, or where it does not."""
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
    return ()


def _shows(fact: Shown, e: p.Known) -> bool:
    if fact.of != e.of:
        return False
    if not fact.other_than:
        return fact.lo >= e.lo and fact.hi <= e.hi
    if e.typed and fact.lo == fact.hi == NONE:
        return True  # what is not none is what its type says
    below = fact.hi >= e.of.hi and e.hi >= fact.lo - 1 and e.of.lo >= e.lo
    above = fact.lo <= e.of.lo and e.lo <= fact.hi + 1 and e.of.hi <= e.hi
    return below or above
