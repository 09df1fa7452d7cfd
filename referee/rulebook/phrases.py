"""Phrases: nouns and clauses that know what the sentence around them has to know.

A decision about a sentence asks a phrase, and never reads its words again: only an author's words are read, and once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from referee.rulebook.book import em
from referee.rulebook.grammar import article, is_plural, plural
from rulespec import listed

_ARTICLE = re.compile(r"(the|a|an) ")
_MOST_WORDS = 3  # of somebody whose things are `the first player’s`, not `the things of …`


@dataclass(frozen=True, slots=True)
class Noun:
    """A value in words. `determiner` is what stands before them: `the`, `every`, `all`, an author's `a`."""

    words: str
    determiner: str = ""
    sort: str = ""  # the author's noun that the words begin with, for one thing of its sort,
    which: str = ""  # and what tells it from others: its name or number, or what it comes after
    figure: int | None = None  # the number that it is, known before play
    counts: str = ""  # of a number of things: those things
    together: str = ""  # of every player's place: all of them as one, `all players’ pots`
    is_you: bool = False
    is_person: bool = False  # a player: `for whom`
    is_many: bool = False  # `are`, not `is`
    is_list: bool = False  # of several names
    is_owned: bool = False  # it begins with its owner: `the player’s row`
    is_brief: bool = False  # a figure or a name of one word, which can stand before what it counts

    def __str__(self) -> str:
        return f"{self.determiner} {self.words}" if self.determiner else self.words

    @property
    def is_of_all(self) -> bool:
        """Whether it speaks of all: to deny something of them is not to deny it of each."""
        return self.determiner in ("every", "all")

    @property
    def is_short(self) -> bool:
        return len(str(self).split()) <= _MOST_WORDS

    def is_the(self, sort: str) -> bool:
        """Return whether it is called `the row`: the only one of its sort in sight."""
        return self.determiner == "the" and self.sort == sort and not self.which

    @property
    def definite(self) -> Noun:
        """The same with `the`, if nothing else stands there."""
        return self if self.determiner else replace(self, determiner="the")

    @property
    def as_one(self) -> str:
        """All of them together, where their pieces are counted: `all players’ pots`."""
        return self.together or str(self)

    def some(self, holds: bool = True) -> str:
        """Return one of them, whichever it is; or, negated, none of them: `at least one player’s pot`, `any of the pots`.

        `a bead lies in every pot` is not what is meant where it has to lie in one of them.
        """
        of = {"every": " ", "all": " of the "}.get(self.determiner)
        return str(self) if of is None else f"{'at least one' if holds else 'any'}{of}{self.words}"

    @property
    def as_source(self) -> Noun:
        """The same as what one is taken from: `one of the rows`, not `one of all rows`."""
        return replace(self, determiner="the") if self.determiner == "all" else self

    @property
    def indefinite(self) -> str:
        """`a row`; names, and nouns with a name, get no article."""
        return self.words if self.which else article(self.words)

    @property
    def plural(self) -> str:
        """The words for several of its sort: `rows`, `rows x`."""
        return f"{plural(self.sort)} {self.which}".strip() if self.sort else self.words


YOU = Noun("you", is_you=True, is_person=True)


def one_of(sort: str, which: str = "", determiner: str = "", is_person: bool = False) -> Noun:
    """Return one thing of a sort, by its name if it needs one.

    >>> str(one_of("row", determiner="the")), str(one_of("row", "2")), one_of("man").plural
    ('the row', 'row 2', 'men')
    """
    words = f"{sort} {which}".strip()
    return Noun(words, determiner, sort, which, is_person=is_person, is_many=not which and is_plural(sort))


def name(text: str) -> Noun:
    """Return a name that is set apart."""
    return Noun(em(text), is_brief=" " not in text)


def named(sort: Noun, text: str) -> Noun:
    """Return one thing of a sort by its name, or the name alone if it has no sort: `row x`, `x`."""
    return one_of(sort.sort, em(text), is_person=sort.is_person) if sort.sort else name(text)


def figure(number: int) -> Noun:
    return Noun(str(number), figure=number, is_brief=True)


def in_words_of_author(text: str) -> Noun:
    """Return an author's words for one thing, which may begin with an article."""
    found = _ARTICLE.match(text)
    return Noun(text[found.end() :], found[1]) if found else Noun(text)


def number_of(things: object) -> Noun:
    """Return the number of some things."""
    return Noun(f"number of {things}", "the", counts=str(things))


def sorts(nouns: Iterable[str], many: bool = True) -> Noun:
    """Return things of one sort or of several: `beads`, `beads and pots`; for one thing, `bead or pot`.

    >>> str(sorts(["man", "die"])), str(sorts(["man", "die"], many=False)), sorts(["bow and arrow"]).is_list
    ('men and dice', 'man or die', False)
    """
    found = list(nouns)
    words = listed(map(plural, found)) if many else listed(found, "or")
    return Noun(words, sort=found[0] if len(found) == 1 else "", is_many=many, is_list=len(found) > 1)


@dataclass(frozen=True, slots=True)
class Clause:
    """A condition in words. Where somebody or something is said to be so, `subject` is that, and `rest` what is said."""

    words: str
    is_compound: bool = False  # beside `and`, `or` and `if` it is in brackets
    subject: Noun | None = None
    rest: str = ""

    def __str__(self) -> str:
        return self.words

    @property
    def enclosed(self) -> str:
        """The words as a part of another clause."""
        return f"({self.words})" if self.is_compound else self.words


def said_of(subject: Noun, rest: str) -> Clause:
    """Return a clause about somebody or something: `rest` begins with its verb.

    >>> str(said_of(one_of("row", determiner="the"), "is full"))
    'the row is full'
    """
    return Clause(f"{subject} {rest}", subject=subject, rest=rest)
