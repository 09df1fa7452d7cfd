"""Work is counted: pieces chosen together, listings, loops, ways to faults, games without an end."""

from __future__ import annotations

import json
import random
from itertools import pairwise, product
from math import inf
from pathlib import Path
from unittest.mock import patch

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from interpreter.budget import Budget, BudgetSpent, cost_of, cost_together, heaviness
from interpreter.compile.tally import LINE, tallied
from interpreter.compile.verify import verify
from interpreter.examples.examples import run_examples
from interpreter.examples.reading import check_examples
from interpreter.fault import IDLE_LIMIT, LEAST_LIMIT, LIMIT, OUTCOMES, Fault, FaultCode
from interpreter.game import CountedGame, Game, load
from interpreter.run.runtime import several
from interpreter.run.tree import PythonTree
from interpreter.trial.lockstep import Lockstep
from interpreter.trial.trial import try_rules
from referee.bots import find_bot, search
from referee.bots.greedy import MOST_WORK, play_greedy
from referee.bots.greedy import STUCK as GREEDY_STUCK
from referee.bots.search import grown, play_search
from referee.bots.unseen import MOST_STUCK, Unseen
from referee.cli import cli
from referee.engine.session import Session
from referee.engine.stream import Refusal
from referee.lab.study import StudySide
from referee.play import terminal
from referee.play.terminal import MOST_ALONE
from referee.record.match import HUMAN, Match
from referee.record.replay import resume
from rulespec.align import SMALL, common, opcodes
from rulespec.checks.work import MOST_MOVES, MOST_SCORED, Work, sub_multisets
from rulespec.diagnostics.diagnostic import RuleFileError
from rulespec.expr.infer import Inference
from rulespec.rules import open_rules
from rulespec.syntax import AskStep, WhileStep
from rulespec.yaml.nodes import count_characters
from tests.sticks import sticks

# Nobody ever gets more than the heap, and the heap comes back: the game has no end.
ENDLESS = sticks().replace("from heap to taken[me]", "from heap to taken[me]\n      - move all from taken[me] to heap")
# When the heap is used up nobody can do anything, and that is not the end.
STUCK = sticks(steps="  more:\n    - ask: turn\n      to: take\n      otherwise: []\n").replace(
    "- while: left > 0\n    do: [do one]", "- while: turn > 0\n    do: [do more]"
)


def play_on(game: Game) -> None:
    """Play the first move until the game is over."""
    state = game.start(seed=0)
    while state.to_move is not None:
        state = game.apply(state, game.legal_moves(state)[0])


def ways(counts: tuple[int, ...], least: int, most: int) -> list[tuple[int, ...]]:
    """Return all ways to take pieces, by trying everything."""
    return [way for way in product(*(range(n, -1, -1) for n in counts)) if least <= sum(way) <= most]


@given(st.lists(st.integers(0, 3), min_size=1, max_size=5).map(tuple), st.integers(0, 8), st.integers(0, 8))
def test_together__all_ways_are_listed_and_counted(counts: tuple[int, ...], least: int, most: int) -> None:
    wanted = ways(counts, least, most)
    assert list(several(counts, least, most)) == wanted
    assert sub_multisets(list(counts), least, most) == len(wanted)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=5).map(tuple), st.integers(0, 8))
def test_together__of_a_number_that_is_the_same_the_worst_is_counted(counts: tuple[int, ...], most: int) -> None:
    wanted = max(len(ways(counts, n, n)) for n in range(most + 1))
    assert sub_multisets(list(counts), 0, most, exact=True) == wanted


def test_together__counts_of_many_kinds_are_soon_known() -> None:
    assert sub_multisets([99_998] * 5_000, 0, 99_998) == 10**15
    assert sub_multisets([1] * 5_000, 0, 1) == 5_001


