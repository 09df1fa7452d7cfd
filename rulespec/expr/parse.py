"""Text of expressions and one-line steps → syntax trees, or a diagnostic at the exact words; trees as bytes and back."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulespec.diagnostics.diagnostic import Diagnostic, Edit, Span, edit
from rulespec.expr.hints.failure import TextEdit, TextProblem
from rulespec.expr.hints.suggest import explain
from rulespec.yaml.nodes import Scalar

if TYPE_CHECKING:
    from lark import Lark
import json
from collections.abc import Callable, Iterable

LONGEST = 4000  # characters of one expression
DEEPEST = 40  # brackets within brackets
MOST_TREES = 5000  # that are kept, the latest ones
MOST_LEVELS = 100  # of an expression: each operator of a chain such as `a or b or c` is one
KEYWORDS = frozenset(
    [
        "if",
        "then",
        "else",
        "let",
        "be",
        "in",
        "or",
        "and",
        "not",
        "default",
        "mod",
        "true",
        "false",
        "none",
        "for",
        "where",
        "while",
        "group",
    ]
)


@dataclass(frozen=True, slots=True)
class Syntax:
    """A node of the syntax tree: the grammar's rule name, its parts, and its position in the text."""

    kind: str
    parts: tuple[Any, ...]  # Syntax, str (names, operators), int (numbers), None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Fragment:
    """A parsed piece of text with the scalar it is in, so that every node has its span."""

    scalar: Scalar
    root: Syntax
    offset: int = 0  # where the text begins in the scalar (a hole of a template)

    def span(self, node: Syntax | None = None) -> Span:
        node = node or self.root
        return self.scalar.at(self.offset + node.start, self.offset + node.end)


Parsed = Syntax | TextProblem
Guess = Callable[[Diagnostic, Scalar], Diagnostic]  # a complaint about a text that cannot be read → with what was meant
Trees = dict[tuple[str, str], Syntax]  # (text, how it was read) → its tree


def free_words(node: Syntax) -> set[str]:
    """Return the names in an expression, called ones too, that it does not bind itself."""
    match node.kind:
        case "name":
            return {node.parts[0]}
        case "let":
            name, value, body = node.parts
            return free_words(value) | (free_words(body) - {name})
        case "aggregate":
            _, body, bindings, *rest = node.parts
            found = free_words(body).union(*(free_words(part) for part in rest if part))
            for inner in reversed(bindings.parts):
                found = (found - {inner.parts[0]}) | free_words(inner.parts[1])
            return found
        case "group":
            name, start, along, where = node.parts
            return free_words(start) | free_words(along) | (free_words(where) - {name})
    called = {node.parts[0]} if node.kind == "call" else set[str]()
    return called.union(*(free_words(part) for part in node.parts if isinstance(part, Syntax)))


class SyntaxProblem(Exception):
    def __init__(self, diagnostic: Diagnostic) -> None:
        self.diagnostic = diagnostic
        super().__init__(diagnostic.message)


class Parses:
    """The parses of the texts of some rule files, those of earlier runs included."""

    def __init__(self, known: Trees | None = None) -> None:
        self._found: dict[tuple[str, str], Parsed] = {**(known or {})}
        self.grown = False  # there are some that were not known

    def __getitem__(self, key: tuple[str, str]) -> Parsed:
        """Return the tree of (text, entry), or what is wrong with the text."""
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = parse_text(*key)
            self.grown = True
        return found

    def trees(self) -> Trees:
        """Return the trees, in the order in which they were parsed."""
        return {key: found for key, found in self._found.items() if isinstance(found, Syntax)}


