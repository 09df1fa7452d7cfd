"""House rules made in memory: a number of a table with another value, an option with another choice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from referee.lab import texts
from rulespec import DISK, Change, Files, Model, Rules, open_rules, suggest

MOST_VALUES = 50  # of one number
MOST_POINTS = 100  # of a grid
FACTOR = 10  # a number this many times as large is one that players cannot overlook


class BadVary(ValueError):
    """Words that do not say what to vary; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class Vary:
    """A number of a table, or an option, and the values that it takes."""

    word: str  # `tables.cost[3]`
    kind: str  # tables or option
    name: str
    at: int | None  # which entry of the table, from 1 on; None: all of them
    values: tuple[str, ...]


def read_vary(text: str) -> Vary:
    """Return what `tables.NAME=0..4`, `tables.NAME[3]=1,2,5` or `option.NAME=*` says."""
    match = re.fullmatch(r"(tables|option)\.(\w+)(?:\[(\d{1,4})\])?=(.+)", text)
    if match is None or (match[1] == "option" and match[3]):
        raise BadVary(texts.BAD_VARY.format(found=text))
    kind, name, at, said = match.groups()
    word = f"{kind}.{name}" + (f"[{at}]" if at else "")
    if kind == "option":
        return Vary(word, kind, name, None, tuple(v.strip() for v in said.split(",")))
    values: list[str] = []
    for part in said.split(","):
        span = re.fullmatch(r"\s*(-?\d{1,9})(?:\.\.(-?\d{1,9}))?\s*", part)
        if span is None:
            raise BadVary(texts.BAD_VARY.format(found=text))
        low, high = int(span[1]), int(span[2] or span[1])
        if high - low >= MOST_VALUES:
            raise BadVary(texts.MANY_VALUES.format(most=MOST_VALUES, found=text))
        values += [str(n) for n in range(low, high + 1)]
    if not values:
        raise BadVary(texts.BAD_VARY.format(found=text))
    return Vary(word, kind, name, int(at) if at else None, tuple(dict.fromkeys(values)))


@dataclass(frozen=True, slots=True)
class GridPoint:
    """One combination of values, and the rules with it."""

    values: tuple[str, ...]
    rules: Rules
    choices: dict[str, str]


class Grid:
    """All combinations of values of one or two things that are varied, and the rules as they are."""

    def __init__(
        self,
        game: str,
        house: Sequence[str],
        players: int | None,
        choices: dict[str, str],
        varied: Sequence[Vary],
        files: Files = DISK,
    ) -> None:
        self.rules = open_rules(game, house=house, files=files)
        self.model = self.rules.check(players, choices)[0]
        self._game, self._house, self._files, self._choices = game, house, files, choices
        self.varied = [self._open(one) for one in varied]
        self.base = tuple(self._now(one) for one in self.varied)
        many = 1
        for one in self.varied:
            many *= len(one.values)
        if many > MOST_POINTS:
            raise BadVary(texts.MANY_POINTS.format(most=MOST_POINTS, found=many))

    def _open(self, one: Vary) -> Vary:
        """Return the same with all choices of an option, its names checked."""
        if one.kind == "option":
            options = {option.name: [choice.name for choice in option.choices] for option in self.rules.options}
            if one.name not in options:
                raise BadVary(texts.NO_OPTION.format(found=one.name, hint=suggest(one.name, options)))
            values = tuple(options[one.name]) if one.values == ("*",) else one.values
            for value in values:
                if value not in options[one.name]:
                    known = ", ".join(options[one.name])
                    raise BadVary(texts.NO_CHOICE.format(found=value, option=one.name, known=known))
            return Vary(one.word, one.kind, one.name, None, values)
        table = self.model.tables.get(one.name)
        if table is None:
            raise BadVary(texts.NO_TABLE.format(found=one.name, hint=suggest(one.name, self.model.tables)))
        if len(table.index) > 1 or not all(isinstance(entry, int) for entry in table.entries):
            raise BadVary(texts.NOT_VARIED.format(found=one.name))
        if one.at is not None and not (table.index and 1 <= one.at <= len(table.entries)):
            raise BadVary(texts.NO_ENTRY.format(found=one.word, many=len(table.entries)))
        return one

    def _now(self, one: Vary) -> str:
        """Return the value that the rules have."""
        if one.kind == "option":
            return self.model.choices[one.name]
        entries = self.model.tables[one.name].entries
        if one.at is not None:
            return str(entries[one.at - 1])
        return str(entries[0]) if len(set(entries)) == 1 else texts.AS_IT_IS

    def points(self) -> Iterator[GridPoint]:
        """Yield all combinations but the one that the rules have."""
        for values in product(*(one.values for one in self.varied)):
            if values != self.base:
                yield self._point(values)

    def _point(self, values: tuple[str, ...]) -> GridPoint:
        choices, entries = dict(self._choices), dict[str, list[int]]()
        for one, value in zip(self.varied, values, strict=True):
            if one.kind == "option":
                choices[one.name] = value
                continue
            now = [n for n in self.model.tables[one.name].entries if isinstance(n, int)]
            before = entries.get(one.name, now)
            entries[one.name] = [int(value) if one.at in (None, i) else n for i, n in enumerate(before, 1)]
        tables: dict[str, object] = {
            name: list(numbers) if self.model.tables[name].index else numbers[0] for name, numbers in entries.items()
        }
        house: list[object] = list(self._house)
        if tables:
            title = f"{self.rules.title} ({', '.join(values)})"
            house.append(house_rule(self._game, title, tables))
        return GridPoint(values, open_rules(self._game, house=house, files=self._files), choices)  # type: ignore[arg-type]


def house_rule(game: str, title: str, tables: dict[str, object]) -> dict[str, object]:
    """Return a house rule that changes tables, as data."""
    return {"rulespec": 1, "extends": game, "game": title, "change": {"tables": tables}}


def changed_numbers(changes: Sequence[Change], model: Model) -> Iterator[tuple[str, object]]:
    """Yield the tables of numbers that a house rule changed or added, with their numbers multiplied.

    `model` is the changed game. Of a table with one changed number, all are larger: players should overlook none of them.
    """
    changed = dict.fromkeys(str(c.path[1]) for c in changes if len(c.path) > 1 and c.path[0] == "tables")
    for name in changed:
        table = model.tables.get(name)
        if table is None or len(table.index) > 1 or not all(isinstance(n, int) for n in table.entries):
            continue
        larger = [n * FACTOR or FACTOR for n in table.entries if isinstance(n, int)]
        yield name, larger if table.index else larger[0]
