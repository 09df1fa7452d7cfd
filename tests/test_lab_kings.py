"""Kingmaking: games in which one player makes a king, does so by a part that is known, or only seems to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interpreter import Game, Move, State, load
from referee.bots import KeyedRandom, find_bot, play_random
from referee.lab.chunks import KeptChunks
from referee.lab.comparison import measure_rows
from referee.lab.crew import Crew
from referee.lab.estimates import Looking
from referee.lab.luck import Luck
from referee.lab.row import Lab, Row
from referee.lab.study import Plan, StudySide, gather, kind_of
from rulespec import open_rules
from tests.again import played_again
from tests.test_cli import Runner, run

__all__ = ["run"]  # the fixture

CROWN = """
rulespec: 1
game: Crown
players: 3
variables:
  king: 0..3
play:
  - ask: 3
    to: crown
  - roll a from 1..SIDES
  - if: a > TRUE_TO
    then:
      - set king to 3 - king
moves:
  crown:
    text: crown {k}
    choose: {k: 1..2}
    does:
      - set king to k
winner:
  the king: me = king
"""  # player 3 says which of the two others is king; the die may turn that over


def crown(sides: int, true_to: int) -> str:
    return CROWN.replace("SIDES", str(sides)).replace("TRUE_TO", str(true_to))


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESPEC_LAB", str(tmp_path / "lab"))


def rows_of(text: str, many: int, seats: str = "random") -> list[Row]:
    bot = find_bot(seats)
    assert bot is not None
    return list(Lab(load(text, 3), ["kings"]).play_many([bot] * 3, range(many)))


def test_kings__who_makes_one() -> None:
    assert all(row["watched"] == {"kings": [1_000_000, 1]} for row in rows_of(crown(6, 6), 5))


def test_kings__a_choice_that_changes_nothing() -> None:
    """The die makes the king, one as likely as the other: the moves differ by accident, and that is not measured."""
    rows = rows_of(crown(2, 1), 100)
    assert all(row["watched"]["kings"][1] == 1 for row in rows)
    found = measure_rows(rows, kind_of(load(crown(2, 1)), ("random",) * 3, ("kings",)), Looking(100)).of("swing")
    assert found is not None and found.found.interval is not None
    assert found.found.interval.low < 0 < found.found.interval.high and found.found.interval.half < 0.05


def test_kings__by_a_part_that_is_known() -> None:
    """The king whom player 3 names stays king in two games of three, so the leader's chance is 2/3 or 1/3."""
    rows = rows_of(crown(3, 2), 100)
    found = measure_rows(rows, kind_of(load(crown(3, 2)), ("random",) * 3, ("kings",)), Looking(100))
    swing, games = found.of("swing"), found.of("kings")
    assert swing is not None and swing.found.interval is not None and games is not None
    assert swing.found.interval.low < 1 / 3 < swing.found.interval.high and swing.found.interval.half < 0.05
    assert games.found.value == 1 and games.found.interval is not None and games.found.interval.method == "Wilson"


def test_kings__none_where_who_decides_can_win() -> None:
    everybody = crown(6, 6).replace("k: 1..2", "k: 1..3")
    assert all(row["watched"] == {"kings": [0, 0]} for row in rows_of(everybody, 5))


def test_kings__none_where_one_move_is_all() -> None:
    assert all(row["watched"] == {"kings": [0, 0]} for row in rows_of(crown(2, 1).replace("k: 1..2", "k: 2..2"), 5))


def swings(game: Game, seed: int) -> list[int]:
    """Return by how much the leader's chance was changed by decisions of who can hardly win, in millionths."""
    luck, found = Luck(seed), []

    def part(position: State, plays: list[int], who: int) -> float:
        ends = [game.outcome(game.rollout(position, play, 10_000)) for play in plays]
        return sum(end is not None and who in end.winners for end in ends) / len(plays)

    def decide(state: State, rng: KeyedRandom) -> Move:
        plays, legal, who = luck.plays("kings", 128), game.legal_moves(state), state.to_move
        assert who is not None
        others = [player for player in (1, 2, 3) if player != who]
        leader = max(others, key=lambda player: part(state, plays, player))
        if len(legal) > 1 and part(state, plays, who) < 0.03 and min(part(state, plays, p) for p in others) > 0.1:
            half = min(64, 2048 // len(legal))
            plays = luck.plays(f"kings {state.decisions}", half + 64)
            after = [game.apply(state, move) for move in legal]
            chances = [part(one, plays[:half], leader) for one in after]
            best, worst = chances.index(max(chances)), chances.index(min(chances))
            swing = part(after[best], plays[half:], leader) - part(after[worst], plays[half:], leader)
            found.append(round(1e6 * swing))
        return play_random(game, state, rng)

    played_again(game, seed, decide)
    return found


@pytest.mark.soak
def test_kings__again_from_the_verbs() -> None:
    """Azul for three: the same decisions, leaders and moves, by plays one after the other."""
    game = load("base", 3)
    rows = Lab(game, ["kings"]).play_many([play_random] * 3, range(60))
    rows_with_some = [row for row in rows if row["watched"]["kings"][1]]
    assert rows_with_some
    for row in rows_with_some[:2]:
        again = swings(game, row["seed"])
        assert row["watched"]["kings"] == [sum(again), len(again)]


@pytest.mark.soak
def test_kings__the_same_for_any_crew(tmp_path: Path) -> None:
    side = StudySide.of("crown", open_rules(crown(3, 2)), 3, {}, ("quick:4",) * 3, ("drama", "kings"))
    files = []
    for number in (1, 2):
        with Crew(number) as crew:
            gather([side], Plan(0, 20), crew, KeptChunks(tmp_path / str(number)))
        files.append({p.name: p.read_bytes() for p in (tmp_path / str(number)).rglob("*.games")})
    assert files[0] == files[1] and len(files[0]) == 1


# The commands -------------------------------------------------------------------------------------------------

WORDS = ("--seats", "random", "--games", "40", "--workers", "1", "--kings")


def test_measure__kings(run: Runner) -> None:
    run.write("crown.yaml", crown(3, 2))
    answer = run("measure", "crown.yaml", *WORDS, "--html", "crown.html")
    assert answer.code == 0, answer.err
    page = (run.folder / "crown.html").read_text(encoding="utf-8")
    for label in ("games in which who can hardly win decides", "leader&#x27;s chance changed by such a decision"):
        assert label in page and label.replace("&#x27;", "'") in answer.out
    data = json.loads(run("measure", "crown.yaml", *WORDS, "--json").out)["measures"]
    kings, swing = (next(m for m in data if m["measure"] == key) for key in ("kings", "swing"))
    assert (kings["value"], kings["interval"]["method"], swing["n"]) == (1, "Wilson", 40)
    assert swing["interval"]["low"] < 1 / 3 < swing["interval"]["high"]


def test_compare__kings(run: Runner) -> None:
    run.write("crown.yaml", crown(6, 6))
    run.write("coin.yaml", crown(2, 1))
    answer = run("compare", "crown.yaml", "coin.yaml", *WORDS)
    assert "Who can hardly win changes less of the leader's chance: " in answer.out


def test_kings__need_three_players(run: Runner) -> None:
    answer = run("measure", "classics/tictactoe", *WORDS)
    assert answer.code == 2 and "`--kings` is for games of 3 and more players" in answer.err
