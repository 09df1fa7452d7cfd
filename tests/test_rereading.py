"""A text that is read again after a change: what comes of it is what comes of it when it is read for the first time."""

from __future__ import annotations

import random
from dataclasses import fields, is_dataclass

import pytest

from rulespec.diagnostics.diagnostic import RuleFileError
from rulespec.files.sources import shipped_games
from rulespec.yaml.source import read_source
from tests.sizes import size

TYPED = (
    "\n", "\n\n", " ", "#", "'", '"', ":", ": ", "- ", "|\n", "{", "}", "[", "]", "x", "a: b\n", "\nsteps:\n", "---\n", "...\n", "&a ", "\t",
    "\nzoo: |\n a\n\n\n", "\nq: 'a\n b'\n", "\n# c\n", "\nplay:\n- a\n", "? x\n",
)  # fmt: skip


def all_of(node: object) -> object:
    """Return a tree with all its positions as plain data: trees are compared by what they are, not by which they are."""
    if isinstance(node, tuple):
        return tuple(all_of(item) for item in node)
    if is_dataclass(node):
        return (type(node).__name__, *(all_of(getattr(node, f.name)) for f in fields(node) if f.name != "_index"))
    return node


def read(file: str, text: str, by_sections: bool = False) -> object:
    try:
        return all_of(read_source(file, text, by_sections=by_sections))
    except RuleFileError as error:
        return error.diagnostics


def test_reading_again__keeps_the_sections_that_are_as_they_were() -> None:
    text = "rulespec: 1\ngame: Pebbles\nplayers: 2\nplay:\n- ask take\n"
    before = read_source("pebbles.yaml", text + "text: one heap\n", by_sections=True)
    after = read_source("pebbles.yaml", text + "text: one heap, two players\n", by_sections=True)
    assert before.get("play") is after.get("play")
    assert before.get("text") is not after.get("text")


def test_reading_again__moves_what_is_further_down() -> None:
    text = "rulespec: 1\nplay:\n- ask take\n- set turn to\n    next(turn)\n"
    read("moved.yaml", text, by_sections=True)
    moved, whole = (read("moved.yaml", "# begin\n" + text, by_sections=way) for way in (True, False))
    assert moved == whole


@pytest.mark.parametrize(
    "text",
    [
        "rulespec: 1\ngame: 'Pebbles\nplayers: 2'\n",  # a quote over what seems to be a section
        "rulespec: 1\nsets: {a: [b,\nc: 1]}\n",
        "rulespec: 1\ngame: Pebbles\ngame: Pebbles\n",
        "rulespec: 1\ngame: Pebbles\n---\nplayers: 2\n",
        "rulespec: 1\ntext: |\n  a\n\n\ngame: Pebbles\n",
        "rulespec: 1\nplay:\n- a\n- b\n",
        "rulespec: 1\nplay:\nsetup:\n",
        "{rulespec: 1,\ngame: Pebbles}\n",
        "%YAML 1.2\n---\nrulespec: 1\n",
        "rulespec: 1\n stray: 2\n",
    ],
)
def test_reading_again__is_as_reading_for_the_first_time(text: str) -> None:
    for earlier in ("rulespec: 1\n", "rulespec: 1\ngame: Pebbles\nplayers: 2\n", "rulespec: 1\nplayers: 2\n"):
        read("it.yaml", earlier, by_sections=True)
    assert read("it.yaml", text, by_sections=True) == read("it.yaml", text)


@pytest.mark.sized
def test_reading_again__random_edits_of_the_shipped_files() -> None:
    rng = random.Random(7)
    files = [path for path in shipped_games().values() if path.stat().st_size < size(6_000, 1_000_000)]
    for _ in range(size(12, 600)):
        text = rng.choice(files).read_text(encoding="utf-8")
        for _ in range(8):
            begin = rng.randrange(len(text) + 1)
            end = min(len(text), begin + rng.choice((0, 0, 0, 1, 3, 20, 200)))
            new = text[:begin] + rng.choice(("", *TYPED)) + text[end:]
            again, whole = (read("it.yaml", new, by_sections=way) for way in (True, False))
            assert again == whole, new
            if (isinstance(again, tuple) and again[:1] == ("Mapping",)) or rng.random() < 0.3:
                text = new
