"""Native games are Python's games: the same vectors, the same faults, or Python's turn.

`tests/native/` holds small games: classics, one that uses every kind of step, and some that end in faults.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import threading
from array import array
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from interpreter.generate.expressions import Expressions
from interpreter.generate.loader import BadProgram, run
from interpreter.generate.program import write_function
from interpreter.generate.terms import Bound
from interpreter.native import build as building
from interpreter.native.build import COMPILERS, Compiler, Native, build
from interpreter.native.shapes import Untranslatable
from interpreter.native.translate import translate

from interpreter import Game, load
from interpreter.fault import LIMIT, Fault
from interpreter.layout import Layout, lay_out
from interpreter.run import simulator
from interpreter.run.runtime import Run
from interpreter.run.simulator import IN_PYTHON
from rulespec.expr.types import ListOf
from rulespec.model.model import Model
from rulespec.rules import open_rules
from tests.test_expressions import FILE, HEAD, HIDDEN_VALUES, TAIL, hidden, read_cases, set_up

FOLDER = Path(__file__).parent / "native"
HUGE = 7**60  # a seed of six words

needs_compiler = pytest.mark.skipif(not any(map(shutil.which, COMPILERS)), reason="no C compiler")


def end_of(play: Any, seed: int) -> Any:
    """The final vector, or the fault in words."""
    try:
        return play(seed).vector
    except Fault as fault:
        return str(fault)


def check_seeds(game: Game, seeds: range) -> list[Any]:
    """Plays every seed in both ways; gives how the games ended."""
    assert game.compile(), "this program should be native"
    native = game._simulator.native
    assert native is not None
    ends = [end_of(game.python_playout, seed) for seed in seeds]
    for seed, end in zip(seeds, ends, strict=True):
        assert end_of(game.playout, seed) == end, f"seed {seed}"
        assert native.play(seed)[0] != 1, f"seed {seed} was left to Python"
    return ends


# The same games ------------------------------------------------------------------------------------------

BASE = [
    pytest.param(players, {"wall_side": side, "jokers": jokers}, id=f"{players} players, {side}, {jokers} jokers")
    for players, side, jokers in product((2, 3, 4), ("coloured", "grey"), ("without", "with"))
]


@needs_compiler
@pytest.mark.parametrize(("players", "options"), BASE)
def test_base__same_games(players: int, options: dict[str, str]) -> None:
    ends = check_seeds(load("base", players, options), range(300))
    assert len(set(ends)) == 300


@needs_compiler
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_step__same_games(players: int) -> None:
    game = load(FOLDER / "every_step.yaml", players)
    ends = check_seeds(game, range(200))
    assert len(set(ends)) > 150
    for seed in range(10):  # the recorded game is the same one too
        run, vector = Run(None, 0), list(game.layout.start)
        game.program.traced_simulation(vector, run, random.Random(seed).getrandbits)
        assert tuple(vector) == ends[seed] and len(run.trail) > 15


@needs_compiler
@pytest.mark.parametrize("name", ["nim", "kalah", "tictactoe", "names"])
def test_classics__same_games(name: str) -> None:
    assert len(set(check_seeds(load(FOLDER / f"{name}.yaml"), range(200)))) > 1


@needs_compiler
@pytest.mark.parametrize(("name", "many"), [("faults", 4), ("idle", 3)])
def test_faults__same_message_and_place(name: str, many: int) -> None:
    ends = check_seeds(load(FOLDER / f"{name}.yaml"), range(100))
    assert len({end for end in ends if isinstance(end, str)}) >= many


@needs_compiler
@pytest.mark.parametrize("seed", [0, 1, -1, -5, 2**31, 2**32 - 1, 2**32, 2**64 - 1, 2**64, HUGE, -HUGE])
def test_seeds__of_any_size(seed: int) -> None:
    game = load("base", 2)
    assert game.compile()
    assert game.playout(seed).vector == game.python_playout(seed).vector


# Every kind of expression --------------------------------------------------------------------------------


def one_program(texts: list[str], game: str, players: int) -> tuple[str, Model, Layout]:
    """A program that puts the values of expressions behind the vector, each as it is and with constants hidden."""
    model, _ = open_rules(FILE, HEAD + game + TAIL % "}{".join(texts)).check(players)
    layout = lay_out(model)
    x = Expressions(model, layout)
    lines = ["def simulate(S, X, bits_):"]
    at = layout.size
    for e in (part for part in model.rules["answer"].text.parts if not isinstance(part, str)):
        constants: dict[str, Bound] = {}
        veiled = hidden(e, constants)
        me = {"me": Bound(model.sets["player"].type, "me")}
        for what, env in ((e, me), (veiled, {**me, **constants})):
            write_function(x, f"need_{at}", env, partial(x.number, what))
            call = f"need_{at}({', '.join(['S', '1', *(str(HIDDEN_VALUES[n]) for n in constants if n in env)])})"
            if isinstance(e.type, ListOf):
                lines += [f"    for v in {call}:", f"        S[{at}] = (S[{at}] * 31 + v + 1) % 1000003"]
            else:
                lines.append(f"    S[{at}] = {call}")
            at += 1
    return "\n".join([*x.constants.lines, *x.functions, *x.writer.lines, *lines]), model, layout


@needs_compiler
@pytest.mark.parametrize("stem", sorted({p.id.split(":")[0] for p in read_cases()}))
def test_expressions__same_values(stem: str) -> None:
    cases = [p.values[0] for p in read_cases() if p.id.startswith(f"{stem}:") and p.values[0].want_error is None]
    for players in {c.players for c in cases}:
        chosen = [c for c in cases if c.players == players]
        source, model, layout = one_program([c.expr for c in chosen], chosen[0].game, players)
        size = layout.size + 2 * len(chosen)
        simulate = run(source, [])["simulate"]
        text = translate(source, size)
        for given in {tuple(sorted(c.given.items())) for c in chosen}:
            vector = set_up(model, layout, dict(given)) + [0] * (2 * len(chosen))
            native = build(text, vector)
            assert native is not None
            simulate(vector, None, None)
            assert native.play(0) == (0, tuple(vector))


# Where native games cannot be ----------------------------------------------------------------------------


def test_untranslatable__python_plays_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(source: str, size: int) -> str:
        raise Untranslatable("nothing")

    monkeypatch.setattr("interpreter.native.translate.translate", refuse)
    game = load(FOLDER / "nim.yaml")
    assert not game.compile()
    assert game.playout(3).vector == game.python_playout(3).vector
    assert len(game.simulate(IN_PYTHON + 5)) == IN_PYTHON + 5


@pytest.mark.parametrize(
    "source",
    [
        "def simulate(S, X, bits_):\n    x = S[1] / 2",
        "def simulate(S, X, bits_):\n    x = [1]\n    x = 2",
        "def simulate(S, X, bits_):\n    S[1] = 'word'",
        "def simulate(S, X, bits_):\n    S[1] = open(3)",
        "def simulate(S, X, bits_):\n    S[1] = x",
        "def simulate(S, X, bits_):\n    for x in range(1, 9, S[0]):\n        pass",
        "T = {(1, 2): 'a'}\ndef simulate(S, X, bits_):\n    S[1] = T[1, 2]",
        "T = open(1)\ndef simulate(S, X, bits_):\n    pass",
        "def simulate(S, X, bits_):\n    with S:\n        pass",
    ],
)
def test_translate__refuses_what_it_does_not_know(source: str) -> None:
    with pytest.raises((Untranslatable, BadProgram)):
        translate(source, 4)


@needs_compiler
@pytest.mark.parametrize(
    ("body", "fine"),
    [
        ("S[1] = S[0] // 2 * 10 + S[0] % 3", True),
        ("S[1] = 7 // (S[0] + 3)", False),  # by nothing
        ("S[1] = S[S[0]]", False),  # from the end, as Python does
        ("S[1] = S[0] * 99999 * 99999 * 99999", False),
        ("S[1] = S[0] * 2000000000", False),
        ("S[1] = T_0[S[0]]", False),
        ("S[1] = D_0[S[0]]", False),
        ("S[1] = D_0.get(S[0], 5)", True),
        ("S[1] = (S[0] or 4) + (S[0] and 6) + (not S[0])", True),
        ("S[1] = (v := S[0]) * 10 + v", True),
        ("S[1:3] = [*S[0:1], 8]", True),
        ("S[1:3] = [5]", False),
        ("S[1] = max([v for v in (S[0], 4) if v > 9], default=3)", True),
        ("S[1] = sum(S[0:3:2]) - S[0:3].count(0)", True),
        ("S[1] = (1 < S[0] in T_0) + 2 * (S[0] not in T_0)", True),
        ("S[1] = 5 > S[0] + 4 in T_0", True),
        ("S[1] = -1 if -4 < S[0] <= -2 < S[2] else 1", True),
    ],
)
def test_native__does_what_python_does_or_leaves_it(body: str, fine: bool) -> None:
    text = translate(f"T_0 = (1, 2)\nD_0 = {{1: 2, 100000: 3}}\ndef simulate(S, X, bits_):\n    {body}\n", 3)
    native = build(text, [-3, 0, 0])
    status, vector = native.play(1)
    assert (status == 0) is fine
    if fine:
        expected = [-3, 0, 0]
        exec(body, {"S": expected, "T_0": (1, 2), "D_0": {1: 2, 100000: 3}})
        assert vector == tuple(expected)


def test_switched_off__python_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESPEC_NATIVE", "0")
    game = load(FOLDER / "nim.yaml")
    assert not game.compile()
    assert len(game.simulate(IN_PYTHON + 5)) == IN_PYTHON + 5


def test_no_compiler__python_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "COMPILERS", ("no_such_compiler",))
    game = load(FOLDER / "nim.yaml")
    assert not game.compile()
    assert game.native_problem is not None and game.native_problem.code == "machine"
    assert not game.native_problem.is_trouble


@needs_compiler
def test_compiler_that_fails__python_plays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(building, "FLAGS", ("--no-such-flag",))
    game = load(FOLDER / "nim.yaml")
    assert not game.compile()
    assert game.native_problem is not None and game.native_problem.is_trouble
    assert re.fullmatch(r"the compiler `.*` ended with status \d+", game.native_problem.message)
    assert not [path for path in (tmp_path / "rulespec").iterdir() if not path.name.startswith(("shape-", "trees-"))]


@needs_compiler
def test_cache__one_file_used_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert load(FOLDER / "nim.yaml").compile()
    kept = sorted(os.listdir(tmp_path / "rulespec"))
    assert [name.split("-")[0] for name in kept].count("native") == 1
    monkeypatch.setattr(Compiler, "_compile", lambda *_: pytest.fail("compiled again"))
    assert load(FOLDER / "nim.yaml").compile()
    assert sorted(os.listdir(tmp_path / "rulespec")) == kept


@needs_compiler
def test_cache__that_cannot_be_written_or_is_anybodys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "rulespec").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert load(FOLDER / "nim.yaml").compile()
    open_to_all = tmp_path / "open" / "rulespec"
    open_to_all.mkdir(parents=True)
    open_to_all.chmod(0o777)
    monkeypatch.setenv("XDG_CACHE_HOME", str(open_to_all.parent))
    assert load(FOLDER / "nim.yaml").compile()
    assert not list(open_to_all.iterdir())


# Many games ----------------------------------------------------------------------------------------------


def refusing(asked: list[object]) -> Any:
    """Notes that native code was asked for, and has none."""

    def build_native(source: str, program: object) -> tuple[None, None]:
        asked.append(program)
        return None, None

    return build_native


def test_playout__a_compiler_is_asked_once_it_is_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    game = load(FOLDER / "nim.yaml")
    monkeypatch.setattr(simulator, "build_native", refusing(asked))
    monkeypatch.setattr(simulator, "WORTH", 1000.0)
    list(game.playouts(range(IN_PYTHON + 5)))
    assert not asked
    monkeypatch.setattr(simulator, "WORTH", 0.0)
    list(game.playouts(range(3)))
    assert len(asked) == 1


def test_playout__first_games_never_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    game = load(FOLDER / "nim.yaml")
    monkeypatch.setattr(simulator, "build_native", refusing(asked))
    monkeypatch.setattr(simulator, "WORTH", 0.0)
    list(game.playouts(range(IN_PYTHON)))
    assert not asked


@needs_compiler
@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("seed", [0, 2**40, -40, HUGE])
def test_simulate__games_are_the_playouts_of_following_seeds(seed: int, compiled: bool) -> None:
    game = load("base", 2)
    assert not compiled or game.compile()
    many = game.simulate(120, seed)
    assert len(many) == 120
    ends = [game.python_playout(seed + i) for i in range(120)]
    assert list(many) == ends
    assert [many.scores(2)[i] for i in range(120)] == [game.scores(end)[2] for end in ends]
    assert many.mean(1) == pytest.approx(sum(game.scores(end)[1] for end in ends) / 120)
    assert many.deviation(1) > 1
    assert sum(many.wins().values()) == pytest.approx(120)
    assert game.decisions(many[7]) == game.decisions(ends[7]) and game.ledger(many[7]) == game.ledger(ends[7])


def test_simulate__raises_the_fault_of_a_game() -> None:
    with pytest.raises(Fault):
        load(FOLDER / "faults.yaml").simulate(200)


@needs_compiler
def test_simulate__games_left_to_python_are_played_there() -> None:
    game = load(FOLDER / "nim.yaml")
    assert game.compile()
    native = game._simulator.native
    assert native is not None

    class Leaving(Native):
        """Leaves every third game to Python."""

        def __init__(self) -> None: ...

        def games(self, first: int, games: int, out: array[int], limit: int = LIMIT) -> int:
            assert native is not None
            until = first + -first % 3
            status = native.games(first, min(games, until - first), out, limit)
            return status or int(games > until - first)

    game._simulator.native = Leaving()
    assert list(game.simulate(100, 5)) == [game.python_playout(5 + i) for i in range(100)]


@needs_compiler
def test_threads__play_side_by_side() -> None:
    game = load("base", 2)
    assert game.compile()
    expected = list(game.simulate(400))
    found: dict[int, list[Any]] = {}
    threads = [threading.Thread(target=lambda n=n: found.update({n: list(game.simulate(400))})) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(found[n] == expected for n in range(4))


@needs_compiler
@pytest.mark.skipif("RULESPEC_SANITIZE" not in os.environ, reason="slow; RULESPEC_SANITIZE=1 runs it")
@pytest.mark.parametrize("name", ["base", "every_step", "faults", "kalah", "tictactoe"])
def test_memory__nothing_read_or_written_outside(name: str, tmp_path: Path) -> None:
    """A program of its own, compiled with checks of every access and every undefined operation."""
    game = load(name if name == "base" else FOLDER / f"{name}.yaml")
    text = translate(game.program.simulation_text[0], game.layout.size)
    start = ", ".join(map(str, game.layout.start))
    text += f"""
    #include <stdio.h>
    static const int32_t start[] = {{{start}}};
    static int32_t S[SIZE];
    int main(void) {{
        I ends = 0;
        for (uint32_t key = 0; key < 2000; key++) ends += rulespec_play(start, S, &key, 1, 100000, 0) * 31 + S[SIZE - 1];
        printf("%lld\\n", (long long)ends);
        return 0;
    }}
    """
    (tmp_path / "games.c").write_text(text)
    flags = ["-O1", "-g", "-fwrapv", "-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    subprocess.run(["cc", *flags, "-o", tmp_path / "games", tmp_path / "games.c"], check=True)
    subprocess.run([tmp_path / "games"], check=True)
