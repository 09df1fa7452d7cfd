"""Watchers of the lab: drama. Exact values from a few lines that know nothing of it, and the same bytes for any crew."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from math import comb, sqrt
from pathlib import Path

import pytest

from interpreter import Game, Move, State, load
from referee.bots import KeyedRandom, find_bot
from referee.lab.believe import BadRows, read_rows
from referee.lab.chunks import VERSIONS, Job, KeptChunks, play_chunk
from referee.lab.columns import GameColumns
from referee.lab.comparison import compare_rows, measure_rows
from referee.lab.crew import Crew
from referee.lab.estimates import Looking
from referee.lab.luck import Luck
from referee.lab.row import Lab, Row
from referee.lab.study import Plan, StudySide, gather, kind_of
from rulespec import json_text, open_rules
from tests.again import played_again
from tests.test_cli import Runner, run

__all__ = ["run"]  # the fixture

COIN = """
rulespec: 1
game: Coin
players: 2
tables:
  many: 3
variables:
  turn: player
  head: 0..1
  n: 0..9
play:
  - while: n < many
    do:
      - ask: turn
        to: go
  - roll a from 1..2
  - if: a = 1
    then:
      - set head to 1
moves:
  go:
    text: go
    does:
      - add 1 to n
winner:
  by the coin: (me = turn) = (head = 1)
