"""A rule file and a record are data: whatever string is written in them, nothing of it is run, and nothing breaks.

Payloads are put behind every key and value of every shipped rule file, one position at a time and all together: at each
position all payloads in one, and those in one that a text for people may hold; at a sample of positions each of them
alone. Where the rules are refused, a sample is given to all commands, and they refuse it too. Where they are good, they
are given to one command in turn; at the first position of each sort to all; and to all again with payloads at many such
positions at once. A record gets every payload at every string. The check tries a few of these; `python3 run.py soak`
tries all and prints how many.
"""

from __future__ import annotations

import ast
import json
import os
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from shutil import copytree

import pytest

from interpreter import load
from interpreter.compile.loader import BadProgram, Surroundings, checked
from interpreter.compile.loader import run as run_program
from interpreter.compile.to_python import to_python
from interpreter.run.runtime import RUNTIME, Run
from referee.lsp.analysis import sections, suggestions
from referee.lsp.jobs import check, files_data, read_analysis
from referee.record.lines import Seat, written
from referee.record.match import Match
from rulespec.diagnostics.diagnostic import RuleFileError, has_errors
from rulespec.files.shipped import games_folder, shipped_games
from rulespec.files.sources import Disk
from rulespec.rules import open_rules
from tests.payloads import (
    HOLES,
    LINES,
    PAYLOADS,
    PLAIN,
    TOGETHER,
    Position,
    changed,
    fitted,
    placed,
    positions,
    run,
    strings,
)
from tests.sizes import SOAK, size

ROOT = Path(__file__).parent.parent
SMALL = "classics/nim"
REFUSED = 40  # of so many positions where payloads are refused, one is given to all commands
GROUP = 100  # positions that get payloads at the same time
OTHERS = 5  # of so many good positions of one sort, one gets line ends and holes too
CARRIED = 8  # positions of the rules in a record
SINGLE = 2  # positions at which every single payload is tried, and again so many of those that are good with payloads
GAMES = sorted(shipped_games(), key=lambda name: (shipped_games()[name].stat().st_size, name))
RUNS = re.compile(r"\b(?:exec|eval|compile|__import__)\b")  # what runs source
REQUESTS = """\
{"id": 1, "do": "rules"}
{"id": 2, "do": "new", "seed": 1}
{"id": 3, "do": "moves"}
{"id": 4, "do": "view"}
{"id": 5, "do": "hint", "bot": "random"}
{"id": 6, "do": "simulate", "games": 2}
{"id": 7, "do": "record"}
"""


@dataclass(frozen=True, slots=True)
class Bench:
    """A copy of the shipped games in which one rule file, with payloads, takes the place of its original."""

    folder: Path
    name: str

    @property
    def file(self) -> str:
        return f"games/{self.name}.yaml"

    def write(self, text: str) -> Path:
        path = self.folder / self.file
        path.write_text(text, encoding="utf-8")
        return path

    def validates(self) -> bool:
        return run(self.folder, "validate", self.file).code == 0

    def opens(self) -> bool:
        """Return whether the file is good with the default options: what other commands look at."""
        try:
            open_rules(self.folder / self.file).check()
        except RuleFileError:
            return False
        return True

    # Each returns whether the command accepted the rules.

    def test(self) -> bool:
        run(self.folder, "test", self.file)  # an example that quotes a text may fail now
        return self.opens()

    def rules(self) -> bool:
        return run(self.folder, "rules", self.file).code == 0

    def html(self) -> bool:
        return run(self.folder, "rules", self.file, "--format", "html").code == 0

    def source(self) -> bool:
        return run(self.folder, "source", self.file).code == 0

    def recorded(self) -> bool:
        """Play a game into a record, and give that to all commands that read one."""
        record = self.folder / "game.jsonl"
        played = run(self.folder, "play", self.file, "--seed", "1", "--seats", "random", "--record", record.name)
        if not record.exists():
            return False
        assert run(self.folder, "verify", record.name).code == 0
        assert run(self.folder, "transcript", record.name).code == 0
        assert run(self.folder, "record", record.name, "--for", "1").code == 0
        record.unlink()
        return played.code == 0

    def table(self) -> bool:
        return run(self.folder, "table", self.file, stdin="1\n?\nboard\nscore\nhistory\nhelp\nquit\n").code == 0

    def engine(self) -> bool:
        return run(self.folder, "engine", self.file, stdin=REQUESTS).code == 0

    def diff(self) -> bool:
        return run(self.folder, "diff", self.name, self.file, "--games", "1").code == 0

    def simulate(self) -> bool:
        try:
            return len(load(self.folder / self.file).simulate(2)) == 2
        except RuleFileError:
            return False

    def lsp(self) -> bool:
        path = self.folder / self.file
        files = Disk({path: path.read_text(encoding="utf-8")})
        data = json.loads(json.dumps(check(str(path), files_data(files), None)))  # as the server gets it
        found = read_analysis(path, files.texts[path], data)
        sections(found)
        suggestions(found, 1, 1)
        return not has_errors(found.diagnostics)

    def commands(self) -> tuple[Callable[[], bool], ...]:
        """Return all of them, in an order that mixes fast and slow ones."""
        return (
            self.test, self.source, self.lsp, self.rules, self.recorded,
            self.table, self.html, self.engine, self.diff, self.simulate,
        )  # fmt: skip

    def accepted(self, turn: int) -> None:
        """Give good rules to one command: which one, depends on the turn."""
        command = self.commands()[turn % len(self.commands())]
        assert command(), command.__name__

    def accepted_by_all(self) -> None:
        for command in self.commands():
            assert command(), command.__name__

    def refused(self) -> None:
        """Give bad rules to all commands: each refuses them."""
        for command in self.commands():
            assert not command(), command.__name__


