"""Whole games at a real pseudo-terminal, through the words a person types; and a kill at any moment."""

from __future__ import annotations

import contextlib
import os
import random
import re
import signal
import subprocess
import time
from itertools import product
from pathlib import Path

import pexpect
import pytest

from interpreter import Game, Move, State, load
from referee.cli.seating import players_for
from referee.play.terminal import PlayMode
from referee.record.file import RecordFile
from referee.record.lines import RecordedDecision, Seat, Undo
from referee.record.match import Match
from referee.record.replay import replay, resume
from referee.shell.blocks import width
from referee.shell.board import Board
from referee.shell.loop import Loop
from referee.shell.narration import points_table, result_line, table_lines
from referee.shell.screen import Screen
from referee.shell.typed_move import completions, grouped, naming, nearest, read_typed, symbols_of, written_out
from rulespec.files.sources import shipped_games
from tests.records import load_record
from tests.sizes import size
from tests.test_cli import RULESPEC, Runner, environment, run  # noqa: F401

FOUR = ("base", "sintra", "pavilion", "duel")
CONTROL = re.compile(r"[^\n]*\r(?![\r\n])|\x1b\[[0-9;?]*[a-zA-Z]|[\x07\x08\r]")  # with what is written over


class Person:
    """Somebody at a terminal, who keeps an eye on the record to know what is legal."""

    prompt = "Anna> "

    def __init__(self, args: list[str], record: Path, game: Game, columns: int = 80) -> None:
        env = environment(NO_COLOR="1", TERM="xterm", RULESPEC_NATIVE="0", RULESPEC_RECORDS=str(record.parent))
        self.child = pexpect.spawn(
            RULESPEC[0],
            [*RULESPEC[1:], "play", "--plain", *args],
            env=env,
            cwd=str(record.parent),
            dimensions=(24, columns),
            encoding="utf-8",
            timeout=60,
        )
        self.child.delaybeforesend = None
        self.record, self.game, self.columns = record, game, columns
        self.seen = ""
        self.known = 0
        self.past: list[State] = []
        self.state = game.start()

    def wait(self, text: str | None = None) -> str:
        """Return what came on the screen up to the prompt."""
        self.child.expect_exact(text or self.prompt)
        shown = CONTROL.sub("", str(self.child.before))
        self.seen += shown + self.prompt
        return shown

    def says(self, line: str) -> str:
        self.child.sendline(line)
        return self.wait()

    def rest(self) -> str:
        self.child.expect(pexpect.EOF)
        self.seen += CONTROL.sub("", str(self.child.before))
        self.child.close()
        return self.seen

    def follow(self) -> State:
        """Return the position, by the lines of the record that are new."""
        entries = load_record(self.record).entries
        for entry in entries[self.known :]:
            if isinstance(entry, RecordedDecision):
                self.past.append(self.state)
                self.state = self.game.apply(self.state, entry.move)
            elif isinstance(entry, Undo):
                self.state = self.past[entry.kept]
                del self.past[entry.kept :]
        self.known = len(entries)
        return self.state

    def kill(self) -> None:
        self.child.kill(signal.SIGKILL)
        self.child.close(force=True)


def shortest(move: Move, moves: list[Move]) -> str:
    """Return the shortest form of a move that nothing else can be meant by."""
    words = str(move).split()
    for i, word in enumerate(words):
        for n in range(1, len(word) + 1):
            entry = read_typed(" ".join([*words[:i], word[:n], *words[i + 1 :]]), moves)
            if entry.moves == (move,):
                words[i] = word[:n]
                break
    return " ".join(words)


def widest(text: str) -> int:
    return max(len(line) for line in text.split("\n"))


