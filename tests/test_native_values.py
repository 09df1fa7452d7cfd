"""Every kind of expression has the same value in C as in Python: those of `tests/cases/expr`, many in one program."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path
from typing import Any

import pytest

from interpreter.compile.lower import passed
from interpreter.compile.maker import Maker
from interpreter.compile.program import Program
from interpreter.compile.steps import Steps
from interpreter.compile.to_c import to_c
from interpreter.compile.words import value_function
from interpreter.layout import Layout, lay_out
from interpreter.run.compiled import PythonCode
from interpreter.run.runtime import Run
from rulespec.rules import open_rules
from rulespec.syntax import Model, Type
from tests.bundle import COMPILER, SHARED
from tests.test_expressions import FILE, HEAD, HIDDEN_VALUES, TAIL, hidden, read_cases, set_up

Call = tuple[int, tuple[int, ...]]  # the number of a function and what it is given


def one_program(texts: list[str], game: str, players: int) -> tuple[Program, list[Call], Model, Layout]:
    """Return a program with a function for each expression: as it is, and with constants hidden from it; how each is called."""
    model, _ = open_rules(FILE, HEAD + game + TAIL % "}{".join(texts)).check(players)
    layout = lay_out(model)
    maker = Maker(model, layout)
    steps = Steps(maker, tracing=False, watching=False)
    steps.write()
    span, me = model.rules["answer"].span, ("me", model.sets["player"].type)
    calls: list[Call] = []
    for e in (part for part in model.rules["answer"].text.parts if not isinstance(part, str)):
        constants: dict[str, Type] = {}
        veiled = hidden(e, constants)
        secrets = tuple(HIDDEN_VALUES[name] for name in constants)
        calls.append((value_function(steps.x, [me], e, span), (1,)))
        calls.append((value_function(steps.x, [me, *constants.items()], veiled, span), (1, *secrets)))
    blocks = tuple(block for block in steps.blocks if block is not None)
    ranks = tuple(value_function(steps.x, [me], e, span) for _, e in model.winner)
    program = maker.program(blocks, steps.decisions, steps.entries, steps.begin, ranks, tuple(steps.moves))
    return passed(program), calls, model, layout


def native_values(program: Program, calls: list[Call], folder: Path) -> Any:
    """Return a function that writes the values of all calls into numbers: a list as its length and its items."""
    lines = ["void evaluate(run *X, I *S, I *out) {"]
    for number, args in calls:
        call = f"f{number}({', '.join(['X', 'S', *map(str, args)])})"
        if program.functions[number].result == "list":
            lines.append(f"{{ L l = {call}; *out++ = l.n; for (I i = 0; i < l.n; i++) *out++ = l.p[i]; }}")
        else:
            lines.append(f"*out++ = {call};")
    source, made = folder / "values.c", folder / "values.so"
    source.write_text("\n".join([to_c(program, None), *lines, "}"]))
    assert COMPILER is not None
    subprocess.run([COMPILER, "-O0", *SHARED, "-o", str(made), str(source)], check=True, timeout=300)
    library = ctypes.CDLL(str(made))
    library.rulespec_open.restype = ctypes.c_void_p
    library.evaluate.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
    return library


@pytest.mark.skipif(COMPILER is None, reason="there is no C compiler on this machine")
@pytest.mark.parametrize("stem", sorted({p.id.split(":")[0] for p in read_cases()}))
def test_expressions__have_the_same_values_in_c(stem: str, tmp_path: Path) -> None:
    cases = [p.values[0] for p in read_cases() if p.id.startswith(f"{stem}:") and p.values[0].want_error is None]
    for players in {c.players for c in cases}:
        chosen = [c for c in cases if c.players == players]
        program, calls, model, layout = one_program([c.expr for c in chosen], chosen[0].game, players)
        (folder := tmp_path / str(players)).mkdir()
        library, functions = native_values(program, calls, folder), PythonCode(program, "wait").functions
        for given in {tuple(sorted(c.given.items())) for c in chosen}:
            vector = set_up(model, layout, dict(given))
            expected: list[int] = []
            for number, args in calls:
                value = functions[f"f{number}"](vector, Run(), *args)
                expected += (len(value), *value) if program.functions[number].result == "list" else (int(value),)
            state, found = (ctypes.c_int32 * len(vector))(*vector), (ctypes.c_int32 * (len(expected) + 1))()
            found[len(expected)] = 77
            library.evaluate(library.rulespec_open(), ctypes.addressof(state), ctypes.addressof(found))
            assert list(found) == [*expected, 77]
