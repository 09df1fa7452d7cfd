"""The lab: keyed luck, rows, chunks, crews, and the commands on small games."""

from __future__ import annotations

import json
import os
import random
import signal
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path

import pytest

from interpreter import CHANCE, Game, load
from referee.bots import find_bot
from referee.lab.chunks import CHUNK_MARK, KeptChunks, chunk_size, play_chunk
from referee.lab.columns import GameColumns, leader
from referee.lab.comparison import compare_rows, measure_rows
from referee.lab.crew import Crew
from referee.lab.doubts import ask_another, look_far, look_for_attention
from referee.lab.estimates import Looking, Verdict
from referee.lab.letters import seldom_different, sentences, verdict_text
from referee.lab.luck import KeyedChance, Luck, chance_places
from referee.lab.measures import GAME
from referee.lab.restricted import RestrictedBot, need_line, parted, read_without
from referee.lab.row import Lab, Row
from referee.lab.study import Gathered, Plan, StudySide, gather
from referee.lab.sweep import sweep
from referee.lab.vary import BadVary, Grid, changed_numbers, read_vary
from rulespec import compare_rules, open_rules
from tests.test_bots import SEEDS
from tests.test_cli import Runner, run

__all__ = ["run"]  # the fixture

STUCK = """
rulespec: 1
game: Stuck
players: 2
variables:
  turn: player
  n: 0..9
  score[player]: 0..99
play:
  - while: true
    do:
      - ask: turn
        to: add
      - set turn to next(turn)
moves:
  add:
    text: add {k}
    choose: {k: 1..2}
    does:
      - add k to n
winner:
  most: score[me]
"""


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESPEC_LAB", str(tmp_path / "lab"))


@pytest.fixture(scope="module")
def pig() -> Lab:
    return Lab(load("classics/pig"))


def side(name: str, seats: str = "random", players: int = 2) -> StudySide:
    return StudySide.of(name, open_rules(name), players, {}, (seats,) * players)


def rows_of(lab: Lab, many: int, seat: str = "random") -> list[Row]:
    found = find_bot(seat)
    assert found is not None
    bot = partial(found)  # another player, who decides alike: of random ones nobody counts how moves are used
    return [lab.play([bot] * lab.game.players, seed) for seed in range(many)]


# Luck --------------------------------------------------------------------------------------------------------


def test_luck__is_by_key_and_not_by_order() -> None:
    luck = Luck(7)
    first = luck.chance(0, "draw bag", 0)
    luck.player(1, 0, 0)
    assert luck.chance(0, "draw bag", 0) == first == 3388282130  # the same on every machine
    others = {luck.chance(1, "draw bag", 0), luck.chance(0, "draw bag", 1), Luck(8).chance(0, "draw bag", 0)}
    assert len(others | {first}) == 4


def test_luck__a_decision_does_not_change_what_is_drawn_later() -> None:
    """Two games that differ in the first decision are dealt the same second round, as far as the bag allows."""
    game = load("base")
    dealt = []
    for first in (0, -1):
        chance, state, decided = KeyedChance(game, Luck(3), chance_places(game)), game.start(), 0
        while chance.rounds < 1 or state.to_move == CHANCE:
            if state.to_move == CHANCE:
                if decided and not chance.rounds:
                    chance.come_again()
                state = game.apply(state, chance.decide(state))
            else:
                state = game.apply(state, game.legal_moves(state)[0 if decided else first])
                decided += 1
        dealt.append([str(m) for m in game.decisions(state)][-20:])
    assert dealt[0] == dealt[1]


def test_chance__follows_the_weights() -> None:
    game = load("base")
    state = game.start()
    found = Counter(str(KeyedChance(game, Luck(seed), {}).decide(state)) for seed in range(1000))
    assert len(found) == 5 and all(140 < n < 260 for n in found.values())


# Rows --------------------------------------------------------------------------------------------------------


def test_row__is_plain_data_and_the_same_again(pig: Lab) -> None:
    one, two = rows_of(pig, 3), rows_of(pig, 3)
    assert one == two == json.loads(json.dumps(one))
    assert len({row["mark"] for row in one}) == 3


