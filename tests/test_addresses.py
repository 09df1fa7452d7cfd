"""Steps that a house rule names by their lines, at any depth; and house rules that name steps of the same list."""

from __future__ import annotations

from typing import Any

import pytest

from rulespec import RuleFileError, open_rules
from rulespec.diagnostics.diagnostic import Diagnostic
from rulespec.files.merge import expand_like, merge
from rulespec.yaml.nodes import Mapping, plain
from rulespec.yaml.source import read_source

OLD = """\
steps:
  deal(row r):
    - do shuffle
    - while: n > 0
      do:
        - if: a and b
          then: ["do one(r, 1)", do two]
          else: [do three]
        - ask: p
          to: take
          otherwise: [do three]
    - do two
"""


def overlaid(change: str, old: str = OLD) -> tuple[Any, list[Diagnostic]]:
    problems: list[Diagnostic] = []
    tree = merge(read_source("old.yaml", old), read_source("new.yaml", change), problems)
    assert isinstance(tree, Mapping)
    return plain(expand_like(tree, problems)), problems


def deal(change: str) -> list[Any]:
    tree, problems = overlaid(f"steps: {{deal: {change}}}\n")
    assert problems == []
    steps: list[Any] = tree["steps"]["deal(row r)"]
    return steps


def block(then: list[str], other: list[str], otherwise: list[str]) -> list[Any]:
    inner = [{"if": "a and b", "then": then, "else": other}, {"ask": "p", "to": "take", "otherwise": otherwise}]
    return ["do shuffle", {"while": "n > 0", "do": inner}, "do two"]


WHOLE = block(["do one(r, 1)", "do two"], ["do three"], ["do three"])


@pytest.mark.parametrize(
    ("change", "want"),
    [
        ('{after: {do shuffle: [do cut]}}', [WHOLE[0], "do cut", *WHOLE[1:]]),
        ('{before: {"while n > 0": [do cut]}}', [WHOLE[0], "do cut", *WHOLE[1:]]),
        ('{instead of: {do two: [do cut, do end]}}', [*WHOLE[:2], "do cut", "do end"]),  # at the top, not in the block
        ('{after: {"do one(r,  1)": [x]}}', block(["do one(r, 1)", "x", "do two"], ["do three"], ["do three"])),
        ('{remove: ["do one(r,1)"]}', block(["do two"], ["do three"], ["do three"])),
        ('{remove: [ask p]}', [WHOLE[0], {"while": "n > 0", "do": WHOLE[1]["do"][:1]}, WHOLE[2]]),
        ('{remove: [ask p to take]}', [WHOLE[0], {"while": "n > 0", "do": WHOLE[1]["do"][:1]}, WHOLE[2]]),
        ('{"if a and b": {then: {remove: [do two]}}}', block(["do one(r, 1)"], ["do three"], ["do three"])),
        ('{"if a and b": {else: [x]}}', block(["do one(r, 1)", "do two"], ["x"], ["do three"])),
        ('{ask p: {otherwise: {after: {do three: [x]}}}}', block(WHOLE[1]["do"][0]["then"], ["do three"], ["do three", "x"])),
        ('{add: [z], add first: [y], before: {do two: [x]}}', ["y", *WHOLE[:2], "x", "do two", "z"]),
        ('{"while n > 0": {while: n > 1}}', [WHOLE[0], {**WHOLE[1], "while": "n > 1"}, WHOLE[2]]),
        ('{before: {do two: [x]}, after: {do two: [y]}, instead of: {do two: []}}', [*WHOLE[:2], "x", "y"]),
    ],
)  # fmt: skip
def test_steps__named_by_their_lines(change: str, want: list[Any]) -> None:
    assert deal(change) == want


def test_steps__all_addresses_are_looked_up_in_the_list_as_it_was() -> None:
    assert deal("{after: {do shuffle: [do two]}, instead of: {do two: [x]}}") == [WHOLE[0], "do two", WHOLE[1], "x"]


def test_steps__removed_twice_are_the_first_and_the_second() -> None:
    tree, problems = overlaid("play: {remove: [do a, do a]}\n", "play: [do a, do b, do a, do a]\n")
    assert (tree, problems) == ({"play": ["do b", "do a"]}, [])


def test_steps__of_a_move_that_is_like_another() -> None:
    old = "moves:\n  take: {text: t, does: [do a, do b]}\n  grab: {like: take, does: {after: {do a: [do c]}}}\n"
    tree, problems = overlaid("moves: {grab: {does: {before: {do c: [do d]}}}, take: {does: {remove: [do b]}}}\n", old)
    assert problems == []
    assert tree["moves"]["grab"]["does"] == ["do a", "do d", "do c"]


