"""A table without a network: seats and keys, moves, taking back, typed chance, what is written, what others see."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from interpreter import TracedState
from referee.bots import imagine
from referee.engine.stream import Refusal
from referee.record.lines import Seat, SeatsChange, read_record, written
from referee.web import workbench
from referee.web.messages import TableMessages
from referee.web.seen_moves import seen_moves
from referee.web.sitting import Sitting
from referee.web.store import StoreError
from rulespec import shipped_games
from tests.sizes import size
from tests.web import PLAIN, MemoryShelf, guest, seated

HIDING = (Path(__file__).parent / "games" / "secret_cards.yaml").read_text(encoding="utf-8")


class refused:  # it reads like pytest.raises
    """A block that must be refused with a code."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.error: Refusal | None = None

    def __enter__(self) -> refused:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        assert isinstance(error, Refusal), f"expected to be refused with {self.code}, found {error!r}"
        assert error.code == self.code, error.message
        self.error = error
        return True


def table_of(game: str) -> Sitting:
    return seated(rules=HIDING) if game == "hiding" else seated(game=game)


def legal(sitting: Sitting) -> list[str]:
    return [str(move) for move in sitting.match.game.legal_moves(sitting.match.state)]


def play_first(sitting: Sitting) -> None:
    seat = sitting.match.state.to_move
    assert seat
    sitting.play(guest(sitting, seat), seat, legal(sitting)[0])


# Keys ------------------------------------------------------------------------------------------------------------


def test_keys__each_opens_its_own_seat_and_no_other() -> None:
    sitting = seated(game="classics/nim")
    assert guest(sitting, 1).seats == {1}
    assert guest(sitting, 1, 2).seats == {1, 2}
    assert guest(sitting).seats == frozenset()
    assert guest(sitting, host=True).host
    for keys in ([], ["x" * 22], [sitting.keys.seats[0], "x" * 22], ["\ud800"]):
        with refused("wrong-key"):
            sitting.admit(keys)
    with refused("not-your-seat"):
        sitting.admit([sitting.keys.seats[0]], 2, default=False)


def test_keys__have_128_bits_and_differ() -> None:
    keys = seated(game="classics/nim").keys
    every = {keys.host, keys.onlooker, *keys.seats}
    assert len(every) == 4
    assert all(len(key) == 22 for key in every)


def test_keys__who_renews_keeps_the_seat_alone() -> None:
    shelf = MemoryShelf()
    sitting = seated(shelf, game="classics/nim")
    old = sitting.keys.seats[1]
    new = sitting.renew(guest(sitting, 2), 2)
    assert sitting.admit([new]).seats == {2}
    with refused("wrong-key"):
        sitting.admit([old])
    invited = sitting.invitations(guest(sitting, host=True))
    assert [seat["key"] is None for seat in invited["seats"]] == [False, True]
    assert shelf.loaded("t").admit([new]).seats == {2}
    with refused("not-your-seat"):
        sitting.renew(guest(sitting, 1), 2)
    with refused("not-host"):
        sitting.invitations(guest(sitting, 1))


def test_seats__names_and_bots() -> None:
    sitting = seated(game="classics/nim", seats=[{"name": "Anna"}, {}])
    sitting.name(guest(sitting, 2), 2, " Ben ")
    assert [seat.name for seat in sitting.match.seats] == ["Anna", "Ben"]
    for name in ("", "anna", "x" * 31, "a\u202eb", "\x07"):
        with refused("bad-field"):
            sitting.name(guest(sitting, 2), 2, name)
    with refused("not-your-seat"):
        sitting.name(guest(sitting, 1), 2, "Cleo")
    with refused("not-host"):
        sitting.set_bot(guest(sitting, 2), 2, "random")
    for who in ("nobody", "search:11", "search:x", "greedy:1"):
        with refused("bad-field"):
            sitting.set_bot(guest(sitting, host=True), 2, who)
    sitting.set_bot(guest(sitting, host=True), 2, "random")
    assert sitting.match.people == [1]


