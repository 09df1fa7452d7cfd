"""Worked examples: a position, what may be decided in it, what is decided, and what then holds.

An example is read from its YAML nodes, so every complaint stands where the line stands that it is about. `setup` is
not run: every piece starts where `pieces:` puts it, and places named under `given` then hold exactly what is written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import product

from interpreter.game import Game
from interpreter.layout import contents, put
from interpreter.runtime import Fault
from interpreter.state import CHANCE, IllegalMove, State, UnreadableMove
from rulespec.diagnostics import RuleFileError, Span, closest
from rulespec.expr.types import LARGEST, NONE, Type, Values, YesNo
from rulespec.load import PlayersError, Rules
from rulespec.model import Place, Variable
from rulespec.options import OptionError, unknown
from rulespec.source import kind_of
from rulespec.tree import Entry, Mapping, Node, Scalar, Sequence

KEYS = ("text", "see", "with", "players", "given", "run", "offered", "refused", "play", "expect")
SPECIAL = ("points", "gained", "winner", "over", "to move")  # what `expect` knows besides places and variables
MOST_SHOWN = 30  # moves of a list in a message
_NO_GAME = "there is no game to try it in"


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing that is not as the example says, or that cannot be read."""

    span: Span
    message: str

    def __str__(self) -> str:
        return f"{self.span}: {self.message}"


@dataclass(frozen=True, slots=True)
class ExampleResult:
    """How an example came out.

    An example of a file that these rules extend is `inherited`: its problems are what the house rule changes, and it
    passes all the same, unless there is no game to try it in.
    """

    name: str
    span: Span
    passed: bool
    problems: tuple[Problem, ...]
    file: str
    see: str = ""
    inherited: bool = False


class ExampleNotFound(ValueError):
    """No example of that name."""


def run_examples(rules: Rules, names: list[str] | None = None) -> list[ExampleResult]:
    """Every example of the rules, or those named, tried in the order of the file.

    Raises RuleFileError for rules that cannot be played at all, ExampleNotFound for a name there is not.
    """
    found = list(find_examples(rules))
    known = [entry.key.text for entry, _ in found]
    for name in names or ():
        if name not in known:
            raise ExampleNotFound(f"no example called `{name}`{_did_you_mean(name, known)}")
    examples = Examples(rules)
    return [examples.run(entry, choices) for entry, choices in found if names is None or entry.key.text in names]


def find_examples(rules: Rules) -> Iterator[tuple[Entry, dict[str, str]]]:
    """The examples, each with the choices it stands under: those that an option brings are played with that option."""
    yield from ((entry, {}) for entry in _entries(rules.default_tree))
    for option in rules.options:
        for choice in option.choices:
            brought = choice.change.get("examples") if choice.change else None
            if not isinstance(brought, Mapping) or choice.name == option.default:
                continue
            with suppress(OptionError):  # a choice that is fixed otherwise, or excluded
                tree = rules.layers.resolve({option.name: choice.name})
                names = {key.text for key, _ in brought}
                yield from ((e, {option.name: choice.name}) for e in _entries(tree) if e.key.text in names)


def _entries(tree: Mapping) -> tuple[Entry, ...]:
    node = tree.get("examples")
    return node.entries if isinstance(node, Mapping) else ()


