"""Names: four namespaces, and local names that hide declared ones as far as they reach."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from interpreter import Game, Move, load
from interpreter.compile.lower import lower
from interpreter.compile.to_python import to_python
from interpreter.examples.examples import run_examples
from referee.lsp.analysis import Analysis, analyse, find_name
from referee.lsp.completion import suggestions
from referee.lsp.neighbours import RuleFile
from referee.lsp.rename import NotRenamed, edits_of
from referee.lsp.tokens import tokens
from referee.lsp.uses import target_at, uses_everywhere
from referee.record.position import decision_name
from referee.rulebook.make import make_book
from referee.rulebook.markdown import write_markdown
from referee.shell.typed_move import read_typed
from rulespec.diagnostics.diagnostic import Diagnostic, RuleFileError
from rulespec.diff.compare import compare_rules
from rulespec.files.sources import DISK
from rulespec.rules import Rules, open_rules
from tests.generated.finding import checked
from tests.generated.rulefiles import RuleFile as Generated
from tests.generated.shadows import shadowed
from tests.lsp_client import at
from tests.sizes import size

GUARDS = """\
rulespec: 1
game: Guards
players: 2
sets:
  card: [guard, king]
pieces:
  card: 3 in deck
places:
  deck: {pile: card}
  hand[player]: {pile: card}
variables:
  turn: player
  rounds: 0..4
  score[player]: 0..99
setup:
  - do guard(1)
play:
  - while: rounds < 4
    do:
      - add 1 to rounds
      - ask: turn
        to: guard or king
      - set turn to next(turn)
steps:
  guard(number n):
    - for each: p in player
      do:
        - move n of guard from deck to hand[p]
moves:
  guard:
    text: play {c}
    choose: {c: card}
    needs:
      has it:
        that: c in hand[me]
        else: you have no {c}
    does:
      - move 1 of c from hand[me] to deck
      - ask: me
        to: king
      - score guard(count(hand[me], guard)) for me
  king:
    text: a king
    does: []
scoring:
  guard(number n):
    text: "{n} guards"
    points: n + 1
winner:
  most: score[me]
view:
  says:
    guard: everybody gets guards
examples:
  a guard is played:
    given:
      hand[1]: guard
      deck: the rest
    play:
      - guard guard
      - king
    expect:
      points: {guard: 1}
  the steps of that name:
    given:
      hand[1]: nothing
      hand[2]: nothing
      deck: the rest
    run: guard(1)
    expect:
      hand[1]: guard
  what is offered:
    given:
      hand[1]: guard
      deck: the rest
    offered: {guard: [guard]}
    refused: {guard king: you have no king}
"""
HIDING = """\
rulespec: 1
game: Hiding
players: 1
sets:
  row: 1..3
variables:
  n: 0..9
  total: 0..99
define:
  sums: sum(n for n in 1..n) + n
  twice(row n): n * 2
play:
  - ask: 1
    to: take
  - set total to n
  - let n be n + 1
  - set total to n + sums
moves:
  take:
    text: take {row}
    choose: {row: row}
    does:
      - for each: n in 1..row
        do:
          - set total to n + twice(row)
      - set n to total
winner:
  all: total
