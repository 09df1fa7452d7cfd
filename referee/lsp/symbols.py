"""Every name of a rule file: what it is, its type, where it is declared."""

from __future__ import annotations

from dataclasses import dataclass

from referee.shell.markup import markdown_code, markdown_text
from rulespec import AGGREGATES, BUILTINS, DeclaredName, Rules, Span

STEP_WORDS = {
    "move": "move 2 of bead from pot to line[me]",
    "draw": "draw 3 from pot to line[me]",
    "roll": "roll die from 1..6",
    "set": "set turn to next(turn)",
    "add": "add 1 to rounds",
    "let": "let n be count(pot)",
    "score": "score rows for me",
    "do": "do deal",
    "show": "show pot to me",
    "remember": "remember board, turn",
    "tell": "tell {turn} is out",
    "ask": "ask again",
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
    member_of: str = ""  # the set that lists it
    section: str = ""  # moves, steps or scoring, if no expression can use it

    def as_markdown(self) -> str:
        where = f"\n\ndeclared at {markdown_code(str(self.span))}" if self.span else ""
        details = (
            markdown_text(self.details) if self.span else self.details
        )  # the language's own texts may contain Markdown
        return f"{markdown_code(self.written)}\n\n{self.what}{f': {details}' if details else ''}{where}"


Known = dict[
    tuple[str, str], Name
]  # by section, empty for what expressions use, and name: each section has names of its own


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


def file_names(rules: Rules, before: Known) -> Known:
    """Return the names that a rule file and all it extends declare.

    If the shape of the file is wrong, their types are those known before.
    """
    declared, typed = rules.names()
    found = {(n.section, n.name): _name(n) for n in declared}
    return found if typed else found | before


def _name(declared: DeclaredName) -> Name:
    what = f"a member of {markdown_code(declared.member_of)}" if declared.member_of else declared.what
    return Name(
        declared.name,
        what,
        declared.head,
        declared.type,
        declared.span,
        member_of=declared.member_of,
        section=declared.section,
    )
