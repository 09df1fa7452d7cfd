"""What gives local names in a rule file: loops, rolls, `let`, choices of moves and parameters, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulespec.diagnostics.diagnostic import Span
from rulespec.yaml.nodes import Mapping, Node, Scalar, Sequence, bare_name

Given = tuple[str, str, Span]  # a local name, what gives it, and where

_STEP = re.compile(r"(?:let|roll)\s+([a-z]\w*)\s+(?:be|from)\b")
_LOOP = re.compile(r"([a-z]\w*)\s+in\b")
_PARAMETER = re.compile(r"[a-z]\w*\s+([a-z]\w*)\s*[,)]")


def given_names(tree: Mapping) -> dict[str, list[tuple[str, Span]]]:
    """Return for each local name of a file all that gives it."""
    found: dict[str, list[tuple[str, Span]]] = {}
    for section in ("setup", "play", "steps", "moves"):
        for name, what, span in _given(tree.get(section), section):
            found.setdefault(name, []).append((what, span))
    return found


def _given(node: Node | None, section: str) -> Iterator[Given]:
    match node:
        case Scalar():
            if m := _STEP.match(node.text):
                yield m[1], " ".join(node.text.split()), node.span
        case Sequence():
            for item in node.items:
                yield from _given(item, section)
        case Mapping():
            for key, value in node:
                if key.text == "for each" and isinstance(value, Scalar) and (m := _LOOP.match(value.text)):
                    yield m[1], f"the steps of `for each: {' '.join(value.text.split())}`", value.span
                elif section == "moves" and isinstance(value, Mapping) and (chosen := value.get("choose")) is not None:
                    for choice, _ in chosen if isinstance(chosen, Mapping) else ():
                        yield choice.text, f"the move `{bare_name(key.text)}`", choice.span
                if section == "steps":
                    for m in _PARAMETER.finditer(key.text):
                        yield m[1], f"`{key.text}`", key.span
                yield from _given(value, section)
