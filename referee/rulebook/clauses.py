"""Conditions as clauses, affirmed or negated."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from referee.rulebook.book import em
from referee.rulebook.grammar import article
from referee.rulebook.nouns import spaced
from referee.rulebook.phrases import Clause, Noun, name, said_of
from referee.rulebook.says import is_clause
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
_LONG = 40  # characters of a part that a comma sets apart


def condition(words: ExpressionWords, e: syntax.Expr, holds: bool = True) -> Clause:
    """Return a clause that is true if the condition holds, or if it does not."""
    match e:
        case syntax.Literal():
            return Clause("in any case" if bool(e.value) == holds else "never")
        case syntax.Negation():
            return words.condition(e.of, not holds)
        case syntax.Logic():
            op = e.op if holds else {"and": "or", "or": "and"}[e.op]
            return Clause(_joined(words, e, op, holds), is_compound=True)
        case syntax.Compare():
            return _compare(words, e.op if holds else _OPPOSITE[e.op], e.left, e.right)
        case syntax.In():
            return _within(words, e, holds)
        case syntax.Conditional():
            then, test, other = words.condition(e.then, holds), words.condition(e.test), words.condition(e.other, holds)
            return Clause(f"{then.enclosed} if {test.enclosed}, otherwise {other.enclosed}", is_compound=True)
        case syntax.Let():
            local = words.told_apart(e.name, e.name)
            inner = replace(words, scope={**words.scope, e.name: name(local)})
            text = f"{inner.condition(e.body, holds)}, where {em(local)} is {words.value(e.value)}"
            return Clause(text, is_compound=True)
        case syntax.Aggregate():
            return Clause(_some_or_all(words, e, holds), is_compound=True)
        case syntax.BuiltinCall(name="empty"):
            return _empty(words, e.args[0], holds)
        case syntax.FunctionCall():
            return _called(words, e, holds)
        case syntax.VariableRead() if clause := of_variable(words, e.variable, e.index, holds):
            return clause
        case _:
            return said_of(_stated(words, e), f"is {'yes' if holds else 'no'}")


def of_variable(
    words: ExpressionWords, variable: str, index: tuple[syntax.Expr, ...], holds: bool = True
) -> Clause | None:
    """Return the clause that a variable stands for, if the author's words for it are one: `{player} has passed`."""
    says = words.model.view.says.get(variable, "")
    if not is_clause(says):
        return None
    return words.said(says, words.holes(variable, index), holds)


def _stated(words: ExpressionWords, e: syntax.Expr) -> Noun:
    match e:
        case syntax.VariableRead() | syntax.TableRead() | syntax.Local():
            return words.value(e)
        case _:
            return Noun("it")


def _empty(words: ExpressionWords, e: syntax.Expr, holds: bool) -> Clause:
    place = words.value(e)
    if place.is_of_all and not holds:
        return Clause(f"not {place} {'are' if place.is_many else 'is'} empty")
    if place.is_many and not place.is_of_all:
        return Clause(f"{'nothing' if holds else 'something'} lies {words.at(e, place)}")
    return said_of(place, f"{'are' if place.is_many else 'is'} {'' if holds else 'not '}empty")


def _joined(words: ExpressionWords, e: syntax.Logic, op: str, holds: bool) -> str:
    parts = [_beside(words, side, op, holds) for side in (e.left, e.right)]
    comma = "," if any(len(p) > _LONG for p in parts) else ""
    return f"{parts[0]}{comma} {op} {parts[1]}"


def _beside(words: ExpressionWords, e: syntax.Expr, op: str, holds: bool) -> str:
    """Return a part of a chain of `and` or `or`; one that would be read otherwise there is in brackets."""
    if isinstance(e, syntax.Negation):
        return _beside(words, e.of, op, not holds)
    clause = words.condition(e, holds)
    return clause.words if isinstance(e, syntax.Logic) and (e.op == op) == holds else clause.enclosed


def _compare(words: ExpressionWords, op: str, left: syntax.Expr, right: syntax.Expr) -> Clause:
    number = right.value if isinstance(right, syntax.Literal) and isinstance(right.value, int) else None
    if isinstance(left, syntax.BuiltinCall) and left.name == "free" and number == 0:
        if op in (">", "!="):
            return Clause(f"there is room {words.at(left.args[0], words.place(left.args[0]).some())}")
        if op in ("=", "<="):
            place = words.value(left.args[0])
            return said_of(place, f"{'are' if place.is_many else 'is'} full")
    if isinstance(left, syntax.BuiltinCall) and left.name == "count":
        return Clause(_there_are(words, op, left, right, number))
    if isinstance(left.type, syntax.YesNo):
        first, second = words.condition(left).enclosed, words.condition(right).enclosed
        text = f"{first} and {second}, or neither" if op == "=" else f"either {first} or {second}, not both"
        return Clause(text, is_compound=True)
    if number == syntax.NONE:
        what = words.value(left)
        if isinstance(left, syntax.VariableRead | syntax.TableRead):
            none = words.nouns.value(syntax.NONE, left.type)
            return said_of(what, f"{'are' if what.is_many else 'is'} {'' if op == '=' else 'not '}{none}")
        if what.is_owned or not (isinstance(left, syntax.Local) or what.determiner == "the"):
            return said_of(what, "does not exist" if op == "=" else "exists")
        if op != "=" and not what.determiner:
            return said_of(what, "is not none")  # a name alone
        return Clause(f"there is no {what.words}" if op == "=" else f"there is {what.indefinite}")
    if op in ("=", "!=") and isinstance(right, syntax.Local) and not isinstance(left, syntax.Local):
        left, right = right, left  # the local name first
    subject, against = _term(words, left, right.type), _term(words, right, left.type)
    if subject.is_you:
        return said_of(subject, f"are {'not ' if op == '!=' else ''}{against}")
    compared = _COMPARED[op]
    return said_of(subject, f"{f'are{compared[2:]}' if subject.is_many else compared} {against}")


