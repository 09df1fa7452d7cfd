"""The language server with a check that takes for ever, or ends its process, where a document says so; for tests."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Generator

from referee.lsp import jobs
from rulespec.files.sources import DISK

real_check = jobs.check


def check(file: str, files: jobs.Data, before: jobs.Data | None) -> Generator[jobs.Data | None, None, jobs.Data]:
    while "# for ever" in files["texts"][file]:
        ctypes.PyDLL(None).usleep(
            100_000
        )  # keeps the interpreter for itself, as work does, but leaves the processor to others
    if "# ends" in files["texts"][file]:
        os._exit(1)
    return real_check(file, files, before)


def main(seconds: float, most: int) -> None:
    from referee.lsp.pool import Pool
    from referee.lsp.server import serve  # the processes that check need none of it

    jobs.check = check
    pool = Pool(seconds, most)
    try:
        serve(DISK, pool)
    finally:
        pool.close()
