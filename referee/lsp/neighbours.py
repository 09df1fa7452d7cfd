"""The rule files that the server may read: open documents, those they extend, and those in the editor's folders."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from referee.lsp.begun import is_rules
from referee.lsp.paths import absolute
from rulespec import Disk, Files, RefusedName, RuleFileError, games_folder, nodes, read_source

MOST_FILES = 300  # rule files of the editor's folders that are looked at
MOST_ENTRIES = 20_000  # files and folders
PASSED_OVER = ("node_modules", "__pycache__")


@dataclass(frozen=True, slots=True)
class RuleFile:
    """A rule file as it is now, and the files it names after `extends`."""

    path: Path
    text: str
    tree: nodes.Mapping
    extends: tuple[Path, ...]


def is_shipped(path: Path) -> bool:
    """Return whether a file came with the program."""
    return path.is_relative_to(absolute(games_folder()))


def read_known(path: Path, files: Files) -> RuleFile | None:
    """Return a rule file; none if it cannot be read, or is no rule file, which is nobody's business."""
    try:
        text = files.read(path)
        tree = read_source(path, text) if is_rules(text) else None
    except RuleFileError:
        return None
    if tree is None or tree.get("rulespec") is None:
        return None
    node = tree.get("extends")
    items = node.items if isinstance(node, nodes.Sequence) else (node,)
    named = [files.follow(item.text, path) for item in items if isinstance(item, nodes.Scalar) and item.text]
    return RuleFile(path, text, tree, tuple(absolute(p) for p in named if not isinstance(p, RefusedName)))


def all_known(files: Files, folders: Iterable[Path]) -> dict[Path, RuleFile]:
    """Return all rule files within reach; without a disk only open documents, and the shipped games that they extend."""
    found: dict[Path, RuleFile] = {}
    waiting = [*files.texts, *(_on_disk(folders) if isinstance(files, Disk) else ())]
    while waiting:
        path = waiting.pop()
        if path not in found and (known := read_known(path, files)):
            found[path] = known
            waiting += known.extends
    return found


def _on_disk(folders: Iterable[Path]) -> Iterator[Path]:
    """Yield the YAML files of folders; only some of very many, and none behind a link or in a hidden folder."""
    entries = rules = 0
    for folder in folders:
        for where, inner, names in os.walk(folder):
            inner[:] = sorted(name for name in inner if not name.startswith(".") and name not in PASSED_OVER)
            entries += len(names) + 1
            for name in sorted(names):
                path = Path(where, name)
                if name.endswith((".yaml", ".yml")) and not path.is_symlink():
                    rules += 1
                    yield absolute(path)
            if entries > MOST_ENTRIES or rules > MOST_FILES:
                return


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
