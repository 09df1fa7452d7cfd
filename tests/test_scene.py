"""Scenes: a position as coordinates and signs, with nothing that its viewer may not see."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from typing import Any

import pytest

from interpreter import Game, State
from referee.picture.scene import Painter, change, scene
from rulespec import shipped_games
from tests.shipped import game_of


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


@pytest.mark.parametrize("name", shipped_games())
def test_scene__is_plain_data_with_every_thing_once(name: str) -> None:
    game = game_of(name)
    for state in positions(game, 3, 3):
        for viewer in (None, 1):
            found = scene(game, state, viewer)
            assert json.loads(json.dumps(found)) == found
            ids = [thing["id"] for area in found["areas"] for block in area["blocks"] for thing in block["things"]]
            assert len(ids) == len(set(ids))
            assert bool(found["moves"]) == (viewer is not None and state.to_move == viewer)


def test_scene__there_is_no_such_player() -> None:
    game = game_of("base")
    with pytest.raises(ValueError, match="there is no player 3: players are 1 to 2"):
        scene(game, game.start(1), 3)


@pytest.mark.parametrize("name", ["base", "duel"])
def test_change__applied_to_the_scene_before_gives_the_scene_after(name: str) -> None:
    painter = Painter(game_of(name))
    states = positions(painter.game, 5, 6)
    for first, second in pairwise(states):
        before, after = painter.scene(first, 1), painter.scene(second, 1)
        assert by_id(applied(before, change(before, after))) == by_id(after)
    assert change(after, after) == {}


def applied(before: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    """Return a scene after a change, as a client works it out."""
    after = {**before, **{k: v for k, v in found.items() if k not in ("kinds", "things", "areas")}}
    after["kinds"] = {**before["kinds"], **found.get("kinds", {})}
    after["areas"] = [found.get("areas", {}).get(a["id"], a) for a in before["areas"]]
    things = found.get("things", {})
    for area in after["areas"]:
        for block in area["blocks"]:
            mine = {t["id"]: t for t in block["things"]}
            for name, thing in things.items():
                if thing is None:
                    mine.pop(name, None)
                elif thing["block"] == block["id"]:
                    mine[name] = {k: v for k, v in thing.items() if k != "block"}
            block["things"] = list(mine.values())
    return after


def by_id(found: dict[str, Any]) -> dict[str, Any]:
    """Return a scene with the things of each block in the order of their ids."""
    areas = [
        {**area, "blocks": [{**b, "things": sorted(b["things"], key=lambda t: str(t["id"]))} for b in area["blocks"]]}
        for area in found["areas"]
    ]
    return {**found, "areas": areas}
