"""The program as data, printed as Python, against the reference: moves in order, positions, points, faults."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from interpreter import load
from interpreter.compile.verify import verify
from rulespec.files.shipped import shipped_games
from tests.compiled import COMPILER, Compiled, Native
from tests.programs import compare_game, compare_told
from tests.sizes import size
from tests.test_engine_cases import CASES, read


@pytest.mark.sized
@pytest.mark.parametrize("name", [n for n in sorted(shipped_games()) if size(0, 1) or "house/" not in n])
def test_shipped__plays_as_the_reference(name: str) -> None:
    model = load(name).model
    compiled = Compiled(model)
    assert list(verify(compiled.program)) == []
    for seed in range(size(1, 20)):
        compare_game(compiled, seed, limit=size(25, 10_000))


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.stem)
def test_case__plays_as_the_reference(path: Path) -> None:
    case = read(path)
    model = load(case["rules"]).model
    for watched in (False, True):
        compiled = Compiled(model, watched)
        assert list(verify(compiled.program)) == []
        compare_told(compiled, case.get("play", []), watched)


@pytest.mark.skipif(COMPILER is None, reason="there is no C compiler on this machine")
@pytest.mark.sized
@pytest.mark.parametrize(
    "name", ["base", "classics/kalah", "classics/briscola", *["sintra", "pavilion", "duel"] * size(0, 1)]
)
def test_native__plays_the_same_random_games(name: str, tmp_path: Path) -> None:
    compiled = Compiled(load(name).model)
    native = Native(compiled, tmp_path, ("-O1",))
    for seed in range(size(10, 500)):
        state = random.Random(seed).getrandbits(64)
        assert native.finished(state) == compiled.finished(state)