def test_steps__a_table_of_members_called_like_that_is_a_table() -> None:
    tree, problems = overlaid("tables: {cost: {before: {a: 1}, after: {a: 2}}}\n", "tables: {cost: [[3], [4]]}\n")
    assert (tree, problems) == ({"tables": {"cost": {"before": {"a": 1}, "after": {"a": 2}}}}, [])


def test_steps__keep_where_they_are_written_and_who_changed_them() -> None:
    tree = merge(
        read_source("old.yaml", OLD), read_source("new.yaml", "steps: {deal: {after: {'do one(r, 1)': [x]}}}\n"), []
    )
    assert isinstance(tree, Mapping)
    loop: Any = tree.get("steps").get("deal(row r)").items[1]  # type: ignore[union-attr]
    then = loop.get("do").items[0].get("then")
    assert [item.span.file for item in then.items] == ["old.yaml", "new.yaml", "old.yaml"]
    assert [str(span) for span in then.changed] == ["new.yaml:1:15"]


@pytest.mark.parametrize(
    ("change", "want"),
    [
        (
            "{after: {do shufle: [x]}}",
            ("step-unknown", "18", "there is no step `do shufle` in `deal`", "did you mean `do shuffle`? it is at old.yaml:3:7"),
        ),
        (
            '{"if a or b": {then: [x]}}',
            ("step-unknown", "9", "there is no step `if a or b` in `deal`", "did you mean `if a and b`? it is at old.yaml:6:11"),
        ),
        (
            "{before: {do three: [x]}}",
            ("step-ambiguous", "19", "`do three` occurs 2 times in `deal`",
             "name the block around it: `if a and b:` with `else:` below it"),
        ),
        (
            "{remove: [do three]}",
            ("step-ambiguous", "19", "`do three` occurs 2 times in `deal`",
             "name the block around it: `if a and b:` with `else:` below it"),
        ),
        (
            "{remove: [do fourr]}",
            ("overlay-remove-nothing", "19", "there is no `do fourr` here to remove", ""),
        ),
        (
            "{after: [do two]}",
            ("overlay-shape", "16", "expected a map from steps to other steps after `after:`, found a list",
             "write below `after:` the line of the step, and after its colon the list of new steps"),
        ),
        (
            "{after: {do two: do x}}",
            ("overlay-shape", "26", "expected a list of steps, found `do x`", "write `do two: [do x]`"),
        ),
        (
            '{"while n > 0": [x]}',
            ("overlay-shape", "24", "expected a map of the parts of this block that are different, found a list",
             "to put other steps in its place write it under `instead of:`"),
        ),
        (
            "{add: [x], afer: {do two: [x]}}",
            ("overlay-shape", "20",
             "expected `add`, `add first`, `remove`, `before`, `after`, `instead of` or the first line of a block, found `afer`",
             "did you mean `after`?"),
        ),
    ],
)  # fmt: skip
def test_steps__refused(change: str, want: tuple[str, str, str, str]) -> None:
    _, (d,) = overlaid(f"steps: {{deal: {change}}}\n")
    code, column, message, fix = want
    assert (d.code, d.span.line, d.message, d.fix) == (code, 1, message, fix)
    assert d.span.col >= int(column) - 9


def test_steps__a_list_that_is_not_there() -> None:
    _, (d,) = overlaid("steps: {dael: {after: {do two: [x]}}}\n")
    assert (d.code, d.message, d.fix) == (
        "overlay-change-nothing",
        "there is no `dael` here to change",
        "did you mean `deal`?",
    )


# --- side by side -------------------------------------------------------------------------------------------------


def house(title: str, change: str, more: str = "") -> str:
    return f"rulespec: 1\nextends: base\ngame: {title}\n{more}change:\n{change}"


ROWS_AT_ONCE = house("Rows", "  steps:\n    tiling:\n      after:\n        do clear_floor(p): [score rows for p]\n"
                     "    final_scoring:\n      remove: ['score rows, columns, colours for p']\n      add: ['score columns, colours for p']\n")  # fmt: skip
BONUS = house("Bonus", "  scoring:\n    bonus: {text: one more, points: 1}\n  steps:\n    final_scoring: {add: [score bonus for p]}\n"
              "    tiling: {after: {do clear_floor(p): [score bonus for p]}}\n")  # fmt: skip
