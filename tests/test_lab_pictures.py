"""Pictures and pages of the lab: drawn the same in every run, their words as text, nothing of an author's as markup."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from referee.lab.comparison import Comparison, compare_rows, measure_rows
from referee.lab.estimates import Looking
from referee.lab.plots import DARK, LIGHT, THEMES, Drawing, draw_changes, draw_story, draw_sweep, drawn, leader_story
from referee.lab.row import Row
from referee.lab.study import StudySide
from referee.lab.study_page import comparison_parts, write_page
from referee.lab.sweep import Swept
from rulespec import open_rules
from tests.test_cli import Runner, run

__all__ = ["run"]  # the fixture


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESPEC_LAB", str(tmp_path / "lab"))


NASTY = "<b>$x^$</b> & “two” \\frac{1}{2} _a_"


def game(seed: int, more: int) -> Row:
    """Return a row: some points more, and the lead now with one and now with the other."""
    one, two = 20 + seed % 7 + more, 18 + seed % 5
    return {
        "seed": seed, "decisions": 40 + seed % 4 + more, "rounds": 5 + seed % 2, "legal": 400, "single": seed % 3, "first": 1,
        "winners": [1 if one > two else 2] if one != two else [1, 2], "scores": [one, two],
        "rules": {NASTY: [4, one, one], "lost": [2, -5, -3]},
        "standings": [[seed % 5, 2], [4, 5], [9, 8], [12, 13], [one, two]],
        "use": {"go": [6, 5.0], "stay": [4, 5.0]}, "mark": f"{seed:x}{more:x}",
    }  # fmt: skip


ROWS: tuple[list[Row], list[Row]] = ([game(i, 0) for i in range(60)], [game(i, 8) for i in range(60)])


@pytest.fixture(scope="module")
def sides() -> tuple[StudySide, StudySide]:
    one = StudySide.of("one", open_rules("classics/pig"), 2, {}, ("random", "random"))
    kind = replace(one.kind, rules=(NASTY, "lost"))
    return replace(one, kind=kind), replace(one, name="two", title=NASTY, kind=kind)


@pytest.fixture(scope="module")
def found(sides: tuple[StudySide, StudySide]) -> Comparison:
    return compare_rows(ROWS[0], ROWS[1], (sides[0].kind, sides[1].kind), Looking(60), {})


def texts_of(svg: bytes) -> list[str]:
    return ["".join(node.itertext()) for node in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def drawings(sides: tuple[StudySide, StudySide], found: Comparison) -> Sequence[Drawing]:
    return draw_changes(sides, found, "60 pairs"), draw_story(sides, found, ROWS, "60 pairs")


def test_pictures__are_the_same_in_every_run(sides: tuple[StudySide, StudySide], found: Comparison) -> None:
    for drawing in drawings(sides, found):
        one, two = (drawn(drawing(LIGHT), "svg") for _ in range(2))
        assert one == two and b"<dc:date>" not in one
    assert drawn(drawings(sides, found)[0](DARK), "png").startswith(b"\x89PNG")


def test_pictures__have_their_words_as_text(sides: tuple[StudySide, StudySide], found: Comparison) -> None:
    changes, story = (texts_of(drawn(drawing(LIGHT), "svg")) for drawing in drawings(sides, found))
    assert {"points of a player", "one", "two", "60 pairs", "more"} <= set(changes)
    assert f"What “{NASTY}” does to “Pig”" in changes  # no formula is made of it
    assert {NASTY, "lost", "first fifth"} <= set(story)


def test_story__of_leaders() -> None:
    story = leader_story(ROWS[0])
    assert len(story) == 5 and story[-1][0] == 1.0
    assert all(low <= value <= high for value, low, high in story)
    assert leader_story([{**ROWS[0][0], "standings": []}]) == []


def test_sweep__is_drawn_with_the_rules_as_they_are(sides: tuple[StudySide, StudySide], found: Comparison) -> None:
    measured = measure_rows(ROWS[0], sides[0].kind, Looking(60))
    swept = Swept(sides[0], (("9", sides[1], found), ("10", sides[1], found)), measured.values, 60, "all")
    words = texts_of(drawn(draw_sweep(swept, "tables.x=8..10", "8")(LIGHT), "svg"))
    assert [w for w in words if w in ("8", "9", "10")][:3] == ["8", "9", "10"]  # as numbers, not as letters


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.ids += [value or "" for name, value in attrs if name == "id"]


def test_page__nothing_of_an_author_is_markup(sides: tuple[StudySide, StudySide], found: Comparison) -> None:
    pictures = [("a picture", drawing) for drawing in drawings(sides, found)]
    page = write_page(NASTY, "60 pairs", comparison_parts(sides, found, pictures, [NASTY]))
    tags = Tags()
    tags.feed(page)
    assert "b" not in tags.tags and "script" not in tags.tags and tags.tags.count("svg") == 2 * len(THEMES)
    assert len(tags.ids) == len(set(tags.ids))
    assert page.count('role="img" aria-label="a picture"') == 4
    assert not re.search(r"(src|href)=\"(?!#)", page)  # one file, and nothing from elsewhere


def test_compare__writes_page_and_pictures(run: Runner) -> None:
    run.write("far.yaml", "rulespec: 1\nextends: classics/pig\ngame: Far pig\nchange: {tables: {enough: 60}}\n")
    words = ["compare", "classics/pig", "far.yaml", "--seats", "random", "--games", "30", "--workers", "1"]
    answer = run(*words, "--html", "far.html", "--plots", "pictures")
    assert answer.code == 0, answer.err
    assert "Chance comes less often" in (run.folder / "far.html").read_text(encoding="utf-8")
    names = [
        f"{name}-{theme}.{form}"
        for name in ("compare", "story")
        for theme in ("dark", "light")
        for form in ("png", "svg")
    ]
    assert sorted(path.name for path in (run.folder / "pictures").iterdir()) == names
    answer = run(*words, "--html", str(Path("nowhere") / "far.html"))
    assert answer.code == 2 and "cannot write `nowhere/far.html`" in answer.err


@pytest.mark.soak
def test_sweep__writes_page_and_picture(run: Runner) -> None:
    words = [
        "sweep",
        "classics/pig",
        "--vary",
        "tables.enough=60,100",
        "--seats",
        "random",
        "--games",
        "30",
        "--workers",
        "1",
    ]
    answer = run(*words, "--html", "sweep.html", "--plots", "pictures")
    assert answer.code == 0, answer.err
    assert "tables.enough" in (run.folder / "sweep.html").read_text(encoding="utf-8")
    assert len(list((run.folder / "pictures").iterdir())) == 4


def test_pictures__without_matplotlib_are_refused_before_any_game(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    answer = run("compare", "base", "two_rows", "--html", "x.html")
    assert answer.code == 2 and "pictures need matplotlib: `pip install 'rulespec[lab]'`" in answer.err
