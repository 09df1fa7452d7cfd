"""The command `rulespec table`: what it says where something is wrong, who begins, and what it prints for programs."""

from __future__ import annotations

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import pytest

from interpreter.game import load_traced
from referee.cli import main
from referee.record.match import Match
from tests.typed import typed_game


@dataclass(frozen=True)
class Ran:
    returncode: object
    stdout: str
    stderr: str


def run(*words: str, text: str = "") -> Ran:
    """Return the command in this process, with a text as its input."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "stdin", io.StringIO(text))
        with pytest.raises(SystemExit) as ended:
            main(words)
    return Ran(ended.value.code, out.getvalue(), err.getvalue())


WRONG: list[tuple[list[str], str, int, str]] = [
    (["table"], "", 2, "expected a GAME, or `--resume FILE`"),
    (["table", "base", "--resume", "x"], "", 2, "leave out GAME"),
    (["table", "base", "--first", "9"], "", 2, "there is no player `9`: expected player 1 (1) or player 2 (2)"),
    (["table", "base", "--names", "Anna,Anna"], "", 2, "two players are called `Anna`"),
    (["table", "base", "--players", "2", "--names", "A,B,C"], "", 2, "3 seats for 2 players"),
    (["table", "base"], "", 2, "the input ended before anybody said who begins"),
    (["table", "base"], "nobody\n", 2, "there is no player `nobody`"),
    (["table", "base", "--first", "1"], "", 1, "the input ended before the game did"),
    (["table", "base", "--first", "1"], "5 blue 17 blue\n", 1, "more than goes to display 5"),
    (["table", "base", "--players", "4", "--first", "1"], "21 blue\n", 1, "no blue is left in Bag"),
    (["table", "base", "--first", "1"], "bbrk yyyy rrrr kkkk wwww\ntake 1 white 1\n", 1, "there is no white tile"),
    (["table", "base", "--first", "1"], "amend 3 red\n", 1, "there is no decision 3"),
    (["table", "--resume", "no-such-file"], "", 1, "no-such-file"),
    (["table", "base", "--record", "/nowhere/a.jsonl", "--first", "1"], "", 1, "cannot be written"),
]


@pytest.mark.parametrize(("words", "text", "code", "said"), WRONG)
def test_command__what_is_wrong_is_said(words: list[str], text: str, code: int, said: str) -> None:
    found = run(*words, text=text)
    assert (found.returncode, "Traceback" in found.stderr) == (code, False)
    assert said in " ".join(found.stderr.split())


def test_command__json_is_the_whole_game() -> None:
    typed = typed_game("classics/pig", 2, {}, seed=4)
    found = run("table", "classics/pig", "--json", text="\n".join([str(typed.first), *typed.lines]) + "\n")
    data = json.loads(found.stdout)
    assert data["outcome"]["winners"] == list(typed.outcome.winners)
    assert [d["move"] for d in data["decisions"]] == typed.moves


def test_command__a_game_with_a_seed_is_no_game_at_a_table(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    match = Match.begin(load_traced("base"), ("human", "human"), 7, name="base")
    match.record_to(path)
    match.close()
    found = run("table", "--resume", str(path))
    assert found.returncode == 1
    assert "the program plays its chance" in found.stderr


WAITERS = """
rulespec: 1
game: Waiters
players: 2
play:
  - for each: p in player
    do: [{ask: p, to: wait}]
moves:
  wait: {text: wait, does: []}
winner: {nobody is better: 0}
"""


def test_first__is_asked_only_where_the_rules_leave_it_open(tmp_path: Path) -> None:
    (tmp_path / "waiters.yaml").write_text(WAITERS, encoding="utf-8")
    found = run("table", str(tmp_path / "waiters.yaml"), text="wait\nwait\n")
    assert (found.returncode, "(1)" in found.stdout) == (0, False)
    assert "player 1 and player 2 share the win" in found.stdout
    assert run("table", str(tmp_path / "waiters.yaml"), "--first", "1").returncode == 2
    assert "player 1 (1) and player 2 (2)" in run("table", "base", text="1\n").stdout
