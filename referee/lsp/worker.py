"""The worker process of the language server: one job at a time, from standard input to standard output."""

from __future__ import annotations

import faulthandler
import json
import os
import signal
import sys
from importlib import import_module
from typing import BinaryIO

import referee.lsp.jobs  # noqa: F401  # the first job is quick if its modules are there

LATER = (
    5.0  # seconds beyond its limit after which a job ends itself: its server is gone, or it would have ended the job
)


def work() -> None:
    """Say `ready`, then do jobs until the input ends: [module, function, arguments, seconds] in, the result out.

    Both are JSON, one per line.

    A job that fails ends the process, with its traceback on standard error.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # only the server is to be interrupted
    nowhere = os.open(os.devnull, os.O_RDWR)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(nowhere, 1)  # what a job prints is no answer
    with open(nowhere, "wb") as silent:
        _tell(answers, "ready")
        for line in sys.stdin.buffer:
            module, name, arguments, seconds = json.loads(line)
            faulthandler.dump_traceback_later(seconds + LATER, exit=True, file=silent)
            answer = getattr(import_module(module), name)(*arguments)
            faulthandler.cancel_dump_traceback_later()
            _tell(answers, answer)


def _tell(answers: BinaryIO, value: object) -> None:
    try:
        answers.write(json.dumps(value).encode() + b"\n")
        answers.flush()
    except BrokenPipeError:
        os._exit(0)  # the server is gone
