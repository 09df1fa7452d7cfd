"""The forms of the language that a file uses, read off its checked model: forms, and forms directly inside forms."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import syntax
from rulespec.expr.builtins import AGGREGATES, BUILTINS
from rulespec.expr.static import is_static
from rulespec.syntax import (
    AgainStep,
    AskStep,
    DoStep,
    DrawStep,
    Expr,
    ForStep,
    IfStep,
    LetStep,
    ListOf,
    Model,
    MoveStep,
    PlaceOf,
    RememberStep,
    RollStep,
    ScoreStep,
    SetStep,
    Several,
    ShowStep,
    Step,
    TellStep,
    Type,
    Values,
    Variable,
    WhileStep,
    YesNo,
    all_expressions,
    all_steps,
    bodies,
    children,
)

NAMES: dict[type, str] = {
    syntax.Negation: "not",
    syntax.Conditional: "if",
    syntax.ConnectedGroup: "group",
    syntax.FunctionCall: "call",
}


def form(e: Expr) -> str:
    """Return the form of an expression: its kind of node, and which operator, built-in or gathering it is."""
    name = NAMES.get(type(e), type(e).__name__.lower())
    match e:
        case syntax.BuiltinCall():
            return e.name
        case syntax.Aggregate():
            return f"{e.op} for"
        case syntax.Logic() | syntax.Arithmetic() | syntax.Compare():
            return f"{name} {e.op}"
        case syntax.Literal():
            return f"const {type_name(e.type)}"
        case syntax.Local():
            return f"local {type_name(e.type)}"
    return name


def type_name(t: Type) -> str:
    match t:
        case Values():
            return "none" if t.never or (t.none and t.lo is None and not t.members) else "value"
        case YesNo():
            return "condition"
        case PlaceOf():
            return "place"
        case ListOf():
            return "places" if isinstance(t.item, PlaceOf) else "list"
        case Several():
            return "chosen"
    return "unknown"


OPERATORS = {"logic": ("and", "or"), "arithmetic": ("+", "-", "*", "/", "mod"), "compare": ("=", "!=", "<", "<=", ">", ">=")}  # fmt: skip
PLAIN = ("not", "if", "let", "in", "default", "range", "items", "tableread", "variableread", "part", "placepart", "itemat", "codedplace", "placeat", "places", "group", "call")  # fmt: skip

# every form of an expression
WHOLE = frozenset({"repeats"})  # built-ins that are given names, and no expressions
EXPRESSIONS = frozenset(
    [
        *(f"{name} {op}" for name, ops in OPERATORS.items() for op in ops),
        *PLAIN,
        *(BUILTINS.keys() - WHOLE),
        *(f"{op} for" for op in AGGREGATES),
        *(f"const {t}" for t in ("value", "none", "condition", "list", "place")),
        *(f"local {t}" for t in ("value", "condition", "place", "chosen", "list", "places")),
    ]
)

SHAPES = ("pile", "stack", "cell")
AMOUNTS = ("all", "all of", "some of", "some", "up_to of", "up_to", "top", "top n", "chosen")

# every other form: steps, places, variables, tables, choices, with what they may say
OTHERS = frozenset(
    [
        "placecode",  # made by the checker where a place is chosen or stored
        *(f"place {shape}" for shape in SHAPES),
        *(f"place {shape} with index" for shape in SHAPES),
        "place cell with ways",
        "place pile with room",
        "place seen by owner",
        "place seen by nobody",
        "place shows",
        *(f"move {amount}" for amount in AMOUNTS),
        *(f"move from {shape}" for shape in SHAPES),
        *(f"move to {shape}" for shape in SHAPES),
        "move from a list",
        "move to a list",
        "move to under",
        "move to a second goal",
        *(f"draw {amount}" for amount in ("some", "some of", "up_to", "up_to of")),
        "roll",
        "roll weighted",
        "set",
        "set with index",
        "add",
        "let",
        "score",
        "score several",
        "do",
        "do with arguments",
        "if",
        "if else",
        "while",
        "for each",
        "for each where",
        "ask",
        "ask several",
        "ask with arguments",
        "ask forced",
        "ask otherwise",
        "ask inside a move",
        "ask again",
        "ask of several players",
        "ask of players who are known only in play",
        "remember",
        *WHOLE,
        "tell",
        "show",
        "show to several",
        "show to everyone",
        "show variable",
        "show variables",
        "aggregate where",
        "aggregate while",
        "aggregate of two",
        *(f"loop over {t}" for t in ("list", "places", "place", "chosen")),
        *(f"variable {t}" for t in ("number", "member", "number or none", "member or none", "condition")),
        "variable with index",
        "variable never below",
        "variable never above",
        "variable seen by owner",
        "variable seen by nobody",
        "variable of a set with gaps",
        "table of numbers",
        "table of members",
        "table with none",
        "table of lists",
        "table of one value",
        "table with two indexes",
        "set of pairs",
        "set of numbers and members",
        *(f"definition of {t}" for t in ("value", "condition", "place")),
        "definition with parameters",
        "move without choices",
        "move with several choices",
        "move with conditions",
        "move that is tried",
        "move that is tried up to an ask",
        "move given something",
        "choose from a list",
        "choose from a place",
        "choose or none",
        "choose a place or none",
        "choose several",
        "choose several of some kinds",
        "choose exactly several",
        "options",
        "winner by number",
        "winner by condition",
        "winner by several lines",
    ]
)

FORMS = EXPRESSIONS | OTHERS


def pairs(model: Model) -> Iterator[tuple[str, str]]:
    """Yield each form of an expression directly inside another."""
    waiting = [e for e, _ in all_expressions(model)]
    while waiting:
        e = waiting.pop()
        for inner in children(e):
            yield form(e), form(inner)
            waiting.append(inner)


def forms(model: Model) -> Iterator[str]:
    """Yield everything of the language that the model uses, as `FORMS` calls it."""
    waiting = [e for e, _ in all_expressions(model)]
    while waiting:
        e = waiting.pop()
        yield form(e)
        if isinstance(e, syntax.Aggregate):
            yield from (name for name, used in _aggregate(e) if used)
            yield from (f"loop over {type_name(domain.type)}" for _, domain in e.bindings)
        waiting += children(e)
    inside_moves = {id(s) for move in model.moves.values() for s in all_steps(move.does)}
    for _, _, body in bodies(model):
        for step in all_steps(body):
            yield from _step(step, model)
            if isinstance(step, AskStep) and id(step) in inside_moves:
                yield "ask inside a move"
    yield from _declared(model)
    yield from _moves(model)


def _aggregate(e: syntax.Aggregate) -> tuple[tuple[str, bool], ...]:
    return (
        ("aggregate where", e.where is not None),
        ("aggregate while", e.stop is not None),
        ("aggregate of two", len(e.bindings) > 1),
    )


def _step(step: Step, model: Model) -> Iterator[str]:
    match step:
        case MoveStep() | DrawStep():
            word = "move" if isinstance(step, MoveStep) else "draw"
            yield f"{word} {step.amount.how}{' of' if step.amount.kinds is not None else ''}"
            if step.amount.how == "top" and step.amount.number is not None:
                yield "move top n"
            if isinstance(step, MoveStep):
                yield f"move from {_shape(step.source.type, model)}"
            if isinstance(step.source.type, ListOf):
                yield "move from a list"
            if len(step.goals) > 1:
                yield "move to a second goal"
            for goal in step.goals:
                yield f"move to {_shape(goal.place.type, model)}"
                if isinstance(goal.place.type, ListOf):
                    yield "move to a list"
                if goal.under:
                    yield "move to under"
        case RollStep():
            yield "roll weighted" if step.weight is not None else "roll"
        case SetStep():
            yield "add" if step.add else "set with index" if step.index else "set"
        case LetStep():
            yield "let"
        case ScoreStep():
            yield "score several" if len(step.rules) > 1 else "score"
        case DoStep():
            yield "do with arguments" if step.args else "do"
        case IfStep():
            yield "if else" if step.other else "if"
        case WhileStep():
            yield "while"
        case ForStep():
            yield "for each where" if step.where is not None else "for each"
            yield f"loop over {type_name(step.domain.type)}"
        case AgainStep():
            yield "ask again"
        case RememberStep():
            yield "remember"
        case TellStep():
            yield "tell"
        case ShowStep():
            several = step.to is not None and isinstance(step.to.type, ListOf)
            yield "show to everyone" if step.to is None else "show to several" if several else "show"
            if isinstance(step.place, syntax.VariableRead):
                yield "show variables" if isinstance(step.place.type, ListOf) else "show variable"
        case AskStep():
            yield "ask"
            for name, used in (
                ("ask several", len(step.moves) > 1),
                ("ask with arguments", any(args for _, args in step.moves)),
                ("ask forced", step.forced),
                ("ask otherwise", step.otherwise is not None),
                ("ask of several players", step.several),
                (
                    "ask of players who are known only in play",
                    step.several and not is_static(step.player, model.functions),
                ),
            ):
                if used:
                    yield name


def _shape(t: Type, model: Model) -> str:
    item = t.item if isinstance(t, ListOf) else t
    assert isinstance(item, PlaceOf)
    return model.places[item.family].shape


def _declared(model: Model) -> Iterator[str]:
    for place in model.places.values():
        yield f"place {place.shape}"
        for name, used in (
            (f"place {place.shape} with index", bool(place.index)),
            (f"place {place.shape} with ways", bool(place.ways)),
            ("place pile with room", place.shape == "pile" and min(place.rooms, default=0) >= 0),
            (f"place seen by {place.seen_by}", place.seen_by != "everyone"),
            ("place shows", place.shows is not None),
        ):
            if used:
                yield name
    for variable in model.variables.values():
        yield from _variable(variable, model)
    for table in model.tables.values():
        entries = [c for e in table.entries for c in (e if isinstance(e, tuple) else (e,))]
        names = {"none" if model.value_name(c) == "none" else "members" if c in model.member_names else "numbers" for c in entries}  # fmt: skip
        lists = any(isinstance(e, tuple) for e in table.entries)
        yield from (f"table with {n}" if n == "none" else f"table of {n}" for n in names)
        if lists or not table.index:
            yield "table of lists" if lists else "table of one value"
        if len(table.index) == 2:
            yield "table with two indexes"
    for s in model.sets.values():
        if s.parts:
            yield "set of pairs"
        if s.type.members and s.type.lo is not None:
            yield "set of numbers and members"
    for function in model.functions.values():
        yield f"definition of {type_name(function.body.type)}"
        if function.parameters:
            yield "definition with parameters"
    if model.choices:
        yield "options"
    for _, e in model.winner:
        yield "winner by condition" if isinstance(e.type, YesNo) else "winner by number"
    if len(model.winner) > 1:
        yield "winner by several lines"


def _variable(variable: Variable, model: Model) -> Iterator[str]:
    if isinstance(variable.type, Values):
        what = "number" if variable.type.lo is not None else "member"
        yield f"variable {what} or none" if variable.type.none else f"variable {what}"
        home = model.sets.get(variable.type.home)
        if home is not None and variable.type.is_number and len(home.values) <= (variable.type.hi or 0) - (variable.type.lo or 0):  # fmt: skip
            yield "variable of a set with gaps"
    else:
        yield "variable condition"
    if variable.index:
        yield "variable with index"
    if variable.never_below is not None:
        yield "variable never below"
    if variable.never_above is not None:
        yield "variable never above"
    if variable.seen_by != "everyone":
        yield f"variable seen by {variable.seen_by}"


def _moves(model: Model) -> Iterator[str]:
    for move in model.moves.values():
        for name, used in (
            ("move without choices", not move.choices),
            ("move with several choices", len(move.choices) > 1),
            ("move with conditions", bool(move.conditions)),
            ("move that is tried", move.looks_ahead),
            (
                "move that is tried up to an ask",
                move.looks_ahead and any(isinstance(s, AskStep | AgainStep) for s in all_steps(move.does)),
            ),
            ("move given something", bool(move.given)),
        ):
            if used:
                yield name
        for choice in move.choices:
            if choice.source is not None:
                yield "choose several" if choice.at_least != choice.at_most else "choose exactly several"
                if not isinstance(choice.domain.type, PlaceOf):
                    yield "choose several of some kinds"
            else:
                yield "choose from a place" if isinstance(choice.domain.type, PlaceOf) else "choose from a list"
                if isinstance(choice.type, Values) and choice.type.none:
                    places = {code for codes in model.place_codes.values() for code in codes}
                    yield "choose a place or none" if choice.type.members & places else "choose or none"
