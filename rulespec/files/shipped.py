"""The games that come with the package: where they are, and what they are called. Imports nothing slow."""

from __future__ import annotations

from pathlib import Path


def games_folder() -> Path:
    """Return the folder of the shipped games: in the installed package, or beside it in a checkout."""
    package = Path(__file__).parent.parent
    inside = package / "games"
    return inside if inside.is_dir() else package.parent / "games"


def shipped_games() -> dict[str, Path]:
    """Return shipped names → files, in order; those in folders as `folder/name`."""
    root = games_folder()
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
