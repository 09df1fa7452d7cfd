"""The overlay rule and moves that are like others, on trees."""

from __future__ import annotations

from rulespec.diagnostics.diagnostic import Diagnostic
from rulespec.files.merge import expand_like, merge
from rulespec.yaml.nodes import Mapping, Node, Scalar, Sequence, plain
from rulespec.yaml.source import read_source


def overlaid(old: str, *changes: str) -> tuple[Mapping, list[Diagnostic]]:
    problems: list[Diagnostic] = []
    tree: Node = read_source("old.yaml", old)
    for number, change in enumerate(changes, 1):
        tree = merge(tree, read_source(f"new{number}.yaml", change), problems)
    assert isinstance(tree, Mapping)
    return tree, problems


def result(old: str, *changes: str) -> object:
    tree, problems = overlaid(old, *changes)
    assert problems == []
    return plain(tree)


def complaint(old: str, *changes: str) -> tuple[str, str, str, str]:
    _, (d,) = overlaid(old, *changes)
    return d.code, str(d.span), d.message, d.fix


def at(tree: Node, *names: str) -> Node:
    for name in names:
        assert isinstance(tree, Mapping)
        found = tree.get(name)
        assert found is not None, name
        tree = found
    return tree


# --- maps -------------------------------------------------------------------------------------------------------


def test_maps__merge_by_name_and_keep_their_order() -> None:
    merged = result("s: {a: 1, b: {x: 1, y: 2}, c: 3}\n", "s: {d: 4, b: {y: 5, z: 6}}\n")
    assert merged == {"s": {"a": 1, "b": {"x": 1, "y": 5, "z": 6}, "c": 3, "d": 4}}
    assert list(merged["s"]) == ["a", "b", "c", "d"]


def test_maps__find_an_entry_by_its_bare_name() -> None:
    old = "define:\n  used(player p): 1\nplaces:\n  wall[player]: {cell: tile}\n"
    assert result(old, "define: {used: 2}\nplaces: {wall: {room: 3}}\n") == {
        "define": {"used(player p)": 2},
        "places": {"wall[player]": {"cell": "tile", "room": 3}},
    }


def test_maps__new_parameters_replace_the_old_head_in_place() -> None:
    old = "define:\n  f(player p): 1\n  g: 2\n"
    tree, problems = overlaid(old, "define:\n  f(row r): 3\n")
    assert problems == []
    define = at(tree, "define")
    assert isinstance(define, Mapping)
    assert [(key.text, str(key.span)) for key, _ in define] == [
        ("f(row r)", "new1.yaml:2:3"),
        ("g", "old.yaml:3:3"),
    ]


def test_maps__positions_are_kept_and_both_origins_known() -> None:
    tree, _ = overlaid("m:\n  a: 1\n  b: 2\n", "m:\n  b: 3\n", "m:\n  c: 4\n")
    m = at(tree, "m")
    assert isinstance(m, Mapping)
    assert [str(value.span) for _, value in m] == ["old.yaml:2:6", "new1.yaml:2:6", "new2.yaml:2:6"]
    assert str(m.span) == "old.yaml:2:3"
    assert [str(s) for s in m.changed] == ["new1.yaml:2:3", "new2.yaml:2:3"]


def test_merge__does_not_change_what_it_is_given() -> None:
    old, new = read_source("o", "a: {x: 1, l: [1]}\n"), read_source("n", "a: {remove: [x], l: {add: [2]}}\n")
    before = plain(old), plain(new)
    merge(old, new, [])
    assert (plain(old), plain(new)) == before


def test_examples__indexes_are_not_parameters() -> None:
    old = "examples:\n  e:\n    given: {'line[1]': red}\n"
    assert result(old, "examples: {e: {given: {'line[2]': blue}}}\n") == {
        "examples": {"e": {"given": {"line[1]": "red", "line[2]": "blue"}}}
    }


def test_maps__two_new_heads_of_one_name_do_not_both_patch() -> None:
    assert result("s: {'f[1]': 1}\n", "s: {'f[2]': 2, 'f[3]': 3}\n") == {"s": {"f[2]": 2, "f[3]": 3}}


def test_maps__a_name_that_fits_two_entries() -> None:
    code, where, message, fix = complaint("s: {'f(a x)': 1, 'f(b y)': 2}\n", "s: {f: 3}\n")
    assert (code, where, message, fix) == (
        "overlay-ambiguous",
        "new1.yaml:1:5",
        "`f` could be any of 2 entries",
        "write it in full",
    )


# --- remove -----------------------------------------------------------------------------------------------------


