"""Ctrl-C ends anything within a second, native code and compilers too, and leaves nothing behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter import load
from interpreter.compile import build as building
from interpreter.compile.build import COMPILERS
from referee.cli.common import main

ROOT = Path(__file__).parent.parent
ENDLESS = ROOT / "tests" / "native" / "endless.yaml"
NIM = ROOT / "tests" / "native" / "nim.yaml"

needs_compiler = pytest.mark.skipif(not any(map(shutil.which, COMPILERS)), reason="no C compiler")
needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes cannot be looked at")


def a_second() -> float:
    """Return a second, and more on a machine with more to do than it can."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def lives(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def cpu_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_until(ready: Callable[[], bool]) -> None:
    for _ in range(1200):
        if ready():
            return
        time.sleep(0.05)
    raise AssertionError("it never began")


def interrupt(
    command: list[str], cache: Path, ready: Callable[[subprocess.Popen[str]], bool], **environment: str
) -> tuple[int, str]:
    """Run a command, press Ctrl-C when it is ready: its exit code and what it said."""
    env = {**os.environ, "XDG_CACHE_HOME": str(cache), **environment}
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=pipe, stderr=pipe, text=True, start_new_session=True)
    try:
        wait_until(lambda: ready(process) or process.poll() is not None)
        assert process.poll() is None, process.communicate()
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        begin = time.monotonic()
        _, said = process.communicate(timeout=60)
        assert time.monotonic() - begin < a_second()
    finally:
        process.kill()
        process.wait()
    assert not list((cache / "rulespec").glob("tmp-*"))
    return process.returncode, said


def busy(seconds: float) -> Callable[[subprocess.Popen[str]], bool]:
    return lambda process: cpu_seconds(process.pid) > seconds


# Games ---------------------------------------------------------------------------------------------------

GAMES = """
import sys
from pathlib import Path
from interpreter import load
game = load(sys.argv[1], limit=10**15)
assert game.compile()
state = game.start(1)
Path(sys.argv[2]).write_text("ready")
try:
    {what}
except KeyboardInterrupt:
    sys.exit(77)
"""


