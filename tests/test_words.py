"""No game's word stands in the code: a new game is a new file, and nothing else.

The words are gathered from the shipped files: every name they declare. What is left out are ordinary words, which some
game happens to use too, each with the reason it is ordinary.
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from rulespec.diagnostics.diagnostic import RuleFileError
from rulespec.files.sources import shipped_games
from rulespec.rules import Rules
from rulespec.yaml.nodes import Mapping, Node, Scalar, Sequence, bare_name
from tests.compare import covering
from tests.shipped import rules_of

ROOT = Path(__file__).parent.parent
CODE = ("rulespec", "interpreter", "referee")
ENDINGS = (".py", ".lark", ".json", ".html", ".js", ".css")

# words of this trade that must not stand in the code, whatever the shipped files happen to declare
FORBIDDEN = frozenset(
    [
        "wall",
        "factory",
        "factories",
        "azul",
        "glazier",
        "glass",
        "pavilion",
        "sintra",
        "duel",
        "pattern_line",
        "floor_line",
        "mosaic",
        "joker",
    ]
)

# Ordinary words. Each row says why the code may use them though a game declares them too.
ALLOWED_BECAUSE = {
    "words of the language: keys of the file, words of steps and expressions": (
        "game text players player sets set tables table pieces piece places place variables variable define setup play steps step "
        "moves move scoring winner options option examples example view labels symbols colours layout title under align grid "
        "pile stack cell room way ways seen shows owner everyone nobody start never below above is needs that else does choose "
        "beside like see with given run offered refused expect points nothing remove add change extends "
        "if then let be in or and not default mod true false none for where while group from along to all of up top by weighted "
        "draw roll score do ask otherwise forced automatic each "
        "sum count any max min first list size free empty next previous clockwise ray me number yes no"
    ),
    "words of the view: how places, variables and pieces are drawn": (
        "row ring middle at behind shape tint turn as counts track upto on means face between lit hide card box"
    ),
    "parts of any sentence": (
        "a an the it its no not on off at as more most left right here there other another one two three four five eight ten only own last new old "
        "without across down final printed around back front lower upper large small"
    ),
    "verbs and states of anything": (
        "allowed broken closed complete drawn extend filled fits gone keep kept leave lies look looked lost passed pick spent taken taking "
        "turned turns unused waiting wants wanted played won worth falling rising enough"
    ),
    "words for any program: values, order, text, files": (
        "end over done used missing total turn take laid lay line lines row rows column columns limit idle target source way cost "
        "fill open close key value name kind kinds index order side part parts chosen round rest full plain mark centre "
        "numbers slot spot level pattern space spaces strip corners ring marks mark_of heap"
    ),
    "what any game has: boards, dice, a ranking": "board supply price dice die rank",
    "the guard against loops in which nobody decides": "idle_limit",
    "what a parser reads, in Lark and in YAML": "token tokens",
    "colours as such: the view has a key for them, and a terminal shows some": "colour colours",
    "words of Python": " ".join([*keyword.kwlist, *keyword.softkwlist, *dir(builtins)]),
}
ALLOWED = frozenset(word for words in ALLOWED_BECAUSE.values() for word in words.split())
ALLOWED_IN = {
    "referee/shell/screen.py": {"red", "green", "blue", "black", "white"},  # what a screen's colours are made of
    "referee/rulebook/grammar.py": {"bag", "chest", "hand", "pit"},  # English nouns for what is hollow
    "rulespec/expr/hints/sentences.py": {"swap", "exchange"},  # what authors write for three steps
    "rulespec/expr/infer.py": {"floor"},  # what rounding is called in other languages
    "referee/picture/signs.py": {  # names of colours: a kind that is called like one has it
        "red", "green", "blue", "black", "white", "yellow", "orange", "purple", "pink", "turquoise",
    },
}  # fmt: skip
FOREIGN = re.compile(
    r"default_factory|FloorDiv|@server\.feature|CREATE_NO_WINDOW|window_show_message|\bdisplay:|white-space|Math\.floor|east_asian_width|set_completion_display_matches_hook"
)  # names that libraries gave

# Things: what is in the box. Doings: names of one word in these are any English verb, so only longer ones count.
THINGS = ("sets", "tables", "pieces", "places")
DOINGS = ("variables", "define", "steps", "moves", "scoring")


# The words of the games -----------------------------------------------------------------------------------


def declared_names(rules: Rules) -> Iterator[str]:
    """Yield the names the file declares under any of its options, and the names of options and choices."""
    for choices in covering(rules.combinations()):
        tree = rules.layers.resolve(choices)
        for section in THINGS + DOINGS:
            node = tree.get(section)
            for key, value in node if isinstance(node, Mapping) else ():
                name = bare_name(key.text)
                if section in THINGS or "_" in name:
                    yield name
                if section == "sets":
                    yield from _members(value)
    for option in rules.options:
        yield option.name
        yield from (choice.name for choice in option.choices if "_" in choice.name)


def _members(node: Node) -> Iterator[str]:
    match node:
        case Sequence():
            for item in node.items:
                yield from _members(item)
        case Scalar() if isinstance(node.value, str):
            yield from re.findall(r"[a-z][a-z0-9_]*", node.text)


@cache
def game_words() -> dict[str, str]:
    """Word → the game that declares it. A name of several words counts as a whole: its parts are any English."""
    found: dict[str, str] = {}
    for game in shipped_games():
        with suppress(RuleFileError):  # what is wrong with a file is said by other tests
            for name in declared_names(rules_of(game)):
                if len(name) > 2:
                    found.setdefault(name, game)
    return {word: game for word, game in found.items() if word not in ALLOWED} | dict.fromkeys(
        FORBIDDEN, "the fixed list"
    )


# The words of the code ------------------------------------------------------------------------------------


def code_files() -> list[Path]:
    return [
        path
        for folder in CODE
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in ENDINGS and not {"games", "vendor"} & set(path.relative_to(ROOT).parts)
    ]


def words_in(line: str) -> set[str]:
    """Return the words of a line: those of identifiers, strings and comments, whole and cut at `_` and at capitals."""
    found: set[str] = set()
    for whole in re.findall(r"[A-Za-z_]+", FOREIGN.sub("", line)):
        found.add(whole.lower().strip("_"))
        pieces = re.split(r"_|(?<=[a-z])(?=[A-Z])", whole)
        found |= {piece.lower() for piece in pieces}
        found |= {f"{a}_{b}".lower() for a, b in pairwise(pieces)}
    return found


def test_words_in__cuts_identifiers() -> None:
    assert {"floor_line", "floor", "line", "first_floor_line"} <= words_in("x = self.first_floor_line[0]  # FloorLine")
    assert "wall" not in words_in("swallow a wallet")


def test_game_words__are_gathered() -> None:
    words = game_words()
    assert {"wall", "floor_line", "bag", "tiles_each", "joker", "take_jokers"} <= words.keys()
    assert not ALLOWED & FORBIDDEN


@pytest.mark.parametrize("path", code_files(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_code__has_no_word_of_a_game(path: Path) -> None:
    words, name = game_words(), path.relative_to(ROOT).as_posix()
    found = [
        f"{name}:{number}: `{word}` is a word of {words[word]}: {line.strip()}"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for word in sorted(words_in(line) & words.keys() - ALLOWED_IN.get(name, set()))
    ]
    assert not found, "\n" + "\n".join(found)
