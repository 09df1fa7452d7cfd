"""Positions as text: `line[1, 2]: 2 bead`, a block of symbols for a board, `score[1]: 5`; read, and arranged: what lies where."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from math import prod

from interpreter.layout import Layout
from interpreter.notation import Notation
from rulespec.diagnostics.diagnostic import Edit, Span, edit
from rulespec.english import closest, listed, listed_names, number_of, suggestion
from rulespec.syntax import LARGEST, NONE, Model, Place, Type, Values, Variable, YesNo
from rulespec.yaml.nodes import Node, Scalar
from rulespec.yaml.source import kind_of

MOST_SHOWN = 30  # words of a list in a message
LONGEST_SYMBOL = 2  # letters of a word that is probably meant as a symbol
THE_REST = "the rest"  # lies in one place: every piece that no other line names
DIFFERS, NO_GAME, FAULT = "example-differs", "example-no-game", "example-fault"  # codes of problems
SPENT = "example-not-tried"


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing that is not as the example says, or that cannot be read."""

    span: Span
    what: str
    code: str = DIFFERS
    fix: str = ""
    edits: tuple[Edit, ...] = ()

    @property
    def message(self) -> str:
        """The message with its fix: what is wrong, and what was probably meant."""
        return f"{self.what}; {self.fix}" if self.fix else self.what

    def __str__(self) -> str:
        return f"{self.span}: {self.message}"


def shortened(words: Collection[str]) -> str:
    """Return the words as a list; of very many the first ones, and how many more there are."""
    shown = list(words)[:MOST_SHOWN]
    more = [f"{len(words) - len(shown):,} more"] if len(words) > len(shown) else []
    return listed([*shown, *more]) or "nothing"


# --- what is written about places and variables -----------------------------------------------------------------


class ExampleError(Exception):
    """Something in an example that cannot be read."""

    def __init__(self, span: Span, what: str, fix: str = "", edits: tuple[Edit, ...] = ()) -> None:
        self.problem = Problem(span, what, fix=fix, edits=edits)
        super().__init__(self.problem.message)


def meant(scalar: Scalar, word: str, known: Iterable[str]) -> tuple[str, tuple[Edit, ...]]:
    """Return what a word of a text was probably meant for, in words and as a change."""
    near = closest(word, known)
    found = re.search(rf"(?<![\w.]){re.escape(word)}(?![\w.])", scalar.text) if near else None
    return suggestion(near), scalar.edit(*found.span(), near, sure=False) if found else ()


@dataclass(frozen=True, slots=True)
class PieceCount:
    kind: int
    count: int
    span: Span


@dataclass(frozen=True, slots=True)
class Row:
    """A place, or a line of cells, and what is to lie there; a stack's pieces from the bottom."""

    span: Span
    name: str
    place: Place
    numbers: tuple[int, ...]
    items: tuple[tuple[PieceCount, ...], ...]  # for each place


@dataclass(frozen=True, slots=True)
class Value:
    """A value to be given to a variable, or expected of it; `number` counts the variables of that name."""

    span: Span
    name: str
    variable: Variable
    number: int
    code: int

    def slot(self, layout: Layout) -> int:
        """Return where it is in a position."""
        return layout.variables[self.variable.name].base + self.number


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Remainder:
    """The places where every piece lies that no other line names, in the order of `pieces:`."""

    span: Span
    place: Place
    numbers: tuple[int, ...]


@dataclass(slots=True)
class Position:
    """The contents of `given` or `expect`, in their order."""

    rows: list[Row] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)
    rest: list[Remainder] = field(default_factory=list)


