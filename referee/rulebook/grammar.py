"""English grammar: plurals and articles, from a library that is loaded when the first of them is needed."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any

# what one counts without a plural; the library knows sheep and fish, but takes these for things
_MASS = frozenset(
    [
        "gold",
        "silver",
        "iron",
        "coal",
        "wood",
        "wheat",
        "grain",
        "wool",
        "ore",
        "food",
        "water",
        "money",
        "energy",
        "mana",
        "sand",
        "clay",
        "straw",
        "rice",
        "salt",
    ]
)
# what pieces are in, also where there is room for one alone: they are in a purse, and on a space
_HOLLOW = frozenset([
    "bag", "basket", "box", "cellar", "chest", "cup", "drawer", "hand", "house", "jar", "loft", "pit", "pocket", "pot", "purse",
])  # fmt: skip
_PREPOSITIONS = frozenset([
    "at", "beside", "by", "for", "from", "in", "of", "off", "on", "out", "over", "to", "under", "with",
])  # fmt: skip
# what has become of pieces: a place may be called so, and yet it is no noun
_PARTICIPLES = frozenset([
    "beaten", "bought", "captured", "discarded", "drawn", "eaten", "given", "gone", "kept", "killed", "laid", "lost", "played", "put",
    "removed", "sold", "spent", "taken", "thrown", "used", "won",
])  # fmt: skip
_LONGEST = 100  # characters of a noun; the library takes ever longer for longer ones, and knows none
_NOT_PLURAL = ("ss", "us", "is", "lens")  # endings of nouns for one thing that look like several


@cache
def _engine() -> Any:
    import inflect

    return inflect.engine()


def _is_of_words(text: str) -> bool:
    """Return whether a text is a few words: all that the library can be asked about. Signs mean something to it.

    >>> _is_of_words("player's by-law"), _is_of_words("row | column"), _is_of_words("- - x"), _is_of_words("x" * 1000)
    (True, False, False, False)
    """
    return len(text) <= _LONGEST and all(part.isalpha() for part in re.split("['’]? |[-'’]", text))


@lru_cache(maxsize=2000)
def plural(noun: str) -> str:
    """Return the noun for several things; of `stock of beads` the first word changes, of `row 2` too.

    >>> plural("man"), plural("die"), plural("twigs"), plural("stock of beads"), plural("row 2"), plural("gold")
    ('men', 'dice', 'twigs', 'stocks of beads', 'rows 2', 'gold')
    """
    if " of " in noun:
        first, _, rest = noun.partition(" of ")
        return f"{plural(first)} of {rest}"
    if not noun[-1:].isalpha():  # a name, or a noun with a name
        word, space, name = noun.partition(" ")
        return f"{plural(word)} {name}" if space and word.isalpha() else noun
    if not _is_of_words(noun) or is_plural(noun) or noun.split(" ")[-1] in _MASS:
        return noun
    return str(_engine().plural_noun(noun) or noun)


@lru_cache(maxsize=2000)
def is_plural(noun: str) -> bool:
    """Return whether a noun already stands for several things.

    >>> is_plural("twigs"), is_plural("class"), is_plural("bus"), is_plural("stocks of beads"), is_plural("men")
    (True, False, False, True, True)
    """
    word = noun.partition(" of ")[0].split(" ")[-1]
    if not word.isalpha() or not _is_of_words(word) or word.endswith(_NOT_PLURAL):
        return False
    single = _engine().singular_noun(word)
    return bool(single) and single != word and _engine().plural_noun(single) == word


def number_of_things(n: int, noun: str) -> str:
    """Return how many things there are.

    >>> number_of_things(1, "man"), number_of_things(12, "man")
    ('1 man', '12 men')
    """
    return f"{n:,} {noun if n == 1 else plural(noun)}"


@lru_cache(maxsize=2000)
def article(noun: str) -> str:
    """Return a noun with `a` or `an`; several things, names and what has an article get none.

    >>> article("row"), article("hour"), article("unicorn"), article("the row"), article("turns"), article("gold")
    ('a row', 'an hour', 'a unicorn', 'the row', 'turns', 'gold')
    """
    if not noun[:1].isalpha() or noun.startswith(("the ", "a ", "an ", "no ")):
        return noun
    head = noun.partition(" of ")[0].split(" ")[-1]
    if head in _MASS or is_plural(noun) or not _is_of_words(noun):
        return noun
    return str(_engine().a(noun))


@lru_cache(maxsize=2000)
def is_noun(name: str) -> bool:
    """Return whether a name can follow `the`, as far as is known.

    >>> is_noun("row of beads"), is_noun("on sale"), is_noun("cards taken"), is_noun("taken"), is_noun("not used")
    (True, False, True, False, False)
    """
    words = name.removeprefix("not ").split(" ")
    return words[0] not in _PREPOSITIONS and (len(words) > 1 or words[0] not in _PARTICIPLES)


def is_hollow(noun: str) -> bool:
    """Return whether things lie in it, not on it.

    >>> is_hollow("box of beads"), is_hollow("left pocket"), is_hollow("board")
    (True, True, False)
    """
    return noun.partition(" of ")[0].split(" ")[-1] in _HOLLOW


@lru_cache(maxsize=2000)
def second_person(verb: str) -> str:
    """Return a verb as it follows `you`.

    >>> second_person("has"), second_person("is"), second_person("wins"), second_person("can")
    ('have', 'are', 'win', 'can')
    """
    return str(_engine().plural_verb(verb)) if _is_of_words(verb) else verb
