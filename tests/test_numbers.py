"""Numbers keep to their limits: what an expression can reach is known before play, and every engine counts alike."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter import Fault, Game, load
from interpreter.layout import lay_out
from rulespec import syntax
from rulespec.diagnostics.diagnostic import Diagnostic, RuleFileError, Span
from rulespec.expr.infer import Inference
from rulespec.expr.names import Names
from rulespec.expr.parse import parse
from rulespec.model.builder import Builder
from rulespec.rules import open_rules
from rulespec.syntax import FIRST_MEMBER, LARGEST, NONE, Model, Values, of_codes
from rulespec.yaml.nodes import Scalar
from tests.sizes import size
from tests.test_expressions import compiled, reference_at

HEAD = """\
rulespec: 1
game: Numbers
players: 2
sets:
  colour: [red, blue]
  row: 1..3
  odd: [1, 3, 7]
tables:
  worth[row]: [10, 20, 30]
  rare[odd]: [5, 6, 9]
pieces:
  colour: 6 in bag
places:
  bag: {pile: colour}
  out: {pile: colour}
  tower: {stack: colour, room: 12}
variables:
  turn: player
"""
TAIL = """\
play:
  - while: not empty(bag)
    do:
      - ask: %(who)s
        to: take
      - set turn to next(turn)
moves:
  take:
    text: take {c}
    choose: {c: colour}
    needs:
      there: {that: c in bag, else: there is none}
    does:
      - move 1 of c from bag to out
      - %(step)s
scoring:
  points:
    text: points
    points: %(points)s
winner:
  most points: score[me]