class Examples:
    """Tries examples of one file; games are made once for each number of players and choice of options."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._games: dict[tuple[int | None, tuple[tuple[str, str], ...]], Game | tuple[str, str]] = {}
        self._own_file = rules.layers.files[-1].tree.span.file

    def run(self, entry: Entry, choices: dict[str, str] | None = None) -> ExampleResult:
        problems: list[Problem] = []
        key, node = entry.key, entry.value
        see = node.get("see") if isinstance(node, Mapping) else None
        if not isinstance(node, Mapping):
            problems.append(Problem(node.span, f"expected a map with the parts of the example, found {kind_of(node)}"))
        else:
            problems += _misshapen(node, key.span)
            game = self._game(entry, node, dict(choices or {}), problems) if not problems else None
            if game is not None:
                problems += _Trial(game, key.span, node).run()
        changed = node.changed if isinstance(node, Mapping) else ()
        inherited = self._own_file not in {key.span.file, *(span.file for span in changed)}
        passed = not problems or (inherited and not any(p.message.startswith(_NO_GAME) for p in problems))
        cited = see.text if isinstance(see, Scalar) else ""
        return ExampleResult(key.text, key.span, passed, tuple(sorted(set(problems))), key.span.file, cited, inherited)

    def _game(self, entry: Entry, node: Mapping, choices: dict[str, str], problems: list[Problem]) -> Game | None:
        """The game the example is about, or none with a problem."""
        for key, value in _map(node, "with"):
            text = value.text if isinstance(value, Scalar) else kind_of(value)
            if wrong := unknown(self.rules.layers.by_name, key.text, text, key.span, value.span):
                more = "".join(f"; {part}" for part in (wrong.why, wrong.fix) if part)
                problems.append(Problem(wrong.span, wrong.message + more))
            choices[key.text] = text
        number = node.get("players")
        players = number.value if isinstance(number, Scalar) else None
        if number is not None and (not isinstance(players, int) or isinstance(players, bool)):
            problems.append(Problem(number.span, f"expected how many play, found {kind_of(number)}"))
        if problems:
            return None
        assert players is None or isinstance(players, int)
        case = (players, tuple(sorted(choices.items())))
        if case not in self._games:
            self._games[case] = self._make(players, choices)
        game = self._games[case]
        if isinstance(game, Game):
            return game
        about, message = game
        where = node.get(about)
        problems.append(Problem(where.span if where else entry.key.span, message))
        return None

    def _make(self, players: int | None, choices: dict[str, str]) -> Game | tuple[str, str]:
        """The game, or the key of the example that it cannot be made for, and why."""
        try:
            model, _ = self.rules.check(players, choices)
            case = (model.players, tuple(sorted(model.choices.items())))
            return self._games.get(case) or self._games.setdefault(case, Game(self.rules, model))
        except OptionError as error:
            return "with", str(error)
        except PlayersError as error:
            return "players", str(error)
        except RuleFileError as error:
            return "with", f"{_NO_GAME}: {error.diagnostics[0].first_line()}"


def _misshapen(node: Mapping, span: Span) -> Iterator[Problem]:
    """What the schema would refuse too, and an example that checks nothing."""
    shapes: dict[str, tuple[type, ...]] = {
        "with": (Mapping,), "players": (Scalar,), "given": (Mapping,), "run": (Scalar,), "offered": (Mapping, Sequence),
        "refused": (Mapping,), "play": (Sequence,), "expect": (Mapping,),
    }  # fmt: skip
    words = {Mapping: "a map", Sequence: "a list", Scalar: "one value"}
    for key, value in node:
        if key.text not in KEYS:
            yield Problem(key.span, f"an example has no `{key.text}`{_did_you_mean(key.text, KEYS)}")
        elif key.text in shapes and not isinstance(value, shapes[key.text]):
            expected = " or ".join(words[shape] for shape in shapes[key.text])
            yield Problem(value.span, f"expected {expected} after `{key.text}:`, found {kind_of(value)}")
    checks = (_map(node, "refused"), _map(node, "expect"), _map(node, "offered"))
    if not any(m.entries for m in checks) and not isinstance(node.get("offered"), Sequence):
        yield Problem(span, "this example checks nothing: it needs `offered`, `refused` or `expect`")


def _map(node: Mapping, key: str) -> Mapping:
    value = node.get(key)
    return value if isinstance(value, Mapping) else Mapping(node.span, ())


def _did_you_mean(word: str, known: Iterable[str]) -> str:
    near = closest(word, known)
    return f"; did you mean `{near}`?" if near else ""


def _shortened(words: Collection[str]) -> str:
    shown = list(words)[:MOST_SHOWN]
    more = f" and {len(words) - len(shown)} more" if len(words) > len(shown) else ""
    return (", ".join(shown) or "nothing") + more


# --- what is written about places and variables -----------------------------------------------------------------


class _Wrong(Exception):
    """Something in an example that cannot be read."""

    def __init__(self, span: Span, message: str) -> None:
        self.problem = Problem(span, message)
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class _Item:
    kind: int
    count: int
    span: Span


@dataclass(frozen=True, slots=True)
class _Row:
    """A place, or a line of cells, and what is to lie there; a stack's pieces from the bottom."""

    span: Span
    name: str
    place: Place
    numbers: tuple[int, ...]
    items: tuple[tuple[_Item, ...], ...]  # for each place


@dataclass(frozen=True, slots=True)
class _Value:
    span: Span
    name: str
    slot: int
    code: int


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    span: Span


@dataclass(slots=True)
class _Position:
    """What `given` or `expect` says, in its order."""

    rows: list[_Row] = field(default_factory=list)
    values: list[_Value] = field(default_factory=list)


