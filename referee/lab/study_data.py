"""A study as data, for programs: every number with n, interval, method and level. No times: the same games give the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.lab.comparison import Comparison, Measurement, interval_data, rounded
from referee.lab.doubts import Attention, SecondOpinion
from referee.lab.estimates import Looking
from referee.lab.findings import Findings
from referee.lab.study import Gathered, StudySide


def measurement_data(found: Findings) -> dict[str, Any]:
    """Return a measurement as plain data."""
    measurement = found.measurement
    return {
        **_head("measure", found.side, measurement.n, found.looking, found.gathered, found.seed),
        "game": rules_data(found.side),
        "faults": dict(sorted(measurement.faults.items())),
        "measures": [value.as_data() for value in measurement.values],
        "far": None if found.far is None else _far_data(*found.far),
        "skill": None if found.skill is None else found.skill.as_data(),
    }


def _far_data(bot: str, measurement: Measurement) -> dict[str, Any]:
    return {"bot": bot, "n": measurement.n, "measures": [value.as_data() for value in measurement.values]}


def comparison_data(
    sides: tuple[StudySide, StudySide],
    comparison: Comparison,
    looking: Looking,
    gathered: Gathered,
    seed: int,
    attention: Sequence[Attention] = (),
    second: SecondOpinion | None = None,
    far: SecondOpinion | None = None,
) -> dict[str, Any]:
    """Return a comparison as plain data."""
    n = comparison.n
    return {
        **_head("compare", sides[0], n, looking, gathered, seed),
        "a": rules_data(sides[0]),
        "b": rules_data(sides[1]),
        "faults": {key: dict(sorted(faults.items())) for key, faults in zip("ab", comparison.faults, strict=True)},
        "left_out": comparison.left_out,
        "in_play": {
            "differing": comparison.differing,
            "value": rounded(comparison.differing / n) if n else None,
            "n": n,
            "interval": interval_data(comparison.in_play),
        },
        "measures": [change.as_data() for change in comparison.changes],
        "attention": [one.as_data() for one in attention],
        "second": None if second is None else second.as_data(),
        "far": None if far is None else far.as_data(),
    }


def _head(command: str, side: StudySide, n: int, looking: Looking, gathered: Gathered, seed: int) -> dict[str, Any]:
    return {
        "version": 1,
        "command": command,
        "n": n,
        "planned": looking.planned,
        "ended": gathered.ended,
        "looks": looking.often,
        "players": side.job.players,
        "seats": list(side.job.seats),
        "seed": seed,
    }


def rules_data(side: StudySide) -> dict[str, Any]:
    """Return which rules a side is of."""
    return {
        "name": side.name,
        "title": side.title,
        "rules": side.job.fingerprint,
        "options": dict(side.job.options),
    }
