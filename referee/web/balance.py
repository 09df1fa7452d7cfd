"""A quick measure of balance for the workshop: as many games as a few seconds allow, of rules and of those they change.

It is a study of the lab with a clock, in one process, of which nothing is kept. `rulespec measure` and `rulespec compare`
take the time it needs to be sure.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from interpreter import Game
from referee.lab import texts
from referee.lab.chunks import KeptChunks
from referee.lab.comparison import compare_rows, measure_rows
from referee.lab.crew import Crew
from referee.lab.estimates import Looking
from referee.lab.letters import (
    by_size,
    difference,
    doubt_lines,
    measurement_doubts,
    points_lines,
    sentences,
    shown,
    span,
    verdict_text,
)
from referee.lab.row import MOST_DECISIONS
from referee.lab.study import Gathered, Plan, StudySide, gather
from rulespec import Rules

Data = dict[str, Any]

THINKING, RANDOM = "quick:50", "random"  # who plays: natively, and where there is no compiler
SECONDS = 10.0  # of playing; compiling comes before
MOST_GAMES = 200  # of each side
SEED = 1000


def quick_measure(
    name: str, rules: Rules, players: int, choices: dict[str, str], below: tuple[str, Rules] | None
) -> Data:
    """Return what games of the rules say of their balance; with `below`, the rules that they change, what differs from those.

    Both sides are played by the same players with the same luck. Rules that change nothing are measured alone, and so are
    those that so many players cannot play without the change.
    """
    bot = THINKING if Game(rules, rules.check(players, choices)[0], MOST_DECISIONS).compile() else RANDOM
    seats = (bot,) * players
    side = StudySide.of(name, rules, players, choices, seats)
    other = None
    if below is not None and players in below[1].players:
        kept = {option.name: option.open_choices for option in below[1].options}
        same = {option: choice for option, choice in choices.items() if choice in kept.get(option, ())}
        other = StudySide.of(below[0], below[1], players, same, seats)
    looking = Looking(MOST_GAMES)
    with Crew(1) as crew:
        plan = Plan(SEED, MOST_GAMES, SECONDS)
        if other is None or other.job.fingerprint == side.job.fingerprint:
            return {
                **_alone(side, gather((side,), plan, crew, KeptChunks(None)), looking),
                "players": players,
                "bot": bot,
            }
        found = gather((other, side), plan, crew, KeptChunks(None))
        return {**_compared((other, side), found, looking), "players": players, "bot": bot}


def _alone(side: StudySide, gathered: Gathered, looking: Looking) -> Data:
    found = measure_rows(gathered.rows[0], side.kind, looking)
    rows = [
        [value.measure.label, shown(value.found, value.measure), span(value.found.interval, value.measure)]
        for value in found.values
        if value.measure.group == "game" and value.found.interval is not None
    ]
    doubts = measurement_doubts(side, found, looking, gathered)
    return _data(found.n, None, (), ("", texts.COLUMN_VALUE, texts.COLUMN_INTERVAL), rows, doubts)


def _compared(sides: tuple[StudySide, StudySide], gathered: Gathered, looking: Looking) -> Data:
    kinds = (sides[0].kind, sides[1].kind)
    found = compare_rows(gathered.rows[0], gathered.rows[1], kinds, looking, {})
    rows = []
    for change in sorted((c for c in found.changes if c.measure.group == "game"), key=by_size):
        m = change.measure
        verdict = verdict_text(change, gathered.pace)
        rows.append([m.label, shown(change.before, m), shown(change.after, m), difference(change), verdict])
    columns = ("", sides[0].name, sides[1].name, texts.COLUMN_DIFFERENCE, texts.COLUMN_VERDICT)
    said = (*sentences(found), *points_lines(found))
    return _data(found.n, sides[0].name, said, columns, rows, doubt_lines(sides, found, looking, gathered))


def _data(
    games: int,
    against: str | None,
    said: Iterable[str],
    columns: Iterable[str],
    rows: list[list[str]],
    doubts: Iterable[str],
) -> Data:
    return {
        "games": games,
        "against": against,
        "sentences": list(said),
        "columns": list(columns),
        "rows": rows,
        "doubts": list(doubts),
    }
