"""Records for tests to look at."""

from __future__ import annotations

from pathlib import Path

from referee.record.file import read_bytes
from referee.record.lines import Record, read_record


def load_record(path: Path) -> Record:
    """Return the record of a file."""
    return read_record(read_bytes(path))
