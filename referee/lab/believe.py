"""Rows from other machines: what they must be before they are believed.

Whoever sent them may be broken or mean harm. A row that passes is what `Lab.play` could have made: the same keys in the same
order, whole numbers in their ranges, and sums that agree. Whether the game was really played so, only playing it again shows.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NoReturn

from interpreter import Game
from referee.lab import texts
from referee.lab.chunks import VERSIONS, Job
from referee.lab.columns import SEEN, UNCOUNTED, ColumnHeads, Row, is_counted
from referee.lab.measures import is_random
from referee.lab.row import MOST_DECISIONS, MOST_STANDINGS, NO_MEMORY, Lab
from referee.lab.watchers import MILLION
from rulespec import json_text, open_bundle

MOST_SHOWN = 60  # characters of what somebody else wrote
MOST_TEXT = 1_000_000  # characters of one game
LARGEST = 1_000_000_000  # of one number in a game
LARGEST_SUM = LARGEST * MOST_DECISIONS
ROUNDING = 0.01  # sums of numbers that were rounded
KEYS = (
    "seed",
    "decisions",
    "rounds",
    "legal",
    "single",
    "first",
    "winners",
    "scores",
    "rules",
    "standings",
    "use",
    "mark",
)
WATCHED = "watched"  # the last one, of games that were watched
FAULT_KEYS = ("seed", "fault", "decisions")


class BadRows(ValueError):
    """Rows that nobody can have got by playing."""


class OtherVersions(BadRows):
    """Rows of another version of the program: its games are other games."""


@dataclass(frozen=True, slots=True)
class RowShape:
    """The shape of the rows of one game."""

    heads: ColumnHeads
    has_standing: bool
    moves: tuple[str, ...]

    @classmethod
    def of(cls, game: Game, at_random: bool, watched: tuple[str, ...] = ()) -> RowShape:
        lab = Lab(game, watched)
        heads = lab.heads_of(at_random)
        return cls(heads, lab.has_standing, tuple(sorted(game.model.moves)) if heads.use else ())


@lru_cache(maxsize=64)
def _shape(
    rules: str, players: int, options: tuple[tuple[str, str], ...], at_random: bool, watched: tuple[str, ...]
) -> RowShape:
    opened = open_bundle(json.loads(rules))
    return RowShape.of(Game(opened, opened.check(players, dict(options))[0], MOST_DECISIONS), at_random, watched)


def shape_of(job: Job) -> RowShape:
    """Return what the rows of a chunk have."""
    return _shape(job.rules, job.players, job.options, is_random(job.seats), job.watched)


def read_rows(text: object, job: Job) -> list[Row]:
    """Return the rows of a chunk from the text that a worker sent; BadRows says why there are none."""
    if not isinstance(text, str) or len(text) > MOST_TEXT * job.many:
        _refuse(texts.ROWS_NO_TEXT)
    try:
        answer = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        _refuse(texts.ROWS_NO_JSON)
    if not isinstance(answer, dict) or tuple(answer) != ("versions", "rows"):
        _refuse(texts.ROWS_NO_JSON)
    if answer["versions"] != list(VERSIONS):
        raise OtherVersions(json_text(answer["versions"])[:MOST_SHOWN])
    rows = answer["rows"]
    if not isinstance(rows, list) or len(rows) != job.many:
        _refuse(texts.ROWS_NUMBER.format(many=job.many))
    shape = shape_of(job)
    for seed, row in enumerate(rows, job.first):
        counted = not job.seldom or is_counted(seed)
        if (problem := row_problem(row, seed, shape, counted)) is not None:
            _refuse(texts.ROWS_PROBLEM.format(seed=seed, key=problem[:MOST_SHOWN]))
    return rows


def _no_number(word: str) -> NoReturn:
    raise ValueError(word)


def _refuse(why: str) -> NoReturn:
    raise BadRows(why)


def row_problem(row: object, seed: int, shape: RowShape, counted: bool = True) -> str | None:
    """Return which entry of a row cannot be, or is missing; None if all of them can. `counted`: its legal moves are counted."""
    if not isinstance(row, dict):
        return KEYS[0]
    keys = FAULT_KEYS if "fault" in row else (*KEYS, WATCHED) if shape.heads.watched else KEYS
    if tuple(row) != keys:
        return next((key for key in keys if key not in row), next((key for key in row if key not in keys), keys[0]))
    return next((key for key in keys if not _can_be(key, row, seed, shape, counted)), None)


def _can_be(key: str, row: dict[str, Any], seed: int, shape: RowShape, counted: bool) -> bool:
    """Return whether an entry can be; those before it can."""
    value, players = row[key], range(1, shape.heads.players + 1)
    match key:
        case "seed":
            return type(value) is int and value == seed
        case "fault":
            return isinstance(value, str) and bool(re.fullmatch(rf"fault-[a-z-]{{1,40}}|{NO_MEMORY}", value))
        case "decisions":
            return _whole(value, 0, MOST_DECISIONS)
        case "legal" | "single" if not counted:
            return _whole(value, UNCOUNTED, UNCOUNTED)
        case "rounds" | "single":
            return _whole(value, 0, row["decisions"])
        case "legal":
            return _whole(value, row["decisions"], row["decisions"] * LARGEST)
        case "first":
            return _whole(value, 1, shape.heads.players) if row["decisions"] else _whole(value, 0, 0)
        case "winners":
            return (
                isinstance(value, list)
                and value != []
                and value == [p for p in players if p in value]
                and _wholes(value)
            )
        case "scores":
            return isinstance(value, list) and len(value) == shape.heads.scores and _wholes(value)
        case "rules":
            if not isinstance(value, dict) or tuple(value) != shape.heads.rules:
                return False
            return all(
                isinstance(noted, list) and len(noted) == 3 and _wholes(noted, LARGEST_SUM) and noted[0] >= 0
                for noted in value.values()
            )
        case "standings":
            most = MOST_STANDINGS if shape.has_standing else 0
            return (
                isinstance(value, list)
                and len(value) <= most
                and all(isinstance(one, list) and len(one) == shape.heads.players and _wholes(one) for one in value)
            )
        case "use":
            return _use_can_be(value, row["decisions"], shape)
        case "watched":
            return _seen_can_be(value, shape)
        case _:
            return isinstance(value, str) and bool(re.fullmatch(r"[0-9a-f]{16}", value))


def _seen_can_be(watched: object, shape: RowShape) -> bool:
    """Return whether watchers can have seen that: sums in millionths, none larger than one for each that was seen."""
    if not isinstance(watched, dict) or tuple(watched) != shape.heads.watched:
        return False
    return all(
        isinstance(seen, list)
        and len(seen) == SEEN
        and _whole(seen[1], 0, MOST_DECISIONS)
        and _whole(seen[0], -MILLION * seen[1], MILLION * seen[1])
        for seen in watched.values()
    )


def _use_can_be(use: object, decisions: int, shape: RowShape) -> bool:
    if not isinstance(use, dict) or list(use) != [name for name in shape.heads.use if name in use]:
        return False
    for noted in use.values():
        if not (isinstance(noted, list) and len(noted) == 2 and _whole(noted[0], 0, decisions)):
            return False
        offered = noted[1]
        if type(offered) is not float or not 0 <= offered <= decisions + ROUNDING or round(offered, 6) != offered:
            return False
    if not shape.moves:
        return not use
    moves = [use[name] for name in shape.moves if name in use]  # every decision is for one of them
    return sum(chosen for chosen, _ in moves) == decisions and math.isclose(
        sum(offered for _, offered in moves), decisions, abs_tol=ROUNDING
    )


def _whole(value: object, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def _wholes(values: Sequence[object], largest: int = LARGEST) -> bool:
    return all(_whole(value, -largest, largest) for value in values)
