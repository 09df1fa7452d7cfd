"""Which words of a rule file are local names where they stand: a local name hides a declared one as far as it reaches, and no further."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from referee.lsp.scopes import scope_in, scope_of, scopes_seen
from referee.lsp.written import (
    READ,
    STEP_KEYS,
    Path,
    Piece,
    Role,
    WrittenWord,
    bound_words,
    is_steps,
    named_sections,
    pieces,
    words_of,
)
from rulespec import KEYWORDS, nodes

ENDS_LET = frozenset((",", "for", "where", "while"))
MOST_LOOKED_AT = 100_000  # words to find the reach of the names of one text; in a longer one they reach all of it
ENDS_DOMAIN = frozenset((",", "where", "while"))


@dataclass(frozen=True, slots=True)
class ReadPiece:
    """A key or value with its words, what each names, and the numbers of those that are local names."""

    piece: Piece
    words: list[WrittenWord]
    sections: list[str]  # of moves, named steps and scoring rules; empty for other words
    local: frozenset[int]


@dataclass(slots=True)
class _Entry:
    """The names that one entry of the files binds: for all of it, and by its steps in each file."""

    parameters: set[str] = field(default_factory=set)
    choices: dict[str, None] = field(default_factory=dict)
    steps: dict[int, set[str]] = field(default_factory=dict)  # number of the file → names


class _How(Enum):
    REST = "to the end of its list of steps"
    EACH = "in the steps of its block"
    BELOW = "below its key"


@dataclass(frozen=True, slots=True)
class _Opened:
    """A name that a step binds, and how far it reaches: among pieces below a path."""

    name: str
    below: Path
    how: _How

    def reaches(self, piece: Piece) -> bool:
        many = len(self.below)
        if piece.path[:many] != self.below or len(piece.path) <= many:
            return False
        begins = piece.is_key and len(piece.path) == many + 1 and piece.path[-1] in ("if", "while", "for each", "ask")
        return not (self.how is _How.EACH and begins)  # the next step of the list


def read_pieces(tree: nodes.Mapping, trees: list[nodes.Mapping], name: str = "") -> Iterator[ReadPiece]:
    """Yield all keys and values of a rule file, in order; `trees` are the files that make the rules, this one among them.

    With a name, only those in which it occurs, and of local names only that one is looked for.
    """
    entries = _entries(trees, name)
    own = next((number for number, other in enumerate(trees) if other is tree), -1)
    known: dict[Path, list[_Entry]] = {}
    scope: Path = ()
    opened: list[_Opened] = []
    for piece in pieces(tree):
        here = scope_in(trees, piece.path)
        if here != scope:
            scope, opened = here, []
        opened = [one for one in opened if one.reaches(piece)]
        if name not in piece.scalar.text:
            continue
        if scope not in known:
            seen = scopes_seen(trees, scope) if scope[:1] == ("moves",) else [scope]
            known[scope] = [entries[one] for one in seen if one in entries]
        words = words_of(piece)
        sections = named_sections(piece, words)
        local: frozenset[int] = frozenset()
        if piece.role in READ and words:
            names = {one.name for one in opened} | _of_entry(piece, known[scope], own)
            local = frozenset(_local(piece, words, sections, names))
            opened += _opened(piece, words)
        yield ReadPiece(piece, words, sections, local)


def _entries(trees: list[nodes.Mapping], name: str) -> dict[Path, _Entry]:
    found: dict[Path, _Entry] = {}
    for number, tree in enumerate(trees):
        for piece in pieces(tree):
            words = words_of(piece) if piece.role in READ and name in piece.scalar.text else []
            for word in bound_words(piece, words):
                if word.text in KEYWORDS:
                    continue
                entry = found.setdefault(scope_of(piece.path), _Entry())
                if piece.role is Role.HEAD:
                    entry.parameters.add(word.text)
                elif piece.role is Role.CHOICE:
                    entry.choices[word.text] = None
                elif is_steps(piece.path) and any(one.name == word.text for one in _opened(piece, words)):
                    entry.steps.setdefault(number, set()).add(word.text)
    return found


def _of_entry(piece: Piece, entries: list[_Entry], own: int) -> set[str]:
    """Return the names that are known in a piece because of its entry; what steps of other files bind may reach it."""
    if piece.role in (Role.HEAD, Role.CHOICE):
        return set()
    choices = {name: None for entry in entries for name in entry.choices}
    if piece.path[:1] == ("moves",) and piece.path[2:3] == ("choose",):
        order = [*choices]
        choices = dict.fromkeys(order[: order.index(piece.path[3])] if piece.path[3] in order else order)
    below = {name for entry in entries for number, names in entry.steps.items() if number != own for name in names}
    return {*choices, *below, *(name for entry in entries for name in entry.parameters)}


def _opened(piece: Piece, words: list[WrittenWord]) -> Iterator[_Opened]:
    """Yield the names that a step binds for other pieces."""
    if not is_steps(piece.path) or len(words) < 2:
        return
    first = words[0].text
    if piece.is_key:
        if first == "for" and words[1].text == "each" and len(words) > 2 and piece.path[-1] not in STEP_KEYS:
            yield _Opened(words[2].text, piece.path, _How.BELOW)
    elif piece.path[-1] == "for each":
        yield _Opened(first, piece.path[:-1], _How.EACH)
    elif piece.path[-1] == "-" and first in ("let", "roll") and words[1].is_name:
        yield _Opened(words[1].text, piece.path[:-1], _How.REST)


def _local(piece: Piece, words: list[WrittenWord], sections: list[str], names: set[str]) -> Iterator[int]:
    """Yield the numbers of the words of a piece that are local names."""
    binding = set(bound_words(piece, words))
    bound = {number for number, word in enumerate(words) if word in binding}
    yield from bound
    depths, reached = _depths(words), dict[str, list[range]]()
    is_long = len(bound) * len(words) > MOST_LOOKED_AT
    for number in sorted(bound):
        stretches = [range(len(words))] if is_long else _reach(words, depths, number)
        reached.setdefault(words[number].text, []).extend(stretches)
    for number, word in enumerate(words):
        is_part = number > 0 and words[number - 1].text == "."
        if number in bound or not word.is_name or is_part or sections[number]:
            continue
        if word.text in names or any(number in stretch for stretch in reached.get(word.text, ())):
            yield number


def _depths(words: list[WrittenWord]) -> list[int]:
    """Return for each word in how many brackets it is; a bracket is outside itself."""
    depths, depth = [], 0
    for word in words:
        depth -= word.text in ")]"
        depths.append(depth)
        depth += word.text in "(["
    return depths


def _reach(words: list[WrittenWord], depths: list[int], bound: int) -> Iterator[range]:
    """Yield the stretches of words within one text that a name bound in it reaches."""
    level = depths[bound]
    start = next((i + 1 for i in range(bound - 1, -1, -1) if depths[i] < level), 0)
    end = next((i for i in range(bound + 1, len(words)) if depths[i] < level), len(words))

    def following(signs: frozenset[str], after: int) -> int:
        return next((i for i in range(after, end) if depths[i] == level and words[i].text in signs), end)

    before = words[bound - 1].text if bound else ""
    if before == "let":
        inside = following(frozenset(("in",)), bound)
        yield range(inside + 1, _end_of_branch(words, depths, inside + 1, following(ENDS_LET, inside + 1)))
    elif before == "roll":
        yield range(following(frozenset(("weighted",)), bound), end)
    elif bound + 1 < len(words) and words[bound + 1].text == "from":  # a group
        yield range(following(frozenset(("where",)), bound), end)
    elif bound + 1 < len(words) and words[bound + 1].text == "in":
        gathers = next((i for i in range(bound, start - 1, -1) if depths[i] == level and words[i].text == "for"), start)
        yield range(start, gathers)
        yield range(following(ENDS_DOMAIN, bound), end)


def _end_of_branch(words: list[WrittenWord], depths: list[int], start: int, end: int) -> int:
    """Return where a branch of an `if` ends that a stretch of words begins in; the end if it begins in none."""
    opened = 0
    for number in range(start, end):
        if depths[number] == depths[start - 1]:
            opened += words[number].text == "if"
            if words[number].text in ("then", "else") and not opened:
                return number
            opened -= words[number].text == "else"
    return end
