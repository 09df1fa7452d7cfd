"""Steps: one-line sentences and `if`, `while`, `for each`, `ask` → checked steps."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise

from rulespec.diagnostics.diagnostic import Diagnostic, Edit, Span, edit
from rulespec.english import MOST_SHOWN, listed_some, quoted
from rulespec.expr.builtins import whole_names
from rulespec.expr.hints.sentences import SENTENCES
from rulespec.expr.infer import Inference
from rulespec.expr.names import ACTS, Names
from rulespec.expr.parse import Fragment, Syntax
from rulespec.expr.static import Env
from rulespec.model.declare import Entries, Judge, Skip
from rulespec.syntax import (
    Act,
    AgainStep,
    Amount,
    AskStep,
    DoStep,
    DrawStep,
    Expr,
    ForStep,
    Goal,
    IfStep,
    LetStep,
    ListOf,
    MoveStep,
    Parameter,
    PlaceOf,
    RememberStep,
    RollStep,
    ScoreStep,
    SetStep,
    Several,
    ShowStep,
    Step,
    TableRead,
    TellStep,
    Type,
    Unknown,
    Values,
    VariableRead,
    WhileStep,
    overlap,
)
from rulespec.yaml.mistakes import CUT_WHY
from rulespec.yaml.nodes import Mapping, Node, Scalar, Sequence

Heads = dict[str, tuple[Parameter, ...]]

_TOLD_TO = re.compile(r"[{ \w}]+(?: that\b|:)")  # a text that may begin with whom to tell it
_TELL = re.compile(r"tell(?:\s+|\Z)")  # what follows is a text for people


EVERYBODY = frozenset(("all", "everyone", "everybody", "each"))  # written where one player is asked


@dataclass(slots=True)
class StepReader:
    """Reads lists of steps. The heads of procedures, moves and scoring rules are known before any body is read."""

    entries: Entries
    procedures: Heads = field(default_factory=dict)
    moves: Heads = field(default_factory=dict)
    rules: Heads = field(default_factory=dict)
    beside: dict[str, list[str]] = field(default_factory=dict)  # move → the moves offered with it
    called: set[Act] = field(default_factory=set)  # procedures, moves and rules that something names
    _for_several: bool = False  # steps of an `otherwise` are read that is for several players

    def steps(self, node: Node | None, env: Env) -> tuple[Step, ...]:
        """Return a list of steps; names bound by `let` and `roll` are known to the end of the list."""
        if not isinstance(node, Sequence):
            return ()
        found: list[Step] = []
        if node.flow:
            self._check_uncut(node)
        for item in node.items:
            after = _with_unread(item, env)
            with self.entries.entry():
                step, after = self.step(item, env)
                if step is not None:
                    found.append(step)
            env = after
        return tuple(found)

    def _check_uncut(self, node: Sequence) -> None:
        """Report a step in `[ ]` that a comma cuts apart: what is behind the comma begins no step."""
        for step, rest in pairwise(node.items):
            if not isinstance(step, Scalar) or not isinstance(rest, Scalar) or step.span.line != rest.span.line:
                continue
            begins = [scalar.text.split(" ")[0] in SENTENCES for scalar in (step, rest)]
            if begins == [True, False] and rest.text not in self.procedures and " " in rest.text:
                span = replace(step.span, end_col=rest.span.end_col)
                whole = f"{step.text}, {rest.text}"
                message, fix = f"the comma cuts `{whole}` apart", f'put it in quotes: `"{whole}"`'
                edits = edit(span, whole, f'"{whole}"')
                raise self.entries.complain(span, "yaml-cut-expression", message, CUT_WHY, fix, edits=edits)

    def step(self, node: Node, env: Env) -> tuple[Step | None, Env]:
        if isinstance(node, Scalar):
            return self._sentence(node, env)
        if not isinstance(node, Mapping):
            return None, env
        names = {key.text for key, _ in node}
        if "if" in names:
            return self._if(node, env), env
        if "while" in names:
            test, holds, _ = self._condition(node.get("while"), env)
            return WhileStep(node.span, test, self.steps(node.get("do"), holds)), env
        if "for each" in names:
            return self._for(node, env), env
        if "ask" in names:
            return self._ask(node, env), env
        return None, env

    # structure -------------------------------------------------------------------------------------------

    def _inference(self, fragment: Fragment, env: Env, report: Callable[[Diagnostic], None] | None = None) -> Inference:
        report = self._report_for_several if self._for_several else report or self.entries.report
        return Inference(self.entries.names, fragment, env, report)

    def _report_for_several(self, found: Diagnostic) -> None:
        """Report a mistake in `otherwise` of several players, which does not say for whom it is done."""
        if found.code == "name-me":
            fix = "ask for a move more that is legal only then: its `does` knows `me`"
            found = replace(found, fix=fix, edits=())
        self.entries.report(found)

    def _condition(self, node: Node | None, env: Env) -> tuple[Expr, Env, Env]:
        """Return a checked condition, and what is known if it holds, and if it does not."""
        scalar = self.entries.scalar(node, "a condition")
        judge = partial(self.entries.judge, env, Inference.condition)
        fragment = self.entries.parse_or_guess(scalar, "expr", judge, env)
        inference = self._inference(fragment, env, self.entries.with_guesses_tried(scalar, "expr", judge, env))
        test, root = inference.condition(), inference.fragment.root
        return test, inference.after(env, root, test, True), inference.after(env, root, test, False)

    def _loops(self, env: Env) -> Judge:
        """Return what tells whether `x in …` makes sense."""

        def judge(fragment: Fragment) -> list[Diagnostic]:
            name, domain_node, where_node = fragment.root.parts

            def read(inference: Inference) -> object:
                inner = inference.binding(fragment.root, name, domain_node, env)[1]
                return inference.condition(where_node, inner) if where_node else None

            return self.entries.judge(env, read, fragment)

        return judge

    def _if(self, node: Mapping, env: Env) -> IfStep:
        test, holds, fails = self._condition(node.get("if"), env)
        then, other = self.steps(node.get("then"), holds), self.steps(node.get("else"), fails)
        return IfStep(node.span, test, then, other)

    def _for(self, node: Mapping, env: Env) -> ForStep:
        scalar = self.entries.scalar(node.get("for each"), "`x in …`")
        judge = self._loops(env)
        fragment = self.entries.parse_or_guess(scalar, "binding", judge, env)
        name, domain_node, where_node = fragment.root.parts
        inference = self._inference(fragment, env, self.entries.with_guesses_tried(scalar, "binding", judge, env))
        domain, inner = inference.binding(fragment.root, name, domain_node, env)
        where = inference.condition(where_node, inner) if where_node else None
        body_env = inference.after(inner, where_node, where, True) if where else inner
        return ForStep(node.span, name, domain, where, self.steps(node.get("do"), body_env))

    def _ask(self, node: Mapping, env: Env) -> AskStep:
        who = self.entries.scalar(node.get("ask"), "a player")
        fragment = self.entries.parse_or_guess(who, "expr", partial(self.entries.judge, env, Inference.value), env)
        player = self._asked(self._inference(fragment, env), fragment.root)
        to = self.entries.parse_or_guess(self.entries.scalar(node.get("to"), "moves"), "ask", self._judge_moves)
        inference = self._inference(to, env)
        asked: list[tuple[str, tuple[Expr, ...]]] = []
        for rule in to.root.parts:
            name = rule.parts[0]
            args = self._call_of(inference, rule, self.moves, "moves")
            asked += [(n, args) for n in (name, *self.beside.get(name, ()))]
            self.called |= {("moves", other) for other in self.beside.get(name, ())}
        forced = node.get("forced")
        otherwise = node.get("otherwise")
        outside, self._for_several = self._for_several, isinstance(player.type, ListOf)
        try:
            steps = self.steps(otherwise, env) if otherwise is not None else None
        finally:
            self._for_several = outside
        return AskStep(node.span, player, tuple(asked), forced is not None, steps)

    def _judge_moves(self, fragment: Fragment) -> list[Diagnostic]:
        """Return what is said about the moves of an `ask`, as far as their names go."""
        named = [(rule, rule.parts[0]) for rule in fragment.root.parts]
        return [Diagnostic(fragment.span(rule), "name-unknown", "") for rule, name in named if name not in self.moves]

    def _asked(self, inference: Inference, root: Syntax) -> Expr:
        """Return the player who is asked, or the list of those who decide at the same time."""
        word = root.parts[0] if root.kind == "name" else ""
        what = "a player or a list of players"
        if (word in EVERYBODY and not inference.knows(word)) or word == "players":
            why = (
                "`player` is the list of them all: they decide at the same time, and none sees what another one decides"
            )
            edits = inference.write(root, "player")
            inference.complain(root, "type-mismatch", f"expected {what}, found `{word}`", why, "write `ask: player`", edits=edits)  # fmt: skip
            raise Skip
        if root.kind == "in" and inference.text(root.parts[1]) == "player":
            edits, message = inference.write(root, "player"), f"expected {what}, found a comparison"
            why = "the name of a set stands for all its members"
            inference.complain(root, "type-mismatch", message, why, "write `ask: player`", edits=edits)
            raise Skip
        found, player = inference.value(root), inference.names.sets["player"].type
        if not isinstance(found.type, ListOf):
            return inference.fit(root, found, player, what)
        item = found.type.item
        others = word in inference.names.sets and word != "player" and word not in inference.env
        if others or not isinstance(item, Values | Unknown):
            inference.expected(root, what, found)
            raise Skip
        if isinstance(item, Values) and item.none:
            why, fix = (
                "`none` is nobody who could decide",
                "leave it out with `where`: `list(p for p in … where p != none)`",
            )
            inference.complain(root, "type-mismatch", f"expected {what}, found {inference.describe(found)}", why, fix)
            raise Skip
        if isinstance(item, Values) and not (item.is_number and overlap(item, player)):
            inference.expected(root, what, found)
            raise Skip
        return found

    def _call_of(self, inference: Inference, rule: Syntax, heads: Heads, section: str) -> tuple[Expr, ...]:
        """Return the checked arguments of a named move, procedure or scoring rule of a section."""
        name, arguments = rule.parts[0], rule.parts[1].parts if rule.parts[1] else ()
        if name not in heads:
            if (section, name) not in inference.names.failed_acts:
                what = ACTS[section].removeprefix("a ")
                problem = inference.names.unknown(name, what, inference.span(rule), {}, heads, section)
                self.entries.report(replace(problem, why=f"{what}s are declared under `{section}:`"))
            raise Skip
        self.called.add((section, name))
        args = inference.arguments(rule, (section, name), heads[name], arguments, inference.env)
        if args is None:
            raise Skip
        return args

    # sentences -------------------------------------------------------------------------------------------

    def _sentence(self, scalar: Scalar, env: Env) -> tuple[Step | None, Env]:
        if telling := _TELL.match(scalar.text):
            return self._tell(scalar, env, telling.end()), env
        self._check_called(scalar)
        judge = partial(self._judge, env)
        fragment = self.entries.parse_or_guess(scalar, "step", judge, env)
        return self._read(fragment, env, self.entries.with_guesses_tried(scalar, "step", judge, env))

    def _read(
        self, fragment: Fragment, env: Env, report: Callable[[Diagnostic], None] | None = None
    ) -> tuple[Step | None, Env]:
        """Return a step, and what is known after it."""
        root, span = fragment.root, fragment.scalar.span
        inference = self._inference(fragment, env, report)
        if root.kind in ("roll", "let_step"):
            inference = replace(inference, report=partial(self._report_hiding, root))
        match root.kind:
            case "move":
                return self._move(inference, root, span), env
            case "draw":
                return self._draw(inference, root, span), env
            case "roll":
                name, domain_node, weight_node = (*root.parts, None)[:3]
                domain, inner = inference.binding(root, name, domain_node, env)
                if not isinstance(inner[name], Values | Unknown):
                    inference.expected(domain_node, "a set, a range or a list of values", domain)
                weight = self._weight(inference, name, weight_node, inner) if weight_node else None
                if weight is not None and isinstance(weight.type, Values) and isinstance(domain.type, ListOf):
                    inference.bounded(weight_node, (0, max(0, weight.type.hi or 0) * domain.type.largest))
                return RollStep(span, name, domain, weight), inner
            case "set" | "add":
                return self._assign(inference, root, span), env
            case "let_step":
                name, value_node = root.parts
                self.entries.names.check_new_local(name, inference.name_span(root, name), env, inference.report)
                value = inference.value(value_node)
                if not isinstance(value.type, Values | Unknown) and not hasattr(value.type, "__slots__"):
                    inference.expected(value_node, "a value", value)
                return LetStep(span, name, value), {**env, name: value.type}
            case "score":
                return self._score(inference, root, span), env
            case "show":
                return self._show(inference, root, span), env
            case "remember":
                names = whole_names(inference, root.parts, env)
                if names is None:
                    raise Skip
                return RememberStep(span, names), env
            case "again":
                return AgainStep(span), env
            case _:
                rule = root.parts[0]
                return DoStep(span, rule.parts[0], self._call_of(inference, rule, self.procedures, "steps")), env

    def _report_hiding(self, root: Syntax, found: Diagnostic) -> None:
        """Report a mistake in a step that gives a name; one with the name of a variable is meant to change that."""
        name = root.parts[0]
        if found.code == "name-hides" and name in self.entries.names.variables:
            fix = f"choose another name, and below this step set the variable: `set {name} to …`"
            if root.kind == "let_step":
                fix = f"to change the variable write `set {name} to …`; otherwise choose another name"
            found = replace(found, fix=fix)
        self.entries.report(found)

    def _weight(self, inference: Inference, name: str, node: Syntax, env: Env) -> Expr:
        """Return how much one value weighs; a whole table is read by the value."""
        table = (
            self.entries.names.tables.get(node.parts[0]) if node.kind == "name" and node.parts[0] not in env else None
        )
        if table is None or len(table.index) != 1:
            if isinstance(inference.silently().value(node, env).type, ListOf):
                meant, message = (
                    f"{inference.text(node)}[{name}] default 0",
                    "expected a number, found a list of weights",
                )
                why, edits = f"the weight is that of one value: of `{name}`", inference.write(node, meant)
                return inference.complain(node, "type-mismatch", message, why, f"write `{meant}`", edits=edits)
            return inference.number(node, env)
        meant, message = f"{table.name}[{name}]", f"expected a number, found all of `{table.name}`"
        why, edits = f"the weight is that of one value: of `{name}`", inference.write(node, meant)
        return inference.complain(node, "type-mismatch", message, why, f"write `{meant}`", edits=edits)

    def _judge(self, env: Env, fragment: Fragment) -> list[Diagnostic]:
        """Return what is said about a step."""
        found: list[Diagnostic] = []
        called, report = {*self.called}, self.entries.report
        self.entries.report = found.append
        with self.entries.names.on_trial():
            try:
                self._read(fragment, env)
            except Skip:
                return found or [Diagnostic(fragment.span(), "", "")]
            finally:
                self.entries.report, self.called = report, called
        return found

    def _check_called(self, scalar: Scalar) -> None:
        """Refuse the bare name of a named step or a scoring rule as a step."""
        m = re.fullmatch(r"([a-z]\w*)\s*(\(.*\))?", scalar.text)
        if m is None:
            return
        word = "do" if m[1] in self.procedures else "score" if m[1] in self.rules else ""
        if not word:
            return
        call = m[1] if m[2] in (None, "()") else m[1] + m[2]
        meant, what = (f"do {call}", "a named step") if word == "do" else (f"score {call} for PLAYER", "a scoring rule")
        edits = scalar.respelled(meant) if word == "do" else ()
        message, why = f"`{m[1]}` begins no step", f"it is {what}, which a step names"
        raise self.entries.complain(scalar.span, "step-sentence", message, why, f"write `{meant}`", edits=edits)

    def _tell(self, scalar: Scalar, env: Env, start: int) -> TellStep:
        if start == len(scalar.text):
            message, fix = (
                "expected a text after `tell`, found the end",
                "write what everybody is told: `tell {turn} is out`",
            )
            raise self.entries.complain(scalar.span, "step-sentence", message, "", fix)
        if _TOLD_TO.match(scalar.text, start):
            from rulespec.model.texts import odd_telling

            for odd in odd_telling(scalar, start, env, self.entries.names):
                self.entries.report(odd)
        return TellStep(scalar.span, self.entries.template(scalar, env, start))

    def _show(self, inference: Inference, root: Syntax, span: Span) -> ShowStep:
        names = self.entries.names
        place_node, to = root.parts
        whom = to.parts[0] if to.kind == "name" else ""
        if (whom in EVERYBODY - {"everyone"} and not inference.knows(whom)) or whom == "players":
            what, edits = "a player, a list of players or `everyone`", inference.write(to, "everyone")
            inference.complain(to, "type-mismatch", f"expected {what}, found `{whom}`", "", "write `everyone`", edits=edits)  # fmt: skip
            raise Skip
        who = place_node.parts[0] if place_node.kind == "name" else ""
        if whom in names.places and who and (who in inference.env or who in names.variables):
            new = f"{whom} to {who}"
            message, why = f"expected a place before `to`, found `{who}`", "what is shown comes first, then who sees it"
            inference.complain(place_node, "type-mismatch", message, why, f"write `show {new}`")
            raise Skip
        place = self._variable_shown(inference, place_node) or self._place(inference, place_node)
        if to.kind == "name" and to.parts[0] == "everyone" and not inference.knows("everyone"):
            return ShowStep(span, place, None)
        found, player = inference.value(to), names.sets["player"].type
        if isinstance(found.type, ListOf):
            if not isinstance(found.type.item, Values) or found.type.item.home != "player":
                inference.expected(to, "a player, a list of players or `everyone`", found)
            return ShowStep(span, place, found)
        return ShowStep(span, place, inference.argument(to, player, "a player, a list of players or `everyone`"))

    def _variable_shown(self, inference: Inference, node: Syntax) -> VariableRead | None:
        """Return the variable that is shown, all of it where indexes are left out; None: it is something else.

        A variable that holds a place stands for that place, unless the variable itself is hidden.
        """
        names = self.entries.names
        base, indexes = (node.parts[0], node.parts[1].parts) if node.kind == "index" else (node, ())
        variable = names.variables.get(base.parts[0]) if base.kind == "name" else None
        if variable is None or variable.name in inference.env:
            return None
        if variable.seen_by == "everyone" and names.coded_family(variable.type) is not None:
            return None
        names.used.add(variable.name)
        found = inference.indexes(node, variable.name, indexes, inference.env, fewer=True)
        if found is None:
            raise Skip
        index, many = found[0], 1
        for values in variable.index_values[len(index) :]:
            many *= len(values)
        whole = len(index) == len(variable.index)
        return VariableRead(variable.type if whole else ListOf(variable.type, many), variable.name, index)

    def _score(self, inference: Inference, root: Syntax, span: Span) -> ScoreStep:
        names = self.entries.names
        *rule_nodes, player_node = root.parts
        if "score" in names.failed:
            raise Skip
        if "score" in names.variables and not names.variables["score"].index:
            at = names.variables["score"].span
            message, why = (
                "`score` is one variable, and points are for one player each",
                "`score` steps add to `score[player]`",
            )
            here = replace(at, end_line=at.line, end_col=at.col + len("score"))
            names.failed.add("score")
            raise self.entries.complain(
                at, "score-variable", message, why, "write `score[player]`", edits=edit(here, "score", "score[player]")
            )
        if "score" not in names.variables or names.variables["score"].index != ("player",):
            raise self.entries.complain(inference.span(), "score-variable", "scoring needs a variable `score[player]`", "",
                                             "add `score[player]: 0..1000` under `variables:`")  # fmt: skip
        names.used.add("score")
        rules = tuple((r.parts[0], self._call_of(inference, r, self.rules, "scoring")) for r in rule_nodes)
        player = inference.argument(player_node, names.sets["player"].type, "a player")
        return ScoreStep(span, rules, player)

    def _assign(self, inference: Inference, root: Syntax, span: Span) -> SetStep:
        names = self.entries.names
        target, value_node = root.parts if root.kind == "set" else reversed(root.parts)
        base = target.parts[0] if target.kind == "index" else target
        name = base.parts[0] if base.kind == "name" else ""
        if name in inference.env:
            why, fix, also = inference.hidden(name, inference.env)
            edits: tuple[Edit, ...] = ()
            if root.kind == "set" and value_node.kind == "name" and value_node.parts[0] in names.variables and not fix:
                meant = f"set {inference.text(value_node)} to {name}"
                why, fix, edits = "the variable comes first", f"write `{meant}`", inference.write(root, meant)
            message = f"`{name}` is {names.what(name, inference.env)}, not a variable"
            raise self.entries.complain(inference.span(target), "set-no-variable", message, why, fix, also, edits=edits)
        if name not in names.variables:
            if name in names.failed:
                raise Skip
            if name in names.declared:
                raise self.entries.complain(inference.span(target), "set-no-variable", f"`{name}` is {names.what(name, {})}, not a variable",
                                                 "only variables can be set", "pieces are moved with `move … from … to …`" if name in names.places else "")  # fmt: skip
            if (
                not name
                and root.kind == "add"
                and (other := value_node.parts[0] if value_node.kind == "index" else value_node).kind == "name"
                and other.parts[0] in names.variables
            ):
                meant = f"add {inference.text(target)} to {inference.text(value_node)}"
                message, edits = f"`{inference.text(target)}` is no variable", inference.write(root, meant)
                raise self.entries.complain(
                    inference.span(target),
                    "set-no-variable",
                    message,
                    "the variable comes after `to`",
                    f"write `{meant}`",
                    edits=edits,
                )
            if target.kind == "part" and target.parts[1] in names.variables:
                meant = target.parts[1]
                message, edits = f"`{inference.text(target)}` is no variable", inference.write(target, meant)
                why = "a variable is named alone"
                raise self.entries.complain(
                    inference.span(target), "set-no-variable", message, why, f"write `{meant}`", edits=edits
                )
            if not name:
                raise self.entries.complain(
                    inference.span(target),
                    "set-no-variable",
                    f"`{inference.text(target)}` is no variable",
                    "only variables can be set",
                    f"variables are {listed_some(quoted(names.variables), MOST_SHOWN)}" if names.variables else "",
                )
            problem = names.unknown(name, "variable", inference.name_span(target, name), {}, names.variables)
            fix = problem.fix or "declare it under `variables:`, or name one that is there"
            inference.report(replace(problem, fix=fix))
            raise Skip
        variable = names.variables[name]
        names.used.add(name)
        nodes = target.parts[1].parts if target.kind == "index" else ()
        found = inference.indexes(target, name, nodes, inference.env)
        if found is None:
            raise Skip
        index, sure_inside = found
        if not sure_inside:
            inference.complain(
                target,
                "set-nowhere",
                f"an index of `{name}` may be outside its set here",
                "a value must be stored somewhere",
                "test the index first",
            )
        if root.kind == "add":
            value = inference.number(value_node)
            if not (isinstance(variable.type, Values) and variable.type.is_number):
                inference.complain(
                    target, "type-mismatch", f"`{name}` is {names.describe_type(variable.type)}, not a number"
                )
        else:
            value = inference.argument(value_node, variable.type, names.describe_type(variable.type))
            if value_node.kind == "arithmetic" and isinstance(variable.type, Values) and variable.type.home == "player":
                left, sign, right = value_node.parts
                if sign == "mod" and left.kind == "bracket" and left.parts[0].kind == "arithmetic":
                    left, sign, right = left.parts[0].parts  # `(turn + 1) mod players`
                call, who = {"+": "next", "-": "previous"}.get(sign, ""), left
                if sign == "-" and left.kind == "number":  # `3 - turn` of two players
                    call, who = "next", right
                by_one = who is right or inference.text(right) == "1"
                message = f"`{inference.text(value_node)}` may be no player: after the last one comes the first"
                other = f"{call}({inference.text(who)})" if call and by_one else None
                fix, edits = f"write `{other}`" if other else "", inference.write(value_node, other)
                self.entries.report(
                    Diagnostic(inference.span(value_node), "player-sum", message, "", fix, level="warning", edits=edits)
                )
        return SetStep(span, name, index, value, root.kind == "add")

    # moving pieces ---------------------------------------------------------------------------------------

    def _place(self, inference: Inference, node: Syntax) -> Expr:
        e = inference.value(node)
        if family_of(e.type) is None and not isinstance(e.type, Unknown):
            inference.no_place(node, e)
        if family_of(e.type) is None:
            raise Skip
        return e

    def _move(self, inference: Inference, root: Syntax, span: Span) -> MoveStep:
        amount_node, source_node, goals_node = root.parts
        source = self._place(inference, source_node)
        amount = self._amount(inference, amount_node, source)
        if amount.number is not None and isinstance(amount.number.type, Several):
            self._check_chosen(inference, root, amount.number.type, source)
        goals = self._goals(inference, goals_node, source)
        self._check_kinds(inference, source, amount, amount_node, goals_node, goals)
        return MoveStep(span, amount, source, goals)

    def _check_chosen(self, inference: Inference, root: Syntax, chosen: Several, source: Expr) -> None:
        """Check that pieces chosen together are moved from where they were chosen."""
        family = family_of(source.type)
        if not chosen.pile or family == chosen.pile:
            return
        amount_node, source_node, goals_node = root.parts
        name, goals = inference.text(amount_node), inference.text(goals_node)
        turned = f"move {name} from {goals} to {inference.text(source_node)}"
        back = goals.partition("[")[0] == chosen.pile
        message = f"`{name}` is chosen from `{chosen.pile}`, not from `{family}`"
        why = "`from` is where pieces lie, `to` where they go" if back else "they are moved from where they lie"
        fix, edits = (f"write `{turned}`", inference.write(root, turned)) if back else ("", ())
        inference.complain(source_node, "kind-never-there", message, why, fix, edits=edits)
        raise Skip

    def _draw(self, inference: Inference, root: Syntax, span: Span) -> DrawStep:
        amount_node, source_node, goals_node = root.parts
        source = self._place(inference, source_node)
        amount = self._amount(inference, amount_node, source, draw=True)
        place = self.entries.names.places[family_of(source.type) or ""]
        if place.shape != "pile" or not isinstance(source.type, PlaceOf):
            inference.complain(
                source_node, "draw-source", "pieces are drawn from one pile", f"`{place.name}` is a {place.shape}"
            )
        if amount.how in ("all", "top", "chosen"):
            inference.complain(
                amount_node,
                "draw-amount",
                "expected how many pieces to draw",
                "",
                "write `draw 4 from …` or `draw up to 4 from …`",
            )
            raise Skip
        goals = self._goals(inference, goals_node, source)
        self._check_kinds(inference, source, amount, amount_node, goals_node, goals)
        return DrawStep(span, amount, source, goals)

    def _amount(self, inference: Inference, node: Syntax, source: Expr, draw: bool = False) -> Amount:
        names = self.entries.names
        kinds_at = node.parts[-1] if node.parts else None
        if (
            kinds_at is not None
            and isinstance(inference.silently().value(kinds_at).type, Several)
            and kinds_at.kind == "name"
        ):
            words = inference.text(kinds_at)
            if inference.text(node) != words:
                message, why = (
                    f"expected a kind of piece, found `{words}`",
                    "it stands for the pieces that were chosen, and how many",
                )
                edits = inference.write(node, words)
                inference.complain(kinds_at, "type-mismatch", message, why, f"write `move {words} from …`", edits=edits)
                raise Skip
        if node.kind == "all":
            return Amount("all", None, self._kinds(inference, node.parts[0], family_of(source.type) or ""))
        if node.kind == "top":
            place = names.places[family_of(source.type) or ""]
            if place.shape != "stack" or not isinstance(source.type, PlaceOf):
                inference.complain(
                    node,
                    "top-source",
                    "`top` takes from one stack",
                    f"`{place.name}` is a {place.shape}",
                    "write `move N of KIND from …`",
                )
                raise Skip
            return Amount("top", inference.number(node.parts[0]) if node.parts[0] else None, None)
        up_to, number_node, kinds_node = node.parts if len(node.parts) == 3 else (None, *node.parts)
        first = inference.value(number_node)
        kind = first.type.item if isinstance(first.type, ListOf) else first.type
        if kinds_node is None and isinstance(kind, Values) and kind.members and not kind.is_number and not kind.none:
            words = inference.text(number_node)
            message, meant = f"expected how many pieces, found {inference.describe(first)}", f"1 of {words}"
            fix = f"write `{meant}`, or `all of {words}`"
            inference.complain(number_node, "type-mismatch", message, "", fix, edits=inference.write(node, meant))
            raise Skip
        if isinstance(first.type, Several) and not up_to and kinds_node is None:
            return Amount("chosen", first, None)
        if isinstance(first.type, Unknown):
            raise Skip
        number = inference.number(number_node)
        kinds = self._kinds(inference, kinds_node, family_of(source.type) or "")
        place = names.places[family_of(source.type) or ""]
        if not draw and kinds is None and len(place.kinds) > 1:
            cell = place.shape == "cell"
            inference.complain(
                node,
                "move-which",
                f"which pieces? `{place.name}` holds several kinds",
                "a cell holds one piece at most: all of it is that piece" if cell else "",
                "write `move all from …`" if cell else "write `move N of KIND from …`",
                edits=inference.write(node, "all") if cell and not up_to else (),
            )
        if not draw and kinds is not None and isinstance(kinds.type, ListOf):
            inference.complain(
                kinds_node,
                "move-which",
                "expected one kind of piece",
                "",
                "to move everything of several kinds write `move all of …`",
            )
        return Amount("up_to" if up_to else "some", number, kinds)

    def _kinds(self, inference: Inference, node: Syntax | None, held_by: str = "") -> Expr | None:
        if node is None:
            return None
        word = node.parts[0] if node.kind == "name" else ""
        if (
            word
            and not inference.knows(word)
            and word not in inference.names.members
            and word not in inference.names.failed
        ):
            known = [*inference.names.sets, *inference.names.members, *inference.env]
            problem = inference.names.unknown(word, "kind of piece", inference.span(node), inference.env, known)
            held = inference.names.some_values(inference.names.places[held_by].kinds) if held_by else ""
            fix = problem.fix or (f"`{held_by}` holds {held}" if held else "")
            self.entries.report(replace(problem, fix=fix))
            raise Skip
        e = inference.value(node)
        item = e.type.item if isinstance(e.type, ListOf) else e.type
        if not isinstance(item, Values | Unknown):
            inference.expected(node, "a kind of piece", e)
            raise Skip
        if isinstance(e, TableRead) and isinstance(item, Values) and item.none:
            inference.outside(node, e)
            raise Skip
        return e

    def _goals(self, inference: Inference, node: Syntax, source: Expr) -> tuple[Goal, ...]:
        goals = []
        for goal in node.parts:
            place = self._goal(inference, goal.parts[-1], source)
            under = len(goal.parts) == 2
            shape = self.entries.names.places[family_of(place.type) or ""].shape
            if under and shape != "stack":
                inference.complain(
                    goal,
                    "under-stack",
                    "`under` puts pieces at the bottom of a stack",
                    f"this is a {shape}",
                    "leave `under` out",
                    edits=inference.write(goal, inference.text(goal.parts[-1])),
                )
            self._warn_of_all(inference, goal.parts[-1], place)
            goals.append(Goal(place, under))
        return tuple(goals)

    def _goal(self, inference: Inference, node: Syntax, source: Expr) -> Expr:
        """Return where pieces go; a player is not a place, and the places of players may be meant."""
        e, names = inference.silently().value(node), self.entries.names
        if not isinstance(e.type, Values) or e.type.home != "player":
            return self._place(inference, node)
        moved = set(names.places[family_of(source.type) or ""].kinds)
        own = [p.name for p in names.places.values() if p.index == ("player",) and moved & set(p.kinds)]
        written = [f"{name}[{inference.text(node)}]" for name in own]
        message, why = f"expected a place, found {inference.describe(e)}", "pieces go to a place of the player"
        fix = f"write {listed_some(quoted(written), MOST_SHOWN, 'or')}" if written else ""
        edits = inference.write(node, written[0]) if len(written) == 1 else ()
        inference.complain(node, "type-mismatch", message, why, fix, edits=edits)
        raise Skip

    def _warn_of_all(self, inference: Inference, node: Syntax, place: Expr) -> None:
        """Warn of pieces that go to the places of all players: the first one with room takes them."""
        family = self.entries.names.places[family_of(place.type) or ""]
        if (
            node.kind != "name"
            or not isinstance(place.type, ListOf)
            or family.index[:1] != ("player",)
            or node.parts[0] in inference.env
        ):
            return
        meant = inference.one_of(self.entries.names.sets["player"].type, inference.env)
        words = f"{family.name}[{meant or 'PLAYER'}]"
        message = f"`{family.name}` is that of all players, and pieces go to the first one with room"
        why = f"it is declared as `{self.entries.names.head(family.name)}`"
        edits = inference.write(node, words) if meant else ()
        self.entries.report(
            Diagnostic(
                inference.span(node), "goal-of-all", message, why, f"write `{words}`", level="warning", edits=edits
            )
        )

    def _check_kinds(
        self, inference: Inference, source: Expr, amount: Amount, which: Syntax, node: Syntax, goals: tuple[Goal, ...]
    ) -> None:
        """Check that every kind that can be moved has a goal that can hold it."""
        names = self.entries.names
        moved: Type = names.kinds_type((family_of(source.type) or "",))
        if amount.kinds is not None:
            kinds = amount.kinds.type.item if isinstance(amount.kinds.type, ListOf) else amount.kinds.type
            if not isinstance(kinds, Values):
                return
            if not overlap(kinds, moved) and not kinds.never and not kinds.none:  # type: ignore[arg-type]
                place = names.places[family_of(source.type) or ""]
                inference.complain(
                    which.parts[-1] or which,
                    "kind-never-there",
                    f"`{place.name}` never holds {names.describe_type(kinds)}",
                    f"it holds {names.describe_type(moved)}",
                    f"write {names.some_values(place.kinds)}",
                )
                return
            moved = Values(members=kinds.members & moved.members, lo=kinds.lo, hi=kinds.hi)  # type: ignore[union-attr]
        if amount.number is not None and isinstance(amount.number.type, Several):
            moved = names.type_of_kinds(amount.number.type.kinds)
        held = set()
        for goal in goals:
            held |= set(names.places[family_of(goal.place.type) or ""].kinds)
        lost = sorted(c for c in moved.members if c not in held)  # type: ignore[union-attr]
        if lost:
            shown = listed_some(quoted(names.value_name(c) for c in lost), MOST_SHOWN, "and")
            last = names.places[family_of(goals[-1].place.type) or ""]
            fits = names.kinds_type((last.name,))
            named = f"write `of {fits.home}` after the number" if fits.home else "with `all of …`"
            some = len(lost) < len(moved.members)  # type: ignore[union-attr]
            fix = f"add the kind to the place, or move only what fits: {named}" if some else "add the kind to the place"
            self.entries.complain(inference.span(node), "place-kind", f"{shown} cannot lie there",
                                       f"`{last.name}` holds {names.describe_type(names.kinds_type((last.name,)))}",
                                       fix, ((f"`{last.name}`", last.span),))  # fmt: skip


def _with_unread(node: Node, env: Env) -> Env:
    """Return the env after a step that could not be read: the name it binds is known, its type is not."""
    named = re.match(r"(?:let|roll)\s+([a-z]\w*)", node.text) if isinstance(node, Scalar) else None
    return {**env, named[1]: Unknown()} if named else env


def family_of(t: Type) -> str | None:
    """Return the family of a place or a list of places."""
    match t:
        case PlaceOf():
            return t.family
        case ListOf(item=PlaceOf(family=family)):
            return family
        case _:
            return None


# Places that are used with an index and without: then all of them are meant, or the index is forgotten ----------


def without_their_index(move: Mapping, env: Env, names: Names) -> Iterator[Diagnostic]:
    """Yield a warning for each place without its index that the same move also names with it, where only one is meant."""
    texts = [scalar for key in ("needs", "does") for scalar in _texts(move.get(key))]
    whole = "\n".join(scalar.text for scalar in texts)
    for name in names.places:
        index = ", ".join(_only(t, env) for t in names.index_types(name))
        if (
            not index
            or index.startswith(", ")
            or ", ," in index
            or f"{name}[{index}]" not in re.sub(r"\s+", " ", whole)
        ):
            continue
        asked = r"\b(?:count|empty|free)\(|" if "me" in index.split(", ") else ""  # of a board, all of it may be asked
        bare = re.compile(rf"(?:{asked}^move\b.*\bfrom )({name})(?![\w\[(.])(?!.*\bfor\b)")
        for scalar in texts:
            if m := bare.search(scalar.text):
                written = f"{name}[{index}]"
                message = (
                    f"`{name}` without an index is all of them together, and this move names `{written}` elsewhere"
                )
                edits, at = scalar.edit(*m.span(1), written, sure=False), scalar.at(*m.span(1))
                fix = f"write `{written}`"
                yield Diagnostic(at, "index-missing", message, "", fix, level="warning", edits=edits)


def _only(wanted: Values, env: Env) -> str:
    """Return the one local name of this set; nothing if there is none, or more than one."""
    found = [
        n for n, t in env.items() if isinstance(t, Values) and wanted.home and t.home == wanted.home and "." not in n
    ]
    return found[0] if len(found) == 1 else ""


def _texts(node: Node | None) -> Iterator[Scalar]:
    """Yield the conditions and steps in a part of a move, but no texts for players."""
    match node:
        case Scalar() if not node.text.startswith("tell "):
            yield node
        case Sequence():
            for item in node.items:
                yield from _texts(item)
        case Mapping():
            for key, value in node:
                if key.text not in ("else", "text") or not isinstance(value, Scalar):
                    yield from _texts(value)
