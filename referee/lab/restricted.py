"""Restricted play: a player that may not choose something unless it must. If it wins as often, nobody needs that choice."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from interpreter import Game, Move, State
from referee.bots.quick import ranked
from referee.lab import texts
from referee.lab.comparison import Measurement
from rulespec import quoted, suggest

SEAT = "{bot} without {word}"  # what a restricted player is called
_PARTED = re.compile(r"(quick:(\d+)) without (.+)")


class BadWithout(ValueError):
    """Words that do not say what a player goes without; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class Barred:
    """Moves that a player may not choose: all of a name, or those with one value of one choice."""

    move: str
    choice: int | None = None
    value: str = ""

    def includes(self, game: Game, move: Move) -> bool:
        if move.name != self.move:
            return False
        if self.choice is None:
            return True
        choice = game.model.moves[self.move].choices[self.choice]
        return game.notation.word(move.args[self.choice], choice.type) == self.value


def read_without(game: Game, word: str) -> Barred:
    """Return what `MOVE` or `MOVE.CHOICE=VALUE` says."""
    match = re.fullmatch(r"(\w+)(?:\.(\w+)=(\S+))?", word)
    if match is None:
        raise BadWithout(texts.BAD_WITHOUT.format(found=word))
    name, said, value = match.groups()
    rule = game.model.moves.get(name)
    if rule is None:
        raise BadWithout(texts.NO_MOVE.format(found=name, hint=suggest(name, game.model.moves)))
    if said is None:
        return Barred(name)
    names = [choice.name for choice in rule.choices]
    if said not in names:
        raise BadWithout(texts.NO_SUCH_CHOICE.format(move=name, found=said, hint=suggest(said, names)))
    choice = rule.choices[names.index(said)]
    known = game.notation.values(choice.type)
    if value not in known:
        raise BadWithout(texts.NO_VALUE.format(found=value, choice=said, known=", ".join(quoted(known[:20]))))
    return Barred(name, names.index(said), value)


def parted(seat: str) -> tuple[str, int, str] | None:
    """Return the bot, its plays and what it goes without, from what a restricted player is called; None for others."""
    match = _PARTED.fullmatch(seat)
    return None if match is None else (match[1], int(match[2]), match[3])


@dataclass(frozen=True, slots=True)
class RestrictedBot:
    """A bot as `quick`, which chooses what it goes without only where every legal move is that."""

    rollouts: int
    word: str

    def __call__(self, game: Game, state: State, rng: random.Random) -> Move:
        barred = read_without(game, self.word)
        legal = game.legal_moves(state)
        moves = [move for move in legal if not barred.includes(game, move)] or legal
        if len(moves) == 1:
            return moves[0]
        return moves[ranked(game, state, moves, rng, self.rollouts).order[0]]


def need_line(measurement: Measurement, seats: tuple[str, ...]) -> str | None:
    """Return a sentence on whether a choice is needed, if one player goes without it; None if there are no games."""
    restricted = parted(seats[-1])
    won = measurement.of(f"won_by:{seats[-1]}")
    if restricted is None or won is None or won.found.interval is None:
        return None
    fair, interval = 1 / len(seats), won.found.interval
    if interval.high < fair:
        line = texts.NEEDED
    elif interval.low > fair:
        line = texts.BETTER_WITHOUT
    else:
        line = texts.NOT_NEEDED
    return line.format(word=restricted[2], n=measurement.n)
