"""The game that a record carries in its own rules, whatever happened to their files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from interpreter import Game
from referee.record import texts
from referee.record.lines import Header, RecordError
from rulespec import (
    GAMES_FOLDER,
    BundleError,
    OptionError,
    PlayersError,
    RuleFileError,
    open_bundle,
    read_text,
    shipped_games,
)

GAMES_KEPT = 16  # often many records of one game are read in a row, and many tables play the same


def game_of(header: Header, kind: type[Game] = Game) -> Game:
    """Return the game under the rules that a record carries. Raises RecordError if they are not valid."""
    try:
        return _game(json.dumps(header.rules), header.players, tuple(header.options.items()), kind)  # type: ignore[arg-type]  # classes hash
    except RuleFileError as error:
        raise RecordError(texts.BAD_RULES.format(reason=error.diagnostics[0].first_line())) from None
    except (BundleError, PlayersError, OptionError) as error:
        raise RecordError(texts.BAD_RULES.format(reason=error)) from None


@lru_cache(maxsize=GAMES_KEPT)
def _game(bundle: str, players: int, options: tuple[tuple[str, str], ...], kind: type[Game]) -> Game:
    rules = open_bundle(_with_shipped_paths(json.loads(bundle)))
    model, _ = rules.check(players, dict(options))
    return kind(rules, model)


def _with_shipped_paths(bundle: Any) -> Any:
    """Return a bundle in which shipped files that have not changed since are called by their paths.

    So the place of a rule reads the same in a game that is resumed. Only shipped files are looked at, whatever the names are.
    """
    match bundle:
        case {"opened": list(opened), "files": dict(files)}:
            shipped = {path.relative_to(GAMES_FOLDER).as_posix(): path for path in shipped_games().values()}
            paths = {name: str(shipped[name]) for name in files if name in shipped and _is(files[name], shipped[name])}
            found = {paths.get(name, name): _with_links(file, paths) for name, file in files.items()}
            return {
                "opened": [paths.get(name, name) if isinstance(name, str) else name for name in opened],
                "files": found,
            }
    return bundle


def _is(file: Any, path: Path) -> bool:
    """Return whether a file of a bundle has the text that is at a path."""
    try:
        return isinstance(file, dict) and file.get("text") == read_text(path)
    except RuleFileError:
        return False


def _with_links(file: Any, paths: Mapping[str, str]) -> Any:
    """Return a file of a bundle in which the names of what it extends are replaced."""
    match file:
        case {"extends": dict(extends)}:
            links = {said: paths.get(to, to) if isinstance(to, str) else to for said, to in extends.items()}
            return {**file, "extends": links}
    return file
