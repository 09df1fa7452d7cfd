"""A rulebook as data: sections of passages, which can be compared passage by passage."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import TypeVar

from referee.shell.blocks import StyledLine
from rulespec import listed

T = TypeVar("T", "Section", "Item")
_ALIKE = 0.5  # how much of their words two passages share that are one
NEW, CHANGED, GONE = "new", "changed", "gone"
_EM, _END = "\x01", "\x02"  # around names, which both kinds of output set apart; no rule file can hold them


def em(text: str) -> str:
    """A name, to be set apart."""
    return f"{_EM}{text}{_END}"


def runs(text: str) -> Iterator[tuple[bool, str]]:
    """The stretches of a text: whether each is a name, and its words."""
    for i, part in enumerate(re.split(f"[{_EM}{_END}]", text)):
        if part:
            yield i % 2 == 1, part


def plain_words(text: str) -> str:
    return text.replace(_EM, "").replace(_END, "")


def capital(text: str) -> str:
    """The text with its first letter in upper case."""
    i = 1 if text.startswith(_EM) else 0
    return text[:i] + text[i : i + 1].upper() + text[i + 1 :]


@dataclass(frozen=True, slots=True)
class Item:
    """One passage. `lead` names it, `quote` is what the author lets the game say, `board` is a drawing."""

    text: str = ""
    lead: str = ""
    quote: str = ""
    see: str = ""
    items: tuple[Item, ...] = ()
    board: tuple[StyledLine, ...] = ()
    mark: str = ""  # new, changed or gone, as against what these rules change
    before: str = ""  # the words of a changed passage as they were
    tag: str = ""  # what it is about, where its first words do not tell

    @property
    def key(self) -> str:
        """What tells passages apart that may differ in their words."""
        return self.tag or self.lead or self.text

    @property
    def words(self) -> str:
        return " ".join(part for part in (self.text, f"“{self.quote}”" if self.quote else "") if part)


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    items: tuple[Item, ...] = ()
    sections: tuple[Section, ...] = ()
    see: str = ""
    mark: str = ""
    ordered: bool = False  # its passages come one after another


@dataclass(frozen=True, slots=True)
class Book:
    title: str
    text: str
    facts: tuple[str, ...]  # lines under the title: players, options, what it builds on
    sections: tuple[Section, ...]
    marked: bool = False  # whether changes are marked

    def __iter__(self) -> Iterator[Section]:
        return iter(self.sections)


# --- what changed -------------------------------------------------------------------------------------------------


def marked(old: Sequence[Section], new: Sequence[Section]) -> tuple[Section, ...]:
    """The new sections with every passage marked that the old ones do not have so."""
    found: list[Section] = []
    for before, after in _aligned(old, new, lambda section: section.title):
        if before is None and after is not None:
            found.append(_all_marked(after, NEW))
        elif after is None and before is not None:
            found.append(_all_marked(before, GONE))
        elif before is not None and after is not None:
            items, sections = marked_items(before.items, after.items), marked(before.sections, after.sections)
            found.append(replace(after, items=items, sections=sections))
    return tuple(found)


def marked_items(old: Sequence[Item], new: Sequence[Item]) -> tuple[Item, ...]:
    found: list[Item] = []
    for before, after in _aligned(old, new, lambda item: item.key):
        if after is None and before is not None:
            found.append(_item_marked(before, GONE))
        elif before is None and after is not None:
            found.append(_item_marked(after, NEW))
        elif before is not None and after is not None:
            items = marked_items(before.items, after.items)
            same = before.words == after.words and before.board == after.board
            found.append(replace(after, items=items, mark="" if same else CHANGED, before="" if same else before.words))
    return tuple(found)


def _aligned(old: Sequence[T], new: Sequence[T], key: Callable[[T], str]) -> Iterator[tuple[T | None, T | None]]:
    """Pairs in the order of both; none where one side has nothing. Passages with much the same words are a pair too."""
    keys = [[plain_words(key(x)) for x in side] for side in (old, new)]
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, keys[0], keys[1], autojunk=False).get_opcodes():
        if tag == "equal":
            yield from zip(old[i1:i2], new[j1:j2], strict=True)
            continue
        while i1 < i2 and j1 < j2 and _akin(old[i1], new[j1]):
            yield old[i1], new[j1]
            i1, j1 = i1 + 1, j1 + 1
        yield from ((x, None) for x in old[i1:i2])
        yield from ((None, x) for x in new[j1:j2])


def _akin(a: Section | Item, b: Section | Item) -> bool:
    """Whether two passages without a name of their own are one, written otherwise."""
    if not isinstance(a, Item) or not isinstance(b, Item) or a.lead or b.lead or a.tag or b.tag:
        return False
    return SequenceMatcher(None, a.text, b.text, autojunk=False).ratio() > _ALIKE


def _all_marked(section: Section, mark: str) -> Section:
    return replace(section, mark=mark)


def _item_marked(item: Item, mark: str) -> Item:
    return replace(item, mark=mark)


def is_marked(thing: Section | Item) -> bool:
    """Whether it or anything in it differs."""
    inner = any(is_marked(i) for i in thing.items)
    if isinstance(thing, Section):
        inner = inner or any(is_marked(s) for s in thing.sections)
    return bool(thing.mark) or inner


def only_marked(sections: Sequence[Section]) -> tuple[Section, ...]:
    """What differs, and the headings over it."""
    found = []
    for s in sections:
        if s.mark in (NEW, GONE):
            found.append(s)
        elif is_marked(s):
            items = tuple(_only_marked_item(i) for i in s.items if is_marked(i))
            found.append(replace(s, items=items, sections=only_marked(s.sections)))
    return tuple(found)


def _only_marked_item(item: Item) -> Item:
    if item.mark in (NEW, GONE):
        return item
    inner = tuple(_only_marked_item(i) for i in item.items if is_marked(i))
    return replace(item, items=inner)


# --- one book for several numbers of players ----------------------------------------------------------------------


def merged(numbers: Sequence[int], books: Sequence[Sequence[Section]]) -> tuple[Section, ...]:
    """One text for all numbers of players; where they differ it says so."""
    first = books[0]
    found: list[Section] = []
    for section in first:
        others = [next((s for s in book if s.title == section.title), None) for book in books[1:]]
        same = [s for s in (section, *others) if s is not None]
        items = _merged_items(numbers, [s.items for s in same]) if len(same) == len(books) else section.items
        inner = merged(numbers, [s.sections for s in same]) if len(same) == len(books) else section.sections
        found.append(replace(section, items=items, sections=inner))
    return tuple(found)


def _merged_items(numbers: Sequence[int], columns: Sequence[tuple[Item, ...]]) -> tuple[Item, ...]:
    shapes = {tuple(_without_numbers(i.key) for i in items) for items in columns}
    if len(shapes) > 1:
        if all(items == columns[0] for items in columns):
            return columns[0]
        return tuple(Item(f"With {n} players:", items=items) for n, items in zip(numbers, columns, strict=True))
    return tuple(_merged_item(numbers, row) for row in zip(*columns, strict=True))


def _without_numbers(text: str) -> str:
    return re.sub(r"\d+", "#", text)


def _merged_item(numbers: Sequence[int], row: tuple[Item, ...]) -> Item:
    first = row[0]
    text, lead, quote, tag = (
        _merged_text(numbers, [getattr(i, k) for i in row]) for k in ("text", "lead", "quote", "tag")
    )
    items = _merged_items(numbers, [i.items for i in row])
    return replace(first, text=text, lead=lead, quote=quote, tag=tag, items=items)


def _merged_text(numbers: Sequence[int], texts: Sequence[str]) -> str:
    """`5 (7 with 3 players, 9 with 4) displays`: one text, its numbers by the number of players."""
    if len(set(texts)) == 1:
        return texts[0]
    cut = [re.split(r"(\d+)", text) for text in texts]
    if len({tuple(words[::2]) for words in cut}) == 1:
        out = []
        for words in zip(*cut, strict=True):
            if len(set(words)) == 1:
                out.append(words[0])
            else:
                by_value: dict[str, list[str]] = {}
                for n, word in zip(numbers, words, strict=True):
                    by_value.setdefault(word, []).append(str(n))
                alone = [f"{word} with {listed(ns, 'or')}" for word, ns in list(by_value.items())[1:]]
                out.append(f"{words[0]} ({', '.join([f'{alone[0]} players', *alone[1:]])})")
        return "".join(out)
    return "; ".join(f"with {n} players: {text}" for n, text in zip(numbers, texts, strict=True))
