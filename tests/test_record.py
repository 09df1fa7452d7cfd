"""Records: written for good, read back the same, resumed as if nothing had happened."""

from __future__ import annotations

import multiprocessing
import os
import random
import resource
from pathlib import Path

import pytest

from interpreter import CHANCE, load
from referee.record.file import RecordFile
from referee.record.lines import RecordError, Seat, Undo, read_record, written
from referee.record.match import Match, NotAgreed
from referee.record.replay import replay, resume
from tests.records import load_record
from tests.shipped import game_of
from tests.sizes import SOAK, size

GAMES = ("base", "duel", "classics/briscola", "classics/pig") + ("sintra", "pavilion", "house/snake") * SOAK


def played(name: str, seed: int | None = 7, path: Path | None = None) -> Match:
    """Return a whole game of random bots."""
    game = game_of(name)
    match = Match.begin(game, ("random",) * game.players, seed, name=name)
    if path is not None:
        match.record_to(path)
    finish(match)
    return match


def finish(match: Match) -> None:
    rng = random.Random(1)
    while not match.over:
        if match.state.to_move == CHANCE:
            moves, weights = zip(*match.game.chances(match.state), strict=True)
            match.play(rng.choices(moves, weights)[0])
        else:
            match.play_bot()
    match.close()


@pytest.mark.sized
@pytest.mark.parametrize("name", GAMES)
def test_record__replays_to_the_same_game(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    match = played(name, path=path)
    record = load_record(path)
    assert path.read_text(encoding="utf-8") == written(record.header, record.entries)
    again = replay(record)
    assert again.damage is None
    assert again.match.state == match.state
    assert [d.move for d in again.match.decided] == [d.move for d in match.decided]
    assert [(line.text, line.gained) for line in again.match.ledger()] == [
        (line.text, line.gained) for line in match.ledger()
    ]
    assert (again.match.seed, again.match.seats, again.match.header) == (match.seed, match.seats, match.header)


@pytest.mark.sized
@pytest.mark.parametrize("name", GAMES)
def test_record__cut_anywhere_goes_on_as_if_never_interrupted(name: str, tmp_path: Path) -> None:
    path, cut = tmp_path / "a.jsonl", tmp_path / "cut.jsonl"
    played(name, path=path)
    data = path.read_bytes()
    first = data.index(b"\n") + 1
    for at in random.Random(name).sample(range(first, len(data)), size(2, 30)):
        cut.write_bytes(data[:at])
        finish(resume(cut))
        assert cut.read_bytes() == data


def test_record__without_a_seed_chance_is_played_and_recorded(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    match = played("base", None, path)
    record = load_record(path)
    assert record.header.seed is None
    assert sum(d.player == CHANCE for d in record.decisions()) > 40
    assert replay(record).match.state == match.state


def test_record__outlives_its_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    house = tmp_path / "rules" / "mine.yaml"
    house.parent.mkdir()
    house.write_text("rulespec: 1\nextends: base\ngame: Mine\nchange:\n  tables: {row_points: 3}\n", encoding="utf-8")
    match = Match.begin(load(house, 3), (Seat("Anna", "human"), Seat("Bob", "random"), Seat("Cleo", "random")), 3)
    path = tmp_path / "mine.jsonl"
    match.record_to(path)
    house.unlink()
    monkeypatch.setattr("rulespec.files.sources.GAMES_FOLDER", tmp_path)  # no game is shipped any more
    match.play(match.game.legal_moves(match.state)[0])
    match.close()
    again = resume(path)
    assert again.game.title == "Mine"
    assert [seat.name for seat in again.seats] == ["Anna", "Bob", "Cleo"]
    assert list(again.header.rules["files"]) == ["base.yaml", "mine.yaml"]
    assert again.state == match.state
    again.play_bot()
    again.close()


def test_record__what_was_taken_back_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    match = Match.begin(game_of("base"), ("human", "human"), 8)
    match.record_to(path)
    before = match.state
    match.play("take 1 blue 1")
    assert [str(d.move) for d in match.undo()] == ["take 1 blue 1"]
    assert match.state == before
    match.play("take 1 blue 2")
    match.close()
    record = load_record(path)
    assert [str(e) for e in record.entries].count(str(Undo(20, False))) == 1
    assert [d.move for d in record.decisions()][20:] == ["take 1 blue 2"]
    assert replay(record).match.state == match.state


def test_undo__what_was_turned_up_needs_consent(tmp_path: Path) -> None:
    match = Match.begin(game_of("base"), ("human", "human"), 7)
    match.record_to(tmp_path / "a.jsonl")
    deals = len(match.decided)
    while len(match.decided) - deals < 1 or match.decided[-1].player != CHANCE:
        match.play(match.game.legal_moves(match.state)[0])
    length = len(match.decided)
    with pytest.raises(NotAgreed, match=r"`draw \w+` turned something up after it"):
        match.undo()
    assert len(match.decided) == length
    back = match.undo(agreed=True)
    assert any(d.player == CHANCE for d in back)
    match.play(back[0].move)
    assert [d.move for d in match.decided[-len(back) :]] == [d.move for d in back]  # the same comes again
    match.close()
    record = load_record(tmp_path / "a.jsonl")
    assert [e for e in record.entries if isinstance(e, Undo)] == [Undo(length - len(back), True)]
    sly = tuple(Undo(e.kept, False) if isinstance(e, Undo) else e for e in record.entries)
    damage = replay(read_record(written(record.header, sly).encode())).damage
    assert damage is not None
    assert damage.code == "not-agreed"


def test_undo__a_piece_that_came_out_of_a_hidden_place_was_turned_up() -> None:
    """A card played from a hand was not seen by the others before."""
    match = Match.begin(game_of("classics/briscola"), ("human", "human"), 7)
    match.play(match.game.legal_moves(match.state)[0])
    with pytest.raises(NotAgreed):
        match.undo()
    assert len(match.undo(agreed=True)) == 1


def open_and_wait(path: str, opened: object, end: object) -> None:
    resume(path)
    opened.set()  # type: ignore[attr-defined]
    end.wait(30)  # type: ignore[attr-defined]


def test_record__one_game_at_a_time_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    match = Match.begin(game_of("classics/nim"), ("human", "human"), 7)
    match.record_to(path)
    match.close()
    context = multiprocessing.get_context("fork")
    opened, end = context.Event(), context.Event()
    other = context.Process(target=open_and_wait, args=(str(path), opened, end))
    other.start()
    assert opened.wait(30)
    with pytest.raises(RecordError, match="is being written by another game that is still open"):
        resume(path)
    assert load_record(path).damage is None  # reading is for everybody
    other.kill()
    other.join()
    resume(path).close()


def test_record__a_full_disk_changes_nothing(tmp_path: Path) -> None:
    """The size a file may have stands for the size of the disk."""
    path = tmp_path / "a.jsonl"
    match = Match.begin(game_of("classics/nim"), ("random", "random"), 7)
    match.record_to(path)
    whole = path.read_bytes()
    state = match.state
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) + 10, old[1]))
    try:
        with pytest.raises(RecordError, match=r"cannot be written: file too large"):
            match.play_bot()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
    assert match.state == state
    assert path.read_bytes() == whole
    finish(match)
    assert replay(load_record(path)).damage is None


