"""Everything written in a rule file, piece by piece: where it is, and how it is to be read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

from referee.lsp.symbols import STEP_WORDS
from rulespec import AGGREGATES, BUILTINS, Span, is_block_name, nodes

Path = tuple[str, ...]  # the keys on the way, from the section on; an item of a list is `-`

ACTS = ("moves", "steps", "scoring")  # their names are others than those of expressions
DECLARING = ("sets", "tables", "places", "variables", "define", "steps", "moves", "scoring")
ORDERS = ("remove", "add", "add first")
STEP_KEYS = (
    "if", "then", "else", "while", "do", "for each", "ask", "to", "forced", "otherwise",
    "add", "add first", "remove", "before", "after", "instead of",
)  # fmt: skip
EXPRESSIONS = ("if", "while", "for each", "ask", "to", "forced")  # keys of steps after which no step follows
EXPECT_KEYS = ("points", "gained", "winner", "over", "to move", "was told")


class Role(Enum):
    """How a text is read."""

    KEY = "a word of the language"
    HEAD = "a name that is declared, with its indexes or parameters"
    CHOICE = "a name that a move declares for what is chosen"
    CODE = "an expression, a step or names"
    NOTATION = "a position or moves, in an example"
    TEXT = "words for people, with expressions in braces"
    OPTION = "an option"
    PICKED = "a choice of an option"
    PROSE = "words for people"


READ = (Role.HEAD, Role.CODE, Role.TEXT, Role.CHOICE)  # where local names are


@dataclass(frozen=True, slots=True)
class Piece:
    """A key or value: its path below `change:`, where it is in one, and its role."""

    path: Path
    scalar: nodes.Scalar
    role: Role
    is_key: bool = False


def pieces(tree: nodes.Mapping) -> Iterator[Piece]:
    """Yield all keys and values of a rule file, in order."""
    yield from _pieces(tree, ())


def _pieces(node: nodes.Node, path: Path) -> Iterator[Piece]:
    match node:
        case nodes.Scalar():
            yield Piece(path, node, _value_role(path))
        case nodes.Sequence():
            for item in node.items:
                yield from _pieces(item, (*path, "-"))
        case nodes.Mapping():
            for key, value in node:
                inner = (*path, nodes.bare_name(key.text))
                role = _key_role(inner, key.text, value)
                yield Piece(inner, key, role, is_key=True)
                yield from _pieces(value, () if is_change(inner) else inner)


def is_change(path: Path) -> bool:
    """Return whether what is at a path has the shape of a rule file itself."""
    match path:
        case ("change",) | ("options", _, _, "change"):
            return True
        case _:
            return False


def rooted(path: Path) -> Path:
    """Return the path below the last `change:` of a path from the top of a file.

    >>> rooted(("change", "moves", "take")), rooted(("options", "a", "b", "change", "sets")), rooted(("with",))
    (('moves', 'take'), ('sets',), ('with',))
    """
    for end in (1, 4):
        if is_change(path[:end]):
            return rooted(path[end:])
    return path


def is_steps(path: Path) -> bool:
    """Return whether what is at this path is a list of steps, or inside one."""
    match path:
        case ("setup" | "play", *_) | ("steps", _, *_) | ("moves", _, "does", *_):
            return True
        case _:
            return False


def _key_role(path: Path, text: str, value: nodes.Node) -> Role:
    if path[-1] in ORDERS and not isinstance(value, nodes.Mapping):
        return Role.KEY
    if is_steps(path) and len(path) > (2 if path[0] == "steps" else 3 if path[0] == "moves" else 1):
        return Role.CODE if text not in STEP_KEYS and (is_block_name(text) or path[-2] in STEP_KEYS) else Role.KEY
    match path:
        case (section, _) if section in DECLARING:
            return Role.HEAD
        case ("moves", _, "choose", _):
            return Role.CHOICE
        case ("moves", _, "needs", _) | ("winner", _) | ("examples", _):
            return Role.PROSE
        case ("pieces", _) | ("tables", _, _, *_) | ("places", _, "ways", _, *_):
            return Role.CODE
        case ("view", "labels" | "symbols" | "colours" | "layout" | "pieces" | "marks" | "says", _):
            return Role.CODE
        case ("view", "layout", _, "ring", _):
            return Role.CODE
        case ("options", _) | ("with", _) | ("examples", _, "with", _) | ("options", _, _, "not with", _):
            return Role.OPTION
        case ("options", _, _):
            return Role.PICKED
        case ("examples", _, *_, "expect", word) if word in EXPECT_KEYS:
            return Role.KEY
        case ("examples", _, "given" | "expect" | "offered" | "refused", _, *_) | (
            "examples",
            _,
            "play",
            "-",
            _,
            _,
            *_,
        ):
            return Role.NOTATION
        case _:
            return Role.KEY


def _value_role(path: Path) -> Role:
    match path:
        case ("extends" | "game" | "rulespec" | "players" | "text" | "see", *_) | ("examples", _, "text" | "see"):
            return Role.PROSE
        case ("with", _) | ("examples", _, "with", _) | ("options", _, _, "not with", _, *_):
            return Role.PICKED
        case ("options", _, _, "text"):
            return Role.TEXT
        case ("options", *_) | ("moves" | "scoring" | "places" | "variables", _, "see") | ("view", *_, "see"):
            return Role.PROSE
        case ("moves" | "scoring", _, "text") | ("moves", _, "needs", _, "else") | ("view", "labels" | "says", _):
            return Role.TEXT
        case ("view", "layout", _, "title"):
            return Role.TEXT
        case ("moves", _, "needs", _, "see") | ("moves", _, "needs", "remove", _) | ("winner", "remove", _):
            return Role.PROSE
        case ("view", "symbols" | "colours", _) | ("view", *_, "shape" | "align" | "as"):
            return Role.PROSE
        case ("places", _, "seen by"):
            return Role.PROSE
        case (*_, "forced") if is_steps(path):
            return Role.PROSE
        case ("examples", _, *_, "refused", _):
            return Role.PROSE
        case ("examples", *_):
            return Role.NOTATION
        case _:
            return Role.CODE


# Words ----------------------------------------------------------------------------------------------------

_TOKEN = re.compile(
    r"[a-z][a-z0-9_]*(?![A-Za-z0-9_])|[0-9]+(?![A-Za-z0-9_])|\.\.|!=|<=|>=|[A-Za-z0-9_]+|[^\sA-Za-z0-9_]"
)
_HOLE = re.compile(r"\{([^{}]*)\}")
_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")


@dataclass(frozen=True, slots=True)
class WrittenWord:
    """A word, number or sign of a piece, by its offsets in the piece's text."""

    text: str
    start: int
    end: int

    @property
    def is_name(self) -> bool:
        return _NAME.match(self.text) is not None


