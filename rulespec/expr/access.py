"""What each form of an expression means, part two: reading by index or part, calls, gathering."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulespec import syntax
from rulespec.expr.builtins import AGGREGATES, BUILTINS
from rulespec.expr.forms import UNKNOWN, form
from rulespec.expr.narrow import Env
from rulespec.expr.parse import Syntax
from rulespec.expr.ranges import Ranges, takes_number
from rulespec.expr.results import most_items, sum_reach, surely_filled
from rulespec.syntax import (
    LARGEST,
    NONE,
    Expr,
    ListOf,
    PlaceOf,
    Type,
    Unknown,
    Values,
    YesNo,
    can_be_none,
    number,
    or_none,
    sure,
)

if TYPE_CHECKING:
    from rulespec.expr.infer import Inference

# reading ---------------------------------------------------------------------------------------------


@form("index")
def _index(inference: Inference, node: Syntax, env: Env) -> Expr:
    base, arguments = node.parts[0], node.parts[1].parts
    if base.kind != "name":
        return inference.complain(node, "index-base", "only places, tables and variables have indexes")
    name: str = base.parts[0]
    if name in inference.names.failed and name not in env:
        return UNKNOWN
    if name in env or (not inference.names.is_indexed(name) and inference.names.plain(name) is not None):
        return inference.complain(
            base, "index-base", f"`{name}` has no index", f"it is {inference.names.what(name, env)}", f"write `{name}`"
        )
    if not inference.names.is_indexed(name):
        return inference.unknown(base, name, "place, table or variable")
    index = inference.indexes(node, name, arguments, env)
    if index is None:
        return UNKNOWN
    exprs, sure_inside = index
    return inference.names.read(name, exprs, sure_inside)


def part_of(inference: Inference, e: Expr, pair: str, which: int) -> Expr:
    part_type: Type = inference.names.sets[inference.names.sets[pair].parts[which]].type
    if isinstance(e, syntax.Const) and isinstance(e.value, int) and e.value != NONE:
        code = inference.names.pair_parts[e.value][which]
        return syntax.Const(inference.names.const_type(code), code)
    return syntax.Part(or_none(part_type) if can_be_none(e.type) else part_type, e, pair, which)


@form("part")
def _part(inference: Inference, node: Syntax, env: Env) -> Expr:
    base, name = node.parts
    if base.kind == "name" and base.parts[0] not in env:
        code = inference.names.members.get(f"{base.parts[0]}.{name}")
        if code is not None:
            return syntax.Const(inference.names.const_type(code), code)
    e = inference.value(base, env)
    if isinstance(e.type, Unknown):
        return UNKNOWN
    pair = inference.names.pair_of(e.type)
    if pair is None:
        return inference.complain(node, "part-of-no-pair", f"{inference.describe(e)} has no parts",
                             "only members of a set of pairs (`a * b`) have parts")  # fmt: skip
    parts = inference.names.sets[pair].parts
    if name not in parts:
        return inference.complain(
            node, "part-unknown", f"a `{pair}` has no part `{name}`", f"its parts are `{parts[0]}` and `{parts[1]}`"
        )
    return part_of(inference, e, pair, parts.index(name))


# calls -----------------------------------------------------------------------------------------------


@form("call")
def _call(inference: Inference, node: Syntax, env: Env) -> Expr:
    name, arguments = node.parts[0], node.parts[1].parts
    if name in BUILTINS:
        return BUILTINS[name].build(inference, node, arguments, env)
    function = inference.names.function(name)
    if function is None:
        if name in AGGREGATES:
            first = inference.text(arguments[0])
            return inference.complain(node, "aggregate-shape", f"`{name}` needs `for`", "",
                                 f"write `{name}(… for x in {first})`")  # fmt: skip
        if name in env or inference.names.plain(name) is not None or inference.names.is_indexed(name):
            shown = ", ".join(inference.text(a) for a in arguments)
            fix = f"write `{name}[{shown}]`" if inference.names.is_indexed(name) else ""
            return inference.complain(
                node, "call-not-function", f"`{name}` is {inference.names.what(name, env)}, not a function", "", fix
            )
        return inference.unknown(node, name, "function")
    if name in inference.names.failed:
        return UNKNOWN
    args = inference.arguments(node, name, function.parameters, arguments, env)
    if args is None:
        return syntax.Const(function.body.type, 0)
    result = function.body.type
    if takes_number(function) and not inference.any_number:
        result = Ranges(inference.names, inference.report).call(name, tuple(a.type for a in args))
    return syntax.Call(result, name, args, inference.span(node))


@form("aggregate")
def _aggregate(inference: Inference, node: Syntax, env: Env) -> Expr:
    op, body_node, bindings_node = node.parts[:3]
    filter_node = node.parts[3] if len(node.parts) > 3 else None
    if op not in AGGREGATES:
        return inference.complain(
            node, "aggregate-unknown", f"`{op}` does not gather values", "", f"use one of {', '.join(AGGREGATES)}"
        )
    bindings = []
    largest = 1
    for inner in bindings_node.parts:
        name, domain_node = inner.parts
        domain, env = inference.binding(inner, name, domain_node, env)
        bindings.append((name, domain))
        many = 0 if isinstance(domain.type, Unknown) else most_items(domain.type, inference.names.places)
        largest = min(LARGEST, largest * many)
    where = stop = None
    if filter_node is not None:
        test = inference.condition(filter_node.parts[0], env)
        if filter_node.kind == "where":
            where, env = test, inference.after(env, filter_node.parts[0], test, True)
        else:
            stop = test
    sometimes_empty = where is not None or stop is not None or not all(surely_filled(d) for _, d in bindings)
    body, result = _gathered(inference, node, body_node, env, largest, sometimes_empty)
    if op in ("sum", "count") and any(isinstance(d.type, Unknown) for _, d in bindings):
        result = Unknown()  # how many there are is not known
    return syntax.Aggregate(result, op, body, tuple(bindings), where, stop, inference.span(node))


def _gathered(
    inference: Inference, whole: Syntax, node: Syntax, env: Env, largest: int, sometimes_empty: bool
) -> tuple[Expr, Type]:
    op = whole.parts[0]
    if op in ("any", "all", "count"):
        body = inference.condition(node, env)
        return body, number(0, largest) if op == "count" else YesNo()
    body = inference.value(node, env)
    if isinstance(body.type, Unknown):
        return body, Unknown()
    if op == "list":
        return body, ListOf(sure(body.type), largest)
    if op == "first":
        return body, or_none(body.type)
    if not isinstance(body.type, Values) or body.type.members or body.type.lo is None:
        inference.expected(node, "a number", body)
        return body, Unknown()
    if op == "sum":
        return body, inference.bounded(whole, sum_reach(body.type, largest)) or Unknown()
    empty = sometimes_empty or body.type.none
    return body, Values(body.type.lo, body.type.hi, none=empty)


@form("group")
def _group(inference: Inference, node: Syntax, env: Env) -> Expr:
    name, start_node, along_node, where_node = node.parts
    start, along = inference.value(start_node, env), inference.value(along_node, env)
    if not isinstance(start.type, PlaceOf):
        return (
            UNKNOWN
            if isinstance(start.type, Unknown)
            else inference.not_one_place(start_node, "a place of a board", start)
        )
    if not inference.check_ways(along_node, along, start.type.family):
        return UNKNOWN
    inference.names.check_new_local(name, inference.name_span(node, name), env, inference.report)
    where = inference.condition(where_node, {**env, name: start.type})
    size = inference.names.places[start.type.family].size
    return syntax.Group(ListOf(start.type, size), name, start, along, where)
