"""The small games that tests share are good: a test that is about a mistake makes it in the text."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.rules import open_rules
from tests.small import FOLDER


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.stem)
def test_small_game__is_good(path: Path) -> None:
    assert [d.first_line() for d in open_rules(path).check_all() if d.level == "error"] == []
