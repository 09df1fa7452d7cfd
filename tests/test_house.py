"""House rules stay small: every file in `games/house/` says in a few lines what changes, and shows it in its own examples.

A new file is tested without a new line here.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.examples.examples import ExampleResult, Examples, find_examples, run_examples
from interpreter.game import Game
from rulespec.diagnostics.diagnostic import render
from rulespec.files.shipped import games_folder
from rulespec.rules import Rules, open_rules
from rulespec.yaml.tree import Mapping, Scalar
from tests.compare import covering
from tests.sizes import games_of

HOUSE = sorted((games_folder() / "house").glob("*.yaml"))
MOST_LINES = 12

every_file = pytest.mark.parametrize("path", HOUSE, ids=lambda path: path.stem)


def extended(rules: Rules) -> Rules:
    """The rules that a house rule changes."""
    name = rules.layers.files[-1].tree.get("extends")
    assert isinstance(name, Scalar)
    return open_rules(rules.path.parent / name.text if name.text.endswith(".yaml") else name.text)


def own_examples(rules: Rules) -> list[ExampleResult]:
    node = rules.layers.files[-1].tree.get("examples")
    names = [key.text for key, _ in node] if isinstance(node, Mapping) else []
    return run_examples(rules, names) if names else []


def lines_of_change(text: str) -> list[str]:
    """The lines under `change:`, but for empty ones, comments, and rows of a table as printed on a board."""
    lines = text.split("\n")
    begin = lines.index("change:") + 1
    end = next((i for i in range(begin, len(lines)) if lines[i][:1].strip()), len(lines))
    return [line for line in lines[begin:end] if line.strip() and not line.strip().startswith(("#", "- ["))]


def test_house__there_are_rules_for_every_game() -> None:
    extending = [open_rules(path).layers.files[0].path.stem for path in HOUSE]
    assert len(HOUSE) >= 15
    for game in games_folder().glob("*.yaml"):
        assert extending.count(game.stem) >= 2, game.stem


@every_file
def test_house__validates_clean(path: Path) -> None:
    rules = open_rules(path)
    for choices in covering(rules.combinations()):
        for players in rules.players_for(choices):
            warnings = rules.check(players, choices)[1]  # errors raise
            assert warnings == [], "\n".join(map(render, warnings))


@every_file
def test_house__is_short(path: Path) -> None:
    lines = lines_of_change(path.read_text(encoding="utf-8"))
    assert 0 < len(lines) <= MOST_LINES, "\n".join(lines)


@every_file
def test_house__own_examples_pass(path: Path) -> None:
    results = own_examples(open_rules(path))
    assert results, "no example of its own"
    assert [str(p) for r in results for p in r.problems] == []


@every_file
def test_house__own_examples_show_the_change(path: Path) -> None:
    """Tried with the rules that are changed, at least one of them comes out differently."""
    rules = open_rules(path)
    before = Examples(extended(rules))
    own = {r.name for r in own_examples(rules)}
    entries = [entry for entry, _ in find_examples(rules) if entry.key.text in own]
    assert any(before.run(entry).problems for entry in entries)


@every_file
def test_house__random_games_end(path: Path) -> None:
    rules = open_rules(path)
    for players in rules.players:
        game = Game(rules, rules.check(players)[0])
        for seed in range(games_of(5)):
            end = game.playout(seed)
            outcome = game.outcome(end)
            assert end.to_move is None and outcome is not None and outcome.winners, (players, seed)


@every_file
def test_house__has_its_own_fingerprint(path: Path) -> None:
    """Records of a house rule are not taken for records of the game, whatever options are chosen."""
    rules = open_rules(path)
    before = extended(rules)
    taken = {before.fingerprint(choices) for choices in covering(before.combinations())}
    assert taken.isdisjoint(rules.fingerprint(choices) for choices in covering(rules.combinations()))
