"""What a person types, compared with the legal moves: whole words, abbreviations, the first words of a move. It never prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from interpreter import Game, Move, State, UnreadableMove

NEAREST = 4  # moves that are suggested where nothing fits
WordGroup = tuple[tuple[str, ...], ...]  # for each position in a move the words that can come there, in any combination


@dataclass(frozen=True, slots=True)
class TypedMove:
    """The legal moves that a line can mean. One: it is that move. None: it is no legal move."""

    moves: tuple[Move, ...]
    shared: tuple[str, ...]  # the words that all of them begin with, written out
    following: tuple[str, ...]  # the words that can come next; none if the moves differ in what was typed already


def read_typed(text: str, moves: Sequence[Move]) -> TypedMove:
    """Return the legal moves that begin with these words, each word whole or abbreviated."""
    typed = text.split()
    left = [(move, str(move).split()) for move in moves]
    for i, word in enumerate(typed):
        left = _fitting(left, i, word)
    return TypedMove(tuple(move for move, _ in left), *_shared([words for _, words in left], len(typed)))


def _fitting(left: list[tuple[Move, list[str]]], i: int, word: str) -> list[tuple[Move, list[str]]]:
    """Return the moves with this word in that position; a whole word is preferred to an abbreviation."""
    left = [(move, words) for move, words in left if i < len(words)]
    whole = [(move, words) for move, words in left if words[i].lower() == word.lower()]
    return whole or [(move, words) for move, words in left if is_short(word, words[i])]


def is_short(short: str, word: str) -> bool:
    """Return whether one word abbreviates another: `ro` for rose, `r,r,f` for rose,rose,fern."""
    parts, whole = short.lower().split(","), word.lower().split(",")
    return len(parts) == len(whole) and all(w.startswith(p) for p, w in zip(parts, whole, strict=True))


def _shared(words: list[list[str]], typed: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words that all moves begin with, and those that can come next."""
    if not words:
        return (), ()
    shared: list[str] = []
    for column in zip(*words, strict=False):
        if len(set(column)) > 1:
            break
        shared.append(column[0])
    if len(shared) < typed:
        return tuple(shared), ()
    return tuple(shared), tuple(dict.fromkeys(w[len(shared)] for w in words if len(w) > len(shared)))


def written_out(game: Game, text: str) -> str:
    """Return a line with its abbreviations written out, legal or not; words that are ambiguous stay as they are."""
    typed = text.split()
    if not typed:
        return text
    names = [n for n in game.model.moves if n == typed[0]] or [n for n in game.model.moves if is_short(typed[0], n)]
    if len(names) != 1:
        return text
    out = [names[0]]
    choices = game.model.moves[names[0]].choices
    for i, word in enumerate(typed[1:]):
        values = game.notation.values(choices[i].type) if i < len(choices) else []
        fitting = [v for v in values if v.lower() == word.lower()] or [v for v in values if is_short(word, v)]
        out.append(fitting[0] if len(fitting) == 1 else word)
    return " ".join(out)


def nearest(text: str, moves: Sequence[Move]) -> list[Move]:
    """Return the legal moves that look most like a line."""
    typed = text.lower().split()

    def likeness(move: Move) -> float:
        words = str(move).lower().split()
        same = sum(
            1.0 if a == b else 0.8 * SequenceMatcher(None, a, b).ratio() for a, b in zip(typed, words, strict=False)
        )
        return same - 0.3 * abs(len(typed) - len(words))

    ranked = sorted(moves, key=likeness, reverse=True)  # sorting is stable: equal ones in the order of the rules
    best = [move for move in ranked if likeness(move) > 0.5]
    return best[:NEAREST]


def completions(line: str, moves: Sequence[Move], commands: Sequence[str]) -> list[str]:
    """Return how the last word of a line can be completed."""
    typed = line.split()
    last = "" if not typed or line.endswith(" ") else typed.pop()
    if typed and typed[0] in ("why", "?"):
        typed = typed[1:]
        commands = ()
    left = [(move, str(move).split()) for move in moves]
    for i, word in enumerate(typed):
        left = _fitting(left, i, word)
    at = len(typed)
    words = dict.fromkeys(words[at] for _, words in left if at < len(words))
    found = [w for w in words if is_short(last, w) or w.lower().startswith(last.lower())]
    return found + [c for c in commands if at == 0 and c.startswith(last) and c not in words]


def grouped(moves: Sequence[Move], text: str = "") -> list[WordGroup]:
    """Return the moves that a line can mean, merged wherever every combination of words is one of them."""
    groups: list[WordGroup] = [tuple((word,) for word in str(move).split()) for move in read_typed(text, moves).moves]
    for at in range(max(map(len, groups), default=0) - 1, 0, -1):
        merged: dict[tuple[WordGroup, WordGroup], list[str]] = {}
        for group in groups:
            if at < len(group):
                merged.setdefault((group[:at], group[at + 1 :]), []).extend(group[at])
            else:
                merged.setdefault((group, ()), [])
        groups = [(*first, tuple(words), *rest) if words else first for (first, rest), words in merged.items()]
    return groups


def parse(game: Game, state: State, text: str) -> Move:
    """Return the move that a line names, legal or not. Raises UnreadableMove."""
    try:
        return game.parse_move(state, written_out(game, text))
    except UnreadableMove:
        return game.parse_move(state, text)
