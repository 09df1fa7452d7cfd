"""Small games whose result is written down, in `tests/engine_cases/`: for the reference, and for the engine.

A case is `note`, the rules, what is decided (`play`), and what then holds (`expect`): places and variables, and
`offered`, `ledger`, `told` or `fault`.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest
import yaml

from interpreter import Fault, load
from interpreter.reference import Reference
from rulespec.syntax import NONE, Model, YesNo
from rulespec.yaml.source import LOADER
from tests.agreement import AtTable, Comparison, InC, InPython, compare_random, compare_simulation, verified
from tests.bundle import COMPILER
from tests.compiled import Compiled, Native, compile_many
from tests.small import small_game

FOLDER = Path(__file__).parent / "engine_cases"
CASES = sorted(FOLDER.glob("*.yaml"))


def read(path: Path) -> dict[str, Any]:
    case: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), LOADER)
    assert set(case) <= {"note", "rules", "play", "expect"}, f"{path.name} has unknown keys"
    return case


def found(reference: Reference, name: str) -> object:
    """Return what a place or variable of this name holds, as cases write it."""
    model = reference.model
    for variable in model.variables.values():
        for combo, code in zip(product(*variable.index_values), reference.variables[variable.name], strict=True):
            if name == _with_index(variable.name, [model.value_name(i) for i in combo]):
                return (
                    bool(code) if isinstance(variable.type, YesNo) else code if code < NONE else model.value_name(code)
                )
    for place in model.places.values():
        for combo, pieces in zip(product(*place.index_values), reference.places[place.name], strict=True):
            if name == _with_index(place.name, [model.value_name(i) for i in combo]):
                names = [model.value_name(k) for k in pieces]
                return "nothing" if not names else names[0] if place.shape == "cell" else names
    raise AssertionError(f"no place or variable `{name}`")


def _with_index(name: str, index: list[str]) -> str:
    return f"{name}[{', '.join(index)}]" if index else name


def played(model: Model, told: list[str]) -> tuple[Reference | None, str]:
    """Return the reference after these decisions, or the fault that ended it."""
    try:
        reference = Reference(model)
        for text in told:
            reference.apply(next(m for m in reference.legal_moves() if str(m) == text))
    except Fault as fault:
        return None, fault.message
    return reference, ""


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.stem)
def test_case__reference(path: Path) -> None:
    case = read(path)
    expect = dict(case["expect"])
    model = load(case["rules"]).model
    reference, fault = played(model, case.get("play", []))
    assert fault == expect.pop("fault", "")
    if reference is None:
        return
    if "offered" in expect:
        assert [str(m) for m in reference.legal_moves()] == expect.pop("offered")
    if "ledger" in expect:
        assert [line.text for line in reference.ledger] == expect.pop("ledger")
    if "told" in expect:
        assert [line.full for line in reference.told] == expect.pop("told")
    assert {name: found(reference, name) for name in expect} == expect


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, tuple[Compiled, Native | None]]:
    """The programs of all cases, compiled together where there is a compiler."""
    found = [verified(load(read(path)["rules"]).model) for path in CASES]
    in_c = [c for c in found if not c.program.remembers and COMPILER is not None]
    natives = dict(zip(map(id, in_c), compile_many(in_c, tmp_path_factory.mktemp("cases")), strict=True))
    return {path: (c, natives.get(id(c))) for path, c in zip(CASES, found, strict=True)}


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.stem)
def test_case__engine(path: Path, programs: dict[Path, tuple[Compiled, Native | None]]) -> None:
    """By the verbs of a game, in Python, watched and not, and in C: as told, then at random."""
    told = read(path).get("play", [])
    game = load(read(path)["rules"])
    compiled, native = programs[path]
    python, watched = InPython(compiled), InPython(Compiled(game.model, watched=True))
    in_c = [] if native is None else [InC(native, python)]
    if Comparison(game.model, [AtTable(game), python, watched, *in_c]).as_told(told) != "open":
        compare_simulation(game, seed=1)
        compare_random(compiled, 1, native)


def test_refusals__of_several_choices_name_those_that_depend_on_no_wrong_one() -> None:
    text = small_game("take_by_width")
    game = load(text)
    state, reference = game.start(), Reference(game.model)
    wrong_a, wrong_c = (
        "`9` cannot be chosen as number; possible: 1, 2",
        "`right` cannot be chosen as side; possible: left",
    )
    for words, expected in {
        "take 9 9 right": [wrong_a, wrong_c],
        "take 9 1 left": [wrong_a],
        "take 2 2 right": ["`2` cannot be chosen as number; possible: 1", wrong_c],
    }.items():
        assert [o.text for o in game.objections(state, words)] == expected
        assert reference.objections(game.parse_move(state, words)) == game.objections(state, words)
