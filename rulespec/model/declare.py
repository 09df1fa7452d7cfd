"""Sections that declare what there is (sets, tables, pieces, places, variables) → Names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from typing import Any

from rulespec import syntax
from rulespec.diagnostics.diagnostic import Diagnostic, Edit, Span, edit, has_errors
from rulespec.english import MOST_SHOWN, as_name, closest, listed_some, number_of, quoted, suggestion
from rulespec.expr.builtins import AGGREGATES, BUILTINS, HIDDEN_BY_OWN
from rulespec.expr.infer import UNKNOWN, Inference
from rulespec.expr.names import RESERVED, SOME_PIECES, Names
from rulespec.expr.parse import KEYWORDS, Fragment, Parses, Syntax, SyntaxProblem, free_words, parse, parse_template
from rulespec.expr.static import Env, Undefined, effort, evaluate, is_static, is_too_large, number_problem
from rulespec.syntax import (
    FIRST_MEMBER,
    LARGEST,
    NONE,
    NOTHING,
    CodedPlace,
    Definition,
    Expr,
    ListOf,
    Literal,
    NamedSet,
    Parameter,
    Place,
    PlaceOf,
    Supply,
    Table,
    Template,
    Type,
    Unknown,
    Values,
    Variable,
    YesNo,
    inside,
    join_all,
    of_codes,
)
from rulespec.yaml.nodes import Mapping, Node, Scalar, Sequence, bare_name, whole_text

MOST_PLACES = 20_000  # of one family
MOST_EFFORT = 500_000  # steps to work out all that must be known before the game starts
Judge = Callable[[Fragment], list[Diagnostic]]  # what is said about a text that can be read: nothing if it makes sense
_PLAIN = re.compile(r"(?:[^\[<$%{]|\{[^{}]*\})*")  # no text that may have holes of another language
NAME = re.compile(r"[a-z][a-z0-9_]*\Z")
MOST_MEMBERS = 5000  # of one set
MOST_ALL_MEMBERS = 100_000  # of all sets together
DEEPEST_SETS = 30  # sets inside one another
MOST_STEPS = 200_000  # from place to place, of one way
MOST_TARGETS = 100  # of one step from one place
DEEPEST_EARLY = 30  # definitions, each of which uses the next
MOST_SUPPLIES = 20_000  # kinds times places where they start
ROOTS = ("setup", "play")  # sections that are lists of steps themselves
MOST_GUESSED = 20  # texts that cannot be read: guesses cost time, and nobody mends more at once
MOST_HOLES = 2000  # `{…}` in all texts together


SECTION_OF = {"table": "tables", "place": "places", "variable": "variables", "function": "define", "set": "sets"}


class Skip(Exception):
    """This entry was reported; continue with the next one."""


@dataclass(slots=True)
class Worked:
    """How many steps it took to work out all that must be known before a game, in every model that was built."""

    steps: int = 0


class Entries:
    """Reads entries of a tree; complaints go to `report`, names to `names`, the steps of what is worked out to `worked`."""

    def __init__(
        self, tree: Mapping, players: int, report: Callable[[Diagnostic], None], parses: Parses, worked: Worked
    ) -> None:
        self.tree = tree
        self.worked = worked
        self.parses = parses
        self.report = report
        self.names = Names(players)
        self.way_of = ""  # the place whose ways are read
        self._holes = 0  # in all texts
        self._guessed = 0  # texts that could not be read, for which others were tried
        self._worked = 0  # steps to work out all that must be known before the game
        for section, what in (("places", "a place"), ("variables", "a variable")):
            self.names.later |= {bare_name(key.text): what for key, _ in self.section(section)}
        player_span = tree.entries[0].key.span if tree.entries else tree.span
        codes = tuple(range(1, players + 1))
        self.names.sets["player"] = NamedSet("player", codes, of_codes(codes, "player"), (), (), player_span)
        self.names.heads["player"] = "player"

    def section(self, name: str) -> Iterator[tuple[Scalar, Node]]:
        node = self.tree.get(name)
        return iter(node) if isinstance(node, Mapping) else iter(())

    def complain(
        self,
        span: Span,
        code: str,
        message: str,
        why: str = "",
        fix: str = "",
        also: Any = (),
        edits: tuple[Edit, ...] = (),
        about: tuple[str, str] = ("", ""),
    ) -> Skip:
        self.report(Diagnostic(span, code, message, why, fix, also, edits=edits, about=about))
        return Skip()

    @contextmanager
    def entry(self, key: Scalar | None = None, section: str = "") -> Iterator[None]:
        """Keep a mistake inside its entry: the others are still read, and uses of its name are not reported.

        `section` is that of a move, named step or scoring rule, whose names are others than those of expressions.
        """
        try:
            yield
            return
        except Skip:
            pass
        except SyntaxProblem as problem:
            self.report(problem.diagnostic)
        if key is not None:
            self.fail({bare_name(key.text), as_name(bare_name(key.text))}, section)

    def fail(self, names: set[str], section: str = "") -> None:
        """Remember that these names were reported where they are declared."""
        if section:
            self.names.failed_acts |= {(section, name) for name in names}
        else:
            self.names.failed |= names

    def declare(self, name: str, what: str, key: Scalar, section: str = "") -> None:
        """Take a name into its namespace: that of expressions, or of a section; refuses one that is taken there."""
        names = self.names
        if not NAME.match(name):
            self.fail({as_name(name)}, section)
            edits = key.edit(0, len(name), as_name(name) or None, sure=False) if key.text.startswith(name) else ()
            raise self.complain(key.span, "name-shape", f"`{name}` is not a name", "names are lower case letters, digits and `_`, and begin with a letter", f"write `{as_name(name)}`" if as_name(name) else "", edits=edits)  # fmt: skip
        # a built-in is always followed by `(`, so only a function could be taken for one
        called = (BUILTINS.keys() | AGGREGATES.keys()) - HIDDEN_BY_OWN
        if name in RESERVED or name == "player" or (what == "a function" and name in called):
            raise self.complain(
                key.span, "name-reserved", f"`{name}` is a word of the language", "", "choose another name"
            )
        if section == "steps" and name in ROOTS:
            why = f"`{name}:` at the top of the file has the steps of that name"
            raise self.complain(key.span, "name-reserved", f"`{name}` is a section", why, "choose another name")
        if section:
            names.acts[section, name] = key  # the section is a map: it has each name once
            return
        if name in names.declared or name in names.members:
            kind, where = names.declared.get(name, ("a member of a set", None))
            also = ((f"`{name}` is {kind}", where),) if where else ()
            fix, at, message = "choose another name", key.span, f"`{name}` is {kind} already"
            home = SECTION_OF.get(kind.removeprefix("a "))
            if where is not None and home and self._is_change(key.span, where):
                fix = f"to change {kind} write it under `{home}:`"
            elif (
                where is not None
                and home
                and (own := SECTION_OF.get(what.removeprefix("a ")))
                and self._is_change(where, key.span)
            ):
                at, also = where, ((f"`{name}` is {what}", key.span),)
                message, fix = f"`{name}` is {what} already", f"to change {what} write it under `{own}:`"
            raise self.complain(at, "name-taken", message, "in expressions, a name has one meaning", fix, also)
        names.declared[name] = (what, key.span)
        names.heads[name] = key.text

    def _is_change(self, span: Span, of: Span) -> bool:
        """Return whether one place is in a change of the other: in another file, or further in, under `options:`."""
        return span.file != of.file or of.col < span.col

    def parse(self, scalar: Scalar, entry: str) -> Fragment:
        """Return the syntax tree of a text. Raises SyntaxProblem, with a name that was probably meant if there is such a name."""
        try:
            return parse(scalar, entry, parses=self.parses)
        except SyntaxProblem as problem:
            found = problem.diagnostic
            new = found.edits[0].new if entry == "expr" and len(found.edits) == 1 else ""
            known = (*self.names.declared, *self.names.members, *BUILTINS, *AGGREGATES, *KEYWORDS)
            if not new.isidentifier() or new in known:
                raise
            raise SyntaxProblem(replace(found, fix="", edits=())) from None

    def parse_or_guess(self, scalar: Scalar, entry: str, judge: Judge, env: Env | None = None) -> Fragment:
        """Return the syntax tree of a text. Raises SyntaxProblem, with what was probably meant if a guess makes sense."""
        try:
            return parse(scalar, entry, parses=self.parses)
        except SyntaxProblem as problem:
            raise SyntaxProblem(self._guess(problem.diagnostic, scalar, entry, judge, env or {})) from None

    def _guess(self, problem: Diagnostic, scalar: Scalar, entry: str, judge: Judge, env: Env) -> Diagnostic:
        """Return a complaint about a text that cannot be read, with what was probably meant if a guess makes sense."""
        if self._guessed == MOST_GUESSED:
            return problem
        from rulespec.model.meant import explained

        self._guessed += 1
        return explained(problem, scalar, entry, judge, self.meaningful(env))

    def meaningful(self, env: Env) -> frozenset[str]:
        """Return all words that mean something where these local names are known."""
        acts = (name for _, name in self.names.acts)
        own = (*self.names.declared, *self.names.members, *self.names.later, *acts, *env)
        return frozenset((*own, *BUILTINS, *AGGREGATES, "me", "players"))

    def with_guesses_tried(
        self, scalar: Scalar, entry: str, judge: Judge, env: Env | None = None
    ) -> Callable[[Diagnostic], None]:
        """Return what reports complaints about a text: those with a guess at another name only if that fits there.

        A complaint without a guess gets what fits there, if only that does.
        """

        def report(found: Diagnostic) -> None:
            if self._guessed < MOST_GUESSED and found.level == "error":
                from rulespec.model.fitting import with_what_fits
                from rulespec.model.meant import said_of, without_bad_guess

                self._guessed += 1
                if found.edits:
                    found = without_bad_guess(found, scalar, entry, judge)
                if not found.edits:

                    def said(text: str) -> list[Diagnostic] | None:
                        return said_of(text, scalar, entry, judge)

                    found = with_what_fits(found, scalar, self.names, env or {}, said)
            self.report(found)

        return report

    def _with_what_fits(self, scalar: Scalar, judge: Judge, env: Env | None) -> Callable[[Diagnostic], None]:
        """Return what reports complaints about a value that the rules fix: those without a guess with what fits there."""
        tried = self.with_guesses_tried(scalar, "expr", judge, env)
        return lambda found: (self.report if found.edits else tried)(found)

    def _with_hole_tried(self, hole: Fragment, env: Env) -> Callable[[Diagnostic], None]:
        """Return what reports complaints about a hole of a text."""
        part = hole.scalar.part(hole.offset + hole.root.start, hole.offset + hole.root.end)
        return self._with_what_fits(part, partial(self.judge, env, Inference.value), env)

    def judge(self, env: Env, read: Callable[[Inference], object], fragment: Fragment) -> list[Diagnostic]:
        """Return what is said about an expression that is read in this way."""
        found: list[Diagnostic] = []
        senseless = Diagnostic(fragment.span(), "", "")
        with self.names.on_trial():
            try:
                e = read(Inference(self.names, fragment, env, found.append))
            except Skip:
                return found or [senseless]
        return found or ([senseless] if isinstance(getattr(e, "type", None), Unknown) else [])

    def template(self, scalar: Scalar, env: Env, start: int = 0) -> Template:
        """Return a checked text, from an offset on."""
        parts: list[str | Expr] = []
        self._warn_of_signs(scalar, start)
        if not _PLAIN.fullmatch(scalar.text, start):
            from rulespec.model.texts import odd_values

            for odd in odd_values(scalar, start, env, self.names):
                self.report(odd)
        for part in self.cut_template(scalar, start, env):
            if isinstance(part, str):
                parts.append(part)
                continue
            e = Inference(self.names, part, env, self._with_hole_tried(part, env)).value()
            if isinstance(e, CodedPlace):
                e = e.code
            if part.root.kind == "name" and part.root.parts[0] in self.names.sets:
                from rulespec.model.texts import whole_set

                if whole := whole_set(Inference(self.names, part, env, self.report), e):
                    self.report(whole)
            if isinstance(e.type, PlaceOf) or (isinstance(e.type, ListOf) and isinstance(e.type.item, PlaceOf)):
                self.report(
                    Diagnostic(
                        part.span(),
                        "text-hole",
                        f"a text cannot show {self.names.describe(e)}",
                        "",
                        "show its `count(…)` or `piece(…)`",
                    )
                )
            parts.append(e)
        return Template(tuple(parts), scalar.span)

    def _warn_of_signs(self, scalar: Scalar, start: int) -> None:
        """Warn of signs around a text or a hole that belong to other languages: here they are shown as they stand."""
        text = scalar.text[start:]
        message, fix, edits = "", "leave it out", tuple[Edit, ...]()
        if dollar := re.search(r"\$(?=\{)", text):
            message = "the `$` before `{` is shown too"
            edits = scalar.edit(start + dollar.start(), start + dollar.end(), "")
            at = scalar.at(start + dollar.start(), start + dollar.end())
        elif quotes := re.fullmatch(r"[“”„«‘‚‹](.*)[“”»’‘›]", text) or (
            re.fullmatch(r'"([^"]*)"', text) if start else re.fullmatch(r"""[a-zA-Z]{1,2}(?:"([^"]*)"|'[^']*')""", text)
        ):
            first = re.sub(r"\w", "", text)[0] if text[0].isascii() else text[0]
            message, fix = f"the quotes {text[: text.index(first) + 1]} {text[-1]} are shown too", "leave them out"
            inside = quotes[1] if quotes[1] is not None else text[text.index(first) + 1 : -1]
            new = inside if not inside.startswith("{") and ": " not in inside and " #" not in inside else f'"{inside}"'
            edits = scalar.edit(start, len(scalar.text), new) if not start or new == inside else ()
            at = scalar.at(start, len(scalar.text))
        if message:
            why = "in a text, only `{…}` is replaced"
            self.report(Diagnostic(at, "text-sign", message, why, fix, level="warning", edits=edits))

    def cut_template(self, scalar: Scalar, start: int = 0, env: Env | None = None) -> list[str | Fragment]:
        """Return a text, cut into its literal parts and its holes; refuses it if there are too many with those before it.

        What is meant by a hole that cannot be read is guessed where the local names are given.
        """
        before, self._holes = self._holes, self._holes + scalar.text.count("{")
        if before > MOST_HOLES:
            raise Skip  # it was reported at an earlier text
        if self._holes > MOST_HOLES:
            message = f"up to this text, there are {self._holes:,} `{{…}}` in texts; at most {MOST_HOLES:,} are allowed"
            raise self.complain(scalar.span, "too-large", message)
        if env is None:
            return parse_template(scalar, self.parses, start)

        def guess(problem: Diagnostic, hole: Scalar) -> Diagnostic:
            return self._guess(problem, hole, "expr", partial(self.judge, env, Inference.value), env)

        return parse_template(scalar, self.parses, start, guess)

    def infer(self, fragment: Fragment, env: Env | None = None) -> Inference:
        return Inference(self.names, fragment, env or {}, self.report)

    def static(self, scalar: Scalar, env: Env | None = None, worked_out: bool = True) -> Expr:
        """Return a checked expression that reads no state, and can be worked out in time if it is to be."""
        judge = partial(self.judge, env or {}, Inference.value)
        fragment = self.parse(scalar, "expr")
        inference = replace(self.infer(fragment, env), report=self._with_what_fits(scalar, judge, env))
        e = inference.value()
        if isinstance(e.type, Unknown):
            raise Skip
        if not is_static(e, self.names.functions):
            raise self.not_fixed(scalar.span)
        if worked_out:
            self.check_effort(scalar.span, e)
        return e

    def check_effort(self, span: Span, e: Expr, times: int = 1) -> None:
        """Refuse what takes too long to evaluate that many times."""
        if isinstance(e, Literal):
            return
        functions: dict[str, int] = {}
        for name, function in self.names.functions.items():  # each comes after those it calls
            functions[name] = effort(function.body, functions)
        steps = times * effort(e, functions)
        self._worked += steps
        if steps > MOST_EFFORT:
            why = "it loops over long lists inside long lists"
        elif self._worked > MOST_EFFORT >= self._worked - steps:
            why = f"with what comes before it, it may take {self._worked:,}"
        elif self._worked > MOST_EFFORT:
            raise Skip  # it was reported at an earlier entry
        else:
            self.worked.steps += steps
            return
        message = f"working this out may take more than {MOST_EFFORT:,} steps"
        raise self.complain(span, "too-much-work", message, why)

    def static_number(self, node: Node | None, env: Env | None = None) -> Expr:
        e = self.static(self.scalar(node, "a number"), env)
        if not (isinstance(e.type, Values) and e.type.is_number and not e.type.none):
            assert node is not None
            raise self.complain(node.span, "type-mismatch", f"expected a number, found {self.names.describe(e)}")
        return e

    def scalar(self, node: Node | None, what: str) -> Scalar:
        if isinstance(node, Scalar):
            return node
        assert node is not None
        raise self.complain(
            node.span,
            "shape-type",
            f"expected {what} on one line, found a {'list' if isinstance(node, Sequence) else 'map'}",
        )

    def head(self, key: Scalar) -> tuple[str, Syntax]:
        is_table = any(key is other for other, _ in self.section("tables"))  # there one entry may be meant
        if not is_table and (m := re.fullmatch(r"([a-z]\w*)\[([1-9][0-9]{0,3})\]", key.text)):
            numbers = tuple(range(1, int(m[2]) + 1))
            same = next((s.name for s in self.names.sets.values() if s.values == numbers and s.name != "player"), "")
            if same:
                at, meant = key.at(m.start(2), m.end(2)), f"{m[1]}[{same}]"
                message = f"expected the name of a set in `[ ]`, found `{m[2]}`"
                why, fix = f"an index is a set or a range; `{same}` is 1..{m[2]}", f"write `{meant}`"
                edits = key.edit(m.start(2), m.end(2), same, sure=False)
                raise self.complain(at, "head-brackets", message, why, fix, edits=edits)
        fragment = self.parse(key, "head")
        return fragment.root.parts[0], fragment.root

    def index_sets(self, key: Scalar, root: Syntax) -> tuple[tuple[str, ...], tuple[tuple[int, ...], ...]]:
        """Return names and values of the index sets of a head such as `board[player, row]`."""
        if root.kind == "function":
            meant = key.text.replace("(", "[").replace(")", "]")
            message, fix = "indexes go in square brackets", f"write `{meant}`"
            raise self.complain(key.span, "head-brackets", message, "", fix, edits=key.respelled(meant))
        names: list[str] = []
        values: list[tuple[int, ...]] = []
        for index in root.parts[1:]:
            span = key.at(index.start, index.end)
            if index.kind == "index_name":
                name = index.parts[0]
                if name not in self.names.sets:
                    raise self.complain_set(span, name)
                self.names.used.add(name)
                names.append(name)
                values.append(self.names.sets[name].values)
            else:
                lo, hi = (self._whole(key, part) for part in index.parts)
                names.append("")
                values.append(tuple(range(lo, min(hi, lo + MOST_PLACES) + 1)))
        size = 1
        for v in values:
            size *= len(v)
        if size > MOST_PLACES:
            raise self.complain(
                key.span,
                "too-large",
                f"`{bare_name(key.text)}` would have {size:,} entries; at most {MOST_PLACES:,} are allowed",
            )
        return tuple(names), tuple(values)

    def complain_set(self, span: Span, name: str) -> Skip:
        """Report that there is no such set, unless its declaration was reported."""
        if name not in self.names.failed:
            self.report(self.names.unknown(name, "set", span, {}, self.names.sets))
            self.names.failed.add(name)  # or it would be taken for a new kind of piece
        return Skip()

    def _whole(self, key: Scalar, part: Syntax) -> int:
        return int(evaluate(self.fixed(self.infer(Fragment(key, part)), part), {}, self.names))

    def fixed(self, inference: Inference, node: Syntax, number: bool = True) -> Expr:
        """Return the checked expression, which must read no state."""
        e = inference.number(node) if number else inference.value(node)
        if isinstance(e.type, Unknown):
            raise Skip
        if not is_static(e, self.names.functions):
            raise self.not_fixed(inference.span(node))
        self.check_effort(inference.span(node), e)
        return e

    def not_fixed(self, span: Span) -> Skip:
        why = "it reads a place or a variable"
        return self.complain(span, "expr-not-fixed", "this must be known before the game starts", why)

    def parameters(self, key: Scalar, root: Syntax) -> tuple[Parameter, ...]:
        """Return the parameters of a head such as `run(player p, row r)`."""
        if root.kind == "indexed":
            raise self.complain(
                key.span,
                "head-brackets",
                "parameters go in round brackets, each with its set",
                "",
                "write `name(set x)`",
            )
        found: list[Parameter] = []
        for param in root.parts[1:]:
            set_name, name = param.parts
            t = self.names.parameter_type(set_name)
            if t is None and name in self.names.sets and set_name not in self.names.failed:
                meant, at = f"{name} {set_name}", key.at(param.start, param.end)
                message, why = f"no set called `{set_name}`", "the set comes before the parameter"
                edits = key.edit(param.start, param.end, meant)
                raise self.complain(at, "name-unknown", message, why, f"write `{meant}`", edits=edits)
            if t is None:
                raise self.complain_set(key.at(param.start, param.start + len(set_name)), set_name)
            at = key.at(param.end - len(name), param.end)
            self.names.check_new_local(name, at, self.names.env_of(found), self.report)
            found.append(Parameter(name, t, set_name))
        return tuple(found)


