"""A typed line compared with the legal moves: whole words, symbols of the board, abbreviations, the first words of a move.

The name of a move may be left out where the rest fits only one kind of move. Nothing here prints.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from types import MappingProxyType

from interpreter import Game, Move, State, UnreadableMove
from referee.shell.faces import face_words

NEAREST = 4  # moves that are suggested where nothing fits
Symbols = Mapping[
    str, str
]  # the name of each kind by the symbol that stands for it on the boards, or what is printed on it
NO_SYMBOLS: Symbols = MappingProxyType({})
WHOLE, SYMBOL, SYMBOL_IN_ANY_CASE, SHORT = range(4)  # how a typed word names another, the best way first
LONGEST = 1000  # more than the parts of any word count together
_Words = tuple[Move, list[str]]  # a move, and its words
WordGroup = tuple[tuple[str, ...], ...]  # for each position in a move the words that can come there, in any combination


@dataclass(frozen=True, slots=True)
class TypedMove:
    """The legal moves that a line can mean. One: it is that move. None: it is no legal move."""

    moves: tuple[Move, ...]
    shared: tuple[str, ...]  # the words that all of them begin with, written out
    following: tuple[str, ...]  # the words that can come next; none if the moves differ in what was typed already


def symbols_of(game: Game, state: State | None = None) -> Symbols:
    """Return the names of kinds by their symbols; a symbol that stands for several kinds names none.

    With a position also by what is printed on pieces without a symbol.
    """
    found: dict[str, list[str]] = {}
    if state is not None:
        for word, kinds in face_words(game, state).items():
            found[word] = [game.model.value_name(kind) for kind in kinds]
    for kind, symbol in game.model.view.symbols.items():
        found.setdefault(symbol, []).append(game.model.value_name(kind))
    return {symbol: names[0] for symbol, names in found.items() if len(names) == 1}


def read_typed(
    text: str, moves: Sequence[Move], symbols: Symbols = NO_SYMBOLS, names: Collection[str] = ()
) -> TypedMove:
    """Return the legal moves that begin with these words. The name of the move may be left out if they fit only one.

    `names` are those of all moves, legal or not: a line that begins with one means that move, whatever else is called so.
    """
    typed = text.split()
    if typed and typed[0] in names and all(move.name != typed[0] for move in moves):
        return TypedMove((), (), ())
    typed, left = _matching(typed, moves, symbols)
    return TypedMove(tuple(move for move, _ in left), *_shared([words for _, words in left], len(typed)))


def _matching(typed: list[str], moves: Sequence[Move], symbols: Symbols) -> tuple[list[str], list[_Words]]:
    """Return the typed words, with the name of the move if it was left out, and the moves that begin with them."""
    all_words = [(move, str(move).split()) for move in moves]
    left = _beginning_with(typed, all_words, symbols)
    if left or not typed:
        return typed, left
    fitting = []
    for name in dict.fromkeys(words[0] for _, words in all_words):
        named = [name, *typed]
        found = _beginning_with(named, [pair for pair in all_words if pair[1][0] == name], symbols)
        fitting += [(named, found)] if found else []
    return fitting[0] if len(fitting) == 1 else (typed, [])


def _beginning_with(typed: Sequence[str], left: list[_Words], symbols: Symbols) -> list[_Words]:
    """Return the moves whose words, one after the other, are best named by the typed ones."""
    for i, word in enumerate(typed):
        left = [(move, words) for move, words in left if i < len(words)]
        best = set(best_named(word, (words[i] for _, words in left), symbols))
        left = [(move, words) for move, words in left if words[i] in best]
    return left


def best_named(typed: str, words: Iterable[str], symbols: Symbols = NO_SYMBOLS) -> list[str]:
    """Return those of the words that a typed one names in the best way: a whole word is no abbreviation of another."""
    ways = {word: naming(typed, word, symbols) for word in words}
    best = min((way for way in ways.values() if way is not None), default=None)
    return [word for word, way in ways.items() if way is not None and way == best]


def naming(typed: str, word: str, symbols: Symbols = NO_SYMBOLS) -> int | None:
    """Return how a typed word names another, the best way being the least: `rose`, `R`, `r`, `ro`; None: it does not.

    Several pieces are named one by one, `r,r,f` for rose,rose,fern, and so are the parts of a pair: `r.b` for rose.bed.
    """
    ways = _each(typed, word, ",", symbols)
    if ways is None and "." in typed:
        ways = _each(typed, word, ".", symbols)
    return None if ways is None else max(ways) * LONGEST + sum(ways)  # of equal ones the one with more whole parts


def _each(typed: str, word: str, between: str, symbols: Symbols) -> list[int] | None:
    """Return how each part of a typed word names that of another; None: one of them does not."""
    parts, whole = typed.split(between), word.split(between)
    if len(parts) != len(whole):
        return None
    ways = [_naming(part, name, symbols) for part, name in zip(parts, whole, strict=True)]
    return [way for way in ways if way is not None] if None not in ways else None


def _naming(typed: str, word: str, symbols: Symbols) -> int | None:
    if typed.lower() == word.lower():
        return WHOLE
    if symbols.get(typed) == word:
        return SYMBOL
    if any(symbol.lower() == typed.lower() and name == word for symbol, name in symbols.items()):
        return SYMBOL_IN_ANY_CASE
    if not word.lower().startswith(typed.lower()):
        return None
    longer = typed.isdecimal() and word[len(typed)] in ".0123456789"  # a number is no abbreviation of another one
    return None if longer else SHORT


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


def written_out(game: Game, text: str, moves: Sequence[Move] = (), symbols: Symbols = NO_SYMBOLS) -> str:
    """Return a line with its abbreviations written out, legal or not; words that are ambiguous stay as they are.

    `moves` are the legal ones: if all have the same name, it may be left out.
    """
    typed = text.split()
    if not typed:
        return text
    names = best_named(typed[0], game.model.moves)
    if not names and len({move.name for move in moves}) == 1:
        names = [moves[0].name]
        typed = [*names, *typed]
    if len(names) != 1:
        return text
    out = [names[0]]
    choices = game.model.moves[names[0]].choices
    for i, word in enumerate(typed[1:]):
        fitting = best_named(word, game.notation.values(choices[i].type) if i < len(choices) else (), symbols)
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


def numbers_of(moves: Sequence[Move], symbols: Symbols = NO_SYMBOLS) -> dict[int, Move]:
    """Return moves by the numbers that they are listed with: their own, where a number alone is read as each of them."""
    own: dict[int, Move] = {}
    for move in moves:
        last = str(move).split()[-1]
        if not last.isdecimal() or read_typed(last, moves, symbols).moves != (move,):
            return dict(enumerate(moves, 1))
        own[int(last)] = move
    return own


def completions(line: str, moves: Sequence[Move], commands: Sequence[str], symbols: Symbols = NO_SYMBOLS) -> list[str]:
    """Return how the last word of a line can be completed."""
    typed = line.split()
    last = "" if not typed or line.endswith(" ") else typed.pop()
    if typed and typed[0] in ("why", "?"):
        typed = typed[1:]
        commands = ()
    first = not typed
    typed, left = _matching(typed, moves, symbols)
    words = dict.fromkeys(words[len(typed)] for _, words in left if len(typed) < len(words))
    found = [w for w in words if w.lower().startswith(last.lower()) or naming(last, w, symbols) is not None]
    return found + [c for c in commands if first and c.startswith(last) and c not in words]


def picked_from(line: str, moves: Sequence[Move], symbols: Symbols = NO_SYMBOLS) -> list[str]:
    """Return the words among which one is picked next: the choices of a move, without its name where there is no other."""
    words = completions(line, moves, (), symbols)
    if len(words) == 1 and not line.strip():
        return completions(f"{words[0]} ", moves, (), symbols) or words
    return words


def grouped(moves: Sequence[Move]) -> list[WordGroup]:
    """Return moves merged wherever every combination of words is one of them."""
    groups: list[WordGroup] = [tuple((word,) for word in str(move).split()) for move in moves]
    for at in range(max(map(len, groups), default=0) - 1, 0, -1):
        merged: dict[tuple[WordGroup, WordGroup], list[str]] = {}
        for group in groups:
            if at < len(group):
                merged.setdefault((group[:at], group[at + 1 :]), []).extend(group[at])
            else:
                merged.setdefault((group, ()), [])
        groups = [(*first, tuple(words), *rest) if words else first for (first, rest), words in merged.items()]
    return groups


def _lacks_name(game: Game, text: str, written: str, symbols: Symbols) -> bool:
    """Return whether the name of the only possible move was left out of a text: it begins with a value of its first choice."""
    typed, named = text.split(), written.split()
    choices = game.model.moves[named[0]].choices if len(named) > len(typed) else ()
    return bool(choices and best_named(typed[0], game.notation.values(choices[0].type), symbols))


def parse(game: Game, state: State, text: str, moves: Sequence[Move] = (), symbols: Symbols = NO_SYMBOLS) -> Move:
    """Return the move that a line names, legal or not. Raises UnreadableMove."""
    written = written_out(game, text, moves, symbols)
    try:
        return game.parse_move(state, written)
    except UnreadableMove:
        if _lacks_name(game, text, written, symbols):
            raise
        return game.parse_move(state, text)
