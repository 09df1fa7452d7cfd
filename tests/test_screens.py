"""Whole evenings in an emulated terminal: at every decision what is chosen from, one's own board and the prompt are on the screen."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from interpreter import Game, State, load
from referee.record.match import Match
from referee.shell.blocks import plain
from referee.shell.board import Board
from referee.shell.page import touched
from tests.emulator import Emulated
from tests.sizes import SOAK

SCREENS = Path(__file__).parent / "screens"
EVENINGS = [("base", 2), ("base", 4), ("sintra", 2), ("pavilion", 2), ("duel", 2)]
SIZES = [(80, 24), (120, 40)]
EVERY = 12  # decisions, of which one screen is kept
OVER = "the game is over"


def evenings() -> list[tuple[str, int, int, int]]:
    """Return games, players and sizes: all in the soak run, the smallest screen of one game in the check."""
    found = [(name, players, *size) for name, players in EVENINGS for size in SIZES]
    return found if SOAK else found[:1]


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


@pytest.mark.sized
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