def parse(scalar: Scalar, entry: str, start: int = 0, end: int | None = None, parses: Parses | None = None) -> Fragment:
    """Return the syntax tree of a scalar's text (or a stretch of it), read as `entry`. Raises SyntaxProblem."""
    text = scalar.text[start:end]
    found = parse_text(text, entry) if parses is None else parses[text, entry]
    if isinstance(found, Syntax):
        return Fragment(scalar, found, start)
    span = scalar.at(start + found.start, start + found.end)
    if _begins_line(scalar, start + found.start):
        what, fix = ("step", ", with a `- `") if entry == "step" else ("value", "")
        message = f"this line is read as part of the {what} that begins at line {scalar.span.line}"
        fix = f"if it is a line of its own start it in the same column as the ones it belongs with{fix}"
        why, edits = (
            "a line that is indented further continues the one above",
            _outdented(scalar, start + found.start, entry),
        )
        raise SyntaxProblem(Diagnostic(span, "line-joined", message, why, fix, edits=edits))
    if found.edit is not None and not goes_on(text, found.edit, entry):
        found = replace(found, fix="", edit=None)
    edits = scalar.edit(start + e.start, start + e.end, e.new, e.sure) if (e := found.edit) else ()
    raise SyntaxProblem(Diagnostic(span, found.code, found.message, found.why, found.fix, edits=edits))


def goes_on(text: str, change: TextEdit, entry: str) -> bool:
    """Return whether a text with this change can be read, at least beyond what was changed."""
    mended = f"{text[: change.start]}{change.new}{text[change.end :]}"
    if entry == "step" and mended.startswith("tell "):
        return True  # a text for people
    found = parse_text(mended, entry)
    return isinstance(found, Syntax) or found.start >= change.start + len(change.new)


def _outdented(scalar: Scalar, begins: int, entry: str) -> tuple[Edit, ...]:
    """Return the change of the line that begins there to a step of its own beside the one it was read into."""
    word = scalar.at(begins, begins + 1)
    dash = "" if scalar.text.startswith("- ", begins) else "- "
    if entry != "step" or scalar.at(0, 1).col != scalar.span.col or scalar.span.col < 3:
        return ()
    indentation = Span(word.file, word.line, 1, word.line, word.col)
    return edit(indentation, " " * (word.col - 1), f"{' ' * (scalar.span.col - 3)}{dash}", sure=False)


def _begins_line(scalar: Scalar, offset: int) -> bool:
    """Return whether the text there was joined to the line above, and reading stops at its first word."""
    if not 0 < offset < len(scalar.text) or scalar.text[offset - 1] != " ":
        return False
    return scalar.at(offset - 1, offset).line < scalar.at(offset, offset + 1).line


@lru_cache(maxsize=MOST_TREES)  # rule files are opened again and again with few changes
def parse_text(text: str, entry: str) -> Parsed:
    """Return the tree of a text, or what is wrong with it."""
    if not text.strip():
        return TextProblem("expr-syntax", "expected an expression, found nothing", "", "", 0, len(text))
    divide = "give parts of it names under `define:`"
    if len(text) > LONGEST:
        message = f"this expression has {len(text):,} characters; at most {LONGEST:,} are read"
        return TextProblem("expr-too-long", message, "", divide, 0, LONGEST)
    if (deep := _depth(text)) > DEEPEST:
        message = f"{deep} brackets within brackets; at most {DEEPEST} are read"
        return TextProblem("expr-too-long", message, "", divide, 0, len(text))
    from lark import exceptions

    try:
        tree = _read(text, entry)
        if (levels := _levels(tree)) > MOST_LEVELS:
            message = f"{levels} operators and brackets inside one another; at most {MOST_LEVELS} are read"
            return TextProblem("expr-too-long", message, "", divide, 0, len(text))
        return tree
    except exceptions.UnexpectedInput:
        return explain(text, stop.at if (stop := stop_of(text, entry)) else 0, entry)


def tree_of(text: str, entry: str) -> Syntax | None:
    """Return the tree of a text; None if it cannot be read, whatever is wrong with it."""
    if not text.strip() or len(text) > LONGEST or _depth(text) > DEEPEST:
        return None
    from lark import exceptions

    try:
        tree = _read(text, entry)
    except exceptions.UnexpectedInput:
        return None
    return tree if _levels(tree) <= MOST_LEVELS else None


@dataclass(frozen=True, slots=True)
class Halt:
    """Where reading a text stops, and the small words and signs with which it could go on."""

    at: int
    expected: frozenset[str]


