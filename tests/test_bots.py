"""Bots: they play legal moves, the better one wins, and none of them peeks."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from benchmarks import bots as matches
from benchmarks.bots import Kept, Result, compete, search_mark
from benchmarks.bots import counted as by_count
from interpreter import CHANCE, Game, Manner, Move, State, Tree, load
from referee.bots import (
    BOTS,
    LEVELS,
    Bot,
    advise,
    find_bot,
    imagine,
    is_counted,
    play_chance,
    play_greedy,
    play_level,
    play_quick,
    play_random,
    play_search,
    search,
    seconds_of,
    unseen_places,
)
from referee.lab.estimates import wilson
from referee.lab.vary import house_rule
from tests.sizes import size
from tests.small import small_game

CLASSICS = Path(__file__).parent.parent / "games" / "classics"
GAMES = size(0, 10)  # of each two bots; in the check a few quick ones
counted = partial(play_search, passes=60)  # so many passes, however long they take

CARDS = small_game("cards_with_backs")


@pytest.fixture(scope="module")
def base() -> Game:
    return load("base", players=2)


@pytest.fixture
def cards(tmp_path: Path) -> Game:
    file = tmp_path / "cards.yaml"
    file.write_text(CARDS, encoding="utf-8")
    return load(file)


def play_out(game: Game, bots: tuple[Bot, ...], seed: int) -> State:
    state, rng = game.start(seed), random.Random(seed)
    while state.to_move is not None:
        state = game.apply(state, bots[state.to_move - 1](game, state, rng))
    return state


def quick(game: Game, state: State, rng: random.Random) -> Move:
    """Greedy with each move tried once."""
    return play_greedy(game, state, rng, budget=1)


@pytest.mark.parametrize("bot", [play_random, play_greedy, counted])
def test_bot__plays_the_same_game_from_the_same_seed(base: Game, bot: Bot) -> None:
    state = base.start(4)
    moves = {bot(base, state, random.Random(9)) for _ in range(2)}
    assert len(moves) == 1
    assert moves <= set(base.legal_moves(state))


def test_greedy__lays_the_best_card(cards: Game) -> None:
    """The first card scores: the better one of the two is laid."""
    for seed in range(8):
        state = cards.start(seed)
        hand = [kind for kind, _ in cards.place(state, "hand", 1)]
        assert play_greedy(cards, state, random.Random(seed)).args == (hand[0],)


def test_greedy__without_scores_plays_for_the_win(tmp_path: Path) -> None:
    file = tmp_path / "last.yaml"
    file.write_text(
        "rulespec: 1\ngame: Last stick\nplayers: 2\npieces: {stick: 3 in heap}\n"
        "places:\n  heap: {pile: stick}\n  gone: {pile: stick}\nvariables: {turn: player}\n"
        "play:\n  - while: count(heap) > 0\n    do:\n      - ask: turn\n        to: take\n      - set turn to next(turn)\n"
        "moves:\n  take:\n    text: take {n}\n    choose: {n: 1..3}\n    needs:\n      enough:\n"
        "        that: n <= count(heap)\n        else: too few\n    does:\n      - move n of stick from heap to gone\n"
        "winner:\n  took the last one: turn != me\n",
        encoding="utf-8",
    )
    game = load(file)
    assert str(play_greedy(game, game.start(1), random.Random(1))) == "take 3"


def test_find_bot__by_name() -> None:
    assert {name: find_bot(name) for name in BOTS} == BOTS
    assert find_bot("search:0.25").keywords == {"seconds": 0.25}  # type: ignore[union-attr]
    assert find_bot("search:300p").keywords == {"passes": 300}  # type: ignore[union-attr]
    assert find_bot("quick:60").keywords == {"rollouts": 60}  # type: ignore[union-attr]
    assert find_bot("far:60").keywords == {"passes": 60}  # type: ignore[union-attr]
    assert find_bot("human") is None and find_bot("greedy:2") is None and find_bot("") is None


@pytest.mark.parametrize(
    "name", ["search:", "search:fast", "search:0", "search:-1", "search:nan", "search:inf", "search:1e9"]
)
def test_find_bot__with_bad_seconds(name: str) -> None:
    with pytest.raises(ValueError, match=r"^expected seconds for a move after `search:`, found `"):
        find_bot(name)


@pytest.mark.parametrize("name", ["search:p", "search:0p", "search:1.5p", "search:-3p", "search:1000000p", "search:²p"])
def test_find_bot__with_bad_passes(name: str) -> None:
    with pytest.raises(ValueError, match=r"^expected `search:Np` with 1 to 100,000 passes for a move, found `"):
        find_bot(name)


@pytest.mark.parametrize("name", ["quick:", "quick:0", "quick:2.5", "quick:-1", "quick:many", "quick:999999999999"])
def test_find_bot__with_bad_rollouts(name: str) -> None:
    with pytest.raises(ValueError, match=r"^expected 1 to 100,000 random plays for a move after `quick:`, found `"):
        find_bot(name)


@pytest.mark.parametrize("name", ["far:", "far:0", "far:2.5", "far:100p", "far:999999999999"])
def test_find_bot__with_bad_foresight(name: str) -> None:
    with pytest.raises(ValueError, match=r"^expected 1 to 100,000 passes for a move after `far:`, found `"):
        find_bot(name)


def test_names__that_ask_for_time() -> None:
    assert [seconds_of(name) for name in ("search:2", "search:300p", "quick:600", "search", "random")] == [
        2,
        0,
        0,
        0,
        0,
    ]
    assert [name for name in ("search", "search:2", "search:300p", "quick", "far:9", "greedy") if is_counted(name)] == [
        "search:300p",
        "quick",
        "far:9",
        "greedy",
    ]


# Levels --------------------------------------------------------------------------------------------------

UNHURRIED = 3600.0  # seconds: passes and plays are counted, and no clock stops them


def level(name: str) -> Bot:
    """Return the bot of a level, with the same choice on every machine."""
    return partial(play_level, level=LEVELS[name], seconds=UNHURRIED)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the times at which a search looked at its clock, on which 10 ms pass from look to look."""
    looked = [0.0]

    def look() -> float:
        looked.append(looked[-1] + 0.01)
        return looked[-1]

    monkeypatch.setattr(search, "perf_counter", look)
    return looked


