"""Semantic tokens: what each word of a rule file is, for colours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.lsp.analysis import Analysis
from referee.lsp.scopes import all_bound, scope_in, scope_of, scopes_seen
from referee.lsp.symbols import FIXED, STEP_WORDS
from referee.lsp.written import STEP_KEYS, Path, Piece, Role, WrittenWord, bound_words, is_of_language, pieces, words_of
from rulespec import KEYWORDS, Span, nodes

TYPES = (
    "keyword", "type", "enumMember", "property", "variable", "function", "method", "event", "parameter", "number",
    "string", "operator", "namespace",
)  # fmt: skip
MODIFIERS = ("declaration", "readonly", "defaultLibrary")
DECLARATION, READ_ONLY, LIBRARY = 1, 2, 4

KINDS = {  # what a name is → its token
    "a set": ("type", 0),
    "a table": ("variable", READ_ONLY),
    "a place": ("property", 0),
    "a variable": ("variable", 0),
    "a function": ("function", 0),
    "a named step": ("method", 0),
    "a move": ("event", 0),
    "a scoring rule": ("function", 0),
    "a kind of piece": ("enumMember", 0),
}
STEP = frozenset(STEP_WORDS) | {
    "from", "to", "of", "up", "under", "top", "all", "weighted", "by", "each", "ask", "along", "then", "for", "be",
}  # fmt: skip
NOTED = frozenset(("draw", "roll", "nothing", "the", "rest", "chance", "true", "false", "none"))


@dataclass(frozen=True, slots=True)
class Token:
    span: Span
    type: str
    modifiers: int = 0


def tokens(found: Analysis) -> list[Token]:
    """Return the tokens of a document, in order, none across two lines and no two in one place."""
    out: list[Token] = []
    bound = all_bound(found.trees)
    locals_of: dict[Path, frozenset[str]] = {}
    for piece in pieces(found.tree) if found.tree else ():
        scope = scope_of(piece.path)
        if piece.path[:2] == ("view", "says"):
            scope = scope_in(found.trees, piece.path)
        if scope not in locals_of:
            seen = scopes_seen(found.trees, scope) if scope[:1] == ("moves",) else [scope]
            locals_of[scope] = frozenset(name for one in seen for name in bound.get(one, ()))
        out += _tokens(found, piece, locals_of[scope])
    out.sort(key=lambda token: (token.span.line, token.span.col))
    kept: list[Token] = []
    for token in out:
        s = token.span
        after = not kept or (kept[-1].span.line, kept[-1].span.end_col) <= (s.line, s.col)
        if s.line == s.end_line and s.col < s.end_col and after:
            kept.append(token)
    return kept


def _tokens(found: Analysis, piece: Piece, known: frozenset[str]) -> Iterator[Token]:
    scalar, words = piece.scalar, words_of(piece)
    match piece.role:
        case Role.KEY:
            yield Token(scalar.span, "keyword" if piece.path[-1] in STEP_KEYS else "namespace")
        case Role.OPTION:
            yield Token(scalar.span, "type")
        case Role.PICKED:
            yield Token(scalar.span, "enumMember")
        case Role.TEXT:
            yield from _text(scalar, words)
            yield from _words(found, piece, words, known)
        case Role.PROSE:
            yield from () if piece.is_key else _lines(scalar)
        case _:
            yield from _words(found, piece, words, known)


def _lines(scalar: nodes.Scalar) -> Iterator[Token]:
    if scalar.span.line == scalar.span.end_line:
        yield Token(scalar.span, "string" if isinstance(scalar.value, str) else "number")


def _text(scalar: nodes.Scalar, words: list[WrittenWord]) -> Iterator[Token]:
    """Yield the stretches of a text between its expressions."""
    start = 0
    for word in [*words, WrittenWord("", len(scalar.text), len(scalar.text))]:
        for line in scalar.text[start : word.start].split("\n"):
            if line.strip():
                yield Token(scalar.at(start, start + len(line)), "string")
            start += len(line) + 1
        start = word.end


def _words(found: Analysis, piece: Piece, words: list[WrittenWord], known: frozenset[str]) -> Iterator[Token]:
    bound = set(bound_words(piece, words))
    for number, word in enumerate(words):
        declared = DECLARATION if word in bound or (piece.role is Role.HEAD and number == 0) else 0
        type_, modifiers = _kind(found, piece, word, known)
        if is_of_language(piece, words, number):
            called = words[number + 1 : number + 2] and words[number + 1].text == "("
            type_, modifiers = ("function", LIBRARY) if called else ("keyword", 0)
        if type_:
            yield Token(piece.scalar.at(word.start, word.end), type_, modifiers | declared)


def _kind(found: Analysis, piece: Piece, word: WrittenWord, known: frozenset[str]) -> tuple[str, int]:
    text = word.text
    if text.isdigit():
        return "number", 0
    if not word.is_name:
        return ("operator", 0) if not text[0].isalnum() and piece.role is not Role.NOTATION else ("", 0)
    if text in known and piece.role is not Role.NOTATION:
        return "parameter", 0
    if name := found.names.get(text):
        return ("enumMember", 0) if name.member_of else KINDS.get(name.what, ("variable", 0))
    if (
        text in KEYWORDS
        or (text in STEP and piece.role is Role.CODE)
        or (piece.role is Role.NOTATION and text in NOTED)
    ):
        return "keyword", 0
    return ("variable", LIBRARY) if text in FIXED else ("", 0)


def encoded(found: list[Token], units: list[tuple[int, int]]) -> list[int]:
    """Return tokens as the protocol has them, each from the one before; `units` are their columns and lengths."""
    out, line, start = [], 1, 0
    for token, (begin, length) in zip(found, units, strict=True):
        if token.span.line > line:
            start = 0
        out += [token.span.line - line, begin - start, length, TYPES.index(token.type), token.modifiers]
        line, start = token.span.line, begin
    return out