def test_row__says_what_the_game_says() -> None:
    """A row again from the verbs alone: decisions, legal moves, points by rule and winners."""
    game = load("base")
    row = rows_of(Lab(game), 1)[0]
    chance, state, luck = KeyedChance(game, Luck(0), chance_places(game)), game.start(), Luck(0)
    bot, legal, turns = find_bot("random"), [], Counter[int]()
    assert bot is not None
    decided = False
    while (who := state.to_move) is not None:
        if who == CHANCE:
            if decided:
                chance.come_again()
                turns.clear()
            decided = False
            state = game.apply(state, chance.decide(state))
            continue
        legal.append(len(game.legal_moves(state)))
        state = game.apply(state, bot(game, state, luck.player(who, chance.rounds, turns[who])))
        turns[who] += 1
        decided = True
    outcome = game.outcome(state)
    assert outcome is not None
    assert (row["decisions"], row["legal"], row["single"]) == (len(legal), sum(legal), legal.count(1))
    assert (row["winners"], row["scores"]) == (list(outcome.winners), list(outcome.scores.values()))
    gained = Counter[str]()
    for line in game.ledger(state):
        gained[line.rule] += line.gained
    assert {rule: noted[2] for rule, noted in row["rules"].items()} == {rule: gained[rule] for rule in row["rules"]}
    assert sum(gained.values()) == sum(row["scores"])
    assert row["standings"][-1] == list(game.standing(state).values())
    assert row["use"]["take"] == [row["decisions"], row["decisions"]]
    chosen = sum(n for name, (n, _) in row["use"].items() if name.startswith("take.t="))
    offered = sum(n for name, (_, n) in row["use"].items() if name.startswith("take.t="))
    assert chosen == row["decisions"] and abs(offered - chosen) < 1e-3


def test_row__a_fault_is_a_row(tmp_path: Path) -> None:
    lab = Lab(load(STUCK))
    row = rows_of(lab, 1)[0]
    assert row["fault"] == "fault-bounds" and row["decisions"] >= 5
    found = compare_rows([row], [row], (side("base").kind, side("base").kind), Looking(1), {})
    assert (found.n, found.left_out, found.faults[0]["fault-bounds"]) == (0, 1, 1)


# Measures ----------------------------------------------------------------------------------------------------

HAND: Row = {  # a game by hand: player 2 leads, player 1 comes from behind and wins
    "seed": 0, "decisions": 10, "rounds": 3, "legal": 25, "single": 2, "first": 1, "winners": [1], "scores": [12, 9],
    "rules": {"laid": [4, 30, 24], "lost": [2, -5, -3]}, "standings": [[0, 3], [2, 5], [8, 8], [12, 9]],
    "use": {"go": [6, 5.0], "stay": [4, 5.0]}, "mark": "a",
}  # fmt: skip
BY_HAND = {
    "rounds": 3, "decisions": 10, "choice": 2.5, "single": 0.2, "score": 10.5, "lead": 3, "lead_part": 0.25, "first": 1,
    "ties": 0, "changes": 1, "leader_wins": 0, "settled": 0.75, "catch_up": (12 - 2) - (9 - 5),
}  # fmt: skip


def test_measures__of_a_game_by_hand() -> None:
    assert {m.key: m.sample([HAND]).counted[0] for m in GAME} == BY_HAND
    assert all(m.sample([HAND]).parts == (1,) for m in GAME)
    assert leader([3, 3]) == 0 and leader([1, 4, 2]) == 2


def test_measures__a_shared_victory() -> None:
    shared = {**HAND, "winners": [1, 2]}
    samples = {m.key: m.sample([shared]) for m in GAME}
    by_key = {key: (sample.counted[0], sample.parts[0]) for key, sample in samples.items()}
    assert by_key["first"] == (0.5, 1) and by_key["ties"] == (1, 1)
    assert by_key["leader_wins"] == by_key["settled"] == (0, 0)  # there is nothing to count


def test_compare__the_same_games_are_the_same(pig: Lab) -> None:
    kind = side("classics/pig").kind
    rows = rows_of(pig, 40)
    found = compare_rows(rows, rows, (kind, kind), Looking(40), {})
    assert found.differing == 0 and not any(change.verdict.is_change for change in found.changes)


def test_compare__a_planted_change_is_found(pig: Lab) -> None:
    kind = side("classics/pig").kind
    rows = rows_of(pig, 60)
    longer = [{**row, "decisions": row["decisions"] + 40 + row["seed"] % 3} for row in rows]
    found = compare_rows(rows, longer, (kind, kind), Looking(60), {})
    assert [c.measure.key for c in found.changes if c.verdict is Verdict.MORE] == ["decisions"]


