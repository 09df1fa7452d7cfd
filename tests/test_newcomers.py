"""Mistakes of newcomers, each with the answer it gets: the right place and the right fix for nine of ten.

The mistakes in `tests/newcomers/…mistakes.txt` were written before any answer to them was seen; those of `fresh_mistakes.txt` (84) and
`later_mistakes.txt` (44) measured at first sight what the messages are worth: 62 % and 45 % were right, 14 % and 11 % led astray. Those of
`evening_mistakes.txt` and `habits_mistakes.txt` (80 each) are harder, many of them good rules that say something else: at first sight 50 of 160 were
right, 83 partly, 19 misleading and 8 unnoticed; with the search for repairs as it was then 53, 78, 21 and 8. Improved by classes, they
are 112, 44, none and 4. The lists of answers have a row for each: its grade, what can be worked out (the code, whether it is reported at the mistake, what
following the fix gives), and all that is said. A grade is a judgement: `right` is the right place, and who obeys gets what was meant; `partly` the right place without a clear fix; `misleading` another
place, or a fix that leads astray; `unnoticed` nothing. `python -m tests.newcomers` writes the answers anew; one that has changed is `open`
until somebody grades it.
"""

from __future__ import annotations

from collections import Counter

import pytest

from rulespec.diagnostics.diagnostic import has_errors
from tests.newcomers import (
    GRADES,
    MISLEADING,
    OPEN,
    PARTLY,
    RIGHT,
    UNNOTICED,
    Mistake,
    answer_to,
    complaints,
    path_of,
    read_answers,
    read_mistakes,
)
from tests.sizes import size

MISTAKES, ANSWERS = read_mistakes(), read_answers()
SMALL = (
    "berries.yaml",
    "lanterns.yaml",
    "mine.yaml",
    "heaps.yaml",
    "hog.yaml",
    "cubes.yaml",
    "orchard.yaml",
    "wet_orchard.yaml",
    "tunnels.yaml",
    "timid_hands.yaml",
)
EACH = 6  # every so many of a small file are tried in the check


def tried(mistake: Mistake, number: int) -> bool:
    return mistake.file in SMALL and number % EACH == 0


@pytest.mark.parametrize(
    "mistake",
    [
        pytest.param(m, id=m.name, marks=() if tried(m, number) else pytest.mark.soak)
        for number, m in enumerate(MISTAKES)
    ],
)
def test_mistake__gets_the_answer_that_was_graded(mistake: Mistake) -> None:
    answer = answer_to(mistake)
    grade, head, said = ANSWERS[mistake.name]
    assert (answer.head(), answer.said) == (head, said)
    assert grade in possible_grades(answer.code, answer.place)


def possible_grades(code: str, place: bool) -> tuple[str, ...]:
    """Return the grades that an answer can have: without a complaint, and at another place, it is not right."""
    if not code:
        return (UNNOTICED,)
    return (RIGHT, PARTLY, MISLEADING) if place else (PARTLY, MISLEADING)


@pytest.mark.sized
@pytest.mark.parametrize("file", sorted({m.file for m in MISTAKES})[:: size(4, 1)])
def test_file__is_good_as_it_was_meant(file: str) -> None:
    path = path_of(file)
    assert not has_errors(complaints(str(path), path.read_text(encoding="utf-8")))


def test_answers__are_right_for_nine_of_ten() -> None:
    assert [*ANSWERS] == [m.name for m in MISTAKES]
    grades = Counter(grade for grade, _, _ in ANSWERS.values())
    assert set(grades) <= set(GRADES) - {OPEN}
    assert [name for name, (grade, _, _) in ANSWERS.items() if grade == MISLEADING] == []
    assert len(MISTAKES) >= 200 and grades[RIGHT] >= 0.9 * len(MISTAKES)


def test_answers__what_can_be_worked_out_agrees_with_the_grade() -> None:
    for name, (grade, head, _) in ANSWERS.items():
        code = "" if head == "nothing" else head.split(" ")[0]
        assert grade in possible_grades(code, " here" in head), name
