"""The referee at a real keyboard: typed at a pseudo-terminal, refused, corrected, killed, resumed, to the final ledger."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from referee.record.replay import replay
from tests.records import load_record
from tests.small import small_game
from tests.typed import typed_game

ROOT = Path(__file__).parent.parent
GUIDE = ROOT / "docs" / "table.md"
PROMPT = r"(?:drawn|player \d|who begins|Anna|Ben|the game is over; `score` explains every point, Enter ends|turned up|instead of `[^`]*`)> "
COLOURS = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


COMPILER = shutil.which("cc") or shutil.which("gcc")
SLOW_WAIT = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/select.h>
#include <time.h>

int select(int n, fd_set *r, fd_set *w, fd_set *e, struct timeval *t) {
  int (*wait)(int, fd_set *, fd_set *, fd_set *, struct timeval *) = dlsym(RTLD_NEXT, "select");
  struct timespec left = {0, 500000000};
  while (nanosleep(&left, &left)) {}
  return wait(n, r, w, e, t);
}
"""


class Keyboard:
    """A person at the command: lines are typed when they are asked for. Everything on the screen is kept."""

    def __init__(self, folder: Path, *words: str, **more: str) -> None:
        env = {"PYTHONPATH": str(ROOT), "TERM": "dumb", "PATH": "/usr/bin:/bin", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
        env["XDG_CACHE_HOME"] = os.environ["XDG_CACHE_HOME"]  # not the user's own
        self.screen = ""
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "rulespec", *words],
            cwd=str(folder),
            env=env | more,
            encoding="utf-8",
            dimensions=(50, 80),
            timeout=60,
        )
        self.child.delaybeforesend = None
        self.wait()

    def wait(self) -> str:
        """Return what came up to the next prompt, or to the end."""
        ended = self.child.expect([f"(?:^|\n){PROMPT}", pexpect.EOF]) == 1
        fresh = self.child.before + ("" if ended else self.child.after)
        self.screen += fresh
        return COLOURS.sub("", fresh).replace("\r", "")

    def type(self, line: str) -> str:
        self.child.sendline(line)
        return self.wait()

    def kill(self) -> None:
        self.child.kill(signal.SIGKILL)
        self.child.wait()

    @property
    def lines(self) -> list[str]:
        return COLOURS.sub("", self.screen).replace("\r", "").split("\n")

    @property
    def widest(self) -> int:
        """Of what the command says; what is typed may be longer."""
        return max(len(line) for line in self.lines if not re.match(PROMPT, line))


@pytest.mark.soak
@pytest.mark.parametrize(("name", "players"), [("base", 3), ("duel", 2), ("sintra", 2), ("pavilion", 2)])
def test_session__a_whole_game_with_mistakes_and_kills(name: str, players: int, tmp_path: Path) -> None:
    typed = typed_game(name, players, {}, seed=1)
    rng = random.Random(name)
    path = tmp_path / "a.jsonl"
    table = Keyboard(tmp_path, "table", name, "--players", str(players), "--record", str(path))
    assert "there is no player `nobody`" in table.type("nobody")
    table.type(str(typed.first))
    kills = {rng.randrange(1, len(typed.lines)) for _ in range(3)}
    for number, line in enumerate(typed.lines):
        if number in kills:
            table.kill()
            done = [d.move for d in load_record(path).decisions()]
            assert done == typed.moves[: len(done)]
            assert len(done) >= number
            table = Keyboard(tmp_path, "table", "--resume", str(path))
        if rng.random() < 0.15:
            before = path.read_bytes()
            table.type(rng.choice(["99 grease", "take 99 nothing", "1: 2: 3:", "x" * 300, "why take", "amend 9999 a"]))
            assert path.read_bytes() == before
        assert "not possible" not in table.type(line)
    assert [str(d.move) for d in replay(load_record(path)).match.decided] == typed.moves
    scores = list(typed.outcome.scores.values())
    assert re.search(r"^total " + "".join(rf" +{score}" for score in scores) + r"\s*$", table.screen, re.MULTILINE)
    assert table.lines[-2].startswith("player")
    assert table.widest <= 80
    table.child.sendline("")
    table.child.expect(pexpect.EOF)
    table.child.close()
    assert table.child.exitstatus == 0


