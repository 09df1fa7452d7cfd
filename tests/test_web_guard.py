"""HostNames, sites and rates; the file of tables."""

from __future__ import annotations

import os
import sqlite3
import threading
from pathlib import Path

import pytest

from referee.web.guard import HostNames, Rate, same_site
from referee.web.store import FILE, StoreError, TableStore


@pytest.mark.parametrize(
    ("lan", "host", "known"),
    [
        (False, "localhost", True),
        (False, "LOCALHOST:8000", True),
        (False, "192.168.1.5:8000", False),
        (True, "192.168.1.5:8000", True),
        (True, "[fe80::1]:8000", True),
        (True, "evil.example", False),
        (True, "192.168.1.5.evil.example", False),
        (False, "games.example.org", True),
        (False, "[", False),
    ],
)
def test_names(lan: bool, host: str, known: bool) -> None:
    assert HostNames.of(["games.example.org"], lan).has(host) is known


@pytest.mark.parametrize(
    ("origin", "same"),
    [
        (None, True),
        ("http://localhost:8000", True),
        ("https://localhost:8000", True),
        ("http://localhost:8001", False),
        ("http://localhost", False),
        ("null", False),
        ("file://localhost:8000", False),
        ("http://[", False),
    ],
)
def test_sites(origin: str | None, same: bool) -> None:
    assert same_site(origin, "localhost:8000") is same


def test_rate__so_many_at_once_and_then_so_many_a_second() -> None:
    rate = Rate(2, 3, since=0.0)
    assert [rate.allows(0.0) for _ in range(5)] == [True, True, True, False, False]
    assert [rate.allows(0.5), rate.allows(0.5)] == [True, False]
    assert [rate.allows(100.0) for _ in range(4)] == [True, True, True, False]


def test_store__what_was_written_is_there_for_the_next_one(tmp_path: Path) -> None:
    store = TableStore(tmp_path)
    store.create("a", 1, {"x": 1}, "head\n", ["one\n"])
    store.append("a", 2, {"x": 2}, 1, ["two\n", "three\n"])
    with pytest.raises(StoreError):
        store.append("a", 3, {}, 1, ["again\n"])  # such a line is there
    with pytest.raises(StoreError):
        TableStore(tmp_path)
    store.close()
    again = TableStore(tmp_path)
    found = again.load("a")
    assert found is not None
    assert (found.version, found.doc, found.record) == (2, {"x": 2}, b"head\none\ntwo\nthree\n")
    again.replace("a", 3, {}, "other\n", ["1\n"])
    found = again.load("a")
    assert found is not None and found.record == b"other\n1\n"
    again.remove("a")
    assert again.load("a") is None and again.count() == 0
    again.close()


def test_store__is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    store = TableStore(tmp_path)
    assert os.stat(tmp_path / FILE).st_mode & 0o077 == 0
    store.close()


def test_store__many_at_once(tmp_path: Path) -> None:
    store = TableStore(tmp_path)

    def fill(name: str) -> None:
        store.create(name, 1, {}, "head\n", [])
        for n in range(20):
            store.append(name, n + 2, {}, n, [f"{n}\n"])

    threads = [threading.Thread(target=fill, args=(f"t{n}",)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for n in range(8):
        found = store.load(f"t{n}")
        assert found is not None and found.version == 21
        assert found.record.decode().split() == ["head", *map(str, range(20))]
    store.close()


def test_store__of_another_version_is_not_touched(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE) as other:
        other.execute("pragma user_version = 99")
    with pytest.raises(StoreError, match="expected tables of format 1, found 99"):
        TableStore(tmp_path)
