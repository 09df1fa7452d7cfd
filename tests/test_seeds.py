"""Seeds: enough bits that nobody finds one by trying, carried whole through everything that is written and read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from interpreter.seeds import (
    BITS,
    FACTOR,
    LANES,
    LARGEST_SEED,
    TERM,
    new_seed,
    next_seed,
    random_state,
    random_words,
    seed_from_data,
    seed_to_data,
)
from referee.cli import cli, common
from referee.record.lines import read_record, written
from referee.record.match import Match
from referee.record.transcript import read_transcript, write_transcript
from tests.shipped import game_of

LARGE = LARGEST_SEED - 12345


def test_new_seed__uses_all_bits() -> None:
    """Every bit is set in one of 40 seeds, and clear in another: a fair source misses that once in 10^9 runs."""
    seeds = [new_seed() for _ in range(40)]
    either = both = 0
    for seed in seeds:
        either |= seed
        both |= LARGEST_SEED ^ seed
    assert either == both == LARGEST_SEED and len(set(seeds)) == 40


def test_next_seed__keeps_all_bits() -> None:
    seeds = [next_seed(n) for n in range(200)]
    assert max(seeds).bit_length() == BITS and all(0 <= seed <= LARGEST_SEED for seed in seeds)
    assert len(set(seeds)) == 200


def test_next_seed__is_not_what_was_drawn() -> None:
    """Draws are seen by players, and say nothing about the seed that follows."""
    import random

    drawn = random.Random(LARGE).getrandbits(BITS)
    assert bin(drawn ^ next_seed(LARGE)).count("1") > 32


@pytest.mark.parametrize("seed", [0, 7, 2**53 - 1, 2**53, 2**64, LARGEST_SEED, None])
def test_seed_data__survives_readers_with_53_bits(seed: int | None) -> None:
    data = json.loads(json.dumps(seed_to_data(seed)), parse_int=lambda digits: int(float(digits)))
    assert seed_from_data(data) == seed


@pytest.mark.parametrize("data", [-1, 2**128, "", "x", "-1", "1.0", "²", "9" * 40, "9" * 5000, True, 1.0, [], {}])
def test_seed_data__refuses(data: object) -> None:
    with pytest.raises(ValueError, match=r"^expected a seed"):
        seed_from_data(data)


def test_seed__in_a_record_transcript_and_position(tmp_path: Path) -> None:
    game = game_of("classics/pig")
    match = Match.begin(game, ["random"] * 2, LARGE)
    while not match.over:
        match.play_bot()
    text = written(match.header, tuple(match.entries))
    record = read_record(text.encode())
    assert record.header.seed == LARGE and record.damage is None
    assert f'"seed":"{LARGE}"' in text
    again = read_transcript(write_transcript(record).encode())
    assert again == record
    state = game.start(LARGE)
    assert state.seed is not None
    assert game.from_data(json.loads(json.dumps(game.to_data(state)))).seed == state.seed
    assert match.as_data()["seed"] == str(LARGE)


def test_playout__native_and_python_agree_on_large_seeds() -> None:
    game = game_of("classics/pig")
    game.compile()
    for seed in (2**64 + 1, LARGE):
        assert game.playout(seed) == game.python_playout(seed)
    assert list(game.simulate(3, LARGE)) == [game.python_playout(LARGE + n) for n in range(3)]


def test_play__picks_a_large_seed_and_takes_it_back() -> None:
    assert common.LARGEST_SEED == LARGEST_SEED
    run = CliRunner().invoke
    first = json.loads(run(cli, ["play", "classics/pig", "--seats", "random", "--json"]).stdout)
    assert int(first["seed"]).bit_length() > 64  # a smaller one comes once in 2^64 runs
    again = json.loads(
        run(cli, ["play", "classics/pig", "--seats", "random", "--json", "--seed", first["seed"]]).stdout
    )
    assert again == first
    assert run(cli, ["play", "classics/pig", "--seed", str(2**128)]).exit_code == 2


@pytest.mark.parametrize("state", [0, 1, 2**64 - 1, random_state(7)])
def test_random_words__are_those_of_one_state_after_the_other(state: int) -> None:
    word = random_words(state)
    for _ in range(3 * LANES):
        state = (state * FACTOR + TERM) % 2**64
        assert word() == (state >> 32 ^ state) & 0xFFFFFFFF
