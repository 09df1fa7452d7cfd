"""The measures: what each takes from the columns of games, what change of it people would notice, and how it is called."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import log

from referee.lab import texts
from referee.lab.arithmetic import Given, are_native
from referee.lab.columns import (
    DECISIONS,
    FIRST,
    LEGAL,
    ROUNDS,
    SINGLE,
    WINNERS,
    GameColumns,
    Row,
    counted_among,
    games_for,
    winners_of,
)
from referee.lab.estimates import Sample
from referee.lab.kings import KINGS
from referee.lab.watchers import DRAMA, MILLION


class Unit(StrEnum):
    PLAIN = ""
    POINTS = "points"
    PERCENT = "%"
    TIMES = "×"


@dataclass(frozen=True, slots=True)
class Measure:
    """One number about a game. `notice` is the smallest change worth a word: of the value itself, or a part of another's."""

    key: str
    label: str
    of: Callable[[GameColumns], Given]
    notice: float
    notice_of: str = ""  # a measure: the notice is a part of its value
    unit: Unit = Unit.PLAIN
    share: bool = False  # of games: every game gives 0, 1 or, for a shared victory, a part
    in_logs: bool = False
    group: str = "game"  # or `points`, by rule, or `moves`
    seldom: bool = False  # whether later games are seldom counted, see `counted_among`

    def values(self, games: int) -> int:
        """Return how many values the first games of a study give, about."""
        return counted_among(games) if self.seldom else games

    def games(self, values: int) -> int:
        """Return how many games give so many values."""
        return games_for(values) if self.seldom else values

    def sample(self, rows: Sequence[Row]) -> Sample:
        """Return what games give for this measure."""
        games = GameColumns.of(rows)
        counted, of = games.derived().get(self.key) or self.of(games)
        if not are_native(counted, of):
            counted, of = tuple(counted), None if of is None else tuple(of)
        return Sample(counted, of, self.in_logs)


# What games give --------------------------------------------------------------------------------------------


def _plain(number: int) -> Callable[[GameColumns], Given]:
    return lambda games: (games.part(number), None)


def _each(number: int) -> Callable[[GameColumns], Given]:
    """Return what gives a number as a part of the decisions, in the games in which it was counted."""

    return lambda games: (games.each(number), None)


def _score(games: GameColumns) -> Given:
    many = games.heads.scores
    return [total / many for total in map(sum, zip(*games.scores()))], None


def _best_two(games: GameColumns) -> Iterable[tuple[int, int]]:
    """Return the best score and the second of every game."""
    if games.heads.scores == 2:
        one, two = games.scores()
        return zip(map(max, one, two), map(min, one, two))
    return ((best, second) for *_, second, best in map(sorted, zip(*games.scores())))


def _lead(games: GameColumns) -> Given:
    return [best - second for best, second in _best_two(games)], None


def _lead_part(games: GameColumns) -> Given:
    return [min(1.0, (best - second) / max(1, best)) for best, second in _best_two(games)], None


def _first(games: GameColumns) -> Given:
    ends = [*zip(games.column(FIRST), games.column(WINNERS))]
    part = {
        (first, bits): 1 / bits.bit_count() if first and bits >> first - 1 & 1 else 0.0 for first, bits in set(ends)
    }
    return [part[end] for end in ends], None


def _tie(games: GameColumns) -> Given:
    return [float(bits & (bits - 1) > 0) for bits in games.column(WINNERS)], None


def _changes(games: GameColumns) -> Given:
    return games.courses().changes, None


def _some(found: Iterable[float | None]) -> Given:
    """Return what some of the games give; the others give nothing."""
    known = list(found)
    return [n or 0.0 for n in known], [0.0 if n is None else 1 for n in known]


def _leader_wins(games: GameColumns) -> Given:
    courses = games.courses()
    return _some(
        None if settled is None or not half else float(half == bits.bit_length())
        for settled, half, bits in zip(courses.settled, courses.half, games.column(WINNERS))
    )


def _settled(games: GameColumns) -> Given:
    return _some(games.courses().settled)


def _catch_up(games: GameColumns) -> Given:
    return _some(games.courses().caught_up)


def _drama(games: GameColumns) -> Given:
    return _some(total / many / MILLION if many else None for total, many in zip(*games.seen(DRAMA)))


def _kings(games: GameColumns) -> Given:
    return [float(many > 0) for many in games.seen(KINGS)[1]], None


def _swing(games: GameColumns) -> Given:
    totals, many = games.seen(KINGS)
    return [total / MILLION for total in totals], [float(n) for n in many]


def _gained(rule: str) -> Callable[[GameColumns], Given]:
    def of(games: GameColumns) -> Given:
        return games.gained(rule), None

    return of


def _used(move: str) -> Callable[[GameColumns], Given]:
    return lambda games: games.used(move)