def read_declarations(entries: Entries) -> tuple[tuple[int, ...], tuple[Supply, ...]]:
    """Read the declaring sections, each after those it builds on; return the kinds of pieces and the supplies."""
    _SetReader(entries).read()
    _read_tables(entries)
    kinds = _read_kinds(entries)
    _read_places(entries, kinds)
    supplies = _read_pieces(entries)
    _read_variables(entries)
    return kinds, supplies


# Sets -----------------------------------------------------------------------------------------------------------


class _SetReader:
    """Reads the sets, each after those that it contains."""

    def __init__(self, entries: Entries) -> None:
        self.entries = entries
        self.names = entries.names
        self._sets: dict[str, tuple[Scalar, Node]] = {}
        self._open_sets: list[str] = []

    def read(self) -> None:
        for key, value in self.entries.section("sets"):
            with self.entries.entry(key):
                self.entries.declare(key.text, "a set", key)
                self._sets[key.text] = (key, value)
        for name, (key, _) in self._sets.items():
            with self.entries.entry(key):
                self._resolve_set(name)

    def _resolve_set(self, name: str) -> NamedSet:
        """Return the set of this name, its contained sets first."""
        if name in self.names.sets:
            return self.names.sets[name]
        if name in self.names.failed:
            raise Skip
        key, value = self._sets[name]
        if len(self._open_sets) > DEEPEST_SETS:
            raise self.entries.complain(key.span, "too-deep", f"more than {DEEPEST_SETS} sets, each inside the next")
        if name in self._open_sets:
            chain = " → ".join([*self._open_sets[self._open_sets.index(name) :], name])
            raise self.entries.complain(
                key.span, "set-cycle", f"`{name}` contains itself: {chain}", "", "take it out of the members"
            )
        self._open_sets.append(name)
        try:
            parts: tuple[str, ...] = ()
            if isinstance(value, Sequence):
                codes = self._listed_members(value)
            else:
                codes, parts = self._computed_members(name, self.entries.scalar(value, "a set"))
        except (Skip, SyntaxProblem):
            self.names.failed.add(name)
            raise
        finally:
            self._open_sets.pop()
        if len(codes) > MOST_MEMBERS:
            raise self.entries.complain(
                value.span,
                "too-large",
                f"`{name}` would have {len(codes):,} members; at most {MOST_MEMBERS:,} are allowed",
            )
        if not codes and isinstance(value, Sequence) and value.items:
            raise Skip  # each of them was complained about
        total = len(codes) + sum(len(s.values) for s in self.names.sets.values())
        if total > MOST_ALL_MEMBERS:
            message = f"all sets together would have {total:,} members; at most {MOST_ALL_MEMBERS:,} are allowed"
            raise self.entries.complain(value.span, "too-large", message)
        if not codes:
            turned = re.fullmatch(r"([0-9]+)\s*\.\.\s*([0-9]+)", value.text) if isinstance(value, Scalar) else None
            if turned and isinstance(value, Scalar):
                meant, why = f"{turned[2]}..{turned[1]}", "a range begins with its smallest number"
                message, edits = f"`{name}` has no members", value.respelled(meant)
                raise self.entries.complain(value.span, "set-empty", message, why, f"write `{meant}`", edits=edits)
            raise self.entries.complain(value.span, "set-empty", f"`{name}` has no members")
        items = [i.text for i in value.items if isinstance(i, Scalar)] if isinstance(value, Sequence) else []
        contains = tuple(t for t in items if t in self.names.sets)
        self.names.sets[name] = NamedSet(name, codes, of_codes(codes, name), parts, contains, key.span)
        return self.names.sets[name]

    def _listed_members(self, node: Sequence) -> tuple[int, ...]:
        codes: list[int] = []
        seen: dict[int, Span] = {}
        for item in node.items:
            with self.entries.entry():
                self._add_members(self.entries.scalar(item, "a member"), codes, seen)
        return tuple(codes)

    def _add_members(self, scalar: Scalar, codes: list[int], seen: dict[int, Span]) -> None:
        with self.entries.entry(scalar):
            if scalar.text == "player":
                new = self.names.sets["player"].values
            elif scalar.text in self._sets:
                self.names.used.add(scalar.text)
                new = self._resolve_set(scalar.text).values
            elif re.fullmatch(r"-?[0-9]+", scalar.text):
                if is_too_large(scalar.text):
                    self.entries.report(number_problem(scalar.span, scalar.text))
                    raise Skip
                new = (int(scalar.text),)
            else:
                self._check_set_meant(scalar)
                new = (self._member(scalar),)
            for code in new:
                if code in seen:
                    self.entries.complain(scalar.span, "set-duplicate", f"`{self.names.value_name(code)}` is in this set twice", "", "take one out", (("the first one", seen[code]),))  # fmt: skip
                    continue
                seen[code] = scalar.span
                codes.append(code)

    def _check_set_meant(self, scalar: Scalar) -> None:
        """Refuse a new member that is almost a set which nothing names: the set is misspelt where it is declared."""
        near = closest(scalar.text, self._sets, 0.79)
        if near is None or near in self.names.failed:
            return
        words = re.findall(r"\w+", whole_text(self.entries.tree))
        if words.count(near) > 1 or words.count(scalar.text) < 3:
            return
        key, name = self._sets[near][0], scalar.text
        self.names.failed |= {near, name}
        message = f"nothing uses `{near}`, but `{name}` is used and not declared"
        fix, edits = f"write `{name}` here, or `{near}` there", key.edit(0, len(near), name, sure=False)
        raise self.entries.complain(key.span, "name-unknown", message, "", fix, ((f"`{name}`", scalar.span),), edits)

    def _member(self, scalar: Scalar) -> int:
        """Return the code of a member's name; the same name in two sets is the same member."""
        name = scalar.text
        if name in self.names.members:
            return self.names.members[name]
        if not NAME.match(name):
            self.names.failed.add(as_name(name))
            why, message = (
                "members are lower case names, numbers, or names of other sets",
                f"`{name}` is not a member's name",
            )
            meant, words = as_name(name) or None, name.split(" ")
            fix = f"write `{meant}`" if meant else ""
            if len(words) > 1 and all(map(NAME.match, words)):  # a comma was left out, or `_`
                self.names.failed |= {*words}
                two = ", ".join(words)
                if any(f"{word}:" in (text := whole_text(self.entries.tree)) or f"{word}," in text for word in words):
                    meant = two
                fix = f"write `{meant}`, or `{as_name(name) if meant == two else two}`"
            raise self.entries.complain(scalar.span, "name-shape", message, why, fix, edits=scalar.respelled(meant))
        if name in RESERVED:
            raise self.entries.complain(
                scalar.span, "name-reserved", f"`{name}` is a word of the language", "", "choose another name"
            )
        if name in self.names.declared:
            what, where = self.names.declared[name]
            raise self.entries.complain(
                scalar.span, "name-taken", f"`{name}` is {what} already", "", "", ((f"`{name}`", where),)
            )
        return _new_member(self.names, name, scalar.span)

    def _computed_members(self, name: str, scalar: Scalar) -> tuple[tuple[int, ...], tuple[str, ...]]:
        words = re.findall(r"[a-z][a-z0-9_]*", scalar.text)
        if re.fullmatch(r"-[a-z]\w*(?: -[a-z]\w*)*", scalar.text):
            self.names.failed |= set(words)
            message, fix = "no space after the `-` of the members", "write a space after each `-`"
            dashes = [m.start() + 1 for m in re.finditer("-", scalar.text)]
            edits = tuple(change for at in dashes for change in scalar.edit(at, at, " "))
            raise self.entries.complain(scalar.span, "set-brackets", message, "", fix, edits=edits)
        tuple_ = re.fullmatch(r"\(([^()]*)\)", scalar.text)
        if tuple_ and words and re.fullmatch(r"[\s\w,;\"']*", tuple_[1]) and not any(w in self._sets for w in words):
            self.names.failed |= set(words)
            members = f"[{', '.join(words)}]"
            message, edits = "the members of a set go in `[ ]`", scalar.edit(0, len(scalar.text), members)
            fix = f"write `{name}: {members}`"
            raise self.entries.complain(scalar.span, "set-brackets", message, "", fix, edits=edits)
        called = re.fullmatch(r"([A-Za-z]\w*)\(([a-z]\w*(?:\s*,\s*[a-z]\w*)*)\)", scalar.text)
        if called and called[1] not in (*AGGREGATES, *BUILTINS) and self.names.function(called[1]) is None:
            self.names.failed |= set(words)
            members = f"[{called[2]}]"
            message, edits = "the members of a set go in `[ ]`", scalar.edit(0, len(scalar.text), members, sure=False)
            fix = f"write `{name}: {members}`"
            raise self.entries.complain(scalar.span, "set-brackets", message, "", fix, edits=edits)
        if re.fullmatch(r"[a-z]\w*(?:\s*,?\s+[a-z]\w*)*", scalar.text) and not any(w in self._sets for w in words):
            self.names.failed |= set(words)  # they were meant as members
            members = f"[{', '.join(words)}]"
            message, edits = "the members of a set go in `[ ]`", scalar.edit(0, len(scalar.text), members)
            fix = f"write `{name}: {members}`"
            raise self.entries.complain(scalar.span, "set-brackets", message, "", fix, edits=edits)
        fragment = self.entries.parse(scalar, "set")
        for word in words:
            if word in self._sets:
                self._resolve_set(word)
        root = fragment.root.parts[0]
        inference = self.entries.infer(fragment)
        e = inference.value(root)
        if isinstance(e.type, Unknown):
            raise Skip
        if isinstance(e, syntax.BuiltinCall) and e.name == "pairs":
            first, second = (a.name for a in e.args)  # type: ignore[union-attr]
            return self._pairs(first, second, scalar.span), (first, second)
        if not is_static(e, self.names.functions) or not isinstance(e.type, ListOf):
            inference.no_list(root, "a list of members or a range such as `1..5`", e)
            raise Skip
        if e.type.largest > MOST_MEMBERS:
            raise self.entries.complain(
                scalar.span,
                "too-large",
                f"this set would have {e.type.largest:,} members; at most {MOST_MEMBERS:,} are allowed",
            )
        self.entries.check_effort(scalar.span, e)
        return tuple(evaluate(e, {}, self.names)), ()

    def _pairs(self, first: str, second: str, span: Span) -> tuple[int, ...]:
        a, b = self.names.sets[first].values, self.names.sets[second].values
        self.names.used |= {first, second}
        if len(a) * len(b) > MOST_MEMBERS:
            raise self.entries.complain(
                span, "too-large", f"these are {len(a) * len(b):,} pairs; at most {MOST_MEMBERS:,} are allowed"
            )
        codes = []
        for x, y in product(a, b):
            name = f"{self.names.value_name(x)}.{self.names.value_name(y)}"
            code = self.names.members.get(name) or _new_member(self.names, name, span)
            self.names.pair_parts[code] = (x, y)
            codes.append(code)
        return tuple(codes)


