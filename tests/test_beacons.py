"""Beacons against a second implementation in plain Python, and what its players may know of bids."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import dataclass, field
from functools import partial

import pytest

from interpreter import CHANCE, State, load
from interpreter.game import load_traced
from referee.bots import BOTS, Bot, play_quick, play_search
from referee.bots.unseen import Unseen
from referee.learn.history import History
from referee.learn.prepared import PreparedGame
from referee.picture.scene import scene
from referee.record.lines import Seat, read_record, written
from referee.record.match import Match, NotAgreed
from referee.record.position import Audience
from referee.record.redact import redact
from referee.record.transcript import write_transcript
from referee.shell.board import Board
from referee.shell.chronicle import Chronicle
from referee.table.announce import Announcer
from referee.table.real_game import RealGame
from tests.sizes import size

GLOW = {"ember": 1, "cresset": 2, "pharos": 3, "bonfire": 4, "brazier": 5, "daystar": 6}


@dataclass
class Coast:
    """The game as one would program it."""

    players: int
    keeper: int = 1
    coins: dict[int, int] = field(default_factory=dict)
    light: Counter[int] = field(default_factory=Counter)
    bids: list[tuple[int, int]] = field(default_factory=list)  # of this auction: who, and how much

    def __post_init__(self) -> None:
        self.coins = dict.fromkeys(range(1, self.players + 1), 12)

    @property
    def bidder(self) -> int:
        return (self.keeper - 1 + len(self.bids)) % self.players + 1

    def bid(self, coins: int, beacon: str) -> None:
        self.bids.append((self.bidder, coins))
        if len(self.bids) == self.players:
            self.keeper, paid = max(self.bids, key=lambda bid: bid[1])  # the first of equal ones
            self.coins[self.keeper] -= paid
            self.light[self.keeper] += GLOW[beacon]
            self.bids = []


@pytest.mark.sized
@pytest.mark.parametrize("players", [2, 3, 5])
def test_beacons__is_what_a_second_implementation_says(players: int) -> None:
    game = load("classics/beacons", players=players)
    for seed in range(size(20, 400)):
        rng, state, coast, beacon = random.Random(seed), game.start(), Coast(players), ""
        sold: set[str] = set()
        while state.to_move is not None:
            legal = game.legal_moves(state)
            move = rng.choice(legal)
            if state.to_move == CHANCE:
                beacon = str(move).removeprefix("draw ")
                assert {str(m).removeprefix("draw ") for m in legal} == GLOW.keys() - sold
                sold.add(beacon)
            else:
                assert state.to_move == coast.bidder
                assert [str(m) for m in legal] == [f"write_bid {n}" for n in range(coast.coins[coast.bidder] + 1)]
                coast.bid(int(str(move).split()[1]), beacon)
            state = game.apply(state, move)
        assert len(sold) == 6
        assert {p: game.variable(state, "coins", p) for p in coast.coins} == coast.coins
        outcome = game.outcome(state)
        assert outcome is not None
        ranks = {p: (coast.light[p], coast.coins[p]) for p in coast.coins}
        assert set(outcome.winners) == {p for p, rank in ranks.items() if rank == max(ranks.values())}


# What players know ----------------------------------------------------------------------------------------


def bidding(bids: str, players: int = 3, traced: bool = False) -> Match:
    """Return a game in which these bids were written, one after another, for beacons in their order."""
    game = (load_traced if traced else load)("classics/beacons", players)
    match = Match.begin(game, [Seat(name, "human") for name in ("Anna", "Ben", "Cleo")[:players]], None)
    beacons = iter(GLOW)
    for bid in bids.split():
        if match.state.to_move == CHANCE:
            match.play(f"draw {next(beacons)}")
        match.play(f"write_bid {bid}")
    return match


def seen(match: Match, viewer: int | None) -> dict[str, str]:
    """Return all that is shown to a player, or for None an onlooker."""
    game, state = match.game, match.state
    match.begun = "2026-01-01T00:00:00Z"
    header, entries = redact(read_record(written(match.header, tuple(match.entries)).encode()), viewer)
    moments = History(PreparedGame(game), game.start())
    for d in match.decided:
        number = moments.prepared.chance_number(d.move) if not d.player else moments.prepared.number(d.move)
        moments = moments.decide(number)
    found = {
        "view": json.dumps(game.view(state, viewer)),
        "scene": json.dumps(scene(game, state, viewer)),
        "board": str(Board(game).lines(state, viewer)),
        "chronicle": "\n".join(Chronicle(match).lines(match.decided, viewer)),
        "record": written(header, entries),
        "transcript": write_transcript(read_record(written(header, entries).encode()), rules=False),
        "history": moments.known(viewer),
    }
    if state.to_move:
        found["position"] = match.position_text(Audience(viewer))
    if viewer is not None:
        found["observation"] = str(moments.prepared.observation(state, viewer).tolist())
    return found


def test_bids__nobody_else_is_shown_one_before_all_are() -> None:
    one, other = bidding("3 5"), bidding("3 7")
    for viewer in (1, 3, None):
        assert seen(one, viewer) == seen(other, viewer)
        assert "write_bid ?" in seen(one, viewer)["record"]
    mine = seen(one, 2), seen(other, 2)
    assert [name for name in mine[0] if mine[0][name] == mine[1][name]] == []
    assert '"bid[2]": 5' in mine[0]["view"] and '"bid[1]": "?"' in mine[0]["view"]


def test_bids__all_are_shown_together() -> None:
    match = bidding("3 5 2")
    told = [line.text(match.name_of, viewer) for viewer in (1, None) for line in match.decided[-1].told]
    said = "Anna’s bid and Ben’s bid and Cleo’s bid are shown to everyone: 3; 5; 2"
    assert told == [said, "Ben lights the ember and has 7 left"] * 2


def test_bids__are_taken_back_freely_until_they_are_shown() -> None:
    match = bidding("3 5")
    assert [str(d.move) for d in match.undo()] == ["write_bid 5"]
    match = bidding("3 5 2")
    with pytest.raises(NotAgreed):
        match.undo()
    assert match.sight.reveals(match.decided[-1].before, match.decided[-1].move)


def test_bids__the_screen_of_a_table_names_none() -> None:
    match = bidding("3 5", traced=True)
    real = RealGame(match)
    lines = [*Announcer(real).decided(match.decided, 80), *Announcer(real).history(1, 80)]
    assert [line for line in lines if "bid 3" in line or "bid 5" in line or "bid: " in line] == []
    assert any("bid ?" in line for line in lines)


# What bots imagine ----------------------------------------------------------------------------------------


def test_imagine__bids_that_could_have_been_written() -> None:
    """Anna has 4 coins left and Ben 12: Cleo imagines all bids that they could write, each as likely as any other."""
    game, state = bidding("8 0 0 4 5").game, bidding("8 0 0 4 5").state
    assert state.to_move == 3
    unseen, rng, found = Unseen(game, state, 3), random.Random(3), Counter[tuple[int, int]]()
    many = 1300
    for _ in range(many):
        dealt = unseen.deal(rng)
        assert dealt is not None and game.view(dealt, 3) == game.view(state, 3)
        found[game.variable(dealt, "bid", 1), game.variable(dealt, "bid", 2)] += 1
    assert set(found) == {(one, two) for one in range(5) for two in range(13)}
    share = many / 65
    assert sum((n - share) ** 2 / share for n in found.values()) < 115  # 64 degrees: less, 9,999 times of 10,000


def test_imagine__what_was_shown_is_known() -> None:
    match = bidding("3 5 2")
    match.play("draw cresset")
    for n in range(5):
        dealt = Unseen(match.game, match.state, match.state.to_move or 0).deal(random.Random(n))
        assert dealt is not None
        assert [match.game.variable(dealt, "bid", p) for p in (1, 2, 3)] == [3, 5, 2]


def test_imagine__any_value_where_nobody_knows_how_it_came() -> None:
    game = load("classics/beacons", players=2)
    match = bidding("3", 2)
    state = State(match.state.vector, match.state.to_move, 9, None, None, None, [])
    found = {game.variable(d, "bid", 1) for n in range(200) if (d := Unseen(game, state, 2).deal(random.Random(n)))}
    assert found == set(range(13))


@pytest.mark.parametrize("bot", ["greedy", "quick", "search", "random"])
def test_bot__decides_by_what_its_seat_has_seen(bot: str) -> None:
    bots: dict[str, Bot] = {
        **BOTS,
        "quick": partial(play_quick, rollouts=12),
        "search": partial(play_search, passes=12),
    }
    games = [bidding(bids) for bids in ("3 5", "9 0", "0 12", "8 2 1 4 3", "8 2 1 0 12")]
    chosen = [bots[bot](match.game, match.state, random.Random(7)) for match in games]
    assert chosen[0] == chosen[1] == chosen[2] and chosen[3] == chosen[4]
