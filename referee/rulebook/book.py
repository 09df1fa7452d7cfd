"""A rulebook as data: sections of passages, which can be compared passage by passage."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from referee.rulebook import texts
from referee.shell.blocks import StyledLine
from rulespec import likeness, listed, opcodes

T = TypeVar("T", "Section", "BookItem")
_SIMILAR = 0.5  # the share of words that a rewritten passage keeps
NEW, CHANGED, GONE = "new", "changed", "gone"
ADDED, INSTEAD, DROPPED = "added", "instead", "dropped"  # the same with a choice of an option
_WITH_CHOICE = {NEW: ADDED, CHANGED: INSTEAD, GONE: DROPPED}
_EM, _END = "\x01", "\x02"  # around names; no rule file can hold these characters


def em(text: str) -> str:
    """Return a name that both kinds of output set apart."""
    return f"{_EM}{text}{_END}"


def runs(text: str) -> Iterator[tuple[bool, str]]:
    """Yield the parts of a text: whether each is a name, and its words."""
    for i, part in enumerate(re.split(f"[{_EM}{_END}]", text)):
        if part:
            yield i % 2 == 1, part


def plain_words(text: str) -> str:
    """Return a text without the marks around names."""
    return text.replace(_EM, "").replace(_END, "")


def capital(text: str) -> str:
    """Return the text with its first letter in upper case."""
    i = 1 if text.startswith(_EM) else 0
    return text[:i] + text[i : i + 1].upper() + text[i + 1 :]


@dataclass(frozen=True, slots=True)
class BookItem:
    """One passage. `lead` names it, `quote` is what the author lets the game say, `board` is a drawing."""

    text: str = ""
    lead: str = ""
    quote: str = ""
    see: str = ""
    items: tuple[BookItem, ...] = ()
    board: tuple[StyledLine, ...] = ()
    picture: str = ""  # the same as the board, as SVG
    mark: str = ""  # new, changed or gone, compared with the rules that these change
    before: str = ""  # the former words of a changed passage
    tag: str = ""  # what it is about, if its first words do not say so
    lead_of_many: str = ""  # its lead where that is about several things, if the number decides
    own: BookItem | None = None  # the passage in the words of its own file, where it is here in those of another
    is_otherwise: bool = False  # it says what happens if the passage before it does not hold

    @property
    def key(self) -> str:
        """The identity of a passage whose words may change."""
        return self.tag or self.lead or self.text

    @property
    def words(self) -> str:
        """Its text and its quotation."""
        return " ".join(part for part in (self.text, f"“{self.quote}”" if self.quote else "") if part)


def otherwise(condition: BookItem, items: tuple[BookItem, ...]) -> BookItem:
    """Return the passage about what happens if a condition does not hold."""
    return BookItem(texts.OTHERWISE, items=items, tag=f"{texts.OTHERWISE} {condition.key}", is_otherwise=True)


def plain_lines(items: Iterable[BookItem], depth: int = 0) -> Iterator[str]:
    """Yield the passages as plain text, those inside of others further right."""
    for item in items:
        quote = f"{texts.OTHERWISE} “{item.quote}”" if item.quote else ""
        words = " ".join(part for part in (item.text, quote) if part)
        lead = f"{item.lead}: " if item.lead else ""
        yield plain_words(f"{'  ' * depth}{lead}{words}").rstrip()
        yield from plain_lines(item.items, depth + 1)


@dataclass(frozen=True, slots=True)
class Section:
    """Passages and sections under a title."""

    name: str
    items: tuple[BookItem, ...] = ()
    sections: tuple[Section, ...] = ()
    given: str = ""  # what its steps are carried out for
    only_with: tuple[int, ...] = ()  # the numbers of players that it is for, if not for all
    see: str = ""
    mark: str = ""
    ordered: bool = False  # its passages come one after another
    is_examples: bool = False  # its passages are worked examples

    @property
    def title(self) -> str:
        """Its name, with what it is for."""
        given = f" (for {self.given})" if self.given else ""
        only = f" (only with {_players(self.only_with)})" if self.only_with else ""
        return f"{self.name}{given}{only}"


@dataclass(frozen=True, slots=True)
class Book:
    """A whole rulebook."""

    title: str
    text: str
    facts: tuple[str, ...]  # lines under the title: players, options, what it builds on
    sections: tuple[Section, ...]
    marked: bool = False  # whether changes are marked

    def __iter__(self) -> Iterator[Section]:
        return iter(self.sections)


# --- what changed -------------------------------------------------------------------------------------------------


def marked(old: Sequence[Section], new: Sequence[Section]) -> tuple[Section, ...]:
    """Return the new sections, with a mark on every passage that differs from the old ones."""
    return _compared(old, new, lambda section: section.title, _changed_section)


def _marked_items(old: Sequence[BookItem], new: Sequence[BookItem]) -> tuple[BookItem, ...]:
    return _compared(old, new, lambda item: item.key, _changed_item)


def _compared(
    old: Sequence[T], new: Sequence[T], key: Callable[[T], str], changed: Callable[[T, T], T]
) -> tuple[T, ...]:
    """Return both sides as one: what only one of them has is marked, and `changed` compares what both have."""
    found: list[T] = []
    for before, after in _aligned(old, new, key):
        if before is not None and after is not None:
            found.append(changed(before, after))
        elif after is not None:
            found.append(replace(after, mark=NEW))
        elif before is not None:
            own = before.own if isinstance(before, BookItem) else None
            found.append(replace(own or before, mark=GONE))
    return tuple(found)


def _changed_section(before: Section, after: Section) -> Section:
    items, sections = _marked_items(before.items, after.items), marked(before.sections, after.sections)
    return replace(after, items=items, sections=sections)


def _changed_item(before: BookItem, after: BookItem) -> BookItem:
    items = _marked_items(before.items, after.items)
    if before.words == after.words and before.board == after.board:
        return replace(after, items=items)
    return replace(after, items=items, mark=CHANGED, before=(before.own or before).words)


def _aligned(old: Sequence[T], new: Sequence[T], key: Callable[[T], str]) -> Iterator[tuple[T | None, T | None]]:
    """Yield pairs in the order of both sides; None where one side has nothing. Similar passages are a pair, too."""
    keys = [[plain_words(key(x)) for x in side] for side in (old, new)]
    for tag, i1, i2, j1, j2 in opcodes(keys[0], keys[1]):
        if tag == "equal":
            yield from zip(old[i1:i2], new[j1:j2], strict=True)
            continue
        while i1 < i2 and j1 < j2 and _is_rewritten(old[i1], new[j1]):
            yield old[i1], new[j1]
            i1, j1 = i1 + 1, j1 + 1
        if j1 < j2 and _is_otherwise(new[j1]):  # right after its condition
            yield None, new[j1]
            j1 += 1
        yield from ((x, None) for x in old[i1:i2])
        yield from ((None, x) for x in new[j1:j2])


def _is_otherwise(passage: Section | BookItem) -> bool:
    return isinstance(passage, BookItem) and passage.is_otherwise


def _is_rewritten(a: Section | BookItem, b: Section | BookItem) -> bool:
    """Return whether two passages without a name of their own are one that was rewritten.

    They are asked about in order: what happens otherwise follows a condition that was rewritten.
    """
    if _is_otherwise(a) and _is_otherwise(b):
        return True
    if not isinstance(a, BookItem) or not isinstance(b, BookItem) or a.lead or b.lead or a.tag or b.tag:
        return False
    return likeness(re.findall(r"\w+", a.text), re.findall(r"\w+", b.text)) > _SIMILAR


def with_own_words(sections: Sequence[Section], own: Sequence[Section]) -> tuple[Section, ...]:
    """Return sections in another file's words that know their own: both were made from the same rules."""
    return tuple(
        replace(s, items=_own_items(s.items, o.items), sections=with_own_words(s.sections, o.sections))
        for s, o in zip(sections, own, strict=True)
    )


