"""Where rule files come from: the disk, texts that are not on it, or a bundle that carries all it needs."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rulespec.source import read_text

FindGame = Callable[[str], Path | None]


def no_game(name: str) -> Path | None:
    return None


@dataclass(frozen=True, slots=True)
class Shelf:
    """The files on disk, the games that come with the program by name, and texts that stand for files."""

    find_game: FindGame = no_game
    texts: Mapping[Path, str] = field(default_factory=dict)

    def read(self, path: Path) -> str:
        """The text of a file. Raises RuleFileError."""
        return self.texts[path] if path in self.texts else read_text(path)

    def identity(self, path: Path) -> str:
        """The same for two paths of one file."""
        return str(path) if path in self.texts and not path.exists() else os.path.realpath(path)

    def follow(self, name: str, path: Path) -> Path | None:
        """The file that `extends: name` means in the file `path`."""
        if not is_file_name(name):
            return self.find_game(name)
        beside = path.parent / name
        return tidy(beside) if os.path.isfile(beside) else None


@dataclass(frozen=True, slots=True)
class Bundle(Shelf):
    """Files that travel together: nothing outside of it is read, so it means the same for ever."""

    links: Mapping[tuple[Path, str], Path] = field(default_factory=dict)

    def identity(self, path: Path) -> str:
        return str(path)

    def follow(self, name: str, path: Path) -> Path | None:
        return self.links.get((path, name))


def is_file_name(name: str) -> bool:
    return name.endswith((".yaml", ".yml"))


def tidy(path: Path) -> Path:
    """The path without `..` where that is the same file: messages are shorter."""
    shorter = Path(os.path.normpath(path))
    return shorter if os.path.realpath(shorter) == os.path.realpath(path) else path
