"""Makes the rulebook of a game: for all numbers of players or one, with what its options and house rules change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

from interpreter import Game
from referee.rulebook import texts
from referee.rulebook.book import (
    Book,
    BookItem,
    Section,
    capital,
    marked,
    marked_for_choice,
    merged,
    only_marked,
    plain_lines,
    with_own_words,
)
from referee.rulebook.chapters import Chapters
from referee.rulebook.nouns import spaced
from referee.rulebook.worked import Drawn
from referee.shell.blocks import plain
from referee.shell.board import Board
from rulespec import (
    DISK,
    Files,
    Model,
    Option,
    OptionError,
    RuleFileError,
    Rules,
    listed,
    number_range,
    open_rules,
    syntax,
)

MOST_DESCRIBED = 2_000_000  # characters of rules that are read to say what choices of options change


class NoHouseRule(ValueError):
    """The rules of which only the changes are wanted change no others."""


def make_book(
    game: str | Path,
    players: int | None = None,
    choices: dict[str, str] | None = None,
    house: tuple[str, ...] = (),
    examples: bool = True,
    only_changes: bool = False,
    files: Files = DISK,
    pictures: bool = True,
) -> Book:
    """Return the rulebook of exactly these rules; without `players`, for all numbers of players.

    `only_changes`: only what a house rule changes; NoHouseRule if the rules change none. `pictures`: positions of
    examples also as SVG, for a page that can show it.
    """
    rules = open_rules(game, house=house, files=files)
    settled = rules.settle(choices or {})
    rules.check(players, settled)  # errors are reported first
    sections = _chapters(rules, players, settled)
    before = _changed(rules, game, house, files)
    if before is not None:
        old = _old_chapters(before, rules, players, settled)
        sections = marked(old, sections) if old else sections
    if only_changes:
        if before is None:
            raise NoHouseRule(texts.NO_CHANGES.format(game=game))
        changed = only_marked(sections)
        fact = texts.ONLY_CHANGES_FACT if changed else texts.NOTHING_CHANGED
        facts = (*_players_fact(rules, players, settled), fact.format(title=before.title))
        return Book(rules.title, rules.text, facts, tuple(map(_unnumbered, changed)), True)
    sections += tuple(_more(rules, players, settled, choices or {}, examples, pictures))
    facts = tuple(_facts(rules, players, settled, before))
    return Book(rules.title, rules.text, facts, sections, before is not None)


def entry_lines(rules: Rules, choices: dict[str, str], section: str, name: str) -> tuple[str, ...]:
    """Return one move, list of steps or scoring rule in the book's sentences, as plain lines; nothing for other entries."""
    chapters = Chapters(rules.check(None, choices)[0], rules.resolve(choices))
    model = chapters.model
    if section == "moves" and name in model.moves:
        return tuple(plain_lines(chapters.move(model.moves[name]).items))
    if section == "steps" and name in model.procedures:
        return tuple(plain_lines(chapters.procedure(model.procedures[name]).items))
    if section == "scoring" and name in model.rules:
        return tuple(plain_lines([replace(chapters.scoring_rule(model.rules[name]), lead="")]))
    return ()


def _chapters(rules: Rules, players: int | None, choices: dict[str, str]) -> tuple[Section, ...]:
    numbers = [players] if players is not None else list(rules.players_for(choices))
    tree = rules.resolve(choices)
    books = [Chapters(rules.check(n, choices)[0], tree).sections() for n in numbers]
    return merged(numbers, books)


def _changed(rules: Rules, game: str | Path, house: tuple[str, ...], source: Files) -> Rules | None:
    """Return the rules that these change: those a house rule extends, or the game under several of them."""
    if house:
        return open_rules(game, house=house[:-1], files=source)
    files = rules.files
    return open_rules(files[-2].path, files=source) if len(files) > 1 else None


def _old_chapters(before: Rules, after: Rules, players: int | None, choices: dict[str, str]) -> tuple[Section, ...]:
    """Return the chapters before the change, with the same choices, for numbers of players that both allow, if any."""
    known = {option.name: option for option in before.options}
    mine = {k: v for k, v in choices.items() if k in known and v in known[k].open_choices}
    try:
        settled = before.settle(mine)
        numbers = [n for n in before.players_for(settled) if players in (None, n)]
        shared = [n for n in numbers if n in after.players_for(choices)] or numbers
        if not shared:
            return ()
        tree = before.resolve(settled)
        view = after.check(players, choices)[0].view
        models = [before.check(n, settled)[0] for n in shared]
        own = merged(shared, [Chapters(model, tree).sections() for model in models])
        same = merged(shared, [Chapters(_with_words(model, view), tree).sections() for model in models])
        return with_own_words(same, own) if len(same) == len(own) else own
    except (OptionError, RuleFileError):
        return ()


def _with_words(model: Model, view: syntax.View) -> Model:
    """Return the game in the words of another view, so that changed words alone do not count as changed rules."""
    own = model.view
    says, labels = {**own.says, **view.says}, {**own.labels, **view.labels}
    titles = {**own.titles, **view.titles}
    layout = {name: view.layout.get(name, place) for name, place in own.layout.items()}
    filled = {**own.filled, **view.filled}
    return replace(model, view=replace(own, says=says, titles=titles, labels=labels, layout=layout, filled=filled))


def _unnumbered(section: Section) -> Section:
    """Return a part of a list of steps: numbers would not be those of the whole list."""
    return replace(section, ordered=False, sections=tuple(map(_unnumbered, section.sections)))


