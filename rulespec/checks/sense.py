"""Rules that are well formed but cannot be intended: steps that run themselves, loops that nothing ends, names that nothing
uses, conditions that always hold, pieces that fit nowhere, a view that shows secrets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet

from rulespec import syntax
from rulespec.checks.secrecy import ME, Secrecy
from rulespec.checks.work import (
    check_choices,
    check_drawing,
    check_effort,
    check_faces,
    check_kept,
    check_markers,
    check_size,
    check_spaces,
)
from rulespec.diagnostics.diagnostic import Diagnostic, Span
from rulespec.graph import components
from rulespec.model.builder import DEEPEST
from rulespec.model.step_reader import family_of
from rulespec.syntax import (
    Act,
    AgainStep,
    Aggregate,
    AskStep,
    Choice,
    DoStep,
    DrawStep,
    Expr,
    ForStep,
    FunctionCall,
    IfStep,
    LetStep,
    Model,
    MoveRule,
    MoveStep,
    RememberStep,
    Repeats,
    RollStep,
    ShowStep,
    Step,
    Values,
    VariableRead,
    WhileStep,
    all_expressions,
    all_steps,
    bodies,
    children,
    each_expression,
    free_names,
    inner_steps,
    of_step,
    of_template,
    remembered,
    scorings,
    told,
    view_expressions,
)

MOST_NESTED = 200  # operators, with those of the definitions that are used
MOST_STEPS_NESTED = 60  # blocks of steps, with those of the steps that are done
MOST_CHOSEN = 50  # choices of a move: each is a loop inside those before it
MOST_CONDITIONS = 200  # of a move: each is tested inside those before it

# Who runs whom --------------------------------------------------------------------------------------------------


def called(steps: tuple[Step, ...]) -> list[Act]:
    """Return the procedures and moves that steps run, in order."""
    found: list[Act] = []
    for step in all_steps(steps):
        if isinstance(step, DoStep):
            found.append(("steps", step.name))
        elif isinstance(step, AskStep):
            found += [("moves", name) for name, _ in step.moves]
    return found


def _calls(model: Model) -> dict[Act, list[Act]]:
    return {act: called(body) for act, _, body in bodies(model)}


def check_circles(model: Model) -> Iterator[Diagnostic]:
    """Check that no procedure or move runs itself: each has a single frame."""
    calls, spans = _calls(model), {act: span for act, span, _ in bodies(model)}
    for circle in components(calls):
        if len(circle) == 1 and circle[0] not in calls[circle[0]]:
            continue
        first = next(act for act in calls if act in circle)
        way = " → ".join(name for _, name in _way_round(first, calls, set(circle)))
        yield Diagnostic(spans[first], "step-cycle", f"`{first[1]}` runs itself: {way}",
                         "steps and moves may not call themselves, so that every game position has a fixed size",
                         "use `while`")  # fmt: skip


def _way_round(start: Act, calls: dict[Act, list[Act]], circle: set[Act]) -> list[Act]:
    """Return a shortest way from a procedure or move back to it, inside its circle."""
    ways = [[start]]
    seen: set[Act] = set()
    for way in ways:
        for act in calls[way[-1]]:
            if act == start:
                return [*way, act]
            if act in circle and act not in seen:
                seen.add(act)
                ways.append([*way, act])
    raise AssertionError(start)


def check_depth(model: Model) -> Iterator[Diagnostic]:
    """Check how deep definitions and steps use one another: each level is a level of the program too."""
    functions = {
        ("define", name): [("define", e.function) for e in each_expression([f.body]) if isinstance(e, FunctionCall)]
        for name, f in model.functions.items()
    }
    yield from _too_deep(functions, {("define", n): f.span for n, f in model.functions.items()}, "definitions")
    yield from _too_deep(_calls(model), {act: span for act, span, _ in bodies(model)}, "steps")


def _too_deep(uses: dict[Act, list[Act]], spans: dict[Act, Span], what: str) -> Iterator[Diagnostic]:
    depth: dict[Act, int] = {}
    for circle in components(uses):
        one = circle[0]
        depth[one] = 1 + max((depth.get(n, 0) for n in uses[one] if n != one), default=0)
        if depth[one] == DEEPEST + 1:
            message = f"`{one[1]}` depends on more than {DEEPEST} {what}, each using the next"
            yield Diagnostic(spans[one], "too-deep", message)


def check_loops(model: Model) -> Iterator[Diagnostic]:
    """Check that every `while` contains a decision: nothing else could stop it."""
    deciding = _deciding(model)
    for _, _, body in bodies(model):
        for step in all_steps(body):
            if isinstance(step, WhileStep) and not _decides(step.body, deciding):
                yield Diagnostic(step.span, "while-without-decision", "nobody decides anything in this `while`",
                                 "a loop without `ask`, `draw` or `roll` could run forever",
                                 "use `for each`, or let somebody decide in the loop")  # fmt: skip


def check_again(model: Model) -> Iterator[Diagnostic]:
    """Check that `ask again` ends a move, and that the move did something before: else it could be chosen forever."""
    for procedure in model.procedures.values():
        for step in all_steps(procedure.body):
            if isinstance(step, AgainStep):
                yield Diagnostic(step.span, "again-place", "`ask again` stands outside a move",
                                 "it puts the question that a move answered; steps that are not a move's know of none",
                                 "write it in the `does` of the move; to ask in a loop use `while`")  # fmt: skip
    for move in model.moves.values():
        found = [step for step in all_steps(move.does) if isinstance(step, AgainStep)]
        at_end = list(_at_end(move.does))
        for step in found:
            if step not in at_end:
                yield Diagnostic(step.span, "again-place", "`ask again` is not at the end here",
                                 "it ends the move: nothing after it in its list, and no other pass of a loop, is done",
                                 "put it last in its list, outside `for each` and `while`")  # fmt: skip
        if found and all(isinstance(step, AgainStep | IfStep | LetStep) for step in all_steps(move.does)):
            yield Diagnostic(found[0].span, "again-idle", f"`{move.name}` changes nothing and asks again",
                             "so it can be chosen again and again, and the game need not end",
                             "let it change something that one of its conditions looks at", (), "warning")  # fmt: skip


def check_several(model: Model) -> Iterator[Diagnostic]:
    """Check that an ask of several players has somebody to ask, and that nothing that follows from it asks again."""
    reported: set[Step] = set()
    for _, _, body in bodies(model):
        for step in all_steps(body):
            if not isinstance(step, AskStep) or not step.several:
                continue
            if step.otherwise is None and may_be_empty(step.player, model):
                yield Diagnostic(step.span, "ask-empty", "there may be nobody to ask here",
                                 "the list of players may be empty",
                                 "say what happens then under `otherwise:`; with `otherwise: []` play goes on")  # fmt: skip
            does = [again for name, _ in step.moves for again in all_steps(model.moves[name].does)]
            for again in [*does, *all_steps(step.otherwise or ())]:
                if isinstance(again, AgainStep) and again not in reported:
                    reported.add(again)
                    yield Diagnostic(again.span, "again-place", "`ask again` follows from an ask of several players",
                                     "when a decision is carried out the others have decided too, and nothing is asked once more",
                                     "ask one player after another: `for each: p in player`, and in it `ask: p`",
                                     (("the players are asked here", step.span),))  # fmt: skip


def may_be_empty(e: Expr, model: Model) -> bool:
    """Return whether a list may have no item."""
    match e:
        case syntax.Literal(value=tuple(values)):
            return not values
        case syntax.BuiltinCall(name="clockwise"):
            return False
        case syntax.Items():
            return not e.items
        case syntax.Let():
            return may_be_empty(e.body, model)
        case syntax.Conditional():
            return may_be_empty(e.then, model) or may_be_empty(e.other, model)
        case syntax.FunctionCall():
            return may_be_empty(model.functions[e.function].body, model)
        case syntax.Aggregate() if e.where is None and e.stop is None:
            return any(may_be_empty(domain, model) for _, domain in e.bindings)
    return True


def check_remembered(model: Model) -> Iterator[Diagnostic]:
    """Check that what is looked for is remembered somewhere, and that everybody sees what is remembered."""
    noted = remembered(model)
    for _, _, body in bodies(model):
        for step in all_steps(body):
            noting = step.names if isinstance(step, RememberStep) else ()
            hidden = next((name for name in noting if model.thing(name).seen_by != "everyone"), None)
            if hidden is not None:
                yield Diagnostic(step.span, "remember-hidden", f"this remembers {_hidden(model, hidden)}",
                                 "whether it was like that before would give away what it is",
                                 "remember only what everybody sees",
                                 ((f"`{hidden}` is hidden", model.thing(hidden).span),))  # fmt: skip
    said: set[tuple[str, ...]] = set(noted)
    drawn = [(e, span) for _, e, span in view_expressions(model.view)]
    for root, span in (*all_expressions(model), *drawn):
        for e in each_expression([root]):
            if isinstance(e, Repeats) and e.names not in said:
                said.add(e.names)
                names = ", ".join(e.names)
                near = "; ".join(f"`{', '.join(n)}`" for n in noted)
                why = f"what is remembered is {near}" if near else "no step remembers anything"
                yield Diagnostic(span, "remember-missing", f"`repeats({names})` looks for what is never remembered", why,
                                 f"add the step `remember {names}` where a position is to be noted")  # fmt: skip


def check_afterwards(model: Model) -> Iterator[Diagnostic]:
    """Check that chance decides nothing in what is tried to see whether a move is legal."""
    for move in model.moves.values():
        condition = next((c for c in move.conditions if c.afterwards), None)
        if condition is None:
            continue
        found, _ = _chance_before_ask(model, move.does, {})
        if found is not None:
            verb = "draws" if isinstance(found, DrawStep) else "rolls"
            yield Diagnostic(condition.span, "afterwards-chance", f"`{move.name}` {verb} before it asks anybody, so nobody knows the position after it",
                             "it is tried to see what comes of it, and nothing may be turned up by that",
                             "let chance decide after an `ask`, or in the steps after the move; or say with `that` what must hold before it",
                             ((f"here it {verb}", found.span),))  # fmt: skip


def _chance_before_ask(
    model: Model, steps: tuple[Step, ...], known: dict[str, tuple[Step | None, bool]]
) -> tuple[Step | None, bool]:
    """Return the first draw or roll that steps may come to before an ask, and whether they surely come to an ask."""
    for step in steps:
        match step:
            case AskStep() | AgainStep():
                return None, True
            case DrawStep() | RollStep():
                return step, False
            case DoStep():
                if step.name not in known:
                    known[step.name] = _chance_before_ask(model, model.procedures[step.name].body, known)
                parts = [known[step.name]]
            case _:
                parts = [_chance_before_ask(model, inner, known) for inner in inner_steps(step)]
        for found, _ in parts:
            if found is not None:
                return found, False
        if parts and not isinstance(step, WhileStep | ForStep) and all(asked for _, asked in parts):
            return None, True
    return None, False


def _at_end(steps: tuple[Step, ...]) -> Iterator[Step]:
    """Yield the last step of a list, and of the branches in it that are run once."""
    for step in steps:
        for inner in () if isinstance(step, WhileStep | ForStep) else inner_steps(step):
            yield from _at_end(inner)
    yield from steps[-1:]


def _deciding(model: Model) -> set[str]:
    """Return the procedures in which somebody decides."""
    found: set[str] = set()
    for circle in components({act: called(body) for act, _, body in bodies(model) if act[0] == "steps"}):
        found |= {name for _, name in circle if _decides(model.procedures[name].body, found)}
    return found


def _decides(steps: tuple[Step, ...], deciding: set[str]) -> bool:
    return any(
        isinstance(step, AskStep | DrawStep | RollStep) or (isinstance(step, DoStep) and step.name in deciding)
        for step in all_steps(steps)
    )


def unreached(model: Model) -> dict[Act, list[tuple[str, Span]]]:
    """Return what play never reaches though something names it, by the first unused procedure or move that leads there."""
    spans = {act: span for act, span, _ in bodies(model)}
    spans |= {("scoring", name): rule.span for name, rule in model.rules.items()}
    calls = {act: [*called(body), *(("scoring", rule) for rule in scorings(body))] for act, _, body in bodies(model)}
    order = {act: number for number, act in enumerate(spans)}
    reached = _reached([("steps", "setup"), ("steps", "play")], calls, set())
    roots = calls.keys() - reached - model.called
    found = {}
    for root in (act for act in calls if act in roots):
        new = _reached([root], calls, reached)
        reached |= new
        found[root] = [(act[1], spans[act]) for act in sorted((new - {root}) & order.keys(), key=order.__getitem__)]
    return found


def _reached(waiting: list[Act], calls: dict[Act, list[Act]], known: AbstractSet[Act]) -> set[Act]:
    """Return everything these lead to, except what is known already and where that leads."""
    found: set[Act] = set()
    while waiting:
        act = waiting.pop()
        if act not in found and act not in known:
            found.add(act)
            waiting += calls.get(act, ())
    return found


# Names that nothing uses -----------------------------------------------------------------------------------------


def check_unused(model: Model) -> Iterator[Diagnostic]:
    """Yield warnings about entries that nothing uses: the name is probably misspelt elsewhere."""
    sections = (
        ("function", "", model.functions),
        ("table", "", model.tables),
        ("place", "", model.places),
        ("variable", "", model.variables),
        ("move", "moves", model.moves),
        ("scoring rule", "scoring", model.rules),
        ("named step", "steps", model.procedures),
    )
    with_it = unreached(model)
    used = {("", name) for name in model.used} | model.called | {("steps", "setup"), ("steps", "play")}
    for what, section, entries in sections:
        for name, entry in entries.items():
            if (section, name) not in used:
                also = tuple(
                    (f"so `{other}` is never reached", span) for other, span in with_it.get((section, name), ())
                )
                yield Diagnostic(entry.span, "name-unused", f"the {what} `{name}` is never used", also=also,
                                 level="warning", about=(what, name))  # fmt: skip


def check_local_names(model: Model) -> Iterator[Diagnostic]:
    """Yield warnings about parameters, choices and names of `let` and `roll` that nothing uses."""
    for function in model.functions.values():
        used = free_names(function.body)
        yield from _unused(((p.name, function.span) for p in function.parameters), used, f"in `{function.name}`")
    for rule in model.rules.values():
        used = _free([rule.points, *of_template(rule.text)])
        yield from _unused(((p.name, rule.span) for p in rule.parameters), used, f"in `{rule.name}`")
    for procedure in model.procedures.values():
        names = ((p.name, procedure.span) for p in procedure.parameters)
        yield from _unused(names, _used_by(procedure.body), f"in `{procedure.name}`")
    for move in model.moves.values():
        used = _used_by_move(move)
        named = [(c.name, c.span) for c in move.choices if not _is_counted(c)]
        yield from _unused([*((p.name, move.span) for p in move.given), *named], used, f"in `{move.name}`")
    for _, _, body in bodies(model):
        yield from _unused_lets(body)


def _is_counted(choice: Choice) -> bool:
    """Return whether pieces are chosen together: that is a decision even if only their number matters."""
    return choice.source is not None


def _unused(names: Iterable[tuple[str, Span]], used: frozenset[str], where: str) -> Iterator[Diagnostic]:
    for name, span in names:
        if name not in used:
            yield Diagnostic(span, "local-unused", f"`{name}` is never used {where}", level="warning")


def _free(expressions: Iterable[Expr]) -> frozenset[str]:
    return frozenset().union(*(free_names(e) for e in expressions))


def _used_by(steps: tuple[Step, ...]) -> frozenset[str]:
    """Return the local names that steps use: no local name hides another, so none means two things inside."""
    found = _free(e for step in steps for e in of_step(step))
    return found.union(*(_used_by(inner) for step in steps for inner in inner_steps(step)))


def _used_by_move(move: MoveRule) -> frozenset[str]:
    parts: list[Expr] = [c.domain for c in move.choices]
    for choice in move.choices:
        parts += [e for e in (choice.at_most, choice.at_least, choice.source) if e is not None]
    for condition in move.conditions:
        parts.append(condition.that)
    return _free(parts) | _used_by(move.does)


def _unused_lets(steps: tuple[Step, ...]) -> Iterator[Diagnostic]:
    """Yield warnings about unused names of `let` and `roll`, which are known to the end of their list."""
    last: dict[str, int] = {}  # by name, the last step that uses it
    for i, step in enumerate(steps):
        last.update(dict.fromkeys(_used_by((step,)), i))
    for i, step in enumerate(steps):
        if isinstance(step, LetStep | RollStep) and last.get(step.name, -1) <= i:
            weight = free_names(step.weight) if isinstance(step, RollStep) and step.weight else frozenset()
            if isinstance(step, LetStep) or step.name not in weight:
                yield Diagnostic(step.span, "local-unused", f"`{step.name}` is never used below", level="warning")
        for inner in inner_steps(step):
            yield from _unused_lets(inner)


# Conditions that always hold, or never ---------------------------------------------------------------------------


def check_constant(model: Model) -> Iterator[Diagnostic]:
    """Yield warnings about conditions of moves, `if` and `while` that do not depend on the position."""
    for move in model.moves.values():
        for condition in move.conditions:
            if (holds := known(condition.that)) is not None:
                what = f"`{condition.name}` never refuses `{move.name}`" if holds else f"`{move.name}` is always refused by `{condition.name}`"  # fmt: skip
                yield _diagnostic(condition.span, holds, what)
    for _, _, body in bodies(model):
        for step in all_steps(body):
            if isinstance(step, IfStep) and (holds := known(step.test)) is not None:
                yield _diagnostic(step.span, holds, f"this `if` {'always' if holds else 'never'} holds")
            if isinstance(step, WhileStep) and (holds := known(step.test)) is not None:
                end = "runs forever" if holds else "never begins"
                yield _diagnostic(step.span, holds, f"this `while` {end}")


def _diagnostic(span: Span, holds: bool, message: str) -> Diagnostic:
    code = "condition-always" if holds else "condition-never"
    why = f"its condition {'holds' if holds else 'fails'} whatever happens"
    return Diagnostic(span, code, message, why, level="warning")


def known(e: Expr) -> bool | None:
    """Return whether a condition surely holds, or surely does not; None if that depends on the position."""
    match e:
        case syntax.Literal(value=int()):
            return bool(e.value)
        case syntax.Negation():
            inner = known(e.of)
            return None if inner is None else not inner
        case syntax.Logic():
            decisive = e.op == "or"
            sides = (known(e.left), known(e.right))
            if decisive in sides:
                return decisive
            return None if None in sides else not decisive
        case syntax.Compare():
            return _compared(e)
    return None


def _compared(e: syntax.Compare) -> bool | None:
    a, b = e.left.type, e.right.type
    if not isinstance(a, Values) or not isinstance(b, Values):
        return None
    if isinstance(e.left, syntax.Literal) and isinstance(e.right, syntax.Literal):
        return None  # a setting: a number of a table that a house rule may change, or of players
    if e.left == e.right:
        return e.op in ("=", "<=", ">=")
    if a.none or b.none or a.members or b.members:
        return None
    assert a.lo is not None and a.hi is not None and b.lo is not None and b.hi is not None
    always = {"<": a.hi < b.lo, "<=": a.hi <= b.lo, ">": a.lo > b.hi, ">=": a.lo >= b.hi}
    never = {"<": a.lo >= b.hi, "<=": a.lo > b.hi, ">": a.hi <= b.lo, ">=": a.hi < b.lo}
    if always.get(e.op):
        return True
    return False if never.get(e.op) else None


# Pieces ----------------------------------------------------------------------------------------------------------


def check_pieces(model: Model) -> Iterator[Diagnostic]:
    """Check that every kind of piece has a place that can hold it."""
    for kind in model.kinds:
        if not any(s.kind == kind and s.count for s in model.pieces):
            continue
        if not any(kind in p.kinds for p in model.places.values()):
            span = next(iter(model.places.values())).span if model.places else model.procedures["play"].span
            yield Diagnostic(span, "piece-without-place", f"no place can hold `{model.value_name(kind)}`")


# The view -------------------------------------------------------------------------------------------------------


def check_view(model: Model) -> Iterator[Diagnostic]:
    """Check that nothing drawn shows the pieces of a place that not everybody sees."""
    expressions = list(view_expressions(model.view))
    if not expressions:
        return
    secrecy = Secrecy(model)
    for (section, name, key), e, span in expressions:
        hidden = secrecy.reads(e)
        if hidden is None:
            continue
        spaces = section == "layout" and key == "under"
        shown = f"empty spaces of `{name}` show" if spaces else f"`{key}` of `{name}` shows"
        counts = "; how many pieces lie on a place is not secret, but what they are is" * (hidden in model.places)
        yield Diagnostic(
            span,
            "view-hidden",
            f"{shown} {_hidden(model, hidden)}",
            f"the board is for everybody{counts}",
            also=((f"`{hidden}` is hidden", model.thing(hidden).span),),
        )


def check_told(model: Model) -> Iterator[Diagnostic]:
    """Check that nothing is told to everybody that only some may see."""
    if not told(model):
        return
    for step, hidden in Secrecy(model).told():
        is_place = hidden in model.places
        yield Diagnostic(
            step.span,
            "tell-hidden",
            f"this tells everybody {_hidden(model, hidden)}",
            "how many pieces lie on a place is not secret, but what they are is" if is_place else "",
            "tell a `count(…)`, or move what everybody is to see to a place that everybody sees"
            if is_place
            else f"let everybody see it with `show {hidden} to everyone`; what is told besides must be in a variable that everybody sees: set one to it first",
            ((f"`{hidden}` is hidden", model.thing(hidden).span),),
        )


def _hidden(model: Model, name: str) -> str:
    """Return what is hidden in words: what lies on a place, or a variable, and who sees it."""
    sees = "nobody sees" if model.thing(name).seen_by == "nobody" else "only its owner sees"
    return f"{'what lies on ' * (name in model.places)}`{name}`, which {sees}"


def check_shown(model: Model) -> Iterator[Diagnostic]:
    """Check that what is shown is not open to everybody anyway."""
    for step in told(model):
        if isinstance(step, ShowStep):
            family = family_of(step.place.type)
            thing = model.thing(step.place.variable if isinstance(step.place, VariableRead) else family or "")
            is_place = thing.name in model.places
            if thing.seen_by == "everyone":
                yield Diagnostic(
                    step.span,
                    "show-open",
                    f"everybody sees {'what lies on ' * is_place}`{thing.name}` anyway",
                    "`show` lets players see once what is hidden from them",
                    f"leave it out, or hide the {'place' if is_place else 'variable'} with `seen by`",
                    ((f"`{thing.name}`", thing.span),),
                    "warning",
                )


def check_kept_secret(model: Model) -> Iterator[Diagnostic]:
    """Check that no move shows what it keeps in a hidden variable, and that none is refused by what its player cannot see."""
    if all(thing.seen_by == "everyone" for thing in model.things):
        return
    secrecy = Secrecy(model)
    for name, move in model.moves.items():
        for choice, variable, step in secrecy.given_away(name):
            yield Diagnostic(
                step.span,
                "secret-told",
                f"`{choice}` is set in secret, but this step shows it",
                f"others do not see a choice if all that is done with it is to set hidden variables, such as `{variable}`",
                f"leave it to a later `show {variable} to everyone`, or let everybody see `{variable}`",
                ((f"`{variable}` is hidden", model.variables[variable].span),),
                "warning",
            )
        for condition in move.conditions:
            hidden = secrecy.reads(condition.that, ME, secrecy.unknown_to_mover(name))
            if hidden is not None:
                yield Diagnostic(
                    condition.span,
                    "secret-needs",
                    f"a refusal gives away {_hidden(model, hidden)}",
                    "the player who decides cannot see it, but learns something of it by what is refused",
                    "test it under `does`, where the move is made already",
                    ((f"`{hidden}` is hidden", model.thing(hidden).span),),
                    "warning",
                )


# All checks -----------------------------------------------------------------------------------------------------

Check = Callable[[Model], Iterator[Diagnostic]]

# The others follow calls: they would not end, or not in time, if one of these objects.
# How deep rules are nested -------------------------------------------------------------------------------------


def check_nesting(model: Model) -> Iterator[Diagnostic]:
    """Check that nothing is nested too deep, calls followed. Definitions and steps may not use themselves."""
    yield from _expressions_nested(model)
    yield from _steps_nested(model)
    for move in model.moves.values():
        yield from _listed_inside(move)


def _expressions_nested(model: Model) -> Iterator[Diagnostic]:
    inside = {name: f.body for name, f in model.functions.items()}
    uses = {
        name: [e.function for e in each_expression([body]) if isinstance(e, FunctionCall)]
        for name, body in inside.items()
    }
    levels: dict[str, int] = {}
    for (name,) in components(uses):
        levels[name] = _levels_of(inside[name], levels)
    for e, span in all_expressions(model):
        if (many := _levels_of(e, levels)) > MOST_NESTED:
            message = f"this has {many} operators and brackets inside one another; at most {MOST_NESTED} are allowed"
            yield Diagnostic(span, "too-deep", message, "those of the definitions that it uses count too")
            return


def _levels_of(root: Expr, functions: dict[str, int]) -> int:
    """Return the levels of an expression; a call has those of what it calls, each name after `for` is two: a loop, and what it does."""
    deepest, waiting = 0, [(root, 1)]
    while waiting:
        e, level = waiting.pop()
        deepest = max(deepest, level + (functions[e.function] if isinstance(e, FunctionCall) else 0))
        inside = level + (2 * len(e.bindings) if isinstance(e, Aggregate) else 1)
        waiting += ((x, inside) for x in children(e))
    return deepest


def _steps_nested(model: Model) -> Iterator[Diagnostic]:
    lists = {name: p.body for name, p in model.procedures.items()}
    uses = {
        name: [step.name for step, _ in _each_level(body) if isinstance(step, DoStep)] for name, body in lists.items()
    }
    levels: dict[str, int] = {}
    for (name,) in components(uses):
        levels[name] = _deepest(lists[name], levels)
    for (_, name), span, body in bodies(model):
        if (many := _deepest(body, levels)) > MOST_STEPS_NESTED:
            message = f"`{name}` has {many} blocks of steps inside one another; at most {MOST_STEPS_NESTED} are allowed"
            yield Diagnostic(span, "too-deep", message, "those of the steps that it does count too")
            return


def _deepest(steps: tuple[Step, ...], levels: dict[str, int]) -> int:
    return max((level + _own_levels(step, levels) for step, level in _each_level(steps)), default=0)


def _each_level(steps: tuple[Step, ...]) -> Iterator[tuple[Step, int]]:
    """Yield all steps at any depth, each with its level."""
    waiting = [(step, 1) for step in steps]
    while waiting:
        step, level = waiting.pop()
        yield step, level
        waiting += ((inner, level + 1) for part in inner_steps(step) for inner in part)


def _own_levels(step: Step, levels: dict[str, int]) -> int:
    """Return the levels of a step itself: a place for what does not fit is one."""
    match step:
        case DoStep():
            return levels[step.name]
        case MoveStep() | DrawStep():
            return len(step.goals)
        case _:
            return 0


def _listed_inside(move: MoveRule) -> Iterator[Diagnostic]:
    for many, most, what in (
        (len(move.choices), MOST_CHOSEN, "choices"),
        (len(move.conditions), MOST_CONDITIONS, "conditions"),
    ):
        if many > most:
            message = f"`{move.name}` has {many} {what}; at most {most} are allowed"
            yield Diagnostic(move.span, "too-deep", message, "each is looked at inside those before it")


# All checks -----------------------------------------------------------------------------------------------------

FIRST: tuple[Check, ...] = (check_circles, check_depth)
CHECKS: tuple[Check, ...] = (
    check_loops,
    check_again,
    check_several,
    check_afterwards,
    check_remembered,
    check_size,
    check_kept,
    check_effort,
    check_drawing,
    check_faces,
    check_markers,
    check_spaces,
    check_choices,
    check_pieces,
    check_view,
    check_told,
    check_shown,
    check_kept_secret,
    check_constant,
    check_unused,
    check_local_names,
)

# These are reported only if every combination of options has them: once is enough for a thing to happen.
IN_EVERY_COMBINATION = frozenset(("condition-always", "condition-never", "local-unused", "view-unfit"))


def check_sense(model: Model) -> list[Diagnostic]:
    """Return everything that is found."""
    found = [d for check in FIRST for d in check(model)] or list(check_nesting(model))
    return found or [d for check in CHECKS for d in check(model)]
