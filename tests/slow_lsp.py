"""The language server with a check that takes for ever, or ends its process, where a document says so; for tests."""

from __future__ import annotations

import os
from pathlib import Path

from referee.lsp import analysis
from referee.lsp.analysis import Analysis
from rulespec.shelf import DISK, Files

check = analysis.analyse


def analyse(path: Path, files: Files, before: Analysis | None = None) -> Analysis:
    while "# for ever" in files.texts[path]:
        sum(range(100_000))  # keeps the interpreter for itself
    if "# ends" in files.texts[path]:
        os._exit(1)
    return check(path, files, before)


def main(seconds: float, most: int) -> None:
    from referee.lsp.pool import Pool
    from referee.lsp.server import serve  # the processes that check need none of it

    analysis.analyse = analyse
    pool = Pool(seconds, most)
    try:
        serve(DISK, pool)
    finally:
        pool.close()
