"""Positions as text: what is written is set up again, nothing hidden is in it, and records of games that begin there hold."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from interpreter import CHANCE, RuleFileError, load, load_traced
from referee.record.lines import RecordError, header_line, read_record, written
from referee.record.match import Match
from referee.record.position import Audience, CannotWrite, decision_name, read_position, set_up
from referee.record.redact import redact
from referee.record.replay import replay, resume
from referee.record.transcript import read_transcript, write_transcript
from referee.record.verdict import check_record
from tests.shipped import ROOT, game_of
from tests.sizes import SOAK, size
from tests.test_cli import Runner, run  # noqa: F401
from tests.test_engine import Asker
from tests.test_record import finish

GAMES = ("base", "duel", "classics/briscola", "classics/pig", "classics/reversi") + (
    "sintra", "pavilion", "classics/kalah", "classics/kuhn", "house/snake", "house/six_players",
) * SOAK  # fmt: skip
EVERYTHING = Audience(everything=True)
OPENING = """\
given:
  offer[1]: 2 blue, 2 red
  offer[centre]: token
  tray: nothing
  line[1, 2]: blue
  score[2]: 7
  turn: 2
at: take in offering
"""


def random_match(name: str, decisions: int, seed: int = 5) -> Match:
    game = game_of(name)
    match = Match.begin(game, ["random"] * game.players, seed, name=name)
    rng = random.Random(seed)
    while not match.over and len(match.decided) < decisions:
        match.play(rng.choice(game.legal_moves(match.state)))
    return match


@pytest.mark.sized
@pytest.mark.parametrize("name", GAMES)
def test_position__what_is_written_is_set_up_again(name: str) -> None:
    game = game_of(name)
    match = random_match(name, 0)
    rng = random.Random(2)
    tried = 0
    while not match.over:
        if rng.random() < size(4, 40) / 100:
            text = match.position_text(EVERYTHING, line=rng.random() < 0.5)
            again = set_up(game, read_position(text))
            assert again.vector == match.state.vector, text
            assert again.to_move == match.state.to_move and again.decisions == 0
            tried += 1
        match.play(rng.choice(game.legal_moves(match.state)))
    assert tried or name.startswith("classics/")


def test_position__of_a_question_in_the_middle_of_a_move_begins_before_the_move() -> None:
    match = random_match("sintra", 0)
    rng = random.Random(1)
    while match.game.decision(match.state).moves != ("keep",):  # type: ignore[union-attr]
        match.play(rng.choice(match.game.legal_moves(match.state)))
    text = match.position_text(EVERYTHING)
    assert text.endswith(f"play:\n  - {match.decided[-1].move}\n"), text
    assert set_up(match.game, read_position(text)).vector == match.state.vector


def test_position__shows_nothing_hidden() -> None:
    match = random_match("classics/briscola", 12)
    game, state = match.game, match.state
    while match.state.to_move != 1:
        match.play_bot()
        state = match.state
    text = match.position_text(Audience(1))
    assert "\n# not written, because it is hidden: " in text and "hand[2]" in text.split("\n")[1]
    mine, other = (dict(game.place(state, "hand", player)) for player in (1, 2))
    assert mine and other
    assert all(game.model.value_name(kind) in text for kind in mine)
    assert not any(game.model.value_name(kind) in text for kind in other)
    assert "hand[" not in match.position_text(Audience()).split("given:")[1]


FACE_DOWN = """\
rulespec: 1
game: Face down
players: 2
sets:
  card: [red, blue, green]
pieces:
  card: 2 in deck
places:
  deck: {pile: card, seen by: nobody}
  hand[player]: {pile: card, seen by: owner}
  laid[player]: {pile: card, seen by: owner}
variables:
  score[player]: 0..9
play:
  - for each: p in player
    do:
      - move all of red from deck to hand[p]
      - move 1 of blue from deck to hand[p]
      - ask: p
        to: lay
