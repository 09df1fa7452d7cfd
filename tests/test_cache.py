"""What is kept between runs: it may be missing, damaged or refused, and nothing changes but the time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulespec import memory
from rulespec.diagnostics import RuleFileError
from rulespec.expr import parse
from rulespec.load import open_rules


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache folder with nothing in it, and nothing parsed yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    memory.folder.cache_clear()
    kept = dict(parse.parsed)
    parse.parsed.clear()
    yield tmp_path / "rulespec"
    parse.parsed.update(kept)


@pytest.fixture(autouse=True)
def forget_folder() -> Iterator[None]:
    yield
    memory.folder.cache_clear()


def test_memory__keeps_and_recalls(empty_cache: Path) -> None:
    memory.keep("thing", {"a": 1})
    assert memory.recall("thing") == {"a": 1}
    assert memory.recall("nothing") is None


def test_memory__of_a_damaged_file_is_none(empty_cache: Path) -> None:
    memory.keep("thing", [1, 2, 3])
    (empty_cache / "thing").write_bytes(b"\x80\x05garbage")
    assert memory.recall("thing") is None


def test_memory__without_a_folder_to_write_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.write_text("not a folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(file))
    memory.folder.cache_clear()
    assert memory.folder() is None
    memory.keep("thing", 1)
    assert memory.recall("thing") is None
    assert open_rules("base").check(2)[0].title == "Azul"


def test_rules__are_the_same_with_and_without_memory(empty_cache: Path) -> None:
    first, _ = open_rules("base").check(2)
    kept = sorted(p.name.split("-")[0] for p in empty_cache.iterdir())
    assert kept[-2:] == ["shape", "trees"]
    for path in empty_cache.glob("trees-*"):
        path.write_bytes(b"damaged")
    again, _ = open_rules("base").check(2)
    assert again.functions == first.functions
    assert again.procedures == first.procedures


def test_shape__found_good_in_one_file_is_still_missed_in_another(empty_cache: Path, tmp_path: Path) -> None:
    """The merged rules are the same; only one of the files says its version."""
    rest = "extends: base\ngame: House\n"
    (tmp_path / "good.yaml").write_text("rulespec: 1\n" + rest)
    (tmp_path / "bad.yaml").write_text(rest)
    open_rules(tmp_path / "good.yaml").check(2)
    with pytest.raises(RuleFileError, match="the file has no `rulespec`"):
        open_rules(tmp_path / "bad.yaml").check(2)
