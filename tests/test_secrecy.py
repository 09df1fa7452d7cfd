"""Secrecy: every form of the language that can look into a hidden place counts as secret, and what everybody sees does not."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import get_args

import pytest

from interpreter import CHANCE, Game, State, load
from rulespec import syntax
from rulespec.checks.secrecy import ME, Secrecy
from rulespec.syntax import Expr, PlaceOf, YesNo, children, each_expression, number, of_template
from tests.generated.forms import EXPRESSIONS, form

GAME = """
rulespec: 1
game: Hidden places
players: 2
sets:
  colour: [red, blue]
  slot: 1..3
  way: [side, over]
  spot: slot * colour
tables:
  worth[colour]: {red: 1, blue: 2}
pieces:
  colour: 20 in bag
  coin: 9 in chest
places:
  bag: {pile: colour, seen by: nobody}
  chest: {pile: coin, seen by: nobody}
  hand[player]: {pile: colour, room: 3, seen by: owner}
  tower[player]: {stack: colour, room: 3, seen by: owner}
  cards[player, slot]:
    cell: colour
    seen by: owner
    ways:
      side: {slot: slot + 1}
      over: {player: next(player)}
  open[slot]: {cell: colour}
variables:
  turn: player
  mark[colour]: 0..9
  kept[slot]: cards
  code: {is: 0..9, seen by: nobody}
  written[player]: {is: 0..9, seen by: owner}
  ships[player, slot]: {is: yes_no, seen by: owner}
  score[player]: 0..99
define:
  reds(player p): count(hand[p], red)
  same(colour k): k
  reds_and(player p, number n): reds(p) + n
setup:
  - for each: p in player
    do:
      - draw 3 from bag to hand[p]
      - draw 3 from bag to tower[p]
      - for each: s in slot
        do:
          - draw 1 from bag to cards[p, s]
play:
  - let z be VALUE
  - ask: turn
    to: look(z, HANDED)
  - do later(VALUE, turn)
steps:
  later(number v, player p):
    - let w be v + 0
    - ask: p
      to: look(w, 1)
moves:
  look(number a, number b):
    text: "look TEXT"
    choose: {gift: "up to 2 from hand[me]", n: 0..9, m: 0..9, s: slot}
    needs:
      told: {that: "n >= NEEDED", else: "not {a} {b}"}
      tied: {that: m != n, else: no}
    does:
      - score shown(2) for me
scoring:
  shown(number r):
    text: "{r} of {count(bag, red)} of {count(bag)}"
    points: 1
winner:
  all: 0
