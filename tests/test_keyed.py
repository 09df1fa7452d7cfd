"""Rows of random games are the same to the last byte, whether they are played natively or stepped in Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from math import inf
from pathlib import Path
from statistics import variance
from unittest.mock import PropertyMock, patch

import pytest

from interpreter import CHANCE, Game, load, seeds
from interpreter.run import keyed
from interpreter.run.keyed import KeyedGames
from referee.bots import KeyedRandom, play_quick, play_random
from referee.lab.columns import SELDOM
from referee.lab.luck import Luck
from referee.lab.row import Lab, Row
from rulespec import json_text
from rulespec.files.sources import shipped_games
from tests.bundle import COMPILER
from tests.compiled import Compiled, compile_many
from tests.generated.finding import checked
from tests.generated.rulefiles import rule_file
from tests.sizes import size

FOLDER = Path(__file__).parent / "native"
FEW = ("base", "classics/beacons", "classics/pig", "classics/reversi", "duel")
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler on this machine")


def native(game: Game) -> Lab:
    assert game.compile()
    lab = Lab(game)
    assert lab._native is not None
    return lab


def rows_of(lab: Lab, seeds: Sequence[int], *, stepped: bool = False) -> list[Row]:
    bots = [play_random] * lab.game.players
    if not stepped:
        return [lab.play(bots, seed) for seed in seeds]
    with patch.object(Lab, "_native", PropertyMock(return_value=None)):
        return [lab.play(bots, seed) for seed in seeds]


def assert_same(lab: Lab, many: int) -> list[Row]:
    """Check that rows are equal to the last byte, and return them."""
    rows = rows_of(lab, range(many))
    assert [*map(json_text, rows)] == [*map(json_text, rows_of(lab, range(many), stepped=True))]
    return rows


def assert_quick_is_the_same(lab: Lab, many: int) -> None:
    """Check that players who try moves decide alike, whether all plays are made by one call or not."""
    bots = [partial(play_quick, rollouts=12)] * lab.game.players
    at_once = [lab.play(bots, seed) for seed in range(many)]
    with patch.object(Game, "halve", return_value=None):
        assert at_once == [lab.play(bots, seed) for seed in range(many)]


@needs_compiler
@pytest.mark.sized
@pytest.mark.parametrize("name", [*FEW, *[*sorted(set(shipped_games()) - set(FEW))] * size(0, 1)])
def test_rows__are_the_same_natively_and_in_python(name: str) -> None:
    game = load(name)
    if game.compiled.remembers:
        pytest.skip("it is played in Python only")
    assert not any("fault" in row for row in assert_same(native(game), size(1, 40)))


@needs_compiler
@pytest.mark.sized
@pytest.mark.parametrize(("name", "players"), [("base", 3), ("sintra", 4)])
def test_rows__of_more_players(name: str, players: int) -> None:
    assert_same(native(load(name, players=players)), size(2, 40))


@needs_compiler
@pytest.mark.sized
@pytest.mark.parametrize("first", range(0, size(12, 600), size(12, 30)))
def test_rows__of_generated_files(first: int, tmp_path: Path) -> None:
    """Games that nobody wrote: faults, rolls with any weights, players who decide at the same time, limits of scores."""
    files = [checked(rule_file(seed, small=seed % 4 > 0)) for seed in range(first, first + size(12, 30))]
    games = [Game(*found, limit=300) for found in files if found is not None]
    games = [game for game in games if not game.compiled.remembers]
    compared = 0
    for game, made in zip(games, compile_many([Compiled.of(game) for game in games], tmp_path), strict=True):
        game.simulator.library, lab = made.library, Lab(game)
        if lab._native is not None:
            assert_same(lab, size(4, 20))
            assert_quick_is_the_same(lab, size(1, 5))
            compared += 1
    assert compared > len(games) // 2


def test_rows__of_random_players_do_not_count_how_moves_are_used() -> None:
    """They choose everything as often as drawing lots would, natively and stepped; beside others it is counted."""
    lab = Lab(load("classics/nim"))

    def other(*given: object) -> object:
        return play_random(*given)  # type: ignore[arg-type]

    assert lab.play([play_random] * 2, 1)["use"] == {}
    assert lab.play([play_random, other], 1)["use"] != {}  # type: ignore[list-item]


def test_mark__tells_words_their_order_and_the_end_apart() -> None:
    one, two = seeds.word_mark("take 1"), seeds.word_mark("take 2")
    marks = [
        seeds.mark_of(words, scores, winners)
        for words, scores, winners in (
            ([one, two], [3, 4], 2),
            ([two, one], [3, 4], 2),
            ([one, two], [4, 3], 2),
            ([one, two], [3, 4], 3),
            ([one, two], [-3, 4], 2),
        )
    ]
    assert len({*marks}) == len(marks) and marks[0] == 1352447918207092816


@needs_compiler
def test_games__forget_words_of_decisions_when_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = native(load("base"))
    at_once = rows_of(lab, range(3))
    monkeypatch.setattr(keyed, "FIRST_WORDS", 4)
    monkeypatch.setattr(keyed, "WORDS_KEPT", 32)
    again = Lab(lab.game)
    assert rows_of(again, range(3)) == at_once
    assert again._native is not None and 0 < len(again._native._words) <= 16 and again._native._record.words <= 32


@needs_compiler
def test_games__many_in_one_call_are_those_of_one_each() -> None:
    """Games with and without faults, seeds one after the other or anyhow."""
    for game in (load("base"), load(FOLDER / "faults.yaml")):
        lab = native(game)
        bots, many = [play_random] * game.players, [*range(20), 2**64 + 5, 3]
        assert [*lab.play_many(bots, range(20)), *lab.play_many(bots, many[20:])] == rows_of(lab, many)
        assert [*lab.play_many(bots, many)] == rows_of(lab, many)


@needs_compiler
@pytest.mark.parametrize(("name", "limit"), [("faults", None), ("idle", None), ("endless", 90), ("every_step", None)])
def test_rows__of_games_with_faults(name: str, limit: int | None) -> None:
    rows = assert_same(native(load(FOLDER / f"{name}.yaml", limit=limit)), 30)
    if name != "every_step":
        assert any("fault" in row for row in rows)


@needs_compiler
def test_games__go_on_where_a_call_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call that may do little stops in the middle of a game, and again where there is no room for more decisions."""
    lab = native(load("base"))
    at_once = rows_of(lab, range(3))
    monkeypatch.setattr(keyed, "QUICK", -1.0)  # no call is quick enough to be given more to do,
    monkeypatch.setattr(keyed, "SLOW", inf)  # nor too slow, on a busy machine
    monkeypatch.setattr(keyed, "FIRST_ROOM", 3)
    monkeypatch.setattr(keyed, "FIRST_FUEL", 1)
    again, calls = Lab(lab.game), [0]
    games = again._native
    assert isinstance(games, KeyedGames) and games._record.room == 3
    call = games._library.call_keyed

    def counted(record: int) -> int:
        calls[0] += 1
        return call(record)

    monkeypatch.setattr(games._library, "call_keyed", counted)
    assert rows_of(again, range(3)) == at_once and calls[0] > 100