@pytest.mark.parametrize(
    ("choose", "number"),
    [
        ("n: 1..3, p: up to 2 from bag", 3 * (1 + 3 + 6)),  # nothing, one, or two alike or not
        ("n: 1..3, p: 2 from bag", 3 * 6),
        ("n: 1..3, p: up to 2 of some from bag", 3 * (1 + 2 + 3)),
        ("n: 1..3, p: n from bag", 3 * 7),  # seven ways for three, the worst of the numbers
    ],
)
def test_together__ways_to_choose(choose: str, number: int) -> None:
    text = sticks(
        sets="{some: [a, b], k: [some, c]}",
        pieces="stick: 10 in heap, k: 2 in bag",
        places="  bag: {pile: k}",
        choose=choose,
    )
    model, _ = open_rules(text).check()
    assert Work(model).candidates(model.moves["take"]) == number


def test_moves__too_many_are_a_fault_in_play_and_in_playouts(tmp_path: Path) -> None:
    some = "  some:\n    text: some {a} {b}\n    choose: {a: r, b: r}\n    does: []\n"
    text = sticks(sets="{r: 1..150}", moves=some).replace("to: take", "to: take or some")
    game = load(text)
    message = f"there are more than {MOST_MOVES:,} legal moves here"
    with pytest.raises(Fault, match=message) as found:
        game.start(seed=0)
    assert text.splitlines()[found.value.span.line - 1].strip() == "- ask: turn"
    with pytest.raises(Fault, match=message):
        game.python_playout(1)
    fewer = load(text.replace("1..150", "1..140"))
    assert fewer.count_moves(fewer.start(seed=0)) == 3 + 140 * 140


def test_loops__a_pass_that_does_much_counts_as_several() -> None:
    game = load(STUCK)
    heavy = load(
        STUCK.replace("- while: turn > 0", "- while: turn > 0 and count(x > y for x in 1..300, y in 1..300) > 0")
    )
    faults = []
    for each in (game, heavy):
        with pytest.raises(Fault, match="this loop never reaches a decision") as found:
            play_on(each)
        faults.append(found.value.idle)
    assert IDLE_LIMIT < faults[0] == IDLE_LIMIT + 1 < faults[1]
    with pytest.raises(Fault, match="this loop never reaches a decision"):
        heavy.python_playout(1)


def test_loops__a_long_list_is_kept_whole() -> None:
    steps = "  p:\n    - for each: x in 1..left\n      do:\n        - ask: turn\n          to: take\n"
    game = load(sticks(pieces="stick: 700 in heap", steps=steps, choose="n: 1..1").replace("[do one]", "[do p]"))
    play_on(game)


def test_settings__of_a_large_file_are_not_all_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    options = "options:\n  heap:\n    few: {text: few}\n    many: {text: many, change: {pieces: {stick: 20 in heap}}}\n"
    large = open_rules(sticks(players="1..20", define="".join(f"  d{i}: left\n" for i in range(500))) + options)
    monkeypatch.setattr("rulespec.rules.MOST_CHECKED", 20_000)
    checked: list[object] = []

    def note(*setting: object) -> tuple[()]:
        checked.append(setting)
        return ()

    monkeypatch.setattr(large, "_diagnostics", note)
    (warning,) = large.check_all()
    assert (warning.code, warning.level) == ("option-unchecked", "warning")
    assert warning.message == f"only the first {len(checked)} combinations of players and options are checked"
    assert len(checked) == 20_000 // count_characters(large.layers.files[0].tree) < 2 * 20
    small = open_rules(sticks(players="1..20") + options)
    assert not [d for d in small.check_all() if d.code == "option-unchecked"]


@pytest.mark.parametrize(
    ("sets", "places", "checked"),
    [
        (", ".join(f"a{i}: 1..4900" for i in range(10)), "", 7),
        ("way: [e, s], a: 1..100, b: 1..100", "  q[a, b]: {cell: stick, ways: {e: {b: b + 1}, s: {a: a + 1}}}\n", 2),
    ],
)
def test_settings__of_much_that_is_declared_are_not_all_checked(sets: str, places: str, checked: int) -> None:
    rules = open_rules(sticks(players="1..20", sets=f"{{{sets}}}", places=places))
    (warning,) = (d for d in rules.check_all() if d.code == "option-unchecked")
    assert warning.message == f"only the first {checked} combinations of players and options are checked"
    assert warning.why == "together they declare 300,000 members and places; others are checked when they are played"


