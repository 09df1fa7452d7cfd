"""A position of a game, and the things people and programs handle: moves, ledger lines, objections, outcomes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from rulespec.diagnostics.diagnostic import Span, shown_file

EVERYBODY: Final = 0  # in place of the player who scored, in what is told
CHANCE: Final = 0  # who decides when pieces are drawn or dice rolled; players are 1, 2, …

Args = tuple[Any, ...]
Group = tuple[int, Args, Sequence[Any]]  # a move's number, its chosen values but the last, the legal last ones


@dataclass(frozen=True, slots=True)
class Move:
    """One decision: a move's name and the values chosen, as codes. `str(move)` is its notation."""

    name: str
    args: Args
    text: str = field(compare=False)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Spot:
    """One place, or one value of a variable: its family, and its number there. A place that is nowhere is no Spot but `none`."""

    family: str
    number: int


@dataclass(frozen=True, slots=True)
class Movement:
    """A number of pieces of a kind that went from one place to another."""

    kind: int
    count: int
    source: Spot
    goal: Spot


@dataclass(frozen=True, slots=True)
class Objection:
    """The reason why a move is refused: the author's text, the condition's name, and where the rule is."""

    text: str
    condition: str
    move: str
    span: Span | None
    changes: Span | None = None  # what that changes in the file below
    parts: tuple[str | int, ...] = field(
        default=(), compare=False
    )  # the text, players by their numbers, if it names any

    def __str__(self) -> str:
        if self.span is None:
            return self.text
        below = f", which changes {shown_file(self.changes.file)}:{self.changes.line}" if self.changes else ""
        return f"{self.text} ({self.condition}, {shown_file(self.span.file)}:{self.span.line}{below})"

    def named(self, name_of: Callable[[int], str]) -> str:
        """Return the text with the names of players, for whoever knows them."""
        return "".join(part if isinstance(part, str) else name_of(part) for part in self.parts) or self.text


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """One reason for points. `points` is what the rule gives, `gained` what the score really changed by."""

    decision: int
    player: int
    rule: str
    text: str
    points: int
    gained: int
    span: Span
    changes: Span | None = None  # what that rule changes in the file below


@dataclass(frozen=True, slots=True)
class Told:
    """Something that the rules told everybody. Players stand in it by their numbers, for whoever knows their names.

    `shown` is what some see besides: those in `to`, in which None stands for onlookers.
    """

    decision: int
    parts: tuple[str | int, ...]
    span: Span
    shown: str = ""
    to: frozenset[int | None] = frozenset()

    def text(self, name_of: Callable[[int], str] = "player {}".format, viewer: int | None = None) -> str:
        """Return it in words, as a player, or for None an onlooker, may read it."""
        words = "".join(part if isinstance(part, str) else name_of(part) for part in self.parts)
        return f"{words}: {self.shown}" if viewer in self.to else words

    @property
    def full(self) -> str:
        """All of it, with what only some see."""
        return self.text(viewer=next(iter(self.to), None))


@dataclass(frozen=True, slots=True)
class Outcome:
    winners: tuple[int, ...]
    scores: dict[int, int]
    reason: str  # the line of `winner:` that decided
    ranking: tuple[tuple[int, ...], ...]  # players from best to last, equal ones together


class IllegalMove(ValueError):
    """A move the rules refuse; carries the objections."""

    def __init__(self, move: str, objections: list[Objection]) -> None:
        self.move, self.objections = move, objections
        super().__init__(f"`{move}` is not legal: " + "; ".join(str(o) for o in objections))


class BadStart(ValueError):
    """A variable that cannot start as asked: there is none of that name, or it cannot have that value."""


class UnreadableMove(ValueError):
    """Words that are no move: `what` says what was expected, and `fix` what was probably meant."""

    def __init__(self, what: str, fix: str = "", meant: tuple[str, str] | None = None) -> None:
        self.what, self.fix = what, fix
        self.meant = meant  # the word that was written, and the one that was probably meant
        super().__init__(f"{what}; {fix}" if fix else what)


Link = tuple[Any, Any]  # (what came before, this one): a list that shares its beginning with others