_SIGNS = {"COMMA": ",", "RPAR": ")", "RSQB": "]"}


@lru_cache(maxsize=MOST_TREES)
def stop_of(text: str, entry: str) -> Halt | None:
    """Return where reading a text stops; None if it can be read."""
    from lark import exceptions

    try:
        _read(text, entry)
    except exceptions.UnexpectedCharacters as e:
        at, words = e.pos_in_stream or 0, e.allowed or ()
    except exceptions.UnexpectedToken as e:
        at = len(text.rstrip()) if e.token.type == "$END" else (e.token.start_pos or 0)
        words = e.accepts or ()
    else:
        return None
    return Halt(at, frozenset(_SIGNS.get(w, w[1:].lower() if w.startswith("_") and w[1] != "_" else w) for w in words))


_WORD_OF_STEP = re.compile(r"\s*((?:move|draw|roll|set|add|let|score|do|show|remember|ask)(?=[a-z0-9_])\w*)")


def _read(text: str, entry: str) -> Syntax:
    if entry == "step" and (word := _WORD_OF_STEP.match(text)) is not None:  # `moves` is not `move`, and a name
        from lark.exceptions import UnexpectedCharacters

        raise UnexpectedCharacters(text, word.start(1), 1, word.start(1) + 1)  # type: ignore[no-untyped-call]
    tree: Syntax = _parser().parse(text, start=entry)  # type: ignore[assignment]
    return tree


