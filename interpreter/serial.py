"""Positions as plain data, for files and other programs, and back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.layout import BLOCK, note
from interpreter.seeds import seed_from_data, seed_to_data
from interpreter.state import State, linked
from rulespec.syntax import MOST_NOTED

VERSION = 1


class BadState(ValueError):
    """Data that is no position of this game; the message says what was expected and what was found."""


@dataclass(frozen=True, slots=True)
class StateFormat:
    """The form of one game's positions as data: what they have in common, and what a good one is."""

    rules: str  # the fingerprint
    players: int
    options: Mapping[str, str]
    size: int  # of the vector
    decisions: Collection[int]  # the blocks that wait for one
    who_decides: Callable[[Sequence[int]], int | None]
    noted: tuple[int, ...] = ()  # how many numbers are noted together, by what they are of

    def write(self, state: State) -> dict[str, Any]:
        """Return everything about a position, fit for JSON."""
        return {
            "version": VERSION,
            "rules": self.rules,
            "players": self.players,
            "options": dict(self.options),
            "vector": list(state.vector[: self.size]),
            **self._noted_to_data(state),
            "seed": seed_to_data(state.seed),
            "past": [[number, args if isinstance(args, int) else list(args)] for number, args in state.past()],
            "log": [list(line) for line in state.log()],
        }

    def read(self, data: Any) -> State:
        """Return the position that `write` wrote; it must be one of the same rules."""
        if not isinstance(data, dict):
            raise BadState(f"expected a position, found {type(data).__name__}")
        for key, wanted in (("version", VERSION), ("rules", self.rules), ("players", self.players)):
            if data.get(key) != wanted:
                raise BadState(f"expected {key} {wanted!r}, found {data.get(key)!r}")
        vector = data.get("vector")
        if not isinstance(vector, list) or len(vector) != self.size or not all(type(n) is int for n in vector):
            raise BadState(f"expected a vector of {self.size} whole numbers")
        vector = [*vector, *self._noted_from_data(data.get("noted"))]
        at = vector[BLOCK]
        if at and at not in self.decisions:
            raise BadState(f"no decision has the number {at}")
        try:
            past = [(n, args if isinstance(args, int) else tuple(_tupled(a) for a in args)) for n, args in data["past"]]
            log = [tuple(_tupled(value) for value in line) for line in data["log"]]
            seed = seed_from_data(data["seed"])
        except (KeyError, TypeError, ValueError) as error:
            raise BadState(f"the record of decisions and points is damaged: {error}") from error
        if not all(map(_is_line, log)):
            raise BadState("the record of decisions and points is damaged: a line has another form")
        who = self.who_decides(vector)
        return State(tuple(vector), who, len(past), linked(None, past), linked(None, log), seed, [])

    def _noted_to_data(self, state: State) -> dict[str, Any]:
        """Return what a game that remembers has noted, each as which things and their numbers."""
        if not self.noted:
            return {}
        notes: Any = state.vector[-1]
        return {"noted": [list(found) for _, *found in notes]}

    def _noted_from_data(self, data: Any) -> tuple[Any, ...]:
        """Return the entry of a vector that holds what was noted; nothing for a game that does not remember."""
        if not self.noted:
            return ()
        if not isinstance(data, list) or len(data) > MOST_NOTED or not all(map(self._is_noted, data)):
            raise BadState(f"expected at most {MOST_NOTED:,} positions that were noted")
        return (tuple(note(number, values) for number, *values in data),)

    def _is_noted(self, found: Any) -> bool:
        if not isinstance(found, list) or not found or not all(type(n) is int for n in found):
            return False
        return 0 <= found[0] < len(self.noted) and len(found) == 1 + self.noted[found[0]]


def _is_line(line: tuple[Any, ...]) -> bool:
    """Return whether a line has the form of those that a run logs: numbers, and lists of numbers at the places of lists."""
    shape = [type(value) for value in line]
    return shape == [int, int, int, tuple, int, int, tuple] and all(map(_is_whole, line))


def _is_whole(value: Any) -> bool:
    return all(map(_is_whole, value)) if isinstance(value, tuple) else type(value) is int


def _tupled(value: Any) -> Any:
    return tuple(_tupled(v) for v in value) if isinstance(value, list) else value