def _won_by(bot: str, seats: Sequence[str]) -> Callable[[GameColumns], Given]:
    """Return the part of a victory that players of a kind have; seats move on by one from seed to seed."""
    many = len(seats)

    def of(games: GameColumns) -> Given:
        ends = [(seed % many, bits) for seed, bits in zip(games.seeds, games.column(WINNERS))]
        part = {}
        for begin, bits in set(ends):
            winners = winners_of(bits)
            part[begin, bits] = sum(seats[(who - 1 + begin) % many] == bot for who in winners) / len(winners)
        return [part[end] for end in ends], None

    return of


# Which there are --------------------------------------------------------------------------------------------


GAME = (
    Measure("rounds", texts.ROUNDS, _plain(ROUNDS), 0.10, "rounds"),
    Measure("decisions", texts.DECISIONS, _plain(DECISIONS), 0.10, "decisions"),
    Measure("choice", texts.CHOICE, _each(LEGAL), 0.10, "choice"),
    Measure("single", texts.SINGLE, _each(SINGLE), 0.05, unit=Unit.PERCENT),
    Measure("score", texts.SCORE, _score, 0.10, "score", Unit.POINTS),
    Measure("lead", texts.LEAD, _lead, 0.10, "lead", Unit.POINTS),
    Measure("lead_part", texts.LEAD_PART, _lead_part, 0.05, unit=Unit.PERCENT),
    Measure("first", texts.FIRST, _first, 0.05, unit=Unit.PERCENT, share=True),
    Measure("ties", texts.TIES, _tie, 0.03, unit=Unit.PERCENT, share=True),
    Measure("changes", texts.CHANGES, _changes, 0.25),
    Measure("leader_wins", texts.LEADER_WINS, _leader_wins, 0.05, unit=Unit.PERCENT, share=True),
    Measure("settled", texts.SETTLED, _settled, 0.05, unit=Unit.PERCENT),
    Measure("catch_up", texts.CATCH_UP, _catch_up, 0.10, "score", Unit.POINTS),
)
WATCHED = {  # by watcher
    DRAMA: (Measure("drama", texts.DRAMA, _drama, 0.03, unit=Unit.PERCENT),),
    KINGS: (
        Measure("kings", texts.KINGS, _kings, 0.05, unit=Unit.PERCENT, share=True),
        Measure("swing", texts.SWING, _swing, 0.05, unit=Unit.PERCENT),
    ),
}
SCORED = frozenset(("score", "lead", "lead_part", "catch_up"))
STANDING = frozenset(("changes", "leader_wins", "settled", "catch_up"))
OF_MOVES = frozenset(("choice", "single"))
RIVALS = frozenset(("lead", "lead_part", "first", "ties"))


@dataclass(frozen=True, slots=True)
class Kind:
    """The facts about a game that measures need."""

    players: int
    scores: bool
    standing: bool
    chance: bool
    rules: tuple[str, ...]
    seats: tuple[str, ...]
    watched: tuple[str, ...] = ()


def is_random(seats: Sequence[str]) -> bool:
    """Return whether all players are random."""
    return all(seat == "random" for seat in seats)


def measures_of(kind: Kind, moves: Sequence[str], notices: Mapping[str, float]) -> list[Measure]:
    """Return the measures that make sense for a game, and for both of two if `kind` is what they share."""
    found = []
    for measure in GAME:
        key = measure.key
        if (key in SCORED and not kind.scores) or (key in STANDING and not kind.standing):
            continue
        if (key in RIVALS and kind.players < 2) or (key == "rounds" and not kind.chance):
            continue
        found.append(replace(measure, seldom=True) if key in OF_MOVES and is_random(kind.seats) else measure)
    for name in kind.watched:
        found += WATCHED[name]
    if len(set(kind.seats)) > 1:
        for bot in dict.fromkeys(kind.seats):
            won = _won_by(bot, kind.seats)
            label = texts.WON_BY.format(bot=bot)
            found.append(Measure(f"won_by:{bot}", label, won, 0.05, unit=Unit.PERCENT, share=True))
    if kind.scores:
        for rule in kind.rules:
            found.append(Measure(f"points:{rule}", rule, _gained(rule), 0.05, "score", Unit.POINTS, group="points"))
    for move in moves:
        found.append(Measure(f"use:{move}", move, _used(move), log(1.25), unit=Unit.TIMES, in_logs=True, group="moves"))
    return [_with_notice(measure, notices) for measure in found]


def _with_notice(measure: Measure, notices: Mapping[str, float]) -> Measure:
    given = notices.get(measure.key)
    if given is None:
        return measure
    value = given / 100 if measure.unit is Unit.PERCENT else log(given) if measure.in_logs else given
    return replace(measure, notice=value, notice_of="")


def moves_used(*sides: Sequence[Row]) -> list[str]:
    """Return the moves and choices whose use says something: all sides offered them, and not always."""
    found: list[str] | None = None
    for rows in sides:
        games = GameColumns.of(rows)
        begins: dict[str, int] = {}  # the first game that offers it
        total = sum(games.column(DECISIONS))
        for name in games.heads.use:
            offered = games.used(name)[1]
            if 0 < sum(offered) < total * 0.999:
                begins[name] = next(i for i, n in enumerate(offered) if n)
        here = sorted(begins, key=begins.__getitem__)
        found = here if found is None else [name for name in found if name in begins]
    return found or []