def test_remove__deletes_first_so_the_same_name_again_moves_to_the_end() -> None:
    merged = result("s: {a: 1, b(row r): 2}\n", "s:\n  remove: [a, b]\n  a: 3\n")
    assert merged == {"s": {"a": 3}}
    assert list(result("s: {a: 1, b: 2}\n", "s: {remove: [a], a: 3}\n")["s"]) == ["b", "a"]  # type: ignore[index]


def test_remove__of_nothing() -> None:
    assert complaint("needs: {own space: 1}\n", "needs: {remove: [own spce]}\n") == (
        "overlay-remove-nothing",
        "new1.yaml:1:18",
        "there is no `own spce` here to remove",
        "did you mean `own space`?",
    )


def test_remove__is_no_list() -> None:
    assert complaint("s: {a: 1}\n", "s: {remove: a}\n") == (
        "overlay-shape",
        "new1.yaml:1:13",
        "expected a list after `remove:`, found `a`",
        "write `remove: [a]`",
    )


def test_remove__with_a_map_is_an_entry_called_remove() -> None:
    old = "moves: {remove: {text: x}}\n"
    assert result(old, "moves: {remove: {text: y}}\n") == {"moves": {"remove": {"text": "y"}}}


# --- lists ------------------------------------------------------------------------------------------------------


def test_list__items_taken_out_put_in_front_and_appended() -> None:
    merged = result("s: [a, b, 'c', b]\n", "s:\n  add: [e]\n  add first: [z]\n  remove: [b, c]\n")
    assert merged == {"s": ["z", "a", "b", "e"]}


def test_list__keeps_both_origins() -> None:
    tree, _ = overlaid("s:\n  - a\n", "s:\n  add:\n    - b\n")
    s = at(tree, "s")
    assert isinstance(s, Sequence)
    assert [str(n.span) for n in s.items] == ["old.yaml:2:5", "new1.yaml:3:7"]
    assert (str(s.span), [str(c) for c in s.changed]) == ("old.yaml:2:3", ["new1.yaml:2:3"])


def test_list__removes_an_item_that_is_a_map() -> None:
    assert result("s: [{if: a, then: [b]}, c]\n", "s: {remove: [{if: a, then: [b]}]}\n") == {"s": ["c"]}


def test_list__item_to_remove_is_not_there() -> None:
    assert complaint("s: [do deal, {if: x}]\n", "s: {remove: [do dael]}\n") == (
        "overlay-remove-nothing",
        "new1.yaml:1:14",
        "there is no `do dael` here to remove",
        "did you mean `do deal`?",
    )


def test_list__is_replaced_by_anything_else() -> None:
    assert result("s: [1, 2]\nt: [1]\nu: {a: 1}\nv: 1\n", "s: [3]\nt: {n: 1}\nu: x\nv: [y]\n") == {
        "s": [3],
        "t": {"n": 1},
        "u": "x",
        "v": ["y"],
    }


def test_list__adding_to_what_is_no_list() -> None:
    assert complaint("s: {row: 1..5}\n", "s: {row: {add: [6]}}\n") == (
        "overlay-shape",
        "new1.yaml:1:11",
        "expected a list to change, found `1..5`",
        "write the new value in its place",
    )
    assert complaint("s: {m: {x: 1}}\n", "s: {m: {add: [6]}}\n") == (
        "overlay-shape",
        "new1.yaml:1:9",
        "expected a list for `add` to change, found a map",
        "write the new entries as they are, they come after the old ones",
    )


def test_list__change_of_a_list_that_is_not_there() -> None:
    assert complaint("steps: {'final(player p)': [x]}\n", "steps: {finl: {add: [y]}}\n") == (
        "overlay-change-nothing",
        "new1.yaml:1:9",
        "there is no `finl` here to change",
        "did you mean `final`?",
    )


def test_patch__of_what_is_not_there_becomes_an_incomplete_entry() -> None:
    assert result("moves: {take: {does: [x]}}\n", "moves: {tak: {text: y}}\n") == {
        "moves": {"take": {"does": ["x"]}, "tak": {"text": "y"}}
    }


# --- like -------------------------------------------------------------------------------------------------------

TAKE = "moves:\n  take(round r):\n    text: t\n    needs: {n1: 1, n2: 2}\n    does: [d]\n    beside: other\n"


def expanded(old: str, *changes: str) -> tuple[Mapping, list[Diagnostic]]:
    tree, problems = overlaid(old, *changes)
    return expand_like(tree, problems), problems


def test_like__is_the_other_move_overlaid() -> None:
    more = "  grab: {like: take, text: g, needs: {remove: [n1], n3: 3}, does: {add: [e]}}\n"
    tree, problems = expanded(TAKE + more)
    assert problems == []
    assert plain(at(tree, "moves", "grab(round r)")) == {"text": "g", "needs": {"n2": 2, "n3": 3}, "does": ["d", "e"]}
    assert str(at(tree, "moves", "grab(round r)").span) == "old.yaml:7:9"