def test_compare__what_differs_in_few_pairs_is_said(pig: Lab) -> None:
    kind = side("classics/pig").kind
    rows = rows_of(pig, 60)
    later = [{**row, "rounds": row["rounds"] + (row["seed"] < 9), "mark": f"{row['seed'] < 9:x}"} for row in rows]
    found = compare_rows([{**row, "mark": "0"} for row in rows], later, (kind, kind), Looking(60), {})
    assert [change.measure.key for change in seldom_different(found)] == ["rounds"]
    assert list(sentences(found))[-1] == "Too few pairs differ to tell: deals or rolls between decisions."
    change = found.of("rounds")
    assert change is not None and verdict_text(change, None) == "differs in 9 of 60 pairs: too few to tell"


def test_measure__moves_at_random_are_all_used_alike() -> None:
    lab = Lab(load("base"))
    found = measure_rows(rows_of(lab, 30), side("base").kind, Looking(30))
    uses = [v.found for v in found.values if v.measure.group == "moves"]
    assert len(uses) == 17
    inside = [u.interval is not None and u.interval.low < 0 < u.interval.high for u in uses]
    assert sum(inside) >= 14


# Chunks ------------------------------------------------------------------------------------------------------


def test_chunks__are_kept_and_found(tmp_path: Path) -> None:
    job = replace(side("classics/pig").job, first=5, many=3)
    kept = KeptChunks(tmp_path / "kept")
    assert kept.find(job) is None
    rows = play_chunk(job)
    kept.keep(job, rows)
    assert kept.find(job) == KeptChunks(tmp_path / "kept").find(job) == rows
    assert [row["seed"] for row in rows] == [5, 6, 7]
    path = tmp_path / "kept" / job.fingerprint / f"{job.shelf}.games"
    assert [p.name for p in path.parent.iterdir()] == [path.name]  # nothing is left beside it
    text = path.read_bytes()
    mark, body = text[: len(CHUNK_MARK)], text[len(CHUNK_MARK) :]
    line, games = body.split(b"\n", 1)
    head, numbers = games.split(b"\n", 1)
    whole = b"\n".join((line, head, bytes(len(numbers))))
    for spoilt in (b"", b"{", mark, text[:-1], body, mark + games, mark + whole):
        path.write_bytes(spoilt)
        assert KeptChunks(tmp_path / "kept").find(job) is None
    others = [
        replace(job, first=6),
        replace(job, many=4),
        replace(job, seats=("quick:5", "random")),
        replace(job, players=3),
    ]
    assert len({job.key, *(other.key for other in others)}) == 5
    assert KeptChunks(None).find(job) is None


def test_columns__the_same_rows_from_bytes(pig: Lab) -> None:
    games = GameColumns.of([*rows_of(pig, 4), {"seed": 4, "fault": "fault-bounds", "decisions": 7}])
    read = GameColumns.from_bytes(games.to_bytes(), 0, 5)
    assert read == games and [*read] == [*games] == [read[i] for i in range(5)]
    assert GameColumns.from_bytes(games.to_bytes(), 1, 5) is None
    assert [*games[1:3]] == rows_of(pig, 3)[1:] and [*games.whole()] == rows_of(pig, 4)


def test_columns__no_game_has_such_numbers(pig: Lab) -> None:
    """A file with a check of its own may say anything; what no game can give is not read."""
    rows, heads = rows_of(pig, 3), pig.heads_of(False)
    impossible: tuple[Row, ...] = (
        {"winners": []},
        {"winners": [3], "standings": []},
        {"first": 3},
        {"decisions": -1},
        {"legal": -1},
        {"single": -1},
        {"use": {"hold": [1, inf]}},
    )
    for changed in impossible:
        assert GameColumns.from_bytes(GameColumns.of(rows, heads).to_bytes(), 0, 3) is not None
        forged = GameColumns.of([*rows[:2], {**rows[2], **changed}], heads)
        assert GameColumns.from_bytes(forged.to_bytes(), 0, 3) is None


def test_columns__others_with_other_heads_are_taken(pig: Lab) -> None:
    rows = rows_of(pig, 2)
    games = GameColumns.of([{**rows[0], "rules": {}}])
    games.extend(GameColumns.of(rows))
    assert games.heads.rules == tuple(rows[0]["rules"]) and [*games][1:] == rows


