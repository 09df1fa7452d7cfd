"""Processes of this machine that play chunks. Which of them plays which chunk changes nothing."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import TracebackType
from typing import Any, Protocol

from referee.lab import texts
from referee.lab.chunks import Job, play_chunk
from referee.lab.columns import GameColumns

MOST_TRIES = 3  # of one chunk, if processes end while they play it

Token = tuple[object, tuple[int, int]]  # who asked, and for what


class CrewLost(Exception):
    """Nobody can play on: processes end again and again over the same chunk, or a cluster is gone or not to be believed."""


class AnyCrew(Protocol):
    """Whoever plays jobs: processes of this machine, or the workers of a cluster."""

    @property
    def wanted(self) -> int: ...
    def add(self, token: Token, job: Job) -> None: ...
    def forget(self) -> None: ...
    def results(self, seconds: float | None) -> list[tuple[Token, Job, GameColumns]]: ...
    def close(self) -> None: ...


class Crew:
    """Plays jobs in several processes, or, with one, in this process."""

    def __init__(self, workers: int) -> None:
        self._most = workers
        self._waiting: deque[tuple[Token, Job]] = deque()
        self._busy: dict[Connection, tuple[Token, Job]] = {}
        self._free: list[Connection] = []
        self._processes: dict[Connection, SpawnProcess] = {}
        self._tries: dict[Token, int] = {}

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    @property
    def wanted(self) -> int:
        """How many more jobs it needs so that no process waits."""
        return 2 * self._most - len(self._waiting) - len(self._busy)

    def add(self, token: Token, job: Job) -> None:
        """Take a job; `token` is returned with its rows."""
        self._waiting.append((token, job))

    def forget(self) -> None:
        """Drop the jobs that nobody has begun."""
        self._waiting.clear()

    def results(self, seconds: float | None) -> list[tuple[Token, Job, GameColumns]]:
        """Return what was finished, after waiting for something no longer than that."""
        if self._most == 1:
            if not self._waiting:
                return []
            token, job = self._waiting.popleft()
            return [(token, job, play_chunk(job))]
        self._set_to_work()
        found = []
        for ready in wait(list(self._busy), seconds):
            assert isinstance(ready, Connection)
            token, job = self._busy.pop(ready)
            try:
                answer = ready.recv()
            except (EOFError, OSError):
                self._again(ready, token, job)
                continue
            if isinstance(answer, BaseException):
                raise answer
            found.append((token, job, answer))
            self._free.append(ready)
        self._set_to_work()
        return found

    def _set_to_work(self) -> None:
        while self._waiting and (self._free or len(self._processes) < self._most):
            one = self._free.pop() if self._free else self._hire()
            token, job = self._waiting.popleft()
            self._busy[one] = (token, job)
            try:
                one.send(job)
            except OSError:
                del self._busy[one]
                self._again(one, token, job)

    def _again(self, gone: Connection, token: Token, job: Job) -> None:
        """Put a job back whose process has ended: played once more it gives the same rows."""
        gone.close()
        self._processes.pop(gone).join()
        self._tries[token] = self._tries.get(token, 0) + 1
        if self._tries[token] >= MOST_TRIES:
            raise CrewLost(texts.LOST)
        self._waiting.appendleft((token, job))

    def _hire(self) -> Connection:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=work, args=(theirs,), daemon=True)
        process.start()
        theirs.close()
        self._processes[ours] = process
        return ours

    def close(self) -> None:
        """End all processes at once: chunks that are not finished are lost, and played again the next time."""
        for process in self._processes.values():
            process.kill()
        for ours, process in self._processes.items():
            process.join()
            ours.close()
        self._processes.clear()
        self._busy.clear()
        self._free.clear()
        self._waiting.clear()


def work(orders: Connection) -> None:
    """Play what is requested until the other side is gone. Ctrl-C is for the process that sends the requests."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            job = orders.recv()
        except (EOFError, OSError):
            return
        answer: Any
        try:
            answer = play_chunk(job)
        except Exception as error:  # raised again where the chunk was asked for
            answer = error
        try:
            orders.send(answer)
        except OSError:
            return


def cores() -> int:
    """Return how many processes can work at a time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
