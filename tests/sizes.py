"""How much random play the tests do: quick by default, as much as one likes with RULESPEC_GAMES."""

from __future__ import annotations

import os


def games_of(default: int) -> int:
    """Games for one test: `default`, or RULESPEC_GAMES if that is set."""
    return int(os.environ.get("RULESPEC_GAMES") or default)
