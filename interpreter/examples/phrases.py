"""The words of worked examples: which steps are run, which moves are meant."""

from __future__ import annotations

import re

from interpreter.examples.positions import PositionReader, Wrong, fits, split_words
from interpreter.state import UnreadableMove
from rulespec.english import suggest
from rulespec.yaml.nodes import Node, Scalar

CHANCE_WORDS = ("draw", "roll")


def read_run(reader: PositionReader, node: Node | None) -> tuple[str, tuple[int, ...]]:
    """What `run` says: a procedure and its arguments. Raises Wrong."""
    if not isinstance(node, Scalar):
        return "play", ()
    procedures = reader.model.procedures
    match = re.fullmatch(r"\s*([^\s()]+)\s*(?:\((.*)\)\s*)?", node.text)
    name = match[1] if match else node.text
    if match is None or name not in procedures:
        raise Wrong(node.span, f"no steps called `{name}`{suggest(name, procedures)}")
    parameters = procedures[name].parameters
    words = list(split_words(node, match.start(2), match.end(2), r"[^,]+")) if match[2] is not None else []
    if len(words) != len(parameters):
        usage = f"{name}({', '.join(f'{p.set} {p.name}' for p in parameters)})" if parameters else name
        raise Wrong(node.span, f"expected `{usage}`, found `{node.text}`")
    return name, tuple(reader.value(w, p.type, p.name) for w, p in zip(words, parameters, strict=True))


def read_beginning(reader: PositionReader, key: Scalar, choosable: bool = True) -> list[str]:
    """The words a move begins with. They must be readable: an empty list of ends would say nothing otherwise."""
    words = key.text.split()
    name = words[0] if words else ""
    known = [*reader.model.moves, *CHANCE_WORDS]
    if name not in known:
        raise Wrong(key.span, f"no move called `{name}`{suggest(name, known)}")
    if name in reader.model.moves:
        choices = reader.model.moves[name].choices
        if len(words) - 1 > len(choices):
            usage = " ".join([name, *(c.name.upper() for c in choices)])
            raise Wrong(key.span, f"expected `{usage}` or its beginning, found `{key.text}`")
        for word, choice in zip(words[1:], choices, strict=False):
            try:
                code = reader.notation.read_value(word, choice.type, f"a value for {choice.name}")
            except UnreadableMove as error:
                raise Wrong(key.span, str(error)) from None
            if choosable and not fits(code, choice.type):
                expected = reader.notation.expected(choice.type)
                raise Wrong(key.span, f"`{word}` is not a value for {choice.name}: expected {expected}")
    return words


def read_whole_move(reader: PositionReader, node: Scalar, choosable: bool = True) -> None:
    """Looks whether a text is a move with all its words. Raises Wrong."""
    name, *words = read_beginning(reader, node, choosable)
    if name in reader.model.moves:
        try:
            reader.notation.read_args(name, words, reader.model.moves[name].choices)
        except UnreadableMove as error:
            raise Wrong(node.span, str(error)) from None
