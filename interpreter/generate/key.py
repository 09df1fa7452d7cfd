"""The key to a program: what its made names stand for, in the author's words. It is printed, never run.

INVARIANT: nothing of an author's is in a program. Names in it are made here, from numbers; the author's names, titles
and texts stay on this side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from interpreter.layout import Layout
from rulespec.model.model import Model


@dataclass(slots=True)
class Key:
    """What the functions of a program do, and whose the local names of each are."""

    functions: dict[str, str] = field(default_factory=dict)
    locals: dict[str, dict[str, str]] = field(default_factory=dict)  # function → its name → the author's
    tables: dict[str, str] = field(default_factory=dict)

    def note(self, function: str, made: str, name: str) -> None:
        """`made` stands for the author's `name` in a function."""
        self.locals.setdefault(function, {})[made] = name

    def lines(self) -> Iterator[str]:
        for function in {**self.functions, **self.locals}:
            names = ", ".join(f"{made} = {name}" for made, name in self.locals.get(function, {}).items())
            yield "  ".join(filter(None, (function, self.functions.get(function, ""), names)))
        yield from (f"{made}  table {name}" for made, name in self.tables.items())


def parameter_names(names: Iterable[str]) -> dict[str, str]:
    """What parameters are called in a program: `_0`, `_1`, … by their number, and `me`."""
    return {name: name if name == "me" else f"_{i}" for i, name in enumerate(names)}


def printed_key(model: Model, layout: Layout, key: Key) -> list[str]:
    """The key to a program as comment lines, for people who read it."""
    lines = [f"{model.title}, {model.players} players" + "".join(f", {k}: {v}" for k, v in model.choices.items())]
    lines += ["S is the state: a list of numbers. X is the run: random numbers, decisions, points.", ""]
    for name, place in layout.places.items():
        lines.append(f"S[{place.base}:{place.end}]  {place.place.shape} {name}, {place.width} slots each")
    for name, variable in layout.variables.items():
        lines.append(f"S[{variable.base}:{variable.base + len(variable.variable.starts)}]  {name}")
    lines += [f"S[{slot}]  {what}" for slot, what in layout.frames.items()]
    lines += [f"{code} = {name}" for code, name in model.member_names.items()]
    lines += ["", *key.lines()]
    return [f"# {_printable(line)}".rstrip() for line in lines]


def _printable(text: str) -> str:
    """A text in one line, without characters that a terminal or a compiler would act on."""
    return "".join(c if c.isprintable() else " " for c in text)
