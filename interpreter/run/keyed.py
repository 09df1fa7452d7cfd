"""Random games by keyed luck, natively, with what is noted of each.

What is drawn in such a game depends on the seed, the place drawn from, the round and the number of the draw in the round; how
a player decides on the seed, the seat, the round and the number of the decision: see `keyed_number`. A round begins where
chance decides after a player. So two rule sets have the same luck as long as they ask for the same.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from time import monotonic
from typing import Any

from interpreter.compile.actions import Actions, OneOf
from interpreter.run.compiled import CompiledRules, DecisionPoint
from interpreter.run.library import DONE, FIRST_FUEL, MOST_FUEL, QUICK, ROOM, SLOW, WAITS, KeyedRecord, Library
from interpreter.run.runtime import DRAW, ROLL
from interpreter.seeds import random_state, stream_of
from interpreter.state import Args

FIRST_ROOM = 512  # decisions of one game that there is room for at once
POINTS = 3  # numbers that are noted of each rule: lines, their points, what scores really changed by
TEXTS_KEPT = 20_000  # words of decisions that are kept for the next time

Use = tuple[str, int, int]  # a move, which of its choices or -1, the value as a code


@dataclass(frozen=True, slots=True)
class GameNotes:
    """The notes of one game. Sequences belong to whoever played it, and hold this until the next one."""

    error: Exception | None  # how it ended, if not as games should: then only `decisions` counts
    decisions: int  # of players
    rounds: int
    legal: int  # moves, over all these decisions
    single: int  # decisions with one legal move only
    first: int  # who decided first; 0: nobody
    winners: list[int]
    scores: list[int]  # of all players; none in a game without scores
    points: Sequence[int]  # of each rule: lines, points, what scores changed by
    standings: Sequence[
        int
    ]  # after each decision that changed them, of all players one after the other, if they are wanted
    chosen: Sequence[int]  # how often each use was, in the order of `uses`,
    offered: Sequence[float]  # and would have been by drawing lots, in whole millionths
    words: str  # all decisions, one a line


class KeyedGames:
    """Plays games of one kind, one after the other. It belongs to one thread at a time."""

    def __init__(
        self,
        library: Library,
        actions: Actions,
        rules: CompiledRules,
        limit: int,
        words_of: Callable[[int, Args], str],
        place_of: Callable[[DecisionPoint], str],
        counted: Mapping[str, Sequence[int]],
        standings: bool,
    ) -> None:
        """`words_of` a decision; `place_of` names what chance decides about; `counted` are choices whose values are counted."""
        self._library, self._actions, self._words_of = library, actions, words_of
        self._limit, self._ranks = limit, len(rules.program.ranks)
        self._kinds = {number: DRAW if point.kind == "draw" else ROLL for number, point in rules.decisions.items()}
        self.uses: list[Use] = []
        tables = _uses(rules, actions, counted, self.uses)
        streams = [f"player {player}" for player in range(1, library.players + 1)]
        source = [0] * len(rules.program.blocks)
        for number, point in rules.decisions.items():
            if point.kind != "ask":
                if (place := place_of(point)) not in streams:
                    streams.append(place)
                source[number] = streams.index(place)
        slots, many = len(self.uses), len(rules.model.rules)
        self._record = KeyedRecord(fuel=FIRST_FUEL, limit=limit, streams=len(streams), slots=slots, rules=many)
        self._numbers: dict[str, array[Any]] = {
            "start": array("i", library.start),
            "source": array("i", source),
            "stream": array("Q", map(stream_of, streams)),
            "asked": _zeros("q", len(streams)),
            "uses_at": array("i", tables[0]),
            "uses": array("i", tables[1]),
            "inverse": array("d", [1 / use if use else 0.0 for use in tables[1]]),
            "seen": _zeros("i", slots),
            "chosen": _zeros("q", slots),
            "points": _zeros("q", POINTS * many),
            "state": _zeros("i", library.size),
            "ranks": _zeros("i", library.players * self._ranks),
        }
        self._offered = _zeros("d", slots)
        for name, numbers in {**self._numbers, "offered": self._offered}.items():
            setattr(self._record, name, numbers.buffer_info()[0])
        self._make_room(min(FIRST_ROOM, limit + 1))
        self._record.leads = standings
        self._record.work = library.open_work(self)
        self._texts: dict[int, str] = {}

    def _make_room(self, many: int) -> None:
        """Make room for so many decisions; what is there stays."""
        for name, kind, each in (("trail", "q", 1), ("standings", "i", self._library.players)):
            kept = self._numbers.get(name, array(kind))
            self._numbers[name] = kept + _zeros(kind, each * many - len(kept))
            setattr(self._record, name, self._numbers[name].buffer_info()[0])
        self._record.room = many

    def play(self, seed: int) -> GameNotes:
        """Return what is noted of the game with this seed. An exception of a signal handler is raised between two calls."""
        record, call, at = self._record, self._library.call_keyed, ctypes.addressof(self._record)
        record.luck, record.going = random_state(seed), 0
        code = call(at)
        while code != DONE:
            if code == ROOM:
                self._make_room(2 * record.room)
            begin = monotonic()
            code = call(at)
            spent = monotonic() - begin
            if spent < QUICK and record.fuel < MOST_FUEL:
                record.fuel *= 4
            elif spent > SLOW:
                record.fuel = max(FIRST_FUEL, record.fuel // 4)
        return self._noted()

    def _noted(self) -> GameNotes:
        record, numbers, players = self._record, self._numbers, self._library.players
        error: Exception | None = None
        winners, scores, words = [], [], ""
        if record.status != WAITS:
            error = self._library.fault(record.status, record.value, self._limit)
        else:
            ranks, each = numbers["ranks"], self._ranks
            found = [ranks[each * p : each * (p + 1)] for p in range(players)]
            best = max(found)
            winners = [p for p, rank in enumerate(found, 1) if rank == best]
            if (base := self._library.score) is not None:
                scores = numbers["state"][base : base + players].tolist()
            words = self._words(numbers["trail"][: record.made])
        return GameNotes(
            error,
            record.decisions,
            record.rounds,
            record.legal,
            record.single,
            record.first,
            winners,
            scores,
            numbers["points"],
            numbers["standings"][: players * record.changes],
            numbers["chosen"],
            self._offered,
            words,
        )

    def _words(self, trail: array[int]) -> str:
        texts = self._texts
        try:
            return "".join(map(texts.__getitem__, trail))
        except KeyError:
            if len(texts) > TEXTS_KEPT:
                texts.clear()
            for entry in trail:
                if entry not in texts:
                    texts[entry] = f"{self._words_of(*self._decided(entry))}\n"
            return "".join(map(texts.__getitem__, trail))

    def _decided(self, entry: int) -> tuple[int, Args]:
        """Return a decision, as positions remember it, from how it is noted."""
        if entry >= 0:
            return self._actions.move(entry)
        block, code = divmod(-entry, 1 << 32)
        return self._kinds[block], (code - (1 << 32) if code >= 1 << 31 else code,)


def _uses(
    rules: CompiledRules, actions: Actions, counted: Mapping[str, Sequence[int]], uses: list[Use]
) -> tuple[list[int], list[int]]:
    """Return the tables of `count_uses` in the C, and add what they count to `uses`."""
    names, at, table = list(rules.model.moves), [], list[int]()
    for rule in rules.program.moves:
        name, domains = names[rule], actions.domains[rule]
        at.append(len(table))
        table += [actions.first[rule], len(uses), len(counted[name])]
        uses.append((name, -1, 0))
        for choice in counted[name]:
            domain = domains[choice]
            assert isinstance(domain, OneOf)
            table += [prod(d.many for d in domains[choice + 1 :]), domain.many, len(uses)]
            uses += [(name, choice, domain.value(rank)) for rank in range(domain.many)]
    return at, table


def _zeros(kind: str, many: int) -> array[int]:
    return array(kind, bytes(array(kind).itemsize * many))
