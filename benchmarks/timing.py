"""Timing that survives a busy machine: short batches in turn, the best of each counts."""

from __future__ import annotations

import time
from collections.abc import Callable


def best_of(jobs: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Seconds of processor time of each job's best batch; the jobs take turns, so that all meet the same weather."""
    best = dict.fromkeys(jobs, float("inf"))
    for _ in range(rounds):
        for name, job in jobs.items():
            start = time.process_time()
            job()
            best[name] = min(best[name], time.process_time() - start)
    return best
