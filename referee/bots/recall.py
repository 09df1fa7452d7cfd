"""Hidden variables as a player can work them out: the game is played again the way they saw it, with other secrets."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from interpreter import CHANCE, HIDDEN, Game, Move, State, cost_among
from rulespec import syntax

MOST_LOOKED_AT = 30  # decisions that are drawn in place of one that was not seen, until one looks the same


@dataclass(frozen=True, slots=True)
class SeenDecision:
    """A decision on the way to a position, and what one player saw of it."""

    before: State
    move: Move
    after: State
    words: str  # of the decision
    told: tuple[str, ...]

    @property
    def hidden(self) -> bool:
        return any(HIDDEN in word.split(",") for word in self.words.split())

    @property
    def nameless(self) -> bool:
        """Whether not even the move was seen: several players decided at the same time."""
        return self.words == HIDDEN


class Recall:
    """The way to a position as one player saw it, from where the first of their doubts began.

    INVARIANT: what is recalled depends on what the player saw, and on the random numbers given, and on nothing else.
    """

    def __init__(self, game: Game, state: State, me: int, values: list[tuple[str, int]]) -> None:
        self.game, self.me = game, me
        self.looked = 0  # what was done, in decisions
        self.values = values  # that the player does not see, and may not know
        self.way: list[SeenDecision] | None = None  # None: it is not known
        moments = self._moments(state)
        if moments is not None:
            first = [self._first_doubt(moments, *value) for value in values]
            self.values = [value for value, n in zip(values, first, strict=True) if n is not None]
            self.way = moments[min((n for n in first if n is not None), default=len(moments)) :]

    @property
    def start(self) -> State | None:
        """The position from which the way is gone again."""
        return self.way[0].before if self.way else None

    # what was seen -----------------------------------------------------------------------------------------

    def _moments(self, state: State) -> list[SeenDecision] | None:
        """Return all decisions up to a position; None if it was not reached from a beginning of the game."""
        moves = self.game.decisions(state)
        if len(moves) != state.decisions:
            return None
        for begun in self._beginnings():
            now, found = begun, list[SeenDecision]()
            for move in moves:
                if not self.game.is_legal(now, move):
                    break
                after = self.game.apply(now, move)
                found.append(self._moment(now, move, after))
                now = after
            if now.vector == state.vector:
                return found
        return None

    def _beginnings(self) -> Iterator[State]:
        yield self.game.start()
        for player in range(2, self.game.players + 1):
            if given := self.game.begun_by(player):
                yield self.game.start(given=given)

    def _moment(self, before: State, move: Move, after: State) -> SeenDecision:
        words, _ = self.game.sight.words(before, move, self.me, after)
        return SeenDecision(before, move, after, words, self._told(before, after))

    def _told(self, before: State, after: State) -> tuple[str, ...]:
        return tuple(line.text(viewer=self.me) for line in self.game.told(after, before))

    def _first_doubt(self, moments: list[SeenDecision], name: str, number: int) -> int | None:
        """Return the first decision that the player did not see and that may have set a value, since they were shown it."""
        first = None
        for n, moment in enumerate(moments):
            if moment.hidden and (name in self._derived or moment.nameless or name in self._written(moment.move.name)):
                first = n if first is None else first
            if self._was_shown(moment, name, number) and name not in self._shown_by(moment.move.name):
                first = None
        return first

    def _was_shown(self, moment: SeenDecision, name: str, number: int) -> bool:
        shown = self.game.values_shown(moment.after, moment.before)
        return any((name, number) in values for to, values in shown if self.me in to)

    @cached_property
    def _derived(self) -> frozenset[str]:
        return self.game.sight.secrecy.derived()

    def _written(self, move: str) -> frozenset[str]:
        """Return the variables that a move may set."""
        steps = self._steps_of(move)
        return frozenset(step.variable for step in steps if isinstance(step, syntax.SetStep))

    def _shown_by(self, move: str) -> frozenset[str]:
        """Return the variables that a move itself shows, perhaps before it sets them."""
        places = [step.place for step in self._steps_of(move) if isinstance(step, syntax.ShowStep)]
        return frozenset(place.variable for place in places if isinstance(place, syntax.VariableRead))

    def _steps_of(self, move: str) -> list[syntax.Step]:
        """Return all steps of a move, and of the named steps that it does."""
        model = self.game.model
        found = syntax.all_steps(model.moves[move].does) if move in model.moves else []
        for step in found:  # it grows
            if isinstance(step, syntax.DoStep):
                body = syntax.all_steps(model.procedures[step.name].body)
                found += [inner for inner in body if inner not in found]
        return found

    # going there again -------------------------------------------------------------------------------------

    def again(self, now: State, rng: random.Random) -> State | None:
        """Return where the way leads from a position, with other decisions where they were not seen.

        None: something that the player saw comes out otherwise.
        """
        assert self.way is not None
        for moment in self.way:
            if now.to_move != moment.before.to_move:
                return None
            move = self._like(now, moment, rng)
            if move is None:
                return None
            after = self.game.apply(now, move)
            same = self.game.view(after, self.me) == self.game.view(moment.after, self.me)
            if not same or self._told(now, after) != moment.told:
                return None
            now = after
        return now

    def _like(self, now: State, moment: SeenDecision, rng: random.Random) -> Move | None:
        """Return a legal decision that looks to the player like the one that was made."""
        self.looked += cost_among(self.game, now, self.game.count_moves(now))
        if not moment.hidden:
            return moment.move if self.game.is_legal(now, moment.move) else None
        if now.to_move == CHANCE:
            outcomes = self.game.chances(now)
        else:
            moves = self.game.legal_moves(now)
            outcomes = [(m, 1) for m in moves if moment.nameless or m.name == moment.move.name]
        moves, weights = [m for m, _ in outcomes], [weight for _, weight in outcomes]
        for move in rng.choices(moves, weights, k=MOST_LOOKED_AT) if moves else ():
            if self.game.sight.words(now, move, self.me)[0] == moment.words:
                return move
        return None