@pytest.fixture
def bench(name: str, tmp_path: Path) -> Bench:
    copytree(games_folder(), tmp_path / "games")
    return Bench(tmp_path, name)


def tried_alone(bench: Bench, text: str, tried: Sequence[Position], tally: Counter[str]) -> list[Position]:
    """Put the combined payloads at each position on its own; return where the one for texts is accepted."""
    good: list[Position] = []
    sorts: set[object] = set()
    for turn, position in enumerate(tried):
        bench.write(placed(text, TOGETHER, [position]))
        assert not bench.validates(), position
        bench.write(placed(text, PLAIN, [position]))
        opened = bench.opens()
        if not opened or not bench.validates():
            tally["refused"] += 1
            if turn % REFUSED == 0 and not opened:
                tally["refused by all commands"] += 1
                bench.refused()
            continue
        tally["good"] += 1
        good.append(position)
        is_new = position.kind not in sorts
        sorts.add(position.kind)
        if is_new and not bench.name.startswith("house/"):
            tally["good for all commands"] += 1
            bench.accepted_by_all()
        else:
            bench.accepted(turn)
        for shift, payload in enumerate((LINES, HOLES) if is_new or turn % OTHERS == 0 else (), 1):
            bench.write(placed(text, payload, [position]))
            if bench.opens() and bench.validates():
                tally["good with line ends or holes"] += 1
                bench.accepted(turn + shift)
    return good


def tried_together(bench: Bench, text: str, group: list[Position], tally: Counter[str]) -> None:
    """Put the combined payload for texts at many positions at once, where it is good at each of them."""
    bench.write(placed(text, PLAIN, group))
    if bench.validates():
        tally["groups good"] += 1
        bench.accepted_by_all()
        run(bench.folder, "play", bench.file, "--seed", "1")
    else:
        tally["groups refused"] += 1


@pytest.mark.sized
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("name", GAMES if SOAK else [SMALL, "house/cruel_floor"])
def test_rule_files__payloads_at_every_position(name: str, bench: Bench) -> None:
    text = shipped_games()[name].read_text(encoding="utf-8")
    at, rng, tally = positions(text), random.Random(name), Counter[str]()
    tried = at if SOAK else rng.sample(at, 8)
    good = tried_alone(bench, text, tried, tally)
    groups = [good[i : i + GROUP] for i in range(0, len(good), GROUP)]
    for group in groups if len(groups) < 2 else (*groups, good):
        tried_together(bench, text, group, tally)
    for payload in (*PAYLOADS[:: size(len(PAYLOADS), 1)], TOGETHER, PLAIN):
        for where in (at, [p for p in at if not p.is_key]):
            bench.write(placed(text, payload, where))
            assert not bench.validates()
            tally["refused everywhere at once"] += 1
    bench.refused()
    for turn, payload in enumerate(PAYLOADS[:: size(6, 1)]):
        for position in rng.sample(at, SINGLE) + rng.sample(good, min(SINGLE, len(good))):
            bench.write(placed(text, payload, [position]))
            tally["single payloads"] += 1
            if bench.opens() and bench.validates():
                tally["single payloads good"] += 1
                bench.accepted(turn)
    assert good or not SOAK
    print(f"{name}: {len(tried)} of {len(at)} positions, {dict(tally)}", flush=True)


