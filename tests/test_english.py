"""Lists, numbers and suggestions in words."""

from __future__ import annotations

import doctest

from rulespec import english


def test_english__examples_in_the_code_are_right() -> None:
    result = doctest.testmod(english)
    assert result.attempted > 5
    assert result.failed == 0
