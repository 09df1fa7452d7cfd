"""Reads `view:`, how a game is shown.

A picture never stops a game: what a house rule or an option made unfit is left out, with a warning at the house rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import TypeVar

from rulespec.diagnostics.diagnostic import Diagnostic, Edit, Span, edit
from rulespec.english import closest, listed, quoted, suggestion
from rulespec.expr.infer import Inference
from rulespec.expr.parse import SyntaxProblem
from rulespec.expr.static import Env, Undefined, evaluate, is_static
from rulespec.model.declare import Entries, Skip
from rulespec.syntax import (
    Expr,
    ListOf,
    MarkView,
    PieceView,
    Place,
    PlaceView,
    Unknown,
    Values,
    Variable,
    View,
    YesNo,
    numbered,
)
from rulespec.yaml.nodes import Mapping, Node, Scalar, Sequence
from rulespec.yaml.source import MOST_PROBLEMS

EMPTY = "."  # how an empty cell is shown
PLACE_KEYS = frozenset(
    ("grid", "row", "ring", "middle", "at", "size", "behind", "shape", "tint", "turn", "align", "means")
)
VARIABLE_KEYS = frozenset(("across", "upto", "on"))

T = TypeVar("T")


class ViewReader:
    def __init__(self, entries: Entries, procedures: Iterable[str]) -> None:
        self.entries = entries
        self.names = entries.names
        self.tree = entries.tree
        self._procedures = tuple(procedures)

    def view(self, pieces: tuple[int, ...]) -> View:
        """Return the view; what is wrong with it is reported."""
        node = self.tree.get("view")
        sections = {k.text: v for k, v in node} if isinstance(node, Mapping) else {}
        names = self.names
        labels = self._by_name(sections.get("labels"), {*names.sets, *names.members, "none"})
        reversed_pairs = self._reversed_symbols(sections.get("symbols"), pieces)
        symbols = {} if reversed_pairs else self._by_kind(sections.get("symbols"))
        colours = self._by_kind(sections.get("colours"))
        self._check_symbols(None if reversed_pairs else sections.get("symbols"), pieces)
        families: dict[str, Place | Variable] = {**names.variables, **names.places}
        layout = {
            key.text: self._family(families[key.text], value)
            for key, value in self._entries(sections.get("layout"), "place", {*names.places}, families)
        }
        kinds = {names.value_name(kind) for kind in pieces}
        drawn = {
            key.text: self._piece(key, value)
            for key, value in self._entries(sections.get("pieces"), "set or kind", {*names.sets, *kinds})
        }
        marks: dict[str, MarkView] = {}
        for key, value in self._entries(sections.get("marks"), "set", names.sets):
            if (mark := self._mark(key, value)) is not None:
                marks[key.text] = mark
        hide = sections.get("hide")
        hidden = [i for i in hide.items if isinstance(i, Scalar)] if isinstance(hide, Sequence) else []
        for item in hidden:
            if item.text not in families:
                self._unknown(item, "place or variable", families)
        says, titles = self._says(sections.get("says"))
        filled = dict(self._filled(sections.get("labels")))
        return View(
            labels, symbols, colours, layout, says, titles, drawn, marks, frozenset(i.text for i in hidden), filled
        )

    # labels ----------------------------------------------------------------------------------------------

    def _filled(self, node: Node | None) -> Iterator[tuple[tuple[str, int], str]]:
        """Yield the labels that say more of a value than its name, each with its holes filled."""
        for key, value in node if isinstance(node, Mapping) else ():
            if isinstance(value, Scalar) and "{" in value.text.replace("{it}", ""):
                found = self._read(value.span, f"the label of `{key.text}`", partial(self._label, key.text, value))
                yield from (((key.text, code), text) for code, text in (found or {}).items())

    def _label(self, name: str, text: Scalar) -> dict[int, str]:
        names = self.names
        if name in names.sets:
            codes, type_ = names.sets[name].values, names.sets[name].type
        elif name in names.members:
            codes = (names.members[name],)
            type_ = names.const_type(codes[0])
        else:
            return {}
        parts: list[str | Expr] = []
        for part in self.entries.cut_template(text):
            if isinstance(part, str):
                parts.append(part)
                continue
            e = self.entries.infer(part, {"it": type_}).value()
            if not isinstance(e.type, Unknown) and not is_static(e, names.functions):
                why = "a label is made before the game starts: of the value `it`, its parts, tables and definitions"
                fix = "say what changes under `pieces: face:` of the view, which is drawn again in every position"
                self.entries.complain(part.span(), "label-position", "a label cannot depend on the position", why, fix)
            elif not isinstance(e.type, Values | YesNo | Unknown):
                message, why = f"expected one value, found {names.describe(e)}", "a label shows one value in each `{…}`"
                own = part.scalar.text[part.offset + part.root.start : part.offset + part.root.end] == name
                fix = "write `{it}`, which is each of them" if own else ""
                edits = edit(part.span(), name, "it") if own else ()
                pair = names.pair_of(type_)
                if pair and part.root.kind == "name" and part.root.parts[0] in names.sets[pair].parts:
                    whose = f"it.{part.root.parts[0]}"
                    fix, edits = f"write `{{{whose}}}`", edit(part.span(), part.root.parts[0], whose)
                self.entries.complain(part.span(), "type-mismatch", message, why, fix, edits=edits)
            else:
                self.entries.check_effort(part.span(), e, len(codes))
            parts.append(e)
        return {code: "".join(p if isinstance(p, str) else self._shown(p, code) for p in parts) for code in codes}

    def _shown(self, e: Expr, code: int) -> str:
        if isinstance(e.type, Unknown) or not is_static(e, self.names.functions):
            return ""
        try:
            value = evaluate(e, {"it": code}, self.names)
        except Undefined:
            return ""
        return ("yes" if value else "no") if isinstance(e.type, YesNo) else self.names.value_name(value)

    # what a house rule made unfit ------------------------------------------------------------------------

    def _later(self, span: Span) -> list[Span]:
        """Return what changed the rules after this was written: options of its file, and files that extend it."""
        changed = self.tree.changed
        own = [i for i, c in enumerate(changed) if c.file == span.file]
        bottom = self.tree.span.file == span.file
        return [c for i, c in enumerate(changed) if bottom or (own and i > own[-1] and c.file != span.file)]

    def _unknown(self, key: Scalar, what: str, known: Collection[str]) -> None:
        """Report a name that is not there, unless it may have been taken away."""
        if key.text not in self.names.failed and not self._later(key.span):
            self.entries.report(self.names.unknown(key.text, what, key.span, {}, known))

    def _entries(
        self, node: Node | None, what: str, known: Collection[str], more: Collection[str] = ()
    ) -> list[tuple[Scalar, Mapping]]:
        """Return the entries of a section whose names are known."""
        found = []
        for key, value in node if isinstance(node, Mapping) else ():
            if key.text in known or key.text in more:
                if isinstance(value, Mapping):
                    found.append((key, value))
            else:
                self._unknown(key, what, known)
        return found

    def _read(self, span: Span, what: str, read: Callable[[], T]) -> T | None:
        """Return what a key says; None if it is wrong."""
        found: list[Diagnostic] = []
        report, self.entries.report = self.entries.report, found.append
        value: T | None = None
        try:
            value = read()
        except Skip:
            pass
        except SyntaxProblem as problem:
            found.append(problem.diagnostic)
        finally:
            self.entries.report = report
        later = self._later(span)
        for d in found:
            if d.level != "error" or not later:
                report(d)
        found = [d for d in found if d.level == "error"]
        if not found:
            return value
        if not later:
            return None
        files = [c for c in later if c.file != span.file]
        report(
            Diagnostic(
                files[-1] if files else span,
                "view-unfit",
                f"{what} no longer fits the rules: {found[0].message}",
                "a picture never stops a game: it is drawn without this",
                f"give {what} here" if files else "",
                ((f"{what} is", span),) if files else (),
                "warning",
                ("view", what),
            )
        )
        return None

    # places and variables --------------------------------------------------------------------------------

    def _family(self, family: Place | Variable, node: Mapping) -> PlaceView:
        """Return how a place or a variable is drawn."""
        name = family.name
        of = f"of `{name}`"
        wrong = PLACE_KEYS if isinstance(family, Variable) else VARIABLE_KEYS
        for key, _ in node:
            if key.text in wrong:
                node = replace(node, entries=tuple(e for e in node.entries if e.key is not key), _index={})
                kinds = ("places", "a variable") if isinstance(family, Variable) else ("variables", "a place")
                self._complain(key.span, f"`{key.text}` is for {kinds[0]}, but `{name}` is {kinds[1]}")
        env: Env = {n: self.names.sets[n].type for n in family.index if n}
        each = numbered(family)
        values: dict[str, Expr] = {}

        def expression(key: str, scalar: Node | None, what: str, fits: type | tuple[type, ...], fixed: bool) -> None:
            inside: Env = {**env, "it": each} if key == "under" and each is not None else env
            e = self._expression(scalar, f"`{key}` {of}", inside, what, fits, fixed)
            if e is not None:
                values[key] = e

        expression("under", node.get("under"), "something with a symbol", Values, False)
        expression("turn", node.get("turn"), "a number", Values, False)
        tint = node.get("tint")
        colour = text_of(tint) if isinstance(tint, Scalar) and tint.text.startswith("#") else ""
        if not colour:
            expression("tint", tint, "something with a colour", Values, False)
        for pair, parts in (("at", ("left", "top")), ("size", ("wide", "high"))):
            items = node.get(pair)
            for part, item in zip(parts, items.items if isinstance(items, Sequence) else (), strict=False):
                expression(part, item, "a number", Values, True)
        drawn_as = text_of(node.get("as"))
        wanted = "track" if isinstance(family, Variable) else "counts"
        if drawn_as not in ("", wanted):
            kind = "variable" if isinstance(family, Variable) else "place"
            self._complain(_span(node, "as"), f"`{name}` is a {kind}: its `as` can only be `{wanted}`")
            drawn_as = ""
        span = (node.get("under") or node).span
        grid = node.get("grid")
        return PlaceView(
            span,
            text_of(node.get("title")),
            tuple(self._indexes(family, grid.items if isinstance(grid, Sequence) else ())),
            text_of(node.get("align")),
            next(iter(self._indexes(family, (node.get("row"),))), ""),
            self._ring(family, node.get("ring")),
            self._member(node.get("middle")),
            self._place(node.get("behind")),
            text_of(node.get("shape")),
            colour,
            drawn_as,
            _number(node.get("across")) or 0,
            _number(node.get("upto")),
            self._place(node.get("on")),
            self._member(node.get("means")),
            values,
        )

    def _complain(self, span: Span, message: str) -> None:
        self.entries.report(Diagnostic(span, "view-key", message))

    def _indexes(self, family: Place | Variable, nodes: Iterable[Node | None]) -> list[str]:
        """Return the names that are indexes of a place; others are reported."""
        found = []
        for node in nodes:
            if isinstance(node, Scalar):
                name = self._read(node.span, f"`{node.text}` of `{family.name}`", self._index_of(family, node))
                found += [name] if name else []
        return found

    def _index_of(self, family: Place | Variable, index: Scalar) -> Callable[[], str]:
        def read() -> str:
            if index.text in family.index:
                return index.text
            near = closest(index.text, family.index)
            message, why = (
                f"`{index.text}` is not an index of `{family.name}`",
                f"its indexes are {listed(family.index) or 'none'}",
            )
            fix, edits = suggestion(near), index.respelled(near)
            pair = self.names.sets.get(index.text)
            if near is None and pair is not None and pair.parts and {*pair.parts} <= {*family.index}:
                fix, edits = f"write its two parts: `{', '.join(pair.parts)}`", index.respelled(", ".join(pair.parts))
            raise self.entries.complain(index.span, "view-grid", message, why, fix, edits=edits)

        return read

    def _ring(self, family: Place | Variable, node: Node | None) -> tuple[tuple[str, int], ...]:
        entries = list(node) if isinstance(node, Mapping) else []
        angles = {key.text: _number(value) or 0 for key, value in entries}
        return tuple((name, angles[name]) for name in self._indexes(family, (key for key, _ in entries)))

    def _member(self, node: Node | None) -> int | None:
        """Return the member of any set that is named."""
        if not isinstance(node, Scalar):
            return None
        if isinstance(node.value, int) and not isinstance(node.value, bool):
            return node.value
        if node.text not in self.names.members:
            self._unknown(node, "member", self.names.members)
        return self.names.members.get(node.text)

    def _place(self, node: Node | None) -> str:
        if not isinstance(node, Scalar):
            return ""
        if node.text not in self.names.places:
            self._unknown(node, "place", self.names.places)
            return ""
        return node.text

    def _expression(
        self, node: Node | None, what: str, env: Env, wanted: str, fits: type | tuple[type, ...], fixed: bool
    ) -> Expr | None:
        """Return an expression of one of these types; `fixed`: it depends on nothing of the position."""
        if not isinstance(node, Scalar):
            return None

        def read() -> Expr:
            inference: Inference = self.entries.infer(self.entries.parse(node, "expr"), env)
            e = inference.value()
            if (not isinstance(e.type, fits) and not isinstance(e.type, Unknown)) or (
                wanted == "a number" and isinstance(e.type, Values) and e.type.members
            ):
                inference.expected(inference.fragment.root, wanted, e)
            elif fixed and not is_static(e, self.names.functions):
                raise self.entries.not_fixed(node.span)
            return e

        return self._read(node.span, what, read)

    # pieces and marks ------------------------------------------------------------------------------------

    def _piece(self, key: Scalar, node: Mapping) -> PieceView:
        env: Env = {key.text: self.names.sets[key.text].type} if key.text in self.names.sets else {}
        what = f"`face` of `{key.text}`"
        face = self._expression(node.get("face"), what, env, "a list of marks", ListOf, fixed=True)
        values = {} if face is None else {"face": face}
        size = _number(node.get("size")) or 1
        return PieceView(node.span, text_of(node.get("shape")), size, _number(node.get("across")) or 0, values)

    def _mark(self, key: Scalar, node: Mapping) -> MarkView | None:
        on = self._place(node.get("on"))
        if not on:
            return None
        env: Env = {key.text: self.names.sets[key.text].type}
        if "player" in self.names.places[on].index:
            env["player"] = self.names.sets["player"].type
        keys: tuple[tuple[str, str, type, bool], ...] = (
            ("between", "a list of cells", ListOf, True),
            ("under", "something with a symbol", Values, False),
            ("lit", "yes or no", YesNo, False),
        )
        values: dict[str, Expr] = {}
        for name, wanted, fits, fixed in keys:
            what = f"`{name}` of the marks `{key.text}`"
            if (e := self._expression(node.get(name), what, env, wanted, fits, fixed)) is not None:
                values[name] = e
        return MarkView(node.span, on, text_of(node.get("shape")), values)

    # names -----------------------------------------------------------------------------------------------

    def _says(self, node: Node | None) -> tuple[dict[str, str], dict[str, str]]:
        """Return the words that rulebooks use for names of expressions, and for named steps.

        What expressions can name comes first where a step has the same name. An unknown name may be one that a house
        rule or an option removed.
        """
        names = self.names
        holes: dict[str, tuple[str, ...]] = dict.fromkeys((*names.places, *names.sets), ())
        holes |= {name: tuple(p.name for p in f.parameters) for name, f in names.functions.items()}
        holes |= {name: v.index for name, v in names.variables.items()}
        steps = set(self._procedures) - holes.keys()
        holes |= dict.fromkeys(steps, ())
        found: dict[str, str] = {}
        titles: dict[str, str] = {}
        unknown = 0
        for key, value in node if isinstance(node, Mapping) else ():
            if key.text in names.failed or ("steps", key.text) in names.failed_acts:
                continue
            unknown += key.text not in holes
            if key.text in holes and isinstance(value, Scalar):
                (titles if key.text in steps else found)[key.text] = value.text
                for hole in re.finditer(r"\{([^{}]*)\}", value.text):
                    if hole[1] not in holes[key.text]:
                        given = listed(quoted(holes[key.text])) or "nothing"
                        message = f"`{key.text}` has no `{hole[1]}`"
                        span = value.at(hole.start(), hole.end())
                        self.entries.report(Diagnostic(span, "name-unknown", message, f"it is given {given}"))
            elif self._later(key.span):
                continue
            elif unknown <= MOST_PROBLEMS and (near := closest(key.text, self._beside(key, holes))):
                message = f"no set, place, variable, definition or steps called `{key.text}`"
                about, fix, edits = ("name", key.text), suggestion(near), key.respelled(near)
                self.entries.report(Diagnostic(key.span, "name-unknown", message, fix=fix, about=about, edits=edits))
        return found, titles

    def _beside(self, key: Scalar, known: Iterable[str]) -> list[str]:
        """Return the names that the file with this key could mean: those of another file are no misspellings of its own."""
        declared = self.entries.names.declared
        return [name for name in known if name not in declared or declared[name][1].file == key.span.file]

    def _by_name(self, node: Node | None, known: set[str]) -> dict[str, str]:
        found = {}
        for key, value in node if isinstance(node, Mapping) else ():
            if key.text not in known:
                self._unknown(key, "set or member", known)
            found[key.text] = text_of(value)
        return found

    def _by_kind(self, node: Node | None) -> dict[int, str]:
        members = self.names.members
        return {members[name]: text for name, text in self._by_name(node, set(members)).items() if name in members}

    def _reversed_symbols(self, node: Node | None, pieces: tuple[int, ...]) -> bool:
        """Return whether letters stand before their kinds; that is reported, once."""
        kinds = {self.names.value_name(kind) for kind in pieces}
        entries = list(node) if isinstance(node, Mapping) else []
        reversed_pairs = [
            (k, v) for k, v in entries if isinstance(v, Scalar) and v.text in kinds and k.text not in self.names.members
        ]
        if not reversed_pairs or len(reversed_pairs) != len(entries):
            return False
        edits: list[Edit] = []
        for key, value in reversed_pairs:
            if value.span.line == key.span.line:
                edits += [*key.edit(0, len(key.text), value.text), *value.edit(0, len(value.text), key.text)]
        (letter, kind), *_ = reversed_pairs
        message, why = (
            f"`{letter.text}` is no kind of piece, and `{kind.text}` is one",
            "a symbol stands behind its kind",
        )
        fix = f"write `{kind.text}: {letter.text}`, and the others likewise"
        self.entries.report(Diagnostic(letter.span, "name-unknown", message, why, fix, edits=tuple(edits)))
        return True

    def _check_symbols(self, node: Node | None, pieces: tuple[int, ...]) -> None:
        seen: dict[str, Scalar] = {}
        kinds = {self.names.value_name(kind) for kind in pieces}
        for key, value in node if isinstance(node, Mapping) else ():
            text = text_of(value)
            other = "an empty cell" if text == EMPTY else f"`{text}`" if text in kinds - {key.text} else ""
            if other and text not in seen:
                self.entries.report(Diagnostic(value.span, "symbol-taken", f"`{text}` is used for both `{key.text}` and {other}",
                                       "symbols tell the pieces apart without colours", "choose another letter"))  # fmt: skip
            elif text in seen:
                self.entries.report(Diagnostic(value.span, "symbol-taken", f"`{text}` is used for both `{seen[text].text}` and `{key.text}`",
                                       "symbols tell the pieces apart without colours", "choose another letter", (("the first one", seen[text].span),)))  # fmt: skip
            seen[text] = key


def text_of(node: Node | None) -> str:
    return node.text if isinstance(node, Scalar) else ""


def _number(node: Node | None) -> int | None:
    return node.value if isinstance(node, Scalar) and isinstance(node.value, int) else None


def _span(node: Mapping, key: str) -> Span:
    value = node.get(key)
    return value.span if value is not None else node.span