def is_name(text: str) -> bool:
    """Return whether a text has the shape of a name."""
    return _NAME.match(text) is not None


def words_of(piece: Piece) -> list[WrittenWord]:
    """Return the words, numbers and signs of a piece that the language reads; none of words for people."""
    text = piece.scalar.text
    match piece.role:
        case Role.CODE if is_step(piece) and text.startswith("tell "):
            return _words(text, 0, len("tell")) + _in_holes(text)
        case Role.HEAD | Role.CHOICE | Role.CODE | Role.NOTATION:
            return _words(text, 0, len(text))
        case Role.TEXT:
            return _in_holes(text)
        case Role.OPTION | Role.PICKED | Role.KEY:
            return [WrittenWord(text, 0, len(text))] if text else []
        case Role.PROSE:
            return []


def _in_holes(text: str) -> list[WrittenWord]:
    return [word for hole in _HOLE.finditer(text) for word in _words(text, hole.start(1), hole.end(1))]


def _words(text: str, start: int, end: int) -> list[WrittenWord]:
    return [WrittenWord(m.group(), m.start(), m.end()) for m in _TOKEN.finditer(text, start, end)]


def is_of_language(piece: Piece, words: list[WrittenWord], number: int) -> bool:
    """Return whether a word of a piece begins a step or calls a built-in: a name may be spelt the same."""
    word = words[number].text
    if number + 1 < len(words) and words[number + 1].text == "(" and piece.role is not Role.HEAD:
        return word in BUILTINS or word in AGGREGATES
    return is_step(piece) and number == 0 and word in STEP_WORDS


def is_step(piece: Piece) -> bool:
    """Return whether a piece is a step of one line."""
    return piece.role is Role.CODE and is_steps(piece.path) and (piece.is_key or piece.path[-1] == "-")


def named_sections(piece: Piece, words: list[WrittenWord]) -> list[str]:
    """Return for each word the section of the move, named step or scoring rule that it names by where it stands; empty for none."""
    path, first = piece.path, words[0].text if words else ""
    match piece.role:
        case Role.HEAD:
            return _only(words, 0, path[0] if path[0] in ACTS else "")
        case Role.NOTATION:
            return _in_example(piece, words)
        case Role.CODE:
            pass
        case _:
            return _only(words, 0, "")
    match path:
        case (section, "remove", "-") if section in ACTS:
            return _only(words, 0, section)
        case ("moves", _, "like" | "beside"):
            return _only(words, 0, "moves")
        case (*_, "to") if is_steps(path) and not piece.is_key:
            return _called(words, "moves", "", "")
    if is_steps(path) and (piece.is_key or path[-1] not in EXPRESSIONS):
        match first:
            case "do":
                return _only(words, 1, "steps")
            case "score":
                return _called(words, "scoring", "score", "for")
            case "ask":
                return _called(words, "moves", "to", "")
    return _only(words, 0, "")


def _only(words: list[WrittenWord], number: int, section: str) -> list[str]:
    return [section if n == number else "" for n in range(len(words))]


