"""Accepted files never break, and validate finds the slips of a pen.

A few of each in the check, hundreds in the soak run. `python -m tests.mutants` and `python -m tests.slips` print what
they find.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests import mutants, slips
from tests.sizes import size

MUTANTS, SLIPS = size(6, 500), 200
MANY = 100  # mutants of one test, at most
FOUND = 0.99  # of the slips, at their line


@pytest.fixture(autouse=True)
def in_python(monkeypatch: pytest.MonkeyPatch, nothing_kept: None) -> None:
    monkeypatch.setenv("RULESPEC_NATIVE", "0")


@pytest.mark.sized
@pytest.mark.parametrize("first", range(0, MUTANTS, MANY))
def test_mutants__are_refused_or_play(first: int) -> None:
    counted: Counter[str] = Counter()
    broken = []
    for number in range(first, min(first + MANY, MUTANTS)):
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


@pytest.mark.soak
def test_slips__are_found_at_their_line() -> None:
    judged = {number: slips.judge(slips.slip(number)) for number in range(SLIPS)}
    missed = {number: verdict for number, verdict in judged.items() if verdict != "found"}
    assert len(missed) <= (1 - FOUND) * SLIPS, missed


def test_slips__are_of_all_sorts() -> None:
    made = [slips.slip(number) for number in range(20)]
    assert {slip.what for slip in made} == {"misspelt", "left out", "mixed"}
    assert all(slip.lines for slip in made)
