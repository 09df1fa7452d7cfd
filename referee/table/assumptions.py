"""Pieces that the referee does not know: it assumes something possible, and assumes otherwise when play shows it.

An assumption is a decision of the match that nobody told the referee in full: a draw that was typed as `?`, or a move of a piece that
only its owner saw. Pieces that nobody can tell apart may be exchanged in all of them: that is how an assumption is changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from interpreter import CHANCE, Game, Move, Movement, State, TracedState, UnreadableMove
from referee.record.match import Decided, Match
from referee.table import texts
from referee.table.draw_input import UNKNOWN_WORD
from referee.table.draws import BadDraw
from referee.table.wording import Wording
from rulespec import listed, quoted, syntax

MOST_TRIES = 400  # replays to make something fit
MOST_EXCHANGES = 2  # of two kinds, for one kind that is to be elsewhere

Changes = Mapping[int, int]  # the kinds that decisions are about instead, by the numbers of the decisions


class Assumptions:
    """The assumptions of the referee in one match: `match.assumed` are the numbers of those decisions."""

    def __init__(self, match: Match, wording: Wording) -> None:
        self.match = match
        self.game: Game = match.game
        self.wording = wording
        self.model = match.game.model
        self._tries: Iterator[int] = iter(())
        self._open: dict[int, int] = {}  # what the assumptions are about that may be changed now, the likeliest first

    # changing assumptions --------------------------------------------------------------------------------

    def fit(self, move: Move | str) -> bool:
        """Change assumptions so that a move is legal. Return whether that was possible."""
        try:
            parsed = self.game.parse_move(self.match.state, move) if isinstance(move, str) else move
        except UnreadableMove:
            return False
        return self._fit(self.unknown(), self._kinds(parsed), lambda state: self.game.is_legal(state, parsed))

    def release(self, kind: int | None) -> bool:
        """Change assumptions so that one more piece of a kind can be drawn now. Return whether that was possible."""
        if kind is None:
            return False
        return self._fit(
            self.unknown(), [kind], lambda state: any(m.args[0] == kind for m, _ in self.game.chances(state))
        )

    def come_out(self, kind: int, way: Movement, named: Sequence[Movement]) -> bool:
        """Change assumptions so that a piece which went this way just now is of a kind; those named before stay.

        Return whether that was possible.
        """
        wanted = [Movement(kind, way.count, way.source, way.goal), *named]
        last = len(self.match.decided)
        assumed = self._unknown_after(last - 1) | (self.match.assumed & {last})
        return self._fit(assumed, [kind], lambda state: all(m in _moved(state) for m in wanted))

    def _fit(self, assumed: set[int], kinds: list[int], fits: Callable[[State], bool]) -> bool:
        """Change some of the assumptions so that the present position fits. Return whether that was possible."""
        if not assumed:
            return False
        self._open = {n: self._about(n) for n in sorted(assumed, key=self._order)}
        self._tries = iter(range(MOST_TRIES))
        for most in range(1, MOST_EXCHANGES + 1):
            changes = self._search({}, kinds, most, fits)
            if changes is not None:
                if changes:
                    self.match.amend(min(changes) - 1, self._moves(changes))
                return True
        return False

    def _search(self, changes: Changes, kinds: list[int], most: int, fits: Callable[[State], bool]) -> Changes | None:
        """Return changes after which the position fits: for each kind, at most so many exchanges of pieces."""
        if next(self._tries, None) is None:
            return None
        end = self._replayed(changes)
        if end is None:
            return None
        if fits(end):
            return changes
        if not kinds:
            return None
        for exchanged in self._exchanges(changes, kinds[0], most):
            found = self._search(exchanged, kinds[1:], MOST_EXCHANGES, fits)
            if found is not None:
                return found
        return self._search(changes, kinds[1:], MOST_EXCHANGES, fits)

    def _exchanges(self, changes: Changes, kind: int, most: int) -> Iterator[Changes]:
        """Yield changes by which a kind is where another one was assumed: after two others took each other's place, if two steps are allowed."""
        if most == 1:
            yield from self._with_another(changes, kind)
            return
        for first in dict.fromkeys(self._now(changes).values()):
            for exchanged in self._with_another(changes, first):
                if next(self._tries, None) is not None and self._replayed(exchanged) is not None:
                    yield from self._with_another(exchanged, kind)

    def _now(self, changes: Changes) -> dict[int, int]:
        """Return what the assumptions that may be changed are about, those of the player to move first, the latest first."""
        return {n: changes.get(n, kind) for n, kind in self._open.items()}

    def _with_another(self, changes: Changes, kind: int) -> Iterator[Changes]:
        """Yield all ways in which a kind and one that looks alike take each other's place, in the assumptions from some decision on."""
        about = self._now(changes)
        others = [*about.values(), *(self.model.kinds if kind in about.values() else ())]
        for other in dict.fromkeys(others):
            if other == kind or self._looks[other] != self._looks[kind]:
                continue
            if self._is_single(kind) and self._is_single(other):
                named = sorted(n for n, code in about.items() if code in (kind, other))
                groups = [named[i:] for i in range(len(named))]
            else:
                mine = [n for n, code in about.items() if code == kind]
                groups = [
                    group for n, code in about.items() if code == other for group in ([n], *([n, m] for m in mine))
                ]
                groups += [[n] for n in mine]
            for group in groups:
                exchanged = about | {n: kind if about[n] == other else other for n in group}
                yield {n: code for n, code in exchanged.items() if code != self._open[n]}

    def _order(self, number: int) -> tuple[bool, int]:
        """Return a sort key: decisions about the places of the player to move first, the latest first."""
        goal = self._movement(self.match.decided[number - 1]).goal
        place = self.model.places[goal.family]
        index = self.wording.spots[goal]
        mine = "player" in place.index and index[place.index.index("player")] == self.match.state.to_move
        return not mine, -number

    @cached_property
    def _looks(self) -> dict[int, frozenset[tuple[str, int | None]]]:
        """For each kind the places where it may lie, and what it shows there: kinds that agree cannot be told apart unseen."""
        places = self.model.places.values()
        return {
            kind: frozenset((p.name, self.game.shown(p.name, kind)) for p in places if kind in p.kinds)
            for kind in self.model.kinds
        }

    def _is_single(self, kind: int) -> bool:
        """Return whether there is one piece of a kind."""
        return self._counts[kind] == 1

    @cached_property
    def _counts(self) -> Counter[int]:
        counts: Counter[int] = Counter()
        for spot in self.wording.spots:
            for kind, n in self.wording.lying(self.match.state, spot):
                counts[kind] += n
        return counts

    def _replayed(self, changes: Changes) -> State | None:
        """Return the present position with other assumptions; None if some decision does not fit them."""
        if not changes:
            return self.match.state
        state = self.match.decided[min(changes) - 1].before
        for move in self._moves(changes):
            if not self.game.is_legal(state, move):
                return None
            state = self.game.apply(state, move)
        return state

    def _moves(self, changes: Changes) -> list[Move]:
        """Return all decisions from the first that changes."""
        return [
            self._instead(d, changes[d.number]) if d.number in changes else d.move
            for d in self.match.decided[min(changes) - 1 :]
        ]

    def _instead(self, d: Decided, kind: int) -> Move:
        """Return a decision about another kind."""
        if d.player == CHANCE:
            return Move(d.move.name, (kind,), self.game.notation.chance(d.move.name, kind))
        at = self._chosen(d.move, d.after)
        assert at is not None
        args = (*d.move.args[:at], kind, *d.move.args[at + 1 :])
        return Move(d.move.name, args, self.game.notation.move(d.move.name, args))

    # what decisions are about ----------------------------------------------------------------------------

    def _about(self, number: int) -> int:
        """Return the kind that an assumed decision is about."""
        d = self.match.decided[number - 1]
        at = 0 if d.player == CHANCE else self._chosen(d.move, d.after)
        assert at is not None
        code: int = d.move.args[at]
        return code

    def _movement(self, d: Decided) -> Movement:
        """Return how the piece moved that an assumed decision is about."""
        kind = self._about(d.number)
        return next(m for m in _moved(d.after) if m.kind == kind)

    def _chosen(self, move: Move, after: State) -> int | None:
        """Return which choice of a move is a piece that goes from one hidden place to another; None: none is."""
        open_to_all = self.wording.open_to_all
        for at, choice in enumerate(self.model.moves[move.name].choices):
            if not isinstance(choice.type, syntax.Several) and move.args[at] in self.model.kinds:
                ways = [m for m in _moved(after) if m.kind == move.args[at]]
                if ways and not any(open_to_all(m.source) or open_to_all(m.goal) for m in ways):
                    return at
        return None

    def _kinds(self, move: Move) -> list[int]:
        """Return the kinds of pieces that a move names."""
        found: list[int] = []
        for value, choice in zip(move.args, self.model.moves[move.name].choices, strict=True):
            if isinstance(choice.type, syntax.Several):
                found += [kind for kind, n in zip(choice.type.kinds, value, strict=True) for _ in range(n)]
            elif value in self.model.kinds:
                found.append(value)
        return found

    # what is known ---------------------------------------------------------------------------------------

    def unknown(self) -> set[int]:
        """Return the numbers of the assumed decisions about pieces that did not come out since."""
        return self._unknown_after(len(self.match.decided))

    def _unknown_after(self, count: int) -> set[int]:
        """Return the same as it was after so many decisions."""
        return set(self._unseen_after(count))

    def _unseen_after(self, count: int) -> dict[int, int]:
        """Return the kinds that the assumed decisions are about which nobody saw since, by their numbers."""
        left: dict[int, int] = {}
        for d in self.match.decided[:count] if self.match.assumed else ():
            if d.number in self.match.assumed:
                left[d.number] = self._about(d.number)
            if left:
                for m in self._came_out(d):
                    self._forget(left, m)
        return left

    def _came_out(self, d: Decided) -> list[Movement]:
        """Return how pieces came out that nobody could see before."""
        open_to_all = self.wording.open_to_all
        return [m for m in _moved(d.after) if open_to_all(m.goal) and not open_to_all(m.source)]

    def _forget(self, left: dict[int, int], came_out: Movement) -> None:
        """Take decisions away that are about a piece which came out: about this very one, if it is the only one of its kind."""
        same = [n for n, kind in left.items() if kind == came_out.kind]
        if same and not self._is_single(came_out.kind):
            there = [n for n in same if self._movement(self.match.decided[n - 1]).goal == came_out.source]
            same = (there or same)[: came_out.count]
        for number in same:
            del left[number]

    def unnamed(self) -> list[Movement]:
        """Return how unknown pieces came out with the last decision, which does not name them: somebody must say what they are."""
        if not self.match.assumed or not self.match.decided:
            return []
        d = self.match.decided[-1]
        named = [d.move.args[0]] if d.player == CHANCE else self._kinds(d.move)
        came_out = [m for m in self._came_out(d) if m.kind not in named]
        if not came_out:
            return []
        unseen = set(self._unseen_after(d.number - 1).values())
        return [m for m in came_out if m.kind in unseen]

    # pieces that only their owner saw --------------------------------------------------------------------

    def unseen(self, line: str) -> Move | None:
        """Return a possible move for a line in which `?`, or what its back shows, stands for a piece that only its owner saw.

        None: the line is no such move. Raises BadDraw if the pieces that it can be show different backs.
        """
        state, typed = self.match.state, line.split()
        if not state.to_move or state.to_move == CHANCE or typed[:1] == [UNKNOWN_WORD]:
            return None  # with `?` in front it asks for a list
        found: dict[str, Move] = {}  # by what its back shows
        for move in self.game.legal_moves(state):
            own = str(move).split()[-len(typed) :]
            differs = [i for i, (word, other) in enumerate(zip(typed, own, strict=False)) if word != other]
            if len(own) != len(typed) or len(differs) != 1:
                continue
            after = self.game.apply(state, move)
            at = self._chosen(move, after)
            if at is None or own[differs[0]] != self.model.value_name(move.args[at]):
                continue
            back = self._back(move.args[at], after)
            if typed[differs[0]] in (UNKNOWN_WORD, back):
                found.setdefault(back, move)
        if len(found) > 1:
            raise BadDraw(texts.SAY_THE_BACK.format(backs=listed(quoted(sorted(found)), "or")))
        return next(iter(found.values()), None)

    def _back(self, kind: int, after: State) -> str:
        """Return what a piece shows that a move hid: to everybody, where it lies now."""
        goal = next(m.goal for m in reversed(_moved(after)) if m.kind == kind)
        shown = self.game.shown(goal.family, kind)
        return "" if shown is None else self.model.value_name(shown)


def _moved(state: State) -> tuple[Movement, ...]:
    assert isinstance(state, TracedState)
    return state.moved