class PositionReader:
    """Reads entries such as `board[1]: . . x`, `line[1, 2]: 2 bead` and `score[1]: 5`."""

    def __init__(self, model: Model, notation: Notation) -> None:
        self.model = model
        self.notation = notation
        self.codes = notation.codes
        self.places = 0  # that were read so far
        self.supply: Counter[int] = Counter()  # how many pieces of each kind the game has
        for supply in model.pieces:
            self.supply[supply.kind] += supply.count

    def _with_as_many_indexes(self, number: int) -> str:
        """Return which places and variables have so many indexes, in words."""
        indexes = {p.name: p.index for p in self.model.places.values()}
        indexes |= {v.name: v.index for v in self.model.variables.values()}
        fitting = sorted(name for name, index in indexes.items() if len(index) == number)
        if not fitting:
            return ""
        verb = "is" if len(fitting) == 1 else "are"
        return f"with {number_of(number, 'index')} there {verb} {listed_names(fitting)}"

    def read(self, key: Scalar, value: Node, into: Position, also: tuple[str, ...] = ()) -> None:
        match = re.fullmatch(r"\s*([^\s\[\]]+)\s*(?:\[(.*)\]\s*)?", key.text, re.DOTALL)
        name = match[1] if match else key.text
        place, variable = self.model.places.get(name), self.model.variables.get(name)
        if match is None or not (place or variable):
            known = (*self.model.places, *self.model.variables, *also)
            fix, edits = meant(key, name, known)
            if not fix and match is not None and match[2] is not None:
                fix = self._with_as_many_indexes(match[2].count(",") + 1)
            raise ExampleError(key.span, f"no place or variable called `{name}`", fix, edits)
        if not isinstance(value, Scalar):
            raise ExampleError(value.span, f"expected what `{key.text}` holds, found {kind_of(value)}")
        words = list(split_words(key, match.start(2), match.end(2), r"[^,]+")) if match[2] is not None else []
        if match[2] is not None and (not words or any(not w.text for w in words)):
            raise ExampleError(key.span, f"an index of `{name}` is missing")
        if place:
            first, rest = self._first(name, place, words, key)
            if value.text.strip() == THE_REST:
                numbers = tuple(range(first, first + prod(map(len, rest))))
                self.places += len(numbers)
                into.rest.append(Remainder(value.span, place, numbers))
            else:
                into.rows += self._rows(place, first, rest, key, value)
        elif variable:
            first, rest = self._first(name, variable, words, key)
            into.values += self._values(variable, first, rest, key, value)

    def _first(
        self, name: str, family: Place | Variable, words: list[Word], key: Scalar
    ) -> tuple[int, tuple[tuple[int, ...], ...]]:
        """Return the number of the first place or variable meant, and the index values that are left open."""
        at = 0
        number = 0
        for word in words:
            code = self._code(word.text)
            known = family.index_values[at] if at < len(family.index_values) else ()
            parts = (code,) if code in known else self.model.pair_parts.get(code if code is not None else NONE, (code,))
            for part in parts:
                if at == len(family.index_values):
                    expected = number_of(at, "index") if at else "no index"
                    fix, edits = ("", ()) if at else (f"write `{name}`", key.respelled(name))
                    raise ExampleError(key.span, f"`{name}` has {expected}, found more: `{key.text}`", fix, edits)
                values = family.index_values[at]
                if part is None or part not in values:
                    names = [self.model.value_name(v) for v in values]
                    what = family.index[at] or "its index"
                    message = f"there is no `{key.text}`: {what} is {one_of(names)}, found `{word.text}`"
                    near = closest(word.text, names)
                    edits = edit(word.span, word.text, near, sure=False)
                    raise ExampleError(word.span, message, suggestion(near), edits)
                number = number * len(values) + values.index(part)
                at += 1
        rest = family.index_values[at:]
        for values in rest:
            number *= len(values)
        return number, rest

    def _code(self, word: str) -> int | None:
        if re.fullmatch(r"-?[0-9]{1,10}", word):
            return int(word) if abs(int(word)) <= LARGEST else None  # larger ones are the codes of members
        return self.codes.get(word)

    def name_of(self, family: Place | Variable, number: int, indexes: int | None = None) -> str:
        """Return a place or variable as it is written, with all or the first few of its indexes."""
        index: list[str] = []
        for values in reversed(family.index_values):
            index.insert(0, self.model.value_name(values[number % len(values)]))
            number //= len(values)
        index = index[:indexes]
        return f"{family.name}[{', '.join(index)}]" if index else family.name

    def _grid(self, key: Scalar, value: Scalar, rest: tuple[tuple[int, ...], ...]) -> list[tuple[Span, list[Word]]]:
        """Return the words of a line or block for the one or two indexes that are left open."""
        starts = list(re.finditer(r"^.*$", value.text.rstrip(), re.MULTILINE))
        lines = [list(split_words(value, m.start(), m.end(), r"\S+")) for m in starts]
        spans = [value.at(m.start() + len(m[0]) - len(m[0].lstrip()), m.start() + len(m[0].rstrip())) for m in starts]
        rows, columns = (1 if len(rest) == 1 else len(rest[0])), len(rest[-1])
        if len(lines) > rows:
            raise ExampleError(spans[rows], f"`{key.text}` has {number_of(rows, 'row')}, found {len(lines)}")
        for span, line in zip(spans, lines, strict=True):
            if len(lines) == 1 and columns < len(line) <= columns * rows and value.span.end_line > value.span.line:
                fix = f"write `|` after `{key.text}:`, so that its lines stay lines"
                end = key.span.end_col
                at = Span(key.span.file, key.span.line, end, key.span.line, end + 1)
                raise ExampleError(key.span, f"the lines of `{key.text}` are read as one", fix, edit(at, ":", ": |"))
            if len(line) > columns:
                raise ExampleError(span, f"a row of `{key.text}` has {number_of(columns, 'space')}, found {len(line)}")
        return list(zip(spans, lines, strict=True))

    # places

    def _rows(
        self, place: Place, first: int, rest: tuple[tuple[int, ...], ...], key: Scalar, value: Scalar
    ) -> Iterator[Row]:
        text = value.text.strip()
        given = len(place.index_values) - len(rest)
        count = prod(map(len, rest))
        self.places += count
        if not text:
            raise ExampleError(
                key.span, f"expected what lies on `{key.text}`, found nothing; an empty place is written `nothing`"
            )
        if text == "nothing" or not rest:
            for number in range(first, first + count):
                items = () if text == "nothing" else self._items(place, value)
                yield self._checked(Row(value.span, self.name_of(place, number), place, (number,), (items,)))
            return
        if place.shape != "cell":
            meant = f"{key.text.strip()}[1]" if not given and place.index[:1] == ("player",) and len(rest) == 1 else ""
            fix, edits = f"write `{meant}` for that of player 1" if meant else "", key.respelled(meant or None)
            raise ExampleError(
                key.span, f"`{key.text}` needs all its indexes, or `nothing` for all of them", fix, edits
            )
        if len(rest) > 2:
            raise ExampleError(
                key.span, f"`{key.text}` leaves {len(rest)} indexes open, and a block shows two: write more of them"
            )
        written = self._grid(key, value, rest)
        columns = len(rest[-1])
        for start in range(0, count, columns):
            span, words = written.pop(0) if written else (value.span, [])
            pieces = [self._piece(place, w) for w in words] + [()] * (columns - len(words))
            numbers = tuple(range(first + start, first + start + columns))
            name = self.name_of(place, first + start, given + len(rest) - 1)
            yield self._checked(Row(span, name, place, numbers, tuple(pieces)))

    def _items(self, place: Place, value: Scalar) -> tuple[PieceCount, ...]:
        """Return what is written: `2 bead, shell` on a pile; `bead shell` on a stack; one piece on a cell."""
        if place.shape != "pile":
            words = split_words(value, 0, len(value.text), r"\S+")
            return tuple(item for word in words for item in self._piece(place, word))
        found = []
        for part in split_words(value, 0, len(value.text), r"[^,]+"):
            match = re.fullmatch(r"(?:([0-9]{1,5})\s+)?(\S+)", part.text)
            if match is None or (match[2].isdigit() and self._code(match[2]) not in place.kinds):
                usage = f"2 {self.model.value_name(place.kinds[0])}"
                message = f"expected how many and which pieces, such as `{usage}`, found `{part.text}`"
                written = _counted_otherwise(part.text)
                fix = f"write `{written}`" if written else ""
                raise ExampleError(part.span, message, fix, edit(part.span, part.text, written or None, sure=False))
            found.append(PieceCount(self._kind(place, match[2], part.span), int(match[1] or 1), part.span))
        return tuple(found)

    def _piece(self, place: Place, word: Word) -> tuple[PieceCount, ...]:
        if word.text == ".":
            return ()
        symbols = self.model.view.symbols
        kind = next((k for k in place.kinds if symbols.get(k) == word.text), None)
        return (PieceCount(kind if kind is not None else self._kind(place, word.text, word.span), 1, word.span),)

    def _kind(self, place: Place, word: str, span: Span) -> int:
        code = self._code(word)
        if code is not None and code in place.kinds:
            return code
        kinds = [self.model.value_name(k) for k in place.kinds]
        symbols = [self.model.view.symbols[k] for k in place.kinds if k in self.model.view.symbols]
        if place.shape == "cell" and (drawn := self._drawn(word, symbols)):
            raise ExampleError(
                span, f"no piece called `{word}`", f"write `{drawn}`", edit(span, word, drawn, sure=False)
            )
        if place.shape == "cell" and len(word) <= LONGEST_SYMBOL and symbols:
            kinds = [
                f"{name} ({self.model.view.symbols.get(k, '')})".replace(" ()", "")
                for k, name in zip(place.kinds, kinds, strict=True)
            ]
        if set(self.model.sets) & {word, word.removesuffix("s")} and place.shape == "pile":
            raise ExampleError(
                span, f"`{word}` is not one kind of piece", f"name the kinds: `{place.name}` holds {shortened(kinds)}"
            )
        wrong = f"`{place.name}` cannot hold {word}" if code in self.model.kinds else f"no piece called `{word}`"
        near = closest(word, kinds)
        longer = [
            (k, text)
            for k in place.kinds
            if len(text := self.model.view.symbols.get(k, "")) > 1 and text.startswith(word)
        ]
        if place.shape == "cell" and len(longer) == 1 and len(word) == 1:
            kind, text = longer[0]
            fix = f"`{self.model.value_name(kind)}` has the symbol `{text}`: let it be `{word}` under `view: symbols:`"
            raise ExampleError(span, f"{wrong}; `{place.name}` holds {shortened(kinds)}", fix)
        edits = edit(replace(span, col=max(1, span.end_col - len(word))), word, near, sure=False)
        raise ExampleError(span, f"{wrong}; `{place.name}` holds {shortened(kinds)}", suggestion(near), edits)

    def _drawn(self, word: str, symbols: list[str]) -> str:
        """Return a space or a row that is drawn in another way as it is written here; nothing if it is not."""
        if word in ("_", "-", "0", "·", "…", "empty", "none"):
            return "."
        if len(word) > 1 and set(word) <= {*symbols, ".", "_", "-"}:
            return " ".join(word).replace("_", ".").replace("-", ".")
        return ""

    def _checked(self, row: Row) -> Row:
        for number, items in zip(row.numbers, row.items, strict=True):
            room, count = _room(row.place, number), sum(i.count for i in items)
            if 0 <= room < count:
                name = self.name_of(row.place, number)
                raise ExampleError(row.span, f"`{name}` has room for {room}, found {number_of(count, 'piece')}")
        return row

    # variables

    def _values(
        self, variable: Variable, first: int, rest: tuple[tuple[int, ...], ...], key: Scalar, value: Scalar
    ) -> Iterator[Value]:
        words = [Word(value.text.strip(), value.span)]
        if rest:
            count = prod(map(len, rest))
            self.places += count
            if len(rest) > 2:
                raise ExampleError(key.span, f"`{key.text}` stands for {count} variables: write more of its indexes")
            if isinstance(value, Scalar) and re.fullmatch(r"\w+(?:\s*[,;]\s*\w+)+", value.text):
                meant = " ".join(re.split(r"[,;\s]+", value.text))
                message = f"the values of `{key.text}` are written with blanks between them, found `{value.text}`"
                raise ExampleError(value.span, message, f"write `{meant}`", value.respelled(meant))
            words = [word for _, line in self._grid(key, value, rest) for word in line]
            if len(words) != count:
                message = (
                    f"`{key.text}` stands for {number_of(count, 'variable')}, found {number_of(len(words), 'value')}"
                )
                meant = f"{key.text.strip()}[1]" if len(rest) == 1 == len(words) and len(variable.index) == 1 else ""
                one = f"write `{meant}` for the first, or all {count} values"
                raise ExampleError(value.span, message, one if meant else "", key.respelled(meant or None))
        for number, word in enumerate(words, first):
            name = self.name_of(variable, number)
            yield Value(word.span, name, variable, number, self.value(word, variable.type, name))

    def value(self, word: Word, t: Type, name: str) -> int:
        """Return the code of a value of that type."""
        if isinstance(t, YesNo):
            if word.text in ("true", "false"):
                return int(word.text == "true")
            near = {"yes": "true", "no": "false", "True": "true", "False": "false"}.get(word.text)
            near = near or {"1": "true", "0": "false", "on": "true", "off": "false"}.get(word.text)
            fix, edits = f"write `{near}`" if near else "", edit(word.span, word.text, near, sure=False)
            raise ExampleError(word.span, f"`{name}` is true or false, found `{word.text}`", fix, edits)
        code = NONE if word.text == "none" else self.model.place_named(word.text, t) or self._code(word.text)
        if code is None or not fits(code, t):
            names = self.type_names(t)
            near, message = closest(word.text, names), f"`{name}` is {one_of(names)}, found `{word.text}`"
            raise ExampleError(word.span, message, suggestion(near), edit(word.span, word.text, near, sure=False))
        return code

    def type_names(self, t: Type) -> list[str]:
        if not isinstance(t, Values):
            return []
        members = [self.model.value_name(c) for c in (*sorted(t.members), *((NONE,) if t.none else ()))]
        return members if t.lo is None else [f"{t.lo}..{t.hi}" if t.lo != t.hi else str(t.lo), *members]


