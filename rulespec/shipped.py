"""The games that come with the package: where they are, and what they are called. Imports nothing slow."""

from __future__ import annotations

from pathlib import Path


def games_folder() -> Path:
    """Where the shipped games are: inside the installed package, or beside it in a checkout."""
    inside = Path(__file__).parent / "games"
    return inside if inside.is_dir() else Path(__file__).parent.parent / "games"


def shipped_games() -> dict[str, Path]:
    """Shipped names → files, in order; those in folders as `folder/name`."""
    root = games_folder()
    found = {}
    for path in sorted(root.rglob("*.yaml"), key=lambda p: (len(p.relative_to(root).parts), p)):
        found[path.relative_to(root).with_suffix("").as_posix()] = path
    return found


def find_game(name: str) -> Path | None:
    """The file of a shipped game, by its name or the last part of it."""
    games = shipped_games()
    if name in games:
        return games[name]
    matches = [path for known, path in games.items() if known.split("/")[-1] == name]
    return matches[0] if len(matches) == 1 else None
