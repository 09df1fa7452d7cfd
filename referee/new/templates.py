"""Templates: a house rule that lists everything that can be changed in a game, and a small game.

Lines after `##` are for people. Lines after `# ` are rules of the extended game: without these two characters they are
part of the file, and change nothing until they are edited.
"""

from __future__ import annotations

import os
import random
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from interpreter import Budget, BudgetSpent, CountedGame, Fault, Game, cost_of
from referee.new import texts as words
from rulespec import Diagnostic, RuleFileError, Rules, find_game, format_text, listed, nodes, open_rules

WIDEST = 110  # of a line that repeats a rule; rules that are longer are only named
GAMES = 2  # to play with each number of players, to see whether a change works
MOST_DECISIONS = 5_000  # of such a game
MOST_TRIED = 12_000  # decisions of all these games together, with all changes
SECTIONS = ("sets", "tables", "pieces", "places", "variables", "define", "moves", "scoring", "winner")


@dataclass(frozen=True, slots=True)
class StartingChange:
    """The change that a new house rule makes: the section, the entry, and its lines."""

    section: str
    name: str
    lines: tuple[str, ...]


def starting_house(extends: str, out: Path | None) -> str:
    """Return the text of a house rule for a game. Raises GameNotFound or RuleFileError if there is no such game."""
    rules = open_rules(extends)
    for d in rules.check_all():
        if d.level == "error":
            raise RuleFileError([d])
    base = _seen_from(extends, out)
    place = out or Path(words.NO_FILE)
    texts = [_house_text(rules, base, change, place) for change in _changes(rules.default_tree)]
    budget = Budget("games with a change", MOST_TRIED)
    note = ""
    try:
        for text in texts:
            if _works(place, text, budget):
                return format_text(text)
    except BudgetSpent:
        note = f"## {words.NOT_TRIED}\n"
    for text in texts:  # games of the rules that are changed may have no end either
        if _is_valid(place, text):
            return format_text(note + text)
    raise RuleFileError(
        _errors(place, texts[0])
    )  # a text can always be changed, but not every game extended from there


def starting_game() -> str:
    """Return the text of a small game."""
    return (Path(__file__).parent / "starting_game.yaml").read_text(encoding="utf-8")


def _seen_from(extends: str, out: Path | None) -> str:
    """Return the extended game as the new file names it: a shipped name, or a path from the file's folder."""
    if not Path(extends).exists() and find_game(extends) is not None:
        return extends
    folder = out.parent if out is not None else Path()
    return Path(os.path.relpath(extends, folder)).as_posix()


# The one change that is made ------------------------------------------------------------------------------


def _changes(tree: nodes.Mapping) -> Iterator[StartingChange]:
    """Yield small changes to try, the most instructive first: a number of a table, then a text."""
    tables = tree.get("tables")
    for key, value in tables if isinstance(tables, nodes.Mapping) else ():
        for changed in _other_numbers(nodes.plain(value)):
            name = nodes.bare_name(key.text)
            line = f"{_head(key)}: {_flow(changed)}  # {words.WAS.format(was=_flow(nodes.plain(value)))}"
            yield StartingChange("tables", name, (line,))
    moves = tree.get("moves")
    for key, value in moves if isinstance(moves, nodes.Mapping) else ():
        text = value.get("text") if isinstance(value, nodes.Mapping) else None
        if isinstance(text, nodes.Scalar) and isinstance(value, nodes.Mapping):
            name = nodes.bare_name(key.text)
            line = (
                f"  text: {_flow(words.AS_WE_SAY.format(text=text.text))}  # {words.WAS.format(was=_flow(text.text))}"
            )
            head = _head(key)
            rest = _move(head, value, parts=("choose",))[1:]
            yield StartingChange("moves", name, (f"{head}:", line, *rest))
    yield StartingChange(
        "tables", words.NEW_NUMBER, (f"{words.NEW_NUMBER}: 1",)
    )  # nobody moves, and no number is there


