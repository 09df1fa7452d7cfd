"""Names that a rule file can use from the files below it: entries, options, choices."""

from __future__ import annotations

from pathlib import Path as File

from referee.lsp.analysis import Analysis, piece_at
from referee.lsp.symbols import Name
from referee.lsp.written import Path, Role, bodies, entries_at
from rulespec import Files, RuleFileError, nodes, read_source

ENTRIES = {  # the path of a map, `*` for any name → what its entries are
    ("moves", "*", "needs"): "a condition",
    ("moves", "*", "choose"): "what the player chooses",
    ("places", "*", "ways"): "a way",
    ("winner",): "a reason to win",
    ("pieces",): "pieces",
    ("examples",): "an example",
    ("options",): "an option",
    ("options", "*"): "a choice",
    ("view", "layout"): "how it is drawn",
}


def read_below(paths: tuple[File, ...], own: File, files: Files) -> tuple[nodes.Mapping, ...]:
    """Return the trees of the files that a document extends, as far as they can be read, the bottom one first.

    INVARIANT: a file that is not a rule file is private, and nothing in it is ever shown.
    """
    found = []
    for path in paths:
        if path == own:
            continue
        try:
            tree = read_source(path, files.read(path))
        except RuleFileError:
            continue
        if tree.get("rulespec") is not None:
            found.append(tree)
    return tuple(found)


def trees_under(found: Analysis, path: Path) -> list[nodes.Mapping]:
    """Return the files that are changed at a path: those below, and the document itself where its own option changes it."""
    return found.trees if path[:1] == ("options",) else [*found.below]


def entry_name(path: Path, entry: nodes.Entry) -> Name:
    """Return an entry of a map as a name that can be shown."""
    what = next((what for pattern, what in ENTRIES.items() if _fits(path, pattern)), "an entry")
    value = entry.value
    if isinstance(value, nodes.Mapping):
        value = value.get("that") or value.get("afterwards") or value.get("text") or value
    details = value.text if isinstance(value, nodes.Scalar) else ""
    return Name(nodes.bare_name(entry.key.text), what, entry.key.text, details, entry.key.span)


def _fits(path: Path, pattern: Path) -> bool:
    return len(path) == len(pattern) and all(p in ("*", name) for name, p in zip(path, pattern, strict=True))


def items_at(trees: list[nodes.Mapping], path: Path) -> list[str]:
    """Return the items of the lists that files have at a path."""
    found: dict[str, None] = {}
    for tree in trees:
        for body in bodies(tree):
            node: nodes.Node | None = body
            for name in path:
                node = node.get(name) if isinstance(node, nodes.Mapping) else None
            items = node.items if isinstance(node, nodes.Sequence) else ()
            found |= dict.fromkeys(item.text for item in items if isinstance(item, nodes.Scalar))
    return list(found)


def options_of(found: Analysis) -> list[Name]:
    """Return the options of a document and the files it extends."""
    return [entry_name(("options",), entry) for entry in entries_at(found.trees, ("options",)).values()]


def choices_of(found: Analysis, option: str) -> list[Name]:
    choices = entries_at(found.trees, ("options", option))
    return [entry_name(("options", option), entry) for name, entry in choices.items() if name != "see"]


def named_entry(found: Analysis, line: int, column: int) -> Name | None:
    """Return the entry of the files below, or the option or choice, that is named at a position."""
    piece = piece_at(found, line, column)
    if piece is None:
        return None
    text, above = piece.scalar.text, piece.path[:-1]
    match piece.role:
        case Role.OPTION:
            return next((name for name in options_of(found) if name.name == text), None)
        case Role.PICKED:
            option = above[1] if above[:1] == ("options",) and piece.is_key else piece.path[-1]
            if option == "-":
                option = piece.path[-2]
            return next((name for name in choices_of(found, option) if name.name == text), None)
    if not piece.is_key and piece.path[-2:] == ("remove", "-"):
        above = piece.path[:-2]
    elif not piece.is_key:
        return None
    entry = entries_at([*found.below], above).get(nodes.bare_name(text)) if above else None
    return entry_name(above, entry) if entry is not None else None