def test_seats__a_bot_on_somebodys_seat_opens_nothing_to_the_others() -> None:
    """The host could put a bot there, look at the whole record, and let the person sit down again."""
    shelf = MemoryShelf()
    sitting = seated(shelf, game="classics/kuhn")
    sitting.play(guest(sitting, 1), 1, legal(sitting)[0])
    sitting.set_bot(guest(sitting, host=True), 2, "random")
    assert sitting.play_bot(sitting.version, legal(sitting)[-1])
    for found in (sitting, shelf.loaded("t")):
        assert found.match.people == [1]
        assert not found.has_all_people(guest(found, 1, host=True))
        with refused("not-your-seat"):
            found.check_may_change_rules(guest(found, 1, host=True))
        assert found.has_all_people(guest(found, 1, 2))
        found.check_may_change_rules(guest(found, 1, 2, host=True))
    request = sitting.undo(guest(sitting, 1), 1, None)
    assert request is not None and request.needs == (2,)
    sitting.set_bot(guest(sitting, host=True), 2, "greedy")
    assert sitting.request == request
    assert sitting.agree(guest(sitting, 2), 2, True)


def test_seats__who_sits_down_later_counts_from_then_on() -> None:
    shelf = MemoryShelf()
    sitting = seated(shelf, game="classics/kuhn", seats=[{}, {"who": "random"}])
    assert sitting.has_all_people(guest(sitting, 1))
    sitting.set_bot(guest(sitting, host=True), 2, "human")
    sitting.set_bot(guest(sitting, host=True), 2, "random")
    assert not sitting.has_all_people(guest(sitting, 1))
    sitting.go_on_under(read_record(workbench.do("begin", {"game": "classics/kuhn", "seats": BOTS})["record"].encode()))
    assert not sitting.has_all_people(guest(sitting, 1))  # other rules change nothing about that
    version, doc, header, lines = shelf.tables["t"]
    assert not shelf.loaded("t").has_all_people(guest(sitting, 1))
    del doc["people"]  # as an earlier version of the program kept it
    assert Sitting.load("t", shelf, version, doc, (header + "".join(lines)).encode()).has_all_people(guest(sitting, 1))


BOTS = [{"who": "random"}, {"who": "random"}]
LONG = "A\x1b[31m\u202eB" * 200


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        (Seat(LONG, "human"), Seat("B", "human"), "expected a name of 1 to 30 printable characters, found 1600"),
        (Seat("A", "human"), Seat("", "human"), "expected a name of 1 to 30 printable characters, found 0"),
        (Seat("Anna", "human"), Seat("anna ", "human"), "`Anna` sits here already"),
        (Seat("A", "search:99999"), Seat("B", "human"), "seconds"),
        (Seat("A", "search:99999999999p"), Seat("B", "human"), "passes"),
        (Seat("A", "quick:999999999"), Seat("B", "human"), "plays"),
        (Seat("A", "nonsense"), Seat("B", "human"), "expected `human` or one of the bots"),
    ],
)
def test_seats__of_a_record_are_checked_like_any_others(first: Seat, second: Seat, message: str) -> None:
    record = read_record(workbench.do("begin", {"game": "classics/kuhn"})["record"].encode())
    seats = (first, second)
    at_first = written(replace(record.header, seats=seats), record.entries)
    later = written(record.header, (*record.entries, SeatsChange(seats)))
    for text in (at_first, later):
        error = workbench.do("begin", {"record": text})["error"]
        assert error["code"] == "bad-record"
        assert message in error["message"]
    assert "error" not in workbench.do("begin", {"record": written(record.header, record.entries)})


# Moves -----------------------------------------------------------------------------------------------------------


def test_moves__only_of_the_seat_whose_turn_it_is() -> None:
    sitting = seated(game="classics/tictactoe")
    move = legal(sitting)[0]
    version = sitting.version
    with refused("not-your-turn"):
        sitting.play(guest(sitting, 2), 2, move)
    with refused("not-your-seat"):
        sitting.play(guest(sitting, 2), 1, move)
    with refused("not-your-seat"):
        sitting.play(guest(sitting), 1, move)
    with refused("not-your-turn"):
        sitting.play(guest(sitting, host=True), 0, move)
    with refused("unreadable-move"):
        sitting.play(guest(sitting, 1), 1, "jump")
    assert sitting.version == version
    sitting.play(guest(sitting, 1), 1, move)
    with refused("illegal-move") as found:
        sitting.play(guest(sitting, 2), 2, move)
    assert found.error is not None
    assert found.error.data["objections"][0]["text"]
    assert found.error.data["move"] == move