def _counted_otherwise(words: str) -> str:
    """Return pieces that are counted in another way as they are written here; nothing if that is not clear."""
    if m := re.fullmatch(r"([0-9]{1,5})\s*[x×*]\s*([a-z]\w*)", words):
        return f"{m[1]} {m[2]}"
    if m := re.fullmatch(r"([a-z]\w*)\s*[x×*:=]?\s*([0-9]{1,5})", words):
        return f"{m[2]} {m[1]}"
    if re.search(r"\s(?:and|&|\+)\s", words):
        return re.sub(r"\s+(?:and|&|\+)\s+", ", ", words)
    if m := re.fullmatch(r"(?:an?|one)\s+([a-z]\w*)", words):
        return m[1]
    return ""


def split_words(scalar: Scalar, start: int, end: int, pattern: str) -> Iterator[Word]:
    """Yield the parts of a text that match, stripped, with their positions."""
    for m in re.compile(pattern).finditer(scalar.text, start, end):
        before = len(m[0]) - len(m[0].lstrip())
        text = m[0].strip()
        yield Word(text, scalar.at(m.start() + before, m.start() + before + len(text)))


def one_of(names: list[str]) -> str:
    """Return values for a message: numbers in a row as `1..5`."""
    numbers = [n for n in names if n.lstrip("-").isdigit()]
    if len(numbers) > 2 and int(numbers[-1]) - int(numbers[0]) == len(numbers) - 1:
        names = [f"{numbers[0]}..{numbers[-1]}", *names[len(numbers) :]] if names[: len(numbers)] == numbers else names
    return listed(names, "or") or "no value"


