"""Places of a move that are used once with an index and once without: then all of them are meant, or the index is forgotten."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulespec.diagnostics.diagnostic import Diagnostic
from rulespec.expr.names import Names
from rulespec.expr.static import Env
from rulespec.syntax import Values
from rulespec.yaml.nodes import Mapping, Node, Scalar, Sequence


def without_their_index(move: Mapping, env: Env, names: Names) -> Iterator[Diagnostic]:
    """Yield a warning for each place without its index that the same move also names with it, where only one is meant."""
    texts = [scalar for key in ("needs", "does") for scalar in _texts(move.get(key))]
    whole = "\n".join(scalar.text for scalar in texts)
    for name in names.places:
        index = ", ".join(_only(t, env) for t in names.index_types(name))
        if (
            not index
            or index.startswith(", ")
            or ", ," in index
            or f"{name}[{index}]" not in re.sub(r"\s+", " ", whole)
        ):
            continue
        asked = r"\b(?:count|empty|free)\(|" if "me" in index.split(", ") else ""  # of a board, all of it may be asked
        bare = re.compile(rf"(?:{asked}^move\b.*\bfrom )({name})(?![\w\[(.])(?!.*\bfor\b)")
        for scalar in texts:
            if m := bare.search(scalar.text):
                written = f"{name}[{index}]"
                message = (
                    f"`{name}` without an index is all of them together, and this move names `{written}` elsewhere"
                )
                edits, at = scalar.edit(*m.span(1), written, sure=False), scalar.at(*m.span(1))
                fix = f"write `{written}`"
                yield Diagnostic(at, "index-missing", message, "", fix, level="warning", edits=edits)


def _only(wanted: Values, env: Env) -> str:
    """Return the one local name of this set; nothing if there is none, or more than one."""
    found = [
        n for n, t in env.items() if isinstance(t, Values) and wanted.home and t.home == wanted.home and "." not in n
    ]
    return found[0] if len(found) == 1 else ""


def _texts(node: Node | None) -> Iterator[Scalar]:
    """Yield the conditions and steps in a part of a move, but no texts for players."""
    match node:
        case Scalar() if not node.text.startswith("tell "):
            yield node
        case Sequence():
            for item in node.items:
                yield from _texts(item)
        case Mapping():
            for key, value in node:
                if key.text not in ("else", "text") or not isinstance(value, Scalar):
                    yield from _texts(value)
