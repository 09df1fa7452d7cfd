"""The game that a record carries in its own rules, whatever happened to their files."""

from __future__ import annotations

import json
from functools import lru_cache

from interpreter import Game
from referee.record import texts
from referee.record.lines import Header, RecordError
from rulespec import BundleError, OptionError, PlayersError, RuleFileError, open_bundle

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
    rules = open_bundle(json.loads(bundle))
    model, _ = rules.check(players, dict(options))
    return kind(rules, model)
