"""The cache on disk may be missing, damaged, foreign or refused: nothing changes but the time."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import time
from array import array
from pathlib import Path

import pytest

from rulespec import cache
from rulespec.diagnostics.diagnostic import RuleFileError
from rulespec.expr import parse
from rulespec.expr.parse import Syntax
from rulespec.rules import open_rules
from tests.sizes import size

ROOT = Path(__file__).parent.parent
NIM = Path(__file__).parent / "native" / "nim.yaml"

needs_compiler = pytest.mark.skipif(not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a cache folder with nothing in it, and nothing parsed yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    parse.parse_text.cache_clear()
    return tmp_path / "rulespec"


def entry(folder: Path, kind: str = "trees") -> Path:
    (found,) = folder.glob(f"{kind}-*")
    return found


# What is kept --------------------------------------------------------------------------------------------


def test_entry__comes_back_for_the_same_texts_only(folder: Path) -> None:
    cache.keep("trees", b"content", "a", "b")
    assert cache.recall("trees", "a", "b") == b"content"
    assert cache.recall("trees", "ab") is cache.recall("trees", "a", "b", "") is cache.recall("shape", "a", "b") is None


def test_entry__may_be_empty_and_written_again(folder: Path) -> None:
    cache.keep("shape", b"", "a")
    assert cache.recall("shape", "a") == b""
    cache.keep("shape", b"new", "a")
    assert cache.recall("shape", "a") == b"new"
    assert len(list(folder.iterdir())) == 1


def test_entry__too_large_is_not_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "LARGEST", 1000)
    cache.keep("trees", b"x" * 1000, "a")
    assert cache.recall("trees", "a") is None and not list(folder.iterdir())


def test_folder__and_files_are_private(folder: Path) -> None:
    before = os.umask(0)
    try:
        cache.keep("trees", b"content", "a")
    finally:
        os.umask(before)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert entry(folder).stat().st_mode & 0o777 == 0o600


def test_folder__is_bounded_in_number_and_size(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST_ENTRIES", 10)
    monkeypatch.setattr(cache, "MOST_BYTES", 10_000)
    for number in range(30):
        cache.keep("shape", b"", str(number))
        assert len(list(folder.iterdir())) <= 10
    for number in range(10):
        cache.keep("trees", b"x" * 3000, str(number))
        assert sum(p.stat().st_size for p in folder.iterdir()) <= 10_000
    assert cache.recall("trees", "9") is not None
    other = folder / "notes.txt"
    other.write_text("the user's own")
    for number in range(30):
        cache.keep("shape", b"", f"more {number}")
    assert other.exists()


def test_leftovers__of_a_killed_process_are_removed(folder: Path) -> None:
    cache.keep("shape", b"", "a")
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    (folder / f"tmp-{gone.pid}-abc").mkdir()
    (folder / f"tmp-{gone.pid}-abc" / "simulation.c").write_text("int x;")
    (folder / f"tmp-{gone.pid}-def").write_text("half an entry")
    mine, old = folder / f"tmp-{os.getpid()}-abc", folder / f"tmp-{os.getpid()}-old"
    mine.mkdir()
    old.mkdir()
    os.utime(old, (time.time() - 7200,) * 2)
    with cache.workplace() as place:
        assert place.parent == folder and place.stat().st_mode & 0o777 == 0o700
        assert sorted(folder.glob("tmp-*")) == sorted([mine, place])
    assert list(folder.glob("tmp-*")) == [mine]


# Where it is kept ----------------------------------------------------------------------------------------


def test_folder__relative_path_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert cache.cache_folder() == tmp_path / "home" / ".cache" / "rulespec"
    cache.keep("trees", b"content", "a")
    assert not list((tmp_path / "here").iterdir())
    monkeypatch.setenv("HOME", "here")
    assert cache.cache_folder() is None
    cache.keep("trees", b"content", "a")
    assert cache.recall("trees", "a") is None


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o722, 0o702])
def test_folder__that_others_can_write_is_not_used(folder: Path, mode: int) -> None:
    cache.keep("trees", b"content", "a")
    folder.chmod(mode)
    assert cache.recall("trees", "a") is None
    cache.keep("trees", b"content", "b")
    assert len(list(folder.iterdir())) == 1
    with cache.workplace() as place:
        assert folder not in place.parents and place.stat().st_mode & 0o777 == 0o700
    assert not place.exists()


def test_folder__of_somebody_else_is_not_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.keep("trees", b"content", "a")
    mine = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: mine + 1)
    assert cache.recall("trees", "a") is None
    cache.keep("trees", b"content", "b")
    assert len(list(folder.iterdir())) == 1


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_folder__link_to_that_of_somebody_else_is_not_used(folder: Path, tmp_path: Path) -> None:
    cache.keep("trees", b"content", "a")
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    assert cache.recall("trees", "a") == b"content"  # the user's own
    os.chown(tmp_path / "elsewhere", 12345, -1)
    assert cache.recall("trees", "a") is None
    cache.keep("trees", b"content", "b")
    assert len(list(folder.iterdir())) == 1


@pytest.mark.parametrize("bad", ["/dev/null", "/proc/none", "/" + "x" * 5000, "/tmp/\udcff\udcfe"])
def test_folder__that_cannot_be_made(bad: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", bad)
    if "\udcff" not in bad:
        cache.keep("trees", b"content", "a")
        assert cache.recall("trees", "a") is None
    assert open_rules("base").check(2)[0].title == "Azul"


# Damage --------------------------------------------------------------------------------------------------


WAYS = 13  # to spoil an entry


def spoil(path: Path, other: Path, way: int, rng: random.Random) -> str:
    """Spoil an entry; say how."""
    data = path.read_bytes()
    match way % WAYS:
        case 0:
            path.write_bytes(data[: rng.randrange(len(data))])
            return "cut"
        case 1:
            at = rng.randrange(len(data))
            path.write_bytes(data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :])
            return "a bit turned"
        case 2:
            path.write_bytes(data + rng.randbytes(rng.randrange(1, 100)))
            return "longer"
        case 3:
            path.write_bytes(rng.randbytes(len(data)))
            return "noise"
        case 4:
            path.write_bytes(other.read_bytes())
            return "swapped"
        case 5:
            os.chown(path, 12345, -1) if os.geteuid() == 0 else path.chmod(0o666)
            return "foreign"
        case 6:
            path.chmod(rng.choice([0o666, 0o620, 0o602]))
            return "writable by others"
        case 7:
            path.unlink()
            os.mkfifo(path)
            return "a pipe"
        case 8:
            path.unlink()
            path.mkdir()
            return "a folder"
        case 9:
            moved = path.with_name("moved")
            path.rename(moved)
            path.symlink_to(moved)
            return "a link"
        case 10:
            path.unlink()
            path.symlink_to("/dev/zero")
            return "a link to a device"
        case 11:
            os.truncate(path, 1 << 40)
            return "huge"
        case _:
            at = rng.randrange(len(data))
            path.write_bytes(data[:at] + bytes(len(data) - at))
            return "zeros to the end, as after a power loss"


def clean(folder: Path) -> None:
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


@pytest.mark.sized
def test_damage__is_never_read(folder: Path) -> None:
    rng = random.Random(1)
    for number in range(size(4 * WAYS, 1000)):
        cache.keep("trees", b"the content", "a")
        cache.keep("trees", b"of another", "b")
        path, other = (folder / cache._name("trees", (text,)) for text in "ab")
        how = spoil(path, other, number, rng)
        assert cache.recall("trees", "a") is None, how
        cache.keep("trees", b"again", "a")
        assert cache.recall("trees", "a") in (b"again", None), how  # a folder in its place stays
        assert cache.recall("trees", "b") == b"of another"
        clean(folder)


@pytest.mark.sized
def test_damage__rules_are_the_same(folder: Path) -> None:
    first, _ = open_rules(NIM).check(2)
    rng = random.Random(2)
    for number in range(size(WAYS, 400)):
        paths = sorted(folder.iterdir())
        how = [spoil(path, paths[i - 1], number + i, rng) for i, path in enumerate(paths)]
        parse.parse_text.cache_clear()
        again, _ = open_rules(NIM).check(2)
        assert (again.functions, again.procedures, again.moves) == (first.functions, first.procedures, first.moves), how
        clean(folder)
        parse.parse_text.cache_clear()
        open_rules(NIM).check(2)


def load_damaged(many: int) -> None:
    """Play natively with a library that is spoilt again and again; a compiler that only copies makes it anew."""
    from interpreter import load
    from interpreter.compile.build import build_library
    from interpreter.compile.to_c import to_c
    from interpreter.run.library import Games, Library

    rules = load(NIM).compiled

    def games() -> array[int]:
        loaded = build_library(("nim",), lambda: to_c(rules.program, rules.actions))
        played = Games(Library(loaded, lambda: rules.program.faults), 20)
        played.seed(0)
        played.play()
        return played.states

    folder = cache.cache_folder()
    assert folder is not None
    right = games()
    library = entry(folder, "native")
    (folder / "good.so").write_bytes(library.read_bytes()[cache._HEAD :])
    compiler = folder / "cc"
    compiler.write_text(f'#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\ncp {folder}/good.so "$2"\n')
    compiler.chmod(0o700)
    os.environ["PATH"] = f"{folder}:{os.environ['PATH']}"
    library.unlink()
    rng = random.Random(3)
    for number in range(many):
        assert games() == right
        library, other = entry(folder, "native"), folder / "other"
        other.write_bytes(library.read_bytes()[: rng.randrange(1000)])
        how = spoil(library, other, number, rng)
        assert games() == right, how
        shutil.rmtree(library) if library.is_dir() else library.unlink()
        assert not list(folder.glob("tmp-*")), how


@needs_compiler
@pytest.mark.sized
def test_damage__native_libraries_are_built_again(folder: Path) -> None:
    """In a process of its own: a damaged library would end it with a signal."""
    script = f"from tests.test_cache import load_damaged; load_damaged({size(WAYS, 1000)})"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=False)
    assert run.returncode == 0, run.stderr


@needs_compiler
def test_native__library_cut_while_in_use_does_no_harm(folder: Path) -> None:
    from interpreter import load

    game = load(NIM)
    assert game.compile()
    first = list(game.simulate(20))
    for path in folder.rglob("*"):
        if path.is_file():
            os.truncate(path, 0)
    assert list(game.simulate(20)) == first


# Syntax trees --------------------------------------------------------------------------------------------

TREE = Syntax("sum", (Syntax("name", ("a",), 0, 1), "+", Syntax("number", (12,), 2, 4), None), 0, 4)


def test_trees__come_back_as_they_were(folder: Path) -> None:
    trees = {("a+12", "expr"): TREE, ("`é\n", "step"): Syntax("x", (), 0, 0)}
    assert parse.decode(parse.encode(trees.items())) == trees
    rules = open_rules("duel")
    rules.check(2)
    known = rules._known.parses.trees()
    assert len(known) > 100 and parse.decode(parse.encode(known.items())) == known


@pytest.mark.parametrize(
    "shape",
    [
        None,
        {},
        [1],
        ["text"],
        [["text", "expr"]],
        [["text", "expr", "tree"]],
        [["text", 3, ["name", 0, 1]]],
        [["text", "expr", ["name", 0]]],
        [["text", "expr", [7, 0, 1]]],
        [["text", "expr", ["name", -1, 1]]],
        [["text", "expr", ["name", 2, 1]]],
        [["text", "expr", ["name", 0, 5]]],
        [["text", "expr", ["name", 0, True]]],
        [["text", "expr", ["name", 0, 1.0]]],
        [["text", "expr", ["name", 0, 1, {}]]],
        [["text", "expr", ["name", 0, 1, False]]],
        [["text", "expr", ["name", 0, 1, ["name", 0]]]],
    ],
)
def test_trees__of_another_shape_are_refused(shape: object) -> None:
    assert parse.decode(json.dumps(shape).encode()) is None


@pytest.mark.parametrize("data", [b"", b"\x80\x04.", b"{", b"\xff\xfe", b"[" * 100_000, b"1" * 10_000])
def test_trees__of_other_bytes_are_refused(data: bytes) -> None:
    assert parse.decode(data) is None


def test_trees__too_deep_are_refused() -> None:
    tree: list[object] = ["name", 0, 1]
    for _ in range(parse.MOST_LEVELS):
        tree = ["name", 0, 1, tree]
    assert parse.decode(json.dumps([["text", "expr", tree]]).encode()) is None


def test_trees__of_another_shape_in_the_cache_are_parsed_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, _ = open_rules(NIM).check(2)
    parse.parse_text.cache_clear()
    monkeypatch.setattr(cache, "recall", lambda kind, *depends: b'[["text","expr",["name"]]]')
    again, _ = open_rules(NIM).check(2)
    assert again.procedures == first.procedures


def test_parser__is_not_built_for_what_was_parsed_before(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_rules(NIM).check(2)
    parse.parse_text.cache_clear()
    monkeypatch.setattr(parse, "_parser", lambda: pytest.fail("the parser was built"))
    open_rules(NIM).check(2)


def test_trees__kept_for_a_file_are_its_own_whatever_else_was_read(folder: Path) -> None:
    rules = open_rules(NIM)
    rules.check(2)
    own = set(rules._known.parses.trees())
    clean(folder)
    open_rules("duel").check(2)
    clean(folder)
    open_rules(NIM).check(2)
    kept = parse.decode(entry(folder).read_bytes()[cache._HEAD :])
    assert kept is not None and set(kept) == own


def test_trees__are_recalled_once_a_process(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_rules(NIM).check(2)
    open_rules(NIM).check(2)
    monkeypatch.setattr(parse, "_tree", lambda *rest: pytest.fail("what is known was decoded again"))
    open_rules(NIM).check(2)


# Rules ---------------------------------------------------------------------------------------------------


def test_shape__found_good_in_one_file_is_still_missed_in_another(folder: Path, tmp_path: Path) -> None:
    """The merged rules are the same; only one of the files says its version."""
    rest = "extends: base\ngame: House\n"
    (tmp_path / "good.yaml").write_text("rulespec: 1\n" + rest)
    (tmp_path / "bad.yaml").write_text(rest)
    open_rules(tmp_path / "good.yaml").check(2)
    with pytest.raises(RuleFileError, match="the file has no `rulespec`"):
        open_rules(tmp_path / "bad.yaml").check(2)


def test_product__reads_no_file_that_can_run_code() -> None:
    for package in ("rulespec", "interpreter", "referee"):
        for path in (ROOT / package).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            assert not any(word in text for word in ("pickle", "marshal", "shelve")), path
