"""Events of a game as they are told: chance, rounds and their summaries, who moves again, how many pieces a move takes."""

from __future__ import annotations

import random
import re
from itertools import pairwise

import pytest

from interpreter import CHANCE, Game, State
from referee.record.lines import Seat
from referee.record.match import Match
from referee.shell.chronicle import Chronicle
from referee.shell.consequence import consequence
from tests.shipped import game_of


def played(name: str, seed: int, players: int = 2) -> Match:
    """Return a whole game, everybody playing at random."""
    match = Match.begin(game_of(name, players), ["human", *["random"] * (players - 1)], seed, name=name)
    rng = random.Random(seed)
    while not match.over:
        match.play(rng.choice(match.game.legal_moves(match.state)))
    return match


@pytest.mark.parametrize(("name", "rounds"), [("pavilion", 6), ("sintra", 6)])
def test_told__rounds_are_those_of_the_rulebook(name: str, rounds: int) -> None:
    match = played(name, 5)
    chronicle = Chronicle(match)
    assert chronicle.round == rounds
    told = list(chronicle.lines(match.decided, 1, brief=True))
    begun = [line for line in told if line.startswith("Round ") and line.endswith(" begins")]
    assert [line.split(" ·")[0] for line in begun] == [f"Round {n}" for n in range(1, rounds + 1)]


@pytest.mark.parametrize(
    ("name", "first", "said"),
    [
        ("duel", 1, "Ben decides first"),  # the one who begins chooses their first plate last
        ("duel", 2, "Anna decides first"),
        ("duel", None, "Ben decides first"),
        ("base", 2, "Ben begins"),
        ("base", None, "Anna begins"),
    ],
)
def test_told__who_decides_first_need_not_be_who_begins(name: str, first: int | None, said: str) -> None:
    match = Match.begin(game_of(name, 2), [Seat("Anna", "human"), Seat("Ben", "human")], 5, first, name=name)
    chronicle = Chronicle(match)
    opening = [match.opening] if match.opening else []
    assert f"Round 1 · {said}" in list(chronicle.lines([*opening, *match.decided], 1, brief=True))


def test_rounds__are_looked_for_in_new_decisions_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game of thousands of decisions would take minutes otherwise; decisions taken back are forgotten."""
    match = Match.begin(game_of("base", 2), ["human", "random"], 5, name="base")
    chronicle, asked, moves, rng = Chronicle(match), 0, 0, random.Random(5)
    is_deal = Chronicle._is_deal

    def counted(self: Chronicle, before: State, after: State) -> bool:
        nonlocal asked
        asked += self is chronicle
        return is_deal(self, before, after)

    monkeypatch.setattr(Chronicle, "_is_deal", counted)
    while not match.over:
        match.play(rng.choice(match.game.legal_moves(match.state)))
        moves += 1
        assert chronicle.round == Chronicle(match).round
    assert 0 < asked < moves
    before = chronicle.round
    match.undo(agreed=True, to=len(match.decided) // 2)
    assert chronicle.round == Chronicle(match).round < before


def test_told__the_summary_of_a_round_adds_up() -> None:
    match = played("base", 5)
    chronicle = Chronicle(match)
    told = [*chronicle.lines(match.decided, 1, brief=True), *chronicle.closing_summary()]
    summaries = [line for line in told if " brought " in line]
    assert len(summaries) == chronicle.round > 4
    gained = re.compile(r"Round \d+ brought player 1 ([+-]?\d+), now (\d+) and player 2 ([+-]?\d+), now (\d+)")
    totals = [0, 0]
    for line in summaries:
        found = gained.fullmatch(line)
        assert found is not None, line
        one, now_one, two, now_two = map(int, found.groups())
        totals = [totals[0] + one, totals[1] + two]
        assert totals == [now_one, now_two]
    assert totals == list(match.game.scores(match.state).values())


def test_told__dice_and_what_they_change() -> None:
    match = played("classics/pig", 3)
    rolls = [d for d in match.decided if d.player == CHANCE]
    told = list(Chronicle(match).lines(match.decided, 1, brief=True))
    assert sum(line.count("rolled: ") for line in told) == len(rolls)
    for number, line in enumerate(told):
        if line.endswith("rolled: 1"):
            assert (
                told[number + 1].strip() in ("Points of this turn: 0",) or "Points of this turn" not in told[number + 1]
            )


def test_told__who_moves_again_where_others_pass() -> None:
    for seed in range(40):
        match = played("classics/reversi", seed)
        made = match.decided
        again = [a for a, b in pairwise(made) if a.player == b.player]
        told = [line.strip() for line in Chronicle(match).lines(made, 1, brief=True) if "again" in line]
        assert told == [f"{match.name_of(d.player)} is to move again" for d in again]
        if again:
            return
    raise AssertionError("nobody passed in any of these games")


def dealt(game: Game, colours: str) -> State:
    state = game.start()
    for colour in colours.split():
        state = game.apply(state, f"draw {colour}")
    return state


def test_consequence__how_many_and_where_they_go() -> None:
    game = game_of("base", 2)
    state = dealt(game, "blue blue blue red " + "red yellow black white " * 4)

    def said(move: str) -> str:
        return consequence(game, state, game.parse_move(state, move))

    assert said("take 1 blue 1") == "3 blue: 1 to line 1, 2 to Floor line"
    assert said("take 1 blue 3") == "3 blue"
    assert said("take 1 red 1") == ""  # one piece, to the place that the words name


def test_consequence__says_nothing_of_what_is_hidden() -> None:
    match = played("classics/briscola", 2)
    assert all(consequence(match.game, d.before, d.move, d.after) == "" for d in match.decided if d.player != CHANCE)
