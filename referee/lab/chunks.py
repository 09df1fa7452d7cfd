"""Chunks: games with consecutive seeds, and where their rows are kept.

A chunk depends on what its key is made of and on nothing else, no clock and no machine. So it can be played anywhere, and a
chunk that is kept need never be played again.
"""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from interpreter import Game
from referee.bots import Bot, find_bot
from referee.lab import luck
from referee.lab.columns import GameColumns
from referee.lab.restricted import RestrictedBot, parted
from referee.lab.row import MOST_DECISIONS, Lab
from rulespec import __version__, json_text, open_bundle

VERSION = 5  # of rows and of how players think: other versions are other games
VERSIONS = (VERSION, luck.VERSION, __version__)  # rows of others are never mixed with ours
COUNTED = 200  # games of a study, the first ones, in all of which legal moves are counted
SIZES = {"random": 200, "quick": 10, "greedy": 5, "search": 5, "far": 5}  # games of a chunk, by the slowest player


@dataclass(frozen=True, slots=True)
class Job:
    """A chunk to play: rules with all their files as JSON, options, who plays, and the seeds."""

    rules: str
    fingerprint: str  # of the rules with these options
    players: int
    options: tuple[tuple[str, str], ...]
    seats: tuple[str, ...]
    first: int  # seed
    many: int  # games
    watched: tuple[str, ...] = ()  # who watches them
    seldom: bool = False  # whether legal moves are counted in few of them, see `counted_seldom`

    @property
    def key(self) -> str:
        """The name the chunk is kept under, the same on every machine."""
        parts = [*VERSIONS, self.fingerprint, self.players, sorted(self.options)]
        parts += [self.seats, self.first, self.many, self.watched, self.seldom]
        return sha256(json_text(parts).encode()).hexdigest()[:32]


def chunk_size(seats: tuple[str, ...]) -> int:
    """Return how many games a chunk of these players has: by who they are, never by a clock, or keys would differ."""
    return min(SIZES[seat.partition(":")[0]] for seat in seats)


def is_random(seats: tuple[str, ...]) -> bool:
    """Return whether all players are random."""
    return all(seat == "random" for seat in seats)


def counted_seldom(seats: tuple[str, ...], before: int) -> bool:
    """Return whether legal moves are counted in few games of a chunk, after so many games of its study.

    Listing them takes a random player as long as all the rest of a game, and their number hardly differs from game to game.
    """
    return is_random(seats) and before >= COUNTED


def play_chunk(job: Job) -> GameColumns:
    """Return the games of a chunk, in the order of the seeds."""
    lab = _lab(job.rules, job.players, job.options, job.watched)
    bots = [_bot(seat) for seat in job.seats]
    return lab.play_many(bots, range(job.first, job.first + job.many), job.seldom)


def _bot(seat: str) -> Bot:
    if (restricted := parted(seat)) is not None:
        return RestrictedBot(*restricted[1:])
    found = find_bot(seat)
    assert found is not None  # seats were checked
    return found


@lru_cache(maxsize=8)
def _lab(rules: str, players: int, options: tuple[tuple[str, str], ...], watched: tuple[str, ...]) -> Lab:
    opened = open_bundle(json.loads(rules))
    game = Game(opened, opened.check(players, dict(options))[0], MOST_DECISIONS)
    game.compile()
    return Lab(game, watched)


# Kept chunks ------------------------------------------------------------------------------------------------


def lab_folder() -> Path | None:
    """Return the folder for rows; None where there is no home."""
    if folder := os.environ.get("RULESPEC_LAB"):
        return Path(folder)
    state = os.environ.get("XDG_STATE_HOME")
    try:
        return (Path(state) if state else Path.home() / ".local" / "state") / "rulespec" / "lab"
    except RuntimeError:
        return None


class KeptChunks:
    """The chunks of this run and those in a folder; without a folder they are kept no longer than this run."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._here: dict[str, GameColumns] = {}

    def find(self, job: Job) -> GameColumns | None:
        """Return the games of a chunk; None if it is not there, or not whole."""
        if (rows := self._here.get(job.key)) is None and (rows := self._read(job)) is not None:
            self._here[job.key] = rows
        return rows

    def _read(self, job: Job) -> GameColumns | None:
        if self._folder is None:
            return None
        try:
            text = self._path(self._folder, job).read_bytes()
        except OSError:
            return None
        return GameColumns.from_bytes(text, job.first, job.many, job.seldom)

    def keep(self, job: Job, rows: GameColumns) -> None:
        """Write a chunk beside its place and rename it: it is there whole or not at all. A full disk keeps nothing."""
        self._here[job.key] = rows
        if self._folder is None:
            return
        path = self._path(self._folder, job)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", suffix=".part", delete=False) as file:
                try:
                    file.write(rows.to_bytes())
                    file.close()
                    os.replace(file.name, path)
                except BaseException:
                    os.unlink(file.name)
                    raise
        except OSError:
            return

    @staticmethod
    def _path(folder: Path, job: Job) -> Path:
        return folder / job.fingerprint / f"{job.key}.games"
