"""Properties of every position of every shipped game, for all numbers of players and all options.

Nothing here knows a game: a new file under `games/` is tested without a new line. A failing case prints the seed of
its random game. RULESPEC_EXPLORE=1 plays other games every time, with all combinations of options.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter import CHANCE, Game, IllegalMove, Move, State
from interpreter.compile.program import Ask
from interpreter.layout import BLOCK
from rulespec.diagnostics.diagnostic import RuleFileError
from rulespec.files.sources import shipped_games
from rulespec.rules import players_of
from rulespec.syntax import NONE, Several, Type, Values, YesNo
from tests.compare import Settings, covering, few
from tests.shipped import game_of, rules_of
from tests.sizes import SOAK, size

MOST_DECISIONS = 20_000  # no game of people is longer, played at random or not
EXPLORE = bool(os.environ.get("RULESPEC_EXPLORE"))
GAMES_A_TEST = size(1, 10)  # random games of each shipped game in each test, shared among its settings

Setting = tuple[str, int, tuple[tuple[str, str], ...]]


def settings_of(name: str) -> list[Setting]:
    """Return every number of players with every combination of options, or of very many some in which any two choices meet.

    In the check two. RULESPEC_EXPLORE has all.
    """
    found = Settings()
    try:
        rules = rules_of(name)
        for choices in rules.combinations() if EXPLORE else covering(rules.combinations()):
            found += [(n, choices) for n in players_of(rules.layers.resolve(choices))]
    except RuleFileError:
        return [(name, 0, ())]  # its tests will say what is wrong with the file
    return [(name, n, tuple(choices.items())) for n, choices in (found if SOAK or EXPLORE else few(found)[:2])]


def _id(setting: Setting) -> str:
    name, players, options = setting
    return "-".join([name.replace("/", "."), str(players), *(choice for _, choice in options)])


# the house rules have a test of their own
SETTINGS = {name: settings_of(name) for name in shipped_games() if not name.startswith("house/")}
every_setting = pytest.mark.parametrize(
    "setting",
    [s for found in SETTINGS.values() for s in found],
    ids=_id,
    scope="module",  # all tests of a setting follow one another: a worker seldom opens what another has open
)
pytestmark = pytest.mark.sized
SEEDS = st.integers(0, 2**32 - 1)


def opened(setting: Setting) -> Game:
    name, players, options = setting
    return game_of(name, players or None, dict(options))


def some_games(setting: Setting) -> int:
    return max(1, GAMES_A_TEST // len(SETTINGS[setting[0]]))


def over_games(check: Any, setting: Setting) -> None:
    """Run `check(game, rng)` for a few drawn seeds."""
    game = opened(setting)

    @settings(max_examples=some_games(setting))
    @given(SEEDS)
    def run(seed: int) -> None:
        check(game, random.Random(seed))

    run()


def choose(game: Game, state: State, rng: random.Random) -> Move:
    """Return a random decision, chance by its weights."""
    if state.to_move == CHANCE:
        outcomes = game.chances(state)
        return rng.choices([m for m, _ in outcomes], [n for _, n in outcomes])[0]
    return rng.choice(game.legal_moves(state))


def positions(game: Game, rng: random.Random) -> Iterator[State]:
    """Yield every position of one random game, chance left open, the last one included. It ends within the bound."""
    state = game.start()
    for _ in range(MOST_DECISIONS):
        yield state
        if state.to_move is None:
            return
        state = game.apply(state, choose(game, state, rng))
    raise AssertionError(f"no end after {MOST_DECISIONS} decisions")


# What is in a position ------------------------------------------------------------------------------------


def total_pieces(game: Game) -> Counter[int]:
    totals: Counter[int] = Counter()
    for supply in game.model.pieces:
        totals[supply.kind] += supply.count
    return +totals


def check_pieces(game: Game, state: State) -> None:
    """Every piece lies somewhere and no place holds more than its room, or what it cannot hold."""
    lying: Counter[int] = Counter()
    for place in game.model.places.values():
        layout = game.layout.places[place.name]
        for number, combo in enumerate(product(*place.index_values)):
            here = 0
            for kind, count in game.place(state, place.name, *combo):
                assert kind in place.kinds and count > 0, (place.name, combo, kind, count)
                lying[kind] += count
                here += count
            room = place.rooms[number]
            assert here <= (1 if place.shape == "cell" else room if room >= 0 else here), (
                place.name,
                combo,
                here,
                room,
            )
            if layout.total is not None:  # kept beside the counts: must agree with them
                assert state.vector[layout.address(number) + layout.total] == here, (place.name, combo)
    assert lying == total_pieces(game)


def check_nowhere(game: Game, state: State) -> None:
    layout = game.layout
    assert state.vector[layout.nowhere_cell] == NONE
    assert not any(state.vector[layout.nowhere : layout.nowhere_cell]), "something lies nowhere"


def holds(t: Type, code: int) -> bool:
    if isinstance(t, YesNo):
        return code in (0, 1)
    assert isinstance(t, Values)
    return (
        code in t.members
        or (code == NONE and t.none)
        or (t.lo is not None and t.hi is not None and t.lo <= code <= t.hi)
    )


def check_variables(game: Game, state: State) -> None:
    """Every variable is what `is:` says and keeps to `never below` and `never above`."""
    for variable in game.model.variables.values():
        for combo in product(*variable.index_values):
            value = game.variable(state, variable.name, *combo)
            assert holds(variable.type, value), (variable.name, combo, value)
            assert variable.never_below is None or value >= variable.never_below, (variable.name, combo, value)
            assert variable.never_above is None or value <= variable.never_above, (variable.name, combo, value)


def check_ledger(game: Game, state: State) -> None:
    """For each player what the ledger says was gained is the score less what it started with."""
    gained = dict.fromkeys(range(1, game.players + 1), 0)
    for line in game.ledger(state):
        gained[line.player] += line.gained
        assert line.text and line.span.line > 0 and 0 <= line.decision <= state.decisions
        assert abs(line.gained) <= abs(line.points) and line.gained * line.points >= 0, line
    scores = game.scores(state)
    if scores:
        starts = dict(enumerate(game.model.variables["score"].starts, 1))
        assert scores == {p: starts[p] + gained[p] for p in gained}


def check_vector(game: Game, state: State) -> None:
    assert len(state.vector) == len(game.layout.start)
    numbers = state.vector[: game.layout.size]  # behind them is what was noted, in a game that remembers
    assert all(type(n) is int for n in numbers), [type(n) for n in numbers if type(n) is not int]


def check_decider(game: Game, state: State) -> None:
    """A player, chance or nobody decides; nobody means the game is over and has an outcome, and nothing else does."""
    moves, chances, outcome = game.legal_moves(state), game.chances(state), game.outcome(state)
    if state.to_move is None:
        assert moves == [] and chances == [] and outcome is not None
        assert outcome.winners and set(outcome.winners) <= set(range(1, game.players + 1))
        assert sorted(p for rank in outcome.ranking for p in rank) == list(range(1, game.players + 1))
        assert outcome.ranking[0] == outcome.winners and outcome.scores == game.scores(state)
        assert outcome.reason in dict(game.model.winner)
        return
    assert outcome is None and moves
    if state.to_move == CHANCE:
        assert [m for m, _ in chances] == moves and all(weight > 0 for _, weight in chances)
    else:
        assert 1 <= state.to_move <= game.players and chances == []


@every_setting
def test_position__keeps_its_invariants(setting: Setting) -> None:
    def check(game: Game, rng: random.Random) -> None:
        for number, state in enumerate(positions(game, rng)):
            check_vector(game, state)
            check_decider(game, state)
            check_nowhere(game, state)
            check_pieces(game, state)
            check_variables(game, state)
            if number % 20 == 0 or state.to_move is None:
                check_ledger(game, state)

    over_games(check, setting)


# Moves ----------------------------------------------------------------------------------------------------


def domain(game: Game, state: State, name: str, given: tuple[int, ...], chosen: tuple[Any, ...]) -> list[Any]:
    return game.compiled.domain(name, len(chosen), state.vector, state.to_move, *given, *chosen)


def by_definition(game: Game, state: State) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yield the legal moves as the language defines them: the moves asked for, their choices one inside the other, each in
    the order of its domain, and every condition asked of each combination. Slow, and sure of the order."""
    rules, at = game.compiled, state.vector[BLOCK]
    names, seen = list(game.model.moves), set()
    ask = rules.program.decisions[at]
    assert isinstance(ask, Ask)
    for option in ask.options:
        name = names[rules.program.moves[option.move]]
        spec = game.model.moves[name]
        given = rules.waiting.given[at](state.vector, None, option.move)
        combos: list[tuple[Any, ...]] = [()]
        for _ in spec.choices:
            combos = [(*c, value) for c in combos for value in domain(game, state, name, given, c)]
        for args in combos:
            needs = range(len(spec.conditions))
            if (name, args) not in seen and all(
                rules.holds(name, i, state.vector, state.to_move, *given, *args) for i in needs
            ):
                seen.add((name, args))  # an ask that names a move twice offers each decision once
                yield name, args