def _other_numbers(value: object) -> Iterator[object]:
    if isinstance(value, bool):
        return
    if isinstance(value, int):
        yield value + 1
        if value > 1:
            yield value - 1
    elif isinstance(value, list) and value and all(type(n) is int for n in value):
        yield [*value[:-1], value[-1] + 1]


def _works(path: Path, text: str, budget: Budget) -> bool:
    """Return whether a file is valid for all players and options, and its games end. Raises BudgetSpent if that is much work."""
    try:
        if not _is_valid(path, text):
            return False
        rules = open_rules(path, text=text)
        for players in rules.players:
            game = CountedGame(rules, rules.check(players)[0])
            if not all(_ends(game, seed, budget) for seed in range(GAMES)):
                return False
    except (RuleFileError, Fault):
        return False
    return True


def _is_valid(path: Path, text: str) -> bool:
    return not _errors(path, text)


def _errors(path: Path, text: str) -> list[Diagnostic]:
    """Return what makes a file invalid."""
    try:
        return [d for d in open_rules(path, text=text).check_all() if d.level == "error"]
    except RuleFileError as error:
        return list(error.diagnostics)


def _ends(game: Game, seed: int, budget: Budget) -> bool:
    """Return whether a random game ends."""
    rng, state = random.Random(seed), game.start(seed)
    while state.to_move is not None and state.decisions < MOST_DECISIONS:
        budget.spend(cost_of(game, state))
        state = game.apply(state, rng.choice(game.legal_moves(state)))
    return state.to_move is None


# The file -------------------------------------------------------------------------------------------------


def _house_text(rules: Rules, base: str, change: StartingChange, path: Path) -> str:
    lines = words.HEAD.format(title=rules.title, file=path.name).splitlines()
    lines += ["rulespec: 1", f"extends: {_flow(base)}", f"game: {_flow(words.TITLE.format(title=rules.title))}"]
    lines += [f"# text: {_flow(rules.text)}"] if rules.text and len(rules.text) < WIDEST else []
    lines += _players(rules) + _options(rules)
    lines += ["change:", f"  ## {words.CHANGED}", f"  {change.section}:"]
    lines += [f"    {line}" for line in change.lines]
    lines += _section(rules.default_tree, change.section, skip=change.name)
    for section in SECTIONS:
        if section != change.section and rules.default_tree.get(section) is not None:
            entries = _section(rules.default_tree, section)
            mark = "#" if any(line.lstrip().startswith("# ") for line in entries) else "##"  # else it would be empty
            lines += ["", f"  {mark} {section}:", *entries]
    lines += [*_steps(rules.default_tree), "", *words.EXAMPLES.splitlines()]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _players(rules: Rules) -> list[str]:
    players = rules.players
    shown = str(players[0]) if len(players) == 1 else f"{players[0]}..{players[-1]}"
    return [f"# players: {shown}"] if list(players) == list(range(players[0], players[-1] + 1)) else []


def _options(rules: Rules) -> list[str]:
    """Return the choices that are still open, each with its text."""
    lines = []
    chosen = {}
    for option in rules.options:
        if option.fixed is not None:
            continue
        chosen[option.name] = option.default
        for choice in option.choices:
            text = words.CHOICE.format(option=option.name, choice=choice.name, text=choice.text)
            lines += _notes(text.rstrip(": "), 0)
    if not chosen:
        return []
    fixed = _flow(chosen)
    if len(fixed) < WIDEST:
        return [f"## {words.OPTIONS}", *lines, f"# with: {fixed}"]
    return [f"## {words.OPTIONS}", *lines, "# with:", *(f"#   {_flow(o)}: {_flow(c)}" for o, c in chosen.items())]


