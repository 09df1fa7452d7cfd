"""One position and one decision at a time, natively: what `Game` uses once there is a library.

A position made here has its numbers as bytes, its legal moves as action numbers, and knows how it was reached. Everything
else, such as why points were scored, is worked out in Python when somebody asks, by deciding the same once more.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Any

from interpreter.compile.actions import Actions
from interpreter.fault import Fault
from interpreter.run.library import DECISIONS, OVER, PLAYER, SCORED, Games, IllegalAction, Library
from interpreter.run.runtime import DRAW, ROLL
from interpreter.seeds import next_seed
from interpreter.state import Args, Between, Link, Move, State, Unlogged

NO_ACTIONS = array("i")
MOVES_KEPT = 20_000  # moves as people handle them that are kept for the next time


class NativeState(State):
    """A position that was reached natively; see `State`."""

    __slots__ = ("_between", "_root", "actions", "packed")

    def __init__(
        self,
        packed: bytes,
        actions: array[int],
        to_move: int | None,
        decisions: int,
        scored: bool,
        seed: int | None,
        past: Link | None,
        root: State | None,
        between: Between,
    ) -> None:
        self.packed = packed  # the vector, in numbers of 32 bits
        self.actions = actions  # the legal ones, where a player decides
        self.to_move = to_move
        self.decisions = decisions
        self.scored = scored
        self.seed = seed
        self._past = past
        self._root = root  # from where it is worked out why points were scored: a position, or None for the start
        self._between = between

    def __getattr__(self, name: str) -> Any:
        """Work out what was not needed so far."""
        if name == "vector":
            self.vector = tuple(array("i", self.packed))
        elif name == "_log":
            self._log = Unlogged(self, self._root, self._reasons)
        elif name == "_groups":
            self._groups = []
        else:
            raise AttributeError(name)
        return getattr(self, name)

    def _reasons(self, since: State | None, end: State) -> list[Any]:
        found = self._between(since, end)
        if since is self._root:
            self._root = self  # for positions that come after this
        return found

    def with_seed(self, seed: int | None) -> State:
        packed, actions, past = self.packed, self.actions, self._past
        other = NativeState(
            packed, actions, self.to_move, self.decisions, self.scored, seed, past, self._root, self._between
        )
        other._log = self._log  # worked out for both, if ever
        return other


class NativeVerbs:
    """The verbs of one game, for one thread."""

    def __init__(
        self,
        library: Library,
        actions: Actions,
        names: Sequence[str],
        limit: int,
        named: Callable[[int, Args], Move],
        between: Between,
    ) -> None:
        self._actions = actions
        self._indexes = {name: i for i, name in enumerate(names)}
        self._named = named  # a move as people handle it, by its number in the rules and what is chosen
        self._between = between
        self._games = Games(library, 1, limit, moves=True, luck=True)
        self._at: State | None = None  # the position in the buffers, its legal moves listed
        self._moves: dict[int, Move] = {}  # by their numbers
        # INVARIANT: of each of these, and of no other, its number and what a position remembers of it, by its identity:
        # as long as it is in `_moves`, nothing else has that
        self._known: dict[int, tuple[int, tuple[int, Args]]] = {}

    def legal_moves(self, state: NativeState) -> list[Move]:
        """Return the legal moves of a position in which a player decides."""
        listed = self._moves.__getitem__
        try:
            return list(map(listed, state.actions))
        except KeyError:
            self._name(state.actions)
            return list(map(listed, state.actions))

    def _name(self, actions: array[int]) -> None:
        """Make the moves of all these numbers."""
        moves = self._moves
        if len(moves) > MOVES_KEPT:
            moves.clear()
            self._known.clear()
        for number in actions:
            if number not in moves:
                move = moves[number] = self._named(*self._actions.move(number))
                self._known[id(move)] = number, (self._indexes[move.name], move.args)

    def start(self, seed: int | None) -> NativeState | None:
        """Return the position before the first decision; None if that leads to a fault. Python then says what is wrong."""
        self._at = None
        try:
            trail = self._games.start_one(seed)
        except Fault:
            return None
        return self._reached(seed, None, trail, None)

    def apply(self, state: State, move: Move) -> NativeState | None:
        """Return the position after a decision of a player; None if it is not legal, or leads to a fault.

        Python then says what is wrong.
        """
        known = self._known.get(id(move)) or self._numbered(move)
        if known is None:
            return None
        number, decided = known
        try:
            if self._at is not state:
                self._bring(state)
            self._at = None
            trail = self._games.step_one(number, state.seed)
        except (Fault, IllegalAction):
            self._at = None
            return None
        return self._reached(
            state.seed, (state._past, decided), trail, state._root if type(state) is NativeState else state
        )

    def _reached(self, seed: int | None, past: Link | None, trail: Sequence[int], root: State | None) -> NativeState:
        """Return the position in the buffers."""
        games = self._games
        if trail:
            for entry in trail:
                past = (past, (ROLL if entry & 1 else DRAW, entry >> 1))
            if seed is not None:
                seed = next_seed(seed)
        record = games.games
        player: int | None = record[PLAYER]
        if player == OVER:
            player = None
        actions = games.moves[: games.offsets[1]] if player else NO_ACTIONS
        scored = record[SCORED] != 0
        after = NativeState(
            games.states.tobytes(), actions, player, record[DECISIONS], scored, seed, past, root, self._between
        )
        self._at = after
        return after

    def number_of(self, move: Move) -> int:
        """Return the number of a legal move."""
        known = self._known.get(id(move)) or self._numbered(move)
        assert known is not None
        return known[0]

    def _numbered(self, move: Move) -> tuple[int, tuple[int, Args]] | None:
        """Return the number of a move that was not listed here before, and what a position remembers of it.

        None if it has no number.
        """
        index = self._indexes.get(move.name)
        if index is None:
            return None
        try:
            return self._actions.number(index, move.args), (index, move.args)
        except ValueError:
            return None

    def _bring(self, state: State) -> None:
        """Load a position into the buffers, and list its legal moves."""
        games = self._games
        if type(state) is NativeState:
            games.states[:] = array("i", state.packed)
        else:
            games.states[:] = array("i", state.vector)
        games.set_waiting(0, state.decisions)
        games.legal()
        self._at = state