@every_setting
def test_legal_moves__are_those_without_objection_in_the_order_of_the_file(setting: Setting) -> None:
    def check(game: Game, rng: random.Random) -> None:
        for number, state in enumerate(positions(game, rng)):
            moves = game.legal_moves(state)
            assert len(set(moves)) == len(moves), "a move is listed twice"
            assert len({str(m) for m in moves}) == len(moves), "two moves are written alike"
            for move in moves:
                assert game.parse_move(state, str(move)) == move
            if state.to_move == CHANCE:
                decision = game.decision(state)
                assert decision is not None
                order = decision.domain
                codes = [m.args[0] for m in moves]
                assert not order or codes == [code for code in order if code in codes]
            elif state.to_move is not None and number % 4 == 0:
                assert [(m.name, m.args) for m in moves] == list(by_definition(game, state))

    over_games(check, setting)


@every_setting
def test_legal_moves__each_applies_and_leaves_its_position_alone(setting: Setting) -> None:
    def check(game: Game, rng: random.Random) -> None:
        for number, state in enumerate(positions(game, rng)):
            moves = game.legal_moves(state)
            before = state.vector
            few = rng.sample(moves, min(60 if number % 25 == 0 else 2, len(moves)))
            for move in few:
                assert game.objections(state, move) == []
                after = game.apply(state, move)
                assert after.decisions == state.decisions + 1 and game.decisions(after)[-1] == move
                if state.to_move != CHANCE:
                    assert "{" not in game.describe(state, move)
            assert state.vector is before and game.legal_moves(state) == moves

    over_games(check, setting)


