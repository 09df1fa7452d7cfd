"""Luck and skill: games whose parts are known, the same once more by the textbook, and intervals that cover."""

from __future__ import annotations

import json
import random
from math import sqrt
from pathlib import Path
from statistics import covariance, mean, variance

import pytest

from interpreter import load
from referee.bots import find_bot
from referee.lab.chunks import KeptChunks
from referee.lab.columns import GameColumns
from referee.lab.crew import Crew
from referee.lab.estimates import Found
from referee.lab.row import Lab
from referee.lab.skill import PARTS, SkillFound, exchanged_sides, find_skill, share_out
from referee.lab.study import Gathered, Plan, StudySide, gather
from rulespec import open_rules
from tests.sizes import SOAK
from tests.test_cli import Runner, run
from tests.test_lab_watchers import COIN

__all__ = ["run"]  # the fixture

PICK = """
rulespec: 1
game: Pick
players: 2..3
variables:
  turn: player
  n: 0..9
  score[player]: 0..9
play:
  - while: n < players
    do:
      - ask: turn
        to: pick
      - set turn to next(turn)
moves:
  pick:
    text: pick {k}
    choose: {k: 1..9}
    does:
      - set score[me] to k
      - add 1 to n
winner:
  most: score[me]
"""  # who plays well picks 9, and who plays at random 5 on average, with a variance of 80 / 12
VARIANCE = 80 / 12


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESPEC_LAB", str(tmp_path / "lab"))


def skill_of(text: str, players: int, strong: str, weak: str, deals: int) -> SkillFound:
    side = StudySide.of("game", open_rules(text), players, {}, (strong,) * players)
    sides = exchanged_sides(side, strong, weak)
    with Crew(1) as crew:
        return find_skill(sides, gather(sides, Plan(0, deals), crew, KeptChunks(None)), deals)


def parts_of(found: SkillFound) -> dict[str, Found]:
    return dict(zip(PARTS, found.parts, strict=True))


def holds(part: Found, true: float) -> bool:
    assert part.value is not None and part.interval is not None
    assert part.interval.low <= part.value <= part.interval.high
    return part.interval.low <= true <= part.interval.high


@pytest.mark.parametrize(("players", "rest"), [(2, VARIANCE), (3, (VARIANCE + VARIANCE / 2) / 2)])
def test_skill__of_a_game_whose_parts_are_known(players: int, rest: float) -> None:
    """With three, two sit on the strong seats and one on the weak one, and the other way round."""
    parts = parts_of(skill_of(PICK, players, "quick:60", "random", 120))
    assert holds(parts["skill"], 4**2 / (4**2 + rest)) and holds(parts["rest"], rest / (4**2 + rest))
    assert (parts["deal"].value, parts["deal"].n) == (0, 120)  # nothing is dealt


def test_skill__of_a_coin_is_none() -> None:
    parts = parts_of(skill_of(COIN, 2, "quick:4", "random", 60))
    assert parts["skill"].value == 0 and holds(parts["skill"], 0)
    assert parts["deal"].value == 1 and parts["rest"].value == 0  # the same coin falls for whoever sits there


def test_skill__alone() -> None:
    """Whoever plays better wins every deal: at most those deals that were not seen went otherwise."""
    parts = dict(zip(PARTS, share_out([[(4.0, -4.0)] * 30] * 2, True), strict=True))
    assert [part.value for part in parts.values()] == [1, 0, 0]
    low = parts["skill"].interval
    assert low is not None and low.method == "Wilson" and 0.7 < low.low < 0.8 and low.high == 1
    assert all(part.value is None for part in share_out([[(0.0, 0.0)] * 60], True))


def test_skill__a_better_seat_is_no_deal() -> None:
    rng = random.Random(1)
    plain = [[(rng.gauss(1, 1), rng.gauss(-1, 1)) for _ in range(40)] for _ in range(2)]
    better = [[(a + seat, b + seat) for a, b in deals] for deals, seat in zip(plain, (5, -5), strict=True)]
    for one, two in zip(share_out(plain, True), share_out(better, True), strict=True):
        assert one.value == pytest.approx(two.value)


@pytest.mark.parametrize(
    ("name", "deals"), [(PICK, 40), pytest.param("base", 60, marks=pytest.mark.soak)], ids=["pick", "base"]
)
def test_skill__by_the_textbook(name: str, deals: int) -> None:
    """The leads of player 1 over player 2 in games that are played one by one."""
    lab, strong, weak = Lab(load(name, 2)), find_bot("quick:20"), find_bot("random")
    assert strong is not None and weak is not None
    leads: dict[bool, list[float]] = {True: [], False: []}  # by whether player 1 is strong
    for seed in range(deals):
        for seats in ((strong, weak), (weak, strong)):
            one, two = lab.play(seats, seed)["scores"]
            leads[seats[seed % 2] is strong].append(one - two)
    worth = mean(a - b for a, b in zip(*leads.values(), strict=True)) / 2
    whole = (variance(leads[True]) + variance(leads[False])) / 2
    deal = max(0.0, covariance(leads[True], leads[False])) if lab.game.has_chance else 0.0
    found = skill_of(name, 2, "quick:20", "random", deals)
    again = [share / (worth**2 + whole) for share in (worth**2, deal, whole - deal)]
    for part, share in zip(found.parts, again, strict=True):
        assert part.value == pytest.approx(
            share, abs=0.03
        )  # accident is taken off the square, and seats have their means
    assert found.parts[0].value is not None and found.parts[0].value > 0.3