@pytest.mark.soak
@pytest.mark.parametrize("name", FOUR)
def test_play__a_whole_game_with_a_kill_in_the_middle(name: str, tmp_path: Path) -> None:
    record = tmp_path / "a.jsonl"
    game, rng = load(name), random.Random(name)
    person = Person([name, "--seed", "4", "--seats", "Anna=human,Bob=random", "--record", str(record)], record, game)
    assert "recorded in a.jsonl" in person.wait()
    turn = 0
    while True:
        state = person.follow()
        moves = game.legal_moves(state)
        if turn == 1:  # a move that the rules refuse, and why
            bad = refused(game, state, moves)
            answer = person.says(bad)
            assert f"`{bad}` is not possible:" in answer
            assert "nearest: `" in answer
            assert f"`{bad}` is not possible:" in person.says(f"why {bad}")
            assert f"`{moves[0]}` is possible: " in person.says(f"why {moves[0]}")
            assert "the best moves, by the average of many random plays after each:" in person.says("hint")
            assert "saved as copy.jsonl" in person.says("save copy.jsonl")
            assert "there is already a file" in person.says("save copy.jsonl")
            assert replay(load_record(tmp_path / "copy.jsonl")).match.state == state
        if turn == 2:
            before = len(load_record(record).decisions())
            answer = person.says("undo")
            if "everybody must agree" in " ".join(answer.split()):
                answer = person.says("undo --agreed")
            assert "taken back" in answer
            assert len(load_record(record).decisions()) < before
            moves = game.legal_moves(person.follow())
        if turn == 4:
            person.kill()
            entries = load_record(record).entries
            seen = person.seen
            person = Person(["--resume", str(record)], record, game)
            person.wait()
            assert load_record(record).entries == entries
            assert widest(seen) <= 80
            moves = game.legal_moves(person.follow())
        move = rng.choice(moves)
        typed = (str(move), shortest(move, moves), str(moves.index(move) + 1))[turn % 3]
        person.child.sendline(typed)
        turn += 1
        which = person.child.expect_exact([person.prompt, pexpect.EOF])
        person.seen += CONTROL.sub("", str(person.child.before)) + person.prompt
        if which == 1:
            break
    person.child.close()
    assert person.child.exitstatus == 0
    assert turn > 15
    match = replay(load_record(record)).match
    assert match.over
    told = "".join(person.seen.split())
    for line in [*table_lines(points_table(match))[1:], result_line(match)]:  # however it is broken
        assert "".join(line.split()) in told
    assert widest(person.seen) <= 80


def refused(game: Game, state: State, moves: list[Move]) -> str:
    """Return a move in the words of the rules that is not legal here."""
    legal = set(map(str, moves))
    for move in moves:
        words = str(move).split()
        for i, choice in enumerate(game.model.moves[move.name].choices, 1):
            for value in game.notation.values(choice.type):
                text = " ".join([*words[:i], value, *words[i + 1 :]])
                if text not in legal:
                    with contextlib.suppress(ValueError):
                        return str(game.parse_move(state, text))
    raise AssertionError("everything is legal")


# A kill at any moment ------------------------------------------------------------------------------------

TOLD = re.compile(r" *([0-9]+)(?:-[0-9]+)?  (player [12]|chance) +(.*)")


@pytest.mark.sized
def test_play__killed_at_any_moment_loses_nothing_that_was_told(tmp_path: Path) -> None:
    rng = random.Random(7)
    whole: dict[tuple[str, int], list[str]] = {}
    kills = size(2, 30)
    for number in range(kills):
        name, seed = FOUR[number % 4], number % 7
        record = tmp_path / f"{number}.jsonl"
        if (name, seed) not in whole:
            whole[name, seed] = decisions_of(name, seed)
        acknowledged = kill_at(name, seed, record, rng)
        if not record.exists():
            assert not acknowledged  # killed before the game was begun
            continue
        kept = [d.move for d in load_record(record).decisions()]
        for at, move in acknowledged.items():
            assert kept[at - 1] == move
        match = resume(record)
        while not match.over:
            match.play_bot()
        match.close()
        assert [str(d.move) for d in match.decided] == whole[name, seed]
        assert replay(load_record(record)).damage is None


def decisions_of(name: str, seed: int) -> list[str]:
    match = Match.begin(load(name), ("random", "random"), seed)
    while not match.over:
        match.play_bot()
    return [str(d.move) for d in match.decided]


def kill_at(name: str, seed: int, record: Path, rng: random.Random) -> dict[int, str]:
    """Let bots play and kills the program; what it had told by then: decisions by their number."""
    args = [*RULESPEC, "play", name, "--seed", str(seed), "--seats", "random", "--record", str(record)]
    env = environment(RULESPEC_NATIVE="0")
    process = subprocess.Popen(args, stdout=subprocess.PIPE, env=env, cwd=record.parent)
    assert process.stdout is not None
    lines = []
    if rng.random() < 0.15:
        time.sleep(rng.uniform(0, 1))  # anywhere, perhaps before the game has begun
    else:
        for _ in range(rng.randrange(1, 70)):
            lines.append(process.stdout.readline())
        time.sleep(rng.uniform(0, 0.01))
    process.send_signal(signal.SIGKILL)
    lines += process.stdout.readlines()
    process.wait()
    process.stdout.close()
    told = (TOLD.match(line.decode()) for line in lines if line.endswith(b"\n"))
    return {int(m[1]): first_move(m[2], m[3]) for m in told if m is not None}


