"""Rule files that nobody wrote: they are found good, cover the language, end, and mean the same to all voices."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import get_args

import pytest

from interpreter import Fault
from interpreter.reference import Reference
from rulespec import syntax
from rulespec.syntax import Model
from tests.bundle import COMPILER
from tests.generated.directed import BASE, EACH, FILE, directed_file, examples, many_directed, written
from tests.generated.finding import checked, examine
from tests.generated.forms import EXPRESSIONS, FORMS, NAMES, OPERATORS, PLAIN, WHOLE, forms, pairs
from tests.generated.pairs import Judge, Samples
from tests.generated.rulefiles import DIRECTED, rule_file
from tests.generated.smaller import simpler_texts, smaller
from tests.sizes import SOAK, size

NOT_YET: frozenset[str] = frozenset()  # forms that no generated file has


@dataclass
class Harvest:
    """The forms that many files have together."""

    files: int = 0
    good: int = 0
    forms: Counter[str] = field(default_factory=Counter)


@pytest.fixture(scope="module")
def harvest() -> Harvest:
    found = Harvest()
    for seed in range(size(12, 1000)):
        found.files += 1
        if (good := checked(rule_file(seed))) is not None:
            found.good += 1
            found.forms.update(set(forms(good[1])))
    return found


@pytest.mark.sized
def test_generated__most_files_are_good(harvest: Harvest) -> None:
    assert harvest.good > 0.8 * harvest.files, f"{harvest.good} of {harvest.files}"


@pytest.mark.sized
def test_generated__every_form_occurs(harvest: Harvest) -> None:
    """In the check nearly all forms do: a few files have no room for more."""
    missing = FORMS - set(harvest.forms)
    assert set(harvest.forms) - FORMS <= {"local none"}
    if SOAK:
        assert missing == NOT_YET
    assert len(missing) < 0.2 * len(FORMS), sorted(missing)


def test_forms__all_expressions_of_the_language_have_one() -> None:
    named = {NAMES.get(kind, kind.__name__.lower()) for kind in get_args(syntax.Expr)}
    several = {"literal", "local", "builtincall", "aggregate", *OPERATORS}  # by type, name or operator
    assert named - several - WHOLE - {"placecode"} == set(PLAIN)  # that one is made where a place is chosen or stored


def test_pairs__every_form_is_inside_another() -> None:
    """Print how many forms and pairs there are; a form that is new in the language has no pair yet."""
    pairs_ = {(e.outer, e.inner) for e in examples()}
    print(f"{len(FORMS)} forms, {len(EXPRESSIONS)} of them of expressions; {len(pairs_)} pairs of expressions")
    assert {inner for _, inner in pairs_} == EXPRESSIONS
    leaves = {name for name in EXPRESSIONS if name.startswith(("const ", "local "))}
    assert {outer for outer, _ in pairs_} == EXPRESSIONS - leaves


@pytest.mark.soak
def test_pairs__are_all_that_the_checker_takes(update: bool) -> None:
    """No other two forms have a type in common, in any text tried; `--update` writes them anew."""
    found = list(Samples(Judge(BASE)).examples().values())
    if update:
        FILE.write_text(written(found), encoding="utf-8")
    assert {(e.outer, e.inner) for e in found} == {(e.outer, e.inner) for e in examples()}


@pytest.mark.sized
def test_pairs__are_in_the_files_that_are_made_for_them() -> None:
    """All files are good, and the model of each has the pairs it was made for."""
    for number in range(size(2, many_directed())):
        good = checked(directed_file(number))
        assert good is not None, number
        wanted = {(e.outer, e.inner) for e in examples()[number * EACH : (number + 1) * EACH]}
        assert wanted <= set(pairs(good[1])), number


def test_pairs__are_all_among_the_files_that_are_compared() -> None:
    """All of them: in the soak run a file that is made for pairs is large."""
    assert many_directed() * DIRECTED <= MANY_FILES
    assert DIRECTED % LARGE == 0
    made = (directed_file(number) for number in range(3))
    assert [rule_file((number + 1) * DIRECTED - 1) for number in range(3)] == list(made)


def test_generated__small_files_have_the_same_sections() -> None:
    """A small file is like a large one, and as good: only what nothing names is left out."""
    files = [rule_file(seed, small=True) for seed in range(5)]
    for seed, file in enumerate(files):
        assert len(str(file)) < len(str(rule_file(seed)))
        assert {"sets", "places", "variables", "define", "play", "moves", "scoring", "winner"} <= file.keys()
    assert sum(checked(file) is not None for file in files) >= 4


def test_generated__same_seed_same_file() -> None:
    assert rule_file(7) == rule_file(7) != rule_file(8)


@pytest.mark.sized
def test_generated__games_end() -> None:
    how: Counter[str] = Counter()
    for seed in range(size(5, 300)):
        if (good := checked(rule_file(seed))) is not None:
            how[_end(good[1])] += 1
    assert how["end"] >= how["fault"] > 0
    assert not how["open"]


def _end(model: Model) -> str:
    """Return how a game ends in which everybody takes the last move listed."""
    try:
        reference = Reference(model)
        for _ in range(500):
            if reference.decision is None:
                return "end"
            reference.apply(reference.legal_moves()[-1])
    except Fault:
        return "fault"
    return "open"


MANY_FILES = 8_000  # in the soak run
FILES = size(60, MANY_FILES)
CHUNK = size(30, 250)
LARGE = 4  # in the soak run every so many files one is large; in the check all are small
IN_FULL = size(30, 12)  # every so many files one is compared by all means, the others in brief


@pytest.mark.sized
@pytest.mark.parametrize("first", range(0, FILES, CHUNK))
def test_generated__files_agree(first: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Compare all voices in the same three games of each file, and by all other means on every so many.

    In the soak run each chunk is a process of its own, since a mistake in C may end it.
    """
    if not SOAK:
        seeds = range(first, first + CHUNK)
        files = [rule_file(seed, small=True) for seed in seeds]
        native = [COMPILER is not None] * CHUNK
        found = examine(files, native, brief=[seed % IN_FULL > 0 for seed in seeds])
        different = [f"seed {seed}: {f.finding}" for seed, f in zip(seeds, found, strict=True) if f.finding is not None]
        assert not different, different[0]
        return
    compiler = "0" if COMPILER is None else "1"
    command = [
        sys.executable,
        "-m",
        "tests.generated",
        str(first),
        str(first + CHUNK),
        "--native",
        compiler,
        "--large",
        str(LARGE),
        "--full",
        str(IN_FULL),
        "--smallest",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    with capsys.disabled():
        print(f"\n{first + CHUNK} generated files: {done.stdout.splitlines()[-1:]}")
    assert done.returncode == 0, f"files {first} to {first + CHUNK}: {done.returncode}\n{done.stdout}\n{done.stderr}"


# making files smaller ------------------------------------------------------------------------------------


def test_smaller__keeps_what_is_looked_for() -> None:
    tree = {
        "play": [{"if": "a = 1", "then": ["set a to (b + c) * 2", "do x"], "else": []}],
        "steps": {"x": [], "y": []},
    }
    assert smaller(tree, lambda t: "c" in str(t.get("play"))) == {"play": ["c"]}


def test_smaller__texts_shrink_to_their_parts() -> None:
    assert "b" in simpler_texts("a + b")
    assert "max(1, c)" in simpler_texts("max(a * b, c)")
    assert list(simpler_texts("what is this?")) == []
