"""Steps as a change names them: a step by its line, a block by its first line without the colon, at any depth."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.yaml.nodes import Mapping, Node, Scalar, Sequence, bare_name

BLOCKS = ("if", "while", "for each", "ask")
HEADS = (*BLOCKS, "to")  # the parts of a block that its name is made of
LISTS = ("then", "else", "do", "otherwise")  # the parts of a block that are lists of steps
_TOKEN = re.compile(r"\w+|\.\.|!=|<=|>=|\S")
_BRACKET = re.compile(r" ?([(\[]) ?| ([)\],])")
_LONGEST_LINE = 60  # characters of a line in a message
Files = frozenset[str]


def step_lists(tree: Mapping) -> Iterator[tuple[tuple[str, ...], Sequence]]:
    """Yield the lists of steps of a rule file, each with the names on the way to it."""
    for key, value in tree:
        if isinstance(value, Sequence) and key.text in ("setup", "play"):
            yield (key.text,), value
        elif isinstance(value, Mapping) and key.text in ("steps", "moves"):
            for name, entry in value:
                path: tuple[str, ...] = (key.text, bare_name(name.text))
                if key.text == "moves" and isinstance(entry, Mapping):
                    path, entry = (*path, "does"), entry.get("does") or entry
                if isinstance(entry, Sequence):
                    yield path, entry


def is_block_name(text: str) -> bool:
    """Return whether the text begins as the first line of a block does.

    >>> is_block_name("ask p to take"), is_block_name("if"), is_block_name("do deal")
    (True, False, False)
    """
    return any(text.startswith(f"{word} ") for word in BLOCKS)


def respaced(text: str) -> str:
    """Return the text with its blanks in fixed places.

    The grammar passes over blanks and nothing else, so two texts with the same words and signs have the same syntax tree.

    >>> respaced("do deal( p,1 )") == respaced("do deal(p, 1)")
    True
    """
    return _BRACKET.sub(r"\1\2", " ".join(_TOKEN.findall(text)))


def step_names(step: Node) -> tuple[str, ...]:
    """Return what a change may call the step, the fullest name first."""
    match step:
        case Scalar():
            return (step.text,)
        case Mapping():
            for word in BLOCKS:
                if isinstance(head := step.get(word), Scalar):
                    name, to = f"{word} {head.text}", step.get("to")
                    return (f"{name} to {to.text}", name) if word == "ask" and isinstance(to, Scalar) else (name,)
    return ()


def shown(step: Node) -> str:
    """Return the step in one short line, for a message."""
    names = step_names(step)
    text = " ".join(names[0].split()) if names else "…"
    return text if len(text) <= _LONGEST_LINE else f"{text[: _LONGEST_LINE - 1]}…"


def said(node: Node) -> str:
    """Return a text that is the same for steps that say the same, however they are laid out."""
    match node:
        case Scalar():
            return respaced(node.text)
        case Sequence():
            return f"[{'; '.join(map(said, node.items))}]"
        case Mapping():
            return f"{{{'; '.join(sorted(f'{key.text}: {said(value)}' for key, value in node))}}}"


@dataclass(frozen=True, slots=True, eq=False)
class FoundStep:
    """Where a step is: in which list, at which position, how many blocks deep, and in which block."""

    steps: Sequence
    number: int
    level: int
    block: Mapping | None = None

    @property
    def step(self) -> Node:
        return self.steps.items[self.number]


class StepIndex:
    """All steps of a list at any depth, by their names; steps of the files to `ignore` are left out."""

    def __init__(self, steps: Sequence, ignore: Files = frozenset()) -> None:
        self._ignore = ignore
        self._found: dict[str, list[FoundStep]] = {}
        self._lines: dict[str, FoundStep] = {}
        for place in _places(steps, ignore):
            for line in step_names(place.step)[:1]:
                self._lines.setdefault(" ".join(line.split()), place)
            for name in {*map(respaced, step_names(place.step)), said(place.step)}:
                self._found.setdefault(name, []).append(place)

    def find(self, address: Node) -> list[FoundStep]:
        """Return the steps of that name on the first level that has any: the top, then one block deeper, and so on."""
        found = self._found.get(said(address), [])
        return [place for place in found if place.level == found[0].level]

    def lines(self) -> dict[str, FoundStep]:
        """Return the steps by their lines, the upper ones first."""
        return self._lines


def _places(steps: Sequence, ignore: Files) -> Iterator[FoundStep]:
    level, lists = 0, list[tuple[Sequence, Mapping | None]]([(steps, None)])
    while lists:
        inside: list[tuple[Sequence, Mapping | None]] = []
        for items, block in lists:
            for number, item in enumerate(items.items):
                if item.span.file in ignore:
                    continue
                yield FoundStep(items, number, level, block)
                if isinstance(item, Mapping):
                    inside += [(part, item) for key in LISTS if isinstance(part := item.get(key), Sequence)]
        level, lists = level + 1, inside