def _term(words: ExpressionWords, e: syntax.Expr, beside: syntax.Type) -> Noun:
    """Return a side of a comparison with something of a type; one with `if` or `where` is in brackets."""
    tight = 1 if isinstance(e, syntax.Conditional | syntax.Let) else 0
    return words.value(words.as_wanted(e, beside), tight)


def _there_are(
    words: ExpressionWords, op: str, left: syntax.BuiltinCall, right: syntax.Expr, number: int | None
) -> str:
    place = words.place(left.args[0])
    where = words.at(left.args[0], place.as_one)
    what = words.what(left.args)
    match (op, number):
        case ("=" | "<=", 0) | ("<", 1):
            return f"there are no {what} {words.at(left.args[0], place.some(holds=False))}"
        case (">" | "!=", 0) | (">=", 1):
            return f"there is at least one of the {what} {words.at(left.args[0], place.some())}"
        case ("=", 1):
            return f"there is exactly one of the {what} {where}"
        case ("<=", 1) | ("<", 2):
            return f"there is at most one of the {what} {where}"
        case (">", 1):
            return f"there are at least 2 {what} {where}"
        case _:
            pass
    amount = words.value(right)
    if op == "!=" or not amount.is_brief:
        return f"the number of {what} {where} {_COMPARED[op]} {amount}"
    return f"there are {_AMOUNTS[op].format(amount)} {what} {where}"


def _within(words: ExpressionWords, e: syntax.In, holds: bool) -> Clause:
    no = "" if holds else "not "
    item, domain = words.value(e.item), e.domain
    be = "are" if item.is_you else "is"
    places = domain.type if not isinstance(domain.type, syntax.ListOf) else domain.type.item
    if isinstance(places, syntax.PlaceOf) and not isinstance(e.item.type, syntax.PlaceOf):
        where = words.at(domain, words.place(domain).some(holds))
        if isinstance(e.item, syntax.Literal):
            return Clause(f"there is {item.indefinite if holds else f'no {item.words}'} {where}")
        return said_of(item, f"{'lies' if holds else 'does not lie'} {where}")
    if isinstance(places, syntax.Several):
        return said_of(item, f"{be} {no}among {words.value(domain)}")
    if isinstance(domain, syntax.Items):
        items = [
            article(words.nouns.of_type(i.type.item))
            if isinstance(i.type, syntax.ListOf)
            else words.value(words.as_wanted(i, e.item.type))
            for i in domain.items
        ]
        return said_of(item, f"{be} {listed(items, 'or')}" if holds else f"{be} neither {listed(items, 'nor')}")
    if isinstance(domain, syntax.Literal) and words.is_whole_set(domain) and isinstance(domain.type, syntax.ListOf):
        return said_of(item, f"{be} {no}{article(words.nouns.of_type(domain.type.item))}")
    return said_of(item, f"{be} {no}one of {words.value(domain).as_source}")


def _some_or_all(words: ExpressionWords, e: syntax.Aggregate, holds: bool) -> str:
    bindings, inner = words.bindings(e)
    whom = "whom" if bindings[-1][0].is_person else "which"
    where = f", of those for {whom} {inner.condition(e.where)}," if e.where is not None else ""
    if e.stop is not None:
        where += f", as long as {inner.condition(e.stop)},"
    some = listed(f"one {noun} {source}".strip() for noun, source in bindings)
    every = listed(f"every {noun} {source}".strip() for noun, source in bindings)
    if (e.op == "any") == holds:
        return f"for at least {some}{where} {inner.condition(e.body, holds)}"
    return f"for {every}{where} {inner.condition(e.body, holds)}"


def _called(words: ExpressionWords, e: syntax.FunctionCall, holds: bool) -> Clause:
    function = words.model.functions[e.function]
    given = words.arguments(function.parameters, e.args)
    if says := words.model.view.says.get(e.function):
        return words.said(says, {p.name: a for p, a in zip(function.parameters, given, strict=True)}, holds)
    args = listed(words.value(a) for a in given)
    verb = "holds" if holds else "does not hold"
    return Clause(f"{em(spaced(e.function))} {verb}" + (f" for {args}" if args else ""))