@needs_compiler
def test_games__an_exception_between_two_calls_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C in the middle of a game: the next game is what it would have been."""
    lab = native(load("base"))
    third = rows_of(lab, [3])
    games = lab._native
    assert games is not None
    games._record.fuel = 1

    def interrupted() -> float:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(keyed, "monotonic", interrupted)
        with pytest.raises(KeyboardInterrupt):
            games.play([2])
    assert rows_of(lab, [3]) == third


def test_rows__mixed_players_share_their_luck_with_random_ones() -> None:
    """A seat decides at random alike, whoever sits beside it."""
    game = load("classics/nim")
    first = [{str(lab.play([play_random] * 2, 8)["mark"])} for lab in (Lab(game), Lab(game))]

    def other(*given: object) -> object:
        return play_random(*given)  # type: ignore[arg-type]

    first.append({str(Lab(game).play([play_random, other], 8)["mark"])})  # type: ignore[list-item]
    assert first[0] == first[1] == first[2]


def test_keyed_number__is_the_same_on_every_machine() -> None:
    assert seeds.stream_of("draw bag") == 10388297954847068008
    assert seeds.keyed_number(seeds.random_state(7), seeds.stream_of("draw bag"), 2, 3) == 8766691687150748119
    assert Luck(7).chance(2, "draw bag", 3) == 8766691687150748119 >> 32


def test_keyed_random__is_fair_and_the_same_again() -> None:
    rng, again = KeyedRandom(5 << 32), KeyedRandom(5 << 32)
    assert rng.choice("abc") == again.choice("abc") == "a"
    assert rng.getrandbits(64) == again.getrandbits(64) and rng.random() == again.random()
    assert KeyedRandom(2**64 - 1).choice("abc") == "c"
    tens = [rng.choice(range(10)) for _ in range(2000)]
    assert all(150 < tens.count(n) < 250 for n in range(10))


@needs_compiler
@pytest.mark.soak
@pytest.mark.parametrize(
    ("rule", "least", "most"), [("corners", 0, 0.03), ("five_rounds", 0.6, 0.9), ("two_rows", 0.7, 0.95)]
)
def test_luck__pairs_save_games_where_a_rule_acts_late(rule: str, least: float, most: float) -> None:
    """The variance of paired differences of scores, as a part of what it would be in independent games."""
    one, other = ([sum(row["scores"]) for row in rows_of(native(load(name)), range(2000))] for name in ("base", rule))
    paired = variance([x - y for x, y in zip(one, other, strict=True)])
    assert least <= paired / (variance(one) + variance(other)) <= most


@needs_compiler
def test_rows__in_most_games_legal_moves_are_not_counted_and_the_games_are_the_same() -> None:
    """Natively, stepped, in one call or in several: who plays and where changes nothing about which games are counted."""
    for name in ("base", "classics/pig"):  # of which one draws its moves, and the other lists them
        lab, seeds = native(load(name)), range(SELDOM - 2, SELDOM + 2)
        bots = [play_random] * lab.game.players
        few, all_of_them = [*lab.play_many(bots, seeds, seldom=True)], [*lab.play_many(bots, seeds)]
        assert [row["legal"] == row["single"] == -1 for row in few] == [True, True, False, True]
        assert few[2] == all_of_them[2]
        assert [{**row, "legal": 0, "single": 0} for row in few] == [
            {**r, "legal": 0, "single": 0} for r in all_of_them
        ]
        with patch.object(Lab, "_native", PropertyMock(return_value=None)):
            assert [*lab.play_many(bots, seeds, seldom=True)] == few
        apart = [lab.play_many(bots, range(seed, seed + 1), seldom=True)[0] for seed in seeds]
        assert apart == few == [*lab.play_many(bots, [*seeds], seldom=True)]


def test_keyed_move__every_legal_move_is_as_likely() -> None:
    """Also where moves are drawn without listing them."""
    game = load("base")
    state = game.start(3)
    while state.to_move == CHANCE or len(game.legal_moves(state)) > 12:
        state = game.apply(state, game.legal_moves(state)[-1])
    legal = game.legal_moves(state)
    assert game.compiled.waiting.drawings and len(legal) > 3
    found = Counter(game.keyed_move(state, seeds.keyed_number(5, 6, 7, number)) for number in range(400 * len(legal)))
    assert set(found) == set(legal) and all(300 < many < 500 for many in found.values())


@needs_compiler
def test_rows__a_player_without_a_legal_move_decides_nothing() -> None:
    """The numbers of a player are counted by decisions, and there is none where no legal move is found."""
    lab = native(load("classics/dominoes"))
    assert rows_of(lab, [22, 23]) == rows_of(lab, [22, 23], stepped=True)