def _own_items(items: tuple[BookItem, ...], own: tuple[BookItem, ...]) -> tuple[BookItem, ...]:
    if len(items) != len(own):  # the words decide how passages are grouped
        return items
    return tuple(replace(i, items=_own_items(i.items, o.items), own=o) for i, o in zip(items, own, strict=True))


def marked_for_choice(items: Sequence[BookItem]) -> tuple[BookItem, ...]:
    """Return passages whose marks say what a choice of an option changes, not a house rule."""
    return tuple(replace(i, mark=_WITH_CHOICE.get(i.mark, i.mark), items=marked_for_choice(i.items)) for i in items)


def is_marked(thing: Section | BookItem) -> bool:
    """Return whether it or anything in it differs."""
    inner = any(is_marked(i) for i in thing.items)
    if isinstance(thing, Section):
        inner = inner or any(is_marked(s) for s in thing.sections)
    return bool(thing.mark) or inner


def only_marked(sections: Sequence[Section]) -> tuple[Section, ...]:
    """Return what differs, with the headings above it."""
    found = []
    for s in sections:
        if s.mark in (NEW, GONE):
            found.append(s)
        elif is_marked(s):
            items = tuple(_only_marked_item(i) for i in s.items if is_marked(i))
            found.append(replace(s, items=items, sections=only_marked(s.sections)))
    return tuple(found)