def any_value(t: Type, rng: random.Random) -> Any:
    """Return a value that a choice of this type might have, legal or not."""
    if isinstance(t, Several):
        return tuple(rng.randrange(4) for _ in t.kinds)
    if isinstance(t, YesNo):
        return rng.randrange(2)
    assert isinstance(t, Values)
    codes = [*sorted(t.members), *([NONE] if t.none else [])]
    if t.lo is not None and t.hi is not None:
        codes += range(t.lo - 1, t.hi + 2)  # and one outside, on either side
    return rng.choice(codes)


def any_move(game: Game, state: State, rng: random.Random) -> Move:
    """Return a random decision: mostly a move that is asked for, with values of its choices' types."""
    decision = game.decision(state)
    if decision is not None and rng.random() < 0.9:
        names = decision.moves or ("draw",)
    else:
        names = (*game.model.moves, "draw", "roll")
    name = rng.choice(names)
    if name in ("draw", "roll"):
        code = rng.choice([*game.model.kinds, NONE, *range(1, 7)])
        return Move(name, (code,), game.notation.chance(name, code))
    args = tuple(any_value(choice.type, rng) for choice in game.model.moves[name].choices)
    return Move(name, args, game.notation.move(name, args))


def check_refused(game: Game, state: State, move: Move) -> None:
    """An objection says why and where the rule stands; nothing happens."""
    before = state.vector, state.decisions, state.to_move
    objections = game.objections(state, move)
    assert objections, f"{move} is not listed and not refused"
    for objection in objections:
        assert objection.text.strip() and "{" not in objection.text and objection.condition, objection
        assert objection.move == move.name
        if state.to_move is not None:
            assert objection.span is not None and objection.span.file and objection.span.line > 0, objection
            assert f"{objection.span.file}:{objection.span.line}" in str(objection)
    for form in (move, str(move)):
        with pytest.raises(IllegalMove) as caught:
            game.apply(state, form)
        assert caught.value.objections == objections
    assert (state.vector, state.decisions, state.to_move) == before


