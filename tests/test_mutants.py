"""What validate accepts never breaks, and it finds the slips of a pen.

Quick by default. RULESPEC_MUTANTS=5000 and RULESPEC_SLIPS=500 are the full sizes; RULESPEC_FIRST begins at another number, so
that a long run can be cut in parts. `python -m tests.mutants` and `python -m tests.slips` print what they find.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

from tests import mutants, slips

FIRST = int(os.environ.get("RULESPEC_FIRST") or 0)
MUTANTS = int(os.environ.get("RULESPEC_MUTANTS") or 30)
SLIPS = int(os.environ.get("RULESPEC_SLIPS") or 20)
FOUND = 0.99  # of the slips, at their line


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that nobody will read again are not remembered."""
    monkeypatch.setenv("XDG_CACHE_HOME", os.devnull)
    monkeypatch.setenv("RULESPEC_NATIVE", "0")


def test_mutants__are_refused_or_play() -> None:
    counted: Counter[str] = Counter()
    broken = []
    for number in range(FIRST, FIRST + MUTANTS):
        mutant = mutants.mutant(number)
        verdict = mutants.judge(mutant)
        counted[verdict.what] += 1
        if verdict.what in ("exception", "slow") or verdict.detail == "nowhere":
            broken.append(f"{number} {mutant.game}: {mutant.edits}\n{verdict.detail}")
    print(dict(counted))
    assert not broken, "\n".join(broken)
    assert counted["refused"] and counted["played"]


def test_mutants__are_the_same_every_time() -> None:
    assert mutants.mutant(7) == mutants.mutant(7)
    mutant = mutants.mutant(7)
    assert mutant.text.splitlines() != list(mutants.originals()[mutant.game][1])


def test_slips__are_found_at_their_line() -> None:
    judged = {number: slips.judge(slips.slip(number)) for number in range(FIRST, FIRST + SLIPS)}
    missed = {number: verdict for number, verdict in judged.items() if verdict != "found"}
    assert len(missed) <= (1 - FOUND) * SLIPS, missed


def test_slips__are_of_all_sorts() -> None:
    made = [slips.slip(number) for number in range(20)]
    assert {slip.what for slip in made} == {"misspelt", "left out", "mixed"}
    assert all(slip.lines for slip in made)
