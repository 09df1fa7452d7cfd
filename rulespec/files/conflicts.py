"""House rules side by side: complaints about what two of them change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import takewhile

from rulespec.diagnostics.diagnostic import Diagnostic, Span
from rulespec.files.addresses import HEADS, LISTS, said
from rulespec.files.extends import Chain, Layer, read_change
from rulespec.files.merge import ADD, ADD_FIRST, INSTEAD, REMOVE, STEP_KEYS, conflict, is_list_change, is_step_change
from rulespec.yaml.nodes import Entry, Mapping, Node, Scalar, Sequence, bare_name, plain

OWN = ("players", "view")  # what an extending file changes outside of `change:`


@dataclass(frozen=True, slots=True)
class Touch:
    """One thing that a house rule changes: the names on the way to it, and what is to become of it.

    A step is below its list, whatever the blocks around it: its line names it.
    """

    path: tuple[str, ...]
    span: Span
    adds: bool = False  # only to a list: others may add too, and change what is in it
    names: bool = False  # only finds it there: others may find it too
    value: object = None
    choice: tuple[str, str] | None = None  # of an option, with which alone it is changed

    def conflicts_with(self, other: Touch) -> bool:
        """Return whether the two changes exclude each other."""
        shorter = min(len(self.path), len(other.path))
        if self.path[:shorter] != other.path[:shorter] or self._never_with(other):
            return False
        if any(one.adds and (two.adds or two.names or len(two.path) > len(one.path)) for one, two in self._both(other)):
            return False
        if self.names and other.names:
            return False
        return self.path != other.path or self.value is None or self.value != other.value

    def _both(self, other: Touch) -> tuple[tuple[Touch, Touch], tuple[Touch, Touch]]:
        return (self, other), (other, self)

    def _never_with(self, other: Touch) -> bool:
        """Return whether the two belong to different choices of one option."""
        if self.choice is None or other.choice is None:
            return False
        return self.choice[0] == other.choice[0] and self.choice != other.choice


def check_stack(one: Chain, other: Chain, known: frozenset[str] = frozenset()) -> Iterator[Diagnostic]:
    """Yield complaints about what both change: one for each named thing, however much of it differs.

    `known` are the options of the files below both.
    """
    changed = [touch for layer in one for touch in touches(layer, known)]
    met: dict[tuple[str, ...], list[tuple[Touch, Touch]]] = {}
    for layer in other:
        for touch in touches(layer, known):
            if first := next((t for t in changed if t.conflicts_with(touch)), None):
                met.setdefault(min(first.path, touch.path, key=len)[:2], []).append((first, touch))
    for pairs in met.values():
        yield _conflict(pairs)


def _conflict(pairs: list[tuple[Touch, Touch]]) -> Diagnostic:
    first, second = pairs[0]
    path = _common([touch.path for pair in pairs for touch in pair])
    what = f"`{path[-1]}` under `{': '.join(path[:-1])}`" if len(path) > 1 else f"`{path[0]}`"
    return conflict(what, second.span, first.span)


def _common(paths: list[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the names with which all paths begin."""
    alike = takewhile(lambda names: len(set(names)) == 1, zip(*paths))
    return tuple(names[0] for names in alike)


def touches(layer: Layer, known: frozenset[str] = frozenset()) -> Iterator[Touch]:
    """Yield everything that a house rule changes, down to single values and steps."""
    for key, value in layer.tree:
        if key.text in OWN:
            yield from _under(value, (key.text,), key.span)
    if layer.change:
        yield from _under(layer.change, (), layer.change.span)
    options = layer.tree.get("options")
    for option, choices in options if isinstance(options, Mapping) else ():
        for choice, says in choices if option.text in known and isinstance(choices, Mapping) else ():
            change = read_change(says.get("change"), []) if isinstance(says, Mapping) else None
            for touch in _under(change, (), change.span) if change else ():
                yield replace(touch, choice=(option.text, choice.text))


def _under(node: Node, path: tuple[str, ...], at: Span) -> Iterator[Touch]:
    match node:
        case Mapping() if is_step_change(node, path):
            for entry in node.entries:
                yield from _in_steps(entry, path)
        case Mapping() if path and is_list_change(node) and node.get(REMOVE) is None:
            yield Touch(path, at, adds=True)
        case Mapping():
            for key, value in node:
                if key.text == REMOVE and isinstance(value, Sequence):
                    yield from _removed(value, path)
                elif key.text in (ADD, ADD_FIRST) and is_list_change(node):
                    yield Touch(path, key.span, adds=True)
                else:
                    yield from _under(value, (*path, bare_name(key.text)), key.span)
        case _:
            yield Touch(path, at, value=("is", plain(node)))


def _in_steps(entry: Entry, steps: tuple[str, ...]) -> Iterator[Touch]:
    """Yield what one entry of a change of steps concerns."""
    word, value = entry.key.text, entry.value
    if word in (ADD, ADD_FIRST):
        yield Touch(steps, entry.key.span, adds=True)
    elif word == REMOVE:
        for item in value.items if isinstance(value, Sequence) else ():
            yield Touch((*steps, said(item)), item.span)
    elif word in STEP_KEYS:
        for key, _ in value if isinstance(value, Mapping) else ():
            yield Touch((*steps, said(key)), key.span, names=word != INSTEAD)
    elif isinstance(value, Mapping):  # parts of a block
        block = (*steps, said(entry.key))
        yield Touch(block, entry.key.span, names=True)
        for key, part in value:
            if key.text in LISTS and isinstance(part, Mapping):
                yield from _under(part, steps, key.span)
            else:  # after another first line nobody would find the block
                same = None if key.text in HEADS else ("is", plain(part))
                yield Touch((*block, key.text), key.span, value=same)


def _removed(names: Sequence, path: tuple[str, ...]) -> Iterator[Touch]:
    for name in names.items:
        if isinstance(name, Scalar):
            yield Touch((*path, bare_name(name.text)), name.span)
        else:
            yield Touch(path, name.span)
