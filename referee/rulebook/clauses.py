"""Conditions as clauses, affirmed or negated."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.rulebook.book import em
from referee.rulebook.grammar import article, is_plural
from referee.rulebook.nouns import bare, spaced
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
_OF_SEVERAL = re.compile(r"(all|every|each|both|either|no|none|neither|nobody|nothing|some|any|at least|at most)\b")
_VERBS = re.compile(r"\b(is|are|has|have|can|may|must|lies|lie)\b")
_DENIED = {
    "has": "does not have",
    "have": "do not have",
    "can": "cannot",
    "lies": "does not lie",
    "lie": "do not lie",
}
_PARTICIPLE = re.compile(r" (\w+ed|been|done|drawn|given|had|left|lost|put|shown|taken|won)\b")


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
            then, other = enclosed(words, e.then, holds), enclosed(words, e.other, holds)
            return f"{then} if {enclosed(words, e.test)}, otherwise {other}"
        case syntax.Let():
            inner = replace(words, scope={**words.scope, e.name: em(e.name)})
            return f"{inner.condition(e.body, holds)}, where {em(e.name)} is {words.value(e.value)}"
        case syntax.Aggregate():
            return _some_or_all(words, e, holds)
        case syntax.BuiltinCall(name="empty"):
            place = words.value(e.args[0])
            if place.startswith("every ") and not holds:
                return f"not {place} is empty"
            if place.startswith("all "):
                return f"{'' if holds else 'not '}{place} are empty"
            if is_plural(place.split(" at ")[0]):
                return f"{'nothing' if holds else 'something'} lies {words.on(e.args[0])}"
            return f"{place} is {'' if holds else 'not '}empty"
        case syntax.FunctionCall():
            return _called(words, e, holds)
        case syntax.VariableRead() if clause := of_variable(words, e.variable, e.index):
            return clause if holds else denied(clause)
        case _:
            return f"{_stated(words, e)} is {'yes' if holds else 'no'}"


def of_variable(words: ExpressionWords, variable: str, index: tuple[syntax.Expr, ...]) -> str:
    """Return the clause that a variable stands for, if the author's words for it are one: `{player} has passed`."""
    says = words.model.view.says.get(variable, "")
    return words.read(variable, index) if _VERBS.search(says) else ""


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
    parts = [_beside(words, side, op, holds) for side in (e.left, e.right)]
    comma = "," if any(len(p) > 40 for p in parts) else ""
    return f"{parts[0]}{comma} {op} {parts[1]}"


def _beside(words: ExpressionWords, e: syntax.Expr, op: str, holds: bool) -> str:
    """Return a part of a chain of `and` or `or`; one that would be read otherwise there is in brackets."""
    if isinstance(e, syntax.Negation):
        return _beside(words, e.of, op, not holds)
    if isinstance(e, syntax.Logic) and (e.op == op) == holds:
        return words.condition(e, holds)
    return enclosed(words, e, holds)


def enclosed(words: ExpressionWords, e: syntax.Expr, holds: bool = True) -> str:
    """Return a clause that can be part of another: with brackets if it has `and`, `or`, `if`, `where` or a loop in it."""
    if isinstance(e, syntax.Negation):
        return enclosed(words, e.of, not holds)
    text = words.condition(e, holds)
    both = isinstance(e, syntax.Compare) and isinstance(e.left.type, syntax.YesNo)
    return (
        f"({text})"
        if both or isinstance(e, syntax.Logic | syntax.Conditional | syntax.Let | syntax.Aggregate)
        else text
    )


def _compare(words: ExpressionWords, op: str, left: syntax.Expr, right: syntax.Expr) -> str:
    number = right.value if isinstance(right, syntax.Literal) and isinstance(right.value, int) else None
    if isinstance(left, syntax.BuiltinCall) and left.name == "free" and number == 0:
        if op in (">", "!="):
            return f"there is room {words.on(left.args[0])}"
        if op in ("=", "<="):
            return f"{words.value(left.args[0])} {'are' if is_plural(words.value(left.args[0])) else 'is'} full"
    if isinstance(left, syntax.BuiltinCall) and left.name == "count":
        return _there_are(words, op, left, right, number)
    if isinstance(left.type, syntax.YesNo):
        one, other = enclosed(words, left), enclosed(words, right)
        return f"{one} and {other}, or neither" if op == "=" else f"either {one} or {other}, not both"
    if number == syntax.NONE:
        what = words.value(left)
        if isinstance(left, syntax.VariableRead | syntax.TableRead):
            return f"{what} is {'' if op == '=' else 'not '}{words.nouns.value(syntax.NONE, left.type)}"
        if not (isinstance(left, syntax.Local) or what.startswith("the ")):
            return f"{what} {'does not exist' if op == '=' else 'exists'}"
        return f"there is no {bare(what)}" if op == "=" else f"there is {article(bare(what))}"
    if op in ("=", "!=") and isinstance(right, syntax.Local) and not isinstance(left, syntax.Local):
        left, right = right, left  # the local name first
    if words.value(left) == "you":
        return f"you are {'not ' if op == '!=' else ''}{_term(words, right)}"
    return f"{_term(words, left)} {_COMPARED[op]} {_term(words, right)}"


def _term(words: ExpressionWords, e: syntax.Expr) -> str:
    """Return a side of a comparison; one with `if` or `where` is in brackets."""
    return words.value(e, 1 if isinstance(e, syntax.Conditional | syntax.Let) else 0)


def _there_are(
    words: ExpressionWords, op: str, left: syntax.BuiltinCall, right: syntax.Expr, number: int | None
) -> str:
    where = words.on(left.args[0])
    what = words.what(left.args)
    match (op, number):
        case ("=" | "<=", 0) | ("<", 1):
            return f"there are no {what} {where}"
        case (">" | "!=", 0) | (">=", 1):
            return f"there is at least one of the {what} {where}"
        case ("=", 1):
            return f"there is exactly one of the {what} {where}"
        case ("<=", 1) | ("<", 2):
            return f"there is at most one of the {what} {where}"
        case (">", 1):
            return f"there are at least 2 {what} {where}"
        case _:
            pass
    if op == "!=" or " " in words.value(right):
        return f"the number of {what} {where} {_COMPARED[op]} {words.value(right)}"
    return f"there are {_AMOUNTS[op].format(words.value(right))} {what} {where}"


def _within(words: ExpressionWords, e: syntax.In, holds: bool) -> str:
    no = "" if holds else "not "
    domain = e.domain
    places = domain.type if not isinstance(domain.type, syntax.ListOf) else domain.type.item
    if isinstance(places, syntax.PlaceOf):
        where = words.on(domain)
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
    if _OF_SEVERAL.match(clause):  # `all rows are not full` would be another thing
        return f"it is not so that {clause}"
    if m := _VERBS.search(clause):
        verb = m[0]
        helps = verb in ("has", "have") and _PARTICIPLE.match(clause, m.end())
        no = f"{verb} not" if helps else _DENIED.get(verb, f"{verb} not")
        return clause[: m.start()] + no + clause[m.end() :]
    return f"it is not so that {clause}"
