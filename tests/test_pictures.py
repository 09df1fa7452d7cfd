"""The pictures of docs/pictures.md: each is drawn again and compared; `--update` writes them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter import load
from referee.cli.common import cli
from referee.picture.scene import Painter
from referee.picture.svg import draw, draw_part
from tests.shipped import ROOT, game_of
from tests.small import small_game

DOC = ROOT / "docs" / "pictures.md"
FOLDER = ROOT / "docs" / "pictures"
LARGEST = 1_000_000  # bytes of all together
PARTS = {  # picture → game and choices, decisions before it, the places that it shows, whose boards
    "grid": ("base", 25, ("wall",), (1,)),
    "ring": ("base", 3, ("offer",), ()),
    "star": ("pavilion", 60, ("board",), (1,)),
    "row": ("duel", 22, ("sun", "moon"), ()),
    "behind": ("duel", 40, ("tiles",), (1,)),
    "columns": ("sintra", 30, ("space", "window", "broken"), (1,)),
    "at": ("classics/kalah", 7, ("stones",), ()),
    "hexagons": ("classics/hex size=five", 13, ("board",), ()),
    "counts": ("base", 30, ("lid", "bag"), ()),
    "track": ("pavilion", 30, ("this_round",), ()),
    "face": ("classics/briscola", 3, ("hand", "turned_up"), (1,)),
}


def drawn(name: str) -> str:
    if name == "default":
        game = load(small_game("shelves"))
        return draw(Painter(game).scene(game.start(1), 1))
    game_name, after, places, players = PARTS[name]
    shipped, *choices = game_name.split()
    game = game_of(shipped, options=dict(choice.split("=") for choice in choices))
    state = game.rollout(game.start(7), 7, steps=after)
    return draw_part(Painter(game).part(state, frozenset(places), players), style=True)


@pytest.mark.parametrize("name", ["default", *PARTS])
def test_picture__of_the_docs_is_up_to_date(name: str, update: bool) -> None:
    path, text = FOLDER / f"{name}.svg", drawn(name)
    if update:
        FOLDER.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, "run `pytest tests/test_pictures.py --update`"


def test_pictures__are_all_shown_and_small() -> None:
    shown = re.findall(r"\(pictures/(\w+)\.svg\)", DOC.read_text(encoding="utf-8"))
    assert sorted(shown) == sorted(path.stem for path in FOLDER.glob("*.svg")) == sorted(["default", *PARTS])
    assert sum(path.stat().st_size for path in FOLDER.glob("*")) < LARGEST


# The command ----------------------------------------------------------------------------------------------------


def run(*words: str) -> int:
    """Run `rulespec picture` and return its exit code."""
    from click.testing import CliRunner

    return CliRunner().invoke(cli, ["picture", *words]).exit_code


def test_command__writes_svg_and_html(tmp_path: Path) -> None:
    for ending, begins in (("svg", "<svg "), ("html", "<!DOCTYPE html>")):
        out = tmp_path / f"picture.{ending}"
        assert run("base", "--seed", "7", "--after", "25", "--viewer", "1", "--out", str(out)) == 0
        assert out.read_text(encoding="utf-8").startswith(begins)


def test_command__draws_the_position_of_an_example(tmp_path: Path) -> None:
    out = tmp_path / "picture.svg"
    name = str(next(iter(game_of("base").model.examples or ()))[0].text)
    assert run("base", "--position", name, "--out", str(out)) == 0
    assert out.exists()


@pytest.mark.parametrize(
    "words",
    [
        ("base", "--viewer", "3"),
        ("base", "--viewer", "0"),
        ("base", "--position", "no such example"),
        ("base", "--out", "picture.png"),
        ("base", "--after", "-1"),
    ],
)
def test_command__refuses_what_it_cannot_draw(words: tuple[str, ...]) -> None:
    assert run(*words) == 2