@pytest.mark.parametrize("winner", ["turn != me", "turn != nobody"])
def test_settings__of_much_that_is_worked_out_are_not_all_checked(winner: str) -> None:
    text = sticks(players="1..20", tables='"sum((x + 5) mod 7 for x in 1..20000) mod 3 + 1"')
    rules = open_rules(text.replace("turn != me", winner))
    with patch("rulespec.rules.MOST_WORKED", 300_000):
        found = list(rules.check_all())
    assert rules._worked.steps == 3 * 120_011  # wrong rules are worked out, too
    if winner == "turn != me":
        (warning,) = (d for d in found if d.code == "option-unchecked")
        assert warning.message == "only the first 3 combinations of players and options are checked"
        assert warning.why.startswith("together they take 300,000 steps to be known before the game; others")


def test_expressions__what_is_counted_is_read_once() -> None:
    """Each level that is read twice would double the work."""
    that = "n"
    for _ in range(10):
        that = f"count(taken[{that}])"
    with patch.object(Inference, "value", autospec=True, side_effect=Inference.value) as read:
        open_rules(sticks(that=that + " >= 0")).check()
    assert read.call_count < 200


def test_budget__says_what_was_asked_for_when_it_is_spent() -> None:
    budget = Budget("a shorter way", 10)
    part = budget.part(100)
    part.spend(4)
    budget.took(part)
    assert (part.most, budget.left) == (10, 6)
    with pytest.raises(BudgetSpent, match="a shorter way: no more than 10 decisions are tried"):
        budget.spend(7)
    assert budget.left == 0


def test_budget__a_decision_with_many_moves_costs_more() -> None:
    few, many = load(sticks()), load(sticks(choose="n: 1..most, m: 1..90"))
    assert cost_of(few, few.start(seed=0)) == 1
    assert cost_of(many, many.start(seed=0)) == 1 + 3 * 90 // 10


