"""Doubts about a comparison: whether the players play for what was changed, and whether others show the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from referee.lab.comparison import Comparison, Rows, compare_rows, interval_data, rounded
from referee.lab.estimates import Compared, Found, Looking, Sample, Verdict, compare, discoveries, estimate
from referee.lab.measures import moves_used
from referee.lab.study import StudySide

PAIRS = 60  # for the check of attention
SECOND_PAIRS = 36  # for another player
MOSTLY = 0.8  # of games: a rule that comes up in more is counted, and not asked whether it does


@dataclass(frozen=True, slots=True)
class PlannedUse:
    """How often a scoring rule comes up: with the usual players, with far-sighted ones, and with these for much more."""

    rule: str
    share: bool  # of games in which it comes up; else how many times a game, since that is in most games
    usual: Found
    far: Found
    larger: Found

    def as_data(self) -> dict[str, Any]:
        found = {key: _found_data(getattr(self, key)) for key in ("usual", "far", "larger")}
        return {"rule": self.rule, "share": self.share, **found}


def _found_data(found: Found) -> dict[str, Any]:
    """Return a number as data; without an interval it is not shown."""
    interval = found.interval
    value = None if interval is None else rounded(found.value)
    return {"value": value, "n": found.n, "interval": interval_data(interval)}


@dataclass(frozen=True, slots=True)
class Foresight:
    """Whether far-sighted players play for a number for which the usual ones do not, and how."""

    bot: str
    pairs: int
    noticed: bool | None
    rules: tuple[PlannedUse, ...] = ()  # that come up more or less often, the surest first
    moves: tuple[tuple[str, bool], ...] = ()  # that are used otherwise, and whether more often

    def as_data(self) -> dict[str, Any]:
        return {
            "bot": self.bot,
            "pairs": self.pairs,
            "noticed": self.noticed,
            "rules": [use.as_data() for use in self.rules],
            "moves": [{"move": move, "more": more} for move, more in self.moves],
        }


@dataclass(frozen=True, slots=True)
class Attention:
    """Whether the players play differently if a number is many times as large; None: the rules cannot be played that way."""

    name: str
    pairs: int
    noticed: bool | None
    far: Foresight | None = None  # where they do not

    def as_data(self) -> dict[str, Any]:
        far = None if self.far is None else self.far.as_data()
        return {"number": self.name, "pairs": self.pairs, "noticed": self.noticed, "far": far}


@dataclass(frozen=True, slots=True)
class _Habit:
    """Something that players do, and how it differs between two sides."""

    kind: str  # move, rule or decisions
    name: str
    compared: Compared


def look_for_attention(name: str, usual: Rows, larger: Rows) -> Attention:
    """Return whether anything that players do differs: moves that they use, how often rules come up, how long games are.

    Points are not asked for: they are larger whether anybody plays for them or not.
    """
    pairs, found = _habits(usual, larger)
    return Attention(name, pairs, bool(_changed(found)) if pairs else None)


def look_far(bot: str, usual: Rows, far: Rows, larger: Rows) -> Foresight:
    """Return how far-sighted players use what the usual ones do not play for: `far` are their games, and `larger` those for more."""
    pairs, found = _habits(far, larger)
    if not pairs:
        return Foresight(bot, 0, None)
    changed = _changed(found)
    rules = [habit.name for habit in changed if habit.kind == "rule"]
    moves = [(habit.name, (habit.compared.value or 0.0) > 0) for habit in changed if habit.kind == "move"]
    uses = tuple(_planned_use(rule, (usual, far, larger)) for rule in rules)
    return Foresight(bot, pairs, bool(changed), uses, tuple(moves))


def _habits(usual: Rows, larger: Rows) -> tuple[int, list[_Habit]]:
    """Return how many pairs are whole, and all that players do, compared."""
    whole = [(a, b) for a, b in zip(usual, larger, strict=True) if "fault" not in a and "fault" not in b]
    if not whole:
        return 0, []
    a, b = [one for one, _ in whole], [two for _, two in whole]
    looking, found = Looking(len(whole)), []
    for move in moves_used(a, b):
        one, two = (_sample([row["use"].get(move, (0, 0)) for row in rows], in_logs=True) for rows in (a, b))
        found.append(_Habit("move", move, compare(one, two, False, looking)))
    for rule in sorted({rule for row in (*a, *b) for rule in row["rules"]}):
        compared = compare(_counts(rule, a), _counts(rule, b), False, looking)
        if compared.chance is None:  # few pairs differ: in how many games it comes up at all can be told
            compared = compare(_games_with(rule, a), _games_with(rule, b), True, looking)
        found.append(_Habit("rule", rule, compared))
    one, two = (_sample([(row["decisions"], 1) for row in rows]) for rows in (a, b))
    found.append(_Habit("decisions", "", compare(one, two, False, looking)))
    return len(whole), found


def _changed(habits: Sequence[_Habit]) -> list[_Habit]:
    """Return what surely differs, the surest first."""
    asked = [(habit, chance) for habit in habits if (chance := habit.compared.chance) is not None]
    claimed = [asked[i] for i in discoveries([chance for _, chance in asked])]
    return [habit for habit, _ in sorted(claimed, key=lambda pair: (pair[1], pair[0].kind, pair[0].name))]


def _planned_use(rule: str, sides: tuple[Rows, Rows, Rows]) -> PlannedUse:
    whole = [[row for row in rows if "fault" not in row] for rows in sides]
    shares = [estimate(_games_with(rule, rows), True, Looking(len(rows))) for rows in whole]
    if all((share.value or 0.0) > MOSTLY for share in shares):
        counts = [estimate(_counts(rule, rows), False, Looking(len(rows))) for rows in whole]
        return PlannedUse(rule, False, *counts)
    return PlannedUse(rule, True, *shares)


def _counts(rule: str, rows: Rows) -> Sample:
    """Return how often a scoring rule comes up in each game."""
    return _sample([(row["rules"].get(rule, (0,))[0], 1) for row in rows])


def _games_with(rule: str, rows: Rows) -> Sample:
    """Return for each game whether a scoring rule comes up."""
    return _sample([(min(1, row["rules"].get(rule, (0,))[0]), 1) for row in rows])


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
    alone: tuple[str, ...]  # changes that the first player does not show

    def as_data(self) -> dict[str, Any]:
        lists = {key: list(getattr(self, key)) for key in ("agrees", "disagrees", "open", "alone")}
        return {"bot": self.bot, "pairs": self.pairs, **lists}


def ask_another(
    bot: str, first: Comparison, before: Rows, after: Rows, sides: tuple[StudySide, StudySide]
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
    known = {change.measure.key for change in first.changes if change.verdict.is_change}
    shown = [c.measure.key for c in found.changes if c.measure.group == "game" and c.verdict.is_change]
    alone = [key for key in shown if key not in known]
    return SecondOpinion(bot, found.n, tuple(agrees), tuple(disagrees), tuple(few), tuple(alone))


def seated(side: StudySide, bot: str) -> StudySide:
    """Return a side with other players."""
    seats = (bot,) * side.job.players
    return replace(side, job=replace(side.job, seats=seats), kind=replace(side.kind, seats=seats))