def _called(words: list[WrittenWord], section: str, after: str, before: str) -> list[str]:
    """Return a section for each name outside of all brackets, after and before these words."""
    found, depth, is_after = [], 0, not after
    for word in words:
        depth += (word.text in "([") - (word.text in ")]")
        is_after = is_after and (depth > 0 or not before or word.text != before)
        found.append(section if is_after and not depth and word.is_name and word.text != "or" else "")
        is_after = is_after or word.text == after
    return found


def _in_example(piece: Piece, words: list[WrittenWord]) -> list[str]:
    """Return the same for an example: a decision begins with its move, whatever else has that name."""
    first = next((i for i, word in enumerate(words) if word.is_name), 0)
    match piece.path[2:]:
        case ("run",) if not piece.is_key:
            return _only(words, 0, "steps")
        case (*_, "expect", "points" | "gained", _) if piece.is_key:
            return _only(words, 0, "scoring")
        case ("play", "-") | (*_, "offered", "-") | (*_, "offered") if not piece.is_key:
            return _only(words, first, "moves")
        case (*_, "offered" | "refused", _) if piece.is_key:
            return _only(words, first, "moves")
    return _only(words, 0, "")


def span_of(piece: Piece, word: WrittenWord) -> Span:
    return piece.scalar.at(word.start, word.end)


def bound_words(piece: Piece, words: list[WrittenWord]) -> Iterator[WrittenWord]:
    """Yield the words of a piece that declare a local name: a parameter, a choice, `for x in`, `let x be`, `roll x from`."""
    if piece.role is Role.CHOICE:
        yield from words[:1]
        return
    if piece.role is Role.HEAD:
        opened = [word.text for word in words[:2]][-1:] == ["("]
        for word, following in pairwise(words[3:]):
            if opened and word.is_name and following.text in (",", ")"):
                yield word
        return
    if piece.role not in (Role.CODE, Role.TEXT):
        return
    each = not piece.is_key and piece.path[-1:] == ("for each",)
    depth, gathering = 0, {-1}  # the depths of brackets at which `for` was read
    for i, word in enumerate(words):
        before = words[i - 1].text if i else ""
        after = words[i + 1].text if i + 1 < len(words) else ""
        depth += (word.text in "([") - (word.text in ")]")
        if word.text in ")]":
            gathering = {d for d in gathering if d <= depth}
        if word.text == "for":
            gathering.add(depth)
        if not word.is_name:
            continue
        is_inner = before == "for" or (before == "," and depth in gathering) or (each and i == 0) or before == "each"
        is_let = before in ("let", "roll") and after in ("be", "from")
        is_group = after == "from" and before == "(" and i > 1 and words[i - 2].text == "group"
        if (is_inner and after == "in") or is_let or is_group:
            yield word


# Parts of a file ------------------------------------------------------------------------------------------


def bodies(tree: nodes.Mapping) -> Iterator[nodes.Mapping]:
    """Yield the maps of a file that have the shape of a rule file: itself, its `change`, and those of its options."""
    yield tree
    if isinstance(change := tree.get("change"), nodes.Mapping):
        yield change
    options = tree.get("options")
    for _, option in options if isinstance(options, nodes.Mapping) else ():
        for _, choice in option if isinstance(option, nodes.Mapping) else ():
            if isinstance(choice, nodes.Mapping) and isinstance(change := choice.get("change"), nodes.Mapping):
                yield change


def entries_at(trees: Iterator[nodes.Mapping] | list[nodes.Mapping], path: Path) -> dict[str, nodes.Entry]:
    """Return the entries that files have at a path, by their bare names; of several the first, which declares it."""
    found: dict[str, nodes.Entry] = {}
    for tree in trees:
        for body in bodies(tree):
            for entry in _entries(body, path):
                found.setdefault(nodes.bare_name(entry.key.text), entry)
    return found


def _entries(node: nodes.Node, path: Path) -> tuple[nodes.Entry, ...]:
    for name in path:
        if not isinstance(node, nodes.Mapping):
            return ()
        exact = node.entry(name)
        named = (e for e in node.entries if nodes.bare_name(e.key.text) == nodes.bare_name(name))
        entry = exact or next(named, None)
        if entry is None:
            return ()
        node = entry.value
    return node.entries if isinstance(node, nodes.Mapping) else ()


def pieces_of(tree: nodes.Mapping, scope: Path) -> Iterator[Piece]:
    """Yield what is written in one entry of a section (`moves`, `take`), or in a section that is one (`play`)."""
    for body in bodies(tree):
        section = body.entry(scope[0]) if scope else None
        if section is not None and len(scope) == 1:
            yield from _pieces(section.value, scope)
        elif section is not None and isinstance(section.value, nodes.Mapping):
            part = tuple(e for e in section.value.entries if nodes.bare_name(e.key.text) == scope[1])
            yield from _pieces(nodes.Mapping(section.value.span, part), scope[:1])
