"""An author's words for a name, with holes for what it is given: `{p}'s row is full`. They are read here, and only here."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from referee.rulebook.grammar import is_plural, second_person
from referee.rulebook.phrases import Clause, Noun, in_words_of_author, said_of

_HOLE = re.compile(r"\{(\w+)\}('s)?")
_VERBS = re.compile(r"\b(is|are|has|have|can|may|must|lies|lie)\b")
_OF_SEVERAL = re.compile(r"(all|every|each|both|either|no|none|neither|nobody|nothing|some|any|at least|at most)\b")
_THERE_IS = re.compile(r"there is (an? |another )")
_PARTICIPLE = re.compile(r" (\w+ed|been|done|drawn|given|had|left|lost|put|shown|taken|won)\b")
_SECOND = re.compile(r" (\w+)")  # the word after a hole
_AFTER_HEAD = re.compile(  # what begins after the noun that decides whether the words are a plural
    r" (?:at|beside|between|connected|for|from|going|in|on|that|through|to|where|which|who|whom|with)\b"
)
_JOINED = re.compile(r"\bor\b|\band (is|are|has|have|can|may|must|lies|lie)\b")  # two clauses in one
_DENIED = {
    "has": "does not have",
    "have": "do not have",
    "can": "cannot",
    "lies": "does not lie",
    "lie": "do not lie",
}


@dataclass(frozen=True, slots=True)
class Hole:
    """A place in an author's words for what a name is given; `owns`: it is followed by `'s`."""

    name: str
    owns: bool


Given = Callable[[str], Noun]  # what is in the hole of a name


def _read(says: str) -> list[str | Hole]:
    parts: list[str | Hole] = []
    at = 0
    for m in _HOLE.finditer(says):
        parts += [says[at : m.start()]] if m.start() > at else []
        parts.append(Hole(m[1], bool(m[2])))
        at = m.end()
    return [*parts, says[at:]] if at < len(says) else parts


def is_clause(says: str) -> bool:
    """Return whether an author's words for a variable are a clause: `{player} has passed`."""
    return _VERBS.search(says) is not None


def _filled(parts: Sequence[str | Hole], given: Given) -> str:
    """Return the words; what follows its owner has no article: `your row`."""
    out: list[str] = []
    after_owner = False
    for n, part in enumerate(parts):
        if isinstance(part, str):
            before = parts[n - 1] if n else None
            after_owner = part.endswith(("your ", "’s ")) or (part == " " and isinstance(before, Hole) and before.owns)
            out.append(part)
            continue
        noun = given(part.name)
        words = noun.words if after_owner else str(noun)
        out.append(("your" if noun.is_you else f"{words}’s") if part.owns else words)
        after_owner = False
    return "".join(out)


def noun_of(says: str, given: Given) -> Noun:
    """Return an author's words for a value, filled in."""
    parts = _read(says)
    text = _filled(parts, given)
    if isinstance(first := parts[0], Hole):
        owner = given(first.name)
        if len(parts) == 1 and not first.owns:
            return owner
        determiner = "" if owner.is_you else owner.determiner
        found = Noun(text[len(determiner) :].lstrip(), determiner, is_owned=first.owns)
    else:
        found = in_words_of_author(text)
        if says.startswith("the number of "):
            found = replace(found, counts=text[len("the number of ") :])
    return replace(found, is_many=is_plural(_AFTER_HEAD.split(_HOLE.sub("x", says), maxsplit=1)[0]))


def clause_of(says: str, given: Given, holds: bool = True) -> Clause:
    """Return an author's words for a condition, filled in; negated by their first verb: `the row is not complete`.

    >>> str(clause_of("{p} has passed", lambda name: Noun("you", is_you=True), holds=False))
    'you have not passed'
    >>> str(clause_of("all rows are full", lambda name: Noun(name), holds=False))
    'it is not so that all rows are full'
    """
    parts = _read(says)
    is_compound = _JOINED.search(says) is not None
    first = parts[0]
    subject = given(first.name) if isinstance(first, Hole) else None
    if not holds:
        of_several = subject.is_of_all if subject is not None else _OF_SEVERAL.match(says) is not None
        if of_several or is_compound or not is_clause(says):  # `all rows are not full` would be another thing
            return Clause(f"it is not so that {clause_of(says, given)}", is_compound)
        if there := _THERE_IS.match(says):
            no = "no other" if there[1] == "another " else "no"
            return Clause(_filled([f"there is {no} ", *_read(says[there.end() :])], given))
    cut = _cut_at_verb(parts)
    if cut is None:
        return Clause(_filled(parts, given), is_compound)
    doer = subject if isinstance(first, Hole) and not first.owns else None  # not the owner of what it is about
    verb = second_person(cut.verb) if doer is not None and (doer.is_you or doer.is_many) else cut.verb
    if not holds:
        helps = cut.verb in ("has", "have") and isinstance(cut.after[0], str) and _PARTICIPLE.match(cut.after[0])
        verb = f"{verb} not" if helps else _DENIED.get(verb, f"{verb} not")
    if doer is not None and cut.before == (first, " "):
        return replace(said_of(doer, _filled([verb, *cut.after], given)), is_compound=is_compound)
    return Clause(_filled([*cut.before, verb, *cut.after], given), is_compound)


@dataclass(frozen=True, slots=True)
class _Cut:
    """A clause of an author, cut at its verb."""

    before: tuple[str | Hole, ...]
    verb: str
    after: tuple[str | Hole, ...]


def _cut_at_verb(parts: Sequence[str | Hole]) -> _Cut | None:
    """Return the clause cut at its first known verb; without one, at the word after the hole that it begins with."""
    found = next(((n, m) for n, p in enumerate(parts) if isinstance(p, str) and (m := _VERBS.search(p))), None)
    if found is None and len(parts) > 1 and isinstance(text := parts[1], str) and (word := _SECOND.match(text)):
        found = 1, word
    if found is None:
        return None
    at, m = found
    before, after = m.string[: m.start(1)], m.string[m.end(1) :]
    return _Cut((*parts[:at], *([before] if before else [])), m[1], (after, *parts[at + 1 :]))
