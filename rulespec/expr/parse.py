"""Text of expressions and one-line steps → syntax trees, or a diagnostic at the exact words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulespec import memory
from rulespec.diagnostics import Diagnostic, Span
from rulespec.tree import Scalar

if TYPE_CHECKING:
    from lark import Lark

LONGEST = 4000  # characters of one expression
DEEPEST = 40  # brackets within brackets
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
    """A node of the syntax tree: the grammar's rule name, its parts, and where it stands in the text."""

    kind: str
    parts: tuple[Any, ...]  # Syntax, str (names, operators), int (numbers), None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Fragment:
    """A parsed piece of text together with the scalar it stands in, so that every node has its span."""

    scalar: Scalar
    root: Syntax
    offset: int = 0  # where the text begins in the scalar (a hole of a template)

    def span(self, node: Syntax | None = None) -> Span:
        node = node or self.root
        return self.scalar.at(self.offset + node.start, self.offset + node.end)


class SyntaxProblem(Exception):
    def __init__(self, diagnostic: Diagnostic) -> None:
        self.diagnostic = diagnostic
        super().__init__(diagnostic.message)


def parse(scalar: Scalar, entry: str, start: int = 0, end: int | None = None) -> Fragment:
    """The syntax tree of a scalar's text (or a stretch of it), read as `entry`."""
    text = scalar.text[start:end]
    found = _parse_text(text, entry)
    if isinstance(found, Syntax):
        return Fragment(scalar, found, start)
    message, why, fix, at, until = found
    span = scalar.at(start + at, start + until)
    raise SyntaxProblem(Diagnostic(span, "expr-syntax", message, why, fix))


Parsed = Syntax | tuple[str, str, str, int, int]  # a tree, or what is wrong: message, why, fix, from, to
parsed: dict[tuple[str, str], Parsed] = {}  # (text, entry) → what came of it; the same text is never parsed twice


def _parse_text(text: str, entry: str) -> Parsed:
    key = (text, entry)
    if key not in parsed:
        parsed[key] = _parse_anew(text, entry)
    return parsed[key]


def _parse_anew(text: str, entry: str) -> Parsed:
    if not text.strip():
        return "expected an expression, found nothing", "", "", 0, len(text)
    if len(text) > LONGEST:
        return f"this expression has {len(text)} characters, at most {LONGEST} are read", "", "", 0, LONGEST
    if (deep := _depth(text)) > DEEPEST:
        return f"{deep} brackets within brackets, at most {DEEPEST} are read", "", "", 0, len(text)
    from lark import exceptions

    try:
        tree: Syntax = _convert(_parser().parse(text, start=entry))
        return tree
    except exceptions.UnexpectedCharacters as e:
        return _explain(text, e.pos_in_stream or 0, entry)
    except exceptions.UnexpectedToken as e:
        at = len(text.rstrip()) if e.token.type == "$END" else (e.token.start_pos or 0)
        return _explain(text, at, entry)