def _new_member(names: Names, name: str, span: Span) -> int:
    code = FIRST_MEMBER + len(names.members)
    names.members[name] = code
    names.member_names[code] = name
    names.declared.setdefault(name, ("a member", span))
    return code


# Tables ---------------------------------------------------------------------------------------------------------


def _read_tables(entries: Entries) -> None:
    for key, value in entries.section("tables"):
        with entries.entry(key):
            name, root = entries.head(key)
            _, index = entries.index_sets(key, root)
            entries.declare(name, "a table", key)
            entries.names.heads[name] = key.text
            _check_list_signs(entries, value)
            if root.kind == "plain" and isinstance(value, Sequence):
                index = (tuple(range(1, len(value.items) + 1)),)
            cells = _cells(entries, name, value, index, root.parts[1:])
            t = join_all([e.type.item if isinstance(e.type, ListOf) else e.type for e in cells])
            if t is None or len({isinstance(e.type, ListOf) for e in cells}) > 1:
                fix, edits = _single_entries(value) if t is not None else ("", ())
                message = f"the entries of `{name}` are of different kinds"
                why = "some are lists, some are not" if t is not None else ""
                raise entries.complain(value.span, "table-mixed", message, why, fix, edits=edits)
            codes = tuple(evaluate(e, {}, entries.names) for e in cells)
            if isinstance(t, Values):
                flat = [c for e in codes for c in (e if isinstance(e, tuple) else (e,))]
                t = replace(t, home=entries.names.home(tuple(flat)) if t.members else "")
            entries.names.tables[name] = Table(name, index, codes, t, key.span)


