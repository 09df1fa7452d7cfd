"""Lists, numbers and suggestions in words."""

from __future__ import annotations

import doctest
import re

from referee.diff.texts import COUNTED
from referee.lab import texts
from referee.rulebook.grammar import number_of_things
from rulespec import english, number_of
from tests.test_words import CODE, ROOT


def test_english__examples_in_the_code_are_right() -> None:
    result = doctest.testmod(english)
    assert result.attempted > 5
    assert result.failed == 0


def test_number_of__every_noun_in_the_code_takes_an_s() -> None:
    sources = (path.read_text() for room in CODE for path in (ROOT / room).rglob("*.py"))
    nouns = {
        noun for source in sources for noun in re.findall(r"\bnumber_(?:of|range)\(.*?, [\"']([a-z ]+)[\"']\)", source)
    }
    assert {"player", "random game", "decision"} <= nouns
    for noun in (*nouns, texts.PAIRS, texts.GAME, *COUNTED.values()):
        assert number_of(2, noun) == number_of_things(2, noun)