def first_move(who: str, text: str) -> str:
    if who != "chance":
        return text.split("  ")[0]
    told, _, outcomes = text.partition(": ")
    return f"{told.replace('drawn', 'draw').replace('rolled', 'roll')} {outcomes.split(', ')[0].split(' ×')[0].replace(' ', '_')}"


def test_play__a_polite_end_leaves_the_screen_in_order(tmp_path: Path) -> None:
    record = tmp_path / "a.jsonl"
    args = ["classics/nim", "--seed", "4", "--seats", "Anna=human,Bob=random", "--record", str(record)]
    for ending in (signal.SIGTERM, signal.SIGHUP):
        person = Person(args, record, load("classics/nim"))
        person.wait()
        person.child.kill(ending)
        assert "resume with: rulespec play --resume a.jsonl" in person.rest()
        assert person.child.exitstatus == 130
        args = ["--resume", str(record)]
    person = Person(args, record, load("classics/nim"))
    person.wait()
    person.child.sendeof()
    assert "stopped after" in person.rest()
    assert person.child.exitstatus == 0


def test_play__completes_words(tmp_path: Path) -> None:
    record = tmp_path / "a.jsonl"
    person = Person(["base", "--seed", "35", "--seats", "Anna=human,Bob=random"], record, load("base"))
    person.wait()
    assert "that can be `take 2 blue 1`, `take 2 black 1`" in person.says("take 2 bl 1")
    assert "take 2 …  blue, red, black, white" in person.says("ta 2")
    person.child.send("\x15ta\t4 r\tfl\t")  # what stands there already is taken away
    person.child.expect_exact("take 4 red floor")
    person.child.send("\n")
    assert "take all red from display 4 to the floor line" in " ".join(person.wait().split())
    person.child.sendline("quit")
    assert "resume with: rulespec play --resume" in person.rest()
    assert len(list(tmp_path.glob("*-azul.jsonl"))) == 1  # recorded though nobody asked for it


def test_play__secrets_of_two_people_at_one_screen(tmp_path: Path) -> None:
    record = tmp_path / "a.jsonl"
    seats = "Anna=human,Bob=human"
    person = Person(["briscola", "--seats", seats, "--no-record"], record, load("briscola"))
    assert "seed" not in person.wait("Anna, press Enter. ")  # who knows it could look into all hands
    shown = person.says("")
    hand = set(re.findall(r"play (\S+)", shown))
    assert len(hand) == 3
    person.child.sendline("1")
    person.wait("Bob, press Enter. ")
    assert "\x1b[2J" in str(person.child.before)
    person.prompt = "Bob> "
    shown = person.says("")
    assert "Anna: play " in shown
    played = re.search(r"Anna: play (\S+)", shown)
    assert played is not None
    for card in hand - {played[1]}:
        assert card not in shown
    person.child.sendline("quit")
    person.rest()
    assert not list(tmp_path.iterdir())


def test_play__letters_numbers_and_interrupts(tmp_path: Path) -> None:
    """A number plays only what was listed with it, and Ctrl-C clears a line before it ends the game."""
    record = tmp_path / "a.jsonl"
    person = Person(["base", "--seed", "35", "--seats", "Anna=human,Bob=random"], record, load("base"))
    person.wait()
    assert "take 2 …  " in person.says("2")  # display 2, not the second of many moves
    person.child.send("x")
    person.child.expect_exact("x")
    person.child.sendintr()
    person.wait()
    assert "stopped" not in person.seen
    assert "take 2 black 1" in person.says("2 k 1")
    assert "no move was listed with the number 99" in person.says("99")
    listed = person.says("? take 1 w")
    number, *move = listed.splitlines()[1].split()[:5]
    assert f"Anna      {' '.join(move)}" in person.says(number)
    person.child.sendintr()
    assert "stopped after" in person.rest()
    assert person.child.exitstatus == 130


# Entries -------------------------------------------------------------------------------------------------


def named(*moves: str) -> list[Move]:
    return [Move(m.split()[0], (i,), m) for i, m in enumerate(moves)]