def _check_list_signs(entries: Entries, value: Node) -> None:
    """Refuse `1, 2, 3` without brackets, which is no expression."""
    if not isinstance(value, Scalar) or re.fullmatch(r"[0-9]{1,3}(?:,[0-9]{3})+", value.text):
        return  # with a comma for thousands it is one number
    if re.fullmatch(r"-?\w+(?:\s*[,;]\s*-?\w+)+", value.text):
        meant = f"[{', '.join(re.split(r'[,; ]+', value.text))}]"
        message, fix = (
            f"expected one value, found {number_of(meant.count(',') + 1, 'value')}",
            f"a list has brackets: write `{meant}`",
        )
        is_decimal = re.fullmatch(r"[0-9]+,[0-9]{1,2}", value.text) is not None
        if is_decimal:  # either may be meant
            number = int(value.text.partition(",")[0])
            fix = f"a number is whole: write `{number}` or `{number + 1}`; a list has brackets: `{meant}`"
        edits = value.edit(0, len(value.text), None if is_decimal else meant)
        raise entries.complain(value.span, "shape-type", message, "", fix, edits=edits)


def _single_entries(node: Node) -> tuple[str, tuple[Edit, ...]]:
    """Return how single entries are written in a table of lists, in words and as a change of each."""
    values = (
        [v for _, v in node] if isinstance(node, Mapping) else list(node.items) if isinstance(node, Sequence) else []
    )
    single = [v for v in values if isinstance(v, Scalar)]
    if not single or 2 * len(single) >= len(values):  # which of them are meant is not clear
        return "", ()
    edits = tuple(change for v in single for change in v.edit(0, len(v.text), f"[{v.text}]", sure=False))
    return f"a list of one has brackets too: write `[{single[0].text}]`", edits


