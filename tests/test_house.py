"""House rules stay small: every file in `games/house/` says in a few lines what changes, and shows it in its own examples.

A new file is tested without a new line here.
"""

from __future__ import annotations

import pytest

from interpreter.examples.reading import find_examples
from rulespec.diagnostics.diagnostic import GAMES_FOLDER, render
from rulespec.files.sources import shipped_games
from tests.compare import covering
from tests.shipped import example_results, examples_of, game_of, rules_of, with_some_house_rules
from tests.sizes import SOAK, size

HOUSE = sorted(name for name in shipped_games() if name.startswith("house/"))
MOST_LINES = 12

every_file = pytest.mark.parametrize("name", HOUSE)


def extended(name: str) -> str:
    """Return the name of the game, or of the house rule, that a house rule changes."""
    file = rules_of(name).layers.files[-2].path
    return next(other for other, path in shipped_games().items() if path.samefile(file))


def lines_of_change(text: str) -> list[str]:
    """Return the lines under `change:`, but for empty ones, comments, and rows of a table as printed on a board."""
    lines = text.split("\n")
    begin = lines.index("change:") + 1
    end = next((i for i in range(begin, len(lines)) if lines[i][:1].strip()), len(lines))
    return [line for line in lines[begin:end] if line.strip() and not line.strip().startswith(("#", "- ["))]


def test_house__there_are_rules_for_every_game() -> None:
    extending = [rules_of(name).layers.files[0].path.stem for name in HOUSE]
    assert len(HOUSE) >= 15
    for game in GAMES_FOLDER.glob("*.yaml"):
        assert extending.count(game.stem) >= 2, game.stem


@pytest.mark.soak
@every_file
def test_house__gives_no_warning_in_any_setting(name: str) -> None:
    rules = rules_of(name)
    for choices in covering(rules.combinations()):
        for players in rules.players_for(choices):
            warnings = rules.check(players, choices)[1]  # errors raise
            assert warnings == [], "\n".join(map(render, warnings))


@every_file
def test_house__is_short(name: str) -> None:
    lines = lines_of_change(rules_of(name).path.read_text(encoding="utf-8"))
    assert 0 < len(lines) <= MOST_LINES, "\n".join(lines)


@pytest.mark.parametrize("name", with_some_house_rules(HOUSE))
def test_house__own_examples_show_the_change(name: str) -> None:
    """There are some, and tried with the rules that are changed, at least one of them comes out differently.

    That they pass is tested with those of all games.
    """
    own = {result.name for result in example_results(name)}
    assert own, "no example of its own"
    before = examples_of(extended(name))
    entries = [entry for entry, _ in find_examples(rules_of(name)) if entry.key.text in own]
    assert any(before.run(entry).problems for entry in entries)


@pytest.mark.sized
@pytest.mark.parametrize("name", with_some_house_rules(HOUSE))
def test_house__random_games_end(name: str) -> None:
    counts = rules_of(name).players
    for players in counts if SOAK else {counts[0], counts[-1]}:
        game = game_of(name, players)
        for seed in range(size(2, 30)):
            end = game.playout(seed)
            outcome = game.outcome(end)
            assert end.to_move is None and outcome is not None and outcome.winners, (players, seed)


@every_file
def test_house__has_its_own_fingerprint(name: str) -> None:
    """Records of a house rule are not taken for records of the game, whatever options are chosen."""
    rules = rules_of(name)
    before = rules_of(extended(name))
    taken = {before.fingerprint(choices) for choices in covering(before.combinations())}
    assert taken.isdisjoint(rules.fingerprint(choices) for choices in covering(rules.combinations()))