def test_record__where_it_cannot_be(tmp_path: Path) -> None:
    match = Match.begin(game_of("classics/nim"), ("random", "random"), 7)
    (tmp_path / "there.jsonl").write_text("mine")
    for path, reason in (("there.jsonl", "there is already a file"), ("no/folder.jsonl", "no such file or directory")):
        with pytest.raises(RecordError, match=reason):
            match.record_to(tmp_path / path)
    assert (tmp_path / "there.jsonl").read_text() == "mine"
    assert os.listdir(tmp_path) == ["there.jsonl"]
    match.play_bot()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "this is not the record of a game"),
        (b"hello\n", "this is not the record of a game"),
        (b"\xff\xfe\n", "this is not the record of a game"),
        (b'{"record":1', "the record ends in its first line: no game had begun"),
        (b'{"record":2,"hash":"00"}\n', "the first line of the record cannot be trusted"),
        (b"[" * 100_000 + b"\n", "this is not the record of a game"),
    ],
)
def test_record__no_record(data: bytes, reason: str, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(data)
    for function in (load_record, RecordFile.resume):
        with pytest.raises(RecordError, match=reason):
            function(tmp_path / "a.jsonl")
    for path in (tmp_path, tmp_path / "missing"):
        with pytest.raises(RecordError, match=r"is not a regular file|cannot be opened"):
            load_record(path)