class Killed(Crew):
    """A crew that loses a process in the middle of a chunk."""

    lost = 0

    def results(self, seconds: float | None) -> list[object]:  # type: ignore[override]
        if self.lost < 1 and self._busy:
            process = self._processes[next(iter(self._busy))]
            assert process.pid is not None
            os.kill(process.pid, signal.SIGKILL)
            self.lost += 1
        return super().results(seconds)  # type: ignore[return-value]


@pytest.mark.soak
def test_gather__the_same_rows_for_any_crew(tmp_path: Path) -> None:
    one = side("classics/pig")
    size = chunk_size(one.job.seats)
    plan = Plan(seed=0, games=size + 20)
    found = []
    for number, crew in enumerate((Crew(1), Killed(2))):
        with crew:
            found.append(gather([one, one], plan, crew, KeptChunks(tmp_path / str(number))))
    assert found[0].rows == found[1].rows and found[0].n == plan.games
    files = [{p.name: p.read_bytes() for p in (tmp_path / number).rglob("*.games")} for number in ("0", "1")]
    assert files[0] == files[1] and len(files[0]) == 1


def test_chunks__what_was_cut_off_is_played_again_and_nothing_else(tmp_path: Path) -> None:
    """Whoever is killed while it writes leaves a part of a chunk; others write after it."""
    jobs = [replace(side("classics/pig").job, first=first, many=2) for first in (0, 2, 4)]
    kept = KeptChunks(tmp_path)
    for job in jobs:
        kept.keep(job, play_chunk(job))
    kept.close()
    (path,) = tmp_path.rglob("*.games")
    text = path.read_bytes()
    chunks = [CHUNK_MARK + chunk for chunk in text.split(CHUNK_MARK)[1:]]
    assert text == b"".join(chunks) and len(chunks) == 3
    for cut in (1, len(CHUNK_MARK), len(CHUNK_MARK) + 3, 60, len(chunks[1]) - 1):
        path.write_bytes(chunks[0] + chunks[1][:cut] + chunks[2])
        again = KeptChunks(tmp_path)
        assert [again.find(job) is not None for job in jobs] == [True, False, True]
        path.write_bytes(chunks[0] + chunks[1][:cut])
        again = KeptChunks(tmp_path)
        assert [again.find(job) is not None for job in jobs] == [True, False, False]
        again.keep(jobs[1], play_chunk(jobs[1]))
        assert all(KeptChunks(tmp_path).find(job) == play_chunk(job) for job in jobs[:2])


def test_gather__plays_nothing_twice(tmp_path: Path) -> None:
    one, kept = side("classics/pig"), KeptChunks(tmp_path)
    with Crew(1) as crew:
        size = chunk_size(one.job.seats)
        assert gather([one], Plan(0, 30), crew, kept).played == size
        assert gather([one], Plan(0, size + 20), crew, kept).played == size


def test_gather__stops_when_it_is_enough_and_by_the_clock(tmp_path: Path) -> None:
    one, kept = side("classics/pig"), KeptChunks(None)

    def enough(rows: Sequence[Sequence[Row]]) -> bool:
        return len(rows[0]) >= 50

    with Crew(1) as crew:
        found = gather([one], Plan(0, 1000, enough=enough), crew, kept)
        assert (found.n, found.ended) == (chunk_size(one.job.seats), "enough")
        found = gather([one], Plan(0, 1000, seconds=0.0), crew, kept)
        assert found.ended == "clock" and found.n < 1000


def test_gather__ctrl_c_keeps_what_is_known(tmp_path: Path) -> None:
    one = side("classics/pig")

    class Interrupted(Crew):
        done = 0

        def results(self, seconds: float | None) -> list[object]:  # type: ignore[override]
            self.done += 1
            if self.done == 2:
                raise KeyboardInterrupt
            return super().results(seconds)  # type: ignore[return-value]

    with Interrupted(1) as crew:
        found = gather([one], Plan(0, 1000), crew, KeptChunks(None))
    assert (found.n, found.ended) == (chunk_size(one.job.seats), "stopped")


# Commands ----------------------------------------------------------------------------------------------------


