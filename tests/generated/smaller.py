"""A rule file that shows a fault, made as small as it can be: entries and steps go, expressions shrink to their parts.

It works on the data of any rule file, however it came about, and keeps a change if the file still shows the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from rulespec.diagnostics.diagnostic import Span
from rulespec.expr.parse import Syntax, SyntaxProblem, parse
from rulespec.yaml.nodes import Scalar

Tree = Any
Path = tuple[Any, ...]
Shows = Callable[[Tree], bool]  # whether a file still shows what is looked for

ENTRIES = ("step", "expr", "choice", "binding", "ask", "pieces", "set")
BODIES = ("then", "else", "do", "otherwise")
PLAIN = ("1", "0", "true", "none", "lid", "pass")


def smaller(tree: Tree, shows: Shows, most: int = 2000) -> Tree:
    """Return the smallest file found within so many tries."""
    tries = 0

    def good(candidate: Tree) -> bool:
        nonlocal tries
        tries += 1
        return tries <= most and shows(candidate)

    before = None
    while tree != before and tries <= most:
        before = tree
        for change in (without_halves, without, unwrapped, simpler):
            tree = _all(tree, change, good)
    return tree


def _all(tree: Tree, change: Callable[[Tree], Iterator[Tree]], good: Shows) -> Tree:
    """Make all changes of one kind that keep what is shown; what did not help is not tried again."""
    skip = 0
    while True:
        for number, candidate in enumerate(change(tree)):
            if number >= skip and good(candidate):
                tree, skip = candidate, number
                break
        else:
            return tree


def without_halves(tree: Tree) -> Iterator[Tree]:
    """Yield the file without one half of the entries of something, the largest first."""
    for path in sorted(_paths(tree), key=lambda p: -len(str(_at(tree, p)))):
        inner = _at(tree, path)
        if isinstance(inner, dict | list) and len(inner) > 2:
            keys = list(inner) if isinstance(inner, dict) else list(range(len(inner)))
            for half in (keys[len(keys) // 2 :], keys[: len(keys) // 2]):
                candidate = deepcopy(tree)
                for key in reversed(half):
                    del _at(candidate, path)[key]
                yield candidate


def without(tree: Tree) -> Iterator[Tree]:
    """Yield the file without one entry or item each, whole sections first."""
    for path in sorted(_paths(tree), key=len):
        yield _removed(tree, path)


def unwrapped(tree: Tree) -> Iterator[Tree]:
    """Yield the file with the steps inside a step instead of it, and with one item instead of a list."""
    for path in _paths(tree):
        step = _at(tree, path)
        if isinstance(step, dict) and path and isinstance(path[-1], int):
            for body in BODIES:
                if isinstance(step.get(body), list):
                    candidate = deepcopy(tree)
                    _at(candidate, path[:-1])[path[-1] : path[-1] + 1] = deepcopy(step[body])
                    yield candidate


def simpler(tree: Tree) -> Iterator[Tree]:
    """Yield the file with one expression replaced by a part of it, or by something plain."""
    for path in _paths(tree):
        text = _at(tree, path)
        if isinstance(text, str):
            for shorter in simpler_texts(text):
                candidate = deepcopy(tree)
                _at(candidate, path[:-1])[path[-1]] = shorter
                yield candidate


def simpler_texts(text: str) -> Iterator[str]:
    """Texts with one node of the syntax tree replaced by a part of it."""
    seen = {text}
    for node in (n for root in _roots(text) for n in _nodes(root)):
        words = text[node.start : node.end]
        parts = [text[p.start : p.end] for p in _nodes(node)][1:]
        for part in (*sorted(parts, key=len), *PLAIN):
            found = f"{text[: node.start]}{part}{text[node.end :]}"
            if len(part) < len(words) and found not in seen:
                seen.add(found)
                yield found


def _roots(text: str) -> Iterator[Syntax]:
    scalar = Scalar(Span("", 1, 1, 1, 1), text, text)
    for entry in ENTRIES:
        try:
            yield parse(scalar, entry).root
            return
        except SyntaxProblem:
            continue


def _nodes(node: Syntax) -> Iterator[Syntax]:
    """Yield a node and all inside it, the outer ones first."""
    if node.end > node.start:
        yield node
    for part in node.parts:
        if isinstance(part, Syntax):
            yield from _nodes(part)


def _paths(tree: Tree, path: Path = ()) -> Iterator[Path]:
    """Yield where everything is, the later entries first: they use the earlier ones."""
    if path:
        yield path
    if isinstance(tree, dict):
        for key in reversed(list(tree)):
            yield from _paths(tree[key], (*path, key))
    elif isinstance(tree, list):
        for i in reversed(range(len(tree))):
            yield from _paths(tree[i], (*path, i))


def _at(tree: Tree, path: Path) -> Tree:
    for key in path:
        tree = tree[key]
    return tree


def _removed(tree: Tree, path: Path) -> Tree:
    candidate = deepcopy(tree)
    del _at(candidate, path[:-1])[path[-1]]
    return candidate