def test_moves__one_that_cannot_be_stored_is_not_made() -> None:
    shelf = MemoryShelf()
    sitting = seated(shelf, game="classics/tictactoe")
    shelf.broken = True
    before = sitting.match.state
    with pytest.raises(StoreError):
        sitting.play(guest(sitting, 1), 1, legal(sitting)[0])
    assert sitting.match.state is before
    shelf.broken = False
    play_first(sitting)
    assert shelf.loaded("t").match.state == sitting.match.state


@pytest.mark.parametrize("game", ["base", "classics/briscola", "classics/pig", "duel"])
def test_restart__goes_on_where_it_was(game: str) -> None:
    shelf = MemoryShelf()
    sitting, same = seated(shelf, game=game), random.Random(1)
    for _ in range(12):
        seat = sitting.match.state.to_move
        assert seat
        sitting.play(guest(sitting, seat), seat, same.choice(legal(sitting)))
        again = shelf.loaded("t")
        assert again.match.state == sitting.match.state
        assert again.match.state.seed == sitting.match.state.seed
        assert (again.version, again.keys) == (sitting.version, sitting.keys)
        if same.random() < 0.5:
            sitting = again


def test_versions__only_rise() -> None:
    shelf = MemoryShelf()
    sitting = seated(shelf, game="classics/tictactoe")
    seen = [sitting.version]
    play_first(sitting)
    seen.append(sitting.version)
    sitting.undo(guest(sitting, 1), 1, None)
    seen.append(sitting.version)
    sitting.name(guest(sitting, 1), 1, "Anna")
    seen.append(sitting.version)
    assert seen == sorted(set(seen))
    with refused("out-of-step"):
        sitting.check_version(seen[0])
    assert shelf.loaded("t").version == seen[-1]


# Taking back -----------------------------------------------------------------------------------------------------


def test_undo__of_what_concerns_nobody_else_is_done_at_once() -> None:
    sitting = seated(game="classics/tictactoe")
    with refused("nothing-to-undo"):
        sitting.undo(guest(sitting, 1), 1, None)
    play_first(sitting)
    assert sitting.undo(guest(sitting, 1), 1, None) is None
    assert sitting.match.decided == []


def test_undo__asks_those_who_decided_since() -> None:
    shelf = MemoryShelf()
    sitting = seated(shelf, game="classics/tictactoe")
    play_first(sitting)
    play_first(sitting)
    request = sitting.undo(guest(sitting, 1), 1, None)
    assert request is not None and request.needs == (2,) and request.to == 0
    assert shelf.loaded("t").request == request
    with refused("no-request"):
        sitting.agree(guest(sitting, 1), 1, True)
    assert sitting.agree(guest(sitting, 2), 2, False) is False
    assert sitting.request is None and len(sitting.match.decided) == 2
    sitting.undo(guest(sitting, 1), 1, None)
    assert sitting.agree(guest(sitting, 2), 2, True) is True
    assert sitting.match.decided == [] and shelf.loaded("t").match.decided == []


def test_undo__a_move_drops_the_request() -> None:
    sitting = seated(game="classics/tictactoe")
    play_first(sitting)
    play_first(sitting)
    sitting.undo(guest(sitting, 1), 1, None)
    play_first(sitting)
    assert sitting.request is None
    with refused("no-request"):
        sitting.agree(guest(sitting, 2), 2, True)


def test_undo__what_was_turned_up_concerns_everybody() -> None:
    sitting = seated(game="base", players=3)
    opening = len(sitting.match.decided)
    while not any(d.player == 0 for d in sitting.match.decided[opening:]):
        play_first(sitting)
    last = next(d.player for d in reversed(sitting.match.decided) if d.player)
    request = sitting.undo(guest(sitting, last), last, None)
    assert request is not None and set(request.needs) == {1, 2, 3} - {last}
    assert sitting.shown(request)
    others = sorted(request.needs)
    assert sitting.agree(guest(sitting, others[0]), others[0], True) is False
    assert sitting.agree(guest(sitting, others[1]), others[1], True) is True


def test_undo__bots_agree() -> None:
    sitting = seated(game="classics/tictactoe", seats=[{}, {"who": "random"}])
    play_first(sitting)
    assert sitting.play_bot(sitting.version, legal(sitting)[0])
    assert sitting.undo(guest(sitting, 1), 1, None) is None