def test_measure__for_people(run: Runner) -> None:
    answer = run("measure", "classics/pig", "--seats", "random", "--games", "50", "--workers", "1")
    assert answer.code == 0 and answer.err == ""
    lines = answer.out.splitlines()
    assert lines[0] == "Pig · 50 games · 2 players · random · seed 1000"
    assert any(line.startswith("won by who begins ") and "…" in line for line in lines)
    assert lines[-2:] == [
        "These players play at random: believe what is said about length and choice, and nothing else. How they use moves is "
        "not counted: they choose each as often as drawing lots would.",
        "Intervals are 95 % sure for this fixed number of games; playing more after a look makes them less so.",
    ]


def test_compare__as_json_every_number_has_its_interval(run: Runner) -> None:
    run.write("far.yaml", "rulespec: 1\nextends: classics/pig\ngame: Far pig\nchange: {tables: {enough: 60}}\n")
    words = ["compare", "classics/pig", "far.yaml", "--seats", "random", "--games", "50", "--workers", "1", "--json"]
    answer = run(*words)
    assert answer.code == 0, answer.err
    assert run(*words) == answer
    data = json.loads(answer.out)
    assert (data["n"], data["looks"], data["in_play"]["differing"]) == (50, False, 50)
    shorter = next(m for m in data["measures"] if m["measure"] == "decisions")
    assert shorter["verdict"] == "less" and shorter["difference"]["interval"]["method"] == "bootstrap-t"
    for measure in data["measures"]:
        for found in (measure["a"], measure["b"]):
            assert (found["value"] is None) == (found["interval"] is None)
            assert found["interval"] is None or found["interval"].keys() == {"low", "high", "method", "level"}


def test_compare__names_what_is_shorter(run: Runner) -> None:
    run.write("far.yaml", "rulespec: 1\nextends: classics/pig\ngame: Far pig\nchange: {tables: {enough: 60}}\n")
    answer = run(
        "compare", "classics/pig", "--house", "far.yaml", "--seats", "random", "--games", "50", "--workers", "1"
    )
    assert answer.code == 0, answer.err
    assert "There is less to decide:" in answer.out and "Chance comes less often:" in answer.out


def test_without__only_where_it_must(pig: Lab) -> None:
    """A player that may not throw holds, but for the first decision of a turn, at which nothing else is legal."""
    game = pig.game
    bot = RestrictedBot(8, "hold")
    state, rng = game.start(seed=3), random.Random(1)
    held = 0
    for _ in range(40):
        if not state.to_move:
            break
        move, legal = bot(game, state, rng), game.legal_moves(state)
        assert move.name != "hold" or all(other.name == "hold" for other in legal)
        held += len(legal) > 1
        state = game.apply(state, move)
    assert held


def test_without__one_value_of_a_choice() -> None:
    game = load("base")
    state = game.start(seed=1)
    barred = read_without(game, "take.t=floor")
    left = [move for move in game.legal_moves(state) if not barred.includes(game, move)]
    assert 0 < len(left) < len(game.legal_moves(state)) and not any(str(move).endswith(" floor") for move in left)
    assert parted("quick:40 without take.t=floor") == ("quick:40", 40, "take.t=floor") and parted("quick:40") is None


def test_measure__without_something(run: Runner) -> None:
    words = ["measure", "classics/nim", "--seats", "quick:9", "--games", "30", "--workers", "1"]
    answer = run(*words, "--without", "take.n=1")
    assert answer.code == 0, answer.err
    lines = answer.out.splitlines()
    assert lines[0].endswith(" · quick:9,quick:9 without take.n=1 · seed 1000")
    assert any(line.startswith("won by quick:9 without take.n=1 ") for line in lines)
    assert any("`take.n=1`" in line and ("wins" in line or "no sign" in line) for line in lines)


