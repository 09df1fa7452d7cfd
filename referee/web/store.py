"""Tables on disk: one SQLite file. When a write returns, it is on disk, whatever happens to the process."""

from __future__ import annotations

import json
import os
import queue
import sqlite3
import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.record.lines import RecordError
from referee.web import texts

try:
    import fcntl
except ImportError:  # Windows has other locks
    fcntl = None  # type: ignore[assignment]

FILE = "tables.sqlite3"
FORMAT = 1
_TABLES = (
    """create table if not exists tables (
        id text primary key, made real not null, touched real not null, version integer not null,
        doc text not null, header text not null) without rowid""",
    """create table if not exists lines (
        id text not null, number integer not null, line text not null, primary key (id, number)) without rowid""",
)

Statement = tuple[str, tuple[Any, ...]]


class StoreError(RecordError):
    """The file of tables cannot be opened, read or written; the message says why."""


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table as it is on disk: its version, what is kept beside the record, and the record."""

    version: int
    doc: dict[str, Any]
    record: bytes


class TableStore:
    """The file of all tables, of which one server at a time is the owner.

    Writes that wait at the same time are committed together: a commit waits for the disk, and many tables share the wait.
    """

    def __init__(self, folder: Path) -> None:
        self._lock = threading.Lock()
        self._queue: queue.SimpleQueue[tuple[list[Statement], Future[None]] | None] = queue.SimpleQueue()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._owned = _own(folder)
            path = folder / FILE
            self._writing, self._reading = _connect(path), _connect(path)
            os.chmod(path, 0o600)  # it holds the keys of all seats
            _prepare(self._writing)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(texts.CANNOT_OPEN.format(folder=folder, reason=error)) from None
        self._thread = threading.Thread(target=self._write_all, name="store", daemon=True)
        self._thread.start()

    # writing ---------------------------------------------------------------------------------------------

    def create(self, ident: str, version: int, doc: dict[str, Any], header: str, lines: list[str]) -> None:
        """Write a new table."""
        now = time.time()
        row = (ident, now, now, version, json.dumps(doc), header)
        self._write([("insert into tables values (?, ?, ?, ?, ?, ?)", row), *_insert(ident, 0, lines)])

    def append(self, ident: str, version: int, doc: dict[str, Any], at: int, lines: list[str]) -> None:
        """Add lines after the first `at` ones, and write the table's version."""
        self._write([_update(ident, version, doc), *_insert(ident, at, lines)])

    def replace(self, ident: str, version: int, doc: dict[str, Any], header: str, lines: list[str]) -> None:
        """Write another record in place of the table's."""
        self._write(
            [
                _update(ident, version, doc),
                ("update tables set header = ? where id = ?", (header, ident)),
                ("delete from lines where id = ?", (ident,)),
                *_insert(ident, 0, lines),
            ]
        )

    def remove(self, ident: str) -> None:
        """Forget a table."""
        self._write([("delete from lines where id = ?", (ident,)), ("delete from tables where id = ?", (ident,))])

    def _write(self, statements: list[Statement]) -> None:
        done: Future[None] = Future()
        self._queue.put((statements, done))
        done.result()

    def _write_all(self) -> None:
        """Commit what waits, again and again, until the store is closed."""
        while True:
            job = self._queue.get()
            jobs = []
            while job is not None:
                jobs.append(job)
                try:
                    job = self._queue.get_nowait()
                except queue.Empty:
                    break
            if jobs:
                self._commit(jobs)
            if job is None:
                return

    def _commit(self, jobs: list[tuple[list[Statement], Future[None]]]) -> None:
        failed: dict[int, StoreError] = {}
        try:
            self._writing.execute("begin immediate")
            for number, (statements, _) in enumerate(jobs):
                self._writing.execute("savepoint one")
                try:
                    for sql, values in statements:
                        self._writing.execute(sql, values)
                except sqlite3.Error as error:
                    self._writing.execute("rollback to one")
                    failed[number] = StoreError(texts.CANNOT_STORE.format(reason=error))
                self._writing.execute("release one")
            self._writing.execute("commit")
        except sqlite3.Error as error:
            failed = dict.fromkeys(range(len(jobs)), StoreError(texts.CANNOT_STORE.format(reason=error)))
            if self._writing.in_transaction:
                self._writing.execute("rollback")
        for number, (_, done) in enumerate(jobs):
            if number in failed:
                done.set_exception(failed[number])
            else:
                done.set_result(None)

    # reading ---------------------------------------------------------------------------------------------

    def doc(self, ident: str) -> dict[str, Any] | None:
        """Return what is kept beside the record of a table; None: there is no such table."""
        if not ident.isascii():
            return None  # it is no name that was ever given, and may not even be possible in UTF-8
        rows = self._read("select doc from tables where id = ?", ident)
        found: dict[str, Any] | None = json.loads(rows[0][0]) if rows else None
        return found

    def load(self, ident: str) -> StoredTable | None:
        """Return a table; None: there is none."""
        rows = self._read("select version, doc, header from tables where id = ?", ident)
        if not rows:
            return None
        version, doc, header = rows[0]
        lines = self._read("select line from lines where id = ? order by number", ident)
        return StoredTable(version, json.loads(doc), (header + "".join(line for (line,) in lines)).encode())

    def count(self) -> int:
        """Return how many tables there are."""
        found: int = self._read("select count(*) from tables")[0][0]
        return found

    def _read(self, sql: str, *values: Any) -> list[Any]:
        try:
            with self._lock:
                return self._reading.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise StoreError(texts.CANNOT_LOAD.format(reason=error)) from None

    def close(self) -> None:
        """Write what waits, and close the file."""
        self._queue.put(None)
        self._thread.join()
        self._writing.close()
        self._reading.close()
        if self._owned >= 0:
            os.close(self._owned)


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=5)
    connection.execute("pragma synchronous = full")  # a commit returns when it is on disk
    return connection


def _prepare(connection: sqlite3.Connection) -> None:
    found = connection.execute("pragma user_version").fetchone()[0]
    if found not in (0, FORMAT):
        raise sqlite3.DatabaseError(texts.OTHER_STORE.format(expected=FORMAT, found=found))
    connection.execute("pragma journal_mode = wal")
    for sql in _TABLES:
        connection.execute(sql)
    connection.execute(f"pragma user_version = {FORMAT}")


def _own(folder: Path) -> int:
    """Keep other servers from the folder while this one runs; the lock of a killed one is gone."""
    if fcntl is None:
        return -1
    handle = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise StoreError(texts.FOLDER_IN_USE.format(folder=folder)) from None
    return handle


def _update(ident: str, version: int, doc: dict[str, Any]) -> Statement:
    return (
        "update tables set version = ?, doc = ?, touched = ? where id = ?",
        (version, json.dumps(doc), time.time(), ident),
    )


def _insert(ident: str, at: int, lines: list[str]) -> list[Statement]:
    sql = "insert into lines values (?, ?, ?)"
    return [(sql, (ident, at + number, line)) for number, line in enumerate(lines, 1)]
