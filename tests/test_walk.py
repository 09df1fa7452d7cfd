"""How many modules a stranger comes to who follows a command or a verb; `python -m tests.walk FILE` prints the walk."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli import cli
from rulespec.yaml import source
from tests.walk import modules_entered, walk_of_legal_moves, walk_of_validate

SMALL_GAME = ("new", "game")
HOUSE_RULE = ("new", "house", "--extends", "base")


def written(folder: Path, *words: str) -> Path:
    """Return the file that `rulespec new` writes, and forget what it read, as a new process does."""
    file = folder / "my.yaml"
    assert CliRunner().invoke(cli, [*words, "--out", str(file)]).exit_code == 0
    source._tree.cache_clear()
    return file


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.mark.parametrize(("words", "most"), [(SMALL_GAME, 30), (HOUSE_RULE, 30)])
def test_validate__a_good_file_passes_few_modules(words: tuple[str, ...], most: int, tmp_path: Path) -> None:
    walk = walk_of_validate(written(tmp_path, *words))
    assert {"referee.cli.validate", "rulespec.rules", "rulespec.model.builder"} < walk.keys()
    assert len(walk) <= most, " ".join(walk)


def test_validate__a_mistake_passes_few_modules(tmp_path: Path) -> None:
    file = written(tmp_path, *SMALL_GAME)
    file.write_text(file.read_text().replace("not empty(bowls)", "not empty(bowsl)").replace("set turn to", "set turn"))
    walk = walk_of_validate(file)
    assert "rulespec.expr.hints.suggest" in walk and "rulespec.model.repair" in walk
    assert len(walk) <= 33, list(walk)


def test_legal_moves__passes_four_modules(tmp_path: Path) -> None:
    walk = walk_of_legal_moves(written(tmp_path, *SMALL_GAME))
    assert next(iter(walk)) == "interpreter.game"
    assert len(walk) <= 4, list(walk)


def test_walk__leaves_out_what_an_import_runs() -> None:
    def call() -> None:
        from rulespec.english import signed

        signed(2)

    assert modules_entered(call) == {"rulespec.english": ["signed"]}