def _depth(text: str) -> int:
    deepest = depth = 0
    for c in text:
        depth += (c in "([") - (c in ")]")
        deepest = max(deepest, depth)
    # a chain of prefixes nests as deeply as brackets do
    return max(deepest, len(re.findall(r"\b(?:if|not|let)\b|-", text)) // 4)


def _levels(tree: Syntax) -> int:
    """Return how deep a tree is, words included, without recursion."""
    levels, nodes = 0, [tree]
    while nodes:
        levels += 1
        parts = [part for node in nodes for part in node.parts]
        nodes = [part for part in parts if isinstance(part, Syntax)]
    return levels + bool(parts)


class _Nodes:
    """Gives the parser what makes a node, by the name of its rule: trees of the parser's own would only be copied.

    A node is made of all its words, which say where it is, and keeps those that the grammar gives a name. What is not there
    is None, once, however many words it would have.
    """

    def __init__(self, kept: Iterable[str]) -> None:
        self._kept = frozenset(kept)

    def __getattr__(self, rule: str) -> Any:
        if not rule[0].islower():  # a word, or a rule that the parser made for a repetition
            raise AttributeError(rule)
        return partial(self._node, rule)

    def _node(self, kind: str, children: list[Any]) -> Syntax:
        parts: list[Any] = []
        ends: list[Any] = []
        for child in children:
            if child is None:
                if not parts or parts[-1] is not None:
                    parts.append(None)
                continue
            ends.append(child)
            if isinstance(child, Syntax):
                parts.append(child)
            elif child.type in self._kept:
                parts.append(int(child) if child.type == "NUMBER" else str(child))
        first, last = ends[0], ends[-1]
        start = first.start if isinstance(first, Syntax) else first.start_pos
        return Syntax(kind, tuple(parts), start, last.end if isinstance(last, Syntax) else last.end_pos)


@cache
def _parser() -> Lark:
    """Return the parser. It is made for the first text that no earlier run has parsed, which is often none.

    Lark's own cache is not used: it runs what is in the file.
    """
    from lark import Lark

    starts = ["expr", "step", "binding", "head", "ask", "pieces", "set", "choice"]
    named = re.findall(r"^([A-Z]+)(?:\.\d+)?:", grammar_text(), re.MULTILINE)
    return Lark(
        grammar_text(),
        start=starts,
        parser="lalr",
        keep_all_tokens=True,
        maybe_placeholders=True,
        transformer=_Nodes(named),
    )


@cache
def grammar_text() -> str:
    return (Path(__file__).parent / "grammar.lark").read_text(encoding="utf-8")


_HOLE = re.compile(r"\{([^{}]*)\}")


def parse_template(
    scalar: Scalar, parses: Parses | None = None, start: int = 0, guess: Guess | None = None
) -> list[str | Fragment]:
    """Return a text with `{expression}` holes, from an offset on, cut into its literal parts and its holes.

    `guess` says what a hole that cannot be read was meant for.
    """
    parts: list[str | Fragment] = []
    at = start
    for hole in _HOLE.finditer(scalar.text, start):
        parts.append(_plain(scalar, at, hole.start()))
        parts.append(_in_hole(scalar, hole, parses, guess))
        at = hole.end()
    parts.append(_plain(scalar, at, len(scalar.text)))
    return parts


def _in_hole(scalar: Scalar, hole: re.Match[str], parses: Parses | None, guess: Guess | None) -> Fragment:
    """Return the expression of a hole; words cannot be chosen in it."""
    try:
        return parse(scalar, "expr", hole.start(1), hole.end(1), parses)
    except SyntaxProblem as problem:
        found = problem.diagnostic
        if found.code != "expr-quotes" or not re.search(r"\b(?:if|then|else)\b|\?", hole[1]):
            if guess is None:
                raise
            raise SyntaxProblem(guess(found, scalar.part(hole.start(1), hole.end(1)))) from None
        message, why = "a text inside `{…}`", "`{…}` shows one value; it cannot choose between words"
        fix = "write what holds in both cases, or make two moves or rules, each with its own text"
        raise SyntaxProblem(Diagnostic(found.span, found.code, message, why, fix)) from None


def _plain(scalar: Scalar, start: int, end: int) -> str:
    """Return a stretch of text without holes; a lone brace in it is refused."""
    if brace := re.compile(r"[{}]").search(scalar.text, start, end):
        message = f"`{brace.group()}` has no partner in this text"
        why = "an expression between `{` and `}` is replaced by its value"
        fix = "add the other brace, or take this one out"
        edits: tuple[Edit, ...] = ()
        if twice := re.compile(r"\{\s*(\{[^{}]*\})\s*\}").match(scalar.text, brace.start()):
            message, fix = "two braces around an expression", f"write one: `{twice[1]}`"
            edits = scalar.edit(*twice.span(), twice[1])
        raise SyntaxProblem(Diagnostic(scalar.at(*brace.span()), "text-brace", message, why, fix, edits=edits))
    return scalar.text[start:end]


# Trees as bytes. What is read is checked as it is read: bytes of any other shape give None ---------------------


class _OtherShape(Exception):
    """Not what `encode` writes."""


def encode(trees: Iterable[tuple[tuple[str, str], Syntax]]) -> bytes:
    """Return trees as JSON: `[text, entry, tree]` each, a tree being `[kind, start, end, part, …]`."""
    return json.dumps([[*key, _as_lists(tree)] for key, tree in trees], separators=(",", ":")).encode()


def _as_lists(node: Any) -> Any:
    return [node.kind, node.start, node.end, *map(_as_lists, node.parts)] if isinstance(node, Syntax) else node


@lru_cache(maxsize=16)  # the same files are opened again and again
def decode(data: bytes) -> Trees | None:
    """Return the trees, or None if these bytes were not written by `encode`."""
    try:
        rows = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if type(rows) is not list:
        return None
    found: Trees = {}
    try:
        for row in rows:
            match row:
                case [str(text), str(entry), list(tree)]:
                    found[text, entry] = _tree(tree, len(text), MOST_LEVELS)
                case _:
                    return None
    except _OtherShape:
        return None
    return found


def _tree(node: list[Any], length: int, levels: int) -> Syntax:
    if len(node) < 3 or not levels:
        raise _OtherShape
    kind, start, end, *parts = node
    if type(kind) is not str or type(start) is not int or type(end) is not int or not 0 <= start <= end <= length:
        raise _OtherShape
    return Syntax(kind, tuple([_part(p, length, levels - 1) for p in parts]), start, end)


def _part(part: Any, length: int, levels: int) -> Syntax | str | int | None:
    if type(part) is list:
        return _tree(part, length, levels)
    if part is None or type(part) is str or type(part) is int:
        return part
    raise _OtherShape