MOVES = named(
    "take 1 blue 1", "take 1 blue 10", "take 1 black 1", "take 2 red 1", "pass red,red,rose", "pass rose", "end"
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("take 1 blue 1", ["take 1 blue 1"]),
        ("TAKE 1 Blue 1", ["take 1 blue 1"]),
        ("t 1 blu 1", ["take 1 blue 1"]),
        ("t 1 b 1", ["take 1 blue 1", "take 1 black 1"]),
        ("t 2", ["take 2 red 1"]),
        ("pass r,r,ro", ["pass red,red,rose"]),
        ("pass r", ["pass rose"]),
        ("e", ["end"]),
        ("end now", []),
        ("take 3", []),
        ("", [str(m) for m in MOVES]),
    ],
)
def test_entry__means(text: str, found: list[str]) -> None:
    assert [str(m) for m in read_typed(text, MOVES).moves] == found


SYMBOLS = {"B": "blue", "K": "black", "R": "red", "O": "rose"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("t 1 K 1", ["take 1 black 1"]),
        ("t 1 b 1", ["take 1 blue 1"]),  # the symbol, not the abbreviation
        ("pass r,r,o", ["pass red,red,rose"]),
        ("pass o", ["pass rose"]),
        ("1 b 1", ["take 1 blue 1"]),  # no other kind of move has these words
    ],
)
def test_entry__symbols_are_names(text: str, found: list[str]) -> None:
    assert [str(m) for m in read_typed(text, MOVES, SYMBOLS).moves] == found


def test_entry__exact_symbols_come_first() -> None:
    moves = named("move king", "move knight")
    assert [str(m) for m in read_typed("m K", moves, {"K": "king", "k": "knight"}).moves] == ["move king"]
    assert [str(m) for m in read_typed("m k", moves, {"K": "king", "k": "knight"}).moves] == ["move knight"]


def test_entry__the_only_name_may_be_left_out() -> None:
    takes = [m for m in MOVES if m.name == "take"]
    assert [str(m) for m in read_typed("1 k 1", takes, SYMBOLS).moves] == ["take 1 black 1"]
    assert read_typed("1 b", takes, SYMBOLS).following == ("1", "10")
    assert completions("1 b", takes, ["board"], SYMBOLS) == ["blue", "black"]
    assert completions("b", takes, ["board"], SYMBOLS) == ["board"]
    game = load("base")
    moves = game.legal_moves(game.start(seed=8))
    assert written_out(game, "1 k 4", moves, symbols_of(game)) == "take 1 black 4"
    assert symbols_of(game)["K"] == "black"


def test_entry__a_name_may_be_left_out_where_the_rest_fits_one_kind_of_move() -> None:
    moves = named("sow 1 rose 2", "sow 2 fern 1", "cut rose 2", "dig", "lay north.bed 0", "lay north.b 0")
    assert [str(m) for m in read_typed("1 r 2", moves).moves] == ["sow 1 rose 2"]
    assert [str(m) for m in read_typed("r 2", moves).moves] == ["cut rose 2"]
    assert [str(m) for m in read_typed("n.be 0", moves).moves] == ["lay north.bed 0"]
    assert [str(m) for m in read_typed("n.b", moves).moves] == ["lay north.b 0"]  # whole, and no abbreviation
    assert read_typed("x", moves).moves == ()
    assert len(read_typed("", moves).moves) == 6
    two = named("sow 1", "cut 1")
    assert read_typed("1", two).moves == ()  # either could be meant


def test_entry__a_number_is_no_abbreviation_of_another() -> None:
    """Listed moves are chosen by their numbers: 1 is none of these, while a half that is typed with its dot begins one."""
    moves = named("lay 1.5 left", "lay 12 left", "lay 2nd left")
    assert read_typed("1", moves).moves == () == read_typed("lay 1", moves).moves
    assert [str(m) for m in read_typed("1.", moves).moves] == ["lay 1.5 left"]
    assert [str(m) for m in read_typed("12", moves).moves] == ["lay 12 left"]
    assert [str(m) for m in read_typed("2", moves).moves] == ["lay 2nd left"]
    assert completions("lay 1", moves, []) == ["1.5", "12"]


USUAL = {"base": ("take", 6), "sintra": ("extend", 7), "duel": ("take_sun", 8), "pavilion": ("place", 9)}


