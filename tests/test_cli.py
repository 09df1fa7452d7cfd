"""The command line: what it prints, what it exits with, and that nobody ever sees a traceback."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from referee.cli import catalogue, main
from rulespec import GAMES_FOLDER, LANGUAGE, __version__
from rulespec.files.sources import shipped_games
from tests.small import small_game

ROOT = Path(__file__).parent.parent
RULESPEC = [sys.executable, "-m", "rulespec"]

HEAPS = small_game("heaps")


@dataclass(frozen=True)
class Answer:
    code: int
    out: str
    err: str


class Runner:
    """Runs the command line in this process, in a folder of its own that holds heaps.yaml."""

    def __init__(self, folder: Path, capture: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self.folder, self.capture, self.patch = folder, capture, patch
        self.write("heaps.yaml", HEAPS)

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def __call__(self, *args: str, stdin: str = "") -> Answer:
        self.patch.setattr(sys, "stdin", io.StringIO(stdin))
        self.capture.readouterr()
        with pytest.raises(SystemExit) as end:
            main(args)
        captured = self.capture.readouterr()
        assert "Traceback" not in captured.out + captured.err
        assert "internal error" not in captured.err, captured.err
        assert isinstance(end.value.code, int)
        return Answer(end.value.code, captured.out, captured.err)


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Runner:
    monkeypatch.chdir(tmp_path)
    return Runner(tmp_path, capsys, monkeypatch)


# games ---------------------------------------------------------------------------------------------------


def test_games__the_quick_list_says_what_the_whole_reader_says() -> None:
    whole = [catalogue.whole_entry(name, path) for name, path in shipped_games().items()]
    assert catalogue.list_games() == [entry for entry in whole if entry is not None]


def test_games__as_json(run: Runner) -> None:
    data = json.loads(run("games", "--json").out)
    base = next(game for game in data if game["name"] == "base")
    assert (base["title"], base["players"]) == ("Azul", [2, 3, 4])
    assert base["options"][0] == {
        "name": "wall_side",
        "default": "coloured",
        "choices": [
            {"name": "coloured", "text": "every wall space has its printed colour"},
            {"name": "grey", "text": "a tile goes to any space of its row, no colour twice in a row or column"},
        ],
    }


def test_games__for_people(run: Runner) -> None:
    lines = run("games").out.splitlines()
    assert lines[:3] == [
        "base: Azul, 2 to 4 players",
        "    Draft tiles, fill pattern lines, cover the wall. Most points wins.",
        "    wall_side=coloured (default): every wall space has its printed colour",
    ]


def test_games__a_house_rule_shows_what_is_its_own(run: Runner) -> None:
    lines = run("games").out.splitlines()
    at = lines.index("house/no_dumping: Azul without dumping, 2 to 4 players, a house rule of base")
    assert lines[at + 1 : at + 3] == [
        "    Tiles go to the floor line only if no line can take them.",
        "    jokers=without (default): the base game",
    ]
    assert lines[at + 3].startswith("house/")


def test_catalogue__a_file_that_extends_and_fixes(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    run.write("more.yaml", "rulespec: 1\nextends: heaps.yaml\ngame: More heaps\nwith: {sticks: many}\n")
    run.write("flow.yaml", "{rulespec: 1, extends: heaps.yaml, game: In braces}\n")
    run.write("broken.yaml", "game: [\n")
    monkeypatch.setattr(catalogue, "shipped_games", lambda: {p.stem: p for p in sorted(run.folder.glob("*.yaml"))})
    entries = {entry.name: entry for entry in catalogue.list_games()}
    assert list(entries) == ["flow", "heaps", "more"]
    assert entries["more"].title == "More heaps"
    assert entries["more"].players == (2, 3)
    assert entries["more"].options == (catalogue.OptionEntry("sticks", "many", (("many", "three in each heap"),)),)
    assert entries["flow"].title == "In braces"


def test_show__prints_a_rule_file_and_where_it_is(run: Runner) -> None:
    answer = run("show", "corners")
    assert answer.code == 0
    assert "game: Azul with corners\n" in answer.out
    whole = Path(run("show", "corners", "--path").out.strip()).read_text(encoding="utf-8")
    (line,) = (line for line in whole.splitlines() if line.startswith("# yaml-language-server: $schema=../"))
    assert (
        answer.out.rstrip() == whole.replace(f"{line}\n", "").rstrip()
    )  # from another folder, the line would lead nowhere
    assert "\n# Azul, " in "\n" + run("show", "base").out
    assert run("show", "heaps.yaml").out.rstrip() == HEAPS.rstrip()
    assert run("show", "nothing").code == 2


def test_show__a_file_of_ones_own_keeps_its_schema(run: Runner) -> None:
    run.write("own.yaml", text := f"# yaml-language-server: $schema=rulespec.schema.json\n{HEAPS}")
    assert run("show", "own.yaml").out.rstrip() == text.rstrip()


# validate ------------------------------------------------------------------------------------------------


def test_validate__a_good_file(run: Runner) -> None:
    answer = run("validate", "heaps.yaml")
    assert answer == Answer(0, "heaps.yaml: good (2 combinations of options, 2 to 3 players)\n", "")


def test_validate__a_shipped_name(run: Runner) -> None:
    assert run("validate", "base").out == "base: good (4 combinations of options, 2 to 4 players)\n"


BAD_FILES = [
    ("yaml syntax", "sets:\n  heap: 1..2", "sets: [\n  heap: 1..2", r"error\[yaml-"),
    ("misspelt key", "winner:", "winer:", r"error\[shape-unknown-key\].*`winer`"),
    (
        "misspelt name",
        "count(row[h])\n        else",
        "count(rwo[h])\n        else",
        r"36:26: error\[name-unknown\]: .*`rwo`",
    ),
    ("wrong type", "that: n <= count(row[h])", "that: count(row[h])", r"36:15: error\[type-mismatch\]: expected"),
    ("missing row", "worth[heap]: [1, 2]", "worth[heap]: [1]", r"error\[table-.*`worth`"),
    (
        "patch of nothing",
        "pieces:\n          stick: 3 in row[heap]",
        "moves:\n          tak: {text: x}",
        r"error\[.*`tak`",
    ),
    ("unknown move", "        to: take\n", "        to: tak\n", r"error\[name-unknown\]: .*`tak`"),
]


@pytest.mark.parametrize(("old", "new", "message"), [c[1:] for c in BAD_FILES], ids=[c[0] for c in BAD_FILES])
def test_bad_file__says_where_and_what(run: Runner, old: str, new: str, message: str) -> None:
    assert old in HEAPS
    run.write("bad.yaml", HEAPS.replace(old, new))
    answer = run("validate", "bad.yaml")
    assert answer.code == 1
    first = answer.out.splitlines()[0]
    assert re.match(r"bad\.yaml:\d+:\d+: ", first), first
    assert re.search(message, answer.out), answer.out
    assert re.search(r"^bad\.yaml: \d+ errors?$", answer.out.splitlines()[-1])
    # one error more or less: everything that needs the rules refuses the file in the same words
    for command in (
        ["test", "bad.yaml"],
        ["play", "bad.yaml", "--set", "sticks=many"],
        ["source", "bad.yaml", "--set", "sticks=many"],
    ):
        other = run(*command)
        assert (other.code, other.out) == (1, "")
        assert re.search(message, other.err), other.err


def test_validate__as_json(run: Runner) -> None:
    run.write("bad.yaml", HEAPS.replace("winner:", "winer:"))
    answer = run("validate", "heaps.yaml", "bad.yaml", "--json")
    data = json.loads(answer.out)
    assert answer.code == 1
    assert data["version"] == 1
    assert [(f["file"], f["ok"]) for f in data["files"]] == [("heaps.yaml", True), ("bad.yaml", False)]
    assert data["files"][0]["diagnostics"] == []
    assert {"file", "line", "column", "code", "message", "fix"} <= data["files"][1]["diagnostics"][0].keys()


def test_validate__warnings_do_not_fail(run: Runner) -> None:
    run.write("warned.yaml", HEAPS.replace("  most: 2\n", "  most: 2\n  unused: 3\n"))
    answer = run("validate", "warned.yaml")
    assert answer.code == 0
    assert "warning[name-unused]" in answer.out
    assert answer.out.endswith("warned.yaml: good (2 combinations of options, 2 to 3 players)\n")


# test ----------------------------------------------------------------------------------------------------


def test_test__examples_pass(run: Runner) -> None:
    answer = run("test", "heaps.yaml")
    assert answer == Answer(0, "✓ a heap of two\nheaps.yaml: 1 example, 1 passed, 0 failed\n", "")


def test_test__an_example_fails(run: Runner) -> None:
    run.write("wrong.yaml", HEAPS.replace("score[1]: 1", "score[1]: 5"))
    answer = run("test", "wrong.yaml", "heaps.yaml")
    lines = answer.out.splitlines()
    assert answer.code == 1
    assert lines[0] == "✗ a heap of two"
    assert re.match(r"    wrong\.yaml:68:\d+: .*5", lines[1]), lines[1]
    assert lines[2:] == [
        "    it stopped at a decision, and `expect` was looked at there: player 2 decides: take",
        "wrong.yaml: 1 example, 0 passed, 1 failed",
        "✓ a heap of two",
        "heaps.yaml: 1 example, 1 passed, 0 failed",
    ]


def test_test__what_a_house_rule_changes_is_no_failure(run: Runner) -> None:
    run.write("rich.yaml", "rulespec: 1\nextends: heaps.yaml\ngame: Rich\nchange: {tables: {worth: [3, 4]}}\n")
    answer = run("test", "rich.yaml")
    assert answer.code == 0
    assert answer.out.startswith("~ a heap of two (changed by this file)\n")
    assert answer.out.endswith("rich.yaml: 1 example, 0 passed, 0 failed, 1 changed\n")


MORE_EXAMPLES = """\
  a small heap:
    given: {"row[2]": stick}
    refused: {take 2 2: heap 2 has only 1}
  an empty heap:
    given: {"row[2]": nothing}
    refused: {take 2 2: heap 2 has only 0}
  one after the other:
    play: [take 1 1]
    refused: {take 1 3: "`3` cannot be chosen as number; possible: 1, 2"}
