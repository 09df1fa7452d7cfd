"""The folder of records that nobody named a file for: where it is, and the games in it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from referee.record.file import read_bytes
from referee.record.lines import Record, RecordError, read_record

SUFFIX = ".jsonl"


@dataclass(frozen=True, slots=True)
class KeptRecord:
    """A file of the folder, with its record or the reason why it cannot be read."""

    path: Path
    record: Record | None
    problem: str = ""

    @property
    def begun(self) -> str:
        """When the game began; empty: that is not known."""
        return self.record.header.begun if self.record is not None else ""

    @property
    def unfinished(self) -> bool:
        """Whether the game can be resumed: it has no result, and the record is whole and of all that happened."""
        record = self.record
        return record is not None and record.result is None and record.damage is None and record.header.seen_by is None


def records_folder() -> Path:
    """Return the folder for records of games that nobody named a file for."""
    if folder := os.environ.get("RULESPEC_RECORDS"):
        return Path(folder)
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "rulespec" / "records"


def kept_records(folder: Path) -> Iterator[KeptRecord]:
    """Yield the records in a folder as they are read, the last one that was written first."""
    written = []
    for path in folder.glob(f"*{SUFFIX}"):
        try:
            written.append((path.stat().st_mtime_ns, path))
        except OSError:  # it is gone, or a link that leads nowhere
            continue
    for _, path in sorted(written, reverse=True):
        try:
            yield KeptRecord(path, read_record(read_bytes(path)))
        except RecordError as error:
            yield KeptRecord(path, None, str(error))


def last_unfinished(folder: Path, real: bool) -> Path | None:
    """Return the game that was played last and is not over: one with real pieces, or one on the screen."""
    for kept in kept_records(folder):
        if kept.unfinished and kept.record is not None and (kept.record.header.seed is None) == real:
            return kept.path
    return None
