"""The program as data, printed as Python, against the reference: moves in order, positions, points, faults."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from interpreter import CHANCE, load
from interpreter.compile.lower import lower
from interpreter.compile.verify import verify
from interpreter.game import Game
from interpreter.reference import Reference
from rulespec.files.shipped import shipped_games
from tests.agreement import Disagreement, Ended, attempt, named, vector_of
from tests.compiled import Compiled, native_games, random_games
from tests.sizes import size
from tests.test_engine_cases import CASES, read


def compare(game: Game, decisions: int, rng: random.Random, told: list[str] | None = None) -> None:
    """Plays the same decisions in both until one of them ends; a Disagreement if they differ."""
    path: list[Any] = []
    numbers = {name: i for i, name in enumerate(game.model.moves)}
    reference, compiled = attempt(lambda: Reference(game.model)), attempt(lambda: Compiled(game.model))
    end = min(game.program.layout.frames, default=game.program.layout.size)
    for i in range(decisions):
        if isinstance(reference, Ended) or isinstance(compiled, Ended):
            if reference != compiled:
                raise Disagreement("results", reference, compiled, path)
            return
        one = named(game, vector_of(game, reference))
        vector = [*compiled.vector[:end], *game.program.layout.start[end:]]
        if one != named(game, vector):
            raise Disagreement("positions", one, named(game, vector), path)
        lines = [(x.player, x.rule, x.points, x.gained) for x in reference.ledger]
        rules = list(game.model.rules)
        if lines != (other := [(x[1], rules[x[2]], x[4], x[5]) for x in compiled.run.log]):
            raise Disagreement("ledger lines", lines, other, path)
        moves = reference.legal_moves()
        if not moves:
            if compiled.at:
                raise Disagreement("ends", "over", compiled.at, path)
            return
        if reference.to_move == CHANCE:
            here: Any = [(m.args[0], n) for m, n in reference.chances()]
            there: Any = attempt(compiled.chances)
        else:
            here, listed = [(numbers[m.name], m.args) for m in moves], attempt(compiled.moves)
            moves_of = compiled.program.moves
            there = listed if isinstance(listed, Ended) else [(moves_of[number], chosen) for number, chosen in listed]
        if here != there:
            raise Disagreement("legal moves", here, there, path)
        if told is not None and i >= len(told):
            return
        move = rng.choice(moves) if told is None else next(m for m in moves if str(m) == told[i])
        path.append(move)
        chance = reference.to_move == CHANCE
        ended = attempt(lambda r=reference, m=move: r.apply(m))  # type: ignore[misc]
        reference = reference if ended is None else ended
        args = (0, move.args[0]) if chance else (compiled.number_of(numbers[move.name], move.args), move.args)
        ended = attempt(lambda c=compiled, a=args: c.apply(*a))  # type: ignore[misc]
        compiled = compiled if ended is None else ended


@pytest.mark.sized
@pytest.mark.parametrize("name", [n for n in sorted(shipped_games()) if size(0, 1) or "house/" not in n])
def test_shipped__plays_as_the_reference(name: str) -> None:
    game = load(name)
    assert list(verify(lower(game.model)[0])) == []
    for seed in range(size(1, 20)):
        compare(game, size(25, 10_000), random.Random(seed))


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.stem)
def test_case__plays_as_the_reference(path: Path) -> None:
    case = read(path)
    game = load(case["rules"])
    assert list(verify(lower(game.model)[0])) == []
    compare(game, 500, random.Random(1), case.get("play", []))


COMPILER = shutil.which("cc") or shutil.which("gcc")


@pytest.mark.skipif(COMPILER is None, reason="there is no C compiler on this machine")
@pytest.mark.sized
@pytest.mark.parametrize(
    "name", ["base", "classics/kalah", "classics/briscola", *["sintra", "pavilion", "duel"] * size(0, 1)]
)
def test_native__plays_the_same_random_games(name: str, tmp_path: Path) -> None:
    assert COMPILER is not None
    program, _ = lower(load(name).model)
    states = [random.Random(seed).getrandbits(64) for seed in range(size(10, 500))]
    assert native_games(program, states, COMPILER, tmp_path) == random_games(program, states)
