"""The rules inside a record: the texts of all their files, and the game that they are wherever the files have gone."""

from __future__ import annotations

import re
import tempfile
from functools import lru_cache
from pathlib import Path

from interpreter import Game
from referee import texts_record as texts
from referee.record import Header, RecordError, RuleText
from rulespec.diagnostics import RuleFileError
from rulespec.layers import open_file
from rulespec.load import PlayersError, Rules
from rulespec.options import OptionError

_EXTENDS = re.compile(r"^extends *:.*$", re.MULTILINE)


def texts_of(game: Game) -> tuple[RuleText, ...]:
    """The files of a game as they are now, the one opened first."""
    found = []
    for layer in reversed(game.rules.layers.files):
        try:
            text = layer.path.read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise RecordError(texts.RULES_GONE.format(file=layer.path, reason=error)) from None
        found.append(RuleText(layer.path.as_posix(), text))
    return tuple(found)


def game_of(header: Header) -> Game:
    """The game under the rules that a record carries. Raises RecordError if they are none."""
    try:
        return _game(header.rules, header.players, tuple(header.options.items()))
    except RuleFileError as error:
        raise RecordError(texts.BAD_RULES.format(reason=error.diagnostics[0].first_line())) from None
    except (PlayersError, OptionError) as error:
        raise RecordError(texts.BAD_RULES.format(reason=error)) from None


@lru_cache(maxsize=4)  # many records of one game are looked at one after another
def _game(files: tuple[RuleText, ...], players: int, options: tuple[tuple[str, str], ...]) -> Game:
    rules = _opened(files)
    model, _ = rules.check(players, dict(options))
    return Game(rules, model)


def _opened(files: tuple[RuleText, ...]) -> Rules:
    """Writes the texts where each finds the one it extends, and opens the first."""
    if not files:
        raise RecordError(texts.NO_RULES)
    with tempfile.TemporaryDirectory(prefix="rulespec-") as folder:
        paths = [Path(folder, str(i), Path(rule.name).name) for i, rule in enumerate(files)]
        for i, (path, rule) in enumerate(zip(paths, files, strict=True)):
            below = f"extends: ../{i + 1}/{paths[i + 1].name}" if i + 1 < len(paths) else "extends: none"
            path.parent.mkdir()
            path.write_text(_EXTENDS.sub(below, rule.text), encoding="utf-8")
        return Rules(open_file(paths[0]), Path(files[0].name))