moves:
  lay:
    text: lay {c} face down
    choose: {c: card}
    needs:
      held: {that: "c in hand[me]", else: you have no such card}
    does:
      - move 1 of c from hand[me] to laid[me]
      - ask: next(me)
        to: say
      - if: c = red
        then:
          - add 1 to score[me]
  say:
    text: say {n}
    choose: {n: 1..2}
    does: []
winner:
  most points: score[me]
"""


@pytest.mark.parametrize("viewer", [2, None])
def test_position__names_no_choice_that_was_hidden(tmp_path: Path, viewer: int | None) -> None:
    (tmp_path / "face.yaml").write_text(FACE_DOWN, encoding="utf-8")
    match = Match.begin(load(tmp_path / "face.yaml"), ["human", "human"], 1)
    match.play("lay red")
    assert match.words(match.decided[-1], viewer)[0] == "lay ?"
    with pytest.raises(CannotWrite, match="without showing something hidden"):
        match.position_text(Audience(viewer))
    assert "red" in match.position_text(EVERYTHING)


def test_position__a_finished_game_has_none() -> None:
    match = random_match("classics/tictactoe", 100)
    with pytest.raises(CannotWrite, match="the game is over: there is no position to continue from"):
        match.position_text(EVERYTHING)


def test_position__before_anybody_decided_there_is_none() -> None:
    game = game_of("base")
    match = Match.begin(game, ["human"] * 2, None)
    assert match.state.to_move == CHANCE
    with pytest.raises(CannotWrite, match="a position begins where a player decides"):
        match.position_text(EVERYTHING)


@pytest.mark.parametrize(
    ("text", "where", "message", "fix"),
    [
        ("given: {bgg: nothing}\n", "1:9", "no place or variable called `bgg`", "did you mean `bag`?"),
        ("gven: {}\n", "1:1", "a position has no `gven`", "did you mean `given`?"),
        ("given: {}\nat: take in ofering\n", "2:5", "play reaches no decision called `take in ofering`; it reaches `take in offering`",
         "did you mean `take in offering`?"),
        ("at: [take]\n", "1:5", "expected the name of a decision after `at:`, as `position` writes it", ""),
        ("at: take in offering\nrun: play\n", "2:6",
         "expected `at:`, the decision that is open, or `run:`, the steps that come next; found both", ""),
        ("players: 3\n", "1:10", "this is a position for 3 players, and the game has 2", ""),
        ("with: {jokers: with}\n", "1:7", "this is a position with `jokers: with`, and the game is played with `without`", ""),
        ("at: take in offering\n", "1:5", "player 1 has no legal move in this position, so the game does not wait there", ""),
        ("run: offering\n", "1:1", "the game is over in this position: there is nothing to play", ""),
        ("just words\n", "1:1", "expected a position: `given:` with what lies where, and `at:` with the decision that is open", ""),
        (OPENING + "play: [take 1 white 1]\n", "9:8", "`take 1 white 1` is not legal", ""),
        (OPENING.replace("2 blue, 2", "21 blue, 2"), "2:13", "too few blue: 22 are given, but the game has 20", ""),
    ],
)  # fmt: skip
def test_position__what_cannot_be_set_up_is_refused(text: str, where: str, message: str, fix: str) -> None:
    with pytest.raises(RuleFileError) as caught:
        set_up(game_of("base"), read_position(text, "p.yaml"))
    first = caught.value.diagnostics[0]
    assert str(first.span) == f"p.yaml:{where}" and first.message.startswith(message) and first.fix == fix
    assert first.code == "example-unreadable" and first.why == "a position that cannot be read cannot be set up"


def test_position__the_one_in_the_docs_is_set_up() -> None:
    text = (ROOT / "docs" / "playing.md").read_text(encoding="utf-8")
    written_there = re.search(r"```text\n(# a position of .*?)```", text, re.DOTALL)
    assert written_there
    state = set_up(game_of("base"), read_position(written_there[1]))
    assert state.to_move == 2 and game_of("base").scores(state) == {1: 0, 2: 1}


def test_position__a_name_of_a_decision_cannot_be_forged() -> None:
    """Numbers of the engine are never read: the only names are those of decisions that play reaches."""
    game = game_of("sintra")
    for name in ("extend or move_glazier in taking; r=7", "extend or move_glazier in taking; r=-1", "keep", "0"):
        with pytest.raises(RuleFileError, match="play reaches no decision called"):
            set_up(game, read_position(json.dumps({"at": name})))


# records -------------------------------------------------------------------------------------------------


def test_record__of_a_game_that_begins_in_a_position_verifies_and_resumes(tmp_path: Path) -> None:
    game, path = game_of("base"), tmp_path / "game.jsonl"
    match = Match.begin(game, ["random"] * 2, 4, name="base", position=read_position(OPENING))
    match.record_to(path)
    assert match.state.to_move == 2 and match.start_scores == {1: 0, 2: 7}
    match.play("take 1 red 3")
    match.play_bot()
    match.close()
    assert path.read_bytes().startswith(b'{"record":2,')
    again = resume(path)
    assert again.position == OPENING and again.state.vector == match.state.vector
    finish(again)
    match.stop_recording()
    finish(match)
    assert again.state.vector == match.state.vector  # the same luck
    record = read_record(path.read_bytes())
    checked = check_record(record)
    assert checked.damage is None and checked.notes == ()
    assert read_transcript(write_transcript(record).encode()) == record


def test_record__chance_before_the_first_decision_of_a_position(tmp_path: Path) -> None:
    """`run:` may begin with draws: they follow from the seed, and a record that stops among them is continued."""
    game, path = game_of("base"), tmp_path / "game.jsonl"
    match = Match.begin(game, ["random"] * 2, 4, name="base", position=read_position("run: deal\n"))
    assert len(match.decided) == 20
    match.record_to(path)
    match.close()
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join(lines[:9]) + b"\n")
    assert [d.move for d in resume(path).decided] == [d.move for d in match.decided]


def test_record__format_and_position_belong_together() -> None:
    match = Match.begin(game_of("base"), ["random"] * 2, 4, name="base", position=read_position(OPENING))
    line, _ = header_line(match.header)
    plain, _ = header_line(Match.begin(game_of("base"), ["random"] * 2, 4, name="base").header)
    assert line.startswith('{"record":2,') and plain.startswith('{"record":1,') and '"position"' not in plain
    for text in (line.replace('"record":2', '"record":1'), plain.replace('"record":1', '"record":2')):
        with pytest.raises(RecordError):
            read_record(text.encode())


def test_record__for_one_player_has_the_position_as_they_see_it() -> None:
    match = Match.begin(game_of("base"), ["random"] * 2, 4, name="base", position=read_position(OPENING))
    match.play_bot()
    record = read_record(written(match.header, tuple(match.entries)).encode())
    header, entries = redact(record, 1)
    assert header.position.startswith("# a position of Azul\n# not written, because it is hidden: bag\n")
    assert replay(read_record(written(header, entries).encode())).damage is None


def test_record__a_position_with_secrets_is_not_redacted() -> None:
    match = random_match("classics/briscola", 12)
    position = read_position(match.position_text(EVERYTHING))
    begun = Match.begin(match.game, ["random"] * 2, 4, name="classics/briscola", position=position)
    record = read_record(written(begun.header, ()).encode())
    with pytest.raises(RecordError, match="the record begins in a position that shows what player 1 did not see"):
        redact(record, 1)


# commands ------------------------------------------------------------------------------------------------


def test_play__a_position_is_written_in_one_game_and_begun_in_another(run: Runner) -> None:  # noqa: F811
    typed = "take 1 {} 1\nposition there.yaml\nposition there.yaml\nquit\n"
    game = game_of("base")
    first = Match.begin(game, ["human", "random"], 5)
    colour = str(game.legal_moves(first.state)[0]).split()[2]
    said = run("play", "base", "--seed", "5", "--seats", "human,random", stdin=typed.format(colour))
    assert "saved as there.yaml" in said.out and "there is already a file `there.yaml`" in said.err
    first.play(f"take 1 {colour} 1")
    first.play_bot()
    seats = ("--seats", "Anna=human,Ben=random", "--seed", "9")
    said = run(
        "play", "base", "--position", "there.yaml", *seats, "--record", "r.jsonl", stdin="position --line\nquit\n"
    )
    line = next(line for line in said.out.split("\n") if line.startswith("{"))
    assert set_up(game, read_position(line)).vector == first.state.vector
    assert run("verify", "r.jsonl").code == 0
    said = run("play", "base", "--position", line, *seats, "--json", stdin=f"{game.legal_moves(first.state)[0]}\n")
    assert said.code == 1 and "the input ended before the game did" in said.err


def test_play__a_bad_position_is_shown_with_its_line(run: Runner) -> None:  # noqa: F811
    run.write("p.yaml", "given:\n  offre[1]: blue\n")
    complaint = """\
{file}:2:3: error[example-unreadable]: no place or variable called `offre`
    2 |   offre[1]: blue
      |   ^^^^^^^^
  why: a position that cannot be read cannot be set up
  fix: did you mean `offer`?
