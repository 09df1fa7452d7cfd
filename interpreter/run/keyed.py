"""Random games by keyed luck, natively, with what is noted of each.

What is drawn in such a game depends on the seed, the place drawn from, the round and the number of the draw in the round; how
a player decides on the seed, the seat, the round and the number of the decision: see `keyed_number`. A round begins where
chance decides after a player. So two rule sets have the same luck as long as they ask for the same.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from interpreter.compile.actions import Actions
from interpreter.run.compiled import CompiledRules, DecisionPoint
from interpreter.run.library import (
    AGAIN,
    DONE,
    FIRST_FUEL,
    MOST_FUEL,
    QUICK,
    ROOM,
    SLOW,
    SPOILT,
    WORDS_WANTED,
    KeyedRecord,
    Library,
)
from interpreter.run.runtime import DRAW, ROLL
from interpreter.seeds import FACTOR, MASK, random_state, stream_of, word_mark
from interpreter.state import Args

FIRST_ROOM = 512  # decisions of one game that there is room for at once, and standings of all
FIRST_WORDS = 1024  # places for the words of decisions, a power of 2
WORDS_KEPT = 2**16  # such places, at most
NOTED = 7  # numbers of each game before its scores: see `GameNotes`
POINTS = 3  # numbers that are noted of each rule: lines, their points, what scores really changed by


@dataclass(frozen=True, slots=True)
class GameNotes:
    """The notes of games, in their order.

    The numbers of each: decisions of players; rounds; legal moves, over all these decisions; decisions with one legal move (both
    -1, if legal moves were not counted); who decided first; the winners, a bit for each; how many standings there are; all scores; lines, points and what scores changed
    by of each rule. After a fault only the decisions count.
    """

    numbers: array[int]
    marks: array[int]  # of all decisions and the end: see `seeds.mark_of`
    standings: array[int]  # after each decision that changed them but the first, if they are wanted: of all players
    faults: dict[int, Exception] = field(default_factory=dict)  # by the place of the game


class KeyedGames:
    """Plays games of one kind. It belongs to one thread at a time."""

    def __init__(
        self,
        library: Library,
        actions: Actions,
        rules: CompiledRules,
        limit: int,
        words_of: Callable[[int, Args], str],
        place_of: Callable[[DecisionPoint], str],
        standings: int,
    ) -> None:
        """`words_of` a decision; `place_of` names what chance decides about; so many `standings` of a game are kept at most."""
        self._library, self._actions, self._words_of, self._limit = library, actions, words_of, limit
        self._kinds = {number: DRAW if point.kind == "draw" else ROLL for number, point in rules.decisions.items()}
        streams = [f"player {player}" for player in range(1, library.players + 1)]
        source = [0] * len(rules.program.blocks)
        for number, point in rules.decisions.items():
            if point.kind != "ask":
                if (place := place_of(point)) not in streams:
                    streams.append(place)
                source[number] = streams.index(place)
        many, score = len(rules.model.rules), library.score
        width = NOTED + (0 if score is None else library.players) + POINTS * many
        self._record = KeyedRecord(fuel=FIRST_FUEL, limit=limit, width=width, streams=len(streams), rules=many)
        self._record.score, self._record.leads, self._record.most = (
            -1 if score is None else score,
            standings > 0,
            standings,
        )
        self._numbers: dict[str, array[Any]] = {}
        self._let("start", array("i", library.start))
        self._let("source", array("i", source))
        self._let("stream", array("Q", map(stream_of, streams)))
        self._let("asked", _zeros("q", len(streams)))
        self._let("here", _zeros("Q", len(streams)))
        self._let("points", _zeros("q", POINTS * many))
        self._let("state", _zeros("i", library.size))
        self._words: dict[int, int] = {}  # the marks of the words of decisions, as they are noted
        self._know(FIRST_WORDS)
        self._make_room(min(FIRST_ROOM, limit + 1), FIRST_ROOM)
        self._record.work = library.open_work(self)

    def _let(self, name: str, numbers: array[Any]) -> None:
        """Let the library work with these numbers."""
        self._numbers[name] = numbers
        setattr(self._record, name, numbers.buffer_info()[0])

    def _make_room(self, decisions: int, standings: int) -> None:
        """Make room for so many decisions of a game and standings of all; what is there stays."""
        for name, many in (("trail", decisions), ("standings", self._library.players * standings)):
            kept = self._numbers.get(name, array("q"))
            self._let(name, kept + _zeros("q", many - len(kept)))
        self._record.room, self._record.space = decisions, standings

    def play(self, seeds: Sequence[int], counted: bytes = b"") -> GameNotes:
        """Return what is noted of the games with these seeds. An exception of a signal handler is raised between two calls.

        `counted` has a byte for each game: 1 where legal moves are counted; without it they are in all games.
        """
        record, call, at = self._record, self._library.call_keyed, ctypes.addressof(self._record)
        many = len(seeds)
        notes = GameNotes(_zeros("q", record.width * many), _zeros("Q", many), array("q"))
        record.rows, record.marks = notes.numbers.buffer_info()[0], notes.marks.buffer_info()[0]
        counted = counted or b"\1" * many
        flags = array("B", counted)
        record.counted = flags.buffer_info()[0]
        record.n, record.next, record.going, record.stood, record.seeds = many, 0, 0, 0, None
        if isinstance(seeds, range) and seeds.step == 1 and 0 <= seeds.start <= seeds.stop <= 2**64:
            record.seed = seeds.start
        else:
            self._let("seeds", array("Q", map(random_state, seeds)))
        code = call(at)
        while code != DONE:
            if code == ROOM:
                more = [2 * room if full else room for room, full in self._rooms()]
                self._make_room(*more)
            elif code == WORDS_WANTED:
                self._learn(record.unknown)
            elif code == SPOILT:
                fault = self._library.fault(record.status, record.value, self._limit)
                notes.faults[record.next - 1] = fault
            begin = monotonic()
            code = call(at)
            spent = monotonic() - begin
            if code != AGAIN:
                continue  # not because it had done enough
            if spent < QUICK and record.fuel < MOST_FUEL:
                record.fuel *= 4
            elif spent > SLOW:
                record.fuel = max(FIRST_FUEL, record.fuel // 4)
        notes.standings.extend(self._numbers["standings"][: self._library.players * record.stood])
        return notes

    def _rooms(self) -> list[tuple[int, bool]]:
        """Return what there is room for, decisions of a game and standings of all, and whether that is used up."""
        record = self._record
        standings = record.stood + record.changes
        return [(record.room, record.made == record.room), (record.space, standings == record.space)]

    # marks ------------------------------------------------------------------------------------------------

    def _learn(self, entry: int) -> None:
        """Find the words of a decision."""
        if 2 * len(self._words) >= WORDS_KEPT:
            self._words.clear()
            self._know(FIRST_WORDS)
        self._words[entry] = word_mark(self._words_of(*self._decided(entry)))
        if 2 * len(self._words) > self._record.words:
            self._know(2 * self._record.words)
        else:
            self._place(entry)

    def _know(self, places: int) -> None:
        """Let the library know all words, in a table of so many places."""
        self._let("known", _zeros("q", places))
        self._let("word", _zeros("Q", places))
        self._record.words = places
        for entry in self._words:
            self._place(entry)

    def _place(self, entry: int) -> None:
        """Put a decision where the library looks for it."""
        known, word, last = self._numbers["known"], self._numbers["word"], self._record.words - 1
        at = (entry * FACTOR & MASK) >> 32 & last
        while word[at]:
            at = at + 1 & last
        known[at], word[at] = entry, self._words[entry]

    def _decided(self, entry: int) -> tuple[int, Args]:
        """Return a decision, as positions remember it, from how it is noted."""
        if entry >= 0:
            return self._actions.move(entry)
        block, code = divmod(-entry, 1 << 32)
        return self._kinds[block], (code - (1 << 32) if code >= 1 << 31 else code,)


def _zeros(kind: str, many: int) -> array[int]:
    return array(kind, [0]) * many