"""


def test_test__own_examples_first_and_the_others_by_what_became_of_them(run: Runner) -> None:
    run.write("more.yaml", HEAPS.replace("\nview:", f"{MORE_EXAMPLES}\nview:"))
    own = "examples: {mine: {refused: {take 1 3: '`3` cannot be chosen as number; possible: 1, 2'}}}\n"
    change = "change: {sets: {heap: 1..1}, tables: {worth: [3]}}\n"
    run.write("one.yaml", f"rulespec: 1\nextends: more.yaml\ngame: One\n{change}{own}")
    answer = run("test", "one.yaml")
    assert answer.code == 0
    assert answer.out.splitlines() == [
        "✓ mine",
        "~ a heap of two (changed by this file)",
        "    more.yaml:68:17: expected `score[1]` to be 1, found 3",
        "- `a small heap` and `an empty heap` (can no longer be written)",
        "    more.yaml:70:18 (also on line 73): there is no `row[2]`: heap is 1, found `2`",
        "✓ as before: 1 example of the game",
        "one.yaml: 5 examples, 2 passed, 0 failed, 1 changed, 2 can no longer be written",
    ]
    data = json.loads(run("test", "one.yaml", "--json").out)
    assert [example["outcome"] for example in data["files"][0]["examples"]] == [
        "changed", "unwritable", "unwritable", "passed", "passed",
    ]  # fmt: skip


def test_test__at_most_eight_names_stand_in_a_line(run: Runner) -> None:
    examples = "".join(
        f'  heap {n}:\n    given: {{"row[2]": stick}}\n    refused: {{take 2 2: heap 2 has only 1}}\n'
        for n in range(1, 20)
    )
    run.write("many.yaml", HEAPS.replace("\nview:", f"{examples}\nview:"))
    run.write(
        "one.yaml", "rulespec: 1\nextends: many.yaml\ngame: One\nchange: {sets: {heap: 1..1}, tables: {worth: [3]}}\n"
    )
    lines = run("test", "one.yaml").out.splitlines()
    (names,) = [line for line in lines if line.endswith("(can no longer be written)")]
    assert names == f"- {', '.join(f'`heap {n}`' for n in range(1, 8))} and 12 more (can no longer be written)"
    (where,) = [line for line in lines if "also on line" in line]
    assert where == (
        "    many.yaml:70:18 (also on lines 73, 76, 79, 82, 85, 88, 91, 94, …): there is no `row[2]`: heap is 1, found `2`"
    )
    assert lines[-1] == "one.yaml: 20 examples, 0 passed, 0 failed, 1 changed, 19 can no longer be written"


def test_test__what_comes_out_as_before_is_told_in_one_line(run: Runner) -> None:
    run.write("same.yaml", "rulespec: 1\nextends: heaps.yaml\ngame: Same\n")
    lines = run("test", "same.yaml").out.splitlines()
    assert lines == [
        "✓ as before: 1 example of the game",
        "same.yaml: 1 example, 1 passed, 0 failed",
    ]


def test_test__as_json(run: Runner) -> None:
    data = json.loads(run("test", "heaps.yaml", "--json").out)
    (example,) = data["files"][0]["examples"]
    assert (example["name"], example["outcome"], example["see"], example["problems"]) == (
        "a heap of two",
        "passed",
        "p. 1",
        [],
    )


# play ----------------------------------------------------------------------------------------------------

TRANSCRIPT = """\
Heaps · 2 players · sticks: few · seed 3
player 1: human, player 2: human
| stick

