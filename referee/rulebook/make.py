"""Makes the rulebook of a game: for all numbers of players or one, with what its options and house rules change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from interpreter import Game
from referee.rulebook import texts
from referee.rulebook.book import Book, BookItem, Section, capital, marked, merged, only_marked
from referee.rulebook.chapters import Chapters
from referee.rulebook.nouns import spaced
from referee.rulebook.worked import Drawn
from referee.shell.blocks import plain
from referee.shell.board import Board
from rulespec import Model, Option, OptionError, RuleFileError, Rules, listed, number_range, open_rules, syntax


def make_book(
    game: str | Path,
    players: int | None = None,
    choices: dict[str, str] | None = None,
    house: tuple[str, ...] = (),
    examples: bool = True,
) -> Book:
    """Return the rulebook of exactly these rules; without `players`, for all numbers of players."""
    rules = open_rules(game, house=house)
    settled = rules.settle(choices or {})
    rules.check(players, settled)  # errors are reported first
    sections = _chapters(rules, players, settled)
    before = _changed(rules, game, house)
    if before is not None:
        old = _old_chapters(before, rules, players, settled)
        sections = marked(old, sections) if old else sections
    sections += tuple(_more(rules, players, settled, choices or {}, examples))
    facts = tuple(_facts(rules, players, settled, before))
    return Book(rules.title, rules.text, facts, sections, before is not None)


def _chapters(rules: Rules, players: int | None, choices: dict[str, str]) -> tuple[Section, ...]:
    numbers = [players] if players is not None else list(rules.players_for(choices))
    tree = rules.resolve(choices)
    books = [Chapters(rules.check(n, choices)[0], tree).sections() for n in numbers]
    return merged(numbers, books)


def _changed(rules: Rules, game: str | Path, house: tuple[str, ...]) -> Rules | None:
    """Return the rules that these change: those a house rule extends, or the game under several of them."""
    if house:
        return open_rules(game, house=house[:-1])
    files = rules.files
    return open_rules(files[-2].path) if len(files) > 1 else None


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
        models = [_with_words(before.check(n, settled)[0], view) for n in shared]
        return merged(shared, [Chapters(model, tree).sections() for model in models])
    except (OptionError, RuleFileError):
        return ()


def _with_words(model: Model, view: syntax.View) -> Model:
    """Return the game in the words of another view, so that changed words alone do not count as changed rules."""
    own = model.view
    says, labels = {**own.says, **view.says}, {**own.labels, **view.labels}
    layout = {name: view.layout.get(name, place) for name, place in own.layout.items()}
    return replace(model, view=replace(own, says=says, labels=labels, layout=layout))


def _facts(rules: Rules, players: int | None, choices: dict[str, str], before: Rules | None) -> Iterator[str]:
    numbers = (players,) if players is not None else tuple(rules.players_for(choices))
    yield texts.PLAYERS_FACT.format(players=number_range(numbers, "player"))
    chosen = [
        f"{spaced(o.name)}: {spaced(choices[o.name])}" for o in rules.options if choices[o.name] != o.choices[0].name
    ]
    if chosen:
        yield texts.OPTIONS_FACT.format(options=listed(chosen))
    if before is not None:
        yield texts.CHANGES_FACT.format(title=before.title)


def _more(
    rules: Rules, players: int | None, settled: dict[str, str], wanted: dict[str, str], examples: bool
) -> Iterator[Section]:
    options = [o for o in rules.options if o.name not in wanted]
    if options:
        yield Section(texts.OPTIONS, sections=tuple(_option(rules, o, players, settled) for o in options))
    if examples:
        drawn = tuple(Drawn(rules).items())
        if drawn:
            legend = _legend(rules, players, settled)
            intro = (BookItem(texts.LEGEND.format(legend=legend)),) if legend else ()
            yield Section(texts.EXAMPLES, intro + drawn)


def _legend(rules: Rules, players: int | None, choices: dict[str, str]) -> str:
    """Return what the letters on the boards mean."""
    lines = Board(Game(rules, rules.check(players, choices)[0])).legend()
    return ", ".join(part.strip() for line in lines for part in plain(line).split("   "))


def _option(rules: Rules, option: Option, players: int | None, settled: dict[str, str]) -> Section:
    items = []
    usual = settled[option.name]
    base: tuple[Section, ...] | None = None
    for choice in option.choices:
        if choice.name not in option.open_choices:
            continue
        name = spaced(choice.name)
        if choice.name == usual:
            note = texts.FIXED if option.fixed else texts.DEFAULT
            items.append(BookItem(f"{choice.text} ({note})" if choice.text else note, lead=name))
            continue
        changes: tuple[BookItem, ...] = ()
        try:
            with_choice = {**settled, option.name: choice.name}
            rules.settle(with_choice)
            number = players if players is not None else rules.players_for(settled)[0]
            if number in rules.players_for(with_choice):
                base = base or _chapters(rules, number, settled)
                changes = tuple(_flat(only_marked(marked(base, _chapters(rules, number, with_choice)))))
        except OptionError:
            pass  # it needs another choice of another option
        inner = (BookItem(lead=texts.CHANGES, items=changes),) if changes else ()
        items.append(BookItem(choice.text, lead=name, items=inner))
    return Section(capital(spaced(option.name)), tuple(items))


def _flat(sections: tuple[Section, ...], above: str = "") -> Iterator[BookItem]:
    """Return what differs, each section's passages under its heading."""
    for section in sections:
        title = f"{above} › {section.title}" if above else section.title
        if section.items:
            yield replace(BookItem(lead=title, items=section.items), mark=section.mark)
        elif section.mark:
            yield BookItem(lead=title, mark=section.mark)
        yield from _flat(section.sections, title)
