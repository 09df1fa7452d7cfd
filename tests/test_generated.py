"""Rule files that nobody wrote: they are found good, cover the language, end, and mean the same to all voices."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field

import pytest

from interpreter import Fault
from interpreter.reference import Reference
from rulespec.syntax import Model
from tests.bundle import COMPILER
from tests.generated.finding import checked, examine
from tests.generated.forms import EXPRESSIONS, FORMS, forms, pairs
from tests.generated.rulefiles import rule_file
from tests.generated.smaller import simpler_texts, smaller
from tests.sizes import SOAK, size

NOT_YET: frozenset[str] = frozenset()  # forms that no generated file has


@dataclass
class Harvest:
    """The forms that many files have together."""

    files: int = 0
    good: int = 0
    forms: Counter[str] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)


@pytest.fixture(scope="module")
def harvest() -> Harvest:
    found = Harvest()
    for seed in range(size(12, 1000)):
        found.files += 1
        if (good := checked(rule_file(seed))) is not None:
            found.good += 1
            found.forms.update(set(forms(good[1])))
            found.pairs.update(set(pairs(good[1])))
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


@pytest.mark.sized
def test_generated__forms_occur_inside_one_another(harvest: Harvest) -> None:
    """Most of the combinations that have the right types; which ones have is not written down anywhere."""
    assert len(harvest.pairs) > size(300, 1000)
    if SOAK:
        inside = Counter(inner for _, inner in harvest.pairs)
        assert not {name for name in EXPRESSIONS if inside[name] < 3}


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


CHUNK = size(30, 250)


@pytest.mark.sized
@pytest.mark.parametrize("first", range(0, size(150, 20_000), CHUNK))
def test_generated__files_agree(first: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Compare all voices, C included: in the soak run on all files, in the check on every fourth.

    In the soak run each chunk is a process of its own, since a mistake in C may end it.
    """
    if not SOAK:
        seeds = range(first, first + CHUNK)
        found = examine([rule_file(seed) for seed in seeds], [COMPILER is not None and seed % 4 == 0 for seed in seeds])
        different = [f"seed {seed}: {f.finding}" for seed, f in zip(seeds, found, strict=True) if f.finding is not None]
        assert not different, different[0]
        return
    native = "0" if COMPILER is None else "1"
    command = [
        sys.executable,
        "-m",
        "tests.generated",
        str(first),
        str(first + CHUNK),
        "--native",
        native,
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
