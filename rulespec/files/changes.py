"""Complaints about a house rule point at its own line, and at what that line changes in which file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from rulespec.diagnostics.diagnostic import Diagnostic, Span, edit
from rulespec.english import closest, suggestion
from rulespec.files.extends import Layer
from rulespec.files.merge import REMOVE
from rulespec.yaml.nodes import Entry, Mapping, Node, Scalar, bare_name
from rulespec.yaml.nodes import Sequence as ListNode
from rulespec.yaml.source import MOST_PROBLEMS

LONGEST_LIST = 30  # entries of a list that a fix writes out


def with_what_they_change(files: Sequence[Layer], diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the same; the first complaints about a file that extends another also point at what it changes there."""
    return [_told(files, d) if number < MOST_PROBLEMS else d for number, d in enumerate(diagnostics)]


def _told(files: Sequence[Layer], d: Diagnostic) -> Diagnostic:
    number = next((n for n, layer in enumerate(files) if layer.tree.span.file == d.span.file), 0)
    below = files[:number]
    names = {layer.tree.span.file for layer in below}
    if not below or any(where.file in names for _, where in d.also):
        return d
    path = path_to(files[number].tree, d.span)
    depth, place = _changed(below, path)
    if not d.edits:
        d = _with_whole_list(files[number], below, path, d)
    is_new = depth == 1 < len(path) and path[0] in NAMED and path[1] != REMOVE
    if is_new and d.code != "overlay-change-nothing":
        return d  # in an entry of its own, which changes nothing
    if place is None:
        bottom = below[-1].tree.span.file
        place = ("the file it changes", Span(bottom, 1, 1, 1, 1))
    return replace(d, also=(*d.also, place))


def _with_whole_list(layer: Layer, below: Sequence[Layer], path: list[str], d: Diagnostic) -> Diagnostic:
    """Return the same; of an entry of a list that is changed alone, with the whole list as the fix: `cost[1]: 2`, `cost: {1: 2}`."""
    own = follow(layer.change, path) if layer.change and len(path) == 2 and path[0] == "tables" else None
    if own is None or own[0] != 2:
        return d
    key, value = own[1].key, own[1].value
    name = bare_name(key.text)
    old = next((found[1] for b in reversed(below) if (found := follow(b.tree, path)) and found[0] == 2), None)
    new = dict(_single_entries(key, value))
    if old is None or not new:
        return d
    items = [item.text for item in _items(old.value) if isinstance(item, Scalar)]
    if not new.keys() <= {str(at) for at in range(1, len(items) + 1)} or len(items) > LONGEST_LIST:
        return replace(d, fix=d.fix or f"write `{old.key.text}:` with all its values")
    meant = f"{name}: [{', '.join(new.get(str(at), item) for at, item in enumerate(items, 1))}]"
    here = replace(key.span, end_line=value.span.end_line, end_col=value.span.end_col)
    lines = layer.text.split("\n")
    written = lines[here.line - 1][here.col - 1 : here.end_col - 1] if here.line <= len(lines) else ""
    edits = edit(here, written, meant)
    return replace(d, fix=f"a list is replaced as a whole: write `{meant}`", edits=edits)


def _single_entries(key: Scalar, value: Node) -> Iterator[tuple[str, str]]:
    """Yield the number and the text of each entry that is written alone."""
    index = re.fullmatch(r"\w+\[(.*)\]", key.text)
    if index and isinstance(value, Scalar):
        yield index[1], value.text
    entries = [(entry.key.text, entry.value) for entry in _entries(value)]
    if all(isinstance(value, Scalar) for _, value in entries):
        yield from ((key, value.text) for key, value in entries if isinstance(value, Scalar))