"""

KIND = "(first(k for k in hand[next(me)]) default red)"
NUMBER = "count(hand[next(me)], red)"
TEST = "(red in hand[next(me)])"
THEIRS = "hand[next(me)]"
CELL = "cards[next(me), 1]"

# For every form: expressions of that form that show something of a hidden pile, stack or cell.
SECRET: dict[str, tuple[str, ...]] = {
    **{f"logic {op}": (f"{TEST} {op} me = 1", f"me = 1 {op} {TEST}") for op in ("and", "or")},
    **{f"arithmetic {op}": (f"{NUMBER} {op} 2", f"5 {op} ({NUMBER} + 1)") for op in ("+", "-", "*", "/", "mod")},
    **{f"compare {op}": (f"{NUMBER} {op} 2", f"2 {op} {NUMBER}") for op in ("=", "!=", "<", "<=", ">", ">=")},
    "not": (f"not {TEST}",),
    "if": (f"if {TEST} then 1 else 2", f"if me = 1 then {NUMBER} else 2", f"if me = 1 then 2 else {NUMBER}",
           f"count((if me = 1 then {THEIRS} else hand[me]), red)"),
    "let": (f"let q be {NUMBER} in q", f"let q be {THEIRS} in count(q, red)", "let q be tower[next(me)] in piece(q)",
            f"let q be {CELL} in piece(q)", "let q be next(me) in reds(q)"),
    "in": (TEST, "red in hand", "red in tower[next(me)]", f"red in {CELL}", f"{KIND} in [red]",
           f"red in list(k for k in {THEIRS})"),
    "default": (f"first(k for k in {THEIRS}) default red", f"piece({CELL}) default red", f"piece(open[1]) default {KIND}"),
    "range": (f"sum(i for i in 1..{NUMBER})", f"sum(i for i in {NUMBER}..3)"),
    "items": (f"[{KIND}, red]",),
    "tableread": (f"worth[{KIND}]",),
    "variableread": (f"mark[{KIND}]", "code", "written[next(me)]", "written[turn]", f"written[if {TEST} then 1 else 2]",
                     "max(written[p] for p in player)", "count(ships[p, 1] for p in player)"),
    "part": (f"first(x for x in spot where x.colour = {KIND}).slot default 1",),
    "placepart": ("first(x for x in cards where piece(x) = red).slot default 1", f"cards[me, if {TEST} then 1 else 2].slot"),
    "itemat": (f"list(k for k in {THEIRS})[1]", f"count((cards[me])[if {TEST} then 1 else 2])"),
    "codedplace": ("piece(kept[2])", f"count(kept[if {TEST} then 1 else 2])"),
    "placeat": (f"piece(open[if {TEST} then 1 else 2])",
                f"count(hand[if {TEST} then 1 else 2])"),
    "places": (f"count(cards[if {TEST} then 1 else 2])", "count(cards, red)"),
    "group": (f"size(group(x from {CELL} along side where piece(x) = red))",
              "size(group(x from cards[me, 1] along over where piece(x) = red))",
              "size(group(x from cards[me, 1] along way where red in x))",
              "count(group(x from cards[me, 1] along over where not empty(x)), red)",
              f"size(group(x from cards[me, if {TEST} then 1 else 2] along side where not empty(x)))"),
    "call": ("reds(next(me))", f"same({KIND})", "reds_and(next(me), 1)", f"reds_and(me, {NUMBER})"),
    "count": (NUMBER, "count(hand, red)", "count(bag, red)", "count(tower[next(me)], red)", f"count({CELL}, red)",
              f"count(hand[me], {KIND})", f"count(list(x for x in cards[me] where {TEST}))"),
    "size": (f"size(list(k for k in {THEIRS}))", f"size(list(i for i in slot where {TEST}))"),
    "free": (f"free(hand[if {TEST} then 1 else 2])",),
    "empty": (f"empty(hand[if {TEST} then 1 else 2])",),
    "piece": ("piece(tower[next(me)])", f"piece({CELL})", "piece(cards[turn, 1])"),
    "next": (f"next({KIND})",),
    "previous": (f"previous({KIND})",),
    "clockwise": (f"clockwise(if {TEST} then 1 else 2)",),
    "ray": (f"count(ray({CELL}, side), red)", "count(ray(cards[me, 1], over), red)",
            f"count(ray(cards[me, 1], if {TEST} then side else over))"),
    "max": (f"max({NUMBER}, 2)", f"max(2, {NUMBER})"),
    "min": (f"min({NUMBER}, 2)", f"min(2, {NUMBER})"),
    **{
        f"{op} for": (f"{op}({{}} for k in {THEIRS})".format(body), f"{op}({{}} for k in tower[next(me)])".format(body),
                      f"{op}({{}} for k in {CELL})".format(body), f"{op}({{}} for k in bag)".format(body),
                      f"{op}({{}} for k in colour where k in {THEIRS})".format(body),
                      f"{op}({{}} for k in colour while k in {THEIRS})".format(body),
                      f"{op}({{}} for p in player, k in hand[p])".format(body),
                      f"{op}({{}} for x in cards, k in x)".format(body),
                      f"{op}({inner} for k in colour)")
        for op, body, inner in (
            ("sum", "worth[k]", f"count({THEIRS}, k)"), ("max", "worth[k]", f"count({THEIRS}, k)"),
            ("min", "worth[k]", f"count({THEIRS}, k)"), ("first", "k", f"count({THEIRS}, k)"),
            ("list", "k", f"count({THEIRS}, k)"), ("count", "k = red", f"k in {THEIRS}"),
            ("any", "k = red", f"k in {THEIRS}"), ("all", "k = red", f"k in {THEIRS}"),
        )
    },
    "local place": (f"let q be {THEIRS} in red in q",),
    "local places": ("let q be cards in count(q, red)",),
    "local value": (f"let q be {NUMBER} in q + 1",),
    "local condition": (f"let q be {TEST} in not q",),
    "local list": (f"let q be list(k for k in {THEIRS}) in size(q)",),
}  # fmt: skip

# what is where, and not what lies there, even if the place is hidden
ONLY_WHERE = {syntax.PlacePart, syntax.PlaceCode}

WITHOUT_PLACE = {
    "const value",
    "const none",
    "const condition",
    "const list",
    "const place",
    "local chosen",
}  # nothing is inside them

PUBLIC = (
    "count(hand[next(me)])", "count(hand)", "count(bag)", "free(hand[next(me)])", "empty(tower[next(me)])", "size(cards)",
    "count(chest, coin)", "sum(count(hand[p]) for p in player)", "count(empty(x) for x in cards)",
    "count(list(x for x in cards where not empty(x)))", "let q be hand[next(me)] in count(q)",
    "size(group(x from cards[next(me), 1] along way where not empty(x)))", "count(ray(cards[next(me), 1], side))",
    "piece(open[1])", "mark[red]", "worth[red]", "turn", "hand[me] = hand[turn]", "cards[next(me), 1] in cards[me]",
    "cards[next(me), 1].slot", "kept[1] = kept[2]",
)  # fmt: skip

# what the player who decides sees, and others do not
OWN = (
    "count(hand[me], red)", "reds(me)", "reds_and(me, 2)", "first(k for k in hand[me])", "piece(tower[me])", "let q be me in reds(q)",
    "list(k for k in cards[me, 1])", "any(piece(x) = red for x in cards[me])", "let q be hand[me] in red in q",
    "size(group(x from cards[me, 1] along side where piece(x) = red))", "count(ray(cards[me, 1], side), red)",
    "written[me]", "let q be me in written[q] + 1", "count(ships[me, i] for i in slot)",
)  # fmt: skip


def plain(text: str = "{a}", value: str = "1", handed: str = "1", needed: str = "0") -> str:
    """Return the rules with a text, with what an ask gives to the move, and with what its choice must reach."""
    rules = GAME.replace("TEXT", text).replace("VALUE", value)
    return rules.replace("HANDED", handed).replace("NEEDED", needed)


@cache
def game_of(text: str = "{a}", value: str = "1", handed: str = "1", needed: str = "0") -> Game:
    return load(plain(text, value, handed, needed))


def holes(*expressions: str) -> tuple[Game, list[Expr]]:
    """Return a game in whose text these expressions stand, and what they became."""
    game = game_of("; ".join(f"{{{e}}}" for e in expressions))
    return game, of_template(game.model.moves["look"].text)


def test_secrecy__every_form_is_tried() -> None:
    assert set(SECRET) | WITHOUT_PLACE == EXPRESSIONS


@pytest.mark.parametrize("name", SECRET)
def test_secrecy__a_form_that_looks_into_a_hidden_place_is_secret(name: str) -> None:
    game, found = holes(*SECRET[name])
    secrecy = Secrecy(game.model)
    for text, e in zip(SECRET[name], found, strict=True):
        assert name in {form(x) for x in each_expression([e])}, text
        assert secrecy.reads(e) is not None, text
        assert secrecy.reads(e, ME) is not None, text
    assert set(words(game, 1)[5:].split("; ")) == {"?"}


def dealt(game: Game) -> State:
    """Return the first position in which a player decides."""
    state = game.start(seed=1)
    while state.to_move == CHANCE:
        state = game.apply(state, game.chances(state)[0][0])
    return state


def words(game: Game, viewer: int | None) -> str:
    state = dealt(game)
    return game.sight.words(state, game.legal_moves(state)[0], viewer)[1]


def test_secrecy__numbers_of_pieces_are_public() -> None:
    game, found = holes(*PUBLIC)
    secrecy = Secrecy(game.model)
    assert [text for text, e in zip(PUBLIC, found, strict=True) if secrecy.reads(e)] == []


def test_secrecy__the_owner_sees_what_is_theirs() -> None:
    game, found = holes(*OWN)
    secrecy = Secrecy(game.model)
    assert [text for text, e in zip(OWN, found, strict=True) if secrecy.reads(e, ME)] == []
    assert [text for text, e in zip(OWN, found, strict=True) if not secrecy.reads(e)] == []


# Forms as such: also those that nobody wrote down above, and those that do not exist yet -----------------------


@pytest.mark.parametrize("kind", get_args(Expr), ids=lambda kind: kind.__name__)
def test_secrecy__a_node_hides_what_any_part_of_it_hides(kind: type) -> None:
    """A secret value, or a hidden place, in any part of a node makes it secret."""
    game = game_of()
    secrecy = Secrecy(game.model)
    hidden = syntax.PlaceAt(PlaceOf("bag"), "bag", ())
    secret = syntax.BuiltinCall(number(0, 9), "piece", (hidden,))
    bare = made(kind, [])
    for place in range(len(children(bare))):
        for put in (secret,) if kind in ONLY_WHERE else (hidden, secret):
            assert secrecy.reads(made(kind, [put if i == place else None for i in range(9)])) == "bag"


def made(kind: type, parts: list[Expr | None]) -> Expr:
    """Return a node of a kind with these parts; where none is given, it has a number."""
    waiting = iter(parts)

    def part() -> Expr:
        return next(waiting, None) or syntax.Literal(number(1, 1), 1)

    values: dict[str, object] = {}
    for f in fields(kind):
        match str(f.type):
            case "Expr" | "Expr | None":
                values[f.name] = part()
            case "tuple[Expr, ...]":
                values[f.name] = (part(),) if kind is syntax.FunctionCall else (part(), part())
            case "tuple[tuple[str, Expr], ...]":
                values[f.name] = (("x", part()),)
            case "Type":
                values[f.name] = YesNo()
            case _:
                values[f.name] = None
    match kind:
        case syntax.FunctionCall:
            values["function"] = "same"
        case syntax.PlaceAt | syntax.Places:
            values["family"] = "open"
        case syntax.BuiltinCall:
            values["name"] = "not known yet"
        case syntax.Let if not any(parts[1:]):
            values |= {"name": "x", "body": syntax.Local(PlaceOf("bag"), "x")}
    return kind(**values)  # type: ignore[no-any-return]


# What is handed on ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value", ["count(hand[next(turn)], red)", "max(worth[k] for k in hand[1]) default 1", "reds(next(turn))"]
)
def test_secrecy__a_secret_that_an_ask_hands_to_a_move(value: str) -> None:
    game = game_of("{a}; {b}", value=value, handed=value)
    secrecy = Secrecy(game.model)
    assert set(secrecy.held("look")) == set(secrecy.unknown_to_mover("look")) == {"a", "b"}
    play, later, look = ("steps", "play"), ("steps", "later"), ("moves", "look")
    assert {(play, "z"), (later, "v"), (later, "w"), (look, "a")} <= {*secrecy.secret_names(), (look, "n")}
    assert words(game, 1) == words(game, 2) == "look ?; ?"


def test_secrecy__who_is_asked_knows_what_is_theirs() -> None:
    game = game_of("{b}", handed="count(hand[turn], red)")
    secrecy = Secrecy(game.model)
    assert set(secrecy.held("look")) == {"b"}
    assert secrecy.unknown_to_mover("look") == {}
    assert words(game, 1) != "look ?"
    assert words(game, 2) == words(game, None) == "look ?"


def test_secrecy__a_name_for_what_belongs_to_the_one_who_is_asked() -> None:
    game = load(plain().replace("let w be v + 0", "let w be count(hand[p], red) + v * 0"))
    secrecy = Secrecy(game.model)
    assert set(secrecy.held("look")) == {"a"}
    assert secrecy.unknown_to_mover("look") == {}
    other = load(plain().replace("let w be v + 0", "let w be count(hand[next(p)], red) + v * 0"))
    assert set(Secrecy(other.model).unknown_to_mover("look")) == {"a"}


def test_secrecy__a_number_of_pieces_is_handed_on_openly() -> None:
    assert Secrecy(game_of(value="count(hand[next(turn)])").model).held("look") == {}


def test_secrecy__a_refusal_does_not_name_what_was_handed_on() -> None:
    game = game_of(value="count(hand[next(turn)], red)", needed="4")
    state = dealt(game)
    assert [o.text for o in game.objections(state, "look nothing 1 2 1")] == ["not ? 1"]


def test_sight__a_choice_tied_to_a_hidden_one_is_hidden() -> None:
    game = game_of("{n} {m} {s}", needed="count(hand[me], red)")
    assert words(game, 2).split() == ["look", "?", "?", "1"]
    assert "?" not in words(game, 1)


def test_ledger__a_scoring_text_shows_nothing_of_a_hidden_place() -> None:
    game = game_of()
    state = dealt(game)
    assert [line.text for line in game.ledger(game.apply(state, "look nothing 1 2 1"))] == ["2 of ? of 22"]


# What is written down in secret -----------------------------------------------------------------------------------

WRITING = """
rulespec: 1
game: Written down
players: 2
sets:
  slot: 1..3
  card: [ace, king]