def test_session__corrections_mending_and_undo(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    table = Keyboard(tmp_path, "table", "base", "--names", "Anna,Ben", "--first", "Anna", "--record", str(path))
    assert "`red` is more than goes to display 1" in table.type("1: 5 red")
    table.type("1: bbrk 2: yyyy 3: rr")
    assert "draw from Bag: 2 to display 3, 4 each to display 4 and display 5" in table.screen
    table.type("1: kkkk")
    assert "corrected:" in table.screen
    table.type("rr kkkk wwww")
    assert "Anna begins." in table.screen
    table.type("1: bbrk")
    assert "there is no white tile on display 1" in table.type("take 1 white 1")
    assert "there is no white tile on display 1" in table.type("why take 1 white 1")
    table.type("take 1 blue 2")
    assert "take all yellow from display 2 to line 4" in table.type("t 2 y 4")
    table.type("take 3 red 4")
    table.type("take 4 black 5")
    said = table.type("amend 21 take 1 black 4")
    assert "decision 21 is now `take 1 black 4` (it was `take 1 blue 2`)" in said
    assert "1 decision after it kept" in said
    assert "no longer possible: Anna, `take 3 red 4`:" in said
    assert "line 4 already holds black" in said
    table.kill()
    table = Keyboard(tmp_path, "table", "--resume", str(path))
    assert "no longer possible: Anna, `take 3 red 4`:" in table.screen  # nothing of it is lost
    said = table.type("take 3 red 5")
    assert "Correct the table:\n" in said
    assert "  line 2 of Anna: empty\n" in said
    assert "24  Ben       take 4 black 5" in said
    assert "taken back" in table.type("undo")
    assert "instead of `take 2 yellow 4`> " in table.type("amend 22")
    assert "is now `take 2 yellow 3`" in table.type("take 2 yellow 3")
    assert "stopped after" in table.type("quit")
    moves = [str(d.move) for d in replay(load_record(path)).match.decided]
    assert moves[20:] == ["take 1 black 4", "take 2 yellow 3", "take 3 red 5"]
    assert table.widest <= 80


def test_session__forgotten_moves_redo_and_what_is_asked_of_the_past(tmp_path: Path) -> None:
    table = Keyboard(tmp_path, "table", "base", "--names", "Anna,Ben", "--first", "Anna", "--record", "a.jsonl")
    table.type("1: bbrk 2: yyyy 3: rrkw 4: kkkk 5: wwww")
    table.type("1 b 2")
    assert "something was decided since that draw: `history`" in table.type("2: yyyw")  # a move came after the draw
    assert "there is no decision 380: 21 decisions so far" in table.type("history 380")
    shown = table.type("board")
    assert "Anna · 0 points" in shown and "player 1" not in shown
    table.type("2 y 4")
    said = table.type("insert 22 take 4 black 5")
    assert "decision 22 is `take 4 black 5`; 1 decision after it kept" in said
    assert "Correct the table:\n" in said
    assert "23  Anna      take 2 yellow 4" in table.type("history 22")
    said = table.type("insert 22 take 4 black 4")
    assert "`take 4 black 5`, is no longer possible" in said
    assert "1 decision taken back" in table.type("undo")
    assert "23  Anna      take 2 yellow 4" in table.type("redo")
    assert "there is nothing to redo" in table.type("redo")
    assert "In short: " in table.type("rules")
    assert "stopped after 23 decisions" in table.type("quit")


def test_session__pieces_that_only_their_owner_saw(tmp_path: Path) -> None:
    """Nobody names what is drawn and put away unseen; what is turned up is asked for, also after a kill."""
    (tmp_path / "peek.yaml").write_text(small_game("peek"), encoding="utf-8")
    path = tmp_path / "a.jsonl"
    words = ["table", "peek.yaml", "--names", "Anna,Ben", "--record", str(path)]
    table = Keyboard(tmp_path, *words)
    assert "everybody sees its back: write `brown` or `green` instead of `?`" in table.type("? ?")
    table.type("brown brown")
    said = table.type("?")  # the card that Ben draws, not a list: both that are left are green
    assert "hand of Ben: 1 piece" in said and "the referee does not know all hidden pieces" in said, said
    hidden = table.type("?")
    assert "the referee does not know all hidden pieces" in hidden and "ash" not in hidden
    said = table.type("tuck ?")
    assert "tuck ?" in said and "move 1 piece from hand of Anna to under" in said, said
    assert "1 decision taken back" in table.type("undo")
    assert "move 1 piece from hand of Anna to under" in table.type("redo")
    said = table.type("lay elm")
    assert "move 1 piece from under to open" in said
    assert "turned up: it went from under to open. Which is it?" in " ".join(said.split()), said
    assert "oak cannot lie at open now" in table.type("oak")
    table.kill()
    table = Keyboard(tmp_path, "table", "--resume", str(path))
    assert "Which is it?" in table.screen
    other = "yew" if "ash is assumed" in " ".join(table.screen.split()) else "ash"  # not what was assumed
    assert f"open: {other}" in table.type(other)
    assert f"you have no {other}" in table.type(f"lay {other}")
    said = table.type("lay yew" if other == "ash" else "lay ash")
    assert "the game is over" in said and "stayed unknown" not in said, said


def test_session__plates_are_typed_as_they_look(tmp_path: Path) -> None:
    """The real ones have no names on them, and are looked at any side up; the back on top is asked for in words."""
    table = Keyboard(tmp_path, "table", "duel", "--names", "Anna,Ben", "--first", "Anna", "--record", "a.jsonl")
    asked = " ".join(table.screen.split())
    assert "then see On top of the stack of plates: ornament back or mosaic back; then draw" in asked
    assert "called by what is printed on it, row by row, whichever way up: `yk/to`." in asked
    assert "possible for Plates on display: o1[yk/to], o2[ko/tr]," in table.type("?")
    assert "Plates on display: o4, m1 and o1" in table.type("yb/ko t?kb [ty/ok]")
    said = table.type("mosaic")
    assert "On top of the stack of plates: mosaic back" in said and "noted:" not in said
    said = table.type("large: bryyk 1: bbyy 2: yrrr 3: bbrk 4: rrkk")
    assert "Ben decides first." in said  # the one who begins places last
    said = table.type("take_sun 1 b 1")
    assert "`take_sun` is not available now; Ben can play `first_plate`" in " ".join(said.split())
    where = re.search(r"\(not now,\s+(games/duel.yaml:\d+)\)", said)
    assert where is not None
    assert "lay plate m1 on place 1.1, quarter turns 0" in " ".join(table.type("first_plate t?/kb 1.1 0").split())
    table.kill()
    table = Keyboard(tmp_path, "table", "--resume", "a.jsonl")
    table.type("undo")
    assert where[1] in table.type("take_sun 1 b 1")  # it is called as before


def test_session__after_the_game(tmp_path: Path) -> None:
    table = Keyboard(tmp_path, "table", "classics/nim", "--names", "Anna,Ben", "--first", "Anna")
    for line in ("take 3 5", "take 2 4", "take 1 3"):
        table.type(line)
    assert table.screen.endswith("the game is over; `score` explains every point, Enter ends> ")
    for line, said in (
        ("take 1 1", "the game is over; `amend N` or `undo` changes what was decided, an empty line"),
        ("?", "nobody is to decide anything now"),
        ("history 380", "there is no decision 380: 3 decisions so far"),
        ("amend 9 x", "there is no decision 9: 3 decisions so far"),
        ("board", "Taken: 12I"),
    ):
        assert said in table.type(line)
        assert table.screen.endswith("the game is over; `score` explains every point, Enter ends> ")
    assert "1 decision taken back, of Anna" in table.type("undo")
    said = table.type("redo")
    assert "move everything (3 stick) from heap 1 to Taken" in said
    assert "Correct the table" not in said  # what is to be moved was said


def test_session__the_back_of_an_unseen_piece_is_named(tmp_path: Path) -> None:
    (tmp_path / "peek.yaml").write_text(small_game("peek"), encoding="utf-8")
    table = Keyboard(tmp_path, "table", "peek.yaml", "--names", "Anna,Ben")
    table.type("oak ash")
    table.type("green")
    assert "everybody sees its back: write `brown` or `green` instead of `?`" in table.type("tuck ?")
    assert "move 1 piece from hand of Anna to under" in table.type("tuck brown")
    assert "Which is it? (Until you say, ash is assumed.)" in " ".join(table.type("tuck ?").split())
    assert "oak cannot lie at open now" in table.type("oak")
    assert "open: ash" in table.type("ash")
    assert "the game is over" in table.type("lay oak")


def sessions() -> list[str]:
    return re.findall(r"^```session\n(.*?)^```$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("number", range(len(sessions())))
def test_session__the_guide_shows_what_happens(number: int, tmp_path: Path) -> None:
    """Sessions in the guide are typed as they stand there, and show what stands there; `…` is anything."""
    command, *shown = sessions()[number].splitlines()
    words = command.removeprefix("$ rulespec ").replace("evening.jsonl", str(tmp_path / "evening.jsonl")).split()
    table = Keyboard(ROOT, *words)  # where paths of rules are short
    for line in shown:
        if found := re.match(PROMPT, line):
            table.type(line[found.end() :])
    text = "\n".join(line.rstrip() for line in table.lines).strip()
    wanted = "\n".join(line.rstrip() for line in shown).strip()
    pattern = "[^§]*?".join(re.escape(part) for part in wanted.split("…"))
    assert re.fullmatch(pattern, text), text


@pytest.mark.parametrize(
    "ending", [signal.SIGINT, *(pytest.param(s, marks=pytest.mark.soak) for s in (signal.SIGTERM, signal.SIGHUP))]
)
def test_session__interrupted_says_how_to_resume(ending: signal.Signals, tmp_path: Path) -> None:
    table = Keyboard(tmp_path, "table", "base", "--names", "Anna,Ben", "--first", "Anna", "--record", "a.jsonl")
    table.type("1: bbrk")
    table.child.kill(ending)
    table.child.expect(pexpect.EOF)
    assert "stopped after 4 decisions\r\nresume with: rulespec table --resume a.jsonl\r\n" in table.child.before
    table.child.close()
    assert table.child.exitstatus == 130
    again = Keyboard(tmp_path, "table", "--resume", "a.jsonl")
    assert "draw from Bag: 4 each to display 2" in again.screen
    again.child.close()


@pytest.mark.skipif(COMPILER is None or sys.platform != "linux", reason="needs a C compiler and Linux")
@pytest.mark.parametrize("ending", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.soak)])
def test_session__a_signal_just_before_it_waits_for_a_key_is_noticed(ending: signal.Signals, tmp_path: Path) -> None:
    assert COMPILER is not None
    (tmp_path / "slow.c").write_text(SLOW_WAIT, encoding="utf-8")
    subprocess.run([COMPILER, "-shared", "-fPIC", "-o", "slow.so", "slow.c", "-ldl"], cwd=tmp_path, check=True)
    table = Keyboard(tmp_path, "table", "base", "--first", "player 1", LD_PRELOAD=str(tmp_path / "slow.so"))
    table.child.kill(ending)  # it has shown its prompt, and half a second passes until it waits
    table.child.expect(pexpect.EOF)
    table.child.close()
    assert table.child.exitstatus == 130
