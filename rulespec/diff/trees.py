"""The differences between two trees of rules: which entry, from what to what, and where each is.

Layout, comments, quotes, brackets that change nothing and the order of names where it means nothing do not count.
What is not part of the rules (titles, pages, examples) is not compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache

from rulespec.align import SMALL, common, matching_blocks
from rulespec.diagnostics.diagnostic import Span
from rulespec.expr.parse import Syntax, parse_text
from rulespec.yaml.nodes import Entry, Mapping, Node, Scalar, Sequence, bare_name

EntryPath = tuple[str | int, ...]  # the names on the way down, and numbers of items from 0

_VIEW_TEXTS = frozenset({"title", "labels", "symbols", "colours", "says"})
_LEFT_OUT = frozenset({"rulespec", "game", "text", "examples", *("extends", "with", "change", "options")})
_ORDERED = frozenset({"winner", "choose"})  # maps in which the order of names has a meaning
_ENTRIES = ("expr", "step", "binding", "ask", "pieces", "choice", "set")  # what a one-line text may be read as
MOST_READ = 20_000  # texts whose meaning is kept, the latest ones
MOST_PAIRS = 200_000  # of items of lists that are matched as people would: more are matched in a quicker way
_FEW = 3  # entries of a table that are reported one by one; of more, the whole table is


class ChangeKind(StrEnum):
    """How an entry differs."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    RENAMED = "renamed"
    ORDER = "order"
    PARAMETERS = "parameters"
    FIXED = "fixed"


@dataclass(frozen=True, slots=True)
class Change:
    """One entry that differs. A side on which it is missing has the span of what it would be in."""

    path: EntryPath
    how: ChangeKind
    before: Node | None
    after: Node | None
    before_at: Span | None
    after_at: Span | None
    also: tuple[EntryPath, ...] = ()  # the same change in moves that are like this one

    @property
    def text_before(self) -> str | None:
        """The entry on one line as it was; None where there was none."""
        return None if self.before is None else written(self.before)

    @property
    def text_after(self) -> str | None:
        """The entry on one line as it is now; None where there is none."""
        return None if self.after is None else written(self.after)

    @property
    def sort(self) -> str:
        """`view` changes how it looks, `words` what is said; `rule` is all else."""
        if "view" in self.path:
            return "view"
        return "words" if is_text(self.path) else "rule"


def tree_changes(a: Mapping, b: Mapping) -> list[Change]:
    """Return all that differs, names taken as they are."""
    return list(_TreeComparison(a, b).changes())


def count_changes(a: Mapping, b: Mapping) -> tuple[int, int]:
    """Return how much differs, and how many pairs of items of lists were weighed up to find out."""
    comparison = _TreeComparison(a, b)
    return sum(1 for _ in comparison.changes()), comparison.pairs


