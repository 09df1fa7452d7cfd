"""A rule file and a record are data: whatever string is written in them, nothing of it is run, and nothing breaks.

Hostile strings are put behind every key and value of every shipped rule file:

- at every position alone: all payloads in one, which the reader refuses, and those in one that a text for people may hold,
  which the rules are opened with;
- at a position of every kind alone, in every command: a kind is a way through the schema, such as `moves.*.needs.*.else`.
  What is refused is refused by all commands, what is good is accepted by all;
- at all positions together where they are good alone, in every command;
- each payload on its own, at a few positions and everywhere at once.

A record gets payloads at every string. The check tries a few of these, the soak run all. The commands run in this
process, and whatever is compiled, run, started or opened meanwhile is looked at (`tests.payloads.watched`).

A position in an example is tried in the file without the other examples: that is the same, and faster.
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
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from interpreter import load
from interpreter.compile.loader import BadProgram, Surroundings, checked
from interpreter.compile.loader import run as run_program
from interpreter.compile.to_c import to_c
from interpreter.compile.to_python import to_python
from interpreter.fault import Fault
from interpreter.run.runtime import RUNTIME, Run
from referee.lsp.completion import suggestions
from referee.lsp.folding import folds
from referee.lsp.jobs import check, files_data, read_analysis
from referee.lsp.lenses import lenses
from referee.lsp.quick_fixes import quick_fixes
from referee.lsp.sections import sections
from referee.lsp.tokens import tokens
from referee.record.lines import Seat, written
from referee.record.match import Match
from rulespec.diagnostics.diagnostic import GAMES_FOLDER, RuleFileError, has_errors
from rulespec.diagnostics.visible import is_clean
from rulespec.files.sources import Disk, shipped_games
from rulespec.rules import open_rules
from rulespec.yaml.nodes import Mapping
from rulespec.yaml.source import read_source, unreadable
from tests.payloads import (
    CANARY,
    HOLES,
    LINES,
    PAYLOADS,
    PLAIN,
    TOGETHER,
    Spot,
    changed,
    fitted,
    lines_of,
    placed,
    positions,
    run,
    section,
    spots,
    strings,
    watched,
)
from tests.sizes import SOAK, size
from tests.sticks import sticks

ROOT = Path(__file__).parent.parent
SMALL = "classics/nim"
PART = 1100  # positions of one test, at most
GROUPS = 24  # tests that share the kinds of positions
RECORDS = size(1, 8)  # tests that share the forged records
TRIES = 3  # positions of a kind that are tried in a file, and files, until payloads are good at one
GAMES = sorted(shipped_games(), key=lambda name: (shipped_games()[name].stat().st_size, name))
CHEAP = sorted(GAMES, key=lambda name: (name.startswith("house/"), GAMES.index(name)))  # house rules come with a game
RUNS = re.compile(r"\b(?:exec|eval|compile|__import__)\b")  # what runs source
Property = Callable[[str, object], None]
REQUESTS = """\
{"id": 1, "do": "rules"}
{"id": 2, "do": "new", "seed": 1}
{"id": 3, "do": "moves"}
{"id": 4, "do": "view"}
{"id": 5, "do": "hint", "bot": "random"}
{"id": 6, "do": "simulate", "games": 2}
{"id": 7, "do": "record"}
"""


def as_sent(job: Generator[Any, None, Any]) -> Iterator[Any]:
    """Yield what a job of the language server finds early, and what it returns, as the server gets them."""

    def found() -> Iterator[Any]:
        yield (yield from job)

    return (json.loads(json.dumps(data)) for data in found())


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

    def wrong_lines(self) -> set[int]:
        """Return the lines of the file that `validate` complains about; 0 for those of other files."""
        (answer,) = json.loads(run(self.folder, "validate", self.file, "--json").out)["files"]
        found = [d for d in answer["diagnostics"] if d["level"] == "error"]
        return {d["line"] if d["file"].endswith(self.file) else 0 for d in found}

    def opens(self) -> bool:
        """Return whether the file is good with the default options: what other commands look at."""
        with watched():
            try:
                open_rules(self.folder / self.file).check()
            except RuleFileError:
                return False
        return True

    # Each returns whether the command accepted the rules. A fault in play is no refusal: what changes a name may
    # change the rules.

    def validate(self) -> bool:
        return run(self.folder, "validate", self.file).code == 0

    def test(self) -> bool:
        run(self.folder, "test", self.file)  # an example that quotes a text may fail now
        return self.opens()

    def play(self) -> bool:
        """Play a game into a record: there is one as soon as the rules are accepted."""
        self.record.unlink(missing_ok=True)
        run(self.folder, "play", self.file, "--seed", "1", "--seats", "random", "--record", self.record.name)
        return self.record.exists()

    def verify(self) -> bool:
        return run(self.folder, "verify", self.recorded()).code == 0

    def transcript(self) -> bool:
        return run(self.folder, "transcript", self.recorded()).code == 0

    def redact(self) -> bool:
        return run(self.folder, "record", self.recorded(), "--for", "1").code == 0

    @property
    def record(self) -> Path:
        return self.folder / "game.jsonl"

    def recorded(self) -> str:
        """Return a record with these rules: the game just played, or, if they were refused, one of the original."""
        if not self.record.exists():
            lines = [json.loads(line) for line in record_of(self.name).splitlines()]
            rules = lines[0]["rules"]
            rules["files"][rules["opened"][-1]]["text"] = (self.folder / self.file).read_text(encoding="utf-8")
            self.record.write_text(fitted(lines), encoding="utf-8")
        return self.record.name

    def table(self) -> bool:
        """Some games ask first who begins, and take no number if they do not."""
        asked = "?\nboard\nscore\nhistory\nhelp\nquit\n"
        return any(run(self.folder, "table", self.file, stdin=first + asked).code == 0 for first in ("1\n", ""))

    def rules(self) -> bool:
        return run(self.folder, "rules", self.file).code == 0

    def html(self) -> bool:
        return run(self.folder, "rules", self.file, "--format", "html").code == 0

    def source(self) -> bool:
        return run(self.folder, "source", self.file).code == 0

    def diff(self) -> bool:
        return run(self.folder, "diff", self.name, self.file, "--games", "1").code == 0

    def engine(self) -> bool:
        return run(self.folder, "engine", self.file, stdin=REQUESTS).code == 0

    def lsp(self) -> bool:
        path = self.folder / self.file
        files = Disk({path: path.read_text(encoding="utf-8")})
        with watched():
            *_, data = as_sent(check(str(path), files_data(files), None))
            found = read_analysis(path, files.texts[path], data)
            sections(found)
            suggestions(found, 1, 1)
            tokens(found)
            assert all(is_clean(name) for lens in lenses(found) for name in lens.names)
            assert all(is_clean(fix.title) for fix in quick_fixes(found))
            folds(found.tree, found.lines)
        return not has_errors(found.diagnostics)

    def simulate(self) -> bool:
        with watched():
            try:
                game = load(self.folder / self.file)
            except RuleFileError:
                return False
            program, actions = game.compiled.program, game.compiled.actions
            assert not [text for text in (to_python(program, "random"), to_c(program, actions)) if CANARY in text]
            with suppress(Fault):
                assert len(game.simulate(2)) == 2
        return True

    def commands(self) -> tuple[Callable[[], bool], ...]:
        """Return all of them; those that read records follow the one that makes them."""
        return (
            self.validate, self.test, self.play, self.verify, self.transcript, self.redact, self.table,
            self.rules, self.source, self.diff, self.engine, self.lsp, self.simulate,
        )  # fmt: skip

    def accepted(self, tally: Counter[str]) -> None:
        """Give good rules to all commands."""
        for command in self.commands():
            assert command(), command.__name__
        tally["commands that accepted"] += len(self.commands())

    def answered(self, tally: Counter[str]) -> None:
        """Give rules to all commands that are good with the default options alone: each says what it thinks."""
        for command in self.commands():
            command()
        tally["commands that answered"] += len(self.commands())

    def refused(self, tally: Counter[str]) -> None:
        """Give bad rules to all commands: each refuses them."""
        for command in self.commands():
            assert not command(), command.__name__
        tally["commands that refused"] += len(self.commands())


@pytest.fixture
def bench(name: str, tmp_path: Path) -> Bench:
    copytree(GAMES_FOLDER, tmp_path / "games")
    return Bench(tmp_path, name)


def tried_alone(bench: Bench, tried: Sequence[Spot], tally: Counter[str]) -> list[Spot]:
    """Put the combined payloads at each position on its own; return where the one for texts is accepted.

    The one that the reader refuses is read with the section that it is in: the reader knows no sections.
    """
    good: list[Spot] = []
    for spot in tried:
        with pytest.raises(RuleFileError) as refused, watched():
            read_source(bench.file, section(spot.text, TOGETHER, spot.short))
        assert {d.code for d in refused.value.diagnostics} <= {"yaml-control-character"}
        bench.write(placed(spot.text, PLAIN, [spot.short]))
        if bench.opens():
            good.append(spot)
    tally["positions alone"] += len(tried)
    tally["positions alone that are good"] += len(good)
    return good


def tried_together(bench: Bench, text: str, group: Sequence[Spot], tally: Counter[str]) -> None:
    """Put the combined payload for texts at many positions at once, but for those that `validate` complains about."""
    left = list(group)
    while left:
        bench.write(placed(text, PLAIN, [spot.whole for spot in left]))
        wrong = bench.wrong_lines()
        if not wrong:
            break
        at = zip(left, lines_of(text, PLAIN, [spot.whole for spot in left]), strict=True)
        kept = [spot for spot, line in at if line not in wrong]
        left = kept if len(kept) < len(left) else left[::2]
    tally["positions together"] += len(left)
    if left:
        bench.accepted(tally)
        assert bench.html()
        run(bench.folder, "play", bench.file, "--seed", "1")


def tried_singly(bench: Bench, where: Sequence[Spot], payloads: Sequence[str], tally: Counter[str]) -> None:
    """Put each payload at each of a few positions; what is accepted is given to a command."""
    for turn, payload in enumerate(payloads):
        for spot in where:
            bench.write(placed(spot.text, payload, [spot.short]))
            tally["single payloads"] += 1
            if bench.opens() and bench.validate():
                command = bench.commands()[turn % len(bench.commands())]
                assert command(), command.__name__


def parts() -> list[tuple[str, int, int]]:
    """Return every shipped file, in parts of so many positions that several processes can share the work."""
    found = []
    for name in reversed(GAMES):
        number = -(-len(positions(original(name))) // PART)
        found += [(name, part, number) for part in range(number)]
    return found


def original(name: str) -> str:
    return shipped_games()[name].read_text(encoding="utf-8")


@pytest.mark.sized
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("name", "part", "of"), parts() if SOAK else [(SMALL, 0, 1), ("house/cruel_floor", 0, 1)])
def test_rule_files__payloads_at_every_position(
    name: str, part: int, of: int, bench: Bench, record_property: Property
) -> None:
    text, rng, tally = original(name), random.Random(name), Counter[str]()
    at = spots(text)
    tried = at[part::of] if SOAK else rng.sample(at, 12 if name == SMALL else 2)
    good = tried_alone(bench, tried, tally)
    if good:
        tried_together(bench, text, good, tally)
    if name.startswith("classics/") and part == 0:
        singly = rng.sample(good or tried, 1) + rng.sample(tried, 1)
        tried_singly(bench, singly, PAYLOADS[:: size(6, 1)], tally)
    assert good or not SOAK
    record_property("payloads", dict(tally))


@cache
def kinds() -> dict[str, list[str]]:
    """Return every kind of position, and the files that have it, the cheapest first."""
    found: dict[str, list[str]] = {}
    for name in CHEAP if SOAK else [SMALL]:
        for kind in dict.fromkeys(p.kind for p in positions(original(name))):
            found.setdefault(kind, []).append(name)
    return found


def best_spot(folder: Path, kind: str) -> tuple[Bench, Spot, bool]:
    """Return a position of a kind where payloads are good, if one is soon found, else any; and whether they are."""
    is_word = kind.endswith(" (key)") and not kind.endswith("* (key)")  # a word of the language: nothing fits behind it
    for name in () if is_word else kinds()[kind][:TRIES]:
        bench = Bench(folder, name)
        for spot in [s for s in spots(original(name)) if s.short.kind == kind][:TRIES]:
            bench.write(placed(spot.text, PLAIN, [spot.short]))
            if bench.opens() and bench.validate():
                return bench, spot, True
        bench.write(original(name))
    bench = Bench(folder, kinds()[kind][0])
    return bench, next(s for s in spots(original(bench.name)) if s.short.kind == kind), False


@pytest.mark.sized
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("group", range(GROUPS) if SOAK else [0])
def test_kinds__payloads_alone_in_every_command(group: int, tmp_path: Path, record_property: Property) -> None:
    copytree(GAMES_FOLDER, tmp_path / "games")
    tally = Counter[str]()
    for kind in [*kinds()][group :: size(60, GROUPS)]:
        bench, spot, good = best_spot(tmp_path, kind)
        tally.update({"kinds": 1, "kinds that are good": good})
        bench.write(placed(spot.text, PLAIN, [spot.short]))
        if good:
            bench.accepted(tally)
            for payload in (LINES, HOLES):
                bench.write(placed(spot.text, payload, [spot.short]))
                assert bench.opens() in (True, False)
        elif bench.opens():
            bench.answered(tally)
        else:
            bench.refused(tally)
        bench.write(placed(spot.text, TOGETHER, [spot.short]))
        bench.refused(tally)
        bench.write(original(bench.name))
    record_property("payloads", dict(tally))


def test_kinds__a_name_that_changes_the_rules_is_no_refusal(tmp_path: Path) -> None:
    """A condition that no longer has the name of the one it replaces comes on top of it: here, the second player cannot move."""
    grab = "  grab:\n    like: take\n    needs: {enough: {that: n <= left, else: less}}\n"
    text = sticks(that="left > 9", moves=grab).replace("to: take", "to: grab")
    copytree(GAMES_FOLDER, tmp_path / "games")
    bench = Bench(tmp_path, SMALL)
    (enough, _) = (p for p in positions(text) if p.said == "enough")
    bench.write(placed(text, PLAIN, [enough]))
    with pytest.raises(Fault):
        load(tmp_path / bench.file).simulate(1)
    bench.accepted(Counter())


@pytest.mark.sized
@pytest.mark.parametrize("name", GAMES if SOAK else [SMALL])
def test_rule_files__payloads_everywhere_at_once(name: str, bench: Bench, record_property: Property) -> None:
    text, tally = original(name), Counter[str]()
    at = positions(text)
    for payload in PAYLOADS:
        bench.write(placed(text, payload, [p for p in at if not p.is_key]))
        assert not bench.opens()
        tally["payloads everywhere"] += 1
    for payload in (TOGETHER, PLAIN):
        bench.write(placed(text, payload, at))
        bench.refused(tally)
    record_property("payloads", dict(tally))


def test_commands__read_rules_by_one_function(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the reader refuses, every command refuses: so the reader alone can be asked about every position."""

    def refuse(path: str | Path, text: str, *, by_sections: bool) -> Mapping:
        raise RuleFileError([unreadable(str(path), "nobody can read this")])

    copytree(GAMES_FOLDER, tmp_path / "games")
    bench = Bench(tmp_path, SMALL)
    bench.accepted(Counter())
    record_of(SMALL)  # read before nobody can
    monkeypatch.setattr("rulespec.files.extends.read_source", refuse)
    bench.write(original(SMALL) + "# no game that was opened before\n")
    bench.refused(Counter())