def _rows_meant(
    node: Sequence, index: tuple[tuple[int, ...], ...], heads: tuple[Any, ...]
) -> tuple[str, tuple[Edit, ...]]:
    """Return how a table of two indexes is written that is one flat list, or has its columns for rows."""
    if len(index) != 2:
        return "", ()
    rows, columns = len(index[0]), len(index[1])
    flat = [i.text for i in node.items if isinstance(i, Scalar)]
    if len(flat) == len(node.items) == rows * columns:
        made = [f"[{', '.join(flat[n : n + columns])}]" for n in range(0, len(flat), columns)]
        meant = f"[{', '.join(made)}]"
        edits = edit(node.span, f"[{', '.join(flat)}]", meant) if node.flow else ()
        return f"a list for each member of {_index_label(index[0], heads)}: write `{meant}`", edits
    lists = [[i.text for i in row.items if isinstance(i, Scalar)] for row in node.items if isinstance(row, Sequence)]
    if len(lists) == len(node.items) == columns and all(len(row) == rows for row in lists):
        made = [f"[{', '.join(row)}]" for row in zip(*lists, strict=True)]
        first, second = _index_label(index[0], heads), _index_label(index[1], heads[1:])
        fix = f"these are lists for {second}, which is the second index: one for each member of {first} is `[{', '.join(made)}]`"
        return fix, _transposed(node, lists, made)
    return "", ()


def _transposed(node: Sequence, lists: list[list[str]], made: list[str]) -> tuple[Edit, ...]:
    """Return the changes that write other rows in the place of these, which are on lines of their own or all on one."""
    old = [f"[{', '.join(row)}]" for row in lists]
    if node.flow:
        return edit(node.span, f"[{', '.join(old)}]", f"[{', '.join(made)}]")
    found: list[Edit] = []
    for number, (row, text) in enumerate(zip(node.items, old, strict=True)):
        if number >= len(made):
            at = row.span
            found += edit(Span(at.file, at.line, at.col - 2, at.end_line, at.end_col), f"- {text}", "")
            continue
        more = made[number:] if number == len(old) - 1 else [made[number]]
        found += edit(row.span, text, f"\n{' ' * (row.span.col - 3)}- ".join(more))
    return tuple(found)


def _cells(
    entries: Entries, name: str, node: Node, index: tuple[tuple[int, ...], ...], heads: tuple[Any, ...]
) -> list[Expr]:
    """Return the entries of a table or a part of one, row by row; a map or list must cover its index exactly."""
    if not index:
        return [_cell(entries, node)]
    values = index[0]
    label = _index_label(values, heads)
    if isinstance(node, Sequence):
        if _are_single_maps(node):
            raise _listed_map(entries, node)
        if len(node.items) != len(values):
            more = len(node.items) - len(values)
            some = number_of(abs(more), "entry")
            fix = f"leave {some} out" if more > 0 else f"add {some}"
            meant, edits = _rows_meant(node, index, heads)
            raise entries.complain(node.span, "table-size", f"`{name}` has {number_of(len(node.items), 'entry')} here, {label} has {number_of(len(values), 'member')}",
                                "a table covers its index exactly", meant or (f"{fix}, or change {label}" if label.startswith("`") else fix), about=("index", label.strip("`")), edits=edits)  # fmt: skip
        rows = list(node.items)
    elif isinstance(node, Mapping):
        _check_outer_keys(entries, node, index, heads)
        rows = _rows_by_member(entries, name, node, values, label)
    else:
        raise entries.complain(
            node.span,
            "table-size",
            f"expected a list or map with an entry for each of the {len(values)} members of {label}, found one value",
        )
    return [e for row in rows for e in _cells(entries, name, row, index[1:], heads[1:])]


def _are_single_maps(node: Sequence) -> bool:
    """Return whether this is a list of maps with one entry each."""
    return bool(node.items) and all(isinstance(i, Mapping) and len(i.entries) == 1 for i in node.items)


def _listed_map(entries: Entries, node: Sequence) -> Skip:
    """Complain about a map whose entries are items of a list."""
    message, fix = "expected a map of the entries, found a list of maps", "write each as `name: value`, without `- `"
    starts = (Span(i.span.file, i.span.line, i.span.col - 2, i.span.line, i.span.col) for i in node.items)
    is_block = not node.flow and all(isinstance(i, Mapping) and not i.flow for i in node.items)
    edits = tuple(change for at in starts for change in edit(at, "- ", "  ")) if is_block else ()
    return entries.complain(node.span, "shape-type", message, "", fix, edits=edits)


def _check_outer_keys(
    entries: Entries, node: Mapping, index: tuple[tuple[int, ...], ...], heads: tuple[Any, ...]
) -> None:
    """Refuse a map by the members of the second index, with maps by those of the first."""
    if len(index) != 2 or index[0] == index[1]:
        return
    first, second = ({*map(entries.names.value_name, values)} for values in index)
    inner = [{k.text for k, _ in value} for _, value in node if isinstance(value, Mapping)]
    if (
        {key.text for key, _ in node} != second
        or len(inner) != len(node.entries)
        or any(keys != first for keys in inner)
    ):
        return
    one, two = _index_label(index[0], heads), _index_label(index[1], heads[1:])
    message = f"the outer keys are members of {two}, which is the second index"
    fix = f"write a key for each member of {one}, and below it the members of {two}; or declare the indexes in the other order"
    raise entries.complain(node.span, "table-key", message, "", fix)


def _index_label(values: tuple[int, ...], heads: tuple[Any, ...]) -> str:
    if heads and heads[0].kind == "index_name":
        return f"`{heads[0].parts[0]}`"
    return f"`{values[0]}..{values[-1]}`" if values else "the index"


def _rows_by_member(entries: Entries, name: str, node: Mapping, values: tuple[int, ...], label: str) -> list[Node]:
    by_name = {entries.names.value_name(v): v for v in values}
    for key, _ in node:
        if key.text not in by_name:
            near = closest(key.text, by_name)
            members = listed_some(list(by_name), MOST_SHOWN, "and")
            raise entries.complain(
                key.span,
                "table-key",
                f"`{key.text}` is not a member of {label}",
                f"its members are {members}",
                suggestion(near),
                edits=key.respelled(near),
            )
    missing = [n for n in by_name if node.get(n) is None]
    if missing:
        shown = listed_some(quoted(missing), MOST_SHOWN)
        raise entries.complain(
            node.span,
            "table-size",
            f"`{name}` has no entry for {shown}",
            f"a table covers its index exactly: {label} has {number_of(len(values), 'member')}",
            f"add `{missing[0]}: …`" if len(missing) == 1 else "add an entry for each",
            about=("entries", name),
        )
    return [node.get(n) for n in by_name]  # type: ignore[misc]


def _cell(entries: Entries, node: Node) -> Expr:
    if isinstance(node, Sequence):
        items = [_entry(entries, i) for i in node.items]
        t = join_all([e.type.item if isinstance(e.type, ListOf) else e.type for e in items])
        if t is None:
            raise entries.complain(node.span, "table-mixed", "the items of this list are of different kinds")
        codes = evaluate(syntax.Items(ListOf(t), tuple(items)), {}, entries.names)
        return syntax.Literal(ListOf(t, len(codes)), codes)
    if isinstance(node, Mapping):
        why = "a table without an index has no members to name"
        fix, edits = _index_meant(entries, node)
        raise entries.complain(
            node.span, "shape-type", "expected a value or a list, found a map", why, fix, edits=edits
        )
    e = _entry(entries, node)
    value = evaluate(e, {}, entries.names)
    return syntax.Literal(entries.names.const_type(value) if isinstance(e.type, Values) else e.type, value)


def _index_meant(entries: Entries, node: Mapping) -> tuple[str, tuple[Edit, ...]]:
    """Return how a map is written that is a whole table without an index, in words and as a change."""
    keys = {key.text for key, _ in node}
    index = next(
        (s.name for s in entries.names.sets.values() if keys == {*map(entries.names.value_name, s.values)}), ""
    )
    key = next((key for key, value in entries.section("tables") if value is node), None)
    if not index or key is None:
        return "write all values in their order, in `[ ]`: a list is changed as a whole", ()
    meant = f"{key.text}[{index}]"
    return f"these are the members of `{index}`: write `{meant}`", key.respelled(meant)


def _entry(entries: Entries, node: Node) -> Expr:
    """Return one entry; outside its index a table gives none, which no condition can be."""
    e = entries.static(entries.scalar(node, "one value"))
    if isinstance(e.type, YesNo):
        message = f"expected a number or a member, found {entries.names.describe(e)}"
        fix = "write 1 and 0, and compare with them"
        raise entries.complain(node.span, "type-mismatch", message, "tables hold numbers and members", fix)
    return e


# Pieces, places and variables -----------------------------------------------------------------------------------


def _read_kinds(entries: Entries) -> tuple[int, ...]:
    """Return the kinds of pieces: members of the sets named under `pieces:`, and new kinds of their own."""
    kinds: list[int] = []
    for key, _ in entries.section("pieces"):
        with entries.entry(key):
            if key.text in entries.names.failed:
                raise Skip
            if key.text in entries.names.sets:
                entries.names.used.add(key.text)
                new = entries.names.sets[key.text].values
            elif key.text in entries.names.members:
                entries.names.used.add(key.text)
                new = (entries.names.members[key.text],)
            else:
                entries.declare(key.text, "a kind of piece", key)
                new = (_new_member(entries.names, key.text, key.span),)
            kinds += [k for k in new if k not in kinds]
    return tuple(kinds)


def _read_places(entries: Entries, pieces: tuple[int, ...]) -> None:
    for key, value in entries.section("places"):
        with entries.entry(key):
            name, root = entries.head(key)
            index, index_values = entries.index_sets(key, root)
            entries.declare(name, "a place", key)
            if isinstance(value, Mapping):
                entries.names.places[name] = _place(entries, pieces, name, key, index, index_values, value)


