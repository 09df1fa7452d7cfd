"""Files to start from: good at once, playable at once, and every line of them can be made a rule."""

from __future__ import annotations

import io
import json
import re
from contextlib import chdir, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from interpreter import Game
from interpreter.examples.examples import run_examples
from referee.cli import cli, main
from referee.new.templates import starting_game, starting_house
from rulespec.files.sources import shipped_games
from rulespec.format.formatter import content, format_text
from rulespec.rules import open_rules
from rulespec.yaml.source import read_source
from tests.shipped import rules_of
from tests.sizes import SOAK
from tests.small import small_game
from tests.sticks import sticks

SHIPPED = list(shipped_games())
SOME = ["base", "classics/nim"]
NAMES = SHIPPED if SOAK else SOME


OURS = Path("ours.yaml")  # which is never written


def run(*words: str) -> tuple[object, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ended:
        main(words)
    return ended.value.code, out.getvalue(), err.getvalue()


@cache
def started(name: str) -> str:
    return starting_house(name, OURS)


def uncommented(text: str) -> str:
    """Return the file with all its rules in force."""
    return re.sub(r"^( *)# ", r"\1", text, flags=re.MULTILINE)


def errors(path: Path, text: str) -> list[str]:
    return [d.first_line() for d in open_rules(path, text=text).check_all() if d.level == "error"]


@pytest.mark.sized
@pytest.mark.parametrize("name", NAMES)
def test_house__is_good_as_it_is_and_with_every_line_in_force(name: str) -> None:
    text = started(name)
    assert errors(OURS, text) == []
    assert errors(OURS, uncommented(text)) == []
    assert len([line for line in text.splitlines() if "# was " in line]) == 1
    assert max(map(len, text.splitlines())) <= 120
    rules = open_rules(OURS, text=text)
    assert rules.title == f"{rules_of(name).title} at our table"
    for players in rules.players:
        game = Game(rules, rules.check(players)[0])
        assert game.outcome(game.python_playout(1)) is not None


@pytest.mark.sized
@pytest.mark.parametrize("name", NAMES)
def test_house__is_laid_out_and_any_other_indentation_comes_back_as_rules(name: str) -> None:
    text = started(name)
    assert format_text(text) == text
    wider = re.sub(r"^((?:  )+)", lambda found: found[1] * 2, text, flags=re.MULTILINE)
    assert errors(OURS, uncommented(format_text(wider))) == []
    assert content(read_source("f", uncommented(format_text(wider)))) == content(read_source("f", uncommented(text)))


def test_game__is_laid_out() -> None:
    assert format_text(starting_game()) == starting_game()


@pytest.mark.sized
@pytest.mark.parametrize("name", NAMES)
def test_house__names_all_that_can_be_changed(name: str) -> None:
    text = started(name)
    rules = rules_of(name)
    model = rules.check()[0]
    for names in (
        model.tables,
        model.variables,
        model.moves,
        model.rules,
        [o.name for o in rules.options if not o.fixed],
    ):
        for entry in names:
            assert re.search(rf"\b{re.escape(entry)}\b", text), entry
    for move in model.moves.values():
        for condition in move.conditions:
            assert condition.name in " ".join(text.replace("##", " ").split()), condition.name


def test_house__shows_indexes_and_parameters() -> None:
    text = started("base")
    for head in (
        "line[player, row]: {pile:",
        "line_colour(player p, target t): first(",
        "lay(row r):",
        "placed(row r, column c):",
    ):
        assert f"    # {head}" in text


def test_house__the_change_is_a_change() -> None:
    ours, theirs = open_rules(OURS, text=started("base")).check()[0], rules_of("base").check()[0]
    assert [n for n in theirs.tables if ours.tables[n].entries != theirs.tables[n].entries] == ["tiles_each"]


def test_house__its_example_runs_when_it_is_in_force(tmp_path: Path) -> None:
    path = tmp_path / "ours.yaml"
    path.write_text(uncommented(started("classics/nim")), encoding="utf-8")
    results = {r.name: r for r in run_examples(open_rules(path))}
    assert results["the game begins"].problems == ()


def test_house__of_a_house_rule_in_another_folder(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "mine").mkdir()
    below = tmp_path / "rules" / "below.yaml"
    below.write_text("rulespec: 1\nextends: classics/nim\ngame: Below\n", encoding="utf-8")
    with chdir(tmp_path):
        code, _, err = run("new", "house", "--extends", "rules/below.yaml", "--out", "mine/ours.yaml")
    assert (code, err) == (0, "")
    written = (tmp_path / "mine" / "ours.yaml").read_text(encoding="utf-8")
    assert "extends: ../rules/below.yaml\n" in written
    assert errors(tmp_path / "mine" / "ours.yaml", written) == []


def test_game__is_good_passes_its_examples_and_ends(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    assert run("new", "game", "--out", str(path))[0] == 0
    rules = open_rules(path)
    assert [d.first_line() for d in rules.check_all()] == []
    assert [problem for result in run_examples(rules) for problem in result.problems] == []
    for players in rules.players:
        game = Game(rules, rules.check(players)[0])
        assert all(game.outcome(game.playout(seed)) for seed in range(20))


def test_new__never_writes_over_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("keep me", encoding="utf-8")
    code, _, err = run("new", "game", "--out", str(path))
    assert (code, path.read_text(encoding="utf-8")) == (1, "keep me")
    assert "already a file" in err
    code, out, _ = run("new", "game", "--out", str(path), "--force")
    assert code == 0
    assert "written" in out
    assert "Pebbles" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["new"], 2, "Missing argument"),
        (["new", "house"], 2, "say which game to change"),
        (["new", "game", "--extends", "base"], 2, "a new game extends nothing"),
        (["new", "house", "--extends", "nonsense"], 2, "nonsense"),
        (["new", "game", "--out", "/nowhere/a.yaml"], 1, "cannot be written"),
        (["new", "opera"], 2, "opera"),
    ],
)
def test_new__what_is_wrong_is_said(words: list[str], code: int, said: str) -> None:
    found, _, err = run(*words)
    assert (found, "Traceback" in err) == (code, False)
    assert said in err


