"""All the files of some rules as plain data: a record carries them, so that its meaning never changes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from rulespec.diagnostics.diagnostic import GAMES_FOLDER
from rulespec.files.extends import Layer
from rulespec.files.sources import Bundle

T = TypeVar("T")


class BundleError(ValueError):
    """The data is not a bundle of rule files; the message says what was expected and what was found."""


def bundle_files(layers: Iterable[Layer], opened: Iterable[str]) -> dict[str, object]:
    """Return the texts of all files, what they extend, and which of them were asked for: the game, then house rules."""
    files = tuple(layers)
    names = _names(files)
    data = {
        names[layer.identity]: {"text": layer.text, "extends": {said: names[to] for said, to in layer.links}}
        for layer in files
    }
    return {"opened": [names[identity] for identity in opened], "files": data}


def _names(layers: tuple[Layer, ...]) -> dict[str, str]:
    """Return a short name for each file, by its identity; where files are on this machine is private."""
    root = GAMES_FOLDER.resolve()
    names: dict[str, str] = {}
    for layer in layers:
        place = Path(layer.identity)
        if place.is_relative_to(root):
            name = place.relative_to(root).as_posix()
        else:
            name = place.name if place.is_absolute() else layer.identity  # a text, or from another bundle
        taken, number = name, 2
        while taken in names.values():
            taken, number = f"{number}-{name}", number + 1
        names[layer.identity] = taken
    return names


def read_bundle(data: object) -> tuple[list[Path], Bundle]:
    """Return the files that were asked for, and the source that has them all. Raises BundleError for what is none."""
    files, opened = _part(data, "files", dict), _part(data, "opened", list)
    for name in files:
        if not name.isprintable():
            raise BundleError(f"expected the name of a file on one line, found {name!a}")
    texts, links = {}, {}
    for name, file in files.items():
        texts[Path(name)] = _part(file, "text", str)
        for said, to in _part(file, "extends", dict).items():
            if not isinstance(to, str) or to not in files:
                raise BundleError(f"expected the name of a file after `{said}` in `{name}`, found {to!a}")
            links[Path(name), said] = Path(to)
    if not opened or any(not isinstance(name, str) or name not in files for name in opened):
        raise BundleError(f"expected names of files after `opened`, found {opened!a}")
    return [Path(name) for name in opened], Bundle(texts, links)


def _part(data: object, name: str, kind: type[T]) -> T:
    value = data.get(name) if isinstance(data, dict) else None
    if not isinstance(value, kind):
        words = "a map" if kind is dict else "a list" if kind is list else "a text"
        raise BundleError(f"expected {words} under `{name}`, found {type(value).__name__}")
    return value
