"""Steps in words: each a sentence, those with steps inside a sentence and a list."""

from __future__ import annotations

from dataclasses import replace

from referee.rulebook import clauses
from referee.rulebook.book import BookItem, capital, em, otherwise
from referee.rulebook.expressions import ExpressionWords
from referee.rulebook.grammar import plural
from referee.rulebook.nouns import family_of, is_many, spaced
from referee.rulebook.phrases import Noun, figure, name
from rulespec import listed, syntax


def title_of(words: ExpressionWords, steps: str) -> str:
    """Return the title of a list of named steps."""
    return words.model.view.titles.get(steps) or capital(spaced(steps))


def step_items(words: ExpressionWords, steps: tuple[syntax.Step, ...]) -> tuple[BookItem, ...]:
    """Yield the steps one after another; the names that one introduces are known to the rest."""
    found: list[BookItem] = []
    for step in steps:
        match step:
            case syntax.MarkStep():
                continue
            case syntax.LetStep():
                found.append(
                    BookItem(f"Let {em(words.told_apart(step.name, spaced(step.name)))} be {words.value(step.value)}.")
                )
                words = _with_name(words, step.name)
            case syntax.RollStep():
                found.append(_roll(words, step))
                words = _with_name(words, step.name)
            case _:
                found += _items(words, step)
    return tuple(found)


def _with_name(words: ExpressionWords, local: str) -> ExpressionWords:
    return replace(words, scope={**words.scope, local: name(words.told_apart(local, spaced(local)))})


def _items(words: ExpressionWords, step: syntax.Step) -> list[BookItem]:
    match step:
        case syntax.MoveStep():
            return [BookItem(_move(words, step.amount, step.source, step.goals, "Move"))]
        case syntax.DrawStep():
            return [BookItem(_draw(words, step))]
        case syntax.SetStep():
            return [BookItem(_assign(words, step))]
        case syntax.ScoreStep():
            return [_score(words, step)]
        case syntax.DoStep():
            return [BookItem(_do(words, step))]
        case syntax.IfStep():
            return _if(words, step)
        case syntax.WhileStep():
            return [BookItem(f"As long as {words.condition(step.test)}, repeat:", items=step_items(words, step.body))]
        case syntax.ForStep():
            each = _for(words, step)
            return [each] if each.items else []
        case syntax.AskStep():
            return [_ask(words, step)]
        case syntax.RememberStep():
            things, many = words.whole(step.names)
            return [BookItem(f"Remember how {things} {'are' if many else 'is'} now.")]
        case syntax.ShowStep():
            return [BookItem(_show(words, step))]
        case syntax.AgainStep():
            return [BookItem("The move ends here, and you choose again.")]
    return []


def _if(words: ExpressionWords, step: syntax.IfStep) -> list[BookItem]:
    """Return what happens under a condition, and otherwise; what is only announced is no rule."""
    then, other = step_items(words, step.then), step_items(words, step.other)
    if not then:
        return [BookItem(f"If {words.condition(step.test, False)}:", items=other)] if other else []
    found = [BookItem(f"If {words.condition(step.test)}:", items=then)]
    return [*found, otherwise(found[0], other)] if other else found


def _roll(words: ExpressionWords, step: syntax.RollStep) -> BookItem:
    domain = words.value(step.domain)
    if words.is_whole_set(step.domain):
        domain = domain.definite
    text = f"Chance picks {em(words.told_apart(step.name, spaced(step.name)))} from {domain}"
    if step.weight is None:
        return BookItem(f"{text}, each as likely as any other.")
    inner = _with_name(words, step.name)
    return BookItem(f"{text}; how likely each is: {inner.value(step.weight)}.")