class State:
    """A position. It never changes; equal positions are equal and hash alike, whatever led to them."""

    __slots__ = ("_groups", "_log", "_past", "decisions", "scored", "seed", "to_move", "vector")

    def __init__(
        self,
        vector: tuple[int, ...],
        to_move: int | None,
        decisions: int,
        past: Link | None,
        log: Link | Unlogged | None,
        seed: int | None,
        groups: list[Group],
        scored: bool = False,
    ) -> None:
        self.vector = vector
        self.to_move = to_move  # a player's number, CHANCE, or None when the game is over
        self.decisions = decisions  # how many were made
        self.seed = seed  # of the random numbers still to come; None: chance is open
        self.scored = scored  # whether anybody scored by the last decision, or by chance after it
        self._past = past
        self._log = log
        self._groups = groups

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.vector == other.vector

    def __hash__(self) -> int:
        return hash(self.vector)

    def past(self, since: State | None = None) -> list[Any]:
        """Return the decisions that led here, first one first, as the engine keeps them; those after an earlier position."""
        return _since(self._past, None if since is None else since._past)

    def log(self, since: State | None = None) -> list[Any]:
        """Return why points were scored, first ones first, as the engine keeps it; since an earlier position."""
        found: list[Any] = []
        link, end = self._log, None if since is None else since._log
        while link is not None and link is not end:
            if isinstance(link, Unlogged):
                if since is not None and not link.known and link.state.follows(since):
                    found.reverse()
                    return [*link.between(since, link.state), *found]
                link = link.chain()
            else:
                found.append(link[1])
                link = link[0]
        found.reverse()
        if link is None and since is not None and end is not None:  # the beginning was worked out twice
            del found[: len(since.log())]
        return found

    def follows(self, since: State) -> bool:
        """Return whether the decisions that led here begin with those that led to another position."""
        link, end = self._past, since._past
        while link is not None and link is not end:
            link = link[0]
        return link is end and (end is not None or since.decisions == 0)

    def with_seed(self, seed: int | None) -> State:
        """Return the same position with other random numbers to come; None leaves chance open."""
        return State(self.vector, self.to_move, self.decisions, self._past, self._log, seed, self._groups, self.scored)


class TracedState(State):
    """A position that knows how the pieces moved since the decision before, one movement after another."""

    __slots__ = ("moved",)

    def __init__(self, state: State, moved: tuple[Movement, ...]) -> None:
        super().__init__(
            state.vector, state.to_move, state.decisions, state._past, state._log, state.seed, state._groups
        )
        self.moved = moved


class Unlogged:
    """Why points were scored up to a position, where that is worked out only if somebody asks: the end of a chain."""

    __slots__ = ("_chain", "between", "known", "root", "state")

    def __init__(self, state: State, root: State | None, between: Between) -> None:
        self.state = state
        self.root = root  # an earlier position; None: before the start
        self.between = between  # why points were scored between two positions
        self.known = False
        self._chain: Link | Unlogged | None = None

    def chain(self) -> Link | Unlogged | None:
        """Return the chain in its place, whose own end is known."""
        unknown: list[Unlogged] = []
        last: Unlogged | None = self
        while last is not None and not last.known:
            unknown.append(last)
            last = None if last.root is None else _end(last.root._log)
        for one in reversed(unknown):
            begin = None if one.root is None else one.root._log
            one._chain, one.known = linked(begin, one.between(one.root, one.state)), True
        return self._chain


Between = Callable[[State | None, State], list[Any]]


def _end(link: Link | Unlogged | None) -> Unlogged | None:
    while isinstance(link, tuple):
        link = link[0]
    return link


class Playout(State):
    """The end of a simulated game; how it was reached is worked out only on request."""

    __slots__ = ("_retrace", "_simulation")

    def __init__(
        self, vector: tuple[int, ...], seed: int, retrace: Callable[[int], tuple[int, Link | None, Link | None]]
    ) -> None:
        self.vector = vector
        self.to_move = None
        self.seed = None
        self.scored = False
        self._groups = []
        self._simulation = seed
        self._retrace = retrace

    def __getattr__(self, name: str) -> Any:
        if name not in ("decisions", "_past", "_log"):
            raise AttributeError(name)
        self.decisions, self._past, self._log = self._retrace(self._simulation)
        return getattr(self, name)


def linked(link: Any, items: Iterable[Any]) -> Any:
    """Return a chain with more items at its end."""
    for item in items:
        link = (link, item)
    return link


def _since(link: Link | None, end: Link | None) -> list[Any]:
    """Return the items of a chain, first ones first, without those of an earlier one that it begins with."""
    found = []
    while link is not None and link is not end:
        found.append(link[1])
        link = link[0]
    found.reverse()
    if link is None and end is not None:  # the beginning was worked out twice
        del found[: len(_since(end, None))]
    return found