@every_setting
def test_unlisted_move__is_refused_with_its_reason_and_changes_nothing(setting: Setting) -> None:
    def check(game: Game, rng: random.Random) -> None:
        for state in positions(game, rng):
            legal = set(game.legal_moves(state))
            for _ in range(4):
                move = any_move(game, state, rng)
                if move in legal:
                    assert game.objections(state, move) == []
                else:
                    check_refused(game, state, move)

    over_games(check, setting)


# Replays --------------------------------------------------------------------------------------------------


def replayed(game: Game, moves: list[Move], state: State) -> State:
    for move in moves:
        state = game.apply(state, str(move))
    return state


@every_setting
def test_decisions__replay_to_the_same_positions(setting: Setting) -> None:
    def check(game: Game, rng: random.Random) -> None:
        played = list(positions(game, rng))
        decisions = game.decisions(played[-1])
        assert len(decisions) == played[-1].decisions == len(played) - 1
        state = game.start()
        for move, expected in zip(decisions, played[1:], strict=True):
            state = game.apply(state, str(move))
            assert state == expected and hash(state) == hash(expected) and state.to_move == expected.to_move
        assert game.ledger(state) == game.ledger(played[-1])

    over_games(check, setting)


@every_setting
def test_seed__gives_the_same_game_and_its_decisions_replay_with_chance_open(setting: Setting) -> None:
    def check(game: Game, rng: random.Random) -> None:
        seed, choices = rng.randrange(2**32), rng.randrange(2**32)
        ends = []
        for _ in range(2):
            state, pick = game.start(seed), random.Random(choices)
            while state.to_move is not None:
                assert state.to_move != CHANCE, "with a seed chance plays itself"
                assert state.decisions < MOST_DECISIONS
                state = game.apply(state, pick.choice(game.legal_moves(state)))
            ends.append(state)
        assert ends[0] == ends[1] and game.decisions(ends[0]) == game.decisions(ends[1])
        again = replayed(game, game.decisions(ends[0]), game.start())
        assert again == ends[0] and game.ledger(again) == game.ledger(ends[0])

    over_games(check, setting)


@every_setting
def test_playout__is_a_whole_game_by_the_rules(setting: Setting) -> None:
    def check(game: Game, rng: random.Random) -> None:
        seed = rng.randrange(2**32)
        end = game.playout(seed)
        assert game.playout(seed) == end
        for verify in (check_vector, check_decider, check_nowhere, check_pieces, check_variables, check_ledger):
            verify(game, end)
        assert end.to_move is None and 0 < end.decisions < MOST_DECISIONS
        again = replayed(game, game.decisions(end), game.start())
        assert again == end and game.ledger(again) == game.ledger(end)

    over_games(check, setting)