@pytest.mark.parametrize("name", FOUR)
def test_entry__usual_moves_need_few_keys(name: str) -> None:
    """A usual move without its name, each word by its letter, with Enter."""
    usual, most = USUAL[name]
    game = load(name, 2)
    symbols = symbols_of(game)
    letters = {word: symbol.lower() for symbol, word in symbols.items()}
    rng = random.Random(3)
    state, found = game.start(3), 0
    while state.to_move is not None and found < 20:
        moves = game.legal_moves(state)
        for move in rng.sample([m for m in moves if m.name == usual], min(2, sum(m.name == usual for m in moves))):
            typed = " ".join(by_letters(word, letters) for word in str(move).split()[1:])
            assert read_typed(typed, moves, symbols).moves == (move,), (typed, str(move))
            assert len(typed) + 1 <= most, typed
            found += 1
        state = game.apply(state, rng.choice(moves))
    assert found >= 20


def by_letters(word: str, letters: dict[str, str]) -> str:
    first, dot, rest = word.partition(".")
    return letters.get(word, f"{first[:1]}{dot}{rest}")


def test_entry__how_it_goes_on() -> None:
    assert read_typed("t 1", MOVES).following == ("blue", "black")
    assert read_typed("t 1", MOVES).shared == ("take", "1")
    assert read_typed("t 1 b", MOVES).following == ()  # they differ in what was typed
    assert completions("ta", MOVES, ["take_back", "undo"]) == ["take", "take_back"]
    assert completions("take 1 bl", MOVES, []) == ["blue", "black"]
    assert completions("why take ", MOVES, ["undo"]) == ["1", "2"]
    assert completions("", MOVES, ["undo"]) == ["take", "pass", "end", "undo"]
    assert completions("foo ", MOVES, ["undo"]) == []
    assert naming("r", "red,red") is None


def test_entry__nearest_and_groups() -> None:
    assert str(nearest("tkae 1 blu 1", MOVES)[0]) == "take 1 blue 1"
    assert nearest("xyzzy", MOVES) == []
    assert grouped(read_typed("take 1", MOVES).moves) == [
        (("take",), ("1",), ("blue",), ("1", "10")),
        (("take",), ("1",), ("black",), ("1",)),
    ]
    assert grouped(named("a 1 x", "a 1 y", "a 2 x", "a 2 y", "a 3 x", "b")) == [
        (("a",), ("1", "2"), ("x", "y")),
        (("a",), ("3",), ("x",)),
        (("b",),),
    ]
    game = load("base")
    assert written_out(game, "ta cen yel flo") == "take centre yellow floor"
    assert written_out(game, "ta 1 bl 1") == "take 1 bl 1"  # blue or black
    assert written_out(game, "foo 1") == "foo 1"


@pytest.mark.parametrize("name", ["base", "pavilion", "duel"])
def test_entry__every_move_has_a_short_form_that_means_it(name: str) -> None:
    game = load(name)
    state, rng = game.start(seed=3), random.Random(3)
    for _ in range(8):
        if state.to_move is None:
            break
        moves = game.legal_moves(state)
        move = rng.choice(moves)
        assert read_typed(str(move), moves).moves == (move,)
        assert sorted(" ".join(words) for group in grouped(moves) for words in product(*group)) == sorted(
            map(str, moves)
        )
        short = shortest(move, moves)
        assert len(short) <= len(str(move))
        assert read_typed(short, moves).moves == (move,)
        state = game.apply(state, move)


# The screen ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*FOUR, "classics/briscola"])
def test_screen__is_never_wider_than_the_terminal(name: str) -> None:
    check_widths(name, step=40)


@pytest.mark.soak
@pytest.mark.parametrize("name", shipped_games())
def test_screen__is_never_wider_than_the_terminal_in_any_game_and_house_rule(name: str) -> None:
    check_widths(name, step=3)


def check_widths(name: str, step: int) -> None:
    game = load(name)
    boards = [Board(game, columns, ["Anna", "Bob", "Cleo", "Dora"][: game.players]) for columns in (40, 60, 80, 120)]
    state, rng = game.start(seed=3), random.Random(3)
    for number in range(10_000):
        if number % step == 0:
            for board in boards:
                for line in board.lines(state, state.to_move):
                    assert width(line) <= board.columns
        if state.to_move is None:
            break
        state = game.apply(state, rng.choice(game.legal_moves(state)))
    for board in boards:
        assert all(width(line) <= board.columns for line in board.legend())


