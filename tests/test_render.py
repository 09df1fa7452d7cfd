"""Boards in letters: exact pictures of small positions."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest

from interpreter import Game, State, load
from referee.cli.catalogue import list_games
from referee.shell.blocks import Styled, StyledBlock, beside, flowed, plain
from referee.shell.board import Board, _times
from referee.shell.screen import style
from tests.shipped import game_of, with_some_house_rules
from tests.small import small_game

GARDEN = small_game("garden")

ONE = """\
player 1 · 0 points · to move
Tray    garden
        1 2 3
1   .   R f r
2 F F   f F f
secret: 2R F
water: 3

Shed: 23R 25F
frame
north bed    south bed
  1 2 3        1 2 3
1 . . .      1 . R .
2 . . .      2 . . .
chest: 6 hidden
shelf
the clay pot: R R .   the tin pot: . . .
heap: R 5 F   purse: 2×5
turn: player 1   open beds: south
"""


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("render") / "garden.yaml"
    file.write_text(GARDEN, encoding="utf-8")
    return file


def picture(block: StyledBlock) -> str:
    return "".join(plain(line) + "\n" for line in block)


def test_board__every_shape_of_place(garden: Path) -> None:
    game = load(garden, players=1)
    assert picture(Board(game).lines(game.start(1), viewer=1)) == ONE


def test_board__short_rows_are_centred(garden: Path) -> None:
    centred = garden.with_name("centred.yaml")
    centred.write_text(GARDEN.replace("align: right", "align: centre"), encoding="utf-8")
    game = load(centred, players=1)
    rows = [line[:7].rstrip() for line in picture(Board(game).lines(game.start(1), 1)).splitlines()[3:5]]
    assert rows == ["1  .", "2 F F"]


def test_board__what_is_hidden_is_a_number(garden: Path) -> None:
    game = load(garden, players=2)
    for viewer, shown in ((None, "secret: 3 hidden"), (2, "secret: 3 hidden"), (1, "secret: 2R F")):
        (line,) = [x for x in picture(Board(game).lines(game.start(1), viewer)).splitlines() if "secret" in x]
        assert line.startswith(shown)


def test_board__boards_stand_side_by_side_where_there_is_room(garden: Path) -> None:
    game = load(garden, players=4)
    state = game.start(1)
    wide, narrow = (picture(Board(game, columns).lines(state)) for columns in (140, 80))
    assert [line.count("player ") for line in wide.splitlines() if line.startswith("player")] == [4]
    assert [line.count("player ") for line in narrow.splitlines() if line.startswith("player")] == [2, 2]
    single = picture(Board(game, 30).lines(state))
    assert [line.count("player ") for line in single.splitlines() if line.startswith("player")] == [1, 1, 1, 1]


def test_legend__symbols_with_their_names(garden: Path) -> None:
    assert picture(Board(load(garden, players=1)).legend()) == "R rose   F fern   5 coin\n"


def test_names__stand_where_there_is_no_view(garden: Path) -> None:
    text = GARDEN[: GARDEN.index("view:")]
    bare = garden.with_name("bare.yaml")
    bare.write_text(text, encoding="utf-8")
    game = load(bare, players=1)
    shown = picture(Board(game).lines(game.start(1), 1))
    assert "shed: 23 rose, 25 fern" in shown
    assert "clay: rose, rose .   tin: . . ." in shown
    assert Board(game).legend() == []


BASE = """\
player 1 · 0 points · to move    player 2 · 0 points
Pattern lines   Wall             Pattern lines   Wall
                1 2 3 4 5                        1 2 3 4 5
1         .     b y r k w        1         .     b y r k w
2       . .     w b y r k        2       . .     w b y r k
3     . . .     k w b y r        3     . . .     k w b y r
4   . . . .     r k w b y        4   . . . .     r k w b y
5 . . . . .     y r k w b        5 . . . . .     y r k w b
Floor line: . . . . . . .        Floor line: . . . . . . .