Type a move, an abbreviation or its number; type part of one to see how it continues.
?                list the moves         ? WORDS          matching moves
why MOVE         why it is refused      score            every point so far
board            show the boards        undo [--agreed]  take back
redo             undo the undoing       history [N]      what happened, from N
rules            what can be done now   save FILE        copy the record
position [FILE]  as text                hint             good moves, and why
help             this list              quit             stop here


player 1 · 0 points · to move    player 2 · 0 points
won: -                           won: -

turn: player 1
row
1: 2|   2: 2|

   1  take 1 1                  take 1 from heap 1
   2  take 1 2                  take 2 from heap 1
   3  take 2 1                  take 1 from heap 2
   4  take 2 2                  take 2 from heap 2
   1  player 1  take 1 2                  take 2 from heap 1
        +1  player 1: sticks of heap 1 (taken, heaps.yaml:43)

player 1 · 1 point    player 2 · 0 points · to move
won: 2|               won: -

turn: player 2
row
1: -   2: 2|

   1  take 2 1                  take 1 from heap 2
   2  take 2 2                  take 2 from heap 2
`take 1 2` is not possible:
  heap 1 has only 0 (enough sticks, heaps.yaml:35)
   2  player 2  take 2 2                  take 2 from heap 2
        +2  player 2: sticks of heap 2 (taken, heaps.yaml:43)

