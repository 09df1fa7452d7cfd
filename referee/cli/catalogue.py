"""A quick list of the shipped games: titles, players, options. It reads only the keys that it needs.

The full reader keeps positions and finds every mistake, and takes its time. Here a file is split at its top-level keys,
and only those that a list shows are read. Files that cannot be read this way go through the full reader.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulespec import shipped_games

_TOP_KEY = re.compile(r"^([a-z]+) *:", re.MULTILINE)
_SHOWN = frozenset({"game", "text", "players", "extends", "with", "options"})
_PLAYERS = re.compile(r"\s*([0-9]+)(?:\s*\.\.\s*([0-9]+))?\s*")


@dataclass(frozen=True, slots=True)
class OptionEntry:
    name: str
    default: str
    choices: tuple[tuple[str, str], ...]  # (name, text)

    def as_data(self) -> dict[str, object]:
        choices = [{"name": name, "text": text} for name, text in self.choices]
        return {"name": self.name, "default": self.default, "choices": choices}


@dataclass(frozen=True, slots=True)
class GameEntry:
    """An entry in the list of games. An option that the file fixes has only that choice."""

    name: str
    title: str
    players: tuple[int, ...]
    options: tuple[OptionEntry, ...]
    text: str = ""
    below: str = ""  # the game that this is a house rule for
    own: tuple[str, ...] = ()  # the options that the file adds or fixes

    def as_data(self) -> dict[str, object]:
        options = [option.as_data() for option in self.options]
        return {"name": self.name, "title": self.title, "players": list(self.players), "options": options}


class _NotSimple(Exception):
    """This file needs the full reader."""


def list_games() -> list[GameEntry]:
    """Return all shipped games that can be read; `rulespec validate` says what is wrong with the others."""
    games = shipped_games()
    found = []
    for name, path in games.items():
        entry = _quick_entry(name, path, games) or whole_entry(name, path)
        if entry is not None:
            found.append(entry)
    return found


def whole_entry(name: str, path: Path) -> GameEntry | None:
    """Return the entry of a file by the full reader; None if the file cannot be read."""
    from rulespec import RuleFileError, open_rules

    try:
        rules = open_rules(path)
        options = []
        for option in rules.options:
            choices = tuple((c.name, c.text) for c in option.choices if c.name in option.open_choices)
            options.append(OptionEntry(option.name, option.default, choices))
        files = rules.files
        below = files[0].path.stem if len(files) > 1 else ""
        own = [o.name for o in rules.options if o.layer > 0 or o.fixed is not None]
        return GameEntry(name, rules.title, tuple(rules.players), tuple(options), rules.text, below, tuple(own))
    except RuleFileError:
        return None


def _quick_entry(name: str, path: Path, games: dict[str, Path]) -> GameEntry | None:
    try:
        keys = _resolved(path, games, 0)
    except (_NotSimple, OSError, UnicodeDecodeError):
        return None
    match = _PLAYERS.fullmatch(keys["players"]) if isinstance(keys.get("players"), str) else None
    if match is None or not isinstance(keys.get("game"), str):
        return None
    players = tuple(range(int(match[1]), int(match[2] or match[1]) + 1))
    own = tuple(option for option in keys["options"] if option in keys["own"])
    text = keys.get("text", "") if isinstance(keys.get("text", ""), str) else ""
    return GameEntry(name, keys["game"], players, tuple(keys["options"].values()), text, keys["bottom"], own)


def _resolved(path: Path, games: dict[str, Path], depth: int) -> dict[str, Any]:
    """Return the listed keys of a file on top of those of the file it extends; `options` as entries by name."""
    keys = _read_shown(path)
    below: dict[str, Any] = {"options": {}, "bottom": "", "own": frozenset()}
    if "extends" in keys:
        wanted = keys["extends"]
        if depth > 16 or not isinstance(wanted, str):
            raise _NotSimple
        beside = path.parent / wanted
        base = beside if beside.is_file() else games.get(wanted)
        if base is None:
            raise _NotSimple
        below = _resolved(base, games, depth + 1)
        below["bottom"] = below["bottom"] or base.stem
    options = below["options"] | _options(keys.get("options", {}))
    for option, choice in _map(keys.get("with", {})).items():
        if option not in options:
            raise _NotSimple
        left = tuple(c for c in options[option].choices if c[0] == choice)
        if not left:
            raise _NotSimple
        options[option] = OptionEntry(option, left[0][0], left)
    own = {k: v for k, v in keys.items() if k in ("game", "text", "players")}
    changed = below["own"] | set(keys.get("with", {})) | (set(keys.get("options", {})) if below["bottom"] else set())
    return {**below, **own, "options": options, "own": changed}


def _options(node: object) -> dict[str, OptionEntry]:
    found = {}
    for name, choices in _map(node).items():
        listed = []
        for choice, body in _map(choices).items():
            if choice == "see" and isinstance(body, str):
                continue
            change = _map(_map(body).get("change") or {})
            if {"game", "players"} & change.keys():
                raise _NotSimple  # what the list shows depends on the choice
            listed.append((choice, str(_map(body).get("text", ""))))
        if not listed:
            raise _NotSimple
        found[name] = OptionEntry(name, listed[0][0], tuple(listed))
    return found


def _map(node: object) -> dict[str, Any]:
    if not isinstance(node, dict):
        raise _NotSimple
    return node


def _read_shown(path: Path) -> dict[str, Any]:
    """Return the keys that a list shows, as plain data: all values are text."""
    import yaml

    text = path.read_text(encoding="utf-8")
    starts = list(_TOP_KEY.finditer(text))
    if not starts:
        raise _NotSimple
    ends = [*(m.start() for m in starts[1:]), len(text)]
    shown = "".join(text[m.start() : end] for m, end in zip(starts, ends, strict=True) if m[1] in _SHOWN)
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        keys = yaml.load(shown, Loader=loader)
    except yaml.YAMLError:
        raise _NotSimple from None
    return _map(keys)
