"""Semantic tokens: what each word of a rule file is, for colours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.lsp.analysis import Analysis
from referee.lsp.local_words import ReadPiece, read_pieces
from referee.lsp.symbols import FIXED, STEP_WORDS, Name
from referee.lsp.written import (
    STEP_KEYS,
    Piece,
    Role,
    WrittenWord,
    bound_words,
    is_of_language,
)
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
    for read in read_pieces(found.tree, found.trees) if found.tree else ():
        out += _tokens(found, read)
    out.sort(key=lambda token: (token.span.line, token.span.col))
    kept: list[Token] = []
    for token in out:
        s = token.span
        after = not kept or (kept[-1].span.line, kept[-1].span.end_col) <= (s.line, s.col)
        if s.line == s.end_line and s.col < s.end_col and after:
            kept.append(token)
    return kept


def _tokens(found: Analysis, read: ReadPiece) -> Iterator[Token]:
    piece, words = read.piece, read.words
    scalar = piece.scalar
    match piece.role:
        case Role.KEY:
            yield Token(scalar.span, "keyword" if piece.path[-1] in STEP_KEYS else "namespace")
        case Role.OPTION:
            yield Token(scalar.span, "type")
        case Role.PICKED:
            yield Token(scalar.span, "enumMember")
        case Role.TEXT:
            yield from _text(scalar, words)
            yield from _words(found, read)
        case Role.PROSE:
            yield from () if piece.is_key else _lines(scalar)
        case _:
            yield from _words(found, read)


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


def _words(found: Analysis, read: ReadPiece) -> Iterator[Token]:
    piece, words = read.piece, read.words
    bound = set(bound_words(piece, words))
    for number, word in enumerate(words):
        declared = DECLARATION if word in bound or (piece.role is Role.HEAD and number == 0) else 0
        type_, modifiers = _kind(found, read, number)
        if is_of_language(piece, words, number):
            called = words[number + 1 : number + 2] and words[number + 1].text == "("
            type_, modifiers = ("function", LIBRARY) if called else ("keyword", 0)
        if type_:
            yield Token(piece.scalar.at(word.start, word.end), type_, modifiers | declared)


def _kind(found: Analysis, read: ReadPiece, number: int) -> tuple[str, int]:
    piece, word = read.piece, read.words[number]
    text, section = word.text, read.sections[number]
    if text.isdigit():
        return "number", 0
    if not word.is_name:
        return ("operator", 0) if not text[0].isalnum() and piece.role is not Role.NOTATION else ("", 0)
    if act := found.names.get((section, text)) if section else None:
        return KINDS[act.what]
    if number in read.local:
        return "parameter", 0
    if name := found.names.get(("", text)) or _titled(found, piece, text):
        return ("enumMember", 0) if name.member_of else KINDS.get(name.what, ("variable", 0))
    if (
        text in KEYWORDS
        or (text in STEP and piece.role is Role.CODE)
        or (piece.role is Role.NOTATION and text in NOTED)
    ):
        return "keyword", 0
    return ("variable", LIBRARY) if text in FIXED else ("", 0)


def _titled(found: Analysis, piece: Piece, text: str) -> Name | None:
    """Return the named step that `says` gives a title."""
    return found.names.get(("steps", text)) if piece.path == ("view", "says", text) else None


def encoded(found: list[Token], units: list[tuple[int, int]]) -> list[int]:
    """Return tokens as the protocol has them, each from the one before; `units` are their columns and lengths."""
    out, line, start = [], 1, 0
    for token, (begin, length) in zip(found, units, strict=True):
        if token.span.line > line:
            start = 0
        out += [token.span.line - line, begin - start, length, TYPES.index(token.type), token.modifiers]
        line, start = token.span.line, begin
    return out