@pytest.mark.parametrize(
    "source",
    ["open('canary', 'w')", "__import__('os').mkdir('canary')", "__import__('sys').payload_ran", "x = 'the canary'"],
)
def test_watch__notices_what_a_payload_would_do(source: str) -> None:
    code = compile(source, "payload", "exec")
    with pytest.raises(AssertionError), watched():
        compile(source, "payload", "exec")
    with pytest.raises(AssertionError), watched(), suppress(NameError, AttributeError, TypeError):
        exec(code, {"__builtins__": {}})
    with pytest.raises(AssertionError), watched():
        subprocess.run(["true", source], check=True)


@cache
def record_of(name: str) -> str:
    match = Match.begin(load(name), (Seat("Anna", "human"), Seat("Ben", "random")), 5, name=name)
    for _ in range(4):
        if not match.over:
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
@pytest.mark.parametrize("part", range(RECORDS))
def test_records__payloads_at_every_string(part: int, tmp_path: Path, record_property: Property) -> None:
    lines = [json.loads(line) for line in record_of(SMALL).splitlines()]
    assert try_record(tmp_path, fitted(lines))
    at = [(i, route, is_key) for i, line in enumerate(lines) for route, is_key in strings(line) if route[-1] != "hash"]
    rng = random.Random(1)
    cases = [(position, payload) for position in rng.sample(at, size(2, len(at))) for payload in (TOGETHER, PLAIN)]
    cases += [(position, payload) for payload in PAYLOADS[:: size(12, 1)] for position in rng.sample(at, size(1, 4))]
    everywhere = (*PAYLOADS[:: size(len(PAYLOADS), 1)], TOGETHER, PLAIN)
    good = 0
    for (i, route, is_key), payload in cases[part::RECORDS]:
        forged = [changed(line, route, is_key, payload) if n == i else line for n, line in enumerate(lines)]
        good += try_record(tmp_path, fitted(forged))
    for payload in everywhere[part::RECORDS]:
        forged = list(lines)
        for i, route, is_key in at:
            if not is_key:
                forged[i] = changed(forged[i], route, is_key, payload)
        good += try_record(tmp_path, fitted(forged))
    tally = {
        "positions of a record": len(at[part::RECORDS]),
        "forged records": len(cases[part::RECORDS]) + len(everywhere[part::RECORDS]),
        "that hold": good,
    }
    record_property("payloads", tally)


@pytest.mark.sized
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("name", GAMES if SOAK else [SMALL])
def test_records__payloads_in_the_rules_they_carry(name: str, tmp_path: Path, record_property: Property) -> None:
    lines = [json.loads(line) for line in record_of(name).splitlines()]
    file = lines[0]["rules"]["opened"][-1]
    text = lines[0]["rules"]["files"][file]["text"]
    at = [*{p.kind: p for p in positions(text)}.values()]  # one of each kind
    good = 0
    tried = random.Random(name).sample(at, len(at) if SOAK and name == SMALL else size(2, 1))
    for position in tried:
        for payload in (TOGETHER, PLAIN):
            forged = json.loads(json.dumps(lines))
            forged[0]["rules"]["files"][file]["text"] = placed(text, payload, [position])
            good += try_record(tmp_path, fitted(forged))
    record_property("payloads", {"forged records": 2 * len(tried), "that hold": good})


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
    assert not [found for found in seen if str(lure) in os.path.abspath(tmp_path / found)]


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
