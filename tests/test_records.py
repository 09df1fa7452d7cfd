"""Recorded games in the folder for them: their list, and the one that is resumed without being named."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from referee.record.file import save_text
from referee.record.folder import last_unfinished
from referee.record.lines import Header, RecordedDecision, RecordEntry, Result, Seat, SeatsChange, written
from tests.test_cli import Runner
from tests.test_docs import ROOT, paths, rows

ANN, BO = Seat("Ann", "human"), Seat("Bo", "random")
RULES: dict[str, object] = {"files": {}}


def save(folder: Path, name: str, age: int, *entries: RecordEntry, seed: int | None = 1) -> Path:
    """Write a record that was last changed `age` seconds ago."""
    header = Header("heaps", "Heaps", RULES, 2, {}, {}, seed, (ANN, BO), "2026-05-04T19:30:00Z")
    path = folder / name
    save_text(path, written(header, entries))
    os.utime(path, (10**9 - age, 10**9 - age))
    return path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a finished game, two that are not over, a damaged one, and what is no record."""
    monkeypatch.setenv("RULESPEC_RECORDS", str(tmp_path))
    save(tmp_path, "over.jsonl", 1, RecordedDecision(1, 1, "take 1 1"), Result((1, 2), (3, 3), "most points", ""))
    save(tmp_path, "open.jsonl", 2, RecordedDecision(1, 1, "take 1 1"))
    save(tmp_path, "real.jsonl", 3, seed=None)
    damaged = save(tmp_path, "damaged.jsonl", 4, RecordedDecision(1, 1, "take 1 1"))
    damaged.write_text(damaged.read_text().replace("take 1 1", "take 1 2"))
    os.utime(damaged, (10**9 - 4, 10**9 - 4))
    (tmp_path / "none.jsonl").write_text("junk")
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "gone.jsonl").symlink_to(tmp_path / "nowhere")
    os.utime(tmp_path / "none.jsonl", (10**8, 10**8))
    os.utime(tmp_path / "folder.jsonl", (10**7, 10**7))
    return tmp_path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Runner:
    monkeypatch.chdir(tmp_path)
    return Runner(tmp_path, capsys, monkeypatch)


def test_records__are_listed_last_one_first(folder: Path, run: Runner) -> None:
    answer = run("records")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.splitlines() == [
        "2026-05-04 19:30  Heaps · Ann and Bo · Ann and Bo shared the win: 3 : 3",
        f"    {folder}/over.jsonl",
        "2026-05-04 19:30  Heaps · Ann and Bo · not over, 1 decision",
        f"    {folder}/open.jsonl",
        "2026-05-04 19:30  Heaps · Ann and Bo · not over, 0 decisions",
        f"    {folder}/real.jsonl",
        "2026-05-04 19:30  Heaps · Ann and Bo · damaged at line 2: "
        "the line was changed after it was written: its hash does not match",
        f"    {folder}/damaged.jsonl",
        "this is not the record of a game",
        f"    {folder}/none.jsonl",
        f"`{folder}/folder.jsonl` is not a regular file",
        f"    {folder}/folder.jsonl",
    ]


def test_records__as_json(folder: Path, run: Runner) -> None:
    found = json.loads(run("records", "--json").out)
    assert [Path(each["path"]).stem for each in found] == ["over", "open", "real", "damaged", "none", "folder"]
    assert [each.get("resumable") for each in found] == [False, True, True, False, None, None]
    assert found[0]["result"] == {"winners": [1, 2], "scores": [3, 3], "reason": "most points"}
    listed = {cells[0] for _, cells in rows(ROOT / "docs" / "json.md", "keys: records")}
    assert sorted(set(paths(found))) == sorted(listed)
    assert found[4] == {"path": f"{folder}/none.jsonl", "problem": "this is not the record of a game"}


def test_records__only_the_last_ones_unless_all_are_wanted(folder: Path, run: Runner) -> None:
    for number in range(20):
        save(folder, f"{number}.jsonl", 100 + number)
    assert run("records").out.splitlines()[-1] == "and 6 more: `rulespec records --all`"
    assert len(run("records", "--all").out.splitlines()) == 2 * 26


def test_records__an_empty_folder(run: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RULESPEC_RECORDS", str(tmp_path / "nowhere"))
    assert run("records").out == f"no recorded games in {tmp_path}/nowhere\n"
    assert run("play", "--resume").code == 2


def test_resume__the_last_game_that_is_not_over(folder: Path) -> None:
    assert last_unfinished(folder, real=False) == folder / "open.jsonl"
    assert last_unfinished(folder, real=True) == folder / "real.jsonl"
    (folder / "open.jsonl").unlink()
    assert last_unfinished(folder, real=False) is None


def test_resume__without_a_file_continues_the_last_game(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESPEC_RECORDS", str(run.folder))
    for name in ("first", "second"):
        run(
            "play", "heaps.yaml", "--seats", f"{name}=human", "--seed", "3", "--record", f"{name}.jsonl", stdin="quit\n"
        )
    answer = run("play", "--resume", stdin="quit\n")
    assert answer.code == 0
    assert "second: human" in answer.out


def test_records__a_forged_result(folder: Path, run: Runner) -> None:
    """What a record says was not checked: nothing in it is taken for a seat."""
    save(folder, "forged.jsonl", 0, SeatsChange((ANN,)), Result((2, 9), (1,), "\x1b[31m", ""))
    assert run("records").out.startswith("2026-05-04 19:30  Heaps · Ann · player 2 and player 9 shared the win: 1\n")