Displays and centre
display 1: B Y R K   display 2: B Y R W   display 3: B Y K W
display 4: B R K W   display 5: Y R K W   the centre: 1
Lid of the box: -   Bag: 80 hidden   Beside the boards: -
"""


def test_board__the_first_position_of_a_shipped_game() -> None:
    game = game_of("base", 2)
    state = game.start()
    for colour in ["blue", "yellow", "red", "black", "white"] * 4:
        state = game.apply(state, f"draw {colour}")
    assert picture(Board(game).lines(state)) == BASE


@pytest.mark.parametrize("name", with_some_house_rules(game.name for game in list_games() if 2 in game.players))
def test_board__two_players_fit_into_80_columns(name: str) -> None:
    game = game_of(name, 2)
    rng = random.Random(1)
    state = game.start(1)
    for _ in range(40):
        if state.to_move is None:
            break
        _check(game, state)
        state = game.apply(state, rng.choice(game.legal_moves(state)))


def _check(game: Game, state: State) -> None:
    lines = picture(Board(game).lines(state)).splitlines()
    assert max(map(len, lines)) <= 80, max(lines, key=len)
    boards = lines[next(i for i, line in enumerate(lines) if line.startswith("player 1 ")) :]
    assert "player 2" in boards[0] or max(map(len, boards)) > 40, "not side by side, though there is room"


def test_board__pieces_named_by_numbers_are_no_counts() -> None:
    assert [_times(n, symbol) for n, symbol in ((1, "0.1"), (2, "0.1"), (1, "R"), (2, "R"), (2, "rose"))] == [
        "", "2×", "", "2", "2 ",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["base", "sintra", "pavilion", "duel"])
def test_board__bookkeeping_is_left_out(name: str) -> None:
    game = game_of(name, 2)
    shown = picture(Board(game).lines(game.start(1), 1))
    hidden = game.model.view.hide & {*game.model.variables, *game.model.places}
    assert hidden
    for entry in hidden:
        assert f"{entry.replace('_', ' ')}: " not in shown and f"{Board(game).title(entry)}: " not in shown


def test_beside__pads_and_keeps_tops_level() -> None:
    left: StyledBlock = [(Styled("ab"),), (Styled("c"),)]
    right: StyledBlock = [(Styled("x"),)]
    assert picture(beside([left, right], 2)) == "ab  x\nc\n"


def test_flowed__breaks_between_items() -> None:
    items: StyledBlock = [(Styled("one"),), (Styled("two"),), (Styled("three"),)]
    assert picture(flowed(items, 9)) == "one   two\nthree\n"


def test_style__letters_can_be_read_on_their_colours() -> None:
    assert str(style(Styled("R", "piece", "#ff0000"))) == "bold white on #ff0000"
    assert str(style(Styled("Y", "piece", "#e8b11c"))) == "bold black on #e8b11c"
    assert str(style(Styled("b", "under", "#2878b5"))) == "#2878b5"
    for colour in ("#e8b11c", "#dfe8ea", "#2b2b2b"):  # too light or too dark for some background
        assert str(style(Styled("y", "under", colour))) == "none"
    assert str(style(Styled("Y", "piece", "#e8b11c"), colours=False)) == "reverse"
    assert str(style(Styled("F", "piece", "seaweed"))) == "bold"  # no colour that terminals know
    assert str(style(Styled("plain"))) == "none"


def test_screen__brackets_are_brackets(monkeypatch: pytest.MonkeyPatch) -> None:
    from referee.shell.screen import Screen

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    out = Terminal()
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    screen = Screen()
    assert screen.colours
    screen.show([(Styled("[red]x[/red] [/]", "title"), Styled(" [a while]"))])
    assert "[red]x[/red] [/]" in out.getvalue()
    assert " [a while]" in out.getvalue()
    monkeypatch.setenv("NO_COLOR", "1")
    assert not Screen().colours


@pytest.mark.parametrize(
    ("game", "options", "shown"),
    [
        ("classics/pig", {}, "The dice: 5"),
        ("classics/pig", {"dice": "two"}, "The dice: 5 and 4"),
        ("classics/gullies", {}, "The dice: 6, 4, 4 and 2"),  # indexed by a set of its own
        ("classics/dominoes", {}, "The ends show: left 6, right 3"),  # these have names
    ],
)
def test_board__things_that_are_only_counted_are_a_list(game: str, options: dict[str, str], shown: str) -> None:
    loaded = load(game, options=options)
    state = loaded.start(3)
    for _ in range(4):
        state = loaded.apply(state, loaded.legal_moves(state)[0])
    lines = picture(Board(loaded).lines(state)).splitlines()
    assert any(line.endswith(shown) for line in lines), lines


NUMBERED = """\
rulespec: 1
game: Fields
players: 2
sets: {field: 1..3}
pieces: {sheep: 3 in shed}
places:
  shed: {pile: sheep}
  pen[field]: {pile: sheep}
variables:
  hay[field]: 0..9
play:
  - for each: p in player
    do:
      - ask: p
        to: feed
moves:
  feed:
    text: feed field {f}
    choose: {f: field}
    does:
      - add 2 to hay[f]
      - move 1 of sheep from shed to pen[f]
winner:
  nobody counts: 0
"""


def test_board__a_number_that_is_typed_is_shown(tmp_path: Path) -> None:
    """Fields have numbers that players say, so what lies on them is told with them."""
    (tmp_path / "fields.yaml").write_text(NUMBERED, encoding="utf-8")
    game = load(tmp_path / "fields.yaml")
    state = game.apply(game.start(1), "feed 2")
    assert "hay: 2 (field 2)" in picture(Board(game).lines(state)).splitlines()
