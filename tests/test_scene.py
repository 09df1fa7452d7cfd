"""Scenes: a position as coordinates and signs, with nothing that its viewer may not see."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game, State, load
from referee.bots.unseen import imagine
from referee.picture.scene import Painter, scene
from referee.picture.scene_change import change, write
from rulespec import shipped_games
from tests.shipped import game_of, with_some_house_rules
from tests.sizes import size
from tests.small import small_game


def positions(game: Game, seed: int, many: int) -> list[State]:
    """Return positions of a random game, spread over it."""
    rng = random.Random(seed)
    state = game.start(seed)
    found: list[State] = []
    while (moves := game.legal_moves(state)) and len(found) < 400:
        found.append(state)
        state = game.apply(state, rng.choice(moves))
    found.append(state)
    return [found[i * (len(found) - 1) // max(1, many - 1)] for i in range(many)]


@pytest.mark.parametrize("name", with_some_house_rules(shipped_games()))
def test_scene__is_plain_data_with_every_thing_once(name: str) -> None:
    game = game_of(name)
    for state in positions(game, 3, 3):
        for viewer in (None, 1):
            found = scene(game, state, viewer)
            assert json.loads(json.dumps(found)) == found
            ids = [thing["id"] for area in found["areas"] for block in area["blocks"] for thing in block["things"]]
            assert len(ids) == len(set(ids))
            assert bool(found["moves"]) == (viewer is not None and state.to_move == viewer)


def test_labels__say_names_as_words() -> None:
    found = scene(game_of("duel"), game_of("duel").start(1), 1)
    labels = {thing["id"]: thing["label"] for area in found["areas"] for b in area["blocks"] for thing in b["things"]}
    assert "ornament back" in labels["unseen_plates"] and "mosaic back" in labels["unseen_plates"]
    assert labels["big_moon"].endswith(": first tile")
    assert found["kinds"]["first_tile"]["label"] == "first tile"


STEPS = """\
rulespec: 1
game: Steps
players: 1
sets:
  size: 1..3
pieces:
  stone: 6 in bag
places:
  bag: {pile: stone}
  step[size]: {pile: stone, room: size}
play:
  - move 1 of stone from bag to step[1]
winner: {nobody: 1}
view:
  layout:
    step: {grid: [size], align: left}