def _place(
    entries: Entries,
    pieces: tuple[int, ...],
    name: str,
    key: Scalar,
    index: tuple[str, ...],
    values: tuple[tuple[int, ...], ...],
    node: Mapping,
) -> Place:
    shape = next(s for s in ("pile", "stack", "cell") if node.get(s) is not None)
    kinds_node = node.get(shape)
    assert kinds_node is not None
    kinds, kind_name = _kinds(entries, pieces, kinds_node)
    env: Env = {n: entries.names.sets[n].type for n in index if n}
    combos = list(product(*values))
    rooms = tuple(1 if shape == "cell" else -1 for _ in combos)
    room = node.get("room")
    if room is not None and shape == "cell":
        edits = _room_left_out(node) if isinstance(room, Scalar) else ()
        raise entries.complain(
            room.span, "place-room", "a cell has room for one piece", "", "leave `room:` out", edits=edits
        )
    if room is not None:
        e = entries.static_number(room, env)
        entries.check_effort(room.span, e, len(combos))
        rooms = tuple(evaluate(e, dict(zip(index, combo, strict=True)), entries.names) for combo in combos)
        if min(rooms, default=0) < 0:
            raise entries.complain(room.span, "place-room", f"the room of `{name}` would be {min(rooms)}")
    if shape == "stack" and room is None:
        raise entries.complain(
            key.span,
            "stack-room",
            f"the stack `{name}` needs `room:`",
            "a stack is stored piece by piece",
            "add `room:` with the most pieces it can hold",
        )
    entries.way_of = name
    ways = _ways(entries, node.get("ways"), index, values, combos, env)
    seen_by = _seen_by(entries, name, index, node, "place", "place-owner")
    return Place(name, shape, index, values, kinds, rooms, ways, seen_by, None, kind_name, key.span)


def _room_left_out(node: Mapping) -> tuple[Edit, ...]:
    """Return the change that leaves the `room` of a place out, with the comma before it, alone."""
    number = next(n for n, (key, _) in enumerate(node) if key.text == "room")
    entry = node.entries[number]
    assert isinstance(entry.value, Scalar)
    key, end, written = entry.key.span, entry.value.span, f"room: {entry.value.text}"
    if not node.flow:
        return edit(replace(key, end_line=end.end_line, end_col=end.end_col), written, "")
    before = node.entries[number - 1].value.span if number else None
    if before is None or before.end_line != key.line:
        return ()
    between = Span(key.file, key.line, before.end_col, end.end_line, end.end_col)
    return edit(between, f", {written}", "")


def _seen_by(entries: Entries, name: str, index: tuple[str, ...], node: Mapping | None, what: str, code: str) -> str:
    """Return who sees a place or a variable; `code` is the complaint about one without an owner."""
    seen = node.get("seen by") if node is not None else None
    if not isinstance(seen, Scalar):
        return "everyone"
    if seen.text == "owner" and "player" not in index:
        raise entries.complain(
            seen.span,
            code,
            f"`{name}` has no owner",
            f"an owner is the `player` index of a {what}",
            "add a `player` index, or write `nobody` or `everyone`",
        )
    return seen.text


def read_shows(entries: Entries) -> None:
    """Read `shows:` of the places, after the functions it may call."""
    for key, value in entries.section("places"):
        name = bare_name(key.text)
        shows = value.get("shows") if isinstance(value, Mapping) else None
        if isinstance(shows, Scalar) and name in entries.names.places:
            with entries.entry():
                place = entries.names.places[name]
                env: Env = {place.kind_name: entries.names.type_of_kinds(place.kinds)}
                e = entries.infer(entries.parse(shows, "expr"), env).value()
                if not is_static(e, entries.names.functions):
                    raise entries.complain(
                        shows.span, "expr-not-fixed", "what a piece shows must depend on the piece alone"
                    )
                entries.names.places[name] = replace(place, shows=e)


def _kinds(entries: Entries, pieces: tuple[int, ...], node: Node) -> tuple[tuple[int, ...], str]:
    items = node.items if isinstance(node, Sequence) else (node,)
    kinds: list[int] = []
    for item in items:
        scalar = entries.scalar(item, "a kind of piece")
        name = scalar.text
        if name in entries.names.sets:
            new = entries.names.sets[name].values
        elif name in entries.names.members:
            new = (entries.names.members[name],)
        else:
            if name not in entries.names.failed:
                known = [*entries.names.sets, *(entries.names.value_name(k) for k in pieces)]
                problem = entries.names.unknown(name, "kind of piece or set", scalar.span, {}, known)
                entries.report(replace(problem, why="pieces are declared under `pieces:`"))
            raise Skip
        entries.names.used.add(name)
        kinds += [k for k in new if k not in kinds]
    return tuple(kinds), items[0].text if len(items) == 1 and isinstance(items[0], Scalar) else "piece"


def _ways(
    entries: Entries,
    node: Node | None,
    index: tuple[str, ...],
    values: tuple[tuple[int, ...], ...],
    combos: list[tuple[int, ...]],
    env: Env,
) -> dict[str, tuple[tuple[int, ...], ...]]:
    if not isinstance(node, Mapping):
        return {}
    number_of = {combo: i for i, combo in enumerate(combos)}
    ways = {}
    for key, value in node:
        if key.text in entries.names.failed:
            raise Skip
        if key.text not in entries.names.members:
            near = closest(key.text, entries.names.members)
            others = {k.text for k, _ in node} - {key.text}
            known = [s for s in entries.names.sets.values() if others & {*map(entries.names.value_name, s.values)}]
            home = known[0] if known else entries.names.sets.get("way")
            unlike = [entries.names.value_name(v) for v in home.values] if home else []
            unlike = [name for name in unlike if node.entry(name) is None]
            message = f"`{key.text}` is not a member of a set"
            also: tuple[tuple[str, Span], ...] = ()
            fix = suggestion(near) or f"add a set such as `way: [{key.text}]`"
            if near is None and home is not None:  # the set of the other ways has this one not, or in its place another
                fix = f"add `{key.text}` to `{home.name}`" + (f", which has `{unlike[0]}`" if len(unlike) == 1 else "")
                also = ((f"`{key.text}`", key.span),)
                message = f"`{home.name}` has no member `{key.text}`, which is a way of `{entries.way_of}`"
            raise entries.complain(
                home.span if also and home else key.span,
                "way-unknown",
                message,
                "ways are members of a set, so that they can be named in expressions",
                fix,
                also or (((f"`{near}`", entries.names.declared[near][1]),) if near in entries.names.declared else ()),
                key.respelled(near),
            )
        entries.names.used.add(key.text)
        changes = value.items if isinstance(value, Sequence) else (value,)
        if len(changes) * len(combos) > MOST_STEPS:
            message = (
                f"`{key.text}` would have {len(changes) * len(combos):,} steps; at most {MOST_STEPS:,} are allowed"
            )
            raise entries.complain(key.span, "too-large", message)
        neighbours: list[list[int]] = [[] for _ in combos]
        for change in changes:
            step = _index_changes(entries, change, index, env)
            for i, combo in enumerate(combos):
                for target in _targets(entries, step, index, combo):
                    if target in number_of:
                        neighbours[i].append(number_of[target])
        ways[key.text] = tuple(tuple(n) for n in neighbours)
    return ways


def _index_changes(entries: Entries, change: Node, index: tuple[str, ...], env: Env) -> list[tuple[int, Expr, Span]]:
    """Return what one step of a way makes of indexes: which one, its new value, and where that is written."""
    if not isinstance(change, Mapping):
        raise entries.complain(change.span, "shape-type", "expected index changes such as `{column: column + 1}`")
    found = []
    for key, value in change:
        if key.text not in index:
            near = closest(key.text, index)
            raise entries.complain(
                key.span,
                "way-index",
                f"`{key.text}` is not an index of this place",
                "",
                suggestion(near),
                edits=key.respelled(near),
            )
        found.append((index.index(key.text), entries.static(entries.scalar(value, "an index"), env), value.span))
    return found


def _targets(
    entries: Entries, changes: list[tuple[int, Expr, Span]], index: tuple[str, ...], combo: tuple[int, ...]
) -> list[tuple[int, ...]]:
    """Return where one step of a way leads from one place: usually one place, or several for a list."""
    at = dict(zip(index, combo, strict=True))
    targets = [list(combo)]
    for position, e, span in changes:
        if isinstance(e.type, ListOf) and e.type.largest * len(targets) > MOST_TARGETS:
            raise entries.complain(
                span, "too-large", f"more than {MOST_TARGETS} places would be one step from each place"
            )
        result = evaluate(e, at, entries.names)
        choices = result if isinstance(result, tuple) else (result,)
        targets = [[*t[:position], c, *t[position + 1 :]] for t in targets for c in choices]
    return [tuple(t) for t in targets]


