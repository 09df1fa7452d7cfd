"""The worker process of the language server: one job at a time, from standard input to standard output."""

from __future__ import annotations

import faulthandler
import gc
import json
import os
import signal
import threading
from collections.abc import Generator, Iterator
from importlib import import_module
from queue import SimpleQueue
from typing import Any, BinaryIO

import referee.lsp.jobs  # noqa: F401  # the first job is quick if its modules are there

LATER = (
    5.0  # seconds beyond its limit after which a job ends itself: its server is gone, or it would have ended the job
)

YOUNG = (
    300_000  # objects that may be made before those that are not used any more are looked for: more than in one check
)
WHOLE = 20  # jobs after which all objects are looked through

Job = tuple[int, str, str, list[Any], float]  # number, module, function, arguments, seconds


def work() -> None:
    """Say `ready`, then do jobs until the input ends: [number, module, function, arguments, seconds] in, [kind, result] out.

    All is JSON, one value per line. A job that is a generator says what it has so far with each value that it yields, `part`, and
    can be stopped where it yields, by its number alone in a list; then its result is `null`, `done`.

    A job that fails ends the process, with its traceback on standard error.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # only the server is to be interrupted
    nowhere = os.open(os.devnull, os.O_RDWR)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(nowhere, 1)  # what a job prints is no answer
    inbox = Inbox()
    gc.freeze()  # modules stay as they are
    gc.set_threshold(YOUNG)
    with open(nowhere, "wb") as silent:
        _tell(answers, "ready")
        for done, (number, module, name, arguments, seconds) in enumerate(inbox.jobs(), 1):
            faulthandler.dump_traceback_later(seconds + LATER, exit=True, file=silent)
            answer = getattr(import_module(module), name)(*arguments)
            if isinstance(answer, Generator):
                answer = _result(answer, number, inbox, answers)
            faulthandler.cancel_dump_traceback_later()
            _tell(answers, ["done", answer])
            del answer
            if inbox.is_empty:  # nobody waits
                gc.collect(2 if done % WHOLE == 0 else 0)


class Inbox:
    """The messages of the server, taken by a thread: a job can see whether it is still wanted."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._stopped = 0  # the last job that is not wanted any more; earlier ones are done
        threading.Thread(target=self._receive, daemon=True).start()

    def _receive(self) -> None:
        with open(os.dup(0), "rb") as lines:  # not `sys.stdin`, which a process that ends by a fault would wait for
            for line in lines:
                number, *rest = json.loads(line)
                if rest:
                    self._jobs.put((number, *rest))
                else:
                    self._stopped = number
        self._jobs.put(None)

    def jobs(self) -> Iterator[Job]:
        while (job := self._jobs.get()) is not None:
            yield job

    @property
    def is_empty(self) -> bool:
        return self._jobs.empty()

    def is_stopped(self, number: int) -> bool:
        return number <= self._stopped


def _result(job: Generator[Any, None, Any], number: int, inbox: Inbox, answers: BinaryIO) -> Any:
    """Do a job to its end, or until nobody wants it, and return its result."""
    while not inbox.is_stopped(number):
        try:
            part = next(job)
        except StopIteration as end:
            return end.value
        if part is not None and not inbox.is_stopped(number):
            _tell(answers, ["part", part])
    job.close()
    return None


def _tell(answers: BinaryIO, value: object) -> None:
    try:
        answers.write(json.dumps(value).encode() + b"\n")
        answers.flush()
    except BrokenPipeError:
        os._exit(0)  # the server is gone
