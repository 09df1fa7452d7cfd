"""Every name of a rule file: what it is, its type, where it is declared."""

from __future__ import annotations

import re
from dataclasses import dataclass

from referee.shell.markup import markdown_code, markdown_text
from rulespec import AGGREGATES, BUILTINS, KEYWORDS, DeclaredName, Rules, Span, nodes

STEP_WORDS = {
    "move": "move 2 of bead from pot to line[me]",
    "draw": "draw 3 from pot to line[me]",
    "roll": "roll die from 1..6",
    "set": "set turn to next(turn)",
    "add": "add 1 to rounds",
    "let": "let n be count(pot)",
    "score": "score rows for me",
    "do": "do deal",
}
FIXED = {
    "players": ("a number", "how many play"),
    "me": ("a player", "the player who decides, scores or is ranked"),
    "player": ("a set", "the players, `1..players`"),
    "none": ("a value", "what is not there: the piece on an empty cell, the first of nothing"),
    "true": ("a condition", "yes"),
    "false": ("a condition", "no"),
    "number": ("a type", "any number, for a parameter"),
    "yes_no": ("a type", "a condition, for a variable or a parameter"),
}


@dataclass(frozen=True, slots=True)
class Name:
    """The meaning of one name."""

    name: str
    what: str  # a place, a set, a built-in, …
    written: str  # as declared, with indexes or parameters; for a built-in, how to use it
    details: str = ""  # its type, its members, what it gives
    span: Span | None = None
    builtin: bool = False

    def as_markdown(self) -> str:
        where = f"\n\ndeclared at {markdown_code(str(self.span))}" if self.span else ""
        details = (
            markdown_text(self.details) if self.span else self.details
        )  # the language's own texts may contain Markdown
        return f"{markdown_code(self.written)}\n\n{self.what}{f': {details}' if details else ''}{where}"


def builtin_names() -> dict[str, Name]:
    """Return the names of the language itself."""
    found = {n: Name(n, what, n, details) for n, (what, details) in FIXED.items()}
    for name, gives in AGGREGATES.items():
        found[name] = Name(name, "a built-in that gathers", f"{name}(… for x in …)", gives, builtin=True)
    for name, builtin in BUILTINS.items():
        both = f"; {AGGREGATES[name]} for `{name}(… for x in …)`" if name in AGGREGATES else ""
        found[name] = Name(name, "a built-in", builtin.usage, builtin.gives + both, builtin=True)
    usage = "group(x from cell along ways where condition)"
    found["group"] = Name("group", "a built-in", usage, "connected cells", builtin=True)
    return found


def file_names(rules: Rules, before: dict[str, Name]) -> dict[str, Name]:
    """Return the names that a rule file and all it extends declare.

    If the shape of the file is wrong, their types are those known before.
    """
    declared, typed = rules.names()
    found = {name: _name(n) for name, n in declared.items()}
    return found if typed else found | before


def _name(declared: DeclaredName) -> Name:
    what = f"a member of {markdown_code(declared.member_of)}" if declared.member_of else declared.what
    return Name(declared.name, what, declared.head, declared.type, declared.span)


# Names that are known in one entry only -----------------------------------------------------------------------

_PARAMETER = re.compile(r"\b([a-z][a-z0-9_]*) ([a-z][a-z0-9_]*)(?=[,)])")
_LOCAL = re.compile(
    r"\b(let|roll) ([a-z][a-z0-9_]*) (?:be|from) (.*)|\b([a-z][a-z0-9_]*) in ([^,)]*)|group\(([a-z]\w*) from"
)


def local_names(tree: nodes.Mapping, line: int) -> dict[str, Name]:
    """Return the parameters, choices and other local names of the entry at a line."""
    entry = _entry_at(tree, line)
    if entry is None:
        return {}
    found: dict[str, Name] = {}
    for home, name in _PARAMETER.findall(entry.key.text):
        at = entry.key.text.index(f"{home} {name}") + len(home) + 1
        found[name] = Name(name, "a parameter", name, f"a {home}", entry.key.at(at, at + len(name)))
    choose = entry.value.get("choose") if isinstance(entry.value, nodes.Mapping) else None
    for key, value in choose if isinstance(choose, nodes.Mapping) else ():
        details = value.text if isinstance(value, nodes.Scalar) else "one of a list"
        found[key.text] = Name(key.text, "what the player chooses", key.text, details, key.span)
    for above, scalar in _lines(entry.key.text, entry.value):
        for m in _LOCAL.finditer(scalar.text):
            name, details = (m[2], m[3]) if m[1] else (m[4], m[5]) if m[4] else (m[6], "a cell")
            bound = (
                m[1] or m[6] or above == "for each" or f"for {name} in" in scalar.text or f", {name} in" in scalar.text
            )
            if name not in KEYWORDS and bound:
                at = scalar.text.index(name, m.start())
                found.setdefault(name, Name(name, "a local name", name, details.strip(), scalar.at(at, at + len(name))))
    return found


def _lines(key: str, node: nodes.Node) -> list[tuple[str, nodes.Scalar]]:
    """Yield all scalars under a node, each with its key."""
    match node:
        case nodes.Scalar():
            return [(key, node)]
        case nodes.Sequence():
            return [pair for item in node.items for pair in _lines(key, item)]
        case nodes.Mapping():
            return [pair for k, value in node for pair in _lines(k.text, value)]


def _entry_at(tree: nodes.Mapping, line: int) -> nodes.Entry | None:
    """Return the entry of a section, at any depth of `change:`, that contains a line."""
    for entry in tree.entries:
        value = entry.value
        if (
            not isinstance(value, nodes.Mapping | nodes.Sequence)
            or not entry.key.span.line <= line <= value.span.end_line
        ):
            continue
        if entry.key.text in ("steps", "moves", "define", "scoring") and isinstance(value, nodes.Mapping):
            return next((e for e in value.entries if e.key.span.line <= line <= e.value.span.end_line), None)
        if isinstance(value, nodes.Mapping):
            return _entry_at(value, line)
        return entry  # setup, play
    return None
