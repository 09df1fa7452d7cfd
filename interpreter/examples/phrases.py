"""The words of worked examples: which steps are run, which moves are meant."""

from __future__ import annotations

import re

from interpreter.examples.positions import PositionReader, Wrong, fits, split_words
from interpreter.state import UnreadableMove
from rulespec.english import suggest
from rulespec.yaml.nodes import Node, Scalar

CHANCE_WORDS = ("draw", "roll")
MOST_TIMES = 1000  # that one line makes a decision


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
    return _check_beginning(reader, key, key.text.split(), choosable)


def _check_beginning(reader: PositionReader, key: Scalar, words: list[str], choosable: bool) -> list[str]:
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
    _check_whole(reader, node, node.text.split(), choosable)


def read_decision(reader: PositionReader, node: Scalar) -> tuple[str, int]:
    """Return a decision and how often it is made: `draw bead`, `draw bead ×4`, `4 draw bead`. Raises Wrong."""
    words = node.text.split()
    times = 1
    if words and (before := re.fullmatch(r"([0-9]{1,4})[x×]?", words[0])):
        words, times = words[1:], int(before[1])
    elif len(words) > _length(reader, words[:1]) and (after := re.fullmatch(r"[x×]([0-9]{1,4})", words[-1])):
        words, times = words[:-1], int(after[1])  # as many words as the move has choices are its choices
    if not 1 <= times <= MOST_TIMES:
        raise Wrong(node.span, f"a decision is made 1 to {MOST_TIMES} times, found {times}")
    _check_whole(reader, node, words, choosable=True)
    return " ".join(words), times


def _length(reader: PositionReader, name: list[str]) -> int:
    """How many words a decision of that name has."""
    move = reader.model.moves.get(name[0]) if name else None
    return 1 + len(move.choices) if move else 2


def _check_whole(reader: PositionReader, node: Scalar, words: list[str], choosable: bool) -> None:
    name, *rest = _check_beginning(reader, node, words, choosable)
    if name in reader.model.moves:
        try:
            reader.notation.read_args(name, rest, reader.model.moves[name].choices)
        except UnreadableMove as error:
            raise Wrong(node.span, str(error)) from None
    elif len(rest) != 1:
        raise Wrong(node.span, f"expected `{name} VALUE`, found `{' '.join(words)}`")
    elif not (re.fullmatch(r"-?[0-9]{1,10}", rest[0]) or rest[0] in (*reader.codes, "none")):
        names = [reader.model.value_name(kind) for kind in reader.model.kinds] if name == "draw" else reader.codes
        raise Wrong(node.span, f"`{rest[0]}` is not a piece or value{suggest(rest[0], names)}")
