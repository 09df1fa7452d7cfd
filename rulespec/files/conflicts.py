"""House rules side by side: complaints about what two of them change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from rulespec.diagnostics.diagnostic import Diagnostic, Span
from rulespec.files.extends import Chain, Layer
from rulespec.files.merge import REMOVE, is_list_change
from rulespec.yaml.nodes import Mapping, Node, Scalar, Sequence, bare_name, plain

OWN = ("players", "view")  # what an extending file changes outside of `change:`
_WHY = "two house rules side by side may not change the same thing: nothing says which one counts"


@dataclass(frozen=True, slots=True)
class Touch:
    """One thing that a house rule changes: the names on the way to it, and what is to become of it."""

    path: tuple[str, ...]
    span: Span
    file: str
    adds: bool = False  # only to a list: others may add too
    value: object = None

    def conflicts_with(self, other: Touch) -> bool:
        """Return whether the two changes exclude each other."""
        shorter = min(len(self.path), len(other.path))
        if self.path[:shorter] != other.path[:shorter]:
            return False
        if self.path == other.path and self.adds and other.adds:
            return False
        return self.path != other.path or self.value is None or self.value != other.value


def check_stack(one: Chain, other: Chain) -> Iterator[Diagnostic]:
    """Yield complaints about what both change: one for each named thing, however much of it differs."""
    changed = [touch for layer in one for touch in touches(layer)]
    met: dict[tuple[str, ...], list[tuple[Touch, Touch]]] = {}
    for layer in other:
        for touch in touches(layer):
            if first := next((t for t in changed if t.conflicts_with(touch)), None):
                met.setdefault(min(first.path, touch.path, key=len)[:2], []).append((first, touch))
    for pairs in met.values():
        yield _conflict(pairs)


def _conflict(pairs: list[tuple[Touch, Touch]]) -> Diagnostic:
    first, second = pairs[0]
    path = _common([touch.path for pair in pairs for touch in pair])
    what = f"`{path[-1]}` under `{': '.join(path[:-1])}`" if len(path) > 1 else f"`{path[0]}`"
    message = f"{what} is changed here and in `{first.file}`"
    fix = f"keep one of the two, or let one of them build on the other: `extends: {first.file.split('/')[-1]}`"
    return Diagnostic(second.span, "house-conflict", message, _WHY, fix, (("the other change", first.span),))


def _common(paths: list[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the names with which all paths begin."""
    alike = takewhile(lambda names: len(set(names)) == 1, zip(*paths))
    return tuple(names[0] for names in alike)


def touches(layer: Layer) -> Iterator[Touch]:
    """Yield everything that a house rule changes, down to single values."""
    file = str(layer.path)
    for key, value in layer.tree:
        if key.text in OWN:
            yield from _under(value, (key.text,), key.span, file)
    if layer.change:
        yield from _under(layer.change, (), layer.change.span, file)


def _under(node: Node, path: tuple[str, ...], at: Span, file: str) -> Iterator[Touch]:
    match node:
        case Mapping() if path and is_list_change(node) and node.get(REMOVE) is None:
            yield Touch(path, at, file, adds=True)
        case Mapping():
            for key, value in node:
                if key.text == REMOVE and isinstance(value, Sequence):
                    yield from _removed(value, path, file)
                else:
                    yield from _under(value, (*path, bare_name(key.text)), key.span, file)
        case _:
            yield Touch(path, at, file, value=("is", plain(node)))


def _removed(names: Sequence, path: tuple[str, ...], file: str) -> Iterator[Touch]:
    for name in names.items:
        if isinstance(name, Scalar):
            yield Touch((*path, bare_name(name.text)), name.span, file)
        else:
            yield Touch(path, name.span, file)