def _pieces(words: ExpressionWords, amount: syntax.Amount, source: syntax.Expr) -> tuple[str, str]:
    """Return the pieces that move, and how many if that needs its own sentence."""
    family = family_of(source)
    all_pieces = words.nouns.pieces_on(family) if family else Noun("pieces")
    short = all_pieces if not all_pieces.is_list else Noun("pieces")
    kinds = words.kinds(amount.kinds, all_pieces) if amount.kinds is not None else short
    named = amount.kinds is not None and not isinstance(amount.kinds, syntax.Literal)  # by a computed value
    number = words.value(amount.number) if amount.number is not None else figure(1)
    match amount.how:
        case "all":
            return (f"all of {words.value(amount.kinds)}" if named and amount.kinds is not None else f"all {kinds}"), ""
        case "chosen":
            chosen = amount.kinds if amount.kinds is not None else amount.number
            return (str(words.value(chosen)) if chosen is not None else "the chosen pieces"), ""
        case "top":
            if number.figure == 1:
                return f"the top {words.nouns.piece_on(family)}", ""
            return f"the top {short}", f", at most {number}"
        case how:
            most = "up to " if how == "up_to" else ""
            if number.figure == 1 and amount.kinds is not None:
                if isinstance(amount.kinds, syntax.Literal) and isinstance(amount.kinds.value, int):
                    kind = words.nouns.kind(amount.kinds.value)
                    if amount.kinds.value in words.model.pair_parts:  # a name, not a noun
                        return f"{most}one {words.nouns.piece_on(family)} ({kind})", ""
                    return f"{most}one {kind}", ""
                which, piece = words.value(amount.kinds), _piece(words, amount.kinds, family)
                if isinstance(amount.kinds.type, syntax.ListOf):
                    any_of = "any of " if which.is_of_all else ""
                    return f"{most}one {piece} of {any_of}{which.as_source}", ""
                if which.is_the(piece) and not most:
                    return str(which), ""
                return f"{most}one {piece} ({which})", ""
            if number.figure == 1:
                return f"{most}one {words.nouns.piece_on(family)}", ""
            if not number.is_brief:
                return (str(kinds), f", at most {number}") if most else (f"as many {kinds} as {number}", "")
            return f"{most}{number} {kinds}", ""


def _piece(words: ExpressionWords, kinds: syntax.Expr, family: str) -> str:
    """Return what a piece is called of which the kind is chosen or computed."""
    t = kinds.type.item if isinstance(kinds.type, syntax.ListOf) else kinds.type
    home = t.home if isinstance(t, syntax.Values) else ""
    return words.nouns.piece_of(home, family) if home in words.model.sets else words.nouns.piece_on(family)


def _goals(words: ExpressionWords, goals: tuple[syntax.Goal, ...]) -> str:
    first = f"{'under' if goals[0].under else 'to'} {words.place(goals[0].place)}"
    rest = [f"{'under' if g.under else 'to'} {words.place(g.place)}" for g in goals[1:]]
    return first + (f"; what does not fit goes {', then '.join(rest)}" if rest else "")


def _move(
    words: ExpressionWords, amount: syntax.Amount, source: syntax.Expr, goals: tuple[syntax.Goal, ...], verb: str
) -> str:
    pieces, number = _pieces(words, amount, source)
    return f"{verb} {pieces} from {words.place(source)} {_goals(words, goals)}{number}."


def _draw(words: ExpressionWords, step: syntax.DrawStep) -> str:
    return _move(words, step.amount, step.source, step.goals, "Draw at random")


def _assign(words: ExpressionWords, step: syntax.SetStep) -> str:
    variable = words.model.variables[step.variable]
    target = _target(words, step)
    many = is_many(words.model, step.variable)
    become, go, be = ("become", "go", "are") if many else ("becomes", "goes", "is")
    if not step.add:
        if not isinstance(variable.type, syntax.Values):
            if isinstance(step.value, syntax.Literal):
                if clause := clauses.of_variable(words, step.variable, step.index, bool(step.value.value)):
                    return f"From now on, {clause}."
                return f"{target} {become} {'yes' if step.value.value else 'no'}."
            return f"{target} {become} yes if {words.condition(step.value)}, otherwise no."
        value = step.value
        if (
            isinstance(value, syntax.BuiltinCall)
            and value.name in ("next", "previous")
            and _is_same(value.args[0], step)
        ):
            noun = words.nouns.of_type(value.type)
            return f"{target} passes to the {'next' if value.name == 'next' else 'previous'} {noun}."
        if isinstance(value, syntax.Arithmetic) and value.op in ("+", "-") and _is_same(value.left, step):
            return f"{target} {go} {'up' if value.op == '+' else 'down'} by {words.value(value.right)}."
        now = words.value(words.as_wanted(step.value, variable.type))
        return f"{target} {be} now you." if now.is_you else f"{target} {become} {now}."
    value = step.value
    if (
        isinstance(value, syntax.Arithmetic)
        and value.op == "-"
        and isinstance(value.left, syntax.Literal)
        and not value.left.value
    ):
        return f"{target} {go} down by {words.value(value.right)}."
    return f"{target} {go} up by {words.value(value)}."


def _is_same(e: syntax.Expr, step: syntax.SetStep) -> bool:
    return isinstance(e, syntax.VariableRead) and e.variable == step.variable and e.index == step.index


def _target(words: ExpressionWords, step: syntax.SetStep) -> str:
    """Return the variable that is set, by its own name."""
    model = words.model
    says = {k: v for k, v in model.view.says.items() if k != step.variable}
    plain = replace(words, model=replace(model, view=replace(model.view, says=says)))
    return capital(
        str(plain.value(syntax.VariableRead(model.variables[step.variable].type, step.variable, step.index)))
    )