"""


def test_scene__short_rows_are_aligned(tmp_path: Path) -> None:
    middles = {}
    for align in ("left", "centre", "right"):
        file = tmp_path / f"{align}.yaml"
        file.write_text(STEPS.replace("align: left", f"align: {align}"), encoding="utf-8")
        game = load(file, players=1)
        blocks = [block for area in scene(game, game.start(1), 1)["areas"] for block in area["blocks"]]
        x_of = {thing["id"]: thing["x"] for block in blocks for thing in block["things"]}
        middles[align] = [round(x_of[f"step[{n}]"] - x_of["step[3]"], 2) for n in (1, 2, 3)]
    assert middles == {"left": [-1.0, -0.5, 0.0], "centre": [0.0, 0.0, 0.0], "right": [1.0, 0.5, 0.0]}


def test_scene__there_is_no_such_player() -> None:
    game = game_of("base")
    with pytest.raises(ValueError, match="there is no player 3: players are 1 to 2"):
        scene(game, game.start(1), 3)


@pytest.mark.parametrize("name", ["base", "duel", "sintra", "pavilion", "classics/pig"])
def test_change__applied_to_the_scene_before_gives_the_scene_after(name: str) -> None:
    painter = Painter(game_of(name))
    states = positions(painter.game, 5, 6)
    for first, second in pairwise(states):
        before, after = painter.scene(first, 1), painter.scene(second, 1)
        found = change(before, after)
        assert by_id(applied(before, found)) == by_id(after)
        assert json.loads(write(found)) == found
    assert change(after, after) == {}


def applied(before: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    """Return a scene after a change, as a client works it out."""
    parts = ("kinds", "things", "blocks", "areas")
    after = {**before, **{k: v for k, v in found.items() if k not in parts}}
    after["kinds"] = {**before["kinds"], **found.get("kinds", {})}
    things, blocks = found.get("things", {}), found.get("blocks", {})
    after["areas"] = []
    for area in before["areas"]:
        fields = dict(found.get("areas", {}).get(area["id"], {}))
        known = {block["id"]: block for block in area["blocks"]}
        made = []
        for name in fields.pop("order", known):
            block = {**known.get(name, {}), **blocks.get(name, {})}
            mine = {t["id"]: t for t in block["things"] if things.get(t["id"], t) is not None}
            mine |= {i: t for i, t in things.items() if t is not None and t["block"] == name}
            made.append({**block, "things": [*mine.values()]})
        after["areas"].append({**area, **fields, "blocks": made})
    return after


def by_id(found: dict[str, Any]) -> dict[str, Any]:
    """Return a scene with the things of each block in the order of their ids."""
    areas = [
        {**area, "blocks": [{**b, "things": sorted(b["things"], key=lambda t: str(t["id"]))} for b in area["blocks"]]}
        for area in found["areas"]
    ]
    return {**found, "areas": areas}


@pytest.mark.sized
@pytest.mark.parametrize("name", with_some_house_rules(shipped_games()))
def test_scene__of_a_painter_that_has_drawn_before_is_that_of_a_new_one(name: str) -> None:
    """What is kept from other positions shows nothing of them."""
    game = game_of(name)
    painter = Painter(game)
    for state in positions(game, 8, size(4, 40)):
        for viewer in (1, None):
            found = painter.scene(state, viewer)
            assert found == Painter(game).scene(state, viewer)
            assert json.loads(write(found)) == found


def test_painter__forgets_what_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.picture.scene.MOST_KEPT", 50)
    painter = Painter(game_of("base"))
    for state in positions(painter.game, 8, 4):
        assert painter.scene(state, 1) == scene(painter.game, state, 1)
        assert painter.kept <= 50


# Nothing hidden -------------------------------------------------------------------------------------------------

SECRET = ("secret_cards", "cards_with_backs", "passed_cards")


def looks_the_same(game: Game, seed: int, many: int) -> int:
    """Check that a scene is the same for every position that looks the same to its viewer; return how many were compared."""
    rng = random.Random(seed)
    painter = Painter(game)
    compared = 0
    for state in positions(game, seed, many):
        for viewer in range(1, game.players + 1):
            other = imagine(game, state, viewer, rng)
            if other is None or other.vector == state.vector:
                continue
            assert painter.scene(state, viewer) == painter.scene(other, viewer)
            compared += 1
    return compared


@pytest.mark.sized
@pytest.mark.parametrize("name", ["base", "sintra", "pavilion", "duel", "classics/briscola"])
def test_scene__does_not_depend_on_what_its_viewer_cannot_see(name: str) -> None:
    compared = looks_the_same(game_of(name), 11, size(6, 100))
    assert compared or name not in ("duel", "classics/briscola")


@pytest.mark.sized
@pytest.mark.parametrize("name", SECRET)
def test_scene__of_small_secret_games(name: str) -> None:
    assert looks_the_same(load(small_game(name)), 2, size(8, 60)) > 0


def test_scene__a_view_that_peeks_would_be_seen() -> None:
    """The comparison finds what the checker would refuse: a picture made from a hand."""
    game = game_of("classics/briscola")
    painter = Painter(game)
    hidden = painter.part
    state = positions(game, 3, 5)[2]
    other = imagine(game, state, 1, random.Random(4))
    assert other is not None and other.vector != state.vector
    places = frozenset({"hand"})
    assert hidden(state, places, (1, 2)) != hidden(other, places, (1, 2))
    assert painter.scene(state, 1) == painter.scene(other, 1)


def test_scene__dice_have_no_numbers_of_their_own() -> None:
    game = game_of("classics/gullies")
    state = game.start(3)
    for _ in range(4):
        state = game.apply(state, game.legal_moves(state)[0])
    shown = [chip for area in scene(game, state, 1)["areas"] for chip in area["chips"] if chip["id"] == "shown"]
    assert [[value["text"] for value in chip["values"]] for chip in shown] == [["6", "4", "4", "2"]]
    assert not any("of" in value for value in shown[0]["values"])
