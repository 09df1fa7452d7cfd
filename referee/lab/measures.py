"""The measures: what each takes from the row of a game, what change of it people would notice, and how it is called."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from math import log

from referee.lab import texts
from referee.lab.estimates import Sample
from referee.lab.row import Row

Pair = tuple[float, float]  # what was counted, of what
NOTHING: Pair = (0.0, 0.0)


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
    of: Callable[[Row], Pair]
    notice: float
    notice_of: str = ""  # a measure: the notice is a part of its value
    unit: Unit = Unit.PLAIN
    share: bool = False  # of games: every game gives 0, 1 or, for a shared victory, a part
    in_logs: bool = False
    group: str = "game"  # or `points`, by rule, or `moves`

    def sample(self, rows: Sequence[Row]) -> Sample:
        """Return what the games give for this measure."""
        pairs = [self.of(row) for row in rows]
        return Sample(tuple(p[0] for p in pairs), tuple(p[1] for p in pairs), self.in_logs)


# What one game gives ----------------------------------------------------------------------------------------


def _rounds(row: Row) -> Pair:
    return row["rounds"], 1


def _decisions(row: Row) -> Pair:
    return row["decisions"], 1


def _choice(row: Row) -> Pair:
    return row["legal"] / max(1, row["decisions"]), 1


def _single(row: Row) -> Pair:
    return row["single"] / max(1, row["decisions"]), 1


def _score(row: Row) -> Pair:
    return sum(row["scores"]) / len(row["scores"]), 1


def _lead(row: Row) -> Pair:
    best = sorted(row["scores"], reverse=True)
    return best[0] - best[1], 1


def _lead_part(row: Row) -> Pair:
    best = sorted(row["scores"], reverse=True)
    return min(1.0, (best[0] - best[1]) / max(1, best[0])), 1


def _first(row: Row) -> Pair:
    return (1 / len(row["winners"]) if row["first"] in row["winners"] else 0.0), 1


def _tie(row: Row) -> Pair:
    return float(len(row["winners"]) > 1), 1


def leader(standing: Sequence[int]) -> int:
    """Return the only best player of a standing, from 1 on; 0 if there is none."""
    best = max(standing)
    return standing.index(best) + 1 if list(standing).count(best) == 1 else 0


def half_time(row: Row) -> int:
    """Return the number of the standing at half-time, from 0 on; -1 if there were too few."""
    many = len(row["standings"])
    return (many + 1) // 2 - 1 if many > 1 else -1


def _changes(row: Row) -> Pair:
    leaders = [who for standing in row["standings"] if (who := leader(standing))]
    return sum(one != two for one, two in pairwise(leaders)), 1


def _leader_wins(row: Row) -> Pair:
    at, winners = half_time(row), row["winners"]
    if at < 0 or len(winners) != 1 or not (ahead := leader(row["standings"][at])):
        return NOTHING
    return float(ahead == winners[0]), 1


def _settled(row: Row) -> Pair:
    standings, winners = row["standings"], row["winners"]
    if len(winners) != 1 or not standings:
        return NOTHING
    behind = [t for t, standing in enumerate(standings, 1) if leader(standing) != winners[0]]
    return max(behind, default=0) / len(standings), 1


def _catch_up(row: Row) -> Pair:
    at = half_time(row)
    if at < 0 or not (ahead := leader(row["standings"][at])):
        return NOTHING
    half, end = row["standings"][at], row["standings"][-1]
    last = [p for p, standing in enumerate(half) if standing == min(half)]
    later = sum(end[p] - half[p] for p in last) / len(last)
    return later - (end[ahead - 1] - half[ahead - 1]), 1


def _gained(rule: str) -> Callable[[Row], Pair]:
    return lambda row: (row["rules"].get(rule, (0, 0, 0))[2] / max(1, len(row["scores"])), 1)


def _used(move: str) -> Callable[[Row], Pair]:
    return lambda row: tuple(row["use"].get(move, NOTHING))


def _won_by(bot: str, seats: Sequence[str]) -> Callable[[Row], Pair]:
    """Return the part of a victory that players of a kind have; seats move on by one from seed to seed."""
    many = len(seats)

    def of(row: Row) -> Pair:
        winners = row["winners"]
        return sum(seats[(who - 1 + row["seed"]) % many] == bot for who in winners) / len(winners), 1

    return of


# Which there are --------------------------------------------------------------------------------------------


GAME = (
    Measure("rounds", texts.ROUNDS, _rounds, 0.10, "rounds"),
    Measure("decisions", texts.DECISIONS, _decisions, 0.10, "decisions"),
    Measure("choice", texts.CHOICE, _choice, 0.10, "choice"),
    Measure("single", texts.SINGLE, _single, 0.05, unit=Unit.PERCENT),
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
SCORED = frozenset(("score", "lead", "lead_part", "catch_up"))
STANDING = frozenset(("changes", "leader_wins", "settled", "catch_up"))
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


def measures_of(kind: Kind, moves: Sequence[str], notices: Mapping[str, float]) -> list[Measure]:
    """Return the measures that make sense for a game, and for both of two if `kind` is what they share."""
    found = []
    for measure in GAME:
        key = measure.key
        if (key in SCORED and not kind.scores) or (key in STANDING and not kind.standing):
            continue
        if (key in RIVALS and kind.players < 2) or (key == "rounds" and not kind.chance):
            continue
        found.append(measure)
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
    return Measure(
        measure.key, measure.label, measure.of, value, "", measure.unit, measure.share, measure.in_logs, measure.group
    )


def moves_used(*sides: Sequence[Row]) -> list[str]:
    """Return the moves and choices whose use says something: all sides offered them, and not always."""
    found: list[str] | None = None
    for rows in sides:
        names: dict[str, float] = {}
        for row in rows:
            for name, (_, offered) in row["use"].items():
                names[name] = names.get(name, 0.0) + offered
        total = sum(row["decisions"] for row in rows)
        here = [name for name, offered in names.items() if 0 < offered < total * 0.999]
        found = here if found is None else [name for name in found if name in here]
    return found or []
