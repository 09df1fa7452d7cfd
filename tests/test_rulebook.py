"""`rulespec rules`: the rulebook says everything, in words, and nothing that only a program understands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from click.testing import CliRunner

from interpreter.examples.reading import find_examples
from referee.cli import cli
from referee.rulebook.book import (
    CHANGED,
    GONE,
    NEW,
    Book,
    BookItem,
    Section,
    capital,
    em,
    marked,
    merged,
    otherwise,
    plain_words,
)
from referee.rulebook.chapters import Chapters
from referee.rulebook.expressions import MOST_REPEATED
from referee.rulebook.grammar import article, plural
from referee.rulebook.html import write_html
from referee.rulebook.make import NoHouseRule, make_book
from referee.rulebook.markdown import write_markdown
from referee.rulebook.nouns import spaced
from referee.rulebook.phrases import YOU, Noun, one_of
from referee.rulebook.says import clause_of, noun_of
from referee.shell.markup import markdown_text
from rulespec import listed
from rulespec.diagnostics.diagnostic import RuleFileError
from rulespec.files.sources import shipped_games
from rulespec.rules import open_rules
from rulespec.syntax import Template
from tests.books import book_of
from tests.shipped import rules_of
from tests.sizes import SOAK
from tests.sticks import sticks

GOLDEN = Path(__file__).parent / "rulebooks"
GAMES = sorted(n for n in shipped_games() if not n.startswith("house/"))
HOUSE = sorted(n for n in shipped_games() if n.startswith("house/"))
LONG = ("base", "duel", "pavilion", "sintra")  # which have many options, or many worked examples
IN_CHECK = [game for game in GAMES if game not in LONG]
every_game = pytest.mark.parametrize("name", [*GAMES, *HOUSE] if SOAK else IN_CHECK)


@pytest.mark.parametrize("name", ["classics/tictactoe", "classics/nim"])
def test_rulebook__is_as_it_was(name: str, update: bool) -> None:
    path = GOLDEN / f"{name.split('/')[-1]}.md"
    text = write_markdown(book_of(name))
    if update:
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


# --- everything is said -------------------------------------------------------------------------------------------


def words_of(thing: Book | Section | BookItem) -> list[str]:
    found = [thing.title] if isinstance(thing, Section) else []
    if isinstance(thing, BookItem):
        found += [thing.lead, thing.text, thing.quote, thing.before]
    if isinstance(thing, Section | BookItem):
        found += [w for i in thing.items for w in words_of(i)]
    if isinstance(thing, Book | Section):
        found += [w for s in thing.sections for w in words_of(s)]
    return found


def literals(template: Template) -> list[str]:
    return [part.strip() for part in template.parts if isinstance(part, str) and part.strip()]


@pytest.mark.sized
@every_game
def test_rulebook__of_every_game(name: str) -> None:
    """Made once for all that is asked of it."""
    check_says_everything(name)
    check_has_no_word_of_a_program(name)
    check_html_is_whole_and_says_the_same(name)


def check_says_everything(name: str) -> None:
    """Every place, move, condition, refusal, scoring rule, reason to win, option, choice and example is in the book."""
    rules, book = rules_of(name), book_of(name)
    model = rules.check()[0]
    text = plain_words("\n".join(words_of(book))).lower()
    wanted = (
        [spaced(m) for m in model.moves] + [spaced(r) for r in model.rules] + [reason for reason, _ in model.winner]
    )
    wanted += [model.view.says.get(p, spaced(p)) for p in model.places]
    for move in model.moves.values():
        wanted += literals(move.text)
        for condition in move.conditions:
            wanted += [condition.name, *literals(condition.refusal)]
    for rule in model.rules.values():
        wanted += literals(rule.text)
    for option in rules.options:
        wanted += [spaced(option.name), *(spaced(c) for c in option.open_choices)]
        wanted += [c.text for c in option.choices if c.name in option.open_choices]
    examples = rules.default_tree.get("examples")
    wanted += [key.text for key, _ in examples]  # type: ignore[union-attr]
    assert [w for w in wanted if w.lower() not in text] == []


def check_has_no_word_of_a_program(name: str) -> None:
    """No codes of members, no parts of Python, no names with underscores."""
    text = plain_words("\n".join(words_of(book_of(name))))
    assert re.findall(r"\b1\d{5}\b|\bValues\(|\bNone\b|<[a-z]+ object|frozenset|\b(?:core|Local|Const)\b", text) == []
    rules = [w for s in book_of(name) if s.title != "Worked examples" for w in words_of(s)]
    assert re.findall(r"\b[a-z]+_[a-z_]+\b", plain_words("\n".join(rules))) == []
    assert re.findall(r"\byour the\b|’s the\b|\ba the\b|\bthe the\b|  |\( | \.", plain_words("\n".join(rules))) == []


class Checker(HTMLParser):
    """Complains about tags that do not match, and gathers the text and the ids."""

    EMPTY = ("meta", "br")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.EMPTY:
            self.open.append(tag)
        given = dict(attrs)
        self.ids += [given["id"] or ""] if "id" in given else []
        self.links += [given["href"] or ""] if "href" in given else []
        assert "src" not in given and not any(name.startswith("on") for name in given)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag, tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.text.append(data)


def checked(html: str) -> Checker:
    checker = Checker()
    checker.feed(html)
    checker.close()
    assert checker.open == []
    assert len(set(checker.ids)) == len(checker.ids)
    assert all(link.startswith("#") and link[1:] in checker.ids for link in checker.links)
    return checker


def test_html__each_worked_example_shows_its_position() -> None:
    html = write_html(book_of("classics/tictactoe"))
    assert html.count("<svg") == len(list(find_examples(rules_of("classics/tictactoe")))) > 5


def check_html_is_whole_and_says_the_same(name: str) -> None:
    book = book_of(name)
    html = write_html(book)
    page = checked(html)
    text = " ".join(" ".join(page.text).split())
    said = [" ".join(plain_words(w).split()) for s in book for i in s.items for w in (i.lead, i.text) if w]
    squeezed = re.sub(r"\W", "", text)
    assert [w for w in said if re.sub(r"\W", "", w) not in squeezed] == []
    assert html.startswith("<!DOCTYPE html>") and '<html lang="en">' in html and "prefers-color-scheme" in html
    assert "http" not in html


HOSTILE = """
rulespec: 1
game: "<b>Bad</b> & *worse* _game_"
text: "<script>alert(1)</script> [x](y) `code` # 1. ~~no~~"
players: 2
sets: {mark: [x, o]}
pieces: {mark: 2 in box}
places: {box: {pile: mark}, out: {pile: mark}}
play:
  - ask: 1
    to: take