@cache
def record_of(name: str) -> str:
    match = Match.begin(load(name), (Seat("Anna", "human"), Seat("Ben", "random")), 5, name=name)
    for _ in range(4):
        match.play(match.game.legal_moves(match.state)[0])
    match.undo(agreed=True)
    return written(match.header, tuple(match.entries))


def try_record(folder: Path, text: str) -> bool:
    """Give a record to all commands that read one; whether it holds."""
    (folder / "game.jsonl").write_text(text, encoding="utf-8", errors="surrogatepass")
    good = run(folder, "verify", "game.jsonl").code == 0
    run(folder, "verify", "game.jsonl", "--json")
    run(folder, "transcript", "game.jsonl")
    run(folder, "record", "game.jsonl", "--for", "1")
    load_it = {"id": 1, "do": "load", "record": text}
    run(folder, "engine", SMALL, stdin=json.dumps(load_it) + "\n" + REQUESTS)
    (folder / "again.jsonl").write_text(text, encoding="utf-8", errors="surrogatepass")
    run(folder, "play", "--resume", "again.jsonl", stdin="quit\n")
    run(folder, "table", "--resume", "again.jsonl", stdin="?\nquit\n")
    return good


@pytest.mark.sized
@pytest.mark.timeout(7200)
def test_records__payloads_at_every_string(tmp_path: Path) -> None:
    lines = [json.loads(line) for line in record_of(SMALL).splitlines()]
    assert try_record(tmp_path, fitted(lines))
    at = [(i, route, is_key) for i, line in enumerate(lines) for route, is_key in strings(line) if route[-1] != "hash"]
    cases = [(position, payload) for position in at for payload in (*PAYLOADS, TOGETHER, PLAIN)]
    tried = random.Random(1).sample(cases, size(6, len(cases)))
    good = 0
    for (i, route, is_key), payload in tried:
        forged = [changed(line, route, is_key, payload) if n == i else line for n, line in enumerate(lines)]
        good += try_record(tmp_path, fitted(forged))
    for payload in (*PAYLOADS[:: size(len(PAYLOADS), 1)], TOGETHER, PLAIN):
        forged = list(lines)
        for i, route, is_key in at:
            if not is_key:
                forged[i] = changed(forged[i], route, is_key, payload)
        good += try_record(tmp_path, fitted(forged))
    print(f"record: {len(at)} positions, {len(tried)} of {len(cases)} cases, {good} of them hold")


@pytest.mark.sized
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("name", GAMES if SOAK else [SMALL])
def test_records__payloads_in_the_rules_they_carry(name: str, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in record_of(name).splitlines()]
    file = lines[0]["rules"]["opened"][-1]
    text = lines[0]["rules"]["files"][file]["text"]
    at = positions(text)
    tried = random.Random(name).sample(at, size(3, len(at) if name == SMALL else CARRIED))
    good = 0
    for position in tried:
        for payload in (TOGETHER, PLAIN):
            forged = json.loads(json.dumps(lines))
            forged[0]["rules"]["files"][file]["text"] = placed(text, payload, [position])
            good += try_record(tmp_path, fitted(forged))
    print(
        f"record of {name}: {len(tried)} of {len(at)} positions in its rules, {2 * len(tried)} cases, {good} of them hold"
    )


# Every command that reads a record, in a process that notes each path it opens, lists or looks at.
WATCHED = """
import io, json, os, sys
from referee.cli import main

seen = set()

def note(path):
    seen.add(os.fsdecode(path) if isinstance(path, (str, bytes, os.PathLike)) else "")

def watched(look):
    def looks(path, *args, **more):
        note(path)
        return look(path, *args, **more)
    return looks

os.stat, os.lstat = watched(os.stat), watched(os.lstat)
sys.addaudithook(lambda event, args: note(args[0]) if event in ("open", "os.listdir", "os.scandir") else None)
for record in sys.argv[1:]:
    with open(record, encoding="utf-8") as file:
        load = json.dumps({"id": 1, "do": "load", "record": file.read()}) + chr(10)
    for command in (
        ["verify", record], ["verify", record, "--json"], ["transcript", record], ["record", record, "--for", "1"],
        ["engine", "classics/nim"], ["play", "--resume", record], ["table", "--resume", record],
    ):
        sys.stdin = io.StringIO(load if command[0] == "engine" else "quit" + chr(10))
        try:
            main(command)
        except SystemExit:
            pass
print(json.dumps(sorted(seen)))
"""