def _only_marked_item(item: BookItem) -> BookItem:
    if item.mark in (NEW, GONE):
        return item
    inner = tuple(_only_marked_item(i) for i in item.items if is_marked(i))
    return replace(item, items=inner)


# --- one book for several numbers of players ----------------------------------------------------------------------


def merged(numbers: Sequence[int], books: Sequence[Sequence[Section]]) -> tuple[Section, ...]:
    """Return one text for all numbers of players, which says where they differ."""
    found: list[Section] = []
    for title in dict.fromkeys(section.title for book in books for section in book):
        having = [(n, s) for n, book in zip(numbers, books, strict=True) for s in book if s.title == title]
        counts, same = tuple(n for n, _ in having), [s for _, s in having]
        items = _merged_items(counts, [s.items for s in same])
        inner = merged(counts, [s.sections for s in same])
        only_with = counts if len(counts) < len(numbers) else ()
        found.append(replace(same[0], items=items, sections=inner, only_with=only_with))
    return tuple(found)


def _merged_items(numbers: Sequence[int], columns: Sequence[tuple[BookItem, ...]]) -> tuple[BookItem, ...]:
    shapes = {tuple(_without_numbers(i.key) for i in items) for items in columns}
    if len(shapes) == 1:
        return tuple(_merged_item(numbers, row) for row in zip(*columns, strict=True))
    keyed = [{_without_numbers(i.key): i for i in items if i.tag or i.lead} for items in columns]
    if all(len(by_key) == len(items) for by_key, items in zip(keyed, columns, strict=True)):
        return tuple(_merged_named(numbers, keyed))
    return tuple(BookItem(f"With {_players([n])}:", items=items) for n, items in zip(numbers, columns, strict=True))


def _merged_named(numbers: Sequence[int], keyed: Sequence[dict[str, BookItem]]) -> Iterator[BookItem]:
    """Yield passages that are not steps, each by its name; those that not all numbers of players have come last."""
    having: dict[tuple[int, ...], list[str]] = {}
    for key in dict.fromkeys(key for column in keyed for key in column):
        having.setdefault(tuple(n for n, column in zip(numbers, keyed, strict=True) if key in column), []).append(key)
    columns = dict(zip(numbers, keyed, strict=True))
    for some in sorted(having, key=len, reverse=True):
        items = tuple(_merged_item(some, tuple(columns[n][key] for n in some)) for key in having[some])
        if len(some) == len(numbers):
            yield from items
        else:
            yield BookItem(f"Only with {_players(some)}:", items=items)


def _players(numbers: Sequence[int]) -> str:
    """Return `1 player`, `2 players`, `1 or 3 players`."""
    return f"{listed(numbers, 'or')} {'player' if tuple(numbers) == (1,) else 'players'}"


def _without_numbers(text: str) -> str:
    return re.sub(r"\d+", "#", text)


def _merged_item(numbers: Sequence[int], row: tuple[BookItem, ...]) -> BookItem:
    first = row[0]
    text, quote, tag = (_merged_text(numbers, [getattr(i, k) for i in row]) for k in ("text", "quote", "tag"))
    leads = [i.lead for i in row]
    lead = first.lead_of_many if first.lead_of_many and len(set(leads)) > 1 else _merged_text(numbers, leads)
    items = _merged_items(numbers, [i.items for i in row])
    text = text if lead else capital(text)
    return replace(first, text=text, lead=lead, quote=quote, tag=tag, items=items)


def _merged_text(numbers: Sequence[int], texts: Sequence[str]) -> str:
    """Return one text with its numbers by the number of players: `5 (7 with 3 players, 9 with 4) displays`."""
    if len(set(texts)) == 1:
        return texts[0]
    cut = [re.split(r"(\d+)", text) for text in texts]
    if len({tuple(words[::2]) for words in cut}) == 1:
        out = []
        for words in zip(*cut, strict=True):
            if len(set(words)) == 1:
                out.append(words[0])
            else:
                by_value: dict[str, list[int]] = {}
                for n, word in zip(numbers, words, strict=True):
                    by_value.setdefault(word, []).append(n)
                (word, ns), *more = list(by_value.items())[1:]
                others = [f"{word} with {_players(ns)}", *(f"{word} with {listed(ns, 'or')}" for word, ns in more)]
                out.append(f"{words[0]} ({', '.join(others)})")
        return "".join(out)
    end = "." if all(text.endswith(".") for text in texts) else ""
    by_text: dict[str, list[int]] = {}
    for n, text in zip(numbers, texts, strict=True):
        by_text.setdefault(text.removesuffix(end), []).append(n)
    return "; ".join(f"with {_players(ns)}: {text}" for text, ns in by_text.items()) + end
