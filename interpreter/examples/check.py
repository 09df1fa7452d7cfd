"""Worked examples that cannot be read: complaints that need no game, so that authors get them with all others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from interpreter.examples.examples import EXPECT_WORDS, find_examples
from interpreter.examples.phrases import read_beginning, read_run, read_whole_move
from interpreter.examples.positions import Position, PositionReader, Wrong
from interpreter.layout import lay_out
from interpreter.notation import Notation
from rulespec.diagnostics.diagnostic import Diagnostic, RuleFileError, Span
from rulespec.english import suggest
from rulespec.options.layers import OptionError, unknown
from rulespec.rules import PlayersError, Rules
from rulespec.syntax import Model
from rulespec.yaml.nodes import Entry, Mapping, Node, Scalar, Sequence
from rulespec.yaml.source import MOST_PROBLEMS

CODE = "example-unreadable"
WHY = "an example that cannot be read shows nothing"


def check_examples(rules: Rules) -> list[Diagnostic]:
    """What cannot be read in the examples of the file itself. Those of a file below are that file's own affair."""
    own = rules.layers.files[-1].tree.span.file
    checker = _Checker(rules)
    for entry, choices in find_examples(rules):
        if len(checker.found) >= MOST_PROBLEMS:
            break
        if entry.key.span.file == own and isinstance(entry.value, Mapping):
            checker.check(entry, dict(choices))
    return sorted(set(checker.found))


class _Checker:
    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.found: list[Diagnostic] = []
        self._readers: dict[int, PositionReader] = {}

    def check(self, entry: Entry, choices: dict[str, str]) -> None:
        node = entry.value
        assert isinstance(node, Mapping)
        reader = self._reader(entry, node, choices)
        if reader is None:
            return
        with self._complaints():
            read_run(reader, node.get("run"))
        self._check_held(reader, node.get("given"), ())
        self._check_held(reader, node.get("expect"), EXPECT_WORDS)
        self._check_points(reader.model, node.get("expect"))
        for key in ("offered", "refused"):
            for beginning, _ in _map(node.get(key)):
                with self._complaints():
                    if key == "offered":
                        read_beginning(reader, beginning)
                    else:
                        read_whole_move(reader, beginning, choosable=False)  # what cannot be chosen is refused
        for key in ("offered", "play"):
            moves = node.get(key)
            for item in moves.items if isinstance(moves, Sequence) else ():
                if isinstance(item, Scalar):
                    with self._complaints():
                        read_whole_move(reader, item)

    def _reader(self, entry: Entry, node: Mapping, choices: dict[str, str]) -> PositionReader | None:
        """A reader for the rules that the example is about; none if there are no such rules."""
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
            self._say(number.span if number else entry.key.span, str(error))
            return None
        except RuleFileError:
            return None  # what is wrong with the rules is told elsewhere
        if id(model) not in self._readers:
            self._readers[id(model)] = PositionReader(model, Notation(model), lay_out(model))
        return self._readers[id(model)]

    def _check_held(self, reader: PositionReader, node: Node | None, special: tuple[str, ...]) -> None:
        declared = {*reader.model.places, *reader.model.variables}
        for key, value in _map(node):
            if key.text not in special or (key.text in declared and isinstance(value, Scalar)):
                with self._complaints():
                    reader.read(key, value, Position(), special)

    def _check_points(self, model: Model, node: Node | None) -> None:
        for name in ("points", "gained"):
            for rule, _ in _map(_map(node).get(name)):
                if rule.text not in model.rules:
                    self._say(rule.span, f"no scoring rule called `{rule.text}`{suggest(rule.text, model.rules)}")

    @contextmanager
    def _complaints(self) -> Iterator[None]:
        try:
            yield
        except Wrong as wrong:
            self._say(wrong.problem.span, wrong.problem.message)

    def _say(self, span: Span, message: str) -> None:
        what, question, fix = message.partition("; did you mean")
        self.found.append(Diagnostic(span, CODE, what, WHY, f"did you mean{fix}" if question else ""))


def _map(node: Node | None) -> Mapping:
    return node if isinstance(node, Mapping) else Mapping(Span("", 1, 1, 1, 1), ())