def test_records__open_no_path_that_they_name(tmp_path: Path) -> None:
    lure = tmp_path / "lure"
    lure.mkdir()
    path = str(lure / "game.yaml")
    (lure / "game.yaml").write_bytes(shipped_games()[SMALL].read_bytes())
    lines = [json.loads(line) for line in record_of(SMALL).splitlines()]
    (name,) = lines[0]["rules"]["opened"]
    rules = json.loads(json.dumps(lines[0]["rules"]).replace(json.dumps(name), json.dumps(path)))
    wrong = {**rules, "files": {path: {**rules["files"][path], "text": "rulespec: 1\ngame: no game\n"}}}
    further = {**rules, "files": {path: {**rules["files"][path], "text": f"rulespec: 1\nextends: {path}\ngame: x\n"}}}
    forgeries = [{"game": path}, {"rules": rules}, {"rules": wrong}, {"rules": further}]
    forgeries += [{"game": path, "rules": rules}, {"seats": [{"name": path, "who": path}] * 2}, {"title": path}]
    for number, forgery in enumerate(forgeries):
        (tmp_path / f"{number}.jsonl").write_text(fitted([lines[0] | forgery, *lines[1:]]), encoding="utf-8")
    records = [f"{number}.jsonl" for number in range(len(forgeries))]
    seen = json.loads(
        subprocess.run(
            [sys.executable, "-c", WATCHED, *records],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()[-1]
    )
    assert {os.path.abspath(tmp_path / p) for p in seen if p.endswith(".jsonl")} >= {str(tmp_path / r) for r in records}
    assert not [found for found in seen if "lure" in found]


NOTHING = Surroundings({}, frozenset())  # a program that is given nothing


# The loader -------------------------------------------------------------------------------------------------


@pytest.mark.sized
@pytest.mark.parametrize("name", GAMES if size(0, 1) else ["base", SMALL])
def test_programs__hold_nothing_of_the_author(name: str) -> None:
    game = load(name)
    for mode in ("wait", "random", "traced"):
        source = to_python(game.compiled.program, mode)
        assert not set(source) & set("'\"#\\@`$"), name
        checked(source, frozenset((*RUNTIME, "fault", "watched")), frozenset(Run.__slots__))


def test_source__its_key_tells_what_names_stand_for(tmp_path: Path) -> None:
    lines = run(tmp_path, "source", SMALL).out.splitlines()
    assert lines[0] == "# Nim, 2 players, heaps: three_four_five, last_stick: wins"
    assert "# move 0 = take" in lines
    ast.parse("\n".join(lines))


@pytest.mark.parametrize(
    "source",
    [
        "import os",
        "f0 = 'text'",
        "f0 = b'text'",
        "f0 = 1.5",
        "f0 = open",
        "f0 = __builtins__",
        "f0 = S.__class__",
        "f0 = lambda: 0",
        "def f0(S, x=1): pass",
        "def f0(*S): pass",
        "def f0(S: int): pass",
        "@f0\ndef f1(S): pass",
        "class f0: pass",
        "f0 = f'{S}'",
        "def f0(S):\n    yield 1",
        "with S: pass",
        "try: pass\nfinally: pass",
        "raise S",
        "del S",
        "max(1, 2, key=len)",
        "take = 1",
        "def take(S): pass",
        "def f0(S):\n    global take",
        "def f0(S):\n    S.take = 1",
        "max(**S)",
    ],
)
def test_loader__refuses_what_no_program_holds(source: str) -> None:
    with pytest.raises(BadProgram):
        run_program(source, NOTHING)


def test_loader__gives_a_program_no_other_built_in_functions() -> None:
    namespace = run_program("def f0(S):\n    return len(S)", NOTHING)
    assert namespace["f0"]([1, 2]) == 2
    assert not {"open", "__import__", "getattr", "eval", "exec", "print"} & set(namespace["__builtins__"])


def test_loader__is_the_only_place_where_source_is_run() -> None:
    found = []
    for path in sorted(p for part in ("rulespec", "interpreter", "referee") for p in (ROOT / part).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if RUNS.search(text) else ():
            if isinstance(node, ast.Name) and RUNS.fullmatch(node.id):
                found.append((path.relative_to(ROOT).as_posix(), node.id))
    assert found == [("interpreter/compile/loader.py", "exec"), ("interpreter/compile/loader.py", "compile")]