pieces:
  card: 2 in deck
places:
  deck: {pile: card, seen by: nobody}
  down[player]: {pile: card, seen by: nobody}
  open[player]: {pile: card}
variables:
  turn: player
  code: {is: 0..9, seen by: nobody}
  bid[player]: {is: 0..9, seen by: owner}
  ships[player, slot]: {is: yes_no, seen by: owner}
  said[player]: 0..9
tables:
  card_of[slot]: [ace, king, ace]
play:
  - ask: turn
    to: write
steps:
  keep(number v): ["set code to v"]
  say(number v): ["set said[turn] to v"]
moves:
  write:
    text: write {n} {m}
    choose: {n: 1..3, m: 0..3}
    does:
      - DOES
winner:
  nobody: 0
"""

KEPT = {
    "set bid[me] to n": {"n"},
    "add n to bid[me]": {"n"},
    "set bid[me] to 3": set(),
    "set bid[next(me)] to n": {"n"},
    "set bid[1 + n / 3] to 3": set(),  # whose it is shows something
    "set ships[me, n] to true": {"n"},
    "set code to n + m": {"n", "m"},
    "let x be n * 2\n      - set code to x": {"n"},
    "do keep(n)": {"n"},
    "do say(n)": set(),
    "set said[me] to n": set(),
    "set code to n\n      - set said[me] to n": set(),
    "set code to n\n      - set said[me] to m": {"n"},
    "{if: n > 2, then: [set code to 1], else: [set code to 2]}": {"n"},
    '{if: n > 2, then: ["set said[me] to 1"]}': set(),
    "{if: n > 2, then: [do say(1)]}": set(),
    "{for each: p in 1..n, do: [set code to p]}": {"n"},
    "move 1 of card_of[n] from deck to down[me]": {"n"},
    "move 1 of card_of[n] from deck to open[me]": set(),
    "move n of ace from deck to down[me]": set(),
    "show bid[1 + n / 3] to me": set(),
    "tell {n} is written": set(),
}


@pytest.mark.parametrize("does", KEPT)
def test_kept__choices_of_which_all_that_is_done_is_hidden(does: str) -> None:
    game = load(WRITING.replace("DOES", does))
    assert set(Secrecy(game.model).kept("write")) == KEPT[does]
    state = game.start(seed=1)
    for viewer in (2, None):
        said = game.sight.words(state, game.parse_move(state, "write 1 2"), viewer)[0].split()
        assert {name for name, word in zip("nm", said[1:], strict=True) if word == "?"} == KEPT[does]
    assert game.sight.words(state, game.parse_move(state, "write 1 2"), 1)[0] == "write 1 2"


def test_kept__a_question_within_a_move_holds_a_secret() -> None:
    game = load(
        WRITING.replace("DOES", "set bid[me] to n\n      - {ask: next(me), to: see}").replace(
            "winner:",
            """\
  see:
    text: look on
    does: []
winner:""",
        )
    )
    state = game.apply(game.start(seed=1), "write 1 2")
    held = {name for _, name in game.sight.secrecy.secret_names()}
    assert "n" in held and "m" not in held
    assert state.to_move == 2
