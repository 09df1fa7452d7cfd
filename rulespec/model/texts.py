"""Oddities of a text that can be read: values without braces, and words that say to whom it is told."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulespec.diagnostics.diagnostic import Diagnostic
from rulespec.expr.infer import Inference
from rulespec.expr.names import Names
from rulespec.expr.static import Env
from rulespec.syntax import Expr, ListOf, Values
from rulespec.yaml.nodes import Scalar

_WHY = "in a text, only `{…}` is replaced"
_SIGNS = re.compile(r"(?<!\w)(?:\[([a-z]\w*)\]|<([a-z]\w*)>|[$%]([a-z]\w*)\b|\$\(([a-z]\w*)\))")
_INDEXED = re.compile(r"\b([a-z]\w*)\[([a-z]\w*(?:\s*,\s*[a-z]\w*)*)\]")
_CALLED = re.compile(r"(?:(?<!\w)[$%@])?\b([a-z]\w*)\(([a-z]\w*(?:\s*,\s*[a-z]\w*)*)\)")
_TOLD = re.compile(r"(everyone|everybody|all players|each player|(?:\{\s*)?[a-z]\w*(?:\s*\})?)(\s+that\b|:)\s+")
_ALL = ("everyone", "everybody", "all players", "each player")


def odd_values(scalar: Scalar, start: int, env: Env, names: Names) -> Iterator[Diagnostic]:
    """Yield warnings of values that are written without braces, or in those of another language."""
    holes = [m.span() for m in re.finditer(r"\{[^{}]*\}", scalar.text)]
    found = [(m, next(filter(None, m.groups()))) for m in _SIGNS.finditer(scalar.text, start)]
    odd = [(m, word) for m, word in found if word in env]
    for m in _INDEXED.finditer(scalar.text, start):
        if names.is_indexed(m[1]) and m[1] not in names.places and all(n.strip() in env for n in m[2].split(",")):
            odd.append((m, m[0]))
    for m in _CALLED.finditer(scalar.text, start):
        if names.function(m[1]) is not None and all(n.strip() in env for n in m[2].split(",")):
            odd.append((m, m[0].lstrip("$%@")))
    for m, word in sorted(odd, key=lambda each: each[0].start()):
        if any(begin <= m.start() < end for begin, end in holes):
            continue
        message, edits = f"`{m[0]}` is shown as it stands", scalar.edit(*m.span(), f"{{{word}}}", sure=False)
        at = scalar.at(*m.span())
        yield Diagnostic(at, "text-sign", message, _WHY, f"write `{{{word}}}`", level="warning", edits=edits)


def whole_set(inference: Inference, e: Expr) -> Diagnostic | None:
    """Return a warning of a hole that shows a whole set where there is one name here for a member of it."""
    root = inference.fragment.root
    name = root.parts[0] if root.kind == "name" else ""
    meant = inference.one_of(e.type.item, inference.env, stored=False) if isinstance(e.type, ListOf) else ""
    if name not in inference.names.sets or name in inference.env or not meant:
        return None
    message, why = f"this shows all of `{name}`", f"`{name}` is the whole set, not one of its members"
    edits = inference.write(root, meant)
    return Diagnostic(inference.span(), "text-hole", message, why, f"write `{meant}`", level="warning", edits=edits)


def odd_telling(scalar: Scalar, start: int, env: Env, names: Names) -> Iterator[Diagnostic]:
    """Yield a warning of a text to be told that begins with whom to tell it."""
    m = _TOLD.match(scalar.text, start)
    word = m[1].strip("{} ") if m else ""
    variable = names.variables.get(word)
    known = env.get(word) or (variable.type if variable is not None and not variable.index else None)
    if m is None or not (word in _ALL or (isinstance(known, Values) and known.home == "player")):
        return
    words = scalar.text[m.start() : m.end()].strip()
    why = "what is told, everybody is told; one player is shown a place: `show PLACE to PLAYER`"
    at, edits = scalar.at(m.start(), m.start() + len(words)), scalar.edit(m.start(), m.end(), "", sure=False)
    message = f"`{words}` is part of the text"
    yield Diagnostic(at, "text-sign", message, why, "leave it out", level="warning", edits=edits)
