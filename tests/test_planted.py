"""Mistakes planted into lowering, passes and printers are found by the comparison of the voices."""

from __future__ import annotations

import pytest

from tests.bundle import COMPILER
from tests.planted import PLANTED, Planted, changed, found_before, found_in, search
from tests.sizes import SOAK

IN_CHECK = ("strides of an index",)
NOT_FOUND: frozenset[str] = frozenset()  # planted mistakes that the comparison does not find
NOT_IN_PLAY: frozenset[str] = frozenset()  # those that are found before the program is played, and not in play
TOLD = {  # what differs by at least one of them
    "ledger lines",
    "ledger lines at the table",
    "movements",
    "refusals",
    "marks",
    "results",
    "results in C",
    "outcomes",
    "outcomes at the table",
    "outcomes in C",
    "objections at the table",
    "legal moves",
    "legal moves at the table",
    "legal moves in C",
    "masks in C",
    "positions",
    "positions in C",
}


def test_planted__there_are_thirty_and_each_has_its_place() -> None:
    """A mistake whose text is not in the source any more has to be planted anew."""
    assert len({p.name for p in PLANTED}) == len(PLANTED) >= 30
    for planted in PLANTED:
        compile(changed(planted), planted.module, "exec")


def test_planted__of_thirty_at_least_twenty_eight_are_found() -> None:
    """Those that were found are in `planted.txt` with their place; the soak run looks for each of them again."""
    found = {name: where for name, where in found_before().items() if where}
    assert set(found) == {p.name for p in PLANTED} - NOT_FOUND
    assert len(found) * 30 >= 28 * len(PLANTED)
    assert {name for name, where in found.items() if where.endswith("; not seen in play")} == NOT_IN_PLAY


def test_planted__everything_that_is_compared_is_wrong_by_one_of_them() -> None:
    assert {where.partition(": ")[2] for where in found_before().values()} >= TOLD


@pytest.mark.soak
def test_planted__without_a_mistake_the_cases_show_none() -> None:
    """Else every mistake would be found there."""
    assert found_in("game", most=0) is None


@pytest.mark.skipif(COMPILER is None, reason="there is no C compiler on this machine")
@pytest.mark.sized
@pytest.mark.parametrize("planted", [p for p in PLANTED if SOAK or p.name in IN_CHECK], ids=lambda p: p.name)
def test_planted__is_found(planted: Planted, capsys: pytest.CaptureFixture[str]) -> None:
    """In a process of its own, which a mistake in C may end: that is found, too."""
    result = search(planted.name)
    with capsys.disabled():
        print(f"\n{result}")
    assert result.where or planted.name in NOT_FOUND
