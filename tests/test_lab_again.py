"""The numbers of the lab once more, in plain Python: the same seeds played with the verbs of a game, and means worked out by hand."""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path

import pytest

from interpreter import CHANCE, Game, load
from referee.bots import find_bot
from referee.lab.luck import KeyedChance, Luck, chance_places
from tests.test_cli import Runner, run

__all__ = ["run"]  # the fixture

SEED, GAMES, SEATS = 1000, 30, ("quick:8", "random")


def replay(game: Game, seed: int) -> dict[str, float]:
    """Return what one game gives for each measure."""
    bots = [bot for seat in SEATS if (bot := find_bot(seat))]
    luck = Luck(seed)
    chance = KeyedChance(game, luck, chance_places(game))
    state, deciders, turns = game.start(), [CHANCE], [0, 0]
    while (who := state.to_move) is not None:
        if who == CHANCE:
            if deciders[-1] != CHANCE:
                chance.come_again()
                turns = [0, 0]
            move = chance.decide(state)
        else:
            move = bots[(who - 1 + seed) % 2](game, state, luck.player(who, chance.rounds, turns[who - 1]))
            turns[who - 1] += 1
        deciders.append(who)
        state = game.apply(state, move)
    outcome = game.outcome(state)
    assert outcome is not None
    people = [who for who in deciders if who != CHANCE]
    worst, best = sorted(outcome.scores.values())
    return {
        "rounds": sum(is_played for is_played, _ in groupby(deciders, lambda who: who != CHANCE)),
        "decisions": len(people),
        "score": (worst + best) / 2,
        "lead": best - worst,
        "first": (people[0] in outcome.winners) / len(outcome.winners),
    }


@pytest.mark.soak
def test_compare__numbers_are_those_of_games_played_by_hand(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESPEC_LAB", str(tmp_path / "lab"))
    words = ("--seats", ",".join(SEATS), "--games", str(GAMES), "--seed", str(SEED), "--workers", "1", "--json")
    answer = run("compare", "base", "two_rows", *words)
    assert answer.code == 0, answer.err
    said = {measure["measure"]: measure for measure in json.loads(answer.out)["measures"]}
    games = {name: load(name, 2) for name in ("base", "two_rows")}
    played = {name: [replay(game, SEED + number) for number in range(GAMES)] for name, game in games.items()}
    for key in ("rounds", "decisions", "score", "lead", "first"):
        a, b = (sum(game[key] for game in played[name]) / GAMES for name in ("base", "two_rows"))
        found = said[key]
        assert (found["a"]["n"], found["b"]["n"]) == (GAMES, GAMES)
        assert found["a"]["value"] == pytest.approx(a, abs=1e-5), key
        assert found["b"]["value"] == pytest.approx(b, abs=1e-5), key
        if found["difference"]["value"] is not None:
            assert found["difference"]["value"] == pytest.approx(b - a, abs=1e-5), key