moves:
  take:
    see: "<i>p. 1</i>"
    text: "take <{m}> & *go*"
    choose: {m: mark}
    needs:
      "a <b> *c*": {that: m in box, else: "no </q><img src=x onerror=1> | {m}"}
    does:
      - move 1 of m from box to out
winner: {"1. <u>": me}
options:
  side:
    left: {text: "<a href=x>"}
    right: {text: "- item", change: {pieces: {mark: 3 in box}}}
examples:
  "<h1> it":
    text: "*&amp;*"
    play: [take x]
    expect: {box: "x, 2 o"}
view:
  symbols: {x: "<", o: "&"}
  colours: {x: "red", o: "#123456"}
"""


def test_rulebook__author_s_texts_are_texts(tmp_path: Path) -> None:
    (tmp_path / "hostile.yaml").write_text(HOSTILE, encoding="utf-8")
    book = make_book(tmp_path / "hostile.yaml")
    html = write_html(book)
    page = checked(html)
    text = "".join(page.text)
    assert "<script>alert(1)</script>" in text and "<b>Bad</b> & *worse* _game_" in text
    assert "no </q><img src=x onerror=1> | m" in text.replace("mark", "m")
    assert "<script" not in html and "<img" not in html and "</style>" in html and html.count("</style>") == 1
    markdown = write_markdown(book)
    assert r"\<script\>alert(1)\</script\> \[x\](y) \`code\` \# 1. \~\~no\~\~" in markdown
    assert not re.search(r"(?<!\\)<", re.sub(r"```text.*?```", "", markdown, flags=re.DOTALL))


def test_escaped__markdown_is_shown_as_it_is() -> None:
    assert markdown_text("1. a") == r"1\. a" and markdown_text("- a") == r"\- a" and markdown_text("a - b") == "a - b"
    assert markdown_text("*a* _b_ [c] <d> `e`") == r"\*a\* \_b\_ \[c\] \<d\> \`e\`"


# --- what changed -------------------------------------------------------------------------------------------------


def marks(book: Book) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {NEW: [], CHANGED: [], GONE: []}

    def walk(thing: Section | BookItem) -> None:
        if thing.mark:
            found[thing.mark].append(plain_words(thing.title if isinstance(thing, Section) else thing.key))
        for item in thing.items:
            walk(item)
        for section in thing.sections if isinstance(thing, Section) else ():
            walk(section)

    for section in book:
        if section.title not in ("Options", "Worked examples"):
            walk(section)
    return found


def test_rulebook__what_a_house_rule_changes_is_marked() -> None:
    found = marks(make_book("house/free_token", examples=False))
    assert found == {NEW: [], CHANGED: ["floor line", "floor cost"], GONE: []}
    found = marks(make_book("house/partners", examples=False))
    assert found[GONE] == ["most points", "more complete rows"]
    assert found[NEW][:2] == ["most points together", "more complete rows together"]
    text = write_markdown(make_book("house/free_token", examples=False))
    assert "at most 8. **[changed]** ~~One for each player; for tiles and tokens, at most 7.~~" in text


def test_rulebook__a_game_has_no_marks() -> None:
    book = book_of("base")
    assert marks(book) == {NEW: [], CHANGED: [], GONE: []} and not book.marked


def test_rulebook__examples_that_come_out_otherwise_are_left_out() -> None:
    """A book is for players: it has no example with a wrong number, and nothing about test runs."""
    section = next(s for s in book_of("house/free_token") if s.title == "Worked examples")
    assert "The floor line" not in [plain_words(i.lead) for i in section.items]
    assert plain_words(section.items[-1].text).startswith(
        "Left out here, since these rules change what happens in them:"
    )
    assert "the floor line" in plain_words(section.items[-1].text)
    assert not [w for w in words_of(section) if "expected" in w]


def test_rulebook__changes_only() -> None:
    text = write_markdown(make_book("house/corners", only_changes=True))
    assert text == CORNERS
    with pytest.raises(NoHouseRule, match="`--changes` needs a house rule: `base` changes no other rules"):
        make_book("base", only_changes=True)
    assert "For 4 players.\n" in write_markdown(make_book("house/partners", only_changes=True))


CORNERS = """# Azul with corners

