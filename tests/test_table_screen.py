"""A game at a real table on one screen: what is asked stays on it, and what it says about the past is true."""

from __future__ import annotations

from pathlib import Path

from tests.emulator import Emulated

DRAWN, ANNA, BEN = "drawn> ", "Anna> ", "Ben> "
OVER = "the game is over; `score` explains every point, Enter ends> "


def sit_down(folder: Path, lines: int) -> Emulated:
    person = Emulated(["table", "base", "--names", "Anna,Ben", "--first", "Anna"], folder, 80, lines)
    person.wait(DRAWN)
    return person


def test_table__what_is_to_be_drawn_stays_on_the_screen_and_a_correction_is_told_once(tmp_path: Path) -> None:
    table = sit_down(tmp_path, 24)
    table.says("1: bbrk 2: yyyy 3: rrkw", DRAWN)
    asked = "draw from Bag: 4 each to display 4 and display 5"
    assert asked in table.rows
    for line in ("4: zzzz", "?", "take 1 blue 2", "history 99", "why 4: zzzz"):
        table.says(line, DRAWN)
        assert asked in table.rows and "Displays and centre: 1: 2B R K   2: 4Y" in table.text, (line, table.text)
    table.says("2: yyyw", DRAWN)
    at = table.rows.index("corrected:")
    assert table.rows[at + 1].startswith("1-12  display 1: 2 blue, red and black · display 2: 3 yellow and white")
    assert "4 yellow" not in table.text and asked in table.rows, table.text


def test_table__what_was_changed_or_taken_back_is_told_as_it_is_now(tmp_path: Path) -> None:
    table = sit_down(tmp_path, 40)
    table.says("1: bbrk 2: yyyy 3: rrkw 4: wwbb 5: ryyk", ANNA)
    table.says("1 b 2", BEN)
    table.says("5 y 3", ANNA)
    table.says("amend 21 1 r 1", ANNA)
    assert "decision 21 is now `take 1 red 1` (it was `take 1 blue 2`)" in table.text
    assert "  21  Anna      take 1 red 1     take all red from display 1 to line 1" in table.rows, table.text
    assert not any(row.startswith("  21  Anna      take 1 blue 2") for row in table.rows), table.text
    table.says("undo", BEN)
    assert "1 decision taken back, of Ben" in table.rows
    assert not any(row.startswith("  22  Ben") for row in table.rows), table.text
    table.says("redo", ANNA)
    assert sum(row.startswith("  22  Ben       take 5 yellow 3") for row in table.rows) == 1, table.text
    table.says("insert 22 2 y 4", BEN)
    assert "decision 22 is `take 2 yellow 4`; 1 decision after it kept" in table.rows
    assert any(row.startswith("  23  Anna      take 5 yellow 3") for row in table.rows), table.text


def test_table__the_end_has_the_last_board_and_points_by_rule(tmp_path: Path) -> None:
    person = Emulated(["table", "classics/tictactoe", "--names", "Anna,Ben", "--first", "Anna"], tmp_path, 80, 24)
    person.wait("Enter: back to the game · or type a line> ")
    for line, prompt in (("1 1", BEN), ("2 1", ANNA), ("1 2", BEN), ("2 2", ANNA), ("1 3", OVER)):
        person.says(line, prompt)
    at = person.rows.index("1 x x x")
    assert person.rows[at - 2 : at + 3] == ["Board", "  1 2 3", "1 x x x", "2 o o .", "3 . . ."], person.text
    assert "Anna wins: made three in a row" in person.rows
    person.says("nonsense", OVER)
    assert "the game is over; `amend N` or `undo` changes what was decided" in person.text
    person.child.sendline("")
    assert person.end() == 0
