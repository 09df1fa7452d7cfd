"""The key to a program: what its made names mean, in the author's words. It is printed, never run.

INVARIANT: nothing of an author's is in a program. The author's names, titles and texts stay on this side.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.compile.program import Ask, Draw, EntryPoint, Program
from interpreter.layout import Layout
from rulespec.diagnostics.diagnostic import Span, shown_file
from rulespec.syntax import Model


def key(model: Model, layout: Layout, program: Program) -> list[str]:
    """Return the key to a program, line by line, fit for comments of any language."""
    return [_printable(line).rstrip() for line in _lines(model, layout, program)]


def _lines(model: Model, layout: Layout, program: Program) -> Iterator[str]:
    yield f"{model.title}, {model.players} players" + "".join(f", {k}: {v}" for k, v in model.choices.items())
    yield "S is the state: a list of numbers. X is the run: random numbers, decisions, points."
    yield ""
    for name, place in layout.places.items():
        yield f"S[{place.base}:{place.end}]  {place.place.shape} {name}, {place.width} slots each"
    for name, variable in layout.variables.items():
        yield f"S[{variable.base}:{variable.base + len(variable.variable.starts)}]  {name}"
    yield from (f"S[{slot}]  {what}" for slot, what in layout.frames.items())
    yield from (f"{code} = {name}" for code, name in model.member_names.items())
    yield from (f"move {i} = {name}" for i, name in enumerate(model.moves))
    yield from (f"rule {i} = {name}" for i, name in enumerate(model.rules))
    yield ""
    for f in program.functions:
        yield f"f{f.number}  {f.role}{_at(f.span)}"
    for name, entry in program.entries.items():
        yield f"{_first(entry)}  begins {name}"
    for number, d in program.decisions.items():
        kind = "ask" if isinstance(d, Ask) else "draw" if isinstance(d, Draw) else "roll"
        yield f"b{number}  {kind}{_at(d.span)}"
    yield from (f"fault {i}  {entry.message}{_at(entry.span)}" for i, entry in enumerate(program.faults))


def _first(entry: EntryPoint) -> str:
    return f"b{entry.block}" if entry.function is None else f"f{entry.function}"


def _at(span: Span | None) -> str:
    return "" if span is None else f"  {shown_file(span.file)}:{span.line}"


def _printable(text: str) -> str:
    """Return a text in one line, without characters that a terminal or a compiler would act on."""
    return "".join(c if c.isprintable() else " " for c in text).replace("*/", "* /")