def _score(words: ExpressionWords, step: syntax.ScoreStep) -> BookItem:
    who = words.player(step.player)
    verb = "score" if who.is_you else "scores"
    rules = [
        em(spaced(rule)) + (f" for {listed(words.value(a) for a in args)}" if args else "") for rule, args in step.rules
    ]
    together = " (as one sum)" if len(rules) > 1 else ""
    return BookItem(f"{capital(str(who))} {verb} {listed(rules)}{together}.")


def _show(words: ExpressionWords, step: syntax.ShowStep) -> str:
    shown = _shown(words, step.place)
    if step.to is None:
        return f"Everybody looks at {shown}."
    who = words.player(step.to)
    many = who.is_you or isinstance(step.to.type, syntax.ListOf)
    return f"{capital(str(who))} {'look' if many else 'looks'} at {shown}."


def _shown(words: ExpressionWords, e: syntax.Expr) -> str:
    """Return what is shown: a place, a variable, or all of a variable that have the same first indexes."""
    if not isinstance(e, syntax.VariableRead):
        return str(words.place(e))
    if not isinstance(e.type, syntax.ListOf):
        return str(words.value(e))
    left = words.model.variables[e.variable].index[len(e.index) :]
    of = f" of {listed(str(words.value(i)) for i in e.index)}" if e.index else ""
    return f"every {f'{words.nouns.player}’s ' if 'player' in left else ''}{spaced(e.variable)}{of}"


def _do(words: ExpressionWords, step: syntax.DoStep) -> str:
    parameters = words.model.procedures[step.name].parameters
    args = [_argument(words, p, a) for p, a in zip(parameters, step.args, strict=True)]
    return f"Carry out {em(title_of(words, step.name))}" + (f" for {listed(args)}" if args else "") + "."


def _argument(words: ExpressionWords, parameter: syntax.Parameter, arg: syntax.Expr) -> str:
    noun = words.value(words.as_wanted(arg, parameter.type))
    is_plain = parameter.set in words.model.sets or isinstance(arg, syntax.Local)
    return str(noun) if is_plain else f"{em(parameter.name)} = {noun}"


def _for(words: ExpressionWords, step: syntax.ForStep) -> BookItem:
    noun, inner = words.bound(step.name, step.domain)
    which = "whom" if noun.is_person else "which"
    where = f" for {which} {inner.condition(step.where)}" if step.where is not None else ""
    domain = step.domain
    if isinstance(domain, syntax.BuiltinCall) and domain.name == "clockwise":
        source = f", clockwise from {words.value(domain.args[0])}"
        return BookItem(f"For each {noun}{where}{source}:", items=step_items(inner, step.body))
    source = words.domain(domain)
    if isinstance(domain, syntax.Range):
        return BookItem(f"For each {noun} {source}{where}:", items=step_items(inner, step.body))
    text = f"For each {noun}{' ' + source if source else ''}{where}, in order:"
    return BookItem(text, items=step_items(inner, step.body))


def _ask(words: ExpressionWords, step: syntax.AskStep) -> BookItem:
    moves = [em(spaced(move)) for move, _ in step.moves]
    args = next((a for _, a in step.moves if a), ())
    given = f" (with {listed(words.value(a) for a in args)})" if args else ""
    which = f"the move {moves[0]}" if len(moves) == 1 else f"one of the moves {listed(moves, 'or')}"
    if step.several:
        who, order = _asked(words, step.player)
        text = f"{capital(who)} choose secretly at the same time: each makes {which}{given}. When all have chosen, their moves are done {order}."
        none = "If none is legal for one of them, or there is nobody to choose"
    else:
        one = words.player(step.player)
        text = f"{capital(str(one))} {'make' if one.is_you else 'makes'} {which}{given}."
        none = "If none is legal"
    if step.forced:
        text += " If only one way is legal, it is done without asking."
    if step.otherwise is None:
        return BookItem(text)
    if not step.otherwise:
        return BookItem(f"{text} {none}, nothing happens.")
    return BookItem(f"{text} {none}:", items=step_items(words, step.otherwise))


def _asked(words: ExpressionWords, players: syntax.Expr) -> tuple[str, str]:
    """Return the players of an ask, and the order in which what they choose is done."""
    everybody = f"all {plural(words.nouns.player)}"
    match players:
        case syntax.Literal(value=tuple(values)) if len(values) == words.model.players:
            return everybody, "one after the other"
        case syntax.BuiltinCall(name="clockwise"):
            return everybody, f"clockwise from {words.value(players.args[0])}"
    return str(words.value(players)), "in that order"