"""


def warnings_of(text: str) -> list[Diagnostic]:
    return sorted(open_rules("game.yaml", text).check_all())


def house_rules(folder: Path, base: str, house: str) -> Rules:
    for name, text in (("base", base), ("house", house)):
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return open_rules(folder / "house.yaml")


# Four namespaces --------------------------------------------------------------------------------------------------


def test_namespaces__a_card_a_move_a_step_and_a_rule_of_one_name() -> None:
    rules = open_rules("game.yaml", GUARDS)
    assert list(rules.check_all()) == []
    assert [str(p) for result in run_examples(rules) for p in result.problems] == []
    game = Game(rules, rules.check(2)[0])
    assert game.model.called == {
        ("moves", "guard"), ("moves", "king"), ("steps", "guard"), ("scoring", "guard")
    }  # fmt: skip
    assert game.model.view.titles == {"guard": "everybody gets guards"}
    start = game.start(0)
    assert [str(move) for move in game.legal_moves(start)] == ["guard guard", "king"]
    assert game.parse_move(start, "guard guard") == game.legal_moves(start)[0]
    inside = game.apply(start, "guard guard")
    assert [bool(inside.vector[slot]) for slot in game.layout.in_moves] == [True]
    assert not any(start.vector[slot] for slot in game.layout.in_moves)
    assert decision_name(game, inside).startswith("king in guard; guard.")


def test_namespaces__one_that_nothing_names_is_unused_though_another_of_its_name_is_used() -> None:
    found = warnings_of(GUARDS.replace("to: guard or king", "to: king"))
    assert [(d.code, d.message) for d in found] == [
        ("name-unused", "the move `guard` is never used"),
    ]
    found = warnings_of(GUARDS.replace("  - do guard(1)\n", "  - move 1 of guard from deck to hand[1]\n"))
    assert [(d.code, d.message) for d in found] == [("name-unused", "the named step `guard` is never used")]


def test_namespaces__what_expressions_name_is_one() -> None:
    found = warnings_of(GUARDS.replace("  rounds: 0..4", "  rounds: 0..4\n  guard: 0..3"))
    assert [(d.code, d.message) for d in found] == [("name-taken", "`guard` is a member already")]


def test_namespaces__a_mistake_in_one_says_nothing_about_another() -> None:
    """The uses of a name that is wrongly declared are not reported; those of its namesakes are."""
    found = warnings_of(GUARDS.replace("  guard:\n    text", "  guard(nothing x):\n    text"))
    assert [(d.code, d.span.line) for d in found] == [("name-unknown", 30)]
    found = warnings_of(
        GUARDS.replace("  guard:\n    text", "  guard(nothing x):\n    text").replace("do guard", "do gard")
    )
    assert [(d.code, d.span.line) for d in found] == [("name-unknown", 16), ("name-unknown", 30)]
    with pytest.raises(RuleFileError) as caught:
        open_rules("game.yaml", GUARDS.replace("to: guard or", "to: deck or")).check()
    assert [d.message for d in caught.value.diagnostics] == ["expected a move, found `deck`, which is a place"]


def test_typed__a_name_of_a_move_is_that_move_though_a_piece_is_called_so() -> None:
    moves = [Move("play", (), "play guard"), Move("play", (), "play king")]
    assert [str(move) for move in read_typed("guard", moves).moves] == ["play guard"]
    assert read_typed("guard", moves, names=("play", "guard")).moves == ()
    assert [str(move) for move in read_typed("king", moves, names=("play", "guard")).moves] == ["play king"]


# Hiding -----------------------------------------------------------------------------------------------------------


def test_hiding__is_a_warning_at_the_local_name() -> None:
    found = warnings_of(HIDING)
    assert {d.code for d in found} == {"name-hides"}
    assert [(d.span.line, d.span.col, d.span.end_col - d.span.col) for d in found] == [
        (10, 19, 1), (11, 13, 1), (16, 9, 1), (21, 14, 3), (23, 19, 1)
    ]  # fmt: skip
    assert {(d.message, d.also[0][1].line) for d in found} == {
        ("the local name `n` hides a variable", 7),
        ("the local name `row` hides a set", 5),
    }


def test_hiding__in_play() -> None:
    game = load(HIDING)
    state = game.apply(game.start(), "take 2")
    assert game.variable(state, "n") == 6  # 2 + twice(2)
    assert game.variable(state, "total") == 7 + (21 + 6)


def test_hiding__a_house_rule_that_adds_a_name_changes_nothing_below_it(tmp_path: Path) -> None:
    base = (
        HIDING.replace("n: 0..9", "kept: 0..9").replace("1..n)", "1..kept)").replace("+ n\n  twice", "+ kept\n  twice")
    )
    base = base.replace("to n\n  - let n be n", "to kept\n  - let n be kept").replace("set n to", "set kept to")
    assert {d.message for d in warnings_of(base)} == {"the local name `row` hides a set"}
    house = "rulespec: 1\nextends: base.yaml\nchange:\n  tables:\n    n: 7\n  winner:\n    more: n\n"
    rules = house_rules(tmp_path, base, house)
    assert [d.message for d in rules.check_all()] == ["the local name `row` hides a set"]
    plain, model = (r.check(1)[0] for r in (open_rules(tmp_path / "base.yaml"), rules))
    state = Game(rules, model).apply(Game(rules, model).start(), "take 2")
    assert Game(rules, model).variable(state, "total") == load(HIDING).variable(
        load(HIDING).apply(load(HIDING).start(), "take 2"), "total"
    )
    assert plain.procedures == model.procedures


@pytest.mark.parametrize(
    ("step", "message", "fix"),
    [
        ("set n to 3", "`n` is a local name for a number 1..3, not a variable", "choose another local name"),
        ("add 1 to row", "`row` is a local name for a row, not a variable", "choose another local name"),
        ("set total to row[1]", "`row` has no index", "choose another local name"),
    ],
)
def test_hiding__what_is_hidden_cannot_be_named(step: str, message: str, fix: str) -> None:
    found = warnings_of(HIDING.replace("set total to n + twice(row)", step))
    assert [(d.message, d.fix) for d in found if d.level == "error"] == [(message, fix)]
    assert [d.also[0][0] for d in found if d.level == "error"] == [f"`{message[1:].partition('`')[0]}` is a {'set' if 'row' in message else 'variable'}"]  # fmt: skip


def test_hiding__a_definition_that_counts_pieces_has_local_names_of_its_own() -> None:
    """Whether it reads the position is asked of the names that it does not bind."""
    text = GUARDS.replace("card: 3 in deck", "card: copies in deck").replace(
        "steps:\n", "define:\n  copies: size(list(turn for turn in 1..3))\nsteps:\n"
    )
    assert [d.message for d in warnings_of(text)] == ["the local name `turn` hides a variable"]
    wrong = warnings_of(text.replace("turn for turn in 1..3", "k for k in 1..turn"))
    assert [d.code for d in wrong] == ["pieces-position"]


def test_hiding__many_names_are_many_warnings_and_no_error() -> None:
    lines = "".join(f"    - let n be {i}\n" for i in range(1))
    steps = "".join(f"  s{i}:\n{lines}    - set total to n\n" for i in range(120))
    text = HIDING.replace("moves:\n", f"steps:\n{steps}moves:\n")
    found = warnings_of(text)
    assert sum(d.code == "name-hides" for d in found) == 125
    assert not any(d.level == "error" for d in found)


@pytest.mark.sized
def test_hiding__changes_no_program() -> None:
    """A generated file and the same one with names that hide others are compiled to the same text."""
    hiding = 0
    for seed in range(size(3, 200)):
        plain = Generated(Random(seed), True, Random(seed)).write()
        files = [checked(plain), checked(shadowed(plain, Random(seed)))]
        found = [to_python(lower(good[1])[0], "wait") for good in files if good is not None]
        assert len(found) in (0, 2) and found[:1] == found[1:], seed
        hiding += files[1] is not None and any(d.code == "name-hides" for d in files[1][0].check_all())
    assert hiding


def test_says__words_for_what_an_option_took_away_are_no_mistake(tmp_path: Path) -> None:
    """A new name that is almost the one that went is not what was meant."""
    base = HIDING.replace("winner:", "options:\n  short:\n    no: {text: all}\n    yes:\n      change:\n        define: {remove: [sums]}\n        play: {instead of: {set total to n + sums: [set total to n]}}\nview: {says: {sums: all numbers}}\nwinner:")  # fmt: skip
    house = "rulespec: 1\nextends: base.yaml\nchange:\n  variables:\n    sums2: 0..9\n  winner:\n    more: sums2\n"
    rules = house_rules(tmp_path, base, house)
    assert [d.message for d in rules.check_all() if d.level == "error"] == []


# The language server ----------------------------------------------------------------------------------------------


def analysed(text: str) -> Analysis:
    path = Path("/names/game.yaml")
    return analyse(path, DISK.having({path: text}))


def renamed(text: str, words: str, new: str, skip: int = 0) -> str:
    """Return a file after the name that begins some words got another one."""
    found = analysed(text)
    assert found.tree is not None
    target = target_at(found, *at(text, words, skip))
    assert target is not None
    known = {found.path: RuleFile(found.path, text, found.tree, ())}
    return edits_of(target[0], new, uses_everywhere(target[0], found.path, known), known).texts[found.path]


def test_rename__of_a_move_leaves_what_else_is_called_so() -> None:
    changed = renamed(GUARDS, "guard or king", "watch")
    expected = GUARDS.replace("to: guard or", "to: watch or").replace("  guard:\n    text", "  watch:\n    text")
    expected = expected.replace("- guard guard", "- watch guard").replace("{guard: [guard]}", "{watch: [guard]}")
    assert changed == expected.replace("guard king: you", "watch king: you")
    assert warnings_of(changed) == []


def test_rename__of_a_step_a_rule_and_a_member() -> None:
    step = renamed(GUARDS, "guard(1)", "deal")
    assert step == GUARDS.replace("do guard", "do deal").replace("guard(number n):\n    - for", "deal(number n):\n    - for").replace("run: guard", "run: deal").replace("    guard: everybody", "    deal: everybody")  # fmt: skip
    rule = renamed(GUARDS, "guard(count", "watched")
    assert rule == GUARDS.replace("score guard", "score watched").replace("guard(number n):\n    text", "watched(number n):\n    text").replace("points: {guard", "points: {watched")  # fmt: skip
    member = renamed(GUARDS, "guard, king]", "knight")
    assert warnings_of(member) == [] and member.count("knight") == 9
    assert (
        "to: guard or king" in member
        and "- guard knight" in member
        and "score guard(count(hand[me], knight))" in member
    )


def test_rename__to_the_name_of_something_else() -> None:
    assert "to: guard or deck" in renamed(GUARDS, "king\n      - set", "deck")
    with pytest.raises(NotRenamed):
        renamed(GUARDS, "deck: {pile", "guard")
    with pytest.raises(NotRenamed):
        renamed(GUARDS, "king\n      - set", "guard")


def test_rename__a_local_name_only_as_far_as_it_reaches() -> None:
    assert renamed(HIDING, "n in 1..n", "i").splitlines()[9] == "  sums: sum(i for i in 1..n) + n"
    declared = renamed(HIDING, "n: 0..9", "number_left")
    assert declared.splitlines()[9] == "  sums: sum(n for n in 1..number_left) + number_left"
    assert declared.splitlines()[14:18] == [
        "  - set total to number_left",
        "  - let n be number_left + 1",
        "  - set total to n + sums",
        "moves:",
    ]
    assert declared.splitlines()[22:26] == [
        "      - for each: n in 1..row",
        "        do:",
        "          - set total to n + twice(row)",
        "      - set number_left to total",
    ]
    assert renamed(HIDING, "row: 1..3", "line").count("line") == 3
    lets = HIDING.replace(
        "sum(n for n in 1..n) + n", "if n > 1 then let n be n + 1 in if n > 2 then n else 0 else [n][1]"
    )
    changed = renamed(lets, "n: 0..9", "left").splitlines()[9]
    assert changed == "  sums: if left > 1 then let n be left + 1 in if n > 2 then n else 0 else [left][1]"
    assert "choose: {line: row}" in renamed(HIDING, "row}\n    choose", "line")


@pytest.mark.parametrize(
    ("words", "skip", "what"),
    [
        ("guard or king", 0, "a move"),
        ("guard(1)", 0, "a named step"),
        ("guard(count", 0, "a scoring rule"),
        ("guard from", 0, "a member of `card`"),
        ("guard guard", 0, "a move"),
        ("guard guard", 6, "a member of `card`"),
        ("guard(1)\n    expect", 0, "a named step"),
        ("guard: 1}", 0, "a scoring rule"),
    ],
)
def test_hover__says_which_of_the_names_it_is(words: str, skip: int, what: str) -> None:
    name = find_name(analysed(GUARDS), *at(GUARDS, words, skip))
    assert name is not None and name.what == what


def test_hover__of_a_name_beyond_the_reach_of_its_namesake() -> None:
    found = analysed(HIDING)
    whats = [find_name(found, 10, column) for column in (13, 19, 27, 32)]
    assert [name.what if name else "" for name in whats] == ["a local name", "a local name", "a variable", "a variable"]


def test_completion__offers_what_can_stand_there() -> None:
    found = analysed(GUARDS)
    line, column = at(GUARDS, "guard or king")
    assert {one.label for one in suggestions(found, line, column)} == {"guard", "king"}
    line, column = at(GUARDS, "c in hand")
    labels = [one.label for one in suggestions(found, line, column)]
    assert labels.count("guard") == 1 and "deck" in labels


def test_tokens__colour_each_by_what_it_is() -> None:
    lines = GUARDS.split("\n")
    words = {
        (token.span.line, lines[token.span.line - 1][token.span.col - 1 : token.span.end_col - 1]): token.type
        for token in tokens(analysed(GUARDS))
    }
    kinds = {lines[line - 1].strip(): kind for (line, word), kind in words.items() if word == "guard"}
    assert kinds["- do guard(1)"] == "method" and kinds["to: guard or king"] == "event"
    assert kinds["card: [guard, king]"] == "enumMember" and kinds["points: {guard: 1}"] == "function"


# Comparisons ------------------------------------------------------------------------------------------------------


def test_diff__a_move_that_takes_the_name_of_a_card_is_no_change_of_the_card() -> None:
    before = HIDING.replace("row: 1..3", "row: 1..3\n  card: [grab, leave]")
    before = before.replace("  - ask: 1\n    to: take\n", "  - ask: 1\n    to: take\n" * 4)
    after = before.replace("to: take", "to: grab").replace("  take:", "  grab:")
    found = compare_rules(open_rules("a.yaml", before), open_rules("b.yaml", after), {}).changes
    assert {change.path[0] for change in found} == {"moves", "play"}


# The rulebook -----------------------------------------------------------------------------------------------------


def test_rulebook__tells_a_local_name_from_what_it_hides(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(HIDING, encoding="utf-8")
    text = write_markdown(make_book(tmp_path / "game.yaml"))
    assert "Let *n′* be *n* + 1." in text and "*Total* becomes *n′* + *sums*." in text
    assert "the sum, over all *n′* from 1 to *n*, of *n′*" in text