def test_bots__a_move_that_was_thought_for_another_position_is_not_made() -> None:
    sitting = seated(game="classics/tictactoe", seats=[{"who": "random"}, {}])
    move, version = legal(sitting)[0], sitting.version
    sitting.name(guest(sitting, host=True), 2, "Anna")
    assert not sitting.play_bot(version, move)
    assert sitting.play_bot(sitting.version, move)
    assert not sitting.play_bot(sitting.version, legal(sitting)[0])  # it is a person's turn


# Chance that is typed --------------------------------------------------------------------------------------------


def test_typed_chance__who_sees_it_types_it() -> None:
    sitting = seated(game="classics/pig", chance="typed")
    assert sitting.typed
    while sitting.match.state.to_move != 0:
        play_first(sitting)
    assert sitting.waiting == "chance"
    assert sitting.may_type(guest(sitting, 1)) and sitting.may_type(guest(sitting, host=True))
    assert not sitting.may_type(guest(sitting))
    with refused("not-your-seat"):
        sitting.play(guest(sitting), 0, legal(sitting)[0])
    with refused("illegal-move"):
        sitting.play(guest(sitting, 1), 0, "roll 7")
    sitting.play(guest(sitting, 2), 0, legal(sitting)[-1])


DEALT = """
rulespec: 1
game: One each
players: 2
sets:
  card: [sword, shield, crown, ring]
pieces:
  card: 1 in deck
places:
  deck: {pile: card, seen by: nobody}
  hand[player]: {pile: card}
  aside: {pile: card, seen by: nobody}
setup:
  - draw 1 from deck to aside
  - for each: p in player
    do:
      - draw 1 from deck to hand[p]
play:
  - ask: 1
    to: lay
moves:
  lay:
    text: lay {c} face down
    choose: {c: card}
    needs:
      in hand:
        that: c in hand[me]
        else: you have no {c}
    does:
      - move 1 of c from hand[me] to aside
winner:
  nobody: 1
"""


@pytest.mark.parametrize(
    ("game", "asks"),
    [("base", ["display 1"] * 4 + ["display 2"]), ("classics/pig", ["roll a"])],
    ids=["draws", "rolls"],
)
def test_typed_chance__says_what_is_asked_for(game: str, asks: list[str]) -> None:
    sitting = seated(game=game, chance="typed")
    while sitting.match.state.to_move != 0:
        assert json.loads(TableMessages(sitting, PLAIN).whole(guest(sitting)))["asks"] is None
        play_first(sitting)
    found = []
    for _ in asks:
        found.append(json.loads(TableMessages(sitting, PLAIN).whole(guest(sitting)))["asks"])
        sitting.play(guest(sitting, 1), 0, legal(sitting)[0])
    assert found == asks


def test_typed_chance__what_nobody_sees_is_decided_and_noted_as_assumed() -> None:
    sitting = seated(rules=DEALT, chance="typed")
    assert len(sitting.match.decided) == 1
    assert sitting.match.assumed == {1}
    assert sitting.match.state.to_move == 0


def test_typed_chance__not_where_people_hold_what_others_do_not_see() -> None:
    """What can be drawn would tell what the others hold."""
    hands = DEALT.replace("hand[player]: {pile: card}", "hand[player]: {pile: card, seen by: owner}")
    found = workbench.do("begin", {"rules": hands, "chance": "typed"})
    assert found["error"]["code"] == "bad-choice"
    assert "`hand`" in found["error"]["message"]


# What others see -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["duel", "classics/briscola", "classics/pledges", "hiding"])
def test_secrets__messages_are_the_same_whatever_the_hidden_pieces_are(game: str) -> None:
    """A whole and a change are equal for positions that look the same: nothing in them depends on what is hidden."""
    sitting, luck = table_of(game), random.Random(5)
    match = sitting.match
    compared = 0
    while compared < size(10, 200):
        if match.over:  # a table draws its own seed, and in some games little is ever hidden
            sitting = table_of(game)
            match = sitting.match
        for viewer in range(1, match.game.players + 1):
            other = imagine(match.game, match.state, viewer, luck)
            if other is None or other == match.state:
                continue
            real, match_state = TableMessages(sitting, PLAIN).whole(guest(sitting, viewer)), match.state
            match.state = other.with_seed(match.state.seed)
            assert TableMessages(sitting, PLAIN).whole(guest(sitting, viewer)) == real
            match.state = match_state
            compared += 1
        seat = match.state.to_move
        assert seat
        sitting.play(guest(sitting, seat), seat, luck.choice(legal(sitting)))


