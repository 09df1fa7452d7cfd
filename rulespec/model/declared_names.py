"""Every name that rules declare, with what editors show of it, even while the file has mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulespec.diagnostics.diagnostic import Span
from rulespec.english import first_few
from rulespec.expr.names import ACTS, Names
from rulespec.model.builder import Builder
from rulespec.syntax import Unknown
from rulespec.yaml.nodes import Mapping, Scalar, Sequence, bare_name

MOST_LISTED = 12  # values of a set or kinds of a place
SECTIONS = {
    "sets": "a set",
    "tables": "a table",
    "places": "a place",
    "variables": "a variable",
    "define": "a function",
    **ACTS,
}


@dataclass(frozen=True, slots=True)
class DeclaredName:
    """A name of a rule file: `what` it names, its `head` as written, its type in words."""

    name: str
    what: str  # a place, a set, a move, …
    head: str  # with indexes or parameters
    type: str  # empty where it has none, or none is known
    span: Span
    member_of: str = ""  # the set that lists it
    section: str = ""  # moves, steps or scoring, if no expression can use it: names are one thing in each


def names_of(tree: Mapping, players: int) -> Names:
    """Return the names of a merged tree of the right shape; mistakes inside are passed over."""
    builder = Builder(tree, players, lambda d: None)
    builder.build({}, "")
    return builder.names


def typed_names(tree: Mapping, names: Names) -> list[DeclaredName]:
    """Return the names of a merged tree of the right shape, with their types."""
    homes: dict[str, str] = {}
    for home, item in _members(tree):
        homes.setdefault(item.text, home.text)
    found = [
        DeclaredName(
            name,
            what,
            names.heads.get(name, name),
            _type(names, name),
            span,
            homes.get(name, "") if name in names.members else "",
        )
        for name, (what, span) in names.declared.items()
    ]
    acts = (DeclaredName(name, ACTS[s], key.text, "", key.span, section=s) for (s, name), key in names.acts.items())
    return [*found, *acts]


def written_names(tree: Mapping) -> list[DeclaredName]:
    """Return the names under the sections of any tree, without types."""
    found = {}
    for section, what in SECTIONS.items():
        node = tree.get(section)
        own = section if section in ACTS else ""
        for key, _ in node if isinstance(node, Mapping) else ():
            name = bare_name(key.text)
            found[own, name] = DeclaredName(name, what, key.text, "", key.span, section=own)
    for home, item in _members(tree):
        found.setdefault(("", item.text), DeclaredName(item.text, "a member", item.text, "", item.span, home.text))
    return [*found.values()]


def _members(tree: Mapping) -> Iterator[tuple[Scalar, Scalar]]:
    """Yield the members that are listed under `sets`, each with its set."""
    sets = tree.get("sets")
    for key, value in sets if isinstance(sets, Mapping) else ():
        for item in value.items if isinstance(value, Sequence) else ():
            if isinstance(item, Scalar):
                yield key, item


def _type(names: Names, name: str) -> str:
    if name in names.sets:
        values = [names.value_name(code) for code in names.sets[name].values]
        return first_few(values, MOST_LISTED)
    if name in names.places:
        place = names.places[name]
        kinds = first_few([names.value_name(code) for code in place.kinds], MOST_LISTED)
        rooms = sorted(set(place.rooms))
        to = f" to {rooms[-1]}" if len(rooms) > 1 else ""
        room = f", room for {rooms[0]}{to}" if rooms and rooms[0] != -1 else ""
        return f"a {place.shape} of {kinds}{room}"
    owner = names.variables.get(name) or names.tables.get(name)
    if owner is not None:
        return names.describe_type(owner.type)
    if name in names.functions:
        t = names.functions[name].body.type
        return "" if isinstance(t, Unknown) else names.describe_type(t)
    return ""