def test_new__a_bad_file_is_not_extended(tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text("rulespec: 1\nextends: base\nchange:\n  tables: {costs: 3}\n", encoding="utf-8")
    code, _, err = run("new", "house", "--extends", str(bad))
    assert code == 1
    assert "bad.yaml" in err


def test_new__prints_where_no_file_is_named() -> None:
    assert run("new", "game")[1] == run("new", "game", "--out", "-")[1]
    data = json.loads(run("new", "game", "--json")[1])
    assert (data["version"], data["file"]) == (1, None)
    assert data["text"].startswith("##")


def test_house__of_rules_that_cannot_go_on(tmp_path: Path) -> None:
    stuck = tmp_path / "stuck.yaml"
    stuck.write_text(sticks(that="n < 0 + count(heap)"), encoding="utf-8")  # nobody may take the last one
    code, out, err = run("new", "house", "--extends", str(stuck))
    assert (code, err) == (0, "") and "extends: " in out


def test_house__of_rules_without_a_move(tmp_path: Path) -> None:
    alone = tmp_path / "alone.yaml"
    alone.write_text("rulespec: 1\ngame: A\nplayers: 2\nplay: []\nwinner:\n  x: 1\n", encoding="utf-8")
    code, out, err = run("new", "house", "--extends", str(alone))
    assert (code, err) == (0, "") and "extends: " in out


@pytest.mark.parametrize(
    ("extends", "out", "code"),
    [
        ("sub/link.yaml", "", "extends-link"),
        ("a: b/sticks.yaml", "", "extends-absolute"),
        ("d\x1bx/sticks.yaml", "", "yaml-control-character"),
        ("sticks.yaml", "e\x1b[2Jx.yaml", "file-not-text"),
    ],
)
def test_house__of_a_game_that_cannot_be_extended_from_there(tmp_path: Path, extends: str, out: str, code: str) -> None:
    (tmp_path / "sticks.yaml").write_text(sticks(), encoding="utf-8")
    (tmp_path / extends).parent.mkdir(exist_ok=True)
    if not (tmp_path / extends).exists():
        (tmp_path / extends).symlink_to(tmp_path / "sticks.yaml")
    with chdir(tmp_path):
        found, _, err = run("new", "house", "--extends", extends, *(["--out", out] if out else []))
    assert (found, f"error[{code}]" in err, "\x1b" in err) == (1, True, False)
    assert not out or not (tmp_path / out).exists()


def test_house__a_section_in_which_nothing_fits_on_a_line_stays_a_comment(tmp_path: Path) -> None:
    long = " + ".join(["score[me]"] * 30)
    game = small_game("heaps").replace("points: worth[h]", f"points: worth[h] + 0 * ({long})")
    assert long in game
    (tmp_path / "game.yaml").write_text(game, encoding="utf-8")
    run = CliRunner().invoke(
        cli, ["new", "house", "--extends", str(tmp_path / "game.yaml"), "--out", str(tmp_path / "ours.yaml")]
    )
    assert run.exit_code == 0, run.output
    text = (tmp_path / "ours.yaml").read_text(encoding="utf-8")
    assert "  ## scoring:\n" in text and "  # moves:\n" in text
