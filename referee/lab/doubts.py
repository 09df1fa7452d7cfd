"""What to doubt in a comparison: whether the players play for what was changed, and whether others show the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from referee.lab.comparison import Comparison, compare_rows
from referee.lab.estimates import Looking, Sample, Verdict, compare, discoveries
from referee.lab.measures import moves_used
from referee.lab.row import Row
from referee.lab.study import StudySide

PAIRS = 60  # for the check of attention
SECOND_PAIRS = 36  # for another player


@dataclass(frozen=True, slots=True)
class Attention:
    """Whether the players play differently if a number is many times as large; None: the rules cannot be played that way."""

    name: str
    pairs: int
    noticed: bool | None

    def as_data(self) -> dict[str, Any]:
        return {"number": self.name, "pairs": self.pairs, "noticed": self.noticed}


def look_for_attention(name: str, usual: Sequence[Row], larger: Sequence[Row]) -> Attention:
    """Return whether anything that players do differs: moves that they use, how often rules come up, how long games are.

    Points are not asked for: they are larger whether anybody plays for them or not.
    """
    whole = [(a, b) for a, b in zip(usual, larger, strict=True) if "fault" not in a and "fault" not in b]
    if not whole:
        return Attention(name, 0, None)
    a, b = [one for one, _ in whole], [two for _, two in whole]
    looking, chances = Looking(len(whole)), []
    for move in moves_used(a, b):
        one, two = (_sample([row["use"].get(move, (0, 0)) for row in rows], in_logs=True) for rows in (a, b))
        chances.append(compare(one, two, False, looking).chance)
    for rule in {rule for row in (*a, *b) for rule in row["rules"]}:
        one, two = (_sample([(row["rules"].get(rule, (0,))[0], 1) for row in rows]) for rows in (a, b))
        chances.append(compare(one, two, False, looking).chance)
    one, two = (_sample([(row["decisions"], 1) for row in rows]) for rows in (a, b))
    chances.append(compare(one, two, False, looking).chance)
    return Attention(name, len(whole), bool(discoveries([c for c in chances if c is not None])))


def _sample(pairs: Sequence[tuple[float, float]], in_logs: bool = False) -> Sample:
    return Sample(tuple(float(p[0]) for p in pairs), tuple(float(p[1]) for p in pairs), in_logs)


@dataclass(frozen=True, slots=True)
class SecondOpinion:
    """The changes that the first player showed, as another player shows them: names of measures."""

    bot: str
    pairs: int
    agrees: tuple[str, ...]
    disagrees: tuple[str, ...]
    open: tuple[str, ...]

    def as_data(self) -> dict[str, Any]:
        lists = {key: list(getattr(self, key)) for key in ("agrees", "disagrees", "open")}
        return {"bot": self.bot, "pairs": self.pairs, **lists}


def ask_another(
    bot: str, first: Comparison, before: Sequence[Row], after: Sequence[Row], sides: tuple[StudySide, StudySide]
) -> SecondOpinion:
    """Return which changes of the whole game another player shows too, going the same way."""
    found = compare_rows(before, after, (sides[0].kind, sides[1].kind), Looking(len(before)), {})
    agrees, disagrees, few = list[str](), list[str](), list[str]()
    for change in first.changes:
        if change.measure.group != "game" or not change.verdict.is_change:
            continue
        other = found.of(change.measure.key)
        interval = None if other is None else other.compared.interval
        up = change.verdict in (Verdict.MORE, Verdict.LITTLE_MORE)
        if interval is None or interval.low <= 0 <= interval.high:
            few.append(change.measure.key)
        else:
            (agrees if (interval.low > 0) == up else disagrees).append(change.measure.key)
    return SecondOpinion(bot, found.n, tuple(agrees), tuple(disagrees), tuple(few))


def seated(side: StudySide, bot: str) -> StudySide:
    """Return a side with other players."""
    seats = (bot,) * side.job.players
    return replace(side, job=replace(side.job, seats=seats), kind=replace(side.kind, seats=seats))