"""  # three decisions about nothing, then a coin decides


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESPEC_LAB", str(tmp_path / "lab"))


def rows_of(game: Game, watched: Sequence[str], seats: str, many: int) -> list[Row]:
    bots = [bot for seat in seats.split() if (bot := find_bot(seat))]
    return list(Lab(game, watched).play_many(bots, range(many)))


def behind(game: Game, seats: str, seed: int) -> list[float]:
    """Return how far behind the winner was after each change of the standing, or after each decision, from verbs alone."""
    bots = [bot for seat in seats.split() if (bot := find_bot(seat))]
    everything: list[State] = []

    def decide(state: State, rng: KeyedRandom) -> Move:
        everything.append(state)
        assert state.to_move is not None
        return bots[(state.to_move - 1 + seed) % 2](game, state, rng)

    end = game.outcome(played_again(game, seed, decide))
    assert end is not None
    standings = [game.standing(state) for state in everything]
    begins = [state for i, state in enumerate(everything) if i and standings[i] != standings[i - 1]]
    found = []
    for begin in begins if len(begins) > 1 else everything:
        won = [0, 0]
        for play in Luck(seed).plays("drama", 16):
            over = game.outcome(game.rollout(begin, play, 10_000))
            assert over is not None
            for who in over.winners:
                won[who - 1] += 1
        found.append(sqrt((max(won) - min(won[who - 1] for who in end.winners)) / 16))
    return found


@pytest.mark.parametrize("name", ["classics/pig", "classics/kalah", pytest.param("base", marks=pytest.mark.soak)])
def test_drama__again_from_the_verbs(name: str) -> None:
    game, seats, total = load(name), "quick:4 quick:4", 0
    for seed, row in enumerate(rows_of(game, ["drama"], seats, 3)):
        again = behind(game, seats, seed)
        if len(again) > 40:
            again = [again[(i + 1) * len(again) // 40 - 1] for i in range(40)]
        assert row["watched"] == {"drama": [sum(round(1e6 * value) for value in again), len(again)]}
        total += row["watched"]["drama"][0]
    assert total > 0


def test_drama__of_a_coin_is_that_of_sixteen_coins() -> None:
    """Nobody is behind before the coin falls; sixteen plays differ by accident, and how much is known."""
    game = load(COIN)
    true = sum(comb(16, k) / 2**16 * sqrt(max(0, 16 - 2 * k) / 16) for k in range(17))  # k of them for the winner
    found = measure_rows(
        rows_of(game, ["drama"], "random random", 400), kind_of(game, ("random",) * 2, ("drama",)), Looking(400)
    )
    drama = found.of("drama")
    assert drama is not None and drama.found.interval is not None
    assert drama.found.interval.low < true < drama.found.interval.high and drama.found.interval.half < 0.04


def test_drama__changes_no_game() -> None:
    game = load("classics/pig")
    watched, plain = (rows_of(game, names, "quick:4 random", 3) for names in (["drama"], []))
    assert [{**row, "watched": None} for row in watched] == [{**row, "watched": None} for row in plain]
    assert all("watched" in row for row in watched) and not any("watched" in row for row in plain)


# Chunks ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def chunk() -> tuple[Job, list[Row]]:
    side = StudySide.of("pig", open_rules("classics/pig"), 2, {}, ("random", "random"), ("drama",))
    job = replace(side.job, first=7, many=2)
    return job, list(play_chunk(job))


def test_columns__hold_what_was_seen(chunk: tuple[Job, list[Row]]) -> None:
    job, rows = chunk
    games = GameColumns.of([*rows, {"seed": 9, "fault": "fault-bounds", "decisions": 7}])
    read = GameColumns.from_bytes(games.to_bytes(), 7, 3)
    assert read is not None and [*read] == [*games] and [*read[:2]] == rows
    assert json_text(read_rows(json_text({"versions": VERSIONS, "rows": rows}), job)) == json_text(rows)
    forged = GameColumns.of([rows[0], {**rows[1], "watched": {"drama": [0, -1]}}])
    assert GameColumns.from_bytes(forged.to_bytes(), 7, 2) is None
    assert job.key != replace(job, watched=()).key


@pytest.mark.parametrize(
    "seen", [None, {}, {"drama": [1]}, {"drama": [1, 0]}, {"drama": [0, 10**6]}, {"drama": [0.5, 1]}, {"joy": [0, 0]}]
)
def test_rows__nobody_can_have_seen_that(chunk: tuple[Job, list[Row]], seen: object) -> None:
    job, rows = chunk
    with pytest.raises(BadRows, match="`watched` of the game with seed 8"):
        read_rows(json_text({"versions": VERSIONS, "rows": [rows[0], {**rows[1], "watched": seen}]}), job)


def test_gather__what_is_seen_is_the_same_for_any_crew(tmp_path: Path) -> None:
    side = StudySide.of("coin", open_rules(COIN), 2, {}, ("quick:4", "random"), ("drama",))
    files = []
    for number in (1, 2):
        with Crew(number) as crew:
            gather([side], Plan(0, 20), crew, KeptChunks(tmp_path / str(number)))
        files.append({p.name: p.read_bytes() for p in (tmp_path / str(number)).rglob("*.games")})
    assert files[0] == files[1] and len(files[0]) == 1


# Commands ----------------------------------------------------------------------------------------------------

RANDOM = ("--seats", "random", "--games", "40", "--workers", "1")


def test_measure__with_drama(run: Runner) -> None:
    run.write("coin.yaml", COIN)
    answer = run("measure", "coin.yaml", *RANDOM, "--drama", "--html", "coin.html")
    assert answer.code == 0, answer.err
    assert "drama (how far behind the winner was)" in answer.out
    page = (run.folder / "coin.html").read_text(encoding="utf-8")
    assert "drama (how far behind the winner was)" in page and "What to believe" in page
    data = json.loads(run("measure", "coin.yaml", *RANDOM, "--drama", "--json").out)
    drama = data["measures"][-1 - len([m for m in data["measures"] if ":" in m["measure"]])]
    assert drama["measure"] == "drama" and drama["n"] == 40
    assert set(drama["interval"]) == {"low", "high", "method", "level"}
    assert not any(
        m["measure"] == "drama" for m in json.loads(run("measure", "coin.yaml", *RANDOM, "--json").out)["measures"]
    )


def test_compare__with_drama(run: Runner) -> None:
    run.write("coin.yaml", COIN)
    run.write("long.yaml", "rulespec: 1\nextends: coin.yaml\ngame: Long\nchange: {tables: {many: 5}}\n")
    data = json.loads(run("compare", "coin.yaml", "long.yaml", *RANDOM, "--drama", "--json").out)
    drama = next(m for m in data["measures"] if m["measure"] == "drama")
    assert drama["difference"]["n"] == 40 and drama["notice"] == 0.03


def test_drama__needs_two_players(run: Runner) -> None:
    run.write("alone.yaml", COIN.replace("players: 2", "players: 1").replace("(me = turn) = (head = 1)", "head = 1"))
    answer = run("measure", "alone.yaml", *RANDOM, "--drama")
    assert answer.code == 2 and "`--drama` is for games of 2 and more players" in answer.err


def test_compare__two_sides_of_the_same_drama() -> None:
    game = load("classics/pig")
    rows, kind = rows_of(game, ["drama"], "random random", 40), kind_of(game, ("random",) * 2, ("drama",))
    drama = compare_rows(rows, rows, (kind, kind), Looking(40), {}).of("drama")
    assert drama is not None and drama.compared.differing == 0
