"""The smallest change that makes a text good where it stands: a search over changes of its words.

A text is changed where its reading stops, and where something is said about it: by what the complaint itself proposes, by other words
for the same, and by its words and signs: left out, put in, exchanged with their neighbours, joined. What the author named stays.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush

from rulespec.diagnostics.diagnostic import Diagnostic
from rulespec.expr.hints.failure import COMPARE, KEYWORDS, NAME, OPENED, Failure, Lexeme
from rulespec.expr.hints.sentences import SENTENCES
from rulespec.expr.names import HABITS
from rulespec.expr.parse import Syntax, parse_text, stop_of, tree_of

Said = Callable[
    [str], list[Diagnostic] | None
]  # what is said about a text: nothing if it is good; None if it cannot be read
Other = Callable[[str], Iterator[str]]  # other words for a text

MOST_READ = 1500  # texts
MOST_JUDGED = 60  # of those that can be read
MOST_COST = 6.0  # of all changes together
AHEAD = 0.1  # of a character that cannot be read yet: what will have to be changed there
SHORTEST = 3  # letters of a word without a meaning; a shorter one is a name
ALIKE = 0.25  # repairs that cost this much more are as likely
_SMALL = frozenset(("the", "a", "an", "then", "of", "is", "are", "also", "just"))
_PERSONS = frozenset(("my", "i", "you", "your", "own", "he", "his", "she", "her", "their", "they", "player", "players"))
_VERBS = frozenset(
    ("has", "have", "had", "contains", "includes", "include", "holds", "lies", "lie", "and", "put", "get", "gets")
)
_OWNS = frozenset(("has", "have", "had", "contains", "includes", "include", "holds"))
_JOINING = ("in", "from", "to", "of", "then", "for", "where", "by", "be", ",")  # words that add no meaning of their own
_MEANS = frozenset(  # words that change a meaning: they are never left out
    [
        "not",
        "no",
        "without",
        "except",
        "unless",
        "until",
        "if",
        "when",
        "while",
        "but",
        "or",
        "and",
        "nor",
        "xor",
        "all",
        "each",
        "every",
        "only",
        "last",
        "first",
        "none",
        "never",
        "either",
        "neither",
        "before",
        "after",
        "half",
        "twice",
        "double",
        "same",
        "other",
        "different",
        "highest",
        "lowest",
        "most",
        "least",
        "than",
        "more",
        "less",
        "fewer",
    ]
)
_TRANSLATED = frozenset(  # words that change a meaning, and that other words here say as well
    [
        "and",
        "or",
        "no",
        "not",
        "if",
        "than",
        "when",
        "unless",
        "more",
        "less",
        "fewer",
        "most",
        "neither",
        "nor",
        "least",
        "same",
        "highest",
        "lowest",
    ]
)
_UNNAMED = _SMALL | _PERSONS | _VERBS | _MEANS | HABITS.keys()
_OPERATORS = COMPARE | {"+", "-", "*", "/", "mod", ".."}
OF_THE_LANGUAGE = (
    KEYWORDS
    | SENTENCES.keys()
    | {"up", "under", "top", "everyone", "again", "all", "afterwards", "that", "each", "player"}
)


@dataclass(frozen=True, slots=True)
class Repair:
    """A good text, and which words of the author it goes without."""

    text: str
    without: tuple[str, ...] = ()


def repairs(text: str, entry: str, known: frozenset[str], said: Said, other: Other) -> list[Repair]:
    """Return the good texts that are nearest to this one, all of them equally near; none if all are too far away.

    A change is followed only if more of the text can be read after it.
    """
    queue: list[tuple[float, int, float, str]] = [(0.0, 0, 0.0, text)]
    best, read, judged, nearest = {text: 0.0}, 0, 0, MOST_COST
    unread = {text: _unread(text, entry)}
    found: dict[object, Repair] = {}
    while queue and read < MOST_READ and judged < MOST_JUDGED:
        _, _, cost, new = heappop(queue)
        if cost > nearest + ALIKE or cost > best[new]:
            continue
        judged += unread[new] < 0
        complaints = said(new) if unread[new] < 0 else None
        if complaints == []:
            tree = tree_of(new, entry)
            without = _keeps(text, new, known) if tree and not _words_of(tree) & (_MEANS | KEYWORDS) - known else None
            if new != text and without is not None:
                nearest = min(nearest, cost + ALIKE * len(without))
                found.setdefault(_form(tree), Repair(new, without))
            continue
        for more, changed in _changes(new, entry, known, complaints, other):
            plain = _tidy(changed)
            total = cost + more
            if not plain or total > nearest + ALIKE or total >= best.get(plain, MOST_COST):
                continue
            if plain not in unread:
                read += 1
                unread[plain] = _unread(plain, entry)
            if unread[plain] < unread[new] or unread[plain] < 0:
                best[plain] = total
                heappush(queue, (total + AHEAD * unread[plain], len(best), total, plain))
    least = min((len(r.without) for r in found.values()), default=0)
    likely = [r for r in found.values() if len(r.without) == least]
    own = [r for r in likely if re.search(r"\bme\b", r.text)]
    return own if len(own) == 1 else likely


def _tidy(text: str) -> str:
    """Return a text without spaces that nobody writes."""
    return re.sub(r"(?<=[(\[]) | (?=[,)\]])", "", " ".join(text.split()))


def _unread(text: str, entry: str) -> int:
    """Return how many characters are behind the place where reading a text stops; -1 if it can be read."""
    stop = stop_of(text, entry)
    return -1 if stop is None else len(text) - stop.at


def _words_of(node: Syntax) -> frozenset[str]:
    """Return all words in a tree that stand for something, calls included."""
    own = {part for part in node.parts if isinstance(part, str) and node.kind in ("name", "call", "rule", "part")}
    return frozenset(own).union(*(_words_of(part) for part in node.parts if isinstance(part, Syntax)))


def _form(node: object) -> object:
    """Return a tree without the places of its words."""
    return (node.kind, *map(_form, node.parts)) if isinstance(node, Syntax) else node


def lost_words(text: str, new: str, known: frozenset[str]) -> tuple[str, ...] | None:
    """Return the words of no meaning here that are not in the new text; None if another one is missing."""
    lost = [*(_counted(text) - _counted(new))]
    kept = {*_counted(new)}
    if any(
        word in known - _PERSONS - _SMALL - HABITS.keys() - {"all", "each", "every"}
        for word in lost
        if word not in kept
    ):
        return None
    idle = (w for w in dict.fromkeys(lost) if w.lower() not in _UNNAMED | OF_THE_LANGUAGE and not w.isdecimal())
    return tuple(w for w in idle if w not in kept)


def _keeps(text: str, new: str, known: frozenset[str]) -> tuple[str, ...] | None:
    """Return the words of no meaning that a repair goes without; None if it loses, or makes up, what means something.

    Who is meant by `my` or `the player` has to be there.
    """
    lost, won = {*_counted(text)} - {*_counted(new)}, {*_counted(new)} - {*_counted(text)}
    numbered = any(HABITS.get(word, "").isdecimal() for word in lost) or lost & {"a", "an"} or " else 0" in new
    if any(word.isdecimal() for word in lost) or (any(word.isdecimal() for word in won) and not numbered):
        return None
    if lost & _PERSONS and not {"me", *_PERSONS} & {*_counted(new)}:
        return None
    if lost & _MEANS - _TRANSLATED or any(len(word) < SHORTEST and word not in _UNNAMED for word in lost):
        return None
    if lost & _OWNS and not re.search(r"\bin\b|\bcount\(|\[", new.replace(text, "")):
        return None
    said = lost - _SMALL - _PERSONS - _TRANSLATED
    if not said and any(word in known and word != "me" for word in won):
        return None
    return lost_words(text, new, known)


def _counted(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text))


def _changes(
    text: str, entry: str, known: frozenset[str], complaints: Iterable[Diagnostic] | None, other: Other
) -> Iterator[tuple[float, str]]:
    """Yield changes of a text, each with its cost."""
    if complaints is not None:
        yield from _proposed(text, complaints)
        return
    problem = parse_text(text, entry)
    if not isinstance(problem, Syntax) and (edit := problem.edit) is not None:
        yield (1.0 if edit.sure else 1.2), f"{text[: edit.start]}{edit.new}{text[edit.end :]}"
    for said in other(text):
        yield 1.0, said
    stop = stop_of(text, entry)
    if stop is not None:
        yield from _of_words(Failure(text, stop.at, entry), known, stop.expected)


def _proposed(text: str, complaints: Iterable[Diagnostic]) -> Iterator[tuple[float, str]]:
    """Yield what the complaints about a text propose, one at a time."""
    for complaint in complaints:
        for edit in complaint.edits[:1]:
            start, end = edit.span.col - 1, edit.span.end_col - 1
            if edit.span.line == 1 and text[start:end] == edit.old:
                yield (0.8 if edit.sure else 1.0), f"{text[:start]}{edit.new}{text[end:]}"


def _of_words(t: Failure, known: frozenset[str], expected: frozenset[str]) -> Iterator[tuple[float, str]]:
    """Yield changes of the words and signs where reading stops."""
    text, words = t.text, t.words
    for i in (t.here, t.here - 1):
        if not 0 <= i < len(words):
            continue
        w, begun = words[i], text[: words[i].start]
        rest = text[w.end :]
        between_numbers = w.text == "," and i and words[i - 1].text.isdecimal() and rest.strip()[:1].isdecimal()
        if not between_numbers:
            yield from ((cost, f"{begun} {rest}") for cost in _dropped(w, known))
        if i == t.here:
            fitting = [word for word in _JOINING if word in expected]
            yield from ((2.0, f"{begun} {word} {w.text}{rest}") for word in fitting)
            if _is_idle(w.text, known):
                yield from ((2.0, f"{begun} {word} {rest}") for word in fitting)
        if i and _is_word(words[i - 1].text) and _is_word(w.text):
            before = words[i - 1]
            yield 2.2, f"{text[: before.start]}{w.text} {before.text}{rest}"
    end = text.rstrip()
    if t.found is None and "else" in expected:
        yield from ((1.5, f"{end} else {other}") for other in ("0", "true"))
    closing = "".join(OPENED[w.text] for w in reversed(t.open) if w.text in OPENED)
    if t.found is None and closing:
        yield 1.5, f"{end}{closing}"
    for closer in ")]":
        yield 2.0, f"{text[: t.last.end if t.last else 0]}{closer}{text[t.last.end if t.last else 0 :]}"
    yield from _joined(t)


def _dropped(w: Lexeme, known: frozenset[str]) -> Iterator[float]:
    """Yield what it costs to leave out a word or sign, if it may be left out at all."""
    if w.text in _SMALL:
        yield 1.0
    elif _is_idle(w.text, known):
        yield 2.0
    elif not _is_word(w.text) and not w.text.isdecimal() and w.text not in _OPERATORS:
        yield 1.6
    elif w.text in _JOINING:
        yield 1.8


def _is_word(text: str) -> bool:
    return NAME.match(text) is not None


def _is_idle(word: str, known: frozenset[str]) -> bool:
    """Return whether a word means nothing here."""
    return _is_word(word) and word not in known and word not in _MEANS and word not in OF_THE_LANGUAGE


def _joined(t: Failure) -> Iterator[tuple[float, str]]:
    """Yield the two operands that stand side by side where reading stops, as one."""
    left, right = _operand_before(t, t.here - 1), _operand_after(t, t.here)
    if left is None or right is None:
        return
    a, b = t.between(*left), t.between(*right)
    begun, rest = t.text[: left[0].start], t.text[right[1].end :]
    forms = [f"{a} in {b}", f"{b} in {a}", f"count({a}, {b})", f"count({b}, {a})"]
    if _is_word(a) or a.endswith("]"):
        forms.append(f"{a[:-1]}, {b}]" if a.endswith("]") else f"{a}[{b}]")
    if _is_word(b) or b.endswith("]"):
        forms.append(f"{b[:-1]}, {a}]" if b.endswith("]") else f"{b}[{a}]")
    forms += [f"{f}({x})" for f, x in ((a, b), (b, a)) if _is_word(f)]
    yield from ((2.0, f"{begun}{form}{rest}") for form in forms)


def _operand_before(t: Failure, i: int) -> tuple[Lexeme, Lexeme] | None:
    """Return the first and the last word of the name or number that ends there, with its brackets."""
    last, depth = i, 0
    while i >= 0:
        text = t.words[i].text
        depth += (text in OPENED.values()) - (text in OPENED)
        if depth < 0:
            return None
        named = _is_word(text) and text not in KEYWORDS
        if depth == 0 and (named or text.isdecimal()):
            return t.words[i], t.words[last]
        if depth == 0 and text not in OPENED:
            return None
        i -= 1
    return None


def _operand_after(t: Failure, i: int) -> tuple[Lexeme, Lexeme] | None:
    """Return the first and the last word of the name or number that begins there, with its brackets."""
    if i >= len(t.words):
        return None
    first = t.words[i]
    if first.text in KEYWORDS or not (_is_word(first.text) or first.text.isdecimal()):
        return None
    last, depth = i, 0
    for n in range(i + 1, len(t.words)):
        text = t.words[n].text
        if depth == 0 and text not in OPENED:
            break
        depth += (text in OPENED) - (text in OPENED.values())
        last = n
    return (first, t.words[last]) if depth == 0 else None
