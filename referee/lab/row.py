"""One game as one row of numbers: how it is played, and what is noted of it.

A row is plain data and depends on the rules, the players and the seed alone. Sums and counts are noted and no means, so that a
measure can be worked out later.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from interpreter import CHANCE, Fault, Game, KeyedGames, Move, State, seeds
from referee.bots import Bot, play_random
from referee.lab.columns import (
    GAINED,
    GIVEN,
    LINES,
    NOTED,
    UNCOUNTED,
    ColumnHeads,
    GameColumns,
    Row,
    counted_games,
    is_counted,
    mark_word,
    winner_bits,
)
from referee.lab.kings import KINGS, KingmakingWatcher
from referee.lab.luck import KeyedChance, Luck, chance_places
from referee.lab.watchers import DRAMA, DramaWatcher, Watcher, evenly
from rulespec import syntax

MOST_DECISIONS = 10_000  # of one game
NO_MEMORY = "no-memory"  # what a row has for `fault` where the moves of a position did not fit
MOST_VALUES = 16  # of a choice whose use is counted, value by value
MOST_STANDINGS = 400  # that a row has
WATCHERS: dict[str, type[Watcher]] = {DRAMA: DramaWatcher, KINGS: KingmakingWatcher}
FEWEST_PLAYERS = {DRAMA: 2, KINGS: 3}  # for a watcher to see anything


class Lab:
    """A game made ready to be played many times."""

    def __init__(self, game: Game, watched: Sequence[str] = ()) -> None:
        """`watched` names the watchers of its games."""
        self.game, self.watched = game, tuple(watched)
        self.places = chance_places(game)
        self.has_standing = has_standing(game)
        self.counted = {name: list(_counted(move)) for name, move in game.model.moves.items()}

    def play(self, bots: Sequence[Bot], seed: int) -> Row:
        """Return the row of the game with this seed. The seats of the players move on by one from seed to seed.

        Random players play natively where that is possible and nobody watches; the row is the same.
        """
        return self.play_many(bots, range(seed, seed + 1))[0]

    def play_many(self, bots: Sequence[Bot], seeds: Sequence[int], seldom: bool = False) -> GameColumns:
        """Return the games with these seeds as columns. `seldom`: legal moves of random players are counted in few games."""
        at_random = all(bot is play_random for bot in bots)
        found = GameColumns(self.heads_of(at_random))
        if at_random and not self.watched and self._native is not None:
            noted = self._native.play(seeds, counted_games(seeds) if seldom else b"")
            faults = {place: _fault_of(error) for place, error in noted.faults.items()}
            found.take(seeds, noted.numbers, noted.standings, noted.marks, faults)
        else:
            for seed in seeds:
                seated = [bots[(seat + seed) % len(bots)] for seat in range(len(bots))]
                counted = not (at_random and seldom) or is_counted(seed)
                found.add(_Played(self, seated, seed, not at_random, counted).row())
        return found

    def heads_of(self, at_random: bool) -> ColumnHeads:
        """Return the names and numbers that the columns of its games depend on.

        Players who are all random choose everything as often as drawing lots would: how they use moves is not counted.
        """
        scores = self.game.players if "score" in self.game.model.variables else 0
        use = () if at_random else self._names
        return ColumnHeads(self.game.players, scores, tuple(self.game.model.rules), use, self.watched)

    @cached_property
    def _names(self) -> tuple[str, ...]:
        """Everything whose use is counted, in the order of a row."""
        return tuple(self._all_names())

    def _all_names(self) -> Iterator[str]:
        for move in sorted(self.game.model.moves):
            yield move
            for number, name in self.counted[move]:
                t = self.game.model.moves[move].choices[number].type
                assert isinstance(t, syntax.Values)
                numbers = range(t.lo, t.hi + 1) if t.lo is not None and t.hi is not None else ()
                for code in (*numbers, *([syntax.NONE] if t.none else []), *sorted(t.members)):
                    yield f"{move}.{name}={self.game.notation.word(code, t)}"

    @cached_property
    def _native(self) -> KeyedGames | None:
        most = MOST_STANDINGS if self.has_standing else 0
        return self.game.keyed_games(lambda point: self.places.get(point.span, point.kind), most)

    def use_name(self, use: tuple[str, int, int]) -> str:
        """Return the name of a use in rows: of a move, which of its choices or -1, and its value."""
        move, number, value = use
        if number < 0:
            return move
        choice = self.game.model.moves[move].choices[number]
        assert isinstance(choice.type, syntax.Values)
        return f"{move}.{choice.name}={self.game.notation.word(value, choice.type)}"


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
    counts: bool  # how moves are used
    counted: bool  # legal moves
    decisions: int = 0  # of players
    legal: int = 0  # moves, over all these decisions,
    single: int = 0  # and decisions with one of them only; UNCOUNTED if they are not counted
    first: int = 0  # who decided first
    use: dict[tuple[str, int, Any], _Used] = field(default_factory=dict)  # (move, which choice or -1, its value)
    standings: list[tuple[int, ...]] = field(default_factory=list)
    watchers: dict[str, Watcher] = field(init=False)

    def __post_init__(self) -> None:
        self.watchers = {
            name: WATCHERS[name](self.lab.game, self.lab.has_standing, self.seed) for name in self.lab.watched
        }
        if not self.counted:
            self.legal = self.single = UNCOUNTED

    def row(self) -> Row:
        game = self.lab.game
        try:
            end, rounds = self._play()
            ledger = game.ledger(end)
            outcome = game.outcome(end)
        except (Fault, MemoryError) as error:
            return _fault_row(self.seed, error, self.decisions)
        assert outcome is not None
        watched = {name: watcher.noted(outcome) for name, watcher in self.watchers.items()}
        rules = {name: [0] * NOTED for name in game.model.rules}
        for line in ledger:
            noted = rules[line.rule]
            noted[LINES] += 1
            noted[GIVEN] += line.points
            noted[GAINED] += line.gained
        winners, scores = list(outcome.winners), list(outcome.scores.values())
        return {
            "seed": self.seed,
            "decisions": self.decisions,
            "rounds": rounds,
            "legal": self.legal,
            "single": self.single,
            "first": self.first,
            "winners": winners,
            "scores": scores,
            "rules": rules,
            "standings": _thinned(self.standings),
            "use": {
                self.lab.use_name(key): [used.chosen, _millionths(used.offered)]
                for key, used in sorted(self.use.items())
            },
            "mark": _mark(map(str, game.decisions(end)), scores, winners),
            **({"watched": watched} if watched else {}),
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
                for watcher in self.watchers.values():
                    watcher.see(state)
                move = self.bots[who - 1](game, state, luck.player(who, chance.rounds, turns[who]))
                self._note(who, state, move)
                turns[who] += 1
                decided = True
                state = game.apply(state, move)
            self._note_standing(state)
        return state, chance.rounds + decided

    def _note(self, who: int, state: State, chosen: Move) -> None:
        self.first = self.first or who
        self.decisions += 1
        if not self.counted:
            return
        legal = self.lab.game.legal_moves(state)
        self.legal += len(legal)
        self.single += len(legal) == 1
        if self.counts:
            self._count(legal, chosen)

    def _count(self, legal: list[Move], chosen: Move) -> None:
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

    def _note_standing(self, state: State) -> None:
        if self.lab.has_standing:
            standing = tuple(self.lab.game.standing(state).values())
            if not self.standings or self.standings[-1] != standing:
                self.standings.append(standing)


def _fault_row(seed: int, error: Exception, decisions: int) -> Row:
    """Return the row of a game that has no end: of one with a fault, or one whose moves did not fit."""
    return {"seed": seed, "fault": _fault_of(error), "decisions": decisions}


def _fault_of(error: Exception) -> str:
    return error.code.value if isinstance(error, Fault) else NO_MEMORY


def _millionths(number: float) -> float:
    """Return a number in whole millionths, as the native library rounds it."""
    return round(number * 1e6) / 1e6


def _mark(decisions: Iterable[str], scores: list[int], winners: list[int]) -> str:
    """Return what tells games apart: all decisions in words, and how it ended."""
    return mark_word(seeds.mark_of([*map(_word_mark, decisions)], scores, winner_bits(winners)))


_word_mark = lru_cache(maxsize=10_000)(seeds.word_mark)


def _thinned(standings: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the standings without the first, at which nothing had happened; of very many, evenly some."""
    return [list(standing) for standing in evenly(standings[1:], MOST_STANDINGS)]


__all__ = ["MOST_DECISIONS", "Lab", "Row", "has_standing"]