@pytest.fixture
def trees(base: Game, monkeypatch: pytest.MonkeyPatch) -> list[Tree]:
    """Return the trees that bots grow in the game, as they come; they grow in Python, which asks for the time at every decision."""
    found: list[Tree] = []

    def noted(seed: int, room: int, manner: Manner, *, known: bool) -> Tree:
        found.append(base.python_tree(seed, room, manner, known=known))
        return found[-1]

    monkeypatch.setattr(base, "tree", noted)
    return found


def test_levels__have_names_and_are_stopped_by_the_clock(base: Game, clock: list[float], trees: list[Tree]) -> None:
    assert tuple(LEVELS) == ("easy", "fair", "strong") and not any(map(is_counted, LEVELS))
    state = base.start(1)
    assert BOTS["strong"](base, state, random.Random(1)) in base.legal_moves(state)
    assert 1.0 <= clock[-1] < 1.05 and 0 < trees[0].made < 100 < LEVELS["strong"].passes


@pytest.mark.sized
@pytest.mark.parametrize("name", LEVELS)
def test_levels__never_begin_with_the_floor(base: Game, name: str) -> None:
    base.compile()
    for seed in range(size(3, 100)):
        state = base.start(seed)
        assert str(level(name)(base, state, random.Random(seed))).split()[-1] != "floor"