@pytest.mark.parametrize("game", ["duel", "classics/briscola", "hiding"])
def test_secrets__events_name_no_piece_that_the_viewer_did_not_see(game: str) -> None:
    sitting, luck = table_of(game), random.Random(6)
    match = sitting.match
    hidden = 0
    for _ in range(40):
        if match.over:
            break
        seat = match.state.to_move
        assert seat
        sitting.play(guest(sitting, seat), seat, luck.choice(legal(sitting)))
    for d in match.decided:
        assert isinstance(d.after, TracedState)
        for viewer in (None, *range(1, match.game.players + 1)):
            views = match.game.view(d.before, viewer)["places"], match.game.view(d.after, viewer)["places"]
            for seen in seen_moves(match.game, d.after.moved, viewer):
                ends = [view[spot] for view in views for spot in (seen.source, seen.goal)]
                if seen.piece is None:
                    hidden += 1
                    assert all(_is_hidden(end) for end in ends)
                else:
                    assert not all(_is_hidden(end) for end in ends)
    assert hidden


def _is_hidden(lying: Any) -> bool:
    return isinstance(lying, dict) and "hidden" in lying


def test_secrets__an_onlooker_and_the_host_see_no_hand() -> None:
    sitting = seated(rules=HIDING)
    own = json.loads(TableMessages(sitting, PLAIN).whole(guest(sitting, 1)))["scene"]["places"]["hand[1]"]
    for other in (guest(sitting), guest(sitting, host=True), guest(sitting, 2)):
        told = json.loads(TableMessages(sitting, PLAIN).whole(other))
        assert told["scene"]["places"]["hand[1]"] != own
        assert told["scene"]["moves"] == [] and "seed" not in json.dumps(told)


def test_stepping_back__shows_what_the_seat_saw() -> None:
    sitting = seated(rules=HIDING)
    while not sitting.match.over:
        play_first(sitting)
    messages = TableMessages(sitting, PLAIN)
    made = len(sitting.match.decided)
    for n in range(made + 1):
        for viewer in (None, 1, 2):
            found = messages.at(viewer, n)
            state = sitting.match.state if n == made else sitting.match.decided[n].before
            assert found["scene"]["places"] == json.loads(json.dumps(sitting.match.game.view(state, viewer)["places"]))
            assert found["scene"]["moves"] == []


def test_changes__add_up_to_the_whole() -> None:
    sitting, luck = seated(game="classics/briscola"), random.Random(2)
    messages = TableMessages(sitting, PLAIN)
    known = {look: json.loads(messages.whole(guest(sitting, *([look] if look else [])))) for look in (None, 1, 2)}
    for _ in range(30):
        before = messages.moment()
        seat = sitting.match.state.to_move
        if not seat:
            break
        if luck.random() < 0.2 and sitting.may_undo(seat):
            request = sitting.undo(guest(sitting, seat), seat, None)
            if request is not None:
                for other in request.needs:
                    sitting.agree(guest(sitting, other), other, True)
        else:
            sitting.play(guest(sitting, seat), seat, luck.choice(legal(sitting)))
        for look, had in known.items():
            change = json.loads(messages.change(before, look))
            assert change["from"] == had["version"]
            lines = [line for line in had["log"]["lines"] if line["number"] <= change["log"]["keep"]]
            log = {"from": had["log"]["from"], "lines": lines + change["log"]["lines"]}
            scene = {**had["scene"], **(change["change"] or {})}
            now = {**had, **{k: v for k, v in change.items() if k in had}, "log": log, "scene": scene, "tell": "whole"}
            fresh = json.loads(TableMessages(sitting, PLAIN).whole(guest(sitting, *([look] if look else []))))
            if change["log"]["lines"]:
                assert now["events"] == fresh["events"]
            assert {**now, "events": fresh["events"]} == fresh  # what was taken back moved nothing
            known[look] = now


@pytest.mark.soak
@pytest.mark.parametrize("game", list(shipped_games()))
def test_tables__every_shipped_game_can_be_played(game: str) -> None:
    sitting = seated(game=game)
    for _ in range(3):
        if not sitting.match.over:
            play_first(sitting)
    assert json.loads(TableMessages(sitting, PLAIN).whole(guest(sitting, 1)))["made"] >= 3
