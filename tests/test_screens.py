"""Whole evenings in an emulated terminal: at every decision what is chosen from, one's own board and the prompt are on the screen."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from interpreter import Game, State, load
from referee.play.steady import SteadyPage
from referee.record.match import Match
from referee.shell.blocks import Styled, StyledBlock, clipped, folded, plain
from referee.shell.board import Board
from referee.shell.loop import summary
from referee.shell.page import Content, composed, touched
from tests.emulator import Emulated
from tests.shipped import game_of
from tests.sizes import size
from tests.small import small_game

SCREENS = Path(__file__).parent / "screens"
EVENINGS = [("base", 2), ("base", 4), ("sintra", 2), ("sintra", 4), ("pavilion", 2), ("pavilion", 4), ("duel", 2)]
SIZES = [(80, 24), (120, 40)]
EVERY = 12  # decisions, of which one screen is kept
OVER = "the game is over"


def evenings() -> list[tuple[str, int, int, int]]:
    """Return games, players and sizes."""
    return [(name, players, *size) for name, players in EVENINGS for size in SIZES]


def check_screen(person: Emulated, game: Game, state: State, names: list[str]) -> None:
    """Check that the screen has everything that the next decision needs."""
    rows = person.rows
    assert rows[person.lines - 2].startswith("Anna>"), person.text
    assert person.cursor == (person.lines - 2, len("Anna> ")), person.text
    board = Board(game, person.columns, names)
    matter = touched(game, state, game.legal_moves(state))
    for line in board.offered(state, 1, matter):
        assert plain(line) in rows, (plain(line), person.text)
    forms = [board.own(state, 1, 1, wide, matter) for wide in (person.columns, (person.columns - 3) // 2)]
    assert any(all(any(row.startswith(plain(line)) for row in rows) for line in own) for own in forms), person.text
    for name, score in zip(names, game.scores(state).values(), strict=True):
        assert any(f"{name} · {score} point" in row or f"{name} {score}" in row for row in rows), person.text


# what is drafted from, what is written before it, and the moves that take from there
OFFERS = {
    "base": ("offer", "Displays and centre: ", "take"),
    "sintra": ("offer", "Displays and centre: ", "extend"),
    "pavilion": ("offer", "Displays and centre: ", "take"),
    "duel": ("sun", "Suns: ", "take_sun"),
}


def read_offer(rows: list[str], title: str) -> dict[str, Counter[str]]:
    """Return the pieces that a screen shows after a title, as `1: 2B R`, by the names of their places: for readers who know no code."""
    at = next((i for i, row in enumerate(rows) if row.startswith(title)), None)
    if at is None:
        return {}
    text = rows[at].removeprefix(title)
    for row in rows[at + 1 :]:
        if not re.match(r"\w+: \d*[A-Z?](?: |$)|\w+: 1$", row):
            break
        text += f"   {row}"
    found = {}
    for entry in text.split("   "):
        name, _, pieces = entry.partition(": ")
        if pieces:
            found[name] = Counter[str]()
            for many, letter in re.findall(r"(\d*)([A-Z?*]|1$)", pieces.replace(".", "").strip()):
                found[name][letter] += int(many or 1)
    return found


def check_offer(person: Emulated, game: Game, state: State) -> None:
    """Check that all that lies where players draft from can be read on the screen."""
    name, title, move = OFFERS[game.rules.path.stem]
    if all(legal.name != move for legal in game.legal_moves(state)):
        return
    symbols, expected = game.model.view.symbols, {}
    for (index,) in product(*game.model.places[name].index_values):
        pieces = {symbols[kind]: many for kind, many in game.place(state, name, index) if kind in symbols}
        if pieces:
            expected[game.model.value_name(index)] = Counter(pieces)
    shown = {place: pieces for place, pieces in read_offer(person.rows, title).items() if pieces}
    assert shown == expected, person.text


def test_offer__is_read_from_rows() -> None:
    rows = ["Suns: 1: Y K . .   2: 2R T", "centre: 3B R 1", "Anna · 0 points"]
    assert read_offer(rows, "Suns: ") == {
        "1": {"Y": 1, "K": 1},
        "2": {"R": 2, "T": 1},
        "centre": {"B": 3, "R": 1, "1": 1},
    }


@pytest.mark.soak
@pytest.mark.parametrize(("name", "players", "columns", "lines"), evenings())
def test_evening__everything_needed_is_on_the_screen(
    name: str, players: int, columns: int, lines: int, tmp_path: Path, update: bool
) -> None:
    names = ["Anna", "Ben", "Cleo", "Dora"][:players]
    seats = ",".join(f"{who}={'random' if i else 'human'}" for i, who in enumerate(names))
    args = ["play", name, "--players", str(players), "--seats", seats, "--seed", "11", "--no-record"]
    game = load(name, players)
    match = Match.begin(game, ["human", *["random"] * (players - 1)], 11)
    person = Emulated(args, tmp_path, columns, lines)
    person.wait("Anna> ")
    rng = random.Random(5)
    kept, made = [person.text], 0
    while True:
        while not match.over and not match.human:
            match.play_bot()
        if match.over:
            break
        check_screen(person, game, match.state, names)
        check_offer(person, game, match.state)
        move = rng.choice(game.legal_moves(match.state))
        match.play(move)
        found = person.says(str(move), "Anna> ", OVER)
        made += 1
        if made % EVERY == 0:
            kept.append(person.text)
    assert found == OVER and made > 15
    kept.append(person.text)
    assert "wins: " in person.text or "share the win: " in person.text
    person.says("score", "Enter: ", OVER)
    person.child.sendline("q")
    person.wait(OVER)
    person.child.sendline("")
    assert person.end() == 0
    path = SCREENS / f"{name}-{players}-{columns}x{lines}.txt"
    text = ("=" * columns + "\n").join(kept)
    if update or not path.exists():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def boards_of(name: str) -> str:
    """Return all that a page of 80 columns can show of a game at its first decision of a player."""
    game = game_of(name)
    state = game.start(7)
    board, matter = Board(game, 80, ["Anna", "Ben"]), touched(game, state, game.legal_moves(state))
    blocks = (board.offered(state, 1, matter), board.aside(state, 1, matter), board.own(state, 1, 1, 80, matter))
    return "\n".join(plain(line) for block in blocks for line in block)


def test_board__a_plate_shows_what_is_printed_on_it() -> None:
    shown = boards_of("duel")
    displayed = next(line for line in shown.splitlines() if "Plates on display: " in line)
    assert len(re.findall(r"[om]\d\[[bkorty?]{2}/[bkorty?]{2}\]", displayed)) == 3, displayed
    assert "? mosaic" in " ".join(plain(line) for line in Board(game_of("duel"), 120).legend())


def test_board__where_strips_lie_takes_no_lines_beside_their_colours() -> None:
    shown = boards_of("sintra").splitlines()
    assert len([line for line in shown if re.fullmatch(r"[1-5]( [a-z]){8}.*", line)]) == 5, shown
    assert not any("side up" in line or "strip lies" in line.lower() or re.search(r"\bs\d", line) for line in shown), (
        shown
    )


@pytest.mark.parametrize("name", ["base", "sintra", "pavilion", "duel"])
def test_board__has_no_bookkeeping(name: str) -> None:
    assert not re.search(r"\b(turn|first|holder|idle|turned|side up|digging|dug)\b ?:", boards_of(name)), boards_of(
        name
    )


def test_page__boards_of_others_come_before_more_of_the_log() -> None:
    game = game_of("sintra")
    state = game.start(7)
    board, matter = Board(game, 80, ["Anna", "Ben"]), touched(game, state, game.legal_moves(state))
    own = board.own(state, 1, 1, 38, matter)
    log = ["one", "two", "three"]
    content = Content(state, 1, 1, matter, (Styled("title"),), log)
    for lines_of_log in (1, 2, 3):
        rows = 1 + len(board.offered(state, 1, matter)) + len(own) + lines_of_log
        page = [plain(line) for line in composed(board, content, rows).lines]
        assert any(row.startswith("Anna ·") and "Ben ·" in row for row in page), page
        assert page[-lines_of_log:] == log[-lines_of_log:]
    tiny = composed(board, content, 12).lines
    assert any(re.fullmatch(r"(► )?Anna 0 +Ben 0", plain(line)) for line in tiny), tiny


# one screen ----------------------------------------------------------------------------------------------


@pytest.fixture
def anna(tmp_path: Path) -> Emulated:
    person = Emulated(["play", "base", "--seats", "Anna=human,Ben=random", "--seed", "11"], tmp_path, 80, 24)
    person.wait("Anna> ")
    return person


def test_page__commands_answer_above_the_prompt_and_the_board_stays(anna: Emulated) -> None:
    for line, answer in (
        ("why 1 y 2", "`take 1 yellow 2` is possible: take all yellow from display 1 to line 2 (2 yellow)"),
        ("undo", "there is nothing to take back"),
        ("redo", "there is nothing to redo: something was decided since, or nothing was taken"),
        ("history 99", "there is no decision 99: 20 decisions so far"),
        ("? 1 y 1", "yellow: 1 to line 1, 1 to Floor line)"),
        ("1 y 1 ?", "yellow: 1 to line 1, 1 to Floor line)"),
        ("1 y", "take 1 yellow … 1 (2 yellow: 1 to line 1, 1 to Floor line), 2 (2 yellow), 3 (2 yellow),"),
    ):
        anna.says(line, "Anna> ")
        assert answer in " ".join(anna.text.split()), anna.text
        assert "Displays and centre: 1: 2Y R W" in anna.text and "Floor line: . . ." in anna.text, anna.text


def test_page__a_hint_has_reasons_and_numbers(anna: Emulated) -> None:
    anna.says("hint", "Anna> ", "Enter: ")
    rows = anna.rows
    at = next(i for i, row in enumerate(rows) if row.startswith("the best moves, by the average of"))
    listed = [re.match(r" +(\d+)  take ", row) for row in rows[at + 1 :]]
    numbers = [found[1] for found in listed if found]
    assert len(numbers) == 3, anna.text
    assert re.search(r"[0-9.]+ points (ahead|behind); in this round (\w| )+ [+-][0-9.]+", anna.text), anna.text
    anna.says(numbers[0], "Anna> ")
    assert "Ben       take" in anna.text and "the best moves" not in anna.text


def test_page__somebody_who_waits_for_a_hint_sees_that_it_is_worked_on(anna: Emulated) -> None:
    anna.child.sendline("hint")
    anna.wait_for_text("thinking …")
    assert anna.wait("Anna> ", "Enter: ") == "Anna> "
    assert "thinking …" not in anna.text


def test_page__somebody_who_waits_for_a_bot_sees_that_it_is_thinking_and_their_own_move(tmp_path: Path) -> None:
    args = ["play", "base", "--seats", "Anna=human,Ben=strong", "--seed", "11", "--no-record"]
    person = Emulated(args, tmp_path, 80, 24)
    person.wait("Anna> ")
    assert "thinking" not in person.text
    person.child.sendline("1 y 2")
    person.wait("Ben is thinking …")  # where the prompt is otherwise
    assert person.rows[person.lines - 2] == "Ben is thinking …" and "Anna>" not in person.text, person.text
    assert any(row.startswith("  21  Anna      take all yellow from display 1 to line 2") for row in person.rows)
    assert any(row.startswith("2       Y Y") for row in person.rows) and "Ben · 0 points · to move" in person.text
    person.wait("Anna> ")
    assert "thinking" not in person.text and "  22  Ben       take " in person.text, person.text


@pytest.mark.parametrize("name", ["base", pytest.param("pavilion", marks=pytest.mark.soak)])
def test_page__a_hint_leaves_room_for_the_whole_board(name: str, tmp_path: Path) -> None:
    """Each reason is one line, and the moves are not listed a second time."""
    args = ["play", name, "--seats", "Anna=human,Ben=random", "--seed", "11", "--no-record"]
    person = Emulated(args, tmp_path, 80, 24)
    person.wait("Anna> ")
    board = Board(game_of(name), 80, ["Anna", "Ben"])
    person.says("hint", "Anna> ")
    title = plain(board.own(game_of(name).start(11), 1, 1, 80, frozenset())[1])
    assert any(row.startswith(title) for row in person.rows), person.text
    at = next(i for i, row in enumerate(person.rows) if row.startswith("the best moves, by the average of many random"))
    reason = r" {6}[0-9.]+ points (ahead|behind)(; in this round [^,]+(, [^,]+)?)?"
    assert sum(re.fullmatch(reason, row) is not None for row in person.rows[at + 1 :]) == 3, person.text


PILLAR = """\
players: 2
given:
  hand[1]: 3 orange, 2 red
  board[1]: |
    R . . . . B
    . . O . . .
    . . . . . .
    . . . . . .
    . . . . . .
    . . . . . .
    . . . . . .
  supply: 5 blue, 5 red
