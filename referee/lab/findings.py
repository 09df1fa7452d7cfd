"""The findings about one rule set, as reports show them: lines, a page, data."""

from __future__ import annotations

from dataclasses import dataclass

from referee.lab.comparison import Measurement
from referee.lab.estimates import Looking
from referee.lab.skill import SkillFound
from referee.lab.study import Gathered, StudySide


@dataclass(frozen=True, slots=True)
class Findings:
    """All that was found in the games of one side, and how they were played."""

    side: StudySide
    measurement: Measurement
    looking: Looking
    gathered: Gathered
    seed: int
    far: tuple[str, Measurement] | None = None  # another player, and what it shows
    skill: SkillFound | None = None
