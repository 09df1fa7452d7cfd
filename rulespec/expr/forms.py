"""What each form of an expression means, part one: leaves, logic, numbers and lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rulespec import syntax
from rulespec.expr.narrow import Env
from rulespec.expr.parse import Syntax
from rulespec.expr.results import arithmetic_reach, number_problem, range_type
from rulespec.syntax import (
    LARGEST,
    NONE,
    NOTHING,
    Expr,
    ListOf,
    PlaceOf,
    Several,
    Type,
    Unknown,
    Values,
    YesNo,
    join,
    join_all,
    number,
    overlap,
    sure,
)

if TYPE_CHECKING:
    from rulespec.expr.infer import Inference

Form = Callable[["Inference", Syntax, Env], Expr]
FORMS: dict[str, Form] = {}  # the grammar's rule name → how it is checked
UNKNOWN = syntax.Const(Unknown(), 0)


def form(kind: str) -> Callable[[Form], Form]:
    def register(check: Form) -> Form:
        FORMS[kind] = check
        return check

    return register


# leaves ----------------------------------------------------------------------------------------------


@form("number")
def _number(inference: Inference, node: Syntax, env: Env) -> Expr:
    n: int = node.parts[0]
    if n > LARGEST:
        inference.report(number_problem(inference.span(node), str(n)))
        return UNKNOWN
    return syntax.Const(number(n, n), n)


@form("true")
def _true(inference: Inference, node: Syntax, env: Env) -> Expr:
    return syntax.Const(YesNo(), 1)


@form("false")
def _false(inference: Inference, node: Syntax, env: Env) -> Expr:
    return syntax.Const(YesNo(), 0)


@form("none")
def _none(inference: Inference, node: Syntax, env: Env) -> Expr:
    return syntax.Const(NOTHING, NONE)


@form("bracket")
def _bracket(inference: Inference, node: Syntax, env: Env) -> Expr:
    return inference.value(node.parts[0], env)


@form("name")
def _name(inference: Inference, node: Syntax, env: Env) -> Expr:
    name: str = node.parts[0]
    if name in env:
        return syntax.Local(env[name], name)
    if name in inference.names.failed:
        return UNKNOWN
    found = inference.names.plain(name)
    if found is not None:
        return found
    if name == "me":
        return inference.complain(node, "name-me", "`me` is not known here",
                             "`me` is the player who decides, scores or is ranked; functions and steps are given players as parameters")  # fmt: skip
    if (function := inference.names.function(name)) is not None:
        n = len(function.parameters)
        shown = ", ".join(f"{p.set} {p.name}" for p in function.parameters)
        message = f"`{name}` needs {n} argument{'s' * (n != 1)} in brackets"
        return inference.complain(node, "call-arguments", message, f"it is declared as `{name}({shown})`")
    if inference.names.is_indexed(name):
        return inference.no_index(node, name, env)
    return inference.unknown(node, name, "name")


# logic -----------------------------------------------------------------------------------------------


@form("not")
def _not(inference: Inference, node: Syntax, env: Env) -> Expr:
    of = inference.condition(node.parts[0], env)
    return of if isinstance(of.type, Unknown) else syntax.Not(YesNo(), of)


@form("and")
def _and(inference: Inference, node: Syntax, env: Env) -> Expr:
    return _joined(inference, node, env, "and")


@form("or")
def _or(inference: Inference, node: Syntax, env: Env) -> Expr:
    return _joined(inference, node, env, "or")


def _joined(inference: Inference, node: Syntax, env: Env, op: str) -> Expr:
    """Two conditions. A value where one is expected is mostly meant as one of several: `x = a or b`."""
    left = inference.value(node.parts[0], env)
    right = inference.value(node.parts[1], inference.after(env, node.parts[0], left, op == "and"))
    for at, e in zip(node.parts, (left, right), strict=True):
        if isinstance(e.type, YesNo | Unknown):
            continue
        words = inference.text(at)
        before = node.parts[0]
        fix = ""
        if at is node.parts[1] and before.kind == "compare" and before.parts[1] in ("=", "!="):
            fix = f"write `{inference.text(before)} {op} {inference.text(before.parts[0])} {before.parts[1]} {words}`"
        elif isinstance(e.type, Values) and op == "or":
            fix = "to ask whether it is one of several write `… in [a, b]`"
        return inference.complain(
            at,
            "type-mismatch",
            f"expected a condition (yes or no), found {inference.describe(e)}",
            f"`{op}` joins two conditions",
            fix,
        )
    failed = isinstance(left.type, Unknown) or isinstance(right.type, Unknown)
    return UNKNOWN if failed else syntax.Logic(YesNo(), op, left, right)


@form("if")
def _if(inference: Inference, node: Syntax, env: Env) -> Expr:
    test = inference.condition(node.parts[0], env)
    then = inference.value(node.parts[1], inference.after(env, node.parts[0], test, True))
    other = inference.value(node.parts[2], inference.after(env, node.parts[0], test, False))
    both = join(then.type, other.type)
    if both is None:
        return inference.complain(node, "type-mismatch",
                             f"`then` gives {inference.describe(then)}, `else` gives {inference.describe(other)}",
                             "both must be of one kind")  # fmt: skip
    return syntax.If(both, test, then, other)


@form("let")
def _let(inference: Inference, node: Syntax, env: Env) -> Expr:
    name, value_node, body_node = node.parts
    new = inference.names.check_new_local(name, inference.name_span(node, name), env, inference.report)
    value = inference.value(value_node, env)
    body = inference.value(body_node, {**env, name: value.type if new else Unknown()})
    return syntax.Let(body.type, name, value, body)


@form("compare")
def _compare(inference: Inference, node: Syntax, env: Env) -> Expr:
    left_node, op, right_node = node.parts
    if op not in ("=", "!="):
        low, high = inference.numbers(left_node, right_node, env)
        failed = isinstance(low.type, Unknown) or isinstance(high.type, Unknown)
        return UNKNOWN if failed else syntax.Compare(YesNo(), op, low, high)
    left, right = inference.value(left_node, env), inference.value(right_node, env)
    if isinstance(left.type, Unknown) or isinstance(right.type, Unknown):
        return UNKNOWN
    if isinstance(left.type, Values) and isinstance(right.type, Values):
        if overlap(left.type, right.type) or (left.type.none and right.type.none):
            return syntax.Compare(YesNo(), op, left, right)
        if left.type.never or right.type.never:
            return syntax.Const(YesNo(), int(op == "!="))
        always = "false" if op == "=" else "true"
        message = f"this is always {always}: {inference.describe(left)} is never {inference.describe(right)}"
        return inference.complain(node, "type-never-equal", message, also=inference.homes(left, right))
    if isinstance(left.type, YesNo) and isinstance(right.type, YesNo):
        return syntax.Compare(YesNo(), op, left, right)
    return inference.complain(
        node, "type-mismatch", f"cannot compare {inference.describe(left)} with {inference.describe(right)}"
    )


@form("in")
def _in(inference: Inference, node: Syntax, env: Env) -> Expr:
    item, domain = inference.value(node.parts[0], env), inference.value(node.parts[1], env)
    return syntax.In(YesNo(), item, domain) if _fits_in(inference, node, item, domain) else UNKNOWN


@form("not_in")
def _not_in(inference: Inference, node: Syntax, env: Env) -> Expr:
    of = _in(inference, node, env)
    return of if isinstance(of.type, Unknown) else syntax.Not(YesNo(), of)


def _fits_in(inference: Inference, node: Syntax, item: Expr, domain: Expr) -> bool:
    """Whether the item may be in the domain; complains if it never is."""
    match domain.type:
        case Unknown():
            return False
        case PlaceOf():
            held: Type = inference.names.kinds_type((domain.type.family,))
        case ListOf(item=PlaceOf(family=family)):
            held = inference.names.kinds_type((family,))
        case ListOf():
            held = domain.type.item
        case Several():
            held = inference.names.type_of_kinds(domain.type.kinds)
        case _:
            inference.no_list(node.parts[1], "a set, a list or a place", domain)
            return False
    if isinstance(item.type, Unknown) or isinstance(held, Unknown):
        return False
    if not isinstance(item.type, Values) or not isinstance(held, Values):
        inference.expected(node.parts[0], "a number or a member of a set", item)
        return False
    if overlap(item.type, held) or (item.type.none and held.none) or item.type.never or held.never:
        return True
    inference.complain(
        node,
        "type-never-in",
        f"{inference.describe(item)} is never in {inference.describe(domain)}",
        also=inference.homes(item, domain),
    )
    return False


@form("default")
def _default(inference: Inference, node: Syntax, env: Env) -> Expr:
    value, other = inference.value(node.parts[0], env), inference.value(node.parts[1], env)
    both = join(sure(value.type), other.type)
    if both is None:
        return inference.complain(node, "type-mismatch",
                             f"{inference.describe(value)} cannot default to {inference.describe(other)}")  # fmt: skip
    return syntax.Default(both, value, other)


# numbers and lists -----------------------------------------------------------------------------------


@form("range")
def _range(inference: Inference, node: Syntax, env: Env) -> Expr:
    lo, hi = inference.numbers(node.parts[0], node.parts[1], env)
    if isinstance(lo.type, Values) and isinstance(hi.type, Values):
        return syntax.Range(range_type(lo.type, hi.type), lo, hi)
    return UNKNOWN


@form("arithmetic")
def _arithmetic(inference: Inference, node: Syntax, env: Env) -> Expr:
    left_node, op, right_node = node.parts
    if op == "*" and (pairs := _pairs(inference, left_node, right_node)):
        return pairs
    left, right = inference.numbers(left_node, right_node, env)
    a, b = left.type, right.type
    if not isinstance(a, Values) or not isinstance(b, Values):
        return UNKNOWN
    if op in ("/", "mod") and b.lo <= 0 <= b.hi:  # type: ignore[operator]
        return inference.complain(right_node, "type-divide", "this may be 0, and nothing can be divided by 0", "",
                             f"write `max(1, {inference.text(right_node)})`")  # fmt: skip
    t = inference.bounded(node, arithmetic_reach(op, a, b))
    return syntax.Arithmetic(t, op, left, right, inference.span(node)) if t else UNKNOWN


def _pairs(inference: Inference, left: Syntax, right: Syntax) -> Expr | None:
    """`side * spot` where both are sets is a set of pairs; only `sets:` knows what to do with it."""
    names = [n.parts[0] for n in (left, right) if n.kind == "name"]
    if len(names) == 2 and all(n in inference.names.sets for n in names):
        return syntax.Builtin(
            ListOf(Unknown()), "pairs", (syntax.Local(Unknown(), names[0]), syntax.Local(Unknown(), names[1]))
        )
    return None


@form("negative")
def _negative(inference: Inference, node: Syntax, env: Env) -> Expr:
    e = inference.number(node.parts[-1], env)
    if not isinstance(e.type, Values):
        return e
    zero = syntax.Const(number(0, 0), 0)
    return syntax.Arithmetic(number(-e.type.hi, -e.type.lo), "-", zero, e, inference.span(node))  # type: ignore[operator]


@form("list_of")
def _list_of(inference: Inference, node: Syntax, env: Env) -> Expr:
    parts = node.parts[0].parts if node.parts and node.parts[0] else ()
    items = [inference.value(p, env) for p in parts]
    # a set named in a list stands for its members
    flat = [e.type.item if isinstance(e.type, ListOf) else e.type for e in items]
    item = join_all(flat)
    if item is None:
        return inference.complain(node, "type-mismatch", "the items of this list are of different kinds",
                             ", ".join(inference.describe(e) for e in items))  # fmt: skip
    largest = sum(e.type.largest if isinstance(e.type, ListOf) else 1 for e in items)
    return syntax.Items(ListOf(item, largest), tuple(items))
