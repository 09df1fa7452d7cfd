"""Pictures without overlap: nothing is outside of its block, and no two things of a block cover each other."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from interpreter import Game, State, load
from referee.picture.figures import number_beside
from referee.picture.overlaps import overlapping
from referee.picture.scene import Painter
from referee.picture.svg import draw, draw_part, page
from rulespec import RuleFileError, shipped_games
from tests.shipped import game_of, with_some_house_rules
from tests.sizes import SOAK, size
from tests.small import small_game

SMALL = ("garden", "shelves", "secret_cards", "cards_with_backs", "passed_cards", "sticks_and_bowl", "heaps")


def positions(game: Game, seed: int, many: int) -> list[State]:
    """Return positions of a random game, spread over it."""
    rng = random.Random(seed)
    state = game.start(seed)
    found: list[State] = []
    while (moves := game.legal_moves(state)) and len(found) < 200:
        found.append(state)
        state = game.apply(state, rng.choice(moves))
    found.append(state)
    return [found[i * (len(found) - 1) // max(1, many - 1)] for i in range(many)]


def corners(thing: dict[str, Any]) -> tuple[tuple[float, float], ...]:
    """Return the outline of a thing as it is drawn."""
    if "poly" in thing:
        return tuple((x, y) for x, y in thing["poly"])
    x, y, w, h = thing["x"], thing["y"], thing["w"] / 2, thing["h"] / 2
    if thing["shape"] == "circle" and thing["w"] == thing["h"]:
        return tuple((x + w * math.sin(i * math.pi / 12), y + h * math.cos(i * math.pi / 12)) for i in range(24))
    if thing["shape"] == "hexagon":
        return tuple((x + w * math.sin(i * math.pi / 3), y - h * math.cos(i * math.pi / 3)) for i in range(6))
    return ((x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h))


def are_far_apart(a: dict[str, Any], b: dict[str, Any]) -> bool:
    """Return whether the boxes of two things, which hold all of them, do not meet."""
    if "poly" in a or "poly" in b:
        return False
    return bool(abs(a["x"] - b["x"]) > (a["w"] + b["w"]) / 2 or abs(a["y"] - b["y"]) > (a["h"] + b["h"]) / 2)


def problems(scene: dict[str, Any]) -> list[str]:
    """Return what covers something else, or sticks out of its block."""
    found = []
    for area in scene["areas"]:
        for block in area["blocks"]:
            things = block["things"]
            for thing in (*things, *block["marks"], *(p for t in things for p in (*t["pieces"], *t["spaces"]))):
                left, top = thing["x"] - thing["w"] / 2, thing["y"] - thing["h"] / 2
                beside = number_beside(thing["n"]) if "n" in thing and not thing.get("back") else 0
                right, bottom = left + thing["w"] + beside, top + thing["h"]
                if left < -0.05 or top < -0.05 or right > block["w"] + 0.05 or bottom > block["h"] + 0.05:
                    found.append(f"{thing.get('id', thing)} is outside of {block['id']}")
            front = [t for t in things if not t["behind"]]
            shapes = [corners(t) for t in front]
            for i, a in enumerate(shapes):
                for j in range(i):
                    if not are_far_apart(front[i], front[j]) and overlapping(a, shapes[j], 0.03):
                        found.append(f"{front[i]['id']} covers {front[j]['id']}")
            for word in block["words"]:
                wide = len(word["text"]) * word["size"] * 0.5
                start = word["x"] - {"start": 0, "middle": wide / 2, "end": wide}[word["anchor"]]
                if start < -0.3 or start + wide > block["w"] + 0.3:
                    found.append(f"the text {word['text']} is outside of {block['id']}")
    return found


@pytest.mark.sized
@pytest.mark.parametrize("name", with_some_house_rules(shipped_games()))
def test_pictures__nothing_overlaps_or_sticks_out(name: str) -> None:
    game = game_of(name)
    painter = Painter(game)
    for state in positions(game, 7, size(1, 50)):
        for viewer in (None, 1):
            scene = painter.scene(state, viewer)
            assert problems(scene) == []
            assert draw(scene).count("<svg") == page(scene).count("<svg") == 1


@pytest.mark.parametrize("name", SMALL)
def test_pictures__of_games_without_a_view(name: str) -> None:
    game = load(small_game(name))
    for state in positions(game, 3, 4):
        assert problems(Painter(game).scene(state, 1)) == []


@pytest.mark.sized
@pytest.mark.parametrize("players", [2, 3, 4] if SOAK else [3])
def test_pictures__of_all_numbers_of_players(players: int) -> None:
    for name in ("base", "pavilion", "sintra"):
        game = game_of(name, players)
        assert problems(Painter(game).scene(positions(game, 1, 2)[1], players)) == []


def test_problems__what_overlaps_is_found() -> None:
    game = game_of("base")
    scene = Painter(game).scene(game.start(1), 1)
    block = next(b for a in scene["areas"] for b in a["blocks"] if len(b["things"]) > 3)
    first, second = block["things"][:2]
    second["x"], second["y"] = first["x"] + 0.1, first["y"]
    block["things"][2]["x"] = 99.0
    found = problems(scene)
    assert f"{second['id']} covers {first['id']}" in found
    assert f"{block['things'][2]['id']} is outside of {block['id']}" in found


def test_part__shows_only_the_blocks_of_these_places() -> None:
    game = game_of("base")
    part = Painter(game).part(game.start(1), frozenset({"wall", "bag"}), (2,))
    families = {t["id"].partition("[")[0] for a in part["areas"] for b in a["blocks"] for t in b["things"]}
    assert families == {"wall", "line", "bag"}
    assert not any(p.get("back") for a in part["areas"] for b in a["blocks"] for t in b["things"] for p in t["pieces"])
    assert "Player 2" in draw_part(part)


def test_colours__that_are_none_do_not_reach_a_picture() -> None:
    """Those of kinds are refused; a tint, which may be worked out, is left away."""
    evil = 'red;}</style><script>alert(1)</script>"'
    view = {"layout": {"board": {"tint": "#fff;}</style>"}}, "labels": {"x": '<b>&"x"</b>'}}
    house = {"rulespec": 1, "extends": "classics/tictactoe", "game": "</title><b>", "view": view}
    with pytest.raises(RuleFileError, match="expected a colour"):
        load("classics/tictactoe", house=[{**house, "view": {**view, "colours": {"x": evil}}}])
    game = load("classics/tictactoe", house=[house])
    state = game.apply(game.start(), "put 1 1")
    text = page(Painter(game).scene(state, 1))
    assert "<b>" not in text and text.count("</style>") == 2
