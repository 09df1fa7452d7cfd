"""Games at random as people would type them at a table: draws in all their forms, moves, and what came of it."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from interpreter import CHANCE, Game, LedgerLine, Outcome, State
from interpreter.game import load_traced
from interpreter.state import TracedState
from referee.table.draws import Asked, Draws
from referee.table.wording import Wording


@dataclass
class Typed:
    """A whole game: the lines that tell it, and how it ends."""

    game: Game
    first: int | None
    lines: list[str] = field(default_factory=list)
    moves: list[str] = field(default_factory=list)
    state: State | None = None

    @property
    def ledger(self) -> list[LedgerLine]:
        assert self.state is not None
        return self.game.ledger(self.state)

    @property
    def outcome(self) -> Outcome:
        assert self.state is not None
        outcome = self.game.outcome(self.state)
        assert outcome is not None
        return outcome


def typed_game(name: str, players: int, choices: dict[str, str], seed: int) -> Typed:
    """Return a game at random. Chance goes by its weights, players take any move."""
    game = load_traced(name, players, choices)
    rng = random.Random(f"{name} {players} {choices} {seed}")
    first = rng.randint(1, players) if game.begun_by(1) else None
    draws = Draws(game, Wording(game))
    state = game.start(given=game.begun_by(first) if first else {})
    typed = Typed(game, first)
    run: list[tuple[Asked, int]] = []
    while state.to_move is not None:
        if state.to_move == CHANCE:
            moves, weights = zip(*game.chances(state), strict=True)
            move = rng.choices(moves, weights)[0]
            after = game.apply(state, move)
            run.append((draws.asked(state, after), move.args[0]))
        else:
            typed.lines += draw_lines(draws, run, rng)
            run = []
            move = rng.choice(game.legal_moves(state))
            after = game.apply(state, move)
            typed.lines.append(str(move))
        typed.moves.append(str(move))
        state = after
    typed.lines += draw_lines(draws, run, rng)
    typed.state = state
    assert isinstance(state, TracedState)
    return typed


def draw_lines(draws: Draws, run: list[tuple[Asked, int]], rng: random.Random) -> list[str]:
    """Draw that follow one another, on one line or several, place by place or all together."""
    lines: list[str] = []
    at = 0
    while at < len(run):
        most = len(run) - at
        count = most if rng.random() < 0.5 else rng.randint(1, most)
        lines.append(one_line(draws, run[at : at + count], rng))
        at += count
    return lines


def one_line(draws: Draws, run: list[tuple[Asked, int]], rng: random.Random) -> str:
    parts: list[tuple[Asked, list[int]]] = []
    for asked, code in run:
        if parts and parts[-1][0] == asked:
            parts[-1][1].append(code)
        else:
            parts.append((asked, [code]))
    labels = [label(draws, asked, rng) for asked, _ in parts]
    plain = len({asked for asked, _ in parts}) < len(parts) or rng.random() < 0.4
    if plain:
        return " ".join(pieces(draws, codes, rng) for _, codes in parts)
    texts = [f"{name}: {pieces(draws, codes, rng)}" for name, (_, codes) in zip(labels, parts, strict=True)]
    if rng.random() < 0.2:
        rng.shuffle(texts)
    return rng.choice([" ", "; ", ", "]).join(texts)


def label(draws: Draws, asked: Asked, rng: random.Random) -> str:
    """Return a place as people may name it."""
    names = [draws.label(asked)]
    if asked.goal is not None:
        index = draws.wording.spots[asked.goal]
        values = [draws.game.model.value_name(code) for code in index]
        names.append(f"{asked.goal.family}[{', '.join(values)}]" if values else asked.goal.family)
        names.append(f"deal {draws.label(asked)}")
    return rng.choice(names)


def pieces(draws: Draws, codes: list[int], rng: random.Random) -> str:
    """Pieces of one place in words."""
    name = draws.game.model.value_name
    symbols = draws.game.model.view.symbols
    numbers = any(code < 1000 for code in codes)
    out: list[str] = []
    i = 0
    while i < len(codes):
        same = 1
        while i + same < len(codes) and codes[i + same] == codes[i]:
            same += 1
        if same > 1 and not numbers and rng.random() < 0.6:
            out.append(f"{same} {name(codes[i])}")
        elif not numbers and rng.random() < 0.3 and codes[i] in symbols:
            out += [rng.choice([symbols[codes[i]], symbols[codes[i]].lower()])] * same
        else:
            out += [name(codes[i])] * same
        i += same
    return rng.choice([" ", ", "]).join(out)