player 1 · 1 point    player 2 · 2 points
won: 2|               won: 2|

turn: player 1
row
1: -   2: -

Points by rule  player 1  player 2
taken                 +1        +2
total                  1         2
player 2 wins: most points
"""


def test_play__two_people_by_notation_and_by_number(run: Runner) -> None:
    answer = run("play", "heaps.yaml", "--seats", "human", "--seed", "3", stdin="take 1 2\nwhy take 1 2\n2\n")
    assert answer.err == ""
    assert answer.out == TRANSCRIPT
    assert answer.code == 0


def test_play__commands(run: Runner) -> None:
    lines = [
        "undo",
        "take 2 1",
        "undo",
        "? take 2",
        "? foo",
        "why",
        "why take 1 1",
        "why take",
        "score",
        "board",
        "quit",
    ]
    answer = run("play", "heaps.yaml", "--seats", "human", "--seed", "3", stdin="\n".join(lines))
    assert answer.code == 0
    for expected in (
        "there is nothing to take back\n",
        "1 decision taken back, of player 1\n",
        "   3  take 2 1                  take 1 from heap 2\n   4  take 2 2",
        "no possible move begins with `foo`\n",
        "write `why` and a move\n",
        "`take 1 1` is possible: take 1 from heap 1\n",
        "expected `take HEAP NUMBER`, for example `take 1 2`",
        "player 1: 0 points\n      nothing scored\n",
        "stopped after 0 decisions\n",
    ):
        assert expected in answer.out


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "take 1 9",
            "`take 1 9` is not possible:\n  `9` cannot be chosen as number; possible: 1, 2 (take, heaps.yaml:33)\n",
        ),
        ("tkae 1 1", "no move called `tkae`; possible now: `take`; did you mean `take`?\n"),
        ("take one 1", "`one` is not a heap: expected 1 or 2\n"),
        (
            "take 1",
            "expected `take HEAP NUMBER`, for example `take 1 2`, found 1 word after `take` (HEAP is 1 or 2; NUMBER is 1 or 2)\n",
        ),
        ("9", "no move was listed with the number 9; `?` lists the moves\n"),
        ("9" * 5000, f"no move was listed with the number {'9' * 5000}; `?` lists the moves\n"),
        ("", "the input ended before the game did: player 1 was to move\n"),
    ],
)
def test_play__a_bad_line_without_a_terminal(run: Runner, line: str, message: str) -> None:
    answer = run("play", "heaps.yaml", "--seats", "human", "--seed", "3", stdin=line and line + "\n")
    assert (answer.code, answer.err) == (1, message)


def test_play__bots_play_it_out_and_every_point_is_explained(run: Runner) -> None:
    answer = run("play", "base", "--seats", "random", "--seed", "5")
    assert answer.code == 0
    assert "1-20  chance    drawn: " in answer.out
    assert re.search(r"^ +[+-]\d+  player [12]: .* \(placed, .*base\.yaml:\d+\)", answer.out, re.MULTILINE)
    assert re.search(r"^(player [12] wins|player 1 and player 2 share the win): ", answer.out.splitlines()[-1])
    again = run("play", "base", "--seats", "random", "--seed", "5")
    assert again.out == answer.out


def test_play__as_json_the_ledger_adds_up(run: Runner) -> None:
    data = json.loads(
        run("play", "base", "--seats", "random", "--seed", "5", "--players", "3", "--set", "jokers=with", "--json").out
    )
    assert data["version"] == 1
    assert (data["game"], data["players"], data["seed"]) == ("base", 3, 5)
    assert data["options"] == {"wall_side": "coloured", "jokers": "with"}
    assert [d["number"] for d in data["decisions"]] == list(range(1, len(data["decisions"]) + 1))
    assert {d["player"] for d in data["decisions"]} == {"chance", 1, 2, 3}
    for player, score in data["scores"].items():
        assert sum(line["gained"] for line in data["ledger"] if line["player"] == int(player)) == score
    assert data["outcome"]["scores"] == data["scores"]
    assert [line for d in data["decisions"] for line in d["points"]] == data["ledger"]


def test_play__who_begins(run: Runner) -> None:
    data = json.loads(run("play", "heaps.yaml", "--seats", "random", "--seed", "5", "--first", "2", "--json").out)
    assert data["decisions"][0]["player"] == 2
    fixed = HEAPS.replace("play:\n", "play:\n  - set turn to 1\n")
    run.write("fixed.yaml", fixed)
    answer = run("play", "fixed.yaml", "--first", "2")
    assert answer.code == 2
    assert "Error: this game does not let its players choose who begins\n" in answer.err


def test_play__a_fault_of_the_rules_names_its_line(run: Runner) -> None:
    run.write("faulty.yaml", HEAPS.replace("won[player]: {pile: stick}", "won[player]: {pile: stick, room: 1}"))
    answer = run("play", "faulty.yaml", "--seats", "human", stdin="take 1 2\n")
    assert answer.code == 1
    assert re.match(r"faulty\.yaml:\d+:\d+: fault: ", answer.err), answer.err


# usage ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["play", "heaps.yaml", "--players", "7"], "error: this game is for 2 to 3 players, not 7\n"),
        (["play", "heaps.yaml", "--players", "0"], "error: this game is for 2 to 3 players, not 0\n"),
        (["play", "heaps.yaml", "--set", "stiks=many"], "error: no option called `stiks`; known options: `sticks`\n"),
        (
            ["play", "heaps.yaml", "--set", "sticks=most"],
            "error: the option `sticks` has no choice `most`; it has `few` and `many`\n",
        ),
        (["perft", "heaps.yaml", "--depth", "2", "--players", "9"], "error: this game is for 2 to 3 players, not 9\n"),
        (["play", "missing.yaml"], "error: there is no file `missing.yaml`\n"),
        (["validate", "heaps.yaml", "missing.yaml"], "error: there is no file `missing.yaml`\n"),
    ],
)
def test_usage__wrong(run: Runner, args: list[str], message: str) -> None:
    assert run(*args) == Answer(2, "", message)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["play", "heaps.yaml", "--set", "sticks"], "Error: expected `--set option=choice`, found `sticks`\n"),
        (
            ["play", "heaps.yaml", "--seats", "hunam"],
            "Error: no seat called `hunam`; seats are human, easy, fair, strong, far, greedy, quick, random and search\n",
        ),
        (["play", "heaps.yaml", "--players", "2", "--seats", "human,human,human"], "Error: 3 seats for 2 players\n"),
        (
            ["play", "heaps.yaml", "--first", "3"],
            "Error: there is no player `3`: expected player 1 (1) or player 2 (2)\n",
        ),
        (
            ["play", "heaps.yaml", "--players", "two"],
            "Error: Invalid value for '--players': 'two' is not a valid integer.\n",
        ),
        (
            ["perft", "heaps.yaml", "--depth", "-1"],
            "Error: Invalid value for '--depth': -1 is not in the range 0<=x<=30.\n",
        ),
        (["vaildate", "heaps.yaml"], "Error: No such command 'vaildate'"),
        (["validate"], "Error: Missing argument 'FILE...'.\n"),
    ],
)
def test_usage__wrong_words(run: Runner, args: list[str], message: str) -> None:
    answer = run(*args)
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err


def test_usage__an_unknown_game_lists_what_there_is(run: Runner) -> None:
    answer = run("play", "heeps")
    assert answer.code == 2
    assert answer.err.startswith("error: no game called `heeps`; shipped games: base, ")
    assert answer.err.endswith("; `rulespec games` lists the house rules too, or give the path of a .yaml file\n")


@pytest.mark.parametrize(
    ("typed", "meant"), [("bsae", "base"), ("kallah", "kalah"), ("house/cornres", "house/corners")]
)
def test_usage__an_unknown_game_is_a_misspelling(run: Runner, typed: str, meant: str) -> None:
    assert run("play", typed).err == f"error: no game called `{typed}`; did you mean `{meant}`?\n"


def test_play__its_help_names_the_bots(run: Runner) -> None:
    assert "human, or a bot (easy, fair, strong)" in " ".join(run("play", "--help").out.split())


def test_play__as_many_players_as_seats(run: Runner) -> None:
    answer = run("play", "base", "--seats", "Ann=random,Bo=random,Cy=random", "--seed", "1")
    assert answer.code == 0
    assert answer.out.startswith("Azul · 3 players")
    answer = run("play", "base", "--seats", ",".join(["random"] * 9))
    assert (answer.code, answer.err) == (2, "error: this game is for 2 to 4 players, not 9\n")
    answer = run("play", "base", "--seats", "random,random,random", "--set", "wall=grey")
    assert answer.code == 2
    assert "wall" in answer.err


def test_play__who_begins_need_not_decide_first(run: Runner) -> None:
    """In Duel the player who begins is the second to decide."""
    for first in ("1", "2"):
        assert run("play", "duel", "--first", first, "--seats", "random", "--seed", "3").code == 0


# perft, source, schema -----------------------------------------------------------------------------------


def test_perft__counts_sequences_until_all_games_are_over(run: Runner) -> None:
    answer = run("perft", "heaps.yaml", "--depth", "9")
    assert answer.out == "depth 0: 1\ndepth 1: 4\ndepth 2: 10\ndepth 3: 12\ndepth 4: 6\n"
    answer = run("perft", "heaps.yaml", "--depth", "2", "--divide")
    assert answer.out.splitlines()[2:] == [
        "depth 2: 10",
        "  take 1 1: 3",
        "  take 1 2: 2",
        "  take 2 1: 3",
        "  take 2 2: 2",
    ]


def test_perft__outcomes_of_chance_count(run: Runner) -> None:
    data = json.loads(run("perft", "base", "--depth", "3", "--json").out)
    assert data["counts"] == [1, 5, 25, 125]


def test_source__prints_a_program(run: Runner) -> None:
    answer = run("source", "heaps.yaml", "--players", "3", "--set", "sticks=many")
    assert answer.out.startswith("# Heaps, 3 players, sticks: many\n")
    compile(answer.out, "heaps", "exec")


def test_schema__is_the_schema(run: Runner) -> None:
    assert json.loads(run("schema").out) == json.loads(
        (ROOT / "rulespec" / "schema" / "schema.json").read_text(encoding="utf-8")
    )


# processes -----------------------------------------------------------------------------------------------


def environment(**more: str) -> dict[str, str]:
    """Return an environment as a user has it: streams are buffered, whatever the tests run under."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return {**kept, "PYTHONPATH": str(ROOT), "RULESPEC_RECORDS": tempfile.gettempdir() + "/rulespec-records", **more}


