"""A study: the same seeds played by one or more sides, as far as time allows, and only whole beginnings are looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic

from interpreter import Game, heaviness
from referee.lab import texts
from referee.lab.chunks import Job, KeptChunks, chunk_size, counted_seldom
from referee.lab.columns import NO_HEADS, GameColumns, Row
from referee.lab.crew import AnyCrew, CrewLost
from referee.lab.measures import Kind
from referee.lab.row import MOST_DECISIONS, has_standing
from rulespec import Diagnostic, RuleFileError, Rules, bundle_rules, json_text

MOST_HEAVY = 2_000  # decisions that one may cost as much as: many games of heavier rules take days
LOOK = 0.5  # seconds between two looks at the clock


@dataclass(frozen=True, slots=True)
class StudySide:
    """The rules of one side of a study."""

    name: str  # as it was typed
    title: str
    job: Job  # the first chunk
    kind: Kind

    @classmethod
    def of(
        cls,
        name: str,
        rules: Rules,
        players: int,
        choices: dict[str, str],
        seats: tuple[str, ...],
        watched: tuple[str, ...] = (),
    ) -> StudySide:
        """Return a side, its rules checked and compiled: the processes that play it find the library.

        Raises RuleFileError for rules that cannot be played, and for those whose decisions take too much work to play many games.
        """
        game = Game(rules, rules.check(players, choices)[0], MOST_DECISIONS)
        _refuse_heavy(game)
        game.compile()
        options = tuple(sorted(game.options.items()))
        job = Job(json_text(bundle_rules(rules)), game.fingerprint, players, options, seats, 0, 0, watched)
        return cls(name, game.title, job, kind_of(game, seats, watched))


def _refuse_heavy(game: Game) -> None:
    if heaviness(game) > MOST_HEAVY:
        span = game.model.procedures["play"].span
        raise RuleFileError(
            [Diagnostic(span, "too-much-work", texts.TOO_HEAVY, texts.TOO_HEAVY_WHY, texts.TOO_HEAVY_FIX)]
        )


def kind_of(game: Game, seats: tuple[str, ...], watched: tuple[str, ...] = ()) -> Kind:
    """Return what a game has that measures need."""
    return Kind(
        game.players,
        "score" in game.model.variables,
        has_standing(game),
        game.has_chance,
        tuple(game.model.rules),
        seats,
        watched,
    )


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is played: a number of games of each side, or until a time, or until it is enough."""

    seed: int
    games: int
    seconds: float | None = None
    enough: Callable[[Sequence[Sequence[Row]]], bool] | None = None  # asked of whole beginnings, in their order


@dataclass(slots=True)
class Gathered:
    """The rows of each side, as many of each, and how it ended."""

    rows: list[GameColumns]
    seconds: float = 0.0
    played: int = 0  # games that were not there before
    ended: str = "all"  # or `clock`, `stopped`, `enough`, `lost`
    why: str = ""  # nobody can play on, if it is `lost`

    @property
    def n(self) -> int:
        return len(self.rows[0])

    @property
    def pace(self) -> float | None:
        """Seconds that one more seed would take, all sides together; None if nothing was played."""
        return self.seconds * len(self.rows) / self.played if self.played else None


def gather(
    sides: Sequence[StudySide],
    plan: Plan,
    crew: AnyCrew,
    kept: KeptChunks,
    progress: Callable[[int], None] | None = None,
) -> Gathered:
    """Return the rows of all sides. Ctrl-C, the clock and a lost crew end it, with what is there; the crew is not closed.

    Only a complete run of seeds from the first is looked at: taking chunks as they arrive would favour short games.
    """
    begin = monotonic()
    size = chunk_size(sides[0].job.seats)
    chunks = -(-plan.games // size)
    found = Gathered([GameColumns(NO_HEADS) for _ in sides])
    there: dict[tuple[int, int], GameColumns] = {}  # and not in `found` yet; by chunk and side
    order = iter([(chunk, side) for chunk in range(chunks) for side in range(len(sides))])
    prefix, given_out, mark = 0, False, object()
    crew.forget()

    def job_of(token: tuple[int, int]) -> Job:
        chunk, side = token
        job, before = sides[side].job, chunk * size
        return job.chunk(plan.seed + before, size, counted_seldom(job.seats, before))

    try:
        while prefix < chunks:
            while not given_out and crew.wanted > 0:
                token = next(order, None)
                if token is None:
                    given_out = True
                    break
                job = job_of(token)
                if (rows := kept.find(job)) is not None:
                    there[token] = rows
                    break  # what is there may already be enough
                crew.add((mark, token), job)
            late = plan.seconds is not None and monotonic() - begin > plan.seconds
            if late:
                found.ended = "clock"
                break
            ready = all((prefix, side) in there for side in range(len(sides)))
            if not ready and (given_out or crew.wanted <= 0):
                for (whose, done), job, rows in crew.results(LOOK):
                    kept.keep(job, rows)
                    if whose is mark:  # it was not requested for something that is over
                        there[done] = rows
                        found.played += len(rows)
            while prefix < chunks and all((prefix, side) in there for side in range(len(sides))):
                for side in range(len(sides)):
                    found.rows[side].extend(there.pop((prefix, side)))
                prefix += 1
                if plan.enough is not None and plan.enough(found.rows):
                    found.ended = "enough"
                    return found
            if progress is not None:
                progress(min(plan.games, prefix * size + sum(map(len, there.values())) // len(sides)))
    except KeyboardInterrupt:
        found.ended = "stopped"
    except CrewLost as lost:
        found.ended, found.why = "lost", str(lost)
    finally:
        kept.close()
        found.seconds = monotonic() - begin
        found.rows = [rows if len(rows) <= plan.games else rows[: plan.games] for rows in found.rows]
    return found