@dataclass(slots=True)
class _TreeComparison:
    a: Mapping
    b: Mapping
    members: dict[str, list[str]] = field(init=False)  # of the sets that are the same in both
    indexes: tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]] = field(init=False)  # by table
    pairs: int = 0  # of items of lists that were weighed up

    def __post_init__(self) -> None:
        one, two = _set_members(self.a), _set_members(self.b)
        self.members = {name: members for name, members in one.items() if two.get(name) == members}
        self.indexes = _table_indexes(self.a), _table_indexes(self.b)

    def changes(self) -> Iterator[Change]:
        kept = tuple(replace(t, entries=tuple(e for e in t.entries if e.key.text not in _LEFT_OUT), _index={})
                     for t in (self.a, self.b))  # fmt: skip
        yield from self.maps((), kept[0], kept[1])

    def nodes(self, path: EntryPath, a: Node, b: Node) -> Iterator[Change]:
        if path[0] == "variables" and len(path) == 2:
            a, b = _with_key(a, "is"), _with_key(b, "is")
        if path[0] == "tables" and len(path) == 2:
            yield from self.tables(path, a, b)
            return
        match a, b:
            case Mapping(), Mapping():
                yield from self.maps(path, a, b)
            case Sequence(), Sequence():
                yield from self.lists(path, a, b)
            case _:
                if not same(a, b, path):
                    yield Change(path, ChangeKind.CHANGED, a, b, a.span, b.span)

    def maps(self, path: EntryPath, a: Mapping, b: Mapping) -> Iterator[Change]:
        old, new = by_name(a), by_name(b)
        for name, entry in old.items():
            if name not in new:
                yield Change((*path, name), ChangeKind.REMOVED, entry.value, None, entry.key.span, _changed_at(a, b))
                continue
            if head(entry.key) != head(new[name].key) and path != ("tables",):
                keys = entry.key, new[name].key
                yield Change((*path, name), ChangeKind.PARAMETERS, *keys, keys[0].span, keys[1].span)
            yield from self.nodes((*path, name), entry.value, new[name].value)
        for name, entry in new.items():
            if name not in old:
                yield Change((*path, name), ChangeKind.ADDED, None, entry.value, a.span, entry.key.span)
        if path and path[-1] in _ORDERED:
            orders = [n for n in old if n in new], [n for n in new if n in old]
            if orders[0] != orders[1]:
                words = [Scalar(m.span, ", ".join(o), ", ".join(o)) for m, o in zip((a, b), orders, strict=True)]
                yield Change(path, ChangeKind.ORDER, words[0], words[1], a.span, b.span)

    def lists(self, path: EntryPath, a: Sequence, b: Sequence) -> Iterator[Change]:
        """Yield the changes of a list: items are matched in order, and compared inside where two correspond."""
        left, right = [_mark(i, path) for i in a.items], [_mark(i, path) for i in b.items]
        i1 = j1 = 0
        for i2, j2, size in self.blocks(left, right) if left != right else ():
            gone, new = a.items[i1:i2], b.items[j1:j2]
            pairs = self.paired(gone, new)
            paired = {i for i, _ in pairs}, {j for _, j in pairs}
            for i, item in enumerate(gone):
                if i not in paired[0]:
                    yield Change((*path, i1 + i), ChangeKind.REMOVED, item, None, item.span, _changed_at(a, b))
            for i, j in pairs:
                yield from self._items(path, gone[i], j1 + j, new[j])
            for j, item in enumerate(new):
                if j not in paired[1]:
                    yield Change((*path, j1 + j), ChangeKind.ADDED, None, item, a.span, item.span)
            i1, j1 = i2 + size, j2 + size

    def blocks(self, a: list[str], b: list[str]) -> list[tuple[int, int, int]]:
        """Return the parts that are the same, the longest first while that is not too much work; the last has size 0."""
        self.pairs += min(len(a) * len(b), SMALL)
        if self.pairs <= MOST_PAIRS:
            return matching_blocks(a, b)
        return [*((i, j, 1) for i, j in common(a, b)), (len(a), len(b), 0)]

    def paired(self, gone: tuple[Node, ...], new: tuple[Node, ...]) -> list[tuple[int, int]]:
        """Return pairs of items that correspond: steps of one kind, in order."""
        if not gone or not new:
            return []
        blocks = self.blocks([_kind(i) for i in gone], [_kind(i) for i in new])
        return [(i + k, j + k) for i, j, size in blocks for k in range(size)]

    def _items(self, path: EntryPath, a: Node, j: int, b: Node) -> Iterator[Change]:
        if isinstance(a, Mapping) and isinstance(b, Mapping):
            yield from self.maps((*path, j), a, b)
        else:
            yield Change((*path, j), ChangeKind.CHANGED, a, b, a.span, b.span)

    def tables(self, path: EntryPath, a: Node, b: Node) -> Iterator[Change]:
        """Yield the changes of a table, written as a list or as a map; a few entries are reported one by one."""
        heads = [indexes[str(path[1])] for indexes in self.indexes]
        old, new = (dict(_leaves(n, h, self.members)) for n, h in zip((a, b), heads, strict=True))
        differ = [k for k in old if k in new and not same(old[k], new[k], path)]
        if heads[0] == heads[1] and old.keys() == new.keys() and len(differ) <= _FEW and () not in old:
            for k in differ:
                yield Change((*path, *k), ChangeKind.CHANGED, old[k], new[k], old[k].span, new[k].span)
        elif differ or old.keys() != new.keys() or heads[0] != heads[1]:
            yield Change(path, ChangeKind.CHANGED, a, b, a.span, b.span)


def _kind(node: Node) -> str:
    """Return how the step begins: `while`, `move`, `set turn`; any other text or number is a kind of its own."""
    match node:
        case Mapping():
            return next((e.key.text for e in node.entries), "")
        case Scalar() if len(words := node.text.split()) > 2:
            return " ".join(words[: 2 if words[0] in ("set", "let") else 1])
        case _:
            return written(node)


def _changed_at(a: Mapping | Sequence, b: Mapping | Sequence) -> Span:
    """Return where something was removed from `b`: in the overlay that did so, if any."""
    return next((span for span in reversed(b.changed) if span not in a.changed), b.span)


