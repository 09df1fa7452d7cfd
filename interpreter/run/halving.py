"""Which of some moves is best, by random plays after each, natively: all get as many, then the better half, and so on."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from time import monotonic

from interpreter.run.library import DONE, FIRST_FUEL, MOST_FUEL, QUICK, SLOW, WAITS, HalvingRecord, Library
from interpreter.run.verbs import NativeState
from interpreter.seeds import random_state
from interpreter.state import State

Halved = tuple[list[int], Sequence[int], Sequence[int]]  # moves by their places, best first; sums and numbers of plays


class NativeHalving:
    """Tries moves of one position after the other. It belongs to one thread."""

    def __init__(self, library: Library, limit: int) -> None:
        self._library = library
        self._record = HalvingRecord(fuel=FIRST_FUEL, limit=limit, score=-1 if library.score is None else library.score)
        self._state = array("i", bytes(4 * library.size))
        self._record.state = self._state.buffer_info()[0]
        self._record.work = library.open_work(self)

    def halve(
        self,
        state: State,
        actions: Sequence[int],
        order: Sequence[int],
        each: Sequence[int],
        seeds: Sequence[int],
        steps: int,
        rounds: int,
    ) -> Halved | None:
        """Return actions by what plays after them gave; None after a fault: then each is to be tried alone.

        `order` are the places of those to try; in each phase every one that is left is played on `each` times, with the seeds of
        the phase: see `Game.rollouts`. An exception of a signal handler is raised between two calls.
        """
        record, size = self._record, self._library.size
        data = {
            "root": array("i", state.packed if type(state) is NativeState else state.vector),
            "actions": array("i", actions),
            "each": array("q", each),
            "random": array("Q", map(random_state, seeds)),
            "order": array("i", order),
            "after": array("i", bytes(4 * size * len(actions))),
            "known": array("i", bytes(4 * len(actions))),
            "sums": array("q", bytes(8 * len(actions))),
            "counts": array("q", bytes(8 * len(actions))),
        }
        assert len(data["root"]) == size and len(seeds) == sum(each)
        for name, given in data.items():
            setattr(record, name, given.buffer_info()[0])
        record.decisions, record.me, record.steps, record.rounds = state.decisions, state.to_move or 0, steps, rounds
        record.phases, record.left = len(each), len(order)
        record.phase = record.place = record.at = record.going = record.status = 0
        call, at = self._library.call_halving, ctypes.addressof(record)
        begin = monotonic()
        while call(at) != DONE:
            spent, begin = monotonic() - begin, monotonic()
            if spent < QUICK and record.fuel < MOST_FUEL:
                record.fuel *= 4
            elif spent > SLOW:
                record.fuel = max(FIRST_FUEL, record.fuel // 4)
        if record.status != WAITS:
            return None
        return data["order"].tolist(), data["sums"], data["counts"]