@pytest.mark.sized
def test_levels__play_well_and_lose_little(base: Game) -> None:
    """Against itself the best one scores, and the other does not make it lose a third of what it laid."""
    games = size(0, 10)
    if not games or not base.compile():
        pytest.skip("it takes a compiler, and time")
    result = compete(base, level("strong"), level("strong"), games)
    print(f"strong against itself: {result}")
    assert sum(side.score for side in result.sides) / 2 / games >= 40
    assert all(-3 * side.points["floor_cost"] < side.points["placed"] for side in result.sides)


# Matches that go on ---------------------------------------------------------------------------------------


def total(results: Iterable[Result]) -> Result:
    found = Result()
    for result in results:
        found.add(result)
    return found


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the numbers of the games that are really played, as they come."""
    found: list[int] = []

    def noted(game: Game, bot: Bot, other: Bot, number: int) -> Result:
        found.append(number)
        return play(game, bot, other, number)

    play = matches.match
    monkeypatch.setattr(matches, "match", noted)
    return found


def test_matches__go_on_where_they_stopped(tmp_path: Path, played: list[int]) -> None:
    game, file, pair = load("classics/nim"), tmp_path / "kept.jsonl", ("random", "greedy")
    first = total(Kept(file).compete(game, pair, range(3)))
    assert played == [0, 1, 2] and first.games == 3
    longer = total(Kept(file).compete(game, pair, range(5)))
    assert played == [0, 1, 2, 3, 4] and longer.games == 5
    again = total(Kept(file).compete(game, pair, range(5)))
    assert len(played) == 5 and again == longer
    at_once = total(Kept(None).compete(game, pair, range(5)))
    assert len(played) == 10
    assert (at_once.wins, [side.moves for side in at_once.sides]) == (
        longer.wins,
        [side.moves for side in longer.sides],
    )


def test_matches__of_other_rules_or_bots_do_not_count(tmp_path: Path, played: list[int]) -> None:
    game, other, file = load("classics/nim"), load("classics/tictactoe"), tmp_path / "kept.jsonl"
    for one, pair in ((game, ("random", "greedy")), (game, ("greedy", "random")), (other, ("random", "greedy"))):
        assert total(Kept(file).compete(one, pair, range(1))).games == 1
    assert played == [0, 0, 0]


def test_matches__by_bots_that_searched_otherwise_do_not_count(
    tmp_path: Path, played: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    game, file, pair = load("classics/nim"), tmp_path / "kept.jsonl", ("easy", "random")
    total(Kept(file).compete(game, pair, range(1)))
    monkeypatch.setitem(LEVELS, "easy", replace(LEVELS["easy"], passes=LEVELS["easy"].passes + 1))
    total(Kept(file).compete(game, pair, range(1)))
    monkeypatch.setattr(matches, "SEARCH", "/* in another way */")
    search_mark.cache_clear()
    total(Kept(file).compete(game, pair, range(1)))
    search_mark.cache_clear()
    assert played == [0, 0, 0]


def test_matches__a_line_that_was_cut_is_played_again(tmp_path: Path, played: list[int]) -> None:
    game, file, pair = load("classics/nim"), tmp_path / "kept.jsonl", ("random", "greedy")
    total(Kept(file).compete(game, pair, range(2)))
    whole = file.read_text(encoding="utf-8")
    for length in (len(whole) - 1, len(whole) - 20, 5):
        file.write_text(whole[:length], encoding="utf-8")
        assert total(Kept(file).compete(game, pair, range(2))).games == 2
        assert [line[-1] for line in file.read_text(encoding="utf-8").splitlines()] == ["}", "}"]
    assert played == [0, 1, 1, 1, 0, 1]


def test_matches__no_clock_stops_a_level(base: Game, clock: list[float], trees: list[Tree]) -> None:
    state = base.start(2)
    assert by_count("fair")(base, state, random.Random(1)) in base.legal_moves(state)
    assert clock[-1] > search.SECONDS and trees[0].made > LEVELS["fair"].passes / 2


# Advice --------------------------------------------------------------------------------------------------


def test_advice__the_best_moves_with_points_by_rule(cards: Game) -> None:
    """The card laid first scores what it is worth: the better one of the two is advised, for these points."""
    state = cards.start(1)
    hand = [kind for kind, _ in cards.place(state, "hand", 1)]
    best, other = advise(cards, state, random.Random(1), UNHURRIED)
    assert best.move.args == (hand[0],) and best.worth > other.worth
    assert [rule for rule, _ in best.points] == [rule for rule, _ in other.points] and best.points > other.points


def test_advice__three_moves_of_many_and_the_only_one(base: Game) -> None:
    state = base.start(2)
    found = advise(base, state, random.Random(1), UNHURRIED)
    assert len({advice.move for advice in found}) == 3 and {advice.move for advice in found} <= set(
        base.legal_moves(state)
    )
    assert [advice.worth for advice in found] == sorted((advice.worth for advice in found), reverse=True)
    assert all({rule for rule, _ in advice.points} <= set(base.model.rules) for advice in found)
    nim = load(CLASSICS / "nim.yaml")
    state = nim.start()
    for move in ("take 1 3", "take 2 4", "take 3 4"):
        state = nim.apply(state, move)
    assert [(str(advice.move), advice.worth) for advice in advise(nim, state, random.Random(1))] == [("take 3 1", 1.0)]


def test_advice__without_scores_is_how_often_one_wins() -> None:
    game = load("classics/tictactoe")
    state = game.start()
    for move in ("put 1 1", "put 2 1", "put 1 2", "put 2 2"):
        state = game.apply(state, move)
    best = advise(game, state, random.Random(1), UNHURRIED)[0]
    assert (str(best.move), best.worth, best.points) == ("put 1 3", 1.0, ())


def test_advice__tells_nothing_that_is_hidden(cards: Game) -> None:
    state = cards.start(5)
    other = looks_alike(cards, state)
    assert other is not None
    assert advise(cards, state, random.Random(3), UNHURRIED) == advise(cards, other, random.Random(3), UNHURRIED)


# Quick ---------------------------------------------------------------------------------------------------


def test_quick__is_the_same_natively_and_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    native = load("base")
    if not native.compile():
        pytest.skip("no C compiler")
    monkeypatch.setenv("RULESPEC_NATIVE", "0")
    slow = load("base")
    state, other = native.start(4), slow.start(4)
    for n in range(6):
        move = play_quick(native, state, random.Random(n), 60)
        assert str(move) == str(play_quick(slow, other, random.Random(n), 60))
        state, other = native.apply(state, move), slow.apply(other, str(move))
    assert slow.simulator.library is None


def test_quick__takes_what_wins() -> None:
    """Three in a row is there for the taking, except where every move wins in the end."""
    game = load("classics/tictactoe")
    there = taken = 0
    for seed in range(20):
        state, rng = game.start(), random.Random(seed)
        while state.to_move is not None:
            after = [(m, game.outcome(game.apply(state, m))) for m in game.legal_moves(state)]
            ends = {m for m, outcome in after if outcome is not None and len(outcome.winners) == 1}
            if ends and len(ends) < len(after):
                there += 1
                taken += play_quick(game, state, random.Random(1)) in ends
            state = game.apply(state, rng.choice(game.legal_moves(state)))
    assert there > 5 and taken >= 0.8 * there


def test_quick__plays_every_shipped_classic() -> None:
    for name in ("classics/briscola", "classics/pig", "classics/tictactoe"):
        game = load(name)
        state, rng = game.start(3), random.Random(3)
        for _ in range(12):
            if state.to_move is None:
                break
            state = game.apply(state, play_quick(game, state, rng, 20))


@pytest.mark.sized
def test_match_up__quick_beats_greedy(base: Game) -> None:
    games = GAMES or 2
    result = compete(base, play_quick, play_greedy if GAMES else play_random, games)
    print(f"quick against greedy: {result}")
    assert result.wins >= 0.6 * games


# Searching -----------------------------------------------------------------------------------------------


def test_search__keeps_to_its_time(base: Game, clock: list[float], trees: list[Tree]) -> None:
    state = base.start(4)
    for seconds in (0.5, 2.0):
        begin = clock[-1]
        assert find_bot(f"search:{seconds}")(base, state, random.Random(1)) in base.legal_moves(state)  # type: ignore[misc]
        assert seconds <= clock[-1] - begin < seconds + 0.05
    assert all(tree.made for tree in trees)


def test_search__does_not_look_for_what_is_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    """It stops when it is sure who wins, and does not begin where there is one move."""
    game = load(CLASSICS / "nim.yaml")
    state, tree, made = game.start(), game.tree, list[Tree]()

    def noted(seed: int, room: int, manner: Manner, *, known: bool) -> Tree:
        made.append(tree(seed, room, manner, known=known))
        return made[-1]

    monkeypatch.setattr(game, "tree", noted)
    for move in ("take 1 3", "take 2 4", "take 3 3"):
        state = game.apply(state, move)
    assert str(find_bot("search:2000p")(game, state, random.Random(1))) == "take 3 2"  # type: ignore[misc]
    assert len(made) == 1 and made[0].is_settled and made[0].made < 100
    assert str(find_bot("search:60")(game, game.apply(state, "take 3 1"), random.Random(1))) == "take 3 1"  # type: ignore[misc]
    assert len(made) == 1


def test_search__stops_when_no_pass_left_can_change_the_answer(alone: Game) -> None:
    state = alone.start(1)
    tree = search.grown(alone, state, alone.legal_moves(state), random.Random(1), UNHURRIED, 2000, search.MANNER)
    most, next_most = (tried.visits for tried in tree.tried()[:2])
    assert most - next_most > 2000 - tree.made > 0


SEEDS = """\
rulespec: 1
game: Seeds
players: 2
sets: {weather: 1..2}
tables: {worth: WORTH}
variables:
  turn: player
  rain: 1..2
  year: 1..6
  planted[player]: 0..6
  score[player]: 0..99
