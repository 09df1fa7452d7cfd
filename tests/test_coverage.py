"""Rule coverage: the tool on a small game, and what no shipped game leaves unreached."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.trial.coverage import cover
from rulespec.files.sources import shipped_games
from rulespec.rules import open_rules
from tests.shipped import rules_of
from tests.sizes import SOAK
from tests.small import small_game

SMALL = small_game("take_one")

# What random games and examples cannot reach, by game: line and what never happens → why. Today they reach everything.
EXPLAINED: dict[str, dict[str, str]] = {}


def test_coverage__of_a_small_game(tmp_path: Path) -> None:
    path = tmp_path / "take.yaml"
    path.write_text(SMALL)
    found = cover(open_rules(path), games=20)
    assert [(p.span.line, p.what) for p in found.missed] == [
        (15, "the condition of `if` holds"),
        (26, "`idle` refuses `take`"),
        (31, "`never` gives points"),
    ]
    assert len(found.reached) == 7


@pytest.mark.sized
@pytest.mark.parametrize("name", [n for n in shipped_games() if "/" not in n] if SOAK else ["classics/nim"])
def test_coverage__of_a_shipped_game(name: str) -> None:
    rules = rules_of(name)
    found = cover(rules, games=36)
    lines = rules.path.read_text().splitlines()
    missed = {f"{lines[p.span.line - 1].strip()}: {p.what}" for p in found.missed}
    assert missed <= set(EXPLAINED.get(name, {})), "not reached, and not explained in EXPLAINED"
