"""Scenes and events as browsers get them: the same for all positions that look the same to the seat."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from interpreter import CHANCE, TracedState
from referee.bots import imagine
from referee.web import workbench
from referee.web.messages import Pictures, TableMessages
from referee.web.run import PICTURES
from referee.web.seen_moves import seen_moves
from referee.web.sitting import Sitting
from tests.sizes import SOAK, size
from tests.web import guest, seated

SECRET = (Path(__file__).parent / "games" / "secret_cards.yaml").read_text(encoding="utf-8")


def begun(game: str) -> Sitting:
    return seated(rules=SECRET) if game == "secret choices" else seated(game=game)


@pytest.mark.sized
@pytest.mark.parametrize(
    "game", ["duel", "classics/briscola", "classics/beacons", "secret choices", "classics/pledges"]
)
def test_secrets__nothing_that_the_seat_may_not_see(game: str) -> None:
    """Compare what a seat, and an onlooker, is told with what they would be told if the hidden pieces lay otherwise."""
    luck, sent, differing = random.Random(8), 0, 0
    most = size(24, 3400)
    while sent < most:
        sitting = begun(game)
        match = sitting.match
        while not match.over and sent < most:
            real = match.state
            others = {v: imagine(match.game, real, v, luck) for v in range(1, match.game.players + 1)}
            for viewer, other in others.items():
                if other is None:
                    continue
                people = (guest(sitting, viewer), guest(sitting))  # an onlooker sees nothing that a seat does not
                told = [TableMessages(sitting, PICTURES).whole(one) for one in people]
                match.state = other.with_seed(real.seed)
                assert [TableMessages(sitting, PICTURES).whole(one) for one in people] == told
                match.state = real
                sent, differing = sent + len(told), differing + (other.vector != real.vector)
            mover = match.state.to_move
            assert mover and mover != CHANCE
            move = luck.choice(match.game.legal_moves(real))
            other = others[mover]
            if other is not None:
                after = [match.game.apply(before.with_seed(None), move) for before in (real, other)]
                if match.game.view(after[0], mover) == match.game.view(after[1], mover):
                    assert all(isinstance(state, TracedState) for state in after)
                    events = [seen_moves(match.game, s.moved, mover) for s in after if isinstance(s, TracedState)]
                    # pieces that are turned up one after another are seen in that order, which the position does not keep
                    assert sorted(map(str, events[0])) == sorted(map(str, events[1]))
                    scenes = [json.dumps(PICTURES.scene(match.game, state, mover)) for state in after]
                    assert scenes[0] == scenes[1]
                    sent += 1
            sitting.play(guest(sitting, mover), mover, str(move))
    assert differing or (game == "duel" and not SOAK)  # little is hidden there before somebody looks at plates


TELLING = SECRET.replace("lay {c} face down", "lay {c} beside {count(down[next(me)], crown)} crowns")


def test_secrets__a_hint_says_no_more_than_its_seat_may_read() -> None:
    found = set()
    for laid in ("crown", "sword"):
        sitting = seated(rules=TELLING)
        sitting.play(guest(sitting, 1), 1, f"lay {laid}")
        match = sitting.match
        header = match.header
        spec = {"rules": header.rules, "players": header.players, "options": header.options, "luck": 1}
        told = workbench.do("think", {**spec, "state": match.game.to_data(match.state), "who": "random"})
        assert told["move"] in map(str, match.game.legal_moves(match.state))
        found.add(json.dumps(told))
    assert len(found) == 1
    assert "beside ? crowns" in found.pop()


@pytest.mark.parametrize("game", ["base", "sintra", "pavilion", "classics/kalah", "classics/pig"])
def test_shared__is_the_scene_of_each_viewer(game: str) -> None:
    sitting, luck = seated(game=game), random.Random(4)
    match = sitting.match
    for _ in range(8):
        mover = match.state.to_move
        assert mover
        assert PICTURES.shared is not None
        drawn = PICTURES.shared.common(match.game, match.state, mover)
        for viewer in (None, *range(1, match.game.players + 1)):
            there = PICTURES.scene(match.game, match.state, viewer)
            assert PICTURES.shared.for_viewer(drawn, viewer) == there
        sitting.play(guest(sitting, mover), mover, str(luck.choice(match.game.legal_moves(match.state))))


@pytest.mark.parametrize("game", ["base", "classics/briscola"])
def test_changes__of_pictures_do_not_depend_on_who_else_looks(game: str) -> None:
    sitting, luck = seated(game=game), random.Random(4)
    many, one = TableMessages(sitting, PICTURES), TableMessages(sitting, Pictures(PICTURES.scene, PICTURES.change))
    for _ in range(6):
        before, mover = many.moment(), sitting.match.state.to_move
        assert mover
        sitting.play(
            guest(sitting, mover), mover, str(luck.choice(sitting.match.game.legal_moves(sitting.match.state)))
        )
        for look in (None, 1, 2):
            assert json.loads(many.change(before, look)) == json.loads(one.change(before, look))
            whose = guest(sitting, *([look] if look else []))
            assert json.loads(many.whole(whose)) == json.loads(one.whole(whose))
        many.rest()
        one.rest()