def _set_members(tree: Mapping) -> dict[str, list[str]]:
    """Return the members of the sets that are written as lists, sets in them left as they are, and of plain ranges."""
    found: dict[str, list[str]] = {}
    sets = tree.get("sets")
    for key, value in sets if isinstance(sets, Mapping) else ():
        if isinstance(value, Sequence):
            found[key.text] = [i.text for i in value.items if isinstance(i, Scalar)]
        elif isinstance(value, Scalar) and (m := re.fullmatch(r"\s*(\d+)\s*\.\.\s*(\d+)\s*", value.text)):
            found[key.text] = [str(n) for n in range(int(m[1]), int(m[2]) + 1)]
    return {name: [m for member in members for m in (found.get(member) or [member])] for name, members in found.items()}


def _table_indexes(tree: Mapping) -> dict[str, tuple[str, ...]]:
    """Return the indexes of each table."""
    tables, found = tree.get("tables"), dict[str, tuple[str, ...]]()
    for key, _ in tables if isinstance(tables, Mapping) else ():
        name = bare_name(key.text)
        inside = key.text[len(name) :].strip().strip("[]")
        found[name] = tuple(" ".join(part.split()) for part in inside.split(",")) if inside else ()
    return found


def _leaves(node: Node, index: tuple[str, ...], members: dict[str, list[str]]) -> Iterator[tuple[EntryPath, Node]]:
    """Yield the entries of a table by their indexes: members where the index is a known set, else numbers from 0."""
    known = members.get(index[0]) if index else None
    match node:
        case Mapping() if index:
            for key, value in node:
                for path, leaf in _leaves(value, index[1:], members):
                    yield (key.text, *path), leaf
        case Sequence() if index or not any(isinstance(i, Sequence) for i in node.items):
            for i, item in enumerate(node.items):
                at: str | int = known[i] if known and i < len(known) else i
                for path, leaf in _leaves(item, index[1:], members) if index else [((), item)]:
                    yield (at, *path), leaf
        case _:
            yield (), node


def _with_key(node: Node, key: str) -> Node:
    """Return `{key: node}` where only the node is written."""
    if isinstance(node, Mapping):
        return node
    return Mapping(node.span, (Entry(Scalar(node.span, key, key), node),))


def by_name(node: Mapping) -> dict[str, Entry]:
    """Return the entries of a map by their names, without parameters and indexes."""
    return {bare_name(e.key.text): e for e in node.entries if e.key.text != "see"}


def head(key: Scalar) -> str:
    """Return a name with its parameters or indexes, however it is spaced."""
    return "".join(re.split(r"\s*([,()\[\]])\s*", " ".join(key.text.split())))


def is_text(path: EntryPath) -> bool:
    """Return whether the entry is a text for people, not an expression."""
    if "view" in path:
        return any(key in _VIEW_TEXTS for key in path)
    return path[-1:] == ("text",) or (path[-1:] == ("else",) and "needs" in path)


# --- what says the same -------------------------------------------------------------------------------------------


def same(a: Node, b: Node, path: EntryPath = ()) -> bool:
    """Return whether two nodes say the same, however they are written."""
    return _mark(a, path) == _mark(b, path)


def _mark(node: Node, path: EntryPath) -> str:
    """Return a text that is equal for nodes that say the same."""
    match node:
        case Scalar():
            return _meaning(node, path)
        case Sequence() if len(node.items) == 1 and path and path[-1] in ("pile", "stack", "cell", "is"):
            return _mark(node.items[0], path)
        case Sequence():
            return "[" + ",".join(_mark(i, path) for i in node.items) + "]"
        case Mapping():
            marks = [f"{head(k)}:{_mark(v, (*path, k.text))}" for k, v in node if k.text != "see"]
            ordered = bool(path) and path[-1] in _ORDERED
            return "{" + ",".join(marks if ordered else sorted(marks)) + "}"


def _meaning(scalar: Scalar, path: EntryPath) -> str:
    if is_text(path):
        return " ".join(scalar.text.split())
    return _reading(scalar.text)


@lru_cache(maxsize=MOST_READ)  # a text is compared again and again to find renames
def _reading(text: str) -> str:
    """Return what a text says, read as the first kind of entry that it can be."""
    for entry in _ENTRIES:
        if isinstance(found := parse_text(text, entry), Syntax):
            return _shape(found)
    return " ".join(text.split())


def _shape(node: object) -> str:
    if not isinstance(node, Syntax):
        return str(node)
    if node.kind == "bracket":
        return _shape(node.parts[0])
    return f"{node.kind}({' '.join(_shape(p) for p in node.parts)})"


def written(node: Node | None) -> str:
    """Return a node on one line, as an author could write it."""
    match node:
        case None:
            return ""
        case Scalar():
            return " ".join(node.text.split())
        case Sequence():
            return "[" + ", ".join(written(i) for i in node.items) + "]"
        case Mapping():
            inner = [f"{k.text}: {written(v)}" for k, v in node if k.text != "see"]
            return "{" + ", ".join(inner) + "}"
