"""Lists, numbers and suggestions in words: every sentence that needs one gets it here."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache

LONGEST_WORD = 60  # letters of a word that may be a misspelling of another
MOST_WORDS = 3000  # known words among which to look for the one that was meant
MOST_LIKELY = 400  # of those that are compared by their letters
MOST_COMPARED = 12  # of those that are compared letter by letter
MOST_SHOWN = 8  # names of an author in one message


def listed(words: Iterable[object], last: str = "and") -> str:
    """Return `a`, `a and b` or `a, b and c`; an empty text for no words.

    >>> listed(["ash", "oak", "elm"]), listed([1, 2], "or"), listed([])
    ('ash, oak and elm', '1 or 2', '')
    """
    texts = [str(word) for word in words]
    return f" {last} ".join([", ".join(texts[:-1]), texts[-1]]) if len(texts) > 1 else "".join(texts)


def listed_some(words: Sequence[object], most: int, last: str = "or") -> str:
    """Return the list, or only the first `most` words and `…`.

    >>> listed_some("abc", 3), listed_some("abcd", 3)
    ('a, b or c', 'a, b, c, …')
    """
    return listed(words, last) if len(words) <= most else first_few(words, most)


def first_few(words: Sequence[object], most: int) -> str:
    """Return the words with commas; if there are more than `most`, only the first of them and `…`.

    >>> first_few("abc", 3), first_few("abcd", 3)
    ('a, b, c', 'a, b, c, …')
    """
    return ", ".join([*map(str, words[:most]), *(["…"] if len(words) > most else [])])


def with_article(name: str) -> str:
    """Return a name of an author's with `a` or `an`, by how it is spelt.

    >>> with_article("row"), with_article("end"), with_article("unit"), with_article("hour")
    ('a row', 'an end', 'a unit', 'an hour')
    """
    vowel = name[:1] in "aeio" or name.startswith(("un", "up", "hour", "heir", "honest"))
    sounded = name.startswith(("one", "once", "eu", "uni"))
    return f"{'an' if vowel and not sounded else 'a'} {name}"


def quoted(words: Iterable[object]) -> list[str]:
    """Return the words in backticks.

    >>> listed(quoted(["pile", "stack", "cell"]), "or")
    '`pile`, `stack` or `cell`'
    """
    return [f"`{word}`" for word in words]


def listed_names(names: Iterable[object], last: str = "and") -> str:
    """Return a list of names in backticks, `none` for no names.

    >>> listed_names(["pile", "stack", "cell"], "or"), listed_names([])
    ('`pile`, `stack` or `cell`', 'none')
    """
    return listed(quoted(names), last) or "none"


def folded_names(names: Sequence[object], most: int = MOST_SHOWN) -> str:
    """Return a list of names in backticks; if there are more than `most`, the first of them and how many others.

    >>> folded_names(["ash", "oak"]), folded_names(["ash", "oak", "elm", "yew"], 3)
    ('`ash` and `oak`', '`ash`, `oak` and 2 more')
    """
    shown = len(names) if len(names) <= most else most - 1
    more = [f"{len(names) - shown:,} more"] if shown < len(names) else []
    return listed([*quoted(names[:shown]), *more])


def number_of(n: int, noun: str) -> str:
    """Return how many things there are, with commas from a thousand on; of `pair of games` the first word changes.

    The nouns are the program's own: `player`, `index`, `entry`. What authors call their things is for `rulebook/grammar.py`.

    >>> number_of(1, "player"), number_of(0, "pair of games"), number_of(5000, "decision")
    ('1 player', '0 pairs of games', '5,000 decisions')
    >>> number_of(2, "index"), number_of(2, "entry")
    ('2 indexes', '2 entries')
    """
    first, of, rest = noun.partition(" of ")
    if n == 1:
        return f"{n:,} {noun}"
    several = f"{first[:-1]}ies" if first.endswith("ry") else f"{first}es" if first.endswith("x") else f"{first}s"
    return f"{n:,} {several}{of}{rest}"


def ordinal(n: int) -> str:
    """Return a number as a position in an order.

    >>> ordinal(1), ordinal(2), ordinal(13), ordinal(23)
    ('1st', '2nd', '13th', '23rd')
    """
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n:,}{ending}"


def number_range(numbers: Sequence[int], noun: str) -> str:
    """Return `2 to 4 players`, or `2 players` for one number.

    >>> number_range((2, 3, 4), "player"), number_range((2,), "player")
    ('2 to 4 players', '2 players')
    """
    first, last = numbers[0], numbers[-1]
    return number_of(first, noun) if first == last else f"{first:,} to {number_of(last, noun)}"


def signed(number: int) -> str:
    """Return a number with its sign; zero has none.

    >>> signed(2), signed(-1), signed(0)
    ('+2', '-1', '0')
    """
    return f"{number:+d}" if number else "0"


def as_name(text: str) -> str:
    """Return the text as a name: lower case without accents, `_` for other characters; empty if it has no letter.

    >>> as_name("Brömbeere"), as_name("long-way"), as_name("Straße 7"), as_name("7")
    ('brombeere', 'long_way', 'strasse_7', '')
    """
    letters = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    return re.sub(r"\A[^a-z]+|_+\Z", "", re.sub(r"[^a-z0-9]+", "_", letters))


# Suggestions ---------------------------------------------------------------------------------------------


def closest(word: str, known: Iterable[str], cutoff: float = 0.7) -> str | None:
    """Return the one known word that `word` is probably a misspelling of, or none.

    The work is bounded, whoever chose the words: very long ones and very many are not compared at all, and of many that
    could be meant only those that begin and end most like `word`.
    """
    words = frozenset(known)
    if len(word) > LONGEST_WORD or len(words) > MOST_WORDS:
        return None
    if (other := next((form for form in _other_numbers(word) if form in words), None)) is not None:
        return other
    return _closest(word, words, cutoff if len(word) > 3 else 0.6)


def _other_numbers(word: str) -> Iterator[str]:
    """Yield the singular of a word that may be a plural, and its plurals."""
    if word.endswith("ies"):
        yield f"{word[:-3]}y"
    if word.endswith("es"):
        yield word[:-2]
    if word.endswith("s"):
        yield word[:-1]
    yield from (f"{word}s", f"{word}es")
    if word.endswith("y"):
        yield f"{word[:-1]}ies"


@lru_cache(maxsize=256)  # the same mistake is found in many combinations of options
def _closest(word: str, known: frozenset[str], cutoff: float) -> str | None:
    size = len(word)
    long_enough = [w for w in known if 2 * min(size, len(w)) >= cutoff * (size + len(w))]  # others cannot be alike
    if len(long_enough) > MOST_LIKELY:
        long_enough = sorted(long_enough, key=lambda w: (-_same_ends(word, w), w))[:MOST_LIKELY]
    matcher = SequenceMatcher()
    matcher.set_seq2(word)

    def at_most(other: str) -> float:
        matcher.set_seq1(other)
        return matcher.quick_ratio()

    best, near = cutoff, None
    likely = sorted(((at_most(w), w) for w in long_enough), reverse=True)
    for most, other in likely[:MOST_COMPARED]:
        if most < best:
            break
        matcher.set_seq1(other)
        ratio = matcher.ratio()
        if ratio > best or (ratio == best and (near is None or other > near)):
            best, near = ratio, other
    return near


def _same_ends(a: str, b: str) -> int:
    """Return how many letters two words have in common at their beginning and at their end."""
    first = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    last = next((i for i, (x, y) in enumerate(zip(a[::-1], b[::-1], strict=False)) if x != y), min(len(a), len(b)))
    return first + last


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a suggestion, or an empty text.

    >>> did_you_mean("meadwo", ["forest", "meadow"]), did_you_mean("hill", ["forest"])
    ('did you mean `meadow`?', '')
    """
    return suggestion(closest(word, known))


def suggestion(near: str | None, where: str = "") -> str:
    """Return the question whether `near` was meant, with where it is, or an empty text.

    >>> suggestion("meadow"), suggestion("meadow", "it is a set"), suggestion(None)
    ('did you mean `meadow`?', 'did you mean `meadow`? it is a set', '')
    """
    return "" if near is None else f"did you mean `{near}`? {where}".rstrip()


def suggest(word: str, known: Iterable[str]) -> str:
    """Return a suggestion to end a message with, or an empty text.

    >>> "no move called `tkae`" + suggest("tkae", ["take", "pass"])
    'no move called `tkae`; did you mean `take`?'
    """
    question = did_you_mean(word, known)
    return question and f"; {question}"