NO_FLOOR = house("No floor", "  steps:\n    tiling: {remove: [do clear_floor(p)]}\n")
LOOP = house(
    "Loop", "  steps:\n    tiling:\n      'for each p in clockwise(first)':\n        for each: p in clockwise(holder)\n"
)
WHOLE_BLOCK = house("Block", "  steps:\n    tiling:\n      instead of:\n        'for each p in clockwise(first)': []\n")


def steps_of(*rules: str) -> Any:
    tree: Any = plain(open_rules("base", house=rules).layers.resolve())
    return tree["steps"]


def refusals(*rules: str) -> list[tuple[str, str]]:
    with pytest.raises(RuleFileError) as caught:
        open_rules("base", house=rules).layers.resolve()
    return [(d.code, d.message) for d in caught.value.diagnostics]


def test_beside__two_that_add_to_and_remove_from_one_list_touch_different_steps() -> None:
    both = steps_of(ROWS_AT_ONCE, BONUS)
    assert both["final_scoring(player p)"] == ["score columns, colours for p", "score bonus for p"]
    assert both["tiling"][1]["do"][1:] == [
        "do clear_floor(p)",
        "score rows for p",
        "score bonus for p",
    ]  # in the files' order
    assert steps_of(BONUS, ROWS_AT_ONCE)["tiling"][1]["do"][2:] == ["score bonus for p", "score rows for p"]
    open_rules("base", house=[ROWS_AT_ONCE, BONUS]).check()


def test_beside__steps_that_another_file_adds_are_not_seen() -> None:
    twin = house(
        "Twin", "  steps: {tiling: {add: [do clear_floor(holder)], before: {do clear_floor(p): [do clear_floor(p)]}}}\n"
    )
    assert steps_of(twin, BONUS)["tiling"][1]["do"] == [
        "do tile_wall(p)", "do clear_floor(p)", "do clear_floor(p)", "score bonus for p",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("one", "other", "what"),
    [
        (BONUS, NO_FLOOR, "`do clear_floor(p)` under `steps: tiling`"),
        (NO_FLOOR, BONUS, "`do clear_floor(p)` under `steps: tiling`"),
        (BONUS, WHOLE_BLOCK, "`for each p in clockwise(first)` in `tiling`"),
    ],
)
def test_beside__one_removes_what_the_other_names(one: str, other: str, what: str) -> None:
    assert refusals(one, other) == [("house-conflict", f"{what} is changed here and in `<house 1>`")]


def test_beside__a_rewritten_first_line_and_one_inside_the_block() -> None:
    assert steps_of(LOOP, BONUS)["tiling"][1]["for each"] == "p in clockwise(holder)"
    named = house("Named", "  steps: {tiling: {before: {'for each p in clockwise(first)': [set idle to 0]}}}\n")
    assert refusals(LOOP, named)[0][0] == "house-conflict"


# --- choices of options -------------------------------------------------------------------------------------------

GREY = "options:\n  wall_side:\n    grey:\n      change:\n        {}\n"


def choice(change: str, more: str = "") -> str:
    return f"rulespec: 1\nextends: base\ngame: Grey\n{more}options:\n  wall_side:\n    grey:\n      change:\n        {change}\n"


def test_option__a_house_rule_changes_what_a_choice_changes() -> None:
    rules = open_rules("base", house=[choice("tables: {cost: [9]}")])
    trees = [plain(rules.layers.resolve({"wall_side": side})) for side in ("coloured", "grey")]
    assert [t["tables"]["cost"] for t in trees] == [[1, 1, 2, 2, 2, 3, 3], [9]]  # type: ignore[index]
    assert [c.name for c in rules.options[0].choices] == [c.name for c in open_rules("base").options[0].choices]


def test_option__a_new_choice_needs_a_text() -> None:
    new = choice("tables: {cost: [9]}").replace("grey:", "gray:")
    assert refusals(new) == [("option-unknown-choice", "the option `wall_side` has no choice `gray`")]
    rules = open_rules("base", house=[new.replace("      change:", "      text: our own\n      change:")])
    assert [c.name for c in rules.options[0].choices][-1] == "gray"


def test_option__two_that_change_one_choice_are_compared_by_item() -> None:
    one, two = choice("tables: {cost: [9]}"), choice("tables: {cost: [8]}")
    other = two.replace("grey:", "coloured:")
    assert refusals(one, two) == [("house-conflict", "`cost` under `tables` is changed here and in `<house 1>`")]
    open_rules("base", house=[one, other]).layers.resolve()  # never together
    open_rules("base", house=[one, choice("tables: {row_points: 9}")]).layers.resolve()
    always = house("Always", "  tables: {cost: [7]}\n")
    assert refusals(one, always) == [("house-conflict", "`cost` under `tables` is changed here and in `<house 1>`")]
