"""Chunks: games with consecutive seeds, and where their rows are kept.

A chunk depends on what its key is made of and on nothing else, no clock and no machine. So it can be played anywhere, and a
chunk that is kept need never be played again.
"""

from __future__ import annotations

import json
import os
import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from io import FileIO
from pathlib import Path
from typing import Any
from zlib import crc32

from interpreter import Game
from referee.bots import Bot, find_bot
from referee.lab import luck
from referee.lab.columns import COUNTED, GameColumns
from referee.lab.measures import is_random
from referee.lab.restricted import RestrictedBot, parted
from referee.lab.row import MOST_DECISIONS, Lab
from rulespec import __version__, json_text, open_bundle

VERSION = 5  # of rows and of how players think: other versions are other games
VERSIONS = (VERSION, luck.VERSION, __version__)  # rows of others are never mixed with ours
CHUNK_MARK = b"\n\x00chunk \xe2\x96\xa0\x00\n"  # before each chunk of a file
_CHUNK_LINE = re.compile(rb"(\d{1,39}) (\d{1,9}) ([01]) (\d{1,12}) (\d{1,10})\n")
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

    def chunk(self, first: int, many: int, seldom: bool) -> Job:
        """Return a chunk of the same rules and players."""
        options, seats, watched = self.options, self.seats, self.watched
        return Job(self.rules, self.fingerprint, self.players, options, seats, first, many, watched, seldom)

    @property
    def shelf(self) -> str:
        """The name of the file that it is kept in, the same on every machine: with all chunks that have other seeds."""
        return _shelf(self.fingerprint, self.players, self.options, self.seats, self.watched)

    @property
    def key(self) -> str:
        """The name of the chunk, the same on every machine."""
        return _name([self.shelf, self.first, self.many, self.seldom])


@lru_cache(maxsize=64)
def _shelf(
    fingerprint: str,
    players: int,
    options: tuple[tuple[str, str], ...],
    seats: tuple[str, ...],
    watched: tuple[str, ...],
) -> str:
    return _name([*VERSIONS, fingerprint, players, sorted(options), seats, watched])


def _name(parts: list[Any]) -> str:
    return sha256(json_text(parts).encode()).hexdigest()[:32]


def chunk_size(seats: tuple[str, ...]) -> int:
    """Return how many games a chunk of these players has: by who they are, never by a clock, or keys would differ."""
    return min(SIZES[seat.partition(":")[0]] for seat in seats)


def counted_seldom(seats: tuple[str, ...], before: int) -> bool:
    """Return whether legal moves are counted in few games of a chunk, after so many games of its study.

    Listing them takes two thirds of the time of all the rest of a game, and their number hardly differs from game to game.
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


Place = tuple[
    str, int, int, bool
]  # of a chunk: its shelf, the first seed, how many games, whether legal moves are counted in few


class KeptChunks:
    """The chunks of this run and those in a folder; without a folder they are kept no longer than this run.

    A shelf is a file: all chunks that differ in their seeds alone, one after the other as they were kept. A chunk that was not
    written to its end is not read, and its games are played again; those after it are found by their mark.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._here: dict[Place, GameColumns] = {}
        self._chunks: dict[
            str, dict[tuple[int, int, bool], bytes]
        ] = {}  # those that were looked at, and what is on them
        self._open: dict[str, FileIO] = {}  # those that are written to

    def find(self, job: Job) -> GameColumns | None:
        """Return the games of a chunk; None if it is not there, or not whole."""
        place = _place(job)
        if (rows := self._here.get(place)) is None and (rows := self._read(job)) is not None:
            self._here[place] = rows
        return rows

    def _read(self, job: Job) -> GameColumns | None:
        if self._folder is None:
            return None
        if (chunks := self._chunks.get(job.shelf)) is None:
            try:
                text = self._path(self._folder, job).read_bytes()
            except OSError:
                text = b""
            chunks = self._chunks[job.shelf] = dict(chunks_in(text))
        text = chunks.get((job.first, job.many, job.seldom), b"")
        return GameColumns.from_bytes(text, job.first, job.many, job.seldom) if text else None

    def keep(self, job: Job, rows: GameColumns) -> None:
        """Write a chunk at the end of its shelf, at once. A full disk keeps nothing."""
        known = _place(job) in self._here
        self._here[_place(job)] = rows
        if self._folder is None or known:
            return
        try:
            if (shelf := self._open.get(job.shelf)) is None:
                path = self._path(self._folder, job)
                path.parent.mkdir(parents=True, exist_ok=True)
                shelf = self._open[job.shelf] = path.open("ab", buffering=0)
            _write(shelf, _written(job, rows))
        except OSError:
            return

    def close(self) -> None:
        """Close all files; they are opened again where that is needed."""
        for shelf in self._open.values():
            shelf.close()
        self._open.clear()

    @staticmethod
    def _path(folder: Path, job: Job) -> Path:
        return folder / job.fingerprint / f"{job.shelf}.games"


def _place(job: Job) -> Place:
    return job.shelf, job.first, job.many, job.seldom


def _write(shelf: FileIO, parts: list[bytes | array[Any]]) -> None:
    """Write some parts one after the other, as far as there is room."""
    if hasattr(os, "writev"):
        os.writev(shelf.fileno(), parts)
    else:  # not every system can do it at once
        shelf.write(b"".join(parts))


def _written(job: Job, rows: GameColumns) -> list[bytes | array[Any]]:
    """Return the parts of a chunk as it is on its shelf: a mark, a line that says which it is, how long and with which checksum, its games."""
    stretches, size, check = rows.stretches(), 0, 0
    for stretch in stretches:
        size, check = size + memoryview(stretch).nbytes, crc32(stretch, check)
    return [CHUNK_MARK, f"{job.first} {job.many} {int(job.seldom)} {size} {check}\n".encode(), *stretches]


def chunks_in(shelf: bytes) -> Iterator[tuple[tuple[int, int, bool], bytes]]:
    """Yield the chunks of a shelf: which each is, and its games. What is between them was not written to its end."""
    at = shelf.find(CHUNK_MARK)
    while at >= 0:
        begin = at + len(CHUNK_MARK)
        line = _CHUNK_LINE.match(shelf, begin)
        if line is not None and line.end() + int(line[4]) <= len(shelf):
            end = line.end() + int(line[4])
            body = shelf[line.end() : end]
            if crc32(body) == int(line[5]):
                yield (int(line[1]), int(line[2]), line[3] == b"1"), body
                begin = end
        at = shelf.find(CHUNK_MARK, begin)