def _depth(text: str) -> int:
    deepest = depth = 0
    for c in text:
        depth += (c in "([") - (c in ")]")
        deepest = max(deepest, depth)
    # a chain of prefixes nests as deeply as brackets do
    return max(deepest, len(re.findall(r"\b(?:if|not|let)\b|-", text)) // 4)


def _convert(tree: Any) -> Any:
    from lark import Token

    if tree is None:
        return None
    if isinstance(tree, Token):
        return int(tree) if tree.type == "NUMBER" else str(tree)
    meta = tree.meta
    start, end = (0, 0) if meta.empty else (meta.start_pos, meta.end_pos)
    return Syntax(str(tree.data), tuple(_convert(child) for child in tree.children), start, end)


@cache
def _parser() -> Lark:
    """The parser; its tables are kept in a file between runs, as building them takes most of a start."""
    from lark import Lark

    grammar = grammar_text()
    starts = ["expr", "step", "binding", "head", "ask", "pieces", "set", "choice"]
    options: dict[str, Any] = {"parser": "lalr", "propagate_positions": True, "maybe_placeholders": True}
    where = memory.folder()
    if where is not None:
        options["cache"] = str(where / f"grammar-{memory.mark_of(grammar)}.lark")
    return Lark(grammar, start=starts, **options)


@cache
def grammar_text() -> str:
    return (Path(__file__).parent / "grammar.lark").read_text(encoding="utf-8")


# What people write from habit, and what the language says instead: (pattern, what was found, why, fix)
_HABITS = (
    (r"==", "`==` is not used here", "equality is a single `=`", "write `=`"),
    (r"&&?", "`&` is not used here", "conditions are joined by words", "write `and`"),
    (r"\|\|?", "`|` is not used here", "conditions are joined by words", "write `or`"),
    (r"=>", "`=>` is not a comparison", "", "write `>=`"),
    (r"=<", "`=<` is not a comparison", "", "write `<=`"),
    (r"<>", "`<>` is not a comparison", "", "write `!=`"),
    (r"!(?!=)", "`!` is not used here", "a condition is turned round by a word", "write `not`"),
    (r"%", "`%` is not used here", "the remainder of a division is written as a word", "write `mod`"),
    (r"[\"'“”‘’]", "quotation marks are not used in expressions", "names stand as they are", "leave the quotation marks out"),
    (r"\*\*|\^", "there is no power operator", "", "multiply instead"),
    (r"[A-Z]\w*", "names are written in lower case", "", "write it in lower case"),
    (r"[0-9]+\.[0-9]+", "numbers are whole", "", ""),
    (r"\?", "`?` is not used here", "a choice between two values is written in words", "write `if … then … else …`"),
    (r"\{", "`{` is not used in expressions", "holes `{…}` belong into texts", ""),
)  # fmt: skip


def _explain(text: str, at: int, entry: str) -> tuple[str, str, str, int, int]:
    """A message in the author's words about what stands at `at`: (message, why, fix, from, to)."""
    number = re.search(r"[0-9]+\.[0-9]*\Z", text[: at + 1])
    for start in (at, at - 1, number.start() if number else -1):
        for pattern, message, why, fix in _HABITS:
            if start >= 0 and (m := re.compile(pattern).match(text, start)) and m.end() > at:
                return message, why, fix, start, m.end()
    if at >= len(text.rstrip()):
        stripped = len(text.rstrip())
        if missing := _missing_part(text):
            return missing[0], missing[1], missing[2], stripped, stripped + 1
        return f"expected more after `{_last_word(text)}`, found the end", "", "", stripped, stripped + 1
    word = re.compile(r"[a-z_0-9]+|\.\.|[!<>]=|.").match(text, at) or re.compile(".").match(text, at)
    found = word.group() if word else text[at]
    before = text[:at].rstrip()
    why = "a step begins with move, draw, roll, set, add, let, score or do" if entry == "step" and not before else ""
    where = f" after `{_last_word(before)}`" if before else ""
    if missing := _missing_part(text[:at]):
        return missing[0], missing[1], missing[2], at, at + len(found)
    return f"`{found}` is not expected{where}", why, "", at, at + len(found)


def _missing_part(text: str) -> tuple[str, str, str] | None:
    opened = text.count("(") - text.count(")"), text.count("[") - text.count("]")
    if opened[0] > 0:
        return "a `(` is not closed", "", "add `)`"
    if opened[1] > 0:
        return "a `[` is not closed", "", "add `]`"
    words = re.findall(r"\b(?:if|then|else)\b", text)
    if words.count("if") > words.count("else") and "then" in words:
        return "this `if` has no `else`", "an expression has a value in both cases", "add `else …`"
    return None


def _last_word(text: str) -> str:
    words = text.split()
    return words[-1] if words else ""


_HOLE = re.compile(r"\{([^{}]*)\}")


def parse_template(scalar: Scalar) -> list[str | Fragment]:
    """A text with `{expression}` holes, cut into its literal parts and its holes."""
    parts: list[str | Fragment] = []
    at = 0
    for hole in _HOLE.finditer(scalar.text):
        parts.append(scalar.text[at : hole.start()])
        parts.append(parse(scalar, "expr", hole.start(1), hole.end(1)))
        at = hole.end()
    rest = scalar.text[at:]
    if "{" in rest or "}" in rest:
        brace = at + re.search(r"[{}]", rest).start()  # type: ignore[union-attr]
        span = scalar.at(brace, brace + 1)
        raise SyntaxProblem(Diagnostic(span, "text-brace", f"`{scalar.text[brace]}` has no partner in this text", "",
                                       "holes are written `{expression}`"))  # fmt: skip
    parts.append(rest)
    return parts
