"""How much random play the tests do: a little in the check, as much as it takes in `python3 run.py soak`."""

from __future__ import annotations

import os

SOAK = bool(os.environ.get("RULESPEC_SOAK"))  # set by `python3 run.py soak`


def size(check: int, soak: int) -> int:
    """Return how many of something a test marked `sized` tries: `check`, or `soak` in the soak run."""
    return soak if SOAK else check
