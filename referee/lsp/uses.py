"""Where a name is declared and used, in one file and in all that build on each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path as File

from referee.lsp.analysis import Analysis, is_local, piece_at
from referee.lsp.completion import VIEWED
from referee.lsp.local_words import ReadPiece, read_pieces
from referee.lsp.neighbours import RuleFile, chain_of, family_of
from referee.lsp.scopes import local_names, scope_in, scope_of, scopes_together
from referee.lsp.written import (
    READ,
    Path,
    Piece,
    Role,
    WrittenWord,
    bound_words,
    is_of_language,
    named_sections,
    pieces,
    span_of,
    words_of,
)
from rulespec import Span, nodes


@dataclass(frozen=True, slots=True)
class NamedThing:
    """The meaning of a word: a name of the rules, a local name of some scopes, an option, or a choice of one."""

    kind: str  # name, local, option, choice
    name: str
    scopes: frozenset[Path] = frozenset()
    option: str = ""
    shared: bool = False  # by all moves that are like each other
    section: str = ""  # of a name: moves, steps or scoring, if no expression can use it
    titled: bool = True  # of a name: what `says` calls so is this one


@dataclass(frozen=True, slots=True)
class Use:
    span: Span
    declares: bool


def target_at(found: Analysis, line: int, column: int) -> tuple[NamedThing, Span] | None:
    """Return what the word at a position names, and where the word is; none for words of the language and of people."""
    piece = piece_at(found, line, column)
    if piece is None:
        return None
    words = words_of(piece)
    for number, word in enumerate(words):
        span = span_of(piece, word)
        if not is_of_language(piece, words, number) and _contains(span, line, column):
            if piece.role is Role.OPTION:
                return NamedThing("option", word.text), span
            if piece.role is Role.PICKED:
                return NamedThing("choice", word.text, option=_option_of(piece)), span
            target = _target(found, piece, words, number) if word.is_name and piece.role is not Role.KEY else None
            if target is not None:
                return target, span
    return None


def _contains(span: Span, line: int, column: int) -> bool:
    return (span.line, span.col) <= (line, column) <= (span.end_line, span.end_col)


def _target(found: Analysis, piece: Piece, words: list[WrittenWord], number: int) -> NamedThing | None:
    name, section = words[number].text, named_sections(piece, words)[number]
    scope = scope_in(found.trees, piece.path)
    local = local_names(found.trees, scope).get(name) if scope and piece.role in READ and not section else None
    span = span_of(piece, words[number])
    if local is not None and (("", name) not in found.names or is_local(found, name, span.line, span.col)):
        return _widened(NamedThing("local", name, frozenset([scope]), shared=local.what != "a local name"), found.trees)
    other = found.names.get(("", name))
    is_title = _is_title(piece, name)
    if is_title and (other is None or other.what not in VIEWED["says"]):
        section = "steps"
    if (section, name) not in found.names:
        return None
    titled = not section or (section == "steps" and (other is None or other.what not in VIEWED["says"]))
    return NamedThing("name", name, section=section, titled=titled)


def _is_title(piece: Piece, name: str) -> bool:
    """Return whether a word is a name that `says` has words for."""
    return piece.is_key and piece.path == ("view", "says", name)


def _widened(target: NamedThing, trees: list[nodes.Mapping]) -> NamedThing:
    """Return a target with all the scopes that share its name, in the files that make some rules."""
    if not target.shared:
        return target
    return replace(target, scopes=frozenset(s for scope in target.scopes for s in scopes_together(trees, scope)))


def _option_of(piece: Piece) -> str:
    """Return the option of a piece that is one of its choices."""
    if piece.is_key:
        return piece.path[1]
    return piece.path[-2] if piece.path[-1] == "-" else piece.path[-1]


def uses(tree: nodes.Mapping, target: NamedThing, trees: list[nodes.Mapping] | None = None) -> Iterator[Use]:
    """Yield where a file declares or uses what a target names, in order; `trees` are the files that make its rules."""
    for read in read_pieces(tree, trees or [tree], target.name):
        piece, words = read.piece, read.words
        if _can_have(piece, target):
            bound = list(bound_words(piece, words))
            for number, word in enumerate(words):
                if word.text == target.name and _means(read, number, target):
                    yield Use(span_of(piece, word), _declares(piece, number, word in bound))


def _means(read: ReadPiece, number: int, target: NamedThing) -> bool:
    """Return whether a word that is spelt like a target is it."""
    if is_of_language(read.piece, read.words, number):
        return False
    match target.kind:
        case "local":
            return number in read.local
        case "name":
            if _is_title(read.piece, target.name):
                return target.titled
            return number not in read.local and read.sections[number] == target.section
        case _:
            return True


def _can_have(piece: Piece, target: NamedThing) -> bool:
    match target.kind:
        case "option":
            return piece.role is Role.OPTION
        case "choice":
            return piece.role is Role.PICKED and _option_of(piece) == target.option
        case "local":
            says = piece.path[:2] == ("view", "says") and piece.path[2:] in {scope[1:] for scope in target.scopes}
            return piece.role in READ and (says or scope_of(piece.path) in target.scopes)
        case _:
            return piece.role in (*READ, Role.NOTATION)


def _declares(piece: Piece, number: int, bound: bool) -> bool:
    if bound or piece.path[:1] == ("options",):
        return True
    return (piece.role is Role.HEAD and number == 0) or (piece.path[:1] == ("sets",) and piece.path[2:] == ("-",))


@dataclass(frozen=True, slots=True)
class Declared:
    """An entry of a section that a file declares or changes."""

    name: str
    section: str
    span: Span


def declared(known: dict[File, RuleFile], query: str, most: int = 500) -> list[Declared]:
    """Return the entries of files whose names have the letters of a query, in that order; the shortest names first."""
    found = []
    for one in known.values():
        for piece in pieces(one.tree):
            name = piece.path[-1]
            if piece.role is Role.HEAD and _has_letters(name, query.lower()):
                found.append(Declared(name, piece.path[0], piece.scalar.span))
    return sorted(found, key=lambda d: (len(d.name), d.name, d.span))[:most]


def _has_letters(name: str, query: str) -> bool:
    letters = iter(name)
    return all(letter in letters for letter in query)


def uses_everywhere(target: NamedThing, path: File, known: dict[File, RuleFile]) -> dict[File, list[Use]]:
    """Return where files use what a target of one file names: the lowest that has it, and all that build on that one."""
    chain = chain_of(path, known)
    below = [known[one].tree for one in chain]
    lowest = next((one for one in chain if next(uses(known[one].tree, target, below), None)), path)
    found = {}
    for one in family_of(lowest, known):
        if one in known:
            trees = [known[other].tree for other in chain_of(one, known)]
            found[one] = list(uses(known[one].tree, _widened(target, trees), trees))
    return found
