"""The small games that tests are about: files in `tests/games/`, so that they can be read, checked and shared."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "games"


def small_game(name: str) -> str:
    """Return the text of a small game."""
    return (FOLDER / f"{name}.yaml").read_text(encoding="utf-8")
