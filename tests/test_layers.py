"""Files that extend others, their options, and the one tree they make."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.diagnostics.diagnostic import Diagnostic, RuleFileError
from rulespec.files.sources import Disk, FindGame
from rulespec.options.layers import Layers, OptionError, open_stack
from rulespec.yaml.nodes import Mapping, plain
from tests.shipped import rules_of

BASE = """\
rulespec: 1
game: Base
players: 2..4
sets: {colour: [blue, red]}
tables: {cost: [1, 2]}
options:
  side:
    plain: {text: the plain side}
    grey:
      text: the grey side
      change: {tables: {cost: [5]}, sets: {colour: {add: [grey]}}}
  extra:
    without: {text: no extras}
    with: {text: extras, change: {sets: {colour: {add: [extra]}}}}
examples:
  one: {given: {x: 1}}
view: {labels: {blue: Blue}}
"""
HOUSE = """\
rulespec: 1
extends: ../base.yaml
game: House
with: {side: grey}
change: {tables: {cost: {add: [6]}}}
options:
  mood:
    kind: {text: kind}
    cruel: {text: cruel, change: {tables: {cost: {add: [7]}}}}
examples:
  two: {given: {x: 2}}
view: {labels: {red: Red}}
"""


def open_file(path: Path, text: str | None = None, find_game: FindGame = lambda name: None) -> Layers:
    return open_stack([path], Disk({} if text is None else {path: text}, find_game))


@pytest.fixture
def games(tmp_path: Path) -> Path:
    (tmp_path / "house").mkdir()
    (tmp_path / "base.yaml").write_text(BASE)
    (tmp_path / "house" / "h.yaml").write_text(HOUSE)
    return tmp_path


def complaints(folder: Path, text: str, name: str = "t.yaml") -> list[tuple[str, str, str, str]]:
    with pytest.raises(RuleFileError) as caught:
        open_file(folder / name, text=text)
    return [_said(d, folder) for d in caught.value.diagnostics]


def _said(d: Diagnostic, folder: Path) -> tuple[str, str, str, str]:
    return (
        d.code,
        str(d.span).replace(f"{folder}/", ""),
        d.message.replace(f"{folder}/", ""),
        d.fix.replace(f"{folder}/", ""),
    )


def resolved(layers: Layers, **choices: str) -> dict[str, object]:
    data = plain(layers.resolve(choices))
    assert isinstance(data, dict)
    return data


def test_one_file__default_and_chosen_options(games: Path) -> None:
    layers = open_file(games / "base.yaml")
    assert resolved(layers) == {
        "rulespec": 1,
        "game": "Base",
        "players": "2..4",
        "sets": {"colour": ["blue", "red"]},
        "tables": {"cost": [1, 2]},
        "examples": {"one": {"given": {"x": 1}}},
        "view": {"labels": {"blue": "Blue"}},
    }
    both = resolved(layers, extra="with", side="grey")
    assert both["sets"] == {"colour": ["blue", "red", "grey", "extra"]}  # in order of declaration, not of choosing
    assert both["tables"] == {"cost": [5]}


def test_extending__base_its_options_the_change_then_own_options(games: Path) -> None:
    layers = open_file(games / "house" / "h.yaml")
    assert [file.path for file in layers.files] == [games / "base.yaml", games / "house" / "h.yaml"]
    assert resolved(layers, mood="cruel") == {
        "rulespec": 1,
        "game": "House",
        "players": "2..4",
        "sets": {"colour": ["blue", "red", "grey"]},
        "tables": {"cost": [5, 6, 7]},
        "examples": {"one": {"given": {"x": 1}}, "two": {"given": {"x": 2}}},
        "view": {"labels": {"blue": "Blue", "red": "Red"}},
    }


def test_extending__examples_know_their_file(games: Path) -> None:
    examples = open_file(games / "house" / "h.yaml").resolve({}).get("examples")
    assert isinstance(examples, Mapping)
    assert [Path(key.span.file).name for key, _ in examples] == ["base.yaml", "h.yaml"]


def test_extending__an_example_of_the_same_name_replaces(games: Path) -> None:
    text = "extends: base.yaml\nexamples: {one: {run: x}}\n"
    assert resolved(open_file(games / "t.yaml", text=text))["examples"] == {"one": {"run": "x"}}


def test_options__as_data(games: Path) -> None:
    layers = open_file(games / "house" / "h.yaml")
    assert [(o.name, o.default, o.fixed, o.layer, [c.name for c in o.choices]) for o in layers.options()] == [
        ("side", "grey", "grey", 0, ["plain", "grey"]),
        ("extra", "without", None, 0, ["without", "with"]),
        ("mood", "kind", None, 1, ["kind", "cruel"]),
    ]
    side = layers.options()[0]
    assert str(side.fixed_at) == f"{games}/house/h.yaml:4:14"
    assert (side.choices[1].text, str(side.choices[1].span)) == ("the grey side", f"{games}/base.yaml:9:5")


def test_combinations__only_what_can_be_chosen(games: Path) -> None:
    assert open_file(games / "house" / "h.yaml").combinations() == [
        {"side": "grey", "extra": "without", "mood": "kind"},
        {"side": "grey", "extra": "without", "mood": "cruel"},
        {"side": "grey", "extra": "with", "mood": "kind"},
        {"side": "grey", "extra": "with", "mood": "cruel"},
    ]
    assert open_file(games / "t.yaml", text="rulespec: 1\n").combinations() == [{}]


def test_introduced__by_an_option_or_an_extending_file(games: Path) -> None:
    layers = open_file(games / "house" / "h.yaml")
    tree = layers.resolve({})
    assert [layers.introduced(key.span) for key, _ in tree] == [layers.introduced(tree.span)] * 7 == [False] * 7
    examples, choice = tree.get("examples"), layers.options()[0].choices[1].changes[0][1]
    assert isinstance(examples, Mapping) and choice
    assert [layers.introduced(key.span) for key, _ in examples] == [False, True]
    assert layers.introduced(choice.entries[0].key.span)


def test_three_files__and_a_shipped_name(games: Path) -> None:
    (games / "top.yaml").write_text(
        "extends: house/h.yaml\nwith: {mood: cruel}\nchange: {tables: {cost: {add: [8]}}}\n"
    )
    (games / "by_name.yaml").write_text("extends: base\ngame: N\n")
    assert resolved(open_file(games / "top.yaml"))["tables"] == {"cost": [5, 6, 7, 8]}
    shipped = open_file(games / "by_name.yaml", find_game=lambda name: games / f"{name}.yaml")
    assert resolved(shipped)["game"] == "N"


def test_not_with__excludes_choices(games: Path) -> None:
    text = """\