@pytest.mark.parametrize(
    ("won", "line"),
    [
        (20, "Who goes without `x` wins less often: it is needed by these players."),
        (50, "In 100 games there is no sign that `x` is ever needed, nor that it is not: more games tell."),
        (80, "Who goes without `x` wins more often: these players use it badly."),
    ],
)
def test_without__says_whether_it_is_needed(won: int, line: str) -> None:
    seats = ("quick:9", "quick:9 without x")
    kind = replace(side("classics/pig").kind, seats=seats)
    rows = [{**HAND, "seed": 0, "winners": [2 if n < won else 1]} for n in range(100)]
    assert need_line(measure_rows(rows, kind, Looking(100)), seats) == line


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["take.k=1"], "the move `take` has no choice `k`"),
        (["take.n=99"], "`99` is no value of `n`; there are `1`"),
        (["tak"], "no move called `tak`; did you mean `take`?"),
        (["take n"], "expected `MOVE` or `MOVE.CHOICE=VALUE`, found `take n`"),
        (["take", "--seats", "random"], "`--without` is for players that are all `quick`, and at least two of them"),
        (["take", "--seats", "quick:9,quick:4"], "`--without` is for players that are all `quick`"),
    ],
)
def test_without__wrong_words(run: Runner, words: list[str], message: str) -> None:
    answer = run("measure", "classics/nim", "--without", *words)
    assert answer.code == 2 and message in answer.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--seats", "human"], "people cannot play that many games; the lab has far, greedy, quick, random and search"),
        (["--seats", "nobody"], "no player called `nobody`; the lab has far, greedy, quick, random and search"),
        (["--seats", "search:2"], "`search:2` thinks by the clock"),
        (["--seats", "search"], "`search` thinks by the clock"),
        (["--seats", "random,random,random"], "3 players were named for a game of 2"),
        (["--seats", "quick:0"], "expected 1 to 100,000 random plays for a move after `quick:`, found `0`"),
        (["--time", "soon"], "expected a time such as `90s`, `2m` or `1h`, found `soon`"),
        (["--notice", "score"], "expected `--notice measure=number`, found `score`"),
        (["--until", "fun"], "no measure called `fun` here; there are `rounds`"),
    ],
)
def test_measure__wrong_words(run: Runner, words: list[str], message: str) -> None:
    answer = run("measure", "classics/pig", *words)
    assert answer.code == 2 and message in answer.err


def test_compare__needs_something_to_compare(run: Runner) -> None:
    answer = run("compare", "base")
    assert answer.code == 2 and "name a second game, or house rules with `--house`" in answer.err
    answer = run("compare", "base", "classics/briscola", "--players", "7")
    assert answer.code == 2


def test_measure__rules_that_get_stuck_are_counted(run: Runner) -> None:
    run.write("stuck.yaml", STUCK)
    answer = run("measure", "stuck.yaml", "--seats", "random", "--games", "5", "--workers", "1")
    assert answer.code == 0
    assert "5 of 5 games of stuck ended with a fault (fault-bounds): they are not in these numbers." in answer.out


def test_measure__a_game_without_scores(run: Runner) -> None:
    answer = run("measure", "classics/nim", "--seats", "quick:20", "--games", "10", "--workers", "1", "--json")
    keys = [m["measure"] for m in json.loads(answer.out)["measures"]]
    assert "first" in keys and "score" not in keys and "changes" not in keys and "rounds" not in keys


# Numbers that are varied -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("tables.row_points=0..4", ("0", "1", "2", "3", "4")),
        ("tables.cost[3]=1,2,5", ("1", "2", "5")),
        ("tables.cost=-1..1, 7", ("-1", "0", "1", "7")),
        ("option.wall_side=*", ("*",)),
    ],
)
def test_vary__is_read(text: str, values: tuple[str, ...]) -> None:
    assert read_vary(text).values == values


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("row_points=0..4", "expected `tables.NAME=0..4`"),
        ("tables.row_points=", "expected `tables.NAME=0..4`"),
        ("tables.row_points=4..0", "expected `tables.NAME=0..4`"),
        ("option.wall_side[2]=*", "expected `tables.NAME=0..4`"),
        ("tables.row_points=0..1000", "at most 50 values are tried"),
        ("tables.row_pints=1", "no table called `row_pints`; did you mean `row_points`?"),
        ("tables.printed=1", "`printed` is not a number or a list of numbers"),
        ("tables.cost[9]=1", "there is no `tables.cost[9]`: expected a list, and an entry from 1 to 7"),
        ("tables.row_points[1]=1", "there is no `tables.row_points[1]`"),
        ("option.wall=*", "no option called `wall`"),
        ("option.wall_side=blue", "`wall_side` has no choice `blue`; there are coloured, grey"),
    ],
)
def test_vary__what_cannot_be(text: str, message: str) -> None:
    with pytest.raises(BadVary) as bad:
        Grid("base", (), None, {}, [read_vary(text)])
    assert message in str(bad.value)


