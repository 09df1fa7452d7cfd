"""One game as one row of numbers: how it is played, and what is noted of it.

A row is plain data and depends on the rules, the players and the seed alone. Sums and counts are noted and no means, so that a
measure can be worked out later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from interpreter import CHANCE, Fault, Game, Move, State
from referee.bots import Bot
from referee.lab.luck import KeyedChance, Luck, chance_places
from rulespec import syntax

Row = dict[str, Any]  # as JSON holds it

MOST_DECISIONS = 10_000  # of one game
NO_MEMORY = "no-memory"  # what a row has for `fault` where the moves of a position did not fit
MOST_VALUES = 16  # of a choice whose use is counted, value by value
MOST_STANDINGS = 400  # that a row has


class Lab:
    """A game made ready to be played many times."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.places = chance_places(game)
        self.has_standing = has_standing(game)
        self.counted = {name: list(_counted(move)) for name, move in game.model.moves.items()}

    def play(self, bots: Sequence[Bot], seed: int) -> Row:
        """Return the row of the game with this seed. The seats of the players move on by one from seed to seed."""
        return _Played(self, [bots[(seat + seed) % len(bots)] for seat in range(len(bots))], seed).row()


def has_standing(game: Game) -> bool:
    """Return whether the first line of `winner:` is a number: else nobody leads before the end."""
    return game.players > 1 and bool(game.model.winner) and not isinstance(game.model.winner[0][1].type, syntax.YesNo)


def _counted(move: syntax.MoveRule) -> list[tuple[int, str]]:
    """Return the choices of a move whose values are counted: those with few values."""
    found = []
    for number, choice in enumerate(move.choices):
        t = choice.type
        if isinstance(t, syntax.Values):
            many = len(t.members) + t.none + (0 if t.lo is None or t.hi is None else t.hi - t.lo + 1)
            if 2 <= many <= MOST_VALUES:
                found.append((number, choice.name))
    return found


@dataclass(slots=True)
class _Used:
    """How often something was chosen, and how often it would have been by drawing lots."""

    chosen: int = 0
    offered: float = 0.0


@dataclass(slots=True)
class _Played:
    """A game while it is played."""

    lab: Lab
    bots: list[Bot]
    seed: int
    decisions: int = 0  # of players
    legal: int = 0  # moves, over all these decisions
    single: int = 0  # decisions with one legal move only
    first: int = 0  # who decided first
    use: dict[tuple[str, int, Any], _Used] = field(default_factory=dict)  # (move, which choice or -1, its value)
    standings: list[tuple[int, ...]] = field(default_factory=list)

    def row(self) -> Row:
        game = self.lab.game
        try:
            end, rounds = self._play()
            ledger = game.ledger(end)
        except Fault as fault:
            return {"seed": self.seed, "fault": fault.code.value, "decisions": self.decisions}
        except MemoryError:
            return {"seed": self.seed, "fault": NO_MEMORY, "decisions": self.decisions}
        outcome = game.outcome(end)
        assert outcome is not None
        rules = {name: [0, 0, 0] for name in game.model.rules}  # lines, points, what scores really changed by
        for line in ledger:
            noted = rules[line.rule]
            noted[0] += 1
            noted[1] += line.points
            noted[2] += line.gained
        mark = blake2b(digest_size=8)
        for move in game.decisions(end):
            mark.update(f"{move}\n".encode())
        mark.update(f"{outcome.scores} {outcome.winners}".encode())
        return {
            "seed": self.seed,
            "decisions": self.decisions,
            "rounds": rounds,
            "legal": self.legal,
            "single": self.single,
            "first": self.first,
            "winners": list(outcome.winners),
            "scores": list(outcome.scores.values()),
            "rules": rules,
            "standings": [list(standing) for standing in _thinned(self.standings)],
            "use": {self._name(key): [used.chosen, round(used.offered, 6)] for key, used in sorted(self.use.items())},
            "mark": mark.hexdigest(),
        }

    def _play(self) -> tuple[State, int]:
        """Return the end of the game, and how often chance came after a player."""
        game, luck = self.lab.game, Luck(self.seed)
        chance, turns, decided = KeyedChance(game, luck, self.lab.places), [0] * (game.players + 1), False
        state = game.start()
        while (who := state.to_move) is not None:
            if who == CHANCE:
                if decided:
                    chance.come_again()
                    turns, decided = [0] * (game.players + 1), False
                state = game.apply(state, chance.decide(state))
            else:
                move = self.bots[who - 1](game, state, luck.player(who, chance.rounds, turns[who]))
                self._note(who, game.legal_moves(state), move)
                turns[who] += 1
                decided = True
                state = game.apply(state, move)
            self._note_standing(state)
        return state, chance.rounds + decided

    def _note(self, who: int, legal: list[Move], chosen: Move) -> None:
        self.first = self.first or who
        self.decisions += 1
        self.legal += len(legal)
        self.single += len(legal) == 1
        many: dict[tuple[str, int, Any], int] = {}
        for move in legal:
            for key in self._keys(move):
                many[key] = many.get(key, 0) + 1
        for key, n in many.items():
            self.use.setdefault(key, _Used()).offered += n / len(legal)
        for key in self._keys(chosen):
            self.use[key].chosen += 1

    def _keys(self, move: Move) -> list[tuple[str, int, Any]]:
        keys: list[tuple[str, int, Any]] = [
            (move.name, number, move.args[number]) for number, _ in self.lab.counted[move.name]
        ]
        keys.append((move.name, -1, 0))
        return keys

    def _name(self, key: tuple[str, int, Any]) -> str:
        move, number, value = key
        if number < 0:
            return move
        choice = self.lab.game.model.moves[move].choices[number]
        assert isinstance(choice.type, syntax.Values)
        return f"{move}.{choice.name}={self.lab.game.notation.word(value, choice.type)}"

    def _note_standing(self, state: State) -> None:
        if self.lab.has_standing:
            standing = tuple(self.lab.game.standing(state).values())
            if not self.standings or self.standings[-1] != standing:
                self.standings.append(standing)


def _thinned(standings: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return the standings without the first, at which nothing had happened; of very many, evenly some."""
    later, most = standings[1:], MOST_STANDINGS
    return later if len(later) <= most else [later[(i + 1) * len(later) // most - 1] for i in range(most)]
