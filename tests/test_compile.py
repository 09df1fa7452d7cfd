"""The program printed as C, compiled in a file of its own, plays the random games that it plays in Python."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from interpreter import load
from tests.bundle import COMPILER
from tests.compiled import Compiled, compile_one
from tests.sizes import size


@pytest.mark.skipif(COMPILER is None, reason="there is no C compiler on this machine")
@pytest.mark.sized
@pytest.mark.parametrize(
    "name", ["base", "classics/kalah", "classics/briscola", *["sintra", "pavilion", "duel"] * size(0, 1)]
)
def test_native__plays_the_same_random_games(name: str, tmp_path: Path) -> None:
    compiled = Compiled(load(name).model)
    native = compile_one(compiled, tmp_path, "-O1")
    for seed in range(size(10, 500)):
        state = random.Random(seed).getrandbits(64)
        assert native.finished(state) == compiled.finished(state)
