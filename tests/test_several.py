"""Players who decide at the same time: a shipped game against a second implementation, and what the others may know meanwhile."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter import CHANCE, Game, Move, State, load
from referee.bots import imagine
from referee.learn.history import History
from referee.learn.prepared import prepare
from referee.record.lines import Record, RecordedDecision, read_record, written
from referee.record.match import Match, NotAgreed
from referee.record.position import Audience, CannotWrite
from referee.record.redact import redact
from referee.shell.chronicle import Chronicle
from referee.web.messages import TableMessages
from tests.reference.pledges import Pledges
from tests.sizes import size
from tests.test_play import Person
from tests.web import PLAIN, guest, seated

ROOT = Path(__file__).parent.parent

HIDDEN_CARDS = {
    "rulespec": 1,
    "game": "Cards",
    "players": 3,
    "sets": {"card": ["ace", "king", "queen", "jack", "ten", "nine"], "aim": ["up", "down"]},
    "pieces": {"card": "1 in deck"},
    "places": {
        "deck": {"pile": "card", "seen by": "nobody"},
        "hand[player]": {"pile": "card", "seen by": "owner"},
        "row[player]": {"pile": "card"},
        "shade[player]": {"pile": "card", "seen by": "nobody"},
    },
    "variables": {"rounds": "0..9"},
    "setup": [{"for each": "p in player", "do": ["draw 2 from deck to hand[p]"]}],
    "play": [{"ask": "player", "to": "lay"}],
    "moves": {
        "lay": {
            "text": "lay {c} {a}",
            "choose": {"c": "hand[me]", "a": "aim"},
            "does": [
                {
                    "if": "a = up",
                    "then": ["move 1 of c from hand[me] to row[me]"],
                    "else": ["move 1 of c from hand[me] to shade[me]"],
                }
            ],
        }
    },
    "winner": {"any": "1"},
}


@pytest.fixture(scope="module")
def pledges() -> Game:
    return load("classics/pledges", players=3)


@pytest.fixture(scope="module")
def cards() -> Game:
    return load(HIDDEN_CARDS)


def begun(game: Game, seats: tuple[str, ...] = ("human", "human", "human")) -> Match:
    return Match.begin(game, seats, 4)


# The shipped game --------------------------------------------------------------------------------------------


@pytest.mark.sized
@pytest.mark.parametrize("players", [2, 3, 5])
def test_pledges__is_what_a_second_implementation_says(players: int) -> None:
    game = load("classics/pledges", players=players)
    for seed in range(size(8, 300)):
        rng, state, other = random.Random(seed), game.start(), Pledges(players)
        while state.to_move is not None:
            moves = game.legal_moves(state)
            assert [str(move) for move in moves] == other.moves()
            assert (state.to_move or None) == other.to_move
            move = rng.choice(moves)
            state = game.apply(state, move)
            other.decide(str(move))
            assert list(game.scores(state).values()) == other.scores
        outcome = game.outcome(state)
        assert outcome is not None and list(outcome.winners) == other.winners()


def test_undecided__are_asked_in_the_same_position_in_any_order(pledges: Game) -> None:
    state = pledges.start(4)
    assert pledges.undecided(state) == (1, 2, 3)
    offered = {player: pledges.legal_moves(state, player) for player in (1, 2, 3)}
    for player in (1, 2, 3):
        assert state.to_move == player and pledges.undecided(state)[0] == player
        assert pledges.legal_moves(state) == offered[player]
        before, state = state, pledges.apply(state, offered[player][2 * player])
        assert pledges.legal_moves(before, 4 - player) == (offered[4 - player] if player < 3 else [])
    assert pledges.held(state) == {}
    assert pledges.decisions(state)[-1] == Move("draw", pledges.decisions(state)[-1].args, "")


def test_asked__refuses_whoever_has_decided(pledges: Game) -> None:
    state = pledges.apply(pledges.start(4), "pledge 2")
    with pytest.raises(ValueError, match="player 1 is not among those who decide here"):
        pledges.asked(state, 1)
    assert pledges.objections(pledges.asked(state, 3), "pledge 16") != []


def test_reopened__is_as_before_the_first_answer(pledges: Game) -> None:
    first = pledges.start(4)
    assert pledges.reopened(pledges.apply(pledges.apply(first, "pledge 2"), "pledge 7")) == first


# What others may know ----------------------------------------------------------------------------------------


def test_view__does_not_depend_on_what_others_decided(pledges: Game) -> None:
    first = pledges.start(4)
    states = [pledges.apply(first, move) for move in pledges.legal_moves(first)]
    assert len(set(states)) == len(states) == 16
    for viewer in (None, 1, 2, 3):
        assert len({json.dumps(pledges.view(state, viewer)) for state in states}) == 1
    assert pledges.view(states[0], 2)["undecided"] == [2, 3]


@pytest.mark.parametrize("game", ["pledges", "cards"])
def test_words__are_kept_until_the_last_has_decided(game: str, request: pytest.FixtureRequest) -> None:
    match = begun(request.getfixturevalue(game))
    for _ in range(2):
        match.play(match.game.legal_moves(match.state)[1])
    first, second = match.unknown_yet()
    assert [match.words(first, viewer) for viewer in (None, 2, 3)] == [("?", "decided")] * 3
    assert match.words(first, 1) == (str(first.move), first.text)
    told = list(Chronicle(match).lines([first, second], 3))
    assert [line.split()[-1] for line in told] == ["decided", "decided"]
    match.play(match.game.legal_moves(match.state)[0])
    assert match.unknown_yet() == []
    told = list(Chronicle(match).lines(match.decided[-2:], 3))
    assert any("player 1" in line for line in told) and any("player 2" in line for line in told)
    assert match.words(first, 3)[0] != "?"


def test_words__of_hidden_cards_stay_hidden_if_any_such_card_does(cards: Game) -> None:
    match = begun(cards)
    for way in ("up", "down", "up"):
        match.play(next(move for move in cards.legal_moves(match.state) if str(move).endswith(way)))
    laid = match.decided[-3:]
    assert [match.words(d, 3)[0] == str(d.move) for d in laid] == [True, False, True]
    assert match.words(laid[1], 3)[0] == "lay ? down"
    assert match.words(laid[1], 2)[0] == str(laid[1].move)


def test_undo__is_free_until_the_last_has_decided(pledges: Game) -> None:
    match = begun(pledges)
    match.play("pledge 1")
    match.play("pledge 2")
    assert len(match.undo(to=len(match.decided) - 2)) == 2
    for move in ("pledge 1", "pledge 2", "pledge 3"):
        match.play(move)
    with pytest.raises(NotAgreed):
        match.undo()


def test_record__for_one_seat_never_shows_what_was_taken_back(pledges: Game) -> None:
    match = begun(pledges)
    for move in ("pledge 1", "pledge 2"):
        match.play(move)
    match.undo(to=len(match.decided) - 2)
    for move in ("pledge 3", "pledge 4", "pledge 5", "pledge 6"):
        match.play(move)
    record = read_record(written(match.header, tuple(match.entries)).encode())
    assert moves_of(record, 2) == ["?", "pledge 2", "pledge 3", "pledge 4", "pledge 5", "?"]
    assert moves_of(record, 1) == ["pledge 1", "?", "pledge 3", "pledge 4", "pledge 5", "pledge 6"]


def moves_of(record: Record, viewer: int) -> list[str]:
    _, entries = redact(record, viewer)
    return [e.move for e in entries if isinstance(e, RecordedDecision) and e.player != CHANCE]


def test_position__is_not_written_while_others_know_more(pledges: Game) -> None:
    match = begun(pledges)
    assert "at: pledge in auction; asked=1" in match.position_text(Audience(2))
    match.play("pledge 1")
    with pytest.raises(CannotWrite):
        match.position_text(Audience(2))
    assert "pledge 1" in match.position_text(Audience(1))
    assert "pledge 1" in match.position_text(Audience(everything=True))


def test_history__a_seat_learns_all_decisions_with_the_last_one(pledges: Game) -> None:
    prepared = prepare(pledges)
    moment = History(prepared, pledges.start(4))
    for move in ("pledge 1", "pledge 2", "pledge 3"):
        moment = moment.decide(prepared.number(pledges.parse_move(moment.state, move)))
    first, second, third = moment._line()[1:4]
    assert [line.learned(3).split("; ")[0] for line in (first, second)] == ["1: ?", "2: ?"]
    assert first.learned(1).startswith("1: pledge 1")
    assert third.learned(None).startswith("1: pledge 1; 2: pledge 2; 3: pledge 3")


# At one keyboard --------------------------------------------------------------------------------------------


def test_table__asks_when_all_have_shown(tmp_path: Path) -> None:
    words = ["table", "classics/pledges", "--players", "3", "--record", str(tmp_path / "a.jsonl")]
    lines = ["tiara", "pledge 1", "pledge 5", "pledge 4", "quit"]
    run = subprocess.run(
        [sys.executable, "-m", "rulespec", *words],
        input="\n".join(lines) + "\n",
        text=True,
        capture_output=True,
        cwd=ROOT,
        timeout=200,
    )
    said = " ".join(run.stdout.split())
    asked = (
        "player 1, player 2 and player 3: choose in secret, then show all at once; I ask for the answers after that."
    )
    assert said.count(asked) == 1
    assert said.index(asked) < said.index("pledge 1")


def test_play__nobody_reads_what_another_one_typed(tmp_path: Path) -> None:
    person = Person(
        ["classics/pledges", "--players", "2", "--seats", "Anna=human,Bob=human", "--no-record"],
        tmp_path / "a.jsonl",
        load("classics/pledges", players=2),
    )
    person.wait("Anna, press Enter. ")
    person.says("")
    person.child.sendline("pledge 13")
    person.wait("Bob, press Enter. ")
    person.prompt = "Bob> "
    shown = person.says("")
    assert "Anna: decided" in shown and "pledge 13" not in shown.split("Bob, press Enter")[-1].split("pledge 0")[0]
    person.child.sendline("pledge 2")
    person.wait("Anna, press Enter. ")
    person.prompt = "Anna> "
    assert "Bob: pledge 2" in person.says("")
    person.child.sendline("quit")
    person.rest()


# At a table in the browser -----------------------------------------------------------------------------------


def test_table__tells_what_was_decided_when_the_last_one_has() -> None:
    sitting = seated(game="classics/pledges", players=3)
    messages, made = TableMessages(sitting, PLAIN), len(sitting.match.decided)
    for seat in (1, 2):
        before = messages.moment()
        sitting.play(guest(sitting, seat), seat, f"pledge {seat}")
        told = json.loads(messages.change(before, 3))
        assert told["undecided"] == [2, 3][seat - 1 :]
        assert [line["move"] for line in told["log"]["lines"]] == ["?"]
        assert json.loads(messages.change(before, seat))["log"]["lines"][-1]["move"] == f"pledge {seat}"
    assert sitting.undo(guest(sitting, 1), 1, None) is None  # nobody is asked
    for seat in (1, 2, 3):
        before = messages.moment()
        sitting.play(guest(sitting, seat), seat, f"pledge {seat}")
    told = json.loads(messages.change(before, None))
    assert told["log"]["keep"] == made
    assert [line["move"] for line in told["log"]["lines"][:3]] == ["pledge 1", "pledge 2", "pledge 3"]
    assert sitting.undo(guest(sitting, 1), 1, None) is not None  # now the others must agree


# Bots --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["pledges", "cards"])
def test_imagine__draws_what_others_decided_anew(game: str, request: pytest.FixtureRequest) -> None:
    rules: Game = request.getfixturevalue(game)
    first = rules.start(4)
    states = [rules.apply(first, move) for move in rules.legal_moves(first)[:2]]
    found: list[set[State | None]] = []
    for state in states:
        dealt = [imagine(rules, state, 2, random.Random(n)) for n in range(30)]
        for other in dealt:
            assert other is not None and other.to_move == 2
            assert rules.view(other, 2) == rules.view(state, 2)
            (answer,) = rules.held(other).values()
            assert answer in rules.legal_moves(rules.reopened(other))
        found.append(set(dealt))
    assert len(found[0]) > 5 and found[0] == found[1]
