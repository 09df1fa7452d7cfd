"""Native games are Python's games: the same positions, the same faults. Where there is no native code, people learn why.

`tests/native/` holds small games: classics, one that uses every kind of step, and some that end in faults.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game, load
from interpreter.compile import build as building
from interpreter.compile.build import COMPILERS, BuildError, Compiler
from interpreter.fault import Fault
from interpreter.run import simulator
from interpreter.run.compiled import CompiledRules
from interpreter.run.library import Portion
from interpreter.run.simulator import IN_PYTHON
from rulespec.files.sources import shipped_games
from tests.sizes import size

FOLDER = Path(__file__).parent / "native"
HUGE = 7**60  # a seed of six words

needs_compiler = pytest.mark.skipif(not any(map(shutil.which, COMPILERS)), reason="no C compiler")


def end_of(play: Any, seed: int) -> Any:
    """Return the final vector, or the fault in words."""
    try:
        return play(seed).vector
    except Fault as fault:
        return str(fault)


def check_seeds(game: Game, seeds: range) -> list[Any]:
    """Play every seed in both ways; return how the games ended."""
    assert game.compile(), game.native_problem
    ends = [end_of(game.python_playout, seed) for seed in seeds]
    for seed, end in zip(seeds, ends, strict=True):
        assert end_of(game.playout, seed) == end, f"seed {seed}"
    return ends


# The same games ------------------------------------------------------------------------------------------

BASE = [
    pytest.param(players, {"wall_side": side, "jokers": jokers}, id=f"{players} players, {side}, {jokers} jokers")
    for players, side, jokers in product((2, 3, 4), ("coloured", "grey"), ("without", "with"))
]


@needs_compiler
@pytest.mark.sized
@pytest.mark.usefixtures("shipped_flags")
@pytest.mark.parametrize(("players", "options"), BASE[:: size(14, 1)])
def test_base__same_games(players: int, options: dict[str, str]) -> None:
    ends = check_seeds(load("base", players, options), range(size(20, 300)))
    assert len(set(ends)) == len(ends)


@needs_compiler
@pytest.mark.soak
@pytest.mark.parametrize("name", sorted(shipped_games()))
def test_shipped__same_games(name: str) -> None:
    check_seeds(load(name), range(300))


@needs_compiler
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_step__same_games(players: int) -> None:
    game = load(FOLDER / "every_step.yaml", players)
    ends = check_seeds(game, range(200))
    assert len(set(ends)) > 150
    for seed in range(10):  # the recorded game is the same one too
        assert len(game.simulator.trace(seed).trail) > 15
        state = game.start()
        for move in game.decisions(game.playout(seed)):
            state = game.apply(state, move)
        assert state.vector == ends[seed]


@needs_compiler
@pytest.mark.parametrize("name", ["nim", "kalah", "tictactoe", "names"])
def test_classics__same_games(name: str) -> None:
    assert len(set(check_seeds(load(FOLDER / f"{name}.yaml"), range(200)))) > 1


@needs_compiler
@pytest.mark.parametrize(("name", "many"), [("faults", 4), ("idle", 3)])
def test_faults__same_message_and_place(name: str, many: int) -> None:
    ends = check_seeds(load(FOLDER / f"{name}.yaml"), range(100))
    assert len({end for end in ends if isinstance(end, str)}) >= many


@pytest.fixture(scope="module")
def native_base() -> Game:
    game = load("base", 2)
    assert game.compile()
    return game


@needs_compiler
@pytest.mark.parametrize("seed", [0, 1, -1, -5, 2**31, 2**32 - 1, 2**32, 2**63, 2**64 - 1, 2**64, HUGE, -HUGE])
def test_seeds__of_any_size(native_base: Game, seed: int) -> None:
    assert native_base.playout(seed).vector == native_base.python_playout(seed).vector


# Where native games cannot be ----------------------------------------------------------------------------


def test_switched_off__python_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESPEC_NATIVE", "0")
    game = load(FOLDER / "nim.yaml")
    assert not game.compile()
    assert game.native_problem is not None and game.native_problem.code == "off"
    assert len(game.simulate(IN_PYTHON + 5)) == IN_PYTHON + 5
    with pytest.raises(BuildError, match="RULESPEC_NATIVE is 0"):
        game.batch(3)


def test_no_compiler__python_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "COMPILERS", ("no_such_compiler",))
    game = load(FOLDER / "nim.yaml")
    assert not game.compile()
    assert game.native_problem is not None and game.native_problem.code == "machine"
    assert not game.native_problem.is_worth_reporting
    assert game.playout(3).vector == game.python_playout(3).vector


@needs_compiler
def test_compiler_that_fails__python_plays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(building, "FLAGS", ("--no-such-flag",))
    game = load(FOLDER / "nim.yaml")
    assert not game.compile()
    problem = game.native_problem
    assert problem is not None and problem.is_worth_reporting
    assert re.fullmatch(r"the compiler `.*` ended with status \d+", problem.message)
    data = problem.to_data()
    assert data.keys() == {"code", "message", "compiler", "status", "detail"}
    assert data["code"] == "refused" and data["status"] == problem.status and "--no-such-flag" in data["detail"]
    assert str(tmp_path) not in problem.detail
    assert not [path for path in (tmp_path / "rulespec").iterdir() if not path.name.startswith(("shape-", "trees-"))]


# What is kept --------------------------------------------------------------------------------------------


@needs_compiler
def test_cache__second_start_makes_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    first = load(FOLDER / "nim.yaml")
    assert first.compile()
    kept = sorted(os.listdir(tmp_path / "rulespec"))
    assert [name.split("-")[0] for name in kept].count("native") == 1
    monkeypatch.setattr(Compiler, "_compile", lambda *_: pytest.fail("compiled again"))
    monkeypatch.setattr(CompiledRules, "in_c", lambda *_: pytest.fail("translated again"))
    again = load(FOLDER / "nim.yaml")
    assert again.simulate(20).vectors == first.simulate(20).vectors  # native at once, though nobody asked for it
    assert again.simulator.library is not None
    assert again.compile()
    assert sorted(os.listdir(tmp_path / "rulespec")) == kept


@needs_compiler
def test_cache__second_start_imports_no_compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A process that finds a library kept lowers nothing, and does without the modules that would."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    code = (
        f"import sys; from interpreter import load; game = load({str(FOLDER / 'nim.yaml')!r}); game.compile(); "
        "print(game.simulate(500).wins(), 'interpreter.compile.program' in sys.modules)"
    )
    command = [sys.executable, "-c", code]
    first, second = (subprocess.run(command, capture_output=True, text=True, check=True).stdout for _ in range(2))
    wins = load(FOLDER / "nim.yaml").simulate(500).wins()
    assert (first, second) == (f"{wins} True\n", f"{wins} False\n")


@needs_compiler
def test_cache__other_rules_have_another_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Texts count too: what they compute can change the numbers of faults."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    text = (FOLDER / "nim.yaml").read_text()
    games = [load(FOLDER / "nim.yaml"), load(text.replace("game: ", "game: A ")), load(text + "# a comment\n")]
    for game, many in zip(games, (1, 2, 2), strict=True):
        assert game.compile()
        assert len(list((tmp_path / "rulespec").glob("native-*"))) == many
    assert load("base", 2).compile() and load("base", 3).compile()
    assert load("base", 3, {"jokers": "with"}).compile()
    assert len(list((tmp_path / "rulespec").glob("native-*"))) == 5


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


def without_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, worth: float) -> list[object]:
    """Return an empty cache and a compiler that refuses; return where it is noted that one was asked."""
    asked: list[object] = []

    def refuse(depends: tuple[str, ...], text: object) -> object:
        asked.append(depends)
        raise BuildError(building.NativeProblem("off", "for this test"))

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(simulator, "build_library", refuse)
    monkeypatch.setattr(simulator, "WORTH", worth)
    return asked


def test_playout__a_compiler_is_asked_once_it_is_worth_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    game = load(FOLDER / "nim.yaml")
    asked = without_library(monkeypatch, tmp_path, 1000.0)
    list(game.playouts(range(IN_PYTHON + 5)))
    assert not asked
    monkeypatch.setattr(simulator, "WORTH", 0.0)
    list(game.playouts(range(3)))
    assert len(asked) == 1


def test_playout__first_games_never_wait(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    game = load(FOLDER / "nim.yaml")
    asked = without_library(monkeypatch, tmp_path, 0.0)
    list(game.playouts(range(IN_PYTHON)))
    assert not asked


@needs_compiler
@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("seed", [0, 2**40, -40, 2**64 - 50, HUGE])
def test_simulate__games_are_the_playouts_of_following_seeds(
    native_base: Game, seed: int, compiled: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    game = native_base
    if not compiled:
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        monkeypatch.setattr(simulator, "WORTH", 0.0)  # native in the middle
        game = load("base", 2)
    many = game.simulate(60, seed)
    assert len(many) == 60
    ends = [game.python_playout(seed + i) for i in range(60)]
    assert list(many) == ends
    assert [many.scores(2)[i] for i in range(60)] == [game.scores(end)[2] for end in ends]
    assert many.mean(1) == pytest.approx(sum(game.scores(end)[1] for end in ends) / 60)
    assert many.deviation(1) > 1
    assert sum(many.wins().values()) == pytest.approx(60)
    assert game.decisions(many[7]) == game.decisions(ends[7]) and game.ledger(many[7]) == game.ledger(ends[7])


@needs_compiler
@pytest.mark.parametrize("players", [2, 4])
def test_simulate__wins_are_those_of_the_outcomes(players: int) -> None:
    game = load("base", players)
    assert game.compile()
    many = game.simulate(400)
    expected = dict.fromkeys(range(1, players + 1), 0.0)
    for outcome in many.outcomes():
        for winner in outcome.winners:
            expected[winner] += 1 / len(outcome.winners)
    assert many.wins() == pytest.approx(expected)
    assert len(game.simulate(0)) == 0 and game.simulate(0).wins() == dict.fromkeys(expected, 0.0)


@needs_compiler
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_simulate__raises_the_fault_of_the_first_game_with_one(threads: int) -> None:
    game = load(FOLDER / "faults.yaml")
    assert game.compile()
    ends = [end_of(game.python_playout, seed) for seed in range(200)]
    with pytest.raises(Fault) as caught:
        game.simulate(200, threads=threads)
    assert str(caught.value) == next(end for end in ends if isinstance(end, str))


@needs_compiler
@pytest.mark.parametrize("many", [0, 1, 3, 400])
def test_simulate__threads_play_the_same_games(many: int) -> None:
    game = load("base", 2)
    assert game.compile()
    expected = game.simulate(many, 7).vectors
    assert all(game.simulate(many, 7, threads=threads).vectors == expected for threads in (2, 3, 7))
    with pytest.raises(ValueError, match="expected at least 1 thread, found 0"):
        game.simulate(many, threads=0)


@needs_compiler
@pytest.mark.parametrize("most", [1, 3, 20, 21])
def test_simulate__however_few_games_are_played_together(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("base", 3)
    assert game.compile()
    expected = [game.playout(seed).vector for seed in range(20)]
    monkeypatch.setattr(simulator, "FIRST_TOGETHER", 1)
    monkeypatch.setattr(simulator, "MOST_TOGETHER", most)
    for threads in (1, 2, 4):
        games = game.simulate(20, threads=threads)
        assert [state.vector for state in games] == expected
        winners = [outcome.winners for outcome in games.outcomes()]
        assert games.wins() == {p: sum((p in some) / len(some) for some in winners) for p in (1, 2, 3)}


@needs_compiler
def test_simulate__what_goes_wrong_in_another_thread_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("base", 2)
    assert game.compile()

    def begin(*args: Any) -> Any:
        if threading.current_thread() is not threading.main_thread():
            raise OSError("no room")
        return Portion(*args)

    monkeypatch.setattr(simulator, "Portion", begin)
    with pytest.raises(OSError, match="no room"):
        game.simulate(400, threads=3)


@needs_compiler
def test_threads__of_the_caller_play_side_by_side() -> None:
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
