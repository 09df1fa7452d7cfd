"""Conditions as clauses, affirmed or negated."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.rulebook.book import em
from referee.rulebook.nouns import article, bare, spaced
from rulespec import listed, syntax

if TYPE_CHECKING:
    from referee.rulebook.expressions import ExpressionWords

_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_COMPARED = {
    "=": "is",
    "!=": "is not",
    "<": "is less than",
    ">": "is more than",
    "<=": "is at most",
    ">=": "is at least",
}
_AMOUNTS = {"=": "exactly {}", "<": "fewer than {}", ">": "more than {}", "<=": "at most {}", ">=": "at least {}"}
_VERBS = re.compile(r"\b(is|are|has|have|can|may|must|lies|lie)\b")


def condition(words: ExpressionWords, e: syntax.Expr, holds: bool = True) -> str:
    """Return a clause that is true if the condition holds, or if it does not."""
    match e:
        case syntax.Literal():
            return "in any case" if bool(e.value) == holds else "never"
        case syntax.Negation():
            return words.condition(e.of, not holds)
        case syntax.Logic():
            op = e.op if holds else {"and": "or", "or": "and"}[e.op]
            return _joined(words, e, op, holds)
        case syntax.Compare():
            return _compare(words, e.op if holds else _OPPOSITE[e.op], e.left, e.right)
        case syntax.In():
            return _within(words, e, holds)
        case syntax.Conditional():
            then, other = words.condition(e.then, holds), words.condition(e.other, holds)
            return f"{then} if {words.condition(e.test)}, otherwise {other}"
        case syntax.Let():
            inner = replace(words, scope={**words.scope, e.name: em(e.name)})
            return f"{inner.condition(e.body, holds)}, where {em(e.name)} is {words.value(e.value)}"
        case syntax.Aggregate():
            return _some_or_all(words, e, holds)
        case syntax.BuiltinCall(name="empty"):
            place = words.value(e.args[0])
            if place.startswith("every ") and not holds:
                return f"not {place} is empty"
            if place.split(" at ")[0].endswith("s") and " at " not in place:
                return f"{'nothing' if holds else 'something'} lies on {place}"
            return f"{place} is {'' if holds else 'not '}empty"
        case syntax.FunctionCall():
            return _called(words, e, holds)
        case _:
            return f"{_stated(words, e)} is {'so' if holds else 'not so'}"


def _stated(words: ExpressionWords, e: syntax.Expr) -> str:
    match e:
        case syntax.VariableRead():
            return words.read(e.variable, e.index)
        case syntax.TableRead():
            return words.read(e.table, e.index)
        case syntax.Local():
            return words.scope.get(e.name) or em(spaced(e.name))
        case _:
            return "it"


def _joined(words: ExpressionWords, e: syntax.Logic, op: str, holds: bool) -> str:
    parts = []
    for side in (e.left, e.right):
        text = words.condition(side, holds)
        inner = side.of if isinstance(side, syntax.Negation) else side
        mixed = isinstance(inner, syntax.Logic) and (inner.op if isinstance(side, syntax.Logic) == holds else "") != ""
        other = isinstance(inner, syntax.Logic) and _op(words, side, holds) != op
        parts.append(f"({text})" if mixed and other else text)
    comma = "," if any(len(p) > 40 for p in parts) else ""
    return f"{parts[0]}{comma} {op} {parts[1]}"


def _op(words: ExpressionWords, e: syntax.Expr, holds: bool) -> str:
    if isinstance(e, syntax.Negation):
        return _op(words, e.of, not holds)
    op = e.op if isinstance(e, syntax.Logic) else ""
    return op if holds else {"and": "or", "or": "and"}.get(op, "")


def _compare(words: ExpressionWords, op: str, left: syntax.Expr, right: syntax.Expr) -> str:
    number = right.value if isinstance(right, syntax.Literal) and isinstance(right.value, int) else None
    if isinstance(left, syntax.BuiltinCall) and left.name == "free" and number == 0:
        room = {">": "there is room on {}", "=": "{} is full", "!=": "there is room on {}", "<=": "{} is full"}
        if op in room:
            return room[op].format(words.value(left.args[0]))
    if isinstance(left, syntax.BuiltinCall) and left.name == "count":
        return _there_are(words, op, left, right, number)
    if isinstance(left.type, syntax.YesNo):
        return f"{words.condition(left)} {'exactly' if op == '=' else 'unless'} if {words.condition(right)}"
    if number == syntax.NONE:
        what = words.value(left)
        if not isinstance(left, syntax.Local):
            return f"{what} is {'not ' if op == '=' else ''}there"
        return f"there is no {bare(what)}" if op == "=" else f"there is {article(bare(what))}"
    if op in ("=", "!=") and isinstance(right, syntax.Local) and not isinstance(left, syntax.Local):
        left, right = right, left  # the local name first
    if words.value(left) == "you":
        return f"you are {'not ' if op == '!=' else ''}{words.value(right)}"
    return f"{words.value(left)} {_COMPARED[op]} {words.value(right)}"


def _there_are(
    words: ExpressionWords, op: str, left: syntax.BuiltinCall, right: syntax.Expr, number: int | None
) -> str:
    where = (
        f"among {words.value(left.args[0])}"
        if isinstance(left.args[0].type, syntax.Several)
        else f"on {words.value(left.args[0])}"
    )
    what = words.what(left.args)
    if number == 0 and op in ("=", "<="):
        return f"there are no {what} {where}"
    if (number == 0 and op in (">", "!=")) or (number == 1 and op == ">="):
        return f"there is at least one of the {what} {where}"
    if op == "!=" or " " in words.value(right):
        return f"the number of {what} {where} {_COMPARED[op]} {words.value(right)}"
    return f"there are {_AMOUNTS[op].format(words.value(right))} {what} {where}"


def _within(words: ExpressionWords, e: syntax.In, holds: bool) -> str:
    no = "" if holds else "not "
    domain = e.domain
    places = domain.type if not isinstance(domain.type, syntax.ListOf) else domain.type.item
    if isinstance(places, syntax.PlaceOf):
        where = f"on {words.place(domain)}"
        if isinstance(e.item, syntax.Literal):
            kind = (
                words.nouns.value(e.item.value, e.item.type) if isinstance(e.item.value, int) else words.value(e.item)
            )
            return f"there is {article(kind) if holds else 'no ' + kind} {where}"
        return f"{words.value(e.item)} {'lies' if holds else 'does not lie'} {where}"
    if isinstance(places, syntax.Several):
        return f"{words.value(e.item)} is {no}among {words.value(domain)}"
    item = words.value(e.item)
    if isinstance(domain, syntax.Range):
        return f"{item} is {no}one of {words.value(domain)}"
    if isinstance(domain, syntax.Items):
        items = [
            words.value(i) if not isinstance(i.type, syntax.ListOf) else article(words.nouns.of_type(i.type.item))
            for i in domain.items
        ]
        return f"{item} is {listed(items, 'or')}" if holds else f"{item} is neither {listed(items, 'nor')}"
    if isinstance(domain, syntax.Literal) and words.domain(domain) == "" and isinstance(domain.type, syntax.ListOf):
        return f"{item} is {no}{article(words.nouns.of_type(domain.type.item))}"
    return f"{item} is {no}one of {words.value(domain)}"


def _some_or_all(words: ExpressionWords, e: syntax.Aggregate, holds: bool) -> str:
    bindings, inner = words.bindings(e)
    where = f", of those for which {inner.condition(e.where)}," if e.where is not None else ""
    if e.stop is not None:
        where += f", as long as {inner.condition(e.stop)},"
    some = listed(f"one {noun} {source}".strip() for noun, source in bindings)
    every = listed(f"every {noun} {source}".strip() for noun, source in bindings)
    if (e.op == "any") == holds:
        return f"for at least {some}{where} {inner.condition(e.body, holds)}"
    return f"for {every}{where} {inner.condition(e.body, holds)}"


def _called(words: ExpressionWords, e: syntax.FunctionCall, holds: bool) -> str:
    function = words.model.functions[e.function]
    if says := words.model.view.says.get(e.function):
        clause = words.filled(says, {p.name: a for p, a in zip(function.parameters, e.args, strict=True)})
        return clause if holds else denied(clause)
    name = em(spaced(e.function))
    args = listed(words.value(a) for a in e.args)
    verb = "holds" if holds else "does not hold"
    return f"{name} {verb}" + (f" for {args}" if args else "")


def denied(clause: str) -> str:
    """Return the negation of a clause by its first verb: `the row is not complete`."""
    if clause.startswith(("there is a ", "there is an ")):
        return "there is no " + clause.split(" ", 3)[3]
    if m := _VERBS.search(clause):
        verb = m[0]
        no = {"has": "has not", "have": "have not", "lies": "does not lie", "lie": "do not lie"}.get(
            verb, f"{verb} not"
        )
        return clause[: m.start()] + no + clause[m.end() :]
    return f"it is not so that {clause}"