"""


def rules(
    variables: str = "", points: str = "1", step: str = "score points for me", define: str = "", who: str = "turn"
) -> str:
    declared = "".join(f"  {line}\n" for line in variables.split("; ") if line)
    score = "" if "score[player]" in variables else "  score[player]: -1000000000..1000000000\n"
    defined = f"define:\n  {define}\n" if define else ""
    return HEAD + declared + score + defined + TAIL % {"who": who, "step": step, "points": points}


def complaints(text: str) -> list[tuple[str, str]]:
    try:
        open_rules("numbers.yaml", text).check(2)
    except RuleFileError as error:
        return [(d.code, d.message) for d in error.diagnostics]
    return []


# codes ----------------------------------------------------------------------------------------------------


def test_codes__lie_outside_the_numbers_and_fit_32_bits() -> None:
    assert LARGEST < NONE < FIRST_MEMBER
    assert FIRST_MEMBER + 200_000 < 2**31
    assert of_codes((LARGEST, NONE, FIRST_MEMBER)) == Values(LARGEST, LARGEST, frozenset((FIRST_MEMBER,)), True)


@pytest.mark.parametrize(
    ("points", "wanted"),
    [
        ("((if turn = me then big + 1 else none) default 0) / 1000", 99),
        ("(max(big + x for x in 1..2) default 0) - 99000", 1000),
        ("big * 10000 - 999979999", 1),
        ("0 - big * 10000 + 999980005", 5),
    ],
)
def test_numbers__around_the_old_codes_are_plain_numbers(points: str, wanted: int) -> None:
    text = rules("big: {is: 0..99998, start: 99998}", points)
    game = load(text)
    state = game.start(seed=1)
    state = game.apply(state, game.legal_moves(state)[0])
    assert game.scores(state)[1] == wanted


def test_codes__lead_to_far_places_without_large_numbers() -> None:
    """An address is never a code many times over: that is no number that C takes."""
    if not load("nim").compile():
        pytest.skip("there is no compiler")
    text = rules(step="move 1 of c from out to far[c, turn]")
    game = load(text.replace("  tower:", "  far[colour, 1..3000]: {pile: colour}\n  tower:"))
    assert game.compile()
    assert game.simulator.play(1) == game.simulator.in_python(1)


# ranges ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "reach"),
    [
        ("big * big", "as large as 10000000000"),
        ("(0 - big) * 20000", "as small as -2000000000"),
        ("(big - 50000) * (big - 50000)", "anything from -2500000000 to 2500000000"),
        ("sum(big * 1000 for x in 1..20)", "as large as 2000000000"),
        ("sum(big * 1000 for k in bag, x in 1..9)", "as large as 1800000000"),
        ("let a be big * 1000 in a * 1000", "as large as 100000000000"),
        ("square(big)", "as large as 10000000000"),
        ("if big < 40000 then big * big else 0", "as large as 10000000000"),
    ],
)
def test_range__what_could_pass_the_limits_is_refused_once(expression: str, reach: str) -> None:
    text = rules("big: 0..100000", expression, define="square(number n): n * n")
    limits = "numbers go from -1000000000 to 1000000000"
    assert complaints(text) == [("number-range", f"this could become {reach}: {limits}")]


@pytest.mark.parametrize(
    "expression",
    [
        "square(min(big, 30000))",
        "let b be big in if b < 30000 then b * b else 0",
        "max(0, min(1000, big)) * 1000000",
        "big / 1000 * big",
        "big mod 1000 * big",
        "sum(big * 1000 for k in bag)",
        "size(list(x for x in 1..9 where big > x)) * 100000000",
        "let b be big in if b >= 1 then 1000000000 / b else 0",
        "-1000000000 + big * 10",
        "cube(min(big, 900))",
        "sum(triangle(x) for x in 1..9)",
    ],
)
def test_range__what_cannot_pass_them_is_good(expression: str) -> None:
    define = "square(number n): n * n\n  cube(number n): n * square(n)\n  triangle(number n): sum(x for x in 1..n)"
    assert complaints(rules("big: 0..100000", expression, define=define)) == []


def test_range__weights_count_together() -> None:
    rolled = "roll x from 1..3 weighted by pot * {}"
    assert complaints(rules("pot: 0..100", step=rolled.format(1000000))) == []
    assert [code for code, _ in complaints(rules("pot: 0..100", step=rolled.format(4000000)))] == ["number-range"]


def test_range__steps_take_the_numbers_that_are_passed() -> None:
    text = rules("pot: 0..100", step="do add_up(3)").replace(
        "play:\n",
        "steps:\n  add_up(number n):\n    - for each: i in 1..n\n      do:\n        - set pot to n * i\n        - score points for turn\nplay:\n",
        1,
    )
    assert complaints(text) == []
    assert [code for code, _ in complaints(text.replace("add_up(3)", "add_up(50000)"))] == ["number-range"]


def test_range__squares_behind_a_test_are_not_worked_out_before_it() -> None:
    squares = "let a0 be b in " + "".join(f"let a{i + 1} be a{i} * a{i} in " for i in range(24))
    text = rules("big: {is: 0..99998, start: 99998}", f"let b be big in if b <= 1 then ({squares} a24) else 3")
    game = load(text)
    state = game.start(seed=1)
    assert game.scores(game.apply(state, game.legal_moves(state)[0]))[1] == 3


def doubling(times: int) -> str:
    lets = "".join(
        f"let a{i} be {f'a{i - 1}' if i else 'big'} + {f'a{i - 1}' if i else 'big'} in " for i in range(times)
    )
    return lets + f"(if a{times - 1} > 0 then 1 else 2)"


@pytest.mark.parametrize("times", [14, 20, 40, 63])
def test_range__doubling_again_and_again_is_refused_where_it_passes_the_limit(times: int) -> None:
    assert [code for code, _ in complaints(rules("big: 0..99998", doubling(times)))] == ["number-range"]
    assert complaints(rules("big: 0..99998", doubling(13))) == []


# faults ---------------------------------------------------------------------------------------------------


def every_way(game: Game) -> list[str]:
    """Return what each engine says of a game that stops at its first move."""

    def played() -> Any:
        state = game.start(seed=1)
        while True:
            state = game.apply(state, game.legal_moves(state)[0])

    ways: list[Callable[[], Any]] = [played, lambda: game.simulate(1), lambda: game.playout(3)]
    if game.compile():
        ways.append(lambda: game.simulate(1))
    said = []
    for way in ways:
        with pytest.raises(Fault) as caught:
            way()
        said.append(caught.value.message)
    return said


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("move (0 - 1) of red from bag to out", "expected 0 or more pieces to move, found -1"),
        ("move up to (pot - 2) of red from bag to out", "expected 0 or more pieces to move, found -2"),
        ("move top (pot - 3) from tower to out", "expected 0 or more pieces to move, found -3"),
        ("draw (pot - 1) from bag to out", "expected 0 or more pieces to draw, found -1"),
        ("draw up to (pot - 4) from bag to out", "expected 0 or more pieces to draw, found -4"),
        ("set at to pot", "`at` would leave its range 1..3"),
        ("set at to four", "`at` would leave its range 1..3"),
        ("set maybe to four", "`maybe` would leave its range 1..3"),
        ("set lucky to pot + 2", "`lucky` would leave its set `odd`"),
        ("set pot to price(four)", "expected a row for `price` from 1 to 3, found 4"),
        ("set pot to long_price(four)", "expected a row for `long_price` from 1 to 3, found 4"),
        ("set pot to rarity(pot + 2)", "expected a odd for `rarity` from 1 to 7, found 2"),
        ("do note(four)", "expected a row for `note` from 1 to 3, found 4"),
        ("score points for (turn + four)", "expected a player from 1 to 2, found 5"),
        ("set pot to sum(q for q in clockwise(four))", "expected a player from 1 to 2, found 4"),
    ],
)
def test_fault__a_number_that_is_not_taken_stops_every_engine_alike(step: str, message: str) -> None:
    added = " + ".join(["worth[r]"] * 30)
    define = f"price(row r): worth[r]\n  rarity(odd o): rare[o]\n  long_price(row r): ({added}) / 30"
    variables = "pot: 0..40; four: {is: 0..4, start: 4}; at: {is: row, start: 1}; lucky: {is: odd, start: 1}; maybe: {is: [row, none], start: none}"
    text = rules(variables, step=step, define=define).replace(
        "play:\n",
        "steps:\n  note(row r):\n    - set at to r\n    - set maybe to r\n    - set lucky to 7\nplay:\n",
        1,
    )
    said = every_way(load(text))
    assert len(said) >= 3 and set(said) == {message}


def test_fault__a_player_who_does_not_play_is_not_asked() -> None:
    assert set(every_way(load(rules("pot: 0..9", step="set pot to 4", who="1 + pot")))) == {
        "expected a player from 1 to 2, found 5"
    }


def test_condition__guards_what_stands_behind_it() -> None:
    """A divisor that is 0 for a known value of a loop is not worked out where a condition before it keeps it away."""
    points = "sum(if x != 0 and turn > 0 and 12 / x > 3 then x else 0 for x in [0, 1, 2, 3, 6])"
    game = load(rules("", points))
    state = game.start(seed=1)
    state = game.apply(state, game.legal_moves(state)[0])
    assert game.scores(state)[1] == 1 + 2 + 3


# any expression -------------------------------------------------------------------------------------------

VARIABLES = {"tiny": (0, 3), "small": (-9, 9), "large": (-40_000, 99_998), "huge": (0, 1_000_000_000)}
DECLARED = "; ".join(f"{name}: {lo}..{hi}" for name, (lo, hi) in VARIABLES.items())
FORMS = """{} + {}|{} - {}|{} * {}|{} * {}|{} / max(1, {})|{} mod max(1, {})|{} / min(-1, {})|{} mod min(-1, {})|min({}, {})|max({}, {})|-({})
    |twice({})|sum({} - # for # in 1..3)|sum({} for # in 1..tiny)|(max({} + # for # in 1..tiny) default 7)|count(# < {} for # in row) * {}
    |if {} < {} then {} else {}|let # be {} in if # > {} then # else 0 - #|let # be {} in if # >= 0 and # < 300 then # * # else 1
    |let # be {} in if # > 0 then 1000 / # else 3|let # be {} in if not (# <= 5 or # > 90) then # * 1000 else {}"""


def expression(rng: random.Random, depth: int) -> str:
    """Return a random expression that is a number."""
    names = [*VARIABLES, "count(bag)", str(rng.randint(0, 2000))]
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(names)
    local = f"v{rng.randrange(10**6)}"
    text = rng.choice(FORMS.split("|")).strip().replace("#", local)
    while "{}" in text:
        text = text.replace("{}", expression(rng, depth - 1), 1)
    return f"({text})"


@cache
def built() -> tuple[Names, Model]:
    said: list[Diagnostic] = []
    calls = "twice(500000000) + twice(0 - 500000000)"  # a parameter takes what the calls of the file give it
    text = rules(DECLARED, calls, define="twice(number n): n + n")
    made = Builder(open_rules("numbers.yaml", text).default_tree, 2, said.append)
    model = made.build({}, "numbers.yaml")
    assert model is not None and not said
    return made.names, model


def read(text: str) -> syntax.Expr | None:
    """Return the checked expression; None if it could pass the limits, or divide by 0."""
    said: list[Diagnostic] = []
    names, _ = built()
    names.calls.clear()  # or what was complained about before would not be again
    scalar = Scalar(Span("numbers.yaml", 1, 1, 1, len(text) + 1), text, text)
    e = Inference(names, parse(scalar, "expr"), {}, said.append).value()
    # what stands behind a test that never holds is read as if there were no test
    assert {d.code for d in said} <= {"number-range", "type-divide"}, (text, said)
    return None if said else e


@pytest.mark.sized
@settings(max_examples=size(40, 4000), deadline=None)
@given(st.integers(0, 2**32))
def test_any_expression__stays_in_its_range(seed: int) -> None:
    rng = random.Random(seed)
    text = expression(rng, rng.randint(1, 3))
    e = read(text)
    if e is None:
        return
    t = e.type
    assert isinstance(t, Values) and t.lo is not None and t.hi is not None and -LARGEST <= t.lo <= t.hi <= LARGEST
    _, model = built()
    layout = lay_out(model)
    for _ in range(3):
        vector = list(layout.start)
        for name, ends in VARIABLES.items():
            vector[layout.variables[name].base] = rng.choice((*ends, rng.randint(*ends)))
        exact = reference_at(model, layout, vector).value(e, {})
        assert t.lo <= exact <= t.hi, f"{text} = {exact}, not {t.lo}..{t.hi}"
        # the ranges of what a definition works out are those of the file's own calls, and this is none of them
        assert compiled(model, layout, e, vector, {}, verified=False) == exact, text


@pytest.mark.sized
@pytest.mark.parametrize("seed", range(size(1, 15)))
def test_any_expression__is_counted_alike_in_python_and_c(seed: int) -> None:
    """Many expressions in one game, with variables at their ends and anywhere between."""
    rng = random.Random(seed)
    texts = [text for _ in range(60) if read(text := expression(rng, 3)) is not None]
    assert len(texts) > 10
    rolls = "".join(
        f"      - roll {name}_ from [{lo}, {hi}, {', '.join(str(rng.randint(lo, hi)) for _ in range(5))}]\n"
        f"      - set {name} to {name}_\n"
        for name, (lo, hi) in VARIABLES.items()
    )
    results = "".join(f"      - set r{i} to {text}\n" for i, text in enumerate(texts))
    kept = "".join(f"; r{i}: -1000000000..1000000000" for i in range(len(texts)))
    text = rules(DECLARED + kept, define="twice(number n): n + n", step="score points for me")
    game = load(text.replace("      - score points for me\n", rolls + results))
    if not game.compile():
        pytest.skip("there is no compiler")
    for number in range(20):
        assert game.simulator.play(number) == game.simulator.in_python(number)
