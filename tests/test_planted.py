"""Mistakes planted into lowering, passes and printers are found by the comparison of the voices."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.bundle import COMPILER
from tests.planted import PLANTED, Planted, changed
from tests.sizes import SOAK

IN_CHECK = ("strides of an index",)
NOT_FOUND: frozenset[str] = frozenset()  # planted mistakes that make no difference anybody has found


def test_planted__there_are_thirty_and_each_has_its_place() -> None:
    """A mistake whose text is not in the source any more has to be planted anew."""
    assert len({p.name for p in PLANTED}) == len(PLANTED) >= 30
    for planted in PLANTED:
        compile(changed(planted), planted.module, "exec")


@pytest.mark.skipif(COMPILER is None, reason="there is no C compiler on this machine")
@pytest.mark.sized
@pytest.mark.parametrize("planted", [p for p in PLANTED if SOAK or p.name in IN_CHECK], ids=lambda p: p.name)
def test_planted__is_found(planted: Planted, capsys: pytest.CaptureFixture[str]) -> None:
    """In a process of its own, which a mistake in C may end: that is found, too."""
    command = [sys.executable, "-m", "tests.planted", planted.name]
    root = Path(__file__).parent.parent
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=root, timeout=7000)
    with capsys.disabled():
        print(f"\n{done.stdout.strip() or f'{planted.name}: ended with {done.returncode}'}")
    if planted.name not in NOT_FOUND:
        assert done.returncode != 1, f"{planted.name}: not found\n{done.stderr}"
