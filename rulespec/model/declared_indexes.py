"""Declarations whose indexes do not fit any of their uses: there the mistake is, and not at each use."""

from __future__ import annotations

from rulespec.diagnostics.diagnostic import Diagnostic, edit
from rulespec.english import number_of
from rulespec.expr.names import INDEXED, Names
from rulespec.syntax import Type, Values


def misindexed_declarations(found: list[Diagnostic], names: Names) -> list[Diagnostic]:
    """Return the same, but a name that is nowhere used with the indexes it is declared with is wrong where it is declared."""
    by_name: dict[str, list[Diagnostic]] = {}
    for d in found:
        if d.code in ("index-count", "index-base") and d.about[0] == INDEXED and names.is_held(d.about[1]):
            by_name.setdefault(d.about[1], []).append(d)
    result = list(found)
    for name, complaints in by_name.items():
        if (blamed := _blamed(name, complaints, names)) is not None:
            result = [d for d in result if d not in complaints]
            result.append(blamed)
    return sorted(result)


def _blamed(name: str, complaints: list[Diagnostic], names: Names) -> Diagnostic | None:
    """Return the complaint at the declaration; None if some use fits it."""
    _, at = names.declared[name]
    declared, given = names.index_types(name), names.given.get(name, [])
    also = tuple(("used here", d.span) for d in complaints[:2])
    head = names.head(name)
    parts = names.sets[declared[0].home].parts if len(declared) == 1 and declared[0].home in names.sets else ()
    if parts and any(tuple(_home(t, names) for t in types) == parts for types in given):
        meant = f"{name}[{', '.join(parts)}]"
        message = f"`{name}` is declared with one index, and used with the two parts of a pair"
        why = f"with both parts as indexes, a `{declared[0].home}` can stand for the two"
        fix, edits = f"write `{meant}`", edit(at, head, meant, sure=False)
        return Diagnostic(at, "index-count", message, why, fix, also, edits=edits)
    counts = {len(types) for types in given}
    if name in names.bare or len(counts) != 1 or counts == {len(declared)}:
        return None
    table = names.tables.get(name)
    if len(given) < 2 and not (table is not None and any(isinstance(cell, tuple) for cell in table.entries)):
        return None  # one use may as well be wrong as the declaration
    count = counts.pop()
    homes = [{_home(types[number], names) for types in given} - {""} for number in range(count)]
    sets = [home.pop() if len(home) == 1 else "" for home in homes]
    message = f"`{name}` is declared with {number_of(len(declared), 'index')}, and used with {number_of(count, 'index')} everywhere"
    if not all(sets):
        return Diagnostic(at, "index-count", message, "", f"declare it with {number_of(count, 'index')}", also)
    meant = f"{name}[{', '.join(sets)}]"
    return Diagnostic(at, "index-count", message, "", f"write `{meant}`", also, edits=edit(at, head, meant, sure=False))


def _home(t: Type, names: Names) -> str:
    """Return the set that an index comes from; nothing if that is not known."""
    if not isinstance(t, Values):
        return ""
    return t.home or names.home(tuple(t.members)) if t.members else t.home
