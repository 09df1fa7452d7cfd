"""Texts that rules tell everybody, wherever a game is followed, and a move beside another that asks again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from interpreter import BadState, load
from referee.cli import cli
from referee.engine.session import Session
from referee.record.lines import Seat
from referee.record.match import Match, NotAgreed
from referee.record.replay import replay
from referee.record.transcript import read_transcript, write_transcript
from referee.rulebook.make import make_book
from referee.rulebook.markdown import write_markdown
from referee.shell.chronicle import Chronicle
from rulespec import RuleFileError
from tests.records import load_record
from tests.small import FOLDER, small_game
from tests.test_docs import blocks

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


# --- showing ------------------------------------------------------------------------------------------------------


PEEP = next(
    b.text for b in blocks(FOLDER.parent.parent / "docs" / "secrets.md", "yaml") if b.text.startswith("# peep.yaml")
)


@pytest.fixture
def looked() -> Match:
    """Return a game in which Anna looked at Ben's card."""
    match = Match.begin(load(PEEP, players=3), [Seat(name, "human") for name in ("Anna", "Ben", "Cleo")], 4)
    match.play("look 2")
    return match


def test_show__is_read_by_those_who_see_it_and_by_nobody_else(looked: Match) -> None:
    (line,) = looked.decided[-1].told
    card = looked.game.model.value_name(looked.game.contents(looked.state, "hand", 1)[0][0])
    read = {viewer: line.text(looked.name_of, viewer) for viewer in (None, 1, 2, 3)}
    assert read[1] == f"Ben’s hand is shown to Anna: {card}"
    assert {read[None], read[2], read[3]} == {"Ben’s hand is shown to Anna"}
    for viewer, text in read.items():
        assert any(text == told.strip() for told in Chronicle(looked).lines(looked.decided[-1:], viewer))


def test_show__changes_nothing_and_is_taken_back_only_together(looked: Match) -> None:
    assert looked.game.contents(looked.state, "hand", 0) == looked.game.contents(looked.decided[-1].before, "hand", 0)
    with pytest.raises(NotAgreed):
        looked.undo()
    assert looked.undo(agreed=True)


def test_show__the_protocol_shows_a_viewer_no_more() -> None:
    session = Session(PEEP)
    session.answer(json.dumps({"do": "new", "seed": 4}).encode())
    full = json.loads(session.answer(json.dumps({"do": "play", "move": "look 2"}).encode()))["ok"]["decided"][0]["told"]
    asked = [{"do": "decisions", "viewer": viewer} for viewer in (1, 2)]
    seen = [json.loads(session.answer(json.dumps(a).encode()))["ok"]["decisions"][-1]["told"] for a in asked]
    assert seen[0] == full and ": " in full[0]
    assert seen[1] == ["player 2’s hand is shown to player 1"]


def test_show__rulebook() -> None:
    book = write_markdown(make_book(PEEP))
    assert "You look at " in book and "Everybody looks at " in book, book


@pytest.mark.parametrize(
    "line",
    [
        [0, 0, 99, [], 0, 0, []],
        [0, 1, 99, [], 1, 1, []],
        [0, 0],
        ["x", 0, 0, [], 0, 0, [1]],
        [0, 0, 2, [], 0, 0, []],
        [0, 0, 2, [], 0, 0, ["one", 1]],
        [0, 0, 0, [1], 0, 0, [[999, 1]]],
        [0, 0, 0, [1], 0, 0, ["one"]],
        [0, 0, 0, [1], 0, 0, [[8]]],
        7,
    ],
)
def test_data__a_forged_line_is_refused(line: object) -> None:
    game = load(PEEP)
    state = game.apply(game.start(seed=4), game.legal_moves(game.start(seed=4))[0])
    data = json.loads(json.dumps(game.to_data(state)))
    assert game.told(game.from_data(data)) == game.told(state) != []
    with pytest.raises(BadState):
        game.from_data({**data, "log": [line]})


def test_show__to_everyone_is_read_by_onlookers_too(looked: Match) -> None:
    looked.play("call 3")
    (shown, told) = looked.decided[-1].told
    assert (
        shown.text(looked.name_of)
        == shown.text(looked.name_of, 2)
        == f"Cleo’s hand is shown to everyone: {shown.shown}"
    )
    assert told.text(looked.name_of) == "Ben calls Cleo"


def test_work__counts_every_line_that_is_kept() -> None:
    game = load(PEEP, players=4)
    assert game.work.most_scored == 2  # a call shows and tells
    many = PEEP.replace("- show hand[p] to me", "- for each: n in 1..200\n        do: [show hand to me]")
    assert load(many, players=4).work.most_scored == 800
    with pytest.raises(RuleFileError, match="may score, tell or show 2,000 times; at most 1,000 are allowed"):
        load(many.replace("1..200", "1..500"), players=4)


def test_show__keeps_only_what_was_shown(looked: Match) -> None:
    *_, shown = looked.state.log()[-1]
    assert [len(numbers) for numbers in shown] == [2]  # where it lies, and the one card


def test_show__a_local_name_is_no_audience() -> None:
    """`everyone` is a word of this step only where it is nobody's name."""
    named = PEEP.replace("- show hand[p] to me", "- let everyone be next(me)\n      - show hand[p] to everyone")
    game = load(named, players=3)
    state = game.start(seed=4)
    (line,) = game.told(game.apply(state, game.legal_moves(state)[0]))
    assert line.to == {2}