def _read_pieces(entries: Entries) -> tuple[Supply, ...]:
    supplies: list[Supply] = []
    total, before = 0, len(entries.names.failed)
    with _early_definitions(entries) as early:
        for key, value in entries.section("pieces"):
            with entries.entry(key):
                scalar = entries.scalar(value, "`N in place`")
                fragment = entries.parse(scalar, "pieces")
                count_node, place_node = fragment.root.parts
                for kind, place, number_, env in _starting_places(entries, key, fragment, place_node, early):
                    scope: Env = {n: entries.names.sets[n].type for n in env}
                    e = early.fixed(fragment, count_node, scope)
                    entries.check_effort(fragment.span(count_node), e, place.size)
                    n = early.worked_out(e, env, fragment, count_node)
                    if not 0 <= n <= LARGEST:
                        raise entries.complain(
                            fragment.span(count_node), "piece-count", f"the number of pieces would be {n}"
                        )
                    if not any(kind in p.kinds for p in entries.names.places.values()) and not entries.names.failed:
                        shown = entries.names.value_name(kind)
                        held = {entries.names.value_name(k) for p in entries.names.places.values() for k in p.kinds}
                        near = closest(key.text, {*entries.names.sets, *held} - {key.text})
                        fix = f"let a place hold it, such as `{place.name}`, or add one"
                        also = ((f"`{place.name}`", place.span),)
                        message = f"no place can hold `{shown}`"
                        fix, edits = suggestion(near) or fix, key.respelled(near)
                        raise entries.complain(key.span, "piece-without-place", message, "", fix, also, edits)
                    if kind not in place.kinds:
                        raise entries.complain(
                            fragment.span(place_node),
                            "place-kind",
                            f"`{place.name}` cannot hold {entries.names.value_name(kind)}",
                            f"it holds {entries.names.describe_type(entries.names.kinds_type((place.name,)))}",
                            "",
                            ((f"`{place.name}`", place.span),),
                        )
                    if len(supplies) >= MOST_SUPPLIES:
                        message = f"pieces would start in more than {MOST_SUPPLIES:,} ways, each kind in each place"
                        raise entries.complain(scalar.span, "too-large", message)
                    supplies.append(Supply(kind, n, place.name, number_))
                    total += n
                    if total > LARGEST:
                        message = f"there would be {total:,} pieces; at most {LARGEST:,} are allowed"
                        raise entries.complain(fragment.span(count_node), "piece-count", message)
    failed = len(entries.names.failed) > before or any(
        key.text in entries.names.failed for key, _ in entries.section("pieces")
    )
    entries.names.total_pieces = SOME_PIECES if failed else total
    _check_start_room(entries, supplies)
    return tuple(supplies)


def _starting_places(
    entries: Entries, key: Scalar, fragment: Fragment, node: Syntax, early: _EarlyDefinitions
) -> Iterator[tuple[int, Place, int, dict[str, int]]]:
    """Yield each kind in each of its places of `kinds: N in place[set]`, with what the names in it stand for.

    Index sets named in it repeat it; in all else the set of kinds stands for the kind.
    """
    base, indexes = (node.parts[0], node.parts[1].parts) if node.kind == "index" else (node, ())
    name = base.parts[0] if base.kind == "name" else ""
    if name not in entries.names.places:
        if name not in entries.names.failed:
            problem = entries.names.unknown(str(name), "place", fragment.span(node), {}, entries.names.places)
            if not problem.fix:
                named = entries.names.sets.get(key.text)
                wanted = {*named.values} if named else {entries.names.members.get(key.text)}
                held = [p.name for p in entries.names.places.values() if wanted <= {*p.kinds}]
                problem = replace(problem, fix=f"it can lie on {listed_some(quoted(held), MOST_SHOWN)}" if held else "")
            entries.report(problem)
        raise Skip
    entries.names.used.add(name)
    place = entries.names.places[name]
    if len(indexes) not in (0, len(place.index)):
        raise entries.complain(
            fragment.span(node),
            "index-count",
            f"`{name}` has {number_of(len(place.index), 'index')}, {len(indexes)} given",
        )
    is_set = key.text in entries.names.sets
    found = entries.names.sets[key.text].values if is_set else (entries.names.members.get(key.text),)
    kinds = [kind for kind in found if kind is not None]
    repeated = [i is None or (i.kind == "name" and i.parts[0] in entries.names.sets) for i in indexes]
    by_kind = is_set and any(key.text in free_words(i) for i, again in zip(indexes, repeated, strict=True) if not again)
    numbers = {combo: i for i, combo in enumerate(product(*place.index_values))}
    # Pieces that start together lie there in the order of their kinds.
    for together in [[kind] for kind in kinds] if by_kind else [kinds]:
        own = {key.text: together[0]} if by_kind else {}
        domains: list[tuple[str, tuple[int, ...]]] = []
        for i, values in enumerate(place.index_values):
            index = indexes[i] if indexes else None
            if index is None or repeated[i]:
                set_name = index.parts[0] if index else place.index[i]
                domains.append((set_name, entries.names.sets[set_name].values if index else values))
            else:
                scope: Env = {n: entries.names.sets[n].type for n in own}
                e = early.fixed(fragment, index, scope, number=False)
                domains.append(("", (early.worked_out(e, own, fragment, index),)))
        for combo in product(*(d for _, d in domains)):
            if combo not in numbers:
                raise entries.complain(
                    fragment.span(node),
                    "index-outside",
                    f"{', '.join(map(entries.names.value_name, combo))} is not a place of `{name}`",
                )
            indexed = {n: v for (n, _), v in zip(domains, combo, strict=True) if n}
            for kind in together:
                yield kind, place, numbers[combo], {**({key.text: kind} if is_set else {}), **indexed}


@contextmanager
def _early_definitions(entries: Entries) -> Iterator[_EarlyDefinitions]:
    """Let definitions be called before they are read; afterwards nothing is known of them again.

    Their types may depend on how many pieces there are, which is what is worked out with them here.
    """
    names = entries.names
    early = _EarlyDefinitions(entries, {bare_name(key.text): (key, value) for key, value in entries.section("define")})
    before, names.find_function = names.find_function, early.find
    try:
        yield early
    finally:
        names.find_function = before
        names.functions.clear()
        names.calls.clear()
        names.passed.clear()


@dataclass(slots=True)
class _EarlyDefinitions:
    """Definitions that say how many pieces there are, and where."""

    entries: Entries
    nodes: dict[str, tuple[Scalar, Node]]
    open: list[str] = field(default_factory=list)
    unread: set[str] = field(default_factory=set)  # they cannot be read yet, or not at all

    def find(self, name: str) -> Definition | None:
        """Return the definition of this name, inferred when it is first used; what is wrong with it is said later."""
        if name not in self.nodes:
            return None
        key, value = self.nodes[name]
        found: list[Diagnostic] = []
        function = Definition(name, (), UNKNOWN, key.span)
        if name not in self.open and len(self.open) < DEEPEST_EARLY and isinstance(value, Scalar):
            self.open.append(name)
            try:
                root = parse(key, "head", parses=self.entries.parses).root
                body = parse(value, "expr", parses=self.entries.parses)
                kinds = [(p.parts[1], p.parts[0]) for p in root.parts[1:]] if root.kind == "function" else []
                types = [self.entries.names.parameter_type(set_name) for _, set_name in kinds]
                parameters = tuple(
                    Parameter(n, t or Unknown(), set_name) for (n, set_name), t in zip(kinds, types, strict=True)
                )
                inference = Inference(self.entries.names, body, self.entries.names.env_of(parameters), found.append)
                inference.any_number = any(p.set == "number" for p in parameters)
                function = Definition(name, parameters, inference.value(), key.span)
            except SyntaxProblem:
                pass
            self.open.pop()
        if (found and has_errors(found)) or isinstance(function.body.type, Unknown):
            self.unread.add(name)
        return self.entries.names.functions.setdefault(name, function)

    def fixed(self, fragment: Fragment, node: Syntax, scope: Env, number: bool = True) -> Expr:
        """Return the checked expression, which must read no position; a definition in it that does is named."""
        found: list[Diagnostic] = []
        inference = Inference(self.entries.names, fragment, scope, found.append)
        e = inference.number(node) if number else inference.value(node)
        functions = self.entries.names.functions
        for name in sorted(free_words(node) & self.nodes.keys()):
            called = functions.get(name)
            if called and (self._reads_position(name, set()) or not is_static(called.body, functions)):
                raise self._position(fragment.span(node), name)
        if self.unread:
            raise Skip  # it is complained about where it is defined
        for d in found:
            self.entries.report(d)
        if (found and has_errors(found)) or isinstance(e.type, Unknown):
            raise Skip
        if not is_static(e, functions):
            raise self.entries.not_fixed(fragment.span(node))
        self.entries.check_effort(fragment.span(node), e)
        return e

    def worked_out(self, e: Expr, env: dict[str, int], fragment: Fragment, node: Syntax) -> int:
        try:
            value: int = evaluate(e, env, self.entries.names)
        except Undefined:
            message = "this has no value before the game starts"
            why = "a definition is given a value that it does not take"
            raise self.entries.complain(fragment.span(node), "expr-not-fixed", message, why) from None
        return value

    def _reads_position(self, name: str, seen: set[str]) -> bool:
        """Return whether a definition, or one that it uses, names a place or a variable."""
        seen.add(name)
        words = self._free(name)
        names = self.entries.names
        return bool(words & (names.places.keys() | names.later.keys())) or any(
            self._reads_position(other, seen) for other in words & self.nodes.keys() - seen
        )

    def _free(self, name: str) -> set[str]:
        """Return the names in a definition that are not local; none if it cannot be read, which is said later."""
        key, value = self.nodes[name]
        if not isinstance(value, Scalar):
            return set()
        try:
            root = parse(key, "head", parses=self.entries.parses).root
            body = parse(value, "expr", parses=self.entries.parses).root
        except SyntaxProblem:
            return set()
        given = {p.parts[1] for p in root.parts[1:]} if root.kind == "function" else set[str]()
        return free_words(body) - given

    def _position(self, span: Span, name: str) -> Skip:
        message = f"`{name}` reads the position, so it cannot say how many pieces there are"
        why = "pieces are counted before the game starts; only sets, tables and definitions of them are known then"
        fix = "put the number into a table"
        return self.entries.complain(
            span, "pieces-position", message, why, fix, ((f"`{name}`", self.nodes[name][0].span),)
        )