def test_grid__of_a_number_and_an_option() -> None:
    varied = [read_vary("tables.cost[1]=1,5"), read_vary("option.wall_side=*")]
    grid = Grid("base", ("corners",), None, {}, varied)
    assert grid.base == ("1", "coloured")
    points = {point.values: point for point in grid.points()}
    assert list(points) == [("1", "grey"), ("5", "coloured"), ("5", "grey")]
    model = points["5", "grey"].rules.check(2, points["5", "grey"].choices)[0]
    assert model.tables["cost"].entries == (5, 1, 2, 2, 2, 3, 3) and model.choices["wall_side"] == "grey"
    assert "corners" in model.rules


def test_changed_numbers__are_those_of_tables() -> None:
    planted = {"rulespec": 1, "extends": "base", "game": "P", "change": {"tables": {"cost": [2, 1, 2, 2, 2, 3, 3]}}}
    found = []
    for source in ("corners", "cruel_floor", "two_rows", planted):
        rules = open_rules(source)
        found.append(dict(changed_numbers(compare_rules(open_rules("base"), rules, {}).changes, rules.check(2)[0])))
    assert found == [
        {"corner_points": 50},
        {"cost": [10, 20, 30, 40, 50, 60, 70, 80]},
        {},
        {"cost": [20, 10, 20, 20, 20, 30, 30]},  # one of them differs, and all are larger
    ]


def test_attention__points_alone_are_none(pig: Lab) -> None:
    """If nobody plays differently, a rule that pays ten times as much is not played for."""
    rows = rows_of(pig, 40)
    dear = [{**row, "rules": {rule: [n, 10 * p, 10 * g] for rule, (n, p, g) in row["rules"].items()}} for row in rows]
    assert look_for_attention("held", rows, dear).noticed is False
    keen = [
        {**row, "use": {**row["use"], "hold": [row["use"]["hold"][0] + 9 + row["seed"] % 3, row["use"]["hold"][1]]}}
        for row in rows
    ]
    assert look_for_attention("held", rows, keen).noticed is True
    assert look_for_attention("held", [{"fault": "x"}], [{"fault": "x"}]).noticed is None


def test_far__says_how_those_play_who_plan_ahead(pig: Lab) -> None:
    """The rule comes up in 5 of 40 games with the usual players, in 10 with the others, and in 35 where it pays much more."""
    rows = rows_of(pig, 40)

    def with_bonus(many: int) -> list[Row]:
        return [{**row, "rules": {**row["rules"], "bonus": [int(row["seed"] < many), 5, 5]}} for row in rows]

    far = look_far("far:9", with_bonus(5), with_bonus(10), with_bonus(35))
    assert (far.pairs, far.noticed, far.moves) == (40, True, ())
    use = far.rules[0]
    assert (use.rule, use.share, len(far.rules)) == ("bonus", True, 1)
    assert [found.value for found in (use.usual, use.far, use.larger)] == [0.125, 0.25, 0.875]
    assert look_far("far:9", rows, rows, rows).noticed is False
    assert look_far("far:9", [{"fault": "x"}], [{"fault": "x"}], [{"fault": "x"}]).noticed is None


def test_far__what_comes_up_in_every_game_is_counted(pig: Lab) -> None:
    rows = rows_of(pig, 40)
    more = [{**row, "rules": {rule: [n + 9, p, g] for rule, (n, p, g) in row["rules"].items()}} for row in rows]
    far = look_far("far:9", rows, rows, more)
    use = far.rules[0]
    assert not use.share and use.larger.value == pytest.approx((use.far.value or 0) + 9)
    keen = [{**row, "use": {**row["use"], "hold": [row["use"]["hold"][0] + 9 + row["seed"] % 3, 9]}} for row in rows]
    assert ("hold", True) in look_far("far:9", rows, rows, keen).moves


@pytest.mark.soak
def test_compare__asks_those_who_plan_ahead(run: Runner) -> None:
    """`random` plays for nothing; who looks ahead does. The report says for what, and how to play all games with them."""
    run.write("seeds.yaml", SEEDS.replace("WORTH", "1"))
    run.write("rich.yaml", "rulespec: 1\nextends: seeds.yaml\ngame: Rich\nchange: {tables: {worth: 2}}\n")
    words = ["compare", "seeds.yaml", "rich.yaml", "--seats", "random", "--games", "40", "--workers", "1"]
    assert "These players play at random" in run(*words).out  # they are not asked
    words[4] = "quick:2"
    answer = run(*words, "--far")
    assert answer.code == 0, answer.err
    lines = answer.out.splitlines()
    first = next(n for n, line in enumerate(lines) if "do not play for `worth`" in line)
    said = " ".join(lines[first : first + 8])
    assert "Players who look ahead to the end of the game (far:1000) do play for `worth`: " in said
    assert "they choose `plant` more often and `eat` less often" in said
    assert "`--seats far:1000` plays all games with them." in said
    assert "Checked with far:1000 (36 pairs): " in said