at: place or pass in placing; r=1
"""


def test_page__many_choices_are_listed_as_one_with_an_example_in_words(tmp_path: Path) -> None:
    (tmp_path / "pillar.yaml").write_text(PILLAR, encoding="utf-8")
    args = ["play", "pavilion", "--seats", "Anna=human,Ben=random", "--position", "pillar.yaml", "--no-record"]
    person = Emulated(args, tmp_path, 80, 24)
    person.wait("Anna> ")
    assert "Round and wild colour: 1 (purple)" in person.text
    assert any(row.startswith("orange pillar (1) lacks orange_star.s ") for row in person.rows), person.text
    person.says("?", "Anna> ")
    assert "  pass [up to 4 of orange,orange,orange,red,red]" in person.rows, person.text
    assert "such as `place centre_star.ne orange 0`: place orange on the 2 of the central" in person.rows, person.text
    assert "such as `pass orange,orange,orange,red`: pass and keep 3 orange, red" in " ".join(person.text.split())
    person.says("place orange_star.s orange 0", "Anna> ")  # closes a pillar in
    assert person.rows[0] == "Azul: Summer Pavilion · Tiles from the supply"
    assert "      Anna: orange pillar (1) is complete" in person.rows and "lacks" not in person.text, person.text
    assert "   1  pick blue  take blue from the supply" in person.rows, person.text


def test_page__groups_of_moves_are_folded_where_there_is_room(tmp_path: Path) -> None:
    args = ["play", "classics/caravans", "--seats", "Anna=human,Ben=random", "--seed", "5", "--no-record"]
    person = Emulated(args, tmp_path, 80, 24)
    person.wait("Anna> ")
    at = next(i for i, row in enumerate(person.rows) if row.startswith("  send [stake.silk "))
    assert person.rows[at].endswith(" eight.jade") and person.rows[at + 1] == "      eight.spice nine.tea]", person.text
    assert person.rows[at + 2].startswith("  sell ["), person.text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nothing", "r", "f", "r,f", "r,r", "r,r,f"], "up to 3 of r,r,f"),
        (["r,r", "r,f", "r,g", "f,f", "f,g", "g,g"], "2 of r,r,f,f,g,g"),
        (["r", "f", "g", "r,f", "r,g", "f,g"], "1 to 2 of r,f,g"),
        (["nothing", "r", "f", "g", "r,f", "r,g"], ""),  # not every combination
        (["a", "b", "c", "d", "e", "f"], ""),  # single words are listed
        (["nothing", "r", "f", "r,f"], ""),  # few are listed
    ],
)
def test_moves__all_ways_to_choose_some_pieces_are_one(words: list[str], said: str) -> None:
    assert summary(words) == said


@pytest.mark.soak
def test_page__a_piece_can_be_typed_by_what_is_printed_on_it(tmp_path: Path) -> None:
    args = ["play", "duel", "--seats", "Anna=human,Ben=random", "--no-record", "--seed", "11"]
    person = Emulated(args, tmp_path, 80, 24)
    person.wait("Anna> ")
    found = re.search(r"Plates on display: (\w+)\[(.)(.)/(.)(.)\]", person.text)
    assert found is not None, person.text
    name, a, b, c, d = found.groups()
    for word in (f"{a}{b}/{c}{d}", f"{a}{b}{c}{d}", f"{c}{a}/{d}{b}".upper()):  # the last one is turned
        person.says(f"why first_plate {word} 1.1 0", "Anna> ")
        assert f"`first_plate {name} 1.1 0` is possible" in person.text, (word, person.text)


def test_page__what_one_draws_is_named_and_what_others_draw_is_not(tmp_path: Path) -> None:
    args = ["play", "classics/dominoes", "--seats", "Anna=human,Ben=random", "--seed", "3", "--no-record"]
    person = Emulated(args, tmp_path, 80, 24)
    person.wait("Anna> ")
    assert "1-14  chance    drawn: 2.4, 2.3, 3.3, 3.4, 2.5, 4.6, 0.3, 7 hidden" in person.rows, person.text
    assert "Hand: 0.3, 2.3, 2.4, 2.5, 3.3, 3.4," in person.text  # no number that could be a count
    for _ in range(2):
        person.says("1", "Anna> ")
    assert "18-22  chance    drawn: 5 hidden" in person.rows, person.text


def test_board__a_hidden_cell_is_no_number(tmp_path: Path) -> None:
    args = ["play", "classics/kuhn", "--seats", "Anna=human,Ben=random", "--seed", "3", "--no-record"]
    person = Emulated(args, tmp_path, 80, 24)
    person.wait("Anna> ")
    row = next(row for row in person.rows if row.startswith("Card: "))
    assert re.fullmatch(r"Card: [JQK] +Card: ▒", row), person.text


def test_page__what_is_none_and_names_of_programs_are_not_told(tmp_path: Path) -> None:
    args = ["play", "duel", "--seats", "Anna=human,Bob=human", "--no-record", "--seed", "3"]
    person = Emulated(args, tmp_path, 120, 40)
    person.wait("Bob> ")
    assert "On top of the stack of plates: mosaic back" in person.text
    assert "rolled: mosaic back" in person.text and "mosaic_back" not in person.text
    person.says("first_plate m1 2.2 0", "Anna> ")
    person.says("first_plate m2 1.1 0", "Anna> ")
    person.says("history", "Enter: ", "Anna> ")
    assert "stack of plates: none" not in person.text and ": mosaic_back " not in person.text, person.text


def test_page__a_refusal_calls_players_by_their_names(tmp_path: Path) -> None:
    args = ["play", "duel", "--seats", "Anna=human,Bob=human", "--no-record", "--seed", "3", "--first", "Anna"]
    person = Emulated(args, tmp_path, 80, 24)
    person.wait("Bob> ")
    person.says("take_sun 1 b 1", "Bob> ")
    assert "`take_sun` is not available now; Bob can play `first_plate` (not now," in " ".join(person.text.split())


@pytest.mark.parametrize("last", ["q", "exit"])
def test_page__short_commands(last: str, anna: Emulated) -> None:
    anna.says("u", "Anna> ")
    assert "there is nothing to take back" in anna.text
    anna.says("h", "Anna> ")
    assert any(row.startswith("Type a move, an abbreviation or its number") for row in anna.rows), anna.text
    anna.child.sendline(last)
    assert anna.end() == 0


@pytest.mark.soak
def test_page__no_hint_when_the_game_is_over(tmp_path: Path) -> None:
    person = Emulated(["play", "classics/tictactoe", "--seats", "Anna=human,Ben=human"], tmp_path, 80, 24)
    person.wait("Anna> ")
    for cell, after in (("1 1", "Ben> "), ("2 1", "Anna> "), ("1 2", "Ben> "), ("2 2", "Anna> "), ("1 3", OVER)):
        person.says(cell, after)
    person.says("?", OVER)
    assert "nobody is to decide anything now" in person.text
    person.says("hint", OVER)
    assert "the game is over; `undo` takes the last move back, an empty line ends it" in " ".join(person.text.split())
    person.child.sendline("")
    assert person.end() == 0


def test_page__undo_and_redo(anna: Emulated) -> None:
    anna.says("1 y 2", "Anna> ")
    played = [row for row in anna.rows if row.startswith(("1  ", "2  ", "Floor"))]
    anna.says("undo", "Anna> ")
    assert "2 decisions taken back, of Anna and Ben" in anna.text and "21  Anna" not in anna.text
    assert [row for row in anna.rows if row.startswith(("1  ", "2  ", "Floor"))] != played
    anna.says("redo", "Anna> ")
    assert [row for row in anna.rows if row.startswith(("1  ", "2  ", "Floor"))] == played
    assert anna.text.count("  21  Anna") == 1
    anna.says("redo", "Anna> ")
    assert "there is nothing to redo" in anna.text


def test_page__rules_say_what_can_be_done_now(anna: Emulated) -> None:
    assert anna.says("rules", "Anna> ", "Enter: ") == "Enter: "
    assert anna.rows[0].startswith("Take") and "one colour a line" in anna.text, anna.text
    anna.says("1 y 2", "Anna> ")  # typed there, it is a move
    assert "Anna      take all yellow from display 1 to line 2 (2 yellow)" in anna.text


def test_page__completions_stand_below_the_prompt(anna: Emulated) -> None:
    before = anna.rows[:-2]
    anna.type("take 1 \t")
    anna.until("Anna> take 1", "2 yellow, 1 red or 1 white  [red white yellow]")
    assert anna.rows[:-2] == before
    anna.rest()
    anna.type("r 2\t")  # a whole move: what it does
    anna.until("Anna> take 1 r 2", "take all red from display 1 to line 2")
    anna.type("\x7f\x7f\x7f\x7fy 1\t")  # which is too long for the line
    anna.until("Anna> take 1 y 1", "2 yellow: 1 to line 1, 1 to Floor line")
    anna.type("\x03")  # clears the line
    anna.rest()
    anna.says("history", "Anna> ")
    assert "Round 1 · Anna begins" in anna.text


def test_page__choices_are_picked_one_after_the_other_with_the_arrow_keys(anna: Emulated) -> None:
    down, up, right = "\x1b[B", "\x1b[A", "\x1b[C"
    to_line = "take all yellow from display 1 to line"
    before = anna.rows[:-2]
    anna.rest()
    for key, line, below in (
        (down, "1", "2 yellow, 1 red or 1 white  [1 2 3 4 5]"),
        (down, "2", "1 blue, 1 red or 2 black  [1 2 3 4 5]"),
        (up, "1", "2 yellow, 1 red or 1 white  [1 2 3 4 5]"),
        (right, "1", ""),
        (down, "1 red", "1 red  [red white yellow]"),
        (up, "1", "2 yellow, 1 red or 1 white  [red white yellow]"),  # back to what was typed
        (up, "1 yellow", "2 yellow  [red white yellow]"),
        (right, "1 yellow", ""),
        (down, "1 yellow 1", "2 yellow: 1 to line 1, 1 to Floor line  [1 2 3 4 5 floor]"),
        ("\x1bOB", "1 yellow 2", f"{to_line} 2 (2 yellow)  [1 2 3 4 5 floor]"),  # as some terminals send it
        ("\x1bOB", "1 yellow 3", f"{to_line} 3 (2 yellow)  [1 2 3 4 5 floor]"),
        (up, "1 yellow 2", f"{to_line} 2 (2 yellow)  [1 2 3 4 5 floor]"),
    ):
        anna.type(key)
        if key != right:  # which only says that the word is taken
            anna.until(f"Anna> {line}", below, whole=True)
    assert anna.rows[:-2] == before
    anna.says("", "Anna> ")
    assert "Anna      take all yellow from display 1 to line 2 (2 yellow)" in anna.text


def test_page__what_a_line_would_do_is_said_while_it_is_typed(anna: Emulated) -> None:
    anna.rest()
    for key, line, below in (
        ("2 k", "2 k", "2 black"),
        (" 1", "2 k 1", "take all black from display 2 to line 1 (2 black: 1 to line 1, 1 to Floor line)"),
        ("\x7f\x7f", "2 k", "2 black"),
        ("x", "2 kx", ""),  # no move
        ("\x7f\x7f\x7f\x7f", "", ""),
        ("help", "help", ""),
        ("\x08" * 4 + "1" + " " * 80, "1", ""),  # which takes both lines
    ):
        anna.type(key)
        anna.until(f"Anna> {line}".rstrip(), below, whole=True)


def test_page__a_line_that_was_begun_for_somebody_need_not_be_gone_on_with(anna: Emulated) -> None:
    for line, said in (
        ("? 2 k 1", "black: 1 to line 1, 1 to Floor line)"),
        ("u", "there is nothing to take back"),
        ("history 99", "there is no decision 99"),
        ("z 1", "`z` is not a colour"),  # neither
        ("2 b 1", "Anna take all blue from display 2 to line 1"),
    ):
        anna.says("1", "Anna> ")
        anna.until("Anna> take 1")
        anna.says(line, "Anna> ")
        assert said in " ".join(anna.text.split()), (line, anna.text)


def test_page__arrow_keys_go_through_moves_and_not_through_commands(tmp_path: Path) -> None:
    args = ["play", "duel", "--seats", "Anna=human,Ben=random", "--seed", "11", "--no-record"]
    person = Emulated(args, tmp_path, 80, 24)
    person.wait("Anna> ")
    person.rest()
    for typed, line in (("\x1b[B", "m1"), ("\x1b[C", "m1"), ("\x1b[B", "m1 1.1"), ("\x03", "")):
        person.type(typed)
        person.until(f"Anna> {line}".rstrip())
    person.says("history 1", "Anna> ", "Enter: ")


def test_page__ctrl_c_clears_the_line_first(anna: Emulated) -> None:
    anna.rest()
    anna.type("1 y")
    anna.until("Anna> 1 y")
    anna.type("\x03")
    anna.until("Anna>")
    anna.says("1 y 2", "Anna> ")
    assert "Anna      take all yellow from display 1 to line 2 (2 yellow)" in anna.text
    anna.rest()
    anna.type("\x03")
    assert anna.end() == 130
    assert "stopped after 22 decisions" in anna.rows


def test_page__ctrl_c_clears_the_line_also_right_behind_other_keys(anna: Emulated) -> None:
    """Keys and Ctrl-C that come together: none of them is lost, and none ends the game."""
    anna.rest()
    for burst in ("1 y\x03", "1\x03", " \x03", "1 y 2\x03", f"{'long ' * 30}\x03"):
        anna.type(burst)
        anna.wait("Anna> ")
        anna.until("Anna>")
        assert anna.rows[0].startswith("Azul · Round 1") and "21  Anna" not in anna.text, anna.text
    anna.type("1 y\x031 y 2\r")
    anna.wait("Anna> ")
    anna.wait("Anna> ")
    assert "Anna      take all yellow from display 1 to line 2 (2 yellow)" in anna.text
    anna.type("\x10")  # the line before, which the interrupted one is not
    anna.until("Anna> 1 y 2")
    anna.type("\x03")
    anna.wait("Anna> ")
    anna.type("\x03")
    assert anna.end() == 130


def test_page__printed_spaces_without_colours(anna: Emulated) -> None:
    anna.says("1 y 2", "Anna> ")
    row = next(i for i, line in enumerate(anna.rows) if line.startswith("2       Y Y"))
    assert anna.attributes(row, 8).reverse and anna.attributes(row, 10).reverse
    printed = anna.rows[row].index("w b y")
    assert not anna.attributes(row, printed).reverse


def test_page__the_end_has_the_last_board_and_points_by_rule() -> None:
    """The kept screens end with it."""
    last = (SCREENS / "base-2-80x24.txt").read_text(encoding="utf-8").split("=" * 80 + "\n")[-1]
    assert last.index("Wall") < last.index("Points by rule  Anna  Ben\nplaced") < last.index("Anna wins: most points")


def test_page__a_window_that_is_resized_is_drawn_again_and_the_line_goes_on(anna: Emulated) -> None:
    anna.rest()
    anna.type("1 y")
    anna.until("Anna> 1 y", "2 yellow", whole=True)
    for columns, lines in ((120, 40), (60, 20), (40, 12), (80, 24)):
        anna.resize(columns, lines)
        anna.until("Anna> 1 y")
        anna.rest()
        assert anna.rows[0] == "Azul · Round 1 · The offer" and anna.cursor == (lines - 2, 9), (anna.cursor, anna.text)
        assert anna.text.count("Anna>") == 1 and anna.text.count("Azul · Round") == 1, anna.text
    anna.says(" 2", "Anna> ")
    assert "Anna      take all yellow from display 1 to line 2 (2 yellow)" in anna.text
    for answer, first in (("rules", "Take"), ("history 1", "Azul")):
        anna.says(answer, "Enter: ", "Anna> ")
        anna.resize(100, 30)
        anna.rest()
        assert anna.rows[0].startswith(first), anna.text
        anna.resize(80, 24)
        anna.rest()


def test_page__long_names_and_those_with_wide_characters_keep_what_is_below_them_in_place(tmp_path: Path) -> None:
    seats = "漢字太郎=human,Maximilian-Alexander=random"
    person = Emulated(
        ["play", "base", "--seats", seats, "--seed", "11", "--no-record"], tmp_path, 80, 24, LC_ALL="C.UTF-8"
    )
    person.wait("漢字太郎> ")
    person.says("1 y 2", "漢字太郎> ")
    names, titles = (next(i for i, row in enumerate(person.rows) if text in row) for text in ("Ale", "Pattern"))
    assert person.column_of(names, "Max") == person.column_of(titles, "Pattern lines", 2) == 32, person.text
    told = [i for i, row in enumerate(person.rows) if "take all" in row]
    assert {person.column_of(row, "take all") for row in told} == {27} and len(told) == 2, person.text


@pytest.mark.parametrize(
    ("text", "columns", "parts"),
    [
        ("漢字 漢字 ab", 9, ["漢字 漢字", "  ab"]),
        ("漢字漢字漢", 5, ["漢字", "  漢", "  字", "  漢"]),
        ("", 5, [""]),
        ("a b c", 3, ["a b", "  c"]),
    ],
)
def test_fold__counts_columns(text: str, columns: int, parts: list[str]) -> None:
    assert folded(text, columns, "  ") == parts
    assert plain(clipped((Styled("漢字漢字"),), 6)) == "漢字…"


def test_page__quit_leaves_lines(anna: Emulated) -> None:
    anna.child.sendline("q")
    assert anna.end() == 0
    assert any(row.startswith("resume with: rulespec play --resume ") for row in anna.rows), anna.text


def test_page__the_command_to_resume_with_can_be_copied(tmp_path: Path) -> None:
    """However long it is, it is one line: only the terminal breaks it."""
    path = "a-very-long-name" * 8 + ".jsonl"
    args = ["play", "classics/tictactoe", "--seats", "Anna=human,Ben=human", "--record", path]
    person = Emulated(args, tmp_path, 80, 24)
    person.wait("Anna> ")
    person.child.sendline("q")
    assert person.end() == 0
    assert f"resume with: rulespec play --resume {path}" in "".join(person.rows), person.text


def test_lines__a_terminal_that_cannot_draw(tmp_path: Path) -> None:
    args = ["play", "base", "--seats", "Anna=human,Ben=random", "--seed", "11", "--no-record"]
    for more, env in (([], {"TERM": "dumb"}), (["--plain"], {})):
        person = Emulated([*args, *more], tmp_path, 80, 24, **env)
        person.wait_for_text("Anna> ")
        assert "\x1b" not in person.child.before
        assert person.child.before.rindex("Wall") < person.child.before.rindex("display 1: 2Y R W")  # what matters last
        person.child.sendline("quit")
        assert person.end() == 0


def test_lines__the_same_move_several_times_is_told_once(tmp_path: Path) -> None:
    args = ["play", "classics/pig", "--plain", "--seats", "Anna=human,Ben=easy", "--seed", "11", "--no-record"]
    person = Emulated(args, tmp_path, 80, 24)
    person.wait_for_text("Anna> ")
    for line in ("throw", "hold"):
        person.child.sendline(line)
        person.wait_for_text("Anna> ")
    told = [row for row in person.child.before.splitlines() if row.startswith("Ben: ")]
    assert len(told) == 1 and re.fullmatch(r"Ben: throw( ×[0-9]+)?( · Ben: hold \(\+[0-9]+\))?", told[0]), told


def test_page__dice_and_what_they_cost_are_told(tmp_path: Path) -> None:
    person = Emulated(
        ["play", "classics/pig", "--seats", "Anna=human", "--players", "2", "--seed", "3"], tmp_path, 80, 24
    )
    person.wait("player 1> ", "Anna> ")
    for _ in range(12):
        person.child.sendline("throw")
        person.wait("Anna> ", "player 2> ")
    assert "rolled: " in person.text and "Points of this turn: " in person.text
    busts = [i for i, row in enumerate(person.rows) if row.endswith("rolled: 1")]
    assert busts and all("Points of this turn: 0" in person.rows[i + 1] for i in busts), person.text


def test_page__secrets_of_two_people(tmp_path: Path) -> None:
    (tmp_path / "secrets.yaml").write_text(small_game("secret_cards"), encoding="utf-8")
    args = ["play", "secrets.yaml", "--seats", "Anna=human,Bob=human", "--no-record"]
    person = Emulated(args, tmp_path, 80, 24)
    person.wait_for_text("Anna, press Enter. ")
    person.says("", "Anna> ")
    assert "lay shield" in person.text
    person.child.sendline("lay shield")
    person.wait_for_text("Bob, press Enter. ")
    assert "shield" not in person.text
    person.says("", "Bob> ")
    assert "lay ?" in person.text and not any("Anna" in row and "shield" in row for row in person.rows), person.text


def test_page__what_one_of_two_people_writes_down(tmp_path: Path) -> None:
    args = ["play", "classics/beacons", "--seats", "Anna=human,Bob=human", "--no-record", "--seed", "1"]
    person = Emulated(args, tmp_path, 80, 24)
    person.wait_for_text("Anna, press Enter. ")
    person.says("", "Anna> ")
    person.child.sendline("write_bid 7")
    person.wait_for_text("Bob, press Enter. ")
    assert "7" not in person.text
    person.says("", "Bob> ")
    assert "bid: ?" in person.text
    assert any("Anna" in row and "bid ?" in row for row in person.rows), person.text


def test_page__what_one_decides_in_secret_is_told_once(tmp_path: Path) -> None:
    args = ["play", "classics/pledges", "--seats", "Anna=human,Ben=random", "--seed", "5", "--no-record"]
    person = Emulated(args, tmp_path, 80, 24)
    person.wait("Anna> ")
    person.says("pledge 1", "Anna> ")
    assert [row for row in person.rows if " Anna  " in row] == ["   2  Anna      pledge 1"], person.text
    assert "   3  Ben       pledge 13" in person.rows, person.text


@pytest.mark.soak
def test_page__no_hand_over_where_nothing_is_secret(tmp_path: Path) -> None:
    args = ["play", "duel", "--seats", "Anna=human,Bob=human", "--no-record", "--seed", "3"]
    person = Emulated(args, tmp_path, 80, 24)
    person.wait("Bob> ")  # not the question who is there
    person.says("first_plate m1 2.2 0", "Anna> ")
    person.says("first_plate m2 1.1 0", "Anna> ")
    person.says("dig", "Anna> ")
    person.says("look", "Anna> ")
    looked = re.search(r"Plates looked at: (\w+)\[", person.text)
    assert looked is not None, person.text
    person.child.sendline(f"keep_plate {looked[1]} 1.2 0")
    person.wait_for_text("Bob, press Enter. ")  # Anna's plate was on the screen
    person.says("", "Bob> ")
    for told in ("look at the plates", "drawn: 1 hidden", f"lay plate {looked[1]} on"):
        assert told in " ".join(person.text.split()), person.text
    person.says("history 30", "Enter: ", "Bob> ")
    assert "draw plates from the stack" in person.text, person.text
    person.says("take_sun large t 3", "Anna> ")  # nothing is secret any more: no question


def test_page__a_number_that_can_be_two_moves_is_not_guessed(tmp_path: Path) -> None:
    person = Emulated(["play", "classics/reversi", "--seats", "Anna=human,Ben=human", "--no-record"], tmp_path, 80, 24)
    person.wait("Anna> ")
    assert "   3  put 5 6  put black in row 5, column 6" in person.rows
    person.says("3", "Anna> ")
    said = "`3` can be `put 3 4`, or `put 5 6`, which was listed with that number: type the move"
    assert said in " ".join(person.text.split())
    person.says("3 4", "Ben> ")


@pytest.mark.soak
def test_page__a_piece_stays_together_with_what_is_printed_on_it(tmp_path: Path) -> None:
    args = ["play", "classics/briscola", "--seats", "Anna=human,Ben=random", "--seed", "3", "--no-record"]
    person = Emulated(args, tmp_path, 80, 24)
    person.wait("Anna> ")
    assert any(row.startswith("Hand: jack.coins[j◉] jack.cups[j♥]") for row in person.rows), person.text
    assert "  knight.swords[c♠]" in person.rows and "leader: Anna" in person.text, person.text


@pytest.mark.soak
def test_page__a_printed_number_is_not_taken_for_a_member_of_a_set(tmp_path: Path) -> None:
    person = Emulated(["play", "pavilion", "--seats", "Anna=human,Ben=random", "--seed", "7"], tmp_path, 80, 24)
    person.wait("Anna> ")
    assert any(row.startswith("centre_star  1  2  3  4  5  6   ") for row in person.rows), person.text


def test_page__a_refusal_is_about_the_word_that_is_wrong(anna: Emulated) -> None:
    anna.says("why 1 z 1", "Anna> ")
    assert "`z` is not a colour: expected blue, yellow, red, black or white" in anna.text, anna.text


def test_replay__each_board_stays_where_it_is(tmp_path: Path) -> None:
    match = Match.begin(game_of("base"), ["random", "random"], 11, name="base")
    while not match.over:
        match.play_bot()
    match.save(str(tmp_path / "a.jsonl"))
    person = Emulated(["replay", "a.jsonl"], tmp_path, 80, 24)
    person.wait("decision 20 of ")
    to_move = set()
    for _ in range(14):
        first, second = person.rows[1], person.rows[2]
        assert first.startswith("player 1 · ") and first.index("player 2 · ") == 42, person.text
        assert second == "Pattern lines   Wall                      Pattern lines   Wall", person.text
        to_move.add("to move" in first[42:])
        person.says("", "decision ")
    assert to_move == {False, True}


@pytest.mark.sized
@pytest.mark.parametrize(
    ("name", "players"),
    [pytest.param(*e, marks=pytest.mark.soak if e[1] == 4 and e[0] != "base" else ()) for e in EVENINGS],
)
def test_replay__each_board_has_one_place_in_a_whole_game(name: str, players: int) -> None:
    game = game_of(name, players)
    match = Match.begin(game, ["random"] * players, 11)
    while not match.over:
        match.play_bot()
    states = [d.after for d in match.decided if d.player][:: size(9, 1)]
    names = ["Anna", "Ben", "Cleo", "Dora"][:players]
    message: StyledBlock = [(Styled(f"line {i}"),) for i in range(12)]
    for columns, rows in SIZES:
        page = SteadyPage(Board(game, columns, names), states, None, rows - 2)
        places = set()
        for state in states:
            content = Content(state, None, 1, frozenset(), (Styled("title"),), ["one", "two", "three"])
            lines = [plain(line) for line in page.lines(content)]
            assert len(lines) <= rows - 2 and "three" in lines, lines
            places.add(tuple((i, place_of(who, line)) for who in names for i, line in enumerate(lines) if who in line))
            told = page.lines(replace(content, message=message))  # there is always room for it
            assert [plain(line) for line in told][-12:] == [plain(line) for line in message]
        assert len(places) == 1 and len(places.pop()) == players, places


def place_of(name: str, line: str) -> int:
    """Return the column of a name, or of the mark before it."""
    return line.index(name) - 2 * (f"► {name}" in line)


def test_replay__a_number_leads_to_the_decision_that_is_called_so(tmp_path: Path) -> None:
    match = Match.begin(game_of("base"), ["random", "random"], 11, name="base")
    while not match.over:
        match.play_bot()
    match.save(str(tmp_path / "a.jsonl"))
    asked = "decision {} of {} · Enter: on, b: back, a number, q> "
    last = len(match.decided)
    person = Emulated(["replay", "a.jsonl"], tmp_path, 80, 24)
    person.wait(asked.format(20, last))
    assert person.rows[0].startswith("Azul · 2 players · Round 1 · "), person.text
    person.says("25", asked.format(25, last))
    assert any(row.startswith(f"  25  {match.name_of(match.decided[24].player)}") for row in person.rows), person.text
    person.says("further", asked.format(25, last))
    assert "`further` leads nowhere: Enter goes on, `b` back, a number to that decision" in " ".join(
        person.text.split()
    )
    person.says("", asked.format(26, last))
    assert "leads nowhere" not in person.text
    person.says("999", asked.format(last, last))
    assert "Points by rule" in person.text and "win" in person.text
    person.child.sendline("q")
    assert person.end() == 0
