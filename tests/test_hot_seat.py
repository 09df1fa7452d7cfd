"""Several people at one terminal: what one of them saw and typed is gone before the next one looks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small import small_game
from tests.test_cli import Keyboard

EARLIER, CUT, PASTE = "\x10", "\x15", "\x19"  # Ctrl-P, Ctrl-U, Ctrl-Y
CLEARED = "\x1b[2J\x1b[3J\x1b[H"  # the screen, and what was scrolled away

SECRETS = small_game("secret_cards")


@pytest.fixture
def people(tmp_path: Path) -> Keyboard:
    (tmp_path / "secrets.yaml").write_text(SECRETS, encoding="utf-8")
    args = ["play", "secrets.yaml", "--plain", "--seats", "Anna=human,Bob=human", "--no-record"]
    keys = Keyboard(args, tmp_path, NO_COLOR="1", INPUTRC="/dev/null")
    keys.wait_for("Anna, press Enter. ")
    keys.type("")
    keys.wait_for("Anna> ")
    return keys


TYPED = "lay  shield"  # no list of moves has two spaces there: this is what somebody typed


def test_hand_over__history_is_forgotten(people: Keyboard) -> None:
    people.type(TYPED)
    seen = people.wait_for("Bob, press Enter. ")
    assert CLEARED in seen and "shield" not in seen.rpartition(CLEARED)[2]
    people.type(EARLIER)  # at the question who is there
    assert TYPED not in people.wait_for("Bob> ")
    people.type(EARLIER)
    people.type("why lay sword" + EARLIER * 3)  # what was typed before would stand in its place
    seen = people.wait_for("`lay sword` is possible")
    assert TYPED not in seen
    people.wait_for("Bob> ")
    people.type("quit")
    assert people.end() == 0 and TYPED not in people.screen


DOWN, TAB = "\x1b[B", "\t"


@pytest.mark.parametrize("key", [DOWN, "la" + TAB])
def test_hand_over__nothing_is_completed_for_somebody_else(people: Keyboard, key: str) -> None:
    """Bob's moves would name the cards in his hand, while Anna is still there."""
    people.type(TYPED)
    people.wait_for("Bob, press Enter. ")
    people.type(key)
    assert "lay" not in people.wait_for("Bob> ").partition(CLEARED)[0].partition("\n")[0]
    people.type(key)
    people.wait_for("lay")


def test_hand_over__own_history_stays_until_then(people: Keyboard) -> None:
    """The test above could not fail if the keys did nothing."""
    people.type("why " + TYPED)
    people.wait_for("is possible")
    people.wait_for("Anna> ")
    people.type(EARLIER)
    assert TYPED in people.wait_for("is possible")
    people.type("quit")
    assert people.end() == 0


def test_hand_over__what_was_cut_out_is_not_pasted(people: Keyboard) -> None:
    people.type(TYPED + CUT + TYPED)
    people.wait_for("Bob, press Enter. ")
    people.type(PASTE)
    assert TYPED not in people.wait_for("Bob> ")
    people.type("why " + PASTE + "lay crown")
    assert TYPED not in people.wait_for("`lay crown` is possible")
    people.type("quit")
    assert people.end() == 0


def test_end__nothing_of_the_last_hand_is_left(people: Keyboard) -> None:
    for move, following in (("lay shield", "Bob"), ("lay sword", "Anna"), ("lay crown", "Bob")):
        people.type(move)
        people.wait_for(f"{following}, press Enter. ")
        people.type("")
        people.wait_for(f"{following}> ")
    people.type("lay shield")
    assert people.end() == 0
    assert CLEARED in people.screen
    last = people.screen.rpartition(CLEARED)[2]
    assert "lay ?" in last and "lay shield" not in last and "1 shield" not in last