def path_to(tree: Mapping, span: Span) -> list[str]:
    """Return the keys on the way to a span, without those that only mark a change."""
    path: list[str] = []
    node: Node | None = tree
    while node is not None:
        entry = next((e for e in _entries(node) if _holds(e, span)), None)
        if entry is not None:
            path.append(entry.key.text)
        inside = entry.value if entry is not None else next((i for i in _items(node) if _inside(i.span, span)), None)
        node = None if entry is not None and _at(entry.key.span, span) else inside
    return path[path.index("change") + 1 :] if "change" in path else path


def _entries(node: Node) -> tuple[Entry, ...]:
    return node.entries if isinstance(node, Mapping) else ()


def _items(node: Node) -> tuple[Node, ...]:
    return node.items if isinstance(node, ListNode) else ()


def _holds(entry: Entry, span: Span) -> bool:
    return _at(entry.key.span, span) or _inside(entry.value.span, span)


def _at(key: Span, span: Span) -> bool:
    return (key.line, key.col) <= (span.line, span.col) < (key.end_line, key.end_col)


def _inside(outer: Span, span: Span) -> bool:
    return (outer.line, outer.col) <= (span.line, span.col) <= (outer.end_line, outer.end_col)


def _changed(below: Sequence[Layer], path: list[str]) -> tuple[int, tuple[str, Span] | None]:
    """Return the entry furthest down the path that one of the files has, and how far down; of several the uppermost file's."""
    best: tuple[int, Entry] | None = None
    for layer in reversed(below):
        trees = [layer.tree, *([layer.change] if layer.change else [])]
        for tree in trees:
            found = follow(tree, path)
            if found is not None and (best is None or found[0] > best[0]):
                best = found
    return (0, None) if best is None else (best[0], (f"it changes `{bare_name(best[1].key.text)}`", best[1].key.span))


def follow(tree: Mapping, path: list[str]) -> tuple[int, Entry] | None:
    """Return how far the names of the path lead down the tree, and the entry there; None if nowhere."""
    found: tuple[int, Entry] | None = None
    node: Node = tree
    for depth, name in enumerate(path, 1):
        entry = next((e for e in _entries(node) if bare_name(e.key.text) == bare_name(name)), None)
        if entry is None:
            break
        found, node = (depth, entry), entry.value
    return found


NAMED = ("tables", "places", "variables", "define", "steps", "moves", "scoring")  # what a change finds by name


def removals(change: Mapping, name: str) -> Iterator[Scalar]:
    """Yield where a change removes an entry of this name."""
    for entry in change.entries:
        if entry.key.text == REMOVE and isinstance(entry.value, ListNode):
            yield from (i for i in entry.value.items if isinstance(i, Scalar) and bare_name(i.text) == name)
        elif isinstance(entry.value, Mapping):
            yield from removals(entry.value, name)


def in_another_section(
    tree: Mapping, name: str, own: str, introduced: Callable[[Span], bool]
) -> tuple[str, Span, str] | None:
    """Return the old entry of another section with the same name but for its number, where it is, and the section."""
    for section in ("sets", "pieces", *NAMED):
        node = tree.get(section)
        entries = {bare_name(e.key.text): e.key.span for e in _entries(node)} if section != own and node else {}
        entries = {name: span for name, span in entries.items() if not introduced(span)}
        near = closest(name, entries.keys() - {name}, 1.0)
        if near is not None:
            return near, entries[near], section
    return None


def new_unused(span: Span, name: str, near: str, near_at: Span, section: str = "") -> Diagnostic:
    """Return the complaint that a change made something new that nothing uses, beside what it was probably meant for."""
    why = "a change finds its entry by name; under another name it only adds something"
    message = f"`{name}` is new here and nothing uses it"
    here = replace(span, end_line=span.line, end_col=span.col + len(name))  # without indexes and parameters
    also, edits = ((f"`{near}`", near_at),), edit(here, name, near, sure=False)
    fix = suggestion(near, f"it is under `{section}:`" if section else "")
    return Diagnostic(span, "overlay-new-unused", message, why, fix, also, edits=() if section else edits)
