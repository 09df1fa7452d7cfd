"""Worked examples as data, read from their nodes: what is given, which steps are run, and what then comes in which order.

INVARIANT: `validate` and `test` read an example here and nowhere else, so what one can read the other can. What cannot be read is a
complaint that needs no game, so that authors get it with all others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from interpreter.examples.positions import (
    THE_REST,
    Arrangement,
    ExampleError,
    Position,
    PositionReader,
    Problem,
    arranged,
    fits,
    meant,
    one_of,
    split_words,
)
from interpreter.notation import Notation
from interpreter.state import UnreadableMove
from rulespec.diagnostics.diagnostic import Diagnostic, Edit, RuleFileError, Span
from rulespec.english import listed, listed_names, quoted
from rulespec.options.layers import OptionError, unknown
from rulespec.rules import PlayersError, Rules
from rulespec.syntax import Model
from rulespec.yaml.nodes import Entry, Mapping, Node, Scalar, Sequence
from rulespec.yaml.source import MOST_PROBLEMS, kind_of

LOOKS = ("offered", "refused", "expect")
MOST_LISTED = 12  # moves that a message names
KEYS = ("text", "see", "with", "players", "given", "run", "offered", "refused", "play", "expect")
EXPECT_WORDS = (
    "points",
    "gained",
    "winner",
    "over",
    "to move",
    "was told",
)  # what `expect` knows besides places and variables
_WORD_HABITS = {"next": "to move", "turn": "to move", "moves": "to move", "player": "to move", "won": "winner"}
_WORD_HABITS |= {"wins": "winner", "winners": "winner", "end": "over", "ended": "over", "finished": "over"}
CHANCE_WORDS = ("draw", "roll")
MOST_TIMES = 1000  # that one line makes a decision
MOST_PLACES = 400_000  # places and variables that the examples of a file name, a block naming all of its own
TOO_MANY_PLACES = "the examples before this one name more than {most:,} places, which is as many as are read"
UNREADABLE = "example-unreadable"
WHY = "an example that cannot be read shows nothing"


# Finding examples -----------------------------------------------------------------------------------------------


def find_examples(rules: Rules) -> Iterator[tuple[Entry, dict[str, str]]]:
    """Yield the examples, each with the choices it belongs to: those that an option brings are played with that option."""
    yield from ((entry, {}) for entry in _entries(rules.default_tree))
    for option in rules.options:
        for choice in option.choices:
            brought = [b for _, change in choice.changes if isinstance(b := change.get("examples"), Mapping)]
            if not brought or choice.name == option.default:
                continue
            with suppress(OptionError):  # a choice that is fixed otherwise, or excluded
                tree = rules.layers.resolve({option.name: choice.name})
                names = {key.text for examples in brought for key, _ in examples}
                yield from ((e, {option.name: choice.name}) for e in _entries(tree) if e.key.text in names)


def _entries(tree: Mapping) -> tuple[Entry, ...]:
    node = tree.get("examples")
    return node.entries if isinstance(node, Mapping) else ()


# Stages ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MadeDecision:
    """A line of `play`: a move or an outcome of chance, and how often it is repeated."""

    span: Span
    text: str
    times: int


@dataclass(frozen=True, slots=True)
class Continuation:
    """Exactly how the legal moves with this beginning continue; all legal moves, if the beginning is empty."""

    span: Span
    beginning: tuple[str, ...]
    ends: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExpectedRefusal:
    span: Span
    move: str
    text_span: Span
    text: str


@dataclass(frozen=True, slots=True)
class ExpectedPoints:
    """The points that a scoring rule gave all players, or one of them; or what was gained of them."""

    span: Span
    key: str
    gained: bool
    player: int | None
    rule: str
    points: int


@dataclass(frozen=True, slots=True)
class ExpectedWord:
    """`over`, `to move`, `winner` or `was told`, and what is expected of it; by a player, or else by whoever looks on."""

    span: Span
    word: str
    values: tuple[str, ...]
    player: int | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """All that is looked at in one position."""

    offered: tuple[Continuation, ...] = ()
    refused: tuple[ExpectedRefusal, ...] = ()
    position: Position = field(default_factory=Position)
    points: tuple[ExpectedPoints, ...] = ()
    words: tuple[ExpectedWord, ...] = ()


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """An example as far as it could be read. `arrangement` is None if the position cannot be set up, `stages` end before what cannot be played."""

    given: Position
    arrangement: Arrangement | None
    run: tuple[str, tuple[int, ...]] | None
    stages: tuple[Look | MadeDecision, ...]


def read_example(reader: PositionReader, span: Span, node: Mapping) -> tuple[WorkedExample, list[Problem]]:
    """Return an example, and what cannot be read in it."""
    stages = _StageReader(reader)
    given = Position()
    for key, value in _map(node.get("given")):
        with stages.complaints():
            reader.read(key, value, given)
    arrangement = arranged(reader, given, stages.problems) if not stages.problems else None
    run: tuple[str, tuple[int, ...]] | None = None
    with stages.complaints():
        run = read_run(reader, node.get("run"))
    return WorkedExample(given, arrangement, run, tuple(stages.read(node))), [*misshapen(node, span), *stages.problems]


def misshapen(node: Mapping, span: Span) -> Iterator[Problem]:
    """Yield what the schema would refuse too, and an example that checks nothing."""
    shapes: dict[str, tuple[type, ...]] = {
        "with": (Mapping,), "players": (Scalar,), "given": (Mapping,), "run": (Scalar,), "offered": (Mapping, Sequence),
        "refused": (Mapping,), "play": (Sequence,), "expect": (Mapping,),
    }  # fmt: skip
    words = {Mapping: "a map", Sequence: "a list", Scalar: "one value"}
    for key, value in node:
        if key.text not in KEYS:
            fix, edits = meant(key, key.text, KEYS)
            yield Problem(key.span, f"an example has no key `{key.text}`", fix=fix, edits=edits)
        elif key.text in shapes and not isinstance(value, shapes[key.text]):
            expected = listed((words[shape] for shape in shapes[key.text]), "or")
            yield Problem(value.span, f"expected {expected} after `{key.text}:`, found {kind_of(value)}")
    play = node.get("play")
    between = [item for item in (play.items if isinstance(play, Sequence) else ()) if isinstance(item, Mapping)]
    if not any(_looks_at_something(look) for look in (node, *between)):
        yield Problem(span, "this example checks nothing: it needs `offered`, `refused` or `expect`")


def _looks_at_something(node: Mapping) -> bool:
    return any(_map(node.get(key)).entries for key in LOOKS) or isinstance(node.get("offered"), Sequence)


class _StageReader:
    def __init__(self, reader: PositionReader) -> None:
        self.reader = reader
        self.model: Model = reader.model
        self.problems: list[Problem] = []

    @contextmanager
    def complaints(self) -> Iterator[None]:
        """Turn whatever cannot be read in here into a problem."""
        try:
            yield
        except ExampleError as wrong:
            self.problems.append(wrong.problem)

    def _say(self, span: Span, what: str, fix: str = "", edits: tuple[Edit, ...] = ()) -> None:
        self.problems.append(Problem(span, what, fix=fix, edits=edits))

    def read(self, node: Mapping) -> Iterator[Look | MadeDecision]:
        """Yield what comes one after another; nothing after a decision that cannot be read, though all is read."""
        before = [entry for entry in node.entries if entry.key.text in ("offered", "refused")]
        after = [entry for entry in node.entries if entry.key.text == "expect"]
        play = node.get("play")
        stages: list[Look | MadeDecision | None] = [self._look(before)]
        for item in play.items if isinstance(play, Sequence) else ():
            stages.append(self._between(item) if isinstance(item, Mapping) else self._decision(item))
        stages.append(self._look(after))
        for stage in stages:
            if stage is None:
                return
            yield stage

    def _decision(self, item: Node) -> MadeDecision | None:
        with self.complaints():
            if not isinstance(item, Scalar):
                raise ExampleError(item.span, f"expected a move, found {kind_of(item)}")
            return MadeDecision(item.span, *read_decision(self.reader, item))
        return None

    def _between(self, item: Mapping) -> Look:
        """Return a look between two decisions."""
        for key, value in item:
            if key.text not in LOOKS:
                expected = listed(quoted(LOOKS), "or")
                message = f"expected {expected} in `play`, found `{key.text}`"
                self._say(key.span, message, *meant(key, key.text, LOOKS))
            elif not isinstance(value, (Mapping, Sequence) if key.text == "offered" else Mapping):
                self._say(value.span, f"expected a map after `{key.text}:`, found {kind_of(value)}")
        return self._look(list(item.entries))

    def _look(self, entries: list[Entry]) -> Look:
        nodes = {entry.key.text: entry.value for entry in entries}
        offered = tuple(self._offered(nodes.get("offered")))
        refused = tuple(self._refused(nodes.get("refused")))
        return self._expected(_map(nodes.get("expect")), offered, refused)

    def _offered(self, node: Node | None) -> Iterator[Continuation]:
        if isinstance(node, Sequence):
            ends = [self._whole(item) for item in node.items]
            if all(end is not None for end in ends):
                yield Continuation(node.span, (), tuple(end for end in ends if end is not None))
        for key, value in _map(node):
            with self.complaints():
                beginning = tuple(read_beginning(self.reader, key))
                if not isinstance(value, Sequence):
                    raise ExampleError(value.span, f"expected a list of what is offered, found {kind_of(value)}")
                texts = [_spaced(item.text) if isinstance(item, Scalar) else kind_of(item) for item in value.items]
                yield Continuation(key.span, beginning, tuple(texts))

    def _whole(self, item: Node) -> str | None:
        with self.complaints():
            if not isinstance(item, Scalar):
                raise ExampleError(item.span, f"expected a move, found {kind_of(item)}")
            read_whole_move(self.reader, item)
            return _spaced(item.text)
        return None

    def _refused(self, node: Node | None) -> Iterator[ExpectedRefusal]:
        for key, value in _map(node):
            with self.complaints():
                read_whole_move(self.reader, key, choosable=False)  # what cannot be chosen is refused
                if not isinstance(value, Scalar):
                    raise ExampleError(value.span, f"expected the words of a refusal, found {kind_of(value)}")
                yield ExpectedRefusal(key.span, key.text, value.span, _spaced(value.text))

    # `expect`

    def _expected(self, node: Mapping, offered: tuple[Continuation, ...], refused: tuple[ExpectedRefusal, ...]) -> Look:
        position = Position()
        points: list[ExpectedPoints] = []
        words: list[ExpectedWord] = []
        for key, value in node:
            with self.complaints():
                name, bracket, _ = key.text.partition("[")
                if self._is_special(name, bracket, value):
                    if name in ("points", "gained"):
                        points += self._points(key, value)
                    elif name == "was told":
                        words.append(self._told(key, value))
                    else:
                        words.append(self._word(key, value))
                elif (
                    (word := _WORD_HABITS.get(name))
                    and name not in self.model.variables
                    and name not in self.model.places
                ):
                    message = f"no place or variable called `{name}`"
                    raise ExampleError(key.span, message, f"did you mean `{word}`?", key.respelled(word))
                else:
                    self.reader.read(key, value, position, EXPECT_WORDS)
        for rest in position.rest:
            self._say(rest.span, f"`{THE_REST}` is for `given`: write what lies there")
        return Look(offered, refused, position, tuple(points), tuple(words))

    def _is_special(self, name: str, bracket: str, value: Node) -> bool:
        if name not in EXPECT_WORDS or (bracket and name not in ("points", "gained", "was told")):
            return False
        declared = name in self.model.places or name in self.model.variables
        return not declared or (name != "over" and not isinstance(value, Scalar))

    def _points(self, key: Scalar, value: Node) -> Iterator[ExpectedPoints]:
        name, player = self._of_player(key)
        if not isinstance(value, Mapping) or not value.entries:
            message = f"expected a map from scoring rules to points after `{key.text}:`, found {kind_of(value)}"
            words = value.text if isinstance(value, Scalar) else ""
            rules = list(self.model.rules)
            written = f"{{{rules[0] if len(rules) == 1 else 'RULE'}: {words or '3'}}}"
            edits = value.respelled(written) if len(rules) == 1 and isinstance(value, Scalar) else ()
            raise ExampleError(value.span, message, f"write `{written}`", edits)
        for rule, node in value:
            points = node.value if isinstance(node, Scalar) else None
            if rule.text not in self.model.rules:
                message = f"no scoring rule called `{rule.text}`"
                self._say(rule.span, message, *meant(rule, rule.text, self.model.rules))
            elif not isinstance(points, int) or isinstance(points, bool):
                self._say(node.span, f"expected points, a whole number, for `{rule.text}`, found {kind_of(node)}")
            else:
                yield ExpectedPoints(node.span, key.text, name == "gained", player, rule.text, points)

    def _of_player(self, key: Scalar) -> tuple[str, int | None]:
        """Return the word of a key such as `points[1]`, and the player in its brackets, if there is one."""
        name, bracket, index = key.text.partition("[")
        if not bracket:
            return name, None
        match = re.fullmatch(r"\s*([0-9]{1,2})\s*\]", index)
        player = int(match[1]) if match else 0
        if not 1 <= player <= self.model.players:
            raise ExampleError(key.span, f"expected `{name}[1]` to `{name}[{self.model.players}]`, found `{key.text}`")
        return name, player

    def _told(self, key: Scalar, value: Node) -> ExpectedWord:
        name, player = self._of_player(key)
        nodes = value.items if isinstance(value, Sequence) else (value,)
        lines = [_spaced(node.text) for node in nodes if isinstance(node, Scalar)]
        if len(lines) != len(nodes):
            raise ExampleError(
                value.span, f"expected a text or a list of texts after `{key.text}:`, found {kind_of(value)}"
            )
        return ExpectedWord(value.span, name, tuple(lines), player)

    def _word(self, key: Scalar, value: Node) -> ExpectedWord:
        players = [str(p) for p in range(1, self.model.players + 1)]
        text = value.text if isinstance(value, Scalar) else ""
        match key.text:
            case "over":
                if text not in ("true", "false"):
                    raise ExampleError(value.span, f"expected true or false after `over:`, found {kind_of(value)}")
            case "to move":
                if text not in (*players, "chance", "none"):
                    found = f"`{text}`" if text else kind_of(value)
                    expected = f"expected {one_of(players)}, chance or none after `to move:`"
                    fix, edits = _player_number(value)
                    raise ExampleError(value.span, f"{expected}, found {found}", fix, edits)
            case _:
                nodes = value.items if isinstance(value, Sequence) else (value,)
                winners = [str(n.value) for n in nodes if isinstance(n, Scalar) and type(n.value) is int]
                if len(winners) != len(nodes) or not winners:
                    expected = "expected the number of a player, or a list of them, after `winner:`"
                    fix, edits = _player_number(value)
                    raise ExampleError(value.span, f"{expected}, found {kind_of(value)}", fix, edits)
                return ExpectedWord(value.span, key.text, tuple(winners))
        return ExpectedWord(value.span, key.text, (text,))


def _player_number(node: Node) -> tuple[str, tuple[Edit, ...]]:
    """Return how `player 2` is written, in words and as a change; nothing for anything else."""
    m = re.fullmatch(r"[Pp](?:layer)?\s*([0-9]+)", node.text) if isinstance(node, Scalar) else None
    return (f"write `{m[1]}`", node.respelled(m[1])) if m and isinstance(node, Scalar) else ("", ())


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _map(node: Node | None) -> Mapping:
    return node if isinstance(node, Mapping) else Mapping(Span("", 1, 1, 1, 1), ())


# Phrases --------------------------------------------------------------------------------------------------------


def read_run(reader: PositionReader, node: Node | None) -> tuple[str, tuple[int, ...]]:
    """Return what `run` says: a procedure and its arguments. Raise ExampleError."""
    if not isinstance(node, Scalar):
        return "play", ()
    procedures = reader.model.procedures
    match = re.fullmatch(r"\s*([^\s()]+)\s*(?:\((.*)\)\s*)?", node.text)
    name = match[1] if match else node.text
    if quotes := re.fullmatch(r"[“”„«»‘’](.*)[“”„«»‘’]", node.text):
        fix = f"write `{quotes[1]}`"
        raise ExampleError(node.span, "these are not the quotes of YAML", fix, node.respelled(quotes[1]))
    if name in reader.model.moves and name not in procedures:
        fix = f"`{name}` is a move: write it under `play:`; `run` names steps: {listed_names(sorted(procedures))}"
        raise ExampleError(node.span, f"no steps called `{name}`", fix)
    if match is None or name not in procedures:
        fix, edits = meant(node, name, procedures)
        there = sorted(procedures)
        known = f"there {'is' if len(there) == 1 else 'are'} {listed_names(there)}" if len(there) <= MOST_LISTED else ""
        raise ExampleError(node.span, f"no steps called `{name}`", fix or known, edits)
    parameters = procedures[name].parameters
    words = list(split_words(node, match.start(2), match.end(2), r"[^,]+")) if match[2] is not None else []
    if len(words) != len(parameters):
        usage = f"{name}({', '.join(f'{p.set} {p.name}' for p in parameters)})" if parameters else name
        raise ExampleError(node.span, f"expected `{usage}`, found `{node.text}`")
    return name, tuple(reader.value(w, p.type, p.name) for w, p in zip(words, parameters, strict=True))


def read_beginning(reader: PositionReader, key: Scalar, choosable: bool = True) -> list[str]:
    """Return the words a move begins with. They must be readable: an empty list of ends would say nothing otherwise."""
    return _check_beginning(reader, key, key.text.split(), choosable)


def _check_beginning(reader: PositionReader, key: Scalar, words: list[str], choosable: bool) -> list[str]:
    name = words[0] if words else ""
    known = [*reader.model.moves, *CHANCE_WORDS]
    if name not in known and (m := re.fullmatch(r"([a-z]\w*)\s*\(([^()]*)\)", key.text)) and m[1] in known:
        written = " ".join([m[1], *re.split(r"[,\s]+", m[2].strip())])
        message = "the words of a decision are written with blanks between them"
        raise ExampleError(key.span, message, f"write `{written}`", key.respelled(written))
    if name not in known and len(words) == 1 and reader.codes.get(name) in reader.model.kinds:
        fix = f"what chance decides is written `draw {name}`"
        raise ExampleError(key.span, f"no move called `{name}`", fix, key.respelled(f"draw {name}"))
    if name not in known:
        fix, edits = meant(key, name, known)
        moves = quoted(reader.model.moves)
        if not fix and 0 < len(moves) <= MOST_LISTED:
            fix = f"there {'is' if len(moves) == 1 else 'are'} {listed(moves)}"
        raise ExampleError(key.span, f"no move called `{name}`", fix, edits)
    if name in reader.model.moves:
        choices = reader.model.moves[name].choices
        if len(words) - 1 > len(choices):
            usage = reader.notation.usage(name, choices)
            raise ExampleError(key.span, f"expected `{usage}` or its beginning, found `{key.text}`")
        for word, choice in zip(words[1:], choices, strict=False):
            try:
                code = reader.notation.read_value(word, choice.type, reader.notation.one_of(choice))
            except UnreadableMove as error:
                raise ExampleError(key.span, error.what, error.fix, _change(key, error)) from None
            if choosable and not fits(code, choice.type):
                expected = reader.notation.expected(choice.type)
                raise ExampleError(key.span, f"`{word}` is not {reader.notation.one_of(choice)}: expected {expected}")
    return words


def read_whole_move(reader: PositionReader, node: Scalar, choosable: bool = True) -> None:
    """Check that a text is a move with all its words. Raise ExampleError."""
    _check_whole(reader, node, node.text.split(), choosable)


def read_decision(reader: PositionReader, node: Scalar) -> tuple[str, int]:
    """Return a decision and how often it is made: `draw bead`, `draw bead ×4`, `4 draw bead`. Raises ExampleError."""
    words = node.text.split()
    times = 1
    if words and (before := re.fullmatch(r"([0-9]{1,4})[x×]?", words[0])):
        words, times = words[1:], int(before[1])
    elif len(words) > _length(reader, words[:1]) and (after := re.fullmatch(r"[x×]([0-9]{1,4})", words[-1])):
        words, times = words[:-1], int(after[1])  # as many words as the move has choices are its choices
    if not 1 <= times <= MOST_TIMES:
        raise ExampleError(node.span, f"a decision is made 1 to {MOST_TIMES} times, found {times}")
    _check_whole(reader, node, words, choosable=True)
    return " ".join(words), times


def _length(reader: PositionReader, name: list[str]) -> int:
    """Return how many words a decision of that name has."""
    move = reader.model.moves.get(name[0]) if name else None
    return 1 + len(move.choices) if move else 2


def _check_whole(reader: PositionReader, node: Scalar, words: list[str], choosable: bool) -> None:
    name, *rest = _check_beginning(reader, node, words, choosable)
    if name in reader.model.moves:
        try:
            reader.notation.read_args(name, rest, reader.model.moves[name].choices)
        except UnreadableMove as error:
            raise ExampleError(node.span, error.what, error.fix, _change(node, error)) from None
    elif len(rest) != 1:
        fix, edits = "", tuple[Edit, ...]()
        if len(rest) == 2 and rest[0].isdecimal():
            several = f"{name} {rest[1]} ×{rest[0]}"
            fix, edits = f"for several equal ones write `{several}`", node.respelled(several)
        raise ExampleError(node.span, f"expected `{name} VALUE`, found `{' '.join(words)}`", fix, edits)
    elif not (re.fullmatch(r"-?[0-9]{1,10}", rest[0]) or rest[0] in (*reader.codes, "none")):
        names = [reader.model.value_name(kind) for kind in reader.model.kinds] if name == "draw" else reader.codes
        raise ExampleError(node.span, f"`{rest[0]}` is not a piece or value", *meant(node, rest[0], names))


def _change(node: Scalar, error: UnreadableMove) -> tuple[Edit, ...]:
    """Return the change of the word of a decision that was meant for another, alone."""
    return meant(node, error.meant[0], error.meant[1:])[1] if error.meant else ()


# Complaints -----------------------------------------------------------------------------------------------------


def check_examples(rules: Rules) -> list[Diagnostic]:
    """Return what cannot be read in the examples of the file itself.

    Those of a file below are its own affair, and so are those of a house rule beside others.
    """
    own = rules.own_file
    checker = _Checker(rules)
    for entry, choices in find_examples(rules):
        if len(checker.found) >= MOST_PROBLEMS:
            break
        if checker.places > MOST_PLACES:
            checker.found.append(Diagnostic(entry.key.span, "too-much-work", TOO_MANY_PLACES.format(most=MOST_PLACES)))
            break
        if entry.key.span.file == own and isinstance(entry.value, Mapping):
            checker.check(entry, dict(choices))
    return sorted(set(checker.found))


class _Checker:
    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.found: list[Diagnostic] = []
        self._readers: dict[int, PositionReader] = {}

    @property
    def places(self) -> int:
        """Return how many places and variables the examples so far name."""
        return sum(reader.places for reader in self._readers.values())

    def check(self, entry: Entry, choices: dict[str, str]) -> None:
        node = entry.value
        assert isinstance(node, Mapping)
        reader = self._reader(entry, node, choices)
        if reader is None:
            return
        for problem in read_example(reader, entry.key.span, node)[1]:
            self._say(problem.span, problem.what, problem.fix, problem.edits)

    def _reader(self, entry: Entry, node: Mapping, choices: dict[str, str]) -> PositionReader | None:
        """Return a reader for the rules that the example is about; none if there are no such rules."""
        for key, value in _map(node.get("with")):
            if isinstance(value, Scalar):
                if wrong := unknown(self.rules.layers.by_name, key.text, value.text, key.span, value.span):
                    self.found.append(wrong)
                    return None
                choices[key.text] = value.text
        number = node.get("players")
        players = number.value if isinstance(number, Scalar) and isinstance(number.value, int) else None
        try:
            model, _ = self.rules.check(players, choices)
        except OptionError as error:
            where = node.get("with")
            self._say(where.span if where else entry.key.span, str(error))
            return None
        except PlayersError as error:
            fix = "let `players:` of the file, at its top, include it, or give the example another number"
            self._say(number.span if number else entry.key.span, str(error), fix)
            return None
        except RuleFileError:
            return None  # what is wrong with the rules is reported elsewhere
        if id(model) not in self._readers:
            self._readers[id(model)] = PositionReader(model, Notation(model))
        return self._readers[id(model)]

    def _say(self, span: Span, what: str, fix: str = "", edits: tuple[Edit, ...] = ()) -> None:
        self.found.append(Diagnostic(span, UNREADABLE, what, WHY, fix, edits=edits))