Five points for tiles in all four corners of the wall.

For 2 to 4 players.

Only what changes in Azul: new, changed (the old words are struck out), or gone.

## Components

### Numbers and tables

- **corner points**: 5. **[new]**

## Course of play

### Final scoring (for a player)

- The player scores *corners*. **[new]**

## Scoring

- **corners**: 5 for all four corners of the wall: you score 5 if for every *r* of 1 or 5 and every *c* of 1 or 5 your wall at *r* and *c* is not empty, otherwise 0. **[new]**
"""


def test_rulebook__old_words_are_those_of_the_old_file() -> None:
    change = "change: {moves: {take: {needs: {wild only when nothing else is there: {that: c != wild}}}}}"
    text = f"rulespec: 1\nextends: pavilion\ngame: Wild\n{change}\nview: {{says: {{wild: the wild colours}}}}\n"
    with written(text) as path:
        said = plain_words("\n".join(words_of(make_book(path, only_changes=True))))
    assert "The colour is not the wild colours." in said
    assert "The colour is not the wild colour, or the number of tiles" in said


def test_rulebook__words_that_repeat_what_they_are_given_stay_short() -> None:
    """Each call doubles the words of the one in it, until they are too long to be repeated."""

    def said(calls: int) -> str:
        that = "n <= 99 + " + "f(" * calls + "n" + ")" * calls
        text = sticks(define="  f(number x): x mod 7", that=that) + "view: {says: {f: 'the {x} of {x}'}}\n"
        with written(text) as path:
            return next(line for line in write_markdown(make_book(path)).splitlines() if "99" in line)

    assert "99 + the the *n* of *n* of the *n* of *n*." in said(2)
    assert max(len(said(calls)) for calls in range(1, 12)) < 3 * MOST_REPEATED
    assert any("99 + the *x* of *x*." in said(calls) for calls in range(1, 12))


def test_rulebook__a_choice_that_needs_another_says_so() -> None:
    options = "{a: {text: one, not with: {wall_side: grey}, change: {tables: {row_points: 3}}}, b: {text: two}}"
    text = f"rulespec: 1\nextends: base\ngame: Two\noptions:\n  second: {options}\n"
    with written(text) as path:
        section = next(s for s in make_book(path, examples=False) if s.title == "Options")
    grey = next(i for s in section.sections for i in s.items if i.lead == "grey")
    assert grey.text.endswith("Only with second: b.")
    assert any("no colour twice in a column" in w for w in words_of(grey))


def test_rulebook__marks_of_options_are_not_those_of_house_rules() -> None:
    section = next(s for s in book_of("base") if s.title == "Options")
    found = {i.mark for s in section.sections for i in all_items(s.items)}
    assert found == {"", "added", "instead", "dropped"}


def all_items(items: tuple[BookItem, ...]) -> list[BookItem]:
    return [*items, *(inner for i in items for inner in all_items(i.items))]


@contextmanager
def written(text: str) -> Iterator[Path]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "house.yaml"
        path.write_text(text, encoding="utf-8")
        yield path


def test_rulebook__house_rules_upon_a_game() -> None:
    found = marks(make_book("base", house=("house/corners",), examples=False))
    assert found[NEW] == ["corner points", "The player scores corners.", "corners"]


def test_marked__tells_new_changed_and_gone() -> None:
    old = (
        Section("A", (BookItem("one.", lead="x"), BookItem("Go to the left side."), BookItem("two.", lead="y"))),
        Section("B"),
    )
    new = (Section("A", (BookItem("1.", lead="x"), BookItem("Go to the right side."), BookItem("z."))), Section("C"))
    items = marked(old, new)[0].items
    assert [(i.mark, i.before) for i in items] == [
        (CHANGED, "one."), (CHANGED, "Go to the left side."), (GONE, ""), (NEW, ""),
    ]  # fmt: skip
    assert [(s.title, s.mark) for s in marked(old, new)] == [("A", ""), ("B", GONE), ("C", NEW)]


def test_marked__what_happens_otherwise_stays_with_its_condition() -> None:
    """What is gone is not told between a condition and what happens otherwise."""

    def steps(*conditions: str, between: str = "Roll.") -> tuple[BookItem, ...]:
        found: list[BookItem] = []
        for condition in conditions:
            found += [BookItem(f"If {condition}:"), otherwise(BookItem(f"If {condition}:"), ()), BookItem(between)]
        return tuple(found[:-1])

    def told(old: tuple[BookItem, ...], new: tuple[BookItem, ...]) -> list[tuple[str, str]]:
        return [(i.text, i.mark) for i in marked([Section("A", old)], [Section("A", new)])[0].items]

    alone = (BookItem("If it rains:"), BookItem("Wait."))
    assert told((*alone, *steps("the sun shines")), steps("it rains")) == [
        ("If it rains:", ""), ("Otherwise:", NEW), ("Wait.", GONE), ("If the sun shines:", GONE), ("Otherwise:", GONE),
    ]  # fmt: skip
    assert told(steps("the row is full now"), steps("the row is empty now")) == [
        ("If the row is empty now:", CHANGED), ("Otherwise:", ""),
    ]  # fmt: skip


def test_merged__numbers_by_players() -> None:
    books = [(Section("A", (BookItem(f"{n} of 5 rows.", lead="x"),)),) for n in (5, 7, 7)]
    assert merged([2, 3, 4], books)[0].items[0].text == "5 (7 with 3 or 4 players) of 5 rows."
    other = [(Section("A", (BookItem(t),)),) for t in ("one way.", "many other ways.")]
    assert [i.text for i in merged([2, 3], other)[0].items] == ["With 2 players:", "With 3 players:"]
    some = [(Section("A", (BookItem("x."),)),), (Section("A", (BookItem("x."),)), Section("B", (BookItem("y."),)))]
    assert [s.title for s in merged([2, 3], some)] == ["A", "B (only with 3 players)"]
    alone = [some[1], some[0], some[0]]
    assert [s.title for s in merged([1, 2, 3], alone)] == ["A", "B (only with 1 player)"]


def test_merged__named_passages_that_some_numbers_of_players_lack() -> None:
    ox, oxen = BookItem("1.", lead="ox", tag="ox", lead_of_many="oxen"), BookItem("2.", lead="oxen", tag="ox")
    few, many = (ox, BookItem("3.", lead="men")), (BookItem("5.", lead="men"), oxen, BookItem("7.", lead="dice"))
    items = merged([1, 2], [(Section("A", few),), (Section("A", many),)])[0].items
    assert [(i.lead, i.text) for i in items] == [
        ("oxen", "1 (2 with 2 players)."), ("men", "3 (5 with 2 players)."), ("", "Only with 2 players:"),
    ]  # fmt: skip
    assert [(i.lead, i.text) for i in items[-1].items] == [("dice", "7.")]
    one_more = merged([1, 2], [(Section("A", (BookItem(t, lead="men"),)),) for t in ("2.", "1.")])[0].items
    assert [i.text for i in one_more] == ["2 (1 with 2 players)."]
    fewer = merged([2, 1], [(Section("A", (BookItem(t, lead="men"),)),) for t in ("2.", "1.")])[0].items
    assert [i.text for i in fewer] == ["2 (1 with 1 player)."]


def test_html__names_link_to_steps_whatever_these_are_for() -> None:
    steps = (
        Section("Deal", (BookItem("Do."),), given="a player", only_with=(3,)),
        Section("Trade (for fun)", (BookItem("Do."),)),
    )
    named = Section("Play", (BookItem(f"{em('deal')}, {em('trade (for fun)')}, {em('trade')}"),), steps)
    html = write_html(Book("G", "", (), (named,)))
    assert '<a href="#deal-for-a-player-only-with-3-players"><em>deal</em></a>' in html
    assert '<a href="#trade-for-fun"><em>trade (for fun)</em></a>, <em>trade</em>' in html


# --- words --------------------------------------------------------------------------------------------------------

FRAME = """
rulespec: 1
game: Frame
players: 2..3
sets: {colour: [red, blue], row: 1..3, way: [across, upright]}
tables:
  cost: [1, 2, 3]
  worth[colour]: [1, 2]