@pytest.mark.soak
def test_measure__with_those_who_plan_ahead(run: Runner) -> None:
    run.write("seeds.yaml", SEEDS.replace("WORTH", "9"))
    words = ["measure", "seeds.yaml", "--seats", "random", "--games", "40", "--workers", "1"]
    lines = run(*words, "--far").out.splitlines()
    at = lines.index("The same with players who look ahead to the end of the game (far:1000, 60 games):")
    points = [next(line for line in part if line.startswith("points of a player")) for part in (lines[:at], lines[at:])]
    usual, far = (float(line.split()[4]) for line in points)
    assert far > usual + 10 and lines[:at] == run(*words).out.splitlines()[:at]


def test_second__agrees_if_it_goes_the_same_way(pig: Lab) -> None:
    one = side("classics/pig")
    rows = rows_of(pig, 40)
    longer, shorter = ([{**row, "rounds": row["rounds"] + by + row["seed"] % 3} for row in rows] for by in (40, -40))
    first = compare_rows(rows, longer, (one.kind, one.kind), Looking(40), {})
    assert ask_another("x", first, rows, longer, (one, one)).agrees == ("rounds",)
    assert ask_another("x", first, rows, shorter, (one, one)).disagrees == ("rounds",)
    assert ask_another("x", first, rows, rows, (one, one)).open == ("rounds",)


def test_sweep__of_a_number(run: Runner) -> None:
    words = [
        "sweep",
        "classics/pig",
        "--vary",
        "tables.enough=60,100",
        "--seats",
        "random",
        "--games",
        "50",
        "--workers",
        "1",
    ]
    answer = run(*words)
    assert answer.code == 0, answer.err
    lines = answer.out.splitlines()
    assert lines[0] == "Pig · tables.enough=60,100 · 50 games · 2 players · random · seed 1000"
    assert [line.split()[0] for line in lines[2:5]] == ["tables.enough", "60", "100"]
    assert "less" in lines[3] and "(now)" in lines[4]
    data = json.loads(run(*words, "--json").out)
    assert [value["value"] for value in data["values"]] == ["60"] and data["now"]["values"] == ["100"]


def test_sweep__only_open_values_get_more() -> None:
    base = side("classics/pig")
    sides = {"much": replace(base, name="much"), "little": replace(base, name="little")}
    asked: list[tuple[list[str], int]] = []

    def play(given: Sequence[StudySide], games: int) -> Gathered:
        asked.append(([one.name for one in given], games))
        rows = [{**HAND, "seed": i, "decisions": 100 + i % 7, "rounds": 10 + i % 3} for i in range(games)]
        more = {"much": 50, "little": 5}
        return Gathered(
            [
                GameColumns.of(
                    [{**row, "decisions": row["decisions"] + more.get(one.name, 0) + row["seed"] % 11} for row in rows]
                )
                for one in given
            ]
        )

    found = sweep(base, sides, play, Looking(300, often=True), {})
    assert asked[0] == (["classics/pig", "much", "little"], 200)
    assert all(names == ["classics/pig", "much", "little"] or names == ["classics/pig", "little"] for names, _ in asked)
    assert asked[-1][1] <= 300 and found.games == asked[-1][1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--vary", "tables.enough=1", "--vary", "tables.enough=2", "--vary", "tables.enough=3"], "at most two things"),
        (["--vary", "tables.enuf=1"], "no table called `enuf`"),
        (["--vary", "tables.enough=1", "--until", "score"], "`--until` is for `measure` and `compare`"),
        ([], "Missing option '--vary'"),
    ],
)
def test_sweep__wrong_words(run: Runner, words: list[str], message: str) -> None:
    answer = run("sweep", "classics/pig", *words)
    assert answer.code == 2 and message in answer.err


def test_standing__is_the_first_line_of_winner() -> None:
    game: Game = load("base")
    end = game.playout(3)
    assert game.standing(end) == game.scores(end)
    nim = load("classics/nim")
    assert set(nim.standing(nim.start()).values()) <= {0, 1}