class _Reader:
    """Reads entries such as `wall[1]: . . R`, `line[1, 2]: 2 red` and `score[1]: 5`."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.model = game.model
        self.codes = game.notation.codes

    def read(self, key: Scalar, value: Node, into: _Position, also: tuple[str, ...] = ()) -> None:
        match = re.fullmatch(r"\s*([^\s\[\]]+)\s*(?:\[(.*)\]\s*)?", key.text, re.DOTALL)
        name = match[1] if match else key.text
        place, variable = self.model.places.get(name), self.model.variables.get(name)
        if match is None or not (place or variable):
            known = (*self.model.places, *self.model.variables, *also)
            raise _Wrong(key.span, f"no place or variable called `{name}`{_did_you_mean(name, known)}")
        if not isinstance(value, Scalar):
            raise _Wrong(value.span, f"expected what `{key.text}` holds, found {kind_of(value)}")
        words = list(_split(key, match.start(2), match.end(2), r"[^,]+")) if match[2] is not None else []
        if match[2] is not None and (not words or any(not w.text for w in words)):
            raise _Wrong(key.span, f"an index of `{name}` is missing")
        if place:
            first, rest = self._first(name, place, words, key)
            into.rows += self._rows(place, first, rest, key, value)
        elif variable:
            first, rest = self._first(name, variable, words, key)
            into.values += self._values(variable, first, rest, key, value)

    def _first(
        self, name: str, family: Place | Variable, words: list[_Word], key: Scalar
    ) -> tuple[int, tuple[tuple[int, ...], ...]]:
        """The number of the first place or variable meant, and the index values that are left open."""
        at = 0
        number = 0
        for word in words:
            code = self._code(word.text)
            known = family.index_values[at] if at < len(family.index_values) else ()
            parts = (code,) if code in known else self.model.pair_parts.get(code if code is not None else NONE, (code,))
            for part in parts:
                if at == len(family.index_values):
                    expected = f"{at} index{'es' * (at != 1)}" if at else "no index"
                    raise _Wrong(key.span, f"`{name}` has {expected}, found more: `{key.text}`")
                values = family.index_values[at]
                if part is None or part not in values:
                    names = [self.model.value_name(v) for v in values]
                    what = family.index[at] or "its index"
                    hint = _did_you_mean(word.text, names)
                    raise _Wrong(
                        word.span, f"there is no `{key.text}`: {what} is {_range(names)}, found `{word.text}`{hint}"
                    )
                number = number * len(values) + values.index(part)
                at += 1
        rest = family.index_values[at:]
        for values in rest:
            number *= len(values)
        return number, rest

    def _code(self, word: str) -> int | None:
        if re.fullmatch(r"-?[0-9]{1,6}", word):
            return int(word) if abs(int(word)) <= LARGEST else None  # larger ones are the codes of members
        return self.codes.get(word)

    def name_of(self, family: Place | Variable, number: int, indexes: int | None = None) -> str:
        """A place or variable as it is written, with all or the first few of its indexes."""
        index: list[str] = []
        for values in reversed(family.index_values):
            index.insert(0, self.model.value_name(values[number % len(values)]))
            number //= len(values)
        index = index[:indexes]
        return f"{family.name}[{', '.join(index)}]" if index else family.name

    def _grid(self, key: Scalar, value: Scalar, rest: tuple[tuple[int, ...], ...]) -> list[tuple[Span, list[_Word]]]:
        """The words of a line or block for the one or two indexes that are left open."""
        starts = list(re.finditer(r"^.*$", value.text.rstrip(), re.MULTILINE))
        lines = [list(_split(value, m.start(), m.end(), r"\S+")) for m in starts]
        spans = [value.at(m.start() + len(m[0]) - len(m[0].lstrip()), m.start() + len(m[0].rstrip())) for m in starts]
        rows, columns = (1 if len(rest) == 1 else len(rest[0])), len(rest[-1])
        if len(lines) > rows:
            raise _Wrong(spans[rows], f"`{key.text}` has {rows} row{'s' * (rows != 1)}, found {len(lines)}")
        for span, line in zip(spans, lines, strict=True):
            if len(line) > columns or (len(line) < columns and len(rest) == 2):
                raise _Wrong(span, f"a row of `{key.text}` has {columns} spaces, found {len(line)}")
        return list(zip(spans, lines, strict=True))

    # places

    def _rows(
        self, place: Place, first: int, rest: tuple[tuple[int, ...], ...], key: Scalar, value: Scalar
    ) -> Iterator[_Row]:
        text = value.text.strip()
        given = len(place.index_values) - len(rest)
        count = len(list(product(*rest)))
        if not text:
            raise _Wrong(
                key.span, f"expected what lies on `{key.text}`, found nothing; an empty place is written `nothing`"
            )
        if text == "nothing" or not rest:
            for number in range(first, first + count):
                items = () if text == "nothing" else self._items(place, value)
                yield self._checked(_Row(value.span, self.name_of(place, number), place, (number,), (items,)))
            return
        if place.shape != "cell":
            raise _Wrong(key.span, f"`{key.text}` needs all its indexes, or `nothing` for all of them")
        if len(rest) > 2:
            raise _Wrong(
                key.span, f"`{key.text}` leaves {len(rest)} indexes open, and a block shows two: write more of them"
            )
        written = self._grid(key, value, rest)
        columns = len(rest[-1])
        for start in range(0, count, columns):
            span, words = written.pop(0) if written else (value.span, [])
            pieces = [self._piece(place, w) for w in words] + [()] * (columns - len(words))
            numbers = tuple(range(first + start, first + start + columns))
            name = self.name_of(place, first + start, given + len(rest) - 1)
            yield self._checked(_Row(span, name, place, numbers, tuple(pieces)))

    def _items(self, place: Place, value: Scalar) -> tuple[_Item, ...]:
        """`2 red, token` on a pile; `black yellow` on a stack; one piece on a cell."""
        if place.shape != "pile":
            words = _split(value, 0, len(value.text), r"\S+")
            return tuple(item for word in words for item in self._piece(place, word))
        found = []
        for part in _split(value, 0, len(value.text), r"[^,]+"):
            match = re.fullmatch(r"(?:([0-9]{1,5})\s+)?(\S+)", part.text)
            if match is None or (match[2].isdigit() and self._code(match[2]) not in place.kinds):
                usage = f"2 {self.model.value_name(place.kinds[0])}"
                raise _Wrong(part.span, f"expected how many and which pieces, such as `{usage}`, found `{part.text}`")
            found.append(_Item(self._kind(place, match[2], part.span), int(match[1] or 1), part.span))
        return tuple(found)

    def _piece(self, place: Place, word: _Word) -> tuple[_Item, ...]:
        if word.text == ".":
            return ()
        symbols = self.model.view.symbols
        kind = next((k for k in place.kinds if symbols.get(k) == word.text), None)
        return (_Item(kind if kind is not None else self._kind(place, word.text, word.span), 1, word.span),)

    def _kind(self, place: Place, word: str, span: Span) -> int:
        code = self._code(word)
        if code is not None and code in place.kinds:
            return code
        kinds = [self.model.value_name(k) for k in place.kinds]
        wrong = f"`{place.name}` cannot hold {word}" if code in self.model.kinds else f"no piece called `{word}`"
        raise _Wrong(span, f"{wrong}; `{place.name}` holds {_shortened(kinds)}{_did_you_mean(word, kinds)}")

    def _checked(self, row: _Row) -> _Row:
        for number, items in zip(row.numbers, row.items, strict=True):
            room, count = _room(row.place, number), sum(i.count for i in items)
            if 0 <= room < count:
                name = self.name_of(row.place, number)
                raise _Wrong(row.span, f"`{name}` has room for {room}, found {count} pieces")
        return row

    # variables

    def _values(
        self, variable: Variable, first: int, rest: tuple[tuple[int, ...], ...], key: Scalar, value: Scalar
    ) -> Iterator[_Value]:
        base = self.game.program.layout.variables[variable.name].base
        words = [_Word(value.text.strip(), value.span)]
        if rest:
            count = len(list(product(*rest)))
            if len(rest) > 2:
                raise _Wrong(key.span, f"`{key.text}` is {count} variables: write more of its indexes")
            words = [word for _, line in self._grid(key, value, rest) for word in line]
            if len(words) != count:
                raise _Wrong(value.span, f"`{key.text}` is {count} variables, found {len(words)} values")
        for number, word in enumerate(words, first):
            name = self.name_of(variable, number)
            yield _Value(word.span, name, base + number, self.value(word, variable.type, name))

    def value(self, word: _Word, t: Type, name: str) -> int:
        """The code of a value of that type."""
        if isinstance(t, YesNo):
            if word.text in ("true", "false"):
                return int(word.text == "true")
            raise _Wrong(word.span, f"`{name}` is true or false, found `{word.text}`")
        code = NONE if word.text == "none" else self._code(word.text)
        if code is None or not _fits(code, t):
            names = self._type_names(t)
            raise _Wrong(
                word.span, f"`{name}` is {_range(names)}, found `{word.text}`{_did_you_mean(word.text, names)}"
            )
        return code

    def _type_names(self, t: Type) -> list[str]:
        if not isinstance(t, Values):
            return []
        members = [self.model.value_name(c) for c in (*sorted(t.members), *((NONE,) if t.none else ()))]
        return members if t.lo is None else [f"{t.lo}..{t.hi}" if t.lo != t.hi else str(t.lo), *members]


def _split(scalar: Scalar, start: int, end: int, pattern: str) -> Iterator[_Word]:
    """The parts of a text that match, stripped, with their positions."""
    for m in re.compile(pattern).finditer(scalar.text, start, end):
        before = len(m[0]) - len(m[0].lstrip())
        text = m[0].strip()
        yield _Word(text, scalar.at(m.start() + before, m.start() + before + len(text)))


def _range(names: list[str]) -> str:
    """Values for a message: numbers in a row as `1..5`."""
    numbers = [n for n in names if n.lstrip("-").isdigit()]
    if len(numbers) > 2 and int(numbers[-1]) - int(numbers[0]) == len(numbers) - 1:
        names = [f"{numbers[0]}..{numbers[-1]}", *names[len(numbers) :]] if names[: len(numbers)] == numbers else names
    return ", ".join(names[:-1]) + (" or " if names[:-1] else "") + names[-1] if names else "no value"


def _fits(code: int, t: Type) -> bool:
    if not isinstance(t, Values):
        return True
    if code == NONE:
        return t.none
    return code in t.members or (t.lo is not None and t.hi is not None and t.lo <= code <= t.hi)


def _room(place: Place, number: int) -> int:
    return 1 if place.shape == "cell" else place.rooms[number]


# --- setting up a position ----------------------------------------------------------------------------------------


def _arranged(reader: _Reader, given: _Position, problems: list[Problem]) -> list[int]:
    """The vector in which the places named hold what is written, and nothing is lost or made."""
    layout, model = reader.game.program.layout, reader.model
    vector = list(layout.start)
    for value in given.values:
        vector[value.slot] = value.code
    named = [(row.place.name, n, items) for row in given.rows for n, items in zip(row.numbers, row.items, strict=True)]
    problems += _named_twice(reader, given)
    problems += _too_few(reader, [item for _, _, items in named for item in items])
    if problems:
        return vector
    lack: Counter[int] = Counter()
    for family, number, items in named:
        for kind, count in contents(layout, vector, family, number):
            lack[kind] -= count
        for item in items:
            lack[item.kind] += item.count
        _clear(reader.game, vector, family, number)
    taken = {(family, number) for family, number, _ in named}
    free = [at for at in dict.fromkeys((s.place, s.number) for s in model.pieces) if at not in taken]
    for kind, count in lack.items():
        home = {(s.place, s.number) for s in model.pieces if s.kind == kind}
        starts = sorted(free, key=lambda at: at not in home)  # the kind's own starting places come first
        left = (
            _take(reader.game, vector, starts, kind, count)
            if count > 0
            else _give_back(reader.game, vector, starts, kind, -count)
        )
        if left:
            name = f"{left} {model.value_name(kind)}"
            problems.append(
                Problem(given.rows[0].span, f"{name} cannot go back: each place where they start is named or full")
            )
    for family, number, items in named:
        for item in items:
            put(layout, vector, family, number, item.kind, item.count)
    return vector


def _named_twice(reader: _Reader, given: _Position) -> Iterator[Problem]:
    names = [
        (span, name)
        for row in given.rows
        for n in row.numbers
        for span, name in [(row.span, reader.name_of(row.place, n))]
    ]
    seen: set[str] = set()
    for span, name in (*names, *((v.span, v.name) for v in given.values)):
        if name in seen:
            yield Problem(span, f"`{name}` is given twice")
        seen.add(name)


def _too_few(reader: _Reader, items: list[_Item]) -> Iterator[Problem]:
    total: Counter[int] = Counter()
    for supply in reader.model.pieces:
        total[supply.kind] += supply.count
    needed: Counter[int] = Counter()
    for item in items:
        needed[item.kind] += item.count
    used: Counter[int] = Counter()
    for item in items:
        before = used[item.kind]
        used[item.kind] += item.count
        if before <= total[item.kind] < used[item.kind]:
            name = reader.model.value_name(item.kind)
            yield Problem(
                item.span, f"too few {name}: {needed[item.kind]} are given, and the game has {total[item.kind]}"
            )


def _clear(game: Game, vector: list[int], family: str, number: int) -> None:
    lay = game.program.layout.places[family]
    empty = NONE if lay.place.shape == "cell" else 0
    vector[lay.address(number) : lay.address(number) + lay.width] = [empty] * lay.width


def _take(game: Game, vector: list[int], starts: list[tuple[str, int]], kind: int, count: int) -> int:
    """Takes pieces of a kind from starting places in order; how many were not there."""
    layout = game.program.layout
    for family, number in starts:
        held = contents(layout, vector, family, number)
        kept: list[tuple[int, int]] = []
        for k, n in reversed(held):  # from the top of a stack
            gone = min(n, count) if k == kind else 0
            count -= gone
            kept.insert(0, (k, n - gone))
        if kept != held:
            _clear(game, vector, family, number)
            for k, n in kept:
                put(layout, vector, family, number, k, n)
    return count


def _give_back(game: Game, vector: list[int], starts: list[tuple[str, int]], kind: int, count: int) -> int:
    """Puts pieces of a kind on starting places in order, as room allows; how many found none."""
    layout = game.program.layout
    for family, number in starts:
        place = game.model.places[family]
        room = _room(place, number)
        held = sum(n for _, n in contents(layout, vector, family, number))
        fitting = min(count, room - held) if room >= 0 else count
        if kind in place.kinds and fitting > 0:
            put(layout, vector, family, number, kind, fitting)
            count -= fitting
    return count


# --- one example --------------------------------------------------------------------------------------------------


class _Trial:
    """One example tried in its game."""

    def __init__(self, game: Game, span: Span, node: Mapping) -> None:
        self.game, self.span, self.node = game, span, node
        self.model = game.model
        self.reader = _Reader(game)
        self.problems: list[Problem] = []

    def run(self) -> list[Problem]:
        given = _Position()
        for key, value in _map(self.node, "given"):
            with self._complaints(key.span):
                self.reader.read(key, value, given)
        run: tuple[str, tuple[int, ...]] | None = None
        with self._complaints(self.span):
            run = self._procedure()
        vector = _arranged(self.reader, given, self.problems) if not self.problems else []
        if run is None or self.problems:
            return self.problems
        where = self.node.get("run")
        with self._complaints(where.span if where else self.span):
            state = self.game.start_at(vector, *run)
            self._check_offered(state)
            self._check_refused(state)
            after = self._play(state)
            if after is not None:
                self._check_expected(after)
        return self.problems

    @contextmanager
    def _complaints(self, span: Span) -> Iterator[None]:
        """Whatever is wrong in here becomes a problem, at this position if it has none of its own."""
        try:
            yield
        except _Wrong as wrong:
            self.problems.append(wrong.problem)
        except Fault as fault:
            self._say(span, f"fault: {fault.message} ({fault.span})")
        except (IllegalMove, UnreadableMove) as error:
            self._say(span, str(error))

    def _say(self, span: Span, message: str) -> None:
        self.problems.append(Problem(span, message))

    def _procedure(self) -> tuple[str, tuple[int, ...]]:
        """What `run` says: a procedure and its arguments."""
        node = self.node.get("run")
        if not isinstance(node, Scalar):
            return "play", ()
        match = re.fullmatch(r"\s*([^\s()]+)\s*(?:\((.*)\)\s*)?", node.text)
        name = match[1] if match else node.text
        if match is None or name not in self.model.procedures:
            raise _Wrong(node.span, f"no steps called `{name}`{_did_you_mean(name, self.model.procedures)}")
        parameters = self.model.procedures[name].parameters
        words = list(_split(node, match.start(2), match.end(2), r"[^,]+")) if match[2] is not None else []
        if len(words) != len(parameters):
            usage = f"{name}({', '.join(f'{p.set} {p.name}' for p in parameters)})" if parameters else name
            raise _Wrong(node.span, f"expected `{usage}`, found `{node.text}`")
        return name, tuple(self.reader.value(w, p.type, p.name) for w, p in zip(words, parameters, strict=True))

    # before the moves

    def _check_offered(self, state: State) -> None:
        node = self.node.get("offered")
        if node is None:
            return
        legal = [str(m).split() for m in self.game.legal_moves(state)]
        if isinstance(node, Sequence):
            self._compare(node, [" ".join(words) for words in legal], "legal moves", node.span)
            return
        for key, value in _map(self.node, "offered"):
            with self._complaints(key.span):
                prefix = self._prefix(key)
                ends = [" ".join(words[len(prefix) :]) for words in legal if words[: len(prefix)] == prefix]
                self._compare(value, ends, f"after `{' '.join(prefix)}`", key.span)

    def _compare(self, node: Node, found: list[str], where: str, span: Span) -> None:
        if not isinstance(node, Sequence):
            self._say(node.span, f"expected a list of what is offered, found {kind_of(node)}")
            return
        wanted = [" ".join(item.text.split()) if isinstance(item, Scalar) else kind_of(item) for item in node.items]
        if sorted(wanted) != sorted(found):
            missing = [w for w in wanted if w not in found]
            surplus = [f for f in found if f not in wanted]
            more = (f"; missing: {_shortened(missing)}" if missing else "") + (
                f"; unexpected: {_shortened(surplus)}" if surplus else ""
            )
            self._say(span, f"{where}: expected exactly {_shortened(wanted)}, found {_shortened(found)}{more}")

    def _prefix(self, key: Scalar) -> list[str]:
        """The words a move begins with. They must be readable: an empty list of ends would say nothing otherwise."""
        words = key.text.split()
        name = words[0] if words else ""
        known = [*self.model.moves, "draw", "roll"]
        if name not in known:
            raise _Wrong(key.span, f"no move called `{name}`{_did_you_mean(name, known)}")
        if name in self.model.moves:
            choices = self.model.moves[name].choices
            if len(words) - 1 > len(choices):
                usage = " ".join([name, *(c.name.upper() for c in choices)])
                raise _Wrong(key.span, f"expected `{usage}` or its beginning, found `{key.text}`")
            for word, choice in zip(words[1:], choices, strict=False):
                try:
                    code = self.game.notation.read_value(word, choice.type, f"a value for {choice.name}")
                except UnreadableMove as error:
                    raise _Wrong(key.span, str(error)) from None
                if not _fits(code, choice.type):
                    expected = self.game.notation.expected(choice.type)
                    raise _Wrong(key.span, f"`{word}` is not a value for {choice.name}: expected {expected}")
        return words

    def _check_refused(self, state: State) -> None:
        for key, value in _map(self.node, "refused"):
            with self._complaints(key.span):
                texts = [" ".join(o.text.split()) for o in self.game.objections(state, key.text)]
                wanted = " ".join(value.text.split()) if isinstance(value, Scalar) else kind_of(value)
                if not texts:
                    self._say(key.span, f"expected `{key.text}` to be refused (`{wanted}`), but it is legal")
                elif wanted not in texts:
                    found = ", ".join(f"`{text}`" for text in texts)
                    self._say(value.span, f"expected `{key.text}` to be refused with `{wanted}`, found {found}")

    def _play(self, state: State) -> State | None:
        """The position after the moves, or none with a problem."""
        node = self.node.get("play")
        for item in node.items if isinstance(node, Sequence) else ():
            with self._complaints(item.span):
                if not isinstance(item, Scalar):
                    raise _Wrong(item.span, f"expected a move, found {kind_of(item)}")
                state = self.game.apply(state, item.text)
                continue
            return None
        return state

    # after the moves

    def _check_expected(self, state: State) -> None:
        expected = _Position()
        declared = {*self.model.places, *self.model.variables}
        for key, value in _map(self.node, "expect"):
            with self._complaints(key.span):
                name = key.text
                if name in SPECIAL and (name not in declared or (name != "over" and not isinstance(value, Scalar))):
                    self._check_special(name, value, state)
                else:
                    self.reader.read(key, value, expected, SPECIAL)
        for row in expected.rows:
            self._check_row(row, state)
        for v in expected.values:
            if state.vector[v.slot] != v.code:
                found = state.vector[v.slot]
                yes_no = isinstance(self.model.variables[v.name.split("[")[0]].type, YesNo)
                self._say(
                    v.span,
                    f"expected `{v.name}` to be {self._shown(v.code, yes_no)}, found {self._shown(found, yes_no)}",
                )

    def _shown(self, code: int, yes_no: bool) -> str:
        return ("true" if code else "false") if yes_no else self.model.value_name(code)

    def _check_row(self, row: _Row, state: State) -> None:
        layout = self.game.program.layout
        found = [contents(layout, state.vector, row.place.name, n) for n in row.numbers]
        wanted = [[(i.kind, i.count) for i in items] for items in row.items]
        if row.place.shape == "pile":
            wanted = [[(k, n) for k in row.place.kinds if (n := sum(c for kind, c in w if kind == k))] for w in wanted]
        if found != wanted:
            a, b = (self._written(row, c) for c in (wanted, found))
            self._say(row.span, f"expected {a} on `{row.name}`, found {b}")

    def _written(self, row: _Row, held: list[list[tuple[int, int]]]) -> str:
        """What lies there, as an author writes it."""
        name = self.model.value_name
        if len(row.numbers) > 1:
            symbols = self.model.view.symbols
            short = all(k in symbols for k in row.place.kinds)
            return "`" + " ".join((symbols[c[0][0]] if short else name(c[0][0])) if c else "." for c in held) + "`"
        words = [name(k) if n == 1 else f"{n} {name(k)}" for k, n in held[0]]
        return (" " if row.place.shape == "stack" else ", ").join(words) or "nothing"

    def _check_special(self, name: str, value: Node, state: State) -> None:
        match name:
            case "points" | "gained":
                self._check_points(name, value, state)
            case "winner":
                self._check_winner(value, state)
            case "over":
                if not isinstance(value, Scalar) or value.text not in ("true", "false"):
                    raise _Wrong(value.span, f"expected true or false after `over:`, found {kind_of(value)}")
                if (value.text == "true") != (state.to_move is None):
                    wanted = "to be over" if value.text == "true" else "to go on"
                    self._say(value.span, f"expected the game {wanted}, but {self._status(state)}")
            case "to move":
                wanted = value.text if isinstance(value, Scalar) else kind_of(value)
                names: dict[int | None, str] = {
                    None: "none",
                    CHANCE: "chance",
                    **{p: str(p) for p in range(1, self.game.players + 1)},
                }
                if wanted not in names.values():
                    players = _range(list(names.values())[2:])
                    raise _Wrong(value.span, f"expected {players}, chance or none after `to move:`, found `{wanted}`")
                if wanted != names[state.to_move]:
                    self._say(value.span, f"expected to move: {wanted}, but {self._status(state)}")

    def _status(self, state: State) -> str:
        if state.to_move is None:
            return "nothing is left to decide"
        moves = _shortened(list(dict.fromkeys(str(m).split()[0] for m in self.game.legal_moves(state))))
        return f"{'chance' if state.to_move == CHANCE else f'player {state.to_move}'} decides: {moves}"

    def _check_points(self, key: str, value: Node, state: State) -> None:
        if not isinstance(value, Mapping) or not value.entries:
            raise _Wrong(
                value.span, f"expected a map from scoring rules to points after `{key}:`, found {kind_of(value)}"
            )
        sums: Counter[str] = Counter()
        for line in self.game.ledger(state):
            sums[line.rule] += line.points if key == "points" else line.gained
        for rule, node in value:
            wanted = node.value if isinstance(node, Scalar) else None
            if rule.text not in self.model.rules:
                self._say(
                    rule.span, f"no scoring rule called `{rule.text}`{_did_you_mean(rule.text, self.model.rules)}"
                )
            elif not isinstance(wanted, int) or isinstance(wanted, bool):
                self._say(node.span, f"expected points, a whole number, for `{rule.text}`, found {kind_of(node)}")
            elif wanted != sums[rule.text]:
                self._say(node.span, f"expected {wanted} {key} for `{rule.text}`, found {sums[rule.text]}")

    def _check_winner(self, value: Node, state: State) -> None:
        nodes = value.items if isinstance(value, Sequence) else (value,)
        wanted = [n.value for n in nodes if isinstance(n, Scalar) and isinstance(n.value, int)]
        if len(wanted) != len(nodes) or not wanted:
            raise _Wrong(
                value.span,
                f"expected the number of a player, or a list of them, after `winner:`, found {kind_of(value)}",
            )
        outcome = self.game.outcome(state)
        players = " and ".join(map(str, wanted))
        if outcome is None:
            self._say(value.span, f"expected the winner to be {players}, but the game goes on: {self._status(state)}")
        elif sorted(wanted) != sorted(outcome.winners):
            why = "; ".join([outcome.reason, *(f"player {p} has {s}" for p, s in outcome.scores.items())])
            winners = " and ".join(map(str, outcome.winners))
            self._say(value.span, f"expected the winner to be {players}, found {winners} ({why})")