def test_like__borrowed_parameters_stand_where_they_are_written() -> None:
    tree, _ = expanded(TAKE + "  grab: {like: take}\n")
    moves = at(tree, "moves")
    assert isinstance(moves, Mapping)
    key = moves.entries[1].key
    assert (key.text, str(key.span)) == ("grab(round r)", "old.yaml:7:3")
    start = key.text.index("round")
    assert (str(key.at(start, start + 5)), key.at(start, start + 5).end_col) == ("old.yaml:2:8", 13)
    assert str(key.at(0, 4)) == "old.yaml:7:3"

    tree, _ = expanded(TAKE, "moves:\n  grab: {like: take}\n")
    moves = at(tree, "moves")
    assert isinstance(moves, Mapping)
    assert str(moves.entries[1].key.at(start, start + 5)) == "new1.yaml:2:3"


def test_like__own_parameters_win() -> None:
    tree, problems = expanded(TAKE + "  grab(row q): {like: take}\n")
    assert problems == []
    assert isinstance(at(tree, "moves", "grab(row q)", "text"), Scalar)


def test_like__chains_in_any_order() -> None:
    more = "  c: {like: b, needs: {remove: [n2]}}\n  b: {like: take, text: b, beside: take}\n"
    tree, problems = expanded(TAKE + more)
    assert problems == []
    assert plain(at(tree, "moves", "c(round r)")) == {"text": "b", "needs": {"n1": 1}, "does": ["d"]}
    assert plain(at(tree, "moves", "b(round r)", "beside")) == "take"


def test_like__a_very_long_chain() -> None:
    links = "".join(f"  m{n}: {{like: m{n + 1}}}\n" for n in range(3000))
    tree, problems = expanded(f"moves:\n{links}  m3000: {{text: x}}\n")
    assert problems == []
    assert plain(at(tree, "moves", "m0")) == {"text": "x"}


def test_like__sees_overlays_of_the_other_move_and_of_itself() -> None:
    more = "  grab: {like: take, needs: {n3: 3}}\n"
    tree, problems = expanded(
        TAKE + more,
        "moves: {take: {needs: {n4: 4}}}\n",
        "moves: {grab: {needs: {remove: [n1, n3, n4]}, does: {add: [e]}}}\n",
        "moves: {take: {text: new}}\n",
    )
    assert problems == []
    assert plain(at(tree, "moves", "grab(round r)")) == {"text": "new", "needs": {"n2": 2}, "does": ["d", "e"]}
    grab = at(tree, "moves", "grab(round r)")
    assert isinstance(grab, Mapping) and [str(s) for s in grab.changed] == ["new2.yaml:1:15"]


def test_like__an_overlay_says_another() -> None:
    more = "  put: {text: p, does: [x]}\n  grab: {like: take}\n"
    tree, problems = expanded(TAKE + more, "moves: {grab: {like: put}}\n")
    assert problems == []
    assert plain(at(tree, "moves", "grab")) == {"text": "p", "does": ["x"]}


def test_like__unknown() -> None:
    _, (d,) = expanded(TAKE + "  grab: {like: taek, needs: {remove: [n1]}}\n")
    assert (d.code, str(d.span), d.message, d.fix) == (
        "like-unknown",
        "old.yaml:7:16",
        "there is no move called `taek`",
        "did you mean `take`? it is declared at old.yaml:2:3",
    )


def test_like__in_a_circle() -> None:
    _, (d,) = expanded("moves:\n  a: {like: b}\n  b: {like: c}\n  c: {like: b}\n")
    assert (d.code, str(d.span), d.message) == (
        "like-cycle",
        "old.yaml:4:13",
        "these moves are like one another in a circle: `b` → `c` → `b`",
    )


def test_like__not_a_name() -> None:
    _, (d,) = expanded("moves:\n  a: {like: [b]}\n")
    assert (d.code, d.message) == ("overlay-shape", "expected the name of a move after `like:`, found a list")


def test_like__removes_what_the_other_does_not_have() -> None:
    _, (d,) = expanded(TAKE + "  grab: {like: take, needs: {remove: [n9]}}\n")
    assert (d.code, str(d.span)) == ("overlay-remove-nothing", "old.yaml:7:39")


def test_like__no_moves_or_a_wrong_shape_is_left_alone() -> None:
    for text in ("a: 1\n", "moves: [x]\n", "moves: {a: x}\n"):
        tree, problems = expanded(text)
        assert problems == [] and plain(tree) == plain(read_source("f", text))