play:
  - for each: n in 1..6
    do:
      - set year to n
      - roll falls from weather
      - set rain to falls
      - for each: p in clockwise(1)
        do:
          - set turn to p
          - ask: turn
            to: eat or plant
          - score lived for p
  - for each: p in player
    do:
      - score harvest for p
scoring:
  lived: {text: another year, points: 1}
  eaten: {text: a seed, points: rain}
  harvest: {text: what grew, points: "worth * planted[me]"}
moves:
  eat: {text: eat, does: [score eaten for me]}
  plant:
    text: plant
    needs:
      time to grow: {that: year < 6, else: it is too late}
    does: ["add 1 to planted[me]"]
winner: {most: "score[me]"}
"""  # a seed is eaten for a point or two now, or planted for some at the end


@pytest.mark.parametrize(("worth", "far"), [(0, "eat"), (5, "plant")])
def test_far__sees_what_is_paid_at_the_end(worth: int, far: str) -> None:
    game = load(SEEDS.replace("WORTH", str(worth)))
    state = game.start(seed=1)
    found = {name: str(find_bot(name)(game, state, random.Random(1))) for name in ("far:300", "quick:100")}  # type: ignore[misc]
    assert found == {"far:300": far, "quick:100": "eat"}


@pytest.mark.soak
@pytest.mark.timeout(1200)
def test_far__plays_for_a_bonus_at_the_end_and_still_plays_well() -> None:
    """With 50 points for all four corners it gets them far more often than with 5, and it beats `quick:200` both ways."""
    games, corners, won = 60, dict[int, int](), dict[int, float]()
    for points in (5, 50):
        game = load("corners", house=[house_rule("corners", "Dear corners", {"corner_points": points})])
        game.compile()
        bots = [find_bot("far:1000"), find_bot("quick:200")]
        corners[points], won[points] = 0, 0.0
        for seed in range(games):
            state, rng, far = game.start(seed), random.Random(seed), 1 + seed % 2
            while state.to_move:
                bot = bots[state.to_move != far]
                assert bot is not None
                state = game.apply(state, bot(game, state, rng))
            outcome = game.outcome(state)
            assert outcome is not None
            won[points] += (far in outcome.winners) / len(outcome.winners)
            corners[points] += any(line.rule == "corners" and line.player == far for line in game.ledger(state))
    assert corners[50] - corners[5] >= 15, corners
    assert all(wilson(share, games).low > 0.5 for share in won.values()), won


def test_search__decides_the_same_natively_and_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    native = load("classics/briscola")
    if not native.compile():
        pytest.skip("no C compiler")
    monkeypatch.setenv("RULESPEC_NATIVE", "0")
    slow = load("classics/briscola")
    state, other = native.start(4), slow.start(4)
    for n in range(6):
        move = play_search(native, state, random.Random(n), passes=60)
        assert str(move) == str(play_search(slow, other, random.Random(n), passes=60))
        state, other = native.apply(state, move), slow.apply(other, str(move))
    assert slow.simulator.library is None


def nim_sum(game: Game, state: State) -> int:
    sums = 0
    for heap in range(1, 4):
        sums ^= sum(n for _, n in game.place(state, "sticks", heap))
    return sums


def test_search__plays_nim_perfectly() -> None:
    """Once each player has moved: from every winning position it goes to a lost one for the other."""
    game, searched = load(CLASSICS / "nim.yaml"), 0
    for seed in range(8):
        state, rng = game.start(seed), random.Random(seed)
        while state.to_move is not None:
            if state.decisions >= 2 and nim_sum(game, state):
                state = game.apply(state, play_search(game, state, rng, passes=2500))
                assert nim_sum(game, state) == 0
                searched += 1
            else:
                state = game.apply(state, play_random(game, state, rng))
    assert searched > 12


def test_search__never_loses_tictactoe_to_random() -> None:
    game = load(CLASSICS / "tictactoe.yaml")
    search = partial(play_search, passes=150)
    losses = wins = 0
    for seed in range(8):
        mine = 1 + seed % 2
        outcome = game.outcome(play_out(game, (search, play_random) if mine == 1 else (play_random, search), seed))
        assert outcome is not None
        losses += mine not in outcome.winners
        wins += outcome.winners == (mine,)
    assert losses == 0
    assert wins > 4


def looks_alike(game: Game, state: State) -> State | None:
    """Another position that looks the same to the player to move; none: there is none."""
    assert state.to_move
    for n in range(50):
        other = imagine(game, state, state.to_move, random.Random(n))
        assert other is not None
        if other != state:
            assert game.view(other, state.to_move) == game.view(state, state.to_move)
            return other
    return None


@pytest.mark.parametrize(
    "bot", [partial(play_search, passes=40), partial(play_greedy, budget=1)], ids=["search", "greedy"]
)
@pytest.mark.parametrize(("name", "most"), [("cards", 12), ("briscola", 8), ("duel", 1)])
def test_bot__never_uses_what_it_cannot_see(
    name: str, most: int, bot: Callable[[Game, State, random.Random], Move], tmp_path: Path
) -> None:
    """Two positions that differ only in what is hidden, and in the seed of what is to come: the same choice."""
    (tmp_path / "cards.yaml").write_text(CARDS, encoding="utf-8")
    files = {"cards": tmp_path / "cards.yaml", "briscola": CLASSICS / "briscola.yaml"}
    game = load(files.get(name, name))
    checked = 0
    for seed in range(6):
        state, rng = game.start(seed), random.Random(seed)
        while state.to_move is not None and checked < min(most, 2 * (seed + 1)):
            other = looks_alike(game, state) if len(game.legal_moves(state)) > 1 else None
            if other is not None:
                choices = [str(bot(game, s, random.Random(5))) for s in (state, other, other.with_seed(123))]
                assert len(set(choices)) == 1, choices
                checked += 1
            state = game.apply(state, play_random(game, state, rng))
    assert checked >= min(most, 5)


@pytest.fixture
def alone() -> Game:
    return load(
        "rulespec: 1\ngame: Alone\nplayers: 1\nvariables:\n  left: {is: 0..9, start: 3}\n  score[player]: 0..99\n"
        "play:\n  - while: left > 0\n    do:\n      - set left to left - 1\n      - ask: 1\n        to: get\n"
        "moves:\n  get:\n    text: get {n}\n    choose: {n: 1..3}\n    needs: {some: {that: n > 0, else: no}}\n"
        "    does:\n      - score got(n) for me\nscoring:\n  got(number n):\n    text: got {n}\n    points: n\n"
        "winner:\n  most: score[me]\n"
    )


def test_search__with_more_players_and_one(alone: Game) -> None:
    game = load("base", players=4)
    state = game.start(2)
    assert counted(game, state, random.Random(1)) in game.legal_moves(state)
    assert str(play_search(alone, alone.start(1), random.Random(1), passes=200)) == "get 3"


# Who beats whom --------------------------------------------------------------------------------------------


@pytest.mark.sized
def test_match_up__search_beats_greedy(base: Game) -> None:
    bot: Bot = partial(play_search, passes=size(240, 1000))  # counted: the same games on every machine
    games = GAMES or 2
    result = compete(base, bot, play_greedy if GAMES else quick, games)
    print(f"search against greedy: {result}")
    assert result.wins >= 0.6 * games


@pytest.mark.sized
def test_match_up__greedy_beats_random(base: Game) -> None:
    games = GAMES or 2
    result = compete(base, play_greedy if GAMES else quick, play_random, games)
    print(f"greedy against random: {result}")
    assert result.wins >= 0.6 * games


def test_imagine__leaves_chance_open(base: Game) -> None:
    state = imagine(base, base.start(3), 1, random.Random(1))
    assert state is not None and state.seed is None
    rng = random.Random(2)
    while state.to_move not in (CHANCE, None):
        state = base.apply(state, rng.choice(base.legal_moves(state)))
    assert state.to_move == CHANCE  # the next round is not dealt: nobody can know it
    assert play_chance(base, state, rng) in base.legal_moves(state)


def test_imagine__looks_the_same_and_deals_anew(cards: Game) -> None:
    state = cards.start(5)
    deals = set()
    for n in range(40):
        other = imagine(cards, state, 1, random.Random(n))
        assert other is not None
        assert cards.view(other, 1) == cards.view(state, 1)
        assert all(_count(cards, other, kind) == 2 for kind in cards.model.kinds)
        deals.add(other.vector)
    assert len(deals) > 3
    assert cards.view(state, None)["places"]["hand[1]"] != {"hidden": 2}  # the backs are seen


def test_imagine__does_not_depend_on_what_is_hidden(cards: Game) -> None:
    """Positions that look alike to a player are imagined in the same ways, whatever is really there."""
    state = cards.start(5)
    other = looks_alike(cards, state)
    assert other is not None
    for n in range(100):  # the same random numbers deal the same
        assert imagine(cards, state, 1, random.Random(n)) == imagine(cards, other, 1, random.Random(n))


def test_unseen_places__by_viewer(cards: Game) -> None:
    assert unseen_places(cards, 1) == [("deck", 0), ("hand", 1), ("tower", 0)]
    assert unseen_places(cards, None) == [("deck", 0), ("hand", 0), ("hand", 1), ("tower", 0)]


def _count(game: Game, state: State, kind: int) -> int:
    places = [("deck",), ("tower",), ("hand", 1), ("hand", 2), ("table", 1), ("table", 2)]
    return sum(n for name, *index in places for k, n in game.place(state, str(name), *map(int, index)) if k == kind)