def test_trial__the_way_to_a_fault_is_told_whole(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(
        STUCK.replace("stick: 10 in heap", "stick: 120 in heap").replace("n: 1..most", "n: 1..1"), encoding="utf-8"
    )
    rules = open_rules(path)
    trial = try_rules(rules, 2, most_work=200)
    (found,) = trial.faults
    (why,) = (d.why for d in trial.diagnostics(rules) if d.code == "play-fault")
    assert len(found.way.decisions) == 120 and not found.way.shortest and found.way.tried <= 200
    assert why.endswith(
        f"cannot continue after 120 decisions ({found.way.tried} tries found no shorter way): 120 times take 1"
    )


def test_diff__stops_and_says_so_where_games_are_long() -> None:
    a, b = load(ENDLESS), load(ENDLESS.replace("took the last stick", "took it"))
    budget = Budget("games", 500)
    assert Lockstep(a, b).search(5, budget) == (None, 0)
    assert budget.left == 0


def test_diff__tells_that_not_all_games_were_played(tmp_path: Path) -> None:
    for name, text in (("a", ENDLESS), ("b", ENDLESS.replace("took the last stick", "took it"))):
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    run = CliRunner().invoke(cli, ["diff", str(tmp_path / "a.yaml"), str(tmp_path / "b.yaml"), "--games", "3"])
    assert "not all 3 games were played" in run.output


def test_play__bots_on_their_own_stop(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "game.yaml").write_text(ENDLESS, encoding="utf-8")
    run = CliRunner().invoke(cli, ["play", str(tmp_path / "game.yaml"), "--seats", "random", "--json"])
    assert run.exit_code == 1
    assert f"bots on their own play at most {MOST_ALONE:,} decisions" in run.output + capsys.readouterr().err


def longest(a: str, b: str) -> int:
    """Return the length of the longest common subsequence, by trying everything."""
    if not a or not b:
        return 0
    without = max(longest(a[1:], b), longest(a, b[1:]))
    return max(without, 1 + longest(a[1:], b[1:])) if a[0] == b[0] else without


@given(st.text("abc", max_size=7), st.text("abcd", max_size=7))
def test_align__as_much_as_possible_is_the_same(a: str, b: str) -> None:
    pairs = common(a, b)
    assert len(pairs) == longest(a, b)
    assert all(a[i] == b[j] for i, j in pairs)
    assert all(i < k and j < m for (i, j), (k, m) in pairwise(pairs))


@pytest.mark.parametrize("small", [0, SMALL])
@given(a=st.text("abc"), b=st.text("abcd"))
def test_align__opcodes_make_one_of_the_other(a: str, b: str, small: int) -> None:
    with patch("rulespec.align.SMALL", small):
        found = list(opcodes(a, b))
    assert all((a[i1:i2] == b[j1:j2]) == (tag == "equal") for tag, i1, i2, j1, j2 in found)
    assert "".join(a[i1:i2] for _, i1, i2, _, _ in found) == a
    assert "".join(b[j1:j2] for _, _, _, j1, j2 in found) == b


def test_align__long_lists_of_the_same_few_things() -> None:
    """Where the longest parts are matched first, this takes an hour."""
    assert len(common([i % 3 == 0 for i in range(9000)], [i % 7 == 0 for i in range(9000)])) == 7286


def test_greedy__stops_after_its_work() -> None:
    """However many moves there are and however long a game goes on, each is tried a little."""
    game = load(ENDLESS.replace("n: 1..most", "n: 1..3, m: 1..90"))
    state, thinking = game.start(seed=0), Budget("thinking", 10**6)
    play_greedy(game, state, random.Random(1), budget=10**9, thinking=thinking)
    assert thinking.spent == MOST_WORK
    few = Budget("thinking", 300)
    move = play_greedy(game, state, random.Random(1), budget=10**9, thinking=few)
    assert move in game.legal_moves(state) and few.left == 0


@pytest.mark.parametrize("bot", ["greedy", "quick", "fair", "search:50p"])
def test_bots__try_no_more_where_every_play_runs_into_a_long_fault(bot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    met, game = list[Fault](), load(STUCK)

    def noted(unseen: Unseen, fault: Fault) -> None:
        met.append(fault)
        meet(unseen, fault)

    meet = Unseen.met
    monkeypatch.setattr(Unseen, "met", noted)
    play, state = find_bot(bot), game.start(seed=0)
    assert play is not None and play(game, state, random.Random(1)) in game.legal_moves(state)
    assert [fault.code for fault in met] == [FaultCode.IDLE] * MOST_STUCK


def test_greedy__pays_for_long_faults_from_the_thinking_of_the_whole_game() -> None:
    game, thinking = load(STUCK), Budget("thinking", 10**6)
    play_greedy(game, game.start(seed=0), random.Random(1), thinking=thinking)
    assert thinking.spent >= GREEDY_STUCK * MOST_STUCK


def test_play__bots_on_their_own_stop_thinking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("referee.play.terminal.MOST_THINKING", 3_000)
    (tmp_path / "game.yaml").write_text(sticks(pieces="stick: 60 in heap"), encoding="utf-8")
    run = CliRunner().invoke(cli, ["play", str(tmp_path / "game.yaml"), "--seats", "greedy", "--seed", "1"])
    assert run.exit_code == 0
    said = run.output + capsys.readouterr().err
    assert said.count("the bots have thought enough: from here on they play any legal move") == 1


def test_search__gives_up_a_pass_that_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load(sticks(pieces="stick: 600 in heap"))
    state = game.start(seed=0)
    clock = iter(range(10**6))
    monkeypatch.setattr(search, "perf_counter", lambda: next(clock))  # one second from look to look
    tree = grown(game, state, game.legal_moves(state), random.Random(1), 50, None, search.MANNER)
    assert tree.made == 0  # one of them takes 300 looks at the clock
    assert play_search(game, state, random.Random(1), seconds=5) in game.legal_moves(state)
    assert next(clock) < 100


def test_search__passes_are_few_and_short_where_each_decision_takes_much_work() -> None:
    game = load(HEAVY["finding the legal choices"])
    state = game.start(seed=0)
    tree = grown(game, state, game.legal_moves(state), random.Random(1), inf, 10**5, search.MANNER)
    assert isinstance(tree, PythonTree) and tree._manner.steps == 1
    assert tree.made <= search.MOST_HEAVY // heaviness(game) < 1000


def test_values__used_twice_are_worked_out_once() -> None:
    def source(levels: int) -> int:
        chain = "".join(f"let a{i + 1} be (if a{i} > 2 then a{i} - 1 else a{i}) in " for i in range(levels))
        return len(load(sticks(that=f"let a0 be n + left in {chain}n = 1 or a{levels} < 99")).source())

    assert source(20) - source(10) < 2 * (source(10) - source(5)) + 200


def test_functions__written_in_place_stay_short() -> None:
    def game(levels: int) -> Game:
        doubling = "".join(f"  d{i + 1}: d{i} + d{i} - d{i}\n" for i in range(levels))
        return load(sticks(define="  d0: left\n" + doubling, that=f"n <= d{levels}"))

    nested = game(9)
    assert len(nested.source()) < 40_000
    assert nested.count_moves(nested.start(seed=0)) == 3


HEAVY = {
    "what a move does": sticks(pieces="stick: 100 in heap", variables="  v: 0..9").replace(
        "- move n of stick",
        "- set v to sum((x + y + left) mod 7 for x in 1..400, y in 1..400) mod 7\n      - move n of stick",
    ),
    "finding the legal choices": sticks(
        pieces="stick: 100 in heap", that="n <= left and count(x + y + left + n > 9 for x in 1..300, y in 1..300) > 3"
    ),
}


@pytest.mark.parametrize("text", HEAVY.values(), ids=HEAVY)
def test_play__bots_on_their_own_do_little_where_each_decision_takes_much_work(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "WORK_ALONE", 3_000)
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    run = CliRunner().invoke(cli, ["play", str(tmp_path / "game.yaml"), "--seed", "1"])
    assert run.exit_code == 1
    assert "under these rules each takes much work" in run.output + capsys.readouterr().err


EACH_SCORED = "{for each: x in a, do: [score point(x) for turn]}"


def scoring(lines: int) -> str:
    """Return rules by which every turn scores that often."""
    text = sticks(sets=f"{{a: 1..{lines}}}", pieces="stick: 99 in heap", variables='  "score[player]": 0..99999')
    rules = 'scoring: {point(number x): {text: "point {x}", points: 1}}\n'
    return text.replace("    - set turn", f"    - {EACH_SCORED}\n    - set turn", 1) + rules


def test_points__what_is_done_at_once_may_score_so_often() -> None:
    load(scoring(MOST_SCORED))
    with pytest.raises(RuleFileError) as found:
        load(scoring(MOST_SCORED + 1))
    (problem,) = found.value.diagnostics
    assert (problem.code, problem.message) == (
        "too-much-work",
        f"`one` may score, tell or show {MOST_SCORED + 1:,} times; at most {MOST_SCORED:,} are allowed",
    )


def test_points__every_line_counts_as_a_pass() -> None:
    """In a loop, and in an ask that nobody decides."""
    model, _ = open_rules(scoring(40)).check()
    work = Work(model)
    (loop,) = (step for step in model.procedures["play"].body if isinstance(step, WhileStep))
    assert work.most_scored == 40 and work.pass_cost(loop) == 1 + (3 + 40 * 60) // 1_000 + 40
    forced = scoring(40).replace("      to: take\n", "      to: take\n      forced: automatic\n")
    model, _ = open_rules(
        forced.replace("    does:\n", "    does:\n      - {for each: x in a, do: [score point(x) for me]}\n")
    ).check()
    (ask,) = (step for step in model.procedures["one"].body if isinstance(step, AskStep))
    assert Work(model).ask_cost(ask) >= 40


def test_points__many_at_a_decision_make_it_cost_more() -> None:
    assert heaviness(load(scoring(300))) == 0 < heaviness(load(scoring(400)))


def test_points__bots_on_their_own_stop_where_very_many_are_scored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "WORK_ALONE", 1_000)
    monkeypatch.setattr(terminal, "MOST_THINKING", 10_000)
    (tmp_path / "game.yaml").write_text(scoring(120), encoding="utf-8")
    run = CliRunner().invoke(cli, ["play", str(tmp_path / "game.yaml"), "--seed", "1"])
    said = run.output + capsys.readouterr().err
    assert run.exit_code == 1
    assert "after 1 decision the bots have thought enough" in said
    assert "the game was stopped after 5 decisions: under these rules each takes much work" in said


@pytest.mark.parametrize(
    ("sets", "pieces", "draw", "steps"),
    [
        ("{k: 1..1}", "stick: 60000 in heap", "draw 60000 from heap to taken[1]", 60_000 * (200 + 2)),
        ("{k: 1..2000}", "k: 2 in bag, stick: 9 in heap", "draw 9000 from bag to out", 4_000 * (200 + 2 * 2_000)),
    ],
)
def test_draws__every_piece_counts_and_every_kind_it_is_drawn_from(
    sets: str, pieces: str, draw: str, steps: int
) -> None:
    places = "  bag: {pile: k}\n  out: {pile: k}" if "bag" in draw else ""
    text = sticks(sets=sets, pieces=pieces, places=places, play=f"  - {draw}\n")
    with pytest.raises(RuleFileError) as found:
        load(text)
    (problem,) = found.value.diagnostics
    assert problem.code == "too-much-work" and problem.message.startswith("`play` may take ")
    assert 0 <= int(problem.message.split()[3].replace(",", "")) - steps < 100
    load(text.replace(draw, draw.replace("000", "0")))


def test_heaviness__of_ordinary_rules_is_none() -> None:
    assert heaviness(load(sticks())) == 0
    assert heaviness(load("base")) == 0 and heaviness(load("reversi")) == 0
    assert min(heaviness(load(text)) for text in HEAVY.values()) > 3_000


def test_together__each_kind_costs_where_pieces_are_chosen_together() -> None:
    game = load(
        sticks(
            sets="{k: 1..20}",
            pieces="stick: 10 in heap, k: 9 in bag",
            places="  bag: {pile: k}",
            choose="n: 1..1, p: up to 3 from bag",
        )
    )
    assert cost_together(game, game.start(seed=0), 1771) == 1771 * 20 // 30
    plain = load(sticks())
    assert cost_together(plain, plain.start(seed=0), 1771) == 0


# What single decisions cost ---------------------------------------------------------------------------------

MANY_STEPS = HEAVY["what a move does"]


def counted(text: str) -> CountedGame:
    rules = open_rules(text)
    return CountedGame(rules, rules.check()[0])


def written(folder: Path, text: str, name: str = "game.yaml") -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


def said(*words: str) -> tuple[int, str]:
    """Return the exit code of a command, and all that it prints."""
    run = CliRunner().invoke(cli, list(words))
    return run.exit_code, run.output


@pytest.mark.parametrize("text", [*HEAVY.values(), "base", "reversi"], ids=[*HEAVY, "base", "reversi"])
def test_counted__the_game_is_the_same(text: str) -> None:
    plain, counting = load(text), counted(text)
    assert list(verify(tallied(counting.compiled.unfolded))) == []
    one, two, rng = plain.start(seed=1), counting.start(seed=1), random.Random(1)
    for _ in range(4):
        assert one.vector == two.vector and plain.legal_moves(one) == counting.legal_moves(two)
        move = rng.choice(plain.legal_moves(one))
        one, two = plain.apply(one, move), counting.apply(two, move)
    assert plain.take_work() == 0 < counting.take_work()
    assert counting.take_work() == 0


def test_counted__what_happens_counts_and_not_what_could() -> None:
    step = "- set v to sum((x + y + left) mod 7 for x in 1..400, y in 1..400) mod 7"
    rare = MANY_STEPS.replace(step, f"- if: left < 3\n        then:\n        {step}")
    always, never, light = counted(MANY_STEPS), counted(rare), counted(sticks())
    works = []
    for game in (always, never, light):
        game.apply(game.start(seed=0), "take 1")
        works.append(game.take_work())
    assert works[0] > 400 * 400 > 100 * works[1]
    assert works[2] == 0
    early = counted(sticks(that="any(x + y + left > 400 for x in 1..400, y in 1..400)"))  # true in the first rows
    early.start(seed=0)
    assert 0 < early.take_work() < 3 * 400 * 400


def test_trial__plays_fewer_games_where_decisions_take_much_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interpreter.trial.coverage.MOST_EXTRA", 300)
    monkeypatch.setattr("interpreter.trial.coverage.EXTRA_EACH", 10)
    path = written(tmp_path, MANY_STEPS)
    trial = try_rules(open_rules(path), 3)
    assert trial.stopped and not trial.is_conclusive and (trial.games, trial.endless) == (0, [])
    code, text = said("validate", path, "--play", "3")
    assert code == 0 and "3 games were asked for; no more were played, as their decisions take too much work" in text
    code, text = said("validate", path, "--play", "3", "--json")
    assert '"stopped": true' in text
    code, text = said("test", path, "--coverage", "--games", "3")
    assert "reached by the examples and 0 random games" in text
    assert "not all examples and 3 games were played to their end: their decisions take too much work" in text
    assert '"stopped": true' in said("test", path, "--coverage", "--games", "3", "--json")[1]
    usual = try_rules(open_rules(written(tmp_path, sticks())), 3)
    assert (usual.games, usual.stopped) == (3, False)


def test_examples__are_not_tried_beyond_their_budget(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.examples.examples.MOST_TRIED", 300)
    one = "  {}: {{play: [take 1, take 1], expect: {{to move: 1}}}}\n"
    path = written(tmp_path, MANY_STEPS + "examples:\n" + "".join(map(one.format, ("first", "second", "third"))))
    results = run_examples(open_rules(path))
    assert [result.passed for result in results] == [True, False, False]
    (problem,) = results[1].problems
    assert problem.what == "not tried to its end: all examples together may take as much work as 300 decisions"
    code, text = said("test", path)
    assert code == 1 and "3 examples, 1 passed, 2 failed" in text


def test_examples__name_only_so_many_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.examples.reading.MOST_PLACES", 40)
    given = "  {}: {{given: {{q: nothing}}, expect: {{over: false}}}}\n"
    text = sticks(sets="{a: 1..30}", places="  q[a]: {cell: stick}\n")
    text += "examples:\n" + "".join(map(given.format, "bcd"))
    (found,) = check_examples(open_rules(text))
    assert (found.code, found.span.line) == ("too-much-work", len(text.splitlines()))
    assert found.message == "the examples before this one name more than 40 places, which is as many as are read"


def test_records__that_take_much_work_are_not_called_good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.record.replay.MOST_EXTRA", 300)
    monkeypatch.setattr("referee.record.replay.EXTRA_EACH", 0)
    match = Match.begin(load(MANY_STEPS), [HUMAN] * 2, 1)
    for _ in range(4):
        match.play("take 1")
    match.save(tmp_path / "game.jsonl")
    path = str(tmp_path / "game.jsonl")
    code, text = said("verify", path)
    message = "not checked beyond decision 2: the rest takes more work than 300 usual decisions"
    assert (code, text) == (1, f"{path}: {message}\n")
    data = json.loads(said("verify", path, "--json")[1])
    assert (data["ok"], data["replayed"], data["damage"]["code"]) == (False, 2, "too-much-work")
    for command in ("transcript", "record", "replay"):
        assert said(command, path) == (1, f"error: {path}: {message}\n")
    monkeypatch.setattr("referee.record.replay.MOST_EXTRA", 30_000)
    assert said("verify", path)[0] == 0
    assert len(resume(path).decided) == 4


def test_house__says_that_its_games_were_not_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, MANY_STEPS)
    monkeypatch.setattr("referee.new.templates.MOST_TRIED", 300)
    first = "## Games with this change were not played to their end: their decisions take too much work."
    assert said("new", "house", "--extends", path)[1].splitlines()[0] == first


def test_diff__counts_what_decisions_cost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.trial.lockstep.EACH", 100)
    one = written(tmp_path, MANY_STEPS, "a.yaml")
    two = written(tmp_path, MANY_STEPS.replace("took the last stick", "took it"), "b.yaml")
    assert "their decisions take much work: not all 3 games were played" in said("diff", one, two, "--games", "3")[1]


def test_lab__refuses_rules_that_take_very_much_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.lab.study.MOST_HEAVY", 3_000)
    rules = open_rules(MANY_STEPS)
    with pytest.raises(RuleFileError, match="too much work to play many games") as found:
        StudySide.of("sticks", rules, 2, {}, ("random", "random"))
    assert [d.code for d in found.value.diagnostics] == ["too-much-work"]


def test_simulate__refuses_what_takes_too_much_work() -> None:
    session = Session(MANY_STEPS)
    session.handle({"do": "new", "seed": 1})
    with pytest.raises(Refusal, match="each of 10000 games may have 1 decisions of players") as found:
        session.handle({"do": "simulate", "games": 10_000})
    assert found.value.code == "too-much-work"


def test_heaviness__below_the_allowance_is_seen_in_a_random_game() -> None:
    value = "sum((x + y + left) mod 7 for x in 1..300, y in 1..300) mod 7"
    text, turn = sticks(variables="  v: 0..9"), "- set turn to next(turn)"
    heavy = load(text.replace(turn, f"- set v to {value}\n    {turn}"))
    rare = load(text.replace(turn, f"- if: left > 50\n      then:\n        - set v to {value}\n    {turn}"))
    assert min(game.work.steps("steps", "one", asks=False) for game in (heavy, rare)) > 400_000
    assert heaviness(heavy) > 1_000 and heaviness(rare) == 0


def test_heaviness__a_group_costs_at_every_place_it_reaches() -> None:
    ways = "    ways:\n      e: [{c: c + 1}, {c: c - 1}]\n      s: [{r: r + 1}, {r: r - 1}]\n"
    group = "size(group(x from b[n, n] along w where empty(x))) > 3"
    boards = [
        load(
            sticks(
                sets=f"{{size: 1..3, r: 1..{n}, c: 1..{n}, w: [e, s]}}",
                places=f'  "b[r, c]":\n    cell: stick\n{ways}',
                that=group,
            )
        )
        for n in (10, 60)
    ]
    assert heaviness(boards[0]) == 0 and heaviness(boards[1]) > 1_000


def test_counted__lines_of_points_count() -> None:
    many, few = counted(scoring(1_000)), counted(scoring(4))
    works = []
    for game in (many, few):
        game.apply(game.start(seed=0), "take 1")
        works.append(game.take_work())
    assert works[0] > 1_000 * LINE > works[1]


def test_chance__that_has_many_outcomes_has_fewer_decisions() -> None:
    bag = "  bag: {pile: k}\n  out: {pile: k}"
    endless = "  - while: count(bag) > 0\n    do: [draw 1 from bag to out]\n"
    many, some, few = (
        load(sticks(sets=f"{{k: 1..{n}}}", pieces="k: 30 in bag, stick: 3 in heap", places=bag, play=endless))
        for n in (2_000, 500, 100)
    )
    assert (many.limit, some.limit, few.limit) == (LEAST_LIMIT, OUTCOMES // 500, LIMIT)
    assert load(sticks(), limit=7).limit == 7
    assert heaviness(many) > 100 > heaviness(few)
