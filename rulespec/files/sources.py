"""Sources of rule files: the disk, a source without a disk, and a bundle that carries all it needs.

INVARIANT: whatever a rule file or a caller names is found and read by one of these, and by nothing else.

Also the games that come with the package. Lists of their names are wanted at once, so the reader of YAML is imported with the first text.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PureWindowsPath
from typing import Protocol, Self

from rulespec.diagnostics.diagnostic import GAMES_FOLDER, Diagnostic, RuleFileError
from rulespec.english import closest, suggestion
from rulespec.yaml.nodes import Scalar

FindGame = Callable[[str], Path | None]

BY_NAME = "`extends` names a rule file as seen from this one's folder, or a game that comes with the program"
NO_DISK = "no files are read here, only the games that come with the program and the texts that were passed in"


def shipped_games() -> dict[str, Path]:
    """Return shipped names → files, in order; those in folders as `folder/name`."""
    root = GAMES_FOLDER
    found = {}
    for path in sorted(root.rglob("*.yaml"), key=lambda p: (len(p.relative_to(root).parts), p)):
        found[path.relative_to(root).with_suffix("").as_posix()] = path
    return found


def find_game(name: str) -> Path | None:
    """Return the file of a shipped game, by its name or the last part of it."""
    games = shipped_games()
    matches = [games[name]] if name in games else [p for known, p in games.items() if known.split("/")[-1] == name]
    return _from_here(matches[0]) if len(matches) == 1 else None


def _from_here(path: Path) -> Path:
    """Return the path as people would write it in this folder: messages are shorter."""
    try:
        return path.relative_to(Path.cwd())
    except (ValueError, OSError):
        return path


@dataclass(frozen=True, slots=True)
class RefusedName:
    """The reason why a name after `extends` leads to no rule file."""

    code: str
    message: str
    why: str = BY_NAME
    fix: str = ""
    near: str | None = None  # the name that was probably meant

    def at(self, name: Scalar) -> Diagnostic:
        """Return the complaint at the name."""
        edits = name.respelled(self.near)
        return Diagnostic(name.span, self.code, self.message, self.why, self.fix, edits=edits)


class Files(Protocol):
    """A source of rule files. `texts` take precedence over files."""

    @property
    def texts(self) -> Mapping[Path, str]: ...

    def having(self, texts: Mapping[Path, str]) -> Self:
        """Return the same source with more texts."""

    def find(self, name: str) -> Path | None:
        """Return the file that a caller means by a path or the name of a shipped game."""

    def follow(self, name: str, path: Path) -> Path | RefusedName:
        """Return the file that `extends: name` means in the file `path`."""

    def identity(self, path: Path) -> str:
        """Return a text that is the same for two paths of one file."""

    def read(self, path: Path) -> str:
        """Return the text of a file. Raises RuleFileError."""


@dataclass(frozen=True, slots=True)
class Disk:
    """The files on disk, and the games that come with the program by name."""

    texts: Mapping[Path, str] = field(default_factory=dict)
    find_game: FindGame = find_game

    def having(self, texts: Mapping[Path, str]) -> Self:
        return replace(self, texts={**self.texts, **texts})

    def find(self, name: str) -> Path | None:
        path = Path(name)
        if path in self.texts or (os.path.exists(path) and not os.path.isdir(path)):
            return path
        # a folder with the name of a shipped game is not a game
        return self.find_game(name) or (path if os.path.exists(path) else None)

    def follow(self, name: str, path: Path) -> Path | RefusedName:
        if is_absolute(name):
            return absolute(name)
        if not is_file_name(name):
            return self.find_game(name) or no_game_called(name)
        beside = path.parent / name
        shown = tidy(beside)
        if link := leaving_link(path.parent, name):
            why = "what a rule file extends is read, so a link may not lead out of its own folder"
            return RefusedName(
                "extends-link", f"`{link}` is a link to a file elsewhere", why, "put a copy in its place"
            )
        try:
            mode = os.stat(beside).st_mode
        except (FileNotFoundError, NotADirectoryError):
            return no_file(shown, name, (p.name for p in path.parent.glob("*.y*ml")))
        except OSError as error:
            return RefusedName(
                "extends-unreadable", f"`{shown}` cannot be read: {(error.strerror or str(error)).lower()}"
            )
        if not stat.S_ISREG(mode):
            what = "a folder" if stat.S_ISDIR(mode) else "not an ordinary file"
            return RefusedName("extends-unreadable", f"`{shown}` is {what}, expected a rule file")
        return shown

    def identity(self, path: Path) -> str:
        return str(path) if path in self.texts and not os.path.exists(path) else os.path.realpath(path)

    def read(self, path: Path) -> str:
        from rulespec.yaml.source import read_text

        return self.texts[path] if path in self.texts else read_text(path)


@dataclass(frozen=True, slots=True)
class NoDisk:
    """The games that come with the program and the texts that were handed over: for names that others choose.

    INVARIANT: a path that is neither is never looked at, not even to see whether it is there.
    """

    texts: Mapping[Path, str] = field(default_factory=dict)

    def having(self, texts: Mapping[Path, str]) -> Self:
        return replace(self, texts={**self.texts, **texts})

    def find(self, name: str) -> Path | None:
        path = Path(name)
        return path if path in self.texts or is_shipped(path) else find_game(name)

    def follow(self, name: str, path: Path) -> Path | RefusedName:
        if is_absolute(name):
            return absolute(name)
        if not is_file_name(name):
            return find_game(name) or no_game_called(name)
        beside = Path(os.path.normpath(path.parent / name))
        if beside in self.texts or is_shipped(beside):
            return beside
        near = (other.name for other in self.texts if other.parent == beside.parent and other != path)
        return replace(no_file(beside, name, near), why=NO_DISK)

    def identity(self, path: Path) -> str:
        return os.path.realpath(path) if is_shipped(path) else str(path)

    def read(self, path: Path) -> str:
        from rulespec.yaml.source import read_text, unreadable

        if path in self.texts:
            return self.texts[path]
        if is_shipped(path):
            return read_text(path)
        raise RuleFileError([unreadable(str(path), f"there is no file `{path}`", NO_DISK)])


@dataclass(frozen=True, slots=True)
class Bundle:
    """Files that travel together: nothing outside is read, so their meaning never changes."""

    texts: Mapping[Path, str]
    links: Mapping[tuple[Path, str], Path]

    def having(self, texts: Mapping[Path, str]) -> Self:
        return replace(self, texts={**self.texts, **texts})

    def find(self, name: str) -> Path | None:
        return Path(name) if Path(name) in self.texts else None

    def follow(self, name: str, path: Path) -> Path | RefusedName:
        why = "a bundle of rules carries every file that its files extend"
        return self.links.get((path, name)) or RefusedName("extends-missing", f"there is no file for `{name}`", why)

    def identity(self, path: Path) -> str:
        return str(path)

    def read(self, path: Path) -> str:
        return self.texts[path]


DISK = Disk()


def is_file_name(name: str) -> bool:
    return name.endswith((".yaml", ".yml"))


def is_absolute(name: str) -> bool:
    """Return whether a name begins at a root or a drive, on any system: a rule file means the same everywhere.

    >>> [is_absolute(name) for name in ("/a.yaml", "C:a.yaml", r"\\\\host\\share\\a.yaml", "../a.yaml", "base")]
    [True, True, True, False, False]
    """
    path = PureWindowsPath(name)
    return bool(path.drive or path.root)


def is_shipped(path: Path) -> bool:
    """Return whether a path is one of the games that come with the program, without looking at any other file."""
    return os.path.abspath(path) in {os.path.abspath(game) for game in shipped_games().values()}


def leaving_link(folder: Path, name: str) -> Path | None:
    """Return the first symbolic link on the way from a folder to what is named there that leads out of its own folder."""
    at = folder
    for part in Path(name).parts:
        at = at / part
        if part != ".." and os.path.islink(at) and not is_inside(os.path.realpath(at), os.path.realpath(at.parent)):
            return at
    return None


def is_inside(path: str, folder: str) -> bool:
    return Path(path).is_relative_to(folder)


def tidy(path: Path) -> Path:
    """Return the path without `..` where that is the same file: messages are shorter."""
    shorter = Path(os.path.normpath(path))
    return shorter if os.path.realpath(shorter) == os.path.realpath(path) else path


# Complaints -----------------------------------------------------------------------------------------------


def absolute(name: str) -> RefusedName:
    why = f"{BY_NAME}; so it works on every machine, and reads nothing else there"
    return RefusedName("extends-absolute", f"expected a path from this file's folder, found `{name}`", why)


def no_file(shown: Path, name: str, near: Iterable[str]) -> RefusedName:
    meant, stem = closest(name, near), Path(name).stem
    if stem in shipped_games() and (meant is None or Path(name).parts[:1] == ("games",)):
        fix = f"a game that comes with the program is named alone: write `{stem}`"
        return RefusedName("extends-missing", f"there is no file `{shown}`", fix=fix, near=stem)
    return RefusedName("extends-missing", f"there is no file `{shown}`", fix=suggestion(meant), near=meant)


def _game_titled(title: str) -> str | None:
    """Return the shipped game with this title, if there is one."""
    for game, path in shipped_games().items():
        said = re.search(r"^game: *(.*?) *$", path.read_text(encoding="utf-8"), re.MULTILINE)
        if said and said[1].strip("\"'").casefold() == title.casefold():
            return game
    return None


def no_game_called(name: str) -> RefusedName:
    games = {part for game in shipped_games() for part in (game, game.split("/")[-1])}
    meant = closest(name, games - {name})
    if meant is None and (titled := _game_titled(name.replace("_", " "))) is not None:
        return RefusedName("extends-missing", f"no game called `{name}`", fix=f"that game is `{titled}`", near=titled)
    if meant is None:
        words = frozenset(re.findall(r"[a-z0-9]+", name.lower()))
        alike = [game for game in games - {name} if words >= {*game.split("_")}]
        meant = alike[0] if len(alike) == 1 else None
    fix = suggestion(meant) or f"to name a file write its ending too: `{name}.yaml`"
    return RefusedName("extends-missing", f"no game called `{name}`", fix=fix, near=meant)
