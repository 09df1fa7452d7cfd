"""Names that are known in one entry only: parameters, choices and local names, also those of the file below."""

from __future__ import annotations

from collections.abc import Iterator

from referee.lsp.symbols import Name
from referee.lsp.written import Path, Piece, Role, WrittenWord, bound_words, entries_at, pieces_of, words_of
from rulespec import KEYWORDS, nodes

MOST_LIKE = 20  # moves, each like the next


def scope_of(path: Path) -> Path:
    """Return the part of a path within which local names are known: an entry of a section, or `setup` and `play`.

    >>> scope_of(("moves", "take", "needs")), scope_of(("play", "-", "do")), scope_of(("moves",))
    (('moves', 'take'), ('play',), ())
    """
    if path[:1] in (("setup",), ("play",)):
        return path[:1]
    return (path[0], nodes.bare_name(path[1])) if len(path) > 1 else ()


def scope_in(trees: list[nodes.Mapping], path: Path) -> Path:
    """Return the same where files are known: what `says` calls a definition uses its parameters."""
    if path[:2] != ("view", "says") or len(path) < 3:
        return scope_of(path)
    name = nodes.bare_name(path[2])
    return next(((s, name) for s in ("define", "steps") if name in entries_at(trees, (s,))), scope_of(path))


def scopes_seen(trees: list[nodes.Mapping], scope: Path) -> list[Path]:
    """Return a scope and those whose choices it has too: a move has those of the move that it is `like`."""
    found = [scope]
    while scope[:1] == ("moves",) and len(found) < MOST_LIKE:
        like = next(_likes(trees, scope), "")
        scope = ("moves", like)
        if not like or scope in found:
            break
        found.append(scope)
    return found


def scopes_together(trees: list[nodes.Mapping], scope: Path) -> set[Path]:
    """Return the scopes in which a local name of one is the same name: all moves that are like each other."""
    if scope[:1] != ("moves",):
        return {scope}
    moves = [("moves", name) for name in entries_at(trees, ("moves",))]
    root = scopes_seen(trees, scope)[-1]
    return {scope, *(move for move in moves if scopes_seen(trees, move)[-1] == root)}


def _likes(trees: list[nodes.Mapping], scope: Path) -> Iterator[str]:
    for tree in reversed(trees):
        for piece in pieces_of(tree, scope):
            if piece.path[2:] == ("like",) and not piece.is_key:
                yield piece.scalar.text


def local_names(trees: list[nodes.Mapping], scope: Path) -> dict[str, Name]:
    """Return the parameters, choices and other local names of a scope; `trees` are the files, the bottom one first."""
    found: dict[str, Name] = {}
    for one in scopes_seen(trees, scope) if scope else ():
        for tree in trees:
            for piece in pieces_of(tree, one):
                words = words_of(piece)
                for word in bound_words(piece, words):
                    if word.text not in KEYWORDS and word.text not in found:
                        found[word.text] = _local(piece, words, word)
        if scope[:1] == ("moves",):
            _add_choices(trees, one, found)
    return found


def _add_choices(trees: list[nodes.Mapping], scope: Path, found: dict[str, Name]) -> None:
    for name, entry in entries_at(trees, (*scope, "choose")).items():
        if name in found:
            value = entry.value
            details = value.text if isinstance(value, nodes.Scalar) else "one of a list"
            found[name] = Name(name, "what the player chooses", name, details, entry.key.span)


def _local(piece: Piece, words: list[WrittenWord], word: WrittenWord) -> Name:
    span = piece.scalar.at(word.start, word.end)
    at = words.index(word)
    if piece.role is Role.HEAD:
        return Name(word.text, "a parameter", word.text, f"a {words[at - 1].text}", span)
    if piece.role is Role.CHOICE:
        return Name(word.text, "what the player chooses", word.text, "", span)
    if words[at + 1].text == "from" and words[at - 1].text == "(":
        return Name(word.text, "a local name", word.text, "a cell", span)
    depth, end = 0, len(piece.scalar.text)
    for following in words[at + 2 :]:
        depth += (following.text in "([") - (following.text in ")]")
        if depth < 0 or (depth == 0 and following.text in (",", "where", "while", "}", "in")):
            end = following.start
            break
    details = " ".join(piece.scalar.text[words[at + 1].end : end].split())
    return Name(word.text, "a local name", word.text, details, span)