@needs_compiler
@pytest.mark.parametrize(
    "what",
    [
        "game.simulate(10**6)",
        pytest.param("game.simulate(10**6, threads=2)", marks=pytest.mark.soak),
        "game.batch(10).random(10**15)",
        pytest.param("game.playout(1)", marks=pytest.mark.soak),
        pytest.param("game.rollout(state, 1)", marks=pytest.mark.soak),
    ],
)
def test_native__game_without_end(what: str, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    command = [sys.executable, "-c", GAMES.format(what=what), str(ENDLESS), str(mark)]
    code, said = interrupt(command, tmp_path, lambda process: mark.exists())
    assert (code, said) == (77, "")


@needs_compiler
def test_native__any_signal_whose_handler_raises() -> None:
    def end(number: int, frame: object) -> None:
        raise LookupError("enough")

    game = load(ENDLESS, limit=10**15)
    assert game.compile()
    before = signal.signal(signal.SIGALRM, end)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(LookupError, match="enough"):
            game.simulate(3)
        signal.signal(signal.SIGALRM, lambda number, frame: None)  # one that does not: the game goes on
        signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
        short = load("base")
        assert short.compile()
        assert len(short.simulate(5000)) == 5000
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@needs_proc
@pytest.mark.parametrize(
    "command",
    [
        "validate a.yaml --play 1000 --limit 1000000000",
        pytest.param("diff a.yaml b.yaml --games 1000000", marks=pytest.mark.soak),
        pytest.param("test a.yaml --coverage --limit 1000000000", marks=pytest.mark.soak),
    ],
)
def test_command__in_the_middle(command: str, tmp_path: Path) -> None:
    text = ENDLESS.read_text()
    (tmp_path / "a.yaml").write_text(text)
    (tmp_path / "b.yaml").write_text(text.replace("count(bag) = 0", "count(bag) <= 0"))  # never tells
    words = [str(tmp_path / word) if word.endswith(".yaml") else word for word in command.split()]
    code, said = interrupt([sys.executable, "-m", "rulespec", *words], tmp_path, busy(1.5))
    assert (code, said.strip()) == (130, "")


# Compilers -----------------------------------------------------------------------------------------------


def fake_compiler(folder: Path, script: str) -> str:
    """Return a `cc` of our own; the PATH with it."""
    folder.mkdir()
    (folder / "cc").write_text(f"#!/bin/sh\n{script}\n")
    (folder / "cc").chmod(0o700)
    return f"{folder}:{os.environ['PATH']}"


SLOW = 'sleep 99 & echo "$! $$" > "$MARK.new"; mv "$MARK.new" "$MARK"; sleep 99'
COMPILING = {
    "simulation": "game.compile()",
    "beside the program": "game.simulator.begin(); time.sleep(99)",
}


@needs_proc
@pytest.mark.parametrize("what", COMPILING.values(), ids=COMPILING)
def test_compiler__and_its_children_are_gone(what: str, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    script = f"import sys, time\nfrom interpreter import load\ngame = load(sys.argv[1])\n{what}"
    path = fake_compiler(tmp_path / "bin", SLOW)
    code, said = interrupt(
        [sys.executable, "-c", script, str(NIM)], tmp_path, lambda process: mark.exists(), PATH=path, MARK=str(mark)
    )
    assert code and said.strip().endswith("KeyboardInterrupt")
    assert not [process for process in mark.read_text().split() if lives(int(process))]


@needs_proc
def test_compiler__killed_program_leaves_nothing_for_long(tmp_path: Path) -> None:
    mark, path = tmp_path / "mark", fake_compiler(tmp_path / "bin", SLOW)
    script = "import sys\nfrom interpreter import load\nload(sys.argv[1]).compile()"
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "PATH": path, "MARK": str(mark)}
    process = subprocess.Popen([sys.executable, "-c", script, str(NIM)], cwd=ROOT, env=env)
    wait_until(mark.exists)
    process.kill()
    process.wait()
    for child in mark.read_text().split():
        os.kill(int(child), signal.SIGKILL)  # nobody is left to do it
    assert list((tmp_path / "rulespec").glob("tmp-*"))
    env["PATH"] = os.environ["PATH"]
    subprocess.run([sys.executable, "-c", script, str(NIM)], cwd=ROOT, env=env, check=True)
    assert not list((tmp_path / "rulespec").glob("tmp-*"))


@needs_proc
def test_compiler__that_takes_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = tmp_path / "mark"
    monkeypatch.setenv("PATH", fake_compiler(tmp_path / "bin", SLOW))
    monkeypatch.setenv("MARK", str(mark))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(building, "TIME_LIMIT", 0.5)
    game = load(NIM)
    assert not game.compile()
    assert game.native_problem is not None and game.native_problem.code == "time"
    assert game.native_problem.message == f"the compiler `{tmp_path}/bin/cc` did not finish within 0.5 seconds"
    wait_until(lambda: not [process for process in mark.read_text().split() if lives(int(process))])
    assert not list((tmp_path / "rulespec").glob("tmp-*"))


def test_compiler__that_fails_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", fake_compiler(tmp_path / "bin", "exit 3"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("interpreter.run.simulator.Thread.start", lambda thread: thread.run())
    monkeypatch.setattr("interpreter.run.simulator.WORTH", 0.0)
    with pytest.raises(SystemExit) as ended:
        main(["play", str(NIM), "--seats", "search:0.1", "--seed", "1"])
    assert ended.value.code == 0
    reason = f"the compiler `{tmp_path}/bin/cc` ended with status 3"
    assert capsys.readouterr().err == f"note: random games were played without native code, more slowly: {reason}\n"


def test_compiler__that_makes_no_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = fake_compiler(tmp_path / "bin", 'while [ "$1" != -o ]; do shift; done; echo nonsense > "$2"')
    monkeypatch.setenv("PATH", path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    game = load(NIM)
    assert not game.compile()
    assert game.native_problem is not None and game.native_problem.code == "loading"
    assert game.playout(1).to_move is None
