"""Golden transcripts: whole games, every decision, the scores whenever they change, and the final ledger.

They say that nothing changed, or show what did: after a change that is meant, run with `--update` and review the diff.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from interpreter import CHANCE, Game, State
from rulespec.files.sources import shipped_games
from tests.compare import snapshot
from tests.shipped import game_of

FOLDER = Path(__file__).parent / "playthroughs"

# (game, players, seed, options): a file each
GAMES: list[tuple[str, int, int, dict[str, str]]] = [
    ("base", 2, 1, {"wall_side": "coloured", "jokers": "without"}),
    ("base", 3, 2, {"wall_side": "grey", "jokers": "without"}),
    ("base", 4, 3, {"wall_side": "coloured", "jokers": "with"}),
    ("base", 2, 4, {"wall_side": "grey", "jokers": "with"}),
]


def file_of(name: str, players: int, seed: int) -> Path:
    return FOLDER / f"{name.replace('/', '.')}-{players}-{seed}.txt"


def transcript(game: Game, name: str, seed: int) -> Iterator[str]:
    """Yield a random game in lines. Draws in a row share a line, as they are read out at a table."""
    yield f"{name}, {game.players} players, seed {seed}"
    yield from (f"{option}: {choice}" for option, choice in game.options.items())
    yield ""
    rng = random.Random(seed)
    state = game.start()
    drawn: list[str] = []
    while state.to_move is not None:
        by_chance = state.to_move == CHANCE
        outcomes = game.chances(state) if by_chance else [(m, 1) for m in game.legal_moves(state)]
        move = rng.choices([m for m, _ in outcomes], [n for _, n in outcomes])[0]
        line = f"{state.to_move}: {move}"
        before, state = state, game.apply(state, move)
        if by_chance:
            drawn.append(str(move))
        if drawn and state.to_move != CHANCE:
            yield f"   {', '.join(drawn).replace(', draw ', ', ')}"
            drawn = []
        if not by_chance:
            yield f"{line}   ({len(outcomes)} legal)"
        if reasons := points_since(game, before, state):
            yield from reasons
            yield "   scores: " + ", ".join(f"{p}: {n}" for p, n in game.scores(state).items())
    yield from ending(game, state)


def points_since(game: Game, before: State, after: State) -> list[str]:
    found = []
    for line in game.ledger(after)[len(before.log()) :]:
        held = "" if line.gained == line.points else f" ({line.gained:+} gained)"
        found.append(f"   {line.player} {line.points:+}{held} {line.rule}: {line.text}")
    return found


def ending(game: Game, state: State) -> Iterator[str]:
    outcome = game.outcome(state)
    assert outcome is not None
    yield ""
    yield f"over after {state.decisions} decisions"
    yield f"winners: {', '.join(map(str, outcome.winners))} by {outcome.reason}"
    sums: dict[tuple[int, str], int] = {}
    for line in game.ledger(state):
        sums[line.player, line.rule] = sums.get((line.player, line.rule), 0) + line.gained
    for player, score in outcome.scores.items():
        rules = [f"{rule} {points:+}" for (p, rule), points in sums.items() if p == player]
        yield f"{player}: {score} = {', '.join(rules) or 'nothing'}"
    yield ""
    yield from (f"{where}: {what}" for where, what in snapshot(game, state).items() if what not in ({}, [], None))


@pytest.mark.parametrize(
    ("name", "players", "seed", "options"),
    GAMES,
    ids=lambda v: str(v) if not isinstance(v, dict) else "-".join(v.values()),
)
def test_playthrough(name: str, players: int, seed: int, options: dict[str, str], update: bool) -> None:
    lines = list(transcript(game_of(name, players, options), name, seed))
    path = file_of(name, players, seed)
    if update:
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return
    golden = path.read_text(encoding="utf-8").splitlines()
    for number, (now, then) in enumerate(zip(lines, golden, strict=False), 1):
        assert now == then, f"{path.name}:{number}\n  then: {then}\n   now: {now}"
    assert len(lines) == len(golden), f"{path.name} has {len(golden)} lines, now there are {len(lines)}"


def test_folder__has_no_file_nobody_plays() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {file_of(*game[:3]).name for game in GAMES}
    assert {game[0] for game in GAMES} <= shipped_games().keys()