def fits(code: int, t: Type) -> bool:
    if not isinstance(t, Values):
        return True
    if code == NONE:
        return t.none
    return code in t.members or (t.lo is not None and t.hi is not None and t.lo <= code <= t.hi)


def _room(place: Place, number: int) -> int:
    return 1 if place.shape == "cell" else place.rooms[number]


# --- arranging a position -----------------------------------------------------------------------------------------

Spot = tuple[str, int]  # a place by the name of its family, and its number there
Held = list[tuple[int, int]]  # (kind, how many); of a stack from the bottom


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A position by its differences from the start: places with what lies on them, variables with their values."""

    pieces: dict[Spot, Held]
    values: tuple[Value, ...]


def arranged(reader: PositionReader, given: Position, problems: list[Problem]) -> Arrangement | None:
    """Return the arrangement in which the named places hold what is written; none, with problems, if pieces do not add up."""
    model = reader.model
    named = [(row.place.name, n, items) for row in given.rows for n, items in zip(row.numbers, row.items, strict=True)]
    problems += _named_twice(reader, given)
    problems += _too_few(reader, [item for _, _, items in named for item in items])
    problems += [Problem(rest.span, f"`{THE_REST}` is given twice; it lies in one place") for rest in given.rest[1:]]
    if problems:
        return None
    rest = [(r.place.name, n) for r in given.rest for n in r.numbers]
    taken = {*((family, number) for family, number, _ in named), *rest}
    free = [at for at in dict.fromkeys((s.place, s.number) for s in model.pieces) if at not in taken]
    left = Counter(reader.supply)  # that no line names
    for _, _, items in named:
        for item in items:
            left[item.kind] -= item.count
    movable = frozenset(given.rest[0].place.kinds if given.rest else ())  # all of these go to where the rest lies
    pieces: dict[Spot, Held] = {at: [] for at in (*taken, *free)}
    for supply in model.pieces:
        if (supply.place, supply.number) not in taken and supply.kind not in movable:
            pieces[supply.place, supply.number].append((supply.kind, supply.count))
            left[supply.kind] -= supply.count
    lost: list[tuple[int, int]] = []
    for kind, count in left.items():
        home = {(s.place, s.number) for s in model.pieces if s.kind == kind}
        starts = sorted(free, key=lambda at: at not in home)  # the kind's own starting places come first
        over = (
            _give_back(model, pieces, [*rest, *starts], kind, count)
            if count > 0
            else _take(pieces, starts, kind, -count)
        )
        if over:
            lost.append((kind, over))
    if lost:
        names = shortened([f"{over} {model.value_name(kind)}" for kind, over in lost])
        hint = f"; write `{THE_REST}` for the place that holds them" if not given.rest else ""
        message = f"nothing says where these lie: {names}; each place where they start is named or full{hint}"
        problems.append(Problem((given.rest or given.rows)[0].span, message))
        return None
    for family, number, items in named:
        pieces[family, number] += [(item.kind, item.count) for item in items]
    return Arrangement(pieces, tuple(given.values))


def _named_twice(reader: PositionReader, given: Position) -> Iterator[Problem]:
    seen: set[Spot] = set()
    rows: list[Row | Remainder] = [*given.rows, *given.rest]
    for row in rows:
        for n in row.numbers:
            if (row.place.name, n) in seen:
                yield Problem(row.span, f"`{reader.name_of(row.place, n)}` is given twice")
            seen.add((row.place.name, n))
    for v in given.values:
        if (v.variable.name, v.number) in seen:
            yield Problem(v.span, f"`{v.name}` is given twice")
        seen.add((v.variable.name, v.number))


def _too_few(reader: PositionReader, items: list[PieceCount]) -> Iterator[Problem]:
    total = reader.supply
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
                item.span, f"too few {name}: {needed[item.kind]} are given, but the game has {total[item.kind]}"
            )


def _take(pieces: dict[Spot, Held], starts: list[Spot], kind: int, count: int) -> int:
    """Take pieces of a kind from starting places in order; return how many were not there."""
    for at in starts:
        kept: Held = []
        for k, n in reversed(pieces[at]):  # from the top of a stack
            gone = min(n, count) if k == kind else 0
            count -= gone
            kept.insert(0, (k, n - gone))
        pieces[at] = kept
    return count


def _give_back(model: Model, pieces: dict[Spot, Held], starts: list[Spot], kind: int, count: int) -> int:
    """Put pieces of a kind on starting places in order, as room allows; return how many found none."""
    for family, number in starts:
        place = model.places[family]
        room = _room(place, number)
        held = sum(n for _, n in pieces[family, number])
        fitting = min(count, room - held) if room >= 0 else count
        if kind in place.kinds and fitting > 0:
            pieces[family, number].append((kind, fitting))
            count -= fitting
    return count
