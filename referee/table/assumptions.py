"""Draws that the referee does not know: it assumes something possible, and assumes otherwise when play shows it."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter import CHANCE, Game, Move, Spot, State, TracedState, UnreadableMove
from referee.record.match import Decided, Match
from referee.table.wording import Wording
from rulespec import syntax

MOST_TRIES = 3_000  # replays to make something fit


class Assumptions:
    """The assumptions of the referee in one match: `match.assumed` are the numbers of those draws."""

    def __init__(self, match: Match, wording: Wording) -> None:
        self.match = match
        self.game: Game = match.game
        self.wording = wording

    def fit(self, move: Move | str) -> bool:
        """Change assumptions so that a move is legal. Return whether that was possible."""
        if not self.match.assumed:
            return False
        try:
            parsed = self.game.parse_move(self.match.state, move) if isinstance(move, str) else move
        except UnreadableMove:
            return False
        tries = iter(range(MOST_TRIES))
        changed = self._search({}, self._kinds(parsed), parsed, tries)
        return changed is not None and self._change(changed)

    def release(self, kind: int | None) -> bool:
        """Change assumptions so that one more piece of a kind can be drawn now. Return whether that was possible."""
        if kind is None:
            return False
        for number in sorted(self.match.assumed, reverse=True):
            d = self.match.decided[number - 1]
            if d.move.args[0] != kind:
                continue
            for other, _ in self.game.chances(d.before):
                change = {number: other.args[0]}
                end = self._replayed(change)
                if end is not None and any(m.args[0] == kind for m, _ in self.game.chances(end)):
                    return self._change(change)
        return False

    def reveal(self, decided: Decided) -> None:
        """Note that pieces which came out are no longer assumed."""
        if decided.player == CHANCE or not self.match.assumed or not isinstance(decided.after, TracedState):
            return
        for m in decided.after.moved:
            if self.wording.open_to_all(m.goal) and not self.wording.open_to_all(m.source):
                for _ in range(m.count):
                    self._known(m.kind, m.source)

    def _known(self, kind: int, source: Spot) -> None:
        same = [n for n in self.match.assumed if self.match.decided[n - 1].move.args[0] == kind]
        drawn_there = [n for n in same if self._goal(n) == source]
        for number in (drawn_there or same)[:1]:
            self.match.assumed.discard(number)

    def _goal(self, number: int) -> Spot:
        after = self.match.decided[number - 1].after
        assert isinstance(after, TracedState)
        return after.moved[0].goal

    def _kinds(self, move: Move) -> list[int]:
        """Return the kinds of pieces that a move names."""
        found: list[int] = []
        for value, choice in zip(move.args, self.game.model.moves[move.name].choices, strict=True):
            if isinstance(choice.type, syntax.Several):
                found += [kind for kind, n in zip(choice.type.kinds, value, strict=True) for _ in range(n)]
            elif value in self.game.model.kinds:
                found.append(value)
        return found

    def _search(
        self, changes: dict[int, int], kinds: list[int], move: Move, tries: Iterator[int]
    ) -> dict[int, int] | None:
        """Return changes after which a move is legal: for each kind it names at most one draw becomes it."""
        if next(tries, None) is None:
            return None
        end = self._replayed(changes)
        if end is None:
            return None
        if self.game.is_legal(end, move):
            return changes
        if not kinds:
            return None
        for number in sorted(self.match.assumed, key=self._order):
            if number in changes:
                continue
            found = self._search(self._becoming(changes, number, kinds[0]), kinds[1:], move, tries)
            if found is not None:
                return found
        return self._search(changes, kinds[1:], move, tries)

    def _order(self, number: int) -> tuple[bool, int]:
        """Return a sort key: draws into the places of the player to move first, the latest first."""
        goal = self._goal(number)
        place = self.game.model.places[goal.family]
        index = self.wording.spots[goal]
        mine = "player" in place.index and index[place.index.index("player")] == self.match.state.to_move
        return not mine, -number

    def _becoming(self, changes: dict[int, int], number: int, kind: int) -> dict[int, int]:
        """Return changes by which one draw becomes a kind, and another that was assumed to be it what this one was."""
        codes: dict[int, int] = {n: self.match.decided[n - 1].move.args[0] for n in self.match.assumed} | changes
        others = [n for n in codes if n != number and n not in changes and codes[n] == kind]
        together = {**changes, number: kind}
        if others:
            together[others[0]] = codes[number]
        return together

    def _replayed(self, changes: dict[int, int]) -> State | None:
        """Return the present position with other assumptions; None if some decision does not fit them."""
        if not changes:
            return self.match.state
        decided = self.match.decided
        state = decided[min(changes) - 1].before
        for move in self._moves(changes):
            if not self.game.is_legal(state, move):
                return None
            state = self.game.apply(state, move)
        return state

    def _moves(self, changes: dict[int, int]) -> list[Move]:
        """Return all decisions from the first that changes."""
        moves = []
        for d in self.match.decided[min(changes) - 1 :]:
            code = changes.get(d.number)
            if code is None:
                moves.append(d.move)
            else:
                moves.append(Move(d.move.name, (code,), self.game.notation.chance(d.move.name, code)))
        return moves

    def _change(self, changes: dict[int, int]) -> bool:
        if changes:
            self.match.amend(min(changes) - 1, self._moves(changes))
        return True
