"""What rules tell everybody, wherever a game is followed, and a move beside another that asks again."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from interpreter import load
from referee.cli import cli
from referee.engine.session import Session
from referee.record.lines import Seat
from referee.record.match import Match
from referee.record.replay import replay
from referee.record.transcript import read_transcript, write_transcript
from referee.shell.chronicle import Chronicle
from tests.records import load_record
from tests.small import FOLDER, small_game

FILE = str(FOLDER / "told.yaml")
MOVES = ("take red", "take blue", "swap", "take red")


def texts(match: Match) -> list[list[str]]:
    return [[line.text(match.name_of) for line in d.told] for d in match.decided]


def sat_down(record: Path | None = None) -> Match:
    match = Match.begin(load(FILE), [Seat("Anna", "human"), Seat("Ben", "human")], 1, name=FILE)
    if record is not None:
        match.record_to(record)
    for move in MOVES:
        match.play(move)
    return match


TOLD = [
    ["7 are left: red, blue"],
    ["6 are left: red, blue"],
    ["Anna swaps with Ben"],
    ["5 are left: red, blue"],
]


def test_told__names_those_who_sit_there() -> None:
    match = sat_down()
    assert match.opening is not None
    assert [line.text(match.name_of) for line in match.opening.told] == ["the bag is full, and Anna begins"]
    assert texts(match) == TOLD


def test_told__a_move_beside_another_asks_again() -> None:
    match = sat_down()
    assert [d.player for d in match.decided] == [1, 2, 1, 1]
    assert match.state.to_move == 2


def test_told__since_a_position_and_after_games_at_random() -> None:
    game = load(FILE)
    end = game.playout(seed=5)
    lines = game.told(end)
    assert lines[0].text() == "the bag is full, and player 1 begins"
    assert [line.decision for line in lines] == sorted(line.decision for line in lines)
    state = game.start()
    for move in game.decisions(end):
        before, state = state, game.apply(state, move)
        assert game.told(state, before) == [line for line in lines if line.decision == state.decisions]
    assert len(game.ledger(end)) + len(lines) == len(end.log())


def test_told__undo_takes_it_back() -> None:
    game = load(FILE)
    first = game.apply(game.start(), game.legal_moves(game.start())[0])
    assert len(game.told(first)) == 2 and len(game.told(game.start())) == 1


def test_play_and_table__print_it(tmp_path: Path) -> None:
    lines = list(Chronicle(match := sat_down()).lines(match.decided, 1))
    assert [line.strip() for line in lines if "left" in line or "swaps" in line] == [text for (text,) in TOLD]
    for command in (["play", FILE, "--seats", "human,human"], ["table", FILE, "--first", "1"]):
        typed = "\n".join([*MOVES, "quit"]) + "\n"
        run = CliRunner().invoke(cli, [*command, "--record", str(tmp_path / f"{command[0]}.jsonl")], input=typed)
        assert "player 1 swaps with player 2" in run.output, run.output
        assert "the bag is full, and player 1 begins" in run.output, run.output


def test_record__does_not_hold_it_and_replay_tells_it_again(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    sat_down(path).close()
    assert "swaps with" not in path.read_text("utf-8").replace(json.dumps(small_game("told"))[1:-1], "")
    record = load_record(path)
    assert texts(replay(record).match) == TOLD
    transcript = write_transcript(record)
    assert "# Anna swaps with Ben" in transcript
    assert read_transcript(transcript.encode()) == record


def test_protocol__has_it_with_each_decision() -> None:
    session = Session(FILE)
    session.answer(json.dumps({"do": "new", "seed": 1}).encode())
    answers = [json.loads(session.answer(json.dumps({"do": "play", "move": move}).encode())) for move in MOVES]
    assert [answer["ok"]["decided"][0]["told"] for answer in answers][2] == ["player 1 swaps with player 2"]