def _check_start_room(entries: Entries, supplies: list[Supply]) -> None:
    held: dict[tuple[str, int], int] = {}
    for s in supplies:
        held[s.place, s.number] = held.get((s.place, s.number), 0) + s.count
    for (name, number_), count in held.items():
        room = entries.names.places[name].rooms[number_]
        if 0 <= room < count:
            entries.complain(
                entries.names.places[name].span,
                "place-room",
                f"{number_of(count, 'piece')} would start in `{name}`, which has room for {room}",
                "",
                "give it more room, or let fewer pieces start there",
            )


def _read_variables(entries: Entries) -> None:
    for key, value in entries.section("variables"):
        with entries.entry(key):
            name, root = entries.head(key)
            index, index_values = entries.index_sets(key, root)
            entries.declare(name, "a variable", key)
            entries.names.variables[name] = _variable(entries, name, key, index, index_values, value)


def _variable(
    entries: Entries, name: str, key: Scalar, index: tuple[str, ...], values: tuple[tuple[int, ...], ...], node: Node
) -> Variable:
    fields = node if isinstance(node, Mapping) else None
    is_node = fields.get("is") if fields else node
    if is_node is None:
        raise entries.complain(key.span, "variable-is", f"`{name}` needs `is:` with its set or range")
    t = _variable_type(entries, is_node)
    bounds = [_bound(entries, fields, k, t) for k in ("never below", "never above")]
    combos = list(product(*values))
    env: Env = {n: entries.names.sets[n].type for n in index if n}
    start = fields.get("start") if fields else None
    if start is not None:
        e = entries.static(entries.scalar(start, "a start"), env)
        if isinstance(t, Values):
            fitting = isinstance(e.type, Values) and inside(e.type, t)
        else:
            fitting = isinstance(e.type, YesNo)
        if not fitting:
            message = f"`{name}` is {entries.names.describe_type(t)} and cannot start as {entries.names.describe(e)}"
            fix, edits = "", tuple[Edit, ...]()
            if (
                isinstance(t, Values)
                and t.is_number
                and isinstance(e.type, Values)
                and e.type.lo == e.type.hi is not None
            ):
                low, high = min(t.lo or 0, e.type.lo or 0), max(t.hi or 0, e.type.hi or 0)
                fix = f"start it with one of these, or let it be `{low}..{high}`"
            if isinstance(e.type, Values) and e.type == NOTHING and isinstance(is_node, Scalar):
                meant = f"[{is_node.text}, none]"
                fix, edits = f"let it be none too: `is: {meant}`", is_node.respelled(meant)
            raise entries.complain(start.span, "type-mismatch", message, "", fix, edits=edits)
        entries.check_effort(start.span, e, len(combos))
        starts = tuple(evaluate(e, dict(zip(index, c, strict=True)), entries.names) for c in combos)
    else:
        starts = tuple(_default_start(entries, t) for _ in combos)
    seen_by = _seen_by(entries, name, index, fields, "variable", "variable-owner")
    if seen_by != "everyone" and name == "score":
        assert fields is not None
        raise entries.complain(
            (fields.get("seen by") or key).span,
            "score-hidden",
            "`score` cannot be hidden",
            "everybody is told each point and its reason",
            "keep what is secret in a variable of another name, and score it when it is shown",
        )
    return Variable(name, index, values, t, starts, bounds[0], bounds[1], seen_by, key.span)


def _variable_type(entries: Entries, node: Node) -> Type:
    items = node.items if isinstance(node, Sequence) else (node,)
    types: list[Type] = []
    for item in items:
        scalar = entries.scalar(item, "a set or a range")
        if scalar.text == "yes_no":
            types.append(YesNo())
            continue
        if scalar.text in ("yes", "no", "true", "false"):
            raise entries.complain(
                scalar.span,
                "variable-is",
                f"`{scalar.text}` is one value, expected what the variable can be",
                "",
                "write `yes_no`; to begin with another value than no write `{is: yes_no, start: true}`",
                edits=scalar.respelled("yes_no"),
            )
        if m := re.fullmatch(r"(\w+)\s*(?:,\s*|\s+or\s+)(\w+)", scalar.text):
            meant = f"[{m[1]}, {m[2]}]"
            message, fix = f"expected a set or a range, found `{scalar.text}`", f"for either of them write `{meant}`"
            edits = scalar.respelled(meant) if isinstance(node, Scalar) else ()
            raise entries.complain(scalar.span, "variable-is", message, "", fix, edits=edits)
        if scalar.text == "number":
            raise entries.complain(
                scalar.span,
                "variable-is",
                "a variable needs bounds",
                "what it can be is known from the start",
                "write a range such as `0..100`",
            )
        if scalar.text in entries.names.places and entries.names.is_indexed(scalar.text):
            entries.names.used.add(scalar.text)
            types.append(entries.names.place_type(scalar.text))
            continue
        if m := re.fullmatch(r"(-?[0-9]+)\s*\.\.\s*(-?[0-9]+)", scalar.text):
            if int(m[1]) > int(m[2]):
                meant = f"{m[2]}..{m[1]}"
                message, why = f"`{scalar.text}` has no numbers", "a range begins with its smallest number"
                raise entries.complain(
                    scalar.span, "variable-is", message, why, f"write `{meant}`", edits=scalar.respelled(meant)
                )
        if m := re.fullmatch(r"(.+?\.\..+?|[a-z]\w*)\s*:?=\s*(\S+)", scalar.text):
            meant = f"{{is: {m[1]}, start: {m[2]}}}"
            message, why = (
                "expected a set or a range of what it can be, found a comparison",
                "what it begins with is a key of its own",
            )
            edits = scalar.respelled(meant) if isinstance(node, Scalar) else ()
            raise entries.complain(scalar.span, "variable-is", message, why, f"write `{meant}`", edits=edits)
        e = entries.static(scalar, worked_out=False)
        if (
            isinstance(e.type, Values)
            and isinstance(node, Sequence)
            and [i.text for i in items if isinstance(i, Scalar)].count(scalar.text) > 1
        ):
            message, why = (
                f"`{scalar.text}` is here twice",
                "this is a list of what the variable can be, not of what it is at the start",
            )
            raise entries.complain(node.span, "variable-is", message, why, "write a range such as `0..100`")
        if isinstance(e.type, Values) and e.type != NOTHING and isinstance(node, Scalar):
            fragment = entries.parse(scalar, "expr")
            if e.type.is_number and (e.type.lo, e.type.hi) == (1, 1):
                fix = "for a player write `player`, for a number a range such as `0..100`"
                message = f"expected a set or a range of what it can be, found {entries.names.describe(e)}"
                raise entries.complain(scalar.span, "type-mismatch", message, "", fix, edits=scalar.respelled("player"))
            entries.infer(fragment).no_list(fragment.root, "a set or a range of what it can be", e)
            raise Skip
        types.append(e.type.item if isinstance(e.type, ListOf) else e.type)
    t = join_all(types) if len(types) > 1 else types[0]
    if isinstance(t, Unknown):
        raise Skip
    if t is None or not isinstance(t, Values | YesNo) or t == NOTHING:
        raise entries.complain(node.span, "type-mismatch", "expected a set, a range, `yes_no`, or a list of them")
    if isinstance(t, Values) and len(types) > 1:
        others = [x for x in types if isinstance(x, Values) and x != NOTHING]
        t = replace(t, home=others[0].home if len(others) == 1 else "")
    return t


def _bound(entries: Entries, fields: Mapping | None, key: str, t: Type) -> int | None:
    node = fields.get(key) if fields else None
    if node is None:
        return None
    if not (isinstance(t, Values) and t.is_number):
        raise entries.complain(node.span, "variable-bound", f"only a number can have `{key}`", "", "leave it out")
    return int(evaluate(entries.static_number(node), {}, entries.names))


def _default_start(entries: Entries, t: Type) -> int:
    if isinstance(t, YesNo):
        return 0
    assert isinstance(t, Values)
    if t.lo is not None and t.lo <= 0 <= t.hi:  # type: ignore[operator]
        return 0
    if t.home in entries.names.sets:
        return entries.names.sets[t.home].values[0]
    return t.lo if t.lo is not None else min(t.members, default=NONE)