"""
    for where, file, stdin in (("p.yaml", "p.yaml", ""), ("-", "position", "given:\n  offre[1]: blue\n")):
        for command in (("play", "base", "--seats", "random"), ("table", "base", "--names", "Anna,Ben")):
            said = run(*command, "--position", where, stdin=stdin)
            assert (said.code, said.out, said.err) == (1, "", complaint.format(file=file))
    said = run("play", "base", "--position", "p.yaml", "--first", "2")
    assert said.code == 2 and "a position says who is to move: leave out `--first`" in said.err


def test_table__a_game_is_taken_up_from_what_lies_on_the_table(run: Runner) -> None:  # noqa: F811
    run.write("p.yaml", OPENING)
    said = run(
        "table",
        "base",
        "--names",
        "Anna,Ben",
        "--position",
        "p.yaml",
        "--record",
        "t.jsonl",
        stdin="take 1 red 3\nquit\n",
    )
    assert (
        "Set up:\n  Bag: 95 pieces\n  display 1: 2 blue and 2 red\n  the centre: token\n  line 2 of Anna: blue\n"
        in said.out
    )
    assert "Ben decides first.\n" in said.out and "move everything (2 blue) from display 1 to the centre" in said.out
    assert run("verify", "t.jsonl").code == 0
    assert "1  Ben" in run("table", "--resume", "t.jsonl", stdin="quit\n").out


def test_table__the_same_position_as_on_the_screen() -> None:
    text = random_match("duel", 60).position_text(EVERYTHING)
    plain, traced = game_of("duel"), load_traced("duel")
    assert set_up(plain, read_position(text)).vector == set_up(traced, read_position(text)).vector
    assert decision_name(plain, set_up(plain, read_position(text)))


def test_engine__position_and_new() -> None:
    asker = Asker("base")
    asker.ask("new", seed=8)
    asker.ask("play", move="take 1 blue 2")
    text = asker.ask("position")["position"]
    seen = asker.ask("position", viewer=1, line=True)["position"]
    moves = asker.ask("moves")
    assert "  bag: " in text and "bag" not in json.loads(seen)["given"]
    for position in (text, seen):
        state = asker.ask("new", position=position, seed=3)
        assert state["to_move"] == 2 and state["decisions"] == 0
        assert asker.ask("moves") == moves
    error = asker.refused("new", position="given: {x: 1}")
    assert error["code"] == "bad-position" and error["problems"][0]["message"] == "no place or variable called `x`"
    assert asker.refused("new", position=text, first=1)["code"] == "bad-field"
    record = asker.ask("save")["record"]
    assert asker.ask("load", record=record)["to_move"] == 2
    asker.ask("new", seed=None)
    assert asker.refused("position")["code"] == "no-position"
