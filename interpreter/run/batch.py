"""Many games at once, for programs that play or learn: legal actions as numbers and masks, steps, random play, outcomes.

    batch = game.batch(1024, seeds=range(1024), masks=True)
    while batch.going:
        batch.step(policy(batch.positions, batch.masks))   # one action for each game
    batch.places                                           # of every player: 1 is the best

Chance plays itself, each game from its own seed. Everything that comes out is a view of memory that the next call writes
into: `numpy.asarray(batch.masks)` copies nothing, and NumPy is not needed.

An action is a number: the same number is the same move in every position, see `interpreter.compile.actions`. Where a game has more
moves than numbers (`batch.actions` is None), it is an index into the list of legal moves.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

from interpreter.compile.actions import Actions
from interpreter.fault import LIMIT
from interpreter.run.library import DECISIONS, FIELDS, PLAYER, Games, Library


class Batch:
    """n games that are played side by side. Not for use by several threads at a time."""

    def __init__(
        self,
        library: Library,
        actions: Actions | None,
        n: int,
        seeds: int | Sequence[int] = 0,
        *,
        masks: bool = False,
        limit: int = LIMIT,
    ) -> None:
        """`seeds` are one for each game, or the first of n consecutive ones."""
        if n < 1:
            raise ValueError(f"expected at least 1 game in a batch, found {n}")
        if masks and actions is None:
            raise ValueError("this game has more moves than a mask can hold")
        self.actions = actions  # the numbers of all moves; None: an action is an index into the legal ones
        self.n, self.players, self.size = n, library.players, library.size
        self._score = library.score
        self._games = Games(library, n, limit, moves=True, mask=masks)
        self._has_masks = masks
        self._listed = True
        self.start(seeds)

    def __len__(self) -> int:
        return self.n

    def start(self, seeds: int | Sequence[int] = 0) -> None:
        """Start all games again."""
        if not isinstance(seeds, int) and len(seeds) != self.n:
            raise ValueError(f"expected {self.n} seeds, found {len(seeds)}")
        self._games.seed(seeds)
        self._listed = False
        self._games.start()
        self._listed = True

    def restart(self, games: Iterable[int], seeds: Iterable[int]) -> None:
        """Start some games again, each with a seed."""
        self._listed = False
        for game, seed in zip(games, seeds, strict=True):
            if not 0 <= game < self.n:
                raise IndexError(f"there is no game {game}")
            self._games.restart(game, seed)

    def step(self, actions: Sequence[int] | array[int] | memoryview) -> None:
        """Make one decision in every game that is not over, chance after it included; a negative action leaves a game as it is.

        IllegalAction if one is not legal: then no game is changed. A Fault of a game is raised when all others have
        made theirs; that game has ended.
        """
        given = _numbers(actions)
        if len(given) != self.n:
            raise ValueError(f"expected {self.n} actions, found {len(given)}")
        self._list()
        self._games.actions[:] = given
        self._listed = False
        self._games.step()
        self._listed = True

    def random(self, steps: int = 1) -> None:
        """Let the players of every game make `steps` random decisions, each legal move as likely as any other."""
        self._listed = False
        self._games.random(steps)

    # what there is to see ---------------------------------------------------------------------------------

    @property
    def going(self) -> int:
        """Return how many games are not over."""
        return self.n - sum(1 for player in self.to_move if player < 0)

    @property
    def to_move(self) -> memoryview:
        """Return who is to decide in each game: a player from 1 on; -1 in one that is over."""
        return memoryview(self._games.games)[PLAYER::FIELDS]

    @property
    def decisions(self) -> memoryview:
        """Return how many decisions were made in each game, by players and by chance."""
        return memoryview(self._games.games)[DECISIONS::FIELDS]

    @property
    def positions(self) -> memoryview:
        """The position of each game: n rows of numbers."""
        return _rows(self._games.states, self.size)

    @property
    def scores(self) -> array[int]:
        """The score of each player in each game, one game after the other; none in a game without scores."""
        out = array("i", bytes(4 * self.n * self.players if self._score is not None else 0))
        if self._score is not None:
            for player in range(self.players):
                out[player :: self.players] = self._games.states[self._score + player :: self.size]
        return out

    @property
    def places(self) -> memoryview:
        """The place of each player in each game, n rows: 1 for the winners, 0 in a game that is not over."""
        self._games.outcomes()
        return _rows(self._games.places, self.players)

    @property
    def counts(self) -> list[int]:
        """Return how many legal actions each game has."""
        self._list()
        offsets = self._games.offsets
        return [offsets[i + 1] - offsets[i] for i in range(self.n)]

    def legal(self, game: int) -> memoryview:
        """Return the legal actions of one game, in the order of the rule file."""
        if not 0 <= game < self.n:
            raise IndexError(f"there is no game {game}")
        self._list()
        offsets = self._games.offsets
        return memoryview(self._games.moves)[offsets[game] : offsets[game + 1]].toreadonly()

    @property
    def masks(self) -> memoryview:
        """For each game and action, n rows: 1 if it is legal."""
        if not self._has_masks:
            raise ValueError("ask for masks when the batch is made: `batch(…, masks=True)`")
        self._list()
        assert self.actions is not None
        return memoryview(self._games.mask).cast("B", (self.n, self.actions.many)).toreadonly()

    def vector(self, game: int) -> tuple[int, ...]:
        """Return the position of one game as a vector."""
        if not 0 <= game < self.n:
            raise IndexError(f"there is no game {game}")
        return tuple(self._games.states[game * self.size : (game + 1) * self.size])

    def _list(self) -> None:
        if not self._listed:
            self._games.legal()
            self._listed = True


def _rows(numbers: array[int], width: int) -> memoryview:
    return memoryview(numbers).cast("B").cast("i", (len(numbers) // width, width)).toreadonly()


def _numbers(actions: Sequence[int] | array[int] | memoryview) -> array[int]:
    """Return actions as numbers of 32 bits; any sequence or buffer of whole numbers will do."""
    if isinstance(actions, array) and actions.typecode == "i":
        return actions
    try:
        view = memoryview(actions)  # type: ignore[arg-type]
    except TypeError:
        return array("i", actions)
    return array("i", view.tolist())
