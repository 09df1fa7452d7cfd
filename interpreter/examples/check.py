"""Worked examples that cannot be read: complaints that need no game, so that authors get them with all others."""

from __future__ import annotations

from interpreter.examples.examples import find_examples
from interpreter.examples.positions import PositionReader
from interpreter.examples.stages import read_example
from interpreter.layout import lay_out
from interpreter.notation import Notation
from rulespec.diagnostics.diagnostic import Diagnostic, RuleFileError, Span
from rulespec.options.layers import OptionError, unknown
from rulespec.rules import PlayersError, Rules
from rulespec.yaml.nodes import Entry, Mapping, Node, Scalar
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
        for problem in read_example(reader, entry.key.span, node)[1]:
            self._say(problem.span, problem.message)

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

    def _say(self, span: Span, message: str) -> None:
        what, question, fix = message.partition("; did you mean")
        self.found.append(Diagnostic(span, CODE, what, WHY, f"did you mean{fix}" if question else ""))


def _map(node: Node | None) -> Mapping:
    return node if isinstance(node, Mapping) else Mapping(Span("", 1, 1, 1, 1), ())
