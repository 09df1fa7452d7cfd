"""A merged tree → the checked model of the game for one number of players, or all that is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache, partial

from rulespec.diagnostics.diagnostic import Diagnostic, RuleFileError, Span, each_mistake_once, has_errors
from rulespec.expr.infer import UNKNOWN, Inference
from rulespec.expr.names import ACTS, INDEXED, Names
from rulespec.expr.parse import Fragment, Parses, free_words
from rulespec.expr.static import Env, is_too_large
from rulespec.graph import components
from rulespec.model.bound import given_names
from rulespec.model.declare import NAME, Entries, Skip, Worked, read_declarations, read_shows
from rulespec.model.step_reader import StepReader, without_their_index
from rulespec.model.view_reader import ViewReader, text_of
from rulespec.syntax import (
    NOTHING,
    Act,
    Aggregate,
    Arithmetic,
    BuiltinCall,
    Choice,
    Condition,
    Definition,
    Expr,
    FunctionCall,
    ListOf,
    Literal,
    Local,
    Model,
    MoveRule,
    Parameter,
    PlaceAt,
    PlaceOf,
    Places,
    Procedure,
    Range,
    ScoringRule,
    Several,
    Template,
    Unknown,
    Values,
    VariableRead,
    YesNo,
    each_expression,
    number,
)
from rulespec.yaml.nodes import Mapping, Node, Scalar, Sequence, bare_name, whole_text
from rulespec.yaml.source import MOST_PROBLEMS


def build_model(
    tree: Mapping,
    players: int,
    choices: dict[str, str],
    file: str,
    parses: Parses | None = None,
    worked: Worked | None = None,
    note: Callable[[Names], None] | None = None,
) -> tuple[Model, list[Diagnostic]]:
    """Return the model and the warnings. Raises RuleFileError with all errors if there is one.

    `worked` counts the steps of what is worked out, and `note` is told the names, also where there is an error.
    """
    found: list[Diagnostic] = []
    errors: list[Diagnostic] = []

    def report(d: Diagnostic) -> None:
        (errors if d.level == "error" else found).append(d)
        if len(errors) >= MOST_PROBLEMS:
            raise RuleFileError(errors)

    builder = Builder(tree, players, report, parses, worked)
    model = builder.build(choices, file)
    if note is not None:
        note(builder.names)
    if model is None or errors:
        once = each_mistake_once(errors)
        if any(d.about[0] == INDEXED for d in once):
            from rulespec.model.declared_indexes import misindexed_declarations

            once = misindexed_declarations(once, builder.names)
        once = without_its_parameter(once, tree)
        raise RuleFileError(builder.names.misspelt_declarations(once, builder.reader.called))
    return model, list(dict.fromkeys(found))


_CALLING = {"do": "steps", "score": "scoring"}
_CALLS = re.compile(r"\s*(do|score)\b")
_WORD = re.compile(r"[a-z]\w*")
DEEPEST = 30  # definitions, each of which uses the next
UNPASSED = number(-1000, 1000)  # a `number` that nothing passes: it is never run, and still read


class Builder:
    def __init__(
        self,
        tree: Mapping,
        players: int,
        report: Callable[[Diagnostic], None],
        parses: Parses | None = None,
        worked: Worked | None = None,
    ) -> None:
        self.tree = tree
        self.report = report
        self.entries = Entries(tree, players, report, parses or Parses(), worked or Worked())
        self.names = self.entries.names
        self.reader = StepReader(self.entries)
        self._moves: dict[str, MoveRule] = {}
        self._rules: dict[str, ScoringRule] = {}
        self._procedures: dict[str, Procedure] = {}
        self._function_nodes: dict[str, tuple[Scalar, Node]] = {}
        self._open_functions: list[str] = []
        self._circular: set[Act] = set()  # what may be read before all its callers

    def build(self, choices: dict[str, str], file: str) -> Model | None:
        self.names.bound = cache(partial(given_names, self.tree))
        kinds, supplies = read_declarations(self.entries)
        self._declare_heads()
        self._read_functions()
        read_shows(self.entries)
        self._note_examples()
        self._read_bodies()
        winner = self._winner()
        view = ViewReader(self.entries, self.reader.procedures).view(kinds)
        self._sharpen_functions()
        if not self.tree.get("play"):
            return None
        return Model(
            title=text_of(self.tree.get("game")),
            text=text_of(self.tree.get("text")),
            players=self.names.players,
            choices=choices,
            sets=self.names.sets,
            member_names=self.names.member_names,
            tables=self.names.tables,
            kinds=kinds,
            pieces=supplies,
            places=self.names.places,
            variables=self.names.variables,
            functions=self.names.functions,
            procedures={name: self._procedures[name] for name in self._in_order("steps", self._procedures)},
            moves={name: self._moves[name] for name in self._in_order("moves", self._moves)},
            rules={name: self._rules[name] for name in self._in_order("scoring", self._rules)},
            winner=winner,
            view=view,
            examples=self._examples(),
            file=file,
            pair_parts=self.names.pair_parts,
            place_codes=self.names.place_codes,
            used=frozenset(self.names.used),
            called=frozenset(self.reader.called),
        )

    def _examples(self) -> Mapping | None:
        node = self.tree.get("examples")
        return node if isinstance(node, Mapping) else None

    def infer(
        self, scalar: Scalar, env: Env, read: Callable[[Inference], object] = Inference.value, any_number: bool = False
    ) -> Inference:
        """Return the inference of an expression, which is going to be read in this way."""

        def read_guess(inference: Inference) -> object:
            inference.any_number = any_number
            if free_words(inference.fragment.root).intersection(self._open_functions):
                raise Skip  # it would call itself
            return read(inference)

        judge = partial(self.entries.judge, env, read_guess)
        fragment = self.entries.parse_or_guess(scalar, "expr", judge, env)
        return Inference(
            self.names, fragment, env, self.entries.with_guesses_tried(scalar, "expr", judge, env), any_number
        )

    # heads -----------------------------------------------------------------------------------------------

    def _declare_heads(self) -> None:
        """Read the names and parameters of everything that has a body, before any body."""
        for key, value in self.entries.section("define"):
            with self.entries.entry(key):
                name, _ = self.entries.head(key)
                self.entries.declare(name, "a function", key)
                self._function_nodes[name] = (key, value)
        sections = (
            ("steps", self.reader.procedures),
            ("moves", self.reader.moves),
            ("scoring", self.reader.rules),
        )
        for section, heads in sections:
            for key, _ in self.entries.section(section):
                with self.entries.entry(key, section):
                    name, root = self.entries.head(key)
                    self.entries.declare(name, ACTS[section], key, section)
                    heads[name] = self.entries.parameters(key, root)
        self._read_beside()

    def _read_beside(self) -> None:
        moves = self.reader.moves
        for key, value in self.entries.section("moves"):
            beside = value.get("beside") if isinstance(value, Mapping) else None
            if not isinstance(beside, Scalar):
                continue
            name = bare_name(key.text)
            if beside.text not in moves:
                if ("moves", beside.text) not in self.names.failed_acts:
                    self.report(self.names.unknown(beside.text, "move", beside.span, {}, moves, "moves"))
            elif [p.type for p in moves[beside.text]] != [p.type for p in moves.get(name, ())]:
                self.report(Diagnostic(beside.span, "beside-parameters", f"`{name}` must take the same parameters as `{beside.text}`",
                                       "it is offered wherever the other is, with the same arguments"))  # fmt: skip
            else:
                self.reader.beside.setdefault(beside.text, []).append(name)

    # functions -------------------------------------------------------------------------------------------

    def _read_functions(self) -> None:
        self.names.find_function = self._function
        # those that others use first: a chain of definitions is then no deeper to read than one of them
        texts = {name: whole_text(value) for name, (_, value) in self._function_nodes.items()}
        uses = {name: sorted(set(re.findall(r"[a-z]\w*", text)) & texts.keys()) for name, text in texts.items()}
        for name in [name for circle in components(uses) for name in circle]:
            used = name in self.names.used
            self._function(name)
            if not used:
                self.names.used.discard(name)

    def _function(self, name: str) -> Definition | None:
        """Return the function of this name, inferred on its first use: functions may be declared in any order."""
        if name in self.names.functions:
            return self.names.functions[name]
        if name not in self._function_nodes:
            return None
        key, value = self._function_nodes[name]
        function: Definition | None = None
        if len(self._open_functions) > DEEPEST:
            message = f"`{name}` is at the end of more than {DEEPEST} definitions, each using the next"
            self.report(Diagnostic(key.span, "too-deep", message))
        elif name in self._open_functions:
            chain = " → ".join([*self._open_functions[self._open_functions.index(name) :], name])
            self.report(
                Diagnostic(
                    key.span,
                    "function-cycle",
                    f"`{name}` calls itself: {chain}",
                    "a value that depends on itself can never be worked out",
                )
            )
        else:
            self._open_functions.append(name)
            with self.entries.entry(key):
                function = self._infer_function(name, key, value)
            self._open_functions.pop()
        if function is None:
            function = Definition(name, self._parameters_of(key), UNKNOWN, key.span)
        return self.names.functions.setdefault(name, function)

    def _parameters_of(self, key: Scalar) -> tuple[Parameter, ...]:
        with self.entries.entry():
            _, root = self.entries.head(key)
            parts = root.parts[1:] if root.kind == "function" else ()
            return tuple(Parameter(p.parts[1], Unknown(), p.parts[0]) for p in parts)
        return ()

    def _infer_function(self, name: str, key: Scalar, value: Node) -> Definition:
        _, root = self.entries.head(key)
        parameters = self.entries.parameters(key, root)
        scalar = self.entries.scalar(value, "an expression")
        any_number = any(p.set == "number" for p in parameters)
        inference = self.infer(scalar, self.names.env_of(parameters), any_number=any_number)
        return Definition(name, parameters, inference.value(), key.span)

    def _sharpen_functions(self) -> None:
        """Infer definitions that take a `number` again, with the numbers passed to them, to know how long lists can be."""
        uses = {
            n: [e.function for e in each_expression([f.body]) if isinstance(e, FunctionCall)]
            for n, f in self.names.functions.items()
        }
        for name in reversed([name for circle in components(uses) for name in circle]):
            function = self.names.functions[name]
            parameters = self._as_passed(("define", name), function.parameters)
            if parameters == function.parameters or function.body == UNKNOWN:  # the latter was complained about
                continue
            found: list[Diagnostic] = []
            _, value = self._function_nodes[name]
            env = self.names.env_of(parameters)
            body = Inference(
                self.names, self.entries.parse(self.entries.scalar(value, ""), "expr"), env, found.append
            ).value()
            if not (found and has_errors(found)):  # all calls together may reach what no single one does
                self.names.functions[name] = replace(function, parameters=parameters, body=body)

    # moves, scoring, procedures --------------------------------------------------------------------------

    def _read_bodies(self) -> None:
        """Read everything that has a body, callers first: what they pass is what a `number` can be."""
        bodies: dict[Act, Callable[[], None]] = {}
        nodes: dict[Act, Node | None] = {}
        readers = (("moves", self._read_move), ("scoring", self._read_rule), ("steps", self._read_steps))
        for section, read in readers:
            for key, value in self.entries.section(section):
                name = bare_name(key.text)
                bodies[section, name] = partial(read, name, key, value)
                nodes[section, name] = value
        for name in ("setup", "play"):
            entry = self.tree.entry(name)
            span, node = (entry.key.span, entry.value) if entry else (self.tree.span, None)
            bodies["", name] = partial(self._read_root, name, span, node)
            nodes["", name] = node
        order = list(bodies)
        heads = (self.reader.moves, self.reader.rules, self.reader.procedures)
        if any(p.set == "number" for known in heads for parameters in known.values() for p in parameters):
            uses = {act: set(self._called_in(node)) & bodies.keys() for act, node in nodes.items()}
            order = []
            for circle in components({act: sorted(named) for act, named in uses.items()}):
                order = [*circle, *order]
                self._circular |= set(circle) if len(circle) > 1 or circle[0] in uses[circle[0]] else set()
        for act in order:
            bodies[act]()

    def _called_in(self, node: Node | None) -> Iterator[Act]:
        """Yield the moves, named steps and scoring rules that steps may name, and the moves that are offered beside those."""
        match node:
            case Scalar() if found := _CALLS.match(node.text):
                section, words = _CALLING[found[1]], _WORD.findall(node.text, found.end())
                yield from ((section, word) for word in words)
            case Sequence():
                for item in node.items:
                    yield from self._called_in(item)
            case Mapping():
                for key, value in node:
                    yield from self._called_in(value)
                    for name in _WORD.findall(value.text) if key.text == "to" and isinstance(value, Scalar) else ():
                        yield from (("moves", one) for one in (name, *self.reader.beside.get(name, ())))

    def _in_order(self, section: str, found: Iterable[str]) -> list[str]:
        """Return these names in the order of their section, `setup` and `play` last."""
        written = [bare_name(key.text) for key, _ in self.entries.section(section)]
        return [n for n in dict.fromkeys([*written, "setup", "play"]) if n in found]

    def _as_passed(self, act: Act, parameters: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
        """Return the parameters, with the numbers that are passed for a `number`; all calls must have been read."""
        if act in self._circular:
            return parameters
        return tuple(
            replace(p, type=self.names.passed.get((act, p.name), UNPASSED)) if p.set == "number" else p
            for p in parameters
        )

    def _note_examples(self) -> None:
        """Note the steps that examples run, and the numbers they pass."""
        examples = self._examples()
        for _, example in examples or ():
            run = example.get("run") if isinstance(example, Mapping) else None
            match = re.fullmatch(r"\s*(\w+)\s*\((.*)\)\s*", run.text) if isinstance(run, Scalar) else None
            if match is None or match[1] not in self.reader.procedures:
                continue
            for p, word in zip(self.reader.procedures[match[1]], match[2].split(","), strict=False):
                digits = word.strip()
                if p.set == "number" and re.fullmatch(r"-?[0-9]+", digits) and not is_too_large(digits):
                    self.names.note_passed(("steps", match[1]), (p,), (number(int(digits), int(digits)),))

    def _read_move(self, name: str, key: Scalar, value: Node) -> None:
        if name in self.reader.moves and isinstance(value, Mapping):
            with self.entries.entry():
                self._moves[name] = self._move(name, key, value)

    def _move(self, name: str, key: Scalar, node: Mapping) -> MoveRule:
        given = self._as_passed(("moves", name), self.reader.moves[name])
        env: Env = {"me": self.names.sets["player"].type, **self.names.env_of(given)}
        if any(p.name == "me" for p in given):
            raise self.entries.complain(
                key.span,
                "name-reserved",
                "`me` is the player who decides, in every move",
                "",
                "leave the parameter out",
            )
        choices: list[Choice] = []
        for choice_key, domain in self._entries(node, "choose"):
            if self._is_reversed_choice(choice_key, domain, env):
                env = {**env, choice_key.text: Unknown(), text_of(domain): Unknown()}
                continue
            unread: Env = {**env, choice_key.text: Unknown()}  # what is wrong with a choice is said once
            with self.entries.entry():
                before, env = env, {**env, choice_key.text: Unknown()}  # known below even if it is wrong
                if (turned := self._turned_choice(choice_key, domain, before)) is not None:
                    unread = env = {**before, turned.text: Unknown()}
                    message, new = f"`{choice_key.text}` is a set, not a name", f"{turned.text}: {choice_key.text}"
                    why = "the name of what is chosen comes first, then the set it is chosen from"
                    edits = (*choice_key.respelled(turned.text), *turned.respelled(choice_key.text))
                    self.report(Diagnostic(choice_key.span, "name-taken", message, why, f"write `{new}`", edits=edits))
                    continue
                choice = self._choice(choice_key, domain, before)
                choices.append(choice)
                unread = {**env, choice.name: choice.type}
            env = unread
        conditions = tuple(self._conditions(node, env))
        for unindexed in without_their_index(node, env, self.names):
            self.report(unindexed)
        text = self._template(node.get("text"), env) or Template((name,), key.span)
        beside = node.get("beside")
        does = self.reader.steps(node.get("does"), env)
        return MoveRule(name, given, tuple(choices), conditions, text, does, text_of(beside), key.span)

    def _entries(self, node: Mapping, section: str) -> list[tuple[Scalar, Node]]:
        inner = node.get(section)
        return list(inner) if isinstance(inner, Mapping) else []

    def _is_reversed_choice(self, key: Scalar, domain: Node, env: Env) -> bool:
        """Return whether a set stands before the name of what is chosen from it; that is reported."""
        name = text_of(domain)
        known = name in env or name in self.names.declared or name in self.names.members
        if key.text not in self.names.sets or not isinstance(domain, Scalar) or not NAME.match(name) or known:
            return False
        if name in self.names.failed or name == "player":
            return False
        self.names.used.add(key.text)
        edits = (*key.edit(0, len(key.text), name), *domain.edit(0, len(name), key.text))
        message, why = (
            f"`{key.text}` is a set, and `{name}` is none",
            "the name comes first, then what it is chosen from",
        )
        fix = f"write `{name}: {key.text}`"
        self.report(Diagnostic(key.span, "name-unknown", message, why, fix, edits=edits))
        return True

    def _choice(self, key: Scalar, domain: Node, env: Env) -> Choice:
        if not self.names.check_new_local(key.text, key.span, env, self.report):
            raise Skip
        if isinstance(domain, Sequence):
            return self._listed_choice(key, domain, env)
        scalar = self.entries.scalar(domain, "a set, a range or a list")

        def read(guess: Inference) -> object:
            return self._chosen(key, guess)

        judge = partial(self.entries.judge, env, read)
        fragment = self.entries.parse_or_guess(scalar, "choice", judge, env)
        report = self.entries.with_guesses_tried(scalar, "choice", judge, env)
        return self._chosen(key, Inference(self.names, fragment, env, report))

    def _turned_choice(self, key: Scalar, domain: Node, env: Env) -> Scalar | None:
        """Return the name that stands where the set belongs, if the set stands where the name does."""
        if not isinstance(domain, Scalar) or key.text not in self.names.sets or not _WORD.fullmatch(domain.text):
            return None
        known = domain.text in env or domain.text in self.names.declared or domain.text in self.names.members
        return None if known else domain

    def _chosen(self, key: Scalar, inference: Inference) -> Choice:
        fragment = inference.fragment
        if fragment.root.kind == "several":
            return self._several(key, fragment, inference)
        node = fragment.root.parts[0]
        e = inference.value(node)
        t = inference.item_type(node, e)
        if isinstance(t, Unknown):
            raise Skip
        if isinstance(t, PlaceOf):
            return Choice(key.text, self._coded(key.text, e, t), self.names.place_type(t.family), key.span)
        if not isinstance(t, Values):
            inference.no_list(node, "a set, a range or a list of values or places", e)
            raise Skip
        return Choice(key.text, e, t, key.span)

    def _coded(self, name: str, places: Expr, t: PlaceOf) -> Expr:
        """Return the codes of a list of places, to choose one of them."""
        from rulespec import syntax

        coded = self.names.place_type(t.family)
        assert isinstance(places.type, ListOf)
        gives = ListOf(coded, places.type.largest)
        if isinstance(places, syntax.Places) and not places.index:
            return syntax.Literal(gives, tuple(self.names.place_codes[t.family]))
        each = f"{name} among them"  # no name of an author's: it has spaces
        code = syntax.PlaceCode(coded, syntax.Local(t, each))
        return syntax.Aggregate(gives, "list", code, ((each, places),), None, None)

    def _listed_choice(self, key: Scalar, domain: Sequence, env: Env) -> Choice:
        """Return the choice of a list such as `[slot, none]`: each item is a value or place, or a set for all its members."""
        from rulespec import syntax
        from rulespec.syntax import join_all

        found = [self.infer(self.entries.scalar(i, "a value or a set"), env).value() for i in domain.items]
        items = tuple(self._place_as_code(key.text, e) for e in found)
        t = join_all([e.type.item if isinstance(e.type, ListOf) else e.type for e in items])
        if not isinstance(t, Values):
            if any(isinstance(e.type, Unknown) for e in items):
                raise Skip
            raise self.entries.complain(domain.span, "type-mismatch", "expected sets, values or places to choose from")
        one_item = [e.type.item if isinstance(e.type, ListOf) else e.type for e in items if e.type != NOTHING]
        if len({self.names.coded_family(found) for found in one_item}) > 1:
            message = "places of one board cannot be chosen beside anything else but `none`"
            why = "a chosen place is known by its board: what can be done with it must hold for all that can be chosen"
            fix = "make a move for each; one can be `like` the other"
            raise self.entries.complain(domain.span, "type-mismatch", message, why, fix)
        largest = sum(e.type.largest if isinstance(e.type, ListOf) else 1 for e in items)
        return Choice(key.text, syntax.Items(ListOf(t, largest), items), t, key.span)

    def _place_as_code(self, name: str, e: Expr) -> Expr:
        """Return an item of a choice; a space, or a list of places, as their codes. What else is one place stands for what lies there."""
        from rulespec import syntax

        match e.type:
            case PlaceOf(family=family, sure=sure) if self.names.places[family].shape == "cell":
                return syntax.PlaceCode(replace(self.names.place_type(family), none=not sure), e)
            case ListOf(item=PlaceOf() as item):
                return self._coded(name, e, item)
            case _:
                return e

    def _several(self, key: Scalar, fragment: Fragment, inference: Inference) -> Choice:
        """Return the choice of pieces together: `up to 4 of K from place`."""
        parts = fragment.root.parts
        up_to, number_node, kinds_node, source_node = parts if len(parts) == 4 else (None, *parts)
        most = inference.number(number_node)
        source = inference.value(source_node)
        if not isinstance(source.type, PlaceOf) or self.names.places[source.type.family].shape != "pile":
            if not isinstance(source.type, Unknown):
                inference.not_one_place(source_node, "one pile", source)
            raise Skip
        held = self.names.places[source.type.family].kinds
        domain: Expr = inference.value(kinds_node) if kinds_node else source
        from rulespec import syntax

        least = syntax.Literal(number(0, 0), 0) if up_to else most
        return Choice(key.text, domain, Several(held, source.type.family), key.span, most, least, source)

    def _conditions(self, node: Mapping, env: Env) -> list[Condition]:
        found = []
        for key, value in self._entries(node, "needs"):
            if not isinstance(value, Mapping):
                continue
            with self.entries.entry():
                later = value.entry("afterwards")
                if later is not None and value.entry("that") is not None:
                    message = "a condition has only one of `that` and `afterwards`, this one has both"
                    fix = "make two conditions of them, each with a name and an `else`"
                    raise self.entries.complain(later.key.span, "shape-unknown-key", message, "", fix)
                scalar = self.entries.scalar(value.get("afterwards" if later else "that"), "a condition")
                inference = self.infer(scalar, env, Inference.condition)
                that = inference.condition()
                # what is said to the player is worked out in the position before the move
                refused = env if later else inference.after(env, inference.fragment.root, that, False)
                refusal = self._template(value.get("else"), refused)
                assert refusal is not None
                parts = ("afterwards" if later else "that", "else")
                found.append(Condition(key.text, that, refusal, *_written_at(key, value, *parts), later is not None))
        return found

    def _template(self, node: Node | None, env: Env) -> Template | None:
        if node is None:
            return None
        return self.entries.template(self.entries.scalar(node, "a text"), env)

    def _read_rule(self, name: str, key: Scalar, value: Node) -> None:
        if name not in self.reader.rules or not isinstance(value, Mapping):
            return
        with self.entries.entry():
            parameters = self._as_passed(("scoring", name), self.reader.rules[name])
            env: Env = {"me": self.names.sets["player"].type, **self.names.env_of(parameters)}
            points = self.infer(self.entries.scalar(value.get("points"), "points"), env, Inference.number).number()
            if not any(p == env["me"] for n, p in env.items() if n != "me"):
                self._warn_of_all_players(self.entries.scalar(value.get("points"), "points"), points)
            text = self._template(value.get("text"), env) or Template((name,), key.span)
            self._rules[name] = ScoringRule(name, parameters, text, points, *_written_at(key, value, "points", "text"))

    def _read_steps(self, name: str, key: Scalar, value: Node) -> None:
        if name in self.reader.procedures:
            parameters = self._as_passed(("steps", name), self.reader.procedures[name])
            steps = self.reader.steps(value, self.names.env_of(parameters))
            self._procedures[name] = Procedure(name, parameters, steps, key.span)

    def _read_root(self, name: str, span: Span, node: Node | None) -> None:
        self._procedures[name] = Procedure(name, (), self.reader.steps(node, {}), span)

    def _winner(self) -> tuple[tuple[str, Expr], ...]:
        lines = []
        env: Env = {"me": self.names.sets["player"].type}
        for key, value in self.entries.section("winner"):
            with self.entries.entry():
                scalar = self.entries.scalar(value, "an expression")
                e = _ranked(self.infer(scalar, env, _ranked))
                if _SMALLEST.match(key.text) and not _may_turn_round(e):
                    message = f"`{key.text}` prefers the most: players are ranked by the largest number"
                    new = f"-{scalar.text}" if isinstance(e, VariableRead | BuiltinCall) else f"-({scalar.text})"
                    edits = scalar.edit(0, len(scalar.text), new, sure=False)
                    found = Diagnostic(
                        scalar.span, "winner-fewest", message, "", f"write `{new}`", level="warning", edits=edits
                    )
                    self.report(found)
                self._warn_of_all_players(scalar, e)
                lines.append((key.text, e))
        return tuple(lines)

    def _warn_of_all_players(self, scalar: Scalar, e: Expr) -> None:
        """Warn of a value of each player that is the same for all of them, because an index is missing."""
        if any(isinstance(x, Local) and x.name == "me" for x in each_expression([e])):
            return
        own = (name for name, place in self.names.places.items() if place.index and place.index[0] == "player")
        whole = {name: m for name in own if (m := re.search(rf"(?<![\w.]){name}\b(?!\[)", scalar.text))}
        if len(whole) != 1:
            return
        ((name, m),) = whole.items()
        message = f"`{name}` without an index is that of all players, so this is the same for each of them"
        fix, edits = f"write `{name}[me]`", scalar.edit(*m.span(), f"{name}[me]", sure=False)
        at = scalar.at(*m.span())
        self.report(Diagnostic(at, "index-missing", message, "", fix, level="warning", edits=edits))


_SMALLEST = re.compile(r"(fewest|least|lowest|smallest)\b")


def _may_turn_round(e: Expr) -> bool:
    """Return whether a smaller number of something may make this one larger: not if it is only read, counted or added up."""
    plain = (VariableRead, BuiltinCall, Aggregate, Local, Places, PlaceAt, Literal, Range)
    return isinstance(e.type, YesNo) or not all(
        isinstance(x, plain) or (isinstance(x, Arithmetic) and x.op == "+") for x in each_expression([e])
    )


def _ranked(inference: Inference) -> Expr:
    """Return what players are ranked by: a condition or a number."""
    e = inference.value()
    return e if isinstance(e.type, YesNo | Unknown) else inference.number()


def _written_at(key: Scalar, value: Mapping, *parts: str) -> tuple[Span, Span | None]:
    """Return where an entry stands: at its key, or at the first of these parts that a file on top writes anew, and then the key too."""
    anew = (node.span for part in parts if (node := value.get(part)) and node.span.file != key.span.file)
    span = next(anew, None)
    return (key.span, None) if span is None else (span, key.span)


def without_its_parameter(found: list[Diagnostic], tree: Mapping) -> list[Diagnostic]:
    """Return the same; named steps that are given a value, and use an unknown name for it, lack a parameter in their head."""
    given = [d for d in found if d.code == "call-arguments" and d.about[0] == "given"]
    for call in given:
        section, name = call.about[1].split(":")
        key, body = next(((k, v) for k, v in _section(tree, section) if k.text == name), (None, None))
        if key is None or body is None:
            continue
        inside = [
            d for d in found if d.code == "name-unknown" and d.about[0] == "name" and _is_inside(d.span, body.span)
        ]
        if len({d.about[1] for d in inside}) != 1:
            continue
        missing = inside[0].about[1]
        uses = [d.span for d in inside] + [again for d in inside for again in d.again]
        message = f"`{name}` is given a value and uses `{missing}`, but takes nothing"
        fix = f"write `{name}(SET {missing})`, with the set that `{missing}` is of"
        also = (("it is given a value", call.span), (f"`{missing}`", uses[0]))
        told = Diagnostic(key.span, "call-arguments", message, "", fix, also)
        found = sorted([told, *(d for d in found if d not in inside and d is not call)])
    return found


def _section(tree: Mapping, name: str) -> list[tuple[Scalar, Node]]:
    node = tree.get(name)
    return list(node) if isinstance(node, Mapping) else []


def _is_inside(inner: Span, outer: Span) -> bool:
    """Return whether one stretch of a file begins in another one."""
    begins = inner.line, inner.col
    return inner.file == outer.file and (outer.line, outer.col) <= begins < (outer.end_line, outer.end_col)
