"""A rule file and a record are data: whatever string stands in them, nothing of it is run, and nothing breaks.

Every payload is put behind every key and value of rule files and of a record, one at a time and all together, and all
commands are given the result. The check tries a few of these; the soak run tries all of a small game and of a record,
and hundreds of every other game.
"""

from __future__ import annotations

import ast
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest
from interpreter.generate.loader import BadProgram, checked
from interpreter.generate.loader import run as run_program

from interpreter import load
from referee.lsp.analysis import analyse, sections, suggestions
from referee.record.lines import Seat, written
from referee.record.match import Match
from rulespec.files.shipped import shipped_games
from rulespec.files.sources import Disk
from tests.payloads import PAYLOADS, TOGETHER, changed, fitted, placed, positions, run, strings
from tests.sizes import size

T = TypeVar("T")
ROOT = Path(__file__).parent.parent
SMALL = "classics/nim"  # all its cases are tried in the soak run,
MOST = 300  # and so many of every other game
GAMES = sorted(shipped_games())
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


def each_with_each(positions: Sequence[T]) -> list[tuple[T, str]]:
    """Every position with every payload."""
    return [(position, payload) for position in positions for payload in PAYLOADS]


def try_rules(folder: Path, text: str, other: str) -> bool:
    """Gives a rule file to all commands; whether it is a good one."""
    path = folder / "game.yaml"
    path.write_text(text, encoding="utf-8")
    good = run(folder, "validate", "game.yaml").code == 0
    found = analyse(path, Disk({path: text}))
    sections(found)
    suggestions(found, 1, 1)
    if good:
        for args in (("test",), ("rules",), ("rules", "--format", "html"), ("source",), ("play", "--seed", "1")):
            run(folder, args[0], "game.yaml", *args[1:])
        run(folder, "table", "game.yaml", stdin="?\nwhy\nmoves\nquit\n")
        run(folder, "engine", "game.yaml", stdin=REQUESTS)
        run(folder, "diff", other, "game.yaml", "--games", "1")
        run(folder, "play", "game.yaml", "--seed", "1", "--record", "game.jsonl")
        run(folder, "transcript", "game.jsonl")
        (folder / "game.jsonl").unlink(missing_ok=True)
    return good


@pytest.mark.sized
@pytest.mark.parametrize("name", GAMES if size(0, 1) else [SMALL])
def test_rule_files__payloads_at_every_position(name: str, tmp_path: Path) -> None:
    text = shipped_games()[name].read_text(encoding="utf-8")
    if "extends:" in text:
        text = text.replace("extends: ../", f"extends: {shipped_games()[name].parent.parent}/")
    at = positions(text)
    cases = each_with_each(at)
    tried = random.Random(name).sample(cases, size(8, len(cases) if name == SMALL else MOST))
    good = 0
    for position, payload in tried:
        good += try_rules(tmp_path, placed(text, payload, [position]), name)
    values = [p for p in at if ":" not in text[p[1] : p[1] + 1]]
    for payload in (*PAYLOADS[:: size(len(PAYLOADS), 1)], TOGETHER):
        good += try_rules(tmp_path, placed(text, payload, values), name)
        good += try_rules(tmp_path, placed(text, payload, at), name)
    print(f"{name}: {len(at)} positions, {len(PAYLOADS)} payloads, {len(tried)} cases tried, {good} of them good rules")


@cache
def record_of(name: str) -> str:
    match = Match.begin(load(name), (Seat("Anna", "human"), Seat("Ben", "random")), 5, name=name)
    for _ in range(4):
        match.play(match.game.legal_moves(match.state)[0])
    match.undo(agreed=True)
    return written(match.header, tuple(match.entries))


def try_record(folder: Path, text: str) -> bool:
    """Gives a record to all commands that read one; whether it holds."""
    (folder / "game.jsonl").write_text(text, encoding="utf-8", errors="surrogatepass")
    good = run(folder, "verify", "game.jsonl").code == 0
    run(folder, "verify", "game.jsonl", "--json")
    run(folder, "transcript", "game.jsonl")
    run(folder, "record", "game.jsonl", "--for", "1")
    load_it = {"id": 1, "do": "load", "record": text}
    run(folder, "engine", SMALL, stdin=json.dumps(load_it) + "\n" + REQUESTS)
    (folder / "again.jsonl").write_text(text, encoding="utf-8", errors="surrogatepass")
    run(folder, "play", "--resume", "again.jsonl", stdin="quit\n")
    return good


