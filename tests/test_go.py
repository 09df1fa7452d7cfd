"""Go beside a second one in plain Python: random games decision by decision, counts of the first plies, the area at the end."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from interpreter import Game, State, load
from referee.cli.perft_count import Counter
from tests.reference.go import Go, count
from tests.shipped import game_of
from tests.sizes import size

LINES = {"nine": 9, "seven": 7, "five": 5}
KOMI = {9: 7, 7: 7, 5: 3}


def both(lines: str, superko: bool) -> tuple[Game, Go]:
    options = {"size": lines, "ko_rule": "superko" if superko else "usual_ko"}
    return game_of("classics/go", options=options), Go(LINES[lines], superko)


def offered(other: Go) -> list[str]:
    """Return the legal moves of the second implementation, as the rules write them."""
    return [*(f"put {r}.{c}" for r, c in other.points()), "pass"]


def stones(game: Game, state: State, lines: int) -> dict[tuple[int, int], int]:
    """Return the player whose stone lies on each point that is not free."""
    owners = {game.model.sets["stone"].values[0]: 1, game.model.sets["stone"].values[1]: 2}
    every = [(r, c) for r in range(1, lines + 1) for c in range(1, lines + 1)]
    lying = {point: game.place(state, "board", *point) for point in every}
    return {point: owners[found[0][0]] for point, found in lying.items() if found}


def play_along(game: Game, other: Go, rng: random.Random, most: int) -> State:
    """Play at random, seldom passing, and compare everything; return the position at the end."""
    state = game.start()
    for _ in range(most):
        if state.to_move is None:
            break
        assert state.to_move == other.turn
        moves = game.legal_moves(state)
        assert [str(move) for move in moves] == offered(other)
        puts = moves[:-1]
        move = rng.choice(puts) if puts and rng.random() < 0.97 else moves[-1]
        if str(move) == "pass":
            other.do_pass()
        else:
            r, c = str(move).removeprefix("put ").split(".")
            other.put((int(r), int(c)))
        state = game.apply(state, move)
        assert stones(game, state, other.size) == other.board
    return state


@pytest.mark.sized
@pytest.mark.parametrize(("lines", "superko", "games"), [("five", False, 12), ("five", True, 12), ("nine", False, 1), ("nine", True, 1)])  # fmt: skip
def test_go__agrees_with_the_second_one(lines: str, superko: bool, games: int) -> None:
    game, _ = both(lines, superko)
    for seed in range(size(games, 20 * games)):
        other = Go(LINES[lines], superko)
        state = play_along(game, other, random.Random(seed), size(150, 600))
        if state.to_move is None:
            black, white = other.areas()
            assert game.scores(state) == {1: black, 2: white + KOMI[other.size]}
            outcome = game.outcome(state)
            assert outcome is not None
            assert outcome.winners == ((1,) if black > white + KOMI[other.size] else (2,))


def test_go__counts_of_the_first_plies() -> None:
    nine, _ = both("nine", False)
    counter = Counter(nine)
    assert [counter.count(nine.start(), plies) for plies in (1, 2)] == [82, 81 * 81 + 82]
    for superko in (False, True):
        game, other = both("five", superko)
        counter = Counter(game)
        assert [counter.count(game.start(), plies) for plies in (1, 2, 3)] == [count(other, n) for n in (1, 2, 3)]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Game]:
    """Return Go on three lines, with and without superko: little else than captures and repetition."""
    found = {}
    for superko in (False, True):
        file: Path = tmp_path_factory.mktemp("go") / "tiny.yaml"
        file.write_text(
            "rulespec: 1\nextends: classics/go\ngame: Tiny Go\n"
            f"with: {{size: five, ko_rule: {'superko' if superko else 'usual_ko'}}}\n"
            "change:\n  sets: {row: 1..3, column: 1..3}\n",
            encoding="utf-8",
        )
        found[superko] = load(file)
    return found


@pytest.mark.parametrize("superko", [False, True])
def test_go__counts_of_three_lines(tiny: dict[bool, Game], superko: bool) -> None:
    game = tiny[superko]
    counter, plies = Counter(game), size(4, 6)
    assert counter.count(game.start(), plies) == count(Go(3, superko), plies)


def test_go__equal_boards_with_another_past_are_other_positions() -> None:
    game, _ = both("five", True)
    one = other = game.start()
    for move in ("put 1.1", "put 3.3", "put 2.2", "put 4.4"):
        one = game.apply(one, move)
    for move in ("put 2.2", "put 3.3", "put 1.1", "put 4.4"):
        other = game.apply(other, move)
    assert one.vector[: game.layout.size] == other.vector[: game.layout.size]
    assert one != other
    again = game.from_data(game.to_data(one))
    assert again == one and hash(again) == hash(one)
    assert game.legal_moves(again) == game.legal_moves(one)
