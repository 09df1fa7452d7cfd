"""A walk through the code: the modules whose functions are entered, in the order in which a reader would come to them.

`python -m tests.walk my.yaml` prints the walk of `rulespec validate my.yaml`, and of `game.legal_moves(state)` if the file is
good. What runs only because a module is imported is not counted.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from click.testing import CliRunner

from interpreter import load
from referee.cli import cli
from rulespec import RuleFileError

PACKAGES = ("rulespec", "interpreter", "referee")


def modules_entered(call: Callable[[], object]) -> dict[str, list[str]]:
    """Return the modules of the product whose functions a call enters, each with those functions, in their order."""
    found: dict[str, list[str]] = {}
    importing = 0  # modules that are being imported

    def look(frame: FrameType, event: str, _: Any) -> None:
        nonlocal importing
        code = frame.f_code
        module = frame.f_globals.get("__name__", "")
        if event not in ("call", "return") or module.partition(".")[0] not in PACKAGES:
            return
        if code.co_name == "<module>":
            importing += 1 if event == "call" else -1
        elif event == "call" and not importing and _is_written_function(code):
            functions = found.setdefault(module, [])
            if code.co_qualname not in functions:
                functions.append(code.co_qualname)

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        call()
    finally:
        sys.setprofile(before)
    return found


def _is_written_function(code: CodeType) -> bool:
    """Return whether code is that of a function that somebody wrote: no class body, no method made by a decorator.

    The `__getattr__` of a package is part of importing a name from it.
    """
    written = bool(code.co_flags & inspect.CO_OPTIMIZED) and not code.co_filename.startswith("<")
    return written and code.co_qualname != "__getattr__"


def walk_of_validate(file: Path) -> dict[str, list[str]]:
    """Return the walk of `rulespec validate FILE`."""
    return modules_entered(lambda: CliRunner().invoke(cli, ["validate", str(file)], catch_exceptions=False))


def walk_of_legal_moves(file: Path) -> dict[str, list[str]]:
    """Return the walk of `game.legal_moves(state)` at the first decision of a player."""
    game = load(file)
    state = game.start(seed=1)
    return modules_entered(lambda: game.legal_moves(state))


def main(file: Path) -> None:
    walks = [("rulespec validate", walk_of_validate(file))]
    with suppress(RuleFileError):
        walks.append(("game.legal_moves(state)", walk_of_legal_moves(file)))
    for name, walk in walks:
        print(f"{name}: {len(walk)} modules")
        for number, (module, functions) in enumerate(walk.items(), 1):
            print(f"{number:4}  {module:34} {', '.join(f for f in functions if '<' not in f)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