def test_light_commands__import_nothing_heavy() -> None:
    probe = (
        "import sys\nfrom referee.cli import main\ntry:\n    main({args!r})\nexcept SystemExit:\n    pass\n"
        "print([m for m in ('lark', 'jsonschema', 'rich', 'rulespec.rules', 'interpreter'{more}) if m in sys.modules])"
    )
    for args, more in ((["--help"], ", 'yaml'"), (["games"], "")):
        code = probe.format(args=args, more=more)
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True
        )
        assert done.stdout.splitlines()[-1] == "[]"


def test_module__is_the_command_line() -> None:
    done = subprocess.run([*RULESPEC, "--help"], env=environment(), capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Usage: rulespec [OPTIONS] COMMAND")


def test_broken_pipe__no_traceback() -> None:
    process = subprocess.Popen(
        [*RULESPEC, "source", "base"], env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(20) == 141


def test_interrupt__exit_130_and_no_traceback() -> None:
    args = [*RULESPEC, "play", "base", "--seats", "human"]
    process = subprocess.Popen(
        args, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    while b"moves possible" not in (line := process.stdout.readline()):
        assert line, f"it ended: {process.communicate(timeout=20)}"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (130, b"")


def test_missing_letters__are_replaced(tmp_path: Path) -> None:
    (tmp_path / "heaps.yaml").write_text(HEAPS, encoding="utf-8")
    env = environment(PYTHONIOENCODING="ascii")
    done = subprocess.run([*RULESPEC, "test", "heaps.yaml"], cwd=tmp_path, env=env, capture_output=True, check=True)
    assert done.stdout.startswith(b"? a heap of two\n")


class Keyboard:
    """A person at a terminal: types lines and reads the screen."""

    def __init__(self, args: list[str], cwd: Path, **env: str) -> None:
        self.ours, theirs = pty.openpty()
        streams = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
        self.process: subprocess.Popen[bytes] = subprocess.Popen(
            [*RULESPEC, *args], cwd=cwd, env=environment(TERM="xterm-256color", **env), **streams
        )  # type: ignore[call-overload]
        os.close(theirs)
        self.screen = ""

    def wait_for(self, text: str) -> str:
        """Return what came on the screen up to this text."""
        end = time.monotonic() + 20
        while text not in self.screen:
            if time.monotonic() > end or not self._read():
                raise AssertionError(f"{text!r} never came: {self.screen!r}")
        seen, _, self.screen = self.screen.partition(text)
        return seen

    def _read(self) -> bool:
        if not select.select([self.ours], [], [], 20)[0]:
            return False
        try:
            data = os.read(self.ours, 65536)
        except OSError:  # the other side is closed
            return False
        self.screen += data.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(data)

    def type(self, line: str) -> None:
        os.write(self.ours, line.encode() + b"\n")

    def end(self) -> int:
        while self._read():
            pass
        os.close(self.ours)
        return self.process.wait(20)


def test_terminal__a_person_against_a_bot(tmp_path: Path) -> None:
    (tmp_path / "heaps.yaml").write_text(HEAPS, encoding="utf-8")
    person = Keyboard(["play", "heaps.yaml", "--plain", "--seed", "3"], tmp_path, NO_COLOR="1")
    assert "player 1: human, player 2: fair" in person.wait_for("player 1> ")
    person.type("take 1 9")
    assert "`9` cannot be chosen as number" in person.wait_for("player 1> ")
    person.type("tkae")
    assert "no move called `tkae`" in person.wait_for("player 1> ")
    person.type("take 2 1")
    seen = person.wait_for("player 1> ")
    assert "player 2  take 2 1" in seen  # the bot takes the two points that are left there
    assert "\x1b[" not in seen
    person.type("undo")
    assert "2 decisions taken back" in person.wait_for("player 1> ")
    person.type("quit")
    assert person.end() == 0


def test_terminal__colours_come_on_top_of_letters(tmp_path: Path) -> None:
    person = Keyboard(
        ["play", "base", "--plain", "--seed", "3"], tmp_path, NO_COLOR="", COLUMNS="80", COLORTERM="truecolor"
    )
    seen = person.wait_for("player 1> ")
    assert re.search(r"\x1b\[1;37;48;2;40;120;181mB\x1b\[0m", seen), seen
    person.type("\x04")
    assert person.end() == 0


def test_version__program_and_language(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert (end.value.code, capsys.readouterr().out) == (0, f"rulespec {__version__}, rule language {LANGUAGE}\n")


@pytest.mark.parametrize("words", [["test", "mine.yaml"], ["diff", "base", "mine.yaml", "--games", "0"]])
def test_places__of_shipped_files_are_short(run: Runner, words: list[str]) -> None:
    text = "rulespec: 1\nextends: base\ngame: Mine\nchange:\n  tables: {cost: [1, 2, 3, 4, 5, 6, 7, 8]}\n"
    run.write("mine.yaml", text)
    said = run(*words)
    assert "games/base.yaml:" in said.out and str(GAMES_FOLDER) not in said.out + said.err
