"""The rule files that the server may read: open documents, those they extend, and those in the editor's folders."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice, takewhile
from pathlib import Path
from threading import Event

from referee.lsp.begun import is_rules
from referee.lsp.paths import absolute
from rulespec import GAMES_FOLDER, Disk, Files, RefusedName, RuleFileError, nodes, read_source

MOST_FILES = 300  # files on disk that are read
MOST_CHARACTERS = 2_000_000  # of them together: some seconds' work
MOST_ENTRIES = 20_000  # files and folders that are looked at
PASSED_OVER = ("node_modules", "__pycache__")


@dataclass(frozen=True, slots=True)
class RuleFile:
    """A rule file as it is now, and the files it names after `extends`."""

    path: Path
    text: str
    tree: nodes.Mapping
    extends: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class FileReading:
    """The text and tree of a file, stamped with what changes when it does: its open text, or its inode, time and size."""

    stamp: str | tuple[int, int, int] | None
    size: int = 0
    text: str = ""
    tree: nodes.Mapping | None = None


def is_shipped(path: Path) -> bool:
    """Return whether a file came with the program."""
    return path.is_relative_to(absolute(GAMES_FOLDER))


def all_known(
    files: Files, folders: Iterable[Path], readings: Mapping[Path, FileReading], given_up: Event
) -> tuple[dict[Path, RuleFile], dict[Path, FileReading]]:
    """Return all rule files within reach, open documents first, and what was read for them; not all if it is given up.

    Without a disk these are only open documents, and the shipped games that they extend. A file is not read again that
    is as it was when one of the readings was made.
    """
    found: dict[Path, RuleFile] = {}
    made: dict[Path, FileReading] = {}
    count = size = 0  # of what is not open

    def is_enough() -> bool:
        return given_up.is_set() or count >= MOST_FILES or size >= MOST_CHARACTERS

    beside = takewhile(lambda _: not is_enough(), _on_disk(folders)) if isinstance(files, Disk) else ()
    for first in chain(files.texts, beside):
        waiting = [first]
        while waiting:
            path = waiting.pop()
            if path in made or (is_enough() and path not in files.texts):
                continue
            reading = made[path] = _read(path, files, readings.get(path))
            if path not in files.texts:
                count, size = count + 1, size + reading.size
            if reading.tree is not None:
                found[path] = RuleFile(path, reading.text, reading.tree, _extended(path, reading.tree, files))
                waiting += found[path].extends
    return found, made


def _read(path: Path, files: Files, before: FileReading | None) -> FileReading:
    """Return what is in a file; no tree if it cannot be read, or is no rule file, which is nobody's business."""
    text = files.texts.get(path)
    stamp = text if text is not None else _stamp(path)
    if before is not None and stamp is not None and before.stamp == stamp:
        return before
    try:
        text = files.read(path)
    except RuleFileError:
        return FileReading(stamp)
    try:
        tree = read_source(path, text, by_sections=path in files.texts) if is_rules(text) else None
    except RuleFileError:
        tree = None
    if tree is None or tree.get("rulespec") is None:
        return FileReading(stamp, len(text))
    return FileReading(stamp, len(text), text, tree)


def _extended(path: Path, tree: nodes.Mapping, files: Files) -> tuple[Path, ...]:
    node = tree.get("extends")
    items = node.items if isinstance(node, nodes.Sequence) else (node,)
    named = [files.follow(item.text, path) for item in items if isinstance(item, nodes.Scalar) and item.text]
    return tuple(absolute(p) for p in named if not isinstance(p, RefusedName))


def _stamp(path: Path) -> tuple[int, int, int] | None:
    """Return numbers that change when a file does."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def _on_disk(folders: Iterable[Path]) -> Iterator[Path]:
    """Yield the YAML files of folders; only some of very many, and none behind a link or in a hidden folder."""
    left = MOST_ENTRIES
    waiting = deque(folders)
    while waiting and left > 0:
        try:
            with os.scandir(waiting.popleft()) as entries:
                there = sorted(islice(entries, left), key=lambda entry: entry.name)
        except (OSError, ValueError):
            continue
        left -= len(there) + 1
        for entry in there:
            if entry.is_dir(follow_symlinks=False):
                if not entry.name.startswith(".") and entry.name not in PASSED_OVER:
                    waiting.append(Path(entry.path))
            elif entry.name.endswith((".yaml", ".yml")) and entry.is_file(follow_symlinks=False):
                yield absolute(entry.path)


def chain_of(path: Path, known: dict[Path, RuleFile]) -> list[Path]:
    """Return a file and all that it builds on, the bottom one first."""
    found: list[Path] = []

    def visit(one: Path, above: tuple[Path, ...]) -> None:
        if one in found or one in above or one not in known:
            return
        for lower in known[one].extends:
            visit(lower, (*above, one))
        found.append(one)

    visit(path, ())
    return found


def family_of(path: Path, known: dict[Path, RuleFile]) -> list[Path]:
    """Return a file and all files that build on it, in any number of steps."""
    return [path, *(other for other in known if other != path and path in chain_of(other, known))]