def _players_fact(rules: Rules, players: int | None, choices: dict[str, str]) -> Iterator[str]:
    numbers = (players,) if players is not None else tuple(rules.players_for(choices))
    yield texts.PLAYERS_FACT.format(players=number_range(numbers, "player"))


def _facts(rules: Rules, players: int | None, choices: dict[str, str], before: Rules | None) -> Iterator[str]:
    yield from _players_fact(rules, players, choices)
    chosen = [
        f"{spaced(o.name)}: {spaced(choices[o.name])}" for o in rules.options if choices[o.name] != o.choices[0].name
    ]
    if chosen:
        yield texts.OPTIONS_FACT.format(options=listed(chosen))
    if before is not None:
        yield texts.CHANGES_FACT.format(title=before.title)


def _more(
    rules: Rules,
    players: int | None,
    settled: dict[str, str],
    wanted: dict[str, str],
    examples: bool,
    pictures: bool,
) -> Iterator[Section]:
    options = [o for o in rules.options if o.name not in wanted]
    if options:
        described = _described(rules, options, players, settled)
        yield Section(texts.OPTIONS, sections=tuple(_option(rules, o, players, settled, described) for o in options))
    if examples:
        drawn = tuple(Drawn(rules, pictures).items())  # of a game below, those that these rules do not change
        if drawn:
            legend = _legend(rules, players, settled)
            intro = (BookItem(texts.LEGEND.format(legend=legend)),) if legend else ()
            yield Section(texts.EXAMPLES, intro + drawn, is_examples=True)


def _legend(rules: Rules, players: int | None, choices: dict[str, str]) -> str:
    """Return what the letters on the boards mean."""
    board = Board(Game(rules, rules.check(players, choices)[0]))
    return ", ".join(plain(meaning).strip() for meaning in board.meanings())


def _described(
    rules: Rules, options: list[Option], players: int | None, settled: dict[str, str]
) -> frozenset[tuple[str, str]]:
    """Return the choices of which the book says what they change: the first ones, each read with and without it."""
    others = ((o.name, choice) for o in options for choice in o.open_choices if choice != settled[o.name])
    each = 2 * rules.length * (1 if players is not None else len(rules.players_for(settled)))
    return frozenset(islice(others, max(1, MOST_DESCRIBED // each)))


def _option(
    rules: Rules, option: Option, players: int | None, settled: dict[str, str], described: frozenset[tuple[str, str]]
) -> Section:
    items = []
    usual = settled[option.name]
    for choice in option.choices:
        if choice.name not in option.open_choices:
            continue
        name = spaced(choice.name)
        if choice.name == usual:
            note = texts.FIXED if option.fixed else texts.DEFAULT
            items.append(BookItem(f"{choice.text} ({note})" if choice.text else note, lead=name))
            continue
        if (option.name, choice.name) not in described:
            items.append(
                BookItem(f"{choice.text}. {texts.NOT_DESCRIBED}" if choice.text else texts.NOT_DESCRIBED, lead=name)
            )
            continue
        with_choice = _fitting(rules, option, choice.name, settled)
        if with_choice is None:
            items.append(BookItem(choice.text, lead=name))
            continue
        others = {o: c for o, c in with_choice.items() if o != option.name and c != settled[o]}
        text = choice.text
        if others:
            listing = listed(f"{spaced(o)}: {spaced(c)}" for o, c in others.items())
            text = (
                f"{text}. {texts.ONLY_WITH.format(choices=listing)}"
                if text
                else texts.ONLY_WITH.format(choices=listing)
            )
        without = {**with_choice, option.name: usual}
        if not _is_possible(rules, without):
            without = settled
        changes = marked_for_choice(tuple(_choice_changes(rules, players, without, with_choice)))
        inner = (BookItem(lead=texts.CHANGES, items=changes),) if changes else ()
        items.append(BookItem(text, lead=name, items=inner))
    return Section(capital(spaced(option.name)), tuple(items))


def _choice_changes(
    rules: Rules, players: int | None, without: dict[str, str], with_choice: dict[str, str]
) -> Iterator[BookItem]:
    """Yield what a choice changes, for every number of players that both allow."""
    both = [n for n in rules.players_for(without) if n in rules.players_for(with_choice) and players in (None, n)]
    if both:
        base, other = (
            merged(both, [Chapters(rules.check(n, choices)[0], rules.resolve(choices)).sections() for n in both])
            for choices in (without, with_choice)
        )
        yield from _flat(only_marked(marked(base, other)))


def _fitting(rules: Rules, option: Option, choice: str, settled: dict[str, str]) -> dict[str, str] | None:
    """Return all choices with this one, as few others as possible changed with it; none if it cannot be chosen."""
    wanted = {**settled, option.name: choice}
    if _is_possible(rules, wanted):
        return wanted
    fitting = [c for c in rules.combinations() if c[option.name] == choice]
    return min(fitting, key=lambda c: sum(c[o] != wanted[o] for o in c), default=None)


def _is_possible(rules: Rules, choices: dict[str, str]) -> bool:
    try:
        rules.settle(choices)
    except OptionError:
        return False
    return True


def _flat(sections: tuple[Section, ...], above: str = "") -> Iterator[BookItem]:
    """Return what differs, each section's passages under its heading."""
    for section in sections:
        title = f"{above} › {section.title}" if above else section.title
        if section.items:
            yield replace(BookItem(lead=title, items=section.items), mark=section.mark)
        elif section.mark:
            yield BookItem(lead=title, mark=section.mark)
        yield from _flat(section.sections, title)
