"""Names that mean two things: local names that hide declared ones, and moves, steps and scoring rules called like something else.

A file means the same after it as before, if hiding works: a local name gets only a name that its entry does not use.
"""

from __future__ import annotations

import re
from random import Random
from typing import Any

ENTRIES = ("define", "steps", "moves", "scoring", "winner")  # sections of which each entry has local names of its own
WHOLE = ("setup", "play")
ACTS = ("steps", "moves", "scoring")
VALUES = ("sets", "tables", "places", "variables", "define")
HIDING = 0.3  # of local names
SHARED = 0.25  # of moves, steps and scoring rules
_WORD = re.compile(r"\w+")
_LOCAL = re.compile(r"x\d+")
_NUMBERED = re.compile(r"(?:act|phase|reason)_\d+")


def shadowed(tree: dict[str, Any], rng: Random) -> dict[str, Any]:
    """Return the same rule file with other names, some of which hide others."""
    found = dict(tree)
    declared = _declared(tree)
    for section in ENTRIES:
        if section in found:
            entries = (_hidden({head: entry}, declared, rng) for head, entry in found[section].items())
            found[section] = {head: entry for one in entries for head, entry in one.items()}
    for section in WHOLE:
        if section in found:
            found[section] = _hidden(found[section], declared, rng)
    acts = {section: [_WORD.findall(head)[0] for head in found.get(section, ())] for section in ACTS}
    renamed: dict[str, str] = {}
    for names in acts.values():
        others = sorted({*declared, *(name for other in ACTS for name in acts[other])} - {*names})
        for name in names:
            if _NUMBERED.fullmatch(name) and others and rng.random() < SHARED:
                renamed[name] = others.pop(rng.randrange(len(others)))
    return {section: _renamed(entry, renamed) for section, entry in found.items()}


def _declared(tree: dict[str, Any]) -> list[str]:
    """Return what expressions can name: declared names and members."""
    names = {_WORD.findall(head)[0] for section in VALUES for head in tree.get(section, ())}
    for members in tree.get("sets", {}).values():
        names |= {m for m in members if isinstance(m, str)} if isinstance(members, list) else set()
    return sorted(names)


def _hidden(entry: Any, declared: list[str], rng: Random) -> Any:
    """Return an entry whose local names hide what it does not use."""
    words = set(_WORD.findall(str(entry)))
    free = [name for name in declared if name not in words]
    renamed: dict[str, str] = {}
    for name in sorted(word for word in words if _LOCAL.fullmatch(word)):
        if free and rng.random() < HIDING:
            renamed[name] = free.pop(rng.randrange(len(free)))
    return _renamed(entry, renamed)


def _renamed(node: Any, names: dict[str, str]) -> Any:
    match node:
        case str():
            return _WORD.sub(lambda m: names.get(m[0], m[0]), node)
        case list():
            return [_renamed(item, names) for item in node]
        case dict():
            return {_renamed(key, names): _renamed(value, names) for key, value in node.items()}
    return node
