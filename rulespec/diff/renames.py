"""Entries that are the same under another name: a rename is one change, wherever the name is used.

A rename is tried only in the parts of the rules that use the name, and how much is tried is counted: past the limit, entries are
reported as removed and added.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeVar

from rulespec.diff.trees import Change, ChangeKind, EntryPath, by_name, count_changes, head, tree_changes, written
from rulespec.yaml.nodes import Entry, Mapping, Node, Scalar, Sequence, bare_name, scalars

MOST_TRIED = 100_000  # nodes, characters to read again and pairs of items: together about a second at most
MOST_WEIGHED = 2_000_000  # characters of added entries that still use an old name

_NAMED = ("sets", "tables", "places", "variables", "define", "steps", "moves", "scoring")  # where names can be renamed
_DIVIDED = frozenset(_NAMED) - {"sets"}  # whose entries are compared one by one: a table is read by its sets
_CLEAR = 12  # characters that two entries must share to be the same one under another name
_ITSELF = "\0"  # stands for the entry's own name: no file contains it
_WORD = re.compile(r"\w+")

T = TypeVar("T", bound=Node)
Renaming = Callable[[str], str]  # a word → what it was called


def compare_trees(a: Mapping, b: Mapping) -> list[Change]:
    """Return the changes; an entry that is clearly the same under another name is a rename."""
    found = tree_changes(a, b)
    candidates = list(_candidates(found, a, b))
    if not candidates:
        return found
    trials, renames = _Trials(a, b), []
    twice = _declared_twice(a) | _declared_twice(b)  # words do not tell which of two things they name
    for rename in candidates:
        if trials.left <= 0:
            break
        if rename.old.text in twice or rename.new.text in twice:
            continue
        fewer = trials.fewer(rename.new.text, rename.old.text)
        same_elsewhere = fewer > 2  # beside the one that is gone and the one that is new
        if fewer >= 2 and (same_elsewhere or rename.clear):
            trials.names[rename.new.text] = rename.old.text
            renames.append(
                Change(rename.path, ChangeKind.RENAMED, rename.old, rename.new, rename.old.span, rename.new.span)
            )
    return [*renames, *tree_changes(a, _renamed_inside(b, trials.known))] if renames else found


def _declared_twice(tree: Mapping) -> set[str]:
    """Return the names that stand for two things: a move and a card, a named step and a scoring rule."""
    times: Counter[str] = Counter()
    for section in _NAMED:
        node = tree.get(section)
        times.update(list(by_name(node)) if isinstance(node, Mapping) else ())
    members = tree.get("sets")
    lists = [value for _, value in members if isinstance(value, Sequence)] if isinstance(members, Mapping) else []
    times.update({item.text for items in lists for item in items.items if isinstance(item, Scalar)})
    sets = set(by_name(members)) if isinstance(members, Mapping) else set()
    return {name for name, many in times.items() if many > 1 + (name in sets)}


@dataclass(frozen=True, slots=True)
class _Rename:
    path: EntryPath
    old: Scalar
    new: Scalar
    clear: bool


def _candidates(changes: list[Change], a: Mapping, b: Mapping) -> Iterator[_Rename]:
    """Yield pairs of a removed and an added entry of one section that differ only in name.

    In texts the old name may stay, so the added entries that still use it are looked at too.
    """
    entries = [c for c in changes if len(c.path) == 2 and c.path[0] in _NAMED]
    removed = {c.path: c for c in entries if c.how == ChangeKind.REMOVED}
    added = [c for c in entries if c.how == ChangeKind.ADDED]
    old_heads, new_heads = _heads(a), _heads(b)
    alike: dict[tuple[object, ...], int] = {}
    using: dict[EntryPath, list[int]] = {}
    texts: list[str] = []
    for number, c in enumerate(added):
        assert c.after is not None
        alike.setdefault((c.path[0], new_heads[c.path], _without(c.path[1:], c.after)), number)
        texts.append(written(c.after))
        for word in sorted(set(_WORD.findall(texts[-1]))):
            if (c.path[0], word) in removed:
                using.setdefault((c.path[0], word), []).append(number)
    left = MOST_WEIGHED
    for path, gone in removed.items():
        assert gone.before is not None and gone.before_at
        body = _without(path[1:], gone.before)
        fitting = {alike.get((path[0], old_heads[path], body), len(added))}
        for number in using.get(path, ()):
            after, left = added[number].after, left - len(texts[number])
            if left > 0 and after is not None and new_heads[added[number].path] == old_heads[path]:
                fitting |= {number} if body == _without((path[1], added[number].path[1]), after) else set()
        if (first := min(fitting)) < len(added):
            new = added[first]
            assert new.after_at
            old_name, new_name = str(path[1]), str(new.path[1])
            old = Scalar(gone.before_at, old_name, old_name)
            clear = len(written(gone.before)) >= _CLEAR
            yield _Rename(new.path, old, Scalar(new.after_at, new_name, new_name), clear)


def _heads(tree: Mapping) -> dict[EntryPath, str]:
    """Return the parameters or indexes of each entry that can be renamed."""
    sections = ((name, tree.get(name)) for name in _NAMED)
    return {
        (section, name): head(entry.key)[len(name) :]
        for section, node in sections
        if isinstance(node, Mapping)
        for name, entry in by_name(node).items()
    }


def _without(names: EntryPath, body: Node) -> str:
    """Return what is written in an entry, without these names."""
    return written(_renamed(body, lambda word: _ITSELF if word in names else word))


def _renamed(node: T, renaming: Renaming) -> T:
    """Return the tree with other names, each at its old place."""

    def scalar(s: Scalar) -> Scalar:
        text = _WORD.sub(lambda m: renaming(m[0]), s.text)
        return s if text == s.text else Scalar(s.span, text, text)

    def walk(n: Node) -> Node:
        match n:
            case Scalar():
                return scalar(n)
            case Sequence():
                return replace(n, items=tuple(walk(i) for i in n.items))
            case Mapping():
                entries = tuple(Entry(scalar(e.key), walk(e.value)) for e in n.entries)
                return Mapping(n.span, entries, n.changed, n.flow)

    result = walk(node)
    assert isinstance(result, type(node))
    return result


def _renamed_inside(tree: Mapping, renaming: Renaming) -> Mapping:
    """Return the tree with other names in its sections, which keep theirs."""
    entries = tuple(Entry(e.key, _renamed(e.value, renaming)) for e in tree.entries)
    return Mapping(tree.span, entries, tree.changed, tree.flow)


@dataclass(frozen=True, slots=True)
class _Portion:
    """A part that is compared by itself: a section, or an entry of one."""

    section: Entry
    entry: Entry | None
    nodes: int


@dataclass(slots=True)
class _Trials:
    """Renames tried one after the other, each with those before it that were kept."""

    a: Mapping
    b: Mapping
    names: dict[str, str] = field(default_factory=dict)  # what is called so in `b` → its name in `a`
    left: int = MOST_TRIED
    old: dict[str, dict[str, Entry]] = field(init=False)  # of `a`, by section: those that are compared entry by entry
    parts: list[_Portion] = field(init=False)
    using: dict[str, Counter[int]] = field(init=False)  # by word, the parts in which it is → characters of such texts

    def __post_init__(self) -> None:
        sections = ((name, self.a.get(name), self.b.get(name)) for name in sorted(_DIVIDED))
        self.old = {
            name: by_name(one) for name, one, two in sections if isinstance(one, Mapping) and isinstance(two, Mapping)
        }
        self.parts, self.using = [], {}
        for section in self.b.entries:
            if section.key.text in self.old and isinstance(section.value, Mapping):
                for entry in section.value.entries:
                    self._add(section, entry, [entry.key, *scalars(entry.value)])
            else:
                self._add(section, None, list(scalars(section.value)))

    def _add(self, section: Entry, entry: Entry | None, scalars: list[Scalar]) -> None:
        for scalar in scalars:
            for word in set(_WORD.findall(scalar.text)):
                self.using.setdefault(word, Counter())[len(self.parts)] += len(scalar.text)
        self.parts.append(_Portion(section, entry, len(scalars)))

    def known(self, word: str) -> str:
        """Return what the word was called, by the renames that were kept."""
        return self.names.get(word, word)

    def fewer(self, new: str, old: str) -> int:
        """Return by how many there are fewer changes if `new` was called `old`."""
        numbers = self._concerned(new, old)
        trees = [
            self._only(numbers, renaming)
            for renaming in (self.known, lambda word: old if word == new else self.known(word))
        ]
        before = self._beside(trees)
        (many, work), (many_now, work_now) = (count_changes(before, tree) for tree in trees)
        self.left -= sum(self.parts[i].nodes for i in numbers) + self.using[new].total() + work + work_now
        return many - many_now

    def _concerned(self, new: str, old: str) -> list[int]:
        """Return the parts that can differ otherwise, in order: those that use a name, and what is read by them."""
        numbers = {i for name in (new, old) for i in self.using.get(name, ())}
        sections = {self.parts[i].section.key.text for i in numbers}
        for one, other in (("sets", "tables"), ("tables", "sets")):
            if one in sections:
                numbers |= {i for i, part in enumerate(self.parts) if part.section.key.text == other}
        return sorted(numbers)

    def _only(self, numbers: list[int], renaming: Renaming) -> Mapping:
        """Return these parts of `b`, with other names."""
        sections: dict[str, tuple[Mapping, list[Entry]]] = {}
        found = []
        for part in (self.parts[i] for i in numbers):
            key, value = part.section.key, part.section.value
            if part.entry is None:
                found.append(Entry(key, _renamed(value, renaming)))
                continue
            assert isinstance(value, Mapping)
            if key.text not in sections:
                sections[key.text] = value, []
            sections[key.text][1].append(
                Entry(_renamed(part.entry.key, renaming), _renamed(part.entry.value, renaming))
            )
        found += [
            Entry(Scalar(whole.span, name, name), Mapping(whole.span, tuple(entries)))
            for name, (whole, entries) in sections.items()
        ]
        return Mapping(self.b.span, tuple(found))

    def _beside(self, trees: list[Mapping]) -> Mapping:
        """Return the parts of `a` that these parts of `b` are compared with."""
        found = []
        for section in trees[0].entries:
            name = section.key.text
            own = self.a.entry(name)
            if own is not None and name in self.old:
                nodes = [tree.get(name) for tree in trees]
                names = {bare_name(e.key.text): None for n in nodes if isinstance(n, Mapping) for e in n.entries}
                entries = tuple(self.old[name][n] for n in names if n in self.old[name])
                own = Entry(own.key, Mapping(own.value.span, entries))
            if own is not None:
                found.append(own)
        return Mapping(self.a.span, tuple(found))
