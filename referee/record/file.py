"""A record on disk: every line is safely written before anybody sees its effect, and one game at a time writes it."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from referee.record import texts
from referee.record.lines import Header, Record, RecordEntry, RecordError, entry_line, header_line, read_record

try:
    import fcntl
except ImportError:  # Windows has other locks
    fcntl = None  # type: ignore[assignment]

MOST_BYTES = 50_000_000  # a record is far smaller


class RecordFile:
    """An open record to add lines to. When `add` returns, all of it is on disk; when it fails, none of it is."""

    def __init__(self, path: Path, handle: int, mark: str, length: int) -> None:
        self.path = path
        self._handle = handle
        self._mark = mark
        self._length = length  # of what is safely written; anything after it is cut off before the next line

    @classmethod
    def create(cls, path: str | Path, header: Header, entries: tuple[RecordEntry, ...] = ()) -> RecordFile:
        """Return a new record, which appears with all its first lines or not at all. An existing file is not replaced."""
        path = Path(path)
        if path.exists() or path.is_symlink():
            raise RecordError(texts.EXISTS.format(path=path))
        lines, mark = _lines(header, entries)
        handle, temporary = -1, ""
        try:
            handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".new")
            _lock(handle, path)  # before anybody can see it
            _write(handle, lines)
            os.fsync(handle)
            _link(temporary, path)
            _sync_folder(path.parent)
        except (OSError, ValueError) as error:  # such as a null byte in the path
            if handle >= 0:
                os.close(handle)
            if temporary:
                with contextlib.suppress(OSError):
                    os.unlink(temporary)
            if isinstance(error, FileExistsError):
                raise RecordError(texts.EXISTS.format(path=path)) from None
            reason = _reason(error) if isinstance(error, OSError) else str(error)
            raise RecordError(texts.CANNOT_CREATE.format(path=path, reason=reason)) from None
        return cls(path, handle, mark, len(lines))

    @classmethod
    def resume(cls, path: str | Path) -> tuple[RecordFile, Record]:
        """Return an interrupted record to continue, and its contents. A torn last line is cut off."""
        path = Path(path)
        handle = _open(path, os.O_RDWR)
        try:
            _lock(handle, path)
            record = read_record(_read(handle, path))
            if record.damage is not None:
                damage = record.damage
                raise RecordError(
                    texts.DAMAGED.format(path=path, line=damage.line, decision=damage.decision, reason=damage.message)
                )
            file = cls(path, handle, record.mark, record.length)
            file._cut()
        except OSError as error:
            os.close(handle)
            raise RecordError(texts.CANNOT_WRITE.format(path=path, reason=_reason(error))) from None
        except RecordError:
            os.close(handle)
            raise
        return file, record

    def add(self, entries: tuple[RecordEntry, ...] | list[RecordEntry]) -> None:
        """Add lines. Raises RecordError if they cannot be written; then the record is unchanged."""
        mark, text = self._mark, ""
        for entry in entries:
            line, mark = entry_line(entry, mark)
            text += line
        data = text.encode()
        try:
            self._cut()
            os.lseek(self._handle, self._length, os.SEEK_SET)
            _write(self._handle, data)
            os.fsync(self._handle)
        except OSError as error:
            with contextlib.suppress(OSError):
                self._cut()
            raise RecordError(texts.CANNOT_WRITE.format(path=self.path, reason=_reason(error))) from None
        self._mark, self._length = mark, self._length + len(data)

    def close(self) -> None:
        """Close the file, and release its lock."""
        if self._handle >= 0:
            _unlock(self._handle)
            os.close(self._handle)
            self._handle = -1

    def _cut(self) -> None:
        """Cut off what a failed attempt left after the last good line."""
        if os.fstat(self._handle).st_size > self._length:
            os.ftruncate(self._handle, self._length)


def read_bytes(path: str | Path) -> bytes:
    """Return the contents of a file. Raises RecordError if it cannot be read."""
    handle = _open(Path(path), os.O_RDONLY)
    try:
        return _read(handle, Path(path))
    except OSError as error:
        raise RecordError(texts.CANNOT_OPEN.format(path=path, reason=_reason(error))) from None
    finally:
        os.close(handle)


def save_text(path: str | Path, text: str) -> None:
    """Write a new file, which appears with all its text or not at all. An existing file is not replaced."""
    path = Path(path)
    if path.exists() or path.is_symlink():
        raise RecordError(texts.EXISTS.format(path=path))
    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".new")
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        _link(temporary, path)
        _sync_folder(path.parent)
    except OSError as error:
        if temporary:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        raise RecordError(texts.CANNOT_CREATE.format(path=path, reason=_reason(error))) from None


def _open(path: Path, how: int) -> int:
    try:
        if path.exists() and not path.is_file():
            raise RecordError(texts.NO_FILE.format(path=path))
        return os.open(path, how | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError) as error:  # such as a null byte in the path
        if isinstance(error, RecordError):
            raise
        reason = _reason(error) if isinstance(error, OSError) else str(error)
        raise RecordError(texts.CANNOT_OPEN.format(path=path, reason=reason)) from None


def _lines(header: Header, entries: tuple[RecordEntry, ...]) -> tuple[bytes, str]:
    text, mark = header_line(header)
    for entry in entries:
        line, mark = entry_line(entry, mark)
        text += line
    return text.encode(), mark


def _read(handle: int, path: Path) -> bytes:
    size = os.fstat(handle).st_size
    if size > MOST_BYTES:
        raise RecordError(texts.TOO_LARGE.format(path=path, size=size, most=MOST_BYTES))
    parts = []
    while part := os.read(handle, 1 << 20):
        parts.append(part)
    return b"".join(parts)


def _write(handle: int, data: bytes) -> None:
    while data:
        data = data[os.write(handle, data) :]


def _unlock(handle: int) -> None:
    """Release the lock at once: closing alone would leave it to a child process that has just begun and shares the file."""
    if fcntl is not None:
        fcntl.flock(handle, fcntl.LOCK_UN)


def _lock(handle: int, path: Path) -> None:
    """Keep everybody else from writing during this game; a killed program leaves no lock."""
    if fcntl is None:
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise RecordError(texts.IN_USE.format(path=path)) from None
    except OSError:
        return  # a record without a lock is better than none


def _link(temporary: str, path: Path) -> None:
    """Give a finished file its name, never replacing another one."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError:  # a disk without links
        if path.exists():
            raise FileExistsError(path) from None
        os.rename(temporary, path)
    else:
        os.unlink(temporary)


def _sync_folder(folder: Path) -> None:
    """Make sure that the name of a new file is on disk too, where folders can be synced."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