def test_screen__breaks_long_lines(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    screen = Screen()
    screen.terminal = True
    screen.write("      " + "word " * 30)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 2
    assert all(len(line) <= 50 for line in lines)
    assert [line.index("w") for line in lines[:3]] == [6, 10, 10]


# Seats and files -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["base", "--seats", "Anna=human,anna=greedy"], "two players are called `Anna`"),
        (["base", "--seats", "=human"], "`` cannot be a player's name"),
        (["base", "--seats", f"{'A' * 21}=human"], "cannot be a player's name"),
        (["base", "--seats", "Anna=hunam"], "no seat called `hunam`"),
        ([], "expected a GAME, or `--resume FILE`"),
        (["base", "--resume", "a.jsonl"], "leave out GAME"),
        (["--resume", "a.jsonl", "--seed", "3", "--first", "1"], "leave out --seed and --first"),
        (["base", "--record", "a.jsonl", "--no-record"], "`--record` and `--no-record` cannot be combined"),
    ],
)
def test_play__wrong_usage(args: list[str], message: str, run: Runner) -> None:  # noqa: F811
    answer = run("play", *args)
    assert answer.code == 2
    assert message in answer.err


def test_play__records_and_goes_on(run: Runner) -> None:  # noqa: F811
    args = ("play", "heaps.yaml", "--seats", "Anna=human,Bob=human", "--seed", "3", "--record", "a.jsonl")
    assert run(*args, stdin="take 1 2\n").code == 1  # the input ended
    assert run(*args).err == (
        "error: there is already a file `a.jsonl`; resume it with `--resume`, or choose another name\n"
    )
    answer = run("play", "--resume", "a.jsonl", "--seats", "Anna=human,Cleo=random")
    assert answer.code == 0, answer.err
    assert "Anna: human, Cleo: random" in answer.out
    assert load_record(run.folder / "a.jsonl").seats == (Seat("Anna", "human"), Seat("Cleo", "random"))
    assert run("verify", "a.jsonl").code == 0
    over = run("play", "--resume", "a.jsonl")
    assert over.code == 0
    assert over.out.endswith("the record is a.jsonl; `rulespec verify` checks it\n")
    real = Match.begin(load("base"), ("human", "human"), None, name="base")
    real.record_to(run.folder / "real.jsonl")
    real.close()
    answer = run("play", "--resume", "real.jsonl")
    assert (answer.code, answer.out) == (1, "")
    assert "the program did not play chance: resume it with `rulespec table --resume real.jsonl`" in answer.err
    odd = Match.begin(load("classics/nim"), (Seat("Anna", "human"), Seat("Bob", "oracle")), 3)
    odd.record_to(run.folder / "odd.jsonl")
    odd.close()
    answer = run("play", "--resume", "odd.jsonl")
    assert (answer.code, answer.out) == (2, "")
    assert "no seat called `oracle`" in answer.err
    assert run("play", "--resume", "odd.jsonl", "--seats", "random").code == 0
    assert run("play", "--resume", "none.jsonl").err.startswith("error: the record `none.jsonl` cannot be opened")


def test_play__a_record_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is played that is not recorded; the people choose how to go on."""
    match = Match.begin(load("classics/nim"), (Seat("Anna", "human"), Seat("Bob", "random")), 3)
    match.record_to(tmp_path / "a.jsonl")
    loop = Loop(match, Screen(), strict=False)
    first = str(match.game.legal_moves(match.state)[0])
    answers = iter([first, f"save {tmp_path}/b.jsonl", first, "quit"])
    monkeypatch.setattr(loop.keyboard, "terminal", True)
    monkeypatch.setattr(loop.keyboard, "read", lambda prompt, begin="", completing=True: next(answers))
    assert isinstance(match.file, RecordFile)
    os.close(match.file._handle)  # the disk is gone
    real, handle = os.close, match.file._handle
    monkeypatch.setattr(os, "close", lambda n: None if n == handle else real(n))
    assert loop.run(PlayMode(loop)) == 0
    told = capsys.readouterr().out
    assert "cannot be written: bad file descriptor" in told
    assert "Nothing was played." in told
    assert [d.move for d in load_record(tmp_path / "a.jsonl").decisions()] == []
    kept = [d.move for d in load_record(tmp_path / "b.jsonl").decisions()]
    assert kept[0] == first
    assert len(kept) == 2


def test_play__as_many_players_as_there_are_seats() -> None:
    """`--seats Anna=human,Ben=human,Cleo=human` is a game of three; None is the fewest."""
    assert [players_for("base", (), {}, seats) for seats in (1, 2, 3, 4)] == [None, None, 3, 4]
