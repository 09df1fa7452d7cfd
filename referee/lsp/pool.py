"""Worker processes of the language server, so that one document never keeps another waiting.

Threads would not do: the checks are pure Python, and only one of them could run at a time. A process can also be ended,
whatever it is doing.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, TypeVarTuple

MOST_WORKERS = 4
SECONDS = 20.0  # that a job may take
GRACE = 0.5  # seconds for a job that nobody waits for; then its process is ended, with everything it remembers
SPARE = 0.5  # seconds of a job after which another process is started

# what comes after the path is for the worker: nothing is read ahead of it
_START = "import json, sys; sys.path[:] = json.loads(sys.stdin.buffer.raw.readline()); import referee.lsp.worker as w; w.work()"

OnPart = Callable[[Any], None]  # told what a job says before it is done

A = TypeVarTuple("A")
T = TypeVar("T")


class TooSlow(Exception):
    """The job took too long."""


class Died(Exception):
    """The process ended while it worked: out of memory, or by a fault of our own, with a traceback on standard error."""


@dataclass(slots=True, eq=False)
class _Worker:
    process: subprocess.Popen[bytes]
    key: str = ""  # of its last job: it remembers much of that
    ready: bool = False  # it has said so
    jobs: int = 0  # that it was given

    @classmethod
    def start(cls) -> _Worker:
        # INVARIANT: `-P`, and the path of this process: a folder of rules cannot bring modules of its own
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", _START],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        worker = cls(process)
        with contextlib.suppress(OSError):  # if it ends at once, its first job will show it
            worker.send(sys.path)
        return worker

    def ask(self, job: Sequence[object] = (), on_part: OnPart | None = None) -> asyncio.Future[Any]:
        """Return the answer to a job, which may be Died; without a job, that it is ready.

        `on_part` is told what the job says before it is done.
        """
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Any] = loop.create_future()

        def tell(on_part: OnPart, value: Any) -> None:
            if not answer.cancelled():
                on_part(value)

        def settle(value: Any, error: Exception | None) -> None:
            if answer.cancelled():
                return
            if error is None:
                answer.set_result(value)
            else:
                answer.set_exception(error)

        self.jobs += bool(job)
        number = self.jobs

        def converse() -> None:
            value, error = None, None
            try:
                if job:
                    self.send([number, *job])
                assert self.process.stdout is not None
                kind, value = "part", None
                while kind == "part":
                    said = json.loads(self.process.stdout.readline())
                    kind, value = said if job else ("done", said)
                    if kind == "part" and on_part is not None:
                        with contextlib.suppress(RuntimeError):
                            loop.call_soon_threadsafe(tell, on_part, value)
            except (OSError, ValueError) as found:  # no answer, or half of one
                error = Died(str(found))
            with contextlib.suppress(RuntimeError):  # the event loop has ended, and nobody waits
                loop.call_soon_threadsafe(settle, value, error)

        threading.Thread(target=converse, daemon=True).start()
        return answer

    def send(self, data: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(data).encode() + b"\n")
        self.process.stdin.flush()

    def stop(self) -> None:
        """Say that its job is not wanted any more."""
        with contextlib.suppress(OSError):
            self.send([self.jobs])

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


class Pool:
    """Some processes, each with one job at a time; a job goes to one that knows its document, if it is free."""

    def __init__(self, seconds: float = SECONDS, most: int = MOST_WORKERS) -> None:
        self.seconds = seconds
        self.most = most
        self._all: list[_Worker] = []
        self._idle: list[_Worker] = []  # the one that worked last is at the end
        self._left: list[_Worker] = []  # those with a job that nobody waits for
        self._freed = asyncio.Event()

    async def run(
        self, key: str, function: Callable[[*A], T], *args: *A, apart: bool = False, urgent: bool = False
    ) -> T:
        """Return what a function returns in another process. Raise TooSlow or Died. If it is cancelled, the job soon ends.

        It is a function of a module, and takes and returns what JSON can hold: what comes back runs nothing here.
        `key` says what the job is about: the next one about it may be faster. A job `apart` is done by a process that knows
        no other document, if there can be one more: it may be ended, and what its process knows with it.
        For an `urgent` one, for which somebody waits, there may be one process more.
        """
        found: T = await self._run(key, apart, urgent, None, function, args)
        return found

    async def run_in_parts(
        self, key: str, on_part: Callable[[T], None], function: Callable[[*A], Generator[T | None, None, T]], *args: *A
    ) -> T:
        """Return the same of a generator; `on_part` is told what it yields. If it is cancelled, the job ends where it yields."""
        wanted = True

        def tell(part: T) -> None:
            if wanted:
                on_part(part)

        try:
            found: T = await self._run(key, False, False, tell, function, args)
        except asyncio.CancelledError:
            wanted = False
            raise
        return found

    async def _run(
        self,
        key: str,
        apart: bool,
        urgent: bool,
        on_part: OnPart | None,
        function: Callable[..., Any],
        args: Sequence[object],
    ) -> Any:
        worker = await self._take(key, apart, self.most + urgent)
        if not worker.ready:  # its time starts when it does
            await self._begin(worker)
        spare = asyncio.get_running_loop().call_later(SPARE, self.prepare)
        answer = worker.ask((function.__module__, function.__name__, args, self.seconds), on_part)
        try:
            done, _ = await asyncio.wait([answer], timeout=self.seconds)
            if not done:
                answer.cancel()
                self._end(worker)
                raise TooSlow
            found = answer.result()
        except asyncio.CancelledError:
            self._leave(worker, answer)
            raise
        except Died:
            self._end(worker)
            raise
        finally:
            spare.cancel()
        self._free(worker)
        return found

    async def _begin(self, worker: _Worker) -> None:
        word = worker.ask()
        try:
            await asyncio.wait([word])
            word.result()
        except asyncio.CancelledError:
            worker.key = ""
            self._leave(worker, word, None)
            raise
        except Died:
            self._end(worker)
            raise
        worker.ready = True

    def prepare(self) -> None:
        """Start a process for the next job, if none is free."""
        if not self._idle and len(self._all) < self.most:
            self._free(self._started())

    def close(self) -> None:
        """End all processes. Nobody is told: the event loop of those who wait for one may have ended."""
        for worker in self._all:
            worker.end()
        self._all.clear()
        self._idle.clear()

    async def _take(self, key: str, apart: bool, most: int) -> _Worker:
        """A free process: the one that knows this document, even if it must end its last job first."""
        while True:
            if not any(worker.key == key for worker in self._left):
                fresh = ("", key) if apart else ("",)
                known = [worker for worker in self._idle if worker.key == key]
                known = known or [worker for worker in self._idle if worker.key in fresh]
                if not (known if apart else self._idle) and len(self._all) < most:
                    known = [self._started()]
                    self._idle.append(known[0])
                if self._idle:
                    worker = known[-1] if known else self._idle[0]
                    self._idle.remove(worker)
                    worker.key = key
                    return worker
            self._freed.clear()
            await self._freed.wait()

    def _started(self) -> _Worker:
        worker = _Worker.start()
        self._all.append(worker)
        return worker

    def _free(self, worker: _Worker) -> None:
        self._idle.append(worker)
        self._freed.set()

    def _end(self, worker: _Worker) -> None:
        if worker in self._all:
            self._all.remove(worker)
            worker.end()
        self._freed.set()

    def _leave(self, worker: _Worker, answer: asyncio.Future[Any], seconds: float | None = GRACE) -> None:
        """Let a job that nobody waits for run on for some seconds, or to its end: a warm process is worth it."""
        self._left.append(worker)
        worker.stop()

        def settle(answer: asyncio.Future[Any]) -> None:
            self._left.remove(worker)
            if answer.exception() is None:
                worker.ready = True
                self._free(worker)
            else:
                self._end(worker)
                self.prepare()

        def give_up() -> None:
            if worker in self._left:
                worker.process.kill()  # then its answer is Died

        answer.add_done_callback(settle)
        if seconds is not None:
            asyncio.get_running_loop().call_later(seconds, give_up)
