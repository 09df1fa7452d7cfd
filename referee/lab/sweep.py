"""Sweeps: one number with many values, all of them played with the same luck, and more of those that are not clear."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.lab import texts
from referee.lab.columns import NO_HEADS, GameColumns
from referee.lab.comparison import Changed, Comparison, Measured, compare_all, measure_rows
from referee.lab.estimates import LOOKS_FROM, Looking
from referee.lab.letters import report_head, shown, table
from referee.lab.study import Gathered, StudySide
from referee.lab.study_data import rules_data
from rulespec import number_of

MOST = 1_000  # games of a value
STEP = 50  # games that are added at a time
SETTLED_BY = ("score", "rounds", "decisions", "lead")  # a value with an open verdict on one of these gets more
COLUMNS = ("rounds", "decisions", "score", "lead", "first", "leader_wins")

Play = Callable[[Sequence[StudySide], int], Gathered]


@dataclass(frozen=True, slots=True)
class Swept:
    """The result of a sweep: the rules as they are, and each value compared with them."""

    base: StudySide
    values: tuple[tuple[str, StudySide, Comparison], ...]
    measured: tuple[Measured, ...]  # the rules as they are
    games: int  # of the rules as they are
    ended: str


def sweep(
    base: StudySide,
    sides: Mapping[str, StudySide],
    play: Play,
    looking: Looking,
    notices: Mapping[str, float],
) -> Swept:
    """Return each value compared with the rules as they are.

    With a fixed number of games, all values get as many. Else all get enough to be looked at, and then, step by step, those
    with an open verdict.
    """
    rows: dict[str, GameColumns] = {}
    none = usual = GameColumns(NO_HEADS)
    games, going = (LOOKS_FROM if looking.often else looking.planned), dict(sides)
    while True:
        gathered = play([base, *going.values()], games)
        usual = max(usual, gathered.rows[0], key=len)
        for name, found_now in zip(going, gathered.rows[1:], strict=True):
            # whoever stops it may do so before old ones are read
            rows[name] = max(rows.get(name, none), found_now, key=len)
        n = {name: len(rows[name]) for name in sides}
        pairs = [(usual[: n[name]], rows[name], (base.kind, side.kind)) for name, side in sides.items()]
        found = dict(zip(sides, compare_all(pairs, looking, notices), strict=True))
        going = {name: side for name, side in going.items() if _is_open(found[name])}
        if not looking.often or not going or gathered.ended != "all" or games >= looking.planned:
            break
        games = min(looking.planned, games + STEP)
    measured = measure_rows(usual, base.kind, looking)
    values = tuple((name, side, found[name]) for name, side in sides.items())
    return Swept(base, values, measured.values, len(usual), gathered.ended)


def _is_open(comparison: Comparison) -> bool:
    found = (comparison.of(key) for key in SETTLED_BY)
    return any(change is not None and change.verdict.is_open for change in found)


def sweep_lines(swept: Swept, varied: str, now: str, seed: int) -> Iterator[str]:
    """Yield the report on a sweep. No value is called the best."""
    base = swept.base
    yield report_head(f"{base.title} · {varied}", number_of(swept.games, "game"), base, seed)
    yield ""
    yield from table(sweep_table(swept, varied, now), right=(1,))
    yield ""
    yield from sweep_notes(swept, now)


def sweep_table(swept: Swept, varied: str, now: str) -> list[list[str]]:
    """Return the table of a sweep, its head first."""
    labels = {m.measure.key: m.measure.label for m in swept.measured}
    keys = [key for key in COLUMNS if key in labels and not (key == "decisions" and "rounds" in labels)]
    usual = {m.measure.key: shown(m.found, m.measure) for m in swept.measured}
    rows = [[texts.SWEEP_BASE.format(value=now), str(swept.games), *(usual[key] for key in keys)]]
    for name, _, comparison in swept.values:
        rows.append([name, str(comparison.n), *(_cell(comparison.of(key)) for key in keys)])
    heads = (labels[key].partition(" (")[0] for key in keys)
    return [[varied.partition("=")[0], texts.SWEEP_GAMES, *heads], *sorted(rows, key=_in_order)]


def sweep_notes(swept: Swept, now: str) -> Iterator[str]:
    """Yield what is open, faults, and what the words of the table mean."""
    open_ones = [name for name, _, comparison in swept.values if _is_open(comparison)]
    if open_ones:
        yield texts.SWEEP_CAPPED.format(n=max(c.n for _, _, c in swept.values), list=", ".join(open_ones))
    for name, _, comparison in swept.values:
        if faults := sum(comparison.faults[1].values()):
            codes = ", ".join(sorted(comparison.faults[1]))
            yield texts.FAULTS.format(n=faults, games=comparison.n + comparison.left_out, name=name, codes=codes)
    yield texts.SWEEP_KEY.format(base=now)


def _cell(change: Changed | None) -> str:
    if change is None:
        return ""
    return f"{shown(change.after, change.measure)} {texts.SWEEP_WORDS[change.verdict.value]}"


def _in_order(row: list[str]) -> tuple[int, float, str]:
    """Sort values as numbers where they are numbers."""
    word = row[0].partition(" ")[0].partition(",")[0]
    try:
        return (0, float(word), row[0])
    except ValueError:
        return (1, 0.0, row[0])


def sweep_data(swept: Swept, varied: Sequence[str], now: Sequence[str], looking: Looking, seed: int) -> dict[str, Any]:
    """Return a sweep as plain data."""
    return {
        "version": 1,
        "command": "sweep",
        "planned": looking.planned,
        "ended": swept.ended,
        "looks": looking.often,
        "players": swept.base.job.players,
        "seats": list(swept.base.job.seats),
        "seed": seed,
        "game": rules_data(swept.base),
        "varied": list(varied),
        "now": {"values": list(now), "n": swept.games, "measures": [m.as_data() for m in swept.measured]},
        "values": [
            {
                "value": name,
                "n": comparison.n,
                "rules": side.job.fingerprint,
                "faults": sum(comparison.faults[1].values()),
                "measures": [change.as_data() for change in comparison.changes if change.measure.group == "game"],
            }
            for name, side, comparison in swept.values
        ],
    }