@pytest.mark.sized
def test_records__payloads_at_every_string(tmp_path: Path) -> None:
    lines = [json.loads(line) for line in record_of(SMALL).splitlines()]
    assert try_record(tmp_path, fitted(lines))
    at = [(i, route, is_key) for i, line in enumerate(lines) for route, is_key in strings(line) if route[-1] != "hash"]
    cases = each_with_each(at)
    tried = random.Random(1).sample(cases, size(6, len(cases)))
    good = 0
    for (i, route, is_key), payload in tried:
        forged = [changed(line, route, is_key, payload) if n == i else line for n, line in enumerate(lines)]
        good += try_record(tmp_path, fitted(forged))
    for payload in (*PAYLOADS[:: size(len(PAYLOADS), 1)], TOGETHER):
        forged = list(lines)
        for i, route, is_key in at:
            if not is_key:
                forged[i] = changed(forged[i], route, is_key, payload)
        good += try_record(tmp_path, fitted(forged))
    print(f"record: {len(at)} positions, {len(PAYLOADS)} payloads, {len(tried)} cases tried, {good} of them hold")


@pytest.mark.sized
def test_records__payloads_in_the_rules_they_carry(tmp_path: Path) -> None:
    lines = [json.loads(line) for line in record_of(SMALL).splitlines()]
    (name,) = lines[0]["rules"]["opened"]
    text = lines[0]["rules"]["files"][name]["text"]
    cases = each_with_each(positions(text))
    tried = random.Random(2).sample(cases, size(4, len(cases)))
    for position, payload in tried:
        forged = json.loads(json.dumps(lines))
        forged[0]["rules"]["files"][name]["text"] = placed(text, payload, [position])
        try_record(tmp_path, fitted(forged))
    print(f"rules of a record: {len(cases)} cases, {len(tried)} tried")


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


# The loader -------------------------------------------------------------------------------------------------


@pytest.mark.sized
@pytest.mark.parametrize("name", GAMES if size(0, 1) else ["base", SMALL])
def test_programs__hold_nothing_of_the_author(name: str) -> None:
    game = load(name)
    sources = (game.program.source, game.program.simulation_text[0], game.program.rollout_text[0])
    for source in sources:
        assert not set(source) & set("'\"#\\@`$"), name
        checked(source)


def test_source__its_key_tells_what_names_stand_for(tmp_path: Path) -> None:
    lines = run(tmp_path, "source", SMALL).out.splitlines()
    assert lines[0] == "# Nim, 2 players, heaps: three_four_five, last_stick: wins"
    assert "# legal_0  the legal choices of take  i1 = h, i3 = n" in lines
    ast.parse("\n".join(lines))


@pytest.mark.parametrize(
    "source",
    [
        "import os",
        "f_0 = 'text'",
        "f_0 = b'text'",
        "f_0 = 1.5",
        "f_0 = open",
        "f_0 = __builtins__",
        "f_0 = S.__class__",
        "f_0 = lambda: 0",
        "def f_0(S, x=1): pass",
        "def f_0(*S): pass",
        "def f_0(S: int): pass",
        "@f_0\ndef f_1(S): pass",
        "class f_0: pass",
        "f_0 = f'{S}'",
        "def f_0(S):\n    yield 1",
        "with S: pass",
        "try: pass\nfinally: pass",
        "raise S",
        "del S",
        "max(1, 2, key=len)",
        "take = 1",
        "def take(S): pass",
        "def f_0(S):\n    global take",
        "def f_0(S):\n    S.take = 1",
        "max(**S)",
    ],
)
def test_loader__refuses_what_no_program_holds(source: str) -> None:
    with pytest.raises(BadProgram):
        run_program(source, [])


def test_loader__gives_a_program_no_other_built_in_functions() -> None:
    namespace = run_program("def f_0(S):\n    return len(S)", [])
    assert namespace["f_0"]([1, 2]) == 2
    assert not {"open", "__import__", "getattr", "eval", "exec", "print"} & set(namespace["__builtins__"])


def test_loader__is_the_only_place_where_source_is_run() -> None:
    found = []
    for path in sorted(p for part in ("rulespec", "interpreter", "referee") for p in (ROOT / part).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if RUNS.search(text) else ():
            if isinstance(node, ast.Name) and RUNS.fullmatch(node.id):
                found.append((path.relative_to(ROOT).as_posix(), node.id))
    assert found == [("interpreter/generate/loader.py", "exec"), ("interpreter/generate/loader.py", "compile")]