@pytest.mark.soak
@pytest.mark.parametrize(("worth", "deal"), [(0, 0), (1, 0.1), (0.5, 1)])
def test_skill__intervals_cover(worth: float, deal: float) -> None:
    rng, times, n = random.Random(2), 200, 60
    whole = worth**2 + deal + 1
    hits = [0] * len(PARTS)
    for _ in range(times):
        seatings = []
        for seat in (0.5, -0.5):
            dealt = [rng.gauss(seat, sqrt(deal)) for _ in range(n // 2)]
            seatings.append([(d + worth + rng.gauss(0, 1), d - worth + rng.gauss(0, 1)) for d in dealt])
        for i, (part, true) in enumerate(zip(share_out(seatings, True), (worth**2, deal, 1), strict=True)):
            hits[i] += holds(part, true / whole)
    assert all(n / times >= 0.89 for n in hits), hits


def test_skill__faults_and_few_deals() -> None:
    side = StudySide.of("pick", open_rules(PICK), 2, {}, ("random", "random"))
    row = {**Lab(load(PICK, 2)).play([find_bot("random")] * 2, 0), "use": {}}  # type: ignore[list-item]
    rows = [{**row, "seed": seed, "scores": [seed % 5, 3]} for seed in range(31)]
    stuck = [{"seed": 30, "fault": "fault-bounds", "decisions": 1}]
    games = [GameColumns.of(some) for some in (rows, rows[:30] + stuck)]
    found = find_skill(exchanged_sides(side, "quick:4", "random"), Gathered(games), 31)
    assert found.deals == 30 and found.parts[0].value is not None
    games = [GameColumns.of(some[:29]) for some in (rows, rows)]
    assert find_skill(exchanged_sides(side, "quick:4", "random"), Gathered(games), 60).parts[0].value is None


# The command --------------------------------------------------------------------------------------------------

WORDS = ("measure", "pick.yaml", "--seats", "random", "--skill", "quick:60,random")


def test_measure__luck_and_skill(run: Runner) -> None:
    run.write("pick.yaml", PICK)
    answer = run(*WORDS, "--games", "30", "--workers", "1", "--html", "pick.html")
    assert answer.code == 0, answer.err
    head = "Luck and skill, quick:60 against random (30 deals, each played twice with seats exchanged):"
    assert head in answer.out and "what neither foresees" in answer.out
    page = (run.folder / "pick.html").read_text(encoding="utf-8")
    assert head in page and "what neither foresees" in page
    data = [json.loads(run(*WORDS, "--games", "30", "--json").out)["skill"] for _ in range(2)]
    assert data[0] == data[1] and [part["part"] for part in data[0]["parts"]] == list(PARTS)
    assert all(part["n"] == 30 and part["interval"]["level"] == 0.95 for part in data[0]["parts"])


def test_measure__few_deals(run: Runner) -> None:
    run.write("pick.yaml", PICK)
    answer = run(*WORDS, "--games", "3", "--workers", "1")
    assert "Fewer than 30 deals are too few to tell luck and skill apart." in answer.out


def test_measure__luck_and_skill_for_any_number_of_workers(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run.write("pick.yaml", PICK)
    found = list[str]()
    for workers in ("1", "2") if SOAK else ("1", "1"):
        monkeypatch.setenv("RULESPEC_LAB", str(tmp_path / f"kept by {len(found)}"))
        found.append(run(*WORDS, "--games", "40", "--workers", workers, "--json").out)
    assert found[0] == found[1]


def test_measure__stopped_during_luck_and_skill(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    run.write("pick.yaml", PICK)
    played = Crew.results
    done = []

    def results(self: Crew, seconds: float | None) -> object:
        done.append(1)
        if len(done) > 8:  # one chunk of the random players, and then seven
            raise KeyboardInterrupt
        return played(self, seconds)

    monkeypatch.setattr(Crew, "results", results)
    answer = run(*WORDS, "--games", "100", "--workers", "1")
    assert answer.code == 130 and "30 deals" in answer.out and "Stopped after 30 of 100 deals." in answer.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["pick.yaml", "--skill", "random,random"], "`--skill` is for two kinds of player"),
        (["pick.yaml", "--skill", "quick:5"], "`--skill` is for two kinds of player"),
        (["pick.yaml", "--skill", "nobody,random"], "no player called `nobody`"),
        (["classics/nim", "--players", "1", "--skill"], "players"),
    ],
)
def test_measure__wrong_words_of_skill(run: Runner, words: list[str], message: str) -> None:
    run.write("pick.yaml", PICK)
    answer = run("measure", *words)
    assert answer.code in (1, 2) and message in answer.err
