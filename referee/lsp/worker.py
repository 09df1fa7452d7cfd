"""The process that does the long work of the language server: one job at a time, from standard input to standard output."""

from __future__ import annotations

import faulthandler
import os
import pickle
import signal
import sys
from typing import BinaryIO

import referee.lsp.analysis  # noqa: F401  # the first job is quick if its modules are there

LATER = 5.0  # seconds beyond its time after which a job ends by itself: its server is gone, or would have ended it


def work() -> None:
    """Says `ready`, then does jobs until the input ends: (function, arguments, seconds) in, what it returns out.

    A job that fails ends the process, with its traceback on standard error.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is the server that is interrupted
    nowhere = os.open(os.devnull, os.O_RDWR)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(nowhere, 1)  # what a job prints is no answer
    with open(nowhere, "wb") as silent:
        _tell(answers, pickle.dumps("ready"))
        while True:
            try:
                function, arguments, seconds = pickle.load(sys.stdin.buffer)
            except EOFError:
                return
            faulthandler.dump_traceback_later(seconds + LATER, exit=True, file=silent)
            answer = pickle.dumps(function(*arguments), pickle.HIGHEST_PROTOCOL)
            faulthandler.cancel_dump_traceback_later()
            _tell(answers, answer)


def _tell(answers: BinaryIO, data: bytes) -> None:
    try:
        answers.write(data)
        answers.flush()
    except BrokenPipeError:
        os._exit(0)  # nobody is there any more