pieces: {colour: 5 in bag}
places:
  bag: {pile: colour}
  hand[player]: {pile: colour, room: 4}
  grid[row, 1..2]: {cell: colour}
variables:
  turn: player
  lucky: {is: [colour, none], start: none}
  wet: yes_no
  score[player]: 0..99
define:
  rich(player p): count(hand[p]) > 2
  value(player p, colour c): count(hand[p], c) * worth[c]
play:
  - ask: turn
    to: go
moves:
  go:
    text: go
    choose: {c: colour, r: row}
    needs:
      it: {that: "THAT", else: no}
    does: []
winner: {most: "score[me]"}
"""


@pytest.mark.parametrize(
    ("that", "words"),
    [
        ("count(hand[me]) <= 3", "there are at most 3 colours in your hand"),
        ("count(hand[me]) = 0", "there are no colours in your hand"),
        ("count(hand[me], c) > 1", "there are at least 2 pieces of the colour in your hand"),
        ("count(bag, red) >= 1", "there is at least one of the reds in the bag"),
        ("free(hand[me]) > 0", "there is room in your hand"),
        ("free(hand[turn]) = 0", "turn’s hand is full"),
        ("empty(bag)", "the bag is empty"),
        ("free(hand) > 0", "there is room in at least one player’s hand"),
        ("free(hand) = 0", "every player’s hand is full"),
        ("count(hand) > 4", "there are more than 4 colours in all players’ hands"),
        ("count(hand) = 0", "there are no colours in any player’s hand"),
        ("count(hand) = r", "the number of colours in all players’ hands is the row"),
        ("c in hand", "the colour lies in at least one player’s hand"),
        ("c not in hand", "the colour does not lie in any player’s hand"),
        ("red in hand", "there is a red in at least one player’s hand"),
        ("red not in hand", "there is no red in any player’s hand"),
        ("me in [turn, next(turn)]", "you are turn or the player after turn"),
        ("me in list(p for p in player where rich(p))", "you are one of the players for whom rich holds for the player"),
        ("count(p != q for p in player, q in player) = 2",
         "the number of combinations of player p and player q for which player p is not player q is 2"),
        ("not empty(hand[next(me)])", "the hand of the player after you is not empty"),
        ("not empty(hand)", "not every player’s hand is empty"),
        ("red in hand[me]", "there is a red in your hand"),
        ("c not in bag", "the colour does not lie in the bag"),
        ("c = red or c = lucky", "the colour is red or the colour is lucky"),
        ("c in [red, lucky]", "the colour is red or lucky"),
        ("not (c = red and r > 1)", "the colour is not red or the row is at most 1"),
        ("(c = red or wet) and r = 2", "(the colour is red or wet is yes) and the row is 2"),
        ("not wet", "wet is no"),
        ("lucky = none", "lucky is none"),
        ("turn = me", "you are turn"),
        ("players = 3", "the number of players is 3"),
        ("rich(me)", "rich holds for you"),
        ("not rich(turn)", "rich does not hold for turn"),
        ("value(me, c) > 2 * r + 1", "your value for the colour is more than 2 × the row + 1"),
        ("(r + 1) * 2 > 3", "(the row + 1) × 2 is more than 3"),
        ("7 - r > r mod 2", "7 − the row is more than the remainder of the row divided by 2"),
        ("r mod 2 + 1 < 2 * players", "(the remainder of the row divided by 2) + 1 is less than 2 × the number of players"),
        ("any(rich(p) for p in player)", "for at least one player rich holds for the player"),
        ("all(count(hand[p]) < 2 for p in player where p != me)",
         "for every player, of those for whom the player is not you, there is at most one of the colours in the player’s hand"),
        ("count(k in hand[me] for k in colour) = 2",
         "the number of colours k for which colour k lies in your hand is 2"),
        ("sum(worth[k] for k in hand[me]) > 3", "the sum, over all colours k in your hand, of worth of colour k is more than 3"),
        ("sum(cost[i] for i in 1..count(hand[me])) > 2",
         "the sum of as many of the first entries of cost as there are colours in your hand is more than 2"),
        ("sum(cost[i] for i in 1..r) > 2", "the sum of as many of the first entries of cost as the row is more than 2"),
        ("sum(cost[i] for i in 1..2) > 2", "the sum of the first 2 entries of cost is more than 2"),
        ("sum(cost[i] for i in 1..count(hand[me]) - 1) > 2",
         "the sum of as many of the first entries of cost as the number of colours in your hand − 1 is more than 2"),
        ("max(r, 2) = min(2, 3, r)", "the larger of the row and 2 is the smallest of 2, 3 and the row"),
        ("(if wet then 1 else r) = 2", "(1 if wet is yes, otherwise the row) is 2"),
        ("(worth[lucky] default 0) = 2", "worth of lucky (0 if there is none) is 2"),
        ("let n be count(bag) in n > r", "n is more than the row, where n is the number of colours in the bag"),
        ("piece(grid[r, 1]) = c", "the colour is the colour on the grid at the row and 1"),
        ("size(list(k for k in colour where k in bag)) = 1",
         "the number of colours k for which colour k lies in the bag is 1"),
    ],
)  # fmt: skip
def test_words__conditions(that: str, words: str) -> None:
    rules = open_rules("frame.yaml", text=FRAME.replace("THAT", that))
    chapters = Chapters(rules.check()[0], rules.default_tree)
    move = chapters.model.moves["go"]
    found = chapters.words.given(move.given, move.choices, me=True).condition(move.conditions[0].that)
    assert plain_words(str(found)) == words


def test_words__small_ones() -> None:
    assert [plural(w) for w in ("row", "box", "city", "way", "glass")] == ["rows", "boxes", "cities", "ways", "glasses"]
    assert [article(w) for w in ("row", "own row", "the row")] == ["a row", "an own row", "the row"]
    assert listed(["a", "b", "c"], "or") == "a, b or c" and capital(em("one") + " two") == em("One") + " two"


@pytest.mark.parametrize(
    ("says", "given", "words"),
    [
        ("{x} is full", one_of("row", determiner="the"), "the row is not full"),
        ("there is a {x}", one_of("row"), "there is no row"),
        ("there is another {x}", one_of("row"), "there is no other row"),
        ("{x} has a card", YOU, "you do not have a card"),
        ("{x} has passed", YOU, "you have not passed"),
        ("{x} still has a card", YOU, "you still do not have a card"),
        ("{x}'s hand is empty", YOU, "your hand is not empty"),
        ("{x} can move", one_of("player", determiner="the"), "the player cannot move"),
        ("nobody won", YOU, "it is not so that nobody won"),
        ("{x} wins", YOU, "it is not so that you win"),
        ("{x} is rich or bold", YOU, "it is not so that you are rich or bold"),
        ("{x} is rich and has a card", one_of("heir", determiner="the"), "it is not so that the heir is rich and has a card"),
        ("all rows are full", YOU, "it is not so that all rows are full"),
        ("{x} is full", Noun("rows", "all", is_many=True), "it is not so that all rows are full"),
        # the verb is the author's: never one of what is put into the hole
        ("{x} has passed", Noun("player whose turn it is", "the"), "the player whose turn it is has not passed"),
        ("{x}'s row is full", Noun("player who may begin", "the"), "the player who may begin’s row is not full"),
    ],
)  # fmt: skip
def test_says__negated_by_the_author_s_verb(says: str, given: Noun, words: str) -> None:
    assert str(clause_of(says, lambda name: given, holds=False)) == words


def test_says__two_clauses_in_one_are_in_brackets() -> None:
    assert clause_of("{p} is rich or out", lambda name: YOU).enclosed == "(you are rich or out)"
    assert clause_of("{p} is at {p} and {p}", lambda name: YOU).enclosed == "you are at you and you"


def test_says__what_follows_its_owner_has_no_article() -> None:
    given = {"p": one_of("player", determiner="the"), "r": one_of("row", determiner="the"), "me": YOU}
    assert str(noun_of("{p}'s {r}", given.__getitem__)) == "the player’s row"
    assert str(noun_of("{me}'s {r}", given.__getitem__)) == "your row"
    assert str(noun_of("the end of {r}", given.__getitem__)) == "the end of the row"


@pytest.mark.parametrize(
    "noun", ["[(|| a", "- -in-law b", "-of-" * 1000 + "b", "s" * 100_000], ids=lambda noun: noun[:9]
)
def test_grammar__leaves_alone_what_is_no_noun(noun: str) -> None:
    assert plural(noun) == noun
    assert article(noun) == noun


@pytest.mark.parametrize(
    ("says", "message"),
    [
        ("{rch: poor}", "no set, place, variable, definition or steps called `rch`"),
        ("{rich: '{q} is rich'}", "`rich` has no `q`"),
        ("{turn: '{p}'}", "`turn` has no `p`"),
        ("{rich: [a]}", "expected a text"),
    ],
)
def test_says__mistakes_are_told(says: str, message: str) -> None:
    rules = open_rules("frame.yaml", text=FRAME.replace("THAT", "wet") + f"view:\n  says: {says}\n")
    with pytest.raises(RuleFileError) as error:
        rules.check()
    assert message in str(error.value)


def test_says__words_stand_for_names() -> None:
    says = 'view:\n  says: {rich: "{p}\'s hand is rich", turn: the one to play, gone_by_now: x}\n'
    rules = open_rules("frame.yaml", text=FRAME.replace("THAT", "rich(me) and not rich(turn)") + says)
    model, _ = rules.check()
    words = Chapters(model, rules.default_tree).words.given((), (), me=True)
    found = words.condition(model.moves["go"].conditions[0].that)
    assert plain_words(str(found)) == "your hand is rich and the one to play’s hand is not rich"


# --- the command --------------------------------------------------------------------------------------------------


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["rules", *words])
    return result.exit_code, result.output


def test_cli__formats_and_files(tmp_path: Path) -> None:
    code, text = run("classics/nim", "--no-examples")
    assert code == 0 and text.startswith("# Nim\n") and "## Worked examples" not in text
    out = tmp_path / "nim.html"
    assert run("classics/nim", "--format", "html", "--out", str(out)) == (0, "")
    checked(out.read_text(encoding="utf-8"))
    code, text = run("classics/nim", "--out", str(tmp_path / "no" / "nim.md"))
    assert code == 1 and "the output cannot be written" in text


def test_cli__players_and_options() -> None:
    code, text = run("base", "--players", "3", "--set", "wall_side=grey", "--no-examples")
    assert code == 0
    assert "For 3 players." in text and "With wall side: grey." in text
    assert "### Wall side" not in text and "no colour twice in a column" in text and "display 1 to 7 or" in text
    assert "display 1 to 5 (7 with 3 players, 9 with 4) or the centre" in run("base", "--no-examples")[1]


@pytest.mark.parametrize(
    ("words", "message"),
    [(["nothing"], "no game called"), (["base", "--players", "9"], "not 9"), (["base", "--format", "pdf"], "pdf")],
)
def test_cli__wrong_usage(words: list[str], message: str, capfd: pytest.CaptureFixture[str]) -> None:
    from referee.cli import main

    with pytest.raises(SystemExit) as end:
        main(["rules", *words])
    assert end.value.code == 2
    assert message in capfd.readouterr().err
