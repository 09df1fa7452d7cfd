"""The reference, the Python tier and the C tier agree: legal moves, positions, ledgers, words, faults, outcomes."""

from __future__ import annotations

import random

import pytest

from interpreter import load
from interpreter.compile.verify import verify
from rulespec.files.sources import shipped_games
from tests.agreement import AtTable, Comparison, InPython, Voice, compare_simulation
from tests.compiled import Compiled
from tests.sizes import SOAK, size

SHIPPED = sorted(shipped_games())
IN_CHECK = [name for name in SHIPPED if SOAK or "house/" not in name]
SMALL = SHIPPED if SOAK else [name for name in SHIPPED if "classics/" in name][::3]


@pytest.mark.sized
@pytest.mark.parametrize("name", IN_CHECK)
def test_shipped__agree(name: str) -> None:
    """A few games of every shipped game and house rule; in the check, the first decisions."""
    game = load(name)
    compiled = Compiled.of(game)
    assert list(verify(compiled.program)) == []
    assert list(verify(compiled.unfolded)) == []
    for seed in range(size(1, 20)):
        voices: list[Voice] = [AtTable(game, random.Random(seed)), InPython(compiled)]
        comparison = Comparison(game.model, voices)
        comparison.at_random(seed, limit=size(25, 10_000))
        assert comparison.checks > 10


@pytest.mark.sized
@pytest.mark.parametrize("name", SMALL)
def test_shipped__simulated_games_can_be_retold(name: str) -> None:
    """Decisions of a simulation are legal at the table, and lead to the same end, natively too."""
    game = load(name)
    for seed in range(size(1, 3)):
        compare_simulation(game, seed, native=SOAK)
