"""Code lenses: what can be run from where it is written."""

from __future__ import annotations

from dataclasses import dataclass

from referee.lsp import texts
from referee.lsp.analysis import Analysis
from rulespec import is_clean, nodes

RUN_EXAMPLE = "rulespec.runExample"
RUN_EXAMPLES = "rulespec.runExamples"
PLAY = "rulespec.play"


@dataclass(frozen=True, slots=True)
class Lens:
    """A line, from 1, with what is written above it and the command that does it, with the names of examples."""

    line: int
    title: str
    command: str
    names: tuple[str, ...] = ()


def lenses(found: Analysis) -> list[Lens]:
    """Return one for the file, one for all its examples, and one for each."""
    tree = found.tree
    if tree is None or not tree.entries:
        return []
    out = [Lens(tree.entries[0].key.span.line, texts.LENS_PLAY, PLAY)]
    entry = tree.entry("examples")
    if entry is not None and isinstance(entry.value, nodes.Mapping):
        out.append(Lens(entry.key.span.line, texts.LENS_EXAMPLES, RUN_EXAMPLES))
        out += [
            Lens(key.span.line, texts.LENS_EXAMPLE, RUN_EXAMPLE, (key.text,))
            for key, _ in entry.value
            if is_clean(key.text)
        ]
    return out