def _section(tree: nodes.Mapping, section: str, skip: str = "") -> list[str]:
    """Return all entries of a section, to be uncommented; those that are too long are only named."""
    node = tree.get(section)
    lines: list[str] = []
    named: list[str] = []
    for key, value in node if isinstance(node, nodes.Mapping) else ():
        name = nodes.bare_name(key.text)
        shown = [] if name == skip else _entry(section, _head(key), value)
        lines += [f"    {line}" for line in shown]
        if not shown and name != skip:
            named.append(_named(name, key))
    head = [f"    ## {words.ABOUT[section]}"]
    return head + lines + (_notes(words.TOO_LONG.format(names=listed(named)), 4) if named else [])


def _named(name: str, key: nodes.Scalar) -> str:
    """Return the name of an entry, and where it is."""
    return words.PLACE.format(name=name, file=Path(key.span.file).name, line=key.span.line)


def _head(key: nodes.Scalar) -> str:
    """Return the name of an entry as a key, with its indexes or parameters."""
    return _flow(key.text) if nodes.bare_name(key.text) == key.text else key.text


def _entry(section: str, head: str, value: nodes.Node) -> list[str]:
    """Return one entry, commented out: on one line, or in its parts; nothing if it is too long."""
    if section == "moves" and isinstance(value, nodes.Mapping):
        return _move(head, value)
    line = f"{head}: {_flow(nodes.plain(value))}"
    if len(line) <= WIDEST:
        return [f"# {line}"]
    parts = [f"  # {_flow(key.text)}: {_flow(nodes.plain(part))}" for key, part in _parts(value)]
    return [f"# {head}:", *parts] if parts and max(map(len, parts)) <= WIDEST else []


def _parts(value: nodes.Node) -> list[tuple[nodes.Scalar, nodes.Node]]:
    return [(entry.key, entry.value) for entry in value.entries] if isinstance(value, nodes.Mapping) else []


def _move(head: str, move: nodes.Mapping, parts: Sequence[str] = ("text", "choose")) -> list[str]:
    """Return a move as comments: these parts of it, and its conditions with their refusals."""
    lines = [f"# {head}:"]
    for part in parts:
        value = move.get(part)
        if value is not None and len(line := f"  # {part}: {_flow(nodes.plain(value))}") <= WIDEST:
            lines.append(line)
    needs = move.get("needs")
    conditions: list[str] = []
    named: list[str] = []
    for key, value in needs if isinstance(needs, nodes.Mapping) else ():
        if len(line := f"    # {_flow(key.text)}: {_flow(nodes.plain(value))}") <= WIDEST:
            conditions.append(line)
        else:
            named.append(_named(key.text, key))
    lines += ["  # needs:", *conditions] if conditions else []
    lines += _notes(words.TOO_LONG.format(names=listed(named)), 2) if named else []
    return lines if len(lines) > 1 else []


def _steps(tree: nodes.Mapping) -> list[str]:
    """Return the named steps, which are changed by adding to them or by replacing them."""
    steps = tree.get("steps")
    named = [_named(nodes.bare_name(key.text), key) for key, _ in steps] if isinstance(steps, nodes.Mapping) else []
    return ["", *_notes(words.STEPS.format(names=listed(named)), 2)] if named else []


def _flow(value: object) -> str:
    """Return a value on one line of YAML; expressions of several lines are joined."""
    text = yaml.safe_dump(
        _on_one_line(value), default_flow_style=True, width=10**6, allow_unicode=True, sort_keys=False
    ).strip()
    return text.removesuffix("...").strip()


def _on_one_line(value: object) -> object:
    match value:
        case str():
            return " ".join(value.split()) if "\n" in value else value
        case list():
            return [_on_one_line(item) for item in value]
        case dict():
            return {key: _on_one_line(item) for key, item in value.items()}
    return value


def _notes(text: str, indent: int) -> list[str]:
    """Return a note, folded."""
    start = " " * indent + "## "
    return textwrap.wrap(text, WIDEST, initial_indent=start, subsequent_indent=start, break_on_hyphens=False)
