"""The values that players may choose in games, and those that never may be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from interpreter.state import Group
from rulespec.diagnostics.diagnostic import Span
from rulespec.syntax import Model, MoveRule, Values


@dataclass(frozen=True, slots=True, order=True)
class Choosable:
    """A value of a choice: a member of a set, whose name the author wrote."""

    span: Span
    move: str
    choice: str
    member: str


@dataclass(slots=True)
class Offered:
    """How often every value could have been offered, and how often it was."""

    chances: Counter[Choosable] = field(
        default_factory=Counter
    )  # decisions at which the move was legal with some value
    times: Counter[Choosable] = field(default_factory=Counter)

    def add(self, offers: Offers) -> None:
        for (number, choice), values in offers.declared.items():
            asked, found = offers.asked[number], offers.found[number, choice]
            for code, value in values.items():
                self.chances[value] += asked
                self.times[value] += found[code]

    @property
    def never(self) -> dict[Choosable, int]:
        """Return the values that were never offered, and the decisions at which others were."""
        return {value: n for value, n in self.chances.items() if n and not self.times[value]}


class Offers:
    """The values that were offered in the games of one setting."""

    def __init__(self, model: Model, moves: Sequence[MoveRule]) -> None:
        self.declared: dict[tuple[int, int], dict[int, Choosable]] = {}
        words = {code for s in model.sets.values() if not s.parts for code in s.values} & model.member_names.keys()
        words -= {code for codes in model.place_codes.values() for code in codes}
        for number, move in enumerate(moves):
            for at, choice in enumerate(move.choices):
                t = choice.type
                if isinstance(t, Values) and t.members and t.lo is None and t.members <= words:
                    self.declared[number, at] = {
                        code: Choosable(choice.span, move.name, choice.name, model.member_names[code])
                        for code in t.members
                    }
        self.clear()

    def clear(self) -> None:
        self.asked: Counter[int] = Counter()
        self.found: dict[tuple[int, int], Counter[int]] = {key: Counter() for key in self.declared}

    def note(self, groups: Iterable[Group]) -> None:
        """Note the legal moves of one decision."""
        legal: dict[tuple[int, int], set[int]] = {}
        for number, first, last in groups:
            if not last:
                continue
            for at, code in enumerate(first):
                if (number, at) in self.declared:
                    legal.setdefault((number, at), set()).add(code)
            if (number, len(first)) in self.declared:
                legal.setdefault((number, len(first)), set()).update(last)
        for number in {number for number, _ in legal}:
            self.asked[number] += 1
        for key, codes in legal.items():
            self.found[key].update(codes)