options:
  a: {a1: {text: x}, a2: {text: x, not with: {b: [b2, b3]}}}
  b: {b1: {text: x}, b2: {text: x}, b3: {text: x}}
"""
    layers = open_file(games / "t.yaml", text=text)
    assert [(o, c, str(s).rpartition("/")[2]) for o, c, _, s in layers.options()[0].choices[1].not_with] == [
        ("b", "b2", "t.yaml:2:51"),
        ("b", "b3", "t.yaml:2:55"),
    ]
    assert [tuple(c.values()) for c in layers.combinations()] == [
        ("a1", "b1"),
        ("a1", "b2"),
        ("a1", "b3"),
        ("a2", "b1"),
    ]
    with pytest.raises(OptionError) as caught:
        layers.resolve({"a": "a2", "b": "b3"})
    assert str(caught.value) == f"`a: a2` cannot be played with `b: b3` ({games}/t.yaml:2:55)"


def test_not_with__a_game_that_needs_most_of_its_parts_is_refused_without_them() -> None:
    """Of the four tablets of Duel three or all four are used."""
    tablets = ["rows_tablet", "columns_tablet", "diagonals_tablet", "mosaic_tablet"]
    played = [
        sum(combination[tablet] == "unused" for tablet in tablets) for combination in rules_of("duel").combinations()
    ]
    assert set(played) == {0, 1}
    with pytest.raises(OptionError, match="`rows_tablet: unused` cannot be played with `columns_tablet: unused`"):
        rules_of("duel").layers.resolve({"rows_tablet": "unused", "columns_tablet": "unused"})


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"sid": "grey"}, "no option called `sid`; known options: `side`, `extra` and `mood`"),
        ({"extra": "some"}, "the option `extra` has no choice `some`; it has `without` and `with`"),
        ({"side": "plain"}, "the option `side` is fixed to `grey` at {games}/house/h.yaml:4:14"),
    ],
)
def test_choices__of_the_caller_that_there_are_not(games: Path, choices: dict[str, str], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        open_file(games / "house" / "h.yaml").resolve(choices)
    assert str(caught.value) == message.format(games=games)


@pytest.mark.parametrize(
    ("text", "want"),
    [
        (
            "extends: base.yaml\nwith: {sid: grey, extra: wiht}\n",
            [
                (
                    "option-unknown",
                    "t.yaml:2:8",
                    "no option called `sid`",
                    "did you mean `side`? it is declared at base.yaml:7:3",
                ),
                (
                    "option-unknown-choice",
                    "t.yaml:2:26",
                    "the option `extra` has no choice `wiht`",
                    "did you mean `with`?",
                ),
            ],
        ),
        (
            "extends: house/h.yaml\nwith: {side: plain}\n",
            [
                (
                    "option-fixed",
                    "t.yaml:2:14",
                    "`side` is already fixed to `grey`",
                    "leave it out, or extend a file further below",
                )
            ],
        ),
        (
            "extends: base.yaml\noptions: {side: {gray: {change: {}}}}\n",
            [
                (
                    "option-unknown-choice",
                    "t.yaml:2:18",
                    "the option `side` has no choice `gray`",
                    "did you mean `grey`?",
                )
            ],
        ),
        (
            "options:\n  a: {a1: {not with: {b: b1}}}\n  b: {b1: {text: x}}\n",
            [
                (
                    "option-conflict",
                    "t.yaml:2:26",
                    "`a: a1` cannot be played with `b: b1`",
                    "put another choice first, or fix one by `with:`",
                )
            ],
        ),
        (
            "options:\n  a: {a1: {not with: {c: b1}}}\n",
            [("option-unknown", "t.yaml:2:23", "no option called `c`", "there is `a`")],
        ),
        (
            "extends: base.yml\n",
            [("extends-missing", "t.yaml:1:10", "there is no file `base.yml`", "did you mean `base.yaml`?")],
        ),
        (
            "extends: base\n",
            [
                (
                    "extends-missing",
                    "t.yaml:1:10",
                    "no game called `base`",
                    "to name a file write its ending too: `base.yaml`",
                )
            ],
        ),
        (
            "extends: house\n",
            [
                (
                    "extends-missing",
                    "t.yaml:1:10",
                    "no game called `house`",
                    "to name a file write its ending too: `house.yaml`",
                )
            ],
        ),
        (
            "extends: [[a], b.yaml]\n",
            [("overlay-shape", "t.yaml:1:11", "expected the name of a rule file after `extends:`, found a list", "")],
        ),
        (
            "extends: []\n",
            [("overlay-shape", "t.yaml:1:10", "expected the name of a rule file after `extends:`, found a list", "")],
        ),
        (
            "extends: base.yaml\nmoves: {}\nchagne: {}\n",
            [
                ("extends-extra-key", "t.yaml:2:1", "`moves` cannot be used with `extends`", "put it under `change:`"),
                ("extends-extra-key", "t.yaml:3:1", "`chagne` cannot be used with `extends`", "did you mean `change`?"),
            ],
        ),
        (
            "game: x\nchange: {}\n",
            [
                (
                    "overlay-shape",
                    "t.yaml:2:1",
                    "`change` is in a file that does not extend another",
                    "name the other file, such as `extends: base.yaml`, or write the keys themselves",
                )
            ],
        ),
        (
            "extends: base.yaml\nwith: grey\nchange: [x]\noptions:\n  - a\n",
            [
                (
                    "overlay-shape",
                    "t.yaml:2:7",
                    "expected a map from options to choices after `with:`, found `grey`",
                    "write `{side: grey}`",
                ),
                (
                    "overlay-shape",
                    "t.yaml:3:9",
                    "expected a map in the shape of a rule file after `change:`, found a list",
                    "",
                ),
                ("overlay-shape", "t.yaml:5:3", "expected a map of options after `options:`, found a list", ""),
            ],
        ),
        (
            "options:\n  a: x\n  b: {}\n  c: {c1: text}\n  d: {d1: {chnge: 1, not with: x}}\n",
            [
                ("overlay-shape", "t.yaml:2:6", "expected a map of the choices of `a`, found `x`", ""),
                ("overlay-shape", "t.yaml:3:3", "the option `b` has no choices", ""),
                ("overlay-shape", "t.yaml:4:3", "the option `c` has no choices", ""),
                (
                    "overlay-shape",
                    "t.yaml:4:11",
                    "expected a map with the `text` of the choice `c1`, found `text`",
                    "write `c1: {text: …}`",
                ),
                (
                    "overlay-shape",
                    "t.yaml:5:12",
                    "expected `text`, `see`, `change` or `not with`, found `chnge`",
                    "did you mean `change`?",
                ),
                (
                    "overlay-shape",
                    "t.yaml:5:32",
                    "expected a map from an option to one of its choices after `not with:`, found `x`",
                    "",
                ),
            ],
        ),
        (
            "extends: base.yaml\nchange: {options: {}}\n",
            [
                (
                    "overlay-shape",
                    "t.yaml:2:10",
                    "`options` cannot be changed",
                    "write `options:` beside `change:`, with a `change:` under the choice",
                )
            ],
        ),
    ],
)
def test_opening__refused(games: Path, text: str, want: list[tuple[str, str, str, str]]) -> None:
    assert complaints(games, text) == want


def test_extends__in_a_circle(games: Path) -> None:
    (games / "a.yaml").write_text("rulespec: 1\nextends: house/../b.yaml\n")
    (games / "b.yaml").write_text("rulespec: 1\nextends: a.yaml\n")
    with pytest.raises(RuleFileError) as caught:
        open_file(games / "a.yaml")
    assert [_said(d, games) for d in caught.value.diagnostics] == [
        (
            "extends-cycle",
            "b.yaml:2:10",
            "these files extend one another: `a.yaml` → `b.yaml` → `a.yaml`",
            "take `extends` out of the one that is the game itself",
        )
    ]
    assert complaints(games, "extends: t.yaml\n")[0][0] == "extends-missing"  # not on disk yet
    (games / "t.yaml").write_text("")
    assert complaints(games, "extends: t.yaml\n")[0][0] == "extends-cycle"


def test_extends__too_many_files(games: Path) -> None:
    for n in range(20):
        (games / f"f{n}.yaml").write_text(f"rulespec: 1\nextends: f{n + 1}.yaml\n")
    with pytest.raises(RuleFileError) as caught:
        open_file(games / "f0.yaml")
    assert [_said(d, games)[:3] for d in caught.value.diagnostics] == [
        ("extends-too-deep", "f15.yaml:2:10", "more than 16 files, each extending the next")
    ]


def test_extends__a_broken_file_below_is_reported_with_what_is_wrong_above(games: Path) -> None:
    (games / "base.yaml").write_text("rulespec: 1\na: 1\na: 2\n")
    assert [code for code, *_ in complaints(games, "extends: base.yaml\nmoves: {}\n")] == [
        "yaml-duplicate-key",
        "extends-extra-key",
    ]


def test_resolve__all_complaints_of_the_merge(games: Path) -> None:
    text = "extends: base.yaml\nchange:\n  sets: {remove: [colur]}\n  moves: {a: {like: b}}\n"
    layers = open_file(games / "t.yaml", text=text)
    with pytest.raises(RuleFileError) as caught:
        layers.resolve({})
    assert [_said(d, games) for d in caught.value.diagnostics] == [
        ("overlay-remove-nothing", "t.yaml:3:19", "there is no `colur` here to remove", "did you mean `colour`?"),
        ("like-unknown", "t.yaml:4:21", "there is no move called `b`", ""),
    ]


def test_change__of_a_misspelt_table_is_an_error(tmp_path: Path) -> None:
    from rulespec.rules import open_rules

    file = tmp_path / "house.yaml"
    file.write_text("rulespec: 1\nextends: base\ngame: House\nchange:\n  tables: {cst: [1, 2]}\n", encoding="utf-8")
    with pytest.raises(RuleFileError) as error:
        open_rules(file).check(2)
    found = error.value.diagnostics[0]
    assert (found.span.line, found.span.col, found.code) == (5, 12, "overlay-new-unused")
    assert (found.message, found.fix) == ("`cst` is new here and nothing uses it", "did you mean `cost`?")
